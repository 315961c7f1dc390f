/*
 * toy/serial - the definition as it reads: the reference
 *
 * Source: [TOY], the section that defines it.
 * Work:   2 * radius + 1 comparisons a pixel.
 */
#include "impl_cpu/toy/row.h"

static enum bench_status run(void *opaque)
{
    const struct state *const s = opaque;

    for (int y = 0; y < s->in->n_frames * s->in->n_rows; y++)
        do_row(s, y);
    return BENCH_OK;
}

BENCH_IMPL(toy_serial) = {
    .name = "toy/serial",
    .problem = &toy_problem,
    .target = BENCH_SERIAL,
    .source = "[TOY], as it reads",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

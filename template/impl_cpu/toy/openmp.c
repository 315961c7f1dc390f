/*
 * toy/openmp - toy/serial with rows over threads
 *
 * Work: as toy/serial.
 */
#include "impl_cpu/toy/row.h"

static enum bench_status run(void *opaque)
{
    const struct state *const s = opaque;

#pragma omp parallel for num_threads(s->n_threads) schedule(static)
    for (int y = 0; y < s->in->n_frames * s->in->n_rows; y++)
        do_row(s, y);
    return BENCH_OK;
}

BENCH_IMPL(toy_openmp) = {
    .name = "toy/openmp",
    .problem = &toy_problem,
    .target = BENCH_OPENMP,
    .source = "toy/serial, rows over threads",
    .reference = "toy/serial",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

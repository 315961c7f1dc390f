/*
 * stixels/serial - down-sample, then one column after the other by dynamic programming
 *
 * Source: [STX] sect. 3.2-3.4 and 4.2, eq. 12: constant time per candidate.  Under arith = exact the reference of all
 *         variants of this model.
 * Work:   every pixel of every plane once; 3 n_rows (n_rows + 1) / 2 candidates per column.
 */
#include "impl_cpu/stixels/one_thread.h"

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    const struct stixels_input *in = input;

    if (in->model[0].data_term != STIXELS_E12)
        return BENCH_FAIL(BENCH_ESKIP, "the uniform part of eq. 6 has no constant-time form; "
                                       "stixels/cubic-serial sums it over the rows");
    return setup_one(opaque, ctx, input, output);
}

BENCH_IMPL(stixels_serial) = {
    .name = "stixels/serial",
    .problem = &stixels_problem,
    .target = BENCH_SERIAL,
    .source = "[STX] eq. 8, 9 and 12",
    .reference = NULL,
    .keys = NULL,
    .state_size = sizeof(struct state),
    .setup = setup,
    .upload = NULL,
    .run = run,
    .download = NULL,
    .teardown = teardown,
};

/*
 * stixels/cubic-serial - stixels/serial with the older model, whose depth term is summed over a
 * stixel's rows
 *
 * Source: [STX] eq. 6, 8 and 9, sect. 3.4 (the model of its ref. 12): planes in constant time
 *         from the sums, depth energies row by row.  Under arith = exact the reference of all
 *         variants of this model.
 * Work:   3 n_rows (n_rows + 1) (n_rows + 2) / 6 row terms per column.
 */
#include "impl_cpu/stixels/one_thread.h"

static int segment_one(struct state *s)
{
    return column_segment(&s->column, s->exact);
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    const struct stixels_input *in = input;

    if (in->model[0].data_term == STIXELS_E12)
        return BENCH_FAIL(BENCH_ESKIP,
                          "eq. 12 has a constant-time form, which stixels/serial takes; "
                          "this variant is for eq. 6");
    if (stixels_needs_general(&in->model[0]))
        return BENCH_FAIL(BENCH_ESKIP, STIXELS_NEEDS_GENERAL);
    return setup_one(opaque, ctx, input, output);
}

static enum bench_status run(void *opaque)
{
    return run_one(opaque, segment_one);
}

BENCH_IMPL(stixels_cubic_serial) = {
    .name = "stixels/cubic-serial",
    .problem = &stixels_problem,
    .target = BENCH_SERIAL,
    .source = "[STX] eq. 6, 8 and 9",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

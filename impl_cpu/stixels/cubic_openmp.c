/*
 * stixels/cubic-openmp - stixels/cubic-serial with its columns spread over threads and its rows
 * over lanes
 *
 * Source: [STX] eq. 6, 8 and 9.  The sum over a stixel's rows runs in vectors under arith =
 *         float; nothing else differs from stixels/cubic-serial.
 * Work:   as stixels/cubic-serial.
 */
#include "impl_cpu/stixels/team.h"

static int segment_one(struct worker *worker, int exact)
{
    return column_segment(&worker->column, exact);
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    const struct stixels_input *in = input;

    if (in->model[0].data_term == STIXELS_E12)
        return BENCH_FAIL(BENCH_ESKIP, "eq. 12 has a constant-time form, which stixels/openmp "
                                       "takes; this variant is for eq. 6");
    if (stixels_needs_general(&in->model[0]))
        return BENCH_FAIL(BENCH_ESKIP, STIXELS_NEEDS_GENERAL);
    return setup_team(opaque, ctx, input, output);
}

static enum bench_status run(void *opaque)
{
    return run_team(opaque, segment_one);
}

BENCH_IMPL(stixels_cubic_openmp) = {
    .name = "stixels/cubic-openmp",
    .problem = &stixels_problem,
    .target = BENCH_OPENMP,
    .source = "[STX] eq. 6, 8 and 9, columns over threads",
    .reference = "stixels/cubic-serial",
    .keys = team_keys,
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

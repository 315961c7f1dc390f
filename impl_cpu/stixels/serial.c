/*
 * stixels/serial - down-sample, then one column after the other by dynamic programming
 *
 * Source: [STX] sect. 3.2-3.4 and 4.2, eq. 12: constant time per candidate.  Under arith =
 *         exact the reference of all variants of this model.  Models that are neither b12 nor
 *         b6 take column_general.h instead, in constant time per candidate, too.
 * Work:   every pixel of every plane once; 3 n_rows (n_rows + 1) / 2 candidates per column.
 */
#include "impl_cpu/stixels/column_general.h"
#include "impl_cpu/stixels/one_thread.h"

static int segment_one(struct state *s)
{
    return column_segment(&s->column, s->exact);
}

static int segment_general(struct state *s)
{
    return general_segment(&s->column, &s->general, s->exact);
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    const struct stixels_input *in = input;

    TRY(general_check(&in->model[0], bench_is(ctx->params, "arith", "exact"),
                      "stixels/cubic-serial"));
    return setup_one(opaque, ctx, input, output);
}

static enum bench_status run(void *opaque)
{
    struct state *s = opaque;

    return run_one(s, s->is_general ? segment_general : segment_one);
}

BENCH_IMPL(stixels_serial) = {
    .name = "stixels/serial",
    .problem = &stixels_problem,
    .target = BENCH_SERIAL,
    .source = "[STX] eq. 8, 9 and 12",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

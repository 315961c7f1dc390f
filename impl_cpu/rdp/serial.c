/*
 * rdp/serial - the recursive algorithm, one column after the other, with an explicit stack
 *
 * Source: [RDP] Algorithm 1, in its order of work: the left part first, then the right.
 *         Deviations: the division is cleared, so that the distances are exact integers; no
 *         recursion, so that no column is too deep.
 * Work:   one pass over each segment of the recursion tree: n log n on real columns, n^2 / 2 at
 *         worst.
 */
#include "harness/measure/impl.h"
#include "harness/problems/rdp/rdp.h"
#include "impl_cpu/rdp/segment.h"

#include <stdlib.h>

struct state {
    const struct rdp_input *in; /* borrowed */
    struct rdp_output *out;     /* borrowed */
    struct segment *stack;      /* [segment_stack_size(n_rows)], owned */
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;

    (void)ctx;
    s->in = input;
    s->out = output;
    s->stack = malloc(segment_stack_size(s->in->n_rows) * sizeof *s->stack);
    if (!s->stack)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for a stack of %d segments", s->in->n_rows);
    return BENCH_OK;
}

static enum bench_status run(void *opaque)
{
    struct state *s = opaque;
    const struct rdp_input *in = s->in;
    const size_t n_columns = (size_t)in->n_frames * (size_t)in->n_cols;
    const size_t n_rows = (size_t)in->n_rows, n_words = (size_t)rdp_n_words(in->n_rows);

    for (size_t c = 0; c < n_columns; c++)
        segment_column(in->y + c * n_rows, in->n_rows, in->epsilon_q8, in->distance, s->stack,
                       s->out->kept + c * n_words, &s->out->segments[c], &s->out->rounds[c]);
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    free(s->stack);
}

BENCH_IMPL(rdp_serial) = {
    .name = "rdp/serial",
    .problem = &rdp_problem,
    .target = BENCH_SERIAL,
    .source = "[RDP] Algorithm 1",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

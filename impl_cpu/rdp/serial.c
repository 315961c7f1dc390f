/*
 * rdp/serial - the recursive algorithm, one column after the other, with an explicit stack
 *
 * Source: [RDP] Algorithm 1, in its order of work: the left part first, then the right.
 *         Deviations: the division is cleared, so that the distances are exact integers; no
 *         recursion, so that no column is too deep.
 * Work:   one pass over each segment of the tree: n log n on real columns, n^2 / 2 at worst.
 */
#include "impl_cpu/rdp/segment.h"

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;

    for (size_t c = 0; c < s->n_columns; c++)
        segment_column(s, c, walk_of(s, 0));
    return BENCH_OK;
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

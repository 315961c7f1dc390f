/*
 * rdp/omp-tasks - the recursion itself in parallel: one task per segment, down to a cutoff
 *
 * Source: the task-based proposals that [RDP] sect. 3 cites (J. Ma et al., ICCASM 2010, a list
 *         of segments that processors take from and add to), in OpenMP's words.
 * Shared: a word of 'kept' has rows of several segments, so its bits are set by an atomic or;
 *         segments and rounds of a column are an atomic sum and maximum.  The task that begins
 *         a column writes their first values.
 * Work:   as rdp/serial, and a task per segment of at least 'cutoff' rows.
 *
 * A task gives the shorter part of its segment away and goes on with the longer one itself.
 * Thus no column, however lopsided, nests more than log2(n) tasks on one thread's stack where
 * the runtime runs a new task at once.  Below the cutoff a plain call is cheaper than a task
 * that is final, which still has its data copied.
 */
#include "impl_cpu/rdp/segment.h"

#include <omp.h>

static const struct bench_key keys[] = {
    {"cutoff", "512", "rows", "shorter segments are finished by the task that meets them",
     BENCH_INT, 2, RDP_MAX_ROWS, NULL},
    {"chunk", "4", "columns", "columns that a thread fetches at a time", BENCH_INT, 1, 32768,
     NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

/* Shared by the tasks of one column; copied into each, since they may outlive the first. */
struct column {
    const struct state *state;
    const uint16_t *y;
    uint32_t *kept;
    int32_t *n_segments, *n_rounds;
};

static void keep_row_atomically(const struct column *column, int row)
{
    __atomic_fetch_or(&column->kept[row / 32], UINT32_C(1) << (row % 32), __ATOMIC_RELAXED);
}

static void raise_rounds(const struct column *column, int rounds)
{
    int32_t seen = __atomic_load_n(column->n_rounds, __ATOMIC_RELAXED);

    while (seen < rounds && !__atomic_compare_exchange_n(column->n_rounds, &seen, rounds, 1,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* All of a segment in this task.  The thread cannot switch tasks here, so its stack is ours. */
static void finish_segment(const struct column *column, struct rdp_node s)
{
    struct rdp_walk *const walk = walk_of(column->state, omp_get_thread_num());
    int n_leaves = 0, depth = 0;
    struct rdp_node node;

    rdp_walk_segment(walk, column->state->in, column->y, s);
    while (rdp_walk_next(walk, &node)) {
        if (depth < node.depth)
            depth = node.depth;
        if (node.cut < 0)
            n_leaves++;
        else
            keep_row_atomically(column, node.cut);
    }
    __atomic_fetch_add(column->n_segments, n_leaves, __ATOMIC_RELAXED);
    raise_rounds(column, depth); /* the deepest node is a leaf, one below the deepest cut */
}

static void segment_in_tasks(struct column column, struct rdp_node s)
{
    const struct rdp_input *in = column.state->in;

    while (s.last - s.first >= column.state->cutoff) {
        const int cut = find_cut(column.y, s.first, s.last, in->epsilon_q8, in->distance);
        struct rdp_node left, right;

        if (cut < 0) {
            __atomic_fetch_add(column.n_segments, 1, __ATOMIC_RELAXED);
            return;
        }
        keep_row_atomically(&column, cut);
        raise_rounds(&column, s.depth + 1);
        left = (struct rdp_node){s.first, cut, s.depth + 1, -1};
        right = (struct rdp_node){cut, s.last, s.depth + 1, -1};
        if (cut - s.first > s.last - cut) {
            s = left;
            left = right;
        } else {
            s = right;
        }
        if (left.last - left.first < column.state->cutoff) {
            finish_segment(&column, left);
        } else {
#pragma omp task firstprivate(column, left)
            segment_in_tasks(column, left);
        }
    }
    finish_segment(&column, s);
}

/* clang warns of the code that it makes for a taskloop itself */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;

#pragma omp parallel num_threads(s->n_threads)
#pragma omp single
#pragma omp taskloop grainsize(s->chunk)
    for (size_t c = 0; c < s->n_columns; c++) {
        const struct column column = {s, y_of(s, c), kept_of(s, c), &s->out->segments[c],
                                      &s->out->rounds[c]};
        struct rdp_node root;

        if (begin_column(s, c, &root))
            segment_in_tasks(column, root);
    }
    return BENCH_OK;
}

#pragma GCC diagnostic pop

BENCH_IMPL(rdp_omp_tasks) = {
    .name = "rdp/omp-tasks",
    .problem = &rdp_problem,
    .target = BENCH_OPENMP,
    .source = "[RDP] sect. 3: task-parallel recursion, as Ma et al. 2010",
    .reference = "rdp/serial",
    .keys = keys,
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

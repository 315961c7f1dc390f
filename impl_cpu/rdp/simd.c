/*
 * rdp/cpu-simd - Algorithm 1 with the distances of 4, 8 or 16 rows at a time, columns over
 * threads
 *
 * Source: [RDP] Algorithm 1; the ideas are ours.  Exact integers, hence the same bits as
 *         rdp/serial.
 * Work:   as rdp/serial, in vectors: a load, a product, four sums, maxima and comparisons for
 *         LANES rows.
 *
 * Ideas, and what each gave on one core of a Sapphire Rapids Xeon with AVX-512.  Input: 25 SGM
 * frames of KITTI 2015, 1242 columns of 1024 rows, eps 4 (7.4 segments and 3387 distances a
 * column, rdp/serial 2.5 us); noise: 961 segments.
 *   Rows in 32-bit lanes, the chord by one addition a vector.  Each lane keeps its greatest
 *     cost, and of its row only the group of four vectors; the row itself is sought again in
 *     that one group.  No search at all where no lane exceeds the tolerance, which is half of
 *     all segments.  Columns without invalid rows, four of five, need no mask.
 *     Predicted: 4 times rdp/serial, the goal.  Together: 4.2 times; 3.3 with AVX2; noise 0.8
 *                times.
 *   A segment of one vector stays in a register: 4.3 times; noise 1.1 times.
 *   The shortest segments one row at a time: 4.3 times; noise 1.35 times.
 * Tried and left out: the product by a 16-bit multiply-add, one instruction for two (predicted
 * up to a quarter, gave 2 %); the last vectors as one masked group instead of a loop, against a
 * mispredicted branch (no gain).  What is left is about
 * 20 ns a segment of branches that nothing predicts, which is also why noise gains so little.
 */
#include "impl_cpu/rdp/lanes.h"
#include "impl_cpu/rdp/segment.h"

#include <omp.h>

/* Vectors between two updates of the arg max: its cost is a quarter, 64 rows are sought
 * again. */
#define GROUP      4
#define GROUP_ROWS (GROUP * LANES)

/* Segments of so many rows at most are done one row at a time; 4 to 8 are alike. */
#define SHORT_ROWS 5

/* So that 'has_invalid' is a constant. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

static const struct bench_key keys[] = {
    {"chunk", "8", "columns", "columns that a thread fetches at a time", BENCH_INT, 1, 32768,
     NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

/* The numerators N of LANES rows from y on; chord = (y_f (l - f) + (y_l - y_f) (i - f)) of
 * these rows. */
static ALWAYS_INLINE lanes costs(const uint16_t *y, lanes chord, lanes length, int has_invalid)
{
    const lanes value = lanes_load(y);
    const lanes cost = lanes_abs(chord - value * length);

    return has_invalid ? lanes_unless_equal(value, lanes_set(RDP_INVALID), cost) : cost;
}

/* The same with 0 from lane n on: what lies behind a segment's last row has no cost. */
static ALWAYS_INLINE lanes first_costs(const uint16_t *y, int n, lanes chord, lanes length,
                                       int has_invalid)
{
    return lanes_where_greater(lanes_set(n), lanes_count(),
                               costs(y, chord, length, has_invalid), lanes_set(0));
}

/*
 * As find_cut() of segment.h.  Up to LANES - 1 rows behind 'last' are read and ignored.
 *
 * No lane overflows, those included: with 0 <= y <= 65535 and rows up to LANES behind the last
 * one, chord stays between -65535 * LANES and 65535 * (RDP_MAX_ROWS + LANES), the product
 * between 0 and 65535 * RDP_MAX_ROWS.
 */
static ALWAYS_INLINE int find_cut_in_lanes(const uint16_t *y, int first, int last,
                                           uint32_t epsilon_q8, enum rdp_distance distance,
                                           int has_invalid)
{
    const int32_t rows = last - first, y_first = y[first], dy = y[last] - y_first;
    const uint16_t *const inner = y + first + 1;
    const int n_inner = rows - 1;
    const lanes length = lanes_set(rows), step = lanes_set(dy * LANES);
    const lanes limit = lanes_set((int32_t)(epsilon_q8 * (uint32_t)rows)); /* < 2^31 */
    const lanes start = lanes_set(y_first * rows + dy) + lanes_count() * lanes_set(dy);
    lanes chord = start, best, group = lanes_set(0), best_group = lanes_set(0);
    int i = 0, v = 0;

    if (n_inner <= LANES) {
        best = first_costs(inner, n_inner, chord, length, has_invalid);
    } else {
        lanes most; /* of the current group */

        best = lanes_set(0);
        for (; i + GROUP_ROWS <= n_inner; i += GROUP_ROWS) {
            most = lanes_set(0);
            for (int k = 0; k < GROUP; k++) {
                most =
                    lanes_max(most, costs(inner + i + k * LANES, chord, length, has_invalid));
                chord += step;
            }
            best_group = lanes_where_greater(most, best, group, best_group);
            best = lanes_max(most, best);
            group += lanes_set(1);
        }
        most = lanes_set(0);
        for (; i + LANES <= n_inner; i += LANES) {
            most = lanes_max(most, costs(inner + i, chord, length, has_invalid));
            chord += step;
        }
        if (i < n_inner)
            most = lanes_max(most,
                             first_costs(inner + i, n_inner - i, chord, length, has_invalid));
        best_group = lanes_where_greater(most, best, group, best_group);
        best = lanes_max(most, best);
    }

    /* A perpendicular distance is never longer than the vertical one, so this settles both. */
    if (!lanes_any_greater(best, limit))
        return -1;
    {
        const int32_t cost = lanes_greatest(best);
        const lanes greatest = lanes_set(cost);

        if (distance == RDP_PERPENDICULAR &&
            !rdp_exceeds_perpendicular((uint32_t)cost, rows, dy, epsilon_q8))
            return -1;
        if (n_inner <= LANES)
            return first + 1 + __builtin_ctz(lanes_equal(best, greatest));

        /* The first group that has it: the least among the lanes that saw it, whose best is not
         * below the greatest.  A lane keeps the first group of its own greatest cost, because
         * later groups replace it only if they are strictly greater. */
        v = GROUP_ROWS * -lanes_greatest(lanes_where_greater(
                             greatest, best, lanes_set(-INT32_MAX), -best_group));
        chord = start + lanes_set(dy * v);
        for (;; v += LANES) {
            const uint32_t hit =
                lanes_equal(costs(inner + v, chord, length, has_invalid), greatest);

            /* Rows behind the segment may be hits by chance, but come after the true one. */
            if (hit)
                return first + 1 + v + __builtin_ctz(hit);
            chord += step;
        }
    }
}

/* As segment_column() of segment.h, from the root 's' on, with LANES - 1 readable values behind
 * the column 'y'. */
static ALWAYS_INLINE void segment_in_lanes(const struct state *state, size_t column,
                                           const uint16_t *y, struct rdp_node s,
                                           struct rdp_node *stack, int has_invalid)
{
    const struct rdp_input *const in = state->in;
    uint32_t *const kept = kept_of(state, column);
    int n_waiting = 0, n_leaves = 0, rounds = 1;

    for (;;) {
        int cut = -1;

        if (s.last - s.first > SHORT_ROWS)
            cut = find_cut_in_lanes(y, s.first, s.last, in->epsilon_q8, in->distance,
                                    has_invalid);
        else if (s.last - s.first > 1)
            cut = find_cut(y, s.first, s.last, in->epsilon_q8, in->distance);
        if (cut < 0) {
            n_leaves++;
            if (n_waiting == 0)
                break;
            s = stack[--n_waiting];
            continue;
        }
        keep_row(kept, cut);
        s.depth++;
        if (rounds < s.depth)
            rounds = s.depth;
        stack[n_waiting++] = (struct rdp_node){cut, s.last, s.depth, -1};
        s.last = cut;
    }
    state->out->segments[column] = n_leaves;
    state->out->rounds[column] = rounds;
}

/* No early way out, so that the compiler can do many rows at a time. */
static int any_invalid(const uint16_t *y, int n_rows)
{
    uint16_t any = 0;

    for (int v = 0; v < n_rows; v++)
        any |= y[v] == RDP_INVALID;
    return any;
}

static ALWAYS_INLINE void segment(const struct state *s, struct rdp_walk *walk, size_t column)
{
    const size_t n_rows = (size_t)s->in->n_rows;
    const uint16_t *y = y_of(s, column);
    uint16_t copy[RDP_MAX_ROWS + LANES];
    struct rdp_node root;

    if (!begin_column(s, column, &root))
        return;
    /* too near the end of y to read behind it */
    if ((s->n_columns - column - 1) * n_rows < LANES) {
        memcpy(copy, y, n_rows * sizeof *y);
        memset(copy + n_rows, 0, LANES * sizeof *copy); /* read, if only to be ignored */
        y = copy;
    }
    if (any_invalid(y, s->in->n_rows))
        segment_in_lanes(s, column, y, root, walk->waiting, 1);
    else
        segment_in_lanes(s, column, y, root, walk->waiting, 0);
}

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;

#pragma omp parallel num_threads(s->n_threads)
    {
        struct rdp_walk *const walk = &s->walks[omp_get_thread_num()];

#pragma omp for schedule(dynamic, s->chunk)
        for (size_t c = 0; c < s->n_columns; c++)
            segment(s, walk, c);
    }
    return BENCH_OK;
}

BENCH_IMPL(rdp_cpu_simd) = {
    .name = "rdp/cpu-simd",
    .problem = &rdp_problem,
    .target = BENCH_OPENMP,
    .source = "[RDP] Algorithm 1, rows in vector lanes, columns over threads",
    .reference = "rdp/serial",
    .keys = keys,
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

/*
 * rdp/cpu-simd - Algorithm 1 with the distances of 4, 8 or 16 rows at a time, columns over threads
 */
#include "harness/impl.h"
#include "harness/problems/rdp.h"
#include "impl_cpu/rdp/lanes.h"
#include "impl_cpu/rdp/segment.h"

#include <omp.h>
#include <stdlib.h>

#define GROUP 4                /* vectors between two updates of the arg max */
#define GROUP_ROWS (GROUP * LANES)

#define COLUMNS_PER_FETCH 8

struct state {
    const struct rdp_input *in; /* borrowed */
    struct rdp_output *out;     /* borrowed */
    struct worker *workers;     /* [n_threads], owned */
    unsigned char *memory;
    size_t worker_bytes;
    int n_threads;
};

static inline lanes costs(const uint16_t *y, lanes chord, lanes length, int has_invalid)
{
    const lanes value = lanes_load(y);
    const lanes cost = lanes_abs(lanes_sub(chord, lanes_mul(value, length)));

    return has_invalid ? lanes_unless_equal(value, lanes_set(RDP_INVALID), cost) : cost;
}

static inline __attribute__((always_inline)) int find_cut_in_lanes(const uint16_t *y, int first, int last, uint32_t epsilon_q8,
                                    enum rdp_distance distance, int has_invalid)
{
    const int32_t length_1 = last - first, y_first = y[first], dy = y[last] - y_first;
    const uint16_t *const begin = y + first + 1;
    const int n = length_1 - 1;
    const lanes length = lanes_set(length_1), step = lanes_set(dy * LANES);
    const lanes start = lanes_add(lanes_set(y_first * length_1 + dy), lanes_mul(lanes_count(), lanes_set(dy)));
    lanes chord = start;
    lanes best = lanes_set(0), best_group = lanes_set(0), group = lanes_set(0);
    const lanes limit = lanes_set((int32_t)(epsilon_q8 * (uint32_t)length_1));
    int i = 0;

    for (; i + GROUP_ROWS <= n; i += GROUP_ROWS) {
        lanes most = lanes_set(0);

        for (int k = 0; k < GROUP; k++) {
            most = lanes_max(most, costs(begin + i + k * LANES, chord, length, has_invalid));
            chord = lanes_add(chord, step);
        }
        best_group = lanes_where_greater(most, best, group, best_group);
        best = lanes_max(most, best);
        group = lanes_add(group, lanes_set(1));
    }
    {
        lanes most = lanes_set(0);

        for (; i + LANES <= n; i += LANES) {
            most = lanes_max(most, costs(begin + i, chord, length, has_invalid));
            chord = lanes_add(chord, step);
        }
        if (i < n)
            most = lanes_max(most, lanes_where_greater(lanes_set(n - i), lanes_count(),
                                   costs(begin + i, chord, length, has_invalid), lanes_set(0)));
        best_group = lanes_where_greater(most, best, group, best_group);
        best = lanes_max(most, best);
    }
    if (!lanes_any_greater(best, limit))
        return -1;
    {
        const int32_t cost = lanes_greatest(best);
        const lanes all = lanes_set(cost);
        const lanes is = lanes_unless_equal(best, all, lanes_set(INT32_MAX)); /* 0 where equal */
        const int32_t g = -lanes_greatest(lanes_sub(lanes_set(0), lanes_max(is, best_group)));
        int v = g * GROUP_ROWS;

        if (distance == RDP_PERPENDICULAR && !rdp_exceeds_perpendicular((uint32_t)cost, length_1, dy, epsilon_q8))
            return -1;
        chord = lanes_add(start, lanes_set(dy * v));
        for (;; v += LANES) {
            const uint32_t hit = lanes_equal(costs(begin + v, chord, length, has_invalid), all);

            if (hit)
                return first + 1 + v + __builtin_ctz(hit);
            chord = lanes_add(chord, step);
        }
    }
}

struct worker {
    uint16_t *column; /* [n_rows + LANES] */
    struct segment *stack;
};

static inline __attribute__((always_inline)) void segment_lanes(const uint16_t *y, int n_rows, const struct rdp_input *in, struct segment *stack,
    uint32_t *kept, int32_t *n_segments, int32_t *n_rounds, int has_invalid)
{
    int n_waiting = 0, leaves = 0, rounds = 1;
    struct segment s;

    memset(kept, 0, (size_t)rdp_n_words(n_rows) * sizeof *kept);
    *n_segments = 0;
    *n_rounds = 1;
    if (!find_ends(y, n_rows, &s.first, &s.last))
        return;
    keep_row(kept, s.first);
    keep_row(kept, s.last);
    s.depth = 1;
    for (;;) {
        int cut = -1;
        if (s.last - s.first > 1)
            cut = find_cut_in_lanes(y, s.first, s.last, in->epsilon_q8, in->distance, has_invalid);
        if (cut < 0) {
            leaves++;
            if (n_waiting == 0)
                break;
            s = stack[--n_waiting];
            continue;
        }
        keep_row(kept, cut);
        s.depth++;
        if (rounds < s.depth)
            rounds = s.depth;
        stack[n_waiting++] = (struct segment){cut, s.last, s.depth};
        s.last = cut;
    }
    *n_segments = leaves;
    *n_rounds = rounds;
}

static int any_invalid(const uint16_t *y, int n_rows)
{
    unsigned any = 0;

    for (int v = 0; v < n_rows; v++)
        any |= y[v] == RDP_INVALID;
    return any != 0;
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;

    s->in = input;
    s->out = output;
    s->n_threads = ctx->n_threads;
    s->workers = calloc((size_t)s->n_threads, sizeof *s->workers);
    if (!s->workers)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for %d workers", s->n_threads);
    for (int t = 0; t < s->n_threads; t++) {
        s->workers[t].column = malloc(((size_t)s->in->n_rows + LANES) * 2);
        s->workers[t].stack = malloc(segment_stack_size(s->in->n_rows) * sizeof(struct segment));
    }
    return BENCH_OK;
}

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;
    const struct rdp_input *in = s->in;
    const struct rdp_output *out = s->out;
    const size_t n_columns = (size_t)in->n_frames * (size_t)in->n_cols;
    const size_t n_rows = (size_t)in->n_rows, n_words = (size_t)rdp_n_words(in->n_rows);

#pragma omp parallel num_threads(s->n_threads)
    {
        struct worker *w = &s->workers[omp_get_thread_num()];

#pragma omp for schedule(dynamic, COLUMNS_PER_FETCH)
        for (size_t c = 0; c < n_columns; c++) {
            const uint16_t *y = in->y + c * n_rows;
            if ((n_columns - c) * n_rows < n_rows + LANES) {
                memcpy(w->column, y, n_rows * 2);
                y = w->column;
            }
            if (any_invalid(y, in->n_rows))
                segment_lanes(y, in->n_rows, in, w->stack, out->kept + c * n_words, &out->segments[c], &out->rounds[c], 1);
            else
                segment_lanes(y, in->n_rows, in, w->stack, out->kept + c * n_words, &out->segments[c], &out->rounds[c], 0);
        }
    }
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;
    free(s->workers);
}

BENCH_IMPL(rdp_cpu_simd) = {
    .name = "rdp/cpu-simd",
    .problem = &rdp_problem,
    .target = BENCH_OPENMP,
    .source = "[RDP] Algorithm 1, rows in vector lanes, columns over threads",
    .reference = "rdp/serial",
    .keys = NULL,
    .state_size = sizeof(struct state),
    .setup = setup,
    .upload = NULL,
    .run = run,
    .download = NULL,
    .teardown = teardown,
};

/*
 * rdp/cpu-simd - Algorithm 1 with the distances of 8, 16 or 32 rows at a time, segments in the
 * order of their lengths, columns over threads
 *
 * Source: [RDP] Algorithm 1; the ideas are ours.  Exact integers, hence the same bits as
 *         rdp/serial.
 * Work:   as rdp/serial, in vectors; of a long segment that may be cut at least GROUP_ROWS rows
 *         are looked at twice.
 *
 * Long segments are screened in 16-bit lanes, then only the groups of rows that may hold the
 * farthest one are looked at in 32-bit lanes, where all is exact.
 *
 *   Why no row is missed.  Let e be the distance of a row to the chord in 1/256 px, a fraction,
 *   and a what screen() has for it, a whole number.  screen() takes the chord to be y_f + 1 +
 *   slope (i - f), with a slope of 16 binary digits behind the point, and rounds two parts of
 *   it down.  The rounding takes away at least 0 and less than 2, so that with the 1 it is
 *   wrong by 1 at most.  The slope is wrong by less than 2^-16, over less than RDP_MAX_ROWS =
 *   2^14 rows: by less than 1/4.  So |e - a| < 1.25.  Let A be the greatest a.  Its row has
 *   e > A - 1.25, the farthest row has no less, hence a > A - 2.5, that is a >= A - 2.  And no
 *   row has e >= A + 1.25: where A + 2 <= eps none is cut.
 *   a fits in 15 bits where the values of a column are less than 2^15 - 1 apart.  In other
 *   columns, of things at 128 px and more, all groups are looked at.
 *
 * docs/RDP.md#what-is-left-to-try lists what is open.
 */
#include "impl_cpu/rdp/lanes.h"
#include "impl_cpu/rdp/segment.h"

#include <assert.h>
#include <omp.h>

/* Vectors of 16-bit lanes that are screened together, and their rows. */
#define GROUP      4
#define GROUP_ROWS (GROUP * 2 * LANES)
#define MAX_GROUPS (RDP_MAX_ROWS / GROUP_ROWS)

/* Stands for a column that screen() cannot take: more than any eps. */
#define ANY_DISTANCE (65536 + INT16_MAX)

/* A segment's class: the binary digits of (inner rows) / LANES.  1 << class vectors of 32-bit
 * lanes hold its rows, some perhaps twice; from class N_SHORT on it is screened. */
#define N_SHORT     4
#define CLASS_OF(n) (__builtin_clz(LANES - 1) - __builtin_clz((unsigned)(n) | (LANES - 1)))
#define N_CLASSES   (CLASS_OF(RDP_MAX_ROWS - 1) + 1)
static_assert(GROUP_ROWS == LANES << (N_SHORT - 1), "what is long fills a group");

/* Segments taken from a list at a time: the processor goes on with the next while one waits. */
#define TAKE 32

/* Makes a constant of what differs between classes. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

static const struct bench_key keys[] = {
    {"chunk", "8", "columns", "columns that a thread fetches at a time", BENCH_INT, 1, 32768,
     NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

/* A segment that waits, as struct rdp_node; 'column' is counted from the batch's first. */
struct node {
    uint16_t column, first, last, depth;
};

/* Waiting segments have inner rows, and no two of them share a row but their ends. */
struct list {
    int n;
    struct node node[RDP_MAX_ROWS / 2 + TAKE];
};

/* The columns that a thread does together, RDP_MAX_ROWS rows at most. */
struct batch {
    const struct state *state;
    const uint16_t *y; /* of the first column, as 'kept' */
    uint32_t *kept;
    int has_invalid;
    /* by column; the output has those of other threads in the same cache lines */
    int32_t segments[RDP_MAX_ROWS], rounds[RDP_MAX_ROWS];
    uint8_t is_wide[RDP_MAX_ROWS]; /* by column: its values are 2^15 - 1 or more apart */
    struct list lists[N_CLASSES];  /* by class */
    uint16_t copy[RDP_MAX_ROWS + LANES];
};

/* A row, counted from the first inner one, and its numerator N. */
struct farthest {
    int32_t cost;
    int row;
};

/* The numerators N of LANES rows from y on, of chord = (y_f (l - f) + (y_l - y_f) (i - f)). */
static ALWAYS_INLINE lanes costs(const uint16_t *y, lanes chord, lanes length, int has_invalid)
{
    const lanes value = lanes_load(y);
    const lanes cost = lanes_abs(chord - value * length);

    return has_invalid ? lanes_unless_equal(value, lanes_set(RDP_INVALID), cost) : cost;
}

/*
 * The farthest of the n rows from y on, the first among equals; 'start' is the first row's
 * chord, as in costs().  One vector: LANES rows are read, and those behind n ignored.  Else
 * half of the vectors begin with the first row and half end with the last one, so that each row
 * is in one of them or in two.
 *
 * No lane overflows: with 0 <= y <= 65535 and rows up to LANES behind the last one, chord stays
 * between -65535 * LANES and 65535 * (RDP_MAX_ROWS + LANES), the product between 0 and 65535 *
 * RDP_MAX_ROWS.
 */
static ALWAYS_INLINE struct farthest farthest_of(const uint16_t *y, int n, int n_vectors,
                                                 int32_t start, int32_t dy, int32_t rows,
                                                 int has_invalid)
{
    const int half = n_vectors / 2, behind = n - half * LANES;
    const lanes length = lanes_set(rows), step = lanes_set(dy * LANES);
    const lanes ramp = lanes_count() * lanes_set(dy);
    lanes cost[2 * GROUP], most, chord = ramp + lanes_set(start);
    struct farthest found;

    if (n_vectors == 1) {
        most = lanes_where_greater(lanes_set(n), lanes_count(),
                                   costs(y, chord, length, has_invalid), lanes_set(0));
        found.cost = lanes_greatest(most);
        found.row = __builtin_ctzll(lanes_equal(&most, 1, lanes_set(found.cost)));
        return found;
    }
    for (int v = 0; v < half; v++) {
        cost[v] = costs(y + v * LANES, chord, length, has_invalid);
        chord += step;
    }
    chord = ramp + lanes_set(start + behind * dy);
    for (int v = 0; v < half; v++) {
        cost[half + v] = costs(y + behind + v * LANES, chord, length, has_invalid);
        chord += step;
    }
    most = cost[0];
    for (int v = 1; v < n_vectors; v++)
        most = lanes_max(most, cost[v]);
    found.cost = lanes_greatest(most);
    {
        const uint64_t front = lanes_equal(cost, half, lanes_set(found.cost));
        const uint64_t back = lanes_equal(cost + half, half, lanes_set(found.cost));
        const uint64_t only_back = -(uint64_t)(front == 0); /* no branch: nothing predicts it */

        found.row = (behind & (int)only_back) + __builtin_ctzll(front | (back & only_back));
    }
    return found;
}

/* The begin of group g: the last one ends with the last row. */
static ALWAYS_INLINE int group_at(int g, int n)
{
    return g * GROUP_ROWS < n - GROUP_ROWS ? g * GROUP_ROWS : n - GROUP_ROWS;
}

/* The greatest distance of a long segment's inner rows, 1/256 px, by the head's bounds; 'most'
 * has that of each lane of each group. */
static ALWAYS_INLINE int screen(const uint16_t *inner, int n, int32_t y_first, int32_t dy,
                                int32_t length, shorts *most, int has_invalid)
{
#define EIGHT(i) i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7
#define ROWS(i)  EIGHT(i), EIGHT(i + 8), EIGHT(i + 16), EIGHT(i + 24)
    static const _Alignas(64) uint16_t count[] = {ROWS(0), ROWS(32), ROWS(64), ROWS(96)};
    const int32_t slope = dy * 65536 / length; /* |dy| < 2^15 */
    const uint32_t start = ((uint32_t)y_first << 16) + 65536 + (uint32_t)slope;
    shorts chord[GROUP], best = shorts_set(0);

    for (int k = 0; k < GROUP; k++) {
        const shorts i = shorts_load(count + k * 2 * LANES);

        chord[k] = i * shorts_set(slope >> 16) + shorts_multiply_high(i, shorts_set(slope));
    }
    for (int g = 0; g * GROUP_ROWS < n; g++) {
        const int at = group_at(g, n);
        const shorts base = shorts_set((int)((start + (uint32_t)slope * (uint32_t)at) >> 16));
        shorts farthest = shorts_set(0);

        for (int k = 0; k < GROUP; k++) {
            const shorts value = shorts_load(inner + at + k * 2 * LANES);
            shorts distance = shorts_abs(chord[k] + base - value);

            if (has_invalid)
                distance = shorts_unless_equal(value, shorts_set(RDP_INVALID), distance);
            farthest = shorts_max(farthest, distance);
        }
        most[g] = farthest;
        best = shorts_max(best, farthest);
    }
    return shorts_greatest(best);
}

/* The farthest inner row of a long segment, in one of the groups that may have it. */
static ALWAYS_INLINE struct farthest farthest_of_long(const uint16_t *inner, int n,
                                                      int32_t start, int32_t dy, int32_t length,
                                                      const shorts *most, int greatest,
                                                      int has_invalid)
{
    const shorts too_near = shorts_set(greatest - 3);
    struct farthest found = {0, 0};

    for (int g = 0; g * GROUP_ROWS < n; g++)
        if (shorts_any_greater(most[g], too_near)) {
            const int at = group_at(g, n);
            const struct farthest f = farthest_of(inner + at, GROUP_ROWS, 2 * GROUP,
                                                  start + dy * at, dy, length, has_invalid);

            if (f.cost > found.cost)
                found = (struct farthest){f.cost, at + f.row};
        }
    return found;
}

/* Without a branch: half of all segments are cut, and nothing predicts which. */
static ALWAYS_INLINE void push(struct list *lists, struct node s, int is_there)
{
    const unsigned n = s.last - s.first - 1u;
    struct list *const list = &lists[CLASS_OF(n)];

    list->node[list->n] = s;
    list->n += is_there & (n > 0);
}

/* Out of line, for it takes the registers of what is done for each segment. */
static __attribute__((noinline)) int exceeds_perpendicular(uint32_t n, int32_t length,
                                                           int32_t dy, uint32_t epsilon_q8)
{
    return rdp_exceeds_perpendicular(n, length, dy, epsilon_q8);
}

/* The segments of a class, and those of them that come of it. */
static ALWAYS_INLINE void empty_list(struct batch *b, int is_long, int class, int has_invalid)
{
    const struct rdp_input *const in = b->state->in;
    const uint32_t epsilon_q8 = in->epsilon_q8;
    const int is_perpendicular = in->distance == RDP_PERPENDICULAR;
    const size_t n_rows = (size_t)in->n_rows, n_words = (size_t)rdp_n_words(in->n_rows);
    const uint16_t *const all = b->y;
    uint32_t *const kept = b->kept;
    int32_t *const segments = b->segments, *const rounds = b->rounds;
    struct list *const lists = b->lists, *const list = &lists[class];
    const int n_groups = is_long ? 2 << (class - N_SHORT) : 0; /* at most */
    const int take = n_groups * TAKE > MAX_GROUPS ? MAX_GROUPS / n_groups : TAKE;
    shorts most[MAX_GROUPS];
    struct node taken[TAKE];
    struct farthest found[TAKE];
    int greatest[TAKE];

    while (list->n > 0) {
        const int n = list->n < take ? list->n : take;

        list->n -= n;
        memcpy(taken, list->node + list->n, sizeof taken);
        for (int i = 0; i < n; i++) {
            const struct node s = taken[i];
            const uint16_t *const y = all + s.column * n_rows, *const inner = y + s.first + 1;
            const int32_t y_first = y[s.first], dy = y[s.last] - y_first;
            const int32_t length = s.last - s.first;

            if (!is_long) {
                found[i] = farthest_of(inner, length - 1, 1 << class, y_first * length + dy, dy,
                                       length, has_invalid);
            } else if (b->is_wide[s.column]) {
                for (int g = 0; g < n_groups; g++)
                    most[i * n_groups + g] = shorts_set(ANY_DISTANCE);
                greatest[i] = ANY_DISTANCE;
            } else {
                greatest[i] = screen(inner, length - 1, y_first, dy, length,
                                     most + i * n_groups, has_invalid);
            }
        }
        for (int i = 0; is_long && i < n; i++) {
            const struct node s = taken[i];
            const uint16_t *const y = all + s.column * n_rows, *const inner = y + s.first + 1;
            const int32_t y_first = y[s.first], dy = y[s.last] - y_first;
            const int32_t length = s.last - s.first;

            if (greatest[i] + 2 <= (int)epsilon_q8)
                found[i] = (struct farthest){0, 0};
            else
                found[i] =
                    farthest_of_long(inner, length - 1, y_first * length + dy, dy, length,
                                     most + i * n_groups, greatest[i], has_invalid);
        }
        for (int i = 0; i < n; i++) {
            const struct node s = taken[i];
            const struct farthest f = found[i];
            const uint16_t *const y = all + s.column * n_rows;
            const int32_t length = s.last - s.first;
            const int cut = s.first + 1 + f.row;
            const uint16_t below = (uint16_t)(s.depth + 1);
            int is_cut = rdp_exceeds_vertical((uint32_t)f.cost, length, epsilon_q8), deepest;

            /* never longer than the vertical distance */
            if (is_perpendicular && is_cut)
                is_cut = exceeds_perpendicular((uint32_t)f.cost, length, y[s.last] - y[s.first],
                                               epsilon_q8);
            kept[s.column * n_words + (size_t)cut / 32] |= (uint32_t)is_cut << (cut % 32);
            segments[s.column] += is_cut;
            deepest = -is_cut & below;
            rounds[s.column] = rounds[s.column] < deepest ? deepest : rounds[s.column];
            push(lists, (struct node){s.column, s.first, (uint16_t)cut, below}, is_cut);
            push(lists, (struct node){s.column, (uint16_t)cut, s.last, below}, is_cut);
        }
    }
}

/* A function each, which has the registers to itself. */
#define EMPTY(name, is_long, class, has_invalid)                       \
    static __attribute__((noinline)) void name(struct batch *b, int k) \
    {                                                                  \
        (void)k;                                                       \
        empty_list(b, is_long, class, has_invalid);                    \
    }
EMPTY(empty_0, 0, 0, 0)
EMPTY(empty_1, 0, 1, 0)
EMPTY(empty_2, 0, 2, 0)
EMPTY(empty_3, 0, 3, 0)
EMPTY(empty_long, 1, k, 0)
EMPTY(empty_0_invalid, 0, 0, 1)
EMPTY(empty_1_invalid, 0, 1, 1)
EMPTY(empty_2_invalid, 0, 2, 1)
EMPTY(empty_3_invalid, 0, 3, 1)
EMPTY(empty_long_invalid, 1, k, 1)

static void (*const empty[2][N_SHORT + 1])(struct batch *, int class) = {
    {empty_0, empty_1, empty_2, empty_3, empty_long},
    {empty_0_invalid, empty_1_invalid, empty_2_invalid, empty_3_invalid, empty_long_invalid},
};

/* Finds out if a column has invalid rows, and if it is wide; in vectors, so without an exit. */
static void look_at(struct batch *b, int column)
{
    const int n_rows = b->state->in->n_rows;
    const uint16_t *const y = b->y + (size_t)column * (size_t)n_rows;
    uint16_t least = RDP_INVALID, greatest = 0, end = 0; /* 'end' is behind all valid ones */

    for (int v = 0; v < n_rows; v++) {
        const uint16_t next = (uint16_t)(y[v] + 1); /* invalid: 0 */

        least = y[v] < least ? y[v] : least;
        greatest = y[v] > greatest ? y[v] : greatest;
        end = next > end ? next : end;
    }
    b->has_invalid |= greatest == RDP_INVALID;
    b->is_wide[column] = end - least > INT16_MAX;
}

/* The columns first ... first + n - 1. */
static void segment(struct batch *b, size_t first, int n)
{
    const struct state *const s = b->state;
    const size_t n_values = (size_t)n * (size_t)s->in->n_rows;

    b->y = y_of(s, first);
    b->kept = kept_of(s, first);
    b->has_invalid = 0;
    /* too near the end of y to read behind it */
    if ((s->n_columns - first) * (size_t)s->in->n_rows < n_values + LANES) {
        memcpy(b->copy, b->y, n_values * sizeof *b->y);
        memset(b->copy + n_values, 0, LANES * sizeof *b->y); /* read, if only to be ignored */
        b->y = b->copy;
    }
    for (int c = 0; c < n; c++) {
        struct rdp_node root;

        b->segments[c] = begin_column(s, first + (size_t)c, &root);
        b->rounds[c] = 1;
        if (b->segments[c] == 0)
            continue;
        look_at(b, c);
        push(b->lists, (struct node){(uint16_t)c, (uint16_t)root.first, (uint16_t)root.last, 1},
             1);
    }
    for (int k = N_CLASSES - 1; k >= 0; k--)
        empty[b->has_invalid][k < N_SHORT ? k : N_SHORT](b, k);
    memcpy(s->out->segments + first, b->segments, (size_t)n * sizeof *b->segments);
    memcpy(s->out->rounds + first, b->rounds, (size_t)n * sizeof *b->rounds);
}

static enum bench_status setup_batches(void *opaque, const struct bench_ctx *ctx,
                                       const void *input, void *output)
{
    struct state *const s = opaque;

    TRY(setup_scratch(s, ctx, input, output, sizeof(struct batch)));
    for (int t = 0; t < s->n_threads; t++) {
        struct batch *const b = (struct batch *)s->scratch + t;

        b->state = s;
        for (int k = 0; k < N_CLASSES; k++)
            b->lists[k].n = 0;
    }
    return BENCH_OK;
}

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;
    const int fit = RDP_MAX_ROWS / s->in->n_rows, width = s->chunk < fit ? s->chunk : fit;

#pragma omp parallel num_threads(s->n_threads)
    {
        struct batch *const b = (struct batch *)s->scratch + omp_get_thread_num();

#pragma omp for schedule(dynamic, s->chunk / width)
        for (size_t c = 0; c < s->n_columns; c += (size_t)width) {
            const size_t left = s->n_columns - c;

            segment(b, c, left < (size_t)width ? (int)left : width);
        }
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
    .setup = setup_batches,
    .run = run,
    .teardown = teardown,
};

/*
 * sgm/openmp - sgm/serial with rows and columns spread over threads, and disparities over lanes
 *
 * Source: [SGM] sect. 2; sgm.h.  Two sweeps over the rows, down and up, each with all paths
 *         that come from the row before: columns are spread over the team or, where diagonal
 *         paths cross them, each row's pixels.  Then each row by itself: the paths along it,
 *         the best disparities of both images, the checks.
 *         Path costs are kept less their least: bytes that neither overflow nor need a case
 *         apart where a path begins, since 31 + p2 <= 255 and nothing lies before it.
 * Work:   as sgm/serial; the matching cost is made again in each of the three passes.
 */
#include "harness/base/memory.h"
#include "harness/measure/impl.h"
#include "harness/problems/sgm/sgm.h"

#include <omp.h>

#define MAX_FROM_ROW 3  /* paths of a sweep */
#define GUARD        32 /* bytes of 255 on both sides of a pixel's path costs */
#define STRIP        16 /* columns that a thread takes at a time */
#define INLINE       static inline __attribute__((always_inline))

struct state {
    const struct bench_ctx *ctx; /* borrowed */
    const struct sgm_input *in;  /* borrowed */
    struct sgm_output *out;      /* borrowed */
    uint32_t *left;              /* census, [n_rows][n_cols] */
    uint32_t *right;             /* that of the right image mirrored, and n_disparities zeros */
    uint16_t *sums;              /* [n_rows][n_cols][n_disparities] */
    uint16_t *best;              /* before the median, [n_rows][n_cols] */
    /* Path costs less their least: [n_threads] lines of 2 pixels and, behind them,
     * [MAX_FROM_ROW][2] lines of n_cols + 2, whose ends are outside the image */
    uint8_t *paths;
    uint32_t *keys; /* [n_threads][n_cols + n_disparities]: of the right image, mirrored */
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *const s = opaque;
    const struct sgm_input *const in = input;
    const int n_cols = in->n_cols, n_rows = in->n_rows, n = in->n_disparities;
    const int n_pixels = 2 * (ctx->n_threads + MAX_FROM_ROW * (n_cols + 2));

    s->ctx = ctx;
    s->in = in;
    s->out = output;
    TRY(memory_allocate(&s->left, sizeof *s->left, 1, 1, n_rows, n_cols));
    TRY(memory_allocate(&s->right, sizeof *s->right, 1, 1, n_rows, n_cols + n));
    TRY(memory_allocate(&s->sums, sizeof *s->sums, 1, n_rows, n_cols, n));
    TRY(memory_allocate(&s->best, sizeof *s->best, 1, 1, n_rows, n_cols));
    TRY(memory_allocate(&s->paths, 1, 1, 1, n_pixels, n + 2 * GUARD));
    TRY(memory_allocate(&s->keys, sizeof *s->keys, 1, 1, ctx->n_threads, n_cols + n));
    memset(s->paths, 255, (size_t)n_pixels * (size_t)(n + 2 * GUARD));
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *const s = opaque;

    free(s->left);
    free(s->right);
    free(s->sums);
    free(s->best);
    free(s->paths);
    free(s->keys);
}

/* A row's census as sgm_census() has it, pair after pair. */
static void census_row(const struct sgm_input *in, const uint8_t *image, int y,
                       uint32_t *restrict word)
{
    const int width = 2 * in->half_x + 1, n_pairs = width * (2 * in->half_y + 1) / 2;
    const uint8_t *const row = image + (size_t)y * (size_t)in->n_cols;

    memset(word, 0, (size_t)in->n_cols * sizeof *word);
    if (y < in->half_y || y >= in->n_rows - in->half_y)
        return;
    for (int i = 0; i < n_pairs; i++) {
        const ptrdiff_t to =
            (ptrdiff_t)(i / width - in->half_y) * in->n_cols + i % width - in->half_x;

        for (int x = in->half_x; x < in->n_cols - in->half_x; x++)
            word[x] = word[x] << 1 | (row[x + to] > row[x - to]);
    }
}

static void census(const struct state *s, int frame)
{
    const struct sgm_input *const in = s->in;
    const size_t first = (size_t)frame * sgm_frame_pixels(in), n_cols = (size_t)in->n_cols;

#pragma omp parallel for schedule(static) num_threads(s->ctx->n_threads)
    for (int y = 0; y < in->n_rows; y++) {
        uint32_t *const left = s->left + (size_t)y * n_cols,
                        *const right =
                            s->right + (size_t)y * (n_cols + (size_t)in->n_disparities);

        census_row(in, in->right + first, y, left);
        for (size_t x = 0; x < n_cols; x++)
            right[n_cols - 1 - x] = left[x];
        census_row(in, in->left + first, y, left);
    }
}

/* ---- a step, for a number of disparities that is a constant ---- */

INLINE uint8_t least_of(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

/* Counts bits.  Without an instruction for vectors of words: sums of ever more bits, in an
 * order that no compiler takes for the instruction of one word. */
INLINE uint8_t count_bits(uint32_t word)
{
#if defined(__AVX512VPOPCNTDQ__) || defined(__ARM_NEON)
    return (uint8_t)__builtin_popcount(word);
#else
    word -= word >> 1 & 0x55555555u;
    word = (word & 0x33333333u) + (word >> 2 & 0x33333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0Fu;
    word += word >> 16;
    return (uint8_t)((word + (word >> 8)) & 63);
#endif
}

INLINE void match_pixel(uint32_t left, const uint32_t *restrict right, int n,
                        uint8_t *restrict cost)
{
    for (int d = 0; d < n; d++)
        cost[d] = count_bits(left ^ right[d]);
}

/* From one pixel of a path to the next; adds its costs to 'sum'. */
INLINE void step(const struct sgm_input *in, const uint8_t *restrict cost,
                 const uint8_t *restrict before, uint8_t *restrict now, int n,
                 uint16_t *restrict sum)
{
    const uint8_t p1 = (uint8_t)in->p1, more = (uint8_t)(in->p2 - in->p1);
    uint8_t least = 255;
    uint8_t path[SGM_MAX_DISPARITIES];

    for (int d = 0; d < n; d++) {
        /* and p1: at most p2, the price of any other disparity */
        const uint8_t beside = least_of(least_of(before[d - 1], before[d + 1]), more);

        path[d] = (uint8_t)(cost[d] + least_of(before[d], (uint8_t)(beside + p1)));
        least = least_of(least, path[d]);
    }
    for (int d = 0; d < n; d++) {
        now[d] = (uint8_t)(path[d] - least);
        sum[d] = (uint16_t)(sum[d] + path[d]);
    }
}

static uint8_t *path_of(const struct state *s, int pixel)
{
    return s->paths + (size_t)pixel * (size_t)(s->in->n_disparities + 2 * GUARD) + GUARD;
}

/* Pixel x of a line of a sweep, -1..n_cols. */
static uint8_t *path_from_row(const struct state *s, int path, int row, int x)
{
    return path_of(s, 2 * s->ctx->n_threads + (2 * path + (row & 1)) * (s->in->n_cols + 2) + 1 +
                          x);
}

/* A pixel of row i of a sweep, from the top or, going up, from the bottom. */
INLINE void sweep_pixel(const struct state *s, int i, bool goes_up, int x, int n_paths, int n)
{
    static const int dx[MAX_FROM_ROW] = {0, 1, -1};
    const struct sgm_input *const in = s->in;
    const int y = goes_up ? in->n_rows - 1 - i : i;
    const size_t at = (size_t)y * (size_t)in->n_cols + (size_t)x;
    const uint32_t *const right = s->right + (size_t)y * (size_t)(in->n_cols + n);
    uint16_t *const sums = s->sums + at * (size_t)n;
    uint16_t sum[SGM_MAX_DISPARITIES] = {0};
    uint8_t cost[SGM_MAX_DISPARITIES];

    match_pixel(s->left[at], right + (in->n_cols - 1 - x), n, cost);
    for (int k = 0; k < n_paths; k++)
        step(in, cost, path_from_row(s, k, i + 1, x - dx[k]), path_from_row(s, k, i, x), n,
             sum);
    for (int d = 0; d < n; d++)
        sums[d] = goes_up ? (uint16_t)(sums[d] + sum[d]) : sum[d];
}

/* The path along a row that goes right or left. */
INLINE void go_along(const struct state *s, int y, bool goes_left, int n)
{
    const struct sgm_input *const in = s->in;
    const int n_cols = in->n_cols, thread = omp_get_thread_num();
    const size_t row = (size_t)y * (size_t)n_cols;
    const uint32_t *const right = s->right + (size_t)y * (size_t)(n_cols + n);

    memset(path_of(s, 2 * thread + 1), 0, (size_t)n);
    for (int i = 0; i < n_cols; i++) {
        const int x = goes_left ? n_cols - 1 - i : i;
        uint8_t cost[SGM_MAX_DISPARITIES];

        match_pixel(s->left[row + (size_t)x], right + (n_cols - 1 - x), n, cost);
        step(in, cost, path_of(s, 2 * thread + !(i & 1)), path_of(s, 2 * thread + (i & 1)), n,
             s->sums + (row + (size_t)x) * (size_t)n);
    }
}

/* ---- the best ---- */

/* Puts each of a pixel's sums before those of the right image's pixels, if it is less: the sum
 * and, lowest, the disparity. */
INLINE void offer(const uint16_t *restrict sum, int n, uint32_t *restrict keys)
{
    for (int d = 0; d < n; d++) {
        const uint32_t key = (uint32_t)sum[d] << 8 | (uint32_t)d;

        keys[d] = key < keys[d] ? key : keys[d];
    }
}

/* The least of the sums that are more than 1 from 'd'. */
INLINE int least_but(const uint16_t *sum, int n, int d)
{
    uint16_t least = 0xFFFF;

    for (int i = 0; i < n; i++) {
        const uint16_t is_near = (uint16_t)(i - d + 1) <= 2;
        const uint16_t other = (uint16_t)(sum[i] | -is_near);

        least = other < least ? other : least;
    }
    return least;
}

/* The disparity of the least sum, the smallest of equals. */
INLINE int best_of(const uint16_t *sum, int n)
{
    uint16_t least = 0xFFFF, best = 0xFFFF;

    for (int d = 0; d < n; d++)
        least = sum[d] < least ? sum[d] : least;
    for (int d = 0; d < n; d++) {
        const uint16_t is_more = sum[d] != least;
        const uint16_t at = (uint16_t)(d | -is_more); /* beyond all where it is */

        best = at < best ? at : best;
    }
    return best;
}

/* A row's disparities, whatever checks they fail, and those that pass. */
INLINE void choose(const struct state *s, int y, int n, uint16_t *best, uint16_t *found)
{
    const struct sgm_input *const in = s->in;
    const int n_cols = in->n_cols;
    const uint16_t *sum = s->sums + (size_t)y * (size_t)n_cols * (size_t)n;
    uint32_t *const keys =
        s->keys + (size_t)omp_get_thread_num() * (size_t)(n_cols + in->n_disparities);

    memset(keys, 255, (size_t)(n_cols + n) * sizeof *keys);
    for (int x = 0; x < n_cols; x++, sum += n) {
        const int d = best_of(sum, n);
        int value = d * SGM_SCALE;

        if (in->lr_check >= 0)
            offer(sum, n, keys + (n_cols - 1 - x));
        if (in->subpixel && d > 0 && d < n - 1)
            value += SGM_SCALE / 16 * sgm_sixteenths(sum[d - 1], sum[d], sum[d + 1]);
        best[x] = (uint16_t)value;
        found[x] = in->uniqueness < 100 && least_but(sum, n, d) * in->uniqueness < sum[d] * 100
                       ? SGM_INVALID
                       : (uint16_t)d;
    }
    for (int x = 0; x < n_cols; x++) {
        const int d = found[x];
        const bool has_partner = d <= x && d != SGM_INVALID;

        found[x] = d == SGM_INVALID ||
                           (in->lr_check >= 0 &&
                            (!has_partner ||
                             abs((int)(keys[n_cols - 1 - x + d] & 255) - d) > in->lr_check))
                       ? SGM_INVALID
                       : best[x];
    }
}

static void filter(const struct state *s, uint16_t *found)
{
    const int n_cols = s->in->n_cols, n_rows = s->in->n_rows;

#pragma omp parallel for schedule(static) num_threads(s->ctx->n_threads)
    for (int y = 1; y < n_rows - 1; y++)
        for (int x = 1; x < n_cols - 1; x++) {
            const uint16_t *const b = s->best + (size_t)y * (size_t)n_cols + (size_t)x;
            uint16_t *const at = found + (size_t)y * (size_t)n_cols + (size_t)x;
            uint16_t v[9] = {b[-n_cols - 1], b[-n_cols],    b[1 - n_cols], b[-1],        b[0],
                             b[1],           b[n_cols - 1], b[n_cols],     b[n_cols + 1]};
            const uint16_t median = sgm_median(v);

            *at = *at == SGM_INVALID ? SGM_INVALID : median;
        }
}

/* ---- a frame ---- */

/* A row by itself: its own paths, then what is best in it. */
INLINE void go_across(const struct state *s, int y, int n, uint16_t *found)
{
    const size_t first = (size_t)y * (size_t)s->in->n_cols;

    go_along(s, y, false, n);
    if (s->in->n_paths > 2)
        go_along(s, y, true, n);
    choose(s, y, n, s->best + first, found + first);
}

/* The functions that a number of disparities has, so that each of their loops knows it. */
#define FOR_DISPARITIES(n)                                                                \
    static void sweep_##n(const struct state *s, int i, bool goes_up, int x, int n_paths) \
    {                                                                                     \
        sweep_pixel(s, i, goes_up, x, n_paths, n);                                        \
    }                                                                                     \
    static void across_##n(const struct state *s, int y, uint16_t *found)                 \
    {                                                                                     \
        go_across(s, y, n, found);                                                        \
    }
FOR_DISPARITIES(64)
FOR_DISPARITIES(128)
FOR_DISPARITIES(256)

/* All paths from the row above, or from the row below. */
static void sweep(const struct state *s, bool goes_up)
{
    const int n_cols = s->in->n_cols, n_rows = s->in->n_rows, n = s->in->n_disparities;
    const int n_paths = s->in->n_paths == 8 ? 3 : 1;
    void (*const pixel)(const struct state *, int, bool, int, int) = n == 64    ? sweep_64
                                                                     : n == 128 ? sweep_128
                                                                                : sweep_256;

    for (int k = 0; k < n_paths; k++) { /* before the first row, and beside each */
        for (int x = -1; x <= n_cols; x++)
            memset(path_from_row(s, k, 1, x), 0, (size_t)n);
        memset(path_from_row(s, k, 0, -1), 0, (size_t)n);
        memset(path_from_row(s, k, 0, n_cols), 0, (size_t)n);
    }
#pragma omp parallel num_threads(s->ctx->n_threads)
    if (n_paths == 1) { /* a column needs no other */
#pragma omp for schedule(dynamic)
        for (int first = 0; first < n_cols; first += STRIP)
            for (int i = 0; i < n_rows; i++)
                for (int x = first; x < first + STRIP && x < n_cols; x++)
                    pixel(s, i, goes_up, x, 1);
    } else {
        for (int i = 0; i < n_rows; i++) {
#pragma omp for schedule(static)
            for (int x = 0; x < n_cols; x++)
                pixel(s, i, goes_up, x, n_paths);
        }
    }
}

static void across(const struct state *s, uint16_t *found)
{
    const int n = s->in->n_disparities;
    void (*const row)(const struct state *, int, uint16_t *) = n == 64    ? across_64
                                                               : n == 128 ? across_128
                                                                          : across_256;

#pragma omp parallel for schedule(dynamic) num_threads(s->ctx->n_threads)
    for (int y = 0; y < s->in->n_rows; y++)
        row(s, y, found);
}

static enum bench_status run(void *opaque)
{
    const struct state *const s = opaque;
    const struct sgm_input *const in = s->in;

    for (int k = 0; k < in->n_frames; k++) {
        uint16_t *const found = s->out->disparity + (size_t)k * sgm_frame_pixels(in);

        census(s, k);
        bench_stage(s->ctx->stages, "census");
        sweep(s, false);
        if (in->n_paths > 2)
            sweep(s, true);
        bench_stage(s->ctx->stages, "paths down and up");
        across(s, found);
        bench_stage(s->ctx->stages, "paths across");
        if (in->median)
            filter(s, found);
        bench_stage(s->ctx->stages, "median");
    }
    return BENCH_OK;
}

BENCH_IMPL(sgm_openmp) = {
    .name = "sgm/openmp",
    .problem = &sgm_problem,
    .target = BENCH_OPENMP,
    .source = "[SGM] sect. 2, two sweeps and rows over threads, disparities over lanes",
    .reference = "sgm/serial",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

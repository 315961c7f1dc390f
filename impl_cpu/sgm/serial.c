/*
 * sgm/serial - path after path, pixel after pixel, as the definition reads: the reference
 *
 * Source: [SGM] sect. 2; sgm.h.
 * Work:   a step at each disparity of each path, as count_work has it.
 */
#include "harness/base/memory.h"
#include "harness/measure/impl.h"
#include "harness/problems/sgm/sgm.h"

struct state {
    const struct bench_ctx *ctx; /* borrowed */
    const struct sgm_input *in;  /* borrowed */
    struct sgm_output *out;      /* borrowed */
    uint32_t *left, *right;      /* census, [n_rows][n_cols] */
    uint16_t *sums;              /* S, [n_rows][n_cols][n_disparities] */
    uint8_t *costs[2];           /* L of a row and of the one before: [n_cols][n_disparities] */
    uint16_t *best;              /* in 1/256 px before the median, [n_rows][n_cols] */
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *const s = opaque;
    const struct sgm_input *const in = input;
    const int n_cols = in->n_cols, n_rows = in->n_rows, n = in->n_disparities;

    s->ctx = ctx;
    s->in = in;
    s->out = output;
    TRY(memory_allocate(&s->left, sizeof *s->left, 1, 1, n_rows, n_cols));
    TRY(memory_allocate(&s->right, sizeof *s->right, 1, 1, n_rows, n_cols));
    TRY(memory_allocate(&s->sums, sizeof *s->sums, 1, n_rows, n_cols, n));
    TRY(memory_allocate(&s->best, sizeof *s->best, 1, 1, n_rows, n_cols));
    for (int i = 0; i < 2; i++)
        TRY(memory_allocate(&s->costs[i], sizeof *s->costs[i], 1, 1, n_cols, n));
    return BENCH_OK;
}

static void census(const struct sgm_input *in, const uint8_t *image, uint32_t *word)
{
    for (int y = 0; y < in->n_rows; y++)
        for (int x = 0; x < in->n_cols; x++)
            *word++ = sgm_census(image, in->n_cols, in->n_rows, x, y, in->half_x, in->half_y);
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

/* Makes L of a pixel from that of the one before it, NULL outside the image, and adds it. */
static void step(const struct sgm_input *in, uint32_t left, const uint32_t *right, int x,
                 const uint8_t *before, uint8_t *now, uint16_t *sum)
{
    const int n = in->n_disparities;
    int least = before ? before[0] : 0;

    for (int d = 1; before && d < n; d++)
        least = min(least, before[d]);
    for (int d = 0; d < n; d++) {
        int cost = __builtin_popcount(left ^ (x >= d ? right[x - d] : 0));

        if (before) {
            int path = min(before[d], least + in->p2);

            if (d > 0)
                path = min(path, before[d - 1] + in->p1);
            if (d < n - 1)
                path = min(path, before[d + 1] + in->p1);
            cost += path - least;
        }
        now[d] = (uint8_t)cost;
        sum[d] = (uint16_t)(sum[d] + cost);
    }
}

/* All paths of one direction. */
static void go(const struct state *s, int dx, int dy)
{
    const struct sgm_input *const in = s->in;
    const int n_cols = in->n_cols, n_rows = in->n_rows, n = in->n_disparities;

    for (int i = 0; i < n_rows; i++) {
        const int y = dy < 0 ? n_rows - 1 - i : i;
        uint8_t *const now = s->costs[i % 2], *const row = dy ? s->costs[(i + 1) % 2] : now;

        for (int j = 0; j < n_cols; j++) {
            const int x = dx < 0 ? n_cols - 1 - j : j, from = x - dx;
            const bool begins = (dy && i == 0) || from < 0 || from >= n_cols;
            const size_t at = (size_t)y * (size_t)n_cols;

            step(in, s->left[at + (size_t)x], s->right + at, x,
                 begins ? NULL : row + (size_t)from * (size_t)n, now + (size_t)x * (size_t)n,
                 s->sums + (at + (size_t)x) * (size_t)n);
        }
    }
}

/* The best disparity of a pixel of the right image. */
static int best_of_right(const struct sgm_input *in, const uint16_t *row, int x)
{
    const size_t n = (size_t)in->n_disparities;
    size_t best = 0;

    for (size_t d = 1; d < n && (size_t)x + d < (size_t)in->n_cols; d++)
        if (row[((size_t)x + d) * n + d] < row[((size_t)x + best) * n + best])
            best = d;
    return (int)best;
}

/* True if the best disparity of a pixel, whose sums are these, passes all checks. */
static bool is_valid(const struct sgm_input *in, const uint16_t *row, const uint16_t *sum,
                     int x, int best)
{
    if (in->lr_check >= 0 &&
        (x < best || abs(best_of_right(in, row, x - best) - best) > in->lr_check))
        return false;
    for (int d = 0; d < in->n_disparities; d++)
        if (abs(d - best) > 1 && sum[d] * in->uniqueness < sum[best] * 100)
            return false;
    return true;
}

/* A row's disparities, whatever checks they fail, and those that pass. */
static void choose(const struct state *s, int y, uint16_t *best, uint16_t *found)
{
    const struct sgm_input *const in = s->in;
    const int n = in->n_disparities;
    const uint16_t *const row = s->sums + (size_t)y * (size_t)in->n_cols * (size_t)n;

    for (int x = 0; x < in->n_cols; x++) {
        const uint16_t *const sum = row + (size_t)x * (size_t)n;
        int d = 0, value;

        for (int i = 1; i < n; i++)
            if (sum[i] < sum[d])
                d = i;
        value = d * SGM_SCALE;
        if (in->subpixel && d > 0 && d < n - 1)
            value += SGM_SCALE / 16 * sgm_sixteenths(sum[d - 1], sum[d], sum[d + 1]);
        best[x] = (uint16_t)value;
        found[x] = is_valid(in, row, sum, x, d) ? best[x] : SGM_INVALID;
    }
}

/* The median of a frame's disparities, where one was found. */
static void filter(const struct sgm_input *in, const uint16_t *best, uint16_t *found)
{
    for (int y = 1; y < in->n_rows - 1; y++)
        for (int x = 1; x < in->n_cols - 1; x++) {
            const size_t at = (size_t)y * (size_t)in->n_cols + (size_t)x;
            uint16_t v[9];

            for (int i = 0; i < 9; i++)
                v[i] = best[(size_t)(y + i / 3 - 1) * (size_t)in->n_cols +
                            (size_t)(x + i % 3 - 1)];
            if (found[at] != SGM_INVALID)
                found[at] = sgm_median(v);
        }
}

static enum bench_status run(void *opaque)
{
    static const int8_t steps[SGM_MAX_PATHS][2] = SGM_PATH_STEPS;
    const struct state *const s = opaque;
    const struct sgm_input *const in = s->in;
    const size_t n = sgm_frame_pixels(in);

    for (int k = 0; k < in->n_frames; k++) {
        uint16_t *const found = s->out->disparity + (size_t)k * n;

        census(in, in->left + (size_t)k * n, s->left);
        census(in, in->right + (size_t)k * n, s->right);
        memset(s->sums, 0, n * (size_t)in->n_disparities * sizeof *s->sums);
        for (int path = 0; path < in->n_paths; path++)
            go(s, steps[path][0], steps[path][1]);
        for (int y = 0; y < in->n_rows; y++)
            choose(s, y, s->best + (size_t)y * (size_t)in->n_cols,
                   found + (size_t)y * (size_t)in->n_cols);
        if (in->median)
            filter(in, s->best, found);
    }
    bench_stage(s->ctx->stages, "matching");
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *const s = opaque;

    free(s->left);
    free(s->right);
    free(s->sums);
    free(s->costs[0]);
    free(s->costs[1]);
    free(s->best);
}

BENCH_IMPL(sgm_serial) = {
    .name = "sgm/serial",
    .problem = &sgm_problem,
    .target = BENCH_SERIAL,
    .source = "[SGM] sect. 2, as it reads",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

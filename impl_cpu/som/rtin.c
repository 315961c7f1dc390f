/*
 * som/rtin - a mesh by bisection: triangles are halved where the surface is furthest off
 *
 * Source: W. Evans, D. Kirkpatrick, G. Townsend, "Right-Triangulated Irregular Networks",
 *         Algorithmica 30, 2001; rtin.h has the rule.
 * Rule:   it makes the error of the surface small, not %cost, so it is right where it is such a
 *         mesh (som.h), and compared by its values.
 * Here:   all errors first, then those of the larger triangles from the smaller ones; a count
 *         of each error tells the threshold.
 * Work:   each pixel is looked at once or twice for each size of triangles.
 */
#include "harness/base/memory.h"
#include "harness/measure/impl.h"
#include "harness/problems/som/rtin.h"

struct state {
    const struct som_input *in; /* borrowed */
    struct som_output *out;     /* borrowed */
    bool is_free;
    struct rtin rtin;
    uint16_t *error; /* [rows][cols]: of each vertex; owned, as what follows */
    uint8_t *filled; /* [height][width]; NULL: the background is kept */
    int *count;      /* [RTIN_CODES]: vertices with an error */
};

static const struct bench_key keys[] = {
    SOM_BACKGROUND_KEY,
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static enum bench_status set_up(void *opaque, const struct bench_ctx *ctx, const void *input,
                                void *output)
{
    struct state *const s = opaque;
    const struct som_input *const in = input;

    s->in = in;
    s->out = output;
    s->is_free = bench_is(ctx->params, "background", "free");
    TRY(rtin_of(in, &s->rtin));
    TRY(memory_allocate(&s->error, sizeof *s->error, 1, 1, s->rtin.rows, s->rtin.cols));
    TRY(memory_allocate(&s->count, sizeof *s->count, 1, 1, 1, RTIN_CODES));
    if (s->is_free)
        TRY(memory_allocate(&s->filled, sizeof *s->filled, 1, 1, in->height, in->width));
    return BENCH_OK;
}

static void tear_down(void *opaque)
{
    struct state *const s = opaque;

    free(s->error);
    free(s->filled);
    free(s->count);
}

/* ---- errors ---- */

/* The error of a vertex alone. */
static uint16_t error_of(const struct state *s, const uint8_t *grey, const uint8_t *level,
                         int x, int y)
{
    const struct rtin *const r = &s->rtin;
    const struct rtin_pair p = rtin_pair_of(r, level, x, y);
    const int is_free = s->is_free;
    uint64_t sum = 0;

    for (int dy = y < p.step ? -y : 1 - p.step; dy < p.step && y + dy < r->height; dy++) {
        const uint8_t *const row = grey + (size_t)(y + dy) * (size_t)r->width;
        int from, to;

        rtin_row(r, &p, dy, &from, &to);
        for (int dx = from; dx <= to; dx++)
            if (!is_free || row[x + dx] > 0)
                sum += rtin_square(&p, dx, dy, row[x + dx]);
    }
    return rtin_error(sum);
}

/* Those of the smallest triangles first. */
static void find_errors(struct state *s, const uint8_t *grey, const uint8_t *level)
{
    const int cols = s->rtin.cols, rows = s->rtin.rows, side = s->rtin.side;

    for (int h = 1; h < side; h *= 2)
        for (int is_middle = 0; is_middle < 2; is_middle++)
            for (int y = is_middle ? h : 0; y < rows; y += is_middle ? 2 * h : h)
                for (int x = is_middle || y / h % 2 == 0 ? h : 0; x < cols; x += 2 * h) {
                    uint16_t *const error = &s->error[(size_t)y * (size_t)cols + (size_t)x];

                    *error = error_of(s, grey, level, x, y);
                    *error = rtin_raised(&s->rtin, s->error, x, y);
                }
    for (int y = 0; y < rows; y += side)
        for (int x = 0; x < cols; x += side)
            s->error[(size_t)y * (size_t)cols + (size_t)x] = RTIN_CORNER;
}

/* ---- run ---- */

/* Returns the least threshold with which n vertices are enough. */
static int find_threshold(const struct state *s, int n)
{
    int threshold = RTIN_CODES - 1;

    memset(s->count, 0, RTIN_CODES * sizeof *s->count);
    for (int i = 0; i < s->rtin.cols * s->rtin.rows; i++)
        if (s->error[i] < RTIN_CODES)
            s->count[s->error[i]]++;
    for (n -= s->rtin.n_corners; threshold > 0 && s->count[threshold] <= n; threshold--)
        n -= s->count[threshold];
    return threshold;
}

static void run_frame(struct state *s, int frame)
{
    const uint8_t *const grey = som_grey(s->in, frame);
    const int n = som_n_neurons(s->in), cols = s->rtin.cols;
    float *const position = som_position(s->out, frame);
    int n_vertices = 0, threshold;

    if (s->is_free)
        rtin_fill(s->in->width, s->in->height, grey, s->filled);
    find_errors(s, grey, s->is_free ? s->filled : grey);
    threshold = find_threshold(s, n);
    memset(position, 0, 2 * (size_t)n * sizeof *position);
    for (int i = 0; i < cols * s->rtin.rows; i++)
        if (s->error[i] > threshold) {
            const int row = i / cols;

            position[2 * n_vertices] = (float)(i % cols) + 0.5f;
            position[2 * n_vertices + 1] = (float)row + 0.5f;
            n_vertices++;
        }
    s->out->counts[frame] = (struct som_counts){(uint64_t)n_vertices, SOM_NO_NETWORK,
                                                s->is_free ? SOM_RTIN_FREE : SOM_RTIN_KEPT};
}

static enum bench_status run(void *opaque)
{
    struct state *const s = opaque;

    for (int frame = 0; frame < s->in->n_frames; frame++)
        run_frame(s, frame);
    return BENCH_OK;
}

BENCH_IMPL(som_rtin) = {
    .name = "som/rtin",
    .problem = &som_problem,
    .target = BENCH_SERIAL,
    .source = "Evans and others 2001: a mesh by bisection",
    .reference = "som/rounds",
    .other = "bisection",
    .keys = keys,
    .state_size = sizeof(struct state),
    .setup = set_up,
    .run = run,
    .teardown = tear_down,
};

/*
 * som/greedy - a mesh of another kind: the pixel that is furthest off becomes the next vertex
 *
 * Source: M. Garland, P. Heckbert, "Fast Polygonal Approximation of Terrains and Height
 *         Fields", CMU-CS-95-181, 1995, Algorithm III: each triangle has a candidate, its worst
 *         pixel; a heap has the triangles; a vertex changes those around it alone, whose
 *         candidates are sought again.
 * Rule:   it makes the error of the surface small, not %cost, so it is right where it is a
 *         Delaunay mesh (som.h), and compared by its values.
 * Here:   errors are fractions of whole numbers, so the vertices and their order are the same
 *         on any machine; of equal ones the first pixel counts, row by row.
 * Work:   each pixel is looked at once for each triangle that it comes to lie in.
 */
#include "harness/measure/impl.h"
#include "harness/problems/som/delaunay.h"
#include "harness/problems/som/som.h"

#include <stdlib.h>

/* The pixel of a triangle at which its surface is furthest off. */
struct candidate {
    int64_t off, area; /* by off / area grey levels; off 0: by none */
    int32_t pixel;
};

struct state {
    const struct som_input *in;  /* borrowed */
    struct som_output *out;      /* borrowed */
    double error;                /* grey levels that are near enough */
    int least;                   /* level of a pixel that may be a candidate */
    struct delaunay mesh;        /* owned, as all that follow */
    struct candidate *candidate; /* of each triangle */
    int32_t *heap;               /* triangles, the one that is furthest off first */
    int32_t *place;              /* of each triangle in the heap */
};

static const struct bench_key keys[] = {
    {"error", "0", "grey", "no more vertices where the surface is nowhere further off",
     BENCH_REAL, 0, 255, NULL},
    SOM_BACKGROUND_KEY,
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static enum bench_status set_up(void *opaque, const struct bench_ctx *ctx, const void *input,
                                void *output)
{
    struct state *const s = opaque;
    size_t n;

    s->in = input;
    s->out = output;
    s->error = bench_real(ctx->params, "error");
    s->least = bench_is(ctx->params, "background", "free");
    n = (size_t)som_n_neurons(s->in);
    TRY(som_has_corners(s->in));
    TRY(delaunay_allocate(&s->mesh, (int)n));
    s->candidate = malloc(2 * n * sizeof *s->candidate);
    s->heap = malloc(2 * n * sizeof *s->heap);
    s->place = malloc(2 * n * sizeof *s->place);
    NEED(s->candidate && s->heap && s->place, "the triangles of %zu vertices", n);
    return BENCH_OK;
}

static void tear_down(void *opaque)
{
    struct state *const s = opaque;

    delaunay_free(&s->mesh);
    free(s->candidate);
    free(s->heap);
    free(s->place);
}

/* ---- candidates ---- */

static struct candidate look_for(const struct state *s, const uint8_t *grey, int triangle)
{
    const int width = s->in->width, least = s->least;
    const struct delaunay_piece piece = delaunay_piece(&s->mesh, triangle, grey, width);
    struct candidate worst = {0, piece.area, INT32_MAX};

    for (int y = piece.first_row; y <= piece.last_row; y++) {
        const uint8_t *const row = grey + (size_t)y * (size_t)width;
        int64_t at;
        int from, to;

        delaunay_row(&piece, y, &from, &to);
        at = piece.at + y * piece.down + from * piece.right;
        for (int x = from; x <= to; x++, at += piece.right) {
            const int64_t above = row[x] * piece.area - at, off = above < 0 ? -above : above;

            if (off > worst.off && row[x] >= least) {
                worst.off = off;
                worst.pixel = y * width + x;
            }
        }
    }
    return worst;
}

/* True if a is further off than b, or a pixel before it.  Errors are < 2^8, areas < 2^27. */
static int is_before(const struct candidate *a, const struct candidate *b)
{
    const int64_t left = a->off * b->area, right = b->off * a->area;

    return left > right || (left == right && a->pixel < b->pixel);
}

static void put(const struct state *s, int place, int triangle)
{
    s->heap[place] = triangle;
    s->place[triangle] = place;
}

/* Let a triangle with a new candidate rise or sink in a heap of n. */
static void settle(const struct state *s, int n, int triangle)
{
    const struct candidate *const own = &s->candidate[triangle];
    int place = s->place[triangle];

    for (int above; place > 0; place = above) {
        above = (place - 1) / 2;
        if (!is_before(own, &s->candidate[s->heap[above]]))
            break;
        put(s, place, s->heap[above]);
    }
    for (int below; (below = 2 * place + 1) < n; place = below) {
        below += below + 1 < n &&
                 is_before(&s->candidate[s->heap[below + 1]], &s->candidate[s->heap[below]]);
        if (!is_before(&s->candidate[s->heap[below]], own))
            break;
        put(s, place, s->heap[below]);
    }
    put(s, place, triangle);
}

/* ---- run ---- */

/* Update candidates around the newest vertex; from n_before on they are new to the heap. */
static void settle_around(const struct state *s, const uint8_t *grey, int first, int n_before)
{
    int t = first;

    for (int i = n_before; i < s->mesh.n_triangles; i++) {
        s->candidate[i] = (struct candidate){-1, 1, INT32_MAX}; /* below all, so where it is */
        put(s, i, i);
    }
    do {
        s->candidate[t] = look_for(s, grey, t);
        settle(s, s->mesh.n_triangles, t);
        t = delaunay_next(&s->mesh, t);
    } while (t >= 0 && t != first);
}

static void run_frame(struct state *s, int frame)
{
    const uint8_t *const grey = som_grey(s->in, frame);
    const int n = som_n_neurons(s->in), width = s->in->width;
    const struct candidate *worst;
    struct delaunay *const mesh = &s->mesh;
    float *const position = som_position(s->out, frame);

    delaunay_begin(mesh, width, s->in->height);
    settle_around(s, grey, 0, 0);
    while (worst = &s->candidate[s->heap[0]],
           mesh->n_vertices < n && worst->off > 0 &&
               (double)worst->off > s->error * (double)worst->area) {
        const int n_before = mesh->n_triangles;

        settle_around(
            s, grey,
            delaunay_insert(mesh, s->heap[0], worst->pixel % width, worst->pixel / width),
            n_before);
    }
    for (int i = 0; i < 2 * n; i++) {
        const int vertex = i / 2;

        position[i] = i < 2 * mesh->n_vertices ? (float)mesh->vertex[vertex][i % 2] + 0.5f : 0;
    }
    s->out->counts[frame] = (struct som_counts){(uint64_t)mesh->n_vertices, SOM_NO_NETWORK, 0};
}

static enum bench_status run(void *opaque)
{
    struct state *const s = opaque;

    for (int frame = 0; frame < s->in->n_frames; frame++)
        run_frame(s, frame);
    return BENCH_OK;
}

BENCH_IMPL(som_greedy) = {
    .name = "som/greedy",
    .problem = &som_problem,
    .target = BENCH_SERIAL,
    .source = "Garland and Heckbert 1995, Algorithm III: a mesh by greedy insertion",
    .reference = "som/rounds",
    .other = "greedy insertion",
    .keys = keys,
    .state_size = sizeof(struct state),
    .setup = set_up,
    .run = run,
    .teardown = tear_down,
};

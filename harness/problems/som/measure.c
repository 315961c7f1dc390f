/*
 * measure.c - the values of som that are no time, over all frames of the inputs given
 *
 * Source: [SOM] eq. 1, 2 (%cost) and eq. 6 (activation); the other values follow from the
 *         definition of the mesh.
 *
 *     cost_pct              %cost of som.h, mean over frames; absent if it is not defined for
 *                           one of them: without a honeycomb, or without density in any
 *     cost_pct[i]           of frame i alone, counted through all inputs; absent when there is
 *                           one frame, or for which it is not defined
 *     cost_first_pct        the same mean for the regular network that the mesh begins as
 *     folded_pct            % of a network's triangles that are turned over; mean over frames,
 *                           0 for a network without triangles
 *     flat_pct              % of them that have no area, the same way (rows without this value
 *                           have them in folded_pct)
 *     coverage_pct          density in honeycombs over the density of the map; mean over
 *                           frames, 0 for an empty map.  The incomplete hexagons of the border
 *                           are missing; where the mesh is folded a pixel counts as often as it
 *                           is covered, so that more than 100 is possible
 *     honeycombs            complete ones, of the first frame
 *     pixels_per_neuron     all pixels over all neurons
 *     updates, misses       data points with and without a winner, per frame
 *     left_out              neurons that found no room in a cell's list, per frame
 *     active_pct            data points in % of rounds x cells
 *     near_detail           neurons a pixel where the map is nearer than the median of its
 *                           pixels that have a level, over those elsewhere on such pixels, of
 *                           all frames; absent where one of both parts is empty
 *     surface_known_pct     pixels of the map at which the surface is known, in % of all that
 *                           are no background
 *     surface_mean_grey     the surface's error where it is known: mean of |surface - map|,
 *     surface_rms_grey      over the pixels of all frames, root of the mean square, and the
 *     surface_max_grey      greatest; grey levels.  Absent where no pixel is known
 *     surface_mean_px ...   the same three in px of disparity
 *     vertices, triangles   of the mesh, per frame
 *     equal_rms_vertices    of a Delaunay mesh: the fewest of its first vertices whose surface
 *                           has a root of the mean square error of at most that of the
 *                           reference's; mean over frames, absent where one has none
 *
 * A mesh that is no network has no honeycombs, of which %cost is the spread, and makes no
 * updates: it has the values of surfaces alone, and the last three.
 *
 * The surface is the mesh with a grey level at each neuron, linear within a triangle: what is
 * left of the map when it is stored as a mesh.  A neuron's level is that of the pixel that it
 * lies in (on the right or lower border of the map: of the last one); over background, and
 * outside of the map, it has none.  A triangle with three levels is a piece of surface, whether
 * it is turned over or not; one without area is none, nor is one that lacks a level.  At a
 * pixel, by its centre, the surface is the nearest of its pieces, that is the greatest level:
 * where the mesh is folded, what lies behind is hidden.  Pixels of the background, and those in
 * no piece, are compared with nothing.
 *
 * A pixel belongs to a triangle when its centre lies inside; on an edge, when the centre would
 * lie inside if it were moved to the right by very little, and down by much less (the top-left
 * rule).  So what two triangles of one orientation share is counted once, in whatever order
 * their corners are named.
 *
 * The triangles of a mesh that is no network cover the whole map, to the centres of its outer
 * pixels.  Background has level 0 there, so that the surface is known at every pixel.
 */
#include "harness/problems/som/measure.h"

#include "harness/base/memory.h"
#include "harness/base/sums.h"
#include "harness/problems/frames.h"
#include "harness/problems/som/rtin.h"

#include <math.h>
#include <stdbool.h>

#define UNITS        256 /* of a snapped position, per px; a pixel's centre is at UNITS / 2 */
#define N_NEIGHBOURS 6
#define NO_LEVEL     (-1)

/* px; beyond, a position is an error of the variant, and edges might overflow */
#define FARTHEST 1e6

/* K W_k may have 80 bits: every honeycomb of a folded mesh may cover the whole map */
__extension__ typedef __int128 wide;

/* A network over a map, and what is made of it. */
struct mesh {
    const struct som_input *in; /* borrowed */
    const uint8_t *grey;        /* borrowed */
    int32_t (*at)[2];           /* [n_neurons], in 1/256 px; owned, as what follows */
    uint64_t *weight;           /* [n_neurons]: W_k of its n_honeycombs first */
    double *surface;            /* [height][width], NO_LEVEL: none; NULL: not wanted */
};

static void free_mesh(struct mesh *mesh)
{
    free(mesh->at);
    free(mesh->weight);
    free(mesh->surface);
}

/* Round to 1/256 px. */
static int32_t snapped(double px)
{
    return (int32_t)floor(UNITS * px + 0.5);
}

static enum bench_status snap(const struct mesh *mesh, int frame, const float *position)
{
    const struct som_input *const in = mesh->in;

    for (int i = 0; i < som_n_neurons(in); i++) {
        const int col = i % in->grid_cols, row = i / in->grid_cols;
        const double x = (double)(position ? position[2 * (size_t)i]
                                           : som_first_x(col, row, in->grid_cols, in->width));
        const double y = (double)(position ? position[2 * (size_t)i + 1]
                                           : som_first_y(row, in->grid_rows, in->height));

        /* so that NaN is refused as well */
        if (!(fabs(x) <= FARTHEST && fabs(y) <= FARTHEST))
            return BENCH_FAIL(
                BENCH_EMISMATCH,
                "neuron (%d, %d) of frame %d is at (%g, %g), expected numbers within %g px",
                col, row, frame, x, y, FARTHEST);
        mesh->at[i][0] = snapped(x);
        mesh->at[i][1] = snapped(y);
    }
    return BENCH_OK;
}

/* ---- one triangle ---- */

/* Twice the area in 1/256 px squared, below 2^60: > 0 if a, b, c go clockwise as drawn. */
static int64_t area(const int32_t *a, const int32_t *b, const int32_t *c)
{
    const int64_t bx = b[0] - a[0], by = b[1] - a[1], cx = c[0] - a[0], cy = c[1] - a[1];

    return bx * cy - by * cx;
}

/* Tells the side of a line through two corners that a pixel's centre is on: >= 0 is inside. */
struct edge {
    /* at the current row's first pixel */
    int64_t value;
    /* what a pixel to the right and a row down add */
    int64_t right, further;
    /* what is missing from twice the area of corners and centre, 0 or 1 */
    int64_t bias;
};

static struct edge edge_at(const int32_t *a, const int32_t *b, int x, int y)
{
    const int64_t dx = b[0] - a[0], dy = b[1] - a[1];
    const int64_t px = (int64_t)UNITS * x + UNITS / 2, py = (int64_t)UNITS * y + UNITS / 2;
    const bool top_or_left = dy < 0 || (dy == 0 && dx > 0);

    return (struct edge){.value = dx * (py - a[1]) - dy * (px - a[0]) - !top_or_left,
                         .right = -UNITS * dy,
                         .further = UNITS * dx,
                         .bias = !top_or_left};
}

/* The pixels, of n in a row (or column), whose centres three corners enclose. */
static void pixels_between(int32_t a, int32_t b, int32_t c, int n, int *first, int *last)
{
    const int32_t low = a < b ? a : b, high = a > b ? a : b;
    const int32_t least = low < c ? low : c, greatest = high > c ? high : c;

    *first = least > 0 ? (least + UNITS / 2 - 1) / UNITS : 0;
    *last = greatest < UNITS / 2 ? -1 : (greatest - UNITS / 2) / UNITS;
    *last = *last < n ? *last : n - 1;
}

/* The grey level under a neuron; 0 over background and outside of the map. */
static uint8_t level_at(const struct som_input *in, const uint8_t *map, const int32_t *neuron)
{
    const int width = in->width, height = in->height;
    int x = neuron[0] / UNITS, y = neuron[1] / UNITS;

    if (neuron[0] < 0 || neuron[0] > UNITS * width || neuron[1] < 0 ||
        neuron[1] > UNITS * height)
        return 0;
    x -= x == width;
    y -= y == height;
    return map[(size_t)y * (size_t)width + (size_t)x];
}

uint8_t som_level_at(const struct som_input *in, int frame, const float *position)
{
    const int32_t at[2] = {snapped((double)position[0]), snapped((double)position[1])};

    return level_at(in, som_grey(in, frame), at);
}

/* The density of the pixels in a triangle, of whichever orientation; or, with 'raises', raise
 * the surface to it, by the levels of its corners. */
static inline uint64_t fill(const struct mesh *mesh, const int corner[3], bool raises)
{
    const int32_t *const a = mesh->at[corner[0]];
    const int32_t *b = mesh->at[corner[1]], *c = mesh->at[corner[2]];
    int64_t twice_area = area(a, b, c);
    struct edge e[3];
    double level[3];
    uint64_t sum = 0;
    int x0, x1, y0, y1;

    if (twice_area == 0)
        return 0;
    if (twice_area < 0) { /* corners go clockwise */
        const int32_t *const other = b;

        b = c;
        c = other;
        twice_area = -twice_area;
    }
    for (int k = 0; raises && k < 3; k++) {
        level[k] = level_at(mesh->in, mesh->grey, k == 0 ? a : k == 1 ? b : c);
        if (!(level[k] > 0))
            return 0;
    }
    pixels_between(a[0], b[0], c[0], mesh->in->width, &x0, &x1);
    pixels_between(a[1], b[1], c[1], mesh->in->height, &y0, &y1);
    e[0] = edge_at(b, c, x0, y0); /* opposite to corner a */
    e[1] = edge_at(c, a, x0, y0);
    e[2] = edge_at(a, b, x0, y0);
    for (int y = y0; y <= y1; y++) {
        const size_t row = (size_t)y * (size_t)mesh->in->width;
        int64_t e0 = e[0].value, e1 = e[1].value, e2 = e[2].value;

        /* GCC 14.2 for AVX-512 loses a lane's sum at a pixel outside; 13 and 15.3 keep it */
#if __GNUC__ == 14
#pragma GCC novector
#endif
        for (int x = x0; x <= x1; x++) {
            if (e0 >= 0 && e1 >= 0 && e2 >= 0) {
                if (raises) { /* a corner has the share of the area that is opposite to it */
                    const double at = ((double)(e0 + e[0].bias) * level[0] +
                                       (double)(e1 + e[1].bias) * level[1] +
                                       (double)(e2 + e[2].bias) * level[2]) /
                                      (double)twice_area;

                    if (at > mesh->surface[row + (size_t)x])
                        mesh->surface[row + (size_t)x] = at;
                } else {
                    sum += som_density(mesh->grey[row + (size_t)x]);
                }
            }
            e0 += e[0].right;
            e1 += e[1].right;
            e2 += e[2].right;
        }
        for (int k = 0; k < 3; k++)
            e[k].value += e[k].further;
    }
    return sum;
}

/* ---- the mesh ---- */

/* All triangles of the network: count those that are folded, and raise the surface to each. */
static void go_over_triangles(const struct mesh *mesh, struct som_quality *quality)
{
    int corner[3];

    for (int i = 0; i < som_n_neurons(mesh->in); i++)
        for (int k = 1; k < N_NEIGHBOURS; k += 3) {
            if (!som_triangle(mesh->in, i, k, corner))
                continue;
            const int64_t turned =
                area(mesh->at[corner[0]], mesh->at[corner[1]], mesh->at[corner[2]]);

            quality->n_triangles++;
            quality->n_folded += turned > 0;
            quality->n_flat += turned == 0;
            if (mesh->surface)
                fill(mesh, corner, true);
        }
}

/* W_k of the honeycomb around a neuron; false: it is not complete. */
static bool weigh(const struct mesh *mesh, int neuron, uint64_t *weight)
{
    int corner[3];

    for (int k = 0; k < N_NEIGHBOURS; k++)
        if (som_linked(mesh->in, neuron, k) < 0)
            return false;
    *weight = 0;
    for (int k = 0; k < N_NEIGHBOURS; k++) {
        som_triangle(mesh->in, neuron, k, corner);
        *weight += fill(mesh, corner, false);
    }
    return true;
}

static wide sum_of(const uint64_t *weight, int n)
{
    wide sum = 0;

    for (int k = 0; k < n; k++)
        sum += weight[k];
    return sum;
}

/* [eq. 1, 2] with everything multiplied by K, so that the mean is a whole number. */
static double cost_pct(const uint64_t *weight, int n)
{
    const wide sum = sum_of(weight, n);
    wide off = 0;

    if (sum == 0)
        return NAN;
    for (int k = 0; k < n; k++) {
        const wide difference = (wide)n * weight[k] - sum;

        off += difference < 0 ? -difference : difference;
    }
    return (double)(100 * off) / (double)(n * sum);
}

/* The errors of a mesh's surface over its map, or of several. */
struct errors {
    /* of the map without background; of these, where the surface is known */
    uint64_t pixels, known;
    /* of |surface - map| over the known ones, and of its square */
    double sum, squares, error_max;
};

static struct errors errors_of(const struct mesh *mesh)
{
    struct errors errors = {0};

    for (size_t i = 0; i < som_n_pixels(mesh->in); i++) {
        const double error = fabs(mesh->surface[i] - mesh->grey[i]);

        errors.pixels += mesh->grey[i] > 0;
        if (mesh->grey[i] == 0 || mesh->surface[i] < 0)
            continue;
        errors.known++;
        errors.sum += error;
        errors.squares += error * error;
        errors.error_max = fmax(errors.error_max, error);
    }
    return errors;
}

static struct som_quality rate(const struct mesh *mesh, int frame)
{
    const int cols = mesh->in->grid_cols;
    const uint64_t total = som_sum_density(mesh->in, frame, NULL);
    struct som_quality quality = {0};
    int n = 0;

    for (int y = 0; y < mesh->in->grid_rows; y++)
        for (int x = !(y & 1); x < cols; x += 3)
            n += weigh(mesh, y * cols + x, &mesh->weight[n]);
    quality.n_honeycombs = n;
    quality.cost_pct = cost_pct(mesh->weight, n);
    if (total > 0)
        quality.coverage_pct = (double)(100 * sum_of(mesh->weight, n)) / (double)total;
    go_over_triangles(mesh, &quality);
    return quality;
}

static enum bench_status fill_mesh(struct mesh *mesh, int frame, const float *position,
                                   bool has_surface)
{
    const int n = som_n_neurons(mesh->in), w = mesh->in->width, h = mesh->in->height;

    TRY(memory_allocate(&mesh->at, sizeof *mesh->at, n, 1, 1, 1));
    TRY(memory_allocate(&mesh->weight, sizeof *mesh->weight, n, 1, 1, 1));
    if (has_surface)
        TRY(memory_allocate(&mesh->surface, sizeof *mesh->surface, h, w, 1, 1));
    for (size_t i = 0; has_surface && i < som_n_pixels(mesh->in); i++)
        mesh->surface[i] = NO_LEVEL;
    return snap(mesh, frame, position);
}

/* Does as som_quality_of; and the errors of the surface, unless NULL. */
static enum bench_status look_at(const struct som_input *in, int frame, const float *position,
                                 struct som_quality *quality, struct errors *errors)
{
    OWNED(free_mesh) struct mesh mesh = {.in = in, .grey = som_grey(in, frame)};

    TRY(fill_mesh(&mesh, frame, position, errors != NULL));
    *quality = rate(&mesh, frame);
    if (errors)
        *errors = errors_of(&mesh);
    return BENCH_OK;
}

enum bench_status som_quality_of(const struct som_input *in, int frame, const float *position,
                                 struct som_quality *quality)
{
    return look_at(in, frame, position, quality, NULL);
}

/* ---- a mesh that is no network ---- */

/* The surface over a map while vertices are added. */
struct growth {
    const struct delaunay *mesh;
    const uint8_t *grey;  /* [height][width] */
    const uint8_t *level; /* of vertices, with so many columns */
    int width, height, cols;
    double *surface; /* [height][width] */
    size_t n_pixels; /* that are no background */
    double squares;  /* sum of the squared errors over these */
    double aim;      /* mean square error that is waited for */
    int n_aim;       /* vertices with which it was there first; 0: not yet */
};

static void raise_piece(struct growth *g, int triangle)
{
    const struct delaunay_piece piece = delaunay_piece(g->mesh, triangle, g->level, g->cols);

    for (int y = piece.first_row; y <= piece.last_row && y < g->height; y++) {
        int from, to;

        delaunay_row(&piece, y, &from, &to);
        for (int x = from; x <= to && x < g->width; x++) {
            const size_t i = (size_t)y * (size_t)g->width + (size_t)x;
            const int64_t at = piece.at + y * piece.down + x * piece.right;
            const double level = (double)at / (double)piece.area;
            const double before = g->surface[i] - g->grey[i], now = level - g->grey[i];

            if (g->grey[i] > 0)
                g->squares += now * now - before * before;
            g->surface[i] = level;
        }
    }
}

/* Those around the newest vertex. */
static void raise_pieces(struct growth *g, int first)
{
    int t = first;

    do {
        raise_piece(g, t);
        t = delaunay_next(g->mesh, t);
    } while (t >= 0 && t != first);
    if (g->n_aim == 0 && g->squares <= g->aim * (double)g->n_pixels)
        g->n_aim = g->mesh->n_vertices;
}

/* The pixel of a vertex. */
static enum bench_status find_pixel(const struct som_input *in, const struct som_output *out,
                                    int frame, int i, int32_t at[2])
{
    const float *const position = som_position(out, frame) + 2 * (size_t)i;
    const float side[2] = {(float)in->width, (float)in->height};

    for (int k = 0; k < 2; k++) {
        at[k] = position[k] > 0 && position[k] < side[k] ? (int32_t)position[k] : -1;
        if (at[k] < 0 || !(position[k] == (float)at[k] + 0.5f)) /* NaN is refused as well */
            return BENCH_FAIL(
                BENCH_EMISMATCH,
                "vertex %d of frame %d is at (%g, %g), expected the centre of a pixel", i,
                frame, (double)position[0], (double)position[1]);
    }
    return BENCH_OK;
}

/* Add one; 'triangle': any, then the first of those around it. */
static enum bench_status add_vertex(struct delaunay *d, int frame, const int32_t at[2],
                                    int *triangle)
{
    const int32_t *corner;

    *triangle = delaunay_find(d, *triangle, at[0], at[1]);
    corner = d->triangle[*triangle].corner;
    for (int k = 0; k < 3; k++)
        FAIL_IF(memcmp(d->vertex[corner[k]], at, sizeof *d->vertex) == 0, BENCH_EMISMATCH,
                "vertices %d and %d of frame %d are one", (int)corner[k], (int)d->n_vertices,
                frame);
    *triangle = delaunay_insert(d, *triangle, at[0], at[1]);
    return BENCH_OK;
}

/* The vertices of a Delaunay mesh one after the other. */
static enum bench_status add_vertices(const struct som_input *in, const struct som_output *out,
                                      int frame, struct delaunay *d, struct growth *g)
{
    const int n = (int)out->counts[frame].updates;
    int triangle = 0;

    delaunay_begin(d, in->width, in->height);
    for (int i = 0; i < n; i++) {
        int32_t at[2];

        TRY(find_pixel(in, out, frame, i, at));
        if (i >= DELAUNAY_CORNERS)
            TRY(add_vertex(d, frame, at, &triangle));
        else if (memcmp(d->vertex[i], at, sizeof at) != 0)
            return BENCH_FAIL(BENCH_EMISMATCH, "vertex %d of frame %d is no corner of the map",
                              i, frame);
        if (g && i >= DELAUNAY_CORNERS - 1)
            raise_pieces(g, triangle);
    }
    return BENCH_OK;
}

/* All vertices of one by bisection. */
static enum bench_status halve(const struct som_input *in, const struct som_output *out,
                               int frame, struct delaunay *d, struct growth *g)
{
    OWNED(memory_free) uint8_t *level = NULL;
    struct rtin rtin;

    TRY(rtin_of(in, &rtin));
    TRY(rtin_triangles(out, frame, &rtin, d));
    if (!g)
        return BENCH_OK;
    TRY(rtin_levels(in, out, frame, &rtin, &level));
    g->level = level;
    g->cols = rtin.cols;
    for (int i = 0; i < d->n_triangles; i++)
        raise_piece(g, i);
    return BENCH_OK;
}

/* Does as som_delaunay_of; and the surface, unless NULL, as it grows. */
static enum bench_status grow(const struct som_input *in, const struct som_output *out,
                              int frame, struct delaunay *d, struct growth *g)
{
    const struct som_counts *const counts = &out->counts[frame];
    const uint64_t n = counts->updates;

    memset(d, 0, sizeof *d);
    FAIL_IF(som_is_network(out, frame) || counts->left_out > SOM_RTIN_FREE ||
                n < DELAUNAY_CORNERS || n > (uint64_t)out->n_neurons || in->width < 2 ||
                in->height < 2,
            BENCH_EMISMATCH, "frame %d has no mesh of 4 to %d vertices", frame, out->n_neurons);
    TRY(delaunay_allocate(d, (int)n));
    TRY((counts->left_out == SOM_DELAUNAY ? add_vertices : halve)(in, out, frame, d, g));
    for (size_t i = 2 * n; i < 2 * (size_t)out->n_neurons; i++)
        FAIL_IF(!(som_position(out, frame)[i] == 0), BENCH_EMISMATCH,
                "vertex %zu of frame %d is not used, not 0, 0", i / 2, frame);
    return BENCH_OK;
}

enum bench_status som_delaunay_of(const struct som_input *in, const struct som_output *out,
                                  int frame, struct delaunay *d)
{
    return grow(in, out, frame, d, NULL);
}

/* ---- all frames ---- */

/* Sums of one input while they are taken, of all when values are made: whole numbers, and
 * others.  networks: frames whose mesh is one; honeycombs: of the first frame of all;
 * with_equal: frames that have such vertices; chances: rounds x cells. */
/* clang-format off */
#define WHOLES(X)                                                                       \
    X(frames) X(networks) X(honeycombs) X(vertices) X(triangles) X(equal) X(with_equal) \
    X(pixels) X(neurons) X(chances) X(updates) X(misses) X(left_out)                    \
    X(near_pixels) X(near_neurons) X(far_pixels) X(far_neurons)
#define REALS(X) X(cost_first) X(folded) X(flat) X(coverage)

struct sums {
    WHOLES(SUMS_WHOLE) REALS(SUMS_REAL)
    struct errors grey, px; /* in grey levels, and in px */
};

static const struct bench_member members[] = {
#define ERRORS(member)                                                  \
    SUMS_IS_WHOLE(member.pixels) SUMS_IS_WHOLE(member.known)             \
    SUMS_IS_REAL(member.sum) SUMS_IS_REAL(member.squares) SUMS_IS_REAL(member.error_max)
    WHOLES(SUMS_IS_WHOLE) REALS(SUMS_IS_REAL) ERRORS(grey) ERRORS(px) {NULL, 0, 0, false}};
/* clang-format on */

static const char *const cost_of_frame = "cost"; /* %cost of each, beside these */

/* 'level': what a grey level is in the unit of the sum. */
static void add_errors(struct errors *sum, const struct errors *more, double level)
{
    sum->pixels += more->pixels;
    sum->known += more->known;
    sum->sum += level * more->sum;
    sum->squares += level * level * more->squares;
    sum->error_max = fmax(sum->error_max, level * more->error_max);
}

/* The mean square error of the reference's surface, in grey levels; NaN: it has none. */
static enum bench_status square_of(const struct som_input *in, const struct som_output *r,
                                   int frame, double *square)
{
    struct som_quality quality;
    struct errors errors;

    *square = NAN;
    if (!som_is_network(r, frame))
        return BENCH_OK;
    TRY(look_at(in, frame, som_position(r, frame), &quality, &errors));
    if (errors.known > 0)
        *square = errors.squares / (double)errors.known;
    return BENCH_OK;
}

static enum bench_status add_delaunay(struct sums *sums, const struct som_input *in,
                                      const struct som_output *r, const struct som_output *out,
                                      int frame)
{
    OWNED(free_mesh) struct mesh mesh = {.in = in, .grey = som_grey(in, frame)};
    OWNED(delaunay_free) struct delaunay d = {0};
    struct growth g = {.mesh = &d,
                       .grey = mesh.grey,
                       .level = mesh.grey,
                       .width = in->width,
                       .height = in->height,
                       .cols = in->width};
    struct errors errors;

    TRY(square_of(in, r, frame, &g.aim));
    TRY(memory_allocate(&mesh.surface, sizeof *mesh.surface, 1, 1, in->height, in->width));
    for (size_t i = 0; i < som_n_pixels(in); i++) {
        g.n_pixels += mesh.grey[i] > 0;
        g.squares += mesh.grey[i] * mesh.grey[i]; /* it begins at level 0 */
    }
    g.surface = mesh.surface;
    TRY(grow(in, out, frame, &d, &g));
    errors = errors_of(&mesh);
    add_errors(&sums->grey, &errors, 1);
    add_errors(&sums->px, &errors, 1 / in->grey_per_px[frame]);
    sums->frames++;
    sums->vertices += (uint64_t)d.n_vertices;
    sums->triangles += (uint64_t)d.n_triangles;
    sums->equal += (uint64_t)g.n_aim; /* 0 if its vertices have no order */
    sums->with_equal += g.n_aim > 0;
    return BENCH_OK;
}

/* Pixels, and neurons over them, above the median level of those that have one, and others. */
static void add_halves(struct sums *sums, const struct som_input *in,
                       const struct som_output *out, int frame)
{
    const uint8_t *const grey = som_grey(in, frame);
    const float *const position = som_position(out, frame);
    uint64_t pixels[256] = {0}, neurons[256] = {0}, up_to = 0, known;
    int median = 0;

    for (size_t i = 0; i < som_n_pixels(in); i++)
        pixels[grey[i]]++;
    for (int k = 0; k < som_n_neurons(in); k++)
        neurons[som_level_at(in, frame, position + 2 * (size_t)k)]++;
    known = som_n_pixels(in) - pixels[0];
    while (2 * up_to < known)
        up_to += pixels[++median];
    for (int level = 1; level < 256; level++) {
        *(level > median ? &sums->near_pixels : &sums->far_pixels) += pixels[level];
        *(level > median ? &sums->near_neurons : &sums->far_neurons) += neurons[level];
    }
}

/* 'number': of the frame among those of all inputs; 'all': where what it has alone goes. */
static enum bench_status add_network(struct sums *sums, const struct som_input *in,
                                     const struct som_output *out, int frame, int number,
                                     struct bench_sums *all)
{
    const struct som_counts *const counts = &out->counts[frame];
    struct som_quality regular, quality;
    struct errors errors;

    TRY(som_quality_of(in, frame, NULL, &regular));
    TRY(look_at(in, frame, som_position(out, frame), &quality, &errors));
    add_errors(&sums->grey, &errors, 1);
    add_errors(&sums->px, &errors, 1 / in->grey_per_px[frame]);
    bench_sums_add(all, cost_of_frame, number, bench_wide_fixed(quality.cost_pct));
    if (number == 0)
        sums->honeycombs = (uint64_t)quality.n_honeycombs;
    sums->cost_first += regular.cost_pct;
    sums->coverage += quality.coverage_pct;
    if (quality.n_triangles > 0) {
        sums->folded += 100 * (double)quality.n_folded / (double)quality.n_triangles;
        sums->flat += 100 * (double)quality.n_flat / (double)quality.n_triangles;
    }
    sums->frames++;
    sums->networks++;
    sums->vertices += (uint64_t)som_n_neurons(in);
    sums->triangles += quality.n_triangles;
    sums->pixels += som_n_pixels(in);
    sums->neurons += (uint64_t)som_n_neurons(in);
    sums->chances += (uint64_t)in->n_rounds * (uint64_t)som_n_cells(in);
    sums->updates += counts->updates;
    sums->misses += counts->misses;
    sums->left_out += counts->left_out;
    add_halves(sums, in, out, frame);
    return BENCH_OK;
}

enum bench_status som_sum(const void *input, const void *reference, const void *output,
                          int first_frame, struct bench_sums *sums)
{
    struct sums own = {0};

    for (int f = 0; f < frames_of(input); f++)
        TRY(som_is_network(output, f)
                ? add_network(&own, input, output, f, first_frame + f, sums)
                : add_delaunay(&own, input, reference, output, f));
    bench_sums_pack(sums, members, &own);
    return bench_sums_ok(sums);
}

/* ---- values ---- */

static void write_surface(const struct sums *s, struct bench_sink *sink)
{
    const double n = (double)s->grey.known;

    if (s->grey.pixels > 0)
        bench_value(sink, "surface_known_pct", -1, 100 * n / (double)s->grey.pixels, "%");
    if (s->grey.known == 0)
        return;
    bench_value(sink, "surface_mean_grey", -1, s->grey.sum / n, "grey");
    bench_value(sink, "surface_rms_grey", -1, sqrt(s->grey.squares / n), "grey");
    bench_value(sink, "surface_max_grey", -1, s->grey.error_max, "grey");
    bench_value(sink, "surface_mean_px", -1, s->px.sum / n, "px");
    bench_value(sink, "surface_rms_px", -1, sqrt(s->px.squares / n), "px");
    bench_value(sink, "surface_max_px", -1, s->px.error_max, "px");
}

/* Nothing where it is not defined. */
static void write_cost(struct bench_sink *sink, const char *name, int index, double cost)
{
    if (isfinite(cost))
        bench_value(sink, name, index, cost, "%");
}

static void write_network(const struct sums *s, const struct bench_sums *sums,
                          struct bench_sink *sink)
{
    const double n = (double)s->frames;
    bench_wide cost = 0;

    for (int f = 0; f < (int)s->frames; f++)
        cost += bench_sums_get(sums, cost_of_frame, f);
    write_cost(sink, "cost_pct", -1, bench_wide_real(cost) / n);
    for (int f = 0; f < (int)s->frames && s->frames > 1; f++)
        write_cost(sink, "cost_pct", f,
                   bench_wide_real(bench_sums_get(sums, cost_of_frame, f)));
    write_cost(sink, "cost_first_pct", -1, s->cost_first / n);
    bench_value(sink, "folded_pct", -1, s->folded / n, "%");
    bench_value(sink, "flat_pct", -1, s->flat / n, "%");
    bench_value(sink, "coverage_pct", -1, s->coverage / n, "%");
    bench_value(sink, "honeycombs", -1, (double)s->honeycombs, "");
    bench_value(sink, "pixels_per_neuron", -1, (double)s->pixels / (double)s->neurons, "px");
    bench_value(sink, "updates", -1, (double)s->updates / n, "");
    bench_value(sink, "misses", -1, (double)s->misses / n, "");
    bench_value(sink, "left_out", -1, (double)s->left_out / n, "");
    bench_value(sink, "active_pct", -1,
                100 * (double)(s->updates + s->misses) / (double)s->chances, "%");
    if (s->near_pixels > 0 && s->far_neurons > 0)
        bench_value(sink, "near_detail", -1,
                    (double)s->near_neurons / (double)s->near_pixels /
                        ((double)s->far_neurons / (double)s->far_pixels),
                    "");
}

enum bench_status som_values(const struct bench_sums *sums, struct bench_sink *sink)
{
    struct sums all = {0};
    double n;

    bench_sums_unpack(sums, members, &all);
    n = (double)all.frames;
    if (all.networks == all.frames)
        write_network(&all, sums, sink);
    write_surface(&all, sink);
    bench_value(sink, "vertices", -1, (double)all.vertices / n, "");
    bench_value(sink, "triangles", -1, (double)all.triangles / n, "");
    if (all.networks == 0 && all.with_equal == all.frames)
        bench_value(sink, "equal_rms_vertices", -1, (double)all.equal / n, "");
    return BENCH_OK;
}

/*
 * measure.c - the values of som that are no time, over all frames of the inputs given
 *
 * Source: [SOM] eq. 1, 2 (%cost) and eq. 6 (activation); the other values follow from the definition of the mesh.
 *
 *     cost_pct              %cost of som.h, mean over frames; 0 for a frame without a honeycomb or without density in any
 *     cost_pct[i]           of frame i alone, counted through all inputs; absent when there is one frame
 *     cost_first_pct        the same mean for the regular network that the mesh begins as
 *     folded_pct            % of a network's triangles that are turned over or have no area; mean over frames, 0 for a
 *                           network without triangles
 *     coverage_pct          density in honeycombs over the density of the map; mean over frames, 0 for an empty map.
 *                           What lies in the incomplete hexagons of the border is missing; where the mesh is folded a
 *                           pixel counts as often as it is covered, so that more than 100 is possible
 *     honeycombs            complete ones, of the first frame
 *     pixels_per_neuron     all pixels over all neurons
 *     updates, misses       data points with and without a winner, per frame
 *     left_out              neurons that found no room in a cell's list, per frame
 *     active_pct            data points in % of rounds x cells
 *     surface_mean_grey     the surface's error where it is known: mean of |surface - map|, over the pixels of all frames,
 *     surface_rms_grey      root of the mean square, and the greatest; grey levels.  Absent where no pixel is known
 *     surface_max_grey
 *     surface_mean_px ...   the same three in px of disparity; absent where a frame's grey levels have no scale
 *     surface_known_pct     pixels of the map at which the surface is known, in % of all that are no background
 *
 * The surface is the mesh with a grey level at each neuron, linear within a triangle: what is left of the map when it is
 * stored as a mesh.  A neuron's level is that of the pixel that it lies in (on the right or lower border of the map: of the last
 * one); over background, and outside of the map, it has none.  A triangle with three levels is a piece of surface, whether it is
 * turned over or not; one without area is none, nor is one that lacks a level.  At a pixel, by its centre, the surface is the
 * nearest of its pieces, that is the greatest level: where the mesh is folded, what lies behind is hidden.  Pixels of the
 * background, and those in no piece, are compared with nothing.
 *
 * A pixel belongs to a triangle when its centre lies inside; on an edge, when the centre would lie inside if it were
 * moved to the right by very little, and down by much less (the top-left rule).  So what two triangles of one
 * orientation share is counted once, in whatever order their corners are named.
 */
#include "harness/problems/som/measure.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define UNITS 256 /* of a snapped position, per px; a pixel's centre is at UNITS / 2 */
#define FARTHEST \
    1e6 /* px; beyond, a position is an error of the variant, and edges might overflow */
#define N_NEIGHBOURS 6

/* K W_k may have 80 bits: every honeycomb of a folded mesh may cover the whole map */
__extension__ typedef __int128 wide;

/* The positions of a network in 1/256 px, and the map below. */
struct mesh {
    int cols, rows, width, height;
    const uint8_t *grey; /* borrowed */
    int32_t *at;         /* [rows][cols][2], owned */
};

static const int32_t *at(const struct mesh *mesh, int x, int y)
{
    return mesh->at + 2 * ((size_t)y * (size_t)mesh->cols + (size_t)x);
}

static enum bench_status snap(const struct mesh *mesh, int frame, const float *position)
{
    const size_t n_cols = (size_t)mesh->cols, n = n_cols * (size_t)mesh->rows;

    for (size_t i = 0; i < n; i++) {
        const double x = (double)position[2 * i], y = (double)position[2 * i + 1];

        /* so that NaN is refused as well */
        if (!(fabs(x) <= FARTHEST && fabs(y) <= FARTHEST))
            return BENCH_FAIL(BENCH_EMISMATCH,
                              "neuron (%zu, %zu) of frame %d is at (%g, %g), expected numbers "
                              "within %g px",
                              i % n_cols, i / n_cols, frame, x, y, FARTHEST);
        mesh->at[2 * i] = (int32_t)floor(UNITS * x + 0.5);
        mesh->at[2 * i + 1] = (int32_t)floor(UNITS * y + 0.5);
    }
    return BENCH_OK;
}

/* ---- one triangle ---- */

/* Twice the area in 1/256 px squared: > 0 when a, b, c go clockwise as drawn (y down), < 2^60. */
static int64_t area(const int32_t *a, const int32_t *b, const int32_t *c)
{
    const int64_t bx = b[0] - a[0], by = b[1] - a[1], cx = c[0] - a[0], cy = c[1] - a[1];

    return bx * cy - by * cx;
}

/* Which side of the line through two corners a pixel's centre lies on: >= 0 for what counts as inside. */
struct edge {
    int64_t value;          /* at the current row's first pixel */
    int64_t right, further; /* what a pixel to the right and a row down add */
    int64_t bias; /* what is missing from twice the area of corners and centre, 0 or 1 */
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

/* The first pixel of a row (or column) whose centre is not before 'coordinate'. */
static int first_pixel(int32_t coordinate)
{
    return coordinate > 0 ? (coordinate + UNITS / 2 - 1) / UNITS : 0;
}

/* The last of n whose centre is not behind it; -1: none. */
static int last_pixel(int32_t coordinate, int n)
{
    const int last = coordinate < UNITS / 2 ? -1 : (coordinate - UNITS / 2) / UNITS;

    return last < n ? last : n - 1;
}

static int32_t least(int32_t a, int32_t b, int32_t c)
{
    const int32_t ab = a < b ? a : b;

    return ab < c ? ab : c;
}

static int32_t greatest(int32_t a, int32_t b, int32_t c)
{
    const int32_t ab = a > b ? a : b;

    return ab > c ? ab : c;
}

/* A triangle whose corners go clockwise as drawn: not empty, so that twice_area > 0. */
struct triangle {
    const int32_t *corner[3];
    int64_t twice_area;
};

/* What is done with a pixel of a triangle.  weight[k] / twice_area is what corner k has of it; they add up to 1. */
typedef void visit_fn(void *user, const struct triangle *triangle, size_t pixel,
                      const int64_t weight[3]);

/* Visit the pixels in the triangle a, b, c, of whichever orientation; none for one without area. */
static inline void visit_inside(const struct mesh *mesh, const int32_t *a, const int32_t *b,
                                const int32_t *c, visit_fn *visit, void *user)
{
    const int64_t twice_area = area(a, b, c);
    const struct triangle t = {{a, twice_area > 0 ? b : c, twice_area > 0 ? c : b},
                               twice_area > 0 ? twice_area : -twice_area};
    const int x0 = first_pixel(least(a[0], b[0], c[0]));
    const int y0 = first_pixel(least(a[1], b[1], c[1]));
    const int x1 = last_pixel(greatest(a[0], b[0], c[0]), mesh->width);
    const int y1 = last_pixel(greatest(a[1], b[1], c[1]), mesh->height);
    /* e[k] is opposite to corner k */
    struct edge e[3] = {edge_at(t.corner[1], t.corner[2], x0, y0),
                        edge_at(t.corner[2], t.corner[0], x0, y0),
                        edge_at(t.corner[0], t.corner[1], x0, y0)};

    if (twice_area == 0)
        return;
    for (int y = y0; y <= y1; y++) {
        const size_t row = (size_t)y * (size_t)mesh->width;
        int64_t e0 = e[0].value, e1 = e[1].value, e2 = e[2].value;

        for (int x = x0; x <= x1; x++) {
            if (e0 >= 0 && e1 >= 0 && e2 >= 0)
                visit(user, &t, row + (size_t)x,
                      (const int64_t[3]){e0 + e[0].bias, e1 + e[1].bias, e2 + e[2].bias});
            e0 += e[0].right;
            e1 += e[1].right;
            e2 += e[2].right;
        }
        for (int k = 0; k < 3; k++)
            e[k].value += e[k].further;
    }
}

struct density_sum {
    const uint8_t *grey; /* borrowed */
    uint64_t sum;
};

static void add_density(void *user, const struct triangle *triangle, size_t pixel,
                        const int64_t weight[3])
{
    struct density_sum *const d = user;

    (void)triangle;
    (void)weight;
    d->sum += som_density(d->grey[pixel]);
}

static uint64_t density_inside(const struct mesh *mesh, const int32_t *a, const int32_t *b,
                               const int32_t *c)
{
    struct density_sum d = {mesh->grey, 0};

    visit_inside(mesh, a, b, c, add_density, &d);
    return d.sum;
}

/* ---- the mesh ---- */

/* The other two corners of a neuron's k-th triangle: its neighbours k and k + 1; false: not in the network. */
static bool neighbours(const struct mesh *mesh, int x, int y, int k, const int32_t **one,
                       const int32_t **next)
{
    int x1, y1, x2, y2;

    som_neighbour(x, y, k, &x1, &y1);
    som_neighbour(x, y, (k + 1) % N_NEIGHBOURS, &x2, &y2);
    if (x1 < 0 || x1 >= mesh->cols || y1 < 0 || y1 >= mesh->rows || x2 < 0 ||
        x2 >= mesh->cols || y2 < 0 || y2 >= mesh->rows)
        return false;
    *one = at(mesh, x1, y1);
    *next = at(mesh, x2, y2);
    return true;
}

/* The i-th triangle, 0 or 1, of a neuron: each of the network has two corners in one row and a third in the row above or
 * below, whose it is.  Corners go counter-clockwise in a mesh that is not folded; false: there is none. */
static bool triangle_of(const struct mesh *mesh, int x, int y, int i, const int32_t *corner[3])
{
    static const int above_and_below[2] = {1, 4};

    corner[0] = at(mesh, x, y);
    return neighbours(mesh, x, y, above_and_below[i], &corner[1], &corner[2]);
}

static void count_folds(const struct mesh *mesh, struct som_quality *quality)
{
    const int32_t *corner[3];

    for (int y = 0; y < mesh->rows; y++)
        for (int x = 0; x < mesh->cols; x++)
            for (int i = 0; i < 2; i++)
                if (triangle_of(mesh, x, y, i, corner)) {
                    quality->n_triangles++;
                    quality->n_folded += area(corner[0], corner[1], corner[2]) >= 0;
                }
}

/* W_k of the honeycomb around a neuron; false: it is not complete. */
static bool weigh(const struct mesh *mesh, int x, int y, uint64_t *weight)
{
    const int32_t *one, *next;

    for (int k = 0; k < N_NEIGHBOURS; k++)
        if (!neighbours(mesh, x, y, k, &one, &next))
            return false;
    *weight = 0;
    for (int k = 0; k < N_NEIGHBOURS; k++) {
        neighbours(mesh, x, y, k, &one, &next);
        *weight += density_inside(mesh, at(mesh, x, y), one, next);
    }
    return true;
}

/* 'weight' has room for every third neuron of each row, rounded up; how many honeycombs there are. */
static int weigh_all(const struct mesh *mesh, uint64_t *weight)
{
    int n = 0;

    for (int y = 0; y < mesh->rows; y++)
        for (int x = !(y & 1); x < mesh->cols; x += 3)
            n += weigh(mesh, x, y, &weight[n]);
    return n;
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
        return 0;
    for (int k = 0; k < n; k++) {
        const wide difference = (wide)n * weight[k] - sum;

        off += difference < 0 ? -difference : difference;
    }
    return (double)(100 * off) / (double)(n * sum);
}

static uint64_t total_density(const uint8_t *grey, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += som_density(grey[i]);
    return sum;
}

static void rate(const struct mesh *mesh, uint64_t *weight, struct som_quality *quality)
{
    const uint64_t total =
        total_density(mesh->grey, (size_t)mesh->width * (size_t)mesh->height);
    const int n = weigh_all(mesh, weight);

    *quality = (struct som_quality){.n_honeycombs = n, .cost_pct = cost_pct(weight, n)};
    if (total > 0)
        quality->coverage_pct = (double)(100 * sum_of(weight, n)) / (double)total;
    count_folds(mesh, quality);
}

/* *mesh: the positions of a frame, snapped; its caller frees mesh->at, also after a failure. */
static enum bench_status new_mesh(const struct som_input *in, int frame, const float *position,
                                  struct mesh *mesh)
{
    const size_t n_neurons = (size_t)in->grid_cols * (size_t)in->grid_rows;

    *mesh = (struct mesh){.cols = in->grid_cols,
                          .rows = in->grid_rows,
                          .width = in->width,
                          .height = in->height,
                          .grey = in->grey + (size_t)frame * som_n_pixels(in),
                          .at = malloc(2 * n_neurons * sizeof *mesh->at)};
    return mesh->at ? snap(mesh, frame, position)
                    : BENCH_FAIL(BENCH_ENOMEM, "no memory to measure a mesh of %d x %d neurons",
                                 in->grid_cols, in->grid_rows);
}

enum bench_status som_quality_of(const struct som_input *in, int frame, const float *position,
                                 struct som_quality *quality)
{
    const size_t most = (size_t)in->grid_rows * ((size_t)in->grid_cols / 3 + 1);
    struct mesh mesh;
    uint64_t *const weight = calloc(most, sizeof *weight);
    enum bench_status status = new_mesh(in, frame, position, &mesh);

    if (!status && !weight)
        status = BENCH_FAIL(BENCH_ENOMEM, "no memory for the honeycombs of %d x %d neurons",
                            in->grid_cols, in->grid_rows);
    if (!status)
        rate(&mesh, weight, quality);
    free(mesh.at);
    free(weight);
    return status;
}

/* ---- the surface ---- */

#define NO_LEVEL (-1)

/* The pieces of surface over a map. */
struct surface {
    const struct mesh *mesh; /* borrowed */
    double *level;           /* [height][width], NO_LEVEL: none; owned */
};

/* The grey level under a neuron; NO_LEVEL over background and outside of the map. */
static int level_at(const struct mesh *mesh, const int32_t *neuron)
{
    int x = neuron[0] / UNITS, y = neuron[1] / UNITS;
    uint8_t grey;

    if (neuron[0] < 0 || neuron[0] > UNITS * mesh->width || neuron[1] < 0 ||
        neuron[1] > UNITS * mesh->height)
        return NO_LEVEL;
    x -= x == mesh->width;
    y -= y == mesh->height;
    grey = mesh->grey[(size_t)y * (size_t)mesh->width + (size_t)x];
    return grey > 0 ? grey : NO_LEVEL;
}

static void raise_surface(void *user, const struct triangle *triangle, size_t pixel,
                          const int64_t weight[3])
{
    const struct surface *const s = user;
    double level = 0;

    for (int k = 0; k < 3; k++)
        level += (double)weight[k] * level_at(s->mesh, triangle->corner[k]);
    level /= (double)triangle->twice_area;
    if (level > s->level[pixel])
        s->level[pixel] = level;
}

static void raise_all(const struct surface *s)
{
    const struct mesh *const mesh = s->mesh;
    const int32_t *corner[3];

    for (int y = 0; y < mesh->rows; y++)
        for (int x = 0; x < mesh->cols; x++)
            for (int i = 0; i < 2; i++)
                if (triangle_of(mesh, x, y, i, corner) &&
                    level_at(mesh, corner[0]) != NO_LEVEL &&
                    level_at(mesh, corner[1]) != NO_LEVEL &&
                    level_at(mesh, corner[2]) != NO_LEVEL)
                    visit_inside(mesh, corner[0], corner[1], corner[2], raise_surface,
                                 (void *)(uintptr_t)s);
}

static void add_errors(const struct surface *s, struct som_surface *errors)
{
    const size_t n = (size_t)s->mesh->width * (size_t)s->mesh->height;

    *errors = (struct som_surface){0};
    for (size_t i = 0; i < n; i++) {
        const double error = fabs(s->level[i] - s->mesh->grey[i]);

        if (s->mesh->grey[i] == 0)
            continue;
        errors->n_pixels++;
        if (s->level[i] < 0)
            continue;
        errors->n_known++;
        errors->sum += error;
        errors->squares += error * error;
        errors->greatest = fmax(errors->greatest, error);
    }
}

enum bench_status som_surface_of(const struct som_input *in, int frame, const float *position,
                                 struct som_surface *errors)
{
    const size_t n = som_n_pixels(in);
    struct mesh mesh;
    const struct surface surface = {&mesh, malloc(n * sizeof *surface.level)};
    enum bench_status status = new_mesh(in, frame, position, &mesh);

    if (!status && !surface.level)
        status = BENCH_FAIL(BENCH_ENOMEM, "no memory for a surface over %d x %d pixels",
                            in->width, in->height);
    if (!status) {
        for (size_t i = 0; i < n; i++)
            surface.level[i] = NO_LEVEL;
        raise_all(&surface);
        add_errors(&surface, errors);
    }
    free(mesh.at);
    free(surface.level);
    return status;
}

/* ---- all frames ---- */

struct sums {
    int n_frames, n_honeycombs; /* honeycombs: of the first frame */
    double cost_first, folded, coverage;
    double n_pixels, n_neurons, n_chances; /* chances: rounds x cells; whole numbers */
    struct som_counts counts;
    struct som_surface grey, px; /* errors in grey levels, and in px */
    int n_unscaled;              /* frames without a scale in px */
    double *cost;                /* [n_frames], owned */
};

/* 'level': what a grey level is in the unit of the sum. */
static void add_surface(struct som_surface *sum, const struct som_surface *more, double level)
{
    sum->n_pixels += more->n_pixels;
    sum->n_known += more->n_known;
    sum->sum += level * more->sum;
    sum->squares += level * level * more->squares;
    sum->greatest = fmax(sum->greatest, level * more->greatest);
}

static enum bench_status add_frame(struct sums *sums, const struct som_input *in,
                                   const struct som_output *out, int frame, const float *first)
{
    const size_t n_neurons = (size_t)in->grid_cols * (size_t)in->grid_rows;
    const struct som_counts *const counts = &out->counts[frame];
    const float *const position = out->position + (size_t)frame * n_neurons * 2;
    const double scale = in->grey_per_px ? in->grey_per_px[frame] : 0;
    struct som_quality regular, quality;
    struct som_surface errors;

    TRY(som_quality_of(in, frame, first, &regular));
    TRY(som_quality_of(in, frame, position, &quality));
    TRY(som_surface_of(in, frame, position, &errors));
    add_surface(&sums->grey, &errors, 1);
    if (scale > 0)
        add_surface(&sums->px, &errors, 1 / scale);
    else
        sums->n_unscaled++;
    if (sums->n_frames == 0)
        sums->n_honeycombs = quality.n_honeycombs;
    sums->cost[sums->n_frames++] = quality.cost_pct;
    sums->cost_first += regular.cost_pct;
    sums->coverage += quality.coverage_pct;
    if (quality.n_triangles > 0)
        sums->folded += 100 * (double)quality.n_folded / (double)quality.n_triangles;
    sums->n_pixels += (double)som_n_pixels(in);
    sums->n_neurons += (double)n_neurons;
    sums->n_chances += (double)in->n_rounds * som_n_cells(in);
    sums->counts.updates += counts->updates;
    sums->counts.misses += counts->misses;
    sums->counts.left_out += counts->left_out;
    return BENCH_OK;
}

static enum bench_status add_input(struct sums *sums, const struct som_input *in,
                                   const struct som_output *out)
{
    const size_t n_neurons = (size_t)in->grid_cols * (size_t)in->grid_rows;
    float *const first = malloc(2 * n_neurons * sizeof *first);
    enum bench_status status = BENCH_OK;

    if (!first)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for a network of %d x %d neurons",
                          in->grid_cols, in->grid_rows);
    som_first_positions(in, first);
    for (int f = 0; f < in->n_frames && status == BENCH_OK; f++)
        status = add_frame(sums, in, out, f, first);
    free(first);
    return status;
}

static void write_surface(const struct sums *s, struct bench_sink *sink)
{
    const double n = (double)s->grey.n_known;

    if (s->grey.n_pixels > 0)
        bench_value(sink, "surface_known_pct", -1, 100 * n / (double)s->grey.n_pixels, "%");
    if (s->grey.n_known == 0)
        return;
    bench_value(sink, "surface_mean_grey", -1, s->grey.sum / n, "grey");
    bench_value(sink, "surface_rms_grey", -1, sqrt(s->grey.squares / n), "grey");
    bench_value(sink, "surface_max_grey", -1, s->grey.greatest, "grey");
    if (s->n_unscaled > 0)
        return;
    bench_value(sink, "surface_mean_px", -1, s->px.sum / n, "px");
    bench_value(sink, "surface_rms_px", -1, sqrt(s->px.squares / n), "px");
    bench_value(sink, "surface_max_px", -1, s->px.greatest, "px");
}

static void write_values(const struct sums *s, struct bench_sink *sink)
{
    const double n = s->n_frames;
    double cost = 0;

    for (int f = 0; f < s->n_frames; f++)
        cost += s->cost[f];
    bench_value(sink, "cost_pct", -1, cost / n, "%");
    for (int f = 0; f < s->n_frames && s->n_frames > 1; f++)
        bench_value(sink, "cost_pct", f, s->cost[f], "%");
    bench_value(sink, "cost_first_pct", -1, s->cost_first / n, "%");
    bench_value(sink, "folded_pct", -1, s->folded / n, "%");
    bench_value(sink, "coverage_pct", -1, s->coverage / n, "%");
    bench_value(sink, "honeycombs", -1, s->n_honeycombs, "");
    bench_value(sink, "pixels_per_neuron", -1, s->n_pixels / s->n_neurons, "px");
    bench_value(sink, "updates", -1, (double)s->counts.updates / n, "");
    bench_value(sink, "misses", -1, (double)s->counts.misses / n, "");
    bench_value(sink, "left_out", -1, (double)s->counts.left_out / n, "");
    bench_value(sink, "active_pct", -1,
                100 * (double)(s->counts.updates + s->counts.misses) / s->n_chances, "%");
    write_surface(s, sink);
}

enum bench_status som_measure(const struct bench_params *params, const void *const *inputs,
                              const void *const *references, const void *const *outputs, int n,
                              struct bench_sink *sink)
{
    struct sums sums = {0};
    enum bench_status status = BENCH_OK;
    size_t n_frames = 0;

    (void)params;
    (void)references; /* a mesh is rated by its map, not by another mesh */
    if (n < 1)
        return BENCH_FAIL(BENCH_EINPUT, "som measures at least one input, found %d", n);
    for (int k = 0; k < n; k++)
        n_frames += (size_t)((const struct som_input *)inputs[k])->n_frames;
    sums.cost = malloc(n_frames * sizeof *sums.cost);
    if (!sums.cost)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the values of %zu frames", n_frames);
    for (int k = 0; k < n && status == BENCH_OK; k++)
        status = add_input(&sums, inputs[k], outputs[k]);
    if (status == BENCH_OK)
        write_values(&sums, sink);
    free(sums.cost);
    return status;
}

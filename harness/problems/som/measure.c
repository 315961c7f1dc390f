/*
 * measure.c - the values of som that are no time, over all frames of the inputs given
 *
 * Source: [SOM] eq. 1, 2 (%cost) and eq. 6 (activation); the other values follow from the
 *         definition of the mesh.
 *
 *     cost_pct              %cost of som.h, mean over frames; 0 for a frame without a honeycomb
 *                           or without density in any
 *     cost_pct[i]           of frame i alone, counted through all inputs; absent when there is
 *                           one frame
 *     cost_first_pct        the same mean for the regular network that the mesh begins as
 *     folded_pct            % of a network's triangles that are turned over or have no area;
 *                           mean over frames, 0 for a network without triangles
 *     coverage_pct          density in honeycombs over the density of the map; mean over
 *                           frames, 0 for an empty map.  The incomplete hexagons of the border
 *                           are missing; where the mesh is folded a pixel counts as often as it
 *                           is covered, so that more than 100 is possible
 *     honeycombs            complete ones, of the first frame
 *     pixels_per_neuron     all pixels over all neurons
 *     updates, misses       data points with and without a winner, per frame
 *     left_out              neurons that found no room in a cell's list, per frame
 *     active_pct            data points in % of rounds x cells
 *     surface_known_pct     pixels of the map at which the surface is known, in % of all that
 *                           are no background
 *     surface_mean_grey     the surface's error where it is known: mean of |surface - map|,
 *     surface_rms_grey      over the pixels of all frames, root of the mean square, and the
 *     surface_max_grey      greatest; grey levels.  Absent where no pixel is known
 *     surface_mean_px ...   the same three in px of disparity
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
 */
#include "harness/problems/som/measure.h"

#include "harness/base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

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

/* Round to 1/256 px. */
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
            return BENCH_FAIL(BENCH_EMISMATCH,
                              "neuron (%d, %d) of frame %d is at (%g, %g), expected numbers "
                              "within %g px",
                              col, row, frame, x, y, FARTHEST);
        mesh->at[i][0] = (int32_t)floor(UNITS * x + 0.5);
        mesh->at[i][1] = (int32_t)floor(UNITS * y + 0.5);
    }
    return BENCH_OK;
}

/* ---- one triangle ---- */

/* Twice the area in 1/256 px squared: > 0 when a, b, c go clockwise as drawn (y down), below
 * 2^60. */
static int64_t area(const int32_t *a, const int32_t *b, const int32_t *c)
{
    const int64_t bx = b[0] - a[0], by = b[1] - a[1], cx = c[0] - a[0], cy = c[1] - a[1];

    return bx * cy - by * cx;
}

/* Which side of the line through two corners a pixel's centre lies on: >= 0 for what counts as
 * inside. */
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

/* The grey level under a neuron; NO_LEVEL over background and outside of the map. */
static int level_at(const struct mesh *mesh, const int32_t *neuron)
{
    const int width = mesh->in->width, height = mesh->in->height;
    int x = neuron[0] / UNITS, y = neuron[1] / UNITS;
    uint8_t grey;

    if (neuron[0] < 0 || neuron[0] > UNITS * width || neuron[1] < 0 ||
        neuron[1] > UNITS * height)
        return NO_LEVEL;
    x -= x == width;
    y -= y == height;
    grey = mesh->grey[(size_t)y * (size_t)width + (size_t)x];
    return grey > 0 ? grey : NO_LEVEL;
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
        level[k] = level_at(mesh, k == 0 ? a : k == 1 ? b : c);
        if (level[k] < 0)
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
            quality->n_triangles++;
            quality->n_folded +=
                area(mesh->at[corner[0]], mesh->at[corner[1]], mesh->at[corner[2]]) >= 0;
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
        return 0;
    for (int k = 0; k < n; k++) {
        const wide difference = (wide)n * weight[k] - sum;

        off += difference < 0 ? -difference : difference;
    }
    return (double)(100 * off) / (double)(n * sum);
}

/* The errors of a mesh's surface over its map, or of several. */
struct errors {
    /* of the map without background; of these, where the surface is known */
    size_t n_pixels, n_known;
    /* of |surface - map| over the known ones, and of its square */
    double sum, squares, greatest;
};

static struct errors errors_of(const struct mesh *mesh)
{
    struct errors errors = {0};

    for (size_t i = 0; i < som_n_pixels(mesh->in); i++) {
        const double error = fabs(mesh->surface[i] - mesh->grey[i]);

        errors.n_pixels += mesh->grey[i] > 0;
        if (mesh->grey[i] == 0 || mesh->surface[i] < 0)
            continue;
        errors.n_known++;
        errors.sum += error;
        errors.squares += error * error;
        errors.greatest = fmax(errors.greatest, error);
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

/* As som_quality_of; and the errors of the surface, unless NULL. */
static enum bench_status look_at(const struct som_input *in, int frame, const float *position,
                                 struct som_quality *quality, struct errors *errors)
{
    struct mesh mesh = {.in = in, .grey = som_grey(in, frame)};
    const enum bench_status status = fill_mesh(&mesh, frame, position, errors != NULL);

    if (status == BENCH_OK)
        *quality = rate(&mesh, frame);
    if (status == BENCH_OK && errors)
        *errors = errors_of(&mesh);
    free(mesh.at);
    free(mesh.weight);
    free(mesh.surface);
    return status;
}

enum bench_status som_quality_of(const struct som_input *in, int frame, const float *position,
                                 struct som_quality *quality)
{
    return look_at(in, frame, position, quality, NULL);
}

/* ---- all frames ---- */

struct sums {
    int n_frames, n_honeycombs; /* honeycombs: of the first frame */
    double cost_first, folded, coverage;
    double n_pixels, n_neurons, n_chances; /* chances: rounds x cells; whole numbers */
    struct som_counts counts;
    struct errors grey, px; /* in grey levels, and in px */
    double *cost;           /* [n_frames], owned */
};

/* 'level': what a grey level is in the unit of the sum. */
static void add_errors(struct errors *sum, const struct errors *more, double level)
{
    sum->n_pixels += more->n_pixels;
    sum->n_known += more->n_known;
    sum->sum += level * more->sum;
    sum->squares += level * level * more->squares;
    sum->greatest = fmax(sum->greatest, level * more->greatest);
}

static enum bench_status add_frame(struct sums *sums, const struct som_input *in,
                                   const struct som_output *out, int frame)
{
    const struct som_counts *const counts = &out->counts[frame];
    struct som_quality regular, quality;
    struct errors errors;

    TRY(som_quality_of(in, frame, NULL, &regular));
    TRY(look_at(in, frame, som_position(out, frame), &quality, &errors));
    add_errors(&sums->grey, &errors, 1);
    add_errors(&sums->px, &errors, 1 / in->grey_per_px[frame]);
    if (sums->n_frames == 0)
        sums->n_honeycombs = quality.n_honeycombs;
    sums->cost[sums->n_frames++] = quality.cost_pct;
    sums->cost_first += regular.cost_pct;
    sums->coverage += quality.coverage_pct;
    if (quality.n_triangles > 0)
        sums->folded += 100 * (double)quality.n_folded / (double)quality.n_triangles;
    sums->n_pixels += (double)som_n_pixels(in);
    sums->n_neurons += (double)som_n_neurons(in);
    sums->n_chances += (double)in->n_rounds * som_n_cells(in);
    sums->counts.updates += counts->updates;
    sums->counts.misses += counts->misses;
    sums->counts.left_out += counts->left_out;
    return BENCH_OK;
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
    for (int k = 0; k < n; k++) {
        const struct som_input *const in = inputs[k];

        for (int f = 0; f < in->n_frames && status == BENCH_OK; f++)
            status = add_frame(&sums, in, outputs[k], f);
    }
    if (status == BENCH_OK)
        write_values(&sums, sink);
    free(sums.cost);
    return status;
}

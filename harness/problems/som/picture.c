/*
 * picture.c - a mesh over its map as a picture, and the density of a map as dots
 *
 * Source: [SOM] Figs. 2 and 14 show such pictures; drawing and colours are our own.
 */
#include "harness/problems/som/picture.h"

#include "harness/base/memory.h"
#include "harness/inputs/plane.h"

#include <math.h>

#define LEAST_WIDTH 900 /* pixels; where links are shorter than in such a picture they blur */
#define FARTHEST    1e6 /* px; a link that goes further says nothing */
#define FULL_INK    255
#define N_SAMPLES   10000 /* [SOM] Fig. 14 */

/* One of Okabe and Ito's colours: it differs from every grey, also for colour-blind readers. */
static const struct picture_colour link_colour = {230, 159, 0};

static struct picture_scale scale_of(const struct som_input *in)
{
    return picture_choose_scale(in->width, in->height, LEAST_WIDTH);
}

/* A black one. */
static enum bench_status new_picture(const struct som_input *in, struct picture_scale scale,
                                     struct picture *picture)
{
    return picture_new(picture_scaled(in->width, scale), picture_scaled(in->height, scale), 0,
                       picture);
}

/* ---- links ------------------------------------------------------------------------------- */

/* Until a pixel is painted, its red is how much of it links cover, 0..FULL_INK: many lie over
 * each other where the map is dense. */
static void cover(const struct picture *p, int x, int y, double share)
{
    const uint8_t ink = (uint8_t)(share * FULL_INK + 0.5);

    if (x >= 0 && x < p->width && y >= 0 && y < p->height && ink > *picture_pixel(p, x, y))
        *picture_pixel(p, x, y) = ink;
}

struct point {
    double x, y; /* of a picture; whole numbers are the centres of its pixels */
};

/* A line of one pixel's width: each step along its longer side inks two pixels. */
static void draw_line(const struct picture *p, struct point a, struct point b)
{
    const int is_steep = fabs(b.y - a.y) > fabs(b.x - a.x);
    const int end = is_steep ? p->height : p->width;
    double slope, from, to;

    if (is_steep) {
        a = (struct point){a.y, a.x};
        b = (struct point){b.y, b.x};
    }
    if (a.x > b.x) {
        const struct point left = b;

        b = a;
        a = left;
    }
    slope = b.x > a.x ? (b.y - a.y) / (b.x - a.x) : 0;
    from = floor(a.x + 0.5);
    to = floor(b.x + 0.5);
    for (int x = from > 0 ? (int)from : 0; x < end && x <= to; x++) {
        /* the first and the last pixel lie beside the line's ends */
        const double at = x < a.x ? a.x : x > b.x ? b.x : x;
        const double y = a.y + slope * (at - a.x), above = floor(y);

        for (int k = 0; k < 2; k++) {
            const int v = (int)above + k;

            cover(p, is_steep ? v : x, is_steep ? x : v, k == 0 ? 1 - (y - above) : y - above);
        }
    }
}

/* Each link once: to the right and to the two neurons below. */
static void draw_links(const struct picture *p, struct picture_scale scale,
                       const struct som_input *in, const float *position)
{
    static const int half[3] = {0, 4, 5};
    const double factor = (double)scale.zoom / scale.step;

    for (int i = 0; i < 3 * som_n_neurons(in); i++) {
        const int id[2] = {i / 3, som_linked(in, i / 3, half[i % 3])};
        struct point end[2];
        int n_near = 0;

        for (int k = 0; k < 2 && id[k] >= 0; k++) {
            const double x = (double)position[2 * (size_t)id[k]];
            const double y = (double)position[2 * (size_t)id[k] + 1];

            end[k] = (struct point){x * factor - 0.5, y * factor - 0.5};
            n_near += fabs(x) <= FARTHEST && fabs(y) <= FARTHEST; /* false for NaN */
        }
        if (n_near == 2)
            draw_line(p, end[0], end[1]);
    }
}

/* Each link once from either side: it covers no more the second time. */
static void draw_triangles(const struct picture *p, struct picture_scale scale,
                           const struct delaunay *d)
{
    const double factor = (double)scale.zoom / scale.step;

    for (int i = 0; i < 3 * d->n_triangles; i++) {
        struct point end[2];

        for (int k = 0; k < 2; k++) {
            const int32_t *const at = d->vertex[d->triangle[i / 3].corner[(i + k) % 3]];

            end[k] = (struct point){(at[0] + 0.5) * factor - 0.5, (at[1] + 0.5) * factor - 0.5};
        }
        draw_line(p, end[0], end[1]);
    }
}

/* ---- pictures ---------------------------------------------------------------------------- */

/* The map, or what the camera saw, at half its brightness below what links cover. */
static void colour_map(const struct picture *picture, struct picture_scale scale,
                       const uint8_t *grey, int width)
{
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++) {
            const size_t v = (size_t)picture_source(y, scale);
            const size_t u = (size_t)picture_source(x, scale);
            const uint8_t level = grey[v * (size_t)width + u] / 2;

            picture_put(picture, x, y,
                        picture_mix((struct picture_colour){level, level, level}, link_colour,
                                    *picture_pixel(picture, x, y), FULL_INK));
        }
}

enum bench_status som_picture_draw(const struct som_input *in, const float *position,
                                   const struct delaunay *d, const struct plane *seen,
                                   struct picture *picture)
{
    const bool has_view = seen && seen->view[0] && seen->width == in->width;
    const struct picture_scale scale = scale_of(in);

    TRY(new_picture(in, scale, picture));
    if (d)
        draw_triangles(picture, scale, d);
    else
        draw_links(picture, scale, in, position);
    colour_map(picture, scale, has_view ? seen->view[0] : in->grey, in->width);
    return BENCH_OK;
}

enum bench_status som_picture_sampling(const struct som_input *in, struct picture *picture)
{
    const struct picture_scale scale = scale_of(in);
    OWNED(memory_free) uint64_t *prefix = NULL;

    TRY(memory_allocate(&prefix, sizeof *prefix, in->height, in->width, 1, 1));
    TRY(new_picture(in, scale, picture));
    if (som_sum_density(in, 0, prefix) > 0)
        for (uint64_t i = 0; i < N_SAMPLES; i++) {
            const size_t pixel = som_draw(prefix, som_n_pixels(in), in->seed, i);
            const int u = (int)(pixel % (size_t)in->width);
            const int v = (int)(pixel / (size_t)in->width);
            const int x = u / scale.step * scale.zoom, y = v / scale.step * scale.zoom;

            for (int k = 0; k < scale.zoom; k++)
                memset(picture_pixel(picture, x, y + k), 255, 3 * (size_t)scale.zoom);
        }
    return BENCH_OK;
}

enum bench_status som_picture_pixels(const struct som_input *in,
                                     const struct picture_colour *colour,
                                     struct picture *picture)
{
    const struct picture_scale scale = scale_of(in);

    TRY(new_picture(in, scale, picture));
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++)
            picture_put(picture, x, y,
                        colour[(size_t)picture_source(y, scale) * (size_t)in->width +
                               (size_t)picture_source(x, scale)]);
    return BENCH_OK;
}

static struct picture_colour dim(uint32_t share)
{
    const uint8_t level = (uint8_t)(share * 127 / 65536);

    return (struct picture_colour){level, level, level};
}

enum bench_status som_picture_legend(struct picture *picture)
{
    const struct picture_entry entry[] = {
        {.text = "link of the mesh", .square = &link_colour},
        {.text = "below: the map, or what the camera saw, grey 0", .begins_line = true},
        {.text = "255, half as bright", .ramp = dim},
    };

    return picture_add_legend(picture, entry, 3);
}

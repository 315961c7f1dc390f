/*
 * picture.c - a mesh over its map as a picture, and the density of a map as dots
 *
 * Source: [SOM] Figs. 2 and 14 show such pictures; drawing and colours are our own.
 */
#include "harness/problems/som/picture.h"

#include "harness/problems/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_WIDTH 900 /* pixels; where links are shorter than in such a picture they blur */
#define MAX_ZOOM    8
#define FARTHEST    1e6 /* px; a link that goes further says nothing */
#define FULL_INK    255

__extension__ typedef unsigned __int128 wide;

/* One of Okabe and Ito's colours: it differs from every grey, also for colour-blind readers. */
static const struct picture_colour link_colour = {230, 159, 0};

/* picture_choose_scale() stays below a width; links need a least one. */
static struct picture_scale choose_scale(int width, int height)
{
    const int longer = width > height ? width : height;
    struct picture_scale scale = picture_choose_scale(width, height);

    while (scale.step == 1 && scale.zoom < MAX_ZOOM && scale.zoom * width < LEAST_WIDTH &&
           (scale.zoom + 1) * longer <= PICTURE_MAX_SIDE)
        scale.zoom++;
    return scale;
}

void som_picture_free(struct som_picture *picture)
{
    free(picture->rgb);
    memset(picture, 0, sizeof *picture);
}

static enum bench_status new_picture(const struct som_input *in, struct picture_scale scale,
                                     struct som_picture *picture)
{
    memset(picture, 0, sizeof *picture);
    picture->width = picture_scaled(in->width, scale);
    picture->height = picture_scaled(in->height, scale);
    /* black; at most 3 * 2048 * 2048 */
    picture->rgb = calloc((size_t)picture->width * (size_t)picture->height, 3);
    if (picture->rgb)
        return BENCH_OK;
    som_picture_free(picture);
    return BENCH_FAIL(BENCH_ENOMEM, "no memory for a picture of %d x %d pixels", in->width,
                      in->height);
}

/* ---- links ------------------------------------------------------------------------------- */

/* How much of each pixel is covered by links: many lie over each other where the map is dense. */
struct ink {
    int width, height;
    uint8_t *share; /* [height][width], 0..FULL_INK, owned */
};

static void cover(const struct ink *ink, int x, int y, double share)
{
    uint8_t *pixel;
    uint8_t level;

    if (x < 0 || x >= ink->width || y < 0 || y >= ink->height)
        return;
    pixel = ink->share + (size_t)y * (size_t)ink->width + (size_t)x;
    level = (uint8_t)(share * FULL_INK + 0.5);
    if (level > *pixel)
        *pixel = level;
}

struct point {
    double x, y; /* of a picture; whole numbers are the centres of its pixels */
};

static void swap_axes(struct point *p)
{
    const double x = p->x;

    p->x = p->y;
    p->y = x;
}

/* A line of one pixel's width: each step along its longer side shares its ink between two pixels. */
static void draw_line(const struct ink *ink, struct point a, struct point b)
{
    const int is_steep = fabs(b.y - a.y) > fabs(b.x - a.x);
    const int end = is_steep ? ink->height : ink->width;
    double slope, from, to;

    if (is_steep) {
        swap_axes(&a);
        swap_axes(&b);
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
        const int v = (int)above;

        if (is_steep) {
            cover(ink, v, x, 1 - (y - above));
            cover(ink, v + 1, x, y - above);
        } else {
            cover(ink, x, v, 1 - (y - above));
            cover(ink, x, v + 1, y - above);
        }
    }
}

static int is_near(const float *position)
{
    /* false for what is no number */
    return fabs((double)position[0]) <= FARTHEST && fabs((double)position[1]) <= FARTHEST;
}

static struct point on_picture(const float *position, struct picture_scale scale)
{
    const double factor = (double)scale.zoom / scale.step;

    return (struct point){(double)position[0] * factor - 0.5,
                          (double)position[1] * factor - 0.5};
}

/* Each link once: to the right and to the two neurons below. */
static void draw_links(const struct ink *ink, const struct som_input *in, const float *position,
                       struct picture_scale scale)
{
    static const int half[3] = {0, 4, 5};

    for (int y = 0; y < in->grid_rows; y++)
        for (int x = 0; x < in->grid_cols; x++)
            for (int i = 0; i < 3; i++) {
                const size_t n_cols = (size_t)in->grid_cols;
                const float *const a = position + 2 * ((size_t)y * n_cols + (size_t)x);
                const float *b;
                int nx, ny;

                som_neighbour(x, y, half[i], &nx, &ny);
                if (nx < 0 || nx >= in->grid_cols || ny >= in->grid_rows)
                    continue;
                b = position + 2 * ((size_t)ny * n_cols + (size_t)nx);
                if (is_near(a) && is_near(b))
                    draw_line(ink, on_picture(a, scale), on_picture(b, scale));
            }
}

/* ---- pictures ---------------------------------------------------------------------------- */

static void put(const struct som_picture *p, int x, int y, struct picture_colour c)
{
    uint8_t *const pixel = p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x);

    pixel[0] = c.r;
    pixel[1] = c.g;
    pixel[2] = c.b;
}

static void paint(const struct som_picture *p, const struct ink *ink,
                  const struct som_input *in, int frame, struct picture_scale scale)
{
    const uint8_t *const grey = in->grey + (size_t)frame * som_n_pixels(in);

    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            const size_t v = (size_t)(y / scale.zoom) * (size_t)scale.step;
            const size_t u = (size_t)(x / scale.zoom) * (size_t)scale.step;
            const uint8_t level = grey[v * (size_t)in->width + u] / 2;

            put(p, x, y,
                picture_mix((struct picture_colour){level, level, level}, link_colour,
                            ink->share[(size_t)y * (size_t)p->width + (size_t)x], FULL_INK));
        }
}

enum bench_status som_picture_draw(const struct som_input *in, int frame, const float *position,
                                   struct som_picture *picture)
{
    const struct picture_scale scale = choose_scale(in->width, in->height);
    struct ink ink;

    TRY(new_picture(in, scale, picture));
    ink.width = picture->width;
    ink.height = picture->height;
    ink.share = calloc((size_t)ink.width * (size_t)ink.height, sizeof *ink.share);
    if (!ink.share) {
        som_picture_free(picture);
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the links of a picture of %d x %d",
                          ink.width, ink.height);
    }
    draw_links(&ink, in, position, scale);
    paint(picture, &ink, in, frame, scale);
    free(ink.share);
    return BENCH_OK;
}

/* The first of n pixels up to which there is more density than 'wanted', which is below the last's. */
static size_t find(const uint64_t *prefix, size_t n, uint64_t wanted)
{
    size_t low = 0, high = n - 1;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (prefix[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void paint_dot(const struct som_picture *p, int u, int v, struct picture_scale scale)
{
    static const struct picture_colour white = {255, 255, 255};
    const int x0 = u / scale.step * scale.zoom, y0 = v / scale.step * scale.zoom;

    for (int y = y0; y < y0 + scale.zoom; y++)
        for (int x = x0; x < x0 + scale.zoom; x++)
            put(p, x, y, white);
}

enum bench_status som_picture_sampling(const struct som_input *in, int frame, int n_points,
                                       struct som_picture *picture)
{
    const struct picture_scale scale = choose_scale(in->width, in->height);
    const size_t n_pixels = som_n_pixels(in), width = (size_t)in->width;
    const uint8_t *const grey = in->grey + (size_t)frame * n_pixels;
    uint64_t *prefix, total = 0;

    TRY(new_picture(in, scale, picture));
    prefix = malloc(n_pixels * sizeof *prefix);
    if (!prefix) {
        som_picture_free(picture);
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the densities of %zu pixels", n_pixels);
    }
    for (size_t i = 0; i < n_pixels; i++)
        prefix[i] = total += som_density(grey[i]);
    for (int i = 0; i < n_points && total > 0; i++) {
        const struct bench_words words =
            bench_philox(in->seed + (uint64_t)frame, (uint32_t)i, 0, UINT32_MAX, 0);
        const uint64_t bits = (uint64_t)words.word[0] << 32 | words.word[1];
        const size_t pixel = find(prefix, n_pixels, (uint64_t)(((wide)total * bits) >> 64));

        paint_dot(picture, (int)(pixel % width), (int)(pixel / width), scale);
    }
    free(prefix);
    return BENCH_OK;
}

/*
 * picture.c - the stixels of one image as a picture: their disparity and their classes
 *
 * Source: [STX] Figs. 1 and 6 show such pictures; drawing is our own.
 */
#include "harness/problems/stixels/picture.h"

#include "harness/base/memory.h"
#include "harness/inputs/plane.h"

#include <math.h>
#include <string.h>

#define TOP_DARKER_PCT  50 /* how much black is in the line on top of a stixel ... */
#define SIDE_DARKER_PCT 25 /* ... and in the one at its left, of which there are more */
#define LEAST_WIDTH     4 /* pixels of the picture; narrower columns have no line at the left */
#define LEAST_HEIGHT    3 /* the same for a stixel's line on top */
#define FAR_PX          1e-6f /* what is drawn for 0 px of a pixel, which is far away */

/*
 * 17 stops with straight lines between them, far to near.  Computed in OKLab (B. Ottosson,
 * 2020): hue turns from blue over green and yellow to red, lightness rises from 0.50 to 0.90 at
 * yellow and falls again to 0.58, so that both ends differ from the middle without colour, too.
 */
static const struct picture_colour distance_stop[] = {
    {40, 99, 171},  {0, 118, 165},  {0, 134, 156},   {0, 148, 149},  {0, 163, 136},
    {43, 180, 128}, {91, 193, 117}, {132, 204, 104}, {173, 214, 88}, {203, 219, 82},
    {232, 223, 80}, {247, 209, 63}, {249, 182, 40},  {246, 156, 37}, {241, 123, 12},
    {232, 87, 21},  {219, 44, 43},
};
#define N_STOPS ((int)(sizeof distance_stop / sizeof distance_stop[0]))

static const struct picture_colour sky = {214, 226, 240},
                                   no_measurement = PICTURE_NO_MEASUREMENT;

/* Okabe and Ito's colours that stay apart for colour-blind readers. */
static const struct picture_colour geometry_colour[STIXELS_N_GEOMETRIES] = {
    [STIXELS_OBJECT] = {230, 159, 0},
    [STIXELS_GROUND] = {0, 158, 115},
    [STIXELS_SKY] = {86, 180, 233},
};

struct picture_colour stixels_colour(const struct stixel *stixel)
{
    return stixel->semantic == STIXELS_NO_CLASS ? geometry_colour[stixel->geometry]
                                                : picture_class_colour(stixel->semantic);
}

/* The square root of disparity leaves more colours to what is far away: most of a street. */
static struct picture_colour distance_colour(float disparity_px, uint32_t range_q8)
{
    const double share = sqrt((double)disparity_px * 256 / range_q8);

    return picture_between(distance_stop, N_STOPS,
                           share < 1 ? (uint32_t)(share * 65536) : 65536, 65536);
}

static struct picture_colour distance_ramp(uint32_t share)
{
    return distance_colour((float)share / 256, 65536);
}

/* A drawing, and what it is made of. */
struct drawing {
    const struct stixels_input *in;
    const struct stixel *list; /* borrowed */
    int32_t *owner; /* [n_rows][n_cols], whose block this is in the list; row 0 on top */
    const float *disparity_px; /* [height][width] */
    const uint8_t *view;       /* the same, 'pitch' a row, of the camera; NULL: none */
    size_t pitch;
    uint32_t range_q8;
    struct picture_scale scale;
    int width, height;      /* of a panel */
    int second_x, second_y; /* the upper left pixel of the second panel */
};

/* The stixel of a panel's pixel. */
static int32_t owner_at(const struct drawing *d, int x, int y)
{
    const int u = picture_source(x, d->scale), v = picture_source(y, d->scale);

    return d->owner[(size_t)(v / d->in->block_rows) * (size_t)d->in->n_cols +
                    (size_t)(u / d->in->block_cols)];
}

/* Returns by how much the frame of its stixel makes this pixel of a panel darker, percent. */
static uint32_t darker_pct(const struct drawing *d, int x, int y, int32_t owner)
{
    const int thickness = (d->scale.zoom + 2) / 3;
    const struct stixel *const s = &d->list[owner];
    const int width = d->in->block_cols * d->scale.zoom / d->scale.step;
    const int height =
        (s->v_top - s->v_bottom + 1) * d->in->block_rows * d->scale.zoom / d->scale.step;
    uint32_t pct = 0;

    for (int i = 1; i <= thickness; i++) {
        if (height >= LEAST_HEIGHT && y >= i && owner_at(d, x, y - i) != owner)
            return TOP_DARKER_PCT;
        if (width >= LEAST_WIDTH && x >= i && owner_at(d, x - i, y) != owner)
            pct = SIDE_DARKER_PCT;
    }
    return pct;
}

static void paint(const struct picture *p, const struct drawing *d)
{
    static const struct picture_colour black = {0, 0, 0};

    for (int y = 0; y < d->height; y++)
        for (int x = 0; x < d->width; x++) {
            const int32_t owner = owner_at(d, x, y);
            const struct stixel *const s = &d->list[owner];
            const uint32_t pct = darker_pct(d, x, y, owner);
            const size_t v = (size_t)picture_source(y, d->scale);
            const size_t u = (size_t)picture_source(x, d->scale);
            const float disparity_px = d->disparity_px[v * (size_t)d->in->width + u];
            struct picture_colour colour = sky, kind = stixels_colour(s);

            if (s->geometry == STIXELS_OBJECT && !(disparity_px > 0))
                colour = no_measurement;
            else if (s->geometry != STIXELS_SKY)
                colour = distance_colour(disparity_px, d->range_q8);
            if (d->view)
                kind = picture_over(kind, d->view[v * d->pitch + u]);
            picture_put(p, x, y, picture_mix(colour, black, pct, 100));
            picture_put(p, d->second_x + x, d->second_y + y,
                        picture_mix(kind, black, pct, 100));
        }
}

static void find_owners(struct drawing *d, const struct stixels_output *out, int frame)
{
    const size_t n_cols = (size_t)out->n_cols;

    for (size_t u = 0; u < n_cols; u++) {
        const size_t column = (size_t)frame * n_cols + u;

        for (int32_t i = out->first[column]; i < out->first[column + 1]; i++)
            for (int v = out->list[i].v_bottom; v <= out->list[i].v_top; v++)
                d->owner[(size_t)(out->n_rows - 1 - v) * n_cols + u] = i;
    }
}

enum bench_status stixels_picture_input(const struct stixels_input *in, struct picture *picture)
{
    const struct picture_scale scale = picture_choose_scale(in->width, in->height, 0);
    uint32_t range_q8;

    TRY(picture_near(in->disparity, (size_t)in->height * (size_t)in->width, &range_q8));
    TRY(picture_new(picture_scaled(in->width, scale) / scale.zoom,
                    picture_scaled(in->height, scale) / scale.zoom, 0, picture));
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++) {
            const uint16_t d = in->disparity[(size_t)(y * scale.step) * (size_t)in->width +
                                             (size_t)(x * scale.step)];

            picture_put(picture, x, y,
                        d == STIXELS_INVALID
                            ? no_measurement
                            : distance_colour(d > 0 ? (float)d / 256 : FAR_PX, range_q8));
        }
    return BENCH_OK;
}

enum bench_status stixels_picture_draw(const struct stixels_input *in,
                                       const struct stixels_output *out, int frame,
                                       const struct plane *seen, struct picture *picture)
{
    const struct picture_scale scale = picture_choose_scale(in->width, in->height, 0);
    const int width = picture_scaled(in->width, scale);
    const int height = picture_scaled(in->height, scale);
    const int is_wide = 3 * in->width > 4 * in->height;
    const size_t n_pixels = (size_t)in->height * (size_t)in->width;
    struct drawing d = {.in = in,
                        .list = out->list,
                        .scale = scale,
                        .width = width,
                        .height = height,
                        .second_x = is_wide ? 0 : width + PICTURE_GAP,
                        .second_y = is_wide ? height + PICTURE_GAP : 0};
    OWNED(memory_free) int32_t *owner = NULL;
    OWNED(memory_free) float *disparity_px = NULL;

    TRY(picture_near(in->disparity + (size_t)frame * n_pixels, n_pixels, &d.range_q8));
    TRY(memory_allocate(&owner, sizeof *owner, 1, 1, in->n_rows, in->n_cols));
    TRY(memory_allocate(&disparity_px, sizeof *disparity_px, 1, 1, in->height, in->width));
    /* at most 3 * 2048 * 4104 bytes */
    TRY(picture_new(d.second_x + width, d.second_y + height, 255, picture));
    picture->range_q8 = d.range_q8;
    stixels_reconstruct(in, out, frame, disparity_px, NULL);
    d.owner = owner;
    if (seen && seen->view[0]) {
        d.view = seen->view[0];
        d.pitch = (size_t)seen->width;
    }
    d.disparity_px = disparity_px;
    find_owners(&d, out, frame);
    paint(picture, &d);
    return BENCH_OK;
}

enum bench_status stixels_picture_legend(const struct stixels_output *out, int frame,
                                         struct picture *picture)
{
    static const char *const geometry[STIXELS_N_GEOMETRIES] = {
        [STIXELS_OBJECT] = "object", [STIXELS_GROUND] = "ground", [STIXELS_SKY] = "sky"};
    enum { N_WORDS = 5, MOST = N_WORDS + 64 };
    const int32_t *const first = &out->first[(size_t)frame * (size_t)out->n_cols];
    struct picture_colour colour[MOST];
    char near[32];
    struct picture_entry entry[MOST] = {
        {.text = "first: disparity 0"},
        {.text = picture_range_text(picture, near, sizeof near), .ramp = distance_ramp},
        {.text = "sky", .square = &sky},
        {.text = "no measurement", .square = &no_measurement},
        {.text = "second: classes", .begins_line = true}};
    int n = N_WORDS;

    for (int32_t i = first[0]; i < first[out->n_cols] && n < MOST; i++) {
        const struct stixel *const s = &out->list[i];
        int k = N_WORDS;

        colour[n] = stixels_colour(s);
        while (memcmp(&colour[k], &colour[n], sizeof colour[n]) != 0)
            k++;
        if (k < n)
            continue;
        entry[n].square = &colour[n];
        entry[n++].text = s->semantic == STIXELS_NO_CLASS ? geometry[s->geometry]
                                                          : picture_class_name(s->semantic);
    }
    return picture_add_legend(picture, entry, n);
}

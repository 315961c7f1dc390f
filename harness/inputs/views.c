/*
 * views.c - the two views of a generated scene, row by row, and views of files
 *
 * Doubles with + - * / alone, as in scene.c: a seed gives the same bytes everywhere.
 */
#include "harness/inputs/views.h"

#include "harness/base/memory.h"
#include "harness/inputs/image.h"
#include "harness/inputs/scene_private.h"

#include <stdlib.h>
#include <string.h>

/* A surface's mean grey, and how far its texture goes up and down. */
static const struct {
    double level, contrast;
} look[] = {[ROAD] = {90, 60},          [SIDEWALK] = {130, 70},     [BUILDING] = {120, 140},
            [WALL] = {110, 110},        [FENCE] = {100, 130},       [POLE] = {80, 60},
            [TRAFFIC_LIGHT] = {60, 80}, [TRAFFIC_SIGN] = {170, 90}, [VEGETATION] = {75, 140},
            [TERRAIN] = {95, 120},      [SKY] = {215, 40},          [PERSON] = {85, 120},
            [RIDER] = {85, 120},        [CAR] = {105, 120},         [TRUCK] = {140, 110},
            [BUS] = {150, 110},         [TRAIN] = {150, 110},       [MOTORCYCLE] = {70, 120},
            [BICYCLE] = {70, 120}};
#define N_LOOKS (sizeof look / sizeof *look)

/* The texture beside the left view, for what only the right camera sees. */
#define UNSEEN 4099.0

struct drawing {
    uint64_t seed;
    struct plane *plane;
    uint8_t lattice[NOISE_SIDE * NOISE_SIDE];
};

/* A pixel of the right view. */
struct landed {
    int disparity; /* of what is nearest so far, 1/256 px; -1: nothing is */
    int from;      /* the pixel of the left view whose class it has */
    double u;      /* the place there */
};

/* The grey of a class at a place of the left view, as a camera whose noise is 'word' has it. */
static uint8_t grey_at(const struct drawing *d, uint8_t label, double u, int v, uint32_t word)
{
    const size_t at = label < N_LOOKS ? label : BUILDING;
    const double fine = noise2(d->lattice, u / 2.3, v / 2.1),
                 middle = noise2(d->lattice, u / 7.1 + 40.0, v / 5.9 + 90.0),
                 coarse = noise2(d->lattice, u / 29.0 + 17.0, v / 23.0 + 5.0);
    const double texture = 0.5 * fine + 0.3 * middle + 0.2 * coarse - 0.5;
    const int noise = (int)(word & 3) + (int)(word >> 2 & 3) - 3; /* -3..3 */

    return (uint8_t)clamp(look[at].level + 2.0 * look[at].contrast * texture + noise + 0.5, 0,
                          255);
}

/* Puts a surface between the places first and end of the right view's row, in 1/256 px, whose
 * disparity goes from one to another, unless something nearer is there. */
static void land(struct landed *row, int width, int from, double first, double end, double one,
                 double other)
{
    for (int x = first < 0 ? 0 : int_floor((first + DISPARITY_SCALE - 1) / DISPARITY_SCALE);
         x < width && x * DISPARITY_SCALE < end; x++) {
        const double share = (x * DISPARITY_SCALE - first) / (end - first);
        const double disparity = one + share * (other - one);

        if (disparity <= row[x].disparity)
            continue;
        row[x] = (struct landed){(int)disparity, from, x + disparity / DISPARITY_SCALE};
    }
}

/* Neighbours less than half a pixel apart are one surface; others end half a pixel further. */
static void land_row(const uint16_t *truth, int width, struct landed *row)
{
    for (int u = 0; u < width; u++)
        row[u] = (struct landed){-1, 0, 0};
    for (int u = 0; u < width; u++) {
        const int next = u + 1 < width ? u + 1 : u;
        const double at = u * DISPARITY_SCALE - truth[u], half = DISPARITY_SCALE / 2.0;

        if (next > u && abs(truth[next] - truth[u]) < DISPARITY_SCALE / 2) {
            land(row, width, u, at, next * DISPARITY_SCALE - truth[next], truth[u],
                 truth[next]);
        } else {
            land(row, width, u, at, at + half, truth[u], truth[u]);
            if (next > u)
                land(row, width, next, next * DISPARITY_SCALE - truth[next] - half,
                     next * DISPARITY_SCALE - truth[next], truth[next], truth[next]);
        }
    }
}

static void draw_row(const struct drawing *d, int v, struct landed *row)
{
    const int width = d->plane->width;
    const size_t at = (size_t)v * (size_t)width;
    const uint8_t *const label = d->plane->truth_class + at;
    int behind = width - 1; /* what is not seen is a part of what lies to the right of it */

    land_row(d->plane->truth + at, width, row);
    for (int u = width; u-- > 0;) {
        const struct bench_words random =
            bench_philox(d->seed, (uint32_t)u, (uint32_t)v, 1, STREAM_VIEWS);
        const int is_seen = row[u].disparity >= 0;

        behind = is_seen ? row[u].from : behind;
        d->plane->view[0][at + (size_t)u] = grey_at(d, label[u], u, v, random.word[0]);
        d->plane->view[1][at + (size_t)u] =
            grey_at(d, label[behind], is_seen ? row[u].u : u + UNSEEN, v, random.word[1]);
    }
}

enum bench_status views_draw(uint64_t seed, struct plane *plane)
{
    OWNED(memory_free) struct drawing *d = NULL;
    OWNED(memory_free) struct landed *row = NULL;

    TRY(memory_allocate(&d, sizeof *d, 1, 1, 1, 1));
    TRY(memory_allocate(&row, sizeof *row, 1, 1, 1, plane->width));
    for (int k = 0; k < 2; k++)
        TRY(memory_allocate(&plane->view[k], 1, 1, 1, plane->height, plane->width));
    d->seed = seed;
    d->plane = plane;
    scene_fill_lattice(seed, STREAM_VIEWS, d->lattice);
    for (int v = 0; v < plane->height; v++)
        draw_row(d, v, row);
    return BENCH_OK;
}

enum bench_status views_read(const char *path, int which, struct plane *plane)
{
    OWNED(image_free) struct image image = {0};
    size_t n;

    TRY(image_read(path, IMAGE_VIEW, &image));
    REFUSE_IF(plane->width && (image.width != plane->width || image.height != plane->height),
              "%s: a view of %d x %d pixels, the other one has %d x %d", path, image.width,
              image.height, plane->width, plane->height);
    plane->width = image.width;
    plane->height = image.height;
    TRY(memory_allocate(&plane->view[which], 1, 1, 1, image.height, image.width));
    n = (size_t)image.width * (size_t)image.height;
    if (image.type == IMAGE_U8)
        memcpy(plane->view[which], image.pixels, n);
    for (size_t i = 0; image.type != IMAGE_U8 && i < n; i++) {
        const uint32_t rgb = ((const uint32_t *)image.pixels)[i];

        plane->view[which][i] = (uint8_t)((9797 * (rgb & 255) + 19234 * (rgb >> 8 & 255) +
                                           3737 * (rgb >> 16 & 255)) >>
                                          15);
    }
    return BENCH_OK;
}

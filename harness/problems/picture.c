/*
 * picture.c - what all pictures have in common: colours, size, which disparity is near
 */
#include "harness/problems/picture.h"

#include "harness/base/memory.h"
#include "harness/inputs/image.h"
#include "harness/inputs/plane.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define WISHED_WIDTH 960 /* pixels; smaller images are magnified towards it ... */
#define MAX_ZOOM     8   /* ... by no more than this */

enum bench_status picture_new(int width, int height, uint8_t level, struct picture *picture)
{
    *picture = (struct picture){0};
    TRY(memory_allocate(&picture->rgb, 3, height, width, 1, 1));
    picture->width = width;
    picture->height = height;
    memset(picture->rgb, level, 3 * (size_t)width * (size_t)height);
    return BENCH_OK;
}

void picture_free(struct picture *picture)
{
    free(picture->rgb);
    memset(picture, 0, sizeof *picture);
}

enum bench_status picture_write(const char *path, struct picture *picture)
{
    const enum bench_status status =
        image_write_rgb(path, picture->rgb, picture->width, picture->height);

    picture_free(picture);
    return status;
}

struct picture_colour picture_mix(struct picture_colour a, struct picture_colour b,
                                  uint32_t share, uint32_t of)
{
    const uint32_t rest = of - share;

    assert(of > 0 && share <= of);
    return (struct picture_colour){(uint8_t)((a.r * rest + b.r * share + of / 2) / of),
                                   (uint8_t)((a.g * rest + b.g * share + of / 2) / of),
                                   (uint8_t)((a.b * rest + b.b * share + of / 2) / of)};
}

struct picture_colour picture_between(const struct picture_colour *stops, int n_stops,
                                      uint32_t value, uint32_t range)
{
    const uint32_t n_steps = (uint32_t)n_stops - 1;
    const uint32_t at = (value < range ? value : range) * n_steps;
    uint32_t stop;

    assert(range > 0);
    stop = at / range;
    if (stop >= n_steps)
        return stops[n_steps];
    return picture_mix(stops[stop], stops[stop + 1], at % range, range);
}

struct picture_colour picture_over(struct picture_colour colour, uint8_t grey)
{
    return picture_mix(colour, (struct picture_colour){grey, grey, grey}, 1, 2);
}

/*
 * 17 stops with straight lines between them.  Computed in OKLab (B. Ottosson, 2020): lightness
 * rises in equal steps from 0.36 to 0.95, so that equal steps of disparity look equal, also in
 * grey and to the colour-blind; hue turns from violet over blue and green to yellow, chroma as
 * large as sRGB allows up to 0.16.
 */
static const struct picture_colour colour_stop[] = {
    {62, 45, 118},   {58, 59, 136},   {47, 75, 151},   {24, 91, 164},   {5, 107, 164},
    {1, 122, 163},   {5, 137, 164},   {6, 151, 165},   {13, 165, 165},  {1, 180, 163},
    {3, 195, 156},   {77, 206, 145},  {124, 215, 137}, {162, 222, 132}, {197, 229, 130},
    {228, 235, 134}, {255, 241, 156},
};
#define N_STOPS ((int)(sizeof colour_stop / sizeof colour_stop[0]))

struct picture_colour picture_disparity_colour(uint32_t y, uint32_t range_q8)
{
    return picture_between(colour_stop, N_STOPS, y, range_q8);
}

struct picture_colour picture_class_colour(int train_id)
{
    /* labels.py of cityscapesScripts */
    static const struct picture_colour colour[] = {
        {128, 64, 128},  {244, 35, 232}, {70, 70, 70},  {102, 102, 156}, {190, 153, 153},
        {153, 153, 153}, {250, 170, 30}, {220, 220, 0}, {107, 142, 35},  {152, 251, 152},
        {70, 130, 180},  {220, 20, 60},  {255, 0, 0},   {0, 0, 142},     {0, 0, 70},
        {0, 60, 100},    {0, 80, 100},   {0, 0, 230},   {119, 11, 32},
    };
    const int n_colours = (int)(sizeof colour / sizeof colour[0]);

    return train_id < n_colours ? colour[train_id]
                                : picture_mix(colour[train_id % n_colours],
                                              (struct picture_colour){255, 255, 255}, 1, 2);
}

const char *picture_class_name(int train_id)
{
    static const char *const name[] = {
        "road", "sidewalk",      "building",     "wall",       "fence",
        "pole", "traffic light", "traffic sign", "vegetation", "terrain",
        "sky",  "person",        "rider",        "car",        "truck",
        "bus",  "train",         "motorcycle",   "bicycle"};

    return train_id < (int)(sizeof name / sizeof name[0]) ? name[train_id] : "another class";
}

enum bench_status picture_near(const uint16_t *disparity, size_t n_pixels, uint32_t *range_q8)
{
    OWNED(memory_free) size_t *count = NULL;
    size_t n_valid = 0, n_below = 0;
    uint32_t value = 0;

    TRY(memory_allocate(&count, sizeof *count, DISPARITY_MAX + 1, 1, 1, 1));
    for (size_t i = 0; i < n_pixels; i++)
        if (disparity[i] != DISPARITY_INVALID) {
            count[disparity[i]]++;
            n_valid++;
        }
    for (; value < DISPARITY_MAX; value++) {
        n_below += count[value];
        if (n_below >= n_valid - n_valid / 100)
            break;
    }
    *range_q8 = value > 256 ? value : 256;
    return BENCH_OK;
}

struct picture_scale picture_choose_scale(int width, int height, int least_width)
{
    const int longer = width > height ? width : height;
    struct picture_scale scale = {1, 1};

    if (longer > PICTURE_MAX_SIDE) {
        scale.step = (longer + PICTURE_MAX_SIDE - 1) / PICTURE_MAX_SIDE;
        return scale;
    }
    while (scale.zoom < MAX_ZOOM && (scale.zoom + 1) * longer <= PICTURE_MAX_SIDE &&
           ((scale.zoom + 1) * width <= WISHED_WIDTH || scale.zoom * width < least_width))
        scale.zoom++;
    return scale;
}

int picture_scaled(int n, struct picture_scale scale)
{
    return (n + scale.step - 1) / scale.step * scale.zoom;
}

/*
 * picture.h - what all pictures have in common: colours, size, which disparity is near
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "harness/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PICTURE_MAX_SIDE 2048 /* pixels of a panel; a larger image is thinned out */
#define PICTURE_GAP      8    /* white pixels between panels */

struct picture_colour {
    uint8_t r, g, b;
};

struct picture {
    int width, height;
    uint8_t *rgb;      /* [height][width][3], owned */
    uint32_t range_q8; /* where colours of disparity end; 0: there are none */
};

/* A picture with all bytes of its pixels at 'level'.  The caller owns it (picture_free);
 * BENCH_ENOMEM, and it is left empty. */
enum bench_status picture_new(int width, int height, uint8_t level, struct picture *picture);
void picture_free(struct picture *picture); /* a zeroed one is fine */

static inline uint8_t *picture_pixel(const struct picture *picture, int x, int y)
{
    return picture->rgb + 3 * ((size_t)y * (size_t)picture->width + (size_t)x);
}

static inline void picture_put(const struct picture *picture, int x, int y,
                               struct picture_colour colour)
{
    uint8_t *const pixel = picture_pixel(picture, x, y);

    pixel[0] = colour.r;
    pixel[1] = colour.g;
    pixel[2] = colour.b;
}

/* Write a PNG and free the picture, written or not; BENCH_EIO, BENCH_ENOMEM. */
enum bench_status picture_write(const char *path, struct picture *picture);

/* a at share = 0, b at share = of; of > 0. */
struct picture_colour picture_mix(struct picture_colour a, struct picture_colour b,
                                  uint32_t share, uint32_t of);

/* Straight lines between n_stops >= 2 colours, the first at 0, the last from 'range' > 0 on. */
struct picture_colour picture_between(const struct picture_colour *stops, int n_stops,
                                      uint32_t value, uint32_t range);

/* Over what a camera saw: half of either. */
struct picture_colour picture_over(struct picture_colour colour, uint8_t grey);

/* Dark violet at 0 to light yellow from 'range_q8' > 0 on; and what has no disparity. */
struct picture_colour picture_disparity_colour(uint32_t y, uint32_t range_q8);
#define PICTURE_NO_MEASUREMENT \
    {                          \
        38, 38, 38             \
    }

/* The colour of a class: Cityscapes' for train ids 0..18, the same half white for others. */
struct picture_colour picture_class_colour(int train_id);

/* The name of a Cityscapes class, train ids 0..18; that of others is "another class". */
const char *picture_class_name(int train_id);

/* Words of a legend, behind a square or the colours of a scale from 0 to 65536. */
struct picture_entry {
    const char *text;                              /* a-z, digits and ,.:%-() */
    const struct picture_colour *square;           /* NULL: none */
    struct picture_colour (*ramp)(uint32_t share); /* NULL: none */
    bool begins_line;
};

/* Write entries into lines of their own below a picture; what is wider than it is cut.  The
 * picture stays as it was on failure: BENCH_ENOMEM. */
enum bench_status picture_add_legend(struct picture *picture, const struct picture_entry *entry,
                                     int n_entries);

/* The scale of picture_disparity_colour(), and 'text' with what its end stands for. */
struct picture_colour picture_disparity_ramp(uint32_t share);
const char *picture_range_text(const struct picture *picture, char *text, size_t size);

/* The disparity (1/256 px, DISPARITY_INVALID left out) below which 99 % of the valid pixels
 * are, so that a few outliers do not darken the rest; at least 1 px.  BENCH_ENOMEM. */
enum bench_status picture_near(const uint16_t *disparity, size_t n_pixels, uint32_t *range_q8);

/* An axis of source pixels becomes a panel's: magnified by 'zoom' or thinned out by 'step'. */
struct picture_scale {
    int zoom, step;
};

/* For an image of this size: small ones grow by a whole number towards 960 pixels of
 * width, and to least_width at least, 8 times at most; no side of a panel is longer than
 * PICTURE_MAX_SIDE. */
struct picture_scale picture_choose_scale(int width, int height, int least_width);

/* Panel pixels that n source pixels become, and the source pixel of a panel's. */
int picture_scaled(int n, struct picture_scale scale);
static inline int picture_source(int at, struct picture_scale scale)
{
    return at / scale.zoom * scale.step;
}

#endif

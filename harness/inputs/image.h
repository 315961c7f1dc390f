/*
 * image.h - grey images of 8, 16 or 32-bit float samples: PNG, PGM, PFM; depth of 24 bits: PNG
 *
 * The file's values as they are, before any meaning (dataset.h gives them one).
 */
#ifndef INPUTS_IMAGE_H
#define INPUTS_IMAGE_H

#include "harness/inputs/plane.h"

#include <stddef.h>
#include <stdint.h>

/* IMAGE_DEPTH24: uint32_t of 0..DEPTH24_MAX; only image_read_depth24 and image_parse_depth24
 * make it. */
enum image_type { IMAGE_U8, IMAGE_U16, IMAGE_F32, IMAGE_DEPTH24 };

#define DEPTH24_MAX 0xFFFFFFu /* the largest value of 24 bits */

struct image {
    int width, height;
    enum image_type type;
    /* [height][width] uint8_t, uint16_t, float or uint32_t by the type, host order; row 0 at
     * the top; owned */
    void *pixels;
};

void image_free(struct image *image);

/*
 * Read one grey image; the kind is told by the first bytes, never by the name.  PNG: grey of
 * 1..16 bits (palette, colour and alpha are errors that say how many channels were found); PGM:
 * P5 and P2, maxval 1..65535; PFM: "Pf", both byte orders, turned so that row 0 is the top.
 * BENCH_EIO: cannot be opened or read; BENCH_EINPUT: not such an image, truncated, a side over
 * INPUTS_MAX_SIDE; BENCH_ENOMEM.  One sentence with the file's name; 'image' is left empty
 * then.
 */
enum bench_status image_read(const char *path, struct image *image);

/* The same from memory ('name' for messages only): what the fuzzer calls. */
enum bench_status image_parse(const void *bytes, size_t n_bytes, const char *name,
                              struct image *image);

/*
 * Read one image of depth in 24 bits: a PNG of 8-bit RGB or RGBA, whose pixel has the value R +
 * 256 G + 65536 B (alpha is not looked at); 'image' gets the type IMAGE_DEPTH24.  Anything
 * else, grey of any format too, is BENCH_EINPUT; errors as for image_read.
 */
enum bench_status image_read_depth24(const char *path, struct image *image);

/* The same from memory. */
enum bench_status image_parse_depth24(const void *bytes, size_t n_bytes, const char *name,
                                      struct image *image);

/* Write [height][width][3] 8-bit RGB as PNG, through a temporary file that replaces 'path' when
 * whole. */
enum bench_status image_write_rgb(const char *path, const uint8_t *rgb, int width, int height);

/* Write [height][width] 16-bit grey PNG, the same way. */
enum bench_status image_write_u16(const char *path, const uint16_t *grey, int width,
                                  int height);

/* What an integer 0 and other special values mean, and how values become pixels of
 * disparity. */
struct disparity_coding {
    double scale;        /* disparity_px = (value - offset) / scale */
    double offset;       /* 0 unless the format says otherwise (Cityscapes: 1) */
    int zero_is_invalid; /* integer images: 1: value 0 is no measurement */
    int max_is_invalid;  /* integer images: 1: the type's largest value is no measurement */
    /* IMAGE_DEPTH24, for which the above means nothing: each above zero and finite;
     * disparity_px = fx_px * baseline_m / depth_m, depth_m = max_m * value / DEPTH24_MAX */
    double max_m, fx_px, baseline_m;
};

/* Turn 'image' into plane->disparity (allocated here).  Non-finite floats, values below zero
 * after the offset, and depth 0 are invalid; values above DISPARITY_MAX are clamped and counted
 * in plane->n_clamped.  BENCH_EINPUT when 'coding' is out of range, BENCH_ENOMEM. */
enum bench_status image_to_disparity(const struct image *image,
                                     const struct disparity_coding *coding,
                                     struct plane *plane);

#endif

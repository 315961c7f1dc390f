/*
 * image.h - grey images of 8, 16 or 32-bit float samples: PNG, PGM, PFM; depth of 24 bits: PNG
 *
 * The file's values as they are, before any meaning (dataset.h gives them one).
 */
#ifndef INPUTS_IMAGE_H
#define INPUTS_IMAGE_H

#include "harness/inputs/coding.h"

#include <stddef.h>
#include <stdint.h>

struct image {
    int width, height;
    enum image_type type;
    /* [height][width] uint8_t, uint16_t, float or uint32_t by the type, host order; row 0 at
     * the top; owned */
    void *pixels;
    size_t n_surplus; /* bytes of the file behind a whole image */
};

/* Images of more pixels are refused before they are decoded: 64 million unless this says
 * another number.  Not for several threads. */
#define IMAGE_MAX_PIXELS 64000000
void image_limit_pixels(int most);

/* BENCH_EINPUT for impossible sides or too many pixels.  'where' begins the sentence. */
enum bench_status image_check_sides(const char *where, uint64_t width, uint64_t height);

void image_free(struct image *image);

/*
 * Read one image; its format is told by the first bytes, never by the name.
 *
 * IMAGE_GREY     PNG: grey of 1..16 bits (palette, colour and alpha are errors that say how
 *                many channels were found); PGM: P5 and P2, maxval 1..65535; PFM: "Pf", both
 *                byte orders, turned so that row 0 is the top
 * IMAGE_COLOURS  depth in 24 bits: a PNG of 8-bit RGB or RGBA, or a PPM (P6), of the type
 *                IMAGE_DEPTH24, whose pixels are R + 256 G + 65536 B, alpha or not
 * IMAGE_VIEW     what a camera saw, 8 bits a channel: a grey PNG, or those of IMAGE_COLOURS
 *
 * Header lines may end in CR LF.  BENCH_EIO: cannot be opened or read; BENCH_EINPUT: not such
 * an image, truncated, bytes behind the pixels of a PGM or PFM, whose header may be wrong then,
 * sides that image_check_sides() refuses; BENCH_ENOMEM.  One sentence with the file's name;
 * 'image' is left empty then.
 */
enum image_kind { IMAGE_GREY, IMAGE_COLOURS, IMAGE_VIEW };
enum bench_status image_read(const char *path, enum image_kind kind, struct image *image);

/* The same from memory ('name' for messages only): what the fuzzer calls. */
enum bench_status image_parse(const void *bytes, size_t n_bytes, const char *name,
                              enum image_kind kind, struct image *image);

/* The pixels alone, the caller's, of a grey image of 8 bits and this size; BENCH_EINPUT for
 * another: "PATH: 6 x 6 WHAT, expected 5 x 6". */
enum bench_status image_read_u8(const char *path, const char *what, int width, int height,
                                uint8_t **pixels);

/* Write [height][width][3] 8-bit RGB as PNG, which replaces 'path' when it is whole. */
enum bench_status image_write_rgb(const char *path, const uint8_t *rgb, int width, int height);

/* Turn 'image' into plane->disparity (allocated here) and plane->values, by coding_decode(),
 * which says how it fails. */
enum bench_status image_to_disparity(const struct image *image,
                                     const struct disparity_coding *coding,
                                     struct plane *plane);

#endif

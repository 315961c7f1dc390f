/*
 * image.c - read grey PNG, PGM and PFM, and depth in the colours of a PNG; write PNG; turn
 * values into disparity
 *
 * Every size is checked against the number of bytes at hand before anything is allocated: a
 * header of forty bytes cannot ask for gigabytes.
 */
#include "harness/inputs/image.h"
#include "harness/base/text.h"
#include "harness/base/file.h"

#include <assert.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* RFC 1951: a match of 258 bytes takes two bits at least, so deflate gains at most 1032 : 1. */
#define DEFLATE_MAX_RATIO 1032

/* Our own pictures may put a few frames side by side. */
#define MAX_OUTPUT_SIDE (4 * INPUTS_MAX_SIDE)

static const uint8_t png_magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

void image_free(struct image *image)
{
    free(image->pixels);
    memset(image, 0, sizeof *image);
}

/* One sentence for every format when a side is out of range. */
static enum bench_status check_sides(const char *name, uint64_t width, uint64_t height)
{
    if (width < 1 || height < 1 || width > INPUTS_MAX_SIDE || height > INPUTS_MAX_SIDE)
        return BENCH_FAIL(
            BENCH_EINPUT, "%s: the header says %llu x %llu pixels, each side must be 1..%d",
            name, (unsigned long long)width, (unsigned long long)height, INPUTS_MAX_SIDE);
    return BENCH_OK;
}

static size_t bytes_of(enum image_type type)
{
    return type == IMAGE_U8 ? 1 : type == IMAGE_U16 ? 2 : 4;
}

/* Sides are checked before.  Zeroed: a decoder that fills too little leaves no rubbish. */
static enum bench_status image_alloc(struct image *image, const char *name, int width,
                                     int height, enum image_type type)
{
    const size_t n_pixels = (size_t)width * (size_t)height;

    image->pixels = calloc(n_pixels, bytes_of(type));
    if (image->pixels == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for %d x %d pixels of %zu bytes", name,
                          width, height, bytes_of(type));
    image->width = width;
    image->height = height;
    image->type = type;
    return BENCH_OK;
}

/* ---- PNG ---- */

/* All that the decoder touches lives here and not in locals, which a longjmp may spoil. */
struct png_job {
    const uint8_t *bytes; /* borrowed */
    size_t n_bytes, at;
    const char *name;    /* borrowed, for messages */
    int is_depth24;      /* 1: 24 bits in RGB(A); 0: grey */
    struct image *image; /* borrowed */
    png_structp png;     /* owned */
    png_infop info;      /* owned */
    enum bench_status status;
    char reason[160]; /* libpng's sentence */
    jmp_buf back;
};

static void png_on_error(png_structp png, png_const_charp message)
{
    struct png_job *job = png_get_error_ptr(png);

    snprintf(job->reason, sizeof job->reason, "%s", message);
    longjmp(job->back, 1);
}

/* Warnings are about chunks that we do not use. */
static void png_on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void png_from_memory(png_structp png, png_bytep out, size_t n_bytes)
{
    struct png_job *job = png_get_io_ptr(png);

    if (n_bytes > job->n_bytes - job->at)
        png_error(png, "the file ends too early");
    memcpy(out, job->bytes + job->at, n_bytes);
    job->at += n_bytes;
}

static uint32_t big_endian_32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           bytes[3];
}

/* The channels of a colour type of PNG, a palette's among them; 0: there is no such type. */
static unsigned channels_of(unsigned colour_type)
{
    switch (colour_type) {
    case PNG_COLOR_TYPE_GRAY:
        return 1;
    case PNG_COLOR_TYPE_GRAY_ALPHA:
        return 2;
    case PNG_COLOR_TYPE_RGB:
    case PNG_COLOR_TYPE_PALETTE:
        return 3;
    case PNG_COLOR_TYPE_RGB_ALPHA:
        return 4;
    default:
        return 0;
    }
}

static enum bench_status check_grey(const char *name, unsigned colour_type)
{
    if (colour_type == PNG_COLOR_TYPE_PALETTE)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: a palette of colours (3 channels), expected 1 channel of grey",
                          name);
    if (colour_type != PNG_COLOR_TYPE_GRAY)
        return BENCH_FAIL(BENCH_EINPUT, "%s: %u channels, expected 1", name,
                          channels_of(colour_type));
    return BENCH_OK;
}

static enum bench_status check_depth24(const char *name, unsigned colour_type, unsigned bits)
{
    if (colour_type == PNG_COLOR_TYPE_PALETTE)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: a palette of colours, expected 24 bits of depth as RGB or RGBA",
                          name);
    if (channels_of(colour_type) < 3)
        return BENCH_FAIL(BENCH_EINPUT, "%s: grey, expected 24 bits of depth as RGB or RGBA",
                          name);
    if (bits != 8)
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: %u bits a channel, expected 24 bits of depth as 8-bit RGB or RGBA", name,
            bits);
    return BENCH_OK;
}

/* Checks on the IHDR chunk that libpng makes too, but with sentences of our own. */
static enum bench_status check_png_header(const uint8_t *bytes, size_t n_bytes,
                                          const char *name, int is_depth24)
{
    if (n_bytes < 33)
        return BENCH_FAIL(BENCH_EINPUT, "%s: a PNG of only %zu bytes, cut off in its header",
                          name, n_bytes);
    if (memcmp(bytes + 12, "IHDR", 4) != 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: broken PNG: the first chunk is not IHDR", name);

    const uint32_t width = big_endian_32(bytes + 16), height = big_endian_32(bytes + 20);
    const unsigned bits = bytes[24], colour_type = bytes[25];

    TRY(check_sides(name, width, height));
    if (channels_of(colour_type) == 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: broken PNG: colour type %u does not exist", name,
                          colour_type);
    TRY(is_depth24 ? check_depth24(name, colour_type, bits) : check_grey(name, colour_type));
    if (bits != 1 && bits != 2 && bits != 4 && bits != 8 && bits != 16)
        return BENCH_FAIL(BENCH_EINPUT, "%s: broken PNG: %u bits a sample do not exist", name,
                          bits);

    const uint64_t pixel_bits = (uint64_t)bits * channels_of(colour_type);
    const uint64_t raw_bytes = (uint64_t)height * (((uint64_t)width * pixel_bits + 7) / 8);

    if (raw_bytes / DEFLATE_MAX_RATIO > n_bytes)
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: truncated PNG: %zu bytes cannot hold the %u x %u pixels that its "
            "header says",
            name, n_bytes, (unsigned)width, (unsigned)height);
    return BENCH_OK;
}

/* [n_pixels] R, G, B and a byte that does not count -> the value of each, in place. */
static void join_channels(void *pixels, size_t n_pixels)
{
    uint8_t *bytes = pixels;

    for (size_t i = 0; i < n_pixels; i++, bytes += 4) {
        const uint32_t value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;

        memcpy(bytes, &value, sizeof value);
    }
}

/* Everything that may longjmp.  No locals that change after setjmp in the caller. */
static void decode_png(struct png_job *job)
{
    png_set_user_limits(job->png, INPUTS_MAX_SIDE, INPUTS_MAX_SIDE);
    /* text, colour profiles and so on are skipped, not unpacked */
    png_set_keep_unknown_chunks(job->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_read_fn(job->png, job, png_from_memory);
    png_read_info(job->png, job->info);

    const int width = (int)png_get_image_width(job->png, job->info);
    const int height = (int)png_get_image_height(job->png, job->info);
    const int bits = png_get_bit_depth(job->png, job->info);
    const enum image_type type = job->is_depth24 ? IMAGE_DEPTH24
                                 : bits == 16    ? IMAGE_U16
                                                 : IMAGE_U8;

    if (job->is_depth24) /* RGB gets a fourth byte, RGBA has it */
        png_set_filler(job->png, 0, PNG_FILLER_AFTER);
    if (bits < 8)
        png_set_packing(job->png); /* one sample a byte, its value as it is */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (bits == 16)
        png_set_swap(job->png);
#endif
    const int n_passes = png_set_interlace_handling(job->png);

    png_read_update_info(job->png, job->info);

    const size_t row_bytes = (size_t)width * bytes_of(type);

    if (png_get_rowbytes(job->png, job->info) != row_bytes)
        png_error(job->png, "unexpected row size");
    job->status = image_alloc(job->image, job->name, width, height, type);
    if (job->status != BENCH_OK)
        return;
    for (int pass = 0; pass < n_passes; pass++) {
        uint8_t *row = job->image->pixels;

        for (int v = 0; v < height; v++, row += row_bytes)
            png_read_row(job->png, row, NULL);
    }
    png_read_end(job->png, NULL);
    if (job->is_depth24)
        join_channels(job->image->pixels, (size_t)width * (size_t)height);
}

static enum bench_status parse_png(const uint8_t *bytes, size_t n_bytes, const char *name,
                                   int is_depth24, struct image *image)
{
    TRY(check_png_header(bytes, n_bytes, name, is_depth24));

    struct png_job *job = calloc(1, sizeof *job);

    if (job == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for the PNG decoder", name);
    job->bytes = bytes;
    job->n_bytes = n_bytes;
    job->name = name;
    job->is_depth24 = is_depth24;
    job->image = image;

    enum bench_status status;

    if (setjmp(job->back) != 0) {
        job->status = BENCH_FAIL(BENCH_EINPUT, "%s: broken PNG: %s", name, job->reason);
    } else {
        job->png =
            png_create_read_struct(PNG_LIBPNG_VER_STRING, job, png_on_error, png_on_warning);
        if (job->png != NULL)
            job->info = png_create_info_struct(job->png);
        if (job->info == NULL)
            job->status = BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for the PNG decoder", name);
        else
            decode_png(job);
    }
    png_destroy_read_struct(&job->png, &job->info, NULL);
    status = job->status;
    free(job);
    return status;
}

/* ---- PGM, PFM ---- */

/* A reader of the text part of a netpbm file. */
struct cursor {
    const uint8_t *bytes;
    size_t n_bytes, at;
};

static int is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Skip blanks and comments, which run from '#' to the end of the line. */
static void skip_blanks(struct cursor *c)
{
    while (c->at < c->n_bytes) {
        if (c->bytes[c->at] == '#') {
            while (c->at < c->n_bytes && c->bytes[c->at] != '\n' && c->bytes[c->at] != '\r')
                c->at++;
        } else if (is_blank(c->bytes[c->at])) {
            c->at++;
        } else {
            return;
        }
    }
}

/* A whole decimal number, at most 'max'.  0: there is none; -1: it is larger. */
static int read_number(struct cursor *c, uint32_t max, uint32_t *number)
{
    uint64_t n = 0;
    const size_t start = (skip_blanks(c), c->at);

    while (c->at < c->n_bytes && c->bytes[c->at] >= '0' && c->bytes[c->at] <= '9') {
        n = n * 10 + (uint64_t)(c->bytes[c->at] - '0');
        if (n > UINT32_MAX)
            n = UINT32_MAX;
        c->at++;
    }
    if (c->at == start)
        return 0;
    *number = (uint32_t)n;
    return n > max ? -1 : 1;
}

static enum bench_status read_sides(struct cursor *c, const char *name, const char *format,
                                    int *width, int *height)
{
    uint32_t w = 0, h = 0;

    if (read_number(c, INPUTS_MAX_SIDE, &w) == 0 || read_number(c, INPUTS_MAX_SIDE, &h) == 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: broken %s: expected width and height at byte %zu",
                          name, format, c->at);
    TRY(check_sides(name, w, h));
    *width = (int)w;
    *height = (int)h;
    return BENCH_OK;
}

/* The raster begins after exactly one blank. */
static enum bench_status enter_raster(struct cursor *c, const char *name, const char *format,
                                      uint64_t expected_bytes)
{
    if (c->at >= c->n_bytes || !is_blank(c->bytes[c->at]))
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: broken %s: expected one blank between header and pixels at byte %zu", name,
            format, c->at);
    c->at++;
    if (expected_bytes > c->n_bytes - c->at)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: truncated %s: expected %llu bytes of pixels, found %zu", name,
                          format, (unsigned long long)expected_bytes, c->n_bytes - c->at);
    return BENCH_OK;
}

static enum bench_status sample_too_large(const char *name, uint32_t sample, uint32_t max_value)
{
    return BENCH_FAIL(BENCH_EINPUT, "%s: a sample of %u in a PGM whose header allows 0..%u",
                      name, (unsigned)sample, (unsigned)max_value);
}

static enum bench_status read_pgm_binary(struct cursor *c, const char *name, uint32_t max_value,
                                         struct image *image)
{
    const size_t n_pixels = (size_t)image->width * (size_t)image->height;
    const uint8_t *raster = c->bytes + c->at;
    uint32_t largest = 0;

    if (image->type == IMAGE_U8) {
        uint8_t *pixels = image->pixels;

        memcpy(pixels, raster, n_pixels);
        for (size_t i = 0; i < n_pixels; i++)
            largest = pixels[i] > largest ? pixels[i] : largest;
    } else {
        uint16_t *pixels = image->pixels;

        for (size_t i = 0; i < n_pixels; i++) {
            pixels[i] = (uint16_t)(raster[2 * i] << 8 | raster[2 * i + 1]);
            largest = pixels[i] > largest ? pixels[i] : largest;
        }
    }
    return largest > max_value ? sample_too_large(name, largest, max_value) : BENCH_OK;
}

static enum bench_status read_pgm_text(struct cursor *c, const char *name, uint32_t max_value,
                                       struct image *image)
{
    const size_t n_pixels = (size_t)image->width * (size_t)image->height;

    for (size_t i = 0; i < n_pixels; i++) {
        uint32_t sample = 0;
        const int found = read_number(c, max_value, &sample);

        if (found < 0)
            return sample_too_large(name, sample, max_value);
        if (found == 0)
            return BENCH_FAIL(
                BENCH_EINPUT,
                "%s: %s PGM: expected %zu samples, number %zu is missing at byte %zu", name,
                c->at >= c->n_bytes ? "truncated" : "broken", n_pixels, i + 1, c->at);
        if (image->type == IMAGE_U8)
            ((uint8_t *)image->pixels)[i] = (uint8_t)sample;
        else
            ((uint16_t *)image->pixels)[i] = (uint16_t)sample;
    }
    return BENCH_OK;
}

static enum bench_status parse_pgm(struct cursor *c, const char *name, int is_text,
                                   struct image *image)
{
    int width = 0, height = 0;
    uint32_t max_value = 0;

    c->at = 2;
    TRY(read_sides(c, name, "PGM", &width, &height));
    if (read_number(c, 65535, &max_value) != 1 || max_value == 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: broken PGM: expected a largest value of 1..65535",
                          name);

    const enum image_type type = max_value < 256 ? IMAGE_U8 : IMAGE_U16;
    const uint64_t n_pixels = (uint64_t)width * (uint64_t)height;

    /* as text, a sample takes a digit and, but for the last one, a blank */
    TRY(enter_raster(c, name, "PGM", is_text ? 2 * n_pixels - 1 : n_pixels * bytes_of(type)));
    TRY(image_alloc(image, name, width, height, type));
    return is_text ? read_pgm_text(c, name, max_value, image)
                   : read_pgm_binary(c, name, max_value, image);
}

/*
 * The third number of a PFM: its sign is the byte order.  Its size is a unit that nobody agrees
 * on, and is ignored.  Not strtod, whose decimal point depends on the locale.
 */
static enum bench_status read_pfm_scale(struct cursor *c, const char *name, int *is_little)
{
    size_t n = 0, n_digits = 0;
    int non_zero = 0, in_exponent = 0;

    skip_blanks(c);

    const uint8_t *text = c->bytes + c->at;
    const size_t left = c->n_bytes - c->at;

    *is_little = left > 0 && text[0] == '-';
    if (left > 0 && (text[0] == '-' || text[0] == '+'))
        n++;
    for (; n < left && !is_blank(text[n]); n++) {
        if (text[n] >= '0' && text[n] <= '9') {
            n_digits++;
            non_zero |= !in_exponent && text[n] != '0';
        } else if ((text[n] == 'e' || text[n] == 'E') && n_digits > 0 && !in_exponent) {
            in_exponent = 1;
        } else if (text[n] != '.' && !(in_exponent && (text[n] == '-' || text[n] == '+'))) {
            break;
        }
    }
    if (!non_zero || n > 32)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: broken PFM: expected a scale that is not zero at byte %zu", name,
                          c->at);
    c->at += n;
    return BENCH_OK;
}

static enum bench_status parse_pfm(struct cursor *c, const char *name, struct image *image)
{
    int width = 0, height = 0, is_little = 0;

    c->at = 2;
    TRY(read_sides(c, name, "PFM", &width, &height));
    TRY(read_pfm_scale(c, name, &is_little));
    TRY(enter_raster(c, name, "PFM", (uint64_t)width * (uint64_t)height * 4));
    TRY(image_alloc(image, name, width, height, IMAGE_F32));

    const uint8_t *raster = c->bytes + c->at;
    float *pixels = image->pixels;

    for (int v = 0; v < height; v++) {
        /* the first row of the file is the bottom one */
        float *row = pixels + (size_t)(height - 1 - v) * (size_t)width;

        for (int u = 0; u < width; u++, raster += 4) {
            uint32_t word = big_endian_32(raster);

            if (is_little)
                word = __builtin_bswap32(word);
            memcpy(&row[u], &word, sizeof word);
        }
    }
    return BENCH_OK;
}

/* ---- any format ---- */

static enum bench_status parse_grey(const uint8_t *bytes, size_t n_bytes, const char *name,
                                    struct image *image)
{
    struct cursor c = {bytes, n_bytes, 0};

    if (n_bytes >= 3 && bytes[0] == 'P' && (is_blank(bytes[2]) || bytes[2] == '#')) {
        switch (bytes[1]) {
        case '2':
        case '5':
            return parse_pgm(&c, name, bytes[1] == '2', image);
        case 'f':
            return parse_pfm(&c, name, image);
        case '3':
        case '6':
        case 'F':
            return BENCH_FAIL(BENCH_EINPUT, "%s: 3 channels, expected 1", name);
        case '1':
        case '4':
            return BENCH_FAIL(BENCH_EINPUT, "%s: a bitmap of black and white, expected grey",
                              name);
        default:
            break;
        }
    }
    return BENCH_FAIL(BENCH_EINPUT, "%s: neither PNG, PGM (P2, P5) nor PFM (Pf)", name);
}

static enum bench_status parse_any(const uint8_t *bytes, size_t n_bytes, const char *name,
                                   int is_depth24, struct image *image)
{
    if (n_bytes == 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: the file is empty", name);
    if (bytes[0] == png_magic[0]) {
        if (n_bytes >= sizeof png_magic && memcmp(bytes, png_magic, sizeof png_magic) == 0)
            return parse_png(bytes, n_bytes, name, is_depth24, image);
        return BENCH_FAIL(BENCH_EINPUT, "%s: begins like a PNG but its signature is broken",
                          name);
    }
    if (is_depth24)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: no PNG, expected one with 24 bits of depth as RGB or RGBA",
                          name);
    return parse_grey(bytes, n_bytes, name, image);
}

static enum bench_status parse_or_clear(const void *bytes, size_t n_bytes, const char *name,
                                        int is_depth24, struct image *image)
{
    memset(image, 0, sizeof *image);

    const enum bench_status status = parse_any(bytes, n_bytes, name, is_depth24, image);

    if (status != BENCH_OK)
        image_free(image);
    return status;
}

enum bench_status image_parse(const void *bytes, size_t n_bytes, const char *name,
                              struct image *image)
{
    return parse_or_clear(bytes, n_bytes, name, 0, image);
}

enum bench_status image_parse_depth24(const void *bytes, size_t n_bytes, const char *name,
                                      struct image *image)
{
    return parse_or_clear(bytes, n_bytes, name, 1, image);
}

static enum bench_status read_file(const char *path, int is_depth24, struct image *image)
{
    /* the largest thing that we take: a text PGM, sides at their limit, "65535 " a sample */
    const uint64_t max_bytes = (uint64_t)INPUTS_MAX_SIDE * INPUTS_MAX_SIDE * 6 + 65536;
    uint8_t *bytes;
    size_t n_bytes;
    enum bench_status status;

    memset(image, 0, sizeof *image);
    TRY(file_read(path, max_bytes, "image", &bytes, &n_bytes));
    status = parse_or_clear(bytes, n_bytes, path, is_depth24, image);
    free(bytes);
    return status;
}

enum bench_status image_read(const char *path, struct image *image)
{
    return read_file(path, 0, image);
}

enum bench_status image_read_depth24(const char *path, struct image *image)
{
    return read_file(path, 1, image);
}

/* ---- writing ---- */

struct png_output {
    const uint8_t *pixels; /* borrowed */
    int width, height;
    int n_channels, bits;
    struct text file; /* owned */
    png_structp png;
    png_infop info;
    char reason[160];
    jmp_buf back;
};

static void png_on_write(png_structp png, png_bytep bytes, png_size_t n_bytes)
{
    text_bytes(png_get_io_ptr(png), bytes, n_bytes);
}

static void png_on_write_error(png_structp png, png_const_charp message)
{
    struct png_output *out = png_get_error_ptr(png);

    snprintf(out->reason, sizeof out->reason, "%s", message);
    longjmp(out->back, 1);
}

static void encode_png(struct png_output *out)
{
    const size_t row_bytes =
        (size_t)out->width * (size_t)out->n_channels * (size_t)(out->bits / 8);

    png_set_write_fn(out->png, &out->file, png_on_write, NULL);
    png_set_IHDR(out->png, out->info, (png_uint_32)out->width, (png_uint_32)out->height,
                 out->bits, out->n_channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(out->png, out->info);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (out->bits == 16)
        png_set_swap(out->png);
#endif
    for (int v = 0; v < out->height; v++)
        png_write_row(out->png, out->pixels + (size_t)v * row_bytes);
    png_write_end(out->png, NULL);
}

/* Returns 0, or leaves libpng's sentence in out->reason. */
static int encode_or_reason(struct png_output *out)
{
    if (setjmp(out->back) != 0) {
        png_destroy_write_struct(&out->png, &out->info);
        return -1;
    }
    out->png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, out, png_on_write_error, png_on_warning);
    if (out->png != NULL)
        out->info = png_create_info_struct(out->png);
    if (out->info == NULL)
        longjmp(out->back, 1);
    encode_png(out);
    png_destroy_write_struct(&out->png, &out->info);
    return 0;
}

static enum bench_status write_png(struct png_output *out, const char *path)
{
    enum bench_status status;

    if (out->width < 1 || out->height < 1 || out->width > MAX_OUTPUT_SIDE ||
        out->height > MAX_OUTPUT_SIDE)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: a picture of %d x %d pixels: each side must be 1..%d", path,
                          out->width, out->height, MAX_OUTPUT_SIDE);
    status = encode_or_reason(out) == 0
                 ? text_replace_file(path, &out->file)
                 : BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", path,
                              out->reason[0] ? out->reason : "no memory for the PNG encoder");
    text_free(&out->file);
    return status;
}

enum bench_status image_write_rgb(const char *path, const uint8_t *rgb, int width, int height)
{
    struct png_output out = {
        .pixels = rgb, .width = width, .height = height, .n_channels = 3, .bits = 8};

    return write_png(&out, path);
}

enum bench_status image_write_u16(const char *path, const uint16_t *grey, int width, int height)
{
    struct png_output out = {.pixels = (const uint8_t *)grey,
                             .width = width,
                             .height = height,
                             .n_channels = 1,
                             .bits = 16};

    return write_png(&out, path);
}

/* ---- meaning ---- */

#define CLAMPED 0x10000u /* flag beside a 16-bit value */

/* One value as 1/256 px, rounded to nearest, half up; with CLAMPED where it was too large. */
static uint32_t encode_value(double value, const struct disparity_coding *coding)
{
    const double shifted = value - coding->offset;

    if (!isfinite(value) || shifted < 0)
        return DISPARITY_INVALID;

    /* the product is exact for integer images, so a scale of 256 maps 1 : 1 */
    const double units = floor(shifted * DISPARITY_SCALE / coding->scale + 0.5);

    return units > DISPARITY_MAX ? CLAMPED | DISPARITY_MAX : (uint32_t)units;
}

/* [65536] or [256]: what each value of an integer image becomes. */
static void make_table(uint32_t *table, uint32_t n_values,
                       const struct disparity_coding *coding)
{
    for (uint32_t value = 0; value < n_values; value++)
        table[value] = encode_value((double)value, coding);
    if (coding->zero_is_invalid)
        table[0] = DISPARITY_INVALID;
    if (coding->max_is_invalid)
        table[n_values - 1] = DISPARITY_INVALID;
}

/* Returns how many were clamped. */
static size_t encode_image(const struct image *image, const struct disparity_coding *coding,
                           const uint32_t *table, uint16_t *disparity)
{
    const size_t n_pixels = (size_t)image->width * (size_t)image->height;
    size_t n_clamped = 0;

    for (size_t i = 0; i < n_pixels; i++) {
        uint32_t code;

        if (image->type == IMAGE_U8)
            code = table[((const uint8_t *)image->pixels)[i]];
        else if (image->type == IMAGE_U16)
            code = table[((const uint16_t *)image->pixels)[i]];
        else
            code = encode_value((double)((const float *)image->pixels)[i], coding);
        disparity[i] = (uint16_t)code;
        n_clamped += code >> 16;
    }
    return n_clamped;
}

enum bench_status image_to_disparity(const struct image *image,
                                     const struct disparity_coding *coding, struct plane *plane)
{
    assert(image->type != IMAGE_DEPTH24);
    if (!isfinite(coding->scale) || !(coding->scale > 0) || !isfinite(coding->offset))
        return BENCH_FAIL(
            BENCH_EINPUT,
            "disparity = (value - %g) / %g: the scale must be above zero, both finite",
            coding->offset, coding->scale);

    const uint32_t n_values = image->type == IMAGE_U8 ? 256 : 65536;
    uint32_t *table = NULL;

    if (image->type != IMAGE_F32) {
        table = malloc(n_values * sizeof *table);
        if (table == NULL)
            return BENCH_FAIL(BENCH_ENOMEM, "no memory for a table of %u values", n_values);
        make_table(table, n_values, coding);
    }

    const enum bench_status status = plane_alloc(plane, image->width, image->height);

    if (status == BENCH_OK)
        plane->n_clamped = encode_image(image, coding, table, plane->disparity);
    free(table);
    return status;
}

static int is_length(double x)
{
    return isfinite(x) && x > 0;
}

enum bench_status image_depth24_to_disparity(const struct image *image,
                                             const struct depth_coding *coding,
                                             struct plane *plane)
{
    assert(image->type == IMAGE_DEPTH24);
    if (!is_length(coding->max_m) || !is_length(coding->fx_px) ||
        !is_length(coding->baseline_m))
        return BENCH_FAIL(
            BENCH_EINPUT,
            "disparity from depth: expected a largest depth, fx and baseline above "
            "zero and finite, found %g m, %g px and %g m",
            coding->max_m, coding->fx_px, coding->baseline_m);
    TRY(plane_alloc(plane, image->width, image->height));

    const struct disparity_coding pixels_to_units = {.scale = 1};
    /* of the value 1: one division is left for each pixel, and no depth in metres to be rounded */
    const double nearest_px = coding->fx_px * coding->baseline_m * DEPTH24_MAX / coding->max_m;
    const size_t n_pixels = (size_t)image->width * (size_t)image->height;
    const uint32_t *value = image->pixels;

    plane->n_clamped = 0;
    for (size_t i = 0; i < n_pixels; i++) {
        const uint32_t code = value[i] == 0
                                  ? DISPARITY_INVALID
                                  : encode_value(nearest_px / value[i], &pixels_to_units);

        plane->disparity[i] = (uint16_t)code;
        plane->n_clamped += code >> 16;
    }
    return BENCH_OK;
}

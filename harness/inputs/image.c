/*
 * image.c - read grey PNG, PGM and PFM, and depth in the colours of a PNG; write PNG; turn
 * values into disparity
 *
 * Every size is checked against the number of bytes at hand before anything is allocated: a
 * header of forty bytes cannot ask for gigabytes.
 */
#include "harness/inputs/image.h"
#include "harness/base/file.h"
#include "harness/base/memory.h"
#include "harness/base/params.h"
#include "harness/base/text.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* RFC 1951: a match of 258 bytes takes two bits at least, so deflate gains at most 1032 : 1. */
#define DEFLATE_MAX_RATIO 1032

void image_free(struct image *image)
{
    free(image->pixels);
    memset(image, 0, sizeof *image);
}

/* The bytes of a file on their way to an image; all but 'at' is borrowed. */
struct reader {
    const uint8_t *bytes;
    size_t n_bytes, at;
    const char *name; /* for messages */
    bool is_view;     /* grey or colours, whichever it has */
    int is_depth24;   /* 1: 24 bits in RGB(A); 0: grey */
    struct image *image;
};

static int max_pixels = IMAGE_MAX_PIXELS;

void image_limit_pixels(int most)
{
    max_pixels = most;
}

enum bench_status image_check_sides(const char *where, uint64_t width, uint64_t height)
{
    REFUSE_IF(width < 1 || height < 1 || width > INPUTS_MAX_SIDE || height > INPUTS_MAX_SIDE,
              "%s: expected sides of 1 to %d px, found %llu x %llu in the header", where,
              INPUTS_MAX_SIDE, (unsigned long long)width, (unsigned long long)height);
    REFUSE_IF(width * height > (uint64_t)max_pixels,
              "%s: expected at most %d pixels, found %llu x %llu in the header: --max-pixels "
              "%llu takes them",
              where, max_pixels, (unsigned long long)width, (unsigned long long)height,
              (unsigned long long)(width * height));
    return BENCH_OK;
}

static size_t bytes_of(enum image_type type)
{
    return type == IMAGE_U8 ? 1 : type == IMAGE_U16 ? 2 : 4;
}

static size_t count_pixels(const struct image *image)
{
    return (size_t)image->width * (size_t)image->height;
}

/* Sides are checked before.  Zeroed: a decoder that fills too little leaves no rubbish. */
static enum bench_status image_alloc(struct reader *r, uint32_t width, uint32_t height,
                                     enum image_type type)
{
    *r->image = (struct image){.width = (int)width, .height = (int)height, .type = type};
    return memory_allocate(&r->image->pixels, bytes_of(type), 1, 1, (int)height, (int)width);
}

/* ---- libpng ---- */

/* All that libpng's callers touch lives here and not in locals, which a longjmp may spoil. */
struct png_call {
    enum bench_status (*work)(struct png_call *call);
    void *data;       /* of 'work', borrowed */
    const char *name; /* for messages, borrowed */
    png_structp png;  /* owned, as 'info' */
    png_infop info;
    char reason[160]; /* libpng's sentence */
    jmp_buf back;
};

static void png_on_error(png_structp png, png_const_charp message)
{
    struct png_call *call = png_get_error_ptr(png);

    snprintf(call->reason, sizeof call->reason, "%s", message);
    longjmp(call->back, 1);
}

/* Warnings are about chunks that we do not use. */
static void png_on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

/* Do the work, between making libpng's structs and releasing them. */
static enum bench_status call_png(struct png_call *call, int is_writing)
{
    if (setjmp(call->back) != 0)
        return is_writing
                   ? BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", call->name,
                                call->reason)
                   : BENCH_FAIL(BENCH_EINPUT, "%s: broken PNG: %s", call->name, call->reason);
    call->png = (is_writing ? png_create_write_struct : png_create_read_struct)(
        PNG_LIBPNG_VER_STRING, call, png_on_error, png_on_warning);
    if (call->png != NULL)
        call->info = png_create_info_struct(call->png);
    FAIL_IF(call->info == NULL, BENCH_ENOMEM, "%s: no memory for libpng", call->name);
    return call->work(call);
}

/* ---- reading PNG ---- */

static void png_from_memory(png_structp png, png_bytep out, size_t n_bytes)
{
    struct reader *r = png_get_io_ptr(png);

    if (n_bytes > r->n_bytes - r->at)
        png_error(png, "the file ends too early");
    memcpy(out, r->bytes + r->at, n_bytes);
    r->at += n_bytes;
}

static uint32_t big_endian_32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           bytes[3];
}

static const char no_map[] = "expected 1 of grey: a map, not a photo";
static const char no_view[] = "neither a PNG of 8 bits (RGB, RGBA or grey) nor a PPM (P6)";

/* The pixels must be what the reader asks for, and may all be there. */
static enum bench_status check_header(const struct reader *r, const struct png_call *call)
{
    static const char expected[] = "expected 24 bits of depth as RGB or RGBA";
    const uint32_t width = png_get_image_width(call->png, call->info);
    const uint32_t height = png_get_image_height(call->png, call->info);
    const unsigned n_channels = png_get_channels(call->png, call->info);
    const unsigned bits = png_get_bit_depth(call->png, call->info);
    const bool is_palette = png_get_color_type(call->png, call->info) == PNG_COLOR_TYPE_PALETTE;

    TRY(image_check_sides(r->name, width, height));
    REFUSE_IF(r->is_view && (is_palette || bits != 8 || n_channels == 2), "%s: %s", r->name,
              no_view);
    REFUSE_IF(is_palette, "%s: a palette of colours (3 channels), %s", r->name,
              r->is_depth24 ? expected : no_map);
    REFUSE_IF(!r->is_depth24 && n_channels != 1, "%s: %u channels, %s", r->name, n_channels,
              no_map);
    REFUSE_IF(r->is_depth24 && n_channels < 3, "%s: grey, %s", r->name, expected);
    REFUSE_IF(r->is_depth24 && bits != 8, "%s: %u bits a channel, %s of 8 bits each", r->name,
              bits, expected);
    REFUSE_IF(
        height * (uint64_t)png_get_rowbytes(call->png, call->info) / DEFLATE_MAX_RATIO >
            r->n_bytes,
        "%s: truncated PNG: %zu bytes cannot hold the %u x %u pixels that its header says",
        r->name, r->n_bytes, (unsigned)width, (unsigned)height);
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

static enum bench_status decode_png(struct png_call *call)
{
    struct reader *r = call->data;
    png_structp png = call->png;

    /* text, colour profiles and so on are skipped, not unpacked */
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_read_fn(png, r, png_from_memory);
    png_read_info(png, call->info);
    if (r->is_view)
        r->is_depth24 = png_get_channels(png, call->info) > 2;
    TRY(check_header(r, call));

    const uint32_t width = png_get_image_width(png, call->info);
    const uint32_t height = png_get_image_height(png, call->info);
    const int bits = png_get_bit_depth(png, call->info);
    const enum image_type type = r->is_depth24 ? IMAGE_DEPTH24
                                 : bits == 16  ? IMAGE_U16
                                               : IMAGE_U8;
    const size_t row_bytes = width * bytes_of(type);

    if (r->is_depth24) /* RGB gets a fourth byte, RGBA has it */
        png_set_filler(png, 0, PNG_FILLER_AFTER);
    if (bits < 8)
        png_set_packing(png); /* one sample a byte, its value as it is */
    if (bits == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        png_set_swap(png);

    const int n_passes = png_set_interlace_handling(png);

    png_read_update_info(png, call->info);
    if (png_get_rowbytes(png, call->info) != row_bytes)
        png_error(png, "unexpected row size");
    TRY(image_alloc(r, width, height, type));
    for (int pass = 0; pass < n_passes; pass++)
        for (uint32_t v = 0; v < height; v++)
            png_read_row(png, (uint8_t *)r->image->pixels + v * row_bytes, NULL);
    png_read_end(png, NULL);
    r->image->n_surplus = r->n_bytes - r->at;
    if (r->is_depth24)
        join_channels(r->image->pixels, count_pixels(r->image));
    return BENCH_OK;
}

static enum bench_status parse_png(struct reader *r)
{
    struct png_call call = {.work = decode_png, .data = r, .name = r->name};
    const enum bench_status status = call_png(&call, 0);

    png_destroy_read_struct(&call.png, &call.info, NULL);
    return status;
}

/* ---- PGM, PFM ---- */

static int is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Skip blanks and comments, which run from '#' to the end of the line. */
static void skip_blanks(struct reader *r)
{
    int in_comment = 0;

    for (; r->at < r->n_bytes; r->at++) {
        const uint8_t byte = r->bytes[r->at];

        in_comment = byte == '#' || (in_comment && byte != '\n' && byte != '\r');
        if (!in_comment && !is_blank(byte))
            return;
    }
}

/* A whole decimal number; what is beyond 32 bits is UINT32_MAX.  0: there is none. */
static int read_number(struct reader *r, uint32_t *number)
{
    const size_t start = (skip_blanks(r), r->at);
    uint64_t n = 0;

    for (; r->at < r->n_bytes && r->bytes[r->at] >= '0' && r->bytes[r->at] <= '9'; r->at++) {
        n = n * 10 + (uint64_t)(r->bytes[r->at] - '0');
        n = n > UINT32_MAX ? UINT32_MAX : n;
    }
    *number = (uint32_t)n;
    return r->at > start;
}

static enum bench_status read_sides(struct reader *r, const char *format, uint32_t *width,
                                    uint32_t *height)
{
    *width = *height = 0; /* gcc 14 does not see that a failure returns */
    r->at = 2;
    REFUSE_IF(!read_number(r, width) || !read_number(r, height),
              "%s: broken %s: expected width and height at byte %zu", r->name, format, r->at);
    return image_check_sides(r->name, *width, *height);
}

/* The raster begins after exactly one blank, or a CR LF: if other lines of the header end so,
 * or the raster would have a byte too many.  'least': pixels as text may take more bytes. */
static enum bench_status enter_raster(struct reader *r, const char *format, int is_text,
                                      uint64_t least)
{
    const char *const windows = memmem(r->bytes, r->at, "\r\n", 2);

    REFUSE_IF(r->at >= r->n_bytes || !is_blank(r->bytes[r->at]),
              "%s: broken %s: expected one blank between header and pixels at byte %zu",
              r->name, format, r->at);
    if (r->n_bytes - r->at > 1 && memcmp(r->bytes + r->at, "\r\n", 2) == 0 &&
        (windows || r->n_bytes - r->at - 1 > least))
        r->at++;
    r->at++;
    REFUSE_IF(least > r->n_bytes - r->at,
              "%s: truncated %s: expected %llu bytes of pixels, found %zu", r->name, format,
              (unsigned long long)least, r->n_bytes - r->at);
    REFUSE_IF(!is_text && least < r->n_bytes - r->at,
              "%s: broken %s: expected %llu bytes of pixels, found %zu, which are more: the "
              "header is wrong%s",
              r->name, format, (unsigned long long)least, r->n_bytes - r->at,
              windows ? ", or each line end in the file became CR LF" : "");
    return BENCH_OK;
}

static enum bench_status parse_pgm(struct reader *r, int is_text)
{
    uint32_t width, height, max_value = 0, sample = 0;

    TRY(read_sides(r, "PGM", &width, &height));
    REFUSE_IF(!read_number(r, &max_value) || max_value == 0 || max_value > 65535,
              "%s: broken PGM: expected a largest value of 1..65535", r->name);

    const int is_wide = max_value > 255;
    const size_t n_pixels = (size_t)width * height;

    /* as text, a sample takes a digit and, but for the last one, a blank */
    TRY(enter_raster(r, "PGM", is_text, is_text ? 2 * n_pixels - 1 : n_pixels << is_wide));
    TRY(image_alloc(r, width, height, is_wide ? IMAGE_U16 : IMAGE_U8));
    for (size_t i = 0; i < n_pixels; i++) {
        if (!is_text) {
            sample = r->bytes[r->at++];
            if (is_wide)
                sample = sample << 8 | r->bytes[r->at++];
        } else if (!read_number(r, &sample)) {
            return BENCH_FAIL(
                BENCH_EINPUT,
                "%s: %s PGM: expected %zu samples, number %zu is missing at byte %zu", r->name,
                r->at >= r->n_bytes ? "truncated" : "broken", n_pixels, i + 1, r->at);
        }
        REFUSE_IF(sample > max_value, "%s: a sample of %u in a PGM whose header allows 0..%u",
                  r->name, (unsigned)sample, (unsigned)max_value);
        if (is_wide)
            ((uint16_t *)r->image->pixels)[i] = (uint16_t)sample;
        else
            ((uint8_t *)r->image->pixels)[i] = (uint8_t)sample;
    }
    skip_blanks(r); /* of text */
    REFUSE_IF(r->at < r->n_bytes,
              "%s: broken PGM: expected %zu samples, found more at byte %zu", r->name, n_pixels,
              r->at);
    return BENCH_OK;
}

/* The left view of a map may be one. */
static enum bench_status parse_ppm(struct reader *r)
{
    uint32_t width, height, max_value = 0;

    TRY(read_sides(r, "PPM", &width, &height));
    REFUSE_IF(!read_number(r, &max_value) || max_value != 255,
              "%s: broken PPM: a largest value of %u, expected 255", r->name,
              (unsigned)max_value);
    TRY(enter_raster(r, "PPM", 0, (uint64_t)width * height * 3));
    TRY(image_alloc(r, width, height, IMAGE_DEPTH24));
    for (size_t i = 0; r->at < r->n_bytes; i++)
        ((uint32_t *)r->image->pixels)[i / 3] |= (uint32_t)r->bytes[r->at++] << 8 * (i % 3);
    return BENCH_OK;
}

/* The third number of a PFM: its sign is the byte order, its size a unit without a meaning. */
static enum bench_status read_pfm_scale(struct reader *r, int *is_little)
{
    char text[33] = "";
    const char *end;
    double scale = 0;

    skip_blanks(r);
    snprintf(text, sizeof text, "%.*s",
             (int)(r->n_bytes - r->at < 32 ? r->n_bytes - r->at : 32),
             (const char *)r->bytes + r->at);
    end = bench_number(text, &scale);
    REFUSE_IF(end == NULL || scale == 0,
              "%s: broken PFM: expected a scale that is not zero at byte %zu", r->name, r->at);
    r->at += (size_t)(end - text);
    *is_little = scale < 0;
    return BENCH_OK;
}

static enum bench_status parse_pfm(struct reader *r)
{
    uint32_t width, height;
    int is_little = 0;

    TRY(read_sides(r, "PFM", &width, &height));
    TRY(read_pfm_scale(r, &is_little));
    TRY(enter_raster(r, "PFM", 0, (uint64_t)width * height * 4));
    TRY(image_alloc(r, width, height, IMAGE_F32));

    for (uint32_t v = height; v-- > 0;) { /* the first row of the file is the bottom one */
        float *row = (float *)r->image->pixels + (size_t)v * width;

        for (uint32_t u = 0; u < width; u++, r->at += 4) {
            uint32_t word = big_endian_32(r->bytes + r->at);

            if (is_little)
                word = __builtin_bswap32(word);
            memcpy(&row[u], &word, sizeof word);
        }
    }
    return BENCH_OK;
}

/* ---- any format ---- */

static enum bench_status parse_any(struct reader *r)
{
    static const uint8_t png_magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    const uint8_t *bytes = r->bytes;
    const char *const other = file_kind(bytes, r->n_bytes);
    char kind = 0; /* of netpbm */

    if (r->n_bytes >= sizeof png_magic && memcmp(bytes, png_magic, sizeof png_magic) == 0)
        return parse_png(r);
    if ((r->is_depth24 || r->is_view) && r->n_bytes > 2 && memcmp(bytes, "P6", 2) == 0)
        return parse_ppm(r);
    REFUSE_IF(r->is_view, "%s: %s%s%s", r->name, other ? other : "", other ? ", " : "",
              no_view);
    REFUSE_IF(r->n_bytes == 0, "%s: the file is empty", r->name);
    REFUSE_IF(other, "%s: %s, expected %s", r->name, other,
              r->is_depth24 ? "PNG or PPM (P6)" : "PNG, PGM (P2, P5) or PFM (Pf)");
    REFUSE_IF(r->n_bytes >= 4 && memcmp(bytes + 1, png_magic + 1, 3) == 0,
              "%s: a PNG with a broken signature, as of a copy that changed line ends or the "
              "eighth bit",
              r->name);
    REFUSE_IF(r->is_depth24, "%s: no PNG, expected one with 24 bits of depth as RGB or RGBA",
              r->name);
    if (r->n_bytes >= 3 && bytes[0] == 'P' && (is_blank(bytes[2]) || bytes[2] == '#'))
        kind = (char)bytes[1];
    switch (kind) {
    case '2':
    case '5':
        return parse_pgm(r, kind == '2');
    case 'f':
        return parse_pfm(r);
    case '3':
    case '6':
    case 'F':
        return BENCH_FAIL(BENCH_EINPUT, "%s: 3 channels, %s", r->name, no_map);
    case '1':
    case '4':
        return BENCH_FAIL(BENCH_EINPUT, "%s: a bitmap of black and white, expected grey",
                          r->name);
    default:
        return BENCH_FAIL(BENCH_EINPUT, "%s: neither PNG, PGM (P2, P5) nor PFM (Pf)", r->name);
    }
}

enum bench_status image_parse(const void *bytes, size_t n_bytes, const char *name,
                              enum image_kind kind, struct image *image)
{
    struct reader r = {bytes, n_bytes, 0, name, kind == IMAGE_VIEW, kind == IMAGE_COLOURS,
                       image};
    enum bench_status status;

    memset(image, 0, sizeof *image);
    status = parse_any(&r);
    if (status != BENCH_OK)
        image_free(image);
    return status;
}

enum bench_status image_read(const char *path, enum image_kind kind, struct image *image)
{
    /* the largest thing that we take: a text PGM, "65535 " a sample */
    const uint64_t max_bytes = (uint64_t)max_pixels * 6 + 65536;
    OWNED(memory_free) uint8_t *bytes = NULL;
    size_t n_bytes;

    memset(image, 0, sizeof *image);
    TRY(file_read(path, max_bytes, "image", &bytes, &n_bytes));
    return image_parse(bytes, n_bytes, path, kind, image);
}

enum bench_status image_read_u8(const char *path, const char *what, int width, int height,
                                uint8_t **pixels)
{
    OWNED(image_free) struct image image = {0};

    TRY(image_read(path, IMAGE_GREY, &image));
    REFUSE_IF(image.type != IMAGE_U8, "%s: %s of more than 8 bits, expected 8, found %s", path,
              what, image.type == IMAGE_U16 ? "16-bit grey" : "floats");
    REFUSE_IF(image.width != width || image.height != height,
              "%s: %d x %d %s, expected %d x %d", path, image.width, image.height, what, width,
              height);
    *pixels = image.pixels;
    image.pixels = NULL;
    return BENCH_OK;
}

/* ---- writing ---- */

struct picture {
    const uint8_t *rgb; /* borrowed */
    int width, height;
    struct text file; /* owned */
};

static void png_on_write(png_structp png, png_bytep bytes, png_size_t n_bytes)
{
    text_bytes(png_get_io_ptr(png), bytes, n_bytes);
}

static enum bench_status encode_png(struct png_call *call)
{
    struct picture *p = call->data;

    png_set_write_fn(call->png, &p->file, png_on_write, NULL);
    png_set_IHDR(call->png, call->info, (png_uint_32)p->width, (png_uint_32)p->height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(call->png, call->info);
    for (int v = 0; v < p->height; v++)
        png_write_row(call->png, p->rgb + 3 * (size_t)v * (size_t)p->width);
    png_write_end(call->png, NULL);
    return BENCH_OK;
}

enum bench_status image_write_rgb(const char *path, const uint8_t *rgb, int width, int height)
{
    struct picture picture = {rgb, width, height, {0}};
    struct png_call call = {.work = encode_png, .data = &picture, .name = path};
    enum bench_status status = call_png(&call, 1);

    png_destroy_write_struct(&call.png, &call.info);
    if (status == BENCH_OK)
        status = text_replace_file(path, &picture.file);
    text_free(&picture.file);
    return status;
}

/* ---- meaning ---- */

enum bench_status image_to_disparity(const struct image *image,
                                     const struct disparity_coding *coding, struct plane *plane)
{
    enum bench_status status;

    TRY(plane_alloc(plane, image->width, image->height));
    status = coding_decode(image->type, image->pixels, count_pixels(image), coding,
                           plane->disparity, &plane->values);
    plane->values.n_surplus = image->n_surplus;
    if (status) {
        free(plane->disparity);
        plane->disparity = NULL;
    }
    return status;
}

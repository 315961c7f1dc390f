/*
 * picture.c - SVG as text of a URL; PNG with a palette, by median cut
 *
 * A palette halves a PNG and nobody sees it: our pictures have few hues, and their edges are the
 * only pixels in between.  Colours are sorted into 32 x 32 x 32 bins; the box of bins whose
 * colours are spread the most, by their number, is cut at their mean until there are 96.
 */
#include "harness/analysis/picture.h"

#include <limits.h>
#include <png.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define N_BINS    32768
#define N_COLOURS 96

/* ---- SVG ---- */

/* Lines become one, and double quotes of a tag without others single ones: these need no escape. */
static void add_escaped(const char *svg, struct text *url)
{
    bool is_plain = false; /* within such a tag */

    for (const char *at = svg; *at; at++) {
        if (*at == '<' || *at == '>')
            is_plain = *at == '<' && at[strcspn(at, "'>")] == '>';
        if (*at == '"' && is_plain)
            text_add(url, "'");
        else if (strchr("\n\r\t", *at))
            text_add(url, at > svg && strchr("\n\r\t ", at[-1]) ? "" : " ");
        else if (strchr("%#\"<&", *at))
            text_format(url, "%%%02X", (unsigned)*at);
        else
            text_bytes(url, at, 1);
    }
}

static void add_svg(const char *svg, struct text *url)
{
    static const char view[] = "viewBox=\"", body[] = "data-body=\"";
    const char *const box = strstr(svg, view), *const part = strstr(svg, body);
    struct text cut = {0};

    if (box && part) {
        text_bytes(&cut, svg, (size_t)(box - svg) + strlen(view));
        text_bytes(&cut, part + strlen(body), strcspn(part + strlen(body), "\""));
        text_add(&cut, box + strlen(view) + strcspn(box + strlen(view), "\""));
    }
    text_add(url, "data:image/svg+xml,");
    add_escaped(cut.data ? cut.data : svg, url);
    url->failed |= cut.failed;
    text_free(&cut);
}

/* The text of the first such element. */
static void add_element(const char *svg, const char *begin, struct text *said)
{
    const char *const at = strstr(svg, begin);

    if (at)
        text_bytes(said, at + strlen(begin), strcspn(at + strlen(begin), "<"));
}

enum bench_status picture_about(const char *path, struct text *title, struct text *caption)
{
    struct text file = {0};

    if (!strstr(path, ".svg"))
        return BENCH_OK;
    TRY(text_read_file(path, &file));
    if (strstr(file.data, "data-body=\"")) {
        add_element(file.data, "<title>", title);
        add_element(file.data, "<desc>", caption);
    }
    text_free(&file);
    return BENCH_OK;
}

/* ---- PNG ---- */

struct bin {
    unsigned n, sum[3];
};

/* Bins [first, first + n_bins) of the list, of the colours in a box. */
struct box {
    int first, n_bins, axis; /* along which they are spread the most */
    double spread, mean[3];
};

struct palette {
    struct bin bin[N_BINS];
    uint16_t list[N_BINS]; /* the bins that have colours */
    uint8_t entry[N_BINS]; /* their place in 'colour' */
    struct box box[N_COLOURS];
    uint8_t colour[N_COLOURS][3];
    int n;
};

static unsigned bin_of(const uint8_t *rgb)
{
    return (unsigned)(rgb[0] >> 3 << 10 | rgb[1] >> 3 << 5 | rgb[2] >> 3);
}

static void look(const struct palette *p, struct box *b)
{
    double n = 0, sum[3] = {0}, squares[3] = {0};

    for (int i = b->first; i < b->first + b->n_bins; i++) {
        const struct bin *const bin = &p->bin[p->list[i]];

        n += bin->n;
        for (int c = 0; c < 3; c++) {
            sum[c] += bin->sum[c];
            squares[c] += (double)bin->sum[c] * bin->sum[c] / bin->n;
        }
    }
    b->axis = 0;
    b->spread = -1;
    for (int c = 0; c < 3; c++) {
        const double spread = squares[c] - sum[c] * sum[c] / n;

        b->mean[c] = sum[c] / n;
        if (b->n_bins > 1 && spread > b->spread) {
            b->spread = spread;
            b->axis = c;
        }
    }
}

/* Colours below the mean to the front of the box; there are some on both sides. */
static void cut(struct palette *p, struct box *b, struct box *other)
{
    const int c = b->axis, end = b->first + b->n_bins;
    int n = b->first;

    for (int i = b->first; i < end; i++) {
        const struct bin *const bin = &p->bin[p->list[i]];
        const uint16_t moved = p->list[i];

        if ((double)bin->sum[c] / bin->n < b->mean[c]) {
            p->list[i] = p->list[n];
            p->list[n++] = moved;
        }
    }
    n = n == b->first ? n + 1 : n; /* all alike but for rounding */
    *other = (struct box){.first = n, .n_bins = end - n};
    b->n_bins = n - b->first;
    look(p, b);
    look(p, other);
}

static void find_colours(struct palette *p, const uint8_t *rgb, size_t n_pixels)
{
    struct box *most;

    for (const uint8_t *at = rgb; at < rgb + 3 * n_pixels; at += 3) {
        struct bin *const bin = &p->bin[bin_of(at)];

        bin->n++;
        for (int c = 0; c < 3; c++)
            bin->sum[c] += at[c];
    }
    for (int i = 0; i < N_BINS; i++)
        if (p->bin[i].n)
            p->list[p->box->n_bins++] = (uint16_t)i;
    look(p, p->box);
    for (p->n = 1; p->n < N_COLOURS; p->n++) {
        most = p->box;
        for (int i = 1; i < p->n; i++)
            most = p->box[i].spread > most->spread ? &p->box[i] : most;
        if (most->n_bins < 2)
            break;
        cut(p, most, &p->box[p->n]);
    }
    for (int k = 0; k < p->n; k++) {
        const struct box *const b = &p->box[k];

        for (int c = 0; c < 3; c++)
            p->colour[k][c] = (uint8_t)(b->mean[c] + 0.5);
        for (int i = b->first; i < b->first + b->n_bins; i++)
            p->entry[p->list[i]] = (uint8_t)k;
    }
}

/* Each pixel the mean of some, in place, so that a row has at most 'most'; a rest at the edges is
 * left out. */
static void shrink(uint8_t *rgb, png_image *image, unsigned most)
{
    const unsigned from = image->width;
    unsigned by = 1;

    while (from / by > most)
        by++;
    image->width /= by;
    image->height /= by;
    for (unsigned v = 0; v < image->height; v++)
        for (unsigned i = 0; i < 3 * image->width; i++) {
            unsigned sum = 0;

            for (unsigned k = 0; k < by * by; k++)
                sum += rgb[3 * ((v * by + k / by) * from + i / 3 * by + k % by) + i % 3];
            rgb[3 * v * image->width + i] = (uint8_t)(sum / (by * by));
        }
}

static void add_base64(const uint8_t *bytes, size_t size, struct text *url)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

    for (size_t i = 0; i < size; i += 3) {
        const size_t n = size - i;
        const unsigned three = bytes[i] * 65536U + (n > 1 ? bytes[i + 1] * 256U : 0U) +
                               (n > 2 ? bytes[i + 2] : 0U);
        const char four[] = {digits[three >> 18], digits[three >> 12 & 63],
                             digits[n > 1 ? three >> 6 & 63 : 64],
                             digits[n > 2 ? three & 63 : 64]};

        text_bytes(url, four, sizeof four);
    }
}

/* The pixels of 'image' become places in the palette, in their own memory. */
static enum bench_status write_png(png_image *image, uint8_t *rgb, struct palette *p,
                                   struct text *url)
{
    const size_t n_pixels = (size_t)image->width * image->height;
    png_alloc_size_t size = 0;
    uint8_t *file = NULL;
    enum bench_status status = BENCH_OK;

    find_colours(p, rgb, n_pixels);
    for (size_t i = 0; i < n_pixels; i++)
        rgb[i] = p->entry[bin_of(rgb + 3 * i)];
    image->format = PNG_FORMAT_RGB_COLORMAP;
    image->colormap_entries = (png_uint_32)p->n;
    if (!png_image_write_get_memory_size(*image, size, 0, rgb, 0, p->colour) ||
        !(file = malloc(size)) ||
        !png_image_write_to_memory(image, file, &size, 0, rgb, 0, p->colour))
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for a picture");
    if (!status) {
        text_add(url, "data:image/png;base64,");
        add_base64(file, size, url);
    }
    free(file);
    return status;
}

static enum bench_status add_png(const char *path, const struct text *file, int width,
                                 struct text *url)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    const png_color white = {255, 255, 255};
    struct palette *const p = calloc(1, sizeof *p);
    uint8_t *rgb = NULL;
    enum bench_status status = BENCH_OK;

    if (png_image_begin_read_from_memory(&image, file->data, file->size)) {
        image.format = PNG_FORMAT_RGB;
        rgb = malloc(PNG_IMAGE_SIZE(image));
    }
    if (!p || (!rgb && image.opaque))
        status = BENCH_FAIL(BENCH_ENOMEM, "%s: out of memory", path);
    else if (!rgb || !png_image_finish_read(&image, &white, rgb, 0, NULL))
        status = BENCH_FAIL(BENCH_EINPUT, "%s: expected a PNG: %s", path, image.message);
    if (!status) {
        shrink(rgb, &image, width > 0 ? (unsigned)width : image.width);
        status = write_png(&image, rgb, p, url);
    }
    png_image_free(&image);
    free(rgb);
    free(p);
    return status;
}

enum bench_status picture_add(const char *path, int width, struct text *url)
{
    struct text file = {0};
    enum bench_status status = text_read_file(path, &file);

    if (!status && strstr(path, ".svg"))
        add_svg(file.data, url);
    else if (!status)
        status = add_png(path, &file, width, url);
    text_free(&file);
    return status ? status : text_ok(url);
}

/*
 * test_image.c - PNG, PGM and PFM: round trips, every sample size, broken and hostile files;
 * depth in 24 bits
 *
 * PNG files are made by a small encoder here, which shares nothing with the code under test but
 * the format and zlib.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/inputs/image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* A file under construction. */
struct bytes {
    uint8_t at[1 << 16];
    size_t n;
};

static void put(struct bytes *b, const void *from, size_t n)
{
    assert_true(n <= sizeof b->at - b->n);
    memcpy(b->at + b->n, from, n);
    b->n += n;
}

static void put_text(struct bytes *b, const char *text)
{
    put(b, text, strlen(text));
}

static void put_32(struct bytes *b, uint32_t word)
{
    const uint8_t big_endian[4] = {(uint8_t)(word >> 24), (uint8_t)(word >> 16),
                                   (uint8_t)(word >> 8), (uint8_t)word};

    put(b, big_endian, 4);
}

static void put_chunk(struct bytes *b, const char *kind, const uint8_t *data, size_t n)
{
    const size_t start = b->n + 4;

    put_32(b, (uint32_t)n);
    put_text(b, kind);
    if (n > 0)
        put(b, data, n);
    put_32(b, (uint32_t)crc32(0, b->at + start, (uInt)(b->n - start)));
}

/* A PNG from rows that are packed and have their filter bytes already. */
static void make_png(struct bytes *b, uint32_t width, uint32_t height, int bits,
                     int colour_type, int interlace, const uint8_t *rows, size_t n)
{
    uint8_t squeezed[1 << 14];
    uLongf n_squeezed = sizeof squeezed;
    struct bytes header = {{0}, 0};
    const uint8_t rest[5] = {(uint8_t)bits, (uint8_t)colour_type, 0, 0, (uint8_t)interlace};

    put_32(&header, width);
    put_32(&header, height);
    put(&header, rest, 5);
    assert_int_equal(compress(squeezed, &n_squeezed, rows, (uLong)n), Z_OK);
    b->n = 0;
    put(b, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(b, "IHDR", header.at, header.n);
    put_chunk(b, "IDAT", squeezed, n_squeezed);
    put_chunk(b, "IEND", NULL, 0);
}

typedef enum bench_status parser(const void *bytes, size_t n_bytes, const char *name,
                                 struct image *image);

static enum bench_status parse_as(parser *parse_it, const struct bytes *b, struct image *image)
{
    /* exactly as long as it is, so that reading past the end is seen */
    uint8_t *copy = malloc(b->n > 0 ? b->n : 1);
    enum bench_status status;

    assert_non_null(copy);
    memcpy(copy, b->at, b->n);
    memset(image, 0x5A, sizeof *image);
    bench_failure_clear();
    status = parse_it(copy, b->n, "made.up", image);
    free(copy);
    return status;
}

static enum bench_status parse(const struct bytes *b, struct image *image)
{
    return parse_as(image_parse, b, image);
}

static void expect_refused_as(parser *parse_it, const struct bytes *b, const char *words)
{
    struct image image;

    assert_int_equal(parse_as(parse_it, b, &image), BENCH_EINPUT);
    assert_null(image.pixels);
    assert_int_equal(image.width, 0);
    if (strstr(bench_failure(), words) == NULL || strncmp(bench_failure(), "made.up: ", 9) != 0)
        fail_msg("expected '%s' in: %s", words, bench_failure());
}

static void expect_refused(const struct bytes *b, const char *words)
{
    expect_refused_as(image_parse, b, words);
}

static void expect_text_refused(const char *text, const char *words)
{
    struct bytes b = {{0}, 0};

    put_text(&b, text);
    expect_refused(&b, words);
}

static const char *scratch(const char *name)
{
    static char path[512];
    const char *folder = getenv("TEST_TMP");

    (void)mkdir("build", 0777);
    if (folder == NULL || folder[0] == '\0')
        folder = "build/test-tmp";
    (void)mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%ld-%s", folder, (long)getpid(), name);
    return path;
}

/* ---- PNG ---- */

static void png_of_few_bits_keeps_values(void **state)
{
    (void)state;
    static const int bits[] = {1, 2, 4, 8};
    struct bytes b;
    struct image image;

    for (size_t i = 0; i < 4; i++) {
        const int per_byte = 8 / bits[i], width = 5, max = (1 << bits[i]) - 1;
        uint8_t rows[2 * 6] = {0};
        const size_t pitch = 1 + (size_t)((width * bits[i] + 7) / 8);

        for (int v = 0; v < 2; v++)
            for (int u = 0; u < width; u++)
                rows[(size_t)v * pitch + 1 + (size_t)(u / per_byte)] |=
                    (uint8_t)(((3 * u + v) & max) << (8 - bits[i] * (u % per_byte + 1)));
        make_png(&b, (uint32_t)width, 2, bits[i], 0, 0, rows, 2 * pitch);
        assert_int_equal(parse(&b, &image), BENCH_OK);
        assert_int_equal(image.type, IMAGE_U8);
        for (int v = 0; v < 2; v++)
            for (int u = 0; u < width; u++)
                assert_int_equal(((uint8_t *)image.pixels)[v * width + u], (3 * u + v) & max);
        image_free(&image);
        assert_null(image.pixels);
    }
}

static void png_of_16_bits_is_big_endian(void **state)
{
    (void)state;
    const uint8_t rows[] = {0, 0x12, 0x34, 0xFF, 0xFF, 0, 0, 1, 0xAB, 0xCD};
    struct bytes b;
    struct image image;

    make_png(&b, 2, 2, 16, 0, 0, rows, sizeof rows);
    assert_int_equal(parse(&b, &image), BENCH_OK);
    assert_int_equal(image.type, IMAGE_U16);
    assert_int_equal(((uint16_t *)image.pixels)[0], 0x1234);
    assert_int_equal(((uint16_t *)image.pixels)[1], 0xFFFF);
    assert_int_equal(((uint16_t *)image.pixels)[2], 1);
    assert_int_equal(((uint16_t *)image.pixels)[3], 0xABCD);
    image_free(&image);
}

/* Adam7: pixel (u, v) of a 9 x 9 image comes in the first pass whose grid has it. */
static void png_interlaced(void **state)
{
    (void)state;
    static const int u0[] = {0, 4, 0, 2, 0, 1, 0}, du[] = {8, 8, 4, 4, 2, 2, 1};
    static const int v0[] = {0, 0, 4, 0, 2, 0, 1}, dv[] = {8, 8, 8, 4, 4, 2, 2};
    uint8_t rows[256];
    size_t n = 0;
    struct bytes b;
    struct image image;

    for (int pass = 0; pass < 7; pass++) {
        for (int v = v0[pass]; v < 9; v += dv[pass]) {
            if (u0[pass] < 9)
                rows[n++] = 0;
            for (int u = u0[pass]; u < 9; u += du[pass])
                rows[n++] = (uint8_t)(9 * v + u);
        }
    }
    make_png(&b, 9, 9, 8, 0, 1, rows, n);
    assert_int_equal(parse(&b, &image), BENCH_OK);
    for (int i = 0; i < 81; i++)
        assert_int_equal(((uint8_t *)image.pixels)[i], i);
    image_free(&image);
}

static void png_with_channels_is_refused(void **state)
{
    (void)state;
    const uint8_t rows[1 + 4] = {0, 1, 2, 3, 4};
    struct bytes b;

    make_png(&b, 1, 1, 8, 2, 0, rows, 4);
    expect_refused(&b, "3 channels, expected 1");
    make_png(&b, 1, 1, 8, 6, 0, rows, 5);
    expect_refused(&b, "4 channels, expected 1");
    make_png(&b, 1, 1, 8, 4, 0, rows, 3);
    expect_refused(&b, "2 channels, expected 1");
    make_png(&b, 1, 1, 8, 3, 0, rows, 2);
    expect_refused(&b, "palette");
    make_png(&b, 1, 1, 8, 5, 0, rows, 2);
    expect_refused(&b, "colour type 5");
    make_png(&b, 1, 1, 3, 0, 0, rows, 2);
    expect_refused(&b, "3 bits");
}

static void png_that_ends_early(void **state)
{
    (void)state;
    uint8_t rows[20 * 21];
    struct bytes b, cut;

    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = i % 21 == 0 ? 0 : (uint8_t)(i * i * 31 >> 3);
    make_png(&b, 20, 20, 8, 0, 0, rows, sizeof rows);
    for (size_t n = 0; n < b.n; n++) {
        cut.n = 0;
        put(&cut, b.at, n);
        expect_refused(&cut, "");
    }
}

/* Every single byte damaged: refused, or at least no crash and the right size. */
static void png_with_one_bad_byte(void **state)
{
    (void)state;
    uint8_t rows[6 * 7] = {0};
    struct bytes b;

    make_png(&b, 6, 6, 8, 0, 0, rows, sizeof rows);
    for (size_t i = 0; i < b.n; i++) {
        for (int k = 0; k < 3; k++) {
            static const uint8_t flip[] = {0xFF, 0x01, 0x80};
            struct image image;

            b.at[i] ^= flip[k];
            if (parse(&b, &image) == BENCH_OK) {
                assert_int_equal(image.width, 6);
                assert_int_equal(image.height, 6);
            }
            image_free(&image);
            b.at[i] ^= flip[k];
        }
    }
    /* damage to a checked chunk is seen */
    b.at[50] ^= 0x10;
    expect_refused(&b, "broken PNG");
}

static void png_with_hostile_sizes(void **state)
{
    (void)state;
    const uint8_t rows[] = {0, 1};
    struct bytes b;

    make_png(&b, 32768, 32768, 16, 0, 0, rows, 2); /* would be 2 GiB from 70 bytes */
    expect_refused(&b, "cannot hold");
    make_png(&b, 32769, 1, 8, 0, 0, rows, 2);
    expect_refused(&b, "32769 x 1");
    make_png(&b, 1, 0xFFFFFFFFu, 8, 0, 0, rows, 2);
    expect_refused(&b, "1 x 4294967295");
    make_png(&b, 0, 5, 8, 0, 0, rows, 2);
    expect_refused(&b, "0 x 5");
    make_png(&b, 100, 3, 8, 0, 0, rows, 2); /* fewer pixels than the header says */
    expect_refused(&b, "broken PNG");
}

/* ---- depth in the colours of a PNG ---- */

/* A PNG of width x height values, RGB (3 channels) or RGBA with alphas that differ. */
static void make_depth24(struct bytes *b, const uint32_t *value, int width, int height,
                         int n_channels)
{
    struct bytes rows = {{0}, 0};

    for (int i = 0; i < width * height; i++) {
        const uint8_t pixel[4] = {(uint8_t)value[i], (uint8_t)(value[i] >> 8),
                                  (uint8_t)(value[i] >> 16), (uint8_t)(85 * i)};

        if (i % width == 0)
            put(&rows, "", 1); /* no filter */
        put(&rows, pixel, (size_t)n_channels);
    }
    make_png(b, (uint32_t)width, (uint32_t)height, 8, n_channels == 3 ? 2 : 6, 0, rows.at,
             rows.n);
}

static void depth24_of_rgb_and_rgba(void **state)
{
    (void)state;
    static const uint32_t value[6] = {0x030201, 0x0000FF, 0, DEPTH24_MAX, 0x800000, 0x00AB00};
    struct bytes b;
    struct image image;

    for (int n_channels = 3; n_channels <= 4; n_channels++) {
        make_depth24(&b, value, 3, 2, n_channels);
        assert_int_equal(parse_as(image_parse_depth24, &b, &image), BENCH_OK);
        assert_int_equal(image.width, 3);
        assert_int_equal(image.height, 2);
        assert_int_equal(image.type, IMAGE_DEPTH24);
        assert_memory_equal(image.pixels, value, sizeof value);
        image_free(&image);
        /* and no grey reader takes it */
        expect_refused(&b, n_channels == 3 ? "3 channels" : "4 channels");
    }
}

/* 2 x 2 in Adam7: passes 1, 6 and 7 have (0, 0), (1, 0) and the second row. */
static void depth24_interlaced(void **state)
{
    (void)state;
    const uint8_t rows[] = {0, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12};
    const uint32_t value[4] = {0x030201, 0x060504, 0x090807, 0x0C0B0A};
    struct bytes b;
    struct image image;

    make_png(&b, 2, 2, 8, 2, 1, rows, sizeof rows);
    assert_int_equal(parse_as(image_parse_depth24, &b, &image), BENCH_OK);
    assert_memory_equal(image.pixels, value, sizeof value);
    image_free(&image);
}

static void depth24_refuses_all_else(void **state)
{
    (void)state;
    const uint8_t rows[1 + 8] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const char *const texts[] = {"P5\n1 1\n255\na", "Pf\n1 1\n-1\n1234",
                                        "P6\n1 1\n255\nabc", "GIF89a..........."};
    static const uint32_t value[64];
    struct bytes b, cut;

    make_png(&b, 1, 1, 8, 0, 0, rows, 2);
    expect_refused_as(image_parse_depth24, &b, "grey, expected 24 bits of depth");
    make_png(&b, 1, 1, 16, 0, 0, rows, 3);
    expect_refused_as(image_parse_depth24, &b, "grey, expected 24 bits of depth");
    make_png(&b, 1, 1, 8, 4, 0, rows, 3);
    expect_refused_as(image_parse_depth24, &b, "grey, expected 24 bits of depth");
    make_png(&b, 1, 1, 8, 3, 0, rows, 2);
    expect_refused_as(image_parse_depth24, &b, "palette");
    make_png(&b, 1, 1, 8, 5, 0, rows, 2);
    expect_refused_as(image_parse_depth24, &b, "colour type 5");
    make_png(&b, 1, 1, 16, 2, 0, rows, 7);
    expect_refused_as(image_parse_depth24, &b, "16 bits a channel");
    make_png(&b, 32768, 32768, 8, 6, 0, rows, 5);
    expect_refused_as(image_parse_depth24, &b, "cannot hold");
    make_png(&b, 32769, 1, 8, 2, 0, rows, 4);
    expect_refused_as(image_parse_depth24, &b, "32769 x 1");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        b.n = 0;
        put_text(&b, texts[i]);
        expect_refused_as(image_parse_depth24, &b, "no PNG");
    }
    make_depth24(&b, value, 8, 8, 3);
    for (size_t n = 0; n < b.n; n++) {
        cut.n = 0;
        put(&cut, b.at, n);
        expect_refused_as(image_parse_depth24, &cut, "");
    }
}

static void depth24_from_a_file(void **state)
{
    (void)state;
    const uint8_t rgb[2 * 3] = {1, 2, 3, 255, 254, 253};
    const uint16_t grey[1] = {7};
    const char *path = scratch("depth.png");
    struct image image;

    assert_int_equal(image_write_rgb(path, rgb, 2, 1), BENCH_OK);
    assert_int_equal(image_read_depth24(path, &image), BENCH_OK);
    assert_int_equal(((uint32_t *)image.pixels)[0], 0x030201);
    assert_int_equal(((uint32_t *)image.pixels)[1], 0xFDFEFF);
    image_free(&image);
    assert_int_equal(image_write_u16(path, grey, 1, 1), BENCH_OK);
    assert_int_equal(image_read_depth24(path, &image), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), path));
    assert_null(image.pixels);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(image_read_depth24(path, &image), BENCH_EIO);
}

/* ---- PGM ---- */

static void pgm_text_and_binary(void **state)
{
    (void)state;
    static const char *const same[] = {
        "P2\n3 2\n200\n1 2 3\n200 0 6\n",
        "P2 # a\n#b\n3#c\n2 # d 7\n200\n1\t2\r\n3 200 # not 9\n0 6",
        "P5\n3 2\n200\n\x01\x02\x03\xC8@\x06",
        "P5#x\r3 2 # y\n200 \x01\x02\x03\xC8@\x06 trailing",
    };

    for (size_t i = 0; i < 4; i++) {
        const uint8_t expected[6] = {1, 2, 3, 200, i < 2 ? 0 : '@', 6};
        struct bytes b = {{0}, 0};
        struct image image;

        put_text(&b, same[i]);
        assert_int_equal(parse(&b, &image), BENCH_OK);
        assert_int_equal(image.width, 3);
        assert_int_equal(image.height, 2);
        assert_int_equal(image.type, IMAGE_U8);
        assert_memory_equal(image.pixels, expected, 6);
        image_free(&image);
    }
}

static void pgm_of_16_bits(void **state)
{
    (void)state;
    struct bytes b = {{0}, 0};
    struct image image;

    put(&b, "P5 2 1 300\n\x01\x02\x00\x03", 15);
    assert_int_equal(parse(&b, &image), BENCH_OK);
    assert_int_equal(image.type, IMAGE_U16);
    assert_int_equal(((uint16_t *)image.pixels)[0], 258);
    assert_int_equal(((uint16_t *)image.pixels)[1], 3);
    image_free(&image);
    b.n = 0;
    put_text(&b, "P2 2 1 65535 65535 256");
    assert_int_equal(parse(&b, &image), BENCH_OK);
    assert_int_equal(((uint16_t *)image.pixels)[0], 65535);
    assert_int_equal(((uint16_t *)image.pixels)[1], 256);
    image_free(&image);
}

static void pgm_broken(void **state)
{
    (void)state;
    struct bytes b = {{0}, 0};

    expect_text_refused("", "empty");
    expect_text_refused("P", "neither");
    expect_text_refused("P5", "neither");
    expect_text_refused("P5\n", "width and height");
    expect_text_refused("P5\n3", "width and height");
    expect_text_refused("P5\n3 -2\n255\n", "width and height");
    expect_text_refused("P5\n3 2", "largest value");
    expect_text_refused("P5\n3 2\n0\n", "largest value");
    expect_text_refused("P5\n3 2\n65536\n", "largest value");
    expect_text_refused("P5\n3 2\n255", "one blank");
    expect_text_refused("P5\n3 2\n255x123456", "one blank");
    expect_text_refused("P5\n3 2\n255\n12345", "expected 6 bytes of pixels, found 5");
    expect_text_refused("P5\n3 2\n256\n12345678901", "expected 12 bytes of pixels, found 11");
    expect_text_refused("P5\n32768 32768\n65535\nab", "truncated");
    expect_text_refused("P2\n32768 32768\n255\n1 2", "truncated");
    expect_text_refused("P5\n32769 1\n255\n", "32769 x 1");
    expect_text_refused("P5\n99999999999999999999 1\n255\n", "each side must be");
    expect_text_refused("P5\n0 1\n255\n", "0 x 1");
    expect_text_refused("P2\n2 1\n9\n1 10", "a sample of 10");
    expect_text_refused("P5\n2 1\n9\n\x01\x0A", "a sample of 10");
    expect_text_refused("P2\n2 1\n9\n1 #23", "number 2 is missing");
    expect_text_refused("P2\n3 1\n9\n1 x 2 3", "broken");
    expect_text_refused("P2\n2 1\n9\n1 -1", "broken");
    expect_text_refused("P6\n1 1\n255\nabc", "3 channels, expected 1");
    expect_text_refused("P3\n1 1\n255\n1 2 3", "3 channels, expected 1");
    expect_text_refused("P4\n8 1\n\xFF", "bitmap");
    expect_text_refused("GIF89a...........", "neither PNG");
    put(&b, "\x89PNX", 4);
    expect_refused(&b, "signature");
}

/* ---- PFM ---- */

static void put_float(struct bytes *b, float value, int little)
{
    uint32_t word;

    memcpy(&word, &value, 4);
    put_32(b, little ? __builtin_bswap32(word) : word);
}

static void pfm_both_orders(void **state)
{
    (void)state;
    for (int little = 0; little < 2; little++) {
        struct bytes b = {{0}, 0};
        struct image image;

        put_text(&b, little ? "Pf\n2 3\n-0.0039\n" : "Pf 2 3 1e+0\n");
        for (int i = 0; i < 6; i++)
            put_float(&b, i == 5 ? INFINITY : 1.5f * (float)i, little);
        assert_int_equal(parse(&b, &image), BENCH_OK);
        assert_int_equal(image.type, IMAGE_F32);

        const float *p = image.pixels;

        /* the file begins at the bottom */
        assert_true(p[4] == 0.0f && p[5] == 1.5f && p[2] == 3.0f && p[3] == 4.5f &&
                    p[0] == 6.0f);
        assert_true(isinf(p[1]));
        image_free(&image);
    }
}

static void pfm_broken(void **state)
{
    (void)state;
    expect_text_refused("PF\n1 1\n-1\n123456789012", "3 channels, expected 1");
    expect_text_refused("Pf\n1 1\n", "scale");
    expect_text_refused("Pf\n1 1\n0\n1234", "scale");
    expect_text_refused("Pf\n1 1\n-0.00\n1234", "scale");
    expect_text_refused("Pf\n1 1\nnan\n1234", "scale");
    expect_text_refused("Pf\n1 1\n-1x\n1234", "one blank");
    expect_text_refused("Pf\n1 1\n-1\n123", "expected 4 bytes of pixels, found 3");
    expect_text_refused("Pf\n32768 32768\n-1\n123", "truncated");
    expect_text_refused("Pf\n1.5 1\n-1\n1234", "width and height");
}

/* ---- files ---- */

static void written_files_read_back(void **state)
{
    (void)state;
    uint16_t grey[7 * 5];
    const uint8_t rgb[2 * 2 * 3] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const char *path = scratch("grey.png");
    struct image image;

    for (int i = 0; i < 35; i++)
        grey[i] = (uint16_t)(i * 1873);
    assert_int_equal(image_write_u16(path, grey, 7, 5), BENCH_OK);
    assert_int_equal(image_write_u16(path, grey, 7, 5), BENCH_OK); /* replaces */
    assert_int_equal(image_read(path, &image), BENCH_OK);
    assert_int_equal(image.width, 7);
    assert_int_equal(image.height, 5);
    assert_int_equal(image.type, IMAGE_U16);
    assert_memory_equal(image.pixels, grey, sizeof grey);
    image_free(&image);

    /* a failure leaves the old file and nothing beside it */
    assert_int_equal(image_write_u16(path, grey, 0, 5), BENCH_EINPUT);
    assert_int_equal(image_read(path, &image), BENCH_OK);
    image_free(&image);
    assert_int_equal(image_write_rgb(path, rgb, 2, 2), BENCH_OK);
    assert_int_equal(image_read(path, &image), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "3 channels"));
    assert_int_equal(unlink(path), 0);

    char missing[600];

    snprintf(missing, sizeof missing, "%s.d/x.png", path);
    assert_int_equal(image_write_rgb(missing, rgb, 2, 2), BENCH_EIO);
    assert_non_null(strstr(bench_failure(), missing));
}

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    struct image image;
    const char *path = scratch("pipe");

    assert_int_equal(image_read("no/such/file.png", &image), BENCH_EIO);
    assert_non_null(strstr(bench_failure(), "no/such/file.png"));
    assert_null(image.pixels);
    assert_int_equal(image_read("inputs", &image), BENCH_EIO);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(image_read(path, &image), BENCH_EIO); /* and does not wait */
    assert_int_equal(unlink(path), 0);

    path = scratch("sparse");

    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fclose(file);
    assert_int_equal(image_read(path, &image), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "empty"));
    if (truncate(path, (off_t)1 << 40) == 0) {
        assert_int_equal(image_read(path, &image), BENCH_EINPUT);
        assert_non_null(strstr(bench_failure(), "more than any image"));
    }
    assert_int_equal(unlink(path), 0);
}

/* ---- disparity ---- */

static void disparity_of_integers(void **state)
{
    (void)state;
    uint16_t wide[6] = {0, 1, 2560, 65534, 65535, 300};
    uint8_t narrow[5] = {0, 1, 128, 254, 255};
    struct image u16 = {6, 1, IMAGE_U16, wide};
    struct image u8 = {5, 1, IMAGE_U8, narrow};
    struct plane plane = {0};
    struct disparity_coding coding = {256, 0, 0, 0};

    /* 16 bits, 1/256 px: 1 to 1 but for the largest */
    assert_int_equal(image_to_disparity(&u16, &coding, &plane), BENCH_OK);
    assert_int_equal(plane.width, 6);
    assert_int_equal(plane.height, 1);
    assert_int_equal(plane.disparity[0], 0);
    assert_int_equal(plane.disparity[1], 1);
    assert_int_equal(plane.disparity[2], 2560);
    assert_int_equal(plane.disparity[3], 65534);
    assert_int_equal(plane.disparity[4], 65534);
    assert_int_equal(plane.n_clamped, 1);

    coding.zero_is_invalid = coding.max_is_invalid = 1;
    assert_int_equal(image_to_disparity(&u16, &coding, &plane), BENCH_OK);
    assert_int_equal(plane.disparity[0], DISPARITY_INVALID);
    assert_int_equal(plane.disparity[4], DISPARITY_INVALID);
    assert_int_equal(plane.n_clamped, 0);

    /* Cityscapes: (value - 1) / 256, 0 is nothing */
    coding = (struct disparity_coding){256, 1, 1, 0};
    assert_int_equal(image_to_disparity(&u16, &coding, &plane), BENCH_OK);
    assert_int_equal(plane.disparity[0], DISPARITY_INVALID);
    assert_int_equal(plane.disparity[1], 0);
    assert_int_equal(plane.disparity[5], 299);
    assert_int_equal(plane.disparity[4], 65534);
    assert_int_equal(plane.n_clamped, 0);
    coding.zero_is_invalid = 0; /* below zero after the offset: nothing all the same */
    assert_int_equal(image_to_disparity(&u16, &coding, &plane), BENCH_OK);
    assert_int_equal(plane.disparity[0], DISPARITY_INVALID);

    /* 8 bits: whole pixels, thirds */
    coding = (struct disparity_coding){1, 0, 0, 0};
    assert_int_equal(image_to_disparity(&u8, &coding, &plane), BENCH_OK);
    assert_int_equal(plane.disparity[0], 0);
    assert_int_equal(plane.disparity[4], 65280);
    coding = (struct disparity_coding){3, 0, 1, 1};
    assert_int_equal(image_to_disparity(&u8, &coding, &plane), BENCH_OK);
    assert_int_equal(plane.disparity[0], DISPARITY_INVALID);
    assert_int_equal(plane.disparity[1], 85);    /* 85.33 */
    assert_int_equal(plane.disparity[2], 10923); /* 10922.67 */
    assert_int_equal(plane.disparity[4], DISPARITY_INVALID);
    coding = (struct disparity_coding){0.5, 0, 0, 0};
    assert_int_equal(image_to_disparity(&u8, &coding, &plane), BENCH_OK);
    assert_int_equal(plane.n_clamped, 3);
    plane_free(&plane);
}

static void disparity_of_floats(void **state)
{
    (void)state;
    float pixels[9] = {0.0f,    1.0f / 512.0f, 10.25f,          INFINITY, NAN,
                       -0.001f, 255.99f,       3.402823466e38f, -INFINITY};
    struct image image = {3, 3, IMAGE_F32, pixels};
    const struct disparity_coding coding = {1, 0, 0, 0};
    struct plane plane = {0};

    assert_int_equal(image_to_disparity(&image, &coding, &plane), BENCH_OK);
    assert_int_equal(plane.disparity[0], 0);
    assert_int_equal(plane.disparity[1], 1); /* half goes up */
    assert_int_equal(plane.disparity[2], 2624);
    assert_int_equal(plane.disparity[3], DISPARITY_INVALID);
    assert_int_equal(plane.disparity[4], DISPARITY_INVALID);
    assert_int_equal(plane.disparity[5], DISPARITY_INVALID);
    assert_int_equal(plane.disparity[6], 65533); /* 65533.44 */
    assert_int_equal(plane.disparity[7], DISPARITY_MAX);
    assert_int_equal(plane.disparity[8], DISPARITY_INVALID);
    assert_int_equal(plane.n_clamped, 1);
    plane_free(&plane);
}

/* fx * baseline = 500 and 1000 m at most, so that whole numbers tell what is expected. */
static void disparity_of_depth(void **state)
{
    (void)state;
    static const uint32_t value[] = {0,     DEPTH24_MAX, DEPTH24_MAX - 1, 1,      255,
                                     32767, 32768,       32769,           167772, 1000003};
    enum { N = sizeof value / sizeof value[0] };
    const struct depth_coding coding = {1000, 625, 0.8};
    uint32_t pixels[N];
    struct image image = {N, 1, IMAGE_DEPTH24, pixels};
    struct plane plane = {0};
    size_t n_clamped = 0;

    memcpy(pixels, value, sizeof pixels);
    for (int again = 0; again < 2; again++) /* the count begins anew */
        assert_int_equal(image_depth24_to_disparity(&image, &coding, &plane), BENCH_OK);
    assert_int_equal(plane.width, N);
    assert_int_equal(plane.height, 1);
    assert_int_equal(plane.disparity[0], DISPARITY_INVALID);
    for (int i = 1; i < N; i++) {
        /* 256 * 500 * DEPTH24_MAX / (1000 value) = 128 DEPTH24_MAX / value, half goes up */
        uint64_t expected = (256ull * DEPTH24_MAX + value[i]) / (2ull * value[i]);

        if (expected > DISPARITY_MAX) {
            expected = DISPARITY_MAX;
            n_clamped++;
        }
        assert_int_equal(plane.disparity[i], expected);
    }
    assert_int_equal(plane.disparity[1], 128); /* the sky: half a pixel */
    assert_int_equal(plane.disparity[8], 12800);
    assert_int_equal(n_clamped, 4); /* 1, 255, 32767 and 32768 (65535.996) */
    assert_int_equal(plane.n_clamped, n_clamped);
    plane_free(&plane);
}

static void disparity_of_depth_needs_a_camera(void **state)
{
    (void)state;
    static const struct depth_coding bad[] = {{0, 1, 1},        {-1, 1, 1},  {INFINITY, 1, 1},
                                              {1, 0, 1},        {1, NAN, 1}, {1, 1, 0},
                                              {1, 1, INFINITY}, {1, 1, -1}};
    uint32_t pixel = 1;
    struct image image = {1, 1, IMAGE_DEPTH24, &pixel};
    struct plane plane = {0};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(image_depth24_to_disparity(&image, &bad[i], &plane), BENCH_EINPUT);
        assert_null(plane.disparity);
    }
}

static void disparity_needs_a_scale(void **state)
{
    (void)state;
    static const double bad[] = {0, -1, INFINITY, NAN};
    uint8_t pixel = 1;
    struct image image = {1, 1, IMAGE_U8, &pixel};
    struct plane plane = {0};

    for (size_t i = 0; i < 4; i++) {
        const struct disparity_coding coding = {bad[i], 0, 0, 0};

        assert_int_equal(image_to_disparity(&image, &coding, &plane), BENCH_EINPUT);
        assert_null(plane.disparity);
    }
}

static void planes_refuse_impossible_sizes(void **state)
{
    (void)state;
    struct plane plane = {0};

    assert_int_equal(plane_alloc(&plane, 0, 1), BENCH_EINPUT);
    assert_int_equal(plane_alloc(&plane, 1, -1), BENCH_EINPUT);
    assert_int_equal(plane_alloc(&plane, INPUTS_MAX_SIDE + 1, 1), BENCH_EINPUT);
    assert_null(plane.disparity);
    assert_int_equal(plane_alloc(&plane, INPUTS_MAX_SIDE, 1), BENCH_OK);
    assert_int_equal(plane_alloc(&plane, 2, 3), BENCH_OK); /* the old one is released */
    assert_int_equal(plane.height, 3);
    plane_free(&plane);
    plane_free(&plane);
    assert_null(plane.disparity);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(png_of_few_bits_keeps_values),
        cmocka_unit_test(png_of_16_bits_is_big_endian),
        cmocka_unit_test(png_interlaced),
        cmocka_unit_test(png_with_channels_is_refused),
        cmocka_unit_test(png_that_ends_early),
        cmocka_unit_test(png_with_one_bad_byte),
        cmocka_unit_test(png_with_hostile_sizes),
        cmocka_unit_test(depth24_of_rgb_and_rgba),
        cmocka_unit_test(depth24_interlaced),
        cmocka_unit_test(depth24_refuses_all_else),
        cmocka_unit_test(depth24_from_a_file),
        cmocka_unit_test(pgm_text_and_binary),
        cmocka_unit_test(pgm_of_16_bits),
        cmocka_unit_test(pgm_broken),
        cmocka_unit_test(pfm_both_orders),
        cmocka_unit_test(pfm_broken),
        cmocka_unit_test(written_files_read_back),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(disparity_of_integers),
        cmocka_unit_test(disparity_of_floats),
        cmocka_unit_test(disparity_of_depth),
        cmocka_unit_test(disparity_of_depth_needs_a_camera),
        cmocka_unit_test(disparity_needs_a_scale),
        cmocka_unit_test(planes_refuse_impossible_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_image.c - PNG, PGM and PFM: round trips, every sample size, broken and hostile files;
 * depth in 24 bits
 *
 * PNG files are made by a small encoder here, which shares nothing with the code under test but
 * the format and zlib.
 */
#include "harness/inputs/image.h"
#include "tests/inputs.h"

#include <arpa/inet.h>
#include <math.h>
#include <sys/stat.h>
#include <zlib.h>

/* The file under construction. */
static struct {
    uint8_t at[1 << 16];
    size_t n;
} file;

static void put(const void *from, size_t n)
{
    assert_true(n <= sizeof file.at - file.n);
    if (n > 0)
        memcpy(file.at + file.n, from, n);
    file.n += n;
}

static void put_32(uint32_t word)
{
    put(&(uint32_t){htonl(word)}, 4);
}

static void put_chunk(const char *kind, const void *data, size_t n)
{
    const size_t start = file.n + 4;

    put_32((uint32_t)n);
    put(kind, 4);
    put(data, n);
    put_32((uint32_t)crc32(0, file.at + start, (uInt)(file.n - start)));
}

/* A PNG from rows that are packed and have their filter bytes already. */
static void make_png(uint32_t width, uint32_t height, int bits, int colour_type, int interlace,
                     const uint8_t *rows, size_t n)
{
    const struct {
        uint32_t side[2];
        uint8_t rest[5];
    } header = {{htonl(width), htonl(height)},
                {(uint8_t)bits, (uint8_t)colour_type, 0, 0, (uint8_t)interlace}};
    uint8_t squeezed[1 << 14];
    uLongf n_squeezed = sizeof squeezed;

    assert_int_equal(compress(squeezed, &n_squeezed, rows, (uLong)n), Z_OK);
    file.n = 0;
    put("\x89PNG\r\n\x1a\n", 8);
    put_chunk("IHDR", &header, 13);
    if (colour_type == 3)
        put_chunk("PLTE", "RGB", 3);
    put_chunk("IDAT", squeezed, n_squeezed);
    put_chunk("IEND", NULL, 0);
}

typedef enum bench_status parser(const void *bytes, size_t n_bytes, const char *name,
                                 struct image *image);

static enum bench_status parse(parser *parse_it, struct image *image)
{
    uint8_t *copy = exact_copy(file.at, file.n);
    enum bench_status status;

    memset(image, 0x5A, sizeof *image);
    bench_failure_clear();
    status = parse_it(copy, file.n, "made.up", image);
    free(copy);
    return status;
}

static void expect_image(parser *parse_it, int width, int height, enum image_type type,
                         const void *pixels, size_t size)
{
    struct image image;

    assert_int_equal(parse(parse_it, &image), BENCH_OK);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_int_equal(image.type, type);
    assert_memory_equal(image.pixels, pixels, size);
    image_free(&image);
    assert_null(image.pixels);
}

static void expect_refused(parser *parse_it, const char *words)
{
    struct image image;

    assert_int_equal(parse(parse_it, &image), BENCH_EINPUT);
    assert_null(image.pixels);
    assert_int_equal(image.width, 0);
    assert_says("made.up: ", words);
}

static void expect_refused_when_cut(parser *parse_it)
{
    for (const size_t n = file.n; file.n > 0; file.n--)
        if (file.n < n)
            expect_refused(parse_it, "");
}

/* ---- PNG ---- */

static void png_keeps_values(void **state)
{
    enum { W = 5 };
    static const uint8_t big_endian[] = {0, 0x12, 0x34, 0xFF, 0xFF, 0, 0, 1, 0xAB, 0xCD};

    for (int bits = 1; bits <= 8; bits *= 2) {
        const int per_byte = 8 / bits, max = (1 << bits) - 1;
        const size_t pitch = 1 + (size_t)((W * bits + 7) / 8);
        uint8_t rows[2 * 6] = {0}, values[2 * W];

        for (int i = 0; i < 2 * W; i++) {
            const int u = i % W, v = i / W;

            values[i] = (uint8_t)((3 * u + v) & max);
            rows[(size_t)v * pitch + 1 + (size_t)(u / per_byte)] |=
                (uint8_t)(values[i] << (8 - bits * (u % per_byte + 1)));
        }
        make_png(W, 2, bits, 0, 0, rows, 2 * pitch);
        expect_image(image_parse, W, 2, IMAGE_U8, values, sizeof values);
    }
    make_png(2, 2, 16, 0, 0, big_endian, sizeof big_endian);
    expect_image(image_parse, 2, 2, IMAGE_U16, (const uint16_t[]){0x1234, 0xFFFF, 1, 0xABCD},
                 8);
}

/* Adam7: pixel (u, v) of a 9 x 9 image comes in the first pass whose grid has it. */
static void png_interlaced(void **state)
{
    static const int u0[] = {0, 4, 0, 2, 0, 1, 0}, du[] = {8, 8, 4, 4, 2, 2, 1};
    static const int v0[] = {0, 0, 4, 0, 2, 0, 1}, dv[] = {8, 8, 8, 4, 4, 2, 2};
    uint8_t rows[256], values[81];
    size_t n = 0;

    for (int pass = 0; pass < 7; pass++) {
        for (int v = v0[pass]; v < 9; v += dv[pass]) {
            if (u0[pass] < 9)
                rows[n++] = 0;
            for (int u = u0[pass]; u < 9; u += du[pass])
                rows[n++] = (uint8_t)(9 * v + u);
        }
    }
    for (int i = 0; i < 81; i++)
        values[i] = (uint8_t)i;
    make_png(9, 9, 8, 0, 1, rows, n);
    expect_image(image_parse, 9, 9, IMAGE_U8, values, sizeof values);
}

/* Other kinds of samples, and sizes that the bytes cannot have: 2 GiB from 70 bytes, fewer
 * pixels than the header says. */
static void png_refused(void **state)
{
    static const char grey[] = "grey, expected 24 bits of depth";
    static const uint8_t rows[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const struct {
        parser *parse_it;
        uint32_t width, height;
        int bits, colour_type;
        size_t n;
        const char *words;
    } cases[] = {
        {image_parse, 1, 1, 8, 2, 4, "3 channels, expected 1"},
        {image_parse, 1, 1, 8, 6, 5, "4 channels, expected 1"},
        {image_parse, 1, 1, 8, 4, 3, "2 channels, expected 1"},
        {image_parse, 1, 1, 8, 3, 2, "palette"},
        {image_parse, 1, 1, 8, 5, 2, "broken PNG"},
        {image_parse, 1, 1, 3, 0, 2, "broken PNG"},
        {image_parse, 32768, 32768, 16, 0, 2, "cannot hold"},
        {image_parse, 32769, 1, 8, 0, 2, "32769 x 1"},
        {image_parse, 1, 0xFFFFFFFFu, 8, 0, 2, "broken PNG"},
        {image_parse, 0, 5, 8, 0, 2, "broken PNG"},
        {image_parse, 100, 3, 8, 0, 2, "broken PNG"},
        {image_parse_depth24, 1, 1, 8, 0, 2, grey},
        {image_parse_depth24, 1, 1, 16, 0, 3, grey},
        {image_parse_depth24, 1, 1, 8, 4, 3, grey},
        {image_parse_depth24, 1, 1, 8, 3, 2, "palette"},
        {image_parse_depth24, 1, 1, 8, 5, 2, "broken PNG"},
        {image_parse_depth24, 1, 1, 16, 2, 7, "16 bits a channel"},
        {image_parse_depth24, 32768, 32768, 8, 6, 5, "cannot hold"},
        {image_parse_depth24, 32769, 1, 8, 2, 4, "32769 x 1"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_png(cases[i].width, cases[i].height, cases[i].bits, cases[i].colour_type, 0, rows,
                 cases[i].n);
        expect_refused(cases[i].parse_it, cases[i].words);
    }
}

static void png_that_ends_early_or_is_damaged(void **state)
{
    uint8_t rows[20 * 21];

    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = i % 21 == 0 ? 0 : (uint8_t)(i * i * 31 >> 3);
    make_png(20, 20, 8, 0, 0, rows, sizeof rows);
    expect_refused_when_cut(image_parse);
    make_png(20, 20, 8, 0, 0, rows, sizeof rows);
    file.at[50] ^= 0x10;
    expect_refused(image_parse, "broken PNG");
    make_png(6, 20, 8, 2, 0, rows, 19 * 20);
    expect_refused_when_cut(image_parse_depth24);
}

/* ---- depth in the colours of a PNG ---- */

static void depth24_of_rgb_and_rgba(void **state)
{
    static const uint32_t value[6] = {0x030201, 0x0000FF, 0, DEPTH24_MAX, 0x800000, 0x00AB00};

    for (size_t n_channels = 3; n_channels <= 4; n_channels++) {
        uint8_t rows[2 * (1 + 3 * 4)] = {0};

        for (size_t i = 0; i < 6; i++) {
            const uint8_t pixel[4] = {(uint8_t)value[i], (uint8_t)(value[i] >> 8),
                                      (uint8_t)(value[i] >> 16), (uint8_t)(85 * i)};

            memcpy(rows + (1 + i / 3) + i * n_channels, pixel, n_channels);
        }
        make_png(3, 2, 8, n_channels == 3 ? 2 : 6, 0, rows, 2 * (1 + 3 * n_channels));
        expect_image(image_parse_depth24, 3, 2, IMAGE_DEPTH24, value, sizeof value);
    }
}

/* ---- PGM and PFM ---- */

static void put_text(const char *text)
{
    file.n = 0;
    put(text, strlen(text));
}

static void pgm_text_and_binary(void **state)
{
    static const char *const same[] = {
        "P2\n3 2\n200\n1 2 3\n200 64 6\n",
        "P2 # a\n#b\n3#c\n2 # d 7\n200\n1\t2\r\n3 200 # not 9\n64 6",
        "P5\n3 2\n200\n\x01\x02\x03\xC8@\x06",
        "P5#x\r3 2 # y\n200 \x01\x02\x03\xC8@\x06 trailing",
    };

    for (size_t i = 0; i < 4; i++) {
        put_text(same[i]);
        expect_image(image_parse, 3, 2, IMAGE_U8, (const uint8_t[]){1, 2, 3, 200, '@', 6}, 6);
    }
    file.n = 0;
    put("P5 2 1 300\n\x01\x02\x00\x03", 15);
    expect_image(image_parse, 2, 1, IMAGE_U16, (const uint16_t[]){258, 3}, 4);
    put_text("P2 2 1 65535 65535 256");
    expect_image(image_parse, 2, 1, IMAGE_U16, (const uint16_t[]){65535, 256}, 4);
}

/* The file begins at the bottom. */
static void pfm_both_orders(void **state)
{
    static const float written[] = {0, 1.5f, 3, 4.5f, 6, INFINITY};
    static const float read[] = {6, INFINITY, 3, 4.5f, 0, 1.5f};

    for (int little = 0; little < 2; little++) {
        put_text(little ? "Pf\n2 3\n-0.0039\n" : "Pf 2 3 1e+0\n");
        for (int i = 0; i < 6; i++) {
            uint32_t word;

            memcpy(&word, &written[i], 4);
            put_32(little ? __builtin_bswap32(word) : word);
        }
        expect_image(image_parse, 2, 3, IMAGE_F32, read, sizeof read);
    }
}

/* What is said, and the files of which it is said. */
static void pgm_and_pfm_broken(void **state)
{
    static const struct {
        const char *words, *texts[6];
    } broken[] = {
        {"empty", {""}},
        {"neither PNG", {"P", "P5", "GIF89a..........."}},
        {"signature", {"\x89PNX"}},
        {"width and height", {"P5\n", "P5\n3", "P5\n3 -2\n255\n", "Pf\n1.5 1\n-1\n1234"}},
        {"largest value", {"P5\n3 2", "P5\n3 2\n0\n", "P5\n3 2\n65536\n"}},
        {"one blank", {"P5\n3 2\n255", "P5\n3 2\n255x123456", "Pf\n1 1\n-1x\n1234"}},
        {"scale",
         {"Pf\n1 1\n", "Pf\n1 1\n0\n1234", "Pf\n1 1\n-0.00\n1234", "Pf\n1 1\nnan\n1234"}},
        {"expected 6 bytes of pixels, found 5", {"P5\n3 2\n255\n12345"}},
        {"expected 12 bytes of pixels, found 11", {"P5\n3 2\n256\n12345678901"}},
        {"expected 4 bytes of pixels, found 3", {"Pf\n1 1\n-1\n123"}},
        {"truncated",
         {"P5\n32768 32768\n65535\nab", "P2\n32768 32768\n255\n1 2",
          "Pf\n32768 32768\n-1\n123"}},
        {"32769 x 1", {"P5\n32769 1\n255\n"}},
        {"each side must be", {"P5\n99999999999999999999 1\n255\n"}},
        {"0 x 1", {"P5\n0 1\n255\n"}},
        {"a sample of 10", {"P2\n2 1\n9\n1 10", "P5\n2 1\n9\n\x01\x0A"}},
        {"number 2 is missing", {"P2\n2 1\n9\n1 #23"}},
        {"broken", {"P2\n3 1\n9\n1 x 2 3", "P2\n2 1\n9\n1 -1"}},
        {"3 channels, expected 1",
         {"P6\n1 1\n255\nabc", "P3\n1 1\n255\n1 2 3", "PF\n1 1\n-1\n123456789012"}},
        {"bitmap", {"P4\n8 1\n\xFF"}},
    };
    static const char *const no_png[] = {"P5\n1 1\n255\na", "Pf\n1 1\n-1\n1234",
                                         "P6\n1 1\n255\nabc", "GIF89a..........."};

    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        for (const char *const *text = broken[i].texts; *text; text++) {
            put_text(*text);
            expect_refused(image_parse, broken[i].words);
        }
    for (size_t i = 0; i < sizeof no_png / sizeof *no_png; i++) {
        put_text(no_png[i]);
        expect_refused(image_parse_depth24, "no PNG");
    }
}

/* ---- files ---- */

static void written_files_read_back(void **state)
{
    static const uint8_t rgb[2 * 2 * 3] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    static const uint32_t depth[2 * 2] = {0x030201, 0x060504, 0x090807, 0x0C0B0A};
    const char *path = scratch("image.png");
    uint16_t grey[7 * 5];
    char missing[1100];
    struct image image;

    for (int i = 0; i < 35; i++)
        grey[i] = (uint16_t)(i * 1873);
    assert_int_equal(image_write_rgb(path, rgb, 2, 2), BENCH_OK);
    assert_int_equal(image_read_depth24(path, &image), BENCH_OK);
    assert_memory_equal(image.pixels, depth, sizeof depth);
    image_free(&image);
    assert_int_equal(image_write_u16(path, grey, 7, 5), BENCH_OK); /* replaces */
    /* a failure leaves the old file and nothing beside it */
    assert_int_equal(image_write_u16(path, grey, 0, 5), BENCH_EINPUT);
    assert_int_equal(image_read(path, &image), BENCH_OK);
    assert_true(image.width == 7 && image.height == 5 && image.type == IMAGE_U16);
    assert_memory_equal(image.pixels, grey, sizeof grey);
    image_free(&image);
    assert_int_equal(unlink(path), 0);
    snprintf(missing, sizeof missing, "%s.d/x.png", path);
    assert_int_equal(image_write_rgb(missing, rgb, 2, 2), BENCH_EIO);
    assert_says("", missing);
}

static void files_that_cannot_be_read(void **state)
{
    const char *path = scratch("unreadable");
    struct image image;

    assert_int_equal(image_read("no/such/file.png", &image), BENCH_EIO);
    assert_says("", "no/such/file.png");
    assert_null(image.pixels);
    assert_int_equal(image_read_depth24("tests", &image), BENCH_EIO);
    assert_says("tests", "not a regular file");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(image_read(path, &image), BENCH_EIO); /* and does not wait */
    assert_int_equal(unlink(path), 0);

    write_bytes(path, "", 0);
    assert_int_equal(image_read(path, &image), BENCH_EINPUT);
    assert_says(path, "empty");
    if (truncate(path, (off_t)1 << 40) == 0) {
        assert_int_equal(image_read(path, &image), BENCH_EINPUT);
        assert_says(path, "more than any image");
    }
    assert_int_equal(unlink(path), 0);
}

/* ---- disparity ---- */

#define NO_DEPTH 0, 0, 0

/* Of 16 bits 1/256 px is one to one, but for the largest; the codings are scale, offset, and
 * whether 0 and the largest are none.  Of depth, fx * baseline = 500 and 1000 m at most:
 * 128 DEPTH24_MAX / value, half goes up; half a pixel is the sky. */
static void disparity_of_samples(void **state)
{
    enum { X = DISPARITY_INVALID, MAX = DISPARITY_MAX };
    static uint16_t wide[] = {0, 1, 2560, 65534, 65535, 300};
    static uint8_t narrow[] = {0, 1, 128, 254, 255};
    static float real[] = {0.0f,    1.0f / 512.0f, 10.25f,          INFINITY, NAN,
                           -0.001f, 255.99f,       3.402823466e38f, -INFINITY};
    static uint32_t depth[] = {0,     DEPTH24_MAX, DEPTH24_MAX - 1, 1,      255,
                               32767, 32768,       32769,           167772, 1000003};
    static const struct image u16 = {3, 2, IMAGE_U16, wide}, u8 = {5, 1, IMAGE_U8, narrow},
                              f32 = {3, 3, IMAGE_F32, real}, d24 = {5, 2, IMAGE_DEPTH24, depth};
    static const struct {
        const struct image *image;
        struct disparity_coding coding;
        size_t n_clamped;
        uint16_t expected[10];
    } cases[] = {
        {&u16, {256, 0, 0, 0, NO_DEPTH}, 1, {0, 1, 2560, 65534, 65534, 300}},
        {&u16, {256, 0, 1, 1, NO_DEPTH}, 0, {X, 1, 2560, 65534, X, 300}},
        {&u16, {256, 1, 1, 0, NO_DEPTH}, 0, {X, 0, 2559, 65533, 65534, 299}}, /* Cityscapes' */
        {&u16,
         {256, 1, 0, 0, NO_DEPTH},
         0,
         {X, 0, 2559, 65533, 65534, 299}}, /* below zero: none */
        {&u8, {1, 0, 0, 0, NO_DEPTH}, 0, {0, 256, 32768, 65024, 65280}},
        {&u8, {3, 0, 1, 1, NO_DEPTH}, 0, {X, 85, 10923, 21675, X}}, /* 85.33, 10922.67 */
        {&u8, {0.5, 0, 0, 0, NO_DEPTH}, 3, {0, 512, MAX, MAX, MAX}},
        {&f32,
         {1, 0, 0, 0, NO_DEPTH},
         1,
         {0, 1, 2624, X, X, X, 65533, MAX, X}}, /* half goes up */
        {&d24,
         {.max_m = 1000, .fx_px = 625, .baseline_m = 0.8},
         4,
         /* of 32768 it is 65535.996 */
         {X, 128, 128, MAX, MAX, MAX, MAX, MAX, 12800, 2147}},
    };
    struct plane plane = {0};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct image *image = cases[i].image;

        assert_int_equal(image_to_disparity(image, &cases[i].coding, &plane), BENCH_OK);
        assert_true(plane.width == image->width && plane.height == image->height);
        assert_memory_equal(plane.disparity, cases[i].expected,
                            (size_t)(plane.width * plane.height) * sizeof *plane.disparity);
        assert_int_equal(plane.n_clamped, cases[i].n_clamped);
    }
    plane_free(&plane);
}

/* The scale or, of depth, what must be above zero. */
static void disparity_needs_a_scale_or_a_camera(void **state)
{
    static const struct {
        enum image_type type;
        struct disparity_coding coding;
    } cases[] = {
        {IMAGE_U8, {.scale = 0}},
        {IMAGE_U8, {.scale = -1}},
        {IMAGE_U8, {.scale = INFINITY}},
        {IMAGE_U8, {.scale = NAN}},
        {IMAGE_U8, {1, INFINITY, 0, 0, NO_DEPTH}},
        {IMAGE_DEPTH24, {1, 0, 0, 0, 0, 1, 1}},
        {IMAGE_DEPTH24, {1, 0, 0, 0, -1, 1, 1}},
        {IMAGE_DEPTH24, {1, 0, 0, 0, INFINITY, 1, 1}},
        {IMAGE_DEPTH24, {1, 0, 0, 0, 1, 0, 1}},
        {IMAGE_DEPTH24, {1, 0, 0, 0, 1, NAN, 1}},
        {IMAGE_DEPTH24, {1, 0, 0, 0, 1, 1, 0}},
        {IMAGE_DEPTH24, {1, 0, 0, 0, 1, 1, -1}},
    };
    uint32_t pixel = 1;
    struct plane plane = {0};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct image image = {1, 1, cases[i].type, &pixel};

        assert_int_equal(image_to_disparity(&image, &cases[i].coding, &plane), BENCH_EINPUT);
        assert_null(plane.disparity);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(png_keeps_values),
        cmocka_unit_test(png_interlaced),
        cmocka_unit_test(png_refused),
        cmocka_unit_test(png_that_ends_early_or_is_damaged),
        cmocka_unit_test(depth24_of_rgb_and_rgba),
        cmocka_unit_test(pgm_text_and_binary),
        cmocka_unit_test(pfm_both_orders),
        cmocka_unit_test(pgm_and_pfm_broken),
        cmocka_unit_test(written_files_read_back),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(disparity_of_samples),
        cmocka_unit_test(disparity_needs_a_scale_or_a_camera),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_image.c - PNG, PGM and PFM: round trips, sample sizes, hostile files; depth in 24 bits
 *
 * A small encoder here makes PNG files; it shares zlib alone with the code under test.
 */
#include "harness/inputs/image.h"
#include "tests/inputs.h"

#include <arpa/inet.h>
#include <math.h>
#include <sys/stat.h>
#include <zlib.h>

static void put_32(uint32_t word)
{
    put(&(uint32_t){htonl(word)}, 4);
}

static void put_chunk(const char *kind, const void *data, size_t n)
{
    const size_t start = made.n + 4;

    put_32((uint32_t)n);
    put(kind, 4);
    put(data, n);
    put_32((uint32_t)crc32(0, made.at + start, (uInt)(made.n - start)));
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
    made.n = 0;
    put("\x89PNG\r\n\x1a\n", 8);
    put_chunk("IHDR", &header, 13);
    if (colour_type == 3)
        put_chunk("PLTE", "RGB", 3);
    put_chunk("IDAT", squeezed, n_squeezed);
    put_chunk("IEND", NULL, 0);
}

static enum bench_status parse(enum image_kind kind, struct image *image)
{
    OWNED(memory_free) uint8_t *copy = exact_copy(made.at, made.n);

    memset(image, 0x5A, sizeof *image);
    bench_failure_clear();
    return image_parse(copy, made.n, "made.up", kind, image);
}

static void expect_image(enum image_kind kind, int width, int height, enum image_type type,
                         const void *pixels, size_t size)
{
    struct image image;

    assert_int_equal(parse(kind, &image), BENCH_OK);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_int_equal(image.type, type);
    assert_memory_equal(image.pixels, pixels, size);
    image_free(&image);
    assert_null(image.pixels);
}

static void expect_refused(enum image_kind kind, const char *words)
{
    struct image image;

    assert_int_equal(parse(kind, &image), BENCH_EINPUT);
    assert_null(image.pixels);
    assert_int_equal(image.width, 0);
    assert_says("made.up: ", words);
}

static void expect_refused_when_cut(enum image_kind kind)
{
    for (const size_t n = made.n; made.n > 0; made.n--)
        if (made.n < n)
            expect_refused(kind, "");
}

/* ---- PNG ---- */

TEST(png_keeps_values)
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
        expect_image(IMAGE_GREY, W, 2, IMAGE_U8, values, sizeof values);
    }
    make_png(2, 2, 16, 0, 0, big_endian, sizeof big_endian);
    expect_image(IMAGE_GREY, 2, 2, IMAGE_U16, (const uint16_t[]){0x1234, 0xFFFF, 1, 0xABCD}, 8);
}

/* Adam7: pixel (u, v) of a 9 x 9 image comes in the first pass whose grid has it. */
TEST(png_interlaced)
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
    expect_image(IMAGE_GREY, 9, 9, IMAGE_U8, values, sizeof values);
}

/* Other kinds of samples; sizes beyond the bytes: 2 GiB from 70, fewer pixels than said. */
TEST(png_refused)
{
    static const char grey[] = "grey, expected 24 bits of depth";
    static const uint8_t rows[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const struct {
        enum image_kind kind;
        uint32_t width, height;
        int bits, colour_type;
        size_t n;
        const char *words;
    } cases[] = {
        {IMAGE_GREY, 1, 1, 8, 2, 4, "3 channels, expected 1 of grey: a map, not a photo"},
        {IMAGE_GREY, 1, 1, 8, 6, 5, "4 channels, expected 1"},
        {IMAGE_GREY, 1, 1, 8, 4, 3, "2 channels, expected 1"},
        {IMAGE_GREY, 1, 1, 8, 3, 2, "palette of colours (3 channels), expected 1 of grey"},
        {IMAGE_GREY, 1, 1, 8, 5, 2, "broken PNG"},
        {IMAGE_GREY, 1, 1, 3, 0, 2, "broken PNG"},
        {IMAGE_GREY, 8000, 8000, 16, 0, 2, "cannot hold"},
        {IMAGE_GREY, 32768, 32768, 16, 0, 2, "at most 64000000 pixels, found 32768 x 32768"},
        {IMAGE_GREY, 8000, 8001, 8, 0, 2, "at most 64000000"},
        {IMAGE_GREY, 32769, 1, 8, 0, 2, "32769 x 1"},
        {IMAGE_GREY, 1, 0xFFFFFFFFu, 8, 0, 2, "broken PNG"},
        {IMAGE_GREY, 0, 5, 8, 0, 2, "broken PNG"},
        {IMAGE_GREY, 100, 3, 8, 0, 2, "broken PNG"},
        {IMAGE_COLOURS, 1, 1, 8, 0, 2, grey},
        {IMAGE_COLOURS, 1, 1, 16, 0, 3, grey},
        {IMAGE_COLOURS, 1, 1, 8, 4, 3, grey},
        {IMAGE_COLOURS, 1, 1, 8, 3, 2, "palette"},
        {IMAGE_COLOURS, 1, 1, 8, 5, 2, "broken PNG"},
        {IMAGE_COLOURS, 1, 1, 16, 2, 7, "16 bits a channel"},
        {IMAGE_COLOURS, 8000, 8000, 8, 6, 5, "cannot hold"},
        {IMAGE_COLOURS, 32768, 32768, 8, 6, 5, "--max-pixels"},
        {IMAGE_COLOURS, 32769, 1, 8, 2, 4, "32769 x 1"},
        {IMAGE_VIEW, 1, 1, 8, 4, 3, "neither a PNG of 8 bits"},
        {IMAGE_VIEW, 1, 1, 8, 3, 2, "neither a PNG of 8 bits"},
        {IMAGE_VIEW, 1, 1, 4, 0, 2, "neither a PNG of 8 bits"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_png(cases[i].width, cases[i].height, cases[i].bits, cases[i].colour_type, 0, rows,
                 cases[i].n);
        expect_refused(cases[i].kind, cases[i].words);
    }
}

TEST(png_that_ends_early_or_is_damaged)
{
    uint8_t rows[20 * 21];

    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = i % 21 == 0 ? 0 : (uint8_t)(i * i * 31 >> 3);
    make_png(20, 20, 8, 0, 0, rows, sizeof rows);
    expect_refused_when_cut(IMAGE_GREY);
    make_png(20, 20, 8, 0, 0, rows, sizeof rows);
    made.at[50] ^= 0x10;
    expect_refused(IMAGE_GREY, "broken PNG");
    make_png(20, 20, 8, 0, 0, rows, sizeof rows);
    put("more", 4); /* whole pixels, as their sums say */
    {
        struct image image;

        assert_int_equal(parse(IMAGE_GREY, &image), BENCH_OK);
        assert_int_equal(image.n_surplus, 4);
        image_free(&image);
    }
    make_png(6, 20, 8, 2, 0, rows, 19 * 20);
    expect_refused_when_cut(IMAGE_COLOURS);
}

/* ---- depth in the colours of a PNG ---- */

TEST(depth24_of_rgb_and_rgba)
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
        expect_image(IMAGE_COLOURS, 3, 2, IMAGE_DEPTH24, value, sizeof value);
    }
}

/* ---- PGM and PFM ---- */

/* FILE => TYPE WIDTH HEIGHT and the pixels. */
static void read_right(const char *bytes, size_t n, const char *expected)
{
    static const char *const types[] = {"u8", "u16", "f32", "depth24"};
    struct image image;
    char type[8];
    int width, height, used;

    made.n = 0;
    put(bytes, n);
    assert_int_equal(sscanf(expected, "%7s %d %d%n", type, &width, &height, &used), 3);
    assert_int_equal(parse(*type == 'd' ? IMAGE_COLOURS : IMAGE_GREY, &image), BENCH_OK);
    assert_string_equal(types[image.type], type);
    assert_true(image.width == width && image.height == height);
    for (int i = 0; i < width * height; i++) {
        char *end;
        const double found = image.type == IMAGE_U8    ? ((uint8_t *)image.pixels)[i]
                             : image.type == IMAGE_U16 ? ((uint16_t *)image.pixels)[i]
                             : image.type == IMAGE_F32 ? (double)((float *)image.pixels)[i]
                                                       : ((uint32_t *)image.pixels)[i];

        assert_true(strtod(expected + used, &end) == found && end > expected + used);
        used = (int)(end - expected);
    }
    assert_int_equal(expected[used], '\0');
    image_free(&image);
}

TEST(pgm_ppm_and_pfm)
{
    each_damaged("images", read_right);
}

static void refuse_image(const char *bytes, size_t n, const char *words)
{
    made.n = 0;
    put(bytes, n);
    expect_refused(IMAGE_GREY, words);
}

static void refuse_depth24(const char *bytes, size_t n, const char *words)
{
    made.n = 0;
    put(bytes, n);
    expect_refused(IMAGE_COLOURS, words);
}

static void refuse_both(const char *bytes, size_t n, const char *words)
{
    refuse_image(bytes, n, words);
    assert_says("", ", expected PNG, PGM (P2, P5) or PFM (Pf)");
    refuse_depth24(bytes, n, words);
}

TEST(damaged_files)
{
    each_damaged("image", refuse_image);
    each_damaged("depth24", refuse_depth24);
    each_damaged("kinds", refuse_both);
}

/* ---- files ---- */

TEST(written_files_read_back)
{
    static const uint8_t rgb[2 * 2 * 3] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    static const uint32_t depth[2 * 2] = {0x030201, 0x060504, 0x090807, 0x0C0B0A};
    const char *path = scratch("image.png");
    char missing[1100];
    struct image image;

    assert_int_equal(image_write_rgb(path, rgb, 1, 1), BENCH_OK);
    assert_int_equal(image_write_rgb(path, rgb, 2, 2), BENCH_OK); /* replaces */
    /* a failure leaves the old file and nothing beside it */
    assert_int_equal(image_write_rgb(path, rgb, 0, 5), BENCH_EIO);
    assert_int_equal(image_read(path, IMAGE_COLOURS, &image), BENCH_OK);
    assert_memory_equal(image.pixels, depth, sizeof depth);
    image_free(&image);
    assert_int_equal(unlink(path), 0);
    snprintf(missing, sizeof missing, "%s.d/x.png", path);
    assert_int_equal(image_write_rgb(missing, rgb, 2, 2), BENCH_EIO);
    assert_says("", missing);
}

TEST(files_that_cannot_be_read)
{
    const char *path = scratch("unreadable");
    struct image image;

    assert_int_equal(image_read("no/such/file.png", IMAGE_GREY, &image), BENCH_EIO);
    assert_says("", "no/such/file.png");
    assert_null(image.pixels);
    assert_int_equal(image_read("tests", IMAGE_COLOURS, &image), BENCH_EIO);
    assert_says("tests", "a folder, not a regular file");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(image_read(path, IMAGE_GREY, &image), BENCH_EIO); /* and does not wait */
    assert_says(path, "a pipe, not");
    assert_int_equal(unlink(path), 0);

    write_bytes(path, "", 0);
    assert_int_equal(image_read(path, IMAGE_GREY, &image), BENCH_EINPUT);
    assert_says(path, "empty");
    if (truncate(path, (off_t)1 << 40) == 0) {
        assert_int_equal(image_read(path, IMAGE_GREY, &image), BENCH_EINPUT);
        assert_says(path, "more than any image");
    }
    assert_int_equal(unlink(path), 0);
}

/* ---- disparity ---- */

#define NO_DEPTH 0, 0, 0, 0

/* Samples as disparities: 16 bits are 1/256 px, but for the largest.  Codings: scale, offset,
 * no 0, no largest.  Depth: 128 DEPTH24_MAX / value, half goes up; half a pixel is the sky. */
TEST(disparity_of_samples)
{
    enum { X = DISPARITY_INVALID, MAX = DISPARITY_MAX };
    static uint16_t wide[] = {0, 1, 2560, 65534, 65535, 300};
    static uint8_t narrow[] = {0, 1, 128, 254, 255};
    static float real[] = {0.0f,    1.0f / 512.0f, 10.25f,          INFINITY, NAN,
                           -0.001f, 255.99f,       3.402823466e38f, -INFINITY};
    static uint32_t depth[] = {0,     DEPTH24_MAX, DEPTH24_MAX - 1, 1,      255,
                               32767, 32768,       32769,           167772, 1000003};
    static const struct image u16 = {3, 2, IMAGE_U16, wide, 0},
                              u8 = {5, 1, IMAGE_U8, narrow, 0},
                              f32 = {3, 3, IMAGE_F32, real, 0},
                              d24 = {5, 2, IMAGE_DEPTH24, depth, 0};
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
    OWNED(plane_free) struct plane plane = {0};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct image *image = cases[i].image;

        assert_int_equal(image_to_disparity(image, &cases[i].coding, &plane), BENCH_OK);
        assert_true(plane.width == image->width && plane.height == image->height);
        assert_memory_equal(plane.disparity, cases[i].expected,
                            (size_t)(plane.width * plane.height) * sizeof *plane.disparity);
        assert_int_equal(plane.values.n_clamped, cases[i].n_clamped);
    }
}

/* Each coding, by what its formula and its words say. */
TEST(codings_by_name)
{
    enum { X = DISPARITY_INVALID };
    static const struct {
        const char *name;
        enum image_type type;
        uint16_t p[6], expected[6]; /* of floats p - 8, px */
    } cases[] = {
        {"px", IMAGE_U16, {0, 1, 200, 65520, 65535, 2}, {X, 256, 51200, 65534, 65534, 512}},
        {"kitti", IMAGE_U16, {0, 1, 256, 51200, 65520, 2}, {X, 1, 256, 51200, 65520, 2}},
        {"cityscapes", IMAGE_U16, {0, 1, 257, 51201, 65520, 2}, {X, 0, 256, 51200, 65519, 1}},
        {"sgm16", IMAGE_U16, {0, 1, 16, 65520, 65535, 32768}, {0, 16, 256, X, X, X}},
        {"vpi", IMAGE_U16, {0, 1, 32, 8159, 65504, 32768}, {0, 8, 256, 65272, X, X}},
        {"depthai", IMAGE_U16, {0, 1, 8, 760, 16, 2}, {X, 32, 256, 24320, 512, 64}},
        {"zed", IMAGE_F32, {0, 8, 7, 9, 6, 7}, {2048, 0, 256, X, 512, 256}},
    };
    size_t i = 0;

    for (const struct value_coding *c = value_codings; c->name; c++, i++) {
        struct counted_values counted;
        uint16_t disparity[6];
        float real[6];

        assert_string_equal(c->name, cases[i].name);
        for (int k = 0; k < 6; k++)
            real[k] = (float)cases[i].p[k] - 8;
        assert_int_equal(coding_check_type(c, cases[i].type, "a.png"), BENCH_OK);
        assert_int_equal(
            coding_decode(cases[i].type,
                          cases[i].type == IMAGE_F32 ? (void *)real : (void *)cases[i].p, 6,
                          &c->values, disparity, &counted),
            BENCH_OK);
        assert_memory_equal(disparity, cases[i].expected, sizeof disparity);
        assert_true(coding_find(c->name, "here") == c);
    }
    assert_null(coding_find("kiti", "here"));
    assert_says("here: expected px, kitti", "or zed, found 'kiti'; did you mean 'kitti'?");
    assert_int_equal(coding_check_type(&value_codings[1], IMAGE_U8, "a.png"), BENCH_EINPUT);
    assert_says("a.png: ", "the coding kitti has 16 bits, found values of 8 bits");
}

static const struct disparity_coding px = {.scale = 1};

/* Values, of which most are lost behind '!' => what is said of them. */
static void lose(const char *values, size_t n, const char *said)
{
    const bool is_lost = *values == '!';
    struct counted_values counted;
    struct text text = {0};
    uint16_t disparity[8];
    float value[8];
    char *end = (char *)(uintptr_t)values + is_lost;

    for (int i = 0; i < 8; i++)
        value[i] = strtof(end, &end);
    assert_int_equal(coding_decode(IMAGE_F32, value, 8, &px, disparity, &counted), BENCH_OK);
    coding_tell(&counted, &text);
    assert_string_equal(text.data ? text.data : "", said);
    text_free(&text);
    assert_int_equal(coding_check_lost(&counted, "a.pfm"), is_lost ? BENCH_EINPUT : BENCH_OK);
    if (is_lost)
        assert_says("a.pfm: most values are lost, ", said);
}

TEST(values_that_are_lost)
{
    static const uint16_t sgm[5] = {160, 320, 65520, 4000, 65520}, lone[3] = {1, 2, 65535};
    static const uint8_t narrow[4] = {100, 130, 255, 255};
    static const struct disparity_coding kitti = {.scale = 256};
    struct counted_values counted, sum = {0};
    uint16_t disparity[8];

    each_damaged("lost", lose);

    /* other coders' value for no measurement; twice, as two maps of a run */
    assert_int_equal(coding_decode(IMAGE_U16, lone, 3, &kitti, disparity, &counted), BENCH_OK);
    assert_true(counted.n_alone == 1 && counted.alone == 65535);
    assert_int_equal(coding_decode(IMAGE_U8, narrow, 4, &px, disparity, &counted), BENCH_OK);
    assert_int_equal(counted.n_alone, 0);
    for (int k = 0; k < 2; k++) {
        OWNED(text_free) struct text text = {0};

        assert_int_equal(coding_decode(IMAGE_U16, sgm, 5, &kitti, disparity, &counted),
                         BENCH_OK);
        coding_add(&sum, &counted);
        coding_tell(&sum, &text);
        assert_non_null(
            strstr(text.data, k ? "4 of 10 values are 65520" : "2 of 5 values are"));
        assert_non_null(strstr(text.data, "--coding sgm16 leaves it out"));
    }
}

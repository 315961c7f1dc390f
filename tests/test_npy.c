/*
 * test_npy.c - class probabilities from NumPy files: both layouts, three types, hostile files
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/inputs/npy.h"
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file under construction. */
static uint8_t file[1 << 18];
static size_t n_file;

static void put(const void *from, size_t n)
{
    assert_true(n <= sizeof file - n_file);
    memcpy(file + n_file, from, n);
    n_file += n;
}

/* Begin a file of version 'major' with this header text as it is. */
static void begin(int major, const char *header)
{
    const size_t n = strlen(header);
    const uint8_t head[12] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', (uint8_t)major, 0, (uint8_t)n, (uint8_t)(n >> 8), 0, 0};

    n_file = 0;
    put(head, major == 1 ? 10 : 12);
    put(header, n);
}

/* As numpy.save writes it. */
static void begin_array(const char *descr, const char *shape)
{
    char header[256];

    snprintf(header, sizeof header,
             "{'descr': '%s', 'fortran_order': False, 'shape': %s, }          \n", descr,
             shape);
    begin(1, header);
}

static void put_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);

    const uint8_t little[4] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                               (uint8_t)(bits >> 24)};

    put(little, 4);
}

static void put_half(unsigned bits)
{
    const uint8_t little[2] = {(uint8_t)bits, (uint8_t)(bits >> 8)};

    put(little, 2);
}

static void put_floats(const float *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_float(value[i]);
}

/* From a block of exactly the file's size, so that a sanitizer sees a byte too far. */
static enum bench_status parse(int width, int height, uint16_t **probability, int *n_classes)
{
    uint8_t *copy = malloc(n_file > 0 ? n_file : 1);
    enum bench_status status;

    assert_non_null(copy);
    memcpy(copy, file, n_file);
    *probability = (uint16_t *)&status; /* must be overwritten */
    *n_classes = 77;
    bench_failure_clear();
    status =
        npy_parse_probability(copy, n_file, "p.npy", width, height, probability, n_classes);
    free(copy);
    return status;
}

static void expect_parsed(int width, int height, int n_classes, const uint16_t *expected)
{
    uint16_t *probability;
    int n;

    if (parse(width, height, &probability, &n) != BENCH_OK)
        fail_msg("%s", bench_failure());
    assert_int_equal(n, n_classes);
    assert_memory_equal(probability, expected,
                        (size_t)(n * width * height) * sizeof *probability);
    free(probability);
}

static void expect_refused(int width, int height, const char *words)
{
    uint16_t *probability;
    int n;

    if (parse(width, height, &probability, &n) != BENCH_EINPUT)
        fail_msg("not refused, where '%s' was expected", words);
    assert_null(probability);
    assert_int_equal(n, 0);
    if (strstr(bench_failure(), words) == NULL || strncmp(bench_failure(), "p.npy: ", 7) != 0)
        fail_msg("expected '%s' in: %s", words, bench_failure());
}

/* 3 x 2 pixels of 2 classes: class 0 in reading order, class 1 is the rest. */
static const float first_class[6] = {0, 1, 0.5f, 0.25f, 0.75f, 0.125f};
static const uint16_t planes[12] = {0,     65535, 32768, 16384, 49151, 8192,
                                    65535, 0,     32768, 49151, 16384, 57343};

static void classes_first(void **state)
{
    (void)state;
    begin_array("<f4", "(2, 2, 3)");
    put_floats(first_class, 6);
    for (int i = 0; i < 6; i++)
        put_float(1 - first_class[i]);
    expect_parsed(3, 2, 2, planes);
    expect_refused(2, 3, "shape (2, 2, 3), expected (classes, 3, 2) or (3, 2, classes)");
}

static void classes_last(void **state)
{
    (void)state;
    begin_array("<f4", "(2, 3, 2)");
    for (int i = 0; i < 6; i++) {
        put_float(first_class[i]);
        put_float(1 - first_class[i]);
    }
    expect_parsed(3, 2, 2, planes);
}

static void bytes_are_255ths(void **state)
{
    (void)state;
    uint16_t expected[512];

    begin_array("|u1", "(2, 1, 256)");
    for (int k = 0; k < 2; k++)
        for (int u = 0; u < 256; u++) {
            const uint8_t byte = (uint8_t)(k == 0 ? u : 255 - u);

            put(&byte, 1);
            expected[256 * k + u] = (uint16_t)(257 * byte);
        }
    expect_parsed(256, 1, 2, expected);
}

/* What a binary16 of 0..1 means, by the definition. */
static double value_of_half(int bits)
{
    const int exponent = bits >> 10, fraction = bits & 1023;

    return exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
}

/* Every half of 0..1, with the largest one beside it that goes with it. */
static void every_half(void **state)
{
    enum { ONE = 0x3C00, N = ONE + 1 };
    uint16_t *expected = malloc(2 * N * sizeof *expected);
    char shape[32];

    (void)state;
    assert_non_null(expected);
    snprintf(shape, sizeof shape, "(2, 1, %d)", N);
    begin_array("<f2", shape);
    for (int bits = 0; bits < N; bits++) {
        put_half((unsigned)bits);
        expected[bits] = (uint16_t)floor(value_of_half(bits) * 65535 + 0.5);
    }
    for (int bits = 0; bits < N; bits++) {
        int low = 0, high = ONE;

        while (low < high) {
            const int middle = (low + high + 1) / 2;

            if (value_of_half(middle) <= 1 - value_of_half(bits))
                low = middle;
            else
                high = middle - 1;
        }
        put_half((unsigned)low);
        expected[N + bits] = (uint16_t)floor(value_of_half(low) * 65535 + 0.5);
    }
    expect_parsed(N, 1, 2, expected);
    free(expected);

    /* minus nothing, a little too much, and what is no number */
    begin_array("<f2", "(2, 1, 1)");
    put_half(0x8000);
    put_half(0x3C01); /* 1 + 2^-10 */
    expect_parsed(1, 1, 2, (const uint16_t[]){0, 65535});
    begin_array("<f2", "(2, 1, 1)");
    put_half(0x7E00);
    put_half(0x3C00);
    expect_refused(1, 1, "nan for class 0");
    begin_array("<f2", "(2, 1, 1)");
    put_half(0);
    put_half(0xFC00);
    expect_refused(1, 1, "-inf for class 1");
    begin_array("<f2", "(2, 1, 1)");
    put_half(0);
    put_half(0xBC00);
    expect_refused(1, 1, "-1 for class 1");
}

/* Any size, both layouts: the same planes. */
static void both_layouts_agree(void **state)
{
    static const int sizes[][3] = {{1, 1, 32}, {33, 31, 5}, {31, 33, 19}, {2, 1, 1}, {1, 7, 2}};

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int w = sizes[s][0], h = sizes[s][1], n = sizes[s][2];
        uint16_t *one, *other;
        char shape[64];
        int n_one, n_other;

        /* class k of pixel i has 0.5 / n and, where it is the pixel's own, a half more */
        snprintf(shape, sizeof shape, "(%d, %d, %d)", n, h, w);
        begin_array("<f4", shape);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < w * h; i++)
                put_float(0.5f / (float)n + (i * 7 % n == k ? 0.5f : 0));
        assert_int_equal(parse(w, h, &one, &n_one), BENCH_OK);
        snprintf(shape, sizeof shape, "(%d, %d, %d)", h, w, n);
        begin_array("<f4", shape);
        for (int i = 0; i < w * h; i++)
            for (int k = 0; k < n; k++)
                put_float(0.5f / (float)n + (i * 7 % n == k ? 0.5f : 0));
        assert_int_equal(parse(w, h, &other, &n_other), BENCH_OK);
        assert_int_equal(n_one, n);
        assert_int_equal(n_other, n);
        assert_memory_equal(one, other, (size_t)(n * w * h) * sizeof *one);
        free(one);
        free(other);
    }
}

static void headers_that_are_fine(void **state)
{
    static const char *const headers[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 2), }\n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 2)}",
        "{\"shape\":(1,1,2,),\"fortran_order\":False,\"descr\":\"<f4\"}\n",
        "  { 'fortran_order' : False , 'shape' : ( 1 , 1 , 2 ) , 'descr' : '<f4' , }  \n  ",
    };

    (void)state;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        for (int major = 1; major <= 3; major++) {
            begin(major, headers[i]);
            put_float(1);
            put_float(1);
            expect_parsed(2, 1, 1, (const uint16_t[]){65535, 65535});
        }
}

static void headers_that_are_broken(void **state)
{
    static const struct {
        const char *header, *words;
    } broken[] = {
        {"", "expected '{' at its byte 0"},
        {"[]", "expected '{'"},
        {"{", "expected a string at its byte 1"},
        {"{}", "the key descr is missing"},
        {"{,}", "expected a string"},
        {"{'descr'", "expected a colon"},
        {"{'descr", "expected the end of a string"},
        {"{'de\\x73cr': '<f4'}", "expected a string of plain characters"},
        {"{'descr': '<f4'", "expected a comma or '}'"},
        {"{'descr': '<f4' 'shape': (1,)}", "expected a comma or '}'"},
        {"{'descr': '<f4', 'descr': '<f4'}", "a second 'descr'"},
        {"{'descr': '<f4', 'scale': 1}", "found 'scale'"},
        {"{'descr': '<f4', 'fortran_order': False}", "the key shape is missing"},
        {"{'descr': '<f4', 'shape': (1, 1, 2)}", "the key fortran_order is missing"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 1, 2)}", "True or False"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': [1, 1, 2]}", "a shape in"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, -1, 2)}", "a whole number"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}", "a comma or a closing"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 2", "a comma or a closing"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 2)} x", "nothing more"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "structures"},
        {"{'descr': 4, 'fortran_order': False, 'shape': (1, 1, 2)}", "expected a string"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        begin(1, broken[i].header);
        put_float(1);
        put_float(1);
        expect_refused(2, 1, broken[i].words);
    }
}

static void arrays_of_other_kinds(void **state)
{
    static const char *const types[] = {">f4", "<f8", "|i1", "<u2", "|b1", "<i4", "<c8", "f4"};
    static const char *const shapes[] = {
        "()",
        "(2,)",
        "(1, 2)",
        "(1, 1, 1, 2)",
        "(1, 2, 1, 1)",
        "(1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1)",
        "(0, 1, 2)",
        "(33, 1, 2)",
        "(1, 2, 33)",
        "(3, 2, 2)",
        "(2, 1, 1)",
        "(1, 1, 18446744073709551618)", /* 2 more than 64 bits hold */
        "(4294967297, 1, 2)",
        "(99999999999999999999999999999999999, 99999999999999999999999999999999999)"};

    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        begin_array(types[i], "(1, 1, 2)");
        put_float(1);
        put_float(1);
        expect_refused(2, 1, "expected '<f4', '<f2' or '|u1'");
        assert_non_null(strstr(bench_failure(), types[i]));
        assert_int_equal(strstr(bench_failure(), "big-endian") != NULL, types[i][0] == '>');
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        begin_array("<f4", shapes[i]);
        put_float(1);
        put_float(1);
        expect_refused(2, 1, "expected (classes, 1, 2) or (1, 2, classes) with 1..32 classes");
    }
    begin(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1, 2), }\n");
    put_float(1);
    put_float(1);
    expect_refused(2, 1, "Fortran order");

    /* a cube can be read in two ways, a single value too */
    begin_array("<f4", "(2, 2, 2)");
    for (int i = 0; i < 8; i++)
        put_float(0.5f);
    expect_refused(2, 2, "cannot tell whether the classes come first or last");
    begin_array("<f4", "(1, 1, 1)");
    put_float(1);
    expect_refused(1, 1, "cannot tell");

    begin_array("<f4", "(1, 1, 2)");
    expect_refused(0, 1, "each side must be");
    expect_refused(2, INPUTS_MAX_SIDE + 1, "each side must be");
}

static void files_of_wrong_size(void **state)
{
    static const char whole_header[] =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 2), }";
    size_t whole;

    (void)state;
    begin_array("<f4", "(2, 2, 3)");
    put_floats(first_class, 6);
    for (int i = 0; i < 6; i++)
        put_float(1 - first_class[i]);
    whole = n_file;
    for (n_file = 0; n_file < whole; n_file++)
        expect_refused(3, 2, "");
    n_file = whole - 1;
    expect_refused(3, 2, "truncated .npy file: expected 48 bytes of values, found 47");
    n_file = whole - 48;
    expect_refused(3, 2, "found 0");
    n_file = whole + 1;
    expect_refused(3, 2, "oversized .npy file: expected 48 bytes of values, found 49");
    n_file = whole;
    expect_parsed(3, 2, 2, planes);

    file[6] = 4;
    expect_refused(3, 2, "format version 4.0, expected 1.0, 2.0 or 3.0");
    file[6] = 0;
    expect_refused(3, 2, "format version 0.0");
    file[6] = 1;
    file[7] = 1;
    expect_refused(3, 2, "format version 1.1");
    file[7] = 0;
    file[0] = 'x';
    expect_refused(3, 2, "no .npy file");

    /* the longest header, and one byte more */
    for (int n = 10000; n <= 10001; n++) {
        char header[10002];

        memset(header, ' ', sizeof header);
        memcpy(header, whole_header, strlen(whole_header));
        header[n] = '\0';
        begin(1, header);
        put_float(1);
        put_float(1);
        if (n == 10000)
            expect_parsed(2, 1, 1, (const uint16_t[]){65535, 65535});
        else
            expect_refused(2, 1, "a .npy header of 10001 bytes, expected at most 10000");
    }

    /* gigabytes from a few bytes */
    begin_array("<f4", "(32, 32768, 32768)");
    expect_refused(INPUTS_MAX_SIDE, INPUTS_MAX_SIDE, "truncated");
    begin(2, "");
    memset(file + 8, 0xFF, 4);
    expect_refused(3, 2, "a .npy header of 4294967295 bytes, expected at most 10000");
    begin(2, "");
    file[9] = 0x20;
    expect_refused(3, 2, "truncated .npy header: expected 8192 bytes, found 0");
}

static void values_that_are_no_probabilities(void **state)
{
    static const float bad[] = {-0.0011f, 1.0011f, 37, -1e30f, NAN, INFINITY, -INFINITY};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int last = 0; last < 2; last++) {
            begin_array("<f4", last ? "(4, 5, 2)" : "(2, 4, 5)");
            for (int at = 0; at < 40; at++) {
                const int pixel = last ? at / 2 : at % 20, k = last ? at % 2 : at / 20;

                put_float(pixel == 13 && k == 1 ? bad[i] : 0.5f);
            }
            expect_refused(5, 4, "for class 1 of the pixel in column 3, row 2");
            assert_non_null(strstr(bench_failure(), "softmax the scores first"));
        }

    /* rounding is no error */
    begin_array("<f4", "(2, 1, 2)");
    put_float(-0.0009f);
    put_float(1.0009f);
    put_float(1.0009f);
    put_float(-0.0f);
    expect_parsed(2, 1, 2, (const uint16_t[]){0, 65535, 65535, 0});
}

static void values_that_do_not_add_up(void **state)
{
    static const struct {
        float value;
        int is_fine;
    } sums[] = {{0.97f, 0}, {0.981f, 1}, {1, 1}};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        begin_array("<f4", "(1, 2, 3)");
        for (int at = 0; at < 6; at++)
            put_float(at == 4 ? sums[i].value : 1);
        if (sums[i].is_fine) {
            uint16_t expected[6] = {65535, 65535, 65535, 65535, 0, 65535};

            expected[4] = (uint16_t)floor((double)sums[i].value * 65535 + 0.5);
            expect_parsed(3, 2, 1, expected);
        } else {
            expect_refused(3, 2, "the pixel in column 1, row 1 add up to 0.970");
        }
    }
    begin_array("<f4", "(2, 1, 2)"); /* too much: 0.5 + 0.53 */
    put_float(0.5f);
    put_float(0.5f);
    put_float(0.5f);
    put_float(0.53f);
    expect_refused(2, 1, "the pixel in column 1, row 0 add up to 1.030, expected 1");
    assert_non_null(strstr(bench_failure(), "softmax the scores first"));

    /* bytes were rounded: 19 classes of 1/19 give 13 each, in all 247 of 255, 3 % too few */
    begin_array("|u1", "(19, 1, 2)");
    for (int i = 0; i < 38; i++)
        put(&(const uint8_t){13}, 1);
    {
        uint16_t expected[38];

        for (int i = 0; i < 38; i++)
            expected[i] = 13 * 257;
        expect_parsed(2, 1, 19, expected);
    }
    begin_array("|u1", "(19, 1, 2)");
    for (int i = 0; i < 38; i++)
        put(&(const uint8_t){12}, 1);
    expect_refused(2, 1, "add up to 0.894");
}

static void files(void **state)
{
    char folder[512], path[600];
    uint16_t *probability;
    int n;

    (void)state;
    snprintf(folder, sizeof folder, "%s/npy", support_place());
    support_remove(folder);
    (void)mkdir("build", 0777);
    (void)mkdir(support_place(), 0777);
    assert_int_equal(mkdir(folder, 0777), 0);

    snprintf(path, sizeof path, "%s/p.npy", folder);
    begin_array("<f4", "(2, 2, 3)");
    put_floats(first_class, 6);
    for (int i = 0; i < 6; i++)
        put_float(1 - first_class[i]);

    FILE *out = fopen(path, "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(file, 1, n_file, out), n_file);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(npy_read_probability(path, 3, 2, &probability, &n), BENCH_OK);
    assert_int_equal(n, 2);
    assert_memory_equal(probability, planes, sizeof planes);
    free(probability);
    assert_int_equal(npy_read_probability(path, 4, 2, &probability, &n), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), path));
    assert_null(probability);

    assert_int_equal(npy_read_probability(folder, 3, 2, &probability, &n), BENCH_EIO);
    assert_non_null(strstr(bench_failure(), "not a regular file"));
    snprintf(path, sizeof path, "%s/none.npy", folder);
    assert_int_equal(npy_read_probability(path, 3, 2, &probability, &n), BENCH_EIO);
    assert_null(probability);
    assert_int_equal(n, 0);
    snprintf(path, sizeof path, "%s/pipe.npy", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(npy_read_probability(path, 3, 2, &probability, &n), BENCH_EIO);
    assert_non_null(strstr(bench_failure(), "not a regular file"));
    support_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_first),
        cmocka_unit_test(classes_last),
        cmocka_unit_test(bytes_are_255ths),
        cmocka_unit_test(every_half),
        cmocka_unit_test(both_layouts_agree),
        cmocka_unit_test(headers_that_are_fine),
        cmocka_unit_test(headers_that_are_broken),
        cmocka_unit_test(arrays_of_other_kinds),
        cmocka_unit_test(files_of_wrong_size),
        cmocka_unit_test(values_that_are_no_probabilities),
        cmocka_unit_test(values_that_do_not_add_up),
        cmocka_unit_test(files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

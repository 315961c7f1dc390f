/* test_npy.c - class probabilities from NumPy files: layouts, types, hostile files */
#include "harness/inputs/npy.h"
#include "tests/inputs.h"

#include <math.h>

static enum bench_status parse(int width, int height, uint16_t **probability, int *n_classes)
{
    OWNED(memory_free) uint8_t *copy = exact_copy(made.at, made.n);

    *probability = (uint16_t *)copy; /* must be overwritten */
    *n_classes = 77;
    bench_failure_clear();
    return npy_parse_probability(copy, made.n, "p.npy", width, height, probability, n_classes);
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
    assert_says("p.npy: ", words);
}

/* 3 x 2 pixels of 2 classes, class by class, and what they are. */
static const float classes[12] = {0, 1, 0.5f, 0.25f, 0.75f, 0.125f,
                                  1, 0, 0.5f, 0.75f, 0.25f, 0.875f};
static const uint16_t planes[12] = {0,     65535, 32768, 16384, 49151, 8192,
                                    65535, 0,     32768, 49151, 16384, 57343};
static const float ones[] = {1, 1};
static const uint16_t sure[] = {65535, 65535};

/* The value of a binary16 of 0..1, by the definition. */
static double value_of_half(int bits)
{
    const int exponent = bits >> 10, fraction = bits & 1023;

    return exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
}

/* Every half of 0..1, with the largest one beside it that goes with it. */
TEST(every_half)
{
    enum { ONE = 0x3C00, N = ONE + 1 };
    uint16_t *expected = malloc(2 * N * sizeof *expected);
    char shape[32];

    assert_non_null(expected);
    snprintf(shape, sizeof shape, "(2, 1, %d)", N);
    begin_array("<f2", shape, NULL, 0);
    for (int bits = 0; bits < N; bits++) {
        put_word((uint32_t)bits, 2);
        expected[bits] = (uint16_t)floor(value_of_half(bits) * 65535 + 0.5);
    }
    for (int bits = 0, other = ONE; bits < N; bits++) {
        while (value_of_half(other) > 1 - value_of_half(bits))
            other--;
        put_word((uint32_t)other, 2);
        expected[N + bits] = (uint16_t)floor(value_of_half(other) * 65535 + 0.5);
    }
    expect_parsed(N, 1, 2, expected);
    free(expected);
}

/* Minus nothing, a little too much (1 + 2^-10), and what is no probability. */
TEST(odd_halves)
{
    static const struct {
        uint16_t half[2];
        const char *words;
    } cases[] = {{{0x8000, 0x3C01}, NULL},
                 {{0x7E00, 0x3C00}, "nan for class 0"},
                 {{0, 0xFC00}, "-inf for class 1"},
                 {{0, 0xBC00}, "-1 for class 1"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin_array("<f2", "(2, 1, 1)", NULL, 0);
        put_word(cases[i].half[0], 2);
        put_word(cases[i].half[1], 2);
        if (cases[i].words)
            expect_refused(1, 1, cases[i].words);
        else
            expect_parsed(1, 1, 2, (const uint16_t[]){0, 65535});
    }
}

/* Class k of pixel i has 0.5 / n and, where it is the pixel's own, a half more. */
TEST(classes_first_and_last)
{
    static const int sizes[][3] = {{1, 1, 32}, {33, 31, 5}, {31, 33, 19}, {2, 1, 1}, {1, 7, 2}};
    static uint16_t expected[33 * 31 * 19];

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int w = sizes[s][0], h = sizes[s][1], n = sizes[s][2];

        for (int last = 0; last < 2; last++) {
            char shape[64];

            snprintf(shape, sizeof shape, "(%d, %d, %d)", last ? h : n, last ? w : h,
                     last ? n : w);
            begin_array("<f4", shape, NULL, 0);
            for (int at = 0; at < n * w * h; at++) {
                const int k = last ? at % n : at / (w * h), i = last ? at / n : at % (w * h);
                const float value = 0.5f / (float)n + (i * 7 % n == k ? 0.5f : 0);

                put_floats(&value, 1);
                expected[k * w * h + i] = (uint16_t)floor((double)value * 65535 + 0.5);
            }
            expect_parsed(w, h, n, expected);
        }
    }
    begin_array("<f4", "(2, 2, 3)", classes, 12);
    expect_refused(2, 3, "shape (2, 2, 3), expected (classes, 3, 2) or (3, 2, classes)");
}

/* Reads the header in each version; no words: it is fine. */
static void read_header(const char *header, size_t n, const char *words)
{
    for (int major = 1; major <= 3; major++) {
        begin_npy(major, header);
        put_floats(ones, 2);
        if (*words)
            expect_refused(2, 1, words);
        else
            expect_parsed(2, 1, 1, sure);
    }
}

TEST(headers)
{
    each_damaged("npy", read_header);
}

/* A cube can be read in two ways, a single value too. */
TEST(arrays_of_two_meanings)
{
    begin_array("<f4", "(2, 2, 2)", classes, 8);
    expect_refused(2, 2, "cannot tell whether the classes come first or last");
    begin_array("<f4", "(1, 1, 1)", ones, 1);
    expect_refused(1, 1, "cannot tell");
}

TEST(files_of_wrong_size)
{
    size_t whole;

    begin_array("<f4", "(2, 2, 3)", classes, 12);
    whole = made.n;
    for (made.n = 0; made.n < whole; made.n++)
        expect_refused(3, 2, "");
    made.n = whole - 1;
    expect_refused(3, 2, "truncated .npy file: expected 48 bytes of values, found 47");
    made.n = whole - 48;
    expect_refused(3, 2, "found 0");
    made.n = whole + 1;
    expect_refused(3, 2, "oversized .npy file: expected 48 bytes of values, found 49");
    made.n = whole;
    expect_parsed(3, 2, 2, planes);
    made.at[6] = 4;
    expect_refused(3, 2, "format version 4.0, expected 1.0, 2.0 or 3.0");
    made.at[6] = 0;
    expect_refused(3, 2, "format version 0.0");
    made.at[6] = made.at[7] = 1;
    expect_refused(3, 2, "format version 1.1");
    made.at[7] = 0;
    made.at[0] = 'x';
    expect_refused(3, 2, "no .npy file");

    /* the longest header, and one byte more */
    for (int n = 10000; n <= 10001; n++) {
        char header[10002];

        snprintf(header, sizeof header, "%-*s", n,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 2), }");
        begin_npy(1, header);
        put_floats(ones, 2);
        if (n == 10000)
            expect_parsed(2, 1, 1, sure);
        else
            expect_refused(2, 1, "a .npy header of 10001 bytes, expected at most 10000");
    }

    /* gigabytes from a few bytes */
    begin_array("<f4", "(32, 32768, 32768)", NULL, 0);
    expect_refused(INPUTS_MAX_SIDE, INPUTS_MAX_SIDE, "truncated");
    begin_npy(2, "");
    memset(made.at + 8, 0xFF, 4);
    expect_refused(3, 2, "a .npy header of 4294967295 bytes, expected at most 10000");
    begin_npy(2, "");
    made.at[9] = 0x20;
    expect_refused(3, 2, "truncated .npy header: expected 8192 bytes, found 0");
}

TEST(values_that_are_no_probabilities)
{
    static const float bad[] = {-0.0011f, 1.0011f, 37, -1e30f, NAN, INFINITY, -INFINITY};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int last = 0; last < 2; last++) {
            float value[40];

            for (int at = 0; at < 40; at++)
                value[at] = 0.5f;
            value[last ? 2 * 13 + 1 : 20 + 13] = bad[i];
            begin_array("<f4", last ? "(4, 5, 2)" : "(2, 4, 5)", value, 40);
            expect_refused(5, 4, "for class 1 of the pixel in column 3, row 2");
            assert_says("", "softmax the scores first");
        }

    /* rounding is no error */
    begin_array("<f4", "(2, 1, 2)", (const float[]){-0.0009f, 1.0009f, 1.0009f, -0.0f}, 4);
    expect_parsed(2, 1, 2, (const uint16_t[]){0, 65535, 65535, 0});
}

TEST(values_that_do_not_add_up)
{
    begin_array("<f4", "(1, 2, 3)", (const float[]){1, 1, 1, 1, 0.97f, 1}, 6);
    expect_refused(3, 2, "the pixel in column 1, row 1 add up to 0.970");
    begin_array("<f4", "(1, 2, 3)", (const float[]){1, 1, 1, 1, 0.981f, 1}, 6);
    expect_parsed(3, 2, 1, (const uint16_t[]){65535, 65535, 65535, 65535, 64290, 65535});
    begin_array("<f4", "(2, 1, 2)", (const float[]){0.5f, 0.5f, 0.5f, 0.53f}, 4);
    expect_refused(2, 1, "the pixel in column 1, row 0 add up to 1.030, expected 1");
    assert_says("", "softmax the scores first");

    /* bytes were rounded: 19 classes of 1/19 give 13 each, in all 247 of 255, 3 % too few */
    for (int byte = 12; byte <= 13; byte++) {
        uint16_t expected[38];

        begin_array("|u1", "(19, 1, 2)", NULL, 0);
        for (int i = 0; i < 38; i++) {
            put_word((uint32_t)byte, 1);
            expected[i] = (uint16_t)(byte * 257);
        }
        if (byte == 13)
            expect_parsed(2, 1, 19, expected);
        else
            expect_refused(2, 1, "add up to 0.894");
    }
}

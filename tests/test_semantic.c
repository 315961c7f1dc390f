/* test_semantic.c - probabilities from labels against a plain count, hashes, label files */
#include "harness/base/random.h"
#include "harness/inputs/image.h"
#include "harness/inputs/semantic.h"
#include "tests/inputs.h"

#include <xxhash.h>

#define N 19

/* What was made last. */
static uint8_t *labels;
static uint16_t *p; /* [n_classes][height][width] and a row of sentinels behind it */

/* Whatever the numbers are, each pixel's sum is 65535. */
static void make(const uint8_t *from, int width, int height, int n_classes,
                 const struct semantic_noise *noise, uint64_t seed)
{
    const size_t n_pixels = (size_t)width * (size_t)height, n = n_pixels * (size_t)n_classes;

    free(p);
    p = malloc((n + 16) * sizeof *p);
    assert_non_null(p);
    memset(p, 0xA5, (n + 16) * sizeof *p);
    if (semantic_from_labels(from, width, height, n_classes, noise, seed, p) != BENCH_OK)
        fail_msg("%s", bench_failure());
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(p[n + i], 0xA5A5);
    for (size_t i = 0; i < n_pixels; i++) {
        unsigned sum = 0;

        for (size_t at = i; at < n; at += n_pixels)
            sum += p[at];
        if (sum != 65535)
            fail_msg("pixel %zu of %d x %d: the sum is %u", i, width, height, sum);
    }
}

/* Blocks of labels, one in twelve of them unlabelled. */
static void make_labels(int width, int height, int n_classes, int block, uint64_t seed)
{
    free(labels);
    labels = malloc((size_t)width * (size_t)height);
    assert_non_null(labels);
    for (int i = 0; i < width * height; i++) {
        const struct bench_words word = bench_philox(seed, (uint32_t)(i % width / block),
                                                     (uint32_t)(i / width / block), 0, 7);

        labels[i] = bench_below(word.word[1], 12) > 0
                        ? (uint8_t)bench_below(word.word[0], (uint32_t)n_classes)
                        : SEMANTIC_UNLABELLED;
    }
}

static int leave(void **state)
{
    free(labels);
    free(p);
    return 0;
}

/* The blur counted pixel by pixel; a box of 1 is none.  Two labels more are no classes. */
TEST(blur_is_a_count)
{
    static const int sizes[][4] = {/* width, height, classes, box */
                                   {1, 1, 3, 5},   {17, 9, 5, 3},   {33, 31, 19, 7},
                                   {5, 40, 2, 9},  {40, 5, 32, 31}, {12, 11, 4, 255},
                                   {60, 20, 19, 1}};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int w = sizes[s][0], h = sizes[s][1], n = sizes[s][2], reach = sizes[s][3] / 2;
        const struct semantic_noise noise = {sizes[s][3], 64, 256, 0, 0};

        make_labels(w, h, n + 2, 3, s);
        make(labels, w, h, n, &noise, 1);
        for (int i = 0; i < w * h; i++) {
            const int u = i % w, v = i / w;
            unsigned count[32] = {0}, total = 0, sum = 0, expected[32];
            int best = 0;

            for (int y = v - reach; y <= v + reach; y++)
                for (int x = u - reach; x <= u + reach; x++)
                    if (y >= 0 && y < h && x >= 0 && x < w && labels[y * w + x] < n) {
                        count[labels[y * w + x]]++;
                        total++;
                    }
            for (int k = 0; k < n; k++) {
                expected[k] = labels[i] < n ? count[k] * 65535 / total : 65535 / (unsigned)n;
                sum += expected[k];
                best = expected[k] > expected[best] ? k : best;
            }
            expected[best] += 65535 - sum;
            for (int k = 0; k < n; k++)
                assert_int_equal(p[k * w * h + i], expected[k]);
        }
    }
}

/* Of one pixel. */
TEST(residual_is_spread_evenly)
{
    static const struct {
        uint8_t label;
        int n_classes;
        struct semantic_noise noise;
        uint16_t expected[5];
    } cases[] = {
        /* a quarter: 16383 of 65535, in five parts of 3276 */
        {2, 5, {1, 64, 256, 0, 16384}, {3276, 3276, 65535 - 4 * 3276, 3276, 3276}},
        /* all of it: no class is more than another but for the rest */
        {2, 2, {1, 64, 256, 0, 65536}, {32768, 32767}},
        /* one class is sure, whatever the noise; 1 is none */
        {0, 1, {9, 32, 100, 64, 16384}, {65535}},
        {1, 1, {9, 32, 100, 64, 16384}, {65535}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make(&cases[i].label, 1, 1, cases[i].n_classes, &cases[i].noise, 1);
        assert_memory_equal(p, cases[i].expected, (size_t)cases[i].n_classes * sizeof *p);
    }
}

/* Any size, any numbers: make() looks at the sums. */
TEST(sums_are_one)
{
    for (uint32_t s = 0; s < 60; s++) {
        const struct bench_words a = bench_philox(99, s, 0, 0, 0),
                                 b = bench_philox(99, s, 1, 0, 0);
        const int w = 1 + (int)bench_below(a.word[0], 150),
                  h = 1 + (int)bench_below(a.word[1], 60);
        const int n = s % 3 == 0 ? N : 1 + (int)bench_below(a.word[2], 32);
        const struct semantic_noise noise = {
            1 + 2 * (int)bench_below(a.word[3], 20), 4 << bench_below(b.word[0], 6),
            (int)bench_below(b.word[1], 257), (int)bench_below(b.word[2], 129),
            s % 4 == 0 ? 65536 : (int)bench_below(b.word[3], 65537)};

        make_labels(w, h, n, 5, s);
        make(labels, w, h, n, &noise, s);
    }
}

/* Taken from gcc 12 -O3 -march=native; the same with -O0 and clang 14.  A change here changes
 * every result that was measured on generated probabilities, so it must be meant.  Both halves
 * of the seed count. */
TEST(golden_hashes)
{
    static const uint64_t golden[] = {0xa93b1e27b895d265, 0xe17531f2ce10293b,
                                      0x4a7f1bdc8919e63b, 0x0ca0cca998f48046};

    make_labels(333, 211, N, 24, 4);
    for (int level = 0; level < 4; level++) {
        const struct semantic_noise noise = semantic_noise_of((enum scene_level)(level % 3));
        const int n = level < 3 ? N : 7;
        uint64_t hash;

        make(labels, 333, 211, n, &noise, 0x123456789ABCDEF0);
        hash = XXH64(p, (size_t)(333 * 211 * n) * sizeof *p, 0);
        if (hash != golden[level])
            fail_msg("number %d: found 0x%016jx", level, (uintmax_t)hash);
    }
}

/* ---- files ---- */

/* They are read, or refused with these words; none: there is no file. */
static void expect_labels(const char *path, int width, int height, enum semantic_coding coding,
                          const uint8_t *expected, const char *words)
{
    uint8_t *read = (uint8_t *)&width; /* must be overwritten */

    bench_failure_clear();
    assert_int_equal(semantic_read_labels(path, width, height, coding, &read),
                     expected   ? BENCH_OK
                     : words[0] ? BENCH_EINPUT
                                : BENCH_EIO);
    if (expected)
        assert_memory_equal(read, expected, (size_t)(width * height));
    else
        assert_null(read);
    assert_says(expected ? "" : path, words);
    free(read);
}

TEST(label_files)
{
    /* Cityscapes' label ids in the order of their train ids */
    static const uint8_t evaluated[N] = {7,  8,  11, 12, 13, 17, 19, 20, 21, 22,
                                         23, 24, 25, 26, 27, 28, 31, 32, 33};
    const char *const path = scratch("labels.img");
    uint8_t values[36], expected[36];

    for (int i = 0; i < 36; i++)
        values[i] = (uint8_t)(i < 34 ? i : i == 34 ? 255 : 7);
    write_pgm(path, 6, 6, values);
    memset(expected, 255, sizeof expected);
    for (int k = 0; k < N; k++)
        expected[evaluated[k]] = (uint8_t)k;
    expected[35] = 0;
    expect_labels(path, 6, 6, SEMANTIC_LABEL_IDS, expected, "");
    expect_labels(path, 6, 6, SEMANTIC_TRAIN_IDS, NULL,
                  "column 1, row 3 has the label 19, expected a train id");
    expect_labels(path, 5, 6, SEMANTIC_LABEL_IDS, NULL, "6 x 6 labels, expected 5 x 6");
    expect_labels(path, 6, 7, SEMANTIC_LABEL_IDS, NULL, "6 x 6 labels, expected 6 x 7");
    values[35] = 34;
    write_pgm(path, 6, 6, values);
    expect_labels(path, 6, 6, SEMANTIC_LABEL_IDS, NULL, "column 5, row 5 has the label 34");

    for (int i = 0; i < 20; i++)
        values[i] = (uint8_t)(i < N ? i : 255);
    write_pgm(path, 20, 1, values);
    expect_labels(path, 20, 1, SEMANTIC_TRAIN_IDS, values, "");
    write_bytes(path, "P2 2 1 256 1 2", 14);
    expect_labels(path, 2, 1, SEMANTIC_TRAIN_IDS, NULL, "more than 8 bits");
    assert_int_equal(remove(path), 0);
    expect_labels(path, 2, 1, SEMANTIC_TRAIN_IDS, NULL, "");
}

int main(void)
{
    return run_all_tests(NULL, leave);
}

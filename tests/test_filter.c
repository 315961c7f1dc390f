/*
 * test_filter.c - resampling and median against slow ones that share no code with them
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/base/random.h"
#include "harness/inputs/filter.h"

#include <stdlib.h>
#include <string.h>

#define X        DISPARITY_INVALID
#define POISON   0x5A5A
#define SENTINEL 16 /* words before and behind an output that must stay POISON */

__extension__ typedef __int128 big;

/* A buffer between sentinels. */
struct guarded {
    uint16_t *all, *pixels;
    size_t n;
};

static struct guarded guarded_new(size_t n)
{
    struct guarded g = {malloc((n + 2 * SENTINEL) * sizeof(uint16_t)), NULL, n};

    assert_non_null(g.all);
    for (size_t i = 0; i < n + 2 * SENTINEL; i++)
        g.all[i] = POISON;
    g.pixels = g.all + SENTINEL;
    return g;
}

static void guarded_free(struct guarded *g)
{
    for (size_t i = 0; i < SENTINEL; i++) {
        assert_int_equal(g->all[i], POISON);
        assert_int_equal(g->pixels[g->n + i], POISON);
    }
    free(g->all);
}

/* Pixels from a seed; one in 'holes' is invalid (0: none); 'range' 0: the extremes only. */
static uint16_t *make_image(int width, int height, uint32_t seed, uint32_t holes,
                            uint32_t range)
{
    const size_t n = (size_t)width * (size_t)height;
    uint16_t *image = malloc(n * sizeof *image);

    assert_non_null(image);
    for (size_t i = 0; i < n; i++) {
        const struct bench_words r = bench_philox(seed, (uint32_t)i, 0, 0, 0);

        if (holes != 0 && bench_below(r.word[0], holes) == 0)
            image[i] = X;
        else if (range == 0)
            image[i] = r.word[1] & 1 ? DISPARITY_MAX : 0;
        else
            image[i] = (uint16_t)bench_below(r.word[1], range);
    }
    return image;
}

/* Position of destination pixel i, in units of 1 / (2 dst), clamped. */
static int64_t position(int i, int src, int dst)
{
    /* (i + 1/2) src / dst - 1/2, times 2 dst */
    int64_t p = (int64_t)i * 2 * src + src - dst;

    if (p < 0)
        p = 0;
    if (p > (int64_t)(src - 1) * 2 * dst)
        p = (int64_t)(src - 1) * 2 * dst;
    return p;
}

/* The last source pixel at or before a position, found by walking. */
static int pixel_before(int64_t p, int src, int dst)
{
    int k = 0;

    while (k + 1 < src && (int64_t)(k + 1) * 2 * dst <= p)
        k++;
    return k;
}

/* The source pixel at the least distance; of two equal ones the later. */
static int pixel_nearest(int64_t p, int src, int dst)
{
    int best = 0;

    for (int k = 0; k < src; k++)
        if (llabs((int64_t)k * 2 * dst - p) <= llabs((int64_t)best * 2 * dst - p))
            best = k;
    return best;
}

static uint16_t resample_slowly(const uint16_t *src, int sw, int sh, int dw, int dh, int u,
                                int v, enum resample how)
{
    const int64_t px = position(u, sw, dw), py = position(v, sh, dh);
    const int kx = pixel_before(px, sw, dw), ky = pixel_before(py, sh, dh);
    const uint16_t nearest =
        src[(size_t)pixel_nearest(py, sh, dh) * (size_t)sw + (size_t)pixel_nearest(px, sw, dw)];
    big sum = 0;

    if (how == RESAMPLE_NEAREST)
        return nearest;
    /* each source pixel weighs max(0, 1 - distance) each way; two by two at most do */
    for (int y = ky; y <= ky + 1 && y < sh; y++) {
        for (int x = kx; x <= kx + 1 && x < sw; x++) {
            const int64_t wx = (int64_t)2 * dw - llabs((int64_t)x * 2 * dw - px);
            const int64_t wy = (int64_t)2 * dh - llabs((int64_t)y * 2 * dh - py);
            const uint16_t value = src[(size_t)y * (size_t)sw + (size_t)x];

            if (wx <= 0 || wy <= 0)
                continue;
            if (value == X)
                return nearest;
            sum += (big)value * wx * wy;
        }
    }

    const big whole = (big)4 * dw * dh;
    big floor = sum / whole;

    if (2 * (sum - floor * whole) >= whole)
        floor++;
    return (uint16_t)floor;
}

static void check_resample(const uint16_t *src, int sw, int sh, int dw, int dh,
                           enum resample how)
{
    struct guarded out = guarded_new((size_t)dw * (size_t)dh);

    filter_resample(src, sw, sh, out.pixels, dw, dh, how);
    for (int v = 0; v < dh; v++) {
        for (int u = 0; u < dw; u++) {
            const uint16_t expected = resample_slowly(src, sw, sh, dw, dh, u, v, how);
            const uint16_t found = out.pixels[(size_t)v * (size_t)dw + (size_t)u];

            if (found != expected)
                fail_msg("%dx%d -> %dx%d at (%d, %d): %u, expected %u", sw, sh, dw, dh, u, v,
                         found, expected);
        }
    }
    guarded_free(&out);
}

static void resample_by_hand(void **state)
{
    (void)state;
    const uint16_t pair[2] = {0, 100};
    const uint16_t odd[2] = {0, 1};
    uint16_t out[4];

    /* centres at -0.25, 0.25, 0.75, 1.25: clamped, 25, 75, clamped */
    filter_resample(pair, 2, 1, out, 4, 1, RESAMPLE_LINEAR);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 25);
    assert_int_equal(out[2], 75);
    assert_int_equal(out[3], 100);
    filter_resample(pair, 1, 2, out, 1, 4, RESAMPLE_LINEAR);
    assert_int_equal(out[1], 25);
    assert_int_equal(out[2], 75);
    /* exactly between two pixels: half goes up, in value and in place */
    filter_resample(odd, 2, 1, out, 1, 1, RESAMPLE_LINEAR);
    assert_int_equal(out[0], 1);
    filter_resample(pair, 2, 1, out, 1, 1, RESAMPLE_NEAREST);
    assert_int_equal(out[0], 100);
}

static void resample_keeps_holes_apart(void **state)
{
    (void)state;
    const uint16_t left_hole[2] = {X, 100};
    const uint16_t column[6] = {10, X, 20, X, 30, X};
    uint16_t out[9];

    filter_resample(left_hole, 2, 1, out, 4, 1, RESAMPLE_LINEAR);
    assert_int_equal(out[0], X);
    assert_int_equal(out[1], X);
    assert_int_equal(out[2], 100);
    assert_int_equal(out[3], 100);
    /* same width: an invalid right-hand neighbour of weight zero does not stop interpolation */
    filter_resample(column, 2, 3, out, 2, 2, RESAMPLE_LINEAR);
    assert_int_equal(out[0], 13); /* at row 0.25: 12.5, half goes up */
    assert_int_equal(out[2], 28); /* at row 1.75: 27.5 */
    assert_int_equal(out[1], X);
    assert_int_equal(out[3], X);
}

static void resample_same_size_is_a_copy(void **state)
{
    (void)state;
    uint16_t *src = make_image(61, 33, 5, 4, 65535);
    uint16_t out[61 * 33];

    for (int how = 0; how < 2; how++) {
        memset(out, 0x5A, sizeof out);
        filter_resample(src, 61, 33, out, 61, 33, (enum resample)how);
        assert_memory_equal(out, src, sizeof out);
    }
    free(src);
}

static void resample_against_slow(void **state)
{
    (void)state;
    static const int size[][4] = {
        {1, 1, 1, 1},     {1, 1, 7, 5},      {7, 5, 1, 1},     {2, 2, 3, 3},
        {3, 3, 2, 2},     {31, 17, 31, 64},  {31, 17, 31, 5},  {17, 31, 64, 31},
        {40, 30, 33, 77}, {33, 77, 40, 30},  {255, 3, 257, 4}, {257, 4, 255, 3},
        {5, 6, 513, 7},   {300, 9, 300, 25}, {64, 48, 32, 24},
    };
    static const uint32_t holes[] = {0, 20, 3, 1};

    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        for (uint32_t k = 0; k < 8; k++) {
            const int *s = size[i];
            uint16_t *src =
                make_image(s[0], s[1], (uint32_t)i * 8 + k, holes[k % 4], k < 4 ? 65535 : 0);

            check_resample(src, s[0], s[1], s[2], s[3], RESAMPLE_LINEAR);
            check_resample(src, s[0], s[1], s[2], s[3], RESAMPLE_NEAREST);
            free(src);
        }
    }
}

/* The longest sides: sums and products at their largest. */
static void resample_of_the_largest(void **state)
{
    (void)state;
    const int longest = INPUTS_MAX_SIDE, odd = INPUTS_MAX_SIDE - 1;
    static const int probe[] = {0, 1, 2, 777, 16383, 16384, 16385, 30001, 32765, 32766, 32767};
    uint16_t *src = make_image(odd, 2, 9, 0, 0);
    struct guarded out = guarded_new((size_t)longest * 3);

    filter_resample(src, odd, 2, out.pixels, longest, 3, RESAMPLE_LINEAR);
    for (size_t i = 0; i < sizeof probe / sizeof probe[0]; i++)
        for (int v = 0; v < 3; v++)
            assert_int_equal(
                out.pixels[(size_t)v * (size_t)longest + (size_t)probe[i]],
                resample_slowly(src, odd, 2, longest, 3, probe[i], v, RESAMPLE_LINEAR));
    guarded_free(&out);

    out = guarded_new((size_t)longest * 2);
    filter_resample(src, 2, odd, out.pixels, 2, longest, RESAMPLE_LINEAR);
    for (size_t i = 0; i < sizeof probe / sizeof probe[0]; i++)
        for (int u = 0; u < 2; u++)
            assert_int_equal(
                out.pixels[(size_t)probe[i] * 2 + (size_t)u],
                resample_slowly(src, 2, odd, 2, longest, u, probe[i], RESAMPLE_LINEAR));
    guarded_free(&out);
    free(src);
}

/* All values valid and at the maximum stay so: no rounding leads to DISPARITY_INVALID. */
static void resample_never_makes_holes(void **state)
{
    (void)state;
    uint16_t src[5 * 4];
    uint16_t out[37 * 29];

    for (size_t i = 0; i < 20; i++)
        src[i] = DISPARITY_MAX;
    filter_resample(src, 5, 4, out, 37, 29, RESAMPLE_LINEAR);
    for (size_t i = 0; i < 37 * 29; i++)
        assert_int_equal(out[i], DISPARITY_MAX);
}

static int by_value(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static uint16_t median_slowly(const uint16_t *src, int width, int height, int radius, int u,
                              int v)
{
    uint16_t window[25];
    size_t n = 0;

    if (src[(size_t)v * (size_t)width + (size_t)u] == X)
        return X;
    for (int y = v - radius; y <= v + radius; y++)
        for (int x = u - radius; x <= u + radius; x++)
            if (x >= 0 && y >= 0 && x < width && y < height &&
                src[(size_t)y * (size_t)width + (size_t)x] != X)
                window[n++] = src[(size_t)y * (size_t)width + (size_t)x];
    qsort(window, n, sizeof window[0], by_value);
    return window[(n - 1) / 2];
}

static void median_by_hand(void **state)
{
    (void)state;
    const uint16_t src[9] = {9, 1, X, 4, 5, 6, X, X, 2};
    uint16_t out[9];

    filter_median(src, out, 3, 3, 1);
    assert_int_equal(out[4], 4); /* 1 2 4 5 6 9: the lower of the middle two */
    assert_int_equal(out[0], 4); /* 1 4 5 9 */
    assert_int_equal(out[2], X);
    assert_int_equal(out[6], X);
    assert_int_equal(out[8], 5); /* 2 5 6 */

    const uint16_t lonely[9] = {X, X, X, X, 77, X, X, X, X};

    filter_median(lonely, out, 3, 3, 2);
    assert_int_equal(out[4], 77);
    assert_int_equal(out[0], X);
}

static void median_against_slow(void **state)
{
    (void)state;
    static const int size[][2] = {{1, 1},  {1, 9},   {9, 1},   {2, 2},   {3, 4},   {5, 5},
                                  {16, 7}, {255, 5}, {256, 6}, {257, 7}, {258, 3}, {515, 6}};
    static const uint32_t holes[] = {0, 10, 2, 1};

    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        for (uint32_t k = 0; k < 12; k++) {
            const int w = size[i][0], h = size[i][1], radius = 1 + (int)(k & 1);
            static const uint32_t range[] = {65535, 0, 5};
            uint16_t *src =
                make_image(w, h, 1000 + (uint32_t)i * 12 + k, holes[k % 4], range[k / 4]);
            struct guarded out = guarded_new((size_t)w * (size_t)h);

            filter_median(src, out.pixels, w, h, radius);
            for (int v = 0; v < h; v++)
                for (int u = 0; u < w; u++)
                    assert_int_equal(out.pixels[(size_t)v * (size_t)w + (size_t)u],
                                     median_slowly(src, w, h, radius, u, v));
            guarded_free(&out);
            free(src);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resample_by_hand),
        cmocka_unit_test(resample_keeps_holes_apart),
        cmocka_unit_test(resample_same_size_is_a_copy),
        cmocka_unit_test(resample_against_slow),
        cmocka_unit_test(resample_of_the_largest),
        cmocka_unit_test(resample_never_makes_holes),
        cmocka_unit_test(median_by_hand),
        cmocka_unit_test(median_against_slow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_filter.c - resampling and median against slow ones that share no code with them */
#include "harness/base/random.h"
#include "harness/inputs/filter.h"
#include "tests/guard.h"

#define X DISPARITY_INVALID

__extension__ typedef __int128 big;

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
    const int64_t p = (int64_t)i * 2 * src + src - dst, last = (int64_t)(src - 1) * 2 * dst;

    return p < 0 ? 0 : p > last ? last : p;
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
    const uint16_t nearest =
        src[(size_t)pixel_nearest(py, sh, dh) * (size_t)sw + (size_t)pixel_nearest(px, sw, dw)];
    big sum = 0;

    if (how == RESAMPLE_NEAREST)
        return nearest;
    /* each source pixel weighs max(0, 1 - distance) each way */
    for (int y = 0; y < sh; y++) {
        const int64_t wy = (int64_t)2 * dh - llabs((int64_t)y * 2 * dh - py);

        for (int x = 0; x < sw && wy > 0; x++) {
            const int64_t wx = (int64_t)2 * dw - llabs((int64_t)x * 2 * dw - px);
            const uint16_t value = src[(size_t)y * (size_t)sw + (size_t)x];

            if (wx <= 0)
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

/* Every step-th pixel and the last. */
static void check_resample(const uint16_t *src, const int size[4], enum resample how, int step)
{
    const int sw = size[0], sh = size[1], dw = size[2], dh = size[3];
    const size_t bytes = (size_t)dw * (size_t)dh * sizeof *src;
    uint16_t *out = guarded(bytes);

    filter_resample(src, sw, sh, out, dw, dh, how);
    assert_guard("filter_resample", out, bytes);
    for (int k = 0; k <= (dw * dh - 1 + step - 1) / step; k++) {
        const int i = k * step < dw * dh ? k * step : dw * dh - 1;
        const uint16_t expected = resample_slowly(src, sw, sh, dw, dh, i % dw, i / dw, how);

        if (out[i] != expected)
            fail_msg("%dx%d -> %dx%d at (%d, %d): %u, expected %u", sw, sh, dw, dh, i % dw,
                     i / dw, out[i], expected);
    }
    free(out);
}

TEST(resample_against_slow)
{
    static const int size[][4] = {
        {1, 1, 1, 1},     {1, 1, 7, 5},      {7, 5, 1, 1},     {2, 2, 3, 3},
        {3, 3, 2, 2},     {31, 17, 31, 64},  {31, 17, 31, 5},  {17, 31, 64, 31},
        {40, 30, 33, 77}, {33, 77, 40, 30},  {255, 3, 257, 4}, {257, 4, 255, 3},
        {5, 6, 513, 7},   {300, 9, 300, 25}, {64, 48, 32, 24}, {61, 33, 61, 33},
    };
    static const uint32_t holes[] = {0, 20, 3, 1};

    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        for (uint32_t k = 0; k < 8; k++) {
            uint16_t *src = make_image(size[i][0], size[i][1], (uint32_t)i * 8 + k,
                                       holes[k % 4], k < 4 ? 65535 : 0);

            check_resample(src, size[i], RESAMPLE_LINEAR, 1);
            check_resample(src, size[i], RESAMPLE_NEAREST, 1);
            free(src);
        }
    }
}

/* The longest sides have the largest sums; the largest value stays valid. */
TEST(resample_of_the_largest)
{
    enum { LONGEST = INPUTS_MAX_SIDE };
    static const int size[][4] = {{LONGEST - 1, 2, LONGEST, 3}, {2, LONGEST - 1, 2, LONGEST}};
    uint16_t *src = make_image(LONGEST - 1, 2, 9, 0, 0), largest[5 * 4];

    for (int i = 0; i < 2; i++)
        check_resample(src, size[i], RESAMPLE_LINEAR, 777);
    free(src);
    for (int i = 0; i < 5 * 4; i++)
        largest[i] = DISPARITY_MAX;
    check_resample(largest, (const int[]){5, 4, 37, 29}, RESAMPLE_LINEAR, 1);
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

TEST(median_against_slow)
{
    static const int size[][2] = {{1, 1},  {1, 9},   {9, 1},   {2, 2},   {3, 4},   {5, 5},
                                  {16, 7}, {255, 5}, {256, 6}, {257, 7}, {258, 3}, {515, 6}};
    static const uint32_t holes[] = {0, 10, 2, 1};
    static const uint32_t range[] = {65535, 0, 5};

    for (uint32_t i = 0; i < 12 * sizeof size / sizeof size[0]; i++) {
        const int w = size[i / 12][0], h = size[i / 12][1], radius = 1 + (int)(i & 1);
        const size_t bytes = (size_t)w * (size_t)h * sizeof(uint16_t);
        uint16_t *src = make_image(w, h, 1000 + i, holes[i % 4], range[i % 12 / 4]);
        uint16_t *out = guarded(bytes);

        filter_median(src, out, w, h, radius);
        assert_guard("filter_median", out, bytes);
        for (int at = 0; at < w * h; at++)
            assert_int_equal(out[at], median_slowly(src, w, h, radius, at % w, at / w));
        free(out);
        free(src);
    }
}

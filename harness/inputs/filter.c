/*
 * filter.c - resampling and median filters in exact integers
 *
 * Both work on strips of STRIP columns, so that everything that depends on the column alone is
 * computed once and kept on the stack: nothing is allocated, nothing can fail.
 */
#include "harness/inputs/filter.h"

#include <assert.h>
#include <string.h>

#define STRIP 256 /* columns at a time: tables of a few KiB, well inside the first cache */

/* A destination pixel lies between two source pixels, in one direction. */
struct tap {
    int first, second; /* equal where the second would weigh nothing */
    int nearest;
    uint32_t weight; /* of 'second', out of 2 * dst_size; the rest belongs to 'first' */
};

/*
 * The centre of destination pixel i is
 *     (i + 1/2) src / dst - 1/2 = ((2 i + 1) src - dst) / (2 dst).
 * Sides up to 2^15 keep the numerator below 2^31, but sums of it do not, hence 64 bits.
 */
static struct tap find_tap(int i, int src_size, int dst_size)
{
    const int64_t denominator = 2 * (int64_t)dst_size;
    int64_t numerator = (2 * (int64_t)i + 1) * src_size - dst_size;
    struct tap tap;

    if (numerator < 0)
        numerator = 0;
    if (numerator > (src_size - 1) * denominator)
        numerator = (src_size - 1) * denominator;
    tap.first = (int)(numerator / denominator);
    tap.weight = (uint32_t)(numerator % denominator);
    tap.second = tap.weight == 0 ? tap.first : tap.first + 1;
    tap.nearest = (int)((numerator + dst_size) / denominator); /* + 1/2, half goes up */
    return tap;
}

void filter_resample(const uint16_t *src, int src_width, int src_height, uint16_t *dst,
                     int dst_width, int dst_height, enum resample how)
{
    const size_t src_pitch = (size_t)src_width, dst_pitch = (size_t)dst_width;
    const uint64_t x_whole = 2 * (uint64_t)dst_width, y_whole = 2 * (uint64_t)dst_height;
    const uint64_t whole = x_whole * y_whole;
    struct tap x[STRIP];

    for (int left = 0; left < dst_width; left += STRIP) {
        const int n = dst_width - left < STRIP ? dst_width - left : STRIP;

        for (int u = 0; u < n; u++)
            x[u] = find_tap(left + u, src_width, dst_width);
        for (int v = 0; v < dst_height; v++) {
            const struct tap y = find_tap(v, src_height, dst_height);
            const uint16_t *first = src + (size_t)y.first * src_pitch;
            const uint16_t *second = src + (size_t)y.second * src_pitch;
            const uint16_t *nearest = src + (size_t)y.nearest * src_pitch;
            uint16_t *out = dst + (size_t)v * dst_pitch + left;

            for (int u = 0; u < n; u++) {
                const uint64_t a = first[x[u].first], b = first[x[u].second];
                const uint64_t c = second[x[u].first], d = second[x[u].second];
                /* weights are below 2^16 each way, so that the sum stays below 2^48 */
                const uint64_t w1 = x[u].weight, w0 = x_whole - w1;
                const uint64_t sum =
                    (a * w0 + b * w1) * (y_whole - y.weight) + (c * w0 + d * w1) * y.weight;

                out[u] = (uint16_t)(how == RESAMPLE_NEAREST || a == DISPARITY_INVALID ||
                                            b == DISPARITY_INVALID || c == DISPARITY_INVALID ||
                                            d == DISPARITY_INVALID
                                        ? nearest[x[u].nearest]
                                        : (sum + whole / 2) / whole);
            }
        }
    }
}

#define MAX_SIDE 5                      /* of a window: 2 * the largest radius + 1 */
#define REACH    (STRIP + MAX_SIDE - 1) /* columns that the windows of a strip see */

/*
 * Filters the columns left .. left + n - 1 of row v.  A window's median is the value of the
 * rank (n_valid - 1) / 2: the greatest below which are no more values than that, found bit by
 * bit, for all windows of the strip at once.  What is invalid or outside the image has the
 * largest value.
 */
static void median_strip(const uint16_t *src, uint16_t *dst, int width, int height, int radius,
                         int v, int left, int n)
{
    const int side = 2 * radius + 1, first = left > 0 ? 0 : radius;
    const int end = width - left + radius < REACH ? width - left + radius : REACH;
    const size_t at = (size_t)v * (size_t)width + (size_t)left;
    uint16_t row[MAX_SIDE][REACH], median[STRIP] = {0}, n_valid[STRIP] = {0};

    memset(row, 0xff, sizeof row);
    for (int i = 0; i < side; i++) {
        const int y = v - radius + i;

        if (y >= 0 && y < height)
            memcpy(row[i] + first, src + (size_t)y * (size_t)width + left - radius + first,
                   (size_t)(end - first) * sizeof *src);
        for (int k = 0; k < side; k++)
            for (int u = 0; u < STRIP; u++)
                n_valid[u] = (uint16_t)(n_valid[u] + (row[i][u + k] != DISPARITY_INVALID));
    }
    for (int bit = 1 << 15; bit > 0; bit >>= 1) {
        uint16_t trial[STRIP], n_below[STRIP] = {0};

        for (int u = 0; u < STRIP; u++)
            trial[u] = (uint16_t)(median[u] | bit);
        for (int i = 0; i < side; i++)
            for (int k = 0; k < side; k++)
                for (int u = 0; u < STRIP; u++)
                    n_below[u] = (uint16_t)(n_below[u] + (row[i][u + k] < trial[u]));
        for (int u = 0; u < STRIP; u++)
            median[u] = 2 * n_below[u] < n_valid[u] ? trial[u] : median[u];
    }
    for (int u = 0; u < n; u++)
        dst[at + (size_t)u] =
            src[at + (size_t)u] == DISPARITY_INVALID ? DISPARITY_INVALID : median[u];
}

void filter_median(const uint16_t *src, uint16_t *dst, int width, int height, int radius)
{
    assert(radius > 0 && 2 * radius + 1 <= MAX_SIDE);
#pragma omp parallel for schedule(static) if (height > STRIP)
    for (int v = 0; v < height; v++)
        for (int left = 0; left < width; left += STRIP)
            median_strip(src, dst, width, height, radius, v, left,
                         width - left < STRIP ? width - left : STRIP);
}

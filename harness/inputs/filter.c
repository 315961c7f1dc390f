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

__extension__ typedef unsigned __int128 wide; /* only for the high half of a product */

/* Where a destination pixel lies between two source pixels, in one direction. */
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

/*
 * floor(n / divisor) without a division per pixel.  'reciprocal' is r = floor((2^64 - 1) /
 * divisor), so 2^64 = r * divisor + e with 1 <= e <= divisor, and
 * n / divisor - n r / 2^64 = n e / (2^64 divisor) <= n / 2^64 < 1:
 * the high half of n * r is the quotient or one too small.
 */
static inline uint64_t divide(uint64_t n, uint64_t divisor, uint64_t reciprocal)
{
    uint64_t quotient = (uint64_t)(((wide)n * reciprocal) >> 64);

    if (n - quotient * divisor >= divisor)
        quotient++;
    return quotient;
}

/* Interpolation between two rows, when the columns map one to one. */
static void blend_rows(const uint16_t *first, const uint16_t *second, const uint16_t *nearest,
                       struct tap y, uint64_t denominator, uint16_t *out, int n)
{
    const uint64_t reciprocal = UINT64_MAX / denominator;
    const uint64_t w1 = y.weight, w0 = denominator - w1;

    for (int u = 0; u < n; u++) {
        const uint64_t a = first[u], b = second[u];

        out[u] =
            a == DISPARITY_INVALID || b == DISPARITY_INVALID
                ? nearest[u]
                : (uint16_t)divide(a * w0 + b * w1 + denominator / 2, denominator, reciprocal);
    }
}

/* The general case.  Weights are below 2^16 each way, so that sums stay below 2^48. */
static void blend_four(const uint16_t *first, const uint16_t *second, const uint16_t *nearest,
                       struct tap y, uint64_t y_denominator, const struct tap *x,
                       uint64_t x_denominator, uint16_t *out, int n)
{
    const uint64_t denominator = x_denominator * y_denominator;
    const uint64_t reciprocal = UINT64_MAX / denominator;
    const uint64_t v1 = y.weight, v0 = y_denominator - v1;

    for (int u = 0; u < n; u++) {
        const uint64_t a = first[x[u].first], b = first[x[u].second];
        const uint64_t c = second[x[u].first], d = second[x[u].second];

        if (a == DISPARITY_INVALID || b == DISPARITY_INVALID || c == DISPARITY_INVALID ||
            d == DISPARITY_INVALID) {
            out[u] = nearest[x[u].nearest];
        } else {
            const uint64_t w1 = x[u].weight, w0 = x_denominator - w1;
            const uint64_t sum = (a * w0 + b * w1) * v0 + (c * w0 + d * w1) * v1;

            out[u] = (uint16_t)divide(sum + denominator / 2, denominator, reciprocal);
        }
    }
}

void filter_resample(const uint16_t *src, int src_width, int src_height, uint16_t *dst,
                     int dst_width, int dst_height, enum resample how)
{
    const size_t src_pitch = (size_t)src_width, dst_pitch = (size_t)dst_width;
    const uint64_t x_denominator = 2 * (uint64_t)dst_width;
    const uint64_t y_denominator = 2 * (uint64_t)dst_height;
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

            if (how == RESAMPLE_NEAREST) {
                for (int u = 0; u < n; u++)
                    out[u] = nearest[x[u].nearest];
            } else if (src_width != dst_width) {
                blend_four(first, second, nearest, y, y_denominator, x, x_denominator, out, n);
            } else if (y.weight == 0) {
                memcpy(out, first + left, (size_t)n * sizeof *out);
            } else {
                blend_rows(first + left, second + left, nearest + left, y, y_denominator, out,
                           n);
            }
        }
    }
}

#define MAX_SIDE 5                      /* of a window: 2 * the largest radius + 1 */
#define REACH    (STRIP + MAX_SIDE - 1) /* columns that the windows of a strip see */

/* Of each pixel the smaller value to 'low', the larger one to 'high'. */
static void order(uint16_t *restrict low, uint16_t *restrict high)
{
    for (int u = 0; u < STRIP; u++) {
        const uint16_t a = low[u], b = high[u];

        low[u] = a < b ? a : b;
        high[u] = a < b ? b : a;
    }
}

/*
 * A row of a strip and the rows around it: of each image column the window's pixels, smallest
 * first.  What is invalid or outside the image comes last, since DISPARITY_INVALID is the
 * largest value.
 */
struct sorted_columns {
    int side;                            /* of a window */
    uint16_t value[MAX_SIDE + 1][REACH]; /* the last row is of invalid ones */
    uint8_t n_valid[REACH];
};

/* Columns left .. left + REACH - 1 around row v. */
static void sort_columns(const uint16_t *src, int width, int height, int v, int left,
                         struct sorted_columns *columns)
{
    const int radius = columns->side / 2;
    const int first = left < 0 ? -left : 0;
    const int last = width - left < REACH ? width - left : REACH; /* the first one outside */

    memset(columns->value, 0xff, sizeof columns->value);
    memset(columns->n_valid, 0, sizeof columns->n_valid);
    for (int i = 0; i < columns->side; i++) {
        const int y = v - radius + i;

        if (y < 0 || y >= height)
            continue;
        memcpy(columns->value[i] + first, src + (size_t)y * (size_t)width + left + first,
               (size_t)(last - first) * sizeof *src);
        for (int u = 0; u < REACH; u++)
            columns->n_valid[u] =
                (uint8_t)(columns->n_valid[u] + (columns->value[i][u] != DISPARITY_INVALID));
    }
    for (int i = 1; i < columns->side; i++) {
        for (int k = i; k > 0; k--) {
            order(columns->value[k - 1], columns->value[k]);
            order(columns->value[k - 1] + REACH - STRIP, columns->value[k] + REACH - STRIP);
        }
    }
}

/*
 * The values of ranks half - radius .. half of each window, half = side^2 / 2.  Where up to
 * 2 radius of its pixels are invalid, its median is among them.  Columns are sorted, then rows,
 * which leaves columns sorted.  Then (i + 1)(k + 1) values of the window are not larger than
 * the one in row i and column k, counted from 0, and (side - i)(side - k) are not smaller.  So
 * some are known to come before all of these ranks, and some after.
 */
static void middle_ranks(const struct sorted_columns *columns, uint16_t (*middle)[STRIP])
{
    const int side = columns->side, radius = side / 2, n_all = side * side;
    const int last = n_all / 2, first = last - radius;
    uint16_t left[MAX_SIDE * MAX_SIDE][STRIP];
    int n = 0, n_before = 0;

    for (int i = 0; i < side; i++) {
        uint16_t row[MAX_SIDE][STRIP];

        for (int k = 0; k < side; k++) {
            memcpy(row[k], columns->value[i] + k, sizeof row[k]);
            for (int j = k; j > 0; j--)
                order(row[j - 1], row[j]);
        }
        for (int k = 0; k < side; k++) {
            if ((side - i) * (side - k) > n_all - first)
                n_before++;
            else if ((i + 1) * (k + 1) <= last + 1)
                memcpy(left[n++], row[k], sizeof row[k]);
        }
    }
    for (int i = 0; i <= last - n_before; i++)
        for (int k = i + 1; k < n; k++)
            order(left[i], left[k]);
    memcpy(middle, left[first - n_before], (size_t)(radius + 1) * sizeof *middle);
}

/* The value of rank (n_valid - 1) / 2 in the window whose first column is u: smallest heads of
 * its sorted columns are taken off until it is there.  At least one value is valid. */
static uint16_t median_of(const struct sorted_columns *columns, int u, int n_valid)
{
    int taken[MAX_SIDE] = {0};
    uint16_t least = 0;

    for (int rank = (n_valid - 1) / 2; rank >= 0; rank--) {
        int of = -1;

        for (int k = 0; k < columns->side; k++) {
            const uint16_t head = taken[k] < columns->side ? columns->value[taken[k]][u + k]
                                                           : (uint16_t)DISPARITY_INVALID;

            if (of < 0 || head < least) {
                least = head;
                of = k;
            }
        }
        taken[of]++;
    }
    return least;
}

/* Of pixels left .. left + n - 1 of row v. */
static void median_strip(const uint16_t *src, uint16_t *dst, int width, int height, int radius,
                         int v, int left, int n)
{
    struct sorted_columns columns = {.side = 2 * radius + 1};
    const size_t at = (size_t)v * (size_t)width + (size_t)left;
    const uint16_t *const in = src + at;
    uint16_t *const out = dst + at;
    uint16_t middle[MAX_SIDE / 2 + 1][STRIP];

    sort_columns(src, width, height, v, left - radius, &columns);
    middle_ranks(&columns, middle);
    for (int u = 0; u < n; u++) {
        const int side = columns.side;
        int n_valid = 0;

        for (int k = 0; k < side; k++)
            n_valid += columns.n_valid[u + k];

        const int before = side * side / 2 - (n_valid - 1) / 2; /* that rank by so many */

        if (in[u] == DISPARITY_INVALID)
            out[u] = DISPARITY_INVALID;
        else
            out[u] =
                before <= radius ? middle[radius - before][u] : median_of(&columns, u, n_valid);
    }
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

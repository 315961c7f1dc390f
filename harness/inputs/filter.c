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

#define MAX_WINDOW  5 /* 2 * the largest radius + 1 */
#define COLUMN_SIZE 8 /* a window's height, one invalid value behind it, padded to 16 bytes */

/* The window's pixels of one image column, smallest first; what is invalid or outside the image
 * comes last, since DISPARITY_INVALID is the largest value. */
struct sorted_column {
    uint16_t value[COLUMN_SIZE];
    int n_valid;
};

static void sort_column(const uint16_t *src, size_t pitch, int u, int v_first, int v_last,
                        struct sorted_column *column)
{
    int n = 0;

    for (int v = v_first; v <= v_last; v++) {
        const uint16_t value = src[(size_t)v * pitch + (size_t)u];
        int i = n;

        if (value == DISPARITY_INVALID)
            continue;
        for (; i > 0 && column->value[i - 1] > value; i--)
            column->value[i] = column->value[i - 1];
        column->value[i] = value;
        n++;
    }
    column->n_valid = n;
    for (int i = n; i < COLUMN_SIZE; i++)
        column->value[i] = DISPARITY_INVALID;
}

/* The value of rank (n - 1) / 2 of n_columns sorted lists: smallest heads are taken off until
 * it is there.  At least one value is valid. */
static uint16_t median_of(const struct sorted_column *column, int n_columns)
{
    const uint16_t *list[MAX_WINDOW];
    uint32_t head[MAX_WINDOW]; /* value << 3 | list */
    uint32_t least = 0;
    int n_valid = 0;

    assert(n_columns > 0 && n_columns <= MAX_WINDOW);
    for (int i = 0; i < n_columns; i++) {
        list[i] = column[i].value;
        head[i] = (uint32_t)list[i][0] << 3 | (uint32_t)i;
        n_valid += column[i].n_valid;
    }
    for (int rank = (n_valid - 1) / 2; rank >= 0; rank--) {
        least = head[0];
        for (int i = 1; i < n_columns; i++)
            least = head[i] < least ? head[i] : least;

        const uint32_t taken = least & 7;

        /* no list is read past its first invalid value: at most n_valid values are taken */
        head[taken] = (uint32_t) * ++list[taken] << 3 | taken;
    }
    return (uint16_t)(least >> 3);
}

static void median_strip(const uint16_t *src, uint16_t *dst, int width, int height, int radius,
                         int left, int right)
{
    /* columns left - radius .. right + radius, those inside the image */
    struct sorted_column columns[STRIP + MAX_WINDOW - 1];
    const size_t pitch = (size_t)width;
    const int u_first = left > radius ? left - radius : 0;
    const int u_last = right + radius < width ? right + radius : width - 1;

    assert(u_first <= u_last && u_last - u_first < STRIP + MAX_WINDOW - 1);
    for (int v = 0; v < height; v++) {
        const int v_first = v > radius ? v - radius : 0;
        const int v_last = v + radius < height ? v + radius : height - 1;

        for (int u = u_first; u <= u_last; u++)
            sort_column(src, pitch, u, v_first, v_last, &columns[u - u_first]);
        for (int u = left; u <= right; u++) {
            const size_t at = (size_t)v * pitch + (size_t)u;
            const int first = u > radius ? u - radius : 0;
            const int last = u + radius < width ? u + radius : width - 1;

            dst[at] = src[at] == DISPARITY_INVALID
                          ? (uint16_t)DISPARITY_INVALID
                          : median_of(&columns[first - u_first], last - first + 1);
        }
    }
}

void filter_median(const uint16_t *src, uint16_t *dst, int width, int height, int radius)
{
    for (int left = 0; left < width; left += STRIP) {
        const int right = left + STRIP < width ? left + STRIP - 1 : width - 1;

        median_strip(src, dst, width, height, radius, left, right);
    }
}

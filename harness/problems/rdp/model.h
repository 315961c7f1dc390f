/*
 * model.h - the arithmetic of RDP column segmentation, once, for C and CUDA
 *
 * Inside a segment (f, l) of a column y, both ends valid, every distance has the same
 * denominator l - f, so only the numerators are compared ([RDP] Algorithm 1 line 3, with the
 * division cleared):
 *
 *     N_i = | (y_l - y_f) (i - f) + (y_f - y_i) (l - f) |    vertical distance * 256 (l - f)
 *
 * and the point m of the largest N (the smallest index among equals) is kept when
 *
 *     N_m > E (l - f)                        vertical,      E = 256 eps, a whole number
 *     N_m^2 65536 > E^2 (65536 (l - f)^2 + (y_l - y_f)^2)           perpendicular
 *
 * Exact integers: no rounding, no order of evaluation, the same bits on every machine.
 */
#ifndef RDP_MODEL_H
#define RDP_MODEL_H

#include "harness/base/random.h" /* BENCH_HD */

#include <stdint.h>

#define RDP_INVALID     0xFFFF /* as plane.h: never kept, never an end of a segment */
#define RDP_MAX_VALUE   65534  /* 1/256 px */
#define RDP_MAX_ROWS    16384  /* so that N fits in 31 bits, see below */
#define RDP_MAX_EPSILON 65535  /* 1/256 px; larger ones cut nothing and are clamped to it */

/* |N| <= 65535 (l - f); each of the two products is bounded by it as well, so their sum is
 * below 2^31 */
#if 65535LL * (RDP_MAX_ROWS - 1) * 2 > 2147483647LL
#error "RDP_MAX_ROWS is too large for 32-bit numerators"
#endif

/* N_i, for f <= i <= l <= RDP_MAX_ROWS - 1 and valid y_f, y_i, y_l.  dy = y_l - y_f, length = l
 * - f. */
static inline BENCH_HD uint32_t rdp_cost(int32_t dy, int32_t length, int32_t y_f, int32_t y_i,
                                         int32_t i_minus_f)
{
    const int32_t n = dy * i_minus_f + (y_f - y_i) * length;

    return (uint32_t)(n < 0 ? -n : n);
}

/* The vertical rule: is a point of cost n kept in a segment of this length? Never for n = 0. */
static inline BENCH_HD int rdp_exceeds_vertical(uint32_t n, int32_t length, uint32_t epsilon_q8)
{
    return n > epsilon_q8 * (uint32_t)length; /* 65535 * 16383 < 2^32 */
}

/* The high and low words of a * b. */
static inline BENCH_HD void rdp_multiply_64(uint64_t a, uint64_t b, uint64_t *high,
                                            uint64_t *low)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0;
    const uint64_t middle = p10 + (p00 >> 32) + (uint32_t)p01;

    *low = (middle << 32) | (uint32_t)p00;
    *high = a1 * b1 + (p01 >> 32) + (middle >> 32);
}

/* The perpendicular rule.  Up to 78 bits: compared as two words, once per segment. */
static inline BENCH_HD int rdp_exceeds_perpendicular(uint32_t n, int32_t length, int32_t dy,
                                                     uint32_t epsilon_q8)
{
    const uint64_t n2 = (uint64_t)n * n; /* < 2^62 */
    const uint64_t chord2 = (uint64_t)65536 * ((uint64_t)length * (uint64_t)length) +
                            (uint64_t)((int64_t)dy * dy); /* < 2^45 */
    const uint64_t left_low = n2 << 16, left_high = n2 >> 48;
    uint64_t right_low, right_high;

    rdp_multiply_64((uint64_t)epsilon_q8 * epsilon_q8, chord2, &right_high, &right_low);
    return left_high > right_high || (left_high == right_high && left_low > right_low);
}

#endif

/*
 * stixels_float.h - eq. 6 under arith = float
 *
 * Source: [STX] eq. 6.  The softplus is made of two polynomials (interpolated at Chebyshev nodes): within 1e-5 nat of
 * the true value, no libm, so that it runs in vectors on a CPU and the same on a GPU.
 */
#ifndef STIXELS_FLOAT_H
#define STIXELS_FLOAT_H

#include "harness/problems/stixels_model.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* exp(-x) for x in 0..1.4e9, within 8e-6 of it relative; 0 beyond 87. */
static inline BENCH_HD float stixels_exp_minus(float x)
{
    const float y = x * 1.44269504f; /* 2^-y */
    const int32_t whole = (int32_t)y;
    const float f = 1.0f - (y - (float)whole); /* 2^-y = 2^(f - 1 - whole), f in (0, 1] */
    const float p =
        1.00000349f +
        f * (0.692972922f + f * (0.241604357f + f * (0.0517449978f + f * 0.0136703095f)));
    const int32_t bits = (126 - (whole < 126 ? whole : 126)) << 23; /* 2^(-1 - whole), or 0 */
    float scale;

    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}

/* log(1 + exp(-x)) for x >= 0. */
static inline BENCH_HD float stixels_softplus_float(float x)
{
    const float t = stixels_exp_minus(x);

    return t * (0.999990592f +
                t * (-0.499314652f +
                     t * (0.324849581f +
                          t * (-0.209079536f + t * (0.100139733f + t * -0.0234436558f)))));
}

/* Eq. 6 for one row, in nat: stixels_row_cost with uniform and gauss = k_uniform and k_gauss in nat, r2 >= 0. */
static inline BENCH_HD float stixels_row_cost_float(float uniform, float gauss, float r2,
                                                    int hard_minimum)
{
    /* bounded here and not in stixels_exp_minus, where a constant would split the loop around it */
    const float g = gauss - (r2 < 1e9f ? r2 : 1e9f), apart = uniform - g;
    const float larger = apart > 0 ? uniform : g;
    const float softplus = stixels_softplus_float(fabsf(apart));

    return -(larger + softplus * (float)!hard_minimum);
}

#endif

/*
 * float.h - arith = float: the sums that its moments are made of, eq. 6, and Z_G cut off at the
 * range's ends
 *
 * Source: [STX] sect. 3.4 and 4.3, centred; eq. 6.  The softplus is made of two polynomials
 *         (interpolated at Chebyshev nodes): within 1e-5 nat of the true value, no libm, so
 *         that it runs in vectors on a CPU.  The GPU has instructions for it (column.cuh).
 */
#ifndef STIXELS_FLOAT_H
#define STIXELS_FLOAT_H

#include "harness/problems/stixels/model.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Float sums are about this disparity, px: between road and far objects they stay small. */
#define STIXELS_CENTRE_PX 50.0f

/* Row v adds these to the float sums of its column (the names are those of struct
 * stixels_moments_float): weight 0..1 and disparity, both 0 where there is none. */
struct stixels_float_row {
    float s0, s1, s2, r0, r1, ground, t0, object, sky;
};

static inline BENCH_HD struct stixels_float_row
stixels_float_row_of(const struct stixels_constants_float *c, int horizon, float w, float px,
                     int v)
{
    const float x = (float)v - c->origin;
    const float e = px - (c->mu_b * (float)v + c->mu_a), t = px - STIXELS_CENTRE_PX;
    struct stixels_float_row row;

    row.s0 = w;
    row.s1 = w * x;
    row.s2 = w * x * x;
    row.r0 = w * e;
    row.r1 = w * e * x;
    /* no ground above the horizon, where its expected disparity is far from anything */
    row.ground = v <= horizon ? w * e * e : 0;
    row.t0 = w * t;
    row.object = w * t * t;
    row.sky = w * px * px;
    return row;
}

/* t0 of a stixel from the other sums, which hold it: d - centre = e + (mu_b v + mu_a -
 * centre). */
static inline BENCH_HD float stixels_float_t0(const struct stixels_constants_float *c,
                                              const struct stixels_moments_float *m)
{
    return m->r0 + c->mu_b * m->s1 + (c->mu_b * m->origin + c->mu_a - m->centre) * m->s0;
}

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

/* Eq. 6 for one row, in nat: stixels_row_cost with uniform and gauss = k_uniform and k_gauss in
 * nat, r2 >= 0. */
static inline BENCH_HD float stixels_row_cost_float(float uniform, float gauss, float r2,
                                                    int hard_minimum)
{
    /* bounded here and not in stixels_exp_minus, where a constant would split the loop around
     * it */
    const float g = gauss - (r2 < 1e9f ? r2 : 1e9f), apart = uniform - g;
    const float larger = apart > 0 ? uniform : g;
    const float softplus = stixels_softplus_float(fabsf(apart));

    return -(larger + softplus * (float)!hard_minimum);
}

/*
 * zg = truncated: log of the integral of exp(-(x / sigma)^2) from 0 to d_max about d (0 ..
 * d_max), in 1/1024 nat.  By libm, whose last bit differs between machines: there is no exact
 * form.
 */
static inline BENCH_HD int32_t stixels_truncated_log_z(double sigma2, double d_max, double d)
{
    const double sigma = sqrt(sigma2), clamped = d < 0 ? 0 : d > d_max ? d_max : d;
    const double inside = erf((d_max - clamped) / sigma) + erf(clamped / sigma);

    return (int32_t)floor(log(sigma * 0.88622692545275801 * inside) * 1024 + 0.5);
}

#endif

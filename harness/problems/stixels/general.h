/*
 * general.h - the arithmetic of models beyond b12 and b6: Pfeiffer's priors, deviations of each
 * stixel
 *
 * Source: D. Pfeiffer, U. Franke, "Towards a Global Optimal Multi-Layer Stixel Representation
 *         of Dense 3D Data", BMVC 2011, as dhernandez0/stixels has its priors; the deviations
 *         of gishi523/slanted-stixels.  No code of theirs.
 *
 * Like stixels/model.h it takes nothing of libm: exact arithmetic is the same on every machine.
 * Logarithms of disparities are those of the disparity rounded to 1/256 px, in 1/1024 nat; the
 * zg = truncated form, which needs erf, is in stixels/float.h.
 */
#ifndef STIXELS_GENERAL_H
#define STIXELS_GENERAL_H

#include "harness/problems/stixels/model.h"

/* ---- logarithms ---- */

#define STIXELS_LOG_2        710  /* log 2, 1/1024 nat */
#define STIXELS_MINUS_LOG_03 1233 /* -log 0.3: ground on ground or object */
#define STIXELS_MINUS_LOG_07 365  /* -log 0.7: object below the horizon */

/* log(px) in 1/1024 nat of a length up to 2^23 px; what rounds to less than 1/256 px counts as
 * that. */
static inline BENCH_HD int32_t stixels_log_px(double px)
{
    const uint32_t one = 256;
    const double scaled = px * one + 0.5;

    return stixels_log(scaled >= 1 ? (uint32_t)scaled : 1) - stixels_log(one);
}

/* log(sigma sqrt(pi)) in 1/1024 nat, half up, of a sigma^2 in 1e-6 .. 1e30 px^2: half of the
 * log of pi sigma^2. */
static inline BENCH_HD int32_t stixels_log_z(double sigma2)
{
    const double one = 65536;
    double x = sigma2 * 3.14159265358979324;
    int32_t sum = 0;

    for (; x >= one; x *= 1 / one)
        sum += stixels_log(65536);
    for (; x < 1; x *= one)
        sum -= stixels_log(65536);
    sum +=
        stixels_log((uint32_t)(x * one + 0.5 < 4294967295.0 ? x * one + 0.5 : 4294967295.0)) -
        stixels_log(65536);
    return (sum > 0 ? sum + 1 : sum) / 2;
}

/* ---- whole disparities of flat models ---- */

/* 0 .. d_max px. */
static inline BENCH_HD int stixels_n_disparities(const struct stixels_model *model)
{
    return (int)model->d_max + 1;
}

/* The whole disparity nearest to px >= 0, half up, at most d_max. */
static inline BENCH_HD int stixels_whole_disparity(const struct stixels_model *model, double px)
{
    const int most = stixels_n_disparities(model) - 1;

    return px + 0.5 < most ? (int)(px + 0.5) : most;
}

/* ---- deviations ---- */

/* The road's disparity that the camera expects at row v. */
static inline BENCH_HD double stixels_expected(const struct stixels_model *model, int v)
{
    return model->mu_b * v + model->mu_a;
}

/*
 * sigma^2 in px^2.  sigma_rule = class: the geometry's.  sigma_rule = stixel: an object's at
 * its disparity d, which a depth of its own blurs; the ground's at row v from the expected
 * disparity there, which the camera's height and pitch blur (v: the stixel's bottom row, the
 * nearest; the row itself in a flat model).
 */
static inline BENCH_HD double stixels_sigma2(const struct stixels_model *model, int g, int v,
                                             double d)
{
    const double expected = stixels_expected(model, v), road = expected > 0 ? expected : 0;

    if (model->sigma_rule == STIXELS_SIGMA_CLASS || g == STIXELS_SKY)
        return model->sigma[g] * model->sigma[g];
    if (g == STIXELS_GROUND)
        return model->ground_sigma2 + model->ground_sigma2_per_px2 * (road * road);
    return model->object_sigma2 + model->object_sigma2_per_px4 * (d * d * (d * d));
}

/* ---- priors ---- */

/* stixels_may_be() for every model: Pfeiffer's ground may reach the top, his sky never the
 * bottom. */
static inline BENCH_HD int stixels_may_be_in(const struct stixels_model *model, int g, int v_b,
                                             int v_t, int n_rows)
{
    if (model->prior == STIXELS_LINEAR)
        return stixels_may_be(model, g, v_b, v_t, n_rows);
    if (g == STIXELS_GROUND)
        return v_t <= model->horizon;
    if (g == STIXELS_SKY)
        return v_b > model->horizon && v_b > 0;
    return 1;
}

/* Returns what the bottom stixel, rows 0 .. v_t, costs as such, 1/1024 nat; sky is never
 * one. */
static inline BENCH_HD int32_t stixels_pfeiffer_first(const struct stixels_model *model, int g,
                                                      int v_t, int n_rows)
{
    const int32_t rows = stixels_log((uint32_t)n_rows);
    const int32_t either = v_t <= model->horizon ? STIXELS_LOG_2 : 0; /* ground or object */

    return g == STIXELS_GROUND ? rows + STIXELS_LOG_2
                               : rows + stixels_log_px(model->d_max) + either;
}

/* An object of disparity d on ground that ends where the road is expected at 'road' >= 0 px. */
static inline BENCH_HD int32_t stixels_pfeiffer_on_ground(const struct stixels_model *model,
                                                          double road, double d)
{
    if (d > road + model->epsilon)
        return model->k_above_ground + stixels_log_px(model->d_max - road - model->epsilon);
    if (d < road - model->epsilon)
        return model->k_below_ground + stixels_log_px(road - model->epsilon);
    return model->k_on_ground + stixels_log_px(2 * model->epsilon);
}

/* An object of disparity d on one of disparity p; *allowed = 0 where the two should be one. */
static inline BENCH_HD int32_t stixels_pfeiffer_on_object(const struct stixels_model *model,
                                                          double p, double d, int *allowed)
{
    /* p - B f / (B f / p + range): the disparity at the far end of what stands at p */
    const double reach =
        model->ordering_range * p * p / (model->focal_baseline + model->ordering_range * p);

    if (d > p + reach)
        return model->k_ordered + stixels_log_px(model->d_max - p - reach);
    if (d < p - reach)
        return model->k_not_ordered + stixels_log_px(p - reach);
    *allowed = 0;
    return 0;
}

/*
 * Returns what it costs that a stixel of geometry 'upper' with bottom row k stands on one of
 * geometry 'lower', 1/1024 nat; objects have the disparities d_lower and d_upper, >= 0 (those
 * of ground and sky are not read).  *allowed = 0: it may not.
 */
static inline BENCH_HD int32_t stixels_pfeiffer(const struct stixels_model *model, int lower,
                                                int upper, int k, int n_rows, double d_lower,
                                                double d_upper, int *allowed)
{
    const int below = k - 1 < model->horizon;
    const int32_t rows = stixels_log((uint32_t)(n_rows - k));
    const double expected = stixels_expected(model, k - 1), road = expected > 0 ? expected : 0;

    *allowed = 1;
    if (upper == STIXELS_GROUND) {
        *allowed = below && lower != STIXELS_SKY;
        return rows + STIXELS_MINUS_LOG_03;
    }
    if (upper == STIXELS_SKY) {
        *allowed = !below && (lower == STIXELS_GROUND   ? expected < 1
                              : lower == STIXELS_OBJECT ? d_lower >= model->epsilon
                                                        : 0);
        return lower == STIXELS_OBJECT ? rows + STIXELS_LOG_2 : rows;
    }
    if (lower == STIXELS_GROUND)
        return rows + STIXELS_MINUS_LOG_07 + stixels_pfeiffer_on_ground(model, road, d_upper);
    if (lower == STIXELS_OBJECT)
        return rows + (below ? STIXELS_MINUS_LOG_07 : STIXELS_LOG_2) +
               stixels_pfeiffer_on_object(model, d_lower, d_upper, allowed);
    *allowed = d_upper > model->epsilon;
    return rows + stixels_log_px(model->d_max - model->epsilon);
}

#endif

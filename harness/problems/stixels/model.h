/*
 * model.h - the arithmetic of slanted stixels, once, for C and CUDA
 *
 * Source: [STX] D. Hernandez-Juarez, A. Espinosa, D. Vazquez, A. M. Lopez, J. C. Moure, "3D
 *         Perception With Slanted Stixels on GPU", TPDS 2021, sect. 3; equations are named
 *         below.
 *
 * Rows.  v counts block rows from the bottom of the column, 0 .. n_rows - 1; a plane is D(v) =
 * b v + a in pixels of disparity [eq. 5].  Classes are ordered object, ground, sky: the order
 * in which equal costs are decided.
 *
 * Exact arithmetic (arith = exact).  Inputs are integers; block means are rounded half up in
 * integers; the sums over rows are integers, so their order does not matter; logarithms come
 * from integer tables and not from libm, whose last bit differs between machines; fits and
 * energies are double with + - * / only, each operation rounded by itself (no contraction), in
 * the one form that stixels/fit.h gives.  Every variant then gives the same bits.
 *
 * Fast arithmetic (arith = float).  The same forms in float, on float sums taken about the
 * expected ground and about the middle of the column: uncentred float sums are not good enough
 * (errors of hundreds in the energy).
 */
#ifndef STIXELS_MODEL_H
#define STIXELS_MODEL_H

#include "harness/problems/stixels/tables.h"
#include "harness/base/random.h" /* BENCH_HD */

#include <stdint.h>

#define STIXELS_INVALID     0xFFFF /* as harness/inputs/plane.h: no disparity */
#define STIXELS_MAX_ROWS    1024   /* block rows: six sums fit in 64 bits, see below */
#define STIXELS_MAX_CLASSES 32
#define STIXELS_MAX_BLOCK   16
#define STIXELS_NO_CLASS    255 /* of a stixel for whose geometry there is no class */

enum stixels_geometry { STIXELS_OBJECT, STIXELS_GROUND, STIXELS_SKY, STIXELS_N_GEOMETRIES };

/* The depth term of a row [eq. 12 and eq. 6] and how eq. 6 mixes its two densities. */
enum stixels_data_term {
    STIXELS_E12,    /* Gaussian alone: constant time per stixel from the sums */
    STIXELS_E6_SUM, /* uniform + Gaussian, as printed: a sum over the stixel's rows */
    STIXELS_E6_MIN  /* the cheaper of the two, as public implementations have it */
};

/* A row weighs so much. */
enum stixels_weight_rule {
    STIXELS_WEIGHT_PLAIN,   /* c */
    STIXELS_WEIGHT_SQUARED, /* c^2 */
    STIXELS_WEIGHT_NONE     /* 1: every row that has a disparity */
};

/* The rest of a model.  What is 0 is what b12 and b6 take; stixels/general.h has the arithmetic
 * of the others. */
enum stixels_prior { STIXELS_LINEAR, STIXELS_PFEIFFER };
enum stixels_direction { STIXELS_BOTTOM_UP, STIXELS_TOP_DOWN };
enum stixels_sigma_rule { STIXELS_SIGMA_CLASS, STIXELS_SIGMA_STIXEL };
enum stixels_zg { STIXELS_ZG_SIMPLE, STIXELS_ZG_TRUNCATED };

/*
 * One column's energies depend on these, all derived from a preset, a camera and the block size
 * by stixels_model_make() (stixels.h).  A plain value: passed to kernels, hashed with the
 * input; no pointers, no padding (doubles first).
 */
struct stixels_model {
    double sigma[STIXELS_N_GEOMETRIES]; /* px; exp(-(x / sigma)^2), no 1/2 in the exponent */
    double mu_a, mu_b;   /* expected ground D(v) = mu_b v + mu_a: px, px per block row */
    double lam_a, lam_b; /* sigma_ground^2 / s_a^2, / s_b^2: 0 without a prior on the plane */
    double weight_semantic;               /* w_l [eq. 2] */
    double beta_mc;                       /* for every stixel */
    double gap_alpha, gap_beta;           /* ground on ground */
    double behind_alpha, behind_beta;     /* object behind the ground that it stands on */
    double hovering_alpha, hovering_beta; /* object in front of it */
    double ordering_alpha, ordering_beta; /* upper object in front of the lower one */
    double plane[STIXELS_N_GEOMETRIES];   /* -log Z of eq. 7: a constant per class */
    /* sigma_rule = STIXELS_SIGMA_STIXEL, px^2: first + second * D^2 (ground), * D^4 (object) */
    double ground_sigma2, ground_sigma2_per_px2, object_sigma2, object_sigma2_per_px4;
    double d_max;                          /* px: the range of disparities */
    double epsilon;                        /* px: what is one disparity to Pfeiffer's priors */
    double ordering_range;                 /* m: how far an object reaches into depth */
    double focal_baseline;                 /* px m */
    int32_t k_valid[STIXELS_N_GEOMETRIES]; /* per row with a disparity, 1/1024 nat */
    int32_t k_invalid[STIXELS_N_GEOMETRIES]; /* per row without, 1/1024 nat */
    int32_t k_uniform[STIXELS_N_GEOMETRIES]; /* eq. 6: log p_out - log Z_U, 1/1024 nat */
    int32_t k_gauss[STIXELS_N_GEOMETRIES];   /* eq. 6: log(1 - p_out) - log Z_G, 1/1024 nat */
    int32_t data_term;                       /* enum stixels_data_term */
    int32_t weight_squared; /* enum stixels_weight_rule; 1: w = c^2 as printed */
    /* last row whose expected ground disparity is above 0; -1: none, n_rows: all and more */
    int32_t horizon;
    int32_t n_classes;                        /* 0: no semantic term */
    int32_t geometry_of[STIXELS_MAX_CLASSES]; /* enum stixels_geometry; -1: never chosen */
    int32_t prior;                            /* enum stixels_prior */
    int32_t direction;                        /* enum stixels_direction */
    int32_t sigma_rule;                       /* enum stixels_sigma_rule */
    int32_t zg;                               /* enum stixels_zg */
    int32_t flat;            /* 1: disparity alone, ground is the expected road */
    int32_t own_log_z;       /* 1: log Z_G is of each stixel, and not in k_valid .. k_gauss */
    int32_t invalid_literal; /* 1: a row without a disparity costs what a perfect fit does */
    int32_t k_ordered, k_not_ordered; /* -log p_ord, -log(1 - p_ord), 1/1024 nat */
    int32_t k_above_ground, k_below_ground, k_on_ground; /* -log p_grav, -log p_blg, the rest */
};

/* A variant says so that is made for b12 or b6 alone. */
#define STIXELS_NEEDS_GENERAL                                                             \
    "this variant takes slanted stixels with weight = squared or plain, prior = linear, " \
    "direction = bottom_up, sigma_rule = class and zg = simple; the references take "     \
    "others"

/* True if a model asks for more than b12 and b6 do: some variants are made for those two. */
static inline BENCH_HD int stixels_needs_general(const struct stixels_model *model)
{
    return model->prior != STIXELS_LINEAR || model->direction != STIXELS_BOTTOM_UP ||
           model->sigma_rule != STIXELS_SIGMA_CLASS || model->zg != STIXELS_ZG_SIMPLE ||
           model->flat || model->weight_squared == STIXELS_WEIGHT_NONE;
}

/* ---- integers
 * ----------------------------------------------------------------------------------------- */

/* The mean of n >= 1 values of the given sum, half up. */
static inline BENCH_HD uint32_t stixels_mean(uint32_t sum, uint32_t n)
{
    return (2 * sum + n) / (2 * n);
}

/* True if a block with n_valid measurements has a disparity: at least half of n_pixels. */
static inline BENCH_HD int stixels_block_is_valid(uint32_t n_valid, uint32_t n_pixels)
{
    return n_valid > 0 && 2 * n_valid >= n_pixels;
}

#ifdef __CUDACC__
static __device__ const uint32_t stixels_log_table_device[1025] = {STIXELS_LOG_TABLE};
static __device__ const uint16_t stixels_softplus_table_device[STIXELS_SOFTPLUS_LAST + 1] = {
    STIXELS_SOFTPLUS_TABLE};
#endif

static inline BENCH_HD uint32_t stixels_log_entry(uint32_t i)
{
#ifdef __CUDA_ARCH__
    return stixels_log_table_device[i];
#else
    static const uint32_t table[1025] = {STIXELS_LOG_TABLE};

    return table[i];
#endif
}

static inline BENCH_HD uint32_t stixels_softplus_entry(uint32_t i)
{
#ifdef __CUDA_ARCH__
    return stixels_softplus_table_device[i];
#else
    static const uint16_t table[STIXELS_SOFTPLUS_LAST + 1] = {STIXELS_SOFTPLUS_TABLE};

    return table[i];
#endif
}

static inline BENCH_HD uint32_t stixels_leading_zeros(uint32_t x) /* x >= 1 */
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__clz((int)x);
#else
    return (uint32_t)__builtin_clz(x);
#endif
}

/* log(x) in 1/1024 nat, half up, for x >= 1; within 0.51/1024 of the true value to x = 65535,
 * 0.52/1024 beyond. */
static inline BENCH_HD int32_t stixels_log(uint32_t x)
{
    const uint32_t shift = stixels_leading_zeros(x), exponent = 31 - shift;
    uint32_t entry, fraction, low, high;

    x <<= shift;
    entry = (x >> 21) & 1023;
    fraction = (x >> 5) & 0xFFFF;
    low = stixels_log_entry(entry);
    high = stixels_log_entry(entry + 1);
    return (
        int32_t)((exponent * STIXELS_LN2_Q20 + low + (((high - low) * fraction) >> 16) + 512) >>
                 10);
}

/* log(1 + exp(-x)) in 1/1024 nat for x >= 0 in 1/1024 nat; within 1/1024 of the true value. */
static inline BENCH_HD int32_t stixels_softplus(int32_t x)
{
    const uint32_t i = (uint32_t)x >> 4, f = (uint32_t)x & 15;

    if (i >= STIXELS_SOFTPLUS_LAST)
        return 0;
    return (int32_t)((stixels_softplus_entry(i) * (16 - f) + stixels_softplus_entry(i + 1) * f +
                      512) >>
                     10);
}

#define STIXELS_LEAST_PROBABILITY_COST 14147 /* -log 1e-6, 1/1024 nat: of probability 0 */

/* -log p in 1/1024 nat for p in 0..65535, 65535 being 1 [eq. 3]. */
static inline BENCH_HD int32_t stixels_semantic_cost(uint32_t p)
{
    if (p == 0)
        return STIXELS_LEAST_PROBABILITY_COST;
    return stixels_log(65535u << 16) -
           stixels_log(p << 16); /* of equal exponents: errors cancel */
}

/* The weight of a row: its confidence 0..255 squared, or times 255 where the preset takes it
 * unsquared; 65025 is 1. */
#define STIXELS_WEIGHT_ONE 65025
static inline BENCH_HD int32_t stixels_weight(uint32_t confidence, int squared)
{
    return (int32_t)(confidence * (squared ? confidence : 255));
}

/* The weight of a row that has a disparity, as its model wants it. */
static inline BENCH_HD int32_t stixels_weight_in(const struct stixels_model *model,
                                                 uint32_t confidence)
{
    return model->weight_squared == STIXELS_WEIGHT_NONE
               ? STIXELS_WEIGHT_ONE
               : stixels_weight(confidence, model->weight_squared);
}

/*
 * Row v adds these to the sums of its column: weight 0..65025, disparity 1/256 px, v.
 * Differences of the sums between two rows are those over the rows between, whatever made them:
 * u is below 2^58, the largest.
 */
struct stixels_sums {
    int64_t s0, s1, s2; /* w, w v, w v^2 */
    int64_t t0, t1;     /* w d, w v d */
    int64_t u;          /* w d^2 */
};

#if (STIXELS_MAX_ROWS > 1024) /* 2^16 weight, 2^32 d^2 (or 2^20 v^2), 2^10 rows */
#error "STIXELS_MAX_ROWS is too large for sums of 64 bits"
#endif

static inline BENCH_HD void stixels_add_row(struct stixels_sums *sums, int32_t weight,
                                            int32_t disparity, int32_t v)
{
    const int64_t w = weight, wv = w * v, wd = w * disparity;

    sums->s0 += w;
    sums->s1 += wv;
    sums->s2 += wv * v;
    sums->t0 += wd;
    sums->t1 += wv * disparity;
    sums->u += wd * disparity;
}

/* The sums over the rows after 'low' up to 'high'. */
static inline BENCH_HD struct stixels_sums stixels_between(const struct stixels_sums *low,
                                                           const struct stixels_sums *high)
{
    struct stixels_sums sums;

    sums.s0 = high->s0 - low->s0;
    sums.s1 = high->s1 - low->s1;
    sums.s2 = high->s2 - low->s2;
    sums.t0 = high->t0 - low->t0;
    sums.t1 = high->t1 - low->t1;
    sums.u = high->u - low->u;
    return sums;
}

/*
 * Eq. 6 for one row: -log(p_out / Z_U + (1 - p_out) / Z_G exp(-r2)) in 1/1024 nat, with r2 = (c
 * (d - D) / sigma)^2 >= 0, uniform = log(p_out / Z_U), gauss = log((1 - p_out) / Z_G).
 * Rounded, so that the sum over rows is a sum of integers.
 */
static inline BENCH_HD int32_t stixels_mixture_cost(int data_term, int32_t uniform,
                                                    int32_t gauss, double r2)
{
    const double q10 = r2 < 1e6 ? r2 * 1024 + 0.5 : 1e6 * 1024;
    const int32_t bell = gauss - (int32_t)q10;
    const int32_t larger = uniform > bell ? uniform : bell;

    if (data_term == STIXELS_E6_MIN)
        return -larger;
    return -(larger + stixels_softplus(uniform > bell ? uniform - bell : bell - uniform));
}

static inline BENCH_HD int32_t stixels_row_cost(const struct stixels_model *model, int g,
                                                double r2)
{
    return stixels_mixture_cost(model->data_term, model->k_uniform[g], model->k_gauss[g], r2);
}

/* True if a stixel of rows v_b .. v_t may have this geometry, in an image of n_rows rows:
 * ground ends below the horizon and never at the top, sky begins above the horizon. */
static inline BENCH_HD int stixels_may_be(const struct stixels_model *model, int g, int v_b,
                                          int v_t, int n_rows)
{
    if (g == STIXELS_GROUND)
        return v_t <= model->horizon && v_t < n_rows - 1;
    if (g == STIXELS_SKY)
        return v_b > model->horizon;
    return 1;
}

/* True if 'upper' may stand directly on 'lower' at all; an object may not carry a ground that
 * is nearer than itself, which the transition's cost says. */
static inline BENCH_HD int stixels_may_follow(int lower, int upper)
{
    return !((lower == STIXELS_GROUND && upper == STIXELS_SKY) ||
             (lower == STIXELS_SKY && upper != STIXELS_OBJECT));
}

/* The energy of what is impossible: above any that is, and twice of it is still a float. */
#define STIXELS_FORBIDDEN 1e30f

/* ---- float and double forms
 * --------------------------------------------------------------------------- */

#define STIXELS_REAL     double
#define STIXELS_NAME(x)  x##_double
#define STIXELS_ROUNDING 0    /* sums of integers */
#define STIXELS_EQUAL    1e-9 /* px: a step to or from a ground, solved in double */
#include "harness/problems/stixels/fit.h"
#undef STIXELS_REAL
#undef STIXELS_NAME
#undef STIXELS_ROUNDING
#undef STIXELS_EQUAL

#define STIXELS_REAL     float
#define STIXELS_NAME(x)  x##_float
#define STIXELS_ROUNDING 2.98023224e-8f /* 2^-25 */
#define STIXELS_EQUAL    0
#include "harness/problems/stixels/fit.h"
#undef STIXELS_REAL
#undef STIXELS_NAME
#undef STIXELS_ROUNDING
#undef STIXELS_EQUAL

/*
 * The exact moments of a stixel of rows v_b .. v_t: integer differences, brought to v - v_b in
 * integers, then double.  |s2| stays below 2^46 and t1 below 2^52 on the way.
 */
static inline BENCH_HD struct stixels_moments_double
stixels_exact_moments(const struct stixels_constants_double *constants,
                      const struct stixels_sums *sums, int v_b)
{
    const int64_t v = v_b;
    const double w = 1.0 / STIXELS_WEIGHT_ONE, wd = w / 256, wdd = wd / 256;
    const double s0 = (double)sums->s0 * w;
    const double s1 = (double)(sums->s1 - v * sums->s0) * w;
    const double s2 = (double)(sums->s2 - 2 * v * sums->s1 + v * v * sums->s0) * w;
    const double t0 = (double)sums->t0 * wd;
    const double t1 = (double)(sums->t1 - v * sums->t0) * wd;
    const double u = (double)sums->u * wdd;
    const double m = constants->mu_a + constants->mu_b * (double)v_b;
    const double b = constants->mu_b;
    struct stixels_moments_double moments;

    moments.s0 = s0;
    moments.s1 = s1;
    moments.s2 = s2;
    moments.r0 = t0 - m * s0 - b * s1;
    moments.r1 = t1 - m * s1 - b * s2;
    moments.ground = u - 2 * (m * t0 + b * t1) + m * m * s0 + 2 * m * b * s1 + b * b * s2;
    moments.t0 = t0;
    moments.object = u;
    moments.sky = u;
    moments.origin = (double)v_b;
    moments.centre = 0;
    return moments;
}

/*
 * 'step' between the means of two objects; where it is nearly 0 that of t0 / s0, by cross
 * products, so that equal means are equal.  A cross product has up to 68 bits (s0 below 2^26,
 * t0 below 2^42); but two that near differ by less than 1e-12 * 256 * 2^52 < 2^21, which the
 * difference of their last 64 bits is.
 */
static inline BENCH_HD double stixels_exact_step(double step, const struct stixels_sums *lower,
                                                 const struct stixels_sums *upper)
{
    const uint64_t s_lower = lower->s0 > 0 ? (uint64_t)lower->s0 : 1; /* t0 is 0 then */
    const uint64_t s_upper = upper->s0 > 0 ? (uint64_t)upper->s0 : 1;
    const uint64_t apart = (uint64_t)lower->t0 * s_upper - (uint64_t)upper->t0 * s_lower;

    if (step > 1e-12 || step < -1e-12) /* rounding makes 3e-13 of means of 0 to 256 px */
        return step;
    return (double)(int64_t)apart / ((double)s_lower * (double)s_upper * 256);
}

#endif

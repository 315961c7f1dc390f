/*
 * bound.h - prune = proved: which bottom rows can still begin the best stixel, for C and CUDA
 *
 * Source: as PELT, Killick et al. 2012.  Energies are in nat, disparities in px about any
 *         centre, sums as stixels/fit.h has them.
 *
 * The proof.  Tops come in groups of rows.  After a group that ends with row k, a bottom row b
 * is dropped for a geometry.  own(b..T) is a stixel's own energy: depth, classes, constants
 * for each row, and K = plane + beta_mc for each stixel.  F_l(k) is the least energy of a
 * segmentation of rows 0..k that ends in geometry l, C(b, T) that of rows 0..T whose last
 * stixel is b..T.  L(b) is the least F_l(b - 1) of those l that the geometry may stand on, 0
 * for b = 0.  No transition costs less than 0, so C(b, T) >= own(b..T) + L(b).
 * Objects.  One mean and one class for b..T cost no less than one of each for b..k and for k +
 * 1..T: own(b..T) >= own(b..k) + own(k + 1..T) - K.  An object may stand on anything.  A
 * transition is linear on either side of a step of 0.  So on the best segmentation that ends
 * with l an object costs at most t_l: the greatest of 0, of the transition to an object of 0
 * px, and of that to one of the greatest disparity above k.  Hence
 *     own(b..k) + L(b) > K + min over l of (F_l(k) + t_l)
 * implies C(b, T) > C(k + 1, T) for every T > k, and b is not the best beginning of any of
 * these.  By induction over groups the F_l are those of all stixels, and equal energies are
 * decided as before, since what is dropped is worse and not equal.
 * Sky stands on an object alone, at no cost: own(b..k) + F_object(b - 1) > K + F_object(k).
 * Ground pays its prior once, for a plane p that b..k does not choose alone.  With S(p) for
 * the squares of some rows, the joint plane costs S_b..k(p) + S_k+1..T(p) + prior(p).  The
 * last two are no less than the energy of k + 1..T by itself, the first is no less than the
 * least squares of b..k without the prior.  A ground on a ground costs at most gap_alpha if
 * gap_beta = 0.  So with own' for own without the prior
 *     own'(b..k) + L(b) > K + F_ground(k) + gap_alpha.
 * Grounds are not dropped if gap_beta is not 0, or the prior on the slope is so weak that a fit
 * may fall back to the expected slope.
 */
#ifndef STIXELS_BOUND_H
#define STIXELS_BOUND_H

#include "harness/problems/stixels/model.h"

/* A bound has so much of the energies that it is made of added, for rounding. */
#define STIXELS_BOUND_ROUNDING (1.0f / (1 << 20))

/* True if the bound of grounds holds: steps from ground to ground cost the same, and the prior
 * keeps each fit solvable (fit.h), whatever the weights are. */
static inline BENCH_HD int stixels_may_drop_grounds(const struct stixels_constants_float *c)
{
    return c->gap_beta == 0 &&
           c->lam_b > 2e-6f * c->origin * c->origin * (2 + c->lam_a) + 1.1f * c->noise;
}

/* The least that the prior adds to a ground of these sums: its energy with the prior, less the
 * energy of the plane that fits best without one.  STIXELS_FORBIDDEN where rounding hides that
 * plane, so that nothing is known. */
static inline BENCH_HD float stixels_cost_of_prior(const struct stixels_constants_float *c,
                                                   float s0, float s1, float s2, float r0,
                                                   float r1)
{
    const float anchored = c->lam_a * c->origin;
    const float a0 = s0 + c->lam_a, a1 = s1 - anchored;
    const float a2 = s2 + c->lam_b + anchored * c->origin;
    const float with = a0 * a2 - a1 * a1, without = s0 * s2 - s1 * s1;
    const int solvable = without > 1e-6f * s0 * s2 + s0 * c->noise;
    const float takes_with = (r0 * (a2 * r0 - a1 * r1) + r1 * (a0 * r1 - a1 * r0)) / with;
    const float takes =
        (r0 * (s2 * r0 - s1 * r1) + r1 * (s0 * r1 - s1 * r0)) / (solvable ? without : 1);

    return solvable ? (takes - takes_with) * c->inverse_sigma2[STIXELS_GROUND]
                    : STIXELS_FORBIDDEN;
}

/* The most that it costs to put an object of any disparity from 'least' to 'most' on what ends
 * at one row: the energies of segmentations that end there and the disparities of their last
 * stixels, by geometry. */
static inline BENCH_HD float stixels_most_on(const struct stixels_constants_float *c,
                                             const float *cost, const float *edge, float least,
                                             float most)
{
    float on = STIXELS_FORBIDDEN;

    for (int lower = 0; lower < STIXELS_N_GEOMETRIES; lower++) {
        int allowed;
        const float far =
            stixels_transition_float(c, lower, STIXELS_OBJECT, edge[lower] - least, &allowed);
        const float near =
            stixels_transition_float(c, lower, STIXELS_OBJECT, edge[lower] - most, &allowed);
        const float step = far > near ? far : near, sum = cost[lower] + (step > 0 ? step : 0);

        on = sum < on ? sum : on;
    }
    return on;
}

#endif

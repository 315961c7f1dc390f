/*
 * opt_prune.cuh - stixels/gpu-opt, prune = proved: which rows can still begin a stixel
 *
 * Source:  docs/STIXELS.md, "What is left out", with its proof.
 * Mapping: rows that may begin a stixel form sets of 32, of the rows 32 j + 1 .. 32 j + 32.  A
 *          warp tests a set at once, a lane each: the candidate from its row to the last row of
 *          a finished group.  Two bits a row, in shared memory, say for object and for ground or
 *          sky whether it can still win; only rows with one of them are tried later.
 */
#ifndef STIXELS_OPT_PRUNE_CUH
#define STIXELS_OPT_PRUNE_CUH

#include "impl_gpu/stixels/opt_candidate.cuh"

#define MAX_GROUPS (STIXELS_MAX_ROWS / STIXELS_WARP)

/* Of a bound: what rounding may make of the sums that energies are differences of. */
#define BOUND_ROUNDING (1.0f / (1 << 20))

/* Of a column, in shared memory. */
struct alive {
    uint32_t object[MAX_GROUPS], beside[MAX_GROUPS]; /* a bit for each row of a set */
    float most[MAX_GROUPS + 1]; /* greatest disparity from a group on, from the centre, px */
};

/* The same of sums of high rows and low ones: what a plane of its own, without and with the
 * prior, takes off the squares of a ground; at least 0.  Less the first from the second is what
 * the prior costs, at most.  Where rounding hides the plane: nothing is known. */
DEVICE float cost_of_prior(const struct opt_constants *c, const struct depth_row *high,
                           const struct depth_row *low)
{
    const float s0 = (high->a.x - low->a.x) * (1.0f / STIXELS_WEIGHT_ONE);
    const float s1 = high->b.x - low->b.x, s2 = high->b.y - low->b.y;
    const float r0 = high->b.z - low->b.z, r1 = high->b.w - low->b.w;
    const float a0 = s0 + c->c.lam_a, a1 = s1 - c->anchored, a2 = s2 + c->a2;
    const float with = a0 * a2 - a1 * a1, without = s0 * s2 - s1 * s1;
    const float explained = (r0 * (a2 * r0 - a1 * r1) + r1 * (a0 * r1 - a1 * r0)) / with;
    const float all = (r0 * (s2 * r0 - s1 * r1) + r1 * (s0 * r1 - s1 * r0)) / without;
    const bool solvable = without > fused(s0, c->c.noise, 1e-6f * s0 * s2);

    return solvable ? (all - explained) * c->c.inverse_sigma2[STIXELS_GROUND]
                    : STIXELS_FORBIDDEN;
}

/* Whether the bound of grounds holds: steps from ground to ground cost the same, and the prior
 * keeps each fit solvable. */
DEVICE bool may_drop_grounds(const struct stixels_constants_float *c)
{
    return c->gap_beta == 0 &&
           c->lam_b > 2e-6f * c->origin * c->origin * (2 + c->lam_a) + 1.1f * c->noise;
}

/* The most that an object costs, whatever its disparity up to 'most', on what ends below it. */
DEVICE float most_on(const struct opt_constants *c, const struct row_below *below, float most)
{
    const float object =
        fmaxf(object_on_object(c, below, -STIXELS_CENTRE_PX), object_on_object(c, below, most));
    const float ground =
        fmaxf(object_on_ground(c, below, -STIXELS_CENTRE_PX), object_on_ground(c, below, most));

    return fminf(fminf(object, ground), below->sky);
}

#endif

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

#include "harness/problems/stixels/bound.h"
#include "impl_gpu/stixels/opt_candidate.cuh"

#define MAX_GROUPS (STIXELS_MAX_ROWS / STIXELS_WARP)

/* Of a column, in shared memory. */
struct alive {
    uint32_t object[MAX_GROUPS], beside[MAX_GROUPS]; /* a bit for each row of a set */
    float most[MAX_GROUPS + 1]; /* greatest disparity from a group on, from the centre, px */
};

/* stixels_cost_of_prior() of the rows between two. */
DEVICE float prior_between(const struct stixels_constants_float *c,
                           const struct depth_row *high, const struct depth_row *low)
{
    return stixels_cost_of_prior(c, (high->a.x - low->a.x) * (1.0f / STIXELS_WEIGHT_ONE),
                                 high->b.x - low->b.x, high->b.y - low->b.y,
                                 high->b.z - low->b.z, high->b.w - low->b.w);
}

#endif

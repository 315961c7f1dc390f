/*
 * opt_prune.cuh - stixels/gpu-opt, prune = proved: which rows can still begin a stixel
 *
 * Source:  the bound of harness/problems/stixels/bound.h, with its proof.
 * Mapping: rows that may begin a stixel form sets of 32, of the rows 32 j + 1 .. 32 j + 32.  A
 *          warp tests a set at once, a lane each: the candidate from its row to the last row of
 *          a finished group.  Two bits a row, in shared memory, say for object and for ground
 *          or sky whether it can still win.  A later group counts these bits, a set a lane;
 *          each warp lists its share of the rows and tries them, a geometry after the other.
 */
#ifndef STIXELS_OPT_PRUNE_CUH
#define STIXELS_OPT_PRUNE_CUH

#include "harness/problems/stixels/bound.h"
#include "impl_gpu/stixels/opt_group.cuh"

#define MAX_GROUPS (STIXELS_MAX_ROWS / STIXELS_WARP)

/* A column's rows that may begin stixels, in shared memory. */
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

/* Finds the rows of a set that can begin a stixel above row v, the last of a finished group. */
template <int OBJECT_QUADS>
DEVICE void drop_beginnings(const struct column<OBJECT_QUADS> *k, struct alive *alive, int set,
                            int v)
{
    const int first = set * STIXELS_WARP + 1, row = first + k->lane;
    const bool tested = row <= v, is_low = row <= k->horizon;
    const int v_b = tested ? row : first; /* the first of a set is always tested */
    const struct high_row<OBJECT_QUADS> high = load_high(k, v);
    const struct row_below below = below_of(&k->found[v_b - 1]), at = below_of(&k->found[v]);
    const float4 all = k->depth[k->n_rows].a;
    const float rounding = STIXELS_BOUND_ROUNDING * (fabsf(all.z) + fabsf(all.w) + 1);
    float object = 0, beside = 0, bound = at.object + k->c.every[STIXELS_SKY];

    if (first <= k->horizon) {
        const struct candidate x = candidate_from<true, GROUND>(k, &high, v_b, (float)v_b);

        object = x.own_object;
        if (is_low) {
            beside = x.own_beside + fminf(below.object, below.beside) -
                     prior_between(&k->c.c, &high.sums, &k->depth[v_b]);
            bound = at.beside + k->c.c.gap_alpha + k->c.every[STIXELS_GROUND];
        }
    }
    if (first + STIXELS_WARP - 1 > k->horizon) {
        const struct candidate x = candidate_from<true, SKY>(k, &high, v_b, (float)v_b);

        object = is_low ? object : x.own_object;
        beside = is_low ? beside : x.own_beside + below.object;
    }
    object += fminf(below.object, below.beside);

    const float sky = v > k->horizon ? at.beside : STIXELS_FORBIDDEN;
    const float cost[] = {at.object, v > k->horizon ? STIXELS_FORBIDDEN : at.beside, sky};
    const float edge[] = {at.object_top, at.ground_top, 0};
    const float next = stixels_most_on(&k->c.c, cost, edge, -STIXELS_CENTRE_PX,
                                       alive->most[v / STIXELS_WARP + 1]) +
                       k->c.every[STIXELS_OBJECT];
    const bool drops_object =
        object > next + fused(STIXELS_BOUND_ROUNDING, fabsf(next), rounding);
    const bool drops_beside =
        beside > bound + fused(STIXELS_BOUND_ROUNDING, fabsf(bound), rounding) &&
        (!is_low || stixels_may_drop_grounds(&k->c.c));
    const unsigned dropped_object = __ballot_sync(ALL_LANES, tested && drops_object);
    const unsigned dropped_beside = __ballot_sync(ALL_LANES, tested && drops_beside);

    if (k->lane == 0) {
        alive->object[set] &= ~dropped_object;
        alive->beside[set] &= ~dropped_beside;
    }
}

/* The alive rows of some sets, a set a lane, by a stixel's geometry; and their places in a list
 * of all objects, then all grounds, then all skies. */
struct alive_sets {
    int from; /* the set of lane 0 */
    uint32_t rows[STIXELS_N_GEOMETRIES];
    int first[STIXELS_N_GEOMETRIES]; /* of this lane's set */
    int end[STIXELS_N_GEOMETRIES];   /* of all sets */
};

/* Those of n sets that a stixel that ends in a group may begin in. */
template <int OBJECT_QUADS>
DEVICE struct alive_sets find_alive(const struct column<OBJECT_QUADS> *k,
                                    const struct alive *alive, int group, int from, int n)
{
    const int set = from + k->lane;
    const int n_low = k->horizon - set * STIXELS_WARP; /* rows of the set up to the horizon */
    const unsigned low = n_low <= 0 ? 0 : n_low >= STIXELS_WARP ? ~0u : (1u << n_low) - 1;
    struct alive_sets a = {};
    int own = 0, at = 0;

    a.from = from;
    if (k->lane < n) {
        a.rows[STIXELS_OBJECT] = alive->object[set];
        a.rows[STIXELS_GROUND] =
            group * STIXELS_WARP <= k->horizon ? alive->beside[set] & low : 0;
        a.rows[STIXELS_SKY] = alive->beside[set] & ~low;
    }
#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        own |= __popc(a.rows[g]) << 10 * g; /* no geometry has more than 1023 */

    const int up_to = sum_up_to(own, k->lane);
    const int all = __shfl_sync(ALL_LANES, up_to, STIXELS_WARP - 1);

#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        a.first[g] = at + ((up_to - own) >> 10 * g & 1023);
        at += all >> 10 * g & 1023;
        a.end[g] = at;
    }
    return a;
}

/* Writes places from .. to - 1 of the list. */
DEVICE void list_alive(const struct alive_sets *a, int from, int to, int lane, uint16_t *list)
{
#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        const int first = a->first[g], end = first + __popc(a->rows[g]);
        unsigned sets = __ballot_sync(ALL_LANES, end > max(first, from) && first < to);

        for (; sets; sets &= sets - 1) {
            const int set = __ffs((int)sets) - 1;
            const unsigned rows = __shfl_sync(ALL_LANES, a->rows[g], set);
            const int at =
                __shfl_sync(ALL_LANES, first, set) + __popc(rows & ((1u << lane) - 1)) - from;

            if ((rows >> lane & 1) && at >= 0 && at < to - from)
                list[at] = (uint16_t)((a->from + set) * STIXELS_WARP + 1 + lane);
        }
    }
    __syncwarp();
}

/* Tries the stixels of a geometry that begin in n listed rows. */
template <bool OBJECT, enum beside BESIDE, int OBJECT_QUADS>
DEVICE void try_listed(const struct column<OBJECT_QUADS> *k,
                       const struct high_row<OBJECT_QUADS> *high, const uint16_t *list, int n,
                       struct kept_row *row)
{
#pragma unroll 2
    for (int i = 0; i < n; i++) {
        const int v_b = list[i];
        const struct row_below below = below_of(&k->found[v_b - 1]);
        const struct candidate x = candidate_from<OBJECT, BESIDE>(k, high, v_b, (float)v_b);

        try_candidate<OBJECT, BESIDE>(&k->c, &x, &below, v_b, true, row);
    }
}

/* Tries places from .. to - 1 of the alive rows; list: room for as many. */
template <int OBJECT_QUADS>
DEVICE void try_alive(const struct column<OBJECT_QUADS> *k,
                      const struct high_row<OBJECT_QUADS> *high, const struct alive_sets *a,
                      int from, int to, uint16_t *list, struct kept_row *row)
{
    const int n = to - from, objects = min(max(a->end[STIXELS_OBJECT] - from, 0), n);
    const int grounds = min(max(a->end[STIXELS_GROUND] - from, 0), n); /* and objects */

    list_alive(a, from, to, k->lane, list);
    try_listed<true, NOTHING>(k, high, list, objects, row);
    try_listed<false, GROUND>(k, high, list + objects, grounds - objects, row);
    try_listed<false, SKY>(k, high, list + grounds, n - grounds, row);
    __syncwarp();
}

#endif

/*
 * opt_halves.cuh - stixels/gpu-opt: the dependent rows of a group, geometries side by side
 *
 * Candidates are made already; what is left is a chain: each row needs the one before.  Lanes
 * 0 .. 15 have the objects of 16 rows, lanes 16 .. 31 their grounds or skies.  They take the
 * same steps with other constants, so a row is one step, not two.  The upper 16 rows of a group
 * first try what begins above the lower ones, which are finished, without waiting for any.
 * The bits are those of try_candidate().
 *
 * Predicted on an H200, from a kernel that has such a chain alone: 121 clocks for a dependent
 * row in the place of 178, 67 for one of the 16 others.
 */
#ifndef STIXELS_OPT_HALVES_CUH
#define STIXELS_OPT_HALVES_CUH

#include "impl_gpu/stixels/opt_group.cuh"

#define HALF_WARP (STIXELS_WARP / 2)

/* The transitions of a half's geometry, linear in its disparity x or, of ground, in the step to
 * the ground below. */
struct half_constants {
    bool is_object;
    float near_alpha, near_beta;                /* to a nearer object; no ground is above one */
    float lower_alpha, lower_beta, lower_slope; /* to what is behind the ground below */
    float upper_alpha, upper_beta, upper_slope; /* to what is nearer than it */
};

DEVICE struct half_constants half_constants_of(const struct stixels_constants_float *c,
                                               bool is_object)
{
    struct half_constants h;

    h.is_object = is_object;
    h.near_alpha = is_object ? c->ordering_alpha : STIXELS_FORBIDDEN;
    h.near_beta = is_object ? c->ordering_beta : 0;
    h.lower_alpha = is_object ? c->behind_alpha : c->gap_alpha;
    h.lower_beta = is_object ? c->behind_beta : 0;
    h.lower_slope = is_object ? -c->behind_beta : c->gap_beta;
    h.upper_alpha = is_object ? c->hovering_alpha : c->gap_alpha;
    h.upper_beta = is_object ? -c->hovering_beta : 0;
    h.upper_slope = is_object ? c->hovering_beta : c->gap_beta;
    return h;
}

/* The candidate of a half: the disparity that transitions see, the one at the top, and what is
 * compared with an object below. */
struct half_candidate {
    float own, x, top, edge;
};

template <enum beside BESIDE>
DEVICE struct half_candidate load_half(const struct made_candidates *made, int at,
                                       bool is_object)
{
    const float2 a = ((const float2 *)&made->a[at])[!is_object];
    const float b = ((const float *)&made->b[at])[!is_object];

    if (is_object)
        return {a.x, a.y, a.y, b};
    if (BESIDE == GROUND)
        return {a.x, a.y, b, a.y};
    return {a.x, a.y, NO_GROUND, -STIXELS_FORBIDDEN}; /* never too near */
}

/* The part of struct row_below that halves need: of lanes, or of the results. */
struct half_below {
    float object, object_top, object_until, beside, ground_top;
};

/* A lane's state of its row and geometry. */
struct half_row {
    float cost, top, clear;
    int v_b;
};

template <enum beside BESIDE>
DEVICE void try_half(const struct half_constants *c, const struct half_candidate *x,
                     const struct half_below *below, int v_b, bool tries, struct half_row *row)
{
    const float limit = c->is_object ? below->object_until : below->object_top;
    const float near =
        fused(c->near_beta, x->x,
              fused(-c->near_beta, below->object_top, below->object + c->near_alpha));
    const float on_object = x->edge > limit ? near : below->object;
    const float step = c->is_object ? x->x : fabsf(below->ground_top - x->x);
    const float lower =
        fused(c->lower_slope, step,
              fused(c->lower_beta, below->ground_top, below->beside + c->lower_alpha));
    const float upper =
        fused(c->upper_slope, step,
              fused(c->upper_beta, below->ground_top, below->beside + c->upper_alpha));
    const float at_ground = x->x < below->ground_top ? lower : below->beside;
    const float on_any = x->x > below->ground_top ? upper : at_ground;
    /* sky is on an object alone */
    const float on_beside = BESIDE == SKY && !c->is_object ? STIXELS_FORBIDDEN : on_any;
    const float energy = x->own + fminf(on_object, on_beside);
    const bool better = tries && energy < row->cost;

    row->cost = better ? energy : row->cost;
    row->top = better ? x->top : row->top;
    row->clear = better ? x->edge : row->clear;
    row->v_b = better ? v_b : row->v_b;
}

/* Rows j = from .. to of the group begin stixels, above finished rows and below all lanes;
 * 'found' has the results of the group. */
template <enum beside BESIDE>
DEVICE void try_finished(const struct half_constants *c, const struct made_candidates *made,
                         const struct found_row *found, int first, int from, int to, int at_row,
                         struct half_row *row)
{
#pragma unroll 4
    for (int j = from; j <= to; j++) {
        const float4 a = found[j - 1].a, b = found[j - 1].b;
        const struct half_below below = {a.x, a.z, a.w, b.x, b.w};
        const struct half_candidate x =
            load_half<BESIDE>(made, made_at(j) + at_row, c->is_object);

        try_half<BESIDE>(c, &x, &below, first + j, true, row);
    }
}

/* Rows j = from .. to of the group begin stixels, each above the one before.  'base': the first
 * row of the lanes. */
template <enum beside BESIDE>
DEVICE void go_in_halves(const struct half_constants *c, const struct made_candidates *made,
                         int first, int base, int from, int to, int at_row,
                         struct half_row *row)
{
    struct half_candidate now;

    if (from > to)
        return;
    now = load_half<BESIDE>(made, made_at(from) + at_row, c->is_object);
#pragma unroll 3
    for (int j = from; j <= to; j++) {
        const int before = j - 1 - base;
        struct half_below below;
        struct half_candidate next;

        below.object = __shfl_sync(ALL_LANES, row->cost, before);
        below.object_top = __shfl_sync(ALL_LANES, row->top, before);
        below.object_until =
            until_of(below.object_top, __shfl_sync(ALL_LANES, row->clear, before));
        below.beside = __shfl_sync(ALL_LANES, row->cost, HALF_WARP + before);
        below.ground_top = __shfl_sync(ALL_LANES, row->top, HALF_WARP + before);
        /* after the last row there are entries, which are not used */
        next = load_half<BESIDE>(made, made_at(j + 1) + at_row, c->is_object);
        try_half<BESIDE>(c, &now, &below, first + j, at_row - base > before, row);
        now = next;
    }
}

/* Does what join_parts() does, for a row and geometry of a lane. */
template <int N_WARPS, int OBJECT_QUADS>
DEVICE struct half_row join_half(const struct column<OBJECT_QUADS> *k, int first, int at_row,
                                 bool is_object)
{
    const int v = first + at_row < k->n_rows ? first + at_row : k->n_rows - 1;
    struct half_row row = {STIXELS_FORBIDDEN, is_object ? 0 : NO_GROUND, 0, 0};

#pragma unroll 4
    for (int i = 0; i < N_WARPS; i++) {
        const float4 found = k->parts[i].found[at_row];
        const float cost = is_object ? found.x : found.y;
        const int v_b = (int)(k->parts[i].v_b[at_row] >> (is_object ? 0 : 16) & 0xFFFF);
        const bool better = cost < row.cost || (cost <= row.cost && v_b < row.v_b);

        row.cost = better ? cost : row.cost;
        row.top = better ? (is_object ? found.z : found.w) : row.top;
        row.v_b = better ? v_b : row.v_b;
    }
    row.clear =
        row.top - stixels_blur_float(&k->c.c, (k->depth[v + 1].a.x - k->depth[row.v_b].a.x) *
                                                  (1.0f / STIXELS_WEIGHT_ONE));
    return row;
}

/* Stores the rows of both halves, from row v on. */
template <int OBJECT_QUADS>
DEVICE void store_halves(const struct column<OBJECT_QUADS> *k, int v,
                         const struct half_row *row)
{
    struct kept_row both;

    both.object = row->cost;
    both.object_top = row->top;
    both.object_clear = row->clear;
    both.object_v_b = row->v_b;
    both.beside = __shfl_xor_sync(ALL_LANES, row->cost, HALF_WARP);
    both.ground_top = __shfl_xor_sync(ALL_LANES, row->top, HALF_WARP);
    both.beside_v_b = __shfl_xor_sync(ALL_LANES, row->v_b, HALF_WARP);
    store_found(k, k->lane < HALF_WARP ? v + k->lane : k->n_rows, &both);
}

/* Finishes the group whose rows from .. end - 1 are in the column, by made candidates. */
template <int N_WARPS, int OBJECT_QUADS>
DEVICE void finish_in_halves(const struct column<OBJECT_QUADS> *k, int group)
{
    const int first = group * STIXELS_WARP;
    const int last = min(STIXELS_WARP, k->n_rows - first) - 1, low = k->horizon - first;
    const bool is_object = k->lane < HALF_WARP;
    const struct half_constants c = half_constants_of(&k->c.c, is_object);
    const struct made_candidates *const made = k->made + (group & 1);

#pragma unroll 1
    for (int base = 0; base <= last; base += HALF_WARP) {
        const int at_row = base + k->lane % HALF_WARP;
        const int end = min(base + HALF_WARP - 1, last);
        struct half_row row = join_half<N_WARPS>(k, first, at_row, is_object);

        if (base > 0) {
            const struct found_row *const found = k->found + first;

            try_finished<GROUND>(&c, made, found, first, 1, min(base, low), at_row, &row);
            try_finished<SKY>(&c, made, found, first, max(1, low + 1), base, at_row, &row);
        }
        go_in_halves<GROUND>(&c, made, first, base, base + 1, min(end, low), at_row, &row);
        go_in_halves<SKY>(&c, made, first, base, max(base + 1, low + 1), end, at_row, &row);
        store_halves(k, first + base, &row);
        __syncwarp();
    }
}

#endif

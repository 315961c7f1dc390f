/*
 * opt_group.cuh - stixels/gpu-opt: the stixels that end in a group of 32 rows
 *
 * Mapping: lane = row of the group; a beginning is the same for all lanes of a warp.
 */
#ifndef STIXELS_OPT_GROUP_CUH
#define STIXELS_OPT_GROUP_CUH

#include "impl_gpu/stixels/opt_candidate.cuh"

/* The data of a column; the arrays are in shared memory. */
template <int OBJECT_QUADS> struct column {
    struct opt_constants c;
    struct depth_row *depth;      /* [n_rows + 1] */
    int4 *semantic;               /* [n_rows + 1][N_QUADS] */
    struct found_row *found;      /* [n_rows] */
    struct made_candidates *made; /* [2], if it MAKES */
    struct row_links *links;      /* [n_rows] */
    /* [groups]; once they are used up, 'parts' has the same memory */
    struct group_sums<places<OBJECT_QUADS>::N_QUADS> *totals;
    struct part *parts; /* [N_WARPS] */
    int n_rows, horizon, lane;

    /* the sums of the classes at row v */
    __device__ __forceinline__ int4 *classes(int v) const
    {
        return semantic + places<OBJECT_QUADS>::N_QUADS * v;
    }
};

/* The candidate from row v_b to the row of this lane. */
template <bool OBJECT, enum beside BESIDE, int OBJECT_QUADS>
DEVICE struct candidate candidate_from(const struct column<OBJECT_QUADS> *k,
                                       const struct high_row<OBJECT_QUADS> *high, int v_b,
                                       float v_b_as_float)
{
    return make_candidate<OBJECT, BESIDE, OBJECT_QUADS>(&k->c, high, &k->depth[v_b],
                                                        k->classes(v_b), v_b_as_float);
}

template <int OBJECT_QUADS>
DEVICE struct high_row<OBJECT_QUADS> load_high(const struct column<OBJECT_QUADS> *k, int v) {
    enum { N_QUADS = places<OBJECT_QUADS>::N_QUADS };
    const int row = v < k->n_rows ? v : k->n_rows - 1;
    const bool may_be_ground = v <= k->horizon && v < k->n_rows - 1;
    struct high_row<OBJECT_QUADS> high;

    high.sums = k->depth[row + 1];
#pragma unroll
    for (int q = 0; q < N_QUADS; q++)
        high.classes[q] = k->classes(row + 1)[q];
    high.v = (float)v;
    high.object = high.sums.a.z + k->c.every[STIXELS_OBJECT];
    high.ground =
        may_be_ground ? high.sums.a.w + k->c.every[STIXELS_GROUND] : STIXELS_FORBIDDEN;
    high.sky = high.sums.a.w + k->c.every[STIXELS_SKY];
    high.a1 = high.sums.b.x - k->c.anchored;
    high.a2 = high.sums.b.y + k->c.a2;
    return high;
}

/* Stands for a row without ground: not a number. */
#define NO_GROUND __int_as_float(0x7FFFFFFF)

/* Disparity and what may be rounding of it (stixels_blur). */
DEVICE float
until_of(float top, float clear)
{
    return fused(2, top, -clear);
}

DEVICE struct kept_row nothing_found(void)
{
    struct kept_row row;

    row.object = row.beside = STIXELS_FORBIDDEN;
    row.object_v_b = row.beside_v_b = 0;
    row.object_top = row.object_clear = 0;
    row.ground_top = NO_GROUND;
    return row;
}

template <int OBJECT_QUADS>
DEVICE void store_found(const struct column<OBJECT_QUADS> *k, int v, const struct kept_row *row)
{
    struct row_below below;
    struct row_links links;

    below.object = row->object;
    below.object_top = row->object_top;
    below.object_until = until_of(row->object_top, row->object_clear);
    below.beside = row->beside;
    below.ground_top = row->ground_top;
    complete(&k->c, &below);
    if (v >= k->n_rows)
        return;
    k->found[v].a =
        make_float4(below.object, below.nearer, below.object_top, below.object_until);
    k->found[v].b = make_float4(below.beside, below.behind, below.hovering, below.ground_top);
    links.to[STIXELS_OBJECT] = (uint16_t)(row->object_v_b << 2);
    links.to[STIXELS_GROUND] = (uint16_t)(v <= k->horizon ? row->beside_v_b << 2 : 0);
    links.to[STIXELS_SKY] = (uint16_t)(v <= k->horizon ? 0 : row->beside_v_b << 2);
    links.spare = 0;
    k->links[v] = links;
}

/* Tries the stixels that begin in rows from .. to, above finished rows and below all lanes. */
template <enum beside BESIDE, int OBJECT_QUADS>
DEVICE void try_beginnings(const struct column<OBJECT_QUADS> *k,
                           const struct high_row<OBJECT_QUADS> *high, int from, int to,
                           struct kept_row *row)
{
    float v_b = (float)from;

#pragma unroll 2
    for (int i = from; i <= to; i++) {
        const struct row_below below = below_of(&k->found[i - 1]);
        const struct candidate x = candidate_from<true, BESIDE>(k, high, i, v_b);

        try_candidate<true, BESIDE>(&k->c, &x, &below, i, true, row);
        v_b += 1;
    }
}

template <int OBJECT_QUADS>
DEVICE void try_part(const struct column<OBJECT_QUADS> *k,
                     const struct high_row<OBJECT_QUADS> *high, int group, int from, int to,
                     struct kept_row *row)
{
    const int lower_to = to < k->horizon ? to : k->horizon;
    const int upper_from = from > k->horizon ? from : k->horizon + 1;

    if (group * STIXELS_WARP <= k->horizon)
        try_beginnings<GROUND>(k, high, from, lower_to, row);
    else
        try_beginnings<NOTHING>(k, high, from, lower_to, row);
    try_beginnings<SKY>(k, high, upper_from, to, row);
}

DEVICE void store_part(struct part *part, int lane, const struct kept_row *row)
{
    part->found[lane] = make_float4(row->object, row->beside, row->object_top, row->ground_top);
    part->v_b[lane] = (uint32_t)(row->object_v_b | row->beside_v_b << 16);
}

/* Joins the results of all warps for row v; the lower of equal beginnings wins. */
template <int N_WARPS, int OBJECT_QUADS>
DEVICE struct kept_row join_parts(const struct column<OBJECT_QUADS> *k, int v)
{
    const int row_or_last = v < k->n_rows ? v : k->n_rows - 1;
    struct kept_row row = nothing_found();

#pragma unroll 4
    for (int i = 0; i < N_WARPS; i++) {
        const float4 found = k->parts[i].found[k->lane];
        const int object_v_b = (int)(k->parts[i].v_b[k->lane] & 0xFFFF);
        const int beside_v_b = (int)(k->parts[i].v_b[k->lane] >> 16);
        const bool object =
            found.x < row.object || (found.x <= row.object && object_v_b < row.object_v_b);
        const bool beside =
            found.y < row.beside || (found.y <= row.beside && beside_v_b < row.beside_v_b);

        row.object = object ? found.x : row.object;
        row.object_top = object ? found.z : row.object_top;
        row.object_v_b = object ? object_v_b : row.object_v_b;
        row.beside = beside ? found.y : row.beside;
        row.ground_top = beside ? found.w : row.ground_top;
        row.beside_v_b = beside ? beside_v_b : row.beside_v_b;
    }
    row.object_clear =
        row.object_top - stixels_blur_float(&k->c.c, (k->depth[row_or_last + 1].a.x -
                                                      k->depth[row.object_v_b].a.x) *
                                                         (1.0f / STIXELS_WEIGHT_ONE));
    return row;
}

/* The result of stixels that begin at the bottom of the column. */
template <int OBJECT_QUADS>
DEVICE struct kept_row from_bottom(const struct column<OBJECT_QUADS> *k,
                                   const struct high_row<OBJECT_QUADS> *high)
{
    struct kept_row row = nothing_found();
    struct candidate x;

    if (k->horizon < 0)
        x = candidate_from<true, SKY>(k, high, 0, 0);
    else
        x = candidate_from<true, GROUND>(k, high, 0, 0);
    row.object = x.own_object;
    row.object_top = x.object;
    row.beside = fminf(x.own_beside, STIXELS_FORBIDDEN);
    row.ground_top = k->horizon >= 0 && row.beside < STIXELS_FORBIDDEN ? x.top : NO_GROUND;
    return row;
}

/* The result of another lane for its row, before complete(). */
DEVICE struct row_below row_of(const struct kept_row *row, int lane)
{
    struct row_below below;

    below.object = __shfl_sync(ALL_LANES, row->object, lane);
    below.object_top = __shfl_sync(ALL_LANES, row->object_top, lane);
    below.object_until =
        until_of(below.object_top, __shfl_sync(ALL_LANES, row->object_clear, lane));
    below.beside = __shfl_sync(ALL_LANES, row->beside, lane);
    below.ground_top = __shfl_sync(ALL_LANES, row->ground_top, lane);
    return below;
}

/* Tries the stixels that begin in rows from .. to of the group whose first row is 'first', row
 * by row: each row depends on the result of the one before.  While lanes wait for it, they
 * compute the candidates of the next beginning. */
template <enum beside BESIDE, int OBJECT_QUADS>
DEVICE void go_through(const struct column<OBJECT_QUADS> *k,
                       const struct high_row<OBJECT_QUADS> *high, int first, int from, int to,
                       struct kept_row *row)
{
    float v_b = (float)from;
    struct candidate now;

    if (from > to)
        return;
    now = make_candidate<true, BESIDE, OBJECT_QUADS>(&k->c, high, &k->depth[from],
                                                     k->classes(from), v_b);
#pragma unroll 2
    for (int i = from; i <= to; i++) {
        const int before = i - 1 - first;
        struct row_below below;
        struct candidate next;

        below = row_of(row, before);
        complete(&k->c, &below);
        v_b += 1;
        /* after the last row there is an entry n_rows, whose candidate is not used */
        next = make_candidate<true, BESIDE, OBJECT_QUADS>(&k->c, high, &k->depth[i + 1],
                                                          k->classes(i + 1), v_b);
        try_candidate<true, BESIDE>(&k->c, &now, &below, i, k->lane > before, row);
        now = next;
    }
}

/* Computes the candidates that begin in rows from .. to of the group that begins at 'first'. */
template <enum beside BESIDE, int OBJECT_QUADS>
DEVICE void make_some(const struct column<OBJECT_QUADS> *k,
                      const struct high_row<OBJECT_QUADS> *high, struct made_candidates *made,
                      int first, int from, int to)
{
#pragma unroll 2
    for (int v_b = from; v_b <= to; v_b++) {
        const struct candidate x = candidate_from<true, BESIDE>(k, high, v_b, (float)v_b);
        const int at = made_at(v_b - first) + k->lane;

        if (k->lane >= v_b - first) {
            made->a[at] = make_float4(x.own_object, x.object, x.own_beside, x.bottom);
            made->b[at] = make_float2(x.clear, x.top);
        }
    }
}

/* Computes part i of N_WARPS - 1 of the candidates that begin in a group. */
template <int N_WARPS, int OBJECT_QUADS>
DEVICE void make_part(const struct column<OBJECT_QUADS> *k,
                      const struct high_row<OBJECT_QUADS> *high, int group, int i)
{
    const int first = group * STIXELS_WARP;
    const int n = first + STIXELS_WARP < k->n_rows ? STIXELS_WARP - 1 : k->n_rows - 1 - first;
    const int from = first + 1 + n * i / (N_WARPS - 1);
    const int to = first + n * (i + 1) / (N_WARPS - 1);
    struct made_candidates *const made = k->made + (group & 1);

    make_some<GROUND>(k, high, made, first, from, to < k->horizon ? to : k->horizon);
    make_some<SKY>(k, high, made, first, from > k->horizon ? from : k->horizon + 1, to);
}

DEVICE struct candidate load_made(const struct made_candidates *made, int at)
{
    const float4 a = made->a[at]; /* lanes below j read an entry that they do not use */
    const float2 b = made->b[at];

    return {a.x, a.y, b.x, a.z, a.w, b.y};
}

/* Does what go_through does, with candidates that were computed in advance. */
template <enum beside BESIDE, int OBJECT_QUADS>
DEVICE void go_through_made(const struct column<OBJECT_QUADS> *k,
                            const struct made_candidates *made, int first, int from, int to,
                            struct kept_row *row)
{
    int at = made_at(from - first) + k->lane, length = STIXELS_WARP - (from - first) - 1;
    struct candidate now;

    if (from > to)
        return;
    now = load_made(made, at);
#pragma unroll 2
    for (int i = from; i <= to; i++) {
        const int before = i - 1 - first;
        struct candidate next;
        struct row_below below;

        below = row_of(row, before);
        at += length;
        length--;
        next = load_made(made, at < N_MADE ? at : N_MADE); /* unused after the last */
        complete(&k->c, &below);
        try_candidate<true, BESIDE>(&k->c, &now, &below, i, k->lane > before, row);
        now = next;
    }
}

template <int N_WARPS, bool MAKES, int OBJECT_QUADS>
DEVICE void finish_group(const struct column<OBJECT_QUADS> *k, int group)
{
    const int first = group * STIXELS_WARP, v = first + k->lane;
    const int end = first + STIXELS_WARP < k->n_rows ? first + STIXELS_WARP - 1 : k->n_rows - 1;
    const int lower_to = end < k->horizon ? end : k->horizon;
    const int upper_from = first + 1 > k->horizon ? first + 1 : k->horizon + 1;
    struct kept_row row = join_parts<N_WARPS>(k, v);

    if (MAKES) {
        const struct made_candidates *const made = k->made + (group & 1);

        go_through_made<GROUND>(k, made, first, first + 1, lower_to, &row);
        go_through_made<SKY>(k, made, first, upper_from, end, &row);
    } else {
        const struct high_row<OBJECT_QUADS> high = load_high(k, v);

        go_through<GROUND>(k, &high, first, first + 1, lower_to, &row);
        go_through<SKY>(k, &high, first, upper_from, end, &row);
    }
    store_found(k, v, &row);
}

#endif

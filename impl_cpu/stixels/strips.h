/*
 * strips.h - the dynamic programming over one column in vectors, for arith = float and eq. 12
 *
 * Source: [STX] eq. 8, 9 and 12.  A strip is one end of a stixel on a fixed row and the other
 *         on each of up to STRIP rows, at once:
 *         - The loops are turned round as on the GPU (sect. 4.4, option B).  What is beyond the
 *           fixed row is final, and the same for all of the strip.
 *         - Only energies, disparities and ends are kept; semantic class, plane and the
 *           geometry beyond are found again for the few stixels of the result.
 *         - The semantic sums are read class by class and stay in the first cache.
 *         Rows may be runs of rows that no stixel cuts (cells_of): of a row are read sums over
 *         the rows before it, and its number (column.cut).
 *         Bottom up, the fixed row is the bottom one, and tops come in groups of STRIP rows: a
 *         bottom row that cannot begin a stixel of a later group any more is dropped after its
 *         group (prune = proved; bound.h has the bound and its proof).
 */
#ifndef STIXELS_STRIPS_H
#define STIXELS_STRIPS_H

#include "harness/problems/stixels/bound.h"
#include "impl_cpu/stixels/column.h"

#define STRIP (2 * PADDING)

/* n, a multiple of PADDING: compilers see no remainder, and no constant to unroll. */
static inline int whole_vectors(int n)
{
    __asm__("" : "+r"(n));
    return n / PADDING * PADDING;
}

/* The cheapest class of geometry g from the fixed row to each of n rows from 'from', or 0. */
static inline void strip_semantics(const struct column *c, const int down, int g, int fixed,
                                   int from, int n, int32_t *restrict cheapest)
{
    const int first = c->first_of[g], end = c->first_of[g + 1];
    const size_t stride = c->stride;
    const int32_t *at = semantic_sums(c, first) + from + !down;

#define FOUR(X) X(0) X(1) X(2) X(3)
#define SUMS(j)                                            \
    const int32_t *restrict const at##j = at + j * stride; \
    const int32_t beyond##j = at##j[fixed + down - from - !down];
#define LEAST(j)                                                                \
    const int32_t cost##j = down ? beyond##j - at##j[i] : at##j[i] - beyond##j; \
    least = cost##j < least ? cost##j : least;
    n = whole_vectors(n);
    for (int i = 0; i < n; i++)
        cheapest[i] = first < end ? INT32_MAX : 0;
    for (int k = first; k < end; k += 4, at += 4 * stride) {
        FOUR(SUMS);
        n = whole_vectors(n); /* else gcc takes two fours at a time, gathering */
        for (int i = 0; i < n; i++) {
            int32_t least = cheapest[i];

            FOUR(LEAST);
            cheapest[i] = least;
        }
    }
#undef SUMS
#undef LEAST
#undef FOUR
}

/* The segmentations beyond a strip's fixed row, as far as it needs them. */
struct beyond {
    float cost[STIXELS_N_GEOMETRIES], edge[STIXELS_N_GEOMETRIES];
    float blur; /* of the object */
    int is_end; /* the fixed row is the column's last one: there are none */
};

static inline struct beyond beyond_of(const struct column *c,
                                      const struct stixels_constants_float *k, int row)
{
    struct beyond beyond = {.is_end = row < 0 || row >= c->n_rows};
    const int end = beyond.is_end ? 0 : c->end[STIXELS_OBJECT][row];

    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        beyond.cost[g] = beyond.is_end ? 0 : c->best_float.cost[g][row];
        beyond.edge[g] = beyond.is_end ? 0 : c->best_float.edge[g][row];
    }
    if (!beyond.is_end)
        beyond.blur = stixels_blur_float(k, end < row ? column_weight(c, end, row)
                                                      : column_weight(c, row, end));
    return beyond;
}

/* stixels_link(), or 'down' the same turned over.  The stixel's row next to the best ones is at
 * d px (0 if nothing of it is measured), its weight is s0.  What is impossible costs
 * STIXELS_FORBIDDEN, which no sum gets below. */
static inline __attribute__((always_inline)) float
link_strip(const struct stixels_constants_float *k, const int down, const int g, float own,
           float d, float s0, const struct beyond *beyond)
{
    float best = STIXELS_FORBIDDEN;

    for (int other = 0; other < STIXELS_N_GEOMETRIES; other++) {
        float energy, step = down ? d - beyond->edge[other] : beyond->edge[other] - d;
        int allowed;

        if (!(down ? stixels_may_follow(g, other) : stixels_may_follow(other, g)))
            continue;
        if (g == STIXELS_OBJECT && other == STIXELS_OBJECT)
            step = stixels_step_float(k, step, beyond->blur, down && !(s0 > 0) ? 1e6f : s0);
        energy =
            stixels_transition_float(k, down ? g : other, down ? other : g, step, &allowed);
        energy = own + energy + beyond->cost[other];
        best = (allowed & (energy < best)) ? energy : best;
    }
    return best;
}

/* Try the stixels of geometry g between row 'fixed' and each of n rows from 'from', a multiple
 * of PADDING; those from 'end' on stay as they are.  own: [n], the stixels' own costs.  All but
 * 'fixed', 'from', n and 'end' are constants here; is_cut: rows are runs of rows. */
static inline __attribute__((always_inline)) void
try_strip(const struct column *c, const struct stixels_constants_float *k, const int is_cut,
          const int down, const int own_sigma, const int is_end, const int g, int fixed,
          int from, int n, int end, float *restrict own)
{
    const struct float_sums *const sums = &c->float_sums;
#define AT(name) const float *restrict const name = sums->name + from + !down;
    FLOAT_SUMS(AT)
#undef AT
#define FIXED(name) .name = sums->name[fixed + down],
    const struct stixels_moments_float other = {FLOAT_SUMS(FIXED)};
#undef FIXED
    const struct beyond beyond = beyond_of(c, k, down ? fixed + 1 : fixed - 1);
    const int32_t *restrict const n_valid = c->n_valid + from + !down;
    const int32_t n_valid_other = c->n_valid[fixed + down];
    const int32_t *restrict const cut = c->cut + from + !down;
    const int32_t cut_other = c->cut[fixed + down];
    const int row_other = is_cut ? cut_other - down : fixed;
    const float *restrict const road = c->road_sigma2 + (down ? from : fixed);
    float *restrict const cost = c->best_float.cost[g] + from;
    float *restrict const edge = c->best_float.edge[g] + from;
    int32_t *restrict const other_end = c->end[g] + from;
    int32_t semantic[STRIP];

    n = whole_vectors(n);
    strip_semantics(c, down, g, fixed, from, n, semantic);
#pragma omp simd
    for (int i = 0; i < n; i++) {
        const int slot = from + i;
        const int row = is_cut ? cut[i] - !down : slot;
        const int n_rows = down ? row_other + 1 - row : row + 1 - row_other;
        const int valid = down ? n_valid_other - n_valid[i] : n_valid[i] - n_valid_other;
#define BETWEEN(name) .name = down ? other.name - name[i] : name[i] - other.name,
        const struct stixels_moments_float m = {FLOAT_SUMS(BETWEEN).origin = k->origin,
                                                .centre = STIXELS_CENTRE_PX};
#undef BETWEEN
        struct stixels_plane_float plane = {0, 0};
        float energy, link;
        int better;

        if (g == STIXELS_GROUND) /* not fit_float(), which hides from vectors what it does */
            plane = stixels_fit_ground_float(k, &m, &energy);
        else if (g == STIXELS_OBJECT)
            plane = stixels_fit_object_float(k, &m, &energy);
        else
            energy = m.sky * k->inverse_sigma2[STIXELS_SKY];
        if (own_sigma && g == STIXELS_GROUND)
            energy /= road[down ? i : 0];
        if (own_sigma && g == STIXELS_OBJECT)
            energy /= sigma2_float(c, STIXELS_OBJECT, 0, plane.a);
        energy = stixels_own_float(k, g, energy, valid, n_rows - valid, (float)semantic[i]);
        link = is_end ? energy
                      : link_strip(k, down, g, energy, stixels_at_float(plane, row_other), m.s0,
                                   &beyond);
        better = (link < cost[i]) & (slot < end);
        own[i] = energy;
        edge[i] = better ? stixels_at_float(plane, row) : edge[i];
        other_end[i] = better ? fixed : other_end[i];
        cost[i] = better ? link : cost[i];
    }
}

/* ---- bottom up: tops in groups, after each of which bottom rows are dropped ---- */

/* The last row, or run of rows, that is not above the horizon. */
static inline int horizon_of(const struct column *c)
{
    int n = 0;

    while (n < c->n_cuts && c->cut[n + 1] <= c->model->horizon + 1)
        n++;
    return n - 1;
}

/* The bottom rows that can still begin a stixel, ascending.  'bound' is a lower bound of a
 * stixel's cost: its bottom is that row, its top the group's last row. */
struct alive {
    int n;
    int16_t row[STIXELS_MAX_ROWS];
    float bound[STIXELS_MAX_ROWS];
};

/* The least that a stixel of geometry g with bottom row v_b is put on. */
static inline float least_below(const struct column *c, int g, int v_b)
{
    float least = STIXELS_FORBIDDEN;

    for (int lower = 0; v_b > 0 && lower < STIXELS_N_GEOMETRIES; lower++)
        if (stixels_may_follow(lower, g))
            least = fminf(least, c->best_float.cost[lower][v_b - 1]);
    return v_b > 0 ? least : 0;
}

/* The least that the prior adds to the ground of rows v_b .. v_t. */
static inline float prior_between(const struct column *c,
                                  const struct stixels_constants_float *k, int v_b, int v_t)
{
    const struct stixels_moments_float m = column_moments_float(c, k, v_b, v_t);

    return stixels_cost_of_prior(k, m.s0, m.s1, m.s2, m.r0, m.r1);
}

/* Drop the beginnings that cannot win on any row above v, the last row of their group. */
static inline void drop_beginnings(const struct column *c,
                                   const struct stixels_constants_float *k, int g, int v,
                                   float most, struct alive *alive)
{
    const struct float_sums *const s = &c->float_sums;
    const float *const depth = g == STIXELS_OBJECT   ? s->object
                               : g == STIXELS_GROUND ? s->ground
                                                     : s->sky;
    float cost[STIXELS_N_GEOMETRIES], edge[STIXELS_N_GEOMETRIES];

    for (int lower = 0; lower < STIXELS_N_GEOMETRIES; lower++) {
        cost[lower] = c->best_float.cost[lower][v];
        edge[lower] = c->best_float.edge[lower][v];
    }

    const float next = g == STIXELS_OBJECT   ? stixels_most_on(k, cost, edge, 0, most)
                       : g == STIXELS_GROUND ? cost[STIXELS_GROUND] + k->gap_alpha
                                             : cost[STIXELS_OBJECT];
    const float bound =
        next + k->plane[g] + k->beta_mc +
        STIXELS_BOUND_ROUNDING * (fabsf(next) + depth[c->n_rows] * k->inverse_sigma2[g] + 1);
    int n = 0;

    for (int i = 0; i < alive->n; i++) {
        alive->row[n] = alive->row[i];
        n += !(alive->bound[i] > bound);
    }
    alive->n = n;
}

/* Try the tops 'from' .. 'end' - 1 with bottom row v_b, and return its bound (struct alive). */
static inline __attribute__((always_inline)) float
try_beginning(const struct column *c, const struct stixels_constants_float *k, const int is_cut,
              const int g, int v_b, int from, int end)
{
    const int n = (end - from + PADDING - 1) / PADDING * PADDING;
    float own[STRIP], bound;

    if (v_b == 0)
        try_strip(c, k, is_cut, 0, 0, 1, g, v_b, from, n, end, own);
    else
        try_strip(c, k, is_cut, 0, 0, 0, g, v_b, from, n, end, own);
    bound = own[end - 1 - from] + least_below(c, g, v_b);
    return g == STIXELS_GROUND ? bound - prior_between(c, k, v_b, end - 1) : bound;
}

/* The same with each bottom row that is alive. */
static inline __attribute__((always_inline)) void
try_alive(const struct column *c, const struct stixels_constants_float *k, const int is_cut,
          const int g, struct alive *alive, int from, int end)
{
    const struct stixels_constants_float here = *k; /* in registers: no store may change it */

    for (int i = 0; from < end && i < alive->n; i++)
        alive->bound[i] = try_beginning(c, &here, is_cut, g, alive->row[i], from, end);
}

/* The same with one more. */
static inline __attribute__((always_inline)) void
try_new(const struct column *c, const struct stixels_constants_float *k, const int is_cut,
        const int g, struct alive *alive, int v_b, int end)
{
    if (v_b >= end)
        return;
    alive->row[alive->n] = (int16_t)v_b;
    alive->bound[alive->n++] = try_beginning(c, k, is_cut, g, v_b, v_b, end);
}

static inline __attribute__((always_inline)) void
fill_up(struct column *c, struct stixels_constants_float k, const int is_cut, int is_pruned)
{
    const int n_rows = c->n_rows, horizon = horizon_of(c);
    const int ground_last = horizon < n_rows - 2 ? horizon : n_rows - 2;
    const int drops[] = {is_pruned, is_pruned && stixels_may_drop_grounds(&k), is_pruned};
    struct alive alive[STIXELS_N_GEOMETRIES];

    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        alive[g].n = 0;
    for (int from = 0, end; from < n_rows; from = end) {
        int ground_end;

        end = from + STRIP < n_rows ? from + STRIP : n_rows;
        ground_end = ground_last + 1 < end ? ground_last + 1 : end;
        try_alive(c, &k, is_cut, STIXELS_OBJECT, &alive[STIXELS_OBJECT], from, end);
        try_alive(c, &k, is_cut, STIXELS_GROUND, &alive[STIXELS_GROUND], from, ground_end);
        try_alive(c, &k, is_cut, STIXELS_SKY, &alive[STIXELS_SKY], from, end);
        for (int v_b = from; v_b < end; v_b++) {
            try_new(c, &k, is_cut, STIXELS_OBJECT, &alive[STIXELS_OBJECT], v_b, end);
            try_new(c, &k, is_cut, STIXELS_GROUND, &alive[STIXELS_GROUND], v_b, ground_end);
            if (v_b > horizon)
                try_new(c, &k, is_cut, STIXELS_SKY, &alive[STIXELS_SKY], v_b, end);
        }
        for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
            if (drops[g])
                drop_beginnings(c, &k, g, end - 1, c->most_px[end], &alive[g]);
    }
}

/* ---- top down, and models with a deviation of each stixel: every stixel is tried ---- */

static inline __attribute__((always_inline)) void
try_rows(const struct column *c, const struct stixels_constants_float *k, const int is_cut,
         const int down, const int own_sigma, const int is_end, const int g, int fixed,
         int from, int end)
{
    for (float own[STRIP]; from < end; from += STRIP) {
        const int left = (end - from + PADDING - 1) / PADDING * PADDING;

        try_strip(c, k, is_cut, down, own_sigma, is_end, g, fixed, from,
                  left < STRIP ? left : STRIP, end, own);
    }
}

static inline __attribute__((always_inline)) void
fill_down(struct column *c, struct stixels_constants_float k, const int is_cut, int is_pruned)
{
    (void)is_pruned;
    const int n_rows = c->n_rows, horizon = horizon_of(c);
    const int own_sigma = c->model->sigma_rule == STIXELS_SIGMA_STIXEL;

    for (int v_t = n_rows - 1; v_t >= 0; v_t--) {
        const int is_end = v_t == n_rows - 1;

        try_rows(c, &k, is_cut, 1, own_sigma, is_end, STIXELS_OBJECT, v_t, 0, v_t + 1);
        if (v_t <= horizon && !is_end)
            try_rows(c, &k, is_cut, 1, own_sigma, 0, STIXELS_GROUND, v_t, 0, v_t + 1);
        try_rows(c, &k, is_cut, 1, own_sigma, is_end, STIXELS_SKY, v_t, horizon + 1, v_t + 1);
    }
}

static inline int strips_take(const struct stixels_model *model)
{
    return model->data_term == STIXELS_E12 && !model->flat && model->prior == STIXELS_LINEAR &&
           !model->own_log_z &&
           (model->direction == STIXELS_TOP_DOWN || model->sigma_rule == STIXELS_SIGMA_CLASS);
}

/* ---- runs of rows that are not cut ---- */

/* Makes 'cells' a column whose rows are the runs of rows between the cuts of c. */
static inline void cells_of(const struct column *c, struct column *cells)
{
    cells->model = c->model;
    cells->n_rows = cells->n_cuts = c->n_cuts;
    memcpy(cells->first_of, c->first_of, sizeof c->first_of);
    for (int i = 0; i <= c->n_cuts; i++) {
        const int v = c->cut[i];

        cells->cut[i] = v;
        cells->n_valid[i] = c->n_valid[v];
        cells->most_px[i] = c->most_px[v];
        cells->road_sigma2[i] = c->road_sigma2[v];
#define GATHER(name) cells->float_sums.name[i] = c->float_sums.name[v];
        FLOAT_SUMS(GATHER)
#undef GATHER
    }
    for (int k = 0; k < c->first_of[STIXELS_N_GEOMETRIES]; k++)
        for (int i = 0; i <= c->n_cuts; i++)
            cells->semantic[(size_t)k * cells->stride + (size_t)i] =
                semantic_sums(c, k)[c->cut[i]];
}

/* Puts what was found of runs of rows at the rows where they end. */
static inline void spread_cells(const struct column *cells, const int down, struct column *c)
{
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        for (int i = 0; i < cells->n_rows; i++) {
            const int slot = cells->cut[i + !down] - !down;

            c->best_float.cost[g][slot] = cells->best_float.cost[g][i];
            c->best_float.edge[g][slot] = cells->best_float.edge[g][i];
            c->end[g][slot] = cells->cut[cells->end[g][i] + down] - down;
        }
}

/* Each in a function of its own, which compilers turn into vectors. */
#define FILL(way, is_cut)                                                  \
    static __attribute__((noinline)) void fill_##way##_##is_cut(           \
        struct column *c, struct stixels_constants_float k, int is_pruned) \
    {                                                                      \
        fill_##way(c, k, is_cut, is_pruned);                               \
    }
FILL(up, 0)
FILL(up, 1)
FILL(down, 0)
FILL(down, 1)
#undef FILL

/* Segment the loaded column; c->found has its stixels from the top down.  Returns how many.
 * 'cells': room where the column may be cut at some rows alone, else NULL. */
static int strips_segment(struct column *c, struct column *cells, int is_pruned)
{
    struct stixels_constants_float k = stixels_constants_of_float(c->model, c->n_rows);
    const int down = c->model->direction == STIXELS_TOP_DOWN;
    struct column *const filled = cells ? cells : c;

    if (c->model->sigma_rule == STIXELS_SIGMA_STIXEL)
        k.inverse_sigma2[STIXELS_OBJECT] = k.inverse_sigma2[STIXELS_GROUND] = 1;
    if (cells)
        cells_of(c, cells);
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        for (int v = 0; v < filled->n_rows; v++)
            filled->best_float.cost[g][v] = STIXELS_FORBIDDEN;
    if (cells && down)
        fill_down_1(cells, k, 0);
    else if (cells)
        fill_up_1(cells, k, is_pruned);
    else if (down)
        fill_down_0(c, k, 0);
    else
        fill_up_0(c, k, is_pruned);
    if (cells)
        spread_cells(cells, down, c);
    return backtrack_float(c, &k, down);
}

#endif

/*
 * column.cuh - summed area tables, dynamic programming and backtracking of one column in one block, as [STX] has them
 *
 * Source:  [STX] sect. 4.3-4.5 and Fig. 5; gpu-paper runs it for eq. 12, gpu-cubic for eq. 6.
 * Mapping: blockIdx.x = column of all frames, threadIdx.x = row v, rounded up to whole warps.
 * Shared:  the tables, (n_rows + 1) entries each, v = 0 first and before all rows; after the last step the index table
 *          lies over them.
 * Work:    n_rows steps; in step v_b the threads v >= v_b try the stixels v_b .. v.
 */
#ifndef STIXELS_COLUMN_CUH
#define STIXELS_COLUMN_CUH

#include "harness/problems/stixels_float.h"
#include "impl_gpu/stixels/frame.cuh"

#define MAX_WARPS 32

/* The two number types: what they are made of and the forms of stixels_fit.h for each. */
template <typename REAL> struct forms;

template <> struct forms<double> {
    typedef struct stixels_constants_double constants;
    typedef struct stixels_moments_double moments;
    typedef struct stixels_plane_double plane;
    typedef uint16_t element;  /* of planes and blocks */
    typedef int64_t sum;       /* of the depth tables */
    typedef int64_t unrounded; /* the same while they are summed up */
    typedef int32_t semantic;  /* of the semantic tables, 1/1024 nat */
    enum { N_SUMS = 6 };       /* s0 s1 s2 t0 t1 u */
};

template <> struct forms<float> {
    typedef struct stixels_constants_float constants;
    typedef struct stixels_moments_float moments;
    typedef struct stixels_plane_float plane;
    typedef float element;
    typedef float sum;
    typedef double unrounded;
    typedef float semantic;
    enum {
        N_SUMS = 8
    }; /* s0 s1 s2 r0 r1 and the three of the depth energies: object, ground, sky */
};

static __device__ __forceinline__ struct stixels_plane_double
fit_ground(const struct stixels_constants_double *c, const struct stixels_moments_double *m,
           double *energy)
{
    return stixels_fit_ground_double(c, m, energy);
}

static __device__ __forceinline__ struct stixels_plane_float
fit_ground(const struct stixels_constants_float *c, const struct stixels_moments_float *m,
           float *energy)
{
    return stixels_fit_ground_float(c, m, energy);
}

static __device__ __forceinline__ struct stixels_plane_double
fit_object(const struct stixels_constants_double *c, const struct stixels_moments_double *m,
           double *energy)
{
    return stixels_fit_object_double(c, m, energy);
}

static __device__ __forceinline__ struct stixels_plane_float
fit_object(const struct stixels_constants_float *c, const struct stixels_moments_float *m,
           float *energy)
{
    return stixels_fit_object_float(c, m, energy);
}

static __device__ __forceinline__ double plane_at(struct stixels_plane_double plane, int v)
{
    return stixels_at_double(plane, v);
}

static __device__ __forceinline__ float plane_at(struct stixels_plane_float plane, int v)
{
    return stixels_at_float(plane, v);
}

static __device__ __forceinline__ double plane_prior(const struct stixels_constants_double *c,
                                                     struct stixels_plane_double plane)
{
    return stixels_plane_prior_double(c, plane);
}

static __device__ __forceinline__ float plane_prior(const struct stixels_constants_float *c,
                                                    struct stixels_plane_float plane)
{
    return stixels_plane_prior_float(c, plane);
}

static __device__ __forceinline__ double own_energy(const struct stixels_constants_double *c,
                                                    int g, double depth, int n_valid,
                                                    int n_invalid, double semantic)
{
    return stixels_own_double(c, g, depth, n_valid, n_invalid, semantic);
}

static __device__ __forceinline__ float own_energy(const struct stixels_constants_float *c,
                                                   int g, float depth, int n_valid,
                                                   int n_invalid, float semantic)
{
    return stixels_own_float(c, g, depth, n_valid, n_invalid, semantic);
}

static __device__ __forceinline__ double link_energy(const struct stixels_constants_double *c,
                                                     int g, double own, double d_bottom,
                                                     const double *cost, const double *top,
                                                     int *below)
{
    return stixels_link_double(c, g, own, d_bottom, cost, top, below);
}

static __device__ __forceinline__ float link_energy(const struct stixels_constants_float *c,
                                                    int g, float own, float d_bottom,
                                                    const float *cost, const float *top,
                                                    int *below)
{
    return stixels_link_float(c, g, own, d_bottom, cost, top, below);
}

/* ---- the tables of a column ---- */

template <typename REAL> struct tables {
    int stride;                               /* n_rows + 1 */
    typename forms<REAL>::sum *sum;           /* [forms<REAL>::N_SUMS][stride] */
    typename forms<REAL>::semantic *semantic; /* [n_classes][stride] */
    int32_t *n_valid;                         /* [stride] */
    REAL *w, *px; /* [n_rows], eq. 6 alone: weight 0..1, -1 where nothing is measured; px */
};

/* Bytes that the tables of a column take; a multiple of 8. */
template <typename REAL, bool ROWS>
static __host__ __device__ inline size_t tables_bytes(int n_rows, int n_classes)
{
    const size_t n = (size_t)n_rows + 1;
    const size_t bytes = n * (forms<REAL>::N_SUMS * sizeof(typename forms<REAL>::sum) +
                              (size_t)n_classes * sizeof(typename forms<REAL>::semantic) +
                              sizeof(int32_t) + (ROWS ? 2 * sizeof(REAL) : 0));

    return (bytes + 15) / 16 * 16;
}

/* One row of the index table, as it is written for backtracking. */
template <typename REAL> struct index_row {
    REAL cost[STIXELS_N_GEOMETRIES];
    float a[STIXELS_N_GEOMETRIES], b[STIXELS_N_GEOMETRIES];
    uint16_t v_b[STIXELS_N_GEOMETRIES];
    uint8_t below[STIXELS_N_GEOMETRIES], semantic[STIXELS_N_GEOMETRIES];
};

template <typename REAL, bool ROWS>
static __device__ __forceinline__ struct tables<REAL> tables_at(void *memory, int n_rows,
                                                                int n_classes) {
    const size_t n = (size_t)n_rows + 1;
    struct tables<REAL> t;
    char *at = (char *)memory;

    t.stride = n_rows + 1;
    t.sum = (typename forms<REAL>::sum *)at;
    at += forms<REAL>::N_SUMS * n * sizeof(typename forms<REAL>::sum);
    t.w = t.px = NULL;
    if (ROWS) {
        t.w = (REAL *)at;
        t.px = t.w + n;
        at += 2 * n * sizeof(REAL);
    }
    t.semantic = (typename forms<REAL>::semantic *)at;
    at += (size_t)n_classes * n * sizeof(typename forms<REAL>::semantic);
    t.n_valid = (int32_t *)at;
    return t;
}

/* The look-up values of row v [STX 4.3, step 2], at entry v + 1. */
static __device__ __forceinline__ void
load_row(const struct tables<double> *t, const struct stixels_model *model,
         const struct stixels_constants_double *, const uint16_t *column, size_t plane_stride,
         int v)
{
    const uint16_t d = column[v];
    const bool valid = d != STIXELS_INVALID;
    const int32_t w =
        valid ? stixels_weight(column[plane_stride + (size_t)v], model->weight_squared) : 0;
    const int32_t px = valid ? d : 0;
    struct stixels_sums row = {0, 0, 0, 0, 0, 0};

    stixels_add_row(&row, w, px, v);
    t->sum[v + 1] = row.s0;
    t->sum[t->stride + v + 1] = row.s1;
    t->sum[2 * t->stride + v + 1] = row.s2;
    t->sum[3 * t->stride + v + 1] = row.t0;
    t->sum[4 * t->stride + v + 1] = row.t1;
    t->sum[5 * t->stride + v + 1] = row.u;
    t->n_valid[v + 1] = valid;
    if (t->w) {
        t->w[v] = valid ? (double)w * (1.0 / STIXELS_WEIGHT_ONE) : -1;
        t->px[v] = (double)px * (1.0 / 256);
    }
    for (int k = 0; k < model->n_classes; k++)
        t->semantic[k * t->stride + v + 1] =
            stixels_semantic_cost(column[(size_t)(2 + k) * plane_stride + (size_t)v]);
}

static __device__ __forceinline__ void load_row(const struct tables<float> *t,
                                                const struct stixels_model *model,
                                                const struct stixels_constants_float *c,
                                                const float *column, size_t plane_stride, int v)
{
    const float d = column[v], c8 = column[plane_stride + (size_t)v];
    const float confidence = c8 * (1.0f / 255);
    const bool valid = d >= 0;
    const float w = valid ? (model->weight_squared ? confidence * confidence : confidence) : 0;
    const float px = valid ? d * (1.0f / 256) : 0;
    const struct stixels_float_row row = stixels_float_row_of(c, model->horizon, w, px, v);

    t->sum[v + 1] = row.s0;
    t->sum[t->stride + v + 1] = row.s1;
    t->sum[2 * t->stride + v + 1] = row.s2;
    t->sum[3 * t->stride + v + 1] = row.r0;
    t->sum[4 * t->stride + v + 1] = row.r1;
    t->sum[5 * t->stride + v + 1] = row.object;
    t->sum[6 * t->stride + v + 1] = row.ground;
    t->sum[7 * t->stride + v + 1] = row.sky;
    t->n_valid[v + 1] = valid;
    if (t->w) {
        t->w[v] = valid ? w : -1;
        t->px[v] = px;
    }
    for (int k = 0; k < model->n_classes; k++)
        t->semantic[k * t->stride + v + 1] =
            -1024.0f *
            logf(fmaxf(column[(size_t)(2 + k) * plane_stride + (size_t)v] * (1.0f / 65535),
                       1e-6f));
}

/* Entry 0 of every table: before all rows. */
template <typename REAL>
static __device__ __forceinline__ void clear_first(const struct tables<REAL> *t, int n_classes)
{
    for (int i = 0; i < forms<REAL>::N_SUMS; i++)
        t->sum[i * t->stride] = 0;
    for (int k = 0; k < n_classes; k++)
        t->semantic[k * t->stride] = 0;
    t->n_valid[0] = 0;
}

/* ---- prefix sums [STX 4.3, step 3] ---- */

/* Inclusive sum over the lanes of a warp. */
template <typename T> static __device__ __forceinline__ T warp_sum(T x, int lane)
{
    for (int offset = 1; offset < STIXELS_WARP; offset *= 2) {
        const T other = __shfl_up_sync(ALL_LANES, x, (unsigned)offset);

        if (lane >= offset)
            x += other;
    }
    return x;
}

/* scan = warp: one warp sums a table, 32 entries at a time, in numbers of type SUM. */
template <typename SUM, typename T>
static __device__ __forceinline__ void scan_by_warp(T *table, int n, int lane)
{
    SUM before = 0;

    for (int base = 0; base < n; base += STIXELS_WARP) {
        const int i = base + lane;
        const SUM sum = warp_sum(i < n ? (SUM)table[i] : (SUM)0, lane) + before;

        if (i < n)
            table[i] = (T)sum;
        before = __shfl_sync(ALL_LANES, sum, STIXELS_WARP - 1);
    }
}

/* scan = block: all threads sum a table, an entry each; 'totals' [MAX_WARPS] is shared. */
template <typename SUM, typename T>
static __device__ __forceinline__ void scan_by_block(T *table, int n, SUM *totals)
{
    const int i = (int)threadIdx.x, lane = i % STIXELS_WARP, warp = i / STIXELS_WARP;
    SUM sum = warp_sum(i < n ? (SUM)table[i] : (SUM)0, lane);

    if (lane == STIXELS_WARP - 1)
        totals[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        sum += totals[w];
    if (i < n)
        table[i] = (T)sum;
    __syncthreads();
}

template <typename REAL>
static __device__ __forceinline__ void scan_tables(const struct tables<REAL> *t, int n_classes,
                                                   int n_rows, bool by_block, void *totals)
{
    typedef typename forms<REAL>::unrounded sum_type;
    typedef typename forms<REAL>::semantic semantic_type;
    const int n_sums = forms<REAL>::N_SUMS, n_tables = n_sums + n_classes + 1;
    const int lane = (int)threadIdx.x % STIXELS_WARP;

    if (by_block) {
        for (int i = 0; i < n_sums; i++)
            scan_by_block(t->sum + i * t->stride + 1, n_rows, (sum_type *)totals);
        for (int k = 0; k < n_classes; k++)
            scan_by_block(t->semantic + k * t->stride + 1, n_rows, (semantic_type *)totals);
        scan_by_block(t->n_valid + 1, n_rows, (int32_t *)totals);
        return;
    }
    for (int i = (int)threadIdx.x / STIXELS_WARP; i < n_tables;
         i += (int)blockDim.x / STIXELS_WARP) {
        if (i < n_sums)
            scan_by_warp<sum_type>(t->sum + i * t->stride + 1, n_rows, lane);
        else if (i < n_sums + n_classes)
            scan_by_warp<semantic_type>(t->semantic + (i - n_sums) * t->stride + 1, n_rows,
                                        lane);
        else
            scan_by_warp<int32_t>(t->n_valid + 1, n_rows, lane);
    }
    __syncthreads();
}

/* ---- one candidate ---- */

static __device__ __forceinline__ struct stixels_moments_double
moments_of(const struct tables<double> *t, const struct stixels_constants_double *c, int v_b,
           int v_t)
{
    struct stixels_sums sums;

    sums.s0 = t->sum[v_t + 1] - t->sum[v_b];
    sums.s1 = t->sum[t->stride + v_t + 1] - t->sum[t->stride + v_b];
    sums.s2 = t->sum[2 * t->stride + v_t + 1] - t->sum[2 * t->stride + v_b];
    sums.t0 = t->sum[3 * t->stride + v_t + 1] - t->sum[3 * t->stride + v_b];
    sums.t1 = t->sum[4 * t->stride + v_t + 1] - t->sum[4 * t->stride + v_b];
    sums.u = t->sum[5 * t->stride + v_t + 1] - t->sum[5 * t->stride + v_b];
    return stixels_exact_moments(c, &sums, v_b);
}

static __device__ __forceinline__ struct stixels_moments_float
moments_of(const struct tables<float> *t, const struct stixels_constants_float *c, int v_b,
           int v_t)
{
    struct stixels_moments_float m;

    m.origin = c->origin;
    m.centre = STIXELS_CENTRE_PX;
    /* Sums made in parallel may round differently row by row: over rows without a measurement their difference is not
     * always 0, and a mean made of it is anything. */
    m.s0 = t->n_valid[v_t + 1] > t->n_valid[v_b] ? t->sum[v_t + 1] - t->sum[v_b] : 0;
    m.s1 = t->sum[t->stride + v_t + 1] - t->sum[t->stride + v_b];
    m.s2 = t->sum[2 * t->stride + v_t + 1] - t->sum[2 * t->stride + v_b];
    m.r0 = t->sum[3 * t->stride + v_t + 1] - t->sum[3 * t->stride + v_b];
    m.r1 = t->sum[4 * t->stride + v_t + 1] - t->sum[4 * t->stride + v_b];
    m.object = t->sum[5 * t->stride + v_t + 1] - t->sum[5 * t->stride + v_b];
    m.ground = t->sum[6 * t->stride + v_t + 1] - t->sum[6 * t->stride + v_b];
    m.sky = t->sum[7 * t->stride + v_t + 1] - t->sum[7 * t->stride + v_b];
    m.t0 = stixels_float_t0(c, &m); /* so the paper's five sums are enough */
    return m;
}

/* Eq. 6 over the rows of a stixel. */
static __device__ __forceinline__ double rows_energy(const struct tables<double> *t,
                                                     const struct stixels_model *model,
                                                     const struct stixels_constants_double *c,
                                                     int g, int v_b, int v_t,
                                                     struct stixels_plane_double plane)
{
    int64_t sum = 0;

    for (int v = v_b; v <= v_t; v++)
        if (t->w[v] >= 0)
            sum += stixels_row_cost(
                model, g, stixels_r2_double(t->w[v], t->px[v], plane, v, c->inverse_sigma2[g]));
    return (double)sum * (1.0 / 1024);
}

static __device__ __forceinline__ float rows_energy(const struct tables<float> *t,
                                                    const struct stixels_model *model,
                                                    const struct stixels_constants_float *c,
                                                    int g, int v_b, int v_t,
                                                    struct stixels_plane_float plane)
{
    const float uniform = (float)model->k_uniform[g] * (1.0f / 1024);
    const float gauss = (float)model->k_gauss[g] * (1.0f / 1024);
    const int hard_minimum = model->data_term == STIXELS_E6_MIN;
    float sum = 0;

    for (int v = v_b; v <= v_t; v++)
        if (t->w[v] >= 0)
            sum += stixels_row_cost_float(
                uniform, gauss,
                stixels_r2_float(t->w[v], t->px[v], plane, v, c->inverse_sigma2[g]),
                hard_minimum);
    return sum;
}

/* The cheapest class of each geometry over rows v_b .. v_t; 0 and none where a geometry has no class. */
template <typename REAL> struct cheapest {
    typename forms<REAL>::semantic cost[STIXELS_N_GEOMETRIES];
    int semantic[STIXELS_N_GEOMETRIES];
};

template <typename REAL, int CLASSES>
static __device__ __forceinline__ struct cheapest<REAL>
cheapest_classes(const struct tables<REAL> *t, const struct stixels_model *model, int v_b,
                 int v_t) {
    const int n_classes = CLASSES > 0 ? CLASSES : model->n_classes;
    const typename forms<REAL>::semantic *low = t->semantic + v_b,
                                         *high = t->semantic + v_t + 1;
    struct cheapest<REAL> c;

    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        c.cost[g] = 0;
        c.semantic[g] = STIXELS_NO_CLASS;
    }
#pragma unroll
    for (int k = 0; k < n_classes; k++) {
        const typename forms<REAL>::semantic cost = *high - *low;
        const int own = model->geometry_of[k];

#pragma unroll
        for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
            if (own == g && (c.semantic[g] == STIXELS_NO_CLASS || cost < c.cost[g])) {
                c.cost[g] = cost;
                c.semantic[g] = k;
            }
        low += t->stride;
        high += t->stride;
    }
    return c;
}

/* What a thread keeps of its row: the best segmentations that end there. */
template <typename REAL>
struct best {
    REAL cost[STIXELS_N_GEOMETRIES];
    typename forms<REAL>::plane plane[STIXELS_N_GEOMETRIES];
    int v_b[STIXELS_N_GEOMETRIES], below[STIXELS_N_GEOMETRIES], semantic[STIXELS_N_GEOMETRIES];
};

/* Try the stixel v_b .. v_t in each geometry; 'cost' and 'top' [STIXELS_N_GEOMETRIES] of row v_b - 1. */
template <typename REAL, int CLASSES, bool ROWS>
static __device__ __forceinline__ void
try_stixel(const struct tables<REAL> *t, const struct stixels_model *model,
           const typename forms<REAL>::constants *c, int v_b, int v_t, int n_rows,
           const REAL *cost, const REAL *top, struct best<REAL> *best)
{
    const typename forms<REAL>::moments m = moments_of(t, c, v_b, v_t);
    const struct cheapest<REAL> classes = cheapest_classes<REAL, CLASSES>(t, model, v_b, v_t);
    const int n_valid = t->n_valid[v_t + 1] - t->n_valid[v_b];

#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        typename forms<REAL>::plane plane;
        REAL energy;
        int below = STIXELS_N_GEOMETRIES;

        if (!stixels_may_be(model, g, v_b, v_t, n_rows))
            continue;
        if (g == STIXELS_GROUND) {
            plane = fit_ground(c, &m, &energy);
        } else if (g == STIXELS_OBJECT) {
            plane = fit_object(c, &m, &energy);
        } else {
            plane.a = plane.b = 0;
            energy = m.sky * c->inverse_sigma2[STIXELS_SKY];
        }
        if (ROWS) {
            energy = rows_energy(t, model, c, g, v_b, v_t, plane);
            if (g == STIXELS_GROUND)
                energy = energy + plane_prior(c, plane);
        }
        energy =
            own_energy(c, g, energy, n_valid, v_t + 1 - v_b - n_valid, (REAL)classes.cost[g]);
        if (v_b > 0)
            energy = link_energy(c, g, energy, plane_at(plane, v_b), cost, top, &below);
        if (energy < best->cost[g]) {
            best->cost[g] = energy;
            best->plane[g] = plane;
            best->v_b[g] = v_b;
            best->below[g] = below;
            best->semantic[g] = classes.semantic[g];
        }
    }
}

/* ---- option B [STX 4.4]: a thread keeps its row, the row that is done is broadcast, one barrier a step ---- */

template <typename REAL, int CLASSES, bool ROWS>
static __device__ __forceinline__ void
option_b(const struct tables<REAL> *t, const struct stixels_model *model,
         const typename forms<REAL>::constants *c, int n_rows, struct best<REAL> *best)
{
    __shared__ REAL cost[2][STIXELS_N_GEOMETRIES], top[2][STIXELS_N_GEOMETRIES];
    const int v = (int)threadIdx.x;

    for (int v_b = 0; v_b < n_rows; v_b++) {
        const int slot = v_b & 1; /* the other one is still read by slower threads */

        if (v >= v_b && v < n_rows)
            try_stixel<REAL, CLASSES, ROWS>(t, model, c, v_b, v, n_rows, cost[slot ^ 1],
                                            top[slot ^ 1], best);
        if (v == v_b) {
#pragma unroll
            for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
                cost[slot][g] = best->cost[g];
                top[slot][g] = plane_at(best->plane[g], v);
            }
        }
        __syncthreads();
    }
}

/* ---- option A [STX 4.4]: all threads make one row, then its minimum is found together ---- */

/* The least energy of a warp, of the smallest v_b among equals. */
template <typename REAL>
static __device__ __forceinline__ void least_of_warp(REAL *energy, int *v_b)
{
    for (int offset = STIXELS_WARP / 2; offset > 0; offset /= 2) {
        const REAL other = __shfl_xor_sync(ALL_LANES, *energy, offset);
        const int other_v_b = __shfl_xor_sync(ALL_LANES, *v_b, offset);

        if (other < *energy || (other == *energy && other_v_b < *v_b)) {
            *energy = other;
            *v_b = other_v_b;
        }
    }
}

template <typename REAL, int CLASSES, bool ROWS>
static __device__ __forceinline__ void
option_a(const struct tables<REAL> *t, const struct stixels_model *model,
         const typename forms<REAL>::constants *c, int n_rows, REAL *costs, REAL *tops,
         struct best<REAL> *kept)
{
    __shared__ REAL least[STIXELS_N_GEOMETRIES][MAX_WARPS];
    __shared__ int least_v_b[STIXELS_N_GEOMETRIES][MAX_WARPS];
    __shared__ struct best<REAL> winner;
    const int v_b = (int)threadIdx.x, lane = v_b % STIXELS_WARP, warp = v_b / STIXELS_WARP;
    const int n_warps = (int)blockDim.x / STIXELS_WARP;

    for (int v = 0; v < n_rows; v++) {
        struct best<REAL> own;
        int chosen[STIXELS_N_GEOMETRIES];

        for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
            own.cost[g] = (REAL)STIXELS_FORBIDDEN;
            own.plane[g].a = own.plane[g].b = 0;
            own.v_b[g] = own.below[g] = own.semantic[g] = 0;
        }
        if (v_b <= v)
            try_stixel<REAL, CLASSES, ROWS>(t, model, c, v_b, v, n_rows,
                                            costs + STIXELS_N_GEOMETRIES * (v_b - 1),
                                            tops + STIXELS_N_GEOMETRIES * (v_b - 1), &own);
        for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
            REAL energy = own.cost[g];
            int at = v_b;

            least_of_warp(&energy, &at);
            if (lane == 0) {
                least[g][warp] = energy;
                least_v_b[g][warp] = at;
            }
        }
        __syncthreads();
        for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
            REAL energy = least[g][0];

            chosen[g] = least_v_b[g][0];
            for (int w = 1; w < n_warps;
                 w++) /* in the order of v_b: the first among equals stays */
                if (least[g][w] < energy) {
                    energy = least[g][w];
                    chosen[g] = least_v_b[g][w];
                }
            if (chosen[g] == v_b) {
                costs[STIXELS_N_GEOMETRIES * v + g] = own.cost[g];
                tops[STIXELS_N_GEOMETRIES * v + g] = plane_at(own.plane[g], v);
                winner.cost[g] = own.cost[g];
                winner.plane[g] = own.plane[g];
                winner.v_b[g] = own.v_b[g];
                winner.below[g] = own.below[g];
                winner.semantic[g] = own.semantic[g];
            }
        }
        __syncthreads();
        if (v_b ==
            v) /* thread v keeps row v, as in option B; the next winner comes after a barrier */
            *kept = winner;
    }
}

/* ---- the kernel ---- */

/* Bytes of shared memory beside the static ones. */
template <typename REAL, bool ROWS, bool OPTION_A, bool GLOBAL>
static __host__ __device__ inline size_t column_shared_bytes(int n_rows, int n_classes)
{
    const size_t index = ((size_t)n_rows * sizeof(struct index_row<REAL>) + 15) / 16 * 16;
    const size_t sats = GLOBAL ? 0 : tables_bytes<REAL, ROWS>(n_rows, n_classes);
    const size_t rows = OPTION_A ? 2 * STIXELS_N_GEOMETRIES * sizeof(REAL) * (size_t)n_rows : 0;

    return (index > sats ? index : sats) + rows;
}

/* What a launch works on: one type for all instantiations. */
struct column_task {
    const void *blocks; /* [n_frames][2 + n_classes][n_cols][n_rows], forms<REAL>::element */
    const struct stixels_model *models; /* [n_frames] */
    const void *constants;              /* [n_frames], forms<REAL>::constants */
    int n_cols, n_rows;
    bool scan_by_block;
    char *workspace; /* tables_bytes() a column where GLOBAL */
    struct stixel *
        slots; /* [n_columns][n_rows], each column's stixels from the bottom up at the end of its slot */
    int32_t *counts;  /* [n_columns] */
    uint32_t *clocks; /* [n_columns][COLUMN_STAGES] where LAPS: what each stage took */
};

/* From global to shared memory, 32 bits a thread; a barrier must follow. */
static __device__ __forceinline__ void copy_words(void *to, const void *from, size_t bytes)
{
    for (int i = (int)threadIdx.x; i < (int)(bytes / sizeof(int32_t)); i += (int)blockDim.x)
        ((int32_t *)to)[i] = ((const int32_t *)from)[i];
}

/* For blocks of at most so many threads: the fewer, the more registers each may have. */
template <typename REAL, int CLASSES, bool ROWS, bool OPTION_A, bool GLOBAL, int THREADS,
          bool LAPS>
static __global__ void __launch_bounds__(THREADS) column_kernel(struct column_task task)
{
    typedef typename forms<REAL>::element element;
    typedef typename forms<REAL>::constants constants_type;
    extern __shared__ __align__(16) char shared[];
    __shared__ struct stixels_model model;
    __shared__ constants_type constants;
    __shared__ int64_t totals[MAX_WARPS];
    const int v = (int)threadIdx.x, n_cols = task.n_cols, n_rows = task.n_rows;
    const int frame = (int)blockIdx.x / n_cols, u = (int)blockIdx.x % n_cols;
    uint32_t clock[COLUMN_STAGES];

    if (LAPS)
        clock[0] = stage_clock();
    copy_words(&model, &task.models[frame], sizeof model);
    copy_words(&constants, (const constants_type *)task.constants + frame, sizeof constants);
    __syncthreads();

    const int n_classes = CLASSES > 0 ? CLASSES : model.n_classes;
    const size_t sats_bytes = tables_bytes<REAL, ROWS>(n_rows, n_classes);
    const struct tables<REAL> t = tables_at<REAL, ROWS>(
        GLOBAL ? task.workspace + (size_t)blockIdx.x * sats_bytes : shared, n_rows, n_classes);
    const size_t plane_stride = (size_t)n_cols * (size_t)n_rows;
    struct best<REAL> best;

    if (v < n_rows)
        load_row(&t, &model, &constants,
                 (const element *)task.blocks +
                     ((size_t)frame * (size_t)(2 + n_classes) * (size_t)n_cols + (size_t)u) *
                         (size_t)n_rows,
                 plane_stride, v);
    if (v == 0)
        clear_first(&t, n_classes);
    __syncthreads();
    scan_tables(&t, n_classes, n_rows, task.scan_by_block, totals);
    if (LAPS)
        clock[1] = stage_clock();

#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        best.cost[g] = (REAL)STIXELS_FORBIDDEN;
        best.plane[g].a = best.plane[g].b = 0;
        best.v_b[g] = best.below[g] = best.semantic[g] = 0;
    }
    if (OPTION_A) {
        REAL *const costs = (REAL *)(shared + column_shared_bytes<REAL, ROWS, false, GLOBAL>(
                                                  n_rows, n_classes));

        option_a<REAL, CLASSES, ROWS>(&t, &model, &constants, n_rows, costs,
                                      costs + STIXELS_N_GEOMETRIES * n_rows, &best);
    } else {
        option_b<REAL, CLASSES, ROWS>(&t, &model, &constants, n_rows, &best);
    }

    if (LAPS)
        clock[2] = stage_clock();

    /* the last barrier of the loop has been met: the tables are free for the index table [STX 4.5] */
    struct index_row<REAL> *const index = (struct index_row<REAL> *)shared;

    if (v < n_rows) {
#pragma unroll
        for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
            index[v].cost[g] = best.cost[g];
            index[v].a[g] = (float)best.plane[g].a;
            index[v].b[g] = (float)best.plane[g].b;
            index[v].v_b[g] = (uint16_t)best.v_b[g];
            index[v].below[g] = (uint8_t)best.below[g];
            index[v].semantic[g] = (uint8_t)best.semantic[g];
        }
    }
    __syncthreads();
    if (v == 0) {
        struct stixel *const end = task.slots + ((size_t)blockIdx.x + 1) * (size_t)n_rows;
        int v_t = n_rows - 1, g = STIXELS_OBJECT, n = 0;

        for (int other = 0; other < STIXELS_N_GEOMETRIES; other++)
            if (index[v_t].cost[other] < index[v_t].cost[g])
                g = other;
        for (;;) {
            const struct index_row<REAL> *const row = &index[v_t];
            const int v_b = row->v_b[g], below = row->below[g];
            REAL cost = row->cost[g];
            struct stixel stixel;

            if (v_b > 0)
                cost -= index[v_b - 1].cost[below];
            stixel.v_bottom = (uint16_t)v_b;
            stixel.v_top = (uint16_t)v_t;
            stixel.geometry = (uint8_t)g;
            stixel.semantic = row->semantic[g];
            stixel.reserved = 0;
            stixel.a = row->a[g];
            stixel.b = row->b[g];
            stixel.cost = (float)cost;
            n++;
            end[-n] = stixel;
            if (v_b == 0)
                break;
            v_t = v_b - 1;
            g = below;
        }
        task.counts[blockIdx.x] = n;
        if (LAPS) {
            uint32_t *const took = task.clocks + (size_t)blockIdx.x * COLUMN_STAGES;

            took[0] = clock[1] - clock[0];
            took[1] = clock[2] - clock[1];
            took[2] = stage_clock() - clock[2];
        }
    }
}

#endif

/*
 * column.cuh - summed area tables and dynamic programming of one column in one thread block, as
 * [STX] describes them
 *
 * Source:  [STX] sect. 4.3-4.5 and Fig. 5.
 * Mapping: threadIdx.x = row v.
 * Shared:  the tables.  Each has n_rows + 1 entries; entry 0 precedes all rows.  The entries of
 *          a row are adjacent.
 * Work:    n_rows steps; in step v_b the threads v >= v_b try the stixels v_b .. v.
 */
#ifndef STIXELS_COLUMN_CUH
#define STIXELS_COLUMN_CUH

#include "harness/problems/stixels/float.h"
#include "impl_gpu/stixels/frame.cuh"

#define MAX_WARPS 32

/* The types that belong to each of the two number types. */
template <typename REAL> struct forms;

template <> struct forms<double> {
    typedef struct stixels_constants_double constants;
    typedef struct stixels_moments_double moments;
    typedef struct stixels_plane_double plane;
    /* of planes and blocks */
    typedef uint16_t element;
    /* of the depth tables, stored and while they are summed up */
    typedef int64_t sum;
    typedef int64_t unrounded;
    /* of the semantic tables, 1/1024 nat */
    typedef int32_t semantic;
    /* s0 s1 s2 t0 t1 u */
    enum { N_SUMS = 6 };
};

template <> struct forms<float> {
    typedef struct stixels_constants_float constants;
    typedef struct stixels_moments_float moments;
    typedef struct stixels_plane_float plane;
    typedef float element;
    typedef float sum;
    typedef double unrounded;
    typedef float semantic;
    /* s0 s1 s2 r0 r1 and three of the depth energies: object, ground, sky */
    enum { N_SUMS = 8 };
};

/* name(...) is form_double(...) or form_float(...), whichever takes these arguments. */
#define OVERLOADS(name, form)                                                       \
    template <typename... ARGUMENTS>                                                \
    DEVICE auto name(ARGUMENTS... arguments)->decltype(form##_double(arguments...)) \
    {                                                                               \
        return form##_double(arguments...);                                         \
    }                                                                               \
    template <typename... ARGUMENTS>                                                \
    DEVICE auto name(ARGUMENTS... arguments)->decltype(form##_float(arguments...))  \
    {                                                                               \
        return form##_float(arguments...);                                          \
    }

OVERLOADS(fit_ground, stixels_fit_ground)
OVERLOADS(fit_object, stixels_fit_object)
OVERLOADS(plane_at, stixels_at)
OVERLOADS(plane_prior, stixels_plane_prior)
OVERLOADS(own_energy, stixels_own)
OVERLOADS(link_energy, stixels_link)

/* ---- classes by geometry ---- */

/* The number of classes of each geometry, which the compiler knows. */
template <int OBJECTS, int GROUNDS, int SKIES> struct known_classes {
    enum { KNOWN = 1, N = OBJECTS + GROUNDS + SKIES };
    static __host__ __device__ constexpr int of(int g)
    {
        return g == STIXELS_OBJECT ? OBJECTS : g == STIXELS_GROUND ? GROUNDS : SKIES;
    }
};

struct any_classes {
    enum { KNOWN = 0, N = 0 };
    static __host__ __device__ constexpr int of(int)
    {
        return 0;
    }
};

/* The classes of a model by geometry: object, ground, sky, none; then by number. */
struct class_order {
    /* the place where each geometry begins, and the end of the last one */
    int first[STIXELS_N_GEOMETRIES + 1];
    /* the class of each place */
    int at[STIXELS_MAX_CLASSES];
};

/* The block has at least one thread for each class.  The caller adds a barrier. */
DEVICE void order_classes(const struct stixels_model *model, struct class_order *order)
{
    const int k = (int)threadIdx.x;
    int smaller = 0, place = 0;

    if (k <= STIXELS_N_GEOMETRIES) {
        for (int i = 0; i < model->n_classes; i++)
            smaller += model->geometry_of[i] >= 0 && model->geometry_of[i] < k;
        order->first[k] = smaller;
    }
    if (k < model->n_classes) {
        /* -1, which is never chosen, comes last */
        const unsigned own = (unsigned)model->geometry_of[k];

        for (int i = 0; i < model->n_classes; i++) {
            const unsigned other = (unsigned)model->geometry_of[i];

            place += other < own || (other == own && i < k);
        }
        order->at[place] = k;
    }
}

/* The place where the classes of a geometry begin. */
template <typename CLASSES> DEVICE int first_class(const struct class_order *order, int g)
{
    return !CLASSES::KNOWN       ? order->first[g]
           : g == STIXELS_OBJECT ? 0
           : g == STIXELS_GROUND ? CLASSES::of(STIXELS_OBJECT)
                                 : CLASSES::of(STIXELS_OBJECT) + CLASSES::of(STIXELS_GROUND);
}

template <typename CLASSES> DEVICE int n_classes_of(const struct class_order *order, int g)
{
    return CLASSES::KNOWN ? CLASSES::of(g) : order->first[g + 1] - order->first[g];
}

/* ---- the tables of a column ---- */

/*
 * Entry v of each table sums up the rows before row v.  In shared memory the entries of a row
 * are adjacent: sums, the number of measured rows, then classes in the order of struct
 * class_order.  An odd number of words puts 32 rows into 32 banks.  BY_TABLE: the entries of a
 * table are adjacent instead, so that neighbouring threads read neighbouring words.
 */
template <typename REAL, bool BY_TABLE> struct tables {
    char *memory;
    /* entries of a table: n_rows + 1 */
    int n;
    /* bytes from the entries of a row to those of the next; not BY_TABLE */
    int stride;
    /* [n_rows][2], for eq. 6 only: weight 0..1 and px, see load_row */
    REAL *rows;

    __device__ __forceinline__ typename forms<REAL>::sum &sum(int i, int v) const
    {
        typedef typename forms<REAL>::sum type;

        return BY_TABLE ? ((type *)memory)[i * n + v] : ((type *)(memory + v * stride))[i];
    }

    __device__ __forceinline__ char *words(int i, int v) const
    {
        const int sums = forms<REAL>::N_SUMS * (int)sizeof(typename forms<REAL>::sum);

        return BY_TABLE ? memory + sums * n + 4 * (i * n + v)
                        : memory + v * stride + sums + 4 * i;
    }

    __device__ __forceinline__ int32_t &n_valid(int v) const
    {
        return *(int32_t *)words(0, v);
    }

    __device__ __forceinline__ typename forms<REAL>::semantic &semantic(int place, int v) const
    {
        return *(typename forms<REAL>::semantic *)words(1 + place, v);
    }
};

template <typename REAL> static __host__ __device__ inline int entry_bytes(int n_classes)
{
    const int bytes =
        forms<REAL>::N_SUMS * (int)sizeof(typename forms<REAL>::sum) + 4 * (1 + n_classes);

    return sizeof(typename forms<REAL>::sum) == 4 ? bytes | 4 : (bytes + 7) / 8 * 8;
}

/* Bytes of the tables of a column, a multiple of 16. */
template <typename REAL, bool ROWS>
static __host__ __device__ inline size_t tables_bytes(int n_rows, int n_classes)
{
    const size_t bytes = (size_t)(n_rows + 1) * (size_t)entry_bytes<REAL>(n_classes) +
                         (ROWS ? 2 * (size_t)n_rows * sizeof(REAL) : 0);

    return (bytes + 15) / 16 * 16;
}

/* One row of the index table, which backtracking reads. */
template <typename REAL> struct index_row {
    REAL cost[STIXELS_N_GEOMETRIES];
    float a[STIXELS_N_GEOMETRIES], b[STIXELS_N_GEOMETRIES];
    uint16_t v_b[STIXELS_N_GEOMETRIES];
    uint8_t below[STIXELS_N_GEOMETRIES], semantic[STIXELS_N_GEOMETRIES];
};

template <typename REAL, bool ROWS, bool BY_TABLE>
DEVICE struct tables<REAL, BY_TABLE> tables_at(void *memory, int n_rows, int n_classes) {
    struct tables<REAL, BY_TABLE> t;

    t.n = n_rows + 1;
    t.stride = entry_bytes<REAL>(n_classes);
    t.rows = ROWS ? (REAL *)memory : NULL;
    t.memory = (char *)memory + (ROWS ? 2 * (size_t)n_rows * sizeof(REAL) : 0);
    return t;
}

/* Writes the look-up values of row v [STX 4.3, step 2] to entry v + 1. */
template <bool BY_TABLE>
DEVICE void load_row(const struct tables<double, BY_TABLE> *t,
                     const struct stixels_model *model, const struct class_order *order,
                     const struct stixels_constants_double *, const uint16_t *column,
                     size_t plane_stride, int v)
{
    const uint16_t d = column[v];
    const bool valid = d != STIXELS_INVALID;
    const int32_t w =
        valid ? stixels_weight(column[plane_stride + (size_t)v], model->weight_squared) : 0;
    const int32_t px = valid ? d : 0;
    struct stixels_sums row = {0, 0, 0, 0, 0, 0};

    stixels_add_row(&row, w, px, v);
    t->sum(0, v + 1) = row.s0;
    t->sum(1, v + 1) = row.s1;
    t->sum(2, v + 1) = row.s2;
    t->sum(3, v + 1) = row.t0;
    t->sum(4, v + 1) = row.t1;
    t->sum(5, v + 1) = row.u;
    t->n_valid(v + 1) = valid;
    if (t->rows) {
        t->rows[2 * v] = (double)w * (1.0 / STIXELS_WEIGHT_ONE);
        t->rows[2 * v + 1] = (double)px * (1.0 / 256);
    }
    for (int place = 0; place < model->n_classes; place++)
        t->semantic(place, v + 1) = stixels_semantic_cost(
            column[(size_t)(2 + order->at[place]) * plane_stride + (size_t)v]);
}

template <bool BY_TABLE>
DEVICE void load_row(const struct tables<float, BY_TABLE> *t, const struct stixels_model *model,
                     const struct class_order *order, const struct stixels_constants_float *c,
                     const float *column, size_t plane_stride, int v)
{
    const float d = column[v], c8 = column[plane_stride + (size_t)v];
    const float confidence = c8 * (1.0f / 255);
    const bool valid = d >= 0;
    const float w = valid ? (model->weight_squared ? confidence * confidence : confidence) : 0;
    const float px = valid ? d * (1.0f / 256) : 0;
    const struct stixels_float_row row = stixels_float_row_of(c, model->horizon, w, px, v);

    t->sum(0, v + 1) = row.s0;
    t->sum(1, v + 1) = row.s1;
    t->sum(2, v + 1) = row.s2;
    t->sum(3, v + 1) = row.r0;
    t->sum(4, v + 1) = row.r1;
    t->sum(5, v + 1) = row.object;
    t->sum(6, v + 1) = row.ground;
    t->sum(7, v + 1) = row.sky;
    t->n_valid(v + 1) = valid;
    if (t->rows) {
        t->rows[2 * v] = w;
        t->rows[2 * v + 1] = px;
    }
    for (int place = 0; place < model->n_classes; place++) {
        const float p = column[(size_t)(2 + order->at[place]) * plane_stride + (size_t)v];

        t->semantic(place, v + 1) = -1024.0f * logf(fmaxf(p * (1.0f / 65535), 1e-6f));
    }
}

/* Clears entry 0 of each table, which precedes all rows. */
template <typename REAL, bool BY_TABLE>
DEVICE void clear_first(const struct tables<REAL, BY_TABLE> *t, int n_classes)
{
    for (int i = 0; i < forms<REAL>::N_SUMS; i++)
        t->sum(i, 0) = 0;
    for (int place = 0; place < n_classes; place++)
        t->semantic(place, 0) = 0;
    t->n_valid(0) = 0;
}

/* ---- prefix sums [STX 4.3, step 3] ---- */

/* scan = warp: a warp scans a table, 32 entries at a time, 'stride' elements apart. */
template <typename SUM, typename T>
DEVICE void scan_by_warp(T *table, int stride, int n, int lane)
{
    SUM before = 0;

    for (int base = 0; base < n; base += STIXELS_WARP) {
        const int i = base + lane;
        const SUM sum = sum_up_to(i < n ? (SUM)table[i * stride] : (SUM)0, lane) + before;

        if (i < n)
            table[i * stride] = (T)sum;
        before = __shfl_sync(ALL_LANES, sum, STIXELS_WARP - 1);
    }
}

/* scan = block: all threads sum a table, an entry each; 'totals' [MAX_WARPS] is shared. */
template <typename SUM, typename T>
DEVICE void scan_by_block(T *table, int stride, int n, SUM *totals)
{
    const int i = (int)threadIdx.x, lane = i % STIXELS_WARP, warp = i / STIXELS_WARP;
    SUM sum = sum_up_to(i < n ? (SUM)table[i * stride] : (SUM)0, lane);

    if (lane == STIXELS_WARP - 1)
        totals[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        sum += totals[w];
    if (i < n)
        table[i * stride] = (T)sum;
    __syncthreads();
}

template <typename REAL, bool BY_TABLE>
DEVICE void scan_tables(const struct tables<REAL, BY_TABLE> *t, int n_classes, int n_rows,
                        bool by_block, void *totals)
{
    typedef typename forms<REAL>::sum stored_type;
    typedef typename forms<REAL>::unrounded sum_type;
    typedef typename forms<REAL>::semantic semantic_type;
    const int n_sums = forms<REAL>::N_SUMS, n_tables = n_sums + n_classes + 1;
    const int stride = BY_TABLE ? 1 : t->stride / (int)sizeof(stored_type);
    const int stride_of_words = BY_TABLE ? 1 : t->stride / 4;
    const int lane = (int)threadIdx.x % STIXELS_WARP;

    if (by_block) {
        for (int i = 0; i < n_sums; i++)
            scan_by_block(&t->sum(i, 1), stride, n_rows, (sum_type *)totals);
        for (int place = 0; place < n_classes; place++)
            scan_by_block(&t->semantic(place, 1), stride_of_words, n_rows,
                          (semantic_type *)totals);
        scan_by_block(&t->n_valid(1), stride_of_words, n_rows, (int32_t *)totals);
        return;
    }
    for (int i = (int)threadIdx.x / STIXELS_WARP; i < n_tables;
         i += (int)blockDim.x / STIXELS_WARP) {
        if (i < n_sums)
            scan_by_warp<sum_type>(&t->sum(i, 1), stride, n_rows, lane);
        else if (i < n_sums + n_classes)
            scan_by_warp<semantic_type>(&t->semantic(i - n_sums, 1), stride_of_words, n_rows,
                                        lane);
        else
            scan_by_warp<int32_t>(&t->n_valid(1), stride_of_words, n_rows, lane);
    }
    __syncthreads();
}

/* ---- one candidate ---- */

template <bool BY_TABLE>
DEVICE struct stixels_moments_double moments_of(const struct tables<double, BY_TABLE> *t,
                                                const struct stixels_constants_double *c,
                                                int v_b, int v_t)
{
    struct stixels_sums sums;

    sums.s0 = t->sum(0, v_t + 1) - t->sum(0, v_b);
    sums.s1 = t->sum(1, v_t + 1) - t->sum(1, v_b);
    sums.s2 = t->sum(2, v_t + 1) - t->sum(2, v_b);
    sums.t0 = t->sum(3, v_t + 1) - t->sum(3, v_b);
    sums.t1 = t->sum(4, v_t + 1) - t->sum(4, v_b);
    sums.u = t->sum(5, v_t + 1) - t->sum(5, v_b);
    return stixels_exact_moments(c, &sums, v_b);
}

template <bool BY_TABLE>
DEVICE struct stixels_moments_float moments_of(const struct tables<float, BY_TABLE> *t,
                                               const struct stixels_constants_float *c, int v_b,
                                               int v_t)
{
    struct stixels_moments_float m;

    m.origin = c->origin;
    m.centre = STIXELS_CENTRE_PX;
    /* A parallel scan may round differently from row to row.  Over rows without a measurement
     * the difference of two sums may not be 0, and the mean would be arbitrary. */
    m.s0 = t->n_valid(v_t + 1) > t->n_valid(v_b) ? t->sum(0, v_t + 1) - t->sum(0, v_b) : 0;
    m.s1 = t->sum(1, v_t + 1) - t->sum(1, v_b);
    m.s2 = t->sum(2, v_t + 1) - t->sum(2, v_b);
    m.r0 = t->sum(3, v_t + 1) - t->sum(3, v_b);
    m.r1 = t->sum(4, v_t + 1) - t->sum(4, v_b);
    m.object = t->sum(5, v_t + 1) - t->sum(5, v_b);
    m.ground = t->sum(6, v_t + 1) - t->sum(6, v_b);
    m.sky = t->sum(7, v_t + 1) - t->sum(7, v_b);
    /* t0 follows from the others: the paper's five sums suffice */
    m.t0 = stixels_float_t0(c, &m);
    return m;
}

/* A step to the object of rows v_b .. v_t needs this besides its disparity; it is kept in place
 * of the sky's, which is always 0.  Exact: the object's begin. */
template <bool BY_TABLE>
DEVICE double kept_of(const struct tables<double, BY_TABLE> *,
                      const struct stixels_constants_double *, int v_b, int)
{
    return v_b;
}

template <bool BY_TABLE>
DEVICE float kept_of(const struct tables<float, BY_TABLE> *t,
                     const struct stixels_constants_float *c, int v_b, int v_t)
{
    return stixels_blur_float(c, moments_of(t, c, v_b, v_t).s0);
}

/* 'step' from the object below ('kept') to the mean of rows v_b .. v_t, of this weight; 0 if
 * they are equal. */
template <bool BY_TABLE>
DEVICE double step_between(const struct tables<double, BY_TABLE> *t,
                           const struct stixels_constants_double *, double, double step,
                           double kept, int v_b, int v_t)
{
    struct stixels_sums lower, upper;

    lower.s0 = t->sum(0, v_b) - t->sum(0, (int)kept);
    lower.t0 = t->sum(3, v_b) - t->sum(3, (int)kept);
    upper.s0 = t->sum(0, v_t + 1) - t->sum(0, v_b);
    upper.t0 = t->sum(3, v_t + 1) - t->sum(3, v_b);
    return stixels_exact_step(step, &lower, &upper);
}

template <bool BY_TABLE>
DEVICE float step_between(const struct tables<float, BY_TABLE> *,
                          const struct stixels_constants_float *c, float weight, float step,
                          float kept, int, int)
{
    return stixels_step_float(c, step, kept, weight);
}

/* Sums eq. 6 over the measured rows of a stixel. */
template <bool BY_TABLE>
DEVICE double rows_energy(const struct tables<double, BY_TABLE> *t,
                          const struct stixels_model *model,
                          const struct stixels_constants_double *c, int g, int v_b, int v_t,
                          int, struct stixels_plane_double plane)
{
    int64_t sum = 0;

    for (int v = v_b; v <= v_t; v++)
        if (t->n_valid(v + 1) > t->n_valid(v))
            sum += stixels_row_cost(model, g,
                                    stixels_r2_double(t->rows[2 * v], t->rows[2 * v + 1], plane,
                                                      v, c->inverse_sigma2[g]));
    return (double)sum * (1.0 / 1024);
}

/* log2(1 + 2^-|x|).  With the flags of float.cu, exp2 and log2 are single instructions. */
DEVICE float softplus2(float x)
{
    return log2f(1.0f + exp2f(fminf(x, -x)));
}

/* r^2 / log(2) of eq. 6; row: weight and px; scale: 1 / (sigma^2 log(2)). */
DEVICE float row_exponent(float2 row, int g, struct stixels_plane_float plane, int v,
                          float scale)
{
    const float distance = row.y - (g == STIXELS_GROUND ? plane_at(plane, v) : plane.a);

    return row.x * distance * (distance * scale);
}

/*
 * Eq. 6 with x = r2 / log(2) and depth = (gauss - uniform) / log(2):
 *     -log(exp(uniform) + exp(gauss - r2))
 *         = -gauss + log(2) (min(x, depth) - softplus2(x - depth))
 * A row without a measurement has weight 0, so x = 0.  The loop adds such rows without a test,
 * and their share is subtracted after the loop.
 */
template <bool BY_TABLE>
DEVICE float rows_energy(const struct tables<float, BY_TABLE> *t,
                         const struct stixels_model *model,
                         const struct stixels_constants_float *c, int g, int v_b, int v_t,
                         int n_valid, struct stixels_plane_float plane)
{
    const float log2_e = 1.44269504f;
    const float gauss = (float)model->k_gauss[g] * (1.0f / 1024);
    const float depth =
        (float)(model->k_gauss[g] - model->k_uniform[g]) * (log2_e * (1.0f / 1024));
    const float scale = c->inverse_sigma2[g] * log2_e;
    const float2 *const rows = (const float2 *)t->rows;
    const float n_not = (float)(v_t + 1 - v_b - n_valid);
    float sum = 0, unmeasured = fminf(0, depth);

    if (model->data_term == STIXELS_E6_MIN) {
        for (int v = v_b; v <= v_t; v++)
            sum += fminf(row_exponent(rows[v], g, plane, v, scale), depth);
    } else {
        unmeasured -= softplus2(depth);
#pragma unroll 4
        for (int v = v_b; v <= v_t; v++) {
            const float x = row_exponent(rows[v], g, plane, v, scale);

            sum += fminf(x, depth) - softplus2(x - depth);
        }
    }
    return (sum - n_not * unmeasured) * 0.69314718f - (float)n_valid * gauss;
}

/* Finds the cheapest class of a geometry over rows v_b .. v_t, the first of equals.  A geometry
 * without classes costs 0 and has no place. */
template <typename REAL, typename CLASSES, bool BY_TABLE>
DEVICE typename forms<REAL>::semantic cheapest_class(const struct tables<REAL, BY_TABLE> *t,
                                                     const struct class_order *order, int g,
                                                     int v_b, int v_t, int *place)
{
    enum { UNROLLED = CLASSES::KNOWN ? STIXELS_MAX_CLASSES : 4 };
    const int first = first_class<CLASSES>(order, g), n = n_classes_of<CLASSES>(order, g);
    typename forms<REAL>::semantic least = 0;

    *place = STIXELS_NO_CLASS;
    if (n > 0) {
        least = t->semantic(first, v_t + 1) - t->semantic(first, v_b);
        *place = first;
    }
#pragma unroll UNROLLED
    for (int k = first + 1; k < first + n; k++) {
        const typename forms<REAL>::semantic cost =
            t->semantic(k, v_t + 1) - t->semantic(k, v_b);

        *place = cost < least ? k : *place;
        least = cost < least ? cost : least;
    }
    return least;
}

/* The best segmentations that end in the row of a thread. */
template <typename REAL> struct best {
    REAL cost[STIXELS_N_GEOMETRIES];
    typename forms<REAL>::plane plane[STIXELS_N_GEOMETRIES];
    /* v_b << 8 | the geometry below: one register for both */
    int cut[STIXELS_N_GEOMETRIES];
    /* of the class in struct class_order, or STIXELS_NO_CLASS */
    int place[STIXELS_N_GEOMETRIES];
};

template <typename REAL> DEVICE struct best<REAL> nothing_tried(void) {
    struct best<REAL> best;

#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        best.cost[g] = (REAL)STIXELS_FORBIDDEN;
        best.plane[g].a = best.plane[g].b = 0;
        best.cut[g] = 0;
        best.place[g] = STIXELS_NO_CLASS;
    }
    return best;
}

/* The energy of the stixel v_b .. v_t by itself, as geometry g; *place: of its class. */
template <typename REAL, typename CLASSES, bool ROWS, bool BY_TABLE>
DEVICE REAL own_of(const struct tables<REAL, BY_TABLE> *t, const struct stixels_model *model,
                   const struct class_order *order, const typename forms<REAL>::constants *c,
                   const typename forms<REAL>::moments *m, int g, int v_b, int v_t, int n_valid,
                   typename forms<REAL>::plane *plane, int *place)
{
    REAL energy, semantic;

    if (g == STIXELS_GROUND) {
        *plane = fit_ground(c, m, &energy);
    } else if (g == STIXELS_OBJECT) {
        *plane = fit_object(c, m, &energy);
    } else {
        plane->a = plane->b = 0;
        energy = m->sky * c->inverse_sigma2[STIXELS_SKY];
    }
    if (ROWS) {
        energy = rows_energy(t, model, c, g, v_b, v_t, n_valid, *plane);
        if (g == STIXELS_GROUND)
            energy = energy + plane_prior(c, *plane);
    }
    semantic = (REAL)cheapest_class<REAL, CLASSES>(t, order, g, v_b, v_t, place);
    return own_energy(c, g, energy, n_valid, v_t + 1 - v_b - n_valid, semantic);
}

/* Puts it, of this weight, on what ends below it: 'cost' and 'top' are those of row v_b - 1,
 * energies and disparities, with kept_of() in the place of the sky's.  'begin': v_b, or its
 * number. */
template <typename REAL, bool BY_TABLE>
DEVICE void keep_if_better(const struct tables<REAL, BY_TABLE> *t,
                           const typename forms<REAL>::constants *c, REAL weight, int g,
                           int v_b, int v_t, REAL energy, typename forms<REAL>::plane plane,
                           int place, int begin, const REAL *cost, const REAL *top,
                           struct best<REAL> *best)
{
    int below = STIXELS_N_GEOMETRIES;

    if (v_b > 0) {
        const REAL bottom = g == STIXELS_GROUND ? plane_at(plane, v_b) : plane.a;
        REAL step[STIXELS_N_GEOMETRIES] = {top[STIXELS_OBJECT] - bottom,
                                           top[STIXELS_GROUND] - bottom, 0};

        if (g == STIXELS_OBJECT)
            step[STIXELS_OBJECT] =
                step_between(t, c, weight, step[STIXELS_OBJECT], top[STIXELS_SKY], v_b, v_t);
        energy = link_energy(c, g, energy, cost, step, &below);
    }
    if (energy < best->cost[g]) {
        best->cost[g] = energy;
        best->plane[g] = plane;
        best->cut[g] = begin << 8 | below;
        best->place[g] = place;
    }
}

/* Tries the stixel v_b .. v_t in each geometry. */
template <typename REAL, typename CLASSES, bool ROWS, bool BY_TABLE>
DEVICE void try_stixel(const struct tables<REAL, BY_TABLE> *t,
                       const struct stixels_model *model, const struct class_order *order,
                       const typename forms<REAL>::constants *c, int v_b, int v_t, int n_rows,
                       const REAL *cost, const REAL *top, struct best<REAL> *best)
{
    const typename forms<REAL>::moments m = moments_of(t, c, v_b, v_t);
    const int n_valid = t->n_valid(v_t + 1) - t->n_valid(v_b);

#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        typename forms<REAL>::plane plane;
        REAL energy;
        int place;

        if (!stixels_may_be(model, g, v_b, v_t, n_rows))
            continue;
        energy = own_of<REAL, CLASSES, ROWS>(t, model, order, c, &m, g, v_b, v_t, n_valid,
                                             &plane, &place);
        keep_if_better(t, c, m.s0, g, v_b, v_t, energy, plane, place, v_b, cost, top, best);
    }
}

/* Sets what a stixel on row v + 1 reads of the best ones that end in row v; the best one of an
 * object begins at row 'object'. */
template <typename REAL, bool BY_TABLE>
DEVICE void finish_row(const struct tables<REAL, BY_TABLE> *t,
                       const typename forms<REAL>::constants *c, const struct best<REAL> *best,
                       int object, int v, REAL *cost, REAL *top)
{
#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        cost[g] = best->cost[g];
        top[g] = plane_at(best->plane[g], v);
    }
    top[STIXELS_SKY] = kept_of(t, c, object, v);
}

/* The geometry of the least energy, the first of equals. */
template <typename REAL> DEVICE int cheapest_of(const REAL *cost)
{
    int g = STIXELS_OBJECT;

    for (int other = 0; other < STIXELS_N_GEOMETRIES; other++)
        if (cost[other] < cost[g])
            g = other;
    return g;
}

/* ---- option B [STX 4.4]: a thread keeps its row; each step broadcasts a finished row ---- */

template <typename REAL, typename CLASSES, bool ROWS, bool BY_TABLE>
DEVICE void option_b(const struct tables<REAL, BY_TABLE> *t, const struct stixels_model *model,
                     const struct class_order *order, const typename forms<REAL>::constants *c,
                     int n_rows, struct best<REAL> *best)
{
    __shared__ REAL cost[2][STIXELS_N_GEOMETRIES], top[2][STIXELS_N_GEOMETRIES];
    const int v = (int)threadIdx.x;

    for (int v_b = 0; v_b < n_rows; v_b++) {
        const int slot = v_b & 1; /* the other one is still read by slower threads */

        if (v >= v_b && v < n_rows)
            try_stixel<REAL, CLASSES, ROWS>(t, model, order, c, v_b, v, n_rows, cost[slot ^ 1],
                                            top[slot ^ 1], best);
        if (v == v_b)
            finish_row(t, c, best, best->cut[STIXELS_OBJECT] >> 8, v, cost[slot], top[slot]);
        __syncthreads();
    }
}

/* ---- option A [STX 4.4]: all threads try one row, then reduce to the minimum ---- */

/* Finds the least energy of a warp; among equals the one with the smallest v_b. */
template <typename REAL> DEVICE void least_of_warp(REAL *energy, int *v_b)
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

template <typename REAL, typename CLASSES, bool ROWS, bool BY_TABLE>
DEVICE void option_a(const struct tables<REAL, BY_TABLE> *t, const struct stixels_model *model,
                     const struct class_order *order, const typename forms<REAL>::constants *c,
                     int n_rows, REAL *costs, REAL *tops, struct best<REAL> *kept)
{
    __shared__ REAL least[STIXELS_N_GEOMETRIES][MAX_WARPS];
    __shared__ int least_v_b[STIXELS_N_GEOMETRIES][MAX_WARPS];
    __shared__ struct best<REAL> winner;
    const int v_b = (int)threadIdx.x, lane = v_b % STIXELS_WARP, warp = v_b / STIXELS_WARP;
    const int n_warps = (int)blockDim.x / STIXELS_WARP;

    for (int v = 0; v < n_rows; v++) {
        struct best<REAL> own = nothing_tried<REAL>();
        int chosen[STIXELS_N_GEOMETRIES];

        if (v_b <= v)
            try_stixel<REAL, CLASSES, ROWS>(t, model, order, c, v_b, v, n_rows,
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
            /* in the order of v_b: the first one among equals stays */
            for (int w = 1; w < n_warps; w++)
                if (least[g][w] < energy) {
                    energy = least[g][w];
                    chosen[g] = least_v_b[g][w];
                }
            if (chosen[g] == v_b) {
                costs[STIXELS_N_GEOMETRIES * v + g] = own.cost[g];
                if (g != STIXELS_SKY)
                    tops[STIXELS_N_GEOMETRIES * v + g] = plane_at(own.plane[g], v);
                if (g == STIXELS_OBJECT)
                    tops[STIXELS_N_GEOMETRIES * v + STIXELS_SKY] = kept_of(t, c, v_b, v);
                winner.cost[g] = own.cost[g];
                winner.plane[g] = own.plane[g];
                winner.cut[g] = own.cut[g];
                winner.place[g] = own.place[g];
            }
        }
        __syncthreads();
        /* thread v keeps row v, as in option B; the next winner comes after a barrier */
        if (v_b == v)
            *kept = winner;
    }
}

#endif

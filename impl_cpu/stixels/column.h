/*
 * column.h - one column of blocks to stixels, shared by the CPU variants
 *
 * Source: [STX] sect. 3.2-3.4 and Table 1 (its rows without slant); stixels.h and
 *         stixels/general.h have the definition.  The table of object costs by whole disparity
 *         is the idea of dhernandez0/stixels.
 * Work:   n_rows (n_rows + 1) / 2 candidates for each geometry.  Eq. 12: each in constant time
 *         from the sums; flat models: from prefix sums of the rows' costs, of which an object
 *         has one for each whole disparity; eq. 6: each a sum over its rows.
 */
#ifndef IMPL_CPU_STIXELS_COLUMN_H
#define IMPL_CPU_STIXELS_COLUMN_H

#include "harness/measure/impl.h"
#include "harness/problems/stixels/stixels.h"
#include "harness/problems/stixels/float.h"
#include "harness/problems/stixels/general.h"
#include "impl_cpu/stixels/blocks.h"

/* Arrays over rows have so much room behind them that loops may run over whole vectors. */
#define PADDING 16

/* The float sums, as struct stixels_float_row and struct stixels_moments_float name them. */
#define FLOAT_SUMS(X) X(s0) X(s1) X(s2) X(r0) X(r1) X(ground) X(t0) X(object) X(sky)

/* The float sums of the rows before v, each about its centre (stixels/fit.h); [n_rows + 1]. */
struct float_sums {
#define MEMBER(name) float *name;
    FLOAT_SUMS(MEMBER)
#undef MEMBER
};

/* The best segmentation of rows 0..k that ends in each geometry: its energy, and the disparity
 * of its last stixel at row k; top_down: of rows k..n_rows - 1. */
struct best_double {
    double *cost[STIXELS_N_GEOMETRIES], *edge[STIXELS_N_GEOMETRIES];
};
struct best_float {
    float *cost[STIXELS_N_GEOMETRIES], *edge[STIXELS_N_GEOMETRIES];
};

/* The costs of a flat model; empty for other models. */
struct flat {
    int32_t *ground, *sky; /* [n_rows + 1], cost of the rows before v, 1/1024 nat */
    int32_t *object;       /* [n_rows + 1][disparities], the same about each */
    double *sigma2;        /* [disparities], of an object */
    int32_t *log_z;        /* [disparities], 1/1024 nat; 0 where k_gauss has it */
};

/* A row's cost must fit so often into a prefix sum: 2^31 / 2^10 rows / 2^10. */
#if (STIXELS_MAX_ROWS > 1024)
#error "prefix sums of costs of 2^21 / 1024 nat are too small for so many rows"
#endif

/* One thread's room for one column; arrays have n_rows + 1 + PADDING elements unless stated
 * otherwise, all owned. */
struct column {
    const struct stixels_model *model; /* borrowed, of the frame */
    int n_rows, n_classes;
    int32_t *weight, *disparity; /* 0..65025; 1/256 px, 0 where there is none */
    float *w, *px, *valid;       /* the same for arith = float: 0..1, px, 0 or 1 */
    float *most_px;              /* the greatest disparity from row v on */
    float *road_sigma2;          /* px^2, of a ground whose bottom row is v */
    int32_t *n_valid;            /* before row v */
    int32_t *semantic;      /* [n_classes][stride], cost of the rows before v, 1/1024 nat */
    int16_t *semantic_cost; /* [65536], stixels_semantic_cost of each probability */
    size_t stride;
    int place[STIXELS_MAX_CLASSES]; /* of a class in 'semantic': by geometry */
    /* places of a geometry's classes: fours, its last class again where that takes more */
    int first_of[STIXELS_N_GEOMETRIES + 1];
    struct stixels_sums *sums;
    struct float_sums float_sums;
    struct flat flat;
    struct best_double best_double;
    struct best_float best_float;
    const uint16_t *mean; /* [n_rows], borrowed: 1/256 px, STIXELS_INVALID */
    int32_t *cut;         /* stixels begin and end here: rows 0 to n_rows, ascending */
    int n_cuts;           /* besides 0 */
    int32_t *end[STIXELS_N_GEOMETRIES]; /* of both: the other end of that last stixel */
    struct stixel *found;               /* from the top down */
};

/* BENCH_ESKIP where the variants of eq. 12 cannot take the model; 'cubic' takes eq. 6. */
static inline enum bench_status check_linear(const struct bench_ctx *ctx, const void *input,
                                             const char *cubic)
{
    const struct stixels_model *const model = ((const struct stixels_input *)input)->model;

    FAIL_IF(model->data_term != STIXELS_E12 && !model->flat, BENCH_ESKIP,
            "the uniform part of eq. 6 has no constant-time form; %s sums it over the rows",
            cubic);
    FAIL_IF(bench_is(ctx->params, "arith", "exact") && model->zg == STIXELS_ZG_TRUNCATED,
            BENCH_ESKIP,
            "zg = truncated needs erf and log, whose last bit differs "
            "between machines: it has no exact arithmetic");
    return BENCH_OK;
}

/* The same of eq. 6 alone; 'linear' takes eq. 12. */
static inline enum bench_status check_cubic(const void *input, const char *linear)
{
    const struct stixels_model *const model = ((const struct stixels_input *)input)->model;

    FAIL_IF(model->data_term == STIXELS_E12, BENCH_ESKIP,
            "eq. 12 has a constant-time form, which %s takes; this variant is for eq. 6",
            linear);
    FAIL_IF(stixels_needs_general(model), BENCH_ESKIP, STIXELS_NEEDS_GENERAL);
    return BENCH_OK;
}

/* Each row may begin a stixel. */
static inline void cut_everywhere(struct column *c)
{
    c->n_cuts = c->n_rows;
    for (int v = 0; v <= c->n_rows; v++)
        c->cut[v] = v;
}

static inline enum bench_status column_alloc(struct column *c, const struct stixels_input *in)
{
    const size_t n = (size_t)in->n_rows + 1 + PADDING;
    size_t n_disparities = 0;
    int ok;

    for (int f = 0; f < in->n_frames; f++)
        if (in->model[f].flat && (size_t)stixels_n_disparities(&in->model[f]) > n_disparities)
            n_disparities = (size_t)stixels_n_disparities(&in->model[f]);
    c->n_rows = in->n_rows;
    c->n_classes = in->n_classes;
    c->stride = n;
    ok = ALLOCATE(c->weight, n) && ALLOCATE(c->disparity, n) && ALLOCATE(c->w, n) &&
         ALLOCATE(c->px, n) && ALLOCATE(c->valid, n) && ALLOCATE(c->most_px, n) &&
         ALLOCATE(c->road_sigma2, n) && ALLOCATE(c->n_valid, n) &&
         ALLOCATE(c->semantic, n * ((size_t)in->n_classes + 3 * STIXELS_N_GEOMETRIES)) &&
         ALLOCATE(c->semantic_cost, 65536) && ALLOCATE(c->sums, n) && ALLOCATE(c->found, n) &&
         ALLOCATE(c->cut, n);
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        ok = ok && ALLOCATE(c->best_double.cost[g], n) && ALLOCATE(c->best_double.edge[g], n) &&
             ALLOCATE(c->best_float.cost[g], n) && ALLOCATE(c->best_float.edge[g], n) &&
             ALLOCATE(c->end[g], n);
#define ALLOCATE_SUM(name) ok = ok && ALLOCATE(c->float_sums.name, n);
    FLOAT_SUMS(ALLOCATE_SUM)
#undef ALLOCATE_SUM
    if (n_disparities > 0)
        ok = ok && ALLOCATE(c->flat.ground, n) && ALLOCATE(c->flat.sky, n) &&
             ALLOCATE(c->flat.object, n * n_disparities) &&
             ALLOCATE(c->flat.sigma2, n_disparities) && ALLOCATE(c->flat.log_z, n_disparities);
    NEED(ok, "a column of %d rows with %d classes, %zu disparities", in->n_rows, in->n_classes,
         n_disparities);
    cut_everywhere(c);
    for (int p = 0; p < 65536; p++)
        c->semantic_cost[p] = (int16_t)stixels_semantic_cost((uint32_t)p);
    return BENCH_OK;
}

static inline void column_free(struct column *c)
{
    void *const owned[] = {c->weight,        c->disparity,   c->w,           c->px,
                           c->valid,         c->n_valid,     c->sums,        c->semantic,
                           c->semantic_cost, c->found,       c->flat.ground, c->flat.sky,
                           c->flat.object,   c->flat.sigma2, c->flat.log_z,  c->most_px,
                           c->road_sigma2,   c->cut};

    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        free(c->best_double.cost[g]);
        free(c->best_double.edge[g]);
        free(c->best_float.cost[g]);
        free(c->best_float.edge[g]);
        free(c->end[g]);
    }
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
#define FREE(name) free(c->float_sums.name);
    FLOAT_SUMS(FREE)
#undef FREE
}

static inline void load_sums(struct column *c)
{
    memset(&c->sums[0], 0, sizeof c->sums[0]);
    for (int v = 0; v < c->n_rows; v++) {
        c->sums[v + 1] = c->sums[v];
        stixels_add_row(&c->sums[v + 1], c->weight[v], c->disparity[v], v);
    }
}

/* Summed in double, kept in float: a difference of two lacks no more than their rounding. */
static inline void load_float_sums(struct column *c)
{
    const struct stixels_constants_float k = stixels_constants_of_float(c->model, c->n_rows);
    const struct float_sums *const s = &c->float_sums; /* their first elements are 0 */
    double s0 = 0, s1 = 0, s2 = 0, r0 = 0, r1 = 0, ground = 0, t0 = 0, object = 0, sky = 0;

    for (int v = 0; v < c->n_rows; v++) {
        const struct stixels_float_row row =
            stixels_float_row_of(&k, c->model->horizon, c->w[v], c->px[v], v);

#define ADD(name) s->name[v + 1] = (float)(name += (double)row.name);
        FLOAT_SUMS(ADD)
#undef ADD
    }
}

/* Fills the rows that strips.h needs besides. */
static inline void load_rows(struct column *c)
{
    for (int v = c->n_rows - 1; v >= 0; v--) {
        c->most_px[v] = fmaxf(c->px[v], c->most_px[v + 1]); /* [n_rows] stays 0 */
        c->road_sigma2[v] = (float)stixels_sigma2(c->model, STIXELS_GROUND, v, 0);
    }
}

static inline const int32_t *semantic_sums(const struct column *c, int place)
{
    return c->semantic + (size_t)place * c->stride;
}

/* Sets each class's place: those of a geometry together, those of none last. */
static inline void place_classes(struct column *c)
{
    int n = 0;

    for (int g = 0; g <= STIXELS_N_GEOMETRIES; g++) {
        c->first_of[g < STIXELS_N_GEOMETRIES ? g : STIXELS_N_GEOMETRIES] = n;
        for (int k = 0; k < c->n_classes; k++)
            if (c->model->geometry_of[k] == (g < STIXELS_N_GEOMETRIES ? g : -1))
                c->place[k] = n++;
        if (g < STIXELS_N_GEOMETRIES)
            n = (n + 3) / 4 * 4;
    }
}

/* Fill up each geometry's fours by its last class. */
static inline void repeat_classes(struct column *c)
{
    int n_of[STIXELS_N_GEOMETRIES] = {0};

    for (int k = 0; k < c->n_classes; k++)
        if (c->model->geometry_of[k] >= 0)
            n_of[c->model->geometry_of[k]]++;
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        for (int at = c->first_of[g] + n_of[g]; at < c->first_of[g + 1]; at++)
            memcpy(c->semantic + (size_t)at * c->stride, semantic_sums(c, at - 1),
                   ((size_t)c->n_rows + 1) * sizeof *c->semantic);
}

/* Load block column 'u' of a frame: rows, semantic sums, and the sums of its arithmetic. */
static inline void column_load(struct column *c, const struct stixels_input *in,
                               const struct blocks *blocks, int frame, int u, int exact)
{
    const int n = c->n_rows;
    const size_t at = (size_t)frame * (size_t)in->n_cols + (size_t)u;
    const uint16_t *const d = blocks->disparity + at * (size_t)n;
    const uint8_t *const confidence = blocks->confidence + at * (size_t)n;
    const struct stixels_model *const model = &in->model[frame];

    c->model = model;
    c->mean = d;
    c->n_valid[0] = 0;
    for (int v = 0; v < n; v++) {
        const int valid = d[v] != STIXELS_INVALID;

        c->weight[v] = valid ? stixels_weight_in(model, confidence[v]) : 0;
        c->disparity[v] = valid ? d[v] : 0;
        c->n_valid[v + 1] = c->n_valid[v] + valid;
        c->w[v] = (float)c->weight[v] * (1.0f / STIXELS_WEIGHT_ONE);
        c->px[v] = (float)c->disparity[v] * (1.0f / 256);
        c->valid[v] = (float)valid;
    }
    place_classes(c);
    for (int k = 0; k < c->n_classes; k++) {
        const uint16_t *const p =
            blocks->probability + (at * (size_t)c->n_classes + (size_t)k) * (size_t)n;
        int32_t *const sum = c->semantic + (size_t)c->place[k] * c->stride;

        sum[0] = 0;
        for (int v = 0; v < n; v++)
            sum[v + 1] = sum[v] + c->semantic_cost[p[v]];
    }
    if (exact)
        load_sums(c);
    else {
        load_float_sums(c);
        load_rows(c);
        repeat_classes(c);
    }
}

/* The cheapest semantic class of a geometry over rows v_b .. v_t, 0 where it has none. */
static inline int32_t cheapest_class(const struct column *c, int g, int v_b, int v_t,
                                     uint8_t *semantic)
{
    int32_t least = 0;

    *semantic = STIXELS_NO_CLASS;
    for (int k = 0; k < c->n_classes; k++) {
        const int32_t *const sum = semantic_sums(c, c->place[k]);
        const int32_t cost = sum[v_t + 1] - sum[v_b];

        if (c->model->geometry_of[k] == g && (*semantic == STIXELS_NO_CLASS || cost < least)) {
            least = cost;
            *semantic = (uint8_t)k;
        }
    }
    return least;
}

static inline struct stixels_moments_double
column_moments_double(const struct column *c, const struct stixels_constants_double *constants,
                      int v_b, int v_t)
{
    const struct stixels_sums sums = stixels_between(&c->sums[v_b], &c->sums[v_t + 1]);

    return stixels_exact_moments(constants, &sums, v_b);
}

static inline struct stixels_moments_float
column_moments_float(const struct column *c, const struct stixels_constants_float *constants,
                     int v_b, int v_t)
{
    const struct float_sums *const s = &c->float_sums;

#define BETWEEN(name) .name = s->name[v_t + 1] - s->name[v_b],
    return (struct stixels_moments_float){FLOAT_SUMS(BETWEEN).origin = constants->origin,
                                          .centre = STIXELS_CENTRE_PX};
#undef BETWEEN
}

/* s0 of rows v_b .. v_t. */
static inline float column_weight(const struct column *c, int v_b, int v_t)
{
    return c->float_sums.s0[v_t + 1] - c->float_sums.s0[v_b];
}

/* 'step' of the means of the objects of rows v_b .. v_t and v_b2 .. v_t2; 0 if equal. */
static inline double column_step_double(const struct column *c,
                                        const struct stixels_constants_double *constants,
                                        double step, int v_b, int v_t, int v_b2, int v_t2)
{
    const struct stixels_sums one = stixels_between(&c->sums[v_b], &c->sums[v_t + 1]);
    const struct stixels_sums two = stixels_between(&c->sums[v_b2], &c->sums[v_t2 + 1]);

    (void)constants;
    return v_b < v_b2 ? stixels_exact_step(step, &one, &two)
                      : stixels_exact_step(step, &two, &one);
}

static inline float column_step_float(const struct column *c,
                                      const struct stixels_constants_float *constants,
                                      float step, int v_b, int v_t, int v_b2, int v_t2)
{
    const float weight = column_weight(c, v_b, v_t);

    return stixels_step_float(constants, step,
                              stixels_blur_float(constants, column_weight(c, v_b2, v_t2)),
                              weight > 0 ? weight : 1e6f);
}

/* Eq. 6 over the valid rows of a stixel: exact in integers ... */
static inline double column_rows_double(const struct column *c,
                                        const struct stixels_constants_double *constants, int g,
                                        int v_b, int v_t, struct stixels_plane_double plane)
{
    int64_t sum = 0;

    for (int v = v_b; v <= v_t; v++)
        if (c->n_valid[v + 1] > c->n_valid[v])
            sum += stixels_row_cost(
                c->model, g,
                stixels_r2_double((double)c->weight[v] * (1.0 / STIXELS_WEIGHT_ONE),
                                  (double)c->disparity[v] * (1.0 / 256), plane, v,
                                  constants->inverse_sigma2[g]));
    return (double)sum * (1.0 / 1024);
}

/* ... or in float, in vectors; kept apart, since knowing the plane misleads compilers. */
static __attribute__((noinline, unused)) float
column_rows_float(const struct column *c, const struct stixels_constants_float *constants,
                  int g, int v_b, int v_t, struct stixels_plane_float plane)
{
    const float uniform = (float)c->model->k_uniform[g] * (1.0f / 1024);
    const float gauss = (float)c->model->k_gauss[g] * (1.0f / 1024);
    const float inverse_sigma2 = constants->inverse_sigma2[g];
    const int hard_minimum = c->model->data_term == STIXELS_E6_MIN;
    const float *restrict const w = c->w, *restrict const px = c->px;
    const float *restrict const valid = c->valid;
    float sum = 0;

#pragma omp simd reduction(+ : sum)
    for (int v = v_b; v <= v_t; v++)
        sum += valid[v] *
               stixels_row_cost_float(uniform, gauss,
                                      stixels_r2_float(w[v], px[v], plane, v, inverse_sigma2),
                                      hard_minimum);
    return sum;
}

/* log Z_G in 1/1024 nat where it is not among the model's constants, else 0. */
static inline int32_t own_log_z(const struct stixels_model *model, double sigma2, double d)
{
    if (!model->own_log_z)
        return 0;
    return model->zg == STIXELS_ZG_TRUNCATED ? stixels_truncated_log_z(sigma2, model->d_max, d)
                                             : stixels_log_z(sigma2);
}

#define REAL    double
#define NAME(x) x##_double
#include "impl_cpu/stixels/column_dp.h"
#undef REAL
#undef NAME

#define REAL    float
#define NAME(x) x##_float
#include "impl_cpu/stixels/column_dp.h"
#undef REAL
#undef NAME

/* Segment the loaded column; c->found holds its stixels from the top down.  Returns how many,
 * >= 1.  Flattened: no call is left in the loops. */
static __attribute__((flatten)) int column_segment(struct column *c, int exact)
{
    if (stixels_needs_general(c->model))
        return exact ? segment_double(c, 1) : segment_float(c, 1);
    return exact ? segment_double(c, 0) : segment_float(c, 0);
}

/* The n stixels found, from the bottom up. */
static inline void column_store(const struct column *c, int n, struct stixel *list)
{
    for (int i = 0; i < n; i++)
        list[i] = c->found[n - 1 - i];
}

#endif

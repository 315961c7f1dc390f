/*
 * column.h - one column of blocks to stixels, shared by the CPU variants
 *
 * Source: [STX] sect. 3.2-3.4; stixels.h has the order in which candidates are tried.
 * Work:   n_rows (n_rows + 1) / 2 candidates for each geometry; eq. 12: each in constant time
 *         from the sums; eq. 6: each a sum over its rows.
 */
#ifndef IMPL_CPU_STIXELS_COLUMN_H
#define IMPL_CPU_STIXELS_COLUMN_H

#include "harness/problems/stixels/stixels.h"
#include "harness/problems/stixels/float.h"
#include "impl_cpu/stixels/blocks.h"

/* Arrays over rows are so much longer than they need to be, so that loops may run over whole
 * vectors. */
#define PADDING 16

/* How a column is cut at row k, for each geometry of the stixel that ends there. */
struct choice {
    uint16_t v_b[STIXELS_N_GEOMETRIES];
    uint8_t below[STIXELS_N_GEOMETRIES]; /* geometry, STIXELS_N_GEOMETRIES: nothing */
    uint8_t semantic[STIXELS_N_GEOMETRIES];
};

/* Energy and disparity at row k of the best segmentation of rows 0..k that ends in each
 * geometry. */
struct best_double {
    double cost[STIXELS_N_GEOMETRIES], top[STIXELS_N_GEOMETRIES];
};
struct best_float {
    float cost[STIXELS_N_GEOMETRIES], top[STIXELS_N_GEOMETRIES];
};

/* The float sums of the rows before v, each about its centre (stixels/fit.h); [n_rows + 1]. */
struct float_sums {
    float *s0, *s1, *s2, *r0, *r1, *ground, *t0, *object, *sky;
    float *memory; /* all nine, owned */
};

/* Everything that one thread needs for one column; arrays have n_rows + 1 + PADDING elements
 * unless it says otherwise, all owned. */
struct column {
    const struct stixels_model *model; /* borrowed, of the frame */
    int n_rows, n_classes;
    int32_t *weight, *disparity; /* 0..65025; 1/256 px, 0 where there is none */
    float *w, *px, *valid;       /* the same for arith = float: 0..1, px, 0 or 1 */
    int32_t *n_valid;            /* before row v */
    int32_t *semantic;      /* [n_classes][stride], cost of the rows before v, 1/1024 nat */
    int16_t *semantic_cost; /* [65536], stixels_semantic_cost of each probability */
    size_t stride;
    struct stixels_sums *sums;
    struct float_sums float_sums;
    struct best_double *best_double;
    struct best_float *best_float;
    struct choice *choice;
    struct stixel *found; /* from the top down */
};

static inline enum bench_status column_alloc(struct column *c, const struct stixels_input *in)
{
    const size_t n = (size_t)in->n_rows + 1 + PADDING;
    float **const sum[] = {&c->float_sums.s0, &c->float_sums.s1,     &c->float_sums.s2,
                           &c->float_sums.r0, &c->float_sums.r1,     &c->float_sums.ground,
                           &c->float_sums.t0, &c->float_sums.object, &c->float_sums.sky};
    const size_t n_sums = sizeof sum / sizeof *sum;

    c->n_rows = in->n_rows;
    c->n_classes = in->n_classes;
    c->weight = malloc(n * sizeof *c->weight);
    c->disparity = malloc(n * sizeof *c->disparity);
    c->w = malloc(n * sizeof *c->w);
    c->px = malloc(n * sizeof *c->px);
    c->valid = malloc(n * sizeof *c->valid);
    c->n_valid = calloc(n, sizeof *c->n_valid);
    c->stride = n;
    c->semantic = calloc(n * (size_t)in->n_classes + 1, sizeof *c->semantic);
    c->semantic_cost = malloc(65536 * sizeof *c->semantic_cost);
    c->sums = malloc(n * sizeof *c->sums);
    c->float_sums.memory = calloc(n_sums * n, sizeof *c->float_sums.memory);
    c->best_double = malloc(n * sizeof *c->best_double);
    c->best_float = malloc(n * sizeof *c->best_float);
    c->choice = malloc(n * sizeof *c->choice);
    c->found = malloc(n * sizeof *c->found);
    if (!c->weight || !c->disparity || !c->w || !c->px || !c->valid || !c->n_valid ||
        !c->semantic || !c->semantic_cost || !c->sums || !c->float_sums.memory ||
        !c->best_double || !c->best_float || !c->choice || !c->found)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for a column of %d rows with %d classes",
                          in->n_rows, in->n_classes);
    for (size_t i = 0; i < n_sums; i++)
        *sum[i] = c->float_sums.memory + i * n;
    for (int p = 0; p < 65536; p++)
        c->semantic_cost[p] = (int16_t)stixels_semantic_cost((uint32_t)p);
    return BENCH_OK;
}

static inline void column_free(struct column *c)
{
    free(c->weight);
    free(c->disparity);
    free(c->w);
    free(c->px);
    free(c->valid);
    free(c->n_valid);
    free(c->semantic);
    free(c->sums);
    free(c->semantic_cost);
    free(c->float_sums.memory);
    free(c->best_double);
    free(c->best_float);
    free(c->choice);
    free(c->found);
}

static inline void load_sums(struct column *c)
{
    memset(&c->sums[0], 0, sizeof c->sums[0]);
    for (int v = 0; v < c->n_rows; v++) {
        c->sums[v + 1] = c->sums[v];
        stixels_add_row(&c->sums[v + 1], c->weight[v], c->disparity[v], v);
    }
}

/* Summed in double, kept in float: what a difference of two then lacks is the rounding of the
 * two alone. */
static inline void load_float_sums(struct column *c)
{
    const struct stixels_constants_float k = stixels_constants_of_float(c->model);
    const struct float_sums *const s = &c->float_sums; /* their first elements are 0 */
    double s0 = 0, s1 = 0, s2 = 0, r0 = 0, r1 = 0, ground = 0, t0 = 0, object = 0, sky = 0;

    for (int v = 0; v < c->n_rows; v++) {
        const struct stixels_float_row row =
            stixels_float_row_of(&k, c->model->horizon, c->w[v], c->px[v], v);

        s->s0[v + 1] = (float)(s0 += (double)row.s0);
        s->s1[v + 1] = (float)(s1 += (double)row.s1);
        s->s2[v + 1] = (float)(s2 += (double)row.s2);
        s->r0[v + 1] = (float)(r0 += (double)row.r0);
        s->r1[v + 1] = (float)(r1 += (double)row.r1);
        s->ground[v + 1] = (float)(ground += (double)row.ground);
        s->t0[v + 1] = (float)(t0 += (double)row.t0);
        s->object[v + 1] = (float)(object += (double)row.object);
        s->sky[v + 1] = (float)(sky += (double)row.sky);
    }
}

/* The block column 'u' of a frame: rows, semantic sums, and the sums that 'exact' or float
 * arithmetic needs. */
static inline void column_load(struct column *c, const struct stixels_input *in,
                               const struct blocks *blocks, int frame, int u, int exact)
{
    const int n = c->n_rows;
    const size_t at = (size_t)frame * (size_t)in->n_cols + (size_t)u;
    const uint16_t *const d = blocks->disparity + at * (size_t)n;
    const uint8_t *const confidence = blocks->confidence + at * (size_t)n;
    const struct stixels_model *const model = &in->model[frame];

    c->model = model;
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
    for (int k = 0; k < c->n_classes; k++) {
        const uint16_t *const p =
            blocks->probability + (at * (size_t)c->n_classes + (size_t)k) * (size_t)n;
        int32_t *const sum = c->semantic + (size_t)k * c->stride;

        sum[0] = 0;
        for (int v = 0; v < n; v++)
            sum[v + 1] = sum[v] + c->semantic_cost[p[v]];
    }
    if (exact)
        load_sums(c);
    else
        load_float_sums(c);
}

/* The cheapest semantic class of a geometry over rows v_b .. v_t, 0 where it has none. */
static inline int32_t cheapest_class(const struct column *c, int g, int v_b, int v_t,
                                     uint8_t *semantic)
{
    int32_t least = 0;

    *semantic = STIXELS_NO_CLASS;
    for (int k = 0; k < c->n_classes; k++) {
        const int32_t *const sum = c->semantic + (size_t)k * c->stride;
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
    const int high = v_t + 1;

    return (struct stixels_moments_float){
        .s0 = s->s0[high] - s->s0[v_b],
        .s1 = s->s1[high] - s->s1[v_b],
        .s2 = s->s2[high] - s->s2[v_b],
        .r0 = s->r0[high] - s->r0[v_b],
        .r1 = s->r1[high] - s->r1[v_b],
        .ground = s->ground[high] - s->ground[v_b],
        .t0 = s->t0[high] - s->t0[v_b],
        .object = s->object[high] - s->object[v_b],
        .sky = s->sky[high] - s->sky[v_b],
        .origin = constants->origin,
        .centre = STIXELS_CENTRE_PX,
    };
}

/* Eq. 6 over the rows of a stixel, the rows without a disparity left out: exact in integers
 * ... */
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

/* ... or in float, in vectors: kept apart, since what a caller knows of the plane misleads
 * compilers. */
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
 * at least 1. */
static inline int column_segment(struct column *c, int exact)
{
    return exact ? column_segment_double(c) : column_segment_float(c);
}

/* The n stixels found, from the bottom up. */
static inline void column_store(const struct column *c, int n, struct stixel *list)
{
    for (int i = 0; i < n; i++)
        list[i] = c->found[n - 1 - i];
}

#endif

/*
 * team.h - stixels/openmp and stixels/cubic-openmp: the paper's dynamic programming on all
 * cores: columns over threads, rows of a column over lanes
 *
 * Source: [STX] eq. 8, 9 and 12; cubic-openmp: eq. 6, by stixels/cubic-serial's own loop, whose
 *         sum over a stixel's rows runs in vectors under arith = float.  Eq. 12 is fast, since:
 *         - The loops are turned round as on the GPU (sect. 4.4, option B): for each bottom row
 *           v_b, all top rows v_t >= v_b at once, in vectors; the best segmentations below v_b
 *           are the same for all of them.
 *         - Only energies, disparities and bottom rows are kept; semantic class, plane and
 *           geometry below are found again for the few stixels of the result.
 *         - The semantic sums are read class by class over a strip of rows that stays in the
 *           first cache.
 *         - Logarithms of the 65536 probabilities that a block can have come from a table.
 *         arith = exact, and models that are neither b12 nor b6, run stixels/serial's own loop
 *         over the columns, which says nothing of that code.  float_by_hand in
 *         tests/test_stixels.c and compare() hold it against the exact optimum of each column.
 *         Down-sampling spreads rows of blocks over the threads, segmentation columns; each
 *         thread leaves its columns' stixels in their own slots, which are then compacted.
 * Work:   as stixels/serial and stixels/cubic-serial.
 */
#ifndef STIXELS_TEAM_H
#define STIXELS_TEAM_H

#include "impl_cpu/stixels/column.h"

#include <omp.h>

#define STRIP \
    128 /* top rows tried together: one strip of every array fits in the first cache */

static const struct bench_key team_keys[] = {
    {"chunk", "1", "columns", "columns that a thread fetches at a time", BENCH_INT, 1, 32768,
     NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

struct state {
    const struct stixels_input *in; /* borrowed */
    struct stixels_output *out;     /* borrowed */
    const struct bench_ctx *ctx;    /* borrowed */
    struct blocks blocks;
    struct column *column; /* [n_threads], owned */
    struct stixel *found;  /* [n_frames * n_cols][n_rows], owned */
    int32_t *n_found;      /* [n_frames * n_cols], owned */
    int n_threads, chunk, exact;
};

/* The cheapest class of geometry g over rows v_b .. k, for the n top rows k from 'from'; 0
 * where there is none. */
static inline void strip_semantics(const struct column *c, int g, int v_b, int from, int n,
                                   int32_t *restrict cheapest)
{
    int any = 0;

    n = n / PADDING * PADDING;
    for (int k = 0; k < c->n_classes; k++) {
        const int32_t *restrict const sum = c->semantic + (size_t)k * c->stride;
        const int32_t *restrict const high = sum + from + 1;
        const int32_t low = sum[v_b];

        if (c->model->geometry_of[k] != g)
            continue;
        if (!any) {
            for (int i = 0; i < n; i++)
                cheapest[i] = high[i] - low;
        } else {
            for (int i = 0; i < n; i++) {
                const int32_t cost = high[i] - low;

                cheapest[i] = cost < cheapest[i] ? cost : cheapest[i];
            }
        }
        any = 1;
    }
    if (!any)
        memset(cheapest, 0, (size_t)n * sizeof *cheapest);
}

/* Try the stixels of geometry g from row v_b up to each of n rows from 'from', a multiple of
 * PADDING of them; those from 'end' on are left as they are.  g and v_b == 0 are constants
 * where this is compiled in. */
static inline __attribute__((always_inline)) void
try_strip(const struct column *c, const struct stixels_constants_float *constants, int g,
          int v_b, int from, int n, int end)
{
    const struct float_sums *const sums = &c->float_sums;
#define HIGH(name) const float *restrict const name = sums->name + from + 1;
    FLOAT_SUMS(HIGH)
#undef HIGH
#define LOW(name) .name = sums->name[v_b],
    const struct stixels_moments_float low = {FLOAT_SUMS(LOW)};
#undef LOW
    const struct stixels_constants_float k = *constants;
    const int32_t *restrict const n_valid = c->n_valid + from + 1;
    const int32_t n_valid_low = c->n_valid[v_b];
    float *restrict const cost = c->best_float.cost[g] + from;
    float *restrict const top = c->best_float.edge[g] + from;
    int32_t *restrict const bottom = c->end[g] + from;
    float below_cost[STIXELS_N_GEOMETRIES], below_top[STIXELS_N_GEOMETRIES];
    int32_t semantic[STRIP] = {0};

    n = n / PADDING * PADDING; /* no remainder: compilers see it */
    strip_semantics(c, g, v_b, from, n, semantic);
    for (int lower = 0; lower < STIXELS_N_GEOMETRIES; lower++) {
        below_cost[lower] = v_b > 0 ? c->best_float.cost[lower][v_b - 1] : 0;
        below_top[lower] = v_b > 0 ? c->best_float.edge[lower][v_b - 1] : 0;
    }
#pragma omp simd
    for (int i = 0; i < n; i++) {
        const int v_t = from + i;
        const int valid = n_valid[i] - n_valid_low;
#define BETWEEN(name) .name = name[i] - low.name,
        const struct stixels_moments_float m = {FLOAT_SUMS(BETWEEN).origin = k.origin,
                                                .centre = STIXELS_CENTRE_PX};
#undef BETWEEN
        struct stixels_plane_float plane = {0, 0};
        float energy;
        int below, better;

        if (g == STIXELS_GROUND) /* not fit_float(), which hides from vectors what it does */
            plane = stixels_fit_ground_float(&k, &m, &energy);
        else if (g == STIXELS_OBJECT)
            plane = stixels_fit_object_float(&k, &m, &energy);
        else
            energy = m.sky * k.inverse_sigma2[STIXELS_SKY];
        energy =
            stixels_own_float(&k, g, energy, valid, v_t + 1 - v_b - valid, (float)semantic[i]);
        if (v_b > 0)
            energy = stixels_link_float(&k, g, energy, stixels_at_float(plane, v_b), below_cost,
                                        below_top, &below);
        better = (energy < cost[i]) & (v_t < end);
        top[i] = better ? stixels_at_float(plane, v_t) : top[i];
        bottom[i] = better ? v_b : bottom[i];
        cost[i] = better ? energy : cost[i];
    }
}

static inline __attribute__((always_inline)) void
try_rows(const struct column *c, const struct stixels_constants_float *constants, int g,
         int v_b, int end)
{
    for (int from = v_b; from < end; from += STRIP) {
        const int left = (end - from + PADDING - 1) / PADDING * PADDING;
        const int n = left < STRIP ? left : STRIP;

        if (v_b > 0)
            try_strip(c, constants, g, v_b, from, n, end);
        else
            try_strip(c, constants, g, 0, from, n, end);
    }
}

static int segment_strips(struct column *c)
{
    const struct stixels_constants_float constants = stixels_constants_of_float(c->model);
    const int n_rows = c->n_rows, horizon = c->model->horizon;
    const int ground_end = horizon + 1 < n_rows - 1 ? horizon + 1 : n_rows - 1;

    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        for (int k = 0; k < n_rows; k++)
            c->best_float.cost[g][k] = STIXELS_FORBIDDEN;
    for (int v_b = 0; v_b < n_rows; v_b++) {
        try_rows(c, &constants, STIXELS_OBJECT, v_b, n_rows);
        try_rows(c, &constants, STIXELS_GROUND, v_b, ground_end);
        if (v_b > horizon)
            try_rows(c, &constants, STIXELS_SKY, v_b, n_rows);
    }
    return backtrack_float(c, &constants, 0);
}

/* Segment the loaded column; returns how many stixels it left in c->found. */
static int segment_one(struct column *c, int exact)
{
    const int strips = c->model->data_term == STIXELS_E12 && !stixels_needs_general(c->model);

    return strips && !exact ? segment_strips(c) : column_segment(c, exact);
}

static enum bench_status setup_any(struct state *s, const struct bench_ctx *ctx,
                                   const void *input, void *output)
{
    size_t n_columns;

    s->in = input;
    s->out = output;
    s->ctx = ctx;
    s->exact = bench_is(ctx->params, "arith", "exact");
    s->n_threads = ctx->n_threads;
    s->chunk = bench_int(ctx->params, "chunk");
    n_columns = (size_t)s->in->n_frames * (size_t)s->in->n_cols;
    if (!ALLOCATE(s->column, (size_t)s->n_threads) ||
        !ALLOCATE(s->found, n_columns * (size_t)s->in->n_rows) ||
        !ALLOCATE(s->n_found, n_columns))
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the stixels of %zu columns", n_columns);
    TRY(blocks_alloc(&s->blocks, s->in, s->n_threads));
    for (int t = 0; t < s->n_threads; t++)
        TRY(column_alloc(&s->column[t], s->in));
    return BENCH_OK;
}

static void downsample(const struct state *s)
{
    const struct stixels_input *in = s->in;
    struct blocks blocks = s->blocks;
    const int n_tiles = (in->n_rows + TILE_ROWS - 1) / TILE_ROWS;

#pragma omp parallel for collapse(3) schedule(dynamic) num_threads(s->n_threads)
    for (int frame = 0; frame < in->n_frames; frame++)
        for (int k = -1; k < in->n_classes; k++) /* -1: disparity and confidence */
            for (int t = 0; t < n_tiles; t++) {
                const size_t thread = (size_t)omp_get_thread_num();
                const int j = t * TILE_ROWS;
                const int n = in->n_rows - j < TILE_ROWS ? in->n_rows - j : TILE_ROWS;
                uint32_t *const scratch = blocks.scratch + thread * 3 * (size_t)in->width;

                if (k >= 0)
                    downsample_class(in, frame, k, j, n, &blocks, scratch,
                                     blocks.tile + thread * TILE_ROWS * (size_t)in->n_cols);
                else
                    for (int i = 0; i < n; i++)
                        downsample_depth(in, frame, j + i, &blocks, scratch);
            }
}

static void segment(const struct state *s)
{
    const struct stixels_input *in = s->in;
    const int n_columns = in->n_frames * in->n_cols;

#pragma omp parallel num_threads(s->n_threads)
    {
        struct column *const c = &s->column[omp_get_thread_num()];

#pragma omp for schedule(dynamic, s->chunk)
        for (int i = 0; i < n_columns; i++) {
            column_load(c, in, &s->blocks, i / in->n_cols, i % in->n_cols, s->exact);
            s->n_found[i] = segment_one(c, s->exact);
            column_store(c, s->n_found[i], s->found + (size_t)i * (size_t)in->n_rows);
        }
    }
}

static void compact(const struct state *s)
{
    const int n_columns = s->in->n_frames * s->in->n_cols;
    const size_t n_rows = (size_t)s->in->n_rows;
    int32_t *const first = s->out->first;

    first[0] = 0;
    for (int i = 0; i < n_columns; i++)
        first[i + 1] = first[i] + s->n_found[i];
#pragma omp parallel for schedule(static) num_threads(s->n_threads)
    for (int i = 0; i < n_columns; i++)
        memcpy(s->out->list + first[i], s->found + (size_t)i * n_rows,
               (size_t)s->n_found[i] * sizeof *s->out->list);
    memset(s->out->list + first[n_columns], 0,
           ((size_t)n_columns * n_rows - (size_t)first[n_columns]) * sizeof *s->out->list);
}

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;

    downsample(s);
    bench_stage(s->ctx->stages, "downsample");
    segment(s);
    bench_stage(s->ctx->stages, "dynamic programming");
    compact(s);
    bench_stage(s->ctx->stages, "compact");
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    for (int t = 0; s->column && t < s->n_threads; t++)
        column_free(&s->column[t]);
    free(s->column);
    free(s->found);
    free(s->n_found);
    blocks_free(&s->blocks);
}

#endif

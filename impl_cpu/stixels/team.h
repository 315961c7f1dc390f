/*
 * team.h - what stixels/openmp and stixels/cubic-openmp share: all but how one column is
 * segmented
 *
 * Down-sampling spreads rows of blocks over the threads, segmentation columns; each thread
 * leaves its columns' stixels in their own slots, which are then compacted.
 */
#ifndef IMPL_CPU_STIXELS_TEAM_H
#define IMPL_CPU_STIXELS_TEAM_H

#include "harness/measure/impl.h"
#include "impl_cpu/stixels/column.h"
#include "impl_cpu/stixels/flat_tables.h"

#include <omp.h>

static const struct bench_key team_keys[] = {
    {"chunk", "1", "columns", "columns that a thread fetches at a time", BENCH_INT, 1, 32768,
     NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

/* Best segmentations that end at each row, by arrays. */
struct table {
    float *cost[STIXELS_N_GEOMETRIES], *top[STIXELS_N_GEOMETRIES]; /* [n_rows + PADDING] */
    int32_t *v_b[STIXELS_N_GEOMETRIES];
    float *memory;
    int32_t *rows;
};

struct worker {
    struct column column;
    struct general general;
    struct table table;
};

struct state {
    const struct stixels_input *in; /* borrowed */
    struct stixels_output *out;     /* borrowed */
    const struct bench_ctx *ctx;    /* borrowed */
    struct blocks blocks;
    struct worker *worker; /* [n_threads], owned */
    struct stixel *found;  /* [n_frames * n_cols][n_rows], owned */
    int32_t *n_found;      /* [n_frames * n_cols], owned */
    int n_threads, chunk, exact, is_general;
};

static enum bench_status setup_team(struct state *s, const struct bench_ctx *ctx,
                                    const void *input, void *output)
{
    size_t n_columns, n;

    s->in = input;
    s->out = output;
    s->ctx = ctx;
    s->exact = bench_is(ctx->params, "arith", "exact");
    s->is_general = stixels_needs_general(&s->in->model[0]);
    s->n_threads = ctx->n_threads;
    s->chunk = bench_int(ctx->params, "chunk");
    n_columns = (size_t)s->in->n_frames * (size_t)s->in->n_cols;
    n = (size_t)s->in->n_rows + PADDING;
    s->worker = calloc((size_t)s->n_threads, sizeof *s->worker);
    s->found = malloc(n_columns * (size_t)s->in->n_rows * sizeof *s->found);
    s->n_found = malloc(n_columns * sizeof *s->n_found);
    if (!s->worker || !s->found || !s->n_found)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the stixels of %zu columns", n_columns);
    TRY(blocks_alloc(&s->blocks, s->in, s->n_threads));
    for (int t = 0; t < s->n_threads; t++) {
        struct table *const table = &s->worker[t].table;

        TRY(column_alloc(&s->worker[t].column, s->in));
        if (s->is_general)
            TRY(general_alloc(&s->worker[t].general, s->in));
        table->memory = calloc(2 * STIXELS_N_GEOMETRIES * n, sizeof *table->memory);
        table->rows = calloc(STIXELS_N_GEOMETRIES * n, sizeof *table->rows);
        if (!table->memory || !table->rows)
            return BENCH_FAIL(BENCH_ENOMEM, "no memory for a table of %zu rows", n);
        for (size_t g = 0; g < STIXELS_N_GEOMETRIES; g++) {
            table->cost[g] = table->memory + 2 * g * n;
            table->top[g] = table->memory + (2 * g + 1) * n;
            table->v_b[g] = table->rows + g * n;
        }
    }
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

/* 'segment_one' segments a loaded column and returns how many stixels it left in
 * column.found. */
static void segment(const struct state *s, int (*segment_one)(struct worker *worker, int exact))
{
    const struct stixels_input *in = s->in;
    const int n_columns = in->n_frames * in->n_cols;

#pragma omp parallel num_threads(s->n_threads)
    {
        struct worker *const worker = &s->worker[omp_get_thread_num()];
        struct column *const c = &worker->column;

#pragma omp for schedule(dynamic, s->chunk)
        for (int i = 0; i < n_columns; i++) {
            column_load(c, in, &s->blocks, i / in->n_cols, i % in->n_cols, s->exact);
            s->n_found[i] = segment_one(worker, s->exact);
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

static enum bench_status run_team(const struct state *s,
                                  int (*segment_one)(struct worker *worker, int exact))
{
    downsample(s);
    bench_lap(s->ctx->laps, "downsample");
    segment(s, segment_one);
    bench_lap(s->ctx->laps, "dynamic programming");
    compact(s);
    bench_lap(s->ctx->laps, "compact");
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    for (int t = 0; s->worker && t < s->n_threads; t++) {
        column_free(&s->worker[t].column);
        general_free(&s->worker[t].general);
        free(s->worker[t].table.memory);
        free(s->worker[t].table.rows);
    }
    free(s->worker);
    free(s->found);
    free(s->n_found);
    blocks_free(&s->blocks);
}

#endif

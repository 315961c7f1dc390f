/*
 * team.h - stixels/openmp and stixels/cubic-openmp: the paper's dynamic programming on all
 * cores: columns over threads, rows of a column over lanes
 *
 * Source: [STX] eq. 8, 9 and 12, in strips (strips.h); cubic-openmp: eq. 6, by
 *         stixels/cubic-serial's own loop, whose sum over a stixel's rows runs in vectors under
 *         arith = float.
 *         - Logarithms of the 65536 probabilities that a block can have come from a table.
 *         - arith = exact, and models that strips are not for, run stixels/serial's own loop
 *           over the columns, which says nothing of the strips.  float_by_hand in
 *           tests/test_stixels.c and compare() hold those against the exact optimum of each
 *           column.
 *         - Down-sampling spreads rows of blocks over the threads, segmentation columns; each
 *           thread leaves its columns' stixels in their own slots, which are then compacted.
 * Work:   as stixels/serial and stixels/cubic-serial.
 */
#ifndef STIXELS_TEAM_H
#define STIXELS_TEAM_H

#include "impl_cpu/stixels/cuts.h"

#include <omp.h>

#define CHUNK_KEY                                                                         \
    {                                                                                     \
        "chunk", "1", "columns", "columns that a thread fetches at a time", BENCH_INT, 1, \
            32768, NULL                                                                   \
    }

#define PRUNE_KEY                                                                 \
    {                                                                             \
        "prune", "proved", "",                                                    \
            "proved: leave out stixels that cannot win, by a bound (b12, float)", \
            BENCH_CHOICE, 0, 0, "proved|none"                                     \
    }

/* The members of a descriptor that all variants of this file share. */
#define TEAM_HOOKS                                                     \
    .problem = &stixels_problem, .target = BENCH_OPENMP, .keys = keys, \
    .state_size = sizeof(struct state), .setup = setup, .run = run, .teardown = teardown

struct state {
    const struct stixels_input *in; /* borrowed */
    struct stixels_output *out;     /* borrowed */
    const struct bench_ctx *ctx;    /* borrowed */
    struct blocks blocks;
    struct column *column; /* [n_threads], owned */
    struct cuts *cuts;     /* [n_threads], owned; NULL: each row may be cut */
    struct stixel *found;  /* [n_frames * n_cols][n_rows], owned */
    int32_t *n_found;      /* [n_frames * n_cols], owned */
    int n_threads, chunk, exact, is_pruned;
};

/* Segment a thread's loaded column; returns how many stixels it left in c->found. */
static int segment_one(const struct state *s, int thread)
{
    struct column *const c = &s->column[thread];

    if (s->cuts)
        return cuts_segment(&s->cuts[thread], c, s->exact, s->is_pruned);
    return strips_take(c->model) && !s->exact ? strips_segment(c, NULL, s->is_pruned)
                                              : column_segment(c, s->exact);
}

static enum bench_status setup_any(struct state *s, const struct bench_ctx *ctx,
                                   const void *input, void *output)
{
    size_t n_columns;

    s->in = input;
    s->out = output;
    s->ctx = ctx;
    s->exact = bench_is(ctx->params, "arith", "exact");
    s->is_pruned = bench_has(ctx->params, "prune") && bench_is(ctx->params, "prune", "proved");
    s->n_threads = ctx->n_threads;
    s->chunk = bench_int(ctx->params, "chunk");
    n_columns = (size_t)s->in->n_frames * (size_t)s->in->n_cols;
    NEED(ALLOCATE(s->column, (size_t)s->n_threads) &&
             ALLOCATE(s->found, n_columns * (size_t)s->in->n_rows) &&
             ALLOCATE(s->n_found, n_columns),
         "the stixels of %zu columns", n_columns);
    TRY(blocks_alloc(&s->blocks, s->in, s->n_threads));
    for (int t = 0; t < s->n_threads; t++)
        TRY(column_alloc(&s->column[t], s->in));
    return BENCH_OK;
}

/* The same for cuts at candidate rows. */
static inline enum bench_status setup_cuts(struct state *s, const struct bench_ctx *ctx,
                                           const void *input, void *output)
{
    NEED(ALLOCATE(s->cuts, (size_t)ctx->n_threads), "the cuts of %d threads", ctx->n_threads);
    s->n_threads = ctx->n_threads;
    for (int t = 0; t < ctx->n_threads; t++)
        TRY(cuts_alloc(&s->cuts[t], ctx, input));
    return setup_any(s, ctx, input, output);
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
        const int thread = omp_get_thread_num();
        struct column *const c = &s->column[thread];

#pragma omp for schedule(dynamic, s->chunk)
        for (int i = 0; i < n_columns; i++) {
            column_load(c, in, &s->blocks, i / in->n_cols, i % in->n_cols, s->exact);
            s->n_found[i] = segment_one(s, thread);
            column_store(c, s->n_found[i], s->found + (size_t)i * (size_t)in->n_rows);
        }
    }
}

static void compact(const struct state *s)
{
    const int n_columns = s->in->n_frames * s->in->n_cols;
    const size_t n_rows = (size_t)s->in->n_rows, capacity = (size_t)n_columns * n_rows;
    int32_t *const first = s->out->first;

    first[0] = 0;
    for (int i = 0; i < n_columns; i++)
        first[i + 1] = first[i] + s->n_found[i];
#pragma omp parallel for schedule(static) num_threads(s->n_threads)
    for (int i = 0; i < n_columns; i++) {
        /* with each column as much of what is behind the last one */
        const size_t n_zeros = n_rows - (size_t)s->n_found[i];

        memcpy(s->out->list + first[i], s->found + (size_t)i * n_rows,
               (size_t)s->n_found[i] * sizeof *s->out->list);
        memset(s->out->list + capacity - ((size_t)i * n_rows - (size_t)first[i]) - n_zeros, 0,
               n_zeros * sizeof *s->out->list);
    }
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
    for (int t = 0; s->cuts && t < s->n_threads; t++)
        column_free(&s->cuts[t].cells);
    free(s->cuts);
    free(s->column);
    free(s->found);
    free(s->n_found);
    blocks_free(&s->blocks);
}

#endif

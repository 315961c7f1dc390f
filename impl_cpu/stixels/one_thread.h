/*
 * one_thread.h - what stixels/serial and stixels/cubic-serial share: all but the model that
 * they take
 */
#ifndef IMPL_CPU_STIXELS_ONE_THREAD_H
#define IMPL_CPU_STIXELS_ONE_THREAD_H

#include "harness/measure/impl.h"
#include "impl_cpu/stixels/column.h"
#include "impl_cpu/stixels/flat_tables.h"

struct state {
    const struct stixels_input *in; /* borrowed */
    struct stixels_output *out;     /* borrowed */
    const struct bench_ctx *ctx;    /* borrowed */
    struct blocks blocks;
    struct column column;
    struct general general;
    int exact, is_general;
};

static enum bench_status setup_one(struct state *s, const struct bench_ctx *ctx,
                                   const void *input, void *output)
{
    s->in = input;
    s->out = output;
    s->ctx = ctx;
    s->exact = bench_is(ctx->params, "arith", "exact");
    s->is_general = stixels_needs_general(&s->in->model[0]);
    if (s->is_general)
        TRY(general_alloc(&s->general, s->in));
    TRY(blocks_alloc(&s->blocks, s->in, 1));
    return column_alloc(&s->column, s->in);
}

/* 'segment_one' segments the loaded column and returns how many stixels it left in
 * s->column.found. */
static enum bench_status run_one(struct state *s, int (*segment_one)(struct state *s))
{
    const struct stixels_input *in = s->in;
    const size_t n_columns = (size_t)in->n_frames * (size_t)in->n_cols;
    size_t n_found = 0;

    for (int frame = 0; frame < in->n_frames; frame++) {
        for (int j = 0; j < in->n_rows; j++)
            downsample_depth(in, frame, j, &s->blocks, s->blocks.scratch);
        for (int k = 0; k < in->n_classes; k++)
            for (int j = 0; j < in->n_rows; j += TILE_ROWS)
                downsample_class(in, frame, k, j,
                                 in->n_rows - j < TILE_ROWS ? in->n_rows - j : TILE_ROWS,
                                 &s->blocks, s->blocks.scratch, s->blocks.tile);
    }
    bench_lap(s->ctx->laps, "downsample");
    for (int frame = 0; frame < in->n_frames; frame++)
        for (int u = 0; u < in->n_cols; u++) {
            int n;

            column_load(&s->column, in, &s->blocks, frame, u, s->exact);
            n = segment_one(s);
            column_store(&s->column, n, s->out->list + n_found);
            s->out->first[(size_t)frame * (size_t)in->n_cols + (size_t)u] = (int32_t)n_found;
            n_found += (size_t)n;
        }
    s->out->first[n_columns] = (int32_t)n_found;
    memset(s->out->list + n_found, 0,
           (n_columns * (size_t)in->n_rows - n_found) * sizeof *s->out->list);
    bench_lap(s->ctx->laps, "dynamic programming");
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    column_free(&s->column);
    general_free(&s->general);
    blocks_free(&s->blocks);
}

#endif

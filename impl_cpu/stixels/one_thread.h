/*
 * one_thread.h - stixels/serial and stixels/cubic-serial: down-sample, then column by column
 *
 * Source: [STX] sect. 3.2-3.4 and 4.2: eq. 8, 9 and 12, constant time per candidate;
 *         cubic-serial takes the older model (its ref. 12), eq. 6: planes in constant time from
 *         the sums, depth energies row by row.  Under arith = exact the references.
 *         Models that are neither b12 nor b6 are serial's, in constant time per candidate, too.
 * Work:   every pixel of every plane once; 3 n_rows (n_rows + 1) / 2 candidates per column, or
 *         3 n_rows (n_rows + 1) (n_rows + 2) / 6 row terms.
 */
#ifndef STIXELS_ONE_THREAD_H
#define STIXELS_ONE_THREAD_H

#include "impl_cpu/stixels/column.h"

struct state {
    const struct stixels_input *in; /* borrowed */
    struct stixels_output *out;     /* borrowed */
    const struct bench_ctx *ctx;    /* borrowed */
    struct blocks blocks;
    struct column column;
    int exact;
};

static enum bench_status setup_any(struct state *s, const struct bench_ctx *ctx,
                                   const void *input, void *output)
{
    s->in = input;
    s->out = output;
    s->ctx = ctx;
    s->exact = bench_is(ctx->params, "arith", "exact");
    TRY(blocks_alloc(&s->blocks, s->in, 1));
    return column_alloc(&s->column, s->in);
}

static enum bench_status run(void *opaque)
{
    struct state *const s = opaque;
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
    bench_stage(s->ctx->stages, "downsample");
    for (int frame = 0; frame < in->n_frames; frame++)
        for (int u = 0; u < in->n_cols; u++) {
            int n;

            column_load(&s->column, in, &s->blocks, frame, u, s->exact);
            n = column_segment(&s->column, s->exact);
            column_store(&s->column, n, s->out->list + n_found);
            s->out->first[(size_t)frame * (size_t)in->n_cols + (size_t)u] = (int32_t)n_found;
            n_found += (size_t)n;
        }
    s->out->first[n_columns] = (int32_t)n_found;
    memset(s->out->list + n_found, 0,
           (n_columns * (size_t)in->n_rows - n_found) * sizeof *s->out->list);
    bench_stage(s->ctx->stages, "dynamic programming");
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    column_free(&s->column);
    blocks_free(&s->blocks);
}

#endif

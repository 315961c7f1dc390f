/*
 * segment.h - one column by Algorithm 1, and the state that the variants of this folder have
 *
 * Source: [RDP] Algorithm 1; rdp/cut.h has its steps.
 */
#ifndef IMPL_CPU_RDP_SEGMENT_H
#define IMPL_CPU_RDP_SEGMENT_H

#include "harness/measure/impl.h"
#include "harness/problems/rdp/cut.h"
#include "harness/problems/rdp/rdp.h"

#include <stdlib.h>
#include <string.h>

struct state {
    const struct rdp_input *in;   /* borrowed */
    const struct rdp_output *out; /* borrowed */
    size_t n_columns;             /* of all frames */
    int n_threads;
    int chunk, cutoff; /* as the variant's keys; -1: it has none of that name */
    void *scratch;     /* [n_threads], what each needs for itself, owned */
};

static inline int own_key(const struct bench_params *params, const char *name)
{
    return bench_has(params, name) ? bench_int(params, name) : -1;
}

static inline enum bench_status setup_scratch(struct state *s, const struct bench_ctx *ctx,
                                              const void *input, void *output,
                                              size_t bytes_of_a_thread)
{
    s->in = input;
    s->out = output;
    s->n_columns = (size_t)s->in->n_frames * (size_t)s->in->n_cols;
    s->n_threads = ctx->n_threads;
    s->chunk = own_key(ctx->params, "chunk");
    s->cutoff = own_key(ctx->params, "cutoff");
    s->scratch = malloc((size_t)s->n_threads * bytes_of_a_thread);
    NEED(s->scratch, "the stacks of %d threads", s->n_threads);
    return BENCH_OK;
}

static inline enum bench_status setup(void *opaque, const struct bench_ctx *ctx,
                                      const void *input, void *output)
{
    return setup_scratch(opaque, ctx, input, output, sizeof(struct rdp_walk));
}

static inline void teardown(void *opaque)
{
    free(((struct state *)opaque)->scratch);
}

static inline struct rdp_walk *walk_of(const struct state *s, int thread)
{
    return (struct rdp_walk *)s->scratch + thread;
}

static inline void keep_row(uint32_t *kept, int row)
{
    kept[row / 32] |= UINT32_C(1) << (row % 32);
}

static inline const uint16_t *y_of(const struct state *s, size_t column)
{
    return s->in->y + column * (size_t)s->in->n_rows;
}

static inline uint32_t *kept_of(const struct state *s, size_t column)
{
    return s->out->kept + column * (size_t)rdp_n_words(s->in->n_rows);
}

/* Begin a column before its first cut: its words, segments and rounds, and the root of its
 * tree. 0: it has not two valid rows, and is done. */
static inline int begin_column(const struct state *s, size_t column, struct rdp_node *root)
{
    uint32_t *const kept = kept_of(s, column);

    memset(kept, 0, (size_t)rdp_n_words(s->in->n_rows) * sizeof *kept);
    s->out->segments[column] = 0;
    s->out->rounds[column] = 1;
    if (!find_root(y_of(s, column), s->in->n_rows, root))
        return 0;
    keep_row(kept, root->first);
    keep_row(kept, root->last);
    return 1;
}

static inline void segment_column(const struct state *s, size_t column, struct rdp_walk *walk)
{
    uint32_t *const kept = kept_of(s, column);
    int n_segments = 0, n_rounds = 1;
    struct rdp_node node;

    if (!begin_column(s, column, &node))
        return;
    rdp_walk_segment(walk, s->in, y_of(s, column), node);
    while (rdp_walk_next(walk, &node)) {
        if (node.cut >= 0) {
            keep_row(kept, node.cut);
        } else {
            n_segments++; /* the leaves of the tree are the segments of the column */
            if (n_rounds < node.depth)
                n_rounds = node.depth;
        }
    }
    s->out->segments[column] = n_segments;
    s->out->rounds[column] = n_rounds;
}

#endif

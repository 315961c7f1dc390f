/* row.h - what the variants for CPUs share: their state, and a row */
#ifndef TOY_ROW_H
#define TOY_ROW_H

#include "harness/measure/impl.h"
#include "harness/problems/toy/toy.h"

struct state {
    const struct toy_input *in;   /* borrowed */
    const struct toy_output *out; /* borrowed */
    int n_threads;
};

static inline enum bench_status setup(void *opaque, const struct bench_ctx *ctx,
                                      const void *input, void *output)
{
    *(struct state *)opaque = (struct state){input, output, ctx->n_threads};
    return BENCH_OK;
}

/* Row y of all frames' rows. */
static inline void do_row(const struct state *s, int y)
{
    const size_t at = (size_t)y * (size_t)s->in->n_cols;

    for (int x = 0; x < s->in->n_cols; x++)
        s->out->nearest[at + (size_t)x] =
            toy_nearest(s->in->disparity + at, s->in->n_cols, s->in->radius, x);
}

static inline void teardown(void *opaque)
{
    (void)opaque;
}

#endif

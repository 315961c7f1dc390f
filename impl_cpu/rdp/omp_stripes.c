/*
 * rdp/omp-stripes - rdp/serial with as many columns side by side for each thread
 *
 * Source: [RDP] Algorithm 1; the simplest way to share columns among threads.
 * Work:   as rdp/serial.
 */
#include "harness/measure/impl.h"
#include "harness/problems/rdp/rdp.h"
#include "impl_cpu/rdp/segment.h"

#include <omp.h>
#include <stdlib.h>

struct state {
    const struct rdp_input *in; /* borrowed */
    struct rdp_output *out;     /* borrowed */
    struct segment *stacks;     /* [n_threads][segment_stack_size(n_rows)], owned */
    int n_threads;
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;

    s->in = input;
    s->out = output;
    s->n_threads = ctx->n_threads;
    s->stacks =
        malloc((size_t)s->n_threads * segment_stack_size(s->in->n_rows) * sizeof *s->stacks);
    return s->stacks ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "no memory for stacks");
}

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;
    const struct rdp_input *in = s->in;
    const size_t n_columns = (size_t)in->n_frames * (size_t)in->n_cols;
    const size_t n_rows = (size_t)in->n_rows, n_words = (size_t)rdp_n_words(in->n_rows);

#pragma omp parallel for num_threads(s->n_threads) schedule(static)
    for (size_t c = 0; c < n_columns; c++)
        segment_column(in->y + c * n_rows, in->n_rows, in->epsilon_q8, in->distance,
                       s->stacks +
                           (size_t)omp_get_thread_num() * segment_stack_size(in->n_rows),
                       s->out->kept + c * n_words, &s->out->segments[c], &s->out->rounds[c]);
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    free(((struct state *)opaque)->stacks);
}

BENCH_IMPL(rdp_omp_stripes) = {
    .name = "rdp/omp-stripes",
    .problem = &rdp_problem,
    .target = BENCH_OPENMP,
    .source = "[RDP] Algorithm 1, a stripe of columns a thread",
    .reference = "rdp/serial",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

/*
 * rdp/omp-columns - rdp/serial with the columns spread over threads
 *
 * Source: [RDP] sect. 5: the CPU program that the paper compares with, given all cores.
 *         Columns need very different times, so each thread fetches its next few ('chunk') when
 *         it is done.
 * Work:   as rdp/serial.
 */
#include "harness/measure/impl.h"
#include "harness/problems/rdp/rdp.h"
#include "impl_cpu/rdp/segment.h"

#include <omp.h>
#include <stdlib.h>

static const struct bench_key keys[] = {
    {"chunk", "8", "columns", "columns that a thread fetches at a time", BENCH_INT, 1, 32768,
     NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

struct state {
    const struct rdp_input *in; /* borrowed */
    struct rdp_output *out;     /* borrowed */
    struct segment *stacks;     /* [n_threads][segment_stack_size(n_rows)], owned */
    int n_threads, chunk;
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;
    size_t n_segments;

    s->in = input;
    s->out = output;
    s->n_threads = ctx->n_threads;
    s->chunk = bench_int(ctx->params, "chunk");
    n_segments = (size_t)s->n_threads * segment_stack_size(s->in->n_rows);
    s->stacks = malloc(n_segments * sizeof *s->stacks);
    if (!s->stacks)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for %d stacks of %d segments", s->n_threads,
                          s->in->n_rows);
    return BENCH_OK;
}

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;
    const struct rdp_input *in = s->in;
    const struct rdp_output *out = s->out;
    const size_t n_columns = (size_t)in->n_frames * (size_t)in->n_cols;
    const size_t n_rows = (size_t)in->n_rows, n_words = (size_t)rdp_n_words(in->n_rows);

#pragma omp parallel num_threads(s->n_threads)
    {
        struct segment *stack =
            s->stacks + (size_t)omp_get_thread_num() * segment_stack_size(in->n_rows);

#pragma omp for schedule(dynamic, s->chunk)
        for (size_t c = 0; c < n_columns; c++)
            segment_column(in->y + c * n_rows, in->n_rows, in->epsilon_q8, in->distance, stack,
                           out->kept + c * n_words, &out->segments[c], &out->rounds[c]);
    }
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    free(s->stacks);
}

BENCH_IMPL(rdp_omp_columns) = {
    .name = "rdp/omp-columns",
    .problem = &rdp_problem,
    .target = BENCH_OPENMP,
    .source = "[RDP] Algorithm 1, columns over threads",
    .reference = "rdp/serial",
    .keys = keys,
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

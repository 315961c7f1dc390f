/*
 * rdp/omp-columns - rdp/serial with the columns spread over threads
 *
 * Source: [RDP] sect. 5: the CPU program that the paper compares with, given all cores.
 *         Columns need very different times, so each thread fetches its next few ('chunk') when
 *         it is done.
 * Work:   as rdp/serial.
 */
#include "impl_cpu/rdp/segment.h"

#include <omp.h>

static const struct bench_key keys[] = {
    {"chunk", "8", "columns", "columns that a thread fetches at a time", BENCH_INT, 1, 32768,
     NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;

#pragma omp parallel for schedule(dynamic, s->chunk) num_threads(s->n_threads)
    for (size_t c = 0; c < s->n_columns; c++)
        segment_column(s, c, walk_of(s, omp_get_thread_num()));
    return BENCH_OK;
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

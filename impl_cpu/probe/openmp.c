/*
 * probe/openmp - probe/serial with the words in as many parts as there are threads
 *
 * Work: as probe/serial.  A thread copies one contiguous part.
 */
#include "impl_cpu/probe/chains.h"

#include <omp.h>

static void copy_part(const struct state *s, size_t n)
{
    const size_t of = (size_t)omp_get_num_threads(), part = (size_t)omp_get_thread_num();
    const size_t from = n / of * part + (part < n % of ? part : n % of);
    const size_t end = from + n / of + (part < n % of ? 1 : 0);

    memcpy(s->out->words + from, s->in->words + from, (end - from) * sizeof *s->in->words);
}

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;
    const struct probe_input *in = s->in;
    const size_t n = probe_n_words(in);

#pragma omp parallel num_threads(s->n_threads)
    if (in->operation == PROBE_COPY) {
        copy_part(s, n);
    } else {
#pragma omp for schedule(static)
        for (size_t first = 0; first < n; first += CHAIN_WORDS)
            chain_words(in, s->out, first);
    }
    return BENCH_OK;
}

BENCH_IMPL(probe_openmp) = {
    .name = "probe/openmp",
    .problem = &probe_problem,
    .target = BENCH_OPENMP,
    .source = "probe/serial, the words over threads",
    .reference = "probe/serial",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

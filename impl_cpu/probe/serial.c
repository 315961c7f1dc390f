/*
 * probe/serial - the words one after another, on one core
 *
 * Work: memcpy, or chains of arithmetic in vectors (chains.h).
 */
#include "impl_cpu/probe/chains.h"

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;
    const struct probe_input *in = s->in;
    const size_t n = probe_n_words(in);

    if (in->operation == PROBE_COPY)
        memcpy(s->out->words, in->words, n * sizeof *in->words);
    else
        for (size_t first = 0; first < n; first += CHAIN_WORDS)
            chain_words(in, s->out, first);
    return BENCH_OK;
}

BENCH_IMPL(probe_serial) = {
    .name = "probe/serial",
    .problem = &probe_problem,
    .target = BENCH_SERIAL,
    .source = "memcpy, and eight vectors of chains at a time",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};

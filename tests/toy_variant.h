/* toy_variant.h - a variant for measure_toy.h's numbers, and a clock_gettime() of the program's own.
 * With both, a test knows each sample to the last digit. */
#ifndef TESTS_TOY_VARIANT_H
#define TESTS_TOY_VARIANT_H

#include "tests/measure_toy.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define INGEST_MS 10

static double clock_ms; /* what takes time adds to it */

int clock_gettime(clockid_t id, struct timespec *t)
{
    if (id != CLOCK_MONOTONIC_RAW)
        return (int)syscall(SYS_clock_gettime, id, t);
    t->tv_sec = (time_t)floor(clock_ms / 1e3);
    t->tv_nsec = (long)floor((clock_ms - 1e3 * (double)t->tv_sec) * 1e6 + 0.5);
    return 0;
}

static int n_setups, n_teardowns, n_ingests, ingest_threads;

struct toy_state {
    const struct toy_input *in;
    struct toy_output *out;
    const struct bench_ctx *ctx;
    int n_runs;
    struct toy_kept kept;
    void *owned;
};

static void toy_ingest(void *input, int n_threads)
{
    clock_ms += INGEST_MS;
    n_ingests++;
    ingest_threads = n_threads;
}

static const struct bench_problem toy = {
    .name = "toy",
    .input_blocks = toy_in_blocks,
    .output_blocks = toy_out_blocks,
    .compare = toy_compare,
    .ingest = toy_ingest,
    .ingest_stage = "transpose",
};

static enum bench_status toy_setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                                   void *output)
{
    struct toy_state *s = opaque;

    n_setups++;
    *s = (struct toy_state){.in = input, .out = output, .ctx = ctx, .owned = malloc(16)};
    return s->owned ? BENCH_OK : BENCH_ENOMEM;
}

static void toy_teardown(void *opaque)
{
    n_teardowns++;
    free(((struct toy_state *)opaque)->owned);
}

#define TOY_VARIANT(setup_hook, run_hook)                                     \
    {                                                                         \
        .name = "toy/variant", .problem = &toy, .target = BENCH_SERIAL,       \
        .reference = "toy/reference", .state_size = sizeof(struct toy_state), \
        .setup = (setup_hook), .run = (run_hook), .teardown = toy_teardown    \
    }

#endif

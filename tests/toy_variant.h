/* toy_variant.h - a variant for measure_toy.h's numbers that cheats as it is told, and a
 * clock_gettime() of the program's own: a test knows each sample to the last digit
 *
 * A run of input k takes cost[k] ms, a quarter of it its first stage, ingesting 10 ms, and
 * nothing else any time.
 */
#ifndef TESTS_TOY_VARIANT_H
#define TESTS_TOY_VARIANT_H

#include "tests/measure_toy.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define INGEST_MS 10

static double clock_ms; /* runs and ingests add to it */

int clock_gettime(clockid_t id, struct timespec *t)
{
    if (id != CLOCK_MONOTONIC_RAW)
        return (int)syscall(SYS_clock_gettime, id, t);
    t->tv_sec = (time_t)floor(clock_ms / 1e3);
    t->tv_nsec = (long)floor((clock_ms - 1e3 * (double)t->tv_sec) * 1e6 + 0.5);
    return 0;
}

/* The variant's fault in each state, from run 'cheats_from' (1 at first) on. */
enum cheat {
    NO_CHEAT,
    ENDS_EARLY, /* by one element */
    IDLE,
    WRONG_SUM,
    ANOTHER_IN_STAGES, /* an instantiation for stages that computes something else */
    FAILS,
    NOT_FOR_THIS_CONFIG
};

/* Parts of the first stage, or of none, as a kernel of blocks reports them. */
struct parts {
    const char *const *names;
    const uint32_t *clocks;
    int n;
    size_t n_blocks;
    int n_times;
    bool is_orphan; /* before the stage that they could be of */
};

static struct {
    double cost[MAX_INPUTS], stall_ms;
    int stalls; /* the run that takes so much more; -1: none */
    enum cheat cheat;
    int cheats_from, cheats_on; /* cheats_on: the input; -1: any */
    enum toy_memory memory;
    const struct parts *parts;
    int n_setups, n_teardowns, n_ingests, ingest_threads, n_runs, n_stamped;
    int n_runs_of[MAX_INPUTS], order[70000]; /* the inputs that were run */
    double began_ms[70000];                  /* each run, behind its ingest */
} with;

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
    with.n_ingests++;
    with.ingest_threads = n_threads;
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

    with.n_setups++;
    *s = (struct toy_state){.in = input, .out = output, .ctx = ctx, .owned = malloc(16)};
    return !s->owned ? BENCH_ENOMEM
           : with.cheat == NOT_FOR_THIS_CONFIG
               ? BENCH_FAIL(BENCH_ESKIP, "not for this configuration")
               : BENCH_OK;
}

static void toy_teardown(void *opaque)
{
    with.n_teardowns++;
    free(((struct toy_state *)opaque)->owned);
}

static void hand_parts(struct toy_state *s, bool as_orphans)
{
    const struct parts *const p = with.parts;

    for (int i = 0; p && p->is_orphan == as_orphans && i < p->n_times; i++)
        bench_stage_parts(s->ctx->stages, p->names, p->n, p->clocks, p->n_blocks);
}

static enum bench_status toy_run(void *opaque)
{
    struct toy_state *s = opaque;
    const int k = s->in->number, run = with.n_runs++;
    const double cost = with.cost[k] + (run == with.stalls ? with.stall_ms : 0);
    const int last = s->out->twice[N - 1];
    const bool cheats =
        ++s->n_runs >= with.cheats_from && (with.cheats_on < 0 || with.cheats_on == k);
    const enum cheat cheat = cheats ? with.cheat : NO_CHEAT;

    with.order[run] = k;
    with.began_ms[run] = clock_ms;
    with.n_runs_of[k]++;
    with.n_stamped += s->ctx->stages != NULL;
    if (cheat == FAILS)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory, said the variant");
    if (with.memory == FORGETS && cheat != IDLE)
        toy_double(s->in, s->out);
    else if (cheat != IDLE && toy_remember(&s->kept, with.memory, s->in, s->out)) {
        clock_ms += cost / 10;
        return BENCH_OK;
    }
    if (cheat == ENDS_EARLY || (cheat == ANOTHER_IN_STAGES && s->ctx->stages))
        s->out->twice[N - 1] = last;
    s->out->sum += cheat == WRONG_SUM;
    hand_parts(s, true);
    clock_ms += cost / 4;
    bench_stage(s->ctx->stages, "first");
    hand_parts(s, false);
    clock_ms += cost * 3 / 4;
    bench_stage(s->ctx->stages, "second");
    return BENCH_OK;
}

static const struct bench_impl variant = {.name = "toy/variant",
                                          .problem = &toy,
                                          .target = BENCH_SERIAL,
                                          .reference = "toy/reference",
                                          .state_size = sizeof(struct toy_state),
                                          .setup = toy_setup,
                                          .run = toy_run,
                                          .teardown = toy_teardown};

/* Each of these programs adds to a configuration here. */
static void plan_more(void);

static int set_up(void **unused)
{
    config_begin();
    memset(&with, 0, sizeof with);
    with.stalls = with.cheats_on = -1;
    with.cheats_from = 1;
    for (int k = 0; k < MAX_INPUTS; k++)
        with.cost[k] = 1;
    clock_ms = 1e6;
    plan_more();
    return 0;
}

static int tear_down(void **unused)
{
    assert_int_equal(with.n_setups, with.n_teardowns); /* on every path */
    config_end();
    return 0;
}

static void assert_near(const char *what, double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-6 * fmax(fabs(expected), 1)))
        fail_msg("%s: %.9g, expected %.9g", what, found, expected);
}

#define expect(status, words) ends(&variant, status, words)

static const struct bench_timing *measure_one(void)
{
    expect(BENCH_OK, "");
    assert_int_equal(config.result.n_timings, 1);
    return &config.result.timing[0];
}

#endif

/*
 * test_measure_clock.c - the times that a row states, by a clock that only the variants move
 *
 * This program has a clock_gettime() of its own, so that what a sample must come to is known to the last digit: a run of input k
 * takes cost[k] ms, ingesting 10 ms, and nothing else any time.  The toy's output has two blocks, a frame's numbers and their sum.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define N          8
#define MAX_INPUTS 3
#define INGEST_MS  10

static double clock_ms = 1e6;

int clock_gettime(clockid_t id, struct timespec *t)
{
    if (id != CLOCK_MONOTONIC_RAW)
        return (int)syscall(SYS_clock_gettime, id, t);
    t->tv_sec = (time_t)floor(clock_ms / 1e3);
    t->tv_nsec = (long)floor((clock_ms - 1e3 * (double)t->tv_sec) * 1e6 + 0.5);
    return 0;
}

/* ---- the toy: an array of numbers, to be doubled ---- */

struct toy_input {
    int number, value[N];
};

struct toy_output {
    int twice[N], sum;
};

static int toy_in_blocks(const void *input, struct bench_block *blocks)
{
    blocks[0].data = (void *)(uintptr_t)((const struct toy_input *)input)->value;
    blocks[0].bytes = sizeof(int) * N;
    return 1;
}

static int toy_out_blocks(const void *output, struct bench_block *blocks)
{
    blocks[0].data = (void *)(uintptr_t)((const struct toy_output *)output)->twice;
    blocks[0].bytes = sizeof(int) * N;
    blocks[1].data = (void *)(uintptr_t) & ((const struct toy_output *)output)->sum;
    blocks[1].bytes = sizeof(int);
    return 2;
}

static void toy_compare(const struct bench_params *params, const void *input,
                        const void *reference, const void *output,
                        struct bench_difference *difference)
{
    const struct toy_input *in = input;

    (void)params;
    memset(difference, 0, sizeof *difference);
    difference->n_wrong = memcmp(reference, output, sizeof(struct toy_output)) != 0;
    difference->n_compared = N;
    difference->n_different = (size_t)in->number + 1;
    difference->max_error =
        in->number == 0 ? (double)NAN : in->number; /* of what passes, too */
}

static void toy_ingest(void *input, int n_threads)
{
    (void)input;
    (void)n_threads;
    clock_ms += INGEST_MS;
}

static const struct bench_problem toy = {
    .name = "toy",
    .input_blocks = toy_in_blocks,
    .output_blocks = toy_out_blocks,
    .compare = toy_compare,
    .ingest = toy_ingest,
    .ingest_lap = "transpose",
};

struct toy_state {
    const struct toy_input *in;
    struct toy_output *out;
    const struct bench_ctx *ctx;
    int n_runs;
};

static double cost[MAX_INPUTS]; /* ms */
static int order[10000], n_runs;
static int spoiled =
    -1; /* the input whose second run and those after it add up wrongly; -1: none */

static enum bench_status toy_setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                                   void *output)
{
    struct toy_state *s = opaque;

    s->in = input;
    s->out = output;
    s->ctx = ctx;
    return BENCH_OK;
}

/* A quarter of the time is the first lap. */
static enum bench_status toy_run(void *opaque)
{
    struct toy_state *s = opaque;
    const int k = s->in->number;

    order[n_runs++ % 10000] = k;
    s->out->sum = k == spoiled && s->n_runs++ > 0;
    for (int i = 0; i < N; i++) {
        s->out->twice[i] = 2 * s->in->value[i];
        s->out->sum += s->out->twice[i];
    }
    clock_ms += cost[k] / 4;
    bench_lap(s->ctx->laps, "first");
    clock_ms += cost[k] * 3 / 4;
    bench_lap(s->ctx->laps, "second");
    return BENCH_OK;
}

static void toy_teardown(void *opaque)
{
    (void)opaque;
}

static const struct bench_impl variant = {.name = "toy/variant",
                                          .problem = &toy,
                                          .target = BENCH_SERIAL,
                                          .reference = "toy/reference",
                                          .state_size = sizeof(struct toy_state),
                                          .setup = toy_setup,
                                          .run = toy_run,
                                          .teardown = toy_teardown};

/* ---- a cell ---- */

struct cell {
    struct toy_input in[MAX_INPUTS];
    struct toy_output out[MAX_INPUTS], reference[MAX_INPUTS];
    void *inputs[MAX_INPUTS], *outputs[MAX_INPUTS];
    const void *references[MAX_INPUTS];
    struct bench_plan plan;
    struct bench_machine machine;
    struct bench_params params;
    struct bench_result result;
};

static void fill(struct cell *c)
{
    memset(c, 0, sizeof *c);
    for (int k = 0; k < MAX_INPUTS; k++) {
        c->in[k].number = k;
        for (int i = 0; i < N; i++) {
            c->in[k].value[i] = 100 * k + i + 1;
            c->reference[k].twice[i] = 2 * c->in[k].value[i];
            c->reference[k].sum += c->reference[k].twice[i];
        }
        c->inputs[k] = &c->in[k];
        c->outputs[k] = &c->out[k];
        c->references[k] = &c->reference[k];
    }
    c->plan.times = true;
    c->plan.min_samples = 3;
    c->plan.max_samples = 7;
    c->plan.min_time_s = 1000; /* out of reach, as is the time-out: max_samples decides */
    c->plan.timeout_s = 1000;
    c->machine.n_cores = 1;
    c->machine.llc_bytes = 4096;
    n_runs = 0;
    spoiled = -1;
}

static enum bench_status measure(struct cell *c, enum bench_series series,
                                 enum bench_scope scope)
{
    bench_failure_clear();
    c->plan.series = 1u << series;
    c->plan.scopes = 1u << scope;
    return bench_measure(&variant, &c->params, &c->plan, &c->machine, c->inputs, c->references,
                         c->outputs, MAX_INPUTS, NULL, &c->result);
}

static void set_costs(double a, double b, double c)
{
    cost[0] = a;
    cost[1] = b;
    cost[2] = c;
}

static void assert_near(const char *what, double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-4 * expected))
        fail_msg("%s: %.9g, expected %.9g", what, found, expected);
}

/* All samples and what is made of them are 'ms'. */
static void all_are(const struct bench_timing *t, double ms)
{
    for (int i = 0; i < t->n; i++)
        assert_near("a sample, ns", t->ns[i], 1e6 * ms);
    assert_near("min", t->stat.min, ms);
    assert_near("median", t->stat.median, ms);
    assert_near("mean", t->stat.mean, ms);
    assert_near("max", t->stat.max, ms);
    assert_near("first", t->first_ms, ms);
}

/* ---- tests ---- */

/* The mean over inputs, in whatever series: 1, 2 and 6 ms. */
static void a_sample_is_the_mean_of_its_inputs(void **unused)
{
    static const enum bench_series series[] = {BENCH_COLD, BENCH_HOT, BENCH_FRAMES};
    struct cell c;

    (void)unused;
    set_costs(1, 2, 6);
    for (int i = 0; i < 3; i++) {
        fill(&c);
        assert_int_equal(measure(&c, series[i], BENCH_KERNEL), BENCH_OK);
        assert_int_equal(c.result.n_timings, 1);
        assert_int_equal(c.result.timing[0].reps, 1);
        assert_int_equal(c.result.timing[0].n, 7);
        all_are(&c.result.timing[0], 3);
        bench_result_free(&c.result);
        fill(&c);
        assert_int_equal(measure(&c, series[i], BENCH_FRAME), BENCH_OK);
        all_are(&c.result.timing[0], 3 + INGEST_MS);
        bench_result_free(&c.result);
    }
}

/* Runs of 0.06 ms on average: four fill 0.2 ms.  In frames so many passes are made that there are at least four runs. */
static void short_runs_are_repeated_and_divided(void **unused)
{
    static const int hot[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
    static const int in_turn[] = {0, 1, 2, 0, 1, 2};
    struct cell c;

    (void)unused;
    set_costs(0.02, 0.04, 0.12);
    fill(&c);
    assert_int_equal(measure(&c, BENCH_HOT, BENCH_KERNEL), BENCH_OK);
    assert_int_equal(c.result.timing[0].reps, 4);
    all_are(&c.result.timing[0], 0.06);
    /* behind the last sample each input is run once more; the order of the sample before */
    assert_memory_equal(order + n_runs - 3 - 12, hot, sizeof hot);
    bench_result_free(&c.result);

    fill(&c);
    assert_int_equal(measure(&c, BENCH_FRAMES, BENCH_KERNEL), BENCH_OK);
    assert_int_equal(c.result.timing[0].reps, 2);
    all_are(&c.result.timing[0], 0.06);
    assert_memory_equal(order + n_runs - 3 - 6, in_turn, sizeof in_turn);
    bench_result_free(&c.result);

    fill(&c); /* one run after a flush: nothing is repeated */
    assert_int_equal(measure(&c, BENCH_COLD, BENCH_KERNEL), BENCH_OK);
    assert_int_equal(c.result.timing[0].reps, 1);
    all_are(&c.result.timing[0], 0.06);
    bench_result_free(&c.result);
}

static void laps_are_differences_of_marks(void **unused)
{
    static const char *const name[] = {"transpose", "first", "second"};
    static const double ms[] = {INGEST_MS, 3.0 / 4, 3.0 * 3 / 4};
    struct cell c;

    (void)unused;
    set_costs(1, 2, 6);
    fill(&c);
    c.plan.laps = true;
    assert_int_equal(measure(&c, BENCH_HOT, BENCH_FRAME), BENCH_OK);
    assert_true(c.result.n_timings >= 4);
    for (int l = 0; l < 3; l++) {
        assert_string_equal(c.result.timing[1 + l].lap, name[l]);
        assert_near(name[l], c.result.timing[1 + l].stat.mean, ms[l]);
    }
    bench_result_free(&c.result);
}

/* Runs of 6 s of three inputs, timed three times, once where one sample takes longer than the time-out: after the verified one
 * and, where the time-out is long enough, two others. */
static void a_long_run_is_given_up_in_time(void **unused)
{
    static const struct {
        double timeout_s;
        int n;
        int runs; /* of each input, the last a verification again */
    } cases[] = {{150, 9, 1 + 2 + 9 + 1}, {50, 3, 1 + 3 + 1}, {18, 1, 1 + 1 + 1}};

    (void)unused;
    for (int k = 0; k < 3; k++) {
        struct cell c;

        set_costs(6000, 6000, 6000);
        fill(&c);
        c.plan.timeout_s = cases[k].timeout_s;
        c.plan.max_samples = 100;
        assert_int_equal(measure(&c, BENCH_HOT, BENCH_KERNEL), BENCH_OK);
        assert_int_equal(n_runs, 3 * cases[k].runs);
        assert_int_equal(c.result.timing[0].warmups, 1);
        assert_int_equal(c.result.timing[0].n, cases[k].n);
        assert_string_equal(c.result.timing[0].stop_reason, "timeout");
        all_are(&c.result.timing[0], 6000);
        bench_result_free(&c.result);
    }
}

/* Each of the inputs is compared, before and after. */
static void no_input_is_left_out(void **unused)
{
    struct cell c;

    (void)unused;
    set_costs(1, 2, 6);
    fill(&c);
    c.plan.times = false;
    assert_int_equal(measure(&c, BENCH_HOT, BENCH_KERNEL), BENCH_OK);
    assert_int_equal(c.result.difference.n_compared, 3 * N);
    assert_int_equal(c.result.difference.n_different, 1 + 2 + 3);
    assert_true(
        isnan(c.result.difference.max_error)); /* of the first: no greater number hides it */
    for (int k = 0; k < MAX_INPUTS; k++) {
        fill(&c);
        spoiled = k;
        assert_int_equal(measure(&c, BENCH_HOT, BENCH_KERNEL), BENCH_EMISMATCH);
        assert_false(c.result.verified);
        bench_result_free(&c.result);
        fill(&c);
        c.reference[k].sum++;
        assert_int_equal(measure(&c, BENCH_HOT, BENCH_KERNEL), BENCH_EMISMATCH);
        assert_int_equal(c.result.difference.n_wrong, 1);
    }
}

static uint64_t hash_of(struct cell *c)
{
    c->plan.times = false;
    assert_int_equal(measure(c, BENCH_HOT, BENCH_KERNEL), BENCH_OK);
    return c->result.output_hash;
}

/* A row's hash is of all blocks of all outputs, in their order. */
static void the_hash_is_of_all_outputs(void **unused)
{
    struct toy_output a = {{1}, 2}, b = {{1}, 3}, d = {{2}, 2};
    uint64_t hash;
    struct cell c;

    (void)unused;
    assert_int_not_equal(bench_hash_output(&toy, &a, 0), bench_hash_output(&toy, &b, 0));
    assert_int_not_equal(bench_hash_output(&toy, &a, 0), bench_hash_output(&toy, &d, 0));
    fill(&c);
    hash = hash_of(&c);
    for (int k = 0; k < MAX_INPUTS; k++) {
        fill(&c);
        c.in[k].value[N - 1]++;
        c.reference[k].twice[N - 1] += 2;
        c.reference[k].sum += 2;
        assert_int_not_equal(hash_of(&c), hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_is_the_mean_of_its_inputs),
        cmocka_unit_test(short_runs_are_repeated_and_divided),
        cmocka_unit_test(laps_are_differences_of_marks),
        cmocka_unit_test(a_long_run_is_given_up_in_time),
        cmocka_unit_test(no_input_is_left_out),
        cmocka_unit_test(the_hash_is_of_all_outputs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

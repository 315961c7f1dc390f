/*
 * test_measure.c - verification, stop rule, series, scopes, laps: on a toy problem with variants that cheat
 *
 * The toy: an array of numbers, to be doubled.  Time never decides a test: what is checked is what was called, in which
 * order, and what was refused.
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

#define N 100

struct toy_input {
    int value[N];
};

struct toy_output {
    int twice[N];
    int guard; /* not in the blocks: must stay as it is */
};

static int n_ingests, ingest_threads;

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
    return 1;
}

static void toy_compare(const struct bench_params *params, const void *input,
                        const void *reference, const void *output,
                        struct bench_difference *difference)
{
    const struct toy_output *a = reference, *b = output;

    (void)params;
    (void)input;
    memset(difference, 0, sizeof *difference);
    for (int i = 0; i < N; i++)
        if (a->twice[i] != b->twice[i] && difference->n_wrong++ == 0)
            strcpy(difference->where, "an element");
}

static void toy_ingest(void *input, int n_threads)
{
    (void)input;
    n_ingests++;
    ingest_threads = n_threads;
}

static const struct bench_problem toy = {
    .name = "toy",
    .input_blocks = toy_in_blocks,
    .output_blocks = toy_out_blocks,
    .compare = toy_compare,
    .ingest = toy_ingest,
    .ingest_lap = "transpose",
};

/* ---- variants ---- */

struct toy_state {
    const struct toy_input *in;
    struct toy_output *out;
    const struct bench_ctx *ctx;
    int n_runs;
    void *owned;
};

static int n_setups, n_teardowns, n_runs, n_stamped;

static enum bench_status toy_setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                                   void *output)
{
    struct toy_state *s = opaque;

    n_setups++;
    s->in = input;
    s->out = output;
    s->ctx = ctx;
    s->owned = malloc(16);
    return s->owned ? BENCH_OK : BENCH_ENOMEM;
}

static enum bench_status setup_fails(void *opaque, const struct bench_ctx *ctx,
                                     const void *input, void *output)
{
    (void)toy_setup(opaque, ctx, input, output);
    return BENCH_FAIL(BENCH_ESKIP, "not for this cell");
}

static void toy_teardown(void *opaque)
{
    n_teardowns++;
    free(((struct toy_state *)opaque)->owned);
}

static void doubling(struct toy_state *s, int upto)
{
    s->n_runs++;
    n_runs++;
    for (int i = 0; i < upto; i++)
        s->out->twice[i] = 2 * s->in->value[i];
}

static enum bench_status run_right(void *opaque)
{
    struct toy_state *s = opaque;

    doubling(s, N / 2);
    bench_lap(s->ctx->laps, "first half");
    doubling(s, N);
    bench_lap(s->ctx->laps, "second half");
    return BENCH_OK;
}

#define N_BLOCKS 4

/* "both" as one kernel of N_BLOCKS blocks, whose three parts took 1, 0 and 3 clocks in each but the last, which took 100, 0
 * and 300; then another lap. */
static enum bench_status run_fused(void *opaque)
{
    static const char *const names[] = {"both: a", "both: b", "both: c"};
    static uint32_t clocks[N_BLOCKS][3];
    struct toy_state *s = opaque;

    doubling(s, N);
    bench_lap(s->ctx->laps, "both");
    n_stamped += s->ctx->laps != NULL;
    for (int b = 0; b < N_BLOCKS; b++) {
        const uint32_t more = b == N_BLOCKS - 1 ? 100 : 1;

        clocks[b][0] = more;
        clocks[b][1] = 0;
        clocks[b][2] = 3 * more;
    }
    bench_lap_parts(s->ctx->laps, names, 3, clocks[0], N_BLOCKS);
    bench_lap(s->ctx->laps, "rest");
    return BENCH_OK;
}

/* One lap, one part of it, whose clocks stand still. */
static enum bench_status run_stopped(void *opaque)
{
    static const char *const names[] = {"both: a"};
    static const uint32_t clocks[N_BLOCKS];
    struct toy_state *s = opaque;

    doubling(s, N);
    bench_lap(s->ctx->laps, "both");
    bench_lap_parts(s->ctx->laps, names, 1, clocks, N_BLOCKS);
    return BENCH_OK;
}

/* Parts without a lap that they could be of: there are none. */
static enum bench_status run_orphans(void *opaque)
{
    static const char *const names[] = {"a", "b"};
    static const uint32_t clocks[2] = {1, 1};
    struct toy_state *s = opaque;

    bench_lap_parts(s->ctx->laps, names, 2, clocks, 1);
    return run_right(opaque);
}

/* More parts than there is room for. */
static enum bench_status run_crowded(void *opaque)
{
    static const char *const names[BENCH_MAX_LAPS] = {"a"};
    static const uint32_t clocks[BENCH_MAX_LAPS] = {1};
    struct toy_state *s = opaque;

    doubling(s, N);
    bench_lap(s->ctx->laps, "both");
    for (int i = 0; i < 2; i++)
        bench_lap_parts(s->ctx->laps, names, BENCH_MAX_LAPS - 1, clocks, 1);
    return BENCH_OK;
}

/* An instantiation for laps that computes something else. */
static enum bench_status run_another_in_laps(void *opaque)
{
    struct toy_state *s = opaque;

    doubling(s, N / 2);
    bench_lap(s->ctx->laps, "first half");
    doubling(s, s->ctx->laps ? N - 1 : N);
    bench_lap(s->ctx->laps, "second half");
    return BENCH_OK;
}

static enum bench_status run_short(void *opaque) /* ends one element early */
{
    doubling(opaque, N - 1);
    return BENCH_OK;
}

static enum bench_status run_nothing(void *opaque)
{
    (void)opaque;
    n_runs++;
    return BENCH_OK;
}

static enum bench_status run_once_only(void *opaque) /* right the first time, idle ever after */
{
    struct toy_state *s = opaque;

    if (s->n_runs == 0)
        doubling(s, N);
    return BENCH_OK;
}

static enum bench_status
run_drifts(void *opaque) /* right at first, wrong from the tenth run on */
{
    struct toy_state *s = opaque;

    doubling(s, N);
    if (s->n_runs >= 10)
        s->out->twice[7]++;
    return BENCH_OK;
}

static enum bench_status run_fails(void *opaque)
{
    (void)opaque;
    return BENCH_FAIL(BENCH_ENOMEM, "no memory, said the variant");
}

#define TOY(id, fn, set, ref)                                                    \
    static const struct bench_impl id = {.name = "toy/" #id,                     \
                                         .problem = &toy,                        \
                                         .target = BENCH_SERIAL,                 \
                                         .reference = ref,                       \
                                         .state_size = sizeof(struct toy_state), \
                                         .setup = set,                           \
                                         .run = fn,                              \
                                         .teardown = toy_teardown}
TOY(right, run_right, toy_setup, NULL);
TOY(other, run_right, toy_setup, "toy/right");
TOY(fused, run_fused, toy_setup, "toy/right");
TOY(stopped, run_stopped, toy_setup, "toy/right");
TOY(orphans, run_orphans, toy_setup, "toy/right");
TOY(crowded, run_crowded, toy_setup, "toy/right");
TOY(another_in_laps, run_another_in_laps, toy_setup, "toy/right");
TOY(ends_early, run_short, toy_setup, "toy/right");
TOY(idle, run_nothing, toy_setup, "toy/right");
TOY(once_only, run_once_only, toy_setup, "toy/right");
TOY(drifts, run_drifts, toy_setup, "toy/right");
TOY(fails, run_fails, toy_setup, "toy/right");
TOY(not_mine, run_right, setup_fails, "toy/right");

/* ---- a cell ---- */

#define MAX_INPUTS 3

struct cell {
    struct toy_input in[MAX_INPUTS];
    struct toy_output out[MAX_INPUTS], reference[MAX_INPUTS];
    void *inputs[MAX_INPUTS], *outputs[MAX_INPUTS];
    const void *references[MAX_INPUTS];
    struct bench_plan plan;
    struct bench_machine machine;
    struct bench_params params;
    struct bench_result result;
    int n;
};

static int interrupt_after;

static bool interrupted(void)
{
    return interrupt_after > 0 && n_runs > interrupt_after;
}

static struct cell *new_cell(int n)
{
    struct cell *c = calloc(1, sizeof *c);

    assert_non_null(c);
    c->n = n;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < N; i++) {
            c->in[k].value[i] = 1000 * k + i + 1;
            c->reference[k].twice[i] = 2 * c->in[k].value[i];
        }
        c->out[k].guard = 0x1234;
        c->inputs[k] = &c->in[k];
        c->outputs[k] = &c->out[k];
        c->references[k] = &c->reference[k];
    }
    c->plan.series = 1u << BENCH_HOT;
    c->plan.scopes = 1u << BENCH_KERNEL;
    c->plan.times = true;
    c->plan.min_samples = 3;
    c->plan.max_samples = 7;
    c->plan.min_time_s = 1000; /* out of reach, as is the time-out: max_samples decides */
    c->plan.timeout_s = 1000;
    c->machine.n_cores = 1;
    c->machine.llc_bytes = 4096;
    n_setups = n_teardowns = n_runs = n_stamped = n_ingests = interrupt_after = 0;
    return c;
}

static enum bench_status measure(struct cell *c, const struct bench_impl *impl)
{
    bench_failure_clear();
    return bench_measure(impl, &c->params, &c->plan, &c->machine, c->inputs, c->references,
                         c->outputs, c->n, interrupted, &c->result);
}

static void drop_cell(struct cell *c)
{
    for (int k = 0; k < c->n; k++)
        assert_int_equal(c->out[k].guard, 0x1234);
    assert_int_equal(n_setups, n_teardowns); /* on every path */
    bench_result_free(&c->result);
    free(c);
}

static void refused(const struct bench_impl *impl)
{
    struct cell *c = new_cell(1);

    assert_int_equal(measure(c, impl), BENCH_EMISMATCH);
    assert_false(c->result.verified);
    assert_true(c->result.difference.n_wrong > 0);
    assert_non_null(strstr(bench_failure(), impl->name));
    drop_cell(c);
}

static void wrong_output_is_never_timed(void **unused)
{
    struct cell *c = new_cell(1);

    (void)unused;
    assert_int_equal(measure(c, &ends_early), BENCH_EMISMATCH);
    assert_int_equal(c->result.n_timings, 0);
    assert_int_equal(n_runs, 1); /* the verified run and no other */
    assert_int_equal(c->result.difference.n_wrong, 1);
    drop_cell(c);
}

static void doing_nothing_does_not_pass(void **unused)
{
    (void)unused;
    refused(&idle);
}

static void doing_nothing_later_is_found_after_timing(void **unused)
{
    (void)unused;
    refused(&once_only);
}

static void going_wrong_during_timing_is_found(void **unused)
{
    (void)unused;
    refused(&drifts);
}

static void right_output_is_timed(void **unused)
{
    struct cell *c = new_cell(2);

    (void)unused;
    c->plan.series = 1u << BENCH_HOT | 1u << BENCH_COLD | 1u << BENCH_FRAMES;
    c->plan.scopes = 1u << BENCH_KERNEL | 1u << BENCH_DEVICE | 1u << BENCH_FRAME;
    assert_int_equal(measure(c, &other), BENCH_OK);
    assert_true(c->result.verified);
    assert_false(c->result.is_reference);
    assert_int_equal(c->result.n_timings, 6); /* a CPU has no device scope */
    for (int i = 0; i < 6; i++) {
        const struct bench_timing *t = &c->result.timing[i];

        assert_int_equal(t->n, 7);
        assert_int_equal(t->stat.n, 7);
        assert_string_equal(t->stop_reason, "max_samples");
        assert_true(t->stat.min <= t->stat.median && t->stat.median <= t->stat.max);
        assert_true(t->reps >= 1);
        if (t->scope == BENCH_FRAME || t->series == BENCH_COLD)
            assert_int_equal(t->reps, 1);
    }
    /* cold before hot before frames: a hot batch would disturb cold samples */
    assert_int_equal(c->result.timing[0].series, BENCH_COLD);
    assert_int_equal(c->result.timing[5].series, BENCH_FRAMES);
    assert_int_equal(n_setups, 2); /* a state per input */
    assert_true(n_ingests > 0);
    for (int k = 0; k < 2; k++)
        assert_memory_equal(c->out[k].twice, c->reference[k].twice, sizeof c->out[k].twice);
    drop_cell(c);
}

static void only_frame_scope_ingests(void **unused)
{
    struct cell *c = new_cell(1);

    (void)unused;
    assert_int_equal(measure(c, &other), BENCH_OK);
    assert_int_equal(n_ingests, 0);
    drop_cell(c);
}

static void a_team_ingests_with_its_own_threads(void **unused)
{
    struct bench_impl team = other;
    struct cell *c = new_cell(1);

    (void)unused;
    team.target = BENCH_OPENMP;
    c->plan.scopes = 1u << BENCH_FRAME;
    c->machine.n_cores = 2;
    assert_int_equal(measure(c, &team), BENCH_OK);
    assert_int_equal(ingest_threads, 2);
    bench_result_free(&c->result);
    assert_int_equal(measure(c, &other), BENCH_OK); /* one thread */
    assert_int_equal(ingest_threads, 1);
    drop_cell(c);
}

static void a_reference_is_checked_against_itself(void **unused)
{
    struct cell *c = new_cell(1);

    (void)unused;
    assert_int_equal(measure(c, &right), BENCH_OK);
    assert_true(c->result.is_reference);
    assert_true(c->result.verified);
    drop_cell(c);
}

static void laps_are_taken_in_a_pass_of_their_own(void **unused)
{
    struct cell *c = new_cell(1);

    (void)unused;
    c->plan.laps = true;
    c->plan.scopes = 1u << BENCH_KERNEL | 1u << BENCH_FRAME;
    assert_int_equal(measure(c, &other), BENCH_OK);
    /* kernel whole, its two laps; frame whole, ingest and the two laps and what came after them */
    assert_true(c->result.n_timings >= 6);
    assert_string_equal(c->result.timing[0].lap, "");
    assert_string_equal(c->result.timing[1].lap, "first half");
    assert_string_equal(c->result.timing[2].lap, "second half");
    assert_string_equal(c->result.timing[3].lap, "");
    assert_int_equal(c->result.timing[3].scope, BENCH_FRAME);
    assert_string_equal(c->result.timing[4].lap, "transpose");
    assert_string_equal(c->result.timing[5].lap, "first half");
    drop_cell(c);
}

static void outputs_of_the_lap_pass_are_verified(void **unused)
{
    struct cell *c = new_cell(2);

    (void)unused;
    assert_int_equal(measure(c, &another_in_laps), BENCH_OK);
    drop_cell(c);
    c = new_cell(2);
    c->plan.laps = true;
    assert_int_equal(measure(c, &another_in_laps), BENCH_EMISMATCH);
    assert_false(c->result.verified);
    assert_non_null(strstr(bench_failure(), "in the pass of laps"));
    drop_cell(c);
}

static void parts_of_a_lap_are_shares_of_its_time(void **unused)
{
    static const char *const lap[] = {"both", "rest", "both: a", "both: b", "both: c"};
    static const double share[] = {0.25, 0, 0.75};
    struct cell *c = new_cell(1);
    const struct bench_timing *t = c->result.timing;

    (void)unused;
    c->plan.laps = true;
    assert_int_equal(measure(c, &fused), BENCH_OK);
    assert_int_equal(c->result.n_timings, 6);
    assert_string_equal(t[0].lap, "");
    assert_false(t[0].is_share);
    for (int l = 0; l < 5; l++) {
        assert_string_equal(t[1 + l].lap, lap[l]);
        assert_int_equal(t[1 + l].is_share, l >= 2);
        assert_int_equal(t[1 + l].n, t[1].n);
    }
    for (int l = 0; l < 3; l++) /* of the very run whose lap it is */
        for (int i = 0; i < t[1].n; i++)
            assert_true(fabs(t[3 + l].ns[i] - share[l] * t[1].ns[i]) <= 1e-9 * t[1].ns[i]);
    /* two to see and warm up, and those of the lap pass: no other run is told to keep clocks */
    assert_int_equal(n_stamped, 2 + t[1].n);
    drop_cell(c);
}

static void parts_that_say_nothing_are_refused(void **unused)
{
    struct cell *c = new_cell(1);

    (void)unused;
    c->plan.laps = true;
    assert_int_equal(measure(c, &stopped), BENCH_ESKIP);
    assert_non_null(strstr(bench_failure(), "'both' are all 0"));
    drop_cell(c);
    c = new_cell(1);
    c->plan.laps = true;
    assert_int_equal(measure(c, &crowded), BENCH_ESKIP);
    assert_non_null(strstr(bench_failure(), "more than 16 laps"));
    drop_cell(c);
    c = new_cell(1);
    c->plan.laps = true;
    assert_int_equal(measure(c, &orphans), BENCH_OK);
    assert_int_equal(c->result.n_timings, 3);
    drop_cell(c);
}

static void skipping_and_failing_are_relayed(void **unused)
{
    struct cell *c = new_cell(1);

    (void)unused;
    assert_int_equal(measure(c, &not_mine), BENCH_ESKIP);
    assert_string_equal(bench_failure(), "not for this cell");
    drop_cell(c);
    c = new_cell(2);
    assert_int_equal(measure(c, &fails), BENCH_ENOMEM);
    assert_string_equal(bench_failure(), "no memory, said the variant");
    drop_cell(c);
}

static void verify_only_takes_no_times(void **unused)
{
    struct cell *c = new_cell(3);

    (void)unused;
    c->plan.times = false;
    assert_int_equal(measure(c, &other), BENCH_OK);
    assert_true(c->result.verified);
    assert_int_equal(c->result.n_timings, 0);
    assert_int_equal(n_runs, 6); /* each input once, and each of these runs doubles twice */
    drop_cell(c);
}

static void a_profiler_sees_one_sample(void **unused)
{
    struct cell *c = new_cell(1);

    (void)unused;
    c->machine.profile = true;
    assert_int_equal(measure(c, &other), BENCH_OK);
    assert_int_equal(c->result.timing[0].n, 1);
    assert_int_equal(c->result.timing[0].reps, 1);
    assert_int_equal(c->result.timing[0].warmups, 1);
    drop_cell(c);
}

static void an_interrupt_stops_between_samples(void **unused)
{
    struct cell *c = new_cell(1);

    (void)unused;
    c->plan.max_samples = 1000000;
    c->plan.min_samples = 1000000;
    interrupt_after = 50;
    assert_int_equal(measure(c, &other), BENCH_EINTR);
    assert_int_equal(c->result.n_timings, 0); /* half a row is no row */
    drop_cell(c);
}

static void the_output_hash_tells_outputs_apart(void **unused)
{
    struct toy_output a = {{0}, 0}, b = {{0}, 1};

    (void)unused;
    assert_int_equal(bench_hash_output(&toy, &a, 0), bench_hash_output(&toy, &b, 0));
    b.twice[N - 1] = 1;
    assert_int_not_equal(bench_hash_output(&toy, &a, 0), bench_hash_output(&toy, &b, 0));
    bench_poison(&toy, &b, 0xA5);
    assert_int_equal(b.twice[0], (int)0xA5A5A5A5);
    assert_int_equal(b.guard, 1);
}

static void the_stop_rule(void **unused)
{
    const struct bench_plan plan = {.min_samples = 30,
                                    .max_samples = 1000,
                                    .precision = 0.005,
                                    .min_time_s = 0.5,
                                    .timeout_s = 15};
    const struct {
        int n;
        double median, lo, hi, elapsed;
        const char *reason;
    } row[] = {
        {30, 1, 0.996, 1.004, 0.6, "precision"},
        {30, 1, 0.995, 1.005, 0.6, "precision"}, /* exactly half a per cent */
        {30, 1, 0.994, 1.005, 0.6, NULL},
        {29, 1, 1, 1, 0.6, NULL}, /* too few */
        {30, 1, 1, 1, 0.4, NULL}, /* too short */
        {1000, 1, 0.5, 2, 0.1, "max_samples"},
        {2, 1, 1, 1, 16, NULL}, /* three at least, however long it takes */
        {3, 1, 1, 1, 16, "timeout"},
        {1, 1, 1, 1, 14.9, NULL},
        {1, 1, 1, 1, 15, "timeout"}, /* but one that takes all the time is enough */
        {500, 1, 0.9, 1.1, 15, "timeout"},
        {500, 1, 0.9, 1.1, 14.9, NULL},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct bench_stat stat = {
            .n = row[i].n, .median = row[i].median, .ci_lo = row[i].lo, .ci_hi = row[i].hi};
        const char *reason = bench_stop(&plan, &stat, row[i].elapsed);

        if (row[i].reason) {
            assert_non_null(reason);
            assert_string_equal(reason, row[i].reason);
        } else {
            assert_null(reason);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_output_is_never_timed),
        cmocka_unit_test(doing_nothing_does_not_pass),
        cmocka_unit_test(doing_nothing_later_is_found_after_timing),
        cmocka_unit_test(going_wrong_during_timing_is_found),
        cmocka_unit_test(right_output_is_timed),
        cmocka_unit_test(only_frame_scope_ingests),
        cmocka_unit_test(a_team_ingests_with_its_own_threads),
        cmocka_unit_test(a_reference_is_checked_against_itself),
        cmocka_unit_test(laps_are_taken_in_a_pass_of_their_own),
        cmocka_unit_test(outputs_of_the_lap_pass_are_verified),
        cmocka_unit_test(parts_of_a_lap_are_shares_of_its_time),
        cmocka_unit_test(parts_that_say_nothing_are_refused),
        cmocka_unit_test(skipping_and_failing_are_relayed),
        cmocka_unit_test(verify_only_takes_no_times),
        cmocka_unit_test(a_profiler_sees_one_sample),
        cmocka_unit_test(an_interrupt_stops_between_samples),
        cmocka_unit_test(the_output_hash_tells_outputs_apart),
        cmocka_unit_test(the_stop_rule),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

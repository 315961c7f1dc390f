/*
 * test_stream.c - bench_measure() of frames that arrive on a clock, on a toy that stalls on purpose
 *
 * A run of input k takes cost[k] ms, ingesting 10 ms, and nothing else any time; waiting goes straight
 * to its end.
 */
#include "tests/toy_variant.h"

#include "harness/measure/measure_private.h"

static double cost[MAX_INPUTS];
static double stall_ms;
static int stalls; /* the run that does; -1: none */
static int breaks; /* the run from which on its sums are wrong; -1: none */
static int idles;  /* the run from which on nothing is done; -1: none */
static int n_runs;
static double began_ms[70000]; /* each run, behind its ingest */

static enum bench_status toy_run(void *opaque)
{
    const struct toy_state *s = opaque;

    began_ms[n_runs] = clock_ms;
    clock_ms += cost[s->in->number] + (n_runs == stalls ? stall_ms : 0);
    if (idles < 0 || n_runs < idles)
        toy_double(s->in, s->out);
    s->out->sum += breaks >= 0 && n_runs >= breaks;
    n_runs++;
    return BENCH_OK;
}

static const struct bench_impl variant = TOY_VARIANT(toy_setup, toy_run);

static long long tell(void *self)
{
    (void)self;
    return (long long)floor(1e6 * clock_ms + 0.5);
}

static void wait_until(void *self, long long ns)
{
    (void)self;
    if (clock_ms < 1e-6 * (double)ns)
        clock_ms = 1e-6 * (double)ns;
}

static const struct arrivals_clock clock_of_test = {tell, wait_until, NULL};

static int set_up(void **unused)
{
    (void)unused;
    config_begin();
    for (int k = 0; k < MAX_INPUTS; k++)
        cost[k] = 1;
    clock_ms = 1e6;
    stall_ms = 0;
    stalls = breaks = idles = -1;
    n_setups = n_teardowns = n_runs = n_ingests = 0;
    config.plan.series = 1u << BENCH_STREAM;
    config.plan.scopes = 1u << BENCH_END_TO_END;
    config.plan.rate = 50;
    config.plan.in_flight = 1;
    config.plan.arrivals = 20000;
    config.plan.min_time_s = 0.2;
    config.machine.clock = &clock_of_test;
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    assert_int_equal(n_setups, n_teardowns);
    config_end();
    return 0;
}

static const struct bench_timing *measure(void)
{
    assert_int_equal(config_measure(&variant, NULL), BENCH_OK);
    assert_int_equal(config.result.n_timings, 1);
    assert_int_equal(config.result.timing[0].series, BENCH_STREAM);
    assert_true(config.result.verified);
    return &config.result.timing[0];
}

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-4))
        fail_msg("found %.9g, expected %.9g", found, expected);
}

/* Ingest and run, of the inputs in turn; each frame begins on its own moment, a second after the
 * first could, and nothing moves them. */
TEST(latencies)
{
    const struct bench_timing *t;

    config.n = 2;
    cost[1] = 3;
    t = measure();
    assert_int_equal(t->n, 5000);
    assert_string_equal(t->stop_reason, "arrivals");
    assert_near(t->first_ms, 11);
    assert_near(t->stat.mean, 12);
    assert_near(t->stream.tail[0].value, 13);
    assert_near(t->stream.tail[1].value, 13);
    assert_near(t->stream.tail[2].value, 0); /* 5 samples beyond it */
    assert_near(t->stream.jitter_ms, 2);
    assert_near(t->stream.fps, 50.0 * 4999 / (4999 + 2.0 / 20));
    assert_near(t->stream.host_ms, 12);
    assert_int_equal(t->stream.n_missed, 0);
    for (int k = 0; k < 5000; k++) { /* the last run is that of verification, of two inputs */
        const double *const first = &began_ms[n_runs - 2 - 5000];

        assert_near(first[k] - first[0], k * 20.0);
        assert_near(t->ns[k], k % 2 ? 13e6 : 11e6);
    }
}

/* One run of 20,000 takes half a second more: 1.5 ms a frame are left to catch up. */
TEST(a_stall_shows_in_the_tail_and_in_misses)
{
    const struct bench_timing *t;

    config.plan.rate = 80;
    stalls = 9000;
    stall_ms = 500;
    t = measure();
    assert_int_equal(t->n, 20000);
    assert_near(t->stat.median, 11);
    assert_near(t->stat.max, 511);
    assert_true(t->stream.tail[2].value >
                470); /* 20 frames are beyond it: 511 - 20 * 1.5 = 481 */
    assert_true(t->stream.tail[2].lo > 450 && t->stream.tail[2].hi < 511);
    assert_int_equal(t->stream.n_missed, 333); /* 511 - k * 1.5 > 12.5: k = 0 ... 332 */
    assert_int_equal(t->stream.n_dropped, 0);
}

TEST(a_stall_drops_frames)
{
    const struct bench_timing *t;

    config.plan.rate = 80;
    config.plan.drops = true;
    stalls = 9000;
    stall_ms = 500;
    t = measure();
    assert_int_equal(t->stream.n_dropped, 40); /* at 12.5, 25 ... 500 ms of 511 */
    assert_int_equal(t->n, 19960);
    assert_int_equal(t->stream.n_missed, 1);
    assert_near(t->stat.max, 511);
}

TEST(what_is_slower_than_its_rate)
{
    cost[0] = 15; /* 25 ms with its ingest */
    assert_int_equal(config_measure(&variant, NULL), BENCH_ESKIP);
    assert_non_null(strstr(bench_failure(), "25 ms a frame"));
    assert_non_null(strstr(bench_failure(), "slower than the 20 ms of rate = 50"));
    assert_int_equal(config.result.n_timings, 0);
    cost[0] = 1000; /* known from the verified run: nothing else is run */
    n_runs = 0;
    assert_int_equal(config_measure(&variant, NULL), BENCH_ESKIP);
    assert_int_equal(n_runs, 1);
    cost[0] =
        1; /* but one that is soon tried may have been slow only once, or for what a stream does not do */
    config.plan.rate = 80;
    n_runs = stalls = 0;
    stall_ms = 150;
    measure();
}

/* 25 ms a frame, and one each 20 ms: every other one is lost. */
TEST(what_drops_may_be_slower)
{
    const struct bench_timing *t;

    cost[0] = 15;
    config.plan.drops = true;
    t = measure();
    assert_int_equal(t->stream.n_dropped, 2500);
    assert_int_equal(t->n, 2500);
}

/* As fast as it goes: no deadline, and the time is limited. */
TEST(no_rate)
{
    const struct bench_timing *t;

    config.plan.rate = 0;
    config.plan.timeout_s = 11;
    t = measure();
    assert_int_equal(t->n, 1000);
    assert_string_equal(t->stop_reason, "timeout");
    assert_near(t->stream.fps, 1e3 / 11);
    assert_near(t->stat.max, 11);
    assert_false(t->stream.has_deadline);
}

/* Frames so long that five of them take more than the timeout: one is enough to warm up. */
TEST(long_frames)
{
    cost[0] = 4990; /* 5 s with its ingest */
    config.plan.rate = 0;
    config.plan.timeout_s = 11;
    assert_int_equal(measure()->n, 3);
    assert_int_equal(n_runs, 1 + 1 + 3 + 1);
}

/* What the stream leaves is looked at. */
static void is_wrong(void)
{
    assert_int_equal(config_measure(&variant, NULL), BENCH_EMISMATCH);
    assert_non_null(strstr(bench_failure(), "on the host after the stream"));
}

TEST(a_stream_that_goes_wrong)
{
    breaks = 3000;
    is_wrong();
}

TEST(a_stream_that_does_nothing)
{
    idles = 1; /* nor its warm-up */
    is_wrong();
}

TEST(a_stream_that_does_nothing_behind_its_warm_up)
{
    idles = 1 + measure()->warmups;
    n_runs = 0;
    is_wrong();
}

/* Inputs that no frame had are no failure. */
TEST(fewer_frames_than_inputs)
{
    config.n = 3;
    config.plan.arrivals = 2;
    assert_int_equal(measure()->n, 2);
}

/* Of the energy pass: whole seconds at the rate, the period of the last frame too, so that what is drawn
 * between two frames counts as often as there are frames.  Without a rate: a second of work. */
TEST(seconds_for_energy)
{
    struct toy_state state = {.in = &config.in[0], .out = &config.out[0]};
    struct bench_one one = {.state = &state, .input = &config.in[0], .output = &config.out[0]};
    struct runner r = {.impl = &variant,
                       .plan = &config.plan,
                       .machine = &config.machine,
                       .one = &one,
                       .n = 1};
    const struct bench_timing t = {
        .scope = BENCH_END_TO_END, .series = BENCH_STREAM, .n = 1000};
    const double before_ms = clock_ms;
    long long n = 0;

    assert_int_equal(measure_stream_for_energy(&r, &t, &n), BENCH_OK);
    assert_int_equal(n, 50);
    assert_near(clock_ms - before_ms, 1000);
    assert_int_equal(measure_stream_for_energy(&r, &t, &n), BENCH_OK);
    assert_int_equal(n, 100);
    assert_near(clock_ms - before_ms, 2000);
    config.plan.rate = 0;
    assert_int_equal(measure_stream_for_energy(&r, &t, &n), BENCH_OK);
    assert_int_equal(n, 100 + 91); /* of 11 ms */
}

/* By the real clock: frames do not come early, and the host wakes up for them. */
TEST(the_real_clock)
{
    struct timespec before, after;

    config.machine.clock = NULL;
    config.machine.profile = true; /* one frame, at once */
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert_int_equal(measure()->n, 1);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(config.result.timing[0].ns[0] >= 0);
    assert_true(1e-9 * config.result.timing[0].ns[0] <=
                (double)(after.tv_sec - before.tv_sec) +
                    1e-9 * (double)(after.tv_nsec - before.tv_nsec));
}

/* ---- plans ---- */

static void refused(struct bench_plan plan, const char *words)
{
    assert_int_equal(plan_check(&plan), BENCH_EINPUT);
    if (!strstr(bench_failure(), words))
        fail_msg("no '%s' in: %s", words, bench_failure());
}

TEST(plans)
{
    struct bench_plan plan, other;

    plan_default(&plan, BENCH_CUDA);
    assert_int_equal(plan_check(&plan), BENCH_OK);
    other = plan;
    other.rate = 60;
    refused(other, "expected series = stream, too");
    other = plan;
    other.series |= 1u << BENCH_STREAM;
    refused(other, "no other series beside it");

    plan.series = 1u << BENCH_STREAM;
    plan_settle(&plan); /* from kernel */
    assert_int_equal(plan.scopes, 1u << BENCH_END_TO_END);
    assert_int_equal(plan_check(&plan), BENCH_OK);
    other = plan;
    other.rate = 0;
    other.drops = true;
    refused(other, "expected arrival = queue");
    other = plan;
    other.batch = 2;
    refused(other, "batch = 1");

    static const int frames[][2] = {
        {10, 1000}, {30, 5000}, {60, 5000}, {120, 20000}, {0, 20000}};

    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        plan.rate = frames[i][0];
        assert_int_equal(plan_arrivals(&plan), frames[i][1]);
    }
    plan.arrivals = 1000; /* --quick */
    assert_int_equal(plan_arrivals(&plan), 1000);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}

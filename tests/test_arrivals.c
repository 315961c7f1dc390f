/*
 * test_arrivals.c - frames on a schedule, their latencies and what is said of them, with a clock and a
 *                   worker of the test's own
 *
 * A look at the clock takes 1 us, and so does one at the worker.  The worker needs cost_us for a frame: at once, or behind the frames
 * before it as a GPU does, and 'stall_us' more for the turn 'stalls'.
 */
#include "harness/measure/arrivals.h"

#include "harness/base/stats.h"
#include "tests/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define US     1000LL
#define MS     1000000LL
#define S      1000000000LL
#define FRAMES 20000

static long long now_ns;
static long long cost_us, stall_us;
static int stalls;   /* the turn that does; -1: none */
static bool is_late; /* the result is there later than begin() returns */
static int fails;    /* the turn that does; -1: none */

static long long ready_ns[FRAMES]; /* of each turn */
static int n_begun, n_seen, most_in_work;

static double latency_ns[FRAMES], sorted[FRAMES];
static struct arrivals found;

static int set_up(void **unused)
{
    (void)unused;
    now_ns = 5 * S + 123;
    cost_us = 1000;
    stall_us = 0;
    stalls = fails = -1;
    is_late = false;
    n_begun = n_seen = most_in_work = 0;
    found = (struct arrivals){.latency_ns = latency_ns};
    return 0;
}

#undef TEST
#define TEST(name) TEST_WITH(name, set_up, NULL)

static long long tell(void *self)
{
    (void)self;
    return now_ns += US;
}

static void wait_until(void *self, long long ns)
{
    (void)self;
    assert_int_equal(n_begun, n_seen); /* who sleeps sees no result */
    if (now_ns < ns)
        now_ns = ns;
}

static const struct arrivals_clock clock_of_test = {tell, wait_until, NULL};

static enum bench_status begin(void *self, int turn)
{
    const long long cost = US * (cost_us + (turn == stalls ? stall_us : 0));
    const long long before =
        turn > 0 && ready_ns[turn - 1] > now_ns ? ready_ns[turn - 1] : now_ns;

    (void)self;
    assert_int_equal(turn, n_begun);
    n_begun++;
    if (n_begun - n_seen > most_in_work)
        most_in_work = n_begun - n_seen;
    if (turn == fails)
        return BENCH_FAIL(BENCH_ENOMEM, "the worker fails");
    ready_ns[turn] = before + cost;
    if (!is_late)
        now_ns = ready_ns[turn];
    return BENCH_OK;
}

static enum bench_status is_done(void *self, int turn, bool *is)
{
    (void)self;
    assert_int_equal(turn, n_seen);
    now_ns += US;
    *is = now_ns >= ready_ns[turn];
    n_seen += *is;
    return BENCH_OK;
}

static const struct arrivals_work work = {.begin = begin, .is_done = is_done};

static void run(struct arrivals_plan plan)
{
    plan.in_flight = plan.in_flight > 0 ? plan.in_flight : 1;
    assert_int_equal(arrivals_run(&plan, &clock_of_test, &work, &found), BENCH_OK);
    assert_int_equal(found.n + found.n_dropped, found.n_arrived);
    assert_int_equal(found.n, n_begun);
    assert_int_equal(n_seen, n_begun);
    assert_true(most_in_work <= plan.in_flight);
}

static double latency_ms(int turn)
{
    return latency_ns[turn] / 1e6;
}

/* A look at the clock or two is no difference. */
static void assert_near(double value, double expected, double within)
{
    if (!(fabs(value - expected) <= within))
        fail_msg("found %.9g, expected %.9g", value, expected);
}

static struct bench_bounded tail(int one_in)
{
    struct bench_bounded t;

    memcpy(sorted, latency_ns, (size_t)found.n * sizeof *sorted);
    qsort(sorted, (size_t)found.n, sizeof *sorted, bench_compare_doubles);
    assert_true(bench_tail(sorted, found.n, one_in, &t));
    return t;
}

/* ---- the schedule ---- */

/* 30 frames a second have no period in whole nanoseconds: none of them adds up. */
TEST(a_schedule_does_not_drift)
{
    assert_int_equal(arrivals_after_ns(30, 0), 0);
    assert_int_equal(arrivals_after_ns(30, 1), 33333333);
    assert_int_equal(arrivals_after_ns(30, 30), S);
    assert_int_equal(arrivals_after_ns(30, 30 * 86400), 86400 * S);
    assert_int_equal(arrivals_after_ns(120, 20000), 20000 * S / 120);
}

/* Frames begin when they arrive, the first behind the lead; the last one too, 5000 frames later. */
TEST(frames_begin_when_they_arrive)
{
    const long long called_ns = now_ns;

    run((struct arrivals_plan){.rate = 30, .n = 5000, .lead_ns = S});
    assert_near((double)(found.t0_ns - called_ns), 1e9, 2e3);
    assert_near((double)(ready_ns[4999] - found.t0_ns), 4999 * 1e9 / 30 + 1e6, 10e3);
    assert_int_equal(found.n_dropped, 0);
    assert_int_equal(found.n_missed, 0);
    for (int k = 0; k < found.n; k++)
        assert_near(latency_ms(k), 1, 0.01);
    assert_near(found.fps, 30, 1e-3);
    assert_near(found.jitter_ns, 0, 3e3);
    assert_near(found.begin_ns, 1e6, 2e3);
}

/* ---- latency ---- */

/* One stall of 500 ms among 20,000 frames of 1 ms at 120 a second.  A clock that began with each
 * frame would see one long time.  60 frames arrive meanwhile; those that still find others before
 * them wait, too, until the worker has caught up: the k-th behind the stall is late by
 * 501 - k (8.33 - 1) ms. */
TEST(a_stall_is_in_all_frames_that_it_delays)
{
    int n_late = 0;

    stalls = 7000;
    stall_us = 500000;
    run((struct arrivals_plan){.rate = 120, .n = FRAMES});
    for (int k = 0; k < 60; k++)
        assert_near(latency_ms(7000 + k), 501 - k * (1e3 / 120 - 1), 0.5);
    for (int k = 0; k < found.n; k++)
        n_late += latency_ms(k) > 1e3 / 120;
    assert_in_range(n_late, 66, 68);
    assert_int_equal(found.n_missed, n_late);
    assert_near(latency_ms(6999), 1, 0.01);
    assert_near(latency_ms(7000 + 80), 1, 0.01);
    assert_true(tail(1000).value / 1e6 > 300); /* the 20th of them */
    assert_true(tail(1000).lo / 1e6 > 250);
    assert_true(tail(100).value / 1e6 < 1.1);
}

/* The same stall costs those frames that come meanwhile, and no other is late. */
TEST(a_stall_drops_what_comes_meanwhile)
{
    stalls = 7000;
    stall_us = 500000;
    run((struct arrivals_plan){.rate = 120, .n = FRAMES, .drops = true});
    assert_int_equal(found.n_dropped, 60); /* 501 ms / 8.33 ms: 60 arrivals */
    assert_int_equal(found.n_missed, 1);
    assert_near(latency_ms(7000), 501, 0.01);
    assert_near(latency_ms(7001), 1, 0.01);
    assert_near(found.fps, 120.0 * (FRAMES - 61) / (FRAMES - 1), 0.01);
}

/* 15 ms a frame at 100 a second: a queue grows without end, dropping keeps every other frame. */
TEST(what_is_too_slow)
{
    cost_us = 15000;
    run((struct arrivals_plan){.rate = 100, .n = 101});
    assert_near(latency_ms(0), 15, 0.01);
    assert_near(latency_ms(100), 15 + 100 * 5, 1); /* a look or two a frame */
    assert_int_equal(found.n_missed, 101);
    assert_near(found.fps, 1e3 / 15, 0.1);
    assert_near(found.jitter_ns, 5e6, 5e3);

    set_up(NULL);
    cost_us = 15000;
    run((struct arrivals_plan){.rate = 100, .n = 101, .drops = true});
    assert_int_equal(found.n_dropped, 50);
    for (int k = 0; k < found.n; k++)
        assert_near(latency_ms(k), 15, 0.01);
    assert_near(found.fps, 50, 0.1);
}

/* A frame that takes exactly a period is no miss, one that takes a microsecond more is. */
TEST(exactly_a_period)
{
    const struct arrivals_plan one = {.rate = 1000, .n = 1};
    long long fits_us;

    run(one);
    fits_us = cost_us + 1000 - (long long)latency_ns[0] / US;
    for (int more = 0; more < 2; more++) {
        set_up(NULL);
        cost_us = fits_us + more;
        run(one);
        assert_near(latency_ns[0], (double)((1000 + more) * US), 0);
        assert_int_equal(found.n_missed, more);
    }
}

/* ---- frames in work at a time ---- */

/* 15 ms of a GPU and 10 between arrivals: two in flight do not make it faster, and a frame that
 * finds one of two in work is taken. */
TEST(frames_in_flight)
{
    cost_us = 15000;
    is_late = true;
    run((struct arrivals_plan){.rate = 100, .in_flight = 2, .n = 101, .drops = true});
    assert_int_equal(most_in_work, 2);
    assert_in_range(found.n_dropped, 32, 33); /* one in three, once both are busy */
    assert_near(found.fps, 1e3 / 15, 0.5);
    assert_true(found.begin_ns < 10e3);

    set_up(NULL);
    cost_us = 5000;
    is_late = true;
    run((struct arrivals_plan){.rate = 100, .in_flight = 3, .n = 101, .drops = true});
    assert_int_equal(most_in_work, 1);
    assert_int_equal(found.n_dropped, 0);
    assert_near(latency_ms(50), 5, 0.01);
}

/* ---- as fast as it goes ---- */

/* No rate: no schedule, no deadline, no drops. */
TEST(as_fast_as_it_goes)
{
    cost_us = 2000;
    run((struct arrivals_plan){.n = 1000});
    assert_near(found.fps, 500, 2);
    assert_near(latency_ms(999), 2, 0.01);
    assert_int_equal(found.n_missed, 0);

    set_up(NULL);
    cost_us = 2000;
    is_late = true;
    run((struct arrivals_plan){.in_flight = 3, .n = 1000});
    assert_int_equal(most_in_work, 3);
    assert_near(found.fps, 500, 2);
    assert_near(latency_ms(999), 6, 0.05); /* with two before it */
}

TEST(a_limit_cuts_a_stream)
{
    run((struct arrivals_plan){.n = 1000, .limit_ns = 100 * MS, .least = 5});
    assert_true(found.is_cut);
    assert_in_range(found.n, 95, 101);
    set_up(NULL);
    cost_us = 100000;
    run((struct arrivals_plan){.n = 1000, .limit_ns = 100 * MS, .least = 5});
    assert_int_equal(found.n, 5);
    set_up(NULL);
    run((struct arrivals_plan){.n = 7, .limit_ns = 100 * MS, .least = 5});
    assert_false(found.is_cut);
    assert_int_equal(found.n, 7);
}

TEST(one_frame)
{
    run((struct arrivals_plan){.rate = 10, .n = 1});
    assert_int_equal(found.n, 1);
    assert_near(latency_ms(0), 1, 0.01);
    assert_true(found.fps == 0 && found.jitter_ns == 0);
}

TEST(a_failure_ends_the_stream)
{
    const struct arrivals_plan plan = {.rate = 10, .in_flight = 1, .n = 100};

    fails = 3;
    assert_int_equal(arrivals_run(&plan, &clock_of_test, &work, &found), BENCH_ENOMEM);
    assert_int_equal(n_begun, 4);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}

/* test_stream.c - bench_measure() of frames on a clock, on a toy that stalls and cheats */
#include "tests/toy_variant.h"

#include "harness/measure/measure_private.h"

static long long tell(void *self)
{
    return (long long)floor(1e6 * clock_ms + 0.5);
}

static void wait_until(void *self, long long ns)
{
    if (clock_ms < 1e-6 * (double)ns)
        clock_ms = 1e-6 * (double)ns;
}

static const struct arrivals_clock clock_of_test = {tell, wait_until, NULL};

static void plan_more(void)
{
    config.plan.series = 1u << BENCH_STREAM;
    config.plan.scopes = 1u << BENCH_END_TO_END;
    config.plan.rate = 50;
    config.plan.in_flight = 1;
    config.plan.arrivals = 20000;
    config.plan.min_time_s = 0.2;
    config.machine.clock = &clock_of_test;
}

static const struct bench_timing *measure(void)
{
    const struct bench_timing *const t = measure_one();

    assert_int_equal(t->series, BENCH_STREAM);
    return t;
}

/* Ingest and run, of the inputs in turn; each frame begins on its own moment, a second after
 * the first could. */
TEST(latencies)
{
    const struct bench_timing *t;

    config.n = 2;
    with.cost[1] = 3;
    t = measure();
    assert_int_equal(t->n, 5000);
    assert_string_equal(t->stop_reason, "arrivals");
    assert_near("", t->first_ms, 11);
    assert_near("", t->stat.mean, 12);
    assert_near("", t->stream.tail[0].value, 13);
    assert_near("", t->stream.tail[1].value, 13);
    assert_near("", t->stream.tail[2].value, 0); /* 5 samples beyond it */
    assert_near("", t->stream.jitter_ms, 2);
    assert_near("", t->stream.fps, 50.0 * 4999 / (4999 + 2.0 / 20));
    assert_near("", t->stream.host_ms, 12);
    assert_int_equal(t->stream.n_missed, 0);
    for (int k = 0; k < 5000; k++) { /* the last run is that of verification, of two inputs */
        const double *const first = &with.began_ms[with.n_runs - 2 - 5000];

        assert_near("", first[k] - first[0], k * 20.0);
        assert_near("", t->ns[k], k % 2 ? 13e6 : 11e6);
    }
}

/* Frames take 11 ms, the 9000th stalls for 500: at 80 a second 1.5 ms a frame are left. */
TEST(rates_stalls_and_drops)
{
    static const struct {
        int rate;
        double cost, stall_ms, timeout_s;
        bool drops;
        int n, n_dropped, n_missed, n_runs; /* n_runs: 0: any */
        double max, fps;                    /* fps: 0: any */
        const char *stop_reason;
    } cases[] = {
        /* 511 - k * 1.5 > 12.5: k = 0 ... 332 */
        {80, 1, 500, 1000, false, 20000, 0, 333, 0, 511, 0, "arrivals"},
        /* at 12.5, 25 ... 500 ms of 511 */
        {80, 1, 500, 1000, true, 19960, 40, 1, 0, 511, 0, "arrivals"},
        /* every other one is lost */
        {50, 15, 0, 1000, true, 2500, 2500, 2500, 0, 25, 0, "arrivals"},
        /* as fast as it goes: no deadline, and the time is limited */
        {0, 1, 0, 11, false, 1000, 0, 0, 0, 11, 1e3 / 11, "timeout"},
        /* so long that five of them take more than the timeout: one is enough to warm up */
        {0, 4990, 0, 11, false, 3, 0, 0, 1 + 1 + 3 + 1, 5000, 0, "timeout"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct bench_timing *t;

        anew(1);
        with.cost[0] = cases[i].cost;
        with.stalls = 9000;
        with.stall_ms = cases[i].stall_ms;
        config.plan.rate = cases[i].rate;
        config.plan.drops = cases[i].drops;
        config.plan.timeout_s = cases[i].timeout_s;
        t = measure();
        assert_int_equal(t->n, cases[i].n);
        assert_int_equal(t->stream.n_dropped, cases[i].n_dropped);
        assert_int_equal(t->stream.n_missed, cases[i].n_missed);
        assert_int_equal(t->stream.has_deadline, cases[i].rate > 0);
        assert_near("max", t->stat.max, cases[i].max);
        assert_string_equal(t->stop_reason, cases[i].stop_reason);
        if (cases[i].n_runs > 0)
            assert_int_equal(with.n_runs, cases[i].n_runs);
        if (cases[i].fps > 0)
            assert_near("fps", t->stream.fps, cases[i].fps);
        if (i == 0) { /* 20 frames are beyond it: 511 - 20 * 1.5 = 481 */
            assert_true(t->stream.tail[2].value > 470);
            assert_true(t->stream.tail[2].lo > 450 && t->stream.tail[2].hi < 511);
        }
    }
}

TEST(what_is_slower_than_its_rate)
{
    with.cost[0] = 15; /* 25 ms with its ingest */
    expect(BENCH_ESKIP, "25 ms a frame");
    assert_non_null(strstr(bench_failure(), "slower than the 20 ms of rate = 50"));
    assert_int_equal(config.result.n_timings, 0);
    with.cost[0] = 1000; /* known from the verified run: nothing else is run */
    with.n_runs = 0;
    expect(BENCH_ESKIP, "");
    assert_int_equal(with.n_runs, 1);
    /* but one that is soon tried may have been slow only once, or for another reason */
    with.cost[0] = 1;
    config.plan.rate = 80;
    with.n_runs = with.stalls = 0;
    with.stall_ms = 150;
    measure();
}

/* The stream goes wrong from its 3000th frame on, or does nothing, in or behind its warm-up. */
TEST(a_stream_that_goes_wrong)
{
    const int n_before = 1 + measure()->warmups;
    const struct {
        enum cheat cheat;
        int from;
    } cases[] = {{WRONG_SUM, 3000}, {IDLE, 2}, {IDLE, n_before + 1}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        anew(1);
        with.cheat = cases[i].cheat;
        with.cheats_from = cases[i].from;
        expect(BENCH_EMISMATCH, "on the host after the stream");
    }
}

/* Inputs that no frame had are no failure. */
TEST(fewer_frames_than_inputs)
{
    config.n = 3;
    config.plan.arrivals = 2;
    assert_int_equal(measure()->n, 2);
}

/* The energy pass takes whole seconds at the rate, with the last period, so that idling between
 * frames counts as often as frames.  Without a rate: a second of work. */
TEST(seconds_for_energy)
{
    const struct bench_ctx ctx = {.stages = NULL};
    struct toy_state state = {.in = &config.in[0], .out = &config.out[0], .ctx = &ctx};
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
    assert_near("", clock_ms - before_ms, 1000);
    assert_int_equal(measure_stream_for_energy(&r, &t, &n), BENCH_OK);
    assert_int_equal(n, 100);
    assert_near("", clock_ms - before_ms, 2000);
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

TEST(frames_of_a_rate)
{
    static const int frames[][2] = {
        {10, 1000}, {30, 5000}, {60, 5000}, {120, 20000}, {0, 20000}};
    struct bench_plan plan;

    plan_default(&plan, BENCH_CUDA);
    plan.series = 1u << BENCH_STREAM;
    plan_settle(&plan); /* from kernel */
    assert_int_equal(plan.scopes, 1u << BENCH_END_TO_END);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        plan.rate = frames[i][0];
        assert_int_equal(plan_arrivals(&plan), frames[i][1]);
    }
    assert_int_equal(plan_check(&plan), BENCH_OK);
    plan.wake = WAKE_TOUCH;
    assert_int_equal(plan_check(&plan), BENCH_EINPUT); /* no frame of max is waited for */
    plan.arrivals = 1000;                              /* --quick */
    assert_int_equal(plan_arrivals(&plan), 1000);
}

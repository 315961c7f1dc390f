/*
 * test_arrivals.c - frames on a schedule, against the definition
 *
 * Time stands still but for a frame's cost: the worker of this test finishes at once, or like a
 * GPU behind the frames before.
 */
#include "harness/measure/arrivals.h"
#include "harness/measure/wake.h"

#include "harness/base/random.h"
#include "tests/test.h"

#include <limits.h>
#include <math.h>

#define S      1000000000LL
#define FRAMES 200

static long long now_ns, cost_ns[FRAMES], ready_ns[FRAMES]; /* of each turn */
static bool is_late; /* the result is there later than begin() returns */
static int fails;    /* the turn that does; -1: none */
static int n_begun, n_seen, n_asked, most_in_work;

static double latency_ns[FRAMES];
static struct arrivals found;
static struct arrivals_plan plan;

static long long tell(void *self)
{
    return now_ns;
}

static void wait_until(void *self, long long ns)
{
    assert_int_equal(n_begun, n_seen); /* who sleeps sees no result */
    now_ns = ns > now_ns ? ns : now_ns;
}

static const struct arrivals_clock clock_of_test = {tell, wait_until, NULL};

/* When a turn is ready that is begun now. */
static long long ready_at(int turn, long long begun_ns)
{
    return (turn > 0 && ready_ns[turn - 1] > begun_ns ? ready_ns[turn - 1] : begun_ns) +
           cost_ns[turn];
}

static enum bench_status begin(void *self, int turn)
{
    assert_int_equal(turn, n_begun);
    n_begun++;
    n_asked = 0;
    most_in_work = n_begun - n_seen > most_in_work ? n_begun - n_seen : most_in_work;
    if (turn == fails)
        return BENCH_FAIL(BENCH_ENOMEM, "the worker fails");
    ready_ns[turn] = ready_at(turn, now_ns);
    now_ns = is_late ? now_ns : ready_ns[turn];
    return BENCH_OK;
}

/* Who asks again and again has nothing else to do until the next frame is due. */
static enum bench_status is_done(void *self, int turn, bool *is)
{
    const long long due_ns = found.t0_ns + arrivals_after_ns(plan.rate, found.n_arrived);

    assert_int_equal(turn, n_seen);
    if (n_asked++ > 2 && now_ns < ready_ns[turn]) {
        now_ns = now_ns < due_ns && due_ns < ready_ns[turn] ? due_ns : ready_ns[turn];
        n_asked = 0;
    }
    *is = now_ns >= ready_ns[turn];
    n_seen += *is;
    return BENCH_OK;
}

static const struct arrivals_work work = {.begin = begin, .is_done = is_done};

static enum bench_status run(void)
{
    now_ns = 5 * S + 123;
    n_begun = n_seen = most_in_work = 0;
    found = (struct arrivals){.latency_ns = latency_ns};
    return arrivals_run(&plan, &clock_of_test, &work, &found);
}

/* 30 frames a second have no period in whole nanoseconds: none of them adds up. */
TEST(a_schedule_does_not_drift)
{
    assert_int_equal(arrivals_after_ns(30, 0), 0);
    assert_int_equal(arrivals_after_ns(30, 1), 33333333);
    assert_int_equal(arrivals_after_ns(30, 30), S);
    assert_int_equal(arrivals_after_ns(30, 30 * 86400), 86400 * S);
    assert_int_equal(arrivals_after_ns(120, 20000), 20000 * S / 120);
}

/* By definition: a frame arrives on its moment, or when there is room; if all room is taken it
 * is lost, or waits; its latency counts from its arrival. */
static void expect(double *latency, struct arrivals *a)
{
    const double period_ns = plan.rate > 0 ? (double)S / plan.rate : HUGE_VAL;
    long long ready[FRAMES], host_ns = 5 * S + 123;

    *a = (struct arrivals){.t0_ns = host_ns + plan.lead_ns};
    while (a->n_arrived < plan.n && !a->is_cut) {
        const long long due_ns = a->t0_ns + (plan.rate > 0 ? S * a->n_arrived / plan.rate : 0);
        int n_busy = 0;

        for (int turn = 0; turn < a->n; turn++)
            n_busy += ready[turn] > due_ns;
        host_ns = due_ns > host_ns ? due_ns : host_ns;
        if (plan.rate > 0 && plan.drops && n_busy >= plan.in_flight) {
            a->n_dropped++;
        } else {
            const int turn = a->n++;

            if (turn >= plan.in_flight && ready[turn - plan.in_flight] > host_ns)
                host_ns = ready[turn - plan.in_flight];
            ready[turn] = ready_at(turn, host_ns);
            latency[turn] = (double)(ready[turn] - (plan.rate > 0 ? due_ns : host_ns));
            a->n_missed += latency[turn] > period_ns;
            a->jitter_ns += turn > 0 ? fabs(latency[turn] - latency[turn - 1]) : 0;
            a->begin_ns += is_late ? 0 : (double)(ready[turn] - host_ns);
            host_ns = is_late ? host_ns : ready[turn];
        }
        a->n_arrived++;
        a->is_cut = plan.limit_ns > 0 && a->n_arrived < plan.n && a->n_arrived >= plan.least &&
                    host_ns - a->t0_ns >= plan.limit_ns;
    }
    a->begin_ns /= a->n;
    a->jitter_ns /= a->n > 1 ? a->n - 1 : 1;
    a->fps = a->n > 1 ? (a->n - 1) * (double)S / (double)(ready[a->n - 1] - ready[0]) : 0;
}

static uint32_t draw(uint32_t i, uint32_t k, uint32_t n)
{
    return bench_below(bench_philox(1, i, k, 0, 0).word[0], n);
}

/* Frames cost quarters of a period, one is a long stall; one more than a period is a miss. */
TEST(streams_agree_with_the_definition)
{
    static const int rates[] = {0, 8, 100, 1000};
    int n_dropped = 0, n_missed = 0, n_cut = 0, n_full = 0;

    for (uint32_t i = 0; i < 2000; i++) {
        const int rate = rates[i % 4];
        const long long quarter_ns = S / (rate ? rate : 100) / 4;
        const uint32_t dear = 2 + draw(i, 0, 5);
        double expected_ns[FRAMES];
        struct arrivals expected;

        plan = (struct arrivals_plan){.rate = rate,
                                      .in_flight = 1 + (int)draw(i, 1, 4),
                                      .drops = draw(i, 2, 2),
                                      .n = 1 + (int)draw(i, 3, FRAMES),
                                      .lead_ns = draw(i, 4, 2) ? S : 0,
                                      .limit_ns = draw(i, 5, 3) ? 0 : 40 * quarter_ns,
                                      .least = (int)draw(i, 6, 20)};
        is_late = draw(i, 7, 2);
        fails = -1;
        for (uint32_t k = 0; k < FRAMES; k++)
            cost_ns[k] =
                quarter_ns * (1 + draw(i, 9 + k, dear)) + (draw(i, 999 + k, 9) ? 0 : 1000);
        if (draw(i, 8, 2))
            cost_ns[draw(i, 9, 50)] = 100 * quarter_ns;
        assert_int_equal(run(), BENCH_OK);
        expect(expected_ns, &expected);
        assert_int_equal(found.t0_ns, expected.t0_ns);
        assert_int_equal(found.n_arrived, expected.n_arrived);
        assert_int_equal(found.n_dropped, expected.n_dropped);
        assert_int_equal(found.n, expected.n);
        assert_int_equal(found.n_missed, expected.n_missed);
        assert_int_equal(found.is_cut, expected.is_cut);
        assert_memory_equal(latency_ns, expected_ns, (size_t)found.n * sizeof *latency_ns);
        assert_true(fabs(found.jitter_ns - expected.jitter_ns) <= 1e-9 * expected.jitter_ns);
        assert_true(fabs(found.begin_ns - expected.begin_ns) <= 1e-9 * expected.begin_ns);
        assert_true(fabs(found.fps - expected.fps) <= 1e-9 * expected.fps);
        assert_int_equal(n_seen, n_begun);
        assert_true(most_in_work <= plan.in_flight);
        n_dropped += found.n_dropped > 0;
        n_missed += found.n_missed > 0;
        n_cut += found.is_cut;
        n_full += most_in_work == 4;
    }
    assert_true(n_dropped > 100 && n_missed > 100 && n_cut > 100 && n_full > 100);
}

TEST(a_failure_ends_the_stream)
{
    plan = (struct arrivals_plan){.rate = 10, .in_flight = 1, .n = 100};
    fails = 3;
    assert_int_equal(run(), BENCH_ENOMEM);
    assert_int_equal(n_begun, 4);
}

/* ---- awake ---- */

/* In us from the time at which a frame is due. */
TEST(a_host_wakes_once_for_a_frame)
{
    enum { NEVER = 1, NOW = 2 };
    static const struct {
        enum wake_how how;
        int took, now, until;
        bool wakes;
    } cases[] = {
        {WAKE_NO, 100, -20000, NEVER, false},
        {WAKE_NO, 100, -200, NEVER, false},
        {WAKE_TOUCH, 0, -20000, -400, false},
        {WAKE_TOUCH, 0, -401, -400, false},
        {WAKE_TOUCH, 0, -400, NOW, true},
        {WAKE_TOUCH, 9000, -50, NOW, true},
        {WAKE_TOUCH, 0, -49, NOW, false},
        {WAKE_TOUCH, 0, 0, NOW, false},
        {WAKE_RERUN, 0, -20000, -400, false},
        {WAKE_RERUN, 0, -400, NOW, false},
        {WAKE_RERUN, 100, -401, -400, false},
        {WAKE_RERUN, 100, -400, NOW, true},
        {WAKE_RERUN, 100, -100, NOW, true},
        {WAKE_RERUN, 100, -99, NOW, false},
        /* over 0.2 ms before */
        {WAKE_RERUN, 201, -402, -401, false},
        {WAKE_RERUN, 5000, -5201, -5200, false},
        {WAKE_RERUN, 5000, -5200, NOW, true},
        {WAKE_RERUN, 5000, -4999, NOW, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const long long ns = S + 1000 * cases[i].now;
        struct wake wake = {.how = cases[i].how};

        wake_begun(&wake, 7);
        wake_done(&wake, 7 + 1000 * cases[i].took);
        for (int again = 0; again < 2; again++) {
            const struct wake_step step = wake_step(&wake, ns, S);

            assert_true(step.until_ns == (cases[i].until == NEVER ? LLONG_MAX
                                          : cases[i].until == NOW ? ns
                                                                  : S + 1000 * cases[i].until));
            assert_int_equal(step.wakes, cases[i].wakes && !again);
        }
        assert_int_equal(wake_step(&wake, ns + S, 2 * S).wakes, cases[i].wakes);
        assert_true(wake_step(&wake, ns, -1).until_ns == LLONG_MAX);
    }
}

/* Frames at these ms => at which ms the next is due, asked at another; 0: nobody knows. */
TEST(a_period_is_learnt)
{
    static const struct {
        double at[12], now, due;
    } cases[] = {
        {{0, 10, 20, 30, 40, 50, 60, 70}, 71, 0}, /* one too few */
        {{0, 10, 20, 30, 40, 50, 60, 70, 80}, 80, 90},
        {{0, 10, 20, 30, 40, 50, 60, 70, 80, 95, 105, 115}, 116, 125}, /* a later schedule */
        {{0, 10, 20, 30, 43, 50, 60, 70, 80}, 81, 90},                 /* one was late */
        {{0, 10, 20, 40, 50, 60, 70, 80, 90}, 91, 100},                /* one is missing */
        {{0, 10, 20, 40, 50, 60, 80, 90, 100}, 101, 0},                /* two are */
        {{0, 10.2, 20, 30.2, 40, 50.2, 60, 70.2, 80}, 81, 90},
        {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 1, 0}, /* at once */
        {{0, 10.3, 20, 30.3, 40, 50.3, 60, 70.3, 80}, 81, 0},
        /* it does not come: a period later, for three of them */
        {{0, 10, 20, 30, 40, 50, 60, 70, 80}, 90.4, 90},
        {{0, 10, 20, 30, 40, 50, 60, 70, 80}, 90.5, 100},
        {{0, 10, 20, 30, 40, 50, 60, 70, 80}, 110.4, 110},
        {{0, 10, 20, 30, 40, 50, 60, 70, 80}, 110.5, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wake_rhythm rhythm = {.n = 0};
        long long due_ns;

        for (int k = 0; k < 12 && (k == 0 || cases[i].at[k] > 0); k++)
            wake_hear(&rhythm, S + llround(1e6 * cases[i].at[k]));
        due_ns = wake_expect(&rhythm, S + llround(1e6 * cases[i].now));
        assert_int_equal(due_ns, cases[i].due > 0 ? S + llround(1e6 * cases[i].due) : -1);
    }
}

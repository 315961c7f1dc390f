/*
 * test_together.c - ranks that measure together: their common interval, parts and messages
 *
 * A run of an input takes 1 ms, and nothing else takes time.  The other ranks are made up.
 */
#include "tests/toy_variant.h"

#include "harness/measure/tally.h"
#include "harness/measure/together.h"

#define LATER 0.01 /* s that the other rank begins after this one */

/* ---- the other rank ---- */

static double begin_s; /* of this one's interval */
static double other_begin, other_end, other_rate;
static bool other_fails;
static char calls[64]; /* of the hooks, a letter each */

static void note(char call)
{
    const size_t n = strlen(calls);

    assert_true(n + 1 < sizeof calls);
    calls[n] = call;
}

static enum bench_status agree(struct world *world, enum bench_status status, double limit_s)
{
    assert_ptr_equal(world, (struct world *)calls);
    assert_true(limit_s > 0);
    note('a');
    return other_fails ? BENCH_FAIL(BENCH_EMISMATCH, "rank 1 is wrong") : status;
}

static enum bench_status barrier(struct world *world, double limit_s)
{
    assert_true(limit_s > 0);
    note('b');
    begin_s = 1e-3 * clock_ms;
    memset(with.n_runs_of, 0, sizeof with.n_runs_of);
    return BENCH_OK;
}

static enum bench_status reduce(struct world *world, bool is_sum, double *values, int n,
                                double limit_s)
{
    static double edge[2];
    const double zero = config.machine.together->is_clock_shared ? begin_s : 0;
    double time_s[2] = {zero + other_begin, zero + other_end},
           done[2] = {0, other_rate * (other_end - other_begin)}, more[TALLY_MOST];
    const struct bench_tally other = {2, time_s, done};

    assert_true(limit_s > 0);
    note(n == 2 ? 'e' : is_sum ? 's' : 'm');
    if (n == 2) {
        edge[0] = values[0] = fmax(values[0], time_s[0]);
        edge[1] = values[1] = fmax(values[1], -time_s[1]);
        return BENCH_OK;
    }
    tally_cut(&other, edge[0], -edge[1], n, more);
    for (int i = 0; i < n; i++)
        values[i] = is_sum ? values[i] + more[i] : fmax(values[i], -more[i]);
    return BENCH_OK;
}

static struct bench_together together;

static void plan_more(void)
{
    config.n = 2;
    config.plan.series = 1u << BENCH_SUSTAINED;
    config.plan.scaling = BENCH_WEAK;
    config.plan.ranks = 2;
    config.plan.min_samples = 5;
    config.plan.max_samples = 1000;
    config.plan.interval_s = 0.1;
    config.plan.wait_s = 1;
    together = (struct bench_together){
        0, 2, true, agree, barrier, reduce, (struct world *)calls, false};
    config.machine.together = &together;
    other_begin = LATER;
    other_end = 0.5;
    other_rate = 250; /* passes a second */
    other_fails = false;
    memset(calls, 0, sizeof calls);
}

/* ---- the arithmetic ---- */

TEST(passes_until_a_time)
{
    double time_s[] = {10, 12, 13, 20}, done[] = {0, 4, 8, 8};
    const struct bench_tally tally = {4, time_s, done};
    const double row[][2] = {{0, 0},  {10, 0}, {11, 2}, {12, 4}, {12.5, 6},
                             {13, 8}, {16, 8}, {20, 8}, {1e9, 8}};
    double cut[4];

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_near("", tally_at(&tally, row[i][0]) + 1, row[i][1] + 1);
    /* without those of the time before */
    tally_cut(&tally, 11, 13, 4, cut);
    assert_near("", cut[0], 1);
    assert_near("", cut[1], 2);
    assert_near("", cut[2], 4);
    assert_near("", cut[3], 6);
}

/* Samples are of equally many passes; one counts a rest of half of the time. */
TEST(mean_of_samples_is_the_interval_by_its_passes)
{
    const double done[] = {4, 4, 8, 10}, none[] = {0, 0, 0, 0};
    double ms[5], sum = 0;

    assert_true(tally_ms(done, 4, 8, 5, ms));
    for (int i = 0; i < 5; i++)
        sum += ms[i];
    assert_near("", sum / 5, 1e3 * 8 / 10);
    assert_near("", ms[0], 500);  /* 2 passes in the first second */
    assert_near("", ms[1], 1500); /* and none in the two that the second waits for */
    assert_false(tally_ms(none, 4, 8, 5, ms));
}

TEST(parts_are_all_inputs_once)
{
    struct bench_plan plan = {.scaling = BENCH_STRONG};

    for (int n = 1; n <= 20; n++)
        for (int ranks = 1; ranks <= n; ranks++) {
            int next = 0, first, count;

            for (int rank = 0; rank < ranks; rank++) {
                const struct bench_together one = {.rank = rank, .n = ranks};

                plan.scaling = BENCH_STRONG;
                bench_part_of(&plan, &one, n, &first, &count);
                assert_int_equal(first, next);
                assert_in_range(count, n / ranks, (n + ranks - 1) / ranks);
                next += count;
                plan.scaling = BENCH_WEAK;
                bench_part_of(&plan, &one, n, &first, &count);
                assert_int_equal(first, 0);
                assert_int_equal(count, n);
            }
            assert_int_equal(next, n);
        }
}

/* ---- a measurement ---- */

/* In the 90 ms in common this rank makes 45 passes of 2 inputs, the other 22.5; or 90 of one
 * input each, and by the slower rank's 22.5 two inputs are done.  Without a common clock time
 * is since the barrier; the earliest end counts. */
TEST(frames_of_all)
{
    static const struct {
        enum bench_scaling scaling;
        bool is_clock_shared;
        double other_end, ms;
        const char *calls;
    } cases[] = {{BENCH_WEAK, true, 0.5, 90 / (67.5 * 2), "abaes"},
                 {BENCH_WEAK, false, 0.5, 90 / (67.5 * 2), "abaes"},
                 {BENCH_WEAK, true, LATER + 0.04, 40.0 / ((20 + 10) * 2), "abaes"},
                 {BENCH_STRONG, true, 0.5, 90 / (22.5 * 2), "abaem"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool is_weak = cases[i].scaling == BENCH_WEAK;
        const struct bench_timing *t;

        anew(2);
        config.plan.scaling = cases[i].scaling;
        together.rank = !is_weak;
        together.is_clock_shared = cases[i].is_clock_shared;
        other_end = cases[i].other_end;
        t = measure_one();
        assert_string_equal(t->stop_reason, "interval");
        assert_int_equal(t->n, 5);
        assert_near("", t->stat.mean, cases[i].ms);
        assert_int_equal(with.n_runs_of[0], is_weak ? with.n_runs_of[1] : 1); /* verified */
        assert_true(with.n_runs_of[1] > (is_weak ? 0 : 90));
        assert_string_equal(calls, cases[i].calls);
    }
}

TEST(nothing_in_common_is_said)
{
    other_begin = 0.2;
    expect(BENCH_EENV, "interval = 0.1 is too short");
    assert_int_equal(config.result.n_timings, 0);
}

TEST(what_another_rank_found_ends_it)
{
    other_fails = true;
    expect(BENCH_EMISMATCH, "rank 1 is wrong");
    assert_true(together.has_agreed);
    assert_string_equal(calls, "a");
    assert_int_equal(config.result.n_timings, 0);
}

static bool stop(void)
{
    return 1e-3 * clock_ms > begin_s + 0.05 && calls[1] == 'b';
}

/* The others hear of it, and none waits for this rank. */
TEST(a_rank_that_stops_says_so)
{
    assert_int_equal(config_measure(&variant, stop), BENCH_EINTR);
    assert_string_equal(calls, "aba");
    assert_true(together.has_agreed);
}

TEST(a_rank_without_a_part_says_the_same)
{
    char with_a_part[sizeof calls];

    config.plan.scopes = 1u << BENCH_KERNEL | 1u << BENCH_END_TO_END;
    expect(BENCH_OK, "");
    memcpy(with_a_part, calls, sizeof calls);
    memset(calls, 0, sizeof calls);
    together.rank = 2;
    assert_int_equal(bench_attend(&variant, &config.plan, &together), BENCH_OK);
    assert_string_equal(calls, with_a_part);
}

/* test_stats.c - summaries of samples against numbers worked out by hand */
#include "harness/base/stats.h"
#include "tests/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check(double expected, double found)
{
    if (fabs(expected - found) > 1e-12 * fmax(1.0, fabs(expected)))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

static void summarise(const double *samples, int n, double tick, struct bench_stat *stat)
{
    double *sorted = malloc((size_t)n * sizeof *sorted);

    assert_non_null(sorted);
    bench_summarise(samples, n, tick, sorted, stat);
    free(sorted);
}

/* Samples in any order, which stay as they are. */
TEST(summaries)
{
    static const struct {
        int n;
        double samples[4], expected[10];
    } cases[] = {
        /* min, quartiles, 95 %, max, mean; standard deviation squared; interval */
        {1, {2.5}, {2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 0, 2.5, 2.5}},
        {3, {3, 1, 2}, {1, 1.5, 2, 2.5, 2.9, 3, 2, 1, 1, 3}},
        {4, {40, 10, 30, 20}, {10, 17.5, 25, 32.5, 38.5, 40, 25, 500 / 3.0, 10, 40}},
        /* it survives a large offset */
        {4,
         {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16},
         {1e9 + 4, 1e9 + 6.25, 1e9 + 10, 1e9 + 13.75, 1e9 + 15.55, 1e9 + 16, 1e9 + 10, 30,
          1e9 + 4, 1e9 + 16}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double samples[4];
        struct bench_stat s;

        memcpy(samples, cases[i].samples, sizeof samples);
        summarise(samples, cases[i].n, 1, &s);
        assert_memory_equal(samples, cases[i].samples, sizeof samples);
        assert_int_equal(s.n, cases[i].n);
        assert_int_equal(s.n_outliers, 0);

        const double found[] = {s.min, s.q1,   s.median,    s.q3,    s.p95,
                                s.max, s.mean, s.sd * s.sd, s.ci_lo, s.ci_hi};

        for (int k = 0; k < 10; k++)
            check(cases[i].expected[k], found[k]);
    }
}

/* n, and the ranks (from 1) that the formula gives: worked out on paper. */
TEST(interval_is_by_ranks)
{
    static const int expected[][3] = {
        {2, 1, 2},   {5, 1, 5},    {6, 1, 6},     {10, 1, 10},      {20, 5, 16},
        {30, 9, 22}, {50, 18, 33}, {100, 40, 61}, {1000, 469, 532},
    };
    double samples[1000];

    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const int n = expected[i][0];
        struct bench_stat stat;

        for (int k = 0; k < n; k++)
            samples[k] = k * 373 % n + 1; /* 373 is a prime: a permutation of 1..n */
        summarise(samples, n, 1, &stat);
        check(expected[i][1], stat.ci_lo);
        check(expected[i][2], stat.ci_hi);
    }
}

/* 1 .. n: one in ten, a hundred, a thousand lie beyond, if ten samples do.  Ranks by hand, 100:
 * 90 -+ 1.96 * 3; 10000: 9990 -+ 1.96 * 3.1607. */
TEST(tails)
{
    static const struct {
        int n, one_in;
        double value, lo, hi; /* 0: not told */
    } cases[] = {
        {99, 10, 0, 0, 0},     {100, 10, 90.1, 84, 97},
        {999, 100, 0, 0, 0},   {1000, 100, 990.01, 983, 998},
        {9999, 1000, 0, 0, 0}, {10000, 1000, 9990.001, 9983, 9998},
    };
    static double sorted[10000];

    for (int i = 0; i < 10000; i++)
        sorted[i] = i + 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench_bounded tail;

        assert_int_equal(bench_tail(sorted, cases[i].n, cases[i].one_in, &tail),
                         cases[i].value > 0);
        check(cases[i].value, tail.value);
        check(cases[i].lo, tail.lo);
        check(cases[i].hi, tail.hi);
    }
}

/* The definition, with deviations sorted anew; a tick stands for a median of 0. */
static int count_plainly(const double *samples, int n, double median, double tick)
{
    double deviation[64];
    double mad;
    int n_outliers = 0;

    for (int i = 0; i < n; i++)
        deviation[i] = fabs(samples[i] - median);
    qsort(deviation, (size_t)n, sizeof *deviation, bench_compare_doubles);
    mad = n % 2 ? deviation[n / 2] : 0.5 * (deviation[n / 2 - 1] + deviation[n / 2]);
    for (int i = 0; i < n; i++)
        n_outliers += 0.6745 * fabs(samples[i] - median) > 3.5 * (mad > 0 ? mad : tick);
    return n_outliers;
}

TEST(outliers_agree_with_the_definition)
{
    static const double ticks[] = {0.5, 0, 1, 10};
    uint32_t state = 12345;
    int n_seen[4] = {0};

    for (int trial = 0; trial < 4000; trial++) {
        const int n = 1 + trial % 64, kind = trial / 64 % 4;
        double samples[64], max = 0;
        struct bench_stat stat;

        for (int i = 0; i < n; i++) {
            state = state * 1664525u + 1013904223u;
            samples[i] = (double)(state >> 24) * (state % 17 == 0 ? 16.0 : 0.25);
            if (trial % 3 == 0) /* most are equal */
                samples[i] = floor(samples[i] / 48);
            max = fmax(max, samples[i]);
        }
        summarise(samples, n, ticks[kind], &stat);
        assert_int_equal(stat.n_outliers, count_plainly(samples, n, stat.median, ticks[kind]));
        check(max, stat.max); /* they are kept */
        n_seen[kind] += stat.n_outliers;
    }
    for (int kind = 0; kind < 4; kind++)
        assert_true(n_seen[kind] > 100);
}

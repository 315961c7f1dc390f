/* test_stats.c - summaries of samples and fits of powers against numbers worked out by hand */
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

/* Of samples, whatever their order, that are left as they are. */
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
        /* which survives a large offset */
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

/* Of 1 .. n: one in ten, a hundred, a thousand lie beyond it, if ten samples do.  Ranks worked out on
 * paper: 100: 90 -+ 1.96 * 3; 10000: 9990 -+ 1.96 * 3.1607. */
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

/* The plain definition, with the deviations sorted anew; where the median of them is 0 a tick
 * stands for it. */
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

/* ---- power laws ---- */

/* 'reach': of the interval, whose factor has six digits. */
static void check_fit(const double *x, const double *y, int n, double exponent, double reach,
                      double scale, double last)
{
    struct bench_fit fit;

    assert_true(bench_fit_power(x, y, n, &fit));
    assert_int_equal(fit.n, n);
    check(exponent, fit.exponent);
    assert_true(fit.lo <= fit.exponent && fit.exponent <= fit.hi);
    assert_true(fabs(fit.hi - exponent - reach) < 1e-6);
    assert_true(fabs(exponent - fit.lo - reach) < 1e-6);
    check(scale, fit.scale);
    check(last, fit.last);
}

TEST(interval_is_students)
{
    static const double x[] = {32, 1024, 64, 256},
                        squares[] = {3 * 1024, 3 * 1048576, 3 * 4096, 3 * 65536};
    double many[16], near[16];

    check_fit(x, squares, 4, 2, 0, 3, 2); /* exact: there is none */
    check_fit(x, squares, 2, 2, 0, 3, 2); /* a line through two points */
    /* in powers of two: x 0 1 2 3, y 0 1 3 4.  Sxx 5, Sxy 7, squares left 0.2, Student's t of
     * 2 degrees 4.30265 */
    check_fit((const double[]){1, 2, 4, 8}, (const double[]){1, 2, 8, 16}, 4, 1.4,
              4.30265 * sqrt(0.2 / 2 / 5), pow(2, 2 - 1.4 * 1.5), 1);
    /* 0.1 above, below, below, above a line of slope 1: Sxx 340, t of 14 degrees 2.14479 */
    for (int i = 0; i < 16; i++) {
        many[i] = exp(i);
        near[i] = exp(i + (i % 4 == 0 || i % 4 == 3 ? 0.1 : -0.1));
    }
    check_fit(many, near, 16, 1, 2.14479 * sqrt(0.16 / 14 / 340), 1, 1.2);
}

TEST(too_little_for_a_power)
{
    static const double x[] = {2, 4, 8}, same[] = {3, 3, 3}, y[] = {1, 4, 16};
    static const double bad[][3] = {{1, 0, 16}, {1, -4, 16}, {1, NAN, 16}, {1, INFINITY, 16}};
    struct bench_fit fit;

    assert_false(bench_fit_power(x, y, 0, &fit));
    assert_false(bench_fit_power(x, y, 1, &fit));
    assert_false(bench_fit_power(same, y, 3, &fit));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fit.exponent = 77;
        assert_false(bench_fit_power(x, bad[i], 3, &fit));
        assert_false(bench_fit_power(bad[i], y, 3, &fit));
        assert_true(fit.n == 0 && fit.exponent == 0);
    }
}

/* Relative residuals of 1/3 each, t of one degree 12.7062; a time ten times as long counts no
 * more; and what nothing tells apart. */
TEST(two_terms)
{
    const double x1[] = {10, 0, 1}, x2[] = {0, 1, 1}, y[] = {10, 1, 1}, sum[] = {30, 2, 5};
    const double x[] = {1, 2, 3}, twice[] = {2, 4, 6}, other[] = {1, 1, 2}, zero[] = {1, 0, 1};
    const double half = 12.7062 * sqrt(2 / 9.0);
    struct bench_linear fit;

    assert_true(bench_fit_linear(x1, x2, y, 3, &fit));
    assert_int_equal(fit.n, 3);
    check(2 / 3.0, fit.a);
    check(2 / 3.0, fit.b);
    check(half, fit.a_half);
    check(half, fit.b_half);
    check(1 / 3.0, fit.rms);
    check(1 / 3.0, fit.worst);
    assert_true(bench_fit_linear(x1, x2, sum, 3, &fit));
    check(3, fit.a);
    check(2, fit.b);
    assert_true(fit.worst < 1e-12);

    assert_false(bench_fit_linear(x, twice, y, 3, &fit));
    assert_int_equal(fit.n, 0);
    assert_false(bench_fit_linear(x, other, y, 2, &fit));
    assert_false(bench_fit_linear(x, other, zero, 3, &fit));
    assert_true(bench_fit_linear(x, other, y, 3, &fit));
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}

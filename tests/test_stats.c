/* test_stats.c - summaries of samples and fits of powers against numbers worked out by hand */
#include "harness/base/stats.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <setjmp.h>
#include <cmocka.h>

#define TOLERANCE 1e-12

static void check(double expected, double found)
{
    if (fabs(expected - found) > TOLERANCE * fmax(1.0, fabs(expected)))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

static void summarise(const double *samples, int n, double tick, struct bench_stat *stat)
{
    double *sorted = malloc((size_t)n * sizeof *sorted);

    assert_non_null(sorted);
    bench_summarise(samples, n, tick, sorted, stat);
    free(sorted);
}

static void one_sample_is_everything(void **unused)
{
    const double samples[] = {2.5};
    struct bench_stat stat;

    (void)unused;
    summarise(samples, 1, 0.001, &stat);
    assert_int_equal(stat.n, 1);
    check(2.5, stat.min);
    check(2.5, stat.q1);
    check(2.5, stat.median);
    check(2.5, stat.q3);
    check(2.5, stat.p95);
    check(2.5, stat.max);
    check(2.5, stat.mean);
    check(2.5, stat.ci_lo);
    check(2.5, stat.ci_hi);
    assert_true(stat.sd == 0.0);
    assert_int_equal(stat.n_outliers, 0);
}

static void quantiles_interpolate(void **unused)
{
    const double samples[] = {40, 10, 30, 20};
    struct bench_stat stat;

    (void)unused;
    summarise(samples, 4, 1, &stat);
    check(17.5, stat.q1);
    check(25, stat.median);
    check(32.5, stat.q3);
    check(38.5, stat.p95);
    check(25, stat.mean);
    check(sqrt(500.0 / 3.0), stat.sd);
}

/* n, and the ranks (from 1) that the formula gives: worked out on paper. */
static void interval_is_by_ranks(void **unused)
{
    static const int expected[][3] = {
        {2, 1, 2},   {5, 1, 5},    {6, 1, 6},     {10, 1, 10},      {20, 5, 16},
        {30, 9, 22}, {50, 18, 33}, {100, 40, 61}, {1000, 469, 532},
    };
    double samples[1000];

    (void)unused;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const int n = expected[i][0];
        struct bench_stat stat;

        for (int k = 0; k < n; k++)
            samples[k] =
                (double)((k * 373) % n + 1); /* 373 is a prime: a permutation of 1..n */
        summarise(samples, n, 1, &stat);
        check(expected[i][1], stat.ci_lo);
        check(expected[i][2], stat.ci_hi);
    }
}

static void sd_survives_a_large_offset(void **unused)
{
    const double samples[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    struct bench_stat stat;

    (void)unused;
    summarise(samples, 4, 1, &stat);
    assert_true(fabs(stat.sd - sqrt(30.0)) < 1e-6);
    check(1e9 + 10, stat.mean);
}

static void outliers_are_counted_and_kept(void **unused)
{
    /* median 10.5, deviations 0.5 x6, 1.5 x2, 0.5 ..: MAD 0.5; 13.0 has z 3.37, 13.2 has z 3.64 */
    const double samples[] = {10, 11, 10, 11, 10, 11, 10, 11, 10, 13.0};
    double far[10];
    struct bench_stat stat;

    (void)unused;
    summarise(samples, 10, 0.001, &stat);
    check(10.5, stat.median);
    assert_int_equal(stat.n_outliers, 0);
    for (int i = 0; i < 10; i++)
        far[i] = samples[i];
    far[9] = 13.2;
    summarise(far, 10, 0.001, &stat);
    assert_int_equal(stat.n_outliers, 1);
    check(13.2, stat.max);
}

static void quantised_samples_use_the_tick(void **unused)
{
    /* MAD 0; with a tick of 1, 5 is z 0.67 * 5 = 3.37, 6 is 4.05 */
    double samples[] = {100, 100, 100, 100, 100, 100, 105, 95};
    struct bench_stat stat;

    (void)unused;
    summarise(samples, 8, 1, &stat);
    assert_int_equal(stat.n_outliers, 0);
    samples[6] = 106;
    summarise(samples, 8, 1, &stat);
    assert_int_equal(stat.n_outliers, 1);
    summarise(samples, 8, 10, &stat);
    assert_int_equal(stat.n_outliers, 0);
    summarise(samples, 8, 0, &stat);
    assert_int_equal(stat.n_outliers, 2);
    for (int i = 0; i < 8; i++)
        samples[i] = 3;
    summarise(samples, 8, 0, &stat);
    assert_int_equal(stat.n_outliers, 0);
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;

    return (a > b) - (a < b);
}

/* The plain definition, with the deviations sorted anew. */
static int count_plainly(const double *samples, int n, double median, double tick)
{
    double deviation[64];
    double mad;
    int n_outliers = 0;

    for (int i = 0; i < n; i++)
        deviation[i] = fabs(samples[i] - median);
    qsort(deviation, (size_t)n, sizeof *deviation, compare_doubles);
    mad = n % 2 ? deviation[n / 2] : 0.5 * (deviation[n / 2 - 1] + deviation[n / 2]);
    for (int i = 0; i < n; i++)
        n_outliers += 0.6745 * fabs(samples[i] - median) > 3.5 * (mad > 0 ? mad : tick);
    return n_outliers;
}

static void outliers_agree_with_the_definition(void **unused)
{
    uint32_t state = 12345;
    int n_seen = 0;

    (void)unused;
    for (int trial = 0; trial < 2000; trial++) {
        const int n = 1 + trial % 64;
        double samples[64];
        struct bench_stat stat;

        for (int i = 0; i < n; i++) {
            state = state * 1664525u + 1013904223u;
            samples[i] = (double)(state >> 24) * (state % 17 == 0 ? 16.0 : 0.25);
            if (trial % 3 == 0)
                samples[i] = floor(samples[i] / 16);
        }
        summarise(samples, n, 0.5, &stat);
        assert_int_equal(stat.n_outliers, count_plainly(samples, n, stat.median, 0.5));
        n_seen += stat.n_outliers;
    }
    assert_true(n_seen > 100);
}

static void samples_are_left_alone(void **unused)
{
    const double samples[] = {3, 1, 2};
    double sorted[3];
    struct bench_stat stat;

    (void)unused;
    bench_summarise(samples, 3, 1, sorted, &stat);
    check(3, samples[0]);
    check(1, samples[1]);
    check(2, stat.median);
}

/* ---- power laws ---- */

static void an_exact_power_has_no_interval(void **unused)
{
    const double x[] = {32, 1024, 64, 256}, y[] = {3 * 1024, 3 * 1048576, 3 * 4096, 3 * 65536};
    struct bench_fit fit;

    (void)unused;
    assert_true(bench_fit_power(x, y, 4, &fit));
    assert_int_equal(fit.n, 4);
    check(2, fit.exponent);
    check(3, fit.scale);
    check(2, fit.last);
    assert_true(fit.lo <= fit.exponent && fit.hi - fit.lo < 1e-6);
}

/* In powers of two: x 0 1 2 3, y 0 1 3 4.  Sxx 5, Sxy 7, squares left 0.2, Student's t of 2 degrees 4.30265. */
static void interval_is_students(void **unused)
{
    const double x[] = {1, 2, 4, 8}, y[] = {1, 2, 8, 16};
    const double reach = 4.30265 * sqrt(0.2 / 2 / 5);
    struct bench_fit fit;

    (void)unused;
    assert_true(bench_fit_power(x, y, 4, &fit));
    check(1.4, fit.exponent);
    check(1.4 - reach, fit.lo);
    check(1.4 + reach, fit.hi);
    check(pow(2, 2 - 1.4 * 1.5), fit.scale);
    check(1, fit.last);
}

/* Relative residuals of 1/3 each, t of one degree 12.7062; a time ten times as long counts no more. */
static void two_terms(void **unused)
{
    const double x1[] = {10, 0, 1}, x2[] = {0, 1, 1}, y[] = {10, 1, 1}, sum[] = {30, 2, 5};
    const double half = 12.7062 * sqrt(2 / 9.0);
    struct bench_linear fit;

    (void)unused;
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
}

static void two_terms_that_nothing_tells_apart(void **unused)
{
    const double x[] = {1, 2, 3}, twice[] = {2, 4, 6}, y[] = {1, 1, 1}, zero[] = {1, 0, 1};
    const double other[] = {1, 1, 2};
    struct bench_linear fit = {.n = 7};

    (void)unused;
    assert_false(bench_fit_linear(x, twice, y, 3, &fit));
    assert_int_equal(fit.n, 0);
    assert_false(bench_fit_linear(x, other, y, 2, &fit));
    assert_false(bench_fit_linear(x, other, zero, 3, &fit));
    assert_true(bench_fit_linear(x, other, y, 3, &fit));
}

/* Sixteen points 0.1 above, below, below, above a line of slope 1: Sxx 340, t of 14 degrees 2.14479. */
static void interval_of_many_points(void **unused)
{
    double x[16], y[16];
    const double reach = 2.14479 * sqrt(0.16 / 14 / 340);
    struct bench_fit fit;

    (void)unused;
    for (int i = 0; i < 16; i++) {
        x[i] = exp(i);
        y[i] = exp(i + (i % 4 == 0 || i % 4 == 3 ? 0.1 : -0.1));
    }
    assert_true(bench_fit_power(x, y, 16, &fit));
    check(1, fit.exponent);
    assert_true(fabs(fit.hi - 1 - reach) < 1e-6);
    assert_true(fabs(1 - fit.lo - reach) < 1e-6);
    check(1.2, fit.last);
}

static void too_little_for_a_power(void **unused)
{
    const double x[] = {2, 4, 8}, same[] = {3, 3, 3}, y[] = {1, 4, 16};
    const double bad[][3] = {{1, 0, 16}, {1, -4, 16}, {1, NAN, 16}, {1, INFINITY, 16}};
    struct bench_fit fit;

    (void)unused;
    assert_false(bench_fit_power(x, y, 0, &fit));
    assert_false(bench_fit_power(x, y, 1, &fit));
    assert_false(bench_fit_power(same, y, 3, &fit));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fit.exponent = 77;
        assert_false(bench_fit_power(x, bad[i], 3, &fit));
        assert_false(bench_fit_power(bad[i], y, 3, &fit));
        assert_true(fit.n == 0 && fit.exponent == 0);
    }
    assert_true(bench_fit_power(x, y, 2, &fit)); /* a line through two points */
    check(2, fit.exponent);
    check(2, fit.lo);
    check(2, fit.hi);
    check(2, fit.last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sample_is_everything),
        cmocka_unit_test(quantiles_interpolate),
        cmocka_unit_test(interval_is_by_ranks),
        cmocka_unit_test(sd_survives_a_large_offset),
        cmocka_unit_test(outliers_are_counted_and_kept),
        cmocka_unit_test(quantised_samples_use_the_tick),
        cmocka_unit_test(outliers_agree_with_the_definition),
        cmocka_unit_test(samples_are_left_alone),
        cmocka_unit_test(an_exact_power_has_no_interval),
        cmocka_unit_test(interval_is_students),
        cmocka_unit_test(two_terms),
        cmocka_unit_test(two_terms_that_nothing_tells_apart),
        cmocka_unit_test(interval_of_many_points),
        cmocka_unit_test(too_little_for_a_power),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

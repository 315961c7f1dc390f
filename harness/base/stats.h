/*
 * stats.h - what is said of a set of samples, and of points on a curve
 */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stdbool.h>

/* Milliseconds.  ci_lo and ci_hi bound the median at 95 % by order statistics: of the sorted
 * samples, ranks floor((n - 1.96 sqrt n) / 2) and ceil(1 + (n + 1.96 sqrt n) / 2), clamped to
 * 1..n; below 6 samples they are the range.  Quantiles by linear interpolation between order
 * statistics; sd by Welford with n - 1, 0 for n = 1. */
struct bench_stat {
    int n;
    double min, q1, median, q3, p95, max, mean, sd, ci_lo, ci_hi;
    int n_outliers; /* 0.6745 |x - median| / MAD > 3.5; MAD of 0 counts as one 'tick' */
};

/* 'sorted' is scratch for n >= 1 values; tick is the timer's resolution in their unit. */
void bench_summarise(const double *samples, int n, double tick, double *sorted,
                     struct bench_stat *stat);

/* For qsort(): the least first. */
int bench_compare_doubles(const void *left, const void *right);

/* The number that share 'p' of 'sorted' lies below, interpolated.  n >= 1, 0 <= p <= 1. */
double bench_quantile(const double *sorted, int n, double p);

/* The same, and what bounds it at 95 %: the values of ranks floor(n p - 1.96 sqrt(n p (1 - p)))
 * and ceil(1 + n p + 1.96 sqrt(n p (1 - p))), clamped to 1..n. */
struct bench_bounded {
    double value, lo, hi;
};
struct bench_bounded bench_bounded_quantile(const double *sorted, int n, double p);

/* The number that one in 'one_in' of 'sorted' lies beyond.  False, and zeroes, if < 10 do. */
bool bench_tail(const double *sorted, int n, int one_in, struct bench_bounded *tail);

/* y = scale x^exponent.  lo and hi bound the exponent at 95 % (Student, from the scatter of the
 * points about the line); with two points, which have none, they are the exponent.  last: the
 * exponent between the two largest x alone. */
struct bench_fit {
    int n;
    double exponent, lo, hi, scale, last;
};

/* Least squares of log y against log x through n points, no x twice.  False, and 'fit' zeroed,
 * for fewer than two points or where a number is not finite and above 0. */
bool bench_fit_power(const double *x, const double *y, int n, struct bench_fit *fit);

/* y = a x1 + b x2.  a_half and b_half: half widths of their 95 % intervals (Student).  rms and
 * worst: root mean square and greatest of the relative residuals |a x1 + b x2 - y| / y. */
struct bench_linear {
    int n;
    double a, b, a_half, b_half, rms, worst;
};

/* Least squares of the relative residuals, so that a long time counts no more than a short one.
 * False, and 'fit' zeroed, for fewer than three points, where a number is not finite, a y is
 * not above 0, or x1 and x2 are proportional. */
bool bench_fit_linear(const double *x1, const double *x2, const double *y, int n,
                      struct bench_linear *fit);

/* Student's two-sided 95 % quantile, of >= 1 degrees of freedom. */
double bench_student_95(int freedom);

#endif

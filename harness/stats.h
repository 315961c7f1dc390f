/*
 * stats.h - what is said of a set of samples
 */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Milliseconds.  ci_lo and ci_hi bound the median at 95 % by order statistics: of the sorted samples, ranks
 * floor((n - 1.96 sqrt n) / 2) and ceil(1 + (n + 1.96 sqrt n) / 2), clamped to 1..n; below 6 samples they are the range.
 * Quantiles by linear interpolation between order statistics; sd by Welford with n - 1, 0 for n = 1. */
struct bench_stat {
    int n;
    double min, q1, median, q3, p95, max, mean, sd, ci_lo, ci_hi;
    int n_outliers; /* 0.6745 |x - median| / MAD > 3.5; MAD of 0 counts as one 'tick' */
};

/* 'sorted' is scratch for n values.  n >= 1.  tick: the timer's resolution in the samples' unit. */
void bench_summarise(const double *samples, int n, double tick, double *sorted,
                     struct bench_stat *stat);

#ifdef __cplusplus
}
#endif

#endif

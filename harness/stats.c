/*
 * stats.c - order statistics of a set of samples: no normality, no resampling
 *
 * Source: interval of the median by ranks, e.g. Le Boudec, "Performance Evaluation of Computer and Communication
 *         Systems", sect. 2.2; modified z-scores by Iglewicz and Hoaglin, "How to Detect and Handle Outliers".
 */
#include "harness/stats.h"

#include <math.h>
#include <stdlib.h>

#define Z_95                 1.96   /* normal quantile of a two-sided 95 % interval */
#define MAD_TO_SD            0.6745 /* MAD of a normal distribution is 0.6745 sd */
#define OUTLIER_Z            3.5    /* Iglewicz and Hoaglin's cut */
#define MIN_INTERVAL_SAMPLES 6 /* below, no pair of ranks covers 95 %: the range is given */

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Linear interpolation between the two order statistics that enclose share 'p' of the samples. */
static double quantile(const double *sorted, int n, double p)
{
    const double place = p * (double)(n - 1);
    const int below = (int)place;
    const double part = place - (double)below;

    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

/*
 * The median of |x - median|, without a second scratch array: seen from the median, the deviations of the lower
 * and of the upper half are two sorted lists, which are merged as far as the middle.
 */
static double median_deviation(const double *sorted, int n, double median)
{
    int low = (n - 1) / 2;
    int high = low + 1;
    double last = 0.0;
    double before = 0.0;

    for (int taken = 0; taken <= n / 2; taken++) {
        before = last;
        if (high >= n || (low >= 0 && median - sorted[low] <= sorted[high] - median))
            last = fabs(median - sorted[low--]);
        else
            last = fabs(sorted[high++] - median);
    }
    return n % 2 == 1 ? last : 0.5 * (before + last);
}

static int count_outliers(const double *sorted, int n, double median, double tick)
{
    const double deviation = median_deviation(sorted, n, median);
    const double scale = deviation > 0.0 ? deviation : tick;
    int n_outliers = 0;

    for (int i = 0; i < n; i++)
        n_outliers += MAD_TO_SD * fabs(sorted[i] - median) > OUTLIER_Z * scale;
    return n_outliers;
}

void bench_summarise(const double *samples, int n, double tick, double *sorted,
                     struct bench_stat *stat)
{
    const double reach = Z_95 * sqrt((double)n);
    double mean = 0.0;
    double squares = 0.0;
    int low = 1;
    int high = n;

    for (int i = 0; i < n; i++) {
        const double step = samples[i] - mean;

        mean += step / (double)(i + 1);
        squares += step * (samples[i] - mean);
        sorted[i] = samples[i];
    }
    qsort(sorted, (size_t)n, sizeof *sorted, compare_doubles);

    if (n >= MIN_INTERVAL_SAMPLES) {
        low = (int)floor(((double)n - reach) / 2.0);
        high = (int)ceil(1.0 + ((double)n + reach) / 2.0);
        low = low < 1 ? 1 : low;
        high = high > n ? n : high;
    }

    stat->n = n;
    stat->min = sorted[0];
    stat->q1 = quantile(sorted, n, 0.25);
    stat->median = quantile(sorted, n, 0.5);
    stat->q3 = quantile(sorted, n, 0.75);
    stat->p95 = quantile(sorted, n, 0.95);
    stat->max = sorted[n - 1];
    stat->mean = mean;
    stat->sd = n > 1 ? sqrt(squares / (double)(n - 1)) : 0.0;
    stat->ci_lo = sorted[low - 1];
    stat->ci_hi = sorted[high - 1];
    stat->n_outliers = count_outliers(sorted, n, stat->median, tick);
}

/*
 * stats.c - order statistics of samples, without normality or resampling; power laws
 *
 * Source: interval of the median by ranks, e.g. Le Boudec, "Performance Evaluation of Computer
 *         and Communication Systems", sect. 2.2; modified z-scores by Iglewicz and Hoaglin,
 *         "How to Detect and Handle Outliers"; Student's quantiles beyond 10 degrees of freedom
 *         by the expansion in Abramowitz and Stegun, 26.7.5.
 */
#include "harness/base/stats.h"

#include <math.h>
#include <stdlib.h>

#define Z_95                 1.96   /* normal quantile of a two-sided 95 % interval */
#define MAD_TO_SD            0.6745 /* MAD of a normal distribution is 0.6745 sd */
#define OUTLIER_Z            3.5    /* Iglewicz and Hoaglin's cut */
#define MIN_TAIL             10     /* samples beyond a quantile, or it is not told */
#define MIN_INTERVAL_SAMPLES 6 /* below, no pair of ranks covers 95 %: the range is given */

int bench_compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;

    return (a > b) - (a < b);
}

double bench_quantile(const double *sorted, int n, double p)
{
    const double place = p * (double)(n - 1);
    const int below = (int)place;
    const double part = place - (double)below;

    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

struct bench_bounded bench_bounded_quantile(const double *sorted, int n, double p)
{
    const double middle = (double)n * p;
    const double reach = Z_95 * sqrt(middle * (1.0 - p));
    const int low = (int)floor(middle - reach), high = (int)ceil(1.0 + middle + reach);

    return (struct bench_bounded){bench_quantile(sorted, n, p), sorted[low < 1 ? 0 : low - 1],
                                  sorted[high > n ? n - 1 : high - 1]};
}

bool bench_tail(const double *sorted, int n, int one_in, struct bench_bounded *tail)
{
    const bool is_told = n / one_in >= MIN_TAIL;

    *tail = is_told ? bench_bounded_quantile(sorted, n, 1.0 - 1.0 / one_in)
                    : (struct bench_bounded){0, 0, 0};
    return is_told;
}

/*
 * The median of |x - median|, without a second scratch array.  Seen from the median, the
 * deviations of the lower and of the upper half are two sorted lists, which are merged as far
 * as the middle.
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
    struct bench_bounded median;
    double mean = 0.0;
    double squares = 0.0;

    for (int i = 0; i < n; i++) {
        const double step = samples[i] - mean;

        mean += step / (double)(i + 1);
        squares += step * (samples[i] - mean);
        sorted[i] = samples[i];
    }
    qsort(sorted, (size_t)n, sizeof *sorted, bench_compare_doubles);

    median = bench_bounded_quantile(sorted, n, 0.5);
    stat->n = n;
    stat->min = sorted[0];
    stat->q1 = bench_quantile(sorted, n, 0.25);
    stat->median = median.value;
    stat->q3 = bench_quantile(sorted, n, 0.75);
    stat->p95 = bench_quantile(sorted, n, 0.95);
    stat->max = sorted[n - 1];
    stat->mean = mean;
    stat->sd = n > 1 ? sqrt(squares / (double)(n - 1)) : 0.0;
    stat->ci_lo = n >= MIN_INTERVAL_SAMPLES ? median.lo : sorted[0];
    stat->ci_hi = n >= MIN_INTERVAL_SAMPLES ? median.hi : sorted[n - 1];
    stat->n_outliers = count_outliers(sorted, n, stat->median, tick);
}

/* ---- power laws, and sums of two terms ---- */

double bench_student_95(int freedom)
{
    static const double few[] = {12.7062, 4.30265, 3.18245, 2.77645, 2.57058,
                                 2.44691, 2.36462, 2.30600, 2.26216, 2.22814};
    const double z = 1.959963985, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    const double v = (double)freedom;

    if (freedom <= (int)(sizeof few / sizeof *few))
        return few[freedom - 1];
    return z + (z3 + z) / (4.0 * v) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * v * v) +
           (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * v * v * v);
}

bool bench_fit_power(const double *x, const double *y, int n, struct bench_fit *fit)
{
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0, left = 0.0;
    int last = 0, before = -1; /* places of the two largest x */

    *fit = (struct bench_fit){0};
    if (n < 2)
        return false;
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]) || !(x[i] > 0.0) || !(y[i] > 0.0))
            return false;
        mean_x += log(x[i]) / (double)n;
        mean_y += log(y[i]) / (double)n;
    }
    for (int i = 0; i < n; i++) {
        xx += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
        xy += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
    }
    if (!(xx > 0.0))
        return false;
    fit->n = n;
    fit->exponent = fit->lo = fit->hi = xy / xx;
    fit->scale = exp(mean_y - fit->exponent * mean_x);
    for (int i = 0; i < n; i++) {
        const double off = log(y[i]) - mean_y - fit->exponent * (log(x[i]) - mean_x);

        left += off * off;
        if (x[i] > x[last]) {
            before = last;
            last = i;
        } else if (i > 0 && (before < 0 || x[i] > x[before])) {
            before = i;
        }
    }
    if (n > 2) {
        const double reach = bench_student_95(n - 2) * sqrt(left / (double)(n - 2) / xx);

        fit->lo -= reach;
        fit->hi += reach;
    }
    fit->last = log(y[last] / y[before]) / log(x[last] / x[before]);
    return true;
}

bool bench_fit_linear(const double *x1, const double *x2, const double *y, int n,
                      struct bench_linear *fit)
{
    double s11 = 0.0, s12 = 0.0, s22 = 0.0, s1 = 0.0, s2 = 0.0, det, squares = 0.0, scale;

    *fit = (struct bench_linear){0};
    if (n < 3)
        return false;
    for (int i = 0; i < n; i++) {
        const double u = x1[i] / y[i], v = x2[i] / y[i];

        if (!(y[i] > 0.0) || !isfinite(y[i]) || !isfinite(u) || !isfinite(v))
            return false;
        s11 += u * u;
        s12 += u * v;
        s22 += v * v;
        s1 += u;
        s2 += v;
    }
    det = s11 * s22 - s12 * s12;
    if (!(det > 1e-9 * s11 * s22))
        return false;
    fit->n = n;
    fit->a = (s1 * s22 - s2 * s12) / det;
    fit->b = (s2 * s11 - s1 * s12) / det;
    for (int i = 0; i < n; i++) {
        const double off = fabs((fit->a * x1[i] + fit->b * x2[i]) / y[i] - 1.0);

        squares += off * off;
        fit->worst = off > fit->worst ? off : fit->worst;
    }
    fit->rms = sqrt(squares / (double)n);
    scale = bench_student_95(n - 2) * sqrt(squares / (double)(n - 2) / det);
    fit->a_half = scale * sqrt(s22);
    fit->b_half = scale * sqrt(s11);
    return true;
}

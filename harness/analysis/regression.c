/*
 * regression.c - exact tests on a handful of numbers, and steps in a series
 *
 * Source: Mann and Whitney, "On a test of whether one of two random variables is stochastically larger than the other",
 *         1947; Benjamini and Hochberg, "Controlling the false discovery rate", 1995; the interval by inverting the test:
 *         Hodges and Lehmann, 1963.  Steps: the criterion of airspeed velocity's step detection, on an exact fit.
 */
#include "harness/analysis/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE   0.95
#define LEAST_POINTS 2   /* of a level: one run that is off is no step */
#define PENALTY      4.0 /* airspeed velocity's: times ln n / n, for each piece */

/* ---- Mann-Whitney ---- */

#define MAX_ALL (2 * REGRESSION_MAX_RUNS)

/* How many numbers base has; 0: they are none to be tested. */
static int count_base(const double *side, int n)
{
    int n_a = 0;

    for (int i = 0; i < n; i++)
        n_a += !(side[i] > 0);
    return n_a == n || n_a > REGRESSION_MAX_RUNS || n - n_a > REGRESSION_MAX_RUNS ? 0 : n_a;
}

/*
 * In how many ways 'k' of the n scores sum up to each total, up to that of all scores: ways[total].  Counts up to
 * C(128, 64) fit a double; what is asked of them is a share, so the rounding of the largest does no harm.  NULL: out of
 * memory.
 */
static double *count_sums(const int *score, int n, int k)
{
    size_t width = 1;
    double *ways;
    int all = 0;

    for (int i = 0; i < n; i++)
        width += (size_t)score[i];
    ways = calloc((size_t)(k + 1) * width, sizeof *ways);
    if (!ways)
        return NULL;
    ways[0] = 1;
    for (int i = 0; i < n; i++) {
        all += score[i];
        for (int taken = i + 1 < k ? i + 1 : k; taken > 0; taken--)
            for (int sum = all; sum >= score[i]; sum--)
                ways[(size_t)taken * width + (size_t)sum] +=
                    ways[(size_t)(taken - 1) * width + (size_t)(sum - score[i])];
    }
    memmove(ways, ways + (size_t)k * width, width * sizeof *ways);
    return ways;
}

bool regression_test(const double *x, const double *side, int n, double *p)
{
    const int n_a = count_base(side, n);
    double far, near = 0, total = 0;
    double *ways;
    int score[MAX_ALL]; /* twice the rank, from 1: halves occur */
    int sum = 0;

    if (n_a < 1)
        return false;
    for (int i = 0; i < n; i++) {
        int below = 0, equal = 0;

        for (int k = 0; k < n; k++) {
            below += x[k] < x[i];
            equal += x[k] == x[i]; /* ties are exact: quantised timers give them */
        }
        score[i] = 2 * below + equal + 1;
        sum += side[i] > 0 ? 0 : score[i];
    }
    ways = count_sums(score, n, n_a);
    if (!ways)
        return false;
    far = fabs((double)sum - (double)n_a * (n + 1));
    for (int s = 0; s <= n * (n + 1); s++) {
        total += ways[s];
        if (fabs((double)s - (double)n_a * (n + 1)) >= far)
            near += ways[s];
    }
    free(ways);
    *p = near / total;
    return true;
}

/* How many pairs may be left out at each end of the sorted n_a n_b ratios: the largest c with
 * P(U <= c) <= (1 - CONFIDENCE) / 2, else 0.  *kept: 1 - 2 P(U <= c). */
static int pairs_left_out(int n_a, int n_b, double *kept)
{
    const int n = n_a + n_b, least = n_a * (n_a + 1) / 2; /* the sum of ranks is U + least */
    int score[MAX_ALL] = {0};
    double total = 0, below = 0;
    double *ways;
    int left_out = 0;

    for (int i = 0; i < n; i++)
        score[i] = i + 1;
    *kept = 0;
    ways = count_sums(score, n, n_a);
    if (!ways)
        return 0;
    for (int s = 0; s <= n * (n + 1) / 2; s++)
        total += ways[s];
    for (int u = 0; u < n_a * n_b; u++) {
        below += ways[u + least];
        if (u > 0 && 2 * below / total > 1 - CONFIDENCE)
            break;
        left_out = u;
        *kept = 1 - 2 * below / total;
    }
    free(ways);
    return left_out;
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

bool regression_interval(const double *x, const double *side, int n, double found[3])
{
    double ratio[REGRESSION_MAX_RUNS * REGRESSION_MAX_RUNS];
    const int n_a = count_base(side, n);
    int n_ratios = 0, left_out;

    if (n_a < 1)
        return false;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            if (!(side[i] > 0) && side[k] > 0)
                ratio[n_ratios++] = x[k] / x[i] - 1;
    qsort(ratio, (size_t)n_ratios, sizeof *ratio, compare_doubles);
    left_out = pairs_left_out(n_a, n - n_a, &found[2]);
    found[0] = ratio[left_out];
    found[1] = ratio[n_ratios - 1 - left_out];
    return found[2] > 0; /* one run a side: no interval at all */
}

double regression_normal_quantile(double p)
{
    double low = 0, high = 40;

    for (int i = 0; i < 100; i++) {
        const double z = 0.5 * (low + high);

        *(erfc(z / sqrt(2)) > p ? &low : &high) = z;
    }
    return high;
}

/* ---- steps ---- */

/* distance[i][k]: the sum of the distances of y[i..k] from their median; the sorted piece grows by one number at a time. */
static void fill_distances(const double *y, int n, double *sorted, double *distance)
{
    for (int i = 0; i < n; i++)
        for (int k = i; k < n; k++) {
            const int m = k - i + 1;
            double sum = 0;
            int at = m - 1;

            for (; at > 0 && sorted[at - 1] > y[k]; at--)
                sorted[at] = sorted[at - 1];
            sorted[at] = y[k];
            for (int s = 0; s < m / 2; s++)
                sum += sorted[m - 1 - s] - sorted[s];
            distance[(size_t)i * (size_t)n + (size_t)k] = sum;
        }
}

/* Where the last of p + 1 pieces of y[0..k] begins, so that the sum of distances is least; the sum into *sum.  'least' has those of
 * fewer pieces. */
static int last_piece(const double *distance, const double *least, int n, int p, int k,
                      double *sum)
{
    const int shortest = n < LEAST_POINTS ? n : LEAST_POINTS;
    int begin = 0;

    *sum = p == 0 && k + 1 >= shortest ? distance[k] : HUGE_VAL;
    for (int i = p; p > 0 && i <= k + 1 - shortest; i++) {
        const double together = least[(p - 1) * n + i - 1] + distance[i * n + k];

        if (together < *sum) {
            *sum = together;
            begin = i;
        }
    }
    return begin;
}

bool regression_steps(const double *y, int n, double noise, int *place, int *n_places)
{
    const int most = n < REGRESSION_MAX_PIECES ? n : REGRESSION_MAX_PIECES;
    double *const distance = calloc((size_t)(n * (n + most + 1)) + 1, sizeof *distance);
    double *const least = distance + n * n, *const sorted = least + most * n;
    double best = HUGE_VAL;

    *n_places = 0;
    if (!distance)
        return false;
    fill_distances(y, n, sorted, distance);
    for (int p = 0; p < most; p++) {
        double value;

        for (int k = p; k < n; k++)
            last_piece(distance, least, n, p, k, &least[p * n + k]);
        value = log(least[p * n + n - 1] / n + noise) + PENALTY * log((double)n) / n * (p + 1);
        if (value < best) {
            best = value;
            *n_places = p + 1;
        }
    }
    for (int p = *n_places - 1, k = n - 1; p >= 0; p--) {
        place[p] = last_piece(distance, least, n, p, k, &best);
        k = place[p] - 1;
    }
    free(distance);
    return true;
}

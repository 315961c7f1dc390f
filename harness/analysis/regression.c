/*
 * regression.c - exact tests on a handful of numbers, and the rule made of them
 *
 * Source: Mann and Whitney, "On a test of whether one of two random variables is stochastically larger than the other",
 *         1947; Benjamini and Hochberg, "Controlling the false discovery rate", 1995; the interval by inverting the test:
 *         Hodges and Lehmann, 1963.  Steps: the criterion of airspeed velocity's step detection, on an exact fit.
 */
#include "harness/analysis/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE      0.95
#define SAME_CONFIDENCE 0.9    /* what 3 + 3 runs allow */
#define LEAST_RUNS      8      /* of a second stage */
#define POWER_80        0.8416 /* the normal distribution's quantile of 0.8: four times in five */
#define LEAST_POINTS    2      /* of a level: one run that is off is no step */
#define MAX_PIECES      64
#define PENALTY         4.0 /* airspeed velocity's: times ln n / n, for each piece */

const char *const regression_verdict_names[] = {"changed-output", "slower", "faster", "unclear",
                                                "same"};

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

double regression_median(const double *x, int n, double *sorted)
{
    memcpy(sorted, x, (size_t)n * sizeof *x);
    qsort(sorted, (size_t)n, sizeof *sorted, compare_doubles);
    return n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

static double median_of(const double *x, int n)
{
    double sorted[REGRESSION_MAX_RUNS];

    return n > 0 ? regression_median(x, n, sorted) : 0;
}

/* ---- Mann-Whitney ---- */

#define MAX_ALL (2 * REGRESSION_MAX_RUNS)

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

double regression_test(const double *a, int n_a, const double *b, int n_b)
{
    const int n = n_a + n_b;
    double all[MAX_ALL], far, near = 0, total = 0;
    double *ways;
    int score[MAX_ALL]; /* twice the rank, from 1: halves occur */
    int sum = 0;

    if (n_a < 1 || n_b < 1)
        return 1;
    memcpy(all, a, (size_t)n_a * sizeof *a);
    memcpy(all + n_a, b, (size_t)n_b * sizeof *b);
    for (int i = 0; i < n; i++) {
        int below = 0, equal = 0;

        for (int k = 0; k < n; k++) {
            below += all[k] < all[i];
            equal += all[k] == all[i]; /* ties are exact: quantised timers give them */
        }
        score[i] = 2 * below + equal + 1;
        sum += i < n_a ? score[i] : 0;
    }
    ways = count_sums(score, n, n_a);
    if (!ways)
        return 1; /* nothing is found */
    far = fabs((double)sum - (double)n_a * (n + 1));
    for (int s = 0; s <= n * (n + 1); s++) {
        total += ways[s];
        if (fabs((double)s - (double)n_a * (n + 1)) >= far)
            near += ways[s];
    }
    free(ways);
    return near / total;
}

/* How many pairs may be left out at each end of the sorted n_a n_b ratios: the largest c with
 * P(U <= c) <= (1 - confidence) / 2, else 0.  *kept: 1 - 2 P(U <= c). */
static int pairs_left_out(int n_a, int n_b, double confidence, double *kept)
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
    *kept = 1 - 2 * ways[least] / total;
    for (int u = 0; u < n_a * n_b; u++) {
        below += ways[u + least];
        if (2 * below / total > 1 - confidence)
            break;
        left_out = u;
        *kept = 1 - 2 * below / total;
    }
    free(ways);
    return left_out;
}

struct regression_interval regression_interval(const double *a, int n_a, const double *b,
                                               int n_b, double confidence)
{
    double ratio[REGRESSION_MAX_RUNS * REGRESSION_MAX_RUNS];
    struct regression_interval interval = {0};
    const int n = n_a * n_b;
    int left_out;

    for (int i = 0; i < n_a; i++)
        for (int k = 0; k < n_b; k++)
            ratio[i * n_b + k] = b[k] / a[i] - 1;
    qsort(ratio, (size_t)n, sizeof *ratio, compare_doubles);
    left_out = pairs_left_out(n_a, n_b, confidence, &interval.kept);
    if (interval.kept < 0) /* one run a side: no interval at all */
        interval.kept = 0;
    interval.lo = ratio[left_out];
    interval.hi = ratio[n - 1 - left_out];
    return interval;
}

/* ---- families ---- */

void regression_discoveries(const double *p, int n, double *q)
{
    for (int i = 0; i < n; i++) {
        int rank = 0; /* of equal ones the last */

        for (int k = 0; k < n; k++)
            rank += p[k] <= p[i];
        q[i] = fmin(1, p[i] * n / rank);
    }
    for (
        int i = 0; i < n;
        i++) /* the least among those that are as large; in place, since these look further up alone */
        for (int k = 0; k < n; k++)
            q[i] = p[k] >= p[i] ? fmin(q[i], q[k]) : q[i];
}

/* The p of two sides of n each that are fully apart: 2 / C(2n, n). */
static double least_p(int n)
{
    double ways = 1;

    for (int i = 1; i <= n; i++)
        ways *= (double)(n + i) / i;
    return 2 / ways;
}

int regression_runs(int n_cells, double fdr)
{
    int n = LEAST_RUNS;

    while (n < REGRESSION_MAX_RUNS && least_p(n) * n_cells > fdr)
        n += 2;
    return n;
}

static bool all_below(const double *a, int n_a, const double *b, int n_b)
{
    for (int i = 0; i < n_a * n_b; i++)
        if (!(a[i / n_b] < b[i % n_b]))
            return false;
    return n_a > 0 && n_b > 0;
}

bool regression_apart(const double *a, int n_a, const double *b, int n_b)
{
    return all_below(a, n_a, b, n_b) || all_below(b, n_b, a, n_a);
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
    const int most = n < MAX_PIECES ? n : MAX_PIECES;
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

/* ---- the rule ---- */

/* The variance of the logarithms about their side's mean, from both sides. */
static double variance_of(const struct regression_cell *c)
{
    double squares = 0;

    for (int side = 0; side < 2; side++) {
        const double *x = side ? c->b : c->a;
        const int n = side ? c->n_b : c->n_a;
        double mean = 0;

        for (int i = 0; i < n; i++)
            mean += log(x[i]) / n;
        for (int i = 0; i < n; i++)
            squares += (log(x[i]) - mean) * (log(x[i]) - mean);
    }
    return c->n_a + c->n_b > 2 ? squares / (c->n_a + c->n_b - 2) : HUGE_VAL;
}

/* The normal distribution's two-sided quantile. */
static double normal_quantile(double p)
{
    double low = 0, high = 40;

    for (int i = 0; i < 100; i++) {
        const double z = 0.5 * (low + high);

        *(erfc(z / sqrt(2)) > p ? &low : &high) = z;
    }
    return high;
}

/*
 * Runs a side after which, at the scatter of the runs so far, a change as large as this one is found, or the interval
 * about a smaller one lies within the floor.
 */
static int runs_to_decide(const struct regression_cell *c, int least, double p_found)
{
    const bool large = fabs(c->change) >= c->floor;
    const double room = large ? log1p(fabs(c->change)) : c->floor - fabs(c->change);
    const double z = POWER_80 + normal_quantile(large ? p_found : 1 - CONFIDENCE);
    const double variance = variance_of(c);
    const int now = c->n_a < c->n_b ? c->n_a : c->n_b;
    double n;

    if (!isfinite(variance))
        return least;
    n = ceil(2 * variance * z * z / (room * room));
    if (!(n < REGRESSION_MAX_RUNS))
        return REGRESSION_MANY;
    n = fmax(n, least);
    return n > now ? (int)n : now + 2;
}

static bool inside(const struct regression_interval *interval, double floor)
{
    return interval->kept >= SAME_CONFIDENCE && interval->lo > -floor && interval->hi < floor;
}

static void decide(struct regression_cell *c, double fdr, int n_cells)
{
    const bool found = fabs(c->change) >= c->floor && c->q <= fdr;
    const int least = regression_runs(n_cells, fdr);

    c->runs = 0;
    c->verdict = c->changed                   ? REGRESSION_CHANGED
                 : c->same_binary             ? REGRESSION_SAME
                 : c->n_a == 0 || c->n_b == 0 ? REGRESSION_UNCLEAR
                 : found ? (c->change > 0 ? REGRESSION_SLOWER : REGRESSION_FASTER)
                 : inside(&c->interval, c->floor) ? REGRESSION_SAME
                                                  : REGRESSION_UNCLEAR;
    if (c->verdict == REGRESSION_UNCLEAR)
        c->runs = c->n_a && c->n_b ? runs_to_decide(c, least, fdr / n_cells) : least;
}

bool regression_judge(struct regression_cell *cells, int n, double floor, double fdr)
{
    double *p = calloc((size_t)n + 1, sizeof *p), *q = calloc((size_t)n + 1, sizeof *q);
    bool done = p && q;

    for (int i = 0; i < n && done; i++) {
        struct regression_cell *c = &cells[i];

        c->base = median_of(c->a, c->n_a);
        c->head = median_of(c->b, c->n_b);
        c->change = 0;
        c->floor = floor;
        c->interval = (struct regression_interval){0};
        if (c->n_a && c->n_b) {
            c->change = c->head / c->base - 1;
            c->floor = fmax(floor, c->at_least_ms / c->base);
            c->interval = regression_interval(c->a, c->n_a, c->b, c->n_b, CONFIDENCE);
        }
        c->p = c->stopped || c->same_binary ? 1 : regression_test(c->a, c->n_a, c->b, c->n_b);
        p[i] = c->p;
    }
    if (done)
        regression_discoveries(p, n, q);
    for (int i = 0; i < n && done; i++) {
        cells[i].q = q[i];
        decide(&cells[i], fdr, n);
    }
    free(p);
    free(q);
    return done;
}

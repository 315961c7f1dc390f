/*
 * regression.h - is one build slower than another?  The rule, on numbers alone
 *
 * A number is what one process says of a cell: the median of its samples.  Samples of one process tell little of the next
 * one's, so nothing here looks at samples.  docs/REGRESSION.md has the rule and how often it is right.
 */
#ifndef BENCH_REGRESSION_H
#define BENCH_REGRESSION_H

#include <stdbool.h>

#define REGRESSION_MAX_RUNS 64   /* a side */
#define REGRESSION_MANY     1000 /* more runs than anybody makes: as good as never */

/* ---- statistics ---- */

/* The share of all ways to deal n_a + n_b numbers to two sides in which the sum of side a's ranks is as far from its mean
 * as here, or farther: the two-sided Mann-Whitney test, exact; equal numbers share the mean of their ranks.  1 where a
 * side is empty. */
double regression_test(const double *a, int n_a, const double *b, int n_b);

/* Benjamini and Hochberg: q[i] is the least false-discovery rate at which p[i] of n is found. */
void regression_discoveries(const double *p, int n, double *q);

/* The interval of b over a, less 1, that inverts the test: of the ratios of all pairs, as many are left out at each end as
 * keep it at 'confidence'; where so few numbers allow no such interval, all of them are in, and *kept says at what confidence
 * that is.  All numbers above 0, both sides with one at least. */
struct regression_interval {
    double lo, hi, kept;
};
struct regression_interval regression_interval(const double *a, int n_a, const double *b,
                                               int n_b, double confidence);

/* Runs a side with which a lone change among n_cells can be found at all: 8, 10 beyond 321 cells, ... */
int regression_runs(int n_cells, double fdr);

/* Both sides fully apart: the first stage lets such a cell go on. */
bool regression_apart(const double *a, int n_a, const double *b, int n_b);

/* 'sorted' is scratch for n numbers; n >= 1. */
double regression_median(const double *x, int n, double *sorted);

/* Where y changes for good: place[0] = 0 < place[1] < ... are the beginnings of *n pieces with one level each.  The number
 * of pieces makes 'log of the mean distance from the levels + 4 ln n / n a piece' least; a level is its piece's median.
 * 'noise' is added to the mean distance: steps far below it are none.  A level has two points at least.  place has room for n.  False: out of memory. */
bool regression_steps(const double *y, int n, double noise, int *place, int *n_places);

/* ---- the rule ---- */

enum regression_verdict {
    REGRESSION_CHANGED, /* what it computes: worse than slow */
    REGRESSION_SLOWER,
    REGRESSION_FASTER,
    REGRESSION_UNCLEAR,
    REGRESSION_SAME,
    REGRESSION_N_VERDICTS
};
extern const char *const regression_verdict_names[]; /* [REGRESSION_N_VERDICTS] */

struct regression_cell {
    /* asked */
    double a[REGRESSION_MAX_RUNS], b[REGRESSION_MAX_RUNS]; /* of base and head, ms, above 0 */
    int n_a, n_b;
    bool changed;     /* the output is another one */
    bool same_binary; /* nothing to be judged */
    bool stopped;     /* the numbers are a first stage's, which were not apart: p = 1 */
    double
        at_least_ms; /* a difference below is none; the share 'floor' of base's median, if that is more */
    /* found */
    double base, head;    /* medians, ms; 0: no number */
    double change, floor; /* head / base - 1, and what it must reach */
    struct regression_interval interval;
    double p, q;
    enum regression_verdict verdict;
    int runs; /* a side, that would probably decide; 0: it is decided; REGRESSION_MANY: not in reach */
};

/* Judge all cells as one family.  False: out of memory. */
bool regression_judge(struct regression_cell *cells, int n, double floor, double fdr);

#endif

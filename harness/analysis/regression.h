/*
 * regression.h - is one build slower than another?  What SQL cannot say of a handful of numbers; verdict.sql has the rule
 *
 * A number is what one process says of a cell: the median of its samples.  Samples of one process tell little of the next
 * one's, so nothing here looks at samples.  Of n numbers x those are head's whose 'side' is above 0, the others are base's.
 */
#ifndef BENCH_REGRESSION_H
#define BENCH_REGRESSION_H

#include <stdbool.h>

#define REGRESSION_MAX_RUNS 64 /* a side */

/* *p: the share of all ways to deal the numbers to two sides in which the sum of base's ranks is as far from its mean as here,
 * or farther: the two-sided Mann-Whitney test, exact; equal numbers share the mean of their ranks.  False where a side is
 * empty or has more than REGRESSION_MAX_RUNS, or memory ran out. */
bool regression_test(const double *x, const double *side, int n, double *p);

/* The interval of head over base, less 1, that inverts the test: of the ratios of all pairs, as many are left out at each end
 * as keep it at 95 %; where so few numbers allow no such interval, all of them are in.  found: its ends, and at what
 * confidence it holds.  All numbers above 0.  False as above, and where it holds at none. */
bool regression_interval(const double *x, const double *side, int n, double found[3]);

/* How many standard deviations a normal variable is from its mean, or more, with probability p. */
double regression_normal_quantile(double p);

/* Where y changes for good: place[0] = 0 < place[1] < ... are the beginnings of *n_places pieces with one level each.  The number
 * of pieces makes 'log of the mean distance from the levels + 4 ln n / n a piece' least; a level is its piece's median.
 * 'noise' is added to the mean distance: steps far below it are none.  A level has two points at least.  place has room for n
 * or REGRESSION_MAX_PIECES.  False: out of memory. */
#define REGRESSION_MAX_PIECES 64
bool regression_steps(const double *y, int n, double noise, int *place, int *n_places);

#endif

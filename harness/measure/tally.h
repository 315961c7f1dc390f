/*
 * tally.h - passes that a rank has counted, and the interval that it has in common with others
 *
 * Ranks neither begin nor end at one moment.  What counts is the time between the latest begin
 * and the earliest end, when all of them work.  It is cut into slices of equal length.
 */
#ifndef BENCH_TALLY_H
#define BENCH_TALLY_H

#include <stdbool.h>

#define TALLY_MOST 4096 /* entries of what all ranks have done */

/* done[i] passes were finished at time_s[i], both rising; done[0] is 0.  Owned by the caller. */
struct bench_tally {
    int n; /* >= 2 */
    double *time_s, *done;
};

/* Passes until a time, in equal steps between two entries; before the first 0, behind the last all
 * of them. */
double tally_at(const struct bench_tally *tally, double time_s);

/* Since 'begin', at the end of each of n equal parts of begin .. end: done[0 .. n - 1]. */
void tally_cut(const struct bench_tally *tally, double begin, double end, int n, double *done);

/* Samples of n_done such numbers, of all ranks together, over an interval: it is cut into n parts in
 * which equally much was done, and ms[] are milliseconds for a pass in each.  So their mean is the
 * interval by its passes.  False where nothing was done.  n_done < TALLY_MOST. */
bool tally_ms(const double *done, int n_done, double interval_s, int n, double *ms);

#endif

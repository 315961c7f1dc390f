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

/* done[i] passes were finished at time_s[i], both rising; done[0] is 0.  The caller's. */
struct bench_tally {
    int n; /* >= 2 */
    double *time_s, *done;
};

/* Passes until a time, in steps between entries; 0 before the first, all behind the last. */
double tally_at(const struct bench_tally *tally, double time_s);

/* Since 'begin', at the end of each of n equal parts of begin .. end: done[0 .. n - 1]. */
void tally_cut(const struct bench_tally *tally, double begin, double end, int n, double *done);

/* Make n samples of done[0 .. n_done - 1], of all ranks: cut the interval into n parts in which
 * equally much was done; ms[] are milliseconds for a pass in each, and their mean is the
 * interval by its passes.  False if nothing was done.  n_done < TALLY_MOST. */
bool tally_ms(const double *done, int n_done, double interval_s, int n, double *ms);

#endif

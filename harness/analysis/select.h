/*
 * select.h - the rows of a store that stand for the cells of an experiment
 *
 * select.sql says which: the good row of each cell x scope x series that counts, in each folder of results, and those of its stages.
 */
#ifndef ANALYSIS_SELECT_H
#define ANALYSIS_SELECT_H

#include "harness/analysis/store.h"
#include "harness/experiment.h"

/* Fill the temporary tables 'selected' and 'missing' of select.sql.  The store is complete.  BENCH_ENOMEM. */
enum bench_status select_rows(struct store *store, const struct bench_experiment *experiment);

#endif

/*
 * fitting.h - the rows that fit IMPL,KEY=VALUE,... as a view
 */
#ifndef ANALYSIS_FITTING_H
#define ANALYSIS_FITTING_H

#include "harness/analysis/store.h"

/*
 * Add the view 'fitting (id)': the measurements that fit 'cell', whatever became of them.  A key is a column of measurement, also
 * by its name in files; in rows from before it its default counts.  Only rows of a whole GPU fit, unless sms=N is asked for.  Once.
 * BENCH_EINPUT with one sentence that begins with "--cell" where 'cell' is not understood, BENCH_ENOMEM.
 */
enum bench_status fitting_rows(struct store *store, const char *cell);

#endif

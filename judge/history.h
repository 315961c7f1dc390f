/*
 * history.h - how the time of a cell went from commit to commit, by all sessions of a machine's folder
 */
#ifndef BENCH_HISTORY_H
#define BENCH_HISTORY_H

#include "harness/analysis/store.h"

#include <stdio.h>

/*
 * 'wanted' is IMPL[,KEY=VALUE...]; a key is a column of the rows, by its name in files or in the store, and counts by its
 * default in rows that are older.  Every configuration that fits has a history of its own, for each protocol and content of
 * the input.  Rows of stages, of profilers and debug builds, withdrawn ones and those without status ok are left out; a
 * session that cannot be read is named on 'notes', and the others count.  *store has 'listed' and 'page' of
 * history.sql.  BENCH_EINPUT with one sentence where 'wanted' is not understood or nothing fits.  The caller owns *store, which
 * is NULL on failure: store_close().
 */
enum bench_status history_read(const char *folder, const char *wanted, FILE *notes,
                               struct store **store);

#endif

/*
 * history.h - how the time of a cell went from commit to commit, by all sessions of a machine's folder
 */
#ifndef BENCH_HISTORY_H
#define BENCH_HISTORY_H

#include "harness/analysis/store.h"
#include "harness/analysis/table.h"
#include "harness/status.h"
#include "harness/text.h"

#include <stdbool.h>
#include <stdio.h>

struct history {
    const char *wanted; /* borrowed */
    struct store *store;
    struct table
        points; /* cell by cell, oldest first: the columns of 'fitted' and 'point' in history.sql */
};

/*
 * 'wanted' is IMPL[,KEY=VALUE...]; a key is a column of the rows, by its name in files or in the store, and counts by its
 * default in rows that are older.  Every configuration that fits has a history of its own, for each protocol and content of
 * the input.  Rows of stages, of profilers and debug builds, withdrawn ones and those without status ok are left out; a
 * session that cannot be read is named on stderr, and the others count.  BENCH_EINPUT with one sentence where 'wanted' is not
 * understood or nothing fits.  On failure *history is empty.  Caller owns: history_free.
 */
enum bench_status history_read(const char *folder, const char *wanted, FILE *notes,
                               struct history *history);
void history_free(struct history *history);

/* A table of at most 80 columns for each cell, and on how many GPUs and hosts its points were taken if on several; as CSV into
 * *csv where that is not NULL. */
enum bench_status history_report(const struct history *history, FILE *out, struct text *csv);

#endif

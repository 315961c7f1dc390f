/*
 * history.h - how the time of a cell went from commit to commit, by all sessions of a machine's folder
 */
#ifndef BENCH_HISTORY_H
#define BENCH_HISTORY_H

#include "harness/analysis/table.h"
#include "harness/status.h"
#include "harness/text.h"

#include <stdbool.h>
#include <stdio.h>

struct history_point {
    const char *date; /* of the commit, else of the run; as text of the same zone it sorts */
    bool by_commit;   /* the date is the commit's */
    int row;          /* of history.rows */
    double ms;        /* median */
    int piece;        /* from 0: points of one level */
    double level_ms;  /* median of its piece */
};

/* One cell: what tells it apart from the others that fit, and its points, oldest first. */
struct history_cell {
    char *label;                 /* owned; "" where one cell fits alone */
    struct history_point *point; /* among history.point */
    int n;
};

struct history {
    const char *wanted;          /* borrowed */
    struct table rows;           /* what history.sql selects */
    struct history_point *point; /* [rows.n_rows] */
    struct history_cell *cell;
    int n;
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

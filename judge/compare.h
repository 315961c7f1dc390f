/*
 * compare.h - two builds of the program, by the rows that their processes wrote
 *
 * A side is a list of session files or folders of them, separated by commas; a session is one process.  What is compared is
 * a row's median, by cell: a configuration and how carefully it was timed; docs/REGRESSION.md has the rule, compare.sql the rows.
 */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "harness/analysis/regression.h"
#include "harness/analysis/store.h"
#include "harness/analysis/table.h"
#include "harness/status.h"
#include "harness/text.h"

#include <stdbool.h>
#include <stdio.h>

struct comparison {
    struct store *store;
    struct table build;             /* base, head, and those of a second stage: compare.sql */
    struct table cells;             /* [n] those that both sides have, and what was found */
    struct regression_cell *judged; /* [n] */
    int n;
    double fdr;
};

struct compare_options {
    double floor, fdr; /* shares: 0.02, 0.05 */
    bool all;          /* name cells that are the same, too */
    FILE *notes;       /* of sessions that cannot be read; NULL: silent */
};

/*
 * Read both sides and judge.  'first', if not NULL, are two more sides, of a first stage: cells that it alone has, since
 * they were not apart in it, belong to the family with p = 1.  BENCH_EINPUT with one sentence where a file is no result, a
 * side has no row that counts, mixes builds, is of another build than in the first stage, or was measured on another
 * machine; BENCH_EIO.  On failure *comparison is
 * empty.  Caller owns: compare_free.
 */
enum bench_status compare_read(const char *const side[2], const char *const *first,
                               const struct compare_options *options,
                               struct comparison *comparison);
void compare_free(struct comparison *comparison);

/* A table of at most 80 columns, worst first, and a line of totals; as CSV into *csv where that is not NULL. */
enum bench_status compare_report(const struct comparison *comparison,
                                 const struct compare_options *options, FILE *out,
                                 struct text *csv);

/* How many cells have this verdict. */
int compare_count(const struct comparison *comparison, enum regression_verdict verdict);

/*
 * The end of a first stage: a descriptor folder/PROBLEM.ini for each problem that has cells whose sides are apart, with a
 * section for each of them, and a line on 'out': "N cells, M go on, R runs a side".  No such cell: no file.  BENCH_EINPUT
 * where a row's problem is no name.
 */
enum bench_status compare_suspects(const struct comparison *comparison, const char *folder,
                                   FILE *out);

#endif

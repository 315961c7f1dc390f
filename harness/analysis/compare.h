/*
 * compare.h - two builds of the program, by the rows that their processes wrote; how a time
 * went from commit to commit
 *
 * A side is a list of session files or folders of them, separated by commas; a session is one
 * process.  What is compared is a row's median, by configuration: a configuration and how
 * carefully it was timed; docs/REGRESSION.md has the rule, compare.sql the rows, verdict.sql
 * the verdicts.
 */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "harness/analysis/store.h"

#include <stdbool.h>
#include <stdio.h>

struct compare_request {
    const char *const *side; /* [n_sides] base and head; behind them those of a first stage */
    int n_sides;             /* 2 or 4 */
    double floor, fdr;       /* shares: 0.02, 0.05 */
    bool all;                /* name configurations that are the same, too */
    FILE *notes;             /* of sessions that cannot be read; NULL: silent */
    const char *same_build; /* not NULL: the sides are two commits that are one program, of this
                                hash, of which nothing was run */
};

/* Read the sides and judge: *store has the tables that are printed below.  BENCH_EINPUT with
 * one sentence where a file is no result, a side has no row that counts, mixes builds, is of
 * another build than in the first stage, or was measured on another machine; BENCH_EIO.  The
 * caller owns *store, also of a failure: store_close(). */
enum bench_status compare_read(const struct compare_request *request, struct store **store);

/* The same of the configurations of a folder that fit 'wanted', IMPL[,KEY=VALUE...]; NULL: of
 * those of all that became slower by 'floor', a share. */
enum bench_status history_read(const char *folder, const char *wanted, double floor,
                               FILE *notes, struct store **store);

/* Appends a part of a page: what became slower by the rows of a store, which stays as it
 * was. */
enum bench_status history_page(struct store *store, double floor, struct text *html);

/*
 * Append what was found.  Of a comparison or a history: "text", at most 80 columns wide; "csv",
 * "json": all rows of the view 'listed'.  Of a comparison also "md", a table in Markdown;
 * "github", annotations of a workflow; "junit", a test case for each configuration; "bmf",
 * Bencher's metrics; "openmetrics".  Times are in ms.  text_clean() makes a file of it that any
 * reader takes.
 */
enum bench_status compare_print(struct store *store, const char *format, struct text *text);

/* BENCH_EINPUT where a comparison has no such format. */
enum bench_status compare_has_format(const char *name);

/* BENCH_EMISMATCH where a configuration is slower or has another output; *unclear, if it is not
 * NULL: true if one is. */
enum bench_status compare_outcome(struct store *store, bool *unclear);

/* The end of a first stage: a descriptor folder/PROBLEM.ini of the configurations of each
 * problem whose sides are apart, if there are such, and a line: "N configurations, M
 * go on, R runs a side".  BENCH_EINPUT where a row's problem is no name. */
enum bench_status compare_suspects(struct store *store, const char *folder, struct text *line);

#endif

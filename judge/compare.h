/*
 * compare.h - two builds of the program, by the rows that their processes wrote
 *
 * A side is a list of session files or folders of them, separated by commas; a session is one process.  What is compared is
 * a row's median, by cell: variant, parameters, input and how it was timed; docs/REGRESSION.md has the rule.
 */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "harness/record.h"
#include "harness/status.h"
#include "harness/text.h"
#include "harness/analysis/regression.h"

#include <stdbool.h>
#include <stdio.h>

struct compare_cell {
    char *
        identity; /* "impl=rdp/serial\nscope=kernel\n...": a line for each thing that tells cells apart; owned */
    int row[2]; /* the newest of base and head that has a time, else that there is; -1: none */
    int n_unsteady[2]; /* runs left out: unstable or throttled */
    char hash[2][20];  /* of the output; "" unknown, "-" not the same in all runs */
    char reason[300];  /* why it is changed or unclear */
    bool ambiguous;    /* one side has several cells that look like this one to the other */
};

struct comparison {
    struct compare_side {
        const char *name; /* borrowed: as it was given */
        struct record_table rows;
        int *process; /* [rows.n_rows] from 0; owned */
        int n_processes;
        double tick_us;                                /* of the device's timer; 0: unknown */
        char build_hash[20], commit[48], machine[128]; /* "" where the rows do not say */
    } side[2];                                         /* base, head */
    struct compare_cell *cell;                         /* [n]; those that both sides have */
    struct regression_cell *judged;                    /* [n] */
    int n;
    int n_alone[2]; /* cells of one side alone */
    int n_stopped;  /* cells that only the first stage has */
    bool same_binary;
    double floor, fdr;
};

struct compare_options {
    double floor, fdr; /* shares: 0.02, 0.05 */
    bool all;          /* name cells that are the same, too */
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

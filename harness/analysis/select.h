/*
 * select.h - the rows of a store that stand for the cells of an experiment
 *
 * select.sql says which: the good row of each cell x scope x series that counts, in each folder of results, and those of its stages.
 */
#ifndef ANALYSIS_SELECT_H
#define ANALYSIS_SELECT_H

#include "harness/analysis/store.h"
#include "harness/experiment.h"
#include "harness/record.h"

/* What is asked for; 'scope' and 'series' NULL where a cell has no times. */
struct wanted {
    const struct bench_cell *cell;
    const char *scope, *series;
};

struct selected_missing {
    int wanted;   /* its place */
    char *folder; /* as it was given */
    char *why;    /* "not measured", or what became of its newest row: "skipped: no GPU" */
};

/* The rows are in the temporary table 'selected' of select.sql. */
struct selected {
    int n, n_folders;
    struct selected_missing *missing;
    int n_missing;
};

/* The store is complete.  BENCH_ENOMEM.  The caller owns *selected: selected_free(). */
enum bench_status select_rows(struct store *store, const struct wanted *wanted, int n,
                              struct selected *selected);
void selected_free(struct selected *selected);

/* The columns of all files, under the files' names: those of a new session come first. */
enum bench_status select_header(struct store *store, struct record_table *rows);
/* The answer to a query under the names that 'name', a table, has in files, without its first columns. */
enum bench_status select_table(struct store *store, const char *name, const char *sql,
                               int first, struct record_table *table);
/* Add a row as it stands in its file to a table with that header. */
enum bench_status select_row(struct store *store, long long id, struct record_table *rows);
/* Add the rows of a statement, which is reset, to a table that has its columns or none yet: under the names of files, where 'table'
 * is the one that they are of. */
enum bench_status select_more(struct store *store, sqlite3_stmt *statement, const char *table,
                              struct record_table *rows);

/* The good rows of the processes that one call started for this row's configuration, one a process, in their order.  *n is at
 * most RECORD_MAX_RUNS, and 1 where it was not repeated. */
enum bench_status select_processes(struct store *store, long long id,
                                   long long member[RECORD_MAX_RUNS], int *n);

#endif

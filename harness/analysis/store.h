/*
 * store.h - results folders, the papers' printed numbers and expected verdicts as one SQLite database in memory
 *
 * The CSV files are the source of truth: a store is made from them anew and is read only once it is complete.  schema.sql has
 * the tables and views, docs/DATABASE.md describes them.
 */
#ifndef ANALYSIS_STORE_H
#define ANALYSIS_STORE_H

#include "harness/status.h"

#include <sqlite3.h>
#include <stdio.h>

struct store;

/* An empty one.  BENCH_ENOMEM.  The caller owns *store: store_close(). */
enum bench_status store_open(struct store **store);
void store_close(struct store *store); /* NULL is fine */

/* Add all sessions of a results folder, what WITHDRAWN says of them, their values and environments, and the profiler's counters
 * in its ncu/.  A session that cannot be read is named on 'notes', and the others are added.  BENCH_EIO where the folder
 * cannot be listed, BENCH_EINPUT where it is not there. */
enum bench_status store_add_results(struct store *store, const char *folder, FILE *notes);

/* Add the printed numbers, each CSV file of a folder, and the expected verdicts, one CSV file.  BENCH_EIO, BENCH_EINPUT. */
enum bench_status store_add_printed(struct store *store, const char *folder);
enum bench_status store_add_expected(struct store *store, const char *path);

/* What measurement calls a column of files, and a field of it as measurement has it. */
const char *store_column(const char *in_file);
const char *store_field(const char *column, const char *in_file);

/* When all is there: find the configurations.  What store_database() gives from then on can only be read. */
enum bench_status store_complete(struct store *store);

sqlite3 *store_database(struct store *store);

/* Write all of it as an SQLite file, which appears whole.  BENCH_EIO. */
enum bench_status store_export(struct store *store, const char *path);

#endif

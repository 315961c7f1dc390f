/*
 * store.h - results folders, the papers' printed numbers and expected verdicts as one SQLite database in memory
 *
 * The CSV files are the source of truth: a store is made from them anew and is read only once it is complete.  schema.sql has
 * the tables and views, docs/DATABASE.md describes them.
 */
#ifndef ANALYSIS_STORE_H
#define ANALYSIS_STORE_H

#include "harness/record.h"
#include "harness/status.h"
#include "harness/text.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

struct store;

/* An empty one.  BENCH_ENOMEM.  The caller owns *store: store_close(). */
enum bench_status store_open(struct store **store);
void store_close(struct store *store); /* NULL is fine */

/* Add one session, a CSV file that must be readable, or all sessions of a results folder, what WITHDRAWN says of them, their values and environments, and the profiler's counters
 * in its ncu/.  A session that cannot be read, or whose header has no plain names, is named on
 * 'notes', and the others are added.  BENCH_EIO where the folder
 * cannot be listed, BENCH_EINPUT where it is not there. */
enum bench_status store_add_results(struct store *store, const char *folder, FILE *notes);

/* Add the printed numbers, each CSV file of a folder, and the expected verdicts, one CSV file.  BENCH_EIO, BENCH_EINPUT. */
enum bench_status store_add_printed(struct store *store, const char *folder);
enum bench_status store_add_expected(struct store *store, const char *path);

/* Add the facts of one file that depthbench env wrote, KEY=TEXT a line, to 'environment'; fine where it is not there. */
enum bench_status store_add_environment(struct store *store, const char *results,
                                        const char *session, const char *path);

/* Add <folder>/<name>.csv to a table that gets the columns it lacks; also to a temporary one of a complete store. */
enum bench_status store_add_file(struct store *store, const char *table, const char *folder,
                                 const char *name);

/* When all is there: find the configurations.  No rows are added from then on. */
enum bench_status store_complete(struct store *store);

/* All of that for these files, or the store that an earlier call made of them, if they and the program are the same: it is kept in
 * $DEPTHBENCH_CACHE ("": nowhere) or build/cache.  The caller owns *store. */
struct store_files {
    const char *const *folder; /* of results, [n_folders] */
    int n_folders;
    bool may_be_missing;            /* a folder that is not there has no results yet */
    const char *printed, *expected; /* a folder, a file; NULL: none */
};
enum bench_status store_read_files(const struct store_files *files, FILE *notes,
                                   struct store **store);

/* The same of results folders alone. */
enum bench_status store_read(const char *const *folders, int n, bool may_be_missing,
                             FILE *notes, struct store **store);

/* How many rows were added. */
long long store_n_measurements(struct store *store);

sqlite3 *store_database(struct store *store);

/* ---- for the other files of analysis ---- */

/* The first columns of measurement: id, configuration, preference, results, keys, withdrawn; behind them those of the files. */
#define STORE_OWN_COLUMNS  6
#define STORE_MOST_COLUMNS 400 /* of a table: files may have keys of other builds */

/* A database of its own in memory, without any table but with all functions.  BENCH_ENOMEM.  store_close(). */
enum bench_status store_open_empty(struct store **store);

/* What measurement calls a column of files, the name of a table's column in files; a field as the store has it and as files have
 * it: NULL stays NULL. */
const char *store_column(const char *in_file);
bool store_has_column(struct store *store, const char *table, const char *name);
const char *store_name_in_file(const char *table, const char *column);
const char *store_field(const char *column, const char *text);
const char *store_field_in_file(const char *column, const char *text);

/* All keys of a variant and its problem, "eps=4;height=1024": as 'given' has them or by their defaults, and whatever else is given.
 * BENCH_ENOMEM. */
enum bench_status store_keys(const char *impl, const char *given, struct text *keys);

/* SQL of our own: an error is a sentence.  store_prepare: the caller finalizes; store_kept: the store keeps the statement for the
 * next question in these words, the caller resets it.  store_row: whether there is one more row; store_step: a statement that
 * gives none, ready for the next call. */
enum bench_status store_execute(struct store *store, const unsigned char *sql, size_t n_bytes);
enum bench_status store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement);
enum bench_status store_kept(struct store *store, const char *sql, sqlite3_stmt **statement);
enum bench_status store_row(struct store *store, sqlite3_stmt *statement, bool *row);
enum bench_status store_step(struct store *store, sqlite3_stmt *statement);
/* A number as it is written, else a text; NULL is NULL.  It must last until the statement is reset. */
void store_bind_field(sqlite3_stmt *statement, int at, const char *text);

/* Write all of it as an SQLite file, which appears whole.  BENCH_EIO. */
enum bench_status store_export(struct store *store, const char *path);

#endif

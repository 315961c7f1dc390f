/*
 * store.h - results folders, the papers' printed numbers and expected verdicts as one SQLite
 * database in memory
 *
 * The CSV files are the source of truth: a store is made from them anew and is read only once
 * it is complete.  schema.sql has the tables and views, docs/DATABASE.md describes them.
 */
#ifndef ANALYSIS_STORE_H
#define ANALYSIS_STORE_H

#include "harness/suite/record.h"
#include "harness/base/status.h"
#include "harness/base/text.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

struct store;

/*
 * The complete store of these files, or the one that an earlier call made of them, if they and
 * the program are the same: it is kept in $DEPTHBENCH_CACHE ("": nowhere) or build/cache.  Of
 * results it has one session, a CSV file that must be readable, or all sessions of a folder,
 * what WITHDRAWN says of them, their values and environments, and the profiler's counters in
 * its ncu/.  A session of a folder that cannot be read is named on 'notes', and the others are
 * there.  BENCH_EIO where the folder cannot be listed, BENCH_EINPUT where it is not there.  The
 * caller owns *store, also of a failure: store_close().
 */
struct store_files {
    const char *const *folder; /* of results, [n_folders] */
    int n_folders;
    bool may_be_missing;            /* a folder that is not there has no results yet */
    const char *printed, *expected; /* a folder, a file; NULL: none */
};
enum bench_status store_read_files(const struct store_files *files, FILE *notes,
                                   struct store **store);

/* OWNED(store_close): NULL is fine, and what it becomes. */
void store_close(struct store **store);

/* Finds the number of its rows. */
enum bench_status store_n_measurements(struct store *store, long long *n);

/* Write all of it as an SQLite file, which appears whole.  BENCH_EIO. */
enum bench_status store_export(struct store *store, const char *path);

/* ---- for the other files of analysis ---- */

/* An empty one.  BENCH_ENOMEM. */
enum bench_status store_open(struct store **store);

/* Read these files into an empty store, which then answers questions, if slowly. */
enum bench_status store_fill(struct store *store, const struct store_files *files, FILE *notes);

/* Add <folder>/<name>.csv to a table that gets the columns it lacks, also to a temporary one of
 * a complete store.  BENCH_EIO, BENCH_EINPUT. */
enum bench_status store_add_file(struct store *store, const char *table, const char *folder,
                                 const char *name);

/* The first columns of measurement: id, configuration, preference, results, keys, withdrawn;
 * behind them those of the files. */
#define STORE_OWN_COLUMNS  6
#define STORE_MOST_COLUMNS 1000 /* of a table: files may have keys of other builds */

bool store_has_column(struct store *store, const char *table, const char *name);

/* SQL of our own: an error is a sentence.  store_prepare: the caller finalizes; store_kept: the
 * store keeps the statement for the next question in these words, the caller resets it.
 * store_row: whether there is one more row; store_step: a statement that gives none, ready for
 * the next call.  OWNED(store_finalize), OWNED(store_reset): NULL is fine. */
sqlite3 *store_database(struct store *store);
enum bench_status store_run(struct store *store, const char *sql);
enum bench_status store_execute(struct store *store, const unsigned char *sql, size_t n_bytes);
enum bench_status store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement);
enum bench_status store_kept(struct store *store, const char *sql, sqlite3_stmt **statement);
enum bench_status store_row(struct store *store, sqlite3_stmt *statement, bool *row);
enum bench_status store_step(struct store *store, sqlite3_stmt *statement);
void store_finalize(sqlite3_stmt **statement);
void store_reset(sqlite3_stmt **statement);

/* A text, NULL where it is empty; a number as it is written, else a text: whether it is a
 * number.  They must last until the statement is reset. */
void store_bind_text(sqlite3_stmt *statement, int at, const char *text);
bool store_bind_field(sqlite3_stmt *statement, int at, const char *text);

/* Something is not in the store, as the notes say: it was left out, or is not there yet. */
#define STORE_LEFT_OUT "; left out"
void store_note(struct store *store, const char *sentence, const char *end);

/* When all rows are there: those of some inputs go to table 'part', and what they add up to
 * comes into measurement. */
enum bench_status store_add_parts(struct store *store);

/* The store that an earlier call kept of these very files, opened by store_open_file(); NULL:
 * there is none.  *key stands for them and the program.  store_keep() keeps one, if they are
 * still the same; where that cannot be nothing is said: it saves time alone. */
struct store *store_find(const struct store_files *files, unsigned long long *key);
void store_keep(struct store *store, const struct store_files *files, unsigned long long key);
enum bench_status store_open_file(const char *path, struct store **store);

#endif

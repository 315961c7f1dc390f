/*
 * query.h - questions in SQL, and their answers as tables
 */
#ifndef ANALYSIS_QUERY_H
#define ANALYSIS_QUERY_H

#include "harness/analysis/store.h"
#include "harness/analysis/table.h"

#define QUERY_MAX_ROWS 1000000

/*
 * The answer to one SELECT (or WITH, EXPLAIN, VALUES).  It only reads: no other file, no
 * setting, no table changes, whatever it says.  BENCH_EINPUT with SQLite's sentence for what is
 * no such statement, for more than one, or for more than QUERY_MAX_ROWS rows.  The caller owns
 * *table: table_free().
 */
enum bench_status query_table(struct store *store, const char *sql, struct table *table);

/* The statement that query_table() asks; OWNED(store_finalize), also of a failure. */
enum bench_status query_prepare(struct store *store, const char *sql, sqlite3_stmt **statement);

/* A field of an answer by its column's name: "" and 0 where there is none. */
const char *query_text(const struct table *table, int row, const char *column);
double query_number(const struct table *table, int row, const char *column);

/* BENCH_EINPUT with the first sentence that the view 'refusal (number, sentence)' has, if
 * any. */
enum bench_status query_refusal(struct store *store);

/* SQL of our own.  Append as sqlite3_mprintf() does, with %Q and %w; run what was written, and
 * free it; the answer to it, and free it. */
void query_add(struct text *sql, const char *format, ...);
enum bench_status query_run(struct store *store, struct text *sql);
enum bench_status query_ask(struct store *store, struct text *sql, struct table *answer);

/* Adds what SQLite has not and rows need: median(x), summary(x, i) ...; docs/DATABASE.md lists
 * them. BENCH_ENOMEM. */
enum bench_status functions_add(sqlite3 *db);

#endif

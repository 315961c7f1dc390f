/* store_private.h - what the files of the store share: store.c, store_rows.c, store_files.c */
#ifndef ANALYSIS_STORE_PRIVATE_H
#define ANALYSIS_STORE_PRIVATE_H

#include "harness/analysis/store.h"

struct store {
    sqlite3 *db;
    long long n_measurements;
    FILE *notes; /* of the folder being read; borrowed, may be NULL */
};

enum bench_status store_failed(const struct store *store, const char *what);
enum bench_status store_run(struct store *store, const char *sql);

/* Rows of texts on their way into a table: a statement whose last parameters are their fields. */
struct insertion {
    sqlite3_stmt *statement;
    char *kind; /* of each column of theirs */
    int n_more; /* parameters before them */
};

/* An INSERT of columns 'more', up to a NULL, and of those of 'rows', which the table gets where it has none of the name.
 * BENCH_EINPUT for a header that is none: 'path' is its file. */
enum bench_status insertion_begin(struct store *store, const char *table, const char *path,
                                  const char *const *more, const struct record_table *rows,
                                  struct insertion *insertion);
void insertion_end(struct insertion *insertion);
/* Bind all fields of a row, and none of the parameters before them.  Texts must last until the next row. */
void insertion_bind(struct insertion *insertion, const struct record_table *rows, int row);

/* A text, NULL where it is empty. */
void store_bind_text(sqlite3_stmt *statement, int at, const char *text);

/* Which columns are keys, to be freed, NULL: out of memory; and the keys of a row.  See store_keys(). */
bool *store_key_columns(const struct record_table *rows);
void store_keys_of_row(const struct record_table *rows, int row, const bool *is_key,
                       struct text *keys);

/* ", name TYPE" for each column of 'rows' in measurement. */
void store_define_columns(const struct record_table *rows, struct text *sql);

/* What a store is made of, as a hash; false: something cannot be read, or there is so little that no file is worth it. */
struct store_key {
    unsigned long long hash;
    size_t n_bytes;
};
bool store_key(const struct store_files *files, struct store_key *key);

/* The complete store of that key that an earlier call kept, which is only read; and keep one.  Where that cannot be, nothing is
 * said: it saves time alone. */
bool store_open_kept(const struct store_files *files, const struct store_key *key,
                     struct store **store);
void store_keep(struct store *store, const struct store_files *files,
                const struct store_key *key);

/* All of it as a new database file, after SQL for that file.  Sentences say it cannot be written as 'called'. */
enum bench_status store_copy(struct store *store, const char *path, const char *called,
                             const char *settings);

/* A results folder that is not there and has no rows yet. */
enum bench_status store_add_missing(struct store *store, const char *folder);

#endif

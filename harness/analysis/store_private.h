/* store_private.h - what the files of the store share: store.c, store_rows.c, store_files.c, store_cache.c */
#ifndef ANALYSIS_STORE_PRIVATE_H
#define ANALYSIS_STORE_PRIVATE_H

#include "harness/analysis/store.h"

struct store {
    sqlite3 *db;
    FILE *notes;         /* of the folder being read; borrowed, may be NULL */
    bool may_be_missing; /* folders */
};

enum bench_status store_failed(const struct store *store);
enum bench_status store_run(struct store *store, const char *sql);

/* A text, NULL where it is empty.  It must last until the statement is reset. */
void store_bind_text(sqlite3_stmt *statement, int at, const char *text);

/* The table measurement, with the columns that a session of today has, whatever was measured. */
enum bench_status store_declare(struct store *store);

/* Rows of a file into a table, which gets the columns that it lacks.  BENCH_EINPUT for a header that is none. */
struct store_source {
    const char *table;
    const char *results;          /* NULL: of no folder of results, and all names are fine */
    const struct text *withdrawn; /* NULL: no session */
};
enum bench_status store_insert(struct store *store, const struct store_source *from,
                               const char *path, const struct record_table *rows);

/* What a store is made of, as hashes; false: something cannot be read, or there is so little that no file is worth it. */
struct store_key {
    unsigned long long hash;
    unsigned long long name; /* of the folders alone */
    size_t n_bytes;
};
bool store_key(const struct store_files *files, struct store_key *key);

/* The complete store of that key that an earlier call kept, which is only read; and keep one.  Where that cannot be, nothing is
 * said: it saves time alone. */
bool store_open_kept(const struct store_key *key, struct store **store);
void store_keep(struct store *store, const struct store_key *key);

bool store_seal(const char *path, const struct store_key *key);

/* All of it as a new database file 'path', which appears whole; with the key's seal behind it. */
enum bench_status store_write(struct store *store, const char *path,
                              const struct store_key *key);

#endif

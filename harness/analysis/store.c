/* store.c - from CSV files to an SQLite database in memory; see schema.sql */
#include "harness/analysis/store.h"

#include "harness/analysis/functions.h"
#include "harness/analysis/store_private.h"
#include "harness/record_private.h"

#include "index_sql.h"
#include "schema_sql.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPEN_FLAGS \
    (SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX) /* one thread asks */

enum bench_status store_failed(const struct store *store)
{
    return BENCH_FAIL(sqlite3_errcode(store->db) == SQLITE_NOMEM ? BENCH_ENOMEM : BENCH_EIO,
                      "the store of results: %s", sqlite3_errmsg(store->db));
}

enum bench_status store_run(struct store *store, const char *sql)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? BENCH_OK
                                                                       : store_failed(store);
}

enum bench_status store_execute(struct store *store, const unsigned char *sql, size_t n_bytes)
{
    struct text text = {0};
    enum bench_status status;

    text_bytes(&text, sql, n_bytes);
    status = text_ok(&text);
    if (!status)
        status = store_run(store, text.data);
    text_free(&text);
    return status;
}

enum bench_status store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) == SQLITE_OK
               ? BENCH_OK
               : store_failed(store);
}

enum bench_status store_kept(struct store *store, const char *sql, sqlite3_stmt **statement)
{
    *statement = sqlite3_next_stmt(store->db, NULL);
    while (*statement && strcmp(sqlite3_sql(*statement), sql) != 0)
        *statement = sqlite3_next_stmt(store->db, *statement);
    return *statement ? BENCH_OK : store_prepare(store, sql, statement);
}

enum bench_status store_row(struct store *store, sqlite3_stmt *statement, bool *row)
{
    const int step = sqlite3_step(statement);

    *row = step == SQLITE_ROW;
    return *row || step == SQLITE_DONE ? BENCH_OK : store_failed(store);
}

enum bench_status store_step(struct store *store, sqlite3_stmt *statement)
{
    const int done = sqlite3_step(statement);

    sqlite3_reset(statement);
    return done == SQLITE_DONE ? BENCH_OK : store_failed(store);
}

/* ---- the store ---- */

enum bench_status store_open_empty(struct store **store)
{
    enum bench_status status;

    *store = calloc(1, sizeof **store);
    if (!*store)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the store of results");
    status = sqlite3_open_v2(":memory:", &(*store)->db, OPEN_FLAGS, NULL) == SQLITE_OK
                 ? functions_add((*store)->db)
                 : store_failed(*store);
    if (status) {
        store_close(*store);
        *store = NULL;
    }
    return status;
}

enum bench_status store_open(struct store **store)
{
    enum bench_status status;

    TRY(store_open_empty(store));
    status = store_run(*store, "PRAGMA temp_store = MEMORY; BEGIN");
    if (!status)
        status = store_declare(*store);
    if (!status)
        status = store_execute(*store, schema_sql, sizeof schema_sql);
    if (status) {
        store_close(*store);
        *store = NULL;
    }
    return status;
}

void store_close(struct store *store)
{
    sqlite3_stmt *kept;

    while (store && store->db && (kept = sqlite3_next_stmt(store->db, NULL)) != NULL)
        sqlite3_finalize(kept);
    if (store)
        sqlite3_close(store->db);
    free(store);
}

enum bench_status store_complete(struct store *store)
{
    TRY(store_execute(store, index_sql, sizeof index_sql));
    return store_run(store, "COMMIT");
}

static enum bench_status add_files(struct store *store, const struct store_files *files,
                                   FILE *notes)
{
    store->may_be_missing = files->may_be_missing;
    for (int i = 0; i < files->n_folders; i++)
        TRY(store_add_results(store, files->folder[i], notes));
    if (files->printed)
        TRY(store_add_printed(store, files->printed));
    if (files->expected)
        TRY(store_add_expected(store, files->expected));
    return store_complete(store);
}

enum bench_status store_read_files(const struct store_files *files, FILE *notes,
                                   struct store **store)
{
    struct store_key key, after;
    const bool may_keep = store_key(files, &key);
    char *said = NULL;
    size_t n_said = 0;
    FILE *saying;
    enum bench_status status;

    if (may_keep && store_open_kept(&key, store))
        return BENCH_OK;
    TRY(store_open(store));
    saying = open_memstream(&said, &n_said);
    status = saying ? add_files(*store, files, saying)
                    : BENCH_FAIL(BENCH_ENOMEM, "out of memory for the store of results");
    if (saying)
        fclose(saying);
    if (notes && n_said > 0)
        fputs(said, notes);
    if (status) {
        store_close(*store);
        *store = NULL;
    } else if (may_keep && n_said == 0 && store_key(files, &after) &&
               after.hash == key.hash) /* no file has changed while it was read */
        store_keep(*store, &key);
    free(said);
    return status;
}

enum bench_status store_read(const char *const *folders, int n, bool may_be_missing,
                             FILE *notes, struct store **store)
{
    return store_read_files(&(struct store_files){.folder = folders,
                                                  .n_folders = n,
                                                  .may_be_missing = may_be_missing},
                            notes, store);
}

long long store_n_measurements(struct store *store)
{
    sqlite3_stmt *last;
    long long n = 0;
    bool row;

    if (store_kept(store, "SELECT max(id) FROM measurement", &last) == BENCH_OK) {
        n = store_row(store, last, &row) == BENCH_OK ? sqlite3_column_int64(last, 0) : 0;
        sqlite3_reset(last);
    }
    return n;
}

sqlite3 *store_database(struct store *store)
{
    return store->db;
}

/* To 'path', which is to become 'target'. */
static enum bench_status copy(struct store *store, const char *path, const char *target)
{
    sqlite3 *file = NULL;
    sqlite3_backup *backup = NULL;
    enum bench_status status = BENCH_OK;

    if (sqlite3_open(path, &file) == SQLITE_OK &&
        sqlite3_exec(file, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL,
                     NULL) == SQLITE_OK)
        backup = sqlite3_backup_init(file, "main", store->db, "main");
    if (backup)
        sqlite3_backup_step(backup, -1);
    if (!backup || sqlite3_backup_finish(backup) != SQLITE_OK)
        status = BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", target,
                            file ? sqlite3_errmsg(file) : "out of memory");
    if (sqlite3_close(file) != SQLITE_OK && !status)
        status = BENCH_FAIL(BENCH_EIO, "%s: cannot be written", target);
    return status;
}

enum bench_status store_write(struct store *store, const char *path,
                              const struct store_key *key)
{
    struct text name = {0};
    enum bench_status status;

    text_format(&name, "%s%s.%ld.new", *path == '/' ? "" : "./", path, /* SQLite's "file:x" */
                (long)getpid());
    TRY(text_ok(&name));
    status = copy(store, name.data, path);
    if (!status && !((!key || store_seal(name.data, key)) && rename(name.data, path) == 0))
        status = BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", path, strerror(errno));
    if (status)
        unlink(name.data);
    text_free(&name);
    return status;
}

enum bench_status store_export(struct store *store, const char *path)
{
    bool in_place;
    char *const target = text_target(path, &in_place);
    enum bench_status status;

    if (!target)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a name");
    status = in_place ? BENCH_FAIL(BENCH_EINPUT, "%s: expected the name of a file", path)
                      : store_write(store, target, NULL);
    free(target);
    return status;
}

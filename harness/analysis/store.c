/* store.c - from CSV files to an SQLite database in memory; see schema.sql */
#include "harness/analysis/store.h"

#include "harness/analysis/functions.h"
#include "harness/analysis/names.h"
#include "harness/experiment.h"
#include "harness/impl.h"
#include "harness/problem.h"
#include "harness/record.h"
#include "harness/record_private.h"
#include "harness/text.h"

#include "index_sql.h"
#include "schema_sql.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_NAME        63  /* of a column */
#define MAX_NEW_COLUMNS 100 /* keys of other builds that a file may have */

struct store {
    sqlite3 *db;
    long long n_measurements;
    FILE *notes; /* of the folder being read; borrowed, may be NULL */
};

static enum bench_status failed(const struct store *store, const char *what)
{
    return BENCH_FAIL(sqlite3_errcode(store->db) == SQLITE_NOMEM ? BENCH_ENOMEM : BENCH_EIO,
                      "%s: %s", what, sqlite3_errmsg(store->db));
}

static enum bench_status execute(struct store *store, const char *sql)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? BENCH_OK
               : failed(store, "the store of results");
}

enum bench_status store_execute(struct store *store, const unsigned char *sql, size_t n_bytes)
{
    struct text text = {0};
    enum bench_status status;

    text_bytes(&text, sql, n_bytes);
    status = text_ok(&text);
    if (!status)
        status = execute(store, text.data);
    text_free(&text);
    return status;
}

enum bench_status store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) == SQLITE_OK
               ? BENCH_OK
               : failed(store, "the store of results");
}

enum bench_status store_row(struct store *store, sqlite3_stmt *statement, bool *row)
{
    const int step = sqlite3_step(statement);

    *row = step == SQLITE_ROW;
    return *row || step == SQLITE_DONE ? BENCH_OK : failed(store, "the store of results");
}

/* ---- columns ---- */

/* Files' words that are words of SQL, or are said otherwise by now.  ('figure' is the paper's where numbers are printed.) */
static const struct {
    const char *in_file, *here;
} renamed[] = {
    {"commit", "commit_hash"}, {"case", "frame_pick"}, {"lap", "stage"},
    {"profile", "protocol"},   {"where", "place"},     {"figure", "section"},
};
#define N_RENAMED (sizeof renamed / sizeof *renamed)

static const char *column_name(const char *table, const char *in_file)
{
    if (!strcmp(table, "printed") && !strcmp(in_file, "figure"))
        return in_file;
    for (size_t i = 0; i < N_RENAMED; i++)
        if (!strcmp(renamed[i].in_file, in_file))
            return renamed[i].here;
    return in_file;
}

const char *store_column(const char *in_file)
{
    return column_name("measurement", in_file);
}

const char *store_name_in_file(const char *table, const char *column)
{
    for (size_t i = 0; i < N_RENAMED; i++)
        if (!strcmp(renamed[i].here, column) &&
            (strcmp(table, "counter") != 0 || strcmp(column, "stage") != 0)) /* as ncu's are */
            return renamed[i].in_file;
    return column;
}

const char *store_field(const char *column, const char *text)
{
    return text && !strcmp(column, "scope") && !strcmp(text, "frame") ? "end_to_end" : text;
}

const char *store_field_in_file(const char *column, const char *text)
{
    return text && !strcmp(column, "scope") && !strcmp(text, "end_to_end") ? "frame" : text;
}

/* Texts that may look like numbers: hashes, versions, names. */
static bool is_text(const char *column)
{
    static const char *const texts[] = {
        "session",     "row_id",  "utc",        "commit_hash", "build_hash",  "compiler",
        "cuda",        "flags",   "cpu",        "gpu",         "cc",          "driver",
        "l4t",         "params",  "input_hash", "gpu_uuid",    "output_hash", "reason",
        "rails",       "host",    "run_group",  "power_note",  "printed",     "name",
        "figure",      "keys",    "kernel",     "plan",        "input",       "results",
        "mode_name",   "machine", "impl",       "scope",       "series",      "stage",
        "frame_pick",  "device",  "transfer",   "status",      "verdict",     "protocol",
        "experiment",  "problem", "section",    "governor",    "binding",     "reference",
        "stop_reason", "unit",    "place",      "read",        "hardware",    "power_source"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(texts[i], column))
            return true;
    return false;
}

/* Whole numbers of these are divided like others. */
static bool is_real(const char *column)
{
    const size_t n = strlen(column);

    return (n > 3 && !strcmp(column + n - 3, "_ms")) ||
           (n > 4 && !strcmp(column + n - 4, "_pct")) || !strncmp(column, "mj_", 3) ||
           !strcmp(column, "fps") || !strcmp(column, "watt") || !strcmp(column, "idle_watt") ||
           !strcmp(column, "value");
}

static enum bench_status add_column(struct store *store, const char *table, const char *name)
{
    char *sql = sqlite3_mprintf("ALTER TABLE \"%w\" ADD COLUMN \"%w\" %s", table, name,
                                is_text(name)   ? "TEXT"
                                : is_real(name) ? "REAL"
                                                : "");
    enum bench_status status = sql ? execute(store, sql) : failed(store, table);

    sqlite3_free(sql);
    return status;
}

bool store_has_column(struct store *store, const char *table, const char *name)
{
    return sqlite3_table_column_metadata(store->db, NULL, table, name, NULL, NULL, NULL, NULL,
                                         NULL) == SQLITE_OK;
}

/* The columns of a table that are in no file. */
static bool is_own(const char *table, const char *column)
{
    static const char *const own[] = {"id",      "configuration", "preference",
                                      "results", "keys",          "withdrawn"};

    for (size_t i = 0; i < sizeof own / sizeof *own && strcmp(table, "printed") != 0; i++)
        if (!strcasecmp(own[i], column))
            return true;
    return false;
}

/* Names of columns become SQL: what is no plain name, or would be two columns, is no file of ours. */
static enum bench_status check_header(struct store *store, const char *table, const char *path,
                                      const struct record_table *rows)
{
    int n_new = 0;

    for (int i = 0; i < rows->n_columns; i++) {
        const char *name = column_name(table, rows->column[i]);

        if (!*name || strlen(name) > MAX_NAME ||
            strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") !=
                strlen(name) ||
            is_own(table, name))
            return BENCH_FAIL(BENCH_EINPUT, "%s:1: expected names of columns, found '%.40s'",
                              path, rows->column[i]);
        for (int k = 0; k < i; k++)
            if (!strcasecmp(name, column_name(table, rows->column[k])))
                return BENCH_FAIL(BENCH_EINPUT, "%s:1: columns '%s' and '%s' are one", path,
                                  rows->column[k], rows->column[i]);
        n_new += !store_has_column(store, table, name);
    }
    return n_new <= MAX_NEW_COLUMNS
               ? BENCH_OK
               : BENCH_FAIL(BENCH_EINPUT, "%s:1: expected at most %d unknown columns, found %d",
                            path, MAX_NEW_COLUMNS, n_new);
}

static enum bench_status add_columns(struct store *store, const char *table,
                                     const struct record_table *rows)
{
    for (int i = 0; i < rows->n_columns; i++)
        if (!store_has_column(store, table, column_name(table, rows->column[i])))
            TRY(add_column(store, table, column_name(table, rows->column[i])));
    return BENCH_OK;
}

static enum bench_status need_columns(struct store *store, const char *table, const char *path,
                                      const struct record_table *rows)
{
    TRY(check_header(store, table, path, rows));
    return add_columns(store, table, rows);
}

/* ---- rows ---- */

/* INSERT INTO table (more..., columns of 'rows') VALUES (?, ...). */
static enum bench_status prepare_insert(struct store *store, const char *table,
                                        const char *const *more,
                                        const struct record_table *rows, sqlite3_stmt **insert)
{
    struct text sql = {0}, marks = {0};
    enum bench_status status;

    *insert = NULL;
    text_format(&sql, "INSERT INTO \"%s\" (", table);
    for (; *more; more++) {
        text_format(&sql, "%s\"%s\"", marks.size ? ", " : "", *more);
        text_add(&marks, marks.size ? ", ?" : "?");
    }
    for (int i = 0; i < rows->n_columns; i++) {
        text_format(&sql, "%s\"%s\"", marks.size ? ", " : "",
                    column_name(table, rows->column[i]));
        text_add(&marks, marks.size ? ", ?" : "?");
    }
    text_format(&sql, ") VALUES (%s)", marks.data ? marks.data : "");
    status = text_ok(&sql);
    if (!status)
        status = store_prepare(store, sql.data, insert);
    text_free(&sql);
    text_free(&marks);
    return status;
}

static void bind_text(sqlite3_stmt *insert, int at, const char *text)
{
    if (text && *text)
        sqlite3_bind_text(insert, at, text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(insert, at);
}

/* A number as it is written, so that it is read as it was: 2e+09 as a real one, 2000000000 as a whole one, 007 as a text. */
static void bind_field(sqlite3_stmt *insert, int at, const char *text)
{
    double number;

    if (!text_to_number(text, &number) || (text[0] == '0' && text[1] >= '0' && text[1] <= '9'))
        bind_text(insert, at, text);
    else if (strspn(text, "-0123456789") == strlen(text) && fabs(number) < 9e18)
        sqlite3_bind_int64(insert, at, strtoll(text, NULL, 10));
    else
        sqlite3_bind_double(insert, at, number);
}

static void bind_row(sqlite3_stmt *insert, int first, const char *table,
                     const struct record_table *rows, int row)
{
    for (int i = 0; i < rows->n_columns; i++) {
        const char *column = column_name(table, rows->column[i]);
        const char *text =
            store_field(column, rows->cell[(size_t)row * (size_t)rows->n_columns + (size_t)i]);

        if (is_text(column))
            bind_text(insert, first + i, text);
        else
            bind_field(insert, first + i, text);
    }
}

enum bench_status store_step(struct store *store, sqlite3_stmt *statement)
{
    const int done = sqlite3_step(statement);

    sqlite3_reset(statement);
    return done == SQLITE_DONE ? BENCH_OK : failed(store, "the store of results");
}

/* All rows of a file into a table that has the columns of all files so far, behind those with the texts of 'more'. */
static enum bench_status add_rows(struct store *store, const char *table, const char *path,
                                  const char *const *more, const char *const *texts,
                                  const struct record_table *rows)
{
    sqlite3_stmt *insert;
    enum bench_status status;

    TRY(need_columns(store, table, path, rows));
    TRY(prepare_insert(store, table, more, rows, &insert));
    status = BENCH_OK;
    for (int row = 0; row < rows->n_rows && !status; row++) {
        int n = 0;

        for (; more[n]; n++)
            bind_text(insert, n + 1, texts[n]);
        bind_row(insert, n + 1, table, rows, row);
        status = store_step(store, insert);
    }
    sqlite3_finalize(insert);
    return status;
}

/* ---- keys ---- */

static void add_key(struct text *keys, const char *name, const char *value)
{
    char number[TEXT_NUMBER];
    double as_number;

    if (text_to_number(value, &as_number)) {
        if (fabs(as_number) < 1e15 && as_number == floor(as_number)) /* a seed has all digits */
            snprintf(number, sizeof number, "%.0f", as_number);
        else
            text_number(number, as_number);
        value = number;
    }
    text_format(keys, "%s%s=%s", keys->size ? ";" : "", name, value);
}

static const struct bench_impl *find_known(const char *name)
{
    for (int i = 0; bench_known_impls[i]; i++)
        if (!strcmp(bench_known_impls[i]->name, name))
            return bench_known_impls[i];
    return NULL;
}

static bool is_key_of(const struct bench_impl *impl, const char *name)
{
    const struct bench_key *const lists[] = {impl->problem->keys, impl->keys};

    for (int k = 0; k < 2; k++)
        for (const struct bench_key *key = lists[k]; key && key->name; key++)
            if (!strcmp(key->name, name))
                return true;
    return false;
}

static void keys_of_row(const struct record_table *rows, int row, const bool *is_key,
                        struct text *keys)
{
    const struct bench_impl *const impl = find_known(record_get(rows, row, "impl"));

    if (impl) {
        const struct bench_key *const lists[] = {impl->problem->keys, impl->keys};

        for (int k = 0; k < 2; k++)
            for (const struct bench_key *key = lists[k]; key && key->name; key++) {
                const char *text = record_get(rows, row, key->name);

                if (*text || key->fallback)
                    add_key(keys, key->name, *text ? text : key->fallback);
            }
    }
    for (int i = 0; i < rows->n_columns; i++) {
        const char *text = rows->cell[(size_t)row * (size_t)rows->n_columns + (size_t)i];

        if (is_key[i] && *text && !(impl && is_key_of(impl, rows->column[i])))
            add_key(keys, rows->column[i], text);
    }
}

/* Which columns are keys, to be freed; NULL: out of memory. */
static bool *key_columns(const struct record_table *rows)
{
    bool *is_key = calloc((size_t)rows->n_columns + 1, sizeof *is_key);

    for (int i = 0; i < rows->n_columns && is_key; i++)
        is_key[i] = !record_is_fixed(rows->column[i]);
    return is_key;
}

enum bench_status store_keys(const struct record_table *rows, int row, struct text *keys)
{
    bool *is_key = key_columns(rows);

    if (!is_key)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for keys");
    keys_of_row(rows, row, is_key, keys);
    free(is_key);
    return text_ok(keys);
}

/* ---- a folder of results ---- */

static enum bench_status add_measurements(struct store *store, const char *path,
                                          const char *results, const struct text *withdrawn,
                                          const struct record_table *rows)
{
    static const char *const more[] = {"id", "results", "keys", "withdrawn", NULL};
    bool *is_key = key_columns(rows);
    sqlite3_stmt *insert = NULL;
    enum bench_status status = is_key ? need_columns(store, "measurement", path, rows)
                                      : BENCH_FAIL(BENCH_ENOMEM, "out of memory for rows");

    if (!status)
        status = prepare_insert(store, "measurement", more, rows, &insert);
    for (int row = 0; row < rows->n_rows && !status; row++) {
        size_t n_why = 0;
        const char *why = record_withdrawn(withdrawn, record_get(rows, row, "session"),
                                           record_get(rows, row, "row_id"), &n_why);
        struct text keys = {0};

        keys_of_row(rows, row, is_key, &keys);
        sqlite3_bind_int64(insert, 1, store->n_measurements + row + 1);
        bind_text(insert, 2, results);
        bind_text(insert, 3, keys.data);
        if (why && n_why > 0)
            sqlite3_bind_text(insert, 4, why, (int)n_why, SQLITE_TRANSIENT);
        else
            bind_text(insert, 4, why ? "withdrawn" : NULL);
        bind_row(insert, 5, "measurement", rows, row);
        status = keys.failed ? text_ok(&keys) : store_step(store, insert);
        text_free(&keys);
    }
    sqlite3_finalize(insert);
    free(is_key);
    return status;
}

/* The id of the measurement with the next row's row_id: values are written in the order of their rows. */
static int find_row(const struct record_table *rows, const char *row_id, int from)
{
    for (int i = 0; i < rows->n_rows; i++) {
        const int at = (from + i) % rows->n_rows;

        if (!strcmp(record_get(rows, at, "row_id"), row_id))
            return at;
    }
    return -1;
}

static enum bench_status add_values(struct store *store, const struct record_table *rows,
                                    const struct record_table *values)
{
    sqlite3_stmt *insert;
    enum bench_status status = BENCH_OK;
    int row = 0;

    TRY(store_prepare(store, "INSERT INTO value VALUES (?, ?, ?, ?, ?)", &insert));
    for (int i = 0; i < values->n_rows && !status; i++) {
        const char *name = record_get(values, i, "name");
        const int at =
            rows->n_rows > 0 ? find_row(rows, record_get(values, i, "row_id"), row) : -1;
        double value;

        if (at < 0 || !*name)
            continue; /* its row was never written: a kill came first */
        row = at;
        sqlite3_bind_int64(insert, 1, store->n_measurements + at + 1);
        bind_text(insert, 2, name);
        bind_field(insert, 3, record_get(values, i, "index"));
        if (record_get_number(values, i, "value", &value))
            sqlite3_bind_double(insert, 4, value);
        else
            sqlite3_bind_null(insert, 4);
        bind_text(insert, 5, record_get(values, i, "unit"));
        status = store_step(store, insert);
    }
    sqlite3_finalize(insert);
    return status;
}

static enum bench_status add_environment(struct store *store, const char *results,
                                         const char *session, const char *path)
{
    struct text text = {0};
    sqlite3_stmt *insert;
    enum bench_status status;

    if (access(path, F_OK) != 0)
        return BENCH_OK;
    TRY(text_read_file(path, &text));
    status = store_prepare(store, "INSERT INTO environment VALUES (?, ?, ?, ?)", &insert);
    if (status) {
        text_free(&text);
        return status;
    }
    for (char *save = NULL, *line = strtok_r(text.data, "\r\n", &save); line && !status;
         line = strtok_r(NULL, "\r\n", &save)) {
        char *equals = strchr(line, '=');

        if (!equals || equals == line)
            continue;
        *equals = '\0';
        bind_text(insert, 1, results);
        bind_text(insert, 2, session);
        bind_text(insert, 3, line);
        bind_text(insert, 4, equals + 1);
        status = store_step(store, insert);
    }
    sqlite3_finalize(insert);
    text_free(&text);
    return status;
}

/* One session: its rows, values and environment; *is_none: the file is another table that lies in the folder. */
static enum bench_status add_session(struct store *store, const char *folder,
                                     const char *results, const char *name,
                                     const struct text *withdrawn)
{
    struct record_table rows = {0}, values = {0};
    char path[4400];
    enum bench_status status;

    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    TRY(record_read(path, true, &rows));
    names_check(path, &rows, store->notes);
    if (record_column(&rows, "session") < 0 || record_column(&rows, "row_id") < 0) {
        const bool is_empty =
            rows.n_columns == 0; /* reserved, or killed before its first row */

        record_table_free(&rows);
        return is_empty
                   ? BENCH_OK
                   : BENCH_FAIL(BENCH_EINPUT, "%s:1: expected the header of a session", path);
    }
    status = add_measurements(store, path, results, withdrawn, &rows);
    snprintf(path, sizeof path, "%s/%s.values.csv", folder, name);
    if (!status && access(path, F_OK) == 0)
        status = record_read(path, true, &values);
    if (!status)
        status = add_values(store, &rows, &values);
    snprintf(path, sizeof path, "%s/%s.env.txt", folder, name);
    if (!status)
        status = add_environment(
            store, results, rows.n_rows > 0 ? record_get(&rows, 0, "session") : name, path);
    if (!status)
        store->n_measurements += rows.n_rows;
    record_table_free(&rows);
    record_table_free(&values);
    return status;
}

/* A file that the profiler's script wrote. */
static enum bench_status add_counters(struct store *store, const char *folder,
                                      const char *results, const char *name,
                                      const struct text *withdrawn)
{
    static const char *const more[] = {"results", NULL};
    struct record_table rows = {0};
    char path[4400];
    enum bench_status status;

    (void)withdrawn;
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    TRY(record_read(path, false, &rows));
    names_check(path, &rows, store->notes);
    status = add_rows(store, "counter", path, more, &results, &rows);
    record_table_free(&rows);
    return status;
}

typedef enum bench_status add_file(struct store *store, const char *folder, const char *results,
                                   const char *name, const struct text *withdrawn);

/* Each file of a folder, all of it or nothing: one that cannot be read is named on 'notes', and the others are read. */
static enum bench_status add_files(struct store *store, add_file *add, const char *folder,
                                   const char *results, const struct text *withdrawn,
                                   FILE *notes)
{
    char **names;
    int n;
    enum bench_status status;

    TRY(record_list_sessions(folder, &names, &n));
    status = BENCH_OK;
    for (int i = 0; i < n && !status; i++) {
        status = execute(store, "SAVEPOINT file");
        if (status)
            break;
        status = add(store, folder, results, names[i], withdrawn);
        if (status == BENCH_EINPUT || status == BENCH_EIO) {
            if (!strstr(bench_failure(), names[i])) {
                char why[1024];

                snprintf(why, sizeof why, "%s", bench_failure());
                BENCH_FAIL(status, "%s/%s.csv: %s", folder, names[i], why);
            }
            if (notes)
                fprintf(notes, "note: %s; left out\n", bench_failure());
            bench_failure_clear();
            status = execute(store, "ROLLBACK TO file");
        }
        if (!status)
            status = execute(store, "RELEASE file");
    }
    record_free_names(names, n);
    return status;
}

static enum bench_status insert_folder(struct store *store, const char *results,
                                       const char *path, const char *place, bool *is_new)
{
    sqlite3_stmt *insert;

    TRY(store_prepare(store,
                      "INSERT OR IGNORE INTO folder (results, path, place) VALUES (?, ?, ?)",
                      &insert));
    bind_text(insert, 1, results);
    bind_text(insert, 2, path);
    bind_text(insert, 3, place);
    sqlite3_step(insert);
    *is_new = sqlite3_changes(store->db) > 0;
    return sqlite3_finalize(insert) == SQLITE_OK ? BENCH_OK : failed(store, "folder");
}

/* What a folder is called: the last part of its path, its machine, or all of the path where another folder has that name. */
static enum bench_status name_folder(struct store *store, const char *folder,
                                     char name[PATH_MAX])
{
    char place[PATH_MAX];
    const char *slash;
    bool is_new;

    if (!realpath(folder, place)) /* not there yet */
        snprintf(place, sizeof place, "%s", folder);
    slash = strrchr(place, '/');
    snprintf(name, PATH_MAX, "%s", slash && slash[1] ? slash + 1 : place);
    TRY(insert_folder(store, name, folder, place, &is_new));
    if (is_new)
        return BENCH_OK;
    snprintf(name, PATH_MAX, "%s", place);
    TRY(insert_folder(store, name, folder, place, &is_new));
    return is_new ? BENCH_OK
                  : BENCH_FAIL(BENCH_EINPUT, "%s: the folder is given twice", folder);
}

static enum bench_status add_none(struct store *store, const char *folder)
{
    char results[PATH_MAX];

    return name_folder(store, folder, results);
}

enum bench_status store_add_results(struct store *store, const char *folder, FILE *notes)
{
    struct text withdrawn;
    char results[PATH_MAX], ncu[PATH_MAX + 8];
    struct stat info;
    enum bench_status status;

    if (access(folder, F_OK) != 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected a folder with results, found none",
                          folder);
    TRY(name_folder(store, folder, results));
    snprintf(ncu, sizeof ncu, "%s/ncu", folder);
    TRY(record_read_withdrawn(folder, &withdrawn));
    store->notes = notes;
    status = add_files(store, add_session, folder, results, &withdrawn, notes);
    text_free(&withdrawn);
    TRY(status);
    return stat(ncu, &info) == 0 && S_ISDIR(info.st_mode)
               ? add_files(store, add_counters, ncu, results, NULL, notes)
               : BENCH_OK;
}

/* ---- printed numbers, expected verdicts ---- */

enum bench_status store_add_printed(struct store *store, const char *folder)
{
    static const char *const none[] = {NULL};
    enum bench_status status = BENCH_OK;
    char **names;
    int n;

    TRY(record_list_sessions(folder, &names, &n));
    for (int i = 0; i < n && !status; i++) {
        struct record_table rows = {0};
        char path[4400];

        snprintf(path, sizeof path, "%s/%s.csv", folder, names[i]);
        status = record_read(path, false, &rows);
        if (!status)
            status = add_rows(store, "printed", path, none, NULL, &rows);
        record_table_free(&rows);
    }
    record_free_names(names, n);
    return status;
}

enum bench_status store_add_expected(struct store *store, const char *path)
{
    struct record_table rows = {0};
    sqlite3_stmt *insert;
    enum bench_status status = BENCH_OK;

    TRY(record_read(path, false, &rows));
    status = store_prepare(store, "INSERT INTO expected VALUES (?, ?, ?)", &insert);
    for (int row = 0; row < rows.n_rows && !status; row++)
        for (int i = 1; i < rows.n_columns && !status; i++) {
            const char *verdict = rows.cell[(size_t)row * (size_t)rows.n_columns + (size_t)i];

            if (!*verdict)
                continue;
            bind_text(insert, 1, record_get(&rows, row, "claim"));
            bind_text(insert, 2, rows.column[i]);
            bind_text(insert, 3, verdict);
            status = store_step(store, insert);
        }
    sqlite3_finalize(insert);
    record_table_free(&rows);
    return status;
}

/* ---- the store ---- */

/* The tables whose columns are those of files: what a session of today has, whatever was measured. */
static enum bench_status make_tables(struct store *store)
{
    struct record_table columns;
    enum bench_status status;

    TRY(execute(store,
                "CREATE TABLE measurement (id INTEGER PRIMARY KEY, configuration INTEGER, "
                "preference TEXT, "
                "results TEXT NOT NULL, keys TEXT, withdrawn TEXT);"
                "CREATE TABLE counter (results TEXT NOT NULL);"
                "CREATE TABLE printed (paper TEXT, figure TEXT, name TEXT, value REAL);"));
    TRY(record_declare(&columns));
    status = add_columns(store, "measurement", &columns);
    record_table_free(&columns);
    return status;
}

enum bench_status store_open(struct store **store)
{
    enum bench_status status;

    *store = calloc(1, sizeof **store);
    if (!*store)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the store of results");
    if (sqlite3_open(":memory:", &(*store)->db) != SQLITE_OK)
        status = failed(*store, "SQLite");
    else
        status = functions_add((*store)->db);
    if (!status)
        status = execute(*store, "PRAGMA temp_store = MEMORY; BEGIN");
    if (!status)
        status = make_tables(*store);
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
    if (store)
        sqlite3_close(store->db);
    free(store);
}

enum bench_status store_complete(struct store *store)
{
    TRY(store_execute(store, index_sql, sizeof index_sql));
    return execute(store, "COMMIT");
}

enum bench_status store_read(const char *const *folders, int n, bool may_be_missing,
                             FILE *notes, struct store **store)
{
    enum bench_status status;

    TRY(store_open(store));
    status = BENCH_OK;
    for (int i = 0; i < n && !status; i++)
        status = may_be_missing && access(folders[i], F_OK) != 0
                     ? add_none(*store, folders[i])
                     : store_add_results(*store, folders[i], notes);
    if (!status)
        status = store_complete(*store);
    if (status) {
        store_close(*store);
        *store = NULL;
    }
    return status;
}

long long store_n_measurements(const struct store *store)
{
    return store->n_measurements;
}

sqlite3 *store_database(struct store *store)
{
    return store->db;
}

enum bench_status store_export(struct store *store, const char *path)
{
    char *target, *name = NULL;
    bool in_place;
    sqlite3 *file = NULL;
    sqlite3_backup *backup = NULL;
    enum bench_status status = BENCH_OK;

    target = text_target(path, &in_place);
    if (!target || asprintf(&name, "%s%s.%ld.new", target[0] == '/' ? "" : "./", target,
                            (long)getpid()) < 0) { /* "file:x" is no path for SQLite */
        free(target);
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a name");
    }
    if (in_place)
        status = BENCH_FAIL(BENCH_EINPUT, "%s: expected the name of a file", path);
    else if (sqlite3_open(name, &file) == SQLITE_OK &&
             sqlite3_exec(file, "PRAGMA journal_mode = OFF", NULL, NULL, NULL) == SQLITE_OK)
        backup = sqlite3_backup_init(file, "main", store->db, "main");
    if (backup)
        sqlite3_backup_step(backup, -1);
    if (!status && (!backup || sqlite3_backup_finish(backup) != SQLITE_OK))
        status = BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", path,
                            file ? sqlite3_errmsg(file) : "out of memory");
    sqlite3_close(file);
    if (!status && rename(name, target) != 0)
        status = BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", path, strerror(errno));
    if (status && !in_place)
        unlink(name);
    free(name);
    free(target);
    return status;
}

/* store_files.c - files of results, printed numbers and expected verdicts, read into the store */
#include "harness/analysis/store_private.h"

#include "harness/record_private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A statement of ours with texts, up to a NULL. */
static enum bench_status put(struct store *store, const char *sql, const char *const *text)
{
    sqlite3_stmt *statement;

    TRY(store_kept(store, sql, &statement));
    for (int i = 0; text[i]; i++)
        store_bind_text(statement, i + 1, text[i]);
    return store_step(store, statement);
}

/* ---- a session ---- */

/* The number of the row of a name behind others, "" where it was never written: a kill came first. */
static enum bench_status find_row(struct store *store, const char *row_id, long long n_before,
                                  char number[24])
{
    sqlite3_stmt *first;
    enum bench_status status;
    bool row;

    TRY(store_kept(store, "SELECT min(id) FROM measurement WHERE row_id = ? AND id > ?",
                   &first));
    store_bind_text(first, 1, row_id);
    sqlite3_bind_int64(first, 2, n_before);
    status = store_row(store, first, &row);
    snprintf(number, 24, "%s",
             sqlite3_column_bytes(first, 0) ? (const char *)sqlite3_column_text(first, 0) : "");
    sqlite3_reset(first);
    return status;
}

static enum bench_status add_values(struct store *store, long long n_before,
                                    const struct record_table *values)
{
    static const char *const columns[] = {"row_id", "name", "index", "value", "unit"};
    const char *field[6] = {NULL}, *last = "";
    char number[24] = "";
    double value;

    for (int row = 0; row < values->n_rows; row++) {
        for (int i = 0; i < 5; i++)
            field[i] = record_get(values, row, columns[i]);
        if (strcmp(last, field[0]) != 0)
            TRY(find_row(store, last = field[0], n_before, number));
        field[0] = number;
        if (!*field[3] || text_to_number(field[3], &value))
            TRY(put(store, "INSERT OR IGNORE INTO value VALUES (?, ?, ?, ?, ?)", field));
    }
    return BENCH_OK;
}

enum bench_status store_add_environment(struct store *store, const char *results,
                                        const char *session, const char *path)
{
    struct text text = {0};
    enum bench_status status = BENCH_OK;

    if (access(path, F_OK) != 0)
        return BENCH_OK;
    TRY(text_read_file(path, &text));
    for (char *save = NULL, *line = strtok_r(text.data, "\r\n", &save); line && !status;
         line = strtok_r(NULL, "\r\n", &save)) {
        char *equals = strchr(line, '=');

        if (!equals)
            continue;
        *equals = '\0';
        status = put(store, "INSERT OR IGNORE INTO environment VALUES (?, ?, ?, ?)",
                     (const char *[]){results, session, line, equals + 1, NULL});
    }
    text_free(&text);
    return status;
}

/* What lies beside a session's rows. */
static enum bench_status add_beside(struct store *store, const char *results,
                                    const struct record_table *rows, long long n_before,
                                    const char *stem)
{
    struct record_table values = {0};
    char path[PATH_MAX];
    enum bench_status status = BENCH_OK;

    snprintf(path, sizeof path, "%s.values.csv", stem);
    if (access(path, F_OK) == 0)
        status = record_read(path, true, &values);
    if (!status)
        status = add_values(store, n_before, &values);
    record_table_free(&values);
    TRY(status);
    snprintf(path, sizeof path, "%s.env.txt", stem);
    return store_add_environment(
        store, results,
        rows->n_rows > 0 ? record_get(rows, 0, "session") : strrchr(stem, '/') + 1, path);
}

static enum bench_status add_session(struct store *store, const struct store_source *from,
                                     const char *path, const char *stem,
                                     const struct record_table *rows)
{
    const long long n_before = store_n_measurements(store);

    if (rows->n_columns == 0)
        return BENCH_OK; /* reserved, or killed before its first row */
    if (record_column(rows, "session") < 0 || record_column(rows, "row_id") < 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s:1: expected the header of a session", path);
    TRY(store_insert(store, from, path, rows));
    return add_beside(store, from->results, rows, n_before, stem);
}

/* ---- files and folders ---- */

static enum bench_status add_file(struct store *store, const struct store_source *from,
                                  const char *folder, const char *name)
{
    struct record_table rows = {0};
    char stem[PATH_MAX - 20], path[PATH_MAX];
    enum bench_status status;

    snprintf(stem, sizeof stem, "%s/%s", folder, name);
    snprintf(path, sizeof path, "%s.csv", stem);
    TRY(record_read(path, from->withdrawn, &rows));
    status = from->withdrawn ? add_session(store, from, path, stem, &rows)
                             : store_insert(store, from, path, &rows);
    record_table_free(&rows);
    return status;
}

enum bench_status store_add_file(struct store *store, const char *table, const char *folder,
                                 const char *name)
{
    return add_file(store, &(struct store_source){.table = table}, folder, name);
}

/* Each file of a folder, all of it or nothing: one of results that cannot be read is named on the notes, and the others are read. */
static enum bench_status add_files(struct store *store, const struct store_source *from,
                                   const char *folder)
{
    char **names;
    int n;
    enum bench_status status = BENCH_OK;

    TRY(record_list_sessions(folder, &names, &n));
    for (int i = 0; i < n && !status; i++) {
        status = store_run(store, "SAVEPOINT file");
        if (!status)
            status = add_file(store, from, folder, names[i]);
        if (from->results && (status == BENCH_EINPUT || status == BENCH_EIO)) {
            if (store->notes)
                fprintf(store->notes, "note: %s; left out\n", bench_failure());
            bench_failure_clear();
            status = store_run(store, "ROLLBACK TO file");
        }
        if (!status)
            status = store_run(store, "RELEASE file");
    }
    record_free_names(names, n);
    return status;
}

/* What a folder is called: the last part of its path, its machine, or all of the path where another folder has that name. */
static enum bench_status name_folder(struct store *store, const char *folder,
                                     char name[PATH_MAX])
{
    static const char *const sql =
        "INSERT OR IGNORE INTO folder (results, path, place) VALUES (?, ?, ?)";
    char place[PATH_MAX];
    const char *slash;

    if (!realpath(folder, place)) /* not there yet */
        snprintf(place, sizeof place, "%s", folder);
    slash = strrchr(place, '/');
    snprintf(name, PATH_MAX, "%s", slash && slash[1] ? slash + 1 : place);
    TRY(put(store, sql, (const char *[]){name, folder, place, NULL}));
    if (sqlite3_changes(store->db) > 0)
        return BENCH_OK;
    snprintf(name, PATH_MAX, "%s", place);
    TRY(put(store, sql, (const char *[]){name, folder, place, NULL}));
    return sqlite3_changes(store->db) > 0
               ? BENCH_OK
               : BENCH_FAIL(BENCH_EINPUT, "%s: the folder is given twice", folder);
}

/* The folder of a session that is given alone: "" names the one where we are. */
static void split(const char *path, char folder[PATH_MAX], char name[PATH_MAX])
{
    const char *const slash = strrchr(path, '/');
    size_t n;

    snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    snprintf(name, PATH_MAX, "%s", slash ? slash + 1 : path);
    n = strlen(name);
    if (n > 4 && !strcmp(name + n - 4, ".csv"))
        name[n - 4] = '\0';
}

enum bench_status store_add_results(struct store *store, const char *path, FILE *notes)
{
    char results[PATH_MAX], folder[PATH_MAX], name[PATH_MAX];
    struct text withdrawn;
    const struct store_source sessions = {"measurement", results, &withdrawn};
    const struct store_source counters = {"counter", results, NULL};
    struct stat info = {0};
    enum bench_status status;

    if (stat(path, &info) != 0 && !store->may_be_missing)
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected a folder with results, found none", path);
    store->notes = notes;
    TRY(name_folder(store, path, results));
    if (S_ISREG(info.st_mode)) {
        split(path, folder, name);
        TRY(record_read_withdrawn(folder, &withdrawn));
        status = add_file(store, &sessions, folder, name);
        text_free(&withdrawn);
        return status;
    }
    TRY(record_read_withdrawn(path, &withdrawn));
    status = add_files(store, &sessions, path);
    text_free(&withdrawn);
    TRY(status);
    snprintf(folder, sizeof folder, "%s/ncu", path);
    return stat(folder, &info) != 0 || S_ISDIR(info.st_mode)
               ? add_files(store, &counters, folder)
               : BENCH_OK;
}

/* ---- printed numbers, expected verdicts ---- */

enum bench_status store_add_printed(struct store *store, const char *folder)
{
    return add_files(store, &(struct store_source){.table = "printed"}, folder);
}

enum bench_status store_add_expected(struct store *store, const char *path)
{
    struct record_table rows = {0};
    enum bench_status status = BENCH_OK;

    TRY(record_read(path, false, &rows));
    for (int row = 0; row < rows.n_rows; row++)
        for (int i = 1; i < rows.n_columns && !status; i++)
            status =
                put(store, "INSERT OR IGNORE INTO expected VALUES (?, ?, ?)",
                    (const char *[]){
                        record_get(&rows, row, "claim"), rows.column[i],
                        rows.cell[(size_t)row * (size_t)rows.n_columns + (size_t)i], NULL});
    record_table_free(&rows);
    return status;
}

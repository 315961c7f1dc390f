/* store_files.c - files of results, printed numbers and expected verdicts, read into the store */
#include "harness/analysis/store_private.h"

#include "harness/analysis/names.h"
#include "harness/record_private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a session ---- */

static enum bench_status add_measurements(struct store *store, const char *path,
                                          const char *results, const struct text *withdrawn,
                                          const struct record_table *rows)
{
    static const char *const more[] = {"id", "results", "keys", "withdrawn", NULL};
    bool *is_key = store_key_columns(rows);
    struct insertion insertion = {0};
    struct text keys = {0};
    enum bench_status status =
        is_key ? insertion_begin(store, "measurement", path, more, rows, &insertion)
               : BENCH_FAIL(BENCH_ENOMEM, "out of memory for rows");

    for (int row = 0; row < rows->n_rows && !status; row++) {
        sqlite3_stmt *const insert = insertion.statement;
        size_t n_why = 0;
        const char *why = record_withdrawn(withdrawn, record_get(rows, row, "session"),
                                           record_get(rows, row, "row_id"), &n_why);

        insertion_bind(&insertion, rows, row);
        keys.size = 0;
        text_add(&keys, "");
        store_keys_of_row(rows, row, is_key, &keys);
        sqlite3_bind_int64(insert, 1, store->n_measurements + row + 1);
        store_bind_text(insert, 2, results);
        store_bind_text(insert, 3, keys.data);
        if (why && n_why > 0)
            sqlite3_bind_text(insert, 4, why, (int)n_why, SQLITE_STATIC);
        else
            store_bind_text(insert, 4, why ? "withdrawn" : NULL);
        status = keys.failed ? text_ok(&keys) : store_step(store, insert);
    }
    insertion_end(&insertion);
    text_free(&keys);
    free(is_key);
    return status;
}

struct row_name {
    const char *id;
    int row;
};

static int by_name(const void *left, const void *right)
{
    const struct row_name *a = left, *b = right;
    const int order = strcmp(a->id, b->id);

    return order ? order : a->row - b->row;
}

/* The names of all rows, sorted, to be freed; NULL: out of memory. */
static struct row_name *sort_names(const struct record_table *rows)
{
    struct row_name *name = calloc((size_t)rows->n_rows + 1, sizeof *name);

    for (int i = 0; i < rows->n_rows && name; i++)
        name[i] = (struct row_name){record_get(rows, i, "row_id"), i};
    if (name)
        qsort(name, (size_t)rows->n_rows, sizeof *name, by_name);
    return name;
}

/* The first row of that name; -1: none. */
static int find_row(const struct row_name *name, int n, const char *row_id)
{
    int low = 0, high = n;

    while (low < high) {
        const int middle = low + (high - low) / 2;

        if (strcmp(name[middle].id, row_id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && !strcmp(name[low].id, row_id) ? name[low].row : -1;
}

static enum bench_status add_values(struct store *store, const struct record_table *rows,
                                    const struct record_table *values)
{
    sqlite3_stmt *insert = NULL;
    struct row_name *names = sort_names(rows);
    enum bench_status status =
        names ? store_prepare(store, "INSERT INTO value VALUES (?, ?, ?, ?, ?)", &insert)
              : BENCH_FAIL(BENCH_ENOMEM, "out of memory for rows");

    for (int i = 0; i < values->n_rows && !status; i++) {
        const char *name = record_get(values, i, "name");
        const int at = find_row(names, rows->n_rows, record_get(values, i, "row_id"));
        double value;

        if (at < 0 || !*name)
            continue; /* its row was never written: a kill came first */
        sqlite3_bind_int64(insert, 1, store->n_measurements + at + 1);
        store_bind_text(insert, 2, name);
        store_bind_field(insert, 3, record_get(values, i, "index"));
        if (record_get_number(values, i, "value", &value))
            sqlite3_bind_double(insert, 4, value);
        else
            sqlite3_bind_null(insert, 4);
        store_bind_text(insert, 5, record_get(values, i, "unit"));
        status = store_step(store, insert);
    }
    sqlite3_finalize(insert);
    free(names);
    return status;
}

enum bench_status store_add_environment(struct store *store, const char *results,
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
        store_bind_text(insert, 1, results);
        store_bind_text(insert, 2, session);
        store_bind_text(insert, 3, line);
        store_bind_text(insert, 4, equals + 1);
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
        status = store_add_environment(
            store, results, rows.n_rows > 0 ? record_get(&rows, 0, "session") : name, path);
    if (!status)
        store->n_measurements += rows.n_rows;
    record_table_free(&rows);
    record_table_free(&values);
    return status;
}

/* ---- a folder of results ---- */

/* A file as rows of a table, of a folder of results if that is not NULL. */
static enum bench_status add_table(struct store *store, const char *table, const char *folder,
                                   const char *name, const char *results)
{
    const char *const more[] = {results ? "results" : NULL, "keys", NULL};
    struct record_table rows = {0};
    struct insertion insertion = {0};
    char path[4400];
    enum bench_status status;

    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    TRY(record_read(path, false, &rows));
    if (results)
        names_check(path, &rows, store->notes);
    status = insertion_begin(store, table, path, more, &rows, &insertion);
    for (int row = 0; row < rows.n_rows && !status; row++) {
        struct text keys = {0};

        insertion_bind(&insertion, &rows, row);
        if (results) {
            status = store_keys(record_get(&rows, row, "impl"),
                                record_get(&rows, row, "params"), &keys);
            store_bind_text(insertion.statement, 1, results);
            store_bind_text(insertion.statement, 2, keys.data);
        }
        if (!status)
            status = store_step(store, insertion.statement);
        text_free(&keys);
    }
    insertion_end(&insertion);
    record_table_free(&rows);
    return status;
}

/* A file that the profiler's script wrote. */
static enum bench_status add_counters(struct store *store, const char *folder,
                                      const char *results, const char *name,
                                      const struct text *withdrawn)
{
    (void)withdrawn;
    return add_table(store, "counter", folder, name, results);
}

enum bench_status store_add_file(struct store *store, const char *table, const char *folder,
                                 const char *name)
{
    return add_table(store, table, folder, name, NULL);
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
        status = store_run(store, "SAVEPOINT file");
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
            status = store_run(store, "ROLLBACK TO file");
        }
        if (!status)
            status = store_run(store, "RELEASE file");
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
    store_bind_text(insert, 1, results);
    store_bind_text(insert, 2, path);
    store_bind_text(insert, 3, place);
    sqlite3_step(insert);
    *is_new = sqlite3_changes(store->db) > 0;
    return sqlite3_finalize(insert) == SQLITE_OK ? BENCH_OK : store_failed(store, "folder");
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

enum bench_status store_add_missing(struct store *store, const char *folder)
{
    char results[PATH_MAX];

    return name_folder(store, folder, results);
}

/* A session alone, as a folder of its own: one that cannot be read is an error. */
static enum bench_status add_file_alone(struct store *store, const char *path)
{
    const char *const slash = strrchr(path, '/');
    char results[PATH_MAX], folder[PATH_MAX], name[PATH_MAX];
    struct text withdrawn;
    enum bench_status status;

    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1,
             slash ? path : ".");
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
    if (strlen(name) > 4 && !strcmp(name + strlen(name) - 4, ".csv"))
        name[strlen(name) - 4] = '\0';
    TRY(name_folder(store, path, results));
    TRY(record_read_withdrawn(folder, &withdrawn));
    status = add_session(store, folder, results, name, &withdrawn);
    text_free(&withdrawn);
    return status;
}

enum bench_status store_add_results(struct store *store, const char *folder, FILE *notes)
{
    struct text withdrawn;
    char results[PATH_MAX], ncu[PATH_MAX + 8];
    struct stat info;
    enum bench_status status;

    if (stat(folder, &info) != 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected a folder with results, found none",
                          folder);
    store->notes = notes;
    if (!S_ISDIR(info.st_mode))
        return add_file_alone(store, folder);
    TRY(name_folder(store, folder, results));
    snprintf(ncu, sizeof ncu, "%s/ncu", folder);
    TRY(record_read_withdrawn(folder, &withdrawn));
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
    enum bench_status status = BENCH_OK;
    char **names;
    int n;

    TRY(record_list_sessions(folder, &names, &n));
    for (int i = 0; i < n && !status; i++)
        status = add_table(store, "printed", folder, names[i], NULL);
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
            store_bind_text(insert, 1, record_get(&rows, row, "claim"));
            store_bind_text(insert, 2, rows.column[i]);
            store_bind_text(insert, 3, verdict);
            status = store_step(store, insert);
        }
    sqlite3_finalize(insert);
    record_table_free(&rows);
    return status;
}

/* draw.c - a figure's data files, by the SQL beside its drawing */
#include "harness/analysis/draw.h"

#include "harness/analysis/functions.h"
#include "harness/analysis/store_private.h"

#include <stdio.h>
#include <string.h>

static enum bench_status failed(sqlite3 *db, const char *where)
{
    return BENCH_FAIL(BENCH_EIO, "%s: %s", where, sqlite3_errmsg(db));
}

static bool ends_with(const char *word, const char *end)
{
    const size_t n = strlen(word), n_end = strlen(end);

    return n > n_end && !strcmp(word + n - n_end, end);
}

/* A query of sqlite3_mprintf(), which is freed. */
static enum bench_status prepare(sqlite3 *db, const char *where, char *sql,
                                 sqlite3_stmt **statement)
{
    const bool done = sql && sqlite3_prepare_v2(db, sql, -1, statement, NULL) == SQLITE_OK;

    sqlite3_free(sql);
    return done ? BENCH_OK : failed(db, where);
}

/* ---- functions ---- */

/* So many decimals that there are three digits or more. */
static void number_text(sqlite3_context *context, int n, sqlite3_value **value)
{
    const double x = sqlite3_value_double(value[0]);
    char text[TEXT_NUMBER];

    (void)n;
    snprintf(text, sizeof text, "%.*f", x >= 100 ? 0 : x >= 10 ? 1 : 2, x);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void time_text(sqlite3_context *context, int n, sqlite3_value **value)
{
    const double ms = sqlite3_value_double(value[0]);
    char text[TEXT_NUMBER];

    (void)n;
    if (ms >= 0.1)
        snprintf(text, sizeof text, "%.*f ms", ms >= 100 ? 0 : ms >= 1 ? 2 : 3, ms);
    else
        snprintf(text, sizeof text, "%.1f µs", 1000 * ms);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static enum bench_status add_functions(sqlite3 *db)
{
    TRY(functions_add(db));
    if (sqlite3_create_function(db, "number_text", 1, SQLITE_UTF8, NULL, number_text, NULL,
                                NULL) != SQLITE_OK ||
        sqlite3_create_function(db, "time_text", 1, SQLITE_UTF8, NULL, time_text, NULL, NULL) !=
            SQLITE_OK)
        return failed(db, "draw");
    return BENCH_OK;
}

/* ---- tables in ---- */

static enum bench_status run_file(sqlite3 *db, const char *path)
{
    struct text sql = {0};
    enum bench_status status = text_read_file(path, &sql);

    if (!status && sqlite3_exec(db, sql.data, NULL, NULL, NULL) != SQLITE_OK)
        status = failed(db, path);
    text_free(&sql);
    return status;
}

/* 'columns' is a query of all columns of the table, each of which has the field of its name or NULL. */
static enum bench_status insert_rows(sqlite3 *db, const char *table, sqlite3_stmt *columns,
                                     const struct record_table *rows)
{
    const int n = sqlite3_column_count(columns);
    struct text marks = {0};
    sqlite3_stmt *insert = NULL;
    enum bench_status status;

    for (int i = 0; i < n; i++)
        text_add(&marks, i ? ", ?" : "?");
    status = text_ok(&marks);
    if (!status)
        status = prepare(db, table,
                         sqlite3_mprintf("INSERT INTO \"%w\" VALUES (%s)", table, marks.data),
                         &insert);
    for (int row = 0; row < rows->n_rows && !status; row++) {
        for (int i = 0; i < n; i++)
            store_bind_text(insert, i + 1,
                            record_get(rows, row, sqlite3_column_name(columns, i)));
        if (sqlite3_step(insert) != SQLITE_DONE)
            status = failed(db, table);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    text_free(&marks);
    return status;
}

/* "TABLE=PATH" */
static enum bench_status fill(sqlite3 *db, const char *word)
{
    const char *path = strchr(word, '=');
    char table[64];
    struct record_table rows;
    sqlite3_stmt *columns = NULL;
    enum bench_status status;

    if (!path || path == word)
        return BENCH_FAIL(BENCH_EINPUT, "draw: '%s': expected FILE.sql or TABLE=FILE.csv",
                          word);
    snprintf(table, sizeof table, "%.*s", (int)(path - word), word);
    if (prepare(db, table, sqlite3_mprintf("SELECT * FROM \"%w\"", table), &columns))
        return BENCH_FAIL(BENCH_EINPUT, "draw: %s: no SQL before it declares a table '%s'",
                          word, table);
    status = record_read(path + 1, false, &rows);
    if (!status) {
        status = insert_rows(db, table, columns, &rows);
        record_table_free(&rows);
    }
    sqlite3_finalize(columns);
    return status;
}

static enum bench_status note_asked(sqlite3 *db, const char *assignment)
{
    const char *value = strchr(assignment, '=');
    sqlite3_stmt *insert;

    if (!value)
        return BENCH_FAIL(BENCH_EINPUT, "-S %s: expected NAME=VALUE", assignment);
    TRY(prepare(db, "asked",
                sqlite3_mprintf("INSERT INTO asked VALUES ('%.*q', %Q)",
                                (int)(value - assignment), assignment, value + 1),
                &insert));
    sqlite3_step(insert);
    return sqlite3_finalize(insert) == SQLITE_OK ? BENCH_OK : failed(db, "asked");
}

/* ---- tables out ---- */

static void add_field(sqlite3_stmt *select, int i, struct text *text)
{
    char number[TEXT_NUMBER];

    switch (sqlite3_column_type(select, i)) {
    case SQLITE_INTEGER:
        text_add(text, (const char *)sqlite3_column_text(select, i));
        return;
    case SQLITE_FLOAT:
        text_number(number, sqlite3_column_double(select, i));
        text_add(text, *number ? number : "NaN");
        return;
    case SQLITE_NULL:
        text_add(text, "NaN");
        return;
    default:
        for (const char *c = (const char *)sqlite3_column_text(select, i); c && *c; c++) {
            const char safe = *c == '"' ? '\'' : (unsigned char)*c < ' ' ? ' ' : *c;

            text_bytes(text, "\\", *c == '\\');
            text_bytes(text, &safe, 1);
        }
    }
}

static enum bench_status write_view(sqlite3 *db, const char *view, const char *folder)
{
    struct text text = {0}, path = {0};
    sqlite3_stmt *select = NULL;
    enum bench_status status =
        prepare(db, view, sqlite3_mprintf("SELECT * FROM \"%w\"", view), &select);
    const int n = sqlite3_column_count(select);
    int step = SQLITE_DONE;

    for (int i = 0; i < n; i++)
        text_format(&text, "%s%s", sqlite3_column_name(select, i), i < n - 1 ? "\t" : "\n");
    while (select && (step = sqlite3_step(select)) == SQLITE_ROW)
        for (int i = 0; i < n; i++) {
            add_field(select, i, &text);
            text_add(&text, i < n - 1 ? "\t" : "\n");
        }
    if (step != SQLITE_DONE)
        status = failed(db, view);
    text_format(&path, "%s/%s.tsv", folder, view + strlen("draw_"));
    if (!status)
        status = text_ok(&path);
    if (!status)
        status = text_replace_file(path.data, &text);
    sqlite3_finalize(select);
    text_free(&text);
    text_free(&path);
    return status;
}

/* What the first row of 'refusal' says, if it has one. */
static enum bench_status refuse(sqlite3 *db)
{
    sqlite3_stmt *select = NULL;
    enum bench_status status =
        prepare(db, "draw", sqlite3_mprintf("SELECT * FROM refusal"), &select);

    if (!status && sqlite3_step(select) == SQLITE_ROW)
        status = BENCH_FAIL(BENCH_EINPUT, "%s", sqlite3_column_text(select, 0));
    if (sqlite3_finalize(select) != SQLITE_OK)
        status = failed(db, "draw");
    return status;
}

static enum bench_status write_views(sqlite3 *db, const char *folder)
{
    sqlite3_stmt *views = NULL;
    enum bench_status status = text_make_folder(folder);

    if (!status)
        status = prepare(db, "draw",
                         sqlite3_mprintf("SELECT name FROM sqlite_master "
                                         "WHERE name LIKE 'draw\\_%%' ESCAPE '\\'"),
                         &views);
    while (!status && sqlite3_step(views) == SQLITE_ROW)
        status = write_view(db, (const char *)sqlite3_column_text(views, 0), folder);
    sqlite3_finalize(views);
    return status;
}

static enum bench_status draw(sqlite3 *db, char *const *word, int n_words,
                              const char *const *asked, int n_asked, const char *folder)
{
    TRY(add_functions(db));
    if (sqlite3_exec(db, "CREATE TABLE asked (name TEXT, value TEXT)", NULL, NULL, NULL) !=
        SQLITE_OK)
        return failed(db, "draw");
    for (int i = 0; i < n_asked; i++)
        TRY(note_asked(db, asked[i]));
    for (int i = 0; i < n_words; i++)
        TRY(ends_with(word[i], ".sql") ? run_file(db, word[i]) : fill(db, word[i]));
    TRY(refuse(db));
    return write_views(db, folder);
}

enum bench_status draw_data(char *const *word, int n_words, const char *const *asked,
                            int n_asked, const char *folder)
{
    sqlite3 *db = NULL;
    enum bench_status status = BENCH_OK;

    if (sqlite3_open(":memory:", &db) != SQLITE_OK)
        status = BENCH_FAIL(BENCH_ENOMEM, "SQLite: cannot open a database in memory");
    if (!status)
        status = draw(db, word, n_words, asked, n_asked, folder);
    sqlite3_close(db);
    return status;
}

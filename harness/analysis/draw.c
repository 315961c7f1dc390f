/* draw.c - a figure's data files, by the SQL beside its drawing */
#include "harness/analysis/draw.h"

#include "harness/analysis/functions.h"
#include "harness/record.h"
#include "harness/text.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
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

static enum bench_status run_file(sqlite3 *db, const char *path)
{
    struct text sql = {0};
    enum bench_status status = text_read_file(path, &sql);

    if (!status && sqlite3_exec(db, sql.data, NULL, NULL, NULL) != SQLITE_OK)
        status = failed(db, path);
    text_free(&sql);
    return status;
}

/* ---- tables in ---- */

static bool has_column(sqlite3 *db, const char *table, const char *column)
{
    return sqlite3_table_column_metadata(db, NULL, table, column, NULL, NULL, NULL, NULL,
                                         NULL) == SQLITE_OK;
}

/* INSERT INTO table (the columns that both have) VALUES (?, ...); *n: how many, 'at': their places in the file. */
static enum bench_status prepare_insert(sqlite3 *db, const char *table,
                                        const struct record_table *rows, int *at, int *n,
                                        sqlite3_stmt **insert)
{
    struct text names = {0}, marks = {0};
    enum bench_status status;

    *n = 0;
    for (int i = 0; i < rows->n_columns; i++) {
        if (!has_column(db, table, rows->column[i]))
            continue;
        text_format(&names, "%s\"%s\"", *n ? ", " : "", rows->column[i]);
        text_add(&marks, *n ? ", ?" : "?");
        at[(*n)++] = i;
    }
    status = text_ok(&names) ? text_ok(&names) : text_ok(&marks);
    if (!status && *n > 0) {
        char *sql = sqlite3_mprintf("INSERT INTO \"%w\" (%s) VALUES (%s)", table, names.data,
                                    marks.data);

        if (!sql || sqlite3_prepare_v2(db, sql, -1, insert, NULL) != SQLITE_OK)
            status = failed(db, table);
        sqlite3_free(sql);
    }
    text_free(&names);
    text_free(&marks);
    return status;
}

/* An empty field is NULL; the declared type of the column says what is a number. */
static enum bench_status insert_rows(sqlite3 *db, const char *table,
                                     const struct record_table *rows)
{
    int *at = malloc(((size_t)rows->n_columns + 1) * sizeof *at);
    sqlite3_stmt *insert = NULL;
    enum bench_status status = at ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "out of memory");
    int n = 0;

    if (!status)
        status = prepare_insert(db, table, rows, at, &n, &insert);
    for (int row = 0; row < rows->n_rows && insert && !status; row++) {
        for (int i = 0; i < n; i++) {
            const char *field =
                rows->cell[(size_t)row * (size_t)rows->n_columns + (size_t)at[i]];

            if (*field)
                sqlite3_bind_text(insert, i + 1, field, -1, SQLITE_STATIC);
            else
                sqlite3_bind_null(insert, i + 1);
        }
        if (sqlite3_step(insert) != SQLITE_DONE)
            status = failed(db, table);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    free(at);
    return status;
}

/* "TABLE=PATH" */
static enum bench_status fill(sqlite3 *db, const char *word)
{
    const char *path = strchr(word, '=');
    char table[64];
    struct record_table rows;
    enum bench_status status;

    if (!path || path == word)
        return BENCH_FAIL(BENCH_EINPUT, "draw: '%s': expected FILE.sql or TABLE=FILE.csv",
                          word);
    snprintf(table, sizeof table, "%.*s", (int)(path - word), word);
    if (!has_column(db, table, NULL))
        return BENCH_FAIL(BENCH_EINPUT, "draw: %s: no SQL declares a table '%s'", word, table);
    TRY(record_read(path + 1, false, &rows));
    status = insert_rows(db, table, &rows);
    record_table_free(&rows);
    return status;
}

static enum bench_status note_asked(sqlite3 *db, const char *assignment)
{
    const char *value = strchr(assignment, '=');
    char *sql;
    enum bench_status status = BENCH_OK;

    if (!value)
        return BENCH_FAIL(BENCH_EINPUT, "-S %s: expected NAME=VALUE", assignment);
    sql = sqlite3_mprintf("INSERT INTO asked VALUES ('%.*q', %Q)", (int)(value - assignment),
                          assignment, value + 1);
    if (!sql || sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        status = failed(db, "asked");
    sqlite3_free(sql);
    return status;
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
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", view);
    sqlite3_stmt *select = NULL;
    enum bench_status status = BENCH_OK;
    int step = SQLITE_ERROR;

    if (sql && sqlite3_prepare_v2(db, sql, -1, &select, NULL) == SQLITE_OK) {
        const int n = sqlite3_column_count(select);

        for (int i = 0; i < n; i++)
            text_format(&text, "%s%s", i ? "\t" : "", sqlite3_column_name(select, i));
        text_add(&text, "\n");
        while ((step = sqlite3_step(select)) == SQLITE_ROW)
            for (int i = 0; i < n; i++) {
                add_field(select, i, &text);
                text_add(&text, i < n - 1 ? "\t" : "\n");
            }
    }
    if (step != SQLITE_DONE)
        status = failed(db, view);
    text_format(&path, "%s/%s.tsv", folder, view + strlen("draw_"));
    if (!status)
        status = text_ok(&path);
    if (!status)
        status = text_replace_file(path.data, &text);
    sqlite3_finalize(select);
    sqlite3_free(sql);
    text_free(&text);
    text_free(&path);
    return status;
}

/* The first text that a query gives, to be freed; NULL: none. */
static enum bench_status first_text(sqlite3 *db, const char *sql, char **found)
{
    sqlite3_stmt *select = NULL;
    int step;

    *found = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &select, NULL) != SQLITE_OK)
        return failed(db, "draw");
    step = sqlite3_step(select);
    if (step == SQLITE_ROW && sqlite3_column_text(select, 0))
        *found = strdup((const char *)sqlite3_column_text(select, 0));
    sqlite3_finalize(select);
    return step == SQLITE_ROW || step == SQLITE_DONE ? BENCH_OK : failed(db, "draw");
}

static enum bench_status refuse(sqlite3 *db)
{
    char *view, *why = NULL;
    enum bench_status status =
        first_text(db, "SELECT name FROM sqlite_master WHERE name = 'refusal'", &view);

    if (view)
        status = first_text(db, "SELECT * FROM refusal", &why);
    if (why)
        status = BENCH_FAIL(BENCH_EINPUT, "%s", why);
    free(view);
    free(why);
    return status;
}

static enum bench_status write_views(sqlite3 *db, const char *folder)
{
    sqlite3_stmt *views = NULL;
    enum bench_status status = text_make_folder(folder);

    if (!status &&
        sqlite3_prepare_v2(db,
                           "SELECT name FROM sqlite_master "
                           "WHERE type = 'view' AND name LIKE 'draw\\_%' ESCAPE '\\'",
                           -1, &views, NULL) != SQLITE_OK)
        status = failed(db, "draw");
    while (!status && sqlite3_step(views) == SQLITE_ROW)
        status = write_view(db, (const char *)sqlite3_column_text(views, 0), folder);
    sqlite3_finalize(views);
    return status;
}

static enum bench_status draw(sqlite3 *db, char *const *word, int n_words,
                              const char *const *asked, int n_asked, const char *folder)
{
    TRY(functions_add(db));
    for (int i = 0; i < n_words; i++)
        if (ends_with(word[i], ".sql"))
            TRY(run_file(db, word[i]));
    for (int i = 0; i < n_words; i++)
        if (!ends_with(word[i], ".sql"))
            TRY(fill(db, word[i]));
    for (int i = 0; i < n_asked; i++)
        TRY(note_asked(db, asked[i]));
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

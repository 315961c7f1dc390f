/* query.c - one statement that reads, from SQLite to a table */
#include "harness/analysis/query.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Nothing but reading, and no function that takes machine code.  SQLite asks for each step of a
 * statement but VACUUM, which sqlite3_stmt_readonly() knows. */
static int may_do(void *unused, int action, const char *first, const char *second,
                  const char *database, const char *trigger)
{
    (void)unused, (void)first, (void)database, (void)trigger;
    return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE ||
                   (action == SQLITE_FUNCTION && second &&
                    strcmp(second, "load_extension") != 0 &&
                    strcmp(second, "fts3_tokenizer") != 0)
               ? SQLITE_OK
               : SQLITE_DENY;
}

static void add_cell(sqlite3_stmt *statement, struct table *table, int column)
{
    const int row = table->n_rows - 1, type = sqlite3_column_type(statement, column);
    const bool is_number = type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    char number[TEXT_NUMBER];
    const char *text = number;

    if (is_number)
        table_cell(table, row, column)->number = sqlite3_column_double(statement, column);
    if (type == SQLITE_FLOAT)
        text_number(number, sqlite3_column_double(statement, column)); /* an infinity is none */
    else
        text = (const char *)sqlite3_column_text(statement, column); /* also of a blob */
    table->failed |= !text && type != SQLITE_NULL;
    table_text(table, row, column, is_number ? TABLE_NUMBER : TABLE_TEXT, text ? text : "");
}

static enum bench_status read_answer(sqlite3 *db, sqlite3_stmt *statement, struct table *table)
{
    const size_t n = (size_t)sqlite3_column_count(statement);
    int capacity = 0, step;

    TRY(table_make(table, (int)n, 0));
    for (int i = 0; i < (int)n; i++)
        table_name(table, i, sqlite3_column_name(statement, i));
    while ((step = sqlite3_step(statement)) == SQLITE_ROW && !table->failed) {
        REFUSE_IF(table->n_rows == QUERY_MAX_ROWS, "expected at most %d rows: add a LIMIT",
                  QUERY_MAX_ROWS);
        if (table->n_rows == capacity) {
            struct table_cell *cell;

            capacity = capacity ? 2 * capacity : 64;
            cell = realloc(table->cell, (size_t)capacity * n * sizeof *cell);
            NEED(cell, "a table");
            table->cell = cell;
        }
        memset(table->cell + (size_t)table->n_rows++ * n, 0, n * sizeof *table->cell);
        for (int i = 0; i < (int)n; i++)
            add_cell(statement, table, i);
    }
    TRY(table_ok(table));
    return step == SQLITE_DONE ? BENCH_OK
                               : BENCH_FAIL(BENCH_EINPUT, "sql: %s", sqlite3_errmsg(db));
}

/* Blanks and comments are no statement. */
static bool has_more(sqlite3 *db, const char *rest)
{
    sqlite3_stmt *statement = NULL;
    const bool more =
        sqlite3_prepare_v2(db, rest, -1, &statement, NULL) != SQLITE_OK || statement;

    sqlite3_finalize(statement);
    return more;
}

enum bench_status query_prepare(struct store *store, const char *sql, sqlite3_stmt **statement)
{
    sqlite3 *const db = store_database(store);
    const char *rest = "";
    enum bench_status status = BENCH_OK;
    int code;

    sqlite3_set_authorizer(db, may_do, NULL);
#ifdef SQLITE_DBCONFIG_DQS_DML /* from 3.29 on "nope" is a column that lacks, and no text */
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, (int *)NULL);
#endif
    code = sqlite3_prepare_v2(db, sql, -1, statement, &rest);
    if (*statement && !sqlite3_stmt_readonly(*statement))
        code = SQLITE_AUTH;
    if (code != SQLITE_OK)
        status = BENCH_FAIL(BENCH_EINPUT, "sql: %s",
                            code == SQLITE_AUTH ? "expected a SELECT: results are only read"
                                                : sqlite3_errmsg(db));
    else if (!*statement)
        status = BENCH_FAIL(BENCH_EINPUT, "sql: expected a SELECT, found nothing");
    else if (has_more(db, rest))
        status = BENCH_FAIL(BENCH_EINPUT, "sql: expected one statement, found more: %.60s",
                            rest + strspn(rest, " \t\r\n"));
    sqlite3_set_authorizer(db, NULL, NULL);
    return status;
}

enum bench_status query_table(struct store *store, const char *sql, struct table *table)
{
    OWNED(store_finalize) sqlite3_stmt *statement = NULL;
    enum bench_status status;

    *table = (struct table){0};
    TRY(query_prepare(store, sql, &statement));
    status = read_answer(store_database(store), statement, table);
    if (status)
        table_free(table);
    return status;
}

static const struct table_cell *field_of(const struct table *table, int row, const char *column)
{
    static const struct table_cell none;

    for (int i = 0; i < table->n_columns; i++)
        if (!strcmp(table->column[i], column))
            return table_cell(table, row, i);
    return &none;
}

const char *query_text(const struct table *table, int row, const char *column)
{
    const char *text = field_of(table, row, column)->text;

    return text ? text : "";
}

double query_number(const struct table *table, int row, const char *column)
{
    return field_of(table, row, column)->number;
}

enum bench_status query_refusal(struct store *store)
{
    OWNED(table_free) struct table why = {0};

    TRY(query_table(store, "SELECT sentence FROM refusal ORDER BY number LIMIT 1", &why));
    REFUSE_IF(why.n_rows, "%s", why.cell->text);
    return BENCH_OK;
}

void query_add(struct text *sql, const char *format, ...)
{
    va_list arguments;
    char *more;

    va_start(arguments, format);
    more = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    sql->failed |= !more;
    text_add(sql, more ? more : "");
    sqlite3_free(more);
}

enum bench_status query_run(struct store *store, struct text *sql)
{
    enum bench_status status = text_ok(sql);

    if (!status)
        status = store_run(store, sql->data ? sql->data : "");
    text_free(sql);
    return status;
}

enum bench_status query_ask(struct store *store, struct text *sql, struct table *answer)
{
    enum bench_status status = text_ok(sql);

    if (!status)
        status = query_table(store, sql->data, answer);
    text_free(sql);
    return status;
}

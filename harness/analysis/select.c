/* select.c - asks the store for what an experiment wants, and reads rows back as they were written */
#include "harness/analysis/select.h"

#include "harness/impl.h"
#include "harness/record_private.h"
#include "harness/text.h"

#include "choose_sql.h"
#include "select_sql.h"

#include <stdlib.h>
#include <string.h>

static enum bench_status out_of_memory(void)
{
    return BENCH_FAIL(BENCH_ENOMEM, "out of memory for choosing rows");
}

/* ---- what is wanted ---- */

static void bind_name(sqlite3_stmt *insert, int at, const char *text)
{
    if (text)
        sqlite3_bind_text(insert, at, text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(insert, at);
}

static void bind_number(sqlite3_stmt *insert, int at, bool is_there, int number)
{
    if (is_there)
        sqlite3_bind_int(insert, at, number);
    else
        sqlite3_bind_null(insert, at);
}

static enum bench_status want(struct store *store, sqlite3_stmt *insert, int id,
                              const struct wanted *wanted)
{
    const struct bench_cell *cell = wanted->cell;
    const struct bench_plan *plan = &cell->plan;
    const bool on_gpu = cell->impl->target == BENCH_CUDA;
    char params[BENCH_MAX_PARAMS * 64];
    struct text keys = {0};
    enum bench_status status;

    bench_params_text(&cell->params, params, sizeof params);
    status = store_keys(cell->impl->name, params, &keys);

    if (!status) {
        const bool as_asked = cell->impl->target == BENCH_OPENMP && plan->threads > 0;

        sqlite3_bind_int(insert, 1, id);
        bind_name(insert, 2, cell->impl->name);
        bind_name(insert, 3, keys.data);
        bind_name(insert, 4, plan->input);
        bind_name(insert, 5, bench_case_name[plan->which]);
        sqlite3_bind_int(insert, 6, plan->batch);
        bind_number(insert, 7, as_asked, plan->threads);
        bind_name(insert, 8, on_gpu ? bench_transfer_name[plan->transfer] : NULL);
        bind_number(insert, 9, plan->sms > 0, plan->sms);
        bind_name(insert, 10, plan->mode);
        bind_name(insert, 11, store_field("scope", wanted->scope));
        bind_name(insert, 12, wanted->series);
        sqlite3_bind_int(insert, 13, plan->laps);
        sqlite3_bind_int(insert, 14, plan->energy);
        status = store_step(store, insert);
    }
    text_free(&keys);
    return status;
}

static enum bench_status want_all(struct store *store, const struct wanted *wanted, int n)
{
    sqlite3_stmt *insert;
    enum bench_status status = BENCH_OK;

    TRY(store_prepare(store,
                      "INSERT INTO wanted VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                      &insert));
    for (int i = 0; i < n && !status; i++)
        status = want(store, insert, i, &wanted[i]);
    sqlite3_finalize(insert);
    return status;
}

/* ---- what is there ---- */

static enum bench_status read_missing(struct store *store, struct selected *selected)
{
    /* of a cell's rows that are no good the newest says why: also one that came to no times */
    static const char *const sql =
        "SELECT w.id, f.path, m.status || ': ' || coalesce(m.reason, ''), "
        "max(coalesce(m.utc, '') || printf('%012d', m.id)) "
        "FROM wanted AS w JOIN folder AS f "
        "LEFT JOIN matching AS a ON a.wanted = w.id AND a.results = f.results "
        "AND a.preference IS NULL AND (a.is_untimed OR a.is_timed_so) "
        "LEFT JOIN measurement AS m ON m.id = a.measurement "
        "WHERE NOT EXISTS (SELECT 1 FROM best WHERE best.wanted = w.id AND best.results = "
        "f.results) "
        "GROUP BY w.id, f.id ORDER BY w.id, f.id";
    sqlite3_stmt *missing;
    bool row;
    enum bench_status status;

    TRY(store_prepare(store, sql, &missing));
    while (!(status = store_row(store, missing, &row)) && row) {
        const char *why = (const char *)sqlite3_column_text(missing, 2);
        struct selected_missing *more =
            realloc(selected->missing, ((size_t)selected->n_missing + 1) * sizeof *more);

        if (!more) {
            status = out_of_memory();
            break;
        }
        selected->missing = more;
        more += selected->n_missing++;
        *more = (struct selected_missing){
            .wanted = sqlite3_column_int(missing, 0),
            .folder = strdup((const char *)sqlite3_column_text(missing, 1)),
            .why = strdup(why ? why : "not measured")};
        if (!more->folder || !more->why) {
            status = out_of_memory();
            break;
        }
        text_clean(more->why, strlen(more->why), ""); /* others wrote it */
    }
    sqlite3_finalize(missing);
    return status;
}

static enum bench_status count(struct store *store, const char *sql, int *n)
{
    sqlite3_stmt *statement;
    enum bench_status status;
    bool row;

    TRY(store_prepare(store, sql, &statement));
    status = store_row(store, statement, &row);
    *n = row ? sqlite3_column_int(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}

enum bench_status select_rows(struct store *store, const struct wanted *wanted, int n,
                              struct selected *selected)
{
    enum bench_status status;

    *selected = (struct selected){0};
    TRY(store_execute(store, select_sql, sizeof select_sql));
    TRY(want_all(store, wanted, n));
    TRY(store_execute(store, choose_sql, sizeof choose_sql));
    status = read_missing(store, selected);
    if (!status)
        status = count(store, "SELECT count(*) FROM selected", &selected->n);
    if (!status)
        status = count(store, "SELECT count(*) FROM folder", &selected->n_folders);
    if (status)
        selected_free(selected);
    return status;
}

void selected_free(struct selected *selected)
{
    for (int i = 0; i < selected->n_missing; i++) {
        free(selected->missing[i].folder);
        free(selected->missing[i].why);
    }
    free(selected->missing);
    *selected = (struct selected){0};
}

/* ---- reading back ---- */

/* The columns of a statement from 'first' on, under the files' names. */
static enum bench_status add_header(sqlite3_stmt *statement, const char *table, int first,
                                    struct record_table *rows)
{
    *rows = (struct record_table){0};
    for (int i = first; i < sqlite3_column_count(statement); i++)
        TRY(record_add_column(rows,
                              store_name_in_file(table, sqlite3_column_name(statement, i))));
    return BENCH_OK;
}

enum bench_status select_header(struct store *store, struct record_table *rows)
{
    sqlite3_stmt *all;

    TRY(store_kept(store, "SELECT * FROM measurement", &all));
    return add_header(all, "measurement", STORE_OWN_COLUMNS, rows);
}

/* A field as its file has it, whose writer prints real numbers with 9 digits. */
static const char *field_of(sqlite3_stmt *row, int at, char number[TEXT_NUMBER])
{
    const char *text;

    if (sqlite3_column_type(row, at) == SQLITE_FLOAT) {
        text_number(number, sqlite3_column_double(row, at));
        return number;
    }
    text = (const char *)sqlite3_column_text(row, at);
    return text ? text : "";
}

/* Add the rows of a statement, from a column on, to a table of as many columns as remain. */
static enum bench_status add_rows(struct store *store, sqlite3_stmt *statement, int first,
                                  struct record_table *table)
{
    const size_t n = (size_t)table->n_columns;
    char(*number)[TEXT_NUMBER] = calloc(n + 1, sizeof *number);
    const char **field = calloc(n + 1, sizeof *field);
    enum bench_status status = number && field ? BENCH_OK : out_of_memory();
    bool row;

    while (!status && !(status = store_row(store, statement, &row)) && row) {
        for (int i = 0; i < table->n_columns; i++)
            field[i] = store_field_in_file(table->column[i],
                                           field_of(statement, first + i, number[i]));
        status = record_add_row(table, field);
    }
    free(number);
    free(field);
    return status;
}

enum bench_status select_row(struct store *store, long long id, struct record_table *rows)
{
    sqlite3_stmt *one;
    enum bench_status status;

    TRY(store_kept(store, "SELECT * FROM measurement WHERE id = ?", &one));
    sqlite3_bind_int64(one, 1, id);
    status = add_rows(store, one, STORE_OWN_COLUMNS, rows);
    sqlite3_reset(one);
    return status;
}

enum bench_status select_table(struct store *store, const char *name, const char *sql,
                               int first, struct record_table *table)
{
    sqlite3_stmt *statement;
    enum bench_status status;

    *table = (struct record_table){0};
    TRY(store_prepare(store, sql, &statement));
    status = add_header(statement, name, first, table);
    if (!status)
        status = add_rows(store, statement, first, table);
    sqlite3_finalize(statement);
    if (status)
        record_table_free(table);
    return status;
}

enum bench_status select_more(struct store *store, sqlite3_stmt *statement, const char *table,
                              struct record_table *rows)
{
    enum bench_status status = BENCH_OK;

    if (rows->n_columns == 0)
        status = add_header(statement, table, 0, rows);
    if (!status)
        status = add_rows(store, statement, 0, rows);
    sqlite3_reset(statement);
    return status;
}

enum bench_status select_processes(struct store *store, long long id,
                                   long long member[RECORD_MAX_RUNS], int *n)
{
    /* a cell that two groups of a descriptor have was measured twice by each process: its later row */
    static const char *const sql =
        "SELECT max(o.id) FROM measurement AS a JOIN good AS o "
        "ON o.results = a.results AND o.configuration = a.configuration AND o.run_group = "
        "a.run_group "
        "AND o.protocol IS a.protocol AND o.plan IS a.plan AND o.input_hash IS a.input_hash "
        "WHERE a.id = ? GROUP BY o.run ORDER BY min(o.id) LIMIT ?";
    sqlite3_stmt *of_group;
    enum bench_status status;
    bool row;

    *n = 0;
    TRY(store_kept(store, sql, &of_group));
    sqlite3_bind_int64(of_group, 1, id);
    sqlite3_bind_int(of_group, 2, RECORD_MAX_RUNS);
    while (!(status = store_row(store, of_group, &row)) && row)
        member[(*n)++] = sqlite3_column_int64(of_group, 0);
    sqlite3_reset(of_group);
    if (!status && *n == 0)
        member[(*n)++] = id;
    return status;
}

/* store_rows.c - from rows of texts to rows of a table: names of columns, kinds of fields, keys and their defaults */
#include "harness/analysis/store_private.h"

#include "harness/analysis/query.h"
#include "harness/analysis/traits.h"
#include "harness/experiment.h"
#include "harness/impl.h"
#include "harness/problem.h"
#include "harness/record_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME 63 /* of a column */

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

/* Texts may look like numbers: hashes, versions, names.  Whole numbers of REAL columns are divided like others. */
static const char *type_of(const char *column)
{
    static const char *const real[] = {"*?_ms", "*?_pct",    "mj_*", "fps",
                                       "watt",  "idle_watt", "value"};
    static const char *const texts =
        "session;row_id;utc;commit_hash;build_hash;compiler;cuda;flags;cpu;gpu;cc;driver;l4t;"
        "params;input_hash;gpu_uuid;output_hash;reason;rails;host;run_group;power_note;printed;"
        "name;figure;keys;kernel;plan;input;results;mode_name;machine;impl;scope;series;stage;"
        "frame_pick;device;transfer;status;verdict;protocol;experiment;problem;section;"
        "governor;binding;reference;stop_reason;unit;place;read;hardware;power_source";

    if (traits_find(texts, column, strlen(column)))
        return "TEXT";
    for (size_t i = 0; i < sizeof real / sizeof *real; i++)
        if (sqlite3_strglob(real[i], column) == 0)
            return "REAL";
    return "";
}

enum bench_status store_declare(struct store *store)
{
    struct record_table columns;
    struct text sql = {0};

    TRY(record_declare(&columns));
    text_add(&sql, "CREATE TABLE measurement (id INTEGER PRIMARY KEY, configuration INTEGER, "
                   "preference TEXT, results TEXT NOT NULL, keys TEXT, withdrawn TEXT");
    for (int i = 0; i < columns.n_columns; i++) {
        const char *name = store_column(columns.column[i]);

        text_format(&sql, ", \"%s\" %s", name, type_of(name));
    }
    text_add(&sql, ")");
    record_table_free(&columns);
    return query_run(store, &sql);
}

bool store_has_column(struct store *store, const char *table, const char *name)
{
    return sqlite3_table_column_metadata(store->db, NULL, table, name, NULL, NULL, NULL, NULL,
                                         NULL) == SQLITE_OK;
}

/* Names of columns become SQL: what is no plain name, is ours, or would be two columns, is no file of ours. */
static enum bench_status check_name(const char *table, const char *path,
                                    const struct record_table *rows, int column)
{
    static const char *const ours[] = {"id",      "configuration", "preference",
                                       "results", "keys",          "withdrawn"};
    const char *const name = column_name(table, rows->column[column]);
    bool is_name =
        *name && strlen(name) <= MAX_NAME && sqlite3_strglob("*[^a-zA-Z0-9_]*", name) != 0;

    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        is_name = is_name && strcasecmp(name, ours[i]) != 0;
    if (!is_name)
        return BENCH_FAIL(BENCH_EINPUT, "%s:1: expected names of columns, found '%.40s'", path,
                          rows->column[column]);
    for (int i = 0; i < column; i++)
        if (!strcasecmp(name, column_name(table, rows->column[i])))
            return BENCH_FAIL(BENCH_EINPUT, "%s:1: columns '%s' and '%s' are one", path,
                              rows->column[i], rows->column[column]);
    return BENCH_OK;
}

static int count_columns(struct store *store, const char *table)
{
    char *sql = sqlite3_mprintf("SELECT * FROM %Q", table);
    sqlite3_stmt *all = NULL;
    int n = 0;

    if (sql && !store_prepare(store, sql, &all))
        n = sqlite3_column_count(all);
    sqlite3_finalize(all);
    sqlite3_free(sql);
    return n;
}

/* A column for each column of 'rows' that the table does not have. */
static enum bench_status add_columns(struct store *store, const char *table, const char *path,
                                     const struct record_table *rows)
{
    struct text sql = {0};
    int n = count_columns(store, table);

    for (int i = 0; i < rows->n_columns; i++)
        n += !store_has_column(store, table, column_name(table, rows->column[i]));
    if (n > STORE_MOST_COLUMNS)
        return BENCH_FAIL(BENCH_EINPUT, "%s:1: expected at most %d columns in all, found %d",
                          path, STORE_MOST_COLUMNS, n);
    for (int i = 0; i < rows->n_columns; i++)
        TRY(check_name(table, path, rows, i));
    text_add(&sql, "");
    for (int i = 0; i < rows->n_columns; i++) {
        const char *name = column_name(table, rows->column[i]);

        if (!store_has_column(store, table, name))
            text_format(&sql, "ALTER TABLE %s ADD COLUMN \"%s\" %s;", table, name,
                        type_of(name));
    }
    return query_run(store, &sql);
}

/* ---- keys ---- */

static void add_item(struct text *list, const char *name, size_t n_name, const char *value,
                     size_t n_value)
{
    text_add(list, list->size ? ";" : "");
    text_bytes(list, name, n_name);
    text_add(list, "=");
    text_bytes(list, value, n_value);
}

/* A number in one way, however it was written. */
static void add_key(struct text *keys, const char *name, size_t n_name, const char *value,
                    size_t n_value)
{
    char text[64] = "", number[TEXT_NUMBER];
    double as_number;

    if (n_value < sizeof text)
        memcpy(text, value, n_value);
    if (!text_to_number(text, &as_number)) {
        add_item(keys, name, n_name, value, n_value);
        return;
    }
    if (fabs(as_number) < 1e15 && as_number == floor(as_number)) /* a seed has all digits */
        snprintf(number, sizeof number, "%.0f", as_number);
    else
        text_number(number, as_number);
    add_item(keys, name, n_name, number, strlen(number));
}

/* What a list of traits has under a name: *n bytes; NULL: nothing. */
static const char *value_in(const char *list, const char *name, size_t n_name, size_t *n)
{
    const char *item = traits_find(list, name, n_name);

    *n = item && item[n_name] == '=' ? strcspn(item + n_name + 1, ";") : 0;
    return *n > 0 ? item + n_name + 1 : NULL;
}

/* First those that the variant has, then whatever else is given. */
enum bench_status store_keys(const char *impl, const char *given, struct text *keys)
{
    const struct bench_key *lists[2] = {NULL, NULL};
    const char *value;
    size_t n;

    text_add(keys, "");
    for (int i = 0; bench_impls[i]; i++)
        if (!strcmp(bench_impls[i]->name, impl)) {
            lists[0] = bench_impls[i]->problem->keys;
            lists[1] = bench_impls[i]->keys;
        }
    for (int i = 0; i < 2; i++)
        for (const struct bench_key *key = lists[i]; key && key->name; key++)
            if ((value = value_in(given, key->name, strlen(key->name), &n)))
                add_key(keys, key->name, strlen(key->name), value, n);
            else if (key->fallback)
                add_key(keys, key->name, strlen(key->name), key->fallback,
                        strlen(key->fallback));
    for (; *given && !keys->failed; given += n + (given[n] == ';')) {
        const size_t n_name = strcspn(given, "=;");

        if (!traits_find(keys->data, given, n_name) &&
            (value = value_in(given, given, n_name, &n)))
            add_key(keys, given, n_name, value, n);
        n = strcspn(given, ";");
    }
    return text_ok(keys);
}

/* ---- names ---- */

/* The column of the first field that should be a name and is none; NULL: all are. */
static const char *wrong_name(const struct record_table *rows, int row)
{
    static const char *const named[] = {"machine", "commit", "host", "impl", "input"};

    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        const char *text = record_get(rows, row, named[i]);

        if (*text && !record_is_name(text))
            return named[i];
    }
    return NULL;
}

/* The sentence of the first row that is left out for its names, and of how many there are. */
static void say_which(const char *path, const struct record_table *rows, int row, int n_wrong,
                      FILE *notes)
{
    const char *const column = wrong_name(rows, row);
    int line = 2 + row; /* where it begins: fields may have lines of their own */

    for (size_t i = 0; i < (size_t)row * (size_t)rows->n_columns; i++)
        for (const char *at = rows->cell[i]; (at = strchr(at, '\n')); at++)
            line++;
    BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s: expected a name, found '%.40s'", path, line, column,
               record_get(rows, row, column));
    fprintf(notes, "note: %s; rows left out: %d\n", bench_failure(), n_wrong);
    bench_failure_clear();
}

/* ---- rows ---- */

/* NULL where it is empty. */
void store_bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    sqlite3_bind_text(statement, at, text && *text ? text : NULL, -1, SQLITE_STATIC);
}

/* So that it is read as it was: 2e+09 as a real number, 2000000000 as a whole one, 007 as a text. */
void store_bind_field(sqlite3_stmt *statement, int at, const char *text)
{
    double number;

    if (!text || !text_to_number(text, &number) ||
        (text[0] == '0' && text[1] >= '0' && text[1] <= '9'))
        store_bind_text(statement, at, text);
    else if (strspn(text, "-0123456789") == strlen(text) && fabs(number) < 9e18)
        sqlite3_bind_int64(statement, at, strtoll(text, NULL, 10));
    else
        sqlite3_bind_double(statement, at, number);
}

/* An INSERT of all columns and, behind them, of those that are in no file. */
static enum bench_status prepare_insert(struct store *store, const struct store_source *from,
                                        const struct record_table *rows, sqlite3_stmt **insert)
{
    const char *own = from->withdrawn ? ", results, keys, withdrawn"
                      : from->results ? ", results, keys"
                                      : "";
    struct text sql = {0};
    enum bench_status status;

    text_format(&sql, "INSERT INTO %s (", from->table);
    for (int i = 0; i < rows->n_columns; i++)
        text_format(&sql, "%s\"%s\"", i ? ", " : "", column_name(from->table, rows->column[i]));
    text_format(&sql, "%s) VALUES (", own);
    for (int i = 0; i < rows->n_columns; i++)
        text_format(
            &sql, "%s%s", i ? ", " : "",
            strcmp(rows->column[i], "scope") != 0 ? "?" : "replace(?, 'frame', 'end_to_end')");
    for (; (own = strchr(own, ',')); own++)
        text_add(&sql, ", ?");
    text_add(&sql, ")");
    status = text_ok(&sql);
    if (!status)
        status = store_prepare(store, sql.data, insert);
    text_free(&sql);
    return status;
}

enum kind { AS_NUMBER, AS_TEXT, AS_KEY };

/* A file on its way into a table. */
struct insertion {
    struct store *store;
    const struct store_source *from;
    const struct record_table *rows;
    enum kind *kind; /* of each column */
    sqlite3_stmt *statement;
};

static enum bench_status insert_row(const struct insertion *in, int row)
{
    const struct record_table *const rows = in->rows;
    const int own = rows->n_columns + 1;
    char *const *const field = rows->cell + (size_t)row * (size_t)rows->n_columns;
    struct text given = {0}, keys = {0};
    size_t n_why = 0;
    const char *why = NULL;
    enum bench_status status;

    text_add(&given, in->from->withdrawn ? "" : record_get(rows, row, "params"));
    sqlite3_clear_bindings(in->statement);
    for (int i = 0; i < rows->n_columns; i++)
        if (!*field[i])
            continue; /* NULL */
        else if (in->kind[i] == AS_TEXT)
            store_bind_text(in->statement, i + 1, field[i]);
        else {
            store_bind_field(in->statement, i + 1, field[i]);
            if (in->kind[i] == AS_KEY)
                add_item(&given, rows->column[i], strlen(rows->column[i]), field[i],
                         strlen(field[i]));
        }
    if (in->from->withdrawn)
        why = record_withdrawn(in->from->withdrawn, record_get(rows, row, "session"),
                               record_get(rows, row, "row_id"), &n_why);
    if (why && n_why == 0)
        n_why = strlen(why = "withdrawn");
    status = text_ok(&given);
    if (!status)
        status = store_keys(record_get(rows, row, "impl"), given.data, &keys);
    if (!status && in->from->results) {
        store_bind_text(in->statement, own, in->from->results);
        store_bind_text(in->statement, own + 1, keys.data);
        sqlite3_bind_text(in->statement, own + 2, why, (int)n_why, SQLITE_STATIC);
    }
    if (!status)
        status = store_step(in->store, in->statement);
    text_free(&given);
    text_free(&keys);
    return status;
}

static enum bench_status insert_rows(const struct insertion *in, const char *path)
{
    enum bench_status status = BENCH_OK;
    int n_wrong = 0, first_wrong = 0;

    for (int row = 0; row < in->rows->n_rows && !status; row++)
        if (!in->from->results || !wrong_name(in->rows, row))
            status = insert_row(in, row);
        else if (n_wrong++ == 0)
            first_wrong = row;
    if (n_wrong > 0 && in->store->notes)
        say_which(path, in->rows, first_wrong, n_wrong, in->store->notes);
    return status;
}

enum bench_status store_insert(struct store *store, const struct store_source *from,
                               const char *path, const struct record_table *rows)
{
    struct insertion in = {.store = store, .from = from, .rows = rows};
    enum bench_status status;

    TRY(add_columns(store, from->table, path, rows));
    TRY(prepare_insert(store, from, rows, &in.statement));
    in.kind = calloc((size_t)rows->n_columns + 1, sizeof *in.kind);
    for (int i = 0; i < rows->n_columns && in.kind; i++)
        in.kind[i] = from->withdrawn && !record_is_fixed(rows->column[i])         ? AS_KEY
                     : *type_of(column_name(from->table, rows->column[i])) == 'T' ? AS_TEXT
                                                                                  : AS_NUMBER;
    status =
        in.kind ? insert_rows(&in, path) : BENCH_FAIL(BENCH_ENOMEM, "out of memory for rows");
    sqlite3_finalize(in.statement);
    free(in.kind);
    return status;
}

/* store_rows.c - from rows of texts to rows of a table: names of columns, kinds of fields, keys and their defaults */
#include "harness/analysis/store_private.h"

#include "harness/experiment.h"
#include "harness/impl.h"
#include "harness/problem.h"
#include "harness/record_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME        63  /* of a column */
#define MAX_NEW_COLUMNS 100 /* keys of other builds that a file may have */

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

static const char *type_of(const char *column)
{
    return is_text(column) ? "TEXT" : is_real(column) ? "REAL" : "";
}

void store_define_columns(const struct record_table *rows, struct text *sql)
{
    for (int i = 0; i < rows->n_columns; i++) {
        const char *name = store_column(rows->column[i]);

        text_format(sql, ", \"%s\" %s", name, type_of(name));
    }
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

    for (int i = 0; i < rows->n_columns; i++)
        n_new += !store_has_column(store, table, column_name(table, rows->column[i]));
    if (n_new > MAX_NEW_COLUMNS)
        return BENCH_FAIL(BENCH_EINPUT, "%s:1: expected at most %d unknown columns, found %d",
                          path, MAX_NEW_COLUMNS, n_new);
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
    }
    return BENCH_OK;
}

/* A column for each column of 'rows' that the table does not have. */
static enum bench_status add_columns(struct store *store, const char *table,
                                     const struct record_table *rows)
{
    enum bench_status status = BENCH_OK;

    for (int i = 0; i < rows->n_columns && !status; i++) {
        const char *name = column_name(table, rows->column[i]);
        struct text sql = {0};

        if (store_has_column(store, table, name))
            continue;
        text_format(&sql, "ALTER TABLE %s ADD COLUMN \"%s\" %s", table, name, type_of(name));
        status = text_ok(&sql);
        if (!status)
            status = store_run(store, sql.data);
        text_free(&sql);
    }
    return status;
}

/* ---- rows ---- */

void store_bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    if (text && *text)
        sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(statement, at);
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

/* INSERT INTO table (more..., columns of 'rows') VALUES (?, ...). */
static void write_insert(const char *table, const char *const *more,
                         const struct record_table *rows, struct text *sql)
{
    int n = 0;

    text_format(sql, "INSERT INTO \"%s\" (", table);
    for (; more[n]; n++)
        text_format(sql, "%s\"%s\"", n ? ", " : "", more[n]);
    for (int i = 0; i < rows->n_columns; i++)
        text_format(sql, "%s\"%s\"", n++ ? ", " : "", column_name(table, rows->column[i]));
    text_add(sql, ") VALUES (");
    for (int i = 0; i < n; i++)
        text_add(sql, i ? ", ?" : "?");
    text_add(sql, ")");
}

enum { AS_NUMBER, AS_TEXT, AS_SCOPE };

enum bench_status insertion_begin(struct store *store, const char *table, const char *path,
                                  const char *const *more, const struct record_table *rows,
                                  struct insertion *insertion)
{
    struct text sql = {0};
    enum bench_status status;

    *insertion = (struct insertion){0};
    TRY(check_header(store, table, path, rows));
    TRY(add_columns(store, table, rows));
    while (more[insertion->n_more])
        insertion->n_more++;
    write_insert(table, more, rows, &sql);
    insertion->kind = calloc((size_t)rows->n_columns + 1, 1);
    status =
        insertion->kind ? text_ok(&sql) : BENCH_FAIL(BENCH_ENOMEM, "out of memory for columns");
    if (!status)
        status = store_prepare(store, sql.data, &insertion->statement);
    text_free(&sql);
    for (int i = 0; i < rows->n_columns && !status; i++) {
        const char *column = column_name(table, rows->column[i]);

        insertion->kind[i] = !strcmp(column, "scope") ? AS_SCOPE
                             : is_text(column)        ? AS_TEXT
                                                      : AS_NUMBER;
    }
    if (status)
        insertion_end(insertion);
    return status;
}

void insertion_end(struct insertion *insertion)
{
    sqlite3_finalize(insertion->statement);
    free(insertion->kind);
    *insertion = (struct insertion){0};
}

void insertion_bind(struct insertion *insertion, const struct record_table *rows, int row)
{
    char *const *field = rows->cell + (size_t)row * (size_t)rows->n_columns;

    sqlite3_clear_bindings(insertion->statement);
    for (int i = 0; i < rows->n_columns; i++) {
        const int at = insertion->n_more + i + 1;

        if (!*field[i])
            continue; /* NULL */
        if (insertion->kind[i] == AS_NUMBER)
            store_bind_field(insertion->statement, at, field[i]);
        else
            store_bind_text(insertion->statement, at,
                            insertion->kind[i] == AS_SCOPE ? store_field("scope", field[i])
                                                           : field[i]);
    }
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

void store_keys_of_row(const struct record_table *rows, int row, const bool *is_key,
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
bool *store_key_columns(const struct record_table *rows)
{
    bool *is_key = calloc((size_t)rows->n_columns + 1, sizeof *is_key);

    for (int i = 0; i < rows->n_columns && is_key; i++)
        is_key[i] = !record_is_fixed(rows->column[i]);
    return is_key;
}

enum bench_status store_keys(const char *impl, const char *params, struct text *keys)
{
    char *copy = strdup(params), *rest = copy;
    const char *field[BENCH_MAX_PARAMS + 1] = {impl};
    struct record_table row = {0};
    bool *is_key = NULL;
    enum bench_status status = copy ? record_add_column(&row, "impl")
                                    : BENCH_FAIL(BENCH_ENOMEM, "out of memory for keys");

    while (!status && rest && *rest && row.n_columns <= BENCH_MAX_PARAMS) {
        const char *const key = strsep(&rest, ";");
        char *const equals = strchr(key, '=');

        field[row.n_columns] = equals ? equals + 1 : "";
        if (equals)
            *equals = '\0';
        status = record_add_column(&row, key);
    }
    if (!status)
        status = record_add_row(&row, field);
    if (!status) {
        is_key = store_key_columns(&row);
        status = is_key ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "out of memory for keys");
    }
    if (!status) {
        store_keys_of_row(&row, 0, is_key, keys);
        status = text_ok(keys);
    }
    record_table_free(&row);
    free(is_key);
    free(copy);
    return status;
}

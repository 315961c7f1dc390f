/* draw.c - a figure's data files, by the SQL beside its drawing */
#include "harness/analysis/draw.h"

#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "harness/analysis/store.h"

#include <stdlib.h>
#include <string.h>

/* A database of its own, since that of the store is only read. */
struct figure {
    sqlite3 *db;
    struct store *store;
    FILE *notes;
    int n_experiments;
};

static enum bench_status failed(const struct figure *f, const char *where)
{
    return BENCH_FAIL(BENCH_EIO, "%s: %s", where, sqlite3_errmsg(f->db));
}

static enum bench_status run(const struct figure *f, const char *where, struct text *sql)
{
    enum bench_status status = text_ok(sql);

    if (!status && sqlite3_exec(f->db, sql->data, NULL, NULL, NULL) != SQLITE_OK)
        status = failed(f, where);
    text_free(sql);
    return status;
}

/* ---- functions ---- */

static void answer(sqlite3_context *context, const char *unit, int digits, double x)
{
    char text[TEXT_NUMBER + 8];

    snprintf(text, sizeof text, "%.*f%s", digits, x, unit);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* So many decimals that there are three digits or more. */
static void number_text(sqlite3_context *context, int n, sqlite3_value **value)
{
    const double x = sqlite3_value_double(value[0]);

    (void)n;
    answer(context, "", x >= 100 ? 0 : x >= 10 ? 1 : 2, x);
}

static void time_text(sqlite3_context *context, int n, sqlite3_value **value)
{
    const double ms = sqlite3_value_double(value[0]);

    (void)n;
    if (ms >= 0.1)
        answer(context, " ms", ms >= 100 ? 0 : ms >= 1 ? 2 : 3, ms);
    else
        answer(context, " µs", 1, 1000 * ms);
}

/* ---- tables in ---- */

/* Add rows to a table that has some of their columns, under the files' names. */
static enum bench_status insert(const struct figure *f, const char *name,
                                const struct table *rows)
{
    struct text sql = {0}, marks = {0};
    sqlite3_stmt *to = NULL;
    int place[512], n = 0;
    enum bench_status status;

    query_add(&sql, "INSERT INTO \"%w\"", name);
    for (int i = 0; i < rows->n_columns && n < 512; i++) {
        const char *column = store_name_in_file(name, rows->column[i]);

        if (sqlite3_table_column_metadata(f->db, NULL, name, column, NULL, NULL, NULL, NULL,
                                          NULL) == SQLITE_OK) {
            query_add(&sql, n ? ", \"%w\"" : " (\"%w\"", column);
            text_add(&marks, n ? ", ?" : "?");
            place[n++] = i;
        }
    }
    text_format(&sql, ") VALUES (%s)", n ? marks.data : "");
    status = n ? text_ok(&sql)
               : BENCH_FAIL(BENCH_EINPUT, "draw: no SQL before it declares a table '%s'", name);
    if (!status && sqlite3_prepare_v2(f->db, sql.data, -1, &to, NULL) != SQLITE_OK)
        status = failed(f, name);
    for (int row = 0; row < rows->n_rows && !status; row++) {
        for (int i = 0; i < n; i++)
            store_bind_text(to, i + 1, table_cell(rows, row, place[i])->text);
        if (sqlite3_step(to) != SQLITE_DONE)
            status = failed(f, name);
        sqlite3_reset(to);
    }
    sqlite3_finalize(to);
    text_free(&sql);
    text_free(&marks);
    return status;
}

/* Add what the store answers; %Q in the question is 'word'. */
static enum bench_status copy(const struct figure *f, const char *name, const char *question,
                              const char *word)
{
    struct text sql = {0};
    struct table rows;
    enum bench_status status;

    query_add(&sql, question, word, word);
    TRY(query_ask(f->store, &sql, &rows));
    status = insert(f, name, &rows);
    table_free(&rows);
    return status;
}

/* "TABLE=PATH.csv" */
static enum bench_status add_file(const struct figure *f, const char *word)
{
    const int n_table = (int)strcspn(word, "=");
    const char *path = word + n_table + 1;
    char table[64], name[4400];

    snprintf(table, sizeof table, "%.*s", n_table, word);
    snprintf(name, sizeof name, "%.*s", (int)(strlen(path) - strlen(".csv")), path);
    TRY(store_run(f->store, "DROP TABLE IF EXISTS drawn_file;"
                            "CREATE TEMP TABLE drawn_file (number INTEGER PRIMARY KEY)"));
    TRY(store_add_file(f->store, "drawn_file", *name == '/' ? "" : ".", name));
    return copy(f, table, "SELECT * FROM drawn_file ORDER BY number", "");
}

static enum bench_status copy_experiment(struct figure *f, const struct bench_experiment *e)
{
    static const struct {
        const char *table, *sql;
    } answers[] = {
        {"missing", "SELECT * FROM missing ORDER BY id"},
        {"value",
         "SELECT m.*, v.name, v.idx AS \"index\", v.value FROM (SELECT min(place) AS place, "
         "measurement, valued FROM selected WHERE valued IS NOT NULL GROUP BY valued) AS s "
         "JOIN measurement AS m ON m.id = s.measurement JOIN value AS v ON v.measurement = "
         "s.valued ORDER BY s.place, v.rowid"},
        {"fit",
         "SELECT m.*, power_fit(x, y, 1) AS exponent, power_fit(x, y, 2) AS exponent_lo, "
         "power_fit(x, y, 3) AS exponent_hi, power_fit(x, y, 4) AS exponent_last "
         "FROM fit_point AS p JOIN selected AS s ON s.place = p.id "
         "JOIN measurement AS m ON m.id = s.measurement WHERE p.word = 'fit' GROUP BY p.text "
         "HAVING power_fit(x, y, 0) IS NOT NULL ORDER BY min(p.id)"},
        /* of the first alone */
        {"printed", "SELECT * FROM printed WHERE %Q LIKE paper || '/%%'"},
        {"counter", "SELECT * FROM counter WHERE experiment = %Q AND utc = (SELECT max(utc) "
                    "FROM counter WHERE experiment = %Q)"},
    };
    struct table rows;
    enum bench_status status;

    TRY(show_rows(e, f->store, &rows));
    status = insert(f, "shown", &rows);
    table_free(&rows);
    for (int i = 0; i < (f->n_experiments > 0 ? 3 : 5) && !status; i++)
        status = copy(f, answers[i].table, answers[i].sql, e->name);
    f->n_experiments++;
    return status;
}

static enum bench_status add_experiment(struct figure *f, const char *path)
{
    const struct bench_overrides overrides = {.with_absent = true};
    struct bench_experiment e;
    enum bench_status status;

    TRY(experiment_read(path, &overrides, &e));
    status = copy_experiment(f, &e);
    experiment_free(&e);
    return status;
}

static enum bench_status add_word(struct figure *f, const char *word)
{
    const char *const end = strrchr(word, '.');
    struct text sql = {0};

    if (end && !strcmp(end, ".sql")) {
        TRY(text_read_file(word, &sql));
        return run(f, word, &sql);
    }
    if (end && !strcmp(end, ".ini"))
        return add_experiment(f, word);
    if (end && !strcmp(end, ".csv") && strchr(word, '='))
        return add_file(f, word);
    return BENCH_FAIL(BENCH_EINPUT,
                      "draw: '%s': expected FILE.sql, EXPERIMENT.ini or TABLE=FILE.csv", word);
}

static enum bench_status note_asked(const struct figure *f, const char *assignment)
{
    const char *value = strchr(assignment, '=');
    struct text sql = {0};

    if (!value)
        return BENCH_FAIL(BENCH_EINPUT, "-S %s: expected NAME=VALUE", assignment);
    query_add(&sql, "INSERT INTO asked VALUES ('%.*q', %Q)", (int)(value - assignment),
              assignment, value + 1);
    return run(f, "asked", &sql);
}

/* ---- tables out ---- */

static void add_field(const char *field, struct text *text)
{
    for (const char *c = field ? field : "NaN"; *c; c++) {
        const char safe = *c == '"' ? '\'' : (unsigned char)*c < ' ' ? ' ' : *c;

        text_bytes(text, "\\", *c == '\\');
        text_bytes(text, &safe, 1);
    }
}

static enum bench_status write_view(const struct figure *f, const char *view,
                                    const char *folder)
{
    struct text text = {0}, path = {0};
    sqlite3_stmt *select = NULL;
    enum bench_status status = BENCH_OK;
    int step = SQLITE_DONE, n;

    query_add(&path, "SELECT * FROM \"%w\"", view);
    if (path.failed || sqlite3_prepare_v2(f->db, path.data, -1, &select, NULL) != SQLITE_OK)
        status = failed(f, view);
    text_free(&path);
    n = sqlite3_column_count(select);
    for (int i = 0; i < n; i++)
        text_format(&text, "%s%s", sqlite3_column_name(select, i), i < n - 1 ? "\t" : "\n");
    while (select && (step = sqlite3_step(select)) == SQLITE_ROW)
        for (int i = 0; i < n; i++) {
            add_field((const char *)sqlite3_column_text(select, i), &text);
            text_add(&text, i < n - 1 ? "\t" : "\n");
        }
    if (step != SQLITE_DONE)
        status = failed(f, view);
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

/* For sqlite3_exec(), rows of one text. */
static int remark(void *notes, int n, char **text, char **column)
{
    (void)n;
    (void)column;
    text_clean(*text, strlen(*text), ""); /* what others wrote commands the terminal nothing */
    return fprintf(notes, "%s\n", *text) < 0;
}

static int refuse(void *status, int n, char **why, char **column)
{
    (void)n;
    (void)column;
    *(enum bench_status *)status = BENCH_FAIL(BENCH_EINPUT, "%s", *why);
    return 1;
}

static enum bench_status write_views(const struct figure *f, const char *folder)
{
    static const char *const sql = "SELECT name FROM sqlite_master "
                                   "WHERE name LIKE 'draw\\_%' ESCAPE '\\'";
    sqlite3_stmt *views = NULL;
    enum bench_status status = text_make_folder(folder);

    if (!status && sqlite3_prepare_v2(f->db, sql, -1, &views, NULL) != SQLITE_OK)
        status = failed(f, "draw");
    while (!status && sqlite3_step(views) == SQLITE_ROW)
        status = write_view(f, (const char *)sqlite3_column_text(views, 0), folder);
    sqlite3_finalize(views);
    return status;
}

static enum bench_status draw(struct figure *f, char *const *word, int n_words,
                              const char *const *asked, int n_asked, const char *folder)
{
    struct text sql = {0};
    enum bench_status status = BENCH_OK;

    TRY(functions_add(f->db));
    sqlite3_create_function(f->db, "number_text", 1, SQLITE_UTF8, NULL, number_text, NULL,
                            NULL);
    sqlite3_create_function(f->db, "time_text", 1, SQLITE_UTF8, NULL, time_text, NULL, NULL);
    text_add(&sql, "CREATE TABLE asked (name TEXT, value TEXT);"
                   "CREATE TABLE known (place INTEGER PRIMARY KEY, impl TEXT);");
    for (int i = 0; bench_impls[i]; i++)
        query_add(&sql, "INSERT INTO known (impl) VALUES (%Q);", bench_impls[i]->name);
    TRY(run(f, "draw", &sql));
    for (int i = 0; i < n_asked; i++)
        TRY(note_asked(f, asked[i]));
    for (int i = 0; i < n_words; i++)
        TRY(add_word(f, word[i]));
    if (f->notes && sqlite3_exec(f->db, "SELECT * FROM remark", remark, f->notes, NULL))
        return failed(f, "draw");
    if (sqlite3_exec(f->db, "SELECT * FROM refusal LIMIT 1", refuse, &status, NULL) && !status)
        return failed(f, "draw");
    return status ? status : write_views(f, folder);
}

enum bench_status draw_data(struct store *store, char *const *word, int n_words,
                            const char *const *asked, int n_asked, const char *folder,
                            FILE *notes)
{
    struct figure f = {.store = store, .notes = notes};
    enum bench_status status = BENCH_OK;

    if (sqlite3_open(":memory:", &f.db) != SQLITE_OK)
        status = BENCH_FAIL(BENCH_ENOMEM, "SQLite: cannot open a database in memory");
    if (!status)
        status = draw(&f, word, n_words, asked, n_asked, folder);
    sqlite3_close(f.db);
    return status;
}

/* draw.c - a figure's data files, by the SQL beside its drawing */
#include "harness/analysis/draw.h"

#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "harness/analysis/store.h"

#include <stdlib.h>
#include <string.h>

/* A database of its own, since that of the store is only read. */
struct figure {
    struct store *own, *store;
    int n_experiments;
};

static enum bench_status failed(const struct figure *f, const char *where)
{
    return BENCH_FAIL(BENCH_EIO, "%s: %s", where, sqlite3_errmsg(store_database(f->own)));
}

/* number_text(x): so many decimals that there are three digits or more; time_text(ms): with a
 * unit, for which there is user data. */
static void number_text(sqlite3_context *context, int n, sqlite3_value **value)
{
    const double x = sqlite3_value_double(*value);
    const bool is_time = sqlite3_user_data(context) != NULL, is_short = is_time && x < 0.1;
    const int digits = x >= 100   ? 0
                       : is_short ? 1
                       : is_time  ? (x >= 1 ? 2 : 3)
                       : x >= 10  ? 1
                                  : 2;
    const char *const unit = is_short ? " µs" : is_time ? " ms" : "";
    char text[TEXT_NUMBER + 8];

    (void)n;
    snprintf(text, sizeof text, "%.*f%s", digits, is_short ? 1000 * x : x, unit);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* ---- tables in ---- */

/* Add rows to a table that has some of their columns, under the files' names. */
static enum bench_status insert(struct figure *f, const char *name, const struct table *rows)
{
    struct text sql = {0}, marks = {0};
    sqlite3_stmt *to = NULL;
    int place[STORE_MOST_COLUMNS], n = 0;
    enum bench_status status;

    query_add(&sql, "INSERT INTO \"%w\" (", name);
    for (int i = 0; i < rows->n_columns && n < STORE_MOST_COLUMNS; i++) {
        const char *column = rows->column[i];

        if (!store_has_column(f->own, name, column))
            continue;
        query_add(&sql, n ? ", \"%w\"" : "\"%w\"", column);
        text_add(&marks, n ? ", ?" : "?");
        place[n++] = i;
    }
    text_format(&sql, ") VALUES (%s)", n ? marks.data : "");
    status = n ? text_ok(&sql)
               : BENCH_FAIL(BENCH_EINPUT, "draw: no SQL before it declares a table '%s'", name);
    if (!status)
        status = store_prepare(f->own, sql.data, &to);
    for (int row = 0; row < rows->n_rows && !status; row++) {
        for (int i = 0; i < n; i++)
            store_bind_text(to, i + 1, table_cell(rows, row, place[i])->text);
        status = store_step(f->own, to);
    }
    sqlite3_finalize(to);
    text_free(&sql);
    text_free(&marks);
    return status;
}

/* Add what the store answers; %Q in the question is 'word'. */
static enum bench_status copy(struct figure *f, const char *name, const char *question,
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
static enum bench_status add_file(struct figure *f, const char *word)
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

static enum bench_status add_experiment(struct figure *f, const char *path)
{
    static const struct {
        const char *table, *sql;
        bool of_first; /* of several experiments of a figure */
    } answers[] = {
        {.table = "missing", .sql = "SELECT * FROM missing ORDER BY id"},
        {.table = "dropped",
         .sql = "SELECT m.* FROM (SELECT DISTINCT measurement FROM fitting) AS w "
                "JOIN measurement AS m ON m.id = w.measurement WHERE m.status = 'wrong' "
                "ORDER BY m.id"},
        {.table = "value",
         .sql =
             "SELECT m.*, v.name, v.idx AS \"index\", v.value FROM (SELECT min(at) AS "
             "place, "
             "measurement, valued FROM selected WHERE valued IS NOT NULL GROUP BY valued) AS s "
             "JOIN measurement AS m ON m.id = s.measurement JOIN value AS v ON v.measurement = "
             "s.valued ORDER BY s.place, v.rowid"},
        {.table = "latency",
         .sql = "SELECT m.*, l.ms, l.n_longer, l.n_all FROM selected AS s "
                "JOIN measurement AS m ON m.id = s.measurement JOIN latency AS l ON "
                "l.measurement = m.id "
                "WHERE m.stream_rate IS NOT NULL ORDER BY s.at, l.ms"},
        {.table = "printed",
         .sql = "SELECT * FROM printed WHERE %Q LIKE paper || '/%%'",
         .of_first = true},
        {.table = "counter",
         .sql = "SELECT * FROM counter AS k WHERE experiment = %Q AND utc = (SELECT max(utc) "
                "FROM counter AS n WHERE n.experiment = k.experiment AND n.impl = k.impl "
                "AND n.keys IS k.keys AND n.input IS k.input) ORDER BY rowid",
         .of_first = true},
    };
    const struct bench_overrides overrides = {.with_absent = true};
    struct bench_experiment e;
    struct table rows;
    enum bench_status status;

    TRY(experiment_read(path, &overrides, &e));
    status = show_rows(&e, f->store, &rows);
    if (!status)
        status = insert(f, "shown", &rows);
    table_free(&rows);
    for (size_t i = 0; i < sizeof answers / sizeof *answers && !status; i++)
        if (!answers[i].of_first || f->n_experiments == 0)
            status = copy(f, answers[i].table, answers[i].sql, e.name);
    f->n_experiments++;
    experiment_free(&e);
    return status;
}

static enum bench_status add_word(struct figure *f, const char *word)
{
    const char *const end = strrchr(word, '.');
    struct text sql = {0};

    if (end && !strcmp(end, ".sql")) {
        TRY(text_read_file(word, &sql));
        return query_run(f->own, &sql) ? failed(f, word) : BENCH_OK;
    }
    if (end && !strcmp(end, ".ini"))
        return add_experiment(f, word);
    if (end && !strcmp(end, ".csv") && strchr(word, '='))
        return add_file(f, word);
    return BENCH_FAIL(BENCH_EINPUT,
                      "draw: '%s': expected FILE.sql, EXPERIMENT.ini or TABLE=FILE.csv", word);
}

/* ---- tables out ---- */

static enum bench_status ask(struct figure *f, const char *columns, const char *view,
                             struct table *answer)
{
    struct text sql = {0};

    query_add(&sql, "SELECT %s FROM \"%w\"", columns, view);
    return query_ask(f->own, &sql, answer) ? failed(f, view) : BENCH_OK;
}

static enum bench_status write_view(struct figure *f, const char *view, const char *folder)
{
    struct text text = {0}, path = {0};
    struct table rows;
    enum bench_status status;

    TRY(ask(f, "*", view, &rows));
    for (int i = 0; i < rows.n_columns; i++)
        text_format(&text, "%s%s", i ? "\t" : "", rows.column[i]);
    for (int i = 0; i < rows.n_rows * rows.n_columns; i++) {
        const char *field = rows.cell[i].text ? rows.cell[i].text : "NaN";

        text_add(&text, i % rows.n_columns ? "\t" : "\n");
        for (; *field; field++) {
            text_bytes(&text, "\\", *field == '\\');
            text_bytes(&text,
                       *field == '"'                 ? "'"
                       : (unsigned char)*field < ' ' ? " "
                                                     : field,
                       1);
        }
    }
    text_add(&text, "\n");
    text_format(&path, "%s/%s.tsv", folder, view + strlen("draw_"));
    status = text_ok(&path);
    if (!status)
        status = text_replace_file(path.data, &text);
    text_free(&text);
    text_free(&path);
    table_free(&rows);
    return status;
}

static enum bench_status write_views(struct figure *f, const char *folder, FILE *notes)
{
    struct table remarks, refusals, views;
    enum bench_status status;

    TRY(ask(f, "*", "remark", &remarks));
    for (int i = 0; i < remarks.n_rows && notes; i++) {
        char *const said = remarks.cell[i].text;

        text_clean(said, strlen(said),
                   ""); /* what others wrote commands the terminal nothing */
        fprintf(notes, "%s\n", said);
    }
    table_free(&remarks);
    TRY(ask(f, "*", "refusal", &refusals));
    status = refusals.n_rows ? BENCH_FAIL(BENCH_EINPUT, "%s", refusals.cell->text)
                             : text_make_folder(folder);
    table_free(&refusals);
    if (status)
        return status;
    TRY(ask(f, "name", "sqlite_master", &views));
    for (int i = 0; i < views.n_rows && !status; i++)
        if (!strncmp(views.cell[i].text, "draw_", 5))
            status = write_view(f, views.cell[i].text, folder);
    table_free(&views);
    return status;
}

static enum bench_status add_words(struct figure *f, char *const *word, int n_words,
                                   const char *const *asked, int n_asked)
{
    sqlite3 *const db = store_database(f->own);
    struct text sql = {0};

    sqlite3_create_function(db, "number_text", 1, SQLITE_UTF8, NULL, number_text, NULL, NULL);
    sqlite3_create_function(db, "time_text", 1, SQLITE_UTF8, f, number_text, NULL, NULL);
    text_add(&sql, "CREATE TABLE asked (name TEXT, value TEXT);"
                   "CREATE TABLE known (place INTEGER PRIMARY KEY, impl TEXT, needs TEXT);");
    for (int i = 0; bench_impls[i]; i++)
        query_add(&sql, "INSERT INTO known (impl, needs) VALUES (%Q, %Q);",
                  bench_impls[i]->name, bench_impls[i]->needs);
    for (int i = 0; i < n_asked; i++) {
        const int n_name = (int)strcspn(asked[i], "=");

        if (!asked[i][n_name]) {
            text_free(&sql);
            return BENCH_FAIL(BENCH_EINPUT, "-S %s: expected NAME=VALUE", asked[i]);
        }
        query_add(&sql, "INSERT INTO asked VALUES ('%.*q', %Q);", n_name, asked[i],
                  asked[i] + n_name + 1);
    }
    TRY(query_run(f->own, &sql));
    for (int i = 0; i < n_words; i++)
        TRY(add_word(f, word[i]));
    return BENCH_OK;
}

enum bench_status draw_data(struct store *store, char *const *word, int n_words,
                            const char *const *asked, int n_asked, const char *folder,
                            FILE *notes)
{
    struct figure f = {.store = store};
    enum bench_status status;

    TRY(store_open_empty(&f.own));
    status = add_words(&f, word, n_words, asked, n_asked);
    if (!status)
        status = write_views(&f, folder, notes);
    store_close(f.own);
    return status;
}

/* draw.c - a figure's data files, by the SQL beside its drawing */
#include "harness/analysis/draw.h"

#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "harness/analysis/store.h"

#include "draw_sql.h"

#include <string.h>

#define MAX_EXPERIMENTS 32 /* of a figure */

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

static enum bench_status failed(struct store *store, const char *where)
{
    return BENCH_FAIL(BENCH_EIO, "%s: %s", where, sqlite3_errmsg(store_database(store)));
}

/* The rows of all experiments, a column for each name, numbers as files have them. */
static enum bench_status add_shown(struct store *store)
{
    OWNED(table_free) struct table names = {0};
    OWNED(text_free) struct text from = {0};
    OWNED(text_free) struct text columns = {0};
    struct text sql = {0};

    TRY(query_table(store, "SELECT name, type, is_there FROM shown_name", &names));
    query_add(&sql, "CREATE TEMP TABLE shown (id INTEGER PRIMARY KEY, measurement INTEGER");
    for (int i = 0; i < names.n_rows; i++) {
        const char *const name = query_text(&names, i, "name");

        query_add(&sql, ", \"%w\" %s", name, query_text(&names, i, "type"));
        if (query_number(&names, i, "is_there") == 0)
            continue;
        query_add(&columns, ", \"%w\"", name);
        query_add(&from,
                  ", (SELECT CASE typeof(value) WHEN 'real' THEN printf('%%.9g', value) ELSE "
                  "value END FROM cell AS c WHERE c.at = r.at AND c.name = %Q)",
                  name);
    }
    text_format(
        &sql,
        "); INSERT INTO shown (measurement%s) SELECT measurement%s FROM figure_row AS r "
        "WHERE EXISTS (SELECT 1 FROM cell AS c WHERE c.at = r.at AND c.name = 'impl') "
        "ORDER BY r.at",
        columns.data ? columns.data : "", from.data ? from.data : "");
    sql.failed |= columns.failed || from.failed;
    return query_run(store, &sql);
}

/* "TABLE=PATH.csv" */
static enum bench_status add_file(struct store *store, const char *word)
{
    const int n_table = (int)strcspn(word, "=");
    const char *path = word + n_table + 1;
    struct text sql = {0};
    char table[64], name[4400];

    snprintf(table, sizeof table, "%.*s", n_table, word);
    snprintf(name, sizeof name, "%.*s", (int)(strlen(path) - strlen(".csv")), path);
    query_add(&sql, "CREATE TEMP TABLE \"%w\" (number INTEGER PRIMARY KEY)", table);
    TRY(query_run(store, &sql));
    return store_add_file(store, table, *name == '/' ? "" : ".", name);
}

static bool ends(const char *word, const char *end)
{
    const char *const dot = strrchr(word, '.');

    return dot && !strcmp(dot, end);
}

static enum bench_status add_word(struct store *store, const char *word)
{
    struct text sql = {0};

    if (ends(word, ".sql")) {
        TRY(text_read_file(word, &sql));
        return query_run(store, &sql) ? failed(store, word) : BENCH_OK;
    }
    if (ends(word, ".csv") && strchr(word, '='))
        return add_file(store, word);
    REFUSE_IF(!ends(word, ".ini"),
              "draw: '%s': expected FILE.sql, EXPERIMENT.ini or TABLE=FILE.csv", word);
    return BENCH_OK;
}

/* ---- tables out ---- */

static enum bench_status ask(struct store *store, const char *view, struct table *answer)
{
    struct text sql = {0};

    query_add(&sql, "SELECT * FROM temp.\"%w\"", view);
    return query_ask(store, &sql, answer) ? failed(store, view) : BENCH_OK;
}

static enum bench_status write_view(struct store *store, const char *view, const char *folder)
{
    OWNED(text_free) struct text text = {0};
    OWNED(text_free) struct text path = {0};
    OWNED(table_free) struct table rows = {0};

    TRY(ask(store, view, &rows));
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
    TRY(text_ok(&path));
    return text_replace_file(path.data, &text);
}

static enum bench_status write_views(struct store *store, const char *folder, FILE *notes)
{
    OWNED(table_free) struct table missing = {0};
    OWNED(table_free) struct table refusals = {0};
    OWNED(table_free) struct table views = {0};

    TRY(ask(store, "missing_told", &missing));
    if (missing.n_rows && notes) {
        char *const said = missing.cell->text;

        text_clean(said, strlen(said),
                   ""); /* what others wrote commands the terminal nothing */
        fprintf(notes, "%s\n", said);
    }
    TRY(ask(store, "refusal", &refusals));
    REFUSE_IF(refusals.n_rows, "%s", refusals.cell->text);
    TRY(text_make_folder(folder));
    TRY(query_table(store, "SELECT name FROM sqlite_temp_master WHERE name GLOB 'draw_*'",
                    &views));
    for (int i = 0; i < views.n_rows; i++)
        TRY(write_view(store, views.cell[i].text, folder));
    return BENCH_OK;
}

static enum bench_status make_data(struct store *store, char *const *word, int n_words,
                                   const char *const *asked, int n_asked, const char *folder,
                                   FILE *notes)
{
    sqlite3 *const db = store_database(store);
    OWNED(text_free) struct text sql = {0};
    const char *path[MAX_EXPERIMENTS];
    int n = 0;

    for (int i = 0; i < n_words && n < MAX_EXPERIMENTS; i++)
        if (ends(word[i], ".ini"))
            path[n++] = word[i];
    TRY(show_fill(store, path, n, true));
    sqlite3_create_function(db, "number_text", 1, SQLITE_UTF8, NULL, number_text, NULL, NULL);
    sqlite3_create_function(db, "time_text", 1, SQLITE_UTF8, store, number_text, NULL, NULL);
    text_bytes(&sql, draw_sql, sizeof draw_sql);
    for (int i = 0; bench_impls[i]; i++)
        query_add(&sql, "INSERT INTO known (impl, needs) VALUES (%Q, %Q);",
                  bench_impls[i]->name, bench_impls[i]->needs);
    for (int i = 0; i < n_asked; i++) {
        const int n_name = (int)strcspn(asked[i], "=");

        REFUSE_IF(!asked[i][n_name], "-S %s: expected NAME=VALUE", asked[i]);
        query_add(&sql, "INSERT INTO asked VALUES ('%.*q', %Q);", n_name, asked[i],
                  asked[i] + n_name + 1);
    }
    TRY(query_run(store, &sql));
    TRY(add_shown(store));
    for (int i = 0; i < n_words; i++)
        TRY(add_word(store, word[i]));
    return write_views(store, folder, notes);
}

/* A figure leaves nothing in the store. */
enum bench_status draw_data(struct store *store, char *const *word, int n_words,
                            const char *const *asked, int n_asked, const char *folder,
                            FILE *notes)
{
    enum bench_status status;

    TRY(store_run(store, "SAVEPOINT figure"));
    status = make_data(store, word, n_words, asked, n_asked, folder, notes);
    if (sqlite3_exec(store_database(store), "ROLLBACK TO figure; RELEASE figure", NULL, NULL,
                     NULL) != SQLITE_OK &&
        !status)
        status = failed(store, "draw");
    return status;
}

/*
 * show_derive.c - the best of some settings, means over repeated runs, and what one row is worth beside another
 */
#include "harness/analysis/show.h"

#include "harness/analysis/select.h"
#include "harness/analysis/show_private.h"
#include "harness/record_private.h"
#include "harness/text.h"

#include "derive_sql.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NAME 64

/* What [show] asks for; empty texts for what it does not. */
struct wish {
    char over[MAX_NAME];
    char against[MAX_NAME]; /* a variant */
    const char *but;        /* and the keys in which it may differ, as a list */
    char per[MAX_NAME], per_column[MAX_NAME];
    char reach[MAX_NAME], along[MAX_NAME];
};

struct deriving {
    const struct bench_experiment *experiment;
    struct store *store;
    const struct record_table *rows;
    const struct show_keys *keys;
    struct wish wish;
    int first_value; /* of the columns */
};

/* In the order of the function summary(). */
const char *const show_time_columns[SHOW_N_TIMES] = {
    "min_ms",  "q1_ms", "median_ms", "q3_ms",    "p95_ms", "max_ms",
    "mean_ms", "sd_ms", "ci_lo_ms",  "ci_hi_ms", "fps"};

/* ---- what is asked for ---- */

static enum bench_status refuse(const struct bench_experiment *experiment, const char *key,
                                const char *expected)
{
    return BENCH_FAIL(BENCH_EINPUT, "%s: [show] %s: expected %s", experiment->path, key,
                      expected);
}

static enum bench_status read_wish(const struct bench_experiment *experiment, struct wish *wish)
{
    const struct bench_layout *layout = &experiment->layout;
    const char *comma = strchr(layout->against, ',');

    *wish = (struct wish){.but = comma ? comma + 1 : ""};
    show_list(layout->over, 0, wish->over, sizeof wish->over);
    show_list(layout->against, 0, wish->against, sizeof wish->against);
    if (show_list(layout->per, 0, wish->per, sizeof wish->per) &&
        !show_list(layout->per, 1, wish->per_column, sizeof wish->per_column))
        return refuse(experiment, "per", "a value and the name of a column");
    if (!show_list(layout->reach, 0, wish->reach, sizeof wish->reach))
        return BENCH_OK;
    if (!show_list(layout->reach, 1, wish->along, sizeof wish->along) || !wish->against[0])
        return refuse(experiment, "reach", "a value and a key, and 'against'");
    return BENCH_OK;
}

/* Columns that the rows lack: a slip in the descriptor, unless no row has a value at all. */
static enum bench_status check_columns(const struct deriving *d)
{
    const struct {
        const char *key, *column;
    } asked[] = {{"over", d->wish.over},
                 {"per", d->wish.per},
                 {"reach", d->wish.reach},
                 {"reach", d->wish.along}};

    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (asked[i].column[0] && record_column(d->rows, asked[i].column) < 0)
            return BENCH_FAIL(
                BENCH_EINPUT,
                "%s: [show] %s '%s' is neither a column nor a value of these rows",
                d->experiment->path, asked[i].key, asked[i].column);
    return BENCH_OK;
}

/* ---- SQL ---- */

/* Run one statement, whose text is taken. */
static enum bench_status execute(const struct deriving *d, struct text *sql)
{
    enum bench_status status = text_ok(sql);

    if (!status)
        status = store_execute(d->store, (const unsigned char *)sql->data, sql->size);
    text_free(sql);
    return status;
}

/* The format with the name, in quotes, for each @. */
static void add_names(struct text *sql, const char *format, const char *name)
{
    for (; *format; format++) {
        if (*format != '@') {
            text_bytes(sql, format, 1);
            continue;
        }
        text_add(sql, "\"");
        for (const char *at = name; *at; at++)
            text_format(sql, *at == '"' ? "\"\"" : "%c", *at);
        text_add(sql, "\"");
    }
}

/* The texts of impl and of all keys but two lists. */
static void add_signature(const struct deriving *d, int row, const char *but,
                          const char *and_but, struct text *signature)
{
    text_add(signature, record_get(d->rows, row, "impl"));
    for (int i = 0; i < d->keys->n; i++)
        if (!show_is_listed(but, d->keys->name[i]) &&
            !show_is_listed(and_but, d->keys->name[i]))
            text_format(signature, ";%s", record_get(d->rows, row, d->keys->name[i]));
}

static void bind(sqlite3_stmt *insert, int at, const char *text)
{
    if (text[0] == '\0')
        sqlite3_bind_null(insert, at);
    else
        sqlite3_bind_text(insert, at, text, -1, SQLITE_TRANSIENT);
}

static enum bench_status insert_row(const struct deriving *d, sqlite3_stmt *insert, int row)
{
    const char *const but[][2] = {{d->experiment->layout.best, ""},
                                  {"lap", ""},
                                  {d->wish.over, ""},
                                  {d->wish.over, d->wish.along}};

    sqlite3_bind_int(insert, 1, row);
    for (int i = 0; i < 4; i++) {
        struct text signature = {0};

        if (i == 2 && !d->wish.over[0])
            text_format(&signature, "%d", row); /* without means a row is its own */
        else if (i > 0 || d->experiment->layout.best[0])
            add_signature(d, row, but[i][0], but[i][1], &signature);
        TRY(text_ok(&signature));
        bind(insert, 2 + i, signature.data ? signature.data : "");
        text_free(&signature);
    }
    for (int i = 0; i < d->rows->n_columns; i++)
        bind(insert, 6 + i, show_at(d->rows, row, i));
    return store_step(d->store, insert);
}

/* The rows as the temporary table 'raw_row'. */
static enum bench_status load(const struct deriving *d)
{
    struct text create = {0}, insert = {0};
    sqlite3_stmt *statement = NULL;
    enum bench_status status;

    text_add(&create, "DROP TABLE IF EXISTS raw_row; CREATE TEMP TABLE raw_row (id INTEGER "
                      "PRIMARY KEY, same_but_best TEXT, "
                      "same_but_lap TEXT, same_but_over TEXT, same_but_along TEXT");
    text_add(&insert, "INSERT INTO raw_row VALUES (?, ?, ?, ?, ?");
    for (int i = 0; i < d->rows->n_columns; i++) {
        add_names(&create, ", @ TEXT", d->rows->column[i]);
        text_add(&insert, ", ?");
    }
    text_add(&create, ");");
    text_add(&insert, ")");
    TRY(execute(d, &create));
    status = text_ok(&insert);
    if (!status)
        status = store_prepare(d->store, insert.data, &statement);
    for (int row = 0; row < d->rows->n_rows && !status; row++)
        status = insert_row(d, statement, row);
    sqlite3_finalize(statement);
    text_free(&insert);
    return status ? status : store_execute(d->store, derive_sql, sizeof derive_sql);
}

/* ---- means ---- */

/* What a column comes to of rows that become one. */
static void add_mean_of(const struct deriving *d, int column, struct text *sql)
{
    const char *name = d->rows->column[column];
    int time = 0;

    while (time < SHOW_N_TIMES && strcmp(name, show_time_columns[time]) != 0)
        time++;
    if (!strcmp(name, d->wish.over))
        add_names(sql, ", NULL AS @", name); /* also where there was only one */
    else if (!strcmp(name, "n"))
        text_add(sql, ", count(*) AS n");
    else if (time < SHOW_N_TIMES) {
        text_format(sql, ", summary(CAST(mean_ms AS REAL), %d)", time);
        add_names(sql, " AS @", name);
    } else if (!strcmp(name, "gpu_mhz_med") || column >= d->first_value) {
        /* the clock of the times: no two runs have quite the same */
        add_names(sql, ", summary(CAST(@ AS REAL), 6) AS @", name);
    } else if (!strcmp(name, "commit")) { /* all of them, as many as there is room for */
        text_add(sql, ", CASE WHEN count(DISTINCT \"commit\") < 2 THEN min(\"commit\") ELSE "
                      "substr(replace(group_concat(DISTINCT substr(\"commit\", 1, 7)), ',', "
                      "', '), 1, 250) END AS \"commit\"");
    } else {
        add_names(
            sql, ", CASE WHEN min(coalesce(@, '')) = max(coalesce(@, '')) THEN min(@) END AS @",
            name);
    }
}

/* The temporary table 'mean_row': rows that agree in all but 'over' as one. */
static enum bench_status make_means(const struct deriving *d)
{
    struct text sql = {0};

    text_add(&sql, "DROP TABLE IF EXISTS mean_row; CREATE TEMP TABLE mean_row AS SELECT "
                   "min(id) AS id, same_but_over, "
                   "same_but_along");
    for (int i = 0; i < d->rows->n_columns; i++)
        if (d->wish.over[0])
            add_mean_of(d, i, &sql);
        else
            add_names(&sql, ", @", d->rows->column[i]);
    if (d->wish.over[0])
        text_add(&sql, ", sum(coalesce(verdict = 'outside', 0)) AS n_outside");
    for (int i = d->first_value; i < d->rows->n_columns && d->wish.over[0]; i++) {
        char deviation[2 * MAX_NAME];

        snprintf(deviation, sizeof deviation, "%s_sd", d->rows->column[i]);
        if (record_column(d->rows, deviation) >= 0)
            continue;
        add_names(&sql, ", CASE WHEN count(@) > 1 THEN summary(CAST(@ AS REAL), 7) END",
                  d->rows->column[i]);
        add_names(&sql, " AS @", deviation);
    }
    text_add(&sql, " FROM raw_row GROUP BY same_but_over;");
    return execute(d, &sql);
}

/* ---- one row beside another ---- */

/* The row of the variant that all are compared with: it agrees in all keys that both have, but the listed ones and threads. */
static void add_yardstick(const struct deriving *d, struct text *sql)
{
    char *variant = sqlite3_mprintf("%Q", d->wish.against);

    text_format(sql, "(SELECT min(o.id) FROM mean_row AS o WHERE o.impl = %s",
                variant ? variant : "NULL");
    sql->failed |= !variant;
    sqlite3_free(variant);
    for (int i = 0; i < d->keys->n; i++) {
        const char *key = d->keys->name[i];

        if (strcmp(key, "threads") != 0 && !show_is_listed(d->wish.but, key) &&
            record_column(d->rows, key) >= 0)
            add_names(sql, " AND (o.@ IS NULL OR r.@ IS NULL OR o.@ = r.@)", key);
    }
    text_add(sql, ")");
}

/* How many times as fast a row is as its yardstick: by the newest session that has both, of several runs where there is one. */
#define ACCELERATION                                                                           \
    "(SELECT theirs.ms / ours.ms FROM time_in_session AS ours JOIN time_in_session AS theirs " \
    "ON theirs.session = ours.session WHERE ours.same_but_over = r.same_but_over AND "         \
    "theirs.same_but_over = y.same_but_over "                                                  \
    "ORDER BY ours.is_of_several AND theirs.is_of_several DESC, ours.session DESC LIMIT 1)"

/* Among the rows that differ in the key alone: whether it is the fastest that is as good as the yardstick. */
#define IS_FIRST                                                                          \
    "CAST(r.@ AS REAL) <= CAST(y.@ AS REAL) AND NOT EXISTS (SELECT 1 FROM mean_row AS o " \
    "WHERE "                                                                              \
    "o.same_but_along = r.same_but_along AND CAST(o.@ AS REAL) <= CAST(y.@ AS REAL) AND " \
    "(CAST(o.mean_ms AS REAL) < CAST(r.mean_ms AS REAL) OR (CAST(o.mean_ms AS REAL) = "   \
    "CAST(r.mean_ms AS REAL) AND o.id < r.id)))"

/* The rows of 'mean_row' with what they are worth, in their order. */
static enum bench_status select_derived(const struct deriving *d, struct text *sql)
{
    const struct wish *wish = &d->wish;
    char along[MAX_NAME + 8];

    snprintf(along, sizeof along, "reach_%s", wish->along);
    text_add(sql, "SELECT r.*");
    if (wish->per[0]) {
        add_names(sql,
                  ", CASE WHEN CAST(r.@ AS REAL) > 0 THEN 1e6 * CAST(r.mean_ms AS REAL) / "
                  "CAST(r.@ AS REAL) END",
                  wish->per);
        add_names(sql, " AS @", wish->per_column);
    }
    if (wish->against[0])
        text_add(sql,
                 ", CASE WHEN r.mean_ms IS NOT NULL THEN " ACCELERATION " END AS acceleration");
    if (wish->reach[0]) {
        add_names(sql, ", CASE WHEN " IS_FIRST " THEN CAST(r.mean_ms AS REAL) END AS reach_ms",
                  wish->reach);
        add_names(sql, ", CASE WHEN r.mean_ms IS NOT NULL AND " IS_FIRST " THEN CAST(",
                  wish->reach);
        add_names(sql, "r.@ AS REAL) END", wish->along);
        add_names(sql, " AS @", along);
    }
    text_add(sql, " FROM mean_row AS r");
    if (wish->against[0]) {
        text_add(sql, " LEFT JOIN mean_row AS y ON y.id = ");
        add_yardstick(d, sql);
    }
    text_add(sql, " ORDER BY r.id");
    return text_ok(sql);
}

/* ---- all of it ---- */

#define N_OWN 3 /* the first columns of 'mean_row' */

enum bench_status show_derive(const struct bench_experiment *experiment, struct store *store,
                              const struct shown *shown, const struct show_keys *keys,
                              struct record_table *derived)
{
    struct deriving d = {.experiment = experiment,
                         .store = store,
                         .rows = &shown->rows,
                         .keys = keys,
                         .first_value = shown->first_value};
    struct text sql = {0};
    enum bench_status status;

    *derived = (struct record_table){0};
    TRY(read_wish(experiment, &d.wish));
    if (shown->rows.n_rows == 0 || !(experiment->layout.best[0] || d.wish.over[0] ||
                                     d.wish.against[0] || d.wish.per[0] || d.wish.reach[0]))
        return BENCH_OK;
    TRY(check_columns(&d));
    TRY(load(&d));
    TRY(make_means(&d));
    status = select_derived(&d, &sql);
    if (!status)
        status = select_table(store, "measurement", sql.data, N_OWN, derived);
    text_free(&sql);
    return status;
}

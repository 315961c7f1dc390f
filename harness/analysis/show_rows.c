/*
 * show_rows.c - the rows of an experiment with the best of some settings, means over repeated runs, and what one row is worth beside
 * another; see rows.sql
 */
#include "harness/analysis/show_private.h"

#include "harness/impl.h"
#include "harness/record_private.h"

#include "rows_sql.h"

#include <stdio.h>
#include <string.h>

const char *show_text(const struct table *answer, int row, int column)
{
    const char *const text =
        row < answer->n_rows && column >= 0 ? table_cell(answer, row, column)->text : NULL;

    return text ? text : "";
}

bool show_has_column(const struct showing *s, const char *name)
{
    return store_has_column(s->store, "shown_row", name);
}

/* ---- what [show] asks for ---- */

bool show_list(const char *list, int i, char text[SHOW_NAME])
{
    const char *at = list;

    text[0] = '\0';
    for (; i > 0; i--) {
        at = strchr(at, ',');
        if (!at)
            return false;
        at++;
    }
    at += strspn(at, " \t");
    snprintf(text, SHOW_NAME, "%.*s", (int)strcspn(at, ","), at);
    for (size_t n = strlen(text); n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'); n--)
        text[n - 1] = '\0';
    return text[0] != '\0';
}

bool show_is_listed(const char *list, const char *word)
{
    char other[SHOW_NAME];

    for (int i = 0; show_list(list, i, other); i++)
        if (!strcmp(other, word))
            return true;
    return false;
}

/* Empty texts for what is not asked for. */
struct wish {
    char over[SHOW_NAME];
    char against[SHOW_NAME]; /* a variant */
    const char *but;         /* and the keys in which it may differ, as a list */
    char per[SHOW_NAME], per_column[SHOW_NAME];
    char reach[SHOW_NAME], along[SHOW_NAME];
    bool counters;
};

static enum bench_status refuse(const struct showing *s, const char *key, const char *expected)
{
    return BENCH_FAIL(BENCH_EINPUT, "%s: [show] %s: expected %s", s->experiment->path, key,
                      expected);
}

static enum bench_status read_wish(const struct showing *s, struct wish *wish)
{
    const struct bench_layout *layout = &s->experiment->layout;
    const char *comma = strchr(layout->against, ',');

    *wish = (struct wish){.but = comma ? comma + 1 : "", .counters = layout->counters[0]};
    show_list(layout->over, 0, wish->over);
    show_list(layout->against, 0, wish->against);
    if (show_list(layout->per, 0, wish->per) && !show_list(layout->per, 1, wish->per_column))
        return refuse(s, "per", "a value and the name of a column");
    if (show_list(layout->reach, 0, wish->reach) &&
        (!show_list(layout->reach, 1, wish->along) || !wish->against[0]))
        return refuse(s, "reach", "a value and a key, and 'against'");
    if (wish->counters && strcmp(layout->counters, "ncu") != 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: [show] counters: expected ncu, found '%s'",
                          s->experiment->path, layout->counters);
    return BENCH_OK;
}

/* Columns that the rows lack: a slip in the descriptor. */
static enum bench_status check_columns(const struct showing *s, const struct wish *wish)
{
    const struct {
        const char *key, *column;
    } asked[] = {{"over", wish->over},
                 {"per", wish->per},
                 {"reach", wish->reach},
                 {"reach", wish->along}};

    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (asked[i].column[0] && !store_has_column(s->store, "raw_row", asked[i].column))
            return BENCH_FAIL(
                BENCH_EINPUT,
                "%s: [show] %s '%s' is neither a column nor a value of these rows",
                s->experiment->path, asked[i].key, asked[i].column);
    return BENCH_OK;
}

/* ---- the rows in the words of files ---- */

/* A table's columns, as a table without rows. */
static enum bench_status columns_of(const struct showing *s, const char *name,
                                    struct table *columns)
{
    struct text sql = {0};

    query_add(&sql, "SELECT * FROM \"%w\" LIMIT 0", name);
    return query_ask(s->store, &sql, columns);
}

/* The place among what the function summary() has; -1: the column is no time. */
static int time_at(const char *column)
{
    static const char *const times[] = {"min_ms",   "q1_ms",    "median_ms", "q3_ms",
                                        "p95_ms",   "max_ms",   "mean_ms",   "sd_ms",
                                        "ci_lo_ms", "ci_hi_ms", "fps"};

    for (int i = 0; i < (int)(sizeof times / sizeof *times); i++)
        if (!strcmp(times[i], column))
            return i;
    return -1;
}

/* A column of measurement m, or of t, what its processes say together. */
static void add_raw_column(const char *column, struct text *sql)
{
    const char *const name = store_name_in_file("measurement", column);

    if (!strcmp(name, "scope"))
        text_add(sql,
                 ", CASE m.scope WHEN 'end_to_end' THEN 'frame' ELSE m.scope END AS scope");
    else if (!strcmp(name, "sms")) /* rows from before the column were of the whole GPU */
        text_add(sql, ", coalesce(m.sms, CASE m.device WHEN 'gpu' THEN m.sm_count END) AS sms");
    else if (!strcmp(name, "n") || time_at(name) >= 0)
        query_add(sql, ", coalesce(t.\"%w\", m.\"%w\") AS \"%w\"", column, column, name);
    else
        query_add(sql, ", m.\"%w\" AS \"%w\"", column, name);
}

/* A column for each scalar of their values, which a column of a row's own name parts from that. */
static enum bench_status add_value_columns(const struct showing *s, struct text *sql)
{
    struct text names = {0};
    struct table found;

    text_add(&names, "SELECT v.name, min(s.place) AS place, v.rowid AS at FROM selected AS s "
                     "JOIN value AS v ON v.measurement = s.valued WHERE v.idx IS NULL "
                     "GROUP BY v.name ORDER BY place, at");
    TRY(query_ask(s->store, &names, &found));
    for (int i = 0; i < found.n_rows; i++) {
        const char *const name = show_text(&found, i, 0);
        const bool is_taken = record_column(&s->header, name) >= 0 ||
                              store_has_column(s->store, "measurement", name) ||
                              !strcmp(name, "processes");

        query_add(sql,
                  ", (SELECT value FROM value WHERE measurement = s.valued AND name = %Q AND "
                  "idx IS NULL ORDER BY rowid DESC LIMIT 1) AS \"%s%w\"",
                  name, is_taken ? "value_" : "", name);
    }
    table_free(&found);
    return BENCH_OK;
}

/* impl and all keys but two lists as one text. */
static void add_signature(const struct showing *s, const char *but, const char *and_but,
                          const char *name, struct text *sql)
{
    text_add(sql, "impl");
    for (int i = 0; i < s->n_keys; i++)
        if (!show_is_listed(but, s->key[i]) && !show_is_listed(and_but, s->key[i]))
            query_add(sql, " || ';' || coalesce(\"%w\", '')", s->key[i]);
    text_format(sql, " AS %s, ", name);
}

#define N_RAW 5 /* the first columns of 'raw_row' are in no file */

static enum bench_status make_raw_rows(const struct showing *s, const struct wish *wish)
{
    const char *const best = s->experiment->layout.best;
    struct text sql = {0};
    struct table columns;

    TRY(columns_of(s, "measurement", &columns));
    text_add(&sql, "DROP TABLE IF EXISTS raw_row; CREATE TEMP TABLE raw_row AS SELECT ");
    if (best[0])
        add_signature(s, best, "", "same_but_best", &sql);
    else
        text_add(&sql, "NULL AS same_but_best, ");
    add_signature(s, "lap", "", "same_but_lap", &sql);
    if (wish->over[0])
        add_signature(s, wish->over, "", "same_but_over", &sql);
    else
        text_add(&sql, "id AS same_but_over, ");
    add_signature(s, wish->over, wish->along, "same_but_along", &sql);
    text_add(&sql, "* FROM (SELECT s.place AS id");
    for (int i = STORE_OWN_COLUMNS; i < columns.n_columns; i++)
        add_raw_column(columns.column[i], &sql);
    table_free(&columns);
    text_add(&sql, ", CASE WHEN m.scope IS NOT NULL THEN coalesce(t.n, 1) END AS processes");
    TRY(add_value_columns(s, &sql));
    text_add(&sql, " FROM selected AS s JOIN measurement AS m ON m.id = s.measurement "
                   "LEFT JOIN together AS t ON t.place = s.place ORDER BY s.place);");
    return query_run(s->store, &sql);
}

/* ---- means ---- */

/* What a column comes to of rows that become one. */
static void add_mean_of(const struct wish *wish, const char *name, bool is_value,
                        struct text *sql)
{
    const int time = time_at(name);

    if (!strcmp(name, wish->over))
        query_add(sql, ", NULL AS \"%w\"", name); /* also where there was only one */
    else if (!strcmp(name, "n"))
        text_add(sql, ", count(*) AS n");
    else if (time >= 0)
        query_add(sql, ", summary(mean_ms, %d) AS \"%w\"", time, name);
    else if (!strcmp(name, "gpu_mhz_med") || is_value)
        /* the clock of the times: no two runs have quite the same */
        query_add(sql, ", summary(\"%w\", 6) AS \"%w\"", name, name);
    else if (!strcmp(name, "commit")) /* all of them, as many as there is room for */
        text_add(sql, ", CASE WHEN count(DISTINCT \"commit\") < 2 THEN min(\"commit\") ELSE "
                      "substr(replace(group_concat(DISTINCT substr(\"commit\", 1, 7)), ',', "
                      "', '), 1, 250) END AS \"commit\"");
    else
        query_add(sql,
                  ", CASE WHEN min(coalesce(\"%w\", '')) = max(coalesce(\"%w\", '')) THEN "
                  "min(\"%w\") END AS \"%w\"",
                  name, name, name, name);
}

#define N_MEAN 4 /* the same of 'mean_row' */

/* Rows that agree in all but 'over' as one. */
static enum bench_status make_means(const struct showing *s, const struct wish *wish)
{
    const char *const of_what = wish->over[0] ? "''"
                                              : "CASE WHEN processes > 1 THEN ' processes' "
                                                "ELSE ' samples of one process' END";
    struct text sql = {0}, deviations = {0};
    struct table columns;
    bool is_value = false;

    TRY(columns_of(s, "raw_row", &columns));
    text_format(&sql,
                "DROP TABLE IF EXISTS mean_row; CREATE TEMP TABLE mean_row AS SELECT "
                "min(id) AS id, %s AS of_what, same_but_over, same_but_along",
                of_what);
    for (int i = N_RAW; i < columns.n_columns; i++) {
        const char *const name = columns.column[i];
        char deviation[2 * SHOW_NAME];

        snprintf(deviation, sizeof deviation, "%s_sd", name);
        if (!wish->over[0])
            query_add(&sql, ", \"%w\"", name);
        else
            add_mean_of(wish, name, is_value, &sql);
        if (is_value && wish->over[0] && !store_has_column(s->store, "raw_row", deviation))
            query_add(&deviations,
                      ", CASE WHEN count(\"%w\") > 1 THEN summary(\"%w\", 7) END AS \"%w\"",
                      name, name, deviation);
        is_value |= !strcmp(name, "processes");
    }
    table_free(&columns);
    if (wish->over[0])
        text_add(&sql, ", sum(coalesce(verdict = 'outside', 0)) AS n_outside");
    text_bytes(&sql, deviations.data, deviations.size);
    sql.failed |= deviations.failed;
    text_free(&deviations);
    text_add(&sql, " FROM best_row GROUP BY same_but_over;");
    return query_run(s->store, &sql);
}

/* ---- one row beside another ---- */

/* The row of the variant that all are compared with: it agrees in all keys that both have, but the listed ones and threads. */
static void add_yardstick(const struct showing *s, const struct wish *wish, struct text *sql)
{
    query_add(sql, "(SELECT min(o.id) FROM mean_row AS o WHERE o.impl = %Q", wish->against);
    for (int i = 0; i < s->n_keys; i++) {
        const char *key = s->key[i];

        if (strcmp(key, "threads") != 0 && !show_is_listed(wish->but, key))
            query_add(sql, " AND (o.\"%w\" IS NULL OR r.\"%w\" IS NULL OR o.\"%w\" = r.\"%w\")",
                      key, key, key, key);
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
#define IS_FIRST                                                              \
    "r.\"%w\" <= y.\"%w\" AND NOT EXISTS (SELECT 1 FROM mean_row AS o WHERE " \
    "o.same_but_along = r.same_but_along AND o.\"%w\" <= y.\"%w\" AND "       \
    "(o.mean_ms < r.mean_ms OR (o.mean_ms = r.mean_ms AND o.id < r.id)))"

/* The rows of 'mean_row' with what they are worth. */
static enum bench_status compare_rows(const struct showing *s, const struct wish *wish)
{
    const char *const reach = wish->reach;
    struct text sql = {0};

    text_add(&sql, "DROP TABLE IF EXISTS shown_row;");
    if (wish->against[0])
        text_add(&sql,
                 "DROP TABLE IF EXISTS time_in_session;"
                 "CREATE TEMP TABLE time_in_session AS SELECT * FROM session_time;"
                 "CREATE INDEX temp.time_of_row ON time_in_session (same_but_over, session);");
    text_add(&sql, "CREATE TEMP TABLE shown_row AS SELECT r.*");
    if (wish->per[0])
        query_add(&sql,
                  ", CASE WHEN r.\"%w\" > 0 THEN 1e6 * r.mean_ms / r.\"%w\" END AS \"%w\"",
                  wish->per, wish->per, wish->per_column);
    if (wish->against[0])
        text_add(&sql,
                 ", CASE WHEN r.mean_ms IS NOT NULL THEN " ACCELERATION " END AS acceleration");
    if (reach[0])
        query_add(&sql,
                  ", CASE WHEN " IS_FIRST " THEN r.mean_ms END AS reach_ms"
                  ", CASE WHEN r.mean_ms IS NOT NULL AND " IS_FIRST
                  " THEN r.\"%w\" END AS \"reach_%w\"",
                  reach, reach, reach, reach, reach, reach, reach, reach, wish->along,
                  wish->along);
    if (wish->counters)
        text_add(&sql, ", k.*");
    text_add(&sql, " FROM mean_row AS r");
    if (wish->against[0]) {
        text_add(&sql, " LEFT JOIN mean_row AS y ON y.id = ");
        add_yardstick(s, wish, &sql);
    }
    if (wish->counters) /* a mean of several rows is of none of them */
        text_add(&sql,
                 " LEFT JOIN counted_row AS k ON k.place = r.id AND r.row_id IS NOT NULL");
    text_add(&sql, " ORDER BY r.id;");
    return query_run(s->store, &sql);
}

/* ---- all of it ---- */

/* Without what is in no file. */
static enum bench_status read_rows(struct showing *s)
{
    struct text sql = {0};
    struct table columns;

    TRY(columns_of(s, "shown_row", &columns));
    for (int i = N_MEAN; i < columns.n_columns; i++)
        if (strcmp(columns.column[i], "place") != 0)
            query_add(&sql, "%s\"%w\"", sql.size ? ", " : "SELECT ", columns.column[i]);
    table_free(&columns);
    text_add(&sql, " FROM shown_row ORDER BY id");
    return query_ask(s->store, &sql, &s->rows);
}

/* Values are a cell's, whatever was timed: each set of them once. */
static enum bench_status read_values(struct showing *s)
{
    struct text sql = {0};

    text_add(&sql, "SELECT m.impl");
    for (int i = 0; i < s->n_declared; i++)
        query_add(&sql, ", m.\"%w\"", s->key[i]);
    text_add(&sql, ", m.input, m.frame_pick AS \"case\", m.batch, m.threads, m.mode_name, "
                   "m.machine, v.name, v.idx AS \"index\", v.value, v.unit FROM (SELECT "
                   "min(place) AS place, measurement, valued FROM selected WHERE valued IS NOT "
                   "NULL GROUP BY valued) AS s JOIN measurement AS m ON m.id = s.measurement "
                   "JOIN value AS v ON v.measurement = s.valued ORDER BY s.place, v.rowid");
    return query_ask(s->store, &sql, &s->values);
}

static enum bench_status read_caption(struct showing *s)
{
    struct table caption;
    struct text sql = {0};

    text_add(&sql, "SELECT coalesce(group_concat(text, '; '), 'no rows') FROM "
                   "(SELECT text FROM caption_part ORDER BY part)");
    TRY(query_ask(s->store, &sql, &caption));
    text_add(&s->caption, show_text(&caption, 0, 0));
    table_free(&caption);
    TRY(text_ok(&s->caption));
    for (size_t i = 0; i < s->caption.size; i++)
        if ((unsigned char)s->caption.data[i] < ' ')
            s->caption.data[i] = ' ';
    text_add(&s->caption, "\n");
    return text_ok(&s->caption);
}

/* Where all is copied, or all ran on the whole GPU, nobody needs to be told so. */
static enum bench_status make_keys(struct showing *s)
{
    static const char *const others[] = {"input",   "case",  "batch",  "threads", "mode_name",
                                         "machine", "scope", "series", "lap"};
    const int n_others = (int)(sizeof others / sizeof *others);
    const int limit = (int)(sizeof s->key / sizeof *s->key) - n_others - 2;
    bool transfers = false, parts = false;

    TRY(record_declare(&s->header));
    for (int i = RECORD_N_FIXED; i < s->header.n_columns && s->n_keys < limit; i++)
        s->key[s->n_keys++] = s->header.column[i];
    s->n_declared = s->n_keys;
    for (int i = 0; i < n_others; i++)
        s->key[s->n_keys++] = others[i];
    for (int i = 0; i < s->experiment->n_cells; i++) {
        transfers |= s->experiment->cells[i].plan.transfer != BENCH_COPY;
        parts |= s->experiment->cells[i].plan.sms != 0;
    }
    if (transfers)
        s->key[s->n_keys++] = "transfer";
    if (parts)
        s->key[s->n_keys++] = "sms";
    return BENCH_OK;
}

enum bench_status show_rows(struct showing *s)
{
    struct text sql = {0};
    struct table first;
    struct wish wish;

    TRY(read_wish(s, &wish));
    text_add(&sql, "SELECT place FROM selected LIMIT 1");
    TRY(query_ask(s->store, &sql, &first));
    if (first.n_rows == 0) /* then there are no values, either */
        wish = (struct wish){.but = "", .counters = wish.counters};
    table_free(&first);
    TRY(make_keys(s));
    TRY(store_execute(s->store, rows_sql, sizeof rows_sql));
    TRY(make_raw_rows(s, &wish));
    TRY(check_columns(s, &wish));
    TRY(make_means(s, &wish));
    TRY(compare_rows(s, &wish));
    TRY(read_rows(s));
    TRY(read_values(s));
    return read_caption(s);
}

/*
 * show_table.c - chosen rows as tables for people
 *
 * A table is either a pivot as the descriptor's [show] section asks for it, with the numbers that the paper prints beside
 * ours, or a long one that has the columns which vary and says once what does not.
 */
#include "harness/analysis/show_private.h"

#include "harness/problem.h"

#include "pivot_sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE_COLUMNS 80
#define DIGITS       4  /* of a number in a table for people */
#define MAX_COLUMNS  96 /* of the long table */
#define IS_NUMBER    "typeof(\"%w\") IN ('integer', 'real')"

/* One more table for the page. */
static enum bench_status new_table(struct show_page *page, int n_columns, int n_rows,
                                   struct table **table)
{
    struct table *more = realloc(page->table, ((size_t)page->n_tables + 1) * sizeof *more);

    if (!more)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table");
    page->table = more;
    *table = &more[page->n_tables++];
    TRY(table_make(*table, n_columns, n_rows));
    (*table)->digits = DIGITS;
    return BENCH_OK;
}

static void say(struct table *table, char **where, struct text *sentence)
{
    table->failed |= sentence->failed;
    if (sentence->size > 0)
        table_say(table, where, sentence->data);
    text_free(sentence);
}

/* ---- what rows have in common ---- */

static int column_of(const struct table *rows, const char *name)
{
    for (int i = 0; i < rows->n_columns; i++)
        if (!strcmp(rows->column[i], name))
            return i;
    return -1;
}

/* The one text of a column that does not say two things; rows that lack it say nothing.  NULL: there are two. */
static const char *constant(const struct table *rows, int column)
{
    const char *only = "";

    for (int row = 0; row < rows->n_rows && column >= 0; row++) {
        const char *found = show_text(rows, row, column);

        if (found[0] != '\0' && only[0] != '\0' && strcmp(found, only) != 0)
            return NULL;
        only = found[0] != '\0' ? found : only;
    }
    return only;
}

static void add_constant(struct text *list, const char *name, const char *value)
{
    if (value[0] != '\0')
        text_format(list, "%s%s %s", list->size ? ", " : "", name, value);
}

/* Fill a column with one of the rows', or with two as an interval or a mean; -1: there is none. */
static void fill(struct table *table, int at, const char *title, enum table_kind kind,
                 const struct table *rows, int column, int other)
{
    table_name(table, at, title);
    for (int row = 0; row < rows->n_rows; row++)
        if (kind == TABLE_AS_IS)
            table_text(table, row, at, kind, show_text(rows, row, column));
        else
            table_pair(table, row, at, kind, show_text(rows, row, column),
                       show_text(rows, row, other));
}

/* ---- the long table ---- */

struct long_table {
    const struct table *rows;
    struct table *table;
    int n;
    bool may_go[MAX_COLUMNS]; /* when the page is too narrow */
};

/* Nothing where all rows lack it. */
static void long_add(struct long_table *l, const char *title, const char *column,
                     const char *high, bool may_go)
{
    const int at = column_of(l->rows, column);
    const char *only = constant(l->rows, at);

    if (l->n == MAX_COLUMNS || (only && only[0] == '\0'))
        return;
    fill(l->table, l->n, title, may_go || strstr(column, "_ms") ? TABLE_INTERVAL : TABLE_AS_IS,
         l->rows, at, high ? column_of(l->rows, high) : -1);
    l->may_go[l->n++] = may_go;
}

static enum bench_status make_long(const struct showing *s, struct show_page *page)
{
    static const char *const words[] = {"verdict", "status"};
    const struct table *rows = &s->rows;
    const int processes = column_of(rows, "processes");
    struct long_table l = {.rows = rows};
    bool of_processes = false;

    TRY(new_table(page, MAX_COLUMNS, rows->n_rows, &l.table));
    long_add(&l, "impl", "impl", NULL, false);
    for (int i = 0; i < s->n_keys + 2; i++) {
        const char *name = i < s->n_keys ? s->key[i] : words[i - s->n_keys];
        const char *only = constant(rows, column_of(rows, name));

        if (only)
            add_constant(&page->fixed, name, only);
        else if (i < s->n_keys)
            long_add(&l, name, name, NULL, false);
    }
    long_add(&l, "median ms", "median_ms", NULL, false);
    long_add(&l, "mean ms", "mean_ms", NULL, false);
    for (int row = 0; row < rows->n_rows; row++)
        of_processes |= table_cell(rows, row, processes)->number > 1;
    long_add(&l, of_processes ? "interval" : "95 % of median", "ci_lo_ms", "ci_hi_ms", true);
    long_add(&l, "n", "n", NULL, true);
    for (int i = 0; i < 2; i++)
        if (!constant(rows, column_of(rows, words[i])))
            long_add(&l, words[i], words[i], NULL, true);
    for (int i = processes + 1; i < rows->n_columns; i++)
        long_add(&l, rows->column[i], rows->column[i], NULL, true);
    table_cut(l.table, l.n);
    for (int i = l.n - 1; i >= 0 && table_page_width(l.table) > PAGE_COLUMNS; i--)
        if (l.may_go[i])
            table_drop(l.table, i);
    return table_ok(l.table);
}

/* ---- printed numbers ---- */

/* Columns of the printed numbers that say what they are, not what they belong to. */
#define ABOUT "paper, figure, name, value, printed, unit, read, where"

/* Make 'paper_number' of what [show] paper names, in the words of files: "table1" of the problem's own file, "stx/table1" of
 * results/paper/stx.csv. */
static enum bench_status read_paper(const struct showing *s, const char *folder)
{
    const char *const asked = s->experiment->layout.paper, *const slash = strchr(asked, '/');
    struct text sql = {0};
    struct table columns;

    text_add(&sql,
             "DROP TABLE IF EXISTS paper_row; DROP TABLE IF EXISTS paper_number; CREATE TEMP "
             "TABLE paper_row (section TEXT, name TEXT, value REAL, printed TEXT);");
    TRY(query_run(s->store, &sql));
    if (s->experiment->problem && folder && asked[0]) {
        char name[128], path[4400];

        snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - asked) : 127,
                 slash ? asked : s->experiment->problem->name);
        snprintf(path, sizeof path, "%s/%s.csv", folder, name);
        if (access(path, F_OK) == 0)
            TRY(store_add_file(s->store, "paper_row", folder, name));
    }
    text_add(&sql, "SELECT * FROM paper_row LIMIT 0");
    TRY(query_ask(s->store, &sql, &columns));
    text_add(&sql, "CREATE TEMP TABLE paper_number AS SELECT rowid AS id");
    for (int i = 0; i < columns.n_columns; i++)
        if (!strcmp(columns.column[i], "scope"))
            text_add(&sql,
                     ", CASE scope WHEN 'end_to_end' THEN 'frame' ELSE scope END AS scope");
        else
            query_add(&sql, ", \"%w\" AS \"%w\"", columns.column[i],
                      store_name_in_file("measurement", columns.column[i]));
    query_add(&sql, " FROM paper_row WHERE section = %Q;", slash ? slash + 1 : asked);
    table_free(&columns);
    return query_run(s->store, &sql);
}

/* The condition that nothing which a printed number p and a row s of 'table' both say is different, but in two columns. */
static enum bench_status add_about(const struct showing *s, const char *table, const char *row,
                                   const char *column, struct text *condition)
{
    struct text sql = {0};
    struct table columns;

    text_add(&sql, "SELECT * FROM paper_number LIMIT 0");
    TRY(query_ask(s->store, &sql, &columns));
    for (int i = 1; i < columns.n_columns; i++) {
        const char *const name = columns.column[i];

        if (!show_is_listed(ABOUT, name) && strcmp(name, row) != 0 &&
            strcmp(name, column) != 0 && store_has_column(s->store, table, name))
            query_add(condition,
                      " AND (p.\"%w\" IS NULL OR s.\"%w\" IS NULL OR p.\"%w\" = s.\"%w\")",
                      name, name, name, name);
    }
    table_free(&columns);
    return BENCH_OK;
}

/* ---- the pivot ---- */

struct pivot {
    const struct showing *s;
    struct show_page *page;
    const char *row, *column; /* columns of the rows */
    char value[SHOW_NAME],
        beside[SHOW_NAME]; /* of the tables at hand; beside "" where there is none */
    const char *key[128];  /* columns that tell the tables apart */
    int n_keys;
    struct text about; /* see add_about() */
};

/* What stands at the head of a row or column of a table.  A variant that has no such key stands under its own name, or
 * under "none" where the names are the other heads; what is no lap but the whole run, as that. */
static void add_head(const struct pivot *p, const char *column, const char *side,
                     struct text *sql)
{
    query_add(sql, ", \"%w\" AS %s_key, coalesce(\"%w\", %s) AS %s_head", column, side, column,
              !strcmp(column, "lap")                                  ? "'whole run'"
              : !strcmp(p->row, "impl") || !strcmp(p->column, "impl") ? "'none'"
                                                                      : "impl",
              side);
}

/* The rows of all tables of a value: laps and rows without a value are no part of them. */
static enum bench_status place_rows(const struct pivot *p)
{
    const bool of_laps = !strcmp(p->row, "lap") || !strcmp(p->column, "lap");
    char deviation[2 * SHOW_NAME] = "sd_ms";
    struct text sql = {0};

    if (strcmp(p->value, "mean_ms") != 0)
        snprintf(deviation, sizeof deviation, "%s_sd", p->value);
    text_add(&sql, "DROP TABLE IF EXISTS placed; CREATE TEMP TABLE placed AS SELECT *");
    add_head(p, p->row, "row", &sql);
    add_head(p, p->column, "column", &sql);
    query_add(&sql, ", \"%w\" AS entry_value", p->value);
    query_add(&sql, p->beside[0] ? ", \"%w\" AS entry_beside" : ", NULL AS entry_beside",
              p->beside);
    if (p->s->experiment->layout.over[0] == '\0')
        text_add(&sql, ", NULL AS entry_other, NULL AS entry_n");
    else if (show_has_column(p->s, deviation))
        query_add(&sql, ", coalesce(\"%w\", 0) AS entry_other, n AS entry_n", deviation);
    else
        text_add(&sql, ", 0 AS entry_other, n AS entry_n");
    query_add(&sql, " FROM shown_row WHERE \"%w\" IS NOT NULL%s ORDER BY id;", p->value,
              of_laps ? "" : " AND lap IS NULL");
    return query_run(p->s->store, &sql);
}

/* Whether a key is what was looked for: [show] reach chose one row of all that differ in it, and `reach_KEY` says which. */
static bool is_found(const struct pivot *p, const char *key)
{
    char along[SHOW_NAME];

    return !strncmp(p->value, "reach_", 6) &&
           show_list(p->s->experiment->layout.reach, 1, along) && !strcmp(along, key);
}

/* A key parts tables when two rows would otherwise meet in one place of the table; a key that depends on the row or the
 * column (threads of a variant) does not.  What all rows have in common is said once. */
static enum bench_status find_keys(struct pivot *p)
{
    const bool is_first = p->page->n_tables == 0;

    p->n_keys = 0;
    for (int i = 0; i < p->s->n_keys; i++) {
        const char *const key = p->s->key[i];
        const char *const only = constant(&p->s->rows, column_of(&p->s->rows, key));
        struct text sql = {0};
        struct table met;

        if (!strcmp(key, p->row) || !strcmp(key, p->column) || is_found(p, key))
            continue;
        if (only && is_first)
            add_constant(&p->page->fixed, key, only);
        if (only)
            continue;
        query_add(&sql,
                  "SELECT 1 FROM placed GROUP BY row_head, column_head "
                  "HAVING count(DISTINCT coalesce(\"%w\", '')) > 1 LIMIT 1",
                  key);
        TRY(query_ask(p->s->store, &sql, &met));
        if (met.n_rows > 0)
            p->key[p->n_keys++] = key;
        table_free(&met);
    }
    return BENCH_OK;
}

/* The condition that a row p belongs into the table that s stands for: a key that it does not have is no difference. */
static void add_belongs(const struct pivot *p, struct text *sql)
{
    for (int i = 0; i < p->n_keys; i++)
        query_add(sql, " AND (p.\"%w\" IS NULL OR p.\"%w\" = s.\"%w\")", p->key[i], p->key[i],
                  p->key[i]);
}

/* The rows that a table is made for: not where another stands for more, the same keys earlier or more of them anywhere. */
static enum bench_status find_standing(const struct pivot *p, struct table *standing)
{
    struct text sql = {0}, keys = {0};

    text_add(&keys, "''"); /* a group also without keys */
    for (int i = 0; i < p->n_keys; i++)
        query_add(&keys, ", \"%w\"", p->key[i]);
    TRY(text_ok(&keys));
    text_format(
        &sql,
        "DROP TABLE IF EXISTS tuple; CREATE TEMP TABLE tuple AS SELECT min(id) AS id, %s "
        "FROM placed GROUP BY %s;",
        keys.data, keys.data);
    text_free(&keys);
    TRY(query_run(p->s->store, &sql));
    text_add(&sql, "SELECT id FROM tuple AS p WHERE NOT EXISTS (SELECT 1 FROM tuple AS s WHERE "
                   "s.id <> p.id");
    add_belongs(p, &sql);
    text_add(&sql, ") ORDER BY id");
    return query_ask(p->s->store, &sql, standing);
}

/* Printed numbers of a name, behind our entries; those of what is beside the table have no column. */
static void add_printed(const struct pivot *p, const char *name, bool is_beside,
                        const char *standing, struct text *sql)
{
    if (!name[0] || !store_has_column(p->s->store, "paper_number", p->row) ||
        !(is_beside || store_has_column(p->s->store, "paper_number", p->column)))
        return;
    query_add(sql, "INSERT INTO entry SELECT 1000000000 + p.id, p.\"%w\", ", p->row);
    query_add(sql, is_beside ? "NULL" : "p.\"%w\"", p->column);
    query_add(
        sql,
        ", 1, p.printed, NULL, NULL FROM paper_number AS p, placed AS s WHERE s.id = %s AND "
        "p.name = %Q "
        "AND p.\"%w\" IS NOT NULL",
        standing, name, p->row);
    if (!is_beside)
        query_add(sql, " AND p.\"%w\" IS NOT NULL", p->column);
    text_bytes(sql, p->about.data, p->about.size);
    text_add(sql, ";");
}

/* Fill 'ours' and 'entry' for the table of one row, and find its rows and columns. */
static enum bench_status enter(const struct pivot *p, const char *standing)
{
    struct text sql = {0};

    text_format(&sql,
                "DROP TABLE IF EXISTS ours; CREATE TEMP TABLE ours AS SELECT p.* FROM placed "
                "AS p, placed AS s "
                "WHERE s.id = %s",
                standing);
    add_belongs(p, &sql);
    text_add(&sql,
             " ORDER BY p.id; DELETE FROM entry;"
             "INSERT INTO entry SELECT id, row_head, column_head, 0, entry_value, entry_other, "
             "CASE WHEN entry_n < (SELECT max(n) FROM ours) THEN entry_n END FROM ours;");
    if (p->beside[0])
        text_add(&sql,
                 "INSERT INTO entry SELECT min(id), row_head, NULL, 0, min(entry_beside), "
                 "max(entry_beside), NULL FROM ours GROUP BY row_head;");
    add_printed(p, p->value, false, standing, &sql);
    add_printed(p, p->beside, true, standing, &sql);
    TRY(query_run(p->s->store, &sql));
    return store_execute(p->s->store, pivot_sql, sizeof pivot_sql);
}

/* A value; of a mean with the deviation of what it is of, and of how many where others are of more; what all columns of a table
 * share where they do not, from the least to the most. */
static void fill_cell(const struct pivot *p, const struct table *cells, int i,
                      struct table *table)
{
    const int row = (int)table_cell(cells, i, 0)->number;
    const int at = (int)table_cell(cells, i, 1)->number;
    const char *const head = show_text(cells, i, 3), *const value = show_text(cells, i, 5);
    const bool are_means = p->s->experiment->layout.over[0] && head[0];
    char title[2 * SHOW_NAME];

    table->printed[at] = table_cell(cells, i, 4)->number > 0;
    snprintf(title, sizeof title, "%s%s", head[0] ? head : p->beside,
             table->printed[at] ? " printed" : "");
    table_name(table, at, title);
    table_text(table, row, 0, TABLE_AS_IS, show_text(cells, i, 2));
    if (table->printed[at])
        table_text(table, row, at, TABLE_AS_IS, value);
    else
        table_pair(table, row, at, are_means ? TABLE_MEAN : TABLE_INTERVAL, value,
                   show_text(cells, i, 6));
    table_cell(table, row, at)->n = (int)table_cell(cells, i, 7)->number;
}

static enum bench_status fill_pivot(const struct pivot *p, struct table **table,
                                    bool *is_printed)
{
    struct text sql = {0};
    struct table cells;
    int n_rows = 0, n_columns = 0;
    enum bench_status status;

    text_add(&sql, "SELECT * FROM pivot_cell");
    TRY(query_ask(p->s->store, &sql, &cells));
    for (int i = 0; i < cells.n_rows; i++) {
        const double row = table_cell(&cells, i, 0)->number,
                     at = table_cell(&cells, i, 1)->number;

        n_rows = row < n_rows ? n_rows : (int)row + 1;
        n_columns = at < n_columns ? n_columns : (int)at + 1;
    }
    status = new_table(p->page, n_columns, n_rows, table);
    if (!status)
        table_name(*table, 0, p->s->experiment->layout.rows);
    *is_printed = false; /* beside does not count */
    for (int i = 0; i < cells.n_rows && !status; i++) {
        fill_cell(p, &cells, i, *table);
        *is_printed |= table_cell(&cells, i, 4)->number > 0 && show_text(&cells, i, 3)[0];
    }
    table_free(&cells);
    return status;
}

/* Of how many samples or processes the rows of a table are, and how sure their medians; of means over runs, of how many these
 * are: where rows are of fewer, they say so. */
static enum bench_status add_note(const struct pivot *p, bool is_printed, struct table *table)
{
    const struct bench_layout *layout = &p->s->experiment->layout;
    const char *const slash = strchr(layout->paper, '/');
    struct text sql = {0}, note = {0};
    struct table counts;
    char number[TEXT_NUMBER];

    text_add(&sql, "SELECT * FROM pivot_count");
    TRY(query_ask(p->s->store, &sql, &counts));
    for (int i = 0; i < counts.n_rows; i++) {
        const char *const least = show_text(&counts, i, 0);
        const char *const most = show_text(&counts, i, 1);
        const char *const of_what = show_text(&counts, i, 2);
        const bool is_one = !strcmp(least, most);

        if (layout->over[0]) {
            text_format(&note, "n %s%s: means over %s, \u00b1 one standard deviation", most,
                        is_one ? "" : " where no other stands", layout->over);
            continue;
        }
        text_short_number(number, table_cell(&counts, i, 3)->number, 2);
        text_format(&note, "%sn %s%s%s%s; %s at most %s %% wide", note.size ? "; " : "", least,
                    is_one ? "" : "..", is_one ? "" : most, of_what,
                    strstr(of_what, "samples") ? "95 % interval of the median"
                                               : "interval over their medians",
                    number);
    }
    table_free(&counts);
    if (is_printed)
        text_format(&note, "%sprinted: the paper's %s", note.size ? "; " : "",
                    slash ? slash + 1 : layout->paper);
    say(table, &table->note, &note);
    return BENCH_OK;
}

static enum bench_status make_table(const struct pivot *p, const char *standing)
{
    struct text sql = {0}, title = {0};
    struct table *table = NULL, keys;
    bool is_printed;

    TRY(enter(p, standing));
    TRY(fill_pivot(p, &table, &is_printed));
    TRY(add_note(p, is_printed, table));
    text_add(&title, strchr(p->s->experiment->layout.value, ',') ? p->value : "");
    query_add(&sql, "SELECT * FROM tuple WHERE id = %s", standing);
    TRY(query_ask(p->s->store, &sql, &keys));
    for (int k = 0; k < p->n_keys; k++)
        add_constant(&title, p->key[k], show_text(&keys, 0, 2 + k));
    table_free(&keys);
    say(table, &table->title, &title);
    return table_ok(table);
}

/* The tables of one value. */
static enum bench_status make_tables(struct pivot *p)
{
    struct table standing;
    enum bench_status status = BENCH_OK;

    TRY(place_rows(p));
    TRY(find_keys(p));
    TRY(find_standing(p, &standing));
    for (int i = 0; i < standing.n_rows && !status; i++)
        status = make_table(p, show_text(&standing, i, 0));
    table_free(&standing);
    return status;
}

static enum bench_status check_value(const struct pivot *p, const char *key, const char *value)
{
    return value[0] == '\0' || show_has_column(p->s, value)
               ? BENCH_OK
               : BENCH_FAIL(BENCH_EINPUT,
                            "%s: [show] %s '%s' is neither a column nor a value of these rows",
                            p->s->experiment->path, key, value);
}

/* A descriptor says 'mode' for the column 'mode_name', ours and the printed numbers'. */
static const char *row_column_name(const char *name)
{
    return !strcmp(name, "mode") ? "mode_name" : name;
}

static enum bench_status make_pivots(const struct showing *s, struct show_page *page)
{
    const struct bench_layout *layout = &s->experiment->layout;
    struct pivot p = {.s = s,
                      .page = page,
                      .row = row_column_name(layout->rows),
                      .column = row_column_name(layout->columns)};
    enum bench_status status;

    if (!show_has_column(s, p.row) || !show_has_column(s, p.column))
        return BENCH_FAIL(BENCH_EINPUT, "%s: [show] names no column of the results: %s",
                          s->experiment->path,
                          show_has_column(s, p.row) ? layout->columns : layout->rows);
    status = add_about(s, "shown_row", p.row, p.column, &p.about);
    for (int i = 0; !status && show_list(layout->value, i, p.value); i++) {
        show_list(layout->beside, i, p.beside);
        status = check_value(&p, "value", p.value);
        if (!status)
            status = check_value(&p, "beside", p.beside);
        if (!status)
            status = make_tables(&p);
    }
    text_free(&p.about);
    return status;
}

/* ---- fits ---- */

/* A column of a table of fits: one column of the fits, or two as an interval or with a half. */
struct fit_column {
    const char *title, *number, *other;
    enum table_kind kind;
};
#define N_FIT_COLUMNS 5

/* A row for each curve: the variant and the keys that are not the same in all, then these columns and what the paper prints. */
static enum bench_status make_fits(const struct showing *s, const struct table *fits,
                                   const char *name, const char *about,
                                   const struct fit_column columns[N_FIT_COLUMNS],
                                   struct show_page *page)
{
    const int x = column_of(fits, "x");
    struct text sql = {0};
    struct table *table = NULL, printed;
    int at = 0;

    TRY(new_table(page, x + N_FIT_COLUMNS + 1, fits->n_rows, &table));
    table_say(table, &table->about, about);
    for (int i = 0; i < x; i++)
        if (i == 0 || !constant(fits, i))
            fill(table, at++, fits->column[i], TABLE_AS_IS, fits, i, -1);
    for (int i = 0; i < N_FIT_COLUMNS; i++)
        fill(table, at++, columns[i].title, columns[i].kind, fits,
             column_of(fits, columns[i].number),
             columns[i].other ? column_of(fits, columns[i].other) : -1);
    text_add(&sql, "SELECT (SELECT p.printed FROM paper_number AS p WHERE p.name = 'exponent'");
    TRY(add_about(s, name, "", "", &sql));
    query_add(&sql, " ORDER BY p.id LIMIT 1) FROM \"%w\" AS s ORDER BY s.rowid", name);
    TRY(query_ask(s->store, &sql, &printed));
    fill(table, at, "printed", TABLE_AS_IS, &printed, 0, -1);
    table->printed[at] = !constant(&printed, 0) || constant(&printed, 0)[0];
    table_free(&printed);
    table_cut(table, at + table->printed[at]);
    return table_ok(table);
}

static enum bench_status make_all_fits(const struct showing *s, struct show_page *page)
{
    const struct table *powers = &s->powers, *sums = &s->sums;
    const char *const x = powers->n_rows ? show_text(powers, 0, column_of(powers, "x")) : "";
    const struct fit_column of_power[N_FIT_COLUMNS] = {
        {x, "x_min", "x_max", TABLE_INTERVAL},
        {"points", "n", NULL, TABLE_NUMBER},
        {"exponent", "exponent", NULL, TABLE_NUMBER},
        {"95 % interval", "exponent_lo", "exponent_hi", TABLE_INTERVAL},
        {"last step", "exponent_last", NULL, TABLE_NUMBER}};
    static const struct fit_column of_sum[N_FIT_COLUMNS] = {
        {"rows", "n", NULL, TABLE_NUMBER},
        {"a, ns", "a_ns", "a_half_ns", TABLE_MEAN},
        {"b, ns", "b_ns", "b_half_ns", TABLE_MEAN},
        {"rms, %", "rms_pct", NULL, TABLE_NUMBER},
        {"worst, %", "worst_pct", NULL, TABLE_NUMBER}};
    char about[400];

    if (powers->n_rows > 0) {
        snprintf(about, sizeof about,
                 "%s ~ %s^exponent, least squares of the logarithms; last step: between the "
                 "two largest alone",
                 show_text(powers, 0, column_of(powers, "value")), x);
        TRY(make_fits(s, powers, "power", about, of_power, page));
    }
    if (sums->n_rows > 0) {
        snprintf(about, sizeof about,
                 "%s = a %s + b %s, least squares of the relative residuals; \u00b1 95 %% "
                 "interval; rms and worst residual",
                 show_text(sums, 0, column_of(sums, "value")),
                 show_text(sums, 0, column_of(sums, "x")),
                 show_text(sums, 0, column_of(sums, "x2")));
        TRY(make_fits(s, sums, "sum", about, of_sum, page));
    }
    return BENCH_OK;
}

/* ---- all of it ---- */

enum bench_status show_tables(struct showing *s, const char *paper_folder,
                              struct show_page *page)
{
    const struct bench_layout *layout = &s->experiment->layout;

    text_add(&page->title, layout->title[0] ? layout->title : s->experiment->title);
    if (layout->unit[0])
        text_format(&page->title, " [%s]", layout->unit);
    if (s->rows.n_rows == 0)
        return text_ok(&page->title);
    if (!layout->rows[0] || !layout->columns[0] || !layout->value[0])
        return make_long(s, page);
    TRY(read_paper(s, paper_folder));
    TRY(make_pivots(s, page));
    return make_all_fits(s, page);
}

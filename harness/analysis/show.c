/*
 * show.c - the rows of an experiment's configurations, as the file that a figure reads or as
 * tables
 *
 * SQL does it in temporary tables: figure.sql chooses rows, number.sql makes of them what
 * [show] asks for, pivot.sql lays out the tables.  What depends on the experiment, its keys and
 * columns, are rows there.
 */
#include "harness/analysis/show.h"

#include "harness/analysis/query.h"
#include "harness/base/listing.h"
#include "harness/base/memory.h"
#include "harness/measure/impl.h"
#include "harness/suite/config.h"
#include "harness/suite/record_private.h"

#include "figure_sql.h"
#include "number_sql.h"
#include "pivot_sql.h"

#include <ctype.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MARKDOWN_COLUMNS 80 /* of what all rows have in common */

/* ---- what an experiment asks for ---- */

/* "eps=4;height=256 input=scene frame_pick=all sms=16": its keys, for people. */
static void add_words(const struct bench_config *config, struct text *words)
{
    char params[BENCH_MAX_PARAMS * 64], value[BENCH_PLAN_TEXT];

    bench_params_text(&config->params, params, sizeof params);
    text_add(words, params);
    for (const struct bench_key *key = bench_plan_keys; key->name; key++) {
        plan_value(&config->plan, key, value);
        if (plan_column(key) && plan_is_axis(key, config->impl->target) &&
            (strcmp(value, key->default_text) != 0 || key - bench_plan_keys < 2))
            text_format(words, " %s=%s", key->name, value);
    }
}

/* A place for a configuration; scope and series NULL where it has no times. */
static void add_place(const char *experiment, const struct bench_config *config,
                      const char *scope, const char *series, struct text *sql)
{
    const struct bench_plan *plan = &config->plan;
    const bool is_of_gpu = config->impl->target == BENCH_CUDA;
    OWNED(text_free) struct text identity = {0};
    OWNED(text_free) struct text words = {0};

    add_words(config, &words);
    sql->failed |= config_text(config, &identity) || words.failed;
    if (!sql->failed)
        query_add(sql,
                  "INSERT INTO place (experiment, section, impl, words, config_id, threads, "
                  "is_of_gpu, "
                  "sms, mode_name, scope, series, with_one_gpu, with_stages, with_energy) "
                  "VALUES (%Q, %Q, %Q, %Q || coalesce(' ' || %Q || '/' || %Q, ''), hash(%Q), "
                  "nullif(%d, 0), %d, nullif(%d, 0), %Q, %Q, %Q, %d, %d, %d);",
                  experiment, config->section, config->impl->name, words.data, scope, series,
                  identity.data, config->impl->target == BENCH_OPENMP ? plan->threads : 0,
                  is_of_gpu, is_of_gpu ? plan->sms : 0,
                  plan_seeks_mode(plan->mode) ? "each" : plan->mode, scope, series,
                  plan->share_device, plan->stages, plan->energy);
}

static void add_places(const struct bench_experiment *e, struct text *sql)
{
    for (int i = 0; i < e->n_configs; i++) {
        const struct bench_config *const config = &e->configs[i];

        if (!config->plan.times)
            add_place(e->name, config, NULL, NULL, sql);
        for (int scope = 0; scope < BENCH_N_SCOPES; scope++)
            for (int series = 0; series < BENCH_N_SERIES; series++)
                if (plan_times(&config->plan, config->impl, (enum bench_scope)scope,
                               (enum bench_series)series))
                    add_place(e->name, config, bench_scope_name[scope],
                              bench_series_name[series], sql);
    }
}

/* The places of these experiments, and the rows that stand there. */
static enum bench_status stand(struct store *store, const struct bench_experiment *e, int n)
{
    struct text sql = {0};

    text_bytes(&sql, figure_sql, sizeof figure_sql);
    text_add(&sql, "DELETE FROM place; DELETE FROM figure_row; DELETE FROM cell;");
    query_add(&sql, "INSERT OR IGNORE INTO known_value VALUES (%Q);", BENCH_EQUAL_VALUE);
    for (int i = 0; bench_problems[i]; i++)
        query_add(&sql,
                  "INSERT OR IGNORE INTO known_value SELECT value FROM json_each('[' || "
                  "replace(json_quote(%Q), ' ', '\",\"') || ']') WHERE value <> '';",
                  bench_problems[i]->value_names ? bench_problems[i]->value_names : "");
    for (int i = 0; i < n; i++)
        add_places(&e[i], &sql);
    text_add(&sql, "INSERT INTO figure_row (experiment, place, measurement, valued) "
                   "SELECT * FROM standing");
    return query_run(store, &sql);
}

/* Headings, and a field of 'table' for each that is needed and not NULL, from an answer: the
 * row, then columns, of which those before 'first' are none; 'n_known': behind so many are
 * keys. */
static enum bench_status add_fields(struct store *store, const char *question, int first,
                                    int n_known, const char *table)
{
    OWNED(text_free) struct text sql = {0};
    OWNED(table_free) struct table needed = {0};
    bool is_needed[STORE_MOST_COLUMNS + 10] = {false};
    OWNED(store_finalize) sqlite3_stmt *rows = NULL;
    sqlite3_stmt *name, *put;
    bool row = false;

    text_format(&sql, "INSERT OR REPLACE INTO %s (id, name, value) VALUES (?1, ?2, ?3)", table);
    TRY(text_ok(&sql));
    TRY(query_table(store, "SELECT group_concat(name, ';') AS names FROM needed", &needed));
    TRY(store_kept(store, sql.data, &put));
    TRY(store_kept(store, "INSERT OR IGNORE INTO heading (name) VALUES (?1)", &name));
    TRY(query_prepare(store, question, &rows));
    for (int i = first; i < sqlite3_column_count(rows); i++) {
        const char *const column = sqlite3_column_name(rows, i);
        const char *const names = query_text(&needed, 0, "names");

        is_needed[i] =
            i >= first + n_known || !*names || text_item(names, column, strlen(column));
        store_bind_text(name, 1, column);
        TRY(store_step(store, name));
    }
    do {
        TRY(store_row(store, rows, &row));
        for (int i = first; row && i < sqlite3_column_count(rows); i++) {
            if (!is_needed[i] || sqlite3_column_type(rows, i) == SQLITE_NULL)
                continue;
            store_bind_text(put, 2, sqlite3_column_name(rows, i));
            NEED(!sqlite3_bind_value(put, 1, sqlite3_column_value(rows, 0)) &&
                     !sqlite3_bind_value(put, 3, sqlite3_column_value(rows, i)),
                 "a figure");
            TRY(store_step(store, put));
        }
    } while (row);
    return BENCH_OK;
}

/* Reads a SELECT in a file beside the descriptor. */
static enum bench_status read_beside(const struct bench_experiment *experiment,
                                     const char *file, struct text *sql)
{
    OWNED(text_free) struct text path = {0};

    text_bytes(&path, experiment->path,
               (size_t)(listing_name(experiment->path) - experiment->path));
    text_add(&path, file);
    TRY(text_ok(&path));
    return text_read_file(path.data, sql);
}

/* Says whose SELECT it was that failed. */
static enum bench_status told_of(enum bench_status status,
                                 const struct bench_experiment *experiment, const char *file)
{
    FAIL_IF(status, status, "%s: [show] %s: %s", experiment->path, file, bench_failure());
    return BENCH_OK;
}

/* Takes an experiment in hand whose rows stand: all fields that a file has of them, or those
 * that tables need. */
static enum bench_status make_fields(const struct bench_experiment *experiment,
                                     struct store *store, bool is_file)
{
    const struct bench_layout *const layout = &experiment->layout;
    const char *more = bench_layout_text(layout, "more");
    OWNED(table_free) struct table slips = {0};
    OWNED(text_free) struct text beside = {0};
    char file[TEXT_ELEMENT];
    OWNED(record_table_free) struct record_table header = {0};
    struct text sql = {0};

    TRY(record_declare(&header));
    query_add(&sql, "INSERT INTO hand VALUES (%Q);", experiment->name);
    for (int i = 0; i < BENCH_LAYOUT_KEYS; i++) /* lists "a, b" */
        query_add(&sql,
                  "INSERT INTO wish SELECT %Q, key, trim(value) FROM json_each('[' || "
                  "replace(json_quote(%Q), ',', '\",\"') || ']') WHERE value <> '';",
                  bench_layout_keys[i].name, layout->text[i]);
    query_add(&sql, "INSERT INTO wish SELECT 'file', 0, '' WHERE %d;", is_file);
    TRY(query_run(store, &sql));
    TRY(add_fields(
        store,
        "SELECT s.at, m.* FROM selected AS s JOIN measurement AS m ON m.id = s.measurement",
        1 + STORE_OWN_COLUMNS, RECORD_N_FIXED, "field"));
    query_add(&sql, "UPDATE heading SET key = at - %d WHERE at > %d AND at <= %d;",
              RECORD_N_FIXED, RECORD_N_FIXED, header.n_columns); /* those that are declared */
    TRY(query_run(store, &sql));
    if (experiment->n_configs > 0 && experiment->configs->plan.scaling != BENCH_ALONE)
        TRY(add_fields(
            store, "SELECT s.at, m.* FROM selected AS s JOIN scaled AS m USING (measurement)",
            2, RECORD_N_FIXED, "field"));
    TRY(store_execute(store, number_sql, sizeof number_sql));
    if (*more && text_next(&more, file)) {
        TRY(read_beside(experiment, file, &beside));
        TRY(told_of(add_fields(store, beside.data, 1, 0, "field"), experiment, file));
    }
    if (*bench_layout_text(layout, "counters"))
        TRY(add_fields(store, "SELECT * FROM counted_row", 1, 0, "field"));
    TRY(query_table(store, "SELECT sentence FROM slip", &slips));
    REFUSE_IF(slips.n_rows > 0, "%s: [show] %s", experiment->path, slips.cell->text);
    return BENCH_OK;
}

/* Chooses the rows of an experiment alone, and makes its fields. */
static enum bench_status take(const struct bench_experiment *experiment, struct store *store,
                              bool is_file)
{
    TRY(stand(store, experiment, 1));
    return make_fields(experiment, store, is_file);
}

struct experiments {
    struct bench_experiment *of; /* [n] */
    int n;
};

static void free_experiments(struct experiments *e)
{
    while (e->n > 0)
        experiment_free(&e->of[--e->n]);
    free(e->of);
}

enum bench_status show_fill(struct store *store, const char *const *path, int n,
                            bool with_cells)
{
    const struct bench_overrides overrides = {.with_absent = true};
    OWNED(free_experiments) struct experiments e = {0};

    TRY(memory_allocate(&e.of, sizeof *e.of, n + 1, 1, 1, 1));
    for (; e.n < n; e.n++)
        TRY(experiment_read(path[e.n], &overrides, &e.of[e.n]));
    TRY(stand(store, e.of, n));
    for (int i = 0; i < n && with_cells; i++) {
        TRY(make_fields(&e.of[i], store, true));
        TRY(store_run(store, "INSERT INTO cell SELECT experiment, id, name, value FROM field, "
                             "hand"));
    }
    return BENCH_OK;
}

/* ---- tables ---- */

/* Reads an answer "row, column, kind, text" in the order of the rows; the first has the titles,
 * whose kind says whether a column is printed. */
static enum bench_status read_sheet(struct store *store, const char *query, int sheet,
                                    struct table *table)
{
    OWNED(table_free) struct table cells = {0};
    struct text sql = {0};
    int n_rows = 0, n_columns = 0, row = -1;

    query_add(&sql, query, sheet);
    TRY(query_ask(store, &sql, &cells));
    for (int i = 0; i < cells.n_rows; i++) {
        const struct table_cell *const at = table_cell(&cells, i, 0);

        n_rows += i > 0 && at[0].number > at[-cells.n_columns].number;
        n_columns += n_rows == 0;
    }
    TRY(table_make(table, n_columns, n_rows));
    for (int i = 0; i < cells.n_rows; i++) {
        const struct table_cell *const at = table_cell(&cells, i, 0);
        const int column = (int)(at[1].number - cells.cell[1].number);

        row += i > 0 && at[0].number > at[-cells.n_columns].number;
        if (row >= 0) {
            table_text(table, row, column, at[2].number > 0 ? TABLE_TOLD : TABLE_AS_IS,
                       query_text(&cells, i, "text"));
            continue;
        }
        table_name(table, column, query_text(&cells, i, "text"));
        table->printed[column] = at[2].number > 0;
    }
    return table_ok(table);
}

/* The answer to a query; texts of others command the terminal nothing. */
static enum bench_status ask_clean(struct store *store, const char *query, struct table *answer)
{
    TRY(query_table(store, query, answer));
    for (int i = 0; i < answer->n_rows * answer->n_columns; i++)
        if (answer->cell[i].text)
            text_clean(answer->cell[i].text, strlen(answer->cell[i].text), "");
    return BENCH_OK;
}

/* Returns the kind of a SELECT's cell: a number as people read it begins as one, and what
 * begins with "(" is the reason why there is none. */
static enum table_kind kind_of(const char *text)
{
    const char *const first = text + strspn(text, "<>~- ");

    return *text == '(' ? TABLE_NONE : isdigit((unsigned char)*first) ? TABLE_TOLD : TABLE_TEXT;
}

/* The columns of an answer that have any text; those of "note" stand below the table.  A first
 * row without a label has titles. */
static enum bench_status take_first(const struct table *answer, struct table *table)
{
    OWNED(text_free) struct text note = {0};
    const int first = !table_cell(answer, 0, 0)->text;
    int from[STORE_MOST_COLUMNS], n = 0;

    for (int i = 0; i < answer->n_columns && n < STORE_MOST_COLUMNS; i++) {
        const bool is_note = !strcmp(answer->column[i], "note");
        bool has_text = i == 0;

        for (int row = first; row < answer->n_rows; row++) {
            const char *const text = table_cell(answer, row, i)->text;

            has_text |= text != NULL;
            if (text && is_note)
                text_format(&note, "%s%s", note.size ? "; " : "", text);
        }
        if (has_text && !is_note)
            from[n++] = i;
    }
    table_make(table, n, answer->n_rows - first);
    for (int i = 0; i < n && !table->failed; i++) {
        const char *const title = first ? table_cell(answer, 0, from[i])->text : NULL;
        const char *const name = title ? title : answer->column[from[i]];
        const size_t n_name = strlen(name), n_word = strlen(TABLE_PRINTED);

        table_name(table, i, name);
        table->printed[i] = n_name > n_word && !strcmp(name + n_name - n_word, TABLE_PRINTED);
        for (int row = first; row < answer->n_rows; row++) {
            const char *const text = table_cell(answer, row, from[i])->text;

            if (text)
                table_text(table, row - first, i, i ? kind_of(text) : TABLE_TEXT, text);
        }
    }
    table_say(table, &table->note, note.data);
    table->failed |= note.failed;
    return table_ok(table);
}

/* The table as the paper prints it. */
static enum bench_status add_first(const struct bench_experiment *experiment,
                                   struct store *store, const char *file,
                                   struct show_page *page)
{
    OWNED(table_free) struct table answer = {0};
    OWNED(text_free) struct text sql = {0};

    TRY(read_beside(experiment, file, &sql));
    TRY(told_of(ask_clean(store, sql.data, &answer), experiment, file));
    page->n_first = answer.n_rows > 0;
    return answer.n_rows > 0 ? take_first(&answer, &page->table[page->n_tables++]) : BENCH_OK;
}

/* The tables of the page, with their texts. */
static enum bench_status add_tables(const struct bench_experiment *experiment,
                                    struct store *store, struct show_page *page)
{
    const char *const first = bench_layout_text(&experiment->layout, "first");
    OWNED(table_free) struct table sheets = {0};

    TRY(ask_clean(store, "SELECT sheet, title, about, note FROM sheet ORDER BY sheet",
                  &sheets));
    TRY(memory_allocate(&page->table, sizeof *page->table, sheets.n_rows + 2, 1, 1, 1));
    if (*first && sheets.n_rows > 0)
        TRY(add_first(experiment, store, first, page));
    for (int i = 0; i < sheets.n_rows; i++) {
        struct table *const table = &page->table[page->n_tables++];
        const struct table_cell *const at = table_cell(&sheets, i, 0);

        TRY(read_sheet(
            store,
            "SELECT row_at, column_at, kind, text FROM sheet_cell WHERE sheet = %d ORDER BY 1, "
            "2",
            (int)at[0].number, table));
        table_say(table, &table->title, at[1].text);
        table_say(table, &table->about, at[2].text);
        table_say(table, &table->note, at[3].text);
        TRY(table_ok(table));
    }
    return BENCH_OK;
}

enum bench_status show_read(const struct bench_experiment *experiment, struct store *store,
                            struct show_page *page)
{
    const char *const title = bench_layout_text(&experiment->layout, "title");
    const char *const said = bench_layout_text(&experiment->layout, "unit");
    const char *const value = bench_layout_text(&experiment->layout, "value");
    const bool has_first = *bench_layout_text(&experiment->layout, "first");
    /* one value has that of its name */
    const char *const unit =
        *said || has_first || fnmatch("*_ms", value, 0) || strchr(value, ',') ? said : "ms";
    OWNED(table_free) struct table texts = {0};

    *page = (struct show_page){0};
    TRY(take(experiment, store, has_first));
    TRY(add_fields(store,
                   "SELECT m.rowid, m.* FROM printed AS m JOIN wish AS w ON w.word = 'paper' "
                   "AND w.name = m.paper || '/' || m.figure",
                   1, 0, "printed_field"));
    TRY(store_execute(store, pivot_sql, sizeof pivot_sql));
    TRY(ask_clean(store, "SELECT * FROM page_text", &texts));
    text_add(&page->fixed, query_text(&texts, 0, "fixed"));
    text_add(&page->mixed, query_text(&texts, 0, "mixed"));
    text_add(&page->unmeasured, query_text(&texts, 0, "unmeasured"));
    text_format(&page->caption, "%s\n", query_text(&texts, 0, "caption"));
    text_add(&page->title, *title ? title : experiment->title);
    if (*unit && has_first) /* which has units of its own */
        text_format(&page->fixed, "%sin %s", page->fixed.size ? ", " : "", unit);
    else if (*unit)
        text_format(&page->title, " [%s]", unit);
    return add_tables(experiment, store, page);
}

void show_page_free(struct show_page *page)
{
    for (int i = 0; i < page->n_tables; i++)
        table_free(&page->table[i]);
    free(page->table);
    text_free(&page->title);
    text_free(&page->fixed);
    text_free(&page->caption);
    text_free(&page->mixed);
    text_free(&page->unmeasured);
    *page = (struct show_page){0};
}

enum bench_status show_rows(const struct bench_experiment *experiment, struct store *store,
                            struct table *rows)
{
    TRY(take(experiment, store, true));
    return read_sheet(
        store,
        "SELECT 0, at, %d, name AS text FROM heading UNION ALL SELECT f.id, h.at, "
        "0, f.value FROM heading AS h CROSS JOIN field AS f ON f.name = h.name "
        "ORDER BY 1, 2",
        0, rows);
}

/* ---- what is written ---- */

/* Adds what all rows have in common, the tables from 'first' on, and the caption. */
static void add_rest(const struct show_page *page, int first,
                     const struct show_options *options, struct text *text)
{
    const bool is_empty = page->n_tables == 0 && page->unmeasured.size == 0;

    table_wrap(text, is_empty ? "No rows." : page->fixed.data, 0, options->width);
    text_add(text, page->fixed.size || is_empty ? "\n" : "");
    for (int i = first; i < page->n_tables; i++) {
        text_add(text, options->format == TABLE_MARKDOWN ? "" : "\n");
        table_render(&page->table[i], options->format, options->width, text);
    }
    if (page->n_tables > 0) {
        text_add(text, "\n");
        table_fold(text, page->caption.data, 0,
                   options->format == TABLE_MARKDOWN ? INT_MAX : options->width);
    }
}

/* The table as the paper prints it, and the others folded, or where to see them. */
static void add_tables_of(const struct show_page *page, const struct show_options *options,
                          struct text *text)
{
    const int n_rest = page->n_tables - page->n_first;
    const bool is_markdown = options->format == TABLE_MARKDOWN;

    for (int i = 0; i < page->n_first; i++)
        table_render(&page->table[i], options->format, options->width, text);
    if (page->n_first == 0 || (n_rest > 0 && options->is_all && !is_markdown)) {
        text_add(text, page->n_first ? "\n" : "");
        add_rest(page, page->n_first, options, text);
    } else if (n_rest > 0 && is_markdown) {
        text_format(text, "\n<details>\n<summary>All rows, %d table%s</summary>\n\n", n_rest,
                    n_rest > 1 ? "s" : "");
        add_rest(page, page->n_first, options, text);
        text_add(text, "\n</details>\n");
    } else if (n_rest > 0) {
        text_format(text, "\nAll rows, %d table%s: the same with --all\n", n_rest,
                    n_rest > 1 ? "s" : "");
    }
}

/* Adds what else is to be known of these rows, below all tables. */
static void add_remarks(const struct show_page *page, const struct show_options *options,
                        struct text *text)
{
    const int width = options->format == TABLE_MARKDOWN ? INT_MAX : options->width;
    const char *const word[] = {"not surely one machine: ", "not measured: "};
    const struct text *const remark[] = {&page->mixed, &page->unmeasured};

    for (int i = 0; i < 2; i++) {
        OWNED(text_free) struct text line = {0};

        text_format(&line, "%s%s\n", word[i], remark[i]->size ? remark[i]->data : "");
        text_add(text, remark[i]->size ? "\n" : "");
        if (remark[i]->size)
            table_fold(text, line.data, 0, width);
        text->failed |= line.failed;
    }
}

static enum bench_status add_page(const struct bench_experiment *experiment,
                                  struct store *store, struct show_options options,
                                  struct text *text)
{
    const bool is_markdown = options.format == TABLE_MARKDOWN;
    OWNED(text_free) struct text head = {0};
    OWNED(show_page_free) struct show_page page = {0};

    TRY(show_read(experiment, store, &page));
    options.width = is_markdown ? MARKDOWN_COLUMNS : options.width;
    text_format(&head, "%s%s%s%s", is_markdown ? "### " : "", experiment->name,
                page.title.size ? ": " : "", page.title.data);
    table_fold(text, head.data, 0, is_markdown ? INT_MAX : options.width);
    text_add(text, is_markdown && page.n_first ? "\n" : "\n\n");
    text->failed |= head.failed;
    add_tables_of(&page, &options, text);
    add_remarks(&page, &options, text);
    if (page.n_tables == 0 && options.format == TABLE_TERMINAL)
        text_format(text,
                    "next: depthbench run %s --quick; --results shows another machine's\n",
                    experiment->name);
    return BENCH_OK;
}

/* Says how much is missing, and each configuration where all is asked for. */
static enum bench_status print_missing(const struct bench_experiment *experiment,
                                       struct store *store, const struct show_options *options)
{
    OWNED(table_free) struct table missing = {0};
    OWNED(text_free) struct text sql = {0};
    OWNED(text_free) struct text text = {0};

    if (!options->notes)
        return BENCH_OK;
    query_add(&sql,
              options->is_all
                  ? "SELECT line FROM missing_line"
                  : "SELECT line || ': depthbench show ' || %Q || ' --all lists them' "
                    "AS line FROM missing_told",
              experiment->name);
    TRY(text_ok(&sql));
    TRY(ask_clean(store, sql.data, &missing));
    for (int i = 0; i < missing.n_rows; i++) {
        text_wrap(&text, query_text(&missing, i, "line"), 0, 2,
                  options->is_all || options->format != TABLE_TERMINAL ? INT_MAX
                                                                       : options->width);
        text_add(&text, "\n");
    }
    return text_print(&text, options->notes);
}

enum bench_status show_write(const struct bench_experiment *experiment, struct store *store,
                             const struct show_options *options, struct text *text)
{
    OWNED(table_free) struct table rows = {0};

    if (options->format != TABLE_CSV) {
        TRY(add_page(experiment, store, *options, text));
    } else {
        TRY(show_rows(experiment, store, &rows));
        table_render(&rows, TABLE_CSV, 0, text);
    }
    TRY(text_ok(text));
    return print_missing(experiment, store, options);
}

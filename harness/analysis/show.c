/*
 * show.c - the rows of an experiment's configurations, as the file that a figure reads or as
 * tables
 *
 * SQL does it in temporary tables: select.sql and choose.sql choose rows, rows.sql and
 * derive.sql make of them what [show] asks for, pivot.sql lays out the tables.  What depends on
 * the experiment, its keys and columns, are rows there.
 */
#include "harness/analysis/show.h"

#include "harness/analysis/query.h"
#include "harness/base/listing.h"
#include "harness/measure/impl.h"
#include "harness/suite/config.h"
#include "harness/suite/record_private.h"

#include "choose_sql.h"
#include "derive_sql.h"
#include "pivot_sql.h"
#include "rows_sql.h"
#include "select_sql.h"

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

/* A configuration; scope and series NULL where it has no times. */
static void want(const struct bench_config *config, const char *scope, const char *series,
                 struct text *sql)
{
    const struct bench_plan *plan = &config->plan;
    const bool is_of_gpu = config->impl->target == BENCH_CUDA;
    struct text identity = {0}, words = {0};

    add_words(config, &words);
    sql->failed |= config_text(config, &identity) || words.failed;
    if (!sql->failed)
        query_add(sql,
                  "INSERT INTO wanted (impl, words, config_id, threads, is_of_gpu, sms, "
                  "mode_name, scope, series, with_one_gpu, with_stages, with_energy) VALUES "
                  "(%Q, %Q || coalesce(' ' || %Q || '/' || %Q, ''), hash(%Q), nullif(%d, 0), "
                  "%d, nullif(%d, 0), %Q, %Q, %Q, %d, %d, %d);",
                  config->impl->name, words.data, scope, series, identity.data,
                  config->impl->target == BENCH_OPENMP ? plan->threads : 0, is_of_gpu,
                  is_of_gpu ? plan->sms : 0, plan_seeks_mode(plan->mode) ? "each" : plan->mode,
                  scope, series, plan->share_device, plan->stages, plan->energy);
    text_free(&identity);
    text_free(&words);
}

static void want_config(const struct bench_config *config, struct text *sql)
{
    if (!config->plan.times)
        want(config, NULL, NULL, sql);
    for (int scope = 0; scope < BENCH_N_SCOPES; scope++)
        for (int series = 0; series < BENCH_N_SERIES; series++)
            if (plan_times(&config->plan, config->impl, (enum bench_scope)scope,
                           (enum bench_series)series))
                want(config, bench_scope_name[scope], bench_series_name[series], sql);
}

static bool is_needed(const struct table *needed, const char *column)
{
    for (int i = 0; i < needed->n_rows; i++) {
        const char *const name = query_text(needed, i, "name");

        if (!strcmp(name, column) || !strcmp(name, "all"))
            return true;
    }
    return false;
}

/* Columns of 'm' in a FROM clause, from 'first' on: of those that are needed, rows of 'fields',
 * in the words of files. */
static enum bench_status add_fields(struct store *store, const char *from, const char *id,
                                    int first, const char *fields)
{
    struct text ask = {0}, sql = {0}, rows = {0};
    struct table needed;
    sqlite3_stmt *all = NULL;
    enum bench_status status;

    TRY(query_table(store, "SELECT name FROM needed", &needed));
    query_add(&ask, "SELECT m.* FROM %s", from);
    status = text_ok(&ask);
    if (!status)
        status = store_prepare(store, ask.data, &all);
    for (int i = first; !status && i < sqlite3_column_count(all); i++) {
        const char *const column = sqlite3_column_name(all, i);

        query_add(&sql, "%s (%Q)",
                  i > first ? "," : "INSERT OR IGNORE INTO shown_column (name) VALUES", column);
        if (is_needed(&needed, column))
            query_add(&rows,
                      ";INSERT OR REPLACE INTO %s SELECT %Q, %s, m.\"%w\" FROM %s "
                      "WHERE m.\"%w\" IS NOT NULL",
                      fields, column, id, column, from, column);
    }
    sqlite3_finalize(all);
    table_free(&needed);
    text_add(&sql, rows.data ? rows.data : "");
    sql.failed |= rows.failed;
    text_free(&ask);
    text_free(&rows);
    if (status)
        text_free(&sql);
    return status ? status : query_run(store, &sql);
}

/* Choose rows, and make of them all fields that a file has, or those that tables need. */
static enum bench_status make_fields(const struct bench_experiment *experiment,
                                     struct store *store, bool is_file)
{
    const struct bench_layout *const layout = &experiment->layout;
    struct record_table header;
    struct text sql = {0};
    struct table slips;
    enum bench_status status = BENCH_OK;

    TRY(record_declare(&header));
    text_bytes(&sql, select_sql, sizeof select_sql);
    for (int i = 0; i < experiment->n_configs; i++)
        want_config(&experiment->configs[i], &sql);
    text_bytes(&sql, choose_sql, sizeof choose_sql);
    text_bytes(&sql, rows_sql, sizeof rows_sql);
    for (int i = 0; i < BENCH_LAYOUT_KEYS; i++) /* lists "a, b" */
        query_add(&sql,
                  "INSERT INTO wish SELECT %Q, key, trim(value) FROM json_each('[' || "
                  "replace(json_quote(%Q), ',', '\",\"') || ']') WHERE value <> '';",
                  bench_layout_keys[i].name, layout->text[i]);
    for (int i = RECORD_N_FIXED; i < header.n_columns; i++) /* keys that are declared */
        query_add(&sql, "INSERT INTO key_name VALUES (%d, %Q);", 1 + i - RECORD_N_FIXED,
                  header.column[i]);
    query_add(&sql,
              "INSERT INTO wish SELECT 'file', 0, 'all' WHERE %d; INSERT OR IGNORE INTO needed "
              "SELECT name FROM key_name UNION SELECT name FROM wish;",
              is_file);
    record_table_free(&header);
    query_add(&sql, "INSERT INTO known_value VALUES (%Q);", BENCH_EQUAL_VALUE);
    for (int i = 0; bench_problems[i]; i++)
        query_add(&sql,
                  "INSERT OR IGNORE INTO known_value SELECT value FROM json_each('[' || "
                  "replace(json_quote(%Q), ' ', '\",\"') || ']') WHERE value <> '';",
                  bench_problems[i]->value_names ? bench_problems[i]->value_names : "");
    TRY(query_run(store, &sql));
    TRY(add_fields(store, "selected AS s JOIN measurement AS m ON m.id = s.measurement",
                   "s.place", STORE_OWN_COLUMNS, "field"));
    if (experiment->n_configs > 0 && experiment->configs->plan.scaling != BENCH_ALONE)
        TRY(add_fields(store, "selected AS s JOIN scaled AS m ON m.measurement = s.measurement",
                       "s.place", 1, "field"));
    TRY(store_execute(store, derive_sql, sizeof derive_sql));
    if (*bench_layout_text(layout, "counters"))
        TRY(add_fields(store, "counted_row AS m", "m.id", 1, "field"));
    TRY(query_table(store, "SELECT sentence FROM slip", &slips));
    if (slips.n_rows > 0)
        status = BENCH_FAIL(BENCH_EINPUT, "%s: [show] %s", experiment->path, slips.cell->text);
    table_free(&slips);
    return status;
}

/* ---- tables ---- */

/* Of an answer "row, column, kind, text": rows from 1 on.  Row 0 has the titles, whose kind
 * says whether a column is printed. */
static enum bench_status read_sheet(struct store *store, const char *query, int sheet,
                                    struct table *table)
{
    struct text sql = {0};
    struct table cells;
    int n_rows = 0, n_columns = 0;
    enum bench_status status;

    query_add(&sql, query, sheet, sheet, sheet);
    TRY(query_ask(store, &sql, &cells));
    for (int i = 0; i < cells.n_rows; i++) {
        const struct table_cell *const at = table_cell(&cells, i, 0);

        n_rows = at[0].number > n_rows ? (int)at[0].number : n_rows;
        n_columns = at[1].number >= n_columns ? (int)at[1].number + 1 : n_columns;
    }
    status = table_make(table, n_columns, n_rows);
    for (int i = 0; i < cells.n_rows && !status; i++) {
        const struct table_cell *const at = table_cell(&cells, i, 0);
        const int row = (int)at[0].number, column = (int)at[1].number;

        if (row > 0) {
            table_text(table, row - 1, column, at[2].number > 0 ? TABLE_TOLD : TABLE_AS_IS,
                       query_text(&cells, i, "text"));
            continue;
        }
        table_name(table, column, query_text(&cells, i, "text"));
        table->printed[column] = at[2].number > 0;
    }
    table_free(&cells);
    return status;
}

/* The answer to a query; what others wrote commands the terminal nothing. */
static enum bench_status ask_clean(struct store *store, const char *query, struct table *answer)
{
    TRY(query_table(store, query, answer));
    for (int i = 0; i < answer->n_rows * answer->n_columns; i++)
        if (answer->cell[i].text)
            text_clean(answer->cell[i].text, strlen(answer->cell[i].text), "");
    return BENCH_OK;
}

/* What a cell of a SELECT is: a number as people read it begins as one, and what begins with
 * "(" is the reason why there is none. */
static enum table_kind kind_of(const char *text)
{
    const char *const first = text + strspn(text, "<>~- ");

    return *text == '(' ? TABLE_NONE : isdigit((unsigned char)*first) ? TABLE_TOLD : TABLE_TEXT;
}

/* The columns of an answer that have any text; those of "note" stand below the table.  A first row
 * without a label has titles. */
static enum bench_status take_first(const struct table *answer, struct table *table)
{
    struct text note = {0};
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
    text_free(&note);
    return table_ok(table);
}

/* The table as the paper prints it: the answer to the SELECT beside the descriptor. */
static enum bench_status add_first(const struct bench_experiment *experiment,
                                   struct store *store, const char *file,
                                   struct show_page *page)
{
    char path[sizeof experiment->path + BENCH_LAYOUT_TEXT], why[400];
    struct text sql = {0};
    struct table answer = {0};
    enum bench_status status;

    snprintf(path, sizeof path, "%.*s%s",
             (int)(listing_name(experiment->path) - experiment->path), experiment->path, file);
    TRY(text_read_file(path, &sql));
    status = ask_clean(store, sql.data, &answer);
    text_free(&sql);
    if (status) {
        snprintf(why, sizeof why, "%s", bench_failure());
        return BENCH_FAIL(status, "%s: [show] %s: %s", experiment->path, file, why);
    }
    page->n_first = answer.n_rows > 0;
    if (answer.n_rows > 0)
        status = take_first(&answer, &page->table[page->n_tables++]);
    table_free(&answer);
    return status;
}

/* The tables of the page, with their texts. */
static enum bench_status add_tables(const struct bench_experiment *experiment,
                                    struct store *store, struct show_page *page)
{
    const char *const first = bench_layout_text(&experiment->layout, "first");
    struct table sheets;
    enum bench_status status = BENCH_OK;

    TRY(ask_clean(store, "SELECT sheet, title, about, note FROM sheet ORDER BY sheet",
                  &sheets));
    page->table = calloc((size_t)sheets.n_rows + 2, sizeof *page->table);
    if (!page->table)
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for tables");
    if (!status && *first && sheets.n_rows > 0)
        status = add_first(experiment, store, first, page);
    for (int i = 0; i < sheets.n_rows && !status; i++) {
        struct table *const table = &page->table[page->n_tables++];
        const struct table_cell *const at = table_cell(&sheets, i, 0);

        status = read_sheet(
            store,
            "SELECT max(0, row_at - (SELECT min(at) - 1 FROM sheet_row WHERE sheet = %d)), "
            "column_at - (SELECT min(at) FROM sheet_column WHERE sheet = %d), kind, text "
            "FROM sheet_cell WHERE sheet = %d",
            (int)at[0].number, table);
        table_say(table, &table->title, at[1].text);
        table_say(table, &table->about, at[2].text);
        table_say(table, &table->note, at[3].text);
        status = status ? status : table_ok(table);
    }
    table_free(&sheets);
    return status;
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
    struct table texts;
    enum bench_status status;

    *page = (struct show_page){0};
    TRY(make_fields(experiment, store, has_first));
    TRY(add_fields(store,
                   "printed AS m JOIN wish AS w ON w.word = 'paper' AND w.name = m.paper || "
                   "'/' || m.figure",
                   "m.rowid", 0, "printed_field"));
    TRY(store_execute(store, pivot_sql, sizeof pivot_sql));
    TRY(ask_clean(store, "SELECT * FROM page_text", &texts));
    text_add(&page->fixed, query_text(&texts, 0, "fixed"));
    text_add(&page->mixed, query_text(&texts, 0, "mixed"));
    text_add(&page->unmeasured, query_text(&texts, 0, "unmeasured"));
    text_format(&page->caption, "%s\n", query_text(&texts, 0, "caption"));
    table_free(&texts);
    text_add(&page->title, *title ? title : experiment->title);
    if (*unit && has_first) /* which has units of its own */
        text_format(&page->fixed, "%sin %s", page->fixed.size ? ", " : "", unit);
    else if (*unit)
        text_format(&page->title, " [%s]", unit);
    status = add_tables(experiment, store, page);
    if (status)
        show_page_free(page);
    return status;
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
    TRY(make_fields(experiment, store, true));
    TRY(read_sheet(store,
                   "SELECT 0, at - 1, 0, name AS text FROM shown_column UNION ALL "
                   "SELECT r.at, c.at - 1, 0, f.value FROM shown_column AS c "
                   "CROSS JOIN field AS f ON f.name = c.name JOIN row_at AS r ON r.id = f.id",
                   0, rows));
    return table_ok(rows);
}

/* ---- what is written ---- */

/* What all rows have in common, the tables from 'first' on, caption. */
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

/* What else is to be known of these rows, below all tables. */
static void add_remarks(const struct show_page *page, const struct show_options *options,
                        struct text *text)
{
    const int width = options->format == TABLE_MARKDOWN ? INT_MAX : options->width;
    const char *const word[] = {"not surely one machine: ", "not measured: "};
    const struct text *const remark[] = {&page->mixed, &page->unmeasured};

    for (int i = 0; i < 2; i++) {
        struct text line = {0};

        text_format(&line, "%s%s\n", word[i], remark[i]->size ? remark[i]->data : "");
        text_add(text, remark[i]->size ? "\n" : "");
        if (remark[i]->size)
            table_fold(text, line.data, 0, width);
        text->failed |= line.failed;
        text_free(&line);
    }
}

static enum bench_status add_page(const struct bench_experiment *experiment,
                                  struct store *store, struct show_options options,
                                  struct text *text)
{
    const bool is_markdown = options.format == TABLE_MARKDOWN;
    struct text head = {0};
    struct show_page page;

    TRY(show_read(experiment, store, &page));
    options.width = is_markdown ? MARKDOWN_COLUMNS : options.width;
    text_format(&head, "%s%s%s%s", is_markdown ? "### " : "", experiment->name,
                page.title.size ? ": " : "", page.title.data);
    table_fold(text, head.data, 0, is_markdown ? INT_MAX : options.width);
    text_add(text, is_markdown && page.n_first ? "\n" : "\n\n");
    text->failed |= head.failed;
    text_free(&head);
    add_tables_of(&page, &options, text);
    add_remarks(&page, &options, text);
    if (page.n_tables == 0 && options.format == TABLE_TERMINAL)
        text_format(text,
                    "next: depthbench run %s --quick; --results shows another machine's\n",
                    experiment->name);
    show_page_free(&page);
    return BENCH_OK;
}

/* What is missing: how much, and each configuration where all is asked for. */
static enum bench_status print_missing(const struct bench_experiment *experiment,
                                       struct store *store, const struct show_options *options)
{
    struct table missing;
    struct text sql = {0}, text = {0};
    enum bench_status status;

    if (!options->notes)
        return BENCH_OK;
    query_add(&sql,
              options->is_all
                  ? "SELECT line FROM missing_line"
                  : "SELECT line || ': depthbench show ' || %Q || ' --all lists them' "
                    "AS line FROM missing_told",
              experiment->name);
    status = text_ok(&sql);
    if (!status)
        status = ask_clean(store, sql.data, &missing);
    text_free(&sql);
    TRY(status);
    for (int i = 0; i < missing.n_rows; i++) {
        text_wrap(&text, query_text(&missing, i, "line"), 0, 2,
                  options->is_all || options->format != TABLE_TERMINAL ? INT_MAX
                                                                       : options->width);
        text_add(&text, "\n");
    }
    table_free(&missing);
    status = text_print(&text, options->notes);
    text_free(&text);
    return status;
}

enum bench_status show_write(const struct bench_experiment *experiment, struct store *store,
                             const struct show_options *options)
{
    struct table rows = {0};
    struct text text = {0};
    enum bench_status status;

    if (options->format != TABLE_CSV)
        status = add_page(experiment, store, *options, &text);
    else if (!(status = show_rows(experiment, store, &rows)))
        table_render(&rows, TABLE_CSV, 0, &text);
    if (!status)
        status = text_ok(&text);
    if (!status)
        status = print_missing(experiment, store, options);
    if (!status && options->out)
        status = text_print(&text, options->out);
    table_free(&rows);
    text_free(&text);
    return status;
}

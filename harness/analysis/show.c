/* show.c - the rows that stand for an experiment's cells, and the files that a figure reads */
#include "harness/analysis/show.h"

#include "harness/analysis/html.h"
#include "harness/analysis/select.h"
#include "harness/analysis/store.h"
#include "harness/impl.h"
#include "harness/problem.h"
#include "harness/record_private.h"
#include "harness/analysis/show_private.h"
#include "harness/text.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_COLUMNS 80
#define N_SINGLE_NOTES \
    3 /* cells of one variant missing for one reason that are named one by one */

/* ---- what is asked for ---- */

struct selection {
    const struct bench_experiment *experiment;
    struct show_keys keys;
    struct store *store;
    struct wanted *wanted;
    int n_wanted;
    struct selected *selected;
};

static enum bench_status out_of_memory(void)
{
    return BENCH_FAIL(BENCH_ENOMEM, "out of memory for choosing rows");
}

/* Where all is copied, nobody needs to be told so. */
static bool has_transfers(const struct bench_experiment *experiment)
{
    for (int i = 0; i < experiment->n_cells; i++)
        if (experiment->cells[i].plan.transfer != BENCH_COPY)
            return true;
    return false;
}

/* Nor that all ran on the whole card. */
static bool has_parts(const struct bench_experiment *experiment)
{
    for (int i = 0; i < experiment->n_cells; i++)
        if (experiment->cells[i].plan.sms != 0)
            return true;
    return false;
}

static enum bench_status make_keys(const struct bench_experiment *experiment,
                                   struct show_keys *keys)
{
    static const char *const others[] = {"input",   "case",  "batch",  "threads", "mode_name",
                                         "machine", "scope", "series", "lap"};
    const int n_others = (int)(sizeof others / sizeof *others);
    const int limit = (int)(sizeof keys->name / sizeof *keys->name) - n_others - 2;

    *keys = (struct show_keys){0};
    TRY(record_declare(&keys->columns));
    for (int i = RECORD_N_FIXED; i < keys->columns.n_columns && keys->n < limit; i++)
        keys->name[keys->n++] = keys->columns.column[i];
    keys->n_declared = keys->n;
    for (int i = 0; i < n_others; i++)
        keys->name[keys->n++] = others[i];
    if (has_transfers(experiment))
        keys->name[keys->n++] = "transfer";
    if (has_parts(experiment))
        keys->name[keys->n++] = "sms";
    return BENCH_OK;
}

static void want(struct selection *selection, const struct bench_cell *cell, const char *scope,
                 const char *series)
{
    selection->wanted[selection->n_wanted++] =
        (struct wanted){.cell = cell, .scope = scope, .series = series};
}

static void want_cell(struct selection *selection, const struct bench_cell *cell)
{
    if (!cell->plan.times) {
        want(selection, cell, NULL, NULL);
        return;
    }
    for (int scope = 0; scope < BENCH_N_SCOPES; scope++)
        for (int series = 0; series < BENCH_N_SERIES; series++)
            if ((cell->plan.scopes & 1u << scope) && (cell->plan.series & 1u << series) &&
                (scope != BENCH_DEVICE || cell->impl->target == BENCH_CUDA))
                want(selection, cell, bench_scope_name[scope], bench_series_name[series]);
}

static enum bench_status want_all(struct selection *selection)
{
    const struct bench_experiment *experiment = selection->experiment;
    size_t most = (size_t)experiment->n_cells * BENCH_N_SCOPES * BENCH_N_SERIES;

    selection->wanted = malloc((most + 1) * sizeof *selection->wanted);
    if (!selection->wanted)
        return out_of_memory();
    for (int i = 0; i < experiment->n_cells; i++)
        want_cell(selection, &experiment->cells[i]);
    return BENCH_OK;
}

/* ---- reading ---- */

/* The selected rows with a column for each scalar of their values, which a column of a row's own name parts from that. */
static enum bench_status rows_query(const struct selection *selection, struct text *sql)
{
    struct record_table header;
    sqlite3_stmt *names;
    enum bench_status status;
    bool row;

    text_add(sql, "SELECT m.*, NULL AS processes");
    TRY(store_prepare(selection->store,
                      "SELECT v.name, min(s.place) AS place, v.rowid AS at FROM selected AS s "
                      "JOIN value AS v ON v.measurement = s.valued WHERE v.idx IS NULL "
                      "GROUP BY v.name ORDER BY place, at",
                      &names));
    status = select_header(selection->store, &header);
    while (!status && !(status = store_row(selection->store, names, &row)) && row) {
        const char *name = (const char *)sqlite3_column_text(names, 0);
        const bool is_taken = record_column(&header, name) >= 0 || !strcmp(name, "processes");
        char *column = sqlite3_mprintf(
            ", (SELECT value FROM value WHERE measurement = s.valued AND name = %Q AND idx IS "
            "NULL ORDER BY rowid DESC LIMIT 1) AS \"%s%w\"",
            name, is_taken ? "value_" : "", name);

        text_add(sql, column ? column : "");
        sql->failed |= !column;
        sqlite3_free(column);
    }
    sqlite3_finalize(names);
    record_table_free(&header);
    text_add(sql, " FROM selected AS s JOIN measurement AS m ON m.id = s.measurement "
                  "ORDER BY s.place");
    return status ? status : text_ok(sql);
}

static enum bench_status read_members(const struct selection *selection, long long row,
                                      struct record_table *members)
{
    long long member[RECORD_MAX_RUNS];
    int n;

    TRY(select_header(selection->store, members));
    TRY(select_processes(selection->store, row, member, &n));
    for (int i = 0; i < n; i++)
        TRY(select_row(selection->store, member[i], members));
    return BENCH_OK;
}

/* A row with what its processes say together: 'members' are their rows. */
static enum bench_status add_row(const struct record_table *raw, int row,
                                 const struct record_table *members, const char **fields,
                                 struct record_table *rows)
{
    char count[TEXT_NUMBER], time[SHOW_N_TIMES][TEXT_NUMBER];
    const int n = members->n_rows;
    int member[RECORD_MAX_RUNS];
    double number;

    for (int i = 0; i < raw->n_columns; i++)
        fields[i] = show_at(raw, row, i);
    for (int i = 0; i < n; i++)
        member[i] = i;
    text_number(count, n);
    fields[record_column(raw, "sms")] = record_sms(raw, row);
    if (record_get(raw, row, "scope")[0] != '\0')
        fields[record_column(raw, "processes")] = count;
    for (int i = 0; i < SHOW_N_TIMES && n > 1; i++)
        if (record_over_processes(members, member, n, show_time_columns[i], &number)) {
            text_number(time[i], number);
            fields[record_column(raw, show_time_columns[i])] = time[i];
        }
    if (n > 1)
        fields[record_column(raw, "n")] = count;
    return record_add_row(rows, fields);
}

static enum bench_status add_rows(const struct selection *selection,
                                  const struct record_table *raw, struct record_table *rows)
{
    const char **fields = calloc((size_t)raw->n_columns, sizeof *fields);
    sqlite3_stmt *places;
    enum bench_status status = fields ? BENCH_OK : out_of_memory();
    bool found = true;

    for (int i = 0; i < raw->n_columns && !status; i++)
        status = record_add_column(rows, raw->column[i]);
    if (!status)
        status = store_prepare(selection->store,
                               "SELECT measurement FROM selected ORDER BY place", &places);
    if (status) {
        free(fields);
        return status;
    }
    for (int row = 0; row < raw->n_rows && !status; row++) {
        struct record_table members = {0};

        status = store_row(selection->store, places, &found);
        if (!status)
            status = read_members(selection, sqlite3_column_int64(places, 0), &members);
        if (!status)
            status = add_row(raw, row, &members, fields, rows);
        record_table_free(&members);
    }
    sqlite3_finalize(places);
    free(fields);
    return status;
}

static enum bench_status read_rows(const struct selection *selection, struct shown *shown)
{
    struct record_table raw = {0};
    struct text sql = {0};
    enum bench_status status = rows_query(selection, &sql);

    if (!status)
        status =
            select_table(selection->store, "measurement", sql.data, STORE_OWN_COLUMNS, &raw);
    if (!status)
        status = add_rows(selection, &raw, &shown->rows);
    shown->first_value = record_column(&shown->rows, "processes") + 1;
    record_table_free(&raw);
    text_free(&sql);
    return status;
}

/* Values are a cell's, whatever was timed: each set of them once. */
static enum bench_status read_values(const struct selection *selection, struct shown *shown)
{
    struct text sql = {0};
    enum bench_status status;

    text_add(&sql, "SELECT m.impl");
    for (int i = 0; i < selection->keys.n_declared; i++)
        text_format(&sql, ", m.\"%s\"", selection->keys.name[i]);
    text_add(&sql,
             ", m.input, m.frame_pick, m.batch, m.threads, m.mode_name, m.machine, v.name, "
             "v.idx AS \"index\", v.value, v.unit FROM (SELECT min(place) AS place, "
             "measurement, valued "
             "FROM selected WHERE valued IS NOT NULL GROUP BY valued) AS s "
             "JOIN measurement AS m ON m.id = s.measurement "
             "JOIN value AS v ON v.measurement = s.valued ORDER BY s.place, v.rowid");
    status = text_ok(&sql);
    if (!status)
        status = select_table(selection->store, "value", sql.data, 0, &shown->values);
    text_free(&sql);
    return status;
}

/* ---- what is missing ---- */

/* What was asked for, in words. */
static void wanted_text(const struct wanted *wanted, struct text *text)
{
    const struct bench_plan *plan = &wanted->cell->plan;
    char params[1024];

    bench_params_text(&wanted->cell->params, params, sizeof params);
    text_format(text, "%s input=%s case=%s", params, plan->input, bench_case_name[plan->which]);
    if (plan->batch != 1)
        text_format(text, " batch=%d", plan->batch);
    if (plan->transfer != BENCH_COPY)
        text_format(text, " transfer=%s", bench_transfer_name[plan->transfer]);
    if (plan->sms != 0)
        text_format(text, " sms=%d", plan->sms);
    if (strcmp(plan->mode, "any") != 0)
        text_format(text, " mode=%s", plan->mode);
    if (wanted->scope)
        text_format(text, " %s/%s", wanted->scope, wanted->series);
}

/* Takes the texts of what was not found. */
static enum bench_status take_missing(const struct selection *selection, struct show_page *page)
{
    struct selected *selected = selection->selected;

    page->missing = calloc((size_t)selected->n_missing + 1, sizeof *page->missing);
    if (!page->missing)
        return out_of_memory();
    for (int i = 0; i < selected->n_missing; i++) {
        struct selected_missing *from = &selected->missing[i];
        const struct wanted *wanted = &selection->wanted[from->wanted];
        struct text cell = {0};

        wanted_text(wanted, &cell);
        page->missing[page->n_missing++] =
            (struct show_missing){.impl = wanted->cell->impl->name,
                                  .cell = cell.data,
                                  .why = from->why,
                                  .folder = selected->n_folders > 1 ? from->folder : NULL};
        from->why = NULL;
        if (selected->n_folders > 1)
            from->folder = NULL;
        TRY(text_ok(&cell));
    }
    return BENCH_OK;
}

static bool same_note(const struct show_missing *a, const struct show_missing *b)
{
    return a->impl == b->impl && !strcmp(a->why, b->why) &&
           (!a->folder || !strcmp(a->folder, b->folder));
}

/* Cells of one variant that are missing for one reason: a line each, or one for more than N_SINGLE_NOTES; at the place of the
 * first of them. */
static void print_missing(struct show_page *page, FILE *notes)
{
    for (int i = 0; i < page->n_missing; i++) {
        const struct show_missing *first = &page->missing[i];
        int n_same = 0;

        if (first->is_told)
            continue;
        for (int k = i; k < page->n_missing; k++)
            n_same += same_note(first, &page->missing[k]);
        for (int k = i; k < page->n_missing; k++) {
            struct show_missing *missing = &page->missing[k];

            if (!same_note(first, missing))
                continue;
            missing->is_told = true;
            if (k > i && n_same > N_SINGLE_NOTES)
                continue;
            fprintf(notes, "missing: %s", missing->impl);
            if (n_same > N_SINGLE_NOTES)
                fprintf(notes, ": %d cells, the first", n_same);
            fprintf(notes, " %s: %s", missing->cell, missing->why);
            fprintf(notes, missing->folder ? " (%s)\n" : "\n", missing->folder);
        }
    }
}

/* ---- all of it ---- */

static void selection_free(struct selection *selection)
{
    selected_free(selection->selected);
    free(selection->wanted);
    record_table_free(&selection->keys.columns);
}

static void shown_free(struct shown *shown)
{
    record_table_free(&shown->rows);
    record_table_free(&shown->values);
    record_table_free(&shown->powers);
    record_table_free(&shown->sums);
    text_free(&shown->caption);
}

/* Put what [show] derives from the rows into their place; the caption is of the rows themselves. */
static enum bench_status derive(const struct selection *selection, struct shown *shown)
{
    struct record_table derived;
    enum bench_status status;

    TRY(show_derive(selection->experiment, selection->store, shown, &selection->keys,
                    &derived));
    status = show_caption(shown, derived.n_columns > 0 ? &derived : &shown->rows,
                          selection->experiment->layout.over[0] != '\0');
    if (derived.n_columns > 0) {
        record_table_free(&shown->rows);
        shown->rows = derived;
    }
    if (status == BENCH_OK)
        status = show_counters(selection->experiment, selection->store, &shown->rows);
    return status;
}

static enum bench_status select_all_wanted(struct selection *selection)
{
    TRY(want_all(selection));
    return select_rows(selection->store, selection->wanted, selection->n_wanted,
                       selection->selected);
}

static enum bench_status choose(struct selection *selection, struct shown *shown)
{
    TRY(make_keys(selection->experiment, &selection->keys));
    TRY(select_all_wanted(selection));
    TRY(read_rows(selection, shown));
    TRY(read_values(selection, shown));
    return derive(selection, shown);
}

/* ---- as files ---- */

static enum bench_status csv_of(const struct record_table *table, struct text *text)
{
    for (int row = -1; row < table->n_rows; row++)
        for (int i = 0; i < table->n_columns; i++) {
            text_csv(text, row < 0 ? table->column[i] : show_at(table, row, i));
            text_add(text, i + 1 < table->n_columns ? "," : "\n");
        }
    return text_ok(text);
}

static enum bench_status write_one(const char *folder, const char *name, const char *suffix,
                                   const struct text *text)
{
    struct text path = {0};
    enum bench_status status;
    char *slash;

    text_format(&path, "%s/%s", folder, name);
    TRY(text_ok(&path));
    slash = strrchr(path.data, '/');
    *slash = '\0';
    status = text_make_folder(path.data);
    *slash = '/';
    text_add(&path, suffix);
    if (status == BENCH_OK)
        status = text_ok(&path);
    if (status == BENCH_OK)
        status = text_replace_file(path.data, text);
    text_free(&path);
    return status;
}

/* Nothing of a table without columns. */
static enum bench_status write_table(const char *folder, const char *name, const char *suffix,
                                     const struct record_table *table)
{
    struct text csv = {0};
    enum bench_status status = csv_of(table, &csv);

    if (!status && table->n_columns > 0)
        status = write_one(folder, name, suffix, &csv);
    text_free(&csv);
    return status;
}

/* The rows last: who finds them finds the others. */
static enum bench_status write_files(const char *folder, const char *name,
                                     const struct shown *shown)
{
    TRY(write_table(folder, name, ".fit.csv", &shown->powers));
    TRY(write_table(folder, name, ".linear.csv", &shown->sums));
    TRY(write_table(folder, name, ".values.csv", &shown->values));
    TRY(write_one(folder, name, ".caption.txt", &shown->caption));
    return write_table(folder, name, ".csv", &shown->rows);
}

static const char *words(const struct text *text)
{
    return text->size > 0 ? text->data : "";
}

static void add_paragraph(const char *sentence, struct text *text)
{
    text_add(text, "<p>");
    html_text(text, sentence ? sentence : "");
    text_add(text, "</p>\n");
}

static void render_html(const struct show_page *page, struct text *text)
{
    text_add(text, "<h3>");
    html_text(text, words(&page->title));
    text_add(text, "</h3>\n");
    add_paragraph(words(&page->fixed), text);
    for (int i = 0; i < page->n_tables; i++) {
        const struct table *table = &page->table[i];

        if (table->about)
            add_paragraph(table->about, text);
        table_render(table, TABLE_HTML, 0, text);
        if (table->note)
            add_paragraph(table->note, text);
    }
    add_paragraph(words(&page->caption), text);
}

/* Title, what all rows have in common, tables, caption. */
static void render(const struct show_page *page, const char *name,
                   const struct show_options *options, struct text *text)
{
    const bool as_markdown = options->format == TABLE_MARKDOWN;

    text_format(text, "%s%s%s%s\n\n", as_markdown ? "### " : "", name,
                page->title.size ? ": " : "", words(&page->title));
    if (page->n_rows == 0) {
        text_add(text, "No rows.\n");
        return;
    }
    table_wrap(text, words(&page->fixed), 0, as_markdown ? PAGE_COLUMNS : options->width);
    text_add(text, page->fixed.size ? "\n" : "");
    for (int i = 0; i < page->n_tables; i++) {
        text_add(text, as_markdown ? "" : "\n");
        table_render(&page->table[i], options->format, options->width, text);
    }
    text_format(text, "\n%s", words(&page->caption));
}

/* ---- what others ask for ---- */

void show_page_free(struct show_page *page)
{
    for (int i = 0; i < page->n_tables; i++)
        table_free(&page->table[i]);
    for (int i = 0; i < page->n_missing; i++) {
        free(page->missing[i].cell);
        free(page->missing[i].why);
        free(page->missing[i].folder);
    }
    free(page->table);
    free(page->missing);
    text_free(&page->title);
    text_free(&page->fixed);
    text_free(&page->caption);
    *page = (struct show_page){0};
}

/* The rows as data and, where 'page' is asked for, for people; 'shown' is to be freed after a failure, too. */
static enum bench_status read_both(struct selection *selection, const char *paper,
                                   bool with_tables, struct shown *shown,
                                   struct show_page *page)
{
    TRY(choose(selection, shown));
    TRY(take_missing(selection, page));
    TRY(show_fit(selection->experiment, shown, &selection->keys));
    page->n_rows = shown->rows.n_rows;
    text_bytes(&page->caption, words(&shown->caption), shown->caption.size);
    return with_tables
               ? show_tables(selection->experiment, shown, &selection->keys, paper, page)
               : text_ok(&page->caption);
}

enum bench_status show_read(const struct bench_experiment *experiment, struct store *store,
                            const char *paper, struct show_page *page)
{
    struct selected selected = {0};
    struct selection selection = {
        .experiment = experiment, .store = store, .selected = &selected};
    struct shown shown = {0};
    enum bench_status status;

    *page = (struct show_page){0};
    status = read_both(&selection, paper, true, &shown, page);
    if (status)
        show_page_free(page);
    shown_free(&shown);
    selection_free(&selection);
    return status;
}

enum bench_status show_has_rows(const struct bench_experiment *experiment, struct store *store,
                                bool *has_rows)
{
    struct selected selected = {0};
    struct selection selection = {
        .experiment = experiment, .store = store, .selected = &selected};
    const enum bench_status status = select_all_wanted(&selection);

    *has_rows = selected.n > 0;
    selection_free(&selection);
    return status;
}

enum bench_status show_write(const struct bench_experiment *experiment, struct store *store,
                             const struct show_options *options)
{
    const bool as_rows = options->format == TABLE_CSV;
    struct selected selected = {0};
    struct selection selection = {
        .experiment = experiment, .store = store, .selected = &selected};
    struct shown shown = {0};
    struct show_page page = {0};
    struct text text = {0};
    enum bench_status status = read_both(&selection, options->paper, !as_rows, &shown, &page);

    if (options->notes)
        print_missing(&page, options->notes);
    if (!status && as_rows && options->folder) {
        status = write_files(options->folder, experiment->name, &shown);
    } else if (!status) {
        if (as_rows)
            csv_of(&shown.rows, &text);
        else if (options->format == TABLE_HTML)
            render_html(&page, &text);
        else
            render(&page, experiment->name, options, &text);
        status = text_ok(&text);
        if (!status && options->out)
            status = text_print(&text, options->out);
    }
    text_free(&text);
    show_page_free(&page);
    shown_free(&shown);
    selection_free(&selection);
    return status;
}

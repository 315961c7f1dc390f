/* show.c - the rows that stand for an experiment's cells, and the files that a figure reads */
#include "harness/show.h"

#include "harness/analysis/select.h"
#include "harness/analysis/store.h"
#include "harness/impl.h"
#include "harness/problem.h"
#include "harness/record_private.h"
#include "harness/show_private.h"
#include "harness/text.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- joining ---- */

/* The name of a scalar's column: its own, unless a row has one of that name already. */
static void value_column(const struct shown *shown, const char *name, char *column, size_t size)
{
    const int at = record_column(&shown->rows, name);

    snprintf(column, size, "%s%s", at >= 0 && at < shown->first_value ? "value_" : "", name);
}

static bool is_scalar(const struct record_table *values, int row)
{
    return record_get(values, row, "index")[0] == '\0';
}

/* All columns that rows can have, and one for each scalar of those that were chosen. */
static enum bench_status add_columns(const struct selection *selection, struct shown *shown)
{
    TRY(select_header(selection->store, &shown->rows));
    TRY(record_add_column(&shown->rows, "processes"));
    shown->first_value = shown->rows.n_columns;
    for (int i = 0; i < selection->selected->n; i++) {
        struct record_table values;
        enum bench_status status;

        TRY(select_values(selection->store, selection->selected->row[i].values, &values));
        status = BENCH_OK;
        for (int k = 0; k < values.n_rows && !status; k++) {
            char column[128];

            value_column(shown, record_get(&values, k, "name"), column, sizeof column);
            if (is_scalar(&values, k) && record_column(&shown->rows, column) < 0)
                status = record_add_column(&shown->rows, column);
        }
        record_table_free(&values);
        TRY(status);
    }
    return BENCH_OK;
}

/* Of a row that several processes measured, what they say together. */
struct together {
    char count[TEXT_NUMBER], time[SHOW_N_TIMES][TEXT_NUMBER];
};

/* 'members' are the rows of the processes, under the header of the rows shown. */
static void join_processes(const struct record_table *members, const struct shown *shown,
                           struct together *together, const char **fields)
{
    const int n = members->n_rows;
    int member[RECORD_MAX_RUNS];
    double number;

    for (int i = 0; i < n; i++)
        member[i] = i;
    text_number(together->count, n);
    if (fields[record_column(&shown->rows, "scope")][0] != '\0')
        fields[record_column(&shown->rows, "processes")] = together->count;
    if (n < 2)
        return;
    for (int i = 0; i < SHOW_N_TIMES; i++) {
        if (!record_over_processes(members, member, n, show_time_columns[i], &number))
            continue;
        text_number(together->time[i], number);
        fields[record_column(&shown->rows, show_time_columns[i])] = together->time[i];
    }
    fields[record_column(&shown->rows, "n")] = together->count;
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

/* One row, with what its processes and its values say: 'row' has it alone, under the header of the rows in files. */
static enum bench_status join_row(const struct record_table *row,
                                  const struct record_table *members,
                                  const struct record_table *values, struct shown *shown)
{
    const char **fields = calloc((size_t)shown->rows.n_columns, sizeof *fields);
    struct together together;
    enum bench_status status;

    if (!fields)
        return out_of_memory();
    for (int i = 0; i < shown->rows.n_columns; i++)
        fields[i] = i < row->n_columns ? row->cell[i] : "";
    fields[record_column(&shown->rows, "sms")] = record_sms(row, 0);
    join_processes(members, shown, &together, fields);
    for (int i = 0; i < values->n_rows; i++) {
        char column[128];

        value_column(shown, record_get(values, i, "name"), column, sizeof column);
        if (is_scalar(values, i))
            fields[record_column(&shown->rows, column)] = record_get(values, i, "value");
    }
    status = record_add_row(&shown->rows, fields);
    free(fields);
    return status;
}

/* Values are a cell's, whatever was timed: each set of them once. */
static bool values_taken(const struct selection *selection, int place)
{
    const struct selected_row *row = selection->selected->row;

    for (int i = 0; i < place; i++)
        if (row[i].values == row[place].values)
            return true;
    return row[place].values == 0;
}

static enum bench_status join_values(const struct record_table *row,
                                     const struct record_table *values, struct shown *shown)
{
    const char *fields[160] = {0};
    const int n_cell = shown->values.n_columns - values->n_columns;

    for (int i = 0; i < n_cell; i++)
        fields[i] = record_get(row, 0, shown->values.column[i]);
    for (int i = 0; i < values->n_rows; i++) {
        for (int k = 0; k < values->n_columns; k++)
            fields[n_cell + k] = values->cell[i * values->n_columns + k];
        TRY(record_add_row(&shown->values, fields));
    }
    return BENCH_OK;
}

static enum bench_status join(const struct selection *selection, int place, struct shown *shown)
{
    const struct selected_row *chosen = &selection->selected->row[place];
    struct record_table row = {0}, members = {0}, values = {0};
    enum bench_status status = select_header(selection->store, &row);

    if (!status)
        status = select_row(selection->store, chosen->row, &row);
    if (!status)
        status = read_members(selection, chosen->row, &members);
    if (!status)
        status = select_values(selection->store, chosen->values, &values);
    if (!status)
        status = join_row(&row, &members, &values, shown);
    if (!status && !values_taken(selection, place))
        status = join_values(&row, &values, shown);
    record_table_free(&row);
    record_table_free(&members);
    record_table_free(&values);
    return status;
}

static enum bench_status add_value_columns(const struct selection *selection,
                                           struct shown *shown)
{
    static const char *const others[] = {"input",   "case", "batch", "threads", "mode_name",
                                         "machine", "name", "index", "value",   "unit"};

    TRY(record_add_column(&shown->values, "impl"));
    for (int i = 0; i < selection->keys.n_declared; i++)
        TRY(record_add_column(&shown->values, selection->keys.name[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        TRY(record_add_column(&shown->values, others[i]));
    return BENCH_OK;
}

/* ---- notes ---- */

/* What was asked for, in words. */
static enum bench_status wanted_text(const struct wanted *wanted, struct text *text)
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
    return text_ok(text);
}

static bool same_note(const struct selection *selection, int a, int b)
{
    const struct selected_missing *missing = selection->selected->missing;

    return !strcmp(missing[a].why, missing[b].why) &&
           !strcmp(missing[a].folder, missing[b].folder) &&
           selection->wanted[missing[a].wanted].cell->impl ==
               selection->wanted[missing[b].wanted].cell->impl;
}

/* Cells of one variant that are missing for one reason: a line each, or one for more than N_SINGLE_NOTES; at the place of the
 * first of them. */
static enum bench_status print_missing(const struct selection *selection, FILE *notes)
{
    const struct selected *selected = selection->selected;

    for (int i = 0; i < selected->n_missing; i++) {
        int n_same = 0, n_before = 0;

        for (int k = 0; k < selected->n_missing; k++) {
            n_before += k < i && same_note(selection, i, k);
            n_same += same_note(selection, i, k);
        }
        if (n_before > 0)
            continue;
        for (int k = i; k < selected->n_missing && (k == i || n_same <= N_SINGLE_NOTES); k++) {
            const struct selected_missing *missing = &selected->missing[k];
            const struct wanted *wanted = &selection->wanted[missing->wanted];
            struct text cell = {0};

            if (!same_note(selection, i, k))
                continue;
            TRY(wanted_text(wanted, &cell));
            fprintf(notes, "missing: %s", wanted->cell->impl->name);
            if (n_same > N_SINGLE_NOTES)
                fprintf(notes, ": %d cells, the first", n_same);
            fprintf(notes, " %s: %s", cell.data, missing->why);
            fprintf(notes, selected->n_folders > 1 ? " (%s)\n" : "\n", missing->folder);
            text_free(&cell);
        }
    }
    return BENCH_OK;
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
    text_free(&shown->caption);
}

/* Put what [show] derives from the rows into their place; the caption is of the rows themselves. */
static enum bench_status derive(const struct selection *selection, struct shown *shown)
{
    struct record_table derived;
    enum bench_status status;

    TRY(show_derive(selection->experiment, shown, &selection->keys, &derived));
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

static enum bench_status choose(struct selection *selection, struct shown *shown)
{
    TRY(make_keys(selection->experiment, &selection->keys));
    TRY(want_all(selection));
    TRY(select_rows(selection->store, selection->wanted, selection->n_wanted,
                    selection->selected));
    TRY(add_columns(selection, shown));
    TRY(add_value_columns(selection, shown));
    for (int i = 0; i < selection->selected->n; i++)
        TRY(join(selection, i, shown));
    return derive(selection, shown);
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

static enum bench_status write_files(const struct bench_experiment *experiment,
                                     const struct shown *shown, const struct show_keys *keys,
                                     const char *folder)
{
    struct text rows = {0}, values = {0}, fits = {0}, sums = {0};
    struct record_table fit = {0}, linear = {0};
    enum bench_status status = show_csv(&shown->rows, &rows);

    if (status == BENCH_OK)
        status = show_csv(&shown->values, &values);
    if (status == BENCH_OK)
        status = show_fit(experiment, shown, keys, &fit);
    if (status == BENCH_OK && fit.n_columns > 0)
        status = show_csv(&fit, &fits);
    if (status == BENCH_OK && fit.n_columns > 0)
        status = write_one(folder, experiment->name, ".fit.csv", &fits);
    if (status == BENCH_OK)
        status = show_linear(experiment, shown, keys, &linear);
    if (status == BENCH_OK && linear.n_columns > 0)
        status = show_csv(&linear, &sums);
    if (status == BENCH_OK && linear.n_columns > 0)
        status = write_one(folder, experiment->name, ".linear.csv", &sums);
    if (status == BENCH_OK)
        status = write_one(folder, experiment->name, ".values.csv", &values);
    if (status == BENCH_OK)
        status = write_one(folder, experiment->name, ".caption.txt", &shown->caption);
    if (status == BENCH_OK)
        status = write_one(folder, experiment->name, ".csv", &rows);
    record_table_free(&fit);
    record_table_free(&linear);
    text_free(&sums);
    text_free(&rows);
    text_free(&values);
    text_free(&fits);
    return status;
}

static enum bench_status write_shown(const struct selection *selection,
                                     const struct shown *shown,
                                     const struct show_options *options)
{
    struct text text = {0};
    enum bench_status status;

    if (options->format == SHOW_CSV && options->folder)
        return write_files(selection->experiment, shown, &selection->keys, options->folder);
    if (options->format == SHOW_MARKDOWN)
        status = show_markdown(selection->experiment, shown, &selection->keys, options->paper,
                               &text);
    else
        status = show_csv(&shown->rows, &text);
    if (status == BENCH_OK && options->out)
        status = text_print(&text, options->out);
    text_free(&text);
    return status;
}

enum bench_status show_write(const struct bench_experiment *experiment, struct store *store,
                             const struct show_options *options)
{
    struct selected selected = {0};
    struct selection selection = {
        .experiment = experiment, .store = store, .selected = &selected};
    struct shown shown = {0};
    enum bench_status status = choose(&selection, &shown);

    if (status == BENCH_OK && options->notes)
        status = print_missing(&selection, options->notes);
    if (status == BENCH_OK)
        status = write_shown(&selection, &shown, options);
    shown_free(&shown);
    selection_free(&selection);
    return status;
}

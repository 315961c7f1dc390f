/*
 * show.c - choosing the newest good row of each cell, and the files that a figure reads
 *
 * A row matches a cell by the columns of the declared keys, not by the text of its params, so that rows from before a
 * key was added go on to match where the cell has the key's fallback.
 */
#include "harness/show.h"

#include "harness/impl.h"
#include "harness/problem.h"
#include "harness/record_private.h"
#include "harness/show_private.h"
#include "harness/text.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define N_SINGLE_NOTES \
    3 /* cells of one variant missing for one reason that are named one by one */

/* ---- what is asked for ---- */

/* One row that a figure wants; 'scope' and 'series' "" where a cell has no times. */
struct wanted {
    const struct bench_cell *cell;
    const char *scope, *series;
};

/* Columns by place, found once. */
struct places {
    int impl, input, which, batch, threads, transfer, mode, scope, series, lap, status, utc,
        session, row_id, reason, params;
    struct record_choice choice;
    int key[sizeof((struct show_keys *)0)->name / sizeof(char *)]; /* of the declared keys */
};

/* The values of one session, their rows sorted by row id. */
struct session_values {
    char *name;
    struct record_table table;
    int *order; /* [table.n_rows] */
    int row_id, value_name, index, value, unit;
};

/* One results folder: a machine. */
struct machine {
    const char *folder;
    struct record_table rows;
    struct places at;
    bool *chosen; /* [n_rows] already among the rows shown */
    struct session_values *values;
    int n_values;
};

struct missing {
    char *impl, *reason, *cell;
    bool told;
};

struct selection {
    const struct bench_experiment *experiment;
    struct show_keys keys;
    struct machine *machine;
    int n_machines;
    struct missing *missing;
    int n_missing;
    struct chosen {
        int machine, row;
        int values_row; /* whose values are joined; -1: none */
    } * chosen;
    int n_chosen;
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

/* ---- matching ---- */

static const char *cell_at(const struct record_table *table, int row, int column)
{
    assert(row >= 0 && row < table->n_rows && table->cell);
    return column < 0 ? ""
                      : table->cell[(size_t)row * (size_t)table->n_columns + (size_t)column];
}

static void find_places(const struct record_table *table, const struct show_keys *keys,
                        struct places *at)
{
    *at = (struct places){
        .impl = record_column(table, "impl"),
        .input = record_column(table, "input"),
        .which = record_column(table, "case"),
        .batch = record_column(table, "batch"),
        .threads = record_column(table, "threads"),
        .transfer = record_column(table, "transfer"),
        .mode = record_column(table, "mode_name"),
        .scope = record_column(table, "scope"),
        .series = record_column(table, "series"),
        .lap = record_column(table, "lap"),
        .status = record_column(table, "status"),
        .utc = record_column(table, "utc"),
        .session = record_column(table, "session"),
        .row_id = record_column(table, "row_id"),
        .reason = record_column(table, "reason"),
        .params = record_column(table, "params"),
        .choice = record_choice_of(table),
    };
    for (int i = 0; i < keys->n_declared; i++)
        at->key[i] = record_column(table, keys->name[i]);
}

static const struct bench_param *find_param(const struct bench_params *params, const char *name)
{
    for (int i = 0; i < params->n; i++)
        if (!strcmp(params->item[i].key->name, name))
            return &params->item[i];
    return NULL;
}

static bool same_value(const char *left, const char *right)
{
    double a, b;

    if (!strcmp(left, right))
        return true;
    return text_to_number(left, &a) && text_to_number(right, &b) && a == b;
}

static bool keys_match(const struct show_keys *keys, const struct machine *machine, int row,
                       const struct wanted *wanted)
{
    for (int i = 0; i < keys->n_declared; i++) {
        const char *found = cell_at(&machine->rows, row, machine->at.key[i]);
        const struct bench_param *param = find_param(&wanted->cell->params, keys->name[i]);

        if (!param && found[0] == '\0')
            continue;
        if (!param)
            return false;
        if (found[0] == '\0'
                ? !param->key->fallback || !same_value(param->key->fallback, param->text)
                : !same_value(found, param->text))
            return false;
    }
    return true;
}

static bool number_is(const char *text, int number)
{
    double value;

    return text_to_number(text, &value) && value == (double)number;
}

/* Rows of a machine that has no power modes say "any", and stand in for every mode that is asked for. */
static bool mode_matches(const char *found, const char *wanted)
{
    return !strcmp(wanted, "any") || found[0] == '\0' || !strcmp(found, "any") ||
           !strcmp(found, wanted);
}

/* Of a GPU's rows: copied where they do not say. */
static bool transfer_matches(const char *found, const struct bench_cell *wanted)
{
    return wanted->impl->target != BENCH_CUDA ||
           !strcmp(found[0] ? found : bench_transfer_name[BENCH_COPY],
                   bench_transfer_name[wanted->plan.transfer]);
}

/* Of a GPU's rows: a cell that names no number of multiprocessors is of the whole card. */
static bool sms_match(const struct record_table *rows, int row, const struct bench_cell *wanted)
{
    if (wanted->impl->target != BENCH_CUDA)
        return true;
    return wanted->plan.sms ? number_is(record_sms(rows, row), wanted->plan.sms)
                            : record_fits_sms(rows, row, NULL);
}

/* All but scope, series, lap and how it went. */
static bool cell_matches(const struct show_keys *keys, const struct machine *machine, int row,
                         const struct wanted *wanted)
{
    const struct record_table *rows = &machine->rows;
    const struct places *at = &machine->at;
    const struct bench_plan *plan = &wanted->cell->plan;

    if (strcmp(cell_at(rows, row, at->impl), wanted->cell->impl->name) != 0 ||
        strcmp(cell_at(rows, row, at->input), plan->input) != 0 ||
        strcmp(cell_at(rows, row, at->which), bench_case_name[plan->which]) != 0 ||
        !mode_matches(cell_at(rows, row, at->mode), plan->mode) ||
        !transfer_matches(cell_at(rows, row, at->transfer), wanted->cell))
        return false;
    if (!number_is(cell_at(rows, row, at->batch), plan->batch) &&
        !(plan->batch == 1 && cell_at(rows, row, at->batch)[0] == '\0'))
        return false;
    if (wanted->cell->impl->target == BENCH_OPENMP && plan->threads > 0 &&
        !number_is(cell_at(rows, row, at->threads), plan->threads))
        return false;
    return sms_match(rows, row, wanted->cell) && keys_match(keys, machine, row, wanted);
}

static bool timing_matches(const struct machine *machine, int row, const struct wanted *wanted)
{
    return !strcmp(cell_at(&machine->rows, row, machine->at.scope), wanted->scope) &&
           !strcmp(cell_at(&machine->rows, row, machine->at.series), wanted->series);
}

static bool is_good(const struct machine *machine, int row)
{
    return record_is_good(&machine->rows, &machine->at.choice, row);
}

static bool has_lap(const struct machine *machine, int row)
{
    return cell_at(&machine->rows, row, machine->at.lap)[0] != '\0';
}

/* ---- preferring ---- */

/* Positive: 'left' is to be shown rather than 'right'. */
static int prefer(const struct machine *machine, const struct wanted *wanted, int left,
                  int right)
{
    const int mode = machine->at.mode;
    const int order = !strcmp(cell_at(&machine->rows, left, mode), wanted->cell->plan.mode) -
                      !strcmp(cell_at(&machine->rows, right, mode), wanted->cell->plan.mode);

    return order != 0 ? order : record_prefer(&machine->rows, &machine->at.choice, left, right);
}

/* The best row of the cell; with 'laps' a row of a lap.  -1: none. */
static int best_row(const struct selection *selection, const struct machine *machine,
                    const struct wanted *wanted, bool laps)
{
    int best = -1;

    for (int row = 0; row < machine->rows.n_rows; row++) {
        if (!timing_matches(machine, row, wanted) || has_lap(machine, row) != laps ||
            !is_good(machine, row) || !cell_matches(&selection->keys, machine, row, wanted))
            continue;
        if (best < 0 || prefer(machine, wanted, row, best) > 0)
            best = row;
    }
    return best;
}

/* ---- choosing ---- */

/* Values are written with one row of a cell: this one, or the nearest of the same cell in the same session. */
static int find_values_row(const struct selection *selection, const struct machine *machine,
                           const struct wanted *wanted, int row);

static enum bench_status choose(struct selection *selection, int machine_place,
                                const struct wanted *wanted, int row)
{
    struct machine *machine = &selection->machine[machine_place];
    struct chosen *more;

    if (machine->chosen[row])
        return BENCH_OK; /* another cell has it: two modes on a machine without modes */
    more = realloc(selection->chosen, ((size_t)selection->n_chosen + 1) * sizeof *more);
    if (!more)
        return out_of_memory();
    selection->chosen = more;
    more[selection->n_chosen++] = (struct chosen){
        .machine = machine_place,
        .row = row,
        .values_row = find_values_row(selection, machine, wanted, row),
    };
    machine->chosen[row] = true;
    return BENCH_OK;
}

/* The laps of one session, so that the parts of one build are never mixed with those of another. */
static enum bench_status choose_laps(struct selection *selection, int machine_place,
                                     const struct wanted *wanted)
{
    const struct machine *machine = &selection->machine[machine_place];
    const struct record_table *rows = &machine->rows;
    const int best = best_row(selection, machine, wanted, true);

    if (best < 0)
        return BENCH_OK;
    for (int row = 0; row < rows->n_rows; row++) {
        bool newest = true;

        if (!timing_matches(machine, row, wanted) || !has_lap(machine, row) ||
            !is_good(machine, row) || !cell_matches(&selection->keys, machine, row, wanted) ||
            strcmp(cell_at(rows, row, machine->at.session),
                   cell_at(rows, best, machine->at.session)) != 0 ||
            strcmp(cell_at(rows, row, machine->at.params),
                   cell_at(rows, best, machine->at.params)) != 0 ||
            strcmp(cell_at(rows, row, machine->at.threads),
                   cell_at(rows, best, machine->at.threads)) != 0)
            continue;
        for (int later = row + 1; later < rows->n_rows && newest; later++)
            newest = strcmp(cell_at(rows, later, machine->at.lap),
                            cell_at(rows, row, machine->at.lap)) != 0 ||
                     strcmp(cell_at(rows, later, machine->at.session),
                            cell_at(rows, row, machine->at.session)) != 0 ||
                     strcmp(cell_at(rows, later, machine->at.threads),
                            cell_at(rows, row, machine->at.threads)) != 0 ||
                     !timing_matches(machine, later, wanted) || !is_good(machine, later) ||
                     !cell_matches(&selection->keys, machine, later, wanted);
        if (newest)
            TRY(choose(selection, machine_place, wanted, row));
    }
    return BENCH_OK;
}

static enum bench_status note_missing(struct selection *selection,
                                      const struct machine *machine,
                                      const struct wanted *wanted)
{
    struct missing *more =
        realloc(selection->missing, ((size_t)selection->n_missing + 1) * sizeof *more);
    struct text reason = {0}, cell = {0};
    char params[1024];
    int newest = -1;

    if (!more)
        return out_of_memory();
    selection->missing = more;
    for (int row = 0; row < machine->rows.n_rows; row++) {
        const bool of_the_cell = cell_at(&machine->rows, row, machine->at.scope)[0] == '\0';

        if ((!of_the_cell && !timing_matches(machine, row, wanted)) || is_good(machine, row) ||
            !cell_matches(&selection->keys, machine, row, wanted))
            continue;
        if (newest < 0 || strcmp(cell_at(&machine->rows, row, machine->at.utc),
                                 cell_at(&machine->rows, newest, machine->at.utc)) >= 0)
            newest = row;
    }
    if (newest < 0)
        text_add(&reason, "not measured");
    else
        text_format(&reason, "%s: %s", cell_at(&machine->rows, newest, machine->at.status),
                    cell_at(&machine->rows, newest, machine->at.reason));
    if (selection->n_machines > 1)
        text_format(&reason, " (%s)", machine->folder);
    bench_params_text(&wanted->cell->params, params, sizeof params);
    text_format(&cell, "%s input=%s case=%s", params, wanted->cell->plan.input,
                bench_case_name[wanted->cell->plan.which]);
    if (wanted->cell->plan.batch != 1)
        text_format(&cell, " batch=%d", wanted->cell->plan.batch);
    if (wanted->cell->plan.transfer != BENCH_COPY)
        text_format(&cell, " transfer=%s", bench_transfer_name[wanted->cell->plan.transfer]);
    if (wanted->cell->plan.sms != 0)
        text_format(&cell, " sms=%d", wanted->cell->plan.sms);
    if (strcmp(wanted->cell->plan.mode, "any") != 0)
        text_format(&cell, " mode=%s", wanted->cell->plan.mode);
    if (wanted->scope[0])
        text_format(&cell, " %s/%s", wanted->scope, wanted->series);
    more += selection->n_missing;
    *more = (struct missing){
        .impl = strdup(wanted->cell->impl->name), .reason = reason.data, .cell = cell.data};
    selection->n_missing++;
    TRY(text_ok(&reason));
    TRY(text_ok(&cell));
    return more->impl ? BENCH_OK : out_of_memory();
}

static enum bench_status choose_wanted(struct selection *selection, const struct wanted *wanted)
{
    for (int i = 0; i < selection->n_machines; i++) {
        const struct machine *machine = &selection->machine[i];
        const int row = best_row(selection, machine, wanted, false);

        if (row < 0) {
            /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the machines stay the selection's */
            TRY(note_missing(selection, machine, wanted));
            continue;
        }
        TRY(choose(selection, i, wanted, row));
        if (wanted->cell->plan.laps && wanted->scope[0])
            TRY(choose_laps(selection, i, wanted));
    }
    return BENCH_OK;
}

static enum bench_status choose_cell(struct selection *selection, const struct bench_cell *cell)
{
    struct wanted wanted = {.cell = cell, .scope = "", .series = ""};

    if (!cell->plan.times)
        return choose_wanted(selection, &wanted);
    for (int scope = 0; scope < BENCH_N_SCOPES; scope++)
        for (int series = 0; series < BENCH_N_SERIES; series++) {
            if (!(cell->plan.scopes & 1u << scope) || !(cell->plan.series & 1u << series) ||
                (scope == BENCH_DEVICE && cell->impl->target != BENCH_CUDA))
                continue;
            wanted.scope = bench_scope_name[scope];
            wanted.series = bench_series_name[series];
            TRY(choose_wanted(selection, &wanted));
        }
    return BENCH_OK;
}

static enum bench_status choose_all(struct selection *selection)
{
    const struct bench_experiment *experiment = selection->experiment;

    for (int i = 0; i < experiment->n_cells; i++)
        TRY(choose_cell(selection, &experiment->cells[i]));
    return BENCH_OK;
}

/* ---- values ---- */

/* qsort has no context argument in C11; glibc's qsort_r has. */
static int compare_value_rows(const void *left, const void *right, void *context)
{
    const struct session_values *values = context;
    const int a = *(const int *)left;
    const int b = *(const int *)right;
    const int order = strcmp(cell_at(&values->table, a, values->row_id),
                             cell_at(&values->table, b, values->row_id));

    return order != 0 ? order : a - b;
}

static enum bench_status read_values(const char *folder, const char *session,
                                     struct session_values *values)
{
    struct text path = {0};
    enum bench_status status;
    FILE *file;

    text_format(&path, "%s/%s.values.csv", folder, session);
    TRY(text_ok(&path));
    file = fopen(path.data, "rb");
    if (file) {
        fclose(file);
        status = record_read(path.data, true, &values->table);
    } else {
        status = BENCH_OK; /* no row had a value */
    }
    text_free(&path);
    TRY(status);
    values->row_id = record_column(&values->table, "row_id");
    values->value_name = record_column(&values->table, "name");
    values->index = record_column(&values->table, "index");
    values->value = record_column(&values->table, "value");
    values->unit = record_column(&values->table, "unit");
    values->order = calloc((size_t)values->table.n_rows + 1, sizeof *values->order);
    values->name = strdup(session);
    if (!values->order || !values->name)
        return out_of_memory();
    for (int i = 0; i < values->table.n_rows; i++)
        values->order[i] = i;
    qsort_r(values->order, (size_t)values->table.n_rows, sizeof *values->order,
            compare_value_rows, values);
    return BENCH_OK;
}

static const struct session_values *find_session(const struct machine *machine,
                                                 const char *session)
{
    for (int i = 0; i < machine->n_values; i++)
        if (!strcmp(machine->values[i].name, session))
            return &machine->values[i];
    return NULL;
}

/* Read the values of every session that has rows of the experiment's problem at hand. */
static enum bench_status read_all_values(struct machine *machine)
{
    for (int row = 0; row < machine->rows.n_rows; row++) {
        const char *session = cell_at(&machine->rows, row, machine->at.session);
        struct session_values *more;

        if (session[0] == '\0' || strchr(session, '/') || find_session(machine, session))
            continue;
        more = realloc(machine->values, ((size_t)machine->n_values + 1) * sizeof *more);
        if (!more)
            return out_of_memory();
        machine->values = more;
        more += machine->n_values;
        *more = (struct session_values){0};
        TRY(read_values(machine->folder, session, more));
        machine->n_values++;
    }
    return BENCH_OK;
}

/* The values of a row: places first..end of 'order'. */
static void find_values(const struct session_values *values, const char *row_id, int *first,
                        int *end)
{
    int low = 0;
    int high = values->table.n_rows;

    while (low < high) {
        const int middle = low + (high - low) / 2;

        if (strcmp(cell_at(&values->table, values->order[middle], values->row_id), row_id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (low < values->table.n_rows &&
           !strcmp(cell_at(&values->table, values->order[low], values->row_id), row_id))
        low++;
    *end = low;
}

static bool has_values(const struct machine *machine, int row)
{
    const struct session_values *values =
        find_session(machine, cell_at(&machine->rows, row, machine->at.session));
    int first, end;

    if (!values)
        return false;
    find_values(values, cell_at(&machine->rows, row, machine->at.row_id), &first, &end);
    return end > first;
}

static int find_values_row(const struct selection *selection, const struct machine *machine,
                           const struct wanted *wanted, int row)
{
    const struct record_table *rows = &machine->rows;
    int nearest = -1;

    if (has_values(machine, row))
        return row;
    for (int other = 0; other < rows->n_rows; other++) {
        if (strcmp(cell_at(rows, other, machine->at.session),
                   cell_at(rows, row, machine->at.session)) != 0 ||
            strcmp(cell_at(rows, other, machine->at.params),
                   cell_at(rows, row, machine->at.params)) != 0 ||
            strcmp(cell_at(rows, other, machine->at.threads),
                   cell_at(rows, row, machine->at.threads)) != 0 ||
            strcmp(cell_at(rows, other, machine->at.mode),
                   cell_at(rows, row, machine->at.mode)) != 0 ||
            !is_good(machine, other) ||
            !cell_matches(&selection->keys, machine, other, wanted) ||
            !has_values(machine, other))
            continue;
        if (nearest < 0 || abs(other - row) < abs(nearest - row))
            nearest = other;
    }
    return nearest;
}

/* ---- joining ---- */

/* The name of a scalar's column: its own, unless a row has one of that name already. */
static void value_column(const struct shown *shown, const char *name, char *column, size_t size)
{
    const int at = record_column(&shown->rows, name);

    snprintf(column, size, "%s%s", at >= 0 && at < shown->first_value ? "value_" : "", name);
}

static enum bench_status add_columns(const struct selection *selection, struct shown *shown)
{
    TRY(record_declare(&shown->rows));
    for (int i = 0; i < selection->n_machines; i++)
        for (int k = 0; k < selection->machine[i].rows.n_columns; k++)
            if (record_column(&shown->rows, selection->machine[i].rows.column[k]) < 0)
                TRY(record_add_column(&shown->rows, selection->machine[i].rows.column[k]));
    TRY(record_add_column(&shown->rows, "processes"));
    shown->first_value = shown->rows.n_columns;
    for (int i = 0; i < selection->n_chosen; i++) {
        const struct machine *machine = &selection->machine[selection->chosen[i].machine];
        const int row = selection->chosen[i].values_row;
        const struct session_values *values;
        int first, end;

        if (row < 0)
            continue;
        values = find_session(machine, cell_at(&machine->rows, row, machine->at.session));
        find_values(values, cell_at(&machine->rows, row, machine->at.row_id), &first, &end);
        for (; first < end; first++) {
            const int at = values->order[first];
            char column[128];

            value_column(shown, cell_at(&values->table, at, values->value_name), column,
                         sizeof column);
            if (cell_at(&values->table, at, values->index)[0] == '\0' &&
                record_column(&shown->rows, column) < 0)
                TRY(record_add_column(&shown->rows, column));
        }
    }
    return BENCH_OK;
}

/* Of a row that several processes measured, what they say together. */
struct together {
    char count[TEXT_NUMBER], time[SHOW_N_TIMES][TEXT_NUMBER];
};

static void join_processes(const struct machine *machine, int row, const struct shown *shown,
                           struct together *together, const char **fields)
{
    int member[RECORD_MAX_RUNS];
    const int n = record_processes(&machine->rows, &machine->at.choice, row, member);
    double number;

    text_number(together->count, n);
    if (cell_at(&machine->rows, row, machine->at.scope)[0] != '\0')
        fields[record_column(&shown->rows, "processes")] = together->count;
    if (n < 2)
        return;
    for (int i = 0; i < SHOW_N_TIMES; i++) {
        const int at = record_column(&shown->rows, show_time_columns[i]);

        if (!record_over_processes(&machine->rows, member, n, show_time_columns[i], &number))
            continue;
        text_number(together->time[i], number);
        fields[at] = together->time[i];
    }
    fields[record_column(&shown->rows, "n")] = together->count;
}

static enum bench_status join_row(const struct selection *selection,
                                  const struct chosen *chosen, struct shown *shown)
{
    const struct machine *machine = &selection->machine[chosen->machine];
    const char **fields = calloc((size_t)shown->rows.n_columns, sizeof *fields);
    struct together together;
    const struct session_values *values;
    enum bench_status status;
    int first, end;

    if (!fields)
        return out_of_memory();
    for (int i = 0; i < shown->rows.n_columns; i++)
        fields[i] = i < shown->first_value
                        ? record_get(&machine->rows, chosen->row, shown->rows.column[i])
                        : "";
    fields[record_column(&shown->rows, "sms")] = record_sms(&machine->rows, chosen->row);
    join_processes(machine, chosen->row, shown, &together, fields);
    if (chosen->values_row >= 0) {
        values = find_session(machine,
                              cell_at(&machine->rows, chosen->values_row, machine->at.session));
        find_values(values, cell_at(&machine->rows, chosen->values_row, machine->at.row_id),
                    &first, &end);
        for (; first < end; first++) {
            const int at = values->order[first];
            char column[128];

            value_column(shown, cell_at(&values->table, at, values->value_name), column,
                         sizeof column);
            if (cell_at(&values->table, at, values->index)[0] == '\0')
                fields[record_column(&shown->rows, column)] =
                    cell_at(&values->table, at, values->value);
        }
    }
    status = record_add_row(&shown->rows, fields);
    free(fields);
    return status;
}

/* Values are a cell's, whatever was timed: each set of them once. */
static bool values_taken(const struct selection *selection, int place)
{
    const struct chosen *this = &selection->chosen[place];

    for (int i = 0; i < place; i++)
        if (selection->chosen[i].machine == this->machine &&
            selection->chosen[i].values_row == this->values_row)
            return true;
    return false;
}

static enum bench_status join_values(const struct selection *selection, int place,
                                     struct shown *shown)
{
    const struct chosen *chosen = &selection->chosen[place];
    const struct machine *machine = &selection->machine[chosen->machine];
    const struct session_values *values;
    const char *fields[160] = {0};
    const int n_cell = shown->values.n_columns - 4;
    int first, end;

    if (chosen->values_row < 0 || values_taken(selection, place))
        return BENCH_OK;
    for (int i = 0; i < n_cell; i++)
        fields[i] = record_get(&machine->rows, chosen->row, shown->values.column[i]);
    values =
        find_session(machine, cell_at(&machine->rows, chosen->values_row, machine->at.session));
    find_values(values, cell_at(&machine->rows, chosen->values_row, machine->at.row_id), &first,
                &end);
    for (; first < end; first++) {
        const int at = values->order[first];

        fields[n_cell] = cell_at(&values->table, at, values->value_name);
        fields[n_cell + 1] = cell_at(&values->table, at, values->index);
        fields[n_cell + 2] = cell_at(&values->table, at, values->value);
        fields[n_cell + 3] = cell_at(&values->table, at, values->unit);
        TRY(record_add_row(&shown->values, fields));
    }
    return BENCH_OK;
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

static void print_missing(struct selection *selection, FILE *notes)
{
    for (int i = 0; i < selection->n_missing; i++) {
        const struct missing *first = &selection->missing[i];
        int n_same = 0;

        if (first->told)
            continue;
        for (int k = i; k < selection->n_missing; k++)
            n_same += !strcmp(selection->missing[k].impl, first->impl) &&
                      !strcmp(selection->missing[k].reason, first->reason);
        for (int k = i; k < selection->n_missing; k++) {
            struct missing *missing = &selection->missing[k];

            if (strcmp(missing->impl, first->impl) != 0 ||
                strcmp(missing->reason, first->reason) != 0)
                continue;
            missing->told = true;
            if (n_same <= N_SINGLE_NOTES)
                fprintf(notes, "missing: %s %s: %s\n", missing->impl, missing->cell,
                        missing->reason);
        }
        if (n_same > N_SINGLE_NOTES)
            fprintf(notes, "missing: %s: %d cells, the first %s: %s\n", first->impl, n_same,
                    first->cell, first->reason);
    }
}

/* ---- all of it ---- */

static void free_machine(struct machine *machine)
{
    for (int i = 0; i < machine->n_values; i++) {
        record_table_free(&machine->values[i].table);
        free(machine->values[i].order);
        free(machine->values[i].name);
    }
    free(machine->values);
    free(machine->chosen);
    record_table_free(&machine->rows);
}

static void selection_free(struct selection *selection)
{
    for (int i = 0; i < selection->n_machines; i++)
        free_machine(&selection->machine[i]);
    free(selection->machine);
    for (int i = 0; i < selection->n_missing; i++) {
        free(selection->missing[i].impl);
        free(selection->missing[i].reason);
        free(selection->missing[i].cell);
    }
    free(selection->missing);
    free(selection->chosen);
    record_table_free(&selection->keys.columns);
}

static void shown_free(struct shown *shown)
{
    record_table_free(&shown->rows);
    record_table_free(&shown->values);
    text_free(&shown->caption);
}

static enum bench_status read_machines(struct selection *selection, const char *const *folders,
                                       int n)
{
    selection->machine = calloc((size_t)n + 1, sizeof *selection->machine);
    if (!selection->machine)
        return out_of_memory();
    for (int i = 0; i < n; i++) {
        struct machine *machine = &selection->machine[i];

        selection->n_machines++;
        machine->folder = folders[i];
        TRY(record_read_folder(folders[i], &machine->rows));
        find_places(&machine->rows, &selection->keys, &machine->at);
        machine->chosen = calloc((size_t)machine->rows.n_rows + 1, sizeof *machine->chosen);
        if (!machine->chosen)
            return out_of_memory();
        TRY(read_all_values(machine));
    }
    return BENCH_OK;
}

/* Put what [show] derives from the rows into their place; the caption is of the rows themselves. */
static enum bench_status derive(const struct selection *selection, const char *const *folders,
                                int n, struct shown *shown)
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
        status = show_counters(selection->experiment, folders, n, &shown->rows);
    return status;
}

static enum bench_status select_rows(struct selection *selection, const char *const *folders,
                                     int n, struct shown *shown)
{
    TRY(make_keys(selection->experiment, &selection->keys));
    TRY(read_machines(selection, folders, n));
    TRY(choose_all(selection));
    TRY(add_columns(selection, shown));
    TRY(add_value_columns(selection, shown));
    for (int i = 0; i < selection->n_chosen; i++) {
        TRY(join_row(selection, &selection->chosen[i], shown));
        TRY(join_values(selection, i, shown));
    }
    return derive(selection, folders, n, shown);
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

static enum bench_status print_text(FILE *out, const struct text *text)
{
    if (text->size > 0 && fwrite(text->data, 1, text->size, out) != text->size)
        return BENCH_FAIL(BENCH_EIO, "cannot write the table");
    if (fflush(out) != 0)
        return BENCH_FAIL(BENCH_EIO, "cannot write the table");
    return BENCH_OK;
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
    else if (options->format == SHOW_JSON)
        status = show_json(&shown->rows, &text);
    else
        status = show_csv(&shown->rows, &text);
    if (status == BENCH_OK && options->out)
        status = print_text(options->out, &text);
    text_free(&text);
    return status;
}

enum bench_status show_write(const struct bench_experiment *experiment,
                             const char *const *result_folders, int n_folders,
                             const struct show_options *options)
{
    struct selection selection = {.experiment = experiment};
    struct shown shown = {0};
    enum bench_status status = select_rows(&selection, result_folders, n_folders, &shown);

    if (status == BENCH_OK && options->notes)
        print_missing(&selection, options->notes);
    if (status == BENCH_OK)
        status = write_shown(&selection, &shown, options);
    shown_free(&shown);
    selection_free(&selection);
    return status;
}

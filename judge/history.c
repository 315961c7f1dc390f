/*
 * history.c - rows of many sessions as one line of points for each cell, with the steps in it
 */
#include "judge/history.h"

#include "harness/analysis/fitting.h"
#include "harness/analysis/query.h"
#include "judge/page.h"
#include "harness/analysis/regression.h"
#include "harness/analysis/traits.h"

#include "history_sql.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 1000  /* of a cell: the newest; the fit takes the cube of their number */
#define NOISE      0.002 /* of the logarithm: what runs differ by where nothing changed */

static enum bench_status out_of_memory(void)
{
    return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a history");
}

static enum bench_status read_rows(const char *folder, const char *wanted, FILE *notes,
                                   struct table *rows)
{
    struct text sql = {0};
    struct store *store;
    enum bench_status status;

    TRY(store_open(&store));
    text_bytes(&sql, history_sql, sizeof history_sql);
    status = store_add_results(store, folder, notes);
    if (!status && store_n_measurements(store) == 0)
        status =
            BENCH_FAIL(BENCH_EINPUT, "%s: expected a folder with results, found none", folder);
    if (!status)
        status = fitting_rows(store, wanted);
    if (!status)
        status = store_complete(store);
    if (!status)
        status = text_ok(&sql);
    if (!status)
        status = query_table(store, sql.data, rows);
    if (!status && rows->n_rows == 0)
        status = BENCH_FAIL(BENCH_EINPUT, "--cell %.200s: no verified row with a time in %s",
                            wanted, folder);
    text_free(&sql);
    store_close(store);
    return status;
}

/* ---- points ---- */

static const struct table_cell *field_of(const struct history *h, int row, const char *column)
{
    static const struct table_cell none;

    for (int i = 0; i < h->rows.n_columns; i++)
        if (!strcmp(h->rows.column[i], column))
            return &h->rows.cell[(size_t)row * (size_t)h->rows.n_columns + (size_t)i];
    return &none;
}

static const char *text_of(const struct history *h, int row, const char *column)
{
    const char *text = field_of(h, row, column)->text;

    return text ? text : "";
}

static double number_of(const struct history *h, int row, const char *column)
{
    return field_of(h, row, column)->number;
}

static enum bench_status find_steps(struct history_cell *cell)
{
    const int first = cell->n > MAX_POINTS ? cell->n - MAX_POINTS : 0, n = cell->n - first;
    double *y = calloc((size_t)n + 1, sizeof *y), *sorted = calloc((size_t)n + 1, sizeof *y);
    int *place = calloc((size_t)n + 1, sizeof *place);
    int n_places = 0;
    bool done = y && sorted && place;

    assert(cell->point);
    cell->point += first;
    cell->n = n;
    for (int i = 0; i < n && done; i++)
        y[i] = log(cell->point[i].ms);
    done = done && regression_steps(y, n, NOISE, place, &n_places);
    for (int p = 0; p < n_places && done; p++) {
        const int from = place[p], to = p + 1 < n_places ? place[p + 1] : n;
        const double level = exp(regression_median(y + from, to - from, sorted));

        for (int i = from; i < to; i++) {
            cell->point[i].piece = p;
            cell->point[i].level_ms = level;
        }
    }
    free(y);
    free(sorted);
    free(place);
    return done ? BENCH_OK : out_of_memory();
}

/* The rows of a cell are beside each other. */
static enum bench_status find_cells(struct history *h)
{
    h->point = calloc((size_t)h->rows.n_rows, sizeof *h->point);
    h->cell = calloc((size_t)h->rows.n_rows, sizeof *h->cell);
    if (!h->point || !h->cell)
        return out_of_memory();
    for (int row = 0; row < h->rows.n_rows; row++) {
        h->point[row] = (struct history_point){.date = text_of(h, row, "date"),
                                               .by_commit = number_of(h, row, "by_commit") > 0,
                                               .row = row,
                                               .ms = number_of(h, row, "median_ms")};
        if (row == 0 || strcmp(text_of(h, row, "cell"), text_of(h, row - 1, "cell")) != 0)
            h->cell[h->n++].point = &h->point[row];
        h->cell[h->n - 1].n++;
    }
    return BENCH_OK;
}

/* ---- names ---- */

/* What each cell has otherwise than another one. */
static enum bench_status label_cells(struct history *h)
{
    const char **traits = calloc((size_t)h->n, sizeof *traits);
    enum bench_status status = traits ? BENCH_OK : out_of_memory();

    for (int i = 0; i < h->n && traits; i++)
        traits[i] = text_of(h, h->cell[i].point->row, "traits");
    for (int i = 0; i < h->n && !status; i++) {
        struct text label = {0};

        text_add(&label, "");
        traits_add(traits[i], traits, h->n, false, &label);
        h->cell[i].label = label.data;
        status = text_ok(&label);
    }
    free(traits);
    return status;
}

enum bench_status history_read(const char *folder, const char *wanted, FILE *notes,
                               struct history *h)
{
    enum bench_status status;

    *h = (struct history){.wanted = wanted};
    status = read_rows(folder, wanted, notes, &h->rows);
    if (!status)
        status = find_cells(h);
    for (int i = 0; i < h->n && !status; i++)
        status = find_steps(&h->cell[i]);
    if (!status)
        status = label_cells(h);
    if (status)
        history_free(h);
    return status;
}

void history_free(struct history *h)
{
    for (int i = 0; i < h->n; i++)
        free(h->cell[i].label);
    free(h->cell);
    free(h->point);
    table_free(&h->rows);
    *h = (struct history){0};
}

/* ---- the report ---- */

static double step_of(const struct history_cell *cell, int i)
{
    return i > 0 && cell->point[i].piece != cell->point[i - 1].piece
               ? cell->point[i].level_ms / cell->point[i - 1].level_ms - 1
               : 0;
}

/* "points of 3 GPUs" or " on at least 1 host"; the number of them, the unknown as one more. */
static int add_number(const struct history *h, int row, const char *known, const char *unknown,
                      const char *of, struct text *sentence)
{
    const int n = (int)number_of(h, row, known), more = (int)number_of(h, row, unknown);

    if (n > 0)
        text_format(sentence, "%s%s%d %s%s", sentence->size ? " on " : "points of ",
                    more ? "at least " : "", n, of, n == 1 ? "" : "s");
    return n + more;
}

/* Points of several machines are one line, but never silently.  (Those that MAX_POINTS leaves out count here.) */
static void add_machines(const struct history *h, int row, struct text *page)
{
    struct text sentence = {0};
    const int n_gpus = add_number(h, row, "n_gpus", "some_gpu_unknown", "GPU", &sentence),
              n_hosts = add_number(h, row, "n_hosts", "some_host_unknown", "host", &sentence);

    text_add(&sentence, ": a step may be the machine's");
    if (text_ok(&sentence))
        page->failed = true;
    else if (n_gpus > 1 || n_hosts > 1)
        page_filled(page, sentence.data, "");
    text_free(&sentence);
}

static void add_cell(const struct history *h, const struct history_cell *cell,
                     struct text *page)
{
    int n_steps = 0;

    if (*cell->label)
        page_wrapped(page, cell->label);
    text_format(page, "%-20s  %-9s %9s  %19s  step\n", "commit of", "commit", "median ms",
                "interval");
    for (int i = 0; i < cell->n; i++) {
        const struct history_point *p = &cell->point[i];
        char ms[TEXT_NUMBER], lo[TEXT_NUMBER], hi[TEXT_NUMBER], interval[80], step[40] = "";
        const bool dirty = !strcmp(text_of(h, p->row, "dirty"), "1");

        text_short_number(ms, p->ms, 4);
        text_short_number(lo, number_of(h, p->row, "ci_lo_ms"), 4);
        text_short_number(hi, number_of(h, p->row, "ci_hi_ms"), 4);
        snprintf(interval, sizeof interval, "%s .. %s", lo, hi);
        if (i > 0 && p->piece != cell->point[i - 1].piece) {
            const double change = step_of(cell, i);

            n_steps++;
            snprintf(step, sizeof step, "  %+.1f %% %s", 100 * change,
                     change > 0 ? "slower" : "faster");
        }
        text_format(page, "%-20.20s%s %.7s%-2s %9s  %19s%s\n", p->date,
                    p->by_commit ? " " : "*", text_of(h, p->row, "commit"), dirty ? "+" : "",
                    ms, interval, step);
    }
    text_format(page, "%d points, %d step%s\n", cell->n, n_steps, n_steps == 1 ? "" : "s");
    add_machines(h, cell->point->row, page);
    text_add(page, "\n");
}

static const char *const csv_columns[] = {
    "wanted",   "cell",         "cell_number", "point",  "date",      "commit",
    "dirty",    "machine_name", "session",     "row_id", "median_ms", "ci_lo_ms",
    "ci_hi_ms", "fps",          "level_ms",    "step",   "host",      "gpu_uuid"};
#define N_CSV_COLUMNS (sizeof csv_columns / sizeof *csv_columns)

static void add_csv(const struct history *h, int number_of_cell, struct text *csv)
{
    const struct history_cell *cell = &h->cell[number_of_cell - 1];
    char wanted[200]; /* without commas, at which gnuplot cuts a title */

    snprintf(wanted, sizeof wanted, "%s", h->wanted);
    for (char *at = wanted; (at = strchr(at, ',')) != NULL;)
        *at = ' ';

    for (int i = 0; i < cell->n; i++) {
        char number[4][TEXT_NUMBER];
        const char *field[N_CSV_COLUMNS];

        for (size_t k = 0; k < N_CSV_COLUMNS; k++)
            field[k] = text_of(h, cell->point[i].row, csv_columns[k]);
        text_number(number[0], number_of_cell);
        text_number(number[1], i + 1);
        text_number(number[2], cell->point[i].level_ms);
        text_number(number[3], step_of(cell, i));
        field[0] = wanted;
        field[1] = cell->label;
        field[2] = number[0];
        field[3] = number[1];
        field[14] = number[2];
        field[15] = number[3];
        page_csv_line(csv, field, N_CSV_COLUMNS);
    }
}

enum bench_status history_report(const struct history *h, FILE *out, struct text *csv)
{
    struct text page = {0};
    enum bench_status status;
    bool any_by_run = false;

    text_format(&page, "%s on %s\n\n", h->wanted,
                text_of(h, h->cell->point->row, "machine_name"));
    if (csv)
        page_csv_line(csv, csv_columns, N_CSV_COLUMNS);
    for (int i = 0; i < h->n; i++) {
        add_cell(h, &h->cell[i], &page);
        if (csv)
            add_csv(h, i + 1, csv);
        for (int k = 0; k < h->cell[i].n; k++)
            any_by_run |= !h->cell[i].point[k].by_commit;
    }
    if (any_by_run)
        text_add(&page,
                 "* the day of the run: its files do not say when the commit was made\n");
    status = text_print(&page, out);
    text_free(&page);
    return status;
}

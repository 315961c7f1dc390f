/*
 * history.c - rows of many sessions as one line of points for each cell, with the steps in it
 */
#include "judge/history.h"

#include "harness/analysis/fitting.h"
#include "harness/analysis/query.h"
#include "harness/analysis/regression.h"
#include "harness/analysis/traits.h"
#include "judge/page.h"

#include "history_sql.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 1000  /* of a cell: the newest; the fit takes the cube of their number */
#define NOISE      0.002 /* of the logarithm: what runs differ by where nothing changed */

static enum bench_status out_of_memory(void)
{
    return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a history");
}

/* The cells of a folder, each with its points beside each other in the table 'point'. */
static enum bench_status read_cells(struct history *h, const char *folder, FILE *notes,
                                    struct table *cells)
{
    TRY(store_open(&h->store));
    TRY(store_add_results(h->store, folder, notes));
    if (store_n_measurements(h->store) == 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected a folder with results, found none",
                          folder);
    TRY(fitting_rows(h->store, h->wanted));
    TRY(store_complete(h->store));
    TRY(store_execute(h->store, history_sql, sizeof history_sql));
    TRY(query_table(
        h->store,
        "SELECT traits, min(rowid) AS first, count(*) AS n FROM point GROUP BY cell "
        "ORDER BY first",
        cells));
    return cells->n_rows > 0
               ? BENCH_OK
               : BENCH_FAIL(BENCH_EINPUT, "--cell %.200s: no verified row with a time in %s",
                            h->wanted, folder);
}

/* ---- cells ---- */

/* A 'step' that is no number: there is none. */
static enum bench_status keep_point(struct history *h, const char *label, const int number[3],
                                    double level, double step)
{
    sqlite3_stmt *insert;

    TRY(store_kept(h->store, "INSERT INTO fitted VALUES (?, ?, ?, ?, ?, ?, ?)", &insert));
    sqlite3_bind_int(insert, 1, number[0]);
    sqlite3_bind_text(insert, 2, h->wanted, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, label, -1, SQLITE_STATIC);
    sqlite3_bind_int(insert, 4, number[1]);
    sqlite3_bind_int(insert, 5, number[2]);
    sqlite3_bind_double(insert, 6, level);
    sqlite3_bind_double(insert, 7, step);
    return store_step(h->store, insert);
}

/* The n points from 'first' on are the number-th cell. */
static enum bench_status find_steps(struct history *h, int first, int n, int number,
                                    const char *label)
{
    double y[MAX_POINTS] = {0}, sorted[MAX_POINTS], before = 0;
    int place[MAX_POINTS], n_places = 0;
    sqlite3_stmt *times;

    TRY(store_kept(h->store, "SELECT median_ms FROM point WHERE rowid >= ? ORDER BY rowid",
                   &times));
    sqlite3_bind_int(times, 1, first);
    for (int i = 0; i < n && sqlite3_step(times) == SQLITE_ROW; i++)
        y[i] = log(sqlite3_column_double(times, 0));
    sqlite3_reset(times);
    if (!regression_steps(y, n, NOISE, place, &n_places))
        return out_of_memory();
    for (int p = 0; p < n_places; p++) {
        const int from = place[p], to = p + 1 < n_places ? place[p + 1] : n;
        const double level = exp(regression_median(y + from, to - from, sorted));

        for (int i = from; i < to; i++)
            TRY(keep_point(h, label, (const int[]){first + i, number, i + 1}, level,
                           p > 0 && i == from ? level / before - 1 : nan("")));
        before = level;
    }
    return BENCH_OK;
}

static enum bench_status fit(struct history *h, const struct table *cells)
{
    const char **traits = calloc((size_t)cells->n_rows, sizeof *traits);
    enum bench_status status = traits ? BENCH_OK : out_of_memory();

    for (int i = 0; i < cells->n_rows && traits; i++)
        traits[i] = query_text(cells, i, "traits");
    for (int i = 0; i < cells->n_rows && !status; i++) {
        const int n = (int)query_number(cells, i, "n");
        const int n_old = n > MAX_POINTS ? n - MAX_POINTS : 0;
        struct text label = {0}; /* what it has otherwise than another one */

        text_add(&label, "");
        traits_add(traits[i], traits, cells->n_rows, false, &label);
        status = text_ok(&label);
        if (!status)
            status = find_steps(h, (int)query_number(cells, i, "first") + n_old, n - n_old,
                                i + 1, label.data);
        text_free(&label);
    }
    free(traits);
    return status;
}

enum bench_status history_read(const char *folder, const char *wanted, FILE *notes,
                               struct history *h)
{
    struct table cells = {0};
    enum bench_status status;

    *h = (struct history){.wanted = wanted};
    status = read_cells(h, folder, notes, &cells);
    if (!status)
        status = fit(h, &cells);
    if (!status)
        status = query_table(h->store,
                             "SELECT * FROM fitted JOIN point ON point.rowid = fitted.id "
                             "ORDER BY fitted.id",
                             &h->points);
    table_free(&cells);
    if (status)
        history_free(h);
    return status;
}

void history_free(struct history *h)
{
    table_free(&h->points);
    store_close(h->store);
    *h = (struct history){0};
}

/* ---- the report ---- */

/* "points of 3 GPUs" or " on at least 1 host"; the number of them, the unknown as one more. */
static int add_number(const struct history *h, int row, const char *known, const char *unknown,
                      const char *of, struct text *sentence)
{
    const int n = (int)query_number(&h->points, row, known),
              more = (int)query_number(&h->points, row, unknown);

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

static void add_point(const struct history *h, int row, struct text *page)
{
    const struct table *const t = &h->points;
    const double step = query_number(t, row, "step");
    char ms[TEXT_NUMBER], lo[TEXT_NUMBER], hi[TEXT_NUMBER], interval[80];

    text_short_number(ms, query_number(t, row, "median_ms"), 4);
    text_short_number(lo, query_number(t, row, "ci_lo_ms"), 4);
    text_short_number(hi, query_number(t, row, "ci_hi_ms"), 4);
    snprintf(interval, sizeof interval, "%s .. %s", lo, hi);
    text_format(page, "%-20.20s%s %.7s%-2s %9s  %19s", query_text(t, row, "date"),
                query_number(t, row, "by_commit") > 0 ? " " : "*", query_text(t, row, "commit"),
                !strcmp(query_text(t, row, "dirty"), "1") ? "+" : "", ms, interval);
    if (*query_text(t, row, "step"))
        text_format(page, "  %+.1f %% %s", 100 * step, step > 0 ? "slower" : "faster");
    text_add(page, "\n");
}

enum bench_status history_report(const struct history *h, FILE *out, struct text *csv)
{
    const struct table *const t = &h->points;
    struct text page = {0};
    struct table rows = {0};
    enum bench_status status = BENCH_OK;
    bool any_by_run = false;
    int n_steps = 0;

    text_format(&page, "%s on %s\n\n", h->wanted, query_text(t, 0, "machine_name"));
    for (int i = 0; i < t->n_rows; i++) {
        const int number = (int)query_number(t, i, "number");

        if (number == 1) {
            n_steps = 0;
            if (*query_text(t, i, "label"))
                page_wrapped(&page, query_text(t, i, "label"));
            text_format(&page, "%-20s  %-9s %9s  %19s  step\n", "commit of", "commit",
                        "median ms", "interval");
        }
        add_point(h, i, &page);
        any_by_run |= !(query_number(t, i, "by_commit") > 0);
        n_steps += *query_text(t, i, "step") != '\0';
        if (i + 1 < t->n_rows && query_number(t, i + 1, "number") > number)
            continue;
        text_format(&page, "%d points, %d step%s\n", number, n_steps, n_steps == 1 ? "" : "s");
        add_machines(h, i, &page);
        text_add(&page, "\n");
    }
    if (any_by_run)
        text_add(&page,
                 "* the day of the run: its files do not say when the commit was made\n");
    if (csv)
        status = query_table(h->store, "SELECT * FROM history", &rows);
    if (!status && csv)
        table_render(&rows, TABLE_CSV, 0, csv);
    if (!status)
        status = text_print(&page, out);
    table_free(&rows);
    text_free(&page);
    return status;
}

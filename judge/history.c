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

static enum bench_status read_points(struct history *h, const char *folder, FILE *notes,
                                     struct table *points)
{
    TRY(store_open(&h->store));
    TRY(store_add_results(h->store, folder, notes));
    if (store_n_measurements(h->store) == 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected a folder with results, found none",
                          folder);
    TRY(fitting_rows(h->store, h->wanted));
    TRY(store_complete(h->store));
    TRY(store_execute(h->store, history_sql, sizeof history_sql));
    TRY(query_table(h->store, "SELECT cell, traits, median_ms FROM point ORDER BY rowid",
                    points));
    return points->n_rows > 0
               ? BENCH_OK
               : BENCH_FAIL(BENCH_EINPUT, "--cell %.200s: no verified row with a time in %s",
                            h->wanted, folder);
}

/* ---- cells ---- */

/* Its points are beside each other in a table. */
struct cell {
    int first, n;
    const char *traits;
};

static int find_cells(const struct table *points, struct cell *cells)
{
    int n = 0;

    for (int row = 0; row < points->n_rows; row++) {
        if (row == 0 ||
            query_number(points, row, "cell") > query_number(points, row - 1, "cell"))
            cells[n++] = (struct cell){row, 0, query_text(points, row, "traits")};
        cells[n - 1].n++;
    }
    return n;
}

/* A 'step' of 0: there is none. */
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

/* 'y', 'sorted' and 'place' have room for all points. */
static enum bench_status find_steps(struct history *h, const struct table *points,
                                    const struct cell *cell, int number, const char *label,
                                    double *y, double *sorted, int *place)
{
    const int n = cell->n < MAX_POINTS ? cell->n : MAX_POINTS,
              first = cell->first + cell->n - n;
    double before = 0;
    int n_places = 0;

    for (int i = 0; i < n; i++)
        y[i] = log(query_number(points, first + i, "median_ms"));
    if (!regression_steps(y, n, NOISE, place, &n_places))
        return out_of_memory();
    for (int p = 0; p < n_places; p++) {
        const int from = place[p], to = p + 1 < n_places ? place[p + 1] : n;
        const double level = exp(regression_median(y + from, to - from, sorted));

        for (int i = from; i < to; i++)
            TRY(keep_point(h, label, (const int[]){first + i + 1, number, i + 1}, level,
                           p > 0 && i == from ? level / before - 1 : nan("")));
        before = level;
    }
    return BENCH_OK;
}

static enum bench_status fit(struct history *h, const struct table *points)
{
    const size_t n = (size_t)points->n_rows + 1;
    struct cell *cells = calloc(n, sizeof *cells);
    const char **traits = calloc(n, sizeof *traits);
    double *y = calloc(2 * n, sizeof *y);
    int *place = calloc(n, sizeof *place);
    enum bench_status status = cells && traits && y && place ? BENCH_OK : out_of_memory();
    const int n_cells = status ? 0 : find_cells(points, cells);

    for (int i = 0; i < n_cells; i++)
        traits[i] = cells[i].traits;
    for (int i = 0; i < n_cells && !status; i++) {
        struct text label = {0}; /* what it has otherwise than another one */

        text_add(&label, "");
        traits_add(traits[i], traits, n_cells, false, &label);
        status = text_ok(&label);
        if (!status)
            status = find_steps(h, points, &cells[i], i + 1, label.data, y, y + n, place);
        text_free(&label);
    }
    free(cells);
    free(traits);
    free(y);
    free(place);
    return status;
}

enum bench_status history_read(const char *folder, const char *wanted, FILE *notes,
                               struct history *h)
{
    struct table points = {0};
    enum bench_status status;

    *h = (struct history){.wanted = wanted};
    status = read_points(h, folder, notes, &points);
    if (!status)
        status = fit(h, &points);
    if (!status)
        status = query_table(h->store,
                             "SELECT * FROM fitted JOIN point ON point.rowid = fitted.id "
                             "ORDER BY fitted.id",
                             &h->points);
    table_free(&points);
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

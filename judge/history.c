/*
 * history.c - rows of many sessions as one line of points for each cell, with the steps in it
 */
#include "judge/history.h"

#include "harness/record_private.h"
#include "judge/page.h"
#include "judge/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_POINTS 1000  /* of a cell: the newest; the fit takes the cube of their number */
#define NOISE      0.002 /* of the logarithm: what runs differ by where nothing changed */

/* ---- which rows ---- */

/* One KEY=VALUE of what is wanted, or the variant. */
static enum bench_status check_wanted(const struct record_table *t, const char *wanted)
{
    const size_t n_impl = strcspn(wanted, ",");

    if (!n_impl || memchr(wanted, '=', n_impl))
        return BENCH_FAIL(BENCH_EINPUT,
                          "--cell %.200s: expected IMPL,KEY=VALUE,... as in "
                          "rdp/serial,height=1024",
                          wanted);
    for (const char *at = wanted + n_impl; *at;) {
        const char *part = at + 1;
        const size_t n = strcspn(part, ","), n_key = strcspn(part, "=,");
        char key[64];

        if (n_key == n || !n_key || n_key >= sizeof key)
            return BENCH_FAIL(BENCH_EINPUT, "--cell %.200s: expected KEY=VALUE, found '%.*s'",
                              wanted, (int)(n < 100 ? n : 100), part);
        snprintf(key, sizeof key, "%.*s", (int)n_key, part);
        if (record_column(t, key) < 0)
            return BENCH_FAIL(BENCH_EINPUT,
                              "--cell %.200s: expected a column of the results, found '%s'",
                              wanted, key);
        at = part + n;
    }
    return BENCH_OK;
}

static bool fits(const struct record_table *t, int row, const char *wanted)
{
    const size_t n_impl = strcspn(wanted, ",");
    const char *impl = record_get(t, row, "impl");
    char sms[16] = "all"; /* the whole card, unless a number is asked for */

    if (strlen(impl) != n_impl || memcmp(impl, wanted, n_impl) != 0 ||
        strcmp(record_get(t, row, "status"), "ok") != 0 || !record_is_whole(t, row))
        return false;
    for (const char *at = wanted + n_impl; *at;) {
        const char *part = at + 1;
        const size_t n = strcspn(part, ","), n_key = strcspn(part, "=");
        const char *value;
        char key[64];

        snprintf(key, sizeof key, "%.*s", (int)n_key, part);
        at = part + n;
        if (!strcmp(key, "sms")) {
            snprintf(sms, sizeof sms, "%.*s", (int)(n - n_key - 1), part + n_key + 1);
            continue;
        }
        value = record_get(t, row, key);
        if (strlen(value) != n - n_key - 1 ||
            memcmp(value, part + n_key + 1, strlen(value)) != 0)
            return false;
    }
    return record_fits_sms(t, row, sms);
}

/* What makes two rows the same cell.  A parameter that a build did not know yet is empty in its rows, so that keys count
 * that both rows have. */
static const char *const identity_columns[] = {"input",    "case",      "batch",   "threads",
                                               "transfer", "mode_name", "profile", "scope",
                                               "series",   "input_hash"};
#define N_IDENTITY_COLUMNS (sizeof identity_columns / sizeof *identity_columns)

/* Whether a parameter that both rows have differs: "a=1;b=2". */
static bool params_differ(const char *a, const char *b, char key[64])
{
    for (const char *at = a; *at;) {
        const size_t n = strcspn(at, ";"), n_key = strcspn(at, "=;") + 1;

        for (const char *other = b; *other;) {
            const size_t n_other = strcspn(other, ";");

            if (n_key <= n && !strncmp(at, other, n_key) &&
                (n != n_other || memcmp(at, other, n) != 0)) {
                snprintf(key, 64, "%.*s", (int)(n_key - 1 < 63 ? n_key - 1 : 63), at);
                return true;
            }
            other += n_other + (other[n_other] == ';');
        }
        at += n + (at[n] == ';');
    }
    return false;
}

static bool same_cell(const struct record_table *t, int a, int b)
{
    char key[64];

    for (size_t i = 0; i < N_IDENTITY_COLUMNS; i++) {
        const char *x = record_get(t, a, identity_columns[i]);
        const char *y = record_get(t, b, identity_columns[i]);

        if (*x && *y && strcmp(x, y) != 0)
            return false;
    }
    return !params_differ(record_get(t, a, "params"), record_get(t, b, "params"), key);
}

/* ---- points ---- */

/* RFC 3339 with any zone as UTC, so that dates sort as text. */
static void to_utc(const char *date, char utc[40])
{
    struct tm tm = {0};
    const char *end = strptime(date, "%Y-%m-%dT%H:%M:%S", &tm);
    int hours, minutes;
    char sign;
    time_t at;

    snprintf(utc, 40, "%.39s", date);
    if (!end)
        return;
    at = timegm(&tm);
    if (sscanf(end, "%c%2d:%2d", &sign, &hours, &minutes) == 3 && (sign == '+' || sign == '-'))
        at -= (sign == '+' ? 1 : -1) * (hours * 3600 + minutes * 60);
    gmtime_r(&at, &tm);
    strftime(utc, 40, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

static enum bench_status date_of(const char *folder, const struct record_table *t, int row,
                                 struct history_point *point)
{
    struct text path = {0};
    char date[64] = "";
    enum bench_status status;

    snprintf(date, sizeof date, "%.63s", record_get(t, row, "commit_date"));
    if (!*date) {
        text_format(&path, "%s/%s.csv", folder, record_get(t, row, "session"));
        status = text_ok(&path);
        if (!status)
            status = record_env_value(path.data, "commit_date", date, sizeof date);
        text_free(&path);
        TRY(status);
    }
    point->by_commit = *date != '\0';
    to_utc(*date ? date : record_get(t, row, "utc"), point->date);
    return BENCH_OK;
}

static enum bench_status add_point(struct history *h, const char *folder, int row)
{
    const struct record_table *t = &h->rows;
    struct history_point point = {.row = row}, *more;
    struct history_cell *cell;
    int at = 0;

    if (!record_get_number(t, row, "median_ms", &point.ms) || !(point.ms > 0))
        return BENCH_OK;
    if (!record_get_number(t, row, "ci_lo_ms", &point.lo) ||
        !record_get_number(t, row, "ci_hi_ms", &point.hi))
        point.lo = point.hi = point.ms;
    TRY(date_of(folder, t, row, &point));
    while (at < h->n && !same_cell(t, h->cell[at].point[0].row, row))
        at++;
    if (at == h->n) {
        cell = realloc(h->cell, ((size_t)h->n + 1) * sizeof *cell);
        if (!cell)
            return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a history");
        h->cell = cell;
        h->cell[h->n++] = (struct history_cell){0};
    }
    cell = &h->cell[at];
    more = realloc(cell->point, ((size_t)cell->n + 1) * sizeof *more);
    if (!more)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a history");
    cell->point = more;
    cell->point[cell->n++] = point;
    return BENCH_OK;
}

/* Rows are in the order of their sessions, which decides between runs of one commit. */
static int compare_points(const void *left, const void *right)
{
    const struct history_point *a = left, *b = right;
    const int order = strcmp(a->date, b->date);

    return order ? order : a->row - b->row;
}

static enum bench_status find_steps(struct history_cell *cell)
{
    const int first = cell->n > MAX_POINTS ? cell->n - MAX_POINTS : 0, n = cell->n - first;
    double *y = calloc((size_t)n + 1, sizeof *y), *sorted = calloc((size_t)n + 1, sizeof *y);
    int *place = calloc((size_t)n + 1, sizeof *place);
    int n_places = 0;
    bool done = y && sorted && place;

    memmove(cell->point, cell->point + first, (size_t)n * sizeof *cell->point);
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
    return done ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a history");
}

/* ---- names ---- */

/* Add what cell i has otherwise than another one. */
static void add_label(const struct history *h, int i, struct text *label)
{
    const struct record_table *t = &h->rows;
    const int row = h->cell[i].point[0].row;
    const char *params = record_get(t, row, "params");

    for (size_t k = 0; k < N_IDENTITY_COLUMNS; k++) {
        const char *own = record_get(t, row, identity_columns[k]);
        bool differs = false;

        if (!strcmp(identity_columns[k], "input_hash")) /* says nothing to people */
            continue;
        for (int other = 0; other < h->n; other++)
            differs |= strcmp(own, record_get(t, h->cell[other].point[0].row,
                                              identity_columns[k])) != 0;
        if (differs)
            text_format(label, "%s%s=%s", label->size ? " " : "", identity_columns[k], own);
    }
    for (const char *at = params; *at;) {
        const size_t n = strcspn(at, ";");
        bool differs = false;
        char one[256], key[64];

        snprintf(one, sizeof one, "%.*s", (int)(n < sizeof one ? n : sizeof one - 1), at);
        for (int other = 0; other < h->n; other++)
            differs |=
                params_differ(one, record_get(t, h->cell[other].point[0].row, "params"), key);
        if (differs)
            text_format(label, "%s%s", label->size ? " " : "", one);
        at += n + (at[n] == ';');
    }
}

static const char *label_of(const struct history *h, int i)
{
    return h->cell[i].label ? h->cell[i].label : "";
}

/* Cells that differ in their input alone: a file that was replaced, a generator that was changed. */
static enum bench_status tell_apart(struct history *h)
{
    const size_t n = h->n > 0 ? (size_t)h->n : 1;
    bool *doubled = calloc(n, sizeof *doubled);
    enum bench_status status = BENCH_OK;

    if (!doubled)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a history");
    for (int i = 0; i < h->n; i++)
        for (int k = 0; k < h->n; k++)
            doubled[i] |= k != i && !strcmp(label_of(h, i), label_of(h, k));
    for (int i = 0; i < h->n && !status; i++) {
        struct text label = {0};

        if (!doubled[i])
            continue;
        text_format(&label, "%s%sinput_hash=%s", label_of(h, i), h->cell[i].label ? " " : "",
                    record_get(&h->rows, h->cell[i].point[0].row, "input_hash"));
        free(h->cell[i].label);
        h->cell[i].label = label.data;
        status = text_ok(&label);
    }
    free(doubled);
    return status;
}

enum bench_status history_read(const char *folder, const char *wanted, struct history *h)
{
    enum bench_status status;

    *h = (struct history){.wanted = wanted};
    status = record_read_folder(folder, &h->rows);
    if (!status && h->rows.n_rows == 0)
        status =
            BENCH_FAIL(BENCH_EINPUT, "%s: expected a folder with results, found none", folder);
    if (!status)
        status = check_wanted(&h->rows, wanted);
    for (int i = 0; i < h->rows.n_rows && !status; i++)
        if (fits(&h->rows, i, wanted))
            status = add_point(h, folder, i);
    if (!status && h->n == 0)
        status = BENCH_FAIL(BENCH_EINPUT, "--cell %.200s: no verified row with a time in %s",
                            wanted, folder);
    for (int i = 0; i < h->n && !status; i++) {
        struct text label = {0};

        add_label(h, i, &label);
        h->cell[i].label = label.data;
        status = text_ok(&label);
    }
    if (!status)
        status = tell_apart(h);
    for (int i = 0; i < h->n && !status; i++) {
        qsort(h->cell[i].point, (size_t)h->cell[i].n, sizeof *h->cell[i].point, compare_points);
        status = find_steps(&h->cell[i]);
    }
    if (status)
        history_free(h);
    return status;
}

void history_free(struct history *h)
{
    for (int i = 0; i < h->n; i++) {
        free(h->cell[i].label);
        free(h->cell[i].point);
    }
    free(h->cell);
    record_table_free(&h->rows);
    *h = (struct history){0};
}

/* ---- the report ---- */

static double step_of(const struct history_cell *cell, int i)
{
    return i > 0 && cell->point[i].piece != cell->point[i - 1].piece
               ? cell->point[i].level_ms / cell->point[i - 1].level_ms - 1
               : 0;
}

static void add_cell(const struct history *h, const struct history_cell *cell,
                     struct text *page)
{
    int n_steps = 0;

    if (cell->label)
        page_wrapped(page, cell->label);
    text_format(page, "%-20s  %-9s %9s  %19s  step\n", "commit of", "commit", "median ms",
                "interval");
    for (int i = 0; i < cell->n; i++) {
        const struct history_point *p = &cell->point[i];
        char ms[TEXT_NUMBER], lo[TEXT_NUMBER], hi[TEXT_NUMBER], interval[80], step[40] = "";
        const bool dirty = !strcmp(record_get(&h->rows, p->row, "dirty"), "1");

        text_short_number(ms, p->ms, 4);
        text_short_number(lo, p->lo, 4);
        text_short_number(hi, p->hi, 4);
        snprintf(interval, sizeof interval, "%s .. %s", lo, hi);
        if (i > 0 && p->piece != cell->point[i - 1].piece) {
            const double change = step_of(cell, i);

            n_steps++;
            snprintf(step, sizeof step, "  %+.1f %% %s", 100 * change,
                     change > 0 ? "slower" : "faster");
        }
        text_format(page, "%-20s%s %.7s%-2s %9s  %19s%s\n", p->date, p->by_commit ? " " : "*",
                    record_get(&h->rows, p->row, "commit"), dirty ? "+" : "", ms, interval,
                    step);
    }
    text_format(page, "%d points, %d step%s\n\n", cell->n, n_steps, n_steps == 1 ? "" : "s");
}

static void add_csv(const struct history *h, int number_of_cell, struct text *csv)
{
    const struct history_cell *cell = &h->cell[number_of_cell - 1];
    char wanted[200]; /* without commas, at which gnuplot cuts a title */

    snprintf(wanted, sizeof wanted, "%s", h->wanted);
    for (char *at = wanted; (at = strchr(at, ',')) != NULL;)
        *at = ' ';

    for (int i = 0; i < cell->n; i++) {
        const struct history_point *p = &cell->point[i];
        const double value[] = {number_of_cell, i + 1,        p->ms,       p->lo,
                                p->hi,          1000 / p->ms, p->level_ms, step_of(cell, i)};
        char number[sizeof value / sizeof *value][TEXT_NUMBER];
        const char *const field[] = {wanted,
                                     cell->label,
                                     number[0],
                                     number[1],
                                     p->date,
                                     record_get(&h->rows, p->row, "commit"),
                                     record_get(&h->rows, p->row, "dirty"),
                                     record_get(&h->rows, p->row, "machine"),
                                     record_get(&h->rows, p->row, "session"),
                                     record_get(&h->rows, p->row, "row_id"),
                                     number[2],
                                     number[3],
                                     number[4],
                                     number[5],
                                     number[6],
                                     number[7]};

        for (size_t k = 0; k < sizeof value / sizeof *value; k++)
            text_number(number[k], value[k]);
        page_csv_line(csv, field, sizeof field / sizeof *field);
    }
}

enum bench_status history_report(const struct history *h, FILE *out, struct text *csv)
{
    static const char *const columns[] = {"wanted",   "cell",   "cell_number", "point",
                                          "date",     "commit", "dirty",       "machine_name",
                                          "session",  "row_id", "median_ms",   "ci_lo_ms",
                                          "ci_hi_ms", "fps",    "level_ms",    "step"};
    struct text page = {0};
    enum bench_status status;
    bool any_by_run = false;

    text_format(&page, "%s on %s\n\n", h->wanted,
                record_get(&h->rows, h->cell[0].point[0].row, "machine"));
    if (csv)
        page_csv_line(csv, columns, sizeof columns / sizeof *columns);
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
    status = text_ok(&page);
    if (!status)
        fputs(page.data, out);
    text_free(&page);
    return status;
}

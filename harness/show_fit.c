/*
 * show_fit.c - how a value grows: power laws through the rows that differ in one column alone
 */
#include "harness/show.h"

#include "harness/record_private.h"
#include "harness/show_private.h"
#include "harness/stats.h"
#include "harness/text.h"

#include <stdlib.h>
#include <string.h>

/* One curve: rows that agree in all columns of the keys but x. */
struct curve {
    int *row;      /* [n], n <= rows of the table; owned */
    double *x, *y; /* [n] */
    int n;
};

bool show_list(const char *list, int i, char *text, size_t size)
{
    const char *at = list;

    text[0] = '\0';
    for (; i > 0; i--) {
        at = strchr(at, ',');
        if (!at)
            return false;
        at++;
    }
    at += strspn(at, " \t");
    snprintf(text, size, "%.*s", (int)strcspn(at, ","), at);
    for (size_t n = strlen(text); n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'); n--)
        text[n - 1] = '\0';
    return text[0] != '\0';
}

static bool same_curve(const struct record_table *rows, const struct show_keys *keys,
                       const char *x_name, int a, int b)
{
    if (strcmp(record_get(rows, a, "impl"), record_get(rows, b, "impl")) != 0)
        return false;
    for (int i = 0; i < keys->n; i++)
        if (strcmp(keys->name[i], x_name) != 0 &&
            strcmp(record_get(rows, a, keys->name[i]), record_get(rows, b, keys->name[i])) != 0)
            return false;
    return true;
}

static enum bench_status add_columns(struct record_table *fits, const struct show_keys *keys,
                                     const char *x_name)
{
    static const char *const others[] = {
        "x",        "value",       "n",           "x_min",         "x_max",
        "exponent", "exponent_lo", "exponent_hi", "exponent_last", "scale"};

    TRY(record_add_column(fits, "impl"));
    for (int i = 0; i < keys->n; i++)
        if (strcmp(keys->name[i], x_name) != 0 && strcmp(keys->name[i], "lap") != 0)
            TRY(record_add_column(fits, keys->name[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        TRY(record_add_column(fits, others[i]));
    return BENCH_OK;
}

static enum bench_status add_fit(const struct record_table *rows, const struct curve *curve,
                                 const char *x_name, const char *y_name,
                                 struct record_table *fits)
{
    struct bench_fit fit;
    double numbers[8];
    char text[8][TEXT_NUMBER];
    const char *fields[160] = {0};
    int n = 0;

    if (!bench_fit_power(curve->x, curve->y, curve->n, &fit))
        return BENCH_OK; /* one point, or x twice and nothing else: no curve */
    numbers[0] = fit.n;
    numbers[1] = numbers[2] = curve->x[0];
    for (int i = 1; i < curve->n; i++) {
        numbers[1] = curve->x[i] < numbers[1] ? curve->x[i] : numbers[1];
        numbers[2] = curve->x[i] > numbers[2] ? curve->x[i] : numbers[2];
    }
    numbers[3] = fit.exponent;
    numbers[4] = fit.lo;
    numbers[5] = fit.hi;
    numbers[6] = fit.last;
    numbers[7] = fit.scale;
    for (; strcmp(fits->column[n], "x") != 0; n++)
        fields[n] = record_get(rows, curve->row[0], fits->column[n]);
    fields[n++] = x_name;
    fields[n++] = y_name;
    for (int i = 0; i < 8; i++) {
        const bool bounds = i == 4 || i == 5;

        text_number(text[i], numbers[i]);
        fields[n++] = bounds && fit.n < 3 ? "" : text[i]; /* two points scatter about no line */
    }
    return record_add_row(fits, fields);
}

/* The curve whose first point is row 'first'; no points where that is another row. */
static void collect(const struct record_table *rows, const struct show_keys *keys,
                    const char *x_name, const char *y_name, int first, struct curve *curve)
{
    curve->n = 0;
    for (int row = 0; row < rows->n_rows; row++) {
        const int at = curve->n;

        if (record_get(rows, row, "lap")[0] != '\0' ||
            !same_curve(rows, keys, x_name, row, first) ||
            !record_get_number(rows, row, x_name, &curve->x[at]) ||
            !record_get_number(rows, row, y_name, &curve->y[at]))
            continue;
        curve->row[at] = row;
        curve->n++;
    }
    if (curve->n > 0 && curve->row[0] != first)
        curve->n = 0;
}

enum bench_status show_fit(const struct bench_experiment *experiment, const struct shown *shown,
                           const struct show_keys *keys, struct record_table *fits)
{
    const struct record_table *rows = &shown->rows;
    const char *x_name = experiment->layout.fit;
    const size_t room = (size_t)rows->n_rows + 1;
    struct curve curve = {0};
    enum bench_status status;
    char y_name[64];

    *fits = (struct record_table){0};
    if (x_name[0] == '\0')
        return BENCH_OK;
    show_list(experiment->layout.value, 0, y_name, sizeof y_name);
    if (rows->n_rows > 0 &&
        (record_column(rows, x_name) < 0 || record_column(rows, y_name) < 0))
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: [show] fit = %s, value = %s: expected two columns of the results",
            experiment->path, x_name, y_name);
    curve.row = calloc(room, sizeof *curve.row);
    curve.x = calloc(room, sizeof *curve.x);
    curve.y = calloc(room, sizeof *curve.y);
    status = curve.row && curve.x && curve.y
                 ? add_columns(fits, keys, x_name)
                 : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a fit");
    for (int row = 0; row < rows->n_rows && status == BENCH_OK; row++) {
        collect(rows, keys, x_name, y_name, row, &curve);
        status = add_fit(rows, &curve, x_name, y_name, fits);
    }
    free(curve.row);
    free(curve.x);
    free(curve.y);
    if (status != BENCH_OK)
        record_table_free(fits);
    return status;
}

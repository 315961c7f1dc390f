/*
 * show_fit.c - how a value grows: power laws through the rows that differ in one column alone, and sums of two terms
 */
#include "harness/analysis/show.h"

#include "harness/record_private.h"
#include "harness/analysis/show_private.h"
#include "harness/stats.h"
#include "harness/text.h"

#include <stdlib.h>
#include <string.h>

/* One curve: rows that agree in all columns of the keys but some. */
struct curve {
    int *row;           /* [n], n <= rows of the table; owned */
    double *x, *x2, *y; /* [n]; x2 as x where there is one x only */
    int n;
};

/* What is fitted: texts of the columns, and the keys in which rows of a curve may differ. */
struct fitted {
    char x[64], x2[64], y[64];
    const char *but; /* a list */
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

bool show_is_listed(const char *list, const char *word)
{
    char other[64];

    for (int i = 0; show_list(list, i, other, sizeof other); i++)
        if (!strcmp(other, word))
            return true;
    return false;
}

static bool same_curve(const struct record_table *rows, const struct show_keys *keys,
                       const char *but, int a, int b)
{
    if (strcmp(record_get(rows, a, "impl"), record_get(rows, b, "impl")) != 0)
        return false;
    for (int i = 0; i < keys->n; i++)
        if (!show_is_listed(but, keys->name[i]) &&
            strcmp(record_get(rows, a, keys->name[i]), record_get(rows, b, keys->name[i])) != 0)
            return false;
    return true;
}

static enum bench_status add_columns(struct record_table *fits, const struct show_keys *keys,
                                     const char *but, const char *const *others)
{
    TRY(record_add_column(fits, "impl"));
    for (int i = 0; i < keys->n; i++)
        if (!show_is_listed(but, keys->name[i]) && strcmp(keys->name[i], "lap") != 0)
            TRY(record_add_column(fits, keys->name[i]));
    for (; *others; others++)
        TRY(record_add_column(fits, *others));
    return BENCH_OK;
}

static enum bench_status add_power(const struct record_table *rows, const struct curve *curve,
                                   const struct fitted *fitted, struct record_table *fits)
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
    fields[n++] = fitted->x;
    fields[n++] = fitted->y;
    for (int i = 0; i < 8; i++) {
        const bool bounds = i == 4 || i == 5;

        text_number(text[i], numbers[i]);
        fields[n++] = bounds && fit.n < 3 ? "" : text[i]; /* two points scatter about no line */
    }
    return record_add_row(fits, fields);
}

static enum bench_status add_linear(const struct record_table *rows, const struct curve *curve,
                                    const struct fitted *fitted, struct record_table *fits)
{
    const double ns_per_ms = 1e6, percent = 100;
    struct bench_linear fit;
    char text[7][TEXT_NUMBER];
    const char *fields[160] = {0};
    int n = 0;

    if (!bench_fit_linear(curve->x, curve->x2, curve->y, curve->n, &fit))
        return BENCH_OK; /* two points, or nothing that tells the terms apart */
    const double numbers[7] = {fit.n,
                               ns_per_ms * fit.a,
                               ns_per_ms * fit.b,
                               ns_per_ms * fit.a_half,
                               ns_per_ms * fit.b_half,
                               percent * fit.rms,
                               percent * fit.worst};

    for (; strcmp(fits->column[n], "x") != 0; n++)
        fields[n] = record_get(rows, curve->row[0], fits->column[n]);
    fields[n++] = fitted->x;
    fields[n++] = fitted->x2;
    fields[n++] = fitted->y;
    for (int i = 0; i < 7; i++) {
        text_number(text[i], numbers[i]);
        fields[n++] = text[i];
    }
    return record_add_row(fits, fields);
}

/* The curve whose first point is row 'first'; no points where that is another row. */
static void collect(const struct record_table *rows, const struct show_keys *keys,
                    const struct fitted *fitted, int first, struct curve *curve)
{
    curve->n = 0;
    for (int row = 0; row < rows->n_rows; row++) {
        const int at = curve->n;

        if (record_get(rows, row, "lap")[0] != '\0' ||
            !same_curve(rows, keys, fitted->but, row, first) ||
            !record_get_number(rows, row, fitted->x, &curve->x[at]) ||
            !record_get_number(rows, row, fitted->x2, &curve->x2[at]) ||
            !record_get_number(rows, row, fitted->y, &curve->y[at]))
            continue;
        curve->row[at] = row;
        curve->n++;
    }
    if (curve->n > 0 && curve->row[0] != first)
        curve->n = 0;
}

typedef enum bench_status add_fit_function(const struct record_table *rows,
                                           const struct curve *curve,
                                           const struct fitted *fitted,
                                           struct record_table *fits);

/* A line of 'fits' for each curve of the rows. */
static enum bench_status fit_curves(const struct record_table *rows,
                                    const struct show_keys *keys, const struct fitted *fitted,
                                    add_fit_function *add, struct record_table *fits)
{
    const size_t room = (size_t)rows->n_rows + 1;
    struct curve curve = {calloc(room, sizeof *curve.row), calloc(room, sizeof *curve.x),
                          calloc(room, sizeof *curve.x2), calloc(room, sizeof *curve.y), 0};
    enum bench_status status = curve.row && curve.x && curve.x2 && curve.y
                                   ? BENCH_OK
                                   : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a fit");

    for (int row = 0; row < rows->n_rows && status == BENCH_OK; row++) {
        collect(rows, keys, fitted, row, &curve);
        status = add(rows, &curve, fitted, fits);
    }
    free(curve.row);
    free(curve.x);
    free(curve.x2);
    free(curve.y);
    return status;
}

static bool has_column(const struct record_table *rows, const char *name)
{
    return rows->n_rows == 0 || record_column(rows, name) >= 0;
}

enum bench_status show_fit(const struct bench_experiment *experiment, const struct shown *shown,
                           const struct show_keys *keys, struct record_table *fits)
{
    static const char *const columns[] = {
        "x",           "value",         "n",     "x_min", "x_max", "exponent", "exponent_lo",
        "exponent_hi", "exponent_last", "scale", NULL};
    const struct record_table *rows = &shown->rows;
    struct fitted fitted = {.but = experiment->layout.fit};
    enum bench_status status;

    *fits = (struct record_table){0};
    if (experiment->layout.fit[0] == '\0')
        return BENCH_OK;
    snprintf(fitted.x, sizeof fitted.x, "%s", experiment->layout.fit);
    snprintf(fitted.x2, sizeof fitted.x2, "%s", experiment->layout.fit);
    show_list(experiment->layout.value, 0, fitted.y, sizeof fitted.y);
    if (!has_column(rows, fitted.x) || !has_column(rows, fitted.y))
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: [show] fit = %s, value = %s: expected two columns of the results",
            experiment->path, fitted.x, fitted.y);
    status = add_columns(fits, keys, fitted.but, columns);
    if (status == BENCH_OK)
        status = fit_curves(rows, keys, &fitted, add_power, fits);
    if (status != BENCH_OK)
        record_table_free(fits);
    return status;
}

enum bench_status show_linear(const struct bench_experiment *experiment,
                              const struct shown *shown, const struct show_keys *keys,
                              struct record_table *fits)
{
    static const char *const columns[] = {"x",       "x2",        "value",     "n",
                                          "a_ns",    "b_ns",      "a_half_ns", "b_half_ns",
                                          "rms_pct", "worst_pct", NULL};
    const char *const asked = experiment->layout.linear;
    const struct record_table *rows = &shown->rows;
    struct fitted fitted = {.but = asked}; /* the two values are no keys */
    enum bench_status status;

    *fits = (struct record_table){0};
    if (asked[0] == '\0')
        return BENCH_OK;
    show_list(experiment->layout.value, 0, fitted.y, sizeof fitted.y);
    if (!show_list(asked, 0, fitted.x, sizeof fitted.x) ||
        !show_list(asked, 1, fitted.x2, sizeof fitted.x2) || !has_column(rows, fitted.x) ||
        !has_column(rows, fitted.x2) || !has_column(rows, fitted.y))
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: [show] linear = %s, value = %s: expected columns of the results, "
            "first two values",
            experiment->path, asked, fitted.y);
    status = add_columns(fits, keys, fitted.but, columns);
    if (status == BENCH_OK)
        status = fit_curves(rows, keys, &fitted, add_linear, fits);
    if (status != BENCH_OK)
        record_table_free(fits);
    return status;
}

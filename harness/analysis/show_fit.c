/*
 * show_fit.c - how a value grows: power laws through the rows that differ in one column alone, and sums of two terms
 */
#include "harness/analysis/show.h"

#include "harness/record_private.h"
#include "harness/analysis/show_private.h"
#include "harness/stats.h"
#include "harness/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One curve: rows that agree in all columns of the keys but some. */
struct curve {
    double *x, *x2, *y; /* [n], n <= rows of the table; owned */
    int n;
};

#define MAX_NUMBERS 8

/* What is fitted, and the columns of its file behind those of the keys: the names of x, x2 and the value, then numbers. */
struct fitted {
    const char *key; /* of [show] */
    const char *columns[3 + MAX_NUMBERS];
    int n_names; /* 2: there is no x2 */
    /* The numbers, not finite where there is none; false: the points are of no curve. */
    bool (*numbers)(const struct curve *curve, double number[MAX_NUMBERS]);
    char name[3][64]; /* x, x2, value */
    const char *but;  /* keys in which rows of a curve may differ, a list */
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

static bool power_numbers(const struct curve *curve, double number[MAX_NUMBERS])
{
    struct bench_fit fit;
    double least = curve->x[0], most = curve->x[0];

    if (!bench_fit_power(curve->x, curve->y, curve->n, &fit))
        return false; /* one point, or x twice and nothing else */
    for (int i = 1; i < curve->n; i++) {
        least = curve->x[i] < least ? curve->x[i] : least;
        most = curve->x[i] > most ? curve->x[i] : most;
    }
    const bool scatters = fit.n > 2; /* two points scatter about no line */
    const double all[MAX_NUMBERS] = {fit.n,
                                     least,
                                     most,
                                     fit.exponent,
                                     scatters ? fit.lo : (double)NAN,
                                     scatters ? fit.hi : (double)NAN,
                                     fit.last,
                                     fit.scale};

    memcpy(number, all, sizeof all);
    return true;
}

static bool linear_numbers(const struct curve *curve, double number[MAX_NUMBERS])
{
    const double ns_per_ms = 1e6, percent = 100;
    struct bench_linear fit;

    if (!bench_fit_linear(curve->x, curve->x2, curve->y, curve->n, &fit))
        return false; /* two points, or nothing that tells the terms apart */
    const double all[MAX_NUMBERS] = {fit.n,
                                     ns_per_ms * fit.a,
                                     ns_per_ms * fit.b,
                                     ns_per_ms * fit.a_half,
                                     ns_per_ms * fit.b_half,
                                     percent * fit.rms,
                                     percent * fit.worst};

    memcpy(number, all, sizeof all);
    return true;
}

static bool same_curve(const struct record_table *rows, const struct record_table *fits, int a,
                       int b)
{
    for (int i = 0; strcmp(fits->column[i], "x") != 0; i++)
        if (strcmp(record_get(rows, a, fits->column[i]),
                   record_get(rows, b, fits->column[i])) != 0)
            return false;
    return true;
}

/* The curve whose first point is row 'first'; no points where that is another row. */
static void collect(const struct record_table *rows, const struct record_table *fits,
                    const struct fitted *fitted, int first, struct curve *curve)
{
    curve->n = 0;
    for (int row = 0; row < rows->n_rows; row++) {
        const int at = curve->n;

        if (record_get(rows, row, "lap")[0] != '\0' || !same_curve(rows, fits, row, first) ||
            !record_get_number(rows, row, fitted->name[0], &curve->x[at]) ||
            !record_get_number(rows, row, fitted->name[1], &curve->x2[at]) ||
            !record_get_number(rows, row, fitted->name[2], &curve->y[at]))
            continue;
        if (at == 0 && row != first)
            return;
        curve->n++;
    }
}

static enum bench_status add_fit(const struct record_table *rows, const struct fitted *fitted,
                                 int first, const struct curve *curve,
                                 struct record_table *fits)
{
    double number[MAX_NUMBERS];
    char text[MAX_NUMBERS][TEXT_NUMBER];
    const char *fields[160] = {0};
    int n = 0;

    if (curve->n == 0 || !fitted->numbers(curve, number))
        return BENCH_OK;
    for (; strcmp(fits->column[n], "x") != 0; n++)
        fields[n] = record_get(rows, first, fits->column[n]);
    for (int i = 0; i < 3; i++)
        if (i != 1 || fitted->n_names == 3)
            fields[n++] = fitted->name[i];
    for (int i = 0; n < fits->n_columns; i++) {
        text_number(text[i], number[i]);
        fields[n++] = text[i];
    }
    return record_add_row(fits, fields);
}

/* A line of 'fits' for each curve of the rows. */
static enum bench_status fit_curves(const struct record_table *rows,
                                    const struct fitted *fitted, struct record_table *fits)
{
    const size_t room = (size_t)rows->n_rows + 1;
    double *points = calloc(3 * room, sizeof *points);
    struct curve curve = {.x = points, .x2 = points + room, .y = points + 2 * room};
    enum bench_status status =
        points ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a fit");

    for (int row = 0; row < rows->n_rows && status == BENCH_OK; row++) {
        collect(rows, fits, fitted, row, &curve);
        status = add_fit(rows, fitted, row, &curve, fits);
    }
    free(points);
    return status;
}

static enum bench_status add_columns(const struct show_keys *keys, const struct fitted *fitted,
                                     struct record_table *fits)
{
    TRY(record_add_column(fits, "impl"));
    for (int i = 0; i < keys->n; i++)
        if (!show_is_listed(fitted->but, keys->name[i]) && strcmp(keys->name[i], "lap") != 0)
            TRY(record_add_column(fits, keys->name[i]));
    for (int i = 0; i < fitted->n_names + MAX_NUMBERS && fitted->columns[i]; i++)
        TRY(record_add_column(fits, fitted->columns[i]));
    return BENCH_OK;
}

static enum bench_status fit_all(const struct bench_experiment *experiment,
                                 const struct shown *shown, const struct show_keys *keys,
                                 struct fitted *fitted, struct record_table *fits)
{
    const struct record_table *rows = &shown->rows;
    enum bench_status status;

    *fits = (struct record_table){0};
    if (fitted->but[0] == '\0')
        return BENCH_OK;
    show_list(experiment->layout.value, 0, fitted->name[2], sizeof fitted->name[2]);
    show_list(fitted->but, 0, fitted->name[0], sizeof fitted->name[0]);
    show_list(fitted->but, fitted->n_names - 2, fitted->name[1], sizeof fitted->name[1]);
    for (int i = 0; i < 3; i++)
        if (!fitted->name[i][0] ||
            (rows->n_rows > 0 && record_column(rows, fitted->name[i]) < 0))
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s: [show] %s = %s, value = %s: expected columns of the results",
                              experiment->path, fitted->key, fitted->but, fitted->name[2]);
    status = add_columns(keys, fitted, fits);
    if (status == BENCH_OK)
        status = fit_curves(rows, fitted, fits);
    if (status != BENCH_OK)
        record_table_free(fits);
    return status;
}

enum bench_status show_fit(const struct bench_experiment *experiment, struct shown *shown,
                           const struct show_keys *keys)
{
    struct fitted power = {.key = "fit",
                           .columns = {"x", "value", "n", "x_min", "x_max", "exponent",
                                       "exponent_lo", "exponent_hi", "exponent_last", "scale"},
                           .n_names = 2,
                           .numbers = power_numbers,
                           .but = experiment->layout.fit};
    struct fitted linear = {.key = "linear",
                            .columns = {"x", "x2", "value", "n", "a_ns", "b_ns", "a_half_ns",
                                        "b_half_ns", "rms_pct", "worst_pct"},
                            .n_names = 3,
                            .numbers = linear_numbers,
                            .but = experiment->layout.linear};

    TRY(fit_all(experiment, shown, keys, &power, &shown->powers));
    return fit_all(experiment, shown, keys, &linear, &shown->sums);
}

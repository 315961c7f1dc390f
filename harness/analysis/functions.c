/* functions.c - SQL functions of analysis, over stats.h and regression.h */
#include "harness/analysis/functions.h"

#include "harness/stats.h"
#include "harness/analysis/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of a group, in pairs where a function has two arguments. */
struct group {
    double *x, *y;
    int n, capacity;
    bool failed;
};

static void add_number(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    struct group *g = sqlite3_aggregate_context(context, sizeof *g);

    for (int i = 0; i < n_arguments; i++)
        if (sqlite3_value_numeric_type(argument[i]) != SQLITE_INTEGER &&
            sqlite3_value_numeric_type(argument[i]) != SQLITE_FLOAT)
            return;
    if (!g || g->failed)
        return;
    if (g->n == g->capacity) {
        const int capacity = g->capacity ? 2 * g->capacity : 16;
        double *x = realloc(g->x, (size_t)capacity * sizeof *x), *y;

        g->x = x ? x : g->x;
        y = realloc(g->y, (size_t)capacity * sizeof *y);
        g->y = y ? y : g->y;
        g->failed = !x || !y;
        if (g->failed)
            return;
        g->capacity = capacity;
    }
    g->x[g->n] = sqlite3_value_double(argument[0]);
    g->y[g->n++] = n_arguments > 1 ? sqlite3_value_double(argument[1]) : 0;
}

/* A function of a group; false: it has no value. */
typedef bool of_group(struct group *g, double *value);

static void finish(sqlite3_context *context, of_group *function)
{
    struct group *g = sqlite3_aggregate_context(context, 0);
    double value;

    if (!g)
        return; /* no rows: NULL */
    if (g->failed)
        sqlite3_result_error_nomem(context);
    else if (g->n > 0 && function(g, &value))
        sqlite3_result_double(context, value);
    free(g->x);
    free(g->y);
}

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static bool quantile(struct group *g, double p, double *value)
{
    if (!(p >= 0 && p <= 1))
        return false;
    qsort(g->x, (size_t)g->n, sizeof *g->x, ascending);
    *value = bench_quantile(g->x, g->n, p);
    return true;
}

static bool median_of(struct group *g, double *value)
{
    return quantile(g, 0.5, value);
}

static bool quantile_of(struct group *g, double *value)
{
    return quantile(g, g->y[0], value);
}

static bool geomean_of(struct group *g, double *value)
{
    double sum = 0;

    for (int i = 0; i < g->n; i++) {
        if (!(g->x[i] > 0))
            return false;
        sum += log(g->x[i]);
    }
    *value = exp(sum / g->n);
    return true;
}

static bool power_exponent_of(struct group *g, double *value)
{
    struct bench_fit fit;

    if (!bench_fit_power(g->x, g->y, g->n, &fit))
        return false;
    *value = fit.exponent;
    return true;
}

/* One of the numbers of bench_summarise: min, q1, median, q3, p95, max, mean, sd, ci_lo, ci_hi, and 1000 / mean. */
static bool summary_of(struct group *g, double *value)
{
    double *sorted = malloc((size_t)g->n * sizeof *sorted);
    struct bench_stat s;

    if (!sorted)
        return false;
    bench_summarise(g->x, g->n, 0, sorted, &s);
    free(sorted);
    {
        const double all[] = {s.min,  s.q1, s.median, s.q3,    s.p95,        s.max,
                              s.mean, s.sd, s.ci_lo,  s.ci_hi, 1000 / s.mean};
        const int n = (int)(sizeof all / sizeof *all), at = (int)g->y[0];

        *value = at >= 0 && at < n ? all[at] : 0;
        return at >= 0 && at < n;
    }
}

static bool mann_whitney_of(struct group *g, double *value)
{
    double side[2][REGRESSION_MAX_RUNS];
    int n[2] = {0, 0};

    for (int i = 0; i < g->n; i++) {
        const int at = g->y[i] > 0;

        if (n[at] == REGRESSION_MAX_RUNS)
            return false;
        side[at][n[at]++] = g->x[i];
    }
    if (n[0] == 0 || n[1] == 0)
        return false;
    *value = regression_test(side[0], n[0], side[1], n[1]);
    return true;
}

#define FINISH(name)                                    \
    static void finish_##name(sqlite3_context *context) \
    {                                                   \
        finish(context, name##_of);                     \
    }
FINISH(median)
FINISH(quantile)
FINISH(geomean)
FINISH(power_exponent)
FINISH(summary)
FINISH(mann_whitney)

enum bench_status functions_add(sqlite3 *db)
{
    static const struct {
        const char *name;
        int n_arguments;
        void (*finish)(sqlite3_context *context);
    } functions[] = {
        {"median", 1, finish_median},   {"quantile", 2, finish_quantile},
        {"geomean", 1, finish_geomean}, {"power_exponent", 2, finish_power_exponent},
        {"summary", 2, finish_summary}, {"mann_whitney", 2, finish_mann_whitney},
    };

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (sqlite3_create_function(db, functions[i].name, functions[i].n_arguments,
                                    SQLITE_UTF8, NULL, NULL, add_number,
                                    functions[i].finish) != SQLITE_OK)
            return BENCH_FAIL(BENCH_ENOMEM, "SQLite: %s", sqlite3_errmsg(db));
    return BENCH_OK;
}

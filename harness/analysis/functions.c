/* functions.c - SQL functions of analysis, over stats.h and regression.h */
#include "harness/analysis/functions.h"

#include "harness/stats.h"
#include "harness/analysis/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGUMENTS 4

/* The numbers of a group: of each argument a list. */
struct group {
    double *of[MAX_ARGUMENTS];
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
        g->capacity = g->capacity ? 2 * g->capacity : 16;
        for (int i = 0; i < n_arguments; i++) {
            double *more = realloc(g->of[i], (size_t)g->capacity * sizeof *more);

            g->of[i] = more ? more : g->of[i];
            g->failed |= !more;
        }
        if (g->failed)
            return;
    }
    for (int i = 0; i < n_arguments; i++)
        g->of[i][g->n] = sqlite3_value_double(argument[i]);
    g->n++;
}

/* An SQL function and what it makes of a group; false: it has no value. */
struct function {
    const char *name;
    int n_arguments;
    bool (*of_group)(struct group *g, double *value);
};

static void finish(sqlite3_context *context)
{
    const struct function *function = sqlite3_user_data(context);
    struct group *g = sqlite3_aggregate_context(context, 0);
    double value;

    if (!g)
        return; /* no rows: NULL */
    if (g->failed)
        sqlite3_result_error_nomem(context);
    else if (g->n > 0 && function->of_group(g, &value))
        sqlite3_result_double(context, value);
    for (int i = 0; i < MAX_ARGUMENTS; i++)
        free(g->of[i]);
}

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* The median where no share is asked for. */
static bool quantile_of(struct group *g, double *value)
{
    const double p = g->of[1] ? g->of[1][0] : 0.5;

    if (!(p >= 0 && p <= 1))
        return false;
    qsort(g->of[0], (size_t)g->n, sizeof *g->of[0], ascending);
    *value = bench_quantile(g->of[0], g->n, p);
    return true;
}

static bool geomean_of(struct group *g, double *value)
{
    double sum = 0;

    for (int i = 0; i < g->n; i++) {
        if (!(g->of[0][i] > 0))
            return false;
        sum += log(g->of[0][i]);
    }
    *value = exp(sum / g->n);
    return true;
}

/* The number of a list that is asked for; false: there is no such, or it is none. */
static bool take(const double *list, int n, double at, double *value)
{
    if (!(at >= 0 && at < n))
        return false;
    *value = list[(int)at];
    return isfinite(*value);
}

/* One of bench_fit_power's numbers: n, exponent, its interval (two points scatter about no line), the last step's, scale; the
 * exponent where none is asked for. */
static bool power_fit_of(struct group *g, double *value)
{
    struct bench_fit fit;

    if (!bench_fit_power(g->of[0], g->of[1], g->n, &fit))
        return false;
    const double none = (double)NAN;
    const double all[] = {
        fit.n,    fit.exponent, fit.n > 2 ? fit.lo : none, fit.n > 2 ? fit.hi : none,
        fit.last, fit.scale};

    return take(all, 6, g->of[2] ? g->of[2][0] : 1, value);
}

/* One of bench_fit_linear's numbers: n, a, b, half the widths of their intervals, rms, worst. */
static bool linear_fit_of(struct group *g, double *value)
{
    struct bench_linear fit;

    if (!bench_fit_linear(g->of[0], g->of[1], g->of[2], g->n, &fit))
        return false;
    const double all[] = {fit.n, fit.a, fit.b, fit.a_half, fit.b_half, fit.rms, fit.worst};

    return take(all, 7, g->of[3][0], value);
}

/* One of the numbers of bench_summarise: min, q1, median, q3, p95, max, mean, sd, ci_lo, ci_hi, and 1000 / mean. */
static bool summary_of(struct group *g, double *value)
{
    double *sorted = malloc((size_t)g->n * sizeof *sorted);
    struct bench_stat s;

    if (!sorted)
        return false;
    bench_summarise(g->of[0], g->n, 0, sorted, &s);
    free(sorted);
    const double all[] = {s.min,  s.q1, s.median, s.q3,    s.p95,        s.max,
                          s.mean, s.sd, s.ci_lo,  s.ci_hi, 1000 / s.mean};

    return take(all, 11, g->of[1][0], value);
}

static bool mann_whitney_of(struct group *g, double *value)
{
    double side[2][REGRESSION_MAX_RUNS];
    int n[2] = {0, 0};

    for (int i = 0; i < g->n; i++) {
        const int at = g->of[1][i] > 0;

        if (n[at] == REGRESSION_MAX_RUNS)
            return false;
        side[at][n[at]++] = g->of[0][i];
    }
    if (n[0] == 0 || n[1] == 0)
        return false;
    *value = regression_test(side[0], n[0], side[1], n[1]);
    return true;
}

enum bench_status functions_add(sqlite3 *db)
{
    static struct function functions[] = {
        {"median", 1, quantile_of},     {"quantile", 2, quantile_of},
        {"geomean", 1, geomean_of},     {"power_exponent", 2, power_fit_of},
        {"power_fit", 3, power_fit_of}, {"linear_fit", 4, linear_fit_of},
        {"summary", 2, summary_of},     {"mann_whitney", 2, mann_whitney_of},
    };

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (sqlite3_create_function(db, functions[i].name, functions[i].n_arguments,
                                    SQLITE_UTF8, &functions[i], NULL, add_number,
                                    finish) != SQLITE_OK)
            return BENCH_FAIL(BENCH_ENOMEM, "SQLite: %s", sqlite3_errmsg(db));
    return BENCH_OK;
}

/* functions.c - SQL functions of analysis, over stats.h and regression.h */
#include "harness/analysis/functions.h"

#include "harness/stats.h"
#include "harness/analysis/regression.h"
#include "harness/analysis/traits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGUMENTS 4
#define MAX_STEPPED   1000  /* the fit takes the cube of their number */
#define NOISE         0.002 /* of a logarithm: what runs differ by where nothing changed */

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
    char *(*text_of)(struct group *g); /* in its place */
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
    else if (g->n > 0 && function->text_of)
        sqlite3_result_text(context, function->text_of(g), -1, sqlite3_free);
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
    return regression_test(g->of[0], g->of[1], g->n, value);
}

/* One of regression_interval's numbers: its ends, and at what confidence it holds. */
static bool ratio_interval_of(struct group *g, double *value)
{
    double found[3];

    return regression_interval(g->of[0], g->of[1], g->n, found) &&
           take(found, 3, g->of[2][0], value);
}

/* Where times change for good, on their logarithms: the beginnings of pieces as a list in JSON. */
static char *steps_of(struct group *g)
{
    int place[REGRESSION_MAX_PIECES], n_places;
    char *list = NULL;

    if (g->n > MAX_STEPPED)
        return NULL;
    for (int i = 0; i < g->n; i++)
        g->of[0][i] = log(g->of[0][i]);
    if (!regression_steps(g->of[0], g->n, NOISE, place, &n_places))
        return NULL;
    for (int i = 0; i < n_places; i++) {
        char *longer = sqlite3_mprintf("%z%s%d", list, i ? "," : "[", place[i]);

        list = longer;
    }
    return sqlite3_mprintf("%z]", list);
}

/* ---- functions of one row ---- */

/* What tells a list of traits from those in the lines of a text, or what they share: traits_add(). */
static void traits_told(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    const char *one = (const char *)sqlite3_value_text(argument[0]);
    const char *lines = (const char *)sqlite3_value_text(argument[1]);
    char *rest = strdup(lines ? lines : "");
    const char **all = calloc(strlen(lines ? lines : "") + 1, sizeof *all);
    struct text told = {0};
    int n = 0;

    (void)n_arguments;
    for (char *next = rest; all && next;)
        all[n++] = strsep(&next, "\n");
    if (rest && all && one)
        traits_add(one, all, n, sqlite3_value_int(argument[2]), &told);
    text_add(&told, "");
    if (!rest || !all || text_ok(&told))
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_text(context, told.data, -1, SQLITE_TRANSIENT);
    text_free(&told);
    free(all);
    free(rest);
}

static void short_text(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    char number[TEXT_NUMBER];

    (void)n_arguments;
    text_short_number(number, sqlite3_value_double(argument[0]),
                      sqlite3_value_int(argument[1]));
    if (sqlite3_value_type(argument[0]) != SQLITE_NULL)
        sqlite3_result_text(context, number, -1, SQLITE_TRANSIENT);
}

static void normal_quantile(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    (void)n_arguments;
    sqlite3_result_double(context,
                          regression_normal_quantile(sqlite3_value_double(argument[0])));
}

enum bench_status functions_add(sqlite3 *db)
{
    static struct function functions[] = {
        {"median", 1, quantile_of, NULL},
        {"quantile", 2, quantile_of, NULL},
        {"geomean", 1, geomean_of, NULL},
        {"power_exponent", 2, power_fit_of, NULL},
        {"power_fit", 3, power_fit_of, NULL},
        {"linear_fit", 4, linear_fit_of, NULL},
        {"summary", 2, summary_of, NULL},
        {"mann_whitney", 2, mann_whitney_of, NULL},
        {"ratio_interval", 3, ratio_interval_of, NULL},
        {"steps", 1, NULL, steps_of},
    };
    static const struct {
        const char *name;
        int n_arguments;
        void (*of_row)(sqlite3_context *context, int n_arguments, sqlite3_value **argument);
    } of_rows[] = {{"traits_told", 3, traits_told},
                   {"short_text", 2, short_text},
                   {"normal_quantile", 1, normal_quantile}};
    int code = SQLITE_OK;

    for (size_t i = 0; i < sizeof functions / sizeof *functions && !code; i++)
        code = sqlite3_create_function(db, functions[i].name, functions[i].n_arguments,
                                       SQLITE_UTF8, &functions[i], NULL, add_number, finish);
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows && !code; i++)
        code = sqlite3_create_function(db, of_rows[i].name, of_rows[i].n_arguments, SQLITE_UTF8,
                                       NULL, of_rows[i].of_row, NULL, NULL);
    return code ? BENCH_FAIL(BENCH_ENOMEM, "SQLite: %s", sqlite3_errmsg(db)) : BENCH_OK;
}

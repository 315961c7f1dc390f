/* functions.c - SQL functions of analysis, over stats.h and regression.h */
#include "harness/analysis/query.h"

#include "harness/stats.h"
#include "harness/analysis/regression.h"
#include "harness/analysis/traits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGUMENTS 4
#define MAX_FOUND     11
#define MAX_STEPPED   1000  /* the fit takes the cube of their number */
#define NOISE         0.002 /* of a logarithm: what runs differ by where nothing changed */

/* ---- functions of a group ---- */

/* The numbers of a group: of each argument a list. */
struct group {
    struct text list[MAX_ARGUMENTS];
    int n;
};

static double *of(const struct group *g, int argument)
{
    return (void *)g->list[argument].data;
}

static void add_number(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    struct group *g = sqlite3_aggregate_context(context, sizeof *g);

    for (int i = 0; i < n_arguments; i++)
        if (sqlite3_value_numeric_type(argument[i]) != SQLITE_INTEGER &&
            sqlite3_value_numeric_type(argument[i]) != SQLITE_FLOAT)
            return;
    for (int i = 0; i < n_arguments && g; i++)
        text_bytes(&g->list[i], &(double){sqlite3_value_double(argument[i])}, sizeof(double));
    if (g)
        g->n++;
}

/* An SQL function, which answers with one of the numbers that it finds of a group: the one that its last argument asks for. */
struct function {
    const char *name;
    int n_arguments;
    int (*find)(struct group *g, double found[MAX_FOUND]); /* how many it found */
    bool is_indexed;                                       /* else it answers with the first */
    void (*answer)(sqlite3_context *context, struct group *g); /* in the place of both */
};

static void finish(sqlite3_context *context)
{
    const struct function *function = sqlite3_user_data(context);
    struct group *g = sqlite3_aggregate_context(context, 0);
    double found[MAX_FOUND];
    bool failed = false;

    for (int i = 0; g && i < MAX_ARGUMENTS; i++)
        failed |= g->list[i].failed;
    if (failed)
        sqlite3_result_error_nomem(context);
    else if (g && g->n > 0 && function->answer)
        function->answer(context, g);
    else if (g && g->n > 0) { /* else NULL */
        const double at = function->is_indexed ? of(g, function->n_arguments - 1)[0] : 0;

        if (at >= 0 && at < function->find(g, found) && isfinite(found[(int)at]))
            sqlite3_result_double(context, found[(int)at]);
    }
    for (int i = 0; g && i < MAX_ARGUMENTS; i++)
        text_free(&g->list[i]);
}

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* The median where no share is asked for. */
static int quantile_of(struct group *g, double *found)
{
    const double p = of(g, 1) ? of(g, 1)[0] : 0.5;

    qsort(of(g, 0), (size_t)g->n, sizeof *of(g, 0), ascending);
    if (p >= 0 && p <= 1)
        *found = bench_quantile(of(g, 0), g->n, p);
    return p >= 0 && p <= 1;
}

static int geomean_of(struct group *g, double *found)
{
    double sum = 0;

    for (int i = 0; i < g->n; i++)
        sum += of(g, 0)[i] > 0 ? log(of(g, 0)[i]) : (double)NAN;
    *found = exp(sum / g->n);
    return 1;
}

#define LIST(...) ((double[]){__VA_ARGS__})
#define FIND(...)                                                \
    (memcpy(found, LIST(__VA_ARGS__), sizeof LIST(__VA_ARGS__)), \
     (int)(sizeof LIST(__VA_ARGS__) / sizeof *found))

/* Of two points there is no interval: they scatter about no line. */
static int power_fit_of(struct group *g, double *found)
{
    const double none = (double)NAN;
    struct bench_fit fit;

    return bench_fit_power(of(g, 0), of(g, 1), g->n, &fit)
               ? FIND(fit.n, fit.exponent, fit.n > 2 ? fit.lo : none, fit.n > 2 ? fit.hi : none,
                      fit.last, fit.scale)
               : 0;
}

static int linear_fit_of(struct group *g, double *found)
{
    struct bench_linear fit;

    return bench_fit_linear(of(g, 0), of(g, 1), of(g, 2), g->n, &fit)
               ? FIND(fit.n, fit.a, fit.b, fit.a_half, fit.b_half, fit.rms, fit.worst)
               : 0;
}

static int summary_of(struct group *g, double *found)
{
    double *const sorted = malloc((size_t)g->n * sizeof *sorted);
    struct bench_stat s;

    if (!sorted)
        return 0;
    bench_summarise(of(g, 0), g->n, 0, sorted, &s);
    free(sorted);
    return FIND(s.min, s.q1, s.median, s.q3, s.p95, s.max, s.mean, s.sd, s.ci_lo, s.ci_hi,
                1000 / s.mean);
}

static int mann_whitney_of(struct group *g, double *found)
{
    return regression_test(of(g, 0), of(g, 1), g->n, found);
}

static int ratio_interval_of(struct group *g, double *found)
{
    return regression_interval(of(g, 0), of(g, 1), g->n, found) ? 3 : 0;
}

/* Where times change for good, on their logarithms: the beginnings of pieces as a list in JSON. */
static void steps_of(sqlite3_context *context, struct group *g)
{
    int place[REGRESSION_MAX_PIECES], n_places;
    struct text list = {0};

    for (int i = 0; i < g->n; i++)
        of(g, 0)[i] = log(of(g, 0)[i]);
    if (g->n > MAX_STEPPED || !regression_steps(of(g, 0), g->n, NOISE, place, &n_places))
        return;
    for (int i = 0; i < n_places; i++)
        text_format(&list, "%s%d", i ? "," : "[", place[i]);
    text_add(&list, "]");
    sqlite3_result_text(context, list.data, (int)list.size, SQLITE_TRANSIENT);
    text_free(&list);
}

/* ---- functions of one row ---- */

/* What tells a list of traits from those in the lines of a text, or what they share: traits_add(). */
static void traits_told(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    const char *const one = (const char *)sqlite3_value_text(argument[0]);
    const char *const lines = (const char *)sqlite3_value_text(argument[1]);
    char *const copy = strdup(lines ? lines : ""), *rest = copy;
    const char **const all = calloc(copy ? strlen(copy) + 1 : 1, sizeof *all);
    struct text told = {0};
    int n = 0;

    (void)n_arguments;
    while (all && rest)
        all[n++] = strsep(&rest, "\n");
    if (all && one)
        traits_add(one, all, n, sqlite3_value_int(argument[2]), &told);
    text_add(&told, "");
    if (!copy || !all || told.failed)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_text(context, told.data, -1, SQLITE_TRANSIENT);
    text_free(&told);
    free(all);
    free(copy);
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
    static struct function of_groups[] = {
        {.name = "median", 1, quantile_of},
        {.name = "quantile", 2, quantile_of},
        {.name = "geomean", 1, geomean_of},
        {.name = "power_fit", 3, power_fit_of, .is_indexed = true},
        {.name = "linear_fit", 4, linear_fit_of, .is_indexed = true},
        {.name = "summary", 2, summary_of, .is_indexed = true},
        {.name = "mann_whitney", 2, mann_whitney_of},
        {.name = "ratio_interval", 3, ratio_interval_of, .is_indexed = true},
        {.name = "steps", 1, .answer = steps_of},
    };
    static const struct {
        const char *name;
        int n_arguments;
        void (*of_row)(sqlite3_context *context, int n_arguments, sqlite3_value **argument);
    } of_rows[] = {{"traits_told", 3, traits_told},
                   {"short_text", 2, short_text},
                   {"normal_quantile", 1, normal_quantile}};
    int code = SQLITE_OK;

    for (size_t i = 0; i < sizeof of_groups / sizeof *of_groups && !code; i++)
        code = sqlite3_create_function(db, of_groups[i].name, of_groups[i].n_arguments,
                                       SQLITE_UTF8, &of_groups[i], NULL, add_number, finish);
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows && !code; i++)
        code = sqlite3_create_function(db, of_rows[i].name, of_rows[i].n_arguments, SQLITE_UTF8,
                                       NULL, of_rows[i].of_row, NULL, NULL);
    return code ? BENCH_FAIL(BENCH_ENOMEM, "SQLite: %s", sqlite3_errmsg(db)) : BENCH_OK;
}

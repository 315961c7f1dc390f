/*
 * functions.c - SQL functions of analysis, over stats.h; exact tests on a handful of numbers,
 * and steps in a series
 *
 * Source: Mann and Whitney, "On a test of whether one of two random variables is stochastically
 *         larger than the other", 1947; the interval by inverting the test: Hodges and Lehmann,
 *         1963.  Steps: the criterion of airspeed velocity's step detection, on an exact fit.
 */
#include "harness/analysis/query.h"

#include "harness/base/memory.h"
#include "harness/base/stats.h"
#include "harness/suite/config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define MAX_ARGUMENTS 4
#define MAX_FOUND     11
#define DIGITS_TOLD   4 /* of a number, at most */
#define DIGITS_MEAN   6 /* of one beside its deviation; a smaller deviation is none */

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

/* An SQL function; its last argument says which of the numbers that it finds of a group. */
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

/* Two points give no interval, since a line fits them exactly. */
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
    OWNED(memory_free) double *sorted = malloc((size_t)g->n * sizeof *sorted);
    struct bench_stat s;

    if (!sorted)
        return 0;
    bench_summarise(of(g, 0), g->n, 0, sorted, &s);
    return FIND(s.min, s.q1, s.median, s.q3, s.p95, s.max, s.mean, s.sd, s.ci_lo, s.ci_hi,
                1000 / s.mean);
}

/* ---- two sides: a number is head's where its 'side' is above 0, else base's ---- */

#define MAX_RUNS   64 /* a side */
#define CONFIDENCE 0.95

/* Returns the number of numbers of base; 0: they are none to be tested. */
static int count_base(const struct group *g)
{
    int n_base = 0;

    for (int i = 0; i < g->n; i++)
        n_base += !(of(g, 1)[i] > 0);
    return n_base == g->n || n_base > MAX_RUNS || g->n - n_base > MAX_RUNS ? 0 : n_base;
}

/* Returns the shares of all ways to take 'k' of the n scores that have each sum, up to that of
 * all scores: share[sum].  Counts up to C(128, 64) fit a double, and the rounding of the
 * largest does no harm.  NULL: out of memory; the caller frees it. */
static double *share_sums(const int *score, int n, int k)
{
    size_t width = 1;
    double *ways, total = 0;
    int all = 0;

    for (int i = 0; i < n; i++)
        width += (size_t)score[i];
    ways = calloc((size_t)(k + 1) * width, sizeof *ways);
    if (!ways)
        return NULL;
    ways[0] = 1;
    for (int i = 0; i < n; i++) {
        all += score[i];
        for (int taken = i + 1 < k ? i + 1 : k; taken > 0; taken--)
            for (int sum = all; sum >= score[i]; sum--)
                ways[(size_t)taken * width + (size_t)sum] +=
                    ways[(size_t)(taken - 1) * width + (size_t)(sum - score[i])];
    }
    memmove(ways, ways + (size_t)k * width, width * sizeof *ways);
    for (size_t sum = 0; sum < width; sum++)
        total += ways[sum];
    for (size_t sum = 0; sum < width; sum++)
        ways[sum] /= total;
    return ways;
}

/* The two-sided test, exact: the share of all ways to deal the numbers to two sides in which
 * the sum of base's ranks is at least as far from its mean as here.  Equal numbers share the
 * mean of their ranks. */
static int mann_whitney_of(struct group *g, double *found)
{
    const double *const x = of(g, 0);
    const int n = g->n, n_base = count_base(g);
    const int n_few =
        n_base < n - n_base ? n_base : n - n_base; /* either side tells the same */
    OWNED(memory_free) double *share = NULL;
    int score[2 * MAX_RUNS]; /* twice the rank, from 1: halves occur */
    int sum = 0, far;

    if (n_base < 1)
        return 0;
    for (int i = 0; i < n; i++) {
        int below = 0, equal = 0;

        for (int k = 0; k < n; k++) {
            below += x[k] < x[i];
            equal += x[k] == x[i]; /* ties are exact: quantised timers give them */
        }
        score[i] = 2 * below + equal + 1;
        sum += of(g, 1)[i] > 0 ? 0 : score[i];
    }
    share = share_sums(score, n, n_few);
    if (!share)
        return 0;
    far = abs(sum - n_base * (n + 1));
    *found = 0;
    for (int s = 0; s <= n * (n + 1); s++)
        *found += abs(s - n_few * (n + 1)) >= far ? share[s] : 0;
    return 1;
}

/* The interval of head over base, less 1, that inverts the test: its ends and its confidence.
 * It leaves out as many ratios of pairs at each end as keep it at 95 %, and none where so few
 * numbers allow no such interval. */
static int ratio_interval_of(struct group *g, double *found)
{
    double ratio[MAX_RUNS * MAX_RUNS], below;
    const int n_base = count_base(g), least = n_base * (n_base + 1) / 2;
    OWNED(memory_free) double *share = NULL;
    int rank[2 * MAX_RUNS], n_ratios = 0, left_out = 0;

    if (n_base < 1)
        return 0;
    for (int i = 0; i < g->n; i++) {
        rank[i] = i + 1;
        for (int k = 0; k < g->n; k++)
            if (!(of(g, 1)[i] > 0) && of(g, 1)[k] > 0)
                ratio[n_ratios++] = of(g, 0)[k] / of(g, 0)[i] - 1;
    }
    share = share_sums(rank, g->n, n_base);
    if (!share)
        return 0;
    qsort(ratio, (size_t)n_ratios, sizeof *ratio, ascending);
    below = share[least];
    while (2 * (below + share[least + left_out + 1]) <= 1 - CONFIDENCE)
        below += share[least + ++left_out];
    return 2 * below < 1 ? FIND(ratio[left_out], ratio[n_ratios - 1 - left_out], 1 - 2 * below)
                         : 0; /* one run a side: none at all */
}

/* ---- steps ---- */

#define MAX_STEPPED  1000 /* the fit takes the cube of their number */
#define MAX_PIECES   64
#define LEAST_POINTS 2     /* of a level: one run that is off is no step */
#define NOISE        0.002 /* of a logarithm: what runs differ by where nothing changed */
#define PENALTY      4.0   /* airspeed velocity's: times ln n / n, for each piece */

/* Pieces of the first numbers of a series that leave the least distances from their medians. */
struct pieces {
    double cost; /* the sum of distances */
    int last;    /* where the last piece begins */
};

/* best[p][k] is p pieces of y[0..k-1]; 'most' pieces at most.  A piece from i on grows by one
 * number at a time, and is kept sorted. */
static void fit_pieces(const double *y, int n, int most, struct pieces *best)
{
    const int shortest = n < LEAST_POINTS ? n : LEAST_POINTS, width = n + 1;
    double sorted[MAX_STEPPED];

    for (int i = 1; i < (most + 1) * width; i++)
        best[i].cost = HUGE_VAL;
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k <= n; k++) {
            const int m = k - i;
            double distance = 0;
            int at = m - 1;

            for (; at > 0 && sorted[at - 1] > y[k - 1]; at--)
                sorted[at] = sorted[at - 1];
            sorted[at] = y[k - 1];
            for (int s = 0; s < m / 2; s++)
                distance += sorted[m - 1 - s] - sorted[s];
            for (int p = 0; p < most && m >= shortest; p++) {
                const double cost = best[p * width + i].cost + distance;

                if (cost < best[(p + 1) * width + k].cost)
                    best[(p + 1) * width + k] = (struct pieces){cost, i};
            }
        }
}

/* Finds where times change for good, on their logarithms: the beginnings of pieces with one
 * level each, as a list in JSON.  Their number makes 'log of the mean distance + 4 ln n / n a
 * piece' least. */
static void steps_of(sqlite3_context *context, struct group *g)
{
    const int n = g->n, most = n < MAX_PIECES ? n : MAX_PIECES, width = n + 1;
    OWNED(memory_free) struct pieces *best = NULL;
    double least = HUGE_VAL;
    char *list = NULL;
    int n_pieces = 0;

    best = n > MAX_STEPPED ? NULL : calloc((size_t)(most + 1) * (size_t)width, sizeof *best);
    if (!best)
        return;
    for (int i = 0; i < n; i++)
        of(g, 0)[i] = log(of(g, 0)[i]);
    fit_pieces(of(g, 0), n, most, best);
    for (int p = 1; p <= most; p++) {
        const double value =
            log(best[p * width + n].cost / n + NOISE) + PENALTY * log((double)n) / n * p;

        n_pieces = value < least ? p : n_pieces;
        least = fmin(least, value);
    }
    for (int p = n_pieces, k = n; p > 0; p--) {
        k = best[p * width + k].last;
        list = sqlite3_mprintf(list ? "%d,%z" : "%d", k, list);
    }
    sqlite3_result_text(context, sqlite3_mprintf("[%z]", list), -1, sqlite3_free);
}

/* ---- functions of one row ---- */

static const char *text_of(sqlite3_value *value)
{
    return (const char *)sqlite3_value_text(value);
}

static void answer_text(sqlite3_context *context, const struct text *text)
{
    if (text->failed)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_text(context, text->size ? text->data : "", -1, SQLITE_TRANSIENT);
}

/* The item behind this one of a list; NULL: it is the last. */
static const char *next_item(const char *item)
{
    item = strchr(item, ';');
    return item && item[1] ? item + 1 : NULL;
}

/* True if a list has an item with its value. */
static bool has_item(const char *list, const char *item)
{
    const size_t n = strcspn(item, ";");

    while (list && (strcspn(list, ";") != n || memcmp(list, item, n) != 0))
        list = next_item(list);
    return list;
}

/* traits_told(traits, lines, shared): of a list "impl=rdp/serial;height=1024;..." what all
 * lists in the lines have, or what tells it from them: where one has another value, or lacks
 * the trait though its first one, the variant, is the same. */
static void traits_told(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    const char *const one = text_of(argument[0]);
    const char *const lines = text_of(argument[1]);
    OWNED(memory_free) char *copy = strdup(lines ? lines : "");
    char *const end = copy ? strchr(copy, 0) : NULL;
    OWNED(text_free) struct text told = {.failed = !copy};

    (void)n_arguments;
    for (char *at = copy; at && (at = strchr(at, '\n'));)
        *at++ = '\0';
    for (const char *item = one; item && copy; item = next_item(item)) {
        bool is_shared = true, is_telling = false;

        for (const char *list = copy; list <= end; list += strlen(list) + 1)
            if (!has_item(list, item)) {
                is_shared = false;
                is_telling |= has_item(one, list) || text_item(list, item, strcspn(item, "="));
            }
        if (*item && (sqlite3_value_int(argument[2]) ? is_shared : is_telling)) {
            text_add(&told, told.size ? " " : "");
            text_bytes(&told, item, strcspn(item, ";"));
        }
    }
    answer_text(context, &told);
}

/* misses(traits, wanted): what is left of a list ";impl=a;stage=;seed=*;", but for its first
 * ';', from the first item on that the traits, such a list, have not.  None may be there of a
 * name that is "", and any of one that is "*". */
static void misses(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    const char *traits = text_of(argument[0]);
    const char *at = text_of(argument[1]), *end;

    (void)n_arguments;
    for (; traits && at && *at && (end = strchr(at + 1, ';')) != NULL; at = end) {
        const size_t n_bytes = (size_t)(end - at) + (end[-1] != '=');

        if (end[-1] != '*' && !memmem(traits, strlen(traits), at, n_bytes) == (end[-1] != '='))
            break;
    }
    sqlite3_result_text(context, traits && at && *at ? at + 1 : NULL, -1, SQLITE_TRANSIENT);
}

/* hash(text): 16 digits. */
static void give_hash(sqlite3_context *context, const void *bytes, size_t n_bytes)
{
    sqlite3_result_text(
        context, sqlite3_mprintf("%016llx", (unsigned long long)XXH64(bytes, n_bytes, 0)), -1,
        sqlite3_free);
}

static void hash(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    const char *const text = text_of(argument[0]);

    (void)n_arguments;
    give_hash(context, text ? text : "", text ? strlen(text) : 0);
}

/* config_text(impl, problem, plan, keys): the identity of config.h; config_id(): its hash. */
static void identify(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    const char *word[4] = {"", "", "", ""};
    OWNED(text_free) struct text identity = {0};

    for (int i = 0; i < n_arguments; i++) {
        const char *const text = text_of(argument[i]);

        word[i] = text ? text : word[i];
    }
    if (config_identity(word[0], word[1], word[2], word[3], &identity))
        sqlite3_result_error_nomem(context);
    else if (sqlite3_user_data(context))
        answer_text(context, &identity);
    else
        give_hash(context, identity.data, identity.size);
}

/* picked(traits, names, which): of a list of traits those that are named, or the others. */
static void picked(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    const char *item = text_of(argument[0]);
    const char *const names = text_of(argument[1]);
    const bool named = sqlite3_value_int(argument[2]);
    OWNED(text_free) struct text text = {0};

    (void)n_arguments;
    for (size_t n_item; item && names && *item; item += n_item + (item[n_item] == ';')) {
        n_item = strcspn(item, ";");
        if (n_item > 0 && !text_item(names, item, strcspn(item, "=;")) != named) {
            text_bytes(&text, item, n_item);
            text_add(&text, ";");
        }
    }
    answer_text(context, &text);
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

/* Decimals after which a number has 'digits' digits; 0.09999999999 is 0.1. */
static int decimals_of(double number, int digits)
{
    return digits - 1 - (int)floor(log10(fabs(number)) + 1e-9);
}

/* To tens where 'decimals' is -1; to be freed. */
static char *rounded(double number, int decimals)
{
    const double unit = pow(10, -decimals);

    return decimals < 0 ? sqlite3_mprintf("%.0f", round(number / unit) * unit)
                        : sqlite3_mprintf("%.*f", decimals, number);
}

/*
 * Shows a number with the digits that are known.  told(x, half): those before and at the first
 * digit of 'half', half the width of its interval; at most four, as many where that is not
 * known, and no trailing zeros then.  told_mean(x, sd): "x ± sd", of sd two digits, of x as
 * many decimals.
 */
static void tell(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    const bool is_mean = sqlite3_user_data(context) != NULL;
    const double x = sqlite3_value_double(argument[0]), by = sqlite3_value_double(argument[1]);
    const int least = x != 0 ? decimals_of(x, 1) : 0, most = least + DIGITS_TOLD - 1;
    char number[TEXT_NUMBER];

    (void)n_arguments;
    if (sqlite3_value_type(argument[0]) == SQLITE_NULL)
        return;
    if (!(by > 0) || !isfinite(by) || !isfinite(x) ||
        (is_mean && decimals_of(by, 2) >= least + DIGITS_MEAN)) {
        text_short_number(number, x, DIGITS_TOLD);
        sqlite3_result_text(context, number, -1, SQLITE_TRANSIENT);
    } else if (is_mean) {
        const int decimals = decimals_of(by, 2) > 0 ? decimals_of(by, 2) : 0;

        sqlite3_result_text(
            context,
            sqlite3_mprintf("%z \u00b1 %z", rounded(x, decimals), rounded(by, decimals)), -1,
            sqlite3_free);
    } else {
        const int decimals = decimals_of(by, 1);

        sqlite3_result_text(context,
                            rounded(x, decimals < least  ? least
                                       : decimals > most ? most
                                                         : decimals),
                            -1, sqlite3_free);
    }
}

/* By how many standard deviations a normal variable is off its mean with probability p. */
static void normal_quantile(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    const double p = sqlite3_value_double(argument[0]);
    double low = 0, high = 40;

    (void)n_arguments;
    for (int i = 0; i < 100; i++) {
        const double z = 0.5 * (low + high);

        *(erfc(z / sqrt(2)) > p ? &low : &high) = z;
    }
    sqlite3_result_double(context, high);
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
        bool is_other; /* of two of a function */
    } of_rows[] = {{.name = "traits_told", 3, traits_told},
                   {.name = "misses", 2, misses},
                   {.name = "hash", 1, hash},
                   {.name = "config_id", 4, identify},
                   {.name = "config_text", 4, identify, true},
                   {.name = "picked", 3, picked},
                   {.name = "short_text", 2, short_text},
                   {.name = "told", 2, tell},
                   {.name = "told_mean", 2, tell, true},
                   {.name = "normal_quantile", 1, normal_quantile}};
    int code = SQLITE_OK;

    for (size_t i = 0; i < sizeof of_groups / sizeof *of_groups && !code; i++)
        code = sqlite3_create_function(db, of_groups[i].name, of_groups[i].n_arguments,
                                       SQLITE_UTF8, &of_groups[i], NULL, add_number, finish);
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows && !code; i++)
        code = sqlite3_create_function(db, of_rows[i].name, of_rows[i].n_arguments, SQLITE_UTF8,
                                       of_rows[i].is_other ? db : NULL, of_rows[i].of_row, NULL,
                                       NULL);
    return code ? BENCH_FAIL(BENCH_ENOMEM, "SQLite: %s", sqlite3_errmsg(db)) : BENCH_OK;
}

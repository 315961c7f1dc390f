/*
 * show_fit.c - how a value grows: power laws through the rows that differ in one column alone, and sums of two terms
 */
#include "harness/analysis/show_private.h"

#include <string.h>

#define MAX_NUMBERS 8

/* What is fitted: x, for a sum x2 too, and the value, then numbers of a function of them, of which the first is NULL where the points are of no fit. */
struct fit {
    const char *key;   /* of [show] */
    const char *table; /* temporary */
    int n_x;
    const char *asked; /* x, x2 and keys in which rows of one fit may differ, a list */
    struct {
        const char *name, *sql;
    } number[MAX_NUMBERS + 1];
};

/* All keys in which rows of a fit agree, behind 'first'. */
static void add_keys(const struct showing *s, const struct fit *fit, const char *first,
                     struct text *sql)
{
    text_format(sql, "%s impl", first);
    for (int i = 0; i < s->n_keys; i++)
        if (!show_is_listed(fit->asked, s->key[i]) && strcmp(s->key[i], "lap") != 0)
            query_add(sql, ", \"%w\"", s->key[i]);
}

static enum bench_status make_fits(const struct showing *s, const struct fit *fit,
                                   struct table *fits)
{
    char x[SHOW_NAME], x2[SHOW_NAME], value[SHOW_NAME];
    const char *const name[] = {x, x2, value};
    struct text sql = {0};

    if (fit->asked[0] == '\0' || s->rows.n_rows == 0)
        return BENCH_OK;
    show_list(s->experiment->layout.value, 0, value);
    show_list(fit->asked, 0, x);
    show_list(fit->asked, fit->n_x - 1, x2);
    for (int i = 0; i < 3; i++)
        if (!name[i][0] || !show_has_column(s, name[i]))
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s: [show] %s = %s, value = %s: expected columns of the results",
                              s->experiment->path, fit->key, fit->asked, value);
    text_format(&sql, "DROP TABLE IF EXISTS \"%s\"; CREATE TEMP TABLE \"%s\" AS", fit->table,
                fit->table);
    add_keys(s, fit, " SELECT", &sql);
    query_add(&sql, ", %Q AS x", x);
    if (fit->n_x > 1)
        query_add(&sql, ", %Q AS x2", x2);
    query_add(&sql, ", %Q AS value", value);
    for (int i = 0; fit->number[i].name; i++)
        text_format(&sql, ", %s AS %s", fit->number[i].sql, fit->number[i].name);
    query_add(
        &sql,
        " FROM (SELECT *, \"%w\" AS fit_x, \"%w\" AS fit_x2, \"%w\" AS fit_y FROM shown_row "
        "WHERE lap IS NULL AND typeof(\"%w\") IN ('integer', 'real') AND typeof(\"%w\") IN "
        "('integer', 'real') AND typeof(\"%w\") IN ('integer', 'real') ORDER BY id)",
        x, x2, value, x, x2, value);
    add_keys(s, fit, " GROUP BY", &sql);
    text_format(&sql, " HAVING %s IS NOT NULL ORDER BY min(id);", fit->number[0].sql);
    TRY(query_run(s->store, &sql));
    text_format(&sql, "SELECT * FROM \"%s\"", fit->table);
    return query_ask(s->store, &sql, fits);
}

#define POWER(i)  "power_fit(fit_x, fit_y, " #i ")"
#define LINEAR(i) "linear_fit(fit_x, fit_x2, fit_y, " #i ")" /* times are in ms */

enum bench_status show_fits(struct showing *s)
{
    const struct fit power = {.key = "fit",
                              .table = "power",
                              .n_x = 1,
                              .asked = s->experiment->layout.fit,
                              .number = {{"n", POWER(0)},
                                         {"x_min", "min(fit_x)"},
                                         {"x_max", "max(fit_x)"},
                                         {"exponent", POWER(1)},
                                         {"exponent_lo", POWER(2)},
                                         {"exponent_hi", POWER(3)},
                                         {"exponent_last", POWER(4)},
                                         {"scale", POWER(5)}}};
    const struct fit linear = {.key = "linear",
                               .table = "sum",
                               .n_x = 2,
                               .asked = s->experiment->layout.linear,
                               .number = {{"n", LINEAR(0)},
                                          {"a_ns", "1e6 * " LINEAR(1)},
                                          {"b_ns", "1e6 * " LINEAR(2)},
                                          {"a_half_ns", "1e6 * " LINEAR(3)},
                                          {"b_half_ns", "1e6 * " LINEAR(4)},
                                          {"rms_pct", "100 * " LINEAR(5)},
                                          {"worst_pct", "100 * " LINEAR(6)}}};

    TRY(make_fits(s, &power, &s->powers));
    return make_fits(s, &linear, &s->sums);
}

/*
 * test_compare.c - checks the rule that tells slower from not against suites whose truth is
 *                  known; tests/cases/compare has the words for made sessions
 *
 * The suites are simulated: a process has an offset of its own in each configuration.
 * docs/REGRESSION.md has the rates found here with more suites.
 */
#include "harness/analysis/query.h"

#include "verdict_sql.h"

#include "tests/support.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>

#ifndef N_SUITES
#define N_SUITES 60
#endif
#define N_CELLS 60

static double normal(void)
{
    const double r = sqrt(-2 * log(1 - drand48()));

    return r * cos(2 * 3.14159265358979323846 * drand48());
}

/* A suite without numbers. */
static void begin_suite(int n_cells, struct text *sql)
{
    query_add(
        sql,
        "CREATE TEMP TABLE rule AS SELECT 0.02 AS floor, 0.05 AS fdr;"
        "CREATE TEMP TABLE number (cell INTEGER, side INTEGER, ms REAL);"
        "CREATE TEMP TABLE shared AS WITH RECURSIVE n (cell) AS (SELECT 1 UNION ALL "
        "SELECT cell + 1 FROM n WHERE cell < %d) SELECT cell, NULL AS changed, "
        "0 AS n_unsteady, 0 AS at_least_ms, 0 AS is_stopped, 0 AS is_same_program FROM n;",
        n_cells);
}

/* Adds n numbers a side: a process's offset, and noise.  True if the sides are apart. */
static bool add_numbers(int cell, int n, double offset, double slow, struct text *sql)
{
    double least[2] = {HUGE_VAL, HUGE_VAL}, most[2] = {0, 0};

    for (int i = 0; i < 2 * n; i++) {
        const int side = i / n;
        const double ms = (side ? slow : 1) * exp(offset * normal() + 0.0005 * normal());

        least[side] = fmin(least[side], ms);
        most[side] = fmax(most[side], ms);
        query_add(sql, "%s (%d, %d, %.17g)", i ? "," : "INSERT INTO number VALUES", cell, side,
                  ms);
    }
    text_add(sql, ";");
    return most[0] < least[1] || most[1] < least[0];
}

/* Adds the answer of verdict.sql about a suite to 'sums'. */
static void judge(struct text *sql, const char *question, double sums[2])
{
    struct store *store;
    struct table answer;

    assert_int_equal(store_open(&store), BENCH_OK);
    text_bytes(sql, verdict_sql, sizeof verdict_sql);
    assert_int_equal(query_run(store, sql), BENCH_OK);
    assert_int_equal(query_table(store, question, &answer), BENCH_OK);
    for (int i = 0; i < answer.n_columns; i++)
        sums[i] += answer.cell[i].number;
    table_free(&answer);
    store_close(&store);
}

TEST(runs_by_cells)
{
    static const double cells[][2] = {{1, 8},    {60, 8},    {321, 8},
                                      {322, 10}, {4618, 10}, {4619, 12}};

    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        struct text sql = {0};
        double least[2] = {0};

        begin_suite((int)cells[i][0], &sql);
        judge(&sql, "SELECT least_runs FROM family", least);
        assert_true(least[0] == cells[i][1]);
    }
}

TEST(suites_of_which_the_truth_is_known)
{
    static const struct {
        int n;                 /* runs a side of the first stage: 3, or of the only one */
        double offset, slow;   /* 1: nothing changed */
        double found[2], most; /* shares of the suites: least and most; with false alarms */
    } cases[] = {
        {3, 0.002, 1, {0, 0}, 0},
        {3, 0.015, 1, {0, 0}, 0.01},
        {3, 0.007, 1.05, {0.99, 1}, 0.02},
        {3, 0.015, 1.05, {0.7, 0.93}, 0.02},
        {3, 0.002, 1.03, {0.98, 1}, 0.02},
        {3, 0.007, 1.03, {0.93, 1}, 0.02},
        {3, 0.015, 1.03, {0.05, 0.35}, 0.02},
        {5, 0.002, 1.05, {0, 0}, 0},
    };

    SKIP_IF_SLOW();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double offset = cases[k].offset;
        double n[2] = {0}; /* found, with false alarms */

        srand48(100 + (long)k);
        for (int suite = 0; suite < N_SUITES; suite++) {
            struct text sql = {0};

            begin_suite(N_CELLS, &sql);
            for (int cell = 1; cell <= N_CELLS; cell++) {
                const double slow = cell == 1 ? cases[k].slow : 1;

                if (add_numbers(cell, cases[k].n, offset, slow, &sql) && cases[k].n == 3) {
                    query_add(&sql, "DELETE FROM number WHERE cell = %d;", cell);
                    add_numbers(cell, 8, offset, slow, &sql);
                } else if (cases[k].n == 3) {
                    query_add(&sql, "UPDATE shared SET is_stopped = 1 WHERE cell = %d;", cell);
                }
            }
            judge(&sql,
                  "SELECT total(number = 1), total(number > 1) > 0 FROM verdict "
                  "WHERE verdict IN ('slower', 'faster')",
                  n);
        }
        if (n[0] < cases[k].found[0] * N_SUITES || n[0] > cases[k].found[1] * N_SUITES ||
            n[1] > cases[k].most * N_SUITES)
            fail_msg("case %zu: %g found, %g false alarms of %d", k, n[0], n[1], N_SUITES);
    }
}

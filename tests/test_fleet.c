/*
 * test_fleet.c - what is said of boards: outputs that differ, and the rule on times against
 * fleets of which the truth is known
 *
 * The fleets are simulated: a process has an offset of its own in each configuration.
 * docs/CLUSTER.md has the rates found here with more fleets.
 */
#include "harness/analysis/fleet.h"
#include "harness/analysis/query.h"

#include "boards_sql.h"

#include "tests/support.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef N_FLEETS
#define N_FLEETS 30
#endif
#define N_CELLS  30
#define N_BOARDS 4

static double normal(void)
{
    const double r = sqrt(-2 * log(1 - drand48()));

    return r * cos(2 * 3.14159265358979323846 * drand48());
}

static void begin_fleet(struct text *sql)
{
    query_add(sql,
              "CREATE TEMP TABLE rule AS SELECT 0.02 AS floor, 0.05 AS fdr, 5 AS least_runs;"
              "CREATE TEMP TABLE process_ms (results, configuration INTEGER, protocol, "
              "build_hash, board, session, utc, ms REAL);");
}

/* What boards.sql says of a fleet is added to 'sums'. */
static void judge(struct text *sql, const char *question, double *sums)
{
    struct store *store;
    struct table answer;

    assert_int_equal(store_open(&store), BENCH_OK);
    text_add(sql, ";");
    text_bytes(sql, boards_sql, sizeof boards_sql);
    assert_int_equal(query_run(store, sql), BENCH_OK);
    assert_int_equal(query_table(store, question, &answer), BENCH_OK);
    for (int i = 0; i < answer.n_columns; i++)
        sums[i] += answer.cell[i].number;
    table_free(&answer);
    store_close(store);
}

static void add_process(struct text *sql, int cell, int board, int process, double ms)
{
    const bool is_first = sql->data[sql->size - 1] == ';';

    query_add(sql, "%s ('m', %d, 'paper', 'a', 'b%d', 's%d-%d', 't%03d', %.17g)",
              is_first ? "INSERT INTO process_ms VALUES" : ",", cell, board, board, process,
              process, ms);
}

/* Board 0 has 'slow' times of the time of the others in configuration 1, or in all. */
static void suite_of(int n_runs, double offset, double slow, bool in_all, struct text *sql)
{
    for (int cell = 1; cell <= N_CELLS; cell++)
        for (int board = 0; board < N_BOARDS; board++)
            for (int i = 0; i < n_runs; i++)
                add_process(sql, cell, board, i,
                            (board == 0 && (cell == 1 || in_all) ? slow : 1) *
                                exp(offset * normal() + 0.0005 * normal()));
}

TEST(fleets_of_which_the_truth_is_known)
{
    static const struct {
        int n_runs;
        double offset, slow; /* 1: nothing differs */
        bool in_all;
        double found[2], most; /* shares of the fleets: least and most; with false alarms */
    } cases[] = {
        {5, 0.002, 1, false, {0, 0}, 0},          {5, 0.015, 1, false, {0, 0.02}, 0.07},
        {5, 0.007, 1.05, false, {0.95, 1}, 0.07}, {5, 0.015, 1.05, false, {0.4, 0.95}, 0.1},
        {5, 0.007, 1.05, true, {0.95, 1}, 0.35},  {10, 0.015, 1.05, false, {0.9, 1}, 0.1},
        {4, 0.002, 1.5, false, {0, 0}, 0}, /* too few to say anything */
    };

    SKIP_IF_SLOW();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double n[2] = {0}; /* found, with false alarms */

        srand48(200 + (long)k);
        for (int fleet = 0; fleet < N_FLEETS; fleet++) {
            struct text sql = {0};

            begin_fleet(&sql);
            suite_of(cases[k].n_runs, cases[k].offset, cases[k].slow, cases[k].in_all, &sql);
            judge(&sql,
                  "SELECT total(configuration = 1 AND board = 'b0' AND word = 'slower') > 0, "
                  "total(board <> 'b0' OR word = 'faster') > 0 FROM odd_board",
                  n);
        }
        printf("%d runs, offset %g, %g times as slow%s: %.3f found, %.3f with false alarms\n",
               cases[k].n_runs, cases[k].offset, cases[k].slow,
               cases[k].in_all ? " in all" : "", n[0] / N_FLEETS, n[1] / N_FLEETS);
        if (n[0] < cases[k].found[0] * N_FLEETS || n[0] > cases[k].found[1] * N_FLEETS ||
            n[1] > cases[k].most * N_FLEETS)
            fail_msg("case %zu: %g found, %g false alarms of %d", k, n[0], n[1], N_FLEETS);
    }
}

/* More than the exact test has room for. */
TEST(a_large_fleet)
{
    struct text sql = {0};
    double n[2] = {0};

    begin_fleet(&sql);
    for (int board = 0; board < 40; board++)
        for (int i = 0; i < 5; i++)
            add_process(&sql, 1, board, i, (board == 7 ? 1.1 : 1) + 0.0001 * (i + board % 3));
    judge(&sql, "SELECT total(board = 'b7'), count(*) FROM odd_board", n);
    assert_true(n[0] == 1);
    assert_true(n[1] == 1);
}

TEST(times_that_change_while_a_board_runs)
{
    struct text sql = {0};
    double n[3] = {0};

    begin_fleet(&sql);
    for (int board = 0; board < 2; board++)
        for (int i = 0; i < 10; i++)
            add_process(&sql, 1, board, i, (board == 1 && i >= 6 ? 1.1 : 1) + 0.0001 * (i % 3));
    judge(&sql, "SELECT count(*), total(board = 'b1'), total(step) FROM drift", n);
    assert_true(n[0] == 1);
    assert_true(n[1] == 1);
    assert_true(n[2] == 6);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}

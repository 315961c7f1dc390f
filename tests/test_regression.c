/*
 * test_regression.c - exact tests against enumeration, and the whole rule against suites of which the truth is known
 *
 * The suites are simulated: a process has an offset of its own in each cell, as processes do.  docs/REGRESSION.md has the
 * rates found here with more suites.
 */
#include "harness/analysis/regression.h"

#include "harness/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void near(double expected, double found)
{
    if (!(fabs(expected - found) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

/* ---- random numbers ---- */

static uint32_t drawn; /* of the stream that a test has */
static uint64_t stream;

static void seed(uint64_t key)
{
    stream = key;
    drawn = 0;
}

static double uniform(void) /* above 0, below 1 */
{
    const uint32_t word = bench_philox(stream, drawn++, 0, 0, 0).word[0];

    return ((double)word + 0.5) / 4294967296.0;
}

static double normal(void)
{
    const double r = sqrt(-2 * log(uniform()));

    return r * cos(2 * 3.14159265358979323846 * uniform());
}

/* A run's median: the process's offset in this cell, and what is left of the samples' noise. */
static void run_side(double *x, int n, double offset, double slow)
{
    for (int i = 0; i < n; i++)
        x[i] = slow * exp(offset * normal() + 0.0005 * normal());
}

static void fill(struct regression_cell *cell, int n, double offset, double slow)
{
    *cell = (struct regression_cell){.n_a = n, .n_b = n};
    run_side(cell->a, n, offset, 1);
    run_side(cell->b, n, offset, slow);
}

/* ---- Mann-Whitney ---- */

/* The same by dealing the numbers in all ways. */
static double enumerated(const double *a, int n_a, const double *b, int n_b)
{
    const int n = n_a + n_b;
    double all[16], rank[16], found = 0;
    int n_far = 0, n_ways = 0;

    memcpy(all, a, (size_t)n_a * sizeof *a);
    memcpy(all + n_a, b, (size_t)n_b * sizeof *b);
    for (int i = 0; i < n; i++) {
        rank[i] = 0.5;
        for (int k = 0; k < n; k++)
            rank[i] += all[k] < all[i] ? 1 : all[k] > all[i] ? 0 : 0.5;
        found += i < n_a ? rank[i] : 0;
    }
    for (int ways = 0; ways < 1 << n; ways++) {
        double sum = 0;

        if (__builtin_popcount((unsigned)ways) != n_a)
            continue;
        for (int i = 0; i < n; i++)
            sum += ways >> i & 1 ? rank[i] : 0;
        n_ways++;
        n_far += fabs(sum - n_a * (n + 1) / 2.0) >= fabs(found - n_a * (n + 1) / 2.0);
    }
    return (double)n_far / n_ways;
}

static void the_test_is_exact(void **unused)
{
    (void)unused;
    seed(1);
    for (int i = 0; i < 400; i++) {
        const int n_a = 1 + (int)(uniform() * 6), n_b = 1 + (int)(uniform() * 6);
        const double steps = i % 2 ? 5 : 1e6; /* every second time many are equal */
        double a[8], b[8];

        for (int k = 0; k < n_a; k++)
            a[k] = floor(uniform() * steps);
        for (int k = 0; k < n_b; k++)
            b[k] = floor(uniform() * steps) + (i % 3 == 0 ? steps / 2 : 0);
        near(enumerated(a, n_a, b, n_b), regression_test(a, n_a, b, n_b));
        near(regression_test(b, n_b, a, n_a), regression_test(a, n_a, b, n_b));
    }
}

static double apart(int n)
{
    double a[REGRESSION_MAX_RUNS], b[REGRESSION_MAX_RUNS];

    for (int i = 0; i < n; i++) {
        a[i] = 1 + i;
        b[i] = 1000 + i;
    }
    return regression_test(a, n, b, n);
}

static void known_shares(void **unused)
{
    static const double ways[] = {[3] = 20, [4] = 70, [5] = 252, [8] = 12870, [10] = 184756};
    const double tied[] = {2, 2, 2};

    (void)unused;
    for (int n = 3; n <= 10; n++)
        if (ways[n] > 0)
            near(2 / ways[n], apart(n));
    assert_true(apart(REGRESSION_MAX_RUNS) > 0 && apart(REGRESSION_MAX_RUNS) < 1e-30);
    near(1, regression_test(tied, 3, tied, 3));
    near(1, regression_test(tied, 3, tied, 0));
}

static void runs_by_cells(void **unused)
{
    static const int cells[][2] = {{1, 8},    {60, 8},    {321, 8},
                                   {322, 10}, {4618, 10}, {4619, 12}};

    (void)unused;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        assert_int_equal(regression_runs(cells[i][0], 0.05), cells[i][1]);
}

static void discoveries_by_hand(void **unused)
{
    /* sorted: .001 .008 .039 .041 .9, times 5/1 5/2 5/3 5/4 5/5: .005 .02 .065 .05125 .9; then the least from there on */
    const double p[] = {0.039, 0.9, 0.001, 0.041, 0.008};
    const double expected[] = {0.05125, 0.9, 0.005, 0.05125, 0.02};
    const double large[] = {0.7, 0.9}, equal[] = {0.02, 0.02, 1};
    double q[5];

    (void)unused;
    regression_discoveries(p, 5, q);
    for (int i = 0; i < 5; i++)
        near(expected[i], q[i]);
    regression_discoveries(large, 2, q);
    near(0.9, q[0]);
    near(0.9, q[1]);
    regression_discoveries(equal, 3, q);
    near(0.03, q[0]);
    near(0.03, q[1]);
}

/* Five flat runs a side can never find one change among sixty cells, and eight can. */
static void five_runs_are_a_trap(void **unused)
{
    double p[60], q[60];

    (void)unused;
    for (int i = 0; i < 60; i++)
        p[i] = 1;
    p[7] = apart(5);
    regression_discoveries(p, 60, q);
    near(60 * 2.0 / 252, q[7]);
    p[7] = apart(8);
    regression_discoveries(p, 60, q);
    assert_true(q[7] <= 0.05);
}

/* ---- intervals ---- */

static void intervals_by_hand(void **unused)
{
    const double a[] = {10, 20}, b[] = {11, 22, 30};
    double x[8], y[8], ratio[64];
    struct regression_interval found = regression_interval(a, 2, b, 3, 0.95);

    (void)unused;
    /* 2 + 3 runs: all of 6 ratios are in, which holds at 1 - 2/10 */
    near(11.0 / 20 - 1, found.lo);
    near(30.0 / 10 - 1, found.hi);
    near(0.8, found.kept);
    found = regression_interval(a, 1, b, 1, 0.95);
    near(0, found.kept);
    /* 8 + 8: printed tables have 13 for the critical U at 5 %, so 13 ratios are out at each end */
    for (int i = 0; i < 8; i++) {
        x[i] = 100 + i * i;
        y[i] = 101 + 3 * i;
    }
    for (int i = 0; i < 64; i++) {
        const double r = y[i % 8] / x[i / 8] - 1;
        int at = i;

        for (; at > 0 && ratio[at - 1] > r; at--)
            ratio[at] = ratio[at - 1];
        ratio[at] = r;
    }
    found = regression_interval(x, 8, y, 8, 0.95);
    near(ratio[13], found.lo);
    near(ratio[63 - 13], found.hi);
    assert_true(found.kept >= 0.95 && found.kept < 0.97);
}

/* How often it has the truth in it. */
static void intervals_cover(void **unused)
{
    int n_in = 0;

    (void)unused;
    seed(2);
    for (int i = 0; i < 2000; i++) {
        struct regression_cell cell;
        struct regression_interval found;

        fill(&cell, 8, 0.01, 1.1);
        found = regression_interval(cell.a, 8, cell.b, 8, 0.95);
        n_in += found.lo < 0.1 && found.hi > 0.1;
    }
    assert_in_range(n_in, 1880, 1960); /* 0.94 .. 0.98; exact: 0.9502 */
}

/* ---- the rule on single cells ---- */

static struct regression_cell cell_of(double base, double head, double scatter, int n)
{
    struct regression_cell cell = {.n_a = n, .n_b = n};

    for (int i = 0; i < n; i++) {
        cell.a[i] = base * (1 + scatter * (i - (n - 1) / 2.0) / n);
        cell.b[i] = head * (1 + scatter * ((i * 5) % n - (n - 1) / 2.0) / n);
    }
    return cell;
}

static void judge(struct regression_cell *cell)
{
    assert_true(regression_judge(cell, 1, 0.02, 0.05));
}

static void verdicts(void **unused)
{
    static const struct {
        double base, head, scatter;
        int n;
        double at_least_ms;
        char is; /* 'c': another output, 's': the same program, 'f': of a first stage */
        enum regression_verdict verdict;
        int least_runs, most_runs; /* that would decide */
    } cases[] = {
        {10, 11, 0.01, 8, 0, 0, REGRESSION_SLOWER, 0, 0},
        {11, 10, 0.01, 8, 0, 0, REGRESSION_FASTER, 0, 0},
        {10, 10.15, 0.001, 8, 0, 0, REGRESSION_SAME, 0, 0}, /* apart, below the floor */
        {10, 10.1, 0.2, 8, 0, 0, REGRESSION_UNCLEAR, 9, REGRESSION_MANY},
        {10, 11, 0.01, 8, 1.5, 0, REGRESSION_SAME, 0, 0},    /* an absolute floor */
        {10, 20, 0.01, 8, 0, 'c', REGRESSION_CHANGED, 0, 0}, /* before 'slower' */
        {10, 20, 0.01, 8, 0, 's', REGRESSION_SAME, 0, 0},
        {10, 10.02, 0.005, 3, 0, 'f', REGRESSION_SAME, 0, 0},
        {10, 30, 0, 1, 0, 0, REGRESSION_UNCLEAR, 8, 8}, /* one run decides nothing */
        {10, 10, 0, 1, 0, 0, REGRESSION_UNCLEAR, 8, 8},
        {10, 10, 0, 0, 0, 0, REGRESSION_UNCLEAR, 8, 8},
    };
    struct regression_cell cell[sizeof cases / sizeof *cases];

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cell[i] = cell_of(cases[i].base, cases[i].head, cases[i].scatter, cases[i].n);
        cell[i].changed = cases[i].is == 'c';
        cell[i].same_binary = cases[i].is == 's';
        cell[i].stopped = cases[i].is == 'f';
        cell[i].at_least_ms = cases[i].at_least_ms;
        judge(&cell[i]);
        if (cell[i].verdict != cases[i].verdict || cell[i].runs < cases[i].least_runs ||
            cell[i].runs > cases[i].most_runs)
            fail_msg("case %zu: %s, %d runs", i, regression_verdict_names[cell[i].verdict],
                     cell[i].runs);
    }
    near(0.1, cell[0].change);
    near(2.0 / 12870, cell[0].p);
    assert_true(cell[2].q <= 0.05);
    near(0.15, cell[4].floor);
    near(1, cell[7].p);
    near(0.9, cell[7].interval.kept); /* all that 3 + 3 allow */
}

/* As many runs as it asks for mostly decide. */
static void runs_asked_for_decide(void **unused)
{
    int n_decided = 0, n_asked = 0;

    (void)unused;
    seed(3);
    for (int i = 0; i < 300; i++) {
        struct regression_cell cell, more;

        fill(&cell, 8, 0.03, 1.04);
        judge(&cell);
        if (cell.verdict != REGRESSION_UNCLEAR || cell.runs >= REGRESSION_MANY)
            continue;
        n_asked++;
        fill(&more, cell.runs, 0.03, 1.04);
        judge(&more);
        n_decided += more.verdict != REGRESSION_UNCLEAR;
    }
    assert_true(n_asked > 20);
    if (n_decided * 10 < n_asked * 5)
        fail_msg("%d of %d were decided", n_decided, n_asked);
}

/* ---- suites ---- */

#define N_CELLS 60
#ifndef N_SUITES
#define N_SUITES 200
#endif

enum rule { TWO_STAGES, FLAT_FIVE, SAMPLES };

struct rates {
    int found, false_alarms; /* suites */
};

/* What tools do that look at the samples of one process a side. */
static void fill_samples(struct regression_cell *cell, double offset, double slow)
{
    const double a = exp(offset * normal()), b = slow * exp(offset * normal());

    *cell = (struct regression_cell){.n_a = 12, .n_b = 12};
    for (int i = 0; i < 12; i++) {
        cell->a[i] = a * exp(0.003 * normal());
        cell->b[i] = b * exp(0.003 * normal());
    }
}

static struct rates simulate(enum rule rule, int n_suites, double offset, double slow,
                             int n_slow)
{
    static struct regression_cell cells[N_CELLS];
    struct rates rates = {0};

    for (int suite = 0; suite < n_suites; suite++) {
        bool found = n_slow > 0, alarm = false;

        for (int i = 0; i < N_CELLS; i++) {
            const double factor = i < n_slow ? slow : 1;

            if (rule == SAMPLES) {
                fill_samples(&cells[i], offset, factor);
            } else {
                fill(&cells[i], rule == TWO_STAGES ? 3 : 5, offset, factor);
                cells[i].stopped = rule == TWO_STAGES;
            }
            if (rule == TWO_STAGES && regression_apart(cells[i].a, 3, cells[i].b, 3))
                fill(&cells[i], regression_runs(N_CELLS, 0.05), offset, factor);
        }
        assert_true(regression_judge(cells, N_CELLS, 0.02, 0.05));
        for (int i = 0; i < N_CELLS; i++) {
            const bool called = rule == SAMPLES ? cells[i].p < 0.002
                                                : cells[i].verdict == REGRESSION_SLOWER ||
                                                      cells[i].verdict == REGRESSION_FASTER;

            if (i < n_slow)
                found &= called;
            else
                alarm |= called;
        }
        rates.found += found;
        rates.false_alarms += alarm;
    }
    return rates;
}

/* Rules that are wrong must be seen to be wrong by the same means. */
static void suites_of_which_the_truth_is_known(void **unused)
{
    static const struct {
        enum rule rule;
        double offset, slow;        /* 1: nothing changed */
        double found[2], alarms[2]; /* shares of the suites: at least, at most */
    } cases[] = {
        {TWO_STAGES, 0.002, 1, {0, 0}, {0, 0.01}},
        {TWO_STAGES, 0.007, 1, {0, 0}, {0, 0.01}},
        {TWO_STAGES, 0.015, 1, {0, 0}, {0, 0.01}},
        {TWO_STAGES, 0.002, 1.05, {0.99, 1}, {0, 0.02}},
        {TWO_STAGES, 0.007, 1.05, {0.99, 1}, {0, 0.02}},
        {TWO_STAGES, 0.015, 1.05, {0.7, 0.93}, {0, 0.02}},
        {TWO_STAGES, 0.002, 1.03, {0.98, 1}, {0, 0.02}},
        {TWO_STAGES, 0.007, 1.03, {0.93, 1}, {0, 0.02}},
        {TWO_STAGES, 0.015, 1.03, {0.08, 0.32}, {0, 0.02}},
        {FLAT_FIVE, 0.002, 1.05, {0, 0}, {0, 0}}, /* five flat runs find nothing */
        {FLAT_FIVE, 0.007, 1.05, {0, 0}, {0, 0}},
        {FLAT_FIVE, 0.015, 1.05, {0, 0}, {0, 0}},
        {SAMPLES, 0.007, 1, {0, 0}, {0.98, 1}}, /* tests of samples cry wolf */
        {SAMPLES, 0.015, 1, {0, 0}, {0.98, 1}},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int n = cases[i].rule == SAMPLES ? N_SUITES / 4 : N_SUITES;
        const double *const found = cases[i].found, *const alarms = cases[i].alarms;
        struct rates r;

        seed(100 + i);
        r = simulate(cases[i].rule, n, cases[i].offset, cases[i].slow, cases[i].slow > 1);
        if (r.found < found[0] * n || r.found > found[1] * n ||
            r.false_alarms < alarms[0] * n || r.false_alarms > alarms[1] * n)
            fail_msg("case %zu: %d found, %d false alarms of %d", i, r.found, r.false_alarms,
                     n);
    }
}

/* ---- steps ---- */

static int steps(const double *y, int n, int *place)
{
    int n_places = -1;

    assert_true(regression_steps(y, n, 0.002, place, &n_places));
    return n_places;
}

static void steps_of_made_series(void **unused)
{
    double y[60] = {0};
    int place[60];

    (void)unused;
    assert_int_equal(steps(y, 0, place), 0);
    y[0] = 3;
    assert_int_equal(steps(y, 1, place), 1);
    assert_int_equal(place[0], 0);
    seed(5);
    for (int i = 0; i < 60; i++)
        y[i] = 0.005 * normal();
    assert_int_equal(steps(y, 60, place), 1); /* noise is no step */
    for (int i = 0; i < 60; i++)
        y[i] += i >= 40 ? 0.03 : i >= 17 ? 0.08 : 0;
    assert_int_equal(steps(y, 60, place), 3);
    assert_int_equal(place[0], 0);
    assert_in_range(place[1], 16, 18);
    assert_in_range(place[2], 38, 42);
    y[30] += 0.5; /* one bad run in the middle of a level is no step */
    assert_int_equal(steps(y, 60, place), 3);
    y[0] = 1, y[1] = 2; /* nor are two that differ */
    assert_int_equal(steps(y, 2, place), 1);
    for (int i = 0; i < 8; i++)
        y[i] = i < 5 ? 1 : 1.05;
    assert_int_equal(steps(y, 8, place), 2);
    assert_int_equal(place[1], 5);
}

/* Against every way to cut a short series. */
static void steps_are_the_best(void **unused)
{
    (void)unused;
    seed(6);
    for (int trial = 0; trial < 60; trial++) {
        const int n = 2 + trial % 9;
        double y[10], best = HUGE_VAL;
        int place[10], best_cuts = 0, found_cuts = 0, n_places;

        for (int i = 0; i < n; i++)
            y[i] = 0.01 * normal() + (i > n / 2 ? 0.05 * (trial % 3) : 0);
        for (int cuts = 0; cuts < 1 << (n - 1); cuts++) { /* bit i: a piece begins at i + 1 */
            double sum = 0;
            int shortest = n;

            for (int from = 0, to; from < n; from = to) {
                double sorted[10], level;

                for (to = from + 1; to < n && !(cuts >> (to - 1) & 1);)
                    to++;
                shortest = to - from < shortest ? to - from : shortest;
                level = regression_median(y + from, to - from, sorted);
                for (int i = from; i < to; i++)
                    sum += fabs(y[i] - level);
            }
            sum = log(sum / n + 0.002) +
                  4 * log(n) / n * (1 + __builtin_popcount((unsigned)cuts));
            if (shortest >= 2 && sum < best - 1e-12) {
                best = sum;
                best_cuts = cuts;
            }
        }
        n_places = steps(y, n, place);
        for (int p = 1; p < n_places; p++)
            found_cuts |= 1 << (place[p] - 1);
        assert_int_equal(found_cuts, best_cuts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_test_is_exact),
        cmocka_unit_test(known_shares),
        cmocka_unit_test(runs_by_cells),
        cmocka_unit_test(discoveries_by_hand),
        cmocka_unit_test(five_runs_are_a_trap),
        cmocka_unit_test(intervals_by_hand),
        cmocka_unit_test(intervals_cover),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(runs_asked_for_decide),
        cmocka_unit_test(suites_of_which_the_truth_is_known),
        cmocka_unit_test(steps_of_made_series),
        cmocka_unit_test(steps_are_the_best),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

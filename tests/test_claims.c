/* test_claims.c - the language of claims, each verdict on rows made up for it, and the claims that are shipped */
#include "tests/claims_made.h"

#include "judge/claims_expression.h"

#include <math.h>

static int begin(void **unused)
{
    (void)unused;
    snprintf(base, sizeof base, "%s/claims", support_place());
    snprintf(paper, sizeof paper, "%s/paper", base);
    snprintf(folder, sizeof folder, "%s/results/made-up", base);
    support_remove(base);
    write_file(paper, "x.csv",
               "\"paper\",\"figure\",\"impl\",\"name\",\"value\",\"printed\",\"unit\",\"read\","
               "\"where\"\n"
               "\"x\",\"t\",\"a\",\"ms\",\"2.00\",\"2.00\",\"ms\",\"table\",\"here\"\n"
               "\"x\",\"t\",\"b\",\"ms\",\"8.0\",\"8.0\",\"ms\",\"table\",\"there\"\n"
               "\"x\",\"t\",\"s\",\"ms\",\"320\",\"0.32 s\",\"ms\",\"table\",\"\"\n"
               "\"x\",\"t\",\"n\",\"cores\",\"4\",\"4\",,\"table\",\"\"\n"
               "\"x\",\"t\",\"z\",\"ms\",\"0\",\"0\",\"ms\",\"table\",\"\"\n"
               "\"x\",\"t\",\"d\",\"ms\",\"3\",\"1 + 2\",\"ms\",\"derived\",\"\"\n");
    write_file(folder, "20260101T000000Z-0000001.csv",
               "\"session\",\"row_id\",\"utc\",\"dirty\",\"profile\",\"cpu\",\"gpu\","
               "\"experiment\",\"impl\",\"device\",\"lap\",\"status\",\"verdict\",\"mean_ms\","
               "\"seed\",\"size\"\n"
#define ROW(id, utc, profile, impl, status, verdict, ms, seed, size)                   \
    "\"20260101T000000Z-0000001\",\"" id "\",\"" utc "\",\"0\",\"" profile             \
    "\",\"a core\",\"a card\",\"x/t\",\"" impl "\",\"gpu\",,\"" status "\",\"" verdict \
    "\",\"" ms "\",\"" seed "\",\"" size "\"\n"
               ROW("r1", "1", "paper", "a", "ok", "exact", "7", "1",
                   "1") ROW("r2", "2", "paper", "a", "ok", "exact", "5", "1",
                            "1") ROW("r3", "3", "quick", "a", "ok", "exact", "9", "1", "1")
                   ROW("r4", "4", "paper", "a", "wrong", "wrong", "1", "1", "1")
                       ROW("r5", "1", "paper", "b", "ok", "exact", "19.99", "1", "1")
                           ROW("r6", "1", "paper", "b", "ok", "exact", "20.01", "2", "1")
                               ROW("r7", "1", "paper", "c", "ok", "within", "1", "1", "1")
                                   ROW("r8", "1", "paper", "c", "ok", "within", "2", "1", "2"));
    write_file(folder, "20260101T000000Z-0000001.values.csv",
               "\"row_id\",\"name\",\"index\",\"value\",\"unit\"\n"
               "\"r2\",\"passes\",,\"6\",\n\"r2\",\"share\",\"0\",\"50\",\"%\"\n");
    assert_int_equal(claim_machine_read(folder, NULL, &machine), BENCH_OK);
    return 0;
}

/* ---- the language ---- */

static enum bench_status no_cell(void *user, const struct claim_cell *cell,
                                 struct claim_value *value)
{
    (void)user;
    *value = claim_missing("no cell %s %s", cell->source, cell->column);
    return BENCH_OK;
}

static enum bench_status no_name(void *user, const char *name, struct claim_value *value)
{
    (void)user;
    (void)value;
    return BENCH_FAIL(BENCH_EINPUT, "no name %s", name);
}

static enum bench_status evaluate(const char *text, struct claim_value *value)
{
    struct claim_source source = {.cell = no_cell, .name = no_name, .path = "c.ini", .line = 7};

    return claim_evaluate(text, &source, value);
}

static void gives(const char *text, double expected)
{
    struct claim_value value;

    if (evaluate(text, &value) != BENCH_OK)
        fail_msg("%s: %s", text, bench_failure());
    if (value.missing || value.value < expected - 1e-9 || value.value > expected + 1e-9)
        fail_msg("%s: %g %s", text, value.value, value.missing ? value.why : "");
}

static void refused(const char *text, const char *why)
{
    struct claim_value value;

    assert_int_equal(evaluate(text, &value), BENCH_EINPUT);
    if (strncmp(bench_failure(), "c.ini:7: ", 9) != 0 || !strstr(bench_failure(), why))
        fail_msg("%s: %s", text, bench_failure());
}

static void operators_bind_as_usual(void **unused)
{
    (void)unused;
    gives("1 + 2 * 3", 7);
    gives("(1 + 2) * 3", 9);
    gives("8 - 4 - 2", 2);
    gives("16 / 4 / 2", 2);
    gives("-2 * -3", 6);
    gives("2 - -3", 5);
    gives("1.5e2 + .5", 150.5);
    gives("1 + 1 < 3", 1);
    gives("1 < 2 < 3", 1);
    gives("1 < 3 < 2", 0);
    gives("2 <= 2", 1);
    gives("2 < 2", 0);
    gives("3 >= 4", 0);
    gives("0.5 == 1 / 2", 1);
}

static void functions_compute(void **unused)
{
    (void)unused;
    gives("abs(-3)", 3);
    gives("log2(8)", 3);
    gives("round(2.6)", 3);
    gives("round(2.346, 2)", 2.35);
    gives("min(3, 1, 2) + max(3, 1, 2)", 4);
    gives("sum(1, 2, 3)", 6);
    gives("mean(1, 2, 6)", 3);
    gives("rising(1, 2, 3)", 1);
    gives("rising(1, 1, 3)", 0);
    gives("falling(3, 2, 1)", 1);
    gives("all(1 < 2, 2 < 1)", 0);
    gives("any(1 < 2, 2 < 1)", 1);
}

static void errors_say_where_and_what(void **unused)
{
    (void)unused;
    refused("", "expected a number, a cell, a function, '$name' or '(', found the end");
    refused("1 +", "found the end of the expression");
    refused("1 2", "expected an operator or the end, found '2'");
    refused("(1", "expected ')'");
    refused("cosine(1)", "no function 'cosine'");
    refused("abs 1", "expected '(' after a function's name");
    refused("abs(1, 2)", "at most 1 arguments");
    refused("rising(1)", "at least 2 arguments");
    refused("(1 < 2) + 1", "expected a number for '+', found a comparison");
    refused("-(1 < 2)", "expected a number for '-'");
    refused("all(1)", "expected a comparison for all, found a number");
    refused("1 / 0", "a division by 0");
    refused("1 / 0.00", "a division by 0");
    refused("ours(rdp/fig9, impl=x", "')' after a cell");
    refused("ours(rdp/fig9, impl=x)", "expected (paper/table, key=text, ..., column)");
    refused("paper(nothing, ms)", "expected (paper/table");
    refused("printed(4.6)", "',' and the place");
    refused("printed(x, sect. 5)", "printed digits");
}

static void what_is_missing_stays_missing(void **unused)
{
    struct claim_value value;

    (void)unused;
    assert_int_equal(evaluate("1 + 2 * paper(x/t, ms) < 4", &value), BENCH_OK);
    assert_true(value.missing && value.truth);
    assert_string_equal(value.why, "no cell x/t ms");
    assert_int_equal(evaluate("mean(1, ours(x/t, impl=a, ms))", &value), BENCH_OK);
    assert_true(value.missing && !value.truth);
    assert_int_equal(evaluate("1 / (2 - 2)", &value), BENCH_OK);
    assert_true(value.missing);
    assert_string_equal(value.why, "a division by 0");
    assert_int_equal(evaluate("1e300 * 1e300", &value), BENCH_OK);
    assert_true(value.missing);
    assert_int_equal(evaluate("log2(0)", &value), BENCH_OK);
    assert_true(value.missing);
}

static void depth_and_length_are_bounded(void **unused)
{
    char text[70000];
    struct claim_value value;
    size_t n = 0;

    (void)unused;
    memset(text, '(', 60000);
    text[60000] = '\0';
    refused(text, "within each other");
    memset(text, '-', 60000);
    refused(text, "within each other");
    for (int i = 0; i < CLAIM_MAX_STEPS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s1", i ? "+" : "");
    assert_int_equal(evaluate(text, &value), BENCH_OK);
    strcpy(text + n, "+1");
    refused(text, "steps");
}

static void ranges_go_with_the_digits(void **unused)
{
    struct claim_value value;

    (void)unused;
    assert_int_equal(evaluate("printed(4.97, here) / printed(1.09, here)", &value), BENCH_OK);
    assert_true(value.low > 4.534 && value.low < 4.535);
    assert_true(value.high > 4.585 && value.high < 4.586);
    assert_int_equal(evaluate("printed(2.0, a) < printed(2.1, a)", &value), BENCH_OK);
    assert_true(value.low > 0 || value.high > 0);
    assert_int_equal(evaluate("printed(2, a) == printed(2.4, a)", &value), BENCH_OK);
    assert_true(value.value < 1 && value.low < 1 && value.high > 0);
    assert_int_equal(evaluate("1 / (printed(1, a) - 1.2)", &value), BENCH_OK);
    assert_true(value.low < -1e300 && value.high > 1e300);
}

/* 2.0 is 1.95 to 2.05: the range of each operation, and which comparisons must hold in it, may, or cannot. */
static void ranges_are_as_wide_as_they_can_be(void **unused)
{
    static const struct {
        const char *text;
        double low, high;
    } numbers[] = {
        {"printed(2.0, a) + printed(3.0, a)", 4.9, 5.1},
        {"printed(2.0, a) - printed(3.0, a)", -1.1, -0.9},
        {"printed(2.0, a) * -1", -2.05, -1.95},
        {"-printed(2.0, a)", -2.05, -1.95},
        {"abs(printed(2.0, a) - 2)", 0, 0.05},
        {"mean(printed(2.0, a), 1)", 1.475, 1.525},
        {"min(printed(2.0, a), 2)", 1.95, 2},
        {"max(printed(2.0, a), 2)", 2, 2.05},
    };
    static const struct {
        const char *text;
        int must, may;
    } truths[] = {
        {"printed(2.0, a) <= 2.05", 1, 1}, {"printed(2.0, a) <= 2.04", 0, 1},
        {"printed(2.0, a) <= 1.95", 0, 1}, {"printed(2.0, a) <= 1.94", 0, 0},
        {"printed(2.0, a) >= 1.95", 1, 1}, {"printed(2.0, a) >= 1.96", 0, 1},
        {"printed(2.0, a) >= 2.05", 0, 1}, {"printed(2.0, a) >= 2.06", 0, 0},
        {"printed(2.0, a) < 2.06", 1, 1},  {"printed(2.0, a) < 2.05", 0, 1},
        {"printed(2.0, a) < 1.95", 0, 0},  {"printed(2.0, a) > 1.94", 1, 1},
        {"printed(2.0, a) > 1.96", 0, 1},  {"printed(2.0, a) > 2.06", 0, 0},
        {"printed(2.0, a) == 2", 0, 1},    {"printed(2.0, a) == 2.06", 0, 0},
    };
    struct claim_value value;

    (void)unused;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_int_equal(evaluate(numbers[i].text, &value), BENCH_OK);
        if (fabs(value.low - numbers[i].low) > 1e-9 ||
            fabs(value.high - numbers[i].high) > 1e-9)
            fail_msg("%s: %g to %g", numbers[i].text, value.low, value.high);
    }
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
        assert_int_equal(evaluate(truths[i].text, &value), BENCH_OK);
        if ((value.low > 0) != truths[i].must || (value.high > 0) != truths[i].may)
            fail_msg("%s: must %g, may %g", truths[i].text, value.low, value.high);
    }
}

/* ---- files ---- */

#define RATIO "[r]\nwhere = here\nkind = ratio\nprinted = 4.0\nunit = x\n"

static void bad_files_are_refused(void **unused)
{
    (void)unused;
    file_refused("where = here\n", "c.ini:1: expected '[id]'");
    file_refused(RATIO, "neither 'paper' nor 'measured'");
    file_refused(RATIO "paper = 4\ncolour = red\n", "c.ini:7: no key 'colour'");
    file_refused(RATIO "paper = 1 < 2\n", "c.ini:6: expected a number for kind ratio");
    file_refused("[r]\nwhere = a\nkind = order\npaper = 2\n", "expected a comparison");
    file_refused("[r]\nwhere = a\nkind = sort\npaper = 2\n", "c.ini:3: expected a kind");
    file_refused("[r]\nwhere = a\nkind = ratio\npaper = 2\n", "has no 'printed'");
    file_refused("[r]\nkind = order\npaper = 1 < 2\n", "has no 'where'");
    file_refused(RATIO "paper = $x\n", "c.ini:6: expected a name from a '$x = ...' above");
    file_refused(RATIO "$x = $x\npaper = $x\n", "c.ini:6: expected a name");
    file_refused(RATIO "$x = 1 < 2\npaper = $x\n", "expected a number in $x");
    file_refused("[names]\nx = 1\n" RATIO "paper = 4\n", "c.ini:2: expected '$name = ...'");
    file_refused(RATIO "paper = paper(x/t, impl=q, ms)\n", "expected one printed number");
    file_refused(RATIO "paper = paper(x/t, ms)\n", "found 5");
    file_refused(RATIO "paper = paper(y/t, ms)\n", "expected one printed number");
    file_refused(RATIO "paper = paper(../t, ms)\n", "expected one printed number");
    file_refused(RATIO "paper = paper(x/t, colour=a, ms)\n", "no column 'colour'");
    file_refused(RATIO "paper = paper(x/t, impl=d, ms)\n", "is not printed as a number");
    file_refused(RATIO "paper = ours(x/t, impl=a, mean_ms)\n", "printed numbers alone");
    file_refused(RATIO "paper = 4\nwords = a b c d e f g h i j k l m n o p\n",
                 "15 quoted words");
    file_refused(RATIO "paper = 4\ndigits = some\n", "'exact' or 'rounded'");
}

static void wrong_tolerances_are_caught(void **unused)
{
    (void)unused;
    file_refused(RATIO "paper = 4\ntol = 0.1\n", "expected 'tol' from 0% to 50%, found '0.1'");
    file_refused(RATIO "paper = 4\ntol = 200%\n", "expected 'tol'");
    file_refused(RATIO "paper = 4\nabout = -3%\n", "expected 'about'");
    file_refused(RATIO "paper = 4\ntol = 5%\n", "a tolerance and no 'because'");
    file_refused("[r]\nwhere=a\nkind=order\npaper=1<2\ntol=5%\nbecause=b\n",
                 "for kinds value and ratio");
}

static void names_cannot_make_it_slow(void **unused)
{
    char text[4000] = "[names]\n$a0 = 1\n";

    (void)unused;
    for (int i = 1; i < 20; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "$a%d = $a%d + $a%d + $a%d + $a%d\n", i, i - 1, i - 1, i - 1, i - 1);
    file_refused(text, "steps");
    strcpy(text, "[names]\n$a0 = 1\n");
    for (int i = 1; i < 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "$a%d = $a%d\n", i, i - 1);
    file_refused(text, "within each other");
}

/* ---- verdicts ---- */

#define TRUTH(kind) "[r]\nwhere = here\nkind = " kind "\n"
#define A           "paper(x/t, impl=a, ms)"
#define B           "paper(x/t, impl=b, ms)"

static void arithmetic_is_judged(void **unused)
{
    (void)unused;
    verdict_is(RATIO "paper = " B " / " A "\n", NULL, CLAIM_REPRODUCED, "give 4");
    verdict_is("[r]\nwhere=a\nkind=ratio\nunit=x\nprinted=4.03\npaper=" B "/" A "\n", NULL,
               CLAIM_REPRODUCED, "with their rounding");
    verdict_is("[r]\nwhere=a\nkind=ratio\nunit=x\nprinted=4.03\ndigits=exact\npaper=" B "/" A
               "\n",
               NULL, CLAIM_PAPER_INCONSISTENT, "give 4, the paper says 4.03");
    verdict_is("[r]\nwhere=a\nkind=ratio\nunit=x\nprinted=4.3\npaper=" B "/" A "\n", NULL,
               CLAIM_PAPER_INCONSISTENT, "the paper says 4.3");
    verdict_is("[r]\nwhere=a\nkind=ratio\nunit=x\nprinted=4.3\nabout=5%\nbecause=b\npaper=" B
               "/" A "\n",
               NULL, CLAIM_REPRODUCED, "give 4");
    verdict_is("[r]\nwhere=a\nkind=value\nunit=ms\nprinted=318\npaper=paper(x/t,impl=s,ms)\n",
               NULL, CLAIM_REPRODUCED, "315 to 325"); /* the last digit of 0.32 s is 10 ms */
    verdict_is("[r]\nwhere=a\nkind=value\nunit=x\nprinted=4.4\npaper=paper(x/t,impl=n,cores)\n",
               NULL, CLAIM_PAPER_INCONSISTENT, "give 4"); /* a count is not rounded */
    verdict_is(TRUTH("order") "paper = " A " < " B "\n", NULL, CLAIM_REPRODUCED, "say so");
    verdict_is(TRUTH("order") "paper = " B " < " A "\n", NULL, CLAIM_PAPER_INCONSISTENT,
               "say otherwise");
    verdict_is(TRUTH("monotone") "paper = falling(9, " B ", " A ")\n", NULL, CLAIM_REPRODUCED,
               "");
    verdict_is(TRUTH("bound") "printed = 3\npaper = " A " < $printed\n", NULL, CLAIM_REPRODUCED,
               "");
    verdict_is(TRUTH("bound") "paper = " B " < 8\n", NULL, CLAIM_REPRODUCED, "rounding");
    verdict_is(TRUTH("bound") "digits = exact\npaper = " B " < 8\n", NULL,
               CLAIM_PAPER_INCONSISTENT, "");
    verdict_is(RATIO "paper = 1 / paper(x/t, impl=z, ms)\n", NULL, CLAIM_NOT_RUN, "by 0");
}

#define OURS(impl, more) "ours(x/t, impl=" impl more ", mean_ms)"
#define TOL              "tol = 10%\nbecause = so\n"

static void rows_are_judged(void **unused)
{
    (void)unused;
    /* r2: the newest of the full protocol that is right */
    verdict_is("[r]\nwhere=a\nkind=value\nunit=ms\nprinted=5.2\n" TOL
               "measured=" OURS("a", "") "\n",
               &machine, CLAIM_REPRODUCED, "5 on a card, printed 5.2: within 10%");
    verdict_is("[r]\nwhere=a\nkind=value\nunit=ms\nprinted=7.0\n" TOL
               "measured=" OURS("a", "") "\n",
               &machine, CLAIM_CONTRADICTED, "printed 7: lower, not within 10%");
    verdict_is("[r]\nwhere=a\nkind=value\nunit=ms\nprinted=5.0\nhardware=*board*\n" TOL
               "measured=" OURS("a", "") "\n",
               &machine, CLAIM_NOT_RUN, "no verdict on an absolute value; not board");
    verdict_is("[r]\nwhere=a\nkind=value\nunit=ms\nprinted=5.0\nhardware=*CARD\n" TOL
               "measured=" OURS("a", "") "\n",
               &machine, CLAIM_REPRODUCED, "");
    verdict_is(RATIO TOL "measured = " OURS("b", ", seed=*") " / " OURS("a", "") "\n", &machine,
               CLAIM_REPRODUCED, "4 on a card"); /* (19.99 + 20.01) / 2 / 5 */
    verdict_is(RATIO TOL "measured = 1.5 * " OURS("b", ", seed=2") " / " OURS("a", "") "\n",
               &machine, CLAIM_SHAPE_ONLY, "within a factor of 2");
    verdict_is(RATIO TOL "measured = " OURS("a", "") " / " OURS("b", ", seed=1") "\n", &machine,
               CLAIM_CONTRADICTED, "not within");
    verdict_is(RATIO TOL
               "hardware = *board*\nmeasured = " OURS("b", ", seed=*") " / " OURS("a", "") "\n",
               &machine, CLAIM_SHAPE_ONLY, "not board");
    verdict_is(TRUTH("order") "measured = " OURS("a", "") " < " OURS("b", ", seed=1") "\n",
               &machine, CLAIM_REPRODUCED, "it holds on a card");
    verdict_is(TRUTH("order") "hardware = board\nmeasured = " OURS("a", "") " < 6\n", &machine,
               CLAIM_SHAPE_ONLY, "it holds on a card; not board");
    verdict_is(TRUTH("order") "measured = " OURS("a", "") " < 4\n", &machine,
               CLAIM_CONTRADICTED, "does not hold");
    verdict_is(TRUTH("monotone") "measured = rising(" OURS("c", ", size=1") ", " OURS(
                   "c", ", size=2") ")\n",
               &machine, CLAIM_REPRODUCED, "");
    verdict_is(TRUTH("bound") "printed = 6\nmeasured = ours(x/t, impl=a, passes) <= $printed\n",
               &machine, CLAIM_REPRODUCED, "");
}

static void what_cannot_be_judged_says_why(void **unused)
{
    (void)unused;
    verdict_is(TRUTH("bound") "measured = " OURS("q", "") " < 1\n", &machine, CLAIM_NOT_RUN,
               "no row of x/t with impl=q");
    verdict_is(TRUTH("bound") "measured = " OURS("c", "") " < 1\n", &machine, CLAIM_NOT_RUN,
               "rows that differ in size");
    verdict_is(TRUTH("bound") "measured = ours(x/t, impl=a, share) < 1\n", &machine,
               CLAIM_NOT_RUN, "no share in the rows of x/t"); /* a series has no one value */
}

static void both_readings_are_tried(void **unused)
{
    (void)unused;
    verdict_is("[r]\nwhere=a\nkind=ratio\nunit=x\nprinted=9.0\n" TOL "paper=" B "/" A
               "\nmeasured=" OURS("b", ", seed=*") "/" OURS("a", "") "\n",
               &machine, CLAIM_REPRODUCED, "by the paper's own numbers 4");
}

static void a_report_counts_and_expects(void **unused)
{
    const char *text =
        RATIO "paper = 5\nmeasured = " OURS("b", ", seed=*") " / " OURS("a", "") "\n";
    struct text csv = {0}, page = {0};
    char path[700];
    FILE *out;

    (void)unused;
    snprintf(path, sizeof path, "%s/page", base);
    assert_int_equal(claims_parse(text, strlen(text), "c.ini", paper, &claims), BENCH_OK);
    assert_non_null(out = fopen(path, "wb"));
    assert_int_equal(claims_report(&claims, &machine, 1, out, &csv), BENCH_OK);
    assert_int_equal(claims_explain(&claims, "r", &machine, 1, out), BENCH_OK);
    assert_int_equal(claims_explain(&claims, "q", &machine, 1, out), BENCH_EINPUT);
    fclose(out);
    assert_int_equal(text_read_file(path, &page), BENCH_OK);
    assert_non_null(strstr(page.data, "-> 1 PAPER-INCONSISTENT\n"));
    assert_non_null(strstr(page.data,
                           "0 cells of tables, 1 claims of 0 quoted sentences and of "
                           "figures\n1 claims, 2 verdicts: 1 REPRODUCED, 1 "
                           "PAPER-INCONSISTENT; 0 unexpected.\n"));
    /* no line is longer than 80 columns: what is, goes on in the next, indented */
    assert_non_null(strstr(page.data, "[rows 20260101T000000Z-0000001 r5,\n"
                                      "          20260101T000000Z-0000001 r6; a card]\n"));
    assert_non_null(strstr(csv.data,
                           "\"r\",\"here\",,\"ratio\",\"4.0\",\"x\",\"made-up\",\"4\","
                           "\"REPRODUCED\",,"));
    text_free(&csv);
    text_free(&page);
}

static void folders_without_results_have_no_rows(void **unused)
{
    struct claim_machine none;

    (void)unused;
    assert_int_equal(claim_machine_read(paper, NULL, &none), BENCH_OK);
    assert_int_equal(store_n_measurements(none.store), 0);
    verdict_is(TRUTH("order") "measured = " OURS("a", "") " < 4\n", &none, CLAIM_NOT_RUN,
               "no row of x/t here");
    claim_machine_free(&none);
    assert_int_equal(claim_machine_read("nowhere", NULL, &none), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "expected a folder with results"));
    assert_null(none.name);
}

/* ---- what is shipped ---- */

static void shipped_is(const char *id, enum claim_verdict expected)
{
    for (int i = 0; i < claims.n; i++)
        if (!strcmp(claims.claim[i].id, id)) {
            struct claim_judgement j;

            assert_int_equal(claims_judge(&claims, &claims.claim[i], NULL, NULL, &j), BENCH_OK);
            if (j.verdict != expected)
                fail_msg("%s: %s: %s", id, claim_verdict_names[j.verdict], j.reason);
            return;
        }
    fail_msg("no claim %s", id);
}

static void shipped_claims_find_what_is_known(void **unused)
{
    static const char *const paths[] = {"experiments/claims/rdp.ini",
                                        "experiments/claims/som.ini",
                                        "experiments/claims/stixels.ini"};
    static const char *const fine[] = {"rdp-best-cpu-1024",
                                       "rdp-almost-1000-fps",
                                       "rdp-slot-shares-agree",
                                       "rdp-clocks-half-sms-10w",
                                       "rdp-one-core-as-clock",
                                       "stx-total-8",
                                       "stx-total-4",
                                       "stx-dp-8",
                                       "stx-dp-4",
                                       "stx-fps-8-b12",
                                       "stx-ds-share-xavier",
                                       "stx-over-segmentation",
                                       "stx-gflops-xavier",
                                       "stx-gflops-x2",
                                       "stx-x2-to-xavier-4",
                                       "stx-compact-kitti-4",
                                       "stx-4x4-gain-over",
                                       "som-af-small-3-rounded",
                                       "som-af-large-4-ratio",
                                       "som-cost-alike-small-3"};
    static const char *const not_fine[] = {"rdp-slot-least",
                                           "rdp-slot-most",
                                           "rdp-slot-margins-agree",
                                           "rdp-order-of-magnitude-max",
                                           "rdp-gpu-10w-beats-cpu-max",
                                           "rdp-gpu-clock-is-xavier",
                                           "rdp-clocks-explain-10w",
                                           "rdp-least-speedup",
                                           "rdp-one-core-same-clock",
                                           "rdp-rows-of-images",
                                           "stx-instructions-8",
                                           "stx-instructions-4",
                                           "stx-x2-to-xavier-8",
                                           "stx-ds-share-x2",
                                           "stx-compact-cityscapes-8",
                                           "stx-error-growth-synthia-8",
                                           "stx-error-growth-synthia-4",
                                           "stx-4x4-gain-less",
                                           "stx-volta-instructions-8",
                                           "stx-volta-instructions-4",
                                           "stx-below-input-kitti-8",
                                           "stx-more-than-8-times-8x8",
                                           "som-af-small-3-ratio",
                                           "som-af-small-3-factors",
                                           "som-af-large-4-factors",
                                           "som-cost-alike-conesL",
                                           "som-cost-alike-teddyL"};

    (void)unused;
    if (claims_read(paths, 3, "results/paper", &claims) != BENCH_OK)
        fail_msg("%s", bench_failure());
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        shipped_is(fine[i], CLAIM_REPRODUCED);
    for (size_t i = 0; i < sizeof not_fine / sizeof *not_fine; i++)
        shipped_is(not_fine[i], CLAIM_PAPER_INCONSISTENT);
}

/* One row of a session: its number is the day, the row's the variant and the seed.  Its own interval is wide: among processes it
 * counts for nothing. */
#define TIMED(day, profile, impl, ms, seed, run, group)                     \
    "\"2026010" day "T000000Z-0000001\",\"r" impl seed "\",\"2026010" day   \
    "\",\"0\",\"" profile "\",\"a core\",\"a card\",\"x/t\",\"" impl        \
    "\",\"gpu\",,\"ok\",\"exact\",\"" ms "\",\"" ms "\",\"0." ms "\",\"" ms \
    "0\",\"30\",\"" seed "\",\"" run "\",\"" group "\"\n"

static void write_session(const char *in, const char *day, const char *rows)
{
    char name[64], text[4000];

    snprintf(name, sizeof name, "2026010%sT000000Z-0000001.csv", day);
    snprintf(
        text, sizeof text,
        "\"session\",\"row_id\",\"utc\",\"dirty\",\"profile\",\"cpu\",\"gpu\",\"experiment\","
        "\"impl\",\"device\",\"lap\",\"status\",\"verdict\",\"mean_ms\",\"median_ms\","
        "\"ci_lo_ms\",\"ci_hi_ms\",\"n\",\"seed\",\"run\",\"run_group\"\n%s",
        rows);
    write_file(in, name, text);
}

/* Three processes of one call and an older row: they are taken together. */
static void processes_are_taken_together(void **unused)
{
    struct claim_machine runs;
    struct claim_judgement j;
    char in[700];

    (void)unused;
    snprintf(in, sizeof in, "%s/runs", base);
    write_session(in, "1", TIMED("1", "paper", "a", "70", "1", "", ""));
    write_session(in, "2",
                  TIMED("2", "paper", "a", "10", "1", "1", "g")
                      TIMED("2", "paper", "b", "2", "1", "1", "g"));
    write_session(in, "3",
                  TIMED("3", "paper", "a", "14", "1", "2", "g")
                      TIMED("3", "paper", "b", "2", "1", "2", "g"));
    write_session(in, "4", TIMED("4", "paper", "a", "11", "1", "3", "g"));
    assert_int_equal(claim_machine_read(in, NULL, &runs), BENCH_OK);
    parse("[r]\nwhere=a\nkind=value\nunit=ms\nprinted=11\n" TOL
          "measured=ours(x/t, impl=a, median_ms)\n");
    j = judge(0, &runs);
    assert_true(j.value > 10.999 && j.value < 11.001);
    assert_true(j.low > 9.999 && j.low < 10.001 && j.high > 13.999 && j.high < 14.001);
    assert_int_equal(j.verdict, CLAIM_NOT_RUN); /* from 10 to 14 */
    parse("[r]\nwhere=a\nkind=value\nunit=ms\nprinted=11\n" TOL
          "measured=ours(x/t, impl=a, mean_ms)\n");
    j = judge(0, &runs);
    assert_true(j.value > 11.666 && j.value < 11.667); /* the mean of their means */
    parse("[r]\nwhere=a\nkind=ratio\nunit=x\nprinted=5.5\n" TOL
          "measured=ours(x/t, impl=a, median_ms) / ours(x/t, impl=b, median_ms)\n");
    j = judge(0, &runs);
    assert_true(j.value > 5.499 && j.value < 5.501);
    claim_machine_free(&runs);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(operators_bind_as_usual),
        TEST(functions_compute),
        TEST(errors_say_where_and_what),
        TEST(what_is_missing_stays_missing),
        TEST(depth_and_length_are_bounded),
        TEST(ranges_go_with_the_digits),
        TEST(ranges_are_as_wide_as_they_can_be),
        TEST(bad_files_are_refused),
        TEST(wrong_tolerances_are_caught),
        TEST(names_cannot_make_it_slow),
        TEST(arithmetic_is_judged),
        TEST(rows_are_judged),
        TEST(what_cannot_be_judged_says_why),
        TEST(both_readings_are_tried),
        TEST(a_report_counts_and_expects),
        TEST(folders_without_results_have_no_rows),
        TEST(shipped_claims_find_what_is_known),
        TEST(processes_are_taken_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_claims.c - the language of claims, files and tables of them, expected verdicts, and the claims that are shipped */
#include "tests/claims_made.h"

#include "harness/analysis/query.h"
#include "judge/claims_private.h"

#include <math.h>

static char committed[600];

static int begin(void **unused)
{
    (void)unused;
    begin_in("claims");
    snprintf(committed, sizeof committed, "%s/expected.csv", base);
    write_file(paper, "x.csv",
               "paper,figure,impl,name,value,printed,unit,read,where\n"
               "x,t,a,ms,2.00,2.00,ms,table,here\n"
               "x,t,b,ms,8.0,8.0,ms,table,there\n"
               "x,t,s,ms,320,0.32 s,ms,table,\n"
               "x,t,n,cores,4,4,,table,\n"
               "x,t,z,ms,0,0,ms,table,\n"
               "x,t,d,ms,3,1 + 2,ms,derived,\n"
               "x,u,a,ms,320,0.32 s,ms,table,first\n"
               "x,u,b,ms,8.0,8.0,ms,table,second\n"
               "x,u,b,watts,30,30+,W,table,third\n"
               "x,u,c,power,2,w h^2,,table,fourth\n"
               "x,u,d,ms,3,1 + 2,ms,derived,no cell\n");
    write_session(folder, "20260101T000000Z-0000001",
                  "row_id,impl,mean_ms,ci_lo_ms,ci_hi_ms,seed\n"
                  "r1,five,5,4.9,5.1,1\n"
                  "r2,six,6,5.9,6.1,1\n"
                  "r3,seeds,19.99,,,1\n"
                  "r4,seeds,20.01,,,2\n");
    assert_int_equal(claim_machine_read(folder, NULL, &machine), BENCH_OK);
    return 0;
}

/* ---- the language ---- */

static enum bench_status evaluate(const char *text, struct claim_value *value)
{
    const struct ini_file file = {.path = (char *)(uintptr_t) "c.ini"};
    const struct ini_fact fact = {.line = 7};
    struct claim_lookup l = {.claims = &claims, .file = &file, .fact = &fact};

    return claim_evaluate(text, &l, value);
}

struct range {
    const char *text;
    double low, high;
};

static void all_range(const struct range *cases, size_t n)
{
    struct claim_value v;

    for (size_t i = 0; i < n; i++) {
        const double low = cases[i].low, high = cases[i].high;

        if (evaluate(cases[i].text, &v) != BENCH_OK)
            fail_msg("%s: %s", cases[i].text, bench_failure());
        if (v.missing || !(v.low >= low - 1e-9 && v.low <= low + 1e-9) ||
            !(v.high >= high - 1e-9 && v.high <= high + 1e-9))
            fail_msg("%s: %g to %g %s", cases[i].text, v.low, v.high, v.missing ? v.why : "");
    }
}

/* Each comparison of a list holds, or none does. */
static void all_are(const char *list, double truth)
{
    char text[900], *rest = text, *one;

    snprintf(text, sizeof text, "%s", list);
    while ((one = strsep(&rest, ";")) != NULL && rest)
        all_range(&(struct range){one, truth, truth}, 1);
}

static void numbers_are_computed(void **unused)
{
    (void)unused;
    all_are("1 + 2 * 3 == 7; (1 + 2) * 3 == 9; 8 - 4 - 2 == 2; 16 / 4 / 2 == 2; -2 * -3 == 6; "
            "2 - -3 == 5; 1.5e2 + .5 == 150.5; 1 + 1 < 3; 1 < 2 < 3; 2 <= 2; 0.5 == 1 / 2; "
            "abs(-3) == 3; log2(8) == 3; round(2.6) == 3; "
            "min(3, 1, 2) + max(3, 1, 2) == 4; rising(1, 2, 3); falling(3, 2, 1); ",
            1);
    all_are("1 < 3 < 2; 2 < 2; 3 >= 4; rising(1, 1, 3); all(1 < 2, 2 < 1); ", 0);
}

/* 2.0 is 1.95 to 2.05: the range of each operation, and which comparisons must hold in it, may, or cannot. */
static void ranges_are_as_wide_as_they_can_be(void **unused)
{
    static const struct range numbers[] = {
        {"printed(2.0, a) + printed(3.0, a)", 4.9, 5.1},
        {"printed(2.0, a) - printed(3.0, a)", -1.1, -0.9},
        {"printed(2.0, a) * -1", -2.05, -1.95},
        {"-printed(2.0, a)", -2.05, -1.95},
        {"abs(printed(2.0, a) - 2)", 0, 0.05},
        {"min(printed(2.0, a), 2)", 1.95, 2},
        {"max(printed(2.0, a), 2)", 2, 2.05},
        {"printed(4.97, a) / printed(1.09, a)", 4.965 / 1.095, 4.975 / 1.085},
        {"1 / (printed(1, a) - 1.2)", -HUGE_VAL, HUGE_VAL},
    };
    static const struct range truths[] = {
        {"printed(2.0, a) <= 2.05", 1, 1}, {"printed(2.0, a) <= 2.04", 0, 1},
        {"printed(2.0, a) <= 1.95", 0, 1}, {"printed(2.0, a) <= 1.94", 0, 0},
        {"printed(2.0, a) >= 1.95", 1, 1}, {"printed(2.0, a) >= 1.96", 0, 1},
        {"printed(2.0, a) >= 2.05", 0, 1}, {"printed(2.0, a) >= 2.06", 0, 0},
        {"printed(2.0, a) < 2.06", 1, 1},  {"printed(2.0, a) < 2.05", 0, 1},
        {"printed(2.0, a) < 1.95", 0, 0},  {"printed(2.0, a) > 1.94", 1, 1},
        {"printed(2.0, a) > 1.96", 0, 1},  {"printed(2.0, a) > 2.06", 0, 0},
        {"printed(2.0, a) == 2", 0, 1},    {"printed(2.0, a) == 2.06", 0, 0}};

    (void)unused;
    all_range(numbers, N(numbers));
    all_range(truths, N(truths));
}

static void refused(const char *text, const char *why)
{
    struct claim_value value;

    assert_int_equal(evaluate(text, &value), BENCH_EINPUT);
    if (strncmp(bench_failure(), "c.ini:7: ", 9) != 0 || !strstr(bench_failure(), why))
        fail_msg("%s: %s", text, bench_failure());
}

static void errors_say_where_and_what(void **unused)
{
    static const struct refusal cases[] = {
        {"", "expected a number, a cell, a function, '$name' or '(', found the end"},
        {"1 +", "found the end of the expression"},
        {"1 2", "expected an operator or the end, found '2'"},
        {"(1", "expected ')'"},
        {"cosine(1)", "no function 'cosine'"},
        {"abs 1", "expected '(' after a function's name"},
        {"abs(1, 2)", "at most 1 arguments"},
        {"rising(1)", "at least 2 arguments"},
        {"(1 < 2) + 1", "expected a number for '+', found a comparison"},
        {"-(1 < 2)", "expected a number for '-'"},
        {"all(1)", "expected a comparison for 'all', found a number"},
        {"1 / 0", "a division by 0"},
        {"1 / 0.00", "a division by 0"},
        {"ours(rdp/fig9, impl=x", "')' after a cell"},
        {"ours(rdp/fig9, impl=x)", "expected (paper/table, key=text, ..., column)"},
        {"paper(nothing, ms)", "expected (paper/table"},
        {"printed(4.6)", "',' and the place"},
        {"printed(x, sect. 5)", "printed digits"},
    };

    (void)unused;
    for (size_t i = 0; i < N(cases); i++)
        refused(cases[i].text, cases[i].why);
}

static void what_is_missing_stays_missing(void **unused)
{
    static const struct refusal cases[] = {
        {"1 + 2 * ours(x/t, ms) < 4", "no results were given"},
        {"max(1, ours(x/t, impl=a, ms))", "no results were given"},
        {"1 / (2 - 2)", "a division by 0"},
        {"1e300 * 1e300", "leaves the range"},
        {"log2(0)", "leaves the range"}};
    struct claim_value value;

    (void)unused;
    for (size_t i = 0; i < N(cases); i++) {
        assert_int_equal(evaluate(cases[i].text, &value), BENCH_OK);
        assert_true(value.missing && value.truth == (i == 0));
        assert_non_null(strstr(value.why, cases[i].why));
    }
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
    memcpy(text + n, "+1", 3);
    refused(text, "steps");
}

/* ---- files ---- */

#define R RATIO("4.0")

static void bad_files_are_refused(void **unused)
{
    static const struct refusal cases[] = {
        {"where = here\n", "c.ini:1: expected '[id]'"},
        {R, "neither 'paper' nor 'measured'"},
        {R "paper = 4\ncolour = red\n", "c.ini:7: no key 'colour'"},
        {R "paper = 1 < 2\n", "c.ini:6: expected a number for kind ratio"},
        {"[r]\nwhere = a\nkind = order\npaper = 2\n", "expected a comparison"},
        {"[r]\nwhere = a\nkind = sort\npaper = 2\n", "c.ini:3: expected a kind"},
        {"[r]\nwhere = a\nkind = ratio\npaper = 2\n", "has no 'printed'"},
        {"[r]\nkind = order\npaper = 1 < 2\n", "has no 'where'"},
        {R "paper = $x\n", "c.ini:6: expected a name from a '$x = ...' above"},
        {R "$x = $x\npaper = $x\n", "c.ini:6: expected a name"},
        {R "$x = 1 < 2\npaper = $x\n", "expected a number in $x"},
        {"[names]\nx = 1\n" R "paper = 4\n", "c.ini:2: expected '$name = ...'"},
        {R "paper = paper(x/t, impl=q, ms)\n", "expected one printed number"},
        {R "paper = paper(x/t, ms)\n", "found 5"},
        {R "paper = paper(y/t, ms)\n", "expected one printed number"},
        {R "paper = paper(../t, ms)\n", "expected one printed number"},
        {R "paper = paper(x/t, colour=a, ms)\n", "no column 'colour'"},
        {R "paper = paper(x/t, impl=d, ms)\n", "is not printed as a number"},
        {R "paper = ours(x/t, impl=a, mean_ms)\n", "printed numbers alone"},
        {R "paper = 4\nwords = a b c d e f g h i j k l m n o p\n", "15 quoted words"},
        {R "paper = 4\ndigits = some\n", "'exact' or 'rounded'"},
        {R "paper = 4\ntol = 0.1\n", "expected 'tol' from 0% to 50%, found '0.1'"},
        {R "paper = 4\ntol = 200%\n", "expected 'tol'"},
        {R "paper = 4\nabout = -3%\n", "expected 'about'"},
        {R "paper = 4\ntol = 5%\n", "a tolerance and no 'because'"},
        {"[r]\nwhere=a\nkind=order\npaper=1<2\ntol=5%\nbecause=b\n",
         "for kinds value and ratio"},
    };

    (void)unused;
    all_refused(cases, N(cases));
}

static void names_cannot_make_it_slow(void **unused)
{
    char text[4000] = "[names]\n$a0 = 1\n";

    (void)unused;
    for (int i = 1; i < 20; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "$a%d = $a%d + $a%d + $a%d + $a%d\n", i, i - 1, i - 1, i - 1, i - 1);
    all_refused(&(struct refusal){text, "steps"}, 1);
    snprintf(text, sizeof text, "[names]\n$a0 = 1\n");
    for (int i = 1; i < 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "$a%d = $a%d\n", i, i - 1);
    all_refused(&(struct refusal){text, "within each other"}, 1);
}

/* ---- the papers' own numbers ---- */

#define A    "paper(x/t, impl=a, ms)"
#define B    "paper(x/t, impl=b, ms)"
#define FOUR PAPER(B "/" A)

static void arithmetic_is_judged(void **unused)
{
    static const struct verdict cases[] = {
        {RATIO("4.0") FOUR, HOLDS, "give 4"},
        {RATIO("4.03") FOUR, HOLDS, "with their rounding"},
        {RATIO("4.03") "digits=exact\n" FOUR, INCONSISTENT, "give 4, the paper says 4.03"},
        {RATIO("4.3") FOUR, INCONSISTENT, "the paper says 4.3"},
        {RATIO("4.3") "about=5%\nbecause=b\n" FOUR, HOLDS, "give 4"},
        /* the last digit of 0.32 s is 10 ms, and a count is not rounded */
        {VALUE("318") PAPER("paper(x/t, impl=s, ms)"), HOLDS, "315 to 325"},
        {VALUE("4.4") PAPER("paper(x/t, impl=n, cores)"), INCONSISTENT, "give 4"},
        {VALUE("164") PAPER("paper(x/u, impl=a|b, ms)"), HOLDS, "give 164"},
        {ORDER PAPER(A " < " B), HOLDS, "say so"},
        {ORDER PAPER(B " < " A), INCONSISTENT, "say otherwise"},
        {CLAIM("monotone") PAPER("falling(9, " B ", " A ")"), HOLDS, ""},
        {CLAIM("bound") "printed=3\n" PAPER(A " < $printed"), HOLDS, ""},
        {CLAIM("bound") PAPER(B " < 8"), HOLDS, "rounding"},
        {CLAIM("bound") "digits=exact\n" PAPER(B " < 8"), INCONSISTENT, ""},
        {RATIO("4.0") PAPER("1 / paper(x/t, impl=z, ms)"), OPEN, "by 0"},
    };

    (void)unused;
    all_judged(cases, N(cases), NULL);
}

/* ---- tables ---- */

#define TABLE "[t]\neach = x/u, name=ms\nid = t[{impl}]\nkind = value\n"

static void a_cell_is_a_claim(void **unused)
{
    static const struct {
        const char *id, *table, *where, *printed, *unit; /* as printed, not as the CSV has it */
    } cells[] = {{"t[a]", "t", "first", "0.32", "s"}, {"t[b]", "t", "second", "8.0", "ms"}};

    (void)unused;
    parse("[names]\n$z = 1\n" TABLE "$paper = paper(x/u, impl={impl}, name=ms, ms) * $z\n"
          "paper = $paper / {impl: a=1000, b=1}\n"
          "measured = ours(x/t, impl={impl: a=five, b=six}, mean_ms)\n"
          "[after]\nwhere = w\nkind = bound\npaper = 1 < 2\n");
    assert_int_equal(claims.n, 3);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(claims.claim[i].id, cells[i].id);
        assert_string_equal(claims.claim[i].table, cells[i].table);
        assert_string_equal(claims.claim[i].where, cells[i].where);
        assert_string_equal(claims.claim[i].printed, cells[i].printed);
        assert_string_equal(claims.claim[i].unit, cells[i].unit);
        assert_int_equal(judge(i, NULL).verdict, HOLDS);
        assert_true(fabs(judge(i, &machine).value - 5 - i) < 1e-9);
    }
    assert_null(claims.claim[2].table);
    parse(TABLE "paper = 0.32\n"); /* a wrong cell is found alone */
    assert_int_equal(judge(0, NULL).verdict, HOLDS);
    assert_int_equal(judge(1, NULL).verdict, INCONSISTENT);
}

static void odd_digits_are_read(void **unused)
{
    (void)unused;
    parse("[t]\neach = x/u, name=watts|ms, impl=b\nid = t[{name}]\nkind = value\nmissing = "
          "why\n");
    assert_int_equal(claims.n, 2);
    assert_string_equal(claims.claim[1].printed, "30"); /* "30+" */
    assert_string_equal(claims.claim[1].unit, "W");
    parse("[t]\neach = x/u, name=power\nid = t[{impl}]\nprinted = {value}\nunit = power\n"
          "kind = value\npaper = 2\n");
    assert_int_equal(judge(0, NULL).verdict, HOLDS);
}

static void wrong_tables_are_refused(void **unused)
{
    static const struct refusal cases[] = {
        {"[t]\neach = x/u\nkind = value\npaper = 1\n", "has 'each' and no 'id'"},
        {"[t]\neach = x\nid = t\nkind = value\npaper = 1\n", "expected 'paper/table"},
        {"[t]\neach = x/u, impl\nid = t\nkind = value\npaper = 1\n", "expected 'paper/table"},
        {"[t]\neach = x/u, hue=a\nid = t\nkind = value\npaper = 1\n", "no column 'hue'"},
        {"[t]\neach = x/u, impl=q\nid = t\nkind = value\npaper = 1\n", "no printed number for"},
        {"[t]\neach = x/u, impl=d\nid = t\nkind = value\npaper = 1\n", "no printed number for"},
        {"[t]\neach = y/t\nid = t\nkind = value\npaper = 1\n", "no printed number for"},
        {"[t]\neach = x/u, name=ms\nid = t\nkind = value\npaper = 1\n", "is a claim already"},
        {"[q]\nwhere=a\nkind=order\npaper=1<2\n[t]\neach = x/u, impl=a\nid = q\nkind = value\n"
         "paper = 1\n",
         "c.ini:6: [q] is a claim already"},
        {"[t]\neach = x/u, impl=a\nid = q\nkind = value\npaper = 1\n"
         "[q]\nwhere=a\nkind=order\npaper=1<2\n",
         "[q] is a claim already"},
        {"[t]\neach = x/u, name=ms\nid = t {impl}\nkind = value\npaper = 1\n",
         "without blanks"},
        {"[t]\neach = x/u, name=ms\nid = t{hue}\nkind = value\npaper = 1\n", "no column 'hue'"},
        {"[t]\neach = x/u, name=ms\nid = t{impl\nkind = value\npaper = 1\n", "expected '}'"},
        {TABLE "paper = {impl: a=1}\n", "to say what 'b' becomes"},
        {TABLE "paper = {impl: a=1, b=}\n", "has no value"},
        {"[t]\neach = x/u, name=power\nid = t\nunit = p\nkind = value\npaper = 2\n",
         "expected printed digits, found 'w h^2'"},
        {TABLE "missing = a\nmeasured = 1\n", "both 'measured' and 'missing'"},
    };
    char many[9000] = "";

    (void)unused;
    all_refused(cases, N(cases));
    for (int i = 0; i < 100; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many),
                 "%s{where}{where}{where}{where}\n", i ? "  " : TABLE "$a = ");
    all_refused(&(struct refusal){many, "more than 2000 bytes"}, 1);
}

/* ---- reports ---- */

static void a_report_counts(void **unused)
{
    struct text page = {0}, csv = {0};

    (void)unused;
    parse(RATIO("4.0") TOL PAPER("5")
              ROWS("ours(x/t, impl=seeds, seed=*, mean_ms) / ours(x/t, impl=five, mean_ms)"));
    assert_int_equal(report(&machine, "r", &page, &csv), BENCH_OK);
    has(&page, "-> 1 PAPER-INCONSISTENT\n");
    has(&page, "0 cells of tables, 1 claims of 0 quoted sentences and of figures\n1 claims, 2 "
               "verdicts: 1 REPRODUCED, 1 PAPER-INCONSISTENT; 0 unexpected.\n");
    /* no line is longer than 80 columns: what is, goes on in the next, indented */
    has(&page, "[rows 20260101T000000Z-0000001 r3,\n"
               "          20260101T000000Z-0000001 r4; a card]\n");
    has(&csv, "\"r\",\"here\",,\"ratio\",\"4.0\",\"x\",\"made-up\",\"4\",\"REPRODUCED\",,\"");
    text_free(&csv);
    parse(VALUE("5.0") TOL "hardware=*card*\n" ROWS("ours(x/t, impl=five, mean_ms)"));
    assert_int_equal(report(&machine, NULL, &page, &csv), BENCH_OK);
    has(&csv, ",\"c\",,\"4.9\",\"5.1\",\"10\",\"so\",\"kernel\",\"*card*\",\"a card\"\n");
    assert_int_equal(claims_explain(&claims, "q", &machine, 1, stdout), BENCH_EINPUT);
    text_free(&csv);
    text_free(&page);
}

static void cells_without_a_row_share_a_line(void **unused)
{
    struct text page = {0}, csv = {0};

    (void)unused;
    parse(TABLE "missing = the network is not here\n");
    assert_int_equal(report(&machine, "t", &page, &csv), BENCH_OK);
    has(&page, "t: 2 cells  ");
    has(&page, "-> 2 NOT-RUN\n");
    has(&page, "2 cells of tables, 0 claims of 0 quoted sentences");
    has(&page, "t[a]: first");
    has(&page, "t[b]: second");
    has(&csv, "\"t[a]\",\"first\",,\"value\",\"0.32\",\"s\",\"made-up\",,\"NOT-RUN\",,\"the "
              "network is not here\",\"c\",\"t\",,,,,,,\n");
    has(&csv, "\"t[b]\"");
    text_free(&page);
    text_free(&csv);
}

/* ---- expected verdicts ---- */

#define TWO                                                                 \
    "[p]\nwhere=a\nkind=order\npaper=1<2\n[m]\nwhere=b\nkind=order\n" ROWS( \
        "ours(x/t, impl=five, mean_ms) < ours(x/t, impl=six, mean_ms)")

static void a_deviation_is_an_exit_status(void **unused)
{
    static const struct {
        const char *file;
        enum bench_status status;
        const char *says; /* the page, or the sentence of a file that is refused */
    } cases[] = {
        {"claim,paper,made-up\np,REPRODUCED,\nm,,REPRODUCED\n", BENCH_OK, "; 0 unexpected."},
        {"claim,paper,made-up\np,REPRODUCED,\nm,,SHAPE-ONLY\n", BENCH_EMISMATCH,
         "expected was SHAPE-ONLY"},
        /* a machine of which the file does not speak is no deviation, a claim that it forgot is */
        {"claim,paper,other\np,REPRODUCED,\nm,,NOT-RUN\n", BENCH_OK, "; 0 unexpected."},
        {"claim,paper,made-up\np,REPRODUCED,NOT-RUN\n", BENCH_EMISMATCH,
         "    no verdict is committed for it\n-> 1 REPRODUCED\n"},
        {"claim,paper\nq,REPRODUCED\n", BENCH_EINPUT, "expected one of the claims, found 'q'"},
        {"claim,paper\np,MAYBE\n", BENCH_EINPUT, "found 'MAYBE'"},
        {"claim,paper\np,REPRODUCED\np,REPRODUCED\n", BENCH_EINPUT, "stands in two lines"},
    };
    struct text page = {0};

    (void)unused;
    expected = committed;
    for (size_t i = 0; i < N(cases); i++) {
        write_bytes(committed, cases[i].file, strlen(cases[i].file));
        parse(TWO);
        assert_int_equal(report(&machine, NULL, &page, NULL), cases[i].status);
        if (!strstr(cases[i].status == BENCH_EINPUT ? bench_failure() : page.data,
                    cases[i].says))
            fail_msg("no '%s'", cases[i].says);
    }
    text_free(&page);
}

static void expectations_are_written_and_others_kept(void **unused)
{
    static const char before[] = "claim,elsewhere\nm,NOT-RUN\ngone,NOT-RUN\n";
    int n_changed = -1;

    (void)unused;
    expected = committed;
    write_bytes(committed, before, strlen(before));
    for (int again = 0; again < 2; again++) {
        parse(TWO);
        assert_int_equal(claims_write_expected(&claims, &machine, 1, committed, &n_changed),
                         BENCH_OK);
        assert_int_equal(n_changed, again ? 0 : 2);
        assert_file(committed, "\"claim\",\"paper\",\"elsewhere\",\"made-up\"\n"
                               "\"p\",\"REPRODUCED\",,\n"
                               "\"m\",,\"NOT-RUN\",\"REPRODUCED\"\n");
    }
}

/* ---- what is shipped ---- */

static void no_printed_cell_is_left_out(void **unused)
{
    struct table cells;
    struct text page = {0};

    (void)unused;
    read_shipped();
    assert_int_equal(report(NULL, NULL, &page, NULL), BENCH_OK);
    assert_int_equal(
        query_table(claims.store,
                    "SELECT p.place, count(c.id) FROM printed AS p LEFT JOIN claim AS c ON "
                    "c.place = p.place AND c.\"table\" IS NOT NULL WHERE figure GLOB 'table*' "
                    "OR figure = 'fig9' AND p.paper = 'stx' GROUP BY p.rowid "
                    "ORDER BY count(c.id) = 1",
                    &cells),
        BENCH_OK);
    assert_int_equal(cells.n_rows, 430); /* all cells of claims */
    if (strcmp(cells.cell[1].text, "1") != 0)
        fail_msg("%s claims of '%s'", cells.cell[1].text, cells.cell[0].text);
    table_free(&cells);
    text_free(&page);
}

/* Each verdict by the papers' numbers is the one of expected.csv, which has those that are known. */
static void shipped_claims_are_expected(void **unused)
{
    struct table known;
    struct text page = {0};

    (void)unused;
    read_shipped();
    assert_int_equal(report(NULL, NULL, &page, NULL), BENCH_OK);
    has(&page, "430 cells of tables, 271 claims of 122 quoted sentences and of figures");
    assert_int_equal(
        query_table(claims.store,
                    "SELECT group_concat(id || ' ' || verdict, '; ') FROM judged WHERE id IN "
                    "('rdp-best-cpu-1024', 'rdp-slot-least', 'stx-dp-8', 'stx-instructions-8', "
                    "'som-af-small-3-rounded', 'som-af-small-3-ratio')",
                    &known),
        BENCH_OK);
    assert_string_equal(known.cell[0].text,
                        "rdp-best-cpu-1024 REPRODUCED; rdp-slot-least PAPER-INCONSISTENT; "
                        "som-af-small-3-rounded REPRODUCED; som-af-small-3-ratio "
                        "PAPER-INCONSISTENT; stx-dp-8 REPRODUCED; stx-instructions-8 "
                        "PAPER-INCONSISTENT");
    table_free(&known);
    text_free(&page);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(numbers_are_computed),
        TEST(errors_say_where_and_what),
        TEST(what_is_missing_stays_missing),
        TEST(depth_and_length_are_bounded),
        TEST(ranges_are_as_wide_as_they_can_be),
        TEST(bad_files_are_refused),
        TEST(names_cannot_make_it_slow),
        TEST(arithmetic_is_judged),
        TEST(a_cell_is_a_claim),
        TEST(odd_digits_are_read),
        TEST(wrong_tables_are_refused),
        TEST(a_report_counts),
        TEST(cells_without_a_row_share_a_line),
        TEST(a_deviation_is_an_exit_status),
        TEST(expectations_are_written_and_others_kept),
        TEST(no_printed_cell_is_left_out),
        TEST(shipped_claims_are_expected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_claims.c - claims: their language, files and tables of them, verdicts by printed numbers and by rows, what is said of these */
#include "harness/analysis/query.h"
#include "judge/claims_private.h"
#include "tests/support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/files.h"

#define N(list)      (sizeof(list) / sizeof *(list))
#define HOLDS        CLAIM_REPRODUCED
#define SHAPE        CLAIM_SHAPE_ONLY
#define AGREES       CLAIM_SCALED_AGREES
#define DIFFERS      CLAIM_SCALED_DIFFERS
#define FAILS        CLAIM_CONTRADICTED
#define INCONSISTENT CLAIM_PAPER_INCONSISTENT
#define OPEN         CLAIM_NOT_RUN

/* Claims, to be followed by what they have besides. */
#define CLAIM(kind)    "[r]\nwhere=here\nkind=" kind "\n"
#define ORDER          CLAIM("order")
#define RATIO(printed) CLAIM("ratio") "unit=x\nprinted=" printed "\n"
#define VALUE(printed) CLAIM("value") "unit=ms\nprinted=" printed "\n"
#define TOL            "tol=10%\nbecause=so\n"
#define PAPER(what)    "paper=" what "\n"
#define ROWS(what)     "measured=" what "\n"

static char base[500], paper[600], folder[600], shipped[600], committed[700];
static struct claims claims;
static struct claim_machine machine;

static void write_file(const char *in, const char *name, const char *text)
{
    char path[1300];

    assert_int_equal(text_make_folder(in), BENCH_OK);
    snprintf(path, sizeof path, "%s/%s", in, name);
    write_bytes(path, text, strlen(text));
}

/* A session, "20260101T000000Z-1", of rows of experiment x/t on a card, but for what they say themselves. */
static void write_session(const char *in, const char *name, const char *rows)
{
    static const char *const usual[][2] = {
        {"utc", "1"},        {"commit", NULL},  {"dirty", "0"},      {"profile", "paper"},
        {"cpu", "a core"},   {"gpu", "a card"}, {"sm_count", "132"}, {"experiment", "x/t"},
        {"device", "gpu"},   {"lap", ""},       {"status", "ok"},    {"verdict", "exact"},
        {"scope", "kernel"}, {"n", "30"}};
    char head[200], file[80], column[40];
    struct text text = {0}, more[2] = {{0}, {0}};

    snprintf(head, sizeof head, ",%.*s,", (int)strcspn(rows, "\n"), rows);
    for (size_t i = 0; i < N(usual); i++) {
        snprintf(column, sizeof column, ",%s,", usual[i][0]);
        if (strstr(head, column))
            continue;
        text_format(&more[0], ",%s", usual[i][0]);
        text_format(&more[1], ",%s", usual[i][1] ? usual[i][1] : name);
    }
    for (const char *line = rows; *line; line += strcspn(line, "\n") + 1)
        text_format(&text, "%s,%.*s%s\n", line == rows ? "session" : name,
                    (int)strcspn(line, "\n"), line, more[line != rows].data);
    snprintf(file, sizeof file, "%s.csv", name);
    write_file(in, file, text.data);
    text_free(&text);
    text_free(&more[0]);
    text_free(&more[1]);
}

static int end(void **unused)
{
    (void)unused;
    claims_free(&claims);
    claim_machine_free(&machine);
    support_remove(base);
    return 0;
}

static enum bench_status read_text(const char *text)
{
    claims_free(&claims);
    write_file(shipped, "c.ini", text);
    return claims_read(base, NULL, &claims);
}

static void parse(const char *text)
{
    if (read_text(text) != BENCH_OK)
        fail_msg("%s: %s", text, bench_failure());
}

static struct claim_judgement judge(int i, struct claim_machine *by)
{
    struct claim_judgement j;

    if (claims_judge(&claims, &claims.claim[i], by, NULL, &j) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return j;
}

struct refusal {
    const char *text, *why;
};

static void all_refused(const struct refusal *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(read_text(cases[i].text), BENCH_EINPUT);
        if (!strstr(bench_failure(), "/c.ini:") || !strstr(bench_failure(), cases[i].why))
            fail_msg("%s: %s", cases[i].text, bench_failure());
        assert_null(claims.claim);
    }
}

/* Of a text's first claim, and a part of the reason. */
struct verdict {
    const char *text;
    enum claim_verdict verdict;
    const char *reason;
};

static void all_judged(const struct verdict *cases, size_t n, struct claim_machine *by)
{
    for (size_t i = 0; i < n; i++) {
        struct claim_judgement j;

        parse(cases[i].text);
        j = judge(0, by);
        if (j.verdict != cases[i].verdict || !strstr(j.reason, cases[i].reason))
            fail_msg("%s: %s: %s", cases[i].text, claim_verdict_names[j.verdict], j.reason);
    }
}

/* What claims_report(), 'csv' not NULL, and claims_explain(), 'id' not NULL, write of what was parsed. */
static enum bench_status report(struct claim_machine *by, const char *id, struct text *page,
                                struct text *csv)
{
    char path[700];
    enum bench_status status;
    FILE *out;

    snprintf(path, sizeof path, "%s/page", base);
    assert_non_null(out = fopen(path, "wb"));
    status = claims_report(&claims, by, by != NULL, out, csv);
    if (id)
        assert_int_equal(claims_explain(&claims, id, by, 1, out), BENCH_OK);
    fclose(out);
    text_free(page);
    assert_int_equal(text_read_file(path, page), BENCH_OK);
    return status;
}

static void has(const struct text *text, const char *part)
{
    if (!strstr(text->data, part))
        fail_msg("no '%s' in:\n%s", part, text->data);
}

static void read_shipped(void)
{
    if (claims_read(".", NULL, &claims) != BENCH_OK)
        fail_msg("%s", bench_failure());
}

#define FIRST "20260101T000000Z-0000001"
#define CUT   "20260102T000000Z-0000002"
#define LATER "20260103T000000Z-0000003"
#define LAST  "20260104T000000Z-0000004"

/* On a card of 132 multiprocessors at 2000 MHz: the whole of it, as old rows have it and as new ones, and parts, newer. */
#define CUT_HEAD \
    "row_id,impl,gpu_mhz_med,mode_name,sms,experiment,size,mean_ms,ci_lo_ms,ci_hi_ms,fps\n"

static int begin(void **unused)
{
    char counters[700];

    (void)unused;
    snprintf(base, sizeof base, "%s/claims", support_place());
    snprintf(paper, sizeof paper, "%s/results/paper", base);
    snprintf(shipped, sizeof shipped, "%s/experiments/claims", base);
    snprintf(folder, sizeof folder, "%s/results/made-up", base);
    snprintf(committed, sizeof committed, "%s/expected.csv", shipped);
    support_remove(base);
    write_file(paper, "x.csv",
               "paper,figure,impl,mode_name,name,value,printed,unit,read,where\n"
               "x,t,a,,ms,2.00,2.00,ms,table,here\n"
               "x,t,b,,ms,8.0,8.0,ms,table,there\n"
               "x,t,s,,ms,320,0.32 s,ms,table,\n"
               "x,t,n,,cores,4,4,,table,\n"
               "x,t,z,,ms,0,0,ms,table,\n"
               "x,t,d,,ms,3,1 + 2,ms,derived,\n"
               "x,u,a,,ms,320,0.32 s,ms,table,first\n"
               "x,u,b,,ms,8.0,8.0,ms,table,second\n"
               "x,u,b,,watts,30,30+,W,table,third\n"
               "x,u,c,,power,2,w h^2,,table,fourth\n"
               "x,u,d,,ms,3,1 + 2,ms,derived,no cell\n"
               "x,m,a,HIGH,ms,10.0,10.0,ms,table,high\n"
               "x,m,a,LOW,ms,20.0,20.0,ms,table,low\n"
               "x,m,b,,ms,80.0,80.0,ms,table,\n");
    write_session(
        folder, FIRST,
        "row_id,utc,profile,impl,status,verdict,n,mean_ms,ci_lo_ms,ci_hi_ms,seed,size\n"
        "r1,1,paper,a,ok,exact,30,7,,,1,1\n"
        "r2,2,paper,a,ok,exact,30,5,,,1,1\n" /* counts: the newest that is right */
        "r3,3,quick,a,ok,exact,30,9,,,1,1\n"
        "r4,4,paper,a,wrong,wrong,30,1,,,1,1\n"
        "r5,1,paper,b,ok,exact,30,19.99,,,1,1\n"
        "r6,1,paper,b,ok,exact,30,20.01,,,2,1\n"
        "r7,1,paper,c,ok,within,30,1,,,1,1\n"
        "r8,1,paper,c,ok,within,30,2,,,1,2\n"
        "r11,1,paper,five,ok,exact,30,5,4.9,5.1,1,\n"
        "r12,1,paper,near,ok,exact,30,5.05,4.95,5.15,1,\n"
        "r13,1,paper,six,ok,exact,30,6,5.9,6.1,1,\n"
        "r14,1,paper,once,ok,exact,1,9,9,9,1,\n"
        "r15,1,paper,seeds,ok,exact,1,5,5,5,1,\n"
        "r16,1,paper,seeds,ok,exact,1,7,7,7,2,\n"
        "r17,1,paper,seeds,ok,exact,1,9,9,9,3,\n"
        "r18,1,profile,probed,ok,exact,30,1,1,1,1,\n"
        "r19,1,paper,ten,ok,exact,30,10,10,10,1,\n");
    write_file(folder, FIRST ".values.csv",
               "row_id,name,index,value,unit\n"
               "r2,passes,,6,\nr2,share,0,50,%\n"
               "r11,share,1,90,%\nr11,share,2,50,%\nr11,shares,,7,\n");
    write_session(folder, "20260101T000000Z-0000009",
                  CUT_HEAD "r1,x/gpu,2000,any,,y/t,1,1,0.99,1.01,1000\n"
                           "r2,x/gpu,2000,any,132,y/t,2,1.5,1.49,1.51,667\n"
                           "r3,x/gpu,2000,any,,y/t,4,9,8.9,9.1,111\n");
    write_session(folder, CUT,
                  CUT_HEAD "r1,x/gpu,2000,any,8,y/cut,1,5,4.95,5.05,200\n"
                           "r2,x/gpu,2000,any,8,y/cut,2,20,19.8,20.2,50\n"
                           "r3,x/gpu,2000,any,16,y/cut,1,2.5,2.45,2.55,400\n"
                           "r4,x/gpu,2000,any,8,y/t,1,5,4.95,5.05,200\n"
                           "r5,x/gpu,2000,any,132,y/cut,4,1.1,1.09,1.11,909\n");
    snprintf(counters, sizeof counters, "%s/ncu", folder);
    write_file(
        counters, "a.csv",
        "utc,commit,gpu,experiment,impl,stage,kernel,ipc\n1,c1,a card,x/t,five,dp,k,9\n");
    write_file(counters, "b.csv",
               "utc,commit,gpu,experiment,impl,stage,kernel,ipc\n"
               "2,c1,a card,x/t,five,dp,k,1.5\n"
               "2,c1,a card,x/t,five,compact,k,1\n"
               "2,c1,a card,x/t,five,compact,l,\n");
    assert_int_equal(claim_machine_read(folder, NULL, &machine), BENCH_OK);
    return 0;
}

/* ---- the language ---- */

static enum bench_status evaluate(const char *text, struct claim_value *value)
{
    struct ini_fact fact = {.line = 7};
    const struct ini_file file = {.path = (char *)(uintptr_t) "c.ini", .fact = &fact};
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

/* ---- verdicts ---- */

#define OURS(impl, more) "ours(x/t, impl=" impl more ", mean_ms)"
#define MS(impl)         OURS(impl, "")
#define SEEDS            OURS("seeds", ", seed=*")

static void rows_are_judged(void **unused)
{
    static const struct verdict cases[] = {
        {VALUE("5.2") TOL ROWS(MS("a")), HOLDS, "5 on a card, printed 5.2: within 10%"},
        {VALUE("7.0") TOL ROWS(MS("a")), FAILS, "printed 7: lower, not within 10%"},
        {VALUE("5.0") TOL "hardware=*board*\n" ROWS(MS("a")), OPEN,
         "no verdict on an absolute value; not board"},
        {VALUE("5.0") TOL "hardware=*CARD\n" ROWS(MS("a")), HOLDS, ""},
        /* (19.99 + 20.01) / 2 / 5 */
        {RATIO("4.0") TOL ROWS(OURS("b", ", seed=*") "/" MS("a")), HOLDS, "4 on a card"},
        {RATIO("4.0") TOL ROWS("1.5 *" OURS("b", ", seed=2") "/" MS("a")), SHAPE,
         "within a factor of 2"},
        {RATIO("4.0") TOL ROWS(MS("a") "/" OURS("b", ", seed=1")), FAILS, "not within"},
        {RATIO("4.0") TOL "hardware=*board*\n" ROWS(OURS("b", ", seed=*") "/" MS("a")), SHAPE,
         "not board"},
        {ORDER ROWS(MS("a") " < " OURS("b", ", seed=1")), HOLDS, "it holds on a card"},
        {ORDER "hardware=board\n" ROWS(MS("a") " < 6"), SHAPE, "it holds on a card; not board"},
        {ORDER ROWS(MS("a") " < 4"), FAILS, "does not hold"},
        {CLAIM("monotone") ROWS("rising(" OURS("c", ", size=1") ", " OURS("c", ", size=2") ")"),
         HOLDS, ""},
        {CLAIM("bound") "printed=6\n" ROWS("ours(x/t, impl=a, passes) <= $printed"), HOLDS, ""},
        /* what cannot be judged says why */
        {ORDER ROWS(MS("q") " < 1"), OPEN, "no row of x/t with impl=q"},
        {ORDER ROWS(MS("c") " < 1"), OPEN, "rows that differ in size"},
        {ORDER ROWS("ours(x/none, impl=a, mean_ms) < 1"), OPEN, "no row of x/none here"},
        {ORDER ROWS("ours(x/t, impl=five, height=8, mean_ms) < 6"), OPEN, "height=8"},
        {ORDER ROWS(MS("probed") " < 6"), OPEN, "no verified row of x/t: ok"},
        {ORDER "missing=no energy\n", OPEN, "no energy"},
        /* a series has no one value */
        {ORDER ROWS("ours(x/t, impl=a, share) < 1"), OPEN, "no share in the rows of x/t"},
        {ORDER ROWS("ours(x/t, impl=five, share[2]) < ours(x/t, impl=five, share[1])"), HOLDS,
         ""},
        {ORDER ROWS("ours(x/t, impl=five, share[3]) < 1"), OPEN, "no share[3]"},
        {ORDER ROWS("ours(x/t, impl=five, shares) < 8"), HOLDS, ""},
        /* a list is the mean of all of it */
        {VALUE("5.5") TOL ROWS(MS("five|six")), HOLDS, "5.5 on a card"},
        {VALUE("5.5") TOL ROWS(MS("five|six|none")), OPEN, "impl=none"},
        /* where the paper's own numbers give another one, either reading may be the true one */
        {RATIO("9.0") TOL PAPER("paper(x/m, impl=b, ms) / paper(x/m, mode_name=LOW, ms)")
             ROWS(OURS("b", ", seed=*") "/" MS("a")),
         HOLDS, "by the paper's own numbers 4"},
        /* other inputs are another experiment */
        {VALUE("5.0") TOL "differs=other maps\n" ROWS(MS("five")), OPEN,
         "no verdict on an absolute value; other maps"},
        {RATIO("2.0") TOL "differs=other maps\n" ROWS(MS("ten") "/" MS("five")), SHAPE,
         "within 10%; other maps"},
        {ORDER "differs=other maps\n" ROWS(MS("five") " < " MS("six")), SHAPE, "other maps"},
        {ORDER "differs=other maps\n" ROWS(MS("six") " < " MS("five")), FAILS, "other maps"},
        /* and a bound in ms is of its hardware */
        {CLAIM("bound") "unit=ms\nhardware=*board*\n" ROWS(MS("five") " < 50"), OPEN,
         "no verdict on an absolute bound; not board"},
        {CLAIM("bound") "unit=ms\nhardware=*card*\n" ROWS(MS("five") " < 50"), HOLDS, ""},
        {CLAIM("bound") "unit=x\nhardware=*board*\n" ROWS(MS("five") " < 50"), SHAPE, ""},
    };

    (void)unused;
    all_judged(cases, N(cases), &machine);
}

static void shape_is_within_a_factor_of_2(void **unused)
{
    static const struct {
        const char *printed, *unit, *measured;
        enum claim_verdict verdict;
    } cases[] = {
        {"4.0", "x", "4.3", HOLDS},   {"4.0", "x", "5.6", SHAPE},
        {"4.0", "x", "2.1", SHAPE},   {"4.0", "x", "1.9", FAILS},
        {"4.0", "x", "8.1", FAILS},   {"4.0", "x", "1.1", FAILS},
        {"4.0", "x", "0.25", FAILS},  {"1.50", "x", "1.20", FAILS},
        {"1.50", "x", "1.26", SHAPE}, {"1.30", "x", "1.16", SHAPE},
        {"1.30", "x", "1.10", FAILS}, {"1.01", "x", "1.00", HOLDS},
        {"1.50", "x", "2.5", FAILS},  {"0.50", "x", "0.60", SHAPE},
        {"0.50", "x", "0.90", FAILS}, {"62", "%", "40", SHAPE},
        {"62", "%", "30", FAILS},
    };

    (void)unused;
    for (size_t i = 0; i < N(cases); i++) {
        char text[400];

        snprintf(text, sizeof text, "%sprinted=%s\nunit=%s\nmeasured=%s / 10 * %s\n",
                 CLAIM("ratio") TOL, cases[i].printed, cases[i].unit, MS("ten"),
                 cases[i].measured);
        all_judged(&(struct verdict){text, cases[i].verdict, ""}, 1, &machine);
    }
}

static void faster_is_by_more_than_noise(void **unused)
{
    static const struct verdict cases[] = {
        {ORDER ROWS(MS("five") " < " MS("six")), HOLDS, "it holds on a card"},
        {ORDER ROWS(MS("six") " < " MS("five")), FAILS, "does not hold"},
        {ORDER ROWS(MS("five") " < " MS("near")), OPEN, "within the noise"},
        {ORDER ROWS(MS("near") " < " MS("five")), OPEN, "within the noise"},
        {ORDER ROWS("rising(" MS("five") "," MS("near") "," MS("six") ")"), OPEN, "the noise"},
        {ORDER ROWS(MS("six") "/" MS("five") " > 1.25"), FAILS, ""},
        {ORDER ROWS(MS("six") "/" MS("five") " > 1.2"), OPEN, "within the noise"},
        {ORDER "digits=exact\n" ROWS(MS("five") " < " MS("six")), HOLDS, ""},
        {ORDER "digits=exact\n" ROWS(MS("five") " < " MS("near")), OPEN, "noise"},
        /* seeds scatter: 7 +- 4.30 * 2 / sqrt 3 = 7 +- 4.97 */
        {ORDER ROWS(SEEDS " < 11.9"), OPEN, "within the noise"},
        {ORDER ROWS(SEEDS " < 12.1"), HOLDS, ""},
        {ORDER ROWS(SEEDS " < 2"), FAILS, ""},
        /* 4.9 to 5.1 */
        {VALUE("5.00") TOL ROWS(MS("five")), HOLDS, "within 10%"},
        {VALUE("4.70") TOL ROWS(MS("five")), HOLDS, ""},
        {VALUE("4.60") TOL ROWS(MS("five")), OPEN,
         "undecided, the noise spans the edge of 10%"},
        {VALUE("4.50") TOL ROWS(MS("five")), OPEN, "undecided"},
        {VALUE("4.40") TOL ROWS(MS("five")), FAILS, "higher, not within 10%"},
        /* one run decides nothing */
        {ORDER ROWS(MS("five") " < " MS("once")), OPEN, "single runs"},
        {ORDER ROWS(MS("once") " < " MS("five")), OPEN, "say no"},
        {ORDER ROWS(OURS("five", ", seed=*") " < 6"), OPEN, "single runs"},
        {VALUE("9.0") TOL ROWS(MS("once")), OPEN, "single runs of unknown noise"},
        {VALUE("1.0") TOL ROWS(MS("once")), OPEN, "9 on a card, printed 1"},
    };

    (void)unused;
    all_judged(cases, N(cases), &machine);
}

static void counters_are_cells(void **unused)
{
#define IPC(more) "counters(x/t, impl=five, " more ", ipc)"
    static const struct verdict cases[] = {
        {CLAIM("value") "printed=1.5\nunit=IPC\nhardware=*card\n" ROWS(IPC("stage=dp")), HOLDS,
         "1.5 on a card"}, /* the newest */
        {ORDER ROWS(IPC("stage=compact") " < 2"), OPEN, "2 kernels fit"},
        {ORDER ROWS(IPC("stage=compact, kernel=l") " < 2"), OPEN, "no ipc in"},
        {ORDER ROWS(IPC("stage=none") " < 2"), OPEN, "no counters of x/t here"},
        {ORDER "hardware=board\n" ROWS(IPC("stage=dp") " < 2"), SHAPE, "not board"},
    };
    static const struct refusal slips[] = {
        {ORDER ROWS(IPC("hue=dp") " < 2"), "counters have no column 'hue'"},
        {ORDER ROWS("ours(x/t, imlp=five, mean_ms) < 6"), "rows have no column 'imlp'"}};
    struct claim_judgement j;

    (void)unused;
    all_judged(cases, N(cases), &machine);
    for (size_t i = 0; i < N(slips); i++) { /* a slip in a key is no missing row */
        parse(slips[i].text);
        assert_int_equal(claims_judge(&claims, claims.claim, &machine, NULL, &j), BENCH_EINPUT);
        assert_non_null(strstr(bench_failure(), slips[i].why));
    }
    all_refused(&(struct refusal){ORDER PAPER(IPC("stage=dp") " < 2"), "printed numbers alone"},
                1);
}

/* ---- cards cut to the size of the paper's ---- */

#define GPU(size) "ours(y/t, impl=x/gpu, size=" size ", mean_ms)"
#define SMS(sms)  "hardware=*board*\nscaled=" sms ", 1000 MHz\n"
#define BOARD     SMS("8 SMs")
#define REAL      "hardware=*card*\nscaled=8 SMs, 1000 MHz\n"

static void a_card_that_is_cut_stands_for_the_board(void **unused)
{
    static const struct verdict cases[] = {
        /* 5 ms at 2000 MHz are 10 at 1000; the whole card is named, and not taken */
        {VALUE("10.0") BOARD ROWS(GPU("1")), AGREES,
         "10 on 8 of 132 SMs of a card as at 1000 MHz, printed 10: within 25%; the whole card: "
         "1"},
        {VALUE("8.2") BOARD ROWS(GPU("1")), AGREES, "within 25%"},
        {VALUE("7.5") BOARD ROWS(GPU("1")), DIFFERS, "higher, not within 25%"},
        {VALUE("14.0") BOARD ROWS(GPU("1")), DIFFERS, "lower, not within 25%"},
        {VALUE("8.0") BOARD ROWS(GPU("1")), OPEN, "undecided, the noise spans the edge of 25%"},
        /* a rate inversely */
        {CLAIM("value") "unit=fps\nprinted=100\n" BOARD ROWS(
             "ours(y/t, impl=x/gpu, size=1, fps)"),
         AGREES, "100 on 8 of 132 SMs"},
        {CLAIM("value") "unit=fps\nprinted=100\n" BOARD ROWS("1000 / " GPU("1")), AGREES,
         "100 on 8 of 132 SMs"},
        {CLAIM("bound") "unit=ms\n" BOARD ROWS(GPU("1") " < 8"), DIFFERS,
         "it does not hold on 8 of 132 SMs"},
        {CLAIM("bound") "unit=ms\n" BOARD ROWS(GPU("1") " < 12"), AGREES,
         "it holds on 8 of 132 SMs"},
        /* a ratio as it is */
        {RATIO("4.0") BOARD ROWS(GPU("2") "/" GPU("1")), AGREES,
         "4 on 8 of 132 SMs of a card, printed 4: within 25%; the whole card: 1.5"},
        {RATIO("6.0") BOARD ROWS(GPU("2") "/" GPU("1")), DIFFERS,
         "lower, not within 25%, but within a factor of 2; the whole card: 1.5"},
        {ORDER BOARD ROWS("3 < " GPU("2") " / " GPU("1")), AGREES,
         "it holds on 8 of 132 SMs of a card; the whole card: it does not"},
        {VALUE("5.0") SMS("15 SMs as 16") ROWS(GPU("1")), AGREES,
         "5 on 16 of 132 SMs of a card as at 1000 MHz"},
        /* the clock stands for the power mode */
        {VALUE("10.0") BOARD ROWS("ours(y/t, impl=x/gpu, size=1, mode_name=HIGH, mean_ms)"),
         AGREES, ""},
        /* without its rows a claim is as before */
        {VALUE("10.0") SMS("24 SMs") ROWS(GPU("1")), OPEN,
         "1 ms on a card, printed 10: no verdict on an absolute value"},
        {VALUE("10.0") BOARD ROWS(GPU("1") " + " GPU("3")), OPEN, "size=3"},
        {RATIO("1.5") TOL SMS("24 SMs") ROWS(GPU("2") "/" GPU("1")), SHAPE, "1.5 on a card"},
        /* real hardware is never scaled, nor a part of it where it has no row of the whole */
        {VALUE("1.00") TOL REAL ROWS(GPU("1")), HOLDS, "1 on a card"},
        {VALUE("10.0") TOL REAL ROWS(GPU("1")), FAILS, "1 on a card"},
        {VALUE("10.0") REAL ROWS("ours(y/none, impl=x/gpu, size=1, mean_ms)"), OPEN,
         "no row of y/none here"},
    };

    (void)unused;
    all_judged(cases, N(cases), &machine);
    parse("[t]\neach=x/m, name=ms, impl=a\nid=t[{mode_name}]\nkind=value\nhardware=*board*\n"
          "scaled=8 SMs, {mode_name: HIGH=1000, LOW=500} MHz\n"
          "measured=ours(y/t, impl=x/gpu, size=1, mode_name={mode_name}, mean_ms)\n");
    for (int i = 0; i < 2; i++) {
        assert_true(judge(i, &machine).verdict == AGREES && judge(i, &machine).scaled);
        assert_true(judge(i, &machine).value > 9.9 + 10 * i &&
                    judge(i, &machine).value < 10.1 + 10 * i);
    }
}

#define PART(source, size, more) "ours(" source ", impl=x/gpu, size=" size more ", mean_ms)"

static void a_part_and_the_whole_are_two_cells(void **unused)
{
    static const struct verdict cases[] = {
        /* there is a row of the same experiment that is newer, of 8 multiprocessors */
        {VALUE("1.00") TOL ROWS(GPU("1")), HOLDS, "1 on a card"},
        {VALUE("1.00") TOL ROWS(PART("y/t", "1", ", sms=all")), HOLDS, "1 on a card"},
        /* an old row, which says nothing, and a new one of all are of one cell: the newer counts, whatever it was taken for */
        {VALUE("1.10") TOL ROWS(GPU("4")), HOLDS, "1.1 on a card"},
        {VALUE("1.10") TOL ROWS(PART("y/*", "4", "")), HOLDS, "1.1 on a card"},
        {VALUE("1.10") TOL ROWS(PART("y/*", "4", ", sms=132")), HOLDS, "1.1 on a card"},
        {CLAIM("bound") ROWS(PART("y/*", "*", "") " < 2"), HOLDS,
         ""}, /* nor a mean with them */
        {VALUE("5.00") TOL ROWS(PART("y/t", "1", ", sms=8")), HOLDS, "5 on a card"},
        {VALUE("1.50") TOL ROWS(PART("y/t", "2", ", sms=8")), OPEN, "no row of y/t"},
        {VALUE("1.00") TOL ROWS(PART("y/t", "1", ", sms=16")), OPEN, "no row of y/t"},
    };

    (void)unused;
    all_judged(cases, N(cases), &machine);
}

static void wrong_keys_are_refused(void **unused)
{
#define SCALED(as) VALUE("1") "hardware=b\nscaled=" as "\n" ROWS(GPU("1"))
    static const struct refusal cases[] = {
        {SCALED("8"), "expected 'scaled' as"},
        {SCALED("8 SMs, 1377 MHz or so"), "expected 'scaled' as"},
        {SCALED("0 SMs, 1377 MHz"), "expected 'scaled' as"},
        {VALUE("1") "scaled=8 SMs, 1377 MHz\n" ROWS(GPU("1")),
         "is scaled and has no 'hardware'"},
        {VALUE("1") BOARD "missing=why\n", "has 'scaled' and no 'measured'"},
        {VALUE("1") BOARD ROWS("ours(y/t, impl=x/gpu, sm_count)"),
         "expected times alone in a scaled"},
        {VALUE("1") BOARD ROWS("counters(y/t, impl=x/gpu, ipc)"),
         "expected times alone in a scaled"},
        {ORDER "session=day\n" ROWS(GPU("1") " < 1"),
         "expected 'one' for session, found 'day'"},
        {ORDER "session=one\n" PAPER("1<2"), "has 'session' and no 'measured'"},
    };

    (void)unused;
    all_refused(cases, N(cases));
}

/* ---- rows of several sessions ---- */

static void read_again(const char *in)
{
    claim_machine_free(&machine);
    assert_int_equal(claim_machine_read(in, NULL, &machine), BENCH_OK);
}

static void rows_that_belong_together_are_of_one_session(void **unused)
{
    static const struct verdict two[] = {
        {ORDER ROWS(GPU("1") " < " GPU("2")), FAILS, "rows of several commits"},
        {ORDER "session=one\n" ROWS(GPU("1") " < " GPU("2")), HOLDS, "it holds on a card"},
        {ORDER "session=one\n" ROWS(GPU("2") " < " PART("y/cut", "1", ", sms=8")), OPEN,
         "no session has all of its rows"}};

    (void)unused;
    /* the newest of each cell are of two sessions; the older one has both */
    write_session(folder, LATER, CUT_HEAD "r1,x/gpu,2000,any,132,y/t,1,3,2.9,3.1,333\n");
    read_again(folder);
    all_judged(two, N(two), &machine);
    parse(two[1].text);
    assert_null(strstr(judge(0, &machine).reason, "commits"));
    /* a newer one has both, of one run each: its noise is not known */
    write_session(folder, LAST,
                  "row_id,impl,sms,experiment,n,size,mean_ms,ci_lo_ms,ci_hi_ms\n"
                  "r1,x/gpu,132,y/t,1,1,4,4,4\n"
                  "r2,x/gpu,132,y/t,1,2,2,2,2\n");
    read_again(folder);
    all_judged(&two[1], 1, &machine);
}

/* Teams of a variant: 12 in an old session whose build knew no chunk, 8 and 16 in the next, 8 once more with another chunk. */
static void the_best_team_is_of_the_newest_session(void **unused)
{
#define HEAD "row_id,experiment,impl,device,threads,chunk,mean_ms,ci_lo_ms,ci_hi_ms\n"
#define TEAMS(of, more, ms) \
    ORDER ROWS("ours(x/" of ", impl=rdp/omp-columns" more ", mean_ms) == " ms)
    static const struct verdict cases[] = {
        {TEAMS("t", ", threads=best", "3"), HOLDS, "it holds"},
        {TEAMS("t", "", "4"), HOLDS, "it holds"}, /* the largest */
        {TEAMS("t", ", threads=12", "1"), HOLDS, "it holds"},
        /* a row without a chunk has the default, 8, and no other */
        {TEAMS("t", ", threads=12, chunk=8", "1"), HOLDS, "it holds"},
        {TEAMS("t", ", threads=12, chunk=9", "1"), OPEN, "chunk=9"},
        {TEAMS("u", "", "5"), OPEN, "rows that differ in chunk"},
    };
    char in[700];

    (void)unused;
    snprintf(in, sizeof in, "%s/results/teams", base);
    write_session(
        in, FIRST,
        HEAD "r1,x/t,rdp/omp-columns,omp,12,,1,1,1\nr2,x/u,rdp/omp-columns,omp,8,,1,1,1\n");
    write_session(in, CUT,
                  HEAD "r1,x/t,rdp/omp-columns,omp,8,8,3,3,3\n"
                       "r2,x/t,rdp/omp-columns,omp,16,8,4,4,4\n"
                       "r3,x/u,rdp/omp-columns,omp,8,9,5,5,5\n");
    read_again(in);
    all_judged(cases, N(cases), &machine);
}

/* Three processes of one call, and an older row.  Their own intervals are wide, and count for nothing. */
static void processes_are_taken_together(void **unused)
{
#define RUNS "row_id,utc,impl,mean_ms,median_ms,ci_lo_ms,ci_hi_ms,run,run_group\n"
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {VALUE("11") TOL ROWS("ours(x/t, impl=a, mean_ms)"),
         35. / 3}, /* the mean of their means */
        {RATIO("5.5") ROWS("ours(x/t, impl=a, median_ms) / ours(x/t, impl=b, median_ms)"), 5.5},
        {VALUE("11") TOL ROWS("ours(x/t, impl=a, median_ms)"), 11},
    };
    struct claim_judgement j = {.value = 0};
    char in[700];

    (void)unused;
    snprintf(in, sizeof in, "%s/results/runs", base);
    write_session(in, FIRST, RUNS "r1,1,a,70,70,0.70,700,,\n");
    write_session(in, CUT, RUNS "r1,2,a,10,10,0.10,100,1,g\nr2,2,b,2,2,0.2,20,1,g\n");
    write_session(in, LATER, RUNS "r1,3,a,14,14,0.14,140,2,g\nr2,3,b,2,2,0.2,20,2,g\n");
    write_session(in, LAST, RUNS "r1,4,a,11,11,0.11,110,3,g\n");
    read_again(in);
    for (size_t i = 0; i < N(cases); i++) {
        parse(cases[i].text);
        j = judge(0, &machine);
        assert_true(j.value > cases[i].value - 1e-3 && j.value < cases[i].value + 1e-3);
    }
    assert_true(j.low > 9.999 && j.low < 10.001 && j.high > 13.999 && j.high < 14.001);
    assert_int_equal(j.verdict, OPEN); /* from 10 to 14 */
}

static void folders_without_results_have_no_rows(void **unused)
{
    (void)unused;
    read_again(paper);
    assert_int_equal(store_n_measurements(machine.store), 0);
    all_judged(&(struct verdict){ORDER ROWS(MS("a") " < 4"), OPEN, "no row of x/t here"}, 1,
               &machine);
    claim_machine_free(&machine);
    assert_int_equal(claim_machine_read("nowhere", NULL, &machine), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "expected a folder with results"));
    assert_null(machine.name);
}

/* ---- reports ---- */

static void a_page_says_all(void **unused)
{
    struct text page = {0}, csv = {0};

    (void)unused;
    parse(RATIO("4.0") TOL PAPER("5")
              ROWS("ours(x/t, impl=b, seed=*, mean_ms) / ours(x/t, impl=five, mean_ms)") TABLE
          "missing = the network is not here\n"
          "[q]\nwhere=b\nkind=value\nwords=as here\nunit=ms\nprinted=10.0\n" TOL BOARD ROWS(
              GPU("1")));
    assert_int_equal(report(&machine, "q", &page, &csv), BENCH_OK);
    assert_string_equal(
        page.data,
        "The papers' own arithmetic\n"
        "claim                                     printed     found  verdict\n"
        "r                                             4.0         5  PAPER-INCONSISTENT\n"
        "    the printed numbers give 5, with their rounding 5 to 5; the paper says 4.0\n"
        "-> 1 PAPER-INCONSISTENT\n"
        "\n"
        "made-up\n"
        "claim                                     printed     found  verdict\n"
        "r                                             4.0         4  REPRODUCED\n"
        "t: 2 cells                                                -  NOT-RUN\n"
        "    the network is not here\n"
        "q                                            10.0        10  SCALED-AGREES\n"
        "    10 on 8 of 132 SMs of a card as at 1000 MHz, printed 10: within 25%; the\n"
        "    whole card: 1\n"
        "-> 1 REPRODUCED, 1 SCALED-AGREES, 2 NOT-RUN\n"
        "\n"
        "2 cells of tables, 2 claims of 1 quoted sentences and of figures\n"
        "4 claims, 5 verdicts: 1 REPRODUCED, 1 SCALED-AGREES, 1 PAPER-INCONSISTENT, 2\n"
        "NOT-RUN; 0 unexpected.\n"
        "q: b\n"
        "  \"as here\"\n"
        "  kind value, printed 10.0 ms, hardware *board*, scaled to 8 SMs, 1000 MHz,\n"
        "      tolerance 10%\n"
        "  because so\n"
        "\n"
        "made-up\n"
        "  ours(y/t, impl=x/gpu, size=1, mean_ms)\n"
        "      = 1 (0.99 to 1.01) [rows 20260101T000000Z-0000009 r1; a card]\n"
        "  ours(y/t, impl=x/gpu, size=1, mean_ms)\n"
        "      = 1 (0.99 to 1.01) (the claim's unit)\n"
        "  scaled to 8 SMs, 1000 MHz: times x measured clock / its clock\n"
        "  ours(y/t, impl=x/gpu, size=1, mean_ms)\n"
        "      = 10 (9.9 to 10.1) [rows 20260102T000000Z-0000002 r4: 5 at 2000 MHz; 8 of\n"
        "          132 SMs of a card as at 1000 MHz]\n"
        "  ours(y/t, impl=x/gpu, size=1, mean_ms)\n"
        "      = 10 (9.9 to 10.1) (the claim's unit)\n"
        "  what does not scale: memory (8 SMs of an H200 reach some 260 GB/s, a Xavier\n"
        "      has 137), caches, FP32 lanes an SM (H200 128, Xavier 64, GTX 570 32), the\n"
        "      CPU\n"
        "SCALED-AGREES\n"
        "    10 on 8 of 132 SMs of a card as at 1000 MHz, printed 10: within 25%; the\n"
        "    whole card: 1\n");
    assert_string_equal(
        strchr(csv.data, '\n') + 1,
        "\"r\",\"here\",,\"ratio\",\"4.0\",\"x\",\"paper\",\"5\",\"PAPER-INCONSISTENT\",,\"the "
        "printed numbers give 5, with their rounding 5 to 5; the paper says "
        "4.0\",\"c\",,\"5\",\"5\",,\"so\",,,\n"
        "\"r\",\"here\",,\"ratio\",\"4.0\",\"x\",\"made-up\",\"4\",\"REPRODUCED\",,\"4 on a "
        "card, printed 4: within "
        "10%\",\"c\",,\"3.89664706\",\"4.10757143\",\"10\",\"so\",\"kernel\",,\"a card\"\n"
        "\"t[a]\",\"first\",,\"value\",\"0.32\",\"s\",\"made-up\",,\"NOT-RUN\",,\"the network "
        "is not here\",\"c\",\"t\",,,,,,,\n"
        "\"t[b]\",\"second\",,\"value\",\"8.0\",\"ms\",\"made-up\",,\"NOT-RUN\",,\"the network "
        "is not here\",\"c\",\"t\",,,,,,,\n"
        "\"q\",\"b\",\"as "
        "here\",\"value\",\"10.0\",\"ms\",\"made-up\",\"10\",\"SCALED-AGREES\",,\"10 on 8 of "
        "132 SMs of a card as at 1000 MHz, printed 10: within 25%; the whole card: "
        "1\",\"c\",,\"9.9\",\"10.1\",\"25\",\"so\",\"kernel\",\"*board*\",\"8 of 132 SMs of a "
        "card as at 1000 MHz\"\n");
    text_free(&csv);
    text_free(&page);
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
    for (size_t i = 0; i < N(cases); i++) {
        write_file(shipped, "expected.csv", cases[i].file);
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
    write_file(shipped, "expected.csv", before);
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
        TEST(rows_are_judged),
        TEST(shape_is_within_a_factor_of_2),
        TEST(faster_is_by_more_than_noise),
        TEST(counters_are_cells),
        TEST(a_card_that_is_cut_stands_for_the_board),
        TEST(a_part_and_the_whole_are_two_cells),
        TEST(wrong_keys_are_refused),
        TEST(rows_that_belong_together_are_of_one_session),
        TEST(the_best_team_is_of_the_newest_session),
        TEST(processes_are_taken_together),
        TEST(folders_without_results_have_no_rows),
        TEST(a_page_says_all),
        TEST(a_deviation_is_an_exit_status),
        TEST(expectations_are_written_and_others_kept),
        TEST(no_printed_cell_is_left_out),
        TEST(shipped_claims_are_expected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

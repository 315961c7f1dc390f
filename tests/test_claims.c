/* test_claims.c - claims: their language, files and tables of them, verdicts by printed numbers and by rows, what is said of these */
#include "harness/analysis/query.h"
#include "judge/claims.h"
#include "tests/session.h"
#include "tests/support.h"

#include <fnmatch.h>

#define N(list) (sizeof(list) / sizeof *(list))

/* A file of claims, and a pattern of what is said: why it is refused, or of each claim "ID VERDICT REASON." */
struct said {
    const char *text, *says;
};
#define HOLDS        "REPRODUCED *"
#define SHAPE        "SHAPE-ONLY *"
#define AGREES       "SCALED-AGREES *"
#define DIFFERS      "SCALED-DIFFERS *"
#define FAILS        "CONTRADICTED *"
#define INCONSISTENT "PAPER-INCONSISTENT *"
#define OPEN         "NOT-RUN *"

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

/* A session of experiment x/t on a card, where its rows do not say otherwise; the commit is called as it is. */
static void add_session(const char *in, const char *name, const char *rows)
{
    char usual[500];

    snprintf(usual, sizeof usual,
             "mean_ms= ci_lo_ms= ci_hi_ms= median_ms= fps= utc=1 commit=%s dirty=0 "
             "profile=paper cpu=core gpu=a-card sm_count=132 gpu_mhz_med=2000 experiment=x/t "
             "impl=x/gpu device=gpu mode_name= sms= lap= status=ok verdict=exact scope=kernel "
             "n=30 seed= size= threads= chunk= run= run_group=",
             name);
    write_session(in, name, usual, 1, rows);
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
    write_text(shipped, "c.ini", text);
    return claims_read(base, NULL, &claims);
}

static void say(const char *text, const char *says)
{
    struct text found = {0};
    struct claim_judgement j;
    enum bench_status status = read_text(text);
    char pattern[700];

    for (int i = 0; i < claims.n && !status; i++) {
        struct claim *const c = &claims.claim[i];

        status = claims_judge(&claims, c, c->measured ? &machine : NULL, NULL, &j);
        text_format(&found, "%s %s %s. ", c->id, claim_verdict_names[j.verdict], j.reason);
    }
    if (status)
        text_format(&found, "%s", strstr(bench_failure(), "c.ini:"));
    snprintf(pattern, sizeof pattern, "*%s*", says);
    if (fnmatch(pattern, found.data, 0) != 0)
        fail_msg("%s\nexpected: %s\nfound: %s", text, says, found.data);
    text_free(&found);
}

static void each_says(void **cases)
{
    for (const struct said *one = *cases; one->text; one++)
        say(one->text, one->says);
}

#define FIRST "20260101T000000Z-0000001"
#define WHOLE "20260101T000000Z-0000009"
#define CUT   "20260102T000000Z-0000002"
#define LATER "20260103T000000Z-0000003"
#define LAST  "20260104T000000Z-0000004"

static void read_again(const char *in)
{
    claim_machine_free(&machine);
    assert_int_equal(claim_machine_read(in, NULL, &machine), BENCH_OK);
}

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
    write_text(paper, "x.csv",
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
               "x,u,d,,ms,3,1 + 2,ms,derived,no cell\n"
               "x,m,a,HIGH,ms,10.0,10.0,ms,table,high\n"
               "x,m,a,LOW,ms,20.0,20.0,ms,table,low\n"
               "x,m,b,,ms,80.0,80.0,ms,table,\n");
    add_session(folder, FIRST,
                /* of a the newest that is right counts */
                "7 impl=a, 5 impl=a utc=2, 9 impl=a utc=3 profile=quick, "
                "1 impl=a utc=4 status=wrong verdict=wrong, "
                "19.99 impl=b seed=1, 20.01 impl=b seed=2, "
                "1 impl=c verdict=within size=1, 2 impl=c verdict=within size=2, "
                "5 impl=five ci_lo_ms=4.9 ci_hi_ms=5.1 seed=1, "
                "5.05 impl=near ci_lo_ms=4.95 ci_hi_ms=5.15, "
                "6 impl=six ci_lo_ms=5.9 ci_hi_ms=6.1, 9 impl=once n=1, "
                "5 impl=seeds n=1 seed=1, 7 impl=seeds n=1 seed=2, 9 impl=seeds n=1 seed=3, "
                "1 impl=probed profile=profile, 10 impl=ten");
    write_text(folder, FIRST ".values.csv",
               "row_id,name,index,value,unit\n"
               "r2,passes,,6,\nr2,share,0,50,%\n"
               "r9,share,1,90,%\nr9,share,2,50,%\nr9,shares,,7,\n");
    /* multiprocessors at 2000 MHz: all of them, as old rows have it and as new ones, and parts, newer */
    add_session(folder, WHOLE,
                "1 experiment=y/t size=1 ci_lo_ms=0.99 ci_hi_ms=1.01 fps=1000, "
                "1.5 experiment=y/t size=2 ci_lo_ms=1.49 ci_hi_ms=1.51 sms=132, "
                "9 experiment=y/t size=4 ci_lo_ms=8.9 ci_hi_ms=9.1");
    add_session(folder, CUT,
                "5 experiment=y/cut sms=8 size=1 ci_lo_ms=4.95 ci_hi_ms=5.05 fps=200, "
                "20 experiment=y/cut sms=8 size=2 ci_lo_ms=19.8 ci_hi_ms=20.2, "
                "2.5 experiment=y/cut sms=16 size=1 ci_lo_ms=2.45 ci_hi_ms=2.55, "
                "5 experiment=y/t sms=8 size=1 ci_lo_ms=4.95 ci_hi_ms=5.05 fps=200, "
                "1.1 experiment=y/cut sms=132 size=4 ci_lo_ms=1.09 ci_hi_ms=1.11");
    snprintf(counters, sizeof counters, "%s/ncu", folder);
    write_text(counters, "a.csv",
               "utc,commit,gpu,experiment,impl,stage,kernel,ipc\n"
               "1,c1,a-card,x/t,five,dp,k,9\n");
    write_text(counters, "b.csv",
               "utc,commit,gpu,experiment,impl,stage,kernel,ipc\n"
               "2,c1,a-card,x/t,five,dp,k,1.5\n"
               "2,c1,a-card,x/t,five,compact,k,1\n"
               "2,c1,a-card,x/t,five,compact,l,\n");
    read_again(folder);
    return 0;
}

/* ---- the language ---- */

#define R  RATIO("4.0")
#define P2 "printed(2.0, a)" /* 1.95 to 2.05 */

static const struct said numbers_are_computed[] = {
    {ORDER PAPER("all(1 + 2 * 3 == 7, (1 + 2) * 3 == 9, 8 - 4 - 2 == 2, 16 / 4 / 2 == 2,\n"
                 " -2 * -3 == 6, 2 - -3 == 5, 1.5e2 + .5 == 150.5, 1 + 1 < 3, 1 < 2 < 3,\n"
                 " 2 <= 2, 0.5 == 1 / 2, abs(-3) == 3, log2(8) == 3, round(2.6) == 3,\n"
                 " min(3, 1, 2) + max(3, 1, 2) == 4, rising(1, 2, 3), falling(3, 2, 1))"),
     HOLDS "say so."},
    {ORDER PAPER("1 < 3 < 2"), INCONSISTENT "say otherwise."},
    {ORDER PAPER("2 < 2"), INCONSISTENT},
    {ORDER PAPER("3 >= 4"), INCONSISTENT},
    {ORDER PAPER("rising(1, 1, 3)"), INCONSISTENT},
    {ORDER PAPER("all(1 < 2, 2 < 1)"), INCONSISTENT},
    /* what is missing stays missing */
    {R PAPER("max(1, 1 / (2 - 2)) + 1"), OPEN "a division by 0"},
    {R PAPER("1e300 * 1e300"), OPEN "leaves the range"},
    {R PAPER("log2(0)"), OPEN "leaves the range"},
    {0}};

/* The range of each operation, and which comparisons must hold in it, may, or cannot. */
static const struct said ranges_are_as_wide_as_they_can_be[] = {
    {VALUE("99") PAPER(P2 " + printed(3.0, a)"), INCONSISTENT "give 5, * 4.9 to 5.1;"},
    {VALUE("99") PAPER(P2 " - printed(3.0, a)"), INCONSISTENT "give -1, * -1.1 to -0.9;"},
    {VALUE("99") PAPER(P2 " * -1"), INCONSISTENT "give -2, * -2.05 to -1.95;"},
    {VALUE("99") PAPER("-" P2), INCONSISTENT "give -2, * -2.05 to -1.95;"},
    {VALUE("99") PAPER("abs(" P2 " - 2)"), INCONSISTENT "give 0, * 0 to 0.05;"},
    {VALUE("99") PAPER("min(" P2 ", 2)"), INCONSISTENT "give 2, * 1.95 to 2;"},
    {VALUE("99") PAPER("max(" P2 ", 2)"), INCONSISTENT "give 2, * 2 to 2.05;"},
    {VALUE("99") PAPER("printed(4.97, a) / printed(1.09, a)"), INCONSISTENT "4.534 to 4.585;"},
    {VALUE("99") PAPER("1 / (printed(1, a) - 1.2)"), HOLDS "give -5, with their rounding"},
    {ORDER PAPER("all(" P2 " <= 2.05, " P2 " >= 1.95, " P2 " < 2.06, " P2 " > 1.94)"),
     HOLDS "say so."},
    {ORDER PAPER(P2 " <= 2.04"), HOLDS "leaves it open."},
    {ORDER PAPER(P2 " >= 1.96"), HOLDS "leaves it open."},
    {ORDER PAPER(P2 " < 2.05"), HOLDS "leaves it open."},
    {ORDER PAPER(P2 " > 1.96"), HOLDS "leaves it open."},
    {ORDER PAPER(P2 " == 2"), HOLDS "leaves it open."},
    {ORDER PAPER(P2 " <= 1.95"), HOLDS "allows it; as they stand they say otherwise."},
    {ORDER PAPER(P2 " >= 2.05"), HOLDS "allows it"},
    {ORDER PAPER(P2 " <= 1.94"), INCONSISTENT},
    {ORDER PAPER(P2 " >= 2.06"), INCONSISTENT},
    {ORDER PAPER(P2 " < 1.95"), INCONSISTENT},
    {ORDER PAPER(P2 " > 2.06"), INCONSISTENT},
    {ORDER PAPER(P2 " == 2.06"), INCONSISTENT},
    {0}};

#define TABLE     "[t]\neach = x/u, name=ms\nid = t[{impl}]\nkind = value\n"
#define X4(term)  term "+" term "+" term "+" term
#define X12(term) X4(term) "+" X4(term) "+" X4(term)

static const struct said errors_say_where_and_what[] = {
    {R PAPER("1 +"), "c.ini:6: *found the end of the expression"},
    {R PAPER("1 2"), "expected an operator or the end, found '2'"},
    {R PAPER("(1"), "expected ')'"},
    {R PAPER("cosine(1)"), "no function 'cosine'"},
    {R PAPER("abs 1"), "expected '(' after a function's name"},
    {R PAPER("abs(1, 2)"), "at most 1 arguments"},
    {R PAPER("rising(1)"), "at least 2 arguments"},
    {R PAPER("(1 < 2) + 1"), "expected a number for '+', found a comparison"},
    {R PAPER("all(1)"), "expected a comparison for 'all', found a number"},
    {R PAPER("1 / 0.00"), "a division by 0"},
    {R ROWS("ours(rdp/fig9, impl=x"), "')' after a cell"},
    {R ROWS("ours(rdp/fig9, impl=x)"), "expected (paper/table, key=text, ..., column)"},
    {R PAPER("printed(4.6)"), "',' and the place"},
    {R PAPER("printed(x, sect. 5)"), "printed digits"},
    {R PAPER("((((((((((((((((((((((((((((((1"), "within each other"},
    {R PAPER("------------------------------1"), "within each other"},
    /* names cannot make it slow */
    {"[names]\n$a=1\n$b=$a\n$c=$b\n$d=$c\n$e=$d\n$f=$e\n$g=$f\n$h=$g\n$i=$h\n$j=$i\n$k=$j\n"
     "$l=$k\n$m=$l\n$n=$m\n$o=$n\n$p=$o\n$q=$p\n$r=$q\n$s=$r\n$t=$s\n$u=$t\n$v=$u\n$w=$v\n"
     "$x=$w\n$y=$x\n$z=$y\n$zz=$z\n",
     "within each other"},
    {"[names]\n$a=" X12("1") "\n$b=" X12("$a") "\n$c=" X12("$b") "\n$d=" X12("$c") "\n",
     "steps"},
    /* files */
    {"where = here\n", "c.ini:1: expected '?id?'"},
    {R, "neither 'paper' nor 'measured'"},
    {R "paper = 4\ncolour = red\n", "c.ini:7: no key 'colour'"},
    {R "paper = 1 < 2\n", "c.ini:6: expected a number for kind ratio"},
    {ORDER PAPER("2"), "expected a comparison"},
    {"[r]\nwhere = a\nkind = sort\npaper = 2\n", "c.ini:3: expected a kind"},
    {CLAIM("ratio") PAPER("2"), "has no 'printed'"},
    {"[r]\nkind = order\npaper = 1 < 2\n", "has no 'where'"},
    {R "paper = $x\n", "c.ini:6: expected a name from a '$x = ...' above"},
    {R "$x = 1 < 2\npaper = $x\n", "expected a number in $x"},
    {"[names]\nx = 1\n" R "paper = 4\n", "c.ini:2: expected '$name = ...'"},
    {R "paper = paper(x/t, impl=q, ms)\n", "expected one printed number"},
    {R "paper = paper(x/t, ms)\n", "found 5"},
    {R "paper = paper(../t, ms)\n", "expected one printed number"},
    {R "paper = paper(x/t, colour=a, ms)\n", "no column 'colour'"},
    {R "paper = paper(x/t, impl=d, ms)\n", "is not printed as a number"},
    {R "paper = 4\nwords = a b c d e f g h i j k l m n o p\n", "15 quoted words"},
    {R "paper = 4\ndigits = some\n", "'exact' or 'rounded'"},
    {R "paper = 4\ntol = 0.1\n", "expected 'tol' from 0% to 50%, found '0.1'"},
    {R "paper = 4\nabout = -3%\n", "expected 'about'"},
    {R "paper = 4\ntol = 5%\n", "a tolerance and no 'because'"},
    {"[r]\nwhere=a\nkind=order\npaper=1<2\ntol=5%\nbecause=b\n", "for kinds value and ratio"},
    /* tables */
    {"[t]\neach = x/u\nkind = value\npaper = 1\n", "has 'each' and no 'id'"},
    {"[t]\neach = x/u, impl\nid = t\nkind = value\npaper = 1\n", "expected 'paper/table"},
    {"[t]\neach = x/u, hue=a\nid = t\nkind = value\npaper = 1\n", "no column 'hue'"},
    {"[t]\neach = x/u, impl=q\nid = t\nkind = value\npaper = 1\n", "no printed number for"},
    {"[t]\neach = x/u, impl=d\nid = t\nkind = value\npaper = 1\n", "no printed number for"},
    {"[q]\nwhere=a\nkind=order\npaper=1<2\n[t]\neach = x/u, impl=a\nid = q\nkind = value\n"
     "paper = 1\n",
     "c.ini:6: ?q? is a claim already"},
    {"[t]\neach = x/u, name=ms\nid = t {impl}\nkind = value\npaper = 1\n", "without blanks"},
    {"[t]\neach = x/u, name=ms\nid = t{hue}\nkind = value\npaper = 1\n", "no column 'hue'"},
    {TABLE "paper = {impl: a=1}\n", "to say what 'b' becomes"},
    {TABLE "paper = {impl: a=1, b=}\n", "has no value"},
    {TABLE "missing = a\nmeasured = 1\n", "both 'measured' and 'missing'"},
    {0}};

/* ---- the papers' own numbers ---- */

#define A    "paper(x/t, impl=a, ms)"
#define B    "paper(x/t, impl=b, ms)"
#define FOUR PAPER(B "/" A)

static const struct said arithmetic_is_judged[] = {
    {RATIO("4.03") FOUR, HOLDS "with their rounding"},
    {RATIO("4.03") "digits=exact\n" FOUR, INCONSISTENT "give 4, the paper says 4.03"},
    {RATIO("4.3") FOUR, INCONSISTENT "the paper says 4.3"},
    {RATIO("4.3") "about=5%\nbecause=b\n" FOUR, HOLDS "give 4"},
    /* the last digit of 0.32 s is 10 ms, and a count is not rounded */
    {VALUE("318") PAPER("paper(x/t, impl=s, ms)"), HOLDS "315 to 325"},
    {VALUE("4.4") PAPER("paper(x/t, impl=n, cores)"), INCONSISTENT "give 4"},
    {VALUE("164") PAPER("paper(x/u, impl=a|b, ms)"), HOLDS "give 164"},
    {CLAIM("bound") "printed=3\n" PAPER(A " < $printed"), HOLDS},
    {CLAIM("bound") "digits=exact\n" PAPER(B " < 8"), INCONSISTENT},
    {RATIO("4.0") PAPER("1 / paper(x/t, impl=z, ms)"), OPEN "by 0"},
    {0}};

/* ---- tables ---- */

static const struct said a_cell_is_a_claim[] = {
    {"[names]\n$z = 1\n" TABLE "$paper = paper(x/u, impl={impl}, name=ms, ms) * $z\n"
     "paper = $paper / {impl: a=1000, b=1}\n",
     "t?a? " HOLDS " t?b? " HOLDS}, /* 0.32 s, as printed, not 320 ms, as the CSV has it */
    {TABLE ROWS("ours(x/t, impl={impl: a=five, b=six}, mean_ms)"),
     "t?a? " FAILS "5 on a-card, printed 0.32: * t?b? " FAILS "6 on a-card, printed 8: "},
    {TABLE PAPER("0.32"),
     "t?a? " HOLDS " t?b? " INCONSISTENT}, /* a wrong cell is found alone */
    {"[t]\neach = x/u, name=watts\nid = t\nkind = value\n" PAPER("31"),
     INCONSISTENT "the paper says 30"}, /* "30+" */
    {0}};

/* ---- verdicts ---- */

#define OURS(impl, more) "ours(x/t, impl=" impl more ", mean_ms)"
#define MS(impl)         OURS(impl, "")
#define SEEDS            OURS("seeds", ", seed=*")

static const struct said rows_are_judged[] = {
    {VALUE("5.2") TOL ROWS(MS("a")), HOLDS "5 on a-card, printed 5.2: within 10%"},
    {VALUE("7.0") TOL ROWS(MS("a")), FAILS "printed 7: lower, not within 10%"},
    {VALUE("5.0") TOL "hardware=*board*\n" ROWS(MS("a")),
     OPEN "no verdict on an absolute value; not board"},
    {VALUE("5.0") TOL "hardware=*CARD\n" ROWS(MS("a")), HOLDS},
    /* (19.99 + 20.01) / 2 / 5 */
    {RATIO("4.0") TOL ROWS(OURS("b", ", seed=*") "/" MS("a")), HOLDS "4 on a-card"},
    {RATIO("4.0") TOL ROWS("1.5 *" OURS("b", ", seed=2") "/" MS("a")),
     SHAPE "within a factor of 2"},
    {RATIO("4.0") TOL ROWS(MS("a") "/" OURS("b", ", seed=1")), FAILS "not within"},
    {ORDER "hardware=board\n" ROWS(MS("a") " < 6"), SHAPE "it holds on a-card; not board"},
    {CLAIM("bound") "printed=6\n" ROWS("ours(x/t, impl=a, passes) <= $printed"), HOLDS},
    /* what cannot be judged says why */
    {ORDER ROWS(MS("q") " < 1"), OPEN "no row of x/t with impl=q"},
    {ORDER ROWS(MS("c") " < 1"), OPEN "rows that differ in size"},
    {ORDER ROWS("ours(x/none, impl=a, mean_ms) < 1"), OPEN "no row of x/none here"},
    {ORDER ROWS("ours(x/t, impl=five, height=8, mean_ms) < 6"), OPEN "height=8"},
    {ORDER ROWS(MS("probed") " < 6"), OPEN "no verified row of x/t: ok"},
    {ORDER "missing=no energy\n", OPEN "no energy"},
    /* a series has no one value */
    {ORDER ROWS("ours(x/t, impl=a, share) < 1"), OPEN "no share in the rows of x/t"},
    {ORDER ROWS("ours(x/t, impl=five, share[2]) < ours(x/t, impl=five, share[1])"), HOLDS},
    {ORDER ROWS("ours(x/t, impl=five, share[3]) < 1"), OPEN "no share?3?"},
    /* a list is the mean of all of it */
    {VALUE("5.5") TOL ROWS(MS("five|six")), HOLDS "5.5 on a-card"},
    {VALUE("5.5") TOL ROWS(MS("five|six|none")), OPEN "impl=none"},
    /* where the paper's own numbers give another one, either reading may be the true one */
    {RATIO("9.0") TOL PAPER("paper(x/m, impl=b, ms) / paper(x/m, mode_name=LOW, ms)")
         ROWS(OURS("b", ", seed=*") "/" MS("a")),
     HOLDS "by the paper's own numbers 4"},
    /* other inputs are another experiment */
    {VALUE("5.0") TOL "differs=other maps\n" ROWS(MS("five")),
     OPEN "no verdict on an absolute value; other maps"},
    {RATIO("2.0") TOL "differs=other maps\n" ROWS(MS("ten") "/" MS("five")),
     SHAPE "within 10%; other maps"},
    {ORDER "differs=other maps\n" ROWS(MS("six") " < " MS("five")), FAILS "other maps"},
    /* and a bound in ms is of its hardware */
    {CLAIM("bound") "unit=ms\nhardware=*board*\n" ROWS(MS("five") " < 50"),
     OPEN "no verdict on an absolute bound; not board"},
    {CLAIM("bound") "unit=x\nhardware=*board*\n" ROWS(MS("five") " < 50"), SHAPE},
    {0}};

#define TIMES(printed, unit, ms) \
    CLAIM("ratio") TOL "printed=" printed "\nunit=" unit "\n" ROWS(MS("ten") "/ 10 * " ms)

static const struct said shape_is_within_a_factor_of_2[] = {
    {TIMES("4.0", "x", "4.3"), HOLDS},   {TIMES("4.0", "x", "5.6"), SHAPE},
    {TIMES("4.0", "x", "2.1"), SHAPE},   {TIMES("4.0", "x", "1.9"), FAILS},
    {TIMES("4.0", "x", "8.1"), FAILS},   {TIMES("4.0", "x", "0.25"), FAILS},
    {TIMES("1.50", "x", "1.20"), FAILS}, {TIMES("1.50", "x", "1.26"), SHAPE},
    {TIMES("1.30", "x", "1.10"), FAILS}, {TIMES("1.01", "x", "1.00"), HOLDS},
    {TIMES("1.50", "x", "2.5"), FAILS},  {TIMES("0.50", "x", "0.60"), SHAPE},
    {TIMES("0.50", "x", "0.90"), FAILS}, {TIMES("62", "%", "40"), SHAPE},
    {TIMES("62", "%", "30"), FAILS},     {0}};

static const struct said faster_is_by_more_than_noise[] = {
    {ORDER ROWS(MS("five") " < " MS("six")), "REPRODUCED it holds on a-card."},
    {ORDER ROWS(MS("six") " < " MS("five")), FAILS "does not hold"},
    {ORDER ROWS(MS("five") " < " MS("near")), OPEN "within the noise"},
    {ORDER ROWS("rising(" MS("five") "," MS("near") "," MS("six") ")"), OPEN "the noise"},
    {ORDER ROWS(MS("six") "/" MS("five") " > 1.25"), FAILS},
    {ORDER ROWS(MS("six") "/" MS("five") " > 1.2"), OPEN "within the noise"},
    {ORDER "digits=exact\n" ROWS(MS("five") " < " MS("near")), OPEN "noise"},
    /* seeds scatter: 7 +- 4.30 * 2 / sqrt 3 = 7 +- 4.97 */
    {ORDER ROWS(SEEDS " < 11.9"), OPEN "within the noise"},
    {ORDER ROWS(SEEDS " < 12.1"), HOLDS},
    {ORDER ROWS(SEEDS " < 2"), FAILS},
    /* 4.9 to 5.1 */
    {VALUE("4.70") TOL ROWS(MS("five")), HOLDS},
    {VALUE("4.60") TOL ROWS(MS("five")), OPEN "undecided, the noise spans the edge of 10%"},
    {VALUE("4.40") TOL ROWS(MS("five")), FAILS "higher, not within 10%"},
    /* one run decides nothing */
    {ORDER ROWS(MS("five") " < " MS("once")), OPEN "single runs"},
    {ORDER ROWS(MS("once") " < " MS("five")), OPEN "say no"},
    {ORDER ROWS(OURS("five", ", seed=*") " < 6"), OPEN "single runs"},
    {VALUE("9.0") TOL ROWS(MS("once")), OPEN "single runs of unknown noise"},
    {0}};

#define IPC(more) "counters(x/t, impl=five, " more ", ipc)"

static const struct said counters_are_cells[] = {
    {CLAIM("value") "printed=1.5\nunit=IPC\nhardware=*card\n" ROWS(IPC("stage=dp")),
     HOLDS "1.5 on a-card"}, /* the newest */
    {ORDER ROWS(IPC("stage=compact") " < 2"), OPEN "2 kernels fit"},
    {ORDER ROWS(IPC("stage=compact, kernel=l") " < 2"), OPEN "no ipc in"},
    {ORDER ROWS(IPC("stage=none") " < 2"), OPEN "no counters of x/t here"},
    {ORDER "hardware=board\n" ROWS(IPC("stage=dp") " < 2"), SHAPE "not board"},
    /* a slip in a key is no missing row */
    {ORDER ROWS(IPC("hue=dp") " < 2"), "counters have no column 'hue'"},
    {ORDER ROWS("ours(x/t, imlp=five, mean_ms) < 6"), "rows have no column 'imlp'"},
    {ORDER PAPER(IPC("stage=dp") " < 2"), "printed numbers alone"},
    {0}};

/* ---- cards cut to the size of the paper's ---- */

#define GPU(size) "ours(y/t, impl=x/gpu, size=" size ", mean_ms)"
#define SMS(sms)  "hardware=*board*\nscaled=" sms ", 1000 MHz\n"
#define BOARD     SMS("8 SMs")
#define REAL      "hardware=*card*\nscaled=8 SMs, 1000 MHz\n"

static const struct said a_card_that_is_cut_stands_for_the_board[] = {
    /* 5 ms at 2000 MHz are 10 at 1000; the whole card is named, and not taken */
    {VALUE("10.0") BOARD ROWS(GPU("1")), AGREES
     "10 on 8 of 132 SMs of a-card as at 1000 MHz, printed 10: within 25%; the whole card: "
     "1"},
    {VALUE("7.5") BOARD ROWS(GPU("1")), DIFFERS "higher, not within 25%"},
    {VALUE("14.0") BOARD ROWS(GPU("1")), DIFFERS "lower, not within 25%"},
    {VALUE("8.0") BOARD ROWS(GPU("1")), OPEN "undecided, the noise spans the edge of 25%"},
    /* a rate inversely */
    {CLAIM("value") "unit=fps\nprinted=100\n" BOARD ROWS("ours(y/t, impl=x/gpu, size=1, fps)"),
     AGREES "100 on 8 of 132 SMs"},
    {CLAIM("bound") "unit=ms\n" BOARD ROWS(GPU("1") " < 8"),
     DIFFERS "it does not hold on 8 of 132 SMs"},
    {CLAIM("bound") "unit=ms\n" BOARD ROWS(GPU("1") " < 12"),
     AGREES "it holds on 8 of 132 SMs"},
    /* a ratio as it is */
    {RATIO("4.0") BOARD ROWS(GPU("2") "/" GPU("1")),
     AGREES "4 on 8 of 132 SMs of a-card, printed 4: within 25%; the whole card: 1.5"},
    {RATIO("6.0") BOARD ROWS(GPU("2") "/" GPU("1")),
     DIFFERS "lower, not within 25%, but within a factor of 2; the whole card: 1.5"},
    {ORDER BOARD ROWS("3 < " GPU("2") " / " GPU("1")),
     AGREES "it holds on 8 of 132 SMs of a-card; the whole card: it does not"},
    {VALUE("5.0") SMS("15 SMs as 16") ROWS(GPU("1")),
     AGREES "5 on 16 of 132 SMs of a-card as at 1000 MHz"},
    /* the clock stands for the power mode */
    {VALUE("10.0") BOARD ROWS("ours(y/t, impl=x/gpu, size=1, mode_name=HIGH, mean_ms)"),
     AGREES},
    /* without its rows a claim is as before */
    {VALUE("10.0") SMS("24 SMs") ROWS(GPU("1")),
     OPEN "1 ms on a-card, printed 10: no verdict on an absolute value"},
    {VALUE("10.0") BOARD ROWS(GPU("1") " + " GPU("3")), OPEN "size=3"},
    {RATIO("1.5") TOL SMS("24 SMs") ROWS(GPU("2") "/" GPU("1")), SHAPE "1.5 on a-card"},
    /* real hardware is never scaled, nor a part of it where it has no row of the whole */
    {VALUE("1.00") TOL REAL ROWS(GPU("1")), HOLDS "1 on a-card"},
    {VALUE("10.0") TOL REAL ROWS(GPU("1")), FAILS "1 on a-card"},
    {VALUE("10.0") REAL ROWS("ours(y/none, impl=x/gpu, size=1, mean_ms)"),
     OPEN "no row of y/none here"},
    {"[t]\neach=x/m, name=ms, impl=a\nid=t{mode_name}\nkind=value\nhardware=*board*\n"
     "scaled=8 SMs, {mode_name: HIGH=1000, LOW=500} MHz\n" ROWS(
         "ours(y/t, impl=x/gpu, size=1, mode_name={mode_name}, mean_ms)"),
     "tHIGH " AGREES "10 on 8 of * tLOW " AGREES "20 on 8 of "},
    {0}};

#define PART(source, size, more) "ours(" source ", impl=x/gpu, size=" size more ", mean_ms)"

static const struct said a_part_and_the_whole_are_two_cells[] = {
    /* there is a row of the same experiment that is newer, of 8 multiprocessors */
    {VALUE("1.00") TOL ROWS(GPU("1")), HOLDS "1 on a-card"},
    {VALUE("1.00") TOL ROWS(PART("y/t", "1", ", sms=all")), HOLDS "1 on a-card"},
    /* an old row, which says nothing, and a new one of all are of one cell: the newer counts, whatever it was taken for */
    {VALUE("1.10") TOL ROWS(GPU("4")), HOLDS "1.1 on a-card"},
    {VALUE("1.10") TOL ROWS(PART("y/*", "4", "")), HOLDS "1.1 on a-card"},
    {VALUE("1.10") TOL ROWS(PART("y/*", "4", ", sms=132")), HOLDS "1.1 on a-card"},
    {CLAIM("bound") ROWS(PART("y/*", "*", "") " < 2"), HOLDS}, /* nor a mean with them */
    {VALUE("5.00") TOL ROWS(PART("y/t", "1", ", sms=8")), HOLDS "5 on a-card"},
    {VALUE("1.50") TOL ROWS(PART("y/t", "2", ", sms=8")), OPEN "no row of y/t"},
    {VALUE("1.00") TOL ROWS(PART("y/t", "1", ", sms=16")), OPEN "no row of y/t"},
    {0}};

#define SCALED(as) VALUE("1") "hardware=b\nscaled=" as "\n" ROWS(GPU("1"))

static const struct said wrong_keys_are_refused[] = {
    {SCALED("8"), "expected 'scaled' as"},
    {SCALED("8 SMs, 1377 MHz or so"), "expected 'scaled' as"},
    {VALUE("1") "scaled=8 SMs, 1377 MHz\n" ROWS(GPU("1")), "is scaled and has no 'hardware'"},
    {VALUE("1") BOARD "missing=why\n", "has 'scaled' and no 'measured'"},
    {VALUE("1") BOARD ROWS("ours(y/t, impl=x/gpu, sm_count)"),
     "expected times alone in a scaled"},
    {ORDER "session=day\n" ROWS(GPU("1") " < 1"), "expected 'one' for session, found 'day'"},
    {ORDER "session=one\n" PAPER("1<2"), "has 'session' and no 'measured'"},
    {0}};

/* ---- rows of several sessions ---- */

static void rows_that_belong_together_are_of_one_session(void **unused)
{
    static const char one[] = ORDER "session=one\n" ROWS(GPU("1") " < " GPU("2"));

    (void)unused;
    /* the newest of each cell are of two sessions; the older one has both */
    add_session(folder, LATER, "3 experiment=y/t sms=132 size=1 ci_lo_ms=2.9 ci_hi_ms=3.1");
    read_again(folder);
    say(ORDER ROWS(GPU("1") " < " GPU("2")), FAILS "rows of several commits");
    say(one, "REPRODUCED it holds on a-card.");
    say(ORDER "session=one\n" ROWS(GPU("2") " < " PART("y/cut", "1", ", sms=8")),
        OPEN "no session has all of its rows");
    /* a newer one has both, of one run each: its noise is not known */
    add_session(folder, LAST,
                "4 experiment=y/t sms=132 n=1 size=1, 2 experiment=y/t sms=132 n=1 size=2");
    read_again(folder);
    say(one, HOLDS);
}

/* Teams of a variant: 12 in an old session whose build knew no chunk, 8 and 16 in the next, 8 once more with another chunk. */
static void the_best_team_is_of_the_newest_session(void **unused)
{
#define TEAM "impl=rdp/omp-columns device=omp threads="
#define TEAMS(of, more, ms) \
    ORDER ROWS("ours(x/" of ", impl=rdp/omp-columns" more ", mean_ms) == " ms)

    (void)unused;
    add_session(paper, FIRST, "1 " TEAM "12, 1 experiment=x/u " TEAM "8");
    add_session(paper, CUT,
                "3 chunk=8 " TEAM "8, 4 chunk=8 " TEAM "16, 5 experiment=x/u chunk=9 " TEAM
                "8");
    read_again(paper);
    say(TEAMS("t", ", threads=best", "3"), HOLDS);
    say(TEAMS("t", "", "4"), HOLDS); /* the largest */
    say(TEAMS("t", ", threads=12", "1"), HOLDS);
    /* a row without a chunk has the default, 8, and no other */
    say(TEAMS("t", ", threads=12, chunk=8", "1"), HOLDS);
    say(TEAMS("t", ", threads=12, chunk=9", "1"), OPEN "chunk=9");
    say(TEAMS("u", "", "5"), OPEN "rows that differ in chunk");
}

/* Three processes of one call, and an older row.  Their own intervals are wide, and count for nothing. */
static void processes_are_taken_together(void **unused)
{
#define MEDIAN(of) "ours(x/t, impl=" of ", median_ms)"
    (void)unused;
    add_session(paper, FIRST, "70 impl=a median_ms=70 ci_lo_ms=0.7 ci_hi_ms=700");
    add_session(paper, CUT,
                "10 impl=a median_ms=10 utc=2 ci_lo_ms=0.1 ci_hi_ms=100 run=1 run_group=g, "
                "2 impl=b median_ms=2 utc=2 ci_lo_ms=0.2 ci_hi_ms=20 run=1 run_group=g");
    add_session(paper, LATER,
                "14 impl=a median_ms=14 utc=3 ci_lo_ms=0.1 ci_hi_ms=140 run=2 run_group=g, "
                "2 impl=b median_ms=2 utc=3 ci_lo_ms=0.2 ci_hi_ms=20 run=2 run_group=g");
    add_session(paper, LAST,
                "11 impl=a median_ms=11 utc=4 ci_lo_ms=0.1 ci_hi_ms=110 run=3 run_group=g");
    read_again(paper);
    say(VALUE("11") TOL ROWS(MS("a")), "11.67 on a-card"); /* the mean of their means */
    say(RATIO("5.5") ROWS(MEDIAN("a") "/" MEDIAN("b")), "5.5 on a-card");
    say(VALUE("11") TOL ROWS(MEDIAN("a")), OPEN "11 on a-card"); /* from 10 to 14 */
    say(ORDER ROWS("9.99 < " MEDIAN("a") " < 14.01"), HOLDS);
    say(ORDER ROWS("10.01 < " MEDIAN("a")), OPEN "within the noise");
    say(ORDER ROWS(MEDIAN("a") " < 13.99"), OPEN "within the noise");
}

static void folders_without_results_have_no_rows(void **unused)
{
    (void)unused;
    read_again(paper);
    assert_int_equal(store_n_measurements(machine.store), 0);
    say(ORDER ROWS(MS("a") " < 4"), OPEN "no row of x/t here");
    claim_machine_free(&machine);
    assert_int_equal(claim_machine_read("nowhere", NULL, &machine), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "expected a folder with results"));
    assert_null(machine.name);
}

/* ---- reports ---- */

/* What claims_report(), 'csv' not NULL, and claims_explain(), 'id' not NULL, write of a text; the caller frees it. */
static enum bench_status report(const char *text, struct claim_machine *by, const char *id,
                                char **page, struct text *csv)
{
    size_t size;
    FILE *const out = open_memstream(page, &size);
    enum bench_status status;

    assert_int_equal(text ? read_text(text) : claims_read(".", NULL, &claims), BENCH_OK);
    status = claims_report(&claims, by, by != NULL, out, csv);
    if (id)
        assert_int_equal(claims_explain(&claims, id, by, 1, out), BENCH_OK);
    fclose(out);
    return status;
}

static void a_page_says_all(void **unused)
{
    static const char text[] =
        RATIO("4.0") TOL PAPER("5") ROWS(OURS("b", ", seed=*") " / " MS("five")) TABLE
        "missing = the network is not here\n"
        "[q]\nwhere=b\nkind=value\nwords=as here\nunit=ms\nprinted=10.0\n" TOL BOARD ROWS(
            GPU("1"));
    struct text csv = {0};
    char *page;

    (void)unused;
    assert_int_equal(report(text, &machine, "q", &page, &csv), BENCH_OK);
    assert_string_equal(
        page,
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
        "    10 on 8 of 132 SMs of a-card as at 1000 MHz, printed 10: within 25%; the\n"
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
        "      = 1 (0.99 to 1.01) [rows 20260101T000000Z-0000009 r1; a-card]\n"
        "  ours(y/t, impl=x/gpu, size=1, mean_ms)\n"
        "      = 1 (0.99 to 1.01) (the claim's unit)\n"
        "  scaled to 8 SMs, 1000 MHz: times x measured clock / its clock\n"
        "  ours(y/t, impl=x/gpu, size=1, mean_ms)\n"
        "      = 10 (9.9 to 10.1) [rows 20260102T000000Z-0000002 r4: 5 at 2000 MHz; 8 of\n"
        "          132 SMs of a-card as at 1000 MHz]\n"
        "  ours(y/t, impl=x/gpu, size=1, mean_ms)\n"
        "      = 10 (9.9 to 10.1) (the claim's unit)\n"
        "  what does not scale: memory (8 SMs of an H200 reach some 260 GB/s, a Xavier\n"
        "      has 137), caches, FP32 lanes an SM (H200 128, Xavier 64, GTX 570 32), the\n"
        "      CPU\n"
        "SCALED-AGREES\n"
        "    10 on 8 of 132 SMs of a-card as at 1000 MHz, printed 10: within 25%; the\n"
        "    whole card: 1\n");
    for (char *c = csv.data; (c = strchr(c, '"')) != NULL;)
        *c = '\'';
    assert_string_equal(
        strchr(csv.data, '\n') + 1,
        "'r','here',,'ratio','4.0','x','paper','5','PAPER-INCONSISTENT',,'the printed numbers "
        "give 5, with their rounding 5 to 5; the paper says 4.0','c',,'5','5',,'so',,,\n"
        "'r','here',,'ratio','4.0','x','made-up','4','REPRODUCED',,'4 on a-card, printed 4: "
        "within 10%','c',,'3.89664706','4.10757143','10','so','kernel',,'a-card'\n"
        "'t[a]','first',,'value','0.32','s','made-up',,'NOT-RUN',,'the network is not "
        "here','c','t',,,,,,,\n"
        "'t[b]','second',,'value','8.0','ms','made-up',,'NOT-RUN',,'the network is not "
        "here','c','t',,,,,,,\n"
        "'q','b','as here','value','10.0','ms','made-up','10','SCALED-AGREES',,'10 on 8 of 132 "
        "SMs of a-card as at 1000 MHz, printed 10: within 25%; the whole card: "
        "1','c',,'9.9','10.1','25','so','kernel','*board*','8 of 132 SMs of a-card as at 1000 "
        "MHz'\n");
    text_free(&csv);
    free(page);
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

    (void)unused;
    for (size_t i = 0; i < N(cases); i++) {
        char *page;

        write_text(shipped, "expected.csv", cases[i].file);
        assert_int_equal(report(TWO, &machine, NULL, &page, NULL), cases[i].status);
        assert_non_null(
            strstr(cases[i].status == BENCH_EINPUT ? bench_failure() : page, cases[i].says));
        free(page);
    }
}

static void expectations_are_written_and_others_kept(void **unused)
{
    int n_changed = -1;

    (void)unused;
    write_text(shipped, "expected.csv", "claim,elsewhere\nm,NOT-RUN\ngone,NOT-RUN\n");
    for (int again = 0; again < 2; again++) {
        assert_int_equal(read_text(TWO), BENCH_OK);
        assert_int_equal(claims_write_expected(&claims, &machine, 1, committed, &n_changed),
                         BENCH_OK);
        assert_int_equal(n_changed, again ? 0 : 2);
        assert_file(committed, "\"claim\",\"paper\",\"elsewhere\",\"made-up\"\n"
                               "\"p\",\"REPRODUCED\",,\n"
                               "\"m\",,\"NOT-RUN\",\"REPRODUCED\"\n");
    }
}

/* Each printed cell is one claim; test_cli.sh looks at the verdicts. */
static void no_printed_cell_is_left_out(void **unused)
{
    struct table t;
    char *page;

    (void)unused;
    assert_int_equal(report(NULL, NULL, NULL, &page, NULL), BENCH_OK);
    assert_non_null(
        strstr(page, "430 cells of tables, 271 claims of 122 quoted sentences and of figures"));
    free(page);
    assert_int_equal(
        query_table(claims.store,
                    "SELECT count(c.id) || ' claims of ' || p.place FROM printed AS p LEFT "
                    "JOIN claim AS c ON c.place = p.place AND c.\"table\" IS NOT NULL WHERE "
                    "figure GLOB 'table*' OR figure = 'fig9' AND p.paper = 'stx' "
                    "GROUP BY p.rowid HAVING count(c.id) <> 1",
                    &t),
        BENCH_OK);
    if (t.n_rows > 0)
        fail_msg("%s", t.cell->text);
    table_free(&t);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
#define CASES(of)  #of, each_says, begin, end, (void *)(uintptr_t)(of)
    const struct CMUnitTest tests[] = {
        {CASES(numbers_are_computed)},
        {CASES(ranges_are_as_wide_as_they_can_be)},
        {CASES(errors_say_where_and_what)},
        {CASES(arithmetic_is_judged)},
        {CASES(a_cell_is_a_claim)},
        {CASES(rows_are_judged)},
        {CASES(shape_is_within_a_factor_of_2)},
        {CASES(faster_is_by_more_than_noise)},
        {CASES(counters_are_cells)},
        {CASES(a_card_that_is_cut_stands_for_the_board)},
        {CASES(a_part_and_the_whole_are_two_cells)},
        {CASES(wrong_keys_are_refused)},
        TEST(rows_that_belong_together_are_of_one_session),
        TEST(the_best_team_is_of_the_newest_session),
        TEST(processes_are_taken_together),
        TEST(folders_without_results_have_no_rows),
        TEST(a_page_says_all),
        TEST(a_deviation_is_an_exit_status),
        TEST(expectations_are_written_and_others_kept),
        TEST(no_printed_cell_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

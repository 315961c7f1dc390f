/* test_claims.c - claims: their language, files, verdicts by printed numbers and by rows */
#include "harness/analysis/query.h"
#include "harness/analysis/claims.h"
#include "tests/session.h"
#include "tests/support.h"

#include <fnmatch.h>

#define N(list) (sizeof(list) / sizeof *(list))

static char base[500], paper[600], board[600], folder[600], shipped[600], results[600],
    committed[700];
static struct claims claims;
static struct claim_machine machine;

/* A session of experiment x/t on a card, where its rows do not say otherwise; the commit is
 * called as it is. */
static void add_session(const char *in, const char *name, const char *rows)
{
    char usual[500];

    snprintf(
        usual, sizeof usual,
        "mean_ms= ci_lo_ms= ci_hi_ms= median_ms= fps= utc=1 commit=%s dirty=0 "
        "protocol=paper cpu=core gpu=a-card sm_count=132 gpu_mhz_med=2000 experiment=x/t "
        "impl=x/gpu device=gpu mode_name= sms= stage= status=ok verdict=exact scope=kernel "
        "n=30 seed= size= threads= chunk= run= run_group=",
        name);
    write_session(in, name, usual, 1, rows);
}

static int end(void **unused)
{
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

/* ---- cases ---- */

/* Why a text is refused, or of each of its claims "ID VERDICT REASON." */
static void expect(const char *text, const char *expected)
{
    struct text found = {0};
    struct claim_judgement j = {.verdict = CLAIM_NOT_RUN}; /* where it is refused */
    enum bench_status status = read_text(text);
    char pattern[700];

    for (int i = 0; i < claims.n && !status; i++) {
        struct claim *const c = &claims.claim[i];

        status = claims_judge(&claims, c, c->measured ? &machine : NULL, NULL, &j);
        text_format(&found, "%s %s %s. ", c->id, claim_verdict_names[j.verdict], j.reason);
    }
    if (status)
        text_format(&found, "%s", strstr(bench_failure(), "c.ini:"));
    snprintf(pattern, sizeof pattern, "*%s*", expected);
    if (fnmatch(pattern, found.data, 0) != 0)
        fail_msg("%s\nexpected: %s\nfound: %s", text, expected, found.data);
    text_free(&found);
}

/* A case as a file; claims.cases says how. */
static void say(const char *line, const char *expected)
{
    const bool is_value = !strncmp(line, "value", 5), is_ratio = !strncmp(line, "ratio", 5);
    const bool is_bare =
        is_value || is_ratio || !strncmp(line, "order", 5) || !strncmp(line, "bound", 5);
    struct text text = {0};

    text_add(&text, is_bare ? "[r]\nwhere=here\nkind=" : "");
    for (const char *end; *line; line = *end ? end + 2 : end) {
        end = strstr(line, "; ");
        end = end ? end : line + strlen(line);
        text_format(&text, "%.*s\n", (int)(end - line), line);
    }
    if ((is_value || is_ratio) && !strstr(text.data, "\nunit="))
        text_add(&text, is_value ? "unit=ms\n" : "unit=x\n");
    if (is_bare && (strstr(text.data, "\ntol=") || strstr(text.data, "\nabout=")))
        text_add(&text, "because=so\n");
    expect(text.data, expected);
    text_free(&text);
}

static void all_cases(const char *section)
{
    each_case("tests/claims.cases", section, say);
}

static void cases(void **section)
{
    all_cases(*section);
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

    snprintf(base, sizeof base, "%s/claims", support_place());
    snprintf(paper, sizeof paper, "%s/results/paper", base);
    snprintf(board, sizeof board, "%s/results/board", base);
    snprintf(shipped, sizeof shipped, "%s/experiments/claims", base);
    snprintf(results, sizeof results, "%s/results", base);
    snprintf(folder, sizeof folder, "%s/results/made-up", base);
    snprintf(committed, sizeof committed, "%s/results/expected.csv", base);
    support_remove(base);
    write_text(paper, "x.csv",
               "paper,figure,impl,mode_name,name,value,printed,unit,read,place\n"
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
                "7 impl=a, 5 impl=a utc=2, 9 impl=a utc=3 protocol=quick, "
                "1 impl=a utc=4 status=wrong verdict=wrong, "
                "19.99 impl=b seed=1, 20.01 impl=b seed=2, "
                "1 impl=c verdict=within size=1, 2 impl=c verdict=within size=2, "
                "5 impl=five ci_lo_ms=4.9 ci_hi_ms=5.1 seed=1, "
                "5.05 impl=near ci_lo_ms=4.95 ci_hi_ms=5.15, "
                "6 impl=six ci_lo_ms=5.9 ci_hi_ms=6.1, 9 impl=once n=1, "
                "5 impl=seeds n=1 seed=1, 7 impl=seeds n=1 seed=2, 9 impl=seeds n=1 seed=3, "
                "1 impl=probed protocol=profiler, 10 impl=ten, 1 impl=peer verdict=other");
    write_text(folder, FIRST ".values.csv",
               "row_id,name,index,value,unit\n"
               "r2,passes,,6,\nr2,share,0,50,%\n"
               "r9,share,1,90,%\nr9,share,2,50,%\nr9,shares,,7,\n");
    /* multiprocessors at 2000 MHz: all, as old rows and as new ones have it; parts, newer */
    add_session(folder, WHOLE,
                "1 experiment=y/t size=1 ci_lo_ms=0.99 ci_hi_ms=1.01 fps=1000, "
                "1.5 experiment=y/t size=2 ci_lo_ms=1.49 ci_hi_ms=1.51 sms=132, "
                "9 experiment=y/t size=4 ci_lo_ms=8.9 ci_hi_ms=9.1");
    add_session(folder, CUT,
                "5 experiment=y/cut sms=8 size=1 ci_lo_ms=4.95 ci_hi_ms=5.05 fps=200, "
                "20 experiment=y/cut sms=8 size=2 ci_lo_ms=19.8 ci_hi_ms=20.2, "
                "2.5 experiment=y/cut sms=16 size=1 ci_lo_ms=2.45 ci_hi_ms=2.55, "
                "5 experiment=y/t sms=8 size=1 ci_lo_ms=4.95 ci_hi_ms=5.05 fps=200, "
                "1.1 experiment=y/cut sms=132 size=4 ci_lo_ms=1.09 ci_hi_ms=1.11, "
                "1 experiment=y/cut sms=8 size=1 stage=dp gpu_mhz_med=");
    snprintf(counters, sizeof counters, "%s/ncu", folder);
    write_text(counters, "a.csv",
               "utc,commit,gpu,experiment,impl,stage,kernel,ipc,params\n"
               "2,c1,a-card,x/t,five,dp,k,1.5,\n1,c1,a-card,x/t,five,dp,k,9,\n"
               "2,c1,a-card,x/t,five,compact,k,1,\n2,c1,a-card,x/t,five,compact,l,,\n"
               "2,c1,a-card,x/t,six,,k,3,threads=2\n");
    read_again(folder);
    return 0;
}

/* ---- rows of several sessions ---- */

static void rows_that_belong_together_are_of_one_session(void **unused)
{
    /* the newest of each cell are of two sessions; the older one has both */
    add_session(folder, LATER, "3 experiment=y/t sms=132 size=1 ci_lo_ms=2.9 ci_hi_ms=3.1");
    read_again(folder);
    all_cases("rows of two sessions");
    /* a newer one has both, of one run each: its noise is not known */
    add_session(folder, LAST,
                "4 experiment=y/t sms=132 n=1 size=1, 2 experiment=y/t sms=132 n=1 size=2");
    read_again(folder);
    all_cases("rows of a session of single runs");
}

/* Teams of a variant: 12 in an old session whose build knew no chunk, 8 and 16 in the next, 8
 * once more with another chunk. */
static void the_best_team_is_of_the_newest_session(void **unused)
{
#define TEAM "impl=rdp/omp-columns device=omp threads="
    add_session(board, FIRST, "1 " TEAM "12, 1 experiment=x/u " TEAM "8");
    add_session(board, CUT,
                "3 chunk=8 " TEAM "8, 4 chunk=8 " TEAM "16, 5 experiment=x/u chunk=9 " TEAM
                "8");
    read_again(board);
    all_cases("teams");
}

/* Three processes of one call, whose own intervals are wide and do not count; an older row. */
static void processes_are_taken_together(void **unused)
{
    add_session(board, FIRST, "70 impl=a median_ms=70 ci_lo_ms=0.7 ci_hi_ms=700");
    add_session(board, CUT,
                "10 impl=a median_ms=10 utc=2 ci_lo_ms=0.1 ci_hi_ms=100 run=1 run_group=g, "
                "2 impl=b median_ms=2 utc=2 ci_lo_ms=0.2 ci_hi_ms=20 run=1 run_group=g");
    add_session(board, LATER,
                "14 impl=a median_ms=14 utc=3 ci_lo_ms=0.1 ci_hi_ms=140 run=2 run_group=g, "
                "2 impl=b median_ms=2 utc=3 ci_lo_ms=0.2 ci_hi_ms=20 run=2 run_group=g");
    add_session(board, LAST,
                "11 impl=a median_ms=11 utc=4 ci_lo_ms=0.1 ci_hi_ms=110 run=3 run_group=g");
    read_again(board);
    all_cases("processes");
}

/* ---- reports ---- */

/* What claims_report(), 'csv' not NULL, and claims_explain(), 'id' not NULL, write of a text;
 * the caller frees it. */
static enum bench_status report_as(struct claims_page *as, const char *text,
                                   struct claim_machine *by, const char *id, char **page,
                                   struct text *csv)
{
    size_t size;
    FILE *const out = as->out = open_memstream(page, &size);
    enum bench_status status;

    assert_int_equal(text ? read_text(text) : claims_read(".", NULL, &claims), BENCH_OK);
    status = claims_report(&claims, by, by != NULL, as, csv);
    if (id)
        assert_int_equal(claims_explain(&claims, id, by, 1, as), BENCH_OK);
    fclose(out);
    return status;
}

static enum bench_status report(const char *text, struct claim_machine *by, const char *id,
                                char **page, struct text *csv)
{
    return report_as(&(struct claims_page){NULL, 80, false}, text, by, id, page, csv);
}

static void a_page_says_all(void **unused)
{
    static const char text[] =
        "[r]\nwhere=here\nkind=ratio\nunit=x\nprinted=4.0\ntol=10%\nbecause=so\npaper=5\n"
        "measured=ours(x/t, impl=b, seed=*, mean_ms) / ours(x/t, impl=five, mean_ms)\n"
        "[t]\neach=x/u, name=ms\nid=t[{impl}]\nkind=value\nmissing=no data: the network is not "
        "here\n"
        "[q]\nwhere=b\nkind=value\nwords=as here\nunit=ms\nprinted=10.0\ntol=10%\nbecause=so\n"
        "hardware=*board*\nscaled=8 SMs, 1000 MHz\nmeasured=ours(y/t, impl=x/gpu, size=1, "
        "mean_ms)\n";
    struct text csv = {0};
    char *page;

    assert_int_equal(report(text, &machine, "q", &page, &csv), BENCH_OK);
    assert_string_equal(
        page,
        "==== made-up ====\n"
        "\n"
        "SCALED-AGREES: a GPU cut to the size of the paper's agrees within a quarter (1)\n"
        "  \"as here\"\n"
        "    b: 10 on 8 of 132 SMs of a-card as at 1000 MHz, printed 10: within 25%; the\n"
        "      whole card: 1\n"
        "    q\n"
        "\n"
        "REPRODUCED (1)\n"
        "  r: 4, printed 4.0 x\n"
        "\n"
        "NOT-RUN: no verdict, for want of data (2)\n"
        "  t: 2 cells: the network is not here\n"
        "\n"
        "In all\n"
        "  times and counters, 3 verdicts: 1 reproduced, 2 without one (2 no data)\n"
        "  on a cut GPU, 1 verdict: 1 agree\n"
        "\n"
        "==== The papers' own arithmetic ====\n"
        "\n"
        "PAPER-INCONSISTENT: the paper's own numbers do not agree (1)\n"
        "  here: the printed numbers give 5, with their rounding 5 to 5; the paper says\n"
        "    4.0\n"
        "    r\n"
        "\n"
        "In all\n"
        "  the papers' own arithmetic, 1 verdict: 1 inconsistent\n"
        "\n"
        "4 claims, 5 verdicts, 0 unexpected. 0 claims are settings and sizes, 0 of them\n"
        "checked. Of the other 4, 2 have a verdict and 2 none: 2 no data.\n"
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
        "give 5, with their rounding 5 to 5; the paper says "
        "4.0','c',,'5','5',,'so',,,,'arithmetic',\n"
        "'r','here',,'ratio','4.0','x','made-up','4','REPRODUCED',,'4 on a-card, printed 4: "
        "within 10%','c',,'3.89665451','4.10756367','10','so','kernel',,'a-card','measured',\n"
        "'t[a]','first',,'value','0.32','s','made-up',,'NOT-RUN',,'the network is not "
        "here','c','t',,,,,,,,'measured','no data'\n"
        "'t[b]','second',,'value','8.0','ms','made-up',,'NOT-RUN',,'the network is not "
        "here','c','t',,,,,,,,'measured','no data'\n"
        "'q','b','as here','value','10.0','ms','made-up','10','SCALED-AGREES',,'10 on 8 of 132 "
        "SMs of a-card as at 1000 MHz, printed 10: within 25%; the whole card: "
        "1','c',,'9.9','10.1','25','so','kernel','*board*','8 of 132 SMs of a-card as at 1000 "
        "MHz','scaled',\n");
    text_free(&csv);
    free(page);
}

static void a_page_is_as_wide_and_as_colourful_as_asked(void **unused)
{
    char *page;

    assert_int_equal(report_as(&(struct claims_page){NULL, 40, true},
                               "[p]\nwhere=a\nkind=order\npaper=2<1\n", NULL, NULL, &page,
                               NULL),
                     BENCH_OK);
    assert_string_equal(
        page, "\033[1m==== The papers' own arithmetic ====\n\033[0m"
              "\033[35m\nPAPER-INCONSISTENT: the paper's own\nnumbers do not "
              "agree (1)\n\033[0m"
              "  a: the printed numbers say otherwise:\n    2 > 1\n    p\n"
              "\033[1m\nIn all\n\033[0m"
              "  the papers' own arithmetic, 1 verdict:\n    1 inconsistent\n\n"
              "\033[1m1 claims, 1 verdicts, 0 unexpected. 0\nclaims are settings "
              "and sizes, 0 of them\nchecked. Of the other 1, all have a\nverdict.\n\033[0m");
    free(page);
}

/* ---- totals ---- */

/* A line a claim: "ID CLASS VERDICT WHY". */
static void a_verdict_has_a_class_and_a_reason(void **unused)
{
    static const char text[] =
        "[time]\nwhere=a\nkind=order\npaper=1<2\nmeasured=ours(x/t, impl=a, mean_ms) < 6\n"
        "[count]\nwhere=a\nkind=order\nmeasured=ours(x/t, impl=a, passes) < 7\n"
        "[both]\nwhere=a\nkind=order\n$n=ours(x/t, impl=a, passes)\nmeasured=$n < 7\n"
        "[fact]\nwhere=a\nclass=settings\nkind=order\npaper=1<2\n"
        "measured=ours(x/t, impl=a, sm_count) == 132\n"
        "[events]\nwhere=a\nkind=order\nmeasured=counters(x/t, impl=five, stage=dp, ipc) < 2\n"
        "[cut]\nwhere=a\nunit=ms\nprinted=10.0\nhardware=*board*\nscaled=8 SMs, 1000 MHz\n"
        "measured=ours(y/t, impl=x/gpu, size=1, mean_ms)\n"
        /* why not */
        "[noise]\nwhere=a\nkind=order\nmeasured=ours(x/t, impl=once, mean_ms) < 1\n"
        "[board]\nwhere=a\nunit=ms\nprinted=5\nhardware=*board*\n"
        "measured=ours(x/t, impl=a, mean_ms)\n"
        "[maps]\nwhere=a\nunit=ms\nprinted=5\ndiffers=other maps\n"
        "measured=ours(x/t, impl=a, mean_ms)\n"
        "[row]\nwhere=a\nkind=order\nmeasured=ours(x/t, impl=q, mean_ms) < 1\n"
        "[vain]\nwhere=a\nunit=ms\nprinted=5\nhardware=*board*\n"
        "measured=ours(x/t, impl=q, mean_ms)\n"
        "[mode]\nwhere=a\nkind=order\nhardware=*board*\n"
        "measured=ours(x/t, impl=a, mode_name=LOW, mean_ms) < 1\n"
        "[wrong]\nwhere=a\nkind=order\nmeasured=ours(x/t, impl=probed, mean_ms) < 1\n"
        "[peer]\nwhere=a\nkind=order\nmeasured=ours(x/t, impl=peer, mean_ms) < 2\n"
        "[files]\nwhere=a\nkind=order\nmeasured=ours(x/t, impl=a, input=lost, mean_ms) < 1\n"
        "[never]\nwhere=a\nkind=order\nclass=values\nmissing=cannot be run: so\n";
    struct table t;

    write_text(
        folder, LATER ".csv",
        "session,row_id,experiment,impl,device,scope,status,input,reason\n" LATER
        ",r1,x/t,a,gpu,,skipped,lost,input lost: no files lost.png in data; fetch them\n");
    read_again(folder);
    assert_int_equal(read_text(text), BENCH_OK);
    assert_int_equal(claims_tell(&claims, &machine, 1, machine.store), BENCH_OK);
    assert_int_equal(
        query_table(machine.store,
                    "SELECT group_concat(claim || ' ' || class || ' ' || verdict || "
                    "coalesce(' ' || why, ''), x'0a') AS lines, (SELECT group_concat(n || ' ' "
                    "|| class || ' ' || coalesce(why, verdict), ', ') FROM verdict_total) AS "
                    "totals, (SELECT group_concat(n || ' ' || class || ' ' || "
                    "coalesce(judged_by, why), ', ') FROM claim_total) AS claims "
                    "FROM claim_verdict",
                    &t),
        BENCH_OK);
    assert_string_equal(query_text(&t, 0, "lines"),
                        "time arithmetic REPRODUCED\nfact settings REPRODUCED\n"
                        "time measured REPRODUCED\ncount values REPRODUCED\n"
                        "both values REPRODUCED\nfact settings REPRODUCED\n"
                        "events measured REPRODUCED\ncut scaled SCALED-AGREES\n"
                        "noise measured NOT-RUN undecided\n"
                        "board measured NOT-RUN other hardware\n"
                        "maps measured NOT-RUN no data\nrow measured NOT-RUN not run yet\n"
                        "vain measured NOT-RUN other hardware\n"
                        "mode measured NOT-RUN other hardware\n"
                        "wrong measured NOT-RUN cannot be run\n"
                        "peer measured NOT-RUN cannot be run\n"
                        "files measured NOT-RUN no data\nnever values NOT-RUN cannot be run");
    assert_string_equal(query_text(&t, 0, "totals"),
                        "2 measured REPRODUCED, 2 measured cannot be run, 2 measured no data, "
                        "1 measured not run yet, 3 measured other hardware, "
                        "1 measured undecided, 1 scaled SCALED-AGREES, 1 settings REPRODUCED, "
                        "2 values REPRODUCED, 1 values cannot be run, "
                        "1 arithmetic REPRODUCED, 1 settings REPRODUCED");
    assert_string_equal(query_text(&t, 0, "claims"),
                        "2 measured cannot be run, 2 measured no data, "
                        "1 measured not run yet, 3 measured other hardware, "
                        "1 measured undecided, 3 measured rows, 1 settings rows, "
                        "1 values cannot be run, 2 values rows");
    table_free(&t);
    assert_int_equal(
        query_table(machine.store, "SELECT reason FROM claim_verdict WHERE claim = 'peer'", &t),
        BENCH_OK);
    assert_string_equal(query_text(&t, 0, "reason"), "no verified row of x/t: of another rule");
    table_free(&t);
}

/* ---- expected verdicts ---- */

#define TWO                                                           \
    "[p]\nwhere=a\nkind=order\npaper=1<2\n[m]\nwhere=b\nkind=order\n" \
    "measured=ours(x/t, impl=five, mean_ms) < ours(x/t, impl=six, mean_ms)\n"

static void a_deviation_is_an_exit_status(void **unused)
{
    static const struct {
        const char *file;
        enum bench_status status;
        const char *says; /* the page, or the sentence of a file that is refused */
    } cases[] = {
        {"claim,paper,made-up\np,REPRODUCED,\nm,,REPRODUCED\n", BENCH_OK, ", 0 unexpected."},
        {"claim,paper,made-up\np,REPRODUCED,\nm,,SHAPE-ONLY\n", BENCH_EMISMATCH,
         "expected was SHAPE-ONLY"},
        /* a machine that the file lacks is no deviation, a claim that it forgot is */
        {"claim,paper,other\np,REPRODUCED,\nm,,NOT-RUN\n", BENCH_OK, ", 0 unexpected."},
        {"claim,paper,made-up\np,REPRODUCED,NOT-RUN\n", BENCH_EMISMATCH,
         "  m: it holds on a-card: 5 < 6\n    REPRODUCED: no verdict is committed for it\n"},
        {"claim,paper\nq,REPRODUCED\n", BENCH_EINPUT, "expected one of the claims, found 'q'"},
        {"claim,paper\np,MAYBE\n", BENCH_EINPUT, "found 'MAYBE'"},
        {"claim,paper\np,REPRODUCED\np,REPRODUCED\n", BENCH_EINPUT, "stands in two lines"},
    };

    for (size_t i = 0; i < N(cases); i++) {
        char *page;

        write_text(results, "expected.csv", cases[i].file);
        assert_int_equal(report(TWO, &machine, NULL, &page, NULL), cases[i].status);
        assert_non_null(
            strstr(cases[i].status == BENCH_EINPUT ? bench_failure() : page, cases[i].says));
        free(page);
    }
}

static void expectations_are_written_and_others_kept(void **unused)
{
    int n_changed = -1;

    write_text(results, "expected.csv", "claim,elsewhere\nm,NOT-RUN\ngone,NOT-RUN\n");
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

/* Each printed number of a table is one claim; test_cli.sh looks at the verdicts. */
static void no_printed_cell_is_left_out(void **unused)
{
    struct table t;

    assert_int_equal(claims_read(".", NULL, &claims), BENCH_OK);
    assert_int_equal(
        query_table(claims.store,
                    "SELECT count(c.id) || ' claims of ' || p.place FROM printed AS p LEFT "
                    "JOIN claim AS c ON c.\"table\" IS NOT NULL AND (c.place = p.place OR "
                    "substr(c.place, 1, length(p.place) + 2) = p.place || '; ') WHERE "
                    "value IS NOT NULL AND "
                    "(figure GLOB 'table*' OR figure = 'fig9' AND p.paper = 'stixels') "
                    "GROUP BY p.rowid HAVING count(c.id) <> 1",
                    &t),
        BENCH_OK);
    if (t.n_rows > 0)
        fail_msg("%s", t.cell->text);
    table_free(&t);
}

int main(void)
{
#define ENTRY(name) cmocka_unit_test_setup_teardown(name, begin, end)
#define CASES(of)   #of, cases, begin, end, (void *)(uintptr_t) #of
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
        ENTRY(rows_that_belong_together_are_of_one_session),
        ENTRY(the_best_team_is_of_the_newest_session),
        ENTRY(processes_are_taken_together),
        ENTRY(a_page_says_all),
        ENTRY(a_page_is_as_wide_and_as_colourful_as_asked),
        ENTRY(a_verdict_has_a_class_and_a_reason),
        ENTRY(a_deviation_is_an_exit_status),
        ENTRY(expectations_are_written_and_others_kept),
        ENTRY(no_printed_cell_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

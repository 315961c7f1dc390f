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
                "1 impl=probed protocol=profiler, 10 impl=ten");
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
                "1.1 experiment=y/cut sms=132 size=4 ci_lo_ms=1.09 ci_hi_ms=1.11");
    snprintf(counters, sizeof counters, "%s/ncu", folder);
    write_text(counters, "a.csv",
               "utc,commit,gpu,experiment,impl,stage,kernel,ipc\n"
               "2,c1,a-card,x/t,five,dp,k,1.5\n1,c1,a-card,x/t,five,dp,k,9\n"
               "2,c1,a-card,x/t,five,compact,k,1\n2,c1,a-card,x/t,five,compact,l,\n");
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
        "[r]\nwhere=here\nkind=ratio\nunit=x\nprinted=4.0\ntol=10%\nbecause=so\npaper=5\n"
        "measured=ours(x/t, impl=b, seed=*, mean_ms) / ours(x/t, impl=five, mean_ms)\n"
        "[t]\neach=x/u, name=ms\nid=t[{impl}]\nkind=value\nmissing=the network is not here\n"
        "[q]\nwhere=b\nkind=value\nwords=as here\nunit=ms\nprinted=10.0\ntol=10%\nbecause=so\n"
        "hardware=*board*\nscaled=8 SMs, 1000 MHz\nmeasured=ours(y/t, impl=x/gpu, size=1, "
        "mean_ms)\n";
    struct text csv = {0};
    char *page;

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
        "within 10%','c',,'3.89665451','4.10756367','10','so','kernel',,'a-card'\n"
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
        {"claim,paper,made-up\np,REPRODUCED,\nm,,REPRODUCED\n", BENCH_OK, "; 0 unexpected."},
        {"claim,paper,made-up\np,REPRODUCED,\nm,,SHAPE-ONLY\n", BENCH_EMISMATCH,
         "expected was SHAPE-ONLY"},
        /* a machine that the file lacks is no deviation, a claim that it forgot is */
        {"claim,paper,other\np,REPRODUCED,\nm,,NOT-RUN\n", BENCH_OK, "; 0 unexpected."},
        {"claim,paper,made-up\np,REPRODUCED,NOT-RUN\n", BENCH_EMISMATCH,
         "    no verdict is committed for it\n-> 1 REPRODUCED\n"},
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

/* Each printed cell is one claim; test_cli.sh looks at the verdicts. */
static void no_printed_cell_is_left_out(void **unused)
{
    struct table t;
    char *page;

    assert_int_equal(report(NULL, NULL, NULL, &page, NULL), BENCH_OK);
    assert_non_null(
        strstr(page, "430 cells of tables, 271 claims of 122 quoted sentences and of figures"));
    free(page);
    assert_int_equal(
        query_table(claims.store,
                    "SELECT count(c.id) || ' claims of ' || p.place FROM printed AS p LEFT "
                    "JOIN claim AS c ON c.place = p.place AND c.\"table\" IS NOT NULL WHERE "
                    "figure GLOB 'table*' OR figure = 'fig9' AND p.paper = 'stixels' "
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
#define CASES(of)  #of, cases, begin, end, (void *)(uintptr_t) #of
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
        TEST(a_page_says_all),
        TEST(a_deviation_is_an_exit_status),
        TEST(expectations_are_written_and_others_kept),
        TEST(no_printed_cell_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

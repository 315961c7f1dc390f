/* test_claims_tables.c - tables written out, noise and shape in verdicts, expected verdicts, and that no printed cell is left out */
#include "tests/claims_made.h"

static char expected[600], counters[700];

#define SESSION "20260101T000000Z-0000001"
/* impl, seed, profile, n, mean and its interval */
#define ROW(id, impl, seed, profile, n, ms, low, high)                                        \
    "\"" SESSION "\",\"" id "\",\"1\",\"c1\",\"0\",\"" profile                                \
    "\",\"a core\",\"a card\",\"x/t\",\"" impl "\",\"gpu\",,\"ok\",\"exact\",\"kernel\",\"" n \
    "\",\"" ms "\",\"" low "\",\"" high "\",\"" seed "\"\n"

static int begin(void **unused)
{
    (void)unused;
    snprintf(base, sizeof base, "%s/claims_tables", support_place());
    snprintf(paper, sizeof paper, "%s/paper", base);
    snprintf(folder, sizeof folder, "%s/results/made-up", base);
    snprintf(expected, sizeof expected, "%s/expected.csv", base);
    support_remove(base);
    write_file(paper, "x.csv",
               "\"paper\",\"figure\",\"impl\",\"name\",\"value\",\"printed\",\"unit\",\"read\","
               "\"where\"\n"
               "\"x\",\"t\",\"a\",\"ms\",\"320\",\"0.32 s\",\"ms\",\"table\",\"first\"\n"
               "\"x\",\"t\",\"b\",\"ms\",\"8.0\",\"8.0\",\"ms\",\"table\",\"second\"\n"
               "\"x\",\"t\",\"b\",\"watts\",\"30\",\"30+\",\"W\",\"table\",\"third\"\n"
               "\"x\",\"t\",\"c\",\"power\",\"2\",\"w h^2\",,\"table\",\"fourth\"\n"
               "\"x\",\"t\",\"d\",\"ms\",\"3\",\"1 + 2\",\"ms\",\"derived\",\"no cell\"\n");
    write_file(
        folder, SESSION ".csv",
        "\"session\",\"row_id\",\"utc\",\"commit\",\"dirty\",\"profile\",\"cpu\",\"gpu\","
        "\"experiment\",\"impl\",\"device\",\"lap\",\"status\",\"verdict\",\"scope\","
        "\"n\",\"mean_ms\",\"ci_lo_ms\",\"ci_hi_ms\",\"seed\"\n" ROW("r1", "five", "1", "paper",
                                                                     "30", "5", "4.9", "5.1")
            ROW("r2", "near", "1", "paper", "30", "5.05", "4.95", "5.15")
                ROW("r3", "six", "1", "paper", "30", "6", "5.9", "6.1")
                    ROW("r4", "once", "1", "paper", "1", "9", "9", "9")
                        ROW("r5", "seeds", "1", "paper", "1", "5", "5", "5")
                            ROW("r6", "seeds", "2", "paper", "1", "7", "7", "7")
                                ROW("r7", "seeds", "3", "paper", "1", "9", "9", "9")
                                    ROW("r8", "probed", "1", "profile", "30", "1", "1", "1")
                                        ROW("r9", "ten", "1", "paper", "30", "10", "10", "10"));
    write_file(folder, SESSION ".values.csv",
               "\"row_id\",\"name\",\"index\",\"value\",\"unit\"\n"
               "\"r1\",\"share\",\"1\",\"90\",\"%\"\n\"r1\",\"share\",\"2\",\"50\",\"%\"\n"
               "\"r1\",\"shares\",,\"7\",\n");
    snprintf(counters, sizeof counters, "%s/ncu", folder);
    write_file(counters, "a.csv",
               "utc,commit,gpu,experiment,impl,stage,kernel,ipc\n"
               "1,c1,a card,x/t,five,dp,k,9\n");
    write_file(counters, "b.csv",
               "utc,commit,gpu,experiment,impl,stage,kernel,ipc\n"
               "2,c1,a card,x/t,five,dp,k,1.5\n"
               "2,c1,a card,x/t,five,compact,k,1\n"
               "2,c1,a card,x/t,five,compact,l,\n");
    assert_int_equal(claim_machine_read(folder, NULL, &machine), BENCH_OK);
    return 0;
}

/* By the made-up machine. */
static void verdict_here(const char *text, enum claim_verdict wanted, const char *reason)
{
    verdict_is(text, &machine, wanted, reason);
}

/* ---- tables ---- */

#define TABLE "[t]\neach = x/t, name=ms\nid = t[{impl}]\nkind = value\n"

static void a_cell_is_a_claim(void **unused)
{
    (void)unused;
    parse(
        "[names]\n$z = 1\n" TABLE "$paper = paper(x/t, impl={impl}, name=ms, ms) * $z\npaper = "
        "$paper / {impl: a=1000, b=1}\n"
        "measured = ours(x/t, impl={impl: a=five, b=six}, mean_ms)\n[after]\nwhere = w\nkind = "
        "bound\npaper = 1 < 2\n");
    assert_int_equal(claims.n, 3);
    assert_string_equal(claims.claim[0].id, "t[a]");
    assert_string_equal(claims.claim[0].table, "t");
    assert_string_equal(claims.claim[0].where, "first");
    assert_string_equal(claims.claim[0].printed, "0.32");
    assert_string_equal(claims.claim[0].unit, "s"); /* as printed, not as the CSV has it */
    assert_string_equal(claims.claim[1].id, "t[b]");
    assert_string_equal(claims.claim[1].unit, "ms");
    assert_null(claims.claim[2].table);
    assert_int_equal(judge(0, NULL).verdict, CLAIM_REPRODUCED);
    assert_int_equal(judge(1, NULL).verdict, CLAIM_REPRODUCED);
    assert_true(judge(0, &machine).value > 4.9 && judge(0, &machine).value < 5.1);
    assert_true(judge(1, &machine).value > 5.9);
}

static void a_wrong_cell_is_found_alone(void **unused)
{
    (void)unused;
    parse(TABLE "paper = 0.32\n");
    assert_int_equal(judge(0, NULL).verdict, CLAIM_REPRODUCED);
    assert_int_equal(judge(1, NULL).verdict, CLAIM_PAPER_INCONSISTENT);
}

static void odd_digits_are_read(void **unused)
{
    (void)unused;
    parse("[t]\neach = x/t, name=watts|ms, impl=b\nid = t[{name}]\nkind = value\nmissing = "
          "why\n");
    assert_int_equal(claims.n, 2);
    assert_string_equal(claims.claim[1].printed, "30"); /* "30+" */
    assert_string_equal(claims.claim[1].unit, "W");
    parse("[t]\neach = x/t, name=power\nid = t[{impl}]\nprinted = {value}\nunit = power\n"
          "kind = value\npaper = 2\n");
    assert_int_equal(judge(0, NULL).verdict, CLAIM_REPRODUCED);
}

static void wrong_tables_are_refused(void **unused)
{
    char many[9000] = "";

    (void)unused;
    file_refused("[t]\neach = x/t\nkind = value\npaper = 1\n", "has 'each' and no 'id'");
    file_refused("[t]\neach = x\nid = t\nkind = value\npaper = 1\n", "expected 'paper/table");
    file_refused("[t]\neach = x/t, impl\nid = t\nkind = value\npaper = 1\n",
                 "expected 'paper/table");
    file_refused("[t]\neach = x/t, hue=a\nid = t\nkind = value\npaper = 1\n",
                 "no column 'hue'");
    file_refused("[t]\neach = x/t, impl=q\nid = t\nkind = value\npaper = 1\n",
                 "no printed number for");
    file_refused("[t]\neach = x/t, impl=d\nid = t\nkind = value\npaper = 1\n",
                 "no printed number for");
    file_refused("[t]\neach = y/t\nid = t\nkind = value\npaper = 1\n", "no printed number for");
    file_refused("[t]\neach = x/t, name=ms\nid = t\nkind = value\npaper = 1\n",
                 "is a claim already");
    file_refused(
        "[q]\nwhere=a\nkind=order\npaper=1<2\n[t]\neach = x/t, impl=a\nid = q\nkind = value\n"
        "paper = 1\n",
        "c.ini:6: [q] is a claim already");
    file_refused("[t]\neach = x/t, impl=a\nid = q\nkind = value\npaper = 1\n"
                 "[q]\nwhere=a\nkind=order\npaper=1<2\n",
                 "[q] is a claim already");
    file_refused("[t]\neach = x/t, name=ms\nid = t {impl}\nkind = value\npaper = 1\n",
                 "without blanks");
    file_refused("[t]\neach = x/t, name=ms\nid = t{hue}\nkind = value\npaper = 1\n",
                 "no column 'hue'");
    file_refused("[t]\neach = x/t, name=ms\nid = t{impl\nkind = value\npaper = 1\n",
                 "expected '}'");
    file_refused(TABLE "paper = {impl: a=1}\n", "to say what 'b' becomes");
    file_refused(TABLE "paper = {impl: a=1, b=}\n", "has no value");
    file_refused("[t]\neach = x/t, name=power\nid = t\nunit = p\nkind = value\npaper = 2\n",
                 "expected printed digits, found 'w h^2'");
    file_refused(TABLE "missing = a\nmeasured = 1\n", "both 'measured' and 'missing'");
    for (int i = 0; i < 100; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many),
                 "%s{where}{where}{where}{where}\n", i ? "  " : TABLE "$a = ");
    file_refused(many, "more than 2000 bytes");
}

static void what_has_no_counterpart_says_why(void **unused)
{
    (void)unused;
    verdict_here(TABLE "missing = the network is not here\n", CLAIM_NOT_RUN,
                 "the network is not here");
    verdict_here("[r]\nwhere=a\nkind=order\nmissing=no energy\npaper=1<2\n", CLAIM_NOT_RUN,
                 "no energy");
    assert_int_equal(judge(0, NULL).verdict, CLAIM_REPRODUCED);
}

/* ---- noise ---- */

#define ORDER      "[r]\nwhere = here\nkind = order\nmeasured = "
#define MS(impl)   "ours(x/t, impl=" impl ", mean_ms)"
#define SEEDS      "ours(x/t, impl=seeds, seed=*, mean_ms)"
#define NUMBER(of) "[r]\nwhere=a\nkind=" of "\ntol=10%\nbecause=b\n"

static void faster_is_by_more_than_noise(void **unused)
{
    (void)unused;
    verdict_here(ORDER MS("five") " < " MS("six") "\n", CLAIM_REPRODUCED, "it holds on a card");
    verdict_here(ORDER MS("six") " < " MS("five") "\n", CLAIM_CONTRADICTED, "does not hold");
    verdict_here(ORDER MS("five") " < " MS("near") "\n", CLAIM_NOT_RUN, "within the noise");
    verdict_here(ORDER MS("near") " < " MS("five") "\n", CLAIM_NOT_RUN, "within the noise");
    verdict_here("[r]\nwhere=a\nkind=monotone\nmeasured=rising(" MS("five") ", " MS(
                     "near") ", " MS("six") ")\n",
                 CLAIM_NOT_RUN, "within the noise");
    verdict_here("[r]\nwhere=a\nkind=bound\nmeasured=" MS("six") " / " MS("five") " > 1.25\n",
                 CLAIM_CONTRADICTED, "");
    verdict_here("[r]\nwhere=a\nkind=bound\nmeasured=" MS("six") " / " MS("five") " > 1.2\n",
                 CLAIM_NOT_RUN, "within the noise");
    verdict_here(ORDER MS("five") " < " MS("six") "\ndigits = exact\n", CLAIM_REPRODUCED, "");
    verdict_here(ORDER MS("five") " < " MS("near") "\ndigits = exact\n", CLAIM_NOT_RUN,
                 "noise");
}

static void seeds_scatter(void **unused)
{
    (void)unused;
    /* 7 +- 4.30 * 2 / sqrt 3 = 7 +- 4.97 */
    verdict_here(ORDER SEEDS " < 11.9\n", CLAIM_NOT_RUN, "within the noise");
    verdict_here(ORDER SEEDS " < 12.1\n", CLAIM_REPRODUCED, "");
    verdict_here(ORDER SEEDS " < 2\n", CLAIM_CONTRADICTED, "");
    assert_true(judge(0, &machine).value < 0.5);
}

static void a_number_is_within_with_its_noise(void **unused)
{
    (void)unused;
#define FIVE(printed) NUMBER("value") "printed=" printed "\nunit=ms\nmeasured=" MS("five") "\n"
    verdict_here(FIVE("5.00"), CLAIM_REPRODUCED, "within 10%");
    verdict_here(FIVE("4.70"), CLAIM_REPRODUCED, ""); /* 4.9 to 5.1 in 4.225 to 5.175 */
    verdict_here(FIVE("4.60"), CLAIM_NOT_RUN, "undecided, the noise spans the edge of 10%");
    verdict_here(FIVE("4.50"), CLAIM_NOT_RUN, "undecided");
    verdict_here(FIVE("4.40"), CLAIM_CONTRADICTED, "higher, not within 10%");
}

static void one_run_decides_nothing(void **unused)
{
    (void)unused;
    verdict_here(ORDER MS("five") " < " MS("once") "\n", CLAIM_NOT_RUN, "single runs");
    verdict_here(ORDER MS("once") " < " MS("five") "\n", CLAIM_NOT_RUN, "say no");
    verdict_here(ORDER "ours(x/t, impl=five, seed=*, mean_ms) < 6\n", CLAIM_NOT_RUN,
                 "single runs");
    verdict_here(NUMBER("value") "printed=9.0\nunit=ms\nmeasured=" MS("once") "\n",
                 CLAIM_NOT_RUN, "single runs of unknown noise");
    verdict_here(NUMBER("value") "printed=1.0\nunit=ms\nmeasured=" MS("once") "\n",
                 CLAIM_NOT_RUN, "9 on a card, printed 1");
}

static void a_profilers_row_does_not_count(void **unused)
{
    (void)unused;
    verdict_here(ORDER MS("probed") " < 6\n", CLAIM_NOT_RUN, "no verified row of x/t: ok");
}

/* Teams of a variant: 12 in an old session whose build knew no chunk, 8 and 16 in the next, 8 once more with another chunk. */
static void the_best_team_is_of_the_newest_session(void **unused)
{
#define HEAD                                                                             \
    "session,row_id,utc,commit,dirty,profile,cpu,gpu,experiment,impl,device,lap,status," \
    "verdict,scope,n,mean_ms,ci_lo_ms,ci_hi_ms,threads,chunk\n"
#define OLD "20260101T000000Z-0000001"
#define NEW "20260102T000000Z-0000001"
#define TEAM(session, experiment, threads, chunk, ms)                                          \
    session ",r" threads chunk "," session ",c1,0,paper,a core,a card," experiment             \
            ",rdp/omp-columns,omp,,ok,exact,kernel,30," ms "," ms "," ms "," threads "," chunk \
            "\n"
#define TEAMS(of, more) ORDER "ours(x/" of ", impl=rdp/omp-columns" more ", mean_ms) == "
    char teams[700];
    struct claim_machine other;

    (void)unused;
    snprintf(teams, sizeof teams, "%s/results/teams", base);
    write_file(teams, OLD ".csv",
               HEAD TEAM(OLD, "x/t", "12", "", "1") TEAM(OLD, "x/u", "8", "", "1"));
    write_file(teams, NEW ".csv",
               HEAD TEAM(NEW, "x/t", "8", "8", "3") TEAM(NEW, "x/t", "16", "8", "4")
                   TEAM(NEW, "x/u", "8", "9", "5"));
    assert_int_equal(claim_machine_read(teams, NULL, &other), BENCH_OK);
    verdict_is(TEAMS("t", ", threads=best") "3\n", &other, CLAIM_REPRODUCED, "it holds");
    verdict_is(TEAMS("t", "") "4\n", &other, CLAIM_REPRODUCED, "it holds"); /* the largest */
    verdict_is(TEAMS("t", ", threads=12") "1\n", &other, CLAIM_REPRODUCED, "it holds");
    verdict_is(TEAMS("t", ", threads=12, chunk=8") "1\n", &other, CLAIM_NOT_RUN, "chunk=8");
    /* a row without a chunk has the default, 8, and no other */
    verdict_is(TEAMS("u", "") "5\n", &other, CLAIM_NOT_RUN, "rows that differ in chunk");
    claim_machine_free(&other);
#undef HEAD
#undef OLD
#undef NEW
#undef TEAM
#undef TEAMS
}

static void a_list_is_a_mean_of_all_of_it(void **unused)
{
    (void)unused;
    verdict_here(NUMBER("value") "printed=5.5\nunit=ms\nmeasured=" MS("five|six") "\n",
                 CLAIM_REPRODUCED, "5.5 on a card");
    verdict_here(NUMBER("value") "printed=5.5\nunit=ms\nmeasured=" MS("five|six|none") "\n",
                 CLAIM_NOT_RUN, "impl=none");
    parse("[r]\nwhere=a\nkind=value\nprinted=164\nunit=ms\npaper=paper(x/t, impl=a|b, ms)\n");
    assert_int_equal(judge(0, NULL).verdict, CLAIM_REPRODUCED);
    file_refused(
        "[r]\nwhere=a\nkind=value\nprinted=164\nunit=ms\npaper=paper(x/t, impl=a|q, ms)\n",
        "expected one printed number");
}

static void a_value_may_have_an_index(void **unused)
{
    (void)unused;
    verdict_here(ORDER "ours(x/t, impl=five, share[2]) < ours(x/t, impl=five, share[1])\n",
                 CLAIM_REPRODUCED, "");
    verdict_here(ORDER "ours(x/t, impl=five, share[3]) < 1\n", CLAIM_NOT_RUN, "no share[3]");
    verdict_here(ORDER "ours(x/t, impl=five, shares) < 8\n", CLAIM_REPRODUCED, "");
    verdict_here(ORDER "ours(x/t, impl=five, share) < 8\n", CLAIM_NOT_RUN, "no share");
}

static void counters_are_cells(void **unused)
{
    struct claim_judgement j;

    (void)unused;
#define IPC(more) "counters(x/t, impl=five, " more ", ipc)"
    verdict_here(
        NUMBER("value") "printed=1.5\nunit=IPC\nhardware=*card\nmeasured=" IPC("stage=dp") "\n",
        CLAIM_REPRODUCED, "1.5 on a card"); /* the newest */
    verdict_here(ORDER IPC("stage=compact") " < 2\n", CLAIM_NOT_RUN, "2 kernels fit");
    verdict_here(ORDER IPC("stage=compact, kernel=l") " < 2\n", CLAIM_NOT_RUN, "no ipc in");
    verdict_here(ORDER IPC("stage=none") " < 2\n", CLAIM_NOT_RUN, "no counters of x/t here");
    verdict_here(ORDER IPC("stage=dp") " < 2\nhardware=board\n", CLAIM_SHAPE_ONLY, "not board");
    parse(ORDER IPC("hue=dp") " < 2\n");
    assert_int_equal(claims_judge(&claims, &claims.claim[0], &machine, NULL, &j), BENCH_EINPUT);
    file_refused("[r]\nwhere=a\nkind=order\npaper=" IPC("stage=dp") " < 2\n",
                 "printed numbers alone");
}

static void a_slip_in_a_key_is_no_missing_row(void **unused)
{
    struct claim_judgement j;

    (void)unused;
    parse(ORDER "ours(x/t, imlp=five, mean_ms) < 6\n");
    assert_int_equal(claims_judge(&claims, &claims.claim[0], &machine, NULL, &j), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "rows have no column 'imlp'"));
    verdict_here(ORDER "ours(x/t, impl=five, height=8, mean_ms) < 6\n", CLAIM_NOT_RUN,
                 "height=8");
}

/* ---- shape ---- */

static void shape_is_within_a_factor_of_2(void **unused)
{
    static const struct {
        const char *printed, *unit, *measured;
        enum claim_verdict verdict;
    } cases[] = {
        {"4.0", "x", "4.3", CLAIM_REPRODUCED},     {"4.0", "x", "5.6", CLAIM_SHAPE_ONLY},
        {"4.0", "x", "2.1", CLAIM_SHAPE_ONLY},     {"4.0", "x", "1.9", CLAIM_CONTRADICTED},
        {"4.0", "x", "8.1", CLAIM_CONTRADICTED},   {"4.0", "x", "1.1", CLAIM_CONTRADICTED},
        {"4.0", "x", "0.25", CLAIM_CONTRADICTED},  {"1.50", "x", "1.20", CLAIM_CONTRADICTED},
        {"1.50", "x", "1.26", CLAIM_SHAPE_ONLY},   {"1.30", "x", "1.16", CLAIM_SHAPE_ONLY},
        {"1.30", "x", "1.10", CLAIM_CONTRADICTED}, {"1.01", "x", "1.00", CLAIM_REPRODUCED},
        {"1.50", "x", "2.5", CLAIM_CONTRADICTED},  {"0.50", "x", "0.60", CLAIM_SHAPE_ONLY},
        {"0.50", "x", "0.90", CLAIM_CONTRADICTED}, {"62", "%", "40", CLAIM_SHAPE_ONLY},
        {"62", "%", "30", CLAIM_CONTRADICTED},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];

        snprintf(text, sizeof text, "%sprinted=%s\nunit=%s\nmeasured=%s / 10 * %s\n",
                 NUMBER("ratio"), cases[i].printed, cases[i].unit, MS("ten"),
                 cases[i].measured);
        verdict_here(text, cases[i].verdict, "");
    }
}

static void other_inputs_are_another_experiment(void **unused)
{
    (void)unused;
    verdict_here(
        NUMBER("value") "printed=5.0\nunit=ms\ndiffers=other maps\nmeasured=" MS("five") "\n",
        CLAIM_NOT_RUN, "no verdict on an absolute value; other maps");
    verdict_here(NUMBER("ratio") "printed=2.0\nunit=x\ndiffers=other maps\nmeasured=" MS(
                     "ten") " / " MS("five") "\n",
                 CLAIM_SHAPE_ONLY, "within 10%; other maps");
    verdict_here(ORDER MS("five") " < " MS("six") "\ndiffers=other maps\n", CLAIM_SHAPE_ONLY,
                 "other maps");
    verdict_here(ORDER MS("six") " < " MS("five") "\ndiffers=other maps\n", CLAIM_CONTRADICTED,
                 "other maps");
}

static void a_bound_in_ms_is_of_its_hardware(void **unused)
{
    (void)unused;
#define BOUND(unit, hardware)                                                 \
    "[r]\nwhere=a\nkind=bound\nprinted=50\nunit=" unit "\nhardware=" hardware \
    "\nmeasured=" MS("five") " < $printed\n"
    verdict_here(BOUND("ms", "*board*"), CLAIM_NOT_RUN,
                 "no verdict on an absolute bound; not board");
    verdict_here(BOUND("ms", "*card*"), CLAIM_REPRODUCED, "");
    verdict_here(BOUND("x", "*board*"), CLAIM_SHAPE_ONLY, "");
}

/* ---- expected verdicts ---- */

#define TWO                                 \
    "[p]\nwhere=a\nkind=order\npaper=1<2\n" \
    "[m]\nwhere=b\nkind=order\nmeasured=" MS("five") " < " MS("six") "\n"

static enum bench_status report(const char *committed, char page[4000])
{
    char path[700];
    FILE *out;
    enum bench_status status;
    size_t n;

    parse(TWO);
    write_bytes(expected, committed, strlen(committed));
    status = claims_read_expected(expected, &claims);
    if (status)
        return status;
    snprintf(path, sizeof path, "%s/page", base);
    assert_non_null(out = fopen(path, "wb+"));
    status = claims_report(&claims, &machine, 1, out, NULL);
    rewind(out);
    n = fread(page, 1, 3999, out);
    page[n] = '\0';
    fclose(out);
    return status;
}

static void a_deviation_is_an_exit_status(void **unused)
{
    char page[4000];

    (void)unused;
    assert_int_equal(report("claim,paper,made-up\np,REPRODUCED,\nm,,REPRODUCED\n", page),
                     BENCH_OK);
    assert_int_equal(report("claim,paper,made-up\np,REPRODUCED,\nm,,SHAPE-ONLY\n", page),
                     BENCH_EMISMATCH);
    assert_non_null(strstr(page, "expected was SHAPE-ONLY"));
    /* a machine of which the file does not speak is no deviation, a claim that it forgot is */
    assert_int_equal(report("claim,paper,other\np,REPRODUCED,\nm,,NOT-RUN\n", page), BENCH_OK);
    assert_int_equal(report("claim,paper,made-up\np,REPRODUCED,\n", page), BENCH_EMISMATCH);
    assert_non_null(strstr(page, "no verdict is committed for it"));
    assert_non_null(strstr(page, "; 1 unexpected."));
}

static void wrong_expectations_are_refused(void **unused)
{
    char page[4000];

    (void)unused;
    assert_int_equal(report("claim,paper\nq,REPRODUCED\n", page), BENCH_EINPUT);
    assert_non_null(
        strstr(bench_failure(), "expected.csv:2: expected one of the claims, found 'q'"));
    assert_int_equal(report("claim,paper\np,MAYBE\n", page), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "found 'MAYBE'"));
    assert_int_equal(report("claim,paper\np,REPRODUCED\np,REPRODUCED\n", page), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "stands in line 3, too"));
    assert_int_equal(report("id,paper\np,REPRODUCED\n", page), BENCH_EINPUT);
    assert_int_equal(claims.expected.n_rows, 0);
}

static void expectations_are_written_and_others_kept(void **unused)
{
    static const char before[] = "claim,elsewhere\nm,NOT-RUN\ngone,NOT-RUN\n";
    struct text text = {0};
    char page[4000];
    int n_changed = -1;

    (void)unused;
    parse(TWO);
    write_bytes(expected, before, strlen(before));
    assert_int_equal(claims_write_expected(&claims, &machine, 1, expected, &n_changed),
                     BENCH_OK);
    assert_int_equal(n_changed, 2);
    assert_int_equal(text_read_file(expected, &text), BENCH_OK);
    assert_string_equal(text.data, "\"claim\",\"elsewhere\",\"paper\",\"made-up\"\n"
                                   "\"p\",,\"REPRODUCED\",\n"
                                   "\"m\",\"NOT-RUN\",,\"REPRODUCED\"\n");
    assert_int_equal(report(text.data, page), BENCH_OK);
    text_free(&text);
    assert_int_equal(claims_write_expected(&claims, &machine, 1, expected, &n_changed),
                     BENCH_OK);
    assert_int_equal(n_changed, 0);
}

/* ---- reports ---- */

static void cells_without_a_row_share_a_line(void **unused)
{
    char path[700];
    struct text page = {0}, csv = {0};
    FILE *out;

    (void)unused;
    snprintf(path, sizeof path, "%s/page", base);
    parse(TABLE "missing = the network is not here\n");
    assert_non_null(out = fopen(path, "wb"));
    assert_int_equal(claims_report(&claims, &machine, 1, out, &csv), BENCH_OK);
    assert_int_equal(claims_explain(&claims, "t", &machine, 1, out), BENCH_OK);
    fclose(out);
    assert_int_equal(text_read_file(path, &page), BENCH_OK);
    assert_non_null(strstr(page.data, "t: 2 cells  "));
    assert_non_null(strstr(page.data, "-> 2 NOT-RUN\n"));
    assert_non_null(strstr(page.data, "2 cells of tables, 0 claims of 0 quoted sentences"));
    assert_non_null(strstr(page.data, "t[a]: first"));
    assert_non_null(strstr(page.data, "t[b]: second"));
    /* each in the CSV */
    assert_non_null(strstr(csv.data,
                           "\"t[a]\",\"first\",,\"value\",\"0.32\",\"s\",\"made-up\",,"
                           "\"NOT-RUN\",,\"the network is not here\",\"c\",\"t\",,,,,"
                           ",,\n"));
    assert_non_null(strstr(csv.data, "\"t[b]\""));
    text_free(&page);
    text_free(&csv);
    parse(NUMBER("value") "printed=5.0\nunit=ms\nhardware=*card*\nmeasured=" MS("five") "\n");
    assert_non_null(out = fopen(path, "wb"));
    assert_int_equal(claims_report(&claims, &machine, 1, out, &csv), BENCH_OK);
    fclose(out);
    assert_non_null(strstr(csv.data,
                           ",\"c\",,\"4.9\",\"5.1\",\"10\",\"b\",\"kernel\",\"*card*\","
                           "\"a card\"\n"));
    text_free(&csv);
}

/* ---- what is shipped ---- */

static void no_printed_cell_is_left_out(void **unused)
{
    static const char *const paths[] = {"experiments/claims/rdp.ini",
                                        "experiments/claims/som.ini",
                                        "experiments/claims/stixels.ini"};
    static const struct {
        const char *csv, *figures; /* with commas around */
    } tables[] = {{"results/paper/rdp.csv", ",table1,"},
                  {"results/paper/stx.csv", ",table1,table2,table3,table4,fig9,"},
                  {"results/paper/som.csv", ",table1,table2,table2-average,"}};
    int n_cells = 0, n_claims = 0;

    (void)unused;
    if (claims_read(paths, 3, "results/paper", &claims) != BENCH_OK)
        fail_msg("%s", bench_failure());
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        struct record_table t;

        assert_int_equal(record_read(tables[k].csv, false, &t), BENCH_OK);
        for (int row = 0; row < t.n_rows; row++) {
            char figure[80];
            int n = 0;

            snprintf(figure, sizeof figure, ",%s,", record_get(&t, row, "figure"));
            if (!strstr(tables[k].figures, figure))
                continue;
            n_cells++;
            for (int i = 0; i < claims.n; i++)
                n += claims.claim[i].table &&
                     !strcmp(claims.claim[i].where, record_get(&t, row, "where"));
            if (n != 1)
                fail_msg("%d claims of '%s'", n, record_get(&t, row, "where"));
        }
        record_table_free(&t);
    }
    for (int i = 0; i < claims.n; i++)
        n_claims += claims.claim[i].table != NULL;
    assert_int_equal(n_claims, n_cells);
}

static void shipped_claims_are_expected(void **unused)
{
    static const char *const paths[] = {"experiments/claims/rdp.ini",
                                        "experiments/claims/som.ini",
                                        "experiments/claims/stixels.ini"};
    int n_quoted = 0;

    (void)unused;
    if (claims_read(paths, 3, "results/paper", &claims) != BENCH_OK ||
        claims_read_expected("experiments/claims/expected.csv", &claims) != BENCH_OK)
        fail_msg("%s", bench_failure());
    for (int i = 0; i < claims.n; i++) {
        const struct claim *c = &claims.claim[i];
        bool again = false;

        if (c->paper) {
            const struct claim_judgement j = judge(i, NULL);

            if (j.verdict != j.expected)
                fail_msg("%s: %s: %s", c->id, claim_verdict_names[j.verdict], j.reason);
        }
        for (int k = 0; k < i && c->words; k++)
            again |= claims.claim[k].words && !strcmp(claims.claim[k].words, c->words);
        n_quoted += c->words && !c->table && !again;
    }
    assert_true(n_quoted >= 60);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_cell_is_a_claim),
        TEST(a_wrong_cell_is_found_alone),
        TEST(odd_digits_are_read),
        TEST(wrong_tables_are_refused),
        TEST(what_has_no_counterpart_says_why),
        TEST(faster_is_by_more_than_noise),
        TEST(seeds_scatter),
        TEST(a_number_is_within_with_its_noise),
        TEST(one_run_decides_nothing),
        TEST(a_profilers_row_does_not_count),
        TEST(the_best_team_is_of_the_newest_session),
        TEST(a_list_is_a_mean_of_all_of_it),
        TEST(a_value_may_have_an_index),
        TEST(counters_are_cells),
        TEST(a_slip_in_a_key_is_no_missing_row),
        TEST(shape_is_within_a_factor_of_2),
        TEST(other_inputs_are_another_experiment),
        TEST(a_bound_in_ms_is_of_its_hardware),
        TEST(a_deviation_is_an_exit_status),
        TEST(wrong_expectations_are_refused),
        TEST(expectations_are_written_and_others_kept),
        TEST(cells_without_a_row_share_a_line),
        TEST(no_printed_cell_is_left_out),
        TEST(shipped_claims_are_expected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_compare.c - what is said of two sides of made result files, and of histories; the rule
 * against suites of which the truth is known
 *
 * The suites are simulated: a process has an offset of its own in each configuration, as processes do.
 * docs/REGRESSION.md has the rates found here with more suites.
 */
#include "harness/analysis/query.h"
#include "harness/analysis/compare.h"

#include "verdict_sql.h"

#include "tests/session.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- made sessions ---- */

/* A session of one process, number N, sNN.csv, of build a or of head's: rows
 * "MS KEY=VALUE, MS", or the file as it stands where it has lines.  "date=" is that of its commit. */
static void add_session(const char *folder, int number, double factor, const char *rows)
{
    char name[20], usual[700], env[200];
    const char *const date = find_word(rows, "date", 4);

    snprintf(name, sizeof name, "s%02d.csv", number);
    if (strchr(rows, '\n')) {
        write_text(folder, name, rows);
        return;
    }
    snprintf(
        usual, sizeof usual,
        "median_ms= schema=1 utc=2026-01-01T00:00:00Z commit=1234567890 dirty=0 "
        "build_hash=%s protocol=paper machine=m problem=rdp impl=rdp/serial device=serial "
        "params=eps=4;height=40 "
        "plan=frames=1;stages=0;values=1;samples=5..15;precision=0.005;min_time=0.1;"
        "timeout=2 threads=1 input=scene frame_pick=all batch=1 input_hash=1111 n_inputs=1 "
        "n_frames=1 verdict=exact output_hash=0123456789abcdef scope=kernel series=hot "
        "stage= reps=1 transfer=copy mode_name=any status=ok reason= eps=4 height=40 "
        "sm_count=132 sms= host= gpu_uuid= realtime=",
        *folder == 'h' ? "b" : "a");
    name[3] = '\0';
    write_session(folder, name, usual, factor, rows);
    if (date) {
        snprintf(name, sizeof name, "s%02d.env.txt", number);
        snprintf(env, sizeof env, "commit_date=%.*s\n", (int)strcspn(date, " ,"), date);
        write_text(folder, name, env);
    }
}

/* Sessions with "|" between them, of build b in a folder of head's, else of build a; "N* ROWS"
 * are N whose times differ a little. */
static void write_sessions(const char *folder, const char *sessions)
{
    const size_t star = strspn(sessions, "0123456789");
    const int n = sessions[star] == '*' ? atoi(sessions) : 0;
    char rows[1200];

    support_remove(folder);
    assert_int_equal(text_make_folder(folder), BENCH_OK);
    for (int i = 0; i < n; i++)
        add_session(folder, i, 1 + 0.0005 * ((i * 3) % n), sessions + star + 1);
    for (int i = 0; !n && *sessions; i++) {
        snprintf(rows, sizeof rows, "%.*s", (int)strcspn(sessions, "|"), sessions);
        add_session(folder, i, 1, rows);
        sessions += strlen(rows) + (sessions[strlen(rows)] == '|');
    }
}

static char case_file[4200]; /* made sessions have a folder of their own */

static int begin(void **unused)
{
    static char place[4200];

    if (!*place) {
        assert_non_null(realpath("tests/compare.cases", case_file));
        assert_int_equal(text_make_folder(support_place()), BENCH_OK);
        assert_non_null(realpath(support_place(), place));
        snprintf(place + strlen(place), 20, "/compare");
    }
    support_remove(place);
    assert_int_equal(text_make_folder(place), BENCH_OK);
    return chdir(place);
}

/* ---- what is said ---- */

/* Sides have blanks between them. */
static enum bench_status read_sides(const char *sides, bool all, struct store **store)
{
    char name[4][100];
    const char *const side[] = {name[0], name[1], name[2], name[3]};
    const int n = sscanf(sides, "%99s %99s %99s %99s", name[0], name[1], name[2], name[3]);

    return compare_read(&(struct compare_request){side, n, 0.02, 0.05, all, NULL, NULL}, store);
}

/* The one text of an answer, or why there is none, is this or has it; the store is closed. */
static void expect(enum bench_status status, struct store **store, const char *sql,
                   const char *expected)
{
    struct table answer = {0};
    const char *found = bench_failure();

    if (!status) {
        assert_int_equal(query_table(*store, sql, &answer), BENCH_OK);
        found = answer.cell->text ? answer.cell->text : "";
    }
    if (status ? !strstr(found, expected) : strcmp(found, expected) != 0)
        fail_msg("expected:\n%s\nfound:\n%s", expected, found);
    table_free(&answer);
    store_close(*store);
}

#define CELLS                                                                                 \
    "SELECT group_concat(verdict || coalesce(' ' || base_ms, '') || ' ' || n_base || '+' || " \
    "n_head || coalesce(' q ' || short_text(q, 2), '') || coalesce(': ' || reason, ''), ', "  \
    "') "                                                                                     \
    "FROM listed"

/* A test of the lines of a section of the file of cases, and what is asked of each. */
static const struct section {
    const char *test, *name, *sql;
} sections[] = {
    {"what_is_said_of_two_sides", "two sides", CELLS},
    {"exact_tests_and_intervals", "exact tests and intervals",
     "SELECT printf('p %.6g, %f to %f at %f', p, ci_lo, ci_hi, confidence) FROM listed"},
    /* "label ms, | label ms": points, '|' before a step; then what is said of machines */
    {"histories", "histories",
     "SELECT group_concat(CASE step WHEN 0 THEN '' ELSE '| ' END || "
     "trim(cell || ' ' || median_ms), ', ') || coalesce((SELECT char(10) || "
     "rtrim(substr(text, instr(text, 'points of')), char(10)) FROM page WHERE "
     "text LIKE '%points of%'), '') FROM listed"},
};
#define N_SECTIONS 3
static const struct section *section;

/* "SESSIONS // SESSIONS" are those of base and of head, or of a machine and what is wanted. */
static void say(const char *text, const char *expected)
{
    const bool is_history = !strcmp(section->name, "histories");
    const char *const between = strstr(text, "// ");
    struct store *store;
    char sessions[1500];

    assert_non_null(between);
    snprintf(sessions, sizeof sessions, "%.*s", (int)(between - text - (between > text)), text);
    write_sessions(is_history ? "machine" : "base", sessions);
    if (!is_history)
        write_sessions("head", between + 3);
    expect(is_history ? history_read("machine", between + 3, NULL, &store)
                      : read_sides("base head", true, &store),
           &store, section->sql, expected);
}

static void each_of_section(void **state)
{
    section = *state;
    each_case(case_file, section->name, say);
}

/* Of 10 ms base has 3 + 1 + 1 runs, of 12 ms at height 80 two. */
static void files_folders_and_withdrawn_rows(void **unused)
{
    struct store *store;

    write_sessions("base", "3* 10");
    write_sessions("more", "99, 12 height=80|10, 99 height=80|10, 12 height=80");
    write_text("more", "WITHDRAWN", "s01:r2 another program ran\ns00:r1 and so it did here\n");
    write_sessions("other", "10|99|hello\n1\n");
    write_sessions("head", "20, 20 height=80");
    expect(read_sides("base,more,other/s00.csv head", false, &store), &store, CELLS,
           "unclear 10.0 6+1 q 0.29: about 8 runs a side would decide, unclear 12.0 2+1 q "
           "0.33: about 8 runs a side would decide");
    expect(read_sides("base,other/s02.csv head", false, &store), &store, CELLS,
           "other/s02.csv:1: expected the header of a session");
}

/* ---- reports ---- */

/* The whole report and how its CSV begins, in 80 columns; the store is closed. */
static void expect_page(enum bench_status status, struct store **store, const char *expected,
                        const char *csv)
{
    struct text page = {0}, found = {0};

    assert_int_equal(status, BENCH_OK);
    assert_int_equal(compare_print(*store, "text", &page), BENCH_OK);
    assert_int_equal(compare_print(*store, "csv", &found), BENCH_OK);
    assert_string_equal(page.data, expected);
    for (const char *line = page.data; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
    found.data[strlen(csv)] = '\0';
    assert_string_equal(found.data, csv);
    text_free(&page);
    text_free(&found);
    store_close(*store);
}

/* What changed stands first. */
static void a_report_and_its_csv(void **unused)
{
    struct store *store;

    write_sessions("base",
                   "8* 10 host=a gpu_uuid=G1, 10 height=80, 10 height=120, 10 height=160, "
                   "10 height=200");
    write_sessions("head", "8* 10 host=a gpu_uuid=G2, 20 height=80, "
                           "5 height=120, 20 height=160 output_hash=f");
    expect_page(
        read_sides("base head", false, &store), &store,
        "base: commit 1234567, build a, 8 runs\n"
        "head: commit 1234567, build b, 8 runs\n"
        "all configurations:\n"
        "    impl=rdp/serial input=scene frame_pick=all batch=1 scope=kernel series=hot\n"
        "    width=0 eps=4 distance=vertical resample=linear median=0 protocol=paper\n"
        "left out: 1 configurations of base alone, 0 of head alone\n"
        "These are rows of 1 host and 2 GPUs: a difference may be theirs.\n"
        "\n"
        "verdict          base ms   head ms change %  95 % interval      runs       q\n"
        "changed-output     10.02     20.04   +100.0  +99.7..+100.3       8+8 0.00021\n"
        "    rdp/serial height=160\n"
        "    its output is another one: f, was 0123456789abcdef\n"
        "slower             10.02     20.04   +100.0  +99.7..+100.3       8+8 0.00021\n"
        "    rdp/serial height=80\n"
        "faster             10.02     5.009    -50.0  -50.1..-49.9        8+8 0.00021\n"
        "    rdp/serial height=120\n"
        "\n"
        "4 configurations: 1 changed-output, 1 slower, 1 faster, 0 unclear, 1 same\n",
        "\"verdict\",\"impl\",\"scope\",\"series\",\"input\",\"frame_pick\",\"params\",\"n_"
        "base\","
        "\"n_head\",\"base_ms\",\"head_ms\",\"change\",\"ci_lo\",\"ci_hi\",\"confidence\","
        "\"p\",\"q\",\"floor\",\"runs_needed\",\"base_commit\",\"head_commit\",\"reason\"\n"
        "\"changed-output\",\"rdp/serial\",");
}

/* ---- other programs ---- */

/* All of a format; the store stays. */
static void expect_format(struct store *store, const char *format, const char *expected)
{
    struct text found = {0};

    assert_int_equal(compare_has_format(format), BENCH_OK);
    assert_int_equal(compare_print(store, format, &found), BENCH_OK);
    assert_string_equal(found.data ? found.data : "", expected);
    text_free(&found);
}

/* A configuration's name does not depend on what is compared beside it. */
#define OF_HEIGHT(height)                                                               \
    "input=scene frame_pick=all batch=1 scope=kernel series=hot width=0 height=" height \
    " eps=4 distance=vertical resample=linear median=0 protocol=paper"
#define LABELS(height) "impl=\"rdp/serial\",configuration=\"" OF_HEIGHT(height) "\"} "

/* One is slower, one failed for a reason that means something in each format, one is the same. */
static void formats(void **unused)
{
    struct store *store;

    write_sessions("base", "8* 10, 10 height=80, 10 height=120");
    write_sessions("head",
                   "8* 10, 20 height=80, 9 height=120 status=failed reason=<a>|d%:\\e'");
    assert_int_equal(read_sides("base head", false, &store), BENCH_OK);
    expect_format(store, "github",
                  "::error title=rdp/serial height=120::changed-output: was exact, is failed: "
                  "<a>|d%25:\\e'\n"
                  "::error title=rdp/serial height=80::slower: 20.04 ms, was 10.02 ms, +100.0 "
                  "%25 (95 %25 interval +99.7 to +100.3 %25)\n");
    expect_format(
        store, "md",
        "### 3 configurations: 1 changed-output, 1 slower, 0 faster, 0 unclear, 1 same\n\n"
        "base: commit 1234567, build a, 8 runs\n\nhead: commit 1234567, build b, 8 runs\n\n"
        "| verdict | configuration | base, ms | head, ms | change, % | interval, % | runs | q "
        "|\n"
        "| --- | --- | ---: | ---: | ---: | --- | --- | ---: |\n"
        "| changed-output | rdp/serial height=120: was exact, is failed: "
        "&lt;a&gt;\\|d%:\\\\e&#39; "
        "| 10.02 |  |  |  | 8 + 0 | 1 |\n"
        "| slower | rdp/serial height=80 | 10.02 | 20.04 | +100.0 | +99.7 to +100.3 (95 %) | 8 "
        "+ "
        "8 | 0.00047 |\n");
    expect_format(
        store, "junit",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
        "<testsuite name=\"depthbench compare\" tests=\"3\" failures=\"2\" errors=\"0\" "
        "skipped=\"0\">\n<properties>\n"
        "<property name=\"base_commit\" value=\"1234567890\"/>\n"
        "<property name=\"base_build\" value=\"a\"/>\n"
        "<property name=\"head_commit\" value=\"1234567890\"/>\n"
        "<property name=\"head_build\" value=\"b\"/>\n</properties>\n"
        "<testcase classname=\"rdp/serial\" name=\"" OF_HEIGHT(
            "120") "\">\n"
                   "<failure type=\"changed-output\" message=\"changed-output: was exact, is "
                   "failed: "
                   "&lt;a&gt;|d%:\\e&#39;\"/>\n</testcase>\n"
                   "<testcase classname=\"rdp/serial\" name=\"" OF_HEIGHT(
                       "80") "\">\n"
                             "<failure type=\"slower\" message=\"slower: 20.04 ms, was 10.02 "
                             "ms, +100.0 % (95 % "
                             "interval +99.7 to +100.3 %)\"/>\n</testcase>\n"
                             "<testcase classname=\"rdp/serial\" name=\"" OF_HEIGHT(
                                 "40") "\">\n"
                                       "<system-out>same: 10.02 ms, was 10.02 ms, +0.0 % (95 % "
                                       "interval -0.1 to +0.1 "
                                       "%)</system-out>\n</testcase>\n</testsuite>\n</"
                                       "testsuites>\n");
    expect_format(store, "bmf",
                  "{\"rdp/serial " OF_HEIGHT(
                      "80") "\":{\"median_ms\":{\"value\":20.035,"
                            "\"lower_value\":20.0,\"upper_value\":20.07}},"
                            "\"rdp/serial " OF_HEIGHT(
                                "40") "\":{\"median_ms\":{\"value\":10.0175,"
                                      "\"lower_value\":10.0,\"upper_value\":10.035}}}\n");
    expect_format(
        store, "openmetrics",
        "# TYPE depthbench_median_ms gauge\n# UNIT depthbench_median_ms ms\n"
        "# HELP depthbench_median_ms Time of a frame, the median of the processes.\n"
        "depthbench_median_ms{side=\"base\"," LABELS(
            "80") "10.0175\n"
                  "depthbench_median_ms{side=\"head\"," LABELS(
                      "80") "20.035\n"
                            "depthbench_median_ms{side=\"base\"," LABELS(
                                "40") "10.0175\n"
                                      "depthbench_median_ms{side=\"head\"," LABELS(
                                          "40") "10.0175\n"
                                                "# TYPE depthbench_change_ratio gauge\n# UNIT "
                                                "depthbench_change_ratio ratio\n"
                                                "# HELP depthbench_change_ratio head / base - "
                                                "1\n"
                                                "depthbench_change_ratio{" LABELS(
                                                    "80") "1.0\n"
                                                          "depthbench_change_ratio{" LABELS(
                                                              "40") "0.0\n"
                                                                    "# TYPE depthbench_verdict "
                                                                    "gauge\n"
                                                                    "# HELP depthbench_verdict "
                                                                    "What was found, 1 each.\n"
                                                                    "depthbench_verdict{"
                                                                    "verdict=\"changed-"
                                                                    "output\"," LABELS(
                                                                        "120") "1\n"
                                                                               "depthbench_"
                                                                               "verdict{"
                                                                               "verdict="
                                                                               "\"slower\""
                                                                               "," LABELS(
                                                                                   "80") "1\n"
                                                                                         "depth"
                                                                                         "bench"
                                                                                         "_verd"
                                                                                         "ict{"
                                                                                         "verdi"
                                                                                         "ct="
                                                                                         "\"sam"
                                                                                         "e\""
                                                                                         "," LABELS(
                                                                                             "4"
                                                                                             "0") "1\n"
                                                                                                  "# TYPE depthbench_build gauge\n"
                                                                                                  "# HELP depthbench_build The programs that were compared, 1 each.\n"
                                                                                                  "depthbench_build{side=\"base\",commit=\"1234567890\",build=\"a\"} 1\n"
                                                                                                  "depthbench_build{side=\"head\",commit=\"1234567890\",build=\"b\"} 1\n# EOF\n");
    store_close(store);
}

/* Unclear ones are warned of and skipped; what neither has a time nor a difference is no metric. */
static void formats_of_what_is_unclear(void **unused)
{
    struct store *store;
    struct text found = {0};

    write_sessions("base", "10, 0 height=80");
    write_sessions("head", "11, 0 height=80");
    assert_int_equal(read_sides("base head", false, &store), BENCH_OK);
    expect_format(store, "github",
                  "::warning title=rdp/serial height=40::unclear: 11 ms, was 10 ms, +10.0 %25; "
                  "one run a side decides nothing; about 8 runs a side would decide\n");
    expect_format(
        store, "bmf",
        "{\"rdp/serial " OF_HEIGHT("40") "\":{\"median_ms\":{\"value\":11.0,"
                                         "\"lower_value\":11.0,\"upper_value\":11.0}}}\n");
    assert_int_equal(compare_print(store, "junit", &found), BENCH_OK);
    assert_non_null(
        strstr(found.data, " tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\">"));
    assert_non_null(strstr(found.data, "\n<skipped>unclear: 11 ms, was 10 ms, +10.0 %; "
                                       "one run"));
    assert_non_null(strstr(found.data, "\n<system-out>same: without times</system-out>\n"));
    text_free(&found);
    store_close(store);
    assert_int_equal(compare_has_format("xml"), BENCH_EINPUT);
}

/* Of two commits that are one program each format has a document without configurations. */
static void formats_of_one_program(void **unused)
{
    static const char *const side[] = {"1111111111", "2222222222"};
    struct store *store;
    bool unclear;

    assert_int_equal(
        compare_read(&(struct compare_request){side, 2, 0.02, 0.05, false, NULL, "cafe"},
                     &store),
        BENCH_OK);
    expect_format(store, "text",
                  "same: 1111111 and 2222222 are the same program (build_hash cafe); nothing "
                  "was\nrun\n");
    expect_format(store, "md", "Both are the same program (build cafe): nothing was run.\n");
    expect_format(store, "github", "");
    expect_format(store, "bmf", "{}\n");
    expect_format(store, "json", "[]\n");
    expect_format(store, "junit",
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                  "<testsuite name=\"depthbench compare\" tests=\"0\" failures=\"0\" "
                  "errors=\"0\" skipped=\"0\">\n<properties>\n"
                  "<property name=\"base_commit\" value=\"1111111111\"/>\n"
                  "<property name=\"base_build\" value=\"cafe\"/>\n"
                  "<property name=\"head_commit\" value=\"2222222222\"/>\n"
                  "<property name=\"head_build\" value=\"cafe\"/>\n</properties>\n"
                  "</testsuite>\n</testsuites>\n");
    assert_int_equal(compare_outcome(store, &unclear), BENCH_OK);
    assert_false(unclear);
    store_close(store);
}

/* ---- two stages ---- */

static void stages(void **unused)
{
    struct store *store;
    struct text line = {0};

    write_sessions("base1", "10, 10 device=gpu height=80|10.04, 10.04 device=gpu "
                            "height=80|10.08, 10.08 device=gpu height=80");
    write_sessions("head1", "10.01, 20 device=gpu height=80|10.05, 20.1 device=gpu "
                            "height=80|10.09, 20.2 device=gpu height=80");
    assert_int_equal(read_sides("base1 head1", false, &store), BENCH_OK);
    assert_int_equal(compare_suspects(store, "suspects", &line), BENCH_OK);
    assert_string_equal(line.data, "2 configurations, 1 go on, 8 runs a side\n");
    store_close(store);
    /* no transfer: older builds know no such key */
    assert_file("suspects/rdp.ini",
                "; configurations whose first runs were apart\n[global]\nproblem=rdp\n\n"
                "[cell-2]\nvalues=0\nimpl=rdp/serial\ninput=scene\nframe_pick=all\nbatch=1\n"
                "scope=kernel\nseries=hot\nheight=80\neps=4\nframes=1\nsamples=5..15\n"
                "precision=0.5%\nmin_time=0.1\ntimeout=2\n");
    write_sessions("base2", "8* 10 device=gpu height=80");
    write_sessions("head2", "8* 20 device=gpu height=80");
    expect(read_sides("base2 head2 base1 head1", true, &store), &store, CELLS,
           "slower 10.0175 8+8 q 0.00031, same 10.04 3+3 q 1");
    write_sessions("head2", "8* 20 device=gpu height=80 build_hash=other");
    expect(read_sides("base2 head2 base1 head1", true, &store), &store, CELLS,
           "head2: expected rows of one build, found commits");
    /* the word of a row that names a file is a name, not a path out of the folder */
    write_sessions("head1", "3* 20 problem=../out");
    assert_int_equal(read_sides("base1 head1", false, &store), BENCH_OK);
    assert_int_equal(compare_suspects(store, "suspects", &line), BENCH_EINPUT);
    text_free(&line);
    assert_int_not_equal(access("out.ini", F_OK), 0);
    store_close(store);
}

/* Measured in another order than committed; one session is withdrawn. */
static void a_history_and_its_csv(void **unused)
{
    struct store *store;

    write_sessions("machine",
                   "10.02 date=2026-01-03T12:00:00+00:00 commit=0000003|12.01 "
                   "date=2026-01-07T12:00:00Z commit=0000007 host=a|99|"
                   "12 date=2026-01-06T12:00:00Z commit=0000006|10 date=2026-01-01T12:00:00Z "
                   "commit=0000001|12.02 date=2026-01-08T12:00:00Z commit=0000008 dirty=1|"
                   "10.01 commit=0000002|10.01 date=2026-01-04T12:00:00Z commit=0000004|10.02 "
                   "date=2026-01-05T12:00:00Z commit=0000005");
    write_text("machine", "WITHDRAWN", "s02 the fan stood still\n");
    expect_page(
        history_read("machine", "rdp/serial,height=40", NULL, &store), &store,
        "rdp/serial,height=40 on m\n"
        "\n"
        "commit of             commit    median ms             interval  step\n"
        "2026-01-01T00:00:00Z* 0000002       10.01       10.01 .. 10.01\n"
        "2026-01-01T12:00:00Z  0000001          10             10 .. 10\n"
        "2026-01-03T12:00:00Z  0000003       10.02       10.02 .. 10.02\n"
        "2026-01-04T12:00:00Z  0000004       10.01       10.01 .. 10.01\n"
        "2026-01-05T12:00:00Z  0000005       10.02       10.02 .. 10.02\n"
        "2026-01-06T12:00:00Z  0000006          12             12 .. 12  +20.0 % slower\n"
        "2026-01-07T12:00:00Z  0000007       12.01       12.01 .. 12.01\n"
        "2026-01-08T12:00:00Z  0000008+      12.02       12.02 .. 12.02\n"
        "8 points, 1 step\n"
        "points of at least 1 host: a step may be the machine's\n"
        "\n"
        "* the day of the run: its files do not say when the commit was made\n",
        "\"wanted\",\"cell\",\"cell_number\",\"point\",\"date\",\"commit_hash\",\"dirty\","
        "\"machine_name\",\"session\",\"row_id\",\"median_ms\",\"ci_lo_ms\",\"ci_hi_"
        "ms\",\"fps\",\"level_ms\",\"step\",\"host\",\"gpu_uuid\"\n"
        "\"rdp/serial height=40\",,\"1\",\"1\",\"2026-01-01T00:00:00Z\",");
}

/* ---- the rule on suites ---- */

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

/* n numbers a side: a process's offset in this configuration, and what is left of the samples' noise.
 * Whether the sides are apart. */
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

/* What verdict.sql says of a suite is added to 'sums'. */
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
    store_close(store);
}

static void runs_by_cells(void **unused)
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

/* One configuration of a suite became slower. */
static void suites_of_which_the_truth_is_known(void **unused)
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

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup(test, begin)
    struct CMUnitTest tests[N_SECTIONS + 9] = {
        [N_SECTIONS] = FRESH(files_folders_and_withdrawn_rows),
        FRESH(a_report_and_its_csv),
        FRESH(formats),
        FRESH(formats_of_what_is_unclear),
        FRESH(formats_of_one_program),
        FRESH(stages),
        FRESH(a_history_and_its_csv),
        cmocka_unit_test(runs_by_cells),
        cmocka_unit_test(suites_of_which_the_truth_is_known),
    };

    for (int i = 0; i < N_SECTIONS; i++)
        tests[i] = (struct CMUnitTest){sections[i].test, each_of_section, begin, NULL,
                                       (void *)(uintptr_t)&sections[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

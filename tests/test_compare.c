/* test_compare.c - two sides of made result files, and what is said of them; histories of made folders */
#include "judge/compare.h"
#include "judge/history.h"

#include "tests/files.h"
#include "tests/support.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER                                                                                \
    "schema,session,row_id,utc,commit,dirty,build_hash,profile,machine,problem,impl,device,"  \
    "params,plan,threads,input,case,batch,input_hash,n_inputs,n_frames,verdict,output_hash,"  \
    "scope,series,lap,reps,transfer,mode_name,median_ms,ci_lo_ms,ci_hi_ms,status,reason,eps," \
    "height,sm_count,sms,host,gpu_uuid\n"

static char place[1000];
static const struct compare_options usual = {.floor = 0.02, .fdr = 0.05};

/* A row of a made session.  NULL fields have a usual value. */
struct made {
    const char *impl, *build, *commit, *machine, *hash, *input_hash, *verdict, *status, *reason,
        *lap, *profile, *series, *scope, *reps, *sms, *host, *gpu; /* of 132 multiprocessors */
    int height;
    double ms;
};

static const char *or_else(const char *text, const char *usual_text)
{
    return text ? text : usual_text;
}

static void add_row(struct text *csv, const char *session, int id, const struct made *m)
{
    char ms[TEXT_NUMBER];

    text_number(ms, m->ms);
    text_format(
        csv,
        "1,%s,r%06d,2026-01-01T00:00:00Z,%s,0,%s,%s,%s,rdp,%s,serial,eps=4;height=%d,"
        "frames=1;laps=0;values=1;samples=5..15;precision=0.005;min_time=0.1;timeout=2,1,scene,"
        "all,1,%s,1,1,%s,%s,%s,%s,%s,%s,copy,any,%s,%s,%s,%s,%s,4,%d,132,%s,%s,%s\n",
        session, id, or_else(m->commit, "1234567890"), or_else(m->build, "aaaa"),
        or_else(m->profile, "paper"), or_else(m->machine, "m"), or_else(m->impl, "rdp/serial"),
        m->height ? m->height : 40, or_else(m->input_hash, "1111"),
        or_else(m->verdict, "exact"), or_else(m->hash, "0123456789abcdef"),
        or_else(m->scope, "kernel"), or_else(m->series, "hot"), or_else(m->lap, ""),
        or_else(m->reps, "1"), ms, ms, ms, or_else(m->status, "ok"), or_else(m->reason, ""),
        m->height ? m->height : 40, or_else(m->sms, ""), or_else(m->host, ""),
        or_else(m->gpu, ""));
}

static void path_of(const char *name, char path[1200])
{
    snprintf(path, 1200, "%s/%s", place, name);
}

static void write_text(const char *name, const char *content)
{
    char path[1200];

    path_of(name, path);
    write_bytes(path, content, strlen(content));
}

static void make_folder(const char *name)
{
    char path[1200];

    path_of(name, path);
    assert_int_equal(text_make_folder(path), BENCH_OK);
}

/* A session of one process: folder/N.csv. */
static void write_session(const char *folder, int number, const struct made *rows, int n)
{
    struct text csv = {0};
    char name[200], session[20];

    make_folder(folder);
    snprintf(session, sizeof session, "s%02d", number);
    text_add(&csv, HEADER);
    for (int i = 0; i < n; i++)
        add_row(&csv, session, i + 1, &rows[i]);
    snprintf(name, sizeof name, "%s/%s.csv", folder, session);
    write_text(name, csv.data);
    text_free(&csv);
}

/* n processes of one cell, each a little different. */
static void write_side(const char *folder, int n, struct made row)
{
    const double ms = row.ms;

    for (int i = 0; i < n; i++) {
        row.ms = ms * (1 + 0.0005 * ((i * 3) % n));
        write_session(folder, i, &row, 1);
    }
}

static int begin(void **unused)
{
    (void)unused;
    snprintf(place, sizeof place, "%s/compare", support_place());
    support_remove(place);
    return text_make_folder(place);
}

static enum bench_status read_sides(const char *base, const char *head, const char *base1,
                                    const char *head1, struct comparison *c)
{
    static char path[4][1200];
    const char *const side[4] = {path[0], path[1], path[2], path[3]};

    path_of(base, path[0]);
    path_of(head, path[1]);
    if (base1)
        path_of(base1, path[2]);
    if (head1)
        path_of(head1, path[3]);
    return compare_read(side, base1 ? side + 2 : NULL, &usual, c);
}

static void compare(const char *base, const char *head, struct comparison *c)
{
    if (read_sides(base, head, NULL, NULL, c) != BENCH_OK)
        fail_msg("%s", bench_failure());
}

static void refuses(const char *base, const char *head, const char *words)
{
    struct comparison c;

    assert_int_equal(read_sides(base, head, NULL, NULL, &c), BENCH_EINPUT);
    if (!strstr(bench_failure(), words))
        fail_msg("no '%s' in: %s", words, bench_failure());
}

static enum regression_verdict verdict(const char *base, const char *head)
{
    struct comparison c;
    enum regression_verdict found;

    compare(base, head, &c);
    assert_int_equal(c.n, 1);
    found = c.judged[0].verdict;
    compare_free(&c);
    return found;
}

/* ---- verdicts ---- */

static void sides_of_processes(void **unused)
{
    (void)unused;
    write_side("base", 8, (struct made){.ms = 10});
    write_side("slow", 8, (struct made){.ms = 11, .build = "b"});
    write_side("fast", 8, (struct made){.ms = 9, .build = "b"});
    write_side("alike", 8, (struct made){.ms = 10.05, .build = "b"});
    assert_int_equal(verdict("base", "slow"), REGRESSION_SLOWER);
    assert_int_equal(verdict("base", "fast"), REGRESSION_FASTER);
    assert_int_equal(verdict("base", "alike"), REGRESSION_SAME);
    write_side("twin", 8, (struct made){.ms = 30});
    assert_int_equal(verdict("base", "twin"), REGRESSION_SAME); /* the same program */
}

static void a_single_process_decides_nothing(void **unused)
{
    struct comparison c;

    (void)unused;
    write_side("base", 1, (struct made){.ms = 10});
    write_side("head", 1, (struct made){.ms = 30, .build = "b"});
    compare("base", "head", &c);
    assert_int_equal(c.judged[0].verdict, REGRESSION_UNCLEAR);
    assert_int_equal(c.judged[0].runs, 8);
    assert_non_null(strstr(c.reason[0], "one run a side decides nothing"));
    assert_non_null(strstr(c.reason[0], "8 runs"));
    compare_free(&c);
}

static void files_and_folders_in_a_list(void **unused)
{
    struct comparison c;
    char side[2][5000] = {"", ""};
    const char *const sides[2] = {side[0], side[1]};

    (void)unused;
    write_side("a", 5, (struct made){.ms = 10});
    write_side("b", 3, (struct made){.ms = 10});
    write_side("head", 8, (struct made){.ms = 12, .build = "b"});
    snprintf(side[0], sizeof side[0], "%s/a,%s/b/s00.csv,%s/b/s01.csv,%s/b/s02.csv", place,
             place, place, place);
    snprintf(side[1], sizeof side[1], "%s/head", place);
    assert_int_equal(compare_read(sides, NULL, &usual, &c), BENCH_OK);
    assert_int_equal(c.judged[0].n_a, 8);
    assert_int_equal(c.judged[0].verdict, REGRESSION_SLOWER);
    compare_free(&c);
}

static void changed(const char *what, struct made head, const char *words)
{
    struct comparison c;

    head.build = "b";
    support_remove(place);
    write_side("base", 2, (struct made){.ms = 10});
    write_side("head", 2, head);
    compare("base", "head", &c);
    if (c.judged[0].verdict != REGRESSION_CHANGED || !strstr(c.reason[0], words))
        fail_msg("%s: %s, %s", what, regression_verdict_names[c.judged[0].verdict],
                 c.reason[0]);
    compare_free(&c);
}

static void changed_outputs(void **unused)
{
    (void)unused;
    changed("hash", (struct made){.ms = 10, .hash = "fedcba9876543210"},
            "output is another one");
    changed("verdict", (struct made){.ms = 10, .verdict = "within"}, "was exact, is within");
    changed("wrong", (struct made){.status = "wrong", .reason = "3 values"},
            "was exact, is wrong: 3 values");
    changed("failed", (struct made){.status = "failed"}, "is failed");
    changed("input", (struct made){.ms = 10, .input_hash = "2222"}, "input is another one");
}

/* What a variant that rounds as it pleases leaves differs from run to run: no news. */
static void outputs_that_vary_are_not_compared(void **unused)
{
    struct made row = {.ms = 10, .hash = "1111111111111111"};

    (void)unused;
    write_session("base", 0, &row, 1);
    row.hash = "2222222222222222";
    write_session("base", 1, &row, 1);
    write_side("head", 2, (struct made){.ms = 10, .build = "b", .hash = "3333333333333333"});
    assert_int_not_equal(verdict("base", "head"), REGRESSION_CHANGED);
}

static void short_times_have_an_absolute_floor(void **unused)
{
    (void)unused;
    /* 10 % of 10 us is 1 us: below 2 us in a stretch of one run, above in one of twenty */
    write_side("base", 8, (struct made){.ms = 0.010});
    write_side("head", 8, (struct made){.ms = 0.011, .build = "b"});
    assert_int_equal(verdict("base", "head"), REGRESSION_SAME);
    support_remove(place);
    write_side("base", 8, (struct made){.ms = 0.010, .reps = "20"});
    write_side("head", 8, (struct made){.ms = 0.011, .reps = "20", .build = "b"});
    assert_int_equal(verdict("base", "head"), REGRESSION_SLOWER);
}

/* ---- rows that do not count ---- */

static void only_whole_good_rows_count(void **unused)
{
    const struct made rows[] = {{.ms = 10},
                                {.ms = 1, .lap = "dp"},
                                {.ms = 2, .height = 80, .profile = "profiler"},
                                {.ms = 3, .height = 120, .status = "unstable"}};
    struct comparison c;

    (void)unused;
    write_session("base", 0, rows, 4);
    write_session("base", 1, rows, 4);
    write_side("head", 2, (struct made){.ms = 10, .build = "b"});
    compare("base", "head", &c);
    assert_int_equal(c.n, 1);
    assert_int_equal(c.n_alone[0], 1); /* the unstable one */
    assert_true(fabs(c.judged[0].base - 10) < 1e-9);
    compare_free(&c);
}

/* In one process the last row of a cell is its number. */
static void a_process_has_one_number(void **unused)
{
    const struct made rows[] = {{.ms = 10}, {.ms = 12}};
    struct comparison c;

    (void)unused;
    write_session("base", 0, rows, 2);
    write_side("head", 2, (struct made){.ms = 10, .build = "b"});
    compare("base", "head", &c);
    assert_int_equal(c.judged[0].n_a, 1);
    assert_true(fabs(c.judged[0].base - 12) < 1e-9);
    compare_free(&c);
}

/* A resumed session: its first try was unstable, and the second is no second one of the session before. */
static void a_second_try_replaces_its_own_process_alone(void **unused)
{
    const struct made tries[] = {{.ms = 30, .status = "unstable"}, {.ms = 11}};
    struct comparison c;

    (void)unused;
    write_session("base", 0, &(struct made){.ms = 10}, 1);
    write_session("base", 1, tries, 2);
    write_side("head", 2, (struct made){.ms = 10, .build = "b"});
    compare("base", "head", &c);
    assert_int_equal(c.judged[0].n_a, 2);
    assert_true(fabs(c.judged[0].a[0] - 10) < 1e-9 && fabs(c.judged[0].a[1] - 11) < 1e-9);
    compare_free(&c);
}

static void withdrawn_rows_are_left_out(void **unused)
{
    const struct made rows[] = {{.ms = 10}, {.ms = 20, .height = 80}};
    struct comparison c;

    (void)unused;
    for (int i = 0; i < 3; i++)
        write_session("base", i, rows, 2);
    write_session("head", 0, rows, 2);
    write_text("base/WITHDRAWN",
               "s01 a laptop on its battery\ns02:r000002 another program ran\n");
    compare("base", "head", &c);
    assert_int_equal(c.n, 2);
    for (int i = 0; i < 2; i++)
        assert_int_equal(c.judged[i].n_a, strstr(c.traits[i], "height=80") ? 1 : 2);
    compare_free(&c);
}

/* ---- older files ---- */

static void older_schemas_are_read(void **unused)
{
    static const char old[] =
        "session,row_id,impl,params,input,scope,series,median_ms,status,height\n"
        "old,1,rdp/serial,height=40,scene,kernel,hot,10,ok,40\n"
        "old,2,rdp/serial,height=80,scene,kernel,hot,20,ok,80\n";
    const struct made rows[] = {{.ms = 10}, {.ms = 20, .height = 80}};
    struct comparison c;

    (void)unused;
    write_text("old.csv", old);
    write_session("head", 0, rows, 2);
    /* the old build knew no eps, which has a default, case nor batch, and its file tells neither machine nor verdict */
    compare("old.csv", "head", &c);
    assert_int_equal(c.n, 2);
    assert_int_equal(c.judged[0].verdict, REGRESSION_UNCLEAR);
    assert_false(c.same_binary); /* nobody knows which build it was */
    compare_free(&c);
}

/* Two cells of the newer build that the older one cannot tell apart. */
static void a_key_that_one_side_lacks(void **unused)
{
    struct comparison c;

    (void)unused;
    write_text("old.csv", "session,row_id,machine,impl,params,median_ms,status,height\n"
                          "old,1,m,rdp/x,height=40,10,ok,40\n");
    write_text("new.csv", "session,row_id,machine,impl,params,median_ms,status,height,dp\n"
                          "new,1,m,rdp/x,dp=a;height=40,10,ok,40,a\n"
                          "new,2,m,rdp/x,dp=b;height=40,90,ok,40,b\n");
    compare("old.csv", "new.csv", &c);
    assert_int_equal(c.n, 1);
    assert_int_equal(c.judged[0].verdict, REGRESSION_UNCLEAR);
    assert_non_null(strstr(c.reason[0], "lacks a key"));
    compare_free(&c);
}

/* ---- bad input ---- */

static void bad_sides_get_a_sentence(void **unused)
{
    (void)unused;
    write_side("base", 2, (struct made){.ms = 10});
    write_side("other", 1, (struct made){.ms = 10, .machine = "n", .build = "b"});
    refuses("base", "other", "results of m and of n");
    write_side("far", 1, (struct made){.ms = 10, .height = 99, .build = "b"});
    refuses("base", "far", "1 in base alone, 1 in head alone");
    write_session("mixed", 0, (struct made[]){{.ms = 10}, {.ms = 10, .build = "b"}}, 2);
    refuses("base", "mixed", "expected rows of one build");
    write_session("profiled", 0, &(struct made){.ms = 10, .profile = "debug"}, 1);
    refuses("base", "profiled", "found none");
    write_text("text.csv", "hello\n1\n");
    refuses("base", "text.csv", "text.csv:1: expected the header of a session");
    write_text("cut.csv", "impl,median_ms,status\nrdp/serial,1\n");
    refuses("base", "cut.csv", "cut.csv:2: expected 3 fields");
    write_text("quote.csv", "impl,median_ms,status\n\"rdp/serial,1,ok\n1,2,3\n");
    refuses("base", "quote.csv", "quote.csv:");
    write_text("empty.csv", "");
    refuses("base", "empty.csv", "found none");
    make_folder("nothing");
    refuses("base", "nothing", "found none");
    refuses("base", "nowhere.csv", "nowhere.csv");
}

/* ---- reports ---- */

static void write_page(const struct comparison *c, struct text *csv, char **page)
{
    size_t size = 0;
    FILE *out = open_memstream(page, &size);

    assert_non_null(out);
    assert_int_equal(compare_report(c, &usual, out, csv), BENCH_OK);
    fclose(out);
}

static void what_changed_stands_first(void **unused)
{
    struct text csv = {0};
    struct comparison c;
    char *page;

    (void)unused;
    for (int i = 0; i < 8; i++) {
        const double off = 1 + 0.001 * i;
        const struct made base[] = {{.ms = 10 * off},
                                    {.ms = 10 * off, .height = 80},
                                    {.ms = 10 * off, .height = 120},
                                    {.ms = 10 * off, .height = 160}};
        const struct made head[] = {
            {.ms = 10 * off, .build = "b"},
            {.ms = 90 * off, .height = 80, .build = "b"},
            {.ms = 5 * off, .height = 120, .build = "b"},
            {.ms = 10 * off, .height = 160, .build = "b", .hash = "ffffffffffffffff"}};

        write_session("base", i, base, 4);
        write_session("head", i, head, 4);
    }
    compare("base", "head", &c);
    write_page(&c, &csv, &page);
    assert_true(strstr(page, "\nchanged-output ") < strstr(page, "\nslower "));
    assert_true(strstr(page, "\nslower ") < strstr(page, "\nfaster "));
    assert_null(strstr(page, "\nsame "));
    assert_non_null(strstr(page, "\n    rdp/serial height=160\n"));
    assert_null(strstr(page, "\n    rdp/serial height=40\n"));
    assert_non_null(
        strstr(page, "4 cells: 1 changed-output, 1 slower, 1 faster, 0 unclear, 1 same"));
    for (const char *line = page; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
    assert_non_null(strstr(csv.data, "\n\"changed-output\",\"rdp/serial\""));
    assert_true(strstr(csv.data, "\"changed-output\"") < strstr(csv.data, "\"slower\""));
    assert_non_null(strstr(csv.data, "\n\"same\""));
    free(page);
    text_free(&csv);
    compare_free(&c);
}

/* A difference between builds and one between machines look the same. */
static void other_machines_are_told(void **unused)
{
    struct comparison c;
    char *page;

    (void)unused;
    write_side("base", 2, (struct made){.ms = 10, .host = "a", .gpu = "G1"});
    write_side("same", 2, (struct made){.ms = 10, .build = "b", .host = "a", .gpu = "G1"});
    write_side("other", 2, (struct made){.ms = 10, .build = "b", .host = "a", .gpu = "G2"});
    compare("base", "same", &c);
    write_page(&c, NULL, &page);
    assert_null(strstr(page, "a difference may be theirs"));
    free(page);
    compare_free(&c);
    compare("base", "other", &c);
    write_page(&c, NULL, &page);
    assert_non_null(strstr(page, "rows of 1 host and 2 GPUs: a difference may be theirs"));
    free(page);
    compare_free(&c);
}

static void what_was_unstable_is_unclear(void **unused)
{
    struct comparison c;

    (void)unused;
    write_side("base", 2, (struct made){.ms = 10, .status = "unstable"});
    write_side("head", 2, (struct made){.ms = 10, .status = "throttled", .build = "b"});
    compare("base", "head", &c);
    assert_int_equal(c.judged[0].verdict, REGRESSION_UNCLEAR);
    assert_non_null(strstr(c.reason[0], "4 runs were unstable or throttled"));
    compare_free(&c);
}

/* ---- two stages ---- */

static void stages(void **unused)
{
    struct comparison c;
    struct text ini;
    char folder[1200], path[1200], *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);

    (void)unused;
    for (int i = 0; i < 3; i++) {
        const double off = 1 + 0.004 * i;
        const struct made base[] = {{.ms = 10 * off}, {.ms = 10 * off, .height = 80}};
        const struct made head[] = {{.ms = 10.01 * off, .build = "b"},
                                    {.ms = 20 * off, .height = 80, .build = "b"}};

        write_session("base1", i, base, 2);
        write_session("head1", i, head, 2);
    }
    compare("base1", "head1", &c);
    assert_int_equal(compare_count(&c, REGRESSION_SLOWER), 0); /* 3 + 3 cannot tell */
    path_of("suspects", folder);
    assert_int_equal(compare_suspects(&c, folder, out), BENCH_OK);
    fclose(out);
    assert_string_equal(line, "2 cells, 1 go on, 8 runs a side\n");
    free(line);
    compare_free(&c);
    path_of("suspects/rdp.ini", path);
    assert_int_equal(text_read_file(path, &ini), BENCH_OK);
    assert_non_null(strstr(ini.data, "problem=rdp\n"));
    assert_non_null(strstr(ini.data, "\nheight=80\n"));
    assert_non_null(strstr(ini.data, "\nsamples=5..15\n"));
    assert_non_null(strstr(ini.data, "\nprecision=0.5%\n"));
    assert_null(strstr(ini.data, "height=40"));
    assert_null(strstr(ini.data, "transfer")); /* older builds know no such key */
    text_free(&ini);

    write_side("base2", 8, (struct made){.ms = 10, .height = 80});
    write_side("head2", 8, (struct made){.ms = 20, .height = 80, .build = "b"});
    assert_int_equal(read_sides("base2", "head2", "base1", "head1", &c), BENCH_OK);
    assert_int_equal(c.n, 2);
    for (int i = 0; i < 2; i++) {
        const bool suspect = strstr(c.traits[i], "height=80") != NULL;

        assert_int_equal(c.judged[i].verdict, suspect ? REGRESSION_SLOWER : REGRESSION_SAME);
        assert_int_equal(c.judged[i].n_a, suspect ? 8 : 3);
        /* two cells are one family */
        assert_true(suspect ? fabs(c.judged[i].q - 2 * c.judged[i].p) < 1e-12
                            : c.judged[i].p >= 1);
    }
    compare_free(&c);
}

/* What ran on a part of a card has no counterpart in what ran on the whole, whether that says so or is older. */
static void parts_of_a_card_are_other_cells(void **unused)
{
    static const char *const sms[2][2] = {{"", "8"}, {"8", "132"}};
    struct comparison c;

    (void)unused;
    for (int i = 0; i < 2; i++) {
        char base[20], head[20];

        snprintf(base, sizeof base, "base%d", i);
        snprintf(head, sizeof head, "head%d", i);
        write_side(base, 4, (struct made){.ms = 10, .sms = sms[i][0]});
        write_side(head, 4, (struct made){.ms = 20, .build = "b", .sms = sms[i][1]});
        refuses(base, head, "found none: 1 in base alone, 1 in head alone");
    }
    compare("base0", "head1", &c); /* "" and 132: the whole card */
    assert_int_equal(c.n, 1);
    compare_free(&c);
    compare("base1", "head0", &c);
    assert_int_equal(c.n, 1);
    assert_non_null(strstr(c.traits[0], ";sms=8;"));
    compare_free(&c);
}

/* The word of a row that names a file is a name, not a path out of the folder. */
static void a_problem_is_no_path(void **unused)
{
    const char *const names[] = {"../out", ""};
    char folder[1200], csv[4000], path[1200];
    struct comparison c;
    struct text text = {0};

    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        support_remove(place);
        write_side("base", 3, (struct made){.ms = 10});
        write_side("head", 3, (struct made){.ms = 20, .build = "b"});
        for (int k = 0; k < 3; k++) {
            char name[40], *at;

            snprintf(name, sizeof name, "head/s%02d.csv", k);
            path_of(name, path);
            assert_int_equal(text_read_file(path, &text), BENCH_OK);
            at = strstr(text.data, ",rdp,");
            assert_non_null(at);
            snprintf(csv, sizeof csv, "%.*s,%s%s", (int)(at - text.data), text.data, names[i],
                     at + 4);
            text_free(&text);
            write_text(name, csv);
        }
        compare("base", "head", &c);
        path_of("suspects", folder);
        assert_int_equal(compare_suspects(&c, folder, stderr), BENCH_EINPUT);
        path_of("out.ini", path);
        assert_int_not_equal(access(path, F_OK), 0);
        compare_free(&c);
    }
}

static void stages_are_of_the_same_builds(void **unused)
{
    struct comparison c;

    (void)unused;
    write_side("base1", 3, (struct made){.ms = 10});
    write_side("head1", 3, (struct made){.ms = 20, .build = "b"});
    write_side("base2", 8, (struct made){.ms = 10});
    write_side("head2", 8, (struct made){.ms = 20, .build = "other"});
    assert_int_equal(read_sides("base2", "head2", "base1", "head1", &c), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "expected both stages of one build"));
}

/* ---- history ---- */

static void write_point(int number, const char *date, double ms, int height)
{
    struct made row = {.ms = ms, .height = height};
    char name[200], env[200], commit[20];

    snprintf(commit, sizeof commit, "%07d", number);
    row.commit = commit;
    write_session("machine", number, &row, 1);
    if (!date)
        return;
    snprintf(name, sizeof name, "machine/s%02d.env.txt", number);
    snprintf(env, sizeof env, "machine=m\ncommit_date=%s\ndirty=0\n", date);
    write_text(name, env);
}

static enum bench_status history(const char *wanted, struct history *h)
{
    static char folder[1200];

    path_of("machine", folder);
    return history_read(folder, wanted, NULL, h);
}

static void history_has_steps(void **unused)
{
    struct history h;
    struct text csv = {0};
    char *page = NULL, date[40];
    size_t size = 0;
    FILE *out = open_memstream(&page, &size);

    (void)unused;
    /* measured in another order than committed */
    for (int i = 0; i < 12; i++) {
        const int day = (i * 5) % 12;

        snprintf(date, sizeof date, "2026-01-%02dT12:00:00+00:00", day + 1);
        write_point(i, date, (day < 7 ? 10 : 12) + 0.01 * (day % 3), 40);
    }
    assert_int_equal(history("rdp/serial,height=40", &h), BENCH_OK);
    assert_int_equal(h.n, 1);
    assert_int_equal(h.cell[0].n, 12);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(h.cell[0].point[i].piece, i < 7 ? 0 : 1);
        snprintf(date, sizeof date, "2026-01-%02dT12:00:00Z", i + 1);
        assert_string_equal(h.cell[0].point[i].date, date);
    }
    assert_int_equal(history_report(&h, out, &csv), BENCH_OK);
    fclose(out);
    assert_non_null(strstr(page, "12 points, 1 step\n"));
    assert_non_null(strstr(page, "  +20.0 % slower\n"));
    for (const char *line = page; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
    assert_int_equal(strncmp(csv.data, "\"wanted\",\"cell\",\"cell_number\",", 30), 0);
    free(page);
    text_free(&csv);
    history_free(&h);
}

/* Midnight in one zone is before noon of the day before in another. */
static void zones_are_one_time(void **unused)
{
    struct history h;

    (void)unused;
    write_point(1, "2026-01-02T00:30:00+05:00", 10, 40); /* 19:30 on the first */
    write_point(2, "2026-01-01T16:00:00-04:00", 11, 40); /* 20:00 */
    write_point(3, "2026-01-01T19:00:00Z", 12, 40);
    write_point(4, NULL, 13, 40); /* its run: 2026-01-01T00:00:00Z */
    assert_int_equal(history("rdp/serial", &h), BENCH_OK);
    assert_true(fabs(h.cell[0].point[0].ms - 13) < 1e-9);
    assert_false(h.cell[0].point[0].by_commit);
    assert_true(fabs(h.cell[0].point[1].ms - 12) < 1e-9);
    assert_true(fabs(h.cell[0].point[2].ms - 10) < 1e-9);
    assert_true(fabs(h.cell[0].point[3].ms - 11) < 1e-9);
    assert_true(h.cell[0].point[3].by_commit);
    history_free(&h);
}

static void a_history_is_of_the_whole_card_or_of_a_part(void **unused)
{
    static const char *const sms[] = {"", "8", "132", "16", "8"};
    struct history h;

    (void)unused;
    for (int i = 0; i < 5; i++)
        write_session("machine", i, &(struct made){.ms = 10 + i, .sms = sms[i]}, 1);
    assert_int_equal(history("rdp/serial", &h), BENCH_OK);
    assert_int_equal(h.n, 1);
    assert_int_equal(h.cell[0].n, 2);
    assert_true(h.cell[0].point[0].ms < 10.5 && h.cell[0].point[1].ms > 11.5);
    history_free(&h);
    assert_int_equal(history("rdp/serial,sms=8,height=40", &h), BENCH_OK);
    assert_int_equal(h.n, 1);
    assert_int_equal(h.cell[0].n, 2);
    assert_true(h.cell[0].point[0].ms > 10.5 && h.cell[0].point[1].ms > 13.5);
    history_free(&h);
    assert_int_equal(history("rdp/serial,sms=24", &h), BENCH_EINPUT);
}

static void history_leaves_withdrawn_rows_out(void **unused)
{
    struct history h;

    (void)unused;
    for (int i = 0; i < 4; i++)
        write_point(i, NULL, 10 + i, 40);
    write_text("machine/WITHDRAWN", "s02 the fan stood still\n");
    assert_int_equal(history("rdp/serial", &h), BENCH_OK);
    assert_int_equal(h.cell[0].n, 3);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(h.cell[0].point[i].ms - 12) > 0.5);
    history_free(&h);
}

static void cells_have_histories_of_their_own(void **unused)
{
    struct history h;

    (void)unused;
    write_point(1, NULL, 10, 40);
    write_point(2, NULL, 20, 80);
    write_point(3, NULL, 10, 40);
    assert_int_equal(history("rdp/serial", &h), BENCH_OK);
    assert_int_equal(h.n, 2);
    assert_string_equal(h.cell[0].label, "height=40");
    assert_int_equal(h.cell[0].n, 2);
    assert_string_equal(h.cell[1].label, "height=80");
    history_free(&h);
    assert_int_equal(history("rdp/serial,height=80", &h), BENCH_OK);
    assert_int_equal(h.n, 1);
    history_free(&h);
}

static void inputs_of_one_name_are_told_apart(void **unused)
{
    struct history h;

    (void)unused;
    write_session("machine", 1, &(struct made){.ms = 10}, 1);
    write_session("machine", 2, &(struct made){.ms = 11, .input_hash = "2222"}, 1);
    write_session("machine", 3, &(struct made){.ms = 12, .profile = "quick"}, 1);
    write_session("machine", 4, &(struct made){.ms = 13, .profile = "smoke"}, 1);
    assert_int_equal(history("rdp/serial", &h), BENCH_OK);
    assert_int_equal(h.n, 3);
    assert_string_equal(h.cell[0].label, "profile=paper input_hash=1111");
    assert_string_equal(h.cell[1].label, "profile=paper input_hash=2222");
    assert_string_equal(h.cell[2].label, "profile=quick");
    history_free(&h);
}

/* rdp/serial has a key 'median' by now, 0 by default, that sessions of write_session() have no column for. */
static void a_row_older_than_a_key_has_its_default(void **unused)
{
    struct history h;

    (void)unused;
    write_point(1, NULL, 10, 40);
    write_text("machine/s02.csv",
               "session,row_id,utc,impl,device,input,case,input_hash,scope,series,median_ms,"
               "status,eps,height,median\n"
               "s02,1,2026-01-02T00:00:00Z,rdp/serial,serial,scene,all,1111,kernel,hot,11,ok,4,"
               "40,0\n"
               "s02,2,2026-01-02T00:00:00Z,rdp/serial,serial,scene,all,1111,kernel,hot,30,ok,4,"
               "40,5\n");
    assert_int_equal(history("rdp/serial,median=0", &h), BENCH_OK);
    assert_int_equal(h.n, 1);
    assert_int_equal(h.cell[0].n, 2);
    history_free(&h);
    assert_int_equal(history("rdp/serial,median=5.0", &h), BENCH_OK);
    assert_int_equal(h.n, 1);
    assert_int_equal(h.cell[0].n, 1);
    history_free(&h);
    assert_int_equal(history("rdp/serial", &h), BENCH_OK);
    assert_int_equal(h.n, 2);
    assert_string_equal(h.cell[0].label, "median=0");
    assert_string_equal(h.cell[1].label, "median=5");
    history_free(&h);
    /* columns by their names in files and in the store; batch of a row that does not say */
    assert_int_equal(history("rdp/serial,case=all,frame_pick=all,batch=1,input_hash=1111", &h),
                     BENCH_OK);
    assert_int_equal(h.n, 2);
    history_free(&h);
    write_session("machine", 3, &(struct made){.ms = 12, .scope = "frame"}, 1);
    assert_int_equal(history("rdp/serial,median=0,scope=frame", &h), BENCH_OK);
    assert_int_equal(h.n, 1);
    history_free(&h);
    assert_int_equal(history("rdp/serial,median=0", &h), BENCH_OK);
    assert_string_equal(h.cell[1].label, "scope=frame");
    history_free(&h);
}

/* The report of rdp/serial, to be freed, and its CSV. */
static char *report_of(struct text *csv)
{
    struct history h;
    char *page = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&page, &size);

    assert_int_equal(history("rdp/serial", &h), BENCH_OK);
    assert_int_equal(history_report(&h, out, csv), BENCH_OK);
    fclose(out);
    history_free(&h);
    return page;
}

static void machines_are_never_mixed_silently(void **unused)
{
    static const struct {
        const char *host[3], *gpu[3];
        const char *says;
    } cases[] = {
        {{NULL}, {NULL}, NULL},
        {{"a", "a", "a"}, {"G1", "G1", "G1"}, NULL},
        {{NULL}, {"G1", "G1", "G1"}, NULL},
        {{NULL}, {"G1", "G2", "G1"}, "points of 2 GPUs: a step"},
        {{"a", "a", "a"}, {"G1", "G2", "G3"}, "points of 3 GPUs on 1 host: a step"},
        {{"a", "b", NULL},
         {"G1", "G2", NULL},
         "of at least 2 GPUs on at least 2 hosts: a step"},
        {{"a", NULL, "a"}, {"G1", "G1", "G1"}, "points of 1 GPU on at least 1 host: a step"},
        {{"a", "b", "a"}, {NULL}, "points of 2 hosts: a step"},
    };

    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct text csv = {0};
        char *page;

        for (int i = 0; i < 3; i++)
            write_session(
                "machine", i,
                &(struct made){.ms = 10, .host = cases[k].host[i], .gpu = cases[k].gpu[i]}, 1);
        page = report_of(&csv);
        if (!cases[k].says ? strstr(page, "points of") != NULL : !strstr(page, cases[k].says))
            fail_msg("case %zu: %s", k, page);
        for (const char *line = page; *line; line += strcspn(line, "\n") + 1)
            assert_true(strcspn(line, "\n") <= 80);
        assert_non_null(strstr(csv.data, ",\"step\",\"host\",\"gpu_uuid\"\n"));
        if (k == 4)
            assert_non_null(strstr(csv.data, ",\"0\",\"a\",\"G3\"\n"));
        text_free(&csv);
        free(page);
    }
}

static void a_broken_session_is_left_out(void **unused)
{
    struct history h;

    (void)unused;
    write_point(1, NULL, 10, 40);
    write_text("machine/s02.csv", HEADER "1,s02\n");
    write_point(3, NULL, 12, 40);
    assert_int_equal(history("rdp/serial", &h), BENCH_OK);
    assert_int_equal(h.cell[0].n, 2);
    history_free(&h);
}

static void history_refuses(void **unused)
{
    static const char *const bad[][2] = {{"", "expected IMPL"},
                                         {"height=40", "expected IMPL"},
                                         {"rdp/serial,height", "expected KEY=VALUE"},
                                         {"rdp/serial,,", "expected KEY=VALUE"},
                                         {"rdp/serial,", "expected KEY=VALUE"},
                                         {"rdp/serial,=40", "expected KEY=VALUE, found '=40'"},
                                         {"rdp/serial,heigth=40", "expected a column"},
                                         {"rdp/serial,height=4' OR '1'='1", "no verified row"},
                                         {"rdp/serial,height=41", "no verified row"},
                                         {"rdp/seria", "no verified row"}};
    struct history h;

    (void)unused;
    assert_int_equal(history("rdp/serial", &h), BENCH_EINPUT); /* no folder yet */
    assert_non_null(strstr(bench_failure(), "expected a folder with results"));
    make_folder("machine");
    assert_int_equal(history("rdp/serial", &h), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "expected a folder with results"));
    write_point(1, NULL, 10, 40);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(history(bad[i][0], &h), BENCH_EINPUT);
        if (!strstr(bench_failure(), bad[i][1]))
            fail_msg("--cell '%s': no '%s' in: %s", bad[i][0], bad[i][1], bench_failure());
    }
}

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup(test, begin)
    const struct CMUnitTest tests[] = {
        FRESH(sides_of_processes),
        FRESH(a_single_process_decides_nothing),
        FRESH(files_and_folders_in_a_list),
        FRESH(changed_outputs),
        FRESH(outputs_that_vary_are_not_compared),
        FRESH(short_times_have_an_absolute_floor),
        FRESH(only_whole_good_rows_count),
        FRESH(a_process_has_one_number),
        FRESH(a_second_try_replaces_its_own_process_alone),
        FRESH(withdrawn_rows_are_left_out),
        FRESH(older_schemas_are_read),
        FRESH(a_key_that_one_side_lacks),
        FRESH(bad_sides_get_a_sentence),
        FRESH(what_changed_stands_first),
        FRESH(other_machines_are_told),
        FRESH(what_was_unstable_is_unclear),
        FRESH(stages),
        FRESH(stages_are_of_the_same_builds),
        FRESH(parts_of_a_card_are_other_cells),
        FRESH(a_problem_is_no_path),
        FRESH(history_has_steps),
        FRESH(zones_are_one_time),
        FRESH(a_history_is_of_the_whole_card_or_of_a_part),
        FRESH(history_leaves_withdrawn_rows_out),
        FRESH(cells_have_histories_of_their_own),
        FRESH(inputs_of_one_name_are_told_apart),
        FRESH(a_row_older_than_a_key_has_its_default),
        FRESH(machines_are_never_mixed_silently),
        FRESH(a_broken_session_is_left_out),
        FRESH(history_refuses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

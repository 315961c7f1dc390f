/* test_compare.c - two sides of made result files, and what is said of them; histories of made folders */
#include "harness/analysis/query.h"
#include "judge/compare.h"
#include "judge/history.h"

#include "tests/files.h"
#include "tests/support.h"

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

/* What a row has where nothing else is said; of 132 multiprocessors. */
static const char usual_row[] =
    " schema=1 utc=2026-01-01T00:00:00Z commit=1234567890 dirty=0 build_hash=aaaa "
    "profile=paper "
    "machine=m problem=rdp impl=rdp/serial device=serial plan=frames=1;laps=0;values=1;"
    "samples=5..15;precision=0.005;min_time=0.1;timeout=2 threads=1 input=scene case=all "
    "batch=1 "
    "input_hash=1111 n_inputs=1 n_frames=1 verdict=exact output_hash=0123456789abcdef "
    "scope=kernel series=hot reps=1 transfer=copy mode_name=any status=ok eps=4 height=40 "
    "sm_count=132";

/* A value of words "KEY=VALUE", which a blank is before. */
static const char *find(const char *words, const char *key, int n_key, int *n)
{
    char word[40];
    const char *at;

    snprintf(word, sizeof word, " %.*s=", n_key, key);
    at = strstr(words, word);
    *n = at ? (int)strcspn(at + n_key + 2, " ") : 0;
    return at ? at + n_key + 2 : "";
}

/* Rows "MS KEY=VALUE KEY=VALUE; MS": the first word is their time. */
static void add_rows(struct text *csv, const char *session, const char *rows)
{
    for (int id = 1; *rows; id++) {
        const int n = (int)strcspn(rows, ";"), n_ms = (int)strcspn(rows, " ;");
        char words[3000];
        const char *height;
        int n_height, n_value;

        snprintf(words, sizeof words,
                 " session=%s row_id=r%06d median_ms=%.*s ci_lo_ms=%.*s "
                 "ci_hi_ms=%.*s %.*s%s",
                 session, id, n_ms, rows, n_ms, rows, n_ms, rows, n - n_ms, rows + n_ms,
                 usual_row);
        height = find(words, "height", 6, &n_height);
        for (const char *name = HEADER; *name; name += strspn(name, ",\n")) {
            const int n_name = (int)strcspn(name, ",\n");
            const char *value = find(words, name, n_name, &n_value);

            if (!strncmp(name, "params,", 7))
                text_format(csv, "eps=4;height=%.*s", n_height, height);
            text_bytes(csv, value, (size_t)n_value);
            text_bytes(csv, name + n_name, 1);
            name += n_name;
        }
        rows += n + (int)strspn(rows + n, "; ");
    }
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
__attribute__((format(printf, 3, 4))) static void write_session(const char *folder, int number,
                                                                const char *format, ...)
{
    struct text csv = {0};
    char name[200], session[20], rows[1000];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(rows, sizeof rows, format, arguments);
    va_end(arguments);
    make_folder(folder);
    snprintf(session, sizeof session, "s%02d", number);
    text_add(&csv, HEADER);
    add_rows(&csv, session, rows);
    snprintf(name, sizeof name, "%s/%s.csv", folder, session);
    write_text(name, csv.data);
    text_free(&csv);
}

/* n processes of one cell, each a little different. */
static void write_side(const char *folder, int n, const char *row)
{
    for (int i = 0; i < n; i++)
        write_session(folder, i, "%.9g%s", atof(row) * (1 + 0.0005 * ((i * 3) % n)),
                      row + strcspn(row, " "));
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

static const char *field(const struct comparison *c, int i, const char *column)
{
    return query_text(&c->cells, i, column);
}

/* ---- single comparisons ---- */

/* What lines make a side: a file as it stands, or "N* ROW", or sessions of rows with "|" between.  Its name. */
static const char *write_case(const char *folder, const char *file, const char *lines)
{
    char path[1200];
    int number = 0;

    if (strchr(lines, '\n')) {
        write_text(file, lines);
        return file;
    }
    path_of(folder, path);
    support_remove(path);
    make_folder(folder);
    if (lines[0] && lines[1] == '*')
        write_side(folder, atoi(lines), lines + 3);
    else
        for (; *lines; lines += strspn(lines, "|")) {
            const int n = (int)strcspn(lines, "|");

            write_session(folder, number++, "%.*s", n, lines);
            lines += n;
        }
    return folder;
}

static void what_is_said_of_two_sides(void **unused)
{
    static const struct {
        const char *base, *head,
            *says; /* "[VERDICT BASE-MS N-BASE REASON]" of each cell, or why not */
    } cases[] = {
        {"8* 10", "8* 11 build_hash=b", "[slower 10.0175 8 ]"},
        {"8* 10", "8* 9 build_hash=b", "[faster 10.0175 8 ]"},
        {"8* 10", "8* 10.05 build_hash=b", "[same 10.0175 8 ]"},
        {"8* 10", "8* 30", "[same 10.0175 8 ]"}, /* the same program */
        {"10", "30 build_hash=b",
         "[unclear 10 1 one run a side decides nothing; about 8 runs a side would decide]"},
        {"2* 10 status=unstable", "2* 10 status=throttled build_hash=b",
         "[unclear  0 4 runs were unstable or throttled and do not count; about 8 runs a side"},
        {"10", "10 output_hash=fe build_hash=b",
         "[changed-output 10 1 its output is another one: fe, was 0123456789abcdef]"},
        {"10", "10 input_hash=2222 build_hash=b", "[changed-output 10 1 its input is another"},
        {"10", "10 verdict=within build_hash=b", "[changed-output 10 1 was exact, is within]"},
        {"10", "0 status=wrong reason=3 build_hash=b", "was exact, is wrong: 3]"},
        {"10", "0 status=failed build_hash=b", "[changed-output 10 1 was exact, is failed]"},
        /* what a variant that rounds as it pleases leaves differs from run to run: no news */
        {"10 output_hash=1|10 output_hash=2", "2* 10 build_hash=b output_hash=3",
         "[unclear 10 2"},
        /* 10 % of 10 us is 1 us: below 2 us in a stretch of one run, above in one of twenty */
        {"8* 0.010", "8* 0.011 build_hash=b", "[same 0.0100175 8 ]"},
        {"8* 0.010 reps=20", "8* 0.011 reps=20 build_hash=b", "[slower 0.0100175 8 ]"},
        /* whole good rows count, of a process the last one, also of one that was resumed */
        {"10; 1 lap=dp; 2 height=80 profile=profiler; 3 height=120 status=unstable",
         "10 build_hash=b", "1:[unclear 10 1 one"},
        {"10; 12", "10 build_hash=b", "1:[unclear 12 1 one"},
        {"10|30 status=unstable; 11", "10 build_hash=b",
         "1:[unclear 10.5 2 1 runs were unstable"},
        /* a part of a card has no counterpart in the whole, whether that says so or is older */
        {"10", "20 build_hash=b sms=8", "found none: 1 in base alone, 1 in head alone"},
        {"10 sms=8", "20 build_hash=b sms=132", "found none: 1 in base alone, 1 in head alone"},
        {"10", "20 build_hash=b sms=132", "1:[unclear 10 1"},
        {"10 sms=8", "20 build_hash=b sms=8", "1:[unclear 10 1"},
        /* an old build that knew no eps, which has a default, case nor batch; its file tells neither machine nor build */
        {"session,row_id,impl,params,input,scope,series,median_ms,status,height\n"
         "old,1,rdp/serial,height=40,scene,kernel,hot,10,ok,40\n"
         "old,2,rdp/serial,height=80,scene,kernel,hot,20,ok,80\n",
         "10; 20 height=80", "2:[unclear 10 1"},
        /* two cells of the newer build that the older one cannot tell apart */
        {"session,row_id,machine,impl,params,median_ms,status,height\n"
         "old,1,m,rdp/x,height=40,10,ok,40\n",
         "session,row_id,machine,impl,params,median_ms,status,height,dp\n"
         "new,1,m,rdp/x,dp=a;height=40,10,ok,40,a\nnew,2,m,rdp/x,dp=b;height=40,90,ok,40,b\n",
         "1:[unclear  0 several cells of one side look the same to the other, which lacks a "
         "key]"},
        {"10", "10 machine=n build_hash=b", "results of m and of n"},
        {"10", "10 height=99 build_hash=b", "1 in base alone, 1 in head alone"},
        {"10", "10; 10 build_hash=b", "expected rows of one build"},
        {"10", "10; 10 machine=n", "expected rows of one machine"},
        {"10", "10 profile=debug", "release build, found none"},
        {"10", "", "found none"},
        {"10", "hello\n1\n", "head.csv:1: expected the header of a session"},
        {"10", "impl,median_ms,status\nrdp/serial,1\n", "head.csv:2: expected 3 fields"},
        {"10", "impl,median_ms,status\n\"rdp/serial,1,ok\n1,2,3\n", "head.csv:"},
        {"10", "\n", "head.csv"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *base = write_case("base", "base.csv", cases[i].base);
        const char *head = write_case("head", "head.csv", cases[i].head);
        struct text found = {0};
        struct comparison c;

        if (read_sides(base, head, NULL, NULL, &c))
            text_add(&found, bench_failure());
        else
            text_format(&found, "%d:", c.n);
        for (int k = 0; k < c.n; k++)
            text_format(&found, "[%s %s %s %s]", field(&c, k, "verdict"),
                        field(&c, k, "base_ms"), field(&c, k, "n_base"),
                        field(&c, k, "reason"));
        if (!strstr(found.data, cases[i].says))
            fail_msg("%s and %s: no '%s' in '%s'", cases[i].base, cases[i].head, cases[i].says,
                     found.data);
        text_free(&found);
        compare_free(&c);
    }
    assert_int_equal(read_sides("base", "nowhere.csv", NULL, NULL, &(struct comparison){0}),
                     BENCH_EINPUT);
}

static void files_and_folders_in_a_list(void **unused)
{
    struct comparison c;
    char side[2][5000] = {"", ""};
    const char *const sides[2] = {side[0], side[1]};

    (void)unused;
    write_side("a", 5, "10");
    write_side("b", 3, "10");
    write_side("head", 8, "12 build_hash=b");
    snprintf(side[0], sizeof side[0], "%s/a,%s/b/s00.csv,%s/b/s01.csv,%s/b/s02.csv", place,
             place, place, place);
    snprintf(side[1], sizeof side[1], "%s/head", place);
    assert_int_equal(compare_read(sides, NULL, &usual, &c), BENCH_OK);
    assert_string_equal(field(&c, 0, "n_base"), "8");
    assert_string_equal(field(&c, 0, "verdict"), "slower");
    compare_free(&c);
}

static void withdrawn_rows_are_left_out(void **unused)
{
    struct comparison c;

    (void)unused;
    for (int i = 0; i < 3; i++)
        write_session("base", i, "10; 20 height=80");
    write_session("head", 0, "10; 20 height=80");
    write_text("base/WITHDRAWN",
               "s01 a laptop on its battery\ns02:r000002 another program ran\n");
    compare("base", "head", &c);
    assert_int_equal(c.n, 2);
    for (int i = 0; i < 2; i++)
        assert_string_equal(field(&c, i, "n_base"),
                            strstr(field(&c, i, "cell"), "height=80") ? "1" : "2");
    compare_free(&c);
}

/* ---- reports ---- */

/* What people read of two sides, to be freed; 'csv' may be NULL. */
static char *page_of(const char *base, const char *head, struct text *csv)
{
    struct comparison c;
    char *page = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&page, &size);

    compare(base, head, &c);
    assert_int_equal(compare_report(&c, &usual, out, csv), BENCH_OK);
    fclose(out);
    compare_free(&c);
    for (const char *line = page; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
    return page;
}

static void what_changed_stands_first(void **unused)
{
    struct text csv = {0};
    char *page;

    (void)unused;
    for (int i = 0; i < 8; i++) {
        const double ms = 10 + 0.01 * i;

        write_session("base", i, "%g; %g height=80; %g height=120; %g height=160", ms, ms, ms,
                      ms);
        write_session("head", i,
                      "%g build_hash=b; %g build_hash=b height=80; %g build_hash=b height=120; "
                      "%g build_hash=b height=160 output_hash=ffffffffffffffff",
                      ms, 9 * ms, ms / 2, ms);
    }
    page = page_of("base", "head", &csv);
    assert_true(strstr(page, "\nchanged-output ") < strstr(page, "\nslower "));
    assert_true(strstr(page, "\nslower ") < strstr(page, "\nfaster "));
    assert_null(strstr(page, "\nsame "));
    assert_non_null(strstr(page, "\n    rdp/serial height=160\n"));
    assert_null(strstr(page, "\n    rdp/serial height=40\n"));
    assert_non_null(
        strstr(page, "4 cells: 1 changed-output, 1 slower, 1 faster, 0 unclear, 1 same"));
    assert_non_null(strstr(csv.data, "\n\"changed-output\",\"rdp/serial\""));
    assert_true(strstr(csv.data, "\"changed-output\"") < strstr(csv.data, "\"slower\""));
    assert_non_null(strstr(csv.data, "\n\"same\""));
    free(page);
    text_free(&csv);
}

/* A difference between builds and one between machines look the same. */
static void other_machines_are_told(void **unused)
{
    (void)unused;
    write_side("base", 2, "10 host=a gpu_uuid=G1");
    for (int i = 0; i < 2; i++) {
        char *page;

        write_side("head", 2,
                   i ? "10 host=a gpu_uuid=G2 build_hash=b"
                     : "10 host=a gpu_uuid=G1 build_hash=b");
        page = page_of("base", "head", NULL);
        assert_int_equal(
            strstr(page, "rows of 1 host and 2 GPUs: a difference may be theirs") != NULL, i);
        assert_int_equal(strstr(page, "may be theirs") != NULL, i);
        free(page);
    }
}

/* ---- two stages ---- */

static void stages(void **unused)
{
    struct comparison c;
    char folder[1200], path[1200], *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);

    (void)unused;
    for (int i = 0; i < 3; i++) {
        const double off = 1 + 0.004 * i;

        write_session("base1", i, "%g; %g height=80", 10 * off, 10 * off);
        write_session("head1", i, "%g build_hash=b; %g height=80 build_hash=b", 10.01 * off,
                      20 * off);
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
    /* no transfer: older builds know no such key */
    assert_file(path, "; cells whose first runs were apart\n[global]\nproblem=rdp\n\n"
                      "[cell-2]\nimpl=rdp/serial\ninput=scene\ncase=all\nbatch=1\n"
                      "scope=kernel\nseries=hot\neps=4\nheight=80\nframes=1\nsamples=5..15\n"
                      "precision=0.5%\nmin_time=0.1\ntimeout=2\nvalues=0\n");

    write_side("base2", 8, "10 height=80");
    write_side("head2", 8, "20 height=80 build_hash=b");
    assert_int_equal(read_sides("base2", "head2", "base1", "head1", &c), BENCH_OK);
    assert_int_equal(c.n, 2);
    for (int i = 0; i < 2; i++) {
        const bool suspect = strstr(field(&c, i, "cell"), "height=80") != NULL;

        assert_string_equal(field(&c, i, "verdict"), suspect ? "slower" : "same");
        assert_string_equal(field(&c, i, "n_base"), suspect ? "8" : "3");
        /* two cells are one family */
        assert_true(suspect ? fabs(c.judged[i].q - 2 * c.judged[i].p) < 1e-12
                            : c.judged[i].p >= 1);
    }
    compare_free(&c);
    write_side("head2", 8, "20 height=80 build_hash=other");
    assert_int_equal(read_sides("base2", "head2", "base1", "head1", &c), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "expected both stages of one build"));
}

/* The word of a row that names a file is a name, not a path out of the folder. */
static void a_problem_is_no_path(void **unused)
{
    static const char *const heads[] = {"20 build_hash=b problem=../out",
                                        "20 build_hash=b problem="};
    char folder[1200], path[1200];
    struct comparison c;

    (void)unused;
    path_of("suspects", folder);
    path_of("out.ini", path);
    write_side("base", 3, "10");
    for (int i = 0; i < 2; i++) {
        write_side("head", 3, heads[i]);
        compare("base", "head", &c);
        assert_int_equal(compare_suspects(&c, folder, stderr), BENCH_EINPUT);
        assert_int_not_equal(access(path, F_OK), 0);
        compare_free(&c);
    }
}

/* ---- history ---- */

static void write_point(int number, const char *date, double ms, int height)
{
    char name[200], env[200];

    write_session("machine", number, "%g height=%d commit=%07d", ms, height, number);
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

/* "label: ms ms, label: ms ...": the cells and their points; a '|' stands before a step. */
static void expect_history(const char *wanted, const char *expected)
{
    struct history h;
    struct text found = {0};

    if (history(wanted, &h) != BENCH_OK)
        fail_msg("%s: %s", wanted, bench_failure());
    for (int i = 0; i < h.points.n_rows; i++) {
        if (query_number(&h.points, i, "number") < 2)
            text_format(&found, "%s%s:", i ? ", " : "", query_text(&h.points, i, "label"));
        text_format(&found, "%s %s", *query_text(&h.points, i, "step") ? " |" : "",
                    query_text(&h.points, i, "median_ms"));
    }
    assert_string_equal(found.data, expected);
    text_free(&found);
    history_free(&h);
}

/* The report of rdp/serial, to be freed, and its CSV, which may be NULL. */
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
    for (const char *line = page; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
    return page;
}

static void history_has_steps(void **unused)
{
    struct text csv = {0};
    char *page, date[40];

    (void)unused;
    /* measured in another order than committed */
    for (int i = 0; i < 12; i++) {
        const int day = (i * 5) % 12;

        snprintf(date, sizeof date, "2026-01-%02dT12:00:00+00:00", day + 1);
        write_point(i, date, (day < 7 ? 10 : 12) + 0.01 * (day % 3), 40);
    }
    expect_history("rdp/serial,height=40",
                   ": 10 10.01 10.02 10 10.01 10.02 10 | 12.01 12.02 12 12.01 12.02");
    page = report_of(&csv);
    assert_non_null(strstr(page, "\n2026-01-08T12:00:00Z  0000011 "));
    assert_non_null(strstr(page, "12 points, 1 step\n"));
    assert_non_null(strstr(page, "  +20.0 % slower\n"));
    assert_int_equal(strncmp(csv.data, "\"wanted\",\"cell\",\"cell_number\",", 30), 0);
    assert_non_null(
        strstr(csv.data, "\n\"rdp/serial\",,\"1\",\"8\",\"2026-01-08T12:00:00Z\","));
    free(page);
    text_free(&csv);
}

/* Midnight in one zone is before noon of the day before in another. */
static void zones_are_one_time(void **unused)
{
    char *page;

    (void)unused;
    write_point(1, "2026-01-02T00:30:00+05:00", 10, 40); /* 19:30 on the first */
    write_point(2, "2026-01-01T16:00:00-04:00", 11, 40); /* 20:00 */
    write_point(3, "2026-01-01T19:00:00Z", 12, 40);
    write_point(4, NULL, 13, 40); /* its run: 2026-01-01T00:00:00Z */
    expect_history("rdp/serial", ": 13 12 10 11");
    page = report_of(NULL);
    assert_non_null(strstr(page, "\n2026-01-01T00:00:00Z* 0000004"));
    assert_non_null(strstr(page, "\n2026-01-01T20:00:00Z  0000002"));
    free(page);
}

static void a_history_is_of_the_whole_card_or_of_a_part(void **unused)
{
    static const char *const rows[] = {"10", "11 sms=8", "12 sms=132", "13 sms=16", "14 sms=8"};
    struct history h;

    (void)unused;
    for (int i = 0; i < 5; i++)
        write_session("machine", i, "%s", rows[i]);
    expect_history("rdp/serial", ": 10 12");
    expect_history("rdp/serial,sms=8,height=40", ": 11 14");
    assert_int_equal(history("rdp/serial,sms=24", &h), BENCH_EINPUT);
}

/* Withdrawn sessions and broken ones. */
static void history_leaves_sessions_out(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++)
        write_point(i, NULL, 10 + i, 40);
    write_text("machine/WITHDRAWN", "s02 the fan stood still\n");
    write_text("machine/s04.csv", "session,row_id,median_ms\n1,s04\n");
    expect_history("rdp/serial", ": 10 11 13");
}

static void cells_have_histories_of_their_own(void **unused)
{
    (void)unused;
    write_point(1, NULL, 10, 40);
    write_point(2, NULL, 20, 80);
    write_point(3, NULL, 10, 40);
    expect_history("rdp/serial", "height=40: 10 10, height=80: 20");
    expect_history("rdp/serial,height=80", ": 20");
}

static void inputs_of_one_name_are_told_apart(void **unused)
{
    (void)unused;
    write_session("machine", 1, "10");
    write_session("machine", 2, "11 input_hash=2222");
    write_session("machine", 3, "12 profile=quick");
    write_session("machine", 4, "13 profile=smoke");
    expect_history("rdp/serial", "profile=paper input_hash=1111: 10, profile=paper "
                                 "input_hash=2222: 11, profile=quick: 12");
}

/* rdp/serial has a key 'median' by now, 0 by default, that sessions of write_session() have no column for. */
static void a_row_older_than_a_key_has_its_default(void **unused)
{
    (void)unused;
    write_point(1, NULL, 10, 40);
    write_text("machine/s02.csv",
               "session,row_id,utc,impl,device,input,case,input_hash,scope,series,median_ms,"
               "status,eps,height,median\n"
               "s02,1,2026-01-02T00:00:00Z,rdp/serial,serial,scene,all,1111,kernel,hot,11,ok,4,"
               "40,0\n"
               "s02,2,2026-01-02T00:00:00Z,rdp/serial,serial,scene,all,1111,kernel,hot,30,ok,4,"
               "40,5\n");
    expect_history("rdp/serial,median=0", ": 10 11");
    expect_history("rdp/serial,median=5.0", ": 30");
    expect_history("rdp/serial", "median=0: 10 11, median=5: 30");
    /* columns by their names in files and in the store; batch of a row that does not say */
    expect_history("rdp/serial,case=all,frame_pick=all,batch=1,input_hash=1111",
                   "median=0: 10 11, median=5: 30");
    write_session("machine", 3, "12 scope=frame");
    expect_history("rdp/serial,median=0,scope=frame", ": 12");
    expect_history("rdp/serial,median=0", "scope=kernel: 10 11, scope=frame: 12");
}

static void machines_are_never_mixed_silently(void **unused)
{
    static const struct {
        const char *rows[3], *says;
    } cases[] = {
        {{"10", "10", "10"}, NULL},
        {{"10 host=a gpu_uuid=G1", "10 host=a gpu_uuid=G1", "10 host=a gpu_uuid=G1"}, NULL},
        {{"10 gpu_uuid=G1", "10 gpu_uuid=G1", "10 gpu_uuid=G1"}, NULL},
        {{"10 gpu_uuid=G1", "10 gpu_uuid=G2", "10 gpu_uuid=G1"}, "points of 2 GPUs: a step"},
        {{"10 host=a gpu_uuid=G1", "10 host=a gpu_uuid=G2", "10 host=a gpu_uuid=G3"},
         "points of 3 GPUs on 1 host: a step"},
        {{"10 host=a gpu_uuid=G1", "10 host=b gpu_uuid=G2", "10"},
         "of at least 2 GPUs on at least 2 hosts: a step"},
        {{"10 host=a gpu_uuid=G1", "10 gpu_uuid=G1", "10 host=a gpu_uuid=G1"},
         "points of 1 GPU on at least 1 host: a step"},
        {{"10 host=a", "10 host=b", "10 host=a"}, "points of 2 hosts: a step"},
    };

    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct text csv = {0};
        char *page;

        for (int i = 0; i < 3; i++)
            write_session("machine", i, "%s", cases[k].rows[i]);
        page = report_of(&csv);
        if (!cases[k].says ? strstr(page, "points of") != NULL : !strstr(page, cases[k].says))
            fail_msg("case %zu: %s", k, page);
        assert_non_null(strstr(csv.data, ",\"step\",\"host\",\"gpu_uuid\"\n"));
        if (k == 4)
            assert_non_null(strstr(csv.data, ",\"0\",\"a\",\"G3\"\n"));
        text_free(&csv);
        free(page);
    }
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
        FRESH(what_is_said_of_two_sides),
        FRESH(files_and_folders_in_a_list),
        FRESH(withdrawn_rows_are_left_out),
        FRESH(what_changed_stands_first),
        FRESH(other_machines_are_told),
        FRESH(stages),
        FRESH(a_problem_is_no_path),
        FRESH(history_has_steps),
        FRESH(zones_are_one_time),
        FRESH(a_history_is_of_the_whole_card_or_of_a_part),
        FRESH(history_leaves_sessions_out),
        FRESH(cells_have_histories_of_their_own),
        FRESH(inputs_of_one_name_are_told_apart),
        FRESH(a_row_older_than_a_key_has_its_default),
        FRESH(machines_are_never_mixed_silently),
        FRESH(history_refuses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_store.c - results as a database: what a configuration is, which row stands for it, what a query may do, four renderings */
#include "harness/analysis/query.h"
#include "harness/analysis/store.h"
#include "harness/analysis/table.h"
#include "harness/text.h"
#include "tests/files.h"
#include "tests/support.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[600];

static int begin(void **unused)
{
    (void)unused;
    snprintf(folder, sizeof folder, "%s/store/results/a-machine", support_place());
    support_remove(folder);
    assert_int_equal(text_make_folder(folder), BENCH_OK);
    bench_failure_clear();
    return 0;
}

static void put(const char *name, const char *text)
{
    char path[800];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_bytes(path, text, strlen(text));
}

#define HEADER                                                                            \
    "session,row_id,utc,commit,dirty,profile,impl,device,threads,input,case,batch,scope," \
    "series,lap,status,verdict,sm_count,transfer,sms,median_ms,eps,height\n"
#define ROW(session, id, utc, dirty, profile, impl, device, threads, scope, ms, eps)      \
    session "," id "," utc ",12345678," dirty "," profile "," impl "," device "," threads \
            ",scene,all,1," scope ",hot,,ok,exact,,,," ms "," eps ",1024\n"

/* The folder as a store; what is said of it in 'notes'. */
static struct store *loaded(char notes[1000])
{
    FILE *file = fmemopen(notes, 1000, "w");
    struct store *store;

    assert_non_null(file);
    assert_int_equal(store_open(&store), BENCH_OK);
    assert_int_equal(store_add_results(store, folder, file), BENCH_OK);
    fclose(file);
    if (store_complete(store) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return store;
}

/* The answer as CSV without its header, in a buffer that the next call takes again. */
static const char *ask(struct store *store, const char *sql)
{
    static char answer[4000];
    struct text text = {0};
    struct table table;
    const char *rows;

    if (query_table(store, sql, &table) != BENCH_OK)
        fail_msg("%s: %s", sql, bench_failure());
    table_render(&table, TABLE_CSV, 0, &text);
    assert_int_equal(text_ok(&text), BENCH_OK);
    rows = strchr(text.data, '\n') + 1;
    snprintf(answer, sizeof answer, "%s", rows);
    text_free(&text);
    table_free(&table);
    return answer;
}

static void refused(struct store *store, const char *sql, const char *why)
{
    struct table table;

    assert_int_equal(query_table(store, sql, &table), BENCH_EINPUT);
    if (!strstr(bench_failure(), why))
        fail_msg("%s: expected '%s', found '%s'", sql, why, bench_failure());
    assert_int_equal(table.n_rows, 0);
}

/* ---- configurations ---- */

static void a_configuration_has_its_defaults(void **unused)
{
    char notes[1000] = "";
    struct store *store;

    (void)unused;
    /* before eps was a key; with it; as another text; another value */
    put("1.csv", "session,row_id,impl,device,input,case,scope,series,status,verdict,height\n"
                 "1,r1,rdp/serial,serial,scene,all,kernel,hot,ok,exact,1024\n");
    put("2.csv",
        HEADER ROW("2", "r1", "b", "0", "paper", "rdp/serial", "serial", "1", "kernel", "3",
                   "4") ROW("2", "r2", "b", "0", "paper", "rdp/serial", "serial", "1", "kernel",
                            "3", "4.0")
            ROW("2", "r3", "b", "0", "paper", "rdp/serial", "serial", "1", "kernel", "3", "5"));
    store = loaded(notes);
    assert_string_equal(notes, "");
    assert_string_equal(ask(store, "SELECT count(*), count(DISTINCT configuration), "
                                   "count(DISTINCT keys) FROM measurement"),
                        "\"4\",\"2\",\"2\"\n");
    assert_string_equal(
        ask(store, "SELECT keys LIKE '%eps=4;%' FROM measurement WHERE session='1'"),
        "\"1\"\n");
    store_close(store);
}

static void a_configuration_says_where(void **unused)
{
    static const char *const rows = HEADER
        /* the same: as many multiprocessors as there are, copied though it is not said */
        "s,r1,a,1,0,paper,rdp/gpu-opt,gpu,,scene,all,1,kernel,hot,,ok,exact,132,,,1,4,1024\n"
        "s,r2,a,1,0,paper,rdp/"
        "gpu-opt,gpu,,scene,all,,kernel,hot,,ok,exact,132,copy,132,1,4,1024\n"
        /* others */
        "s,r3,a,1,0,paper,rdp/gpu-opt,gpu,,scene,all,1,kernel,hot,,ok,exact,132,,8,1,4,1024\n"
        "s,r4,a,1,0,paper,rdp/"
        "gpu-opt,gpu,,scene,all,1,kernel,hot,,ok,exact,132,mapped,,1,4,1024\n"
        "s,r5,a,1,0,paper,rdp/gpu-opt,gpu,,scene,all,2,kernel,hot,,ok,exact,132,,,1,4,1024\n"
        "s,r6,a,1,0,paper,rdp/gpu-opt,gpu,,scene,all,1,frame,hot,,ok,exact,132,,,1,4,1024\n"
        "s,r7,a,1,0,paper,rdp/"
        "gpu-opt,gpu,,scene,all,1,kernel,hot,search,ok,exact,132,,,1,4,1024\n"
        /* a serial program has no team, a parallel one does */
        "s,r8,a,1,0,paper,rdp/serial,serial,1,scene,all,1,kernel,hot,,ok,exact,,,,1,4,1024\n"
        "s,r9,a,1,0,paper,rdp/serial,serial,,scene,all,1,kernel,hot,,ok,exact,,,,1,4,1024\n"
        "s,r10,a,1,0,paper,rdp/omp-columns,omp,2,scene,all,1,kernel,hot,,ok,exact,,,,1,4,1024\n"
        "s,r11,a,1,0,paper,rdp/"
        "omp-columns,omp,4,scene,all,1,kernel,hot,,ok,exact,,,,1,4,1024\n";
    char notes[1000] = "";
    struct store *store;

    (void)unused;
    put("s.csv", rows);
    store = loaded(notes);
    assert_string_equal(notes, "");
    assert_string_equal(
        ask(store, "SELECT group_concat(row_id, '+') FROM measurement "
                   "GROUP BY configuration ORDER BY min(id)"),
        "\"r1+r2\"\n\"r3\"\n\"r4\"\n\"r5\"\n\"r6\"\n\"r7\"\n\"r8+r9\"\n\"r10\"\n"
        "\"r11\"\n");
    assert_string_equal(ask(store, "SELECT scope FROM measurement WHERE row_id = 'r6'"),
                        "\"end_to_end\"\n");
    assert_string_equal(ask(store, "SELECT typeof(commit_hash), typeof(median_ms), typeof(sms) "
                                   "FROM measurement WHERE row_id = 'r1'"),
                        "\"text\",\"real\",\"null\"\n");
    store_close(store);
}

static void the_row_that_stands_for_it(void **unused)
{
    char notes[1000] = "";
    struct store *store;

    (void)unused;
    /* the newest; but the full protocol before --quick, and a clean build before that */
    put("1.csv",
        HEADER ROW("1", "old", "2026-01-01", "0", "paper", "rdp/serial", "serial", "", "kernel",
                   "1", "4") ROW("1", "new", "2026-01-02", "0", "paper", "rdp/serial", "serial",
                                 "", "kernel", "2", "4")
            ROW("1", "quick", "2026-01-03", "0", "quick", "rdp/serial", "serial", "", "kernel",
                "3", "4") ROW("1", "dirty", "2026-01-04", "1", "paper", "rdp/serial", "serial",
                              "", "kernel", "4", "4")
                ROW("1", "gone", "2026-01-05", "0", "paper", "rdp/serial", "serial", "",
                    "kernel", "5", "4") ROW("1", "profiled", "2026-01-06", "0", "profile",
                                            "rdp/serial", "serial", "", "kernel", "6", "4")
                    ROW("1", "q", "2026-01-03", "0", "quick", "rdp/serial", "serial", "",
                        "kernel", "3", "9")
                        ROW("1", "d", "2026-01-02", "1", "paper", "rdp/serial", "serial", "",
                            "kernel", "3", "9"));
    put("2.csv", HEADER ROW("2", "whole", "2026-02-01", "0", "paper", "rdp/serial", "serial",
                            "", "kernel", "7", "4"));
    put("WITHDRAWN", "1:gone another program ran\n2  all of it\n");
    store = loaded(notes);
    assert_string_equal(ask(store, "SELECT eps, row_id FROM current ORDER BY eps"),
                        "\"4\",\"new\"\n\"9\",\"q\"\n");
    assert_string_equal(ask(store, "SELECT row_id, withdrawn FROM measurement "
                                   "WHERE withdrawn IS NOT NULL ORDER BY id"),
                        "\"gone\",\"another program ran\"\n\"whole\",\"all of it\"\n");
    store_close(store);
}

/* ---- files ---- */

static void a_broken_session_is_named(void **unused)
{
    char notes[1000] = "", ncu[700];
    struct store *store;

    (void)unused;
    put("1.csv", HEADER ROW("1", "r1", "a", "0", "paper", "rdp/serial", "serial", "", "kernel",
                            "1", "4"));
    put("2.csv", HEADER "2,r1,too,few\n");
    put("3.csv", HEADER ROW("3", "r1", "a", "0", "paper", "rdp/serial", "serial", "", "kernel",
                            "1", "4") "3,r2,cut by a ki");
    put("4.csv", "");
    put("5.csv", "some,other\n1,2\n");
    /* rows that a kill left without their values' row, and values of a row that never came */
    put("1.values.csv",
        "row_id,name,index,value,unit\nr1,segments,,12.5,\nr1,kept,3,7,px\nr9,segments,,1,\n");
    put("1.env.txt", "machine=a-machine\nkernel=6.1 = new\n");
    /* a row or a value that is wrong leaves nothing of its session */
    put("6.csv", HEADER ROW("6", "r1", "a", "0", "paper", "rdp/serial", "serial", "", "kernel",
                            "1", "4"));
    put("6.values.csv", "row_id,name\nr1\n");
    snprintf(ncu, sizeof ncu, "%s/ncu", folder);
    assert_int_equal(mkdir(ncu, 0777), 0);
    put("ncu/1.csv", "utc,commit,experiment,kernel,instructions\nx,1,rdp/fig9,k<4>,99\n");
    store = loaded(notes);
    assert_non_null(strstr(notes, "2.csv:2: "));
    assert_non_null(strstr(notes, "5.csv:1: expected the header of a session; left out\n"));
    assert_non_null(strstr(notes, "6.values.csv:2: "));
    assert_string_equal(ask(store, "SELECT session, row_id FROM measurement ORDER BY id"),
                        "\"1\",\"r1\"\n\"3\",\"r1\"\n");
    assert_string_equal(ask(store,
                            "SELECT session, v.name, idx, value, unit FROM value AS v "
                            "JOIN measurement AS m ON m.id = v.measurement ORDER BY idx"),
                        "\"1\",\"segments\",,\"12.5\",\n\"1\",\"kept\",\"3\",\"7\",\"px\"\n");
    assert_string_equal(ask(store, "SELECT key, text FROM environment WHERE session = '1'"),
                        "\"machine\",\"a-machine\"\n\"kernel\",\"6.1 = new\"\n");
    assert_string_equal(ask(store, "SELECT results, kernel, instructions FROM counter"),
                        "\"a-machine\",\"k<4>\",\"99\"\n");
    store_close(store);

    assert_int_equal(store_open(&store), BENCH_OK);
    assert_int_equal(store_add_results(store, "nowhere", NULL), BENCH_EINPUT);
    assert_string_equal(bench_failure(), "nowhere: expected a folder with results, found none");
    store_close(store);
}

static void an_exported_file_has_it_all(void **unused)
{
    char notes[1000] = "", path[700];
    sqlite3 *file;
    sqlite3_stmt *statement;
    struct store *store;

    (void)unused;
    put("1.csv", HEADER ROW("1", "r1", "a", "0", "paper", "rdp/serial", "serial", "", "kernel",
                            "1.5", "4"));
    snprintf(path, sizeof path, "%s/all.sqlite", folder);
    write_bytes(path, "an older one", 12);
    store = loaded(notes);
    assert_int_equal(store_export(store, path), BENCH_OK);
    store_close(store);
    assert_int_equal(sqlite3_open(path, &file), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(file, "SELECT median_ms FROM current", -1, &statement, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_float_equal(sqlite3_column_double(statement, 0), 1.5, 0);
    sqlite3_finalize(statement);
    sqlite3_close(file);

    assert_int_equal(store_open(&store), BENCH_OK);
    assert_int_equal(store_complete(store), BENCH_OK);
    assert_int_equal(store_export(store, "/nowhere/at/all.sqlite"), BENCH_EIO);
    assert_int_equal(store_export(store, "/dev/null"), BENCH_EINPUT);
    store_close(store);
}

/* A header becomes SQL: what is no name of a column, or is one of ours, is refused. */
static void hostile_headers_are_refused(void **unused)
{
    static const char *const columns[][2] = {
        {"\"x\"\") SELECT 1,2 --\"", "expected names of columns, found 'x\") SELECT 1,2 --'"},
        {"preference", "expected names of columns, found 'preference'"},
        {"ID", "expected names of columns, found 'ID'"},
        {"results", "expected names of columns, found 'results'"},
        {"case,frame_pick", "columns 'case' and 'frame_pick' are one"},
        {"eps,EPS", "columns 'eps' and 'EPS' are one"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char text[200], notes[1000] = "";
        struct store *store;

        snprintf(text, sizeof text, "session,row_id,impl,%s\n", columns[i][0]);
        put("1.csv", text);
        store = loaded(notes);
        if (!strstr(notes, columns[i][1]))
            fail_msg("%s: %s", columns[i][0], notes);
        assert_string_equal(ask(store, "SELECT count(*) FROM measurement"), "\"0\"\n");
        store_close(store);
    }
}

static void odd_fields_are_no_harm(void **unused)
{
    char notes[1000] = "";
    struct store *store;

    (void)unused;
    put("1.csv", "session,row_id,impl,device,scope,series,status,verdict,seed,height\n"
                 "1,r1,12,serial,1,hot,ok,exact,2147483646,99999999999999999999\n"
                 "1,r2,12,serial,1,hot,ok,exact,2147483647,007\n");
    put("1.values.csv", "row_id,name,index,value,unit\nr1,,1,2,\nr1,a,,nan,\nr1,b,,3,\n");
    put("1.env.txt", "=nothing\nhost=x\n");
    store = loaded(notes);
    assert_string_equal(notes, "");
    assert_string_equal(ask(store,
                            "SELECT count(DISTINCT configuration), typeof(impl), max(height) "
                            "FROM measurement"),
                        "\"2\",\"text\",\"007\"\n");
    assert_string_equal(ask(store, "SELECT name, value FROM value ORDER BY name"),
                        "\"b\",\"3\"\n");
    assert_string_equal(ask(store, "SELECT key FROM environment"), "\"host\"\n");
    store_close(store);
}

/* Of each row that has no plain name nothing is there; the others of its file are. */
static void rows_without_a_plain_name_are_left_out(void **unused)
{
    static const char *const wrong[] = {
        "`touch PWN`",
        "a'b",
        "$(id)",
        "a b",
        "-e",
        "/etc/passwd",
        "../up",
        "a/../../up",
        "\x1b[2J",
        "\"a\nb\"",
        "\xc3\xa4",
        "a12345678901234567890123456789012345678901234567890123456789012345678901234567890"};
    static const char *const column[] = {"machine", "commit", "host", "impl", "input"};
    enum { N_COLUMNS = sizeof column / sizeof *column };
    char notes[1000] = "", text[1000], expected[200];
    struct store *store;

    (void)unused;
    for (size_t i = 0; i < N_COLUMNS * sizeof wrong / sizeof *wrong; i++) {
        snprintf(
            text, sizeof text,
            "session,row_id,reason,%s\n1,r1,\"two\nlines\",A-b_c.d:e+f/9\n1,r2,,%s\n1,r3,,\n",
            column[i % N_COLUMNS], wrong[i / N_COLUMNS]);
        put("1.csv", text);
        put("1.values.csv", "row_id,name,index,value,unit\nr2,a,,1,\nr3,b,,2,\n");
        store = loaded(notes);
        snprintf(expected, sizeof expected, "1.csv:4: %s: expected a name, found '",
                 column[i % N_COLUMNS]);
        if (!strstr(notes, expected) || !strstr(notes, "; this row is left out\n") ||
            strchr(notes, '\x1b'))
            fail_msg("%s: %s", wrong[i / N_COLUMNS], notes);
        assert_string_equal(ask(store, "SELECT group_concat(row_id) FROM measurement"),
                            "\"r1,r3\"\n");
        assert_string_equal(ask(store, "SELECT row_id, name FROM value JOIN measurement AS m "
                                       "ON m.id = measurement"),
                            "\"r3\",\"b\"\n");
        store_close(store);
    }
    put("1.csv", "session,row_id,host\n1,r1,$a\n1,r2,fine\n1,r3,$b\n");
    store = loaded(notes);
    assert_non_null(strstr(
        notes,
        "1.csv:2: host: expected a name, found '$a'; this row and 1 more are left out\n"));
    store_close(store);
}

/* Neither waits for a pipe nor reads a device to its end. */
static void only_regular_files_are_read(void **unused)
{
    char notes[1000] = "", path[700];
    struct store *store;

    (void)unused;
    put("1.csv", "session,row_id\n1,r1\n");
    snprintf(path, sizeof path, "%s/2.csv", folder);
    assert_int_equal(mkfifo(path, 0666), 0);
    snprintf(path, sizeof path, "%s/3.csv", folder);
    assert_int_equal(symlink("/dev/zero", path), 0);
    snprintf(path, sizeof path, "%s/4.csv", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    put("5.csv", "session,row_id\n5,r1\n");
    snprintf(path, sizeof path, "%s/5.env.txt", folder);
    assert_int_equal(mkfifo(path, 0666), 0);
    store = loaded(notes);
    for (int i = 2; i <= 5; i++) {
        snprintf(path, sizeof path, "%d.%s: is no regular file", i, i == 5 ? "env.txt" : "csv");
        assert_non_null(strstr(notes, path));
    }
    assert_string_equal(ask(store, "SELECT session FROM measurement"), "\"1\"\n");
    store_close(store);
    snprintf(path, sizeof path, "%s/WITHDRAWN", folder);
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_int_equal(store_open(&store), BENCH_OK);
    assert_int_equal(store_add_results(store, folder, NULL), BENCH_EIO);
    store_close(store);
}

/* A file may be called as it likes. */
static void notes_command_nothing(void **unused)
{
    char notes[1000] = "";

    (void)unused;
    put("\x1b[2J1.csv", "a,b\n");
    put("2.csv", "session,row_id,\x1b[2J\n");
    store_close(loaded(notes));
    assert_null(strchr(notes, '\x1b'));
    assert_non_null(
        strstr(notes, "/?[2J1.csv:1: expected the header of a session; left out\n"));
    assert_non_null(
        strstr(notes, "2.csv:1: expected names of columns, found '?[2J'; left out\n"));
}

static void printed_texts_command_nothing(void **unused)
{
    static const char *const texts[][2] = {{"a\tb\nc", "a\tb\nc"},
                                           {"\x1b[2J\x07\x7f\r", "?[2J???"},
                                           {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xc2\xa0",
                                            "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xc2\xa0"},
                                           {"\xc2\x9b"
                                            "2J\x9b"
                                            "2J",
                                            "??2J?2J"},
                                           {"\xc3", "?"},
                                           {"\xe2\x82z\xff\xc0\x80", "??z???"}};
    char page[100];

    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        FILE *out = fmemopen(page, sizeof page, "w");
        struct text text = {0};

        assert_non_null(out);
        text_add(&text, texts[i][0]);
        assert_int_equal(text_print(&text, out), BENCH_OK);
        fclose(out);
        assert_string_equal(page, texts[i][1]);
        text_free(&text);
        BENCH_FAIL(BENCH_EINPUT, "%s", texts[i][0]);
        assert_null(strpbrk(bench_failure(), "\t\n\r\x07\x1b\x7f"));
    }
    bench_failure_clear();
}

/* A session of another schema is read as far as it is known. */
static void other_schemas_are_read(void **unused)
{
    char notes[1000] = "";
    struct store *store;

    (void)unused;
    put("1.csv", "session,row_id,impl\n1,old,rdp/serial\n");
    put("2.csv", "session,row_id,impl,status,median_ms,new_key,new_ms\n"
                 "2,new,rdp/serial,ok,1.5,7,2\n");
    store = loaded(notes);
    assert_string_equal(notes, "");
    assert_string_equal(
        ask(store,
            "SELECT row_id, median_ms, new_key, typeof(new_ms), keys LIKE '%;new_key=7%' "
            "FROM measurement ORDER BY id"),
        "\"old\",,,\"null\",\"0\"\n\"new\",\"1.5\",\"7\",\"real\",\"1\"\n");
    store_close(store);
}

static void put_text(const char *name, const struct text *text)
{
    char path[800];

    assert_int_equal(text_ok(text), BENCH_OK);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_bytes(path, text->data, text->size);
}

static void hostile_files_are_named(void **unused)
{
    static const char cut[] =
        "session,row_id,impl\n5,r1,rdp/serial\n5,r2,\"never closed,\n5,r3,x";
    char notes[1000] = "";
    struct text wide = {0}, new = {0}, nul = {0}, huge = {0};
    struct store *store;

    (void)unused;
    text_add(&wide, "session,row_id");
    text_add(&new, "session,row_id");
    for (int i = 0; i < 100000; i++)
        text_format(&wide, ",c%d", i);
    for (int i = 0; i < 1000; i++)
        text_format(&new, ",c%d", i);
    text_add(&new, "\n");
    text_bytes(&nul, "session,row_id\n3,r\0001\n", 21);
    text_format(&huge, "session,row_id,flags\n4,r1,%04000000d\n", 0);
    put_text("1.csv", &wide);
    put_text("2.csv", &new);
    put_text("3.csv", &nul);
    put_text("4.csv", &huge);
    put("5.csv", cut);
    put("6.csv", "session,row_id\n6,r1\n");
    put("6.values.csv", "row_id,name,index,value,unit\nr1,a,1,\"2,\n");
    put("6.env.txt", "no equals\nhost=\xff\xfe\n");
    put("7.csv", "session,row_id,\"impl\n7,r1,x\n");
    store = loaded(notes);
    assert_non_null(strstr(notes, "1.csv:1: more than 4096 fields in one row; left out\n"));
    assert_non_null(strstr(notes, "2.csv:1: expected at most 400 columns in all, found 1"));
    assert_non_null(strstr(notes, "3.csv:2: a NUL byte in a text file; left out\n"));
    assert_null(strstr(notes, "4.csv"));
    assert_null(strstr(notes, "5.csv"));
    assert_null(strstr(notes, "6."));
    assert_string_equal(
        ask(store, "SELECT session, row_id, length(flags), impl FROM measurement"),
        "\"4\",\"r1\",\"4000000\",\n\"5\",\"r1\",,\"rdp/serial\"\n\"6\",\"r1\",,\n");
    assert_string_equal(ask(store, "SELECT count(*) FROM value"), "\"0\"\n");
    store_close(store);
    text_free(&wide);
    text_free(&new);
    text_free(&nul);
    text_free(&huge);
}

/* SQLite has a limit of columns: files that go beyond it are left out, and the others read. */
static void many_files_add_no_end_of_columns(void **unused)
{
    struct store *store;

    (void)unused;
    for (int file = 0; file < 5; file++) {
        struct text text = {0};
        char name[20];

        text_add(&text, "session,row_id");
        for (int i = 0; i < 100; i++)
            text_format(&text, ",c%d_%d", file, i);
        text_add(&text, "\n");
        snprintf(name, sizeof name, "%02d.csv", file);
        put_text(name, &text);
        text_free(&text);
    }
    put("99.csv", "session,row_id\n9,r1\n");
    assert_int_equal(store_open(&store), BENCH_OK);
    assert_int_equal(store_add_results(store, folder, NULL), BENCH_OK);
    assert_int_equal(store_complete(store), BENCH_OK);
    assert_string_equal(ask(store, "SELECT session FROM measurement"), "\"9\"\n");
    store_close(store);
}

static void a_folder_is_read_once(void **unused)
{
    char again[700];
    struct store *store;

    (void)unused;
    put("1.csv", HEADER);
    snprintf(again, sizeof again, "%s/../a-machine/", folder);
    assert_int_equal(store_open(&store), BENCH_OK);
    assert_int_equal(store_add_results(store, folder, NULL), BENCH_OK);
    assert_int_equal(store_add_results(store, again, NULL), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "the folder is given twice"));
    store_close(store);
}

/* ---- a store that is kept ---- */

static char cache[650], kept[1000]; /* the folder of those, and the only file in it */

/* More bytes than are read without a file; the first row has the time 'ms'. */
static void put_many(const char *name, const char *ms)
{
    struct text text = {0};

    text_add(&text, "session,row_id,impl,status,verdict,median_ms,eps,flags\n");
    for (int i = 0; i < 100; i++)
        text_format(&text, "1,r%d,rdp/serial,ok,exact,%s,%d,%03000d\n", i + 1, i ? "2" : ms, i,
                    i);
    assert_int_equal(text_ok(&text), BENCH_OK);
    put(name, text.data);
    text_free(&text);
}

/* All times of the folder; whether they come from a kept store. */
static double sum_of_times(bool *from_kept)
{
    const char *const folders[] = {folder};
    char notes[1000] = "";
    FILE *file = fmemopen(notes, sizeof notes, "w");
    struct store *store;
    double sum;

    if (store_read(folders, 1, false, file, &store) != BENCH_OK)
        fail_msg("%s", bench_failure());
    fclose(file);
    assert_string_equal(bench_failure(), "");
    *from_kept = sqlite3_db_readonly(store_database(store), "main");
    sum = strtod(ask(store, "SELECT sum(median_ms) FROM current") + 1, NULL);
    assert_int_equal(store_n_measurements(store),
                     strtoll(ask(store, "SELECT count(*) FROM measurement") + 1, NULL, 10));
    store_close(store);
    return sum;
}

static void reads(double expected, bool expect_kept)
{
    bool from_kept;

    assert_float_equal(sum_of_times(&from_kept), expected, 0);
    assert_int_equal(from_kept, expect_kept);
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int begin_keeping(void **unused)
{
    struct dirent **entry;

    begin(unused);
    snprintf(cache, sizeof cache, "%s/store/cache", support_place());
    support_remove(cache);
    setenv("DEPTHBENCH_CACHE", cache, 1);
    put_many("1.csv", "2");
    reads(200, false);
    assert_int_equal(scandir(cache, &entry, is_file, NULL), 1);
    snprintf(kept, sizeof kept, "%s/%s", cache, entry[0]->d_name);
    free(entry[0]);
    free(entry);
    return 0;
}

static int stop_keeping(void **unused)
{
    (void)unused;
    return unsetenv("DEPTHBENCH_CACHE");
}

static void a_kept_store_is_of_the_files_as_they_are(void **unused)
{
    (void)unused;
    reads(200, true);
    put_many("1.csv", "3"); /* as many bytes */
    reads(201, false);
    reads(201, true);
    put_many("1.csv", "2");
    reads(200, false);
    put("2.csv", HEADER ROW("2", "r1", "a", "0", "paper", "rdp/serial", "serial", "", "kernel",
                            "5", "9999"));
    reads(205, false);
    put("WITHDRAWN", "2 all of it\n");
    reads(200, false);
    put("2.env.txt", "host=x\n");
    reads(200, false);
    put("2.values.csv", "row_id,name,index,value,unit\nr1,kept,,7,px\n");
    reads(200, false);
    reads(200, true);
    put("2.csv", "not,a,session\n"); /* said by each call anew */
    reads(200, false);
    reads(200, false);
}

static void a_damaged_store_is_made_anew(void **unused)
{
    struct text whole, other;

    (void)unused;
    assert_int_equal(text_read_file(kept, &whole), BENCH_OK);
    for (size_t at = 0; at < whole.size; at += whole.size / 7) {
        whole.data[at] ^= 1;
        write_bytes(kept, whole.data, whole.size);
        reads(200, false);
        reads(200, true);
        whole.data[at] ^= 1;
    }
    for (size_t n = 0; n < whole.size; n += whole.size / 5) {
        write_bytes(kept, whole.data, n); /* cut */
        reads(200, false);
    }
    write_bytes(kept, "not a database, and long enough to have a hash", 46);
    reads(200, false);
    /* whole, of other files: also if it got the right name */
    put_many("1.csv", "3");
    reads(201, false);
    assert_int_equal(text_read_file(kept, &other), BENCH_OK);
    write_bytes(kept, whole.data, whole.size);
    reads(201, false);
    put_many("1.csv", "2");
    write_bytes(kept, other.data, other.size);
    reads(200, false);
    text_free(&whole);
    text_free(&other);
}

static void no_store_can_be_kept(void **unused)
{
    struct rlimit before, small;

    (void)unused;
    /* as on a full disk, where nothing stays behind */
    assert_int_equal(unlink(kept), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){100000, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    reads(200, false);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(rmdir(cache), 0);
    setenv("DEPTHBENCH_CACHE", "", 1);
    reads(200, false);
    setenv("DEPTHBENCH_CACHE", "/dev/null/nowhere", 1);
    reads(200, false);
    setenv("DEPTHBENCH_CACHE", "/proc", 1);
    reads(200, false);
}

static void readers_and_writers_at_once(void **unused)
{
    enum { N = 4 };
    pid_t child[N];

    (void)unused;
    for (int i = 0; i < N; i++) {
        child[i] = fork();
        assert_true(child[i] >= 0);
        for (int n = 0; n < 10 && child[i] == 0; n++) {
            bool from_kept;

            if (i == 0)
                unlink(kept);
            if (sum_of_times(&from_kept) < 200)
                _exit(1);
        }
        if (child[i] == 0)
            _exit(0);
    }
    for (int i = 0; i < N; i++) {
        int code;

        assert_int_equal(waitpid(child[i], &code, 0), child[i]);
        assert_int_equal(code, 0);
    }
    reads(200, true);
}

/* ---- queries ---- */

static void a_query_only_reads(void **unused)
{
    char notes[1000] = "";
    struct store *store;

    (void)unused;
    put("1.csv", HEADER ROW("1", "r1", "a", "0", "paper", "rdp/serial", "serial", "", "kernel",
                            "1", "4"));
    store = loaded(notes);
    refused(store, "DELETE FROM measurement", "results are only read");
    refused(store, "INSERT INTO expected VALUES (1, 2, 3)", "results are only read");
    refused(store, "CREATE TABLE x (y)", "results are only read");
    refused(store, "ATTACH '/tmp/x' AS y", "results are only read");
    refused(store, "PRAGMA query_only = 0", "results are only read");
    refused(store, "SELECT load_extension('x')",
            "not authorized to use function: load_extension");
    refused(store, "VACUUM INTO '/nowhere/x'", "authorization denied");
    refused(store, "SELECT * FROM nowhere", "no such table: nowhere");
    refused(store, "SELEC", "syntax error");
    refused(store, "", "found nothing");
    refused(store, " -- nothing\n;", "found nothing");
    refused(store, "SELECT 1; DROP TABLE value",
            "expected one statement, found more: DROP TABLE value");
    refused(store,
            "SELECT a.id FROM measurement AS a, (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
            "SELECT i + 1 FROM n WHERE i < 1000002) SELECT i FROM n)",
            "add a LIMIT");
    assert_string_equal(ask(store, "SELECT 1; -- that is all"), "\"1\"\n");
    assert_string_equal(ask(store, "WITH t AS (SELECT 2 AS a) SELECT a FROM t"), "\"2\"\n");
    assert_string_equal(ask(store, "SELECT count(*) FROM measurement"), "\"1\"\n");
    store_close(store);
}

static void functions_of_groups(void **unused)
{
#define POINTS(rows) "(SELECT column1 AS x, column2 AS y FROM (VALUES " rows "))"
    struct store *store;

    (void)unused;
    assert_int_equal(store_open(&store), BENCH_OK);
    assert_int_equal(store_complete(store), BENCH_OK);
    assert_string_equal(ask(store,
                            "SELECT median(x), quantile(x, 0.25), quantile(x, 2), geomean(x) "
                            "FROM " POINTS("(4, 1), (NULL, 1), (1, 1), (2, 1), ('b', 1)")),
                        "\"2\",\"1.5\",,\"2\"\n");
    assert_string_equal(ask(store, "SELECT power_exponent(x, y), geomean(y - 8) FROM " POINTS(
                                       "(1, 3), (2, 12), (4, 48)")),
                        "\"2\",\n");
    /* 3 against 3, fully apart: 2 of 20 ways */
    assert_string_equal(ask(store, "SELECT mann_whitney(x, y) FROM " POINTS(
                                       "(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 1)")),
                        "\"0.1\"\n");
    assert_string_equal(ask(store, "SELECT mann_whitney(x, y) FROM " POINTS("(1, 0), (2, 0)")),
                        "\n");
    assert_string_equal(ask(store, "SELECT median(1) FROM measurement"), "\n");
    store_close(store);
}

/* ---- renderings ---- */

static void renders(struct store *store, const char *sql, enum table_format format, int width,
                    const char *expected)
{
    struct text text = {0};
    struct table table;

    assert_int_equal(query_table(store, sql, &table), BENCH_OK);
    table_render(&table, format, width, &text);
    assert_int_equal(text_ok(&text), BENCH_OK);
    assert_string_equal(text.data, expected);
    text_free(&text);
    table_free(&table);
}

static void four_renderings(void **unused)
{
    static const char *const sql =
        "SELECT 'a|<b>&\"c\"' AS name, 1234567.891 AS t, NULL AS empty "
        "UNION ALL SELECT '\xc3\xa4' || char(10) || 'b', 2, NULL";
    struct store *store;

    (void)unused;
    assert_int_equal(store_open(&store), BENCH_OK);
    assert_int_equal(store_complete(store), BENCH_OK);
    renders(store, sql, TABLE_TERMINAL, 80,
            "name             t  empty\n"
            "a|<b>&\"c\"  1234568  \n"
            "\xc3\xa4 b              2  \n");
    renders(store, sql, TABLE_TERMINAL, 24,
            "name   a|<b>&\"c\"\nt      1234568\n\nname   \xc3\xa4 b\nt      2\n");
    renders(store, sql, TABLE_CSV, 0,
            "\"name\",\"t\",\"empty\"\n\"a|<b>&\"\"c\"\"\",\"1234567.89\",\n\"\xc3\xa4\nb\","
            "\"2\",\n");
    renders(store, sql, TABLE_MARKDOWN, 0,
            "| name              |       t | empty |\n"
            "| ----------------- | ------: | ----- |\n"
            "| a\\|&lt;b>&amp;\"c\" | 1234568 |       |\n"
            "| \xc3\xa4 b               |       2 |       |\n");
    renders(store, sql, TABLE_HTML, 0,
            "<table>\n<thead>\n<tr><th scope=\"col\">name</th><th scope=\"col\" "
            "class=\"number\">t</th>"
            "<th scope=\"col\">empty</th></tr>\n</thead>\n<tbody>\n"
            "<tr><th scope=\"row\">a|&lt;b&gt;&amp;&quot;c&quot;</th><td "
            "class=\"number\">1234568</td><td></td></tr>\n"
            "<tr><th scope=\"row\">\xc3\xa4\nb</th><td "
            "class=\"number\">2</td><td></td></tr>\n</tbody>\n</table>\n");
    store_close(store);
}

#define KEPT(test) cmocka_unit_test_setup_teardown(test, begin_keeping, stop_keeping)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_configuration_has_its_defaults, begin),
        cmocka_unit_test_setup(a_configuration_says_where, begin),
        cmocka_unit_test_setup(the_row_that_stands_for_it, begin),
        cmocka_unit_test_setup(a_broken_session_is_named, begin),
        cmocka_unit_test_setup(hostile_headers_are_refused, begin),
        cmocka_unit_test_setup(odd_fields_are_no_harm, begin),
        cmocka_unit_test_setup(rows_without_a_plain_name_are_left_out, begin),
        cmocka_unit_test_setup(only_regular_files_are_read, begin),
        cmocka_unit_test_setup(notes_command_nothing, begin),
        cmocka_unit_test_setup(printed_texts_command_nothing, begin),
        cmocka_unit_test_setup(other_schemas_are_read, begin),
        cmocka_unit_test_setup(hostile_files_are_named, begin),
        cmocka_unit_test_setup(many_files_add_no_end_of_columns, begin),
        cmocka_unit_test_setup(a_folder_is_read_once, begin),
        cmocka_unit_test_setup(an_exported_file_has_it_all, begin),
        KEPT(a_kept_store_is_of_the_files_as_they_are),
        KEPT(a_damaged_store_is_made_anew),
        KEPT(no_store_can_be_kept),
        KEPT(readers_and_writers_at_once),
        cmocka_unit_test_setup(a_query_only_reads, begin),
        cmocka_unit_test_setup(functions_of_groups, begin),
        cmocka_unit_test_setup(four_renderings, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

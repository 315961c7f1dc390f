/* test_store.c - results as a database: configurations, files, stores that are kept, queries,
 * four renderings */
#include "harness/analysis/query.h"
#include "harness/analysis/store.h"
#include "harness/analysis/table.h"
#include "harness/base/listing.h"
#include "harness/base/text.h"
#include "tests/session.h"
#include "tests/support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of results, and what is said of it, without its name. */
static char folder[600], notes[9000];
static struct store *store;

static const char *in_folder(const char *name)
{
    static char path[800];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put_text(const char *name, struct text *text)
{
    assert_int_equal(text_ok(text), BENCH_OK);
    write_bytes(in_folder(name), text->data, text->size);
    text_free(text);
}

/* These folders become the store, in place of the one before. */
static enum bench_status read_folders(const char *const *folders, int n, bool may_be_missing,
                                      FILE *said)
{
    store_close(store);
    return store_read_files(&(struct store_files){folders, n, may_be_missing, NULL, NULL}, said,
                            &store);
}

static void load(void)
{
    FILE *const file = fmemopen(notes, sizeof notes, "w");
    char begin[700];

    notes[0] = '\0';
    assert_non_null(file);
    if (read_folders((const char *[]){folder}, 1, false, file) != BENCH_OK)
        fail_msg("%s", bench_failure());
    fclose(file);
    snprintf(begin, sizeof begin, "note: %s/", folder);
    for (char *at = notes; (at = strstr(at, begin));)
        memmove(at, at + strlen(begin), strlen(at + strlen(begin)) + 1);
}

/* Questions, a line each, and below each the fields of its answer between commas and lines. */
static void answers(const char *talk)
{
    struct text said = {0}, sql = {0};
    struct table table;

    for (const char *at = talk; *at; at += strcspn(at, "\n") + 1) {
        if (strncmp(at, "SELECT ", 7) != 0 && strncmp(at, "WITH ", 5) != 0)
            continue;
        text_format(&sql, "%.*s", (int)strcspn(at, "\n"), at);
        if (query_table(store, sql.data, &table) != BENCH_OK)
            fail_msg("%s: %s", sql.data, bench_failure());
        text_format(&said, "%s\n", sql.data);
        for (int i = 0; i < table.n_rows * table.n_columns; i++)
            text_format(&said, "%s%s", table.cell[i].text ? table.cell[i].text : "",
                        (i + 1) % table.n_columns ? "," : "\n");
        table_free(&table);
        text_free(&sql);
    }
    assert_string_equal(said.data, talk);
    text_free(&said);
}

/* Of the files of the folder, "=NAME" above the text of each, what is said and answered. */
static void expect(const char *files, const char *said, const char *talk)
{
    char name[30];

    while (*files) {
        const char *const text = strchr(files, '\n') + 1, *const end = strstr(text - 1, "\n=");
        const size_t n = end ? (size_t)(end + 1 - text) : strlen(text);

        snprintf(name, sizeof name, "%.*s", (int)(text - files - 2), files + 1);
        write_bytes(in_folder(name), text, n);
        files = text + n;
    }
    load();
    assert_string_equal(notes, said);
    answers(talk);
}

static int begin(void **unused)
{
    setenv("DEPTHBENCH_CACHE", "", 1);
    snprintf(folder, sizeof folder, "%s/store/results/a-machine", support_place());
    support_remove(folder);
    assert_int_equal(text_make_folder(in_folder("ncu")), BENCH_OK);
    bench_failure_clear();
    return 0;
}

static int end(void **unused)
{
    store_close(store);
    store = NULL;
    return 0;
}

/* ---- configurations, columns, functions ---- */

/* Files, what is said of them, questions and their answers: see expect(). */
static const struct story {
    const char *name, *files, *said, *talk;
} stories[] = {
    {"a_configuration_has_its_defaults",
     "=1.csv\n" /* before eps was a key */
     "session,row_id,impl,input,height\n1,r1,rdp/serial,scene,1024\n"
     "=2.csv\n" /* with it; as another text; another value */
     "session,row_id,impl,input,eps,height\n"
     "2,r1,rdp/serial,scene,4,1024\n"
     "2,r2,rdp/serial,scene,4.0,1024\n"
     "2,r3,rdp/serial,scene,5,1024\n",
     "",
     "SELECT count(*), count(DISTINCT configuration), count(DISTINCT keys) "
     "FROM measurement\n"
     "4,2,2\n"
     "SELECT keys LIKE '%eps=4;%' FROM measurement WHERE session = '1'\n1\n"},
    {"older_names_are_read_as_those_of_now",
     "=1.csv\n"
     "session,row_id,experiment,impl,scope\n"
     "1,r1,stx/fig8,stixels/serial,frame\n1,r2,stixels/fig8,stixels/serial,kernel\n"
     "=ncu/1.csv\n"
     "experiment,kernel\nstx/fig9,k\n",
     "",
     "SELECT experiment, scope FROM measurement\n"
     "stixels/fig8,end_to_end\nstixels/fig8,kernel\n"
     "SELECT experiment FROM counter\nstixels/fig9\n"},
    {"a_configuration_says_where",
     "=s.csv\n"
     "session,row_id,commit,impl,device,threads,batch,scope,lap,median_ms,sm_count,"
     "transfer,sms\n"
     /* the same: as many multiprocessors as there are, copied though it is not said */
     "s,r1,12345678,rdp/gpu-opt,gpu,,1,kernel,,1,132,,\n"
     "s,r2,12345678,rdp/gpu-opt,gpu,,,kernel,,1,132,copy,132\n"
     /* others */
     "s,r3,12345678,rdp/gpu-opt,gpu,,1,kernel,,1,132,,8\n"
     "s,r4,12345678,rdp/gpu-opt,gpu,,1,kernel,,1,132,mapped,\n"
     "s,r5,12345678,rdp/gpu-opt,gpu,,2,kernel,,1,132,,\n"
     "s,r6,12345678,rdp/gpu-opt,gpu,,1,frame,,1,132,,\n"
     "s,r7,12345678,rdp/gpu-opt,gpu,,1,kernel,search,1,132,,\n"
     /* a serial program has no team, a parallel one does */
     "s,r8,12345678,rdp/serial,serial,1,1,kernel,,1,,,\n"
     "s,r9,12345678,rdp/serial,serial,,1,kernel,,1,,,\n"
     "s,r10,12345678,rdp/omp-columns,omp,2,1,kernel,,1,,,\n"
     "s,r11,12345678,rdp/omp-columns,omp,4,1,kernel,,1,,,\n",
     "",
     "SELECT group_concat(row_id, '+') FROM measurement "
     "GROUP BY configuration ORDER BY min(id)\n"
     "r1+r2\nr3\nr4\nr5\nr6\nr7\nr8+r9\nr10\nr11\n"
     "SELECT typeof(commit_hash), typeof(median_ms), typeof(sms) FROM measurement "
     "WHERE row_id = 'r1'\n"
     "text,real,null\n"},
    /* the newest; but the full protocol before --quick, and a clean build before that */
    {"the_row_that_stands_for_it",
     "=1.csv\n"
     "session,row_id,utc,dirty,protocol,impl,status,verdict,eps\n"
     "1,old,2026-01-01,0,paper,rdp/serial,ok,exact,4\n"
     "1,new,2026-01-02,0,paper,rdp/serial,ok,exact,4\n"
     "1,quick,2026-01-03,0,quick,rdp/serial,ok,exact,4\n"
     "1,dirty,2026-01-04,1,paper,rdp/serial,ok,exact,4\n"
     "1,gone,2026-01-05,0,paper,rdp/serial,ok,exact,4\n"
     "1,profiled,2026-01-06,0,profile,rdp/serial,ok,exact,4\n"
     "1,q,2026-01-03,0,quick,rdp/serial,ok,exact,9\n"
     "1,d,2026-01-02,1,paper,rdp/serial,ok,exact,9\n"
     "=2.csv\nsession,row_id,utc,dirty,protocol,impl,status,verdict,eps\n"
     "2,whole,2026-02-01,0,paper,rdp/serial,ok,exact,4\n"
     "=WITHDRAWN\n"
     "1:gone another program ran\r\n2  all of it\n10 and 1:n, no such names\n",
     "",
     "SELECT eps, row_id FROM current ORDER BY eps\n4,new\n9,q\n"
     "SELECT row_id, withdrawn FROM measurement WHERE withdrawn IS NOT NULL ORDER BY id\n"
     "gone,another program ran\nwhole,all of it\n"},
    /* A header becomes SQL: what is no name of a column, or is one of ours, is refused. */
    {"hostile_headers_are_refused",
     "=1.csv\nsession,row_id,\"x\"\") SELECT 1,2 --\"\n"
     "=2.csv\nsession,row_id,preference\n"
     "=3.csv\nsession,row_id,ID\n"
     "=4.csv\nsession,row_id,case,frame_pick\n"
     "=5.csv\nsession,row_id,eps,EPS\n"
     "=6.csv\nsession,row_id,\x1b[2J\n"
     "=\x1b[2J.csv\na,b\n", /* a file may be called as it likes */
     "?[2J.csv:1: expected the header of a session; left out\n"
     "1.csv:1: expected names of columns, found 'x\") SELECT 1,2 --'; left out\n"
     "2.csv:1: expected names of columns, found 'preference'; left out\n"
     "3.csv:1: expected names of columns, found 'ID'; left out\n"
     "4.csv:1: columns 'case' and 'frame_pick' are one; left out\n"
     "5.csv:1: columns 'eps' and 'EPS' are one; left out\n"
     "6.csv:1: expected names of columns, found '?[2J'; left out\n",
     "SELECT count(*) FROM measurement\n0\n"},
    {"odd_fields_are_no_harm",
     "=0.csv\nsession,row_id,impl\n0,old,rdp/serial\n" /* of another schema */
     "=1.csv\n"
     "session,row_id,impl,scope,seed,height,new_key,new_ms\n"
     "1,r1,12,1,2147483646,99999999999999999999,7,2\n"
     "1,r2,12,1,2147483647,007,7,2\n"
     "=1.values.csv\n"
     "row_id,name,index,value,unit\nr1,,1,2,\nr1,a,,nan,\nr1,b,,3,\n"
     "=1.env.txt\nno equals\nhost=x\n",
     "",
     "SELECT count(DISTINCT configuration), typeof(impl), max(height), new_key, "
     "typeof(new_ms), keys LIKE '%;new_key=7%' FROM measurement GROUP BY session\n"
     "1,text,,,null,0\n2,text,007,7,real,1\n"
     "SELECT name, value FROM value\nb,3\n"
     "SELECT key FROM environment\nhost\n"},
    {"older_schemas_are_read",
     "=1.csv\n"
     "schema,session,row_id,commit,profile,experiment,problem,figure,impl,plan,case,scope,lap\n"
     "1,1,r1,c,quick,stx/t,stixels,g,stixels/serial,frames=1;laps=1,worst,frame,part\n"
     "=2.csv\n"
     "schema,session,row_id,commit,profile,experiment,problem,figure,impl,plan,case,scope,lap,"
     "sms\n"
     "2,2,r1,c,quick,stx/t,stixels,g,stixels/serial,frames=1;laps=1,worst,frame,part,\n"
     "=3.csv\n"
     "schema,session,row_id,commit,profile,experiment,problem,figure,impl,plan,case,scope,lap,"
     "sms,host,n_throttled,run,run_group\n"
     "3,3,r1,c,quick,stixels/t,stixels,g,stixels/serial,frames=1;laps=1,worst,frame,part,,,,,\n"
     "=4.csv\n"
     "schema,session,row_id,commit_hash,protocol,experiment,problem,section,impl,plan,"
     "frame_pick,scope,stage,sms,host,n_throttled,run,run_group\n"
     "4,4,r1,c,quick,stixels/t,stixels,g,stixels/serial,frames=1;stages=1,worst,end_to_end,"
     "part,,,,,\n",
     "",
     "SELECT count(*), count(DISTINCT configuration), commit_hash, protocol, experiment, "
     "section, plan, frame_pick, scope, stage FROM measurement "
     "GROUP BY 3, 4, 5, 6, 7, 8, 9, 10\n"
     "4,1,c,quick,stixels/t,g,frames=1;stages=1,worst,end_to_end,part\n"},
    {"functions_of_groups", "", "",
     "WITH p(x) AS (VALUES (4), (NULL), (1), (2), ('b')) "
     "SELECT median(x), quantile(x, 0.25), quantile(x, 2), geomean(x) FROM p\n2,1.5,,2\n"
     "WITH p(x, y) AS (VALUES (1, 3), (2, 12), (4, 48)) "
     "SELECT power_fit(x, y, 1), geomean(y - 8) FROM p\n2,\n"
     "WITH p(x, y) AS (VALUES (1, 3), (2, 12)) "
     "SELECT power_fit(x, y, 0), power_fit(x, y, 2), power_fit(x, y, 6) FROM p\n2,,\n"
     /* 3 against 3, fully apart: 2 of 20 ways */
     "WITH p(x, y) AS (VALUES (1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 1)) "
     "SELECT mann_whitney(x, y) FROM p\n0.1\n"
     "WITH p(x, y) AS (VALUES (1, 0), (2, 0)) SELECT mann_whitney(x, y) FROM p\n\n"
     "SELECT median(1) FROM measurement\n\n"},
    {"functions_at_their_constants", "", "",
     /* 20 runs, a level of ten each: a step is seen from a logarithm of 0.00328 on; 5 against 5:
      * 4 of 252 ways are left out at each end, and 7 would be too many */
     "WITH RECURSIVE p(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM p WHERE i < 19) SELECT "
     "steps(1 + (i > 9) * 0.00320), steps(1 + (i > 9) * 0.00337), steps(1 + (i = 9)), "
     "steps(1 + (i IN (9, 10))), "
     "round(ratio_interval(CASE WHEN i < 10 THEN i + 1 END, i % 2, 2), 4), "
     "round(ratio_interval(CASE WHEN i < 8 THEN i + 1 END, i % 2, 2), 4) FROM p\n"
     "[0],[0,10],[0],[0,9,11],0.9683,0.9714\n"
     /* of a mean six digits, of what is told without an interval four */
     "SELECT told(1.23456, 0), told(123456, 1), told(1.23456, 0.001), told(1.23456, 1e-9), "
     "told_mean(1.2345678, 1e-4), told_mean(1.2345678, 9e-6)\n"
     "1.235,123500,1.235,1.235,1.23457 \u00b1 0.00010,1.235\n"},
};

static void run(void **state)
{
    const struct story *const story = *state;

    expect(story->files, story->said, story->talk);
}

/* ---- files ---- */

static void a_broken_session_is_named(void **unused)
{
    write_text(folder, "3.csv", "session,row_id,impl\n3,r1,\n3,r2,cut by a ki");
    expect("=1.csv\n" /* values of a row that never came */
           "session,row_id\n1,r1\n"
           "=1.values.csv\n"
           "row_id,name,index,value,unit\nr1,segments,,12.5,\nr1,kept,3,7,px\nr9,segments,,1,\n"
           "=1.env.txt\nmachine=a-machine\nkernel=6.1 = new\n"
           "=2.csv\nsession,row_id,impl\n2,r1\n"
           "=4.csv\n=5.csv\nsome,other\n1,2\n"
           "=6.csv\n" /* a row or a value that is wrong leaves nothing of its session */
           "session,row_id\n6,r1\n"
           "=6.values.csv\nrow_id,name\nr1\n"
           "=7.csv\n"
           "session,row_id,reason,mean_ms\n7,r1,\"two\nlines\",\n7,r2,,0.5\n7,r3,,0.5o\n"
           "=ncu/1.csv\n"
           "utc,commit,experiment,kernel,instructions\nx,1,rdp/fig9,k<4>,99\n",
           "2.csv:2: expected 3 fields as in the header, found 2; left out\n"
           "5.csv:1: expected the header of a session; left out\n"
           "6.values.csv:2: expected 2 fields as in the header, found 1; left out\n"
           "7.csv:5: mean_ms: expected a number, found '0.5o'; left out\n",
           "SELECT session, row_id FROM measurement ORDER BY id\n1,r1\n3,r1\n"
           "SELECT session, v.name, idx, value, unit FROM value AS v "
           "JOIN measurement AS m ON m.id = v.measurement ORDER BY idx\n"
           "1,segments,,12.5,\n1,kept,3,7,px\n"
           "SELECT key, text FROM environment WHERE session = '1'\n"
           "machine,a-machine\nkernel,6.1 = new\n"
           "SELECT results, kernel, instructions FROM counter\na-machine,k<4>,99\n");
    assert_int_equal(read_folders((const char *[]){"nowhere"}, 1, false, NULL), BENCH_EINPUT);
    assert_string_equal(bench_failure(), "nowhere: expected a folder with results, found none");
    assert_int_equal(
        read_folders((const char *[]){folder, in_folder("../a-machine/")}, 2, false, NULL),
        BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "the folder is given twice"));
}

static void an_exported_file_has_it_all(void **unused)
{
    write_text(folder, "1.csv",
               "session,row_id,impl,status,verdict,median_ms\n1,r1,rdp/serial,ok,exact,1.5\n");
    write_text(folder, "all.sqlite", "an older one");
    load();
    assert_int_equal(store_export(store, in_folder("all.sqlite")), BENCH_OK);
    assert_int_equal(store_export(store, "/nowhere/at/all.sqlite"), BENCH_EIO);
    assert_int_equal(store_export(store, "/dev/null"), BENCH_EINPUT);
    end(NULL);
    assert_int_equal(store_open_file(in_folder("all.sqlite"), &store), BENCH_OK);
    answers("SELECT median_ms FROM current\n1.5\n");
}

static void files_without_plain_names_are_left_out(void **unused)
{
    static const char *const column[] = {"machine", "commit", "host", "impl", "input"};
    char too_long[82] = "";
    const char *const wrong[] = {"`touch PWN`", "a'b",         "$(id)",    "a b",
                                 "-e",          "/etc/passwd", "../up",    "a/../../up",
                                 "\x1b[2J",     "\"a\nb\"",    "\xc3\xa4", too_long};
    const char *at = notes;
    char name[20], text[300];

    memset(too_long, 'a', 81);
    write_text(folder, "0.csv",
               "session,row_id,machine,commit,host,impl,input\n0,r1,A-b_c.d:e+f/9,,,,\n");
    for (size_t i = 0; i < 5 * sizeof wrong / sizeof *wrong; i++) {
        snprintf(name, sizeof name, "%02zu.csv", i);
        snprintf(text, sizeof text,
                 "session,row_id,reason,%s\n%zu,r1,\"two\nlines\",\n%zu,r2,,%s\n",
                 column[i % 5], i, i, wrong[i / 5]);
        write_text(folder, name, text);
    }
    load();
    for (size_t i = 0; i < 5 * sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "%02zu.csv:4: %s: expected a name, found '", i,
                 column[i % 5]);
        assert_ptr_equal(strstr(at, text), at);
        at = strchr(at, '\n') + 1;
    }
    assert_string_equal(at, "");
    assert_null(strchr(notes, '\x1b'));
    answers("SELECT session, machine FROM measurement\n0,A-b_c.d:e+f/9\n");
}

/* Neither waits for a pipe nor reads a device to its end. */
static void only_regular_files_are_read(void **unused)
{
    assert_int_equal(mkfifo(in_folder("2.csv"), 0666), 0);
    assert_int_equal(symlink("/dev/zero", in_folder("3.csv")), 0);
    assert_int_equal(mkdir(in_folder("4.csv"), 0777), 0);
    assert_int_equal(mkfifo(in_folder("5.env.txt"), 0666), 0);
    expect("=1.csv\nsession,row_id\n1,r1\n=5.csv\nsession,row_id\n5,r1\n",
           "2.csv: is no regular file; left out\n3.csv: is no regular file; left out\n"
           "4.csv: is no regular file; left out\n5.env.txt: is no regular file; left out\n",
           "SELECT session FROM measurement\n1\n");
    assert_int_equal(mkfifo(in_folder("WITHDRAWN"), 0666), 0);
    assert_int_equal(read_folders((const char *[]){folder}, 1, false, NULL), BENCH_EIO);
}

static void printed_texts_command_nothing(void **unused)
{
    struct text text = {0};
    char page[100];
    FILE *const out = fmemopen(page, sizeof page, "w");

    text_add(&text, "a\tb\nc|\x1b[2J\x07\x7f\r|\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xc2\xa0|"
                    "\xc2\x9b\x32J\x9b\x32J|\xc3|\xe2\x82z\xff\xc0\x80");
    BENCH_FAIL(BENCH_EINPUT, "%s", text.data);
    assert_null(strpbrk(bench_failure(), "\t\n\r\x07\x1b\x7f"));
    assert_non_null(out);
    assert_int_equal(text_print(&text, out), BENCH_OK);
    fclose(out);
    assert_string_equal(page, "a\tb\nc|?[2J???|\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xc2\xa0|"
                              "??2J?2J|?|??z???");
    text_free(&text);
}

/* "session,row_id", so many columns of a file's own, and what is behind them. */
static void put_wide(const char *name, int first, int n_columns, const char *rest)
{
    struct text text = {0};

    text_add(&text, "session,row_id");
    for (int i = 0; i < n_columns; i++)
        text_format(&text, ",c%d", first + i);
    text_add(&text, rest);
    put_text(name, &text);
}

static void hostile_files_are_named(void **unused)
{
    struct text nul = {0}, huge = {0};

    put_wide("1.csv", 0, 100000, "\n");
    put_wide("2.csv", 0, 1000, "\n");
    text_bytes(&nul, "session,row_id\n3,r\0001\n", 21);
    put_text("3.csv", &nul);
    text_format(&huge, "session,row_id,flags\n4,r1,%04000000d\n", 0);
    put_text("4.csv", &huge);
    put_wide("8.csv", 100, 95, "\n"); /* each has few, but not together */
    put_wide("8a.csv", 300, 95, "\n");
    put_wide("8b.csv", 500, 150, "\n8,r1\n");
    put_wide("8c.csv", 800, 150, "\n");
    write_text(folder, "5.csv",
               "session,row_id,impl\n5,r1,rdp/serial\n5,r2,\"never closed,\n5,r3,x");
    write_text(folder, "6.env.txt", "=nothing\nhost=\xff\xfe\n");
    expect("=6.csv\nsession,row_id\n6,r1\n"
           "=6.values.csv\nrow_id,name,index,value,unit\nr1,a,1,\"2,\n"
           "=7.csv\nsession,row_id,\"impl\n7,r1,x\n"
           "=9.csv\nsession,row_id\n9,r1\n",
           "1.csv:1: more than 4096 fields in one row; left out\n"
           "2.csv:1: expected at most 400 columns in all, found more; left out\n"
           "3.csv:2: a NUL byte in a text file; left out\n"
           "8b.csv:2: expected 152 fields as in the header, found 2; left out\n"
           "8c.csv:1: expected at most 400 columns in all, found more; left out\n",
           "SELECT session, row_id, length(flags), impl FROM measurement\n"
           "4,r1,4000000,\n5,r1,,rdp/serial\n6,r1,,\n9,r1,,\n"
           "SELECT count(*) FROM value\n0\n"
           "SELECT key FROM environment\nhost\n");
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
    put_text(name, &text);
}

/* The sum of all times of the folder, and whether they come from a kept store. */
static void reads(const char *sum, bool expect_kept)
{
    char talk[100];

    load();
    assert_string_equal(bench_failure(), "");
    snprintf(talk, sizeof talk, "SELECT sum(median_ms) FROM current\n%s\n", sum);
    answers(talk);
    assert_int_equal(sqlite3_db_readonly(store_database(store), "main"), expect_kept);
}

static int begin_keeping(void **unused)
{
    struct listing files;

    begin(unused);
    snprintf(cache, sizeof cache, "%s/store/cache", support_place());
    support_remove(cache);
    setenv("DEPTHBENCH_CACHE", cache, 1);
    put_many("1.csv", "2");
    reads("200", false);
    assert_int_equal(listing_read(cache, "", &files), BENCH_OK);
    assert_int_equal(files.n, 1);
    snprintf(kept, sizeof kept, "%s", files.path[0]);
    listing_free(&files);
    return 0;
}

static void a_kept_store_is_of_the_files_as_they_are(void **unused)
{
    static const struct {
        const char *file, *text; /* a time: of many rows */
        const char *sum;
        bool is_kept;
    } steps[] = {
        {NULL, NULL, "200", true},
        {"1.csv", "3", "201", false}, /* as many bytes */
        {NULL, NULL, "201", true},
        {"1.csv", "2", "200", false},
        {"2.csv",
         "session,row_id,impl,status,verdict,median_ms,eps\n2,r1,rdp/serial,ok,exact,5,9999\n",
         "205", false},
        {"WITHDRAWN", "2 all of it\n", "200", false},
        {"2.env.txt", "host=x\n", "200", false},
        {"2.values.csv", "row_id,name,index,value,unit\nr1,kept,,7,px\n", "200", false},
        {"ncu/1.csv", "kernel\nk\n", "200", false},
        {NULL, NULL, "200", true},
        {"2.csv", "not,a,session\n", "200", false}, /* said by each call anew */
        {NULL, NULL, "200", false},
    };

    /* calls for other files leave it alone: claims and show of one folder, say */
    assert_int_equal(read_folders((const char *[]){folder}, 1, true, NULL), BENCH_OK);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i].file && !steps[i].text[1])
            put_many(steps[i].file, steps[i].text);
        else if (steps[i].file)
            write_text(folder, steps[i].file, steps[i].text);
        reads(steps[i].sum, steps[i].is_kept);
    }
}

static void a_damaged_store_is_made_anew(void **unused)
{
    struct text whole, other;

    assert_int_equal(text_read_file(kept, &whole), BENCH_OK);
    for (size_t at = 0; at < whole.size; at += whole.size / 7) {
        whole.data[at] ^= 1;
        write_bytes(kept, whole.data, whole.size);
        reads("200", false);
        reads("200", true);
        whole.data[at] ^= 1;
        write_bytes(kept, whole.data, at); /* cut */
        reads("200", false);
    }
    write_bytes(kept, "not a database, and long enough to have a hash", 46);
    reads("200", false);
    /* whole, of other files: also if it got the right name */
    put_many("1.csv", "3");
    reads("201", false);
    assert_int_equal(text_read_file(kept, &other), BENCH_OK);
    write_bytes(kept, whole.data, whole.size);
    reads("201", false);
    put_many("1.csv", "2");
    write_bytes(kept, other.data, other.size);
    reads("200", false);
    text_free(&whole);
    text_free(&other);
}

static void no_store_can_be_kept(void **unused)
{
    static const char *const nowhere[] = {"", "/dev/null/nowhere", "/proc"};
    struct rlimit before;

    /* as on a full disk, where nothing stays behind */
    assert_int_equal(unlink(kept), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){100000, before.rlim_max}), 0);
    reads("200", false);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(rmdir(cache), 0);
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        setenv("DEPTHBENCH_CACHE", nowhere[i], 1);
        reads("200", false);
    }
}

static void readers_and_writers_at_once(void **unused)
{
    enum { N = 4 };
    pid_t child[N];
    int code;

    for (int i = 0; i < N; i++) {
        child[i] = fork();
        assert_true(child[i] >= 0);
        for (int n = 0; n < 10 && child[i] == 0; n++) {
            if (i == 0)
                unlink(kept);
            load();
            answers("SELECT sum(median_ms) FROM current\n200\n");
        }
        if (child[i] == 0)
            _exit(0);
    }
    for (int i = 0; i < N; i++) {
        assert_int_equal(waitpid(child[i], &code, 0), child[i]);
        assert_int_equal(code, 0);
    }
    reads("200", true);
}

/* ---- queries ---- */

static void a_query_only_reads(void **unused)
{
    static const char *const refused[][2] = {
        {"DELETE FROM measurement", "results are only read"},
        {"INSERT INTO expected VALUES (1, 2, 3)", "results are only read"},
        {"CREATE TABLE x (y)", "results are only read"},
        {"ATTACH '/tmp/x' AS y", "results are only read"},
        {"PRAGMA query_only = 0", "results are only read"},
        {"SELECT load_extension('x')", "not authorized to use function: load_extension"},
        {"VACUUM INTO '/nowhere/x'", "results are only read"},
        {"VACUUM", "results are only read"},
        {"SELECT * FROM nowhere", "no such table: nowhere"},
        {"SELEC", "syntax error"},
        {"", "found nothing"},
        {" -- nothing\n;", "found nothing"},
        {"SELECT 1; DROP TABLE value", "expected one statement, found more: DROP TABLE value"},
        {"SELECT a.id FROM measurement AS a, (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
         "SELECT i + 1 FROM n WHERE i < 1000002) SELECT i FROM n)",
         "add a LIMIT"},
    };
    struct table table;

    write_text(folder, "1.csv", "session,row_id\n1,r1\n");
    load();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(query_table(store, refused[i][0], &table), BENCH_EINPUT);
        if (!strstr(bench_failure(), refused[i][1]))
            fail_msg("%s: %s", refused[i][0], bench_failure());
        assert_int_equal(table.n_rows, 0);
    }
    answers("SELECT 1; -- that is all\n1\n");
    answers("WITH t AS (SELECT 2 AS a) SELECT a FROM t\n2\n");
    answers("SELECT count(*) FROM measurement\n1\n");
}

/* Of a number those digits that its interval supports; of one beside its deviation as many
 * decimals as of that. */
static void numbers_have_the_digits_of_their_interval(void **unused)
{
    static const struct {
        const char *sql, *told;
    } cases[] = {
        {"told(0.070638, 0.00021)", "0.0706"},
        {"told(5.985, 0.48)", "6.0"}, /* a zero that is known stays */
        {"told(3586, 40)", "3590"},
        {"told(13.00012, 0.0000003)", "13.00"}, /* four at most */
        {"told(0.4, 7)", "0.4"},                /* and one at least */
        {"told(0, 0.02)", "0.00"},
        {"told(-23.64, 1.9)", "-24"},
        {"told(13.0001, NULL)", "13"}, /* nobody knows */
        {"told(0.123456, 0)", "0.1235"},
        {"told(NULL, 1)", ""},
        {"told_mean(304, 7.8)", "304.0 \u00b1 7.8"},
        {"told_mean(4.8754, 0.0069)", "4.8754 \u00b1 0.0069"},
        {"told_mean(439.1, 77)", "439 \u00b1 77"},
        {"told_mean(5, 0)", "5"},
        {"told_mean(0.5, 1e-15)", "0.5"},
    };

    (void)unused;
    write_text(folder, "1.csv", "session,row_id\n1,r1\n");
    load();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text sql = {0};
        struct table table;

        text_format(&sql, "SELECT %s AS told", cases[i].sql);
        assert_int_equal(query_table(store, sql.data, &table), BENCH_OK);
        assert_string_equal(query_text(&table, 0, "told"), cases[i].told);
        table_free(&table);
        text_free(&sql);
    }
}

/* ---- renderings ---- */

/* What has no room stands below, a group of columns together, without rows that are empty
 * there; the words of a last column go on in the next line, and one row that is too wide is a
 * block. */
static void no_row_is_wider_than_the_terminal(void **unused)
{
    static const char *const cases[][2] = {
        {"SELECT 'one' AS name, 1 AS \"a printed\", 2 AS \"a here\", 3 AS \"b printed\", 4 AS "
         "\"b here\" UNION ALL SELECT 'two', 5, 6, NULL, NULL",
         "name  a printed  a here\none           1       2\ntwo           5       6\n\n"
         "name  b printed  b here\none           3       4\n"},
        {"SELECT 'one' AS name, 'a few words that have no room in one line' AS t UNION ALL "
         "SELECT 'two', 'few'",
         "name  t\none   a few words that have no room in\n      one line\ntwo   few\n"},
        {"SELECT 'one' AS name, 'some words that have no room' AS t, 'and others' AS u, "
         "NULL AS v, 'more of them that go on and on' AS w",
         "name  one\nt     some words that have no room\nu     and others\n"
         "w     more of them that go on and on\n"},
        {"SELECT 'a name that is so long that' AS name, 'a text beside it has no room' AS t "
         "UNION ALL SELECT 'two', 'few'",
         "name  a name that is so long that\nt     a text beside it has no room\n\n"
         "name  two\nt     few\n"},
        {"SELECT 'alone' AS name UNION ALL SELECT 'two'", "name\nalone\ntwo\n"},
    };

    (void)unused;
    write_text(folder, "1.csv", "session,row_id\n1,r1\n");
    load();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text = {0};
        struct table table;

        assert_int_equal(query_table(store, cases[i][0], &table), BENCH_OK);
        table_render(&table, TABLE_TERMINAL, 38, &text);
        assert_string_equal(text.data, cases[i][1]);
        table_free(&table);
        text_free(&text);
    }
}

static void five_renderings(void **unused)
{
    static const char *const expected =
        "name             t  empty\n"
        "a|<b>&\"c\"  1234568  \n"
        "\xc3\xa4 b              2  \n"
        "\"name\",\"t\",\"empty\"\n\"a|<b>&\"\"c\"\"\",\"1234567.89\",\n"
        "\"\xc3\xa4\nb\",\"2\",\n"
        "\n| name              |       t | empty |\n"
        "| ----------------- | ------: | ----- |\n"
        "| a\\|&lt;b>&amp;\"c\" | 1234568 |       |\n"
        "| \xc3\xa4 b               |       2 |       |\n"
        "<table>\n<thead>\n<tr><th scope=\"col\">name</th><th scope=\"col\" class=\"number\">t"
        "</th><th scope=\"col\">empty</th></tr>\n</thead>\n<tbody>\n"
        "<tr><th scope=\"row\">a|&lt;b&gt;&amp;&quot;c&quot;</th>"
        "<td class=\"number\" "
        "data-head=\"t\">1234568</td><td data-head=\"empty\"></td></tr>\n"
        "<tr><th scope=\"row\">\xc3\xa4\nb</th><td class=\"number\" "
        "data-head=\"t\">2</td><td data-head=\"empty\"></td></tr>\n"
        "</tbody>\n</table>\n"
        "[\n{\"name\": \"a|<b>&\\\"c\\\"\", \"t\": 1234567.89, \"empty\": null},\n"
        "{\"name\": \"\xc3\xa4\\u000ab\", \"t\": 2, \"empty\": null}\n]\n"
        "name             t\na|<b>&\"c\"  1234568\n\xc3\xa4 b              2\n\nname       "
        "empty\n";
    struct text text = {0};
    struct table table;

    load();
    assert_int_equal(
        query_table(store,
                    "SELECT 'a|<b>&\"c\"' AS name, 1234567.891 AS t, NULL AS empty "
                    "UNION ALL SELECT '\xc3\xa4' || char(10) || 'b', 2, NULL",
                    &table),
        BENCH_OK);
    for (int i = 0; i < 5; i++)
        table_render(&table, (enum table_format)i, 80, &text);
    table_render(&table, TABLE_TERMINAL, 24, &text);
    assert_string_equal(text.data, expected);
    text_free(&text);
    table_free(&table);
}

#define LOADED(test) cmocka_unit_test_setup_teardown(test, begin, end)
#define KEPT(test)   cmocka_unit_test_setup_teardown(test, begin_keeping, end)

int main(void)
{
    enum { N = sizeof stories / sizeof *stories };
    struct CMUnitTest tests[N + 14] = {
        [N] = LOADED(a_broken_session_is_named),
        LOADED(an_exported_file_has_it_all),
        LOADED(files_without_plain_names_are_left_out),
        LOADED(only_regular_files_are_read),
        cmocka_unit_test(printed_texts_command_nothing),
        LOADED(hostile_files_are_named),
        KEPT(a_kept_store_is_of_the_files_as_they_are),
        KEPT(a_damaged_store_is_made_anew),
        KEPT(no_store_can_be_kept),
        KEPT(readers_and_writers_at_once),
        LOADED(a_query_only_reads),
        LOADED(numbers_have_the_digits_of_their_interval),
        LOADED(no_row_is_wider_than_the_terminal),
        LOADED(five_renderings),
    };

    for (int i = 0; i < N; i++)
        tests[i] = (struct CMUnitTest){stories[i].name, run, begin, end,
                                       (void *)(uintptr_t)&stories[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

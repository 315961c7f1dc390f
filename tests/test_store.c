/* test_store.c - results as a database: files that are none, stores that are kept, narrow tables;
 * tests/cases/store has what it answers */
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

/* ---- files ---- */

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
    put_wide("8.csv", 100, 100, "\n"); /* each has few, but not together */
    put_wide("8a.csv", 300, 100, "\n");
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

#define LOADED(test) cmocka_unit_test_setup_teardown(test, begin, end)
#define KEPT(test)   cmocka_unit_test_setup_teardown(test, begin_keeping, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOADED(an_exported_file_has_it_all),
        LOADED(only_regular_files_are_read),
        cmocka_unit_test(printed_texts_command_nothing),
        LOADED(hostile_files_are_named),
        KEPT(a_kept_store_is_of_the_files_as_they_are),
        KEPT(a_damaged_store_is_made_anew),
        KEPT(no_store_can_be_kept),
        KEPT(readers_and_writers_at_once),
        LOADED(no_row_is_wider_than_the_terminal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

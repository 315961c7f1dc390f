/* test_store.c - a kept store: fresh, damaged, of other files, several at once; memory that is
 * short */
#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "harness/analysis/store.h"
#include "harness/base/listing.h"
#include "tests/session.h"
#include "tests/support.h"

#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[600]; /* of results */
static struct store *store;

static void load(bool may_be_missing)
{
    const char *const folders[] = {folder};

    store_close(&store);
    if (store_read_files(&(struct store_files){folders, 1, may_be_missing, NULL, NULL}, NULL,
                         &store))
        fail_msg("%s", bench_failure());
}

static void check_sum(const char *expected)
{
    struct table table;

    if (query_table(store, "SELECT sum(median_ms) AS sum FROM current", &table))
        fail_msg("%s", bench_failure());
    assert_string_equal(query_text(&table, 0, "sum"), expected);
    table_free(&table);
}

static int end(void **unused)
{
    store_close(&store);
    return 0;
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
    write_text(folder, name, text.data);
    text_free(&text);
}

/* The sum of all times of the folder, and whether they come from a kept store. */
static void reads(const char *sum, bool expect_kept)
{
    load(false);
    assert_string_equal(bench_failure(), "");
    check_sum(sum);
    assert_int_equal(sqlite3_db_readonly(store_database(store), "main"), expect_kept);
}

static int begin_keeping(void **unused)
{
    struct listing files;

    snprintf(folder, sizeof folder, "%s/store/results/a-machine", support_place());
    support_remove(folder);
    snprintf(cache, sizeof cache, "%s/ncu", folder);
    assert_int_equal(text_make_folder(cache), BENCH_OK);
    bench_failure_clear();
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

#undef TEST
#define TEST(name) TEST_WITH(name, begin_keeping, end)

TEST(a_kept_store_is_of_the_files_as_they_are)
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
    load(true);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i].file && !steps[i].text[1])
            put_many(steps[i].file, steps[i].text);
        else if (steps[i].file)
            write_text(folder, steps[i].file, steps[i].text);
        reads(steps[i].sum, steps[i].is_kept);
    }
}

TEST(a_damaged_store_is_made_anew)
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

TEST(no_store_can_be_kept)
{
    static const char *const nowhere[] = {"", "/dev/null/nowhere", "/proc"};

    /* as on a full disk, where nothing stays behind */
    assert_int_equal(unlink(kept), 0);
    support_room(100000);
    reads("200", false);
    support_room(RLIM_INFINITY);
    assert_int_equal(rmdir(cache), 0);
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        setenv("DEPTHBENCH_CACHE", nowhere[i], 1);
        reads("200", false);
    }
}

TEST(readers_and_writers_at_once)
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
            load(false);
            check_sum("200");
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

TEST(an_exported_file_has_it_all)
{
    char path[700];

    snprintf(path, sizeof path, "%s/all.sqlite", folder);
    write_text(folder, "all.sqlite", "an older one");
    load(false);
    assert_int_equal(store_export(store, path), BENCH_OK);
    end(NULL);
    assert_int_equal(store_open_file(path, &store), BENCH_OK);
    check_sum("200");
}

/* ---- memory that is short ---- */

static sqlite3_mem_methods usual;
static long n_before; /* statements that begin until one lacks memory */
static bool lacks;

static int begin_statement(unsigned event, void *unused, void *statement, void *sql)
{
    (void)event, (void)unused, (void)statement, (void)sql;
    lacks |= n_before-- == 0;
    return 0;
}

static int look(sqlite3 *db, char **unused, const struct sqlite3_api_routines *none)
{
    (void)unused, (void)none;
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, begin_statement, NULL);
}

static void *lacking_malloc(int n_bytes)
{
    const bool is_this = lacks;

    lacks = false;
    return is_this ? NULL : usual.xMalloc(n_bytes);
}

static void *lacking_realloc(void *bytes, int n_bytes)
{
    const bool is_this = lacks;

    lacks = false;
    return is_this ? NULL : usual.xRealloc(bytes, n_bytes);
}

/* Tells the folder's rows and values, and a figure's table of them. */
static enum bench_status tell_all(const struct bench_experiment *e, struct text *told)
{
    const char *const folders[] = {folder};
    const struct store_files files = {folders, 1, false, NULL, NULL};
    const struct show_options options = {.width = 80, .is_all = true};
    OWNED(store_close) struct store *filled = NULL;
    OWNED(table_free) struct table table = {0};

    TRY(store_read_files(&files, NULL, &filled));
    TRY(query_table(
        filled,
        "SELECT session, traits, preference, median_ms, v.* FROM measurement AS m JOIN "
        "configuration AS c ON c.id = m.configuration JOIN value AS v ON "
        "v.measurement = m.id",
        &table));
    table_render(&table, TABLE_CSV, 0, told);
    return show_write(e, filled, &options, told);
}

/* All is told, or nothing, whichever statement lacks memory. */
TEST(nothing_is_lost_where_memory_is_short)
{
    static const char rows[] =
        "session,row_id,impl,problem,device,threads,status,verdict,input,frame_pick,machine,"
        "scope,series,median_ms,n,height\n"
        "%d,1,rdp/serial,rdp,serial,1,ok,exact,scene,all,m,kernel,frames,%d,30,50\n"
        "%d,2,rdp/serial,rdp,serial,1,ok,exact,scene,all,m,kernel,frames,%d,30,60\n";
    OWNED(text_free) struct text whole = {0};
    OWNED(experiment_free) struct bench_experiment e = {0};
    sqlite3_mem_methods lacking;
    long n_all;
    int n_refused = 0;

    end(NULL);
    setenv("DEPTHBENCH_CACHE", "", 1);
    write_text(cache, "t.ini",
               "[global]\nproblem = rdp\nimpl = rdp/serial\ninput = scene\n[g]\n"
               "height = 50, 60\n[show]\nvalue = median_ms, segments\nrows = height\n"
               "columns = impl\n");
    snprintf(kept, sizeof kept, "%s/t.ini", cache);
    assert_int_equal(experiment_read(kept, NULL, &e), BENCH_OK);
    for (int i = 1; i < 3; i++) {
        char name[30], text[sizeof rows + 40];

        snprintf(name, sizeof name, "%d.csv", i);
        snprintf(text, sizeof text, rows, i, i, i, i);
        write_text(folder, name, text);
        snprintf(name, sizeof name, "%d.values.csv", i);
        snprintf(text, sizeof text, "row_id,name,index,value,unit\n1,segments,,%d,\n", i);
        write_text(folder, name, text);
    }
    sqlite3_shutdown();
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual);
    lacking = usual;
    lacking.xMalloc = lacking_malloc;
    lacking.xRealloc = lacking_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &lacking);
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
    sqlite3_auto_extension((void (*)(void))look);
    n_before = LONG_MAX;
    assert_int_equal(tell_all(&e, &whole), BENCH_OK);
    assert_non_null(strstr(whole.data, "\n    60           2\n"));
    n_all = LONG_MAX - n_before;
    for (long n = 0; n < n_all; n++) {
        OWNED(text_free) struct text told = {0};

        n_before = n;
        if (tell_all(&e, &told))
            n_refused++;
        else if (strcmp(told.data, whole.data) != 0)
            fail_msg("statement %ld: %s", n, told.data);
        bench_failure_clear();
        lacks = false;
    }
    assert_true(n_refused > n_all / 2);
    sqlite3_shutdown();
    sqlite3_config(SQLITE_CONFIG_MALLOC, &usual);
}

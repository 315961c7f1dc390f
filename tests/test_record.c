/* test_record.c - results survive kills, full disks, odd texts and old headers */
#include "harness/suite/record.h"
#include "tests/rows.h"
#include "tests/support.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>
#include <setjmp.h>
#include <cmocka.h>

#define NAME "20260131T235959Z-abc1234"
#define HASH "00112233"
#define HOST "0123456789abcdef"

static const struct record_resume this_build = {HASH, HOST, NULL};

/* ---- files ---- */

static char folder[600];

/* An empty place for one test; nothing of it exists yet. */
static int begin(void **unused)
{
    (void)unused;
    snprintf(folder, sizeof folder, "%s/record/results/host", support_place());
    support_remove(folder);
    bench_failure_clear();
    return 0;
}

static const char *in_folder(const char *name)
{
    static char path[4][800];
    static int next;

    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static char *slurp(const char *path, size_t *n_bytes)
{
    FILE *file = fopen(path, "rb");
    char *text = malloc(1 << 20);

    assert_non_null(file);
    assert_non_null(text);
    *n_bytes = fread(text, 1, (1 << 20) - 1, file);
    text[*n_bytes] = '\0';
    fclose(file);
    return text;
}

static void spill(const char *path, const char *text, size_t n_bytes)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, n_bytes, file), n_bytes);
    assert_int_equal(fclose(file), 0);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void make_folder(void)
{
    char path[600];

    snprintf(path, sizeof path, "%s", folder);
    for (char *at = path; *at; at++)
        if (*at == '/' && at != path) {
            *at = '\0';
            mkdir(path, 0777);
            *at = '/';
        }
    mkdir(path, 0777);
}

/* What gunzip makes of the samples, all members. */
static char *unpack(const char *path)
{
    gzFile file = gzopen(path, "rb");
    char *text = malloc(1 << 20);
    int n, error;

    assert_non_null(file);
    assert_non_null(text);
    n = gzread(file, text, (1 << 20) - 1);
    assert_true(n >= 0);
    text[n] = '\0';
    gzerror(file, &error);
    assert_int_equal(error, Z_OK);
    gzclose(file);
    return text;
}

/* ---- rows ---- */

static struct record_session *open_session(bool resume)
{
    struct record_session *session = NULL;

    if (record_open(folder, NAME, resume ? &this_build : NULL, &session) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return session;
}

static struct record_row *make_row(struct record_session *session, const char *impl,
                                   const char *status)
{
    struct record_row *row = record_row_new(session);

    assert_non_null(row);
    record_text(row, "build_hash", HASH);
    record_text(row, "host", HOST);
    record_text(row, "impl", impl);
    record_text(row, "params", "eps=4;height=1024");
    record_integer(row, "height", 1024);
    record_text(row, "scope", "kernel");
    record_text(row, "series", "hot");
    record_text(row, "status", status);
    return row;
}

static void write_row(struct record_session *session, const char *impl, const char *status)
{
    static const double ns[] = {1000, 1001.4};
    static const double mhz[] = {1337, 0};
    struct record_row *row = make_row(session, impl, status);

    assert_int_equal(record_value(row, "segments", -1, 11.25, ""), BENCH_OK);
    assert_int_equal(record_samples(row, ns, mhz, 2), BENCH_OK);
    if (record_write(session, row) != BENCH_OK)
        fail_msg("%s", bench_failure());
    record_row_free(row);
}

static void read_session(const char *name, struct record_table *table)
{
    if (record_read(in_folder(name), true, table) != BENCH_OK)
        fail_msg("%s", bench_failure());
}

/* ---- writing ---- */

static void a_session_without_rows_leaves_nothing(void **unused)
{
    struct record_session *session = open_session(false);
    struct record_row *row;

    (void)unused;
    assert_int_equal(record_env(session, "cpu=x\n"), BENCH_OK);
    row = make_row(session, "rdp/serial", "ok");
    assert_true(exists(in_folder(NAME ".csv"))); /* the name is taken ... */
    assert_false(exists(in_folder(NAME ".env.txt")));
    record_row_free(row);
    assert_int_equal(record_close(session), BENCH_OK);
    assert_false(exists(folder)); /* ... and given back */
    make_folder();
    record_close(open_session(false));
    assert_true(exists(folder)); /* somebody else made it */
    assert_false(exists(in_folder(NAME ".csv")));
    assert_int_equal(record_close(NULL), BENCH_OK);
}

static void header_is_fixed_then_keys(void **unused)
{
#define NAME_OF(name) #name ","
    static const char *const keys[] = {"width",    "height", "eps",   "distance",
                                       "resample", "median", "chunk", "cutoff",
                                       "unroll",   "skip",   "layout"};
    char fixed[] = RECORD_COLUMNS(NAME_OF);
    struct record_session *session = open_session(false);
    struct record_table table;
    int at = 0;

    (void)unused;
    write_row(session, "rdp/serial", "ok");
    record_close(session);
    read_session(NAME ".csv", &table);
    for (char *name = strtok(fixed, ","); name; name = strtok(NULL, ","))
        assert_int_equal(record_column(&table, name), at++);
    /* a build without CUDA has the keys of CUDA variants too; others may follow */
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_true(record_column(&table, keys[i]) >= at);
    assert_int_equal(atoi(record_get(&table, 0, "schema")), RECORD_SCHEMA);
    assert_string_equal(record_get(&table, 0, "session"), NAME);
    assert_string_equal(record_get(&table, 0, "row_id"), "r000001");
    assert_string_equal(record_get(&table, 0, "height"), "1024");
    assert_string_equal(record_get(&table, 0, "chunk"), "");
    assert_string_equal(record_get(&table, 0, "no such column"), "");
    record_table_free(&table);
}

static void parts_hold_values_samples_and_env(void **unused)
{
    struct record_session *session = open_session(false);
    struct record_row *row;
    size_t n;
    char *text;

    (void)unused;
    assert_int_equal(record_env(session, "cpu=first\n"), BENCH_OK);
    write_row(session, "rdp/serial", "ok");
    row = make_row(session, "rdp/omp-tasks", "ok");
    assert_int_equal(record_value(row, "level_share", 0, 0.5, "%"), BENCH_OK);
    assert_int_equal(record_value(row, "level_share", 1, (double)NAN, "%"), BENCH_OK);
    assert_int_equal(record_write(session, row), BENCH_OK);
    record_row_free(row);
    write_row(session, "rdp/cpu-simd", "ok");
    record_close(session);

    text = slurp(in_folder(NAME ".values.csv"), &n);
    assert_string_equal(text, "\"row_id\",\"name\",\"index\",\"value\",\"unit\"\n"
                              "\"r000001\",\"segments\",,\"11.25\",\n"
                              "\"r000002\",\"level_share\",\"0\",\"0.5\",\"%\"\n"
                              "\"r000002\",\"level_share\",\"1\",,\"%\"\n"
                              "\"r000003\",\"segments\",,\"11.25\",\n");
    free(text);
    text = unpack(in_folder(NAME ".samples.csv.gz"));
    assert_string_equal(text, "\"row_id\",\"i\",\"ns\",\"sm_mhz\"\n"
                              "\"r000001\",\"0\",\"1000\",\"1337\"\n"
                              "\"r000001\",\"1\",\"1001\",\n"
                              "\"r000003\",\"0\",\"1000\",\"1337\"\n"
                              "\"r000003\",\"1\",\"1001\",\n");
    free(text);
    text = slurp(in_folder(NAME ".env.txt"), &n);
    assert_string_equal(text, "cpu=first\n");
    free(text);

    session = open_session(true);
    assert_int_equal(record_env(session, "cpu=second\n"), BENCH_OK);
    write_row(session, "rdp/serial", "ok");
    record_close(session);
    text = slurp(in_folder(NAME ".env.txt"), &n);
    assert_string_equal(text, "cpu=second\n");
    free(text);
}

static void odd_texts_come_back(void **unused)
{
    static const char *const texts[] = {
        "a,b",
        "say \"no\"",
        "\"",
        "\"\"",
        "two\nlines",
        "two\r\nlines",
        "\n",
        " blanks ",
        ",",
        "\"\n\"",
        ",\n\"",
        "caf\xc3\xa9",
        "'",
        "\r",
        "=1+1",
        "\t",
        "a\"\n\"b\n",
        "#",
        "\xef\xbb\xbf"
        "bom",
    };
    const int n_texts = (int)(sizeof texts / sizeof *texts);
    struct record_session *session = open_session(false);
    struct record_table table;

    (void)unused;
    for (int i = 0; i < n_texts; i++) {
        struct record_row *row = make_row(session, "rdp/serial", "failed");

        record_text(row, "reason", texts[i]);
        record_text(row, "cpu", texts[n_texts - 1 - i]);
        assert_int_equal(record_write(session, row), BENCH_OK);
        record_row_free(row);
    }
    record_close(session);
    read_session(NAME ".csv", &table);
    assert_int_equal(table.n_rows, n_texts);
    for (int i = 0; i < n_texts; i++) {
        assert_string_equal(record_get(&table, i, "reason"), texts[i]);
        assert_string_equal(record_get(&table, i, "cpu"), texts[n_texts - 1 - i]);
    }
    record_table_free(&table);
}

/* A locale with a decimal comma: the system's, or one made for the occasion where its sources are there. */
static bool set_comma_locale(void)
{
    char command[1600];

    if (support_comma_locale())
        return true;
    make_folder();
    snprintf(command, sizeof command, "localedef -c -f UTF-8 -i de_DE %s >/dev/null 2>&1",
             in_folder("de_DE.UTF-8"));
    if (system(command) < 0)
        return false;
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void numbers_are_plain(void **unused)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {1.5, "1.5"},
        {-0.0, "0"},
        {1.0 / 3.0, "0.333333333"},
        {1e-300, "1e-300"},
        {123456789, "123456789"},
        {0.1 + 0.2, "0.3"},
        {(double)NAN, ""},
        {(double)INFINITY, ""},
        {-(double)INFINITY, ""},
    };
    struct record_session *session;
    struct record_table table;
    double value = 7;

    (void)unused;
    if (set_comma_locale()) {
        char comma[8];

        snprintf(comma, sizeof comma, "%.1f", 1.5);
        assert_string_equal(comma, "1,5");
    } else {
        print_message(
            "no locale with a decimal comma on this machine: '.' is not put to the test\n");
    }
    session = open_session(false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct record_row *row = make_row(session, "rdp/serial", "ok");

        record_number(row, "median_ms", 99);
        record_number(row, "median_ms", cases[i].value);
        assert_int_equal(record_write(session, row), BENCH_OK);
        record_row_free(row);
    }
    record_close(session);
    read_session(NAME ".csv", &table);
    for (int i = 0; i < table.n_rows; i++)
        assert_string_equal(record_get(&table, i, "median_ms"), cases[i].text);
    assert_true(record_get_number(&table, 0, "median_ms", &value));
    assert_true(value == 1.5);
    assert_false(record_get_number(&table, 6, "median_ms", &value));
    assert_false(record_get_number(&table, 0, "impl", &value));
    assert_true(value == 1.5);
    record_table_free(&table);
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
}

static void numbers_that_are_none(void **unused)
{
    static const char text[] = "a\nnan\ninf\n0x10\n1,\n\"1 \"\n1e400\n1e\n-\n--1\n1.2.3\n";
    static const char good[] = "a\n-1.5e3\n+2\n.5\n1.\n";
    struct record_table table;
    double value;

    (void)unused;
    make_folder();
    spill(in_folder("n.csv"), text, strlen(text));
    assert_int_equal(record_read(in_folder("n.csv"), false, &table), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "n.csv:5: expected 1 fields"));
    assert_int_equal(table.n_columns, 0);
    spill(in_folder("n.csv"), "a\nnan\ninf\n0x10\n1e400\n1e\n-\n--1\n1.2.3\n\"1 \"\n\"\"\n",
          strlen("a\nnan\ninf\n0x10\n1e400\n1e\n-\n--1\n1.2.3\n\"1 \"\n\"\"\n"));
    assert_int_equal(record_read(in_folder("n.csv"), false, &table), BENCH_OK);
    assert_int_equal(table.n_rows, 10);
    for (int i = 0; i < table.n_rows; i++)
        assert_false(record_get_number(&table, i, "a", &value));
    record_table_free(&table);
    spill(in_folder("n.csv"), good, strlen(good));
    assert_int_equal(record_read(in_folder("n.csv"), false, &table), BENCH_OK);
    for (int i = 0; i < table.n_rows; i++)
        assert_true(record_get_number(&table, i, "a", &value));
    record_table_free(&table);
}

static void same_second_gets_a_number(void **unused)
{
    struct record_session *first = open_session(false);
    struct record_session *second;

    (void)unused;
    write_row(first, "rdp/serial", "ok");
    second = open_session(false);
    assert_string_equal(record_session_name(second), NAME "-2");
    write_row(second, "rdp/serial", "ok");
    record_close(first);
    record_close(second);
    assert_true(exists(in_folder(NAME "-2.csv")));
}

/* Both begun before either wrote: each has a name of its own, and nothing of the first is lost. */
static void names_are_never_shared(void **unused)
{
    struct record_session *first = open_session(false);
    struct record_session *second = open_session(false);
    struct record_table table;

    (void)unused;
    assert_string_equal(record_session_name(first), NAME);
    assert_string_equal(record_session_name(second), NAME "-2");
    write_row(second, "rdp/serial", "ok");
    write_row(first, "rdp/cpu-simd", "ok");
    write_row(first, "rdp/serial", "ok");
    record_close(first);
    record_close(second);
    read_session(NAME ".csv", &table);
    assert_int_equal(table.n_rows, 2);
    record_table_free(&table);
    read_session(NAME "-2.csv", &table);
    assert_int_equal(table.n_rows, 1);
    record_table_free(&table);
}

enum { N_PROCESSES = 24, N_ROWS = 5 };

/* One of many processes that begin in one second: it waits until all are there, so that they really meet. */
static void write_as_one_of_many(int go)
{
    struct record_session *session;
    char byte;

    if (read(go, &byte, 1) != 0) /* the end of file: the parent has let go */
        _exit(2);
    if (record_open(folder, NAME, NULL, &session) != BENCH_OK)
        _exit(3);
    for (int i = 0; i < N_ROWS; i++) {
        struct record_row *row = make_row(session, "rdp/serial", "ok");

        record_integer(row, "threads", getpid());
        if (record_value(row, "segments", -1, getpid(), "") != BENCH_OK ||
            record_write(session, row) != BENCH_OK)
            _exit(4);
        record_row_free(row);
    }
    _exit(record_close(session) == BENCH_OK ? 0 : 5);
}

static void many_processes_begin_at_once(void **unused)
{
    pid_t child[N_PROCESSES];
    int go[2], n_good = 0;
    struct record_table table;

    (void)unused;
    assert_int_equal(pipe(go), 0);
    for (int i = 0; i < N_PROCESSES; i++) {
        child[i] = fork();
        assert_true(child[i] >= 0);
        if (child[i] == 0) {
            close(go[1]);
            write_as_one_of_many(go[0]);
        }
    }
    close(go[0]);
    close(go[1]);
    for (int i = 0; i < N_PROCESSES; i++) {
        int status;

        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        n_good += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    assert_int_equal(n_good, N_PROCESSES);
    assert_int_equal(read_folder(folder, &table), BENCH_OK);
    assert_int_equal(table.n_rows, N_PROCESSES * N_ROWS);
    for (int i = 0; i < N_PROCESSES; i++) {
        const char *session = NULL;
        int n = 0;

        for (int row = 0; row < table.n_rows; row++) {
            if (atoi(record_get(&table, row, "threads")) != (int)child[i])
                continue;
            if (!session)
                session = record_get(&table, row, "session");
            assert_string_equal(record_get(&table, row, "session"), session);
            n++;
        }
        assert_int_equal(n, N_ROWS);
    }
    record_table_free(&table);
}

/* A kill before the first row leaves the reserved name: no reader minds, and nobody takes it. */
static void an_empty_file_is_a_session_without_rows(void **unused)
{
    struct record_session *session;
    struct record_table table;

    (void)unused;
    make_folder();
    spill(in_folder(NAME ".csv"), "", 0);
    assert_int_equal(record_read(in_folder(NAME ".csv"), true, &table), BENCH_OK);
    assert_int_equal(table.n_rows, 0);
    record_table_free(&table);
    for (int resume = 0; resume < 2; resume++) {
        session = open_session(resume);
        assert_string_equal(record_session_name(session), NAME "-2");
        record_close(session);
        assert_false(exists(in_folder(NAME "-2.csv")));
    }
    session = open_session(false);
    write_row(session, "rdp/serial", "ok");
    record_close(session);
    assert_int_equal(read_folder(folder, &table), BENCH_OK);
    assert_int_equal(table.n_rows, 1);
    record_table_free(&table);
}

/* Names of rows before schema 3 had neither host nor process. */
static void older_names_are_read(void **unused)
{
    static const char *const names[] = {
        "20250101T000000Z-abc1234", "20250101T000000Z-abc1234-2",
        "20250101T000000Z-abc1234-dirty", "20250102T000000Z-abc1234-" HOST "-4711",
        "20250102T000000Z-abc1234-lab.7_a-4711-2"};
    struct record_session *session;
    struct record_table table;

    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(record_open(folder, names[i], NULL, &session), BENCH_OK);
        write_row(session, "rdp/serial", "ok");
        record_close(session);
    }
    assert_int_equal(read_folder(folder, &table), BENCH_OK);
    assert_int_equal(table.n_rows, 5);
    for (int i = 0; i < 5; i++)
        assert_string_equal(record_get(&table, i, "session"), names[i]);
    record_table_free(&table);
}

static void impossible_folders_are_refused_at_once(void **unused)
{
    struct record_session *session = NULL;

    (void)unused;
    make_folder();
    spill(in_folder("file"), "x", 1);
    assert_int_equal(record_open(in_folder("file"), NAME, NULL, &session), BENCH_EIO);
    assert_null(session);
    assert_non_null(strstr(bench_failure(), "file: results cannot be written here"));
    assert_int_equal(record_open(in_folder("file/below"), NAME, NULL, &session), BENCH_EIO);
    assert_int_equal(record_open(in_folder("file/below"), NAME, &this_build, &session),
                     BENCH_EIO);
    if (geteuid() != 0) {
        assert_int_equal(chmod(folder, 0555), 0);
        assert_int_equal(record_open(folder, NAME, NULL, &session), BENCH_EIO);
        assert_int_equal(chmod(folder, 0755), 0);
    }
}

/* The disk runs full at every possible byte of a row: the files stay as they were, and the next row fits again. */
static void full_disk_leaves_no_half_row(void **unused)
{
    struct record_session *session = open_session(false);
    struct rlimit before, limit;
    size_t n_rows, n_values, n;
    char *rows, *values, *again;
    struct record_row *row;
    struct record_table table;
    int n_failed = 0;

    (void)unused;
    write_row(session, "rdp/serial", "ok");
    rows = slurp(in_folder(NAME ".csv"), &n_rows);
    values = slurp(in_folder(NAME ".values.csv"), &n_values);
    row = make_row(session, "rdp/omp-tasks", "ok");
    record_text(row, "reason", "a \"long\"\nreason");
    assert_int_equal(record_value(row, "segments", -1, 5, "px"), BENCH_OK);

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (size_t room = 0; room < 400; room++) {
        enum bench_status status;

        limit = before;
        limit.rlim_cur = room < 40 ? n_values + room : n_rows + room - 40;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        status = record_write(session, row);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        if (status == BENCH_OK)
            break;
        n_failed++;
        assert_int_equal(status, BENCH_EIO);
        assert_non_null(strstr(bench_failure(), "cannot append a row"));
        again = slurp(in_folder(NAME ".csv"), &n);
        assert_int_equal(n, n_rows);
        assert_string_equal(again, rows);
        free(again);
        again = slurp(in_folder(NAME ".values.csv"), &n);
        assert_string_equal(again, values);
        free(again);
    }
    signal(SIGXFSZ, SIG_DFL);
    assert_true(n_failed > 100 && n_failed < 400);
    record_row_free(row);
    record_close(session);
    read_session(NAME ".csv", &table);
    assert_int_equal(table.n_rows, 2);
    record_table_free(&table);
    free(rows);
    free(values);
}

static void full_disk_at_the_first_row_leaves_no_bytes(void **unused)
{
    struct record_session *session = open_session(false);
    struct record_row *row = make_row(session, "rdp/serial", "ok");
    struct rlimit before, limit;
    struct stat info;

    (void)unused;
    assert_int_equal(record_value(row, "segments", -1, 5, "px"), BENCH_OK);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 100; /* the value fits, the row does not */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(record_write(session, row), BENCH_EIO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(stat(in_folder(NAME ".csv"), &info), 0);
    assert_int_equal(info.st_size, 0); /* the name alone */
    assert_false(exists(in_folder(NAME ".values.csv")));
    assert_int_equal(record_write(session, row), BENCH_OK);
    assert_int_equal(stat(in_folder(NAME ".csv"), &info), 0);
    assert_true(info.st_size > 0);
    record_row_free(row);
    record_close(session);
}

/* ---- resuming ---- */

static bool has(struct record_session *session, const char *impl, const char *column,
                const char *text)
{
    struct record_row *row = make_row(session, impl, "ok");
    bool found;

    if (column)
        record_text(row, column, text);
    found = record_has(session, row);
    record_row_free(row);
    return found;
}

static void resume_knows_what_is_finished(void **unused)
{
    static const char *const identity[] = {
        "profile", "params",    "plan",  "input",  "input_hash", "case",  "batch",
        "threads", "mode_name", "scope", "series", "lap",        "reason"};
    struct record_session *session = open_session(false);

    (void)unused;
    write_row(session, "rdp/serial", "ok");
    write_row(session, "rdp/omp-tasks", "skipped");
    write_row(session, "rdp/cpu-simd", "failed");
    write_row(session, "rdp/gpu-opt", "wrong");
    assert_false(has(session, "rdp/serial", NULL, NULL)); /* nothing is being resumed */
    record_close(session);

    session = open_session(true);
    assert_string_equal(record_session_name(session), NAME);
    assert_true(has(session, "rdp/serial", NULL, NULL));
    assert_false(has(session, "rdp/omp-tasks", NULL, NULL)); /* what kept it may be gone */
    assert_true(has(session, "rdp/omp-tasks", "status", "skipped"));
    assert_false(has(session, "rdp/cpu-simd", NULL, NULL));
    assert_false(has(session, "rdp/gpu-opt", NULL, NULL));
    assert_false(has(session, "rdp/omp-columns", NULL, NULL));
    for (size_t i = 0; i < sizeof identity / sizeof *identity; i++)
        assert_false(has(session, "rdp/serial", identity[i], "else"));
    assert_true(has(session, "rdp/serial", "figure", "fig10")); /* not part of it */
    write_row(session, "rdp/cpu-simd", "ok");
    assert_true(has(session, "rdp/cpu-simd", NULL, NULL));
    record_close(session);
}

static void resume_ignores_withdrawn_rows(void **unused)
{
    static const char withdrawn[] = "# what and why\n\n" NAME ":r000001 the fan was off\n";
    struct record_session *session = open_session(false);

    (void)unused;
    write_row(session, "rdp/serial", "ok");
    write_row(session, "rdp/omp-tasks", "ok");
    record_close(session);
    spill(in_folder("WITHDRAWN"), withdrawn, strlen(withdrawn));
    session = open_session(true);
    assert_false(has(session, "rdp/serial", NULL, NULL));
    assert_true(has(session, "rdp/omp-tasks", NULL, NULL));
    record_close(session);
}

static void resume_takes_the_newest_of_this_build(void **unused)
{
    static const char *const names[] = {"20260101T000000Z-abc1234", "20260102T000000Z-abc1234",
                                        "20260102T000000Z-abc1234-2",
                                        "20260103T000000Z-abc1234"};
    static const struct record_resume third = {"third", HOST, NULL};
    struct record_session *session;

    (void)unused;
    for (int i = 0; i < 4; i++) {
        struct record_row *row;

        assert_int_equal(record_open(folder, names[i], NULL, &session), BENCH_OK);
        row = make_row(session, "rdp/serial", "ok");
        if (i == 3)
            record_text(row, "build_hash", "another");
        assert_int_equal(record_write(session, row), BENCH_OK);
        record_row_free(row);
        record_close(session);
    }
    spill(in_folder("zzz.csv"), "no \"table\n", 10);
    session = open_session(true);
    assert_string_equal(record_session_name(session), names[2]);
    record_close(session);

    assert_int_equal(record_open(folder, NAME, &third, &session), BENCH_OK);
    assert_string_equal(record_session_name(session), NAME); /* none of that build: a new one */
    record_close(session);
}

static void resume_leaves_a_living_session_alone(void **unused)
{
    struct record_session *living = open_session(false);
    struct record_session *session;

    (void)unused;
    write_row(living, "rdp/serial", "ok");
    session = open_session(true);
    assert_string_equal(record_session_name(session), NAME "-2");
    record_close(session);
    record_close(living);
}

static void resume_leaves_other_hosts_alone(void **unused)
{
    static const struct record_resume elsewhere = {HASH, "another", NULL};
    struct record_session *session = open_session(false);

    (void)unused;
    write_row(session, "rdp/serial", "ok");
    record_close(session);
    assert_int_equal(record_open(folder, NAME, &elsewhere, &session), BENCH_OK);
    assert_string_equal(record_session_name(session), NAME "-2");
    assert_false(has(session, "rdp/serial", NULL, NULL));
    record_close(session);
    session = open_session(true);
    assert_string_equal(record_session_name(session), NAME);
    record_close(session);
}

/* What cannot be resumed stays as it is. */
static void resume_that_fails_loses_nothing(void **unused)
{
    static const char broken[] = "\"row_id\",\"name\"\n\"r000001\",\"a\" b\"\n";
    struct record_session *session = open_session(false);
    char *before, *after;
    size_t n;

    (void)unused;
    write_row(session, "rdp/serial", "ok");
    record_close(session);
    before = slurp(in_folder(NAME ".csv"), &n);
    spill(in_folder(NAME ".values.csv"), broken, strlen(broken));
    assert_int_equal(record_open(folder, NAME, &this_build, &session), BENCH_EINPUT);
    after = slurp(in_folder(NAME ".csv"), &n);
    assert_string_equal(after, before);
    assert_true(exists(in_folder(NAME ".values.csv")));
    free(before);
    free(after);
}

/* Runs of several experiments that were killed together: each finds its own session again. */
static void resume_prefers_the_same_experiments(void **unused)
{
    static const char *const names[] = {"20260101T000000Z-abc1234", "20260102T000000Z-abc1234",
                                        "20260103T000000Z-abc1234"};
    static const char *const experiments[] = {"rdp/fig9", "rdp/fig10", "som/fig8"};
    struct record_session *session;

    (void)unused;
    for (int i = 0; i < 3; i++) {
        struct record_row *row;

        assert_int_equal(record_open(folder, names[i], NULL, &session), BENCH_OK);
        row = make_row(session, "rdp/serial", "ok");
        record_text(row, "experiment", experiments[i]);
        assert_int_equal(record_write(session, row), BENCH_OK);
        record_row_free(row);
        record_close(session);
    }
    for (int i = 0; i < 4; i++) {
        const char *const wanted[] = {"rdp/fig11", i < 3 ? experiments[i] : "rdp/fig12", NULL};
        const struct record_resume resume = {HASH, HOST, wanted};

        assert_int_equal(record_open(folder, NAME, &resume, &session), BENCH_OK);
        assert_string_equal(record_session_name(session), names[i < 3 ? i : 2]);
        record_close(session);
    }
}

/* Take column 'name' out of a session file, as a build before that key would have written it. */
static void drop_column(const char *path, const char *name)
{
    struct record_table table;
    FILE *file;
    int dropped;

    assert_int_equal(record_read(path, true, &table), BENCH_OK);
    dropped = record_column(&table, name);
    assert_true(dropped > 0);
    file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < table.n_columns; i++)
        if (i != dropped)
            fprintf(file, "%s\"%s\"", i ? "," : "", table.column[i]);
    for (int row = 0; row < table.n_rows; row++)
        for (int i = 0; i < table.n_columns; i++)
            if (i != dropped)
                fprintf(file, "%s\"%s\"", i ? "," : "\n",
                        table.cell[(size_t)row * (size_t)table.n_columns + (size_t)i]);
    fputs("\n", file);
    fclose(file);
    record_table_free(&table);
}

static void resume_needs_every_column(void **unused)
{
    struct record_session *session = open_session(false);

    (void)unused;
    write_row(session, "rdp/serial", "ok");
    record_close(session);
    drop_column(in_folder(NAME ".csv"), "cutoff");
    session = open_session(true);
    assert_string_equal(record_session_name(session), NAME "-2");
    assert_false(has(session, "rdp/serial", NULL, NULL));
    record_close(session);
}

static void resume_keeps_a_wider_header(void **unused)
{
    static const char header[] = "\"older_key\"";
    struct record_session *session = open_session(false);
    struct record_table table;
    char *text, *joint, *newline;
    size_t n;

    (void)unused;
    write_row(session, "rdp/serial", "ok");
    record_close(session);
    text = slurp(in_folder(NAME ".csv"), &n);
    joint = malloc(2 * n);
    assert_non_null(joint);
    newline = strchr(text, '\n');
    *newline = '\0';
    snprintf(joint, 2 * n, "%s,%s\n%.*s,\"7\"\n", text, header, (int)(strlen(newline + 1) - 1),
             newline + 1);
    spill(in_folder(NAME ".csv"), joint, strlen(joint));
    free(joint);
    free(text);
    session = open_session(true);
    assert_string_equal(record_session_name(session), NAME);
    write_row(session, "rdp/cpu-simd", "ok");
    record_close(session);
    read_session(NAME ".csv", &table);
    assert_int_equal(table.n_rows, 2);
    assert_string_equal(record_get(&table, 0, "older_key"), "7");
    assert_string_equal(record_get(&table, 1, "older_key"), "");
    assert_string_equal(record_get(&table, 1, "impl"), "rdp/cpu-simd");
    record_table_free(&table);
}

#define AWKWARD "with \"quotes\",\nlines\n and commas"

/* One row more, and the three files as they should be then. */
static void resume_and_check(int n_whole_rows, int n_ids_seen)
{
    struct record_session *session = open_session(true);
    struct record_table rows, values;
    char id[16], *samples;

    assert_string_equal(record_session_name(session), NAME);
    assert_true(has(session, "rdp/serial", NULL, NULL));
    assert_int_equal(has(session, "rdp/omp-tasks", "reason", AWKWARD) ? 1 : 0,
                     n_whole_rows > 1);
    write_row(session, "rdp/cpu-simd", "ok");
    record_close(session);
    read_session(NAME ".csv", &rows);
    assert_int_equal(rows.n_rows, n_whole_rows + 1);
    snprintf(id, sizeof id, "r%06d", n_ids_seen + 3); /* two rows were made to ask with */
    assert_string_equal(record_get(&rows, n_whole_rows, "row_id"), id);
    assert_string_equal(record_get(&rows, n_whole_rows, "impl"), "rdp/cpu-simd");
    if (record_read(in_folder(NAME ".values.csv"), false, &values) != BENCH_OK)
        fail_msg("%s", bench_failure());
    assert_string_equal(record_get(&values, values.n_rows - 1, "row_id"), id);
    for (int i = 0; i < values.n_rows - 1; i++)
        assert_string_not_equal(record_get(&values, i, "row_id"), id);
    samples = unpack(in_folder(NAME ".samples.csv.gz"));
    assert_non_null(strstr(samples, id));
    record_table_free(&rows);
    record_table_free(&values);
    free(samples);
}

struct files {
    char *rows, *values, *samples;
    size_t n_rows, n_values, n_samples;
};

static void slurp_files(struct files *files)
{
    files->rows = slurp(in_folder(NAME ".csv"), &files->n_rows);
    files->values = slurp(in_folder(NAME ".values.csv"), &files->n_values);
    files->samples = slurp(in_folder(NAME ".samples.csv.gz"), &files->n_samples);
}

static void free_files(struct files *files)
{
    free(files->rows);
    free(files->values);
    free(files->samples);
}

static void spill_files(const struct files *files, size_t n_rows, size_t n_values,
                        size_t n_samples)
{
    spill(in_folder(NAME ".csv"), files->rows, n_rows);
    spill(in_folder(NAME ".values.csv"), files->values, n_values);
    spill(in_folder(NAME ".samples.csv.gz"), files->samples, n_samples);
}

/* A kill at every byte that the second row's writing adds to any of the files, in the order of writing. */
static void kill_at_every_byte(void **unused)
{
    static const double ns[] = {1, 2, 3};
    struct record_session *session = open_session(false);
    struct files one, two;
    struct record_row *row;

    (void)unused;
    write_row(session, "rdp/serial", "ok");
    slurp_files(&one);
    row = make_row(session, "rdp/omp-tasks", "ok");
    record_text(row, "reason", AWKWARD);
    assert_int_equal(record_value(row, "odd", -1, 1, "a\n\"b\""), BENCH_OK);
    assert_int_equal(record_samples(row, ns, NULL, 3), BENCH_OK);
    assert_int_equal(record_write(session, row), BENCH_OK);
    record_row_free(row);
    record_close(session);
    slurp_files(&two);

    for (size_t n = one.n_samples; n < two.n_samples; n++) {
        spill_files(&two, one.n_rows, one.n_values, n);
        resume_and_check(1, 1);
    }
    for (size_t n = one.n_values; n <= two.n_values; n++) {
        spill_files(&two, one.n_rows, n, two.n_samples);
        resume_and_check(1, 2);
    }
    for (size_t n = one.n_rows; n <= two.n_rows; n++) {
        spill_files(&two, n, two.n_values, two.n_samples);
        resume_and_check(n == two.n_rows ? 2 : 1, 2);
    }
    free_files(&one);
    free_files(&two);
}

/* A kill inside the very first row: nothing to resume, and nothing that disturbs readers. */
static void kill_in_the_first_row(void **unused)
{
    struct record_session *session = open_session(false);
    struct record_table table;
    struct files files;

    (void)unused;
    write_row(session, "rdp/serial", "ok");
    record_close(session);
    slurp_files(&files);
    for (size_t n = 0; n<files.n_rows; n += n> 20 && n + 20 < files.n_rows ? 7 : 1) {
        spill_files(&files, n, files.n_values, files.n_samples);
        read_session(NAME ".csv", &table);
        assert_int_equal(table.n_rows, 0);
        record_table_free(&table);
        session = open_session(true);
        assert_string_equal(record_session_name(session), NAME "-2");
        record_close(session);
        assert_int_equal(read_folder(folder, &table), BENCH_OK);
        record_table_free(&table);
    }
    free_files(&files);
}

/* ---- reading ---- */

static enum bench_status read_text(const char *text, bool session, struct record_table *table)
{
    make_folder();
    spill(in_folder("t.csv"), text, strlen(text));
    return record_read(in_folder("t.csv"), session, table);
}

static void check_table(const char *text, bool session, const char *expected)
{
    struct record_table table;
    char found[1000] = "";
    size_t n = 0;

    if (read_text(text, session, &table) != BENCH_OK)
        fail_msg("%s", bench_failure());
    for (int i = 0; i < table.n_columns; i++)
        n += (size_t)snprintf(found + n, sizeof found - n, "%s|", table.column[i]);
    for (int row = 0; row < table.n_rows; row++) {
        n += (size_t)snprintf(found + n, sizeof found - n, "/");
        for (int i = 0; i < table.n_columns; i++)
            n += (size_t)snprintf(found + n, sizeof found - n, "%s|",
                                  record_get(&table, row, table.column[i]));
    }
    assert_string_equal(found, expected);
    record_table_free(&table);
}

static void csv_traps(void **unused)
{
    (void)unused;
    check_table("a,b\n1,2\n", false, "a|b|/1|2|");
    check_table("a,b\n1,2", false, "a|b|/1|2|");     /* no newline at the end */
    check_table("a,b\n1,2\n3,4", true, "a|b|/1|2|"); /* ... which a kill explains */
    check_table("a,b\n1,2\n3,\"4\n5", true, "a|b|/1|2|");
    check_table("\xef\xbb\xbf"
                "a,b\r\n1,2\r\n",
                false, "a|b|/1|2|");
    check_table("\xef\xbb\xbf\"a\",b\n1,2\n", false, "a|b|/1|2|");
    check_table("a,b\n\n1,2\n\r\n\n3,4\n\n", false,
                "a|b|/1|2|/3|4|"); /* blank lines are nothing */
    check_table("a,b\n  1 ,\" 2 \"\n", false,
                "a|b|/1| 2 |"); /* blanks go where no quotes are */
    check_table("a,b\n,\n\"\",\n", false, "a|b|/||/||");
    check_table("a,b\n\"x\"\"y\",\"p\nq\"\n", false, "a|b|/x\"y|p\nq|");
    check_table("a\n\"1\n\n2\"\n", false, "a|/1\n\n2|");
    check_table("a,b\n", false, "a|b|");
    check_table("a,b", false, "a|b|");
    check_table("a,b", true, "");
    check_table("", true, "");
}

static void check_refused(const char *text, bool session, const char *sentence)
{
    struct record_table table;

    assert_int_equal(read_text(text, session, &table), BENCH_EINPUT);
    if (!strstr(bench_failure(), sentence))
        fail_msg("expected '%s' in '%s'", sentence, bench_failure());
    assert_int_equal(table.n_columns, 0);
    assert_null(table.cell);
}

static void broken_tables_are_refused_by_line(void **unused)
{
    struct record_table table;

    (void)unused;
    check_refused("", false, "t.csv:1: the header is missing");
    check_refused("\n\n", false, "t.csv:1: the header is missing");
    check_refused("a,b\n1\n", false, "t.csv:2: expected 2 fields as in the header, found 1");
    check_refused("a,b\n1,2\n\n1,2,3\n", true,
                  "t.csv:4: expected 2 fields as in the header, found 3");
    check_refused("a,b\n1,\"2\n3\n", false, "t.csv:2: a quote is opened and never closed");
    check_refused("a,b\n\"x\ny\",1\n1,\"2", false,
                  "t.csv:4: a quote is opened and never closed");
    check_refused("a,b\n1,2\"3\n", true, "t.csv:2: a quote where none can be");
    check_refused("a,b\n\"p\nq\",\"2\"3\n", true, "t.csv:3: a quote where none can be");
    check_refused("a,b,a\n", false, "t.csv:1: column 'a' is there twice");
    check_refused("a,,b\n", false, "t.csv:1: column 2 of the header has no name");
    check_refused("a,b\n\"p\nq\",1,2\n", false, "t.csv:2: expected 2 fields");
    spill(in_folder("t.csv"), "a,b\n1,\0\n", 9);
    assert_int_equal(record_read(in_folder("t.csv"), true, &table), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "t.csv:2: a NUL byte"));
    assert_int_equal(record_read(in_folder("none.csv"), true, &table), BENCH_EIO);
    assert_non_null(strstr(bench_failure(), "none.csv: cannot open: No such file"));
    assert_int_equal(record_read(folder, true, &table), BENCH_EIO);
}

/* Size alone must not hurt: quadratic work would take minutes here. */
#ifdef __SANITIZE_ADDRESS__ /* whose comparisons of texts take a hundred times as long */
#define MANY_ROWS 1000
#else
#define MANY_ROWS 10000
#endif
static void many_rows_go_on(void **unused)
{
    const int n_rows = MANY_ROWS;
    char last[16];
    struct record_session *session = open_session(false);
    struct record_table table;
    char *text, *line;
    size_t n;
    FILE *file;

    (void)unused;
    write_row(session, "rdp/serial", "ok");
    record_close(session);
    text = slurp(in_folder(NAME ".csv"), &n);
    line = strstr(text, "\"r000001\"");
    assert_non_null(line);
    file = fopen(in_folder(NAME ".csv"), "wb");
    assert_non_null(file);
    fwrite(text, 1, (size_t)(strchr(text, '\n') - text) + 1, file);
    for (int i = 1; i <= n_rows; i++)
        fprintf(file, "%.*s\"r%06d\"%s", (int)(line - strchr(text, '\n') - 1),
                strchr(text, '\n') + 1, i, line + 9);
    fclose(file);
    free(text);
    session = open_session(true);
    assert_string_equal(record_session_name(session), NAME);
    for (int i = 0; i < n_rows; i++)
        assert_true(has(session, "rdp/serial", NULL, NULL));
    write_row(session, "rdp/cpu-simd", "ok");
    record_close(session);
    assert_int_equal(read_folder(folder, &table), BENCH_OK);
    assert_int_equal(table.n_rows, n_rows + 1);
    snprintf(last, sizeof last, "r%06d", 2 * n_rows + 1); /* n_rows were asked for */
    assert_string_equal(record_get(&table, n_rows, "row_id"), last);
    record_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_session_without_rows_leaves_nothing, begin),
        cmocka_unit_test_setup(header_is_fixed_then_keys, begin),
        cmocka_unit_test_setup(parts_hold_values_samples_and_env, begin),
        cmocka_unit_test_setup(odd_texts_come_back, begin),
        cmocka_unit_test_setup(numbers_are_plain, begin),
        cmocka_unit_test_setup(numbers_that_are_none, begin),
        cmocka_unit_test_setup(same_second_gets_a_number, begin),
        cmocka_unit_test_setup(names_are_never_shared, begin),
        cmocka_unit_test_setup(many_processes_begin_at_once, begin),
        cmocka_unit_test_setup(an_empty_file_is_a_session_without_rows, begin),
        cmocka_unit_test_setup(older_names_are_read, begin),
        cmocka_unit_test_setup(impossible_folders_are_refused_at_once, begin),
        cmocka_unit_test_setup(full_disk_leaves_no_half_row, begin),
        cmocka_unit_test_setup(full_disk_at_the_first_row_leaves_no_bytes, begin),
        cmocka_unit_test_setup(resume_knows_what_is_finished, begin),
        cmocka_unit_test_setup(resume_ignores_withdrawn_rows, begin),
        cmocka_unit_test_setup(resume_takes_the_newest_of_this_build, begin),
        cmocka_unit_test_setup(resume_leaves_a_living_session_alone, begin),
        cmocka_unit_test_setup(resume_leaves_other_hosts_alone, begin),
        cmocka_unit_test_setup(resume_that_fails_loses_nothing, begin),
        cmocka_unit_test_setup(resume_prefers_the_same_experiments, begin),
        cmocka_unit_test_setup(resume_needs_every_column, begin),
        cmocka_unit_test_setup(resume_keeps_a_wider_header, begin),
        cmocka_unit_test_setup(kill_at_every_byte, begin),
        cmocka_unit_test_setup(kill_in_the_first_row, begin),
        cmocka_unit_test_setup(csv_traps, begin),
        cmocka_unit_test_setup(broken_tables_are_refused_by_line, begin),
        cmocka_unit_test_setup(many_rows_go_on, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_record.c - results survive kills, full disks, odd texts and old headers */
#include "harness/suite/record.h"
#include "tests/inputs.h"
#include "tests/rows.h"

#include <ctype.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#define N(list) (sizeof(list) / sizeof *(list))
#define NAME    "20260131T235959Z-abc1234"
#define HASH    "00112233"
#define HOST    "0123456789abcdef"

static const struct record_resume this_build = {.build_hash = HASH, .host = HOST};

/* ---- files ---- */

static char folder[600];

/* An empty place for one test; nothing of it exists yet. */
static int begin(void **unused)
{
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

static struct text slurp(const char *name)
{
    struct text text = {0};

    if (text_read_file(in_folder(name), &text) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return text;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* In the order of writing, and what they had in them. */
static const char *const parts[3] = {NAME ".samples.csv.gz", NAME ".values.csv", NAME ".csv"};
static struct text whole[3];

/* ---- rows ---- */

/* Named 'name', or resumed. */
static struct record_session *open_as(const char *name, const struct record_resume *resume)
{
    struct record_session *session = NULL;

    if (record_open(folder, name, resume, &session) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return session;
}

static struct record_session *open_session(bool resume)
{
    return open_as(NAME, resume ? &this_build : NULL);
}

static void close_session(struct record_session *session, const char *name)
{
    assert_string_equal(record_session_name(session), name);
    assert_int_equal(record_close(session), BENCH_OK);
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

static void write_and_free(struct record_session *session, struct record_row *row)
{
    if (record_write(session, row) != BENCH_OK)
        fail_msg("%s", bench_failure());
    record_row_free(row);
}

static void write_row(struct record_session *session, const char *impl, const char *status)
{
    static const double ns[] = {1000, 1001.4};
    static const double mhz[] = {1337, 0};
    struct record_row *row = make_row(session, impl, status);

    assert_int_equal(record_value(row, "segments", -1, 11.25, ""), BENCH_OK);
    assert_int_equal(record_samples(row, ns, mhz, 2), BENCH_OK);
    write_and_free(session, row);
}

/* "IMPL STATUS, IMPL STATUS" */
static void write_rows(struct record_session *session, const char *rows)
{
    char impl[40], status[40];

    for (int n; sscanf(rows, " %39[^ ,] %39[^ ,]%n", impl, status, &n) == 2;
         rows += n + (rows[n] == ','))
        write_row(session, impl, status);
}

static void leave_session(const char *name, const char *rows)
{
    struct record_session *session = open_as(name, NULL);

    write_rows(session, rows);
    close_session(session, name);
}

static struct record_table table; /* that was read last */

/* A session file, or "" for the whole folder; it has so many rows. */
static void read_rows(const char *name, int n_rows)
{
    record_table_free(&table);
    if ((*name ? record_read(in_folder(name), true, &table) : read_folder(folder, &table)) !=
        BENCH_OK)
        fail_msg("%s", bench_failure());
    assert_int_equal(table.n_rows, n_rows);
}

static int end(void **unused)
{
    record_table_free(&table);
    for (int i = 0; i < 3; i++)
        text_free(&whole[i]);
    return 0;
}

#undef TEST
#define TEST(name) TEST_WITH(name, begin, end)

/* ---- writing ---- */

TEST(a_session_without_rows_leaves_nothing)
{
    struct record_session *session = open_session(false);
    struct record_row *row;

    assert_int_equal(record_env(session, "cpu=x\n"), BENCH_OK);
    row = make_row(session, "rdp/serial", "ok");
    assert_true(exists(in_folder(NAME ".csv"))); /* the name is taken ... */
    assert_false(exists(in_folder(NAME ".env.txt")));
    record_row_free(row);
    assert_int_equal(record_close(session), BENCH_OK);
    assert_false(exists(folder)); /* ... and given back */
    assert_int_equal(text_make_folder(folder), BENCH_OK);
    record_close(open_session(false));
    assert_true(exists(folder)); /* somebody else made it */
    assert_false(exists(in_folder(NAME ".csv")));
    assert_int_equal(record_close(NULL), BENCH_OK);
}

TEST(header_is_fixed_then_keys)
{
#define NAME_OF(name) #name ","
    static const char *const keys[] = {"width",    "height", "eps",   "distance",
                                       "resample", "median", "chunk", "cutoff",
                                       "unroll",   "skip",   "layout"};
    char fixed[] = RECORD_COLUMNS(NAME_OF);
    int at = 0;

    leave_session(NAME, "rdp/serial ok");
    read_rows(NAME ".csv", 1);
    for (char *name = strtok(fixed, ","); name; name = strtok(NULL, ","))
        assert_int_equal(record_column(&table, name), at++);
    /* a build without CUDA has the keys of CUDA variants too; others may follow */
    for (size_t i = 0; i < N(keys); i++)
        assert_true(record_column(&table, keys[i]) >= at);
    assert_int_equal(atoi(record_get(&table, 0, "schema")), RECORD_SCHEMA);
    assert_string_equal(record_get(&table, 0, "session"), NAME);
    assert_string_equal(record_get(&table, 0, "row_id"), "r000001");
    assert_string_equal(record_get(&table, 0, "height"), "1024");
    assert_string_equal(record_get(&table, 0, "chunk"), "");
    assert_string_equal(record_get(&table, 0, "no such column"), "");
}

TEST(parts_hold_values_samples_and_env)
{
    struct record_session *session = open_session(false);
    struct record_row *row;
    char *samples;

    assert_int_equal(record_env(session, "cpu=first\n"), BENCH_OK);
    write_row(session, "rdp/serial", "ok");
    row = make_row(session, "rdp/omp-tasks", "ok");
    assert_int_equal(record_value(row, "level_share", 0, 0.5, "%"), BENCH_OK);
    assert_int_equal(record_value(row, "level_share", 1, (double)NAN, "%"), BENCH_OK);
    write_and_free(session, row);
    write_row(session, "rdp/cpu-simd", "ok");
    record_close(session);

    assert_file(in_folder(NAME ".values.csv"),
                "\"row_id\",\"name\",\"index\",\"value\",\"unit\"\n"
                "\"r000001\",\"segments\",,\"11.25\",\n"
                "\"r000002\",\"level_share\",\"0\",\"0.5\",\"%\"\n"
                "\"r000002\",\"level_share\",\"1\",,\"%\"\n"
                "\"r000003\",\"segments\",,\"11.25\",\n");
    samples = unpack(in_folder(NAME ".samples.csv.gz"));
    assert_string_equal(samples, "\"row_id\",\"i\",\"ns\",\"sm_mhz\"\n"
                                 "\"r000001\",\"0\",\"1000\",\"1337\"\n"
                                 "\"r000001\",\"1\",\"1001\",\n"
                                 "\"r000003\",\"0\",\"1000\",\"1337\"\n"
                                 "\"r000003\",\"1\",\"1001\",\n");
    free(samples);
    assert_file(in_folder(NAME ".env.txt"), "cpu=first\n");

    session = open_session(true);
    assert_int_equal(record_env(session, "cpu=second\n"), BENCH_OK);
    write_row(session, "rdp/serial", "ok");
    record_close(session);
    assert_file(in_folder(NAME ".env.txt"), "cpu=second\n");
}

TEST(odd_texts_come_back)
{
    /* a '|' between them */
    char all[] = "a,b|say \"no\"|\"|\"\"|two\nlines|two\r\nlines|\n| blanks "
                 "|,|\"\n\"|,\n\"|caf\xc3\xa9|'|"
                 "\r|=1+1|\t|a\"\n\"b\n|#|\xef\xbb\xbf" /* a mark of byte order */ "bom";
    struct record_session *session = open_session(false);
    const char *texts[32], *text;
    int n_texts = 0;

    for (char *rest = all; (text = strsep(&rest, "|")) != NULL;) {
        struct record_row *row = make_row(session, "rdp/serial", "failed");

        record_text(row, "reason", text);
        record_text(row, "cpu", n_texts > 0 ? texts[n_texts - 1] : "");
        write_and_free(session, row);
        texts[n_texts++] = text;
    }
    record_close(session);
    read_rows(NAME ".csv", 19);
    for (int i = 0; i < n_texts; i++) {
        assert_string_equal(record_get(&table, i, "reason"), texts[i]);
        assert_string_equal(record_get(&table, i, "cpu"), i > 0 ? texts[i - 1] : "");
    }
}

TEST(numbers_are_plain)
{
    static const double values[] = {
        1.5,       -0.0,        1.0 / 3.0,        1e-300,           123456789,
        0.1 + 0.2, (double)NAN, (double)INFINITY, -(double)INFINITY};
    struct record_session *session;
    struct text found = {0};

    (void)support_comma_locale();
    session = open_session(false);
    for (size_t i = 0; i < N(values); i++) {
        struct record_row *row = make_row(session, "rdp/serial", "ok");

        record_number(row, "median_ms", 99);
        record_number(row, "median_ms", values[i]);
        write_and_free(session, row);
    }
    record_close(session);
    read_rows(NAME ".csv", N(values));
    for (int i = 0; i < table.n_rows; i++)
        text_format(&found, "%s ", record_get(&table, i, "median_ms"));
    assert_string_equal(found.data, "1.5 0 0.333333333 1e-300 123456789 0.3    ");
    setlocale(LC_ALL, "C");
    text_free(&found);
}

enum { N_PROCESSES = 24, N_ROWS = 5 };

/* Three digits, the last of them even, never less than it took. */
TEST(latencies_are_counted)
{
    static const double ns[] = {5.1e6, 99, 100000, 100001, 5.1e6, 5.02e6, 9e11, 5.11e6, 1};
    struct record_session *session = open_session(false);
    struct record_row *row = make_row(session, "rdp/serial", "ok");

    assert_int_equal(record_latencies(row, ns, 9), BENCH_OK);
    write_and_free(session, row);
    record_close(session);
    assert_file(in_folder(NAME ".values.csv"),
                "\"row_id\",\"name\",\"index\",\"value\",\"unit\"\n"
                "\"r000001\",\"latency_count\",\"2\",\"2\",\"frames\"\n"
                "\"r000001\",\"latency_count\",\"1000\",\"1\",\"frames\"\n"
                "\"r000001\",\"latency_count\",\"1020\",\"1\",\"frames\"\n"
                "\"r000001\",\"latency_count\",\"50200\",\"1\",\"frames\"\n"
                "\"r000001\",\"latency_count\",\"51000\",\"2\",\"frames\"\n"
                "\"r000001\",\"latency_count\",\"51200\",\"1\",\"frames\"\n"
                "\"r000001\",\"latency_count\",\"2000000000\",\"1\",\"frames\"\n");
}

/* One of many processes that begin in one second: it waits until all are there. */
static bool write_as_one_of_many(int go)
{
    struct record_session *session;
    char byte;

    /* the end of file: the parent has let go */
    if (read(go, &byte, 1) != 0 || record_open(folder, NAME, NULL, &session) != BENCH_OK)
        return false;
    for (int i = 0; i < N_ROWS; i++) {
        struct record_row *row = make_row(session, "rdp/serial", "ok");

        record_integer(row, "threads", getpid());
        if (record_value(row, "segments", -1, getpid(), "") != BENCH_OK ||
            record_write(session, row) != BENCH_OK)
            return false;
        record_row_free(row);
    }
    return record_close(session) == BENCH_OK;
}

TEST(many_processes_begin_at_once)
{
    int go[2], status;

    assert_int_equal(pipe(go), 0);
    for (int i = 0; i < N_PROCESSES; i++) {
        const pid_t child = fork();

        assert_true(child >= 0);
        if (child == 0) {
            close(go[1]);
            _exit(write_as_one_of_many(go[0]) ? 0 : 1);
        }
    }
    close(go[0]);
    close(go[1]);
    for (int i = 0; i < N_PROCESSES; i++) {
        assert_true(wait(&status) > 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    read_rows("", N_PROCESSES * N_ROWS);
    /* sessions one behind the other, a process each */
    for (int row = 1; row < table.n_rows; row++)
        for (int k = 0; k < 2; k++) {
            const char *const column = k ? "session" : "threads";

            assert_int_equal(
                !strcmp(record_get(&table, row, column), record_get(&table, row - 1, column)),
                row % N_ROWS != 0);
        }
}

TEST(impossible_folders_are_refused_at_once)
{
    struct record_session *session = NULL;

    write_text(folder, "file", "x");
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

/* Returns record_write() where no file may be longer than 'most'. */
static enum bench_status write_below(size_t most, struct record_session *session,
                                     struct record_row *row)
{
    enum bench_status status;

    support_room(most);
    status = record_write(session, row);
    support_room(RLIM_INFINITY);
    return status;
}

/* At every byte of a row: the files stay as they were, and the next row fits again. */
TEST(full_disk_leaves_no_half_row)
{
    struct record_session *session = open_session(false);
    struct record_row *row = make_row(session, "rdp/serial", "ok");
    enum bench_status status = BENCH_EIO;
    struct text rows, values;
    int n_failed = 0;

    /* of the first row the value fits, the row does not: the name alone is left */
    assert_int_equal(record_value(row, "segments", -1, 5, "px"), BENCH_OK);
    assert_int_equal(write_below(100, session, row), BENCH_EIO);
    assert_file(in_folder(NAME ".csv"), "");
    assert_false(exists(in_folder(NAME ".values.csv")));
    write_and_free(session, row);
    rows = slurp(NAME ".csv");
    values = slurp(NAME ".values.csv");
    row = make_row(session, "rdp/omp-tasks", "ok");
    record_text(row, "reason", "a \"long\"\nreason");
    assert_int_equal(record_value(row, "segments", -1, 5, "px"), BENCH_OK);
    for (size_t room = 0; room < 2000 && status != BENCH_OK; room++) {
        status =
            write_below(room < 40 ? values.size + room : rows.size + room - 40, session, row);
        if (status == BENCH_OK)
            break;
        n_failed++;
        assert_int_equal(status, BENCH_EIO);
        assert_non_null(strstr(bench_failure(), "cannot append a row"));
        assert_file(in_folder(NAME ".csv"), rows.data);
        assert_file(in_folder(NAME ".values.csv"), values.data);
    }
    assert_true(n_failed > 100 && n_failed < 2000);
    record_row_free(row);
    record_close(session);
    read_rows(NAME ".csv", 2);
    text_free(&rows);
    text_free(&values);
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

TEST(resume_knows_what_is_finished)
{
    struct record_session *session = open_session(false);

    write_rows(session, "rdp/serial ok, rdp/omp-tasks skipped, rdp/cpu-simd failed, "
                        "rdp/gpu-opt wrong, rdp/omp-columns ok");
    assert_false(has(session, "rdp/serial", NULL, NULL)); /* nothing is being resumed */
    record_close(session);
    write_text(folder, "WITHDRAWN", "# what and why\n\n" NAME ":r000005 the fan was off\n");

    session = open_session(true);
    assert_true(has(session, "rdp/serial", NULL, NULL));
    assert_false(has(session, "rdp/omp-tasks", NULL, NULL)); /* its keeper may be gone */
    assert_true(has(session, "rdp/omp-tasks", "status", "skipped"));
    assert_false(has(session, "rdp/cpu-simd", NULL, NULL));
    assert_false(has(session, "rdp/gpu-opt", NULL, NULL));
    assert_false(has(session, "rdp/omp-columns", NULL, NULL)); /* withdrawn */
    write_rows(session, "rdp/cpu-simd ok");
    assert_true(has(session, "rdp/cpu-simd", NULL, NULL));
    close_session(open_session(true), NAME "-2"); /* as long as the other is open */
    close_session(session, NAME);
}

/* A restarted rank begins a session of its own, and knows all of its build. */
TEST(a_rank_knows_all_sessions)
{
    const struct record_resume resume = {
        .build_hash = HASH, .host = "another host", .is_rank = true};
    struct record_session *session;

    leave_session(NAME, "rdp/serial ok, rdp/omp-columns ok");
    write_text(folder, "WITHDRAWN", NAME ":r000002 the fan was off\n");
    write_text(folder, "odd.csv", "no table\n\"");
    assert_int_equal(record_open(folder, NAME, &resume, &session), BENCH_OK);
    assert_string_equal(record_session_name(session), NAME "-2");
    assert_true(has(session, "rdp/serial", NULL, NULL));
    assert_false(has(session, "rdp/omp-columns", NULL, NULL));
    assert_false(has(session, "rdp/serial", "rank", "1"));
    record_close(session);
    assert_int_equal(
        record_open(folder, NAME,
                    &(struct record_resume){.build_hash = "0", .host = "", .is_rank = true},
                    &session),
        BENCH_OK);
    assert_false(has(session, "rdp/serial", NULL, NULL));
    record_close(session);
}

/* ---- looking after them ---- */

static void count_finding(void *self, const char *place, const char *what)
{
    assert_true(*what);
    ++*(int *)self;
}

/* Counts the odd things in the folder. */
static int n_odd(bool is_safe)
{
    struct record_seen seen = {0};
    int n = 0;
    bool safe;

    assert_int_equal(record_look_after(folder, count_finding, &n, &seen, &safe), BENCH_OK);
    assert_int_equal(safe, is_safe);
    return n;
}

/* Each byte of the files of a session, but for a line that a kill has cut. */
TEST(a_byte_that_changed_is_seen)
{
    static const char *const files[] = {NAME ".csv", NAME ".values.csv"};

    leave_session(NAME, "rdp/serial ok, rdp/omp-columns ok");
    assert_int_equal(n_odd(true), 0);
    for (size_t k = 0; k < N(files); k++) {
        struct text text = slurp(files[k]);
        const size_t begin = (size_t)(strchr(text.data, '\n') + 1 - text.data);

        for (size_t i = begin; i < text.size; i += 7) {
            const char byte = text.data[i];

            if (!isalnum((unsigned char)byte))
                continue;
            text.data[i] = byte == '1' ? '2' : '1';
            write_bytes(in_folder(files[k]), text.data, text.size);
            if (n_odd(true) == 0)
                fail_msg("%s: byte %zu", files[k], i);
            text.data[i] = byte;
        }
        write_bytes(in_folder(files[k]), text.data, text.size);
        text_free(&text);
    }
    assert_int_equal(n_odd(true), 0);
    assert_int_equal(symlink("/etc/hostname", in_folder("x.env.txt")), 0);
    assert_int_equal(n_odd(false), 1);
}

#define FIRST  "20260101T000000Z-abc1234"
#define SECOND "20260102T000000Z-abc1234"
#define FOURTH "20260103T000000Z-abc1234"

/* The newest of this build and host, and of them one of the same experiments. */
TEST(resume_chooses_a_session)
{
    static const char *const left[][3] = {{FIRST, HASH, "rdp/fig9"},
                                          {SECOND, HASH, "rdp/fig10"},
                                          {SECOND "-2", HASH, "som/fig8"},
                                          {FOURTH, "another", "rdp/fig9"}};
    static const struct {
        const char *hash, *host, *experiment, *session;
    } cases[] = {{HASH, HOST, NULL, SECOND "-2"},
                 {HASH, HOST, "rdp/fig9", FIRST},
                 {HASH, HOST, "rdp/fig10", SECOND},
                 {HASH, HOST, "som/fig8", SECOND "-2"},
                 {HASH, HOST, "rdp/fig12", SECOND "-2"},
                 {"another", HOST, NULL, FOURTH},
                 {"third", HOST, NULL, NAME},
                 {HASH, "another", NULL, NAME}};

    for (size_t i = 0; i < N(left); i++) {
        struct record_session *const session = open_as(left[i][0], NULL);
        struct record_row *const row = make_row(session, "rdp/serial", "ok");

        record_text(row, "build_hash", left[i][1]);
        record_text(row, "experiment", left[i][2]);
        write_and_free(session, row);
        record_close(session);
    }
    write_text(folder, "zzz.csv", "no \"table\n");
    for (size_t i = 0; i < N(cases); i++) {
        const char *const wanted[] = {"rdp/fig11", cases[i].experiment, NULL};
        const struct record_resume resume = {.build_hash = cases[i].hash,
                                             .host = cases[i].host,
                                             .experiments =
                                                 cases[i].experiment ? wanted : NULL};

        close_session(open_as(NAME, &resume), cases[i].session);
    }
}

/* A session that cannot be resumed stays as it is. */
TEST(resume_that_fails_loses_nothing)
{
    static const char broken[] = "\"row_id\",\"name\"\n\"r000001\",\"a\" b\"\n";
    struct record_session *session;
    struct text rows;

    leave_session(NAME, "rdp/serial ok");
    rows = slurp(NAME ".csv");
    write_text(folder, NAME ".values.csv", broken);
    assert_int_equal(record_open(folder, NAME, &this_build, &session), BENCH_EINPUT);
    assert_file(in_folder(NAME ".csv"), rows.data);
    assert_file(in_folder(NAME ".values.csv"), broken);
    text_free(&rows);
}

/* Replace the first 'from' of the row file. */
static void edit_rows(const char *from, const char *to)
{
    struct text rows = slurp(NAME ".csv"), edited = {0};
    char *const at = strstr(rows.data, from);

    assert_non_null(at);
    *at = '\0';
    text_format(&edited, "%s%s%s", rows.data, to, at + strlen(from));
    write_text(folder, NAME ".csv", edited.data);
    text_free(&rows);
    text_free(&edited);
}

/* A build before the key "cutoff" had another at its place; a later one has a column more. */
TEST(resume_needs_every_column)
{
    struct record_session *session;

    leave_session(NAME, "rdp/serial ok");
    edit_rows("\"cutoff\"", "\"before\"");
    session = open_session(true);
    assert_false(has(session, "rdp/serial", NULL, NULL));
    close_session(session, NAME "-2");
    edit_rows("\"before\"", "\"cutoff\"");
    edit_rows("\n", ",\"older_key\"\n");
    edit_rows(",\n", ",,\"7\"\n"); /* the row, whose last field is empty */
    session = open_session(true);
    write_rows(session, "rdp/cpu-simd ok");
    close_session(session, NAME);
    read_rows(NAME ".csv", 2);
    assert_string_equal(record_get(&table, 0, "older_key"), "7");
    assert_string_equal(record_get(&table, 1, "older_key"), "");
    assert_string_equal(record_get(&table, 1, "impl"), "rdp/cpu-simd");
}

#define AWKWARD "with \"quotes\",\nlines\n and commas"

/* One row more, and the three files as they should be then. */
static void resume_and_check(int n_whole_rows, int n_ids_seen)
{
    struct record_session *session = open_session(true);
    struct record_table values;
    char id[16], *samples;

    assert_true(has(session, "rdp/serial", NULL, NULL));
    assert_int_equal(has(session, "rdp/omp-tasks", "reason", AWKWARD), n_whole_rows > 1);
    write_row(session, "rdp/cpu-simd", "ok");
    close_session(session, NAME);
    read_rows(NAME ".csv", n_whole_rows + 1);
    snprintf(id, sizeof id, "r%06d", n_ids_seen + 3); /* two rows were made to ask with */
    assert_string_equal(record_get(&table, n_whole_rows, "row_id"), id);
    assert_string_equal(record_get(&table, n_whole_rows, "impl"), "rdp/cpu-simd");
    if (record_read(in_folder(NAME ".values.csv"), false, &values) != BENCH_OK)
        fail_msg("%s", bench_failure());
    for (int i = 0; i < values.n_rows; i++)
        assert_int_equal(!strcmp(record_get(&values, i, "row_id"), id), i == values.n_rows - 1);
    samples = unpack(in_folder(NAME ".samples.csv.gz"));
    assert_non_null(strstr(samples, id));
    record_table_free(&values);
    free(samples);
}

static void slurp_parts(void)
{
    for (int i = 0; i < 3; i++) {
        text_free(&whole[i]);
        whole[i] = slurp(parts[i]);
    }
}

/* A kill has cut a part to n bytes: those behind it are as before. */
static void spill_parts(const size_t before[3], int cut, size_t n)
{
    for (int i = 0; i < 3; i++)
        write_bytes(in_folder(parts[i]), whole[i].data,
                    i < cut    ? whole[i].size
                    : i == cut ? n
                               : before[i]);
}

/* A kill at every byte that the second row's writing adds to any of the files. */
TEST(kill_at_every_byte)
{
    static const double ns[] = {1, 2, 3};
    struct record_session *session = open_session(false);
    struct record_row *row;
    size_t one[3];

    write_row(session, "rdp/serial", "ok");
    slurp_parts();
    for (int i = 0; i < 3; i++)
        one[i] = whole[i].size;
    row = make_row(session, "rdp/omp-tasks", "ok");
    record_text(row, "reason", AWKWARD);
    assert_int_equal(record_value(row, "odd", -1, 1, "a\n\"b\""), BENCH_OK);
    assert_int_equal(record_samples(row, ns, NULL, 3), BENCH_OK);
    write_and_free(session, row);
    record_close(session);
    slurp_parts();
    for (int cut = 0; cut < 3; cut++)
        for (size_t n = one[cut]; n < whole[cut].size + (cut == 2); n++) {
            spill_parts(one, cut, n);
            resume_and_check(cut == 2 && n == whole[2].size ? 2 : 1, cut == 0 ? 1 : 2);
        }
}

/* A kill inside the very first row: nothing to resume, and nothing that disturbs readers. */
TEST(kill_in_the_first_row)
{
    leave_session(NAME, "rdp/serial ok");
    slurp_parts();
    for (size_t n = 0, end = whole[2].size; n<end; n += n> 20 && n + 20 < end ? 7 : 1) {
        spill_parts(NULL, 2, n);
        read_rows(NAME ".csv", 0);
        close_session(open_session(true), NAME "-2");
        read_rows("", 0);
    }
}

/* ---- reading ---- */

static void check_csv(const char *text, size_t n, const char *expected)
{
    const size_t skipped = strncmp(text, "session ", 8) ? 0 : 8;
    struct text found = {0};

    text_add(&found, "");
    write_text(folder, "t.csv", "");
    write_bytes(in_folder("t.csv"), text + skipped, n - skipped);
    record_table_free(&table);
    if (record_read(in_folder("t.csv"), skipped > 0, &table) != BENCH_OK) {
        text_add(&found, strstr(bench_failure(), "t.csv:"));
        assert_int_equal(table.n_columns, 0);
        assert_null(table.cell);
    }
    for (int row = -1; row < table.n_rows; row++) {
        text_add(&found, row < 0 ? "" : "/");
        for (int i = 0; i < table.n_columns; i++)
            text_format(&found, "%s|",
                        row < 0 ? table.column[i] : record_get(&table, row, table.column[i]));
    }
    assert_string_equal(found.data, expected);
    text_free(&found);
}

TEST(csv_files_are_read)
{
    each_damaged("csv", check_csv);
    assert_int_equal(record_read(in_folder("none.csv"), true, &table), BENCH_EIO);
    assert_non_null(strstr(bench_failure(), "none.csv: cannot open: No such file"));
    assert_int_equal(record_read(folder, true, &table), BENCH_EIO);
}

/* Size alone must not hurt: quadratic work would take minutes here. */
#ifdef __SANITIZE_ADDRESS__ /* it compares texts a hundred times slower */
#define MANY_ROWS 1000
#else
#define MANY_ROWS 10000
#endif
TEST(many_rows_go_on)
{
    struct record_session *session;
    struct text one, many = {0};
    const char *row, *id;
    char last[16];

    leave_session(NAME, "rdp/serial ok");
    one = slurp(NAME ".csv");
    row = strchr(one.data, '\n') + 1;
    id = strstr(row, "r000001");
    text_bytes(&many, one.data, (size_t)(row - one.data));
    for (int i = 1; i <= MANY_ROWS; i++)
        text_format(&many, "%.*sr%06d%s", (int)(id - row), row, i, id + strlen("r000001"));
    write_text(folder, NAME ".csv", many.data);
    text_free(&many);
    text_free(&one);
    session = open_session(true);
    for (int i = 0; i < MANY_ROWS; i++)
        assert_true(has(session, "rdp/serial", NULL, NULL));
    write_row(session, "rdp/cpu-simd", "ok");
    close_session(session, NAME);
    read_rows("", MANY_ROWS + 1);
    snprintf(last, sizeof last, "r%06d", 2 * MANY_ROWS + 1); /* so many were asked for */
    assert_string_equal(record_get(&table, MANY_ROWS, "row_id"), last);
}

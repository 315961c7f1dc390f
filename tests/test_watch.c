/*
 * test_watch.c - frames from a pipe, whole, cut at each byte, with each byte of their headers
 *                changed; the lines about frames; a variant on a clock of the test's own
 */
#include "harness/watch/watch.h"

#include "harness/inputs/image.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"
#include "harness/problems/rdp/rdp.h"
#include "tests/inputs.h"
#include "tests/watch_calls.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#define WIDTH    5
#define HEIGHT   3
#define N_FRAMES 2
#define N_PLANE  (2 * WIDTH * HEIGHT)
#define N_FRAME  (16 + N_PLANE)
#define N_STREAM (16 + N_FRAMES * N_FRAME)

#define MS 1000000LL
#define S  1000000000LL

/* ---- the format ---- */

static void put_u32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint16_t value_of(int frame, int pixel)
{
    return pixel == 4 ? DISPARITY_INVALID : (uint16_t)(1000 * frame + 257 * pixel);
}

static uint8_t stream[N_STREAM]; /* whole, until a test changes it */

static void make_stream(void)
{
    made.n = 0;
    put("DBF1", 4);
    put_word(WIDTH, 4);
    put_word(HEIGHT, 4);
    put_word(256, 4);
    for (int k = 0; k < N_FRAMES; k++) {
        put("FRAM", 4);
        put_word(N_PLANE, 4);
        put_word(77 + (uint32_t)k, 4);
        put_word(1, 4);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            put_word(value_of(k, i), 2);
    }
    memcpy(stream, made.at, N_STREAM);
}

/* ---- a clock ---- */

static long long now_ns, step_ns; /* that passes in a look */
static volatile sig_atomic_t stop;
static int n_looks;           /* at the clock, until the user stops; 0: does not */
static void (*at_look)(void); /* NULL: nothing happens */

static long long tell_time(void *self)
{
    if (n_looks > 0 && --n_looks == 0)
        stop = 1;
    if (at_look)
        at_look();
    return __atomic_add_fetch(&now_ns, step_ns, __ATOMIC_RELAXED);
}

static void wait_until(void *self, long long ns)
{
    if (now_ns < ns)
        now_ns = ns;
}

static void pass_time(long long ns)
{
    __atomic_add_fetch(&now_ns, ns, __ATOMIC_RELAXED);
}

static const struct arrivals_clock clock_of_test = {tell_time, wait_until, NULL};

/* ---- before each test: frames of two folders, which are empty, and a variant ---- */

static struct bench_params params;
static struct watch_options o;
static struct watched watched;
static char folder[1024], results[1024];

static void choose(const char *variant)
{
    o = (struct watch_options){.impl = bench_find_impl(variant),
                               .n_threads = 1,
                               .in_flight = 1,
                               .clock = &clock_of_test,
                               .stop = &stop};
    assert_non_null(o.impl);
    o.maker.app = bench_find_app(o.impl->problem);
    o.maker.params = &params;
    o.sink.app = o.maker.app;
    params.n = 0;
    assert_int_equal(bench_params_default(&params, o.impl->problem->keys, ""), BENCH_OK);
    assert_int_equal(bench_params_default(&params, o.impl->keys, ""), BENCH_OK);
    assert_int_equal(bench_params_default(&params, o.maker.app->unset, ""), BENCH_OK);
}

static int set_up(void **unused)
{
    make_stream();
    stop = 0;
    n_looks = n_runs = 0;
    now_ns = 5 * S;
    step_ns = 1000;
    before_run = NULL;
    at_look = NULL;
    choose("rdp/serial");
    snprintf(folder, sizeof folder, "%s", scratch("frames"));
    snprintf(results, sizeof results, "%s", scratch("results"));
    support_remove(folder);
    support_remove(results);
    return text_make_folder(folder) != BENCH_OK;
}

#undef TEST
#define TEST(name) TEST_WITH(name, set_up, NULL)

static const char *path_in(const char *of, const char *name)
{
    static char path[1300];

    snprintf(path, sizeof path, "%s/%s", of, name);
    return path;
}

static void write_image(const char *name, int width, int height, int seed)
{
    static uint16_t values[64 * 64];

    for (int i = 0; i < width * height; i++)
        values[i] = (uint16_t)(1 + (i * i * (seed + 3)) % 9000);
    write_grey(path_in(folder, name), values, width, height);
}

/* 0.png and so on. */
static void write_images(int n)
{
    for (int k = 0; k < n; k++)
        write_image((char[]){(char)('0' + k), '.', 'p', 'n', 'g', '\0'}, 16, 12, k);
}

static void drop_feed(struct feed **feed)
{
    feed_close(*feed);
}

static enum bench_status watch_folder(void)
{
    OWNED(drop_feed) struct feed *feed = NULL;

    n_runs = 0;
    TRY(feed_of_folder(&o.maker, folder, 0, &feed));
    return watch_run(&o, feed, &watched);
}

/* A pipe with the header, n frames of the stream again and again, and 'more' in it. */
static int ends[2];
static struct feed_file file;

static void open_pipe(int n, const char *more)
{
    const size_t n_more = strlen(more);

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], stream, 16), 16);
    for (int k = 0; k < n; k++)
        assert_int_equal(write(ends[1], stream + 16 + k % N_FRAMES * N_FRAME, N_FRAME),
                         N_FRAME);
    assert_int_equal(write(ends[1], more, n_more), n_more);
    n_runs = 0;
    file = (struct feed_file){
        .fd = ends[0], .stop = &stop, .clock = &clock_of_test, .limit_ns = 10 * S};
}

/* Until 'o' has enough of it: its writer stays. */
static enum bench_status watch_pipe(int n, const char *more)
{
    struct feed *feed;
    enum bench_status status;

    open_pipe(n, more);
    status = feed_of_pipe(&o.maker, &file, "test", &feed);
    if (!status)
        status = watch_run(&o, feed, &watched);
    feed_close(feed);
    close(ends[0]);
    close(ends[1]);
    return status;
}

/* ---- a stream from memory ---- */

/* Bytes from memory; 'fails' instead of those that are missing. */
struct memory {
    const uint8_t *bytes;
    size_t n, at;
    enum bench_status fails;
    bool last_may_wait;
};

static enum bench_status read_memory(void *self, void *bytes, size_t n, bool may_wait,
                                     size_t *n_read)
{
    struct memory *const m = self;

    m->last_may_wait = may_wait;
    *n_read = m->n - m->at < n ? m->n - m->at : n;
    memcpy(bytes, m->bytes + m->at, *n_read);
    m->at += *n_read;
    return *n_read < n && m->fails ? BENCH_FAIL(m->fails, "nothing came") : BENCH_OK;
}

/* Read all of it; *n: whole frames, which must be those that were written. */
static enum bench_status read_stream(struct memory *memory, int *n)
{
    const struct pipe_source source = {read_memory, memory, "test"};
    struct pipe pipe;
    struct plane plane;
    uint64_t time_ns;
    bool is_end = false;
    enum bench_status status = pipe_open(&source, false, &pipe);

    *n = 0;
    while (!status && !is_end) {
        status = pipe_next(&pipe, &plane, &time_ns, &is_end);
        if (!status && !is_end) {
            assert_int_equal(plane.width, pipe.width);
            assert_int_equal(plane.height, pipe.height);
            for (int i = 0; pipe.scale == 256 && i < WIDTH * HEIGHT; i++)
                assert_int_equal(plane.disparity[i], value_of(*n, i));
            ++*n;
        }
        plane_free(&plane);
    }
    pipe_close(&pipe);
    return status;
}

TEST(frames_are_read)
{
    struct memory memory = {.bytes = stream, .n = N_STREAM};
    const struct pipe_source source = {read_memory, &memory, "test"};
    struct pipe pipe;
    struct plane plane;
    uint64_t time_ns;
    bool is_end;
    int n;

    assert_int_equal(read_stream(&memory, &n), BENCH_OK);
    assert_int_equal(n, N_FRAMES);
    assert_true(memory.last_may_wait);

    memory.at = 0;
    put_u32(stream + 12, 128); /* values per px */
    assert_int_equal(pipe_open(&source, false, &pipe), BENCH_OK);
    assert_int_equal(pipe_next(&pipe, &plane, &time_ns, &is_end), BENCH_OK);
    assert_string_equal(plane.name, "frame-0");
    assert_true(time_ns == (UINT64_C(1) << 32) + 77);
    assert_int_equal(plane.disparity[3], 2 * value_of(0, 3));
    assert_int_equal(plane.disparity[4], DISPARITY_INVALID);
    assert_int_equal(plane.disparity[0], 0); /* a value as any other */
    plane_free(&plane);
    pipe_close(&pipe);
}

/* The same bytes as two views, one behind the other; each kind refuses the other's header. */
TEST(pairs_are_read)
{
    static const char *const words[] = {"DBF1", "DBP1"};

    for (int i = 0; i < 6; i++) {
        struct memory memory = {.bytes = stream, .n = N_STREAM};
        const struct pipe_source source = {read_memory, &memory, "test"};
        const bool has_pairs = i % 2, is_its = i < 4 && i / 2 == has_pairs;
        struct pipe pipe;
        struct plane plane;
        uint64_t time_ns;
        bool is_end;

        make_stream();
        memcpy(stream, words[i < 4 ? i / 2 : has_pairs], 4);
        put_u32(stream + 12, i < 4 && i / 2 == 0 ? 256 : i < 4 ? 0 : has_pairs ? 256 : 0);
        assert_int_equal(pipe_open(&source, has_pairs, &pipe),
                         is_its ? BENCH_OK : BENCH_EINPUT);
        for (int k = 0; is_its && has_pairs && k < N_FRAMES; k++) {
            assert_int_equal(pipe_next(&pipe, &plane, &time_ns, &is_end), BENCH_OK);
            assert_true(!is_end && !plane.disparity && plane.width == WIDTH);
            for (int view = 0; view < 2; view++)
                assert_memory_equal(plane.view[view],
                                    stream + 16 + k * N_FRAME + 16 + view * WIDTH * HEIGHT,
                                    WIDTH * HEIGHT);
            plane_free(&plane);
        }
        pipe_close(&pipe);
    }
    make_stream();
}

/* At the end of a frame a stream may end; anywhere else it says where it did. */
TEST(every_cut)
{
    char begin[64];
    int n;

    for (size_t cut = 0; cut < N_STREAM; cut++) {
        struct memory memory = {.bytes = exact_copy(stream, cut), .n = cut};
        const int n_whole = cut < 16 ? 0 : (int)((cut - 16) / N_FRAME);
        const bool may_end = cut >= 16 && (cut - 16) % N_FRAME == 0;

        assert_int_equal(read_stream(&memory, &n), may_end ? BENCH_OK : BENCH_EINPUT);
        assert_int_equal(n, n_whole);
        if (cut < 16)
            snprintf(begin, sizeof begin, cut == 0 ? "test: " : "test, byte %zu: ", cut);
        else
            snprintf(begin, sizeof begin, "test, frame %d, byte %zu: ", n_whole, cut);
        if (!may_end)
            assert_says(begin, "expected");
        /* a writer may be silent before a header and a frame, not within */
        assert_int_equal(memory.last_may_wait, cut < 16 ? cut < 4 : (cut - 16) % N_FRAME < 4);
        free((void *)(uintptr_t)memory.bytes);
    }
}

/* A flipped bit of a header is refused, but for what may be anything: the time, and a scale in
 * range.  A flipped bit of a side is a lie about the size of what follows. */
TEST(every_flipped_bit_of_a_header)
{
    for (int at = 0; at < N_STREAM; at++)
        for (int bit = 0; bit < 8; bit++) {
            const int in_frame = at < 16 ? -1 : (at - 16) % N_FRAME;
            const bool is_time = in_frame >= 8 && in_frame < 16;
            const int frame = at < 16 ? 0 : (at - 16) / N_FRAME;
            struct memory memory = {.bytes = stream, .n = N_STREAM};
            bool is_fine;
            int n;

            if (in_frame >= 16)
                continue;
            make_stream();
            stream[at] ^= (uint8_t)(1 << bit);
            is_fine = is_time || at == 12 || (at == 13 && bit > 0);
            assert_int_equal(read_stream(&memory, &n), is_fine ? BENCH_OK : BENCH_EINPUT);
            assert_int_equal(n, is_fine ? N_FRAMES : frame);
            if (!is_fine)
                assert_says("test", "expected");
        }
}

/* Some bytes are others. */
TEST(what_is_no_stream)
{
    static const struct {
        int at;
        const char *put, *begin, *words;
    } cases[] = {
        {4, "\1\x80\0\0", "test, byte 4: ", "1 to 32768 px, found 32769 x 3"},
        {4, "\xff\xff\xff\xff", "test, byte 4: ", "4294967295 x 3"},
        {8, "\1\x80\0\0", "test, byte 4: ", "found 5 x 32769"},
        {12, "\0\0\0\0", "test, byte 12: ", "expected 1 to 65535 values"},
        {66, "\xfe\xff\xff\xff", "test, frame 1, byte 66: ", "30 bytes (5 x 3 px)"},
        {62, "DBF1", "test, frame 1, byte 62: ", "size of frames cannot change"},
        {62, "\1\2\n\xff", "test, frame 1, byte 62: ", "found 01 02 0a ff"},
        {0, "xxxx", "test, byte 0: ", "expected \"DBF1\", found \"xxxx\""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct memory memory = {.bytes = stream, .n = N_STREAM};
        int n;

        make_stream();
        memcpy(stream + cases[i].at, cases[i].put, 4);
        assert_int_equal(read_stream(&memory, &n), BENCH_EINPUT);
        assert_says(cases[i].begin, cases[i].words);
    }
}

/* The half sentence of the source gets its place, other failures stay as they are. */
TEST(a_source_that_fails)
{
    struct memory memory = {.bytes = stream, .n = 16 + N_FRAME + 7, .fails = BENCH_EINPUT};
    int n;

    assert_int_equal(read_stream(&memory, &n), BENCH_EINPUT);
    assert_string_equal(bench_failure(), "test, frame 1, byte 69: nothing came");
    memory.at = 0;
    memory.fails = BENCH_EINTR;
    assert_int_equal(read_stream(&memory, &n), BENCH_EINTR);
}

/* ---- a file descriptor ---- */

/* A writer that says nothing may do so before a frame, not within one. */
TEST(a_silent_writer)
{
    char read[8];
    size_t n;

    open_pipe(0, ""); /* a header */
    step_ns = 6 * S;
    assert_int_equal(feed_read_file(&file, read, 8, true, &n), BENCH_OK);
    assert_int_equal(feed_read_file(&file, read, 8, true, &n), BENCH_OK);
    n_looks = 6;
    assert_int_equal(feed_read_file(&file, read, 8, true, &n), BENCH_EINTR);
    stop = 0;
    n_looks = 6;
    assert_int_equal(write(ends[1], "abc", 3), 3);
    assert_int_equal(feed_read_file(&file, read, 8, false, &n), BENCH_EINPUT);
    assert_int_equal(n, 3);
    assert_string_equal(bench_failure(), "nothing came for 10 s within a frame");
    n_looks = 0;
    assert_int_equal(write(ends[1], "defg", 4), 4);
    assert_int_equal(feed_read_file(&file, read, 4, true, &n), BENCH_OK);
    assert_memory_equal(read, "defg", 4);
    stop = 1;
    assert_int_equal(feed_read_file(&file, read, 4, true, &n), BENCH_EINTR);
    stop = 0;
    file.is_closing = true;
    assert_int_equal(feed_read_file(&file, read, 4, true, &n), BENCH_EINTR);
    file.is_closing = false;
    assert_int_equal(write(ends[1], "h", 1), 1);
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(feed_read_file(&file, read, 4, false, &n), BENCH_OK);
    assert_int_equal(n, 1);
    close(ends[0]);
}

/* ---- what is said ---- */

static struct tell told;

static void add(long long arrived_ns, long long latency_ns, bool is_missed)
{
    tell_add(&told, &(struct arrivals_frame){.arrived_ns = arrived_ns,
                                             .done_ns = arrived_ns + latency_ns,
                                             .is_missed = is_missed});
}

TEST(lines_and_a_summary)
{
    OWNED(text_free) struct text text = {0};
    char line[TELL_COLUMNS];

    memset(&told, 0, sizeof told);
    assert_false(tell_line(&told, line));
    for (int k = 0; k < 30; k++) {
        add(k * S / 30, 2 * MS, false);
        assert_false(tell_line(&told, line));
    }
    tell_add(&told, &(struct arrivals_frame){.is_dropped = true});
    add(S, 40 * MS, true);
    assert_true(tell_line(&told, line));
    assert_string_equal(line,
                        "32 frames, 28.9 fps, p50 2 p99 - max 40 ms, missed 1, dropped 1");
    assert_false(tell_line(&told, line));
    for (int k = 31; k < 1030; k++)
        add(k * S / 30, (k % 50 ? 2 : 3) * MS, false);
    assert_true(tell_line(&told, line));
    assert_non_null(strstr(line, "1031 frames, 30.03 fps, p50 2 p99 3 max 40 ms"));
    tell_summary(&told, 1e3 / 30, &text);
    assert_string_equal(text.data, "1031 frames: 1030 results, 1 dropped, 30 fps\n"
                                   "latency in ms: median 2, p90 2, p99 3, p99.9 -; "
                                   "longest of all 40\n"
                                   "-: fewer than ten results are later\n"
                                   "1 of 1030 results are later than 33.3 ms, and 1 of 1031 "
                                   "frames were dropped\n");
}

/* "all N": results of 1 to N ms, every other one missed, and their summary's end, which has
 * percentiles of the last TELL_LAST results and all else of all.  "NxMS NxMS": so many of so
 * many ms, and their line.  One comes a second. */
static void tell_of(const char *text, const char *expected)
{
    OWNED(text_free) struct text summary = {0};
    char line[TELL_COLUMNS];
    int n, ms, used, k = 0;

    memset(&told, 0, sizeof told);
    if (sscanf(text, "all %d", &n) == 1) {
        for (k = 1; k <= n; k++)
            add(k * S, k * MS, k % 2);
        tell_summary(&told, 0, &summary);
        assert_string_equal(summary.data + summary.size - strlen(expected), expected);
        assert_int_equal(told.n_missed, (n + 1) / 2);
        assert_int_equal(told.first_done_ns, S + MS);
        assert_true(told.last_done_ns == n * (S + MS));
        return;
    }
    for (; sscanf(text, " %dx%d%n", &n, &ms, &used) == 2; text += used)
        while (n-- > 0)
            add(k++ * S, ms * MS, false);
    assert_true(tell_line(&told, line));
    assert_string_equal(line, expected);
}

TEST(what_is_told_of_many)
{
    assert_int_equal(TELL_LAST, 20000);
    each_case("tests/damaged.cases", "told", tell_of);
}

/* A line of two results, of which all is told but what follows. */
static const char *line_of(long long count, long long latency_ns)
{
    static char line[TELL_COLUMNS];

    memset(&told, 0, sizeof told);
    told.n_missed = told.n_dropped = count;
    add(1, latency_ns, false);
    add(2 * S, latency_ns, false);
    assert_true(tell_line(&told, line));
    return line;
}

/* Whatever the numbers, it is one line of a terminal, and each number in it is whole. */
TEST(a_line_has_79_columns_at_most)
{
    for (long long count = 1; count <= INT_MAX - 2; count = count * 10 + 9)
        for (long long ns = 1; ns < S * S; ns *= 9) {
            const char *const line = line_of(count, ns);
            char begin[64], end[64];

            snprintf(begin, sizeof begin, "%lld frames, 0.5 fps, ", count + 2);
            snprintf(end, sizeof end, "missed %lld, dropped %lld", count, count);
            assert_true(strlen(line) < TELL_COLUMNS);
            assert_memory_equal(line, begin, strlen(begin));
            assert_string_equal(line + strlen(line) - strlen(end), end);
        }
    assert_string_equal(line_of(1234567, 123456 * MS),
                        "1234569 frames, 0.5 fps, p50 123456 p99 - ms, "
                        "missed 1234567, dropped 1234567");
    assert_string_equal(line_of(123456789, 1234567890 * MS),
                        "123456791 frames, 0.5 fps, p99 - ms, "
                        "missed 123456789, dropped 123456789");
}

/* ---- a variant over frames ---- */

static const long long *cost_ns; /* of each run, that which nobody sees first */

static void take_as_long(int run)
{
    pass_time(cost_ns[run]);
}

static int n_of(const char *text, const char *words)
{
    int n = 0;

    while ((text = strstr(text, words)) != NULL)
        n += *text++ != '\0';
    return n;
}

#define HEAD "frame,name,time_ns,arrived_ns,begun_ns,latency_ms,missed,dropped\n"

/* Images a second, drops or keeps, and the ns of each run => rows, of three images again and
 * again; time passes in runs, and while a frame is waited for. */
static void watch_rows(const char *text, const char *rows)
{
    long long cost[8] = {0};
    char word[8], expected[1000], *rest;
    int used;

    assert_int_equal(sscanf(text, "%d %7s%n", &o.rate, word, &used), 2);
    rest = (char *)(uintptr_t)text + used;
    for (int i = 0; i < 8; i++)
        cost[i] = (long long)strtod(rest, &rest);
    snprintf(expected, sizeof expected, HEAD "%s", rows);
    support_remove(results);
    now_ns = 5 * S;
    cost_ns = cost;
    o.drops = !strcmp(word, "drops");
    o.most = n_of(rows, "png");
    assert_int_equal(watch_folder(), BENCH_OK);
    assert_file(path_in(results, "frames.csv"), expected);
    assert_int_equal(watched.tell.n_missed, n_of(rows, ",1,0\n"));
    assert_int_equal(watched.tell.n_dropped, n_of(rows, ",0,1\n"));
    assert_int_equal(watched.tell.n, o.most - watched.tell.n_dropped);
}

TEST(each_column_of_each_row)
{
    write_images(3);
    step_ns = 0;
    before_run = take_as_long;
    o.sink.folder = results;
    each_case("tests/damaged.cases", "rows", watch_rows);

    /* a pipe's have a name and a time of their own */
    support_remove(results);
    now_ns = 5 * S;
    cost_ns = (const long long[4]){0};
    o.most = N_FRAMES;
    assert_int_equal(watch_pipe(N_FRAMES, ""), BENCH_OK);
    assert_file(path_in(results, "frames.csv"),
                HEAD "0,\"frame-0\",4294967373,5000000000,5000000000,0,0,0\n"
                     "1,\"frame-1\",4294967374,5000000000,5000000000,0,0,0\n");
}

/* The same image has the same table; and a folder with tables is no place for others. */
TEST(a_folder_again_and_again)
{
    struct text text = {0};

    write_images(3);
    o.most = 7;
    o.sink.folder = results;
    assert_int_equal(watch_folder(), BENCH_OK);
    assert_true(watched.width == 16 && watched.height == 12 && watched.tell.n == 7);
    assert_int_equal(text_read_file(path_in(results, "0000000001.csv"), &text), BENCH_OK);
    assert_file(path_in(results, "0000000004.csv"), text.data);
    text_free(&text);
    assert_int_equal(unlink(path_in(results, "frames.csv")),
                     0); /* of a program that was killed */
    assert_int_equal(watch_folder(), BENCH_EINPUT);
    assert_says(results, "/0000000000.csv is there: expected a folder without results");
}

/* Files that a program reads, and others. */
static void count_results(int *n_tables, int *n_others)
{
    DIR *const left = opendir(results);

    *n_tables = *n_others = 0;
    assert_non_null(left);
    for (const struct dirent *entry; (entry = readdir(left)) != NULL;) {
        const char *const end = strrchr(entry->d_name, '.');

        if (entry->d_name[0] != '.' && !strcmp(end, ".csv"))
            ++*n_tables;
        else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            ++*n_others;
    }
    closedir(left);
}

/* Three frames: write n, of a file and then of its folder, fails or kills the program. */
static int watch_until(int n, bool is_killed)
{
    enum bench_status status;
    int how = 0;

    support_remove(results);
    n_until_end = n;
    is_end_a_kill = is_killed;
    if (!is_killed) {
        status = watch_folder();
        how = status;
        assert_true(!status || status == BENCH_EIO);
        if (status)
            assert_says(results, "No space left on device");
    } else {
        const pid_t child = fork();

        if (child == 0)
            _exit((int)watch_folder());
        assert_int_equal(waitpid(child, &how, 0), child);
    }
    n_until_end = 0;
    return how;
}

/* Files are whole under their names, whatever the end and the file system.  A kill may leave a
 * temporary name, a failure leaves nothing. */
TEST(an_end_at_any_write)
{
    static const int n_named[] = {0, 2, 1, 2, 1, 2, 1, 1, 0, 0};
    const int fd = open(folder, O_TMPFILE | O_WRONLY, 0600); /* -1: there are no such files */

    close(fd);
    write_images(1);
    o.most = 3;
    o.sink.folder = results;
    for (int is_killed = 0; is_killed < 2; is_killed++)
        for (int has_names = fd < 0; has_names < 2; has_names++) {
            int how = 1, n_tables, n_others;

            has_unnamed_files = !has_names;
            for (int n = 1; how != 0; n++) {
                how = watch_until(n, is_killed);
                assert_in_range(n, 1, 9);
                assert_int_equal(how == 0, n == 9);
                count_results(&n_tables, &n_others);
                /* after a failure frames.csv has the rows so far */
                assert_int_equal(n_tables, how == 0 ? 4 : n / 2 + (!is_killed && n < 7));
                assert_int_equal(n_others, is_killed && has_names ? n_named[n] : 0);
            }
        }
    has_unnamed_files = true;
}

TEST(a_full_disk)
{
    write_images(1);
    o.most = 1;
    o.sink.folder = results;
    for (int has_names = 0; has_names < 2; has_names++) {
        enum bench_status status;
        int n_tables, n_others;

        has_unnamed_files = !has_names;
        support_room(0);
        status = watch_folder();
        support_room(RLIM_INFINITY);
        has_unnamed_files = true;
        assert_int_equal(status, BENCH_EIO);
        assert_says(results, strerror(EFBIG));
        assert_says(results, "/frames.csv: ");
        assert_int_equal(watched.tell.n, 0);
        count_results(&n_tables, &n_others);
        assert_int_equal(n_tables + n_others, 0);
    }
}

/* A terminal that nobody reads takes what fits, and holds nothing up; what is lost is said. */
TEST(a_terminal_that_nobody_reads)
{
    struct text text = {0};
    char lines[1 << 17];
    int n = 0;

    write_images(1);
    step_ns = S;
    o.most = 3000;
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    o.sink.line = ends[1];
    assert_int_equal(watch_folder(), BENCH_OK);
    assert_int_equal(watched.tell.n, 3000);
    for (ssize_t got; (got = read(ends[0], lines, sizeof lines)) > 0;)
        n += (int)got;
    assert_in_range(n, 60000, 65536);
    assert_int_equal(watched.tell.n_unsaid, 2999 - n / TELL_COLUMNS);
    tell_summary(&watched.tell, 0, &text);
    assert_non_null(
        strstr(text.data, "live lines are missing: the terminal did not take them"));
    text_free(&text);
    close(ends[0]);
    close(ends[1]);
}

TEST(a_stop_ends_it)
{
    write_images(1);
    stop = 1;
    assert_int_equal(watch_folder(), BENCH_EINTR);
    assert_int_equal(watched.tell.n, 0);
    stop = 0;
    n_looks = 6; /* of who reads a pipe, behind the header */
    assert_int_equal(watch_pipe(0, ""), BENCH_EINTR);
    assert_string_equal(bench_failure(), "interrupted: the results so far are whole");
}

/* Frames take no more than half of the memory, here 4 KiB; names of any length stay whole. */
TEST(folders_that_are_refused)
{
    static const struct {
        int n_images;
        const char *name; /* of one more, of so many px a side; "": none, 0: no image */
        int side, n_pages, most;
        const char *words; /* NULL: it is read */
    } cases[] = {
        {0, "", 0, 0, 0, "expected images (.png, .pgm, .pfm), found none"},
        {1, "9.png", 2, 0, 0, "9.png: expected 16 x 12 px as the first frame has, found 2 x 2"},
        {1, "9.png", 0, 0, 0, "/9.png: neither PNG"},
        {1, "9.png", 2, 0, 1, NULL},
        {9, "", 0, 1, 0,
         "more than 1.91e-06 GiB of frames, half of the memory; --count 2 takes"},
        {9, "", 0, 1, 2, NULL},
        {0, "0.png", 64, 1, 0, "half of the memory; the first one alone"},
        {0, "a234567890123456789012345678901234567890123456789012345678901234567890.png", 4, 0,
         0, NULL},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct feed *feed;

        (void)set_up(NULL);
        write_images(cases[i].n_images);
        if (cases[i].side == 0 && *cases[i].name)
            write_bytes(path_in(folder, cases[i].name), "x", 1);
        if (cases[i].side > 0)
            write_image(cases[i].name, cases[i].side, cases[i].side, 0);
        n_pages = cases[i].n_pages;
        assert_int_equal(feed_of_folder(&o.maker, folder, cases[i].most, &feed),
                         cases[i].words ? BENCH_EINPUT : BENCH_OK);
        n_pages = 0;
        assert_int_equal(feed == NULL, cases[i].words != NULL);
        if (cases[i].words)
            assert_says(strncmp(cases[i].words, "9.png", 5) ? folder : "9.png", cases[i].words);
        else if (cases[i].n_images == 0)
            assert_string_equal(feed_at(feed, 0)->name, cases[i].name);
        else
            assert_int_equal(feed_n(feed), cases[i].most);
        feed_close(feed);
    }
}

/* A chain's frames take the room of both problems' inputs, here 6 bytes a pixel, and have none
 * of the keys that resample them. */
TEST(pairs_of_a_folder)
{
    static const char *const sides[] = {"left", "right"};
    struct feed *feed;
    char name[32], ppm[600];

    choose("pair-rdp/serial");
    for (int side = 0; side < 2; side++) {
        assert_int_equal(text_make_folder(path_in(folder, sides[side])), BENCH_OK);
        for (int k = 0; k < 5; k++) { /* the last is low */
            const int rows = k == 4 ? 8 : 12;
            const int n = snprintf(ppm, sizeof ppm, "P6 16 %d 255\n%0*d", rows, 48 * rows, 7);

            snprintf(name, sizeof name, "%s/%d.ppm", sides[side], k);
            write_bytes(path_in(folder, name), ppm, (size_t)n);
        }
    }
    n_pages = 1;
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_EINPUT);
    n_pages = 0;
    assert_says(folder, "half of the memory; --count 1 takes");
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_EINPUT);
    assert_string_equal(bench_failure(),
                        "4.ppm: expected 16 x 12 px as the first frame has, found 16 x 8");
}

/* ---- awake ---- */

/* Frames that are the same again and again have the same results, of which the first two differ
 * in their number of rows: each is of its own frame. */
static void check_tables(int n, int n_images)
{
    OWNED(text_free) struct text zero = {0};
    OWNED(text_free) struct text one = {0};

    assert_int_equal(text_read_file(path_in(results, "0000000000.csv"), &zero), BENCH_OK);
    assert_int_equal(text_read_file(path_in(results, "0000000001.csv"), &one), BENCH_OK);
    assert_int_not_equal(n_of(zero.data, "\n"), n_of(one.data, "\n"));
    for (int k = n_images; k < n; k++) {
        OWNED(text_free) struct text first = {0};
        char name[2][32];

        snprintf(name[0], sizeof name[0], "%010d.csv", k % n_images);
        snprintf(name[1], sizeof name[1], "%010d.csv", k);
        assert_int_equal(text_read_file(path_in(results, name[0]), &first), BENCH_OK);
        assert_file(path_in(results, name[1]), first.data);
    }
}

/* A folder's frames are due by its rate: all but the first are waited for, and are in the
 * arrays then.  Where the last one runs again it has arrays of its own. */
TEST(awake_for_a_folder)
{
    write_images(3);
    o.rate = 10;
    o.most = 9;
    o.sink.folder = results;
    for (enum wake_how how = WAKE_NO; how <= WAKE_RERUN; how++) {
        support_remove(results);
        n_wakes = 0;
        o.wake = how;
        assert_int_equal(watch_folder(), BENCH_OK);
        assert_int_equal(n_runs, 1 + 9 + (how == WAKE_RERUN ? 1 + 8 : 0));
        assert_int_equal(n_wakes, how == WAKE_TOUCH ? 8 : 0);
        assert_int_equal(watched.tell.n_missed, 0);
        assert_int_equal(watched.n_filled_in, 8);
        check_tables(9, 3);
    }
}

/* A frame every 10 ms, and one 12 ms later than that; time stands still until it is begun. */
static int n_written;
static long long write_ns;

static void write_in_time(void)
{
    if (!pthread_equal(pthread_self(), main_thread) || step_ns == 0 || now_ns < write_ns)
        return;
    assert_int_equal(write(ends[1], stream + 16 + n_written % N_FRAMES * N_FRAME, N_FRAME),
                     N_FRAME);
    write_ns += n_written++ == 15 ? 22 * MS : 10 * MS;
    step_ns = 0;
}

static void go_on(int run)
{
    step_ns = 1000;
}

/* Frames behind the ninth are woken for, the late one twice: when it was due, and a period
 * later. */
TEST(awake_for_a_pipe)
{
    o.sink.folder = results;
    put_u32(stream + 16 + N_FRAME + 16 + 2 * WIDTH, 30000); /* in the second row */
    for (enum wake_how how = WAKE_NO; how <= WAKE_RERUN; how++) {
        support_remove(results);
        n_wakes = 0;
        n_written = 1;
        write_ns = now_ns + 10 * MS;
        at_look = write_in_time;
        before_run = go_on;
        o.wake = how;
        o.most = 20;
        assert_int_equal(watch_pipe(1, ""), BENCH_OK);
        assert_int_equal(n_runs, 1 + 20 + (how == WAKE_RERUN ? 1 + 12 : 0));
        assert_int_equal(n_wakes, how == WAKE_TOUCH ? 12 : 0);
        assert_int_equal(watched.n_filled_in, 19);
        check_tables(20, N_FRAMES);
    }
}

/* ---- several frames in work ---- */

/* Slots of a card whose work is done when it was asked for the ninth time. */
static int n_marked[2], n_asked[BENCH_MAX_IN_FLIGHT], n_in_work, most_in_work;

WRAPPED(enum bench_status, bench_device_take_slots, struct bench_device *device, int n)
{
    return n <= BENCH_MAX_IN_FLIGHT ? BENCH_OK : BENCH_FAIL(BENCH_EINPUT, "too many");
}

WRAPPED(struct CUstream_st *, bench_device_slot_stream, const struct bench_device *device,
        int slot)
{
    return NULL;
}

WRAPPED(enum bench_status, bench_device_slot_mark, struct bench_device *device, int slot,
        bool is_end)
{
    n_marked[is_end]++;
    n_asked[slot] = 0;
    n_in_work += is_end;
    most_in_work = n_in_work > most_in_work ? n_in_work : most_in_work;
    return BENCH_OK;
}

WRAPPED(enum bench_status, bench_device_slot_done, struct bench_device *device, int slot,
        bool *is, double *ms)
{
    *ms = 0;
    *is = ++n_asked[slot] > 8;
    n_in_work -= *is;
    return BENCH_OK;
}

/* Defined by the emulator alone. */
int emulated_device(void);
#pragma weak emulated_device

/* Each frame keeps its own arrays: three in work have the tables of one after the other. */
TEST(frames_in_flight)
{
    char name[32], gpu[1100];

    if (!emulated_device)
        skip();
    write_images(3);
    snprintf(gpu, sizeof gpu, "%s-gpu", results);
    support_remove(gpu);
    for (int is_gpu = 0; is_gpu < 2; is_gpu++) {
        choose(is_gpu ? "rdp/gpu-opt" : "rdp/serial");
        o.most = 8;
        o.in_flight = is_gpu ? 3 : 1;
        o.sink.folder = is_gpu ? gpu : results;
        assert_int_equal(watch_folder(), BENCH_OK);
        assert_int_equal(watched.tell.n, 8);
        assert_int_equal(n_runs, 8 + o.in_flight); /* one unseen in each context */
    }
    assert_int_equal(most_in_work, 3);
    assert_int_equal(n_in_work, 0);
    assert_true(n_marked[0] == 8 && n_marked[1] == 8);
    for (int k = 0; k < 8; k++) {
        OWNED(text_free) struct text text = {0};

        snprintf(name, sizeof name, "%010d.csv", k);
        assert_int_equal(text_read_file(path_in(results, name), &text), BENCH_OK);
        assert_file(path_in(gpu, name), text.data);
    }
}

/* Behind a set-up that fails all is freed, and the first failure is told. */
TEST(the_first_failure_is_told)
{
    if (!emulated_device)
        skip();
    write_images(1);
    choose("rdp/gpu-paper");
    assert_int_equal(bench_params_set(&params, bench_find_key(o.impl->problem->keys, "height"),
                                      "1100", "test"),
                     BENCH_OK);
    assert_int_equal(watch_folder(), BENCH_ESKIP);
    assert_non_null(strstr(bench_failure(), "1024"));
}

/* ---- a pipe, and a variant that takes its frames ---- */

static atomic_bool is_filling;

static void fill_slowly(void *self, const struct feed_frame *frame)
{
    is_filling = true;
    while (is_filling)
        sched_yield();
}

/* A frame behind waiting ones arrives when it is read, not when it has a place. */
TEST(a_frame_without_a_place)
{
    const struct feed_frame *frame;
    long long later_ns;
    struct feed *feed;
    bool is_over;
    int n;

    open_pipe(FEED_AHEAD + 2, "");
    assert_int_equal(feed_of_pipe(&o.maker, &file, "test", &feed), BENCH_OK);
    assert_int_equal(feed_first(feed, &frame), BENCH_OK);
    feed_go(feed);
    while (n_left(ends[0]) != N_FRAME || n_waiting == 0)
        sched_yield();
    pass_time(100 * S);
    later_ns = tell_time(NULL);
    for (int k = 0; k < FEED_AHEAD + 2; k++) {
        while (!(frame = feed_take(feed, &is_over)))
            sched_yield();
        assert_int_equal(frame->arrived_ns < later_ns, k <= FEED_AHEAD);
        if (k <= FEED_AHEAD)
            assert_int_equal(frame->has_waited, k == FEED_AHEAD);
        feed_release(feed, frame);
    }

    /* whoever asks for a frame that is to come does not keep the reader from its mutex */
    assert_true(feed_offer(feed, fill_slowly, NULL));
    assert_int_equal(write(ends[1], stream + 16, N_FRAME), N_FRAME);
    while (!is_filling)
        sched_yield();
    n = n_locks;
    for (int k = 0; k < 100; k++) {
        assert_null(feed_take(feed, &is_over));
        assert_false(feed_offer(feed, fill_slowly, NULL));
    }
    assert_int_equal(n_locks, n);
    assert_false(is_over);
    is_filling = false;
    feed_close(feed);
    close(ends[0]);
    close(ends[1]);
}

/* The set-up takes 100 s, and in its first run the reader rests or has read too much. */
static void take_time(int run)
{
    if (run > 0)
        return;
    while (n_waiting == 0 && n_left(ends[0]) == 2 * N_FRAME)
        sched_yield();
    assert_int_equal(n_left(ends[0]), 2 * N_FRAME);
    pass_time(100 * S);
}

TEST(set_up_is_in_no_latency)
{
    before_run = take_time;
    o.most = 3;
    assert_int_equal(watch_pipe(3, ""), BENCH_OK);
    assert_int_equal(watched.tell.n, 3);
    assert_int_equal(n_runs, 4); /* one unseen */
    assert_true(watched.tell.longest_ms < 50e3);
}

/* The first frame is in work until the reader has one without a place. */
static void take_long(int run)
{
    while (run == 1 && (n_left(ends[0]) > 0 || n_waiting < 2)) /* with the sink's thread */
        sched_yield();
}

TEST(what_is_counted)
{
    static const struct {
        const char *coding;
        uint32_t scale;
        size_t n_clamped, n_kept;
        const char *words;
    } cases[] = {
        {NULL, 12, 3 + 6, 11 + 8, NULL},
        {NULL, 1, 0, 0,
         "test, frame 0, byte 32: most values are lost, expected less than half: 13 of 15"},
        {"sgm16", 16, 2, 13 + 12, NULL},
        {"sgm16", 256, 0, 0, "the coding sgm16 has 16 values per px, found 256"},
        {"zed", 1, 0, 0, "the coding zed has floats"},
        {"sgm", 16, 0, 0, "did you mean 'sgm16'?"},
    };
    static struct bench_given given = {"coding", NULL};

    before_run = take_long;
    o.most = FEED_AHEAD + 2;
    assert_int_equal(watch_pipe(FEED_AHEAD + 2, ""), BENCH_OK);
    assert_true(watched.n_held == 1 || watched.n_held == 2);
    assert_int_equal(watched.values.n_clamped, 0);

    /* --coding; values per px: of the 14 that each frame measures, 3 and 6 are too large at 12,
     * most at 1; pixel 0 is below zero in 16 bits */
    before_run = NULL;
    o.most = N_FRAMES;
    o.maker.given = &given;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        given.value = cases[i].coding;
        o.maker.n_given = cases[i].coding != NULL;
        make_stream();
        put_u32(stream + 12, cases[i].scale);
        if (cases[i].coding)
            stream[33] = 0xFF;
        watched = (struct watched){.n_held = 0};
        assert_int_equal(watch_pipe(N_FRAMES, ""), cases[i].words ? BENCH_EINPUT : BENCH_OK);
        if (cases[i].words)
            assert_says("", cases[i].words);
        assert_int_equal(watched.values.n_clamped, cases[i].n_clamped);
        assert_int_equal(watched.values.n_kept, cases[i].n_kept);
    }
}

/* The last frame is in work until the reader is over; of the threads the sink's came since. */
static void await_the_end(int run)
{
    static int n_before;

    if (run == 0)
        n_before = n_threads();
    while (run == N_FRAMES && n_threads() > n_before)
        sched_yield();
}

/* Frames that came before the stream went wrong have their results; what lies behind the last
 * wanted one does not matter, even if it was read. */
TEST(a_pipe_that_is_cut)
{
    static const struct {
        const char *more;
        int most;
        void (*before_run)(int run);
        int n;
    } cases[] = {
        {"FRAX", 0, NULL, N_FRAMES},
        {"FRAX", N_FRAMES, await_the_end, N_FRAMES},
        {"", 1, NULL, 1}, /* a writer that stays is left alone */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        before_run = cases[i].before_run;
        o.most = cases[i].most;
        assert_int_equal(watch_pipe(N_FRAMES, cases[i].more), i ? BENCH_OK : BENCH_EINPUT);
        if (i == 0)
            assert_says("test, frame 2, byte 108: ", "expected \"FRAM\", found \"FRAX\"");
        assert_int_equal(watched.tell.n, cases[i].n);
        assert_int_equal(watched.width, WIDTH);
    }
}

int main(void)
{
    main_thread = pthread_self();
    return run_all_tests(NULL, NULL);
}

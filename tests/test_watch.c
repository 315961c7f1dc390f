/*
 * test_watch.c - frames from a pipe, whole, cut at each byte and with each byte of their headers changed;
 *                what is said of frames; a variant over frames on a clock of the test's own
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
#include <sys/resource.h>
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

static void make_stream(uint8_t *bytes)
{
    memset(bytes, 0, N_STREAM);
    memcpy(bytes, "DBF1", 4);
    put_u32(bytes + 4, WIDTH);
    put_u32(bytes + 8, HEIGHT);
    put_u32(bytes + 12, 256);
    for (int k = 0; k < N_FRAMES; k++) {
        uint8_t *const frame = bytes + 16 + k * N_FRAME;

        memcpy(frame, "FRAM", 4);
        put_u32(frame + 4, N_PLANE);
        put_u32(frame + 8, 77 + (uint32_t)k);
        put_u32(frame + 12, 1);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            frame[16 + 2 * i] = (uint8_t)value_of(k, i);
            frame[17 + 2 * i] = (uint8_t)(value_of(k, i) >> 8);
        }
    }
}

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
    enum bench_status status = pipe_open(&source, &pipe);

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
    uint8_t bytes[N_STREAM];
    struct memory memory = {.bytes = bytes, .n = N_STREAM};
    const struct pipe_source source = {read_memory, &memory, "test"};
    struct pipe pipe;
    struct plane plane;
    uint64_t time_ns;
    bool is_end;
    int n;

    make_stream(bytes);
    assert_int_equal(read_stream(&memory, &n), BENCH_OK);
    assert_int_equal(n, N_FRAMES);
    assert_true(memory.last_may_wait);

    memory.at = 0;
    put_u32(bytes + 12, 128); /* values per px */
    assert_int_equal(pipe_open(&source, &pipe), BENCH_OK);
    assert_int_equal(pipe_next(&pipe, &plane, &time_ns, &is_end), BENCH_OK);
    assert_string_equal(plane.name, "frame-0");
    assert_true(time_ns == (UINT64_C(1) << 32) + 77);
    assert_int_equal(plane.disparity[3], 2 * value_of(0, 3));
    assert_int_equal(plane.disparity[4], DISPARITY_INVALID);
    assert_int_equal(plane.disparity[0], 0); /* a value as any other */
    plane_free(&plane);
    pipe_close(&pipe);
}

/* At the end of a frame a stream may end; anywhere else it says where it did. */
TEST(every_cut)
{
    uint8_t bytes[N_STREAM];
    char begin[64];
    int n;

    make_stream(bytes);
    for (size_t cut = 0; cut < N_STREAM; cut++) {
        struct memory memory = {.bytes = exact_copy(bytes, cut), .n = cut};
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
    uint8_t bytes[N_STREAM];

    for (int at = 0; at < N_STREAM; at++)
        for (int bit = 0; bit < 8; bit++) {
            const int in_frame = at < 16 ? -1 : (at - 16) % N_FRAME;
            const bool is_time = in_frame >= 8 && in_frame < 16;
            const int frame = at < 16 ? 0 : (at - 16) / N_FRAME;
            struct memory memory = {.bytes = bytes, .n = N_STREAM};
            bool is_fine;
            int n;

            if (in_frame >= 16)
                continue;
            make_stream(bytes);
            bytes[at] ^= (uint8_t)(1 << bit);
            is_fine = is_time || at == 12 || (at == 13 && bit > 0);
            assert_int_equal(read_stream(&memory, &n), is_fine ? BENCH_OK : BENCH_EINPUT);
            assert_int_equal(n, is_fine ? N_FRAMES : frame);
            if (!is_fine)
                assert_says("test", "expected");
        }
}

static void assert_refused(uint8_t *bytes, size_t n, const char *begin, const char *words)
{
    struct memory memory = {.bytes = bytes, .n = n};
    int n_frames;

    assert_int_equal(read_stream(&memory, &n_frames), BENCH_EINPUT);
    assert_says(begin, words);
}

TEST(what_is_no_stream)
{
    uint8_t bytes[N_STREAM];
    uint8_t *const second = bytes + 16 + N_FRAME;

    make_stream(bytes);
    put_u32(bytes + 4, INPUTS_MAX_SIDE + 1);
    assert_refused(bytes, N_STREAM, "test, byte 4: ", "1 to 32768 px, found 32769 x 3");
    put_u32(bytes + 4, 0xffffffff);
    assert_refused(bytes, N_STREAM, "test, byte 4: ", "4294967295 x 3");
    make_stream(bytes);
    put_u32(bytes + 8, INPUTS_MAX_SIDE + 1);
    assert_refused(bytes, N_STREAM, "test, byte 4: ", "found 5 x 32769");
    make_stream(bytes);
    put_u32(bytes + 12, 0);
    assert_refused(bytes, N_STREAM, "test, byte 12: ", "expected 1 to 65535 values");
    make_stream(bytes);
    put_u32(second + 4, 0xfffffffe);
    assert_refused(bytes, N_STREAM, "test, frame 1, byte 66: ", "30 bytes (5 x 3 px)");
    make_stream(bytes);
    memcpy(second, "DBF1", 4);
    assert_refused(bytes, N_STREAM, "test, frame 1, byte 62: ", "size of frames cannot change");
    memcpy(second, "\1\2\n\xff", 4);
    assert_refused(bytes, N_STREAM, "test, frame 1, byte 62: ", "found 01 02 0a ff");
    memset(bytes, 'x', sizeof bytes);
    assert_refused(bytes, N_STREAM, "test, byte 0: ", "expected \"DBF1\", found \"xxxx\"");
}

/* The half sentence of the source gets its place, other failures stay as they are. */
TEST(a_source_that_fails)
{
    uint8_t bytes[N_STREAM];
    struct memory memory = {.bytes = bytes, .n = 16 + N_FRAME + 7, .fails = BENCH_EINPUT};
    int n;

    make_stream(bytes);
    assert_int_equal(read_stream(&memory, &n), BENCH_EINPUT);
    assert_string_equal(bench_failure(), "test, frame 1, byte 69: nothing came");
    memory.at = 0;
    memory.fails = BENCH_EINTR;
    assert_int_equal(read_stream(&memory, &n), BENCH_EINTR);
}

/* ---- a file descriptor ---- */

static long long now_ns, step_ns;
static volatile sig_atomic_t stop;
static int n_looks; /* at the clock, until the user stops; 0: does not */

static long long tell_time(void *self)
{
    (void)self;
    if (n_looks > 0 && --n_looks == 0)
        stop = 1;
    return __atomic_add_fetch(&now_ns, step_ns, __ATOMIC_RELAXED);
}

static void wait_until(void *self, long long ns)
{
    (void)self;
    if (now_ns < ns)
        now_ns = ns;
}

static const struct arrivals_clock clock_of_test = {tell_time, wait_until, NULL};

/* A writer that says nothing may do so before a frame, not within one. */
TEST(a_silent_writer)
{
    struct feed_file file = {.stop = &stop, .clock = &clock_of_test, .limit_ns = 10 * S};
    char bytes[8];
    size_t n;
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    file.fd = ends[0];
    step_ns = 6 * S;
    n_looks = 6;
    assert_int_equal(feed_read_file(&file, bytes, 8, true, &n), BENCH_EINTR);
    stop = 0;
    n_looks = 6;
    assert_int_equal(write(ends[1], "abc", 3), 3);
    assert_int_equal(feed_read_file(&file, bytes, 8, false, &n), BENCH_EINPUT);
    assert_int_equal(n, 3);
    assert_string_equal(bench_failure(), "nothing came for 10 s within a frame");
    n_looks = 0;
    assert_int_equal(write(ends[1], "defg", 4), 4);
    assert_int_equal(feed_read_file(&file, bytes, 4, true, &n), BENCH_OK);
    assert_memory_equal(bytes, "defg", 4);
    stop = 1;
    assert_int_equal(feed_read_file(&file, bytes, 4, true, &n), BENCH_EINTR);
    stop = 0;
    file.is_closing = true;
    assert_int_equal(feed_read_file(&file, bytes, 4, true, &n), BENCH_EINTR);
    file.is_closing = false;
    assert_int_equal(write(ends[1], "h", 1), 1);
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(feed_read_file(&file, bytes, 4, false, &n), BENCH_OK);
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
    struct text text = {0};
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
    text_free(&text);
}

/* The last TELL_LAST results alone are in the percentiles, and all of them in the rest; n: at each
 * the percentile of one in n / 10 appears. */
TEST(what_is_told_of_many)
{
    static const struct {
        int n;
        const char *says;
    } cases[] = {
        {9, "median 5, p90 -, p99 -, p99.9 -; longest of all 9\n-: fewer than ten"},
        {99, "median 50, p90 -, p99 -, p99.9 -; longest of all 99\n-: fewer than ten"},
        {100, "median 50.5, p90 90.1, p99 -, p99.9 -; longest of all 100\n-: fewer than ten"},
        {999, "median 500, p90 899, p99 -, p99.9 -; longest of all 999\n-: fewer than ten"},
        {1000, "median 500, p90 900, p99 990, p99.9 -; longest of all 1000\n-: fewer"},
        {9999, "p99.9 -; longest of all 9999\n-: fewer than ten"},
        {10000, "p99.9 9990; longest of all 10000\n"},
        {TELL_LAST, "in ms: median 10000, p90 18000, p99 19800, p99.9 19980; longest"},
        {TELL_LAST + 15000, "in ms of the last 20000: median 25000, p90 33000, p99 34800"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text = {0};

        memset(&told, 0, sizeof told);
        for (int k = 1; k <= cases[i].n; k++)
            add(k * S, k * MS, k % 2);
        tell_summary(&told, 0, &text);
        if (!strstr(text.data, cases[i].says))
            fail_msg("%d: '%s' is not in '%s'", cases[i].n, cases[i].says, text.data);
        assert_int_equal(told.n_missed, (cases[i].n + 1) / 2);
        assert_int_equal(told.first_done_ns, S + MS);
        assert_true(told.last_done_ns == cases[i].n * (S + MS));
        text_free(&text);
    }
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

static struct bench_params params;
static char folder[1024];

static void write_images(int n)
{
    uint16_t values[16 * 12];

    snprintf(folder, sizeof folder, "%s", scratch("frames"));
    assert_int_equal(text_make_folder(folder), BENCH_OK);
    for (int k = 0; k < n; k++) {
        char path[1100];

        for (int i = 0; i < 16 * 12; i++)
            values[i] = (uint16_t)(1 + (i * i * (k + 3)) % 9000);
        snprintf(path, sizeof path, "%s/%d.png", folder, k);
        assert_int_equal(image_write_u16(path, values, 16, 12), BENCH_OK);
    }
}

static struct watch_options options_of(const char *variant)
{
    struct watch_options o = {.impl = bench_find_impl(variant),
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
    return o;
}

static char *in_folder(const char *name)
{
    static char path[1100];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Seven frames of three images, ten a second, by a clock that only runs when it is looked at: no
 * frame is late, and none is lost. */
TEST(a_folder_again_and_again)
{
    struct watch_options o = options_of("rdp/serial");
    struct watched watched;
    struct feed *feed;
    struct text text = {0};
    int n_lines = 0;

    write_images(3);
    step_ns = 1000;
    now_ns = 5 * S;
    o.rate = 10;
    o.most = 7;
    o.sink.folder = strcat(strcpy((char[1100]){0}, folder), "-out");
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_OK);
    assert_int_equal(feed_n(feed), 3);
    assert_int_equal(watch_run(&o, feed, &watched), BENCH_OK);
    feed_close(feed);
    assert_int_equal(watched.width, 16);
    assert_int_equal(watched.height, 12);
    assert_int_equal(watched.tell.n, 7);
    assert_int_equal(watched.tell.n_missed, 0);
    assert_true(watched.tell.last_done_ns - watched.tell.first_done_ns > 600 * MS - 99000);
    assert_true(watched.tell.last_done_ns - watched.tell.first_done_ns < 600 * MS + 99000);

    strcat(folder, "-out");
    assert_int_equal(text_read_file(in_folder("frames.csv"), &text), BENCH_OK);
    for (const char *at = text.data; (at = strchr(at, '\n')) != NULL; at++)
        n_lines++;
    assert_int_equal(n_lines, 8);
    assert_non_null(strstr(text.data, "\n4,\"1.png\",0,54"));
    text_free(&text);
    assert_int_equal(text_read_file(in_folder("0000000001.csv"), &text), BENCH_OK);
    assert_file(in_folder("0000000004.csv"), text.data);
    text_free(&text);
    assert_int_equal(unlink(in_folder("frames.csv")), 0); /* as of a program that was killed */

    /* and a folder with results is no place for others */
    folder[strlen(folder) - 4] = '\0';
    assert_int_equal(feed_of_folder(&o.maker, folder, 2, &feed), BENCH_OK);
    assert_int_equal(feed_n(feed), 2);
    assert_int_equal(watch_run(&o, feed, &watched), BENCH_EINPUT);
    assert_says(folder, "-out/0000000000.csv is there: expected a folder without results");
    feed_close(feed);
}

/* Times of their own for each column. */
TEST(each_column_of_each_row)
{
    static const struct arrivals_frame seen[] = {
        {0, 0, 1000000001, 1000700000, 1003500001, false, false},
        {1, 0, 2000000000, 0, 0, false, true},
        {2, 1, 3000000000, 3000000007, 3250000000, true, false},
    };
    struct watch_options o = options_of("rdp/serial");
    struct sink *sink;
    struct sink_job *job;
    struct feed *feed;
    struct tell tell;
    long long n_waits;

    write_images(1);
    o.sink.folder = strcat(strcpy((char[1100]){0}, folder), "-rows");
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_OK);
    assert_int_equal(sink_open(&o.sink, feed, feed_at(feed, 0), &sink), BENCH_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sink_take(sink, &job), BENCH_OK);
        job->frame = seen[i];
        job->from = feed_at(feed, 0);
        memset(((struct rdp_output *)job->output)->kept, 255, 4); /* of the first column */
        sink_put(sink);
    }
    assert_int_equal(sink_close(sink, &tell, &n_waits), BENCH_OK);
    feed_close(feed);
    assert_true(tell.n == 2 && tell.n_dropped == 1 && tell.n_missed == 1);
    strcat(folder, "-rows");
    assert_file(in_folder("frames.csv"),
                "frame,name,time_ns,arrived_ns,begun_ns,latency_ms,missed,dropped\n"
                "0,\"0.png\",0,1000000001,1000700000,3.5,0,0\n"
                "1,\"0.png\",0,2000000000,,,0,1\n"
                "2,\"0.png\",0,3000000000,3000000007,250,1,0\n");
}

/* A kill before any write is kept leaves whole tables, and nothing else. */
TEST(a_kill_leaves_no_file)
{
    struct watch_options o = options_of("rdp/serial");
    struct watched watched;
    struct feed *feed;
    int how = 1, n, fd;

    write_images(1);
    fd = open(folder, O_TMPFILE | O_WRONLY, 0600);
    if (fd < 0)
        skip(); /* the file system has no files without a name */
    close(fd);
    step_ns = 1000;
    o.most = 3;
    for (n = 1; how != 0; n++) {
        int n_left = -2; /* without . and .. */
        pid_t child;
        DIR *left;

        o.sink.folder = scratch("killed");
        support_remove(o.sink.folder);
        child = fork();
        n_until_killed = n;
        if (child == 0)
            _exit(feed_of_folder(&o.maker, folder, 0, &feed) || watch_run(&o, feed, &watched));
        n_until_killed = 0;
        assert_int_equal(waitpid(child, &how, 0), child);
        left = opendir(o.sink.folder);
        assert_non_null(left);
        while (readdir(left))
            n_left++;
        closedir(left);
        assert_int_equal(n_left, how ? n / 2 : 4);
    }
    assert_int_equal(n, 10); /* two a file: it and its folder */
}

/* One frame into a folder where nothing can be written, or where frames.csv cannot be kept. */
TEST(a_full_disk)
{
    struct watch_options o = options_of("rdp/serial");
    struct rlimit usual;
    struct watched watched;
    struct feed *feed;
    enum bench_status status;

    write_images(1);
    step_ns = 1000;
    o.sink.folder = strcat(strcpy((char[1100]){0}, folder), "-full");
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_OK);
    o.most = 1;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, usual.rlim_max}), 0);
    status = watch_run(&o, feed, &watched);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    assert_int_equal(status, BENCH_EIO);
    assert_says(o.sink.folder, strerror(EFBIG));
    assert_says(o.sink.folder, "/frames.csv: ");
    assert_int_equal(watched.tell.n, 0);

    has_no_room = true;
    status = watch_run(&o, feed, &watched);
    has_no_room = false;
    assert_int_equal(status, BENCH_EIO);
    assert_says(o.sink.folder, "/frames.csv: cannot be written: No space left on device");
    assert_int_equal(watched.tell.n, 1);
    feed_close(feed);
}

/* A terminal that nobody reads takes what fits, and holds nothing up; what is lost is said. */
TEST(a_terminal_that_nobody_reads)
{
    struct watch_options o = options_of("rdp/serial");
    struct watched watched;
    struct feed *feed;
    struct text text = {0};
    char lines[1 << 17];
    int ends[2], n = 0;

    write_images(1);
    step_ns = S;
    o.most = 3000;
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    o.sink.line = ends[1];
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_OK);
    assert_int_equal(watch_run(&o, feed, &watched), BENCH_OK);
    assert_int_equal(watched.tell.n, 3000);
    for (ssize_t got; (got = read(ends[0], lines, sizeof lines)) > 0;)
        n += (int)got;
    assert_in_range(n, 60000, 65536);
    assert_int_equal(watched.tell.n_unsaid, 2999 - n / TELL_COLUMNS);
    tell_summary(&watched.tell, 0, &text);
    assert_non_null(
        strstr(text.data, "live lines are missing: the terminal did not take them"));
    text_free(&text);
    feed_close(feed);
    close(ends[0]);
    close(ends[1]);
}

/* A clock of 40 ms a look, and 10 frames a second: looks alone make each late. */
TEST(misses_and_drops)
{
    struct watch_options o = options_of("rdp/cpu-simd");
    struct watched watched;
    struct feed *feed;

    write_images(2);
    step_ns = 40 * MS;
    o.rate = 10;
    o.most = 20;
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_OK);
    assert_int_equal(watch_run(&o, feed, &watched), BENCH_OK);
    assert_int_equal(watched.tell.n, 20);
    assert_true(watched.tell.n_missed > 15);
    o.drops = true;
    assert_int_equal(watch_run(&o, feed, &watched), BENCH_OK);
    assert_int_equal(watched.tell.n + watched.tell.n_dropped, 20);
    assert_true(watched.tell.n_dropped > 5);
    feed_close(feed);
}

TEST(a_stop_ends_it)
{
    struct watch_options o = options_of("rdp/serial");
    struct watched watched;
    struct feed *feed;

    write_images(1);
    step_ns = 1000;
    stop = 1;
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_OK);
    assert_int_equal(watch_run(&o, feed, &watched), BENCH_EINTR);
    stop = 0;
    assert_int_equal(watched.tell.n, 0);
    feed_close(feed);
}

TEST(folders_that_are_refused)
{
    struct watch_options o = options_of("rdp/serial");
    uint16_t values[4] = {1, 2, 3, 4};
    struct feed *feed;

    write_images(1);
    assert_int_equal(image_write_u16(in_folder("9.png"), values, 2, 2), BENCH_OK);
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_EINPUT);
    assert_says("9.png: expected 16 x 12 px as the first frame has", "found 2 x 2");
    assert_null(feed);
    assert_int_equal(feed_of_folder(&o.maker, folder, 1, &feed), BENCH_OK);
    feed_close(feed);
    for (int k = 0; k < 10; k++)
        unlink(in_folder((char[]){(char)('0' + k), '.', 'p', 'n', 'g', '\0'}));
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_EINPUT);
    assert_says(folder, "expected images (.png, .pgm, .pfm), found none");
}

/* Frames take no more than half of the memory, here of 4 KiB; names of any length stay whole. */
TEST(large_folders_and_long_names)
{
    struct watch_options o = options_of("rdp/serial");
    static uint16_t values[64 * 64];
    char name[128];
    struct feed *feed;

    n_pages = 1;
    write_images(9);
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_EINPUT);
    assert_says(folder,
                "more than 1.91e-06 GiB of frames, half of the memory; --count 2 takes");
    assert_int_equal(feed_of_folder(&o.maker, folder, 2, &feed), BENCH_OK);
    feed_close(feed);
    assert_int_equal(image_write_u16(in_folder("0.png"), values, 64, 64), BENCH_OK);
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_EINPUT);
    assert_says(folder, "half of the memory; the first one alone");
    n_pages = 0;

    for (int k = 0; k < 9; k++)
        unlink(in_folder((char[]){(char)('0' + k), '.', 'p', 'n', 'g', '\0'}));
    for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "%0100d.png", k);
        assert_int_equal(image_write_u16(in_folder(name), values, 4, 4), BENCH_OK);
    }
    assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_OK);
    assert_string_equal(feed_at(feed, 1)->name, name);
    feed_close(feed);
    for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "%0100d.png", k);
        unlink(in_folder(name));
    }
}

/* ---- several frames in work ---- */

/* Slots of a card whose work is done when it was asked for the ninth time. */
static int n_marked[2], n_asked[BENCH_MAX_IN_FLIGHT], n_in_work, most_in_work;

enum bench_status __wrap_bench_device_take_slots(struct bench_device *device, int n);
struct CUstream_st *__wrap_bench_device_slot_stream(const struct bench_device *device,
                                                    int slot);
enum bench_status __wrap_bench_device_slot_mark(struct bench_device *device, int slot,
                                                bool is_end);
enum bench_status __wrap_bench_device_slot_done(struct bench_device *device, int slot, bool *is,
                                                double *ms);

enum bench_status __wrap_bench_device_take_slots(struct bench_device *device, int n)
{
    return n <= BENCH_MAX_IN_FLIGHT ? BENCH_OK : BENCH_FAIL(BENCH_EINPUT, "too many");
}

struct CUstream_st *__wrap_bench_device_slot_stream(const struct bench_device *device, int slot)
{
    return NULL;
}

enum bench_status __wrap_bench_device_slot_mark(struct bench_device *device, int slot,
                                                bool is_end)
{
    n_marked[is_end]++;
    n_asked[slot] = 0;
    n_in_work += is_end;
    most_in_work = n_in_work > most_in_work ? n_in_work : most_in_work;
    return BENCH_OK;
}

enum bench_status __wrap_bench_device_slot_done(struct bench_device *device, int slot, bool *is,
                                                double *ms)
{
    *ms = 0;
    *is = ++n_asked[slot] > 8;
    n_in_work -= *is;
    return BENCH_OK;
}

/* Of the emulator alone. */
int emulated_device(void);
#pragma weak emulated_device

/* Each frame keeps its own arrays: three in work have the tables that one after the other has. */
TEST(frames_in_flight)
{
    char serial[1100], gpu[1100];
    struct text text = {0};

    if (!emulated_device)
        skip();
    write_images(3);
    snprintf(serial, sizeof serial, "%s-serial", folder);
    snprintf(gpu, sizeof gpu, "%s-gpu", folder);
    step_ns = 1000;
    for (int is_gpu = 0; is_gpu < 2; is_gpu++) {
        struct watch_options o = options_of(is_gpu ? "rdp/gpu-opt" : "rdp/serial");
        struct watched watched;
        struct feed *feed;

        o.most = 8;
        o.in_flight = is_gpu ? 3 : 1;
        o.sink.folder = is_gpu ? gpu : serial;
        n_runs = 0;
        assert_int_equal(feed_of_folder(&o.maker, folder, 0, &feed), BENCH_OK);
        assert_int_equal(watch_run(&o, feed, &watched), BENCH_OK);
        assert_int_equal(watched.tell.n, 8);
        assert_int_equal(n_runs, 8 + o.in_flight); /* one unseen in each context */
        feed_close(feed);
    }
    assert_int_equal(most_in_work, 3);
    assert_int_equal(n_in_work, 0);
    assert_true(n_marked[0] == 8 && n_marked[1] == 8);
    for (int k = 0; k < 8; k++) {
        char name[32];

        snprintf(name, sizeof name, "%010d.csv", k);
        strcpy(folder, serial);
        assert_int_equal(text_read_file(in_folder(name), &text), BENCH_OK);
        strcpy(folder, gpu);
        assert_file(in_folder(name), text.data);
        text_free(&text);
    }
}

/* ---- a pipe, and a variant that takes its frames ---- */

static int frames_at; /* where the feed reads */

/* The pipe of a feed_file, with a header and n times the first frame in it; ends[1] takes more. */
static struct feed_file pipe_of(int n, int ends[2])
{
    uint8_t bytes[N_STREAM];

    make_stream(bytes);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes, 16), 16);
    for (int k = 0; k < n; k++)
        assert_int_equal(write(ends[1], bytes + 16, N_FRAME), N_FRAME);
    frames_at = ends[0];
    n_runs = 0;
    step_ns = 1000;
    return (struct feed_file){
        .fd = ends[0], .stop = &stop, .clock = &clock_of_test, .limit_ns = 10 * S};
}

static void close_pipe(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
    before_run = NULL;
}

static void pass_time(long long ns)
{
    __atomic_add_fetch(&now_ns, ns, __ATOMIC_RELAXED);
}

/* The frame behind those that wait for their turn arrives when it is read, not when it has a place. */
TEST(a_frame_without_a_place)
{
    const struct feed_frame *frame;
    struct watch_options o = options_of("rdp/serial");
    int ends[2];
    struct feed_file file = pipe_of(FEED_AHEAD + 2, ends);
    long long later_ns;
    struct feed *feed;
    bool is_over;
    int n;

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
    n = n_locks;
    for (int k = 0; k < 100; k++)
        assert_null(feed_take(feed, &is_over));
    assert_int_equal(n_locks, n);
    assert_false(is_over);
    feed_close(feed);
    close_pipe(ends);
}

/* The set-up takes 100 s, and in its first run the reader rests or has read too much. */
static void take_time(int run)
{
    if (run > 0)
        return;
    while (n_waiting == 0 && n_left(frames_at) == 2 * N_FRAME)
        sched_yield();
    assert_int_equal(n_left(frames_at), 2 * N_FRAME);
    pass_time(100 * S);
}

TEST(set_up_is_in_no_latency)
{
    struct watch_options o = options_of("rdp/serial");
    int ends[2];
    struct feed_file file = pipe_of(3, ends);
    struct watched watched;
    struct feed *feed;

    before_run = take_time;
    o.most = 3;
    assert_int_equal(feed_of_pipe(&o.maker, &file, "test", &feed), BENCH_OK);
    assert_int_equal(watch_run(&o, feed, &watched), BENCH_OK);
    assert_int_equal(watched.tell.n, 3);
    assert_int_equal(n_runs, 4); /* one unseen */
    assert_true(watched.tell.longest_ms < 50e3);
    feed_close(feed);
    close_pipe(ends);
}

/* The first frame is in work until the reader has one without a place. */
static void take_long(int run)
{
    while (run == 1 && (n_left(frames_at) > 0 || n_waiting < 2)) /* with the sink's thread */
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
    struct bench_given given = {"coding", NULL};
    struct watch_options o = options_of("rdp/serial");
    int ends[2];
    struct feed_file file = pipe_of(FEED_AHEAD + 2, ends);
    uint8_t bytes[N_STREAM];
    struct watched watched;
    struct feed *feed;

    before_run = take_long;
    o.most = FEED_AHEAD + 2;
    assert_int_equal(feed_of_pipe(&o.maker, &file, "test", &feed), BENCH_OK);
    assert_int_equal(watch_run(&o, feed, &watched), BENCH_OK);
    assert_true(watched.n_held == 1 || watched.n_held == 2);
    assert_int_equal(watched.values.n_clamped, 0);
    feed_close(feed);
    close_pipe(ends);

    /* --coding; values per px: of the 14 that each frame measures 3 and 6 are too large at 12, most
     * at 1; pixel 0 is below zero in 16 bits */
    o.most = N_FRAMES;
    o.maker.given = &given;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        file = pipe_of(0, ends);
        given.value = cases[i].coding;
        o.maker.n_given = cases[i].coding != NULL;
        assert_int_equal(read(ends[0], bytes, 16), 16);
        make_stream(bytes);
        put_u32(bytes + 12, cases[i].scale);
        if (cases[i].coding)
            bytes[33] = 0xFF;
        assert_int_equal(write(ends[1], bytes, N_STREAM), N_STREAM);
        watched = (struct watched){.n_held = 0};
        if (feed_of_pipe(&o.maker, &file, "test", &feed) == BENCH_OK) {
            assert_int_equal(watch_run(&o, feed, &watched),
                             cases[i].words ? BENCH_EINPUT : BENCH_OK);
            feed_close(feed);
        }
        if (cases[i].words)
            assert_says("", cases[i].words);
        assert_int_equal(watched.values.n_clamped, cases[i].n_clamped);
        assert_int_equal(watched.values.n_kept, cases[i].n_kept);
        close_pipe(ends);
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

/* Frames that came before the stream went wrong have their results; of those ahead none is lost. */
TEST(a_pipe_that_is_cut)
{
    struct watch_options o = options_of("rdp/serial");
    int ends[2];
    struct feed_file file = pipe_of(N_FRAMES, ends);
    struct watched watched;
    struct feed *feed;

    assert_int_equal(write(ends[1], "FRAX", 4), 4);
    assert_int_equal(feed_of_pipe(&o.maker, &file, "test", &feed), BENCH_OK);
    assert_int_equal(watch_run(&o, feed, &watched), BENCH_EINPUT);
    assert_says("test, frame 2, byte 108: ", "expected \"FRAM\", found \"FRAX\"");
    assert_int_equal(watched.tell.n, N_FRAMES);
    assert_int_equal(watched.width, WIDTH);
    feed_close(feed);
    close_pipe(ends);

    /* what lies behind the last frame that is wanted does not matter, even if it was read */
    file = pipe_of(N_FRAMES, ends);
    before_run = await_the_end;
    assert_int_equal(write(ends[1], "FRAX", 4), 4);
    o.most = N_FRAMES;
    assert_int_equal(feed_of_pipe(&o.maker, &file, "test", &feed), BENCH_OK);
    assert_int_equal(watch_run(&o, feed, &watched), BENCH_OK);
    assert_int_equal(watched.tell.n, N_FRAMES);
    feed_close(feed);
    close_pipe(ends);

    /* a writer that stays is left alone: it ends with the count */
    file = pipe_of(N_FRAMES, ends);
    o.most = 1;
    assert_int_equal(feed_of_pipe(&o.maker, &file, "test", &feed), BENCH_OK);
    assert_int_equal(watch_run(&o, feed, &watched), BENCH_OK);
    assert_int_equal(watched.tell.n, 1);
    feed_close(feed);
    close_pipe(ends);
}

int main(void)
{
    main_thread = pthread_self();
    return run_all_tests(NULL, NULL);
}

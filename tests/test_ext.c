/*
 * test_ext.c - peers: right ones, wrong ones, and those that do their worst
 *
 * The peer is this very program: "test_ext peer DEED".  It computes what the problem's
 * reference does, and then does its deed.
 */
#include "tests/inputs.h"
#include "tests/suite_run.h"

#include "harness/base/listing.h"
#include "harness/measure/measure.h"
#include "harness/platform/threads.h"
#include "harness/problems/som/som.h"
#include "harness/problems/stixels/stixels.h"
#include "harness/suite/peer.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern const struct bench_impl rdp_serial;

/* ---- the peer ---- */

static struct {
    const char *deed;
    char threads[32], output[1024];
    const struct bench_problem *problem;
    struct bench_params params;
    union {
        struct rdp_input rdp;
        struct stixels_input stixels;
        struct som_input som;
    } input;
    void *result;
    int n_runs;
} peer;

static int does(const char *deed)
{
    return !strcmp(peer.deed, deed);
}

static void say(const char *words)
{
    puts(words);
    fflush(stdout);
}

static void for_ever(void)
{
    for (;;)
        pause();
}

/* NULL: there is none of that name. */
static void *block_of(const struct text *file, const char *name)
{
    for (int i = 0; i < 16; i++) {
        const char *const entry = file->data + 16 + 32 * i;
        uint64_t offset;

        memcpy(&offset, entry + 16, sizeof offset);
        if (!strcmp(entry, name))
            return file->data + offset;
    }
    return NULL;
}

/* Reads the shape, which begins each problem's struct, and arrays: docs/PEERS.md. */
static void read_input(const struct text *file)
{
    const size_t n_shape = peer.problem == &rdp_problem       ? 5 * 4
                           : peer.problem == &stixels_problem ? 8 * 4
                                                              : 104;

    memcpy(&peer.input, block_of(file, "shape"), n_shape);
    for (const struct bench_place *place = peer.problem->places; place->name; place++)
        if (!place->is_output) {
            void *const array = block_of(file, place->name);

            memcpy((char *)&peer.input + place->at, &array, sizeof array);
        }
    if (peer.problem == &stixels_problem)
        peer.input.stixels.model = block_of(file, "model");
    if (peer.problem == &som_problem) {
        peer.input.som.rate = block_of(file, "rate");
        peer.input.som.radius = block_of(file, "radius");
    }
    if (block_of(file, "truth") || block_of(file, "truth_class"))
        say("error that is a secret");
}

static void load(const char *path)
{
    static char long_words[300];

    const struct bench_impl *const reference = bench_find_impl(peer.problem->references[0]);
    static struct text file;

    text_free(&file);
    peer.problem->free_output(peer.result);
    if (text_read_file(path, &file) || strcmp(file.data, "dbpeer") != 0)
        exit(8);
    read_input(&file);
    memset(long_words, 'x', sizeof long_words - 1);
    if (peer.problem->make_output(&peer.input, &peer.result) ||
        bench_params_default(&peer.params, reference->keys, "peer") ||
        bench_once(reference, &peer.params, 1, NULL, &peer.input, peer.result))
        exit(7);
    if (peer.problem == &rdp_problem &&
        bench_real(&peer.params, "eps") * 256 != peer.input.rdp.epsilon_q8)
        say("error eps is not the file's");
    else if (!getenv("OMP_NUM_THREADS") || strcmp(getenv("OMP_NUM_THREADS"), peer.threads) != 0)
        say("error OMP_NUM_THREADS is not the number of threads");
    else
        printf("%s%.*s\n",
               does("skips")                      ? "skip not for so few rows"
               : does("says-why")                 ? "error no licence"
               : !strncmp(peer.deed, "says-2", 6) ? "error "
                                                  : "ok",
               strncmp(peer.deed, "says-2", 6) ? 0 : atoi(peer.deed + 5) - 6, long_words);
    fflush(stdout);
}

/* Writes the reference's output, unless the deed is to be wrong. */
static void write_output(void)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    const struct rdp_output *const rdp = peer.result; /* that, where something is wrong */
    const int n = peer.problem->output_blocks(peer.result, block);
    const int fd = open(peer.output, O_WRONLY);

    if (does("wrong") || (does("wrong-later") && peer.n_runs > 4))
        rdp->segments[3] ^= 1;
    if (does("nonsense"))
        memset(rdp->kept, 255, (size_t)rdp_n_words(rdp->n_rows) * 4);
    if (does("another-rule"))
        keep_ends(rdp);
    for (int i = 0; i < n && !(does("idle-later") && peer.n_runs > 4); i++)
        if (write(fd, block[i].data, block[i].bytes) != (ssize_t)block[i].bytes)
            exit(5);
    if (does("too-long") && write(fd, "more", 4) != 4)
        exit(5);
    if (does("too-short") && ftruncate(fd, 10))
        exit(5);
    close(fd);
    if (does("link") &&
        (rename(peer.output, strcat(strcpy((char[1100]){0}, peer.output), "s")) ||
         symlink(strcat(strcpy((char[1100]){0}, peer.output), "s"), peer.output)))
        exit(5);
    if (does("no-file") || does("fifo") || does("folder"))
        unlink(peer.output);
    if (does("folder") && mkdir(peer.output, 0700))
        exit(5);
    if (does("fifo") && mkfifo(peer.output, 0600))
        exit(5);
    if (does("litters")) {
        *strrchr(peer.output, '/') = '\0';
        strcat(peer.output, "/more");
        mkdir(peer.output, 0700);
        strcat(peer.output, "/files");
        close(open(peer.output, O_CREAT | O_WRONLY, 0600));
    }
}

/* The child has what this program has, its pipes too; a daemon leaves our group and session. */
static void leave_a_child(bool is_daemon)
{
    char path[1200], number[16];
    pid_t child = fork();

    if (child == 0 && is_daemon) {
        setsid();
        child = fork();
        if (child != 0)
            _exit(0);
    }
    if (child == 0) {
        snprintf(path, sizeof path, "%s/new", getenv("TEST_PLACE"));
        write_bytes(path, number, (size_t)snprintf(number, sizeof number, "%d", getpid()));
        rename(path, strcat(strcpy((char[1200]){0}, getenv("TEST_PLACE")), "/child"));
        for_ever();
    }
    snprintf(path, sizeof path, "%s/child", getenv("TEST_PLACE"));
    while (access(path, F_OK))
        sched_yield();
}

static void run_once(void)
{
    struct timespec t0, t;

    clock_gettime(CLOCK_MONOTONIC, &t0);
    peer.n_runs++;
    write_output();
    if (strstr(peer.deed, "leaves-a-") && peer.n_runs == 1)
        leave_a_child(!does("leaves-a-child"));
    if (does("leaves-a-daemon-and-hangs"))
        for_ever();
    if (does("leaves-a-daemon-and-crashes"))
        abort();
    if (does("last-words")) {
        fprintf(stderr, "one line\nthe disk is full\n");
        exit(3);
    }
    while (does("talks"))
        fprintf(stderr, "still at it\n");
    while (does("floods"))
        fputs("0000000000000000", stdout);
    if (does("closes")) {
        close(1);
        for_ever();
    }
    if (does("lies-below"))
        do
            clock_gettime(CLOCK_MONOTONIC, &t);
        while (t.tv_sec == t0.tv_sec && t.tv_nsec < t0.tv_nsec + 4000000);
    clock_gettime(CLOCK_MONOTONIC, &t);
    if (does("garbage") || does("negative") || does("twice"))
        printf(does("garbage") ? "fast\033[2J\n" : does("negative") ? "-5\n" : "1\n1\n");
    else if (does("lies-above"))
        printf("999999999999\n");
    else
        printf("%lld\n", does("lies-below") || does("empty")
                             ? 1LL
                             : (t.tv_sec - t0.tv_sec) * 1000000000LL + t.tv_nsec - t0.tv_nsec);
    fflush(stdout);
}

/* "KEY=VALUE" of the problem. */
static void take_key(const char *line)
{
    const size_t n = strcspn(line, "=");

    if (!strncmp(line, "problem=", 8))
        peer.problem = bench_find_problem(line + 8);
    for (const struct bench_key *key = peer.problem ? peer.problem->keys : NULL;
         key && key->name; key++)
        if (!strncmp(key->name, line, n) && !key->name[n] &&
            bench_params_set(&peer.params, key, line + n + 1, "peer"))
            exit(6);
}

static int be_a_peer(const char *deed)
{
    char line[1200];

    peer.deed = deed;
    if (does("ends-at-once"))
        return 4;
    if (does("is-deaf")) {
        close(0);
        for_ever();
    }
    if (does("greets"))
        say("Welcome");
    while (fgets(line, sizeof line, stdin) && strcmp(line, "quit\n") != 0) {
        line[strcspn(line, "\n")] = '\0';
        take_key(line);
        if (!strncmp(line, "threads=", 8))
            snprintf(peer.threads, sizeof peer.threads, "%.20s", line + 8);
        if (!strncmp(line, "output=", 7))
            snprintf(peer.output, sizeof peer.output, "%.1000s", line + 7);
        if (!strncmp(line, "load ", 5))
            load(line + 5);
        for (int n = strncmp(line, "run ", 4) ? 0 : atoi(line + 4); n > 0; n--)
            run_once();
    }
    if (does("stays"))
        for_ever();
    return 0;
}

/* ---- the harness ---- */

static char peers[600]; /* for the descriptors of all tests: peers stay */
static char place[640]; /* for all other files of a test */
static char *said;      /* by suite_run() */
static size_t n_said;

static int set_up(void **unused)
{
    static int n;
    char temporary[700];

    snprintf(place, sizeof place, "%s/of-%d", peers, n++);
    snprintf(folder, sizeof folder, "%s/results", place);
    snprintf(temporary, sizeof temporary, "%s/temporary", place);
    assert_int_equal(text_make_folder(temporary), BENCH_OK);
    setenv("TMPDIR", temporary, 1);
    setenv("TEST_PLACE", place, 1);
    notes = open_memstream(&said, &n_said);
    return notes ? 0 : -1;
}

/* Whatever the peer did: it is no more, and neither are its files. */
static int tear_down(void **unused)
{
    struct listing left;

    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(listing_read(getenv("TMPDIR"), "", &left), BENCH_OK);
    assert_int_equal(left.n, 0);
    listing_free(&left);
    record_table_free(&rows);
    fclose(notes);
    free(said);
    support_remove(place);
    return 0;
}

#define TEST_EXT(name) TEST_WITH(name, set_up, tear_down)

/* The peer of a deed, with what its descriptor says besides. */
static const struct bench_impl *peer_of(const char *deed, const char *more)
{
    char self[400], path[800], text[1600], name[64];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    assert_true(n > 0);
    self[n] = '\0';
    snprintf(name, sizeof name, "ext/%s", deed);
    if (bench_find_impl(name))
        return bench_find_impl(name);
    snprintf(path, sizeof path, "%s/%s.ini", peers, deed);
    snprintf(text, sizeof text,
             "problem = rdp\ncommand = '%s'\n  peer %s\nversion = 1\nlicence = MIT\n"
             "inside = nothing\n%s%s",
             strcmp(deed, "is-not-there") ? self : "./nothing", deed,
             strstr(more, "rule =") ? "" : "rule = exact\n", more);
    write_bytes(path, text, strlen(text));
    assert_int_equal(peer_add(path), BENCH_OK);
    assert_non_null(bench_find_impl(name));
    return bench_find_impl(name);
}

static void check_reason(int row, const char *expected)
{
    const char *const reason = record_get(&rows, row, "reason");
    char pattern[300];

    snprintf(pattern, sizeof pattern, "*%s*", expected);
    if (fnmatch(pattern, reason, 0) != 0)
        fail_msg("expected '%s' in '%s'", expected, reason);
}

TEST_EXT(a_right_one_is_verified_and_timed_by_both_clocks)
{
    struct bench_config configs[] = {config_of(&rdp_serial), config_of(peer_of("right", ""))};

    configs[1].plan.scopes |= 1u << BENCH_END_TO_END;
    configs[1].plan.stages = true;
    run_to_rows(configs, 2, false, 7);
    for (int i = 1; i < rows.n_rows; i++)
        check_row(i, "impl=ext/right|status=ok|verdict=exact|reference=rdp/serial|threads=1");
    check_row(1, "scope=end_to_end|stage=transpose");
    check_row(2, "scope=end_to_end|stage=upload");
    check_row(3, "scope=end_to_end|stage=run");
    check_row(4, "scope=end_to_end|stage=download");
    check_row(5, "scope=kernel|stage=");
    check_reason(5, "by its own clock; by ours ");
    check_row(6, "scope=end_to_end|stage=|reason=");
    assert_true(atof(record_get(&rows, 6, "min_ms")) > 0);
    assert_string_equal(record_get(&rows, 5, "input_hash"), record_get(&rows, 0, "input_hash"));
    assert_string_equal(record_get(&rows, 5, "output_hash"),
                        record_get(&rows, 0, "output_hash"));
}

/* The first row of each alone, and how many there are.  A team compares its number of threads
 * with OMP_NUM_THREADS; an empty one has computed when it loads, and copies when it runs, which
 * shows the cost of asking; an ingest that a peer does without is left out. */
TEST_EXT(one_at_a_time)
{
    static const struct {
        const char *deed, *more;
        enum bench_series series;
        int n_rows; /* 1, or those of the stages from end to end */
        const char *fields, *reason;
    } cases[] = {
        {"team", "threads = any\n", BENCH_FRAMES, 1, "status=ok|device=omp", ""},
        {"empty", "", BENCH_HOT, 1, "status=ok|min_ms=1e-06", "by ours "},
        {"right", "", BENCH_COLD, 1, "status=skipped",
         "nobody can flush the caches of another program"},
        {"raw", "reads_raw = 1\n", BENCH_FRAMES, 4, "stage=upload", ""},
        {"another-rule", "rule = ends alone\n", BENCH_FRAMES, 1, "status=ok|verdict=other", ""},
        {"nonsense", "rule = ends alone\n", BENCH_FRAMES, 1, "status=wrong|verdict=wrong",
         "kept, which it cannot be"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench_config config = config_of(peer_of(cases[i].deed, cases[i].more));

        config.plan.threads = i == 0 ? bench_cores()->n_pus : 1;
        config.plan.series |= 1u << cases[i].series;
        if (cases[i].series == BENCH_HOT)
            config.plan.series = 1u << BENCH_HOT;
        config.plan.stages = cases[i].n_rows > 1;
        if (config.plan.stages)
            config.plan.scopes = 1u << BENCH_END_TO_END;
        run_to_rows(&config, 1, false, cases[i].n_rows);
        check_row(0, cases[i].fields);
        check_reason(0, cases[i].reason);
        if (i == 0)
            assert_int_equal(atoi(record_get(&rows, 0, "threads")), config.plan.threads);
        if (cases[i].series == BENCH_HOT) /* by our clock */
            assert_in_range(atoi(record_get(&rows, 0, "reps")), 1, 1000);
    }
}

/* Nobody is, when the row is written. */
static void check_child(void)
{
    char path[700];
    struct text child = {0};

    snprintf(path, sizeof path, "%s/child", place);
    assert_int_equal(text_read_file(path, &child), BENCH_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(kill(atoi(child.data), 0), -1);
    assert_int_equal(errno, ESRCH);
    text_free(&child);
}

/* Beside a variant of another group, which comes later and is not harmed. */
static void do_deed(const char *bytes, size_t n, const char *words)
{
    struct bench_config configs[] = {config_of(&rdp_serial), config_of(&rdp_serial)};
    char deed[40], status[20];
    int used;

    assert_int_equal(sscanf(bytes, "%39s %19s %n", deed, status, &used), 2);
    configs[0] = config_of(peer_of(deed, bytes + used));
    set_key(&configs[1], "eps", "8");
    run_to_rows(configs, 2, false, 2);
    check_row(1, "impl=rdp/serial|status=ok|verdict=reference");
    if (strcmp(record_get(&rows, 0, "status"), status) != 0)
        fail_msg("%s: status %s: %s", deed, record_get(&rows, 0, "status"),
                 record_get(&rows, 0, "reason"));
    check_reason(0, words);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    if (strstr(deed, "leaves-a-"))
        check_child();
}

TEST_EXT(each_deed_is_one_row_with_one_sentence)
{
    each_damaged("deeds", do_deed);
    assert_non_null(strstr(said, "note: ext/lies-below: 1e-06 ms a run by its own clock, "));
}

/* ---- descriptors ---- */

/* Behind its name and a bar. */
static void refuse(const char *bytes, size_t n, const char *words)
{
    const size_t n_name = strcspn(bytes, "|");
    char path[900];

    snprintf(path, sizeof path, "%s/%.*s", place, (int)n_name, bytes);
    write_bytes(path, bytes + n_name + 1, n - n_name - 1);
    assert_int_equal(peer_add(path), BENCH_EINPUT);
    assert_says("", words);
}

TEST_EXT(descriptors_are_checked)
{
    peer_of("right", "");
    each_damaged("peer", refuse);
    assert_int_equal(peer_add("nowhere.ini"), BENCH_EIO);
}

/* Peers have other current folders. */
static int begin(void **unused)
{
    char *const whole = realpath(support_place(), NULL);

    snprintf(peers, sizeof peers, "%s/ext-%d", whole ? whole : "", (int)getpid());
    free(whole);
    signal(SIGPIPE, SIG_IGN); /* as main() has a handler */
    return text_make_folder(peers) ? -1 : 0;
}

static int end(void **unused)
{
    support_remove(peers);
    return 0;
}

int main(int argc, char **argv)
{
    return argc > 2 && !strcmp(argv[1], "peer") ? be_a_peer(argv[2])
                                                : run_all_tests(begin, end);
}

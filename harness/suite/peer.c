/* peer.c - a program of somebody else as a variant: its descriptor, its files, its hooks */
#include "harness/suite/peer.h"

#include "harness/base/listing.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/inputs/keys.h"
#include "harness/measure/energy.h"
#include "harness/measure/problem.h"
#include "harness/suite/peer_process.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define POISON    0xA5
#define PAGE      4096  /* where blocks begin: each can be mapped alone */
#define SLACK     1.001 /* by which two right clocks may differ */
#define MOST_PATH 256
#define EXACT     "exact"

/* ---- the descriptor ---- */

enum team { TEAM_ONE, TEAM_ANY };

struct peer {
    struct bench_impl impl; /* the first member: hooks find the rest by ctx->impl */
    char name[64], folder[512];
    char problem[32], command[512], version[64], licence[64], inside[256], rule[160];
    char reference[64], source[640];
    enum team team;
    int reads_raw;
    double limit_s;

    /* of the configuration that runs */
    struct peer_process *process; /* NULL: not started yet */
    char place[MOST_PATH];        /* the folder of its files; "": none */
    int n_states, n_made;
    const struct state *loaded; /* what `run` is about; NULL: nothing yet */
};

#define AT(member) \
    .offset = offsetof(struct peer, member), .size = sizeof(((struct peer *)0)->member)
static const struct key keys[] = {
    {"problem", KEY_TEXT, 0, AT(problem)},
    {"command", KEY_TEXT, 0, AT(command)},
    {"version", KEY_TEXT, 0, AT(version)},
    {"licence", KEY_TEXT, 0, AT(licence)},
    {"inside", KEY_TEXT, 0, AT(inside)},
    {"rule", KEY_TEXT, 0, AT(rule)},
    {"reference", KEY_TEXT, 0, AT(reference)},
    {"threads", KEY_WORD, 0, AT(team), .words = "one|any"},
    {"reads_raw", KEY_INT, 0, AT(reads_raw), 0, 1},
    {"limit", KEY_REAL, 0, AT(limit_s), 0.01, 86400},
};

enum bench_status peer_name(const char *path, char name[64])
{
    const char *const file = listing_name(path);
    const size_t n = strlen(file);

    if (n < 5 || strcmp(file + n - 4, ".ini") != 0 || n - 4 > 40 ||
        strspn(file, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != n)
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: expected the descriptor of a peer, NAME.ini, of at most 40 letters, "
            "digits, '.', '_' and '-'",
            path);
    snprintf(name, 64, "ext/%.*s", (int)n - 4, file);
    return BENCH_OK;
}

/* Refuses a descriptor without a key that has no default. */
static enum bench_status check_there(const struct ini_file *ini)
{
    static const char *const needed[] = {"problem", "command", "version",
                                         "licence", "inside",  "rule"};

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        REFUSE_IF(!ini_find(ini, "", needed[i]), "%s: the key '%s' is missing", ini->path,
                  needed[i]);
    return BENCH_OK;
}

/* The members of the variant that depend on the descriptor. */
static enum bench_status make_impl(const struct ini_file *ini, struct peer *peer)
{
    const struct bench_problem *const problem = bench_find_problem(peer->problem);
    const struct bench_impl *reference;

    if (!problem || !problem->references)
        return KEYS_REFUSE(ini, ini_find(ini, "", "problem"),
                           "expected a problem of `depthbench list`");
    if (strcmp(peer->rule, EXACT) != 0)
        peer->impl.other = peer->rule;
    if (!*peer->reference)
        snprintf(peer->reference, sizeof peer->reference, "%s", problem->references[0]);
    snprintf(peer->source, sizeof peer->source, "%s, %s; inside its time: %s; rule: %s",
             peer->version, peer->licence, peer->inside, peer->rule);
    peer->impl.name = peer->name;
    peer->impl.problem = problem;
    peer->impl.target = peer->team == TEAM_ANY ? BENCH_OPENMP : BENCH_SERIAL;
    peer->impl.source = peer->source;
    peer->impl.reference = peer->reference;
    return bench_reference_of(&peer->impl, &reference)
               ? KEYS_REFUSE(ini, ini_find(ini, "", "reference"),
                             "expected one of the problem's references")
               : BENCH_OK;
}

/* ---- files ---- */

/* The head of an input file; all that is not said is 0.  docs/PEERS.md */
struct head {
    char magic[8];
    uint32_t version, n_blocks;
    struct {
        char name[16];
        uint64_t offset, bytes; /* in the file */
    } block[BENCH_MAX_BLOCKS];
};
static const char magic[8] = "dbpeer";

/* One input, with what it has to become. */
struct state {
    struct peer *peer;
    const struct bench_ctx *ctx; /* borrowed, as all that follow */
    const void *input;
    void *output;
    int number;
};

static void path_of(const struct state *s, const char *end, char path[MOST_PATH + 24])
{
    snprintf(path, MOST_PATH + 24, "%s/%d.%s", s->peer->place, s->number, end);
}

static enum bench_status refuse_file(const struct state *s, const char *what)
{
    return BENCH_FAIL(BENCH_EIO, "%s: %s its files in %s: %s", s->peer->name, what,
                      s->peer->place, strerror(errno));
}

/* In memory where that is: files of frames are no work for a disk.  The peer has another
 * current folder. */
static enum bench_status make_place(struct peer *peer)
{
    const char *const wished = getenv("TMPDIR");
    const char *const place = wished && *wished               ? wished
                              : access("/dev/shm", W_OK) == 0 ? "/dev/shm"
                                                              : "/tmp";
    char whole[PATH_MAX];

    if (!realpath(place, whole) ||
        snprintf(peer->place, sizeof peer->place, "%.*s/depthbench-peer-XXXXXX", MOST_PATH,
                 whole) >= (int)sizeof peer->place ||
        !mkdtemp(peer->place)) {
        peer->place[0] = '\0';
        return BENCH_FAIL(BENCH_EIO, "%s: cannot make a folder for its files in %s", peer->name,
                          place);
    }
    return BENCH_OK;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

/* Writes the head, and each block that has a name. */
static enum bench_status write_input(const struct state *s)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    const int n = s->peer->impl.problem->input_blocks(s->input, block);
    struct head head = {.version = 1};
    char path[MOST_PATH + 24];
    off_t at = PAGE;
    bool can;
    FILE *file;

    path_of(s, "in", path);
    file = fopen(path, "wxe");
    if (!file)
        return refuse_file(s, "cannot make");
    memcpy(head.magic, magic, sizeof magic);
    for (int i = 0; i < n; i++) {
        if (!block[i].name)
            continue;
        snprintf(head.block[head.n_blocks].name, sizeof head.block->name, "%s", block[i].name);
        head.block[head.n_blocks].offset = (uint64_t)at;
        head.block[head.n_blocks++].bytes = block[i].bytes;
        fseeko(file, at, SEEK_SET);
        fwrite(block[i].data, 1, block[i].bytes, file);
        at += (off_t)(block[i].bytes + PAGE - 1) / PAGE * PAGE;
    }
    rewind(file);
    fwrite(&head, sizeof head, 1, file);
    can = !fflush(file) && !ferror(file) && !ftruncate(fileno(file), at);
    return !fclose(file) && can ? BENCH_OK : refuse_file(s, "cannot write");
}

static size_t output_bytes(const struct state *s, struct bench_block *block, int *n)
{
    size_t bytes = 0;

    *n = s->peer->impl.problem->output_blocks(s->output, block);
    for (int i = 0; i < *n; i++)
        bytes += block[i].bytes;
    return bytes;
}

/* Open what may be anything by now. */
static enum bench_status open_output(const struct state *s, int flags, int *fd, size_t *bytes)
{
    char path[MOST_PATH + 24];
    struct stat info;

    path_of(s, "out", path);
    *fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (*fd < 0 || fstat(*fd, &info) || !S_ISREG(info.st_mode)) {
        if (*fd >= 0)
            close(*fd);
        return BENCH_FAIL(BENCH_EIO, "%s left no output file", s->peer->name);
    }
    *bytes = (size_t)info.st_size;
    return BENCH_OK;
}

/* Makes an output file of the right size, full of bytes that no result has. */
static enum bench_status poison(void *opaque)
{
    const struct state *const s = opaque;
    struct bench_block block[BENCH_MAX_BLOCKS];
    unsigned char chunk[PAGE];
    size_t left, bytes;
    int n, fd, error = 0;

    TRY(open_output(s, O_WRONLY | O_CREAT, &fd, &bytes));
    left = output_bytes(s, block, &n);
    memset(chunk, POISON, sizeof chunk);
    if (ftruncate(fd, (off_t)left))
        error = errno;
    for (; left > 0 && !error; left -= left < PAGE ? left : PAGE)
        error = text_write_all(fd, chunk, left < PAGE ? left : PAGE);
    close(fd);
    errno = error;
    return error ? refuse_file(s, "cannot write") : BENCH_OK;
}

/* Read and not mapped: who makes a mapped file shorter ends those who look at it. */
static enum bench_status download(void *opaque)
{
    const struct state *const s = opaque;
    struct bench_block block[BENCH_MAX_BLOCKS];
    size_t bytes = 0, expected;
    bool is_whole;
    int n, fd;

    TRY(open_output(s, O_RDONLY, &fd, &bytes));
    expected = output_bytes(s, block, &n);
    is_whole = bytes == expected;
    for (int i = 0; i < n; i++)
        for (size_t at = 0; is_whole && at < block[i].bytes;) {
            const ssize_t got = read(fd, (char *)block[i].data + at, block[i].bytes - at);

            is_whole = got > 0 || (got < 0 && errno == EINTR);
            at += got > 0 ? (size_t)got : 0;
        }
    close(fd);
    FAIL_IF(!is_whole, BENCH_EIO, "%s left an output file of %zu bytes: expected %zu bytes",
            s->peer->name, bytes, expected);
    return BENCH_OK;
}

/* ---- hooks ---- */

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct peer *const peer = (struct peer *)(uintptr_t)ctx->impl;
    struct state *const s = opaque;

    FAIL_IF(ctx->frames_follow, BENCH_ESKIP, "%s: its frames are files, written in advance",
            peer->name);
    *s = (struct state){peer, ctx, input, output, peer->n_made++};
    if (peer->n_states++ == 0)
        TRY(make_place(peer));
    return write_input(s);
}

static void teardown(void *opaque)
{
    const struct state *const s = opaque;
    struct peer *const peer = s->peer;
    const char *remark;

    if (!peer || --peer->n_states > 0)
        return;
    remark = peer_stop(peer->process);
    if (remark && s->ctx->remark)
        snprintf(s->ctx->remark, s->ctx->remark_size, "%s: %s", peer->name, remark);
    if (*peer->place)
        nftw(peer->place, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    peer->process = NULL;
    peer->place[0] = '\0';
    peer->loaded = NULL;
    peer->n_made = 0;
}

/* All processors that the team of a variant would have. */
static cpu_set_t processors(int n_threads)
{
    cpu_set_t all;

    CPU_ZERO(&all);
#pragma omp parallel num_threads(n_threads)
    {
        cpu_set_t own;

        if (sched_getaffinity(0, sizeof own, &own) == 0) {
#pragma omp critical
            CPU_OR(&all, &all, &own);
        }
    }
    return all;
}

/* Start it and tell it what is the same for all inputs. */
static enum bench_status begin(struct peer *peer, const struct bench_ctx *ctx)
{
    const struct bench_params *const params = ctx->params;
    const cpu_set_t cpus = processors(ctx->n_threads);
    OWNED(text_free) struct text lines = {0};

    text_format(&lines, "protocol=1\nproblem=%s\nthreads=%d\n", peer->problem, ctx->n_threads);
    for (int i = 0; i < params->n; i++)
        if (bench_find_key(peer->impl.problem->keys, params->item[i].key->name))
            text_format(&lines, "%s=%s\n", params->item[i].key->name, params->item[i].text);
    TRY(text_ok(&lines));
    TRY(peer_start(peer->name, peer->command, peer->folder, ctx->n_threads, &cpus,
                   peer->limit_s, &peer->process));
    return peer_tell(peer->process, "start", lines.data);
}

/* Refuses an answer: the peer's own words for why there is none, or nonsense. */
static enum bench_status refuse_answer(struct peer *peer, const char *asked,
                                       const char *expected, const char *line)
{
    char what[PEER_LINE];

    FAIL_IF(!strncmp(line, "skip ", 5), BENCH_ESKIP, "%s: %s", peer->name, line + 5);
    FAIL_IF(!strncmp(line, "error ", 6), BENCH_EIO, "%s: %s", peer->name, line + 6);
    snprintf(what, sizeof what, "answered '%.60s' to '%.40s': expected %s", line, asked,
             expected);
    return peer_break(peer->process, what);
}

static enum bench_status upload(void *opaque)
{
    const struct state *const s = opaque;
    struct peer *const peer = s->peer;
    char in[MOST_PATH + 24], out[MOST_PATH + 24], line[PEER_LINE];
    char lines[sizeof in + sizeof out + 32];

    peer->loaded = NULL;
    if (!peer->process)
        TRY(begin(peer, s->ctx));
    path_of(s, "in", in);
    path_of(s, "out", out);
    snprintf(lines, sizeof lines, "output=%s\nload %s\n", out, in);
    TRY(peer_tell(peer->process, "load", lines));
    TRY(peer_hear(peer->process, "load", line));
    if (strcmp(line, "ok") != 0)
        return refuse_answer(peer, "load", "ok", line);
    peer->loaded = s;
    return BENCH_OK;
}

/* "12345" */
static bool read_ns(const char *line, double *ns)
{
    const size_t n = strspn(line, "0123456789");

    *ns = n > 0 && n <= 18 ? (double)strtoull(line, NULL, 10) : 0;
    return n > 0 && n <= 18 && !line[n];
}

/* More time than has passed is no time. */
static enum bench_status check_clock(const struct peer *peer, const char *asked,
                                     const struct bench_clocks *clocks)
{
    char own[TEXT_NUMBER], wall[TEXT_NUMBER], what[PEER_LINE];

    if (clocks->own_s <= SLACK * clocks->wall_s)
        return BENCH_OK;
    text_short_number(own, 1e3 * clocks->own_s, 4);
    text_short_number(wall, 1e3 * clocks->wall_s, 4);
    snprintf(what, sizeof what, "says that '%.40s' took it %s ms, but it answered after %s ms",
             asked, own, wall);
    return peer_break(peer->process, what);
}

static enum bench_status run_told(void *opaque, int n, struct bench_clocks *clocks)
{
    const struct state *const s = opaque;
    struct peer *const peer = s->peer;
    struct bench_clocks these = {0, 0};
    char lines[40], asked[32], line[PEER_LINE];
    double t0, ns;

    if (peer->loaded != s)
        TRY(upload(opaque));
    snprintf(asked, sizeof asked, "run %d", n);
    snprintf(lines, sizeof lines, "%s\n", asked);
    t0 = bench_real_time.now_s(bench_real_time.self);
    TRY(peer_tell(peer->process, asked, lines));
    for (int i = 0; i < n; i++) {
        TRY(peer_hear(peer->process, asked, line));
        if (!read_ns(line, &ns))
            return refuse_answer(peer, asked, "nanoseconds", line);
        these.own_s += 1e-9 * ns;
    }
    these.wall_s = bench_real_time.now_s(bench_real_time.self) - t0;
    TRY(check_clock(peer, asked, &these));
    clocks->own_s += these.own_s;
    clocks->wall_s += these.wall_s;
    return BENCH_OK;
}

static enum bench_status run(void *opaque)
{
    struct bench_clocks clocks = {0, 0};

    return run_told(opaque, 1, &clocks);
}

static int always(const struct bench_params *params)
{
    (void)params;
    return 1;
}

/* ---- a peer ---- */

static enum bench_status read_peer(const char *path, const struct ini_file *ini,
                                   struct peer *peer)
{
    const char *const slash = strrchr(path, '/');

    peer->limit_s = 60;
    TRY(peer_name(path, peer->name));
    REFUSE_IF(snprintf(peer->folder, sizeof peer->folder, "%.*s",
                       slash ? (int)(slash - path) + 1 : 1,
                       slash ? path : ".") >= (int)sizeof peer->folder,
              "%s: the path is too long", path);
    TRY(keys_read(ini, keys, sizeof keys / sizeof *keys, 0, "the descriptor of a peer", peer));
    TRY(check_there(ini));
    TRY(make_impl(ini, peer));
    peer->impl.state_size = sizeof(struct state);
    peer->impl.reads_raw = peer->reads_raw ? always : NULL;
    peer->impl.setup = setup;
    peer->impl.upload = upload;
    peer->impl.poison = poison;
    peer->impl.run = run;
    peer->impl.run_told = run_told;
    peer->impl.download = download;
    peer->impl.teardown = teardown;
    return bench_add_impl(&peer->impl);
}

enum bench_status peer_add(const char *path)
{
    OWNED(memory_free) struct peer *peer = NULL;
    OWNED(ini_free) struct ini_file ini = {0};

    TRY(memory_allocate(&peer, sizeof *peer, 1, 1, 1, 1));
    TRY(ini_read(path, &ini));
    TRY(read_peer(path, &ini, peer));
    peer = NULL; /* it stays */
    return BENCH_OK;
}

/* peer_process.c - another program: started, told and asked by lines, and stopped whatever it
 * does */
#include "harness/suite/peer_process.h"

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/measure/energy.h"
#include "harness/platform/process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_QUIT_S 2   /* to end after "quit"; less where an answer has less */
#define MOST_QUOTED 60  /* bytes of what it said */
#define LOOK_MS     100 /* between two looks at whether it has ended */

struct peer_process {
    const char *name; /* borrowed */
    double limit_s;
    pid_t pid;       /* of its keeper; 0: it has been waited for */
    int life;        /* to the keeper, which ends all when this is closed */
    int in, out;     /* what it reads, what it says */
    int err;         /* -1: it has closed it */
    char said[4096]; /* [n_said]: not yet asked for */
    size_t n_said;
    char words[160]; /* the last line of its standard error */
    size_t n_words;
    bool is_line_over;
};

static double now_s(void)
{
    return bench_real_time.now_s(bench_real_time.self);
}

/* ---- the keeper: a process of ours whose children are the peer and whom it leaves behind ----
 *
 * It calls nothing that a child of a program with threads may not: opendir() would allocate.
 * It holds what this process had in memory when it began, and waits. */

/* Kill the children of 'parent'; how many there were, -1: there is no /proc. */
static int kill_children_of(int parent)
{
    struct {
        uint64_t inode, offset;
        uint16_t length;
        char type, name[];
    } * entry;
    _Alignas(uint64_t) char entries[4096];
    const int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long n_bytes;
    int n = 0;

    if (folder < 0)
        return -1;
    while ((n_bytes = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (long at = 0; at < n_bytes; at += entry->length) {
            char path[280], text[512]; /* "NUMBER (NAME) STATE PARENT ..." */
            const char *state;
            ssize_t n_read;
            int fd;

            entry = (void *)(entries + at);
            memcpy(path, entry->name, strlen(entry->name)); /* of at most 255 bytes */
            memcpy(path + strlen(entry->name), "/stat", sizeof "/stat");
            fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
            n_read = read(fd, text, sizeof text - 1);
            close(fd);
            text[n_read > 0 ? n_read : 0] = '\0';
            state = strrchr(text, ')');
            n += state && strlen(state) > 4 && atoi(state + 4) == parent &&
                 atoi(entry->name) > 0 && kill(atoi(entry->name), SIGKILL) == 0;
        }
    close(folder);
    return n;
}

/* All children, and theirs, which become ours.  How many there were at first. */
static int kill_children(pid_t peer)
{
    const int n_first = kill_children_of(getpid());
    int n = n_first;

    if (n < 0)
        return kill(-peer, SIGKILL) == 0;
    while (waitpid(-1, NULL, n > 0 ? 0 : WNOHANG) > 0 || (n > 0 && errno == EINTR))
        n = kill_children_of(getpid());
    return n_first;
}

/* A program that the keeper starts, its standard files, its processors. */
struct order {
    const char *const *argv;
    const cpu_set_t *cpus;
    int ends[3];
};

static void look_up(int number)
{
    (void)number;
}

/* Until the peer has ended, or 'life' has: then nobody is left.  The keeper ends as the peer
 * did; a byte to 'life' says that it had left others. */
static int keep(pid_t peer, int life, const sigset_t *usual)
{
    struct pollfd poll = {.fd = life, .events = POLLIN};
    bool is_over = false;
    int how = 0, state;
    pid_t ended;

    process_close_all_but(life);
    do {
        while ((ended = waitpid(-1, &state, WNOHANG)) > 0)
            if (ended == peer) {
                is_over = true;
                how = state;
            }
    } while (!is_over && ppoll(&poll, 1, NULL, usual) <= 0);
    if (kill_children(peer) > 0 && is_over)
        process_say(life, 1);
    if (WIFSIGNALED(how)) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(WTERMSIG(how), SIG_DFL);
        raise(WTERMSIG(how));
    }
    return WIFEXITED(how) ? WEXITSTATUS(how) : 127;
}

/* ---- start ---- */

static int be_keeper(void *self, int life)
{
    const struct order *const order = self;
    static const int ignored[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE};
    sigset_t usual, blocked;
    pid_t peer;

    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    signal(SIGCHLD, look_up);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    sigprocmask(SIG_BLOCK, &blocked, &usual);
    peer = fork();
    if (peer < 0)
        return 127;
    if (peer == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sched_setaffinity(0, sizeof *order->cpus, order->cpus);
        process_become("/bin/sh", order->argv, order->ends);
    }
    setpgid(peer, peer); /* whoever is first */
    sigdelset(&usual, SIGCHLD);
    return keep(peer, life, &usual);
}

/* 0 or errno; the ends of the program are closed here. */
static int start(struct peer_process *p, struct order *order)
{
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}, *const own[3] = {&p->in, &p->out,
                                                                       &p->err};
    bool can = true;
    int error;

    for (int i = 0; i < 3 && can; i++) {
        can = pipe2(pipes[i], O_CLOEXEC) == 0;
        order->ends[i] = pipes[i][i > 0];
        *own[i] = pipes[i][i == 0];
        fcntl(*own[i], F_SETFL, O_NONBLOCK);
    }
    p->pid = can ? process_fork(be_keeper, order, &p->life) : -1;
    error = errno;
    for (int i = 0; i < 3; i++) {
        close(pipes[i][i > 0]);
        if (p->pid < 0)
            close(pipes[i][i == 0]);
    }
    return p->pid < 0 ? error : 0;
}

enum bench_status peer_start(const char *name, const char *command, const char *folder,
                             int n_threads, const cpu_set_t *cpus, double limit_s,
                             struct peer_process **process)
{
    OWNED(text_free) struct text script = {0};
    char threads[16];
    const char *argv[] = {"sh", "-c", NULL, name, folder, threads, NULL};
    struct order order = {.argv = argv, .cpus = cpus};
    int error;

    *process = NULL;
    snprintf(threads, sizeof threads, "%d", n_threads);
    text_format(&script,
                "cd -- \"$1\" && export OMP_NUM_THREADS=\"$2\" OMP_DYNAMIC=false && exec %s",
                command);
    TRY(text_ok(&script));
    argv[2] = script.data;
    TRY(memory_allocate(process, sizeof **process, 1, 1, 1, 1));
    **process =
        (struct peer_process){.name = name, .limit_s = limit_s, .in = -1, .out = -1, .err = -1};
    error = start(*process, &order);
    if (!error)
        return BENCH_OK;
    free(*process);
    *process = NULL;
    return BENCH_FAIL(BENCH_EIO, "%s cannot be started: %s", name, strerror(error));
}

/* ---- end ---- */

/* True if it has ended; it stays to be waited for. */
static bool is_over(const struct peer_process *p)
{
    siginfo_t info = {.si_pid = 0};

    return waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
}

/* It and whom it has started. */
static void kill_all(struct peer_process *p)
{
    int how;

    if (p->pid == 0)
        return;
    shutdown(p->life, SHUT_WR);
    process_wait(p->pid, -1, &how);
    p->pid = 0;
}

/* Keep the last line. */
static void take_words(struct peer_process *p)
{
    char chunk[4096];
    const ssize_t n = read(p->err, chunk, sizeof chunk);

    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        close(p->err);
        p->err = -1;
    }
    for (ssize_t i = 0; i < n; i++) {
        if (chunk[i] == '\n') {
            p->is_line_over = true;
            continue;
        }
        if (p->is_line_over)
            p->n_words = 0;
        p->is_line_over = false;
        if (p->n_words < sizeof p->words - 1)
            p->words[p->n_words++] = chunk[i];
    }
    p->words[p->n_words] = '\0';
}

enum bench_status peer_break(struct peer_process *p, const char *what)
{
    struct pollfd err = {.fd = p->err, .events = POLLIN};

    kill_all(p);
    for (int i = 0; i < 64 && p->err >= 0 && poll(&err, 1, 0) > 0; i++) /* all of a pipe */
        take_words(p);
    return BENCH_FAIL(BENCH_EIO, "%s %s%s%s%s", p->name, what,
                      *p->words ? "; it said last: '" : "", p->words, *p->words ? "'" : "");
}

/* It says nothing more. */
static enum bench_status break_ended(struct peer_process *p, const char *asked)
{
    char what[PEER_LINE];
    int how = 0;

    if (!process_wait(p->pid, fmin(p->limit_s, MOST_QUIT_S), &how)) {
        snprintf(what, sizeof what, "closed its standard output before it answered '%.40s'",
                 asked);
        return peer_break(p, what);
    }
    if (WIFSIGNALED(how))
        snprintf(what, sizeof what, "was ended by signal %d (%s) before it answered '%.40s'",
                 WTERMSIG(how), strsignal(WTERMSIG(how)), asked);
    else
        snprintf(what, sizeof what, "ended with status %d before it answered '%.40s'",
                 WEXITSTATUS(how), asked);
    p->pid = 0;
    return peer_break(p, what);
}

const char *peer_stop(struct peer_process *p)
{
    const char *remark = NULL;
    int how;

    if (!p)
        return NULL;
    if (p->pid > 0)
        (void)!write(p->in, "quit\n", 5); /* it need not read that: its input ends, too */
    close(p->in);
    if (p->pid > 0 && !process_wait(p->pid, fmin(p->limit_s, MOST_QUIT_S), &how))
        remark = "it did not end when it was told to quit, and was killed";
    else if (p->pid > 0) {
        if (process_hear(p->life, 0) > 0)
            remark = "it left processes behind, which were killed";
        p->pid = 0;
    }
    kill_all(p);
    close(p->life);
    close(p->out);
    if (p->err >= 0)
        close(p->err);
    free(p);
    return remark;
}

/* ---- lines from it ---- */

/* Takes what it has said, as far as there is room; false: it says nothing more. */
static bool take_said(struct peer_process *p)
{
    const ssize_t n = read(p->out, p->said + p->n_said, sizeof p->said - p->n_said);

    if (n > 0)
        p->n_said += (size_t)n;
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

enum bench_status peer_tell(struct peer_process *p, const char *asked, const char *lines)
{
    struct pollfd out = {.fd = p->out, .events = POLLIN};
    const size_t n = strlen(lines);
    char what[PEER_LINE];

    if (p->n_said == 0 && poll(&out, 1, 0) > 0 && !take_said(p))
        return break_ended(p, asked);
    if (p->n_said > 0) {
        const char *const end = memchr(p->said, '\n', p->n_said);
        const size_t n_line = end ? (size_t)(end - p->said) : p->n_said;

        snprintf(what, sizeof what, "said '%.*s' without being asked",
                 n_line < MOST_QUOTED ? (int)n_line : MOST_QUOTED, p->said);
        return peer_break(p, what);
    }
    if (write(p->in, lines, n) == (ssize_t)n)
        return BENCH_OK;
    if (errno == EPIPE)
        return break_ended(p, asked);
    return peer_break(p, "does not read its standard input");
}

/* The first line of what was said; false: there is none yet. */
static bool next_line(struct peer_process *p, char line[PEER_LINE])
{
    const char *const end = memchr(p->said, '\n', p->n_said);
    const size_t n = end ? (size_t)(end - p->said) : 0;

    if (!end || n >= PEER_LINE)
        return false;
    memcpy(line, p->said, n);
    line[n] = '\0';
    p->n_said -= n + 1;
    memmove(p->said, end + 1, p->n_said);
    return true;
}

enum bench_status peer_hear(struct peer_process *p, const char *asked, char line[PEER_LINE])
{
    const double until = now_s() + p->limit_s;
    char what[PEER_LINE], limit[TEXT_NUMBER];

    while (!next_line(p, line)) {
        struct pollfd ends[2] = {{.fd = p->out, .events = POLLIN},
                                 {.fd = p->err, .events = POLLIN}};
        const double left_ms = 1e3 * (until - now_s());

        if (p->n_said >= PEER_LINE) {
            snprintf(what, sizeof what, "answered '%.40s' by a line of more than %d bytes",
                     asked, PEER_LINE - 1);
            return peer_break(p, what);
        }
        if (left_ms <= 0) {
            text_short_number(limit, p->limit_s, 4);
            snprintf(what, sizeof what, "did not answer '%.40s' within %s s", asked, limit);
            return peer_break(p, what);
        }
        if (poll(ends, 2, (int)ceil(fmin(left_ms, LOOK_MS))) <= 0) {
            if (is_over(p))
                return break_ended(p, asked);
            continue;
        }
        if (ends[1].revents)
            take_words(p);
        if (ends[0].revents && !take_said(p))
            return break_ended(p, asked);
    }
    return BENCH_OK;
}

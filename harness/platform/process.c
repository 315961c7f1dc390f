/* process.c - other processes: started, heard, waited for but not for ever */
#include "harness/platform/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_FDS 4096   /* of ours that a child could inherit */
#define NOT_RUN  127    /* the exit status of a child that has no program */
#define SLICE_MS 10     /* of waiting; time is counted in slices, no clock is read */
#define LOOK_NS  200000 /* between two looks at a child */
#define ANSWER   "no\n" /* to "reboot now?", and to whatever else a tool may ask */

extern char **environ;

/* ---- start and end ---- */

static bool is_program(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool process_find(const char *sysroot, const char *name, char *path, size_t size)
{
    static const char *const folders[] = {"/usr/sbin", "/usr/bin", "/usr/local/bin",
                                          "/usr/local/cuda/bin"};
    const char *search = getenv("PATH");

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (snprintf(path, size, "%s%s/%s", sysroot, folders[i], name) < (int)size &&
            is_program(path))
            return true;
    }
    if (sysroot[0])
        search = NULL; /* a fake machine never gets at the real one's programs */
    while (search && *search) {
        const size_t n = strcspn(search, ":");

        if (n > 0 && snprintf(path, size, "%.*s/%s", (int)n, search, name) < (int)size &&
            is_program(path))
            return true;
        search += n + (search[n] == ':');
    }
    path[0] = '\0';
    return false;
}

void process_close_all_but(int kept)
{
    for (int fd = 3; fd < MOST_FDS; fd++)
        if (fd != kept)
            close(fd);
}

void process_become(const char *path, const char *const argv[], const int ends[3])
{
    sigset_t none;

    if (ends)
        setpgid(0, 0); /* Ctrl-C is for us, not for it */
    for (int i = 1; i < 32; i++) {
        struct sigaction now;

        if (ends || (sigaction(i, NULL, &now) == 0 && now.sa_handler != SIG_IGN))
            signal(i, SIG_DFL);
    }
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    for (int i = 0; i < 3 && ends; i++)
        if (dup2(ends[i], i) < 0)
            _exit(NOT_RUN);
    if (ends)
        process_close_all_but(-1);
    execve(path, (char *const *)(uintptr_t)argv, environ);
    _exit(NOT_RUN);
}

pid_t process_start(const char *path, const char *const argv[], const int ends[3])
{
    sigset_t all, before;
    pid_t child;

    sigfillset(&all); /* a handler of ours takes none that is for the program */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    child = fork();
    if (child == 0)
        process_become(path, argv, ends);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return child;
}

pid_t process_fork(int work(void *self, int link), void *self, int *link)
{
    int ends[2] = {-1, -1};
    /* no pipe: writing to one without a reader kills */
    const pid_t child = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ? -1 : fork();

    if (child == 0) {
        close(ends[1]);
        _exit(work(self, ends[0]));
    }
    close(ends[0]);
    if (child < 0)
        close(ends[1]);
    *link = child < 0 ? -1 : ends[1];
    return child;
}

bool process_say(int link, char byte)
{
    return send(link, &byte, 1, MSG_NOSIGNAL) == 1;
}

int process_hear(int link, double limit_s)
{
    struct pollfd watched = {.fd = link, .events = POLLIN};
    const long slices = limit_s < 0 ? 0 : (long)(limit_s * 1000 / SLICE_MS) + 1;
    char byte;

    for (long i = 0; limit_s < 0 || i < slices; i++)
        if (poll(&watched, 1, limit_s < 0 ? -1 : SLICE_MS) > 0)
            return read(link, &byte, 1) == 1 ? byte : 0;
    return -1;
}

bool process_wait(pid_t child, double limit_s, int *how)
{
    const long looks = limit_s < 0 ? 0 : (long)(limit_s * 1e9 / LOOK_NS) + 1;
    pid_t ended;

    for (long i = 0; limit_s < 0 || i < looks; i++) {
        ended = waitpid(child, how, limit_s < 0 ? 0 : WNOHANG);
        if (ended > 0 || (ended < 0 && errno != EINTR))
            return true;
        if (ended == 0)
            nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    return false;
}

/* ---- a program and what it says ---- */

/* Keep what fits, drop the rest; false: the pipe has ended. */
static bool take_output(int from, struct process_result *result, size_t *n)
{
    char chunk[512];
    const ssize_t got = read(from, chunk, sizeof chunk);
    size_t fits;

    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    fits = sizeof result->output - 1 - *n;
    if (fits > (size_t)got)
        fits = (size_t)got;
    memcpy(result->output + *n, chunk, fits);
    *n += fits;
    result->output[*n] = '\0';
    return true;
}

static void wait_for(pid_t child, int from, double timeout_s, struct process_result *result)
{
    struct pollfd watched = {.fd = from, .events = POLLIN};
    const long slices = (long)(timeout_s * 1000 / SLICE_MS) + 1;
    size_t n = 0;
    int status = 0;
    pid_t ended = 0;

    /* a program that never stops talking runs out of slices, too: one for each chunk */
    for (long i = 0; i < slices && ended == 0;) {
        const int ready = poll(&watched, 1, SLICE_MS);

        if (ready > 0 && !take_output(from, result, &n))
            watched.fd = -1; /* closed; the program may go on */
        ended = waitpid(child, &status, WNOHANG);
        i += ready <= 0 || n == sizeof result->output - 1;
    }
    if (ended == 0) {
        result->timed_out = true;
        kill(-child, SIGKILL);
        kill(child, SIGKILL); /* where it had no time to have a group */
        process_wait(child, -1, &status);
        return;
    }
    if (watched.fd >= 0) /* what it said last; whoever it left behind is not waited for */
        while (poll(&watched, 1, 0) > 0 && take_output(from, result, &n) &&
               n < sizeof result->output - 1)
            ;
    if (ended > 0)
        result->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool process_run(const char *path, const char *option, const char *argument, double timeout_s,
                 struct process_result *result)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    pid_t child = -1;

    memset(result, 0, sizeof *result);
    result->status = NOT_RUN;
    /* before there is a child: a few bytes fit, and we hold the reading end ourselves */
    if (!pipe2(in, O_CLOEXEC) && !pipe2(out, O_CLOEXEC) &&
        write(in[1], ANSWER, strlen(ANSWER)) > 0)
        child = process_start(path, (const char *const[]){path, option, argument, NULL},
                              (const int[]){in[0], out[1], out[1]});
    close(in[0]);
    close(in[1]);
    close(out[1]);
    if (child > 0) {
        fcntl(out[0], F_SETFL, O_NONBLOCK);
        wait_for(child, out[0], timeout_s, result);
    }
    close(out[0]);
    return result->status == 0;
}

/* ---- signals ---- */

volatile sig_atomic_t process_interrupts;
static volatile sig_atomic_t receiver; /* a process; 0: none */
static const char *first_words;

static void count_signal(int number, siginfo_t *info, void *unused)
{
    (void)unused;
    if (process_interrupts < 2)
        process_interrupts++;
    if (process_interrupts == 1 && first_words &&
        write(2, first_words, strlen(first_words)) < 0)
        return; /* nothing to be done in a handler */
    if (info->si_code != SI_KERNEL && receiver > 0)
        kill((pid_t)receiver, number);
}

void process_take_signals(const char *words, int flags)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_flags = SA_SIGINFO | flags}, before;

    first_words = words;
    action.sa_sigaction = count_signal;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!sigaction(numbers[i], NULL, &before) &&
            (numbers[i] != SIGHUP || before.sa_handler != SIG_IGN))
            sigaction(numbers[i], &action, NULL);
}

void process_pass_signals(pid_t child)
{
    receiver = child;
}

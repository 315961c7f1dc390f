/* tool.c - run a program of the machine and wait for it, but not for ever */
#include "harness/platform/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SLICE_MS      10 /* of waiting; time is counted in slices, no clock is read */
#define MAX_ARGUMENTS 8

extern char **environ;

static bool is_program(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool tool_find(const char *sysroot, const char *name, char *path, size_t size)
{
    static const char *const folders[] = {"/usr/sbin", "/usr/bin", "/usr/local/bin"};
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

static void become(const char *path, const char *const *arguments, int in, int out)
{
    char *argv[MAX_ARGUMENTS + 2];
    int n = 0;

    argv[n++] = (char *)(uintptr_t)path;
    for (; arguments[n - 1] && n <= MAX_ARGUMENTS; n++)
        argv[n] = (char *)(uintptr_t)arguments[n - 1];
    argv[n] = NULL;
    setpgid(0, 0); /* Ctrl-C is for us, not for it */
    for (int i = 1; i < 32; i++)
        signal(i, SIG_DFL);
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
        _exit(127);
    execve(path, argv, environ);
    _exit(127);
}

/* Keep what fits, drop the rest; false: the pipe has ended. */
static bool take_output(int from, struct tool_result *result, size_t *n)
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

static void wait_for(pid_t child, int from, double timeout_s, struct tool_result *result)
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
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        return;
    }
    if (watched.fd >= 0) /* what it said last; whoever it left behind is not waited for */
        while (poll(&watched, 1, 0) > 0 && take_output(from, result, &n) &&
               n < sizeof result->output - 1)
            ;
    result->status = ended < 0             ? 127
                     : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                           : WEXITSTATUS(status);
    result->ran = result->status != 127;
}

void tool_run(const char *path, const char *const *arguments, const char *answer,
              double timeout_s, struct tool_result *result)
{
    int in[2], out[2];
    pid_t child;

    memset(result, 0, sizeof *result);
    if (pipe2(in, O_CLOEXEC))
        return;
    if (pipe2(out, O_CLOEXEC)) {
        close(in[0]);
        close(in[1]);
        return;
    }
    /* before there is a reader: a few bytes fit, and nobody is killed by a pipe without one */
    child = write(in[1], answer, strlen(answer)) < 0 ? -1 : fork();
    if (child == 0)
        become(path, arguments, in[0], out[1]);
    close(in[0]);
    close(in[1]);
    close(out[1]);
    if (child > 0) {
        fcntl(out[0], F_SETFL, O_NONBLOCK);
        wait_for(child, out[0], timeout_s, result);
    }
    close(out[0]);
}

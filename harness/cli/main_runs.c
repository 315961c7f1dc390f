/*
 * main_runs.c - `depthbench run` several times: a process for each of the descriptors' runs
 *
 * What one process measures differs from what the next one does by more than its samples tell.
 * This one measures nothing.  It starts the program anew, with the same arguments and the
 * number of the run, and waits.
 */
#include "harness/cli/main_private.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static volatile sig_atomic_t running; /* the process of the run that is on; 0: none */
static volatile sig_atomic_t told;    /* to stop */

/* What a terminal sends, all processes of the group get; else the run that is on is to know. */
static void pass_on(int number, siginfo_t *info, void *unused)
{
    (void)unused;
    told = 1;
    if (info->si_code != SI_KERNEL && running > 0)
        kill((pid_t)running, number);
}

void main_take_signals(const struct sigaction *action, sigset_t *taken)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before;

    sigemptyset(taken);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!sigaction(numbers[i], NULL, &before) &&
            (numbers[i] != SIGHUP || before.sa_handler != SIG_IGN)) {
            sigaction(numbers[i], action, NULL);
            sigaddset(taken, numbers[i]);
        }
}

/* Start the program with one word more, wait; *code is its exit status. */
static enum bench_status run_once(char **argv, const sigset_t *taken, int *code)
{
    posix_spawnattr_t attributes;
    pid_t pid = 0;
    int error, state = 0;

    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, taken);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    error = posix_spawn(&pid, "/proc/self/exe", NULL, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    if (error)
        return BENCH_FAIL(BENCH_EIO, "the program cannot be started again: %s",
                          strerror(error));
    running = pid;
    while (waitpid(pid, &state, 0) < 0)
        if (errno != EINTR)
            return BENCH_FAIL(BENCH_EIO, "a run cannot be waited for: %s", strerror(errno));
    running = 0;
    if (!WIFEXITED(state))
        return BENCH_FAIL(BENCH_EIO, "a run was ended by signal %d", WTERMSIG(state));
    *code = WEXITSTATUS(state);
    return BENCH_OK;
}

enum bench_status main_repeat(int argc, char **argv, int n_runs, int *code)
{
    const time_t now = time(NULL);
    char word[96], stamp[32];
    char **again = calloc((size_t)argc + 2, sizeof *again);
    enum bench_status status = BENCH_OK;
    struct tm utc;
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};
    sigset_t taken;

    *code = 0;
    if (!again)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the arguments of a run");
    /* they end the run that is on in its own way, and this process by the status of that run */
    action.sa_sigaction = pass_on;
    main_take_signals(&action, &taken);
    gmtime_r(&now, &utc);
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
    again[0] = argv[0];
    again[1] = word;
    memcpy(again + 2, argv + 1, ((size_t)argc - 1) * sizeof *again);
    for (int i = 1; i <= n_runs && !status; i++) {
        int one = 0;

        fprintf(stderr, "run %d of %d\n", i, n_runs);
        snprintf(word, sizeof word, "--run=%d,%s-%ld", i, stamp, (long)getpid());
        status = run_once(again, &taken, &one);
        *code = *code ? *code : one;
        /* a wrong or failed configuration has a row that says so; anything else is the end */
        if (one != 0 && one != 1 && one != 5)
            break;
        if (!status && told && i < n_runs)
            status = BENCH_FAIL(BENCH_EINTR, "interrupted after %d of %d runs", i, n_runs);
    }
    free(again);
    return status;
}

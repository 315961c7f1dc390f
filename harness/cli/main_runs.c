/*
 * main_runs.c - `depthbench run` several times: a process for each of the descriptors' runs,
 * since two differ by more than the samples of one tell, or for each core, which makes its
 * share of the references.  This one starts the program anew, with the same arguments, and
 * waits.
 */
#include "harness/cli/main_private.h"

#include "harness/base/memory.h"
#include "harness/platform/process.h"
#include "harness/platform/threads.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum bench_status main_start(const char *const *words, double limit_s, int *code)
{
    const pid_t run = process_start("/proc/self/exe", words, NULL);
    int state = -1;

    FAIL_IF(run < 0, BENCH_EIO, "the program cannot be started again: %s", strerror(errno));
    process_pass_signals(run);
    if (!process_wait(run, limit_s, &state)) {
        kill(run, SIGINT);
        process_wait(run, -1, &state);
    }
    process_pass_signals(0);
    FAIL_IF(state < 0, BENCH_EIO, "a run cannot be waited for");
    FAIL_IF(!WIFEXITED(state), BENCH_EIO, "a run was ended by signal %d", WTERMSIG(state));
    *code = WEXITSTATUS(state);
    return BENCH_OK;
}

enum bench_status main_repeat(int argc, char **argv, int n_runs, int *code)
{
    char word[96], stamp[BENCH_UTC];
    OWNED(memory_free) char **again = NULL;
    enum bench_status status = BENCH_OK;

    *code = 0;
    TRY(memory_allocate(&again, sizeof *again, argc + 2, 1, 1, 1));
    /* they end the run that is on in its own way, and this process by the status of that run */
    process_take_signals(NULL, SA_RESTART);
    bench_utc("%Y%m%dT%H%M%SZ", stamp);
    again[0] = argv[0];
    again[1] = word;
    memcpy(again + 2, argv + 1, ((size_t)argc - 1) * sizeof *again);
    for (int i = 1; i <= n_runs && !status; i++) {
        int one = 0;

        fprintf(stderr, "run %d of %d\n", i, n_runs);
        snprintf(word, sizeof word, "--run=%d,%s-%ld", i, stamp, (long)getpid());
        status = main_start((const char *const *)again, -1, &one);
        *code = *code ? *code : one;
        /* a wrong or failed configuration has a row that says so; anything else is the end */
        if (one != 0 && one != 1 && one != 5)
            break;
        if (!status && process_interrupts && i < n_runs)
            status = BENCH_FAIL(BENCH_EINTR, "interrupted after %d of %d runs", i, n_runs);
    }
    return status;
}

enum bench_status main_prepare(int argc, char **argv)
{
    const int n_cores = bench_cores()->n_cores;
    char word[40];
    OWNED(memory_free) char **again = NULL;
    OWNED(memory_free) pid_t *child = NULL;
    int n_started = 0, state;

    TRY(memory_allocate(&again, sizeof *again, argc + 2, 1, 1, 1));
    TRY(memory_allocate(&child, sizeof *child, n_cores, 1, 1, 1));
    process_take_signals(NULL, SA_RESTART);
    setenv("CUDA_VISIBLE_DEVICES", "", 1); /* a GPU is of one process at a time */
    again[0] = argv[0];
    again[1] = word;
    memcpy(again + 2, argv + 1, ((size_t)argc - 1) * sizeof *again);
    for (int i = 0; i < n_cores; i++) {
        snprintf(word, sizeof word, "--rank=%d/%d", i, n_cores);
        child[n_started] = process_start("/proc/self/exe", (const char *const *)again, NULL);
        n_started += child[n_started] >= 0;
    }
    for (int i = 0; i < n_started; i++) {
        if (process_interrupts)
            kill(child[i], SIGINT);
        process_pass_signals(child[i]);
        process_wait(child[i], -1, &state);
    }
    process_pass_signals(0);
    return process_interrupts ? BENCH_FAIL(BENCH_EINTR, "interrupted") : BENCH_OK;
}

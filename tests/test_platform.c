/* test_platform.c - processes on one card take turns; a thread before all others; teams bound
 * and free again; the memory that a process had for a while */
#include "harness/platform/gpu_lock.h"
#include "harness/platform/platform.h"
#include "harness/platform/realtime.h"
#include "harness/platform/threads.h"
#include "tests/files.h"
#include "tests/support.h"

#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[4096];

static bool stop(void)
{
    return true;
}

static bool go_on(void)
{
    return false;
}

static void on_alarm(int number)
{
}

static int take_in_a_child(const char *name)
{
    const pid_t child = fork();
    int status = 0;

    assert_true(child >= 0);
    if (child == 0) {
        const struct itimerval often = {{0, 1000}, {0, 1000}};
        const struct sigaction action = {.sa_handler = on_alarm};
        int turn;

        /* who must wait is woken by the signals and asks whether to stop */
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &often, NULL);
        turn = gpu_lock_acquire(name, stop);
        _exit(turn >= 0 ? 0 : 1);
    }
    while (waitpid(child, &status, 0) < 0)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(one_at_a_time)
{
    int turn = gpu_lock_acquire("GPU-one", NULL);

    assert_true(turn >= 0);
    assert_int_equal(take_in_a_child("GPU-one"), 1);
    assert_int_equal(take_in_a_child("GPU-other"), 0);
    gpu_lock_release(turn);
    assert_int_equal(take_in_a_child("GPU-one"), 0); /* it ends, and never gives it back */
    turn = gpu_lock_acquire("GPU-one", go_on);
    assert_true(turn >= 0);
    gpu_lock_release(turn);
    setenv("TMPDIR", "/no/such/folder", 1); /* there is no turn */
    assert_int_equal(gpu_lock_acquire("GPU-one", NULL), -1);
    gpu_lock_release(-1);
    setenv("TMPDIR", folder, 1);
}

static void assert_mode(const char *path, mode_t mode)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, mode);
}

/* Another user's file at the lock's place, a second name of ours, is not opened to all. */
TEST(what_lies_there_stays_as_it_is)
{
    char path[5000], own[5000];

    snprintf(path, sizeof path, "%s/depthbench-GPU-linked.lock", folder);
    snprintf(own, sizeof own, "%s/own", folder);
    assert_int_equal(close(open(own, O_WRONLY | O_CREAT, 0600)), 0);
    assert_int_equal(link(own, path), 0);
    gpu_lock_release(gpu_lock_acquire("GPU-linked", NULL));
    assert_mode(own, 0600);
    snprintf(path, sizeof path, "%s/depthbench-GPU-alone.lock", folder);
    gpu_lock_release(gpu_lock_acquire("GPU-alone", NULL));
    assert_mode(path, 0666); /* for all users */
}

/* ---- real time ---- */

#if defined(__SANITIZE_ADDRESS__) /* it says that memory is locked, and locks none */
#define NOTHING "locked"
#else
#define NOTHING "refused"
#endif

/* Refuses the user without a right, and gives back what was had. */
TEST(real_time_is_asked_for)
{
    struct platform_realtime had = platform_realtime_begin();
    int status;
    pid_t child;

    assert_int_equal(sched_getscheduler(0) & ~SCHED_RESET_ON_FORK,
                     had.is_fifo ? SCHED_FIFO : SCHED_OTHER);
    platform_realtime_end(&had);
    assert_int_equal(sched_getscheduler(0), SCHED_OTHER);

    child = fork();
    if (child == 0) {
        const struct rlimit none = {0, 0};
        const bool is_user = setrlimit(RLIMIT_RTPRIO, &none) == 0 &&
                             setrlimit(RLIMIT_MEMLOCK, &none) == 0 &&
                             (geteuid() != 0 || setuid(65534) == 0);

        had = platform_realtime_begin();
        _exit(!(is_user && !strcmp(platform_realtime_name(&had), NOTHING) &&
                sched_getscheduler(0) == SCHED_OTHER));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* ---- memory ---- */

#define CHUNK ((size_t)100 << 10) /* none is a mapping of its own */

static char *chunk[600];

static void fill(int from, int end)
{
    for (int i = from; i < end; i++) {
        chunk[i] = malloc(CHUNK);
        assert_non_null(chunk[i]);
        memset(chunk[i], 1, CHUNK);
    }
}

static void drop(int from, int end)
{
    for (int i = from; i < end; i++)
        free(chunk[i]);
}

/* The fewest processors that a thread of a team may run on. */
static int narrowest(int n_threads)
{
    int fewest = CPU_SETSIZE;
#pragma omp parallel num_threads(n_threads) reduction(min : fewest)
    {
        cpu_set_t set;

        fewest = sched_getaffinity(0, sizeof set, &set) ? 0 : CPU_COUNT(&set);
    }
    return fewest;
}

TEST(no_thread_of_a_team_stays_bound)
{
    const int n = bench_cores()->n_pus, all = narrowest(1);
    char text[48];

    if (n < 2)
        skip();
    assert_int_equal(bench_threads_bind(n, 0, text, sizeof text), n);
    assert_string_not_equal(text, "none");
    assert_int_equal(narrowest(n), 1);
    bench_threads_bind(1, 0, text, sizeof text);
    bench_threads_unbind();
    assert_int_equal(narrowest(n), all);
}

/* Neither what malloc has kept from before counts, nor what it keeps in the end as in use. */
TEST(peak_is_of_what_came_and_went)
{
    double n;

#if defined(__SANITIZE_ADDRESS__) /* it keeps what is freed */
    skip();
#endif
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    fill(0, 600);
    drop(0, 599);
    if (!platform_peak_begin(""))
        skip();
    fill(0, 300);
    drop(0, 150);
    n = platform_peak_bytes("") / CHUNK;
    drop(150, 300);
    drop(599, 600);
    assert_true(n > 130 && n < 170); /* the kernel counts pages roughly */
}

int main(void)
{
    int failed;

    mkdir(support_place(), 0777);
    snprintf(folder, sizeof folder, "%s/turn-XXXXXX", support_place());
    if (!mkdtemp(folder) || setenv("TMPDIR", folder, 1))
        return 1;
    failed = run_all_tests(NULL, NULL);
    support_remove(folder);
    return failed;
}

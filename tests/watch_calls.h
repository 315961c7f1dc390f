/* watch_calls.h - test_watch's view of other threads, and library calls it replaces (--wrap) */
#ifndef TESTS_WATCH_CALLS_H
#define TESTS_WATCH_CALLS_H

#include "harness/library/depthbench.h"
#include "tests/support.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static pthread_t main_thread;
static atomic_int n_waiting;          /* other threads, for a condition */
static _Thread_local int n_locks;     /* that this thread took */
static int n_runs, n_wakes;           /* of the library */
static void (*before_run)(int run);   /* NULL: nothing happens */
static long n_pages;                  /* of memory, 4 KiB each; 0: the machine's */
static bool has_unnamed_files = true; /* the file system */
static int n_until_end;               /* the write that cannot be kept; 0: all can be */
static bool is_end_a_kill;            /* of the program, there */

/* Begins a function in the place of 'name', which is __real_name then. */
#define WRAPPED(type, name, ...)     \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

WRAPPED(int, depthbench_run, depthbench *context)
{
    if (before_run)
        before_run(n_runs);
    n_runs++;
    return __real_depthbench_run(context);
}

WRAPPED(int, depthbench_wake, depthbench *context)
{
    n_wakes++;
    return __real_depthbench_wake(context);
}

WRAPPED(int, pthread_mutex_lock, pthread_mutex_t *mutex)
{
    n_locks++;
    return __real_pthread_mutex_lock(mutex);
}

WRAPPED(int, pthread_cond_wait, pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    const int is_other = !pthread_equal(pthread_self(), main_thread);
    int error;

    n_waiting += is_other;
    error = __real_pthread_cond_wait(condition, mutex);
    n_waiting -= is_other;
    return error;
}

WRAPPED(long, sysconf, int name)
{
    if (n_pages > 0 && name == _SC_PAGESIZE)
        return 4096;
    return n_pages > 0 && name == _SC_PHYS_PAGES ? n_pages : __real_sysconf(name);
}

WRAPPED(int, fsync, int fd)
{
    if (n_until_end == 0 || --n_until_end > 0)
        return __real_fsync(fd);
    if (is_end_a_kill)
        _exit(9);
    errno = ENOSPC;
    return -1;
}

WRAPPED(int, fclose, FILE *file)
{
    const int error = __real_fclose(file);

    errno = 0; /* it may do so */
    return error;
}

WRAPPED(int, access, const char *path, int mode)
{
    return has_unnamed_files || strcmp(path, "/proc/self/fd") != 0 ? __real_access(path, mode)
                                                                   : -1;
}

static int n_left(int fd)
{
    int n = -1;

    assert_int_equal(ioctl(fd, FIONREAD, &n), 0);
    return n;
}

static int n_threads(void)
{
    DIR *const tasks = opendir("/proc/self/task");
    int n = 0;

    assert_non_null(tasks);
    for (const struct dirent *entry; (entry = readdir(tasks)) != NULL;)
        n += entry->d_name[0] != '.';
    closedir(tasks);
    return n;
}

#endif

/*
 * threads.h - the cores of this machine, and OpenMP threads bound to them
 */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include "harness/platform/sysfs.h" /* BOARD_WHY */

#include <stdbool.h>
#include <stddef.h>

/* The processors that this process may use, by hwloc, and how many of them a team may have. */
struct bench_cores {
    int n_cores;      /* cores with at least one usable hardware thread */
    int n_pus;        /* usable hardware threads */
    int n_there;      /* cores of the machine, usable or not */
    int first_pu;     /* the lowest usable hardware thread by the system; -1: not known */
    size_t llc_bytes; /* the largest last-level cache; 0: not known */
    char cpu_model[128];
    char limits[128]; /* what leaves a team less than the machine has; "": nothing */
    const char
        *ignored; /* variables of hwloc that would have shown another machine; "": none */
};

/* Look at the machine once; the answer is kept.  Falls back to omp_get_num_procs() when hwloc
 * fails.  Settings of OpenMP that bind this process's first thread do not count, but for places
 * that they leave out. */
const struct bench_cores *bench_cores(void);

/* From now on no team is larger than this many processors' worth of time; 0: no such limit. */
void bench_cores_limit(double n_processors);

/* Look again: a power mode has turned processors on or off. */
void bench_cores_again(void);

/* Make a team of n_threads and bind each to a core of its own, from the 'first' on, else to a
 * hardware thread, else not at all ('first' is -1: neither).  Returns how many threads the team
 * really had.  'text' (at least 48 bytes) says what was done: "hwloc:core", "hwloc:pu",
 * "none". */
int bench_threads_bind(int n_threads, int first, char *text, size_t size);

/* Write where the threads of a team may run now: "0-3,8", as the system numbers processors.
 * Returns how many these are, 0 if that is not known. */
int bench_threads_where(int n_threads, char *text, size_t size);

/* Variants and problems need this, with room: on x86-64 a main thread crashed with 256 KiB, one
 * of a team with 24. */
#define BENCH_STACK_KIB 1024

/* True if the stacks of this thread and of OpenMP's others have that size; else 'why' says
 * so. */
bool bench_threads_check_stacks(char why[BOARD_WHY]);

/* Free the calling thread, and teams that were bound.  Who binds a team unbinds it: a thread
 * that is made while the calling one is bound shares its core. */
void bench_threads_unbind(void);

#endif

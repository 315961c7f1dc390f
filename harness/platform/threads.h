/*
 * threads.h - the cores of this machine, and OpenMP threads bound to them
 */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include <stddef.h>

/* What hwloc says of the processors that this process may use. */
struct bench_cores {
    int n_cores; /* cores with at least one usable hardware thread */
    int n_pus;   /* usable hardware threads */
    int n_there; /* cores of the machine, usable or not */
    int first_pu; /* the lowest usable hardware thread, as the system numbers them; -1: not known */
    size_t llc_bytes; /* the largest last-level cache; 0: not known */
    char cpu_model[128];
};

/* Look at the machine once; the answer is kept.  Falls back to omp_get_num_procs() when hwloc
 * fails. */
const struct bench_cores *bench_cores(void);

/* Look again: a power mode has turned processors on or off. */
void bench_cores_again(void);

/*
 * Make a team of n_threads, bind each to a core of its own, from the 'first' on, where there are
 * enough (else to a hardware thread, else not at all; nor where 'first' is -1), and return how many
 * threads the team really had.  Where
 * OMP_PROC_BIND is set OpenMP binds, and this only reports.  'text' (at least 48 bytes) says
 * what was done: "hwloc:core", "hwloc:pu", "OMP_PROC_BIND=close", "none".
 */
int bench_threads_bind(int n_threads, int first, char *text, size_t size);

/* Let the calling thread run wherever the process was allowed to when it began, after rows that
 * bound it. */
void bench_threads_unbind(void);

#endif

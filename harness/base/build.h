/*
 * build.h - which build this is: commit, compiler, flags, and a hash of the code itself
 */
#ifndef BENCH_BUILD_H
#define BENCH_BUILD_H

#include <stdbool.h>

struct bench_build {
    const char *commit; /* 40 hex digits, or "unknown" */
    const char *commit_date;
    /* "0", "1": the tree differed from the commit, results/ and plots/ aside; "unknown": nobody
     * could tell, and it counts as changed */
    const char *dirty;
    bool is_clean;
    const char *compiler;
    const char *cuda; /* toolkit release; "" without */
    const char *flags;
    const char *mode; /* release, debug, asan */
    /* XXH64 of the executable's code and constants: equal hashes are the same program,
     * whatever the commit's name; "" when it cannot be read */
    char hash[17];
};

const struct bench_build *bench_build(void);

/* The folder that holds experiments/: $DEPTHBENCH_HOME; else, of PREFIX/bin/depthbench,
 * PREFIX/share/depthbench; else the nearest parent of the current folder or of the executable
 * that has one; "." when there is none. */
const char *bench_home(void);

/* Is that PREFIX/share/depthbench?  Then nothing is written there. */
bool bench_is_installed(void);

/* The folder with a folder of results for each machine: results/ of the above, of an installed
 * program that of the current folder.  The papers' values are not there, but in results/paper
 * of bench_home(). */
const char *bench_results(void);

/* The folder of scripts/ as a sentence names it: that of a checkout needs no path. */
const char *bench_scripts(void);

#endif

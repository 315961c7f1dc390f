/*
 * build.h - which build this is: commit, compiler, flags, and a hash of the code itself
 */
#ifndef BENCH_BUILD_H
#define BENCH_BUILD_H

#include <stddef.h>

struct bench_build {
    const char *commit; /* 40 hex digits, or "unknown" */
    const char *commit_date;
    int dirty; /* 1: the tree differed from the commit, results/ and plots/ aside */
    const char *compiler;
    const char *cuda; /* toolkit release; "" without */
    const char *flags;
    const char *mode; /* release, debug, asan */
    /* XXH64 of the executable's code and constants: equal hashes are the same program,
     * whatever the commit's name; "" when it cannot be read */
    char hash[17];
};

const struct bench_build *bench_build(void);

/* The folder that holds experiments/: $DEPTHBENCH_HOME, else the nearest parent of the
 * executable or of the current folder that has one; "." when there is none. */
const char *bench_home(void);

#endif

/*
 * build.h - which build this is: commit, compiler, flags, and a hash of the code itself
 */
#ifndef BENCH_BUILD_H
#define BENCH_BUILD_H

#include <stdbool.h>

struct bench_build {
    const char *version; /* DEPTHBENCH_VERSION of harness/library/depthbench.h */
    const char *commit;  /* 40 hex digits, or "unknown" */
    const char *commit_date;
    /* "0"; "1" if the tree differs outside results/ and plots/; "unknown" counts as "1" */
    const char *dirty;
    bool is_clean;
    const char *compiler;
    const char *cuda; /* toolkit release; "" without */
    const char *flags;
    const char *mode; /* release, debug, asan */
    /* XXH64 of the executable's code and constants, but for its commit; "": unreadable */
    char hash[17];
};

const struct bench_build *bench_build(void);

/* The folder that holds experiments/: $DEPTHBENCH_HOME; else PREFIX/share/depthbench; else the
 * nearest parent of the current folder or of the executable with one; else ".". */
const char *bench_home(void);

/* Is that PREFIX/share/depthbench?  Then nothing is written there. */
bool bench_is_installed(void);

/* The folder of each machine's results: results/ of the above, or of the current folder if
 * installed.  The papers' values are always in results/paper of bench_home(). */
const char *bench_results(void);

/* The folder of scripts/ as a sentence names it; "scripts" in a checkout. */
const char *bench_scripts(void);

#endif

/* tool.h - run a program of the machine and wait for it, but not for ever; for the files of
 * this folder */
#ifndef BOARD_TOOL_H
#define BOARD_TOOL_H

#include <stdbool.h>
#include <stddef.h>

struct tool_result {
    bool timed_out; /* it was killed, with all that it had started */
    int status;     /* its exit status, 128 + the signal that ended it; 127: it did not run */
    char output[4096]; /* the beginning of stdout and stderr together */
};

/* The program 'name' in sysroot's /usr/sbin, /usr/bin, /usr/local/bin or /usr/local/cuda/bin; on the real machine
 * ("") on PATH, too.  false: there is none that may be run. */
bool tool_find(const char *sysroot, const char *name, char *path, size_t size);

/* Run path with 'option' and its argument (NULL: none), "no" as all of its input, in a process
 * group of its own.  Calls nothing that a child of a program with threads may not.  true: it
 * has ended by itself, and well. */
bool tool_run(const char *path, const char *option, const char *argument, double timeout_s,
              struct tool_result *result);

/* In a child, which they do the same for: close the files of ours, but for two; and run a program in a
 * process group of its own, with these ends as its standard files. */
void tool_close_all_but(int one, int other);
void tool_become(const char *path, const char *const argv[], const int ends[3])
    __attribute__((noreturn));

#endif

/*
 * process.h - other processes: started, heard, waited for but not for ever; and the signals
 * that stop this one
 */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ---- programs ---- */

/* Finds the program 'name' in sysroot's /usr/sbin, /usr/bin, /usr/local/bin or
 * /usr/local/cuda/bin; on the real machine ("") on PATH, too.  false: none may be run. */
bool process_find(const char *sysroot, const char *name, char *path, size_t size);

struct process_result {
    bool timed_out; /* it was killed, with all that it had started */
    int status;     /* its exit status, 128 + the signal that ended it; 127: it did not run */
    char output[4096]; /* the beginning of stdout and stderr together */
};

/* Runs path with 'option' and its argument (NULL: none), "no" as all of its input, in a process
 * group of its own.  true: it has ended by itself, and well.  Like all functions below, it
 * calls nothing that a child of a program with threads may not. */
bool process_run(const char *path, const char *option, const char *argument, double timeout_s,
                 struct process_result *result);

/* Starts a program.  'ends': its standard files; it then has a process group of its own.  NULL:
 * it has ours, and its group is ours.  Returns -1 and sets errno if there can be no process. */
pid_t process_start(const char *path, const char *const argv[], const int ends[3]);

/* The same, in the place of a child that has been forked. */
void process_become(const char *path, const char *const argv[], const int ends[3])
    __attribute__((noreturn));

/* ---- processes of this program ---- */

/* Forks a child that exits with what work(self, link) returns.  A socket joins both: the
 * child's end is 'link', *link ours.  Returns -1 and sets errno if there can be none. */
pid_t process_fork(int work(void *self, int link), void *self, int *link);

/* In a child: closes the files of ours but for the standard files and one. */
void process_close_all_but(int fd);

/* Say a byte, not 0, to the other end; false: it is gone.  Hear one; 0: it is gone, -1: nothing
 * was said for limit_s (below 0: no limit). */
bool process_say(int link, char byte);
int process_hear(int link, double limit_s);

/* True if the child has ended within limit_s (below 0: no limit); *how is as of waitpid(). */
bool process_wait(pid_t child, double limit_s, int *how);

/* ---- signals ---- */

/* SIGINT, SIGTERM and SIGHUP so far: 1 stop at a good place, 2 stop now. */
extern volatile sig_atomic_t process_interrupts;

/* From now on these signals count, and the first says 'words' (NULL: nothing); 'flags' are of
 * sigaction().  SIGHUP stays ignored below nohup. */
void process_take_signals(const char *words, int flags);

/* The child to which they are passed on (0: none), except for those of a terminal, which the
 * whole process group gets. */
void process_pass_signals(pid_t child);

#endif

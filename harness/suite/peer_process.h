/* peer_process.h - another program: started, told and asked by lines, and stopped whatever it
 * does */
#ifndef BENCH_PEER_PROCESS_H
#define BENCH_PEER_PROCESS_H

#include "harness/base/status.h"

#include <sched.h>

#define PEER_LINE 256 /* bytes of a line that it says, with the NUL */

struct peer_process;

/* Start 'command', a line for sh, in 'folder', with OMP_NUM_THREADS = n_threads, on the
 * processors 'cpus'.  'name' (borrowed) begins sentences; each answer is waited for limit_s.
 * BENCH_EIO, BENCH_ENOMEM; a command that cannot be run is seen when it does not answer.
 * SIGPIPE must not be at its default.  Whom it starts ends with it, in whatever session, and
 * all of them with us. */
enum bench_status peer_start(const char *name, const char *command, const char *folder,
                             int n_threads, const cpu_set_t *cpus, double limit_s,
                             struct peer_process **process);

/*
 * Tell it lines, each with its end, the last of which is 'asked' ("run 1"); then hear each line
 * of its answer, without its end.  BENCH_EIO where it has said something that it was not asked
 * for, does not read, gives no answer in time, ends, or answers by too long a line; then it is
 * killed, and the sentence has the last line of its standard error.
 */
enum bench_status peer_tell(struct peer_process *process, const char *asked, const char *lines);
enum bench_status peer_hear(struct peer_process *process, const char *asked,
                            char line[PEER_LINE]);

/* It has broken the rules: kill it.  BENCH_EIO, "NAME WHAT", and its last words. */
enum bench_status peer_break(struct peer_process *process, const char *what);

/* Tell it to quit, wait, kill it and all that it has left, and free it.  NULL is fine.  Half a
 * sentence where that was not all that there was to do, else NULL. */
const char *peer_stop(struct peer_process *process);

#endif

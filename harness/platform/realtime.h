/*
 * realtime.h - this thread before all others, and its memory in RAM, for as long as a stream
 * takes
 *
 * Both need a right (CAP_SYS_NICE or RLIMIT_RTPRIO; CAP_IPC_LOCK or RLIMIT_MEMLOCK).  What is
 * refused is left as it was: a stream is measured all the same.
 */
#ifndef PLATFORM_REALTIME_H
#define PLATFORM_REALTIME_H

#include <stdbool.h>

struct platform_realtime {
    bool is_fifo;   /* SCHED_FIFO, of this thread alone: those that it starts have it not */
    bool is_locked; /* all pages that the process has now */
    int policy, priority; /* before */
};

/* No failure: what could not be had is false. */
struct platform_realtime platform_realtime_begin(void);
/* Give back what was had. */
void platform_realtime_end(const struct platform_realtime *had);

/* "fifo, locked", "fifo", "locked" or "refused". */
const char *platform_realtime_name(const struct platform_realtime *had);

#endif

/* realtime.c - this thread before all others, and its memory in RAM, for as long as a stream
 * takes */
#include "harness/platform/realtime.h"

#include <sched.h>
#include <sys/mman.h>

#define PRIORITY 50 /* of 1..99: below the kernel's own threads that watch over it */

struct platform_realtime platform_realtime_begin(void)
{
    const struct sched_param first = {.sched_priority = PRIORITY};
    struct platform_realtime had = {.policy = sched_getscheduler(0)};
    struct sched_param before;

    if (had.policy >= 0 && sched_getparam(0, &before) == 0) {
        had.priority = before.sched_priority;
        had.is_fifo = sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first) == 0;
    }
    had.is_locked = mlockall(MCL_CURRENT) == 0;
    return had;
}

/* (Who has no CAP_SYS_NICE may not take the flag back.) */
void platform_realtime_end(const struct platform_realtime *had)
{
    const struct sched_param before = {.sched_priority = had->priority};

    if (had->is_locked)
        munlockall();
    if (had->is_fifo && sched_setscheduler(0, had->policy, &before) != 0)
        sched_setscheduler(0, had->policy | SCHED_RESET_ON_FORK, &before);
}

const char *platform_realtime_name(const struct platform_realtime *had)
{
    return had->is_fifo     ? had->is_locked ? "fifo, locked" : "fifo"
           : had->is_locked ? "locked"
                            : "refused";
}

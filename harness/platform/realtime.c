/* realtime.c - this thread before all others, and its memory in RAM, for as long as a stream takes */
#include "harness/platform/realtime.h"

#include <sched.h>
#include <sys/mman.h>

#define PRIORITY 50 /* of 1..99: below the kernel's own threads that watch over it */

struct platform_realtime platform_realtime_begin(void)
{
    const struct sched_param first = {.sched_priority = PRIORITY};

    return (struct platform_realtime){
        .is_fifo = sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first) == 0,
        .is_locked = mlockall(MCL_CURRENT) == 0};
}

void platform_realtime_end(const struct platform_realtime *had)
{
    const struct sched_param usual = {.sched_priority = 0};

    if (had->is_locked)
        munlockall();
    if (had->is_fifo)
        sched_setscheduler(0, SCHED_OTHER, &usual);
}

const char *platform_realtime_name(const struct platform_realtime *had)
{
    return had->is_fifo     ? had->is_locked ? "fifo, locked" : "fifo"
           : had->is_locked ? "locked"
                            : "refused";
}

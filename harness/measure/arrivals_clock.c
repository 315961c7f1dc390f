/* arrivals_clock.c - the clock of frames that arrive in real time */
#include "harness/measure/arrivals.h"

#include <time.h>

#define NS_PER_S 1000000000LL
#define SPIN_NS  100000 /* before an arrival the host wakes up, and spins */

static long long now_ns(void *self)
{
    struct timespec t;

    (void)self;
    clock_gettime(CLOCK_MONOTONIC, &t); /* by which one can sleep */
    return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static void wait_until(void *self, long long ns)
{
    const long long until_ns = ns - SPIN_NS;
    const struct timespec t = {.tv_sec = (time_t)(until_ns / NS_PER_S),
                               .tv_nsec = (long)(until_ns % NS_PER_S)};

    (void)self;
    if (now_ns(NULL) < until_ns)
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

const struct arrivals_clock arrivals_real_clock = {now_ns, wait_until, NULL};

/*
 * wake.h - a host that is awake when a frame arrives; without clock, frame or GPU
 *
 * While nothing is in work, host and GPU fall asleep, and the next frame pays for it.  So the
 * host uses the GPU some time before a frame is due, and spins from then on.
 */
#ifndef BENCH_WAKE_H
#define BENCH_WAKE_H

#include <stdbool.h>

/* A GPU is not woken, or by a copy of 64 KiB and an empty kernel, or by the last frame. */
enum wake_how { WAKE_NO, WAKE_TOUCH, WAKE_RERUN };

#define WAKE_LEAD_NS  400000 /* before a frame is due */
#define WAKE_TOUCH_NS 50000  /* that a touch takes at most */

/* The frames of a stream, as far as waking depends on them. */
struct wake {
    enum wake_how how;
    long long begun_ns; /* the last frame */
    long long took_ns;  /* the last that is done; 0: none is */
    long long woken_ns; /* the due time of the one that was woken for last */
};

void wake_begun(struct wake *wake, long long now_ns);
void wake_done(struct wake *wake, long long now_ns);

/* A step of a host that waits. */
struct wake_step {
    long long until_ns; /* it sleeps until then; now: it spins */
    bool wakes;         /* it uses the GPU now, once for each frame */
};

/* The step to take now, before a frame that is due at due_ns; -1: nobody knows when, and it
 * sleeps for ever.  Waking is over when the frame is due, or does not begin. */
struct wake_step wake_step(struct wake *wake, long long now_ns, long long due_ns);

/* Returns what a clock that sleeps until spin_ns before a time is told in a step, and never a
 * time behind ns. */
static inline long long wake_time(struct wake_step step, long long ns, long long spin_ns)
{
    return step.until_ns < ns - spin_ns ? step.until_ns + spin_ns : ns;
}

/* ---- frames that nobody announces ---- */

#define WAKE_HEARD  8 /* intervals from which the period is learnt */
#define WAKE_MISSES 3 /* frames in a row that may stay away until none is expected */

/* The times at which they came. */
struct wake_rhythm {
    long long last_ns, interval_ns[WAKE_HEARD];
    int n; /* frames */
};

void wake_hear(struct wake_rhythm *rhythm, long long arrived_ns);

/* Returns when the next frame is due: whole periods after the last one, and not WAKE_LEAD_NS
 * ago.  -1: nobody knows, since too few came, or not as regularly as that. */
long long wake_expect(const struct wake_rhythm *rhythm, long long now_ns);

#endif

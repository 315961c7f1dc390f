/*
 * arrivals.h - frames that arrive on a clock, and their results; without clock or variant
 *
 * Frame k arrives at t0 + k / rate: a schedule that is laid down before the first frame and
 * never moved.  The latency of a frame is the time of its result less its arrival on that
 * schedule, however late it was begun.  So a stall is in the latency of each frame that it kept
 * waiting, and no frame is left out because the one before it was slow (coordinated omission).
 */
#ifndef BENCH_ARRIVALS_H
#define BENCH_ARRIVALS_H

#include "harness/base/status.h"

#include <stdbool.h>

#define BENCH_MAX_IN_FLIGHT 16

struct arrivals_plan {
    int rate;           /* frames a second; 0: a frame arrives whenever there is room for it */
    int in_flight;      /* frames in work at a time, 1..BENCH_MAX_IN_FLIGHT */
    bool drops;         /* a frame that finds in_flight frames in work is lost; else it waits */
    int n;              /* frames that arrive, >= 1 */
    long long lead_ns;  /* from the call to the first frame */
    long long limit_ns; /* from the first frame on, after which no other arrives; 0: none */
    int least;          /* frames that arrive whatever the limit */
};

/* Nanoseconds from any zero.  wait_until() may return early: it is called again. */
struct arrivals_clock {
    long long (*now_ns)(void *self);
    void (*wait_until)(void *self, long long ns);
    void *self;
};

/* CLOCK_MONOTONIC; it sleeps until so long before a time. */
#define ARRIVALS_SPIN_NS 100000
extern const struct arrivals_clock arrivals_real_clock;

/* The next frame is to come, is there, or never comes. */
enum arrivals_sight { ARRIVALS_WAIT, ARRIVALS_THERE, ARRIVALS_OVER };

/* The fate of a frame.  A dropped one has no turn and was neither begun nor done. */
struct arrivals_frame {
    int frame, turn; /* from 0 */
    long long arrived_ns, begun_ns, done_ns;
    bool is_missed, is_dropped;
};

/* The work on a frame.  'turn' counts undropped frames from 0.  A failure ends the stream. */
struct arrivals_work {
    /* Take it into work, or do all of it.  At most in_flight turns are in work. */
    enum bench_status (*begin)(void *self, int turn);
    /* Sets *is if its result is there; asked in the order of turns, until it is. */
    enum bench_status (*is_done)(void *self, int turn, bool *is);
    void *self;
    /* NULL: frames arrive as the plan says.  Else the next frame is there (*ns: since when; -1:
     * if there is room), is to come (*ns: when to ask again), or never comes. */
    enum arrivals_sight (*look_out)(void *self, int frame, long long *ns);
    /* NULL, or told of each frame once: when its result is there, or when it is dropped. */
    enum bench_status (*tell)(void *self, const struct arrivals_frame *frame);
};

/* The outcome.  A dropped frame has no latency and is no miss. */
struct arrivals {
    long long t0_ns; /* the arrival of frame 0 */
    int n_arrived, n_dropped;
    int n;              /* results: n_arrived - n_dropped */
    double *latency_ns; /* [n], room for plan->n; the caller's.  NULL: not wanted */
    int n_missed;       /* latencies of more than a period; 0 where there is no rate */
    double jitter_ns;   /* mean |latency - that of the result before|; 0 for n = 1 */
    double fps;         /* (n - 1) / time from the first result to the last; 0 for n = 1 */
    double begin_ns;    /* mean time of the calls of begin */
    bool is_cut;        /* by the limit */
};

/* From the arrival of frame 0 to that of frame k, of so many frames a second: exact to 1 ns. */
long long arrivals_after_ns(int rate, int k);

/* Run the stream to its last result.  It polls while a frame is in work, else it waits for the
 * next arrival.  A failure is that of the work. */
enum bench_status arrivals_run(const struct arrivals_plan *plan,
                               const struct arrivals_clock *clock,
                               const struct arrivals_work *work, struct arrivals *arrivals);

#endif

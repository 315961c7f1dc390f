/*
 * energy.h - a pass of its own: work is repeated while a thread reads the machine's power
 *
 * Idle first, then the work, over and over; a thread reads the source meanwhile, often for
 * power, which is integrated.  It inherits the place of the thread that calls (docs/JETSON.md
 * says where that is).  Rows of such a pass are not timed.
 */
#ifndef BENCH_ENERGY_H
#define BENCH_ENERGY_H

#include "harness/platform/power.h"
#include "harness/base/status.h"

#include <stdbool.h>

/* The clock, which tests replace. */
struct bench_time {
    double (*now_s)(void *self);
    void (*wait_s)(void *self, double s);
    void *self;
};

/* CLOCK_MONOTONIC_RAW, nanosleep. */
extern const struct bench_time bench_real_time;

struct bench_energy_plan {
    double idle_s;   /* of which the first fifth is not counted: clocks come down after work */
    double work_s;   /* at least */
    double period_s; /* between readings */
    /* readings that differ, of a counter; readings, of power: fewer say nothing */
    int min_updates;
};

#define BENCH_MIN_UPDATES 20

/* Plans a pass of so many seconds of work. */
struct bench_energy_plan bench_energy_plan_of(double work_s);

struct bench_energy {
    bool is_measured;
    double joules, idle_watt, seconds; /* gross; of the work */
    long long n_runs;                  /* of one input each */
    int n_readings;                    /* updates, of a counter */
    const char *scope;                 /* of the measurement: power.h */
    const char *source;                /* NULL: no pass was asked for */
    char rails[256];
    char note[BOARD_WHY]; /* why it is not measured */
};

/* Some runs, and wait for their end; adds to *n_runs. */
typedef enum bench_status bench_energy_work(void *self, long long *n_runs);

/* Fill 'energy'; its note says why the source gives too little.  A failure is the work's. */
enum bench_status bench_energy_pass(struct platform_power *power,
                                    const struct bench_energy_plan *plan,
                                    const struct bench_time *time, bench_energy_work *work,
                                    void *self, struct bench_energy *energy);

#endif

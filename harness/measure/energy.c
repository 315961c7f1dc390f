/* energy.c - work is repeated while a thread reads what the machine draws */
#include "harness/measure/energy.h"

#include "harness/measure/measure_private.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double real_now_s(void *self)
{
    (void)self;
    return now_s();
}

static void real_wait_s(void *self, double s)
{
    struct timespec t = {.tv_sec = (time_t)s};

    (void)self;
    t.tv_nsec = (long)((s - (double)t.tv_sec) * 1e9);
    nanosleep(&t, NULL); /* a signal ends it early: the caller looks at the clock */
}

const struct bench_time bench_real_time = {real_now_s, real_wait_s, NULL};

struct bench_energy_plan bench_energy_plan_of(double work_s)
{
    struct bench_energy_plan plan = {.idle_s = work_s * 5 / 3,
                                     .work_s = work_s,
                                     .period_s = 0.05, /* rails are good for 20 a second */
                                     .min_updates = BENCH_MIN_UPDATES};

    if (plan.period_s > work_s / 40)
        plan.period_s = work_s / 40;
    return plan;
}

/* One reader: the thread's own while it runs. */
struct reader {
    struct platform_power *power;
    const struct bench_time *time;
    double period_s;
    struct platform_energy energy;
    char why[BOARD_WHY];
    bool failed;
    /* of both threads: by __atomic, which compilers share; <stdatomic.h> may be another's */
    bool stop;
};

static bool read_now(struct reader *r)
{
    if (!r->failed &&
        !platform_power_read(r->power, r->time->now_s(r->time->self), &r->energy, r->why))
        r->failed = true;
    return !r->failed;
}

static void *keep_reading(void *opaque)
{
    struct reader *r = opaque;

    while (!__atomic_load_n(&r->stop, __ATOMIC_SEQ_CST) && read_now(r))
        r->time->wait_s(r->time->self, r->period_s);
    return NULL;
}

/* Reads the power at rest, W; false: it cannot be read. */
static bool read_idle(struct reader *r, const struct bench_energy_plan *plan)
{
    const double t0 = r->time->now_s(r->time->self);

    while (r->time->now_s(r->time->self) - t0 < plan->idle_s / 5)
        r->time->wait_s(r->time->self, plan->period_s);
    do {
        if (!read_now(r))
            return false;
        r->time->wait_s(r->time->self, plan->period_s);
    } while (r->time->now_s(r->time->self) - t0 < plan->idle_s || r->energy.n_readings < 2);
    return read_now(r);
}

static enum bench_status repeat(struct reader *r, const struct bench_energy_plan *plan,
                                bench_energy_work *work, void *self, long long *n_runs)
{
    pthread_t thread;
    enum bench_status status = BENCH_OK;

    read_now(r); /* from before the first run ... */
    FAIL_IF(pthread_create(&thread, NULL, keep_reading, r), BENCH_ENOMEM,
            "no thread for reading the power");
    do
        status = work(self, n_runs);
    while (!status && r->time->now_s(r->time->self) - r->energy.first_s < plan->work_s);
    __atomic_store_n(&r->stop, true, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    read_now(r); /* ... to behind the last */
    return status;
}

enum bench_status bench_energy_pass(struct platform_power *power,
                                    const struct bench_energy_plan *plan,
                                    const struct bench_time *time, bench_energy_work *work,
                                    void *self, struct bench_energy *energy)
{
    struct reader idle = {.power = power, .time = time, .period_s = plan->period_s};
    struct reader busy = idle;
    const struct platform_power_facts *const facts = platform_power_describe(power);
    int n;

    memset(energy, 0, sizeof *energy);
    energy->source = facts->source;
    energy->scope = facts->scope;
    snprintf(energy->rails, sizeof energy->rails, "%s", facts->rails);
    if (!read_idle(&idle, plan)) {
        snprintf(energy->note, sizeof energy->note, "%s", idle.why);
        return BENCH_OK;
    }
    TRY(repeat(&busy, plan, work, self, &energy->n_runs));
    n = facts->is_counter ? busy.energy.n_updates : busy.energy.n_readings;
    energy->n_readings = n;
    energy->joules = busy.energy.joules;
    energy->seconds = busy.energy.seconds;
    if (busy.failed)
        snprintf(energy->note, sizeof energy->note, "%s", busy.why);
    else if (n < plan->min_updates || !(busy.energy.joules > 0) || !(idle.energy.seconds > 0) ||
             !(busy.energy.seconds > 0))
        snprintf(energy->note, sizeof energy->note,
                 "%d %s in %.3g s are too few to say what was drawn: at least %d are needed", n,
                 facts->is_counter ? "updates of the counter" : "readings", busy.energy.seconds,
                 plan->min_updates);
    else
        energy->is_measured = true;
    if (energy->is_measured)
        energy->idle_watt = idle.energy.joules / idle.energy.seconds;
    return BENCH_OK;
}

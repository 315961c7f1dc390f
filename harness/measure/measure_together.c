/* measure_together.c - a series whose samples are slices of an interval that all ranks share */
#include "harness/measure/measure_private.h"

#include "harness/measure/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES 16 /* of a rank's tally, for each slice */
#define POINTS  4  /* of what all ranks have done */

#if POINTS * BENCH_MOST_SLICES > TALLY_MOST
#error "what all ranks have done does not fit"
#endif

void bench_part_of(const struct bench_plan *plan, const struct bench_together *together, int n,
                   int *first, int *count)
{
    const bool is_strong = plan->scaling == BENCH_STRONG;

    *first = is_strong ? (int)((long long)n * together->rank / together->n) : 0;
    *count =
        (is_strong ? (int)((long long)n * (together->rank + 1) / together->n) : n) - *first;
}

static int n_slices(const struct bench_plan *plan)
{
    return plan->min_samples < BENCH_MOST_SLICES ? plan->min_samples : BENCH_MOST_SLICES;
}

static enum bench_status agree(struct bench_together *together, enum bench_status status,
                               double limit_s)
{
    status = together->agree(together->world, status, limit_s);
    together->has_agreed = status != BENCH_OK;
    return status;
}

/* Run until the interval is over.  A loaded GPU begins it without a sample on its way. */
static enum bench_status count(struct runner *r, const struct bench_timing *t,
                               struct bench_tally *tally)
{
    const double begin = now_s(), step = r->plan->interval_s / (ENTRIES * n_slices(r->plan));
    double now = begin, done = 0, ms;

    tally->n = 1;
    tally->time_s[0] = begin;
    tally->done[0] = 0;
    while (now - begin < r->plan->interval_s) {
        TRY(stop_wished(r));
        TRY(measure_sample(r, t, BENCH_PHASE_TIMED, &ms));
        now = now_s();
        done += t->reps;
        if (now - tally->time_s[tally->n - 1] >= step || now - begin >= r->plan->interval_s) {
            tally->time_s[tally->n] = now;
            tally->done[tally->n++] = done;
        }
    }
    return BENCH_OK;
}

/* Make samples of all ranks' tallies (NULL: no part): ms for a pass of all ranks together.
 * Weak: all passes add up.  Strong: a pass is done when the slowest has done its part. */
static enum bench_status combine(struct bench_together *together, const struct bench_plan *plan,
                                 const struct bench_tally *tally, double *ms)
{
    const bool is_sum = plan->scaling == BENCH_WEAK;
    const int n = POINTS * n_slices(plan);
    const double limit_s = plan->wait_s;
    /* the latest begin, and the earliest end */
    const double zero = tally && !together->is_clock_shared ? tally->time_s[0] : 0;
    double edge[2] = {tally ? tally->time_s[0] - zero : -HUGE_VAL,
                      tally ? zero - tally->time_s[tally->n - 1] : -HUGE_VAL};
    double done[POINTS * BENCH_MOST_SLICES], interval_s;

    TRY(together->reduce(together->world, false, edge, 2, limit_s));
    if (tally)
        tally_cut(tally, edge[0] + zero, -edge[1] + zero, n, done);
    for (int i = 0; i < n; i++)
        done[i] = is_sum ? (tally ? done[i] : 0) : (tally ? -done[i] : -HUGE_VAL);
    TRY(together->reduce(together->world, is_sum, done, n, limit_s));
    for (int i = 0; i < n && !is_sum; i++)
        done[i] = -done[i];
    interval_s = -edge[1] - edge[0];
    return interval_s > 0 && tally_ms(done, n, interval_s, n_slices(plan), ms)
               ? BENCH_OK
               : BENCH_FAIL(
                     BENCH_EENV,
                     "%d ranks have done nothing together: all of them worked for %.3g s; "
                     "interval = %g is too short",
                     together->n, fmax(interval_s, 0), plan->interval_s);
}

/* A series of all ranks: they talk to each other, whether they have a part ('r') or not. */
static enum bench_status meet(struct bench_together *together, const struct bench_plan *plan,
                              struct runner *r, const struct bench_timing *t,
                              struct bench_tally *tally, double *ms)
{
    enum bench_status status;

    TRY(agree(together, BENCH_OK, plan->wait_s)); /* all are ready */
    TRY(together->barrier(together->world, plan->wait_s));
    status = r ? count(r, t, tally) : BENCH_OK;
    TRY(agree(together, status, plan->interval_s + plan->wait_s));
    return combine(together, plan, tally, ms);
}

enum bench_status bench_attend(const struct bench_impl *impl, const struct bench_plan *plan,
                               struct bench_together *together)
{
    double ms[BENCH_MOST_SLICES];

    for (int scope = 0; scope < BENCH_N_SCOPES; scope++)
        if (plan_times(plan, impl, (enum bench_scope)scope, BENCH_SUSTAINED))
            TRY(meet(together, plan, NULL, NULL, NULL, ms));
    return BENCH_OK;
}

static void fill(const struct runner *r, struct bench_timing *t, const double *ms,
                 double *sorted)
{
    t->n = n_slices(r->plan);
    for (int i = 0; i < t->n; i++)
        t->ns[i] = 1e6 * ms[i];
    bench_summarise(ms, t->n, TIMER_TICK_MS, sorted, &t->stat);
    t->stop_reason = "interval";
}

enum bench_status measure_together(struct runner *r, struct bench_timing *t, int n_all)
{
    const bool probe = on_device(r);
    const int n = n_slices(r->plan), most = ENTRIES * n + 2;
    OWNED(memory_free)
    double *numbers = malloc((2 * (size_t)most + 2 * (size_t)n) * sizeof *numbers);
    struct bench_tally tally = {.time_s = numbers, .done = numbers ? numbers + most : NULL};
    double *const ms = numbers ? numbers + 2 * most : NULL;

    NEED(numbers, "a tally");
    if (probe) {
        TRY(bench_device_clock_mhz(r->machine->device, &t->gpu_mhz_before));
        TRY(measure_drain(r));
    }
    TRY(meet(r->machine->together, r->plan, r, t, &tally, ms));
    for (int i = 0; i < n; i++)
        ms[i] /= n_all; /* from a pass to an input */
    fill(r, t, ms, ms + n);
    return probe ? bench_device_clock_mhz(r->machine->device, &t->gpu_mhz_after) : BENCH_OK;
}

/* arrivals.c - frames that arrive on a clock, and what is said of their results */
#include "harness/measure/arrivals.h"

#include <math.h>
#include <time.h>

#define NS_PER_S 1000000000LL

long long arrivals_after_ns(int rate, int k)
{
    return rate > 0 ? k * NS_PER_S / rate : 0;
}

/* A stream under way.  Turns n_done .. n_begun - 1 are in work. */
struct stream {
    const struct arrivals_plan *plan;
    const struct arrivals_clock *clock;
    const struct arrivals_work *work;
    struct arrivals *arrivals;
    int n_begun, n_done;
    struct arrivals_frame last[BENCH_MAX_IN_FLIGHT]; /* turns, at turn % in_flight */
    long long first_done_ns;
    double latency_ns; /* of the last result */
};

static long long now(const struct stream *s)
{
    return s->clock->now_ns(s->clock->self);
}

static enum bench_status tell(const struct stream *s, const struct arrivals_frame *frame)
{
    return s->work->tell ? s->work->tell(s->work->self, frame) : BENCH_OK;
}

/* The oldest in work is done: its latency, and what follows from it. */
static enum bench_status take_result(struct stream *s)
{
    struct arrivals *const a = s->arrivals;
    const int turn = s->n_done++;
    struct arrivals_frame *const f = &s->last[turn % s->plan->in_flight];
    double latency_ns;

    f->done_ns = now(s);
    latency_ns = (double)(f->done_ns - f->arrived_ns);
    f->is_missed = s->plan->rate > 0 && latency_ns > (double)NS_PER_S / (double)s->plan->rate;
    a->n_missed += f->is_missed;
    if (a->latency_ns)
        a->latency_ns[turn] = latency_ns;
    if (turn == 0)
        s->first_done_ns = f->done_ns;
    else
        a->jitter_ns += fabs(latency_ns - s->latency_ns);
    s->latency_ns = latency_ns;
    a->fps = f->done_ns > s->first_done_ns
                 ? turn * (double)NS_PER_S / (double)(f->done_ns - s->first_done_ns)
                 : 0;
    return tell(s, f);
}

/* Take the results that are there, in order. */
static enum bench_status look(struct stream *s)
{
    bool is = true;

    while (is && s->n_done < s->n_begun) {
        TRY(s->work->is_done(s->work->self, s->n_done, &is));
        if (is)
            TRY(take_result(s));
    }
    return BENCH_OK;
}

static enum bench_status wait_until(struct stream *s, long long ns)
{
    while (now(s) < ns) {
        TRY(look(s));
        if (s->n_done == s->n_begun)
            s->clock->wait_until(s->clock->self, ns);
    }
    return look(s);
}

/* Turns whose results were not there at this time. */
static int n_unfinished(const struct stream *s, long long ns)
{
    int n = s->n_begun - s->n_done;

    for (int turn = s->n_done; turn-- > 0 && turn >= s->n_begun - s->plan->in_flight;)
        n += s->last[turn % s->plan->in_flight].done_ns > ns;
    return n;
}

static enum bench_status begin(struct stream *s, long long arrived_ns)
{
    const long long before = now(s);

    s->last[s->n_begun % s->plan->in_flight] =
        (struct arrivals_frame){.frame = s->arrivals->n_arrived,
                                .turn = s->n_begun,
                                .arrived_ns = arrived_ns >= 0 ? arrived_ns : before,
                                .begun_ns = before};
    TRY(s->work->begin(s->work->self, s->n_begun++));
    s->arrivals->begin_ns += (double)(now(s) - before);
    return look(s);
}

/* Wait for the next frame: *arrived_ns is -1 where one arrives whenever there is room. */
static enum bench_status await(struct stream *s, long long *arrived_ns, bool *is_over)
{
    const struct arrivals *const a = s->arrivals;
    const long long due_ns = a->t0_ns + arrivals_after_ns(s->plan->rate, a->n_arrived);
    enum arrivals_sight sight;

    *is_over = false;
    *arrived_ns = s->plan->rate > 0 ? due_ns : -1;
    if (!s->work->look_out)
        return wait_until(s, due_ns);
    while ((sight = s->work->look_out(s->work->self, a->n_arrived, arrived_ns)) ==
           ARRIVALS_WAIT) {
        TRY(look(s));
        if (s->n_done == s->n_begun)
            s->clock->wait_until(s->clock->self, *arrived_ns);
    }
    *is_over = sight == ARRIVALS_OVER;
    return look(s);
}

static enum bench_status arrive(struct stream *s, long long arrived_ns)
{
    if (s->plan->drops && arrived_ns >= 0 &&
        n_unfinished(s, arrived_ns) >= s->plan->in_flight) {
        const struct arrivals_frame dropped = {
            .frame = s->arrivals->n_arrived, .arrived_ns = arrived_ns, .is_dropped = true};

        s->arrivals->n_dropped++;
        return tell(s, &dropped);
    }
    while (s->n_begun - s->n_done >= s->plan->in_flight)
        TRY(look(s));
    return begin(s, arrived_ns);
}

enum bench_status arrivals_run(const struct arrivals_plan *plan,
                               const struct arrivals_clock *clock,
                               const struct arrivals_work *work, struct arrivals *a)
{
    struct stream s = {.plan = plan, .clock = clock, .work = work, .arrivals = a};

    *a = (struct arrivals){.latency_ns = a->latency_ns, .t0_ns = now(&s) + plan->lead_ns};
    while (a->n_arrived < plan->n && !a->is_cut) {
        long long arrived_ns;
        bool is_over;

        TRY(await(&s, &arrived_ns, &is_over));
        if (is_over)
            break;
        TRY(arrive(&s, arrived_ns));
        a->n_arrived++;
        a->is_cut = plan->limit_ns > 0 && a->n_arrived < plan->n &&
                    a->n_arrived >= plan->least && now(&s) - a->t0_ns >= plan->limit_ns;
    }
    while (s.n_done < s.n_begun)
        TRY(look(&s));
    a->n = s.n_done;
    a->begin_ns /= a->n > 0 ? a->n : 1;
    a->jitter_ns /= a->n > 1 ? a->n - 1 : 1;
    return BENCH_OK;
}

/* ---- the clock of frames that arrive in real time ---- */

static long long real_now_ns(void *self)
{
    struct timespec t;

    (void)self;
    clock_gettime(CLOCK_MONOTONIC, &t); /* by which one can sleep */
    return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static void real_wait_until(void *self, long long ns)
{
    const long long until_ns = ns - ARRIVALS_SPIN_NS;
    const struct timespec t = {.tv_sec = (time_t)(until_ns / NS_PER_S),
                               .tv_nsec = (long)(until_ns % NS_PER_S)};

    if (real_now_ns(self) < until_ns)
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

const struct arrivals_clock arrivals_real_clock = {real_now_ns, real_wait_until, NULL};

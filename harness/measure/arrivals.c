/* arrivals.c - frames that arrive on a clock, and what is said of their results */
#include "harness/measure/arrivals.h"

#include <math.h>

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
    /* of the last turns, at turn % in_flight */
    long long arrived_ns[BENCH_MAX_IN_FLIGHT], done_ns[BENCH_MAX_IN_FLIGHT];
    long long first_done_ns;
};

static long long now(const struct stream *s)
{
    return s->clock->now_ns(s->clock->self);
}

/* The oldest in work is done: its latency, and what follows from it. */
static void take_result(struct stream *s)
{
    struct arrivals *const a = s->arrivals;
    const int turn = s->n_done++, place = turn % s->plan->in_flight;

    s->done_ns[place] = now(s);
    a->latency_ns[turn] = (double)(s->done_ns[place] - s->arrived_ns[place]);
    a->n_missed +=
        s->plan->rate > 0 && a->latency_ns[turn] > (double)NS_PER_S / (double)s->plan->rate;
    if (turn == 0)
        s->first_done_ns = s->done_ns[place];
    else
        a->jitter_ns += fabs(a->latency_ns[turn] - a->latency_ns[turn - 1]);
    a->fps = s->done_ns[place] > s->first_done_ns
                 ? turn * (double)NS_PER_S / (double)(s->done_ns[place] - s->first_done_ns)
                 : 0;
}

/* Take the results that are there, in order. */
static enum bench_status look(struct stream *s)
{
    bool is = true;

    while (is && s->n_done < s->n_begun) {
        TRY(s->work->is_done(s->work->self, s->n_done, &is));
        if (is)
            take_result(s);
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
        n += s->done_ns[turn % s->plan->in_flight] > ns;
    return n;
}

static enum bench_status begin(struct stream *s, long long arrived_ns)
{
    const long long before = now(s);

    s->arrived_ns[s->n_begun % s->plan->in_flight] = s->plan->rate > 0 ? arrived_ns : before;
    TRY(s->work->begin(s->work->self, s->n_begun++));
    s->arrivals->begin_ns += (double)(now(s) - before);
    return look(s);
}

static enum bench_status arrive(struct stream *s, long long arrived_ns)
{
    TRY(wait_until(s, arrived_ns));
    if (s->plan->drops && n_unfinished(s, arrived_ns) >= s->plan->in_flight) {
        s->arrivals->n_dropped++;
        return BENCH_OK;
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
        TRY(arrive(&s, a->t0_ns + arrivals_after_ns(plan->rate, a->n_arrived)));
        a->n_arrived++;
        a->is_cut = plan->limit_ns > 0 && a->n_arrived < plan->n &&
                    a->n_arrived >= plan->least && now(&s) - a->t0_ns >= plan->limit_ns;
    }
    while (s.n_done < s.n_begun)
        TRY(look(&s));
    a->n = s.n_done;
    a->begin_ns /= a->n;
    a->jitter_ns /= a->n > 1 ? a->n - 1 : 1;
    return BENCH_OK;
}

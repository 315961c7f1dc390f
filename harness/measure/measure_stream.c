/* measure_stream.c - a series whose frames arrive on a clock */
#include "harness/measure/measure_private.h"

#include "harness/measure/nvtx.h"
#include "harness/platform/realtime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_S   1000000000LL
#define LEAD_NS    NS_PER_S  /* of a machine that idles, before the first frame */
#define WARM_LEAST 5         /* frames before a stream */
#define TOO_LONG   8         /* periods that a verified run takes, ... */
#define LONG_S     0.5       /* ... and so long: no need to try */
#define ENERGY_S   1         /* of frames, between two looks at the time of the energy pass */
#define LOOK_NS    250000000 /* between two looks at the GPU's clock, ... */
#define IDLE_NS    1000000 /* ... which takes tens of us: only where so much idling is ahead */

static const struct arrivals_clock *clock_of(const struct runner *r)
{
    return r->machine->clock ? r->machine->clock : &arrivals_real_clock;
}

/* ---- the ring ---- */

enum bench_status measure_ring_make(const struct bench_impl *impl, int in_flight,
                                    void *const *inputs, const void *const *references,
                                    void *const *outputs, int n_inputs, struct ring *ring)
{
    const int n = (n_inputs + in_flight - 1) / in_flight * in_flight;

    *ring = (struct ring){.problem = impl->problem, .n_inputs = n_inputs};
    ring->inputs = calloc((size_t)n, sizeof *ring->inputs);
    ring->outputs = calloc((size_t)n, sizeof *ring->outputs);
    ring->references = calloc((size_t)n, sizeof *ring->references);
    NEED(ring->inputs && ring->outputs && ring->references, "a ring of %d frames", n);
    for (int i = 0; i < n; i++) {
        ring->inputs[i] = inputs[i % n_inputs];
        ring->references[i] = references ? references[i % n_inputs] : NULL;
        if (i < n_inputs)
            ring->outputs[i] = outputs[i];
        else
            TRY(impl->problem->make_output(ring->inputs[i], &ring->outputs[i]));
        ring->n = i + 1;
    }
    return BENCH_OK;
}

void measure_ring_free(struct ring *ring)
{
    for (int i = ring->n_inputs; i < ring->n; i++)
        ring->problem->free_output(ring->outputs[i]);
    free(ring->inputs);
    free(ring->outputs);
    free(ring->references);
}

/* ---- a frame ---- */

struct frames {
    struct runner *r;
    const struct bench_timing *t;
    double gpu_ms;  /* of all that are done */
    double *sm_mhz; /* [turn], where it was looked at behind it; NULL: nobody looks */
    int turn;       /* the last that was begun */
    long long looked_ns;
    struct wake wake;
    enum bench_status woken; /* the failure of a wake-up */
};

static enum bench_status enqueue(struct runner *r, const struct bench_one *one,
                                 enum bench_scope scope)
{
    if (r->impl->upload)
        TRY(upload(r, one, scope));
    TRY(r->impl->run(one->state));
    return r->impl->download ? r->impl->download(one->state) : BENCH_OK;
}

/* Enqueues all of a frame on its slot, one by one or as its graph. */
static enum bench_status launch(struct runner *r, const struct bench_one *one,
                                enum bench_scope scope, int slot)
{
    return r->plan->by_graph
               ? bench_device_graph_launch(r->machine->device, slot, (int)(one - r->one))
               : enqueue(r, one, scope);
}

/* Uses the GPU before a frame is due. */
static enum bench_status wake_up(const struct frames *f)
{
    struct runner *const r = f->r;
    const struct bench_one *const one = &r->one[f->turn % r->n];

    if (f->wake.how == WAKE_TOUCH)
        return bench_device_touch(r->touch);
    if (ingests(r))
        ingest(r, one->input);
    return launch(r, one, f->t->scope, f->turn % r->plan->in_flight);
}

/* Nothing is in work: there may be time to look at the GPU's clock. */
static void wait_for_frame(void *self, long long ns)
{
    struct frames *const f = self;
    const struct arrivals_clock *const clock = clock_of(f->r);
    const long long now_ns = clock->now_ns(clock->self);
    struct wake_step step;

    if (f->sm_mhz && ns - now_ns > IDLE_NS && now_ns - f->looked_ns > LOOK_NS) {
        f->looked_ns = now_ns;
        if (bench_device_clock_mhz(f->r->machine->device, &f->sm_mhz[f->turn]))
            f->sm_mhz = NULL; /* not on this card */
    }
    step = wake_step(&f->wake, clock->now_ns(clock->self), ns);
    if (step.wakes && !f->woken)
        f->woken = wake_up(f);
    clock->wait_until(clock->self, wake_time(step, ns, ARRIVALS_SPIN_NS));
}

static long long now_of_frames(void *self)
{
    const struct arrivals_clock *const clock = clock_of(((struct frames *)self)->r);

    return clock->now_ns(clock->self);
}

/* Captures each frame of the ring as one graph.  What is copied may depend on what a run has
 * left on the host, as the length of a list: so each runs first. */
static enum bench_status capture_frames(struct runner *r, enum bench_scope scope)
{
    struct bench_device *const device = r->machine->device;

    TRY(bench_device_take_graphs(device, r->n));
    for (int i = 0; i < r->n; i++) {
        const int slot = i % r->plan->in_flight;
        enum bench_status status, ended;

        TRY(measure_run_whole(r, &r->one[i], scope));
        TRY(bench_device_graph_begin(device, slot));
        status = enqueue(r, &r->one[i], scope);
        ended = bench_device_graph_end(device, slot, i);
        FAIL_IF(status || ended, BENCH_ESKIP,
                "launch = graph: a frame of %s cannot be captured", r->impl->name);
    }
    return BENCH_OK;
}

static enum bench_status begin_on_device(struct runner *r, const struct bench_one *one,
                                         enum bench_scope scope, int slot)
{
    struct bench_device *const device = r->machine->device;

    TRY(bench_device_slot_mark(device, slot, false));
    TRY(launch(r, one, scope, slot));
    return bench_device_slot_mark(device, slot, true);
}

/* Begins a frame as its producer delivers it: ingest, then all or what a GPU is told to do. */
static enum bench_status begin(void *self, int turn)
{
    struct frames *const f = self;
    struct runner *const r = f->r;
    struct bench_one *const one = &r->one[turn % r->n];
    enum bench_status status;

    TRY(f->woken);
    TRY(stop_wished(r));
    f->turn = turn;
    wake_begun(&f->wake, now_of_frames(f));
    bench_nvtx_begin(BENCH_PHASE_TIMED, turn);
    if (ingests(r))
        ingest(r, one->input);
    status = on_device(r) ? begin_on_device(r, one, f->t->scope, turn % r->plan->in_flight)
                          : measure_run_frame(r, one, f->t->scope);
    bench_nvtx_end();
    return status;
}

static enum bench_status is_done(void *self, int turn, bool *is)
{
    struct frames *const f = self;
    struct runner *const r = f->r;
    double ms = 0;

    *is = true;
    if (on_device(r))
        TRY(bench_device_slot_done(r->machine->device, turn % r->plan->in_flight, is, &ms));
    f->gpu_ms += *is ? ms : 0;
    if (*is && turn == f->turn)
        wake_done(&f->wake, now_of_frames(f));
    return BENCH_OK;
}

/* ---- streams ---- */

/* '*gpu_ms': the mean of a frame.  sm_mhz: clocks along the way, NULL: of no interest. */
static enum bench_status run_stream(struct runner *r, const struct bench_timing *t,
                                    const struct arrivals_plan *plan, struct arrivals *arrivals,
                                    double *sm_mhz, double *gpu_ms)
{
    struct frames frames = {
        .r = r, .t = t, .sm_mhz = sm_mhz, .wake.how = on_device(r) ? r->plan->wake : WAKE_NO};
    const struct arrivals_clock clock = {now_of_frames, wait_for_frame, &frames};
    const struct arrivals_work work = {.begin = begin, .is_done = is_done, .self = &frames};
    const enum bench_status status = arrivals_run(plan, &clock, &work, arrivals);

    if (status && on_device(r))
        (void)bench_device_sync(r->machine->device); /* frames may be in work */
    *gpu_ms = status ? 0 : frames.gpu_ms / arrivals->n;
    return status;
}

static struct arrivals_plan plan_of(const struct runner *r, int n)
{
    return (struct arrivals_plan){.rate = r->plan->rate,
                                  .in_flight = r->plan->in_flight,
                                  .drops = r->plan->drops,
                                  .n = n};
}

static enum bench_status refuse(const struct runner *r, double ms)
{
    return BENCH_FAIL(BENCH_ESKIP,
                      "%s takes %.2g ms a frame: it is slower than the %.3g ms of rate = %d",
                      r->impl->name, ms, 1e3 / r->plan->rate, r->plan->rate);
}

/* Poisons all results; the host gets zeros, since a graph copies as much as was used. */
static enum bench_status poison_all(struct runner *r)
{
    TRY(measure_poison_all(r));
    if (on_device(r)) /* it may be filling the host's memory */
        TRY(bench_device_sync(r->machine->device));
    for (int i = 0; i < r->n; i++)
        bench_poison(r->impl->problem, r->one[i].output, 0);
    return BENCH_OK;
}

/* Runs as fast as it can for min_time, to see if the variant can follow the rate. */
static enum bench_status warm_up(struct runner *r, struct bench_timing *t, double *latency_ns,
                                 int most)
{
    const double verified_ms = 1e3 * r->verification_s / r->n;
    struct arrivals_plan plan = plan_of(r, most);
    struct arrivals a = {.latency_ns = latency_ns};
    double gpu_ms;

    if (plan.rate > 0 && !plan.drops &&
        verified_ms > 1e3 * fmax(LONG_S, TOO_LONG * 1.0 / plan.rate))
        return refuse(r, verified_ms);
    plan.rate = 0;
    plan.drops = false;
    plan.limit_ns = (long long)(1e9 * r->plan->min_time_s);
    plan.least = WARM_LEAST * verified_ms > 1e3 * r->plan->timeout_s ? 1 : WARM_LEAST;
    TRY(run_stream(r, t, &plan, &a, NULL, &gpu_ms));
    t->warmups = a.n;
    return r->plan->rate > 0 && !r->plan->drops && a.fps > 0 && a.fps < r->plan->rate
               ? refuse(r, 1e3 / a.fps)
               : BENCH_OK;
}

static void fill(struct bench_timing *t, const struct arrivals *a, double *scratch)
{
    static const int one_in[BENCH_N_TAILS] = {10, 100, 1000};
    double *const ms = scratch, *const sorted = scratch + a->n;

    t->n = a->n;
    for (int i = 0; i < a->n; i++)
        ms[i] = 1e-6 * a->latency_ns[i];
    bench_summarise(ms, t->n, TIMER_TICK_MS, sorted, &t->stat);
    for (int i = 0; i < BENCH_N_TAILS; i++)
        bench_tail(sorted, t->n, one_in[i], &t->stream.tail[i]);
    t->first_ms = ms[0];
    t->stop_reason = a->is_cut ? "timeout" : "arrivals";
    t->stream.n_dropped = a->n_dropped;
    t->stream.n_missed = a->n_missed;
    t->stream.jitter_ms = 1e-6 * a->jitter_ns;
    t->stream.host_ms = 1e-6 * a->begin_ns;
    t->stream.fps = a->fps;
}

enum bench_status measure_stream_for_energy(struct runner *r, const struct bench_timing *t,
                                            long long *n_runs)
{
    const struct arrivals_clock *const clock = clock_of(r);
    struct arrivals_plan plan = plan_of(r, r->plan->rate > 0 ? ENERGY_S * r->plan->rate : t->n);
    OWNED(memory_free) double *latency_ns = malloc((size_t)plan.n * sizeof *latency_ns);
    struct arrivals a = {.latency_ns = latency_ns};
    double gpu_ms;

    NEED(latency_ns, "%d latencies", plan.n);
    plan.limit_ns = plan.rate > 0 ? 0 : ENERGY_S * NS_PER_S;
    TRY(run_stream(r, t, &plan, &a, NULL, &gpu_ms));
    *n_runs += a.n;
    if (plan.rate > 0) /* the last frame has its period, too */
        for (const long long end_ns = a.t0_ns + arrivals_after_ns(plan.rate, plan.n);
             clock->now_ns(clock->self) < end_ns;)
            clock->wait_until(clock->self, end_ns);
    return BENCH_OK;
}

/* Verifies what the stream itself has downloaded to the host. */
static enum bench_status verify_delivered(struct runner *r)
{
    for (int i = 0; i < r->n; i++)
        TRY(measure_same_as_verified(r, i, " on the host after the stream"));
    return BENCH_OK;
}

/* Verifies the turns of a ring that were run. */
static enum bench_status verify_turns(struct runner *r, int n_turns)
{
    const int n = r->n;
    enum bench_status status;

    r->n = n_turns < n ? n_turns : n;
    status = measure_verify(r, 1, verify_delivered);
    if (!status)
        status = measure_verify(r, 1, measure_verify_left);
    r->n = n;
    return status;
}

static double cpu_time_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* The stream itself, in real time where that is asked for. */
static enum bench_status run_in_time(struct runner *r, struct bench_timing *t,
                                     const struct arrivals_plan *plan, struct arrivals *a)
{
    struct platform_realtime had;
    enum bench_status status;
    double before_ms;

    if (r->machine->realtime) {
        had = platform_realtime_begin();
        t->stream.realtime = platform_realtime_name(&had);
    }
    before_ms = cpu_time_ms();
    status = run_stream(r, t, plan, a, t->sm_mhz, &t->stream.gpu_ms);
    if (!status)
        t->stream.cpu_ms = (cpu_time_ms() - before_ms) / a->n_arrived;
    if (r->machine->realtime)
        platform_realtime_end(&had);
    return status;
}

/* The first frame of the ring, as the stream runs it. */
static enum bench_status run_first(struct runner *r, const struct bench_timing *t, double *ms)
{
    *ms = 0;
    if (!on_device(r))
        return measure_run_frame(r, &r->one[0], t->scope);
    TRY(launch(r, &r->one[0], t->scope, 0));
    return bench_device_sync(r->machine->device);
}

static void drop_touch(struct bench_touch **touch)
{
    bench_device_touch_free(*touch);
}

enum bench_status measure_stream(struct runner *r, struct bench_timing *t, int most,
                                 double *scratch)
{
    OWNED(drop_touch) struct bench_touch *touch = NULL;
    const bool probe = on_device(r) && !r->machine->profile;
    struct arrivals_plan plan = plan_of(r, most);
    struct arrivals a = {.latency_ns = t->ns};
    int n_clocks;

    plan.lead_ns = r->machine->profile ? 0 : LEAD_NS;
    plan.limit_ns = plan.rate > 0 ? 0 : (long long)(1e9 * r->plan->timeout_s);
    t->reps = 1;
    if (on_device(r) && r->plan->wake == WAKE_TOUCH)
        TRY(bench_device_touch_make(bench_device_stream(r->machine->device), &touch));
    r->touch = touch;
    t->graph = on_device(r) && r->plan->by_graph;
    if (t->graph)
        TRY(capture_frames(r, t->scope));
    TRY(poison_all(r));
    if (!r->machine->profile) {
        TRY(warm_up(r, t, t->ns, most));
        TRY(poison_all(r)); /* its output is no proof */
    }
    if (probe)
        TRY(bench_device_clock_mhz(r->machine->device, &t->gpu_mhz_before));
    TRY(run_in_time(r, t, &plan, &a));
    if (probe)
        TRY(bench_device_clock_mhz(r->machine->device, &t->gpu_mhz_after));
    t->stream.has_deadline = plan.rate > 0;
    fill(t, &a, scratch);
    n_clocks = measure_clocks(t, scratch);
    t->gpu_mhz_med = n_clocks > 0 ? scratch[n_clocks / 2] : 0;
    TRY(verify_turns(r, a.n));
    if (r->plan->energy && !r->machine->profile)
        TRY(measure_take_energy(r, t));
    return measure_change(r, t, run_first);
}

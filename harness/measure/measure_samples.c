/* measure_samples.c - samples, series of them, the energy pass */
#include "harness/measure/measure_private.h"

#include "harness/measure/nvtx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_MS        0.2 /* shorter runs are repeated inside one sample */
#define MIN_DEVICE_REPS 20  /* launches in one graph for short kernels */
#define MAX_REPS        10000
#define WARMUP_GROUP    5    /* two successive medians of so many must agree within 1 % */
#define CLOCK_DROP      0.75 /* below this share of the usual clock a sample is throttled */
#define CLOCK_MOVED     0.05 /* before against after: the row is unstable */
#define LOAD_MS         2    /* shorter runs are repeated inside one sample under load */
#define LOAD_DEPTH      8    /* samples on their way to a loaded GPU; two marks each */
#define LOAD_LOOK_S     0.25 /* between two looks at its clock */
#define LINE_BYTES      64   /* of a CPU's caches, or less */

#if 2 * LOAD_DEPTH > BENCH_MAX_STAGES + 1
#error "there are not as many marks"
#endif

/* ---- one sample ---- */

/* Before a timed run on the device: cold caches if asked for, and the host out of the way. */
static enum bench_status prepare_device(struct runner *r, enum bench_series series)
{
    if (r->machine->profile || series == BENCH_SUSTAINED)
        return BENCH_OK;
    if (series == BENCH_COLD)
        TRY(bench_device_flush(r->machine->device, 1));
    return bench_device_block_stream(r->machine->device);
}

void measure_flush_cpu(struct runner *r)
{
    const long n = (long)(r->flush_bytes / LINE_BYTES);
    const unsigned char *flush = r->flush;
    unsigned sum = 0;

#pragma omp parallel for schedule(static) num_threads(r->ctx.n_threads) reduction(+ : sum)
    for (long i = 0; i < n; i++)
        sum += flush[i * LINE_BYTES];
    r->flush_sum = sum;
}

/* The work of a graph. */
enum work {
    WORK_RUNS,    /* the runs of a sample, each behind a flush where 'less_flushes' */
    WORK_FLUSHES, /* these flushes alone */
    N_WORKS
};

/* The flushes of a cold sample.  They take the halves of the buffer in turn, beginning with the
 * one that the sample's own preparation did not take. */
static enum bench_status flush_passes(struct runner *r, int reps, enum work work)
{
    int half = 0;

    for (int i = 0; i < r->n; i++)
        for (int k = 0; k < reps; k++) {
            TRY(bench_device_flush(r->machine->device, half));
            half = 1 - half;
            if (work == WORK_RUNS)
                TRY(r->impl->run(r->one[i].state));
        }
    return BENCH_OK;
}

static enum bench_status run_times(struct runner *r, void *state, int n)
{
    if (r->impl->run_told)
        return r->impl->run_told(state, n, &r->clocks);
    for (int k = 0; k < n; k++)
        TRY(r->impl->run(state));
    return BENCH_OK;
}

static enum bench_status run_passes(struct runner *r, const struct bench_timing *t)
{
    if (t->series == BENCH_HOT) { /* each input back to back */
        for (int i = 0; i < r->n; i++)
            TRY(run_times(r, r->one[i].state, t->reps));
    } else { /* in turn */
        for (int k = 0; k < t->reps; k++)
            for (int i = 0; i < r->n; i++)
                TRY(run_times(r, r->one[i].state, 1));
    }
    return BENCH_OK;
}

/* The runs of one sample of scope kernel, or its flushes. */
static enum bench_status enqueue(struct runner *r, const struct bench_timing *t, enum work work)
{
    if (t->graph)
        return bench_device_graph_launch(r->machine->device, 0, (int)work);
    return t->less_flushes ? flush_passes(r, t->reps, work) : run_passes(r, t);
}

static enum bench_status time_work(struct runner *r, const struct bench_timing *t,
                                   enum work work, double *ms)
{
    struct bench_device *device = r->machine->device;

    TRY(prepare_device(r, t->series));
    TRY(bench_device_mark(device, 0));
    TRY(enqueue(r, t, work));
    TRY(bench_device_mark(device, 1));
    return bench_device_marked_ms(device, 0, 1, ms);
}

/* Scope kernel. */
static enum bench_status kernel_sample(struct runner *r, const struct bench_timing *t,
                                       double *ms)
{
    double sum = 0, flushes = 0;

    if (t->less_flushes)
        TRY(time_work(r, t, WORK_FLUSHES, &flushes));
    TRY(time_work(r, t, WORK_RUNS, &sum));
    *ms = (sum - flushes) / ((double)t->reps * r->n);
    return BENCH_OK;
}

static enum bench_status run_copied(struct runner *r, const struct bench_timing *t, void *state)
{
    if (t->scope == BENCH_DEVICE && r->impl->upload)
        TRY(r->impl->upload(state));
    TRY(r->impl->run(state));
    if (t->scope == BENCH_DEVICE && r->impl->download)
        TRY(r->impl->download(state));
    return BENCH_OK;
}

static enum bench_status device_sample(struct runner *r, const struct bench_timing *t,
                                       double *ms)
{
    struct bench_device *device = r->machine->device;
    double sum = 0, part;

    if (t->scope == BENCH_KERNEL && (t->series != BENCH_COLD || t->graph || t->less_flushes))
        return kernel_sample(r, t, ms);
    for (int i = 0; i < r->n; i++) {
        TRY(prepare_device(r, t->series));
        TRY(bench_device_mark(device, 0));
        TRY(run_copied(r, t, r->one[i].state));
        TRY(bench_device_mark(device, 1));
        TRY(bench_device_marked_ms(device, 0, 1, &part));
        sum += part;
    }
    *ms = sum / r->n;
    return BENCH_OK;
}

/* The next sample of a GPU that never waits for the host: give it samples until LOAD_DEPTH are
 * on their way, then wait for the oldest. */
static enum bench_status loaded_sample(struct runner *r, const struct bench_timing *t,
                                       double *ms)
{
    struct bench_device *device = r->machine->device;
    int slot;

    for (; r->n_fed - r->n_read < LOAD_DEPTH; r->n_fed++) {
        slot = 2 * (int)(r->n_fed % LOAD_DEPTH);
        TRY(bench_device_mark(device, slot));
        if (t->scope == BENCH_KERNEL)
            TRY(enqueue(r, t, WORK_RUNS));
        else
            for (int i = 0; i < r->n; i++)
                TRY(run_copied(r, t, r->one[i].state));
        TRY(bench_device_mark(device, slot + 1));
    }
    slot = 2 * (int)(r->n_read++ % LOAD_DEPTH);
    TRY(bench_device_marked_ms(device, slot, slot + 1, ms));
    *ms /= (double)t->reps * r->n;
    return BENCH_OK;
}

enum bench_status measure_drain(struct runner *r)
{
    double ms;

    while (r->n_read < r->n_fed) {
        const int slot = 2 * (int)(r->n_read++ % LOAD_DEPTH);

        TRY(bench_device_marked_ms(r->machine->device, slot, slot + 1, &ms));
    }
    return BENCH_OK;
}

enum bench_status measure_run_frame(struct runner *r, struct bench_one *one,
                                    enum bench_scope scope)
{
    if (on_device(r))
        return measure_run_whole(r, one, scope);
    if (r->impl->upload)
        TRY(upload(r, one, scope));
    return r->impl->run(one->state);
}

/* By the wall clock: all on a CPU, whole frames on a GPU; another program's runs by its own. */
static enum bench_status host_sample(struct runner *r, const struct bench_timing *t, double *ms)
{
    const bool is_frame = is_end_to_end(t->scope);
    const double told_s = r->clocks.own_s;
    double sum = 0, t0;

    if (!is_frame && t->series != BENCH_COLD) {
        t0 = now_s();
        TRY(run_passes(r, t));
        sum = r->impl->run_told ? r->clocks.own_s - told_s : now_s() - t0;
        *ms = 1e3 * sum / ((double)t->reps * r->n);
        return BENCH_OK;
    }
    for (int i = 0; i < r->n; i++) {
        if (on_device(r)) {
            TRY(prepare_device(r, t->series));
            TRY(bench_device_sync(r->machine->device));
        } else if (t->series == BENCH_COLD && r->flush) {
            measure_flush_cpu(r);
        }
        t0 = now_s();
        if (is_frame && ingests(r))
            ingest(r, r->one[i].input);
        TRY(measure_run_frame(r, &r->one[i], t->scope));
        sum += now_s() - t0;
    }
    *ms = 1e3 * sum / r->n;
    return BENCH_OK;
}

/* None of a loaded GPU is on its way. */
static enum bench_status sample_alone(struct runner *r, const struct bench_timing *t,
                                      double *ms)
{
    return !on_device(r) || is_end_to_end(t->scope) ? host_sample(r, t, ms)
                                                    : device_sample(r, t, ms);
}

static enum bench_status sample(struct runner *r, const struct bench_timing *t,
                                enum bench_phase phase, long long index, double *ms)
{
    const bool loaded = t->series == BENCH_SUSTAINED && !r->machine->profile && on_device(r) &&
                        !is_end_to_end(t->scope);
    enum bench_status status;

    bench_nvtx_begin(phase, index);
    status = loaded ? loaded_sample(r, t, ms) : sample_alone(r, t, ms);
    bench_nvtx_end();
    return status;
}

enum bench_status measure_sample(struct runner *r, const struct bench_timing *t,
                                 enum bench_phase phase, double *ms)
{
    return sample(r, t, phase, 0, ms);
}

/* ---- a series of samples ---- */

const char *bench_stop(const struct bench_plan *plan, const struct bench_stat *stat,
                       double elapsed_s)
{
    const bool is_each_too_long = elapsed_s >= plan->timeout_s * stat->n;
    const int least = is_each_too_long ? 1 : plan->min_samples < 3 ? plan->min_samples : 3;

    if (stat->n >= plan->max_samples)
        return "max_samples";
    if (stat->n >= plan->min_samples && elapsed_s >= plan->min_time_s &&
        (stat->ci_hi - stat->ci_lo) / 2 <= plan->precision * stat->median)
        return "precision";
    if (elapsed_s >= plan->timeout_s && stat->n >= least)
        return "timeout";
    return NULL;
}

/* Until two successive medians of five differ by less than 1 %, or the time for it, from 't0'
 * on, is over; before a sustained series for the time that it asks for. */
static enum bench_status warm_up(struct runner *r, struct bench_timing *t, double t0)
{
    const bool load = t->series == BENCH_SUSTAINED;
    const double limit_s =
        load ? r->plan->sustained_time_s : fmin(2.0, 4 * r->plan->min_time_s);
    double group[WARMUP_GROUP], last = 0;
    int n = 0;

    for (;;) {
        TRY(stop_wished(r));
        TRY(sample(r, t, BENCH_PHASE_WARMUP, t->warmups, &group[n]));
        if (t->warmups++ == 0)
            t->first_ms = group[0];
        if (r->machine->profile || now_s() - t0 >= limit_s ||
            (!load && now_s() - t0 >= r->plan->timeout_s / 2))
            return BENCH_OK;
        if (++n == WARMUP_GROUP) {
            double median;

            qsort(group, (size_t)n, sizeof *group, bench_compare_doubles);
            median = group[n / 2];
            if (!load && last > 0 && fabs(median - last) < 0.01 * last)
                return BENCH_OK;
            last = median;
            n = 0;
        }
    }
}

/* The runs that one sample repeats, from an estimate of one of them. */
static int choose_reps(const struct runner *r, enum bench_scope scope, enum bench_series series,
                       double estimate_ms)
{
    const double least_ms = series == BENCH_SUSTAINED ? LOAD_MS : SHORT_MS;
    const int least = on_device(r) && estimate_ms < SHORT_MS ? MIN_DEVICE_REPS : 1;
    double reps = least;

    if (scope != BENCH_KERNEL || r->machine->profile)
        return 1;
    if (series != BENCH_COLD && estimate_ms < least_ms) /* flushes make cold ones long enough */
        reps = fmax(least, ceil(least_ms / fmax(estimate_ms, 1e-6)));
    if (series != BENCH_HOT)
        reps = ceil(reps / r->n); /* passes over all inputs */
    return reps > MAX_REPS ? MAX_REPS : (int)reps;
}

/* Capture the runs of one sample as a graph, and of a cold one its flushes as another; where
 * that cannot be, they are launched piece by piece. */
static enum bench_status capture(struct runner *r, struct bench_timing *t)
{
    struct bench_device *device = r->machine->device;
    enum bench_status status = BENCH_OK, ended = BENCH_OK;

    TRY(bench_device_take_graphs(device, N_WORKS));
    for (int work = 0; work < (t->less_flushes ? N_WORKS : 1) && !status && !ended; work++) {
        TRY(bench_device_graph_begin(device, 0));
        status = enqueue(r, t, (enum work)work);
        ended = bench_device_graph_end(device, 0, work);
    }
    if (status && status != BENCH_ECUDA)
        return status;
    if (status || ended == BENCH_ESKIP) {
        /* something in the run may not be captured: if that was all, it still runs by itself */
        bench_failure_clear();
        bench_device_take_graphs(device, 0);
        for (int i = 0; i < r->n; i++)
            TRY(r->impl->run(r->one[i].state));
        return bench_device_sync(device);
    }
    t->graph = ended == BENCH_OK;
    return ended;
}

int measure_clocks(const struct bench_timing *t, double *sorted)
{
    int n = 0;

    for (int i = 0; t->sm_mhz && i < t->n; i++)
        if (t->sm_mhz[i] > 0)
            sorted[n++] = t->sm_mhz[i];
    qsort(sorted, (size_t)n, sizeof *sorted, bench_compare_doubles);
    return n;
}

/* Judge the clock over all samples; 'scratch' has room for as many. */
static void judge_clock(struct bench_timing *t, double *scratch)
{
    const double before = t->gpu_mhz_before, after = t->gpu_mhz_after;
    const int n = measure_clocks(t, scratch);
    double usual;

    t->unstable = before > 0 && after > 0 && fabs(after - before) > CLOCK_MOVED * before;
    if (n == 0)
        return;
    t->gpu_mhz_med = scratch[n / 2];
    usual = fmax(before, scratch[(n - 1) * 9 / 10]);
    for (int i = 0; i < n; i++)
        t->n_throttled += scratch[i] < CLOCK_DROP * usual;
    t->throttled = 2 * t->n_throttled > n;
}

const char *bench_timing_status(const struct bench_timing *t, bool is_board,
                                const char **reason)
{
    const bool lower = t->throttled || t->gpu_mhz_after < t->gpu_mhz_before;

    *reason = t->throttled  ? "most samples were taken below 75 % of the clock before the row"
              : t->unstable ? "the GPU's clock moved by more than 5 % during the row"
                            : NULL;
    if (!*reason || (is_board && lower))
        return "ok";
    return t->throttled ? "throttled" : "unstable";
}

static enum bench_status sample_series(struct runner *r, struct bench_timing *t,
                                       double *scratch)
{
    const double tick = on_device(r) ? DEVICE_TICK_MS : TIMER_TICK_MS;
    const double look_s = t->series == BENCH_SUSTAINED ? LOAD_LOOK_S : 0;
    const bool probe = on_device(r) && !r->machine->profile;
    const int max = r->machine->profile ? 1 : r->plan->max_samples;
    double *ms = scratch, *sorted = scratch + max;
    double elapsed = 0, looked;
    int next_look = 0;

    if (probe)
        TRY(bench_device_clock_mhz(r->machine->device, &t->gpu_mhz_before));
    r->clocks = (struct bench_clocks){0, 0};
    looked = now_s();
    while (t->n < max) {
        double value;
        const double t0 = now_s();

        TRY(sample(r, t, BENCH_PHASE_TIMED, t->n, &value));
        elapsed += now_s() - t0;
        t->ns[t->n] = 1e6 * value;
        if (probe && now_s() - looked >= look_s) {
            TRY(bench_device_clock_mhz(r->machine->device, &t->sm_mhz[t->n]));
            looked = now_s();
        }
        ms[t->n++] = value;
        TRY(stop_wished(r));
        if (t->n < next_look && elapsed < r->plan->timeout_s)
            continue;
        /* sorting at every sample would warm the wrong caches */
        next_look = t->n + 1 + t->n / 20;
        bench_summarise(ms, t->n, tick, sorted, &t->stat);
        t->stop_reason = bench_stop(r->plan, &t->stat, elapsed);
        if (t->stop_reason)
            break;
    }
    if (!t->stop_reason)
        t->stop_reason = "max_samples";
    bench_summarise(ms, t->n, tick, sorted, &t->stat);
    t->wall_ms = 1e3 * r->clocks.wall_s / ((double)t->n * t->reps * r->n);
    if (probe) {
        TRY(bench_device_clock_mhz(r->machine->device, &t->gpu_mhz_after));
        judge_clock(t, scratch);
    }
    return BENCH_OK;
}

/* ---- the energy pass ---- */

#define WORK_MS 20 /* of runs that are enqueued before the host waits for them */

struct energy_runs {
    struct runner *r;
    const struct bench_timing *t;
    int n; /* samples' worth of runs at a time */
};

/* One sample without a clock, and without holding the GPU. */
static enum bench_status run_unclocked(struct runner *r, const struct bench_timing *t)
{
    if (t->scope == BENCH_KERNEL)
        return enqueue(r, t, WORK_RUNS);
    for (int i = 0; i < r->n; i++) {
        if (is_end_to_end(t->scope) && ingests(r))
            ingest(r, r->one[i].input);
        TRY(measure_run_whole(r, &r->one[i], t->scope));
    }
    return BENCH_OK;
}

static enum bench_status run_for_energy(void *opaque, long long *n_runs)
{
    struct energy_runs *w = opaque;
    struct runner *r = w->r;

    TRY(stop_wished(r));
    if (w->t->series == BENCH_STREAM)
        return measure_stream_for_energy(r, w->t, n_runs);
    for (int k = 0; k < w->n; k++)
        TRY(run_unclocked(r, w->t));
    if (on_device(r))
        TRY(bench_device_sync(r->machine->device));
    *n_runs += (long long)w->n * w->t->reps * r->n;
    return BENCH_OK;
}

enum bench_status measure_take_energy(struct runner *r, struct bench_timing *t)
{
    const struct bench_machine *machine = r->machine;
    const struct bench_energy_plan plan = bench_energy_plan_of(r->plan->energy_time_s);
    const double sample_ms = t->stat.median * t->reps * r->n;
    struct energy_runs runs = {.r = r, .t = t, .n = 1};
    enum bench_status status;

    if (!machine->power) {
        snprintf(t->energy.note, sizeof t->energy.note, "%s",
                 machine->no_power ? machine->no_power : "nothing measures power here");
        return BENCH_OK;
    }
    if (sample_ms > 0 && sample_ms < WORK_MS)
        runs.n = (int)fmin(ceil(WORK_MS / sample_ms), MAX_REPS);
    bench_nvtx_begin(BENCH_PHASE_ENERGY, 0);
    status = bench_energy_pass(machine->power, &plan,
                               machine->time ? machine->time : &bench_real_time, run_for_energy,
                               &runs, &t->energy);
    bench_nvtx_end();
    return status;
}

struct bench_timing *measure_new_timing(struct runner *r, enum bench_scope scope,
                                        enum bench_series series, const char *stage, int max)
{
    struct bench_timing *t;

    if (r->result->n_timings >= BENCH_MAX_TIMINGS)
        return NULL;
    t = &r->result->timing[r->result->n_timings];
    memset(t, 0, sizeof *t);
    t->scope = scope;
    t->series = series;
    snprintf(t->stage, sizeof t->stage, "%s", stage);
    t->ns = calloc((size_t)max, sizeof *t->ns);
    t->sm_mhz = on_device(r) ? calloc((size_t)max, sizeof *t->sm_mhz) : NULL;
    if (!t->ns || (on_device(r) && !t->sm_mhz)) {
        measure_drop_timing(t);
        return NULL;
    }
    return t;
}

/* A run of each input; by our clock, whatever another program's says. */
static enum bench_status try_run(struct runner *r, double *ms)
{
    const struct bench_timing once = {.scope = BENCH_KERNEL, .series = BENCH_FRAMES, .reps = 1};
    const double before_s = r->clocks.wall_s;

    TRY(sample(r, &once, BENCH_PHASE_WARMUP, 0, ms));
    if (r->impl->run_told)
        *ms = 1e3 * (r->clocks.wall_s - before_s) / r->n;
    return BENCH_OK;
}

/* Estimates the time of one run of one input, with nothing known. */
static enum bench_status estimate_run(struct runner *r, double *ms)
{
    double again;

    TRY(try_run(r, ms));
    if (*ms >= SHORT_MS)
        return BENCH_OK;
    /* the first is slow: it fills caches */
    TRY(try_run(r, &again));
    *ms = fmin(*ms, again);
    return BENCH_OK;
}

/* r has those of 'n_all' inputs that this process runs. */
static enum bench_status take_samples(struct runner *r, struct bench_timing *t, int n_all,
                                      double *scratch)
{
    const bool is_kernel = t->scope == BENCH_KERNEL && !r->machine->profile;
    const bool is_known =
        is_kernel && !on_device(r) && r->verification_s >= r->plan->timeout_s / 8;
    const double t0 = now_s();
    double estimate = 0;

    r->n_fed = r->n_read = 0;
    if (is_known)
        estimate = 1e3 * r->verification_s / r->n;
    else if (is_kernel)
        TRY(estimate_run(r, &estimate));
    t->reps = choose_reps(r, t->scope, t->series, estimate);
    if (is_kernel && on_device(r) && estimate < 10 * SHORT_MS) {
        t->less_flushes = t->series == BENCH_COLD && t->reps * r->n > 1;
        TRY(capture(r, t));
    }
    TRY(measure_poison_all(r)); /* the estimate's output is no proof */
    if (is_known || (estimate > 0 && now_s() - t0 >= r->plan->timeout_s / 2)) {
        t->first_ms = estimate; /* so long a run has warmed up what there is */
        t->warmups = 1;
    } else {
        TRY(warm_up(r, t, now_s()));
    }
    TRY(r->machine->together ? measure_together(r, t, n_all) : sample_series(r, t, scratch));
    if (r->plan->energy && t->series != BENCH_COLD && !r->machine->profile)
        TRY(measure_take_energy(r, t));
    TRY(measure_verify(r, 1, measure_verify_left));
    TRY(measure_drain(r));
    return measure_change(r, t, sample_alone);
}

enum bench_status measure_time_series(struct runner *r, enum bench_scope scope,
                                      enum bench_series series)
{
    const int max = r->machine->profile      ? 1
                    : series == BENCH_STREAM ? plan_arrivals(r->plan)
                                             : r->plan->max_samples;
    OWNED(memory_free) double *scratch = malloc(2 * (size_t)max * sizeof *scratch);
    struct bench_timing *t = scratch ? measure_new_timing(r, scope, series, "", max) : NULL;
    const struct runner all = *r;
    enum bench_status status;
    int first = 0;

    NEED(t, "%d samples", max);
    if (r->machine->together)
        bench_part_of(r->plan, r->machine->together, all.n, &first, &r->n);
    r->one += first;
    r->references += r->references ? first : 0;
    status = series == BENCH_STREAM ? measure_stream(r, t, max, scratch)
                                    : take_samples(r, t, all.n, scratch);
    r->one = all.one;
    r->references = all.references;
    r->n = all.n;
    if (on_device(r) && series != BENCH_STREAM) /* the energy pass has its graphs, too */
        bench_device_take_graphs(r->machine->device, 0);
    if (status)
        measure_drop_timing(t);
    else
        r->result->n_timings++;
    return status;
}

/*
 * measure.c - one cell: verify, warm up, sample, verify again
 *
 * docs/METHOD.md says what the numbers mean.
 */
#include "harness/measure.h"
#include "harness/nvtx.h"
#include "harness/threads.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#define POISON          0xA5
#define SHORT_MS        0.2 /* shorter runs are repeated inside one sample */
#define MIN_DEVICE_REPS 20  /* launches in one graph for short kernels */
#define MAX_REPS        10000
#define WARMUP_GROUP    5    /* two successive medians of so many must agree within 1 % */
#define CLOCK_DROP      0.75 /* a sample below this share of the row's usual clock is throttled */
#define CLOCK_MOVED     0.05 /* before against after: the row is unstable */
#define LOAD_MS         2    /* shorter runs are repeated inside one sample under load */
#define LOAD_DEPTH      8    /* samples on their way to a loaded card; two marks each */
#define LOAD_LOOK_S     0.25 /* between two looks at its clock */
#define MAX_FLUSH       ((size_t)512 << 20)
#define LINE_BYTES      64      /* of a CPU's caches, or less */
#define TIMER_TICK_MS   0.00003 /* CLOCK_MONOTONIC_RAW: tens of ns for a pair of calls */
#define DEVICE_TICK_MS  0.0005  /* resolution of CUDA's events */

#if 2 * LOAD_DEPTH > BENCH_MAX_LAPS + 1
#error "there are not as many marks"
#endif

/* One input with everything that runs on it. */
struct bench_one {
    void *state;
    const void *input;
    void *output;
    bool is_set_up;
    uint64_t hash; /* of the verified output */
};

/* A part of a lap that was one kernel. */
struct lap_part {
    const char *name;
    int lap;      /* that it is a part of */
    double share; /* of its time, 0..1 */
};

/* Parts whose clocks are to be read when the run is done. */
struct lap_clocks {
    const uint32_t *clocks; /* [n_blocks][n_parts], of the target; borrowed */
    size_t n_blocks;
    int first, n_parts; /* of bench_laps.part */
};

struct bench_laps {
    struct bench_device *device; /* NULL: the wall clock */
    int n;
    const char *name[BENCH_MAX_LAPS];
    double at[BENCH_MAX_LAPS + 1]; /* CPU: seconds */
    int n_parts, n_clocks;
    struct lap_part part[BENCH_MAX_LAPS];
    struct lap_clocks clocks[BENCH_MAX_LAPS];
    bool overflow;
    enum bench_status status; /* of the marks on the device */
};

struct runner {
    const struct bench_impl *impl;
    const struct bench_plan *plan;
    const struct bench_machine *machine;
    struct bench_ctx ctx;
    struct bench_one *one;
    int n;
    const struct bench_params *params;
    const void *const *references;
    bench_interrupted_fn *interrupted;
    struct bench_result *result;
    bool pinned;
    double verification_s; /* the runs that were verified, of all inputs */
    long long n_fed,
        n_read; /* samples that a loaded card was given, and those whose time is known */
    unsigned char *flush; /* CPU, flush_bytes */
    size_t flush_bytes;
    volatile unsigned flush_sum; /* of what was read: else nothing would be */
};

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool on_device(const struct runner *r)
{
    return r->impl->target == BENCH_CUDA;
}

static enum bench_status stop_wished(const struct runner *r)
{
    return r->interrupted && r->interrupted() ? BENCH_FAIL(BENCH_EINTR, "interrupted")
                                              : BENCH_OK;
}

static bool ingests(const struct runner *r)
{
    return r->impl->problem->ingest &&
           !(r->impl->reads_raw && r->impl->reads_raw(r->ctx.params));
}

/* By the variant's own team; a GPU leaves the host all of its cores. */
static void ingest(const struct runner *r, const void *input)
{
    const int n_threads =
        r->impl->target == BENCH_CUDA ? r->machine->n_cores : r->ctx.n_threads;

    r->impl->problem->ingest((void *)(uintptr_t)input, n_threads > 1 ? n_threads : 1);
}

/* ---- poison and hash ---- */

void bench_poison(const struct bench_problem *problem, void *output, int byte)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    const int n = problem->output_blocks(output, block);

    for (int i = 0; i < n; i++)
        memset(block[i].data, byte, block[i].bytes);
}

static uint64_t hash_blocks(const struct bench_block *block, int n, uint64_t seed)
{
    uint64_t hash = seed;

    for (int i = 0; i < n; i++)
        hash = XXH64(block[i].data, block[i].bytes, hash);
    return hash;
}

uint64_t bench_hash_output(const struct bench_problem *problem, const void *output,
                           uint64_t seed)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    const int n = problem->output_blocks(output, block);

    return hash_blocks(block, n, seed);
}

uint64_t bench_hash_input(const struct bench_problem *problem, const void *input, uint64_t seed)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    const int n = problem->input_blocks(input, block);

    return hash_blocks(block, n, seed);
}

/* ---- laps ---- */

void bench_lap_mark(struct bench_laps *laps, const char *name)
{
    if (laps->n >= BENCH_MAX_LAPS) {
        laps->overflow = true;
        return;
    }
    laps->name[laps->n++] = name;
    if (laps->device && !laps->status)
        laps->status = bench_device_mark(laps->device, laps->n);
    else
        laps->at[laps->n] = now_s();
}

void bench_lap_mark_parts(struct bench_laps *laps, const char *const *names, int n_parts,
                          const uint32_t *clocks, size_t n_blocks)
{
    struct lap_clocks *c = &laps->clocks[laps->n_clocks];

    /* before any lap there is nothing that could have parts */
    if (laps->n < 1 || n_parts < 1 || n_blocks < 1)
        return;
    if (laps->n_parts + n_parts > BENCH_MAX_LAPS) {
        laps->overflow = true;
        return;
    }
    *c = (struct lap_clocks){clocks, n_blocks, laps->n_parts, n_parts};
    laps->n_clocks++; /* of one part at least each: no more than there may be parts */
    for (int i = 0; i < n_parts; i++)
        laps->part[laps->n_parts++] = (struct lap_part){names[i], laps->n - 1, 0};
}

/* The shares of the parts of one kernel: their clocks, summed over its blocks, of those of all parts. */
static enum bench_status read_shares(struct bench_laps *laps, const struct lap_clocks *c)
{
    size_t n, bytes;
    uint32_t *clocks = NULL;
    double sum = 0;
    enum bench_status status = BENCH_OK;

    if (!__builtin_mul_overflow(c->n_blocks, (size_t)c->n_parts, &n) &&
        !__builtin_mul_overflow(n, sizeof *clocks, &bytes))
        clocks = malloc(bytes);
    if (!clocks)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the clocks of %zu blocks",
                          c->n_blocks);
    if (laps->device)
        status = bench_device_read(laps->device, clocks, c->clocks, bytes);
    else
        memcpy(clocks, c->clocks, bytes);
    for (size_t i = 0; i < n && !status; i++) {
        laps->part[c->first + (int)(i % (size_t)c->n_parts)].share += clocks[i];
        sum += clocks[i];
    }
    free(clocks);
    TRY(status);
    if (!(sum > 0))
        return BENCH_FAIL(BENCH_ESKIP, "the clocks of the parts of lap '%s' are all 0",
                          laps->name[laps->part[c->first].lap]);
    for (int i = 0; i < c->n_parts; i++)
        laps->part[c->first + i].share /= sum;
    return BENCH_OK;
}

static enum bench_status laps_begin(struct bench_laps *laps)
{
    laps->n = laps->n_parts = laps->n_clocks = 0;
    if (laps->device)
        return bench_device_mark(laps->device, 0);
    laps->at[0] = now_s();
    return BENCH_OK;
}

/* Of lap i, or from laps->n on of part i - laps->n. */
static enum bench_status lap_ms(struct bench_laps *laps, int i, double *ms)
{
    if (i >= laps->n) {
        const struct lap_part *part = &laps->part[i - laps->n];

        TRY(lap_ms(laps, part->lap, ms));
        *ms *= part->share;
        return BENCH_OK;
    }
    if (laps->device)
        return bench_device_marked_ms(laps->device, i, i + 1, ms);
    *ms = 1e3 * (laps->at[i + 1] - laps->at[i]);
    return BENCH_OK;
}

/* ---- the hooks, in order ---- */

static enum bench_status make_state(struct runner *r, struct bench_one *one)
{
    one->state = calloc(1, r->impl->state_size ? r->impl->state_size : 1);
    if (!one->state)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the state of %s", r->impl->name);
    one->is_set_up = true;
    return r->impl->setup(one->state, &r->ctx, one->input, one->output);
}

/* Fill the output, on both sides, with a pattern that no result has: a run that does nothing cannot pass. */
static enum bench_status poison_both(struct runner *r, struct bench_one *one)
{
    bench_poison(r->impl->problem, one->output, POISON);
    return r->impl->poison ? r->impl->poison(one->state) : BENCH_OK;
}

static enum bench_status run_whole(struct runner *r, struct bench_one *one)
{
    if (r->impl->upload)
        TRY(r->impl->upload(one->state));
    TRY(r->impl->run(one->state));
    if (r->impl->download)
        TRY(r->impl->download(one->state));
    if (on_device(r))
        TRY(bench_device_sync(r->machine->device));
    return BENCH_OK;
}

static void drop_states(struct runner *r)
{
    for (int i = 0; r->one && i < r->n; i++)
        if (r->one[i].is_set_up) {
            r->impl->teardown(r->one[i].state);
            free(r->one[i].state);
        }
    free(r->one);
    free(r->flush);
}

enum bench_status bench_once(const struct bench_impl *impl, const struct bench_params *params,
                             int n_threads, struct bench_device *device, const void *input,
                             void *output)
{
    struct bench_one one = {.input = input, .output = output};
    const struct bench_machine machine = {.device = device};
    struct runner r = {.impl = impl, .machine = &machine, .one = &one, .n = 1};
    enum bench_status status;

    if (impl->target == BENCH_CUDA && !device)
        return BENCH_FAIL(BENCH_ESKIP, "%s needs a GPU", impl->name);
    r.ctx.params = params;
    r.ctx.n_threads = impl->target == BENCH_OPENMP && n_threads > 1 ? n_threads : 1;
    r.ctx.stream = impl->target == BENCH_CUDA ? bench_device_stream(device) : NULL;
    r.ctx.n_sms = impl->target == BENCH_CUDA ? bench_device_n_sms(device) : 0;
    if (impl->target != BENCH_CUDA)
        bench_threads_free();
    status = make_state(&r, &one);
    if (!status)
        status = poison_both(&r, &one);
    if (!status)
        status = run_whole(&r, &one);
    if (one.is_set_up)
        impl->teardown(one.state);
    free(one.state);
    return status;
}

/* ---- verification ---- */

/* Add one input's difference to that of all: counts summed, the greatest error, the first place. */
static void add_difference(struct bench_difference *all, const struct bench_difference *one)
{
    if (one->n_wrong > 0 && all->n_wrong == 0)
        snprintf(all->where, sizeof all->where, "%s", one->where);
    all->n_wrong += one->n_wrong;
    all->n_outside += one->n_outside;
    all->n_different += one->n_different;
    all->n_compared += one->n_compared;
    if (isnan(one->max_error) || one->max_error > all->max_error) /* a NaN stays */
        all->max_error = one->max_error;
}

enum bench_status bench_compare(const struct bench_impl *impl,
                                const struct bench_params *params, const void *input,
                                const void *reference, const void *output, const char *when,
                                struct bench_difference *difference)
{
    impl->problem->compare(params, input, reference, output, difference);
    if (difference->n_wrong == 0)
        return BENCH_OK;
    return BENCH_FAIL(BENCH_EMISMATCH, "%s differs from %s in %zu values%s: %s", impl->name,
                      impl->reference ? impl->reference : "its own first run",
                      difference->n_wrong, when, difference->where);
}

static enum bench_status compare_one(struct runner *r, int i, const char *when)
{
    struct bench_difference difference = {0};
    enum bench_status status;

    if (!r->references || !r->references[i])
        return BENCH_OK;
    status = bench_compare(r->impl, r->params, r->one[i].input, r->references[i],
                           r->one[i].output, when, &difference);
    add_difference(&r->result->difference, &difference);
    if (status)
        r->result->verified = false;
    return status;
}

static enum bench_status verify_all(struct runner *r)
{
    uint64_t total = 0;

    for (int i = 0; i < r->n; i++) {
        struct bench_one *one = &r->one[i];
        double t0;

        TRY(stop_wished(r));
        TRY(poison_both(r, one));
        t0 = now_s();
        TRY(run_whole(r, one));
        r->verification_s += now_s() - t0;
        TRY(compare_one(r, i, ""));
        one->hash = bench_hash_output(r->impl->problem, one->output, 0);
        total = XXH64(&one->hash, sizeof one->hash, total);
    }
    r->result->output_hash = total;
    r->result->verified = true;
    return BENCH_OK;
}

static enum bench_status verify(struct runner *r)
{
    enum bench_status status;

    bench_nvtx_begin(BENCH_PHASE_VERIFY, 0);
    status = verify_all(r);
    bench_nvtx_end();
    return status;
}

/* Bring what the last run left to the host, over poison. */
static enum bench_status fetch_output(struct runner *r, struct bench_one *one)
{
    if (!on_device(r))
        return BENCH_OK;
    if (r->ctx.transfer != BENCH_MAPPED) /* else it may be what the card wrote, itself */
        bench_poison(r->impl->problem, one->output, POISON);
    if (r->impl->download)
        TRY(r->impl->download(one->state));
    return bench_device_sync(r->machine->device);
}

/* The output of input i that is on the host is the one that was verified. */
static enum bench_status same_as_verified(struct runner *r, int i, const char *when)
{
    struct bench_one *one = &r->one[i];

    if (r->references && !r->result->repeatable)
        return compare_one(r, i, when);
    if (bench_hash_output(r->impl->problem, one->output, 0) == one->hash)
        return BENCH_OK;
    r->result->verified = false;
    r->result->difference.n_wrong++;
    return BENCH_FAIL(BENCH_EMISMATCH, "%s: input %d gives another output%s than before",
                      r->impl->name, i, when);
}

/* Before a series and behind it: the runs of one that do nothing would leave the poison. */
static enum bench_status poison_all(struct runner *r)
{
    for (int i = 0; i < r->n; i++)
        TRY(poison_both(r, &r->one[i]));
    return BENCH_OK;
}

static enum bench_status verify_left(struct runner *r)
{
    for (int i = 0; i < r->n; i++) {
        TRY(fetch_output(r, &r->one[i]));
        TRY(same_as_verified(r, i, " after the timed runs"));
    }
    return BENCH_OK;
}

/* One more run into poisoned memory. */
static enum bench_status verify_afresh(struct runner *r)
{
    for (int i = 0; i < r->n; i++) {
        TRY(poison_both(r, &r->one[i]));
        TRY(run_whole(r, &r->one[i]));
        TRY(same_as_verified(r, i, " in a fresh run after the timing"));
    }
    return BENCH_OK;
}

static enum bench_status verify_again(struct runner *r,
                                      enum bench_status (*verify_outputs)(struct runner *))
{
    enum bench_status status;

    bench_nvtx_begin(BENCH_PHASE_VERIFY, 1);
    status = verify_outputs(r);
    bench_nvtx_end();
    return status;
}

/* ---- one sample ---- */

/* What comes before a timed run on the device: cold caches if asked for, and the host out of the way. */
static enum bench_status prepare_device(struct runner *r, enum bench_series series)
{
    if (r->machine->profile || series == BENCH_SUSTAINED)
        return BENCH_OK;
    if (series == BENCH_COLD)
        TRY(bench_device_flush(r->machine->device, 1));
    return bench_device_hold(r->machine->device);
}

/* Read a buffer larger than the last-level cache, by all threads, so that the next run starts cold; what is read has
 * not to be written back. */
static void flush_cpu(struct runner *r)
{
    const long n = (long)(r->flush_bytes / LINE_BYTES);
    const unsigned char *flush = r->flush;
    unsigned sum = 0;

#pragma omp parallel for schedule(static) num_threads(r->ctx.n_threads) reduction(+ : sum)
    for (long i = 0; i < n; i++)
        sum += flush[i * LINE_BYTES];
    r->flush_sum = sum;
}

/* What a graph of the device is of. */
enum work {
    WORK_RUNS,    /* the runs of a sample, each behind a flush where 'less_flushes' */
    WORK_FLUSHES, /* these flushes alone */
    N_WORKS
};

/* The flushes of a cold sample, which take the halves of the buffer in turn, from the one on that the sample's own
 * preparation did not take. */
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

static enum bench_status run_passes(struct runner *r, const struct bench_timing *t)
{
    if (t->series == BENCH_HOT) { /* each input back to back */
        for (int i = 0; i < r->n; i++)
            for (int k = 0; k < t->reps; k++)
                TRY(r->impl->run(r->one[i].state));
    } else { /* in turn */
        for (int k = 0; k < t->reps; k++)
            for (int i = 0; i < r->n; i++)
                TRY(r->impl->run(r->one[i].state));
    }
    return BENCH_OK;
}

/* The runs of one sample of scope kernel, or its flushes. */
static enum bench_status enqueue(struct runner *r, const struct bench_timing *t, enum work work)
{
    if (t->graph)
        return bench_device_graph_launch(r->machine->device, (int)work);
    return t->less_flushes ? flush_passes(r, t->reps, work) : run_passes(r, t);
}

static enum bench_status time_work(struct runner *r, const struct bench_timing *t,
                                   enum work work, double *ms)
{
    struct bench_device *device = r->machine->device;

    TRY(prepare_device(r, t->series));
    TRY(bench_device_start(device));
    TRY(enqueue(r, t, work));
    TRY(bench_device_stop(device));
    return bench_device_elapsed(device, ms);
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
        if (t->scope == BENCH_FRAME) {
            double t0;

            TRY(bench_device_sync(device));
            t0 = now_s();
            if (ingests(r))
                ingest(r, r->one[i].input);
            TRY(run_whole(r, &r->one[i]));
            sum += 1e3 * (now_s() - t0);
            continue;
        }
        TRY(bench_device_start(device));
        TRY(run_copied(r, t, r->one[i].state));
        TRY(bench_device_stop(device));
        TRY(bench_device_elapsed(device, &part));
        sum += part;
    }
    *ms = sum / r->n;
    return BENCH_OK;
}

/* The next sample of a card that never waits for the host: give it samples until LOAD_DEPTH are on their way, then wait
 * for the oldest. */
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

static enum bench_status cpu_sample(struct runner *r, const struct bench_timing *t, double *ms)
{
    double sum = 0, t0;

    if (t->scope == BENCH_KERNEL && t->series != BENCH_COLD) {
        t0 = now_s();
        TRY(run_passes(r, t));
        *ms = 1e3 * (now_s() - t0) / ((double)t->reps * r->n);
        return BENCH_OK;
    }
    for (int i = 0; i < r->n; i++) {
        if (t->series == BENCH_COLD && r->flush)
            flush_cpu(r);
        t0 = now_s();
        if (t->scope == BENCH_FRAME && ingests(r))
            ingest(r, r->one[i].input);
        TRY(r->impl->run(r->one[i].state));
        sum += now_s() - t0;
    }
    *ms = 1e3 * sum / r->n;
    return BENCH_OK;
}

static enum bench_status sample(struct runner *r, const struct bench_timing *t,
                                enum bench_phase phase, long long index, double *ms)
{
    const bool loaded =
        t->series == BENCH_SUSTAINED && t->scope != BENCH_FRAME && !r->machine->profile;
    enum bench_status status;

    bench_nvtx_begin(phase, index);
    status = !on_device(r) ? cpu_sample(r, t, ms)
             : loaded      ? loaded_sample(r, t, ms)
                           : device_sample(r, t, ms);
    bench_nvtx_end();
    return status;
}

/* ---- a series of samples ---- */

const char *bench_stop(const struct bench_plan *plan, const struct bench_stat *stat,
                       double elapsed_s)
{
    const int least = plan->min_samples < 3 ? plan->min_samples : 3;

    if (stat->n >= plan->max_samples)
        return "max_samples";
    if (stat->n >= plan->min_samples && elapsed_s >= plan->min_time_s &&
        (stat->ci_hi - stat->ci_lo) / 2 <= plan->precision * stat->median)
        return "precision";
    if (elapsed_s >= plan->timeout_s && stat->n >= least)
        return "timeout";
    return NULL;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median_of(const double *values, int n)
{
    double sorted[64];

    if (n > 64)
        n = 64;
    memcpy(sorted, values, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare_doubles);
    return sorted[n / 2];
}

/* Until two successive medians of five differ by less than 1 %, or the time for it, from 't0' on, is over; before a sustained
 * series for the time that it asks for. */
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
            const double median = median_of(group, n);

            if (!load && last > 0 && fabs(median - last) < 0.01 * last)
                return BENCH_OK;
            last = median;
            n = 0;
        }
    }
}

/* How many runs one sample repeats, from an estimate of one of them. */
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

/* Capture the runs of one sample as a graph, and of a cold one its flushes as another; where that cannot be, they are launched
 * piece by piece. */
static enum bench_status capture(struct runner *r, struct bench_timing *t)
{
    struct bench_device *device = r->machine->device;
    enum bench_status status = BENCH_OK, ended = BENCH_OK;

    for (int work = 0; work < (t->less_flushes ? N_WORKS : 1) && !status && !ended; work++) {
        TRY(bench_device_graph_begin(device));
        status = enqueue(r, t, (enum work)work);
        ended = bench_device_graph_end(device, work);
    }
    if (status && status != BENCH_ECUDA)
        return status;
    if (status || ended == BENCH_ESKIP) {
        /* something in the run may not be captured: if that was all, it still runs by itself */
        bench_failure_clear();
        bench_device_graph_drop(device);
        for (int i = 0; i < r->n; i++)
            TRY(r->impl->run(r->one[i].state));
        return bench_device_sync(device);
    }
    t->graph = ended == BENCH_OK;
    return ended;
}

/* What the clock did while the samples were taken; 'scratch' has room for as many.  None is left out. */
static void judge_clock(struct bench_timing *t, double *scratch)
{
    const double before = t->gpu_mhz_before, after = t->gpu_mhz_after;
    double usual;
    int n = 0;

    for (int i = 0; i < t->n; i++)
        if (t->sm_mhz[i] > 0)
            scratch[n++] = t->sm_mhz[i];
    t->unstable = before > 0 && after > 0 && fabs(after - before) > CLOCK_MOVED * before;
    if (n == 0)
        return;
    qsort(scratch, (size_t)n, sizeof *scratch, compare_doubles);
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
        next_look =
            t->n + 1 + t->n / 20; /* sorting at every sample would warm the wrong caches */
        bench_summarise(ms, t->n, tick, sorted, &t->stat);
        t->stop_reason = bench_stop(r->plan, &t->stat, elapsed);
        if (t->stop_reason)
            break;
    }
    if (!t->stop_reason)
        t->stop_reason = "max_samples";
    bench_summarise(ms, t->n, tick, sorted, &t->stat);
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

/* As one sample, but that nothing is timed and the card is not held. */
static enum bench_status run_unclocked(struct runner *r, const struct bench_timing *t)
{
    if (t->scope == BENCH_KERNEL)
        return enqueue(r, t, WORK_RUNS);
    for (int i = 0; i < r->n; i++) {
        if (t->scope == BENCH_FRAME && ingests(r))
            ingest(r, r->one[i].input);
        TRY(run_whole(r, &r->one[i]));
    }
    return BENCH_OK;
}

static enum bench_status run_for_energy(void *opaque, long long *n_runs)
{
    struct energy_runs *w = opaque;
    struct runner *r = w->r;

    TRY(stop_wished(r));
    for (int k = 0; k < w->n; k++)
        TRY(run_unclocked(r, w->t));
    if (on_device(r))
        TRY(bench_device_sync(r->machine->device));
    *n_runs += (long long)w->n * w->t->reps * r->n;
    return BENCH_OK;
}

static enum bench_status take_energy(struct runner *r, struct bench_timing *t)
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

static struct bench_timing *new_timing(struct runner *r, enum bench_scope scope,
                                       enum bench_series series, const char *lap, int max)
{
    struct bench_timing *t;

    if (r->result->n_timings >= BENCH_MAX_TIMINGS)
        return NULL;
    t = &r->result->timing[r->result->n_timings];
    memset(t, 0, sizeof *t);
    t->scope = scope;
    t->series = series;
    snprintf(t->lap, sizeof t->lap, "%s", lap);
    t->ns = calloc((size_t)max, sizeof *t->ns);
    t->sm_mhz = on_device(r) ? calloc((size_t)max, sizeof *t->sm_mhz) : NULL;
    if (!t->ns || (on_device(r) && !t->sm_mhz)) {
        free(t->ns);
        free(t->sm_mhz);
        memset(t, 0, sizeof *t);
        return NULL;
    }
    return t;
}

/* How long one run of one input takes, without knowing anything. */
static enum bench_status estimate_run(struct runner *r, double *ms)
{
    const struct bench_timing once = {.scope = BENCH_KERNEL, .series = BENCH_FRAMES, .reps = 1};
    double again;

    TRY(sample(r, &once, BENCH_PHASE_WARMUP, 0, ms));
    if (*ms >= SHORT_MS)
        return BENCH_OK;
    TRY(sample(r, &once, BENCH_PHASE_WARMUP, 0,
               &again)); /* the first is slow: it fills caches */
    *ms = fmin(*ms, again);
    return BENCH_OK;
}

static enum bench_status take_samples(struct runner *r, struct bench_timing *t, double *scratch)
{
    const bool is_kernel = t->scope == BENCH_KERNEL && !r->machine->profile;
    const bool is_known =
        is_kernel && !on_device(r) && r->verification_s >= r->plan->timeout_s / 2;
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
    TRY(poison_all(r)); /* what stood there from the estimate is no proof */
    if (is_known || (estimate > 0 && now_s() - t0 >= r->plan->timeout_s / 2)) {
        t->first_ms = estimate; /* so long a run has warmed up what there is */
        t->warmups = 1;
    } else {
        TRY(warm_up(r, t, now_s()));
    }
    TRY(sample_series(r, t, scratch));
    if (r->plan->energy && t->series != BENCH_COLD && !r->machine->profile)
        TRY(take_energy(r, t));
    return verify_again(r, verify_left);
}

static enum bench_status time_series(struct runner *r, enum bench_scope scope,
                                     enum bench_series series)
{
    const int max = r->machine->profile ? 1 : r->plan->max_samples;
    double *scratch = malloc(2 * (size_t)max * sizeof *scratch);
    struct bench_timing *t = scratch ? new_timing(r, scope, series, "", max) : NULL;
    enum bench_status status;

    if (!t) {
        free(scratch);
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d samples", max);
    }
    status = take_samples(r, t, scratch);
    free(scratch);
    if (on_device(r))
        bench_device_graph_drop(r->machine->device);
    if (status) {
        free(t->ns);
        free(t->sm_mhz);
        memset(t, 0, sizeof *t);
        return status;
    }
    r->result->n_timings++;
    return BENCH_OK;
}

/* ---- the lap pass ---- */

/* One run of one input with its laps; frame scope adds those of ingest and the copies. */
static enum bench_status run_laps(struct runner *r, struct bench_one *one,
                                  enum bench_scope scope, enum bench_series series,
                                  struct bench_laps *laps)
{
    const struct bench_problem *problem = r->impl->problem;
    const bool frame = scope == BENCH_FRAME;
    enum bench_status status;
    int n_before;

    if (series == BENCH_COLD && on_device(r))
        TRY(bench_device_flush(r->machine->device, 1));
    else if (series == BENCH_COLD && r->flush)
        flush_cpu(r);
    if (on_device(r))
        TRY(bench_device_sync(r->machine->device));
    if (on_device(r) && !frame) /* else the first lap holds the way of its launch to the card */
        TRY(bench_device_hold(r->machine->device));
    TRY(laps_begin(laps));
    if (frame && ingests(r)) {
        ingest(r, one->input);
        bench_lap_mark(laps, problem->ingest_lap ? problem->ingest_lap : "ingest");
    }
    if (frame && r->impl->upload) {
        TRY(r->impl->upload(one->state));
        bench_lap_mark(laps, "upload");
    }
    n_before = laps->n;
    r->ctx.laps = laps;
    status = r->impl->run(one->state);
    r->ctx.laps = NULL;
    TRY(status);
    if (frame && laps->n == n_before) /* a variant without laps of its own */
        bench_lap_mark(laps, "run");
    if (frame && r->impl->download) {
        TRY(r->impl->download(one->state));
        bench_lap_mark(laps, "download");
    }
    if (on_device(r))
        TRY(bench_device_sync(r->machine->device));
    if (laps->overflow)
        return BENCH_FAIL(BENCH_ESKIP, "%s has more than %d laps", r->impl->name,
                          BENCH_MAX_LAPS);
    TRY(laps->status);
    for (int i = 0; i < laps->n_clocks; i++)
        TRY(read_shares(laps, &laps->clocks[i]));
    return BENCH_OK;
}

static enum bench_status time_laps(struct runner *r, enum bench_scope scope,
                                   enum bench_series series)
{
    struct bench_laps laps = {.device = on_device(r) ? r->machine->device : NULL};
    const int first = r->result->n_timings;
    const int max = r->plan->min_samples;
    const double t0 = now_s();
    double *scratch;
    int n_laps = 0, n = 0; /* n_laps: and the parts of laps after them */

    /* the first tells how many laps there are, and warms up; the second shows what instantiations with clocks compute */
    TRY(run_laps(r, &r->one[0], scope, series, &laps));
    TRY(poison_both(r, &r->one[0]));
    TRY(run_laps(r, &r->one[0], scope, series, &laps));
    TRY(fetch_output(r, &r->one[0]));
    TRY(same_as_verified(r, 0, " in the pass of laps"));
    n_laps = laps.n + laps.n_parts;
    if (n_laps < 1 || (scope == BENCH_KERNEL && n_laps < 2))
        return BENCH_OK; /* one part: nothing to tell apart */
    for (int l = 0; l < n_laps; l++) {
        const bool is_share = l >= laps.n;
        struct bench_timing *t = new_timing(
            r, scope, series, is_share ? laps.part[l - laps.n].name : laps.name[l], max);

        if (!t)
            return BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d laps", n_laps);
        t->is_share = is_share;
        t->reps = 1;
        t->warmups = 2;
        t->stop_reason = "max_samples";
        r->result->n_timings++;
    }
    for (n = 0; n < max && !stop_wished(r) && (n < 3 || now_s() - t0 < r->plan->timeout_s);
         n++) {
        for (int i = 0; i < r->n; i++) {
            bench_nvtx_begin(BENCH_PHASE_TIMED, n);
            {
                const enum bench_status status = run_laps(r, &r->one[i], scope, series, &laps);

                bench_nvtx_end();
                TRY(status);
            }
            if (laps.n + laps.n_parts != n_laps)
                return BENCH_FAIL(BENCH_ESKIP, "%s has not the same laps in every run",
                                  r->impl->name);
            for (int l = 0; l < n_laps; l++) {
                double ms = 0;

                TRY(lap_ms(&laps, l, &ms));
                r->result->timing[first + l].ns[n] += 1e6 * ms / r->n;
            }
        }
    }
    scratch = malloc(2 * (size_t)n * sizeof *scratch);
    if (!scratch)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for laps");
    for (int l = 0; l < n_laps; l++) {
        struct bench_timing *t = &r->result->timing[first + l];

        t->n = n;
        free(t->sm_mhz); /* not probed in this pass */
        t->sm_mhz = NULL;
        for (int i = 0; i < n; i++)
            scratch[i] = 1e-6 * t->ns[i];
        bench_summarise(scratch, n, on_device(r) ? DEVICE_TICK_MS : TIMER_TICK_MS, scratch + n,
                        &t->stat);
        t->first_ms = scratch[0];
        if (n < max)
            t->stop_reason = "timeout";
    }
    free(scratch);
    return BENCH_OK;
}

/* ---- the whole ---- */

/* Pinned host memory makes copies asynchronous and fast, for every CUDA variant alike. */
static void pin(struct runner *r, bool on)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    bool all = true;

    for (int i = 0; i < r->n; i++)
        for (int side = 0; side < 2; side++) {
            const int n = side ? r->impl->problem->output_blocks(r->one[i].output, block)
                               : r->impl->problem->input_blocks(r->one[i].input, block);

            for (int b = 0; b < n; b++) {
                if (block[b].bytes < 4096)
                    continue;
                if (on)
                    all = bench_device_pin(block[b].data, block[b].bytes) && all;
                else
                    bench_device_unpin(block[b].data);
            }
        }
    r->pinned = on;
    if (on)
        r->result->pinned = all;
}

static enum bench_status set_up(struct runner *r, void *const *inputs, void *const *outputs)
{
    struct bench_device *device = r->machine->device;
    enum bench_status status = BENCH_OK;

    r->one = calloc((size_t)r->n, sizeof *r->one);
    if (!r->one)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d states", r->n);
    for (int i = 0; i < r->n; i++) {
        r->one[i].input = inputs[i];
        r->one[i].output = outputs[i];
    }
    if (on_device(r)) {
        pin(r, true);
        bench_device_take_allocated();
        bench_device_take_arrays();
    }
    bench_nvtx_begin(BENCH_PHASE_SETUP, 0);
    for (int i = 0; i < r->n && !status; i++)
        status = make_state(r, &r->one[i]);
    bench_nvtx_end();
    TRY(status);
    if (on_device(r)) {
        TRY(bench_device_sync(device));
        if (bench_device_take_arrays() == 0 && r->ctx.transfer != BENCH_COPY)
            return BENCH_FAIL(BENCH_ESKIP, "%s copies its frames: it has no other transfer",
                              r->impl->name);
        r->result->device_bytes = bench_device_take_allocated();
    } else if (r->plan->series & 1u << BENCH_COLD && !r->machine->profile) {
        r->flush_bytes = 2 * (r->machine->llc_bytes ? r->machine->llc_bytes : (size_t)32 << 20);
        if (r->flush_bytes > MAX_FLUSH) /* a virtual machine may name its host's whole cache */
            r->flush_bytes = MAX_FLUSH;
        r->flush = malloc(r->flush_bytes);
        if (!r->flush)
            return BENCH_FAIL(BENCH_ENOMEM,
                              "out of memory for the flush of the cache (%zu MiB)",
                              r->flush_bytes >> 20);
        memset(r->flush, 1, r->flush_bytes); /* pages that nobody wrote are all the same one */
    }
    return BENCH_OK;
}

static enum bench_status measure_all(struct runner *r, void *const *inputs,
                                     void *const *outputs)
{
    TRY(set_up(r, inputs, outputs));
    TRY(verify(r));
    if (!r->plan->times)
        return BENCH_OK;
    for (int series = 0; series < BENCH_N_SERIES; series++)
        for (int scope = 0; scope < BENCH_N_SCOPES; scope++) {
            if (!(r->plan->series & 1u << series) || !(r->plan->scopes & 1u << scope))
                continue;
            if (scope == BENCH_DEVICE && !on_device(r))
                continue; /* nothing is copied */
            TRY(time_series(r, (enum bench_scope)scope, (enum bench_series)series));
            if (r->plan->laps && !r->machine->profile && scope != BENCH_DEVICE)
                TRY(time_laps(r, (enum bench_scope)scope, (enum bench_series)series));
        }
    return verify_again(r, verify_afresh);
}

enum bench_status
bench_measure(const struct bench_impl *impl, const struct bench_params *params,
              const struct bench_plan *plan, const struct bench_machine *machine,
              void *const *inputs, const void *const *references, void *const *outputs,
              int n_inputs, bench_interrupted_fn *interrupted, struct bench_result *result)
{
    struct runner r = {.impl = impl,
                       .params = params,
                       .references = references,
                       .plan = plan,
                       .machine = machine,
                       .n = n_inputs,
                       .interrupted = interrupted,
                       .result = result};
    enum bench_status status;

    memset(result, 0, sizeof *result);
    /* of its own exact form, in a cell that is not judged exactly, no variant is the reference */
    result->is_reference =
        impl->reference == NULL &&
        (!impl->problem->match || impl->problem->match(params) == BENCH_EXACT);
    result->repeatable = !impl->problem->repeatable || impl->problem->repeatable(params);
    if (impl->target == BENCH_CUDA && !machine->device)
        return BENCH_FAIL(BENCH_ESKIP, "no GPU");
    if (impl->target == BENCH_OPENMP && plan->threads > bench_cores()->n_pus)
        return BENCH_FAIL(BENCH_ESKIP, "%d threads on %d processors", plan->threads,
                          bench_cores()->n_pus);
    r.ctx.params = params;
    r.ctx.n_threads = 1;
    r.ctx.note = &result->note;
    if (impl->target == BENCH_CUDA) {
        TRY(bench_device_take_sms(machine->device, plan->sms));
        r.ctx.stream = bench_device_stream(machine->device);
        r.ctx.n_sms = bench_device_n_sms(machine->device);
        r.ctx.transfer = plan->transfer;
        bench_threads_free();
        snprintf(result->binding, sizeof result->binding, "none");
    } else {
        r.ctx.n_threads = impl->target == BENCH_SERIAL ? 1
                          : plan->threads > 0          ? plan->threads
                                                       : machine->n_cores;
        result->threads =
            bench_threads_bind(r.ctx.n_threads, result->binding, sizeof result->binding);
    }
    status = measure_all(&r, inputs, outputs);
    if (r.pinned)
        pin(&r, false);
    drop_states(&r);
    if (impl->target == BENCH_CUDA && plan->sms > 0)
        bench_device_take_sms(machine->device, 0); /* all of them never fails */
    return status;
}

void bench_result_free(struct bench_result *result)
{
    for (int i = 0; i < result->n_timings; i++) {
        free(result->timing[i].ns);
        free(result->timing[i].sm_mhz);
    }
    result->n_timings = 0;
}

/*
 * measure.c - one configuration: verify, warm up, sample, verify again
 *
 * docs/METHOD.md says what the numbers mean.
 */
#include "harness/measure/measure_private.h"

#include "harness/measure/nvtx.h"
#include "harness/platform/threads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define POISON    0xA5
#define MAX_FLUSH ((size_t)512 << 20)

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

/* ---- the hooks, in order ---- */

/* The states of a stream take its slots in turn. */
static const struct bench_ctx *context(const struct runner *r, const struct bench_one *one)
{
    return on_device(r) && r->plan && plan_streams(r->plan)
               ? &r->slot[(one - r->one) % r->plan->in_flight]
               : &r->ctx;
}

static enum bench_status make_state(struct runner *r, struct bench_one *one)
{
    one->state = calloc(1, r->impl->state_size ? r->impl->state_size : 1);
    NEED(one->state, "the state of %s", r->impl->name);
    one->is_set_up = true;
    return r->impl->setup(one->state, context(r, one), one->input, one->output);
}

enum bench_status measure_poison_both(struct runner *r, struct bench_one *one)
{
    bench_poison(r->impl->problem, one->output, POISON);
    return r->impl->poison ? r->impl->poison(one->state) : BENCH_OK;
}

enum bench_status measure_run_whole(struct runner *r, struct bench_one *one,
                                    enum bench_scope scope)
{
    if (r->impl->upload)
        TRY(upload(r, one, scope));
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
    measure_change_end(r);
    free(r->one);
    free(r->flush);
}

/* Tells the variant all but what depends on a plan. */
static void set_context(struct runner *r, const struct bench_params *params, int n_threads)
{
    r->ctx.impl = r->impl;
    r->ctx.params = params;
    r->ctx.n_threads = r->impl->target == BENCH_OPENMP && n_threads > 1 ? n_threads : 1;
    if (on_device(r)) {
        r->ctx.stream = bench_device_stream(r->machine->device);
        r->ctx.n_sms = bench_device_n_sms(r->machine->device);
    }
}

enum bench_status bench_once(const struct bench_impl *impl, const struct bench_params *params,
                             int n_threads, struct bench_device *device, const void *input,
                             void *output)
{
    struct bench_one one = {.input = input, .output = output};
    const struct bench_machine machine = {.device = device};
    struct runner r = {.impl = impl, .machine = &machine, .one = &one, .n = 1};
    enum bench_status status;

    FAIL_IF(on_device(&r) && !device, BENCH_ESKIP, "%s needs a GPU", impl->name);
    set_context(&r, params, n_threads);
    status = make_state(&r, &one);
    if (!status)
        status = measure_poison_both(&r, &one);
    if (!status)
        status = measure_run_whole(&r, &one, BENCH_END_TO_END);
    if (one.is_set_up)
        impl->teardown(one.state);
    free(one.state);
    return status;
}

/* ---- verification ---- */

/* Add an input's difference to that of all: sums of counts, greatest error, first place. */
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
    (impl->other ? impl->problem->compare_other
                 : impl->problem->compare)(params, input, reference, output, difference);
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
    status = bench_compare(r->impl, r->ctx.params, r->one[i].input, r->references[i],
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
        TRY(measure_poison_both(r, one));
        t0 = now_s();
        TRY(measure_run_whole(r, one, BENCH_END_TO_END));
        r->verification_s += now_s() - t0;
        TRY(compare_one(r, i, ""));
        one->hash = bench_hash_output(r->impl->problem, one->output, 0);
        if (i < r->n_inputs)
            total = XXH64(&one->hash, sizeof one->hash, total);
    }
    r->result->output_hash = total;
    r->result->verified = true;
    return BENCH_OK;
}

enum bench_status measure_verify(struct runner *r, int time,
                                 enum bench_status (*verify_outputs)(struct runner *))
{
    enum bench_status status;

    bench_nvtx_begin(BENCH_PHASE_VERIFY, time);
    status = verify_outputs(r);
    bench_nvtx_end();
    return status;
}

enum bench_status measure_fetch_output(struct runner *r, struct bench_one *one)
{
    if (!on_device(r) && !r->impl->download)
        return BENCH_OK;
    if (r->ctx.transfer != BENCH_MAPPED) /* else it may be what the GPU wrote, itself */
        bench_poison(r->impl->problem, one->output, POISON);
    if (r->impl->download)
        TRY(r->impl->download(one->state));
    return on_device(r) ? bench_device_sync(r->machine->device) : BENCH_OK;
}

enum bench_status measure_same_as_verified(struct runner *r, int i, const char *when)
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

enum bench_status measure_poison_all(struct runner *r)
{
    for (int i = 0; i < r->n; i++)
        TRY(measure_poison_both(r, &r->one[i]));
    return BENCH_OK;
}

enum bench_status measure_verify_left(struct runner *r)
{
    for (int i = 0; i < r->n; i++) {
        TRY(measure_fetch_output(r, &r->one[i]));
        TRY(measure_same_as_verified(r, i, " after the timed runs"));
    }
    return BENCH_OK;
}

/* One more run into poisoned memory. */
static enum bench_status verify_afresh(struct runner *r)
{
    for (int i = 0; i < r->n; i++) {
        TRY(measure_poison_both(r, &r->one[i]));
        TRY(measure_run_whole(r, &r->one[i], BENCH_END_TO_END));
        TRY(measure_same_as_verified(r, i, " in a fresh run after the timing"));
    }
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

            for (int b = 0; b < n && (side || i < r->n_inputs); b++) {
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
    size_t n_bytes;
    int n_arrays;

    r->one = calloc((size_t)r->n, sizeof *r->one);
    NEED(r->one, "%d states", r->n);
    for (int i = 0; i < r->n; i++) {
        r->one[i].input = inputs[i];
        r->one[i].output = outputs[i];
    }
    if (on_device(r)) {
        pin(r, true);
        bench_device_take_allocated(&n_arrays);
    }
    bench_nvtx_begin(BENCH_PHASE_SETUP, 0);
    for (int i = 0; i < r->n && !status; i++)
        status = make_state(r, &r->one[i]);
    bench_nvtx_end();
    TRY(status);
    if (on_device(r)) {
        TRY(bench_device_sync(device));
        n_bytes = bench_device_take_allocated(&n_arrays);
        FAIL_IF(n_arrays == 0 && r->ctx.transfer != BENCH_COPY, BENCH_ESKIP,
                "%s copies its frames: it has no other transfer", r->impl->name);
        r->result->device_bytes = n_bytes;
    } else if (r->plan->series & 1u << BENCH_COLD && !r->machine->profile) {
        r->flush_bytes = 2 * (r->machine->llc_bytes ? r->machine->llc_bytes : (size_t)32 << 20);
        if (r->flush_bytes > MAX_FLUSH) /* a virtual machine may name its host's whole cache */
            r->flush_bytes = MAX_FLUSH;
        r->flush = malloc(r->flush_bytes);
        NEED(r->flush, "the flush of the cache (%zu MiB)", r->flush_bytes >> 20);
        memset(r->flush, 1, r->flush_bytes); /* pages without a write are all the same one */
    }
    return BENCH_OK;
}

static enum bench_status measure_all(struct runner *r, void *const *inputs,
                                     void *const *outputs)
{
    TRY(set_up(r, inputs, outputs));
    TRY(measure_verify(r, 0, verify_all));
    if (!r->plan->times)
        return BENCH_OK;
    TRY(measure_change_begin(r));
    for (int series = 0; series < BENCH_N_SERIES; series++)
        for (int scope = 0; scope < BENCH_N_SCOPES; scope++) {
            if (!plan_times(r->plan, r->impl, (enum bench_scope)scope,
                            (enum bench_series)series))
                continue;
            TRY(measure_time_series(r, (enum bench_scope)scope, (enum bench_series)series));
            if (r->plan->stages && !r->machine->profile && scope != BENCH_DEVICE)
                TRY(measure_time_stages(r, (enum bench_scope)scope, (enum bench_series)series));
        }
    TRY(measure_memory(r));
    return measure_verify(r, 1, verify_afresh);
}

/* A stream and two events for each frame in flight. */
static enum bench_status take_slots(struct runner *r)
{
    struct bench_device *const device = r->machine->device;
    const int n = r->plan->in_flight;

    FAIL_IF((n > 1 || r->plan->wake == WAKE_RERUN) && r->plan->transfer == BENCH_MANAGED,
            BENCH_ESKIP,
            "in_flight = %d, wake = %s: the host may not touch managed memory "
            "while another frame is in work",
            n, bench_wake_name[r->plan->wake]);
    TRY(bench_device_take_slots(device, n));
    for (int i = 0; i < n; i++) {
        r->slot[i] = r->ctx;
        r->slot[i].stream = bench_device_slot_stream(device, i);
    }
    return BENCH_OK;
}

/* The frames of a stream in a ring. */
static enum bench_status measure_frames(struct runner *r, void *const *inputs,
                                        void *const *outputs)
{
    struct ring ring;
    enum bench_status status = on_device(r) ? take_slots(r) : BENCH_OK;

    TRY(status);
    status = measure_ring_make(r->impl, r->plan->in_flight, inputs, r->references, outputs,
                               r->n_inputs, &ring);
    r->n = ring.n;
    r->references = r->references ? ring.references : NULL;
    if (!status)
        status = measure_all(r, ring.inputs, ring.outputs);
    if (r->pinned)
        pin(r, false);
    drop_states(r);
    measure_ring_free(&ring);
    if (on_device(r)) { /* neither fails */
        bench_device_take_graphs(r->machine->device, 0);
        bench_device_take_slots(r->machine->device, 0);
    }
    return status;
}

enum bench_status
bench_measure(const struct bench_impl *impl, const struct bench_params *params,
              const struct bench_plan *plan, const struct bench_machine *machine,
              void *const *inputs, const void *const *references, void *const *outputs,
              int n_inputs, bench_interrupted_fn *interrupted, struct bench_result *result)
{
    struct runner r = {.impl = impl,
                       .references = references,
                       .plan = plan,
                       .machine = machine,
                       .n = n_inputs,
                       .n_inputs = n_inputs,
                       .interrupted = interrupted,
                       .result = result};
    enum bench_status status;

    memset(result, 0, sizeof *result);
    /* of its own exact form: if that is not judged exactly, no variant is the reference */
    result->is_reference =
        impl->reference == NULL &&
        (!impl->problem->match || impl->problem->match(params) == BENCH_EXACT);
    result->repeatable = !impl->problem->repeatable || impl->problem->repeatable(params);
    FAIL_IF(on_device(&r) && !machine->device, BENCH_ESKIP, "no GPU");
    FAIL_IF(impl->target == BENCH_OPENMP && plan->threads > bench_cores()->n_pus, BENCH_ESKIP,
            "%d threads on %d processors%s%s", plan->threads, bench_cores()->n_pus,
            *bench_cores()->limits ? ": " : "", bench_cores()->limits);
    FAIL_IF(impl->run_told && plan->series & 1u << BENCH_COLD, BENCH_ESKIP,
            "%s: nobody can flush the caches of another program: it has no series = cold",
            impl->name);
    if (on_device(&r))
        TRY(bench_device_take_sms(machine->device, plan->sms));
    set_context(&r, params, plan->threads > 0 ? plan->threads : machine->n_cores);
    r.ctx.note = &result->note;
    r.ctx.remark = result->remark;
    r.ctx.remark_size = sizeof result->remark;
    if (on_device(&r)) {
        r.ctx.transfer = plan->transfer;
        snprintf(result->binding, sizeof result->binding, "none");
    } else {
        result->threads = bench_threads_bind(r.ctx.n_threads, machine->first_core,
                                             result->binding, sizeof result->binding);
        if (result->threads != r.ctx.n_threads) {
            bench_threads_unbind();
            return BENCH_FAIL(BENCH_ESKIP, "%d threads were asked for, and OpenMP gave %d",
                              r.ctx.n_threads, result->threads);
        }
    }
    if (plan_streams(plan)) {
        status = measure_frames(&r, inputs, outputs);
    } else {
        status = measure_all(&r, inputs, outputs);
        if (r.pinned)
            pin(&r, false);
        drop_states(&r);
    }
    if (!on_device(&r) && bench_threads_where(r.ctx.n_threads, result->cpus_bound,
                                              sizeof result->cpus_bound) != r.ctx.n_threads)
        snprintf(result->binding, sizeof result->binding, "none"); /* or not any more */
    bench_threads_unbind();
    if (on_device(&r) && plan->sms > 0)
        bench_device_take_sms(machine->device, 0); /* all of them never fails */
    return status;
}

void measure_drop_timing(struct bench_timing *timing)
{
    free(timing->ns);
    free(timing->sm_mhz);
    *timing = (struct bench_timing){.n = 0};
}

void bench_result_free(struct bench_result *result)
{
    for (int i = 0; i < result->n_timings; i++)
        measure_drop_timing(&result->timing[i]);
    result->n_timings = 0;
}

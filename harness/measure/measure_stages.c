/* measure_stages.c - stages as variants mark them, and the pass that takes them */
#include "harness/measure/measure_private.h"

#include "harness/measure/nvtx.h"

#include <stdlib.h>
#include <string.h>

/* ---- stages ---- */

void bench_stage_mark(struct bench_stages *stages, const char *name)
{
    if (stages->n >= BENCH_MAX_STAGES) {
        stages->overflow = true;
        return;
    }
    stages->name[stages->n++] = name;
    if (stages->device && !stages->status)
        stages->status = bench_device_mark(stages->device, stages->n);
    else
        stages->at[stages->n] = now_s();
}

void bench_stage_mark_parts(struct bench_stages *stages, const char *const *names, int n_parts,
                            const uint32_t *clocks, size_t n_blocks)
{
    struct stage_clocks *c = &stages->clocks[stages->n_clocks];

    /* before any stage there is nothing that could have parts */
    if (stages->n < 1 || n_parts < 1 || n_blocks < 1)
        return;
    if (stages->n_parts + n_parts > BENCH_MAX_STAGES) {
        stages->overflow = true;
        return;
    }
    *c = (struct stage_clocks){clocks, n_blocks, stages->n_parts, n_parts};
    stages->n_clocks++; /* of one part at least each: no more than there may be parts */
    for (int i = 0; i < n_parts; i++)
        stages->part[stages->n_parts++] = (struct stage_part){names[i], stages->n - 1, 0};
}

/* The shares of one kernel's parts in the clocks of all parts, summed over its blocks. */
static enum bench_status read_shares(struct bench_stages *stages, const struct stage_clocks *c)
{
    size_t n, bytes;
    OWNED(memory_free) uint32_t *clocks = NULL;
    double sum = 0;

    if (!__builtin_mul_overflow(c->n_blocks, (size_t)c->n_parts, &n) &&
        !__builtin_mul_overflow(n, sizeof *clocks, &bytes))
        clocks = malloc(bytes);
    NEED(clocks, "the clocks of %zu blocks", c->n_blocks);
    if (stages->device)
        TRY(bench_device_read(stages->device, clocks, c->clocks, bytes));
    else
        memcpy(clocks, c->clocks, bytes);
    for (size_t i = 0; i < n; i++) {
        stages->part[c->first + (int)(i % (size_t)c->n_parts)].share += clocks[i];
        sum += clocks[i];
    }
    FAIL_IF(!(sum > 0), BENCH_ESKIP, "the clocks of the parts of stage '%s' are all 0",
            stages->name[stages->part[c->first].stage]);
    for (int i = 0; i < c->n_parts; i++)
        stages->part[c->first + i].share /= sum;
    return BENCH_OK;
}

static enum bench_status stages_begin(struct bench_stages *stages)
{
    stages->n = stages->n_parts = stages->n_clocks = 0;
    if (stages->device)
        return bench_device_mark(stages->device, 0);
    stages->at[0] = now_s();
    return BENCH_OK;
}

/* The time of stage i; from stages->n on, of part i - stages->n. */
static enum bench_status stage_ms(struct bench_stages *stages, int i, double *ms)
{
    if (i >= stages->n) {
        const struct stage_part *part = &stages->part[i - stages->n];

        TRY(stage_ms(stages, part->stage, ms));
        *ms *= part->share;
        return BENCH_OK;
    }
    if (stages->device)
        return bench_device_marked_ms(stages->device, i, i + 1, ms);
    *ms = 1e3 * (stages->at[i + 1] - stages->at[i]);
    return BENCH_OK;
}

/* ---- the stage pass ---- */

/* One run of one input with its stages; end to end, those of ingest and the copies too. */
static enum bench_status run_stages(struct runner *r, struct bench_one *one,
                                    enum bench_scope scope, enum bench_series series,
                                    struct bench_stages *stages)
{
    const struct bench_problem *problem = r->impl->problem;
    const bool frame = is_end_to_end(scope);
    enum bench_status status;
    int n_before;

    if (series == BENCH_COLD && on_device(r))
        TRY(bench_device_flush(r->machine->device, 1));
    else if (series == BENCH_COLD && r->flush)
        measure_flush_cpu(r);
    if (on_device(r))
        TRY(bench_device_sync(r->machine->device));
    if (on_device(r) &&
        !frame) /* else the first stage holds the way of its launch to the GPU */
        TRY(bench_device_block_stream(r->machine->device));
    TRY(stages_begin(stages));
    if (frame && ingests(r)) {
        ingest(r, one->input);
        bench_stage_mark(stages, problem->ingest_stage ? problem->ingest_stage : "ingest");
    }
    if (frame && r->impl->upload) {
        TRY(upload(r, one, scope));
        bench_stage_mark(stages, "upload");
    }
    n_before = stages->n;
    r->ctx.stages = stages;
    status = r->impl->run(one->state);
    r->ctx.stages = NULL;
    TRY(status);
    if (frame && stages->n == n_before) /* a variant without stages of its own */
        bench_stage_mark(stages, "run");
    if (frame && r->impl->download) {
        TRY(r->impl->download(one->state));
        bench_stage_mark(stages, "download");
    }
    if (on_device(r))
        TRY(bench_device_sync(r->machine->device));
    FAIL_IF(stages->overflow, BENCH_ESKIP, "%s has more than %d stages", r->impl->name,
            BENCH_MAX_STAGES);
    TRY(stages->status);
    for (int i = 0; i < stages->n_clocks; i++)
        TRY(read_shares(stages, &stages->clocks[i]));
    return BENCH_OK;
}

enum bench_status measure_time_stages(struct runner *r, enum bench_scope scope,
                                      enum bench_series series)
{
    struct bench_stages stages = {.device = on_device(r) ? r->machine->device : NULL};
    const int first = r->result->n_timings;
    const int max = r->plan->min_samples;
    const double t0 = now_s();
    OWNED(memory_free) double *scratch = NULL;
    int n_stages = 0, n = 0; /* n_stages: and the parts of stages after them */

    /* the first counts the stages and warms up; the second has the kernels with clocks */
    TRY(run_stages(r, &r->one[0], scope, series, &stages));
    TRY(measure_poison_both(r, &r->one[0]));
    TRY(run_stages(r, &r->one[0], scope, series, &stages));
    TRY(measure_fetch_output(r, &r->one[0]));
    TRY(measure_same_as_verified(r, 0, " in the pass of stages"));
    n_stages = stages.n + stages.n_parts;
    if (n_stages < 1 || (scope == BENCH_KERNEL && n_stages < 2))
        return BENCH_OK; /* one part: nothing to tell apart */
    for (int l = 0; l < n_stages; l++) {
        const bool is_share = l >= stages.n;
        struct bench_timing *t = measure_new_timing(
            r, scope, series, is_share ? stages.part[l - stages.n].name : stages.name[l], max);

        NEED(t, "%d stages", n_stages);
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
                const enum bench_status status =
                    run_stages(r, &r->one[i], scope, series, &stages);

                bench_nvtx_end();
                TRY(status);
            }
            FAIL_IF(stages.n + stages.n_parts != n_stages, BENCH_ESKIP,
                    "%s has not the same stages in every run", r->impl->name);
            for (int l = 0; l < n_stages; l++) {
                double ms = 0;

                TRY(stage_ms(&stages, l, &ms));
                r->result->timing[first + l].ns[n] += 1e6 * ms / r->n;
            }
        }
    }
    scratch = malloc((2 * (size_t)n + 1) * sizeof *scratch);
    NEED(scratch, "stages");
    for (int l = 0; l < n_stages; l++) {
        struct bench_timing *t = &r->result->timing[first + l];

        t->n = n;
        free(t->sm_mhz); /* not probed in this pass */
        t->sm_mhz = NULL;
        for (int i = 0; i < n; i++)
            scratch[i] = 1e-6 * t->ns[i];
        bench_summarise(scratch, n, on_device(r) ? DEVICE_TICK_MS : TIMER_TICK_MS, scratch + n,
                        &t->stat);
        t->first_ms = n > 0 ? scratch[0] : 0;
        if (n < max)
            t->stop_reason = "timeout";
    }
    return BENCH_OK;
}

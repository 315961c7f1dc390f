/* measure_laps.c - laps as variants mark them, and the pass that takes them */
#include "harness/measure/measure_private.h"

#include "harness/measure/nvtx.h"

#include <stdlib.h>
#include <string.h>

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
        measure_flush_cpu(r);
    if (on_device(r))
        TRY(bench_device_sync(r->machine->device));
    if (on_device(r) && !frame) /* else the first lap holds the way of its launch to the GPU */
        TRY(bench_device_block_stream(r->machine->device));
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

enum bench_status measure_time_laps(struct runner *r, enum bench_scope scope,
                                    enum bench_series series)
{
    struct bench_laps laps = {.device = on_device(r) ? r->machine->device : NULL};
    const int first = r->result->n_timings;
    const int max = r->plan->min_samples;
    const double t0 = now_s();
    double *scratch;
    int n_laps = 0, n = 0; /* n_laps: and the parts of laps after them */

    /* the first tells how many laps there are, and warms up; the second shows what
     * instantiations with clocks compute */
    TRY(run_laps(r, &r->one[0], scope, series, &laps));
    TRY(measure_poison_both(r, &r->one[0]));
    TRY(run_laps(r, &r->one[0], scope, series, &laps));
    TRY(measure_fetch_output(r, &r->one[0]));
    TRY(measure_same_as_verified(r, 0, " in the pass of laps"));
    n_laps = laps.n + laps.n_parts;
    if (n_laps < 1 || (scope == BENCH_KERNEL && n_laps < 2))
        return BENCH_OK; /* one part: nothing to tell apart */
    for (int l = 0; l < n_laps; l++) {
        const bool is_share = l >= laps.n;
        struct bench_timing *t = measure_new_timing(
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
    scratch = malloc((2 * (size_t)n + 1) * sizeof *scratch);
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
        t->first_ms = n > 0 ? scratch[0] : 0;
        if (n < max)
            t->stop_reason = "timeout";
    }
    free(scratch);
    return BENCH_OK;
}

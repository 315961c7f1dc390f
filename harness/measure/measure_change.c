/*
 * measure_change.c - whether what is timed computes: its frame is changed behind its back
 *
 * Twenty launches of one graph on one frame cannot tell a variant that computes from one that
 * remembers its output.  So each series ends with a sample on another frame, by the very graph
 * or loop that was timed, on the very state: what it leaves must be what a new state makes of
 * that frame.  And a frame that no run has seen may take no longer than one that the last run
 * saw: else outputs are kept by what they were made of.
 */
#include "harness/measure/measure_private.h"

#include "harness/measure/nvtx.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TURNS       8 /* one run of a seen frame, as long as of an unseen one, acquits */
#define LONGER      1.5
#define LONGER_HOST 2.0 /* a CPU has predictors and teams that learn a frame, too */
#define LONG_PART   8   /* a run of such a part of the timeout is not changed */

/* ---- another frame ---- */

static void rotate(unsigned char *data, size_t bytes, size_t step, unsigned char *room)
{
    memcpy(room, data, step);
    memmove(data, data + step, bytes - step);
    memcpy(data + bytes - step, room, step);
}

/* The arrays of the first input, as its producer delivers them.  False: it has none. */
static bool find_arrays(struct runner *r)
{
    struct measure_frame *const f = &r->frame;
    const char *const input = r->one[0].input;
    struct bench_block block[BENCH_MAX_BLOCKS];
    const int n_blocks = r->impl->problem->input_blocks(input, block);
    size_t most = 0;

    for (const struct bench_place *p = r->impl->problem->places; p && p->name; p++)
        for (int b = 0; b < n_blocks && !p->is_output && !p->is_ingested; b++)
            if (block[b].data == *(void *const *)(input + p->at) && f->n < BENCH_MAX_BLOCKS) {
                if (f->n == 0)
                    f->n_pixels = block[b].bytes / p->align;
                most = block[b].bytes > most ? block[b].bytes : most;
                f->array[f->n++] = block[b];
            }
    f->room = f->n_pixels > 1 && most > 0 ? malloc(most) : NULL;
    return f->room != NULL;
}

/* They move on by so many pixels, around the end: values that the frame had, so that it is one.
 * Then it is prepared as a user's frame is. */
static void move(struct runner *r, long pixels)
{
    struct measure_frame *const f = &r->frame;
    const long n = (long)f->n_pixels;
    const size_t step = (size_t)((pixels % n + n) % n);

    f->moved += pixels;
    for (int i = 0; i < f->n; i++)
        rotate(f->array[i].data, f->array[i].bytes, f->array[i].bytes / f->n_pixels * step,
               f->room);
    if (r->impl->problem->ingest)
        ingest(r, r->one[0].input);
}

/* So far that columns are others and have other rows. */
static long far_off(const struct runner *r)
{
    return (long)(r->frame.n_pixels * 5 / 13 + 1);
}

static enum bench_status bring(struct runner *r)
{
    if (r->impl->upload)
        TRY(r->impl->upload(r->one[0].state));
    return on_device(r) ? bench_device_sync(r->machine->device) : BENCH_OK;
}

/* ---- what is made of another frame ---- */

/* By a state that has seen no other, into the first one's output. */
static enum bench_status run_anew(struct runner *r)
{
    struct bench_ctx ctx = r->ctx;
    struct bench_one one = {.input = r->one[0].input, .output = r->one[0].output};
    enum bench_status status;

    ctx.note = NULL;
    ctx.remark = NULL;
    ctx.frames_follow = true; /* refused by what looks at its frame in setup */
    one.state = calloc(1, r->impl->state_size ? r->impl->state_size : 1);
    NEED(one.state, "the state of %s", r->impl->name);
    status = r->impl->setup(one.state, &ctx, one.input, one.output);
    if (!status)
        status = measure_poison_both(r, &one);
    if (!status)
        status = measure_run_whole(r, &one, BENCH_END_TO_END);
    r->impl->teardown(one.state);
    free(one.state);
    return status;
}

static void copy_output(const struct bench_problem *problem, const void *from, void *to)
{
    struct bench_block source[BENCH_MAX_BLOCKS], copy[BENCH_MAX_BLOCKS];
    const int n = problem->output_blocks(from, source);

    problem->output_blocks(to, copy);
    for (int i = 0; i < n; i++)
        memcpy(copy[i].data, source[i].data, copy[i].bytes);
}

enum bench_status measure_change_begin(struct runner *r)
{
    const struct bench_problem *const problem = r->impl->problem;
    enum bench_status status;

    if (r->machine->profile || r->machine->together ||
        r->verification_s * LONG_PART >= r->plan->timeout_s * r->n || !find_arrays(r))
        return BENCH_OK;
    TRY(problem->make_output(r->one[0].input, &r->frame.output));
    move(r, far_off(r));
    status = run_anew(r);
    move(r, -far_off(r));
    if (!status) {
        copy_output(problem, r->one[0].output, r->frame.output);
        r->frame.hash = bench_hash_output(problem, r->frame.output, 0);
    }
    if (status == BENCH_ECUDA || status == BENCH_EINTR)
        return status;
    /* else it looks at frames in setup, or there is no memory for two states */
    r->frame.is_other = !status && r->frame.hash != r->one[0].hash;
    bench_failure_clear();
    return BENCH_OK;
}

void measure_change_end(struct runner *r)
{
    if (r->frame.output)
        r->impl->problem->free_output(r->frame.output);
    free(r->frame.room);
}

static enum bench_status compare_changed(struct runner *r)
{
    const struct bench_one *const one = &r->one[0];
    const struct bench_problem *const problem = r->impl->problem;
    struct bench_difference difference = {0};

    if (r->result->repeatable)
        difference.n_wrong = bench_hash_output(problem, one->output, 0) != r->frame.hash;
    else
        problem->compare(r->ctx.params, one->input, r->frame.output, one->output, &difference);
    if (difference.n_wrong == 0)
        return BENCH_OK;
    r->result->verified = false;
    r->result->difference.n_wrong += difference.n_wrong;
    return BENCH_FAIL(
        BENCH_EMISMATCH,
        "%s: given another frame, what was timed does not give that frame's output",
        r->impl->name);
}

enum bench_status measure_change(struct runner *r, struct bench_timing *t,
                                 measure_sample_fn *sample)
{
    enum bench_status status;
    double ms;

    if (!r->frame.is_other)
        return BENCH_OK;
    bench_nvtx_begin(BENCH_PHASE_VERIFY, 1);
    move(r, far_off(r));
    status = bring(r);
    if (!status)
        status = measure_poison_both(r, &r->one[0]);
    if (!status)
        status = sample(r, t, &ms);
    if (!status)
        status = measure_fetch_output(r, &r->one[0]);
    if (!status)
        status = compare_changed(r);
    move(r, -far_off(r));
    if (!status)
        status = bring(r);
    bench_nvtx_end();
    t->is_changed = !status;
    return status;
}

/* ---- whether it remembers ---- */

/* Over all runs: the longest of a frame seen before, the shortest of one not seen. */
struct seen {
    double most_ms, least_unseen_ms;
};

/* One run, alone and with cold caches, behind as much work of the host in each case. */
static enum bench_status run_alone(struct runner *r, bool unseen, double *ms)
{
    const struct bench_timing alone = {.scope = plan_streams(r->plan) ? BENCH_END_TO_END
                                                                      : BENCH_KERNEL,
                                       .series = BENCH_COLD,
                                       .reps = 1};

    move(r, unseen ? 2 : 1);
    move(r, -1);
    if (unseen)
        TRY(bring(r));
    return measure_sample(r, &alone, BENCH_PHASE_VERIFY, ms);
}

/* A frame that nobody has seen, then itself again, one to three times, so that periodic work of
 * the machine does not always meet the same one. */
static enum bench_status look(struct runner *r, int turn, struct seen *seen)
{
    double ms;

    if (turn > 0)
        TRY(stop_wished(r));
    TRY(run_alone(r, true, &ms));
    seen->least_unseen_ms = turn == 0 ? ms : fmin(seen->least_unseen_ms, ms);
    for (int i = 0; i <= turn % 3; i++) {
        TRY(run_alone(r, false, &ms));
        seen->most_ms = fmax(seen->most_ms, ms);
    }
    return BENCH_OK;
}

enum bench_status measure_memory(struct runner *r)
{
    const double longer = on_device(r) ? LONGER : LONGER_HOST;
    const int n = r->n;
    struct seen seen = {0, 0};
    bool remembers = r->frame.is_other;
    enum bench_status status = BENCH_OK;

    r->n = 1;
    for (int turn = 0; turn < TURNS && !status && remembers; turn++) {
        status = look(r, turn, &seen);
        remembers = seen.least_unseen_ms > longer * seen.most_ms;
    }
    r->n = n;
    if (r->frame.is_other)
        move(r, -r->frame.moved);
    TRY(status);
    if (!remembers)
        return r->frame.is_other ? bring(r) : BENCH_OK;
    r->result->verified = false;
    r->result->difference.n_wrong++;
    return BENCH_FAIL(
        BENCH_EMISMATCH,
        "%s remembers what it has seen: %d new frames took %.3g ms or more, the same "
        "again %.3g ms or less",
        r->impl->name, TURNS, seen.least_unseen_ms, seen.most_ms);
}

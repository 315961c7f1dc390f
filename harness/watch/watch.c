/*
 * watch.c - one variant over frames that arrive
 *
 * The library, depthbench.h, runs the frames: a context for each that may be in work, with its
 * own keys, camera, shape, stream and arrays; depthbench_run() and depthbench_wait() for each.
 * A program of your own has CUDA make the streams, ask their events and pin arrays, as device.h
 * does here; arrivals.h says when a frame is due.
 */
#include "harness/watch/watch.h"

#include "harness/inputs/coding.h"
#include "harness/library/depthbench.h"
#include "harness/measure/device.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"

#include <limits.h>
#include <string.h>

#define LOOK_NS 50000000LL /* between two looks at whether the user wants to stop */

struct watch {
    const struct watch_options *o;
    const struct bench_problem *problem;
    struct feed *feed;
    struct sink *sink;
    bool has_gpu;
    int n_slots; /* as many as in flight; where the last frame runs again two at least */
    /* of turns, at turn % n_slots */
    depthbench *context[BENCH_MAX_IN_FLIGHT];
    const struct feed_frame *in_work[BENCH_MAX_IN_FLIGHT];
    const struct feed_frame *next; /* that has arrived, and is not begun */
    long long t0_ns;               /* of a folder: when its first frame arrives */
    struct wake wake;
    struct wake_rhythm rhythm; /* of a pipe */
    long long due_ns;          /* the next frame; -1: nobody knows */
    int n_begun;               /* turns */
    bool is_offered;           /* the arrays of the next turn, to a frame of a pipe */
    /* of a folder: the next frame, and the one that is in the arrays of the next turn */
    const struct feed_frame *coming, *filled_in;
    enum bench_status woken; /* the failure of a wake-up */
    bool has_ended;          /* the pipe ended the run, not the user or a count */
    struct watched *watched;
};

#define LIBRARY(call) TRY((enum bench_status)(call))

/* ---- contexts ---- */

/* Sets what the command line says and the library knows, which are no keys of images. */
static enum bench_status set_keys(const struct watch *w, depthbench *context)
{
    const struct bench_params *const params = w->o->maker.params;

    for (int i = 0; i < params->n; i++) {
        const char *const key = params->item[i].key->name;

        if (depthbench_get(context, key))
            LIBRARY(depthbench_set(context, key, params->item[i].text));
    }
    return BENCH_OK;
}

/* Copies from and to pinned memory are asynchronous; where it cannot be pinned, they wait. */
static void pin_arrays(const struct watch *w, depthbench *context)
{
    for (const struct bench_place *place = w->problem->places; place->name; place++) {
        size_t bytes;
        void *const array = depthbench_array(context, place->name, &bytes);

        if (array)
            (void)bench_device_pin(array, bytes);
    }
}

/* The problem's array that has the library's name. */
static void *array_of(void *of, const struct bench_place *place)
{
    void *array;

    memcpy(&array, (const char *)of + place->at, sizeof array);
    return array;
}

/* Copy a frame into the arrays of a context, or its results out of them. */
static void copy_arrays(const struct watch *w, depthbench *context, void *of, bool is_output)
{
    for (const struct bench_place *place = w->problem->places; place->name; place++) {
        size_t bytes;
        void *const library = depthbench_array(context, place->name, &bytes);
        void *const own = place->is_output == is_output ? array_of(of, place) : NULL;

        if (!library || !own || place->is_ingested)
            continue;
        if (is_output)
            memcpy(own, library, bytes);
        else
            memcpy(library, own, bytes);
    }
}

/* A run of what is in the arrays. */
static enum bench_status run_again(depthbench *context)
{
    LIBRARY(depthbench_run(context));
    LIBRARY(depthbench_wait(context));
    return BENCH_OK;
}

/* The first run of a context takes longer than those behind it; nobody waits for its result. */
static enum bench_status warm_up(const struct watch *w, depthbench *context,
                                 const struct feed_frame *frame)
{
    copy_arrays(w, context, frame->input, false);
    return run_again(context);
}

static enum bench_status make_context(struct watch *w, int slot, int height, int width)
{
    const struct camera *const c = &w->o->maker.camera;
    depthbench **const context = &w->context[slot];

    LIBRARY(depthbench_new(w->o->impl->name, context));
    TRY(set_keys(w, *context));
    if (w->o->maker.app->needs_camera)
        LIBRARY(depthbench_camera(*context, c->fx_px, c->fy_px, c->cx_px, c->cy_px,
                                  c->baseline_m, c->height_m, c->pitch_rad));
    LIBRARY(depthbench_shape(*context, 1, height, width));
    if (w->has_gpu) {
        LIBRARY(depthbench_stream(*context, bench_device_slot_stream(w->o->device, slot)));
        pin_arrays(w, *context);
    } else if (w->o->impl->target == BENCH_OPENMP) {
        LIBRARY(depthbench_threads(*context, w->o->n_threads));
    }
    LIBRARY(depthbench_prepare(*context));
    return BENCH_OK;
}

static void free_contexts(struct watch *w)
{
    if (feed_is_pipe(w->feed))
        feed_offer(w->feed, NULL, NULL);
    for (int slot = 0; slot < w->n_slots; slot++) {
        depthbench *const context = w->context[slot];

        if (context && w->has_gpu) {
            (void)depthbench_wait(context);
            for (const struct bench_place *place = w->problem->places; place->name; place++)
                bench_device_unpin(depthbench_array(context, place->name, NULL));
        }
        depthbench_free(context);
        feed_release(w->feed, w->in_work[slot]);
    }
    feed_release(w->feed, w->next);
}

/* ---- frames ---- */

static long long now_of_watch(void *self)
{
    const struct watch *const w = self;

    return w->o->clock->now_ns(w->o->clock->self);
}

static enum bench_status begin(void *self, int turn)
{
    struct watch *const w = self;
    const int slot = turn % w->n_slots;
    const bool is_there = w->next->is_filled_in || w->next == w->filled_in;

    TRY(w->woken);
    w->n_begun = turn + 1;
    wake_begun(&w->wake, now_of_watch(w));
    w->in_work[slot] = w->next;
    w->next = w->filled_in = NULL;
    w->is_offered = false;
    w->watched->n_filled_in += is_there;
    if (!is_there)
        copy_arrays(w, w->context[slot], w->in_work[slot]->input, false);
    if (w->has_gpu)
        TRY(bench_device_slot_mark(w->o->device, slot, false));
    LIBRARY(depthbench_run(w->context[slot]));
    return w->has_gpu ? bench_device_slot_mark(w->o->device, slot, true) : BENCH_OK;
}

static enum bench_status is_done(void *self, int turn, bool *is)
{
    struct watch *const w = self;
    const int slot = turn % w->n_slots;
    double ms;

    *is = true;
    if (w->has_gpu) /* one may ask a stream; depthbench_wait() would wait for it */
        TRY(bench_device_slot_done(w->o->device, slot, is, &ms));
    if (*is)
        LIBRARY(depthbench_wait(w->context[slot]));
    if (*is && turn + 1 == w->n_begun)
        wake_done(&w->wake, now_of_watch(w));
    return BENCH_OK;
}

/* The result is copied, and written by another thread. */
static enum bench_status tell(void *self, const struct arrivals_frame *frame)
{
    struct watch *const w = self;
    const int slot = frame->turn % w->n_slots;
    const struct feed_frame **const from = frame->is_dropped ? &w->next : &w->in_work[slot];
    struct sink_job *job;

    TRY(sink_take(w->sink, &job));
    job->frame = *frame;
    job->from = *from;
    w->watched->n_held += (*from)->has_waited;
    coding_add(&w->watched->values, &(*from)->values);
    *from = NULL;
    if (!frame->is_dropped && job->output)
        copy_arrays(w, w->context[slot], job->output, true);
    sink_put(w->sink);
    return BENCH_OK;
}

/* ---- arrivals ---- */

static enum arrivals_sight look_at_pipe(struct watch *w, long long now_ns, long long *ns)
{
    w->next = feed_take(w->feed, &w->has_ended);
    if (w->next)
        wake_hear(&w->rhythm, w->next->arrived_ns);
    w->due_ns = wake_expect(&w->rhythm, now_ns);
    *ns = w->next ? w->next->arrived_ns : now_ns + LOOK_NS;
    return w->next ? ARRIVALS_THERE : w->has_ended ? ARRIVALS_OVER : ARRIVALS_WAIT;
}

static enum arrivals_sight look_at_folder(struct watch *w, int frame, long long now_ns,
                                          long long *ns)
{
    if (frame == 0 && w->t0_ns < 0)
        w->t0_ns = now_ns;
    w->due_ns = w->t0_ns + arrivals_after_ns(w->o->rate, frame);
    w->coming = feed_at(w->feed, frame);
    *ns = w->due_ns < now_ns + LOOK_NS ? w->due_ns : now_ns + LOOK_NS;
    if (w->due_ns > now_ns)
        return ARRIVALS_WAIT;
    *ns = w->o->rate > 0 ? w->due_ns : -1;
    w->next = w->coming;
    return ARRIVALS_THERE;
}

static enum arrivals_sight look_out(void *self, int frame, long long *ns)
{
    struct watch *const w = self;
    const long long now_ns = w->o->clock->now_ns(w->o->clock->self);

    if (*w->o->stop || w->woken || (w->o->most > 0 && frame >= w->o->most))
        return ARRIVALS_OVER;
    return feed_is_pipe(w->feed) ? look_at_pipe(w, now_ns, ns)
                                 : look_at_folder(w, frame, now_ns, ns);
}

/* Uses the GPU before a frame is due.  A run is over when this returns, since frames may be
 * early. */
static enum bench_status wake_up(const struct watch *w)
{
    if (w->wake.how == WAKE_TOUCH)
        LIBRARY(depthbench_wake(w->context[0]));
    else
        TRY(run_again(w->context[(w->n_begun - 1) % w->n_slots]));
    return BENCH_OK;
}

static void fill_in(void *self, const struct feed_frame *frame)
{
    struct watch *const w = self;

    copy_arrays(w, w->context[w->n_begun % w->n_slots], frame->input, false);
}

/* Nothing is in work: the next frame can be put where it is to run before it arrives. */
static void look_ahead(struct watch *w)
{
    if (feed_is_pipe(w->feed)) {
        w->is_offered = w->is_offered || feed_offer(w->feed, fill_in, w);
    } else if (!w->filled_in) {
        w->filled_in = w->coming;
        fill_in(w, w->filled_in);
    }
}

static void wait_of_watch(void *self, long long ns)
{
    struct watch *const w = self;
    struct wake_step step;
    long long until_ns;

    look_ahead(w);
    step = wake_step(&w->wake, now_of_watch(w), w->due_ns);
    until_ns = wake_time(step, ns, feed_is_pipe(w->feed) ? 0 : ARRIVALS_SPIN_NS);
    if (step.wakes && !w->woken)
        w->woken = wake_up(w);
    if (!feed_is_pipe(w->feed))
        w->o->clock->wait_until(w->o->clock->self, until_ns);
    else if (until_ns > now_of_watch(w))
        feed_wait(w->feed, until_ns);
}

/* ---- all of it ---- */

static enum bench_status run(struct watch *w)
{
    const struct arrivals_clock clock = {now_of_watch, wait_of_watch, w};
    const struct arrivals_work work = {begin, is_done, w, look_out, tell};
    const struct arrivals_plan plan = {
        .rate = w->o->rate, .in_flight = w->o->in_flight, .drops = w->o->drops, .n = INT_MAX};
    struct arrivals arrivals = {.latency_ns = NULL};

    return arrivals_run(&plan, &clock, &work, &arrivals);
}

/* Contexts for frames as the first one, each with a run behind it. */
static enum bench_status prepare(struct watch *w)
{
    int *const height = &w->watched->height, *const width = &w->watched->width;
    const struct feed_frame *first;

    TRY(feed_first(w->feed, &first));
    REFUSE_IF(!first, "no frame came");
    w->o->maker.app->size(first->input, height, width);
    if (w->has_gpu)
        TRY(bench_device_take_slots(w->o->device, w->n_slots));
    for (int slot = 0; slot < w->n_slots; slot++) {
        TRY(make_context(w, slot, *height, *width));
        TRY(warm_up(w, w->context[slot], first));
    }
    TRY(sink_open(&w->o->sink, w->feed, first, &w->sink));
    feed_go(w->feed);
    return BENCH_OK;
}

enum bench_status watch_run(const struct watch_options *options, struct feed *feed,
                            struct watched *watched)
{
    struct watch w = {.o = options,
                      .problem = options->impl->problem,
                      .feed = feed,
                      .has_gpu = options->impl->target == BENCH_CUDA,
                      .t0_ns = -1,
                      .wake.how = options->wake,
                      .due_ns = -1,
                      .watched = watched};
    enum bench_status status, written = BENCH_OK;
    char why[1024];

    memset(watched, 0, sizeof *watched);
    w.n_slots = options->in_flight + (options->wake == WAKE_RERUN && options->in_flight == 1);
    status = prepare(&w);
    if (!status)
        status = run(&w);
    if (*options->stop && (!status || status == BENCH_EINTR))
        status = BENCH_FAIL(BENCH_EINTR, "interrupted: the results so far are whole");
    if (!status && w.has_ended)
        status = feed_status(feed);
    if (!status)
        status = w.woken;
    snprintf(why, sizeof why, "%s", bench_failure());
    if (w.sink)
        written = sink_close(w.sink, &watched->tell, &watched->n_waits);
    if (!status && written)
        snprintf(why, sizeof why, "%s", bench_failure());
    status = status ? status : written;
    free_contexts(&w);
    return status ? BENCH_FAIL(status, "%s", why) : BENCH_OK; /* the first is told */
}

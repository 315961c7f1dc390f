/* main_watch.c - the subcommand that runs one variant over frames that arrive */
#include "harness/cli/main_private.h"

#include "harness/inputs/camera.h"
#include "harness/inputs/coding.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"
#include "harness/platform/process.h"
#include "harness/watch/watch.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STALL_NS     10000000000LL /* a writer that is silent within a frame */
#define DEFAULT_RATE 30            /* frames a second of a folder */
#define MAX_RATE     100000

/* The variant, which must be one of the library's. */
static enum bench_status find_variant(const struct arguments *a, const struct bench_env *env,
                                      struct watch_options *o)
{
    REFUSE_IF(a->n_rest != 1, "watch: expected one variant, found %d words", a->n_rest);
    TRY(main_variant(a->rest[0], &o->impl));
    o->maker.app = bench_find_app(o->impl->problem);
    FAIL_IF(!o->maker.app || !o->maker.app->table || o->impl->other, BENCH_ESKIP,
            "%s cannot be watched: the library does not have it", o->impl->name);
    return main_check_variant(o->impl, env);
}

/* Parameters, the camera and how values are coded.  The library is told of the camera as it is,
 * so where it counts frames must keep their size. */
static enum bench_status make_maker(const struct arguments *a, struct watch_options *o,
                                    struct bench_params *params)
{
    struct feed_maker *const maker = &o->maker;
    const struct bench_request request = {.given = a->given, .n_given = a->n_given};
    const char *const camera = bench_option_value(&request, "camera");
    const struct bench_key *const keys = o->impl->problem->keys;
    const char *const *key = o->impl->problem->frame_keys;

    maker->params = params;
    maker->given = a->given;
    maker->n_given = a->n_given;
    TRY(main_apply_params(a, maker->app, o->impl, params, &o->n_threads));
    TRY(bench_params_insist(params, keys, "classes", "0", "frames have no scores of classes"));
    if (a->output && maker->app->reads_map)
        TRY(bench_params_insist(params, keys, "map", "1",
                                "a table is made of the disparities, too"));
    for (; maker->app->needs_camera && key && *key; key++)
        for (int i = 0; i < params->n; i++)
            REFUSE_IF(!strcmp(params->item[i].key->name, *key) && params->item[i].given,
                      "-S %s=%s: the frames of %s are watched as they come", *key,
                      params->item[i].text, o->impl->problem->name);
    if (!maker->app->needs_camera)
        return camera ? BENCH_FAIL(BENCH_EINPUT, "--camera: %s needs no camera",
                                   o->impl->problem->name)
                      : BENCH_OK;
    REFUSE_IF(!camera,
              "%s needs the camera: give --camera FILE with fx, cx, cy, baseline_m "
              "and height_m",
              o->impl->name);
    TRY(camera_read(camera, &maker->camera));
    return camera_check_stereo(&maker->camera, camera);
}

/* Frames of a pipe have a period, too, which is learnt from those before. */
static enum bench_status read_wake(const struct arguments *a, struct watch_options *o,
                                   bool is_max)
{
    const int wake = a->wake ? bench_choice("no|touch|rerun", a->wake) : 0;

    REFUSE_IF(wake < 0, "--wake %s: expected no, touch or rerun", a->wake);
    REFUSE_IF(wake > 0 && is_max,
              "--rate max: no frame is waited for, so nothing wakes for it");
    REFUSE_IF(wake > 0 && o->impl->target != BENCH_CUDA, "--wake %s: %s uses no GPU", a->wake,
              o->impl->name);
    o->wake = (enum wake_how)wake;
    return BENCH_OK;
}

/* Reads the options of arrivals.  *most is 0 if there is no end. */
static enum bench_status read_arrivals(const struct arguments *a, struct watch_options *o,
                                       bool is_pipe, int *most)
{
    const bool is_max = a->rate && !strcmp(a->rate, "max");

    o->in_flight = 1;
    *most = is_pipe ? 0 : -1;
    TRY(options_number("count", a->count, 0, INT_MAX, " (0: until Ctrl-C, or so many)", most));
    TRY(options_number("in-flight", a->in_flight, 1, BENCH_MAX_IN_FLIGHT, "", &o->in_flight));
    o->rate = is_pipe || is_max ? 0 : DEFAULT_RATE;
    if (!is_max)
        TRY(options_number("rate", a->rate, 1, MAX_RATE, ", or max", &o->rate));
    o->drops = a->arrival && !strcmp(a->arrival, "drop");
    REFUSE_IF(a->arrival && !o->drops && strcmp(a->arrival, "queue") != 0,
              "--arrival %s: expected queue or drop", a->arrival);
    TRY(read_wake(a, o, is_max));
    REFUSE_IF(o->in_flight > 1 && o->impl->target != BENCH_CUDA,
              "--in-flight %d: %s runs one frame at a time", o->in_flight, o->impl->name);
    REFUSE_IF(is_max && is_pipe, "--rate max: frames of a pipe arrive as they come");
    REFUSE_IF(is_max && o->drops, "--rate max: no frame arrives before there is room, so "
                                  "none is dropped");
    return BENCH_OK;
}

/* Opens the frames; *file lives as long as the feed. */
static enum bench_status open_feed(const struct arguments *a, const struct watch_options *o,
                                   int most, struct feed_file *file, struct feed **feed)
{
    bool is_scaled = false;

    FAIL_IF(strcmp(a->frames, "-") != 0 && !main_is_folder(a->frames), BENCH_EIO,
            "--frames %s: expected a folder, or - for a pipe", a->frames);
    if (strcmp(a->frames, "-") != 0)
        return feed_of_folder(&o->maker, a->frames, most > 0 ? most : 0, feed);
    REFUSE_IF(isatty(0), "--frames -: expected a pipe, found a terminal: docs/WATCH.md");
    for (int i = 0; i < a->n_given; i++)
        is_scaled |= !strcmp(a->given[i].name, "disparity-scale");
    REFUSE_IF(is_scaled, "--disparity-scale: a pipe says its own");
    file->fd = 0;
    file->stop = &process_interrupts;
    file->clock = o->clock;
    file->limit_ns = STALL_NS;
    return feed_of_pipe(&o->maker, file, "standard input", feed);
}

static enum bench_status print_summary(const struct watch_options *o,
                                       const struct watched *watched)
{
    OWNED(text_free) struct text text = {0};
    OWNED(text_free) struct text values = {0};

    text_format(&text, "%s, %d x %d px, not verified\n", o->impl->name, watched->width,
                watched->height);
    tell_summary(&watched->tell, o->rate > 0 ? 1e3 / o->rate : 0, &text);
    if (watched->n_waits > 0)
        text_format(&text, "%lld frames waited for results to be written\n", watched->n_waits);
    if (watched->n_held > 0)
        text_format(&text,
                    "%lld frames of the pipe waited for a place, and its writer with them\n",
                    watched->n_held);
    coding_tell(&watched->values, &values);
    if (values.size > 0)
        text_format(&text, "%s\n", values.data);
    return text_print(&text, stdout);
}

static enum bench_status watch(const struct arguments *a, struct watch_options *o, int most)
{
    struct feed_file file = {.fd = -1};
    struct watched watched;
    struct feed *feed;
    enum bench_status status, printed = BENCH_OK;
    char why[1024];

    TRY(open_feed(a, o, most, &file, &feed));
    o->most = most < 0 ? feed_n(feed) : most;
    status = watch_run(o, feed, &watched);
    feed_close(feed);
    snprintf(why, sizeof why, "%s", bench_failure());
    if (a->verbosity >= 0 && watched.tell.n + watched.tell.n_dropped > 0)
        printed = print_summary(o, &watched);
    return status ? BENCH_FAIL(status, "%s", why) : printed;
}

/* The terminal, without its waiting: a shell has the same standard error. */
static int open_line(void)
{
    const int fd = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    return fd > 0 ? fd : 2;
}

enum bench_status main_watch(const struct arguments *a, struct bench_env *env)
{
    struct watch_options o = {.n_threads = env->cores->n_cores,
                              .device = env->device,
                              .clock = &arrivals_real_clock,
                              .stop = &process_interrupts};
    struct bench_params params;
    int most;

    TRY(find_variant(a, env, &o));
    REFUSE_IF(!a->frames, "watch: expected --frames DIR, or - for a pipe");
    TRY(make_maker(a, &o, &params));
    TRY(read_arrivals(a, &o, !strcmp(a->frames, "-"), &most));
    o.sink = (struct sink_options){.app = o.maker.app,
                                   .folder = a->output,
                                   .line = a->verbosity >= 0 && isatty(2) ? open_line() : 0};
    process_take_signals(NULL,
                         (int)SA_RESETHAND); /* a second Ctrl-C ends the program at once */
    return watch(a, &o, most);
}

/*
 * watch.h - one variant over frames that arrive: the library, depthbench.h, runs them; streams,
 *           events and pinned memory are CUDA's, the clock of frames the harness's
 *
 * docs/WATCH.md says what is timed.
 */
#ifndef WATCH_WATCH_H
#define WATCH_WATCH_H

#include "harness/measure/wake.h"
#include "harness/watch/sink.h"

struct bench_device;
struct bench_impl;

struct watch_options {
    const struct bench_impl *impl;
    struct feed_maker maker;
    struct sink_options sink;
    int n_threads;               /* of a CPU variant */
    struct bench_device *device; /* of a GPU variant */
    int rate; /* frames a second; 0: of a folder as fast as it goes, of a pipe no deadline */
    int in_flight;      /* 1..BENCH_MAX_IN_FLIGHT; 1 of a CPU variant */
    enum wake_how wake; /* of a GPU variant, before a frame is due */
    bool drops;         /* a frame that finds in_flight others in work is lost; else it waits */
    long long most;     /* frames that arrive; 0: no limit */
    const struct arrivals_clock *clock;
    const volatile sig_atomic_t *stop; /* not 0: the user wants to stop */
};

/* The results of a watch. */
struct watched {
    struct tell tell;
    int height, width;            /* px of the library's arrays */
    long long n_waits;            /* frames that waited for results to be written */
    long long n_held;             /* of a pipe: frames that waited for a place */
    long long n_filled_in;        /* frames that were in the arrays when they arrived */
    struct counted_values values; /* of the frames */
};

/*
 * Watch until the feed is over.  *watched is filled in whatever comes, as far as it came, and
 * results so far are whole.  BENCH_EINTR: the user stopped it.  Else a failure of the feed, of
 * the sink or of the library, with a sentence.
 */
enum bench_status watch_run(const struct watch_options *options, struct feed *feed,
                            struct watched *watched);

#endif

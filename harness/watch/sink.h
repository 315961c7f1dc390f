/*
 * sink.h - the thread behind the latency clock: it writes the results of frames, and says how
 * it goes
 *
 * A folder of results has a table of each result, NUMBER.csv, and of all frames, frames.csv.
 * Each file appears whole.
 */
#ifndef WATCH_SINK_H
#define WATCH_SINK_H

#include "harness/watch/feed.h"
#include "harness/watch/tell.h"

/* Results that may wait to be written.  Behind them the frames wait. */
#define SINK_JOBS 32

struct sink_options {
    const struct bench_app *app;
    const char *folder; /* borrowed; NULL: nothing is written */
    int line;           /* the terminal for live lines, which is not waited for; 0: none */
};

/* A frame, and what became of it. */
struct sink_job {
    struct arrivals_frame frame;
    const struct feed_frame *from;
    void *output; /* the problem's, of the shape of 'from', where there is a folder */
};

struct sink;

/* 'first': of the shape of all.  BENCH_EINPUT: the folder has a *.csv; BENCH_EIO,
 * BENCH_ENOMEM. */
enum bench_status sink_open(const struct sink_options *options, struct feed *feed,
                            const struct feed_frame *first, struct sink **sink);

/* A job to be filled in: sink_put() follows.  Waits where all are in use.  Fails as
 * what was written since. */
enum bench_status sink_take(struct sink *sink, struct sink_job **job);

/* The job that was taken is filled in; its frame is released when it is done. */
void sink_put(struct sink *sink);

/* Waits until all is written and frees it; *tell is what it counted.  Fails as what was
 * written. */
enum bench_status sink_close(struct sink *sink, struct tell *tell, long long *n_waits);

#endif

/*
 * feed.h - where the frames that are watched come from: a folder, which is read before the
 *          first one arrives, or a pipe, which a thread of its own reads ahead
 */
#ifndef WATCH_FEED_H
#define WATCH_FEED_H

#include "harness/base/params.h"
#include "harness/inputs/pipe.h"
#include "harness/measure/app.h"
#include "harness/measure/arrivals.h"

#include <signal.h>
#include <stdatomic.h>

/* A frame as the library's arrays have it: an input of the problem. */
struct feed_frame {
    char *name;                   /* of its file; "frame-3" of a pipe's */
    uint64_t time_ns;             /* the writer's; 0 of a file */
    struct counted_values values; /* what it was made of */
    void *input;
    long long arrived_ns; /* of a pipe: when it was whole, and such an input */
    bool has_waited;      /* of a pipe: for a place behind those that wait for their turn */
    bool is_filled_in;    /* of a pipe: feed_offer()'s function has had it */
};

/* Frames are made by these.  Borrowed while the feed is there. */
struct feed_maker {
    const struct bench_app *app;
    const struct bench_params *params; /* checked */
    struct camera camera;              /* of each frame; zeroes: it is not known */
    const struct bench_given *given;   /* --disparity-scale, --coding */
    int n_given;
};

struct feed;

/* So many frames of a pipe may wait for their turn.  The next one waits for a place among them,
 * and its writer with it. */
#define FEED_AHEAD 16

/* The PNG, PGM and PFM files of a folder by name, of pairs those of its folder left, each with
 * that of its name in right, whose endings may be in capitals, the first
 * 'most' of them (0: all).  BENCH_EINPUT for none, for one of another size, and for frames of
 * more than 4 GiB or half of the memory; BENCH_EIO, BENCH_ENOMEM. */
enum bench_status feed_of_folder(const struct feed_maker *maker, const char *folder, int most,
                                 struct feed **feed);

/* A file descriptor as a pipe's source: feed_read_file() with this as 'self'. */
struct feed_file {
    int fd;
    const volatile sig_atomic_t *stop; /* not 0: the user wants to stop */
    const struct arrivals_clock *clock;
    long long limit_ns; /* a writer that says nothing for so long within a frame is refused */
    atomic_bool is_closing;
};
enum bench_status feed_read_file(void *self, void *bytes, size_t n, bool may_wait,
                                 size_t *n_read);

/* Begin to read a pipe, and read no more than its first frame before feed_go(); 'file', named
 * 'name', is borrowed until feed_close().  Fails as pipe_open; BENCH_EINPUT where --coding has
 * another number of values per px. */
enum bench_status feed_of_pipe(const struct feed_maker *maker, struct feed_file *file,
                               const char *name, struct feed **feed);

bool feed_is_pipe(const struct feed *feed);
int feed_n(const struct feed *feed); /* frames of a folder */

/* Waits for the first frame, which stays the next one; NULL: none.  Fails as what reads. */
enum bench_status feed_first(struct feed *feed, const struct feed_frame **frame);

/* All is ready for frames, of which feed_first() had one: a pipe's first arrives now. */
void feed_go(struct feed *feed);

/* Returns frame i modulo feed_n() of a folder. */
const struct feed_frame *feed_at(const struct feed *feed, int i);

/* Returns the next frame of a pipe, which is the caller's until feed_release(); NULL: it is to
 * come, or *is_over.  One thread takes frames; to ask for one that is to come takes no lock. */
const struct feed_frame *feed_take(struct feed *feed, bool *is_over);

/* From any thread, for a frame of feed_take(); of a folder's nothing happens. */
void feed_release(struct feed *feed, const struct feed_frame *frame);

/* Offer a place to the next frame of a pipe: the thread that reads calls fill(self, frame)
 * before it arrives.  False, and no offer, where another frame is there or on its way.  A fill
 * of NULL takes an offer back, and waits for a call that goes on. */
typedef void feed_fill(void *self, const struct feed_frame *frame);
bool feed_offer(struct feed *feed, feed_fill *fill, void *self);

/* Wait until a frame of a pipe is there, and not longer than to a time of CLOCK_MONOTONIC. */
void feed_wait(struct feed *feed, long long until_ns);

/* Why a pipe is over: BENCH_OK at its end. */
enum bench_status feed_status(struct feed *feed);

/* Its frames have all been released; NULL is fine. */
void feed_close(struct feed *feed);

#endif

/* measure_private.h - what the files of measure.c share: one measurement under way */
#ifndef BENCH_MEASURE_PRIVATE_H
#define BENCH_MEASURE_PRIVATE_H

#include "harness/base/memory.h"
#include "harness/measure/measure.h"
#include "harness/measure/nvtx.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define TIMER_TICK_MS  0.00003 /* CLOCK_MONOTONIC_RAW: tens of ns for a pair of calls */
#define DEVICE_TICK_MS 0.0005  /* resolution of CUDA's events */

/* One input with everything that runs on it. */
struct bench_one {
    void *state;
    const void *input;
    void *output;
    bool is_set_up;
    uint64_t hash; /* of the verified output */
};

/* A part of a stage that was one kernel. */
struct stage_part {
    const char *name;
    int stage;    /* that it is a part of */
    double share; /* of its time, 0..1 */
};

/* Parts whose clocks are to be read when the run is done. */
struct stage_clocks {
    const uint32_t *clocks; /* [n_blocks][n_parts], of the target; borrowed */
    size_t n_blocks;
    int first, n_parts; /* of bench_stages.part */
};

struct bench_stages {
    struct bench_device *device; /* NULL: the wall clock */
    int n;
    const char *name[BENCH_MAX_STAGES];
    double at[BENCH_MAX_STAGES + 1]; /* CPU: seconds */
    int n_parts, n_clocks;
    struct stage_part part[BENCH_MAX_STAGES];
    struct stage_clocks clocks[BENCH_MAX_STAGES];
    bool overflow;
    enum bench_status status; /* of the marks on the device */
};

/* The first input, which is changed behind a variant's back: measure_change.c. */
struct measure_frame {
    struct bench_block array[BENCH_MAX_BLOCKS]; /* of raw values; borrowed */
    int n;
    size_t n_pixels;
    unsigned char *room; /* as large as the largest of them; owned */
    long moved;          /* pixels, by now */
    void *output;        /* of the changed frame; owned */
    uint64_t hash;       /* of that */
    bool is_other;       /* than the output of the frame as it was: there is something to see */
};

struct runner {
    const struct bench_impl *impl;
    const struct bench_plan *plan;
    const struct bench_machine *machine;
    struct bench_ctx ctx;
    struct bench_ctx slot[BENCH_MAX_IN_FLIGHT]; /* of a stream: the same on a stream each */
    struct bench_touch *touch;                  /* of a stream that wakes by it; borrowed */
    struct bench_one *one;
    int n, n_inputs; /* states; the first of them have an input of their own */
    const void *const *references;
    bench_interrupted_fn *interrupted;
    struct bench_result *result;
    bool pinned;
    struct measure_frame frame;
    double verification_s;      /* the runs that were verified, of all inputs */
    struct bench_clocks clocks; /* of runs by another program */
    /* samples that a loaded GPU was given, and those whose time is known */
    long long n_fed, n_read;
    unsigned char *flush; /* CPU, flush_bytes */
    size_t flush_bytes;
    volatile unsigned flush_sum; /* of what was read: else nothing would be */
};

static inline double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline bool on_device(const struct runner *r)
{
    return r->impl->target == BENCH_CUDA;
}

static inline enum bench_status stop_wished(const struct runner *r)
{
    return r->interrupted && r->interrupted() ? BENCH_FAIL(BENCH_EINTR, "interrupted")
                                              : BENCH_OK;
}

/* By the wall clock, from the host's input to the host's output. */
static inline bool is_end_to_end(enum bench_scope scope)
{
    return scope == BENCH_END_TO_END || scope == BENCH_SCORES_ON_GPU;
}

/* Nothing for a variant that has nothing to upload. */
static inline enum bench_status upload(const struct runner *r, const struct bench_one *one,
                                       enum bench_scope scope)
{
    return scope == BENCH_SCORES_ON_GPU ? r->impl->upload_rest(one->state)
                                        : r->impl->upload(one->state);
}

static inline bool ingests(const struct runner *r)
{
    return r->impl->problem->ingest &&
           !(r->impl->reads_raw && r->impl->reads_raw(r->ctx.params));
}

/* A host of 64 cores rarely has all of them at once. */
#define INGEST_TEAM 16

/* By the variant's own team, since a smaller one in between would end threads that are bound;
 * a GPU leaves the host its cores. */
static inline void ingest(const struct runner *r, const void *input)
{
    const int n_threads = r->impl->target != BENCH_CUDA       ? r->ctx.n_threads
                          : r->machine->n_cores < INGEST_TEAM ? r->machine->n_cores
                                                              : INGEST_TEAM;

    r->impl->problem->ingest((void *)(uintptr_t)input, n_threads > 1 ? n_threads : 1);
}

/* ---- measure.c ---- */

/* Fill the output, on both sides, with a pattern that no result has. */
enum bench_status measure_poison_both(struct runner *r, struct bench_one *one);
/* Runs all that a user waits for, without ingest; scopes differ only by scores_on_gpu. */
enum bench_status measure_run_whole(struct runner *r, struct bench_one *one,
                                    enum bench_scope scope);
/* Bring what the last run left to the host, over poison. */
enum bench_status measure_fetch_output(struct runner *r, struct bench_one *one);
/* The output of input i that is on the host is the one that was verified. */
enum bench_status measure_same_as_verified(struct runner *r, int i, const char *when);
/* Before a series and behind it: the runs of one that do nothing would leave the poison. */
enum bench_status measure_poison_all(struct runner *r);
enum bench_status measure_verify_left(struct runner *r);
/* One of these in a range of a profiler's; time 0: before anything was timed. */
enum bench_status measure_verify(struct runner *r, int time,
                                 enum bench_status (*verify_outputs)(struct runner *));
void measure_drop_timing(struct bench_timing *timing);

/* ---- measure_samples.c ---- */

/* Read more than the last-level cache, by all threads: the next run starts cold, all clean. */
void measure_flush_cpu(struct runner *r);
/* Wait for the samples that are on their way to a loaded GPU; they count for nothing. */
enum bench_status measure_drain(struct runner *r);
/* All that a user waits for; what another program leaves is there then, and is not fetched. */
enum bench_status measure_run_frame(struct runner *r, struct bench_one *one,
                                    enum bench_scope scope);
/* The clocks that were read along the way, in order: how many. */
int measure_clocks(const struct bench_timing *t, double *sorted);
enum bench_status measure_take_energy(struct runner *r, struct bench_timing *t);
/* One sample in a range of that phase, ms for a run of an input. */
enum bench_status measure_sample(struct runner *r, const struct bench_timing *t,
                                 enum bench_phase phase, double *ms);
struct bench_timing *measure_new_timing(struct runner *r, enum bench_scope scope,
                                        enum bench_series series, const char *stage, int max);
enum bench_status measure_time_series(struct runner *r, enum bench_scope scope,
                                      enum bench_series series);

/* ---- measure_change.c ---- */

typedef enum bench_status measure_sample_fn(struct runner *r, const struct bench_timing *t,
                                            double *ms);

/* Computes another frame's output by a new state, behind the verification; nothing where runs
 * are too long, the frame has no raw arrays, or its output would be the same. */
enum bench_status measure_change_begin(struct runner *r);
void measure_change_end(struct runner *r);
/* Behind a series: one of its samples on the other frame.  BENCH_EMISMATCH if its output is
 * wrong; else t->is_changed.  The input is restored, on both sides. */
enum bench_status measure_change(struct runner *r, struct bench_timing *t,
                                 measure_sample_fn *sample);
/* Behind all series.  BENCH_EMISMATCH if unseen frames take much longer than seen ones. */
enum bench_status measure_memory(struct runner *r);

/* ---- measure_together.c ---- */

/* The samples of a series by all ranks together, of 'n_all' inputs; r has this rank's. */
enum bench_status measure_together(struct runner *r, struct bench_timing *t, int n_all);

/* ---- measure_stream.c ---- */

/* A stream's inputs in a ring whose length is a multiple of the frames in flight: neighbours
 * never share a slot.  Those behind the n-th are the first again, with their own outputs. */
struct ring {
    const struct bench_problem *problem;
    void **inputs, **outputs;
    const void **references;
    int n, n_inputs;
};

/* measure_ring_free() accepts what a failure leaves. */
enum bench_status measure_ring_make(const struct bench_impl *impl, int in_flight,
                                    void *const *inputs, const void *const *references,
                                    void *const *outputs, int n_inputs, struct ring *ring);
void measure_ring_free(struct ring *ring);

/* The series of a stream, of 'most' frames; scratch for twice as many numbers.  BENCH_ESKIP:
 * the variant is slower than the rate. */
enum bench_status measure_stream(struct runner *r, struct bench_timing *t, int most,
                                 double *scratch);
/* Some of its frames, as they arrive; adds to *n_runs. */
enum bench_status measure_stream_for_energy(struct runner *r, const struct bench_timing *t,
                                            long long *n_runs);

/* ---- measure_stages.c ---- */

enum bench_status measure_time_stages(struct runner *r, enum bench_scope scope,
                                      enum bench_series series);

#endif

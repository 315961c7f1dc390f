/* plan.h - the harness's own keys, which say how a configuration is measured: rows of plan.c */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include "harness/measure/impl.h"
#include "harness/measure/wake.h"
#include "harness/base/params.h"
#include "harness/base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum bench_frame_pick {
    BENCH_PICK_ALL,     /* every frame of the input: the paper's average */
    BENCH_PICK_TYPICAL, /* one frame: nearest to the mean of problem->rank */
    BENCH_PICK_BEST,    /* one frame: least */
    BENCH_PICK_WORST    /* one frame: most */
};

enum bench_scope {
    BENCH_KERNEL,
    BENCH_DEVICE,
    BENCH_END_TO_END,
    BENCH_SCORES_ON_GPU, /* end to end, but for class scores that a network left on the GPU */
    BENCH_N_SCOPES
};
enum bench_series {
    BENCH_COLD,
    BENCH_HOT,
    BENCH_FRAMES,
    BENCH_SUSTAINED,
    BENCH_STREAM, /* alone in a plan */
    BENCH_N_SERIES
};

/* Each rank has all frames of an experiment (weak), or a part of them (strong). */
enum bench_scaling { BENCH_ALONE, BENCH_WEAK, BENCH_STRONG };

/* In the order of the choices of their keys. */
extern const char *const bench_scope_name[BENCH_N_SCOPES];  /* "kernel", "device" ... */
extern const char *const bench_series_name[BENCH_N_SERIES]; /* "cold", "hot", "frames" ... */
extern const char *const bench_frame_pick_name[4];          /* "all", "typical" ... */
extern const char *const bench_transfer_name[3];            /* "copy", "mapped", "managed" */
extern const char *const bench_scaling_name[3];             /* "none", "weak", "strong" */
extern const char *const bench_arrival_name[2];             /* "queue", "drop" */
extern const char *const bench_launch_name[2];              /* "each", "graph" */
extern const char *const bench_wake_name[3];                /* "no", "touch", "rerun" */

/* `depthbench list` says what each of them means. */
struct bench_plan {
    char input[32], mode[32];
    enum bench_frame_pick which;
    enum bench_transfer transfer;
    int batch, threads; /* threads 0: all cores */
    int sms;            /* multiprocessors that may be used; 0: all */
    bool lock_clocks, stages, values, times, energy;
    unsigned series, scopes; /* bits 1u << BENCH_COLD ..., 1u << BENCH_KERNEL ... */
    int min_samples, max_samples;
    double precision; /* half width of the median's 95 % interval, as a share */

    /* Seconds: of sampling per series and scope, at least and at most; of load before a
     *          sustained series; of work in the energy pass. */
    double min_time_s, timeout_s, sustained_time_s, energy_time_s;
    int max_frames; /* of the input; 0: all */
    int runs;       /* processes that measure the configuration, one after the other */

    /* of a stream: frames a second (0: as fast as they are done); in work at a time; true if a
     * frame that finds so many is lost; frames at most */
    int rate, in_flight;
    bool drops;
    bool by_graph;      /* on a GPU all of a frame is one launch */
    enum wake_how wake; /* of host and GPU, before a frame is due */
    int arrivals;

    /* of ranks that measure together */
    enum bench_scaling scaling;
    int ranks;                 /* so many of those that there are */
    bool share_device;         /* those of a host share one GPU; else each has its own */
    double interval_s, wait_s; /* seconds: in which frames are counted; for others at most */
};

/* The harness's own keys, ended by a name of NULL. */
extern const struct bench_key bench_plan_keys[];

/* True if several values of this key make several configurations of a variant for 'target'. */
bool plan_is_axis(const struct bench_key *key, enum bench_target target);
/* True if it is an axis for some variant. */
bool plan_multiplies(const struct bench_key *key);
/* The column of rows that tells configurations apart by it; NULL: none does. */
const char *plan_column(const struct bench_key *key);
/* True if its value is a name, of at most 31 bytes. */
bool plan_is_name(const struct bench_key *key);

/* All keys at their defaults; a serial variant has more time. */
void plan_default(struct bench_plan *plan, enum bench_target target);

/* Read the text of a key that is no axis: one value, or a set.  'where' begins the sentence. */
enum bench_status plan_read(struct bench_plan *plan, const struct bench_key *key,
                            const char *text, const char *where);

/* A value of an axis, checked before. */
void plan_set(struct bench_plan *plan, const struct bench_key *key,
              const struct bench_param *value);

/* True if the plan has this scope and series, and the scope suits the variant. */
bool plan_times(const struct bench_plan *plan, const struct bench_impl *impl,
                enum bench_scope scope, enum bench_series series);

/* --quick: no more than the key's limit. */
void plan_quicken(struct bench_plan *plan, const struct bench_key *key,
                  enum bench_target target);

/* True if the series is a stream, which stands alone. */
static inline bool plan_streams(const struct bench_plan *plan)
{
    return plan->series == 1u << BENCH_STREAM;
}

/* The text of a key for rows: "30", "max", "cold+hot"; "" if it says how long is measured. */
#define BENCH_PLAN_TEXT 96
void plan_value(const struct bench_plan *plan, const struct bench_key *key,
                char text[BENCH_PLAN_TEXT]);

/* True if the mode's name must be sought on the board: each, least, default, most, or "A|B". */
bool plan_seeks_mode(const char *mode);

/* Returns the frames of a stream that arrive, by its rate and the plan's limit. */
int plan_arrivals(const struct bench_plan *plan);

/* BENCH_EINPUT with a sentence if keys do not go together: those of streams, and of ranks. */
enum bench_status plan_check(const struct bench_plan *plan);

/* Settles what an axis decides: one frame is no series of frames, ranks that measure together
 * time whole runs under load, and a stream is timed end to end. */
void plan_settle(struct bench_plan *plan);

/* " input=scene frame_pick=all ...", then all but defaults; returns the length needed. */
size_t plan_text(const struct bench_plan *plan, char *text, size_t size);

#endif

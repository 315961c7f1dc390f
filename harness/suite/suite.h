/*
 * suite.h - run the configurations of an experiment and record a row for each
 *
 * Configurations are taken in groups that share an input, which is made once, with its
 * reference.  Rows that will be divided by one another are measured side by side.
 */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include "harness/inputs/dataset.h"
#include "harness/measure/energy.h"
#include "harness/suite/env.h"
#include "harness/suite/experiment.h"
#include "harness/suite/forecast.h"
#include "harness/suite/launcher.h"

#include <stdbool.h>
#include <stdio.h>

struct world; /* world.h */

struct bench_options {
    const char *results;            /* folder for the session's files */
    const char *data;               /* data folder */
    const char *references;         /* folder of this build's references; NULL: none is kept */
    bool prepare;                   /* make references there, and nothing else */
    bool quick;                     /* rows carry profile=quick */
    bool profile;                   /* for nsys and ncu: see measure.h */
    bool realtime;                  /* of streams: see measure.h */
    bool resume;                    /* go on with a session of this build: record_open() */
    const char *const *experiments; /* of this run, NULL-terminated, for it; NULL: any */
    int run;                        /* this is process 1, 2 ... of run_group; 0: of none */
    const char *run_group;
    const struct launcher_rank *rank; /* its share is measured (share.h); NULL: all is */
    int verbosity;                    /* 0 quiet, 1 a line per row, 2 more */
    FILE *out, *err;                  /* the table; progress and notes */
    bool progress;                    /* err is a terminal */
    const struct bench_time *time; /* of settling and of the energy pass; NULL: the real one */
    int range;                     /* inputs in memory where nothing is timed; 0: what fits */
    double tool_timeout_s;         /* of nvpmodel and jetson_clocks; 0: 30 */
    struct world *world;           /* borrowed: of experiments that scale; NULL: they do not */
};

struct bench_summary {
    int n_rows;           /* written */
    int n_ok, n_unstable; /* rows: good ones; unstable or throttled ones */
    int n_outside;        /* of these, verdict "outside": beyond the reference's own scatter */
    int n_skipped, n_failed, n_wrong,
        n_kept; /* configurations; n_kept: already there (resume) */
    int n_same; /* configurations: like another but for a power mode that is not here */
    struct bench_reasons skipped;
    int n_not_run; /* configurations: the one that stopped the experiment and all behind it */
    int n_others;  /* configurations of other ranks */
    int n_left;    /* configurations that this machine cannot run, and another one may */
    int n_parts;   /* ranges of inputs of a configuration whose sums were written */
    enum bench_status worst; /* of the failed configurations: the first */
    char session[128];
};

/* True after any signal: it ends ranks that wait for one another. */
bool suite_stop_together(void);

/* Open the session that all experiments of one call share.  See record_open.  Close with
 * suite_close. */
enum bench_status suite_open(const struct bench_env *env, const struct bench_options *options,
                             struct record_session **session);

/* The load at the end, into its env file, and close it. */
enum bench_status suite_close(const struct bench_env *env, struct record_session *session);

/*
 * Run.  BENCH_OK also when configurations were skipped, wrong or failed (see summary);
 * BENCH_EINTR after Ctrl-C; BENCH_EINPUT before anything ran when a configuration's parameters
 * are impossible; BENCH_EIO when results cannot be written.
 */
enum bench_status suite_run(const struct bench_experiment *experiment, struct bench_env *env,
                            const struct bench_options *options, struct record_session *session,
                            struct bench_summary *summary);

/* The frames of a named input, of which some are in memory.  Zeroed: none. */
struct suite_frames {
    char key[96]; /* what they are; "": none */
    struct dataset dataset;
    const char *data; /* borrowed */
    int width, height;
    int n; /* all of them */
    bool has_hash;
    uint64_t hash; /* dataset_hash() of all of them */
    /* in memory: first .. first + n_planes - 1; owned */
    struct plane *planes;
    int first, n_planes;
};

/* Count the frames of experiments/inputs/NAME.ini below bench_home(), of which the first
 * 'max_frames' are taken (0: all); those that are open stay, or make room.  As
 * dataset_count. */
enum bench_status suite_frames_open(struct suite_frames *frames, const char *input,
                                    const char *data_folder, int width, int height,
                                    int max_frames);
/* Have n of them in memory, in the place of others unless they are there.  As dataset_load. */
enum bench_status suite_frames_load(struct suite_frames *frames, int first, int n);
/* One of those. */
const struct plane *suite_frame(const struct suite_frames *frames, int index);
void suite_frames_close(struct suite_frames *frames);

/* ---- sums of a configuration's inputs (base/sums.h), of one process or of several ---- */

struct suite_total {
    uint64_t input_hash, output_hash;
    struct bench_difference difference;
    struct bench_work work; /* mean per frame */
};

/* Add up the inputs from .. to - 1 of n_all.  BENCH_EINPUT unless each of these is in the sums
 * once, and no other. */
struct bench_sums;
enum bench_status suite_total(const struct bench_problem *problem,
                              const struct bench_sums *sums, int from, int to, int n_all,
                              struct suite_total *total);
struct bench_sink {
    struct suite_value {
        char name[40], unit[16];
        int index;
        double value;
    } * value;
    int n;
    bool failed; /* memory ran out */
};
/* The values of all inputs, in the place of those that are there; 'is_other': of a variant that
 * solves another problem. */
enum bench_status suite_values(const struct bench_problem *problem, bool is_other,
                               const struct bench_sums *sums, struct bench_sink *values);
void suite_drop_values(struct bench_sink *values);
/* The mark of a rank's data set in its sums. */
uint64_t suite_data_of(const struct bench_sums *sums);

/* The values of one output that 'told' asks for and its problem has, "2.1 stixels, rms error
 * 0.4 px". */
struct bench_told;
enum bench_status suite_tell(const struct bench_problem *problem, const void *input,
                             const void *output, const struct bench_told *told,
                             struct text *text);

/* Find the frame that a case means, for these parameters: exact, from problem->rank. */
enum bench_status suite_pick(const struct bench_problem *problem,
                             const struct bench_params *params, struct suite_frames *frames,
                             enum bench_frame_pick which, int *index);

#endif

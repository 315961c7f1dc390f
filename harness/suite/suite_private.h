/* suite_private.h - what the files of suite.c share: a run and what it holds */
#ifndef BENCH_SUITE_PRIVATE_H
#define BENCH_SUITE_PRIVATE_H

#include "harness/base/sums.h"
#include "harness/measure/measure.h"
#include "harness/platform/process.h"
#include "harness/suite/modes.h"
#include "harness/suite/share.h"
#include "harness/suite/suite.h"
#include "harness/suite/world.h"

/* Inputs that are in memory together where nothing is timed: as many as fit in so many bytes,
 * with their frames, outputs and references, but so many at least. */
#define SUITE_RANGE_BYTES ((size_t)512 << 20)
#define SUITE_RANGE       8

/* The inputs that all configurations of a group share.  With times all are made at once, else
 * range by range. */
struct group {
    char key[BENCH_CONFIG_TEXT]; /* "": there is none */
    const struct bench_problem *problem;
    struct suite_frames frames; /* of the named input, at native size */
    int n_noted;                /* frames of it that were looked at for values left out */
    int n_odd;                  /* and those with any, since the last note */
    struct counted_values odd;  /* of these */
    char odd_input[32];         /* whose they are */
    int pick;                   /* the first frame that is used */
    int n_all;                  /* inputs */
    int n_frames;               /* of each; 0: none was made yet */
    size_t bytes;               /* of each, with its output and reference */
    size_t frame_bytes;         /* of a frame of the named input */
    uint64_t input_hash;        /* of the one input, or of the hashes of several: */
    int hash_from, hash_to;     /* these; 0, 0: there is none */
    /* the range that is made: inputs first .. first + n_inputs - 1; owned */
    int first, n_inputs;
    void **inputs;
    void **references;
    void **outputs;
    bool have_references;
    bench_wide work_bytes, work_ops; /* of the range's inputs, bench_wide_fixed() */
    struct bench_sums sums;          /* of the range's values */
    bool are_sums_shared;            /* by all variants whose output must be the reference's */
    /* of a configuration that is done */
    struct bench_work work; /* mean per frame */
    struct bench_sink values;
};

#define MAX_KEYS    24
#define TIME_WIDTH  20 /* "9.999e-05 ms +-99.0%" */
#define STAGE_WIDTH 20 /* "/" and the name of a stage; longer ones are cut */

/* Columns of the table on the terminal, as wide as this experiment needs them. */
struct table {
    int impl, input;
    int which;   /* 0 where all configurations have one case */
    int what;    /* scope and series, or a stage; 0 where nothing is timed */
    int outcome; /* 'what' with the time behind it */
    int room;    /* for the keys that vary: what is left of the screen */
    struct {
        const char *name; /* owned by the experiment's keys */
        int width;
    } key[MAX_KEYS];
    int n_keys;
    bool names_fit;
};

/* The machine, whichever configuration runs. */
struct host {
    struct bench_machine machine; /* as bench_measure() has it */
    struct bench_modes modes;
    struct power {
        bool tried;
        struct platform_power *source; /* owned */
        char why[BOARD_WHY];           /* there is none */
    } power[2];                        /* of the CPU, of the GPU */
    bool device_lost;
};

/* The configuration that runs. */
struct task {
    const struct bench_config *config;
    struct bench_result *result;
    enum bench_status outcome;
    struct {
        int from, to, n; /* this rank has inputs from .. to - 1 of n; n = 0: all of them */
    } own;
    struct bench_sums sums; /* of these; owned */
    bool is_left;           /* this rank's machine cannot run it: another one may */
    bool mode_refused;
    bool was_throttled;     /* by a cgroup's CPU quota */
    double host_peak_bytes; /* 0: not known */
    struct platform_live before, after;
};

/* One call of suite_run(). */
struct run {
    const struct bench_experiment *experiment;
    struct bench_env *env;
    const struct bench_options *options;
    struct bench_summary *summary;
    struct record_session *session;
    struct bench_share share;
    struct suite_frames counted; /* no planes: how many frames a configuration has */
    struct world *world;         /* NULL: the experiment does not scale */
    struct table table;
    int *order;         /* [n_configs]: in which they run; owned */
    int n_own, n_ranks; /* configurations that are this rank's; ranks that have any */
    int at_own;         /* the one that runs, from 1, of n_own */
    int n_done;
    double t0;
    struct host host;
    struct group group;
    struct task task;
};

/* ---- suite_inputs.c: the inputs of a group ---- */

bool suite_is_in_group(const struct group *g, const struct bench_config *config);
/* Count the inputs of a configuration; no group is entered. */
enum bench_status suite_count_inputs(struct run *run, const struct bench_config *config,
                                     int *n);
/* Enter the configuration's group: how many inputs it has. */
enum bench_status suite_enter_group(struct run *run);
/* Make n inputs of the group that was entered, in the place of others. */
enum bench_status suite_enter_range(struct run *run, int first, int n);
/* Find how many inputs are made together, from this one on. */
enum bench_status suite_range(struct run *run, int from, int *n);
/* Add the hash of the next one of n_all inputs. */
void suite_hash_on(uint64_t *all, int n_all, uint64_t hash);
/* Enter the group, and have the hash of this rank's inputs; where 'all', of all. */
enum bench_status suite_hash_inputs(struct run *run, bool all);
/* A line about the values of the group's frames, where any was left out since the last one. */
void suite_note_values(struct run *run);
void suite_drop_group(struct group *g);

/* Make outputs of the inputs that are made, and references, unless they are there or the
 * configuration's own runs make them. */
enum bench_status suite_make_outputs(struct run *run, bool makes_references);
/* ---- suite_reference.c ---- */

/* Make the reference of the input 'at' of the group, or take what a process of this build has
 * left in options->references. */
enum bench_status suite_reference(const struct run *run, const struct bench_impl *reference,
                                  const struct bench_params *params, int at);

/* The configuration is its own reference, key by key, so that what it gives is the reference of
 * the others of its group. */
bool suite_is_own_reference(const struct bench_config *config);
/* Make the outputs of a configuration that is its own reference the references. */
void suite_keep_references(struct group *g);

/* ---- suite_sums.c: what inputs give, and the values of all of them ---- */

/* Verify the inputs from .. to - 1 of the group, which was entered, and measure them if times
 * are taken (then they are all of them); add to 'sums' what they give to the row.  Sums of
 * several calls, also of other processes, merge in any order.  The task's result is of the last
 * inputs, its difference of all in the sums, also if one is wrong. */
enum bench_status suite_sum(struct run *run, int from, int to, struct bench_sums *sums);
/* Take from the sums of the inputs from .. to - 1 the result's difference and output hash, the
 * group's input hash and work, and, of all inputs, its values. */
enum bench_status suite_conclude(struct run *run, const struct bench_sums *sums, int from,
                                 int to);
/* Add the mark of the group's data set to the sums. */
enum bench_status suite_mark_sums(struct run *run);

/* The first Ctrl-C lets the configuration finish, unless ranks measure together. */
bool suite_stop_now(void);

/* ---- suite_scale.c: configurations that ranks measure together ---- */

/* All ranks of run->world find out who takes part in the configuration, and where: none, if
 * too few are there. */
enum bench_status suite_scale_meet(const struct run *run);
/* Columns of a row that a plan alone does not tell. */
void suite_scale_fields(const struct run *run, struct record_row *row);
/* All ranks of run->world call it, whatever became of the configuration so far, and all of them
 * get one status: of rank 0 the result is that of all. */
enum bench_status suite_scale(struct run *run, enum bench_status outcome);

/* ---- suite.c ---- */

/* Measure this rank's inputs of the group, which was entered. */
enum bench_status suite_measure(struct run *run);

/* ---- suite_rows.c: fields of a row ---- */

/* The row of a configuration before it has run; its inputs may be missing. */
struct record_row *suite_new_row(struct run *run);
void suite_result_fields(struct run *run, struct record_row *row);
void suite_timing_fields(const struct bench_timing *t, int n_frames, struct record_row *row);
/* Why a configuration has no times.  Rows travel: files are below "data" in them, wherever this
 * machine has its data folder. */
void suite_failure_fields(struct record_row *row, const char *data);
/* The number of CPU threads; 0 for a GPU variant, or if nothing is timed. */
int suite_threads(const struct run *run, const struct bench_config *config);

/* ---- suite_table.c: the table on the terminal ---- */

/* The head, with columns as wide as this experiment needs them. */
void suite_print_head(struct run *run);
void suite_print_row(const struct run *run, const struct bench_timing *timing);
/* The line of progress goes before another is printed. */
void suite_clear_progress(const struct run *run);

#endif

/* suite_private.h - what the files of suite.c share: a run and what it holds */
#ifndef BENCH_SUITE_PRIVATE_H
#define BENCH_SUITE_PRIVATE_H

#include "harness/measure/measure.h"
#include "harness/suite/modes.h"
#include "harness/suite/record.h"
#include "harness/suite/suite.h"

struct value {
    char name[40], unit[16];
    int index;
    double value;
};

struct bench_sink {
    struct value *value;
    int n, capacity;
    bool failed;
};

/* What all configurations of a group share. */
struct group {
    char key[BENCH_CONFIG_TEXT];
    struct plane *planes; /* of the named input, at native size; owned */
    char planes_key[96];
    int n_planes;
    void **inputs; /* owned */
    void **references;
    void **outputs;
    int n_inputs;
    bool have_references;
    uint64_t input_hash;
    struct bench_work work; /* mean per frame */
    struct bench_sink values;
    bool are_values_shared; /* by all variants whose output must be the reference's */
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

struct run {
    const struct bench_experiment *experiment;
    struct bench_env *env;
    const struct bench_options *options;
    struct bench_summary *summary;
    struct record_session *session;
    struct group group;
    struct table table;
    struct bench_machine machine;
    int n_done, n_configs;
    double t0;
    /* of the configuration that runs */
    enum bench_status outcome;
    double temp_before, temp_after; /* C; 0: not known */
    struct power {
        bool tried;
        struct platform_power *source; /* owned */
        char why[BOARD_WHY];           /* there is none */
    } power[2];                        /* of the CPU, of the GPU */
    bool device_lost;
    struct bench_modes modes;
    bool mode_refused; /* of the configuration that runs */
    struct platform_live before, after;
};

/* ---- suite_groups.c: inputs, references and values of a group ---- */

/* What names the group of a configuration: configurations of one key share inputs and
 * references. */
void suite_group_key(const struct bench_config *config, char *key, size_t size);
/* Make the inputs of the configuration's group, unless they are there. */
enum bench_status suite_enter_group(struct run *run, const struct bench_config *config);
void suite_drop_inputs(struct run *run);
enum bench_status suite_make_outputs(struct run *run, const struct bench_config *config);
enum bench_status suite_make_references(struct run *run, const struct bench_config *config);
/* The configuration is its own reference, key by key, so that what it gives is the reference of
 * the others of its group. */
bool suite_is_own_reference(const struct bench_config *config);
/* What the configuration, its own reference, gave in all its runs. */
void suite_keep_references(struct group *g, const struct bench_problem *problem);
/* Values of outputs that were verified, into the group's sink, with the share that is equal
 * where 'difference' is by another rule. */
enum bench_status suite_group_values(struct run *run, const struct bench_config *config,
                                     void *const *outputs,
                                     const struct bench_difference *difference);

/* ---- suite_rows.c: fields of a row ---- */

/* What is known of a configuration before it has run, its inputs aside where they could not be
 * made. */
struct record_row *suite_new_row(struct run *run, const struct bench_config *config);
void suite_result_fields(struct run *run, const struct bench_config *config,
                         const struct bench_result *result, struct record_row *row);
void suite_timing_fields(const struct bench_timing *t, int n_frames, struct record_row *row);
/* Why a configuration has no times.  Rows travel: files are below "data" in them, wherever this
 * machine has its data folder. */
void suite_failure_fields(struct record_row *row, const char *data);
/* Of the CPU that a configuration takes; 0: it takes none. */
int suite_threads(const struct run *run, const struct bench_config *config);

/* ---- suite_table.c: the table on the terminal ---- */

/* Columns as wide as this experiment needs them. */
void suite_lay_out(struct run *run);
void suite_print_head(const struct run *run);
void suite_print_row(const struct run *run, const struct bench_config *config,
                     const struct bench_timing *timing, const struct bench_result *result);
/* The line of progress goes before another is printed. */
void suite_clear_progress(const struct run *run);

#endif

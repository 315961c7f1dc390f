/* suite.c - run the cells of an experiment and record a row for each */
#include "harness/suite.h"

#include "harness/measure.h"
#include "harness/modes.h"
#include "harness/nvtx.h"
#include "harness/record.h"
#include "harness/turn.h"
#include "harness/verify.h"
#include "inputs/dataset.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

volatile sig_atomic_t bench_interrupts;

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

/* What all cells of a group share. */
struct group {
    char key[BENCH_CELL_TEXT];
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
};

#define MAX_KEYS   24
#define TIME_WIDTH 20 /* "9.999e-05 ms +-99.0%" */
#define LAP_WIDTH  20 /* "/" and the name of a lap; longer ones are cut */

/* Columns of the table on the terminal, as wide as this experiment needs them. */
struct table {
    int impl, input;
    int which;   /* 0 where all cells have one case */
    int what;    /* scope and series, or a lap; 0 where nothing is timed */
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
    int n_done, n_cells;
    double t0;
    double temp_before; /* of the cell that runs, C */
    struct power {
        bool tried;
        struct board_power *source; /* owned */
        char why[BOARD_WHY];        /* there is none */
    } power[2];                     /* of the CPU, of the card */
    bool device_lost;
    struct bench_modes modes;
    bool mode_refused; /* of the cell that runs */
    struct board_live before;
};

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- values ---- */

void bench_value(struct bench_sink *sink, const char *name, int index, double value,
                 const char *unit)
{
    if (sink->n == sink->capacity) {
        const int more = sink->capacity ? 2 * sink->capacity : 64;
        struct value *grown = realloc(sink->value, (size_t)more * sizeof *grown);

        if (!grown) {
            sink->failed = true;
            return;
        }
        sink->value = grown;
        sink->capacity = more;
    }
    snprintf(sink->value[sink->n].name, sizeof sink->value->name, "%s", name);
    snprintf(sink->value[sink->n].unit, sizeof sink->value->unit, "%s", unit);
    sink->value[sink->n].index = index;
    sink->value[sink->n++].value = value;
}

static void drop_sink(struct bench_sink *sink)
{
    free(sink->value);
    memset(sink, 0, sizeof *sink);
}

/* ---- inputs ---- */

static enum bench_status input_path(const char *input, char *path, size_t size)
{
    if (strchr(input, '/') || !record_is_name(input))
        return BENCH_FAIL(BENCH_EINPUT,
                          "input = %s: expected the name of a descriptor in experiments/inputs",
                          input);
    snprintf(path, size, "%s/experiments/inputs/%s.ini", bench_home(), input);
    if (access(path, R_OK))
        return BENCH_FAIL(BENCH_EINPUT,
                          "no input '%s': there is no %s (depthbench list names them)", input,
                          path);
    return BENCH_OK;
}

/* max_frames: no more than so many, the first; 0: as many as the descriptor says. */
static enum bench_status load_frames(const char *input, const char *data_folder, int width,
                                     int height, int max_frames, struct plane **planes,
                                     int *n_planes)
{
    char path[4400];
    struct dataset dataset;

    TRY(input_path(input, path, sizeof path));
    TRY(dataset_read(path, &dataset));
    if (max_frames > 0 && dataset.n_frames > max_frames)
        dataset.n_frames = max_frames;
    return dataset_load(&dataset, data_folder, width > 0 ? width : 1242,
                        height > 0 ? height : 375, planes, n_planes);
}

enum bench_status suite_load(const char *input, const char *data_folder, int width, int height,
                             struct plane **planes, int *n_planes)
{
    return load_frames(input, data_folder, width, height, 0, planes, n_planes);
}

enum bench_status suite_pick(const struct bench_problem *problem,
                             const struct bench_params *params, const struct plane *planes,
                             int n_planes, enum bench_case which, int *index)
{
    uint64_t *count = calloc((size_t)n_planes, sizeof *count);
    enum bench_status status = BENCH_OK;
    double mean = 0;

    *index = 0;
    if (!problem->rank) {
        free(count);
        return BENCH_FAIL(BENCH_EINPUT,
                          "problem %s cannot order frames: case = all is the only one",
                          problem->name);
    }
    if (!count)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d counts", n_planes);
    for (int i = 0; i < n_planes && !status; i++) {
        const struct plane *frame = &planes[i];
        void *input = NULL;

        status = problem->make_input(params, &frame, 1, &input);
        if (!status)
            status = problem->rank(input, &count[i]);
        problem->free_input(input);
        mean += (double)count[i] / n_planes;
    }
    for (int i = 1; i < n_planes && !status; i++) {
        const bool better =
            which == BENCH_CASE_BEST ? count[i] < count[*index]
            : which == BENCH_CASE_WORST
                ? count[i] > count[*index]
                : fabs((double)count[i] - mean) < fabs((double)count[*index] - mean);

        if (better)
            *index = i;
    }
    free(count);
    return status;
}

static void drop_inputs(struct run *run)
{
    const struct bench_problem *problem = run->experiment->problem;
    struct group *g = &run->group;

    for (int i = 0; i < g->n_inputs; i++) {
        problem->free_input(g->inputs ? g->inputs[i] : NULL);
        problem->free_output(g->references ? g->references[i] : NULL);
        problem->free_output(g->outputs ? g->outputs[i] : NULL);
    }
    free(g->inputs);
    free(g->references);
    free(g->outputs);
    g->inputs = g->references = g->outputs = NULL;
    g->n_inputs = 0;
    g->have_references = false;
    g->key[0] = '\0';
    drop_sink(&g->values);
}

/* check_cells() has asked whether there is one. */
static const struct bench_impl *reference_of(const struct bench_impl *impl)
{
    const struct bench_impl *reference;
    const enum bench_status status = bench_reference_of(impl, &reference);

    assert(!status);
    (void)status;
    return reference;
}

static void group_key(const struct bench_cell *cell, char *key, size_t size)
{
    struct bench_params params;
    char text[BENCH_CELL_TEXT - 256];

    bench_problem_params(cell->impl->problem, &cell->params, &params);
    bench_params_text(&params, text, sizeof text);
    snprintf(key, size, "%s|%s|%d|%d|%d|%s", cell->plan.input, text, (int)cell->plan.which,
             cell->plan.batch, cell->plan.max_frames, reference_of(cell->impl)->name);
}

static enum bench_status load_planes(struct run *run, const struct bench_cell *cell)
{
    struct group *g = &run->group;
    const int width = bench_has(&cell->params, "width") ? bench_int(&cell->params, "width") : 0;
    const int height =
        bench_has(&cell->params, "height") ? bench_int(&cell->params, "height") : 0;
    char key[96];

    snprintf(key, sizeof key, "%s|%d|%d|%d", cell->plan.input, width, height,
             cell->plan.max_frames);
    if (g->planes && !strcmp(key, g->planes_key))
        return BENCH_OK;
    planes_free(g->planes, g->n_planes);
    g->planes = NULL;
    g->n_planes = 0;
    g->planes_key[0] = '\0';
    TRY(load_frames(cell->plan.input, run->options->data, width, height, cell->plan.max_frames,
                    &g->planes, &g->n_planes));
    snprintf(g->planes_key, sizeof g->planes_key, "%s", key);
    for (int i = 0; i < g->n_planes; i++)
        if (g->planes[i].n_clamped > 0)
            fprintf(run->options->err, "note: %s: %zu values above %.2f px were clamped\n",
                    g->planes[i].name, g->planes[i].n_clamped,
                    (double)DISPARITY_MAX / DISPARITY_SCALE);
    return BENCH_OK;
}

/* Would n_inputs like this one, each with its output and reference, fit into what is free? */
static enum bench_status check_memory(const struct run *run, const struct bench_cell *cell,
                                      const void *input, int n_inputs)
{
    const struct bench_problem *problem = cell->impl->problem;
    struct bench_block block[BENCH_MAX_BLOCKS];
    double bytes = 0;
    void *output = NULL;
    const double free_bytes = board_free_bytes(run->env->sysroot);
    enum bench_status status = problem->make_output(input, &output);
    int n;

    if (status)
        return status;
    n = problem->input_blocks(input, block);
    for (int i = 0; i < n; i++)
        bytes += (double)block[i].bytes;
    n = problem->output_blocks(output, block);
    for (int i = 0; i < n; i++)
        bytes += 2.0 * (double)block[i].bytes;
    problem->free_output(output);
    if (free_bytes > 0 && bytes * n_inputs > 0.9 * free_bytes)
        return BENCH_FAIL(BENCH_ENOMEM,
                          "%d inputs with their outputs need %.1f GiB and %.1f GiB are free; "
                          "use fewer (frames = N)",
                          n_inputs, bytes * n_inputs / 1073741824.0, free_bytes / 1073741824.0);
    return BENCH_OK;
}

/* The frames of each input: one per input, or a batch of several in one. */
static enum bench_status make_inputs(struct run *run, const struct bench_cell *cell)
{
    const struct bench_problem *problem = cell->impl->problem;
    struct group *g = &run->group;
    struct bench_params params;
    const int batch = cell->plan.batch;
    int n_frames = g->n_planes, first = 0;
    const struct plane **frames;
    enum bench_status status = BENCH_OK;

    bench_problem_params(cell->impl->problem, &cell->params, &params);
    if (cell->plan.max_frames > 0 && cell->plan.max_frames < n_frames)
        n_frames = cell->plan.max_frames;
    if (cell->plan.which != BENCH_CASE_ALL) {
        TRY(suite_pick(problem, &params, g->planes, n_frames, cell->plan.which, &first));
        n_frames = 1;
    }
    g->n_inputs = batch > 1 ? 1 : n_frames;
    g->inputs = calloc((size_t)g->n_inputs, sizeof *g->inputs);
    g->references = calloc((size_t)g->n_inputs, sizeof *g->references);
    g->outputs = calloc((size_t)g->n_inputs, sizeof *g->outputs);
    frames = calloc((size_t)(batch > 1 ? batch : 1), sizeof(const struct plane *));
    if (!g->inputs || !g->references || !g->outputs || !frames) {
        free(frames);
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d inputs", g->n_inputs);
    }
    g->input_hash = 0;
    for (int i = 0; i < g->n_inputs && !status; i++) {
        for (int k = 0; k < (batch > 1 ? batch : 1); k++)
            frames[k] = &g->planes[first + (batch > 1 ? k % n_frames : i)];
        status = problem->make_input(&params, frames, batch > 1 ? batch : 1, &g->inputs[i]);
        if (!status && i == 0)
            status = check_memory(run, cell, g->inputs[0], g->n_inputs - 1);
        if (!status)
            g->input_hash = bench_hash_input(problem, g->inputs[i], g->input_hash);
    }
    free(frames);
    return status;
}

/* Make the inputs of the cell's group, unless they are there. */
static enum bench_status enter_group(struct run *run, const struct bench_cell *cell)
{
    struct group *g = &run->group;
    char key[sizeof g->key];

    group_key(cell, key, sizeof key);
    if (!strcmp(key, g->key))
        return BENCH_OK;
    drop_inputs(run);
    TRY(load_planes(run, cell));
    TRY(make_inputs(run, cell));
    snprintf(g->key, sizeof g->key, "%s", key); /* only now: a half-made group is made anew */
    return BENCH_OK;
}

static enum bench_status make_outputs(struct run *run, const struct bench_cell *cell)
{
    const struct bench_problem *problem = cell->impl->problem;
    struct group *g = &run->group;

    for (int i = 0; i < g->n_inputs; i++) {
        if (!g->references[i])
            TRY(problem->make_output(g->inputs[i], &g->references[i]));
        if (!g->outputs[i])
            TRY(problem->make_output(g->inputs[i], &g->outputs[i]));
    }
    return BENCH_OK;
}

/* The references of the group are there: what they say that a frame costs. */
static void accept_references(struct group *g, const struct bench_problem *problem)
{
    memset(&g->work, 0, sizeof g->work);
    for (int i = 0; i < g->n_inputs && problem->count_work; i++) {
        struct bench_work work = {0, 0};

        problem->count_work(g->inputs[i], g->references[i], &work);
        g->work.bytes += work.bytes / g->n_inputs / problem->n_frames(g->inputs[i]);
        g->work.ops += work.ops / g->n_inputs / problem->n_frames(g->inputs[i]);
    }
    g->have_references = true;
}

/* The cell is its own reference, key by key, so that what it gives is the reference of the others of its group. */
static bool is_own_reference(const struct bench_cell *cell)
{
    struct bench_params params;
    char own[BENCH_CELL_TEXT], wanted[BENCH_CELL_TEXT];

    if (cell->impl != reference_of(cell->impl) ||
        bench_reference_params(cell->impl, &cell->params, &params))
        return false;
    bench_params_text(&cell->params, own, sizeof own);
    bench_params_text(&params, wanted, sizeof wanted);
    return !strcmp(own, wanted);
}

/* What the cell, its own reference, gave in all its runs. */
static void keep_references(struct group *g, const struct bench_problem *problem)
{
    for (int i = 0; i < g->n_inputs; i++) {
        void *const output = g->outputs[i];

        g->outputs[i] = g->references[i];
        g->references[i] = output;
    }
    accept_references(g, problem);
}

static enum bench_status make_references(struct run *run, const struct bench_cell *cell)
{
    const struct bench_impl *reference = reference_of(cell->impl);
    struct group *g = &run->group;
    struct bench_params params;

    TRY(bench_reference_params(reference, &cell->params, &params));
    for (int i = 0; i < g->n_inputs; i++) {
        enum bench_status status;

        if (bench_interrupts > 1)
            return BENCH_FAIL(BENCH_EINTR, "interrupted");
        status = bench_once(reference, &params, run->machine.n_cores, run->env->device,
                            g->inputs[i], g->references[i]);
        if (status) {
            char why[512];

            snprintf(why, sizeof why, "%.511s", bench_failure());
            return BENCH_FAIL(status, "the reference %s: %s", reference->name, why);
        }
    }
    accept_references(g, cell->impl->problem);
    return BENCH_OK;
}

static enum bench_status group_values(struct run *run, const struct bench_cell *cell,
                                      void *const *outputs)
{
    const struct bench_problem *problem = cell->impl->problem;
    struct group *g = &run->group;
    const bool exact = problem->match(&cell->params) == BENCH_EXACT;

    if (!problem->measure || (exact && g->values.n > 0))
        return BENCH_OK;
    drop_sink(&g->values);
    TRY(problem->measure(
        &cell->params, (const void *const *)g->inputs, (const void *const *)g->references,
        (const void *const *)(exact ? g->references : outputs), g->n_inputs, &g->values));
    if (g->values.failed)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the values of %s", cell->impl->name);
    return BENCH_OK;
}

/* ---- rows ---- */

static const char *device_word(enum bench_target target)
{
    return target == BENCH_CUDA ? "gpu" : target == BENCH_OPENMP ? "omp" : "serial";
}

/* How a cell was to be measured, where it is no column of its own. */
static void plan_column(const struct bench_plan *plan, char *text, size_t size)
{
    snprintf(text, size,
             "frames=%d;laps=%d;values=%d;samples=%d..%d;precision=%g;min_time=%g;timeout=%g",
             plan->max_frames, plan->laps, plan->values, plan->min_samples, plan->max_samples,
             plan->precision, plan->min_time_s, plan->timeout_s);
    if (plan->lock_clocks && strlen(text) + 1 < size)
        snprintf(text + strlen(text), size - strlen(text), ";clocks=max");
    if (plan->energy && strlen(text) + 1 < size)
        snprintf(text + strlen(text), size - strlen(text), ";energy=%g", plan->energy_time_s);
    if (plan->series & 1u << BENCH_SUSTAINED && strlen(text) + 1 < size)
        snprintf(text + strlen(text), size - strlen(text), ";sustained_time=%g",
                 plan->sustained_time_s);
}

/* What a row's times are worth: only "paper" and "quick" are ever shown. */
static const char *protocol(const struct run *run)
{
    return run->options->profile                           ? "profiler"
           : strcmp(run->env->build->mode, "release") != 0 ? run->env->build->mode
           : run->options->quick                           ? "quick"
                                                           : "paper";
}

/* What is known of a cell before it has run, its inputs aside where they could not be made. */
static struct record_row *new_row(struct run *run, const struct bench_cell *cell)
{
    struct record_row *row = record_row_new(run->session);
    char text[BENCH_CELL_TEXT];

    if (!row)
        return NULL;
    bench_env_row(run->env, row);
    record_text(row, "session", record_session_name(run->session));
    if (run->options->run > 0) {
        record_integer(row, "run", run->options->run);
        record_text(row, "run_group", run->options->run_group);
    }
    record_text(row, "profile", protocol(run));
    record_text(row, "experiment", run->experiment->name);
    record_text(row, "problem", run->experiment->problem->name);
    record_text(row, "figure", cell->section);
    record_text(row, "impl", cell->impl->name);
    record_text(row, "device", device_word(cell->impl->target));
    bench_params_text(&cell->params, text, sizeof text);
    record_text(row, "params", text);
    for (int i = 0; i < cell->params.n; i++)
        record_text(row, cell->params.item[i].key->name, cell->params.item[i].text);
    plan_column(&cell->plan, text, sizeof text);
    record_text(row, "plan", text);
    record_text(row, "input", cell->plan.input);
    if (run->group.n_inputs > 0) {
        snprintf(text, sizeof text, "%016llx", (unsigned long long)run->group.input_hash);
        record_text(row, "input_hash", text);
    }
    record_text(row, "case", bench_case_name[cell->plan.which]);
    record_integer(row, "batch", cell->plan.batch);
    if (cell->impl->target == BENCH_CUDA) {
        record_text(row, "transfer", bench_transfer_name[cell->plan.transfer]);
        if (cell->plan.sms > 0)
            record_integer(row, "sms", cell->plan.sms);
        else if (run->env->device)
            record_integer(row, "sms", bench_device_describe(run->env->device)->sm_count);
    }
    record_integer(row, "threads",
                   cell->impl->target == BENCH_CUDA     ? 0
                   : cell->impl->target == BENCH_SERIAL ? 1
                   : cell->plan.threads > 0             ? cell->plan.threads
                                                        : run->machine.n_cores);
    return row;
}

/* Of a row whose plan asks for it: what was drawn, or why that is not known. */
static void energy_fields(const struct bench_energy *e, int n_frames, struct record_row *row)
{
    const double n = (double)e->n_runs * (n_frames > 0 ? n_frames : 1);

    record_text(row, "power_note", e->note);
    record_text(row, "power_source", e->source);
    if (!e->is_measured)
        return;
    record_text(row, "rails", e->rails);
    record_integer(row, "power_complete", e->is_complete);
    record_integer(row, "power_n", e->n_readings);
    record_number(row, "watt", e->joules / e->seconds);
    record_number(row, "idle_watt", e->idle_watt);
    record_number(row, "mj_frame", 1e3 * e->joules / n);
    record_number(row, "mj_frame_net", 1e3 * (e->joules - e->idle_watt * e->seconds) / n);
}

static void result_fields(struct run *run, const struct bench_cell *cell,
                          const struct bench_result *result, struct record_row *row)
{
    const struct group *g = &run->group;
    const struct bench_problem *problem = cell->impl->problem;
    char text[32];

    record_integer(row, "n_inputs", g->n_inputs);
    if (g->n_inputs > 0)
        record_integer(row, "n_frames", problem->n_frames(g->inputs[0]));
    record_text(row, "binding", result->binding);
    if (result->threads > 0)
        record_integer(row, "threads", result->threads);
    if (cell->impl->target == BENCH_CUDA) {
        record_integer(row, "pinned", result->pinned);
        if (result->note.threads_per_block > 0) {
            record_integer(row, "threads_per_block", result->note.threads_per_block);
            record_integer(row, "regs", result->note.registers);
            record_integer(row, "smem_bytes", (long long)result->note.shared_bytes);
            record_number(row, "occupancy_pct", result->note.occupancy_pct);
        }
        record_integer(row, "device_bytes", (long long)result->device_bytes);
    }
    record_text(row, "reference", cell->impl->reference);
    if (result->verified)
        record_text(row, "verdict",
                    result->is_reference                            ? "reference"
                    : problem->match(&cell->params) == BENCH_EXACT  ? "exact"
                    : problem->match(&cell->params) == BENCH_WITHIN ? "within"
                    : result->difference.n_outside > 0              ? "outside"
                                                                    : "statistical");
    else if (result->difference.n_wrong > 0)
        record_text(row, "verdict", "wrong");
    record_integer(row, "n_wrong", (long long)result->difference.n_wrong);
    record_number(row, "max_err", result->difference.max_error);
    if (result->verified && result->repeatable) {
        snprintf(text, sizeof text, "%016llx", (unsigned long long)result->output_hash);
        record_text(row, "output_hash", text);
    }
    if (result->verified && problem->count_work) {
        record_number(row, "work_bytes", g->work.bytes);
        record_number(row, "work_ops", g->work.ops);
    }
}

/* Why a cell has no times.  Rows travel: files are below "data" in them, wherever this machine has its data folder. */
static void record_failure(struct record_row *row, const char *data)
{
    const char *from = bench_failure();
    const size_t n = data ? strlen(data) : 0;
    struct text reason = {NULL, 0, 0, false};

    for (const char *at; n > 1 && (at = strstr(from, data)) != NULL; from = at + n) {
        text_bytes(&reason, from, (size_t)(at - from));
        text_add(&reason, "data");
    }
    text_add(&reason, from);
    record_text(row, "reason",
                text_ok(&reason) == BENCH_OK && reason.data ? reason.data : bench_failure());
    text_free(&reason);
}

static void timing_fields(const struct bench_timing *t, int n_frames, struct record_row *row)
{
    const double per = 1.0 / (n_frames > 0 ? n_frames : 1); /* times per frame of a batch */
    const struct bench_stat *s = &t->stat;

    record_text(row, "scope", bench_scope_name[t->scope]);
    record_text(row, "series", bench_series_name[t->series]);
    record_text(row, "lap", t->lap);
    record_number(row, "first_ms", t->first_ms * per);
    record_integer(row, "reps", t->reps);
    record_integer(row, "graph", t->graph);
    record_integer(row, "warmups", t->warmups);
    record_integer(row, "n", t->n);
    record_integer(row, "n_outliers", s->n_outliers);
    record_integer(row, "n_discarded", 0); /* older rows left samples out */
    if (t->sm_mhz)
        record_integer(row, "n_throttled", t->n_throttled);
    record_text(row, "stop_reason", t->stop_reason);
    record_number(row, "min_ms", s->min * per);
    record_number(row, "q1_ms", s->q1 * per);
    record_number(row, "median_ms", s->median * per);
    record_number(row, "q3_ms", s->q3 * per);
    record_number(row, "p95_ms", s->p95 * per);
    record_number(row, "max_ms", s->max * per);
    record_number(row, "mean_ms", s->mean * per);
    record_number(row, "sd_ms", s->sd * per);
    record_number(row, "ci_lo_ms", s->ci_lo * per);
    record_number(row, "ci_hi_ms", s->ci_hi * per);
    if (s->mean > 0 && !t->lap[0])
        record_number(row, "fps", 1000.0 / (s->mean * per));
    energy_fields(&t->energy, n_frames, row);
    if (t->gpu_mhz_before > 0)
        record_number(row, "gpu_mhz_before", t->gpu_mhz_before);
    if (t->gpu_mhz_med > 0)
        record_number(row, "gpu_mhz_med", t->gpu_mhz_med);
    if (t->gpu_mhz_after > 0)
        record_number(row, "gpu_mhz_after", t->gpu_mhz_after);
}

static enum bench_status attach_values(const struct run *run, struct record_row *row)
{
    for (int i = 0; i < run->group.values.n; i++) {
        const struct value *v = &run->group.values.value[i];

        TRY(record_value(row, v->name, v->index, v->value, v->unit));
    }
    return BENCH_OK;
}

static void clear_progress(const struct run *run)
{
    if (run->options->progress)
        fprintf(run->options->err, "\033[K");
}

/* ---- the table on the terminal ---- */

#define SCREEN    80 /* columns: no line of the table is wider */
#define MAX_NAMES 96 /* keys that the variants of one experiment may have in all */
#define MAX_IMPLS 64

/* "threads", "batch" and "sms" are keys of the plan, all others parameters.  NULL: this cell has no such key. */
static const char *key_value(const struct run *run, const struct bench_cell *cell,
                             const char *name, char buffer[BENCH_MAX_VALUE])
{
    const struct bench_plan *plan = &cell->plan;

    if (!strcmp(name, "threads")) {
        if (cell->impl->target == BENCH_CUDA)
            return NULL;
        snprintf(buffer, BENCH_MAX_VALUE, "%d",
                 cell->impl->target == BENCH_SERIAL ? 1
                 : plan->threads > 0                ? plan->threads
                                                    : run->machine.n_cores);
        return buffer;
    }
    if (!strcmp(name, "batch")) {
        snprintf(buffer, BENCH_MAX_VALUE, "%d", plan->batch);
        return buffer;
    }
    if (!strcmp(name, "sms")) {
        if (cell->impl->target != BENCH_CUDA)
            return NULL;
        if (plan->sms == 0)
            return "all";
        snprintf(buffer, BENCH_MAX_VALUE, "%d", plan->sms);
        return buffer;
    }
    for (int k = 0; k < cell->params.n; k++)
        if (!strcmp(cell->params.item[k].key->name, name))
            return cell->params.item[k].text;
    return NULL;
}

/* How a key varies: its longest value, whether it has more than one, and whether it has within one variant. */
struct variation {
    int width;
    bool varies, within;
};

static struct variation variation_of(const struct run *run, const char *name)
{
    const struct bench_experiment *e = run->experiment;
    const bool is_threads = !strcmp(name, "threads");
    struct variation v = {.width = 1}; /* of the "-" where a cell has no such key */
    struct {
        const struct bench_impl *impl;
        char value[BENCH_MAX_VALUE];
    } seen[MAX_IMPLS]; /* the first value with each variant */
    int n_seen = 0;

    for (int i = 0; i < e->n_cells; i++) {
        const struct bench_cell *cell = &e->cells[i];
        char buffer[BENCH_MAX_VALUE];
        const char *value = key_value(run, cell, name, buffer);
        int k = 0;

        if (!value || (is_threads && cell->impl->target != BENCH_OPENMP))
            continue;
        if ((int)strlen(value) > v.width)
            v.width = (int)strlen(value);
        while (k < n_seen && seen[k].impl != cell->impl)
            k++;
        if (k < n_seen) {
            v.within |= strcmp(seen[k].value, value) != 0;
        } else if (n_seen < MAX_IMPLS) {
            seen[n_seen].impl = cell->impl;
            snprintf(seen[n_seen++].value, sizeof seen->value, "%s", value);
        }
        v.varies |= strcmp(seen[0].value, value) != 0;
    }
    return v;
}

/* The name of each key that a cell has, the plan's first. */
static int key_names(const struct bench_experiment *e, const char *names[MAX_NAMES])
{
    int n = 0;

    names[n++] = "threads";
    names[n++] = "batch";
    names[n++] = "sms";
    for (int i = 0; i < e->n_cells; i++)
        for (int k = 0; k < e->cells[i].params.n; k++) {
            const char *name = e->cells[i].params.item[k].key->name;
            int at = 0;

            while (at < n && strcmp(names[at], name) != 0)
                at++;
            if (at == n && n < MAX_NAMES)
                names[n++] = name;
        }
    return n;
}

static void widen(int *width, const char *text)
{
    if ((int)strlen(text) > *width)
        *width = (int)strlen(text);
}

/* The keys that vary.  Those that only differ from variant to variant come last, where a narrow screen cuts. */
static void lay_out_keys(const struct run *run, struct table *t)
{
    const char *names[MAX_NAMES];
    struct variation v[MAX_NAMES];
    const int n = key_names(run->experiment, names);
    int with_names = 0, values = 0;

    for (int i = 0; i < n; i++)
        v[i] = variation_of(run, names[i]);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n && t->n_keys < MAX_KEYS; i++) {
            if (!v[i].varies || v[i].within != (pass == 0))
                continue;
            t->key[t->n_keys].name = names[i];
            t->key[t->n_keys++].width = v[i].width;
        }
    for (int k = 0; k < t->n_keys; k++) {
        int widest = t->key[k].width;

        widen(&widest, t->key[k].name);
        with_names += widest + (k > 0);
        values += t->key[k].width + (k > 0);
    }
    t->names_fit = with_names <= t->room;
    for (int k = 0; k < t->n_keys; k++) {
        if (t->names_fit)
            widen(&t->key[k].width, t->key[k].name);
        else if (values > t->room)
            t->key[k].width = 0; /* one blank between them */
    }
}

static void lay_out(struct run *run)
{
    const struct bench_experiment *e = run->experiment;
    struct table *t = &run->table;
    bool cases = false, laps = false;

    *t = (struct table){.impl = (int)strlen("variant"), .input = (int)strlen("input")};
    for (int i = 0; i < e->n_cells; i++) {
        const struct bench_plan *plan = &e->cells[i].plan;

        widen(&t->impl, e->cells[i].impl->name);
        widen(&t->input, plan->input);
        widen(&t->which, bench_case_name[plan->which]);
        cases |= plan->which != e->cells[0].plan.which;
        laps |= plan->laps && plan->times && run->options->verbosity > 1;
        for (int scope = 0; scope < BENCH_N_SCOPES; scope++)
            for (int series = 0; series < BENCH_N_SERIES; series++)
                if (plan->times && plan->scopes & 1u << scope && plan->series & 1u << series) {
                    const size_t n =
                        strlen(bench_scope_name[scope]) + 1 + strlen(bench_series_name[series]);

                    t->what = (int)n > t->what ? (int)n : t->what;
                }
    }
    if (!cases)
        t->which = 0;
    if (t->what > 0)
        widen(&t->what, "scope/series");
    if (laps && t->what < LAP_WIDTH)
        t->what = LAP_WIDTH;
    t->outcome = t->what > 0 ? t->what + 1 + TIME_WIDTH : (int)strlen("not verified, no times");
    t->room = SCREEN - t->impl - 1 - t->input - 1 - (t->which > 0 ? t->which + 1 : 0) -
              t->outcome - 1;
    if (t->room < 0) { /* a descriptor's own long name */
        t->input += t->room > 8 - t->input ? t->room : 8 - t->input;
        t->room = 0;
    }
    lay_out_keys(run, t);
}

/* 'text' in exactly so many columns, cut with ".." where it is longer. */
static void print_cell(FILE *out, const char *text, int width)
{
    if ((int)strlen(text) <= width)
        fprintf(out, "%-*s", width, text);
    else
        fprintf(out, "%.*s%s", width > 2 ? width - 2 : 0, text, width > 2 ? ".." : "");
}

/* What a line begins with; 'outcome' is the last column before the keys, 'keys' may be "". */
static void print_line(const struct run *run, const char *impl, const char *input,
                       const char *which, const char *outcome, const char *keys)
{
    const struct table *t = &run->table;
    FILE *out = run->options->out;
    int n = (int)strlen(keys);

    while (n > 0 && keys[n - 1] == ' ')
        n--;
    fprintf(out, "%-*s ", t->impl, impl);
    print_cell(out, input, t->input);
    if (t->which > 0)
        fprintf(out, " %-*s", t->which, which);
    if (n == 0 || t->room < 3) {
        fprintf(out, " %s\n", outcome);
        return;
    }
    fprintf(out, " %-*s ", t->outcome, outcome);
    if (n > t->room)
        fprintf(out, "%.*s..\n", t->room - 2, keys);
    else
        fprintf(out, "%.*s\n", n, keys);
}

static void print_head(const struct run *run)
{
    const struct table *t = &run->table;
    struct text names = {0}, legend = {0};
    char outcome[64];

    if (run->options->verbosity < 1 || run->n_cells < 1)
        return;
    for (int k = 0; k < t->n_keys; k++) {
        text_format(&names, "%-*s ", t->key[k].width, t->key[k].name);
        text_format(&legend, "%s%s", k > 0 ? " " : "keys, the last columns: ", t->key[k].name);
    }
    if (!t->names_fit && t->room > 2 && text_ok(&legend) == BENCH_OK) {
        print_cell(run->options->out, legend.data,
                   legend.size < SCREEN ? (int)legend.size : SCREEN);
        fprintf(run->options->out, "\n");
    }
    if (t->what > 0)
        snprintf(outcome, sizeof outcome, "%-*s %12s", t->what, "scope/series", "median time");
    else
        snprintf(outcome, sizeof outcome, "outcome");
    print_line(run, "variant", "input", "case", outcome,
               !t->names_fit                               ? "keys"
               : names.data && text_ok(&names) == BENCH_OK ? names.data
                                                           : "");
    text_free(&names);
    text_free(&legend);
}

/* Half of the median's interval, as a share of the median. */
static void spread_text(const struct bench_stat *stat, char *text, size_t size)
{
    const double percent =
        stat->median > 0 ? 50.0 * (stat->ci_hi - stat->ci_lo) / stat->median : 0.0;

    if (percent > 99.0)
        snprintf(text, size, "+- >99%%");
    else
        snprintf(text, size, "+-%.1f%%", percent);
}

static void print_row(const struct run *run, const struct bench_cell *cell,
                      const struct bench_timing *timing, const struct bench_result *result)
{
    const struct table *t = &run->table;
    const int n_frames =
        run->group.n_inputs ? cell->impl->problem->n_frames(run->group.inputs[0]) : 1;
    char outcome[128], spread[32];
    struct text keys = {0};

    if (run->options->verbosity < 1 ||
        (timing && timing->lap[0] && run->options->verbosity < 2))
        return;
    clear_progress(run);
    fflush(run->options->err);
    for (int k = 0; k < t->n_keys; k++) {
        char buffer[BENCH_MAX_VALUE];
        const char *value = key_value(run, cell, t->key[k].name, buffer);

        if (value && result->threads > 0 && !strcmp(t->key[k].name, "threads")) {
            snprintf(buffer, sizeof buffer, "%d", result->threads);
            value = buffer;
        }
        text_format(&keys, "%-*s ", t->key[k].width, value ? value : "-");
    }
    if (timing) {
        char what[64];

        if (timing->lap[0])
            snprintf(what, sizeof what, "/%s", timing->lap);
        else
            snprintf(what, sizeof what, "%s/%s", bench_scope_name[timing->scope],
                     bench_series_name[timing->series]);
        spread_text(&timing->stat, spread, sizeof spread);
        snprintf(outcome, sizeof outcome, "%-*.*s %9.4g ms %s", t->what, t->what, what,
                 timing->stat.median / n_frames, spread);
    } else {
        snprintf(outcome, sizeof outcome, "%s, no times",
                 !result->verified                  ? "not verified"
                 : result->difference.n_outside > 0 ? "outside"
                                                    : "verified");
    }
    print_line(run, cell->impl->name, cell->plan.input, bench_case_name[cell->plan.which],
               outcome, text_ok(&keys) == BENCH_OK && keys.data ? keys.data : "");
    text_free(&keys);
}

/* Clocks beside what the device itself has counted, and whether the board is still in its mode. */
static void live_fields(const struct run *run, const struct bench_timing *t,
                        struct record_row *row)
{
    const struct board_live *before = &run->before;
    struct board_live after;

    board_live_read(run->env->sysroot, &after);
    if (after.emc_mhz > 0)
        record_number(row, "emc_mhz", after.emc_mhz);
    if (after.clocks_locked >= 0)
        record_integer(row, "clocks_locked", after.clocks_locked);
    if (!run->env->device && after.sm_count > 0)
        record_integer(row, "sm_count", after.sm_count);
    if (t && t->gpu_mhz_before == 0 && before->gpu_mhz > 0)
        record_number(row, "gpu_mhz_before", before->gpu_mhz);
    if (t && t->gpu_mhz_after == 0 && after.gpu_mhz > 0)
        record_number(row, "gpu_mhz_after", after.gpu_mhz);
}

/* Whether nobody else switched the board while the cell ran. */
static bool kept_mode(const struct run *run)
{
    struct board_live after;

    board_live_read(run->env->sysroot, &after);
    return after.mode_id == run->before.mode_id && after.tpc_mask == run->before.tpc_mask;
}

/* Whether its clocks and power limit are what it is, and no fault of the moment. */
static bool is_board(const struct run *run)
{
    return run->env->board.mode_id >= 0 ||
           (run->env->device && bench_device_describe(run->env->device)->integrated);
}

/* What the row of a part of a kernel says of its times. */
#define SHARE_REASON "share of its kernel's time, by the clocks of the kernel's blocks"

/* What all rows of a cell share. */
struct ending {
    enum bench_status outcome;
    double temp_after; /* C; 0: not known */
    bool kept_mode;
};

static const char *outcome_status(enum bench_status outcome)
{
    return outcome == BENCH_OK          ? "ok"
           : outcome == BENCH_ESKIP     ? "skipped"
           : outcome == BENCH_EMISMATCH ? "wrong"
                                        : "failed";
}

/* Fill the row of a timing, or of a cell without; 't' may be NULL. */
static enum bench_status fill_row(struct run *run, const struct bench_cell *cell,
                                  const struct bench_result *result, struct bench_timing *t,
                                  const struct ending *ending, struct record_row *row)
{
    const enum bench_status outcome = ending->outcome;

    if (outcome == BENCH_OK || outcome == BENCH_EMISMATCH)
        result_fields(run, cell, result, row);
    if (run->temp_before > 0)
        record_number(row, "temp_c_before", run->temp_before);
    if (ending->temp_after > 0)
        record_number(row, "temp_c_after", ending->temp_after);
    live_fields(run, t, row);
    if (run->mode_refused) { /* else it would look as if it were about the mode that is on */
        record_text(row, "mode_name", cell->plan.mode);
        record_text(row, "mode_id", "");
    }
    record_text(row, "status", outcome_status(outcome));
    if (outcome)
        record_failure(row, run->options->data);
    if (!t)
        return BENCH_OK;
    timing_fields(t, cell->impl->problem->n_frames(run->group.inputs[0]), row);
    if (t->is_share)
        record_text(row, "reason", SHARE_REASON);
    return record_samples(row, t->ns, t->sm_mhz, t->n);
}

/* *is_new is false where a resumed session has this row: a kill between two rows of a cell leaves the first ones. */
static enum bench_status record_timing(struct run *run, const struct bench_cell *cell,
                                       const struct bench_result *result,
                                       struct bench_timing *t, bool with_values,
                                       const struct ending *ending, bool *is_new)
{
    struct record_row *row = new_row(run, cell);
    const char *reason = NULL, *word = outcome_status(ending->outcome);
    enum bench_status status;

    if (!row)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a row");
    status = fill_row(run, cell, result, t, ending, row);
    *is_new = !(run->options->resume && record_has(run->session, row));
    if (t)
        word = bench_timing_status(t, is_board(run), &reason);
    if (t && !ending->kept_mode) {
        word = "unstable";
        reason = "somebody switched the board's power mode during the row";
    }
    record_text(row, "status", word);
    if (reason)
        record_text(row, "reason", reason);
    if (!status && with_values && *is_new)
        status = attach_values(run, row);
    if (!status && *is_new)
        status = record_write(run->session, row);
    record_row_free(row);
    TRY(status);
    if (!*is_new)
        return BENCH_OK;
    run->summary->n_rows++;
    if (!ending->outcome) {
        run->summary->n_ok += strcmp(word, "ok") == 0;
        run->summary->n_unstable += strcmp(word, "ok") != 0;
        run->summary->n_outside += result->difference.n_outside > 0;
    }
    return BENCH_OK;
}

/*
 * Record what became of a cell: a row per timing, or one row where there is none.  Laps come before whole runs, since
 * already_there() asks for whole runs alone: where they are there, all rows of the cell are.
 */
static enum bench_status record_cell(struct run *run, const struct bench_cell *cell,
                                     struct bench_result *result, enum bench_status outcome)
{
    const struct ending ending = {.outcome = outcome,
                                  .temp_after = board_temperature_c(run->env->sysroot),
                                  .kept_mode = kept_mode(run)};
    const int n = outcome == BENCH_OK ? result->n_timings : 0;
    const bool values = outcome == BENCH_OK && cell->plan.values;
    bool is_new[BENCH_MAX_TIMINGS], any_new = false;

    if (n == 0) {
        TRY(record_timing(run, cell, result, NULL, values, &ending, &any_new));
        if (!outcome && any_new)
            print_row(run, cell, NULL, result);
    }
    for (int i = 0; i < n; i++) {
        struct bench_timing *t = &result->timing[i];

        for (int k = 0; k < t->n; k++) /* raw samples are per frame, as times are */
            t->ns[k] /= cell->impl->problem->n_frames(run->group.inputs[0]);
    }
    for (int whole = 0; whole < 2; whole++)
        for (int i = 0; i < n; i++)
            if ((result->timing[i].lap[0] == '\0') == whole)
                TRY(record_timing(run, cell, result, &result->timing[i], values && i == 0,
                                  &ending, &is_new[i]));
    for (int i = 0; i < n; i++) {
        any_new = any_new || is_new[i];
        if (is_new[i])
            print_row(run, cell, &result->timing[i], result);
    }
    run->summary->n_kept += !outcome && !any_new;
    return BENCH_OK;
}

/* Count what did not go well, and say it. */
static void note_outcome(struct run *run, const struct bench_cell *cell,
                         enum bench_status outcome)
{
    struct bench_summary *s = run->summary;
    char text[512];

    if (!outcome)
        return;
    bench_cell_text(cell, text, sizeof text);
    clear_progress(run);
    if (outcome == BENCH_ESKIP) {
        s->n_skipped++;
        if (run->options->verbosity > 1)
            fprintf(run->options->err, "skipped: %s: %s\n", text, bench_failure());
        return;
    }
    if (outcome == BENCH_EMISMATCH)
        s->n_wrong++;
    else
        s->n_failed++;
    if (!s->first_failure[0])
        snprintf(s->first_failure, sizeof s->first_failure, "%.511s", bench_failure());
    if (!s->worst)
        s->worst = outcome;
    fprintf(run->options->err, "%s: %s: %s\n", outcome == BENCH_EMISMATCH ? "WRONG" : "failed",
            text, bench_failure());
}

/* Resuming: is a good row of this cell there, at this scope and series (both "" where no times are taken)? */
static bool row_there(struct run *run, const struct bench_cell *cell, const char *scope,
                      const char *series)
{
    struct record_row *row = new_row(run, cell);
    bool there;

    if (!row)
        return false;
    if (run->env->board.mode_id >= 0)
        record_text(row, "mode_name", bench_modes_wanted(&run->modes, &cell->plan));
    record_text(row, "scope", scope);
    record_text(row, "series", series);
    record_text(row, "status", "ok");
    there = record_has(run->session, row);
    record_row_free(row);
    return there;
}

/* The identity of a row has the hash of its input: a changed file or generator is measured anew. */
static bool already_there(struct run *run, const struct bench_cell *cell)
{
    if (enter_group(run, cell) != BENCH_OK) {
        bench_failure_clear();
        return false; /* running it tells why */
    }
    if (!cell->plan.times)
        return row_there(run, cell, "", "");
    for (int series = 0; series < BENCH_N_SERIES; series++)
        for (int scope = 0; scope < BENCH_N_SCOPES; scope++) {
            if (!(cell->plan.series & 1u << series) || !(cell->plan.scopes & 1u << scope) ||
                (scope == BENCH_DEVICE && cell->impl->target != BENCH_CUDA))
                continue;
            if (!row_there(run, cell, bench_scope_name[scope], bench_series_name[series]))
                return false;
        }
    return true;
}

static bool stop_now(void)
{
    return bench_interrupts > 1; /* the first Ctrl-C lets the cell finish */
}

/* In turn with other processes that measure on this card. */
static enum bench_status measure_in_turn(struct run *run, const struct bench_cell *cell,
                                         const void *const *references,
                                         struct bench_result *result)
{
    const bool on_card = cell->impl->target == BENCH_CUDA;
    const int turn =
        on_card ? bench_turn_take(bench_device_describe(run->env->device)->uuid, stop_now) : -1;
    const enum bench_status outcome =
        bench_measure(cell->impl, &cell->params, &cell->plan, &run->machine, run->group.inputs,
                      references, run->group.outputs, run->group.n_inputs, stop_now, result);

    bench_turn_give(turn);
    return outcome;
}

/* Against the group's references.  Where there are none yet and the cell would make them, its own runs do: those that are timed, since
 * one run alone would be compared with nothing. */
static enum bench_status measure_cell(struct run *run, const struct bench_cell *cell,
                                      struct bench_result *result)
{
    struct group *g = &run->group;
    const bool makes_them = !g->have_references && cell->plan.times && is_own_reference(cell);

    TRY(make_outputs(run, cell));
    if (!g->have_references && !makes_them)
        TRY(make_references(run, cell));
    TRY(measure_in_turn(run, cell, makes_them ? NULL : (const void *const *)g->references,
                        result));
    if (makes_them)
        keep_references(g, cell->impl->problem);
    if (!cell->plan.values)
        return BENCH_OK;
    return group_values(run, cell, makes_them ? g->references : g->outputs);
}

static enum bench_status enter_mode(struct run *run, const struct bench_cell *cell)
{
    enum bench_status status;

    if (run->modes.control) /* it may have something to say */
        clear_progress(run);
    status = bench_modes_enter(&run->modes, &cell->plan);
    run->mode_refused = status != BENCH_OK;
    run->machine.n_cores = run->env->cores->n_cores; /* a mode turns processors on and off */
    return status;
}

/* What measures the power of whoever runs the cell: opened when it is first asked for. */
static void find_power(struct run *run, const struct bench_cell *cell)
{
    const bool on_card = cell->impl->target == BENCH_CUDA && run->env->device;
    struct power *power = &run->power[on_card];

    run->machine.power = NULL;
    run->machine.no_power = NULL;
    if (!cell->plan.energy)
        return;
    if (!power->tried) {
        power->source = board_power_open(
            run->env->sysroot, on_card ? bench_device_describe(run->env->device)->uuid : NULL,
            NULL, power->why);
        if (!power->source)
            fprintf(run->options->err, "note: no energy: %s\n", power->why);
    }
    power->tried = true;
    run->machine.power = power->source;
    run->machine.no_power = power->why;
}

static enum bench_status run_cell(struct run *run, const struct bench_cell *cell)
{
    struct bench_result *result = calloc(1, sizeof *result);
    char text[BENCH_CELL_TEXT];
    enum bench_status outcome, status;

    if (!result)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a result");
    bench_failure_clear();
    bench_cell_text(cell, text, sizeof text);
    run->temp_before = board_temperature_c(run->env->sysroot);
    bench_nvtx_begin_cell(text);
    run->mode_refused = false;
    if (cell->impl->target == BENCH_CUDA && !run->env->device)
        outcome = BENCH_FAIL(BENCH_ESKIP, "%s", run->env->no_device);
    else if (cell->impl->target == BENCH_CUDA && run->device_lost)
        outcome = BENCH_FAIL(BENCH_ESKIP, "the device was lost in an earlier cell");
    else
        outcome = enter_mode(run, cell);
    board_live_read(run->env->sysroot, &run->before);
    if (!outcome)
        find_power(run, cell);
    if (!outcome)
        outcome = enter_group(run, cell);
    if (!outcome)
        outcome = measure_cell(run, cell, result);
    bench_nvtx_end();
    if (outcome == BENCH_ECUDA && bench_device_sync(run->env->device) != BENCH_OK)
        run->device_lost = true; /* a sticky error: nothing more can run on it */
    if (outcome == BENCH_EINTR || outcome == BENCH_EINPUT) {
        /* a descriptor or file at fault: the user wants to mend it now; nothing is recorded */
        status = outcome;
    } else {
        note_outcome(run, cell, outcome);
        status = record_cell(run, cell, result, outcome);
    }
    bench_result_free(result);
    free(result);
    return status;
}

static void show_progress(const struct run *run, const struct bench_cell *cell)
{
    const double elapsed = seconds() - run->t0;
    const double left =
        run->n_done > 0 ? elapsed / run->n_done * (run->n_cells - run->n_done) : 0;

    if (run->options->progress)
        fprintf(run->options->err, "\r\033[K[%d/%d] %s %s%s", run->n_done + 1, run->n_cells,
                run->experiment->name, cell->impl->name, "");
    if (run->options->progress && run->n_done > 0)
        fprintf(run->options->err, ", about %.0f s left", left);
    if (run->options->progress) {
        fprintf(run->options->err, "\r");
        fflush(run->options->err);
    }
}

/* The cells of one mode ('mode' NULL: of all) behind those that are in 'order', by group, groups in the order of their first
 * cell; in a group first those whose outputs are the references of the others. */
static int add_groups(const struct bench_experiment *e, const char *mode, bool *taken,
                      int *order, int n)
{
    assert(e->cells);
    for (int i = 0; i < e->n_cells; i++) {
        char key[BENCH_CELL_TEXT], other[BENCH_CELL_TEXT];

        if (taken[i] || (mode && strcmp(e->cells[i].plan.mode, mode) != 0))
            continue;
        group_key(&e->cells[i], key, sizeof key);
        for (int pass = 0; pass < 2; pass++)
            for (int k = i; k < e->n_cells; k++) {
                if (taken[k] || (mode && strcmp(e->cells[k].plan.mode, mode) != 0) ||
                    (pass == 0 && !is_own_reference(&e->cells[k])))
                    continue;
                group_key(&e->cells[k], other, sizeof other);
                if (!strcmp(key, other)) {
                    taken[k] = true;
                    order[n++] = k;
                }
            }
    }
    return n;
}

/* Cells in the order in which they run: by group; where there are power modes, one mode after the other. */
static int *run_order(const struct bench_experiment *e, bool by_mode)
{
    int *order = calloc((size_t)e->n_cells, sizeof *order);
    bool *taken = calloc((size_t)e->n_cells, sizeof *taken);
    int n = 0;

    for (int i = 0; order && taken && i < e->n_cells; i++)
        if (!taken[i])
            n = add_groups(e, by_mode ? e->cells[i].plan.mode : NULL, taken, order, n);
    free(taken);
    if (n == e->n_cells)
        return order;
    free(order);
    return NULL;
}

/* Before anything runs: are all parameters possible, all inputs known, and has each variant a reference? */
static enum bench_status check_cells(const struct bench_experiment *e)
{
    for (int i = 0; i < e->n_cells; i++) {
        char why[512], path[4400];
        const struct bench_impl *reference;
        enum bench_status status =
            e->problem->check ? e->problem->check(&e->cells[i].params) : BENCH_OK;

        if (!status)
            status = bench_reference_of(e->cells[i].impl, &reference);
        if (!status)
            status = input_path(e->cells[i].plan.input, path, sizeof path);
        if (!status)
            continue;
        snprintf(why, sizeof why, "%s", bench_failure());
        return BENCH_FAIL(status, "%s:%d: [%s] %s", e->path, e->cells[i].line,
                          e->cells[i].section, why);
    }
    return BENCH_OK;
}

/* Without power modes all of them are "any": is this cell the same as one that ran before it? */
static bool same_but_mode(const struct run *run, const int *order, int i)
{
    struct bench_cell cell = run->experiment->cells[order[i]], other;
    char text[BENCH_CELL_TEXT], other_text[BENCH_CELL_TEXT];

    if (run->env->board.mode_id >= 0 || !strcmp(cell.plan.mode, "any"))
        return false;
    snprintf(cell.plan.mode, sizeof cell.plan.mode, "any");
    bench_cell_text(&cell, text, sizeof text);
    for (int k = 0; k < i; k++) {
        other = run->experiment->cells[order[k]];
        snprintf(other.plan.mode, sizeof other.plan.mode, "any");
        bench_cell_text(&other, other_text, sizeof other_text);
        if (!strcmp(text, other_text))
            return true;
    }
    return false;
}

static enum bench_status run_cells(struct run *run)
{
    const struct bench_experiment *e = run->experiment;
    int *order = run_order(e, run->env->board.mode_id >= 0);
    bool any_mode = run->env->board.mode_id < 0;
    enum bench_status status = BENCH_OK;

    if (!order)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d cells", e->n_cells);
    for (int i = 0; i < e->n_cells && any_mode; i++)
        if (strcmp(e->cells[i].plan.mode, "any") != 0 || e->cells[i].plan.lock_clocks) {
            fprintf(run->options->err,
                    "note: no power modes here: mode = %s%s runs as it is (any)\n",
                    e->cells[i].plan.mode,
                    e->cells[i].plan.lock_clocks ? ", clocks = max" : "");
            any_mode = false; /* said once */
        }
    for (int i = 0; i < e->n_cells && !status; i++) {
        const struct bench_cell *cell = &e->cells[order[i]];

        if (bench_interrupts) {
            status = BENCH_FAIL(BENCH_EINTR, "interrupted after %d of %d cells", i, e->n_cells);
        } else if (same_but_mode(run, order, i)) {
            /* it has run */
        } else if (run->options->resume && already_there(run, cell)) {
            run->summary->n_kept++;
        } else {
            show_progress(run, cell);
            status = run_cell(run, cell);
            clear_progress(run);
        }
        if (!status)
            run->n_done++;
    }
    for (int i = run->n_done; i < e->n_cells; i++)
        run->summary->n_not_run += !same_but_mode(run, order, i);
    free(order);
    return status;
}

static void session_name(const struct bench_env *env, char *name, size_t size)
{
    const time_t now = time(NULL);
    struct tm utc;
    char stamp[32];

    gmtime_r(&now, &utc);
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
    snprintf(name, size, "%s-%.7s%s-%s-%ld", stamp, env->build->commit,
             env->build->dirty ? "-dirty" : "", env->host[0] ? env->host : "nohost",
             (long)getpid());
}

enum bench_status suite_open(const struct bench_env *env, const struct bench_options *options,
                             struct record_session **session)
{
    const struct record_resume resume = {env->build->hash, env->host, options->experiments};
    struct text env_text = {0};
    char name[128];
    enum bench_status status;

    session_name(env, name, sizeof name);
    TRY(record_open(options->results, name, options->resume ? &resume : NULL, session));
    bench_env_text(env, &env_text);
    status = text_ok(&env_text);
    if (!status)
        status = record_env(*session, env_text.data);
    text_free(&env_text);
    return status;
}

enum bench_status suite_run(const struct bench_experiment *experiment, struct bench_env *env,
                            const struct bench_options *options, struct record_session *session,
                            struct bench_summary *summary)
{
    struct run run = {.experiment = experiment,
                      .env = env,
                      .options = options,
                      .summary = summary,
                      .session = session,
                      .n_cells = experiment->n_cells,
                      .t0 = seconds()};
    enum bench_status status;

    memset(summary, 0, sizeof *summary);
    run.machine.device = env->device;
    run.machine.n_cores = env->cores->n_cores;
    run.machine.llc_bytes = env->cores->llc_bytes;
    run.machine.profile = options->profile;
    run.machine.time = options->time;
    TRY(check_cells(experiment));
    lay_out(&run);
    print_head(&run);
    run.modes = (struct bench_modes){.env = env,
                                     .err = options->err,
                                     .time = options->time,
                                     .tool_timeout_s = options->tool_timeout_s};
    bench_modes_open(&run.modes);
    status = run_cells(&run);
    status = bench_modes_close(&run.modes, status);
    for (int i = 0; i < 2; i++)
        board_power_close(run.power[i].source);
    drop_inputs(&run);
    planes_free(run.group.planes, run.group.n_planes);
    snprintf(summary->session, sizeof summary->session, "%s", record_session_name(session));
    return status;
}

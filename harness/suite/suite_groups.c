/* suite_groups.c - what configurations of a group share: inputs, reference outputs, values */
#include "harness/suite/suite_private.h"

#include "harness/platform/threads.h"
#include "harness/measure/verify.h"
#include "harness/inputs/dataset.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- inputs --------------------------------------------------------------------------- */

enum bench_status suite_load(const char *input, const char *data_folder, int width, int height,
                             int max_frames, struct plane **planes, int *n_planes)
{
    char path[4400];
    struct dataset dataset;

    TRY(bench_input_path(input, path, sizeof path));
    TRY(dataset_read(path, &dataset));
    if (max_frames > 0 && dataset.n_frames > max_frames)
        dataset.n_frames = max_frames;
    return dataset_load(&dataset, data_folder, width > 0 ? width : 1242,
                        height > 0 ? height : 375, planes, n_planes);
}

enum bench_status suite_pick(const struct bench_problem *problem,
                             const struct bench_params *params, const struct plane *planes,
                             int n_planes, enum bench_frame_pick which, int *index)
{
    uint64_t *count = calloc((size_t)n_planes, sizeof *count);
    enum bench_status status = BENCH_OK;
    double mean = 0;

    *index = 0;
    if (!problem->rank) {
        free(count);
        return BENCH_FAIL(BENCH_EINPUT,
                          "problem %s cannot order frames: frame_pick = all is the only one",
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
            which == BENCH_PICK_BEST ? count[i] < count[*index]
            : which == BENCH_PICK_WORST
                ? count[i] > count[*index]
                : fabs((double)count[i] - mean) < fabs((double)count[*index] - mean);

        if (better)
            *index = i;
    }
    free(count);
    return status;
}

void suite_drop_inputs(struct run *run)
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
    g->are_values_shared = false;
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

void suite_group_key(const struct bench_config *config, char *key, size_t size)
{
    struct bench_params params;
    char text[BENCH_CONFIG_TEXT - 256];

    bench_problem_params(config->impl->problem, &config->params, &params);
    bench_params_text(&params, text, sizeof text);
    snprintf(key, size, "%s|%s|%d|%d|%d|%s", config->plan.input, text, (int)config->plan.which,
             config->plan.batch, config->plan.max_frames, reference_of(config->impl)->name);
}

static enum bench_status load_planes(struct run *run, const struct bench_config *config)
{
    struct group *g = &run->group;
    int width, height;
    char key[96];

    bench_frame_size(&config->params, &width, &height);
    snprintf(key, sizeof key, "%s|%d|%d|%d", config->plan.input, width, height,
             config->plan.max_frames);
    if (g->planes && !strcmp(key, g->planes_key))
        return BENCH_OK;
    planes_free(g->planes, g->n_planes);
    g->planes = NULL;
    g->n_planes = 0;
    g->planes_key[0] = '\0';
    TRY(suite_load(config->plan.input, run->options->data, width, height,
                   config->plan.max_frames, &g->planes, &g->n_planes));
    snprintf(g->planes_key, sizeof g->planes_key, "%s", key);
    for (int i = 0; i < g->n_planes; i++)
        if (g->planes[i].n_clamped > 0)
            fprintf(run->options->err, "note: %s: %zu values above %.2f px were clamped\n",
                    g->planes[i].name, g->planes[i].n_clamped,
                    (double)DISPARITY_MAX / DISPARITY_SCALE);
    return BENCH_OK;
}

/* Would n_inputs like this one, each with its output and reference, fit into what is free? */
static enum bench_status check_memory(const struct run *run, const struct bench_config *config,
                                      const void *input, int n_inputs)
{
    const struct bench_problem *problem = config->impl->problem;
    struct bench_block block[BENCH_MAX_BLOCKS];
    double bytes = 0;
    void *output = NULL;
    const double free_bytes = platform_free_bytes(run->env->sysroot);
    int n;

    TRY(problem->make_output(input, &output));
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
static enum bench_status make_inputs(struct run *run, const struct bench_config *config)
{
    const struct bench_problem *problem = config->impl->problem;
    struct group *g = &run->group;
    struct bench_params params;
    const int batch = config->plan.batch;
    int n_frames = g->n_planes, first = 0;
    const struct plane **frames;
    enum bench_status status = BENCH_OK;

    bench_problem_params(config->impl->problem, &config->params, &params);
    if (config->plan.which != BENCH_PICK_ALL) {
        TRY(suite_pick(problem, &params, g->planes, n_frames, config->plan.which, &first));
        n_frames = 1;
    }
    g->n_inputs = batch > 1 ? 1 : n_frames;
    g->inputs = calloc((size_t)g->n_inputs, sizeof *g->inputs);
    g->references = calloc((size_t)g->n_inputs, sizeof *g->references);
    g->outputs = calloc((size_t)g->n_inputs, sizeof *g->outputs);
    frames = calloc((size_t)batch, sizeof(const struct plane *));
    if (!g->inputs || !g->references || !g->outputs || !frames) {
        free(frames);
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d inputs", g->n_inputs);
    }
    g->input_hash = 0;
    for (int i = 0; i < g->n_inputs && !status; i++) {
        for (int k = 0; k < batch; k++)
            frames[k] = &g->planes[first + (batch > 1 ? k % n_frames : i)];
        status = problem->make_input(&params, frames, batch, &g->inputs[i]);
        if (!status && i == 0)
            status = check_memory(run, config, g->inputs[0], g->n_inputs - 1);
        if (!status)
            g->input_hash = bench_hash_input(problem, g->inputs[i], g->input_hash);
    }
    free(frames);
    return status;
}

enum bench_status suite_enter_group(struct run *run, const struct bench_config *config)
{
    struct group *g = &run->group;
    char key[sizeof g->key];

    suite_group_key(config, key, sizeof key);
    if (!strcmp(key, g->key))
        return BENCH_OK;
    suite_drop_inputs(run);
    TRY(load_planes(run, config));
    TRY(make_inputs(run, config));
    snprintf(g->key, sizeof g->key, "%s", key); /* only now: a half-made group is made anew */
    return BENCH_OK;
}

enum bench_status suite_make_outputs(struct run *run, const struct bench_config *config)
{
    const struct bench_problem *problem = config->impl->problem;
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

bool suite_is_own_reference(const struct bench_config *config)
{
    struct bench_params params;
    char own[BENCH_CONFIG_TEXT], wanted[BENCH_CONFIG_TEXT];

    if (config->impl != reference_of(config->impl) ||
        bench_reference_params(config->impl, &config->params, &params))
        return false;
    bench_params_text(&config->params, own, sizeof own);
    bench_params_text(&params, wanted, sizeof wanted);
    return !strcmp(own, wanted);
}

void suite_keep_references(struct group *g, const struct bench_problem *problem)
{
    for (int i = 0; i < g->n_inputs; i++) {
        void *const output = g->outputs[i];

        g->outputs[i] = g->references[i];
        g->references[i] = output;
    }
    accept_references(g, problem);
}

/* A serial reference computes several inputs at once, one a core: it is not timed here. */
enum bench_status suite_make_references(struct run *run, const struct bench_config *config)
{
    const struct bench_impl *const reference = reference_of(config->impl);
    struct group *const g = &run->group;
    struct bench_params params;
    enum bench_status worst = BENCH_OK;
    char why[512] = "";

    TRY(bench_reference_params(reference, &config->params, &params));
    bench_threads_unbind();
#pragma omp parallel for schedule(dynamic) if (reference->target == BENCH_SERIAL) \
    num_threads(run->machine.n_cores)
    for (int i = 0; i < g->n_inputs; i++) {
        enum bench_status status =
            bench_interrupts > 1 ? BENCH_FAIL(BENCH_EINTR, "interrupted")
                                 : bench_once(reference, &params, run->machine.n_cores,
                                              run->env->device, g->inputs[i], g->references[i]);

#pragma omp critical
        if (status && !worst) {
            worst = status;
            snprintf(why, sizeof why, "%.511s", bench_failure());
        }
    }
    if (worst == BENCH_EINTR)
        return BENCH_FAIL(worst, "%s", why);
    if (worst)
        return BENCH_FAIL(worst, "the reference %s: %s", reference->name, why);
    accept_references(g, config->impl->problem);
    return BENCH_OK;
}

enum bench_status suite_tell(const struct bench_problem *problem,
                             const struct bench_params *params, const void *input,
                             const void *output, const struct bench_told *told,
                             struct text *text)
{
    struct bench_sink sink = {0};
    enum bench_status status =
        problem->measure ? problem->measure(params, &input, &output, &output, 1, &sink)
                         : BENCH_OK;

    if (!status && sink.failed)
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for values");
    for (; told && told->value && !status; told++)
        for (int i = 0; i < sink.n; i++) {
            char number[TEXT_NUMBER];

            if (strcmp(sink.value[i].name, told->value) != 0)
                continue;
            text_short_number(number, sink.value[i].value, 3);
            text_format(text, "%s%s%s%s", text->size > 0 ? ", " : "", told->before, number,
                        told->behind);
        }
    drop_sink(&sink);
    return status ? status : text_ok(text);
}

enum bench_status suite_group_values(struct run *run, const struct bench_config *config,
                                     void *const *outputs,
                                     const struct bench_difference *difference)
{
    const struct bench_problem *problem = config->impl->problem;
    const double n = (double)difference->n_compared;
    struct group *g = &run->group;
    const bool are_shared =
        !config->impl->other && problem->match(&config->params) == BENCH_EXACT;

    if (are_shared && g->are_values_shared)
        return BENCH_OK;
    drop_sink(&g->values);
    g->are_values_shared = are_shared;
    if (problem->measure)
        TRY(problem->measure(&config->params, (const void *const *)g->inputs,
                             (const void *const *)g->references,
                             (const void *const *)(are_shared ? g->references : outputs),
                             g->n_inputs, &g->values));
    if (config->impl->other && n > 0)
        bench_value(&g->values, "equal_pct", -1,
                    100 * (n - (double)difference->n_different) / n, "%");
    if (g->values.failed)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the values of %s",
                          config->impl->name);
    return BENCH_OK;
}

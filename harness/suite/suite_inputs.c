/* suite_inputs.c - the frames of a named input, and the inputs that a group makes of them */
#include "harness/suite/suite_private.h"

#include "harness/base/memory.h"
#include "harness/measure/verify.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <xxhash.h>

/* ---- frames ---- */

enum bench_status suite_frames_open(struct suite_frames *frames, const char *input,
                                    const char *data_folder, int width, int height,
                                    int max_frames)
{
    char path[4400], key[sizeof frames->key];

    snprintf(key, sizeof key, "%s|%d|%d|%d", input, width, height, max_frames);
    if (!strcmp(key, frames->key))
        return BENCH_OK;
    suite_frames_close(frames);
    TRY(bench_input_path(input, path, sizeof path));
    TRY(dataset_read(path, &frames->dataset));
    TRY(dataset_count(&frames->dataset, data_folder, &frames->n));
    if (max_frames > 0 && frames->n > max_frames)
        frames->n = max_frames;
    frames->data = data_folder;
    frames->width = width > 0 ? width : 1242;
    frames->height = height > 0 ? height : 375;
    snprintf(frames->key, sizeof frames->key, "%s", key);
    return BENCH_OK;
}

enum bench_status suite_frames_load(struct suite_frames *frames, int first, int n)
{
    if (first >= frames->first && first + n <= frames->first + frames->n_planes)
        return BENCH_OK;
    planes_free(frames->planes, frames->n_planes);
    frames->n_planes = 0;
    TRY(dataset_load(&frames->dataset, frames->data, frames->width, frames->height, first, n,
                     &frames->planes));
    frames->first = first;
    frames->n_planes = n;
    return BENCH_OK;
}

const struct plane *suite_frame(const struct suite_frames *frames, int index)
{
    assert(index >= frames->first && index < frames->first + frames->n_planes);
    return &frames->planes[index - frames->first];
}

void suite_frames_close(struct suite_frames *frames)
{
    planes_free(frames->planes, frames->n_planes);
    *frames = (struct suite_frames){.n = 0};
}

static enum bench_status count_of(const struct bench_problem *problem,
                                  const struct bench_params *params, const struct plane *frame,
                                  uint64_t *count)
{
    void *input = NULL;
    enum bench_status status = problem->make_input(params, &frame, 1, &input);

    if (!status)
        status = problem->rank(input, count);
    problem->free_input(input);
    return status;
}

enum bench_status suite_pick(const struct bench_problem *problem,
                             const struct bench_params *params, struct suite_frames *frames,
                             enum bench_frame_pick which, int *index)
{
    const int n = frames->n;
    OWNED(memory_free) uint64_t *count = NULL;
    double mean = 0;

    *index = 0;
    REFUSE_IF(!problem->rank,
              "problem %s cannot order frames: frame_pick = all is the only one",
              problem->name);
    TRY(memory_allocate(&count, sizeof *count, n, 1, 1, 1));
    for (int i = 0; i < n; i++) {
        if (i % SUITE_RANGE == 0)
            TRY(suite_frames_load(frames, i, MIN(SUITE_RANGE, n - i)));
        TRY(count_of(problem, params, suite_frame(frames, i), &count[i]));
        mean += (double)count[i] / n;
    }
    for (int i = 1; i < n; i++) {
        const bool better =
            which == BENCH_PICK_BEST ? count[i] < count[*index]
            : which == BENCH_PICK_WORST
                ? count[i] > count[*index]
                : fabs((double)count[i] - mean) < fabs((double)count[*index] - mean);

        if (better)
            *index = i;
    }
    return BENCH_OK;
}

/* ---- the group ---- */

bool suite_is_in_group(const struct group *g, const struct bench_config *config)
{
    char key[sizeof g->key];

    share_group_key(config, key, sizeof key);
    return !strcmp(key, g->key);
}

static void drop_range(struct group *g)
{
    const struct bench_problem *const problem = g->problem;

    assert(g->n_inputs == 0 || (g->inputs && g->references && g->outputs));
    for (int i = 0; i < g->n_inputs; i++) {
        problem->free_input(g->inputs[i]);
        problem->free_output(g->references[i]);
        problem->free_output(g->outputs[i]);
    }
    free(g->inputs);
    free(g->references);
    free(g->outputs);
    g->inputs = g->references = g->outputs = NULL;
    g->n_inputs = 0;
    g->have_references = false;
    bench_sums_free(&g->sums);
    g->are_sums_shared = false;
}

void suite_drop_group(struct group *g)
{
    drop_range(g);
    suite_drop_values(&g->values);
    g->n_all = g->n_frames = 0;
    g->hash_from = g->hash_to = 0;
    g->key[0] = '\0';
}

enum bench_status suite_count_inputs(struct run *run, const struct bench_config *config, int *n)
{
    int width, height;

    *n = 1;
    if (config->plan.which != BENCH_PICK_ALL || config->plan.batch > 1)
        return BENCH_OK;
    bench_frame_size(&config->params, &width, &height);
    TRY(suite_frames_open(&run->counted, config->plan.input, run->options->data, width, height,
                          config->plan.max_frames));
    *n = run->counted.n;
    return BENCH_OK;
}

enum bench_status suite_enter_group(struct run *run)
{
    const struct bench_config *const config = run->task.config;
    const struct bench_problem *problem = config->impl->problem;
    const struct bench_plan *plan = &config->plan;
    struct group *g = &run->group;
    struct bench_params params;
    char frames_key[sizeof g->frames.key];
    int width, height;

    if (suite_is_in_group(g, config))
        return BENCH_OK;
    suite_note_values(run);
    suite_drop_group(g);
    g->problem = problem;
    bench_frame_size(&config->params, &width, &height);
    snprintf(frames_key, sizeof frames_key, "%s", g->frames.key);
    TRY(suite_frames_open(&g->frames, plan->input, run->options->data, width, height,
                          plan->max_frames));
    if (strcmp(frames_key, g->frames.key) != 0)
        g->n_noted = 0;
    g->pick = 0;
    bench_problem_params(problem, &config->params, &params);
    if (plan->which != BENCH_PICK_ALL)
        TRY(suite_pick(problem, &params, &g->frames, plan->which, &g->pick));
    g->n_all = plan->which != BENCH_PICK_ALL || plan->batch > 1 ? 1 : g->frames.n;
    share_group_key(config, g->key, sizeof g->key);
    return BENCH_OK;
}

/* ---- its inputs ---- */

static size_t plane_bytes(const struct plane *plane)
{
    return (size_t)plane->width * (size_t)plane->height *
           ((plane->disparity ? sizeof *plane->disparity : 0) + (plane->view[0] ? 2 : 0) +
            (plane->truth ? sizeof *plane->truth : 0) +
            (plane->truth_class ? sizeof *plane->truth_class : 0) +
            (plane->confidence ? sizeof *plane->confidence : 0) +
            (size_t)plane->n_classes * sizeof *plane->probability);
}

/* Counts the bytes of an input with its output and reference. */
static enum bench_status count_bytes(const struct bench_problem *problem, const void *input,
                                     size_t *bytes)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    void *output = NULL;
    int n;

    *bytes = 0;
    TRY(problem->make_output(input, &output));
    n = problem->input_blocks(input, block);
    for (int i = 0; i < n; i++)
        *bytes += block[i].bytes;
    n = problem->output_blocks(output, block);
    for (int i = 0; i < n; i++)
        *bytes += 2 * block[i].bytes;
    problem->free_output(output);
    return BENCH_OK;
}

/* Would n_inputs more fit into what is free? */
static enum bench_status check_memory(const struct run *run, int n_inputs)
{
    const double free_bytes = platform_free_bytes(run->env->sysroot);
    const double bytes = (double)run->group.bytes * n_inputs;

    FAIL_IF(free_bytes > 0 && bytes > 0.9 * free_bytes, BENCH_ENOMEM,
            "%d inputs with their outputs need %.1f GiB and %.1f GiB are free; "
            "use fewer (frames = N)",
            n_inputs, bytes / 1073741824.0, free_bytes / 1073741824.0);
    return BENCH_OK;
}

/* Look once at each frame for values that were left out or taken for others. */
static void count_values(struct group *g)
{
    const int end = g->frames.first + g->frames.n_planes;

    for (int i = MAX(g->n_noted, g->frames.first); i < end; i++) {
        const struct counted_values *const v = &suite_frame(&g->frames, i)->values;
        OWNED(text_free) struct text text = {0};

        coding_tell(v, &text);
        if (text.size > 0) {
            coding_add(&g->odd, v);
            snprintf(g->odd_input, sizeof g->odd_input, "%s", g->frames.dataset.name);
            g->n_odd++;
        }
    }
    g->n_noted = MAX(g->n_noted, end);
}

void suite_note_values(struct run *run)
{
    struct group *const g = &run->group;
    OWNED(text_free) struct text text = {0};

    coding_tell(&g->odd, &text);
    if (g->n_odd > 0 && text.size > 0)
        fprintf(run->options->err, "note: input %s, %d frame%s: %s\n", g->odd_input, g->n_odd,
                g->n_odd == 1 ? "" : "s", text.data);
    g->n_odd = 0;
    g->odd = (struct counted_values){0};
}

/* The frames of each input: one, or a batch of several, of which the last may come again. */
static enum bench_status make_inputs(struct run *run, const struct plane **batch)
{
    const struct bench_config *const config = run->task.config;
    const struct bench_problem *problem = config->impl->problem;
    const int n_batch = config->plan.batch;
    struct group *g = &run->group;
    const int n_used = config->plan.which != BENCH_PICK_ALL ? 1
                       : n_batch > 1                        ? MIN(n_batch, g->frames.n)
                                                            : g->n_inputs;
    const int first = g->pick + g->first;
    struct bench_params params;

    TRY(suite_frames_load(&g->frames, first, n_used));
    count_values(g);
    bench_problem_params(problem, &config->params, &params);
    for (int i = 0; i < g->n_inputs; i++) {
        for (int k = 0; k < n_batch; k++)
            batch[k] = suite_frame(&g->frames, first + (n_batch > 1 ? k % n_used : i));
        TRY(problem->make_input(&params, batch, n_batch, &g->inputs[i]));
        if (i > 0)
            continue;
        g->n_frames = problem->n_frames(g->inputs[0]);
        g->frame_bytes = plane_bytes(batch[0]);
        TRY(count_bytes(problem, g->inputs[0], &g->bytes));
        TRY(check_memory(run, g->n_inputs - 1));
    }
    return BENCH_OK;
}

enum bench_status suite_enter_range(struct run *run, int first, int n)
{
    const struct bench_config *const config = run->task.config;
    struct group *g = &run->group;
    OWNED(memory_free) const struct plane **batch = NULL;
    enum bench_status status;

    assert(suite_is_in_group(g, config) && first >= 0 && n > 0 && first + n <= g->n_all);
    if (g->first == first && g->n_inputs == n)
        return BENCH_OK;
    drop_range(g);
    TRY(memory_allocate(&batch, sizeof *batch, config->plan.batch, 1, 1, 1));
    TRY(memory_allocate(&g->inputs, sizeof *g->inputs, n, 1, 1, 1));
    TRY(memory_allocate(&g->references, sizeof *g->references, n, 1, 1, 1));
    TRY(memory_allocate(&g->outputs, sizeof *g->outputs, n, 1, 1, 1));
    g->first = first;
    g->n_inputs = n;
    status = make_inputs(run, batch);
    if (status)
        drop_range(g); /* what is half made is made anew */
    return status;
}

enum bench_status suite_range(struct run *run, int from, int *n)
{
    struct group *g = &run->group;

    *n = g->n_all;
    if (run->task.config->plan.times || g->n_inputs == g->n_all)
        return BENCH_OK;
    *n = run->options->range > 0 ? run->options->range : SUITE_RANGE;
    if (run->options->range > 0 || g->n_all <= SUITE_RANGE)
        return BENCH_OK;
    if (g->n_frames == 0) /* it tells how large they are */
        TRY(suite_enter_range(run, from, 1));
    *n = (int)MIN(MAX(SUITE_RANGE, SUITE_RANGE_BYTES / (g->bytes + g->frame_bytes)),
                  (size_t)g->n_all);
    return BENCH_OK;
}

void suite_hash_on(uint64_t *all, int n_all, uint64_t hash)
{
    *all = n_all == 1 ? hash : XXH64(&hash, sizeof hash, *all);
}

enum bench_status suite_hash_inputs(struct run *run, bool all)
{
    struct group *g = &run->group;
    int step, from, to;

    TRY(suite_enter_group(run));
    from = all ? 0 : run->task.own.from;
    to = all || !run->task.own.n ? g->n_all : run->task.own.to;
    if (g->hash_from == from && g->hash_to == to)
        return BENCH_OK;
    TRY(suite_range(run, from, &step));
    g->hash_to = 0;
    g->input_hash = 0;
    for (int i = from; i < to; i += step) {
        TRY(suite_enter_range(run, i, MIN(step, to - i)));
        for (int k = 0; k < g->n_inputs; k++)
            suite_hash_on(&g->input_hash, g->n_all,
                          bench_hash_input(run->task.config->impl->problem, g->inputs[k], 0));
    }
    g->hash_from = from;
    g->hash_to = to;
    return BENCH_OK;
}

/* ---- outputs and references of the inputs that are made ---- */

/* Returns the variant's reference; check_configs() has asked whether there is one. */
static const struct bench_impl *reference_of(const struct bench_impl *impl)
{
    const struct bench_impl *reference;
    const enum bench_status status = bench_reference_of(impl, &reference);

    assert(!status);
    (void)status;
    return reference;
}

/* The references of the range are there: what they say that its inputs cost. */
static void accept_references(struct group *g)
{
    const struct bench_problem *const problem = g->problem;

    g->work_bytes = g->work_ops = 0;
    for (int i = 0; i < g->n_inputs && problem->count_work; i++) {
        struct bench_work work = {0, 0};

        problem->count_work(g->inputs[i], g->references[i], &work);
        g->work_bytes += bench_wide_fixed(work.bytes);
        g->work_ops += bench_wide_fixed(work.ops);
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

void suite_keep_references(struct group *g)
{
    for (int i = 0; i < g->n_inputs; i++) {
        void *const output = g->outputs[i];

        g->outputs[i] = g->references[i];
        g->references[i] = output;
    }
    accept_references(g);
}

/* A serial reference computes several inputs at once, one a core: it is not timed here. */
static enum bench_status make_references(struct run *run)
{
    const struct bench_config *const config = run->task.config;
    const struct bench_impl *const reference = reference_of(config->impl);
    struct group *const g = &run->group;
    struct bench_params params;
    enum bench_status worst = BENCH_OK;
    char why[512] = "";

    TRY(bench_reference_params(reference, &config->params, &params));
#pragma omp parallel for schedule(dynamic) if (reference->target == BENCH_SERIAL) \
    num_threads(run->host.machine.n_cores)
    for (int i = 0; i < g->n_inputs; i++) {
        enum bench_status status = process_interrupts > 1
                                       ? BENCH_FAIL(BENCH_EINTR, "interrupted")
                                       : suite_reference(run, reference, &params, i);

#pragma omp critical
        if (status && !worst) {
            worst = status;
            snprintf(why, sizeof why, "%.511s", bench_failure());
        }
    }
    FAIL_IF(worst == BENCH_EINTR, worst, "%s", why);
    FAIL_IF(worst, worst, "the reference %s: %s", reference->name, why);
    accept_references(g);
    return BENCH_OK;
}

enum bench_status suite_make_outputs(struct run *run, bool makes_references)
{
    struct group *g = &run->group;

    for (int i = 0; i < g->n_inputs; i++) {
        if (!g->references[i])
            TRY(g->problem->make_output(g->inputs[i], &g->references[i]));
        if (!g->outputs[i])
            TRY(g->problem->make_output(g->inputs[i], &g->outputs[i]));
    }
    return g->have_references || makes_references ? BENCH_OK : make_references(run);
}

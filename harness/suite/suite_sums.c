/* suite_sums.c - what inputs give to the row of a configuration, and the values of all of
 * them */
#include "harness/suite/suite_private.h"

#include "harness/base/memory.h"
#include "harness/measure/app.h"
#include "harness/platform/gpu_lock.h"

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <xxhash.h>

/* ---- values ---- */

void bench_value(struct bench_sink *sink, const char *name, int index, double value,
                 const char *unit)
{
    struct suite_value *v;

    if (sink->failed || !memory_grow(&sink->value, sizeof *v, (size_t)sink->n)) {
        sink->failed = true;
        return;
    }
    v = &sink->value[sink->n++];
    *v = (struct suite_value){.index = index, .value = value};
    snprintf(v->name, sizeof v->name, "%s", name);
    snprintf(v->unit, sizeof v->unit, "%s", unit);
}

void suite_drop_values(struct bench_sink *sink)
{
    free(sink->value);
    memset(sink, 0, sizeof *sink);
}

/* True if a list of names with blanks between them has this one. */
static bool is_named(const char *list, const char *name)
{
    const size_t n = strlen(name);

    for (; list; list = strchr(list, ' ')) {
        list += strspn(list, " ");
        if (strcspn(list, " ") == n && !memcmp(list, name, n))
            return true;
    }
    return false;
}

enum bench_status suite_tell(const struct bench_problem *problem, const void *input,
                             const void *output, const struct bench_told *told,
                             struct text *text)
{
    OWNED(suite_drop_values) struct bench_sink sink = {0};
    OWNED(bench_sums_free) struct bench_sums sums = {0};

    if (problem->sum)
        TRY(problem->sum(input, output, output, 0, &sums));
    TRY(suite_values(problem, false, &sums, &sink));
    for (; told && told->value; told++)
        for (int i = 0; i < sink.n; i++) {
            char number[TEXT_NUMBER];

            if (strcmp(sink.value[i].name, told->value) != 0)
                continue;
            text_short_number(number, sink.value[i].value, 3);
            text_format(text, "%s%s%s%s", text->size > 0 ? ", " : "", told->before, number,
                        told->behind);
        }
    return text_ok(text);
}

/* ---- sums ---- */

/* Members of the difference that are summed for a row. */
#define OF(member, is_real) offsetof(struct bench_difference, member), sizeof(uint64_t), is_real
static const struct bench_member members[] = {
    {"run.wrong", OF(n_wrong, false)},         {"run.outside", OF(n_outside, false)},
    {"run.different", OF(n_different, false)}, {"run.compared", OF(n_compared, false)},
    {"run.error_max", OF(max_error, true)},    {NULL, 0, 0, false},
};

static const char *const n_frames = "run.frames";
static const char *const work_bytes = "run.work_bytes";
static const char *const work_ops = "run.work_ops";

/* And of each input: that it is there, its hash and that of its output. */
static const char *const input_is_there = "run.input";
static const char *const input_hash = "run.input_hash";
static const char *const output_hash = "run.output_hash";

/* The mark of the data set, the same in all ranks. */
static const char *const data_hash = "run.data_hash_max";

/* Adds inputs whose outputs were verified. */
static void add_inputs(const struct group *g, void *const *outputs, struct bench_sums *sums)
{
    const struct bench_problem *const problem = g->problem;

    bench_sums_add(sums, n_frames, -1, (bench_wide)g->n_inputs * g->n_frames);
    bench_sums_add(sums, work_bytes, -1, g->work_bytes);
    bench_sums_add(sums, work_ops, -1, g->work_ops);
    for (int i = 0; i < g->n_inputs; i++) {
        bench_sums_add(sums, input_is_there, g->first + i, 1);
        bench_sums_add(sums, input_hash, g->first + i,
                       (bench_wide)bench_hash_input(problem, g->inputs[i], 0));
        bench_sums_add(sums, output_hash, g->first + i,
                       (bench_wide)bench_hash_output(problem, outputs[i], 0));
    }
}

/* Several inputs at once, one a core: none is timed here. */
static enum bench_status add_values(const struct run *run, void *const *outputs,
                                    struct bench_sums *sums)
{
    const struct group *g = &run->group;
    const struct bench_problem *const problem = g->problem;
    enum bench_status worst = BENCH_OK;
    char why[512] = "";

#pragma omp parallel for schedule(dynamic) num_threads(run->host.machine.n_cores)
    for (int i = 0; i < g->n_inputs; i++) {
        struct bench_sums own = {0};
        const enum bench_status status = problem->sum(
            g->inputs[i], g->references[i], outputs[i], (g->first + i) * g->n_frames, &own);

#pragma omp critical
        {
            bench_sums_merge(sums, &own);
            if (status && !worst) {
                worst = status;
                snprintf(why, sizeof why, "%.511s", bench_failure());
            }
        }
        bench_sums_free(&own);
    }
    return worst ? BENCH_FAIL(worst, "%s", why) : bench_sums_ok(sums);
}

/* Those of outputs that are the reference's are taken once. */
static enum bench_status sum_values(struct run *run, void *const *outputs,
                                    struct bench_sums *sums)
{
    const struct bench_config *const config = run->task.config;
    const struct bench_problem *problem = config->impl->problem;
    struct group *g = &run->group;
    const bool are_shared =
        !config->impl->other && problem->match(&config->params) == BENCH_EXACT;

    if (!are_shared || !g->are_sums_shared) {
        g->are_sums_shared = false;
        bench_sums_free(&g->sums);
        TRY(add_values(run, are_shared ? g->references : outputs, &g->sums));
        g->are_sums_shared = are_shared;
    }
    bench_sums_merge(sums, &g->sums);
    return BENCH_OK;
}

bool suite_stop_now(void)
{
    return process_interrupts > 1;
}

bool suite_stop_together(void)
{
    return process_interrupts > 0;
}

/* Against the range's references.  Where there are none yet and the configuration would make
 * them, its own timed runs do; one run alone would be compared with nothing. */
static enum bench_status sum_range(struct run *run, struct bench_sums *sums)
{
    const struct bench_config *const config = run->task.config;
    struct bench_result *const result = run->task.result;
    struct group *g = &run->group;
    const bool makes_them =
        !g->have_references && config->plan.times && suite_is_own_reference(config);
    struct platform_cgroup before, after;
    void *const *outputs;
    enum bench_status status;
    bool knows_peak;
    int turn = -1;

    TRY(suite_make_outputs(run, makes_them));
    if (run->host.machine.together) /* suite_scale.c has locked what there is to lock */
        turn = -1;
    else if (config->impl->target ==
             BENCH_CUDA) /* in turn with others that measure on this GPU */
        turn = gpu_lock_acquire(bench_device_describe(run->env->device)->uuid, suite_stop_now);
    else if (run->options->rank && config->plan.times) /* other ranks of this host */
        turn = gpu_lock_acquire("cpu", suite_stop_now);
    platform_cgroup_read(run->env->sysroot, &before);
    knows_peak = platform_peak_begin(run->env->sysroot);
    status = bench_measure(
        config->impl, &config->params, &config->plan, &run->host.machine, g->inputs,
        makes_them ? NULL : (const void *const *)g->references, g->outputs, g->n_inputs,
        run->host.machine.together ? suite_stop_together : suite_stop_now, result);
    run->task.host_peak_bytes = knows_peak ? platform_peak_bytes(run->env->sysroot) : 0;
    platform_cgroup_read(run->env->sysroot, &after);
    run->task.was_throttled = run->task.was_throttled || after.n_throttled > before.n_throttled;
    gpu_lock_release(turn);
    if (!status && makes_them)
        suite_keep_references(g);
    bench_sums_pack(sums, members, &result->difference);
    TRY(status);
    outputs = makes_them ? g->references : g->outputs;
    add_inputs(g, outputs, sums);
    return config->plan.values && config->impl->problem->sum ? sum_values(run, outputs, sums)
                                                             : BENCH_OK;
}

enum bench_status suite_sum(struct run *run, int from, int to, struct bench_sums *sums)
{
    enum bench_status status = BENCH_OK;
    int step;

    TRY(suite_range(run, from, &step));
    for (int i = from; i < to && !status; i += step) {
        TRY(suite_enter_range(run, i, MIN(step, to - i)));
        status = sum_range(run, sums);
    }
    bench_sums_unpack(sums, members, &run->task.result->difference);
    return status ? status : bench_sums_ok(sums);
}

enum bench_status suite_mark_sums(struct run *run)
{
    struct suite_frames *const f = &run->group.frames;

    if (!f->has_hash)
        TRY(dataset_hash(&f->dataset, f->data, f->n, &f->hash));
    f->has_hash = true;
    bench_sums_add(&run->task.sums, data_hash, -1, (bench_wide)f->hash);
    return bench_sums_ok(&run->task.sums);
}

uint64_t suite_data_of(const struct bench_sums *sums)
{
    return (uint64_t)bench_sums_get(sums, data_hash, -1);
}

/* True if they are of the inputs from .. to - 1, each once, and of no other. */
static bool are_of(const struct bench_sums *sums, int from, int to)
{
    int n = 0;

    for (int i = 0; i < sums->n; i++) {
        const struct bench_sum *const sum = &sums->sum[i];

        if (strcmp(sum->name, input_is_there) != 0)
            continue;
        if (sum->index < from || sum->index >= to || sum->value != 1)
            return false;
        n++;
    }
    return n == to - from;
}

enum bench_status suite_total(const struct bench_problem *problem,
                              const struct bench_sums *sums, int from, int to, int n_all,
                              struct suite_total *total)
{
    const double n = (double)bench_sums_get(sums, n_frames, -1);

    *total = (struct suite_total){.work = {0, 0}};
    REFUSE_IF(!are_of(sums, from, to), "the sums are not of the inputs %d to %d, each once",
              from + 1, to);
    bench_sums_unpack(sums, members, &total->difference);
    for (int i = from; i < to; i++) {
        const uint64_t hash = (uint64_t)bench_sums_get(sums, output_hash, i);

        total->output_hash = XXH64(&hash, sizeof hash, total->output_hash);
        suite_hash_on(&total->input_hash, n_all, (uint64_t)bench_sums_get(sums, input_hash, i));
    }
    if (problem->count_work) {
        total->work.bytes = bench_wide_real(bench_sums_get(sums, work_bytes, -1)) / n;
        total->work.ops = bench_wide_real(bench_sums_get(sums, work_ops, -1)) / n;
    }
    return BENCH_OK;
}

enum bench_status suite_values(const struct bench_problem *problem, bool is_other,
                               const struct bench_sums *sums, struct bench_sink *values)
{
    struct bench_difference difference = {0};
    double n;

    suite_drop_values(values);
    if (problem->values)
        TRY(problem->values(sums, values));
    for (int i = 0; problem->value_names && i < values->n; i++)
        REFUSE_IF(!is_named(problem->value_names, values->value[i].name),
                  "problem %s: value '%s' is not one of its value_names", problem->name,
                  values->value[i].name);
    bench_sums_unpack(sums, members, &difference);
    n = (double)difference.n_compared;
    if (is_other && n > 0)
        bench_value(values, BENCH_EQUAL_VALUE, -1,
                    100 * (n - (double)difference.n_different) / n, "%");
    return values->failed ? BENCH_FAIL(BENCH_ENOMEM, "out of memory for values") : BENCH_OK;
}

enum bench_status suite_conclude(struct run *run, const struct bench_sums *sums, int from,
                                 int to)
{
    const struct bench_config *const config = run->task.config;
    struct bench_result *const result = run->task.result;
    struct group *g = &run->group;
    struct suite_total total;

    TRY(suite_total(config->impl->problem, sums, from, to, g->n_all, &total));
    bench_sums_unpack(sums, members, &result->difference);
    result->output_hash = total.output_hash;
    g->input_hash = total.input_hash;
    g->hash_from = from;
    g->hash_to = to;
    g->work = total.work;
    suite_drop_values(&g->values);
    return config->plan.values && run->task.own.n == 0
               ? suite_values(config->impl->problem, config->impl->other, sums, &g->values)
               : BENCH_OK;
}

/* suite_groups.c - outputs and references of the inputs that a group has made */
#include "harness/suite/suite_private.h"

#include "harness/platform/threads.h"
#include "harness/measure/verify.h"

#include <assert.h>
#include <string.h>

/* What the variant is verified against; check_configs() has asked whether there is one. */
static const struct bench_impl *reference_of(const struct bench_impl *impl)
{
    const struct bench_impl *reference;
    const enum bench_status status = bench_reference_of(impl, &reference);

    assert(!status);
    (void)status;
    return reference;
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

/* The references of the range are there: what they say that its inputs cost. */
static void accept_references(struct group *g, const struct bench_problem *problem)
{
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

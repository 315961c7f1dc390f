/* verify.c - what a variant is verified against, and one run with its verification */
#include "harness/measure/verify.h"

#include "harness/measure/measure_private.h"

#include <string.h>

#define SLOW_S 1.0 /* a reference that takes longer is worth a word */

void bench_problem_params(const struct bench_problem *problem,
                          const struct bench_params *params, struct bench_params *own)
{
    own->n = 0;
    for (int i = 0; i < params->n; i++)
        for (const struct bench_key *key = problem->keys; key && key->name; key++)
            if (params->item[i].key == key)
                own->item[own->n++] = params->item[i];
}

enum bench_status bench_reference_params(const struct bench_impl *reference,
                                         const struct bench_params *params,
                                         struct bench_params *wanted)
{
    struct bench_params own;

    bench_problem_params(reference->problem, params, &own);
    *wanted = own;
    if (reference->problem->reference_params)
        reference->problem->reference_params(&own, wanted);
    return bench_params_default(wanted, reference->keys, reference->name);
}

/* True if the variant is the reference, with these parameters: it would meet itself. */
static bool is_itself(const struct bench_impl *impl, const struct bench_impl *reference,
                      const struct bench_params *params, const struct bench_params *wanted)
{
    struct bench_params own, theirs;
    char a[2048], b[2048];

    if (impl != reference)
        return false;
    bench_problem_params(impl->problem, params, &own);
    bench_problem_params(impl->problem, wanted, &theirs);
    bench_params_text(&own, a, sizeof a);
    bench_params_text(&theirs, b, sizeof b);
    return !strcmp(a, b);
}

static enum bench_status run_reference(struct bench_verification *v,
                                       const struct bench_impl *reference,
                                       const struct bench_params *wanted, const void *input,
                                       void *output)
{
    enum bench_status status;

    if (v->progress) {
        fprintf(v->progress, "verifying against %s\r", reference->name);
        fflush(v->progress);
    }
    status = bench_once(reference, wanted, v->n_threads, v->device, input, output);
    if (v->progress)
        fprintf(v->progress, "\033[K");
    FAIL_IF(status, status, "the reference %s: %.255s", reference->name, bench_failure());
    return BENCH_OK;
}

/* Says the outcome of a success, by the kind of comparison. */
static void say_verified(struct bench_verification *v, const struct bench_impl *impl,
                         enum bench_match match, const struct bench_difference *difference,
                         const struct bench_impl *reference, double took_s)
{
    const size_t size = sizeof v->outcome;
    const bool is_outside = match == BENCH_STATISTICAL && difference->n_outside > 0;
    int n;

    if (impl->other && !impl->problem->other_unit)
        n = snprintf(v->outcome, size, "verified: well formed, by another rule, %s",
                     impl->other);
    else if (impl->other)
        n = snprintf(v->outcome, size, "verified: by another rule, %s: %zu of %zu %s as in %s",
                     impl->other, difference->n_compared - difference->n_different,
                     difference->n_compared, impl->problem->other_unit, reference->name);
    else
        n = snprintf(v->outcome, size, "verified: %s %s%s",
                     is_outside                   ? "right, but outside the scatter of"
                     : match == BENCH_STATISTICAL ? "as good as"
                                                  : "equal to",
                     reference->name,
                     match == BENCH_WITHIN                       ? " within the tolerance"
                     : match == BENCH_STATISTICAL && !is_outside ? " within its scatter"
                                                                 : "");
    if (took_s >= SLOW_S && n > 0 && (size_t)n < size)
        snprintf(v->outcome + n, size - (size_t)n, ", in %.1f s (--no-verify leaves that out)",
                 took_s);
}

static enum bench_status verify(const struct bench_request *request, const void *input,
                                const void *output)
{
    struct bench_verification *const v = request->machine;
    const struct bench_impl *const impl = request->impl;
    const struct bench_problem *const problem = impl->problem;
    struct bench_difference difference = {0};
    const struct bench_impl *reference;
    struct bench_params wanted;
    void *expected = NULL;
    const double t0 = now_s();
    enum bench_status status;

    TRY(bench_reference_of(impl, &reference));
    TRY(bench_reference_params(reference, request->params, &wanted));
    if (is_itself(impl, reference, request->params, &wanted)) {
        snprintf(v->outcome, sizeof v->outcome, "not verified: %s is the reference itself",
                 impl->name);
        return BENCH_OK;
    }
    status = problem->make_output(input, &expected);
    if (!status)
        status = run_reference(v, reference, &wanted, input, expected);
    if (!status)
        status = bench_compare(impl, request->params, input, expected, output, "", &difference);
    problem->free_output(expected);
    if (status == BENCH_ESKIP) {
        snprintf(v->outcome, sizeof v->outcome, "not verified: %s", bench_failure());
        bench_failure_clear();
        return BENCH_OK;
    }
    TRY(status);
    say_verified(v, impl, problem->match(request->params), &difference, reference,
                 now_s() - t0);
    return BENCH_OK;
}

enum bench_status bench_once_verified(const struct bench_request *request, const void *input,
                                      void *output)
{
    struct bench_verification *const v = request->machine;

    TRY(bench_once(request->impl, request->params, v->n_threads, v->device, input, output));
    if (!v->is_off)
        return verify(request, input, output);
    snprintf(v->outcome, sizeof v->outcome, "not verified: --no-verify");
    return BENCH_OK;
}

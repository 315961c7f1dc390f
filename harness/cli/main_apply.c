/* main_apply.c - the subcommand that runs one variant on one image */
#include "harness/cli/main_private.h"

#include "harness/suite/suite.h"
#include "harness/measure/verify.h"
#include "harness/inputs/dataset.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum bench_status apply_params(const struct arguments *a, const struct bench_app *app,
                                      const struct bench_impl *impl,
                                      struct bench_params *params, int *threads)
{
    const struct bench_key *const lists[] = {impl->problem->keys, impl->keys, app->keys, NULL};
    const struct bench_key *const known[] = {impl->problem->keys,
                                             impl->keys ? impl->keys : impl->problem->keys,
                                             app->keys ? app->keys : impl->problem->keys, NULL};
    params->n = 0;
    for (int i = 0; i < a->n_assignments; i++) {
        const char *equals = strchr(a->assignment[i], '=');
        char name[64];
        const struct bench_key *key = NULL;

        if (!equals || equals == a->assignment[i] || !equals[1] ||
            (size_t)(equals - a->assignment[i]) >= sizeof name)
            return BENCH_FAIL(BENCH_EINPUT, "-S %s: expected KEY=VALUE", a->assignment[i]);
        snprintf(name, sizeof name, "%.*s", (int)(equals - a->assignment[i]), a->assignment[i]);
        if (!strcmp(name, "threads")) {
            double number;

            if (!text_to_number(equals + 1, &number) || !(number >= 1 && number <= 4096))
                return BENCH_FAIL(BENCH_EINPUT, "-S threads=%s: expected 1..4096", equals + 1);
            *threads = (int)number;
            continue;
        }
        for (int l = 0; l < 3 && !key; l++)
            key = bench_find_key(lists[l], name);
        if (!key) {
            const char *near = bench_nearest_key(known, name);

            return BENCH_FAIL(BENCH_EINPUT, "-S %s: %s has no key '%s'%s%s%s", a->assignment[i],
                              impl->name, name, near ? "; did you mean '" : "",
                              near ? near : "", near ? "'?" : "");
        }
        TRY(bench_params_set(params, key, equals + 1, "-S")); /* it names the key */
    }
    for (int l = 0; l < 3; l++)
        TRY(bench_params_default(params, lists[l], "apply"));
    return impl->problem->check ? impl->problem->check(params) : BENCH_OK;
}

/* The number of a frame, from 1, that "input:NAME:NUMBER" ends with; 0 for another word. */
static int frame_number(const char *word)
{
    double number;

    return text_to_number(word, &number) && number >= 1 && number <= 1000000 &&
                   number == (double)(int)number
               ? (int)number
               : 0;
}

/* "input:NAME[:CASE|:NUMBER]" -> that frame of that input; planes stay the caller's. */
static enum bench_status named_frame(const struct arguments *a,
                                     const struct bench_request *request, struct plane **planes,
                                     int *n_planes, int *index)
{
    char name[64];
    const char *spec = request->image + strlen("input:");
    const char *colon = strchr(spec, ':');
    const bool ordered = request->impl->problem->rank != NULL;
    int which = BENCH_PICK_TYPICAL, number = colon ? frame_number(colon + 1) : !ordered;
    int width, height;

    snprintf(name, sizeof name, "%.*s", colon ? (int)(colon - spec) : (int)strlen(spec), spec);
    if (colon && !number) {
        for (which = 0; which < 4 && strcmp(bench_frame_pick_name[which], colon + 1) != 0;)
            which++;
        if (which == 4 || which == BENCH_PICK_ALL)
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s: expected the number of a frame, or a case of one frame: "
                              "typical, best or worst",
                              request->image);
    }
    bench_frame_size(request->params, &width, &height);
    TRY(suite_load(name, main_data_folder(a), width, height, 0, planes, n_planes));
    if (number > *n_planes)
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected a frame of 1 to %d", request->image,
                          *n_planes);
    *index = number - 1;
    return number ? BENCH_OK
                  : suite_pick(request->impl->problem, request->params, *planes, *n_planes,
                               (enum bench_frame_pick)which, index);
}

enum bench_status main_apply(const struct arguments *a, struct bench_env *env)
{
    const struct bench_impl *impl;
    const struct bench_app *app;
    struct bench_params params;
    struct bench_verification verification = {
        .device = env->device,
        .n_threads = env->cores->n_cores,
        .is_off = a->no_verify,
        .progress = a->verbosity >= 0 && isatty(2) ? stderr : NULL,
        .outcome = "not verified: no variant was run"};
    char message[256] = "";
    struct bench_request request = {.csv = a->output,
                                    .picture = a->picture,
                                    .given = a->given,
                                    .n_given = a->n_given,
                                    .message = message,
                                    .message_size = sizeof message,
                                    .once = bench_once_verified,
                                    .machine = &verification};
    struct plane *planes = NULL;
    int n_planes = 0, index = 0;
    enum bench_status status;

    if (a->n_rest != (a->disparity ? 1 : 2))
        return BENCH_FAIL(BENCH_EINPUT, "apply: expected IMPL %s, found %d arguments",
                          a->disparity ? "and --disparity IMAGE" : "IMAGE", a->n_rest);
    impl = bench_find_impl(a->rest[0]);
    if (!impl)
        return BENCH_FAIL(BENCH_EINPUT, "no variant '%s' (depthbench list names them)",
                          a->rest[0]);
    if (!bench_is_built(impl))
        return BENCH_FAIL(BENCH_ESKIP, "%s is not in this build: it was built without CUDA",
                          a->rest[0]);
    app = bench_find_app(impl->problem);
    if (!app)
        return BENCH_FAIL(BENCH_ESKIP, "problem %s cannot be applied to an image yet",
                          impl->problem->name);
    if (impl->target == BENCH_CUDA && !env->device)
        return BENCH_FAIL(BENCH_ESKIP, "%s needs a GPU: %s", impl->name, env->no_device);
    for (int i = 0; i < a->n_given; i++) {
        const struct bench_option *o = app->options;

        while (o && o->name && strcmp(o->name, a->given[i].name) != 0)
            o++;
        if (!o || !o->name)
            return BENCH_FAIL(BENCH_EINPUT, "--%s is no option of problem %s", a->given[i].name,
                              impl->problem->name);
    }
    TRY(apply_params(a, app, impl, &params, &verification.n_threads));
    request.impl = impl;
    request.params = &params;
    request.image = a->disparity ? a->disparity : a->rest[1];
    if (!strncmp(request.image, "input:", 6)) {
        status = named_frame(a, &request, &planes, &n_planes, &index);
        request.frame = planes ? &planes[index] : NULL;
    } else {
        status = BENCH_OK;
    }
    if (!status)
        status = app->apply(&request);
    if (!status && a->verbosity >= 0)
        fprintf(stderr, "%s%s%s\n", message, message[0] ? "; " : "", verification.outcome);
    planes_free(planes, n_planes);
    return status;
}

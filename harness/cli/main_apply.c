/* main_apply.c - the subcommand that runs one variant on one image */
#include "harness/cli/main_private.h"

#include "harness/suite/suite.h"
#include "harness/measure/verify.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum bench_status main_apply_params(const struct arguments *a, const struct bench_app *app,
                                    const struct bench_impl *impl, struct bench_params *params,
                                    int *threads)
{
    const struct bench_key *const lists[] = {impl->problem->keys, impl->keys, app->keys};

    params->n = 0;
    for (int i = 0; i < a->n_assignments; i++) {
        const char *equals = strchr(a->assignment[i], '=');
        char name[64];
        const struct bench_key *key = NULL;

        REFUSE_IF(!equals || equals == a->assignment[i] || !equals[1] ||
                      (size_t)(equals - a->assignment[i]) >= sizeof name,
                  "-S %s: expected KEY=VALUE", a->assignment[i]);
        snprintf(name, sizeof name, "%.*s", (int)(equals - a->assignment[i]), a->assignment[i]);
        if (!strcmp(name, "threads")) {
            double number;

            REFUSE_IF(!text_to_number(equals + 1, &number) || !(number >= 1 && number <= 4096),
                      "-S threads=%s: expected 1..4096", equals + 1);
            *threads = (int)number;
            continue;
        }
        for (int l = 0; l < 3 && !key; l++)
            key = bench_find_key(lists[l], name);
        if (!key) {
            struct nearest near = nearest_to(name);

            for (int l = 0; l < 3; l++)
                bench_offer_keys(&near, (const struct bench_key *const[]){lists[l], NULL});
            return BENCH_FAIL(BENCH_EINPUT, "-S %s: %s has no key '%s'%s", a->assignment[i],
                              impl->name, name, nearest_text(&near));
        }
        TRY(bench_params_set(params, key, equals + 1, "-S")); /* it names the key */
    }
    if (app->settle)
        TRY(app->settle(impl->reference ? impl->reference : impl->name, params));
    for (int l = 0; l < 3; l++)
        TRY(bench_params_default(params, lists[l], "apply"));
    TRY(bench_params_default(params, app->unset, "apply"));
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

/* "input:NAME[:CASE|:NUMBER]" -> that frame of that input; 'frames' stay the caller's. */
static enum bench_status named_frame(const struct arguments *a,
                                     const struct bench_request *request,
                                     struct suite_frames *frames, const struct plane **frame)
{
    char name[64];
    const char *spec = request->image + strlen("input:");
    const char *colon = strchr(spec, ':');
    const bool ordered = request->impl->problem->rank != NULL;
    int which = BENCH_PICK_TYPICAL, number = colon ? frame_number(colon + 1) : !ordered;
    int width, height, index = number - 1;

    snprintf(name, sizeof name, "%.*s", colon ? (int)(colon - spec) : (int)strlen(spec), spec);
    if (colon && !number) {
        for (which = 0; which < 4 && strcmp(bench_frame_pick_name[which], colon + 1) != 0;)
            which++;
        REFUSE_IF(which == 4 || which == BENCH_PICK_ALL,
                  "%s: expected the number of a frame, or a case of one frame: "
                  "typical, best or worst",
                  request->image);
    }
    bench_frame_size(request->params, &width, &height);
    TRY(suite_frames_open(frames, name, main_data_folder(a), width, height, 0));
    REFUSE_IF(number > frames->n, "%s: expected a frame of 1 to %d", request->image, frames->n);
    if (!number)
        TRY(suite_pick(request->impl->problem, request->params, frames,
                       (enum bench_frame_pick)which, &index));
    TRY(suite_frames_load(frames, index, 1));
    *frame = suite_frame(frames, index);
    return BENCH_OK;
}

/* "input:NAME" and "scene" are no files. */
static bool is_file(const char *image)
{
    return strncmp(image, "input:", 6) != 0 && strcmp(image, "scene") != 0 &&
           strncmp(image, "scene:", 6) != 0;
}

/* The variant, and the image or the pair, that the words of the command line are. */
static enum bench_status read_words(const struct arguments *a, const struct bench_impl **impl,
                                    const char **image, const char **right)
{
    const char *const expected =
        a->disparity ? "IMPL and --disparity IMAGE" : "IMPL IMAGE, or IMPL LEFT RIGHT";
    const bool is_pair = !a->disparity && a->n_rest == 3;
    const int n_expected = a->disparity ? 1 : is_pair ? 3 : 2;

    *right = is_pair ? a->rest[2] : NULL;
    *image = a->disparity ? a->disparity : a->n_rest > 1 ? a->rest[1] : NULL;
    REFUSE_IF(a->n_rest == 2 && !bench_find_impl(a->rest[0]) && bench_find_impl(a->rest[1]),
              "apply: expected IMPL IMAGE, found them the other way round: "
              "depthbench apply %s %s",
              a->rest[1], a->rest[0]);
    REFUSE_IF(a->n_rest != n_expected, "apply: expected %s, found %d word%s%s%s", expected,
              a->n_rest, a->n_rest == 1 ? "" : "s", a->n_rest > 0 ? ", " : "",
              a->n_rest > 0 ? a->rest[0] : "");
    TRY(main_variant(a->rest[0], impl));
    for (int i = 0; i < 1 + is_pair; i++) {
        const char *const path = i ? *right : *image;

        REFUSE_IF(is_pair && !is_file(path), "%s: expected the file of a view", path);
        FAIL_IF(is_file(path) && access(path, R_OK) != 0, BENCH_EIO, "%s: %s", path,
                strerror(errno));
    }
    return BENCH_OK;
}

/* A pair is for the chain that ends in the variant, unless it takes pairs itself. */
static enum bench_status find_app(const struct bench_request *request,
                                  const struct bench_impl **impl, const struct bench_app **app)
{
    *app = bench_find_app((*impl)->problem);
    if (request->right && !(*app && (*app)->takes_views)) {
        TRY(bench_find_chained(*impl, impl));
        *app = bench_find_app((*impl)->problem);
    }
    FAIL_IF(!*app, BENCH_ESKIP, "problem %s cannot be applied to an image yet",
            (*impl)->problem->name);
    return BENCH_OK;
}

/* The app's, or of another problem. */
static enum bench_status check_options(const struct arguments *a, const struct bench_app *app)
{
    for (int i = 0; i < a->n_given; i++) {
        const struct bench_option *o = app->options;

        while (o && o->name && strcmp(o->name, a->given[i].name) != 0)
            o++;
        REFUSE_IF(!o || !o->name, "--%s is no option of problem %s", a->given[i].name,
                  app->problem->name);
    }
    return BENCH_OK;
}

/* Refuses names of pictures and meshes: -o writes a table. */
static enum bench_status check_output(const char *path)
{
    static const char *const others[] = {".ply", ".obj", ".png", ".svg"};
    const char *const end = path ? strrchr(path, '.') : NULL;

    for (size_t i = 0; end && i < sizeof others / sizeof *others; i++)
        REFUSE_IF(!strcmp(end, others[i]),
                  "-o %s: -o writes a table, as CSV; meshes are --ply and --obj, "
                  "pictures --picture",
                  path);
    return BENCH_OK;
}

/* A variant on its image, and what comes of it. */
struct job {
    struct bench_verification verification; /* the first: bench_once_verified() takes it */
    const struct bench_app *app;
    struct text told;
};

static void free_job(struct job *job)
{
    text_free(&job->told);
}

static enum bench_status tell(const struct bench_request *request, const void *input,
                              const void *output)
{
    struct job *const job = request->machine;

    return job->app->told
               ? suite_tell(request->impl->problem, input, output, job->app->told, &job->told)
               : BENCH_OK;
}

/* On a terminal broken between words. */
static void print_line(const struct arguments *a, const char *name, const char *sentence)
{
    OWNED(text_free) struct text line = {0};
    OWNED(text_free) struct text page = {0};

    text_format(&line, "%s%s%s", name, *name ? ": " : "", sentence);
    text_wrap(&page, line.data, 0, 2, isatty(2) ? main_width(a) : INT_MAX);
    if (!text_ok(&page))
        fprintf(stderr, "%s\n", page.data);
}

/* Prints what was made, how good it is, whether it is verified, and where it is. */
static void print_outcome(const struct arguments *a, const struct bench_request *request,
                          const struct job *job)
{
    const char *const name =
        request->frame ? request->frame->name : listing_name(request->image);

    if (request->warning[0])
        print_line(a, "warning", request->warning);
    if (job->told.data && !job->told.failed)
        print_line(a, name, job->told.data);
    if (request->message[0])
        print_line(a, name, request->message);
    print_line(a, "", job->verification.outcome);
    print_line(a, "written", request->files);
}

enum bench_status main_apply(const struct arguments *a, struct bench_env *env)
{
    const struct bench_impl *impl;
    struct bench_params params;
    OWNED(free_job)
    struct job job = {
        .verification = {.device = env->device,
                         .n_threads = env->cores->n_cores,
                         .is_off = a->no_verify,
                         .progress = a->verbosity >= 0 && isatty(2) ? stderr : NULL,
                         .outcome = "not verified: no variant was run"}};
    char message[512] = "", warning[512] = "", files[1024] = "";
    struct bench_request request = {.csv = a->output,
                                    .picture = a->picture,
                                    .given = a->given,
                                    .n_given = a->n_given,
                                    .message = message,
                                    .message_size = sizeof message,
                                    .warning = warning,
                                    .warning_size = sizeof warning,
                                    .files = files,
                                    .files_size = sizeof files,
                                    .once = bench_once_verified,
                                    .tell = a->verbosity >= 0 ? tell : NULL,
                                    .machine = &job};
    OWNED(suite_frames_close) struct suite_frames frames = {.n = 0};

    TRY(read_words(a, &impl, &request.image, &request.right));
    TRY(find_app(&request, &impl, &job.app));
    TRY(main_check_variant(impl, env));
    TRY(check_options(a, job.app));
    TRY(check_output(a->output));
    TRY(main_apply_params(a, job.app, impl, &params, &job.verification.n_threads));
    request.impl = impl;
    request.params = &params;
    if (!strncmp(request.image, "input:", 6))
        TRY(named_frame(a, &request, &frames, &request.frame));
    TRY(job.app->apply(&request));
    if (a->verbosity >= 0)
        print_outcome(a, &request, &job);
    return BENCH_OK;
}

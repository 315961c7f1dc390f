/*
 * apply_drive.h - what the tests of every problem's apply need: a folder, requests as words, a
 * variant that is the test's own
 *
 * Before it is included, APP and PROBLEM name the two, as rdp_app and rdp_problem.  fill() is
 * the variant.
 */
#ifndef TESTS_APPLY_DRIVE_H
#define TESTS_APPLY_DRIVE_H

#include "harness/inputs/image.h"
#include "harness/measure/app.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"
#include "harness/base/text.h"
#include "tests/files.h"
#include "tests/support.h"

#include <string.h>
#include <unistd.h>

#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))

static char folder[512];
static char message[512], warning[512], written[512];
static struct bench_params params;

static enum bench_status fill(const struct bench_request *request, const void *input,
                              void *output);

static inline enum bench_status refuse(const struct bench_request *request, const void *input,
                                       void *output)
{
    (void)request;
    (void)input;
    (void)output;
    return BENCH_FAIL(BENCH_ECUDA, "refused by the test");
}

static const struct bench_impl variant = {.name = "test/test", .problem = &PROBLEM};

static inline const char *path_of(const char *name)
{
    static char paths[64][600];
    static int next;
    char *const path = paths[next++ % 64];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline int is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static inline void set(const char *name, const char *text)
{
    const struct bench_key *const lists[] = {PROBLEM.keys, APP.keys};

    for (int l = 0; l < 2; l++)
        for (const struct bench_key *key = lists[l]; key->name; key++)
            if (!strcmp(key->name, name)) {
                assert_int_equal(bench_params_set(&params, key, text, "test"), BENCH_OK);
                return;
            }
    fail_msg("no key %s", name);
}

/* Adds --NAME VALUE of the command line. */
static inline void give(struct bench_request *request, const char *name, const char *value)
{
    static char text[16][2][600];
    static struct bench_given given[16];
    const int i = request->n_given++;

    assert_true(i < 16);
    snprintf(text[i][0], sizeof text[i][0], "%s", name);
    snprintf(text[i][1], sizeof text[i][1], "%s", value);
    given[i] = (struct bench_given){text[i][0], text[i][1]};
    request->given = given;
}

/* With all keys at their defaults. */
static inline struct bench_request request_for(const char *image)
{
    struct bench_request request = {.impl = &variant,
                                    .params = &params,
                                    .image = image,
                                    .message = message,
                                    .message_size = sizeof message,
                                    .warning = warning,
                                    .warning_size = sizeof warning,
                                    .files = written,
                                    .files_size = sizeof written,
                                    .once = fill};

    strcpy(message, "left over");
    warning[0] = written[0] = '\0';
    memset(&params, 0, sizeof params);
    assert_int_equal(bench_params_default(&params, PROBLEM.keys, "test"), BENCH_OK);
    assert_int_equal(bench_params_default(&params, APP.keys, "test"), BENCH_OK);
    return request;
}

/* An image of the folder, or "scene:..." and the like, and words: csv=FILE, picture=FILE,
 * --OPTION=FILE (--column, --coding and --disparity-scale: a word), KEY=VALUE. */
static inline struct bench_request request_of(const char *image, const char *words)
{
    struct bench_request request = request_for(strchr(image, ':') ? image : path_of(image));
    char name[32], value[64];

    for (int n; sscanf(words, " %31[^=]=%63s%n", name, value, &n) == 2; words += n) {
        const int is_number = !strcmp(name, "--column") || !strcmp(name, "--coding") ||
                              !strcmp(name, "--disparity-scale");

        if (!strncmp(name, "--", 2))
            give(&request, name + 2, is_number ? value : path_of(value));
        else if (!strcmp(name, "csv"))
            request.csv = path_of(value);
        else if (!strcmp(name, "picture"))
            request.picture = path_of(value);
        else
            set(name, value);
    }
    return request;
}

static inline void apply(const struct bench_request *request)
{
    if (APP.apply(request) != BENCH_OK)
        fail_msg("%s", bench_failure());
}

static inline void assert_said(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("expected '%s' in '%s'", part, text);
}

static inline struct bench_request applied(const char *image, const char *words)
{
    const struct bench_request request = request_of(image, words);

    apply(&request);
    return request;
}

/* Pixels of a legend of so many lines below a picture of less than 720 pixels. */
#define LEGEND(n_lines) (6 + 12 * (n_lines))

/* The pixels of a picture of the folder, red lowest, until the next one is read. */
static inline const uint32_t *pixels_of(const char *name, int width, int height)
{
    static struct image image;

    image_free(&image);
    assert_int_equal(image_read(path_of(name), IMAGE_COLOURS, &image), BENCH_OK);
    assert_true(image.width == width && image.height == height);
    return image.pixels;
}

/* Also without a message, which a caller may leave out. */
static inline void apply_silently(struct bench_request request)
{
    request.message = NULL;
    request.message_size = 0;
    request.warning = request.files = NULL;
    request.warning_size = request.files_size = 0;
    apply(&request);
}

static inline void assert_refused(const struct bench_request *request, enum bench_status status,
                                  const char *words)
{
    bench_failure_clear();
    assert_int_equal(APP.apply(request), status);
    assert_said(bench_failure(), words);
}

static inline void assert_has(const char *path, const char *words)
{
    OWNED(text_free) struct text text = {0};

    assert_int_equal(text_read_file(path, &text), BENCH_OK);
    assert_said(text.data, words);
}

static inline int make_folder(void **state)
{
    snprintf(folder, sizeof folder, "%s/%s_apply", support_place(), PROBLEM.name);
    support_remove(folder);
    return text_make_folder(folder) == BENCH_OK ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    support_remove(folder);
    return 0;
}

#endif

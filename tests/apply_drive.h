/*
 * apply_drive.h - what the tests of every problem's apply need: a folder, a request, a variant that is the test's own
 *
 * Before it is included, APP and PROBLEM name the two, as rdp_app and rdp_problem; fill() is the variant.
 */
#ifndef TESTS_APPLY_DRIVE_H
#define TESTS_APPLY_DRIVE_H

#include "harness/measure/app.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"
#include "harness/base/text.h"
#include "tests/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[512];
static char message[256];
static struct bench_params params;
static struct bench_given given[16];

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

/* As --NAME VALUE on the command line. */
static inline void give(struct bench_request *request, const char *name, const char *value)
{
    assert_true(request->n_given < 16);
    given[request->n_given].name = name;
    given[request->n_given++].value = value;
}

/* With all keys at their defaults. */
static inline struct bench_request request_for(const char *image)
{
    struct bench_request request = {.impl = &variant,
                                    .params = &params,
                                    .image = image,
                                    .given = given,
                                    .message = message,
                                    .message_size = sizeof message,
                                    .once = fill};

    strcpy(message, "left over");
    memset(&params, 0, sizeof params);
    assert_int_equal(bench_params_default(&params, PROBLEM.keys, "test"), BENCH_OK);
    assert_int_equal(bench_params_default(&params, APP.keys, "test"), BENCH_OK);
    return request;
}

static inline void assert_refused(const struct bench_request *request, enum bench_status status,
                                  const char *words)
{
    bench_failure_clear();
    assert_int_equal(APP.apply(request), status);
    if (!strstr(bench_failure(), words))
        fail_msg("'%s' does not say '%s'", bench_failure(), words);
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

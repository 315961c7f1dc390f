/* drive.h - what the tests of every problem's variants need: the hooks in the harness's order, the words of a key */
#ifndef TESTS_DRIVE_H
#define TESTS_DRIVE_H

#include "harness/device.h"
#include "harness/impl.h"
#include "harness/problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* One run of a variant that was set up, its device's output poisoned before; the host's is the caller's to poison. */
static inline enum bench_status drive_once(const struct bench_impl *impl, void *state,
                                           struct bench_device *device)
{
    if (impl->upload)
        TRY(impl->upload(state));
    if (impl->poison)
        TRY(impl->poison(state));
    TRY(impl->run(state));
    if (impl->download)
        TRY(impl->download(state));
    return impl->target == BENCH_CUDA ? bench_device_sync(device) : BENCH_OK;
}

/* The k-th word of "a|b|c", k modulo their number, which is returned. */
static inline int choice(const char *choices, int k, char *word, size_t size)
{
    int n = 1;
    size_t at = 0;

    for (const char *c = choices; *c; c++)
        n += *c == '|';
    k %= n;
    for (const char *c = choices; *c; c++) {
        if (*c == '|')
            k--;
        else if (k == 0 && at + 1 < size)
            word[at++] = *c;
    }
    word[at] = '\0';
    return n;
}

/* The problem's parameters: its fallbacks, but for the pairs of names and values, which end with NULL. */
static inline struct bench_params params_with(const struct bench_problem *problem,
                                              const char *const *pairs)
{
    struct bench_params params = {0};

    for (; *pairs; pairs += 2) {
        int found = 0;

        for (const struct bench_key *key = problem->keys; key->name; key++)
            if (!strcmp(key->name, pairs[0])) {
                assert_int_equal(bench_params_set(&params, key, pairs[1], "test"), BENCH_OK);
                found = 1;
            }
        if (!found)
            fail_msg("there is no key %s", pairs[0]);
    }
    assert_int_equal(bench_params_default(&params, problem->keys, "test"), BENCH_OK);
    return params;
}

/* Add the round-th combination of a variant's keys; returns how many combinations there are. */
static inline int combine_keys(const struct bench_impl *impl, int round,
                               struct bench_params *params)
{
    int n = 1;

    for (const struct bench_key *key = impl->keys; key && key->name; key++) {
        char word[32];

        if (key->kind == BENCH_WORD && key->choices) {
            const int n_words = choice(key->choices, round / n, word, sizeof word);

            assert_int_equal(bench_params_set(params, key, word, "test"), 0);
            n *= n_words;
        } else if (!strcmp(key->name,
                           "chunk")) { /* as many changes of threads as there can be */
            assert_int_equal(bench_params_set(params, key, "1", "test"), 0);
        }
    }
    assert_int_equal(bench_params_default(params, impl->keys, "test"), BENCH_OK);
    return n;
}

#endif

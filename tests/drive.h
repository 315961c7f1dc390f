/* drive.h - shared by tests of variants: guarded outputs, the hooks in order, keys */
#ifndef TESTS_DRIVE_H
#define TESTS_DRIVE_H

#include "harness/measure/device.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"
#include "harness/base/random.h"
#include "tests/guard.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))

/* Below n, by a seed and two numbers. */
static inline uint32_t draw(uint64_t seed, uint32_t i, uint32_t j, uint32_t n)
{
    return bench_below(bench_philox(seed, i, j, 0, 0).word[0], n);
}

/* ---- what a test made, freed behind it ---- */

#undef TEST
#define TEST(name) TEST_WITH(name, NULL, free_kept)

static struct {
    void *memory;
    void (*release)(void *);
} * owned;
static int n_owned;

static inline void *keep(void *memory, void (*release)(void *))
{
    assert_non_null(memory);
    owned = realloc(owned, (size_t)(n_owned + 1) * sizeof *owned);
    assert_non_null(owned);
    owned[n_owned].release = release;
    return owned[n_owned++].memory = memory;
}

static inline int free_kept(void **state)
{
    while (n_owned-- > 0)
        owned[n_owned].release(owned[n_owned].memory);
    free(owned);
    owned = NULL;
    n_owned = 0;
    return 0;
}

/* ---- runs ---- */

/* One run of a variant that was set up.  Poisons its device's output; the caller the host's. */
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

/* ---- outputs with a guard behind each array ---- */

static inline void *kept_guarded(size_t bytes)
{
    return keep(guarded(bytes), free);
}

/* An output of the input's shape, kept and poisoned. */
static inline void *new_guarded(const struct bench_problem *problem, const void *in)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    void *out;

    assert_int_equal(problem->make_output(in, &out), BENCH_OK);
    for (int i = problem->output_blocks(out, block); i-- > 0;)
        for (const struct bench_place *place = problem->places; place->name; place++)
            if (place->is_output && !strcmp(place->name, block[i].name)) {
                void *const array = guarded(block[i].bytes);

                memcpy((char *)out + place->at, &array, sizeof array);
                free(block[i].data);
            }
    return keep(out, problem->free_output);
}

static inline void poison_output(const struct bench_problem *problem, const void *out)
{
    struct bench_block block[BENCH_MAX_BLOCKS];

    for (int i = problem->output_blocks(out, block); i-- > 0;)
        memset(block[i].data, POISON, block[i].bytes);
}

static inline void check_guards(const struct bench_problem *problem, const char *name,
                                const void *out)
{
    struct bench_block block[BENCH_MAX_BLOCKS];

    for (int i = problem->output_blocks(out, block); i-- > 0;)
        assert_guard(name, block[i].data, block[i].bytes);
}

static inline void copy_output(const struct bench_problem *problem, const void *to,
                               const void *from)
{
    struct bench_block a[BENCH_MAX_BLOCKS], b[BENCH_MAX_BLOCKS];

    problem->output_blocks(to, a);
    for (int i = problem->output_blocks(from, b); i-- > 0;)
        memcpy(a[i].data, b[i].data, b[i].bytes);
}

static inline int same_bits(const struct bench_problem *problem, const void *one,
                            const void *other)
{
    struct bench_block a[BENCH_MAX_BLOCKS], b[BENCH_MAX_BLOCKS];
    int same = 1;

    problem->output_blocks(one, a);
    for (int i = problem->output_blocks(other, b); i-- > 0;)
        same &= !memcmp(a[i].data, b[i].data, b[i].bytes);
    return same;
}

/* The hooks in the harness's order, run twice with poison in between.  'once': the first run's
 * output, which must be the same; NULL: they may differ.  0: the variant did not take the
 * input. */
static inline int drive_twice(const struct bench_impl *impl, const struct bench_params *params,
                              int n_threads, struct bench_device *device, const void *in,
                              void *out, void *once)
{
    const int on_device = impl->target == BENCH_CUDA;
    const struct bench_ctx ctx = {.impl = impl,
                                  .params = params,
                                  .n_threads = n_threads,
                                  .stream = on_device ? bench_device_stream(device) : NULL,
                                  .n_sms = on_device ? bench_device_n_sms(device) : 0};
    void *state = calloc(1, impl->state_size);
    enum bench_status status;

    assert_non_null(state);
    status = impl->setup(state, &ctx, in, out);
    for (int run = 0; run < 2 && status == BENCH_OK; run++) {
        if (run > 0 && once)
            copy_output(impl->problem, once, out);
        poison_output(impl->problem, out);
        status = drive_once(impl, state, device);
    }
    impl->teardown(state);
    free(state);
    if (status != BENCH_OK && status != BENCH_ESKIP)
        fail_msg("%s: %s", impl->name, bench_failure());
    if (status == BENCH_OK && once && !same_bits(impl->problem, once, out))
        fail_msg("%s: another output of the same input", impl->name);
    check_guards(impl->problem, impl->name, out);
    return status == BENCH_OK;
}

/* True if a byte is in an input's blocks, by which inputs are told apart. */
static inline int is_in_blocks(const struct bench_problem *problem, const void *in,
                               const void *byte)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    int n_found = 0;

    for (int i = problem->input_blocks(in, block); i-- > 0;)
        n_found += (const char *)byte >= (const char *)block[i].data &&
                   (const char *)byte < (const char *)block[i].data + block[i].bytes;
    return n_found == 1;
}

static inline size_t output_bytes(const struct bench_problem *problem, const void *out)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    size_t bytes = 0;

    for (int i = problem->output_blocks(out, block); i-- > 0;)
        bytes += block[i].bytes;
    return bytes;
}

/* ---- keys ---- */

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

/* The problem's defaults, but for the pairs of names and values, which end with NULL. */
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

#define PARAMS_OF(problem, ...) \
    params_with(&(problem), (const char *const[]){__VA_ARGS__, NULL})

/* Add the round-th combination of a variant's keys; returns how many combinations there are. */
static inline int combine_keys(const struct bench_impl *impl, int round,
                               struct bench_params *params)
{
    int n = 1;

    for (const struct bench_key *key = impl->keys; key && key->name; key++) {
        const char *const words = key->kind == BENCH_CHOICE && key->choices ? key->choices
                                  : !strcmp(key->name, "cutoff")            ? "2|64|16384"
                                  : !strcmp(key->name, "chunk") /* most changes of threads */
                                      ? "1"
                                      : NULL;
        char word[32];

        if (words) {
            const int n_words = choice(words, round / n, word, sizeof word);

            assert_int_equal(bench_params_set(params, key, word, "test"), 0);
            n *= n_words;
        }
    }
    assert_int_equal(bench_params_default(params, impl->keys, "test"), BENCH_OK);
    return n;
}

#endif

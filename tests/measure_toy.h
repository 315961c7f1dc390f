/* measure_toy.h - a toy for tests of bench_measure(): numbers to be doubled */
#ifndef TESTS_MEASURE_TOY_H
#define TESTS_MEASURE_TOY_H

#include "harness/measure/measure.h"
#include "tests/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N          16
#define MAX_INPUTS 3
#define SAMPLES    9

struct toy_input {
    int number, value[N], *values; /* values: where they are, NULL: no program brings its own */
};

/* Two blocks: the numbers and their sum. */
struct toy_output {
    int twice[N], sum;
    int guard; /* not in the blocks: must stay as it is */
};

static inline int toy_in_blocks(const void *input, struct bench_block *blocks)
{
    blocks[0].data = (void *)(uintptr_t)((const struct toy_input *)input)->value;
    blocks[0].bytes = sizeof(int) * N;
    return 1;
}

static inline int toy_out_blocks(const void *output, struct bench_block *blocks)
{
    blocks[0].data = (void *)(uintptr_t)((const struct toy_output *)output)->twice;
    blocks[0].bytes = sizeof(int) * N;
    blocks[1].data = (void *)(uintptr_t) & ((const struct toy_output *)output)->sum;
    blocks[1].bytes = sizeof(int);
    return 2;
}

/* An input whose values may be changed behind a variant's back has to have them. */
static const struct bench_place toy_places[] = {
    {"values", offsetof(struct toy_input, values), _Alignof(int), false, false},
    {NULL, 0, 0, false, false}};

enum toy_memory {
    FORGETS,
    KEEPS_ONE,     /* its first output, and looks at nothing */
    KEEPS_TWO,     /* the last two, by what they were made of */
    KEEPS_CAPTURED /* of a card: computes where it is launched alone, keeps one in a graph */
};

/* A state's memory. */
struct toy_kept {
    int n, of[2][N];
    struct toy_output output[2];
};

static inline void toy_double(const struct toy_input *in, struct toy_output *out)
{
    out->sum = 0;
    for (int i = 0; i < N; i++) {
        out->twice[i] = 2 * in->value[i];
        out->sum += out->twice[i];
    }
}

/* True if 'out' came from memory, and took no time. */
static inline bool toy_remember(struct toy_kept *kept, enum toy_memory memory,
                                const struct toy_input *in, struct toy_output *out)
{
    for (int i = 0; i < kept->n && i < 2; i++)
        if (memory == KEEPS_ONE || !memcmp(kept->of[i], in->value, sizeof in->value)) {
            *out = kept->output[i];
            return true;
        }
    toy_double(in, out);
    memcpy(kept->of[kept->n % 2], in->value, sizeof in->value);
    kept->output[kept->n++ % 2] = *out;
    return false;
}

static inline enum bench_status toy_make_output(const void *input, void **output)
{
    *output = calloc(1, sizeof(struct toy_output));
    return *output ? BENCH_OK : BENCH_ENOMEM;
}

/* Passing outputs differ, too: in as many elements as the input's number, the first by none. */
static inline void toy_compare(const struct bench_params *params, const void *input,
                               const void *reference, const void *output,
                               struct bench_difference *difference)
{
    const struct toy_output *a = reference, *b = output;
    const int number = ((const struct toy_input *)input)->number;

    *difference = (struct bench_difference){.n_compared = N,
                                            .n_different = (size_t)number + 1,
                                            .max_error = number ? number : (double)NAN,
                                            .n_wrong = a->sum != b->sum};
    for (int i = 0; i < N; i++)
        difference->n_wrong += a->twice[i] != b->twice[i];
}

static struct config {
    struct toy_input in[MAX_INPUTS];
    struct toy_output out[MAX_INPUTS], reference[MAX_INPUTS];
    struct bench_plan plan;
    struct bench_machine machine;
    struct bench_params params;
    struct bench_result result;
    int n;
} config;

/* One input; time without end: the largest number of samples decides. */
static inline void config_begin(void)
{
    config = (struct config){.plan = {.series = 1u << BENCH_HOT,
                                      .scopes = 1u << BENCH_KERNEL,
                                      .times = true,
                                      .min_samples = 3,
                                      .max_samples = SAMPLES,
                                      .min_time_s = 1000,
                                      .timeout_s = 1000,
                                      .sustained_time_s = 1e-9},
                             .machine = {.n_cores = 1, .llc_bytes = 4096},
                             .n = 1};
    for (int k = 0; k < MAX_INPUTS; k++) {
        config.in[k].number = k;
        for (int i = 0; i < N; i++)
            config.in[k].value[i] = 100 * k + i + 1;
        config.in[k].values = config.in[k].value;
        toy_double(&config.in[k], &config.reference[k]);
        config.out[k].guard = 0x1234;
    }
}

static inline void config_end(void)
{
    for (int k = 0; k < MAX_INPUTS; k++)
        assert_int_equal(config.out[k].guard, 0x1234);
    bench_result_free(&config.result);
}

static inline enum bench_status config_measure(const struct bench_impl *impl,
                                               bool (*interrupted)(void))
{
    void *inputs[MAX_INPUTS], *outputs[MAX_INPUTS];
    const void *references[MAX_INPUTS];

    for (int k = 0; k < MAX_INPUTS; k++) {
        inputs[k] = &config.in[k];
        outputs[k] = &config.out[k];
        references[k] = &config.reference[k];
    }
    bench_result_free(&config.result);
    bench_failure_clear();
    return bench_measure(impl, &config.params, &config.plan, &config.machine, inputs,
                         references, outputs, config.n, interrupted, &config.result);
}

/* It ends so, and the sentence has the words. */
static inline void ends(const struct bench_impl *impl, enum bench_status status,
                        const char *words)
{
    assert_int_equal(config_measure(impl, NULL), status);
    assert_true(config.result.verified || status != BENCH_OK);
    if (!strstr(bench_failure(), words))
        fail_msg("no '%s' in: %s", words, bench_failure());
}

/* Each program's own: what stands around a configuration. */
static int set_up(void **unused);
static int tear_down(void **unused);

#undef TEST
#define TEST(name) TEST_WITH(name, set_up, tear_down)

static inline void anew(int n)
{
    tear_down(NULL);
    set_up(NULL);
    config.n = n;
}

#endif

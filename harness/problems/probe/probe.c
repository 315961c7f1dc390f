/*
 * probe.c - the problem "probe": input from random words, output, comparison
 *
 * probe.h has the definition, probe/model.h the arithmetic.
 */
#include "harness/problems/probe/probe.h"

#include "harness/base/random.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct bench_key keys[] = {
    {"operation", "copy", "", "what is done to each word", BENCH_CHOICE, 0, 0,
     "copy|fma|integer|mixed"},
    {"kib", "1024", "KiB", "words, as bytes; as many are written", BENCH_INT, 1, PROBE_MAX_KIB,
     NULL},
    {"pairs", "1024", "", "of operations on each word; a copy has none", BENCH_INT, 1,
     PROBE_MAX_PAIRS, NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static void free_input(void *input)
{
    struct probe_input *in = input;

    if (!in)
        return;
    free(in->words);
    free(in);
}

static void free_output(void *output)
{
    struct probe_output *out = output;

    if (!out)
        return;
    free(out->words);
    free(out);
}

static enum bench_status allocate(size_t n_words, uint32_t **words)
{
    *words = malloc(n_words * sizeof **words); /* at most 2^29 times a batch of 2^12 */
    if (!*words)
        return BENCH_FAIL(BENCH_ENOMEM, "probe: no memory for %zu words", n_words);
    return BENCH_OK;
}

static int is_float(const struct probe_input *in, size_t word)
{
    return in->operation == PROBE_FMA ||
           (in->operation == PROBE_MIXED && word < probe_frame_words(in) / 2);
}

static void fill_frame(struct probe_input *in, int frame)
{
    const size_t n = probe_frame_words(in);
    uint32_t *const words = in->words + (size_t)frame * n;

    for (size_t i = 0; i < n; i += 4) {
        const struct bench_words random =
            bench_philox((uint64_t)frame + 1, (uint32_t)(i / 4), 0, 0, 0);

        for (size_t k = 0; k < 4; k++)
            words[i + k] = is_float(in, i + k) ? 0x3F800000u | random.word[k] >> 9 /* [1, 2) */
                                               : random.word[k];
    }
}

/* How many frames there are is all that counts of them: the words are random. */
static enum bench_status make_input(const struct bench_params *params,
                                    const struct plane *const *frames, int n_frames,
                                    void **input)
{
    static const char *const operation[] = {"copy", "fma", "integer", "mixed"};
    struct probe_input *in;
    enum bench_status status;

    (void)frames;
    *input = NULL;
    if (n_frames < 1)
        return BENCH_FAIL(BENCH_EINPUT, "probe expects at least one frame, found %d", n_frames);
    in = calloc(1, sizeof *in);
    if (!in)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for an input of probe");
    in->n_frames = n_frames;
    in->kib = bench_int(params, "kib");
    in->pairs = bench_int(params, "pairs");
    for (int i = PROBE_COPY; i <= PROBE_MIXED; i++)
        if (bench_is(params, "operation", operation[i]))
            in->operation = i;
    status = allocate(probe_n_words(in), &in->words);
    if (status != BENCH_OK) {
        free_input(in);
        return status;
    }
    for (int k = 0; k < n_frames; k++)
        fill_frame(in, k);
    *input = in;
    return BENCH_OK;
}

static enum bench_status make_output(const void *input, void **output)
{
    const struct probe_input *in = input;
    struct probe_output *out = calloc(1, sizeof *out);
    enum bench_status status;

    *output = NULL;
    if (!out)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for an output of probe");
    out->n_words = probe_n_words(in);
    status = allocate(out->n_words, &out->words);
    if (status != BENCH_OK) {
        free_output(out);
        return status;
    }
    *output = out;
    return BENCH_OK;
}

static_assert(offsetof(struct probe_input, words) == 4 * sizeof(int32_t),
              "the hashed scalars must have no padding");

static int input_blocks(const void *input, struct bench_block *blocks)
{
    const struct probe_input *in = input;

    blocks[0].data = (void *)(uintptr_t)input;
    blocks[0].bytes = offsetof(struct probe_input, words);
    blocks[1].data = in->words;
    blocks[1].bytes = probe_n_words(in) * sizeof *in->words;
    return 2;
}

static int output_blocks(const void *output, struct bench_block *blocks)
{
    const struct probe_output *out = output;

    blocks[0].data = out->words;
    blocks[0].bytes = out->n_words * sizeof *out->words;
    return 1;
}

static int n_frames_of(const void *input)
{
    return ((const struct probe_input *)input)->n_frames;
}

static enum bench_match match(const struct bench_params *params)
{
    (void)params;
    return BENCH_EXACT;
}

static void compare(const struct bench_params *params, const void *input, const void *reference,
                    const void *output, struct bench_difference *difference)
{
    const struct probe_output *r = reference, *o = output;

    (void)params;
    (void)input;
    memset(difference, 0, sizeof *difference);
    if (r->n_words != o->n_words) {
        difference->n_wrong = 1;
        difference->max_error = 1;
        snprintf(difference->where, sizeof difference->where,
                 "an output of %zu words, the reference has %zu", o->n_words, r->n_words);
        return;
    }
    difference->n_compared = r->n_words;
    for (size_t i = 0; i < r->n_words; i++) {
        if (r->words[i] == o->words[i])
            continue;
        if (difference->n_wrong++ == 0)
            snprintf(difference->where, sizeof difference->where,
                     "word %zu: %08x, the reference has %08x", i, o->words[i], r->words[i]);
        difference->n_different++;
        difference->max_error = 1;
    }
}

/* Each word read and written once.  An operation is what probe.h says; of a copy it is a word. */
static void count_work(const void *input, const void *reference, struct bench_work *work)
{
    const struct probe_input *in = input;
    const double n = (double)probe_n_words(in);

    (void)reference;
    work->bytes = 2 * n * (double)sizeof *in->words;
    work->ops = in->operation == PROBE_COPY ? n : 2 * n * in->pairs;
}

static const char *const references[] = {"probe/serial", NULL};

const struct bench_problem probe_problem = {
    .name = "probe",
    .title = "copy words, or do chains of arithmetic with them: the ceilings of a machine",
    .keys = keys,
    .references = references,
    .make_input = make_input,
    .free_input = free_input,
    .make_output = make_output,
    .free_output = free_output,
    .input_blocks = input_blocks,
    .output_blocks = output_blocks,
    .n_frames = n_frames_of,
    .match = match,
    .compare = compare,
    .count_work = count_work,
};

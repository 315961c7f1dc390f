/*
 * probe.c - the problem "probe": input from random words, output, comparison
 *
 * probe.h has the definition, probe/model.h the arithmetic.
 */
#include "harness/problems/probe/probe.h"

#include "harness/base/random.h"
#include "harness/problems/arrays.h"
#include "harness/problems/difference.h"
#include "harness/problems/frames.h"

#include <assert.h>

#define OPERATIONS "copy|fma|integer|mixed" /* as enum probe_operation */

static const struct bench_key keys[] = {
    {"operation", "copy", "", "what is done to each word", BENCH_CHOICE, 0, 0, OPERATIONS},
    {"kib", "1024", "KiB", "words, as bytes; as many are written", BENCH_INT, 1, PROBE_MAX_KIB,
     NULL},
    {"pairs", "1024", "", "of operations on each word; a copy has none", BENCH_INT, 1,
     PROBE_MAX_PAIRS, NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static_assert(offsetof(struct probe_input, words) == 4 * sizeof(int32_t),
              "the hashed scalars must have no padding");

static int input_arrays(const void *input, struct array *array)
{
    const struct probe_input *in = input;

    array[0] = (struct array){"shape", ARRAY_SHAPE, offsetof(struct probe_input, words)};
    array[1] =
        ARRAY("words", probe_input, words, in->n_frames, in->kib, PROBE_WORDS_PER_KIB, 1);
    return 2;
}

static int output_arrays(const void *output, struct array *array)
{
    const struct probe_output *out = output;

    array[0] = ARRAY("words", probe_output, words, 1, 1, 1, 1);
    array[0].bytes *= out->n_words;
    return 1;
}

ARRAYS_HOOKS(input)
ARRAYS_HOOKS(output)

static void fill_frame(struct probe_input *in, int frame)
{
    const size_t n = probe_frame_words(in);
    uint32_t *const words = in->words + (size_t)frame * n;

    for (size_t i = 0; i < n; i += 4) {
        const struct bench_words random =
            bench_philox((uint64_t)frame + 1, (uint32_t)(i / 4), 0, 0, 0);

        for (size_t k = 0; k < 4; k++)
            words[i + k] = probe_is_float(in, i + k)
                               ? 0x3F800000u | random.word[k] >> 9 /* [1, 2) */
                               : random.word[k];
    }
}

/* The words are random: nothing counts of the frames but their number. */
static enum bench_status make_input(const struct bench_params *params,
                                    const struct plane *const *frames, int n_frames,
                                    void **input)
{
    const struct probe_input shape = {
        .n_frames = n_frames,
        .kib = bench_int(params, "kib"),
        .operation = bench_choice(OPERATIONS, bench_word(params, "operation")),
        .pairs = bench_int(params, "pairs")};

    (void)frames;
    *input = NULL;
    REFUSE_IF(n_frames < 1, "probe expects at least one frame, found %d", n_frames);
    TRY(arrays_new(&shape, sizeof shape, input_arrays, input));
    for (int k = 0; k < n_frames; k++)
        fill_frame(*input, k);
    return BENCH_OK;
}

static enum bench_status make_output(const void *input, void **output)
{
    const struct probe_output shape = {.n_words = probe_n_words(input)};

    return arrays_new(&shape, sizeof shape, output_arrays, output);
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
    if (r->n_words != o->n_words) {
        difference_wrong(difference, 1, "an output of %zu words, the reference has %zu",
                         o->n_words, r->n_words);
    } else {
        difference->n_compared = r->n_words;
        for (size_t i = 0; i < r->n_words; i++)
            if (r->words[i] != o->words[i])
                difference_wrong(difference, 1, "word %zu: %08x, the reference has %08x", i,
                                 o->words[i], r->words[i]);
        difference->n_different = difference->n_wrong;
    }
    difference->max_error = difference->n_wrong > 0 ? 1 : 0;
}

/* Each word read and written once.  An operation is what probe.h says; of a copy a word. */
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
    ARRAYS_PROBLEM,
    .compare = compare,
};

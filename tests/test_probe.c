/* test_probe.c - the chains of problem "probe", for every variant, whole and shortened */
#include "harness/measure/measure.h"
#include "harness/problems/probe/probe.h"
#include "tests/variants.h"

#include <math.h>
#include <stdio.h>

static float as_float(uint32_t word)
{
    float value;

    memcpy(&value, &word, sizeof value);
    return value;
}

static uint32_t as_word(float value)
{
    uint32_t word;

    memcpy(&word, &value, sizeof word);
    return word;
}

/* The definition of probe.h, a word and an operation at a time. */
static uint32_t expected_word(enum probe_operation operation, bool first_half, uint32_t word,
                              int pairs)
{
    const bool is_float = operation == PROBE_FMA || (operation == PROBE_MIXED && first_half);
    float x = as_float(word);

    if (operation == PROBE_COPY)
        return word;
    for (int k = 0; k < 2 * pairs; k++)
        if (is_float)
            x = k % 2 ? fmaf(x, 0.577350259f, -0.183775336f)
                      : fmaf(x, 1.73205078f, 0.318309873f);
        else
            word = k % 2 ? word + 0x7F4A7C15u : word ^ 0x9E3779B9u;
    return is_float ? as_word(x) : word;
}

static struct probe_input *make_input(struct bench_params *params, const char *operation,
                                      int kib, int pairs, int n_frames)
{
    const struct plane *frames[8] = {NULL};
    char kib_text[16], pairs_text[16];
    void *input;

    snprintf(kib_text, sizeof kib_text, "%d", kib);
    snprintf(pairs_text, sizeof pairs_text, "%d", pairs);
    *params =
        PARAMS_OF(probe_problem, "operation", operation, "kib", kib_text, "pairs", pairs_text);
    assert_int_equal(probe_problem.make_input(params, frames, n_frames, &input), BENCH_OK);
    return keep(input, probe_problem.free_input);
}

/* ---- the problem ---- */

TEST(pairs_by_hand)
{
    /* 1.73205078 + 0.318309873 is 2.05036068 as a float, and that times 0.577350259 less
     * 0.183775336 is 1.000000934: the float nearest to it is 8 steps above 1 */
    assert_int_equal(as_word(probe_fma_pair(1.0f)), 0x3F800008u);
    assert_int_equal(probe_integer_pair(0), 0x1D81F5CEu); /* 9E3779B9 + 7F4A7C15, mod 2^32 */
    assert_int_equal(probe_integer_pair(0x9E3779B9u), 0x7F4A7C15u);
}

TEST(floats_stay_floats)
{
    const float ends[] = {1.0f, 1.5f, as_float(0x3FFFFFFFu)};

    for (int k = 0; k < 3; k++) {
        float x = ends[k];

        for (int pair = 0; pair < PROBE_MAX_PAIRS; pair++) {
            const float before = x;

            x = probe_fma_pair(x);
            assert_true(x > before); /* each pair shows in the result */
        }
        assert_true(x < 3);
    }
}

TEST(words_of_an_input)
{
    struct bench_params params;
    struct probe_input *in, *again;
    const size_t n = 3 * 256;
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    void *output;

    in = make_input(&params, "mixed", 3, 1, 2);
    assert_int_equal(probe_problem.input_blocks(in, blocks), 2);
    assert_ptr_equal(blocks[0].data, in);
    assert_int_equal(blocks[0].bytes, offsetof(struct probe_input, words));
    again = make_input(&params, "mixed", 3, 1, 2);
    assert_int_equal(probe_n_words(in), 2 * n);
    assert_memory_equal(in->words, again->words, 2 * n * sizeof *in->words);
    assert_memory_not_equal(in->words, in->words + n, n * sizeof *in->words);
    for (size_t i = 0; i < n / 2; i++)
        assert_true(as_float(in->words[i]) >= 1 && as_float(in->words[i]) < 2);
    assert_int_equal(probe_problem.make_output(in, &output), BENCH_OK);
    assert_int_equal(((struct probe_output *)output)->n_words, 2 * n);
    memset(((struct probe_output *)output)->words, POISON, 2 * n * sizeof *in->words);
    probe_problem.free_output(output);
    probe_problem.free_output(NULL);
    probe_problem.free_input(NULL);
}

TEST(work_is_counted)
{
    static const struct {
        const char *operation;
        int kib, pairs, n_frames;
        struct bench_work work;
    } cases[] = {{"copy", 2, 99, 3, {.bytes = 3 * 2 * 1024 * 2, .ops = 3 * 2 * 256}},
                 {"fma", 1, 5, 1, {.bytes = 1024 * 2, .ops = 256 * 2 * 5}},
                 {"mixed", 1, 5, 2, {.bytes = 2 * 1024 * 2, .ops = 2 * 256 * 2 * 5}}};

    for (int i = 0; i < N_OF(cases); i++) {
        struct bench_work work = {0, 0};
        struct bench_params params;
        struct probe_input *in = make_input(&params, cases[i].operation, cases[i].kib,
                                            cases[i].pairs, cases[i].n_frames);

        probe_problem.count_work(in, NULL, &work);
        assert_true(work.bytes == cases[i].work.bytes);
        assert_true(work.ops == cases[i].work.ops);
    }
}

/* ---- variants ---- */

static void check_variant(const struct bench_impl *impl, const struct bench_params *params,
                          const struct probe_input *in, int n_threads)
{
    const size_t n = probe_n_words(in), half = probe_frame_words(in) / 2;
    struct probe_output out = {.n_words = n, .words = kept_guarded(n * sizeof *out.words)},
                        once = {.n_words = n, .words = kept_guarded(n * sizeof *out.words)};

    assert_true(run_counted(impl, params, n_threads, in, &out, &once));
    for (size_t i = 0; i < n; i++) {
        const uint32_t expected = expected_word((enum probe_operation)in->operation,
                                                i / half % 2 == 0, in->words[i], in->pairs);

        if (out.words[i] != expected)
            fail_msg("%s, operation %d, %d KiB, %d pairs: word %zu is %08x, expected %08x",
                     impl->name, in->operation, in->kib, in->pairs, i, out.words[i], expected);
    }
}

/* 8 KiB are more than one block of a GPU variant, 3 no whole number of anything. */
TEST(every_variant_is_exact)
{
    static const char *const operation[] = {"copy", "fma", "integer", "mixed"};
    static const struct {
        int kib, pairs, n_frames;
    } shape[] = {{1, 1, 1}, {1, 37, 3}, {3, 16, 2}, {8, 100, 1}, {17, 15, 1}};

    for (int i = 0; bench_impls[i]; i++) {
        const struct bench_impl *const impl = bench_impls[i];
        const int most_threads = impl->target == BENCH_OPENMP ? 3 : 1;

        if (!is_to_run(&probe_problem, impl))
            continue;
        for (int k = 0; k < 4 * N_OF(shape); k++) {
            struct bench_params params;
            struct probe_input *in = make_input(&params, operation[k % 4], shape[k / 4].kib,
                                                shape[k / 4].pairs, shape[k / 4].n_frames);

            for (int threads = 1; threads <= most_threads; threads++)
                check_variant(impl, &params, in, threads);
        }
    }
}

/* ---- parts of a GPU ---- */

/* The stream's blocks run on as many multiprocessors as it has, and later on all of them. */
TEST(a_part_of_the_gpu_is_that_part)
{
    static const int parts[] = {8, 16, 24};
    int whole, counted = 0, n_parts = 0;

    if (!device)
        SKIP("no GPU: parts of it");
    whole = bench_device_n_sms(device);
    assert_int_equal(whole, bench_device_describe(device)->sm_count);
    assert_int_equal(bench_device_count_sms(device, &counted), BENCH_OK);
    assert_int_equal(counted, whole);
    for (int i = 0; i < N_OF(parts); i++) {
        const enum bench_status status = bench_device_take_sms(device, parts[i]);

        if (status ==
            BENCH_ESKIP) { /* with a sentence: no green contexts, or fewer processors */
            assert_non_null(strstr(bench_failure(), "sms = "));
            assert_int_equal(bench_device_n_sms(device), whole);
            continue;
        }
        assert_int_equal(status, BENCH_OK);
        assert_int_equal(bench_device_n_sms(device), parts[i]);
        assert_int_equal(bench_device_count_sms(device, &counted), BENCH_OK);
        assert_int_equal(counted, parts[i]);
        every_variant_is_exact(NULL);
        n_parts++;
    }
    print_message("parts of the GPU: %d of %d\n", n_parts, N_OF(parts));
    assert_int_equal(bench_device_take_sms(device, whole + 1), BENCH_ESKIP);
    assert_int_equal(bench_device_take_sms(device, 0), BENCH_OK);
    assert_int_equal(bench_device_count_sms(device, &counted), BENCH_OK);
    assert_int_equal(counted, whole);
}

/* ---- what is left out shows ---- */

/* Chains of one pair less, or with products rounded before the sums; a bit, a missing word. */
TEST(shortened_chains_are_wrong)
{
    enum { WORDS = 256 };
    struct bench_params params;
    struct probe_input *in = make_input(&params, "mixed", 1, 64, 1);
    uint32_t right[WORDS], shorter[WORDS], rounded[WORDS], bit[WORDS];
    struct probe_output reference = {.n_words = WORDS, .words = right};
    const struct {
        struct probe_output output;
        size_t least, most; /* wrong words */
        const char *where;
    } cases[] = {{{.n_words = WORDS, .words = right}, 0, 0, ""},
                 {{.n_words = WORDS, .words = shorter}, WORDS, WORDS, ""},
                 {{.n_words = WORDS, .words = rounded}, WORDS / 3 + 1, WORDS, ""},
                 {{.n_words = WORDS, .words = bit}, 1, 1, "word 255"},
                 {{.n_words = WORDS - 1, .words = right}, 1, 1, ""}};

    assert_int_equal(probe_n_words(in), WORDS);
    for (int i = 0; i < WORDS; i++) {
        volatile float x = as_float(in->words[i]);

        for (int pair = 0; pair < 64; pair++) {
            x = x * 1.73205078f;
            x = x + 0.318309873f;
            x = x * 0.577350259f;
            x = x + -0.183775336f;
        }
        right[i] = expected_word(PROBE_MIXED, i < WORDS / 2, in->words[i], 64);
        shorter[i] = expected_word(PROBE_MIXED, i < WORDS / 2, in->words[i], 63);
        rounded[i] = i < WORDS / 2 ? as_word(x) : right[i];
        bit[i] = right[i] ^ (i == WORDS - 1);
    }
    for (int i = 0; i < N_OF(cases); i++) {
        struct bench_difference difference = {0};

        probe_problem.compare(&params, NULL, &reference, &cases[i].output, &difference);
        assert_in_range(difference.n_wrong, cases[i].least, cases[i].most);
        assert_true(!*cases[i].where || strstr(difference.where, cases[i].where));
    }
}

int main(void)
{
    return run_variant_tests();
}

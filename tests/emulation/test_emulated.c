/*
 * test_emulated.c - the GPU variants, emulated on the CPU, against their references
 *
 * Every variant for CUDA that the registry lists, in the combinations of its keys, on small
 * inputs made of generated scenes: exact results bit for bit, others within the problem's
 * tolerance.  What the emulator sees by itself fails a run, too: emulator.h.  Each run draws
 * its order of threads and blocks from a number of its own.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/measure/device.h"
#include "harness/measure/impl.h"
#include "harness/measure/measure.h"
#include "harness/measure/problem.h"
#include "harness/base/random.h"
#include "harness/inputs/plane.h"
#include "harness/inputs/scene.h"
#include "tests/drive.h"
#include "tests/emulation/emulator.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define MAX_FRAMES  3
#define MAX_PAIRS   12

enum view {
    SCENE,
    NOISE, /* as many cuts as there can be */
    HOLES, /* a scene whose columns have many, few, one or no valid rows */
    EMPTY  /* nothing is valid */
};

struct trial {
    const char *problem;
    int width, height, n_frames;
    enum view view;
    enum {
        LONG,  /* few of the combinations of the variant's keys, others are slow here */
        SHORT, /* all, or of many a third */
        QUICK  /* and such inputs must show that a barrier is missing */
    } size;
    const char *pairs[MAX_PAIRS]; /* the problem's keys and values */
};

/* Heights around multiples of 32, 1, the most; more columns than a tile, warp and block. */
static const struct trial trials[] = {
    {"rdp", 5, 1, 1, SCENE, SHORT, {"eps", "0"}},
    {"rdp", 3, 2, 2, NOISE, SHORT, {"eps", "0"}},
    {"rdp", 6, 31, 1, NOISE, SHORT, {"eps", "0", "distance", "perpendicular"}},
    {"rdp", 70, 33, 2, HOLES, SHORT, {"eps", "1"}},
    {"rdp", 1290, 3, 1, SCENE, SHORT, {"eps", "1"}},
    {"rdp", 66, 64, 2, SCENE, SHORT, {"eps", "0.5", "distance", "perpendicular"}},
    {"rdp", 9, 100, 1, NOISE, QUICK, {"eps", "4"}},
    {"rdp", 9, 96, 2, EMPTY, SHORT, {NULL}},
    {"rdp", 8, 300, 2, HOLES, QUICK, {"eps", "0.25"}},
    {"rdp", 4, 513, 1, NOISE, QUICK, {"eps", "2"}},
    {"rdp", 1, 1024, 1, SCENE, SHORT, {"eps", "1", "distance", "perpendicular"}},
    {"rdp", 3, 1024, 2, HOLES, SHORT, {"eps", "0.25"}},
    {"rdp", 2, 1025, 1, HOLES, QUICK, {"eps", "0"}},
    {"rdp", 1, 6000, 1, SCENE, QUICK, {"eps", "0.25"}},
    {"rdp", 2, 3000, 2, NOISE, LONG, {"eps", "20", "distance", "perpendicular"}},
    {"stixels", 40, 8, 1, SCENE, SHORT, {"block", "8", "arith", "exact"}},
    {"stixels", 40, 8, 2, SCENE, SHORT, {"block", "8", "classes", "0"}},
    {"stixels", 20, 132, 2, SCENE, QUICK, {"block", "4", "arith", "exact", "classes", "5"}},
    {"stixels", 12, 268, 1, HOLES, QUICK, {"block", "4", "classes", "18"}},
    {"stixels", 72, 104, 2, SCENE, SHORT, {"block", "8", "classes", "19"}},
    {"stixels", 48, 80, 1, HOLES, SHORT, {"block", "8", "classes", "32", "arith", "exact"}},
    {"stixels", 24, 90, 3, SCENE, QUICK, {"block", "3x6", "classes", "7"}},
    {"stixels", 15, 130, 2, HOLES, QUICK, {"block", "2x5", "classes", "0", "arith", "exact"}},
    {"stixels", 16, 64, 2, EMPTY, SHORT, {"block", "8", "classes", "0"}},
    {"stixels", 16, 200, 1, SCENE, QUICK, {"block", "4", "model", "b6", "classes", "18"}},
    {"stixels", 16, 72, 2, HOLES, SHORT, {"block", "4", "model", "b6", "arith", "exact"}},
    {"stixels", 17, 75, 1, NOISE, QUICK, {"block", "1x8", "model", "b6", "arith", "exact"}},
    {"stixels", 8, 260, 1, SCENE, QUICK, {"block", "4", "model", "b6", "arith", "exact"}},
    {"stixels", 9, 1, 1, SCENE, SHORT, {"block", "1x8", "model", "b6", "arith", "exact"}},
    {"stixels", 16, 64, 1, EMPTY, SHORT, {"block", "4", "model", "b6", "arith", "exact"}},
    {"stixels", 8, 1200, 1, SCENE, LONG, {"block", "4", "classes", "4"}},
    {"stixels", 4, 4096, 1, SCENE, LONG, {"block", "4", "classes", "3"}},
    {"stixels", 1, 1024, 1, HOLES, LONG, {"block", "1", "classes", "0", "arith", "exact"}},
    {"probe", 1, 1, 1, EMPTY, SHORT, {"operation", "copy", "kib", "17"}},
    {"probe", 1, 1, 3, EMPTY, SHORT, {"operation", "fma", "kib", "1", "pairs", "33"}},
    {"probe", 1, 1, 2, EMPTY, SHORT, {"operation", "integer", "kib", "9", "pairs", "5"}},
    {"probe", 1, 1, 1, EMPTY, SHORT, {"operation", "mixed", "kib", "3", "pairs", "17"}},
};

static struct bench_device *device;
static uint64_t n_runs; /* the number that a run draws from */
static int n_skipped;

/* ---- inputs ---- */

static void make_frame(const struct trial *t, int k, struct plane *plane)
{
    const struct scene_options options = {.width = t->width,
                                          .height = t->height,
                                          .seed = (uint64_t)(100 + k),
                                          .level = SCENE_NORMAL};

    assert_int_equal(scene_make(&options, plane), BENCH_OK);
    for (int v = 0; v < t->height; v++)
        for (int u = 0; u < t->width; u++) {
            uint16_t *const d = &plane->disparity[(size_t)v * (size_t)t->width + (size_t)u];
            const uint32_t word =
                bench_philox(7, (uint32_t)u, (uint32_t)v, (uint32_t)k, 0).word[0];
            /* of four columns one is whole, one has a third of its rows, one a row, one none */
            const int keeps = u % 4 == 0   ? 1
                              : u % 4 == 1 ? bench_below(word, 3) == 0
                              : u % 4 == 2 ? v == t->height / 2
                                           : 0;

            if (t->view == NOISE)
                *d = (uint16_t)bench_below(word, 127 * DISPARITY_SCALE);
            else if (t->view == EMPTY || (t->view == HOLES && !keeps))
                *d = DISPARITY_INVALID;
        }
}

/* ---- runs ---- */

/* A trial's input, and the output to compare its variants with. */
struct prepared {
    const struct trial *trial;
    const struct bench_problem *problem;
    struct bench_params params;
    struct plane plane[MAX_FRAMES];
    void *input, *expected, *found;
    const struct bench_impl *reference; /* 'expected' is its output */
};

static void prepare(const struct trial *t, struct prepared *c)
{
    const struct plane *frames[MAX_FRAMES];

    memset(c, 0, sizeof *c);
    c->trial = t;
    c->problem = bench_find_problem(t->problem);
    assert_non_null(c->problem);
    c->params = params_with(c->problem, t->pairs);
    for (int k = 0; k < t->n_frames; k++) {
        make_frame(t, k, &c->plane[k]);
        frames[k] = &c->plane[k];
    }
    if (c->problem->make_input(&c->params, frames, t->n_frames, &c->input) != BENCH_OK)
        fail_msg("%s", bench_failure());
    assert_int_equal(c->problem->make_output(c->input, &c->expected), BENCH_OK);
    assert_int_equal(c->problem->make_output(c->input, &c->found), BENCH_OK);
}

static void release(struct prepared *c)
{
    c->problem->free_output(c->found);
    c->problem->free_output(c->expected);
    c->problem->free_input(c->input);
    for (int k = 0; k < MAX_FRAMES; k++)
        plane_free(&c->plane[k]);
}

enum outcome { RIGHT, NOT_THEIRS, WRONG };

/* The variant that has the same bits: the reference, or on the CPU the one of its rule. */
static const struct bench_impl *reference_of(const struct bench_impl *impl)
{
    const char *const behind = strstr(impl->name, "gpu-");
    char name[64];

    if (!impl->other || !behind)
        return bench_find_impl(impl->reference);
    snprintf(name, sizeof name, "%.*s%s", (int)(behind - impl->name), impl->name, behind + 4);
    return bench_find_impl(name);
}

/* One run; what is wrong is in 'text'. */
static enum outcome run_variant(struct prepared *c, const struct bench_impl *impl, int round,
                                char *text, size_t size)
{
    const struct bench_impl *const reference = reference_of(impl);
    struct bench_difference difference = {0};
    struct bench_params params = c->params, references = c->params;
    enum bench_status status;
    char values[512];
    int n;

    assert_non_null(reference);
    if (c->reference != reference) {
        if (c->problem->reference_params)
            c->problem->reference_params(&c->params, &references);
        bench_params_default(&references, reference->keys, "test");
        /* when this fails, the variant is not for this input, either */
        if (bench_once(reference, &references, 1, NULL, c->input, c->expected) == BENCH_OK)
            c->reference = reference;
    }
    combine_keys(impl, round, &params);
    emulated_forget_failure();
    emulated_seed(++n_runs);
    /* a variant that sizes itself by the GPU does so by half of it, too */
    assert_int_equal(bench_device_take_sms(device, (int)(n_runs % 2)), BENCH_OK);
    status = bench_once(impl, &params, 1, device, c->input, c->found);
    if (status == BENCH_ESKIP)
        return NOT_THEIRS;
    bench_params_text(&params, values, sizeof values);
    n = snprintf(text, size, "%s, %d x %d, %d frames, order %llu, %s: ", impl->name,
                 c->trial->width, c->trial->height, c->trial->n_frames,
                 (unsigned long long)n_runs, values);
    if (status != BENCH_OK) {
        snprintf(text + n, size - (size_t)n, "%s", bench_failure());
        return WRONG;
    }
    assert_ptr_equal(c->reference, reference);
    /* another rule goes on from float's near-ties, which may fall otherwise */
    (impl->other && c->problem->match(&params) != BENCH_EXACT
         ? c->problem->compare_other
         : c->problem->compare)(&params, c->input, c->expected, c->found, &difference);
    snprintf(text + n, size - (size_t)n, "%zu wrong, %zu of %zu different, first %s",
             difference.n_wrong, difference.n_different, difference.n_compared,
             difference.where);
    return difference.n_wrong > 0 ||
                   (c->problem->match(&params) == BENCH_EXACT && difference.n_different > 0)
               ? WRONG
               : RIGHT;
}

/* Run the variants on a trial, with the combinations for its size; true: wrong, by 'text'. */
static bool goes_wrong(const struct trial *t, bool each, char *text, size_t size)
{
    struct prepared c;
    int n_of[WRONG + 1] = {0};

    prepare(t, &c);
    for (int k = 0; bench_impls[k] && !n_of[WRONG]; k++) {
        const struct bench_impl *const impl = bench_impls[k];
        struct bench_params params = c.params;
        int n_rounds, step = 1, from = 0;

        if (impl->problem != c.problem || impl->target != BENCH_CUDA)
            continue;
        n_rounds = combine_keys(impl, 0, &params);
        /* asan is slow, too */
        if (!each && n_rounds > 2 && (t->size == LONG || !emulated_sees_memory())) {
            /* the first key keeps its second word: dp = b */
            step = (n_rounds + 1) / 2;
            from = 1;
        } else if (!each && n_rounds > 20) {
            step = 3; /* others for each trial */
            from = (int)(t - trials) % step;
        }
        for (int round = from; round < n_rounds && !n_of[WRONG]; round += step)
            n_of[run_variant(&c, impl, round, text, size)]++;
    }
    release(&c);
    n_skipped += n_of[NOT_THEIRS];
    assert_true(n_of[RIGHT] + n_of[WRONG] > 0);
    return n_of[WRONG] > 0;
}

static void emulated(void **state)
{
    const char *const problem = *state;
    char text[2048];

    for (int k = 0; k < N_OF(trials); k++)
        if (!strcmp(trials[k].problem, problem) &&
            goes_wrong(&trials[k], false, text, sizeof text))
            fail_msg("%s", text);
}

/* ---- a variant without one of its barriers is found out ---- */

/* True if any run of the place's problem goes wrong. */
static bool is_noticed(const struct emulated_place *place)
{
    char text[2048];

    for (int k = 0; k < N_OF(trials); k++)
        if (trials[k].size == QUICK && strstr(place->file, trials[k].problem) &&
            goes_wrong(&trials[k], true, text, sizeof text))
            return true;
    return false;
}

static void every_barrier_is_missed(void **state)
{
    static const struct emulated_place all = {"rdp stixels", 0};
    const struct emulated_place *met;
    struct emulated_place places[EMULATED_MAX_PLACES];
    int n, n_unmissed = 0;

    if (!emulated_sees_memory())
        skip(); /* then a race shows in the result alone, or never ends */
    assert_false(is_noticed(&all));
    n = emulated_places(&met);
    assert_true(n > 0 && n < EMULATED_MAX_PLACES);
    memcpy(places, met, (size_t)n * sizeof *places);
    for (int k = 0; k < n; k++) {
        emulated_leave_out(&places[k]);
        if (!is_noticed(&places[k])) {
            print_message("%s:%d: nothing goes wrong without this barrier\n", places[k].file,
                          places[k].line);
            n_unmissed++;
        }
    }
    emulated_leave_out(NULL);
    print_message("%d barriers left out one by one, %d of them unnoticed\n", n, n_unmissed);
    assert_true(n_unmissed <= n / 10); /* one that nothing needs is no fault, but time */
}

static void kernels_were_run(void **state)
{
    const struct emulated_counts counts = emulated_count();

    print_message("emulated, no GPU: %lld launches of %lld blocks, %lld threads, %lld barriers "
                  "in %llu runs; %d runs were not for their variant\n",
                  counts.n_launches, counts.n_blocks, counts.n_threads, counts.n_barriers,
                  (unsigned long long)n_runs, n_skipped);
    assert_true(counts.n_launches > 0);
}

/* "barriers": that test alone, since it takes as long as the others. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        {.name = "rdp_emulated", .test_func = emulated, .initial_state = (char[]){"rdp"}},
        {.name = "stixels_emulated",
         .test_func = emulated,
         .initial_state = (char[]){"stixels"}},
        {.name = "probe_emulated", .test_func = emulated, .initial_state = (char[]){"probe"}},
        cmocka_unit_test(kernels_were_run),
    };
    const struct CMUnitTest barriers[] = {
        cmocka_unit_test(every_barrier_is_missed),
        cmocka_unit_test(kernels_were_run),
    };
    int failed;

    if (bench_device_open(0, &device))
        return 1;
    if (argc > 1 && !strcmp(argv[1], "barriers"))
        failed = cmocka_run_group_tests(barriers, NULL, NULL);
    else
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    bench_device_close(device);
    return failed;
}

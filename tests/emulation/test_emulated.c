/*
 * test_emulated.c - the GPU variants, emulated on the CPU, against their references
 *
 * Every variant for CUDA that the registry lists, in the combinations of its keys, on small
 * inputs made of generated scenes, the trials: exact results bit for bit, others within the
 * problem's tolerance.  What the emulator sees by itself fails a run, too: emulator.h.  Each
 * run draws its order of threads and blocks from a number of its own.
 *
 * tests/emulation/PROBLEM.trials has a trial in each line: WIDTH HEIGHT FRAMES VIEW SIZE, then
 * the problem's keys as KEY=VALUE.
 */
#include "harness/measure/device.h"
#include "harness/measure/impl.h"
#include "harness/measure/measure.h"
#include "harness/measure/problem.h"
#include "harness/base/random.h"
#include "harness/inputs/plane.h"
#include "harness/inputs/scene.h"
#include "harness/inputs/views.h"
#include "harness/problems/chain.h"
#include "tests/drive.h"
#include "tests/emulation/emulator.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MAX_FRAMES 3
#define MAX_PAIRS  12
#define MAX_TRIALS 64
#define MAX_RUNS   2048

#define VIEWS "scene|noise|holes|empty"
enum view {
    SCENE,
    NOISE, /* as many cuts as there can be */
    HOLES, /* a scene whose columns have many, few, one or no valid rows */
    EMPTY  /* nothing is valid */
};

#define SIZES "long|short|quick"
enum size {
    LONG,  /* few of the combinations of the variant's keys, others are slow here */
    SHORT, /* all, or of many a third */
    QUICK  /* and such inputs must show that a barrier is missing */
};

struct trial {
    const struct bench_problem *problem;
    int width, height, n_frames;
    enum view view;
    enum size size;
    char text[128];               /* its line, whose words the pairs are */
    const char *pairs[MAX_PAIRS]; /* the problem's keys and values; behind them NULL */
};

static struct trial trials[MAX_TRIALS];
static int n_trials;

static struct bench_device *device;
static uint64_t n_runs; /* the number that a run draws from */
static int n_skipped;

/* ---- trials ---- */

static void read_trial(const struct bench_problem *problem, const char *line)
{
    struct trial *const t = &trials[n_trials++];
    char view[8], size[8], *word;
    int at = 0, n = 0;

    assert_true(n_trials < MAX_TRIALS);
    t->problem = problem;
    snprintf(t->text, sizeof t->text, "%s", line);
    sscanf(line, "%d %d %d %7s %7s%n", &t->width, &t->height, &t->n_frames, view, size, &at);
    if (at == 0 || t->n_frames < 1 || t->n_frames > MAX_FRAMES ||
        bench_choice(VIEWS, view) < 0 || bench_choice(SIZES, size) < 0)
        fail_msg("%s.trials: expected WIDTH HEIGHT FRAMES (1 to %d) " VIEWS " " SIZES
                 ", found %s",
                 problem->name, MAX_FRAMES, line);
    t->view = (enum view)bench_choice(VIEWS, view);
    t->size = (enum size)bench_choice(SIZES, size);
    for (word = strtok(t->text + at, " =\n"); word; word = strtok(NULL, " =\n")) {
        assert_true(n < MAX_PAIRS - 1);
        t->pairs[n++] = word;
    }
}

/* Chains have test_chain. */
static bool has_variants(const struct bench_problem *problem)
{
    if (chain_of(problem))
        return false;
    for (int k = 0; bench_impls[k]; k++)
        if (bench_impls[k]->problem == problem && bench_impls[k]->target == BENCH_CUDA)
            return true;
    return false;
}

/* Reads those of a problem, of which a variant for CUDA needs one. */
static void read_trials(const struct bench_problem *problem)
{
    char path[128], line[128];
    FILE *file;

    snprintf(path, sizeof path, "tests/emulation/%s.trials", problem->name);
    file = fopen(path, "r");
    if (!file)
        fail_msg("%s has a GPU variant that nobody tries: %s is not there", problem->name,
                 path);
    while (fgets(line, sizeof line, file))
        if (*line != '#')
            read_trial(problem, line);
    fclose(file);
}

/* ---- inputs ---- */

static void make_frame(const struct trial *t, int k, struct plane *plane)
{
    const struct scene_options options = {.width = t->width,
                                          .height = t->height,
                                          .seed = (uint64_t)(100 + k),
                                          .level = SCENE_NORMAL};

    assert_int_equal(scene_make(&options, plane), BENCH_OK);
    assert_int_equal(views_draw(options.seed, plane), BENCH_OK);
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
    c->problem = t->problem;
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
    combine_keys(impl, round, &params);
    if (c->reference != reference || impl->other) {
        c->reference = NULL;
        if (c->problem->reference_params)
            c->problem->reference_params(&c->params, &references);
        for (int i = 0; impl->other && i < params.n; i++) { /* it has the variant's keys */
            const struct bench_key *const key =
                bench_find_key(reference->keys, params.item[i].key->name);

            if (key && !bench_has(&references, key->name))
                assert_int_equal(
                    bench_params_set(&references, key, params.item[i].text, "test"), BENCH_OK);
        }
        bench_params_default(&references, reference->keys, "test");
        /* when this fails, the variant is not for this input, either */
        if (bench_once(reference, &references, 1, NULL, c->input, c->expected) == BENCH_OK)
            c->reference = reference;
    }
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

/* The barriers that each run meets, of all quick trials; the one that is left out, -1: none. */
static bool meets[MAX_RUNS][EMULATED_MAX_PLACES];
static int left_out = -1;

/* Run the variants on a trial, with the combinations for its size; true: wrong, by 'text'.
 * With a number of the run, which counts on: all combinations that meet what is left out. */
static bool goes_wrong(const struct trial *t, int *run, char *text, size_t size)
{
    const struct emulated_place *places;
    const bool *are_met;
    struct prepared c;
    int n_of[WRONG + 1] = {0};

    (void)emulated_places(&places, &are_met);
    prepare(t, &c);
    for (int k = 0; bench_impls[k] && !n_of[WRONG]; k++) {
        const struct bench_impl *const impl = bench_impls[k];
        struct bench_params params = c.params;
        int n_rounds, step = 1, from = 0;

        if (impl->problem != c.problem || impl->target != BENCH_CUDA)
            continue;
        n_rounds = combine_keys(impl, 0, &params);
        /* asan is slow, too */
        if (!run && n_rounds > 2 && (t->size == LONG || !emulated_sees_memory())) {
            /* the first key keeps its second word: dp = b */
            step = (n_rounds + 1) / 2;
            from = 1;
        } else if (!run && n_rounds > 20) {
            step = 3; /* others for each trial */
            from = (int)(t - trials) % step;
        }
        for (int round = from; round < n_rounds && !n_of[WRONG]; round += step) {
            const int now = run ? (*run)++ : 0;

            assert_true(now < MAX_RUNS);
            if (run && left_out >= 0 && !meets[now][left_out])
                continue;
            n_of[run_variant(&c, impl, round, text, size)]++;
            if (run && left_out < 0)
                memcpy(meets[now], are_met, sizeof meets[now]);
        }
    }
    release(&c);
    n_skipped += n_of[NOT_THEIRS];
    assert_true(run || n_of[RIGHT] + n_of[WRONG] > 0);
    return n_of[WRONG] > 0;
}

static void emulated(void **state)
{
    const int before = n_trials;
    char text[2048];

    read_trials(*state);
    assert_true(n_trials > before);
    for (int k = before; k < n_trials; k++)
        if (goes_wrong(&trials[k], NULL, text, sizeof text))
            fail_msg("%s", text);
}

/* ---- a variant without one of its barriers is found out ---- */

/* True if any quick run that meets what is left out goes wrong. */
static bool is_noticed(void)
{
    char text[2048];
    int run = 0;

    for (int k = 0; k < n_trials; k++)
        if (trials[k].size == QUICK && goes_wrong(&trials[k], &run, text, sizeof text))
            return true;
    return false;
}

static void every_barrier_is_missed(void **state)
{
    const struct emulated_place *places;
    const bool *are_met;
    int n, n_unmissed = 0;

    if (!emulated_sees_memory())
        skip(); /* then a race shows in the result alone, or never ends */
    for (int k = 0; bench_problems[k]; k++)
        if (has_variants(bench_problems[k]))
            read_trials(bench_problems[k]);
    assert_false(is_noticed());
    n = emulated_places(&places, &are_met);
    assert_true(n > 0 && n < EMULATED_MAX_PLACES);
    for (left_out = 0; left_out < n; left_out++) {
        emulated_leave_out(&places[left_out]);
        if (!is_noticed()) {
            print_message("%s:%d: nothing goes wrong without this barrier\n",
                          places[left_out].file, places[left_out].line);
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

/* "barriers": that test alone, as long as the others; a problem's name: its trials alone. */
int main(int argc, char **argv)
{
    static char name[MAX_TRIALS][32];
    int failed;

    if (bench_device_open(0, &device))
        return 1;
    if (argc > 1 && !strcmp(argv[1], "barriers"))
        add_test((struct CMUnitTest)cmocka_unit_test(every_barrier_is_missed));
    else
        for (int k = 0; bench_problems[k]; k++) {
            snprintf(name[k], sizeof name[k], "%s_emulated", bench_problems[k]->name);
            if (argc > 1 && strcmp(argv[1], bench_problems[k]->name))
                continue;
            if (has_variants(bench_problems[k]))
                add_test((struct CMUnitTest){.name = name[k],
                                             .test_func = emulated,
                                             .initial_state = (void *)bench_problems[k]});
        }
    add_test((struct CMUnitTest)cmocka_unit_test(kernels_were_run));
    failed = run_all_tests(NULL, NULL);
    bench_device_close(device);
    return failed;
}

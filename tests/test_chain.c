/*
 * test_chain.c - every variant of every chain against both of its parts, one run after the
 * other: the second one reads an array that the first one has written
 */
#include "harness/inputs/scene.h"
#include "harness/inputs/views.h"
#include "harness/measure/measure.h"
#include "harness/measure/measure_private.h"
#include "harness/problems/chain.h"
#include "tests/same_sums.h"
#include "tests/variants.h"

#define MAX_FRAMES 2

/* sgm/gpu-opt takes 256 columns or more; sides are no multiples of blocks. */
static const struct trial {
    const char *problem;
    int width, height, n_frames;
    const char *pairs[12]; /* keys and values */
} trials[] = {
    {"pair-stixels", 256, 17, 1, {"classes", "0", "map", "1"}},
    {"pair-stixels", 259, 19, 2, {"classes", "4", "block", "4x8", "arith", "exact"}},
    {"pair-stixels", 257, 16, 1, {"classes", "0", "block", "4", "model", "b6", "paths", "2"}},
    {"pair-rdp", 259, 17, 2, {"eps", "1", "map", "1", "subpixel", "1"}},
    {"pair-rdp", 256, 15, 1, {"distance", "perpendicular", "uniqueness", "100"}},
    {"pair-som", 258, 19, 2, {"rounds", "9", "co", "9", "g", "5", "sigma", "6", "map", "1"}},
};

/* A trial's frames, and what the first part makes of them. */
static struct {
    const struct bench_chain *chain;
    struct plane plane[MAX_FRAMES], found[MAX_FRAMES]; /* 'found' borrows but for the map */
    struct bench_params params;                        /* of the chain */
    void *input, *maps;
} now;

static void drop_planes(void *unused)
{
    for (int k = 0; k < MAX_FRAMES; k++) {
        plane_free(&now.plane[k]);
        now.found[k] = (struct plane){0};
    }
}

/* The keys of a trial that a problem has. */
static struct bench_params params_of(const struct bench_problem *problem,
                                     const char *const *pairs)
{
    struct bench_params params = {0};

    for (; *pairs; pairs += 2) {
        const struct bench_key *const key = bench_find_key(problem->keys, pairs[0]);

        if (key)
            assert_int_equal(bench_params_set(&params, key, pairs[1], "test"), BENCH_OK);
    }
    assert_int_equal(bench_params_default(&params, problem->keys, "test"), BENCH_OK);
    return params;
}

static void *new_input(const struct bench_problem *problem, const struct bench_params *params,
                       const struct plane *planes, int n)
{
    const struct plane *const frames[MAX_FRAMES] = {&planes[0], &planes[1]};
    void *in;

    if (problem->make_input(params, frames, n, &in) != BENCH_OK)
        fail_msg("%s: %s", problem->name, bench_failure());
    return keep(in, problem->free_input);
}

/* Makes the trial's frames and runs the first part's reference. */
static void begin(const struct trial *t)
{
    const struct bench_problem *first;
    struct bench_params params;
    struct bench_block block[BENCH_MAX_BLOCKS];
    void *in;

    now.chain = chain_of(bench_find_problem(t->problem));
    assert_non_null(now.chain);
    keep(&now, drop_planes);
    for (int k = 0; k < t->n_frames; k++) {
        const struct scene_options options = {t->width, t->height, (uint64_t)(7 + k),
                                              SCENE_NORMAL, 0};

        assert_int_equal(scene_make(&options, &now.plane[k]), BENCH_OK);
        assert_int_equal(views_draw(options.seed, &now.plane[k]), BENCH_OK);
    }
    first = now.chain->first;
    params = params_of(first, t->pairs);
    in = new_input(first, &params, now.plane, t->n_frames);
    now.maps = new_guarded(first, in);
    assert_int_equal(
        bench_once(bench_find_impl(first->references[0]), &params, 1, NULL, in, now.maps),
        BENCH_OK);
    assert_int_equal(first->output_blocks(now.maps, block), 1);
    for (int k = 0; k < t->n_frames; k++) {
        now.found[k] = now.plane[k];
        now.found[k].disparity =
            (uint16_t *)block[0].data + (size_t)k * (size_t)t->width * (size_t)t->height;
        now.found[k].confidence = NULL;
    }
    now.params = params_with(&now.chain->problem, t->pairs);
    now.input = new_input(&now.chain->problem, &now.params, now.plane, t->n_frames);
}

/* The same values of both, by an input that no run has seen. */
static void check_sums(const struct trial *t, const void *chained, const void *in,
                       const void *out)
{
    const void *const fresh =
        new_input(&now.chain->problem, &now.params, now.plane, t->n_frames);
    OWNED(bench_sums_free) struct bench_sums own = {0};
    OWNED(bench_sums_free) struct bench_sums sums = {0};

    assert_int_equal(now.chain->second->sum(in, out, out, 0, &own), BENCH_OK);
    assert_int_equal(now.chain->problem.sum(fresh, chained, chained, 0, &sums), BENCH_OK);
    assert_true(own.n > 0);
    assert_same_sums(&own, &sums);
}

/* One combination of a variant's keys; false: it does not take the input. */
static int is_same_as_both(const struct bench_impl *impl, struct bench_params params,
                           const struct trial *t, void *found, void *once)
{
    const struct bench_chained *const c = (const struct bench_chained *)impl;
    const struct bench_problem *const second = now.chain->second;
    const int n_threads = impl->target == BENCH_OPENMP ? 3 : 1;
    struct bench_params own = params_of(second, t->pairs);
    void *in, *out;

    if (!run_counted(impl, &params, n_threads, now.input, found, once))
        return 0;
    for (const struct bench_key *key = impl->keys; key && key->name; key++)
        assert_int_equal(bench_params_set(&own, bench_find_key(c->part[1]->keys, key->name),
                                          bench_word(&params, key->name), "test"),
                         BENCH_OK);
    assert_int_equal(bench_params_default(&own, c->part[1]->keys, "test"), BENCH_OK);
    in = new_input(second, &own, now.found, t->n_frames);
    out = new_guarded(second, in);
    if (bench_once(c->part[1], &own, n_threads, device, in, out) != BENCH_OK)
        fail_msg("%s: %s", c->part[1]->name, bench_failure());
    if (!same_bits(second, out, chain_output_part(found, 1)))
        fail_msg("%s: another output than %s behind %s", impl->name, c->part[1]->name,
                 c->part[0]->name);
    if (bench_int(&params, "map") &&
        !same_bits(now.chain->first, now.maps, chain_output_part(found, 0)))
        fail_msg("%s: other maps than %s", impl->name, c->part[0]->name);
    if (impl->target != BENCH_CUDA || bench_int(&params, "map"))
        check_sums(t, found, in, out);
    return 1;
}

TEST(one_after_the_other)
{
    for (int i = 0; i < N_OF(trials); i++) {
        void *found, *once;
        uint64_t hash;
        int n_run = 0;

        begin(&trials[i]);
        hash = bench_hash_input(&now.chain->problem, now.input, 0);
        found = new_guarded(&now.chain->problem, now.input);
        once = new_guarded(&now.chain->problem, now.input);
        for (int k = 0; bench_impls[k]; k++) {
            const struct bench_impl *const impl = bench_impls[k];
            struct bench_params params = now.params;
            const int n =
                is_to_run(&now.chain->problem, impl) ? combine_keys(impl, 0, &params) : 0;
            const int most = small ? 2 : 4, step = (n + most - 1) / most;

            for (int round = 0; round < n; round += step) {
                params = now.params;
                combine_keys(impl, round, &params);
                n_run += is_same_as_both(impl, params, &trials[i], found, once);
            }
        }
        assert_true(n_run > 0 || gpu_only);
        /* runs have put maps into it */
        assert_int_equal(bench_hash_input(&now.chain->problem, now.input, 0), hash);
        free_kept(NULL);
    }
}

/* A view is input, a sensor's map is none. */
TEST(what_an_input_is)
{
    for (int i = 0; i < N_OF(trials); i++) {
        uint64_t hash;

        begin(&trials[i]);
        hash = bench_hash_input(&now.chain->problem, now.input, 0);
        now.plane[0].disparity[9] ^= 1;
        now.plane[0].confidence[9] ^= 1;
        assert_int_equal(bench_hash_input(&now.chain->problem,
                                          new_input(&now.chain->problem, &now.params, now.plane,
                                                    trials[i].n_frames),
                                          0),
                         hash);
        now.plane[0].view[i % 2][9] ^= 1;
        assert_int_not_equal(bench_hash_input(&now.chain->problem,
                                              new_input(&now.chain->problem, &now.params,
                                                        now.plane, trials[i].n_frames),
                                              0),
                             hash);
        free_kept(NULL);
    }
}

/* The stages of a run are those of both parts, in order. */
TEST(stages_of_both)
{
    static const char *const expected[] = {
        "census", "paths down and up", "paths across",        "median",
        "take",   "downsample",        "dynamic programming", "compact"};
    const struct bench_impl *const impl = bench_find_impl("pair-stixels/openmp");
    struct bench_stages stages = {0};
    struct bench_ctx ctx = {.impl = impl, .params = &now.params, .n_threads = 2};
    void *out, *state = calloc(1, impl->state_size);

    begin(&trials[0]);
    assert_int_equal(bench_params_default(&now.params, impl->keys, "test"), BENCH_OK);
    out = new_guarded(&now.chain->problem, now.input);
    assert_int_equal(impl->setup(state, &ctx, now.input, out), BENCH_OK);
    for (int run = 0; run < 2; run++) { /* the second without */
        ctx.stages = run ? NULL : &stages;
        assert_int_equal(impl->run(state), BENCH_OK);
    }
    impl->teardown(state);
    free(state);
    assert_int_equal(stages.n, N_OF(expected));
    for (int i = 0; i < stages.n; i++)
        assert_string_equal(stages.name[i], expected[i]);
}

/* A name says whose key it is, and the first part has none of its own. */
TEST(keys_of_both)
{
    for (int i = 0; bench_problems[i]; i++) {
        const struct bench_chain *const chain = chain_of(bench_problems[i]);

        for (const struct bench_key *key = chain ? chain->keys : NULL; key && key->name; key++)
            assert_ptr_equal(bench_find_key(chain->keys, key->name), key);
    }
    for (int i = 0; bench_impls[i]; i++)
        if (chain_of(bench_impls[i]->problem))
            assert_null(((const struct bench_chained *)bench_impls[i])->part[0]->keys);
}

TEST(impossible_chains)
{
    static const struct {
        const char *pairs[5], *sentence;
    } cases[] = {{{"p1", "97"}, "p1 expects at most p2"},
                 {{"block", "65x"}, "block: expected ROWS"}};
    const struct bench_problem *const problem = bench_find_problem("pair-stixels");
    const struct plane *frames[] = {&now.plane[0]};
    struct bench_params params;
    void *in;

    for (int i = 0; i < N_OF(cases); i++) {
        params = params_with(problem, cases[i].pairs);
        bench_failure_clear();
        assert_int_equal(problem->check(&params), BENCH_EINPUT);
        assert_non_null(strstr(bench_failure(), cases[i].sentence));
    }
    begin(&trials[0]);
    params = params_with(problem, (const char *const[]){NULL});
    free(now.plane[0].view[1]);
    now.plane[0].view[1] = NULL;
    assert_int_equal(problem->make_input(&params, frames, 1, &in), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "has no two views"));
    now.plane[1] = (struct plane){.name = "low", .width = 9, .height = 9};
    assert_int_equal(problem->make_input(&params,
                                         (const struct plane *[]){&now.plane[0], &now.plane[1]},
                                         2, &in),
                     BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "low has 9 x 9"));
    assert_null(strstr(bench_failure(), "give width")); /* a chain has no such keys */
}

int main(void)
{
    return run_variant_tests();
}

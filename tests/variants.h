/* variants.h - for programs that run all variants of a problem */
#ifndef TESTS_VARIANTS_H
#define TESTS_VARIANTS_H

#include "tests/drive.h"

/* NULL: no GPU, its variants are left out. */
static struct bench_device *device;
/* Environment, for runs under compute-sanitizer: GPU_ONLY leaves the GPU variants that have it
 * in their name, "gpu" all of them; 'small': the number of TEST_SMALL, 0: all. */
static const char *gpu_only;
static int small;
static struct {
    int n_run, n_on_device, n_not_theirs;
} runs;

/* Setup and teardown of a program's tests. */
static inline int open_device(void **state)
{
    const char *const text = getenv("TEST_SMALL");

    gpu_only = getenv("GPU_ONLY");
    small = text ? atoi(text) : 0;
    if (bench_device_open(0, &device))
        print_message("%s\n", bench_failure());
    return 0;
}

static inline int close_device(void **state)
{
    bench_device_close(device);
    return 0;
}

/* True if a variant is one of the problem's and can be run here. */
static inline int is_to_run(const struct bench_problem *problem, const struct bench_impl *impl)
{
    return impl->problem == problem && bench_is_built(impl) &&
           (impl->target != BENCH_CUDA ? !gpu_only
                                       : device && (!gpu_only || strstr(impl->name, gpu_only)));
}

/* drive_twice(), counted. */
static inline int run_counted(const struct bench_impl *impl, const struct bench_params *params,
                              int n_threads, const void *in, void *out, void *once)
{
    int ran;

    bench_failure_clear();
    ran = drive_twice(impl, params, n_threads, device, in, out, once);
    runs.n_run += ran;
    runs.n_not_theirs += !ran;
    runs.n_on_device += ran && impl->target == BENCH_CUDA;
    return ran;
}

/* Asks the problem of an output, of which nothing may be wrong: exact ones have the expected
 * bits, those of another rule the right form. */
static inline struct bench_difference assert_right(const struct bench_impl *impl,
                                                   const struct bench_params *params,
                                                   const char *what, const void *in,
                                                   const void *expected, const void *found)
{
    struct bench_difference d = {0};
    char text[512];

    bench_params_text(params, text, sizeof text);
    (impl->other ? impl->problem->compare_other : impl->problem->compare)(params, in, expected,
                                                                          found, &d);
    if (d.n_wrong != 0)
        fail_msg("%s (%s), %s: %zu wrong, first %s", impl->name, text, what, d.n_wrong,
                 d.where);
    if (!impl->other && impl->problem->match(params) == BENCH_EXACT &&
        !same_bits(impl->problem, expected, found))
        fail_msg("%s (%s), %s: other bits than expected", impl->name, text, what);
    return d;
}

/* All variants of a problem, in all combinations of their keys behind those that are given,
 * against what is expected; teams of threads take turns.  Under a sanitizer a third of the
 * combinations, others for each input, or the first alone. */
static inline void check_all(const struct bench_problem *problem, struct bench_params given,
                             const char *what, const void *in, const void *expected,
                             int first_alone)
{
    void *const found = new_guarded(problem, in), *const once = new_guarded(problem, in);

    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *const impl = bench_impls[k];
        struct bench_params params = given;
        const int n = is_to_run(problem, impl) ? combine_keys(impl, 0, &params) : 0;
        const int step = !small || n <= 3 ? 1 : first_alone ? n : (n + 2) / 3;

        for (int round = step > 1 && !first_alone ? runs.n_run % step : 0; round < n;
             round += step) {
            params = given;
            combine_keys(impl, round, &params);
            if (run_counted(impl, &params,
                            impl->target == BENCH_OPENMP ? 1 + runs.n_run % 3 : 1, in, found,
                            once))
                assert_right(impl, &params, what, in, expected, found);
        }
    }
}

/* A sanitizer slows kernels down a hundredfold: true after so many inputs of this kind. */
static inline int is_enough(int kind, int n_rows, int most)
{
    static int n_seen[2][16];
    int size = 0;

    while (n_rows >> size)
        size++;
    return n_seen[kind][size]++ >= most;
}

/* ---- a program's main() ---- */

static inline void something_was_tested(void **state)
{
    print_message("%d runs of variants, %d of them on the device; %d times an input was not "
                  "theirs\n",
                  runs.n_run, runs.n_on_device, runs.n_not_theirs);
    assert_true(runs.n_run > 0 || gpu_only);
}

/* Skipped where there is no GPU, so that a report cannot pass for a test of it. */
static inline void gpu_variants_were_tested(void **state)
{
    if (!device)
        skip();
    assert_true(runs.n_on_device > 0);
}

/* The tests of the program, and these behind them. */
static inline int run_variant_tests(void)
{
    add_test((struct CMUnitTest)cmocka_unit_test(something_was_tested));
    add_test((struct CMUnitTest)cmocka_unit_test(gpu_variants_were_tested));
    return run_all_tests(open_device, close_device);
}

#endif

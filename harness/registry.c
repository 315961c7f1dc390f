/*
 * registry.c - every problem and every variant, by name; the only file of the harness that names them
 *
 * A new variant is one file in impl_cpu/ or impl_gpu/, one extern, one line in bench_impls and one in bench_known_impls.
 * One for a GPU has its keys in a header beside it, and here what a build without CUDA is to know of it.
 */
#include "harness/experiment.h"
#include "harness/impl.h"
#include "harness/problem.h"

#if !HAVE_CUDA
#include "impl_gpu/rdp/opt_keys.h"
#include "impl_gpu/rdp/paper_keys.h"
#include "impl_gpu/som/opt_keys.h"
#include "impl_gpu/som/paper_keys.h"
#include "impl_gpu/stixels/opt_keys.h"
#include "impl_gpu/stixels/paper_keys.h"
#endif

#include <string.h>

extern const struct bench_problem rdp_problem, stixels_problem, som_problem, probe_problem;

extern const struct bench_impl rdp_serial, rdp_omp_columns, rdp_omp_tasks, rdp_cpu_simd;
extern const struct bench_impl stixels_serial, stixels_openmp, stixels_cubic_serial,
    stixels_cubic_openmp;
extern const struct bench_impl som_grid, som_serial, som_rounds, som_openmp;
extern const struct bench_impl probe_serial, probe_openmp;
#if HAVE_CUDA
extern const struct bench_impl rdp_gpu_paper, rdp_gpu_opt;
extern const struct bench_impl stixels_gpu_paper, stixels_gpu_cubic, stixels_gpu_opt;
extern const struct bench_impl som_gpu_paper, som_gpu_opt;
extern const struct bench_impl probe_gpu_plain;
#else
/* what descriptors and results say of them */
static const struct bench_impl rdp_gpu_paper = {.name = "rdp/gpu-paper",
                                                .problem = &rdp_problem,
                                                .target = BENCH_CUDA,
                                                .keys = rdp_gpu_paper_keys};
static const struct bench_impl rdp_gpu_opt = {.name = "rdp/gpu-opt",
                                              .problem = &rdp_problem,
                                              .target = BENCH_CUDA,
                                              .keys = rdp_gpu_opt_keys};
static const struct bench_impl stixels_gpu_paper = {.name = "stixels/gpu-paper",
                                                    .problem = &stixels_problem,
                                                    .target = BENCH_CUDA,
                                                    .keys = stixels_gpu_paper_keys};
static const struct bench_impl stixels_gpu_cubic = {
    .name = "stixels/gpu-cubic", .problem = &stixels_problem, .target = BENCH_CUDA};
static const struct bench_impl stixels_gpu_opt = {.name = "stixels/gpu-opt",
                                                  .problem = &stixels_problem,
                                                  .target = BENCH_CUDA,
                                                  .keys = stixels_gpu_opt_keys};
static const struct bench_impl som_gpu_paper = {.name = "som/gpu-paper",
                                                .problem = &som_problem,
                                                .target = BENCH_CUDA,
                                                .keys = som_gpu_paper_keys};
static const struct bench_impl som_gpu_opt = {.name = "som/gpu-opt",
                                              .problem = &som_problem,
                                              .target = BENCH_CUDA,
                                              .keys = som_gpu_opt_keys};
static const struct bench_impl probe_gpu_plain = {
    .name = "probe/gpu-plain", .problem = &probe_problem, .target = BENCH_CUDA};
#endif

const struct bench_problem *const bench_problems[] = {
    &rdp_problem,
    &stixels_problem,
    &som_problem,
    /* the machine */
    &probe_problem,
    NULL,
};

const struct bench_impl *const bench_impls[] = {
    &rdp_serial,
    &rdp_omp_columns,
    &rdp_omp_tasks,
    &rdp_cpu_simd,
#if HAVE_CUDA
    &rdp_gpu_paper,
    &rdp_gpu_opt,
#endif
    &stixels_serial,
    &stixels_openmp,
    &stixels_cubic_serial,
    &stixels_cubic_openmp,
#if HAVE_CUDA
    &stixels_gpu_paper,
    &stixels_gpu_cubic,
    &stixels_gpu_opt,
#endif
    &som_grid,
    &som_serial,
    &som_rounds,
    &som_openmp,
#if HAVE_CUDA
    &som_gpu_paper,
    &som_gpu_opt,
#endif
    &probe_serial,
    &probe_openmp,
#if HAVE_CUDA
    &probe_gpu_plain,
#endif
    NULL,
};

const struct bench_impl *const bench_known_impls[] = {
    &rdp_serial,
    &rdp_omp_columns,
    &rdp_omp_tasks,
    &rdp_cpu_simd,
    &rdp_gpu_paper,
    &rdp_gpu_opt,
    &stixels_serial,
    &stixels_openmp,
    &stixels_cubic_serial,
    &stixels_cubic_openmp,
    &stixels_gpu_paper,
    &stixels_gpu_cubic,
    &stixels_gpu_opt,
    &som_grid,
    &som_serial,
    &som_rounds,
    &som_openmp,
    &som_gpu_paper,
    &som_gpu_opt,
    /* the machine */
    &probe_serial,
    &probe_openmp,
    &probe_gpu_plain,
    NULL,
};

const struct bench_impl *bench_find_impl(const char *name)
{
    for (int i = 0; bench_impls[i]; i++)
        if (!strcmp(bench_impls[i]->name, name))
            return bench_impls[i];
    return NULL;
}

const struct bench_problem *bench_find_problem(const char *name)
{
    for (int i = 0; bench_problems[i]; i++)
        if (!strcmp(bench_problems[i]->name, name))
            return bench_problems[i];
    return NULL;
}

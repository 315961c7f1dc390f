/*
 * registry.c - every problem and every variant, by name; the only file of the harness that names them
 *
 * A new variant is one file in impl_cpu/ or impl_gpu/, one extern, one line in bench_impls, one in
 * bench_known_impls, and its keys' names in bench_known_keys.
 */
#include "harness/experiment.h"
#include "harness/impl.h"
#include "harness/problem.h"

#include <string.h>

extern const struct bench_problem rdp_problem;

extern const struct bench_impl rdp_serial, rdp_omp_columns, rdp_omp_tasks, rdp_cpu_simd;
#if HAVE_CUDA
extern const struct bench_impl rdp_gpu_paper, rdp_gpu_opt;
#endif

const struct bench_problem *const bench_problems[] = {
    &rdp_problem,
    NULL,
};

const struct bench_impl *const bench_impls[] = {
    &rdp_serial,    &rdp_omp_columns, &rdp_omp_tasks, &rdp_cpu_simd,
#if HAVE_CUDA
    &rdp_gpu_paper, &rdp_gpu_opt,
#endif
    NULL,
};

/* Built or not: a descriptor may name them, and every CSV has the same columns. */
const char *const bench_known_impls[] = {
    "rdp/serial",   "rdp/omp-columns", "rdp/omp-tasks",
    "rdp/cpu-simd", "rdp/gpu-paper",   "rdp/gpu-opt",
    NULL,
};

const char *const bench_known_keys[] = {
    "chunk",  "cutoff",             /* rdp/omp-columns, rdp/omp-tasks */
    "unroll", "skip",               /* rdp/gpu-paper */
    "layout", "warps",  "together", /* rdp/gpu-opt */
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

/*
 * cuda_try.h - CUDA errors as statuses, for .cu files only
 *
 * Out of memory becomes BENCH_ENOMEM, a missing kernel image says for which architecture the
 * program was not built, everything else BENCH_ECUDA; the sentence has the call, CUDA's text
 * and CUDA's name.
 */
#ifndef BENCH_CUDA_TRY_H
#define BENCH_CUDA_TRY_H

#include "harness/measure/impl.h"
#include "harness/base/status.h"

#include <cuda_runtime.h>
#include <sys/cdefs.h>

#define CUDA_TRY(call)                                                      \
    do {                                                                    \
        cudaError_t cuda_error_ = (call);                                   \
        if (cuda_error_ != cudaSuccess)                                     \
            return bench_cuda_fail(cuda_error_, #call, __FILE__, __LINE__); \
    } while (0)

/* After every <<<>>>. */
#define CUDA_TRY_LAUNCH() CUDA_TRY(cudaGetLastError())

__BEGIN_DECLS

/* Record the failure of 'call' and return the status it becomes.  device_cuda.cu. */
enum bench_status bench_cuda_fail(cudaError_t error, const char *call, const char *file,
                                  int line);

/* Allocate 'bytes' of device memory, filled with 0xA5 so that a kernel that does nothing cannot
 * pass (unless DEPTHBENCH_NO_FILL is set, for compute-sanitizer's initcheck); the sentence of a
 * failure says how much was asked for and how much is free.  *pointer is NULL on failure. */
enum bench_status bench_cuda_malloc(void **pointer, size_t bytes);

/* In setup: fill ctx->note (if wanted) with CUDA's facts of 'kernel' at this launch. */
enum bench_status bench_set_kernel_info(const struct bench_ctx *ctx, const void *kernel,
                                        int threads_per_block, size_t dynamic_shared_bytes);

__END_DECLS

#endif

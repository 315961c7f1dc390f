/*
 * early.cuh - a kernel that begins before the one before it has ended
 *
 * From sm_90 on, and with a toolkit that knows it, the blocks of the next kernel come to
 * multiprocessors that have room once all blocks of this one have got so far; they wait there
 * for its end, and the launch and what they read beside its results cost nothing.
 */
#ifndef STIXELS_EARLY_CUH
#define STIXELS_EARLY_CUH

#include "harness/measure/cuda_try.h"

/* For all threads of a kernel, as soon as they like. */
static __device__ __forceinline__ void let_next_begin(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
}

/* Before the first look at what the kernel before has written, and the first word written that
 * it reads. */
static __device__ __forceinline__ void wait_for_previous(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}

/* Whether this GPU and this toolkit know how. */
static enum bench_status can_begin_early(bool *early)
{
    *early = false;
#if defined(__CUDACC__) && CUDART_VERSION >= 11080
    int device, major;

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    *early = major >= 9;
#endif
    return BENCH_OK;
}

/* Launch a kernel that calls wait_for_previous(); 'early': it may begin before the one before
 * it in the stream has ended. */
template <typename... PARAMETERS, typename... ARGUMENTS>
static enum bench_status launch_behind(bool early, void (*kernel)(PARAMETERS...), unsigned grid,
                                       unsigned block, size_t shared, cudaStream_t stream,
                                       ARGUMENTS... arguments)
{
#if defined(__CUDACC__) && CUDART_VERSION >= 11080
    if (early) {
        cudaLaunchAttribute attribute = {};
        cudaLaunchConfig_t config = {};

        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        config.gridDim = dim3(grid);
        config.blockDim = dim3(block);
        config.dynamicSmemBytes = shared;
        config.stream = stream;
        config.attrs = &attribute;
        config.numAttrs = 1;
        CUDA_TRY(cudaLaunchKernelEx(&config, kernel, arguments...));
        return BENCH_OK;
    }
#endif
    (void)early;
    kernel<<<grid, block, shared, stream>>>(arguments...);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

#endif

/*
 * early.cuh - a kernel that begins before the preceding one has ended
 *
 * From sm_90 on, if the toolkit supports it, the blocks of the next kernel start on SMs that
 * have room once all blocks of this one have called let_next_begin().  They wait there for its
 * end, which hides the launch and the loads that do not depend on its results.
 */
#ifndef STIXELS_EARLY_CUH
#define STIXELS_EARLY_CUH

#include "impl_gpu/common.cuh"

/* Called by all threads of a kernel, at any time. */
DEVICE void let_next_begin(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
}

/* Called before a kernel reads results of the preceding one or writes what that one reads. */
DEVICE void wait_for_previous(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}

/* Sets *early if toolkit, GPU and the kernel's code, perhaps of an older GPU, support it:
 * without its instructions no kernel would wait. */
static enum bench_status can_begin_early(const void *kernel, bool *early)
{
    *early = false;
#if defined(__CUDACC__) && CUDART_VERSION >= 11080
    struct cudaFuncAttributes code;

    CUDA_TRY(cudaFuncGetAttributes(&code, kernel));
    *early = code.ptxVersion >= 90;
#endif
    (void)kernel;
    return BENCH_OK;
}

/* Launches a kernel that calls wait_for_previous(); early: it may begin before that ends. */
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

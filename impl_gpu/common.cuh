/*
 * common.cuh - shared by all GPU variants: device arrays, launches, sums over a warp
 */
#ifndef GPU_COMMON_CUH
#define GPU_COMMON_CUH

#include "harness/measure/cuda_try.h"
#include "harness/measure/transfer.h"

#define DEVICE     static __device__ __forceinline__ /* a function of the GPU */
#define ALL_LANES  0xFFFFFFFFu
#define WARP_LANES 32
#define MAX_ARRAYS 24   /* of a variant */
#define POISON     0xA5 /* fills outputs before a run */

/* The device arrays that a variant owns; all zero: none. */
struct device_arrays {
    void *at[MAX_ARRAYS];
    int n;
};

/* Allocates n elements; *array is NULL on failure. */
template <typename T>
static inline enum bench_status make_array(struct device_arrays *arrays, T **array, size_t n)
{
    *array = NULL;
    if (arrays->n == MAX_ARRAYS)
        return BENCH_FAIL(BENCH_ENOMEM, "more than %d device arrays", MAX_ARRAYS);
    TRY(bench_cuda_malloc(&arrays->at[arrays->n], n * sizeof **array));
    *array = (T *)arrays->at[arrays->n++];
    return BENCH_OK;
}

/* Makes an array of transfer.h for n elements at 'host'; *device is where kernels find it. */
template <typename T>
static inline enum bench_status make_shared_array(struct bench_array *array,
                                                  const struct bench_ctx *ctx, const T *host,
                                                  size_t n, T **device)
{
    TRY(bench_array_make(array, ctx, host, n * sizeof **device));
    *device = (T *)array->d;
    return BENCH_OK;
}

static inline void free_arrays(struct device_arrays *arrays)
{
    while (arrays->n > 0)
        cudaFree(arrays->at[--arrays->n]); /* NULL is fine */
}

static inline enum bench_status device_attribute(int *value, enum cudaDeviceAttr attribute)
{
    int device;

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(value, attribute, device));
    return BENCH_OK;
}

/* Lets a kernel use all shared memory of a block: an earlier input may need more. */
static inline enum bench_status allow_shared(const void *kernel, int most_shared)
{
    struct cudaFuncAttributes attributes;

    CUDA_TRY(cudaFuncGetAttributes(&attributes, kernel));
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  most_shared - (int)attributes.sharedSizeBytes));
    return BENCH_OK;
}

/* The number of blocks of block_threads that have n threads or more. */
static inline unsigned blocks_of(size_t n, int block_threads)
{
    return (unsigned)((n + (size_t)block_threads - 1) / (size_t)block_threads);
}

/* Launches n threads, rounded up to whole blocks of block_threads, each with 'shared' bytes of
 * dynamic shared memory. */
template <typename... PARAMETERS, typename... ARGUMENTS>
static inline enum bench_status launch_with(size_t shared, void (*kernel)(PARAMETERS...),
                                            size_t n, int block_threads, cudaStream_t stream,
                                            ARGUMENTS... arguments)
{
    kernel<<<blocks_of(n, block_threads), (unsigned)block_threads, shared, stream>>>(
        arguments...);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

/* The same without dynamic shared memory. */
template <typename... PARAMETERS, typename... ARGUMENTS>
static inline enum bench_status launch(void (*kernel)(PARAMETERS...), size_t n,
                                       int block_threads, cudaStream_t stream,
                                       ARGUMENTS... arguments)
{
    return launch_with(0, kernel, n, block_threads, stream, arguments...);
}

#define SEND_THREADS 256
#define SEND_BLOCKS  128 /* enough for the bus */

/* The grid writes n words of the GPU into the host's memory (bench_array.seen). */
DEVICE void send_words(void *to, const void *from, size_t n)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
}

DEVICE int warp_sum(int value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(ALL_LANES, value);
#else
    for (int distance = WARP_LANES / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(ALL_LANES, value, distance);
    return value;
#endif
}

DEVICE uint32_t warp_min(uint32_t value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_min_sync(ALL_LANES, value);
#else
    for (int distance = WARP_LANES / 2; distance > 0; distance /= 2)
        value = min(value, __shfl_xor_sync(ALL_LANES, value, distance));
    return value;
#endif
}

/* The sum over this lane and those before it. */
template <typename T> DEVICE T sum_up_to(T x, int lane)
{
    for (int distance = 1; distance < WARP_LANES; distance *= 2) {
        const T other = __shfl_up_sync(ALL_LANES, x, (unsigned)distance);

        if (lane >= distance)
            x += other;
    }
    return x;
}

#endif

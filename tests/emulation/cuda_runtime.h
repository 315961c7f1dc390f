/*
 * cuda_runtime.h - as much of CUDA as the variants of impl_gpu/ use, for the emulator of this folder
 *
 * What is not here does not compile, on purpose: a construct that is new to the variants is added here by someone who has
 * read what the manual says of it.  C files get the host's part alone, as from CUDA's own header.
 */
#ifndef EMULATION_CUDA_RUNTIME_H
#define EMULATION_CUDA_RUNTIME_H

#include "tests/emulation/emulator.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- the host's part ---- */

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorLaunchFailure = 719
} cudaError_t;

enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };

enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};

enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };

/* No compiler for a card has seen the kernel: these are numbers that refuse nothing. */
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, maxDynamicSharedSizeBytes;
};

typedef struct CUstream_st *cudaStream_t; /* work is done before a call returns */

static inline cudaError_t cudaGetLastError(void)
{
    return (cudaError_t)emulated_last_error();
}

static inline cudaError_t cudaFree(void *pointer)
{
    return (cudaError_t)emulated_free(pointer);
}

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                          enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return (cudaError_t)(kind == cudaMemcpyHostToDevice ? emulated_to_device(to, from, bytes)
                                                        : emulated_to_host(to, from, bytes));
}

static inline cudaError_t cudaMemsetAsync(void *pointer, int byte, size_t bytes,
                                          cudaStream_t stream)
{
    (void)stream;
    return (cudaError_t)emulated_memset(pointer, byte, bytes);
}

static inline cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

static inline cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                                 int device)
{
    (void)device;
    *value =
        attribute == cudaDevAttrMultiProcessorCount ? EMULATED_PROCESSORS : EMULATED_MAX_SHARED;
    return cudaSuccess;
}

static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                                const void *kernel)
{
    (void)kernel;
    memset(attributes, 0, sizeof *attributes);
    attributes->maxThreadsPerBlock = 1024;
    return cudaSuccess;
}

static inline cudaError_t cudaFuncSetAttribute(const void *kernel,
                                               enum cudaFuncAttribute attribute, int value)
{
    (void)attribute;
    return (cudaError_t)emulated_allow_shared(kernel, value);
}

/* Textures: pairs of floats in linear memory, and nothing else. */
typedef unsigned long long cudaTextureObject_t; /* the address */

enum cudaResourceType { cudaResourceTypeLinear = 2 };
enum cudaTextureReadMode { cudaReadModeElementType = 0 };
enum cudaChannelFormatKind { cudaChannelFormatKindFloat = 2 };

struct cudaChannelFormatDesc {
    int x, y, z, w;
    enum cudaChannelFormatKind f;
};

struct cudaResourceDesc {
    enum cudaResourceType resType;
    struct {
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
    } res;
};

struct cudaTextureDesc {
    enum cudaTextureReadMode readMode;
};

struct cudaResourceViewDesc;

static inline struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                 enum cudaChannelFormatKind f)
{
    const struct cudaChannelFormatDesc desc = {x, y, z, w, f};

    return desc;
}

static inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                                  const struct cudaResourceDesc *resource,
                                                  const struct cudaTextureDesc *description,
                                                  const struct cudaResourceViewDesc *view)
{
    const struct cudaChannelFormatDesc *const desc = &resource->res.linear.desc;

    *texture = 0;
    if (resource->resType != cudaResourceTypeLinear || desc->x != 32 || desc->y != 32 ||
        desc->z != 0 || desc->w != 0 || desc->f != cudaChannelFormatKindFloat ||
        description->readMode != cudaReadModeElementType || view ||
        !resource->res.linear.devPtr)
        return cudaErrorInvalidValue;
    *texture = (cudaTextureObject_t)(uintptr_t)resource->res.linear.devPtr;
    return cudaSuccess;
}

static inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    (void)texture;
    return cudaSuccess;
}

#ifdef __cplusplus

/* ---- words of the language ---- */

#define __global__
#define __device__
#define __host__
#define __constant__
/* truly: gcc does not look at what a call returns into memory */
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__    __attribute__((noinline))
#define __shared__      static /* extern ones are source.sed's */
#define __align__(n)    __attribute__((aligned(n)))
#define __launch_bounds__(...)

/* What is not the kernel's own access to memory. */
#define EMULATED_UNSEEN __attribute__((no_sanitize("thread")))

/* The place that calls. */
#define EMULATED_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

struct dim3 : emulated_dim {
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1)
    {
        x = x_;
        y = y_;
        z = z_;
    }
};

#define threadIdx emulated_thread()
#define blockIdx  emulated_block()
#define blockDim  emulated_block_dim()
#define gridDim   emulated_grid_dim()
#define warpSize  32

struct alignas(8) int2 {
    int x, y;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) int4 {
    int x, y, z, w;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) float4 {
    float x, y, z, w;
};

static inline int2 make_int2(int x, int y)
{
    return int2{x, y};
}

static inline uint2 make_uint2(unsigned x, unsigned y)
{
    return uint2{x, y};
}

static inline float2 make_float2(float x, float y)
{
    return float2{x, y};
}

static inline int4 make_int4(int x, int y, int z, int w)
{
    return int4{x, y, z, w};
}

static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return uint4{x, y, z, w};
}

static inline float4 make_float4(float x, float y, float z, float w)
{
    return float4{x, y, z, w};
}

/* ---- launches ---- */

/* kernel<<<grid, block, shared, stream>>>(arguments) reads kernel * emulated_grid(grid, ...)(arguments) after source.sed. */
template <class WITH> struct emulated_call {
    struct emulated_launch launch;
    WITH with; /* calls a kernel with the arguments */
};

template <class WITH>
static inline emulated_call<WITH> emulated_make_call(const struct emulated_launch &launch,
                                                     WITH with)
{
    return emulated_call<WITH>{launch, with};
}

struct emulated_grid {
    struct emulated_launch launch;

    emulated_grid(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = NULL,
                  EMULATED_PLACE)
    {
        (void)stream;
        memset(&launch, 0, sizeof launch);
        launch.grid = grid;
        launch.block = block;
        launch.shared_bytes = shared_bytes;
        launch.file = file;
        launch.line = line;
    }

    template <class... ARGUMENTS> auto operator()(ARGUMENTS... arguments) const
    {
        return emulated_make_call(launch,
                                  [=](auto *kernel) EMULATED_UNSEEN { kernel(arguments...); });
    }
};

template <class KERNEL, class WITH> struct emulated_closure {
    KERNEL *kernel;
    const WITH *with;
};

template <class KERNEL, class WITH> static EMULATED_UNSEEN void emulated_body(void *closure)
{
    const auto *const c = (const emulated_closure<KERNEL, WITH> *)closure;

    (*c->with)(c->kernel);
}

template <class... PARAMETERS, class WITH>
static inline void operator*(void (*kernel)(PARAMETERS...), const emulated_call<WITH> &call)
{
    emulated_closure<void(PARAMETERS...), WITH> closure = {kernel, &call.with};
    struct emulated_launch launch = call.launch;

    launch.kernel = (const void *)kernel;
    launch.body = emulated_body<void(PARAMETERS...), WITH>;
    launch.closure = &closure;
    emulated_run(&launch);
}

/* (const void *)some_kernel reads emulated_address() << some_kernel after source.sed: its type is known here for the last time. */
struct emulated_address {
};

template <class... PARAMETERS> struct emulated_caller_for {
    template <size_t... I> struct numbers {
    };
    template <size_t N, size_t... I> struct count : count<N - 1, N - 1, I...> {
    };
    template <size_t... I> struct count<0, I...> {
        typedef numbers<I...> type;
    };

    template <size_t... I>
    static EMULATED_UNSEEN void spread(const void *kernel, void **arguments, numbers<I...>)
    {
        (void)arguments;
        ((void (*)(PARAMETERS...))kernel)(*(PARAMETERS *)arguments[I]...);
    }

    static EMULATED_UNSEEN void call(const void *kernel, void **arguments)
    {
        spread(kernel, arguments, typename count<sizeof...(PARAMETERS)>::type());
    }
};

template <class... PARAMETERS>
static inline const void *operator<<(emulated_address, void (*kernel)(PARAMETERS...))
{
    return emulated_remember((const void *)kernel, emulated_caller_for<PARAMETERS...>::call);
}

struct emulated_erased {
    emulated_caller *caller;
    const void *kernel;
    void **arguments;
};

static inline EMULATED_UNSEEN void emulated_erased_body(void *closure)
{
    const struct emulated_erased *const e = (const struct emulated_erased *)closure;

    e->caller(e->kernel, e->arguments);
}

static inline cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
                                           void **arguments, size_t shared_bytes,
                                           cudaStream_t stream, EMULATED_PLACE)
{
    struct emulated_erased erased = {emulated_caller_of(kernel), kernel, arguments};
    struct emulated_launch launch = {kernel,  grid, block, shared_bytes, emulated_erased_body,
                                     &erased, file, line};

    (void)stream;
    if (!erased.caller)
        return cudaErrorInvalidDeviceFunction;
    return (cudaError_t)emulated_run(&launch);
}

/* ---- barriers ---- */

static inline void __syncthreads(EMULATED_PLACE)
{
    emulated_barrier(BARRIER_PLAIN, 0, file, line);
}

static inline int __syncthreads_or(int predicate, EMULATED_PLACE)
{
    return emulated_barrier(BARRIER_OR, predicate != 0, file, line);
}

static inline int __syncthreads_and(int predicate, EMULATED_PLACE)
{
    return emulated_barrier(BARRIER_AND, predicate != 0, file, line);
}

static inline int __syncthreads_count(int predicate, EMULATED_PLACE)
{
    return emulated_barrier(BARRIER_COUNT, predicate != 0, file, line);
}

static inline void __syncwarp(unsigned mask = 0xFFFFFFFFu, EMULATED_PLACE)
{
    emulated_warp(WARP_SYNC, mask, NULL, NULL, 0, 0, 32, file, line);
}

/* ---- the operations of a warp ---- */

template <class T>
static inline T emulated_shuffle(enum emulated_operation operation, unsigned mask, T value,
                                 int from, int width, const char *file, int line)
{
    T result;

    static_assert(sizeof value == 4 || sizeof value == 8, "shuffles move 4 or 8 bytes");
    emulated_warp(operation, mask, &value, &result, sizeof value, from, width, file, line);
    return result;
}

template <class T>
static inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32, EMULATED_PLACE)
{
    return emulated_shuffle(WARP_SHUFFLE, mask, value, lane, width, file, line);
}

template <class T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32,
                               EMULATED_PLACE)
{
    return emulated_shuffle(WARP_SHUFFLE_UP, mask, value, (int)distance, width, file, line);
}

template <class T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32,
                                 EMULATED_PLACE)
{
    return emulated_shuffle(WARP_SHUFFLE_DOWN, mask, value, (int)distance, width, file, line);
}

template <class T>
static inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32,
                                EMULATED_PLACE)
{
    return emulated_shuffle(WARP_SHUFFLE_XOR, mask, value, lanes, width, file, line);
}

static inline unsigned emulated_vote(enum emulated_operation operation, unsigned mask,
                                     unsigned value, const char *file, int line)
{
    unsigned result;

    emulated_warp(operation, mask, &value, &result, sizeof value, 0, 32, file, line);
    return result;
}

static inline unsigned __ballot_sync(unsigned mask, int predicate, EMULATED_PLACE)
{
    return emulated_vote(WARP_BALLOT, mask, predicate != 0, file, line);
}

static inline int __any_sync(unsigned mask, int predicate, EMULATED_PLACE)
{
    return (int)emulated_vote(WARP_ANY, mask, predicate != 0, file, line);
}

static inline int __all_sync(unsigned mask, int predicate, EMULATED_PLACE)
{
    return (int)emulated_vote(WARP_ALL, mask, predicate != 0, file, line);
}

static inline unsigned __match_any_sync(unsigned mask, unsigned value, EMULATED_PLACE)
{
    return emulated_vote(WARP_MATCH_ANY, mask, value, file, line);
}

#if __CUDA_ARCH__ >= 800
static inline unsigned __reduce_min_sync(unsigned mask, unsigned value, EMULATED_PLACE)
{
    return emulated_vote(WARP_MIN, mask, value, file, line);
}

static inline unsigned __reduce_max_sync(unsigned mask, unsigned value, EMULATED_PLACE)
{
    return emulated_vote(WARP_MAX, mask, value, file, line);
}

static inline unsigned __reduce_add_sync(unsigned mask, unsigned value, EMULATED_PLACE)
{
    return emulated_vote(WARP_ADD, mask, value, file, line);
}

static inline int __reduce_min_sync(unsigned mask, int value, EMULATED_PLACE)
{
    return (int)emulated_vote(WARP_MIN_SIGNED, mask, (unsigned)value, file, line);
}

static inline int __reduce_max_sync(unsigned mask, int value, EMULATED_PLACE)
{
    return (int)emulated_vote(WARP_MAX_SIGNED, mask, (unsigned)value, file, line);
}

static inline int __reduce_add_sync(unsigned mask, int value, EMULATED_PLACE)
{
    return (int)emulated_vote(WARP_ADD, mask, (unsigned)value, file, line);
}

static inline unsigned __reduce_and_sync(unsigned mask, unsigned value, EMULATED_PLACE)
{
    return emulated_vote(WARP_AND, mask, value, file, line);
}

static inline unsigned __reduce_or_sync(unsigned mask, unsigned value, EMULATED_PLACE)
{
    return emulated_vote(WARP_OR, mask, value, file, line);
}

static inline unsigned __reduce_xor_sync(unsigned mask, unsigned value, EMULATED_PLACE)
{
    return emulated_vote(WARP_XOR, mask, value, file, line);
}
#endif

/* ---- atomics; each returns what was there ---- */

template <class T, class CHANGE>
static inline EMULATED_UNSEEN T emulated_change(T *at, CHANGE change)
{
    T old;

    emulated_atomic(at, sizeof *at);
    old = *at;
    *at = change(old);
    return old;
}

/* The second one's type is the first one's. */
template <class T> struct emulated_same {
    typedef T type;
};

#define EMULATED_ATOMIC(name, result)                                                     \
    template <class T> static inline T name(T *at, typename emulated_same<T>::type value) \
    {                                                                                     \
        return emulated_change(at, [=](T old) EMULATED_UNSEEN {                           \
            (void)old;                                                                    \
            return (T)(result);                                                           \
        });                                                                               \
    }

EMULATED_ATOMIC(atomicAdd, old + value)
EMULATED_ATOMIC(atomicSub, old - value)
EMULATED_ATOMIC(atomicMin, old < value ? old : value)
EMULATED_ATOMIC(atomicMax, old > value ? old : value)
EMULATED_ATOMIC(atomicAnd, old &value)
EMULATED_ATOMIC(atomicOr, old | value)
EMULATED_ATOMIC(atomicXor, old ^ value)
EMULATED_ATOMIC(atomicExch, value)

template <class T>
static inline T atomicCAS(T *at, typename emulated_same<T>::type expected,
                          typename emulated_same<T>::type value)
{
    return emulated_change(at, [=](T old)
                                   EMULATED_UNSEEN { return old == expected ? value : old; });
}

/* ---- arithmetic ---- */

/* Of two numbers, of the type that C makes of them together. */
template <class A, class B> static inline auto min(A a, B b) -> decltype(a + b)
{
    return (decltype(a + b))a < (decltype(a + b))b ? (decltype(a + b))a : (decltype(a + b))b;
}

template <class A, class B> static inline auto max(A a, B b) -> decltype(a + b)
{
    return (decltype(a + b))a > (decltype(a + b))b ? (decltype(a + b))a : (decltype(a + b))b;
}

static inline int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}

static inline int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}

static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}

static inline int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}

static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}

static inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}

static inline unsigned __brev(unsigned x)
{
    unsigned reversed = 0;

    for (int bit = 0; bit < 32; bit++)
        reversed |= (x >> bit & 1) << (31 - bit);
    return reversed;
}

static inline unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}

static inline int __mulhi(int a, int b)
{
    return (int)((long long)a * b >> 32);
}

static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}

static inline int __float_as_int(float x)
{
    int bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float __int_as_float(int x)
{
    float value;

    memcpy(&value, &x, sizeof value);
    return value;
}

static inline unsigned __float_as_uint(float x)
{
    return (unsigned)__float_as_int(x);
}

static inline float __uint_as_float(unsigned x)
{
    return __int_as_float((int)x);
}

/* c and the products of four bytes. */
static inline unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int shift = 0; shift < 32; shift += 8)
        c += (a >> shift & 0xFF) * (b >> shift & 0xFF);
    return c;
}

#if __CUDA_ARCH__ >= 900
static inline int __viaddmin_s32(int a, int b, int c)
{
    const int sum = (int)((unsigned)a + (unsigned)b);

    return sum < c ? sum : c;
}

static inline int __viaddmax_s32(int a, int b, int c)
{
    const int sum = (int)((unsigned)a + (unsigned)b);

    return sum > c ? sum : c;
}

static inline unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c)
{
    return a + b < c ? a + b : c;
}

static inline unsigned __viaddmax_u32(unsigned a, unsigned b, unsigned c)
{
    return a + b > c ? a + b : c;
}
#endif

/* The larger and the smaller of both halves of two words. */
static inline unsigned __vmaxu2(unsigned a, unsigned b)
{
    return max(a >> 16, b >> 16) << 16 | max(a & 0xFFFFu, b & 0xFFFFu);
}

static inline unsigned __vminu2(unsigned a, unsigned b)
{
    return min(a >> 16, b >> 16) << 16 | min(a & 0xFFFFu, b & 0xFFFFu);
}

/* ---- memory and time ---- */

template <class T> static inline T __ldg(const T *at)
{
    return *at;
}

template <class T> static inline T __ldcg(const T *at)
{
    return *at;
}

/* Blocks run one after another: there is nobody to wait for. */
static inline void __threadfence(void)
{
}

/* What others may change by atomics meanwhile, as the variants use it: one access that races with none of these. */
template <class T> static inline EMULATED_UNSEEN T __ldca(const T *at)
{
    emulated_atomic(at, sizeof *at);
    return *at;
}

/* The memory itself, never an older copy of it. */
template <class T> static inline T tex1Dfetch(cudaTextureObject_t texture, int i)
{
    static_assert(sizeof(T) == 8, "pairs of floats");
    return __ldca((const T *)(uintptr_t)texture + i);
}

static inline long long clock64(void)
{
    return emulated_clock();
}

#endif

#endif

/*
 * cuda_runtime.h - as much of CUDA as the variants of impl_gpu/ use, for this folder's emulator
 *
 * All else does not compile, on purpose: whoever adds a construct has read the manual on it.
 * C files get the host's calls alone, as from CUDA's own header.
 */
#ifndef EMULATION_CUDA_RUNTIME_H
#define EMULATION_CUDA_RUNTIME_H

#include "tests/emulation/emulator.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- the host's calls ---- */

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720
} cudaError_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDefault = 4
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };

/* A handle says of which device it is; NULL is of the first one. */
typedef struct CUstream_st *cudaStream_t;

static inline int emulated_stream_device(cudaStream_t stream)
{
    return (int)(uintptr_t)stream;
}

__BEGIN_DECLS

cudaError_t cudaGetLastError(void);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceSynchronize(void);
/* Fails unless the stream is of the current device. */
cudaError_t emulated_check_stream(cudaStream_t stream);
int emulated_device(void);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute,
                                 int value);
cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream);

/* A fill with EMULATED_POISON is none: what it fills counts as not written. */
#define EMULATED_POISON 0xA5
cudaError_t cudaMemsetAsync(void *pointer, int byte, size_t bytes, cudaStream_t stream);

__END_DECLS

#ifdef __cplusplus

static inline cudaError_t cudaGetDevice(int *device)
{
    *device = emulated_device();
    return cudaSuccess;
}

static inline cudaError_t cudaGetDeviceCount(int *n)
{
    *n = EMULATED_DEVICES;
    return cudaSuccess;
}

enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrReservedSharedMemoryPerBlock = 111
};

static inline cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int)
{
    switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
        *value = EMULATED_PROCESSORS;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *value = __CUDA_ARCH__ / 100;
        break;
    case cudaDevAttrComputeCapabilityMinor:
        *value = __CUDA_ARCH__ / 10 % 10;
        break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = EMULATED_MAX_SHARED + 1024;
        break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
        *value = 1024;
        break;
    case cudaDevAttrCooperativeLaunch:
        *value = 1;
        break;
    default:
        *value = EMULATED_MAX_SHARED;
    }
    return cudaSuccess;
}

enum cudaDeviceP2PAttr { cudaDevP2PAttrNativeAtomicSupported = 3 };

static inline cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr,
                                                    int from, int to)
{
    *value = from != to;
    return cudaSuccess;
}

static inline cudaError_t cudaDeviceCanAccessPeer(int *can, int from, int to)
{
    *can = from != to;
    return cudaSuccess;
}

static inline cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *bytes)
{
    *free_bytes = *bytes = (size_t)1 << 30;
    return cudaSuccess;
}

/* No compiler for a card has seen the kernel: these are numbers that refuse nothing. */
struct cudaFuncAttributes {
    size_t sharedSizeBytes;
    int maxThreadsPerBlock, numRegs;
};

static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                                const void *)
{
    *attributes = {0, 1024, 0};
    return cudaSuccess;
}

/* All but cooperative launches is done before a call returns: nothing waits for an event. */
typedef struct CUevent_st *cudaEvent_t;
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };

static inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = *greatest = 0;
    return cudaSuccess;
}

static inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int)
{
    *stream = (cudaStream_t)(uintptr_t)emulated_device();
    return cudaSuccess;
}

static inline cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}

static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    *event = NULL;
    return cudaSuccess;
}

static inline cudaError_t cudaEventDestroy(cudaEvent_t)
{
    return cudaSuccess;
}

static inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t stream)
{
    return emulated_check_stream(stream);
}

static inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    return cudaSuccess;
}

/* Textures: pairs of floats in linear memory, and nothing else. */
typedef uintptr_t cudaTextureObject_t; /* the address */

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

static inline struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                 enum cudaChannelFormatKind f)
{
    return {x, y, z, w, f};
}

static inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                                  const struct cudaResourceDesc *resource,
                                                  const struct cudaTextureDesc *description,
                                                  const void *view)
{
    const struct cudaChannelFormatDesc pair = {32, 32, 0, 0, cudaChannelFormatKindFloat};
    const bool is_known = resource->resType == cudaResourceTypeLinear &&
                          !memcmp(&resource->res.linear.desc, &pair, sizeof pair) &&
                          description->readMode == cudaReadModeElementType && !view;

    *texture = is_known ? (cudaTextureObject_t)resource->res.linear.devPtr : 0;
    return *texture ? cudaSuccess : cudaErrorInvalidValue;
}

static inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t)
{
    return cudaSuccess;
}

/* ---- words of the language ---- */

#define __global__
#define __device__
#define __host__
/* truly: gcc does not look at what a call returns into memory */
#define __forceinline__ inline __attribute__((always_inline))
#define __shared__      static /* extern ones are source.sed's */
#define __align__(n)    __attribute__((aligned(n)))
#define __launch_bounds__(...)

/* Marks accesses to memory that are not the kernel's own. */
#define EMULATED_UNSEEN __attribute__((no_sanitize("thread")))

/* The caller's place. */
#define EMULATED_PLACE struct emulated_place place = {__builtin_FILE(), __builtin_LINE()}

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

#define EMULATED_VECTORS(name, element)                                              \
    struct alignas(8) name##2                                                        \
    {                                                                                \
        element x, y;                                                                \
    };                                                                               \
    struct alignas(16) name##4                                                       \
    {                                                                                \
        element x, y, z, w;                                                          \
    };                                                                               \
    static inline name##2 make_##name##2(element x, element y)                       \
    {                                                                                \
        return {x, y};                                                               \
    }                                                                                \
    static inline name##4 make_##name##4(element x, element y, element z, element w) \
    {                                                                                \
        return {x, y, z, w};                                                         \
    }

EMULATED_VECTORS(int, int)
EMULATED_VECTORS(uint, unsigned)
EMULATED_VECTORS(float, float)

/* ---- launches ---- */

template <class THREAD> static EMULATED_UNSEEN void emulated_body(const void *thread)
{
    (*(const THREAD *)thread)();
}

/* kernel<<<grid, ...>>>(arguments) becomes kernel * emulated_grid(grid, ...)(arguments). */
struct emulated_grid {
    struct emulated_launch launch;
    bool is_its_device;

    emulated_grid(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = NULL,
                  EMULATED_PLACE)
        : launch{NULL, grid, block, shared_bytes, NULL, NULL, place, emulated_device()},
          is_its_device(!emulated_check_stream(stream))
    {
    }

    template <class... ARGUMENTS> auto operator()(ARGUMENTS... arguments) const
    {
        struct emulated_launch with = launch;
        const bool runs = is_its_device;

        return [=](auto *kernel) mutable {
            const auto thread = [&]() EMULATED_UNSEEN { kernel(arguments...); };

            with.kernel = (const void *)kernel;
            with.body = emulated_body<decltype(thread)>;
            with.thread = &thread;
            if (runs)
                emulated_run(&with);
        };
    }
};

template <class... PARAMETERS, class RUN>
static inline void operator*(void (*kernel)(PARAMETERS...), RUN run)
{
    run(kernel);
}

template <class PARAMETER> struct emulated_call_of {
    void (*kernel)(PARAMETER);
    PARAMETER argument;

    EMULATED_UNSEEN void operator()() const
    {
        kernel(argument);
    }
};

template <class PARAMETER>
static inline cudaError_t
cudaLaunchCooperativeKernel(void (*kernel)(PARAMETER), dim3 grid, dim3 block, void **arguments,
                            size_t shared_bytes, cudaStream_t stream, EMULATED_PLACE)
{
    typedef struct emulated_call_of<PARAMETER> call;
    const call thread = {kernel, *(const PARAMETER *)arguments[0]};
    const struct emulated_launch launch = {
        (const void *)kernel, grid,    block, shared_bytes,
        emulated_body<call>,  &thread, place, emulated_device()};
    const cudaError_t error = emulated_check_stream(stream);

    return error ? error : (cudaError_t)emulated_run_later(&launch, sizeof thread);
}

/* ---- barriers ---- */

static inline void __syncthreads(EMULATED_PLACE)
{
    emulated_barrier(BARRIER_PLAIN, 0, place);
}

static inline int __syncthreads_or(int predicate, EMULATED_PLACE)
{
    return emulated_barrier(BARRIER_OR, predicate != 0, place);
}

static inline int __syncthreads_count(int predicate, EMULATED_PLACE)
{
    return emulated_barrier(BARRIER_COUNT, predicate != 0, place);
}

static inline void __syncwarp(unsigned mask = 0xFFFFFFFFu, EMULATED_PLACE)
{
    const struct emulated_call call = {WARP_SYNC, mask, 0, 32, 0, place};

    emulated_warp(&call, NULL, NULL);
}

/* ---- the operations of a warp ---- */

template <class T>
static inline EMULATED_UNSEEN T emulated_meet(enum emulated_operation operation, unsigned mask,
                                              T value, int from, int width,
                                              struct emulated_place place)
{
    const struct emulated_call call = {operation, mask, from, width, sizeof value, place};
    T result;

    static_assert(sizeof value == 4 || sizeof value == 8, "shuffles move 4 or 8 bytes");
    emulated_warp(&call, &value, &result);
    return result;
}

#define EMULATED_SHUFFLE(name, operation, FROM)                                             \
    template <class T>                                                                      \
    static inline T name(unsigned mask, T value, FROM from, int width = 32, EMULATED_PLACE) \
    {                                                                                       \
        return emulated_meet(operation, mask, value, (int)from, width, place);              \
    }

EMULATED_SHUFFLE(__shfl_sync, WARP_SHUFFLE, int)
EMULATED_SHUFFLE(__shfl_up_sync, WARP_SHUFFLE_UP, unsigned)
EMULATED_SHUFFLE(__shfl_down_sync, WARP_SHUFFLE_DOWN, unsigned)
EMULATED_SHUFFLE(__shfl_xor_sync, WARP_SHUFFLE_XOR, int)

#define EMULATED_VOTE(T, name, operation)                                        \
    static inline T name(unsigned mask, T value, EMULATED_PLACE)                 \
    {                                                                            \
        return (T)emulated_meet(operation, mask, (unsigned)value, 0, 32, place); \
    }

EMULATED_VOTE(unsigned, __ballot_sync, WARP_BALLOT)
EMULATED_VOTE(int, __any_sync, WARP_ANY)
#if __CUDA_ARCH__ >= 800
EMULATED_VOTE(unsigned, __reduce_min_sync, WARP_MIN)
EMULATED_VOTE(unsigned, __reduce_max_sync, WARP_MAX)
EMULATED_VOTE(unsigned, __reduce_add_sync, WARP_ADD)
EMULATED_VOTE(int, __reduce_min_sync, WARP_MIN_SIGNED)
EMULATED_VOTE(int, __reduce_max_sync, WARP_MAX_SIGNED)
EMULATED_VOTE(int, __reduce_add_sync, WARP_ADD)
#endif

/* ---- atomics; each returns what was there ---- */

#define EMULATED_ATOMIC(name, result)                                                  \
    template <class T, class V> static inline EMULATED_UNSEEN T name(T *at, V operand) \
    {                                                                                  \
        const T value = (T)operand;                                                    \
        T old;                                                                         \
                                                                                       \
        emulated_atomic(at, sizeof *at);                                               \
        old = *at;                                                                     \
        *at = (T)(result);                                                             \
        return old;                                                                    \
    }

EMULATED_ATOMIC(atomicAdd, old + value)
EMULATED_ATOMIC(atomicMin, old < value ? old : value)
EMULATED_ATOMIC(atomicMax, old > value ? old : value)
EMULATED_ATOMIC(atomicOr, old | value)
EMULATED_ATOMIC(atomicExch, value)

/* At the memory of a peer, too. */
#define atomicAdd_system atomicAdd

/* A load of a word, or of several at once, that others change; a store of one. */
template <class T> static inline EMULATED_UNSEEN T emulated_load(const T *at, EMULATED_PLACE)
{
    emulated_look(at, sizeof *at, place);
    return *at;
}

template <class T> static inline EMULATED_UNSEEN void emulated_store(T *at, const T &value)
{
    emulated_atomic(at, sizeof *at);
    *at = value;
}

template <class T, class E, class V>
static inline EMULATED_UNSEEN T atomicCAS(T *at, E expected, V value)
{
    T old;

    emulated_atomic(at, sizeof *at);
    old = *at;
    if (old == (T)expected)
        *at = (T)value;
    return old;
}

/* ---- arithmetic ---- */

/* Takes the type that C makes of both. */
template <class A, class B> static inline auto min(A a, B b) -> decltype(a + b)
{
    return (decltype(a + b))a < (decltype(a + b))b ? (decltype(a + b))a : (decltype(a + b))b;
}

template <class A, class B> static inline auto max(A a, B b) -> decltype(a + b)
{
    return (decltype(a + b))a > (decltype(a + b))b ? (decltype(a + b))a : (decltype(a + b))b;
}

#define __ffs  __builtin_ffs
#define __popc __builtin_popcount

static inline int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}

static inline unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}

template <class TO, class FROM> static inline TO emulated_bits(FROM from)
{
    TO to;

    static_assert(sizeof to == sizeof from, "the same bits");
    memcpy(&to, &from, sizeof to);
    return to;
}

#define __float_as_int  emulated_bits<int, float>
#define __int_as_float  emulated_bits<float, int>
#define __float_as_uint emulated_bits<unsigned, float>
#define __uint_as_float emulated_bits<float, unsigned>

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
    return min((int)((unsigned)a + (unsigned)b), c);
}

static inline unsigned __viaddmax_u32(unsigned a, unsigned b, unsigned c)
{
    return max(a + b, c);
}
#endif

/* The larger of both halves of two words. */
static inline unsigned __vmaxu2(unsigned a, unsigned b)
{
    return max(a >> 16, b >> 16) << 16 | max(a & 0xFFFFu, b & 0xFFFFu);
}

/* The smaller of both halves of two words. */
static inline unsigned __vminu2(unsigned a, unsigned b)
{
    return min(a >> 16, b >> 16) << 16 | min(a & 0xFFFFu, b & 0xFFFFu);
}

#if __CUDA_ARCH__ >= 900
static inline unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c)
{
    return __vminu2(__vminu2(a, b), c);
}
#endif

/* Four of the eight bytes of two words, each by a digit of the selector. */
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    const unsigned long long both = (unsigned long long)b << 32 | a;
    unsigned word = 0;

    for (int i = 0; i < 4; i++)
        word |= (unsigned)(both >> 8 * (selector >> 4 * i & 7) & 0xFF) << 8 * i;
    return word;
}

/* ---- memory and time ---- */

template <class T> static inline T __ldcg(const T *at)
{
    return *at;
}

/* Memory is as it was written last. */
static inline void __threadfence(void)
{
}

static inline void __threadfence_system(void)
{
}

/* A load of words that others may change by atomics meanwhile: it races with none of these. */
template <class T> static inline EMULATED_UNSEEN T __ldca(const T *at)
{
    emulated_atomic(at, sizeof *at);
    return *at;
}

/* The memory itself, never an older copy of it. */
template <class T> static inline T tex1Dfetch(cudaTextureObject_t texture, int i)
{
    static_assert(sizeof(T) == 8, "pairs of floats");
    return __ldca((const T *)texture + i);
}

#define clock64 emulated_clock

#endif

#endif

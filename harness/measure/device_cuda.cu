/*
 * device_cuda.cu - the GPU: stream, events, graphs, cache flush, clock probe
 *
 * The only file of the harness that calls CUDA.
 */
#include "harness/measure/arrivals.h"
#include "harness/measure/cuda_try.h"
#include "harness/measure/device.h"
#include "harness/measure/transfer.h"
#include "harness/platform/gpu_lock.h"

#if CUDART_VERSION >= 12050 /* cuGreenCtxStreamCreate */
#define HAS_GREEN_CONTEXTS 1
#include <cudaTypedefs.h>
#else
#define HAS_GREEN_CONTEXTS 0
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BENCH_SM
#define BENCH_SM ""
#endif

#define MAX_SMS 4096 /* %smid is below it */

/* A captured graph; both are NULL if there is none. */
struct captured {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
};

struct bench_device {
    struct bench_device_facts facts;
    cudaStream_t stream; /* the one in use: whole, or that of a green context */
    cudaStream_t whole;
    int n_sms; /* that 'stream' may use */
#if HAS_GREEN_CONTEXTS
    CUgreenCtx green; /* NULL: none */
#endif
    cudaEvent_t mark[BENCH_MAX_STAGES + 1];
    cudaStream_t slot[BENCH_MAX_IN_FLIGHT]; /* [0] unused: it is 'stream' */
    cudaEvent_t slot_mark[BENCH_MAX_IN_FLIGHT][2];
    int n_slots;            /* 0: none was asked for yet */
    struct captured *graph; /* [n_graphs], owned */
    int n_graphs;
    uint4 *d_flush;              /* [2][flush_words], owned */
    size_t flush_words;          /* of a half */
    unsigned long long *d_probe; /* [3] cycles, nanoseconds, resolution; owned */
    unsigned *d_seen;            /* [MAX_SMS / 32], a bit a multiprocessor; owned */
};

/* ---- errors and helpers of implementations ---- */

enum bench_status bench_cuda_fail(cudaError_t error, const char *call, const char *file,
                                  int line)
{
    int device = 0, major = 0, minor = 0;

    cudaGetLastError(); /* a failed launch must not be reported a second time */
    if (error == cudaErrorMemoryAllocation)
        return bench_fail(BENCH_ENOMEM, file, line, "out of device memory in %s (%s)", call,
                          cudaGetErrorName(error));
    if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction) {
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
        return bench_fail(
            BENCH_EENV, file, line,
            "the card has compute capability %d.%d, but this program was built for "
            "sm %s; rebuild with make SM=%d%d",
            major, minor, BENCH_SM, major, minor);
    }
    return bench_fail(BENCH_ECUDA, file, line, "%s: %s (%s)", call, cudaGetErrorString(error),
                      cudaGetErrorName(error));
}

/* asked for, by this thread; the driver's own count moves in steps of 2 MiB */
static thread_local size_t allocated_bytes;
static thread_local int n_arrays_made;

size_t bench_device_take_allocated(int *n_arrays)
{
    const size_t bytes = allocated_bytes;

    *n_arrays = n_arrays_made;
    n_arrays_made = 0;
    allocated_bytes = 0;
    return bytes;
}

static enum bench_status refuse_bytes(const char *what, size_t bytes)
{
    size_t free_bytes = 0, total_bytes = 0;

    cudaMemGetInfo(&free_bytes, &total_bytes);
    return BENCH_FAIL(BENCH_ENOMEM, "%s: %.1f MiB asked for, %.1f of %.1f MiB are free", what,
                      (double)bytes / 1048576.0, (double)free_bytes / 1048576.0,
                      (double)total_bytes / 1048576.0);
}

enum bench_status bench_cuda_malloc(void **pointer, size_t bytes)
{
    cudaError_t error = cudaMalloc(pointer, bytes ? bytes : 1);

    if (error == cudaSuccess) {
        allocated_bytes += bytes;
        if (getenv("DEPTHBENCH_NO_FILL")) /* to initcheck, what is filled has been written */
            return BENCH_OK;
        CUDA_TRY(cudaMemset(*pointer, 0xA5, bytes ? bytes : 1));
        /* our stream does not wait for the default one */
        CUDA_TRY(cudaStreamSynchronize(NULL));
        return BENCH_OK;
    }
    *pointer = NULL;
    cudaGetLastError();
    return error == cudaErrorMemoryAllocation
               ? refuse_bytes("out of device memory", bytes)
               : bench_cuda_fail(error, "cudaMalloc", __FILE__, __LINE__);
}

enum bench_status bench_set_kernel_info(const struct bench_ctx *ctx, const void *kernel,
                                        int threads_per_block, size_t dynamic_shared_bytes)
{
    struct cudaFuncAttributes attributes;
    int device = 0, blocks = 0, threads_per_sm = 0;

    if (!ctx->note)
        return BENCH_OK;
    CUDA_TRY(cudaFuncGetAttributes(&attributes, kernel));
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&threads_per_sm, cudaDevAttrMaxThreadsPerMultiProcessor,
                                    device));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads_per_block,
                                                           dynamic_shared_bytes));
    ctx->note->threads_per_block = threads_per_block;
    ctx->note->registers = attributes.numRegs;
    ctx->note->shared_bytes = attributes.sharedSizeBytes + dynamic_shared_bytes;
    ctx->note->occupancy_pct =
        threads_per_sm > 0
            ? 100.0 * blocks * ((threads_per_block + 31) / 32 * 32) / threads_per_sm
            : 0.0;
    return BENCH_OK;
}

/* ---- arrays of a frame ---- */

#define LOAD_BYTES 16 /* the widest that one thread loads at once: arrays begin at a multiple */

/* Fails if the current device lacks what 'how' needs. */
static enum bench_status can_transfer(enum bench_transfer how)
{
    const bool mapped = how == BENCH_MAPPED;
    int device = 0, can = 0;

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(
        &can, mapped ? cudaDevAttrCanMapHostMemory : cudaDevAttrManagedMemory, device));
    return can ? BENCH_OK
               : BENCH_FAIL(BENCH_ESKIP, "transfer = %s: the card has no %s memory",
                            mapped ? "mapped" : "managed", mapped ? "mapped" : "managed");
}

/* The address at which the GPU sees host memory; NULL: it is not pinned. */
static void *seen_at(const void *host)
{
    struct cudaPointerAttributes memory;

    if (cudaPointerGetAttributes(&memory, host) != cudaSuccess) {
        cudaGetLastError(); /* so says CUDA before 11 of what is not pinned */
        return NULL;
    }
    return memory.type == cudaMemoryTypeHost ? memory.devicePointer : NULL;
}

int bench_device_of(const void *pointer)
{
    struct cudaPointerAttributes memory;

    if (cudaPointerGetAttributes(&memory, pointer) != cudaSuccess) {
        cudaGetLastError();
        return -1;
    }
    return memory.type == cudaMemoryTypeDevice ? memory.device : -1;
}

static enum bench_status make_mapped(struct bench_array *a)
{
    cudaError_t error;

    if ((uintptr_t)a->host % LOAD_BYTES == 0)
        a->d = seen_at(a->host);
    if (a->d)
        return BENCH_OK; /* the harness has pinned it */
    error = cudaHostAlloc(&a->shared, a->bytes, cudaHostAllocMapped);
    if (error == cudaSuccess)
        error = cudaHostGetDevicePointer(&a->d, a->shared, 0);
    return error ? bench_cuda_fail(error, "cudaHostAlloc", __FILE__, __LINE__) : BENCH_OK;
}

static enum bench_status make_managed(struct bench_array *a)
{
    size_t free_bytes = 0, total_bytes = 0;

    /* beyond that the driver would swap, which is another experiment */
    CUDA_TRY(cudaMemGetInfo(&free_bytes, &total_bytes));
    if (a->bytes > free_bytes / 10 * 9)
        return refuse_bytes("transfer = managed", a->bytes);
    CUDA_TRY(cudaMallocManaged(&a->shared, a->bytes, cudaMemAttachGlobal));
    a->d = a->shared;
    allocated_bytes += a->bytes;
    /* a Xavier's host may not touch it while kernels run */
    CUDA_TRY(cudaStreamSynchronize(a->stream));
    memset(a->shared, 0xA5, a->bytes);
    return BENCH_OK;
}

enum bench_status bench_array_make(struct bench_array *a, const struct bench_ctx *ctx,
                                   const void *host, size_t bytes)
{
    memset(a, 0, sizeof *a);
    n_arrays_made++;
    a->host = (void *)(uintptr_t)host;
    a->bytes = bytes ? bytes : 1;
    a->how = ctx->transfer;
    a->stream = ctx->stream;
    if (!host) {
        a->owns_host = true;
        CUDA_TRY(cudaHostAlloc(&a->host, a->bytes, cudaHostAllocMapped));
    }
    if (ctx->frames_follow && bench_device_of(a->host) >= 0) {
        a->is_there = true;
        a->d = a->host;
        return BENCH_OK;
    }
    if (a->how == BENCH_COPY) {
        a->is_copied = true;
        a->bytes = bytes;
        a->seen = seen_at(a->host);
        return bench_cuda_malloc(&a->d, bytes);
    }
    TRY(can_transfer(a->how));
    TRY(a->how == BENCH_MAPPED ? make_mapped(a) : make_managed(a));
    a->bytes = bytes;
    return BENCH_OK;
}

void bench_array_free(struct bench_array *a)
{
    if (a->is_there)
        ; /* the caller's */
    else if (a->is_copied || a->how == BENCH_MANAGED)
        cudaFree(a->is_copied ? a->d : a->shared); /* NULL is fine */
    else if (a->shared)
        cudaFreeHost(a->shared);
    if (a->owns_host)
        cudaFreeHost(a->host);
    memset(a, 0, sizeof *a);
}

/* Between the host's array and what the GPU sees of it. */
static enum bench_status move(const struct bench_array *a, void *to, const void *from,
                              cudaMemcpyKind direction)
{
    if (a->is_copied) {
        CUDA_TRY(cudaMemcpyAsync(to, from, a->bytes, direction, a->stream));
    } else if (a->shared) {
        CUDA_TRY(cudaStreamSynchronize(a->stream)); /* kernels may still read the last frame */
        memcpy(to, from, a->bytes);
    }
    return BENCH_OK;
}

enum bench_status bench_array_upload(const struct bench_array *a)
{
    return move(a, a->is_copied ? a->d : a->shared, a->host, cudaMemcpyHostToDevice);
}

enum bench_status bench_array_download(const struct bench_array *a)
{
    return move(a, a->host, a->is_copied ? a->d : a->shared, cudaMemcpyDeviceToHost);
}

enum bench_status bench_array_fill(const struct bench_array *a, int byte)
{
    CUDA_TRY(cudaMemsetAsync(a->d, byte, a->bytes, a->stream));
    return BENCH_OK;
}

/* ---- a program's own stream ---- */

enum bench_status bench_device_current(int *device, int *n_sms)
{
    CUDA_TRY(cudaGetDevice(device));
    if (n_sms)
        CUDA_TRY(cudaDeviceGetAttribute(n_sms, cudaDevAttrMultiProcessorCount, *device));
    return BENCH_OK;
}

enum bench_status bench_device_wait(struct CUstream_st *stream)
{
    CUDA_TRY(cudaStreamSynchronize(stream));
    return BENCH_OK;
}

/* ---- the device ---- */

/* Cycles and nanoseconds while one thread waits for some 30 us of the global timer. */
static __global__ void probe_clock_kernel(unsigned long long *probe)
{
    unsigned long long t0, t1, resolution = ~0ull;
    long long c0;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do /* begin at a tick */
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t1));
    while (t1 == t0);
    t0 = t1;
    c0 = clock64();
    do {
        unsigned long long now;

        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        if (now != t1 && now - t1 < resolution)
            resolution = now - t1;
        t1 = now;
    } while (t1 - t0 < 30000ull);
    probe[0] = (unsigned long long)(clock64() - c0);
    probe[1] = t1 - t0;
    probe[2] = resolution;
}

/* Note this block's multiprocessor, and keep it busy for some 5 us: others go elsewhere. */
static __global__ void __launch_bounds__(1024) note_sm_kernel(unsigned *seen)
{
    const long long start = clock64();
    unsigned sm;

    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0 && sm < MAX_SMS)
        atomicOr(&seen[sm / 32], 1u << sm % 32);
    while (clock64() - start < 10000)
        ;
}

/* Wait on the GPU, by its own cycles: 80 000 are 40 us at 2 GHz. */
static __global__ void hold_kernel(void)
{
    const long long start = clock64();

    while (clock64() - start < 80000)
        ;
}

#define FLUSH_THREADS 256
#define FLUSH_LOADS   8 /* of a thread, on their way at once */

/* Read [n_words] through the L2 alone.  All that is read has bits in common: no sum is 0, and
 * nothing is ever written to 'sink', which the compiler cannot know. */
static __global__ void read_kernel(const uint4 *from, size_t n_words, unsigned *sink)
{
    const size_t first = (size_t)blockIdx.x * FLUSH_THREADS * FLUSH_LOADS + threadIdx.x;
    unsigned seen = first < n_words ? 0 : 1;

#pragma unroll
    for (int k = 0; k < FLUSH_LOADS; k++)
        if (first + (size_t)k * FLUSH_THREADS < n_words) {
            const uint4 word = __ldcg(&from[first + (size_t)k * FLUSH_THREADS]);

            seen |= word.x | word.y | word.z | word.w;
        }
    if (seen == 0)
        *sink = seen;
}

const char *bench_device_architectures(void)
{
    return BENCH_SM;
}

static enum bench_status read_probe(struct bench_device *d, unsigned long long probe[3])
{
    probe_clock_kernel<<<1, 1, 0, d->stream>>>(d->d_probe);
    CUDA_TRY_LAUNCH();
    return bench_device_read(d, probe, d->d_probe, 3 * sizeof *probe);
}

static enum bench_status read_facts(struct bench_device *d, int index)
{
    struct bench_device_facts *f = &d->facts;
    struct cudaDeviceProp properties;
    const unsigned char *u;
    int value = 0;

    CUDA_TRY(cudaGetDeviceProperties(&properties, index));
    snprintf(f->name, sizeof f->name, "%s", properties.name);
    u = (const unsigned char *)properties.uuid.bytes;
    snprintf(f->uuid, sizeof f->uuid,
             "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0],
             u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13],
             u[14], u[15]);
    f->cc_major = properties.major;
    f->cc_minor = properties.minor;
    f->sm_count = properties.multiProcessorCount;
    f->integrated = properties.integrated;
    f->memory_bytes = properties.totalGlobalMem;
    CUDA_TRY(cudaDeviceGetAttribute(&value, cudaDevAttrL2CacheSize, index));
    f->l2_bytes = (size_t)value;
    if (cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, index) == cudaSuccess)
        f->sm_clock_mhz = value / 1000;
    else
        cudaGetLastError();
    CUDA_TRY(cudaDriverGetVersion(&f->driver));
    CUDA_TRY(cudaRuntimeGetVersion(&f->runtime));
    return BENCH_OK;
}

static enum bench_status open_into(struct bench_device *d, int index)
{
    unsigned long long probe[3];

    CUDA_TRY(cudaSetDevice(index));
    CUDA_TRY(cudaStreamCreateWithFlags(&d->whole, cudaStreamNonBlocking));
    d->stream = d->whole;
    d->n_sms = d->facts.sm_count;
    for (int i = 0; i <= BENCH_MAX_STAGES; i++)
        CUDA_TRY(cudaEventCreate(&d->mark[i]));
    TRY(bench_cuda_malloc((void **)&d->d_probe, 3 * sizeof *d->d_probe));
    TRY(bench_cuda_malloc((void **)&d->d_seen, MAX_SMS / 8));
    TRY(read_probe(d, probe));
    d->facts.timer_resolution_us = (double)probe[2] / 1000.0;
    d->flush_words =
        2 * (d->facts.l2_bytes ? d->facts.l2_bytes : (size_t)16 << 20) / sizeof *d->d_flush;
    TRY(bench_cuda_malloc((void **)&d->d_flush, 2 * d->flush_words * sizeof *d->d_flush));
    CUDA_TRY(
        cudaMemsetAsync(d->d_flush, 0x5A, 2 * d->flush_words * sizeof *d->d_flush, d->stream));
    CUDA_TRY(cudaStreamSynchronize(d->stream));
    return BENCH_OK;
}

/* ---- a part of the GPU ---- */

enum bench_status bench_device_count_sms(struct bench_device *d, int *n)
{
    unsigned seen[MAX_SMS / 32];

    *n = 0;
    CUDA_TRY(cudaMemsetAsync(d->d_seen, 0, sizeof seen, d->stream));
    /* at most two of these blocks fit a multiprocessor: none stays empty */
    note_sm_kernel<<<(unsigned)d->facts.sm_count * 4, 1024, 0, d->stream>>>(d->d_seen);
    CUDA_TRY_LAUNCH();
    TRY(bench_device_read(d, seen, d->d_seen, sizeof seen));
    for (int i = 0; i < MAX_SMS / 32; i++)
        *n += __builtin_popcount(seen[i]);
    return BENCH_OK;
}

#if HAS_GREEN_CONTEXTS
/* The driver's calls, which this program is not linked with. */
struct green_calls {
    PFN_cuDeviceGetDevResource_v12040 get_resource;
    PFN_cuDevSmResourceSplitByCount_v12040 split;
    PFN_cuDevResourceGenerateDesc_v12040 describe;
    PFN_cuGreenCtxCreate_v12040 create;
    PFN_cuGreenCtxStreamCreate_v12050 create_stream;
    PFN_cuGreenCtxDestroy_v12040 destroy;
};

/* false where the driver has it not. */
template <typename F> static bool find_call(F *call, const char *name, unsigned version)
{
    enum cudaDriverEntryPointQueryResult found;
    void *entry = NULL;
    const bool is_there =
        cudaGetDriverEntryPointByVersion(name, &entry, version, cudaEnableDefault, &found) ==
            cudaSuccess &&
        found == cudaDriverEntryPointSuccess;

    if (!is_there)
        cudaGetLastError();
    *call = (F)entry;
    return is_there;
}

static bool find_calls(struct green_calls *c)
{
    return find_call(&c->get_resource, "cuDeviceGetDevResource", 12040) &&
           find_call(&c->split, "cuDevSmResourceSplitByCount", 12040) &&
           find_call(&c->describe, "cuDevResourceGenerateDesc", 12040) &&
           find_call(&c->create, "cuGreenCtxCreate", 12040) &&
           find_call(&c->create_stream, "cuGreenCtxStreamCreate", 12050) &&
           find_call(&c->destroy, "cuGreenCtxDestroy", 12040);
}

/* Back to the whole GPU. */
static void drop_part(struct bench_device *d)
{
    struct green_calls call;

    if (d->stream != d->whole)
        cudaStreamDestroy(d->stream);
    if (d->green && find_calls(&call))
        call.destroy(d->green);
    d->green = NULL;
    d->stream = d->whole;
    d->n_sms = d->facts.sm_count;
}

/* A stream on exactly n multiprocessors, neighbours if possible; *given: the driver's n. */
static CUresult make_part(struct bench_device *d, int n, int *given)
{
    struct green_calls call;
    CUdevResource all, part;
    CUdevResourceDesc description;
    CUstream stream = NULL;
    CUdevice device = 0;
    unsigned n_parts = 1;
    int index = 0;
    CUresult result;

    *given = 0;
    if (!find_calls(&call))
        return CUDA_ERROR_NOT_SUPPORTED;
    cudaGetDevice(&index);
    device = index; /* a CUdevice is the device's number */
    result = call.get_resource(device, &all, CU_DEV_RESOURCE_TYPE_SM);
    if (!result)
        result = call.split(&part, &n_parts, &all, NULL, 0, (unsigned)n);
    if (result || n_parts < 1)
        return result ? result : CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    *given = (int)part.sm.smCount;
    if (*given != n)
        return CUDA_SUCCESS;
    result = call.describe(&description, &part, 1);
    if (!result)
        result = call.create(&d->green, description, device, CU_GREEN_CTX_DEFAULT_STREAM);
    if (!result)
        result = call.create_stream(&stream, d->green, CU_STREAM_NON_BLOCKING, 0);
    if (!result)
        d->stream = stream;
    return result;
}

static enum bench_status take_part(struct bench_device *d, int n)
{
    int given = 0, counted = 0;
    const CUresult result = make_part(d, n, &given);

    if (result)
        return BENCH_FAIL(BENCH_ESKIP,
                          "sms = %d: the driver makes no such part of the card "
                          "(error %d)",
                          n, (int)result);
    if (given != n)
        return BENCH_FAIL(BENCH_ESKIP,
                          "sms = %d: the driver would give %d of this card's multiprocessors",
                          n, given);
    TRY(bench_device_count_sms(d, &counted));
    if (counted != n)
        return BENCH_FAIL(BENCH_ESKIP, "sms = %d: blocks were seen on %d multiprocessors", n,
                          counted);
    d->n_sms = n;
    return BENCH_OK;
}
#else
static void drop_part(struct bench_device *d)
{
    (void)d;
}

static enum bench_status take_part(struct bench_device *d, int n)
{
    (void)d;
    return BENCH_FAIL(
        BENCH_ESKIP,
        "sms = %d: this program was built with CUDA %d.%d; parts of a card need 12.5", n,
        CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}
#endif

enum bench_status bench_device_take_sms(struct bench_device *d, int n)
{
    enum bench_status status;

    if (n == d->n_sms || (n == 0 && d->n_sms == d->facts.sm_count))
        return BENCH_OK;
    drop_part(d);
    if (n == 0 || n == d->facts.sm_count)
        return BENCH_OK;
    if (n > d->facts.sm_count)
        return BENCH_FAIL(BENCH_ESKIP, "sms = %d: the card has %d", n, d->facts.sm_count);
    status = take_part(d, n);
    if (status)
        drop_part(d);
    return status;
}

int bench_device_n_sms(const struct bench_device *d)
{
    return d->n_sms;
}

/* ---- open and close ---- */

static void drop_slots(struct bench_device *d)
{
    for (int i = 0; i < BENCH_MAX_IN_FLIGHT; i++) {
        if (d->slot[i])
            cudaStreamDestroy(d->slot[i]);
        d->slot[i] = NULL;
        for (int end = 0; end < 2; end++) {
            if (d->slot_mark[i][end])
                cudaEventDestroy(d->slot_mark[i][end]);
            d->slot_mark[i][end] = NULL;
        }
    }
    d->n_slots = 0;
}

int bench_device_count(void)
{
    int count = 0;

    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return count;
}

enum bench_status bench_device_open(int index, struct bench_device **device)
{
    int count = 0, driver = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    struct bench_device *d;
    enum bench_status status;

    *device = NULL;
    if (error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ||
        (!error && count == 0)) {
        cudaGetLastError();
        return BENCH_FAIL(BENCH_ESKIP, "no GPU: %s",
                          cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0
                              ? "there is no NVIDIA driver"
                          : error ? cudaGetErrorString(error)
                                  : "the driver lists no device");
    }
    CUDA_TRY(error);
    if (index < 0 || index >= count)
        return BENCH_FAIL(BENCH_EINPUT, "--device %d: expected 0 to %d", index, count - 1);
    d = (struct bench_device *)calloc(1, sizeof *d);
    if (!d)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the device's state");
    status = read_facts(d, index);
    if (!status) {
        /* a context that is made would disturb whoever measures on the GPU */
        const int turn = gpu_lock_acquire(d->facts.uuid, NULL);

        status = open_into(d, index);
        gpu_lock_release(turn);
    }
    if (status) {
        bench_device_close(d);
        return status;
    }
    *device = d;
    return BENCH_OK;
}

void bench_device_close(struct bench_device *d)
{
    if (!d)
        return;
    bench_device_take_graphs(d, 0);
    drop_slots(d);
    for (int i = 0; i <= BENCH_MAX_STAGES; i++)
        if (d->mark[i])
            cudaEventDestroy(d->mark[i]);
    cudaFree(d->d_flush);
    cudaFree(d->d_seen);
    cudaFree(d->d_probe);
    drop_part(d);
    if (d->whole)
        cudaStreamDestroy(d->whole);
    free(d);
}

const struct bench_device_facts *bench_device_describe(const struct bench_device *d)
{
    return &d->facts;
}

struct CUstream_st *bench_device_stream(const struct bench_device *d)
{
    return d->stream;
}

enum bench_status bench_device_sync(struct bench_device *d)
{
    for (int i = 1; i < d->n_slots; i++)
        CUDA_TRY(cudaStreamSynchronize(d->slot[i]));
    CUDA_TRY(cudaStreamSynchronize(d->stream));
    return BENCH_OK;
}

enum bench_status bench_device_flush(struct bench_device *d, int half)
{
    const size_t per_block = (size_t)FLUSH_THREADS * FLUSH_LOADS;
    const size_t n_blocks = (d->flush_words + per_block - 1) / per_block;

    read_kernel<<<(unsigned)n_blocks, FLUSH_THREADS, 0, d->stream>>>(
        d->d_flush + (half ? d->flush_words : 0), d->flush_words, (unsigned *)d->d_probe);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

enum bench_status bench_device_block_stream(struct bench_device *d)
{
    hold_kernel<<<1, 1, 0, d->stream>>>();
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

enum bench_status bench_device_clock_mhz(struct bench_device *d, double *mhz)
{
    unsigned long long probe[3];

    *mhz = 0;
    TRY(read_probe(d, probe));
    /* a timer that ticks slower than every 2 us cannot tell 5 % of 30 us */
    if (probe[1] > 0 && probe[2] <= 2000)
        *mhz = (double)probe[0] * 1000.0 / (double)probe[1];
    return BENCH_OK;
}

enum bench_status bench_device_mark(struct bench_device *d, int index)
{
    if (index < 0 || index > BENCH_MAX_STAGES)
        return BENCH_FAIL(BENCH_ECUDA, "more than %d stages", BENCH_MAX_STAGES);
    CUDA_TRY(cudaEventRecord(d->mark[index], d->stream));
    return BENCH_OK;
}

enum bench_status bench_device_marked_ms(struct bench_device *d, int from, int to, double *ms)
{
    float elapsed = 0;

    CUDA_TRY(cudaEventSynchronize(d->mark[to]));
    CUDA_TRY(cudaEventElapsedTime(&elapsed, d->mark[from], d->mark[to]));
    *ms = elapsed;
    return BENCH_OK;
}

/* ---- frames in flight ---- */

static enum bench_status make_slots(struct bench_device *d, int n)
{
    for (int i = 0; i < n; i++) {
        if (i > 0)
            CUDA_TRY(cudaStreamCreateWithFlags(&d->slot[i], cudaStreamNonBlocking));
        for (int end = 0; end < 2; end++)
            CUDA_TRY(cudaEventCreate(&d->slot_mark[i][end]));
        d->n_slots = i + 1;
    }
    return BENCH_OK;
}

enum bench_status bench_device_take_slots(struct bench_device *d, int n)
{
    enum bench_status status;

    if (n == d->n_slots)
        return BENCH_OK;
    drop_slots(d);
    if (n > 1 && d->stream != d->whole)
        return BENCH_FAIL(BENCH_ESKIP, "in_flight = %d: a part of the GPU has one stream", n);
    status = make_slots(d, n);
    if (status)
        drop_slots(d);
    return status;
}

struct CUstream_st *bench_device_slot_stream(const struct bench_device *d, int slot)
{
    return slot == 0 ? d->stream : d->slot[slot];
}

enum bench_status bench_device_slot_mark(struct bench_device *d, int slot, bool is_end)
{
    CUDA_TRY(cudaEventRecord(d->slot_mark[slot][is_end], bench_device_slot_stream(d, slot)));
    return BENCH_OK;
}

enum bench_status bench_device_slot_done(struct bench_device *d, int slot, bool *is, double *ms)
{
    const cudaError_t error = cudaEventQuery(d->slot_mark[slot][1]);
    float elapsed = 0;

    *is = error == cudaSuccess;
    if (error == cudaErrorNotReady) {
        cudaGetLastError();
        return BENCH_OK;
    }
    CUDA_TRY(error);
    CUDA_TRY(cudaEventElapsedTime(&elapsed, d->slot_mark[slot][0], d->slot_mark[slot][1]));
    *ms = elapsed;
    return BENCH_OK;
}

/* ---- graphs ---- */

static void drop_captured(struct captured *c)
{
    if (c->exec)
        cudaGraphExecDestroy(c->exec);
    if (c->graph)
        cudaGraphDestroy(c->graph);
    *c = (struct captured){NULL, NULL};
}

enum bench_status bench_device_take_graphs(struct bench_device *d, int n)
{
    for (int i = 0; i < d->n_graphs; i++)
        drop_captured(&d->graph[i]);
    free(d->graph);
    d->graph = n > 0 ? (struct captured *)calloc((size_t)n, sizeof *d->graph) : NULL;
    d->n_graphs = d->graph ? n : 0;
    return n == d->n_graphs ? BENCH_OK
                            : BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d graphs", n);
}

enum bench_status bench_device_graph_begin(struct bench_device *d, int slot)
{
    CUDA_TRY(cudaStreamBeginCapture(bench_device_slot_stream(d, slot),
                                    cudaStreamCaptureModeThreadLocal));
    return BENCH_OK;
}

enum bench_status bench_device_graph_end(struct bench_device *d, int slot, int place)
{
    struct captured *const c = &d->graph[place];
    cudaError_t error;

    drop_captured(c);
    error = cudaStreamEndCapture(bench_device_slot_stream(d, slot), &c->graph);
    if (!error)
#if CUDART_VERSION >= 12000
        error = cudaGraphInstantiate(&c->exec, c->graph, 0);
#else
        error = cudaGraphInstantiate(&c->exec, c->graph, NULL, NULL, 0);
#endif
    if (!error)
        return BENCH_OK;
    cudaGetLastError();
    drop_captured(c);
    return BENCH_FAIL(BENCH_ESKIP, "the run cannot be captured as a graph: %s",
                      cudaGetErrorString(error));
}

enum bench_status bench_device_graph_launch(struct bench_device *d, int slot, int place)
{
    CUDA_TRY(cudaGraphLaunch(d->graph[place].exec, bench_device_slot_stream(d, slot)));
    return BENCH_OK;
}

enum bench_status bench_device_read(struct bench_device *d, void *to, const void *from,
                                    size_t bytes)
{
    CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, d->stream));
    CUDA_TRY(cudaStreamSynchronize(d->stream));
    return BENCH_OK;
}

/* ---- a GPU that idles ---- */

#define TOUCH_BYTES 65536

struct bench_touch {
    cudaStream_t stream;
    void *host, *d; /* TOUCH_BYTES each, pinned and the GPU's */
};

static __global__ void touch_kernel(void)
{
}

enum bench_status bench_device_touch(struct bench_touch *t)
{
    CUDA_TRY(cudaMemcpyAsync(t->d, t->host, TOUCH_BYTES, cudaMemcpyHostToDevice, t->stream));
    touch_kernel<<<1, 1, 0, t->stream>>>();
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

static enum bench_status fill_touch(struct bench_touch *t)
{
    CUDA_TRY(cudaMallocHost(&t->host, TOUCH_BYTES));
    memset(t->host, 0, TOUCH_BYTES);
    CUDA_TRY(cudaMalloc(&t->d, TOUCH_BYTES));
    return bench_device_touch(t);
}

enum bench_status bench_device_touch_make(struct CUstream_st *stream,
                                          struct bench_touch **touch)
{
    struct bench_touch *const t = (struct bench_touch *)calloc(1, sizeof *t);
    enum bench_status status;

    *touch = NULL;
    if (!t)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a touch");
    t->stream = stream;
    status = fill_touch(t);
    if (status)
        bench_device_touch_free(t);
    else
        *touch = t;
    return status;
}

void bench_device_touch_free(struct bench_touch *t)
{
    if (!t)
        return;
    cudaFree(t->d); /* behind all that is enqueued */
    cudaFreeHost(t->host);
    free(t);
}

int bench_device_pin(void *data, size_t bytes)
{
    if (cudaHostRegister(data, bytes, cudaHostRegisterDefault) == cudaSuccess)
        return 1;
    cudaGetLastError(); /* stays pageable */
    return 0;
}

void bench_device_unpin(void *data)
{
    if (cudaHostUnregister(data) != cudaSuccess)
        cudaGetLastError();
}

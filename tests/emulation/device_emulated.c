/*
 * device_emulated.c - the card of the emulator: none, but the harness's calls work on it
 *
 * In the place of harness/measure/device_cuda.cu.  Work is done when a call returns, so that
 * there is nothing to wait for; there is no time, and no graph.
 */
#include "harness/measure/cuda_try.h"
#include "harness/measure/device.h"
#include "harness/measure/transfer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The failure of calls that have a meaning on a card alone. */
#define DEVICE_ABSENT \
    BENCH_FAIL(BENCH_ESKIP, "an emulated device has no clock, caches or graphs")
#include "harness/measure/device_absent.h"

struct bench_device {
    struct bench_device_facts facts;
    int n_sms;
};

/* ---- what implementations call ---- */

enum bench_status bench_cuda_fail(cudaError_t error, const char *call, const char *file,
                                  int line)
{
    cudaGetLastError();
    return bench_fail(error == cudaErrorMemoryAllocation ? BENCH_ENOMEM : BENCH_ECUDA, file,
                      line, "emulated %s: %s (%d)", call, emulated_failure(), (int)error);
}

static size_t allocated_bytes;

/* Filled with 0xA5, and known as not written. */
enum bench_status bench_cuda_malloc(void **pointer, size_t bytes)
{
    CUDA_TRY(cudaMalloc(pointer, bytes));
    allocated_bytes += bytes;
    return BENCH_OK;
}

/* No compiler for a card has counted registers. */
enum bench_status bench_set_kernel_info(const struct bench_ctx *ctx, const void *kernel,
                                        int threads_per_block, size_t dynamic_shared_bytes)
{
    if (ctx->note) {
        ctx->note->threads_per_block = threads_per_block;
        ctx->note->registers = 0;
        ctx->note->shared_bytes = dynamic_shared_bytes;
        ctx->note->occupancy_pct = 0;
    }
    return BENCH_OK;
}

/* ---- arrays of a frame: copies alone ---- */

enum bench_status bench_array_make(struct bench_array *array, const struct bench_ctx *ctx,
                                   const void *host, size_t bytes)
{
    memset(array, 0, sizeof *array);
    if (ctx->transfer != BENCH_COPY)
        return BENCH_FAIL(BENCH_ESKIP, "an emulated card has memory of its own alone");
    array->stream = ctx->stream;
    array->host = host ? (void *)(uintptr_t)host : malloc(bytes);
    array->owns_host = !host;
    array->bytes = bytes;
    if (ctx->frames_follow && bench_device_of(host) >= 0) {
        array->is_there = true;
        array->d = array->host;
        return BENCH_OK;
    }
    if (!array->host)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for %zu bytes", bytes);
    array->is_copied = true;
    CUDA_TRY(cudaHostRegister(array->host, bytes, 0));
    array->seen = array->host;
    return bench_cuda_malloc(&array->d, bytes);
}

void bench_array_free(struct bench_array *array)
{
    if (!array->is_there) {
        cudaFree(array->d);
        cudaHostUnregister(array->seen);
    }
    if (array->owns_host)
        free(array->host);
    memset(array, 0, sizeof *array);
}

enum bench_status bench_array_upload(const struct bench_array *array)
{
    if (array->is_there)
        return BENCH_OK;
    CUDA_TRY(cudaMemcpyAsync(array->d, array->host, array->bytes, cudaMemcpyHostToDevice,
                             array->stream));
    return BENCH_OK;
}

enum bench_status bench_array_download(const struct bench_array *array)
{
    if (array->is_there)
        return BENCH_OK;
    CUDA_TRY(cudaMemcpyAsync(array->host, array->d, array->bytes, cudaMemcpyDeviceToHost,
                             array->stream));
    return BENCH_OK;
}

enum bench_status bench_array_fill(const struct bench_array *array, int byte)
{
    CUDA_TRY(cudaMemsetAsync(array->d, byte, array->bytes, array->stream));
    return BENCH_OK;
}

/* ---- a program's own stream ---- */

int bench_device_of(const void *pointer)
{
    return emulated_device_of(pointer);
}

enum bench_status bench_device_current(int *device_number, int *n_sms)
{
    *device_number = emulated_device();
    if (n_sms)
        *n_sms = EMULATED_PROCESSORS;
    return BENCH_OK;
}

enum bench_status bench_device_wait(struct CUstream_st *stream)
{
    (void)stream;
    return BENCH_OK;
}

/* Nothing sleeps. */
ABSENT_VALUE(enum bench_status, (*touch = NULL, BENCH_OK), touch_make,
             struct CUstream_st *stream, struct bench_touch **touch)
ABSENT_VALUE(enum bench_status, BENCH_OK, touch, struct bench_touch *touch)

/* ---- the device ---- */

const char *bench_device_architectures(void)
{
    return "emulated";
}

int bench_device_count(void)
{
    return 1;
}

enum bench_status bench_device_open(int index, struct bench_device **device)
{
    static struct bench_device card = {.facts = {.name = "emulated, no GPU",
                                                 .uuid = "emulated",
                                                 .sm_count = EMULATED_PROCESSORS}};

    *device = index == 0 ? &card : NULL;
    card.n_sms = EMULATED_PROCESSORS;
    return *device ? BENCH_OK : BENCH_FAIL(BENCH_EINPUT, "--device %d: expected 0", index);
}

void bench_device_close(DEVICE)
{
}

const struct bench_device_facts *bench_device_describe(const DEVICE)
{
    return &device->facts;
}

struct CUstream_st *bench_device_stream(const DEVICE)
{
    return NULL;
}

/* Nothing runs elsewhere, but variants size themselves by it. */
enum bench_status bench_device_take_sms(DEVICE, int n)
{
    if (n > device->facts.sm_count)
        return BENCH_FAIL(BENCH_ESKIP, "sms = %d: the card has %d", n, device->facts.sm_count);
    device->n_sms = n > 0 ? n : device->facts.sm_count;
    return BENCH_OK;
}

int bench_device_n_sms(const DEVICE)
{
    return device->n_sms;
}

enum bench_status bench_device_sync(DEVICE)
{
    CUDA_TRY(cudaDeviceSynchronize());
    return BENCH_OK;
}

enum bench_status bench_device_read(DEVICE, void *to, const void *from, size_t bytes)
{
    CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, NULL));
    return BENCH_OK;
}

size_t bench_device_take_allocated(int *n_arrays)
{
    const size_t bytes = allocated_bytes;

    *n_arrays = 0; /* of what is not copied */
    allocated_bytes = 0;
    return bytes;
}

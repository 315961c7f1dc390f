/* device_none.c - the GPU of a build without CUDA: there is none */
#include "harness/measure/device.h"
#include "harness/measure/transfer.h"

#define DEVICE_ABSENT BENCH_FAIL(BENCH_ESKIP, "no GPU: this program was built without CUDA")
#include "harness/measure/device_absent.h"

ABSENT_VALUE(const char *, "", architectures, void)
ABSENT_VALUE(int, 0, count, void)

enum bench_status bench_device_open(int index, struct bench_device **device)
{
    *device = NULL;
    return DEVICE_ABSENT;
}

void bench_array_free(struct bench_array *array)
{
}

void bench_device_close(DEVICE)
{
}

/* The rest is never reached, since no device can be opened. */

ABSENT(current, int *device, int *n_sms)
ABSENT(wait, struct CUstream_st *stream)
ABSENT(touch_make, struct CUstream_st *stream, struct bench_touch **touch)
ABSENT(touch, struct bench_touch *touch)
ABSENT(take_sms, DEVICE, int n)
ABSENT(sync, DEVICE)
ABSENT(read, DEVICE, void *to, const void *from, size_t bytes)
ABSENT_VALUE(int, -1, of, const void *pointer)
ABSENT_VALUE(const struct bench_device_facts *, NULL, describe, const DEVICE)
ABSENT_VALUE(struct CUstream_st *, NULL, stream, const DEVICE)
ABSENT_VALUE(int, 0, n_sms, const DEVICE)
ABSENT_VALUE(size_t, 0, take_allocated, int *n_arrays)

#define ABSENT_ARRAY(name, ...)                       \
    enum bench_status bench_array_##name(__VA_ARGS__) \
    {                                                 \
        return DEVICE_ABSENT;                         \
    }
ABSENT_ARRAY(make, struct bench_array *array, const struct bench_ctx *ctx, const void *host,
             size_t bytes)
ABSENT_ARRAY(download, const struct bench_array *array)

/* device_none.c - the GPU of a build without CUDA: there is none */
#include "harness/measure/device.h"

#define DEVICE_ABSENT BENCH_FAIL(BENCH_ESKIP, "no GPU: this program was built without CUDA")

const char *bench_device_architectures(void)
{
    return "";
}

enum bench_status bench_device_open(int index, struct bench_device **device)
{
    (void)index;
    *device = NULL;
    return DEVICE_ABSENT;
}

void bench_device_close(struct bench_device *device)
{
    (void)device;
}

/* The rest is never reached, since no device can be opened. */

const struct bench_device_facts *bench_device_describe(const struct bench_device *device)
{
    (void)device;
    return NULL;
}

struct CUstream_st *bench_device_stream(const struct bench_device *device)
{
    (void)device;
    return NULL;
}

int bench_device_n_sms(const struct bench_device *device)
{
    (void)device;
    return 0;
}

enum bench_status bench_device_take_sms(struct bench_device *device, int n)
{
    (void)device;
    (void)n;
    return DEVICE_ABSENT;
}

enum bench_status bench_device_sync(struct bench_device *device)
{
    (void)device;
    return DEVICE_ABSENT;
}

int bench_device_take_arrays(void)
{
    return 0;
}

size_t bench_device_take_allocated(void)
{
    return 0;
}

enum bench_status bench_device_read(struct bench_device *device, void *to, const void *from,
                                    size_t bytes)
{
    (void)device;
    (void)to;
    (void)from;
    (void)bytes;
    return DEVICE_ABSENT;
}

#include "harness/measure/device_absent.h"

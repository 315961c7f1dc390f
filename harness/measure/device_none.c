/* device_none.c - the GPU of a build without CUDA: there is none */
#include "harness/measure/device.h"

#define DEVICE_ABSENT BENCH_FAIL(BENCH_ESKIP, "no GPU: this program was built without CUDA")
#include "harness/measure/device_absent.h"

const char *bench_device_architectures(void)
{
    return "";
}

enum bench_status bench_device_open(int index, struct bench_device **device)
{
    *device = NULL;
    return DEVICE_ABSENT;
}

int bench_device_count(void)
{
    return 0;
}

void bench_device_close(DEVICE)
{
}

/* The rest is never reached, since no device can be opened. */

ABSENT(current, int *device, int *n_sms)
ABSENT(wait, struct CUstream_st *stream)

int bench_device_of(const void *pointer)
{
    return -1;
}

ABSENT(take_sms, DEVICE, int n)
ABSENT(sync, DEVICE)
ABSENT(read, DEVICE, void *to, const void *from, size_t bytes)

const struct bench_device_facts *bench_device_describe(const DEVICE)
{
    return NULL;
}

struct CUstream_st *bench_device_stream(const DEVICE)
{
    return NULL;
}

int bench_device_n_sms(const DEVICE)
{
    return 0;
}

size_t bench_device_take_allocated(int *n_arrays)
{
    return 0;
}

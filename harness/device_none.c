/* device_none.c - the card of a build without CUDA: there is none */
#include "harness/device.h"

#define NO_CUDA BENCH_FAIL(BENCH_ESKIP, "no GPU: this program was built without CUDA")

const char *bench_device_architectures(void)
{
    return "";
}

enum bench_status bench_device_open(int index, struct bench_device **device)
{
    (void)index;
    *device = NULL;
    return NO_CUDA;
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

enum bench_status bench_device_sync(struct bench_device *device)
{
    (void)device;
    return NO_CUDA;
}

size_t bench_device_take_allocated(void)
{
    return 0;
}

enum bench_status bench_device_flush(struct bench_device *device)
{
    (void)device;
    return NO_CUDA;
}

enum bench_status bench_device_hold(struct bench_device *device)
{
    (void)device;
    return NO_CUDA;
}

enum bench_status bench_device_start(struct bench_device *device)
{
    (void)device;
    return NO_CUDA;
}

enum bench_status bench_device_stop(struct bench_device *device)
{
    (void)device;
    return NO_CUDA;
}

enum bench_status bench_device_elapsed(struct bench_device *device, double *ms)
{
    (void)device;
    *ms = 0;
    return NO_CUDA;
}

enum bench_status bench_device_graph_begin(struct bench_device *device)
{
    (void)device;
    return NO_CUDA;
}

enum bench_status bench_device_graph_end(struct bench_device *device)
{
    (void)device;
    return NO_CUDA;
}

enum bench_status bench_device_graph_launch(struct bench_device *device)
{
    (void)device;
    return NO_CUDA;
}

void bench_device_graph_drop(struct bench_device *device)
{
    (void)device;
}

enum bench_status bench_device_clock_mhz(struct bench_device *device, double *mhz)
{
    (void)device;
    *mhz = 0;
    return NO_CUDA;
}

enum bench_status bench_device_mark(struct bench_device *device, int index)
{
    (void)device;
    (void)index;
    return NO_CUDA;
}

enum bench_status bench_device_marked_ms(struct bench_device *device, int from, int to,
                                         double *ms)
{
    (void)device;
    (void)from;
    (void)to;
    *ms = 0;
    return NO_CUDA;
}

enum bench_status bench_device_read(struct bench_device *device, void *to, const void *from,
                                    size_t bytes)
{
    (void)device;
    (void)to;
    (void)from;
    (void)bytes;
    return NO_CUDA;
}

int bench_device_pin(void *data, size_t bytes)
{
    (void)data;
    (void)bytes;
    return 0;
}

void bench_device_unpin(void *data)
{
    (void)data;
}

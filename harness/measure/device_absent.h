/*
 * device_absent.h - the calls of device.h that only a GPU answers, for the devices that are
 * none
 *
 * Included once, behind a definition of DEVICE_ABSENT: the failure that such a call is.
 */
enum bench_status bench_device_count_sms(struct bench_device *device, int *n)
{
    (void)device;
    *n = 0;
    return DEVICE_ABSENT;
}

enum bench_status bench_device_flush(struct bench_device *device, int half)
{
    (void)device;
    (void)half;
    return DEVICE_ABSENT;
}

enum bench_status bench_device_block_stream(struct bench_device *device)
{
    (void)device;
    return DEVICE_ABSENT;
}

enum bench_status bench_device_start(struct bench_device *device)
{
    (void)device;
    return DEVICE_ABSENT;
}

enum bench_status bench_device_stop(struct bench_device *device)
{
    (void)device;
    return DEVICE_ABSENT;
}

enum bench_status bench_device_elapsed(struct bench_device *device, double *ms)
{
    (void)device;
    *ms = 0;
    return DEVICE_ABSENT;
}

enum bench_status bench_device_graph_begin(struct bench_device *device)
{
    (void)device;
    return DEVICE_ABSENT;
}

enum bench_status bench_device_graph_end(struct bench_device *device, int place)
{
    (void)device;
    (void)place;
    return DEVICE_ABSENT;
}

enum bench_status bench_device_graph_launch(struct bench_device *device, int place)
{
    (void)device;
    (void)place;
    return DEVICE_ABSENT;
}

void bench_device_graph_drop(struct bench_device *device)
{
    (void)device;
}

enum bench_status bench_device_clock_mhz(struct bench_device *device, double *mhz)
{
    (void)device;
    *mhz = 0;
    return DEVICE_ABSENT;
}

enum bench_status bench_device_mark(struct bench_device *device, int index)
{
    (void)device;
    (void)index;
    return DEVICE_ABSENT;
}

enum bench_status bench_device_marked_ms(struct bench_device *device, int from, int to,
                                         double *ms)
{
    (void)device;
    (void)from;
    (void)to;
    *ms = 0;
    return DEVICE_ABSENT;
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

/*
 * device_absent.h - the calls of device.h that only a GPU answers, for devices that are none
 *
 * Included once, behind a definition of DEVICE_ABSENT: the failure that such a call is.
 */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define DEVICE struct bench_device *device
#define ABSENT_VALUE(type, value, name, ...) \
    type bench_device_##name(__VA_ARGS__)    \
    {                                        \
        return value;                        \
    }
#define ABSENT(name, ...) ABSENT_VALUE(enum bench_status, DEVICE_ABSENT, name, __VA_ARGS__)

ABSENT(count_sms, DEVICE, int *n)
ABSENT(flush, DEVICE, int half)
ABSENT(block_stream, DEVICE)
ABSENT(clock_mhz, DEVICE, double *mhz)
ABSENT(slot_mark, DEVICE, int slot, bool is_end)
ABSENT(slot_done, DEVICE, int slot, bool *is, double *ms)
ABSENT(mark, DEVICE, int index)
ABSENT(marked_ms, DEVICE, int from, int to, double *ms)

ABSENT(take_slots, DEVICE, int n)
ABSENT(take_graphs, DEVICE, int n)
ABSENT(graph_begin, DEVICE, int slot)
ABSENT(graph_end, DEVICE, int slot, int place)
ABSENT(graph_launch, DEVICE, int slot, int place)
ABSENT_VALUE(struct CUstream_st *, NULL, slot_stream, const DEVICE, int slot)
ABSENT_VALUE(int, 0, pin, void *data, size_t bytes)

void bench_device_unpin(void *data)
{
}

void bench_device_touch_free(struct bench_touch *touch)
{
}

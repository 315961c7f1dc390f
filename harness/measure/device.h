/*
 * device.h - the GPU: what it is, its stream, events, graphs and the flush of its cache
 *
 * device_cuda.cu in a CUDA build, device_none.c otherwise; C files include no CUDA header.  One
 * device is open at a time.  All functions report CUDA's own text on failure.
 */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include "harness/measure/impl.h"
#include "harness/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

struct bench_device_facts {
    char name[256]; /* "NVIDIA H200" */
    char uuid[48];  /* "GPU-..." */
    int cc_major, cc_minor;
    int sm_count;   /* multiprocessors of the whole GPU */
    int integrated; /* 1: shares the host's memory (Jetson) */
    size_t l2_bytes;
    size_t memory_bytes; /* total */
    int sm_clock_mhz;    /* the largest that the driver names; 0: not known */
    int driver;          /* as cudaDriverGetVersion: 13000 */
    int runtime;
    double timer_resolution_us; /* smallest step of the device's global timer seen at start */
};

struct bench_device;

/* Architectures of this build's CUDA code ("75 90", "90 by instructions of 80"); "": none. */
const char *bench_device_architectures(void);

/* Open device 'index', make the stream and load a probe kernel.  BENCH_ESKIP with a sentence:
 * no device, driver, or CUDA build; BENCH_EENV: the program was not built for it; BENCH_ECUDA.
 * Waits while another program measures on it (gpu_lock.h).  Caller owns *device. */
enum bench_status bench_device_open(int index, struct bench_device **device);
int bench_device_count(void); /* 0 where bench_device_open() says BENCH_ESKIP */
void bench_device_close(struct bench_device *device); /* NULL is fine */

const struct bench_device_facts *bench_device_describe(const struct bench_device *device);
struct CUstream_st *bench_device_stream(const struct bench_device *device);

/* Let the stream run on 'n' multiprocessors alone (0: on all), by a green context, which is a
 * new stream; their number is counted on the GPU.  BENCH_ESKIP with a sentence: the GPU has
 * fewer, driver or toolkit have no green contexts, or the driver gives another number. */
enum bench_status bench_device_take_sms(struct bench_device *device, int n);
/* The multiprocessors that the stream may use now. */
int bench_device_n_sms(const struct bench_device *device);
/* Count the multiprocessors that run the blocks of a kernel with many for each; waits. */
enum bench_status bench_device_count_sms(struct bench_device *device, int *n);

enum bench_status bench_device_sync(struct bench_device *device);

/* Bytes that bench_cuda_malloc handed out since the last call; *n_arrays: of transfer.h. */
size_t bench_device_take_allocated(int *n_arrays);

/* Read half 0 or 1 of a buffer on the stream, so that the next run starts cold, with no lines
 * in the cache to write back.  A half is at least twice the L2 cache; successive flushes take
 * them in turn, so that none finds what the one before has left. */
enum bench_status bench_device_flush(struct bench_device *device, int half);

/* Keep the stream busy for some 40 us: what is enqueued after it is all there when the GPU gets
 * to it, so that no time of the host is between two events. */
enum bench_status bench_device_block_stream(struct bench_device *device);

/* The multiprocessors' clock now, by 30 us of a one-thread kernel; waits.  0: timer too
 * coarse. */
enum bench_status bench_device_clock_mhz(struct bench_device *device, double *mhz);

/* Stage marks: an event each; see stages.h.  begin and end of the stage pass are measure.c's.
 * marked_ms: between two marks on the stream, milliseconds; waits for the second. */
#define BENCH_MAX_STAGES 16
enum bench_status bench_device_mark(struct bench_device *device, int index);
enum bench_status bench_device_marked_ms(struct bench_device *device, int from, int to,
                                         double *ms);

/* Slots of frames in work at a time, each with a stream and two events; the stream of slot 0 is
 * the device's.  There are none until some are taken; 0 never fails.  BENCH_ESKIP if the stream
 * runs on a part of the GPU.  bench_device_sync() waits for all. */
enum bench_status bench_device_take_slots(struct bench_device *device, int n);
struct CUstream_st *bench_device_slot_stream(const struct bench_device *device, int slot);
/* Behind what is enqueued there: a frame's begin, or its end. */
enum bench_status bench_device_slot_mark(struct bench_device *device, int slot, bool is_end);
/* Sets *is if the end is reached, without waiting; *ms is then the time since its begin. */
enum bench_status bench_device_slot_done(struct bench_device *device, int slot, bool *is,
                                         double *ms);

/* Capture what is enqueued on a slot's stream between begin and end as graph 0 .. n - 1 of
 * those taken; launch enqueues it on a slot's.  end fails with BENCH_ESKIP if the work cannot
 * be captured.  Taking graphs drops earlier ones; taking 0 never fails. */
enum bench_status bench_device_take_graphs(struct bench_device *device, int n);
enum bench_status bench_device_graph_begin(struct bench_device *device, int slot);
enum bench_status bench_device_graph_end(struct bench_device *device, int slot, int place);
enum bench_status bench_device_graph_launch(struct bench_device *device, int slot, int place);

/* Copy from the device's memory to the host's, after all that is enqueued; waits. */
enum bench_status bench_device_read(struct bench_device *device, void *to, const void *from,
                                    size_t bytes);

/* For programs that link the library: the GPU that memory is of (-1: none, or managed), the
 * current GPU and its multiprocessors (may be NULL), and a wait for a stream. */
int bench_device_of(const void *pointer);
enum bench_status bench_device_current(int *device, int *n_sms);
enum bench_status bench_device_wait(struct CUstream_st *stream);

/* A touch wakes a GPU that idles, and the host's way to it: it enqueues a copy of 64 KiB to the
 * GPU and an empty kernel on a stream.  Nobody waits for them.  Making one touches once.  The
 * caller owns *touch; NULL is fine to free. */
struct bench_touch;
enum bench_status bench_device_touch_make(struct CUstream_st *stream,
                                          struct bench_touch **touch);
enum bench_status bench_device_touch(struct bench_touch *touch);
void bench_device_touch_free(struct bench_touch *touch);

/* Pin host memory of an input or output: faster, asynchronous copies; 0: it stays pageable. */
int bench_device_pin(void *data, size_t bytes);
void bench_device_unpin(void *data);

__END_DECLS

#endif

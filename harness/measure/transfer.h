/*
 * transfer.h - the arrays of a frame on their way to a GPU and back: copied, mapped or managed
 *
 * A variant makes one bench_array for each array of the host that its run reads or writes,
 * moves it in upload or download and lets its kernels work on 'd'; how it gets there is the
 * configuration's (ctx->transfer) and no kernel's concern.
 *
 *     copy     'd' is memory of the GPU's own; upload and download enqueue copies.  A variant
 *              may also download by a kernel, to 'seen'
 *     mapped   'd' is the host's own array as the GPU sees it; nothing is copied.  Where the
 *              host's memory cannot be registered (a TX2) it is mapped memory that the host
 *              copies to and from
 *     managed  'd' is one allocation that both see; the host copies to and from it when the
 *              stream is idle
 *
 * If the caller's array is memory of the GPU (harness/library), that is 'd', and nothing moves.
 * Arrays of the variant's own stay with bench_cuda_malloc.
 */
#ifndef BENCH_TRANSFER_H
#define BENCH_TRANSFER_H

#include "harness/measure/impl.h"
#include "harness/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

struct bench_array {
    void *d;    /* where kernels find it */
    void *host; /* the host's array, borrowed unless 'owns_host' */
    /* the host's address of what 'd' is, where that is not the host's array itself */
    void *shared;
    /* of an array that is copied: where kernels find the host's own; NULL: nowhere */
    void *seen;
    bool is_copied; /* by the GPU */
    bool is_there;  /* 'host' is memory of the GPU */
    bool owns_host;
    enum bench_transfer how;
    size_t bytes;
    struct CUstream_st *stream; /* borrowed */
};

/* For 'bytes' at 'host', which outlive it; NULL: it makes room itself, pinned.  BENCH_ESKIP:
 * the GPU cannot do ctx->transfer; BENCH_ENOMEM, also if managed memory would take more than
 * nine tenths of the free.  bench_array_free() accepts what a failure leaves, and zeroes. */
enum bench_status bench_array_make(struct bench_array *array, const struct bench_ctx *ctx,
                                   const void *host, size_t bytes);
void bench_array_free(struct bench_array *array);

/* Bring the host's array to the GPU, or what the GPU wrote to the host: enqueued, or done. */
enum bench_status bench_array_upload(const struct bench_array *array);
enum bench_status bench_array_download(const struct bench_array *array);

/* Fill the GPU's side with a byte, enqueued. */
enum bench_status bench_array_fill(const struct bench_array *array, int byte);

__END_DECLS

#endif

/*
 * columns.cuh - the device side that both rdp variants share: buffers, hooks that copy them
 *
 * All inputs (columns, or the row-major image if the variant transposes it) and outputs are
 * arrays of transfer.h.
 */
#ifndef RDP_COLUMNS_CUH
#define RDP_COLUMNS_CUH

#include "harness/problems/rdp/rdp.h"
#include "impl_gpu/common.cuh"

#include <limits.h>

#define RDP_WARP WARP_LANES

/* The first member of a variant's state, which has the hooks columns_upload to _teardown. */
struct columns {
    const struct rdp_input *in;                /* borrowed */
    struct rdp_output *out;                    /* borrowed */
    cudaStream_t stream;                       /* borrowed */
    const struct bench_ctx *ctx;               /* borrowed: stages come and go there */
    size_t n_columns, n_pixels;                /* of all frames together */
    int n_words;                               /* words of 32 rows in a column of 'kept' */
    struct bench_array given;                  /* the image or the columns, owned */
    struct bench_array kept, segments, rounds; /* owned */
    struct device_arrays arrays;               /* owned: the columns of a transposed image */
    uint16_t *d_y;                             /* [n_columns][n_rows], 1/256 px */
    uint16_t *d_image;   /* [n_frames][n_rows][n_cols]; NULL: columns are uploaded */
    uint32_t *d_kept;    /* [n_columns][n_words] */
    int32_t *d_segments; /* [n_columns] */
    int32_t *d_rounds;   /* [n_columns] */
};

/* 'transposes': the variant uploads the row-major image and makes columns of it. */
static inline enum bench_status columns_setup(struct columns *c, const struct bench_ctx *ctx,
                                              const void *input, void *output, bool transposes)
{
    const struct rdp_input *in = (const struct rdp_input *)input;

    c->in = in;
    c->out = (struct rdp_output *)output;
    c->stream = ctx->stream;
    c->ctx = ctx;
    c->n_columns = (size_t)in->n_frames * (size_t)in->n_cols;
    c->n_words = rdp_n_words(in->n_rows);
    if (c->n_columns > INT_MAX)
        return BENCH_FAIL(BENCH_ESKIP,
                          "one launch takes at most %d columns, this input has %zu", INT_MAX,
                          c->n_columns);
    c->n_pixels = c->n_columns * (size_t)in->n_rows; /* < 2^31 * 2^14 */

    if (ctx->map) {
        c->d_image = (uint16_t *)(uintptr_t)ctx->map->data; /* it is only read */
        TRY(make_array(&c->arrays, &c->d_y, c->n_pixels));
    } else if (transposes) {
        TRY(make_shared_array(&c->given, ctx, in->image, c->n_pixels, &c->d_image));
        TRY(make_array(&c->arrays, &c->d_y, c->n_pixels));
    } else {
        TRY(make_shared_array(&c->given, ctx, in->y, c->n_pixels, &c->d_y));
    }
    TRY(make_shared_array(&c->kept, ctx, c->out->kept, c->n_columns * (size_t)c->n_words,
                          &c->d_kept));
    TRY(make_shared_array(&c->segments, ctx, c->out->segments, c->n_columns, &c->d_segments));
    return make_shared_array(&c->rounds, ctx, c->out->rounds, c->n_columns, &c->d_rounds);
}

static inline enum bench_status columns_upload(void *opaque)
{
    const struct columns *const c = (const struct columns *)opaque;

    return c->ctx->map ? BENCH_OK : bench_array_upload(&c->given);
}

/* The image is where the map is: the run makes columns of it. */
static inline enum bench_status columns_take(void *opaque)
{
    (void)opaque;
    return BENCH_OK;
}

static inline enum bench_status columns_poison(void *opaque)
{
    const struct columns *const c = (const struct columns *)opaque;

    TRY(bench_array_fill(&c->kept, POISON));
    TRY(bench_array_fill(&c->segments, POISON));
    return bench_array_fill(&c->rounds, POISON);
}

/* Writes all outputs into the host's memory: three copies would take long to begin. */
static __global__ void send_kernel(const uint32_t *__restrict__ kept, size_t n_kept,
                                   const int32_t *__restrict__ segments,
                                   const int32_t *__restrict__ rounds, size_t n_columns,
                                   uint32_t *__restrict__ to_kept,
                                   int32_t *__restrict__ to_segments,
                                   int32_t *__restrict__ to_rounds)
{
    send_words(to_kept, kept, n_kept);
    send_words(to_segments, segments, n_columns);
    send_words(to_rounds, rounds, n_columns);
}

static inline enum bench_status columns_download(void *opaque)
{
    const struct columns *const c = (const struct columns *)opaque;

    if (c->kept.seen && c->segments.seen && c->rounds.seen)
        return launch(send_kernel, SEND_BLOCKS * SEND_THREADS, SEND_THREADS, c->stream,
                      (const uint32_t *)c->d_kept, c->n_columns * (size_t)c->n_words,
                      (const int32_t *)c->d_segments, (const int32_t *)c->d_rounds,
                      c->n_columns, (uint32_t *)c->kept.seen, (int32_t *)c->segments.seen,
                      (int32_t *)c->rounds.seen);
    TRY(bench_array_download(&c->kept));
    TRY(bench_array_download(&c->segments));
    return bench_array_download(&c->rounds);
}

static inline void columns_teardown(void *opaque)
{
    struct columns *const c = (struct columns *)opaque;

    bench_array_free(&c->rounds);
    bench_array_free(&c->segments);
    bench_array_free(&c->kept);
    free_arrays(&c->arrays);
    bench_array_free(&c->given);
}

#endif

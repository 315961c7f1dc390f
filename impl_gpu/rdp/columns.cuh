/*
 * columns.cuh - the device side that both rdp variants share: buffers, copies, and the hooks around them
 *
 * One allocation holds the input as columns, one the row-major image where the variant transposes it, one all
 * outputs, so that one memset poisons them and nothing that an earlier run left can pass for a result.
 */
#ifndef RDP_COLUMNS_CUH
#define RDP_COLUMNS_CUH

#include "harness/cuda_try.h"
#include "harness/problems/rdp.h"

#include <limits.h>

#define RDP_WARP   32
#define RDP_POISON 0xA5

struct columns {
    const struct rdp_input *in;  /* borrowed */
    struct rdp_output *out;      /* borrowed */
    cudaStream_t stream;         /* borrowed */
    const struct bench_ctx *ctx; /* borrowed: laps come and go there */
    size_t n_columns;            /* of all frames together */
    size_t n_pixels;             /* of all frames together */
    int n_words;                 /* words of 32 rows in a column of 'kept' */
    uint16_t *d_y;               /* [n_columns][n_rows], 1/256 px, device, owned */
    uint16_t
        *d_image; /* [n_frames][n_rows][n_cols], device, owned; NULL: columns are uploaded */
    uint32_t *d_kept;    /* [n_columns][n_words], device, owned: the outputs' one allocation */
    int32_t *d_segments; /* [n_columns], inside of d_kept */
    int32_t *d_rounds;   /* [n_columns], inside of d_kept */
};

static inline size_t columns_output_bytes(const struct columns *c)
{
    return c->n_columns * sizeof(uint32_t) * ((size_t)c->n_words + 2);
}

/* Allocate for 'input'; 'transposes': the row-major image is uploaded, and the variant makes columns of it. */
static inline enum bench_status columns_setup(struct columns *c, const struct bench_ctx *ctx,
                                              const void *input, void *output, bool transposes)
{
    const struct rdp_input *in = (const struct rdp_input *)input;
    void *pointer;

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

    TRY(bench_cuda_malloc(&pointer, c->n_pixels * sizeof(uint16_t)));
    c->d_y = (uint16_t *)pointer;
    if (transposes) {
        TRY(bench_cuda_malloc(&pointer, c->n_pixels * sizeof(uint16_t)));
        c->d_image = (uint16_t *)pointer;
    }
    TRY(bench_cuda_malloc(&pointer, columns_output_bytes(c)));
    c->d_kept = (uint32_t *)pointer;
    c->d_segments = (int32_t *)(c->d_kept + c->n_columns * (size_t)c->n_words);
    c->d_rounds = c->d_segments + c->n_columns;
    return BENCH_OK;
}

static inline enum bench_status columns_upload(const struct columns *c)
{
    CUDA_TRY(
        cudaMemcpyAsync(c->d_image ? c->d_image : c->d_y, c->d_image ? c->in->image : c->in->y,
                        c->n_pixels * sizeof(uint16_t), cudaMemcpyHostToDevice, c->stream));
    return BENCH_OK;
}

static inline enum bench_status columns_poison(const struct columns *c)
{
    CUDA_TRY(cudaMemsetAsync(c->d_kept, RDP_POISON, columns_output_bytes(c), c->stream));
    return BENCH_OK;
}

static inline enum bench_status columns_download(const struct columns *c)
{
    CUDA_TRY(cudaMemcpyAsync(c->out->kept, c->d_kept,
                             c->n_columns * (size_t)c->n_words * sizeof(uint32_t),
                             cudaMemcpyDeviceToHost, c->stream));
    CUDA_TRY(cudaMemcpyAsync(c->out->segments, c->d_segments, c->n_columns * sizeof(int32_t),
                             cudaMemcpyDeviceToHost, c->stream));
    CUDA_TRY(cudaMemcpyAsync(c->out->rounds, c->d_rounds, c->n_columns * sizeof(int32_t),
                             cudaMemcpyDeviceToHost, c->stream));
    return BENCH_OK;
}

static inline void columns_teardown(struct columns *c)
{
    cudaFree(c->d_kept); /* NULL is fine */
    cudaFree(c->d_image);
    cudaFree(c->d_y);
}

#endif

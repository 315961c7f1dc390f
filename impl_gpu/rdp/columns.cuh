/*
 * columns.cuh - the device side that both rdp variants share: buffers and the hooks that copy
 * them
 *
 * All inputs (columns, or the row-major image if the variant transposes it) and outputs are
 * arrays of transfer.h.
 */
#ifndef RDP_COLUMNS_CUH
#define RDP_COLUMNS_CUH

#include "harness/measure/transfer.h"
#include "harness/problems/rdp/rdp.h"
#include "impl_gpu/common.cuh"

#include <limits.h>

#define RDP_WARP   WARP_LANES
#define RDP_POISON 0xA5

/* The first member of the state of each variant, whose hooks columns_upload, columns_poison,
 * columns_download and columns_teardown are. */
struct columns {
    const struct rdp_input *in;                /* borrowed */
    struct rdp_output *out;                    /* borrowed */
    cudaStream_t stream;                       /* borrowed */
    const struct bench_ctx *ctx;               /* borrowed: laps come and go there */
    size_t n_columns;                          /* of all frames together */
    size_t n_pixels;                           /* of all frames together */
    int n_words;                               /* words of 32 rows in a column of 'kept' */
    struct bench_array given;                  /* the image or the columns, owned */
    struct bench_array kept, segments, rounds; /* owned */
    void *transposed;                          /* device, owned; NULL: columns are uploaded */
    uint16_t *d_y;                             /* [n_columns][n_rows], 1/256 px, of the above */
    uint16_t *d_image;   /* [n_frames][n_rows][n_cols]; NULL: columns are uploaded */
    uint32_t *d_kept;    /* [n_columns][n_words] */
    int32_t *d_segments; /* [n_columns] */
    int32_t *d_rounds;   /* [n_columns] */
};

/* Allocates for 'input'.  'transposes': the row-major image is uploaded, and the variant makes
 * columns of it. */
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

    TRY(bench_array_make(&c->given, ctx, transposes ? in->image : in->y,
                         c->n_pixels * sizeof(uint16_t)));
    c->d_y = (uint16_t *)c->given.d;
    if (transposes) {
        c->d_image = (uint16_t *)c->given.d;
        TRY(bench_cuda_malloc(&c->transposed, c->n_pixels * sizeof(uint16_t)));
        c->d_y = (uint16_t *)c->transposed;
    }
    TRY(bench_array_make(&c->kept, ctx, c->out->kept,
                         c->n_columns * (size_t)c->n_words * sizeof(uint32_t)));
    TRY(bench_array_make(&c->segments, ctx, c->out->segments, c->n_columns * sizeof(int32_t)));
    TRY(bench_array_make(&c->rounds, ctx, c->out->rounds, c->n_columns * sizeof(int32_t)));
    c->d_kept = (uint32_t *)c->kept.d;
    c->d_segments = (int32_t *)c->segments.d;
    c->d_rounds = (int32_t *)c->rounds.d;
    return BENCH_OK;
}

static inline enum bench_status columns_upload(void *opaque)
{
    return bench_array_upload(&((const struct columns *)opaque)->given);
}

static inline enum bench_status columns_poison(void *opaque)
{
    const struct columns *const c = (const struct columns *)opaque;

    TRY(bench_array_fill(&c->kept, RDP_POISON));
    TRY(bench_array_fill(&c->segments, RDP_POISON));
    return bench_array_fill(&c->rounds, RDP_POISON);
}

static inline enum bench_status columns_download(void *opaque)
{
    const struct columns *const c = (const struct columns *)opaque;

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
    cudaFree(c->transposed); /* NULL is fine */
    bench_array_free(&c->given);
}

#endif

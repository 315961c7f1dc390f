/*
 * pair.cuh - what the GPU variants of sgm share: the arrays of a pair, their way, the census,
 * and the median, which is the last of a frame
 */
#ifndef GPU_SGM_PAIR_CUH
#define GPU_SGM_PAIR_CUH

#include "harness/measure/impl.h"
#include "harness/problems/sgm/sgm.h"
#include "impl_gpu/common.cuh"

#define PIXEL_THREADS 256

struct pair; /* the first member of a variant's state */
typedef enum bench_status frame_function(const struct pair *, int frame);

struct pair {
    frame_function *run_frame;           /* of the variant: enqueues a frame */
    const struct sgm_input *in;          /* borrowed */
    struct bench_stages *const *stages;  /* of the run, borrowed */
    cudaStream_t stream;                 /* borrowed */
    size_t n_pixels;                     /* of a frame */
    struct bench_array views[2], result; /* owned */
    uint8_t *d_view[2];                  /* of 'views', [n_frames][n_rows][n_cols] */
    uint16_t *d_disparity;               /* of 'result' */
    struct device_arrays arrays;         /* owns what follows, of one frame */
    uint32_t *d_census[2];               /* [n_rows][n_cols]; of a variant that makes them */
    uint16_t *d_best;                    /* before the median, whatever checks it fails */
    uint8_t *d_valid;
};

static inline enum bench_status pair_setup(struct pair *p, const struct bench_ctx *ctx,
                                           const void *input, void *output,
                                           frame_function *run_frame)
{
    const struct sgm_input *const in = (const struct sgm_input *)input;
    struct sgm_output *const out = (struct sgm_output *)output;
    const size_t n = sgm_frame_pixels(in);

    p->run_frame = run_frame;
    p->in = in;
    p->stages = &ctx->stages;
    p->stream = ctx->stream;
    p->n_pixels = n;
    for (int i = 0; i < 2; i++)
        TRY(make_shared_array(&p->views[i], ctx, i ? in->right : in->left,
                              n * (size_t)in->n_frames, &p->d_view[i]));
    TRY(make_shared_array(&p->result, ctx, out->disparity, n * (size_t)in->n_frames,
                          &p->d_disparity));
    TRY(make_array(&p->arrays, &p->d_best, n));
    return make_array(&p->arrays, &p->d_valid, n);
}

static inline enum bench_status pair_upload(void *opaque)
{
    const struct pair *const p = (const struct pair *)opaque;

    TRY(bench_array_upload(&p->views[0]));
    return bench_array_upload(&p->views[1]);
}

static inline enum bench_status pair_poison(void *opaque)
{
    return bench_array_fill(&((const struct pair *)opaque)->result, POISON);
}

static inline enum bench_status pair_run(void *opaque)
{
    const struct pair *const p = (const struct pair *)opaque;

    for (int k = 0; k < p->in->n_frames; k++)
        TRY(p->run_frame(p, k));
    return BENCH_OK;
}

static inline enum bench_status pair_download(void *opaque)
{
    return bench_array_download(&((const struct pair *)opaque)->result);
}

static inline void pair_teardown(void *opaque)
{
    struct pair *const p = (struct pair *)opaque;

    bench_array_free(&p->views[0]);
    bench_array_free(&p->views[1]);
    bench_array_free(&p->result);
    free_arrays(&p->arrays);
}

/* A lane's costs: 2, 4 or 8 bytes, of one load. */
template <int PER_LANE> struct bytes;
template <> struct bytes<2> {
    typedef uint16_t word;
};
template <> struct bytes<4> {
    typedef uint32_t word;
};
template <> struct bytes<8> {
    typedef unsigned long long word;
};

/* A thread a pixel of both views, which the grid's second dimension tells apart. */
template <int HALF_X, int HALF_Y>
static __global__ void __launch_bounds__(PIXEL_THREADS)
    census_kernel(const uint8_t *__restrict__ left, const uint8_t *__restrict__ right,
                  int n_cols, int n_rows, uint32_t *__restrict__ of_left,
                  uint32_t *__restrict__ of_right)
{
    const unsigned at = blockIdx.x * PIXEL_THREADS + threadIdx.x, width = (unsigned)n_cols;

    if (at < width * (unsigned)n_rows)
        (blockIdx.y ? of_right : of_left)[at] =
            sgm_census(blockIdx.y ? right : left, n_cols, n_rows, (int)(at % width),
                       (int)(at / width), HALF_X, HALF_Y);
}

/* A thread a pixel: the median of its and its neighbours' disparities, if it has one. */
static __global__ void __launch_bounds__(PIXEL_THREADS)
    median_kernel(const uint16_t *__restrict__ best, const uint8_t *__restrict__ valid,
                  int n_cols, int n_rows, int is_filtered, uint16_t *__restrict__ disparity)
{
    const unsigned at = blockIdx.x * PIXEL_THREADS + threadIdx.x;
    const int x = (int)(at % (unsigned)n_cols), y = (int)(at / (unsigned)n_cols);
    uint16_t found;

    if (y >= n_rows)
        return;
    found = best[at];
    if (is_filtered && x > 0 && y > 0 && x < n_cols - 1 && y < n_rows - 1) {
        const uint16_t *const above = best + at - n_cols, *const below = best + at + n_cols;
        uint16_t v[9] = {above[-1],    above[0],  above[1], best[at - 1], found,
                         best[at + 1], below[-1], below[0], below[1]};

        found = sgm_median(v);
    }
    disparity[at] = valid[at] ? found : (uint16_t)SGM_INVALID;
}

static inline enum bench_status make_census(const struct pair *p, int frame)
{
    const struct sgm_input *const in = p->in;
    const size_t first = (size_t)frame * p->n_pixels;
    const auto kernel = in->half_x == 4 ? census_kernel<4, 3> : census_kernel<2, 2>;

    kernel<<<dim3(blocks_of(p->n_pixels, PIXEL_THREADS), 2), PIXEL_THREADS, 0, p->stream>>>(
        p->d_view[0] + first, p->d_view[1] + first, in->n_cols, in->n_rows, p->d_census[0],
        p->d_census[1]);
    CUDA_TRY_LAUNCH();
    bench_stage(*p->stages, "census");
    return BENCH_OK;
}

static inline enum bench_status finish_frame(const struct pair *p, int frame)
{
    const struct sgm_input *const in = p->in;

    TRY(launch(median_kernel, p->n_pixels, PIXEL_THREADS, p->stream,
               (const uint16_t *)p->d_best, (const uint8_t *)p->d_valid, in->n_cols, in->n_rows,
               in->median, p->d_disparity + (size_t)frame * p->n_pixels));
    bench_stage(*p->stages, "median");
    return BENCH_OK;
}

#endif

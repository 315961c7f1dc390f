/*
 * frame.cuh - the device side of all stixels variants: planes, blocks, list, copying hooks
 *
 * The device holds the planes as the paper does: z = 2 + n_classes dense images of one type
 * [STX 4.2].  It is float under arith = float (a disparity of -1 is none) and a 16-bit integer
 * under arith = exact.  Both have the units of stixels.h, so sums over blocks are whole numbers
 * in either.  The planes are uploaded as the problem keeps them, and a kernel of the upload
 * spreads them out.  No kernel scope counts it: the paper assumes its input on the device.
 * gpu-opt can leave the planes as uploaded, or have probabilities in 8 bits, as a network may
 * deliver them: the setup makes them of the problem's, and they are uploaded in their place.
 *
 * The host computes the constants of a model in each upload, as the CPU variants do.
 */
#ifndef STIXELS_FRAME_CUH
#define STIXELS_FRAME_CUH

#include "harness/problems/stixels/stixels.h"
#include "impl_gpu/common.cuh"

#include <stdlib.h>
#include <string.h>

#define STIXELS_WARP 32

/* The form of the planes on the device. */
enum frame_planes {
    /* the form at the head of this file */
    PLANES_DENSE,
    /* as the problem does: 16-bit disparity and probability, 8-bit confidence; lossless */
    PLANES_KEPT,
    /* the same, but 8 bits a probability: 255 times its square root */
    PLANES_ROOT8
};

/* The first member of a variant's state, which has the hooks frame_upload to _teardown. */
struct frame {
    const struct stixels_input *in; /* borrowed */
    struct stixels_output *out;     /* borrowed */
    cudaStream_t stream;            /* borrowed */
    const struct bench_ctx *ctx;    /* borrowed: stages come and go there */
    bool exact; /* dense planes and blocks have elements of uint16_t, otherwise of float */
    enum frame_planes planes;   /* set before frame_setup */
    int n_planes;               /* 2 + n_classes */
    size_t n_columns, n_pixels; /* of all frames together; of one frame */
    size_t n_list;              /* n_columns * n_rows */
    struct bench_array disparity, confidence, scores, list, first; /* owned */
    struct device_arrays arrays; /* owned: the device arrays below that are not of the above */
    uint16_t *d_disparity;       /* as uploaded, of 'disparity', or a map's; as the next two */
    uint8_t *d_confidence;
    uint16_t *d_probability; /* as uploaded, of 'scores'; NULL without classes, or of 8 bits */
    /* dense: [n_frames][n_planes][height][width]; 8 bits, of 'scores': uint8_t
     * [n_frames][n_classes][height][width]; otherwise NULL */
    char *d_planes;
    char *d_blocks; /* [n_frames][n_planes][n_cols][n_rows], v = 0 at the bottom */
    /* [n_frames] and behind them, [n_frames] too, stixels_constants_double where exact,
     * otherwise stixels_constants_float; on the host (owned) and on the device */
    struct stixels_model *models, *d_models;
    char *d_constants; /* in d_models */
    size_t models_bytes, constants_bytes;
    /* [n_columns][n_rows], the stixels of a column at the end of its slot */
    struct stixel *d_slots;
    int32_t *d_counts;     /* [n_columns] */
    uint32_t *d_clocks;    /* [n_columns][COLUMN_STAGES]: of the stage pass */
    struct stixel *d_list; /* [n_list], compact; of 'list' */
    int32_t *d_first;      /* [n_columns + 1]; of 'first' */
};

/* The clock of this SM, for shares of a kernel's time. */
DEVICE uint32_t stage_clock(void)
{
#ifdef __CUDA_ARCH__
    return (uint32_t)clock64();
#else
    return 0;
#endif
}

/* The stages of a column's kernel, one after the other. */
#define COLUMN_STAGES 3
static const char *const column_stages[COLUMN_STAGES] = {"dp: tables", "dp: steps",
                                                         "dp: backtracking"};

static inline enum bench_status make_depth(struct frame *f)
{
    const size_t n = (size_t)f->in->n_frames * f->n_pixels;

    TRY(make_shared_array(&f->disparity, f->ctx, f->in->disparity, n, &f->d_disparity));
    return make_shared_array(&f->confidence, f->ctx, f->in->confidence, n, &f->d_confidence);
}

/* True if the maps of a chain have pixels beyond whole blocks. */
static inline bool is_cut(const struct frame *f)
{
    return f->in->width != f->ctx->map->width || f->in->height != f->ctx->map->height;
}

/* Maps of a chain have no confidence, and are read where they are unless they must be cut. */
static inline enum bench_status take_setup(struct frame *f)
{
    const size_t n = (size_t)f->in->n_frames * f->n_pixels;

    f->d_disparity = (uint16_t *)(uintptr_t)f->ctx->map->data; /* it is only read */
    if (is_cut(f))
        TRY(make_array(&f->arrays, &f->d_disparity, n));
    TRY(make_array(&f->arrays, &f->d_confidence, n));
    CUDA_TRY(cudaMemsetAsync(f->d_confidence, 255, n, f->stream));
    return BENCH_OK;
}

static inline enum bench_status frame_setup(struct frame *f, const struct bench_ctx *ctx,
                                            const void *input, void *output)
{
    const struct stixels_input *in = (const struct stixels_input *)input;
    const size_t n_frames = (size_t)in->n_frames;
    size_t element, n_scores;

    f->in = in;
    f->out = (struct stixels_output *)output;
    f->stream = ctx->stream;
    f->ctx = ctx;
    f->exact = bench_is(ctx->params, "arith", "exact");
    f->n_planes = 2 + in->n_classes;
    f->n_columns = n_frames * (size_t)in->n_cols;
    f->n_pixels = (size_t)in->height * (size_t)in->width;
    f->n_list = f->n_columns * (size_t)in->n_rows;
    n_scores = n_frames * (size_t)in->n_classes * f->n_pixels;
    element = f->exact ? sizeof(uint16_t) : sizeof(float);
    f->models_bytes = n_frames * sizeof *f->models;
    f->constants_bytes = n_frames * (f->exact ? sizeof(struct stixels_constants_double)
                                              : sizeof(struct stixels_constants_float));
    if (n_scores > 0 && f->planes == PLANES_ROOT8 && ctx->frames_follow)
        return BENCH_FAIL(BENCH_ESKIP, "planes = root8 is made of the frames in advance, and "
                                       "these are still to come");
    if (n_frames * (size_t)f->n_planes > 65535)
        return BENCH_FAIL(BENCH_ESKIP,
                          "one launch takes at most 65535 planes, this batch has %zu",
                          n_frames * (size_t)f->n_planes);

    TRY(ctx->map ? take_setup(f) : make_depth(f));
    if (n_scores > 0 && f->planes == PLANES_ROOT8) {
        TRY(make_shared_array(&f->scores, ctx, (const char *)NULL, n_scores, &f->d_planes));
        stixels_roots(in, (uint8_t *)f->scores.host);
    } else if (n_scores > 0) {
        TRY(make_shared_array(&f->scores, ctx, in->probability, n_scores, &f->d_probability));
    }
    if (f->planes == PLANES_DENSE)
        TRY(make_array(&f->arrays, &f->d_planes,
                       n_frames * (size_t)f->n_planes * f->n_pixels * element));
    TRY(make_array(&f->arrays, &f->d_blocks, (size_t)f->n_planes * f->n_list * element));
    f->models = (struct stixels_model *)malloc(f->models_bytes + f->constants_bytes);
    if (!f->models)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the models of %zu frames", n_frames);
    TRY(make_array(&f->arrays, (char **)&f->d_models, f->models_bytes + f->constants_bytes));
    f->d_constants = (char *)f->d_models + f->models_bytes;
    TRY(make_array(&f->arrays, &f->d_slots, f->n_list));
    TRY(make_array(&f->arrays, &f->d_counts, f->n_columns));
    TRY(make_array(&f->arrays, &f->d_clocks, f->n_columns * COLUMN_STAGES));
    TRY(make_shared_array(&f->list, ctx, f->out->list, f->n_list, &f->d_list));
    return make_shared_array(&f->first, ctx, f->out->first, f->n_columns + 1, &f->d_first);
}

/* One thread for each pixel; blockIdx.y: the plane; blockIdx.z: the frame. */
template <typename T>
static __global__ void spread_kernel(const uint16_t *__restrict__ disparity,
                                     const uint8_t *__restrict__ confidence,
                                     const uint16_t *__restrict__ probability, size_t n_pixels,
                                     int n_classes, T *__restrict__ planes)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, frame = blockIdx.z;
    const int z = (int)blockIdx.y;
    T *const to = planes + (frame * (size_t)(2 + n_classes) + (size_t)z) * n_pixels;

    if (i >= n_pixels)
        return;
    if (z == 0) {
        const uint16_t d = disparity[frame * n_pixels + i];

        to[i] = sizeof(T) == sizeof(float) && d == STIXELS_INVALID ? (T)-1 : (T)d;
    } else if (z == 1) {
        to[i] = (T)confidence[frame * n_pixels + i];
    } else {
        to[i] = (T)probability[(frame * (size_t)n_classes + (size_t)(z - 2)) * n_pixels + i];
    }
}

/* Makes the first n_planes of each frame's planes for the kernels from what was copied. */
static inline enum bench_status spread_planes(const struct frame *f, int n_planes)
{
    const dim3 grid((unsigned)((f->n_pixels + 255) / 256), (unsigned)n_planes,
                    (unsigned)f->in->n_frames);

    if (f->exact)
        spread_kernel<uint16_t><<<grid, 256, 0, f->stream>>>(
            f->d_disparity, f->d_confidence, f->d_probability, f->n_pixels, f->in->n_classes,
            (uint16_t *)f->d_planes);
    else
        spread_kernel<float>
            <<<grid, 256, 0, f->stream>>>(f->d_disparity, f->d_confidence, f->d_probability,
                                          f->n_pixels, f->in->n_classes, (float *)f->d_planes);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

/* In one copy, before the planes: it is not pinned, so the host waits for earlier copies. */
static inline enum bench_status upload_models(const struct frame *f)
{
    const struct stixels_input *const in = f->in;
    void *const constants = f->models + in->n_frames;

    memcpy(f->models, in->model, f->models_bytes);
    for (int i = 0; i < in->n_frames; i++)
        if (f->exact)
            ((struct stixels_constants_double *)constants)[i] =
                stixels_constants_of_double(&in->model[i], in->n_rows);
        else
            ((struct stixels_constants_float *)constants)[i] =
                stixels_constants_of_float(&in->model[i], in->n_rows);
    CUDA_TRY(cudaMemcpyAsync(f->d_models, f->models, f->models_bytes + f->constants_bytes,
                             cudaMemcpyHostToDevice, f->stream));
    return BENCH_OK;
}

static inline enum bench_status upload_planes(const struct frame *f, bool with_scores)
{
    TRY(upload_models(f));
    if (!f->ctx->map) {
        TRY(bench_array_upload(&f->disparity));
        TRY(bench_array_upload(&f->confidence));
    }
    if (with_scores && f->in->n_classes > 0)
        TRY(bench_array_upload(&f->scores));
    return f->planes == PLANES_DENSE && !f->ctx->map
               ? spread_planes(f, with_scores ? f->n_planes : 2)
               : BENCH_OK;
}

static inline enum bench_status frame_upload(void *opaque)
{
    return upload_planes((const struct frame *)opaque, true);
}

static inline enum bench_status frame_upload_rest(void *opaque)
{
    return upload_planes((const struct frame *)opaque, false);
}

/* The whole blocks of a map.  One thread for each pixel of them; blockIdx.y: the frame. */
static __global__ void cut_kernel(struct bench_map map, int width, int height,
                                  uint16_t *__restrict__ disparity)
{
    const size_t n = (size_t)width * (size_t)height;
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t row = blockIdx.y * (size_t)map.height + i / (size_t)width;

    if (i < n)
        disparity[blockIdx.y * n + i] = map.data[row * (size_t)map.width + i % (size_t)width];
}

static inline enum bench_status frame_take(void *opaque)
{
    const struct frame *const f = (const struct frame *)opaque;

    if (is_cut(f)) {
        cut_kernel<<<dim3(blocks_of(f->n_pixels, 256), (unsigned)f->in->n_frames), 256, 0,
                     f->stream>>>(*f->ctx->map, f->in->width, f->in->height, f->d_disparity);
        CUDA_TRY_LAUNCH();
    }
    return f->planes == PLANES_DENSE ? spread_planes(f, f->n_planes) : BENCH_OK;
}

static inline enum bench_status frame_poison(void *opaque)
{
    const struct frame *const f = (const struct frame *)opaque;

    CUDA_TRY(cudaMemsetAsync(f->d_slots, POISON, f->n_list * sizeof *f->d_slots, f->stream));
    CUDA_TRY(
        cudaMemsetAsync(f->d_counts, POISON, f->n_columns * sizeof *f->d_counts, f->stream));
    TRY(bench_array_fill(&f->list, POISON));
    return bench_array_fill(&f->first, POISON);
}

/* Writes 'first' into the host's memory, and the list as far as it is used there now, or was at
 * the last download: it is 0 behind that. */
static __global__ void send_kernel(const struct stixel *__restrict__ list,
                                   const int32_t *__restrict__ first, size_t n_columns,
                                   int32_t n_before, struct stixel *__restrict__ to_list,
                                   int32_t *__restrict__ to_first)
{
    const int32_t n = first[n_columns];

    send_words(to_list, list,
               (size_t)(n > n_before ? n : n_before) * (sizeof *list / sizeof(uint32_t)));
    send_words(to_first, first, n_columns + 1);
}

static inline enum bench_status frame_download(void *opaque)
{
    const struct frame *const f = (const struct frame *)opaque;

    if (f->list.seen && f->first.seen) {
        const int32_t before = f->out->first[f->n_columns];

        return launch(send_kernel, SEND_BLOCKS * SEND_THREADS, SEND_THREADS, f->stream,
                      (const struct stixel *)f->d_list, (const int32_t *)f->d_first,
                      f->n_columns,
                      before < 0 || (size_t)before > f->n_list ? (int32_t)f->n_list : before,
                      (struct stixel *)f->list.seen, (int32_t *)f->first.seen);
    }
    TRY(bench_array_download(&f->list));
    return bench_array_download(&f->first);
}

static inline void frame_teardown(void *opaque)
{
    struct frame *const f = (struct frame *)opaque;

    bench_array_free(&f->first);
    bench_array_free(&f->list);
    free_arrays(&f->arrays);
    free(f->models);
    bench_array_free(&f->scores);
    bench_array_free(&f->confidence);
    bench_array_free(&f->disparity);
}

#endif

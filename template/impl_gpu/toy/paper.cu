/*
 * toy/gpu-paper - the paper's kernel
 *
 * Source:  [TOY], the section on the GPU.
 * Mapping: a thread a pixel.
 * Work:    as toy/serial.
 */
#include "harness/measure/impl.h"
#include "harness/problems/toy/toy.h"

#ifdef __CUDACC__
#include "impl_gpu/common.cuh"

#include <limits.h>

#define THREADS 256

static __global__ void __launch_bounds__(THREADS)
    nearest_kernel(const uint16_t *__restrict__ in, uint16_t *__restrict__ out, size_t n,
                   int n_cols, int radius)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        const int x = (int)(i % (size_t)n_cols);

        out[i] = toy_nearest(in + (i - (size_t)x), n_cols, radius, x);
    }
}

struct state {
    const struct toy_input *in;  /* borrowed */
    cudaStream_t stream;         /* borrowed */
    struct bench_array from, to; /* owned */
    uint16_t *d_in, *d_out;      /* of 'from' and 'to' */
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;
    const struct toy_output *out = (const struct toy_output *)output;
    size_t n;

    s->in = (const struct toy_input *)input;
    s->stream = ctx->stream;
    n = toy_pixels(s->in);
    if (n / THREADS >= INT_MAX)
        return BENCH_FAIL(BENCH_ESKIP, "one launch does not take %zu pixels", n);
    TRY(make_shared_array(&s->from, ctx, s->in->disparity, n, &s->d_in));
    TRY(make_shared_array(&s->to, ctx, out->nearest, n, &s->d_out));
    return bench_set_kernel_info(ctx, (const void *)nearest_kernel, THREADS, 0);
}

static enum bench_status upload(void *opaque)
{
    return bench_array_upload(&((const struct state *)opaque)->from);
}

static enum bench_status poison(void *opaque)
{
    return bench_array_fill(&((const struct state *)opaque)->to, POISON);
}

static enum bench_status run(void *opaque)
{
    const struct state *s = (const struct state *)opaque;

    return launch(nearest_kernel, toy_pixels(s->in), THREADS, s->stream,
                  (const uint16_t *)s->d_in, s->d_out, toy_pixels(s->in), s->in->n_cols,
                  s->in->radius);
}

static enum bench_status download(void *opaque)
{
    return bench_array_download(&((const struct state *)opaque)->to);
}

static void teardown(void *opaque)
{
    struct state *s = (struct state *)opaque;

    bench_array_free(&s->from);
    bench_array_free(&s->to);
}
#endif

BENCH_IMPL(toy_gpu_paper) = {
    .name = "toy/gpu-paper",
    .problem = &toy_problem,
    .target = BENCH_CUDA,
    .source = "[TOY], a thread a pixel",
    .reference = "toy/serial",
    .other = NULL,
    .needs = NULL,
    .keys = NULL,
#ifdef __CUDACC__
    .state_size = sizeof(struct state),
    .setup = setup,
    .upload = upload,
    .poison = poison,
    .run = run,
    .download = download,
    .teardown = teardown,
#endif
};

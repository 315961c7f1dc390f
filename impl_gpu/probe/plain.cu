/*
 * probe/gpu-plain - vectors of 16 bytes copied, and eight chains of arithmetic in each thread
 *
 * Source:  ours.
 * Mapping: copy: four vectors a thread, a block's width apart.  Chains: a thread has the words
 *          t, t + T, ... of all T threads.
 * Work:    as counted in probe.c: a chain's operation is one instruction of a thread, and what
 *          a loop adds is unrolled away (a turn is 16 pairs of eight chains: 256 instructions,
 *          and 3 to 5 of the loop).
 */
#include "harness/measure/impl.h"
#include "harness/problems/probe/probe.h"

#ifdef __CUDACC__
#include "impl_gpu/common.cuh"

#include <limits.h>

#define THREADS   256
#define VECTORS   4 /* of a thread that copies */
#define CHAINS    8 /* of a thread: the latency of an operation is 4 to 6 clocks */
#define PER_BLOCK ((size_t)THREADS * VECTORS)

static __global__ void __launch_bounds__(THREADS)
    copy_words_kernel(const uint4 *__restrict__ in, uint4 *__restrict__ out, size_t n)
{
    const size_t first = blockIdx.x * PER_BLOCK + threadIdx.x;
    uint4 vector[VECTORS];

#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (first + (size_t)k * THREADS < n)
            vector[k] = in[first + (size_t)k * THREADS];
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (first + (size_t)k * THREADS < n)
            out[first + (size_t)k * THREADS] = vector[k];
}

/* One frame of CHAINS * n_threads words; chains below N_FLOAT are of floats. */
template <int N_FLOAT>
static __global__ void __launch_bounds__(THREADS)
    chain_words_kernel(const uint32_t *__restrict__ in, uint32_t *__restrict__ out,
                       unsigned n_threads, int pairs)
{
    const unsigned t = blockIdx.x * THREADS + threadIdx.x;
    const size_t base = (size_t)blockIdx.y * CHAINS * n_threads + t;
    float x[CHAINS];
    uint32_t w[CHAINS];

    if (t >= n_threads)
        return;
#pragma unroll
    for (int k = 0; k < CHAINS; k++) {
        w[k] = in[base + (size_t)k * n_threads];
        x[k] = __uint_as_float(w[k]);
    }
#pragma unroll 16
    for (int pair = 0; pair < pairs; pair++) {
#pragma unroll
        for (int k = 0; k < CHAINS / 2; k++) {
            /* one of each half in turn: of a mixed pair both kinds of unit have work */
            const int other = k + CHAINS / 2;

            if (k < N_FLOAT)
                x[k] = probe_fma_pair(x[k]);
            else
                w[k] = probe_integer_pair(w[k]);
            if (other < N_FLOAT)
                x[other] = probe_fma_pair(x[other]);
            else
                w[other] = probe_integer_pair(w[other]);
        }
    }
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
        out[base + (size_t)k * n_threads] = k < N_FLOAT ? __float_as_uint(x[k]) : w[k];
}

typedef void chain_function(const uint32_t *, uint32_t *, unsigned, int);

struct state {
    const struct probe_input *in; /* borrowed */
    struct probe_output *out;     /* borrowed */
    cudaStream_t stream;          /* borrowed */
    chain_function *kernel;       /* NULL: a copy */
    size_t bytes;                 /* of all words */
    struct bench_array from, to;  /* owned */
    uint32_t *d_in, *d_out;       /* [words], of 'from' and 'to' */
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;

    s->in = (const struct probe_input *)input;
    s->out = (struct probe_output *)output;
    s->stream = ctx->stream;
    s->bytes = probe_n_words(s->in) * sizeof(uint32_t);
    if (s->bytes / sizeof(uint4) / PER_BLOCK >= INT_MAX || s->in->n_frames > 65535)
        return BENCH_FAIL(BENCH_ESKIP, "one launch does not take %d frames of %d KiB",
                          s->in->n_frames, s->in->kib);
    TRY(make_shared_array(&s->from, ctx, s->in->words, probe_n_words(s->in), &s->d_in));
    TRY(make_shared_array(&s->to, ctx, s->out->words, probe_n_words(s->in), &s->d_out));

    if (s->in->operation == PROBE_COPY)
        return bench_set_kernel_info(ctx, (const void *)copy_words_kernel, THREADS, 0);
    if (s->in->operation == PROBE_FMA)
        s->kernel = chain_words_kernel<CHAINS>;
    else if (s->in->operation == PROBE_MIXED)
        s->kernel = chain_words_kernel<CHAINS / 2>;
    else
        s->kernel = chain_words_kernel<0>;
    return bench_set_kernel_info(ctx, (const void *)s->kernel, THREADS, 0);
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

    if (s->kernel) {
        const unsigned n_threads = (unsigned)(probe_frame_words(s->in) / CHAINS);
        const dim3 grid((n_threads + THREADS - 1) / THREADS, (unsigned)s->in->n_frames);

        s->kernel<<<grid, THREADS, 0, s->stream>>>(s->d_in, s->d_out, n_threads, s->in->pairs);
    } else {
        const size_t n = s->bytes / sizeof(uint4);

        copy_words_kernel<<<(unsigned)((n + PER_BLOCK - 1) / PER_BLOCK), THREADS, 0,
                            s->stream>>>((const uint4 *)s->d_in, (uint4 *)s->d_out, n);
    }
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
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

BENCH_IMPL(probe_gpu_plain) = {
    .name = "probe/gpu-plain",
    .problem = &probe_problem,
    .target = BENCH_CUDA,
    .source = "vectors of 16 bytes; eight chains a thread",
    .reference = "probe/serial",
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

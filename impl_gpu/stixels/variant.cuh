/*
 * variant.cuh - the hooks that gpu-paper and gpu-cubic share
 */
#ifndef STIXELS_VARIANT_CUH
#define STIXELS_VARIANT_CUH

#include "impl_gpu/stixels/column.cuh"
#include "impl_gpu/stixels/stages.cuh"

/* One instantiation of column_kernel, and its shared memory. */
struct chosen_kernel {
    const void *function;
    size_t shared_bytes;
    size_t workspace_bytes; /* of a column, where the tables lie in global memory; else 0 */
};

struct state {
    struct frame frame;
    struct chosen_kernel kernel;
    int n_threads;
    bool scan_by_block;
    char *d_workspace; /* [n_columns][workspace_bytes], device, owned; NULL without */
};

template <typename REAL, int CLASSES, bool ROWS, bool OPTION_A, bool GLOBAL>
static struct chosen_kernel choose_kernel(const struct stixels_input *in)
{
    struct chosen_kernel kernel;

    kernel.function = (const void *)column_kernel<REAL, CLASSES, ROWS, OPTION_A, GLOBAL>;
    kernel.shared_bytes =
        column_shared_bytes<REAL, ROWS, OPTION_A, GLOBAL>(in->n_rows, in->n_classes);
    kernel.workspace_bytes = GLOBAL ? tables_bytes<REAL, ROWS>(in->n_rows, in->n_classes) : 0;
    return kernel;
}

/* BENCH_ESKIP where the registers or the shared memory of this card do not hold a column. */
static enum bench_status fits(const struct state *s, const struct stixels_input *in)
{
    struct cudaFuncAttributes attributes;
    int device, most_shared;

    CUDA_TRY(cudaFuncGetAttributes(&attributes, s->kernel.function));
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(
        cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (s->n_threads > attributes.maxThreadsPerBlock)
        return BENCH_FAIL(BENCH_ESKIP,
                          "a block has a thread for each of the %d rows of a column; with %d "
                          "registers a thread this card takes at most %d",
                          in->n_rows, attributes.numRegs, attributes.maxThreadsPerBlock);
    if (s->kernel.shared_bytes + attributes.sharedSizeBytes > (size_t)most_shared)
        return BENCH_FAIL(BENCH_ESKIP,
                          "the tables of a column of %d rows with %d classes take %zu bytes of "
                          "shared memory; a block of this card has at most %d",
                          in->n_rows, in->n_classes,
                          s->kernel.shared_bytes + attributes.sharedSizeBytes, most_shared);
    /* all that there is, not what this input needs: another input of the same cell, set up before, may need more */
    CUDA_TRY(cudaFuncSetAttribute(s->kernel.function,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  most_shared - (int)attributes.sharedSizeBytes));
    return BENCH_OK;
}

static enum bench_status setup_variant(struct state *s, const struct bench_ctx *ctx,
                                       const void *input, void *output,
                                       struct chosen_kernel kernel)
{
    const struct stixels_input *in = (const struct stixels_input *)input;

    s->kernel = kernel;
    s->n_threads = (in->n_rows + STIXELS_WARP - 1) / STIXELS_WARP * STIXELS_WARP;
    TRY(fits(s, in));
    TRY(frame_setup(&s->frame, ctx, input, output));
    if (kernel.workspace_bytes > 0) {
        void *pointer;

        TRY(bench_cuda_malloc(&pointer, s->frame.n_columns * kernel.workspace_bytes));
        s->d_workspace = (char *)pointer;
    }
    return bench_note_kernel(ctx, kernel.function, s->n_threads, kernel.shared_bytes);
}

static enum bench_status launch_columns(const struct state *s)
{
    const struct frame *const f = &s->frame;
    int n_cols = f->in->n_cols, n_rows = f->in->n_rows;
    bool scan_by_block = s->scan_by_block;
    void *arguments[] = {(void *)&f->d_blocks,
                         (void *)&f->d_models,
                         &n_cols,
                         &n_rows,
                         &scan_by_block,
                         (void *)&s->d_workspace,
                         (void *)&f->d_slots,
                         (void *)&f->d_counts};

    CUDA_TRY(cudaLaunchKernel(s->kernel.function, dim3((unsigned)f->n_columns),
                              dim3((unsigned)s->n_threads), arguments, s->kernel.shared_bytes,
                              f->stream));
    return BENCH_OK;
}

static enum bench_status upload(void *opaque)
{
    return frame_upload(&((struct state *)opaque)->frame);
}

static enum bench_status poison(void *opaque)
{
    return frame_poison(&((struct state *)opaque)->frame);
}

static enum bench_status run(void *opaque)
{
    const struct state *s = (const struct state *)opaque;
    const struct frame *const f = &s->frame;

    TRY(f->exact ? downsample<uint16_t>(f) : downsample<float>(f));
    bench_lap(f->ctx->laps, "downsample");
    TRY(launch_columns(s));
    bench_lap(f->ctx->laps, "dynamic programming");
    TRY(compact(f));
    bench_lap(f->ctx->laps, "compact");
    return BENCH_OK;
}

static enum bench_status download(void *opaque)
{
    return frame_download(&((struct state *)opaque)->frame);
}

static void teardown(void *opaque)
{
    struct state *s = (struct state *)opaque;

    cudaFree(s->d_workspace); /* NULL is fine */
    frame_teardown(&s->frame);
}

#endif

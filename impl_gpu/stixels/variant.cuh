/*
 * variant.cuh - the hooks that gpu-paper, gpu-cubic and gpu-cuts-cubic share
 */
#ifndef STIXELS_VARIANT_CUH
#define STIXELS_VARIANT_CUH

#include "impl_gpu/stixels/choose.cuh"
#include "impl_gpu/stixels/stages.cuh"

struct state {
    struct frame frame;
    struct chosen_kernel kernel;
    int n_threads;
    bool scan_by_block;
    bool text; /* code = text */
    struct stixels_cuts cuts;
    char *d_workspace; /* [n_columns][workspace_bytes], of 'frame.arrays'; NULL without */
};

static bool is_text(const struct bench_ctx *ctx)
{
    return bench_has(ctx->params, "code") && bench_is(ctx->params, "code", "text");
}

/* BENCH_ESKIP where the model is not of eq. 6. */
static inline enum bench_status check_cubic(const struct stixels_input *in)
{
    FAIL_IF(in->model[0].data_term == STIXELS_E12, BENCH_ESKIP,
            "eq. 12 has a constant-time form, which stixels/gpu-paper takes; this variant is "
            "for eq. 6");
    return BENCH_OK;
}

/* BENCH_ESKIP where the registers or the shared memory of this GPU do not hold a column. */
static enum bench_status fits(const struct state *s, const struct stixels_input *in)
{
    struct cudaFuncAttributes attributes;
    int most_shared;

    CUDA_TRY(cudaFuncGetAttributes(&attributes, s->kernel.function));
    TRY(device_attribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin));
    if (s->n_threads > attributes.maxThreadsPerBlock)
        return BENCH_FAIL(BENCH_ESKIP,
                          "a block has %d threads for the %d rows of a column; with %d "
                          "registers a thread this card takes at most %d",
                          s->n_threads, in->n_rows, attributes.numRegs,
                          attributes.maxThreadsPerBlock);
    if (s->kernel.shared_bytes + attributes.sharedSizeBytes > (size_t)most_shared)
        return BENCH_FAIL(BENCH_ESKIP,
                          "the tables of a column of %d rows with %d classes take %zu bytes of "
                          "shared memory; a block of this card has at most %d",
                          in->n_rows, in->n_classes,
                          s->kernel.shared_bytes + attributes.sharedSizeBytes, most_shared);
    TRY(allow_shared(s->kernel.function, most_shared));
    return s->kernel.stamped ? allow_shared(s->kernel.stamped, most_shared) : BENCH_OK;
}

static enum bench_status setup_variant(struct state *s, const struct bench_ctx *ctx,
                                       const void *input, void *output,
                                       struct chosen_kernel kernel)
{
    const struct stixels_input *in = (const struct stixels_input *)input;

    if (stixels_needs_general(&in->model[0]))
        return BENCH_FAIL(BENCH_ESKIP, STIXELS_NEEDS_GENERAL);
    s->kernel = kernel;
    s->text = is_text(ctx);
    s->n_threads = kernel.n_threads;
    TRY(fits(s, in));
    TRY(frame_setup(&s->frame, ctx, input, output));
    if (kernel.workspace_bytes > 0)
        TRY(make_array(&s->frame.arrays, &s->d_workspace,
                       s->frame.n_columns * kernel.workspace_bytes));
    return bench_set_kernel_info(ctx, kernel.function, s->n_threads, kernel.shared_bytes);
}

/* The stage of the columns, and in it the stages of a kernel that keeps their clocks. */
static void stage_columns(const struct state *s, bool stamped)
{
    const struct frame *const f = &s->frame;

    bench_stage(f->ctx->stages, "dynamic programming");
    if (stamped)
        bench_stage_parts(f->ctx->stages, column_stages, COLUMN_STAGES, f->d_clocks,
                          f->n_columns);
}

static enum bench_status launch_columns(const struct state *s)
{
    const struct frame *const f = &s->frame;
    const bool stamped = f->ctx->stages && s->kernel.stamped;
    column_kernel_fn *const kernel =
        (column_kernel_fn *)(stamped ? s->kernel.stamped : s->kernel.function);
    struct column_task task;

    task.blocks = f->d_blocks;
    task.models = f->d_models;
    task.constants = f->d_constants;
    task.n_cols = f->in->n_cols;
    task.n_rows = f->in->n_rows;
    task.scan_by_block = s->scan_by_block;
    task.workspace = s->d_workspace;
    task.slots = f->d_slots;
    task.counts = f->d_counts;
    task.clocks = f->d_clocks;
    task.cuts = s->cuts;
    kernel<<<(unsigned)f->n_columns, (unsigned)s->n_threads, s->kernel.shared_bytes,
             f->stream>>>(task);
    CUDA_TRY_LAUNCH();
    stage_columns(s, stamped);
    return BENCH_OK;
}

static inline enum bench_status run(void *opaque)
{
    const struct state *s = (const struct state *)opaque;
    const struct frame *const f = &s->frame;

    TRY(f->exact ? downsample<uint16_t>(f, s->text) : downsample<float>(f, s->text));
    bench_stage(f->ctx->stages, "downsample");
    TRY(launch_columns(s));
    TRY(compact(f));
    bench_stage(f->ctx->stages, "compact");
    return BENCH_OK;
}

/* The members of a variant's descriptor that a build without CUDA lacks. */
#define VARIANT_HOOKS                                                                         \
    .state_size = sizeof(struct state), .setup = setup, .upload = frame_upload,               \
    .upload_rest = frame_upload_rest, .take = frame_take, .poison = frame_poison, .run = run, \
    .download = frame_download, .teardown = frame_teardown

#endif

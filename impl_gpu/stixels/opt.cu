/*
 * stixels/gpu-opt - the paper's dynamic programming with fewer instructions, and less waiting
 *
 * Source:  [STX] sect. 4, eq. 12.  It differs from gpu-paper in this:
 *   1 Down-sampling reads 8 or 16 bytes of a row at a time and has four or more rows in flight.
 *     It collects eight rows of blocks and writes 32 bytes of a column at once.  planes =
 *     uint16 reads less than half as many bytes, planes = root8 about a quarter, squaring four
 *     pixels with one instruction.
 *   2 Rows form groups of 32.  All warps of the block try the stixels that end in a group at
 *     once; one warp tries those that also begin there, row by row, and its lanes exchange
 *     results.  A group has two barriers; in gpu-paper a row has one (opt_column.cuh).
 *   3 A lane holds the table entries of its own row in registers.  One broadcast reads the
 *     entries of row v_b for all lanes, four values per load.
 *   4 Sums of classes are integers: one instruction adds and takes the minimum where the GPU
 *     has it.  The cost of a row holds all that does not depend on the plane, and the sky if
 *     it has a single class.
 *   5 Candidates have no branches.  A row passes on the sums that all candidates above it need.
 *     Only for the best candidate the geometry below is computed again.
 *   6 A GPU with at most two columns per SM computes the candidates of a group in advance.
 *   7 One lane per stixel of the result computes its semantic class and plane again.
 *   8 prune = proved: rows that cannot begin the best stixel any more are not tried
 *     (opt_prune.cuh).
 *   9 Without classes columns have no sums of them and cost half as much.
 *  10 The columns of a batch run beside the strips of its next frames, on a stream of greater
 *     priority.
 *  11 With few columns, one kernel compacts: each block sums the counts before its column.
 *     Kernels begin before the preceding one has ended (early.cuh).
 * Both variants sort classes by geometry, read disparity and confidence once, and use fused
 * multiply-adds, divisions without a slow path and the GPU's logarithm: here in the source, in
 * gpu-paper by the flags of float.cu.  The last bits differ, within the tolerance of float.
 * Mapping, shared: opt_strips.cuh, opt_column.cuh.
 * Work:    as gpu-paper.
 *
 * gpu-paper's kernels run for arith = exact, for more classes of ground or sky than there are
 * places, and for columns that are too tall for the shared memory of this GPU.  The kernel here
 * has no exact form, since its sums are 32-bit integers and floats.  Tests compare it with the
 * exact optimum column by column (compare() in compare.c, float_by_hand in
 * tests/test_stixels.c).
 *
 * docs/STIXELS.md#what-is-left-to-try lists what is open.
 */
#include "harness/measure/impl.h"
#include "harness/problems/stixels/stixels.h"

static const struct bench_key keys[] = {
    {"planes", "float", "",
     "on the device: float, as the paper; uint16: 16-bit disparity and probability, 8-bit "
     "confidence, nothing lost; root8: 8 bits a probability, its square root",
     BENCH_CHOICE, 0, 0, "float|uint16|root8"},
    {"prune", "none", "",
     "proved: leave out stixels that cannot win, by a bound (arith = float)", BENCH_CHOICE, 0,
     0, "none|proved"},
    {"early", "auto", "",
     "auto: a kernel may begin before the one before it ends (programmatic dependent launch), "
     "where the GPU can",
     BENCH_CHOICE, 0, 0, "auto|off"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#ifdef __CUDACC__
#include "impl_gpu/stixels/opt_column.cuh"
#include "impl_gpu/stixels/opt_strips.cuh"

/* ---- compaction ---- */

#define FEW_COLUMNS 4096 /* each block sums at most so many counts, 16 KiB of cache */

/* Does the work of scan_kernel and copy_kernel. */
static __global__ void __launch_bounds__(COPY_THREADS)
    gather_kernel(const struct stixel *__restrict__ slots, const int32_t *__restrict__ counts,
                  int n_columns, int n_rows, struct stixel *__restrict__ list,
                  int32_t *__restrict__ first)
{
    __shared__ int32_t sums[2][COPY_THREADS / STIXELS_WARP];
    const int column = (int)blockIdx.x, lane = (int)threadIdx.x % STIXELS_WARP;
    const size_t slot = (size_t)column * (size_t)n_rows, end = slot + (size_t)n_rows;
    int32_t before = 0, all = 0;

    wait_for_previous();

    const int n = counts[column];

    for (int i = (int)threadIdx.x; i < n_columns; i += COPY_THREADS) {
        const int32_t count = counts[i];

        all += count;
        before += i < column ? count : 0;
    }
    for (int offset = STIXELS_WARP / 2; offset > 0; offset /= 2) {
        all += __shfl_xor_sync(ALL_LANES, all, offset);
        before += __shfl_xor_sync(ALL_LANES, before, offset);
    }
    if (lane == 0) {
        sums[0][threadIdx.x / STIXELS_WARP] = all;
        sums[1][threadIdx.x / STIXELS_WARP] = before;
    }
    __syncthreads();
    all = before = 0;
    for (int w = 0; w < COPY_THREADS / STIXELS_WARP; w++) {
        all += sums[0][w];
        before += sums[1][w];
    }
    if (threadIdx.x == 0) {
        first[column] = before;
        if (column == n_columns - 1)
            first[n_columns] = all;
    }
    move_column(slots, slot, end, before, n, (size_t)all, list);
}

/* ---- the hooks ---- */

struct opt_state {
    struct state paper; /* the part that gpu-paper has as well; all if arith = exact */
    struct sorted_classes sorted;
    int n_processors;
    bool fast;
    int n_together;      /* frames of a batch */
    cudaStream_t beside; /* owned: for their columns, beside strips of the next ones; or NULL */
    cudaEvent_t event;   /* owned, with it */
    bool early;          /* kernels may begin before the preceding one has ended */
};

/* Sorts the classes by geometry into their places; false if a geometry has too many. */
template <int OBJECT_QUADS>
static bool sort_classes(const struct stixels_model *model, struct sorted_classes *sorted)
{
    typedef struct places<OBJECT_QUADS> at;
    const int from[STIXELS_N_GEOMETRIES + 1] = {0, at::GROUND, at::SKY, at::SKY + 4};
    const int room[STIXELS_N_GEOMETRIES] = {4 * OBJECT_QUADS, at::N_GROUND, at::N_SKY};

    for (int place = 0; place < MAX_PLACES; place++)
        sorted->at[place] = -1;
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        int n = 0;

        for (int k = 0; k < model->n_classes; k++)
            if (model->geometry_of[k] == g) {
                if (n == room[g])
                    return false;
                sorted->at[from[g] + n++] = (int8_t)k;
            }
        for (int place = from[g] + n; n > 0 && place < from[g + 1]; place++)
            sorted->at[place] = sorted->at[from[g]];
    }
    return true;
}

typedef void opt_kernel_fn(struct opt_task task);

template <int N_WARPS, bool MAKES, int OBJECT_QUADS, bool PRUNES>
static struct chosen_kernel choose_pruned(int n_rows)
{
    return {(const void *)opt_kernel<N_WARPS, MAKES, OBJECT_QUADS, PRUNES, false>,
            (const void *)opt_kernel<N_WARPS, MAKES, OBJECT_QUADS, PRUNES, true>,
            opt_shared_bytes(n_rows, N_WARPS, MAKES, PRUNES, places<OBJECT_QUADS>::N_QUADS), 0,
            N_WARPS * STIXELS_WARP};
}

template <int N_WARPS, bool MAKES, int OBJECT_QUADS>
static struct chosen_kernel choose_warps(int n_rows, bool prunes)
{
    return prunes ? choose_pruned<N_WARPS, MAKES, OBJECT_QUADS, true>(n_rows)
                  : choose_pruned<N_WARPS, MAKES, OBJECT_QUADS, false>(n_rows);
}

/* Taller columns have more warps; without classes two of 8 warps fit into an SM. */
template <int OBJECT_QUADS> static struct chosen_kernel choose_opt(int n_rows, bool prunes)
{
    if (n_rows <= 256)
        return choose_warps<4, false, OBJECT_QUADS>(n_rows, prunes);
    if (n_rows <= 512 || OBJECT_QUADS == NO_OBJECT_QUADS)
        return choose_warps<8, false, OBJECT_QUADS>(n_rows, prunes);
    return choose_warps<16, false, OBJECT_QUADS>(n_rows, prunes);
}

/* Sets *room if a block of this GPU has enough shared memory; gpu-paper's kernels need less. */
static enum bench_status has_room(const struct chosen_kernel *kernel, bool *room)
{
    struct cudaFuncAttributes attributes;
    int most_shared;

    CUDA_TRY(cudaFuncGetAttributes(&attributes, kernel->function));
    TRY(device_attribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin));
    *room = kernel->shared_bytes + attributes.sharedSizeBytes <= (size_t)most_shared;
    return BENCH_OK;
}

/* The kernel for classes in these places, if this GPU has room for it. */
template <int OBJECT_QUADS>
static enum bench_status choose_kernel(struct opt_state *s, const struct stixels_input *in,
                                       bool prunes, struct chosen_kernel *kernel)
{
    const bool makes = places<OBJECT_QUADS>::FEW;

    if (makes && in->n_rows <= 256 &&
        (size_t)in->n_frames * (size_t)in->n_cols <= 2 * (size_t)s->n_processors) {
        *kernel = choose_warps<4, makes, OBJECT_QUADS>(in->n_rows, prunes);
        TRY(has_room(kernel, &s->fast));
    }
    if (s->fast)
        return BENCH_OK;
    *kernel = choose_opt<OBJECT_QUADS>(in->n_rows, prunes);
    return has_room(kernel, &s->fast);
}

/* The same for any classes. */
static enum bench_status choose_any_kernel(struct opt_state *s, const struct stixels_input *in,
                                           bool prunes, struct chosen_kernel *kernel)
{
    const struct stixels_model *const model = &in->model[0];

    if (in->n_classes == 0 && sort_classes<NO_OBJECT_QUADS>(model, &s->sorted))
        return choose_kernel<NO_OBJECT_QUADS>(s, in, prunes, kernel);
    if (sort_classes<FEW_OBJECT_QUADS>(model, &s->sorted))
        return choose_kernel<FEW_OBJECT_QUADS>(s, in, prunes, kernel);
    if (sort_classes<MANY_OBJECT_QUADS>(model, &s->sorted))
        return choose_kernel<MANY_OBJECT_QUADS>(s, in, prunes, kernel);
    return BENCH_OK;
}

/* Columns per SM of a part of a batch.  Strips of short planes end before few columns. */
#define PART_OF_FLOATS 2
#define PART_OF_SHORTS 6

/* Cuts a batch into parts.  The stream beside is for several parts, on a whole GPU. */
static enum bench_status make_beside(struct opt_state *s, const struct stixels_input *in)
{
    const int n_each = s->paper.frame.planes == PLANES_DENSE ? PART_OF_FLOATS : PART_OF_SHORTS;
    int n_processors, least, greatest;

    s->n_together = max((n_each * s->n_processors + in->n_cols / 2) / in->n_cols, 1);
    TRY(device_attribute(&n_processors, cudaDevAttrMultiProcessorCount));
    if (s->n_together >= in->n_frames || s->n_processors < n_processors)
        return BENCH_OK;
    CUDA_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CUDA_TRY(cudaStreamCreateWithPriority(&s->beside, cudaStreamNonBlocking, greatest));
    CUDA_TRY(cudaEventCreateWithFlags(&s->event, cudaEventDisableTiming));
    return BENCH_OK;
}

static enum bench_status opt_setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                                   void *output)
{
    struct opt_state *s = (struct opt_state *)opaque;
    const struct stixels_input *in = (const struct stixels_input *)input;
    const bool exact = bench_is(ctx->params, "arith", "exact");
    const bool kept = !bench_is(ctx->params, "planes", "float");
    const bool prunes = bench_is(ctx->params, "prune", "proved");
    struct chosen_kernel kernel;

    if (in->model[0].data_term != STIXELS_E12)
        return BENCH_FAIL(BENCH_ESKIP, "the uniform part of eq. 6 has no constant-time form; "
                                       "stixels/gpu-cubic sums it over the rows");
    if (exact && bench_is(ctx->params, "planes", "root8"))
        return BENCH_FAIL(BENCH_ESKIP, "probabilities of 8 bits are not the ones that arith = "
                                       "exact asks for; planes = uint16 loses nothing");
    s->n_processors = ctx->n_sms;
    if (bench_is(ctx->params, "early", "auto"))
        TRY(can_begin_early((const void *)gather_kernel, &s->early));
    if (!exact && kept)
        s->paper.frame.planes =
            bench_is(ctx->params, "planes", "root8") ? PLANES_ROOT8 : PLANES_KEPT;
    s->fast = false;
    if (!exact)
        TRY(choose_any_kernel(s, in, prunes, &kernel));
    if (!s->fast)
        kernel = exact ? stixels_exact_kernel(in, FORM_B, false)
                       : stixels_float_kernel(in, FORM_B, false);
    TRY(setup_variant(&s->paper, ctx, input, output, kernel));
    return s->fast ? make_beside(s, in) : BENCH_OK;
}

static void opt_teardown(void *opaque)
{
    struct opt_state *const s = (struct opt_state *)opaque;

    if (s->event)
        cudaEventDestroy(s->event);
    if (s->beside)
        cudaStreamDestroy(s->beside);
    frame_teardown(&s->paper.frame);
}

template <int ROWS, int COLS, int PX, typename DISPARITY, typename CONFIDENCE,
          typename PROBABILITY>
static enum bench_status
launch_strips(const struct frame *f,
              struct plane_set<DISPARITY, CONFIDENCE, PROBABILITY> planes)
{
    const struct stixels_input *const in = f->in;
    const dim3 grid((unsigned)((in->width + PX * STIXELS_WARP - 1) / (PX * STIXELS_WARP)),
                    (unsigned)((in->n_rows + STRIP_ROWS - 1) / STRIP_ROWS),
                    (unsigned)(in->n_frames * (1 + in->n_classes)));

    strip_kernel<ROWS, COLS, PX, DISPARITY, CONFIDENCE, PROBABILITY>
        <<<grid, STRIP_ROWS * STIXELS_WARP, 0, f->stream>>>(planes, in->n_classes, in->height,
                                                            in->width, in->n_rows, in->n_cols,
                                                            (float *)f->d_blocks);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

/* Blocks of 8 x 8 and 4 x 4 go in strips if PX divides the width, others as in gpu-paper. */
template <int PX, typename DISPARITY, typename CONFIDENCE, typename PROBABILITY>
static enum bench_status
downsample_planes(const struct frame *f,
                  struct plane_set<DISPARITY, CONFIDENCE, PROBABILITY> planes)
{
    const struct stixels_input *const in = f->in;

    if (in->block_rows == 8 && in->block_cols == 8)
        return launch_strips<8, 8, PX, DISPARITY, CONFIDENCE, PROBABILITY>(f, planes);
    if (in->block_rows == 4 && in->block_cols == 4 && in->width % PX == 0)
        return launch_strips<4, 4, PX, DISPARITY, CONFIDENCE, PROBABILITY>(f, planes);
    if (in->block_rows == 4 && in->block_cols == 4)
        return launch_strips<4, 4, 4, DISPARITY, CONFIDENCE, PROBABILITY>(f, planes);
    return downsample_from<DISPARITY, CONFIDENCE, PROBABILITY, float>(f, planes);
}

static enum bench_status downsample_opt(const struct frame *f)
{
    if (f->exact)
        return downsample<uint16_t>(f);
    if (f->planes == PLANES_KEPT)
        return downsample_planes<8>(f, kept_planes<uint16_t>(f, f->d_probability));
    if (f->planes == PLANES_ROOT8)
        return downsample_planes<8>(f, kept_planes<uint8_t>(f, f->d_planes));
    return downsample_planes<4>(f, dense_planes<float>(f));
}

static enum bench_status launch_opt(const struct opt_state *s, const struct frame *f,
                                    bool early)
{
    const bool stamped = f->ctx->stages != NULL;
    opt_kernel_fn *const kernel =
        (opt_kernel_fn *)(stamped ? s->paper.kernel.stamped : s->paper.kernel.function);
    struct opt_task task;

    task.blocks = (const float *)f->d_blocks;
    task.models = f->d_models;
    task.constants = (const struct stixels_constants_float *)f->d_constants;
    task.sorted = s->sorted;
    task.n_cols = f->in->n_cols;
    task.n_rows = f->in->n_rows;
    task.n_processors = s->n_processors;
    task.slots = f->d_slots;
    task.counts = f->d_counts;
    task.clocks = f->d_clocks;
    TRY(launch_behind(early, kernel, (unsigned)f->n_columns, (unsigned)s->paper.n_threads,
                      s->paper.kernel.shared_bytes, f->stream, task));
    return BENCH_OK;
}

/* Frames i .. i + n - 1 of a batch by themselves; in: where their input goes. */
static struct frame part_of(const struct frame *batch, int i, int n, struct stixels_input *in)
{
    const size_t at = (size_t)i, of = (size_t)batch->in->n_frames;
    const size_t n_columns = batch->n_columns / of, n_list = batch->n_list / of;
    struct frame f = *batch;

    *in = *batch->in;
    in->n_frames = n;
    f.in = in;
    f.n_columns = (size_t)n * n_columns;
    f.n_list = (size_t)n * n_list;
    f.d_disparity += at * f.n_pixels;
    f.d_confidence += at * f.n_pixels;
    f.d_probability += at * (size_t)in->n_classes * f.n_pixels;
    if (f.planes == PLANES_DENSE)
        f.d_planes += at * (size_t)f.n_planes * f.n_pixels * sizeof(float);
    else if (f.planes == PLANES_ROOT8)
        f.d_planes += at * (size_t)in->n_classes * f.n_pixels;
    f.d_blocks += at * (size_t)f.n_planes * n_list * sizeof(float);
    f.d_models += at;
    f.d_constants += at * (f.constants_bytes / of);
    f.d_slots += at * n_list;
    f.d_counts += at * n_columns;
    return f;
}

/* Makes later work on 'next' wait for the work on 'first'. */
static enum bench_status wait_for(const struct opt_state *s, cudaStream_t first,
                                  cudaStream_t next)
{
    CUDA_TRY(cudaEventRecord(s->event, first));
    CUDA_TRY(cudaStreamWaitEvent(next, s->event, 0));
    return BENCH_OK;
}

/* A batch: strips need bandwidth, columns of the frames before them arithmetic.  Each frame has
 * blocks and slots of its own; the batch's stream waits for the last columns. */
static enum bench_status run_beside(const struct opt_state *s)
{
    const struct frame *const batch = &s->paper.frame;
    const int n_frames = batch->in->n_frames;

    for (int i = 0; i < n_frames; i += s->n_together) {
        struct stixels_input in;
        struct frame f = part_of(batch, i, min(s->n_together, n_frames - i), &in);

        TRY(downsample_opt(&f));
        TRY(wait_for(s, batch->stream, s->beside));
        f.stream = s->beside;
        TRY(launch_opt(s, &f, false));
    }
    return wait_for(s, s->beside, batch->stream);
}

static enum bench_status opt_run(void *opaque)
{
    const struct opt_state *s = (const struct opt_state *)opaque;
    const struct frame *const f = &s->paper.frame;
    const bool staged = f->ctx->stages != NULL; /* one stage after the other */
    const bool parts = s->beside != NULL && !staged, early = s->early && !staged && !parts;

    if (parts) {
        TRY(run_beside(s));
    } else {
        TRY(downsample_opt(f));
        bench_stage(f->ctx->stages, "downsample");
        if (s->fast) {
            TRY(launch_opt(s, f, early));
            stage_columns(&s->paper, staged);
        } else {
            TRY(launch_columns(&s->paper));
        }
    }
    if (s->fast && f->n_columns <= FEW_COLUMNS) {
        TRY(launch_behind(early, gather_kernel, (unsigned)f->n_columns, COPY_THREADS, 0,
                          f->stream, (const struct stixel *)f->d_slots,
                          (const int32_t *)f->d_counts, (int)f->n_columns, f->in->n_rows,
                          f->d_list, f->d_first));
    } else {
        TRY(compact(f));
    }
    bench_stage(f->ctx->stages, "compact");
    return BENCH_OK;
}
#endif

BENCH_IMPL(stixels_gpu_opt) = {
    .name = "stixels/gpu-opt",
    .problem = &stixels_problem,
    .target = BENCH_CUDA,
    .source = "[STX] eq. 8, 9 and 12, rebuilt for fewer instructions and waits",
    .reference = "stixels/serial",
    .other = NULL,
    .needs = NULL,
    .keys = keys,
#ifdef __CUDACC__
    .state_size = sizeof(struct opt_state),
    .setup = opt_setup,
    .upload = frame_upload,
    .upload_rest = frame_upload_rest,
    .take = frame_take,
    .poison = frame_poison,
    .run = opt_run,
    .download = frame_download,
    .teardown = opt_teardown,
#endif
};

/*
 * som/gpu-multi - a map by all blocks of several GPUs that reach each other's memory
 *
 * Source:  [SOM] sect. 4.2 with update = snapshot (som.h): the bits of som/rounds.
 * Mapping: as the grid of som/gpu-opt, of which each GPU has one.  Points, and regions of the
 *          mesh, are divided over the blocks of all GPUs.  Each GPU has the whole mesh, its
 *          lists and all drawn points in its own memory, so all loads are local.
 * Sends:   a pull, 16 bytes, goes to every GPU; so does each neuron that a block has moved, 8
 *          bytes.  Nobody waits for these stores: the next barrier is behind them.
 * Waits:   a barrier counts the blocks of all GPUs, on each GPU in its own memory.  A round has
 *          one or two, as in a grid.
 * Work:    that of som/gpu-opt by the number of GPUs; draws and lists are made on each GPU.
 */
#include "harness/measure/impl.h"
#include "harness/problems/som/som.h"

static const struct bench_key keys[] = {
    {"gpus", "0", "GPUs", "of the host that share a map; 0: all that reach each other's memory",
     BENCH_INT, 0, 8, NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#ifdef __CUDACC__
#include "impl_gpu/som/opt_maps.cuh"

struct multi {
    struct state gpu[MOST_GPUS];     /* the first one's maps are those of the hooks */
    struct bench_ctx ctx[MOST_GPUS]; /* of the others */
    int device[MOST_GPUS];           /* their numbers for CUDA */
    int n_gpus;
    cudaStream_t stream[MOST_GPUS]; /* owned, but the first one */
    cudaEvent_t reached[MOST_GPUS]; /* owned: a place in each stream */
};

/* ---- which GPUs ---- */

/* Finds out if kernels on one GPU can store to the other's memory, and add there. */
static enum bench_status reaches(int from, int to, bool *does)
{
    int can = 0, adds = 0;

    CUDA_TRY(cudaDeviceCanAccessPeer(&can, from, to));
    if (can)
        CUDA_TRY(
            cudaDeviceGetP2PAttribute(&adds, cudaDevP2PAttrNativeAtomicSupported, from, to));
    *does = can && adds;
    return BENCH_OK;
}

/* Chooses the GPU of the harness, and others that it and all before them reach. */
static enum bench_status choose_gpus(struct multi *s, const struct bench_ctx *ctx)
{
    const int wanted = bench_int(ctx->params, "gpus");
    int n_devices;

    CUDA_TRY(cudaGetDevice(&s->device[0]));
    CUDA_TRY(cudaGetDeviceCount(&n_devices));
    s->n_gpus = 1;
    for (int device = 0; device < n_devices && s->n_gpus < (wanted ? wanted : MOST_GPUS);
         device++) {
        bool all = device != s->device[0];

        for (int g = 0; g < s->n_gpus && all; g++) {
            bool back = false;

            TRY(reaches(s->device[g], device, &all));
            TRY(reaches(device, s->device[g], &back));
            all = all && back;
        }
        if (all)
            s->device[s->n_gpus++] = device;
    }
    if (s->n_gpus < (wanted ? wanted : 2))
        return BENCH_FAIL(
            BENCH_ESKIP,
            "gpus = %d: expected %d GPUs that add in each other's memory, found %d "
            "of this host's %d",
            wanted, wanted ? wanted : 2, s->n_gpus, n_devices);
    return BENCH_OK;
}

static enum bench_status open_way(int peer)
{
    const cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);

    if (error == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError(); /* it is no failure */
    else
        CUDA_TRY(error);
    return BENCH_OK;
}

/* ---- the hooks ---- */

/* The blocks of all GPUs together; each has an equal number. */
static enum bench_status choose_blocks(struct multi *s, const struct gpu *gpu)
{
    struct state *const first = &s->gpu[0];
    const int n_tiles = first->task.tiles_across * first->task.tiles_down;
    const int useful = (n_tiles + TILES_A_BLOCK * s->n_gpus - 1) / (TILES_A_BLOCK * s->n_gpus);
    const int n_blocks = at_most(useful, gpu->n_processors);

    if (!gpu->cooperative)
        return BENCH_FAIL(BENCH_ESKIP, "blocks of this card cannot wait for each other");
    first->n_threads = threads_of_grid(n_tiles, n_blocks * s->n_gpus, gpu);
    if (!fits(first, TEAM_GPUS, first->n_threads, gpu))
        return BENCH_FAIL(
            BENCH_ESKIP,
            "%zu bytes of shared memory for %d threads and the rates of %d links; "
            "a block of this card has %d",
            shared_of(first, TEAM_GPUS, first->n_threads), first->n_threads,
            first->task.max_radius, gpu->max_shared);
    first->n_shared = shared_of(first, TEAM_GPUS, first->n_threads);
    first->task.n_blocks = n_blocks * s->n_gpus;
    choose_regions(&first->task);
    return BENCH_OK;
}

static rounds_kernel_fn *kernel_of(int n_threads)
{
    return n_threads <= FEW_THREADS    ? run_rounds_kernel<TEAM_GPUS, FEW_THREADS, false>
           : n_threads <= SOME_THREADS ? run_rounds_kernel<TEAM_GPUS, SOME_THREADS, false>
                                       : run_rounds_kernel<TEAM_GPUS, MOST_THREADS, false>;
}

/* Makes the maps of GPU g, the current one, and its ways to the others.  *least: the first
 * GPU's abilities, which the others must have. */
static enum bench_status set_up_gpu(struct multi *s, int g, const struct bench_ctx *ctx,
                                    const void *input, void *output, struct gpu *least)
{
    const struct som_input *const in = (const struct som_input *)input;
    struct state *const own = &s->gpu[g];
    struct gpu gpu;
    int n_whole;

    s->ctx[g] = *ctx;
    if (g == 0)
        s->stream[g] = ctx->stream;
    else
        CUDA_TRY(cudaStreamCreateWithPriority(&s->stream[g], cudaStreamNonBlocking, 0));
    s->ctx[g].stream = s->stream[g];
    s->ctx[g].stages = NULL;
    CUDA_TRY(cudaEventCreateWithFlags(&s->reached[g], cudaEventDisableTiming));
    for (int peer = 0; peer < s->n_gpus; peer++)
        if (peer != g)
            TRY(open_way(s->device[peer]));
    TRY(look_at_gpu(ctx, &gpu));
    TRY(device_attribute(&n_whole, cudaDevAttrMultiProcessorCount));
    if (g == 0 && s->n_gpus > 1 && ctx->n_sms < n_whole)
        return BENCH_FAIL(BENCH_ESKIP, "sms = %d: a part of one GPU, but gpus = %d", ctx->n_sms,
                          s->n_gpus);
    TRY(maps_setup(&own->maps, g > 0 ? &s->ctx[g] : ctx, input, output));
    if (g == 0) {
        own->task.max_radius = in->max_radius;
        count_tiles(own);
        *least = gpu;
        return BENCH_OK;
    }
    if (n_whole < least->n_processors || gpu.max_shared < least->max_shared)
        return BENCH_FAIL(BENCH_ESKIP, "gpus = %d: device %d is smaller than device %d",
                          s->n_gpus, s->device[g], s->device[0]);
    return BENCH_OK;
}

/* Allocates what GPU g needs as part of the team; it is the current one. */
static enum bench_status join_team(struct multi *s, int g, const struct som_input *in,
                                   const struct gpu *gpu)
{
    const struct state *const first = &s->gpu[0];
    struct state *const own = &s->gpu[g];

    own->team = TEAM_GPUS;
    own->n_threads = first->n_threads;
    own->n_shared = first->n_shared;
    own->task = first->task;
    own->task.first_block = own->task.n_blocks / s->n_gpus * g;
    own->task.n_gpus = s->n_gpus;
    own->kernel = kernel_of(own->n_threads);
    choose_share(own, in, gpu);
    TRY(allocate(own));
    fill_task(own, in);
    /* and loads its code here: a first launch that does would wait for another GPU's kernel */
    return allow_shared((const void *)own->kernel, gpu->max_shared);
}

static enum bench_status set_up_gpus(struct multi *s, const struct bench_ctx *ctx,
                                     const void *input, void *output)
{
    struct gpu gpu = {};

    for (int g = 0; g < s->n_gpus; g++) {
        CUDA_TRY(cudaSetDevice(s->device[g]));
        TRY(set_up_gpu(s, g, ctx, input, output, &gpu));
    }
    TRY(choose_blocks(s, &gpu));
    for (int g = 0; g < s->n_gpus; g++) {
        CUDA_TRY(cudaSetDevice(s->device[g]));
        TRY(join_team(s, g, (const struct som_input *)input, &gpu));
    }
    CUDA_TRY(cudaSetDevice(s->device[0]));
    return bench_set_kernel_info(ctx, (const void *)s->gpu[0].kernel, s->gpu[0].n_threads,
                                 s->gpu[0].n_shared);
}

/* Makes the harness's GPU the current one again; returns 'status'. */
static enum bench_status back(const struct multi *s, enum bench_status status)
{
    CUDA_TRY(cudaSetDevice(s->device[0]));
    return status;
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct multi *s = (struct multi *)opaque;

    if (((const struct som_input *)input)->update == SOM_LIVE)
        return BENCH_FAIL(BENCH_ESKIP, "som/gpu-multi searches all of a round before the first "
                                       "pull: it has update = snapshot alone");
    TRY(choose_gpus(s, ctx));
    return back(s, set_up_gpus(s, ctx, input, output));
}

static void teardown(void *opaque)
{
    struct multi *const s = (struct multi *)opaque;

    for (int g = s->n_gpus; g-- > 0;) { /* the harness's GPU last */
        cudaSetDevice(s->device[g]);
        maps_teardown(&s->gpu[g]);
        if (s->reached[g])
            cudaEventDestroy(s->reached[g]);
        if (g > 0 && s->stream[g])
            cudaStreamDestroy(s->stream[g]);
    }
}

/* ---- work on all GPUs ---- */

/* Notes the end of a stream as it is now, for which others may then wait. */
static enum bench_status record(const struct multi *s, int g)
{
    CUDA_TRY(cudaSetDevice(s->device[g]));
    CUDA_TRY(cudaEventRecord(s->reached[g], s->stream[g]));
    return BENCH_OK;
}

static enum bench_status wait_for(const struct multi *s, int g, int other)
{
    if (g != other)
        CUDA_TRY(cudaStreamWaitEvent(s->stream[g], s->reached[other], 0));
    return BENCH_OK;
}

/* The other GPUs begin after what is on the harness's stream, ... */
static enum bench_status fork_streams(const struct multi *s)
{
    TRY(record(s, 0));
    for (int g = 1; g < s->n_gpus; g++)
        TRY(wait_for(s, g, 0));
    return BENCH_OK;
}

/* ... which goes on after all of them. */
static enum bench_status join_streams(const struct multi *s)
{
    for (int g = 1; g < s->n_gpus; g++) {
        TRY(record(s, g));
        TRY(wait_for(s, 0, g));
    }
    CUDA_TRY(cudaSetDevice(s->device[0]));
    return BENCH_OK;
}

/* All wait for all. */
static enum bench_status meet_streams(const struct multi *s)
{
    for (int g = 0; g < s->n_gpus; g++)
        TRY(record(s, g));
    for (int g = 0; g < s->n_gpus; g++)
        for (int other = 0; other < s->n_gpus; other++)
            TRY(wait_for(s, g, other));
    return BENCH_OK;
}

static enum bench_status upload_all(struct multi *s)
{
    TRY(fork_streams(s));
    for (int g = 0; g < s->n_gpus; g++) {
        CUDA_TRY(cudaSetDevice(s->device[g]));
        TRY(upload(&s->gpu[g]));
    }
    return join_streams(s);
}

static enum bench_status upload_hook(void *opaque)
{
    struct multi *const s = (struct multi *)opaque;

    return back(s, upload_all(s));
}

/* Prepares a map's rounds on GPU g, up to their launch. */
static enum bench_status prepare(const struct multi *s, int g, size_t map, const struct task *t)
{
    const struct state *const own = &s->gpu[g];

    CUDA_TRY(cudaSetDevice(s->device[g]));
    if (t->first_round == 0)
        TRY(clear_counts(own));
    TRY(draw_points(own, map, 1, t->first_round, t->n_rounds));
    CUDA_TRY(cudaMemsetAsync(own->task.arrived, 0, sizeof *own->task.arrived, s->stream[g]));
    return BENCH_OK;
}

/* Launches the blocks of GPU g for some rounds of a map. */
static enum bench_status launch_rounds(const struct multi *s, int g, size_t map,
                                       const struct task *rounds)
{
    const struct state *const own = &s->gpu[g];
    const size_t n_neurons = (size_t)own->maps.mesh.n_neurons;
    struct task t = own->task;

    t.first_round = rounds->first_round;
    t.n_rounds = rounds->n_rounds;
    t.clocks = g == 0 ? rounds->clocks : NULL;
    t.counts = s->gpu[0].maps.d_counts + map;
    t.position = own->maps.d_position + map * n_neurons;
    for (int k = 0; k < s->n_gpus; k++)
        t.shore[k] = {s->gpu[k].maps.d_position + map * n_neurons, s->gpu[k].task.pulls,
                      s->gpu[k].task.arrived};
    CUDA_TRY(cudaSetDevice(s->device[g]));
    return launch_together(own, (unsigned)(t.n_blocks / s->n_gpus), &t);
}

/* The rounds of a map, as many at once as memory allows. */
static enum bench_status run_map(const struct multi *s, size_t map, bool once)
{
    const struct state *const first = &s->gpu[0];
    const int n_rounds = first->maps.in->n_rounds;
    struct task t = first->task;

    t.clocks = once && first->maps.ctx->stages ? first->d_clocks : NULL;
    for (t.first_round = 0; t.first_round < n_rounds; t.first_round += first->n_rounds) {
        t.n_rounds = at_most(n_rounds - t.first_round, first->n_rounds);
        for (int g = 0; g < s->n_gpus; g++)
            TRY(prepare(s, g, map, &t));
        /* no GPU stores to another, or adds there, before all is cleared */
        TRY(meet_streams(s));
        if (once)
            bench_stage(first->maps.ctx->stages, "draws");
        for (int g = 0; g < s->n_gpus; g++)
            TRY(launch_rounds(s, g, map, &t));
    }
    return BENCH_OK;
}

static enum bench_status run_all(const struct multi *s)
{
    static const char *const parts[N_PARTS] = {"refresh", "search", "learning"};
    const struct state *const first = &s->gpu[0];
    const struct maps *const f = &first->maps;
    const int n_frames = f->in->n_frames;
    const bool once = n_frames == 1 && first->n_rounds == f->in->n_rounds;

    TRY(fork_streams(s));
    for (int g = s->n_gpus; g-- > 0;) {
        CUDA_TRY(cudaSetDevice(s->device[g]));
        TRY(begin(&s->gpu[g]));
    }
    bench_stage(f->ctx->stages, "densities");
    for (int map = 0; map < n_frames; map++)
        TRY(run_map(s, (size_t)map, once));
    TRY(join_streams(s));
    bench_stage(f->ctx->stages, "rounds");
    if (f->ctx->stages && once)
        bench_stage_parts(f->ctx->stages, parts, N_PARTS, first->d_clocks,
                          1); /* of the first block */
    return BENCH_OK;
}

static enum bench_status run(void *opaque)
{
    const struct multi *const s = (const struct multi *)opaque;

#ifdef CUDART_VERSION
    enum cudaStreamCaptureStatus capture;

    /* nothing says that kernels of a graph on several GPUs run at the same time */
    CUDA_TRY(cudaStreamIsCapturing(s->stream[0], &capture));
    if (capture != cudaStreamCaptureStatusNone && s->n_gpus > 1)
        return BENCH_FAIL(BENCH_ECUDA, "kernels on several GPUs that wait for each other are "
                                       "not captured as a graph");
#endif
    return back(s, run_all(s));
}
#endif

BENCH_IMPL(som_gpu_multi) = {
    .name = "som/gpu-multi",
    .problem = &som_problem,
    .target = BENCH_CUDA,
    .source = "[SOM] sect. 4.2, a map on several GPUs",
    .reference = "som/rounds",
    .other = NULL,
    .needs = NULL,
    .keys = keys,
#ifdef __CUDACC__
    .state_size = sizeof(struct multi),
    .setup = setup,
    .upload = upload_hook,
    .poison = maps_poison,
    .run = run,
    .download = maps_download,
    .teardown = teardown,
#endif
};

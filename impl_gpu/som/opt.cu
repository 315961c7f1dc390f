/*
 * som/gpu-opt - a launch draws all cells, the next has all rounds, by a team of blocks a map
 *
 * Source:  [SOM] sect. 4.2 with update = snapshot (som.h): the bits of som/rounds.
 * Mapping: phase 1, draw: active cells, their pixels and their order do not depend on the
 *          neurons, so one block per round draws all rounds in advance.  Phase 2, search: one
 *          warp per data point; in a lone block, one warp for up to 32 points, of which it
 *          searches the own cells four at a time.  Phase 3, learn: each warp owns tiles of 8 x
 *          4 or 8 x 8 neurons and applies the pulls that reach them, one after the other; no
 *          neuron has two writers.  In a lone block, a warp looks at a pull for all of its
 *          tiles at once, or for up to five tiles of each of two rows.
 * Waits:   a round has two barriers, and three more if it makes new lists.  In a cluster it has
 *          one, or two; blocks wait for a known number of pulls and neurons.  In a grid it has
 *          one, if threads have few pulls: these say of which round they are.  While a warp
 *          waits for the end of a round, it reads what its next point needs from the lists.
 * Teams:   block: the mesh is in shared memory.  cluster (sm_90): each block has a copy of the
 *          mesh and its own lists.  The block that finds a pull sends it to the others, which
 *          count arrivals.  Neurons pass through L2; each block has its part copied to all.
 *          grid (cooperative launch): the mesh is in L2.  A block first selects the pulls that
 *          reach its region, in order.
 * Shared:  pulls, positions, rates by place, lists; in a grid the block's rates and the pulls
 *          near its region; except in a lone block, the pulls on a tile of each warp.
 * Work:    n_rounds x (active cells x neurons of the cells searched + tiles x pulls that may
 *          reach them), and n_rounds x cells to draw.
 *
 * opt_maps.cuh has what som/gpu-multi does on the host, too.
 * docs/SOM.md#what-is-left-to-try lists what is open.
 */
#include "harness/measure/impl.h"
#include "harness/problems/som/som.h"

static const struct bench_key keys[] = {
    {"team", "auto", "",
     "who shares a map: a block, which keeps the mesh in shared memory, a cluster of blocks, "
     "or a grid of them",
     BENCH_CHOICE, 0, 0, "auto|block|cluster|grid"},
    {"team_blocks", "0", "blocks", "of a cluster (at most 16) or a grid; 0: as many as pay off",
     BENCH_INT, 0, 1024, NULL},
    {"team_threads", "auto", "threads", "of each block", BENCH_CHOICE, 0, 0,
     "auto|256|512|768|1024"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#ifdef __CUDACC__
#include "impl_gpu/som/opt_maps.cuh"

/* ---- the hooks ---- */

static const char *const parts[N_PARTS] = {"refresh", "search", "learning"};

#define MOST_BLOCKS 16 /* of a cluster: a lane of a warp sends to each */

#if BUILDS_CLUSTERS
/* The most blocks of a cluster, one on each SM; stays 0 if there are no clusters. */
static enum bench_status ask_for_cluster(const struct bench_ctx *ctx, struct gpu *gpu)
{
    const void *const kernel =
        (const void *)run_rounds_kernel<TEAM_CLUSTER, FEW_THREADS, false>;
    cudaLaunchConfig_t config = cudaLaunchConfig_t();
    struct cudaFuncAttributes code;
    int major, n_whole;

    TRY(device_attribute(&major, cudaDevAttrComputeCapabilityMajor));
    CUDA_TRY(cudaFuncGetAttributes(&code, kernel));
    /* a GPU may run code for an older one, which has no HAS_CLUSTERS */
    if (major < 9 || code.ptxVersion < 90)
        return BENCH_OK;
    TRY(allow_shared(kernel, gpu->max_shared));
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    config.gridDim = dim3(MOST_BLOCKS);
    config.blockDim = dim3(FEW_THREADS);
    config.dynamicSmemBytes = (size_t)(gpu->max_shared - STATIC_SHARED);
    CUDA_TRY(cudaOccupancyMaxPotentialClusterSize(&gpu->max_cluster, kernel, &config));
    TRY(device_attribute(&n_whole, cudaDevAttrMultiProcessorCount));
    gpu->max_cluster = at_most(gpu->max_cluster, MOST_BLOCKS);
    /* in a part of the GPU, only so many SMs are sure to be within reach of a cluster */
    if (ctx->n_sms < n_whole)
        gpu->max_cluster = at_most(gpu->max_cluster, ctx->n_sms < 8 ? 0 : 8);
    if (gpu->max_cluster < 2)
        gpu->max_cluster = 0;
    return BENCH_OK;
}
#endif

/* Chooses how many tiles of each of two rows a warp handles together, so that all warps have
 * nearly equal shares; the most among equal choices. */
static void choose_strip(struct task *t, int n_warps)
{
    const int half = (t->tiles_down + 1) / 2;
    int least = INT_MAX;

    t->strip = 0;
    if (t->tiles_across * t->tiles_down <= TILES_A_WARP * n_warps)
        return;
    for (int tiles = 1; tiles <= MAX_STRIP; tiles++) {
        const int strips = (t->tiles_across + tiles - 1) / tiles * half;
        const int most = (strips + n_warps - 1) / n_warps * tiles;

        if (most <= least) {
            least = most;
            t->strip = tiles;
        }
    }
    t->strips_across = (t->tiles_across + t->strip - 1) / t->strip;
}

#define MESH_OF_CLUSTER 8192 /* neurons; copying more takes longer than a grid's barriers */

/* TEAM_BLOCK stands for TEAM_LARGE_BLOCK as well. */
static enum team wanted_team(const struct state *s, const struct bench_ctx *ctx,
                             const struct gpu *gpu, bool a_block_can)
{
    const int n_frames = s->maps.in->n_frames;

    if (bench_is(ctx->params, "team", "block"))
        return TEAM_BLOCK;
    if (bench_is(ctx->params, "team", "cluster"))
        return TEAM_CLUSTER;
    if (bench_is(ctx->params, "team", "grid"))
        return TEAM_GRID;
    if (a_block_can && n_frames * 2 >= gpu->n_processors)
        return TEAM_BLOCK;
    if (drawn_at_once(s) && gpu->max_cluster > 1 && s->maps.mesh.n_neurons <= MESH_OF_CLUSTER &&
        fits(s, TEAM_CLUSTER, FEW_THREADS, gpu))
        return TEAM_CLUSTER;
    return gpu->cooperative || !a_block_can ? TEAM_GRID : TEAM_BLOCK;
}

#define RESERVED_SHARED 1024 /* bytes that a GPU reserves for each block */

/* True if an SM has room for two blocks of few threads; one works while the other waits. */
static bool two_fit(const struct state *s, const struct gpu *gpu)
{
    return 2 * (shared_of(s, TEAM_BLOCK, FEW_THREADS) + STATIC_SHARED + RESERVED_SHARED) <=
           (size_t)gpu->processor_shared;
}

static int wanted_threads(const struct state *s, const struct bench_ctx *ctx, enum team team,
                          const struct gpu *gpu)
{
    const int most = gpu->max_shared < 65536 /* bytes */ ? FEW_THREADS : MOST_THREADS;

    if (bench_int(ctx->params, "team_threads") > 0)
        return bench_int(ctx->params, "team_threads");
    if (team == TEAM_CLUSTER)
        return FEW_THREADS;
    if (team == TEAM_BLOCK)
        return s->maps.in->n_frames >= 2 * gpu->n_processors && two_fit(s, gpu) ? FEW_THREADS
                                                                                : most;
    return threads_of_grid(s->task.tiles_across * s->task.tiles_down, gpu->n_processors, gpu);
}

static enum bench_status choose_blocks(struct state *s, const struct bench_ctx *ctx,
                                       const struct gpu *gpu)
{
    const int wanted = bench_int(ctx->params, "team_blocks");
    const int n_tiles = s->task.tiles_across * s->task.tiles_down;
    const int useful = (n_tiles + TILES_A_BLOCK - 1) / TILES_A_BLOCK;
    int n_blocks = 1, most = 1;

    if (s->team == TEAM_CLUSTER) {
        most = gpu->max_cluster;
        n_blocks = wanted > 0 ? wanted : most;
    } else if (s->team == TEAM_GRID) {
        most = gpu->cooperative ? gpu->n_processors : 1;
        n_blocks = wanted > 0 ? wanted : useful < most ? useful : most;
    }
    if (n_blocks > most || n_blocks == 0)
        return BENCH_FAIL(BENCH_ESKIP,
                          "team = %s: %d blocks that wait for each other; this build has %d on "
                          "this card at most",
                          s->team == TEAM_CLUSTER ? "cluster" : "grid", n_blocks, most);
    if (s->team == TEAM_CLUSTER && n_blocks == 1 && most > 1)
        return BENCH_FAIL(BENCH_ESKIP, "team = cluster: 1 block; expected 2 to %d", most);
    s->task.n_blocks = n_blocks;
    return BENCH_OK;
}

static rounds_kernel_fn *kernel_of(enum team team, int n_threads, bool strips)
{
    switch (team) {
    case TEAM_BLOCK:
        return strips ? run_rounds_kernel<TEAM_BLOCK, MOST_THREADS, true>
                      : run_rounds_kernel<TEAM_BLOCK, MOST_THREADS, false>;
    case TEAM_LARGE_BLOCK:
        return strips ? run_rounds_kernel<TEAM_LARGE_BLOCK, MOST_THREADS, true>
                      : run_rounds_kernel<TEAM_LARGE_BLOCK, MOST_THREADS, false>;
    case TEAM_CLUSTER:
        return run_rounds_kernel<TEAM_CLUSTER, FEW_THREADS, false>;
    default:
        return n_threads <= FEW_THREADS    ? run_rounds_kernel<TEAM_GRID, FEW_THREADS, false>
               : n_threads <= SOME_THREADS ? run_rounds_kernel<TEAM_GRID, SOME_THREADS, false>
                                           : run_rounds_kernel<TEAM_GRID, MOST_THREADS, false>;
    }
}

static enum bench_status choose_team(struct state *s, const struct bench_ctx *ctx,
                                     const struct som_input *in, const struct gpu *gpu)
{
    const struct mesh *const m = &s->maps.mesh;
    const bool a_block_can = drawn_at_once(s) && fits(s, TEAM_LARGE_BLOCK, 0, gpu);

    s->team = wanted_team(s, ctx, gpu, a_block_can);
    count_tiles(s);
    s->n_threads = wanted_threads(s, ctx, s->team, gpu);
    if (s->team != TEAM_GRID && !drawn_at_once(s))
        return BENCH_FAIL(BENCH_ESKIP,
                          "%d rounds of %d cells are drawn in parts, between which a block "
                          "cannot keep its lists: only team = grid can",
                          in->n_rounds, m->n_cells);
    if (s->team == TEAM_BLOCK && !a_block_can)
        return BENCH_FAIL(BENCH_ESKIP,
                          "team = block keeps the mesh in shared memory: %zu bytes for %d "
                          "neurons and %d cells, a block of this card has %d",
                          shared_of(s, TEAM_LARGE_BLOCK, 0), m->n_neurons, m->n_cells,
                          gpu->max_shared);
    if (s->team == TEAM_CLUSTER && s->n_threads > FEW_THREADS)
        return BENCH_FAIL(BENCH_ESKIP, "team = cluster has blocks of at most %d threads",
                          FEW_THREADS);
    if (!fits(s, s->team == TEAM_BLOCK ? TEAM_LARGE_BLOCK : s->team, s->n_threads, gpu))
        return BENCH_FAIL(
            BENCH_ESKIP,
            "%zu bytes of shared memory for %d neurons, %d cells and the rates of "
            "%d links; a block of this card has %d",
            shared_of(s, s->team, s->n_threads), m->n_neurons, m->n_cells, s->task.max_radius,
            gpu->max_shared);
    if (s->team == TEAM_BLOCK && !fits(s, TEAM_BLOCK, 0, gpu))
        s->team = TEAM_LARGE_BLOCK;
    s->n_shared = shared_of(s, s->team, s->n_threads);
    if (ALONE(s->team))
        s->task.tiles_down = (s->task.tiles_down + 1) / 2; /* two neurons a lane */
    TRY(choose_blocks(s, ctx, gpu));
    choose_regions(&s->task);
    if (ALONE(s->team))
        choose_strip(&s->task, s->n_threads / LANES);
    s->kernel = kernel_of(s->team, s->n_threads, s->task.strip > 0);
    return BENCH_OK;
}

#if BUILDS_CLUSTERS
/* The configuration for one cluster per map; it refers to the caller's 'cluster'. */
static cudaLaunchConfig_t config_of(const struct state *s, int n_blocks, int n_maps,
                                    cudaLaunchAttribute *cluster)
{
    cudaLaunchConfig_t config = cudaLaunchConfig_t();

    *cluster = cudaLaunchAttribute();
    cluster->id = cudaLaunchAttributeClusterDimension;
    cluster->val.clusterDim.x = (unsigned)n_blocks;
    cluster->val.clusterDim.y = 1;
    cluster->val.clusterDim.z = 1;
    config.gridDim = dim3((unsigned)(n_blocks * n_maps));
    config.blockDim = dim3((unsigned)s->n_threads);
    config.dynamicSmemBytes = s->n_shared;
    config.stream = s->maps.stream;
    config.attrs = cluster;
    config.numAttrs = 1;
    return config;
}

static enum bench_status make_room_for_cluster(const struct state *s)
{
    const void *const kernel = (const void *)s->kernel;
    cudaLaunchAttribute cluster;
    const cudaLaunchConfig_t config = config_of(s, s->task.n_blocks, 1, &cluster);
    int n_clusters = 0;

    if (s->task.n_blocks > 8)
        CUDA_TRY(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CUDA_TRY(cudaOccupancyMaxActiveClusters(&n_clusters, kernel, &config));
    if (n_clusters == 0)
        return BENCH_FAIL(BENCH_ESKIP,
                          "team = cluster: this card has no room for %d blocks "
                          "with %zu bytes of shared memory each",
                          s->task.n_blocks, s->n_shared);
    return BENCH_OK;
}
#endif

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;
    const struct som_input *in = (const struct som_input *)input;
    struct gpu gpu;

    if (in->update == SOM_LIVE)
        return BENCH_FAIL(BENCH_ESKIP, "som/gpu-opt searches all of a round before the first "
                                       "pull: it has update = snapshot alone");
    TRY(look_at_gpu(ctx, &gpu));
#if BUILDS_CLUSTERS
    TRY(ask_for_cluster(ctx, &gpu));
#endif
    TRY(maps_setup(&s->maps, ctx, input, output));
    s->task.max_radius = in->max_radius;
    TRY(choose_team(s, ctx, in, &gpu));
    choose_share(s, in, &gpu);
    TRY(allocate(s));
    fill_task(s, in);
    TRY(allow_shared((const void *)s->kernel, gpu.max_shared));
#if BUILDS_CLUSTERS
    if (s->team == TEAM_CLUSTER)
        TRY(make_room_for_cluster(s));
#endif
    return bench_set_kernel_info(ctx, (const void *)s->kernel, s->n_threads, s->n_shared);
}

/* Launches one team per map. */
static enum bench_status launch_rounds(const struct state *s, struct task *t, int n_maps)
{
    const unsigned n_blocks = (unsigned)(t->n_blocks * n_maps);
    const unsigned n_threads = (unsigned)s->n_threads;
    const cudaStream_t stream = s->maps.stream;

    if (s->team == TEAM_GRID && t->n_blocks > 1)
        return launch_together(s, n_blocks, t);
#if BUILDS_CLUSTERS
    if (s->team == TEAM_CLUSTER) {
        cudaLaunchAttribute cluster;
        cudaLaunchConfig_t config = config_of(s, t->n_blocks, n_maps, &cluster);

        CUDA_TRY(cudaLaunchKernelEx(&config, s->kernel, *t));
        return BENCH_OK;
    }
#endif
    s->kernel<<<n_blocks, n_threads, s->n_shared, stream>>>(*t);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

/* Runs all rounds of some maps, as many together as memory allows. */
static enum bench_status run_maps(const struct state *s, size_t map, int n_maps)
{
    const struct maps *const f = &s->maps;
    const struct som_input *const in = f->in;
    const bool once = s->n_rounds == in->n_rounds && s->n_maps == in->n_frames;
    struct task t = s->task;

    t.position = f->d_position + map * (size_t)f->mesh.n_neurons;
    t.counts = f->d_counts + map;
    t.clocks = once && f->ctx->stages ? s->d_clocks : NULL;
    if (s->team == TEAM_GRID) /* other teams clear their counts themselves */
        TRY(clear_counts(s));
    for (int round = 0; round < in->n_rounds; round += s->n_rounds) {
        t.first_round = round;
        t.n_rounds = at_most(in->n_rounds - round, s->n_rounds);
        TRY(draw_points(s, map, n_maps, round, t.n_rounds));
        if (once)
            bench_stage(f->ctx->stages, "draws");
        if (s->team == TEAM_GRID)
            CUDA_TRY(cudaMemsetAsync(t.arrived, 0, sizeof *t.arrived, f->stream));
        TRY(launch_rounds(s, &t, n_maps));
    }
    return BENCH_OK;
}

static enum bench_status run(void *opaque)
{
    const struct state *s = (const struct state *)opaque;
    const struct maps *const f = &s->maps;
    const int n_frames = f->in->n_frames;

    TRY(begin(s));
    bench_stage(f->ctx->stages, "densities");
    for (int map = 0; map < n_frames; map += s->n_maps)
        TRY(run_maps(s, (size_t)map, at_most(n_frames - map, s->n_maps)));
    bench_stage(f->ctx->stages, "rounds");
    if (f->ctx->stages && s->n_rounds == f->in->n_rounds && s->n_maps == n_frames)
        bench_stage_parts(f->ctx->stages, parts, N_PARTS, s->d_clocks,
                          1); /* of the first block */
    return BENCH_OK;
}
#endif

BENCH_IMPL(som_gpu_opt) = {
    .name = "som/gpu-opt",
    .problem = &som_problem,
    .target = BENCH_CUDA,
    .source = "[SOM] sect. 4.2, all rounds in one launch",
    .reference = "som/rounds",
    .other = NULL,
    .needs = NULL,
    .keys = keys,
#ifdef __CUDACC__
    .state_size = sizeof(struct state),
    .setup = setup,
    .upload = upload,
    .take = maps_take,
    .poison = maps_poison,
    .run = run,
    .download = maps_download,
    .teardown = maps_teardown,
#endif
};

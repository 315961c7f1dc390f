/*
 * som/gpu-opt - all rounds in one launch, by a team of blocks for each map; a launch before it
 * draws all cells
 *
 * Source:  [SOM] sect. 4.2 with update = snapshot (som.h): the bits of som/rounds.
 * Mapping: phase 1, draw: active cells, their pixels and their order do not depend on the
 *          neurons, so one block per round draws all rounds in advance.  Phase 2, search: one
 *          warp per data point; in a lone block, one warp for up to 32 points, of which it
 *          searches the own cells four at a time.  Phase 3, learn: each warp owns tiles of 8 x 4
 *          or 8 x 8 neurons and applies the pulls that reach them, one after the other; no
 *          neuron has two writers.  In a lone block, a warp looks at a pull for all of its tiles
 *          at once, or for up to five tiles of each of two rows.
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
 * docs/LOG-som.md lists what was tried.
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
#include "impl_gpu/som/opt_rounds.cuh"

#include <stdlib.h>
#include <string.h>

#define MAX_DRAWN ((size_t)1 << 28) /* data points of a map in memory at a time */

/* ---- the hooks ---- */

typedef void rounds_kernel_fn(struct task);

struct state {
    struct maps maps;
    struct task task; /* without the rounds of a launch */
    enum team team;
    int n_threads, n_maps, n_rounds; /* of a launch: maps and rounds together */
    size_t n_shared;                 /* bytes */
    int bucket_bits;                 /* of draw_points_kernel */
    int draw_blocks;                 /* of a map, likewise */
    rounds_kernel_fn *kernel;
    char *d_room;                 /* of draw_points_kernel, unless its lots are shared */
    uint32_t *d_pixels;           /* [n_frames][n_cells][cell_size][row_words] */
    unsigned long long *d_prefix; /* [n_frames][n_cells][cell_size] */
    uint32_t *d_clocks;           /* [N_PARTS] */
};

static const char *const parts[N_PARTS] = {"refresh", "search", "learning"};

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

#define STATIC_SHARED 1024 /* bytes of run_rounds_kernel, at most */
#define MOST_BLOCKS   16   /* of a cluster: a lane of a warp sends to each */

/* What a GPU can do. */
struct gpu {
    int n_processors;                 /* SMs */
    int max_shared, processor_shared; /* bytes of a block and of an SM */
    int max_cluster;                  /* blocks; 0: none */
    bool cooperative;                 /* blocks of a grid can wait for each other */
    size_t max_drawn;                 /* data points of all maps of a launch */
};

#if BUILDS_CLUSTERS
/* How many blocks a cluster may have, one on each SM; stays 0 if there are no clusters. */
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
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  gpu->max_shared - STATIC_SHARED));
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

static enum bench_status look_at_gpu(const struct bench_ctx *ctx, struct gpu *gpu)
{
    int together;
    size_t free_bytes, bytes;

    gpu->n_processors = ctx->n_sms;
    TRY(device_attribute(&gpu->max_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin));
    TRY(device_attribute(&gpu->processor_shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    TRY(device_attribute(&together, cudaDevAttrCooperativeLaunch));
    gpu->cooperative = together != 0;
#ifdef CUDART_VERSION
    gpu->max_cluster = 0;
#else
    gpu->max_cluster = 1; /* an emulated one of one block */
#endif
#if BUILDS_CLUSTERS
    TRY(ask_for_cluster(ctx, gpu));
#endif
    /* an eighth of the free memory: a launch that fills all SMs with maps is large enough */
    CUDA_TRY(cudaMemGetInfo(&free_bytes, &bytes));
    gpu->max_drawn = MAX_DRAWN;
    if (free_bytes / 8 / sizeof(uint32_t) > MAX_DRAWN)
        gpu->max_drawn = free_bytes / 8 / sizeof(uint32_t);
    return BENCH_OK;
}

static size_t shared_of(const struct state *s, enum team team, int n_threads)
{
    const int n_cells = s->maps.mesh.n_cells, n_neurons = s->maps.mesh.n_neurons;

    return shared_pulls(team, n_cells, n_threads) + shared_picked(team, n_threads) +
           shared_positions(team, n_neurons) + shared_rates(team, s->task.max_radius) +
           shared_lists(team, n_cells, n_neurons);
}

/* Divides the mesh into at most one rectangle of tiles per block, the largest one minimal. */
static void choose_regions(struct task *t)
{
    int least = INT_MAX;

    for (int cols = 1; cols <= t->tiles_across; cols++) {
        const int across = (t->tiles_across + cols - 1) / cols;
        int rows, most;

        if (across > t->n_blocks)
            continue;
        most = t->n_blocks / across; /* regions, one above the other */
        rows = (t->tiles_down + most - 1) / most;
        /* fewer pulls reach a region near a square; two tiles are as high as one is wide */
        if (cols * rows < least ||
            (cols * rows == least &&
             abs(2 * cols - rows) < abs(2 * t->region_cols - t->region_rows))) {
            least = cols * rows;
            t->region_cols = cols;
            t->region_rows = rows;
            t->regions_across = across;
        }
    }
}

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
#define TILES_A_BLOCK   4    /* of a grid, at least */

static bool fits(const struct state *s, enum team team, int n_threads, const struct gpu *gpu)
{
    return shared_of(s, team, n_threads) + STATIC_SHARED <= (size_t)gpu->max_shared;
}

/* Whether a map's points fit one launch, which lists in shared memory do not outlive. */
static bool drawn_at_once(const struct state *s)
{
    return (size_t)s->maps.in->n_rounds * (size_t)s->maps.mesh.n_cells <= MAX_DRAWN;
}

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

/* Whether an SM has room for two blocks of few threads; one works while the other waits. */
static bool two_fit(const struct state *s, const struct gpu *gpu)
{
    return 2 * (shared_of(s, TEAM_BLOCK, FEW_THREADS) + STATIC_SHARED + RESERVED_SHARED) <=
           (size_t)gpu->processor_shared;
}

static int wanted_threads(const struct state *s, const struct bench_ctx *ctx, enum team team,
                          const struct gpu *gpu)
{
    const int n_tiles = s->task.tiles_across * s->task.tiles_down;
    const int least = team == TEAM_GRID ? 98304 : 65536; /* bytes for many threads */
    const int most = gpu->max_shared < least ? FEW_THREADS : MOST_THREADS;
    const int a_tile_a_warp = (n_tiles + gpu->n_processors - 1) / gpu->n_processors * LANES;

    if (bench_int(ctx->params, "team_threads") > 0)
        return bench_int(ctx->params, "team_threads");
    if (team == TEAM_CLUSTER)
        return FEW_THREADS;
    if (team == TEAM_BLOCK)
        return s->maps.in->n_frames >= 2 * gpu->n_processors && two_fit(s, gpu) ? FEW_THREADS
                                                                                : most;
    return a_tile_a_warp <= FEW_THREADS                            ? FEW_THREADS
           : a_tile_a_warp <= SOME_THREADS && most >= SOME_THREADS ? SOME_THREADS
                                                                   : most;
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
    s->task.tiles_across = (m->grid_cols + TILE_COLS - 1) / TILE_COLS;
    s->task.tiles_down = (m->grid_rows + TILE_ROWS - 1) / TILE_ROWS;
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

#define DRAW_BLOCKS 4 /* of an SM, if their lots are in global memory */

/* Chooses how many maps and rounds a launch has, so that memory suffices for their points. */
static void choose_share(struct state *s, const struct som_input *in, const struct gpu *gpu)
{
    const size_t n_cells = (size_t)s->maps.mesh.n_cells;
    const size_t a_map = n_cells * (size_t)in->n_rounds;

    s->n_maps = 1;
    s->n_rounds = in->n_rounds;
    if (a_map > MAX_DRAWN)
        s->n_rounds = n_cells < MAX_DRAWN ? (int)(MAX_DRAWN / n_cells) : 1;
    else if (s->team != TEAM_GRID)
        s->n_maps = at_most(in->n_frames, gpu->max_drawn / a_map < 65535 /* y of a grid */
                                              ? (int)(gpu->max_drawn / a_map)
                                              : 65535);
    for (s->bucket_bits = 8; s->bucket_bits < MAX_BUCKET_BITS; s->bucket_bits++)
        if ((size_t)2 << s->bucket_bits >= n_cells)
            break;
    s->draw_blocks = s->n_rounds;
    if (n_cells > SHARED_LOTS)
        s->draw_blocks =
            at_most(s->n_rounds, (DRAW_BLOCKS * gpu->n_processors + s->n_maps - 1) / s->n_maps);
}

/* Words of a cell's pixels. */
static size_t words_of_cell(const struct mesh *m)
{
    return (size_t)m->cell_size * (size_t)row_words(m->cell_size);
}

static enum bench_status allocate(struct state *s)
{
    struct device_arrays *const arrays = &s->maps.arrays;
    const struct som_input *const in = s->maps.in;
    const struct mesh *const m = &s->maps.mesh;
    struct task *const t = &s->task;
    const size_t n_maps = (size_t)s->n_maps, n_drawn = n_maps * (size_t)s->n_rounds;
    const size_t n_firsts = n_maps * ((size_t)m->n_cells + 1);

    TRY(make_array(arrays, &t->radius, (size_t)in->n_rounds));
    TRY(make_array(arrays, &s->d_prefix,
                   (size_t)in->n_frames * (size_t)m->n_cells * (size_t)m->cell_size));
    TRY(make_array(arrays, &s->d_pixels,
                   (size_t)in->n_frames * (size_t)m->n_cells * words_of_cell(m)));
    TRY(make_array(arrays, &t->drawn, n_drawn * (size_t)m->n_cells));
    TRY(make_array(arrays, &t->n_drawn, n_drawn));
    if (m->n_cells > SHARED_LOTS)
        TRY(make_array(arrays, &s->d_room,
                       n_maps * (size_t)s->draw_blocks * (size_t)m->n_cells * LOT_BYTES));
    TRY(make_array(arrays, &s->d_clocks, N_PARTS));
    if (s->team == TEAM_CLUSTER)
        TRY(make_array(arrays, &t->passed, n_maps * passed_pitch(m->n_neurons)));
    if (HAS_LISTS(s->team))
        return BENCH_OK;
    TRY(make_array(arrays, &t->first, n_firsts));
    TRY(make_array(arrays, &t->cursor, n_firsts));
    TRY(make_array(arrays, &t->count, n_firsts));
    TRY(make_array(arrays, &t->list, n_maps * (size_t)m->n_neurons));
    TRY(make_array(arrays, &t->n_full, n_maps));
    TRY(make_array(arrays, &t->pulls, n_firsts));
    return make_array(arrays, &t->arrived, 1);
}

/* The inverse that divided() takes; 0 for d = 1. */
static uint32_t inverse_of(int d)
{
    return d > 1 ? (uint32_t)((((uint64_t)1 << 32) - 1) / (uint64_t)d + 1) : 0;
}

static void fill_task(struct state *s, const struct som_input *in)
{
    struct task *const t = &s->task;

    t->mesh = s->maps.mesh;
    t->refresh_rate = in->refresh_rate;
    t->capacity = in->cell_capacity;
    t->blocks_inverse = inverse_of(t->n_blocks);
    t->cell_inverse = inverse_of(in->cell_size);
    if ((uint64_t)t->mesh.n_neurons * (uint64_t)t->mesh.grid_cols < (uint64_t)1 << 32)
        t->grid_inverse = inverse_of(t->mesh.grid_cols);
    t->pitch = rates_pitch(in->max_radius, ALONE(s->team) ? 2 : 1);
    t->pitch_inverse = inverse_of(t->pitch);
    t->rate = s->maps.d_rate;
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
    TRY(maps_setup(&s->maps, ctx, input, output));
    s->task.max_radius = in->max_radius;
    TRY(choose_team(s, ctx, in, &gpu));
    choose_share(s, in, &gpu);
    TRY(allocate(s));
    fill_task(s, in);
    CUDA_TRY(cudaFuncSetAttribute((const void *)s->kernel,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)s->n_shared));
#if BUILDS_CLUSTERS
    if (s->team == TEAM_CLUSTER)
        TRY(make_room_for_cluster(s));
#endif
    return bench_set_kernel_info(ctx, (const void *)s->kernel, s->n_threads, s->n_shared);
}

static enum bench_status upload(void *opaque)
{
    const struct state *s = (const struct state *)opaque;
    const struct som_input *const in = s->maps.in;

    CUDA_TRY(cudaMemcpyAsync(s->task.radius, in->radius,
                             (size_t)in->n_rounds * sizeof *s->task.radius,
                             cudaMemcpyHostToDevice, s->maps.stream));
    return maps_upload(opaque);
}

/* Makes positions, densities and counts of all maps. */
static enum bench_status begin(const struct state *s)
{
    const struct maps *const f = &s->maps;
    const struct mesh *const m = &f->mesh;
    const size_t n_maps = (size_t)f->in->n_frames;

    CUDA_TRY(cudaMemsetAsync(f->d_counts, 0, n_maps * sizeof *f->d_counts, f->stream));
    CUDA_TRY(cudaMemsetAsync(f->d_greatest, 0, n_maps * sizeof *f->d_greatest, f->stream));
    for (size_t map = 0; map < n_maps; map += 65535) { /* y of a grid */
        const unsigned n = (unsigned)(n_maps - map < 65535 ? n_maps - map : 65535);
        const dim3 neurons(blocks_of((size_t)m->n_neurons, THREADS_A_BLOCK), n);
        const dim3 cells(blocks_of((size_t)m->n_cells * LANES, THREADS_A_BLOCK), n);

        place_all_neurons_kernel<<<neurons, THREADS_A_BLOCK, 0, f->stream>>>(
            *m, f->d_position + map * (size_t)m->n_neurons);
        CUDA_TRY_LAUNCH();
        add_rows_kernel<<<cells, THREADS_A_BLOCK, 0, f->stream>>>(
            *m, f->d_grey + map * som_n_pixels(f->in),
            s->d_pixels + map * (size_t)m->n_cells * words_of_cell(m),
            s->d_prefix + map * (size_t)m->n_cells * (size_t)m->cell_size,
            f->d_density + map * (size_t)m->n_cells, f->d_greatest + map);
        CUDA_TRY_LAUNCH();
    }
    return BENCH_OK;
}

static enum bench_status draw_points(const struct state *s, size_t map, int n_maps, int round,
                                     int n_rounds)
{
    const struct maps *const f = &s->maps;
    const size_t n_cells = (size_t)f->mesh.n_cells;
    const bool shared = f->mesh.n_cells <= SHARED_LOTS;
    const size_t n_shared =
        (sizeof(int) << s->bucket_bits) + (shared ? n_cells * LOT_BYTES : 0);
    const dim3 blocks((unsigned)at_most(n_rounds, s->draw_blocks), (unsigned)n_maps);
    void (*const kernel)(struct draws) =
        shared ? draw_points_kernel<true> : draw_points_kernel<false>;
    struct draws d;

    d.mesh = f->mesh;
    d.bucket_bits = s->bucket_bits;
    d.first_round = round;
    d.n_rounds = n_rounds;
    d.seed = f->in->seed + map;
    d.pixels = s->d_pixels + map * n_cells * words_of_cell(&f->mesh);
    d.row_prefix = s->d_prefix + map * n_cells * (size_t)f->mesh.cell_size;
    d.density = f->d_density + map * n_cells;
    d.greatest = f->d_greatest + map;
    d.room = s->d_room;
    d.drawn = s->task.drawn;
    d.n_drawn = s->task.n_drawn;
    kernel<<<blocks, DRAW_THREADS, n_shared, f->stream>>>(d);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

/* Launches one team per map. */
static enum bench_status launch_rounds(const struct state *s, struct task *t, int n_maps)
{
    const unsigned n_blocks = (unsigned)(t->n_blocks * n_maps);
    const unsigned n_threads = (unsigned)s->n_threads;
    const cudaStream_t stream = s->maps.stream;

    if (s->team == TEAM_GRID && t->n_blocks > 1) {
        void *arguments[] = {t};

        CUDA_TRY(cudaLaunchCooperativeKernel(s->kernel, dim3(n_blocks), dim3(n_threads),
                                             arguments, s->n_shared, stream));
        return BENCH_OK;
    }
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
    if (s->team == TEAM_GRID) { /* other teams clear their counts themselves */
        const size_t n_counts = (size_t)n_maps * ((size_t)f->mesh.n_cells + 1);

        CUDA_TRY(cudaMemsetAsync(t.count, 0, n_counts * sizeof *t.count, f->stream));
        CUDA_TRY(cudaMemsetAsync(t.pulls, 0, n_counts * sizeof *t.pulls, f->stream));
    }
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
    .poison = maps_poison,
    .run = run,
    .download = maps_download,
    .teardown = maps_teardown,
#endif
};

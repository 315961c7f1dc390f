/*
 * opt_maps.cuh - the host side that som/gpu-opt and som/gpu-multi share: the maps of a GPU,
 * what their teams need, and the launches before those of the teams
 */
#ifndef SOM_OPT_MAPS_CUH
#define SOM_OPT_MAPS_CUH

#include "impl_gpu/som/opt_rounds.cuh"

#include <stdlib.h>
#include <string.h>

#define MAX_DRAWN ((size_t)1 << 28) /* data points of a map in memory at a time */

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

static inline int at_most(int a, int b)
{
    return a < b ? a : b;
}

#define STATIC_SHARED 1024 /* bytes of run_rounds_kernel, at most */

/* A GPU's abilities. */
struct gpu {
    int n_processors;                 /* SMs */
    int max_shared, processor_shared; /* bytes of a block and of an SM */
    int max_cluster;                  /* blocks; 0: none */
    bool cooperative;                 /* blocks of a grid can wait for each other */
    size_t max_drawn;                 /* data points of all maps of a launch */
};

static inline enum bench_status look_at_gpu(const struct bench_ctx *ctx, struct gpu *gpu)
{
    int together;
    size_t free_bytes, bytes;

    gpu->n_processors = ctx->n_sms;
    TRY(device_attribute(&gpu->max_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin));
    TRY(device_attribute(&gpu->processor_shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    TRY(device_attribute(&together, cudaDevAttrCooperativeLaunch));
    gpu->cooperative = together != 0;
#ifdef CUDART_VERSION
    gpu->max_cluster = 0; /* not asked yet */
#else
    gpu->max_cluster = 1; /* an emulated one of one block */
#endif
    /* an eighth of the free memory: a launch that fills all SMs with maps is large enough */
    CUDA_TRY(cudaMemGetInfo(&free_bytes, &bytes));
    gpu->max_drawn = MAX_DRAWN;
    if (free_bytes / 8 / sizeof(uint32_t) > MAX_DRAWN)
        gpu->max_drawn = free_bytes / 8 / sizeof(uint32_t);
    return BENCH_OK;
}

static inline size_t shared_of(const struct state *s, enum team team, int n_threads)
{
    const int n_cells = s->maps.mesh.n_cells, n_neurons = s->maps.mesh.n_neurons;

    return shared_pulls(team, n_cells, n_threads) + shared_picked(team, n_threads) +
           shared_positions(team, n_neurons) + shared_rates(team, s->task.max_radius) +
           shared_lists(team, n_cells, n_neurons);
}

static inline void count_tiles(struct state *s)
{
    s->task.tiles_across = (s->maps.mesh.grid_cols + TILE_COLS - 1) / TILE_COLS;
    s->task.tiles_down = (s->maps.mesh.grid_rows + TILE_ROWS - 1) / TILE_ROWS;
}

#define TILES_A_BLOCK 4 /* of a grid, at least */

/* Threads of a grid's block: a warp for a tile, as far as that goes. */
static inline int threads_of_grid(int n_tiles, int n_processors, const struct gpu *gpu)
{
    const int most = gpu->max_shared < 98304 /* bytes */ ? FEW_THREADS : MOST_THREADS;
    const int n_threads = (n_tiles + n_processors - 1) / n_processors * LANES;

    return n_threads <= FEW_THREADS                            ? FEW_THREADS
           : n_threads <= SOME_THREADS && most >= SOME_THREADS ? SOME_THREADS
                                                               : most;
}

/* Divides the mesh into at most one rectangle of tiles per block, the largest one minimal. */
static inline void choose_regions(struct task *t)
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

static inline bool fits(const struct state *s, enum team team, int n_threads,
                        const struct gpu *gpu)
{
    return shared_of(s, team, n_threads) + STATIC_SHARED <= (size_t)gpu->max_shared;
}

/* True if a map's points fit one launch, which lists in shared memory do not outlive. */
static inline bool drawn_at_once(const struct state *s)
{
    return (size_t)s->maps.in->n_rounds * (size_t)s->maps.mesh.n_cells <= MAX_DRAWN;
}

#define DRAW_BLOCKS 4 /* of an SM, if their lots are in global memory */

/* Chooses the maps and rounds of a launch, so that memory suffices for their points. */
static inline void choose_share(struct state *s, const struct som_input *in,
                                const struct gpu *gpu)
{
    const size_t n_cells = (size_t)s->maps.mesh.n_cells;
    const size_t a_map = n_cells * (size_t)in->n_rounds;

    s->n_maps = 1;
    s->n_rounds = in->n_rounds;
    if (a_map > MAX_DRAWN)
        s->n_rounds = n_cells < MAX_DRAWN ? (int)(MAX_DRAWN / n_cells) : 1;
    else if (HAS_MESH(s->team))
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

static inline size_t words_of_cell(const struct mesh *m)
{
    return (size_t)m->cell_size * (size_t)row_words(m->cell_size);
}

static inline enum bench_status allocate(struct state *s)
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
static inline uint32_t inverse_of(int d)
{
    return d > 1 ? (uint32_t)((((uint64_t)1 << 32) - 1) / (uint64_t)d + 1) : 0;
}

static inline void fill_task(struct state *s, const struct som_input *in)
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

static inline enum bench_status upload(void *opaque)
{
    const struct state *s = (const struct state *)opaque;
    const struct som_input *const in = s->maps.in;

    CUDA_TRY(cudaMemcpyAsync(s->task.radius, in->radius,
                             (size_t)in->n_rounds * sizeof *s->task.radius,
                             cudaMemcpyHostToDevice, s->maps.stream));
    return maps_upload(opaque);
}

/* Makes positions, densities and counts of all maps. */
static inline enum bench_status begin(const struct state *s)
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

/* Clears what the blocks of a grid count in L2, and the numbers of its pulls. */
static inline enum bench_status clear_counts(const struct state *s)
{
    const size_t n = (size_t)s->n_maps * ((size_t)s->maps.mesh.n_cells + 1);

    CUDA_TRY(cudaMemsetAsync(s->task.count, 0, n * sizeof *s->task.count, s->maps.stream));
    CUDA_TRY(cudaMemsetAsync(s->task.pulls, 0, n * sizeof *s->task.pulls, s->maps.stream));
    return BENCH_OK;
}

/* Launches the kernel with blocks that wait for each other. */
static inline enum bench_status launch_together(const struct state *s, unsigned n_blocks,
                                                struct task *t)
{
    void *arguments[] = {t};
#ifdef CUDART_VERSION
    const void *const kernel = (const void *)s->kernel; /* CUDA 11.8 takes nothing else */
#else
    rounds_kernel_fn *const kernel = s->kernel;
#endif

    CUDA_TRY(cudaLaunchCooperativeKernel(kernel, dim3(n_blocks), dim3((unsigned)s->n_threads),
                                         arguments, s->n_shared, s->maps.stream));
    return BENCH_OK;
}

static inline enum bench_status draw_points(const struct state *s, size_t map, int n_maps,
                                            int round, int n_rounds)
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

#endif

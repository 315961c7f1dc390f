/*
 * mesh.cuh - the device side of all som variants: maps, positions, hooks, densities, pulls
 *
 * A neuron's position is a pair of floats in one aligned word of 64 bits;
 * [grid_rows][grid_cols] per frame.  Kernels that move neurons while others read them read
 * whole pairs, from caches as the paper's GPU does: a pair may be stale, but never torn.
 *
 * update = snapshot: one kernel sorts the pulls into the order of som.h; each cell counts the
 * cells before it.  Then every neuron applies the pulls that reach it, one after the other.  No
 * neuron has two writers.
 */
#ifndef SOM_MESH_CUH
#define SOM_MESH_CUH

#include "harness/problems/som/som.h"
#include "impl_gpu/common.cuh"

#define THREADS_A_BLOCK    256 /* of kernels that do not have one thread per cell */
#define THREADS_OF_NEURONS 64  /* if each thread has much work */

/* Sizes, for kernels. */
struct mesh {
    int width, height;
    int grid_cols, grid_rows, n_neurons;
    int cell_size, cell_cols, cell_rows, n_cells;
    int last_ring;
    uint32_t delta_q16;
};

/* The first member of a variant's state, which has the hooks maps_upload to _teardown. */
struct maps {
    const struct som_input *in;  /* borrowed */
    struct som_output *out;      /* borrowed */
    cudaStream_t stream;         /* borrowed */
    const struct bench_ctx *ctx; /* borrowed: stages come and go there */
    struct mesh mesh;
    struct bench_array grey;        /* owned; the mesh stays in device memory and is copied */
    struct bench_array levels;      /* owned; of a chain */
    uint8_t *d_grey;                /* [n_frames][height][width], of 'grey', or made of a map */
    uint8_t *d_levels;              /* [n_frames][SOM_N_DISPARITIES], of 'levels' */
    struct device_arrays arrays;    /* owned: those below and those of the variant */
    float *d_rate;                  /* [n_rounds][max_radius + 1] */
    float2 *d_position;             /* [n_frames][n_neurons] */
    struct som_counts *d_counts;    /* [n_frames] */
    unsigned long long *d_density;  /* [n_frames][n_cells] */
    unsigned long long *d_greatest; /* [n_frames]: of the densities */
};

/* The number of this thread among all threads of a launch. */
DEVICE int thread_number(void)
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

/* ---- stages of rounds ---- */

/* A kernel notes its begin here: for its part and for missing parts before it. */
struct stamps {
    uint32_t *at; /* NULL: nowhere */
    int n;
};

DEVICE void note_begin(struct stamps stamps)
{
    if (stamps.at && blockIdx.x == 0 && threadIdx.x == 0) {
        unsigned long long now;

        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        for (int i = 0; i < stamps.n; i++)
            stamps.at[i] = (uint32_t)now;
    }
}

/* ---- memory ---- */

static inline enum bench_status maps_setup(struct maps *f, const struct bench_ctx *ctx,
                                           const void *input, void *output)
{
    const struct som_input *in = (const struct som_input *)input;
    const size_t n_frames = (size_t)in->n_frames;
    const int all = in->cell_cols > in->cell_rows ? in->cell_cols : in->cell_rows;
    struct device_arrays *const arrays = &f->arrays;

    f->in = in;
    f->out = (struct som_output *)output;
    f->stream = ctx->stream;
    f->ctx = ctx;
    f->mesh.width = in->width;
    f->mesh.height = in->height;
    f->mesh.grid_cols = in->grid_cols;
    f->mesh.grid_rows = in->grid_rows;
    f->mesh.n_neurons = som_n_neurons(in);
    f->mesh.cell_size = in->cell_size;
    f->mesh.cell_cols = in->cell_cols;
    f->mesh.cell_rows = in->cell_rows;
    f->mesh.n_cells = som_n_cells(in);
    f->mesh.last_ring =
        in->search_range == SOM_NO_BOUND || in->search_range > all ? all : in->search_range;
    f->mesh.delta_q16 = in->delta_q16;

    if (ctx->map) {
        TRY(make_array(arrays, &f->d_grey, n_frames * som_n_pixels(in)));
        TRY(make_shared_array(&f->levels, ctx, (const uint8_t *)NULL,
                              n_frames * SOM_N_DISPARITIES, &f->d_levels));
        for (int k = 0; k < in->n_frames; k++)
            som_levels(in, k, (uint8_t *)f->levels.host + (size_t)k * SOM_N_DISPARITIES);
    } else {
        TRY(make_shared_array(&f->grey, ctx, in->grey, n_frames * som_n_pixels(in),
                              &f->d_grey));
    }
    TRY(make_array(arrays, &f->d_rate, (size_t)in->n_rounds * (size_t)(in->max_radius + 1)));
    TRY(make_array(arrays, &f->d_position, n_frames * (size_t)f->mesh.n_neurons));
    TRY(make_array(arrays, &f->d_counts, n_frames));
    TRY(make_array(arrays, &f->d_density, n_frames * (size_t)f->mesh.n_cells));
    TRY(make_array(arrays, &f->d_greatest, n_frames));
    return BENCH_OK;
}

static inline enum bench_status maps_upload(void *opaque)
{
    const struct maps *const f = (const struct maps *)opaque;
    const struct som_input *const in = f->in;

    TRY(bench_array_upload(f->ctx->map ? &f->levels : &f->grey));
    CUDA_TRY(
        cudaMemcpyAsync(f->d_rate, in->rate,
                        (size_t)in->n_rounds * (size_t)(in->max_radius + 1) * sizeof *f->d_rate,
                        cudaMemcpyHostToDevice, f->stream));
    return BENCH_OK;
}

/* One thread per pixel; blockIdx.y: the frame. */
static __global__ void take_kernel(const uint16_t *__restrict__ map,
                                   const uint8_t *__restrict__ levels, size_t n_pixels,
                                   uint8_t *__restrict__ grey)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t at = (size_t)blockIdx.y * n_pixels + i;

    if (i < n_pixels)
        grey[at] = levels[(size_t)blockIdx.y * SOM_N_DISPARITIES + map[at]];
}

static inline enum bench_status maps_take(void *opaque)
{
    const struct maps *const f = (const struct maps *)opaque;
    const dim3 grid(blocks_of(som_n_pixels(f->in), THREADS_A_BLOCK), (unsigned)f->in->n_frames);

    take_kernel<<<grid, THREADS_A_BLOCK, 0, f->stream>>>(f->ctx->map->data, f->d_levels,
                                                         som_n_pixels(f->in), f->d_grey);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

static inline enum bench_status maps_poison(void *opaque)
{
    const struct maps *const f = (const struct maps *)opaque;
    const size_t n_frames = (size_t)f->in->n_frames;

    CUDA_TRY(cudaMemsetAsync(f->d_position, POISON,
                             n_frames * (size_t)f->mesh.n_neurons * sizeof *f->d_position,
                             f->stream));
    CUDA_TRY(cudaMemsetAsync(f->d_counts, POISON, n_frames * sizeof *f->d_counts, f->stream));
    return BENCH_OK;
}

static inline enum bench_status maps_download(void *opaque)
{
    const struct maps *const f = (const struct maps *)opaque;
    const size_t n_frames = (size_t)f->in->n_frames;

    CUDA_TRY(cudaMemcpyAsync(f->out->position, f->d_position,
                             n_frames * (size_t)f->mesh.n_neurons * sizeof *f->d_position,
                             cudaMemcpyDefault, f->stream));
    CUDA_TRY(cudaMemcpyAsync(f->out->counts, f->d_counts, n_frames * sizeof *f->d_counts,
                             cudaMemcpyDefault, f->stream));
    return BENCH_OK;
}

static inline void maps_teardown(void *opaque)
{
    struct maps *const f = (struct maps *)opaque;

    free_arrays(&f->arrays);
    bench_array_free(&f->levels);
    bench_array_free(&f->grey);
}

/* ---- the start ---- */

DEVICE float2 first_position(const struct mesh &m, int id)
{
    return make_float2(som_first_x(id % m.grid_cols, id / m.grid_cols, m.grid_cols, m.width),
                       som_first_y(id / m.grid_cols, m.grid_rows, m.height));
}

/* One thread per neuron: its first position. */
static __global__ void place_neurons_kernel(struct mesh m, float2 *__restrict__ position)
{
    const int id = thread_number();

    if (id < m.n_neurons)
        position[id] = first_position(m, id);
}

/* One thread per cell: its density, by a loop over its pixels, and the greatest of all. */
static __global__ void add_densities_kernel(struct mesh m, const uint8_t *__restrict__ grey,
                                            unsigned long long *__restrict__ density,
                                            unsigned long long *__restrict__ greatest)
{
    const int cell = thread_number();
    const int x0 = cell % m.cell_cols * m.cell_size, y0 = cell / m.cell_cols * m.cell_size;
    unsigned long long sum = 0;

    if (cell >= m.n_cells)
        return;
    for (int y = y0; y < min(y0 + m.cell_size, m.height); y++)
        for (int x = x0; x < min(x0 + m.cell_size, m.width); x++)
            sum += som_density(grey[(size_t)y * (size_t)m.width + (size_t)x]);
    density[cell] = sum;
    atomicMax(greatest, sum);
}

/* Makes first positions, densities and counts of all frames; n_threads: of a block of cells. */
static inline enum bench_status maps_begin(const struct maps *f, int n_threads)
{
    const struct mesh *const m = &f->mesh;
    const size_t n_frames = (size_t)f->in->n_frames;

    CUDA_TRY(cudaMemsetAsync(f->d_counts, 0, n_frames * sizeof *f->d_counts, f->stream));
    CUDA_TRY(cudaMemsetAsync(f->d_greatest, 0, n_frames * sizeof *f->d_greatest, f->stream));
    for (size_t frame = 0; frame < n_frames; frame++) {
        TRY(launch(place_neurons_kernel, (size_t)m->n_neurons, THREADS_A_BLOCK, f->stream, *m,
                   f->d_position + frame * (size_t)m->n_neurons));
        TRY(launch(add_densities_kernel, (size_t)m->n_cells, n_threads, f->stream, *m,
                   f->d_grey + frame * som_n_pixels(f->in),
                   f->d_density + frame * (size_t)m->n_cells, f->d_greatest + frame));
    }
    return BENCH_OK;
}

/* ---- positions that others may be moving ---- */

DEVICE float2 load_position(const float2 *at)
{
    return __ldca(at);
}

DEVICE unsigned long long pack(float2 at)
{
    return (unsigned long long)__float_as_uint(at.y) << 32 | __float_as_uint(at.x);
}

DEVICE float2 unpack(unsigned long long word)
{
    return make_float2(__uint_as_float((unsigned)word),
                       __uint_as_float((unsigned)(word >> 32)));
}

DEVICE float2 pulled(float2 at, float2 point, float rate)
{
    return make_float2(som_pull(at.x, point.x, rate), som_pull(at.y, point.y, rate));
}

/* Pulls a neuron and keeps other pulls; a wrong 'expected' position costs another try. */
DEVICE void pull_by_swap(float2 *at, float2 expected, float2 point, float rate)
{
    unsigned long long *const word = (unsigned long long *)at;
    unsigned long long found = pack(expected), old;

    do {
        old = found;
        found = atomicCAS(word, old, pack(pulled(unpack(old), point, rate)));
    } while (found != old);
}

/* A pull by another thread in between is lost, or half of it, as in the authors' program. */
DEVICE void pull_by_exchange(float2 *at, float2 point, float rate)
{
    const float2 to = pulled(load_position(at), point, rate);

    atomicExch(&at->x, to.x);
    atomicExch(&at->y, to.y);
}

/* ---- update = snapshot ---- */

/* The pull of a cell on the mesh. */
struct __align__(16) ordered_pull
{
    float x, y; /* the point */
    int winner_x, winner_y;
};

/*
 * One thread per cell.  The place of a cell that has a winner is the number of such cells
 * before it, by random word, then by cell number.  order [n_cells], winner [n_cells] (-1: none)
 * -> list [*n_list].
 */
static __global__ void rank_cells_kernel(struct stamps stamps, int n_cells, int grid_cols,
                                         const uint32_t *__restrict__ order,
                                         const int *__restrict__ winner,
                                         const float2 *__restrict__ point,
                                         struct ordered_pull *__restrict__ list,
                                         int *__restrict__ n_list)
{
    const int cell = thread_number();
    const bool pulls = cell < n_cells && winner[cell] >= 0;
    const uint32_t mine = pulls ? order[cell] : 0;
    int rank = 0, n = 0;

    note_begin(stamps);
    if (!pulls && cell > 0)
        return;
    for (int other = 0; other < n_cells; other++)
        if (winner[other] >= 0) {
            const uint32_t theirs = order[other];

            rank += theirs < mine || (theirs == mine && other < cell);
            n++;
        }
    if (pulls) {
        list[rank] = {point[cell].x, point[cell].y, winner[cell] % grid_cols,
                      winner[cell] / grid_cols};
    }
    if (cell == 0)
        *n_list = n;
}

/* One thread per neuron: applies all pulls that reach it, in order.  rate [radius + 1]. */
static __global__ void pull_neurons_kernel(struct mesh m,
                                           const struct ordered_pull *__restrict__ list,
                                           const int *__restrict__ n_list,
                                           const float *__restrict__ rate, int radius,
                                           float2 *__restrict__ position)
{
    const int id = thread_number(), x = id % m.grid_cols, y = id / m.grid_cols;
    const int n = *n_list;
    float2 at;

    if (id >= m.n_neurons)
        return;
    at = position[id];
    for (int i = 0; i < n; i++) {
        const struct ordered_pull pull = list[i];
        const int links = som_distance(x, y, pull.winner_x, pull.winner_y);

        if (links <= radius)
            at = pulled(at, make_float2(pull.x, pull.y), rate[links]);
    }
    position[id] = at;
}

#endif

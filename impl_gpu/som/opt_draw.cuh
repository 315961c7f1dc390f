/*
 * opt_draw.cuh - the parts that do not depend on the neurons: densities, and the data points of
 * all rounds in the order of their pulls
 */
#ifndef SOM_OPT_DRAW_CUH
#define SOM_OPT_DRAW_CUH

#include "impl_gpu/som/mesh.cuh"

#define LANES     WARP_LANES
#define MAX_WARPS 32

#define DRAW_THREADS    256
#define MAX_BUCKET_BITS 11

#define PIXEL_BITS 13 /* of a coordinate */
#define PIXEL_MASK ((1u << PIXEL_BITS) - 1)

static_assert(SOM_MAX_SIDE <= 1 << PIXEL_BITS, "a data point is one word");

/* The sum over the block's threads before this one, by all of them; 'sums' [MAX_WARPS]. */
DEVICE int sum_before(int value, int *sums)
{
    const int lane = (int)threadIdx.x % LANES, warp = (int)threadIdx.x / LANES;
    const int up_to = sum_up_to(value, lane);

    if (lane == LANES - 1)
        sums[warp] = up_to;
    __syncthreads();

    const int before = warp_sum(lane < warp ? sums[lane] : 0);

    __syncthreads();
    return before + up_to - value;
}

/* One thread for each neuron of each map. */
static __global__ void place_all_neurons_kernel(struct mesh m, float2 *__restrict__ position)
{
    const int id = thread_number();

    if (id < m.n_neurons)
        position[(size_t)blockIdx.y * (size_t)m.n_neurons + (size_t)id] = first_position(m, id);
}

/* One warp for each cell of each map, one lane for each row of the cell: sums up to a row, over
 * the cell, and the greatest of all cells. */
static __global__ void add_rows_kernel(struct mesh m, const uint8_t *__restrict__ grey,
                                       unsigned long long *__restrict__ row_prefix,
                                       unsigned long long *__restrict__ density,
                                       unsigned long long *__restrict__ greatest)
{
    const int lane = (int)threadIdx.x % LANES, cell = thread_number() / LANES;
    const size_t map = blockIdx.y;
    unsigned long long before = 0;

    if (cell >= m.n_cells)
        return;

    const int x0 = cell % m.cell_cols * m.cell_size, y0 = cell / m.cell_cols * m.cell_size;
    const int x1 = min(x0 + m.cell_size, m.width), n_rows = min(m.cell_size, m.height - y0);

    grey += map * (size_t)m.width * (size_t)m.height;
    row_prefix += (map * (size_t)m.n_cells + (size_t)cell) * (size_t)m.cell_size;
    for (int base = 0; base < n_rows; base += LANES) {
        const int row = base + lane;
        unsigned long long sum = 0;

        if (row < n_rows)
            for (int x = x0; x < x1; x++)
                sum += som_density(grey[(size_t)(y0 + row) * (size_t)m.width + (size_t)x]);
        sum = sum_up_to(sum, lane) + before;
        if (row < n_rows)
            row_prefix[row] = sum;
        before = __shfl_sync(ALL_LANES, sum, LANES - 1);
    }
    if (lane == 0) {
        density[map * (size_t)m.n_cells + (size_t)cell] = before;
        atomicMax(&greatest[map], before);
    }
}

/* The map and the round from which to draw. */
struct urn {
    const uint8_t *grey;
    const unsigned long long *row_prefix, *density;
    unsigned long long greatest;
    uint64_t seed;
    uint32_t round;
};

/* The pixel of eq. 7, row and column in one word. */
DEVICE uint32_t draw_pixel(const struct mesh &m, const struct urn &urn, int cell)
{
    const uint32_t word = som_words(urn.seed, urn.round, (uint32_t)cell).word[1];
    const unsigned long long *const prefix =
        urn.row_prefix + (size_t)cell * (size_t)m.cell_size;
    const uint64_t wanted = som_scale(urn.density[cell], word);
    const int x0 = cell % m.cell_cols * m.cell_size, y0 = cell / m.cell_cols * m.cell_size;
    uint64_t sum = 0;
    int row = 0, x = x0;

    while (prefix[row] <= wanted)
        sum = prefix[row++];

    const uint8_t *const pixels = urn.grey + (size_t)(y0 + row) * (size_t)m.width;

    for (sum += som_density(pixels[x]); sum <= wanted; sum += som_density(pixels[x]))
        x++;
    return (uint32_t)(y0 + row) << PIXEL_BITS | (uint32_t)x;
}

/* Whether a cell takes part, and the word that it is sorted by. */
DEVICE bool draw_cell(const struct mesh &m, const struct urn &urn, int cell, uint32_t *order)
{
    const struct bench_words words = som_words(urn.seed, urn.round, (uint32_t)cell);

    *order = words.word[2];
    return som_is_active(urn.density[cell], urn.greatest, m.delta_q16, words.word[0]);
}

#define KEPT_CELLS 4 /* of a thread: it does not compute their words again */

/* Counts the cells in each bucket; keeps words and activity of this thread's first cells. */
DEVICE void count_cells(const struct mesh &m, const struct urn &urn, int bucket_bits,
                        int *bucket, uint32_t order[KEPT_CELLS], unsigned *active)
{
    *active = 0;
#pragma unroll
    for (int k = 0; k < KEPT_CELLS; k++) {
        const int cell = (int)threadIdx.x + k * DRAW_THREADS;

        order[k] = 0;
        if (cell < m.n_cells && draw_cell(m, urn, cell, &order[k])) {
            *active |= 1u << k;
            atomicAdd(&bucket[order[k] >> (32 - bucket_bits)], 1);
        }
    }
    for (int cell = (int)threadIdx.x + KEPT_CELLS * DRAW_THREADS; cell < m.n_cells;
         cell += DRAW_THREADS) {
        uint32_t word;

        if (draw_cell(m, urn, cell, &word))
            atomicAdd(&bucket[word >> (32 - bucket_bits)], 1);
    }
}

/* Whether cell a pulls before cell b. */
DEVICE bool pulls_before(const struct urn &urn, uint32_t a, uint32_t b)
{
    const uint32_t order_a = som_words(urn.seed, urn.round, a).word[2];
    const uint32_t order_b = som_words(urn.seed, urn.round, b).word[2];

    return order_a < order_b || (order_a == order_b && a < b);
}

/*
 * One block for each round of each map: the data points of the cells that take part, in the
 * order of som.h.  Cells go into buckets by the upper 'bucket_bits' bits of their random word;
 * there are at least DRAW_THREADS buckets.  Then a thread sorts a bucket, and a thread draws a
 * pixel.  -> drawn [n_maps][n_rounds][n_cells], n_drawn [n_maps][n_rounds]
 */
static __global__ void __launch_bounds__(DRAW_THREADS)
    draw_points_kernel(struct mesh m, int bucket_bits, uint64_t seed, int first_round,
                       const uint8_t *__restrict__ grey,
                       const unsigned long long *__restrict__ row_prefix,
                       const unsigned long long *__restrict__ density,
                       const unsigned long long *__restrict__ greatest, uint32_t *drawn,
                       int *__restrict__ n_drawn)
{
    __shared__ int bucket[1 << MAX_BUCKET_BITS];
    __shared__ int sums[MAX_WARPS];
    const int t = (int)threadIdx.x, n_buckets = 1 << bucket_bits, n = n_buckets / DRAW_THREADS;
    const size_t map = blockIdx.y, row = map * gridDim.x + blockIdx.x;
    uint32_t *const out = drawn + row * (size_t)m.n_cells;
    struct urn urn;
    uint32_t order[KEPT_CELLS];
    unsigned active;
    int sum = 0;

    urn.grey = grey + map * (size_t)m.width * (size_t)m.height;
    urn.row_prefix = row_prefix + map * (size_t)m.n_cells * (size_t)m.cell_size;
    urn.density = density + map * (size_t)m.n_cells;
    urn.greatest = greatest[map];
    urn.seed = seed + map;
    urn.round = (uint32_t)first_round + blockIdx.x;
    for (int b = t; b < n_buckets; b += DRAW_THREADS)
        bucket[b] = 0;
    __syncthreads();
    count_cells(m, urn, bucket_bits, bucket, order, &active);
    __syncthreads();
    for (int b = 0; b < n; b++)
        sum += bucket[t * n + b];
    sum = sum_before(sum, sums);
    for (int b = 0; b < n; b++) {
        const int here = bucket[t * n + b];

        bucket[t * n + b] = sum; /* its begin, which becomes its end below */
        sum += here;
    }
    __syncthreads();
    for (int cell = t, k = 0; cell < m.n_cells; cell += DRAW_THREADS, k++) {
        uint32_t word = 0;
        bool takes_part;

        if (k < KEPT_CELLS) {
            takes_part = active >> k & 1;
#pragma unroll
            for (int i = 0; i < KEPT_CELLS; i++)
                word = i == k ? order[i] : word;
        } else {
            takes_part = draw_cell(m, urn, cell, &word);
        }
        if (takes_part)
            out[atomicAdd(&bucket[word >> (32 - bucket_bits)], 1)] = (uint32_t)cell;
    }
    __syncthreads();
    for (int b = t; b < n_buckets; b += DRAW_THREADS) {
        const int begin = b > 0 ? bucket[b - 1] : 0, end = bucket[b];

        for (int i = begin + 1; i < end; i++) {
            const uint32_t cell = out[i];
            int k = i;

            for (; k > begin && pulls_before(urn, cell, out[k - 1]); k--)
                out[k] = out[k - 1];
            out[k] = cell;
        }
    }
    __syncthreads();
    for (int i = t; i < bucket[n_buckets - 1]; i += DRAW_THREADS)
        out[i] = draw_pixel(m, urn, (int)out[i]);
    if (t == 0)
        n_drawn[row] = bucket[n_buckets - 1];
}

#endif

/*
 * opt_draw.cuh - without the neurons: densities, and all rounds' points in order of their pulls
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

/* Words of a cell's row of pixels: four pixels in a word, four words loaded at once. */
static inline __host__ __device__ int row_words(int cell_size)
{
    return (cell_size + 15) / 16 * 4;
}

/* One warp for each cell of each map, one lane for each row of the cell: its pixels in words, 0
 * beyond the map's edge; sums up to a row, over the cell, and the greatest of all cells. */
static __global__ void add_rows_kernel(struct mesh m, const uint8_t *__restrict__ grey,
                                       uint32_t *__restrict__ pixels,
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
    const int n_cols = min(m.cell_size, m.width - x0), n_rows = min(m.cell_size, m.height - y0);
    const int n_words = row_words(m.cell_size);
    const size_t first = (map * (size_t)m.n_cells + (size_t)cell) * (size_t)m.cell_size;

    grey += map * (size_t)m.width * (size_t)m.height;
    for (int base = 0; base < n_rows; base += LANES) {
        const int row = base + lane;
        unsigned long long sum = 0;

        for (int w = 0; row < n_rows && w < n_words; w++) {
            const uint8_t *const four =
                grey + (size_t)(y0 + row) * (size_t)m.width + (size_t)(x0 + 4 * w);
            uint32_t word = 0;

            for (int k = 0; k < 4 && 4 * w + k < n_cols; k++) {
                word |= (uint32_t)four[k] << 8 * k;
                sum += som_density(four[k]);
            }
            pixels[(first + (size_t)row) * (size_t)n_words + (size_t)w] = word;
        }
        sum = sum_up_to(sum, lane) + before;
        if (row < n_rows)
            row_prefix[first + (size_t)row] = sum;
        before = __shfl_sync(ALL_LANES, sum, LANES - 1);
    }
    if (lane == 0) {
        density[map * (size_t)m.n_cells + (size_t)cell] = before;
        atomicMax(&greatest[map], before);
    }
}

/* A cell that takes part in a round, and its random words. */
struct lot {
    uint32_t cell, pixel, order;
};

/* A block's room to sort lots: [n_cells] each. */
struct lots {
    struct lot *lot;
    uint32_t *sorted; /* numbers of lots, by bucket */
};

#define LOT_BYTES   (sizeof(struct lot) + sizeof(uint32_t))
#define SHARED_LOTS 2048 /* more are in global memory */

/* The map and the round from which to draw. */
struct urn {
    const uint32_t *pixels;
    const unsigned long long *row_prefix, *density;
    unsigned long long greatest;
    uint64_t seed;
    uint32_t round;
};

/* True if a cell takes part in the round; its lot in any case. */
DEVICE bool draw_cell(const struct mesh &m, const struct urn &urn, int cell, struct lot *lot)
{
    const struct bench_words words = som_words(urn.seed, urn.round, (uint32_t)cell);

    *lot = {(uint32_t)cell, words.word[1], words.word[2]};
    return cell < m.n_cells &&
           som_is_active(urn.density[cell], urn.greatest, m.delta_q16, words.word[0]);
}

/* Collects the lots of active cells, in any order; counts them, in *n_lots and by bucket. */
DEVICE void draw_cells(const struct mesh &m, const struct urn &urn, int shift, struct lot *lots,
                       int *bucket, int *n_lots)
{
    const int lane = (int)threadIdx.x % LANES;

    for (int first = (int)threadIdx.x - lane; first < m.n_cells; first += DRAW_THREADS) {
        struct lot lot;
        const bool takes_part = draw_cell(m, urn, first + lane, &lot);
        const unsigned mask = __ballot_sync(ALL_LANES, takes_part);
        int at = 0;

        if (lane == 0)
            at = atomicAdd(n_lots, __popc(mask));
        at = __shfl_sync(ALL_LANES, at, 0) + __popc(mask & ((1u << lane) - 1));
        if (takes_part) {
            lots[at] = lot;
            atomicAdd(&bucket[lot.order >> shift], 1);
        }
    }
}

/* Turns the numbers of lots in buckets into where the buckets begin. */
DEVICE void lay_out_buckets(int *bucket, int n_buckets, int *sums)
{
    const int n = n_buckets / DRAW_THREADS, first = (int)threadIdx.x * n;
    int sum = 0;

#pragma unroll 1
    for (int b = first; b < first + n; b++)
        sum += bucket[b];
    sum = sum_before(sum, sums);
    for (int b = first; b < first + n; b++) {
        const int here = bucket[b];

        bucket[b] = sum;
        sum += here;
    }
}

/* The place of a lot, which is in the bucket that begins and ends there, among all lots. */
DEVICE int rank_of(const struct lots &lots, const struct lot &lot, int begin, int end)
{
    int rank = begin;

#pragma unroll 1
    for (int i = begin; i < end; i++) {
        const struct lot &other = lots.lot[lots.sorted[i]];

        rank += other.order < lot.order || (other.order == lot.order && other.cell < lot.cell);
    }
    return rank;
}

/* The pixel of eq. 7, row and column in one word. */
DEVICE uint32_t draw_pixel(const struct mesh &m, const struct urn &urn, const struct lot &lot)
{
    const int cell = (int)lot.cell, cell_row = cell / m.cell_cols;
    const int x0 = (cell - cell_row * m.cell_cols) * m.cell_size, y0 = cell_row * m.cell_size;
    const int n_rows = min(m.cell_size, m.height - y0), n_words = row_words(m.cell_size);
    const size_t first = (size_t)cell * (size_t)m.cell_size;
    const unsigned long long *const prefix = urn.row_prefix + first;
    const uint64_t wanted = som_scale(urn.density[cell], lot.pixel);
    uint64_t sum = 0;
    int row = 0, col = 0;

    /* rows, then pixels of a row, whose sums are not above the wanted one; the last one's is */
#pragma unroll 1
    for (int step = 1 << (31 - __clz(m.cell_size)); step > 0; step /= 2)
        if (row + step < n_rows) {
            const uint64_t up_to = prefix[row + step - 1];

            if (up_to <= wanted) {
                row += step;
                sum = up_to;
            }
        }

    const uint32_t *const words = urn.pixels + (first + (size_t)row) * (size_t)n_words;

#pragma unroll 1
    for (int x = 0; x < m.cell_size; x += 16) {
        const uint4 four = *(const uint4 *)(words + x / 4);
        const uint32_t word[4] = {four.x, four.y, four.z, four.w};

#pragma unroll
        for (int k = 0; k < 16; k++)
            if (k % 4 > 0 || x + k < m.cell_size) {
                sum += som_density((uint8_t)(word[k / 4] >> k % 4 * 8));
                col += sum <= wanted;
            }
    }
    return (uint32_t)(y0 + row) << PIXEL_BITS | (uint32_t)(x0 + col);
}

/* By one block: the data points of a round in the order of som.h -> out; returns their number.
 * Lots go into buckets by the upper bits of their random word; then a thread finds the place of
 * a lot in its bucket and draws its pixel. */
DEVICE int draw_round(const struct mesh &m, const struct urn &urn, const struct lots &lots,
                      int bucket_bits, int *bucket, int *sums, int *n_lots, uint32_t *out)
{
    const int t = (int)threadIdx.x, step = DRAW_THREADS, n_buckets = 1 << bucket_bits;
    const int shift = 32 - bucket_bits;
    int n;

#pragma unroll 1
    for (int b = t; b < n_buckets; b += step)
        bucket[b] = 0;
    if (t == 0)
        *n_lots = 0;
    __syncthreads();
    draw_cells(m, urn, shift, lots.lot, bucket, n_lots);
    __syncthreads();
    n = *n_lots;
    lay_out_buckets(bucket, n_buckets, sums);
    __syncthreads();
    for (int i = t; i < n; i += step) /* the begin of a bucket becomes its end */
        lots.sorted[atomicAdd(&bucket[lots.lot[i].order >> shift], 1)] = (uint32_t)i;
    __syncthreads();
#pragma unroll 1
    for (int i = t; i < n; i += step) {
        const struct lot lot = lots.lot[lots.sorted[i]];
        const int b = (int)(lot.order >> shift), begin = b > 0 ? bucket[b - 1] : 0;

        out[rank_of(lots, lot, begin, bucket[b])] = draw_pixel(m, urn, lot);
    }
    return n;
}

/* The draws of a launch. */
struct draws {
    struct mesh mesh;
    int bucket_bits; /* there are at least as many buckets as threads */
    int first_round, n_rounds;
    uint64_t seed;                        /* of the first map */
    const uint32_t *pixels;               /* [n_maps][n_cells][cell_size][row_words] */
    const unsigned long long *row_prefix; /* [n_maps][n_cells][cell_size] */
    const unsigned long long *density;    /* [n_maps][n_cells] */
    const unsigned long long *greatest;   /* [n_maps] */
    char *room;      /* [n_maps][blocks of a map][n_cells] LOT_BYTES, unless shared */
    uint32_t *drawn; /* [n_maps][n_rounds][n_cells] */
    int *n_drawn;    /* [n_maps][n_rounds] */
};

/* y: maps; each block of a map draws some of its rounds.  SHARED: lots are in shared memory. */
template <bool SHARED>
static __global__ void __launch_bounds__(DRAW_THREADS) draw_points_kernel(struct draws d)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ int sums[MAX_WARPS];
    __shared__ int n_lots;
    const struct mesh &m = d.mesh;
    const size_t map = blockIdx.y, n_cells = (size_t)m.n_cells;
    const size_t block = map * gridDim.x + blockIdx.x;
    int *const bucket = (int *)shared;
    struct urn urn;
    struct lots lots;

    lots.lot = (struct lot *)(SHARED ? shared + (sizeof(int) << d.bucket_bits)
                                     : d.room + block * n_cells * LOT_BYTES);
    lots.sorted = (uint32_t *)(lots.lot + n_cells);
    urn.pixels = d.pixels + map * n_cells * (size_t)(m.cell_size * row_words(m.cell_size));
    urn.row_prefix = d.row_prefix + map * n_cells * (size_t)m.cell_size;
    urn.density = d.density + map * n_cells;
    urn.greatest = d.greatest[map];
    urn.seed = d.seed + map;
    for (int k = (int)blockIdx.x; k < d.n_rounds; k += (int)gridDim.x) {
        const size_t row = map * (size_t)d.n_rounds + (size_t)k;
        int n;

        urn.round = (uint32_t)(d.first_round + k);
        n = draw_round(m, urn, lots, d.bucket_bits, bucket, sums, &n_lots,
                       d.drawn + row * n_cells);
        if (threadIdx.x == 0)
            d.n_drawn[row] = n;
        __syncthreads();
    }
}

#endif

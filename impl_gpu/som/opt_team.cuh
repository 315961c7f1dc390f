/*
 * opt_team.cuh - all rounds of a map by a team of blocks
 *
 * A round: a warp a data point searches; a barrier; a warp a tile of neurons applies the pulls that reach it, one after the
 * other, and nobody else writes these neurons; a barrier.
 *
 * A block that is alone with many tiles goes over the pulls for several tiles at once: pull_strips.
 *
 * Rates lie in shared memory by where a neuron is as seen from the winner: a table of rows of axial coordinates, 0 out
 * of reach, so that a pull costs a neuron one subtraction and one look-up.
 */
#ifndef SOM_OPT_TEAM_CUH
#define SOM_OPT_TEAM_CUH

#include "impl_gpu/som/opt_draw.cuh"

#include <limits.h>

#define TILE_COLS 8 /* neurons; by 4 rows for each neuron that a lane has */
#define TILE_ROWS 4

/* Of a block, at most: with few there are more registers for each. */
#define FEW_THREADS  512
#define SOME_THREADS 768 /* of a grid's */
#define MOST_THREADS 1024

/* Pulls that a thread looks at for its block's region before tiles take them. */
#define PULLS_A_THREAD 2

#define NOWHERE 0x7FFF0000 /* pull.at of a search that found none: a row out of every reach */

enum team {
    TEAM_BLOCK,       /* a block with all of a map in shared memory */
    TEAM_LARGE_BLOCK, /* but for the lists of the cells */
    TEAM_CLUSTER,     /* of blocks, each with a copy of all of it */
    TEAM_GRID         /* of blocks that share a map in L2 */
};

/* Whether a block has a map for itself; whether it has the mesh, and the lists too, in its shared memory. */
#define ALONE(team)     ((team) == TEAM_BLOCK || (team) == TEAM_LARGE_BLOCK)
#define HAS_MESH(team)  ((team) != TEAM_GRID)
#define HAS_LISTS(team) ((team) == TEAM_BLOCK || (team) == TEAM_CLUSTER)

enum part { PART_REFRESH, PART_SEARCH, PART_LEARN, N_PARTS };

/* What a cell does to the mesh. */
struct __align__(16) pull
{
    float x, y; /* the point */
    int at;     /* the winner's row << 16 | column */
    int place;  /* and its place in the table of rates: see rate_place */
};

/* From one mesh to the next where they are copied in words of 16 bytes. */
static inline __host__ __device__ size_t passed_pitch(int n_neurons)
{
    return ((size_t)n_neurons + 1) / 2 * 2;
}

/* Rounds of a map, or of one map for each team. */
struct task {
    struct mesh mesh;
    int n_blocks;              /* of a team */
    uint32_t blocks_inverse;   /* of n_blocks, as divided() has it; 0 of one */
    int first_round, n_rounds; /* of this launch */
    int refresh_rate, capacity;
    uint32_t cell_inverse; /* likewise; 0 for cells of one pixel */
    uint32_t grid_inverse; /* of grid_cols; 0: of one, or a mesh too large for divided() */
    int max_radius;
    int pitch;                    /* of the table of rates */
    uint32_t pitch_inverse;       /* likewise */
    int tiles_across, tiles_down; /* of the mesh */
    int region_cols, region_rows; /* tiles that a block has, at most */
    int regions_across;
    const uint32_t *drawn;     /* [n_maps][n_rounds][n_cells] */
    const int *n_drawn;        /* [n_maps][n_rounds] */
    const float *rate;         /* [all rounds][max_radius + 1] */
    const int *radius;         /* [all rounds] */
    float2 *position;          /* [n_maps][n_neurons] */
    float2 *passed;            /* [n_maps][passed_pitch], of a cluster */
    struct som_counts *counts; /* [n_maps] */
    int *first, *cursor,
        *count;         /* [n_maps][n_cells + 1], where they are not in shared memory */
    int *list;          /* [n_maps][n_neurons] */
    int *n_full;        /* [n_maps] */
    struct pull *pulls; /* [n_maps][n_cells], of several blocks */
    unsigned *arrived;  /* one: the grid's barrier */
    uint32_t *clocks;   /* [N_PARTS] of the first block; NULL: nobody looks */
    int strip; /* tiles of each of two rows that a warp looks at together; 0: it does not */
    int strips_across; /* of the mesh */
};

static __device__ __forceinline__ unsigned warp_min(unsigned value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_min_sync(ALL_LANES, value);
#else
    for (int distance = LANES / 2; distance > 0; distance /= 2)
        value = min(value, __shfl_xor_sync(ALL_LANES, value, distance));
    return value;
#endif
}

/* n / d for 'inverse', which is 2^32 / d rounded up: exact as long as n d is below 2^32. */
static __device__ __forceinline__ int divided(int n, uint32_t inverse)
{
    return (int)__umulhi((unsigned)n, inverse);
}

/* ---- the table of rates ---- */

/* How far aside of what a pull reaches a neuron of a tile may be that it is applied to. */
#define ROWS_ASIDE(per_lane) (TILE_ROWS * (per_lane)-1)
#define COLS_ASIDE(per_lane) (TILE_COLS - 1 + TILE_ROWS * (per_lane) / 2 + 1)

/* Words of a row: rows that follow each other lie 8 banks apart, so that a tile's lanes meet in none. */
static inline __host__ __device__ int rates_pitch(int radius, int per_lane)
{
    return (2 * (radius + COLS_ASIDE(per_lane)) + 1 + 23) / 32 * 32 + 8;
}

/* Rows of a table are as many as a round's radius asks for, and as wide as the largest does. */
static inline __host__ __device__ int rates_rows(int radius, int per_lane)
{
    return 2 * (radius + ROWS_ASIDE(per_lane)) + 1;
}

/* Of the neuron in column x and row y; that of a neuron less that of a winner is an index, from the table's middle. */
static __device__ __forceinline__ int rate_place(int x, int y, int pitch)
{
    return y * pitch + x - (y + (y & 1)) / 2;
}

static __device__ __forceinline__ int middle_of_rates(const struct task &t, int radius,
                                                      int per_lane)
{
    return (radius + ROWS_ASIDE(per_lane)) * t.pitch + t.max_radius + COLS_ASIDE(per_lane);
}

/* by_links [radius + 1] -> table, by threads 'first' and up of the block */
template <int PER_LANE>
static __device__ __forceinline__ void fill_rates(const struct task &t, const float *by_links,
                                                  int radius, int first, float *table)
{
    const int pitch = t.pitch, n = rates_rows(radius, PER_LANE) * pitch;
    const int begin = (int)threadIdx.x - first, step = (int)blockDim.x - first;

    if (begin < 0)
        return;

    const int rows = divided(step, t.pitch_inverse), cols = step - rows * pitch;
    int row = divided(begin, t.pitch_inverse), col = begin - row * pitch;

    for (int i = begin; i < n; i += step) {
        const int dr = row - radius - ROWS_ASIDE(PER_LANE);
        const int dq = col - t.max_radius - COLS_ASIDE(PER_LANE);
        const int links = max(max(abs(dq), abs(dr)), abs(dq + dr));

        table[i] = links <= radius ? by_links[links] : 0;
        row += rows;
        col += cols;
        if (col >= pitch) {
            col -= pitch;
            row++;
        }
    }
}

/* ---- a team ---- */

/* Where a team keeps a map's mesh and lists. */
struct place {
    float2 *position;
    float2
        *moved; /* the same, but for a cluster: in L2, whence blocks copy it after the round */
    int *first, *cursor, *count, *n_full;
    int *list;
    /* in their stead in shared memory, where there are below 65536 neurons */
    unsigned short *short_first, *short_list;
    struct pull *pulls;
    struct pull *picked; /* [LANES] of a warp: pick_and_pull */
};

/* Threads of a team. */
struct member {
    int block, thread, n_threads; /* thread: among all of the team */
    int lane, warp, n_warps;      /* of the block */
};

/* Written by stores of the team's threads before the last barrier: not from L1, which other blocks do not write. */
template <enum team TEAM, class T> static __device__ __forceinline__ T load(const T *at)
{
    return HAS_MESH(TEAM) ? *at : __ldcg(at);
}

/* Written by atomics, too, which L1 does not see. */
template <enum team TEAM, class T> static __device__ __forceinline__ T load_counted(const T *at)
{
    return HAS_LISTS(TEAM) ? *at : __ldcg(at);
}

/* Where a cell's list begins (p.short_first, p.first), or an id of it (p.short_list, p.list). */
template <enum team TEAM>
static __device__ __forceinline__ int load_listed(const unsigned short *short_at, const int *at,
                                                  int i)
{
    return HAS_LISTS(TEAM) ? (int)short_at[i] : load<TEAM>(at + i);
}

template <enum team TEAM>
static __device__ __forceinline__ void store_listed(unsigned short *short_at, int *at, int i,
                                                    int value)
{
    if (HAS_LISTS(TEAM))
        short_at[i] = (unsigned short)value;
    else
        at[i] = value;
}

/* Where blocks reach into each other's shared memory (st.async: CUDA 12.1); elsewhere a cluster has one block. */
#if defined(CUDART_VERSION) && __CUDA_ARCH__ >= 900
#define HAS_CLUSTERS (CUDART_VERSION >= 12010)
#else
#define HAS_CLUSTERS 0
#endif

/* A block's counter of bytes that come into its shared memory while it does other things, once a round: a phase of it. */
struct __align__(8) inbox
{
    unsigned long long state;
};

#if HAS_CLUSTERS
/* An address in shared memory, as instructions on such have it, and the same place of another block of the cluster. */
static __device__ __forceinline__ unsigned shared_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

static __device__ __forceinline__ unsigned at_block(const void *at, int block)
{
    unsigned there;

    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"(shared_address(at)), "r"(block));
    return there;
}
#endif

/* By one thread, before the block's first team_barrier. */
static __device__ __forceinline__ void make_inbox(struct inbox *inbox)
{
#if HAS_CLUSTERS
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\t"
                 "fence.mbarrier_init.release.cluster;"
                 :
                 : "r"(shared_address(inbox))
                 : "memory");
#else
    inbox->state = 0;
#endif
}

/* By one thread, once a round: how many bytes will come. */
static __device__ __forceinline__ void expect(struct inbox *inbox, size_t n_bytes)
{
#if HAS_CLUSTERS
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(shared_address(inbox)), "r"((unsigned)n_bytes)
                 : "memory");
#else
    (void)inbox, (void)n_bytes;
#endif
}

/* Until all that were expected have come. */
static __device__ __forceinline__ void await(struct inbox *inbox, unsigned phase)
{
#if HAS_CLUSTERS
    unsigned done;

    do
        asm volatile("{\n\t"
                     ".reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t"
                     "}"
                     : "=r"(done)
                     : "r"(shared_address(inbox)), "r"(phase & 1)
                     : "memory");
    while (!done);
#else
    (void)inbox, (void)phase;
    __syncthreads(); /* threads of the block have copied them */
#endif
}

/* pull -> *at of another block, which is told when it has come. */
static __device__ __forceinline__ void send_pull(struct pull *at, struct inbox *inbox,
                                                 int block, const struct pull &pull)
{
#if HAS_CLUSTERS
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, "
                 "%2, %3, %4}, [%5];"
                 :
                 : "r"(at_block(at, block)), "r"(__float_as_uint(pull.x)),
                   "r"(__float_as_uint(pull.y)), "r"(pull.at), "r"(pull.place),
                   "r"(at_block(inbox, block))
                 : "memory");
#else
    (void)inbox, (void)block;
    *at = pull;
#endif
}

/* By one thread of each block, after all of the block have come. */
static __device__ __forceinline__ void count_arrival(unsigned *arrived)
{
#if defined(CUDART_VERSION) && __CUDA_ARCH__ >= 700
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(arrived) : "memory");
#else
    __threadfence();
    atomicAdd(arrived, 1u);
#endif
}

/* By the same thread: until n_arrived blocks have come, in all. */
static __device__ __forceinline__ void wait_for_blocks(unsigned *arrived, unsigned n_arrived)
{
#if defined(CUDART_VERSION) && __CUDA_ARCH__ >= 700
    unsigned n;

    do
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(n) : "l"(arrived) : "memory");
    while (n < n_arrived);
#else
    while (*(volatile unsigned *)arrived < n_arrived)
        ;
    __threadfence();
#endif
}

/* A barrier of the team in two halves: what its threads have written before they arrive is seen by all of them after they have
 * waited.  'n_arrived' counts up, in a register of each thread. */
template <enum team TEAM>
static __device__ __forceinline__ void team_arrive(const struct task &t, unsigned *n_arrived)
{
    if (TEAM == TEAM_CLUSTER) {
#if HAS_CLUSTERS
        asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
#endif
    } else if (TEAM == TEAM_GRID) {
        __syncthreads();
        *n_arrived += (unsigned)t.n_blocks;
        if (threadIdx.x == 0)
            count_arrival(t.arrived);
    }
}

template <enum team TEAM>
static __device__ __forceinline__ void team_wait(const struct task &t, unsigned n_arrived)
{
#if HAS_CLUSTERS
    if (TEAM == TEAM_CLUSTER) {
        asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
        return;
    }
#endif
    if (TEAM == TEAM_GRID && threadIdx.x == 0)
        wait_for_blocks(t.arrived, n_arrived);
    __syncthreads(); /* of a cluster, too, where there are none but those of one block */
}

template <enum team TEAM>
static __device__ __forceinline__ void team_barrier(const struct task &t, unsigned *n_arrived)
{
    team_arrive<TEAM>(t, n_arrived);
    team_wait<TEAM>(t, *n_arrived);
}

/* n / n_blocks; of many millions nearly so */
static __device__ __forceinline__ int in_blocks(const struct task &t, int n)
{
    return t.blocks_inverse ? divided(n, t.blocks_inverse) : n;
}

/* ---- the cells' lists ---- */

/* n / cell_size: n cell_size is at most SOM_MAX_SIDE SOM_MAX_CELL. */
static __device__ __forceinline__ int in_cells(const struct task &t, int n)
{
    return t.cell_inverse ? divided(n, t.cell_inverse) : n;
}

/* som_cell of both coordinates, without its divisions. */
static __device__ __forceinline__ int cell_at(const struct task &t, float2 at)
{
    const int x = at.x > 0 ? in_cells(t, (int)at.x) : 0,
              y = at.y > 0 ? in_cells(t, (int)at.y) : 0;

    return min(y, t.mesh.cell_rows - 1) * t.mesh.cell_cols + min(x, t.mesh.cell_cols - 1);
}

#define CELLS_A_THREAD 4

/* By one block: where lists begin, and what finds no room. */
template <enum team TEAM>
static __device__ __forceinline__ void
lay_out_lists(const struct task &t, const struct place &p, const struct member &me, int *sums,
              struct som_counts *counts)
{
    const int n_cells = t.mesh.n_cells;
    int before = 0;
    unsigned long long left_out = 0;

    /* a thread has some cells that follow each other, the block the next ones after that */
    for (int base = 0; base < n_cells; base += CELLS_A_THREAD * (int)blockDim.x) {
        const int begin = base + (int)threadIdx.x * CELLS_A_THREAD;
        int count[CELLS_A_THREAD], sum = 0, at;

#pragma unroll
        for (int k = 0; k < CELLS_A_THREAD; k++)
            count[k] = begin + k < n_cells ? load_counted<TEAM>(p.count + begin + k) : 0;
#pragma unroll
        for (int k = 0; k < CELLS_A_THREAD; k++)
            sum += min(count[k], t.capacity);
        at = before + sum_before(sum, sums);
#pragma unroll
        for (int k = 0; k < CELLS_A_THREAD; k++)
            if (begin + k < n_cells) {
                store_listed<TEAM>(p.short_first, p.first, begin + k, at);
                p.cursor[begin + k] = count[k] > t.capacity ? INT_MIN : at;
                p.count[begin + k] = 0;
                at += min(count[k], t.capacity);
                left_out += (unsigned long long)max(count[k] - t.capacity, 0);
            }
        if (threadIdx.x == blockDim.x - 1)
            sums[0] = at;
        __syncthreads();
        before = sums[0];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        store_listed<TEAM>(p.short_first, p.first, n_cells, before);
    if (left_out > 0 && me.block == 0)
        atomicAdd((unsigned long long *)&counts->left_out, left_out);

    const int any = __syncthreads_or(left_out > 0);

    if (threadIdx.x == 0)
        *p.n_full = any;
}

/* A barrier of those that make lists together: a block that has its own, or the team. */
template <enum team TEAM>
static __device__ __forceinline__ void lists_barrier(const struct task &t, unsigned *n_arrived)
{
    if (HAS_LISTS(TEAM))
        __syncthreads();
    else
        team_barrier<TEAM>(t, n_arrived);
}

/* The i-th id of those that follow each other n apart in a mesh's order: neighbours lie in one cell, whose counter takes one thread
 * at a time. */
static __device__ __forceinline__ int apart(int i, int n_ids)
{
    const int n = (n_ids + LANES - 1) / LANES;

    return i % LANES * n + i / LANES;
}

/* Of the neurons that a thread puts into lists, what it keeps from when it counted them: cell << 16 | place in the cell's list. */
#define KEPT(max_threads) ((max_threads) > FEW_THREADS ? 5 : 10)

/* The lists anew.  p.count is 0 before and after where it is not in shared memory, where it shares the room of the pulls. */
template <enum team TEAM, int MAX_THREADS>
static __device__ __forceinline__ void refresh(const struct task &t, const struct place &p,
                                               const struct member &me, int *sums,
                                               struct som_counts *counts, unsigned *n_arrived)
{
    const struct mesh &m = t.mesh;
    const int begin = HAS_LISTS(TEAM) ? (int)threadIdx.x : me.thread;
    const int step = HAS_LISTS(TEAM) ? (int)blockDim.x : me.n_threads;
    const int end = (m.n_neurons + LANES - 1) / LANES * LANES;
    const bool keeps = HAS_LISTS(TEAM) && end <= KEPT(MAX_THREADS) * step;
    unsigned kept[KEPT(MAX_THREADS)];

    if (HAS_LISTS(TEAM)) {
        for (int cell = begin; cell < m.n_cells; cell += step)
            p.count[cell] = 0;
        __syncthreads();
    }
    if (keeps) {
        float2 at[KEPT(MAX_THREADS)];

#pragma unroll
        for (int u = 0; u < KEPT(MAX_THREADS); u++) {
            const int i = begin + u * step, id = apart(i, m.n_neurons);

            at[u] =
                i < end && id < m.n_neurons ? load<TEAM>(p.position + id) : make_float2(-1, 0);
        }
#pragma unroll
        for (int u = 0; u < KEPT(MAX_THREADS); u++) {
            const int i = begin + u * step;

            kept[u] = ~0u;
            if (i < end && apart(i, m.n_neurons) < m.n_neurons) {
                const int cell = cell_at(t, at[u]), place = atomicAdd(&p.count[cell], 1);

                kept[u] = (unsigned)cell << 16 | (unsigned)place;
            }
        }
    } else {
        for (int i = begin; i < end; i += step) {
            const int id = apart(i, m.n_neurons);

            if (id < m.n_neurons)
                atomicAdd(&p.count[cell_at(t, load<TEAM>(p.position + id))], 1);
        }
    }
    lists_barrier<TEAM>(t, n_arrived);
    if (HAS_LISTS(TEAM) || me.block == 0)
        lay_out_lists<TEAM>(t, p, me, sums, counts);
    lists_barrier<TEAM>(t, n_arrived);
    if (keeps) {
#pragma unroll
        for (int u = 0; u < KEPT(MAX_THREADS); u++) {
            const int place = (int)(kept[u] & 0xFFFF), cell = (int)(kept[u] >> 16);

            if (kept[u] != ~0u && place < t.capacity)
                store_listed<TEAM>(p.short_list, p.list,
                                   load_listed<TEAM>(p.short_first, p.first, cell) + place,
                                   apart(begin + u * step, m.n_neurons));
        }
    } else {
        for (int i = begin; i < end; i += step) {
            const int id = apart(i, m.n_neurons);

            if (id < m.n_neurons) {
                const int place =
                    atomicAdd(&p.cursor[cell_at(t, load<TEAM>(p.position + id))], 1);

                if (place >= 0)
                    store_listed<TEAM>(p.short_list, p.list, place, id);
            }
        }
    }
    if (load<TEAM>(p.n_full)) { /* full lists have the smallest ids */
        lists_barrier<TEAM>(t, n_arrived);
        for (int cell = begin; cell < m.n_cells; cell += step) {
            int place = load_listed<TEAM>(p.short_first, p.first, cell);
            const int full = load_listed<TEAM>(p.short_first, p.first, cell + 1);

            if (load_counted<TEAM>(p.cursor + cell) >= 0)
                continue;
            for (int id = 0; place < full; id++)
                if (cell_at(t, load<TEAM>(p.position + id)) == cell)
                    store_listed<TEAM>(p.short_list, p.list, place++, id);
        }
    }
    team_barrier<TEAM>(t, n_arrived); /* others may write pulls to where the counts are */
}

/* ---- search: a warp for a data point, or for up to 32, a lane keeping the books of each ---- */

#define N_RANGES 4

/* Neurons to look through: of range k those numbered before end[k], at at[k] + number in the lists. */
struct ranges {
    int at[N_RANGES], end[N_RANGES];
};

/* The lists of cells from column x0 to x1 of row y, as far as there are such, after those before it. */
template <enum team TEAM>
static __device__ __forceinline__ void add_range(const struct mesh &m, const struct place &p,
                                                 int x0, int x1, int y, int k, struct ranges *r)
{
    const int before = k > 0 ? r->end[k > 0 ? k - 1 : 0] : 0;

    x0 = max(x0, 0);
    x1 = min(x1, m.cell_cols - 1);
    r->at[k] = 0;
    r->end[k] = before;
    if (y >= 0 && y < m.cell_rows && x0 <= x1) {
        const int first = load_listed<TEAM>(p.short_first, p.first, y * m.cell_cols + x0);

        r->at[k] = first - before;
        r->end[k] = before +
                    load_listed<TEAM>(p.short_first, p.first, y * m.cell_cols + x1 + 1) - first;
    }
}

/* Pass 0 .. ring - 1 (0 of ring 0) over the cells of a ring: first its ends and a row between them, then two rows each. */
template <enum team TEAM>
static __device__ __forceinline__ void find_ranges(const struct mesh &m, const struct place &p,
                                                   int cx, int cy, int ring, int pass,
                                                   struct ranges *r)
{
    const int y = cy - ring + 2 * pass;

    if (ring == 0) {
        add_range<TEAM>(m, p, cx, cx, cy, 0, r);
        return;
    }
    if (pass == 0) {
        add_range<TEAM>(m, p, cx - ring, cx + ring, y, 0, r);
        add_range<TEAM>(m, p, cx - ring, cx + ring, cy + ring, 1, r);
    } else {
        add_range<TEAM>(m, p, cx - ring, cx - ring, y, 0, r);
        add_range<TEAM>(m, p, cx + ring, cx + ring, y, 1, r);
    }
    add_range<TEAM>(m, p, cx - ring, cx - ring, y + 1, 2, r);
    add_range<TEAM>(m, p, cx + ring, cx + ring, y + 1, 3, r);
}

static __device__ __forceinline__ float2 point_of(uint32_t pixel)
{
    return make_float2((float)(pixel & PIXEL_MASK) + 0.5f, (float)(pixel >> PIXEL_BITS) + 0.5f);
}

/* (distance squared, id) as one word. */
static __device__ __forceinline__ unsigned long long word_of(float2 neuron, float2 point,
                                                             int id)
{
    const float square = som_square(neuron.x - point.x, neuron.y - point.y);

    return (unsigned long long)__float_as_uint(square) << 32 | (unsigned)id;
}

/* Where in the lists some neurons of a lane's share of the ranges are, and their ids; -1: none. */
template <int TOGETHER> struct listed {
    int at[TOGETHER], id[TOGETHER];
};

/* Those from 'base' on, a warp's width apart, of N ranges. */
template <enum team TEAM, int N, int TOGETHER>
static __device__ __forceinline__ void list_ids(const struct place &p, const struct ranges &r,
                                                int base, struct listed<TOGETHER> *listed)
{
#pragma unroll
    for (int u = 0; u < TOGETHER; u++) {
        const int i = base + u * LANES;
        int at = r.at[N - 1];

        for (int k = N - 2; k >= 0; k--)
            at = i < r.end[k] ? r.at[k] : at;
        listed->at[u] = at + i;
        listed->id[u] =
            i < r.end[N - 1] ? load_listed<TEAM>(p.short_list, p.list, listed->at[u]) : -1;
    }
}

/* The least of all and, where OWN, of those from own[0] to own[1] of the lists: the loads of all are under way together. */
template <enum team TEAM, int TOGETHER, bool OWN>
static __device__ __forceinline__ void
weigh(const struct place &p, const struct listed<TOGETHER> &listed, const int own[2],
      float2 point, unsigned long long *least, unsigned long long *least_own)
{
    float2 neuron[TOGETHER];

#pragma unroll
    for (int u = 0; u < TOGETHER; u++)
        neuron[u] =
            listed.id[u] >= 0 ? load<TEAM>(p.position + listed.id[u]) : make_float2(0, 0);
#pragma unroll
    for (int u = 0; u < TOGETHER; u++) {
        const unsigned long long word =
            listed.id[u] >= 0 ? word_of(neuron[u], point, listed.id[u]) : ~0ull;

        *least = word < *least ? word : *least;
        if (OWN && listed.at[u] >= own[0] && listed.at[u] < own[1])
            *least_own = word < *least_own ? word : *least_own;
    }
}

/* Of this lane's share of N ranges, from 'begin' on. */
template <enum team TEAM, int N, int TOGETHER, bool OWN>
static __device__ __forceinline__ void
scan(const struct place &p, const struct ranges &r, const int own[2], float2 point, int begin,
     unsigned long long *least, unsigned long long *least_own)
{
    for (int base = begin; base < r.end[N - 1]; base += TOGETHER * LANES) {
        struct listed<TOGETHER> listed;

        list_ids<TEAM, N, TOGETHER>(p, r, base, &listed);
        weigh<TEAM, TOGETHER, OWN>(p, listed, own, point, least, least_own);
    }
}

/* The id in the least word of all lanes, whose upper half is 'square'. */
static __device__ __forceinline__ unsigned id_of(unsigned long long least, unsigned square)
{
    return warp_min((unsigned)(least >> 32) == square ? (unsigned)least : ~0u);
}

static __device__ __forceinline__ bool goes_to(const struct mesh &m, float2 point, int cx,
                                               int cy, int ring, unsigned square)
{
    return square == ~0u || !(som_ring_square(point.x, point.y, cx, cy, m.cell_size, ring) >
                              __uint_as_float(square));
}

/* What a lane knows of up to 32 ranges: its own one, and how many neurons those up to it have. */
struct lane_range {
    int at, end;
};

/* Range k of the 4 ring of a ring around (cx, cy): 0 is its upper row, 1 the lower one, two each the ends of a row between them. */
template <enum team TEAM>
static __device__ __forceinline__ struct lane_range find_ring(const struct mesh &m,
                                                              const struct place &p, int cx,
                                                              int cy, int ring, int k, int lane)
{
    const int y = k < 2 ? cy + (k ? ring : -ring) : cy - ring + k / 2;
    const int x0 = max(cx + (k >= 2 && k & 1 ? ring : -ring), 0);
    const int x1 = min(cx + (k < 2 || k & 1 ? ring : -ring), m.cell_cols - 1);
    struct lane_range r = {0, 0};
    int n = 0;

    if (k < 4 * ring && y >= 0 && y < m.cell_rows && x0 <= x1) {
        r.at = load_listed<TEAM>(p.short_first, p.first, y * m.cell_cols + x0);
        n = load_listed<TEAM>(p.short_first, p.first, y * m.cell_cols + x1 + 1) - r.at;
    }
    r.end = n;
    for (int distance = 1; distance < LANES; distance *= 2) {
        const int other = __shfl_up_sync(ALL_LANES, r.end, distance);

        r.end += lane >= distance ? other : 0;
    }
    r.at -= r.end - n;
    return r;
}

/* Of this lane's share of the neurons in the lanes' ranges the least, as scan() has it. */
template <enum team TEAM, int TOGETHER>
static __device__ __forceinline__ void scan_ring(const struct place &p, struct lane_range r,
                                                 float2 point, int lane,
                                                 unsigned long long *least)
{
    const int own[2] = {0, 0}, n = __shfl_sync(ALL_LANES, r.end, LANES - 1);
    unsigned long long nothing = ~0ull;

    for (int base = 0; base < n; base += TOGETHER * LANES) {
        struct listed<TOGETHER> listed;
        int range[TOGETHER]; /* how many end before */

#pragma unroll
        for (int u = 0; u < TOGETHER; u++)
            range[u] = 0;
        for (int half = LANES / 2; half > 0; half /= 2)
#pragma unroll
            for (int u = 0; u < TOGETHER; u++) {
                const int end = __shfl_sync(ALL_LANES, r.end, range[u] + half - 1);

                range[u] += end <= base + u * LANES + lane ? half : 0;
            }
#pragma unroll
        for (int u = 0; u < TOGETHER; u++) {
            const int i = base + u * LANES + lane;

            listed.at[u] = __shfl_sync(ALL_LANES, r.at, range[u]) + i;
            listed.id[u] = i < n ? load_listed<TEAM>(p.short_list, p.list, listed.at[u]) : -1;
        }
        weigh<TEAM, TOGETHER, false>(p, listed, own, point, least, &nothing);
    }
}

#define ALONE_TOGETHER 4 /* neurons of a lane under way */

/* Of all lanes for one point, what hangs on the lists and on no neuron. */
struct aim {
    uint32_t pixel;
    int own[2];      /* of the lists: the point's own cell */
    struct ranges r; /* and it and those around, in three rows */
    struct listed<ALONE_TOGETHER> first;
};

template <enum team TEAM>
static __device__ __forceinline__ void aim_at(const struct task &t, const struct place &p,
                                              uint32_t pixel, int lane, struct aim *aim)
{
    const struct mesh &m = t.mesh;
    const int cx = in_cells(t, (int)(pixel & PIXEL_MASK));
    const int cy = in_cells(t, (int)(pixel >> PIXEL_BITS));
    const int cell = cy * m.cell_cols + cx, aside = min(m.last_ring, 1);

    aim->pixel = pixel;
    aim->own[0] = load_listed<TEAM>(p.short_first, p.first, cell);
    aim->own[1] = load_listed<TEAM>(p.short_first, p.first, cell + 1);
    for (int k = 0; k < 3; k++)
        add_range<TEAM>(m, p, cx - aside, cx + aside,
                        aside    ? cy + k - 1
                        : k == 1 ? cy
                                 : -1,
                        k, &aim->r);
    list_ids<TEAM, 3, ALONE_TOGETHER>(p, aim->r, lane, &aim->first);
}

/* All lanes for one point: the cells around it are looked through together with its own, and left out of account if the search
 * would not have gone there.  -1: no neuron. */
template <enum team TEAM>
static __device__ __forceinline__ int search_alone(const struct task &t, const struct place &p,
                                                   const struct aim &aim, int lane)
{
    const struct mesh &m = t.mesh;
    const int cx = in_cells(t, (int)(aim.pixel & PIXEL_MASK));
    const int cy = in_cells(t, (int)(aim.pixel >> PIXEL_BITS));
    const float2 point = point_of(aim.pixel);
    unsigned long long least = ~0ull, least_own = ~0ull;
    unsigned square;

    weigh<TEAM, ALONE_TOGETHER, true>(p, aim.first, aim.own, point, &least, &least_own);
    scan<TEAM, 3, ALONE_TOGETHER, true>(p, aim.r, aim.own, point, lane + ALONE_TOGETHER * LANES,
                                        &least, &least_own);
    square = warp_min((unsigned)(least_own >> 32));
    if (m.last_ring == 0 || !goes_to(m, point, cx, cy, 1, square))
        return (int)id_of(least_own, square);
    square = warp_min((unsigned)(least >> 32));
    for (int ring = 2; ring <= m.last_ring && goes_to(m, point, cx, cy, ring, square); ring++) {
        for (int k = 0; k < 4 * ring; k += LANES)
            scan_ring<TEAM, 2>(p, find_ring<TEAM>(m, p, cx, cy, ring, k + lane, lane), point,
                               lane, &least);
        square = warp_min((unsigned)(least >> 32));
    }
    return (int)id_of(least, square);
}

/* All lanes: the least word over the N ranges of lane 'owner'. */
template <enum team TEAM, int N, int TOGETHER>
static __device__ __forceinline__ unsigned long long
look_through(const struct place &p, const struct ranges &owners, uint32_t pixel, int owner,
             int lane)
{
    const float2 point = point_of(__shfl_sync(ALL_LANES, pixel, owner));
    const int own[2] = {0, 0};
    unsigned long long least = ~0ull, nothing = ~0ull;
    struct ranges r;

    for (int k = 0; k < N; k++) {
        r.at[k] = __shfl_sync(ALL_LANES, owners.at[k], owner);
        r.end[k] = __shfl_sync(ALL_LANES, owners.end[k], owner);
    }
    scan<TEAM, N, TOGETHER, false>(p, r, own, point, lane, &least, &nothing);

    const unsigned square = warp_min((unsigned)(least >> 32));

    return (unsigned long long)square << 32 | id_of(least, square);
}

/* Of each lane that has a point: its nearest neuron, the smallest id among equals; -1: none. */
template <enum team TEAM>
static __device__ __forceinline__ int search_each(const struct task &t, const struct place &p,
                                                  bool has, uint32_t pixel, int lane)
{
    const struct mesh &m = t.mesh;
    const int cx = in_cells(t, (int)(pixel & PIXEL_MASK));
    const int cy = in_cells(t, (int)(pixel >> PIXEL_BITS));
    const float2 point = point_of(pixel);
    unsigned long long least = ~0ull;

    for (int ring = 0; ring <= m.last_ring; ring++) {
        const bool goes_on =
            has && (ring == 0 || goes_to(m, point, cx, cy, ring, (unsigned)(least >> 32)));
        const unsigned searching = __ballot_sync(ALL_LANES, goes_on);

        if (!searching)
            break;
        for (int pass = 0; pass == 0 || pass < ring; pass++) {
            struct ranges r = {{0, 0, 0, 0}, {0, 0, 0, 0}};

            if (goes_on)
                find_ranges<TEAM>(m, p, cx, cy, ring, pass, &r);
            for (unsigned left = searching; left; left &= left - 1) {
                const int owner = __ffs((int)left) - 1;
                unsigned long long found;

                if (ring == 0)
                    found = look_through<TEAM, 1, 1>(p, r, pixel, owner, lane);
                else
                    found = look_through<TEAM, N_RANGES, 2>(p, r, pixel, owner, lane);
                if (lane == owner)
                    least = found < least ? found : least;
            }
        }
    }
    return least == ~0ull ? -1 : (int)(unsigned)least;
}

/* ---- learning: a warp a tile of neurons ---- */

/* Neurons from (x0, y0) to (x1, y1). */
struct box {
    int x0, y0, x1, y1;
};

/* Whether a pull may reach a neuron of the box: none of those that do is left out. */
static __device__ __forceinline__ bool may_reach(const struct box &box, int at, int radius)
{
    const int x = at & 0xFFFF, y = at >> 16;
    const int dx = max(max(box.x0 - x, x - box.x1), 0);
    const int dy = max(max(box.y0 - y, y - box.y1), 0);

    /* dy links lead to another row and, on the way, at most (dy + 1) / 2 columns aside */
    return dy <= radius && dx + dy / 2 <= radius;
}

/* What a lane keeps of a tile. */
template <int PER_LANE> struct tile {
    float2 at[PER_LANE];
    int place;   /* of the first in the table of rates, from its middle */
    int between; /* and from one to the next */
};

/* A lane's neurons of a tile, the first in column x and row y; those out of the mesh are at (0, 0), and store_tile leaves them out. */
template <enum team TEAM, int PER_LANE>
static __device__ __forceinline__ void load_tile(const struct task &t, const float2 *position,
                                                 int x, int y, int radius,
                                                 struct tile<PER_LANE> *tile)
{
    const struct mesh &m = t.mesh;

    tile->place = rate_place(x, y, t.pitch) + middle_of_rates(t, radius, PER_LANE);
    tile->between =
        TILE_ROWS * t.pitch - TILE_ROWS / 2; /* rate_place, of an even number of rows */
    for (int k = 0; k < PER_LANE; k++) {
        const int row = y + TILE_ROWS * k;

        tile->at[k] = make_float2(0, 0);
        if (x < m.grid_cols && row < m.grid_rows)
            tile->at[k] = load<TEAM>(position + row * m.grid_cols + x);
    }
}

template <int PER_LANE>
static __device__ __forceinline__ void store_tile(const struct mesh &m, float2 *moved, int x,
                                                  int y, const struct tile<PER_LANE> &tile)
{
    for (int k = 0; k < PER_LANE; k++) {
        const int row = y + TILE_ROWS * k;

        if (x < m.grid_cols && row < m.grid_rows)
            moved[row * m.grid_cols + x] = tile.at[k];
    }
}

/* A pull on a tile. */
template <int PER_LANE> struct step {
    float2 point;
    float rate[PER_LANE];
};

template <int PER_LANE>
static __device__ __forceinline__ void look_up(const struct tile<PER_LANE> &tile,
                                               const struct pull &pull, const float *rates,
                                               struct step<PER_LANE> *step)
{
    step->point = make_float2(pull.x, pull.y);
    for (int k = 0; k < PER_LANE; k++)
        step->rate[k] = rates[tile.place - pull.place + k * tile.between];
}

/* The pulls of 'mask' from 'pulls' on, in their order. */
template <int PER_LANE>
static __device__ __forceinline__ void
apply(struct tile<PER_LANE> *tile, const struct pull *pulls, unsigned mask, const float *rates)
{
    for (; mask; mask &= mask - 1) {
        struct step<PER_LANE> step;

        look_up(*tile, pulls[__ffs((int)mask) - 1], rates, &step);
        for (int k = 0; k < PER_LANE; k++)
            tile->at[k] = pulled(tile->at[k], step.point, step.rate[k]);
    }
}

/* The pulls, in their order, on the neurons of a tile that begins at (x0, y0), if there are any. */
template <enum team TEAM, int PER_LANE>
static __device__ __forceinline__ void pull_tile(const struct task &t, float2 *position, int x0,
                                                 int y0, const struct pull *pulls, int n_pulls,
                                                 const float *rates, int radius, int lane)
{
    const struct box box = {x0, y0, x0 + TILE_COLS - 1, y0 + TILE_ROWS * PER_LANE - 1};
    const int x = x0 + lane % TILE_COLS, y = y0 + lane / TILE_COLS;
    struct tile<PER_LANE> tile;
    bool loaded = false;

    for (int begin = 0; begin < n_pulls; begin += LANES) {
        const int i = begin + lane;
        const unsigned mask =
            __ballot_sync(ALL_LANES, i < n_pulls && may_reach(box, pulls[i].at, radius));

        if (mask && !loaded) {
            load_tile<TEAM, PER_LANE>(t, position, x, y, radius, &tile);
            loaded = true;
        }
        apply(&tile, pulls + begin, mask, rates);
    }
    if (loaded)
        store_tile<PER_LANE>(t.mesh, position, x, y, tile);
}

/* Of n pulls (at least one) those from number i on; behind the last one, that one with rates of 0. */
template <int PER_LANE, int AHEAD>
static __device__ __forceinline__ void
look_up_some(const struct tile<PER_LANE> &tile, const struct pull *pulls, int n, int i,
             const float *rates, struct step<PER_LANE> step[AHEAD])
{
    struct pull pull[AHEAD];

#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        pull[u] = pulls[min(i + u, n - 1)];
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
        look_up(tile, pull[u], rates, &step[u]);
        for (int k = 0; k < PER_LANE; k++)
            step[u].rate[k] = i + u < n ? step[u].rate[k] : 0;
    }
}

/* n pulls (at least one), in their order; while some are applied the next ones are looked up. */
template <int PER_LANE, int AHEAD>
static __device__ __forceinline__ void
apply_all(struct tile<PER_LANE> *tile, const struct pull *pulls, int n, const float *rates)
{
    struct step<PER_LANE> next[AHEAD];

    look_up_some<PER_LANE, AHEAD>(*tile, pulls, n, 0, rates, next);
#pragma unroll 1 /* or registers run out */
    for (int i = 0; i < n; i += AHEAD) {
        struct step<PER_LANE> now[AHEAD];

#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            now[u] = next[u];
        if (i + AHEAD < n)
            look_up_some<PER_LANE, AHEAD>(*tile, pulls, n, i + AHEAD, rates, next);
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            for (int k = 0; k < PER_LANE; k++)
                tile->at[k] = pulled(tile->at[k], now[u].point, now[u].rate[k]);
    }
}

/* As pull_tile, position -> moved, where few warps share a processor and wait: a lane has some pulls to look at, MASKS of them under
 * way together, and those that may reach the tile are put in 'picked' [LANES], of this warp alone, one after the other. */
template <enum team TEAM, int PER_LANE, int AHEAD>
static __device__ __forceinline__ void
pick_and_pull(const struct task &t, const float2 *position, float2 *moved, int x0, int y0,
              const struct pull *pulls, int n_pulls, const float *rates, int radius,
              struct pull *picked, int lane)
{
    constexpr int MASKS = AHEAD > 1 ? 4 : 2;
    const struct box box = {x0, y0, x0 + TILE_COLS - 1, y0 + TILE_ROWS * PER_LANE - 1};
    const int x = x0 + lane % TILE_COLS, y = y0 + lane / TILE_COLS;
    struct tile<PER_LANE> tile;
    bool loaded = false;

    for (int begin = 0; begin < n_pulls; begin += MASKS * LANES) {
        int4 word[MASKS]; /* a pull */
        unsigned mask[MASKS];
        int n = 0;

#pragma unroll
        for (int u = 0; u < MASKS; u++) {
            const int i = begin + u * LANES + lane;

            word[u] = make_int4(0, 0, NOWHERE, 0);
            if (i < n_pulls)
                word[u] = *(const int4 *)(pulls + i);
        }
#pragma unroll
        for (int u = 0; u < MASKS; u++) {
            mask[u] = __ballot_sync(ALL_LANES, may_reach(box, word[u].z, radius));
            n += __popc(mask[u]);
        }
        if (n > 0 && !loaded) {
            load_tile<TEAM, PER_LANE>(t, position, x, y, radius, &tile);
            loaded = true;
        }
        for (int done = 0; done < n; done += LANES) {
            int before = -done;

#pragma unroll
            for (int u = 0; u < MASKS; u++) {
                const int place = before + __popc(mask[u] & ((1u << lane) - 1));

                if ((mask[u] >> lane & 1) && place >= 0 && place < LANES)
                    ((int4 *)picked)[place] = word[u];
                before += __popc(mask[u]);
            }
            __syncwarp();
            apply_all<PER_LANE, AHEAD>(&tile, picked, min(n - done, LANES), rates);
            __syncwarp();
        }
    }
    if (loaded)
        store_tile<PER_LANE>(t.mesh, moved, x, y, tile);
}

#define MAX_STRIP    5 /* tiles of a row; a register of each lane has the pulls of one */
#define OUT_OF_REACH (-(1 << 20)) /* far more columns than a mesh has: see 'least' */

/* As pull_tile, of tiles in two rows, which begin at y0[0] and y0[1]: up to MAX_STRIP of each, 'apart' columns apart from x0 on.  A
 * pull is loaded once for all of them.  words[k] of lane i is the mask of those of the pulls 32 i to 32 i + 31 that may reach tile
 * k: of 1024 pulls at a time. */
template <enum team TEAM, int PER_LANE>
static __device__ __forceinline__ void
pull_strips(const struct task &t, float2 *position, int x0, const int y0[2], int apart,
            const struct pull *pulls, int n_pulls, const float *rates, int radius, int lane)
{
    const struct mesh &m = t.mesh;

    for (int base = 0; base < n_pulls; base += LANES * LANES, pulls += LANES * LANES) {
        const int n = min(n_pulls - base, LANES * LANES);
        unsigned words[2 * MAX_STRIP];

#pragma unroll
        for (int k = 0; k < 2 * MAX_STRIP; k++)
            words[k] = 0;
        for (int i = lane, word = 0; word * LANES < n; i += LANES, word++) {
            const int at = i < n ? pulls[i].at : NOWHERE;

#pragma unroll
            for (int row = 0; row < 2; row++) {
                /* as may_reach has it: tiles that begin up to 'least' columns behind x0 and at most 'width' before that; out
                 * of reach both are negative, and any column of a mesh less than 'least' is above 'width', with a sign or not */
                const int y = at >> 16, y1 = y0[row] + TILE_ROWS * PER_LANE - 1;
                const int dy = max(max(y0[row] - y, y - y1), 0);
                const int aside = dy <= radius ? radius - dy / 2 : OUT_OF_REACH;
                const int least = (at & 0xFFFF) - x0 + aside;
                const unsigned width = (unsigned)(2 * aside + TILE_COLS - 1);

#pragma unroll
                for (int k = 0; k < MAX_STRIP; k++) {
                    const unsigned mask =
                        __ballot_sync(ALL_LANES, (unsigned)(least - k * apart) <= width);

                    words[row * MAX_STRIP + k] =
                        lane == word ? mask : words[row * MAX_STRIP + k];
                }
            }
        }
        for (int k = 0, x = x0, y = y0[0]; k < 2 * MAX_STRIP; k++, x += apart) {
            const unsigned mine = words[0];
            unsigned left = __ballot_sync(ALL_LANES, mine != 0);
            struct tile<PER_LANE> tile;

            /* the next tile's to the front: registers have no index */
#pragma unroll
            for (int u = 1; u < 2 * MAX_STRIP; u++)
                words[u - 1] = words[u];
            if (k == MAX_STRIP) {
                x = x0;
                y = y0[1];
            }
            if (!left || x >= m.grid_cols || y >= m.grid_rows)
                continue;
            load_tile<TEAM, PER_LANE>(t, position, x + lane % TILE_COLS, y + lane / TILE_COLS,
                                      radius, &tile);
            for (; left; left &= left - 1) {
                const int word = __ffs((int)left) - 1;

                apply(&tile, pulls + word * LANES, __shfl_sync(ALL_LANES, mine, word), rates);
            }
            store_tile<PER_LANE>(m, position, x + lane % TILE_COLS, y + lane / TILE_COLS, tile);
        }
    }
}

/* Tiles of the mesh, by columns and rows of tiles. */
struct region {
    int col, row, n_cols, n_rows;
};

/* A block's region and of it a warp's tiles: the first, and how far it is to the next. */
struct share {
    struct region region; /* n_rows is 0 where there are more blocks than regions */
    int col, row, cols, rows;
};

template <enum team TEAM>
static __device__ __forceinline__ struct share share_of(const struct task &t,
                                                        const struct member &me)
{
    struct share share = {{0, 0, t.tiles_across, t.tiles_down}, 0, 0, 0, 0};
    struct region &region = share.region;

    if (!ALONE(TEAM)) {
        region.col = me.block % t.regions_across * t.region_cols;
        region.row = me.block / t.regions_across * t.region_rows;
        region.n_cols = min(t.region_cols, t.tiles_across - region.col);
        region.n_rows = max(min(t.region_rows, t.tiles_down - region.row), 0);
    }
    share.col = me.warp % region.n_cols;
    share.row = me.warp / region.n_cols;
    share.cols = me.n_warps % region.n_cols;
    share.rows = me.n_warps / region.n_cols;
    return share;
}

template <enum team TEAM, int PER_LANE, int AHEAD>
static __device__ __forceinline__ void
pull_tiles(const struct task &t, const struct place &p, const struct share &share,
           const struct pull *pulls, int n_pulls, const float *rates, int radius, int lane)
{
    const struct region &region = share.region;

    for (int col = share.col, row = share.row; row < region.n_rows;) {
        const int x0 = (region.col + col) * TILE_COLS;
        const int y0 = (region.row + row) * TILE_ROWS * PER_LANE;

        if (ALONE(TEAM))
            pull_tile<TEAM, PER_LANE>(t, p.position, x0, y0, pulls, n_pulls, rates, radius,
                                      lane);
        else
            pick_and_pull<TEAM, PER_LANE, AHEAD>(t, p.position, p.moved, x0, y0, pulls, n_pulls,
                                                 rates, radius, p.picked, lane);
        col += share.cols;
        row += share.rows;
        if (col >= region.n_cols) {
            col -= region.n_cols;
            row++;
        }
    }
}

/* Of the n_pulls from 'pulls' on (at most PULLS_A_THREAD of each thread), those that may reach the box, in their order -> near.
 * 'sums' [PULLS_A_THREAD * MAX_WARPS].  Returns how many; every thread of the block comes here. */
template <enum team TEAM>
static __device__ __forceinline__ int pick_near(const struct member &me, const struct box &box,
                                                const struct pull *pulls, int n_pulls,
                                                int radius, struct pull *near, int *sums)
{
    int4 word[PULLS_A_THREAD]; /* a pull */
    unsigned mask[PULLS_A_THREAD];
    int n_near = 0;

    for (int k = 0; k < PULLS_A_THREAD; k++) {
        const int i = k * (int)blockDim.x + (int)threadIdx.x;

        word[k] = make_int4(0, 0, NOWHERE, 0);
        if (i < n_pulls)
            word[k] = load<TEAM>((const int4 *)(pulls + i));
    }
    for (int k = 0; k < PULLS_A_THREAD; k++) {
        mask[k] = __ballot_sync(ALL_LANES, may_reach(box, word[k].z, radius));
        if (me.lane == 0)
            sums[k * MAX_WARPS + me.warp] = __popc(mask[k]);
    }
    __syncthreads();
    for (int k = 0; k < PULLS_A_THREAD; k++) {
        const int n = me.lane < me.n_warps ? sums[k * MAX_WARPS + me.lane] : 0;
        const int before = n_near + warp_sum(me.lane < me.warp ? n : 0);

        if (mask[k] >> me.lane & 1)
            ((int4 *)near)[before + __popc(mask[k] & ((1u << me.lane) - 1))] = word[k];
        n_near += warp_sum(n);
    }
    __syncthreads();
    return n_near;
}

template <enum team TEAM, int PER_LANE, int AHEAD, bool STRIPS>
static __device__ __forceinline__ void learn(const struct task &t, const struct place &p,
                                             const struct member &me, const struct share &share,
                                             int n_pulls, const float *rates, int radius,
                                             struct pull *near, int *sums)
{
    const int segment = PULLS_A_THREAD * (int)blockDim.x;
    const struct region &region = share.region;
    struct box box;

    if (STRIPS) {
        /* the least of what is the same in all lanes: so that the compiler knows it to be, and the warp to stay together */
        const int n = (int)warp_min((unsigned)n_pulls);
        const int across = t.strips_across, half = (t.tiles_down + 1) / 2;

        /* the first row goes with the last, since pulls grow fewer towards one side of a map, and neighbours to different warps */
        for (int k = (int)warp_min((unsigned)me.warp); k < across * half; k += me.n_warps) {
            const int row = k / across, last = t.tiles_down - 1 - row;
            /* strips of a column may have a tile less: not all to the same scheduler */
            const int col = (k + row) % across;
            const int y0[2] = {row * TILE_ROWS * PER_LANE,
                               (last > row ? last : t.tiles_down) * TILE_ROWS * PER_LANE};

            pull_strips<TEAM, PER_LANE>(t, p.position, col * TILE_COLS, y0, across * TILE_COLS,
                                        p.pulls, n, rates, radius, me.lane);
        }
        return;
    }
    if (HAS_MESH(TEAM)) {
        pull_tiles<TEAM, PER_LANE, AHEAD>(t, p, share, p.pulls, n_pulls, rates, radius,
                                          me.lane);
        return;
    }
    if (region.n_rows == 0)
        return;
    box.x0 = region.col * TILE_COLS;
    box.y0 = region.row * TILE_ROWS * PER_LANE;
    box.x1 = (region.col + region.n_cols) * TILE_COLS - 1;
    box.y1 = (region.row + region.n_rows) * TILE_ROWS * PER_LANE - 1;
    for (int base = 0; base < n_pulls; base += segment) {
        int n_near;

        if (base > 0)
            __syncthreads();
        n_near = pick_near<TEAM>(me, box, p.pulls + base, min(n_pulls - base, segment), radius,
                                 near, sums);
        pull_tiles<TEAM, PER_LANE, AHEAD>(t, p, share, near, n_near, rates, radius, me.lane);
    }
}

/* ---- all rounds ---- */

/* Bytes of dynamic shared memory: pulls (or those near the region), those picked by each warp, positions, rates, where lists begin,
 * and lists. */
static inline __host__ __device__ size_t shared_pulls(enum team team, int n_cells,
                                                      int n_threads)
{
    return (HAS_MESH(team) ? (size_t)n_cells : PULLS_A_THREAD * (size_t)n_threads) *
           sizeof(struct pull);
}

static inline __host__ __device__ size_t shared_picked(enum team team, int n_threads)
{
    return ALONE(team) ? 0 : (size_t)n_threads * sizeof(struct pull);
}

static inline __host__ __device__ size_t shared_positions(enum team team, int n_neurons)
{
    const size_t n = team == TEAM_CLUSTER ? passed_pitch(n_neurons) : (size_t)n_neurons;

    return HAS_MESH(team) ? n * sizeof(float2) : 0;
}

static inline __host__ __device__ size_t shared_rates(enum team team, int max_radius)
{
    const int per_lane = ALONE(team) ? 2 : 1;

    return (size_t)rates_rows(max_radius, per_lane) *
           (size_t)rates_pitch(max_radius, per_lane) * sizeof(float);
}

static inline __host__ __device__ size_t shared_lists(enum team team, int n_cells,
                                                      int n_neurons)
{
    const size_t n = (size_t)n_cells + 1 + (size_t)n_neurons;

    return HAS_LISTS(team) ? sizeof(int) + n * sizeof(unsigned short) : 0;
}

template <enum team TEAM>
static __device__ __forceinline__ struct place place_of(const struct task &t, size_t map,
                                                        char *pulls, char *picked,
                                                        char *positions, char *lists)
{
    const size_t n_cells = (size_t)t.mesh.n_cells, n_neurons = (size_t)t.mesh.n_neurons;
    struct place p;

    p.list = t.list + map * n_neurons;
    p.picked = (struct pull *)picked + (int)threadIdx.x / LANES * LANES;
    p.first = NULL;
    p.short_first = (unsigned short *)(lists + sizeof(int));
    p.short_list = p.short_first + n_cells + 1;
    if (HAS_LISTS(TEAM)) {
        p.count = (int *)pulls;
        p.cursor = p.count + n_cells + 1;
        p.n_full = (int *)lists;
    } else {
        p.first = t.first + map * (n_cells + 1);
        p.cursor = t.cursor + map * (n_cells + 1);
        p.count = t.count + map * (n_cells + 1);
        p.n_full = t.n_full + map;
    }
    p.pulls = HAS_MESH(TEAM) ? (struct pull *)pulls : t.pulls + map * n_cells;
    p.position = HAS_MESH(TEAM) ? (float2 *)positions : t.position + map * n_neurons;
    p.moved =
        TEAM == TEAM_CLUSTER ? t.passed + map * passed_pitch(t.mesh.n_neurons) : p.position;
    return p;
}

/* Of sm 90 each block has a part of the mesh read for all of its cluster; cards after it are said to be slow at that. */
#define FOR_ALL (HAS_CLUSTERS && __CUDA_ARCH__ < 1000)

/* From L2 into the shared memory of each block of a cluster.  Every thread comes here, behind a barrier of the cluster, and awaits what
 * comes. */
static __device__ __forceinline__ void copy_mesh(const struct task &t, const float2 *from,
                                                 float2 *to, int block, struct inbox *inbox)
{
#if HAS_CLUSTERS
    const unsigned n_bytes = (unsigned)(passed_pitch(t.mesh.n_neurons) * sizeof *to);
    const unsigned n_parts = FOR_ALL ? (unsigned)t.n_blocks : 1;
    const unsigned part = (n_bytes / 16 + n_parts - 1) / n_parts * 16;
    const unsigned begin = FOR_ALL ? part * (unsigned)block : 0;

    if (threadIdx.x > 0)
        return;
    /* it is written by stores and read by the copying engine */
    asm volatile("fence.proxy.async;" : : : "memory");
    expect(inbox, n_bytes);
    if (begin >= n_bytes)
        return;
#if FOR_ALL
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                 "multicast::cluster [%0], [%1], %2, [%3], %4;"
                 :
                 : "r"(shared_address(to) + begin), "l"((const char *)from + begin),
                   "r"(min(part, n_bytes - begin)), "r"(shared_address(inbox)),
                   "h"((unsigned short)((1u << t.n_blocks) - 1))
                 : "memory");
#else
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
        "%2, [%3];"
        :
        : "r"(shared_address(to)), "l"(from), "r"(n_bytes), "r"(shared_address(inbox))
        : "memory");
#endif
#else
    (void)block, (void)inbox;
    for (int id = (int)threadIdx.x; id < t.mesh.n_neurons; id += (int)blockDim.x)
        to[id] = from[id];
#endif
}

/* What the search for a point has come to. */
static __device__ __forceinline__ struct pull pull_of(const struct task &t, uint32_t pixel,
                                                      int id)
{
    const int y = t.grid_inverse ? divided(id, t.grid_inverse) : id / t.mesh.grid_cols;
    const int x = id - y * t.mesh.grid_cols;
    const float2 point = point_of(pixel);
    struct pull pull;

    pull.x = point.x;
    pull.y = point.y;
    pull.at = id >= 0 ? y << 16 | x : NOWHERE;
    pull.place = id >= 0 ? rate_place(x, y, t.pitch) : 0;
    return pull;
}

/* The clock since the last call, on top of a part's; for a thread that looks.  A card may read its clock before its warp has waited at
 * the barrier ahead of it (Hopper does), but not before a word from shared memory is here: 'rate', which is not negative. */
static __device__ __forceinline__ void note_part(bool looks, const float *rate, long long *last,
                                                 uint32_t *clocks)
{
    if (looks && *(const volatile float *)rate >= 0) {
        const long long now = clock64();

        *clocks += (uint32_t)(now - *last);
        *last = now;
    }
}

/* STRIPS: a block that is alone has many tiles for a warp, which looks at several together. */
template <enum team TEAM, int MAX_THREADS, bool STRIPS>
static __global__ void __launch_bounds__(MAX_THREADS) run_rounds_kernel(struct task t)
{
    /* neurons of a tile that a lane has, pulls that are looked up together */
    constexpr int PER_LANE = ALONE(TEAM) ? 2 : 1;
    constexpr int AHEAD = MAX_THREADS > FEW_THREADS ? 1 : 4;
    extern __shared__ __align__(16) char shared[];
    __shared__ float by_links[SOM_MAX_SIGMA + 1];
    __shared__ int sums[PULLS_A_THREAD * MAX_WARPS];
    __shared__ struct inbox pulls_come, mesh_comes;
    const struct mesh &m = t.mesh;
    const size_t map = (size_t)((int)blockIdx.x / t.n_blocks);
    char *const picked = shared + shared_pulls(TEAM, m.n_cells, (int)blockDim.x);
    char *const positions = picked + shared_picked(TEAM, (int)blockDim.x);
    float *const rates = (float *)(positions + shared_positions(TEAM, m.n_neurons));
    const struct place p = place_of<TEAM>(t, map, shared, picked, positions,
                                          (char *)rates + shared_rates(TEAM, t.max_radius));
    const uint32_t *drawn = t.drawn + map * (size_t)t.n_rounds * (size_t)m.n_cells;
    const int *const n_drawn = t.n_drawn + map * (size_t)t.n_rounds;
    struct som_counts *const counts = t.counts + map;
    const bool looks = t.clocks && blockIdx.x == 0 && threadIdx.x == 0;
    uint32_t clocks[N_PARTS] = {0, 0, 0};
    long long last = looks ? clock64() : 0;
    unsigned n_arrived = 0, n_found = 0, n_missed = 0;
    struct member me;

    me.block = (int)blockIdx.x % t.n_blocks;
    me.thread = me.block * (int)blockDim.x + (int)threadIdx.x;
    me.n_threads = t.n_blocks * (int)blockDim.x;
    me.lane = (int)threadIdx.x % LANES;
    me.warp = (int)threadIdx.x / LANES;
    me.n_warps = (int)blockDim.x / LANES;

    const struct share share = share_of<TEAM>(t, me);
    const int n_searchers = me.n_warps * t.n_blocks;
    const int mine = me.warp * t.n_blocks + me.block + me.lane * n_searchers; /* point */

    if (TEAM == TEAM_CLUSTER) {
        for (int id = me.thread; id < (int)passed_pitch(m.n_neurons); id += me.n_threads)
            p.moved[id] =
                t.position[map * (size_t)m.n_neurons + (size_t)min(id, m.n_neurons - 1)];
        if (threadIdx.x == 0) {
            make_inbox(&pulls_come);
            make_inbox(&mesh_comes);
        }
    }
    if (HAS_MESH(TEAM)) {
#pragma unroll 1
        for (int id = (int)threadIdx.x; id < m.n_neurons; id += (int)blockDim.x)
            p.position[id] = t.position[map * (size_t)m.n_neurons + (size_t)id];
        if (!HAS_LISTS(TEAM))
            for (int cell = me.thread; cell < m.n_cells; cell += me.n_threads)
                p.count[cell] = 0;
        team_barrier<TEAM>(t, &n_arrived);
    }

    /* of the next round: how many points, this lane's, the rates; and of the one after it */
    int n_next = n_drawn[0], radius_next = t.radius[t.first_round];
    int n_after = t.n_rounds > 1 ? n_drawn[1] : 0;
    int radius_after = t.n_rounds > 1 ? t.radius[t.first_round + 1] : 0;
    uint32_t pixel_next = mine < n_next ? drawn[mine] : 0;
    float rate_next = 0;

    if ((int)threadIdx.x <= radius_next)
        by_links[threadIdx.x] =
            t.rate[(size_t)t.first_round * (size_t)(t.max_radius + 1) + threadIdx.x];
    __syncthreads(); /* by_links */

    /* the first of the warp's points: after new lists, and at other times while it waits for the round before */
    const int first = mine - me.lane * n_searchers;
    int until_refresh = (t.refresh_rate - t.first_round % t.refresh_rate) % t.refresh_rate;
    bool aimed = false;
    struct aim aim;

    for (int k = 0; k < t.n_rounds; k++, drawn += m.n_cells) {
        const int round = t.first_round + k, n = n_next, radius = radius_next;
        uint32_t pixel = pixel_next;

        if (until_refresh == 0) {
            refresh<TEAM, MAX_THREADS>(t, p, me, sums, counts, &n_arrived);
            until_refresh = t.refresh_rate;
        }
        until_refresh--;
        note_part(looks, by_links, &last, &clocks[PART_REFRESH]);
        if (TEAM == TEAM_CLUSTER && threadIdx.x == 0)
            expect(&pulls_come, (size_t)n * sizeof(struct pull));
        if (ALONE(TEAM)) {
            for (int i = mine; __any_sync(ALL_LANES, i < n); i += LANES * n_searchers) {
                if (i != mine)
                    pixel = i < n ? drawn[i] : 0;

                const int id = search_each<TEAM>(t, p, i < n, pixel, me.lane);

                if (i < n)
                    p.pulls[i] = pull_of(t, pixel, id);
                n_found += i < n && id >= 0;
                n_missed += i < n && id < 0;
            }
        } else {
            for (int i = first, j = 0; i < n; i += n_searchers, j++) {
                if (j > 0 && j % LANES == 0)
                    pixel =
                        i + me.lane * n_searchers < n ? drawn[i + me.lane * n_searchers] : 0;
                if (!aimed)
                    aim_at<TEAM>(t, p, __shfl_sync(ALL_LANES, pixel, j % LANES), me.lane, &aim);
                aimed = false;

                const int id = search_alone<TEAM>(t, p, aim, me.lane);
                const struct pull pull = pull_of(t, aim.pixel, id);

                /* a cluster's blocks have copies of their own: a lane writes to each */
                if (TEAM == TEAM_CLUSTER && me.lane < t.n_blocks)
                    send_pull(p.pulls + i, &pulls_come, me.lane, pull);
                else if (TEAM == TEAM_GRID && me.lane == 0)
                    p.pulls[i] = pull;
                n_found += me.lane == 0 && id >= 0;
                n_missed += me.lane == 0 && id < 0;
            }
        }
        /* warps that had nothing to search, if they are many */
        const int busy = ALONE(TEAM) ? n : in_blocks(t, max(n - me.block + t.n_blocks - 1, 0));

        fill_rates<PER_LANE>(t, by_links, radius, busy * 4 <= me.n_warps * 3 ? busy * LANES : 0,
                             rates);
        if (TEAM != TEAM_CLUSTER)
            team_arrive<TEAM>(t, &n_arrived);
        n_next = n_after;
        radius_next = radius_after;
        if (k + 1 < t.n_rounds) {
            pixel_next = mine < n_next ? drawn[m.n_cells + mine] : 0;
            if ((int)threadIdx.x <= radius_next)
                rate_next =
                    t.rate[(size_t)(round + 1) * (size_t)(t.max_radius + 1) + threadIdx.x];
        }
        if (k + 2 < t.n_rounds) {
            n_after = n_drawn[k + 2];
            radius_after = t.radius[round + 2];
        }
        if (TEAM == TEAM_CLUSTER) {
            __syncthreads(); /* rates */
            await(&pulls_come, (unsigned)k);
        } else {
            team_wait<TEAM>(t, n_arrived);
        }
        note_part(looks, by_links, &last, &clocks[PART_SEARCH]);
        learn<TEAM, PER_LANE, AHEAD, STRIPS>(t, p, me, share, n, rates, radius,
                                             (struct pull *)shared, sums);
        if ((int)threadIdx.x <= radius_next)
            by_links[threadIdx.x] = rate_next;
        team_arrive<TEAM>(t, &n_arrived);
        aimed = !ALONE(TEAM) && until_refresh > 0 && first < n_next;
        if (aimed)
            aim_at<TEAM>(t, p, __shfl_sync(ALL_LANES, pixel_next, 0), me.lane, &aim);
        team_wait<TEAM>(t, n_arrived);
        if (TEAM == TEAM_CLUSTER) {
            copy_mesh(t, p.moved, p.position, me.block, &mesh_comes);
            await(&mesh_comes, (unsigned)k);
        }
        note_part(looks, by_links, &last, &clocks[PART_LEARN]);
    }
    if (HAS_MESH(TEAM))
        for (int id = me.thread; id < m.n_neurons; id += me.n_threads)
            t.position[map * (size_t)m.n_neurons + (size_t)id] = p.position[id];
    if (n_found > 0)
        atomicAdd((unsigned long long *)&counts->updates, (unsigned long long)n_found);
    if (n_missed > 0)
        atomicAdd((unsigned long long *)&counts->misses, (unsigned long long)n_missed);
    if (looks)
        for (int part = 0; part < N_PARTS; part++)
            t.clocks[part] = clocks[part];
}

#endif

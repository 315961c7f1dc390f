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

#define CLUSTER_THREADS 512 /* of a block at most: more registers for each */

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

/* Rounds of a map, or of one map for each team. */
struct task {
    struct mesh mesh;
    int n_blocks;              /* of a team */
    int first_round, n_rounds; /* of this launch */
    int refresh_rate, capacity;
    uint32_t cell_inverse; /* 2^32 / cell_size, rounded up; 0 for cells of one pixel */
    int max_radius;
    int tiles_across, tiles_down; /* of the mesh */
    int region_cols, region_rows; /* tiles that a block has, at most */
    int regions_across;
    const uint32_t *drawn;     /* [n_maps][n_rounds][n_cells] */
    const int *n_drawn;        /* [n_maps][n_rounds] */
    const float *rate;         /* [all rounds][max_radius + 1] */
    const int *radius;         /* [all rounds] */
    float2 *position;          /* [n_maps][n_neurons] */
    struct som_counts *counts; /* [n_maps] */
    int *first, *cursor,
        *count;         /* [n_maps][n_cells + 1], where they are not in shared memory */
    int *list;          /* [n_maps][n_neurons] */
    int *n_full;        /* [n_maps] */
    struct pull *pulls; /* [n_maps][n_cells], of several blocks */
    unsigned *arrived;  /* one: the grid's barrier */
    uint32_t *clocks;   /* [N_PARTS] of the first block; NULL: nobody looks */
    int strip; /* tiles of each of two rows that a warp looks at together; 0: it does not */
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

/* ---- the table of rates ---- */

/* How far aside of what a pull reaches a neuron of a tile may be that it is applied to. */
#define ROWS_ASIDE(per_lane) (TILE_ROWS * (per_lane)-1)
#define COLS_ASIDE(per_lane) (TILE_COLS - 1 + TILE_ROWS * (per_lane) / 2 + 1)

/* Words of a row: rows that follow each other lie 8 banks apart, so that a tile's lanes meet in none. */
static inline __host__ __device__ int rates_pitch(int radius, int per_lane)
{
    return (2 * (radius + COLS_ASIDE(per_lane)) + 1 + 23) / 32 * 32 + 8;
}

static inline __host__ __device__ int n_rates(int radius, int per_lane)
{
    return (2 * (radius + ROWS_ASIDE(per_lane)) + 1) * rates_pitch(radius, per_lane);
}

/* Of the neuron in column x and row y; that of a neuron less that of a winner is an index, from the table's middle. */
static __device__ __forceinline__ int rate_place(int x, int y, int pitch)
{
    return y * pitch + x - (y + (y & 1)) / 2;
}

static __device__ __forceinline__ int middle_of_rates(int radius, int per_lane)
{
    return (radius + ROWS_ASIDE(per_lane)) * rates_pitch(radius, per_lane) + radius +
           COLS_ASIDE(per_lane);
}

/* by_links [radius + 1] -> table, by threads 'first' and up of the block */
template <int PER_LANE>
static __device__ __forceinline__ void fill_rates(const float *by_links, int radius, int first,
                                                  float *table)
{
    const int pitch = rates_pitch(radius, PER_LANE), n = n_rates(radius, PER_LANE);
    const int begin = (int)threadIdx.x - first, step = (int)blockDim.x - first;
    const int rows = step / pitch, cols = step % pitch;
    int row = begin / pitch, col = begin % pitch;

    if (begin < 0)
        return;
    for (int i = begin; i < n; i += step) {
        const int dr = row - radius - ROWS_ASIDE(PER_LANE);
        const int dq = col - radius - COLS_ASIDE(PER_LANE);
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

/* The same place in the shared memory of another block of the cluster. */
template <class T> static __device__ __forceinline__ T *at_block(T *at, int block)
{
#if defined(CUDART_VERSION) && __CUDA_ARCH__ >= 900
    unsigned long long there;

    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"((unsigned long long)at), "r"(block));
    return (T *)there;
#else
    (void)block;
    return at;
#endif
}

static __device__ __forceinline__ void cluster_barrier(void)
{
#if defined(CUDART_VERSION) && __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
#else
    __syncthreads(); /* there are no clusters but those of one block */
#endif
}

/* By one thread of each block, after all of the block have come: until n_arrived blocks have, in all. */
static __device__ __forceinline__ void wait_for_blocks(unsigned *arrived, unsigned n_arrived)
{
#if defined(CUDART_VERSION) && __CUDA_ARCH__ >= 700
    unsigned n;

    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(arrived) : "memory");
    do
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(n) : "l"(arrived) : "memory");
    while (n < n_arrived);
#else
    __threadfence();
    atomicAdd(arrived, 1u);
    while (*(volatile unsigned *)arrived < n_arrived)
        ;
    __threadfence();
#endif
}

/* What the team's threads have written is seen by all of them after it.  'n_arrived' counts up, in a register of each thread. */
template <enum team TEAM>
static __device__ __forceinline__ void team_barrier(const struct task &t, unsigned *n_arrived)
{
    if (TEAM == TEAM_CLUSTER) {
        cluster_barrier();
        return;
    }
    __syncthreads();
    if (TEAM == TEAM_GRID) {
        *n_arrived += (unsigned)t.n_blocks;
        if (threadIdx.x == 0)
            wait_for_blocks(t.arrived, *n_arrived);
        __syncthreads();
    }
}

/* ---- the cells' lists ---- */

/* n / cell_size: exact as long as n cell_size is below 2^32, and it is at most SOM_MAX_SIDE SOM_MAX_CELL. */
static __device__ __forceinline__ int in_cells(const struct task &t, int n)
{
    return t.cell_inverse ? (int)__umulhi((unsigned)n, t.cell_inverse) : n;
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

/* The lists anew.  p.count is 0 before and after where it is not in shared memory, where it shares the room of the pulls. */
template <enum team TEAM>
static __device__ __forceinline__ void refresh(const struct task &t, const struct place &p,
                                               const struct member &me, int *sums,
                                               struct som_counts *counts, unsigned *n_arrived)
{
    const struct mesh &m = t.mesh;
    const int begin = HAS_LISTS(TEAM) ? (int)threadIdx.x : me.thread;
    const int step = HAS_LISTS(TEAM) ? (int)blockDim.x : me.n_threads;
    const int end = (m.n_neurons + LANES - 1) / LANES * LANES;

    if (HAS_LISTS(TEAM)) {
        for (int cell = begin; cell < m.n_cells; cell += step)
            p.count[cell] = 0;
        __syncthreads();
    }
    for (int i = begin; i < end; i += step) {
        const int id = apart(i, m.n_neurons);

        if (id < m.n_neurons)
            atomicAdd(&p.count[cell_at(t, load<TEAM>(p.position + id))], 1);
    }
    lists_barrier<TEAM>(t, n_arrived);
    if (HAS_LISTS(TEAM) || me.block == 0)
        lay_out_lists<TEAM>(t, p, me, sums, counts);
    lists_barrier<TEAM>(t, n_arrived);
    for (int i = begin; i < end; i += step) {
        const int id = apart(i, m.n_neurons);

        if (id < m.n_neurons) {
            const int place = atomicAdd(&p.cursor[cell_at(t, load<TEAM>(p.position + id))], 1);

            if (place >= 0)
                store_listed<TEAM>(p.short_list, p.list, place, id);
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

/* Of this lane's share of N ranges: the least of all and, where OWN, of those from own[0] to own[1] of the lists.  The loads of
 * TOGETHER neurons are under way at the same time. */
template <enum team TEAM, int N, int TOGETHER, bool OWN>
static __device__ __forceinline__ void
scan(const struct place &p, const struct ranges &r, const int own[2], float2 point, int lane,
     unsigned long long *least, unsigned long long *least_own)
{
    for (int base = lane; base < r.end[N - 1]; base += TOGETHER * LANES) {
        int at[TOGETHER], id[TOGETHER];
        float2 neuron[TOGETHER];

#pragma unroll
        for (int u = 0; u < TOGETHER; u++) {
            const int i = base + u * LANES;

            at[u] = r.at[N - 1];
            for (int k = N - 2; k >= 0; k--)
                at[u] = i < r.end[k] ? r.at[k] : at[u];
            at[u] += i;
            id[u] = i < r.end[N - 1] ? load_listed<TEAM>(p.short_list, p.list, at[u]) : -1;
        }
#pragma unroll
        for (int u = 0; u < TOGETHER; u++)
            neuron[u] = id[u] >= 0 ? load<TEAM>(p.position + id[u]) : make_float2(0, 0);
#pragma unroll
        for (int u = 0; u < TOGETHER; u++) {
            const unsigned long long word =
                id[u] >= 0 ? word_of(neuron[u], point, id[u]) : ~0ull;

            *least = word < *least ? word : *least;
            if (OWN && at[u] >= own[0] && at[u] < own[1])
                *least_own = word < *least_own ? word : *least_own;
        }
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

/* All lanes for one point: the cells around it are looked through together with its own, and left out of account if the search
 * would not have gone there.  -1: no neuron. */
template <enum team TEAM>
static __device__ __forceinline__ int search_alone(const struct task &t, const struct place &p,
                                                   uint32_t pixel, int lane)
{
    const struct mesh &m = t.mesh;
    const int cx = in_cells(t, (int)(pixel & PIXEL_MASK));
    const int cy = in_cells(t, (int)(pixel >> PIXEL_BITS));
    const int cell = cy * m.cell_cols + cx, aside = min(m.last_ring, 1);
    const int own[2] = {load_listed<TEAM>(p.short_first, p.first, cell),
                        load_listed<TEAM>(p.short_first, p.first, cell + 1)};
    const float2 point = point_of(pixel);
    unsigned long long least = ~0ull, least_own = ~0ull;
    struct ranges r;
    unsigned square;

    for (int k = 0; k < 3; k++)
        add_range<TEAM>(m, p, cx - aside, cx + aside,
                        aside    ? cy + k - 1
                        : k == 1 ? cy
                                 : -1,
                        k, &r);
    scan<TEAM, 3, 4, true>(p, r, own, point, lane, &least, &least_own);
    square = warp_min((unsigned)(least_own >> 32));
    if (m.last_ring == 0 || !goes_to(m, point, cx, cy, 1, square))
        return (int)id_of(least_own, square);
    square = warp_min((unsigned)(least >> 32));
    for (int ring = 2; ring <= m.last_ring && goes_to(m, point, cx, cy, ring, square); ring++) {
        for (int pass = 0; pass < ring; pass++) {
            find_ranges<TEAM>(m, p, cx, cy, ring, pass, &r);
            scan<TEAM, N_RANGES, 4, false>(p, r, own, point, lane, &least, &least_own);
        }
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
static __device__ __forceinline__ void load_tile(const struct mesh &m, const float2 *position,
                                                 int x, int y, int radius,
                                                 struct tile<PER_LANE> *tile)
{
    const int pitch = rates_pitch(radius, PER_LANE);

    tile->place = rate_place(x, y, pitch) + middle_of_rates(radius, PER_LANE);
    tile->between =
        TILE_ROWS * pitch - TILE_ROWS / 2; /* rate_place, of an even number of rows */
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

/* The pulls of 'mask' from 'pulls' on, in their order.  AHEAD: while one is applied the next one's rates are looked up and the one
 * after that is loaded, which costs instructions and saves waiting where few warps share a processor. */
template <int PER_LANE, bool AHEAD>
static __device__ __forceinline__ void
apply(struct tile<PER_LANE> *tile, const struct pull *pulls, unsigned mask, const float *rates)
{
    struct step<PER_LANE> next;

    if (!AHEAD) {
        for (; mask; mask &= mask - 1) {
            look_up(*tile, pulls[__ffs((int)mask) - 1], rates, &next);
            for (int k = 0; k < PER_LANE; k++)
                tile->at[k] = pulled(tile->at[k], next.point, next.rate[k]);
        }
        return;
    }

    struct pull pull = pulls[__ffs((int)mask) - 1];

    look_up(*tile, pull, rates, &next);
    mask &= mask - 1;
    if (mask)
        pull = pulls[__ffs((int)mask) - 1];
    for (;;) {
        const struct step<PER_LANE> now = next;
        const bool more = mask != 0;

        if (more) {
            look_up(*tile, pull, rates, &next);
            mask &= mask - 1;
            if (mask)
                pull = pulls[__ffs((int)mask) - 1];
        }
        for (int k = 0; k < PER_LANE; k++)
            tile->at[k] = pulled(tile->at[k], now.point, now.rate[k]);
        if (!more)
            break;
    }
}

/* The pulls, in their order, on the neurons of a tile that begins at (x0, y0), if there are any: position -> moved. */
template <enum team TEAM, int PER_LANE>
static __device__ __forceinline__ void
pull_tile(const struct mesh &m, const float2 *position, float2 *moved, int x0, int y0,
          const struct pull *pulls, int n_pulls, const float *rates, int radius, int lane)
{
    const struct box box = {x0, y0, x0 + TILE_COLS - 1, y0 + TILE_ROWS * PER_LANE - 1};
    const int x = x0 + lane % TILE_COLS, y = y0 + lane / TILE_COLS;
    struct tile<PER_LANE> tile;
    const int MASKS = ALONE(TEAM) ? 1 : 4; /* looked for at the same time */
    bool loaded = false;

    for (int begin = 0; begin < n_pulls; begin += MASKS * LANES) {
        unsigned mask[MASKS], any = 0;

#pragma unroll
        for (int u = 0; u < MASKS; u++) {
            const int i = begin + u * LANES + lane;

            mask[u] =
                __ballot_sync(ALL_LANES, i < n_pulls && may_reach(box, pulls[i].at, radius));
            any |= mask[u];
        }
        if (any && !loaded) {
            load_tile<TEAM, PER_LANE>(m, position, x, y, radius, &tile);
            loaded = true;
        }
#pragma unroll
        for (int u = 0; u < MASKS; u++)
            if (mask[u])
                apply<PER_LANE, !ALONE(TEAM)>(&tile, pulls + begin + u * LANES, mask[u], rates);
    }
    if (!loaded)
        return;
    store_tile<PER_LANE>(m, moved, x, y, tile);
}

#define MAX_STRIP    5 /* tiles of a row; a register of each lane has the pulls of one */
#define OUT_OF_REACH (-(1 << 20)) /* far more columns than a mesh has: see 'least' */

/* As pull_tile, of tiles in two rows, which begin at y0[0] and y0[1]: up to MAX_STRIP of each, 'apart' columns apart from x0 on.  A
 * pull is loaded once for all of them.  words[k] of lane i is the mask of those of the pulls 32 i to 32 i + 31 that may reach tile
 * k: of 1024 pulls at a time. */
template <enum team TEAM, int PER_LANE>
static __device__ __forceinline__ void
pull_strips(const struct mesh &m, float2 *position, int x0, const int y0[2], int apart,
            const struct pull *pulls, int n_pulls, const float *rates, int radius, int lane)
{
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
            load_tile<TEAM, PER_LANE>(m, position, x + lane % TILE_COLS, y + lane / TILE_COLS,
                                      radius, &tile);
            for (; left; left &= left - 1) {
                const int word = __ffs((int)left) - 1;

                apply<PER_LANE, false>(&tile, pulls + word * LANES,
                                       __shfl_sync(ALL_LANES, mine, word), rates);
            }
            store_tile<PER_LANE>(m, position, x + lane % TILE_COLS, y + lane / TILE_COLS, tile);
        }
    }
}

/* Tiles of the mesh, by columns and rows of tiles. */
struct region {
    int col, row, n_cols, n_rows;
};

template <enum team TEAM, int PER_LANE>
static __device__ __forceinline__ void
pull_tiles(const struct mesh &m, const float2 *position, float2 *moved, const struct member &me,
           const struct region &region, const struct pull *pulls, int n_pulls,
           const float *rates, int radius)
{
    for (int k = me.warp; k < region.n_cols * region.n_rows; k += me.n_warps)
        pull_tile<TEAM, PER_LANE>(m, position, moved,
                                  (region.col + k % region.n_cols) * TILE_COLS,
                                  (region.row + k / region.n_cols) * TILE_ROWS * PER_LANE,
                                  pulls, n_pulls, rates, radius, me.lane);
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

template <enum team TEAM, int PER_LANE, bool STRIPS>
static __device__ __forceinline__ void
learn(const struct task &t, const struct place &p, const struct member &me, int n_pulls,
      const float *rates, int radius, struct pull *near, int *sums)
{
    const int segment = PULLS_A_THREAD * (int)blockDim.x;
    struct region region = {0, 0, t.tiles_across, t.tiles_down};
    struct box box;

    if (STRIPS) {
        /* the least of what is the same in all lanes: so that the compiler knows it to be, and the warp to stay together */
        const int n = (int)warp_min((unsigned)n_pulls);
        const int across = (t.tiles_across + t.strip - 1) / t.strip;
        const int half = (t.tiles_down + 1) / 2;

        /* the first row goes with the last, since pulls grow fewer towards one side of a map, and neighbours to different warps */
        for (int k = (int)warp_min((unsigned)me.warp); k < across * half; k += me.n_warps) {
            const int row = k / across, last = t.tiles_down - 1 - row;
            /* strips of a column may have a tile less: not all to the same scheduler */
            const int col = (k + row) % across;
            const int y0[2] = {row * TILE_ROWS * PER_LANE,
                               (last > row ? last : t.tiles_down) * TILE_ROWS * PER_LANE};

            pull_strips<TEAM, PER_LANE>(t.mesh, p.position, col * TILE_COLS, y0,
                                        across * TILE_COLS, p.pulls, n, rates, radius, me.lane);
        }
        return;
    }
    if (ALONE(TEAM)) {
        pull_tiles<TEAM, PER_LANE>(t.mesh, p.position, p.moved, me, region, p.pulls, n_pulls,
                                   rates, radius);
        return;
    }
    region.col = me.block % t.regions_across * t.region_cols;
    region.row = me.block / t.regions_across * t.region_rows;
    region.n_cols = min(t.region_cols, t.tiles_across - region.col);
    region.n_rows = min(t.region_rows, t.tiles_down - region.row);
    if (region.n_rows <= 0) /* more blocks than regions */
        return;
    if (TEAM == TEAM_CLUSTER) {
        pull_tiles<TEAM, PER_LANE>(t.mesh, p.position, p.moved, me, region, p.pulls, n_pulls,
                                   rates, radius);
        return;
    }
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
        pull_tiles<TEAM, PER_LANE>(t.mesh, p.position, p.moved, me, region, near, n_near, rates,
                                   radius);
    }
}

/* ---- all rounds ---- */

/* Bytes of dynamic shared memory: pulls (or those near the region), positions, rates, where lists begin, and lists. */
static inline __host__ __device__ size_t shared_pulls(enum team team, int n_cells,
                                                      int n_threads)
{
    return (HAS_MESH(team) ? (size_t)n_cells : PULLS_A_THREAD * (size_t)n_threads) *
           sizeof(struct pull);
}

static inline __host__ __device__ size_t shared_positions(enum team team, int n_neurons)
{
    return HAS_MESH(team) ? (size_t)n_neurons * sizeof(float2) : 0;
}

static inline __host__ __device__ size_t shared_rates(enum team team, int max_radius)
{
    return (size_t)n_rates(max_radius, ALONE(team) ? 2 : 1) * sizeof(float);
}

static inline __host__ __device__ size_t shared_lists(enum team team, int n_cells,
                                                      int n_neurons)
{
    const size_t n = (size_t)n_cells + 1 + (size_t)n_neurons;

    return HAS_LISTS(team) ? sizeof(int) + n * sizeof(unsigned short) : 0;
}

template <enum team TEAM>
static __device__ __forceinline__ struct place
place_of(const struct task &t, size_t map, char *pulls, char *positions, char *lists)
{
    const size_t n_cells = (size_t)t.mesh.n_cells, n_neurons = (size_t)t.mesh.n_neurons;
    struct place p;

    p.list = t.list + map * n_neurons;
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
    p.moved = TEAM == TEAM_CLUSTER ? t.position + map * n_neurons : p.position;
    return p;
}

#define COPIED_TOGETHER 5 /* loads of a thread under way */

/* From L2 into shared memory.  Every thread of the block comes here. */
static __device__ __forceinline__ void copy_mesh(const float2 *from, int n_neurons, float2 *to)
{
    /* pairs of neurons are words of 16 bytes where 'from' is on such a border */
    const bool pairs = ((size_t)from & 15) == 0;
    const int n_pairs = pairs ? n_neurons / 2 : 0;

    for (int base = (int)threadIdx.x; base < n_pairs;
         base += COPIED_TOGETHER * (int)blockDim.x) {
        float4 pair[COPIED_TOGETHER];

#pragma unroll
        for (int u = 0; u < COPIED_TOGETHER; u++)
            if (base + u * (int)blockDim.x < n_pairs)
                pair[u] = __ldcg((const float4 *)from + base + u * (int)blockDim.x);
#pragma unroll
        for (int u = 0; u < COPIED_TOGETHER; u++)
            if (base + u * (int)blockDim.x < n_pairs)
                ((float4 *)to)[base + u * (int)blockDim.x] = pair[u];
    }
    for (int id = 2 * n_pairs + (int)threadIdx.x; id < n_neurons; id += (int)blockDim.x)
        to[id] = __ldcg(from + id);
    __syncthreads();
}

/* What the search for a point has come to. */
template <int PER_LANE>
static __device__ __forceinline__ struct pull pull_of(const struct mesh &m, uint32_t pixel,
                                                      int id, int radius)
{
    const int y = id / m.grid_cols, x = id % m.grid_cols;
    const float2 point = point_of(pixel);
    struct pull pull;

    pull.x = point.x;
    pull.y = point.y;
    pull.at = id >= 0 ? y << 16 | x : NOWHERE;
    pull.place = id >= 0 ? rate_place(x, y, rates_pitch(radius, PER_LANE)) : 0;
    return pull;
}

/* The clock since the last call, on top of a part's; for a thread that looks.  After a barrier a card may read its clock before it
 * waits there (Hopper does): the wait for other warps then counts for the next part. */
static __device__ __forceinline__ void note_part(bool looks, long long *last, uint32_t *clocks)
{
    if (looks) {
        const long long now = clock64();

        *clocks += (uint32_t)(now - *last);
        *last = now;
    }
}

/* STRIPS: a block that is alone has many tiles for a warp, which looks at several together. */
template <enum team TEAM, int PER_LANE, bool STRIPS>
static __global__ void __launch_bounds__(TEAM == TEAM_CLUSTER ? CLUSTER_THREADS : 1024)
    run_rounds_kernel(struct task t)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ float by_links[SOM_MAX_SIGMA + 1];
    __shared__ int sums[PULLS_A_THREAD * MAX_WARPS];
    const struct mesh &m = t.mesh;
    const size_t map = (size_t)((int)blockIdx.x / t.n_blocks);
    char *const positions = shared + shared_pulls(TEAM, m.n_cells, (int)blockDim.x);
    float *const rates = (float *)(positions + shared_positions(TEAM, m.n_neurons));
    const struct place p = place_of<TEAM>(t, map, shared, positions,
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

    const int n_searchers = me.n_warps * t.n_blocks;
    const int mine = me.warp * t.n_blocks + me.block + me.lane * n_searchers; /* point */

    if (HAS_MESH(TEAM)) {
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
        rate_next = t.rate[(size_t)t.first_round * (size_t)(t.max_radius + 1) + threadIdx.x];

    for (int k = 0; k < t.n_rounds; k++, drawn += m.n_cells) {
        const int round = t.first_round + k, n = n_next, radius = radius_next;
        uint32_t pixel = pixel_next;

        if ((int)threadIdx.x <= radius)
            by_links[threadIdx.x] = rate_next;
        if (round % t.refresh_rate == 0)
            refresh<TEAM>(t, p, me, sums, counts, &n_arrived);
        else
            __syncthreads(); /* by_links */
        note_part(looks, &last, &clocks[PART_REFRESH]);
        if (ALONE(TEAM)) {
            for (int i = mine; __any_sync(ALL_LANES, i < n); i += LANES * n_searchers) {
                if (i != mine)
                    pixel = i < n ? drawn[i] : 0;

                const int id = search_each<TEAM>(t, p, i < n, pixel, me.lane);

                if (i < n)
                    p.pulls[i] = pull_of<PER_LANE>(m, pixel, id, radius);
                n_found += i < n && id >= 0;
                n_missed += i < n && id < 0;
            }
        } else {
            for (int i = mine - me.lane * n_searchers, j = 0; i < n; i += n_searchers, j++) {
                if (j > 0 && j % LANES == 0)
                    pixel =
                        i + me.lane * n_searchers < n ? drawn[i + me.lane * n_searchers] : 0;

                const uint32_t one = __shfl_sync(ALL_LANES, pixel, j % LANES);
                const int id = search_alone<TEAM>(t, p, one, me.lane);
                const struct pull pull = pull_of<PER_LANE>(m, one, id, radius);

                /* a cluster's blocks have copies of their own: a lane writes to each */
                if (me.lane < (TEAM == TEAM_CLUSTER ? t.n_blocks : 1))
                    *(TEAM == TEAM_CLUSTER ? at_block(p.pulls + i, me.lane) : p.pulls + i) =
                        pull;
                n_found += me.lane == 0 && id >= 0;
                n_missed += me.lane == 0 && id < 0;
            }
        }
        /* warps that had nothing to search, if they are many */
        const int busy = max((n - me.block + t.n_blocks - 1) / t.n_blocks, 0);

        fill_rates<PER_LANE>(by_links, radius, busy * 2 <= me.n_warps ? busy * LANES : 0,
                             rates);
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
        team_barrier<TEAM>(t, &n_arrived);
        note_part(looks, &last, &clocks[PART_SEARCH]);
        learn<TEAM, PER_LANE, STRIPS>(t, p, me, n, rates, radius, (struct pull *)shared, sums);
        team_barrier<TEAM>(t, &n_arrived);
        if (TEAM == TEAM_CLUSTER)
            copy_mesh(p.moved, m.n_neurons, p.position);
        note_part(looks, &last, &clocks[PART_LEARN]);
    }
    if (ALONE(TEAM))
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

/*
 * opt_team.cuh - a team of blocks that shares a map: task, barriers, messages, table of rates
 *
 * A table in shared memory holds the rates by the position of a neuron relative to the winner.
 * It has rows of axial coordinates and is 0 out of reach.  So a pull costs a neuron one
 * subtraction and one look-up.
 */
#ifndef SOM_OPT_TEAM_CUH
#define SOM_OPT_TEAM_CUH

#include "impl_gpu/som/opt_draw.cuh"

#include <limits.h>

#define TILE_COLS 8 /* neurons; by 4 rows for each neuron that a lane has */
#define TILE_ROWS 4

/* The most that a block has; with fewer threads each has more registers. */
#define FEW_THREADS  512
#define SOME_THREADS 768 /* grids only */
#define MOST_THREADS 1024

/* Pulls that a thread checks for the region of its block at a time. */
#define PULLS_A_THREAD(threads) ((threads) > FEW_THREADS ? 3 : 2)

#define NOWHERE 0x7FFF0000 /* pull.at if the search found no neuron: a row out of every reach */

enum team {
    TEAM_BLOCK,       /* a block with a whole map in shared memory */
    TEAM_LARGE_BLOCK, /* the same, except the lists of the cells */
    TEAM_CLUSTER,     /* blocks that each have a copy of the whole map */
    TEAM_GRID,        /* blocks that share a map in L2 */
    TEAM_GPUS         /* a grid on each of several GPUs, which have a map each in their L2 */
};

/* ALONE: a map has one block.  HAS_MESH, HAS_LISTS: blocks have these in shared memory. */
#define ALONE(team)     ((team) == TEAM_BLOCK || (team) == TEAM_LARGE_BLOCK)
#define HAS_MESH(team)  ((team) != TEAM_GRID && (team) != TEAM_GPUS)
#define HAS_LISTS(team) ((team) == TEAM_BLOCK || (team) == TEAM_CLUSTER)

enum part { PART_REFRESH, PART_SEARCH, PART_LEARN, N_PARTS };

/* The pull of a cell on the mesh. */
struct __align__(16) pull
{
    float x, y; /* the point */
    int at;     /* row << 16 | column of the winner */
    int place;  /* of the winner in the table of rates: see rate_place.  In L2: number_of */
};

/* Neurons from one mesh to the next if they are copied in words of 16 bytes. */
static inline __host__ __device__ size_t passed_pitch(int n_neurons)
{
    return ((size_t)n_neurons + 1) / 2 * 2;
}

#define MOST_GPUS 8

/* The memory of one GPU that all GPUs of a team write to. */
struct shore {
    float2 *position;   /* [n_neurons] */
    struct pull *pulls; /* [n_cells] */
    unsigned *arrived;
};

/* The rounds of one map for each team. */
struct task {
    struct mesh mesh;
    int n_blocks;              /* of a team, on all GPUs */
    uint32_t blocks_inverse;   /* of n_blocks, for divided(); 0 of one */
    int first_round, n_rounds; /* of this launch */
    int refresh_rate, capacity;
    uint32_t cell_inverse; /* of cell_size; 0 for cells of one pixel */
    uint32_t grid_inverse; /* of grid_cols; 0: of one, or a mesh too large for divided() */
    int max_radius;
    int pitch;                    /* of the table of rates */
    uint32_t pitch_inverse;       /* of pitch */
    int tiles_across, tiles_down; /* of the mesh */
    int region_cols, region_rows; /* tiles of a block, at most */
    int regions_across;
    uint32_t *drawn;             /* [n_maps][n_rounds][n_cells] */
    int *n_drawn;                /* [n_maps][n_rounds] */
    const float *rate;           /* [all rounds][max_radius + 1] */
    int *radius;                 /* [all rounds] */
    float2 *position;            /* [n_maps][n_neurons] */
    float2 *passed;              /* [n_maps][passed_pitch], of a cluster */
    struct som_counts *counts;   /* [n_maps] */
    int *first, *cursor, *count; /* [n_maps][n_cells + 1], unless in shared memory */
    int *list;                   /* [n_maps][n_neurons], likewise */
    int *n_full;                 /* [n_maps], likewise */
    struct pull *pulls;          /* [n_maps][n_cells], of several blocks */
    unsigned *arrived;           /* one: the barrier of the grid */
    uint32_t *clocks;            /* [N_PARTS] of the first block; NULL: none are kept */
    int strip;         /* tiles of each of two rows that a warp handles together; 0: singly */
    int strips_across; /* of the mesh */
    /* of several GPUs: those before the first block here, and the GPUs' memory */
    int first_block, n_gpus;
    struct shore shore[MOST_GPUS];
};

/* n / d; 'inverse' is 2^32 / d rounded up.  Exact if n d < 2^32. */
DEVICE int divided(int n, uint32_t inverse)
{
    return (int)__umulhi((unsigned)n, inverse);
}

/* ---- the table of rates ---- */

/* The distance at which a neuron of an applied tile may be out of a pull's reach. */
#define ROWS_ASIDE(per_lane) (TILE_ROWS * (per_lane)-1)
#define COLS_ASIDE(per_lane) (TILE_COLS - 1 + TILE_ROWS * (per_lane) / 2 + 1)

/* Words of a row: consecutive rows are 8 banks apart, so a tile has no bank conflicts. */
static inline __host__ __device__ int rates_pitch(int radius, int per_lane)
{
    return (2 * (radius + COLS_ASIDE(per_lane)) + 1 + 23) / 32 * 32 + 8;
}

/* Rows of a table for the radius of a round; their pitch is that of the largest radius. */
static inline __host__ __device__ int rates_rows(int radius, int per_lane)
{
    return 2 * (radius + ROWS_ASIDE(per_lane)) + 1;
}

/* The place of the neuron in column x and row y.  The place of a neuron minus that of the
 * winner is an index relative to the middle of the table. */
DEVICE int rate_place(int x, int y, int pitch)
{
    return y * pitch + x - (y + (y & 1)) / 2;
}

DEVICE int middle_of_rates(const struct task &t, int radius, int per_lane)
{
    return (radius + ROWS_ASIDE(per_lane)) * t.pitch + t.max_radius + COLS_ASIDE(per_lane);
}

/* by_links [radius + 1] -> table, by the threads of the block from 'first' on */
template <int PER_LANE>
DEVICE void fill_rates(const struct task &t, const float *by_links, int radius, int first,
                       float *table)
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

/* The team's mesh and lists of a map. */
struct place {
    float2 *position;
    /* the same; in a cluster: in L2, from where blocks copy it after the round */
    float2 *moved;
    int *first, *cursor, *count, *n_full;
    int *list;
    /* instead of 'first' and 'list' in shared memory, with fewer than 65536 neurons */
    unsigned short *short_first, *short_list;
    struct pull *pulls;
    struct pull *picked; /* [LANES] of a warp: pick_and_pull */
};

/* A thread of a team. */
struct member {
    int block;               /* of the team */
    int thread, n_threads;   /* of the team's on this GPU */
    int lane, warp, n_warps; /* of the block */
};

/* Loads what the team stored before the last barrier: not from L1, which may be stale. */
template <enum team TEAM, class T> DEVICE T load(const T *at)
{
    return HAS_MESH(TEAM) ? *at : __ldcg(at);
}

/* The same for data that atomics write, which bypass L1. */
template <enum team TEAM, class T> DEVICE T load_counted(const T *at)
{
    return HAS_LISTS(TEAM) ? *at : __ldcg(at);
}

/* Loads a list's begin (p.short_first, p.first) or an id (p.short_list, p.list). */
template <enum team TEAM>
DEVICE int load_listed(const unsigned short *short_at, const int *at, int i)
{
    return HAS_LISTS(TEAM) ? (int)short_at[i] : load<TEAM>(at + i);
}

template <enum team TEAM>
DEVICE void store_listed(unsigned short *short_at, int *at, int i, int value)
{
    if (HAS_LISTS(TEAM))
        short_at[i] = (unsigned short)value;
    else
        at[i] = value;
}

/* Defined if the toolkit and this architecture have clusters whose blocks send each other pulls
 * (st.async); else there are none, or emulated ones of one block. */
#if defined(CUDART_VERSION) && CUDART_VERSION >= 12010
#define BUILDS_CLUSTERS 1
#else
#define BUILDS_CLUSTERS 0
#endif
#define HAS_CLUSTERS (BUILDS_CLUSTERS && __CUDA_ARCH__ >= 900)

/* Counts bytes that arrive in a block's shared memory meanwhile; one phase per round. */
struct __align__(8) inbox
{
    unsigned long long state;
};

#if HAS_CLUSTERS
/* A shared memory address for instructions, and the same place in another block. */
DEVICE unsigned shared_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

DEVICE unsigned at_block(const void *at, int block)
{
    unsigned there;

    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"(shared_address(at)), "r"(block));
    return there;
}
#endif

/* By one thread, before the first team_barrier of the block. */
DEVICE void make_inbox(struct inbox *inbox)
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

/* By one thread, once a round: announces how many bytes will arrive. */
DEVICE void expect(struct inbox *inbox, size_t n_bytes)
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

/* Waits until all expected bytes have arrived. */
DEVICE void await(struct inbox *inbox, unsigned phase)
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
    __syncthreads(); /* the threads of the block have copied them */
#endif
}

/* pull -> *at of another block, whose inbox counts its arrival. */
DEVICE void send_pull(struct pull *at, struct inbox *inbox, int block, const struct pull &pull)
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

/* A pull in L2 has the number of its round, above 0, in place of 'place'.  If its 16 bytes are
 * stored as one, a block looks at it until it is of the round, and needs no barrier. */
#if defined(CUDART_VERSION) && CUDART_VERSION < 12030
#define HAS_NUMBERS 0
#elif defined(CUDART_VERSION) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 700)
#define HAS_NUMBERS 0
#else
#define HAS_NUMBERS 1
#endif

DEVICE int number_of(int round)
{
    return round + 1;
}

/* The team's scope is "gpu" or "sys". */
#define STORE_BOTH(scope, low, high, at)                            \
    asm volatile("{\n\t"                                            \
                 ".reg .b128 both;\n\t"                             \
                 "mov.b128 both, {%0, %1};\n\t"                     \
                 "st.relaxed." scope ".global.b128 [%2], both;\n\t" \
                 "}"                                                \
                 :                                                  \
                 : "l"(low), "l"(high), "l"(at)                     \
                 : "memory")
#define LOAD_BOTH(scope, low, high, at)                             \
    asm volatile("{\n\t"                                            \
                 ".reg .b128 both;\n\t"                             \
                 "ld.relaxed." scope ".global.b128 both, [%2];\n\t" \
                 "mov.b128 {%0, %1}, both;\n\t"                     \
                 "}"                                                \
                 : "=l"(low), "=l"(high)                            \
                 : "l"(at)                                          \
                 : "memory")

template <enum team TEAM> DEVICE void store_pull(struct pull *at, struct pull pull, int number)
{
#if HAS_NUMBERS && defined(CUDART_VERSION)
    const unsigned long long low = pack(make_float2(pull.x, pull.y));
    const unsigned long long high =
        (unsigned long long)(unsigned)number << 32 | (unsigned)pull.at;

    if (TEAM == TEAM_GPUS)
        STORE_BOTH("sys", low, high, at);
    else
        STORE_BOTH("gpu", low, high, at);
#elif defined(CUDART_VERSION)
    pull.place = number;
    *at = pull;
#else
    pull.place = number;
    emulated_store(at, pull);
#endif
}

/* Looks of a thread for what another GPU sends, which take many seconds. */
#define MOST_LOOKS (1u << 25)

/* Counts a look in vain.  A grid whose partner does not run ends with an error, not never. */
template <enum team TEAM> DEVICE void looked(unsigned *n_looks)
{
#ifdef CUDART_VERSION
    if (TEAM == TEAM_GPUS && ++*n_looks == MOST_LOOKS)
        __trap();
#else
    (void)n_looks; /* the emulator finds blocks that wait for ever */
#endif
}

/* A pull in L2 as it is now. */
template <enum team TEAM> DEVICE int4 look_at_pull(const struct pull *at)
{
#if HAS_NUMBERS && defined(CUDART_VERSION)
    unsigned long long low, high;

    if (TEAM == TEAM_GPUS)
        LOAD_BOTH("sys", low, high, at);
    else
        LOAD_BOTH("gpu", low, high, at);
    return make_int4((int)(unsigned)low, (int)(unsigned)(low >> 32), (int)(unsigned)high,
                     (int)(unsigned)(high >> 32));
#elif defined(CUDART_VERSION)
    return load<TEAM_GRID>((const int4 *)at);
#else
    return emulated_load((const int4 *)at);
#endif
}

/* By one thread of each block, after all threads of the block have arrived. */
DEVICE void count_arrival(unsigned *arrived)
{
#if defined(CUDART_VERSION) && __CUDA_ARCH__ >= 700
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(arrived) : "memory");
#else
    __threadfence();
    atomicAdd(arrived, 1u);
#endif
}

/* The same on each GPU of the team. */
DEVICE void count_arrival_everywhere(const struct task &t)
{
#if defined(CUDART_VERSION) && __CUDA_ARCH__ >= 700
    asm volatile("fence.acq_rel.sys;" : : : "memory");
#else
    __threadfence_system();
#endif
#pragma unroll
    for (int g = 0; g < MOST_GPUS; g++)
        if (g < t.n_gpus) {
#if defined(CUDART_VERSION) && __CUDA_ARCH__ >= 700
            asm volatile("red.relaxed.sys.global.add.u32 [%0], 1;"
                         :
                         : "l"(t.shore[g].arrived)
                         : "memory");
#else
            atomicAdd_system(t.shore[g].arrived, 1u);
#endif
        }
}

/* The count of other blocks up to now, on GPUs that have no instruction for it. */
DEVICE unsigned look_at_count(const unsigned *count)
{
#ifdef CUDART_VERSION
    return *(const volatile unsigned *)count;
#else
    return emulated_load(count);
#endif
}

/* By the same thread: waits until n_arrived blocks in all have arrived. */
template <enum team TEAM> DEVICE void wait_for_blocks(unsigned *arrived, unsigned n_arrived)
{
    unsigned n_looks = 0;

#if defined(CUDART_VERSION) && __CUDA_ARCH__ >= 700
    unsigned n;

    for (;; looked<TEAM>(&n_looks)) {
        if (TEAM == TEAM_GPUS)
            asm volatile("ld.acquire.sys.global.u32 %0, [%1];"
                         : "=r"(n)
                         : "l"(arrived)
                         : "memory");
        else
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                         : "=r"(n)
                         : "l"(arrived)
                         : "memory");
        if (n >= n_arrived)
            break;
    }
#else
    while (look_at_count(arrived) < n_arrived)
        looked<TEAM>(&n_looks);
    if (TEAM == TEAM_GPUS)
        __threadfence_system();
    else
        __threadfence();
#endif
}

/* A barrier of the team in two halves.  After the wait, all threads see what was written before
 * the arrivals.  Each thread counts arrivals in its own 'n_arrived'. */
template <enum team TEAM> DEVICE void team_arrive(const struct task &t, unsigned *n_arrived)
{
    if (TEAM == TEAM_CLUSTER) {
#if HAS_CLUSTERS
        asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
#endif
    } else if (!HAS_MESH(TEAM)) {
        __syncthreads();
        *n_arrived += (unsigned)t.n_blocks;
        if (threadIdx.x == 0 && TEAM == TEAM_GPUS)
            count_arrival_everywhere(t);
        else if (threadIdx.x == 0)
            count_arrival(t.arrived);
    }
}

template <enum team TEAM> DEVICE void team_wait(const struct task &t, unsigned n_arrived)
{
#if HAS_CLUSTERS
    if (TEAM == TEAM_CLUSTER) {
        asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
        return;
    }
#endif
    if (!HAS_MESH(TEAM) && threadIdx.x == 0)
        wait_for_blocks<TEAM>(t.arrived, n_arrived);
    __syncthreads(); /* in a cluster of one block as well */
}

template <enum team TEAM> DEVICE void team_barrier(const struct task &t, unsigned *n_arrived)
{
    team_arrive<TEAM>(t, n_arrived);
    team_wait<TEAM>(t, *n_arrived);
}

/* Adds to a count that all blocks of the team share, in the first GPU's memory. */
template <enum team TEAM> DEVICE void add_count(uint64_t *count, unsigned n)
{
    if (TEAM == TEAM_GPUS)
        atomicAdd_system((unsigned long long *)count, (unsigned long long)n);
    else
        atomicAdd((unsigned long long *)count, (unsigned long long)n);
}

/* n / n_blocks; approximate for many millions */
DEVICE int in_blocks(const struct task &t, int n)
{
    return t.blocks_inverse ? divided(n, t.blocks_inverse) : n;
}

#endif

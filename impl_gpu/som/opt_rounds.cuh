/*
 * opt_rounds.cuh - all rounds of a map by a team of blocks
 *
 * A round: a warp per data point searches; all wait for its pull.  A warp per tile of neurons
 * applies the pulls that reach it; all wait for its neurons.
 */
#ifndef SOM_OPT_ROUNDS_CUH
#define SOM_OPT_ROUNDS_CUH

#include "impl_gpu/som/opt_learn.cuh"
#include "impl_gpu/som/opt_search.cuh"

/* Bytes of dynamic shared memory: pulls (or those near the region), those picked by each warp,
 * positions, rates, where lists begin, and lists. */
static inline __host__ __device__ size_t shared_pulls(enum team team, int n_cells,
                                                      int n_threads)
{
    return (HAS_MESH(team) ? (size_t)n_cells : PULLS_A_THREAD(n_threads) * (size_t)n_threads) *
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
DEVICE struct place place_of(const struct task &t, size_t map, char *pulls, char *picked,
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

/* On sm_90 each block copies a part of the mesh to all; later GPUs may be slow at that. */
#define FOR_ALL (HAS_CLUSTERS && __CUDA_ARCH__ < 1000)

/*
 * Copies neurons from L2 to the shared memory of each block of a cluster.  Every thread calls
 * it after a barrier of the cluster, and then waits for arrivals.  A block with points in the
 * next round delays the others, which wait for its pulls, until it has the neurons to search.
 * A block without points may receive the neurons of the next round early: it reads only its own
 * tiles, before the next copy.
 */
DEVICE void copy_mesh(const struct task &t, const float2 *from, float2 *to, int block,
                      struct inbox *inbox)
{
#if HAS_CLUSTERS
    const unsigned n_bytes = (unsigned)(passed_pitch(t.mesh.n_neurons) * sizeof *to);
    const unsigned n_parts = FOR_ALL ? (unsigned)t.n_blocks : 1;
    const unsigned part = (n_bytes / 16 + n_parts - 1) / n_parts * 16;
    const unsigned begin = FOR_ALL ? part * (unsigned)block : 0;

    if (threadIdx.x > 0)
        return;
    /* stores write it, the copy engine reads it */
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

/* The pull that follows from the search for a point. */
DEVICE struct pull pull_of(const struct task &t, uint32_t pixel, int id)
{
    const int some = max(id, 0);
    const int y = t.grid_inverse ? divided(some, t.grid_inverse) : some / t.mesh.grid_cols;
    const int x = some - y * t.mesh.grid_cols;
    const float2 point = point_of(pixel);

    return {point.x, point.y, id >= 0 ? y << 16 | x : NOWHERE,
            id >= 0 ? rate_place(x, y, t.pitch) : 0};
}

/* The pulls on GPU g. */
DEVICE struct pull *pulls_of(const struct task &t, int g)
{
    struct pull *pulls = t.shore[0].pulls;

#pragma unroll
    for (int k = 1; k < MOST_GPUS; k++) /* parameters have no index that is not constant */
        pulls = k == g ? t.shore[k].pulls : pulls;
    return pulls;
}

/* Adds the cycles since the last call to a part, if the thread looks.  A GPU may read its clock
 * before its warp has passed the preceding barrier (Hopper does), but not before a load from
 * shared memory returns: 'rate', which is not negative. */
DEVICE void note_part(bool looks, const float *rate, long long *last, uint32_t *clocks)
{
    if (looks && *(const volatile float *)rate >= 0) {
        const long long now = clock64();

        *clocks += (uint32_t)(now - *last);
        *last = now;
    }
}

/* STRIPS: each warp of a lone block has many tiles and handles several together. */
template <enum team TEAM, int MAX_THREADS, bool STRIPS>
static __global__ void __launch_bounds__(MAX_THREADS) run_rounds_kernel(struct task t)
{
    /* neurons of a lane in a tile; pulls that are looked up together */
    constexpr int PER_LANE = ALONE(TEAM) ? 2 : 1;
    constexpr int AHEAD = MAX_THREADS > FEW_THREADS ? 1 : 4;
    extern __shared__ __align__(16) char shared[];
    __shared__ float by_links[SOM_MAX_SIGMA + 1];
    __shared__ int sums[PULLS_A_THREAD(MAX_THREADS) * MAX_WARPS];
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

    me.block =
        TEAM == TEAM_GPUS ? t.first_block + (int)blockIdx.x : (int)blockIdx.x % t.n_blocks;
    me.thread =
        (TEAM == TEAM_GPUS ? (int)blockIdx.x : me.block) * (int)blockDim.x + (int)threadIdx.x;
    me.n_threads = (TEAM == TEAM_GPUS ? (int)gridDim.x : t.n_blocks) * (int)blockDim.x;
    me.lane = (int)threadIdx.x % LANES;
    me.warp = (int)threadIdx.x / LANES;
    me.n_warps = (int)blockDim.x / LANES;

    const struct share share = share_of<TEAM>(t, me);
    struct pull *const my_pulls = TEAM == TEAM_GPUS ? pulls_of(t, me.lane) : NULL;
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

    /* the next round's points, this lane's point and rates; then those of the one after it */
    int n_next = n_drawn[0], radius_next = t.radius[t.first_round];
    int n_after = t.n_rounds > 1 ? n_drawn[1] : 0;
    int radius_after = t.n_rounds > 1 ? t.radius[t.first_round + 1] : 0;
    uint32_t pixel_next = mine < n_next ? drawn[mine] : 0;
    float rate_next = 0;

    if ((int)threadIdx.x <= radius_next)
        by_links[threadIdx.x] =
            t.rate[(size_t)t.first_round * (size_t)(t.max_radius + 1) + threadIdx.x];
    __syncthreads(); /* by_links */

    /* the warp aims at its first point while it waits, unless new lists come */
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

                /* each block of a cluster, each GPU, has its own copy: a lane writes to each */
                if (TEAM == TEAM_CLUSTER && me.lane < t.n_blocks)
                    send_pull(p.pulls + i, &pulls_come, me.lane, pull);
                else if (TEAM == TEAM_GPUS && me.lane < t.n_gpus)
                    store_pull<TEAM>(my_pulls + i, pull, number_of(round));
                else if (TEAM == TEAM_GRID && me.lane == 0)
                    store_pull<TEAM>(p.pulls + i, pull, number_of(round));
                n_found += me.lane == 0 && id >= 0;
                n_missed += me.lane == 0 && id < 0;
            }
        }
        /* only by warps that had nothing to search, if there are many */
        const int busy = ALONE(TEAM) ? n : in_blocks(t, max(n - me.block + t.n_blocks - 1, 0));

        fill_rates<PER_LANE>(t, by_links, radius, busy * 4 <= me.n_warps * 3 ? busy * LANES : 0,
                             rates);

        /* no neuron moves before all searches have read it, so a block looks at all pulls */
        const bool looks_at_all = !HAS_MESH(TEAM) && HAS_NUMBERS &&
                                  n <= PULLS_A_THREAD(MAX_THREADS) * (int)blockDim.x;

        if (looks_at_all)
            __syncthreads(); /* rates */
        else if (TEAM != TEAM_CLUSTER)
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
        } else if (!looks_at_all) {
            team_wait<TEAM>(t, n_arrived);
        }
        note_part(looks, by_links, &last, &clocks[PART_SEARCH]);
        learn<TEAM, PER_LANE, AHEAD, PULLS_A_THREAD(MAX_THREADS), STRIPS>(
            t, p, me, share, number_of(round), n, rates, radius, (struct pull *)shared, sums);
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
        add_count<TEAM>(&counts->updates, n_found);
    if (n_missed > 0)
        add_count<TEAM>(&counts->misses, n_missed);
    if (looks)
        for (int part = 0; part < N_PARTS; part++)
            t.clocks[part] = clocks[part];
}

#endif

/*
 * som/gpu-rtin - a mesh by bisection: all triangles of all sizes at once
 *
 * Source:  som/rtin, whose bits it has; harness/problems/som/rtin.h has the rule.
 * Kernels: fill     a block a row: levels over the background, where it is free
 *          errors   1 to 256 lanes a vertex, by the size of its triangles, all sizes in one
 *                   launch: the error of each vertex alone
 *          raise    a block a tile, with a rim so wide that no block waits for another: errors
 *                   of three sizes of triangles at a time, from those that need them
 *          count    how many vertices have which error
 *          number   the threshold, by each block again, and how many vertices of a block are
 *                   above it
 *          write    the vertices behind those of the blocks before
 * Exact:   whole numbers; atomics only count.
 */
#include "harness/measure/impl.h"
#include "harness/problems/som/rtin.h"

static const struct bench_key keys[] = {
    {"background", "kept", "", "level 0, as near as any other; or whatever the mesh has there",
     BENCH_CHOICE, 0, 0, "kept|free"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#ifdef __CUDACC__
#include "impl_gpu/som/mesh.cuh"

#define TILE         64
#define OCTAVES      8  /* steps 1, 2, 4 of a launch; the next has 8 times as large ones */
#define RIM          10 /* 1 + 1 + 2 + 2 + 4: so far is what a vertex depends on */
#define WIDE         (TILE + 2 * RIM)
#define MANY_THREADS 1024
#define ROUNDS       8 /* vertices of a thread, side by side */

struct task {
    struct rtin rtin;
    int n_neurons, n_vertices; /* at most; of the lattice */
    bool is_free;
    const uint8_t *grey, *level; /* [n_frames][height][width] */
    uint16_t *own, *error;       /* [n_frames][rows][cols]: without, with those that need it */
    int *count;                  /* [n_frames][RTIN_CODES] */
    int *chosen;                 /* [n_frames][blocks of n_vertices]: vertices */
    int *threshold;              /* [n_frames] */
    float2 *position;            /* [n_frames][n_neurons] */
    struct som_counts *counts;   /* [n_frames] */
};

struct state {
    struct maps maps; /* hooks use it: the first member */
    struct task task; /* its arrays are those of 'maps' */
    uint8_t *d_filled;
};

/* ---- levels over the background ---- */

/* One block per row. */
static __global__ void fill_kernel(struct mesh m, const uint8_t *__restrict__ grey,
                                   uint8_t *__restrict__ level)
{
    __shared__ unsigned known[SOM_MAX_SIDE / WARP_LANES];
    const uint8_t *const row = grey + (size_t)blockIdx.x * (size_t)m.width;
    const int n_words = (m.width + WARP_LANES - 1) / WARP_LANES;

    for (int x = (int)threadIdx.x; x < n_words * WARP_LANES; x += (int)blockDim.x) {
        const unsigned word = __ballot_sync(ALL_LANES, x < m.width && row[x] > 0);

        if (x % WARP_LANES == 0)
            known[x / WARP_LANES] = word;
    }
    __syncthreads();
    for (int x = (int)threadIdx.x; x < m.width; x += (int)blockDim.x) {
        const int lane = x % WARP_LANES;
        int before = x / WARP_LANES, behind = before;
        unsigned left = known[before] & ((1u << lane) - 1);
        unsigned right = known[behind] & ~((1u << lane) - 1);

        while (left == 0 && before > 0)
            left = known[--before];
        while (right == 0 && behind + 1 < n_words)
            right = known[++behind];
        before = left ? WARP_LANES * before + rtin_top(left) : -1;
        behind = right ? WARP_LANES * behind + __ffs((int)right) - 1 : m.width;
        level[(size_t)blockIdx.x * (size_t)m.width + (size_t)x] =
            behind == x ? row[x] : rtin_between(row, m.width, before, behind, x);
    }
}

/* ---- errors ---- */

static inline __host__ __device__ int lanes_of(int step)
{
    return step < 2 ? 1 : step < 8 ? step * step / 2 : step < 64 ? WARP_LANES : THREADS_A_BLOCK;
}

/* Squares of two steps that have a middle, or the middle of their upper or left side, on the
 * lattice. */
static inline __host__ __device__ int squares_of(int n, int step)
{
    return (n - 1) / (2 * step) + 1;
}

static inline __host__ __device__ int blocks_of_step(const struct rtin &r, int step)
{
    const int n = 3 * squares_of(r.cols, step) * squares_of(r.rows, step);

    return (n * lanes_of(step) + THREADS_A_BLOCK - 1) / THREADS_A_BLOCK;
}

/* The sum of the squares that are a lane's. */
DEVICE unsigned long long sum_squares(const struct task &t, const uint8_t *grey,
                                      const struct rtin_pair &p, int lane, int n_lanes)
{
    const int across = min(p.step, 8), down = n_lanes / across;
    unsigned long long sum = 0;

    for (int dy = lane / across - p.step + 1; dy < p.step; dy += down) {
        const uint8_t *const row = grey + (p.y + dy) * (long long)t.rtin.width + p.x;
        int from, to;

        if (p.y + dy < 0 || p.y + dy >= t.rtin.height)
            continue;
        rtin_row(&t.rtin, &p, dy, &from, &to);
        for (int dx = from + lane % across; dx <= to; dx += across)
            if (!t.is_free || row[dx] > 0)
                sum += rtin_square(&p, dx, dy, row[dx]);
    }
    return sum;
}

/* The largest triangles first: of these a lane has most to do. */
static __global__ void __launch_bounds__(THREADS_A_BLOCK) errors_kernel(struct task t)
{
    __shared__ unsigned long long sums[THREADS_A_BLOCK / WARP_LANES];
    const struct rtin &r = t.rtin;
    const size_t frame = blockIdx.y, n_pixels = (size_t)r.width * (size_t)r.height;
    const uint8_t *const grey = t.grey + frame * n_pixels;
    int block = (int)blockIdx.x, step = r.side / 2;

    for (int i = thread_number(); i < RTIN_CODES; i += (int)(gridDim.x * blockDim.x))
        t.count[frame * RTIN_CODES + (size_t)i] = 0;
    for (; step > 0 && block >= blocks_of_step(r, step); step /= 2)
        block -= blocks_of_step(r, step);
    if (step == 0)
        return;

    const int n_lanes = lanes_of(step), thread = block * THREADS_A_BLOCK + (int)threadIdx.x;
    const int lane = thread % n_lanes, across = squares_of(r.cols, step);
    const int n = across * squares_of(r.rows, step), square = thread / n_lanes % n;
    const int place = thread / n_lanes / n; /* of its upper side, left side, itself */
    const int x = 2 * step * (square % across) + (place != 1 ? step : 0);
    const int y = 2 * step * (square / across) + (place != 0 ? step : 0);
    const bool is_one = place < 3 && x < r.cols && y < r.rows;
    unsigned long long sum = 0;

    if (is_one)
        sum = sum_squares(t, grey, rtin_pair_of(&r, t.level + frame * n_pixels, x, y), lane,
                          n_lanes);
    for (int distance = min(n_lanes, WARP_LANES) / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, distance);
    if (n_lanes > WARP_LANES) {
        if (lane % WARP_LANES == 0)
            sums[lane / WARP_LANES] = sum;
        __syncthreads();
        for (int k = 1; k < THREADS_A_BLOCK / WARP_LANES && lane == 0; k++)
            sum += sums[k];
    }
    if (is_one && lane == 0)
        t.own[frame * (size_t)t.n_vertices + (size_t)(y * r.cols + x)] = rtin_error(sum);
}

/* ---- errors of those that need a vertex ---- */

/* The error of a vertex when a launch begins, whose smallest step is 'unit'; 0: beyond. */
DEVICE unsigned error_before(const struct task &t, const uint16_t *own, const uint16_t *error,
                             int x, int y, int unit)
{
    const struct rtin &r = t.rtin;
    unsigned most = 0;

    if (x < 0 || y < 0 || x >= r.cols || y >= r.rows || rtin_step(&r, x, y) == r.side)
        return 0;
    most = own[y * r.cols + x];
    if (unit > 1 && ((x ^ y) & unit)) /* the middle of a side */
        for (int k = 0; k < 4; k++) {
            const int u = x + (k % 2 ? unit : -unit) / 2, v = y + (k / 2 ? unit : -unit) / 2;

            if (u >= 0 && v >= 0 && u < r.cols && v < r.rows)
                most = max(most, (unsigned)error[v * r.cols + u]);
        }
    return most;
}

/* Raises the errors of the middles of squares, or of sides, in a tile. */
template <int STEP, bool IS_MIDDLE> DEVICE void raise_step(uint16_t *tile)
{
    constexpr int MOST = WIDE / (2 * STEP) + 1, AWAY = IS_MIDDLE ? STEP : STEP / 2;
    constexpr int ACROSS = IS_MIDDLE ? 0 : AWAY; /* to the sides, or to the corners */

    for (int i = (int)threadIdx.x; i < (IS_MIDDLE ? 1 : 2) * MOST * MOST;
         i += (int)blockDim.x) {
        const bool is_left = i >= MOST * MOST;
        const int x = (RIM + (is_left ? 0 : STEP)) % (2 * STEP) + 2 * STEP * (i % MOST);
        const int y = (RIM + (IS_MIDDLE || is_left ? STEP : 0)) % (2 * STEP) +
                      2 * STEP * (i / MOST % MOST);
        uint16_t *const e = tile + y * WIDE + x;

        if (x < AWAY || y < AWAY || x >= WIDE - AWAY || y >= WIDE - AWAY)
            continue;
        *e = (uint16_t)max(
            max((unsigned)*e, (unsigned)max(e[AWAY + ACROSS * WIDE], e[-AWAY - ACROSS * WIDE])),
            (unsigned)max(e[AWAY * WIDE - ACROSS], e[ACROSS - AWAY * WIDE]));
    }
    __syncthreads();
}

/* One block per tile of vertices that lie 'unit' from each other. */
static __global__ void raise_kernel(struct task t, int unit, int tiles_across)
{
    __shared__ uint16_t tile[WIDE * WIDE];
    const struct rtin &r = t.rtin;
    const size_t frame = blockIdx.y;
    const uint16_t *const own = t.own + frame * (size_t)t.n_vertices;
    uint16_t *const error = t.error + frame * (size_t)t.n_vertices;
    const int x0 = (int)blockIdx.x % tiles_across * TILE - RIM;
    const int y0 = (int)blockIdx.x / tiles_across * TILE - RIM;

    for (int i = (int)threadIdx.x; i < WIDE * WIDE; i += (int)blockDim.x)
        tile[i] = (uint16_t)error_before(t, own, error, unit * (x0 + i % WIDE),
                                         unit * (y0 + i / WIDE), unit);
    __syncthreads();
    raise_step<1, true>(tile);
    raise_step<2, false>(tile);
    raise_step<2, true>(tile);
    raise_step<4, false>(tile);
    raise_step<4, true>(tile);
    for (int i = (int)threadIdx.x; i < TILE * TILE; i += (int)blockDim.x) {
        const int u = RIM + i % TILE, v = RIM + i / TILE;
        const int x = unit * (x0 + u), y = unit * (y0 + v), step = rtin_step(&r, x, y);

        if (x < r.cols && y < r.rows && (step < OCTAVES * unit || step == r.side))
            error[y * r.cols + x] = step == r.side ? RTIN_CORNER : tile[v * WIDE + u];
    }
}

/* ---- vertices ---- */

/* Blocks of one frame share its vertices. */
static __global__ void count_kernel(struct task t)
{
    __shared__ int bins[RTIN_CODES];
    const uint16_t *const error = t.error + blockIdx.y * (size_t)t.n_vertices;
    int *const count = t.count + blockIdx.y * (size_t)RTIN_CODES;

    for (int i = (int)threadIdx.x; i < RTIN_CODES; i += (int)blockDim.x)
        bins[i] = 0;
    __syncthreads();
    for (int i = thread_number(); i < t.n_vertices; i += (int)(gridDim.x * blockDim.x))
        if (error[i] > 0 && error[i] < RTIN_CODES)
            atomicAdd(&bins[error[i]], 1);
    __syncthreads();
    for (int i = (int)threadIdx.x; i < RTIN_CODES; i += (int)blockDim.x)
        if (bins[i] > 0)
            atomicAdd(&count[i], bins[i]);
}

/* The sum over the threads of a block up to this one; *all: over all. */
DEVICE int block_sum_up_to(int value, int *all)
{
    __shared__ int sums[MANY_THREADS / WARP_LANES];
    const int lane = (int)threadIdx.x % WARP_LANES, warp = (int)threadIdx.x / WARP_LANES;
    int sum = sum_up_to(value, lane);

    __syncthreads(); /* those of an earlier call were read */
    if (lane == WARP_LANES - 1)
        sums[warp] = sum;
    __syncthreads();
    *all = 0;
    for (int k = 0; k < MANY_THREADS / WARP_LANES; k++) {
        sum += k < warp ? sums[k] : 0;
        *all += sums[k];
    }
    return sum;
}

/* The threshold of a frame, from how many vertices have which error; all threads call it. */
DEVICE int find_threshold(const struct task &t, const int *count)
{
    constexpr int EACH = RTIN_CODES / MANY_THREADS; /* errors of a thread, the greatest first */
    __shared__ int threshold;
    const int most = RTIN_CODES - 1 - EACH * (int)threadIdx.x;
    int n = t.n_neurons - rtin_n_corners(&t.rtin), own = 0, all;

    if (threadIdx.x == 0)
        threshold = 0;
    for (int k = 0; k < EACH; k++)
        own += count[most - k];
    n -= block_sum_up_to(own, &all) - own;
    for (int k = 0; k < EACH && n >= 0; k++) {
        n -= count[most - k];
        if (n < 0)
            threshold = most - k;
    }
    __syncthreads();
    return threshold;
}

/* How many of this thread's vertices are above a threshold. */
DEVICE int count_chosen(const struct task &t, const uint16_t *error, int first, int threshold)
{
    int n = 0;

    for (int i = first; i < min(first + ROUNDS, t.n_vertices); i++)
        n += error[i] > threshold;
    return n;
}

static __global__ void __launch_bounds__(MANY_THREADS) number_kernel(struct task t)
{
    const size_t frame = blockIdx.y;
    const int threshold = find_threshold(t, t.count + frame * RTIN_CODES);
    int all;

    block_sum_up_to(count_chosen(t, t.error + frame * (size_t)t.n_vertices,
                                 ROUNDS * thread_number(), threshold),
                    &all);
    if (threadIdx.x > 0)
        return;
    t.chosen[frame * gridDim.x + blockIdx.x] = all;
    if (blockIdx.x == 0)
        t.threshold[frame] = threshold;
}

static __global__ void __launch_bounds__(MANY_THREADS) write_kernel(struct task t)
{
    const size_t frame = blockIdx.y;
    const uint16_t *const error = t.error + frame * (size_t)t.n_vertices;
    float2 *const position = t.position + frame * (size_t)t.n_neurons;
    const int first = ROUNDS * thread_number(), threshold = t.threshold[frame];
    const int own = count_chosen(t, error, first, threshold);
    int before = 0, chosen = 0, n_before, n, all, place;

    for (int b = (int)threadIdx.x; b < (int)gridDim.x; b += MANY_THREADS) {
        chosen += t.chosen[frame * gridDim.x + (size_t)b];
        before += b < (int)blockIdx.x ? t.chosen[frame * gridDim.x + (size_t)b] : 0;
    }
    block_sum_up_to(before, &n_before);
    block_sum_up_to(chosen, &n);
    place = n_before + block_sum_up_to(own, &all) - own;
    for (int i = first; i < min(first + ROUNDS, t.n_vertices); i++)
        if (error[i] > threshold)
            position[place++] =
                make_float2((float)(i % t.rtin.cols) + 0.5f, (float)(i / t.rtin.cols) + 0.5f);
    for (int i = n + thread_number(); i < t.n_neurons; i += (int)(gridDim.x * blockDim.x))
        position[i] = make_float2(0, 0);
    if (thread_number() == 0)
        t.counts[frame] = {(uint64_t)n, SOM_NO_NETWORK,
                           (uint64_t)(t.is_free ? SOM_RTIN_FREE : SOM_RTIN_KEPT)};
}

/* ---- the hooks ---- */

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *const s = (struct state *)opaque;
    const struct som_input *const in = (const struct som_input *)input;
    const size_t n_frames = (size_t)in->n_frames;
    struct device_arrays *const arrays = &s->maps.arrays;
    struct task *const t = &s->task;
    size_t n;

    TRY(rtin_of_input(in, &t->rtin));
    TRY(maps_setup(&s->maps, ctx, input, output));
    t->n_neurons = s->maps.mesh.n_neurons;
    t->n_vertices = t->rtin.cols * t->rtin.rows;
    t->is_free = bench_is(ctx->params, "background", "free");
    n = n_frames * (size_t)t->n_vertices;
    TRY(make_array(arrays, &t->own, n));
    TRY(make_array(arrays, &t->error, n));
    TRY(make_array(arrays, &t->count, n_frames * RTIN_CODES));
    TRY(make_array(arrays, &t->chosen,
                   n_frames * blocks_of((size_t)t->n_vertices, ROUNDS * MANY_THREADS)));
    TRY(make_array(arrays, &t->threshold, n_frames));
    if (t->is_free)
        TRY(make_array(arrays, &s->d_filled, n_frames * som_n_pixels(in)));
    t->grey = s->maps.d_grey;
    t->level = t->is_free ? s->d_filled : t->grey;
    t->position = s->maps.d_position;
    t->counts = s->maps.d_counts;
    return bench_set_kernel_info(ctx, (const void *)errors_kernel, THREADS_A_BLOCK, 0);
}

/* No rates. */
static enum bench_status upload(void *opaque)
{
    return bench_array_upload(&((struct state *)opaque)->maps.grey);
}

static enum bench_status run(void *opaque)
{
    const struct state *const s = (const struct state *)opaque;
    const struct task &t = s->task;
    const cudaStream_t stream = s->maps.stream;
    const unsigned n_frames = (unsigned)s->maps.in->n_frames;
    const unsigned n_blocks = blocks_of((size_t)t.n_vertices, ROUNDS * MANY_THREADS);
    int n = 1; /* that clears the counts */

    if (t.is_free) {
        fill_kernel<<<n_frames *(unsigned)t.rtin.height, THREADS_A_BLOCK, 0, stream>>>(
            s->maps.mesh, t.grey, s->d_filled);
        CUDA_TRY_LAUNCH();
    }
    for (int step = 1; step < t.rtin.side; step *= 2)
        n += blocks_of_step(t.rtin, step);
    errors_kernel<<<dim3((unsigned)n, n_frames), THREADS_A_BLOCK, 0, stream>>>(t);
    CUDA_TRY_LAUNCH();
    bench_stage(s->maps.ctx->stages, "errors");
    for (int unit = 1; unit == 1 || unit < t.rtin.side; unit *= OCTAVES) {
        const unsigned across = blocks_of((size_t)((t.rtin.cols - 1) / unit + 1), TILE);
        const unsigned down = blocks_of((size_t)((t.rtin.rows - 1) / unit + 1), TILE);

        raise_kernel<<<dim3(across * down, n_frames), 2 * THREADS_A_BLOCK, 0, stream>>>(
            t, unit, (int)across);
        CUDA_TRY_LAUNCH();
    }
    bench_stage(s->maps.ctx->stages, "raise");
    count_kernel<<<dim3((unsigned)s->maps.ctx->n_sms, n_frames), MANY_THREADS, 0, stream>>>(t);
    CUDA_TRY_LAUNCH();
    number_kernel<<<dim3(n_blocks, n_frames), MANY_THREADS, 0, stream>>>(t);
    CUDA_TRY_LAUNCH();
    bench_stage(s->maps.ctx->stages, "threshold");
    write_kernel<<<dim3(n_blocks, n_frames), MANY_THREADS, 0, stream>>>(t);
    CUDA_TRY_LAUNCH();
    bench_stage(s->maps.ctx->stages, "vertices");
    return BENCH_OK;
}
#endif

BENCH_IMPL(som_gpu_rtin) = {
    .name = "som/gpu-rtin",
    .problem = &som_problem,
    .target = BENCH_CUDA,
    .source = "som/rtin, a launch for all triangles",
    .reference = "som/rounds",
    .other = "bisection",
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

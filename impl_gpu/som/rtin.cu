/*
 * som/gpu-rtin - a mesh by bisection: all triangles of all sizes at once
 *
 * Source:  som/rtin, whose bits it has; harness/problems/som/rtin.h has the rule.
 * Kernels: fill     a block a row: levels over the background, where it is free
 *          errors   1 to 32 lanes a vertex, by the size of its triangles, all sizes in one
 *                   launch: the error of each vertex alone
 *          raise    a thread a vertex, a launch for half a size: no less than what needs it
 *          count    how many vertices have which error
 *          number   the threshold, by each block again, and how many vertices of a block are
 *                   above it
 *          write    the vertices behind those of the blocks before
 * Exact:   whole numbers; atomics only count.
 * Left:    a block could raise three sizes at once in a tile with a rim of 10 vertices.
 */
#include "harness/measure/impl.h"
#include "harness/problems/som/rtin.h"

static const struct bench_key keys[] = {
    SOM_BACKGROUND_KEY,
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#ifdef __CUDACC__
#include "impl_gpu/som/mesh.cuh"

#define MANY_THREADS 1024
#define EACH         8 /* vertices of a thread, side by side */

struct task {
    struct rtin rtin;
    int n_neurons, n_vertices; /* at most; of the lattice */
    bool is_free;
    const uint8_t *grey;       /* [n_frames][height][width] */
    uint8_t *filled;           /* [n_frames][height][width], or 'grey': levels of vertices */
    uint16_t *error;           /* [n_frames][rows][cols]: of vertices */
    int *count;                /* [n_frames][RTIN_CODES]: vertices with an error */
    int *chosen;               /* [n_frames][blocks]: vertices of a block */
    int *threshold;            /* [n_frames] */
    float2 *position;          /* [n_frames][n_neurons] */
    struct som_counts *counts; /* [n_frames] */
};

struct state {
    struct maps maps; /* hooks use it: the first member */
    struct task task;
};

/* The task of this block's frame. */
DEVICE struct task of_frame(struct task t)
{
    const size_t frame = blockIdx.y, n_pixels = (size_t)t.rtin.width * (size_t)t.rtin.height;

    t.grey += frame * n_pixels;
    t.filled += frame * n_pixels;
    t.error += frame * (size_t)t.n_vertices;
    t.count += frame * RTIN_CODES;
    t.chosen += frame * gridDim.x;
    t.threshold += frame;
    t.position += frame * (size_t)t.n_neurons;
    t.counts += frame;
    return t;
}

/* ---- levels over the background ---- */

/* One block per row. */
static __global__ void fill_kernel(struct task t)
{
    __shared__ unsigned known[SOM_MAX_SIDE / WARP_LANES];
    const int width = t.rtin.width, n_words = (width + WARP_LANES - 1) / WARP_LANES;
    const size_t first = (size_t)blockIdx.x * (size_t)width;

    t = of_frame(t);
    for (int x = (int)threadIdx.x; x < n_words * WARP_LANES; x += (int)blockDim.x) {
        const unsigned word = __ballot_sync(ALL_LANES, x < width && t.grey[first + x] > 0);

        if (x % WARP_LANES == 0)
            known[x / WARP_LANES] = word;
    }
    __syncthreads();
    for (int x = (int)threadIdx.x; x < width; x += (int)blockDim.x) {
        const unsigned before = (1u << x % WARP_LANES) - 1;
        int from = x / WARP_LANES, to = from;
        unsigned left = known[from] & before, right = known[to] & ~before;

        while (left == 0 && from > 0)
            left = known[--from];
        while (right == 0 && to + 1 < n_words)
            right = known[++to];
        from = left ? WARP_LANES * from + rtin_top(left) : -1;
        to = right ? WARP_LANES * to + __ffs((int)right) - 1 : width;
        t.filled[first + x] =
            to == x ? t.grey[first + x] : rtin_between(t.grey + first, width, from, to, x);
    }
}

/* ---- errors ---- */

/* Lanes of a vertex, all of which have pixels. */
static inline __host__ __device__ int lanes_of(int step)
{
    return step < 2 ? 1 : step < 8 ? step * step / 2 : WARP_LANES;
}

/* Vertices at multiples of a step, of which most have no larger one. */
static inline __host__ __device__ int multiples_of(const struct rtin &r, int step)
{
    return ((r.cols - 1) / step + 1) * ((r.rows - 1) / step + 1);
}

/* The i-th of them; false: it has a larger step, or there is none. */
DEVICE bool find_vertex(const struct rtin &r, int step, int i, int *x, int *y)
{
    const int across = (r.cols - 1) / step + 1;

    *x = step * (i % across);
    *y = step * (i / across);
    return *y < r.rows && ((*x | *y) & step);
}

static inline __host__ __device__ int blocks_of_step(const struct rtin &r, int step)
{
    return (multiples_of(r, step) * lanes_of(step) + THREADS_A_BLOCK - 1) / THREADS_A_BLOCK;
}

/* The sum of the squares at a lane's pixels. */
DEVICE unsigned long long sum_squares(const struct task &t, const struct rtin_pair &p, int lane,
                                      int n_lanes)
{
    const int across = min(p.step, 8), down = n_lanes / across;
    unsigned long long sum = 0;

    for (int dy = lane / across - p.step + 1; dy < p.step; dy += down) {
        const int y = p.y + dy;
        const uint8_t *const row = t.grey + y * (long long)t.rtin.width + p.x;
        int from, to;

        if (y < 0 || y >= t.rtin.height)
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
    const struct rtin &r = t.rtin;
    const int n_threads = (int)(gridDim.x * blockDim.x), across = (r.cols - 1) / r.side + 1;
    int block = (int)blockIdx.x, step = r.side / 2, x, y;
    unsigned long long sum = 0;

    t = of_frame(t);
    for (int i = thread_number(); i < RTIN_CODES; i += n_threads)
        t.count[i] = 0;
    for (int i = thread_number(); i < r.n_corners; i += n_threads)
        t.error[r.side * (i / across * r.cols + i % across)] = RTIN_CORNER;
    for (; step > 0 && block >= blocks_of_step(r, step); step /= 2)
        block -= blocks_of_step(r, step);
    if (step == 0)
        return;

    const int n_lanes = lanes_of(step), thread = block * THREADS_A_BLOCK + (int)threadIdx.x;
    const bool is_one = find_vertex(r, step, thread / n_lanes, &x, &y);

    if (is_one)
        sum = sum_squares(t, rtin_pair_of(&r, t.filled, x, y), thread % n_lanes, n_lanes);
    for (int distance = n_lanes / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, distance);
    if (is_one && thread % n_lanes == 0)
        t.error[y * r.cols + x] = rtin_error(sum);
}

/* Raises the errors of vertices in the middles of squares, or of their sides. */
static __global__ void raise_kernel(struct task t, int step, bool is_middle)
{
    const struct rtin &r = t.rtin;
    int x, y;

    t = of_frame(t);
    if (find_vertex(r, step, thread_number(), &x, &y) && is_middle == ((x & y & step) > 0))
        t.error[y * r.cols + x] = rtin_raised(&r, t.error, x, y);
}

/* ---- vertices ---- */

static __global__ void count_kernel(struct task t)
{
    __shared__ int bins[RTIN_CODES];

    t = of_frame(t);
    for (int i = (int)threadIdx.x; i < RTIN_CODES; i += (int)blockDim.x)
        bins[i] = 0;
    __syncthreads();
    for (int i = thread_number(); i < t.n_vertices; i += (int)(gridDim.x * blockDim.x))
        if (t.error[i] > 0 && t.error[i] < RTIN_CODES)
            atomicAdd(&bins[t.error[i]], 1);
    __syncthreads();
    for (int i = (int)threadIdx.x; i < RTIN_CODES; i += (int)blockDim.x)
        if (bins[i] > 0)
            atomicAdd(&t.count[i], bins[i]);
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

/* Returns the least threshold with which the vertices are few enough; all threads call it. */
DEVICE int find_threshold(const struct task &t)
{
    constexpr int CODES = RTIN_CODES / MANY_THREADS; /* of a thread, the greatest first */
    __shared__ int threshold;
    const int *const count = t.count + RTIN_CODES - 1 - CODES * (int)threadIdx.x;
    int n = t.n_neurons - t.rtin.n_corners, own = 0, all;

    if (threadIdx.x == 0)
        threshold = 0;
    for (int k = 0; k < CODES; k++)
        own += count[-k];
    n -= block_sum_up_to(own, &all) - own;
    for (int k = 0; k < CODES && n >= 0; k++) {
        n -= count[-k];
        if (n < 0)
            threshold = (int)(count - k - t.count);
    }
    __syncthreads();
    return threshold;
}

/* Returns how many of this thread's vertices are above a threshold. */
DEVICE int count_chosen(const struct task &t, int threshold)
{
    const int first = EACH * thread_number();
    int n = 0;

    for (int i = first; i < min(first + EACH, t.n_vertices); i++)
        n += t.error[i] > threshold;
    return n;
}

static __global__ void __launch_bounds__(MANY_THREADS) number_kernel(struct task t)
{
    int threshold, all;

    t = of_frame(t);
    threshold = find_threshold(t);
    block_sum_up_to(count_chosen(t, threshold), &all);
    if (threadIdx.x == 0)
        t.chosen[blockIdx.x] = all;
    if (thread_number() == 0)
        *t.threshold = threshold;
}

static __global__ void __launch_bounds__(MANY_THREADS) write_kernel(struct task t)
{
    const int first = EACH * thread_number();
    int before = 0, chosen = 0, n_before, n, all, own, place, threshold;

    t = of_frame(t);
    threshold = *t.threshold;
    for (int b = (int)threadIdx.x; b < (int)gridDim.x; b += MANY_THREADS) {
        chosen += t.chosen[b];
        before += b < (int)blockIdx.x ? t.chosen[b] : 0;
    }
    block_sum_up_to(before, &n_before);
    block_sum_up_to(chosen, &n);
    own = count_chosen(t, threshold);
    place = n_before + block_sum_up_to(own, &all) - own;
    for (int i = first; i < min(first + EACH, t.n_vertices); i++)
        if (t.error[i] > threshold)
            t.position[place++] =
                make_float2((float)(i % t.rtin.cols) + 0.5f, (float)(i / t.rtin.cols) + 0.5f);
    for (int i = n + thread_number(); i < t.n_neurons; i += (int)(gridDim.x * blockDim.x))
        t.position[i] = make_float2(0, 0);
    if (thread_number() == 0)
        *t.counts = {(uint64_t)n, SOM_NO_NETWORK,
                     (uint64_t)(t.is_free ? SOM_RTIN_FREE : SOM_RTIN_KEPT)};
}

/* ---- the hooks ---- */

static unsigned blocks_of_vertices(const struct task &t)
{
    return blocks_of((size_t)t.n_vertices, EACH * MANY_THREADS);
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *const s = (struct state *)opaque;
    const struct som_input *const in = (const struct som_input *)input;
    const size_t n_frames = (size_t)in->n_frames;
    struct device_arrays *const arrays = &s->maps.arrays;
    struct task *const t = &s->task;

    TRY(rtin_of(in, &t->rtin));
    TRY(maps_setup(&s->maps, ctx, input, output));
    t->n_neurons = s->maps.mesh.n_neurons;
    t->n_vertices = t->rtin.cols * t->rtin.rows;
    t->is_free = bench_is(ctx->params, "background", "free");
    t->grey = t->filled = s->maps.d_grey;
    t->position = s->maps.d_position;
    t->counts = s->maps.d_counts;
    TRY(make_array(arrays, &t->error, n_frames * (size_t)t->n_vertices));
    TRY(make_array(arrays, &t->count, n_frames * RTIN_CODES));
    TRY(make_array(arrays, &t->chosen, n_frames * blocks_of_vertices(*t)));
    TRY(make_array(arrays, &t->threshold, n_frames));
    if (t->is_free)
        TRY(make_array(arrays, &t->filled, n_frames * som_n_pixels(in)));
    return bench_set_kernel_info(ctx, (const void *)errors_kernel, THREADS_A_BLOCK, 0);
}

/* No rates. */
static enum bench_status upload(void *opaque)
{
    const struct maps *const f = &((struct state *)opaque)->maps;

    return bench_array_upload(f->ctx->map ? &f->levels : &f->grey);
}

/* Launches a kernel on all frames. */
template <typename... PARAMETERS, typename... ARGUMENTS>
static enum bench_status on_frames(const struct state *s, void (*kernel)(PARAMETERS...),
                                   unsigned n_blocks, unsigned n_threads,
                                   ARGUMENTS... arguments)
{
    kernel<<<dim3(n_blocks, (unsigned)s->maps.in->n_frames), n_threads, 0, s->maps.stream>>>(
        s->task, arguments...);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

static enum bench_status run(void *opaque)
{
    const struct state *const s = (const struct state *)opaque;
    const struct bench_ctx *const ctx = s->maps.ctx;
    const struct rtin &r = s->task.rtin;
    int n_blocks = 1; /* so that counts are cleared */

    if (s->task.is_free)
        TRY(on_frames(s, fill_kernel, (unsigned)r.height, THREADS_A_BLOCK));
    for (int step = 1; step < r.side; step *= 2)
        n_blocks += blocks_of_step(r, step);
    TRY(on_frames(s, errors_kernel, (unsigned)n_blocks, THREADS_A_BLOCK));
    bench_stage(ctx->stages, "errors");
    for (int step = 1; step < r.side; step *= 2)
        for (int k = step == 1; k < 2; k++)
            TRY(on_frames(s, raise_kernel,
                          blocks_of((size_t)multiples_of(r, step), THREADS_A_BLOCK),
                          THREADS_A_BLOCK, step, k > 0));
    bench_stage(ctx->stages, "raise");
    TRY(on_frames(s, count_kernel, (unsigned)ctx->n_sms, MANY_THREADS));
    TRY(on_frames(s, number_kernel, blocks_of_vertices(s->task), MANY_THREADS));
    TRY(on_frames(s, write_kernel, blocks_of_vertices(s->task), MANY_THREADS));
    bench_stage(ctx->stages, "vertices");
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
    .take = maps_take,
    .poison = maps_poison,
    .run = run,
    .download = maps_download,
    .teardown = maps_teardown,
#endif
};

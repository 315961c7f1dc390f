/*
 * sgm/gpu-paper - a kernel for the matching costs, one for each direction of paths, one that
 * chooses
 *
 * Source:  [SGM] sect. 3: costs and the path costs of each direction are volumes in memory, a
 *          byte a disparity; a path is a warp's, whose lanes have 2, 4 or 8 neighbouring
 *          disparities each, in registers, and see each other's by shuffles.
 * Mapping: census, median: a thread a pixel.  Costs: a warp a pixel.  Paths: a warp a path.
 *          Choice: a block a row, a warp a pixel at a time; the best of the right image by
 *          atomic minima in shared memory, since the paper checks nothing.
 * Work:    n_paths volumes written and read, the costs written once and read n_paths times.
 */
#include "harness/measure/impl.h"
#include "harness/problems/sgm/sgm.h"

#ifdef __CUDACC__
#include "impl_gpu/sgm/pair.cuh"

#define PATH_THREADS 128
#define ROW_THREADS  256
#define MOST_COLUMNS 6144 /* a row's best of both images fit in 48 KiB */
#define FAR          0x7FFF

template <int PER_LANE> DEVICE void load(const uint8_t *from, int *to)
{
    const typename bytes<PER_LANE>::word word =
        *(const typename bytes<PER_LANE>::word *)(const void *)from;

#pragma unroll
    for (int k = 0; k < PER_LANE; k++)
        to[k] = (int)(word >> 8 * k & 255);
}

template <int PER_LANE> DEVICE void store(const int *from, uint8_t *to)
{
    typename bytes<PER_LANE>::word word = 0;

#pragma unroll
    for (int k = 0; k < PER_LANE; k++)
        word = (typename bytes<PER_LANE>::word)(word | (typename bytes<PER_LANE>::word)from[k]
                                                           << 8 * k);
    *(typename bytes<PER_LANE>::word *)(void *)to = word;
}

template <int PER_LANE>
static __global__ void __launch_bounds__(PATH_THREADS)
    cost_kernel(const uint32_t *__restrict__ left, const uint32_t *__restrict__ right,
                int n_cols, unsigned n_pixels, uint8_t *__restrict__ costs)
{
    const unsigned at = blockIdx.x * (PATH_THREADS / WARP_LANES) + threadIdx.x / WARP_LANES;
    const int lane = (int)(threadIdx.x % WARP_LANES), x = (int)(at % (unsigned)n_cols);
    int cost[PER_LANE];

    if (at >= n_pixels)
        return;
#pragma unroll
    for (int k = 0; k < PER_LANE; k++) {
        const int d = lane * PER_LANE + k;

        cost[k] = __popc(left[at] ^ (d <= x ? right[at - (unsigned)d] : 0));
    }
    store<PER_LANE>(cost, costs + ((size_t)at * WARP_LANES + (size_t)lane) * PER_LANE);
}

/* Path i of a direction: along rows, along columns, or from the row and the column where they
 * begin. */
DEVICE bool first_of_path(int i, int dx, int dy, int n_cols, int n_rows, int *x, int *y)
{
    const bool from_row = dy != 0 && i < n_cols;
    const int n_more = dx == 0 ? 0 : dy == 0 ? n_rows : n_rows - 1, k = dy ? i - n_cols : i;

    *x = from_row ? i : dx > 0 ? 0 : n_cols - 1;
    *y = from_row ? (dy > 0 ? 0 : n_rows - 1) : dy < 0 ? n_rows - 2 - k : k + (dy > 0);
    return from_row || k < n_more;
}

/* A path from its first pixel on; before it nothing costs anything. */
template <int PER_LANE>
static __global__ void __launch_bounds__(PATH_THREADS)
    path_kernel(const uint8_t *__restrict__ costs, int n_cols, int n_rows, int dx, int dy,
                int p1, int p2, uint8_t *__restrict__ paths)
{
    const int lane = (int)(threadIdx.x % WARP_LANES);
    const ptrdiff_t step = ((ptrdiff_t)dy * n_cols + dx) * WARP_LANES * PER_LANE;
    int least = 0, cost[PER_LANE], before[PER_LANE] = {0}, x, y;

    if (!first_of_path(
            (int)(blockIdx.x * (PATH_THREADS / WARP_LANES) + threadIdx.x / WARP_LANES), dx, dy,
            n_cols, n_rows, &x, &y))
        return;
    ptrdiff_t at = (((ptrdiff_t)y * n_cols + x) * WARP_LANES + lane) * PER_LANE;
    for (; x >= 0 && x < n_cols && y >= 0 && y < n_rows; x += dx, y += dy, at += step) {
        int below = __shfl_up_sync(ALL_LANES, before[PER_LANE - 1], 1);
        int above = __shfl_down_sync(ALL_LANES, before[0], 1);
        int last, own = FAR;

        load<PER_LANE>(costs + at, cost);
        last = below = lane == 0 ? FAR : below;
        above = lane == WARP_LANES - 1 ? FAR : above;
#pragma unroll
        for (int k = 0; k < PER_LANE; k++) {
            const int next = k < PER_LANE - 1 ? before[k + 1] : above, same = before[k];

            before[k] = cost[k] - least + min(min(same, min(last, next) + p1), least + p2);
            last = same;
            own = min(own, before[k]);
        }
        least = (int)warp_min((unsigned)own);
        store<PER_LANE>(before, paths + at);
    }
}

/* The sums of a pixel; returns the least of all, with its disparity in the low byte. */
template <int PER_LANE>
DEVICE unsigned sum_paths(const uint8_t *paths, int n_paths, size_t volume, int lane, int *sum)
{
    unsigned key = ALL_LANES;

#pragma unroll
    for (int k = 0; k < PER_LANE; k++)
        sum[k] = 0;
    for (int path = 0; path < n_paths; path++) {
        int cost[PER_LANE];

        load<PER_LANE>(paths + (size_t)path * volume + lane * PER_LANE, cost);
#pragma unroll
        for (int k = 0; k < PER_LANE; k++)
            sum[k] += cost[k];
    }
#pragma unroll
    for (int k = 0; k < PER_LANE; k++)
        key = min(key, (unsigned)(sum[k] << 8 | (lane * PER_LANE + k)));
    return warp_min(key);
}

/* Each sum goes to the pixel of the right image that it is of, too. */
template <int PER_LANE>
static __global__ void __launch_bounds__(ROW_THREADS)
    choose_kernel(const uint8_t *__restrict__ paths, int n_paths, size_t volume, int n_cols,
                  int lr_check, int uniqueness, int is_subpixel, uint16_t *__restrict__ best,
                  uint8_t *__restrict__ valid)
{
    /* of the right image the least sum and, lowest, its disparity; of the left one that alone:
     * [2][n_cols] */
    extern __shared__ uint32_t of_right[];
    uint32_t *const of_left = of_right + n_cols;
    const int lane = (int)(threadIdx.x % WARP_LANES), n = WARP_LANES * PER_LANE;
    const size_t row = (size_t)blockIdx.x * (size_t)n_cols;

    for (int x = (int)threadIdx.x; x < n_cols; x += ROW_THREADS)
        of_right[x] = ALL_LANES;
    __syncthreads();
    for (int x = (int)(threadIdx.x / WARP_LANES); x < n_cols; x += ROW_THREADS / WARP_LANES) {
        int sum[PER_LANE];
        const unsigned key = sum_paths<PER_LANE>(paths + (row + (size_t)x) * (size_t)n, n_paths,
                                                 volume, lane, sum);
        const int d = (int)(key & 255), least = (int)(key >> 8);
        int before = FAR, after = FAR, other = FAR, value = d * SGM_SCALE;

#pragma unroll
        for (int k = 0; k < PER_LANE; k++) {
            const int own = lane * PER_LANE + k;

            if (own <= x && lr_check >= 0)
                atomicMin(&of_right[x - own], (uint32_t)(sum[k] << 8 | own));
            before = own == d - 1 ? sum[k] : before;
            after = own == d + 1 ? sum[k] : after;
            other = own < d - 1 || own > d + 1 ? min(other, sum[k]) : other;
        }
        before = (int)warp_min((unsigned)before);
        after = (int)warp_min((unsigned)after);
        other = (int)warp_min((unsigned)other);
        if (is_subpixel && d > 0 && d < n - 1)
            value += SGM_SCALE / 16 * sgm_sixteenths(before, least, after);
        if (lane == 0) {
            of_left[x] = (uint32_t)d;
            best[row + (size_t)x] = (uint16_t)value;
            valid[row + (size_t)x] = (uint8_t)(other * uniqueness >= least * 100);
        }
    }
    __syncthreads();
    for (int x = (int)threadIdx.x; x < n_cols && lr_check >= 0; x += ROW_THREADS) {
        const int d = (int)of_left[x];

        if (d > x || abs((int)(of_right[x - d] & 255) - d) > lr_check)
            valid[row + (size_t)x] = 0;
    }
}

typedef void cost_function(const uint32_t *, const uint32_t *, int, unsigned, uint8_t *);
typedef void path_function(const uint8_t *, int, int, int, int, int, int, uint8_t *);
typedef void choose_function(const uint8_t *, int, size_t, int, int, int, int, uint16_t *,
                             uint8_t *);

struct state {
    struct pair pair; /* first: its hooks are the variant's */
    cost_function *cost;
    path_function *path;
    choose_function *choose;
    size_t volume; /* bytes */
    uint8_t *d_costs, *d_paths;
};

static enum bench_status run_frame(const struct pair *p, int frame)
{
    static const int8_t steps[SGM_MAX_PATHS][2] = SGM_PATH_STEPS;
    const struct state *const s = (const struct state *)p;
    const struct sgm_input *const in = p->in;

    TRY(make_census(p, frame));
    TRY(launch(s->cost, p->n_pixels * WARP_LANES, PATH_THREADS, p->stream,
               (const uint32_t *)p->d_census[0], (const uint32_t *)p->d_census[1], in->n_cols,
               (unsigned)p->n_pixels, s->d_costs));
    bench_stage(*p->stages, "costs");
    for (int i = 0; i < in->n_paths; i++) {
        const int dx = steps[i][0], dy = steps[i][1];
        const int n = dy == 0 ? in->n_rows : dx == 0 ? in->n_cols : in->n_cols + in->n_rows - 1;

        TRY(launch(s->path, (size_t)n * WARP_LANES, PATH_THREADS, p->stream,
                   (const uint8_t *)s->d_costs, in->n_cols, in->n_rows, dx, dy, in->p1, in->p2,
                   s->d_paths + (size_t)i * s->volume));
    }
    bench_stage(*p->stages, "paths");
    TRY(launch_with((size_t)in->n_cols * 2 * sizeof(uint32_t), s->choose,
                    (size_t)in->n_rows * ROW_THREADS, ROW_THREADS, p->stream,
                    (const uint8_t *)s->d_paths, in->n_paths, s->volume, in->n_cols,
                    in->lr_check, in->uniqueness, in->subpixel, p->d_best, p->d_valid));
    bench_stage(*p->stages, "choice");
    return finish_frame(p, frame);
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *const s = (struct state *)opaque;
    const struct sgm_input *const in = (const struct sgm_input *)input;

    if (in->n_cols > MOST_COLUMNS)
        return BENCH_FAIL(BENCH_ESKIP,
                          "a row's best fit in shared memory to %d columns, found %d",
                          MOST_COLUMNS, in->n_cols);
    TRY(pair_setup(&s->pair, ctx, input, output, run_frame));
    for (int i = 0; i < 2; i++)
        TRY(make_array(&s->pair.arrays, &s->pair.d_census[i], s->pair.n_pixels));
    s->volume = s->pair.n_pixels * (size_t)in->n_disparities;
    TRY(make_array(&s->pair.arrays, &s->d_costs, s->volume));
    TRY(make_array(&s->pair.arrays, &s->d_paths, s->volume * (size_t)in->n_paths));
    if (in->n_disparities == 64) {
        s->cost = cost_kernel<2>;
        s->path = path_kernel<2>;
        s->choose = choose_kernel<2>;
    } else if (in->n_disparities == 128) {
        s->cost = cost_kernel<4>;
        s->path = path_kernel<4>;
        s->choose = choose_kernel<4>;
    } else {
        s->cost = cost_kernel<8>;
        s->path = path_kernel<8>;
        s->choose = choose_kernel<8>;
    }
    return bench_set_kernel_info(ctx, (const void *)s->path, PATH_THREADS, 0);
}
#endif

BENCH_IMPL(sgm_gpu_paper) = {
    .name = "sgm/gpu-paper",
    .problem = &sgm_problem,
    .target = BENCH_CUDA,
    .source = "[SGM] sect. 3, a kernel a direction of paths",
    .reference = "sgm/serial",
    .other = NULL,
    .needs = NULL,
    .keys = NULL,
#ifdef __CUDACC__
    .state_size = sizeof(struct state),
    .setup = setup,
    .upload = pair_upload,
    .poison = pair_poison,
    .run = pair_run,
    .download = pair_download,
    .teardown = pair_teardown,
#endif
};

/*
 * rdp/gpu-paper - one block per column, one thread per pixel, a segmented arg-max per round
 *
 * Source:  [RDP] Algorithm 3, sections 4.3-4.4; line numbers below are the algorithm's.
 * Mapping: blockIdx.x = column, threadIdx.x = row; n_rows <= 1024, threads rounded up to whole warps.
 * Shared:  data, and maxCost and argMax twice: 18 bytes a row.
 * Work:    rounds * log2(n_rows) strides; two barriers each, one for the last five with unroll = 5.
 *
 * Deviation: exact integers instead of floats (rdp_model.h), so that all variants agree bit for bit.
 *
 * Repairs of the printed form, which does not terminate and cuts wrongly:
 *   1 progress    lines 19-23 act only where maxCost[last] > 0; a finished segment's last thread found its own
 *                 index in argMax and reported "not converged" for ever.
 *   2 zeros       the same guard keeps a straight segment, whose costs are all 0, from being cut.
 *   3 stale first a thread that becomes a cut sets last = i: segments are half open, (first, last], and the cut
 *                 is the slot in which the maximum of its left segment arrives.
 *   4 ties        line 14 compares (cost, then smaller index): strides meet the points in no particular order.
 *   5 any height  line 13 starts at half of the next power of two; halving another number skips offsets.
 *   6 torn pairs  lines 14-16 read both words into registers, meet a barrier, then write.
 *   7 convergence __syncthreads_or is barrier and vote in one; the shared flag was reset while slow threads read it.
 *   8 unrolling   the last five strides reach into the warp before, so dropping their barriers, as for a reduction
 *                 inside one warp, is a race.  Unrolled, they read one copy of the slots and write the other: one
 *                 barrier each instead of two.  (Carrying the 32 slots before a warp along in registers
 *                 and shuffling both needs no barrier at all; it was exact and 20 % slower on an H200.)
 *   9 equality    line 9 clears costs up to and including epsilon: a point is kept if strictly farther.
 *  10 polarity    cuts[i] is 1 for kept rows, as packed bits.
 * Added: invalid points (rdp.h), which cost nothing and are never kept; segments and rounds are written, too.
 */
#include "impl_gpu/rdp/columns.cuh"
#include "impl_gpu/rdp/paper_keys.h"

#define MAX_ROWS      1024 /* [RDP] section 5: the threads that one block can have */
#define ALL_LANES     0xFFFFFFFFu
#define UNROLLED      16 /* the first of the last five strides */
#define BYTES_PER_ROW 18 /* of shared memory */

/* Does (cost, row) 'other' come before (cost, row) in the order of repair 4? */
static __device__ __forceinline__ bool beats(uint32_t other_cost, int other_arg, uint32_t cost,
                                             int arg)
{
    return other_cost > cost || (other_cost == cost && other_arg < arg);
}

/*
 * y [n_columns][n_rows], 1/256 px -> kept [n_columns][blockDim.x / 32], segments and rounds [n_columns].
 * first_stride: half of the least power of two >= n_rows.
 */
template <bool UNROLL, bool SKIP>
static __global__ void __launch_bounds__(MAX_ROWS)
    segment_kernel(const uint16_t *__restrict__ y, int n_rows, int first_stride,
                   uint32_t epsilon_q8, uint32_t *__restrict__ kept,
                   int32_t *__restrict__ segments, int32_t *__restrict__ rounds)
{
    extern __shared__ uint32_t shared[];
    uint32_t *max_cost = shared;
    int32_t *arg_max = (int32_t *)(max_cost + blockDim.x);
    uint32_t *other_max_cost = (uint32_t *)(arg_max + blockDim.x); /* the copy of repair 8 */
    int32_t *other_arg_max = (int32_t *)(other_max_cost + blockDim.x);
    uint16_t *data = (uint16_t *)(other_arg_max + blockDim.x);
    uint32_t *result_cost = UNROLL ? other_max_cost : max_cost; /* where the strides end */
    int32_t *result_arg = UNROLL ? other_arg_max : arg_max;
    __shared__ int first_valid, last_valid;

    const int i = (int)threadIdx.x, lane = i % RDP_WARP;
    const size_t column = blockIdx.x;
    const int value = i < n_rows ? y[column * (size_t)n_rows + (size_t)i] : RDP_INVALID;
    const unsigned valid_lanes = __ballot_sync(ALL_LANES, value != RDP_INVALID);

    data[i] = (uint16_t)value;
    if (i == 0) {
        first_valid = n_rows;
        last_valid = -1;
    }
    __syncthreads();
    if (lane == 0 && valid_lanes) {
        atomicMin(&first_valid, i + __ffs((int)valid_lanes) - 1);
        atomicMax(&last_valid, i + RDP_WARP - 1 - __clz((int)valid_lanes));
    }
    __syncthreads();

    int first = first_valid, last = last_valid;
    bool is_end = i == first || i == last;
    bool open = value != RDP_INVALID && !is_end; /* localCut: may still be cut */
    bool solved = false;
    int n_rounds = 0;
    bool again = false;

    if (first >= last) { /* fewer than two valid rows; the same for all threads */
        is_end = open = false;
        n_rounds = 1;
    } else {
        do { /* each pass but the last keeps a point, so this ends */
            const int idx = i - first;
            uint32_t cost = 0;
            int arg = i;

            if (!SKIP || !solved) {
                if (open) {
                    const int y_first = data[first], length = last - first;

                    cost = rdp_cost(data[last] - y_first, length, y_first, value, idx);
                    if (!rdp_exceeds_vertical(cost, length, epsilon_q8))
                        cost = 0;
                }
                max_cost[i] = cost;
                arg_max[i] = arg;
            }
            __syncthreads();

            for (int stride = first_stride; stride > (UNROLL ? UNROLLED : 0); stride /= 2) {
                const bool reads = idx > stride && !(SKIP && solved);
                uint32_t other_cost = 0;
                int other_arg = 0;

                if (reads) {
                    other_cost = max_cost[i - stride];
                    other_arg = arg_max[i - stride];
                }
                __syncthreads();
                if (reads && beats(other_cost, other_arg, cost, arg)) {
                    max_cost[i] = cost = other_cost;
                    arg_max[i] = arg = other_arg;
                }
                __syncthreads();
            }
            if (UNROLL) {
                uint32_t *from_cost = max_cost, *to_cost = other_max_cost;
                int32_t *from_arg = arg_max, *to_arg = other_arg_max;

#pragma unroll
                for (int stride = UNROLLED; stride > 0; stride /= 2) {
                    uint32_t *const swap_cost = from_cost;
                    int32_t *const swap_arg = from_arg;

                    if (!SKIP || !solved) {
                        if (idx > stride) {
                            const uint32_t other_cost = from_cost[i - stride];
                            const int other_arg = from_arg[i - stride];

                            if (beats(other_cost, other_arg, cost, arg)) {
                                cost = other_cost;
                                arg = other_arg;
                            }
                        }
                        to_cost[i] = cost;
                        to_arg[i] = arg;
                    }
                    __syncthreads();
                    from_cost = to_cost;
                    from_arg = to_arg;
                    to_cost = swap_cost;
                    to_arg = swap_arg;
                }
            }

            bool selected = false;

            if (!SKIP || !solved) {
                if (result_cost[last] > 0) {
                    const int cut = result_arg[last];

                    if (cut == i) {
                        selected = true;
                        open = false;
                        is_end = true;
                        last = i;
                    } else if (cut < i) {
                        first = cut;
                    } else {
                        last = cut;
                    }
                } else {
                    solved = true;
                }
            }
            n_rounds++;
            again = __syncthreads_or(selected);
        } while (again);
    }

    const unsigned word = __ballot_sync(ALL_LANES, is_end);
    const int n_kept = __syncthreads_count(is_end);

    if (lane == 0)
        kept[column * (blockDim.x / RDP_WARP) + (size_t)(i / RDP_WARP)] = word;
    if (i == 0) {
        segments[column] = n_kept > 0 ? n_kept - 1 : 0;
        rounds[column] = n_rounds;
    }
}

typedef void segment_function(const uint16_t *, int, int, uint32_t, uint32_t *, int32_t *,
                              int32_t *);

struct state {
    struct columns columns;
    segment_function *kernel; /* for this cell's unroll and skip */
    int n_threads;            /* n_rows in whole warps */
    int first_stride;
    size_t shared_bytes;
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;
    const struct rdp_input *in = (const struct rdp_input *)input;
    const bool unroll = bench_is(ctx->params, "unroll", "5");
    const bool skip = bench_is(ctx->params, "skip", "1");

    if (in->n_rows > MAX_ROWS)
        return BENCH_FAIL(BENCH_ESKIP,
                          "Algorithm 3 has one thread a row and a block at most %d, "
                          "this input has %d rows",
                          MAX_ROWS, in->n_rows);
    if (in->distance != RDP_VERTICAL)
        return BENCH_FAIL(BENCH_ESKIP, "Algorithm 3 measures vertical distances, "
                                       "not perpendicular ones");
    TRY(columns_setup(&s->columns, ctx, input, output, false));

    if (unroll)
        s->kernel = skip ? segment_kernel<true, true> : segment_kernel<true, false>;
    else
        s->kernel = skip ? segment_kernel<false, true> : segment_kernel<false, false>;
    s->n_threads = s->columns.n_words * RDP_WARP;
    s->first_stride = 0;
    for (int power = 1; power < in->n_rows; power *= 2)
        s->first_stride = power;
    s->shared_bytes = BYTES_PER_ROW * (size_t)s->n_threads;
    return bench_note_kernel(ctx, (const void *)s->kernel, s->n_threads, s->shared_bytes);
}

static enum bench_status upload(void *opaque)
{
    return columns_upload(&((struct state *)opaque)->columns);
}

static enum bench_status poison(void *opaque)
{
    return columns_poison(&((struct state *)opaque)->columns);
}

static enum bench_status run(void *opaque)
{
    const struct state *s = (const struct state *)opaque;
    const struct columns *c = &s->columns;

    s->kernel<<<(unsigned)c->n_columns, (unsigned)s->n_threads, s->shared_bytes, c->stream>>>(
        c->d_y, c->in->n_rows, s->first_stride, c->in->epsilon_q8, c->d_kept, c->d_segments,
        c->d_rounds);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

static enum bench_status download(void *opaque)
{
    return columns_download(&((struct state *)opaque)->columns);
}

static void teardown(void *opaque)
{
    columns_teardown(&((struct state *)opaque)->columns);
}

BENCH_IMPL(rdp_gpu_paper) = {
    .name = "rdp/gpu-paper",
    .problem = &rdp_problem,
    .target = BENCH_CUDA,
    .source = "[RDP] Algorithm 3",
    .reference = "rdp/serial",
    .keys = rdp_gpu_paper_keys,
    .state_size = sizeof(struct state),
    .reads_raw = NULL,
    .setup = setup,
    .upload = upload,
    .poison = poison,
    .run = run,
    .download = download,
    .teardown = teardown,
};

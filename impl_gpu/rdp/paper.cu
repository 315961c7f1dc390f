/*
 * rdp/gpu-paper - one block per column, one thread per pixel, a segmented arg-max per round
 *
 * Source:  [RDP] Algorithm 3, sections 4.3-4.4; line numbers below are the algorithm's.
 * Mapping: blockIdx.x = column, threadIdx.x = row; n_rows <= 1024, threads rounded up to whole warps.
 * Shared:  data, maxCost, argMax and first: 12 bytes a row.
 * Work:    rounds * log2(n_rows) strides; two barriers each, none for the last five with unroll = 5.
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
 *   8 unrolling   the last five strides reach into the warp before, so warp-synchronous access to shared memory is
 *                 a race.  Each thread carries also the slot 32 rows before it (a halo) through the five strides,
 *                 and shuffles serve both: exact without any barrier, because a window of 32 rows ends here.
 *   9 equality    line 9 clears costs up to and including epsilon: a point is kept if strictly farther.
 *  10 polarity    cuts[i] is 1 for kept rows, as packed bits.
 * Added: invalid points (rdp.h), which cost nothing and are never kept; segments and rounds are written, too.
 */
#include "impl_gpu/rdp/columns.cuh"

#define MAX_ROWS 1024 /* [RDP] section 5: the threads that one block can have */
#define ALL_LANES 0xFFFFFFFFu
#define WORDS_PER_ROW 3 /* of shared memory */

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
    uint16_t *data = (uint16_t *)(arg_max + blockDim.x);
    uint16_t *first_of = data + blockDim.x;
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
                if (UNROLL)
                    first_of[i] = (uint16_t)first;
            }
            __syncthreads();

            for (int stride = first_stride; stride > (UNROLL ? RDP_WARP / 2 : 0); stride /= 2) {
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
                if (!SKIP || __any_sync(ALL_LANES, !solved)) {
                    uint32_t halo_cost = 0;
                    int halo_arg = 0, halo_idx = 0;

                    if (i >= RDP_WARP) {
                        halo_cost = max_cost[i - RDP_WARP];
                        halo_arg = arg_max[i - RDP_WARP];
                        halo_idx = i - RDP_WARP - first_of[i - RDP_WARP];
                    }
#pragma unroll
                    for (int stride = RDP_WARP / 2; stride > 0; stride /= 2) {
                        const int from = (lane - stride) & (RDP_WARP - 1);
                        const bool inside = lane >= stride;
                        const uint32_t own_cost = __shfl_sync(ALL_LANES, cost, from);
                        const int own_arg = __shfl_sync(ALL_LANES, arg, from);
                        const uint32_t before_cost = __shfl_sync(ALL_LANES, halo_cost, from);
                        const int before_arg = __shfl_sync(ALL_LANES, halo_arg, from);
                        const uint32_t other_cost = inside ? own_cost : before_cost;
                        const int other_arg = inside ? own_arg : before_arg;

                        if (idx > stride && beats(other_cost, other_arg, cost, arg)) {
                            cost = other_cost;
                            arg = other_arg;
                        }
                        /* halo slots that this leaves incomplete are more than 32 rows from any reader */
                        if (inside && halo_idx > stride &&
                            beats(before_cost, before_arg, halo_cost, halo_arg)) {
                            halo_cost = before_cost;
                            halo_arg = before_arg;
                        }
                    }
                }
                __syncthreads(); /* all halos are read */
                if (!SKIP || !solved) {
                    max_cost[i] = cost;
                    arg_max[i] = arg;
                }
                __syncthreads();
            }

            bool selected = false;

            if (!SKIP || !solved) {
                if (max_cost[last] > 0) {
                    const int cut = arg_max[last];

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
        return BENCH_FAIL(BENCH_ESKIP, "Algorithm 3 has one thread a row and a block at most %d, "
                          "this input has %d rows", MAX_ROWS, in->n_rows);
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
    s->shared_bytes = WORDS_PER_ROW * sizeof(uint32_t) * (size_t)s->n_threads;
    return bench_note_kernel(ctx, (const void *)s->kernel, s->n_threads, s->shared_bytes);
}

static enum bench_status upload(void *opaque)
{
    return columns_upload(&((struct state *)opaque)->columns);
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

static const struct bench_key keys[] = {
    {"unroll", "5", "strides", "last strides without barriers; 5 is what the paper times",
     BENCH_WORD, 0, 0, "0|5"},
    {"skip", "0", "", "1: threads of solved segments do no work, as [RDP] 4.4 tried", BENCH_WORD,
     0, 0, "0|1"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

BENCH_IMPL(rdp_gpu_paper) = {
    .name = "rdp/gpu-paper",
    .problem = &rdp_problem,
    .target = BENCH_CUDA,
    .source = "[RDP] Algorithm 3",
    .reference = "rdp/serial",
    .keys = keys,
    .state_size = sizeof(struct state),
    .setup = setup,
    .upload = upload,
    .run = run,
    .download = download,
    .teardown = teardown,
};

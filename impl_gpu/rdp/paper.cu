/*
 * rdp/gpu-paper - a thread block per column, a thread per pixel, a segmented arg-max per round
 *
 * Source:  [RDP] Algorithm 3, sections 4.3-4.4; line numbers below are the algorithm's.
 * Mapping: blockIdx.x = column, threadIdx.x = row; n_rows <= 1024, threads rounded up to whole
 *          warps.
 * Shared:  data, and maxCost and argMax twice: 18 bytes a row (10 with barriers = two).
 * Work:    rounds * log2(n_rows) strides of one barrier each, as printed; the last five are
 *          unrolled, as the paper times it.
 *
 * Repairs of the printed form, which does not terminate and cuts wrongly:
 *   1 progress: lines 19-23 act only if maxCost[last] > 0.  The last thread of a finished
 *     segment found its own index in argMax and reported "not converged" for ever.
 *   2 zeros: the same guard prevents cuts of a straight segment, whose costs are all 0.
 *   3 stale first: a thread that becomes a cut sets last = i.  Segments are half open, (first,
 *     last]; the cut is the slot that receives the maximum of its left segment.
 *   4 ties: line 14 compares (cost, then smaller index), since strides meet the points in no
 *     particular order.
 *   5 any height: line 13 starts at half of the next power of two; other numbers skip offsets.
 *   6 torn pairs: lines 14-16 read slots while other threads write them.  Each stride reads one
 *     copy of the slots and writes the other, so that the one barrier of line 17 suffices.
 *     (barriers = two: one copy, and a second barrier between reading and writing.)
 *   7 convergence: __syncthreads_or is barrier and vote in one; the shared flag was reset while
 *     slow threads read it.
 *   8 unrolling: the last five strides are unrolled and keep their barriers.  They reach into
 *     the warp before, so dropping the barriers, as in a reduction inside a warp, is a race.
 *   9 equality: line 9 clears costs up to and including epsilon: strictly farther points stay.
 *  10 polarity: cuts[i] is 1 for kept rows, as packed bits.
 * Added: invalid points (rdp.h), which cost nothing and are never kept; segments and rounds.
 *
 * Gains and costs against the printed form, where measured on an H200 (rdp/gpu-ablation), or in
 * instructions of a warp for sm_90:
 *   second copy: saves the second barrier of repair 6.  It costs a second write of each pair
 *     once a round, and a write in each stride in which a thread reads; with one copy, only
 *     changed pairs are written.  62.4 us against 72.0 at 1024 rows, 16.5 against 18.5 at 256.
 *     18 KiB a block of 1024 threads do not lower the occupancy.
 *   unrolling, as the paper: 10 instructions a stride instead of 20.  62.4 us against 72.6 at
 *     1024 rows, 16.5 against 20.5 at 256.
 *   exact integers instead of floats (rdp/model.h): all variants agree bit for bit.  Two
 *     products replace the division of line 7, once a round.  Not measured, nor is the next.
 *   uint16 disparities: half of the bytes read, 2 of 4 bytes a row of shared memory.
 *   ties (repair 4): one comparison of the 10 or 20 instructions of a stride.
 *   once a column: invalid points have two barriers and two atomics, some 30 instructions;
 *     segments and rounds a counting barrier and two stores.  --fmad=false changes nothing.
 * Blocks have as many threads as rows, as printed; nothing else is tuned.
 */
#include "harness/measure/impl.h"
#include "harness/problems/rdp/rdp.h"

static const struct bench_key keys[] = {
    {"unroll", "5", "strides",
     "how many of the last strides are unrolled; 5 is what the paper times", BENCH_CHOICE, 0, 0,
     "0|5"},
    {"barriers", "one", "",
     "per stride: one, as printed, with two copies of the slots; two, with one copy",
     BENCH_CHOICE, 0, 0, "one|two"},
    {"skip", "0", "", "1: threads of solved segments do no work, as [RDP] 4.4 tried",
     BENCH_CHOICE, 0, 0, "0|1"},
    {"ids", "no", "",
     "yes: each round numbers the segments in log n steps, and numbers limit the strides, "
     "which "
     "[RDP] 4.4 avoids",
     BENCH_CHOICE, 0, 0, "no|yes"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#ifdef __CUDACC__
#include "impl_gpu/rdp/columns.cuh"

#define MAX_ROWS                   1024 /* [RDP] section 5: the threads of a block */
#define UNROLLED                   16   /* the first of the last five strides */
#define COPIES(one_barrier)        ((one_barrier) ? 2 : 1) /* of maxCost and argMax */
#define BYTES_PER_ROW(one_barrier) (sizeof(uint16_t) + 8u * COPIES(one_barrier))

/* True if 'other' precedes (cost, row) in the order of repair 4, by a comparison of 64 bits. */
DEVICE bool beats(uint32_t other_cost, uint32_t other_arg, uint32_t cost, uint32_t arg)
{
    return ((uint64_t)other_cost << 32 | arg) > ((uint64_t)cost << 32 | other_arg);
}

/* maxCost and argMax at the row of a thread; argMax is blockDim.x words behind maxCost. */
struct slots {
    uint32_t *cost;
    uint32_t *arg;
};

DEVICE void write_slot(struct slots to, uint32_t cost, uint32_t arg)
{
    *to.cost = cost;
    *to.arg = arg;
}

/*
 * Lines 14 to 17 for a thread whose own pair is (cost, arg): takes the pair 'stride' rows
 * before, if 'reads' and if that pair beats it.
 *
 * ONE_BARRIER: reads one copy of the slots and writes the other.  Both copies have the pair
 * when the round begins.  A thread that reads in a stride reads in all shorter ones, and writes
 * from then on.  Otherwise 'from' and 'to' are one copy, and a second barrier separates reads
 * from writes.
 */
template <bool ONE_BARRIER>
DEVICE void stride_once(int stride, bool reads, struct slots from, struct slots to,
                        uint32_t *cost, uint32_t *arg)
{
    const uint32_t before = *arg;

    if (reads) {
        const uint32_t other_cost = from.cost[-stride], other_arg = from.arg[-stride];

        if (beats(other_cost, other_arg, *cost, *arg)) {
            *cost = other_cost;
            *arg = other_arg;
        }
        if (ONE_BARRIER)
            write_slot(to, *cost, *arg);
    }
    if (!ONE_BARRIER) {
        __syncthreads();
        if (*arg != before)
            write_slot(to, *cost, *arg);
    }
    __syncthreads();
}

DEVICE void swap(struct slots *a, struct slots *b)
{
    const struct slots was_a = *a;

    *a = *b;
    *b = was_a;
}

/* Numbers the segments: the ends before each row, by a scan of log n steps between two copies
 * of blockDim.x words.  Returns the copy that has them. */
DEVICE const uint32_t *number_segments(uint32_t *copies, bool is_end)
{
    const int n = (int)blockDim.x, i = (int)threadIdx.x;
    uint32_t *from = copies, *to = copies + n, up_to = is_end;

    for (int step = 1; step < n; step *= 2) {
        uint32_t *const was = from;

        from[i] = up_to;
        __syncthreads();
        up_to += i >= step ? from[i - step] : 0;
        from = to;
        to = was;
    }
    from[i] = up_to - is_end;
    return from;
}

/*
 * y [n_columns][n_rows], 1/256 px -> kept [n_columns][blockDim.x / 32], segments and rounds
 * [n_columns].  first_stride: half of the least power of two >= n_rows.
 */
template <bool ONE_BARRIER, bool UNROLL, bool SKIP, bool IDS>
static __global__ void __launch_bounds__(MAX_ROWS)
    segment_kernel(const uint16_t *__restrict__ y, int n_rows, int first_stride,
                   uint32_t epsilon_q8, uint32_t *__restrict__ kept,
                   int32_t *__restrict__ segments, int32_t *__restrict__ rounds)
{
    static const int ROLLED_END = UNROLL ? UNROLLED : 0;
    extern __shared__ uint32_t shared[];
    __shared__ int first_valid, last_valid;

    const int n_threads = (int)blockDim.x, i = (int)threadIdx.x, lane = i % RDP_WARP;
    uint32_t *const ids = shared + 2 * COPIES(ONE_BARRIER) * n_threads; /* IDS: two copies */
    uint16_t *data = (uint16_t *)(ids + (IDS ? 2 * n_threads : 0));
    struct slots from = {shared + i, shared + n_threads + i};
    struct slots to = from;
    const size_t column = blockIdx.x;
    const int value = i < n_rows ? y[column * (size_t)n_rows + (size_t)i] : RDP_INVALID;
    const unsigned valid_lanes = __ballot_sync(ALL_LANES, value != RDP_INVALID);

    if (ONE_BARRIER) { /* the copy of repair 6 */
        to.cost += 2 * n_threads;
        to.arg += 2 * n_threads;
    }
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

    const int first = first_valid;
    int idx = i - first, last = last_valid; /* of the segment that the thread is in */
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
            const bool works = !(SKIP && solved);
            const uint32_t *const id = IDS ? number_segments(ids, is_end) : NULL;
            uint32_t cost = 0, arg = (uint32_t)i;
            /* a row 'stride' before is of the same segment, and not its first one */
            const auto reads = [=](int stride) {
                return works && (IDS ? i >= stride && id[i - stride] == id[i] : idx > stride);
            };

            if (works) {
                if (open) {
                    const int y_first = data[i - idx], length = last - i + idx;

                    cost = rdp_cost(data[last] - y_first, length, y_first, value, idx);
                    if (!rdp_exceeds_vertical(cost, length, epsilon_q8))
                        cost = 0;
                }
                write_slot(from, cost, arg);
                if (ONE_BARRIER)
                    write_slot(to, cost, arg);
            }
            __syncthreads();

            /* two strides, there and back between the copies: no address moves */
            for (int stride = first_stride; stride > ROLLED_END; stride /= 2) {
                stride_once<ONE_BARRIER>(stride, reads(stride), from, to, &cost, &arg);
                stride /= 2;
                if (stride <= ROLLED_END) {
                    swap(&from, &to);
                    break;
                }
                stride_once<ONE_BARRIER>(stride, reads(stride), to, from, &cost, &arg);
            }
            if (UNROLL) {
#pragma unroll
                for (int stride = UNROLLED; stride > 0; stride /= 2) {
                    stride_once<ONE_BARRIER>(stride, reads(stride), from, to, &cost, &arg);
                    swap(&from, &to);
                }
            }

            bool selected = false;

            if (works) {
                if (from.cost[last - i] > 0) {
                    const int cut = (int)from.arg[last - i];

                    if (cut == i) {
                        selected = true;
                        open = false;
                        is_end = true;
                        last = i;
                    } else if (cut < i) {
                        idx = i - cut;
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
    segment_function *kernel; /* for these barriers, unroll and skip */
    int n_threads;            /* n_rows in whole warps */
    int first_stride;
    size_t shared_bytes;
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;
    const struct rdp_input *in = (const struct rdp_input *)input;
    static segment_function *const kernels[2][2][2] = {
        {{segment_kernel<false, false, false, false>,
          segment_kernel<false, false, true, false>},
         {segment_kernel<false, true, false, false>, segment_kernel<false, true, true, false>}},
        {{segment_kernel<true, false, false, false>, segment_kernel<true, false, true, false>},
         {segment_kernel<true, true, false, false>, segment_kernel<true, true, true, false>}}};
    const bool one_barrier = bench_is(ctx->params, "barriers", "one");
    const bool unroll = bench_is(ctx->params, "unroll", "5");
    const bool skip = bench_is(ctx->params, "skip", "1");
    const bool ids = bench_is(ctx->params, "ids", "yes");

    if (in->n_rows > MAX_ROWS)
        return BENCH_FAIL(BENCH_ESKIP,
                          "Algorithm 3 has one thread a row and a block at most %d, "
                          "this input has %d rows",
                          MAX_ROWS, in->n_rows);
    if (in->distance != RDP_VERTICAL)
        return BENCH_FAIL(BENCH_ESKIP, "Algorithm 3 measures vertical distances, "
                                       "not perpendicular ones");
    if (ids && (!one_barrier || !unroll || skip))
        return BENCH_FAIL(BENCH_ESKIP, "ids = yes is of barriers = one, unroll = 5, skip = 0");
    TRY(columns_setup(&s->columns, ctx, input, output, false));

    s->kernel =
        ids ? segment_kernel<true, true, false, true> : kernels[one_barrier][unroll][skip];
    s->n_threads = s->columns.n_words * RDP_WARP;
    s->first_stride = 0;
    for (int power = 1; power < in->n_rows; power *= 2)
        s->first_stride = power;
    s->shared_bytes =
        (BYTES_PER_ROW(one_barrier) + (ids ? 2 * sizeof(uint32_t) : 0)) * (size_t)s->n_threads;
    return bench_set_kernel_info(ctx, (const void *)s->kernel, s->n_threads, s->shared_bytes);
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
#endif

BENCH_IMPL(rdp_gpu_paper) = {
    .name = "rdp/gpu-paper",
    .problem = &rdp_problem,
    .target = BENCH_CUDA,
    .source = "[RDP] Algorithm 3",
    .reference = "rdp/serial",
    .other = NULL,
    .needs = NULL,
    .keys = keys,
#ifdef __CUDACC__
    .state_size = sizeof(struct state),
    .setup = setup,
    .upload = columns_upload,
    .poison = columns_poison,
    .run = run,
    .download = columns_download,
    .teardown = columns_teardown,
#endif
};

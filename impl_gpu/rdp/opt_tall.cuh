/* opt_tall.cuh - rdp/gpu-opt: columns of more than 1024 rows, level by level */
#ifndef RDP_OPT_TALL_CUH
#define RDP_OPT_TALL_CUH

#include "impl_gpu/rdp/opt_list.cuh"

/* Columns of more than SHORT_COLUMN rows: a block for each, level by level. */
#define TALL_THREADS 256
#define TALL_WARPS   (TALL_THREADS / RDP_WARP)
#define WARP_LENGTH  1024 /* longer segments are searched by the whole block */
#define MAX_LONG     (RDP_MAX_ROWS / WARP_LENGTH)

struct long_list {
    int n;
    int first[MAX_LONG], last[MAX_LONG];
};

/* Bits of a column: kept rows, those of this level, first rows of segments now and next. */
struct tall_view {
    const uint16_t *y;
    uint32_t *kept, *fresh, *active, *next;
    int n_words;
};

/* The largest N of the rows first + offset, + step, ... before last; *row: its first row. */
DEVICE uint32_t largest_cost(const uint16_t *y, int first, int last, int offset, int step,
                             uint32_t *row)
{
    const int length = last - first;
    const int32_t y_first = y[first], dy = y[last] - y_first;
    uint32_t best = 0;

    *row = 0xFFFFFFFFu;
    for (int i = offset; i < length; i += step) {
        const int32_t value = y[first + i];
        const uint32_t n = rdp_cost(dy, length, y_first, value, i);

        if (value != RDP_INVALID && n > best) {
            best = n;
            *row = (uint32_t)(first + i);
        }
    }
    return best;
}

/* By one thread: puts a segment that may still be cut on the list of the next level. */
DEVICE void enlist(const struct tall_view &c, struct long_list *list, int first, int last)
{
    if (last - first > WARP_LENGTH) {
        const int at = atomicAdd(&list->n, 1);

        list->first[at] = first;
        list->last[at] = last;
    } else if (last - first > 1) {
        atomicOr(&c.next[first >> 5], 1u << (first & 31));
    }
}

DEVICE void keep(const struct tall_view &c, struct long_list *list, int first, int cut,
                 int last)
{
    atomicOr(&c.fresh[cut >> 5], 1u << (cut & 31));
    enlist(c, list, first, cut);
    enlist(c, list, cut, last);
}

/* Finds the kept row after 'first', which is not the last one.  By a whole warp. */
DEVICE int next_kept(const struct tall_view &c, int first)
{
    const int lane = (int)(threadIdx.x % RDP_WARP);
    int at = first >> 5;
    uint32_t word = at + lane < c.n_words ? c.kept[at + lane] : 0;

    if (lane == 0)
        word &= (first & 31) == 31 ? 0 : 0xFFFFFFFFu << ((first & 31) + 1);
    for (;;) {
        const unsigned found = __ballot_sync(ALL_LANES, word != 0);

        if (found) {
            const int source = __ffs((int)found) - 1;

            return (at + source) * 32 + __ffs((int)__shfl_sync(ALL_LANES, word, source)) - 1;
        }
        at += RDP_WARP;
        word = at + lane < c.n_words ? c.kept[at + lane] : 0;
    }
}

/*
 * y [n_columns][n_rows], 1/256 px -> kept [n_columns][n_words], segments and rounds
 * [n_columns]; one block of TALL_THREADS per column.  Segments are the intervals between kept
 * bits and need no list: 2 bytes and 4 bits of shared memory a row, under 48 KiB at
 * RDP_MAX_ROWS.
 */
template <bool PERPENDICULAR>
static __global__ void __launch_bounds__(TALL_THREADS)
    tall_kernel(const uint16_t *__restrict__ y, int n_rows, int n_words, int y_bytes,
                uint32_t epsilon_q8, uint32_t *__restrict__ kept,
                int32_t *__restrict__ segments, int32_t *__restrict__ rounds)
{
    extern __shared__ uint4 shared[];
    __shared__ struct long_list lists[2];
    __shared__ uint32_t warp_best[TALL_WARPS], warp_row[TALL_WARPS];
    __shared__ int first_valid, last_valid, n_kept;

    const int thread = (int)threadIdx.x, lane = thread % RDP_WARP, warp = thread / RDP_WARP;
    const size_t column = blockIdx.x;
    uint16_t *column_y = (uint16_t *)shared;
    struct tall_view c;
    int low = n_rows, high = -1, deepest = 0;

    c.y = column_y;
    c.kept = (uint32_t *)((char *)shared + y_bytes);
    c.fresh = c.kept + n_words;
    c.active = c.fresh + n_words;
    c.next = c.active + n_words;
    c.n_words = n_words;
    for (int i = thread; i < 4 * n_words; i += TALL_THREADS)
        c.kept[i] = 0;
    if (thread == 0) {
        lists[0].n = lists[1].n = n_kept = 0;
        first_valid = n_rows;
        last_valid = -1;
    }
    load_column(column_y, y + column * (size_t)n_rows, n_rows, thread, TALL_THREADS);
    __syncthreads();
    for (int i = thread; i < n_rows; i += TALL_THREADS)
        if (column_y[i] != RDP_INVALID) {
            low = min(low, i);
            high = i;
        }
    if (high >= 0) {
        atomicMin(&first_valid, low);
        atomicMax(&last_valid, high);
    }
    __syncthreads();
    if (thread == 0 && first_valid < last_valid) {
        atomicOr(&c.kept[first_valid >> 5], 1u << (first_valid & 31));
        atomicOr(&c.kept[last_valid >> 5], 1u << (last_valid & 31));
        enlist(c, &lists[1], first_valid, last_valid);
    }
    __syncthreads();
    for (int level = 1;; level++) {
        struct long_list *now = &lists[level & 1], *later = &lists[(level & 1) ^ 1];
        uint32_t more = 0;

        /* begin the level */
        for (int i = thread; i < n_words; i += TALL_THREADS) {
            more |= c.active[i] = c.next[i];
            if (c.fresh[i])
                deepest = level - 1;
            c.kept[i] |= c.fresh[i];
            c.next[i] = c.fresh[i] = 0;
        }
        if (thread == 0)
            later->n = 0;
        if (!__syncthreads_or(more != 0) && now->n == 0)
            break;

        for (int k = 0; k < now->n; k++) {
            const int first = now->first[k], last = now->last[k];
            uint32_t row;
            const uint32_t n = largest_cost(c.y, first, last, 1 + thread, TALL_THREADS, &row);
            const uint32_t best = warp_max(n);

            row = warp_min(n == best ? row : 0xFFFFFFFFu);
            if (lane == 0) {
                warp_best[warp] = best;
                warp_row[warp] = row;
            }
            __syncthreads();
            if (warp == 0) {
                const uint32_t n_warp = lane < TALL_WARPS ? warp_best[lane] : 0;
                const uint32_t n_block = warp_max(n_warp);

                row = warp_min(n_warp == n_block && lane < TALL_WARPS ? warp_row[lane]
                                                                      : 0xFFFFFFFFu);
                if (lane == 0 && exceeds<PERPENDICULAR>(n_block, last - first,
                                                        c.y[last] - c.y[first], epsilon_q8))
                    keep(c, later, first, (int)row, last);
            }
            __syncthreads();
        }
        for (int at = warp; at < n_words; at += TALL_THREADS) {
            const int mine = at + lane * TALL_WARPS; /* neighbours go to different warps */
            const uint32_t bits = mine < n_words ? c.active[mine] : 0;

            for (unsigned words = __ballot_sync(ALL_LANES, bits != 0); words;
                 words &= words - 1) {
                const int source = __ffs((int)words) - 1;

                for (uint32_t left = __shfl_sync(ALL_LANES, bits, source); left;
                     left &= left - 1) {
                    const int first = (at + source * TALL_WARPS) * 32 + __ffs((int)left) - 1;
                    const int last = next_kept(c, first);
                    uint32_t row;
                    const uint32_t n = largest_cost(c.y, first, last, 1 + lane, RDP_WARP, &row);
                    const uint32_t best = warp_max(n);

                    if (exceeds<PERPENDICULAR>(best, last - first, c.y[last] - c.y[first],
                                               epsilon_q8)) {
                        row = warp_min(n == best ? row : 0xFFFFFFFFu);
                        if (lane == 0)
                            keep(c, later, first, (int)row, last);
                    }
                }
            }
        }
        __syncthreads();
    }

    int count = 0;

    for (int i = thread; i < n_words; i += TALL_THREADS) {
        kept[column * (size_t)n_words + (size_t)i] = c.kept[i];
        count += __popc(c.kept[i]);
    }
    count = warp_sum(count);
    deepest = (int)warp_max((uint32_t)deepest);
    if (lane == 0) {
        atomicAdd(&n_kept, count);
        warp_best[warp] = (uint32_t)deepest;
    }
    __syncthreads();
    if (thread == 0) {
        for (int w = 1; w < TALL_WARPS; w++)
            deepest = max(deepest, (int)warp_best[w]);
        segments[column] = n_kept > 0 ? n_kept - 1 : 0;
        rounds[column] = 1 + deepest;
    }
}

#endif

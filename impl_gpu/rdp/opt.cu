/*
 * rdp/gpu-opt - lane groups take segments of their own size from a work list in shared memory
 */
#include "impl_gpu/rdp/columns.cuh"

#define ALL_LANES 0xFFFFFFFFu
#define SHORT_COLUMN 1024 /* rows that the list kernel takes: 10 bits a field of an entry */
#define FIELD_BITS 10
#define FIELD ((1u << FIELD_BITS) - 1)

/* A segment is long, medium or small by its length, and handled by so many lanes. */
#ifndef MEDIUM_LENGTH
#define MEDIUM_LENGTH 128
#endif
#ifndef SMALL_LENGTH
#define SMALL_LENGTH 16
#endif
#ifndef MEDIUM_LANES
#define MEDIUM_LANES 8
#endif
#ifndef SMALL_LANES
#define SMALL_LANES 4
#endif

static __device__ __forceinline__ uint32_t warp_max(uint32_t value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(ALL_LANES, value);
#else
    for (int distance = RDP_WARP / 2; distance > 0; distance /= 2)
        value = max(value, __shfl_xor_sync(ALL_LANES, value, distance));
    return value;
#endif
}

static __device__ __forceinline__ uint32_t warp_min(uint32_t value)
{
    return ~warp_max(~value);
}

static __device__ __forceinline__ int warp_sum(int value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(ALL_LANES, value);
#else
    for (int distance = RDP_WARP / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(ALL_LANES, value, distance);
    return value;
#endif
}

template <int WARPS> static __device__ __forceinline__ void column_sync()
{
    if (WARPS == 1)
        __syncwarp();
    else
        __syncthreads();
}

/* How the lists of one column lie in shared memory; the same for all columns. */
struct list_shape {
    int n_rows, n_words;
    int y_bytes;                 /* of the column, rounded up to 16 */
    int medium_at, small_at;     /* where those lists begin; the long one begins at 0 */
    int column_bytes;            /* all shared memory of one column */
};

/* What precedes the lists in a column's shared memory, behind y. */
struct column_head {
    uint32_t pushed[2]; /* entries pushed in this and the previous pass, a field for each class */
    uint32_t deepest;
    uint32_t unused;
    uint32_t kept[SHORT_COLUMN / 32];
};

/*
 * The largest of (N << 5 | 31 - k) over this lane's rows first + offset + k GROUP, k = 0, 1, ...: as
 * length <= 32 GROUP and N <= 65535 length, the key has 31 bits, and the largest key is that of the largest N with
 * the smallest k.
 */
template <int GROUP, int MAX_STEPS, bool INVALID>
static __device__ __forceinline__ uint32_t largest_key(const uint16_t *point, int offset,
                                                       int length, int32_t dy, int32_t y_first)
{
    const uint32_t slope = 0u - 32u * (uint32_t)length, step = 32u * GROUP * (uint32_t)dy;
    uint32_t base = 32u * ((uint32_t)dy * (uint32_t)offset + (uint32_t)y_first * (uint32_t)length);
    uint32_t best = 0;

    point += offset;
    if (MAX_STEPS <= 4) {
#pragma unroll
        for (int k = 0; k < MAX_STEPS; k++) {
            if (offset + k * GROUP < length) {
                const uint32_t value = point[k * GROUP];
                const uint32_t key = (uint32_t)abs((int32_t)(value * slope + base)) + (31 - k);

                if (!INVALID || value != RDP_INVALID)
                    best = max(best, key);
            }
            base += step;
        }
        return best;
    }

    uint32_t order = 31;

    for (; offset + 3 * GROUP < length; offset += 4 * GROUP) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uint32_t value = point[k * GROUP];
            const uint32_t key = (uint32_t)abs((int32_t)(value * slope + base)) + (order - k);

            if (!INVALID || value != RDP_INVALID)
                best = max(best, key);
            base += step;
        }
        point += 4 * GROUP;
        order -= 4;
    }
#pragma unroll
    for (int k = 0; k < 3; k++) {
        if (offset + k * GROUP < length) {
            const uint32_t value = point[k * GROUP];
            const uint32_t key = (uint32_t)abs((int32_t)(value * slope + base)) + (order - k);

            if (!INVALID || value != RDP_INVALID)
                best = max(best, key);
        }
        base += step;
    }
    return best;
}

template <bool PERPENDICULAR>
static __device__ __forceinline__ bool exceeds(uint32_t n, int length, int32_t dy,
                                               uint32_t epsilon_q8)
{
    return PERPENDICULAR ? rdp_exceeds_perpendicular(n, length, dy, epsilon_q8)
                         : rdp_exceeds_vertical(n, length, epsilon_q8);
}

/* The place of a class's field in a packed count. */
static __device__ __forceinline__ int class_shift(int length)
{
    return length > MEDIUM_LENGTH ? 0 : length > SMALL_LENGTH ? FIELD_BITS : 2 * FIELD_BITS;
}

/* One column's shared memory and the constants of the launch. */
struct column_view {
    uint16_t *y;
    struct column_head *head;
    uint32_t *list;
};

/*
 * One segment per group of GROUP lanes: entries number_in_warp of the class that ends at list[end - 1].
 * All warps of the column call a batch of some class in each pass (perhaps of nothing): there is a barrier inside.
 */
template <int WARPS, int GROUP, int MAX_STEPS, bool INVALID, bool PERPENDICULAR>
static __device__ __forceinline__ void batch(const struct column_view &c,
                                             const struct list_shape &shape, int n_entries,
                                             int end, uint32_t base_counts, int parity,
                                             uint32_t epsilon_q8, uint32_t *deepest)
{
    const int lane = (int)(threadIdx.x % RDP_WARP), in_group = lane % GROUP, group = lane / GROUP;
    const uint32_t entry = group < n_entries ? c.list[end - 1 - group] : 0;
    const int first = (int)(entry & FIELD), length = (int)((entry >> FIELD_BITS) & FIELD);
    const uint32_t depth = entry >> (2 * FIELD_BITS);
    const uint16_t *point = c.y + first;
    const int32_t y_first = point[0], dy = point[length] - y_first;
    const uint32_t key =
        largest_key<GROUP, MAX_STEPS, INVALID>(point, 1 + in_group, length, dy, y_first);
    uint32_t best = key;

    if (GROUP == RDP_WARP) {
        best = warp_max(key);
    } else {
#pragma unroll
        for (int distance = GROUP / 2; distance > 0; distance /= 2)
            best = max(best, __shfl_xor_sync(ALL_LANES, best, distance));
    }

    unsigned winners = __ballot_sync(ALL_LANES, key == best);

    if (GROUP < RDP_WARP)
        winners = (winners >> (group * GROUP)) & ((1u << (GROUP % RDP_WARP)) - 1);

    /* Row of the largest N: the smallest k, and among its lanes the lowest. */
    const int cut = __ffs((int)winners) + GROUP * (int)(31 - (best & 31));

    column_sync<WARPS>(); /* all entries of this pass are read: their places are free */
    if (in_group < 2 && exceeds<PERPENDICULAR>(best >> 5, length, dy, epsilon_q8)) {
        const int part = in_group ? length - cut : cut;

        if (in_group == 0) {
            atomicOr(&c.head->kept[(first + cut) >> 5], 1u << ((first + cut) & 31));
            *deepest = max(*deepest, depth);
        }
        if (part > 1) {
            const int shift = class_shift(part);
            const uint32_t before =
                base_counts + atomicAdd(&c.head->pushed[parity], 1u << shift);
            const int at = (int)((before >> shift) & FIELD) +
                           (shift == 0 ? 0 : shift == FIELD_BITS ? shape.medium_at : shape.small_at);

            c.list[at] = (uint32_t)(in_group ? first + cut : first) |
                         ((uint32_t)part << FIELD_BITS) | ((depth + 1) << (2 * FIELD_BITS));
        }
    }
}

/* Empty the lists, which hold the root. */
template <int WARPS, bool INVALID, bool PERPENDICULAR>
static __device__ void divide(const struct column_view &c, const struct list_shape &shape,
                              uint32_t counts, uint32_t epsilon_q8, uint32_t *deepest)
{
    const int warp = WARPS == 1 ? 0 : (int)(threadIdx.x / RDP_WARP);
    const bool leader = WARPS == 1 ? threadIdx.x % RDP_WARP == 0 : threadIdx.x == 0;
    const int medium_groups = RDP_WARP / MEDIUM_LANES, small_groups = RDP_WARP / SMALL_LANES;

    for (int parity = 0; counts; parity ^= 1) {
        const int n_long = (int)(counts & FIELD);
        const int n_medium = (int)((counts >> FIELD_BITS) & FIELD);
        const int n_small = (int)(counts >> (2 * FIELD_BITS));
        const int take_long = min(n_long, WARPS);
        const int medium_warps =
            min(WARPS - take_long, (n_medium + medium_groups - 1) / medium_groups);
        const int take_medium = min(n_medium, medium_warps * medium_groups);
        const int small_warps = WARPS - take_long - medium_warps;
        const int take_small = min(n_small, small_warps * small_groups);
        const uint32_t base = counts - (uint32_t)take_long - ((uint32_t)take_medium << FIELD_BITS) -
                              ((uint32_t)take_small << (2 * FIELD_BITS));

        if (warp < take_long) {
            batch<WARPS, RDP_WARP, 32, INVALID, PERPENDICULAR>(
                c, shape, 1, n_long - warp, base, parity, epsilon_q8, deepest);
        } else if (warp < take_long + medium_warps) {
            const int skipped = (warp - take_long) * medium_groups;

            batch<WARPS, MEDIUM_LANES, MEDIUM_LENGTH / MEDIUM_LANES, INVALID, PERPENDICULAR>(
                c, shape, n_medium - skipped, shape.medium_at + n_medium - skipped, base, parity,
                epsilon_q8, deepest);
        } else {
            const int skipped = (warp - take_long - medium_warps) * small_groups;

            batch<WARPS, SMALL_LANES, SMALL_LENGTH / SMALL_LANES, INVALID, PERPENDICULAR>(
                c, shape, n_small - skipped, shape.small_at + n_small - skipped, base, parity,
                epsilon_q8, deepest);
        }
        if (leader)
            c.head->pushed[parity ^ 1] = 0; /* all have read it before the batch's barrier */
        column_sync<WARPS>();
        counts = base + c.head->pushed[parity];
    }
}

/* Whether a word has a half that is RDP_INVALID. */
static __device__ __forceinline__ uint32_t invalid_half(uint32_t word)
{
    return (~word - 0x00010001u) & word & 0x80008000u;
}

/* Copy a column into shared memory; returns whether this thread saw an invalid value. */
static __device__ __forceinline__ bool load_column(uint16_t *to, const uint16_t *from, int n_rows,
                                                   int thread, int n_threads)
{
    uint32_t invalid = 0;

    if (n_rows % 8 == 0) { /* then every column begins at a multiple of 16 bytes */
        for (int i = thread; i < n_rows / 8; i += n_threads) {
            const uint4 v = ((const uint4 *)from)[i];

            invalid |= invalid_half(v.x) | invalid_half(v.y) | invalid_half(v.z) | invalid_half(v.w);
            ((uint4 *)to)[i] = v;
        }
    } else {
        for (int i = thread; i < n_rows; i += n_threads) {
            const uint16_t v = from[i];

            invalid |= v == RDP_INVALID;
            to[i] = v;
        }
    }
    return invalid != 0;
}

/*
 * y [n_columns][n_rows], 1/256 px, n_rows <= 1024 -> kept [n_columns][n_words], segments and rounds [n_columns].
 * WARPS warps of a block share one column; with WARPS = 1 each warp of a block has its own.
 */
template <int WARPS, bool PERPENDICULAR>
static __global__ void list_kernel(const uint16_t *__restrict__ y, unsigned n_columns,
                                   struct list_shape shape, uint32_t epsilon_q8,
                                   uint32_t *__restrict__ kept, int32_t *__restrict__ segments,
                                   int32_t *__restrict__ rounds)
{
    extern __shared__ uint4 shared[];
    const int lane = (int)(threadIdx.x % RDP_WARP);
    const unsigned columns_per_block = WARPS == 1 ? blockDim.x / RDP_WARP : 1;
    const unsigned in_block = WARPS == 1 ? threadIdx.x / RDP_WARP : 0;
    const size_t column = (size_t)blockIdx.x * columns_per_block + in_block;
    const int thread = WARPS == 1 ? lane : (int)threadIdx.x;
    struct column_view c;

    if (WARPS == 1 && column >= n_columns)
        return;
    c.y = (uint16_t *)((char *)shared + (size_t)in_block * (size_t)shape.column_bytes);
    c.head = (struct column_head *)((char *)c.y + shape.y_bytes);
    c.list = (uint32_t *)(c.head + 1);

    if (thread < SHORT_COLUMN / 32)
        c.head->kept[thread] = 0;
    if (thread == 0) {
        c.head->pushed[0] = c.head->pushed[1] = 0;
        c.head->deepest = 0;
        c.list[0] = c.list[shape.medium_at] = c.list[shape.small_at] =
            ((uint32_t)(shape.n_rows - 1) << FIELD_BITS) | (1u << (2 * FIELD_BITS));
    }

    const bool saw_invalid = load_column(c.y, y + column * (size_t)shape.n_rows, shape.n_rows,
                                         thread, WARPS * RDP_WARP);
    const bool invalid =
        WARPS == 1 ? __any_sync(ALL_LANES, saw_invalid) : __syncthreads_or(saw_invalid);
    int first = 0, last = shape.n_rows - 1;
    uint32_t deepest = 0;

    column_sync<WARPS>();
    if (invalid) {
        unsigned valid = 0;

        for (first = 0; first < shape.n_rows; first += RDP_WARP) {
            valid = __ballot_sync(ALL_LANES, first + lane < shape.n_rows &&
                                                 c.y[first + lane] != RDP_INVALID);
            if (valid)
                break;
        }
        first += __ffs((int)valid) - 1;
        if (valid) {
            for (last = (shape.n_rows - 1) / RDP_WARP * RDP_WARP;; last -= RDP_WARP) {
                valid = __ballot_sync(ALL_LANES, last + lane < shape.n_rows &&
                                                     c.y[last + lane] != RDP_INVALID);
                if (valid)
                    break;
            }
            last += RDP_WARP - 1 - __clz((int)valid);
        } else {
            last = first;
        }
        if (thread == 0)
            c.list[0] = c.list[shape.medium_at] = c.list[shape.small_at] =
                (uint32_t)first | ((uint32_t)(last - first) << FIELD_BITS) |
                (1u << (2 * FIELD_BITS));
        column_sync<WARPS>();
    }
    if (last - first > 1) {
        const uint32_t root = 1u << class_shift(last - first);

        if (invalid)
            divide<WARPS, true, PERPENDICULAR>(c, shape, root, epsilon_q8, &deepest);
        else
            divide<WARPS, false, PERPENDICULAR>(c, shape, root, epsilon_q8, &deepest);
    }

    deepest = warp_max(deepest);
    if (WARPS > 1) {
        if (lane == 0 && deepest)
            atomicMax(&c.head->deepest, deepest);
        __syncthreads();
        deepest = c.head->deepest;
    }
    if (WARPS == 1 || threadIdx.x < RDP_WARP) {
        uint32_t word = lane < shape.n_words ? c.head->kept[lane] : 0;

        if (last > first) {
            word |= lane == first >> 5 ? 1u << (first & 31) : 0;
            word |= lane == last >> 5 ? 1u << (last & 31) : 0;
        }
        if (lane < shape.n_words)
            kept[column * (size_t)shape.n_words + (size_t)lane] = word;

        const int n_kept = warp_sum(__popc(word));

        if (lane == 0) {
            segments[column] = n_kept > 0 ? n_kept - 1 : 0;
            rounds[column] = 1 + (int)deepest;
        }
    }
}

/* Columns of more than SHORT_COLUMN rows: a block for each, level by level. */
#define TALL_THREADS 256
#define TALL_WARPS (TALL_THREADS / RDP_WARP)
#define WARP_LENGTH 1024 /* longer segments are searched by the whole block */
#define MAX_LONG (RDP_MAX_ROWS / WARP_LENGTH)

struct long_list {
    int n;
    int first[MAX_LONG], last[MAX_LONG];
};

/* Bits of one column: kept rows, rows kept in this level, first rows of this and the next level's segments. */
struct tall_view {
    const uint16_t *y;
    uint32_t *kept, *fresh, *active, *next;
    int n_words;
};

/* The largest N of the rows first + offset, + step, ... before last, with its smallest row. */
static __device__ __forceinline__ uint32_t largest_cost(const uint16_t *y, int first, int last,
                                                        int offset, int step, uint32_t *row)
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

/* By one thread: put a segment that may still be cut on the next level's list. */
static __device__ __forceinline__ void enlist(const struct tall_view &c, struct long_list *list,
                                              int first, int last)
{
    if (last - first > WARP_LENGTH) {
        const int at = atomicAdd(&list->n, 1);

        list->first[at] = first;
        list->last[at] = last;
    } else if (last - first > 1) {
        atomicOr(&c.next[first >> 5], 1u << (first & 31));
    }
}

static __device__ __forceinline__ void keep(const struct tall_view &c, struct long_list *list,
                                            int first, int cut, int last)
{
    atomicOr(&c.fresh[cut >> 5], 1u << (cut & 31));
    enlist(c, list, first, cut);
    enlist(c, list, cut, last);
}

/* The kept row that follows 'first', which is not the last one; by a whole warp. */
static __device__ __forceinline__ int next_kept(const struct tall_view &c, int first)
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
 * y [n_columns][n_rows], 1/256 px -> kept [n_columns][n_words], segments and rounds [n_columns]; one block of
 * TALL_THREADS a column.  Segments are the intervals between kept bits, so no list of them is needed: 2 bytes and
 * 4 bits of shared memory a row, under 48 KiB at RDP_MAX_ROWS.
 */
template <bool PERPENDICULAR>
static __global__ void __launch_bounds__(TALL_THREADS)
    tall_kernel(const uint16_t *__restrict__ y, int n_rows, int n_words, int y_bytes,
                uint32_t epsilon_q8, uint32_t *__restrict__ kept, int32_t *__restrict__ segments,
                int32_t *__restrict__ rounds)
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
            const int mine = at + lane * TALL_WARPS; /* neighbouring words go to different warps */
            const uint32_t bits = mine < n_words ? c.active[mine] : 0;

            for (unsigned words = __ballot_sync(ALL_LANES, bits != 0); words; words &= words - 1) {
                const int source = __ffs((int)words) - 1;

                for (uint32_t left = __shfl_sync(ALL_LANES, bits, source); left; left &= left - 1) {
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

#define TILE 64
#define TILE_THREADS 256

/* image [n_frames][n_rows][n_cols] -> y [n_frames][n_cols][n_rows]; blockIdx.x = frame and tile of columns,
 * blockIdx.y = tile of rows. */
static __global__ void __launch_bounds__(TILE_THREADS)
    transpose_kernel(const uint16_t *__restrict__ image, int n_cols, int n_rows, int col_tiles,
                     uint16_t *__restrict__ y)
{
    __shared__ uint16_t tile[TILE][TILE + 2]; /* an odd number of words a row: no bank conflicts */
    const size_t frame = blockIdx.x / (unsigned)col_tiles;
    const size_t frame_at = frame * (size_t)n_cols * (size_t)n_rows;
    const int col_0 = (int)(blockIdx.x % (unsigned)col_tiles) * TILE;
    const int row_0 = (int)blockIdx.y * TILE;
    const int fast = (int)threadIdx.x % TILE;

    for (int slow = (int)threadIdx.x / TILE; slow < TILE; slow += TILE_THREADS / TILE)
        if (row_0 + slow < n_rows && col_0 + fast < n_cols)
            tile[slow][fast] = image[frame_at + (size_t)(row_0 + slow) * (size_t)n_cols +
                                     (size_t)(col_0 + fast)];
    __syncthreads();
    for (int slow = (int)threadIdx.x / TILE; slow < TILE; slow += TILE_THREADS / TILE)
        if (col_0 + slow < n_cols && row_0 + fast < n_rows)
            y[frame_at + (size_t)(col_0 + slow) * (size_t)n_rows + (size_t)(row_0 + fast)] =
                tile[fast][slow];
}

typedef void list_function(const uint16_t *, unsigned, struct list_shape, uint32_t, uint32_t *,
                           int32_t *, int32_t *);

struct state {
    struct columns columns;
    list_function *kernel; /* NULL: the tall kernel */
    struct list_shape shape;
    unsigned n_blocks;
    int n_threads;
    size_t shared_bytes;
    int col_tiles, row_tiles;
};

template <bool PERPENDICULAR> static list_function *list_function_of(int warps)
{
    switch (warps) {
    case 1:
        return list_kernel<1, PERPENDICULAR>;
    case 2:
        return list_kernel<2, PERPENDICULAR>;
    case 4:
        return list_kernel<4, PERPENDICULAR>;
    default:
        return list_kernel<8, PERPENDICULAR>;
    }
}

#define COLUMNS_PER_BLOCK 4 /* of one warp each */

/* Few columns leave the card idle: give each of them more warps. */
static enum bench_status warps_per_column(const struct bench_ctx *ctx, size_t n_columns, int *warps)
{
    int device, n_processors;

    if (!bench_is(ctx->params, "warps", "auto")) {
        *warps = bench_is(ctx->params, "warps", "1")   ? 1
                 : bench_is(ctx->params, "warps", "2") ? 2
                 : bench_is(ctx->params, "warps", "4") ? 4
                                                       : 8;
        return BENCH_OK;
    }
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount, device));

    const size_t per_processor = n_columns / (size_t)n_processors;

    *warps = per_processor <= 12 ? 4 : per_processor <= 24 ? 2 : 1;
    return BENCH_OK;
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;
    const struct rdp_input *in = (const struct rdp_input *)input;
    const bool perpendicular = in->distance == RDP_PERPENDICULAR;
    struct list_shape *shape = &s->shape;
    const void *kernel;

    TRY(columns_setup(&s->columns, ctx, input, output, true));
    s->col_tiles = (in->n_cols + TILE - 1) / TILE;
    s->row_tiles = (in->n_rows + TILE - 1) / TILE;

    shape->n_rows = in->n_rows;
    shape->n_words = s->columns.n_words;
    shape->y_bytes = (in->n_rows * (int)sizeof(uint16_t) + 15) / 16 * 16;
    if (in->n_rows > SHORT_COLUMN) {
        s->n_blocks = (unsigned)s->columns.n_columns;
        s->n_threads = TALL_THREADS;
        s->shared_bytes = (size_t)shape->y_bytes + 4 * sizeof(uint32_t) * (size_t)shape->n_words;
        kernel = perpendicular ? (const void *)tall_kernel<true> : (const void *)tall_kernel<false>;
    } else {
        int warps = 1, list_entries;

        TRY(warps_per_column(ctx, s->columns.n_columns, &warps));

        /* pending segments of a class are disjoint: so many at most, and one for the root */
        shape->medium_at = in->n_rows / (MEDIUM_LENGTH + 1) + 1;
        shape->small_at = shape->medium_at + in->n_rows / (SMALL_LENGTH + 1) + 1;
        list_entries = shape->small_at + in->n_rows / 2 + 1;
        shape->column_bytes = shape->y_bytes + (int)sizeof(struct column_head) +
                              (list_entries * (int)sizeof(uint32_t) + 15) / 16 * 16;

        const size_t columns_per_block = warps == 1 ? COLUMNS_PER_BLOCK : 1;

        s->n_blocks =
            (unsigned)((s->columns.n_columns + columns_per_block - 1) / columns_per_block);
        s->n_threads = warps * RDP_WARP * (int)columns_per_block;
        s->shared_bytes = columns_per_block * (size_t)shape->column_bytes;
        s->kernel = perpendicular ? list_function_of<true>(warps) : list_function_of<false>(warps);
        kernel = (const void *)s->kernel;
    }
    return bench_note_kernel(ctx, kernel, s->n_threads, s->shared_bytes);
}

static enum bench_status upload(void *opaque)
{
    return columns_upload(&((struct state *)opaque)->columns);
}

static enum bench_status run(void *opaque)
{
    const struct state *s = (const struct state *)opaque;
    const struct columns *c = &s->columns;

    if (c->d_image) {
        const dim3 tiles((unsigned)(c->in->n_frames * s->col_tiles), (unsigned)s->row_tiles);

        transpose_kernel<<<tiles, TILE_THREADS, 0, c->stream>>>(
            c->d_image, c->in->n_cols, c->in->n_rows, s->col_tiles, c->d_y);
        CUDA_TRY_LAUNCH();
        bench_lap(c->laps, "transpose");
    }
    if (s->kernel)
        s->kernel<<<s->n_blocks, (unsigned)s->n_threads, s->shared_bytes, c->stream>>>(
            c->d_y, (unsigned)c->n_columns, s->shape, c->in->epsilon_q8, c->d_kept, c->d_segments,
            c->d_rounds);
    else if (c->in->distance == RDP_PERPENDICULAR)
        tall_kernel<true><<<s->n_blocks, TALL_THREADS, s->shared_bytes, c->stream>>>(
            c->d_y, c->in->n_rows, c->n_words, s->shape.y_bytes, c->in->epsilon_q8, c->d_kept,
            c->d_segments, c->d_rounds);
    else
        tall_kernel<false><<<s->n_blocks, TALL_THREADS, s->shared_bytes, c->stream>>>(
            c->d_y, c->in->n_rows, c->n_words, s->shape.y_bytes, c->in->epsilon_q8, c->d_kept,
            c->d_segments, c->d_rounds);
    CUDA_TRY_LAUNCH();
    if (c->d_image)
        bench_lap(c->laps, "segment");
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
    {"warps", "auto", "", "warps that share a column of at most 1024 rows", BENCH_WORD, 0, 0,
     "auto|1|2|4|8"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

BENCH_IMPL(rdp_gpu_opt) = {
    .name = "rdp/gpu-opt",
    .problem = &rdp_problem,
    .target = BENCH_CUDA,
    .source = "a work list of segments in shared memory, taken by lane groups of a segment's size",
    .reference = "rdp/serial",
    .keys = keys,
    .state_size = sizeof(struct state),
    .setup = setup,
    .upload = upload,
    .run = run,
    .download = download,
    .teardown = teardown,
};

/*
 * rdp/gpu-opt - work lists of segments in shared memory, taken by lane groups of the segment's size
 *
 * Source:  [RDP] Algorithm 1 with a list for its recursion; exact integers as in rdp_model.h.
 * Mapping: up to 1024 rows, many columns: a warp has one column, or several of at most 32 words together.  Long
 *          segments one after another by all lanes, then medium ones by 8 lanes each, then small ones by 4.
 *          Few columns of more than 512 rows: a block of 4 warps for each, whose warps take segments pass by
 *          pass.  More than 1024 rows: a block for each, level by level over the bits of kept rows.
 * Shared:  y as uint16, the lists, one bit a row.
 * Work:    each node of the recursion tree is read once: rows * mean depth, against rows * rounds * log2(rows).
 *
 * Ideas, with the time predicted (where it was) and measured on an H200, kitti-sgm, us per frame in a batch of 64:
 *   lists by class instead of one stack   1024: 4.6 -> 2.5 predicted, 3.56; noise 17 times faster than gpu-paper
 *   one word N << 5 | 31 - k as key       one reduction instead of two, ties for free; part of the 3.56
 *   long ones by recursion on registers   3.56 -> 2.4 predicted, 2.92: no list, vote or atomic for half of them
 *   several columns a warp (<= 512 rows)  256: 1.75 -> 1.3 predicted, 1.30; 512: 2.22 -> 1.95 predicted, 2.08; the
 *                                         groups of medium and small segments are filled better
 *   -N instead of N, packed counts        1024: 2.90 -> 2.82: no negated factor, fewer moves
 *   a block a column, one barrier a pass  1 frame, 1024: 13.6 -> 7 predicted, 12.0: a pass is a chain of dependent
 *                                         latencies of some 700 cycles; at 512 and 256 one warp is faster
 *   groups of 16 lanes in blocks          1 frame, 1024: 12.2 -> 12.0, 512 (street): 11.7 -> 11.1
 *   two warp maxima, not four shuffles    1 frame, 1024: 11.8 -> 11.0 predicted, 11.7: in groups of 16 lanes
 *   together: one load for all columns    256: 1.31 -> 1.25 predicted, 1.26; 512: 2.07 -> 2.02
 * Tried and dropped:
 *   an overlapping last block of 4 rows instead of three masked ones: 10 % predicted, 2 % slower;
 *   small segments up to 32 rows: no gain, noise 8 % slower; 2 lanes up to 8 rows: noise 10 % faster, street slower;
 *   2, 3 or more levels a pass, on with the longer part at once: 12.0 -> 10.5 predicted, 13.3 to 15.6: the other
 *   warps wait at the barrier for the one that goes on, with the parts it has already pushed;
 *   16 lanes for medium ones in single warps: 1 frame, 256: 9.5 -> 8.6, but street, and 512 rows, 5 to 10 % slower;
 *   medium up to 64 rows for single columns: 1 frame, 256: one image 9.5 -> 8.4, but 9.7 with 32 and 9.8 with 96: its
 *   deepest column, no rule; street 2 %, 512 rows 4 to 8 % slower;
 *   medium up to 192 or 256 rows for single columns: no gain; 8 warps a column: barriers cost more than they share.
 */
#include "harness/impl.h"
#include "harness/problems/rdp.h"

static const struct bench_key keys[] = {
    {"layout", "columns", "",
     "rows: upload the image as it comes and transpose it on the device", BENCH_WORD, 0, 0,
     "columns|rows"},
    {"warps", "auto", "", "warps that share a column of at most 1024 rows", BENCH_WORD, 0, 0,
     "auto|1|2|4|8"},
    {"together", "auto", "columns",
     "columns of at most 32 words in all that one warp takes together", BENCH_WORD, 0, 0,
     "auto|1|2|4|8"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#ifdef __CUDACC__
#include "impl_gpu/rdp/columns.cuh"

#define ALL_LANES    0xFFFFFFFFu
#define SHORT_COLUMN 1024 /* rows that the list kernel takes: 10 bits a field of an entry */
#define FIELD_BITS   10
#define FIELD        ((1u << FIELD_BITS) - 1)

#define WARPS_PER_BLOCK 2 /* each with columns of its own */

/* A segment is long, medium or small by its length, and searched by all lanes of a warp or by a group of so many.
 * A group searches at most 32 rows a lane: see largest_key. */
#define MEDIUM_LENGTH 128 /* 32 MEDIUM_LANES where a warp has several columns */
#define SMALL_LENGTH  16
#define MEDIUM_LANES  8
#define BLOCK_MEDIUM_LANES \
    16 /* where a block shares a column: shorter passes, there are warps enough */
#define SMALL_LANES 4

static_assert(SHORT_COLUMN <= 32 * RDP_WARP && MEDIUM_LENGTH <= 32 * MEDIUM_LANES &&
                  MEDIUM_LANES <= BLOCK_MEDIUM_LANES && SMALL_LENGTH % SMALL_LANES == 0,
              "a group searches at most 32 rows a lane");
static_assert(SMALL_LANES < MEDIUM_LANES && BLOCK_MEDIUM_LANES < RDP_WARP,
              "largest_key knows a class by its lanes");

#if __CUDA_ARCH__ >= 800
#define HAS_WARP_MAX 1 /* one instruction */
#else
#define HAS_WARP_MAX 0
#endif

static __device__ __forceinline__ uint32_t warp_max(uint32_t value)
{
#if HAS_WARP_MAX
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

/* How one column, or some of them, lies in shared memory: y, the head, three lists of entries. */
struct list_shape {
    int n_rows, n_words;
    int medium_length;       /* longer segments are long */
    int together;            /* columns in one such layout, n_words * 32 rows apart */
    int y_bytes;             /* of y */
    int medium_at, small_at; /* where those lists begin; the long one begins at 0 */
    uint32_t long_mask, medium_mask,
        small_mask;   /* entries - 1 of the rings (several warps only) */
    int column_bytes; /* all of it */
};

struct column_head {
    uint32_t kept[SHORT_COLUMN / 32];    /* rows kept by lane groups */
    uint32_t deepest[SHORT_COLUMN / 32]; /* the greatest depth of a row kept in this word */
    uint32_t
        pushed[4]; /* entries pushed in this and the last two passes, a field for each class */
};

/* One column's shared memory. */
struct column_view {
    uint16_t *y;
    struct column_head *head;
    uint32_t *list;
};

/* An entry of a list: first row, length and depth of a segment that may still be cut. */
static __device__ __forceinline__ uint32_t entry_of(int first, int length, uint32_t depth)
{
    return (uint32_t)first | ((uint32_t)length << FIELD_BITS) | (depth << (2 * FIELD_BITS));
}

static __device__ __forceinline__ int entry_first(uint32_t entry)
{
    return (int)(entry & FIELD);
}

static __device__ __forceinline__ int entry_length(uint32_t entry)
{
    return (int)((entry >> FIELD_BITS) & FIELD);
}

static __device__ __forceinline__ uint32_t entry_depth(uint32_t entry)
{
    return entry >> (2 * FIELD_BITS);
}

static __device__ __forceinline__ uint32_t key_of(uint32_t value, uint32_t slope, uint32_t base)
{
    return (uint32_t)abs((int32_t)(value * slope + base));
}

/* max(a + b, c), which the compiler knows as one instruction from sm_90 on. */
static __device__ __forceinline__ uint32_t add_max(uint32_t a, uint32_t b, uint32_t c)
{
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
    return __viaddmax_u32(a, b, c);
#else
    return max(a + b, c);
#endif
}

/* The largest of (N << 5 | COUNT - 1 - k) over rows k = 0 .. COUNT - 1, which are GROUP apart. */
template <int GROUP, int COUNT, bool INVALID>
static __device__ __forceinline__ uint32_t block_key(const uint16_t *point, uint32_t slope,
                                                     uint32_t base, uint32_t step)
{
    uint32_t best = 0;

#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        const uint32_t value = point[k * GROUP];
        const uint32_t key = key_of(value, slope, base + (uint32_t)k * step);

        if (!INVALID || value != RDP_INVALID)
            best = add_max(key, (uint32_t)(COUNT - 1 - k), best);
    }
    return best;
}

/*
 * The largest of (N << 5 | 31 - k) over this lane's rows offset + k GROUP, k = 0, 1, ..., of the segment that
 * begins at 'point'.  As length <= 32 GROUP and N <= 65535 length, a key has 31 bits, and the largest key is that of
 * the largest N with the smallest k.  Invalid rows count as N = 0, which cuts nothing.
 */
template <int GROUP, bool INVALID>
static __device__ __forceinline__ uint32_t largest_key(const uint16_t *point, int offset,
                                                       int length, int32_t dy, int32_t y_first)
{
    /* small segments have so few rows a lane that all of them are masked, with no loop */
    const int n_masked = GROUP == SMALL_LANES ? SMALL_LENGTH / SMALL_LANES : 3;
    /* -N, which has the same magnitude and needs no negated factor; modulo 2^32, where it fits */
    const uint32_t slope = 32u * (uint32_t)length, step = 0u - 32u * GROUP * (uint32_t)dy;
    uint32_t base =
        0u - 32u * ((uint32_t)dy * (uint32_t)offset + (uint32_t)y_first * (uint32_t)length);
    uint32_t best = 0, order = 31;

    point += offset;
    if (GROUP == RDP_WARP) {
#pragma unroll 1
        for (; offset + 7 * GROUP < length; offset += 8 * GROUP) {
            best = add_max(block_key<GROUP, 8, INVALID>(point, slope, base, step), order - 7,
                           best);
            point += 8 * GROUP;
            base += 8 * step;
            order -= 8;
        }
        if (offset + 3 * GROUP < length) {
            best = add_max(block_key<GROUP, 4, INVALID>(point, slope, base, step), order - 3,
                           best);
            point += 4 * GROUP;
            base += 4 * step;
            order -= 4;
            offset += 4 * GROUP;
        }
    } else if (GROUP != SMALL_LANES) {
#pragma unroll 1
        for (; offset + 3 * GROUP < length; offset += 4 * GROUP) {
            best = add_max(block_key<GROUP, 4, INVALID>(point, slope, base, step), order - 3,
                           best);
            point += 4 * GROUP;
            base += 4 * step;
            order -= 4;
        }
    }
#pragma unroll
    for (int k = 0; k < n_masked; k++) {
        if (offset + k * GROUP < length) {
            const uint32_t value = point[k * GROUP];
            const uint32_t key = key_of(value, slope, base);

            if (!INVALID || value != RDP_INVALID)
                best = add_max(key, order - (uint32_t)k, best);
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

/*
 * Search the segment of this lane's group; all lanes of the warp call it, a length of 0 finds nothing.  Returns
 * whether the segment is cut; *cut is then the offset of the kept row from the first one.
 */
template <int GROUP, bool INVALID, bool PERPENDICULAR>
static __device__ __forceinline__ bool search(const uint16_t *point, int length,
                                              uint32_t epsilon_q8, int *cut)
{
    const int lane = (int)(threadIdx.x % RDP_WARP);
    const int32_t y_first = point[0], dy = point[length] - y_first;
    const uint32_t key =
        largest_key<GROUP, INVALID>(point, 1 + lane % GROUP, length, dy, y_first);
    uint32_t best = key;

    if (GROUP == RDP_WARP) {
        best = warp_max(key);
    } else if (GROUP == RDP_WARP / 2 && HAS_WARP_MAX) {
        /* two reductions of one instruction each instead of four shuffles, one after another */
        const uint32_t low = warp_max(lane < GROUP ? key : 0);
        const uint32_t high = warp_max(lane < GROUP ? 0 : key);

        best = lane < GROUP ? low : high;
    } else {
#pragma unroll
        for (int distance = GROUP / 2; distance > 0; distance /= 2)
            best = max(best, __shfl_xor_sync(ALL_LANES, best, distance));
    }

    unsigned winners = __ballot_sync(ALL_LANES, key == best);

    if (GROUP < RDP_WARP)
        winners &= ((1u << (GROUP % RDP_WARP)) - 1) << (lane / GROUP * GROUP);
    /* the row of the largest N: the smallest k, and of its lanes the lowest */
    *cut = __ffs((int)winners) - lane / GROUP * GROUP + GROUP * (int)(31 - (best & 31));
    return exceeds<PERPENDICULAR>(best >> 5, length, dy, epsilon_q8);
}

/* The place of a class's field in a packed count. */
static __device__ __forceinline__ int class_shift(int length, int medium_length)
{
    return length > medium_length ? 0 : length > SMALL_LENGTH ? FIELD_BITS : 2 * FIELD_BITS;
}

/* The first and last valid row; first = last = n_rows where there is none.  By each warp for itself. */
static __device__ __forceinline__ void find_ends(const uint16_t *y, int n_rows, int *first,
                                                 int *last)
{
    const int lane = (int)(threadIdx.x % RDP_WARP);
    unsigned valid = 0;

    for (*first = 0; *first < n_rows; *first += RDP_WARP) {
        valid =
            __ballot_sync(ALL_LANES, *first + lane < n_rows && y[*first + lane] != RDP_INVALID);
        if (valid)
            break;
    }
    if (!valid) {
        *first = *last = n_rows;
        return;
    }
    *first += __ffs((int)valid) - 1;
    for (*last = (n_rows - 1) / RDP_WARP * RDP_WARP;; *last -= RDP_WARP) {
        valid =
            __ballot_sync(ALL_LANES, *last + lane < n_rows && y[*last + lane] != RDP_INVALID);
        if (valid)
            break;
    }
    *last += RDP_WARP - 1 - __clz((int)valid);
}

/* By the lane that speaks for a segment: row was kept at this depth. */
static __device__ __forceinline__ void keep_row(struct column_head *head, int row,
                                                uint32_t depth)
{
    atomicOr(&head->kept[row >> 5], 1u << (row & 31));
    atomicMax(&head->deepest[row >> 5], depth);
}

/*
 * Groups of GROUP lanes take the last entries of the medium or of the small list, one each, and put the parts on
 * the lists; by one warp for its own columns.
 */
template <int GROUP, bool INVALID, bool PERPENDICULAR>
static __device__ __forceinline__ void take_alone(const struct column_view &c, int medium_at,
                                                  int small_at, int *n_medium, int *n_small,
                                                  uint32_t epsilon_q8)
{
    const bool medium = GROUP != SMALL_LANES;
    const int lane = (int)(threadIdx.x % RDP_WARP), in_group = lane % GROUP,
              group = lane / GROUP;
    int *n_entries = medium ? n_medium : n_small;
    const int taken = min(*n_entries, RDP_WARP / GROUP);
    const uint32_t entry =
        group < taken ? c.list[(medium ? medium_at : small_at) + *n_entries - 1 - group] : 0;
    const int first = entry_first(entry), length = entry_length(entry);
    int cut;
    const bool is_cut =
        search<GROUP, INVALID, PERPENDICULAR>(c.y + first, length, epsilon_q8, &cut);
    const int part = in_group ? length - cut : cut;
    const bool is_child = is_cut && in_group < 2 && part > 1;
    const unsigned below = (1u << lane) - 1;
    unsigned mediums = 0;

    *n_entries -= taken;
    if (medium)
        mediums = __ballot_sync(ALL_LANES, is_child && part > SMALL_LENGTH);

    const unsigned smalls = __ballot_sync(ALL_LANES, is_child && part <= SMALL_LENGTH);

    __syncwarp(); /* all entries of this pass are read */
    if (is_child) {
        const int at = medium && part > SMALL_LENGTH
                           ? medium_at + *n_medium + __popc(mediums & below)
                           : small_at + *n_small + __popc(smalls & below);

        c.list[at] = entry_of(in_group ? first + cut : first, part, entry_depth(entry) + 1);
    }
    if (is_cut && in_group == 0)
        keep_row(c.head, first + cut, entry_depth(entry));
    if (medium)
        *n_medium += __popc(mediums);
    *n_small += __popc(smalls);
    __syncwarp();
}

/*
 * One warp, some columns: long segments one after another by all lanes, then the medium ones of all columns and
 * at last the small ones by lane groups.  Returns this lane's word of kept rows; others are in c.head->kept.
 */
template <bool INVALID, bool PERPENDICULAR>
static __device__ __forceinline__ uint32_t divide_alone(const struct column_view &c,
                                                        const struct list_shape &shape,
                                                        int n_columns, uint32_t epsilon_q8)
{
    const int lane = (int)(threadIdx.x % RDP_WARP);
    const int medium_at = shape.medium_at, small_at = shape.small_at;
    uint32_t word = 0, counts = 0; /* pending entries, a field for each class */

#pragma unroll 1
    for (int column = 0; column < n_columns; column++) {
        int first = 0, last = shape.n_rows - 1, length;
        uint32_t depth = 1, deepest = 0;
        /* all lanes agree on all of these: no votes, no atomics */
        const auto enlist = [&](int child, int part) {
            if (part <= 1)
                return;

            const int shift = class_shift(part, shape.medium_length);
            const int at =
                (int)((counts >> shift) & FIELD) + (shift == 0            ? 0
                                                    : shift == FIELD_BITS ? medium_at
                                                                          : small_at);

            counts += 1u << shift;
            if (lane == 0)
                c.list[at] = entry_of(child, part, depth);
        };

        if (INVALID)
            find_ends(c.y + column * shape.n_words * 32, shape.n_rows, &first, &last);
        first += column * shape.n_words * 32;
        last += column * shape.n_words * 32;
        length = last - first;
        if (length < 1)
            continue;
        word |= lane == first >> 5 ? 1u << (first & 31) : 0;
        word |= lane == last >> 5 ? 1u << (last & 31) : 0;
        if (length <= shape.medium_length) {
            enlist(first, length);
            continue;
        }
        for (;;) {
            int cut;

            if (search<RDP_WARP, INVALID, PERPENDICULAR>(c.y + first, length, epsilon_q8,
                                                         &cut)) {
                const int row = first + cut;

                deepest = max(deepest, depth++);
                if (lane == row >> 5)
                    word |= 1u << (row & 31);
                enlist(row, length - cut);
                length = cut;
                if (length > shape.medium_length)
                    continue;
                enlist(first, length);
            }
            if ((counts & FIELD) == 0)
                break;
            __syncwarp();

            const uint32_t entry = c.list[(--counts) & FIELD];

            first = entry_first(entry);
            length = entry_length(entry);
            depth = entry_depth(entry);
            __syncwarp();
        }
        if (lane == 0)
            c.head->deepest[column * shape.n_words] = deepest;
    }
    __syncwarp();

    int n_medium = (int)(counts >> FIELD_BITS & FIELD),
        n_small = (int)(counts >> (2 * FIELD_BITS));

    while (n_medium > 0)
        take_alone<MEDIUM_LANES, INVALID, PERPENDICULAR>(c, medium_at, small_at, &n_medium,
                                                         &n_small, epsilon_q8);
    while (n_small > 0)
        take_alone<SMALL_LANES, INVALID, PERPENDICULAR>(c, medium_at, small_at, &n_medium,
                                                        &n_small, epsilon_q8);
    return word;
}

/* One segment per group of GROUP lanes, for the block that shares a column: group 0 takes list[at & mask]. */
template <int GROUP, bool INVALID, bool PERPENDICULAR>
static __device__ __forceinline__ void
take_shared(const struct column_view &c, const struct list_shape &shape, const uint32_t *list,
            uint32_t mask, int at, int n_entries, uint32_t tails, uint32_t *pushed,
            uint32_t epsilon_q8)
{
    const int lane = (int)(threadIdx.x % RDP_WARP), in_group = lane % GROUP,
              group = lane / GROUP;
    const uint32_t entry = group < n_entries ? list[(uint32_t)(at + group) & mask] : 0;
    const int first = entry_first(entry), length = entry_length(entry);
    int cut;

    if (search<GROUP, INVALID, PERPENDICULAR>(c.y + first, length, epsilon_q8, &cut) &&
        in_group < 2) {
        const int part = in_group ? length - cut : cut;

        if (part > 1) {
            const int shift = class_shift(part, shape.medium_length);
            const uint32_t tail = (tails + atomicAdd(pushed, 1u << shift)) >> shift;
            const uint32_t to = shift == 0 ? tail & shape.long_mask
                                : shift == FIELD_BITS
                                    ? (uint32_t)shape.medium_at + (tail & shape.medium_mask)
                                    : (uint32_t)shape.small_at + (tail & shape.small_mask);

            c.list[to] = entry_of(in_group ? first + cut : first, part, entry_depth(entry) + 1);
        }
        if (in_group == 0)
            keep_row(c.head, first + cut, entry_depth(entry));
    }
}

/*
 * A block, one column: in each pass, which ends at a barrier, its warps take segments from the lists' heads, long
 * ones first, and push the parts at their tails.  The lists are rings with room for the pending segments and
 * those taken in one pass; a column has fewer than 1024 entries in all, so that packed heads and tails never carry.
 */
template <int WARPS, bool INVALID, bool PERPENDICULAR>
static __device__ __forceinline__ void divide_shared(const struct column_view &c,
                                                     const struct list_shape &shape, int first,
                                                     int length, uint32_t epsilon_q8)
{
    const int warp = (int)(threadIdx.x / RDP_WARP);
    const int medium_groups = RDP_WARP / BLOCK_MEDIUM_LANES,
              small_groups = RDP_WARP / SMALL_LANES;
    uint32_t heads = 0, tails = 1u << class_shift(length, shape.medium_length);
    int now = 0;

    if (threadIdx.x == 0)
        c.list[length > shape.medium_length ? 0
               : length > SMALL_LENGTH      ? shape.medium_at
                                            : shape.small_at] = entry_of(first, length, 1);
    __syncthreads();
    while (tails != heads) {
        const uint32_t counts = tails - heads;
        const int n_long = (int)(counts & FIELD);
        const int n_medium = (int)((counts >> FIELD_BITS) & FIELD);
        const int n_small = (int)(counts >> (2 * FIELD_BITS));
        const int take_long = min(n_long, WARPS);
        const int medium_warps =
            min(WARPS - take_long, (n_medium + medium_groups - 1) / medium_groups);
        const int take_medium = min(n_medium, medium_warps * medium_groups);
        const int small_warps = WARPS - take_long - medium_warps;
        const int take_small = min(n_small, small_warps * small_groups);
        const int medium_before = (warp - take_long) * medium_groups;
        const int small_before = (warp - take_long - medium_warps) * small_groups;

        if (warp < take_long)
            take_shared<RDP_WARP, INVALID, PERPENDICULAR>(c, shape, c.list, shape.long_mask,
                                                          (int)(heads & FIELD) + warp, 1, tails,
                                                          &c.head->pushed[now], epsilon_q8);
        else if (warp < take_long + medium_warps)
            take_shared<BLOCK_MEDIUM_LANES, INVALID, PERPENDICULAR>(
                c, shape, c.list + shape.medium_at, shape.medium_mask,
                (int)((heads >> FIELD_BITS) & FIELD) + medium_before, n_medium - medium_before,
                tails, &c.head->pushed[now], epsilon_q8);
        else if (small_before < take_small)
            take_shared<SMALL_LANES, INVALID, PERPENDICULAR>(
                c, shape, c.list + shape.small_at, shape.small_mask,
                (int)(heads >> (2 * FIELD_BITS)) + small_before, n_small - small_before, tails,
                &c.head->pushed[now], epsilon_q8);
        heads += (uint32_t)take_long + ((uint32_t)take_medium << FIELD_BITS) +
                 ((uint32_t)take_small << (2 * FIELD_BITS));
        __syncthreads();
        /* this pass's count is final, the next pass has its own, and the last one's was read before the barrier */
        tails += c.head->pushed[now];
        if (threadIdx.x == 0)
            c.head->pushed[now == 0 ? 2 : now - 1] = 0;
        now = now == 2 ? 0 : now + 1;
    }
}

/* Whether a word has a half that is RDP_INVALID, in 'seen'. */
static __device__ __forceinline__ void look_for_invalid(uint32_t word, uint32_t *seen)
{
#if __CUDA_ARCH__ >= 900
    *seen = __vmaxu2(*seen, word);
#else
    *seen |= (~word - 0x00010001u) & word & 0x80008000u;
#endif
}

static __device__ __forceinline__ bool saw_invalid(uint32_t seen)
{
#if __CUDA_ARCH__ >= 900
    return (seen & 0xFFFFu) == RDP_INVALID || seen >> 16 == RDP_INVALID;
#else
    return seen != 0;
#endif
}

/* Copy a column into shared memory; returns whether this thread saw an invalid value. */
static __device__ __forceinline__ bool load_column(uint16_t *to, const uint16_t *from,
                                                   int n_rows, int thread, int n_threads)
{
    uint32_t seen = 0;

    if (n_rows % 8 == 0) { /* then every column begins at a multiple of 16 bytes */
#pragma unroll 4
        for (int i = thread; i < n_rows / 8; i += n_threads) {
            const uint4 v = ((const uint4 *)from)[i];

            look_for_invalid(v.x, &seen);
            look_for_invalid(v.y, &seen);
            look_for_invalid(v.z, &seen);
            look_for_invalid(v.w, &seen);
            ((uint4 *)to)[i] = v;
        }
    } else {
#pragma unroll 4
        for (int i = thread; i < n_rows; i += n_threads) {
            const uint16_t v = from[i];

            look_for_invalid(v, &seen);
            to[i] = v;
        }
    }
    return saw_invalid(seen);
}

/*
 * y [n_columns][n_rows], 1/256 px, n_rows <= 1024 -> kept [n_columns][n_words], segments and rounds [n_columns].
 * Each warp has 'together' columns (fewer at the end), whose words of kept rows are one a lane.
 */
template <bool SINGLE, bool PERPENDICULAR>
static __global__ void __launch_bounds__(WARPS_PER_BLOCK *RDP_WARP)
    warp_kernel(const uint16_t *__restrict__ y, unsigned n_columns, struct list_shape shape,
                uint32_t epsilon_q8, uint32_t *__restrict__ kept,
                int32_t *__restrict__ segments, int32_t *__restrict__ rounds)
{
    extern __shared__ uint4 shared[];
    const int lane = (int)(threadIdx.x % RDP_WARP);
    const unsigned in_block = threadIdx.x / RDP_WARP;
    const size_t column = ((size_t)blockIdx.x * WARPS_PER_BLOCK + in_block) *
                          (SINGLE ? 1u : (unsigned)shape.together);
    struct column_view c;
    bool seen = false;

    if (column >= n_columns)
        return;

    const int n_here = SINGLE ? 1 : (int)min((size_t)shape.together, n_columns - column);

    c.y = (uint16_t *)((char *)shared + in_block * (unsigned)shape.column_bytes);
    c.head = (struct column_head *)((char *)c.y + shape.y_bytes);
    c.list = (uint32_t *)(c.head + 1);
    c.head->kept[lane] = c.head->deepest[lane] = 0;
    if (!SINGLE && shape.n_rows % 32 == 0) { /* they follow one another in both memories */
        seen = load_column(c.y, y + column * (size_t)shape.n_rows, n_here * shape.n_rows, lane,
                           RDP_WARP);
    } else {
#pragma unroll 1
        for (int k = 0; k < n_here; k++)
            seen |= load_column(c.y + k * shape.n_words * 32,
                                y + (column + (unsigned)k) * (size_t)shape.n_rows, shape.n_rows,
                                lane, RDP_WARP);
    }

    const bool invalid = __any_sync(ALL_LANES, seen);

    __syncwarp();

    uint32_t word = invalid ? divide_alone<true, PERPENDICULAR>(c, shape, n_here, epsilon_q8)
                            : divide_alone<false, PERPENDICULAR>(c, shape, n_here, epsilon_q8);

    word |= c.head->kept[lane];
    if (lane < n_here * shape.n_words)
        kept[column * (size_t)shape.n_words + (size_t)lane] = word;
#pragma unroll 1
    for (int k = 0; k < n_here; k++) {
        const bool mine = lane >= k * shape.n_words && lane < (k + 1) * shape.n_words;
        const int n_kept = warp_sum(mine ? __popc(word) : 0);
        const uint32_t deepest = warp_max(mine ? c.head->deepest[lane] : 0);

        if (lane == 0) {
            segments[column + (unsigned)k] = n_kept > 0 ? n_kept - 1 : 0;
            rounds[column + (unsigned)k] = 1 + (int)deepest;
        }
    }
}

/* The same with a block of WARPS warps for each column. */
template <int WARPS, bool PERPENDICULAR>
static __global__ void __launch_bounds__(WARPS *RDP_WARP)
    block_kernel(const uint16_t *__restrict__ y, unsigned n_columns, struct list_shape shape,
                 uint32_t epsilon_q8, uint32_t *__restrict__ kept,
                 int32_t *__restrict__ segments, int32_t *__restrict__ rounds)
{
    extern __shared__ uint4 shared[];
    const int lane = (int)(threadIdx.x % RDP_WARP);
    const size_t column = blockIdx.x;
    struct column_view c;

    if (column >= n_columns)
        return;
    c.y = (uint16_t *)shared;
    c.head = (struct column_head *)((char *)c.y + shape.y_bytes);
    c.list = (uint32_t *)(c.head + 1);
    if (threadIdx.x < RDP_WARP)
        c.head->kept[lane] = c.head->deepest[lane] = 0;
    if (threadIdx.x < 4)
        c.head->pushed[lane] = 0;

    const bool seen = load_column(c.y, y + column * (size_t)shape.n_rows, shape.n_rows,
                                  (int)threadIdx.x, WARPS * RDP_WARP);
    const bool invalid = __syncthreads_or(seen);
    int first = 0, last = shape.n_rows - 1;

    if (invalid)
        find_ends(c.y, shape.n_rows, &first, &last);
    if (last - first > 1) {
        if (invalid)
            divide_shared<WARPS, true, PERPENDICULAR>(c, shape, first, last - first,
                                                      epsilon_q8);
        else
            divide_shared<WARPS, false, PERPENDICULAR>(c, shape, first, last - first,
                                                       epsilon_q8);
    }
    if (threadIdx.x >= RDP_WARP)
        return;

    uint32_t word = c.head->kept[lane];

    if (last > first) {
        word |= lane == first >> 5 ? 1u << (first & 31) : 0;
        word |= lane == last >> 5 ? 1u << (last & 31) : 0;
    }
    if (lane < shape.n_words)
        kept[column * (size_t)shape.n_words + (size_t)lane] = word;

    const int n_kept = warp_sum(__popc(word));
    const uint32_t deepest = warp_max(c.head->deepest[lane]);

    if (lane == 0) {
        segments[column] = n_kept > 0 ? n_kept - 1 : 0;
        rounds[column] = 1 + (int)deepest;
    }
}

/* Columns of more than SHORT_COLUMN rows: a block for each, level by level. */
#define TALL_THREADS 256
#define TALL_WARPS   (TALL_THREADS / RDP_WARP)
#define WARP_LENGTH  1024 /* longer segments are searched by the whole block */
#define MAX_LONG     (RDP_MAX_ROWS / WARP_LENGTH)

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
            const int mine =
                at + lane * TALL_WARPS; /* neighbouring words go to different warps */
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

#define TILE         64
#define TILE_THREADS 256

/* image [n_frames][n_rows][n_cols] -> y [n_frames][n_cols][n_rows]; blockIdx.x = frame and tile of columns,
 * blockIdx.y = tile of rows. */
static __global__ void __launch_bounds__(TILE_THREADS)
    transpose_kernel(const uint16_t *__restrict__ image, int n_cols, int n_rows, int col_tiles,
                     uint16_t *__restrict__ y)
{
    __shared__ uint16_t
        tile[TILE][TILE + 2]; /* an odd number of words a row: no bank conflicts */
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

#define MANY_COLUMNS 12 /* a multiprocessor; up to so many share several warps each */

template <bool PERPENDICULAR> static list_function *list_function_of(int warps, int together)
{
    switch (warps) {
    case 1:
        return together > 1 ? warp_kernel<false, PERPENDICULAR>
                            : warp_kernel<true, PERPENDICULAR>;
    case 2:
        return block_kernel<2, PERPENDICULAR>;
    case 4:
        return block_kernel<4, PERPENDICULAR>;
    default:
        return block_kernel<8, PERPENDICULAR>;
    }
}

/*
 * Few columns leave the card idle: give each of them more warps.  Many: give each warp more of them, as many as have
 * at most 32 words, since their small segments fill the lane groups better together.
 */
static enum bench_status choose_warps(const struct bench_ctx *ctx, size_t n_columns,
                                      int n_words, int *warps, int *together)
{
    const char *const counts[] = {"1", "2", "4", "8"};
    const size_t per_processor = n_columns / (size_t)ctx->n_sms;

    *warps = per_processor <= MANY_COLUMNS && n_words > 16 ? 4 : 1;
    *together = per_processor >= 8 * 64 ? 8 : (int)(per_processor / 64);
    for (int k = 0; k < 4; k++) {
        if (bench_is(ctx->params, "warps", counts[k]))
            *warps = 1 << k;
        if (bench_is(ctx->params, "together", counts[k]))
            *together = 1 << k;
    }
    if (*together > 32 / n_words)
        *together = 32 / n_words;
    if (*together < 1 || *warps > 1)
        *together = 1;
    return BENCH_OK;
}

/* The least power of two that is >= n. */
static int power_of_two(int n)
{
    int power = 1;

    while (power < n)
        power *= 2;
    return power;
}

static int reads_raw(const struct bench_params *params)
{
    return bench_is(params, "layout", "rows");
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;
    const struct rdp_input *in = (const struct rdp_input *)input;
    const bool perpendicular = in->distance == RDP_PERPENDICULAR;
    struct list_shape *shape = &s->shape;
    const void *kernel;

    TRY(columns_setup(&s->columns, ctx, input, output, reads_raw(ctx->params)));
    s->col_tiles = (in->n_cols + TILE - 1) / TILE;
    s->row_tiles = (in->n_rows + TILE - 1) / TILE;

    shape->n_rows = in->n_rows;
    shape->n_words = s->columns.n_words;
    shape->y_bytes = (in->n_rows * (int)sizeof(uint16_t) + 15) / 16 * 16;
    if (in->n_rows > SHORT_COLUMN) {
        s->n_blocks = (unsigned)s->columns.n_columns;
        s->n_threads = TALL_THREADS;
        s->shared_bytes =
            (size_t)shape->y_bytes + 4 * sizeof(uint32_t) * (size_t)shape->n_words;
        kernel =
            perpendicular ? (const void *)tall_kernel<true> : (const void *)tall_kernel<false>;
    } else {
        int warps = 1, list_entries;

        TRY(choose_warps(ctx, s->columns.n_columns, shape->n_words, &warps, &shape->together));

        shape->medium_length = shape->together > 1 ? 32 * MEDIUM_LANES : MEDIUM_LENGTH;

        /* Pending segments of a class are disjoint: so many at most, and one for the root.  Rings have room for
         * those that are being taken, too. */
        const int n_long = in->n_rows / (shape->medium_length + 1) + 1;
        const int n_medium = (in->n_rows / (SMALL_LENGTH + 1) + 1) * shape->together;
        const int n_small = (in->n_rows / 2 + 1) * shape->together;

        if (warps == 1) {
            shape->medium_at = n_long;
            shape->small_at = shape->medium_at + n_medium;
            list_entries = shape->small_at + n_small;
        } else {
            shape->medium_at = power_of_two(n_long + warps);
            shape->small_at = shape->medium_at +
                              power_of_two(n_medium + warps * RDP_WARP / BLOCK_MEDIUM_LANES);
            list_entries =
                shape->small_at + power_of_two(n_small + warps * RDP_WARP / SMALL_LANES);
            shape->long_mask = (uint32_t)shape->medium_at - 1;
            shape->medium_mask = (uint32_t)(shape->small_at - shape->medium_at) - 1;
            shape->small_mask = (uint32_t)(list_entries - shape->small_at) - 1;
        }
        shape->y_bytes = shape->together * shape->n_words * 32 * (int)sizeof(uint16_t);
        shape->column_bytes = shape->y_bytes + (int)sizeof(struct column_head) +
                              (list_entries * (int)sizeof(uint32_t) + 15) / 16 * 16;

        const int layouts_per_block = warps == 1 ? WARPS_PER_BLOCK : 1;
        const size_t columns_per_block = (size_t)layouts_per_block * (size_t)shape->together;

        s->n_blocks =
            (unsigned)((s->columns.n_columns + columns_per_block - 1) / columns_per_block);
        s->n_threads = warps * RDP_WARP * layouts_per_block;
        s->shared_bytes = (size_t)layouts_per_block * (size_t)shape->column_bytes;
        s->kernel = perpendicular ? list_function_of<true>(warps, shape->together)
                                  : list_function_of<false>(warps, shape->together);
        kernel = (const void *)s->kernel;
    }
    return bench_note_kernel(ctx, kernel, s->n_threads, s->shared_bytes);
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

    if (c->d_image) {
        const dim3 tiles((unsigned)(c->in->n_frames * s->col_tiles), (unsigned)s->row_tiles);

        transpose_kernel<<<tiles, TILE_THREADS, 0, c->stream>>>(
            c->d_image, c->in->n_cols, c->in->n_rows, s->col_tiles, c->d_y);
        CUDA_TRY_LAUNCH();
        bench_lap(c->ctx->laps, "transpose");
    }
    if (s->kernel)
        s->kernel<<<s->n_blocks, (unsigned)s->n_threads, s->shared_bytes, c->stream>>>(
            c->d_y, (unsigned)c->n_columns, s->shape, c->in->epsilon_q8, c->d_kept,
            c->d_segments, c->d_rounds);
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
        bench_lap(c->ctx->laps, "segment");
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
#endif

BENCH_IMPL(rdp_gpu_opt) = {
    .name = "rdp/gpu-opt",
    .problem = &rdp_problem,
    .target = BENCH_CUDA,
    .source =
        "a work list of segments in shared memory, taken by lane groups of a segment's size",
    .reference = "rdp/serial",
    .keys = keys,
#ifdef __CUDACC__
    .state_size = sizeof(struct state),
    .reads_raw = reads_raw,
    .setup = setup,
    .upload = upload,
    .poison = poison,
    .run = run,
    .download = download,
    .teardown = teardown,
#endif
};

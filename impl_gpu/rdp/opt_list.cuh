/* opt_list.cuh - rdp/gpu-opt: columns of at most 1024 rows, by lists of segments */
#ifndef RDP_OPT_LIST_CUH
#define RDP_OPT_LIST_CUH

#include "impl_gpu/rdp/columns.cuh"

#define SHORT_COLUMN 1024 /* rows at most: an entry has 10 bits for each field */
#define FIELD_BITS   10
#define FIELD        ((1u << FIELD_BITS) - 1)

#define WARPS_PER_BLOCK 2 /* each with its own columns */

/* By length, segments are long, medium or small.  All lanes of a warp search a long one, groups
 * of lanes the others.  A lane searches at most 32 rows: see largest_key. */
#define MEDIUM_LENGTH 128 /* 32 MEDIUM_LANES if a warp has several columns */
#define SMALL_LENGTH  16
#define MEDIUM_LANES  8
#define SMALL_LANES   4
/* if a block shares a column: passes are shorter, and there are enough warps */
#define BLOCK_MEDIUM_LANES 16

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

DEVICE uint32_t warp_max(uint32_t value)
{
#if HAS_WARP_MAX
    return __reduce_max_sync(ALL_LANES, value);
#else
    for (int distance = RDP_WARP / 2; distance > 0; distance /= 2)
        value = max(value, __shfl_xor_sync(ALL_LANES, value, distance));
    return value;
#endif
}

/* The layout of one or several columns in shared memory: y, the head, three lists. */
struct list_shape {
    int n_rows, n_words;
    int medium_length;       /* longer segments are long */
    int together;            /* columns in one layout, n_words * 32 rows apart */
    int y_bytes;             /* of y */
    int medium_at, small_at; /* where these lists begin; the long one begins at 0 */
    uint32_t long_mask, medium_mask, small_mask; /* entries - 1 of the rings of a block */
    int column_bytes;                            /* all of it */
};

struct column_head {
    uint32_t kept[SHORT_COLUMN / 32];    /* rows kept by lane groups */
    uint32_t deepest[SHORT_COLUMN / 32]; /* the greatest depth of a row kept in this word */
    uint32_t pushed[4]; /* entries pushed in this and the last two passes, a field per class */
};

/* One column's shared memory. */
struct column_view {
    uint16_t *y;
    struct column_head *head;
    uint32_t *list;
};

/* An entry of a list: first row, length and depth of a segment that may still be cut. */
DEVICE uint32_t entry_of(int first, int length, uint32_t depth)
{
    return (uint32_t)first | ((uint32_t)length << FIELD_BITS) | (depth << (2 * FIELD_BITS));
}

DEVICE int entry_first(uint32_t entry)
{
    return (int)(entry & FIELD);
}

DEVICE int entry_length(uint32_t entry)
{
    return (int)((entry >> FIELD_BITS) & FIELD);
}

DEVICE uint32_t entry_depth(uint32_t entry)
{
    return entry >> (2 * FIELD_BITS);
}

DEVICE uint32_t key_of(uint32_t value, uint32_t slope, uint32_t base)
{
    return (uint32_t)abs((int32_t)(value * slope + base));
}

/* max(a + b, c): one instruction from sm_90 on. */
DEVICE uint32_t add_max(uint32_t a, uint32_t b, uint32_t c)
{
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
    return __viaddmax_u32(a, b, c);
#else
    return max(a + b, c);
#endif
}

/* The largest (N << 5 | COUNT - 1 - k) over rows k = 0 .. COUNT - 1, GROUP apart. */
template <int GROUP, int COUNT, bool INVALID>
DEVICE uint32_t block_key(const uint16_t *point, uint32_t slope, uint32_t base, uint32_t step)
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
 * The largest of (N << 5 | 31 - k) over this lane's rows offset + k GROUP, k = 0, 1, ..., of
 * the segment that begins at 'point'.  As length <= 32 GROUP and N <= 65535 length, a key has
 * 31 bits, and the largest key is that of the largest N with the smallest k.  Invalid rows
 * count as N = 0, which cuts nothing.
 */
template <int GROUP, bool INVALID>
DEVICE uint32_t largest_key(const uint16_t *point, int offset, int length, int32_t dy,
                            int32_t y_first)
{
    /* a lane has so few rows of a small segment that it needs no loop, only masks */
    const int n_masked = GROUP == SMALL_LANES ? SMALL_LENGTH / SMALL_LANES : 3;
    /* -N has the same magnitude and needs no negated factor; it fits modulo 2^32 */
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

            /* a maximum on condition would take more instructions than a key on condition */
            best =
                add_max(INVALID && value == RDP_INVALID ? 0 : key, order - (uint32_t)k, best);
        }
        base += step;
    }
    return best;
}

template <bool PERPENDICULAR>
DEVICE bool exceeds(uint32_t n, int length, int32_t dy, uint32_t epsilon_q8)
{
    return PERPENDICULAR ? rdp_exceeds_perpendicular(n, length, dy, epsilon_q8)
                         : rdp_exceeds_vertical(n, length, epsilon_q8);
}

/* Searches the segment of this lane's group; a length of 0 finds nothing.  True if it is cut;
 * *cut is the kept row's offset from the first.  All lanes of the warp call it. */
template <int GROUP, bool INVALID, bool PERPENDICULAR>
DEVICE bool search(const uint16_t *point, int length, uint32_t epsilon_q8, int *cut)
{
    const int lane = (int)(threadIdx.x % RDP_WARP);
    const int32_t y_first = point[0], dy = point[length] - y_first;
    const uint32_t key =
        largest_key<GROUP, INVALID>(point, 1 + lane % GROUP, length, dy, y_first);
    uint32_t best = key;

    if (GROUP == RDP_WARP) {
        best = warp_max(key);
    } else if (GROUP == RDP_WARP / 2 && HAS_WARP_MAX) {
        /* two reductions of one instruction each instead of four dependent shuffles */
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
    /* the row of the largest N: the smallest k in the lowest lane that has it */
    *cut = __ffs((int)winners) - lane / GROUP * GROUP + GROUP * (int)(31 - (best & 31));
    return exceeds<PERPENDICULAR>(best >> 5, length, dy, epsilon_q8);
}

/* The place of a class's field in a packed count. */
DEVICE int class_shift(int length, int medium_length)
{
    return length > medium_length ? 0 : length > SMALL_LENGTH ? FIELD_BITS : 2 * FIELD_BITS;
}

/* By each warp: finds the first and last valid row; both are n_rows if there is none. */
DEVICE void find_ends(const uint16_t *y, int n_rows, int *first, int *last)
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

/* By the first lane of a segment's group: marks a row as kept at this depth. */
DEVICE void keep_row(struct column_head *head, int row, uint32_t depth)
{
    atomicOr(&head->kept[row >> 5], 1u << (row & 31));
    atomicMax(&head->deepest[row >> 5], depth);
}

/* Each group of GROUP lanes takes an entry from the end of the medium or the small list, and
 * pushes its parts.  By one warp for its own columns. */
template <int GROUP, bool INVALID, bool PERPENDICULAR>
DEVICE void take_alone(const struct column_view &c, int medium_at, int small_at, int *n_medium,
                       int *n_small, uint32_t epsilon_q8)
{
    const bool medium = GROUP != SMALL_LANES;
    const int lane = (int)(threadIdx.x % RDP_WARP);
    const int in_group = lane % GROUP, group = lane / GROUP;
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
 * One warp for one or several columns.  All lanes search the long segments one after another;
 * then lane groups search the medium ones of all columns, and last the small ones.  Returns
 * this lane's word of kept rows; more kept rows are in c.head->kept.
 */
template <bool INVALID, bool PERPENDICULAR>
DEVICE uint32_t divide_alone(const struct column_view &c, const struct list_shape &shape,
                             int n_columns, uint32_t epsilon_q8)
{
    const int lane = (int)(threadIdx.x % RDP_WARP);
    const int medium_at = shape.medium_at, small_at = shape.small_at;
    uint32_t word = 0, counts = 0; /* pending entries, a field for each class */

#pragma unroll 1
    for (int column = 0; column < n_columns; column++) {
        int first = 0, last = shape.n_rows - 1, length;
        uint32_t depth = 1, deepest = 0;
        /* all lanes have the same values: no votes, no atomics */
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

    int n_medium = (int)(counts >> FIELD_BITS & FIELD);
    int n_small = (int)(counts >> (2 * FIELD_BITS));

    while (n_medium > 0)
        take_alone<MEDIUM_LANES, INVALID, PERPENDICULAR>(c, medium_at, small_at, &n_medium,
                                                         &n_small, epsilon_q8);
    while (n_small > 0)
        take_alone<SMALL_LANES, INVALID, PERPENDICULAR>(c, medium_at, small_at, &n_medium,
                                                        &n_small, epsilon_q8);
    return word;
}

/* Each group of GROUP lanes of a block searches one segment; group 0 takes list[at & mask]. */
template <int GROUP, bool INVALID, bool PERPENDICULAR>
DEVICE void take_shared(const struct column_view &c, const struct list_shape &shape,
                        const uint32_t *list, uint32_t mask, int at, int n_entries,
                        uint32_t tails, uint32_t *pushed, uint32_t epsilon_q8)
{
    const int lane = (int)(threadIdx.x % RDP_WARP);
    const int in_group = lane % GROUP, group = lane / GROUP;
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
 * One block for one column.  In each pass, which ends at a barrier, its warps take segments
 * from the heads of the lists, long ones first, and push the parts at the tails.  The lists are
 * rings with room for the pending segments and those taken in one pass.  A column has fewer
 * than 1024 entries in all, so packed heads and tails never carry.
 */
template <int WARPS, bool INVALID, bool PERPENDICULAR>
DEVICE void divide_shared(const struct column_view &c, const struct list_shape &shape,
                          int first, int length, uint32_t epsilon_q8)
{
    const int warp = (int)(threadIdx.x / RDP_WARP);
    const int medium_groups = RDP_WARP / BLOCK_MEDIUM_LANES;
    const int small_groups = RDP_WARP / SMALL_LANES;
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
        /* final: the next pass has its own count; the last one was read before the barrier */
        tails += c.head->pushed[now];
        if (threadIdx.x == 0)
            c.head->pushed[now == 0 ? 2 : now - 1] = 0;
        now = now == 2 ? 0 : now + 1;
    }
}

/* Notes in 'seen' whether a half of the word is RDP_INVALID. */
DEVICE void look_for_invalid(uint32_t word, uint32_t *seen)
{
#if __CUDA_ARCH__ >= 900
    *seen = __vmaxu2(*seen, word);
#else
    *seen |= (~word - 0x00010001u) & word & 0x80008000u;
#endif
}

DEVICE bool saw_invalid(uint32_t seen)
{
#if __CUDA_ARCH__ >= 900
    return (seen & 0xFFFFu) == RDP_INVALID || seen >> 16 == RDP_INVALID;
#else
    return seen != 0;
#endif
}

/* Copies a column into shared memory; returns whether this thread saw an invalid value. */
DEVICE bool load_column(uint16_t *to, const uint16_t *from, int n_rows, int thread,
                        int n_threads)
{
    uint32_t seen = 0;

    if (n_rows % 8 == 0) { /* every column begins at a multiple of 16 bytes */
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
 * y [n_columns][n_rows], 1/256 px, n_rows <= 1024 -> kept [n_columns][n_words], segments and
 * rounds [n_columns].  Each warp has 'together' columns (fewer at the end); each lane has one
 * word of their kept rows.
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
    if (!SINGLE && shape.n_rows % 32 == 0) { /* columns are adjacent in both memories */
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

/* The same with one block of WARPS warps per column. */
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

#endif

/*
 * opt_rows.cuh - the paths along a row, the best disparities of both images, and the checks: a
 * warp from each end of a row
 */
#ifndef GPU_SGM_OPT_ROWS_CUH
#define GPU_SGM_OPT_ROWS_CUH

#include "impl_gpu/sgm/opt_step.cuh"

#define STEPS     8 /* pixels that are loaded before they are needed */
#define MOST_ROWS 2 /* of a block */

/* Holds what a warp needs of its row.  For the one that goes left all is mirrored, disparities
 * as well: its lane l has 127 - 2l, 126 - 2l, 63 - 2l and 62 - 2l; the same code is right. */
struct side {
    uint32_t *left, *right; /* shared: words of both images, as they are needed */
    uint32_t *costs;        /* of the first pixel of a half, at this lane's place */
    const uint32_t *sums;
    ptrdiff_t d_costs;        /* to the next pixel */
    uint32_t to_bytes;        /* selectors: costs to bytes ... */
    uint32_t to_even, to_odd; /* ... and back */
    uint32_t d_even, d_odd;   /* disparities */
    uint16_t *best;           /* of the pixel of the right image that is complete */
    uint32_t *found;          /* see choose() */
    int dx, mirror;           /* 127: disparities are counted from there */
    bool writes;              /* what it finds: in one lane */
};

/* A row's choice: the best of each pixel; and the checks; and the sums beside the best one. */
enum choice { BARE, CHECKED, SUBPIXEL };

static inline __host__ __device__ int side_words(const struct opt_shape &s)
{
    return 2 * s.n_cols + OPT_PAD + 3 * OPT_SPARE; /* right, left */
}

/* Before the best keys of the right image is room for those of pixels left of it. */
static inline __host__ __device__ int best_words(const struct opt_shape &s)
{
    return (OPT_DISPARITIES + s.n_cols + 1) / 2;
}

static inline __host__ __device__ int row_words_of(const struct opt_shape &s)
{
    return 2 * (side_words(s) + best_words(s)) + s.n_cols; /* and found */
}

/* The words that STEPS pixels need, and the costs of other paths. */
struct row_words {
    uint32_t left[STEPS], low[STEPS], high[STEPS], other[STEPS], vertical[STEPS];
};

/* Words of the right image's census, which go on from pixel to pixel. */
struct window {
    uint2 low, high;
};

/* The best of the pixels x - d of the right image, so far. */
struct behind {
    uint32_t even, odd;
};

template <bool SECOND> DEVICE void load_words(struct row_words *w, struct side *at)
{
#pragma unroll
    for (int i = 0; i < STEPS; i++) {
        w->left[i] = at->left[i];
        w->low[i] = at->right[i];
        w->high[i] = at->right[i - 64];
        if (SECOND) {
            w->other[i] = *at->costs;
            w->vertical[i] = *at->sums;
            at->costs += at->d_costs;
            at->sums += at->d_costs;
        }
    }
    at->left += STEPS;
    at->right += STEPS;
}

/* 'keys' without those whose disparity is 'best' or beside it. */
DEVICE uint32_t without_near(uint32_t keys, uint32_t d, int best)
{
    return keys | ((d & 127) + 1 - (uint32_t)best <= 2 ? 0xFFFFu : 0) |
           ((d >> 16) + 1 - (uint32_t)best <= 2 ? 0xFFFF0000u : 0);
}

/* By how much the sum of a disparity is more than the least, 10 bits; all lanes ask for it. */
DEVICE uint32_t more_at(uint32_t even, uint32_t odd, int d, int mirror, uint32_t least)
{
    const int m = mirror ? mirror - d : d;
    const uint32_t word = __shfl_sync(ALL_LANES, m & 1 ? odd : even, (m & 63) / 2);

    return ((m >= 64 ? word >> 16 : word & 0xFFFF) / 128 - least) & 1023;
}

/* Finds the best of a pixel, whose sums and disparities are 16-bit keys: its disparity, from bit
 * 8 on if it is unique, from bits 10 and 20 on by how much the sums beside it are more.  No branch
 * is taken, so that the compiler can mix pixels: each waits long for the one before it. */
template <enum choice CHOICE>
DEVICE void choose(const struct path &p, const struct lanes &k, const struct opt_shape &s,
                   uint32_t other, uint32_t vertical, struct side *at, struct behind *r,
                   int lane)
{
    const uint32_t even =
        (p.even + __byte_perm(other, 0, at->to_even) + __byte_perm(vertical, 0, at->to_even)) *
            128 +
        at->d_even;
    const uint32_t odd =
        (p.odd + __byte_perm(other, 0, at->to_odd) + __byte_perm(vertical, 0, at->to_odd)) *
            128 +
        at->d_odd;
    const uint32_t key = least_of_all(even, odd) & 0xFFFF, least = key / 128;
    const int best = (int)(key & 127);
    uint32_t found = (uint32_t)best;

    if (CHOICE != BARE) {
        const uint32_t next = least_of_all(without_near(even, at->d_even, best),
                                           without_near(odd, at->d_odd, best)) &
                              0xFFFF;
        const uint32_t moved =
            __byte_perm(__shfl_sync(ALL_LANES, r->odd, k.below), ALL_LANES, k.from_below);

        found |= next / 128 * (uint32_t)s.uniqueness >= least * 100 ? 256 : 0;
        /* pixel x - d of the right image is x + 1 - (d + 1) */
        r->odd = __vminu2(r->even, odd);
        r->even = __vminu2(moved, even);
        if (lane == WARP_LANES - 1)
            *at->best = (uint16_t)(r->odd >> 16);
        at->best += at->dx;
    }
    if (CHOICE == SUBPIXEL)
        found |= more_at(even, odd, best - 1, at->mirror, least) << 10 |
                 more_at(even, odd, best + 1, at->mirror, least) << 20;
    if (at->writes)
        *at->found = found;
    at->found += at->dx;
}

/* SECOND: chooses, of all four paths. */
template <bool SECOND, enum choice CHOICE>
DEVICE void step_words(struct path *p, const struct lanes &k, const struct opt_shape &s,
                       struct window *v, const struct row_words &w, int n, struct side *to,
                       struct behind *r, int lane)
{
#pragma unroll
    for (int i = 0; i < STEPS; i++)
        if (i < n) {
            v->low = make_uint2(v->low.y, w.low[i]);
            v->high = make_uint2(v->high.y, w.high[i]);
            step(p, k, s, w.left[i], v->low, v->high);
            if (SECOND) {
                choose<CHOICE>(*p, k, s, w.other[i], w.vertical[i], to, r, lane);
            } else {
                *to->costs = __byte_perm(p->even, p->odd, to->to_bytes);
                to->costs += to->d_costs;
            }
        }
}

/* n pixels from i on, in the order of the side. */
template <bool SECOND, enum choice CHOICE>
DEVICE void go_along_row(struct path *p, const struct lanes &k, const struct opt_shape &s,
                         struct side at, int i, int n, struct behind *r, int lane)
{
    struct row_words now, next;
    struct window v;
    struct side to;

    at.left += i;
    at.right += i - 2 * lane;
    at.costs += i * at.d_costs;
    at.sums += i * at.d_costs;
    at.found += i * at.dx;
    at.best += i * at.dx;
    to = at;
    v.low = make_uint2(0, at.right[-1]);
    v.high = make_uint2(0, at.right[-65]);
    load_words<SECOND>(&now, &at);
    for (; n >= 2 * STEPS; n -= 2 * STEPS) {
        load_words<SECOND>(&next, &at);
        step_words<SECOND, CHOICE>(p, k, s, &v, now, STEPS, &to, r, lane);
        load_words<SECOND>(&now, &at);
        step_words<SECOND, CHOICE>(p, k, s, &v, next, STEPS, &to, r, lane);
    }
    load_words<SECOND>(&next, &at);
    step_words<SECOND, CHOICE>(p, k, s, &v, now, n, &to, r, lane);
    step_words<SECOND, CHOICE>(p, k, s, &v, next, n - STEPS, &to, r, lane);
}

DEVICE struct side make_side(const struct opt_shape &s, uint32_t *words, bool goes_left,
                             int lane)
{
    struct side at;

    at.right = words + (goes_left ? side_words(s) : 0) + OPT_SPARE + OPT_PAD;
    at.left = at.right + s.n_cols + OPT_SPARE;
    at.dx = goes_left ? -1 : 1;
    at.mirror = goes_left ? 127 : 0;
    at.writes = lane == 0;
    at.d_costs = goes_left ? -WARP_LANES : WARP_LANES;
    at.to_bytes = goes_left ? 0x0426u : 0x6240u;
    at.to_even = goes_left ? 0x4143u : 0x4240u;
    at.to_odd = goes_left ? 0x4042u : 0x4341u;
    at.d_even = (uint32_t)(goes_left ? (127 - 2 * lane) | (63 - 2 * lane) << 16
                                     : 2 * lane | (2 * lane + 64) << 16);
    at.d_odd = (uint32_t)(goes_left ? (126 - 2 * lane) | (62 - 2 * lane) << 16
                                    : (2 * lane + 1) | (2 * lane + 65) << 16);
    return at;
}

/* The pixels of the right image whose larger disparities lie beyond the row. */
DEVICE void offer_rest(const struct side &at, const struct behind &r, int last, uint16_t *best)
{
    const int d[4] = {(int)(at.d_even & 127), (int)(at.d_odd & 127), (int)(at.d_even >> 16),
                      (int)(at.d_odd >> 16)};
    const uint32_t key[4] = {r.even & 0xFFFF, r.odd & 0xFFFF, r.even >> 16, r.odd >> 16};

#pragma unroll
    for (int i = 0; i < 4; i++)
        if (last - d[i] >= 0)
            best[last - d[i]] = (uint16_t)key[i];
}

/* Writes a row's disparities in 1/256 px, and which of them pass.  The best of the
 * right image are there twice, by the pixels of each half. */
template <enum choice CHOICE>
DEVICE void check_row(const struct opt_shape &s, const uint16_t *best, const uint32_t *found,
                      int thread, uint16_t *disparity, uint8_t *valid)
{
    for (int x = thread; x < s.n_cols; x += 2 * WARP_LANES) {
        const uint32_t f = found[x];
        const int d = (int)(f & 127), at = x - d;
        int sixteenths = 0;
        bool passes = true;

        if (CHOICE != BARE && s.lr_check >= 0)
            passes = at >= 0 && abs((int)(min(best[at], best[at + 2 * best_words(s)]) & 127) -
                                    d) <= s.lr_check;
        if (CHOICE == SUBPIXEL && d > 0 && d < OPT_DISPARITIES - 1)
            sixteenths = sgm_sixteenths((int)(f >> 10 & 1023), 0, (int)(f >> 20));
        disparity[x] = (uint16_t)(d * SGM_SCALE + SGM_SCALE / 16 * sixteenths);
        valid[x] = CHOICE == BARE || (passes && (f >> 8 & 1));
    }
}

/* Rows behind the last one are computed, too, of what lies there, and nobody sees them. */
template <enum choice CHOICE>
static __global__ void __launch_bounds__(2 * WARP_LANES * MOST_ROWS)
    rows_kernel(const struct opt_shape s, const uint32_t *__restrict__ left,
                const uint32_t *__restrict__ right, const uint32_t *__restrict__ sums,
                uint32_t *costs, uint16_t *__restrict__ disparity, uint8_t *__restrict__ valid)
{
    extern __shared__ uint32_t shared[];
    const int lane = (int)threadIdx.x % WARP_LANES, warp = (int)threadIdx.x / WARP_LANES;
    const bool goes_left = warp & 1;
    const int y = (int)blockIdx.x * ((int)blockDim.x / (2 * WARP_LANES)) + warp / 2;
    const int half = s.n_cols / 2, odd = s.n_cols & 1;
    const struct lanes k = make_lanes(lane);
    uint32_t *const words = shared + warp / 2 * row_words_of(s);
    uint16_t *const best = (uint16_t *)(void *)(words + 2 * side_words(s)) + OPT_DISPARITIES,
                    *const own_best = best + (goes_left ? 2 * best_words(s) : 0);
    uint32_t *const found = words + 2 * (side_words(s) + best_words(s));
    const ptrdiff_t lane_at =
        (goes_left ? s.n_cols - 1 : 0) * WARP_LANES + (goes_left ? 31 - lane : lane);
    struct path p = {0, 0, 0};
    struct behind r = {ALL_LANES, ALL_LANES};
    struct side at = make_side(s, words, goes_left, lane);

    /* between rows of costs is a gap, for loads that go too far while others store theirs */
    at.costs = costs + (ptrdiff_t)y * (s.wide + OPT_SPARE) * WARP_LANES + lane_at;
    at.sums = sums + (ptrdiff_t)y * s.wide * WARP_LANES + lane_at;
    at.best = own_best + (goes_left ? s.n_cols - 1 : -127);
    at.found = found + (goes_left ? s.n_cols - 1 : 0);
    for (int i = lane - OPT_PAD; i < s.n_cols + OPT_SPARE; i += WARP_LANES) {
        const int x = goes_left ? s.n_cols - 128 - i : i;

        at.right[i] =
            x >= -OPT_PAD && x < s.n_cols ? right[(ptrdiff_t)y * s.pitch + OPT_PAD + x] : 0;
    }
    for (int i = lane; i < s.n_cols + OPT_SPARE; i += WARP_LANES) {
        at.left[i] = left[(ptrdiff_t)y * s.n_cols + (goes_left ? s.n_cols - 1 - i : i)];
        if (CHOICE != BARE && i < s.n_cols)
            own_best[i] = 0xFFFF;
    }
    __syncthreads();
    go_along_row<false, CHOICE>(&p, k, s, at, 0, half, &r, lane);
    if (odd) { /* the pixel between: costs from the right are put behind the row */
        const uint32_t *const pair = at.right + half - 2 * lane;

        step(&p, k, s, at.left[half], make_uint2(pair[-1], pair[0]),
             make_uint2(pair[-65], pair[-64]));
        at.costs[goes_left ? WARP_LANES : half * WARP_LANES] =
            __byte_perm(p.even, p.odd, at.to_bytes);
    }
    __syncthreads();
    if (odd) { /* both warps find the same */
        struct side mid = at;

        mid.best += half * mid.dx;
        mid.found += half * mid.dx;
        mid.writes = at.writes && !goes_left;
        choose<CHOICE>(p, k, s,
                       at.costs[goes_left ? -half * WARP_LANES : s.n_cols * WARP_LANES],
                       at.sums[half * at.d_costs], &mid, &r, lane);
    }
    go_along_row<true, CHOICE>(&p, k, s, at, half + odd, half, &r, lane);
    if (CHOICE != BARE)
        offer_rest(at, r, goes_left ? 0 : s.n_cols - 1, own_best);
    __syncthreads();
    if (y < s.n_rows)
        check_row<CHOICE>(s, best, found, (int)threadIdx.x % (2 * WARP_LANES),
                          disparity + (ptrdiff_t)y * s.n_cols, valid + (ptrdiff_t)y * s.n_cols);
}

#endif

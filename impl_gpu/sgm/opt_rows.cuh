/*
 * opt_rows.cuh - the paths along a row, the best disparities of both images, and the checks: a
 * warp from each end of a row
 */
#ifndef GPU_SGM_OPT_ROWS_CUH
#define GPU_SGM_OPT_ROWS_CUH

#include "impl_gpu/sgm/opt_step.cuh"

#define MOST_ROWS   2                                  /* of a block */
#define STEPS(w)    ((w) == 4 ? 4 : 8)                 /* pixels that are loaded ahead */
#define SIDES(n)    ((n) == 2 ? 1 : 2)                 /* warps of a row, by paths */
#define KINDS(n)    ((n) == 8 ? 3 : 1)                 /* of lines that have sums */
#define SUM_BITS(n) ((n) == 8 ? 10 : (n) == 4 ? 9 : 8) /* of all paths */

/* A row's choice: the best of each pixel; and the checks; and the sums beside the best one. */
enum choice { BARE, CHECKED, SUBPIXEL };

/* A key is a sum and, lowest, its disparity. */
template <bool IS_WIDE> struct key_of;
template <> struct key_of<false> {
    typedef uint16_t type;
};
template <> struct key_of<true> {
    typedef uint32_t type;
};

/* A choice from N paths of 64 * W disparities. */
template <int W_, int N_, choice CHOICE_> struct way {
    static const int W = W_, N = N_, D = 64 * W_;
    static const choice CHOICE = CHOICE_;
    static const bool IS_WIDE = (D << SUM_BITS(N_)) > 65536;
    typedef typename key_of<IS_WIDE>::type key;
};

/* Holds what a warp needs of its row.  For the one that goes left all is mirrored, disparities
 * as well: its first lane has the last ones. */
template <typename WAY> struct side {
    uint32_t *left, *right; /* shared: words of both images, as they are needed */
    PACKED(WAY::W) * costs; /* of the first pixel of a half, at this lane's place */
    const PACKED(WAY::W) * sums;
    ptrdiff_t d_costs; /* to the next pixel */
    struct packing bytes;
    uint32_t d[WAY::W];      /* disparities, as costs are */
    typename WAY::key *best; /* of the pixel of the right image that is complete */
    uint32_t *found;         /* see choose() */
    int dx;
    bool writes; /* what it finds: in one lane */
};

static inline __host__ __device__ int side_words(const struct opt_shape &s)
{
    return 2 * s.n_cols + s.pad + 3 * OPT_SPARE; /* right, left */
}

/* Before the best of the right image is room for the pixels left of it; an even number. */
static inline __host__ __device__ int best_keys(const struct opt_shape &s)
{
    return s.pad + (s.n_cols + 1) / 2 * 2;
}

/* Words of a row: sides, found, best. */
template <typename WAY>
static inline __host__ __device__ int row_words_of(const struct opt_shape &s)
{
    const int best = WAY::CHOICE == BARE ? 0 : best_keys(s);

    return SIDES(WAY::N) * (side_words(s) + best / (WAY::IS_WIDE ? 1 : 2)) + s.n_cols;
}

/* The words and the other paths' costs of STEPS pixels. */
template <typename WAY> struct row_words {
    uint32_t left[STEPS(WAY::W)], low[STEPS(WAY::W)], high[STEPS(WAY::W)];
    PACKED(WAY::W) other[STEPS(WAY::W)], sums[STEPS(WAY::W)][KINDS(WAY::N)];
};

/* The keys of a pixel: in the order of costs or, wide ones, of upper halves behind all lower
 * ones.  And the least of the pixels x - d of the right image, so far. */
template <int W> struct keys {
    uint32_t of[2 * W];
};

/* SECOND: the costs of the other paths, too. */
template <typename WAY, bool SECOND>
DEVICE void load_pixels(struct row_words<WAY> *w, const struct opt_shape &s,
                        struct side<WAY> *at)
{
#pragma unroll
    for (int i = 0; i < STEPS(WAY::W); i++) {
        w->left[i] = at->left[i];
        w->low[i] = at->right[i];
        w->high[i] = at->right[i - 32 * WAY::W];
        if (SECOND) {
            if (WAY::N > 2)
                w->other[i] = *at->costs;
#pragma unroll
            for (int kind = 0; kind < KINDS(WAY::N); kind++)
                w->sums[i][kind] = at->sums[kind * s.volume];
            at->costs += at->d_costs;
            at->sums += at->d_costs;
        }
    }
    at->left += STEPS(WAY::W);
    at->right += STEPS(WAY::W);
}

/* True if a disparity is 'best' or beside it. */
DEVICE bool is_near(uint32_t d, uint32_t best)
{
    return d + 1 - best <= 2;
}

/* The key of the best disparity, or of the best one that is not near 'but'. */
template <typename WAY>
DEVICE uint32_t least_key(const struct keys<WAY::W> &key, const struct side<WAY> &at,
                          bool has_but, uint32_t but)
{
    const int w = WAY::W;
    uint32_t v[2 * WAY::W];

#pragma unroll
    for (int j = 0; j < w; j++) {
        const uint32_t low = has_but && is_near(at.d[j] & 0xFFFF, but) ? ALL_LANES : 0,
                       high = has_but && is_near(at.d[j] >> 16, but) ? ALL_LANES : 0;

        v[j] = key.of[j] | (WAY::IS_WIDE ? low : (low & 0xFFFF) | high << 16);
        if (WAY::IS_WIDE)
            v[w + j] = key.of[w + j] | high;
    }
    if (WAY::IS_WIDE) {
#pragma unroll
        for (int j = 1; j < 2 * w; j++)
            v[0] = min(v[0], v[j]);
    }
    return WAY::IS_WIDE ? warp_min(v[0]) : least_of_all<w>(v) & 0xFFFF;
}

/* By how much the sum of a disparity is more than the least, 10 bits; all lanes ask for it. */
template <typename WAY>
DEVICE uint32_t more_at(const uint32_t *sum, int d, const struct side<WAY> &at, uint32_t least)
{
    const int W = WAY::W;
    const int m = at.bytes.is_mirrored ? WAY::D - 1 - d : d, lane = (m & (32 * W - 1)) / W;
    uint32_t word = sum[0];

#pragma unroll
    for (int j = 1; j < W; j++)
        word = (m & (W - 1)) == j ? sum[j] : word;
    word = __shfl_sync(ALL_LANES, word, lane);
    return ((m >= 32 * W ? word >> 16 : word & 0xFFFF) - least) & 1023;
}

/* Goes on by a pixel: x - d of the right image is x + 1 - (d + 1). */
template <typename WAY>
DEVICE void move_behind(struct keys<WAY::W> *r, const struct keys<WAY::W> &key,
                        const struct lanes &k, struct side<WAY> *at, int lane)
{
    const int w = WAY::W;
    uint32_t low = __shfl_sync(ALL_LANES, r->of[w - 1], k.below), high = 0;

    if (!WAY::IS_WIDE) {
        low = __byte_perm(low, ALL_LANES, k.from_below);
    } else {
        high = __shfl_sync(ALL_LANES, r->of[2 * w - 1], k.below);
        high = lane == 0 ? low : high;
        low = lane == 0 ? ALL_LANES : low;
    }
#pragma unroll
    for (int j = w - 1; j >= 0; j--) {
        const uint32_t before = j > 0 ? r->of[j - 1] : low;

        r->of[j] = WAY::IS_WIDE ? min(before, key.of[j]) : __vminu2(before, key.of[j]);
        if (WAY::IS_WIDE)
            r->of[w + j] = min(j > 0 ? r->of[w + j - 1] : high, key.of[w + j]);
    }
    if (lane == WARP_LANES - 1)
        *at->best = (typename WAY::key)(WAY::IS_WIDE ? r->of[2 * w - 1] : r->of[w - 1] >> 16);
    at->best += at->dx;
}

/* Finds the best of a pixel: its disparity, from bit 8 on if it is unique, from bits 10 and 20
 * on by how much the sums beside it are more.  No branch is taken, so that the compiler can mix
 * pixels: each waits long for the one before it. */
template <typename WAY>
DEVICE void choose(const struct path<WAY::W> &p, const struct lanes &k,
                   const struct opt_shape &s, PACKED(WAY::W) other, const PACKED(WAY::W) * sums,
                   struct side<WAY> *at, struct keys<WAY::W> *r, int lane)
{
    const int w = WAY::W;
    uint32_t sum[WAY::W];
    struct keys<WAY::W> key;

#pragma unroll
    for (int j = 0; j < w; j++) {
        sum[j] = p.cost[j] + (WAY::N > 2 ? unpack<WAY::W>(other, j, at->bytes) : 0);
#pragma unroll
        for (int kind = 0; kind < KINDS(WAY::N); kind++)
            sum[j] += unpack<WAY::W>(sums[kind], j, at->bytes);
        if (WAY::IS_WIDE) {
            key.of[j] = (sum[j] & 0xFFFF) * WAY::D + (at->d[j] & 0xFFFF);
            key.of[w + j] = (sum[j] >> 16) * WAY::D + (at->d[j] >> 16);
        } else {
            key.of[j] = sum[j] * WAY::D + at->d[j];
        }
    }
    const uint32_t least = least_key<WAY>(key, *at, false, 0), best = least % WAY::D;
    uint32_t found = best;

    if (WAY::CHOICE != BARE) {
        const uint32_t next = least_key<WAY>(key, *at, true, best);

        found |= next / WAY::D * (uint32_t)s.uniqueness >= least / WAY::D * 100 ? 256 : 0;
        move_behind<WAY>(r, key, k, at, lane);
    }
    if (WAY::CHOICE == SUBPIXEL)
        found |= more_at<WAY>(sum, (int)best - 1, *at, least / WAY::D) << 10 |
                 more_at<WAY>(sum, (int)best + 1, *at, least / WAY::D) << 20;
    if (at->writes)
        *at->found = found;
    at->found += at->dx;
}

/* SECOND: chooses, of all paths. */
template <typename WAY, bool SECOND>
DEVICE void step_pixels(struct path<WAY::W> *p, const struct lanes &k,
                        const struct opt_shape &s, struct seen<WAY::W> *v,
                        const struct row_words<WAY> &w, int n, struct side<WAY> *to,
                        struct keys<WAY::W> *r, int lane)
{
#pragma unroll
    for (int i = 0; i < STEPS(WAY::W); i++)
        if (i < n) {
#pragma unroll
            for (int j = 0; j < WAY::W; j++) { /* one is new, the others go on */
                v->low[j] = j < WAY::W - 1 ? v->low[j + 1] : w.low[i];
                v->high[j] = j < WAY::W - 1 ? v->high[j + 1] : w.high[i];
            }
            step<WAY::W, false>(p, k, s, w.left[i], *v, false);
            if (SECOND) {
                choose<WAY>(*p, k, s, w.other[i], w.sums[i], to, r, lane);
            } else {
                *to->costs = pack(*p, to->bytes);
                to->costs += to->d_costs;
            }
        }
}

/* n pixels from i on, in the order of the side. */
template <typename WAY, bool SECOND>
DEVICE void go_along_row(struct path<WAY::W> *p, const struct lanes &k,
                         const struct opt_shape &s, struct side<WAY> at, int i, int n,
                         struct keys<WAY::W> *r, int lane)
{
    const int steps = STEPS(WAY::W);
    struct row_words<WAY> now, next;
    struct seen<WAY::W> v;
    struct side<WAY> to;

    at.left += i;
    at.right += i - WAY::W * lane;
    at.costs += i * at.d_costs;
    at.sums += i * at.d_costs;
    at.found += i * at.dx;
    at.best += i * at.dx;
    to = at;
#pragma unroll
    for (int j = 1; j < WAY::W; j++) {
        v.low[j] = at.right[j - WAY::W];
        v.high[j] = at.right[j - 33 * WAY::W];
    }
    load_pixels<WAY, SECOND>(&now, s, &at);
    for (; n >= 2 * steps; n -= 2 * steps) {
        load_pixels<WAY, SECOND>(&next, s, &at);
        step_pixels<WAY, SECOND>(p, k, s, &v, now, steps, &to, r, lane);
        load_pixels<WAY, SECOND>(&now, s, &at);
        step_pixels<WAY, SECOND>(p, k, s, &v, next, steps, &to, r, lane);
    }
    load_pixels<WAY, SECOND>(&next, s, &at);
    step_pixels<WAY, SECOND>(p, k, s, &v, now, n, &to, r, lane);
    step_pixels<WAY, SECOND>(p, k, s, &v, next, n - steps, &to, r, lane);
}

template <typename WAY>
DEVICE struct side<WAY> make_side(const struct opt_shape &s, uint32_t *words, bool goes_left,
                                  int lane) {
    struct side<WAY> at;

    at.right = words + (goes_left ? side_words(s) : 0) + OPT_SPARE + s.pad;
    at.left = at.right + s.n_cols + OPT_SPARE;
    at.dx = goes_left ? -1 : 1;
    at.writes = lane == 0;
    at.d_costs = goes_left ? -WARP_LANES : WARP_LANES;
    at.bytes = make_packing<WAY::W>(goes_left);
#pragma unroll
    for (int j = 0; j < WAY::W; j++) {
        const int m = WAY::W * lane + j, low = goes_left ? WAY::D - 1 - m : m;

        at.d[j] = (uint32_t)(low | (goes_left ? low - WAY::D / 2 : low + WAY::D / 2) << 16);
    }
    return at;
}

/* The pixels of the right image whose larger disparities lie beyond the row. */
template <typename WAY>
DEVICE void offer_rest(const struct side<WAY> &at, const struct keys<WAY::W> &r, int last,
                       typename WAY::key *best)
{
#pragma unroll
    for (int i = 0; i < 2 * WAY::W; i++) {
        const int j = i % WAY::W, half = i / WAY::W * 16,
                  to = last - (int)(at.d[j] >> half & 0xFFFF);
        const uint32_t key = WAY::IS_WIDE ? r.of[i] : r.of[j] >> half;

        if (to >= 0)
            best[to] = (typename WAY::key)key;
    }
}

/* Writes a row's disparities in 1/256 px, and which of them pass.  The best of the right image
 * are there from each side. */
template <typename WAY>
DEVICE void check_row(const struct opt_shape &s, const typename WAY::key *best,
                      const uint32_t *found, int thread, uint16_t *disparity, uint8_t *valid)
{
    for (int x = thread; x < s.n_cols; x += SIDES(WAY::N) * WARP_LANES) {
        const uint32_t f = found[x];
        const int d = (int)(f % WAY::D), at = x - d;
        int sixteenths = 0;
        bool passes = true;

        if (WAY::CHOICE != BARE && s.lr_check >= 0) {
            const int last = (SIDES(WAY::N) - 1) * best_keys(s);

            passes = at >= 0 &&
                     abs((int)(min(best[at], best[at + last]) % WAY::D) - d) <= s.lr_check;
        }
        if (WAY::CHOICE == SUBPIXEL && d > 0 && d < WAY::D - 1)
            sixteenths = sgm_sixteenths((int)(f >> 10 & 1023), 0, (int)(f >> 20));
        disparity[x] = (uint16_t)(d * SGM_SCALE + SGM_SCALE / 16 * sixteenths);
        valid[x] = WAY::CHOICE == BARE || (passes && (f >> 8 & 1));
    }
}

/* Rows behind the last one are computed, too, of what lies there, and nobody sees them. */
template <typename WAY>
static __global__ void __launch_bounds__(SIDES(WAY::N) * WARP_LANES * MOST_ROWS)
    rows_kernel(const struct opt_shape s, const uint32_t *__restrict__ left,
                const uint32_t *__restrict__ right, const void *__restrict__ sums, void *costs,
                uint16_t *__restrict__ disparity, uint8_t *__restrict__ valid)
{
    extern __shared__ uint32_t shared[];
    const int sides = SIDES(WAY::N);
    const int lane = (int)threadIdx.x % WARP_LANES, warp = (int)threadIdx.x / WARP_LANES;
    const bool goes_left = sides == 2 && (warp & 1);
    const int y = (int)blockIdx.x * ((int)blockDim.x / (sides * WARP_LANES)) + warp / sides;
    const int half = s.n_cols / 2, odd = s.n_cols & 1;
    const struct lanes k = make_lanes(lane);
    uint32_t *const words = shared + warp / sides * row_words_of<WAY>(s);
    uint32_t *const found = words + sides * side_words(s);
    typename WAY::key *const best = (typename WAY::key *)(void *)(found + s.n_cols) + s.pad;
    typename WAY::key *const own_best = best + (goes_left ? best_keys(s) : 0);
    const ptrdiff_t lane_at =
        (goes_left ? s.n_cols - 1 : 0) * WARP_LANES + (goes_left ? 31 - lane : lane);
    struct path<WAY::W> p = {
    };
    struct keys<WAY::W> r;
    struct side<WAY> at = make_side<WAY>(s, words, goes_left, lane);

    /* between rows of costs is a gap, for loads that go too far while others store theirs */
    at.costs =
        (PACKED(WAY::W) *)costs + (ptrdiff_t)y * (s.wide + OPT_SPARE) * WARP_LANES + lane_at;
    at.sums = (const PACKED(WAY::W) *)sums + (ptrdiff_t)y * s.wide * WARP_LANES + lane_at;
    at.best = own_best + (goes_left ? s.n_cols - 1 : 1 - WAY::D);
    at.found = found + (goes_left ? s.n_cols - 1 : 0);
#pragma unroll
    for (int i = 0; i < 2 * WAY::W; i++)
        r.of[i] = ALL_LANES;
    for (int i = lane - s.pad; i < s.n_cols + OPT_SPARE; i += WARP_LANES) {
        const int x = goes_left ? s.n_cols - WAY::D - i : i;

        at.right[i] =
            x >= -s.pad && x < s.n_cols ? right[(ptrdiff_t)y * s.pitch + s.pad + x] : 0;
    }
    for (int i = lane; i < s.n_cols + OPT_SPARE; i += WARP_LANES) {
        at.left[i] = left[(ptrdiff_t)y * s.n_cols + (goes_left ? s.n_cols - 1 - i : i)];
        if (WAY::CHOICE != BARE && i < s.n_cols)
            own_best[i] = (typename WAY::key)ALL_LANES;
    }
    __syncthreads();
    if (sides == 1) {
        go_along_row<WAY, true>(&p, k, s, at, 0, s.n_cols, &r, lane);
    } else {
        go_along_row<WAY, false>(&p, k, s, at, 0, half, &r, lane);
        if (odd) { /* the pixel between: costs from the right are put behind the row */
            const uint32_t *const pixel = at.right + half - WAY::W * (lane + 1) + 1;
            struct seen<WAY::W> seen;

#pragma unroll
            for (int j = 0; j < WAY::W; j++) {
                seen.low[j] = pixel[j];
                seen.high[j] = pixel[j - 32 * WAY::W];
            }
            step<WAY::W, false>(&p, k, s, at.left[half], seen, false);
            at.costs[(goes_left ? 1 : half) * WARP_LANES] = pack(p, at.bytes);
        }
        __syncthreads();
        if (odd) { /* both warps find the same */
            struct side<WAY> mid = at;
            PACKED(WAY::W) between[KINDS(WAY::N)];

            mid.best += half * mid.dx;
            mid.found += half * mid.dx;
            mid.writes = at.writes && !goes_left;
#pragma unroll
            for (int kind = 0; kind < KINDS(WAY::N); kind++)
                between[kind] = at.sums[half * at.d_costs + kind * s.volume];
            choose<WAY>(p, k, s, at.costs[(goes_left ? -half : s.n_cols) * WARP_LANES], between,
                        &mid, &r, lane);
        }
        go_along_row<WAY, true>(&p, k, s, at, half + odd, half, &r, lane);
    }
    if (WAY::CHOICE != BARE)
        offer_rest<WAY>(at, r, goes_left ? 0 : s.n_cols - 1, own_best);
    __syncthreads();
    if (y < s.n_rows)
        check_row<WAY>(s, best, found, (int)threadIdx.x % (sides * WARP_LANES),
                       disparity + (ptrdiff_t)y * s.n_cols, valid + (ptrdiff_t)y * s.n_cols);
}

#endif

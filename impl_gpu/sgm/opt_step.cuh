/*
 * opt_step.cuh - a step of a path in one warp: 64, 128 or 256 disparities, two 16-bit costs a
 * word
 *
 * A lane has W = 1, 2 or 4 words.  Its word j has the disparity W * lane + j and, in the upper
 * half, one that is 32 * W more, so that all neighbours but two are its own.
 */
#ifndef GPU_SGM_OPT_STEP_CUH
#define GPU_SGM_OPT_STEP_CUH

#include "impl_gpu/sgm/pair.cuh"

#define OPT_SPARE 16 /* rows, and words of a row, that are loaded and not used */

/* The input as its kernels need it. */
struct opt_shape {
    int n_cols, n_rows;
    int pad;          /* words of 0 before a row of the right image's census: even */
    int pitch;        /* of that, words: pad + n_cols, even */
    int round;        /* columns in which an oblique line comes back: even, whole blocks */
    int wide;         /* of sums and costs, pixels: what a round has besides is there twice */
    ptrdiff_t volume; /* of the sums of a kind of paths, lanes: rows, and OPT_SPARE twice */
    uint32_t p1, p2;  /* in both halves */
    int lr_check, uniqueness;
};

/* A lane's costs of a pixel as they are stored: a byte each, in the order of words, the lower
 * halves of each two words first. */
#define PACKED(w) typename ::bytes<2 * (w)>::word

template <int W> struct path {
    uint32_t cost[W];
    uint32_t least; /* of all, in both halves */
};

/* The census of the right image that a lane needs for a pixel x: [0] is that at x - W * lane -
 * (W - 1); 'high' lies 32 * W further left. */
template <int W> struct seen {
    uint32_t low[W], high[W];
};

struct lanes {
    int below, above; /* lanes that have the next lower and the next upper disparity */
    uint32_t from_below, from_above; /* selectors: what lies outside the range is 65535 */
};

DEVICE struct lanes make_lanes(int lane)
{
    struct lanes k = {(lane + 31) & 31, (lane + 1) & 31, lane == 0 ? 0x1044u : 0x3210u,
                      lane == 31 ? 0x4432u : 0x3210u};

    return k;
}

DEVICE uint32_t least_of_three(uint32_t a, uint32_t b, uint32_t c)
{
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ >= 12 && __CUDA_ARCH__ >= 900
    return __vimin3_u16x2(a, b, c);
#else
    return __vminu2(__vminu2(a, b), c);
#endif
}

/* The least of all halves of the warp, in both halves. */
template <int W> DEVICE uint32_t least_of_all(const uint32_t *word)
{
    uint32_t v = word[0];

#pragma unroll
    for (int j = 1; j < W; j++)
        v = __vminu2(v, word[j]);
    return warp_min(__vminu2(v, __byte_perm(v, 0, 0x1032)));
}

/* Goes on to a pixel, whose census is 'word'.  MAY_BEGIN: a path that begins there costs what
 * the pixel does. */
template <int W, bool MAY_BEGIN>
DEVICE void step(struct path<W> *p, const struct lanes &k, const struct opt_shape &s,
                 uint32_t word, const struct seen<W> &seen, bool begins)
{
    const bool is_new = MAY_BEGIN && begins;
    const uint32_t least = is_new ? 0 : p->least, jump = is_new ? 0 : p->least + s.p2;
    uint32_t dearer[W], next[W];

#pragma unroll
    for (int j = 0; j < W; j++)
        dearer[j] = p->cost[j] + s.p1;
    const uint32_t below =
        __byte_perm(__shfl_sync(ALL_LANES, dearer[W - 1], k.below), ALL_LANES, k.from_below);
    const uint32_t above =
        __byte_perm(__shfl_sync(ALL_LANES, dearer[0], k.above), ALL_LANES, k.from_above);
#pragma unroll
    for (int j = 0; j < W; j++) {
        const uint32_t cost = (uint32_t)__popc(word ^ seen.low[W - 1 - j]) +
                              ((uint32_t)__popc(word ^ seen.high[W - 1 - j]) << 16);

        next[j] = __vminu2(least_of_three(p->cost[j], j > 0 ? dearer[j - 1] : below,
                                          j < W - 1 ? dearer[j + 1] : above),
                           jump) +
                  (cost - least);
    }
#pragma unroll
    for (int j = 0; j < W; j++)
        p->cost[j] = next[j];
    p->least = least_of_all<W>(p->cost);
}

/* The way from costs to bytes and back.  For a warp that goes left all is mirrored: it has the
 * disparities of the others from the last one on. */
struct packing {
    uint32_t to_bytes, to_word[2]; /* selectors */
    bool is_mirrored;
};

template <int W> DEVICE struct packing make_packing(bool is_mirrored)
{
    const struct packing one = {
        is_mirrored ? 0x4402u : 0x4420u, {is_mirrored ? 0x4041u : 0x4140u, 0}, is_mirrored};
    const struct packing two = {
        is_mirrored ? 0x0426u : 0x6240u,
        {is_mirrored ? 0x4143u : 0x4240u, is_mirrored ? 0x4042u : 0x4341u},
        is_mirrored};

    return W == 1 ? one : two;
}

DEVICE uint16_t pack(const struct path<1> &p, const struct packing &k)
{
    return (uint16_t)__byte_perm(p.cost[0], 0, k.to_bytes);
}

DEVICE uint32_t pack(const struct path<2> &p, const struct packing &k)
{
    return __byte_perm(p.cost[0], p.cost[1], k.to_bytes);
}

DEVICE unsigned long long pack(const struct path<4> &p, const struct packing &k)
{
    const uint32_t first = __byte_perm(p.cost[0], p.cost[1], k.to_bytes),
                   second = __byte_perm(p.cost[2], p.cost[3], k.to_bytes);

    return k.is_mirrored ? (unsigned long long)first << 32 | second
                         : (unsigned long long)second << 32 | first;
}

/* The costs of word j. */
template <int W> DEVICE uint32_t unpack(PACKED(W) bytes, int j, const struct packing &k)
{
    const bool is_upper = W == 4 && (j >= 2) != k.is_mirrored;

    return __byte_perm((uint32_t)(is_upper ? (unsigned long long)bytes >> 32 : bytes), 0,
                       k.to_word[j & 1]);
}

#endif

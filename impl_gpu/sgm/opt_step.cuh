/*
 * opt_step.cuh - a step of a path in one warp: 128 disparities, two 16-bit costs a word
 *
 * A lane has the disparities 2l and 2l + 64 in one word and 2l + 1 and 2l + 65 in another, so
 * that all neighbours but two are its own.
 */
#ifndef GPU_SGM_OPT_STEP_CUH
#define GPU_SGM_OPT_STEP_CUH

#include "impl_gpu/sgm/pair.cuh"

#define OPT_DISPARITIES 128
#define OPT_PAD         136 /* words of 0 before a row of the right image's census */
#define OPT_SPARE       16  /* rows, and words of a row, that are loaded and not used */

/* The input as its kernels need it. */
struct opt_shape {
    int n_cols, n_rows;
    int pitch;       /* of the right image's census, words: OPT_PAD + n_cols, even */
    int wide;        /* of sums and costs, pixels: whole blocks, and one behind the last */
    uint32_t p1, p2; /* in both halves */
    int lr_check, uniqueness;
};

struct path {
    uint32_t even, odd; /* costs of 2l, 2l + 64; of 2l + 1, 2l + 65 */
    uint32_t least;     /* of all, in both halves */
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
DEVICE uint32_t least_of_all(uint32_t a, uint32_t b)
{
    uint32_t v = __vminu2(a, b);

    v = __vminu2(v, __byte_perm(v, 0, 0x1032));
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_min_sync(ALL_LANES, v);
#else
    for (int distance = WARP_LANES / 2; distance > 0; distance /= 2)
        v = min(v, __shfl_xor_sync(ALL_LANES, v, distance));
    return v;
#endif
}

/* low: the census of the right image at x - 2l - 1 and x - 2l; high: 64 further left. */
DEVICE void step(struct path *p, const struct lanes &k, const struct opt_shape &s,
                 uint32_t word, uint2 low, uint2 high)
{
    const uint32_t c_even =
        (uint32_t)__popc(word ^ low.y) + ((uint32_t)__popc(word ^ high.y) << 16);
    const uint32_t c_odd =
        (uint32_t)__popc(word ^ low.x) + ((uint32_t)__popc(word ^ high.x) << 16);
    const uint32_t even_1 = p->even + s.p1, odd_1 = p->odd + s.p1;
    const uint32_t below =
        __byte_perm(__shfl_sync(ALL_LANES, odd_1, k.below), ALL_LANES, k.from_below);
    const uint32_t above =
        __byte_perm(__shfl_sync(ALL_LANES, even_1, k.above), ALL_LANES, k.from_above);
    const uint32_t jump = p->least + s.p2;
    const uint32_t even = __vminu2(least_of_three(p->even, below, odd_1), jump);
    const uint32_t odd = __vminu2(least_of_three(p->odd, even_1, above), jump);

    p->even = even + (c_even - p->least);
    p->odd = odd + (c_odd - p->least);
    p->least = least_of_all(p->even, p->odd);
}

#endif

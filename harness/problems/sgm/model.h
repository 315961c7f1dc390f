/*
 * model.h - the arithmetic of the problem "sgm", one formula for C and CUDA: integers alone
 */
#ifndef SGM_MODEL_H
#define SGM_MODEL_H

#include "harness/base/random.h" /* BENCH_HD */

#include <stdint.h>

#define SGM_MAX_DISPARITIES 256
#define SGM_MAX_BITS        31 /* of a census, the greatest matching cost */
#define SGM_MAX_P2          (255 - SGM_MAX_BITS)
#define SGM_MAX_PATHS       8

/* Steps in x and y from a pixel to the next one of a path: 2 and 4 paths are the first ones. */
#define SGM_PATH_STEPS                                              \
    {                                                               \
        {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, \
        {                                                           \
            -1, -1                                                  \
        }                                                           \
    }

/*
 * The centre-symmetric census of a window of (2 half_x + 1) x (2 half_y + 1) px: a bit for
 * each pair of pixels that lie opposite each other, 1 where the upper or left one is brighter;
 * in the order of rows, the first pair highest.  0 where the window is not inside the image.
 */
static inline BENCH_HD uint32_t sgm_census(const uint8_t *image, int n_cols, int n_rows, int x,
                                           int y, int half_x, int half_y)
{
    const int width = 2 * half_x + 1, n_pairs = (width * (2 * half_y + 1)) / 2;
    const uint8_t *const at = image + (intptr_t)y * n_cols + x;
    uint32_t word = 0;

    if (x < half_x || y < half_y || x >= n_cols - half_x || y >= n_rows - half_y)
        return 0;
    for (int i = 0; i < n_pairs; i++) {
        const intptr_t to = (intptr_t)(i / width - half_y) * n_cols + i % width - half_x;

        word = word << 1 | (at[to] > at[-to]);
    }
    return word;
}

/* The lowest of the parabola through the sums at d - 1, d and d + 1, of which the middle one is
 * the least: where it is, in 1/16 px from d, -8..8, halves upwards. */
static inline BENCH_HD int sgm_sixteenths(int before, int least, int after)
{
    const int curve = before - 2 * least + after, slope = before - after; /* |slope| <= curve */

    return curve == 0 ? 0 : (16 * (slope + curve) + curve) / (2 * curve) - 8;
}

static inline BENCH_HD void sgm_order(uint16_t *a, uint16_t *b)
{
    const uint16_t least = *a < *b ? *a : *b;

    *b = *a < *b ? *b : *a;
    *a = least;
}

/* The median of nine values: orders three triples, then the greatest of their least, the middle
 * of their middle ones, and the least of their greatest. */
static inline BENCH_HD uint16_t sgm_median(uint16_t v[9])
{
    for (int i = 0; i < 9; i += 3) {
        sgm_order(&v[i], &v[i + 1]);
        sgm_order(&v[i + 1], &v[i + 2]);
        sgm_order(&v[i], &v[i + 1]);
    }
    sgm_order(&v[0], &v[3]);
    sgm_order(&v[3], &v[6]); /* v[6]: the greatest of the least */
    sgm_order(&v[1], &v[4]);
    sgm_order(&v[4], &v[7]);
    sgm_order(&v[1], &v[4]); /* v[4]: the middle of the middle ones */
    sgm_order(&v[5], &v[8]);
    sgm_order(&v[2], &v[5]); /* v[2]: the least of the greatest */
    sgm_order(&v[2], &v[4]);
    sgm_order(&v[4], &v[6]);
    sgm_order(&v[2], &v[4]);
    return v[4];
}

#endif

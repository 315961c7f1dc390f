/*
 * sgm.h - the problem "sgm": a disparity for each pixel of a rectified stereo pair by
 * semi-global matching
 *
 * Source: [SGM] D. Hernandez-Juarez, A. Chacon, A. Espinosa, D. Vazquez, J. C. Moure, A. M.
 * Lopez, "Embedded Real-time Stereo Estimation via Semi-Global Matching on the GPU", ICCS 2016,
 * after H. Hirschmueller, "Stereo Processing by Semiglobal Matching and Mutual Information",
 * PAMI 2008.  The census is that of R. Spangenberg and others, CAIP 2013.
 *
 * Definition, for pixel x of a row, disparities d = 0 .. n_disparities - 1:
 *
 *     cost(x, d)  the bits in which the census of the left image at x and that of the right
 *                 one at x - d differ; left of the right image its census is 0
 *     L(x, d)     of a path that comes from pixel w: cost(x, d) + min(L(w, d), L(w, d - 1) +
 *                 p1, L(w, d + 1) + p1, m + p2) - m, where m is the least L(w, .);
 *                 cost(x, d) where w is outside the image.  At most 31 + p2: a byte
 *     S(x, d)     the sum of L over all paths, at most 2040
 *     best(x)     the d of the least S(x, d), the smallest of equals
 *     right(x)    the same of the right image: of S(x + d, d), where x + d is inside it
 *
 * x has a disparity unless it fails a check: x < best(x) or |right(x - best(x)) - best(x)| >
 * lr_check (-1: no such check); or a d that is more than 1 from best(x) has S(x, d) *
 * uniqueness < S(x, best(x)) * 100.  The disparity is best(x); with subpixel, and a d on both
 * sides of it, moved by the parabola in 1/16 px; with the median, the median of 3 x 3 such
 * disparities, whatever checks they fail, but for the outermost pixels.
 *
 * sgm/model.h has the arithmetic.  All are integers: every variant must give identical bits.
 */
#ifndef SGM_H
#define SGM_H

#include "harness/measure/problem.h"
#include "harness/problems/sgm/model.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

#define SGM_INVALID 0xFFFF
#define SGM_SCALE   256 /* units of a disparity per px, as of a plane's: 1/16 px is 16 */

struct sgm_input {
    int32_t n_frames;         /* >= 1; a batch when > 1 */
    int32_t n_cols, n_rows;   /* any: no multiple of anything, narrower than the disparities */
    int32_t n_disparities;    /* 64, 128 or 256 */
    int32_t n_paths;          /* 2, 4 or 8, the first of SGM_PATH_STEPS */
    int32_t p1, p2;           /* 0 <= p1 <= p2 <= SGM_MAX_P2 */
    int32_t half_x, half_y;   /* of the census' window: 4 and 3, or 2 and 2 */
    int32_t lr_check;         /* -1..255 px */
    int32_t uniqueness;       /* 1..100 %; 100: no check */
    int32_t subpixel, median; /* 0 or 1 */

    uint8_t *left, *right; /* [n_frames][n_rows][n_cols], grey; owned */
    /* as these, 1/256 px or SGM_INVALID: what a perfect matcher finds; NULL: not known */
    uint16_t *truth;
};

struct sgm_output {
    int32_t n_frames, n_cols, n_rows;

    /* [n_frames][n_rows][n_cols], 1/256 px: whole pixels or 16ths; SGM_INVALID where a check
     * fails; owned.  A plane's encoding, which other problems take as it is. */
    uint16_t *disparity;
};

static inline size_t sgm_frame_pixels(const struct sgm_input *in)
{
    return (size_t)in->n_cols * (size_t)in->n_rows;
}

extern const struct bench_problem sgm_problem;

/* bench_problem.sum and values: see sgm/measure.c for the names.  BENCH_EINPUT where a pair is
 * none, as far as its output can tell. */
enum bench_status sgm_sum(const void *input, const void *reference, const void *output,
                          int first_frame, struct bench_sums *sums);
enum bench_status sgm_values(const struct bench_sums *sums, struct bench_sink *sink);

__END_DECLS

#endif

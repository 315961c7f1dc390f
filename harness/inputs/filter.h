/*
 * filter.h - resampling and median filters that never mix valid with invalid disparity
 *
 * Exact integers: the same result on every machine.
 */
#ifndef INPUTS_FILTER_H
#define INPUTS_FILTER_H

#include "harness/inputs/plane.h"

enum resample { RESAMPLE_LINEAR, RESAMPLE_NEAREST };

/*
 * Resample [src_height][src_width] to [dst_height][dst_width] with aligned pixel centres:
 * source = (destination + 0.5) * src / dst - 0.5, clamped to the border, as integers (numerator
 * and denominator kept, no floats).  LINEAR: bilinear of the four neighbours when all are
 * valid, rounded to nearest, half up; where any of them is invalid the nearest one is taken as
 * it is (a neighbour that weighs nothing takes no part).  NEAREST: the nearest pixel (half goes
 * up).  The vertical disparity values themselves are not rescaled.  'src' and 'dst' must not
 * overlap.  All sizes 1..INPUTS_MAX_SIDE.
 */
void filter_resample(const uint16_t *src, int src_width, int src_height, uint16_t *dst,
                     int dst_width, int dst_height, enum resample how);

/*
 * Median over a (2 radius + 1)^2 window, radius 1 or 2, of the valid pixels inside the image
 * (an even count takes the lower of the two middle values); an invalid pixel stays invalid.
 * 'src' and 'dst' must not overlap.
 */
void filter_median(const uint16_t *src, uint16_t *dst, int width, int height, int radius);

#endif

/*
 * outlier.h - when a disparity is wrong: one rule for all problems, so that their error rates
 * can be compared
 *
 * Source: the KITTI 2015 stereo benchmark (M. Menze, A. Geiger, "Object Scene Flow for
 *         Autonomous Vehicles", CVPR 2015), whose D1 this is.
 *
 * A pixel is an outlier when its error is above 3 px AND above 5 % of the true disparity;
 * exactly 3 px and exactly 5 % are no error.  [STX] sect. 5.1.2 prints "or" instead of "and",
 * which is stricter.  A true disparity of 0 is infinitely far: any error is above 5 % of it, so
 * "and" is left with 3 px, and with "or" every error counts.
 */
#ifndef OUTLIER_H
#define OUTLIER_H

enum outlier_rule { OUTLIER_AND, OUTLIER_OR, N_OUTLIER_RULES };

#define OUTLIER_PX       3
#define OUTLIER_ONE_PART 20 /* 5 % is one part in 20, which is exact in binary */

static inline int is_outlier(double error_px, double truth_px, enum outlier_rule rule)
{
    const int far_off = error_px > OUTLIER_PX;
    const int by_a_share = OUTLIER_ONE_PART * error_px > truth_px; /* of 0 px: any error */

    return rule == OUTLIER_AND ? far_off && by_a_share : far_off || by_a_share;
}

#endif

/*
 * picture.h - one segmented image as a picture, and the apply verb of rdp
 */
#ifndef RDP_PICTURE_H
#define RDP_PICTURE_H

#include "harness/measure/app.h"
#include "harness/problems/picture.h"
#include "harness/problems/rdp/rdp.h"

#include <stdint.h>

/* A segment looks like one of these to a level camera above a road. */
enum rdp_look {
    RDP_LOOK_FAR,     /* both ends within a twentieth of the image's range of disparity */
    RDP_LOOK_UPRIGHT, /* nearly constant disparity: something stands there */
    RDP_LOOK_GROUND,  /* disparity grows downwards, as on a road */
    RDP_LOOK_OTHER,   /* falls downwards, or jumps from one thing to the next */
    RDP_N_LOOKS
};

/* 'range_q8' is the disparity that counts as near in this image, n_rows its height: only slopes
 * relative to both mean the same in every image.  first < last. */
enum rdp_look rdp_look(int first, int last, uint16_t y_first, uint16_t y_last,
                       uint32_t range_q8, int n_rows);

#define RDP_N_PANELS 3

/*
 * Draw one frame: three panels one above the other, white gaps of PICTURE_GAP rows between:
 *
 *     disparity       colour-mapped, dark violet far to light yellow near; no measurement:
 *                     dark grey
 *     segments        each in the colour of its look, lighter where near; kept points black
 *     reconstruction  the straight lines between the kept points, colour-mapped as the first;
 *                     rows without a measurement of their own dimmed
 *
 * The segments lie over the left view of 'seen', where that has one of this size; NULL: none.
 * Small images are magnified by a whole number, large ones thinned out to at most 2048 pixels a
 * side of a panel.  On success the caller owns 'picture' (picture_free); BENCH_ENOMEM.
 */
enum bench_status rdp_picture_draw(const struct rdp_input *in, const struct rdp_output *out,
                                   int frame, const struct plane *seen,
                                   struct picture *picture);

/* Add what the panels and colours of such a picture are, below it (picture_add_legend). */
enum bench_status rdp_picture_legend(struct picture *picture);

/*
 * Read an image of any size (or make a scene), segment it with the variant, write the kept
 * points (CSV u,v,disparity_px), the picture (PNG) and one column's recursion tree (CSV), as
 * asked for.
 *
 * The tree's CSV has the header kind,row,disparity_px,first,last,cut,depth,order and three
 * kinds of rows:
 *
 *     point  a valid row of the column and its disparity
 *     node   a segment that Algorithm 1 looks at: its ends, the row at which it is cut (empty:
 *            a leaf), its depth from 1, and its place in the order of visits from 1
 *     kept   a kept row, by row: depth is the round that keeps it, 0 for the two ends; order
 *            counts from 1
 */
extern const struct bench_app rdp_app;

#endif

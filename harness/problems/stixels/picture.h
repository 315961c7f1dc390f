/*
 * picture.h - the stixels of one image as picture, list and mesh; the apply verb
 */
#ifndef STIXELS_PICTURE_H
#define STIXELS_PICTURE_H

#include "harness/measure/app.h"
#include "harness/problems/picture.h"
#include "harness/problems/stixels/stixels.h"

struct text; /* harness/base/text.h */

/* The colour of a stixel's class: Cityscapes' for train ids 0..18, the same half white for
 * 19..31; without a class its geometry's. */
struct picture_colour stixels_colour(const struct stixel *stixel);

/*
 * Draw one frame of an output that stixels_check_output() accepts: two panels with a white gap
 * of PICTURE_GAP pixels between them, one above the other where the image is wider than 4:3,
 * else side by side:
 *
 *     disparity   the dense image that the stixels stand for, from red near by over yellow and
 *                 green to blue far away; sky pale, objects without a measurement dark grey
 *     classes     each stixel in its class's colour, over the left view of 'seen', where that
 *                 has one; NULL: none
 *
 * Stixels are framed by lines in a darker shade of their colour, at their left and upper ends;
 * columns narrower than 4 pixels and stixels lower than 3 of the picture have none there.
 * Small images are magnified by a whole number, large ones thinned out to at most 2048 pixels a
 * side.  On success the caller owns 'picture' (picture_free); BENCH_ENOMEM.
 */
enum bench_status stixels_picture_draw(const struct stixels_input *in,
                                       const struct stixels_output *out, int frame,
                                       const struct plane *seen, struct picture *picture);

/* Add what the panels and colours of such a picture of 'out' are, below it
 * (picture_add_legend). */
enum bench_status stixels_picture_legend(const struct stixels_output *out, int frame,
                                         struct picture *picture);

/* The disparity of the first frame as it came in, in the colours of the first panel: a dot for
 * each pixel, none without a measurement; large images are thinned out as there.  Owned and
 * freed as that.  BENCH_ENOMEM. */
enum bench_status stixels_picture_input(const struct stixels_input *in,
                                        struct picture *picture);

/* The stixels of one frame as CSV, by u and then from the top of the image, one a line; columns
 * as in docs/STIXELS.md, "Your own image". */
void stixels_csv(struct text *text, const struct stixels_input *in,
                 const struct stixels_output *out, int frame);

/* The stixels that stixels_ply() wrote and left out. */
struct stixels_ply_count {
    int n_written, n_sky, n_far;
};

/*
 * The stixels of one frame as a mesh (PLY, ASCII): each a quadrilateral of four vertices in the
 * colour of its class, in metres and in the camera's own frame: X to the right, Y down, Z
 * ahead, from the left camera's centre.  With the disparity d of the stixel's plane at the
 * upper and lower edge of its pixels, Z = fx baseline / d, X = (u - cx) Z / fx, Y = (v - cy) Z
 * / fy; pixel edges lie half a pixel beside centres.  Left out are sky, and stixels whose plane
 * is below
 * 1 px at an edge: half a pixel of error moves those by a third of their distance or more.  The
 * camera must have fx, cx and baseline; fy 0 means fx.
 */
void stixels_ply(struct text *text, const struct stixels_input *in,
                 const struct stixels_output *out, int frame, const struct camera *camera,
                 struct stixels_ply_count *count);

/*
 * Read an image of disparities (or make a scene) and what
 * belongs to it, cut it into stixels with the variant, write them as CSV, picture (PNG) and
 * mesh (PLY), as asked for.  The camera's height is needed for the road: a file without it
 * (KITTI's calib.txt) is refused with a sentence that says so.
 */
extern const struct bench_app stixels_app;

#endif

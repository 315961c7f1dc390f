/*
 * picture.h - a mesh over its map as picture, list and surface in space; the apply verb of som
 */
#ifndef SOM_PICTURE_H
#define SOM_PICTURE_H

#include "harness/measure/app.h"
#include "harness/problems/som/som.h"
#include "harness/inputs/plane.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct text; /* harness/base/text.h */

struct som_picture {
    int width, height;
    uint8_t *rgb; /* [height][width][3], owned */
};

/*
 * The mesh 'position' ([grid_rows][grid_cols][2]; any one of the input's network, the regular
 * one too) over a frame's map: grey levels at half their brightness, background black, each
 * link a smooth orange line.  Links that end beyond 1e6 px, or nowhere, are left out.  The map
 * is magnified by the least whole number that makes it 900 pixels wide (8 at most; less where a
 * side would be longer than PICTURE_MAX_SIDE), or thinned out to PICTURE_MAX_SIDE.  On success
 * the caller owns 'picture' (som_picture_free); BENCH_ENOMEM.
 */
enum bench_status som_picture_draw(const struct som_input *in, int frame, const float *position,
                                   struct som_picture *picture);

/* White on black: the pixels of 'n_points' draws, each pixel as likely as it is dense [SOM eq.
 * 5, Fig. 14]; they are the first data points of the single steps (som.h).  Size and failures
 * as above. */
enum bench_status som_picture_sampling(const struct som_input *in, int frame, int n_points,
                                       struct som_picture *picture);
void som_picture_free(struct som_picture *picture); /* a zeroed one is fine */

/* col,row,x,y: a neuron each line, row by row, its position in px of the map; the digits give
 * the float back. */
void som_csv(struct text *text, const struct som_input *in, const float *position);

/* What a mesh needs to stand in space. */
struct som_view {
    /* without fx or baseline those of [SOM]'s authors are taken, 374 px and 0.16 m; without
     * * fy fx, without cx or cy the middle of the map */
    struct camera camera;
    /* px of the map before it was resampled, which are the camera's and the left view's */
    int width, height;
    int background; /* the level that background has in space, 1..255 */
    /* [height][width][3], the left view, borrowed; NULL: vertices are grey */
    const uint8_t *rgb;
};

/*
 * A mesh over a frame as triangles in space, in metres: x to the right, y up, z ahead of the
 * left camera's centre.  A neuron lies at the depth of the pixel it is in, d = level /
 * grey_per_px: Z = fx baseline / d, X = (x - cx) Z / fx, Y = -(y - cy) Z / fy.  Triangles show
 * the camera their front side.  PLY is ASCII with a colour for each vertex, OBJ has the colour
 * behind its vertices' coordinates, 0 to 1.  Positions must be numbers.
 */
void som_ply(struct text *text, const struct som_input *in, int frame, const float *position,
             const struct som_view *view);
void som_obj(struct text *text, const struct som_input *in, int frame, const float *position,
             const struct som_view *view);

/*
 * Read a map of any size (or make a scene), lay the mesh over it with the variant, write its
 * neurons (CSV), picture (PNG), surface (PLY, OBJ) and a sampling of the map (PNG), as asked
 * for.  The values of an image of 8 bits are the grey levels as they are; others have 2 levels
 * per px, unless -S grey=N says how many.
 */
extern const struct bench_app som_app;

#ifdef __cplusplus
}
#endif

#endif

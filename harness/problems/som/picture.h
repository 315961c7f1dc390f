/*
 * picture.h - a mesh over its map as a picture, and the density of a map as dots; the apply
 * verb of som
 */
#ifndef SOM_PICTURE_H
#define SOM_PICTURE_H

#include "harness/measure/app.h"
#include "harness/problems/picture.h"
#include "harness/problems/som/delaunay.h"
#include "harness/problems/som/som.h"

/*
 * The mesh 'position' ([grid_rows][grid_cols][2]; any one of the input's network, the regular
 * one too), or unless NULL the triangles of one that is no network (som_delaunay_of), over the
 * map of frame 0, or the left view of 'seen' (NULL: none): grey levels at half their
 * brightness, background black, each link a smooth orange line.  Links that end beyond 1e6 px,
 * or nowhere, are left out.  The map is magnified by the least whole number that makes it 900
 * pixels wide (8 at most; less where a side would be longer than PICTURE_MAX_SIDE), or thinned
 * out to PICTURE_MAX_SIDE.  On success the caller owns 'picture' (picture_free); BENCH_ENOMEM.
 */
enum bench_status som_picture_draw(const struct som_input *in, const float *position,
                                   const struct delaunay *d, const struct plane *seen,
                                   struct picture *picture);

/* Add what its colours are, below it (picture_add_legend). */
enum bench_status som_picture_legend(struct picture *picture);

/* White on black: the pixels of 10000 draws, each pixel as likely as it is dense [SOM eq. 5,
 * Fig. 14]; they are the first data points of the single steps (som.h).  Size and failures as
 * above. */
enum bench_status som_picture_sampling(const struct som_input *in, struct picture *picture);

/* A colour for each pixel of the map, [height][width], in the same size.  Failures as above. */
enum bench_status som_picture_pixels(const struct som_input *in,
                                     const struct picture_colour *colour,
                                     struct picture *picture);

/*
 * Read a map of any size (or make a scene), lay the mesh over it with the variant, write its
 * neurons (CSV), picture (PNG), surface (PLY, OBJ), and of the map a sampling, its disparity
 * and its colours (PNG), as asked for.  The values of an image of 8 bits are the grey levels as
 * they are; others have 2 levels per px, unless -S grey=N says how many.
 */
extern const struct bench_app som_app;

#endif

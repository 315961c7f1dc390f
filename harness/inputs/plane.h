/*
 * plane.h - what the inputs room makes: planes of pixels and the camera that saw them
 *
 * Row-major, row 0 at the top, no padding.  One encoding of disparity for the whole program.
 */
#ifndef INPUTS_PLANE_H
#define INPUTS_PLANE_H

#include "harness/base/status.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

#define DISPARITY_SCALE   256    /* units per pixel of disparity */
#define DISPARITY_INVALID 0xFFFF /* no measurement here */
#define DISPARITY_MAX     65534  /* 255.99 px; larger input is clamped and counted */

#define INPUTS_MAX_SIDE 32768 /* a longer side of an image is an error, not an allocation */

/* Pinhole stereo camera, 'height_m' above the road; pitch_rad is positive where it looks down.
 * Zero fields are unknown. */
struct camera {
    double fx_px, fy_px, cx_px, cy_px;
    double baseline_m, height_m, pitch_rad;
};

/* The values that a plane was made of, and what became of them (coding.h). */
struct counted_values {
    size_t n, n_kept;                     /* all; those that are disparities as they are */
    size_t n_clamped;                     /* above DISPARITY_MAX, taken as that */
    size_t n_negative, n_nan, n_infinite; /* left out */
    size_t n_below_alone;                 /* n_negative, where all are the same value */
    size_t
        n_alone; /* the value 'alone', twice as large as all others: perhaps no measurement */
    uint32_t alone;
    size_t n_surplus; /* bytes of the file behind the image */
};

/* One frame.  Owned by whoever called the function that filled it; plane_free() releases it. */
struct plane {
    int width, height;
    /* [height][width], 1/256 px, DISPARITY_INVALID where there is none; NULL: a pair of views
     * that is not matched */
    uint16_t *disparity;
    uint8_t *confidence; /* [height][width], 0 none .. 255 sure; NULL: not known */
    /* [height][width], as disparity: what a perfect sensor sees; NULL: not known */
    uint16_t *truth;
    /* [height][width], Cityscapes train id 0..18, 255 unlabelled; NULL: not known */
    uint8_t *truth_class;
    /* [height][width], grey, what the left camera and the right one see; NULL: not known */
    uint8_t *view[2];
    uint16_t *probability; /* [n_classes][height][width], 65535 = 1; NULL: not known */
    int n_classes;         /* of 'probability'; 0 without it */
    double grey_per_px;    /* levels of the grey map that the frame came from; 0: not known */
    int threshold;         /* levels of it up to this are background [SOM]; 0: not known */
    struct camera camera;
    char name[64]; /* "000005_10", "scene-3": for captions and messages */
    struct counted_values values;
};

/* Releases the members and zeroes the struct.  A zeroed plane is fine. */
void plane_free(struct plane *plane);

/* Allocates 'disparity', all 0, for width x height; the other members stay.
 * BENCH_EINPUT when a side is not in 1..INPUTS_MAX_SIDE, BENCH_ENOMEM. */
enum bench_status plane_alloc(struct plane *plane, int width, int height);

__END_DECLS

#endif

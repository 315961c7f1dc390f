/*
 * npy.h - class probabilities from a NumPy file: what a network for semantic segmentation
 * leaves
 *
 * Source: NumPy Enhancement Proposal 1 (the .npy format), versions 1.0, 2.0 and 3.0.
 *
 * Taken are arrays of '<f4', '<f2' (both in 0..1) or '|u1' (255 is 1), C order, of shape
 * (classes, height, width) or (height, width, classes) with 1..NPY_MAX_CLASSES classes.  The
 * size of the disparity image tells the two apart; where both readings fit (a cube) the file is
 * refused.
 *
 * Nothing is normalised behind the user's back.  A value down to -0.001 or up to 1.001 is
 * rounding and clamped to 0..1; what is beyond that or not finite, or where the classes of a
 * pixel do not add up to 1 within 2 %, is no softmax and refused.  (uint8 values were rounded
 * before: half a step, 1/510, is added to that tolerance for each class.) So a pixel's values
 * add up to 65535 only within the tolerance.
 */
#ifndef INPUTS_NPY_H
#define INPUTS_NPY_H

#include "harness/inputs/plane.h"

#include <stddef.h>
#include <stdint.h>

#define NPY_MAX_CLASSES 32

/*
 * Read the probabilities of an image of width x height.  On success *probability is
 * [*n_classes][height][width], round(65535 p), owned by the caller.  BENCH_EIO: cannot be read;
 * BENCH_EINPUT: not such an array (one sentence: the file, what was expected, what was found;
 * for a bad value its pixel and class); BENCH_ENOMEM.  *probability is NULL and *n_classes 0
 * then.
 */
enum bench_status npy_read_probability(const char *path, int width, int height,
                                       uint16_t **probability, int *n_classes);

/* The same from memory ('name' for messages only). */
enum bench_status npy_parse_probability(const void *bytes, size_t n_bytes, const char *name,
                                        int width, int height, uint16_t **probability,
                                        int *n_classes);

#endif

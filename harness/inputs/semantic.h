/*
 * semantic.h - labels from images, and class probabilities from labels by a model of a
 * network's errors
 *
 * The model stands for what a fully convolutional network with a stride of 8 pixels makes of an
 * image:
 *
 * (a) Blur: a class's share of the labelled pixels in a box of blur_px x blur_px around the
 *     pixel, cut at the image's border.  Boundaries become ramps, and what is thinner than half
 *     a box drowns.
 * (b) Confusion: each class has up to three others that it is taken for: for the 19 classes of
 *     Cityscapes those that networks take it for (road and sidewalk, person and rider, car,
 *     truck and bus, ...), else three drawn by the seed.  Each pair has a field of noise of its
 *     own: random bytes at the nodes of a grid of cell_px x cell_px, bilinear between them,
 *     three parts of it, and one part of a grid four times as fine.  Where the field passes
 *     threshold_q8 / 256, more and more of the class goes to the other one, all of it 24 / 256
 *     further up: blobs with soft edges.  Below, the share that goes is doubt_q8 / 256 of the
 *     field.  The pairs of a class take their shares one after the other, of what is left.
 * (c) Residual: residual_q16 / 65536 of all probability is spread evenly over all classes, as a
 *     softmax leaves it.
 *
 * Integers only, and random words that are a pure function of (seed, place, pair): the same
 * bytes on every machine.  All are Philox4x32-10's with the key 'seed'.  The byte of node (i,
 * j), counted from the top left, for class k's other number m in octave o (0 coarse, 1 fine) is
 * the top byte of word i % 4 at the counter (i / 4, j, k + 256 m + 65536 o, 100); class k's
 * drawn others are from the words 0, 1 and 2 at (k, 0, 0, 101).  scene.c's counters end in
 * 1..6, so that a scene and its probabilities may have the same seed.
 */
#ifndef INPUTS_SEMANTIC_H
#define INPUTS_SEMANTIC_H

#include "harness/inputs/plane.h"
#include "harness/inputs/scene.h"

#include <stdint.h>

#define SEMANTIC_MAX_CLASSES 32
#define SEMANTIC_CITYSCAPES  19  /* train ids 0..18 */
#define SEMANTIC_UNLABELLED  255 /* as every label that is no class */

struct semantic_noise {
    int blur_px;      /* side of the box, odd, 1..255; 1: none */
    int cell_px;      /* side of a coarse cell, a power of two of 4..128 */
    int threshold_q8; /* 0..256; 256: nothing passes it */
    int doubt_q8;     /* 0..128 */
    int residual_q16; /* 0..65536 */
};

/*
 * The model's numbers for a level.  Tuned on generated scenes of 1024 x 512, seeds 1 to 4:
 * intersection over union of the most probable class and the truth, mean of the classes that
 * occur, is 0.86 (easy), 0.69 (normal; a fully convolutional network on Cityscapes has 0.65 to
 * 0.7) and 0.44 (hard).  What is small drowns, so larger images have more: 0.90, 0.75 and 0.50
 * at 2048 x 1024.
 */
struct semantic_noise semantic_noise_of(enum scene_level level);

/*
 * Fill 'probability' [n_classes][height][width], 65535 = 1, from 'labels' [height][width].  A
 * label of n_classes or more is unlabelled: its pixel gets the same for all classes and its
 * neighbours do not see it.  Each pixel's values add up to 65535 exactly: what rounding down
 * leaves goes to the most probable class, the smallest id among equals.  BENCH_ENOMEM;
 * 'probability' is not written to then.
 */
enum bench_status semantic_from_labels(const uint8_t *labels, int width, int height,
                                       int n_classes, const struct semantic_noise *noise,
                                       uint64_t seed, uint16_t *probability);

/* The values of an image of labels are these. */
enum semantic_coding {
    SEMANTIC_TRAIN_IDS, /* 0..18, 255 */
    /* Cityscapes' and KITTI's 0..33, 255; what is not evaluated becomes 255 */
    SEMANTIC_LABEL_IDS
};

/*
 * Read an 8-bit grey image (image.h says which formats) of labels of width x height as train
 * ids: *labels [height][width], 0..18 and 255, owned by the caller.  BENCH_EIO, BENCH_EINPUT
 * (no such image, another size, a value that is no label: one sentence with file and pixel),
 * BENCH_ENOMEM; *labels is NULL then.
 */
enum bench_status semantic_read_labels(const char *path, int width, int height,
                                       enum semantic_coding coding, uint8_t **labels);

#endif

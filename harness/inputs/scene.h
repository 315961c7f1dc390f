/*
 * scene.h - seeded street scenes with a stereo sensor model: the input when no data set is
 * there
 *
 * A camera model, a road plane, pavements, buildings, vehicles, pedestrians, poles, vegetation
 * and sky are laid out from the seed; true disparity and class come from the geometry, then a
 * model of semi-global matching adds what real disparity has: sub-pixel noise that grows with
 * distance, fattened foregrounds, streaks, gross outliers, unmatched areas.  Integers and + - *
 * / sqrt only, no libm, every operation rounded by itself, so that a seed gives the same bytes
 * on every machine.
 */
#ifndef INPUTS_SCENE_H
#define INPUTS_SCENE_H

#include "harness/inputs/plane.h"

#include <stdint.h>

/* The sensor makes it so hard. */
enum scene_level {
    SCENE_EASY,   /* filtered, nearly dense: what an SGM with post-processing gives */
    SCENE_NORMAL, /* the default */
    SCENE_HARD    /* raw matching: many holes, streaks and outliers */
};

struct scene_options {
    int width, height; /* 1..INPUTS_MAX_SIDE; 1242 x 375 is KITTI's frame */
    uint64_t seed;     /* one scene per seed */
    enum scene_level level;
    int steep; /* 1: the road rises and falls (San Francisco); 0: flat */
};

/* Fill 'plane' (disparity, confidence, truth, truth_class, camera, name "scene-SEED"), all
 * owned by it.  BENCH_EINPUT for a size out of range, BENCH_ENOMEM; 'plane' is left empty
 * then. */
enum bench_status scene_make(const struct scene_options *options, struct plane *plane);

/* Uniform noise, 0..most_px (at most 127) in steps of 1/256 px, every pixel valid: [RDP]'s
 * "full noise" case.  0: every pixel is at 0 px.  The camera is the scenes'. */
enum bench_status noise_make(int width, int height, uint64_t seed, int most_px,
                             struct plane *plane);

#endif

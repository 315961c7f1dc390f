/* stixels_examples.h - what tests of stixels share: inputs, outputs, a camera */
#ifndef TESTS_STIXELS_EXAMPLES_H
#define TESTS_STIXELS_EXAMPLES_H

#include "harness/inputs/plane.h"
#include "harness/problems/stixels/stixels.h"
#include "tests/drive.h"

#include <math.h>

#define X        STIXELS_INVALID
#define PX       256 /* one pixel of disparity */
#define NO_CLASS STIXELS_NO_CLASS
#define NAT      1024.0 /* of the integers that energies are in */

enum {
    OB = STIXELS_OBJECT,
    GR = STIXELS_GROUND,
    SK = STIXELS_SKY,
    N_GEO = STIXELS_N_GEOMETRIES
};

/* Cityscapes' common camera; its pixels are square. */
static const struct camera city = {.fx_px = 2262.52,
                                   .fy_px = 2262.52,
                                   .cx_px = 1096.98,
                                   .cy_px = 513.137,
                                   .baseline_m = 0.209313,
                                   .height_m = 1.22,
                                   .pitch_rad = 0.038};

/* In [low, high). */
static inline double between(uint64_t seed, uint32_t i, double low, double high)
{
    return low + (high - low) * (bench_philox(seed, i, 99, 0, 0).word[1] / 4294967296.0);
}

static inline void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("found %.9g, expected %.9g within %g", found, expected, tolerance);
}

static inline struct stixels_preset named(const char *name)
{
    struct stixels_preset preset;

    if (stixels_preset_read(name, &preset) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return preset;
}

static inline struct stixels_model model_of(const struct stixels_preset *preset,
                                            const struct camera *camera, int block_rows,
                                            int n_rows, int n_classes)
{
    struct stixels_model model;

    memset(&model, 0xA5, sizeof model);
    if (stixels_model_make(preset, camera, "frame", block_rows, n_rows, n_classes, &model) !=
        BENCH_OK)
        fail_msg("%s", bench_failure());
    return model;
}

/* ---- inputs and outputs ---- */

/* A 0 among the first five means 1. */
struct shape {
    int n_frames, n_rows, n_cols, block_rows, block_cols, n_classes, truth, truth_class;
};

struct example {
    struct stixels_input *in;
    struct stixels_output *out;
};

static inline struct stixels_output *guarded_output(const struct stixels_input *in)
{
    return new_guarded(&stixels_problem, in);
}

/* An object of so many px in each column, from bottom to top. */
static inline void fill_columns(struct stixels_output *out, float px)
{
    const size_t n_columns = stixels_n_columns(out);

    memset(out->list, 0, stixels_capacity(out) * sizeof *out->list);
    for (size_t c = 0; c <= n_columns; c++)
        out->first[c] = (int32_t)c;
    for (size_t c = 0; c < n_columns; c++)
        out->list[c] = (struct stixel){.v_top = (uint16_t)(out->n_rows - 1),
                                       .geometry = OB,
                                       .semantic = STIXELS_NO_CLASS,
                                       .a = px};
}

/* Full confidence, but no disparity, truth or label; all classes as likely; objects of 0 px. */
static inline struct example new_example(struct shape s)
{
    int *const sizes[5] = {&s.n_frames, &s.n_rows, &s.n_cols, &s.block_rows, &s.block_cols};
    struct stixels_input *in;
    struct stixels_output *out;
    size_t n;

    for (int i = 0; i < 5; i++)
        *sizes[i] += *sizes[i] == 0;
    if (stixels_input_new(s.n_frames, s.n_rows * s.block_rows, s.n_cols * s.block_cols,
                          s.block_rows, s.block_cols, s.n_classes, s.truth, s.truth_class,
                          &in) != BENCH_OK)
        fail_msg("%s", bench_failure());
    keep(in, stixels_problem.free_input);
    n = (size_t)in->n_frames * (size_t)in->height * (size_t)in->width;
    memset(in->model, 0, (size_t)in->n_frames * sizeof *in->model);
    in->dropped_pixels = 0;
    memset(in->disparity, 0xFF, n * sizeof *in->disparity);
    memset(in->confidence, 255, n);
    for (size_t i = 0; i < n * (size_t)s.n_classes; i++)
        in->probability[i] = (uint16_t)(65535 / s.n_classes);
    if (s.truth)
        memset(in->truth, 0xFF, n * sizeof *in->truth);
    if (s.truth_class)
        memset(in->truth_class, 255, n);
    out = guarded_output(in);
    fill_columns(out, 0);
    return (struct example){in, out};
}

/* With nothing else said, a pixel that is a block, a column and a stixel. */
#define EXAMPLE(...) new_example((struct shape){__VA_ARGS__})

/* The first six of a shape, by their places. */
#define SHAPE(...)        \
    {                     \
        __VA_ARGS__, 0, 0 \
    }
#define BLOCKS(...) new_example((struct shape)SHAPE(__VA_ARGS__))

/* Index of the pixel (y, x) of the block of row v and column u. */
static inline size_t pixel(const struct stixels_input *in, int frame, int u, int v, int y,
                           int x)
{
    const int row = (in->n_rows - 1 - v) * in->block_rows + y;

    return ((size_t)frame * (size_t)in->height + (size_t)row) * (size_t)in->width +
           (size_t)(u * in->block_cols + x);
}

static inline void set_block(const struct stixels_input *in, int frame, int u, int v, double px,
                             uint8_t confidence)
{
    for (int y = 0; y < in->block_rows; y++)
        for (int x = 0; x < in->block_cols; x++) {
            in->disparity[pixel(in, frame, u, v, y, x)] = (uint16_t)lround(px * PX);
            in->confidence[pixel(in, frame, u, v, y, x)] = confidence;
        }
}

#define NO_PX ((double)X / PX) /* for set_block() */

static inline void set_probability(const struct stixels_input *in, int frame, int k, int u,
                                   int v, int probability)
{
    const size_t plane = (size_t)in->height * (size_t)in->width;
    const size_t skip = (size_t)frame * (size_t)(in->n_classes - 1) * plane + (size_t)k * plane;

    for (int y = 0; y < in->block_rows; y++)
        for (int x = 0; x < in->block_cols; x++)
            in->probability[skip + pixel(in, frame, u, v, y, x)] = (uint16_t)probability;
}

static inline struct stixel *column_at(const struct stixels_output *out, int c, int *n)
{
    *n = out->first[c + 1] - out->first[c];
    return &out->list[out->first[c]];
}

static inline double energy_of(const struct stixels_output *out, int c)
{
    double energy = 0;

    for (int i = out->first[c]; i < out->first[c + 1]; i++)
        energy += (double)out->list[i].cost;
    return energy;
}

#endif

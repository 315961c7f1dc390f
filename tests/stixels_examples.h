/* stixels_examples.h - what tests of stixels' outputs need: inputs and outputs made by hand, freed behind each test */
#ifndef TESTS_STIXELS_EXAMPLES_H
#define TESTS_STIXELS_EXAMPLES_H

#include "harness/problems/stixels/stixels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What is 0 of the first five is 1. */
struct shape {
    int n_frames, n_rows, n_cols, block_rows, block_cols, n_classes, truth, truth_class;
};

struct example {
    struct stixels_input *in;
    struct stixels_output *out;
};

/* The examples of one test. */
static struct example made[64];
static int n_made;

static inline int free_examples(void **state)
{
    (void)state;
    while (n_made > 0) {
        stixels_input_free(made[--n_made].in);
        stixels_output_free(made[n_made].out);
    }
    return 0;
}

/* No disparity, no truth, no label, all classes equally likely; each column an object of 0 px
 * from bottom to top. */
static inline struct example new_example(struct shape s)
{
    int *const sizes[5] = {&s.n_frames, &s.n_rows, &s.n_cols, &s.block_rows, &s.block_cols};
    struct example example;
    size_t n_pixels, n_columns;

    for (int i = 0; i < 5; i++)
        *sizes[i] += *sizes[i] == 0;
    assert_int_equal(stixels_input_new(s.n_frames, s.n_rows * s.block_rows,
                                       s.n_cols * s.block_cols, s.block_rows, s.block_cols,
                                       s.n_classes, s.truth, s.truth_class, &example.in),
                     BENCH_OK);
    n_pixels = (size_t)s.n_frames * (size_t)example.in->height * (size_t)example.in->width;
    n_columns = (size_t)s.n_frames * (size_t)s.n_cols;
    example.in->dropped_pixels = 0;
    memset(example.in->disparity, 0xFF, n_pixels * sizeof *example.in->disparity);
    memset(example.in->confidence, 0, n_pixels);
    memset(example.in->model, 0, (size_t)s.n_frames * sizeof *example.in->model);
    if (s.n_classes > 0)
        memset(example.in->probability, 0,
               n_pixels * (size_t)s.n_classes * sizeof *example.in->probability);
    if (s.truth)
        memset(example.in->truth, 0xFF, n_pixels * sizeof *example.in->truth);
    if (s.truth_class)
        memset(example.in->truth_class, 255, n_pixels);
    assert_int_equal(stixels_output_new(example.in, &example.out), BENCH_OK);
    memset(example.out->list, 0, n_columns * (size_t)s.n_rows * sizeof *example.out->list);
    for (size_t c = 0; c < n_columns; c++) {
        example.out->first[c] = (int32_t)c;
        example.out->list[c] = (struct stixel){.v_top = (uint16_t)(s.n_rows - 1),
                                               .geometry = STIXELS_OBJECT,
                                               .semantic = STIXELS_NO_CLASS};
    }
    example.out->first[n_columns] = (int32_t)n_columns;
    assert_true(n_made < 64);
    return made[n_made++] = example;
}

/* Pixels in a row, each its own column and stixel, unless the shape says otherwise. */
#define EXAMPLE(...) new_example((struct shape){__VA_ARGS__})

#endif

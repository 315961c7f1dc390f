/*
 * toy.h - the problem "toy": what is nearest around a pixel of a map
 *
 * Source: [TOY], the section that defines it.
 *
 * Definition.  nearest(x, y) is the greatest disparity of row y from column x - radius to
 * x + radius, as far as these are in the map.  A pixel without a disparity counts as 0.
 *
 * All are integers: every variant must give identical bits.
 */
#ifndef TOY_H
#define TOY_H

#include "harness/base/random.h" /* BENCH_HD */
#include "harness/measure/problem.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

struct toy_input {
    int32_t n_frames; /* >= 1; a batch when > 1 */
    int32_t n_cols, n_rows, radius;
    uint16_t *disparity; /* [n_frames][n_rows][n_cols], 1/256 px, 0: none; owned */
};

struct toy_output {
    int32_t n_frames, n_cols, n_rows;
    uint16_t *nearest; /* as the input's disparity; owned */
};

/* The pixels of all frames. */
static inline size_t toy_pixels(const struct toy_input *in)
{
    return (size_t)in->n_frames * (size_t)in->n_rows * (size_t)in->n_cols;
}

/* One pixel of the output, by its row: the arithmetic, one formula for C and CUDA. */
static inline BENCH_HD uint16_t toy_nearest(const uint16_t *row, int n_cols, int radius, int x)
{
    const int end = x + radius < n_cols ? x + radius : n_cols - 1;
    uint16_t nearest = 0;

    for (int i = x < radius ? 0 : x - radius; i <= end; i++)
        if (row[i] > nearest)
            nearest = row[i];
    return nearest;
}

extern const struct bench_problem toy_problem;

__END_DECLS

#endif

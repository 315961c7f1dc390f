/*
 * rdp.h - the problem "rdp": segment each column of a disparity image with
 * Ramer-Douglas-Peucker
 *
 * Source: [RDP] P. Cebrian, J. C. Moure, "GPU-accelerated RDP Algorithm for Data Segmentation",
 * ICCS 2020.  The paper's letters: n = n_rows, data[i] = y[i] of one column, eps = epsilon_q8 /
 * 256, m = segments.
 *
 * Definition.  f0 and l0 are the first and last valid rows of a column.  With fewer than two
 * valid rows nothing is kept and there are 0 segments.  Otherwise f0 and l0 are kept.  A
 * segment (f, l) of kept rows finds its inner valid row of greatest distance to the chord, the
 * smallest row among equals.  If that distance is strictly greater than eps, the row is kept
 * and divides the segment.  Invalid rows are never kept and cost nothing.  rdp/model.h has the
 * exact integer arithmetic.  Every variant must give identical bits.
 *
 * Rounds: 1 + the greatest nesting depth of a kept inner row; the first cut of a column has
 * depth 1.  A column without a cut has 1 round, and so has one with fewer than three rows or
 * fewer than two valid ones.  The paper calls rounds "recursion levels".  They are the passes
 * that its Algorithm 3 makes over a column; the last pass finds nothing.
 */
#ifndef RDP_H
#define RDP_H

#include "harness/measure/problem.h"
#include "harness/problems/rdp/model.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

enum rdp_distance { RDP_VERTICAL, RDP_PERPENDICULAR };

struct rdp_input {
    int n_frames;        /* >= 1; a batch when > 1 */
    int n_cols;          /* >= 1, any width */
    int n_rows;          /* 1..RDP_MAX_ROWS */
    uint32_t epsilon_q8; /* tolerance in 1/256 px, 0..RDP_MAX_EPSILON */
    enum rdp_distance distance;

    /* The arrays are the input's own.  [n_frames][n_cols][n_rows], 1/256 px or RDP_INVALID; a
     * column is contiguous, as the paper's data[i] */
    uint16_t *y;

    /* [n_frames][n_rows][n_cols]: the same values, row-major */
    uint16_t *image;

    /* as image: what a perfect sensor sees; NULL: not known, or frames were resampled */
    uint16_t *truth;
};

/* Words of 32 rows in one column of 'kept'. */
static inline int rdp_n_words(int n_rows)
{
    return (n_rows + 31) / 32;
}

/* A bit of the words of one column. */
static inline int rdp_is_kept(const uint32_t *column, int row)
{
    return (column[row / 32] >> (row % 32)) & 1;
}

struct rdp_output {
    int n_frames, n_cols, n_rows;

    /* [n_frames][n_cols][rdp_n_words(n_rows)]; row v is bit v % 32 of word v / 32, others 0 */
    uint32_t *kept;

    int32_t *segments; /* [n_frames][n_cols]: kept rows - 1, or 0 */
    int32_t *rounds;   /* [n_frames][n_cols]: see above, >= 1 */
};

extern const struct bench_problem rdp_problem;

/*
 * Below: for the problem's own files, `depthbench apply` and the tests.
 */

/* Allocate an input of the given shape (values uninitialised, no truth), the caller's to free
 * with rdp_problem.free_input.  BENCH_EINPUT for a height out of range, BENCH_ENOMEM. */
enum bench_status rdp_input_new(int n_frames, int n_cols, int n_rows, struct rdp_input **input);

/* 256 eps >= 0 as a whole number.  BENCH_EINPUT for one that is no multiple of 1/256 px (the
 * sentence names the two neighbours); larger than RDP_MAX_EPSILON / 256 is clamped: it cuts
 * nothing. */
enum bench_status rdp_epsilon(double eps_px, uint32_t *epsilon_q8);

/* bench_problem.sum and values: see rdp/measure.c for the names. */
enum bench_status rdp_sum(const void *input, const void *reference, const void *output,
                          int first_frame, struct bench_sums *sums);
enum bench_status rdp_values(const struct bench_sums *sums, struct bench_sink *sink);

/* image -> y of a struct rdp_input by n_threads: the transposition of scope end_to_end. */
void rdp_transpose(void *input, int n_threads);

__END_DECLS

#endif

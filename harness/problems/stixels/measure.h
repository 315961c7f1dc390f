/*
 * measure.h - the values of stixels that are no time
 */
#ifndef STIXELS_MEASURE_H
#define STIXELS_MEASURE_H

#include "harness/measure/problem.h"
#include "harness/problems/stixels/stixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* bench_problem.measure of stixels: see stixels/measure.c for the names. */
enum bench_status stixels_measure(const struct bench_params *params, const void *const *inputs,
                                  const void *const *references, const void *const *outputs,
                                  int n, struct bench_sink *sink);

/* What everybody who walks over an output relies on: its shape is the input's, each column is a
 * segmentation.  BENCH_EMISMATCH names the first column where that is not so. */
enum bench_status stixels_check_output(const struct stixels_input *in,
                                       const struct stixels_output *out);

/* The stixels of column c of all, from the bottom, and how many they are; -1: 'first' makes no
 * sense there.  compare.c has these three. */
int stixels_column(const struct stixels_output *out, size_t c, const struct stixel **list);

/* Whether they are a segmentation of the rows 0 .. n_rows - 1 with classes below n_classes.  If
 * they are not, 'why' is the first thing that is wrong. */
int stixels_is_segmentation(const struct stixel *list, int n, int n_rows, int n_classes,
                            char *why, size_t size);

/* Whether two have the same cuts, geometries and classes. */
int stixels_same_cuts(const struct stixel *reference, int n_reference,
                      const struct stixel *output, int n_output);

#ifdef __cplusplus
}
#endif

#endif

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

/*
 * What everybody who walks over an output relies on: its shape is the input's, the stixels of a
 * column follow one another without a gap from row 0 to the last, geometries and classes exist,
 * planes and costs are finite.  BENCH_EMISMATCH names the first column where that is not so.
 */
enum bench_status stixels_check_output(const struct stixels_input *in,
                                       const struct stixels_output *out);

#ifdef __cplusplus
}
#endif

#endif

/*
 * stixels_sink.h - the values of stixels, caught where stixels/measure.c hands them over: a second copy of it, with a sink of our
 * own.  Include it last: it brings a whole source file.
 */
#ifndef TESTS_STIXELS_SINK_H
#define TESTS_STIXELS_SINK_H

#include "tests/sink.h"

#define bench_value     collect_value
#define stixels_measure measure_into_our_sink
enum bench_status stixels_measure(const struct bench_params *params, const void *const *inputs,
                                  const void *const *references, const void *const *outputs,
                                  int n, struct bench_sink *sink);
#include "harness/problems/stixels/measure.c"
#undef bench_value
#undef stixels_measure

#endif

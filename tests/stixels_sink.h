/*
 * stixels_sink.h - the values of stixels, caught where stixels/measure.c hands them over: a second copy of it, with a sink of our
 * own.  Include it last: it brings a whole source file.
 */
#ifndef TESTS_STIXELS_SINK_H
#define TESTS_STIXELS_SINK_H

#include "tests/sink.h"

#define bench_value          collect_value
#define stixels_measure      measure_into_our_sink
#define stixels_check_output check_our_output
#include "harness/problems/stixels/measure.c"
#undef bench_value
#undef stixels_measure
#undef stixels_check_output

#endif

/*
 * measure.h - the values of rdp that are no time; between rdp.c and rdp/measure.c
 */
#ifndef RDP_MEASURE_H
#define RDP_MEASURE_H

#include "harness/measure/problem.h"

/* bench_problem.measure of rdp: see rdp/measure.c for the names. */
enum bench_status rdp_measure(const struct bench_params *params, const void *const *inputs,
                              const void *const *references, const void *const *outputs, int n,
                              struct bench_sink *sink);

#endif

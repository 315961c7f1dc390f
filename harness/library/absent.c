/*
 * absent.c - functions of the harness that libdepthbench lacks: when linked, they do nothing
 */
#include "harness/measure/problem.h"
#include "harness/measure/stages.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* there is no pass for stages: never called */
void bench_stage_mark(struct bench_stages *stages, const char *name)
{
}

void bench_stage_mark_parts(struct bench_stages *stages, const char *const *names, int n_parts,
                            const uint32_t *clocks, size_t n_blocks)
{
}

/* nor are there rows with values */
void bench_value(struct bench_sink *sink, const char *name, int index, double value,
                 const char *unit)
{
}

/*
 * stages.h - times of the parts of one run, where they are separate launches or loops
 *
 * Stages are taken in a pass of their own, never while a whole run is being timed.  An
 * implementation calls bench_stage() after each part; outside that pass the pointer is NULL and
 * the call does nothing.
 */
#ifndef BENCH_STAGES_H
#define BENCH_STAGES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

struct bench_stages;

/* Implemented in measure.c (CPU: the wall clock; CUDA: an event on the harness's stream). */
void bench_stage_mark(struct bench_stages *stages, const char *name);

void bench_stage_mark_parts(struct bench_stages *stages, const char *const *names, int n_parts,
                            const uint32_t *clocks, size_t n_blocks);

/* The time since the last stage, or the begin of the run, was part 'name' (a string literal, at
 * most 31 bytes; the same names in the same order in every run). */
static inline void bench_stage(struct bench_stages *stages, const char *name)
{
    if (stages)
        bench_stage_mark(stages, name);
}

/*
 * The stage before this call was one fused kernel, and these are its parts, as shares of its
 * time: of each of its n_blocks blocks 'clocks' [n_blocks][n_parts] holds the clocks that it
 * spent in each part.  The kernel is an instantiation of its own that reads the clock at the
 * borders of its parts, launched where stages is not NULL and nowhere else.  'clocks' is memory
 * of the target (CUDA: of the device), read when the run is done.  Names as for bench_stage;
 * 'names' stays.
 */
static inline void bench_stage_parts(struct bench_stages *stages, const char *const *names,
                                     int n_parts, const uint32_t *clocks, size_t n_blocks)
{
    if (stages)
        bench_stage_mark_parts(stages, names, n_parts, clocks, n_blocks);
}

__END_DECLS

#endif

/*
 * laps.h - times of the parts of one run, where they are separate launches or loops
 *
 * Laps are taken in a pass of their own, never while a whole run is being timed.  An
 * implementation calls bench_lap() after each part; outside that pass the pointer is NULL and
 * the call does nothing.
 */
#ifndef BENCH_LAPS_H
#define BENCH_LAPS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

struct bench_laps;

/* Implemented in measure.c (CPU: the wall clock; CUDA: an event on the harness's stream). */
void bench_lap_mark(struct bench_laps *laps, const char *name);

void bench_lap_mark_parts(struct bench_laps *laps, const char *const *names, int n_parts,
                          const uint32_t *clocks, size_t n_blocks);

/* What happened since the last lap, or since the run began, was part 'name' (a string literal,
 * at most 31 bytes, same names in the same order in every run). */
static inline void bench_lap(struct bench_laps *laps, const char *name)
{
    if (laps)
        bench_lap_mark(laps, name);
}

/*
 * The lap before this call was one fused kernel, and these are its parts, as shares of its
 * time: of each of its n_blocks blocks 'clocks' [n_blocks][n_parts] holds the clocks that it
 * spent in each part.  The kernel is an instantiation of its own that reads the clock at the
 * borders of its parts, launched where laps is not NULL and nowhere else.  'clocks' is memory
 * of the target (CUDA: of the device), read when the run is done.  Names as for bench_lap;
 * 'names' stays.
 */
static inline void bench_lap_parts(struct bench_laps *laps, const char *const *names,
                                   int n_parts, const uint32_t *clocks, size_t n_blocks)
{
    if (laps)
        bench_lap_mark_parts(laps, names, n_parts, clocks, n_blocks);
}

__END_DECLS

#endif

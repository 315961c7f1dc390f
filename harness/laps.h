/*
 * laps.h - times of the parts of one run, where they are separate launches or loops
 *
 * Laps are taken in a pass of their own, never while a whole run is being timed.  An implementation
 * calls bench_lap() after each part; outside that pass the pointer is NULL and the call does nothing.
 */
#ifndef BENCH_LAPS_H
#define BENCH_LAPS_H

#ifdef __cplusplus
extern "C" {
#endif

struct bench_laps;

/* Implemented in measure.c (CPU: the wall clock; CUDA: an event on the harness's stream). */
void bench_lap_mark(struct bench_laps *laps, const char *name);

/* What happened since the last lap, or since the run began, was part 'name' (a string literal, at most 31
 * bytes, same names in the same order in every run). */
static inline void bench_lap(struct bench_laps *laps, const char *name)
{
    if (laps)
        bench_lap_mark(laps, name);
}

#ifdef __cplusplus
}
#endif

#endif

/*
 * model.h - the arithmetic of the problem "probe", one formula for C and CUDA
 *
 * A word goes through pairs of operations, each of which needs what the one before made.
 * Nothing in them can be shortened: the two constants of a pair differ, floats are rounded
 * after each operation, and without the last pair the result is another.
 */
#ifndef PROBE_MODEL_H
#define PROBE_MODEL_H

#include "harness/base/random.h" /* BENCH_HD */

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The square root of 3 and what undoes it: a float from [1, 2) grows by 2^-20 or so in a pair,
 * and stays below 3 in PROBE_MAX_PAIRS of them.  No factor has bits to spare, so that a product
 * rounded by itself shows. */
#define PROBE_UP       1.73205078f
#define PROBE_UP_ADD   0.318309873f
#define PROBE_DOWN     0.577350259f
#define PROBE_DOWN_ADD (-0.183775336f)
#define PROBE_XOR      0x9E3779B9u
#define PROBE_ADD      0x7F4A7C15u

#define PROBE_MAX_PAIRS 65536

/* Two fused multiply-adds. */
static inline BENCH_HD float probe_fma_pair(float x)
{
    return fmaf(fmaf(x, PROBE_UP, PROBE_UP_ADD), PROBE_DOWN, PROBE_DOWN_ADD);
}

/* A logical operation and an addition. */
static inline BENCH_HD uint32_t probe_integer_pair(uint32_t x)
{
    return (x ^ PROBE_XOR) + PROBE_ADD;
}

#endif

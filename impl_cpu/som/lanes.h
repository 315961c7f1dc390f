/*
 * lanes.h - impl_cpu/lanes.h and vectors of floats, as som/openmp needs them
 *
 * Each operation is rounded by itself: all give the same bits.
 */
#ifndef IMPL_CPU_SOM_LANES_H
#define IMPL_CPU_SOM_LANES_H

#include "impl_cpu/lanes.h"

typedef float reals __attribute__((vector_size(LANES_BYTES)));
typedef uint64_t pairs __attribute__((vector_size(LANES_BYTES)));

static inline reals reals_set(float x)
{
    return x - (reals){0};
}

/* A pair of floats, x in the even lanes and y in the odd ones. */
static inline reals reals_set_pair(const float *xy)
{
    uint64_t pair;

    memcpy(&pair, xy, sizeof pair);
    return (reals)(pair - (pairs){0});
}

static inline reals reals_load(const float *from)
{
    reals v;

    memcpy(&v, from, sizeof v);
    return v;
}

static inline lanes lanes_load(const int32_t *from)
{
    lanes v;

    memcpy(&v, from, sizeof v);
    return v;
}

static inline void lanes_store(int32_t *to, lanes v)
{
    memcpy(to, &v, sizeof v);
}

/* 'a' in the first n lanes, INT32_MAX behind them. */
static inline lanes lanes_first(lanes a, int n)
{
#if defined(__AVX512BW__)
    const __mmask16 in = _mm512_cmpgt_epi32_mask((__m512i)lanes_set(n), (__m512i)lanes_count());

    return (lanes)_mm512_mask_mov_epi32(_mm512_set1_epi32(INT32_MAX), in, (__m512i)a);
#else
    /* none of them is negative */
    return a | ((lanes_count() >= lanes_set(n)) & lanes_set(INT32_MAX));
#endif
}

/* The lesser of a and b where x == y, else a; b >= 0. */
static inline lanes lanes_min_where_equal(lanes x, lanes y, lanes a, lanes b)
{
#if defined(__AVX512BW__)
    return (lanes)_mm512_mask_min_epi32(
        (__m512i)a, _mm512_cmpeq_epi32_mask((__m512i)x, (__m512i)y), (__m512i)a, (__m512i)b);
#else
    return lanes_min(a, b | ((x != y) & lanes_set(INT32_MAX)));
#endif
}

#endif

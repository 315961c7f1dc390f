/*
 * lanes.h - vectors of floats and of 32-bit integers as som/openmp needs them: 16, 8 or 4 at a
 * time
 *
 * Vectors are gcc's own, with its operators; where gcc does not find the one instruction that
 * x86 has, it is named.  Each operation is rounded by itself: all give the same bits.
 */
#ifndef IMPL_CPU_SOM_LANES_H
#define IMPL_CPU_SOM_LANES_H

#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif

#define LANES_BYTES (4 * LANES)

typedef float reals __attribute__((vector_size(LANES_BYTES)));
typedef int32_t lanes __attribute__((vector_size(LANES_BYTES)));
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

static inline lanes lanes_set(int32_t x)
{
    return x - (lanes){0};
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

static inline lanes lanes_count(void)
{
    static const _Alignas(64)
        int32_t count[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    return *(const lanes *)(const void *)count;
}

static inline lanes lanes_min(lanes a, lanes b)
{
#if defined(__AVX512F__)
    return (lanes)_mm512_min_epi32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (lanes)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
    return (a & (a < b)) | (b & ~(a < b));
#endif
}

/* 'a' in the first n lanes, INT32_MAX behind them. */
static inline lanes lanes_first(lanes a, int n)
{
#if defined(__AVX512F__)
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
#if defined(__AVX512F__)
    return (lanes)_mm512_mask_min_epi32(
        (__m512i)a, _mm512_cmpeq_epi32_mask((__m512i)x, (__m512i)y), (__m512i)a, (__m512i)b);
#else
    return lanes_min(a, b | ((x != y) & lanes_set(INT32_MAX)));
#endif
}

static inline int32_t lanes_least(lanes a)
{
#if defined(__AVX512F__)
    return _mm512_reduce_min_epi32((__m512i)a);
#elif defined(__AVX2__)
    __m128i b = _mm_min_epi32(_mm256_castsi256_si128((__m256i)a),
                              _mm256_extracti128_si256((__m256i)a, 1));

    b = _mm_min_epi32(b, _mm_shuffle_epi32(b, 0x4E));
    b = _mm_min_epi32(b, _mm_shuffle_epi32(b, 0xB1));
    return _mm_cvtsi128_si32(b);
#else
    const int32_t b = a[0] < a[1] ? a[0] : a[1], c = a[2] < a[3] ? a[2] : a[3];

    return b < c ? b : c;
#endif
}

#endif

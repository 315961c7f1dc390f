/*
 * lanes.h - vectors of 32-bit integers as rdp/cpu-simd needs them: AVX-512, AVX2, or gcc's own
 * for the rest
 *
 * One set of small functions, three bodies.  The last one is plain gcc vector code of 128 bits:
 * NEON on a Xavier, SSE2 on an old PC.  All give the same integers.
 */
#ifndef IMPL_CPU_RDP_LANES_H
#define IMPL_CPU_RDP_LANES_H

#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)

#include <immintrin.h>

#define LANES 16
typedef __m512i lanes;

static inline lanes lanes_set(int32_t x)
{
    return _mm512_set1_epi32(x);
}

static inline lanes lanes_count(void) /* 0, 1, 2 ... */
{
    return _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

static inline lanes lanes_load(const uint16_t *from)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)from));
}

static inline lanes lanes_add(lanes a, lanes b)
{
    return _mm512_add_epi32(a, b);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return _mm512_sub_epi32(a, b);
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return _mm512_mullo_epi32(a, b);
}

static inline lanes lanes_abs(lanes a)
{
    return _mm512_abs_epi32(a);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return _mm512_max_epi32(a, b);
}

/* a where x > y, else b */
static inline lanes lanes_where_greater(lanes x, lanes y, lanes a, lanes b)
{
    return _mm512_mask_mov_epi32(b, _mm512_cmpgt_epi32_mask(x, y), a);
}

/* a where x != y, else 0 */
static inline lanes lanes_unless_equal(lanes x, lanes y, lanes a)
{
    return _mm512_maskz_mov_epi32(_mm512_cmpneq_epi32_mask(x, y), a);
}

static inline int lanes_any_greater(lanes x, lanes y)
{
    return _mm512_cmpgt_epi32_mask(x, y) != 0;
}

/* bit k: x[k] == y[k] */
static inline uint32_t lanes_equal(lanes x, lanes y)
{
    return _mm512_cmpeq_epi32_mask(x, y);
}

static inline int32_t lanes_greatest(lanes a)
{
    return _mm512_reduce_max_epi32(a);
}

/* the least a[k] with x[k] == y[k], of which there is one */
static inline int32_t lanes_least_where_equal(lanes x, lanes y, lanes a)
{
    return _mm512_mask_reduce_min_epi32(_mm512_cmpeq_epi32_mask(x, y), a);
}

#elif defined(__AVX2__)

#include <immintrin.h>

#define LANES 8
typedef __m256i lanes;

static inline lanes lanes_set(int32_t x)
{
    return _mm256_set1_epi32(x);
}

static inline lanes lanes_count(void)
{
    return _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
}

static inline lanes lanes_load(const uint16_t *from)
{
    return _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)from));
}

static inline lanes lanes_add(lanes a, lanes b)
{
    return _mm256_add_epi32(a, b);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return _mm256_sub_epi32(a, b);
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return _mm256_mullo_epi32(a, b);
}

static inline lanes lanes_abs(lanes a)
{
    return _mm256_abs_epi32(a);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return _mm256_max_epi32(a, b);
}

static inline lanes lanes_where_greater(lanes x, lanes y, lanes a, lanes b)
{
    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi32(x, y));
}

static inline lanes lanes_unless_equal(lanes x, lanes y, lanes a)
{
    return _mm256_andnot_si256(_mm256_cmpeq_epi32(x, y), a);
}

static inline int lanes_any_greater(lanes x, lanes y)
{
    const lanes greater = _mm256_cmpgt_epi32(x, y);

    return !_mm256_testz_si256(greater, greater);
}

static inline uint32_t lanes_equal(lanes x, lanes y)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(x, y)));
}

static inline int32_t lanes_greatest(lanes a)
{
    __m128i b = _mm_max_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));

    b = _mm_max_epi32(b, _mm_shuffle_epi32(b, 0x4E));
    b = _mm_max_epi32(b, _mm_shuffle_epi32(b, 0xB1));
    return _mm_cvtsi128_si32(b);
}

static inline int32_t lanes_least_where_equal(lanes x, lanes y, lanes a)
{
    const lanes minus_a = _mm256_sub_epi32(_mm256_setzero_si256(), a);
    const lanes nowhere = _mm256_set1_epi32(-INT32_MAX);

    return -lanes_greatest(_mm256_blendv_epi8(nowhere, minus_a, _mm256_cmpeq_epi32(x, y)));
}

#else

#define LANES 4
typedef int32_t lanes __attribute__((vector_size(4 * LANES)));

static inline lanes lanes_set(int32_t x)
{
    return (lanes){x, x, x, x};
}

static inline lanes lanes_count(void)
{
    return (lanes){0, 1, 2, 3};
}

static inline lanes lanes_load(const uint16_t *from)
{
#if __GNUC__ >= 9 /* the oldest Xavier's gcc 7 has no such conversion */
    uint16_t half __attribute__((vector_size(2 * LANES)));

    memcpy(&half, from, sizeof half);
    return __builtin_convertvector(half, lanes);
#else
    return (lanes){from[0], from[1], from[2], from[3]};
#endif
}

static inline lanes lanes_add(lanes a, lanes b)
{
    return a + b;
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return a - b;
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return a * b;
}

static inline lanes lanes_where_greater(lanes x, lanes y, lanes a, lanes b)
{
    const lanes greater = x > y;

    return (a & greater) | (b & ~greater);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return lanes_where_greater(a, b, a, b);
}

static inline lanes lanes_abs(lanes a)
{
    return lanes_max(a, -a);
}

static inline lanes lanes_unless_equal(lanes x, lanes y, lanes a)
{
    return a & (x != y);
}

static inline int lanes_any_greater(lanes x, lanes y)
{
    const lanes greater = x > y;
    uint64_t half[2];

    memcpy(half, &greater, sizeof half);
    return (half[0] | half[1]) != 0;
}

static inline uint32_t lanes_equal(lanes x, lanes y)
{
    const lanes bit = (x == y) & (lanes){1, 2, 4, 8};

    return (uint32_t)((bit[0] | bit[1]) | (bit[2] | bit[3]));
}

static inline int32_t lanes_greatest(lanes a)
{
    const int32_t b = a[0] > a[1] ? a[0] : a[1], c = a[2] > a[3] ? a[2] : a[3];

    return b > c ? b : c;
}

static inline int32_t lanes_least_where_equal(lanes x, lanes y, lanes a)
{
    const lanes is = x == y;

    return -lanes_greatest((-a & is) | (lanes_set(-INT32_MAX) & ~is));
}

#endif

#endif

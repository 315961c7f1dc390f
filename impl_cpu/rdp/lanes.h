/*
 * lanes.h - impl_cpu/lanes.h, and its vectors as twice as many 16-bit integers
 */
#ifndef IMPL_CPU_RDP_LANES_H
#define IMPL_CPU_RDP_LANES_H

#include "impl_cpu/lanes.h"

static inline lanes lanes_load(const uint16_t *from)
{
#if defined(__AVX512BW__)
    return (lanes)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)from));
#elif defined(__AVX2__)
    return (lanes)_mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)from));
#elif __GNUC__ >= 9
    uint16_t half __attribute__((vector_size(2 * LANES)));

    memcpy(&half, from, sizeof half);
    return __builtin_convertvector(half, lanes);
#else /* the oldest Xavier's gcc 7 has no such conversion */
    return (lanes){from[0], from[1], from[2], from[3]};
#endif
}

static inline lanes lanes_abs(lanes a)
{
#if defined(__AVX512BW__)
    return (lanes)_mm512_abs_epi32((__m512i)a);
#elif defined(__AVX2__)
    return (lanes)_mm256_abs_epi32((__m256i)a);
#else
    return lanes_max(a, -a);
#endif
}

/* a where x != y, else 0 */
static inline lanes lanes_unless_equal(lanes x, lanes y, lanes a)
{
#if defined(__AVX512BW__)
    return (lanes)_mm512_maskz_mov_epi32(_mm512_cmpneq_epi32_mask((__m512i)x, (__m512i)y),
                                         (__m512i)a);
#else
    return a & (x != y);
#endif
}

/* bit LANES v + k: a[v][k] == x[k]; n up to 4 */
static inline uint64_t lanes_equal(const lanes *a, int n, lanes x)
{
#if defined(__AVX2__)
    uint64_t bits = 0;

    for (int v = 0; v < n; v++)
#if defined(__AVX512BW__)
        bits |= (uint64_t)_mm512_cmpeq_epi32_mask((__m512i)a[v], (__m512i)x) << (v * LANES);
#else
        bits |= (uint64_t)(uint32_t)_mm256_movemask_ps((__m256)(a[v] == x)) << (v * LANES);
#endif
    return bits;
#else
    lanes bits = {0};

    for (int v = 0; v < n; v++)
        bits |= (a[v] == x) & ((lanes){1, 2, 4, 8} << (v * LANES));
    return (uint32_t)((bits[0] | bits[1]) | (bits[2] | bits[3]));
#endif
}

/* ---- the same bytes as twice as many 16-bit integers, modulo 2^16 ---- */

typedef uint16_t shorts __attribute__((vector_size(LANES_BYTES)));
typedef int16_t signed_shorts __attribute__((vector_size(LANES_BYTES)));
typedef uint32_t pairs __attribute__((vector_size(LANES_BYTES)));

static inline shorts shorts_set(int x)
{
    return (uint16_t)x - (shorts){0};
}

static inline shorts shorts_load(const uint16_t *from)
{
    shorts a;

    memcpy(&a, from, sizeof a);
    return a;
}

/* The upper halves of the products. */
static inline shorts shorts_multiply_high(shorts a, shorts b)
{
#if defined(__AVX512BW__)
    return (shorts)_mm512_mulhi_epu16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (shorts)_mm256_mulhi_epu16((__m256i)a, (__m256i)b);
#else
    const pairs even = ((pairs)a & 0xFFFF) * ((pairs)b & 0xFFFF);
    const pairs odd = ((pairs)a >> 16) * ((pairs)b >> 16);

    return (shorts)(even >> 16 | (odd & 0xFFFF0000));
#endif
}

/* of lanes as signed ones, which are not -2^15 */
static inline shorts shorts_abs(shorts a)
{
#if defined(__AVX512BW__)
    return (shorts)_mm512_abs_epi16((__m512i)a);
#elif defined(__AVX2__)
    return (shorts)_mm256_abs_epi16((__m256i)a);
#else
    const shorts sign = (shorts)((signed_shorts)a >> 15);

    return (a ^ sign) - sign;
#endif
}

/* Below: of lanes up to 2^15 - 1. */
static inline shorts shorts_max(shorts a, shorts b)
{
#if defined(__AVX512BW__)
    return (shorts)_mm512_max_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (shorts)_mm256_max_epi16((__m256i)a, (__m256i)b);
#else
    const shorts greater = (shorts)((signed_shorts)a > (signed_shorts)b);

    return (a & greater) | (b & ~greater);
#endif
}

/* a where x != y, else 0 */
static inline shorts shorts_unless_equal(shorts x, shorts y, shorts a)
{
#if defined(__AVX512BW__)
    return (shorts)_mm512_maskz_mov_epi16(_mm512_cmpneq_epi16_mask((__m512i)x, (__m512i)y),
                                          (__m512i)a);
#else
    return a & (shorts)(x != y);
#endif
}

static inline int shorts_any_greater(shorts x, shorts y)
{
#if defined(__AVX512BW__)
    return _mm512_cmpgt_epi16_mask((__m512i)x, (__m512i)y) != 0;
#else
    const signed_shorts greater = (signed_shorts)x > (signed_shorts)y;
#if defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)greater, (__m256i)greater);
#else
    uint64_t half[2];

    memcpy(half, &greater, sizeof half);
    return (half[0] | half[1]) != 0;
#endif
#endif
}

static inline int shorts_greatest(shorts a)
{
#if defined(__AVX2__)
#if defined(__AVX512BW__)
    const __m256i b = _mm256_max_epi16(_mm512_castsi512_si256((__m512i)a),
                                       _mm512_extracti64x4_epi64((__m512i)a, 1));
#else
    const __m256i b = (__m256i)a;
#endif
    const __m128i c = _mm_max_epi16(_mm256_castsi256_si128(b), _mm256_extracti128_si256(b, 1));

    /* one instruction has the least of eight lanes: of what each lacks to 2^16 - 1 */
    return 0xFFFF ^ _mm_extract_epi16(_mm_minpos_epu16(~c), 0);
#else
    int greatest = 0;

    for (int k = 0; k < 2 * LANES; k++)
        greatest = a[k] > greatest ? a[k] : greatest;
    return greatest;
#endif
}

#endif

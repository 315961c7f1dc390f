/*
 * lanes.h - vectors of 32-bit integers: AVX-512, AVX2, or 128 bits of any other processor
 *
 * Vectors are gcc's own, with its operators: NEON on a Xavier, SSE2 on an old PC.  Where gcc
 * does not find the one instruction that x86 has, it is named.  All give the same integers.
 */
#ifndef IMPL_CPU_LANES_H
#define IMPL_CPU_LANES_H

#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512BW__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif

#define LANES_BYTES (4 * LANES)

typedef int32_t lanes __attribute__((vector_size(LANES_BYTES)));

static inline lanes lanes_set(int32_t x)
{
    return x - (lanes){0};
}

static inline lanes lanes_count(void)
{
    static const _Alignas(64)
        int32_t count[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    return *(const lanes *)(const void *)count;
}

/* a where x > y, else b */
static inline lanes lanes_where_greater(lanes x, lanes y, lanes a, lanes b)
{
#if defined(__AVX512BW__)
    const __mmask16 greater = _mm512_cmpgt_epi32_mask((__m512i)x, (__m512i)y);

    return (lanes)_mm512_mask_mov_epi32((__m512i)b, greater, (__m512i)a);
#elif defined(__AVX2__)
    return (lanes)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)(x > y));
#else
    return (a & (x > y)) | (b & ~(x > y));
#endif
}

/* lanes_max, lanes_min: of each lane of both.  lanes_greatest, lanes_least: of all lanes. */
#if defined(__AVX512BW__)
#define LANES_EXTREME(name, of_all, one, less)              \
    static inline lanes name(lanes a, lanes b)              \
    {                                                       \
        return (lanes)_mm512_##one((__m512i)a, (__m512i)b); \
    }                                                       \
    static inline int32_t of_all(lanes a)                   \
    {                                                       \
        return _mm512_reduce_##one((__m512i)a);             \
    }
#elif defined(__AVX2__)
#define LANES_EXTREME(name, of_all, one, less)                          \
    static inline lanes name(lanes a, lanes b)                          \
    {                                                                   \
        return (lanes)_mm256_##one((__m256i)a, (__m256i)b);             \
    }                                                                   \
    static inline int32_t of_all(lanes a)                               \
    {                                                                   \
        __m128i b = _mm_##one(_mm256_castsi256_si128((__m256i)a),       \
                              _mm256_extracti128_si256((__m256i)a, 1)); \
                                                                        \
        b = _mm_##one(b, _mm_shuffle_epi32(b, 0x4E));                   \
        b = _mm_##one(b, _mm_shuffle_epi32(b, 0xB1));                   \
        return _mm_cvtsi128_si32(b);                                    \
    }
#else
#define LANES_EXTREME(name, of_all, one, less)          \
    static inline lanes name(lanes a, lanes b)          \
    {                                                   \
        return (a & (a less b)) | (b & ~(a less b));    \
    }                                                   \
    static inline int32_t of_all(lanes a)               \
    {                                                   \
        const int32_t b = a[0] less a[1] ? a[0] : a[1]; \
        const int32_t c = a[2] less a[3] ? a[2] : a[3]; \
                                                        \
        return b less c ? b : c;                        \
    }
#endif
LANES_EXTREME(lanes_max, lanes_greatest, max_epi32, >)
LANES_EXTREME(lanes_min, lanes_least, min_epi32, <)
#undef LANES_EXTREME

#endif

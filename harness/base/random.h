/*
 * random.h - Philox4x32-10, the project's only random generator
 *
 * Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
 *         Counter-based: the words for (key, counter) are a pure function, so any thread, CPU
 *         or GPU, can draw the numbers of its own element without a shared state.  Integers
 *         only: the same bits on every machine.
 */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

#ifdef __CUDACC__
#define BENCH_HD __host__ __device__
#else
#define BENCH_HD
#endif

struct bench_words {
    uint32_t word[4];
};

/* The four words for a 64-bit key and a 128-bit counter (c[0] is the lowest word). */
static inline BENCH_HD struct bench_words bench_philox(uint64_t key, uint32_t c0, uint32_t c1,
                                                       uint32_t c2, uint32_t c3)
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    struct bench_words out;

    for (int round = 0; round < 10; round++) {
        const uint64_t p0 = (uint64_t)0xD2511F53u * c0;
        const uint64_t p1 = (uint64_t)0xCD9E8D57u * c2;
        const uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        const uint32_t n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;

        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u; /* golden ratio */
        k1 += 0xBB67AE85u; /* sqrt(3) - 1 */
    }
    out.word[0] = c0;
    out.word[1] = c1;
    out.word[2] = c2;
    out.word[3] = c3;
    return out;
}

/* A whole number in [0, n) from one random word, by the multiply-shift rule (n >= 1). */
static inline BENCH_HD uint32_t bench_below(uint32_t word, uint32_t n)
{
    return (uint32_t)(((uint64_t)word * n) >> 32);
}

#endif

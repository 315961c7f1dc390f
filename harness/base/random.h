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

/* One of the ten rounds of a generator: a counter's words under the key of that round. */
static inline BENCH_HD struct bench_words bench_philox_round(struct bench_words c, uint64_t key,
                                                             int round)
{
    const uint32_t k0 = (uint32_t)key + (uint32_t)round * 0x9E3779B9u; /* golden ratio */
    const uint32_t k1 = (uint32_t)(key >> 32) + (uint32_t)round * 0xBB67AE85u; /* sqrt(3) - 1 */
    const uint64_t p0 = (uint64_t)0xD2511F53u * c.word[0];
    const uint64_t p1 = (uint64_t)0xCD9E8D57u * c.word[2];

    c.word[0] = (uint32_t)(p1 >> 32) ^ c.word[1] ^ k0;
    c.word[2] = (uint32_t)(p0 >> 32) ^ c.word[3] ^ k1;
    c.word[1] = (uint32_t)p1;
    c.word[3] = (uint32_t)p0;
    return c;
}

#define BENCH_PHILOX_ROUNDS 10

/* The four words for a 64-bit key and a 128-bit counter (c0 is the lowest word). */
static inline BENCH_HD struct bench_words bench_philox(uint64_t key, uint32_t c0, uint32_t c1,
                                                       uint32_t c2, uint32_t c3)
{
    struct bench_words c = {{c0, c1, c2, c3}};

    for (int round = 0; round < BENCH_PHILOX_ROUNDS; round++)
        c = bench_philox_round(c, key, round);
    return c;
}

/* A whole number in [0, n) from one random word, by the multiply-shift rule (n >= 1). */
static inline BENCH_HD uint32_t bench_below(uint32_t word, uint32_t n)
{
    return (uint32_t)(((uint64_t)word * n) >> 32);
}

#endif

/*
 * chains.h - what probe/serial and probe/openmp do with a part of the words
 *
 * A call takes words from CHAINS places at once, so that as many chains hide each other's latency, and loops over
 * neighbouring words outermost, so that a vector holds a chain for each of its lanes.
 */
#ifndef PROBE_CHAINS_H
#define PROBE_CHAINS_H

#include "harness/problems/probe.h"

#include <string.h>

#define CHAINS      8
#define CHAIN_BLOCK 64 /* neighbours: whole vectors of any width */
#define CHAIN_WORDS (CHAINS * CHAIN_BLOCK)

static inline float chain_float(uint32_t word)
{
    float value;

    memcpy(&value, &word, sizeof value);
    return value;
}

static inline uint32_t chain_word(float value)
{
    uint32_t word;

    memcpy(&word, &value, sizeof word);
    return word;
}

/* 'n' neighbours at each of the CHAINS places, which are n words apart. */
static inline void chain_fma(const uint32_t *restrict in, uint32_t *restrict out, size_t n,
                             int pairs)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        float x0 = chain_float(in[i]), x1 = chain_float(in[n + i]);
        float x2 = chain_float(in[2 * n + i]), x3 = chain_float(in[3 * n + i]);
        float x4 = chain_float(in[4 * n + i]), x5 = chain_float(in[5 * n + i]);
        float x6 = chain_float(in[6 * n + i]), x7 = chain_float(in[7 * n + i]);

        for (int pair = 0; pair < pairs; pair++) {
            x0 = probe_fma_pair(x0);
            x1 = probe_fma_pair(x1);
            x2 = probe_fma_pair(x2);
            x3 = probe_fma_pair(x3);
            x4 = probe_fma_pair(x4);
            x5 = probe_fma_pair(x5);
            x6 = probe_fma_pair(x6);
            x7 = probe_fma_pair(x7);
        }
        out[i] = chain_word(x0);
        out[n + i] = chain_word(x1);
        out[2 * n + i] = chain_word(x2);
        out[3 * n + i] = chain_word(x3);
        out[4 * n + i] = chain_word(x4);
        out[5 * n + i] = chain_word(x5);
        out[6 * n + i] = chain_word(x6);
        out[7 * n + i] = chain_word(x7);
    }
}

static inline void chain_integer(const uint32_t *restrict in, uint32_t *restrict out, size_t n,
                                 int pairs)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        uint32_t x0 = in[i], x1 = in[n + i], x2 = in[2 * n + i], x3 = in[3 * n + i];
        uint32_t x4 = in[4 * n + i], x5 = in[5 * n + i], x6 = in[6 * n + i], x7 = in[7 * n + i];

        for (int pair = 0; pair < pairs; pair++) {
            x0 = probe_integer_pair(x0);
            x1 = probe_integer_pair(x1);
            x2 = probe_integer_pair(x2);
            x3 = probe_integer_pair(x3);
            x4 = probe_integer_pair(x4);
            x5 = probe_integer_pair(x5);
            x6 = probe_integer_pair(x6);
            x7 = probe_integer_pair(x7);
        }
        out[i] = x0;
        out[n + i] = x1;
        out[2 * n + i] = x2;
        out[3 * n + i] = x3;
        out[4 * n + i] = x4;
        out[5 * n + i] = x5;
        out[6 * n + i] = x6;
        out[7 * n + i] = x7;
    }
}

/* 'n' words, a multiple of CHAINS, at most CHAIN_WORDS of them. */
static inline void chain_words(const uint32_t *in, uint32_t *out, size_t n, int is_float,
                               int pairs)
{
    if (is_float)
        chain_fma(in, out, n / CHAINS, pairs);
    else
        chain_integer(in, out, n / CHAINS, pairs);
}

#endif

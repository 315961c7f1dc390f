/*
 * chains.h - a part of the words in probe/serial and probe/openmp: eight vectors of chains
 *
 * Vectors are gcc's own; a fused multiply-add of one is an instruction where the processor has
 * it and the compiler is told so (-march), and else fmaf() for each lane, which gives the same
 * bits and takes much longer.
 */
#ifndef PROBE_CHAINS_H
#define PROBE_CHAINS_H

#include "harness/measure/impl.h"
#include "harness/problems/probe/probe.h"

#include <string.h>

#if defined(__AVX512F__) || defined(__FMA__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__AVX512F__)
#define CHAIN_LANES 16
#elif defined(__AVX2__)
#define CHAIN_LANES 8
#else
#define CHAIN_LANES 4
#endif
#define CHAINS      8 /* vectors; two units that take four clocks each */
#define CHAIN_WORDS (CHAINS * CHAIN_LANES)

/* A frame's half is whole groups of vectors: see probe.h. */
_Static_assert(PROBE_WORDS_PER_KIB / 2 % CHAIN_WORDS == 0, "half a KiB is so many words");

typedef float chain_floats __attribute__((vector_size(4 * CHAIN_LANES)));
typedef uint32_t chain_integers __attribute__((vector_size(4 * CHAIN_LANES)));

static inline chain_floats chain_fma(chain_floats x, float factor, float summand)
{
#if defined(__AVX512F__)
    return _mm512_fmadd_ps(x, _mm512_set1_ps(factor), _mm512_set1_ps(summand));
#elif defined(__AVX2__) && defined(__FMA__)
    return _mm256_fmadd_ps(x, _mm256_set1_ps(factor), _mm256_set1_ps(summand));
#elif defined(__aarch64__)
    return vfmaq_f32(vdupq_n_f32(summand), x, vdupq_n_f32(factor));
#else
    for (int lane = 0; lane < CHAIN_LANES; lane++)
        x[lane] = fmaf(x[lane], factor, summand);
    return x;
#endif
}

/* The CHAIN_WORDS words from 'first' on, of all frames. */
static inline void chain_words(const struct probe_input *in, const struct probe_output *out,
                               size_t first)
{
    chain_floats x[CHAINS];
    chain_integers n[CHAINS];

    if (probe_is_float(in, first)) {
        memcpy(x, in->words + first, sizeof x);
        for (int pair = 0; pair < in->pairs; pair++)
            for (int k = 0; k < CHAINS; k++)
                x[k] = chain_fma(chain_fma(x[k], PROBE_UP, PROBE_UP_ADD), PROBE_DOWN,
                                 PROBE_DOWN_ADD);
        memcpy(out->words + first, x, sizeof x);
    } else {
        memcpy(n, in->words + first, sizeof n);
        for (int pair = 0; pair < in->pairs; pair++)
            for (int k = 0; k < CHAINS; k++)
                n[k] = (n[k] ^ PROBE_XOR) + PROBE_ADD;
        memcpy(out->words + first, n, sizeof n);
    }
}

/* ---- the state of both variants ---- */

struct state {
    const struct probe_input *in;   /* borrowed */
    const struct probe_output *out; /* borrowed */
    int n_threads;
};

static inline enum bench_status setup(void *opaque, const struct bench_ctx *ctx,
                                      const void *input, void *output)
{
    *(struct state *)opaque = (struct state){input, output, ctx->n_threads};
    return BENCH_OK;
}

static inline void teardown(void *opaque)
{
    (void)opaque;
}

#endif

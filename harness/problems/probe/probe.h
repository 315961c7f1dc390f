/*
 * probe.h - the problem "probe": what this machine can do at most, as words that are copied or
 * go through chains
 *
 * Source: ours; the copy is STREAM's (McCalpin 1995).  What the ceilings of a roofline are
 *         measured with.
 *
 * Definition.  out[i] is in[i] after n operations, each of which needs the one before:
 *
 *     copy     none: a word is read and written
 *     fma      2 * pairs fused multiply-adds of floats
 *     integer  pairs times an exclusive or and an addition of 32 bits
 *     mixed    fma for the words of the first half of a frame, integer for those of the second
 *
 * probe/model.h has the arithmetic.  Every variant must give identical bits, so that no
 * compiler can have left anything out.
 */
#ifndef PROBE_H
#define PROBE_H

#include "harness/measure/problem.h"
#include "harness/problems/probe/model.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

enum probe_operation { PROBE_COPY, PROBE_FMA, PROBE_INTEGER, PROBE_MIXED };

#define PROBE_WORDS_PER_KIB 256
#define PROBE_MAX_KIB       2097152

struct probe_input {
    int32_t n_frames;  /* >= 1; a batch when > 1 */
    int32_t kib;       /* of a frame: 1..PROBE_MAX_KIB */
    int32_t operation; /* enum probe_operation */
    int32_t pairs;     /* of operations: 1..PROBE_MAX_PAIRS; of a copy none */
    /* [n_frames][kib * PROBE_WORDS_PER_KIB]; where they are floats, in [1, 2); owned */
    uint32_t *words;
};

struct probe_output {
    size_t n_words;  /* of all frames */
    uint32_t *words; /* as the input's; owned */
};

/* The words of one frame: a multiple of 256. */
static inline size_t probe_frame_words(const struct probe_input *in)
{
    return (size_t)in->kib * PROBE_WORDS_PER_KIB;
}

static inline size_t probe_n_words(const struct probe_input *in)
{
    return (size_t)in->n_frames * probe_frame_words(in);
}

/* True if a word of an input goes through fused multiply-adds. */
static inline int probe_is_float(const struct probe_input *in, size_t word)
{
    return in->operation == PROBE_FMA ||
           (in->operation == PROBE_MIXED && word / (probe_frame_words(in) / 2) % 2 == 0);
}

extern const struct bench_problem probe_problem;

__END_DECLS

#endif

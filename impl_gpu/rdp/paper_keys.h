/*
 * paper_keys.h - the keys of rdp/gpu-paper, for paper.cu and for registry.c of a build without CUDA
 *
 * Such a build reads descriptors and results that have them.
 */
#ifndef RDP_GPU_PAPER_KEYS_H
#define RDP_GPU_PAPER_KEYS_H

#include "harness/params.h"

static const struct bench_key rdp_gpu_paper_keys[] = {
    {"unroll", "5", "strides",
     "how many of the last strides are unrolled; 5 is what the paper times", BENCH_WORD, 0, 0,
     "0|5"},
    {"barriers", "one", "",
     "per stride: one, as printed, with two copies of the slots; two, with one copy",
     BENCH_WORD, 0, 0, "one|two"},
    {"skip", "0", "", "1: threads of solved segments do no work, as [RDP] 4.4 tried",
     BENCH_WORD, 0, 0, "0|1"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#endif

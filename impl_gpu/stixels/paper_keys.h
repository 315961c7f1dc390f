/*
 * paper_keys.h - the keys of stixels/gpu-paper, for paper.cu and for registry.c of a build without CUDA
 */
#ifndef STIXELS_GPU_PAPER_KEYS_H
#define STIXELS_GPU_PAPER_KEYS_H

#include "harness/params.h"

static const struct bench_key stixels_gpu_paper_keys[] = {
    {"dp", "b", "",
     "b: a thread makes a row of the table, as the paper chose; a: all threads make each row",
     BENCH_WORD, 0, 0, "a|b"},
    {"scan", "warp", "", "who sums a table: a warp, as the paper chose, or the block",
     BENCH_WORD, 0, 0, "warp|block"},
    {"sat", "shared", "", "where the summed area tables lie", BENCH_WORD, 0, 0,
     "shared|global"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#endif

/*
 * opt_keys.h - the keys of rdp/gpu-opt, for opt.cu and for registry.c of a build without CUDA
 *
 * Such a build reads descriptors and results that have them.
 */
#ifndef RDP_GPU_OPT_KEYS_H
#define RDP_GPU_OPT_KEYS_H

#include "harness/params.h"

static const struct bench_key rdp_gpu_opt_keys[] = {
    {"layout", "columns", "",
     "rows: upload the image as it comes and transpose it on the device", BENCH_WORD, 0, 0,
     "columns|rows"},
    {"warps", "auto", "", "warps that share a column of at most 1024 rows", BENCH_WORD, 0, 0,
     "auto|1|2|4|8"},
    {"together", "auto", "columns",
     "columns of at most 32 words in all that one warp takes together", BENCH_WORD, 0, 0,
     "auto|1|2|4|8"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#endif

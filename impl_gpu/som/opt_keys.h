/*
 * opt_keys.h - the keys of som/gpu-opt, for opt.cu and for registry.c of a build without CUDA
 */
#ifndef SOM_GPU_OPT_KEYS_H
#define SOM_GPU_OPT_KEYS_H

#include "harness/params.h"

static const struct bench_key som_gpu_opt_keys[] = {
    {"team", "auto", "",
     "who shares a map: a block, which keeps the mesh in shared memory, a cluster of blocks, "
     "or "
     "a grid of them",
     BENCH_WORD, 0, 0, "auto|block|cluster|grid"},
    {"team_blocks", "0", "blocks", "of a cluster (at most 16) or a grid; 0: as many as pay off",
     BENCH_INT, 0, 1024, NULL},
    {"team_threads", "auto", "threads", "of each block", BENCH_WORD, 0, 0,
     "auto|256|512|768|1024"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#endif

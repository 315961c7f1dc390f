/*
 * opt_keys.h - the keys of stixels/gpu-opt, for opt.cu and for registry.c of a build without CUDA
 */
#ifndef STIXELS_GPU_OPT_KEYS_H
#define STIXELS_GPU_OPT_KEYS_H

#include "harness/params.h"

static const struct bench_key stixels_gpu_opt_keys[] = {
    {"planes", "float", "",
     "on the device: float, as the paper; uint16: 16-bit disparity and probability, 8-bit "
     "confidence, "
     "nothing lost; root8: 8 bits a probability, its square root",
     BENCH_WORD, 0, 0, "float|uint16|root8"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#endif

/*
 * paper_keys.h - the keys of som/gpu-paper, for paper.cu and for registry.c of a build without CUDA
 */
#ifndef SOM_GPU_PAPER_KEYS_H
#define SOM_GPU_PAPER_KEYS_H

#include "harness/params.h"

static const struct bench_key som_gpu_paper_keys[] = {
    {"kernels", "single", "",
     "a round is one kernel, or three: extraction, search, learning; single is what the paper "
     "goes on with",
     BENCH_WORD, 0, 0, "single|multi"},
    {"mov", "2", "",
     "memory organisation of the cells' lists [SOM Fig. 7]; 2tex: positions are read through a "
     "texture, too, where neurons move",
     BENCH_WORD, 0, 0, "1|2|2tex"},
    {"block_threads", "8", "threads",
     "of the kernels that have a thread for each cell; 8 is the fastest of one kernel with "
     "cells of "
     "20 px by the paper's sect. 6.2",
     BENCH_INT, 1, 256, NULL},
    {"atomics", "cas64", "",
     "how live updates write a neuron: its pair by compare-and-swap, or each coordinate by an "
     "exchange, which may lose a pull",
     BENCH_WORD, 0, 0, "cas64|exch"},
    {"walk", "turned", "",
     "how a cell goes over the neighbourhood of its winner under live updates: in rings from "
     "the "
     "winner outwards, each begun at a random node (turned) or to the right (rings), or row by "
     "row",
     BENCH_WORD, 0, 0, "turned|rings|rows"},
    {"mrsr", "1000", "rounds", "for so many rounds random numbers are stored", BENCH_INT, 1,
     65536, NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#endif

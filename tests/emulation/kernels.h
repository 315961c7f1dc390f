/*
 * kernels.h - small kernels for test_emulator.c, right ones and wrong ones
 */
#ifndef EMULATION_KERNELS_H
#define EMULATION_KERNELS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kernel_case {
    /* right */
    WARP_VALUES,     /* what each operation of a warp gives, [32 * N_VALUES] */
    NARROW_SHUFFLES, /* widths of 8, [32 * 4] */
    BLOCK_VALUES,    /* what __syncthreads_or, _and and _count give, a word for each thread */
    EARLY_ENDS,      /* threads that end are not waited for */
    GRID_ATOMICS,    /* all threads of all blocks add 1 */
    ORDERS,          /* the order in which threads got a ticket */
    DOUBLES,         /* shuffles of 8 bytes, launched by its address */
    RIGHT_REVERSE,   /* 64 values reversed through shared memory */
    PARTS_OF_WARPS,  /* halves of a warp for themselves, ordered by __syncwarp(mask) */
    TIME,            /* clock64() grows */
    /* wrong, and what finds it */
    NO_BARRIER,            /* race: RIGHT_REVERSE without its barrier */
    SHUFFLE_IS_NO_BARRIER, /* race: a shuffle orders no memory */
    WARP_IS_NO_BLOCK,      /* race: __syncwarp orders one warp alone */
    RACE_OF_BLOCKS,        /* race: blocks write one word */
    DIVERGENT_BARRIER,     /* two barriers of one block */
    LOST_BARRIER,          /* deadlock: half of a warp at a barrier, half at a vote */
    LOST_LANE,             /* deadlock: a lane never comes to the shuffle */
    READS_ENDED_LANE,      /* a shuffle that reads a lane that has ended */
    NOT_IN_MASK,           /* a lane that its own mask does not name */
    ODD_WIDTH,             /* a shuffle of width 24 */
    UNMET,                 /* lanes of one mask at two votes */
    BEYOND_SHARED,         /* one word beyond dynamic shared memory */
    BEYOND_GLOBAL,         /* one word beyond an allocation */
    HOST_MEMORY,           /* an address of the host */
    UNWRITTEN_SHARED,
    UNWRITTEN_GLOBAL,
    TOO_MANY_THREADS, /* a launch that no card takes */
    TOO_MUCH_SHARED   /* ... without cudaFuncSetAttribute */
};

#define N_VALUES 12

/* Launch it on n words of device memory, which begin as 'begin', if not NULL, and are then copied to 'words'.  0 or CUDA's
 * number of the error; the emulator has the sentence. */
int kernels_run(enum kernel_case which, const uint32_t *begin, uint32_t *words, int n);

#ifdef __cplusplus
}
#endif

#endif

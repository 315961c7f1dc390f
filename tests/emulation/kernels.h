/*
 * kernels.h - small kernels for test_emulator.c, right ones and wrong ones
 */
#ifndef EMULATION_KERNELS_H
#define EMULATION_KERNELS_H

#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

/* Words that a lane of warp_values writes. */
#define N_VALUES 14

/* Launch the kernel of that name on n words of device memory, which begin as 'begin' if not
 * NULL and end in 'words'.  0 or CUDA's error; the emulator has the sentence. */
int kernels_run(const char *name, const uint32_t *begin, uint32_t *words, int n);

/* Blocks of several devices write to all of these and wait for each other, and for so many that
 * do not come; returns the error.  words [n_devices * n_blocks]: by block, 100 times its number
 * from 1 on and the sum of all numbers. */
int kernels_meet(int n_devices, int n_blocks, int n_missing, uint32_t *words);

__END_DECLS

#endif

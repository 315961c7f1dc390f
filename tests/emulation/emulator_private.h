/*
 * emulator_private.h - what emulator.c and memory.c share
 */
#ifndef EMULATION_EMULATOR_PRIVATE_H
#define EMULATION_EMULATOR_PRIVATE_H

#include "tests/emulation/cuda_runtime.h"
#include "tests/emulation/fibre.h"

#include <stdbool.h>
#include <stdnoreturn.h>

#define WARP_LANES  32
#define MAX_THREADS 1024
#define MAX_WARPS   (MAX_THREADS / WARP_LANES)

enum thread_state { READY, AT_BARRIER, AT_WARP, GONE };

struct thread {
    struct fibre fibre;
    unsigned index;
    int warp, lane;
    enum thread_state state;
    enum emulated_barrier barrier;
    /* of the barrier, then what the barrier returns */
    int predicate;
    /* of the warp's operation; its place is where the thread waits, at a barrier, too */
    struct emulated_call call;
    unsigned char value[8], result[8];
    /* of each lane of the warp, the last of its times that is before now; its own is now */
    uint32_t clock[WARP_LANES];
};

/* The thread that runs; NULL: the host. */
extern struct thread *emulated_now;

/* Of the block that runs: its number among all that ever ran, the first number of its launch,
 * how many barriers it has met. */
extern uint32_t emulated_serial, emulated_first_serial, emulated_phase;

/* By a thread: end the launch with this sentence. */
noreturn void emulated_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* By the host: the call fails with this sentence; returns 'error'. */
cudaError_t emulated_refuse(cudaError_t error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* By a thread: let others run. */
void emulated_give_way(void);

/* Accesses until the next emulated_give_way(); counted by memory.c. */
extern int emulated_accesses_left;

/* memory.c: new dynamic shared memory for a launch; false: there is no memory for it. */
bool emulated_make_shared(size_t bytes);

/* memory.c: a new block finds nothing written in it. */
void emulated_clear_shared(void);

#endif

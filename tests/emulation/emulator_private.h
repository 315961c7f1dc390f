/*
 * emulator_private.h - what emulator.c and memory.c share
 */
#ifndef EMULATION_EMULATOR_PRIVATE_H
#define EMULATION_EMULATOR_PRIVATE_H

#include "tests/emulation/emulator.h"
#include "tests/emulation/fibre.h"

#include <stdnoreturn.h>

#define WARP_LANES  32
#define MAX_THREADS 1024
#define MAX_WARPS   (MAX_THREADS / WARP_LANES)

/* CUDA's numbers */
#define ERROR_INVALID_VALUE         1
#define ERROR_MEMORY_ALLOCATION     2
#define ERROR_INVALID_CONFIGURATION 9
#define ERROR_LAUNCH_FAILURE        719

enum thread_state { READY, AT_BARRIER, AT_WARP, GONE };

struct thread {
    struct fibre fibre;
    unsigned index;
    int warp, lane;
    enum thread_state state;
    const char *file; /* where it waits */
    int line;
    enum emulated_barrier barrier;
    int predicate; /* of the barrier, then what the barrier returns */
    enum emulated_operation operation;
    unsigned mask;
    size_t size;
    int from, width;
    unsigned char value[EMULATED_MAX_VALUE], result[EMULATED_MAX_VALUE];
    /* of each lane of the warp, the last of its times that is before now; its own is now */
    uint32_t clock[WARP_LANES];
};

/* The thread that runs; NULL: the host. */
extern struct thread *emulated_now;

/* Of the block that runs: its number among all that ever ran, the first number of its launch, how many barriers it has met. */
extern uint32_t emulated_serial, emulated_first_serial, emulated_phase;

/* Shared memory of the launch; NULL and 0: none. */
extern char *emulated_dynamic;
extern size_t emulated_dynamic_bytes;

/* By a thread: end the launch with this sentence. */
noreturn void emulated_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* By the host: the call fails with this sentence; returns 'error'. */
int emulated_refuse(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* By a thread: let others run. */
void emulated_give_way(void);

uint32_t emulated_draw(uint32_t n); /* in [0, n) */

/* Accesses until the next emulated_give_way(); counted by memory.c. */
extern int emulated_accesses_left;

/* memory.c: new dynamic shared memory for a launch; non-zero: there is no memory for it. */
int emulated_make_dynamic(size_t bytes);

#endif

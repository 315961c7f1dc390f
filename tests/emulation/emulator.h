/*
 * emulator.h - CUDA kernels on the CPU, one fibre a thread: what stands behind cuda_runtime.h
 *
 * Uses.  The C++ compiler compiles the .cu files of impl_gpu/ as they are (source.sed
 * turns a launch and an array of dynamic shared memory into C++), and they run here, so that
 * machines without a GPU check indexing, arithmetic, and that barriers are where they must be:
 *   - The threads of a block run in an order that a seed draws.  They give way at barriers, at
 *     the operations of a warp, at atomics and, now and then, at any access to memory.  Blocks
 *     run one after another, in an order that is drawn, too.
 *   - A barrier or operation of a warp that some threads never reach, or where they meet
 *     others, is an error.
 *   - So is a shuffle that reads a lane which does not take part, a wrong mask, a launch that
 *     no card takes.
 *   - The blocks of a cooperative launch, and of launches on several devices that follow each
 *     other without another call between them but for streams and events, run together: threads
 *     of all their blocks give way to each other.  A thread that looks at a word until it
 *     changes (emulated_load) gives way, too.  If all look or wait and none changes anything,
 *     that is a deadlock, which is an error.
 *   - A kernel sees the memory of its device and, if the host has asked for it, of a peer.
 *   - Every access to memory is looked at.  One is wrong outside of an allocation or of the
 *     block's shared memory, one of memory that was never written, and one that is not ordered
 *     after another thread's access (a race).  CUDA's manual orders accesses before and after a
 *     barrier of the block, or a __syncwarp() of both lanes; shuffles and votes order nothing,
 *     and blocks are not ordered.  Two atomics are no race.
 *
 * Limits.  No GPU runs.  It says nothing of speed, registers, occupancy, bank conflicts
 * or caches, nor of the memory model's finer points (volatile, fences, acquire and release).
 * It does not replace compute-sanitizer on a card: nvcc's code is other code, and libm's logf
 * another one than the card's.  Static shared memory has no bounds here; in BUILD=asan it has,
 * and then races are not looked for.  A race that needs two bytes of one 16-bit word may be
 * missed.  Other blocks than those of cooperative launches run one after the other.  Of blocks
 * that run together only the threads of each are looked at for races.  Other work than such
 * launches is done before a call returns: a missing wait for an event is not seen.
 *
 * Instructions of newer cards stand in cuda_runtime.h; the sources are compiled for
 * __CUDA_ARCH__ 750 and 900.
 *
 * One emulator a process, one thread.
 */
#ifndef EMULATION_EMULATOR_H
#define EMULATION_EMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

/* ---- for tests ---- */

/* From now on orders are drawn from this seed; 0 at the start. */
void emulated_seed(uint64_t seed);

/* The fault of the last kernel, "" for none; its launch failed. */
const char *emulated_failure(void);
void emulated_forget_failure(void);

/* The device in whose memory it is; -1: none. */
int emulated_device_of(const void *pointer);

/* True if this build looks at each access to memory. */
int emulated_sees_memory(void);

/* Launches that have run to their end, and barriers of them. */
struct emulated_counts {
    long long n_launches, n_blocks, n_threads, n_barriers;
};
struct emulated_counts emulated_count(void);

struct emulated_place {
    const char *file;
    int line;
};

/* The places of __syncthreads() and __syncwarp(), in the order of their first calls; and which
 * of them were met since emulated_seed(). */
#define EMULATED_MAX_PLACES 128
int emulated_places(const struct emulated_place **places, const bool **are_met);

/* Threads pass that place without waiting, as if the line were not there; NULL: none. */
void emulated_leave_out(const struct emulated_place *place);

/* ---- for cuda_runtime.h ---- */

#define EMULATED_DEVICES    2      /* small cards, so that small inputs fill them */
#define EMULATED_PROCESSORS 2      /* of each */
#define EMULATED_MAX_SHARED 232448 /* that a block may ask for, as sm_90 */

struct emulated_dim {
    unsigned x, y, z;
};

struct emulated_launch {
    const void *kernel;
    struct emulated_dim grid, block;
    size_t shared_bytes;
    /* body(thread) is one thread of the kernel */
    void (*body)(const void *thread);
    const void *thread;
    struct emulated_place place;
    int device;
};

/* cudaGetLastError() has the error. */
void emulated_run(const struct emulated_launch *launch);

/* Puts off a cooperative launch, whose thread has so many bytes; returns the error. */
int emulated_run_later(const struct emulated_launch *launch, size_t thread_bytes);
/* Runs what was put off, and returns its error. */
int emulated_finish(void);

/* The calling thread's. */
struct emulated_dim emulated_thread(void) __attribute__((const));
struct emulated_dim emulated_block(void) __attribute__((const));
struct emulated_dim emulated_block_dim(void) __attribute__((const));
struct emulated_dim emulated_grid_dim(void) __attribute__((const));
void *emulated_shared(void);

/* Grows, and means nothing. */
long long emulated_clock(void);

enum emulated_barrier { BARRIER_PLAIN, BARRIER_OR, BARRIER_COUNT };

int emulated_barrier(enum emulated_barrier kind, int predicate, struct emulated_place place);

enum emulated_operation {
    WARP_SYNC,
    WARP_SHUFFLE,
    WARP_SHUFFLE_UP,
    WARP_SHUFFLE_DOWN,
    WARP_SHUFFLE_XOR,
    WARP_BALLOT,
    WARP_ANY,
    WARP_MIN,
    WARP_MAX,
    WARP_MIN_SIGNED,
    WARP_MAX_SIGNED,
    WARP_ADD
};

/* An operation of a warp, as one of its lanes calls it. */
struct emulated_call {
    enum emulated_operation operation;
    unsigned mask;
    /* of a shuffle: its lane, distance or mask; its width, 32 of others */
    int from, width;
    /* of the value: 0 of WARP_SYNC, 4 or 8 of a shuffle, 4 of others */
    size_t size;
    struct emulated_place place;
};

/* 'value' and 'result' are call->size bytes. */
void emulated_warp(const struct emulated_call *call, const void *value, void *result);

/* Before an atomic operation: it is one access that reads and writes. */
void emulated_atomic(const void *address, size_t size);

/* Before an atomic load of a word that others change meanwhile, perhaps in a loop. */
void emulated_look(const void *address, size_t size, struct emulated_place place);

__END_DECLS

#endif

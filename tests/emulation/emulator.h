/*
 * emulator.h - CUDA kernels on the CPU, one fibre a thread: what stands behind cuda_runtime.h of this folder
 *
 * What it is.  The .cu files of impl_gpu/ are compiled as they are by the C++ compiler (source.sed turns a launch, the
 * address of a kernel and an array of dynamic shared memory into C++) and run here, so that machines without a GPU check
 * indexing, arithmetic, and that barriers are where they must be:
 *   - the threads of a block run in an order that a seed draws, and give way at barriers, at the operations of a warp, at
 *     atomics and, now and then, at any access to memory; blocks run one after another, in an order that is drawn, too;
 *   - a barrier or operation of a warp that some threads never reach, or where they meet others, is an error;
 *   - so is a shuffle that reads a lane which does not take part, a wrong mask, a launch that no card takes;
 *   - every access to memory is looked at: outside of an allocation or of the block's shared memory, of memory that nobody
 *     has written, or not ordered after another thread's access (a race).  Ordered are, as CUDA's manual
 *     has it, accesses before and after a barrier of the block, or a __syncwarp() of both lanes; shuffles and votes order
 *     nothing, and blocks are not ordered.  Two atomics are no race.
 *
 * What it is not.  No GPU runs.  It says nothing of speed, registers, occupancy, bank conflicts or caches, nor of the
 * memory model's finer points (volatile, fences, acquire and release), and it does not replace compute-sanitizer on a
 * card: nvcc's code is other code, libm's logf another one than the card's, static shared memory has no bounds here (in
 * BUILD=asan it has, and then races are not looked for), a race that needs two bytes of one 16-bit word may be missed.
 * Blocks never run at the same time, so that one that waits for another waits for ever.
 *
 * Instructions of newer cards stand in cuda_runtime.h; the sources are compiled for __CUDA_ARCH__ 750 and 900.
 *
 * One emulator a process, one thread.
 */
#ifndef EMULATION_EMULATOR_H
#define EMULATION_EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- for tests ---- */

/* From now on orders are drawn from this seed; 0 at the start. */
void emulated_seed(uint64_t seed);

/* What the last kernel did wrong, "" when nothing; its launch failed. */
const char *emulated_failure(void);
void emulated_forget_failure(void);

/* Whether this build looks at each access to memory. */
int emulated_sees_memory(void);

/* Launches that have run to their end, and barriers of them. */
struct emulated_counts {
    long long n_launches, n_blocks, n_threads, n_barriers;
};
struct emulated_counts emulated_count(void);

/* Where threads have met at a __syncthreads() or __syncwarp(), by the place that calls it; in the order of their first meeting. */
#define EMULATED_MAX_PLACES 128
struct emulated_place {
    const char *file;
    int line;
};
int emulated_places(const struct emulated_place **places);

/* Threads pass that place without waiting, as if the line were not there; NULL: none. */
void emulated_leave_out(const struct emulated_place *place);

/* ---- for cuda_runtime.h: the host's side; 0 or an error's number there ---- */

struct emulated_dim {
    unsigned x, y, z;
};

struct emulated_launch {
    const void *kernel;
    struct emulated_dim grid, block;
    size_t shared_bytes;
    void (*body)(void *closure); /* one thread of the kernel */
    void *closure;
    const char *file; /* of the launch */
    int line;
};

#define EMULATED_PROCESSORS 2      /* a small card, so that small inputs fill it */
#define EMULATED_MAX_SHARED 232448 /* that a block may ask for, as sm_90 */

int emulated_run(const struct emulated_launch *launch);
int emulated_last_error(void); /* and forget it */
int emulated_allow_shared(const void *kernel, int bytes);
int emulated_malloc(void **pointer, size_t bytes);
int emulated_free(void *pointer);
int emulated_to_device(void *to, const void *from, size_t bytes);
int emulated_to_host(void *to, const void *from, size_t bytes);
/* A fill with EMULATED_POISON is none: what it fills counts as not written. */
#define EMULATED_POISON 0xA5
int emulated_memset(void *pointer, int byte, size_t bytes);

/* Remember how to call a kernel of which only the address will be known, with an array of pointers to its arguments. */
typedef void emulated_caller(const void *kernel, void **arguments);
const void *emulated_remember(const void *kernel, emulated_caller *caller);
emulated_caller *emulated_caller_of(const void *kernel); /* NULL: not remembered */

/* ---- for cuda_runtime.h: a kernel's side ---- */

struct emulated_dim emulated_thread(void) __attribute__((const)); /* constant for a thread */
struct emulated_dim emulated_block(void) __attribute__((const));
struct emulated_dim emulated_block_dim(void) __attribute__((const));
struct emulated_dim emulated_grid_dim(void) __attribute__((const));
void *emulated_shared(void);
long long emulated_clock(void); /* grows, and means nothing */

enum emulated_barrier { BARRIER_PLAIN, BARRIER_OR, BARRIER_AND, BARRIER_COUNT };

int emulated_barrier(enum emulated_barrier kind, int predicate, const char *file, int line);

enum emulated_operation {
    WARP_SYNC,
    WARP_SHUFFLE,
    WARP_SHUFFLE_UP,
    WARP_SHUFFLE_DOWN,
    WARP_SHUFFLE_XOR,
    WARP_BALLOT,
    WARP_ANY,
    WARP_ALL,
    WARP_MATCH_ANY,
    WARP_MIN,
    WARP_MAX,
    WARP_MIN_SIGNED,
    WARP_MAX_SIGNED,
    WARP_ADD,
    WARP_AND,
    WARP_OR,
    WARP_XOR
};

#define EMULATED_MAX_VALUE 16

/* 'value' and 'result' are 'size' bytes, 4 but for shuffles; 'from' a shuffle's lane, distance or mask. */
void emulated_warp(enum emulated_operation operation, unsigned mask, const void *value,
                   void *result, size_t size, int from, int width, const char *file, int line);

/* Before an atomic operation: it is one access that reads and writes. */
void emulated_atomic(const void *address, size_t size);

#ifdef __cplusplus
}
#endif

#endif

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

/* LOOKING: at a word until another block or thread changes it. */
enum thread_state { READY, AT_BARRIER, AT_WARP, LOOKING, GONE };

struct block;

struct thread {
    struct fibre fibre;
    struct block *block;
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

/* A cell is memory.c's record of two bytes, an area one of memory. */
struct cell;
struct area;

/* A block, from its first thread's begin to its last one's end. */
struct block {
    const struct emulated_launch *launch;
    struct emulated_dim at; /* in the grid */
    struct thread *threads; /* [MAX_THREADS], owned, like what they stand on */
    char *stacks;
    unsigned n_threads, n_alive;
    /* threads there; those of them with a predicate; the first one */
    unsigned n_at_barrier, n_true;
    const struct thread *first_at_barrier;
    /* for each warp a bit for each lane that is READY; a bit for each warp that has any */
    uint32_t ready[MAX_WARPS], ready_warps;
    /* lanes that have not ended; that are AT_WARP; that are LOOKING */
    uint32_t alive[MAX_WARPS], waiting[MAX_WARPS], looking[MAX_WARPS];
    int warp; /* the last that ran */
    /* its number among all that ever ran; the barriers that it has met */
    uint32_t serial, phase;
    struct area *dynamic; /* its dynamic shared memory, owned; NULL: none */
    /* its static shared memory while another block runs, and what is known of it; owned */
    char *statics;
    struct cell *static_cells;
};

/* The thread that runs; NULL: the host. */
extern struct thread *emulated_now;

/* The first number of blocks that may run beside the current ones; true if they do. */
extern uint32_t emulated_first_serial;
extern bool emulated_together;

/* By a thread: end the launch with this sentence. */
noreturn void emulated_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* By the host: the call fails with this sentence; returns 'error'. */
cudaError_t emulated_refuse(cudaError_t error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* By a thread: let others run. */
void emulated_give_way(void);

/* The same, perhaps until there is news: for a thread that looks for some. */
void emulated_look_later(struct emulated_place place);

/* By a thread: there is news. */
void emulated_changed(void);

/* In [0, n). */
uint32_t emulated_draw(uint32_t n);

/* The place of the i-th block or thread. */
struct emulated_dim emulated_dim_of(unsigned i, struct emulated_dim size);

/* Room for so many blocks at once, with nothing in them; NULL: there is none. */
#define MAX_BLOCKS (EMULATED_PROCESSORS * EMULATED_DEVICES)
struct block *emulated_blocks(unsigned n);

/* Runs blocks together until all have ended; false: one failed.  They come after all that
 * blocks before 'first_serial' did. */
uint32_t emulated_next_serial(void);
bool emulated_run_blocks(struct block *blocks, unsigned n, bool together,
                         uint32_t first_serial);

/* launch.c */
long long emulated_n_launches(void);

/* Accesses until the next emulated_give_way(); counted by memory.c. */
extern int emulated_accesses_left;

/* The calling host's device. */
int emulated_device(void);
/* True if kernels of one device may access memory of the other. */
bool emulated_reaches(int from, int to);

/* memory.c: unwritten shared memory for a block; false: there is no memory.  'together': static
 * memory, too, which other blocks share. */
bool emulated_make_shared(struct block *block, size_t bytes, bool together);
void emulated_free_shared(struct block *block);

/* memory.c: static shared memory becomes that of 'to', which may be NULL, as 'from'. */
void emulated_change_block(struct block *from, struct block *to);

#endif

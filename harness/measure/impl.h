/*
 * impl.h - what an implementation is: one descriptor per variant, listed in registry.c
 *
 * The harness drives every variant the same way:
 *
 *     setup -> upload -> run (once, verified) -> download -> run ... (timed) -> teardown
 *
 * An implementation computes.  It never prints, never takes the time, never reads files, the environment
 * or arguments, keeps no mutable globals, and launches device work on ctx->stream only, without
 * synchronising inside run().
 */
#ifndef BENCH_IMPL_H
#define BENCH_IMPL_H

#include "harness/measure/laps.h"
#include "harness/base/params.h"
#include "harness/base/status.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bench_problem;
struct CUstream_st; /* what cudaStream_t points to: C files need no CUDA header */

enum bench_target {
    BENCH_SERIAL, /* one thread, wall clock */
    BENCH_OPENMP, /* ctx->n_threads threads, wall clock */
    BENCH_CUDA /* device events for the kernel and device scopes, wall clock for the frame scope */
};

/* How the arrays of a frame get to a card and back: see transfer.h. */
enum bench_transfer {
    BENCH_COPY,   /* memory of the card's own, copies between it and the host's */
    BENCH_MAPPED, /* the card reads and writes the host's memory */
    BENCH_MANAGED /* memory that both see, moved by the driver where they have memories of their own */
};

/* What CUDA itself says of the kernel that carries the run; filled by bench_note_kernel(). */
struct bench_kernel_note {
    int threads_per_block;
    int registers;        /* per thread */
    size_t shared_bytes;  /* per block, static and dynamic */
    double occupancy_pct; /* resident warps of the possible ones, 0..100 */
};

struct bench_ctx {                     /* outlives the state; keep the pointer */
    const struct bench_params *params; /* this cell, checked: bench_int(p, "height"), ... */
    int n_threads;                     /* OpenMP team to ask for; 1 for the other targets */
    struct CUstream_st *stream;        /* enqueue all device work here; NULL for CPU targets */
    int n_sms; /* multiprocessors that 'stream' may use: ask this, not the card; 0 for CPU targets */
    struct bench_laps
        *laps; /* set only while run() of the lap pass executes: read it there through the
                                          kept pointer to this struct, never copy it in setup */
    struct bench_kernel_note
        *note; /* where setup reports the kernel that carries the run, the longest where there
                                          are several; may be NULL */
    enum bench_transfer transfer; /* of a frame's arrays, by transfer.h; else it is copied */
};

struct bench_impl {
    const char *name;                    /* "rdp/gpu-paper": unique, the CSV's impl column */
    const struct bench_problem *problem; /* whose input it reads and output it writes */
    enum bench_target target;            /* which clock times it, when it is skipped */
    const char *source; /* paper and section it follows, or the idea that makes it fast */
    const char *
        reference; /* name of the variant whose output it must match, one of the problem's references;
                                            NULL: it is one of them.  Checked when the program starts */
    const struct bench_key *keys; /* its own parameters; NULL: none */

    /* Size in bytes of the private state.  The harness allocates it zeroed and passes it to every hook;
     * the implementation owns all that it points to. */
    size_t state_size;

    /* Whether this variant, with these parameters, reads the input as it comes, before the problem's ingest (RDP:
     * the row-major image): the frame scope then leaves ingest out.  NULL: it does not. */
    int (*reads_raw)(const struct bench_params *params);

    /* Allocate and precompute what does not depend on the input's values.  'input' and 'output' are the
     * problem's host structs and outlive the state; their blocks are pinned by then.  All inputs of a cell are set
     * up before the first of them runs.  BENCH_ESKIP with a sentence where this cell is not
     * for it (paper kernels above 1024 rows, too little shared memory): the row is kept as skipped. */
    enum bench_status (*setup)(void *state, const struct bench_ctx *ctx, const void *input,
                               void *output);

    enum bench_status (*upload)(
        void *state); /* host to device, enqueued; NULL on CPU targets */

    /* Fill the device's copy of the output with 0xA5, enqueued; never timed.  Called before the verified runs, as the
     * harness poisons the host's output.  NULL on CPU targets only. */
    enum bench_status (*poison)(void *state);

    /* The work that the paper times.  May be called any number of times after one upload and gives the same
     * output each time (unless the problem says that it is not repeatable).  Everything the output depends on is
     * written in here. */
    enum bench_status (*run)(void *state);

    enum bench_status (*download)(
        void *state); /* device to host, enqueued; NULL on CPU targets */

    /* Release everything.  Must accept a state that setup left half built. */
    void (*teardown)(void *state);
};

/* Defines and declares at once, with C linkage in C and in CUDA (a `const` object in a .cu is internal otherwise). */
#ifdef __cplusplus
#define BENCH_EXTERN extern "C"
#else
#define BENCH_EXTERN extern
#endif
#define BENCH_IMPL(id)          \
    BENCH_EXTERN                \
    const struct bench_impl id; \
    const struct bench_impl id

/* All implementations, NULL-terminated.  registry.c is the only file that names them.  Every build knows each of them, so that
 * descriptors and results can be read; one for a GPU has no hooks in a build without CUDA. */
extern const struct bench_impl *const bench_impls[];

static inline int bench_is_built(const struct bench_impl *impl)
{
    return impl->run != NULL;
}

/* All problems, NULL-terminated; registry.c too. */
extern const struct bench_problem *const bench_problems[];

/* NULL when there is none of that name. */
const struct bench_impl *bench_find_impl(const char *name);
const struct bench_problem *bench_find_problem(const char *name);

/* The variant that 'impl' is verified against: itself where its problem declares it a reference.  BENCH_EINPUT with a
 * sentence where its .reference is missing, is none of the problem's, or is that of a reference; *reference is NULL then. */
enum bench_status bench_reference_of(const struct bench_impl *impl,
                                     const struct bench_impl **reference);

/* The same of all of 'impls' (NULL-terminated), and that each reference of a problem is in every build and is its own. */
enum bench_status bench_check_references(const struct bench_impl *const *impls);

#ifdef __cplusplus
}
#endif

#endif

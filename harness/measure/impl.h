/*
 * impl.h - what a variant is: one descriptor for each, listed in registry.c
 *
 * The harness drives every variant in the same way:
 *
 *     setup -> upload -> run (once, verified) -> download -> run ... (timed) -> teardown
 *
 * A variant computes.  It never prints, takes the time, or reads files, the environment or
 * arguments.  It keeps no mutable globals, launches device work on ctx->stream, or on streams
 * that wait for it and that it waits for, and does not synchronise inside run().  So a library
 * can offer the same hooks: stream, input and output are the caller's, and every failure is an
 * error code.
 */
#ifndef BENCH_IMPL_H
#define BENCH_IMPL_H

#include "harness/measure/stages.h"
#include "harness/base/params.h"
#include "harness/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

struct bench_problem;
struct bench_map;
struct CUstream_st; /* cudaStream_t points to it: C files need no CUDA header */

enum bench_target {
    BENCH_SERIAL, /* one thread, wall clock */
    BENCH_OPENMP, /* ctx->n_threads threads, wall clock */
    BENCH_CUDA    /* device events for scopes kernel and device, wall clock for end to end */
};

/* The way of a frame's arrays to a GPU and back; see transfer.h. */
enum bench_transfer {
    BENCH_COPY,   /* copies between the host's memory and the GPU's own */
    BENCH_MAPPED, /* the GPU reads and writes the host's memory */
    BENCH_MANAGED /* both see the memory; the driver moves it where they have memories apart */
};

/* Facts of the kernel that carries the run; bench_set_kernel_info() fills them. */
struct bench_kernel_info {
    int threads_per_block;
    int registers; /* per thread */
    /* per block, static and dynamic */
    size_t shared_bytes;
    /* resident warps as a share of those possible, 0..100 */
    double occupancy_pct;
};

/* Time of runs in another program: by its clock, and by ours from request to answer. */
struct bench_clocks {
    double own_s, wall_s;
};

/* Outlives the state; keep the pointer. */
struct bench_ctx {
    /* the variant that runs: peers share their hooks, so ask here which one it is */
    const struct bench_impl *impl;

    /* of this configuration, checked: bench_int(params, "height"), ... */
    const struct bench_params *params;

    /* OpenMP team to ask for; 1 for the other targets */
    int n_threads;

    /* Enqueue all device work here.  NULL for CPU targets. */
    struct CUstream_st *stream;

    /* SMs that 'stream' may use; 0 for CPU targets.  Ask this, not the GPU. */
    int n_sms;

    /* Set only while run() of the stage pass executes.  Read it there, through the pointer that
     * setup kept; never copy it in setup. */
    struct bench_stages *stages;

    /* Setup reports the kernel that carries the run here: the longest.  May be NULL. */
    struct bench_kernel_info *note;

    /* A text of so many bytes, "" before setup, in which a hook may leave for the rows what is
     * odd, though the output is right.  NULL: it is not wanted. */
    char *remark;
    size_t remark_size;

    /* of a frame's arrays, by transfer.h */
    enum bench_transfer transfer;

    /* The caller links the library and writes frames between runs: setup must not read them. */
    bool frames_follow;

    /* A run before this one makes the maps here, on the GPU: upload leaves out what take makes
     * of them, and no confidence comes with them.  NULL: frames have their own. */
    const struct bench_map *map;
};

struct bench_impl {
    /* "rdp/gpu-paper": unique; the CSV's column impl */
    const char *name;

    /* it reads this problem's input and writes its output */
    const struct bench_problem *problem;

    /* decides the clock, and where the variant is skipped */
    enum bench_target target;

    /* paper and section that it follows, or the idea that makes it fast */
    const char *source;

    /* The variant whose output it must match; NULL: it is one of the problem's references. */
    const char *reference;

    /* The rule that it follows in place of its problem's, in words: "perpendicular distances".
     * compare_other judges its output then, and its rows have the verdict "other": they are
     * shown, back no claim, and equal nothing.  NULL: its problem's. */
    const char *other;

    /* The library that a build may lack for it beside CUDA: "libgeos".  NULL: none. */
    const char *needs;

    /* its own parameters; NULL: none */
    const struct bench_key *keys;

    /* Bytes of the private state, allocated zeroed.  The variant owns all that it points to. */
    size_t state_size;

    /* True if, with these parameters, it reads the input before the problem's ingest (RDP: the
     * row-major image), which scope end_to_end then leaves out.  NULL: it does not. */
    int (*reads_raw)(const struct bench_params *params);

    /* Allocate, and precompute what does not depend on the input's values, or is the form in
     * which its producer would deliver it (8 bits in place of 16).  'input' and
     * 'output' are the problem's structs on the host; they outlive the state, and their blocks
     * are pinned by then.  All inputs of a configuration are set up before the first of them
     * runs.  BENCH_ESKIP with a sentence where the variant does not take this configuration
     * (paper kernels above 1024 rows, too little shared memory): the row is kept as skipped. */
    enum bench_status (*setup)(void *state, const struct bench_ctx *ctx, const void *input,
                               void *output);

    /* Host to device, enqueued; or to another program.  NULL on other CPU targets. */
    enum bench_status (*upload)(void *state);

    /* The same without the class scores, which lie on the GPU since the last upload, as a
     * network there leaves them: scope scores_on_gpu.  NULL: the problem has none. */
    enum bench_status (*upload_rest)(void *state);

    /* Make of ctx->map what upload brings of a frame, enqueued: between two runs of a chain.
     * NULL: of a CPU target (bench_problem.take does it), or the variant takes none. */
    enum bench_status (*take)(void *state);

    /* Fill the device's copy of the output with 0xA5, enqueued; never timed.  The harness calls
     * it before the verified runs, as it poisons the host's output.  NULL on CPU targets
     * alone, but not of another program. */
    enum bench_status (*poison)(void *state);

    /* The work that the paper times.  After one upload it may be called any number of times and
     * gives the same output each time, unless the problem says that it does not repeat.  It
     * writes all that the output depends on. */
    enum bench_status (*run)(void *state);

    /* n runs, one after the other, by another program, which has a clock of its own: that is
     * the time of scope kernel.  Adds to *clocks.  Such a variant has no cold series.  NULL:
     * the harness runs it, and takes the time. */
    enum bench_status (*run_told)(void *state, int n, struct bench_clocks *clocks);

    /* Device to host, enqueued; or from another program.  It may depend on the host's output: a
     * graph of it is launched on a run's output, or on zeros.  NULL on other CPU targets. */
    enum bench_status (*download)(void *state);

    /* Release everything.  It must accept a state that setup left half built. */
    void (*teardown)(void *state);
};

/* Declares and defines with C linkage, also in a .cu file, where `const` is internal. */
#ifdef __cplusplus
#define BENCH_EXTERN extern "C"
#else
#define BENCH_EXTERN extern
#endif
#define BENCH_IMPL(id)          \
    BENCH_EXTERN                \
    const struct bench_impl id; \
    const struct bench_impl id

/* All variants, NULL-terminated; registry.c alone names them.  Every build knows all of them,
 * for descriptors and results; those that lack something have no hooks.  Added peers follow. */
extern const struct bench_impl *const *const bench_impls;

/* Add one more, which outlives all use, before anything else looks at them.  BENCH_EINPUT: the
 * name is taken, or there are too many. */
#define BENCH_MAX_PEERS 64
enum bench_status bench_add_impl(const struct bench_impl *impl);

static inline int bench_is_built(const struct bench_impl *impl)
{
    return impl->run != NULL;
}

/* Returns what a build without the variant lacks. */
static inline const char *bench_lacks(const struct bench_impl *impl)
{
    return impl->needs ? impl->needs : "CUDA";
}

/* All problems, NULL-terminated; registry.c too. */
extern const struct bench_problem *const bench_problems[];

/* NULL when there is none of that name. */
const struct bench_impl *bench_find_impl(const char *name);
const struct bench_problem *bench_find_problem(const char *name);
/* Offers the names of all variants to a misspelt one. */
struct nearest;
void bench_offer_impls(struct nearest *near);

/* The variant that 'impl' is verified against: itself where its problem declares it a
 * reference.  BENCH_EINPUT with a sentence where its .reference is missing, is none of the
 * problem's, or belongs to a reference; *reference is NULL then. */
enum bench_status bench_reference_of(const struct bench_impl *impl,
                                     const struct bench_impl **reference);

/* The same for all of 'impls' (NULL-terminated).  Each reference of a problem must be in every
 * build and be its own; another rule has none, and its problem must have a compare_other. */
enum bench_status bench_check_references(const struct bench_impl *const *impls);

__END_DECLS

#endif

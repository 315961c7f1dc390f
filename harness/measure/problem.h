/*
 * problem.h - what a problem is: its input, its output, what "the same" means, what is counted
 *
 * One descriptor for each algorithm (rdp, say).  A problem knows no variant, takes no
 * time and prints nothing.  The harness poisons, hashes and compares through this descriptor
 * alone.
 */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#include "harness/base/params.h"
#include "harness/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

struct plane;      /* harness/inputs/plane.h */
struct bench_sums; /* harness/base/sums.h */

/* A contiguous piece of an input or output, of values alone: no pointers, no padding.  Its size
 * depends on the shape alone.  Unused entries have defined values: equal results hash alike. */
struct bench_block {
    void *data;
    size_t bytes;
    /* at most 15 letters, by which a peer knows it (docs/PEERS.md); NULL: it is not told */
    const char *name;
};

#define BENCH_MAX_BLOCKS 16

/* The share that equals the reference: the value of a variant with another rule. */
#define BENCH_EQUAL_VALUE "equal_pct"

/* The pointer to a block's data in an input or output; a program may bring its own array. */
struct bench_place {
    const char *name; /* the block's; NULL: behind the last */
    size_t at;        /* bytes into the struct */
    size_t align;     /* of the array, bytes; a pixel of the first place has as many */
    bool is_output;
    bool is_ingested; /* made of the others by ingest */
};

/* The rule by which an output is judged against the reference. */
enum bench_match {
    BENCH_EXACT,      /* every bit */
    BENCH_WITHIN,     /* the problem's tolerance */
    BENCH_STATISTICAL /* distributions over seeds */
};

struct bench_difference {
    /* failures: values beyond the tolerance (NaN is one), or 1: too large a share differs */
    size_t n_wrong;

    /* BENCH_STATISTICAL: beyond the scatter of repeated reference runs; never dropped */
    size_t n_outside;

    /* values that are not equal, whether tolerated or not, of so many */
    size_t n_different, n_compared;

    /* in the problem's unit; 0 for discrete outputs that agree */
    double max_error;

    /* the first wrong value, in words; "" where n_wrong is 0 (of n_outside: may say) */
    char where[160];
};

/* The least work of a run, from the problem's definition: equal for all variants. */
struct bench_work {
    double bytes; /* each input byte read once and each output byte written once */
    double ops;   /* the operations of the reference's algorithm, in the problem's own count */
};

/* Maps of disparities, one behind the other, as planes have them (harness/inputs/plane.h): on
 * the host, or on the GPU that they were made on. */
struct bench_map {
    const uint16_t *data; /* [n_frames][height][width] */
    int width, height;
};

/* values() puts them here. */
struct bench_sink;

/* Gives a figure's value that is no time.  'index' -1: a scalar; >= 0: an element of a series
 * (a round).  'name': lower case with '_', <= 39 bytes.  'unit': "px", "%", "", <= 15. */
void bench_value(struct bench_sink *sink, const char *name, int index, double value,
                 const char *unit);

/* --quick keeps values of a key up to 'most', and of these so many, the first and the last
 * among them, or the first alone.  0: no such limit. */
struct bench_quick {
    const char *key;
    double most;
    int n_values;
};

struct bench_problem {
    const char *name;  /* "rdp" */
    const char *title; /* one line for `depthbench list` */

    /* parameters that all variants have */
    const struct bench_key *keys;

    /* ends with a key of NULL; NULL: --quick leaves all */
    const struct bench_quick *quick;

    /* Names of the variants that verify others, one for each kind of schedule or model;
     * NULL-terminated.  Only these may lack a .reference, and only these can be one. */
    const char *const *references;

    /* Refuses combinations of values within the keys' ranges: BENCH_EINPUT with a sentence.
     * Called for all configurations before the first runs: it opens no files.  NULL: none. */
    enum bench_status (*check)(const struct bench_params *params);

    /* Make one input of n_frames planes (borrowed, may repeat; n_frames > 1 is a batch) for
     * checked parameters of the problem.  The caller owns *input (free_input), NULL on failure.
     * BENCH_EINPUT: a parameter is impossible; BENCH_ENOMEM. */
    enum bench_status (*make_input)(const struct bench_params *params,
                                    const struct plane *const *frames, int n_frames,
                                    void **input);
    void (*free_input)(void *input); /* NULL is fine */

    /* An output for 'input', uninitialised, which the caller owns. */
    enum bench_status (*make_output)(const void *input, void **output);
    void (*free_output)(void *output); /* NULL is fine */

    /* Fill 'blocks' (BENCH_MAX_BLOCKS) and return their number: the harness hashes them, and
     * poisons outputs.  All values that a hash must cover are in them, scalars too. */
    int (*input_blocks)(const void *input, struct bench_block *blocks);
    int (*output_blocks)(const void *output, struct bench_block *blocks);

    /* of the blocks whose arrays a program may bring along, docs/LIBRARY.md; NULL: of none */
    const struct bench_place *places;

    /* Names of the keys that say how make_input turns frames into these arrays, which is such a
     * program's own business; NULL-terminated.  NULL: none. */
    const char *const *frame_keys;

    /* times are also given per frame */
    int (*n_frames)(const void *input);

    enum bench_match (*match)(const struct bench_params *params);

    /* Turn the parameters into those of the reference output (arith, say).  NULL: the same. */
    void (*reference_params)(const struct bench_params *params, struct bench_params *reference);

    /* True if a run repeats its output bit for bit with these parameters.  NULL: always.
     * Otherwise what timed runs leave is compared, not hashed, and rows have no output_hash. */
    int (*repeatable)(const struct bench_params *params);

    /* Fill '*difference' (zeroed by the caller).  'input' is what both were made of; if it is
     * NULL, they are compared with each other alone. */
    void (*compare)(const struct bench_params *params, const void *input, const void *reference,
                    const void *output, struct bench_difference *difference);

    /* The same for a variant with another rule (impl.h), always with its input.  n_wrong: only
     * what makes the output no result at all of the problem's form.  n_different of n_compared:
     * what is not as in the reference, in the unit that 'other_unit' names ("columns"; NULL:
     * nothing is alike that might be counted); the row's value equal_pct is the share of the
     * rest.  NULL: the problem has no such variants. */
    void (*compare_other)(const struct bench_params *params, const void *input,
                          const void *reference, const void *output,
                          struct bench_difference *difference);
    const char *other_unit;

    /* Redo what a user's frame needs before upload and run (RDP: the transposition of the
     * row-major image), with n_threads >= 1: those of a CPU variant, all cores for a GPU one.
     * Part of scope end_to_end alone, with a stage of the given name.  NULL: nothing.  Leaves
     * the input's values as they are. */
    void (*ingest)(void *input, int n_threads);
    const char *ingest_stage;

    /* Makes of maps on the host what make_input makes of frames that have these, of that size,
     * and no confidence: for the second part of a chain (harness/problems/chain.h), with
     * n_threads as ingest.  NULL: the problem is none. */
    void (*take)(void *input, const struct bench_map *map, int n_threads);

    /* 1: the input has class scores, which a network may leave on a GPU: there is a scope
     * scores_on_gpu, and CUDA variants have upload_rest. */
    int has_scores;

    /* An exact count that orders frames, least work first, for key frame_pick.  NULL: there is
     * none, and best, worst and typical are refused. */
    enum bench_status (*rank)(const void *input, uint64_t *count);

    /* The work of the whole input, all its frames.  NULL: not known. */
    void (*count_work)(const void *input, const void *reference, struct bench_work *work);

    /* The values of a configuration in two steps, so that its frames need not be in memory
     * together, nor in one process.  sum: add what one input gives, by its verified output, of
     * another rule too, and its reference; 'first_frame' counts the frames of all inputs before
     * it.  values: of the sums of all inputs, a whole data set where series = frames, whatever
     * their order.  NULL, both: none. */
    enum bench_status (*sum)(const void *input, const void *reference, const void *output,
                             int first_frame, struct bench_sums *sums);
    enum bench_status (*values)(const struct bench_sums *sums, struct bench_sink *sink);

    /* All names that 'values' may give, separated by blanks: [show] of a descriptor may ask for
     * them although no row has them.  NULL: no descriptor shows the problem. */
    const char *value_names;
};

__END_DECLS

#endif

/*
 * chain.h - two problems, one behind the other: the maps that the first one makes are what the
 * second one takes, and stay where they were made
 *
 * A chain is a problem, and two variants, one of each, are a variant of it.  Its input is the
 * first's, and what the second's has beside the maps; its output is the second's.  A run is the
 * first's, what the second makes of the maps (bench_problem.take, bench_impl.take), and the
 * second's.  The reference is a chain of references.  Neither problem knows the other.
 *
 * Keys are those of both, but for those that say how frames become arrays: frames are taken as
 * they are.  A name that both have would belong to the first.  map = 1 brings the maps to the
 * host, too: they are a block of the output then.
 */
#ifndef CHAIN_H
#define CHAIN_H

#include "harness/measure/app.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"

#define CHAIN_MAX_KEYS   40
#define CHAIN_MAX_PLACES 8

struct bench_chain {
    const struct bench_problem *first, *second;
    const char *from;    /* the place of the first's output that has the maps */
    const char *also;    /* that of the second's input that has no map; NULL: there is none */
    const char *without; /* a key of the second's variants that has no use here; NULL */

    /* The rest is made by chain_make(). */
    struct bench_key keys[CHAIN_MAX_KEYS]; /* its own one, the first's, the second's */
    int n_before;                          /* keys before the second's */
    struct bench_place places[CHAIN_MAX_PLACES + 1];
    struct {
        int part;
        size_t at;
    } inner[CHAIN_MAX_PLACES]; /* where both problems have these places */
    struct bench_problem problem;
    struct bench_app app; /* the second's */
};

/* A variant of a chain. */
struct bench_chained {
    struct bench_impl impl;
    const struct bench_impl *part[2];
    struct bench_key keys[CHAIN_MAX_KEYS];
    char name[48], reference[48], source[96];
};

/* Completes a chain, whose problem has its name, its title, its references and the hooks that
 * BENCH_CHAIN makes; chain_make_app: its app, of the second's.  The library has no app. */
void chain_make(struct bench_chain *chain);
void chain_make_app(struct bench_chain *chain, const struct bench_app *second_app);

/* For these: the chain of an input, where an output that has maps brings them to the host; and
 * how large the maps are. */
const struct bench_chain *chain_brought(const void *input, const void *output);
void chain_size(const void *input, int *height, int *width);

/* True if it takes maps where they were made: on a GPU not each variant does. */
static inline bool chain_takes_maps(const struct bench_impl *second)
{
    return second->target != BENCH_CUDA || second->take;
}

/* Makes a variant of two, named as the second is.  It is not built where one of them is not,
 * and where the second one takes no maps. */
void chained_make(struct bench_chained *chained, const struct bench_chain *chain,
                  const struct bench_impl *first, const struct bench_impl *second);

/* The chain of a problem; NULL: it is none. */
const struct bench_chain *chain_of(const struct bench_problem *problem);

/* For those who look at both parts of an input or output of a chain: part 0 or 1. */
void *chain_input_part(const void *input, int part);
void *chain_output_part(const void *output, int part);

/* The maps of an output that has them on the host. */
struct bench_map chain_map(const void *output);

/* Gives the second's input the maps of an output that has them. */
void chain_bring(const void *input, const void *output);

enum bench_status chain_make_input(const struct bench_chain *chain,
                                   const struct bench_params *params,
                                   const struct plane *const *frames, int n, void **input);
enum bench_status chain_check(const struct bench_chain *chain,
                              const struct bench_params *params);
enum bench_match chain_match(const struct bench_chain *chain,
                             const struct bench_params *params);
int chain_repeatable(const struct bench_chain *chain, const struct bench_params *params);
void chain_reference_params(const struct bench_chain *chain, const struct bench_params *params,
                            struct bench_params *reference);

/* Defines the chain 'id', with the hooks that are told of no input. */
#define BENCH_CHAIN(id, NAME, TITLE, REFERENCES, ...)                                  \
    static struct bench_chain id;                                                      \
    static enum bench_status id##_make_input(const struct bench_params *params,        \
                                             const struct plane *const *frames, int n, \
                                             void **input)                             \
    {                                                                                  \
        return chain_make_input(&id, params, frames, n, input);                        \
    }                                                                                  \
    static enum bench_status id##_check(const struct bench_params *params)             \
    {                                                                                  \
        return chain_check(&id, params);                                               \
    }                                                                                  \
    static enum bench_match id##_match(const struct bench_params *params)              \
    {                                                                                  \
        return chain_match(&id, params);                                               \
    }                                                                                  \
    static int id##_repeatable(const struct bench_params *params)                      \
    {                                                                                  \
        return chain_repeatable(&id, params);                                          \
    }                                                                                  \
    static void id##_reference_params(const struct bench_params *params,               \
                                      struct bench_params *reference)                  \
    {                                                                                  \
        chain_reference_params(&id, params, reference);                                \
    }                                                                                  \
    static struct bench_chain id = {__VA_ARGS__,                                       \
                                    .problem = {.name = NAME,                          \
                                                .title = TITLE,                        \
                                                .references = REFERENCES,              \
                                                .make_input = id##_make_input,         \
                                                .check = id##_check,                   \
                                                .match = id##_match,                   \
                                                .repeatable = id##_repeatable,         \
                                                .reference_params = id##_reference_params}}

#endif

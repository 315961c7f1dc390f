/*
 * arrays.h - the arrays that an input or output owns, in one list: made, freed, shown as blocks
 */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "harness/measure/problem.h"

struct array {
    const char *name; /* of its block; "": it is in none */
    size_t at;    /* where the struct has the pointer; ARRAY_SHAPE: it is the struct itself */
    size_t bytes; /* 0: the struct has no such array */
};

#define ARRAY_SHAPE ((size_t)-1)
#define ARRAY(name, type, member, n1, n2, n3, n4)                                             \
    array_of(name, offsetof(struct type, member), sizeof *((struct type *)0)->member, n1, n2, \
             n3, n4)
struct array array_of(const char *name, size_t at, size_t element_bytes, int n1, int n2, int n3,
                      int n4);

/* Fills in a struct's arrays, by its scalars and its pointers that are NULL; returns how
 * many. */
typedef int array_list(const void *object, struct array *array);

/* A struct of so many bytes, with the scalars of 'shape' and the arrays that it tells, of which
 * all bits are 0; the caller owns it.  BENCH_ENOMEM; the pointer is NULL then. */
enum bench_status arrays_new(const void *shape, size_t n_bytes, array_list *list,
                             void *pointer_to_object);
void arrays_free(void *object, array_list *list); /* NULL is fine */

/* Fills in those of the arrays that are there; returns how many. */
int arrays_blocks(const void *object, array_list *list, struct bench_block *blocks);

/* The hooks of inputs and outputs, whose lists are input_arrays() and output_arrays(). */
#define ARRAYS_HOOKS(what)                                                   \
    static void free_##what(void *object)                                    \
    {                                                                        \
        arrays_free(object, what##_arrays);                                  \
    }                                                                        \
    static int what##_blocks(const void *object, struct bench_block *blocks) \
    {                                                                        \
        return arrays_blocks(object, what##_arrays, blocks);                 \
    }

/* OWNED(drop_input): the input that a pointer points to. */
#define ARRAYS_DROP(what)                                   \
    static void drop_##what(void *pointer_to_pointer)       \
    {                                                       \
        void *object;                                       \
                                                            \
        memcpy(&object, pointer_to_pointer, sizeof object); \
        free_##what(object);                                \
    }

/* The members of a struct bench_problem that each problem's file has by these names. */
#define ARRAYS_PROBLEM                                                                   \
    .keys = keys, .references = references, .make_input = make_input,                    \
    .free_input = free_input, .make_output = make_output, .free_output = free_output,    \
    .input_blocks = input_blocks, .output_blocks = output_blocks, .n_frames = frames_of, \
    .match = match, .count_work = count_work

#endif

/* memory.h - arrays of up to four dimensions, whose size is checked, and arrays that grow */
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include "harness/base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The product of all, or 0 where it does not fit in a size_t.  The counts are >= 0. */
static inline size_t memory_bytes(size_t element_bytes, int n1, int n2, int n3, int n4)
{
    size_t bytes = element_bytes;

    return __builtin_mul_overflow(bytes, (size_t)n1, &bytes) ||
                   __builtin_mul_overflow(bytes, (size_t)n2, &bytes) ||
                   __builtin_mul_overflow(bytes, (size_t)n3, &bytes) ||
                   __builtin_mul_overflow(bytes, (size_t)n4, &bytes)
               ? 0
               : bytes;
}

/* Allocate n1 x n2 x n3 x n4 zeroed elements, for free().  BENCH_ENOMEM, also for none. */
static inline enum bench_status memory_allocate(void *pointer_to_pointer, size_t element_bytes,
                                                int n1, int n2, int n3, int n4)
{
    const size_t bytes = memory_bytes(element_bytes, n1, n2, n3, n4);
    void *const memory = bytes > 0 && bytes <= PTRDIFF_MAX ? calloc(1, bytes) : NULL;

    NEED(memory, "%d x %d x %d x %d values of %zu bytes", n1, n2, n3, n4, element_bytes);
    memcpy(pointer_to_pointer, &memory, sizeof memory);
    return BENCH_OK;
}

/* free() of what a pointer points to: OWNED(memory_free). */
static inline void memory_free(void *pointer_to_pointer)
{
    void *memory;

    memcpy(&memory, pointer_to_pointer, sizeof memory);
    free(memory);
}

/* Make room for one more than n elements.  false: out of memory, and nothing has changed. */
static inline bool memory_grow(void *pointer_to_pointer, size_t element_bytes, size_t n)
{
    void *memory;

    memcpy(&memory, pointer_to_pointer, sizeof memory);
    if ((n & (n - 1)) == 0 &&
        !(memory = reallocarray(memory, n > 0 ? 2 * n : 1, element_bytes)))
        return false;
    memcpy(pointer_to_pointer, &memory, sizeof memory);
    return true;
}

#endif

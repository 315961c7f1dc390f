/* guard.h - poisoned outputs with a guard behind them, for tests of variants */
#ifndef TESTS_GUARD_H
#define TESTS_GUARD_H

#include "tests/files.h"

#include <stdlib.h>
#include <string.h>

#define POISON      0xA5
#define GUARD_BYTES 64

static inline void *guarded(size_t bytes)
{
    unsigned char *memory = malloc(bytes + GUARD_BYTES);

    assert_non_null(memory);
    memset(memory, POISON, bytes + GUARD_BYTES);
    return memory;
}

static inline void assert_guard(const char *name, const void *memory, size_t bytes)
{
    const unsigned char *guard = (const unsigned char *)memory + bytes;

    for (int i = 0; i < GUARD_BYTES; i++)
        if (guard[i] != POISON)
            fail_msg("%s writes behind its output", name);
}

#endif

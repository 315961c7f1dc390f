/*
 * difference.h - how a problem's compare notes what is wrong
 */
#ifndef DIFFERENCE_H
#define DIFFERENCE_H

#include "harness/measure/problem.h"

#include <stdarg.h>
#include <stdio.h>

/* Count so many wrong values; the words kept are those of the first call. */
static inline void difference_wrong(struct bench_difference *difference, size_t n,
                                    const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline void difference_wrong(struct bench_difference *difference, size_t n,
                                    const char *format, ...)
{
    va_list arguments;

    if (difference->n_wrong == 0) {
        va_start(arguments, format);
        vsnprintf(difference->where, sizeof difference->where, format, arguments);
        va_end(arguments);
    }
    difference->n_wrong += n;
}

#endif

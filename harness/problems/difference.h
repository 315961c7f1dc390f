/*
 * difference.h - how a problem's compare notes what is wrong
 */
#ifndef DIFFERENCE_H
#define DIFFERENCE_H

#include "harness/measure/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* Outputs that begin with n_frames, n_cols and n_rows.  True: these differ, which is wrong. */
static inline bool difference_of_shape(const int32_t *output, const int32_t *reference,
                                       struct bench_difference *difference)
{
    if (memcmp(output, reference, 3 * sizeof *output) == 0)
        return false;
    difference_wrong(difference, 1, "an output of %d x %d x %d, the reference has %d x %d x %d",
                     output[0], output[1], output[2], reference[0], reference[1], reference[2]);
    return true;
}

#endif

/* inputs.h - what the tests of readers need: bytes without one behind them, what a refusal must
 * say, files of their own */
#ifndef TESTS_INPUTS_H
#define TESTS_INPUTS_H

#include "harness/base/status.h"
#include "tests/files.h"
#include "tests/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A block exactly as long as it says, so that a sanitizer sees a byte too far. */
static inline void *exact_copy(const void *bytes, size_t n)
{
    void *copy = malloc(n > 0 ? n : 1);

    assert_non_null(copy);
    memcpy(copy, bytes, n);
    return copy;
}

/* The failure's sentence begins with the one and has the other in it. */
static inline void assert_says(const char *begin, const char *words)
{
    if (strncmp(bench_failure(), begin, strlen(begin)) != 0 || !strstr(bench_failure(), words))
        fail_msg("expected '%s ... %s' in: %s", begin, words, bench_failure());
}

/* A path of this run's own, in a folder that is there; one at a time. */
static inline const char *scratch(const char *name)
{
    static char path[1024];

    assert_int_equal(text_make_folder(support_place()), BENCH_OK);
    snprintf(path, sizeof path, "%s/%d-%s", support_place(), (int)getpid(), name);
    return path;
}

/* A PGM of 8 bits. */
static inline void write_pgm(const char *path, int width, int height, const uint8_t *values)
{
    const size_t n = (size_t)width * (size_t)height;
    char *const file = malloc(64 + n);
    int n_header;

    assert_non_null(file);
    n_header = snprintf(file, 64, "P5 %d %d 255\n", width, height);
    memcpy(file + n_header, values, n);
    write_bytes(path, file, (size_t)n_header + n);
    free(file);
}

#endif

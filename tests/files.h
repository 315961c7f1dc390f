/* files.h - for tests of apply: files to read, and files that were written */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include "harness/base/text.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

static inline void write_bytes(const char *path, const void *bytes, size_t n)
{
    FILE *const file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* A map of 16 bits, as PGM whatever its name. */
static inline void write_grey(const char *path, const uint16_t *grey, int width, int height)
{
    FILE *const file = fopen(path, "wb");

    assert_non_null(file);
    fprintf(file, "P5 %d %d 65535\n", width, height);
    for (int i = 0; i < width * height; i++)
        fprintf(file, "%c%c", grey[i] >> 8, grey[i] & 255);
    assert_int_equal(fclose(file), 0);
}

static inline void assert_file(const char *path, const char *expected)
{
    OWNED(text_free) struct text text = {0};

    assert_int_equal(text_read_file(path, &text), BENCH_OK);
    assert_string_equal(text.data, expected);
}

/* The same, by lines: the first that differs is shown, and what writes the file anew. */
static inline void assert_lines(const char *path, const char *expected, const char *remedy)
{
    OWNED(text_free) struct text text = {0};
    const char *there;
    size_t n, m;

    assert_int_equal(text_read_file(path, &text), BENCH_OK);
    for (there = text.data; *there || *expected; there += n, expected += m) {
        n = strcspn(there, "\n") + (strchr(there, '\n') != NULL);
        m = strcspn(expected, "\n") + (strchr(expected, '\n') != NULL);
        if (n != m || memcmp(there, expected, n) != 0)
            fail_msg("%s has\n  %.*snot\n  %.*s%s writes it anew", path, (int)n, there, (int)m,
                     expected, remedy);
    }
}

#endif

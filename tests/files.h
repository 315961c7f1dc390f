/* files.h - what the tests of every problem's apply need: files to read, and what was written */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include "harness/base/text.h"
#include "tests/test.h"

#include <stdio.h>

static inline void write_bytes(const char *path, const void *bytes, size_t n)
{
    FILE *const file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static inline void assert_file(const char *path, const char *expected)
{
    struct text text = {0};

    assert_int_equal(text_read_file(path, &text), BENCH_OK);
    assert_string_equal(text.data, expected);
    text_free(&text);
}

#endif

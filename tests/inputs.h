/* inputs.h - for tests of readers: exact bytes, refusals, damaged files, files of their own */
#ifndef TESTS_INPUTS_H
#define TESTS_INPUTS_H

#include "harness/base/memory.h"
#include "tests/session.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A block exactly as long as it says, so that a sanitizer sees a byte too far. */
static inline void *exact_copy(const void *bytes, size_t n)
{
    void *copy = malloc(n > 0 ? n : 1);

    assert_non_null(copy);
    memcpy(copy, bytes, n);
    return copy;
}

/* A file under construction. */
static __attribute__((unused)) struct {
    uint8_t at[1 << 18];
    size_t n;
} made;

static inline void put(const void *from, size_t n)
{
    assert_true(n <= sizeof made.at - made.n);
    if (n > 0)
        memcpy(made.at + made.n, from, n);
    made.n += n;
}

/* The lowest byte first. */
static inline void put_word(uint32_t word, int n_bytes)
{
    for (; n_bytes > 0; n_bytes--, word >>= 8)
        put(&(uint8_t){(uint8_t)word}, 1);
}

static inline void put_floats(const float *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;

        memcpy(&bits, &value[i], sizeof bits);
        put_word(bits, 4);
    }
}

/* Begin a NumPy file of version 'major' with this header text as it is. */
static inline void begin_npy(int major, const char *header)
{
    made.n = 0;
    put("\x93NUMPY", 6);
    put_word((uint32_t)major, 2);
    put_word((uint32_t)strlen(header), major == 1 ? 2 : 4);
    put(header, strlen(header));
}

/* Begin an array as numpy.save writes it, with these values. */
static inline void begin_array(const char *descr, const char *shape, const float *value,
                               size_t n)
{
    char header[256];

    snprintf(header, sizeof header,
             "{'descr': '%s', 'fortran_order': False, 'shape': %s, }          \n", descr,
             shape);
    begin_npy(1, header);
    put_floats(value, n);
}

/* The failure's sentence begins with the one and has the other in it. */
static inline void assert_says(const char *begin, const char *words)
{
    if (strncmp(bench_failure(), begin, strlen(begin)) != 0 || !strstr(bench_failure(), words))
        fail_msg("expected '%s ... %s' in: %s", begin, words, bench_failure());
}

/* Reads 'n' bytes of a file, with a NUL behind them, or refuses them with 'words'. */
typedef void damaged_reader(const char *bytes, size_t n, const char *words);
static damaged_reader *reader_of_damaged;

static inline void read_damaged(const char *text, const char *words)
{
    for (const char *end = text; end; text = end ? end + 3 : text) {
        char bytes[1200];
        size_t n = 0;

        end = strstr(text, " | ");
        for (; *text && text != end; n++) {
            const char *const hex = !strncmp(text, "\\x", 2) ? text + 2 : NULL;

            assert_true(n < sizeof bytes - 1);
            bytes[n] = hex ? (char)strtoul((char[]){hex[0], hex[1], '\0'}, NULL, 16)
                       : text[0] != '\\' ? text[0]
                       : text[1] == 'r'  ? '\r'
                                         : text[1];
            text += hex ? 4 : text[0] == '\\' ? 2 : 1;
        }
        bytes[n] = '\0';
        reader_of_damaged(bytes, n, words);
    }
}

/* Each file of a section of tests/damaged.cases. */
static inline void each_damaged(const char *section, damaged_reader *reader)
{
    reader_of_damaged = reader;
    each_case("tests/damaged.cases", section, read_damaged);
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

/* fuzz.h - an empty folder for each fuzzer of the database, and numbers that must hold */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "harness/analysis/query.h"
#include "tests/support.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must(bool holds)
{
    if (!holds)
        abort();
}

static char folder[64];

static inline void leave(void)
{
    if (!chdir("/"))
        support_remove(folder);
}

/* The process stays in it to its end. */
static inline void enter(const char *name)
{
    snprintf(folder, sizeof folder, "/tmp/%s.%ld", name, (long)getpid());
    must(!mkdir(folder, 0700) && !chdir(folder) && !mkdir("m", 0700) && !atexit(leave));
}

static inline void put(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    must(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

#endif

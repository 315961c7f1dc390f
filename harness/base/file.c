/*
 * file.c - read a file whole, within bounds
 */
#include "harness/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Up to n_bytes, fewer where the file ends before; or -1. */
static ssize_t read_bytes(int fd, uint8_t *bytes, size_t n_bytes)
{
    size_t at = 0;
    ssize_t n = 1;

    while (at < n_bytes && n > 0) {
        n = TEMP_FAILURE_RETRY(read(fd, bytes + at, n_bytes - at));
        if (n < 0)
            return -1;
        at += (size_t)n;
    }
    return (ssize_t)at;
}

enum bench_status file_read(const char *path, uint64_t max_bytes, const char *kind,
                            uint8_t **bytes, size_t *n_bytes)
{
    /* not blocking: a pipe without a writer does not hold us */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    enum bench_status status = BENCH_OK;
    struct stat facts;
    ssize_t n = -1;

    *bytes = NULL;
    *n_bytes = 0;
    if (fd < 0 || fstat(fd, &facts) != 0)
        status = BENCH_FAIL(BENCH_EIO, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(facts.st_mode))
        status = BENCH_FAIL(BENCH_EIO, "%s: not a regular file", path);
    else if ((uint64_t)facts.st_size > max_bytes || (uint64_t)facts.st_size >= SIZE_MAX)
        status = BENCH_FAIL(BENCH_EINPUT, "%s: %lld bytes are more than any %s has", path,
                            (long long)facts.st_size, kind);
    else if (!(*bytes = malloc((size_t)facts.st_size + 1)))
        status = BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for its %lld bytes", path,
                            (long long)facts.st_size);
    else if ((n = read_bytes(fd, *bytes, (size_t)facts.st_size)) < 0)
        status = BENCH_FAIL(BENCH_EIO, "%s: %s", path, strerror(errno));
    if (n >= 0) {
        (*bytes)[n] = '\0';
        *n_bytes = (size_t)n;
    } else {
        free(*bytes);
        *bytes = NULL;
    }
    if (fd >= 0)
        close(fd);
    return status;
}

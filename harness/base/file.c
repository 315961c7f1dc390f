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

    while (at < n_bytes) {
        const ssize_t n = read(fd, bytes + at, n_bytes - at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        at += (size_t)n;
    }
    return (ssize_t)at;
}

static enum bench_status read_open(int fd, const char *path, uint64_t max_bytes,
                                   const char *kind, uint8_t **bytes, size_t *n_bytes)
{
    struct stat facts;

    if (fstat(fd, &facts) != 0)
        return BENCH_FAIL(BENCH_EIO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(facts.st_mode))
        return BENCH_FAIL(BENCH_EIO, "%s: not a regular file", path);
    if ((uint64_t)facts.st_size > max_bytes || (uint64_t)facts.st_size >= SIZE_MAX)
        return BENCH_FAIL(BENCH_EINPUT, "%s: %lld bytes are more than any %s has", path,
                          (long long)facts.st_size, kind);

    uint8_t *all = malloc((size_t)facts.st_size + 1);

    if (all == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for its %lld bytes", path,
                          (long long)facts.st_size);

    const ssize_t n = read_bytes(fd, all, (size_t)facts.st_size);

    if (n < 0) {
        free(all);
        return BENCH_FAIL(BENCH_EIO, "%s: %s", path, strerror(errno));
    }
    all[n] = '\0';
    *bytes = all;
    *n_bytes = (size_t)n;
    return BENCH_OK;
}

enum bench_status file_read(const char *path, uint64_t max_bytes, const char *kind,
                            uint8_t **bytes, size_t *n_bytes)
{
    *bytes = NULL;
    *n_bytes = 0;

    /* not blocking: a pipe without a writer does not hold us */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return BENCH_FAIL(BENCH_EIO, "%s: %s", path, strerror(errno));

    const enum bench_status status = read_open(fd, path, max_bytes, kind, bytes, n_bytes);

    close(fd);
    return status;
}

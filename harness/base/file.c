/*
 * file.c - read a file whole, within bounds
 */
#include "harness/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
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
        status = BENCH_FAIL(BENCH_EIO, "%s: %s, not a regular file", path,
                            S_ISDIR(facts.st_mode)    ? "a folder"
                            : S_ISFIFO(facts.st_mode) ? "a pipe"
                                                      : "a device");
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

const char *file_kind(const uint8_t *bytes, size_t n_bytes)
{
    static const char html[] = "an HTML page, perhaps of a failed download";
    static const struct {
        const char *magic; /* '?': any byte */
        size_t n;
        const char *kind;
    } kinds[] = {
        {"\x89HDF\r\n\x1a\n", 8, "an HDF5 file"},
        {"version https://git-lfs", 23, "a pointer of Git LFS: `git lfs pull` brings the file"},
        {"<!doctype", 9, html},
        {"<html", 5, html},
        {"<?xml", 5, "an XML file"},
        {"\x93NUMPY", 6, "a NumPy array (.npy)"},
        {"II*\0", 4, "a TIFF image"},
        {"MM\0*", 4, "a TIFF image"},
        {"\xff\xd8\xff", 3, "a JPEG image"},
        {"GIF8", 4, "a GIF image"},
        {"RIFF????WEBP", 12, "a WebP image"},
        {"v/1\x01", 4, "an OpenEXR image"},
        {"BM????\0\0\0\0", 10, "a BMP image"},
        {"PK\x03\x04", 4, "a ZIP archive, as .npz"},
        {"\x1f\x8b", 2, "a file packed by gzip"},
        {"\0\0\0\0\0\0\0\0", 8, "a file that begins with zeroes, as of a broken copy"},
        {"\xff\xfe", 2, "a text in UTF-16"},
    };
    const bool has_mark = n_bytes >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    size_t first = has_mark ? 3 : 0;

    while (first < n_bytes && bytes[first] && strchr(" \t\r\n", bytes[first]))
        first++;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *const magic = kinds[i].magic;
        size_t k = 0;

        while (k < kinds[i].n && first + k < n_bytes &&
               (magic[k] == '?' || (uint8_t)magic[k] == bytes[first + k] ||
                (magic[0] == '<' && magic[k] == (bytes[first + k] | 0x20)))) /* in capitals */
            k++;
        if (k == kinds[i].n)
            return kinds[i].kind;
    }
    return has_mark ? "a text that begins with a byte order mark" : NULL;
}

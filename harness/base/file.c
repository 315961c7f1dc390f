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
    /* '?': any byte */
    static const struct {
        const char *magic;
        size_t n;
        const char *kind;
    } kinds[] = {
#define KIND(magic, kind) {magic, sizeof(magic) - 1, kind}
        KIND("\x89HDF\r\n\x1a\n", "an HDF5 file"),
        KIND("version https://git-lfs",
             "a pointer of Git LFS to a file that `git lfs pull` brings"),
        KIND("<!doctype", "an HTML page, perhaps of a failed download"),
        KIND("<html", "an HTML page, perhaps of a failed download"),
        KIND("<?xml", "an XML file"),
        KIND("<svg", "an SVG drawing"),
        KIND("\x93NUMPY", "a NumPy array (.npy)"),
        KIND("\x80\x03", "a Python pickle"),
        KIND("\x80\x04\x95", "a Python pickle"),
        KIND("II*\0", "a TIFF image"),
        KIND("MM\0*", "a TIFF image"),
        KIND("II+\0", "a BigTIFF image"),
        KIND("MM\0+", "a BigTIFF image"),
        KIND("\xff\xd8\xff", "a JPEG image"),
        KIND("\0\0\0\x0cjP", "a JPEG 2000 image"),
        KIND("GIF8", "a GIF image"),
        KIND("RIFF????WEBP", "a WebP image"),
        KIND("v/1\x01", "an OpenEXR image"),
        KIND("#?RADIANCE", "a Radiance image"),
        KIND("P7\n", "a PAM image"),
        KIND("PIEH", "an optical flow (.flo)"),
        KIND("BM????\0\0\0\0", "a BMP image"),
        KIND("PK\x03\x04", "a ZIP archive (.npz, .pt)"),
        KIND("\x1f\x8b", "a file packed by gzip"),
        KIND("BZh", "a file packed by bzip2"),
        KIND("\xfd"
             "7zXZ",
             "a file packed by xz"),
        KIND("\x28\xb5\x2f\xfd", "a file packed by zstd"),
        KIND("MATLAB 5.0", "a MATLAB file"),
        KIND("CDF\x01", "a NetCDF file"),
        KIND("CDF\x02", "a NetCDF file"),
        KIND("%PDF", "a PDF document"),
        KIND("\0\0\0\0\0\0\0\0", "a file that begins with zeroes, as of a broken copy"),
        KIND("\xff\xfe", "a text in UTF-16"),
        KIND("\xfe\xff", "a text in UTF-16"),
#undef KIND
    };
    const bool has_mark = n_bytes >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    size_t first = has_mark ? 3 : 0;

    while (first < n_bytes && bytes[first] && strchr(" \t\r\n", bytes[first]))
        first++;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *const magic = kinds[i].magic;
        size_t k = 0;

        while (k < kinds[i].n && first + k < n_bytes) {
            const uint8_t byte = bytes[first + k];

            if (magic[k] != '?' && (uint8_t)magic[k] != byte &&
                !(magic[0] == '<' && magic[k] == (byte | 0x20))) /* HTML in capitals */
                break;
            k++;
        }
        if (k == kinds[i].n)
            return kinds[i].kind;
    }
    return has_mark ? "a text that begins with a byte order mark" : NULL;
}

/*
 * file.c - read a file whole, within bounds
 */
#include "harness/base/file.h"

#include "harness/base/text.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum bench_status file_read(const char *path, uint64_t max_bytes, const char *kind,
                            uint8_t **bytes, size_t *n_bytes)
{
    struct text text;
    struct stat facts;

    *bytes = NULL;
    *n_bytes = 0;
    FAIL_IF(stat(path, &facts) != 0, BENCH_EIO, "%s: %s", path, strerror(errno));
    FAIL_IF(!S_ISREG(facts.st_mode), BENCH_EIO, "%s: %s, not a regular file", path,
            S_ISDIR(facts.st_mode)    ? "a folder"
            : S_ISFIFO(facts.st_mode) ? "a pipe"
                                      : "a device");
    REFUSE_IF((uint64_t)facts.st_size > max_bytes, "%s: %lld bytes are more than any %s has",
              path, (long long)facts.st_size, kind);
    TRY(text_read_file(path, &text));
    *bytes = (uint8_t *)text.data;
    *n_bytes = text.size;
    return BENCH_OK;
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

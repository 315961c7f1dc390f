/*
 * file.h - all bytes of a file that another program wrote
 */
#ifndef INPUTS_FILE_H
#define INPUTS_FILE_H

#include "harness/base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Read a regular file of at most 'max_bytes'; 'kind' ends the sentence "... are more than any
 * KIND has".  *bytes is the caller's, with a NUL behind its *n_bytes; NULL on failure.
 * BENCH_EIO: it cannot be read, or is no regular file (a pipe is not waited for); BENCH_EINPUT:
 * it is too large, and nothing was allocated; BENCH_ENOMEM. */
enum bench_status file_read(const char *path, uint64_t max_bytes, const char *kind,
                            uint8_t **bytes, size_t *n_bytes);

/* "an HDF5 file": a kind that people take for an image or an array; NULL: none of those. */
const char *file_kind(const uint8_t *bytes, size_t n_bytes);

#endif

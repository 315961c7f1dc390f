/*
 * file.h - all bytes of a file that another program wrote
 */
#ifndef INPUTS_FILE_H
#define INPUTS_FILE_H

#include "harness/base/status.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Read a regular file of at most 'max_bytes'; 'kind' ends the sentence "... are more than any
 * KIND has".  *bytes is owned by the caller and has a NUL behind its *n_bytes.  BENCH_EIO:
 * cannot be read, or no regular file (a pipe is refused, not waited for); BENCH_EINPUT: too
 * large, told before anything is allocated; BENCH_ENOMEM.  *bytes is NULL then.
 */
enum bench_status file_read(const char *path, uint64_t max_bytes, const char *kind,
                            uint8_t **bytes, size_t *n_bytes);

/* What the first bytes say that a file is, "an HDF5 file", where it is a kind that people take for an
 * image or an array; NULL: they do not say. */
const char *file_kind(const uint8_t *bytes, size_t n_bytes);

#endif

/* sysfs.h - small files below a sysroot; for the files of this folder */
#ifndef BOARD_SYSFS_H
#define BOARD_SYSFS_H

#include <stddef.h>

/* The first 'size' - 1 bytes of a small file, without trailing blanks; "" when it cannot be
 * read, and then the error's number is returned, else 0. */
int sysfs_text(const char *sysroot, const char *path, char *text, size_t size);

/* The number that a file begins with. */
double sysfs_number(const char *sysroot, const char *path, double otherwise);

#endif

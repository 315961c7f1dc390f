/* sysfs.h - small files below a sysroot, and sentences; for the files of this folder, and the
 * doctor */
#ifndef BOARD_SYSFS_H
#define BOARD_SYSFS_H

#include <glob.h>
#include <stdbool.h>
#include <stddef.h>

#define BOARD_WHY 400 /* enough for any sentence of this folder */

/* The first 'size' - 1 bytes of a small file, whose path 'format' gives, without trailing
 * blanks; "" when it cannot be read, and then the error's number is returned, else 0. */
int sysfs_text(const char *sysroot, char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The number that a file begins with. */
double sysfs_number(const char *sysroot, double otherwise, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The number of processors in a list of the kernel: "0-3,8" are 5; 0: it is no list. */
int sysfs_count_cpus(const char *list);

/* The paths that a pattern of glob(3) finds, sorted and without the sysroot; none where they
 * cannot be read.  globfree() afterwards. */
void sysfs_find(const char *sysroot, const char *pattern, glob_t *found);

/* The first line of what is said becomes 'why'; false. */
bool sysfs_refuse(char why[BOARD_WHY], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

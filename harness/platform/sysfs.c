/* sysfs.c - small files below a sysroot */
#include "harness/platform/sysfs.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sysfs_text(const char *sysroot, const char *path, char *text, size_t size)
{
    char full[1024];
    FILE *file;
    size_t n;
    int error;

    text[0] = '\0';
    if (snprintf(full, sizeof full, "%s%s", sysroot, path) >= (int)sizeof full)
        return ENAMETOOLONG;
    file = fopen(full, "re");
    if (!file)
        return errno;
    errno = 0;
    n = fread(text, 1, size - 1, file);
    error = ferror(file) ? (errno ? errno : EIO) : 0;
    fclose(file);
    text[n] = '\0';
    n = strlen(text); /* device-tree strings end with a NUL of their own */
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    return error;
}

double sysfs_number(const char *sysroot, const char *path, double otherwise)
{
    char text[64], *end;
    double value;

    sysfs_text(sysroot, path, text, sizeof text);
    value = strtod(text, &end);
    return end == text ? otherwise : value;
}

/* sysfs.c - small files below a sysroot, and sentences */
#include "harness/platform/sysfs.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sysfs_text(const char *sysroot, char *text, size_t size, const char *format, ...)
{
    char full[1024];
    const int n = snprintf(full, sizeof full, "%s", sysroot), n_left = (int)sizeof full - n;
    va_list arguments;
    bool fits = n_left > 0;
    FILE *file;
    size_t length;
    int error;

    text[0] = '\0';
    va_start(arguments, format);
    fits = fits && vsnprintf(full + n, (size_t)n_left, format, arguments) < n_left;
    va_end(arguments);
    if (!fits)
        return ENAMETOOLONG;
    file = fopen(full, "re");
    if (!file)
        return errno;
    errno = 0;
    length = fread(text, 1, size - 1, file);
    error = ferror(file) ? (errno ? errno : EIO) : 0;
    fclose(file);
    text[length] = '\0';
    length = strlen(text); /* device-tree strings end with a NUL of their own */
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return error;
}

double sysfs_number(const char *sysroot, double otherwise, const char *format, ...)
{
    char path[1024], text[64], *end;
    va_list arguments;
    double value;

    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    sysfs_text(sysroot, text, sizeof text, "%s", path);
    value = strtod(text, &end);
    return end == text ? otherwise : value;
}

int sysfs_count_cpus(const char *list)
{
    int n = 0, first, last, at;

    for (; sscanf(list, "%d%n", &first, &at) == 1; list += at + (list[at] == ',')) {
        if (list[at] == '-' && sscanf(list + at + 1, "%d", &last) == 1) {
            n += last - first;
            at += 1 + (int)strspn(list + at + 1, "0123456789");
        }
        n++;
    }
    return n > 0 ? n : 0;
}

void sysfs_find(const char *sysroot, const char *pattern, glob_t *found)
{
    const size_t n_root = strlen(sysroot);
    char full[2048];
    size_t n = 0;

    *found = (glob_t){0};
    for (const char *c = sysroot; *c && n < sizeof full / 2; c++) {
        if (strchr("*?[\\", *c))
            full[n++] = '\\';
        full[n++] = *c;
    }
    if (snprintf(full + n, sizeof full - n, "%s", pattern) < (int)(sizeof full - n))
        (void)glob(full, 0, NULL, found);
    for (size_t i = 0; i < found->gl_pathc; i++)
        memmove(found->gl_pathv[i], found->gl_pathv[i] + n_root,
                strlen(found->gl_pathv[i]) + 1 - n_root);
}

bool sysfs_refuse(char why[BOARD_WHY], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, BOARD_WHY, format, arguments);
    va_end(arguments);
    why[strcspn(why, "\n")] = '\0';
    return false;
}

/* listing.c - the files of a folder whose names end alike */
#include "harness/base/listing.h"

#include "harness/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The same under any locale, which alphasort() is not. */
static int compare(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

enum bench_status listing_read(const char *folder, const char *end, struct listing *listing)
{
    const size_t n_end = strlen(end);
    struct dirent **entry = NULL;
    const int n = scandir(folder, &entry, NULL, compare);
    enum bench_status status = BENCH_OK;

    *listing = (struct listing){0};
    if (n < 0 && errno == ENOENT)
        return BENCH_OK;
    FAIL_IF(n < 0, BENCH_EIO, "%s: cannot list the folder: %s", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        const char *const name = entry[i]->d_name;
        const size_t length = strlen(name);
        char path[PATH_MAX];

        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (!status && name[0] != '.' && length > n_end && !strcmp(name + length - n_end, end))
            status = listing_add(listing, path);
        free(entry[i]);
    }
    free(entry);
    if (status)
        listing_free(listing);
    return status;
}

enum bench_status listing_add(struct listing *listing, const char *path)
{
    NEED(memory_grow(&listing->path, sizeof *listing->path, (size_t)listing->n) &&
             (listing->path[listing->n] = strdup(path)),
         "the names of files");
    listing->n++;
    return BENCH_OK;
}

void listing_keep(struct listing *listing, bool is_kept(char *path))
{
    const int n = listing->n;

    listing->n = 0;
    for (int i = 0; i < n; i++)
        if (is_kept(listing->path[i]))
            listing->path[listing->n++] = listing->path[i];
        else
            free(listing->path[i]);
}

void listing_free(struct listing *listing)
{
    for (int i = 0; i < listing->n; i++)
        free(listing->path[i]);
    free(listing->path);
    *listing = (struct listing){0};
}

const char *listing_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool is_there(const char *path, const char *folder)
{
    char inside[4400];

    if (!folder || access(path, F_OK) == 0)
        return access(path, F_OK) == 0;
    snprintf(inside, sizeof inside, "%s/%s", folder, path);
    return *path && access(inside, F_OK) == 0;
}

char *listing_next(char **list, const char *folder)
{
    char *const path = *list, *end = path ? path + strlen(path) : NULL, *comma, cut = '\0';

    if (!path)
        return NULL;
    while (!is_there(path, folder) && (comma = strrchr(path, ','))) {
        *end = cut; /* one part less */
        end = comma;
        cut = ',';
        *end = '\0';
    }
    *list = cut ? end + 1 : NULL;
    return path;
}

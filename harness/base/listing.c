/* listing.c - the files of a folder whose names end alike */
#include "harness/base/listing.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum bench_status add(const char *folder, const char *name, const char *end,
                             struct listing *listing)
{
    const size_t n = strlen(name), n_end = strlen(end);

    if (name[0] == '.' || n <= n_end || strcmp(name + n - n_end, end) != 0)
        return BENCH_OK;
    if (asprintf(&listing->path[listing->n], "%s/%s", folder, name) < 0)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the names in %s", folder);
    listing->n++;
    return BENCH_OK;
}

/* The same under any locale, which alphasort() is not. */
static int compare(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

enum bench_status listing_read(const char *folder, const char *end, struct listing *listing)
{
    struct dirent **entry = NULL;
    enum bench_status status = BENCH_OK;
    const int n = scandir(folder, &entry, NULL, compare);

    *listing = (struct listing){0};
    if (n < 0 && errno == ENOENT)
        return BENCH_OK;
    if (n < 0)
        return BENCH_FAIL(BENCH_EIO, "%s: cannot list the folder: %s", folder, strerror(errno));
    listing->path = calloc((size_t)n + 1, sizeof *listing->path);
    if (!listing->path)
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for the names in %s", folder);
    for (int i = 0; i < n; i++) {
        if (!status)
            status = add(folder, entry[i]->d_name, end, listing);
        free(entry[i]);
    }
    free(entry);
    if (status)
        listing_free(listing);
    return status;
}

void listing_free(struct listing *listing)
{
    for (int i = 0; listing->path && i < listing->n; i++)
        free(listing->path[i]);
    free(listing->path);
    *listing = (struct listing){0};
}

const char *listing_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

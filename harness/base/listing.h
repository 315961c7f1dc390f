/* listing.h - the files of a folder whose names end alike */
#ifndef BENCH_LISTING_H
#define BENCH_LISTING_H

#include "harness/base/status.h"

#include <stdbool.h>

struct listing {
    char **path; /* [n], owned: "FOLDER/NAME", sorted, without those that begin with a dot */
    int n;
};

/* A name that is 'end' alone does not count.  A folder that is not there has no files.
 * BENCH_EIO.  Caller owns: listing_free. */
enum bench_status listing_read(const char *folder, const char *end, struct listing *listing);
/* One more, behind the others.  BENCH_ENOMEM. */
enum bench_status listing_add(struct listing *listing, const char *path);
/* Only those that 'is_kept' says; it may shorten them. */
void listing_keep(struct listing *listing, bool is_kept(char *path));
void listing_free(struct listing *listing);

/* "experiments/rdp/fig9.ini" -> "fig9.ini" */
const char *listing_name(const char *path);

/* The next path of "a,b,c" out of *list, which is cut up; NULL behind the last.  A name may
 * have commas: the longest that is there, itself or in 'folder' (may be NULL), is taken. */
char *listing_next(char **list, const char *folder);

#endif

/*
 * gather.h - bring the sessions of several machines and ranks together
 *
 * A source is a folder with sessions, or with folders of them as results/ has.  It is here or on
 * another machine ("user@host:DIR", by rsync or scp).
 *
 * A source is not trusted.  Only regular files of the names that sessions have are looked at.  A
 * row file must be a table of ours whose rows name its session and one machine.  Nothing of a
 * source is run, followed, or printed as it is.
 *
 * A session only grows, by whole lines.  Of two files of one name, one must begin with all lines
 * of the other, and it stands; otherwise both are different sessions, and the new one is
 * refused.  What goes with a session (its machine, its samples) follows it.  Of two plans of one
 * name that of the greater revision stands; ranks count it up when they change a plan.
 */
#ifndef BENCH_GATHER_H
#define BENCH_GATHER_H

#include "harness/base/listing.h"
#include "harness/base/status.h"
#include "harness/suite/record.h"

#include <stdio.h>

struct gather_count {
    int n_sessions, n_new, n_grown; /* row files: seen, taken, of these longer than before */
    int n_refused;                  /* files, each named on 'notes' */
    int n_lost;                     /* sources that could not be read, each named on 'notes' */
};

/* Take all sessions of a source into 'results', each into the folder of its machine.
 * BENCH_EIO where 'results' cannot be written; what is wrong with a source is counted. */
enum bench_status gather_take(const char *source, const char *results, FILE *notes,
                              struct gather_count *count);

/* One configuration, scope and series that a campaign was to measure and that has no row. */
struct gather_missing {
    int n_planned, n_missing;
    char command[4096]; /* which runs them */
};

/* Read what a folder has of all campaigns.  The caller frees *seen with record_close().  BENCH_EIO,
 * BENCH_ENOMEM. */
enum bench_status gather_look(const char *folder, struct record_session **seen);

/* Read the plan 'path' that ranks wrote, and ask what its folder has of it.  The names of missing
 * ones are printed on 'out', where it is not NULL.  BENCH_EIO, BENCH_EINPUT "file:line: ...". */
enum bench_status gather_missing(const struct record_session *seen, const char *path, FILE *out,
                                 struct gather_missing *missing);

/* The plans of a folder.  listing_free(). */
enum bench_status gather_plans(const char *folder, struct listing *plans);

/* ---- for ranks ---- */

#define GATHER_PLAN     ".plan"
#define GATHER_REVISION "revision\t" /* a plan begins with it, and a number */

/* The number behind it, of 1 to 9 digits before the end of the line; 0: it is none. */
int gather_revision(const char *text);

#endif

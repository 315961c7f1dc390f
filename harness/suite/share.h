/*
 * share.h - several processes share the work of one start, and lose nothing when one dies
 *
 * The work is cut into units.  One process ("rank") takes a unit as a whole; what has a row is
 * done.  Ranks see each other by files in the folder of results alone:
 *
 *     .share/<campaign>/units         a byte for each unit; its owner has a lock on it
 *     .share/<campaign>/<host>.<rank>.<size>  its rank has a lock on it while it lives, and says
 *                                     by a byte whether it has a GPU, by another that it has left
 *     .share/<campaign>/<group>-<unit>  a byte for each rank that began the unit and did not
 *                                     finish it; empty: one has, and its group has other units
 *
 * A lock (fcntl's, of an open file description) ends with its owner, whatever ends that.
 *
 * Each rank begins with its own units, those whose number is its rank modulo the number of
 * ranks.  Then it helps the others, and waits for the units that they have in work, in case
 * they die.  It does so only where it knows that locks hold: it has found its own lock, and all
 * ranks are on this host, or were until their end, or it has seen the lock of a rank of another
 * host.  A rank that died before it was seen alive proves nothing: it may be of another start.
 * Elsewhere a rank stops behind its own units, as without a folder that all hosts see or on a file
 * system without locks.  A rank that comes late, with another number of ranks, then gets none; those
 * that were there before it keep theirs.  A rank that is the only one of its start does all that
 * is left, in any case.
 */
#ifndef BENCH_SHARE_H
#define BENCH_SHARE_H

#include "harness/base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct bench_share; /* one rank's part in a campaign */

/* What a rank is called. 'campaign' and 'host' are names (record_is_name). */
struct share_place {
    const char *campaign, *host;
    int rank, size;
    bool is_one_host; /* all ranks of its start are of this host */
    bool has_gpu;
};

/*
 * Take part in a campaign of the folder 'results', which is made.  BENCH_EIO with the path and
 * the system's reason; BENCH_EINPUT where the same rank runs already on this host.  The caller
 * closes *share, which removes what no rank needs any more.
 */
enum bench_status share_open(const char *results, const struct share_place *place,
                             struct bench_share **share);
void share_close(struct bench_share *share); /* NULL is fine */

/* Whether a unit is this rank's own.  'unit' is a hash of what names it. */
bool share_is_own(const struct bench_share *share, uint64_t unit);

/* Whether locks between hosts are known to hold; asked anew until they are. */
bool share_may_help(struct bench_share *share);

/* Whether a rank of several has a GPU, or may have: not all of this start have come yet. */
bool share_may_have_gpu(struct bench_share *share);

/*
 * Take a unit of a group; a unit that is a group of its own has its hash.  *taken is false where
 * another rank has it.  Above 0 s, 'wait_s' is the time between two tries, until its owner gives it
 * back or dies, or 'stop' says so: a signal between it and a wait without end would be lost.
 *
 * *taken is false, too, where SHARE_MOST_DEATHS ranks have died with the unit, else it would end one
 * rank after the other.  Deaths with other units of its group count as long as none of the group
 * is finished.  *n_died says how many there were.  A single rank takes the unit all the
 * same.  So does a new start: the last rank that leaves clears.  A rank has one unit at a time.
 */
#define SHARE_MOST_DEATHS 2
enum bench_status share_take(struct bench_share *share, uint64_t unit, uint64_t group,
                             double wait_s, bool (*stop)(void), bool *taken, int *n_died);
void share_give_back(struct bench_share *share);

#endif

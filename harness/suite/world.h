/*
 * world.h - the ranks that a launcher started together and that speak to each other by MPI
 *
 * Only experiments that scale need it: others share work without a message (share.h).  A
 * process that no launcher started, or that was started alone, is a world of one rank, in every
 * build and without MPI.
 *
 * All ranks make the same calls in the same order.  Each call takes a limit, since a rank that
 * died never comes.  Behind a call that failed the world is broken: no other call does anything
 * but say so again, and world_leave() ends it.
 */
#ifndef BENCH_WORLD_H
#define BENCH_WORLD_H

#include "harness/suite/launcher.h"

#define WORLD_MOST_VALUES 4096 /* of one reduction */

/* Others read what stands above the line. */
struct world {
    struct launcher_rank place; /* of launcher "none" and size 1: no messages are needed */
    bool is_broken;
    struct crew { /* of suite_scale.c: who is where, of the n ranks that take part */
        int n, n_hosts, n_gpus;
        double id[3][WORLD_MOST_VALUES];
    } crew;
    /* ---- */
    bool (*stop)(void);
    double in[WORLD_MOST_VALUES], out[WORLD_MOST_VALUES]; /* a reduction may outlive its call */
    char sentence[1024];
};

/*
 * Meet the other ranks.  'get' is getenv() but in tests; 'stop' ends a wait (NULL: nothing
 * does), and is asked some hundred times a second.  BENCH_EENV where a launcher started several
 * ranks, and this build has no MPI or its MPI does not see them; BENCH_EINPUT as
 * launcher_rank_seek().  An MPI that cannot start ends the process itself: then its words and
 * one sentence of ours are said.  The caller owns *world: world_leave().
 */
enum bench_status world_open(char *(*get)(const char *), bool (*stop)(void),
                             struct world **world);

/* Return when all ranks have called it.  BENCH_EENV past limit_s, BENCH_EINTR by 'stop'. */
enum bench_status world_barrier(struct world *world, double limit_s);

/* The sum over all ranks, or the greatest, value by value; all of them get it.
 * n <= WORLD_MOST_VALUES. */
enum bench_status world_reduce(struct world *world, bool is_sum, double *values, int n,
                               double limit_s);

/* Agree on BENCH_OK if all ranks are, else on the status of the lowest rank that is not, with
 * its sentence. */
enum bench_status world_agree(struct world *world, enum bench_status status, double limit_s);

/* Leave with this exit status and release the world.  Returns if all ranks leave, too.  A rank
 * that the others wait for, or one of a broken world, ends all of them and itself by
 * MPI_Abort(): whatever is to be said or written must have been. */
void world_leave(struct world *world, int code); /* NULL is fine */

/* ---- world_mpi.c: messages between several ranks ---- */

/* Start, and see as many ranks as the launcher says.  BENCH_EENV: a build without world_mpi.c
 * has no other answer, and none of the rest. */
enum bench_status messages_open(struct world *world);

#pragma weak messages_barrier
#pragma weak messages_reduce
#pragma weak messages_share
#pragma weak messages_leave
/* The same between ranks: reduces in[] into out[], and tells all the sentence of one rank. */
enum bench_status messages_barrier(struct world *world, double limit_s);
enum bench_status messages_reduce(struct world *world, bool is_sum, int n, double limit_s);
enum bench_status messages_share(struct world *world, int from, double limit_s);
void messages_leave(struct world *world, int code);

#endif

/* world_private.h - what world.c asks of the messages between several ranks: of MPI, or of a
 * build without */
#ifndef BENCH_WORLD_PRIVATE_H
#define BENCH_WORLD_PRIVATE_H

#include "harness/suite/launcher.h"
#include "harness/suite/world.h"

struct world {
    struct launcher_rank place; /* size 1: no messages are needed */
    bool is_broken;
    bool (*stop)(void);
    double in[WORLD_MOST_VALUES], out[WORLD_MOST_VALUES]; /* a reduction may outlive its call */
    char sentence[1024];
};

/* Start, and see as many ranks as the launcher says.  BENCH_EENV: a build without world_mpi.c
 * has no other answer, and none of the rest. */
enum bench_status messages_open(struct world *world);

#pragma weak messages_barrier
#pragma weak messages_reduce
#pragma weak messages_share
#pragma weak messages_leave
/* See world.h; the reduction is from in[] to out[]. */
enum bench_status messages_barrier(struct world *world, double limit_s);
enum bench_status messages_reduce(struct world *world, bool is_sum, int n, double limit_s);
/* The sentence of one rank to all. */
enum bench_status messages_share(struct world *world, int from, double limit_s);
void messages_leave(struct world *world, int code);

#endif

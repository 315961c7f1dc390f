/* world_none.c - a build without MPI: a process has no others */
#include "harness/suite/world_private.h"

enum bench_status messages_open(struct world *world)
{
    return BENCH_FAIL(BENCH_EENV,
                      "%s started %d ranks, and this build has no MPI by which they could "
                      "measure together: make MPI=yes",
                      world->place.launcher, world->place.size);
}

/* The rest is never reached: no world of several ranks can be opened. */

enum bench_status messages_barrier(struct world *world, double limit_s)
{
    (void)limit_s;
    return messages_open(world);
}

enum bench_status messages_reduce(struct world *world, enum world_operation operation, int n,
                                  double limit_s)
{
    (void)operation;
    (void)n;
    return messages_barrier(world, limit_s);
}

enum bench_status messages_share(struct world *world, int from, double limit_s)
{
    (void)from;
    return messages_barrier(world, limit_s);
}

void messages_leave(struct world *world, int code)
{
    (void)world;
    (void)code;
}

/* world.c - the ranks that a launcher started together: what does not depend on how messages
 * go */
#include "harness/suite/world.h"

#include "harness/base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((weak)) enum bench_status messages_open(struct world *world)
{
    return BENCH_FAIL(BENCH_EENV,
                      "%s started %d ranks, and this build has no MPI by which they could "
                      "measure together: make MPI=yes",
                      world->place.launcher, world->place.size);
}

enum bench_status world_open(char *(*get)(const char *), bool (*stop)(void),
                             struct world **world)
{
    OWNED(memory_free) struct world *made = NULL;
    bool found;

    *world = NULL;
    TRY(memory_allocate(&made, sizeof *made, 1, 1, 1, 1));
    made->stop = stop;
    TRY(launcher_rank_seek(get, &made->place, &found));
    if (!found) /* this process is alone */
        made->place = (struct launcher_rank){.launcher = "none", .size = 1};
    REFUSE_IF(made->place.size > WORLD_MOST_VALUES, "%d ranks: expected at most %d",
              made->place.size, WORLD_MOST_VALUES);
    if (made->place.size > 1)
        TRY(messages_open(made));
    *world = made;
    made = NULL;
    return BENCH_OK;
}

/* True if there is anybody to speak to; else *status is that of the call. */
static bool has_others(const struct world *world, enum bench_status *status)
{
    *status = world->is_broken ? BENCH_FAIL(BENCH_EENV, "the ranks have lost each other before")
                               : BENCH_OK;
    return !world->is_broken && world->place.size > 1;
}

static enum bench_status checked(struct world *world, enum bench_status status)
{
    world->is_broken = world->is_broken || status != BENCH_OK;
    return status;
}

enum bench_status world_barrier(struct world *world, double limit_s)
{
    enum bench_status status;

    return has_others(world, &status) ? checked(world, messages_barrier(world, limit_s))
                                      : status;
}

enum bench_status world_reduce(struct world *world, bool is_sum, double *values, int n,
                               double limit_s)
{
    enum bench_status status;

    assert(n <= WORLD_MOST_VALUES);
    if (!has_others(world, &status))
        return status;
    memcpy(world->in, values, (size_t)n * sizeof *values);
    TRY(checked(world, messages_reduce(world, is_sum, n, limit_s)));
    memcpy(values, world->out, (size_t)n * sizeof *values);
    return BENCH_OK;
}

enum bench_status world_agree(struct world *world, enum bench_status status, double limit_s)
{
    /* of the ranks that failed the lowest, from above, and its status */
    double lowest = status ? world->place.size - world->place.rank : 0, what;
    int from;

    TRY(world_reduce(world, false, &lowest, 1, limit_s));
    if (lowest <= 0 || world->place.size == 1)
        return status;
    from = world->place.size - (int)lowest;
    what = from == world->place.rank ? status : 0;
    TRY(world_reduce(world, false, &what, 1, limit_s));
    if (from == world->place.rank)
        snprintf(world->sentence, sizeof world->sentence, "rank %d of %d: %.1000s", from,
                 world->place.size, bench_failure());
    TRY(checked(world, messages_share(world, from, limit_s)));
    return BENCH_FAIL((enum bench_status)what, "%s", world->sentence);
}

void world_leave(struct world *world, int code)
{
    if (world && world->place.size > 1)
        messages_leave(world, code);
    free(world);
}

/*
 * world_mpi.c - messages between ranks by MPI: built with `make MPI=yes` alone
 *
 * Only two-sided, non-blocking collectives, each of which is tested against a clock: a rank
 * that died never comes, and a collective that blocks would wait for it for ever.  (One-sided
 * ones fail over TCP in Open MPI 4.1.4.)
 */
#include "harness/suite/world.h"

#include "harness/platform/process.h"

#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MEET_S     60  /* that a rank waits for the others when it begins */
#define LEAVE_S    30  /* and when all is done; */
#define FAIL_S     5   /* when it has failed, perhaps alone */
#define LONGEST_NS 1e6 /* between two tests: at most, and a share of the time waited so far */
#define SHARE      0.0625

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* This rank waits for one thing at a time, which may outlive the call that gave up on it. */
static MPI_Request pending = MPI_REQUEST_NULL;
static MPI_Comm leaving; /* what a rank that leaves says cannot be taken for another message */

/* ---- collectives ---- */

static enum bench_status refuse(const struct world *world, int error, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int n = 0;

    MPI_Error_string(error, text, &n);
    return BENCH_FAIL(BENCH_EENV, "rank %d of %d: %s failed, by MPI: %.300s", world->place.rank,
                      world->place.size, what, text);
}

/* Until what is pending is done.  Tests become rarer, so that ranks that have no part in a
 * measurement leave its processors alone. */
static enum bench_status wait_for(const struct world *world, int error, double limit_s,
                                  const char *what)
{
    const double t0 = seconds();
    int is_done = 0;

    while (!error) {
        const double waited = seconds() - t0;
        const double pause_ns = 1e9 * SHARE * waited;
        const struct timespec pause = {
            .tv_nsec = (long)(pause_ns < LONGEST_NS ? pause_ns : LONGEST_NS)};

        error = MPI_Test(&pending, &is_done, MPI_STATUS_IGNORE);
        if (!error && is_done)
            return BENCH_OK;
        FAIL_IF(world->stop && world->stop(), BENCH_EINTR,
                "rank %d of %d was told to stop while it waited for the others; "
                "where nobody did that, one of them has died",
                world->place.rank, world->place.size);
        FAIL_IF(waited > limit_s, BENCH_EENV,
                "rank %d of %d has waited %.3g s for the others at %s: one of "
                "them has died or is stuck",
                world->place.rank, world->place.size, limit_s, what);
        nanosleep(&pause, NULL);
    }
    return refuse(world, error, what);
}

/* ---- start ---- */

/*
 * An MPI that cannot start ends the process, or waits for ever, whatever it is told.  So a
 * process beside it looks on.  The start is over when it says so; if the link closes before,
 * the process has ended.
 */
static int look_on(void *starting, int end)
{
    static const char ended[] =
        "depthbench: the MPI of this build cannot start: MPI_Init() ended the process\n";
    static const char waits[] =
        "depthbench: the MPI of this build cannot start: MPI_Init() waits for a minute\n";
    int heard;
    bool is_late;

    setsid(); /* mpirun ends the groups of the processes that it has started */
    heard = process_hear(end, MEET_S);
    is_late = heard < 0;
    if (heard > 0)
        return 0;
    if (write(2, is_late ? waits : ended, is_late ? sizeof waits - 1 : sizeof ended - 1) > 0 &&
        is_late)
        kill(*(pid_t *)starting, SIGTERM);
    return 0;
}

/* BENCH_EIO where nobody can look on. */
static enum bench_status start(void)
{
    pid_t self = getpid();
    int link, error, how;
    const pid_t other = process_fork(look_on, &self, &link);

    FAIL_IF(other < 0, BENCH_EIO, "cannot make a process: %s", strerror(errno));
    error = MPI_Init(NULL, NULL);
    if (!process_say(link, 1))
        error = MPI_ERR_OTHER;
    close(link);
    process_wait(other, -1, &how);
    FAIL_IF(error, BENCH_EENV, "the MPI of this build cannot start: MPI_Init() fails");
    return BENCH_OK;
}

/* Its name alone: the rest is how it was built. */
static const char *library_name(char text[MPI_MAX_LIBRARY_VERSION_STRING])
{
    int n = 0;

    if (MPI_Get_library_version(text, &n))
        return "MPI";
    text[strcspn(text, ",\n")] = '\0';
    for (char *at = text; *at; at++)
        if (*at == '\t') /* MPICH */
            *at = ' ';
    return text;
}

static enum bench_status make_leaving(const struct world *world)
{
    const int error = MPI_Comm_idup(MPI_COMM_WORLD, &leaving, &pending);

    return wait_for(world, error, MEET_S, "the start");
}

enum bench_status messages_open(struct world *world)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int rank = 0, size = 0;

    TRY(start());
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == world->place.rank && size == world->place.size)
        return make_leaving(world);
    MPI_Finalize();
    return BENCH_FAIL(BENCH_EENV,
                      "this is rank %d of %d by the environment of %s, and %d of %d by the MPI "
                      "of this build, %s: start it with the mpirun of that MPI",
                      world->place.rank, world->place.size, world->place.launcher, rank, size,
                      library_name(library));
}

/* ---- messages ---- */

enum bench_status messages_barrier(struct world *world, double limit_s)
{
    const int error = MPI_Ibarrier(MPI_COMM_WORLD, &pending);

    return wait_for(world, error, limit_s, "a barrier");
}

enum bench_status messages_reduce(struct world *world, bool is_sum, int n, double limit_s)
{
    const int error = MPI_Iallreduce(world->in, world->out, n, MPI_DOUBLE,
                                     is_sum ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD, &pending);

    return wait_for(world, error, limit_s, "a reduction");
}

enum bench_status messages_share(struct world *world, int from, double limit_s)
{
    const int error = MPI_Ibcast(world->sentence, sizeof world->sentence, MPI_CHAR, from,
                                 MPI_COMM_WORLD, &pending);

    return wait_for(world, error, limit_s, "a broadcast");
}

/* A rank that fails alone comes here while the others are at something else. */
void messages_leave(struct world *world, int code)
{
    world->stop = NULL;
    if (world->is_broken || wait_for(world, MPI_Ibarrier(leaving, &pending),
                                     code ? FAIL_S : LEAVE_S, "the end") != BENCH_OK)
        MPI_Abort(MPI_COMM_WORLD, code ? code : EXIT_FAILURE);
    MPI_Finalize();
}

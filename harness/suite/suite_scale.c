/* suite_scale.c - configurations that several ranks measure at the same time, together */
#include "harness/suite/suite_private.h"

#include "harness/base/memory.h"
#include "harness/platform/gpu_lock.h"
#include "harness/platform/sysfs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <xxhash.h>

/* Numbers by which ranks see whether they share something. */
enum {
    HOST,        /* and its clock: as long as it is up */
    CORES,       /* of that host, that the launcher lets the rank use */
    GPU,         /* 0: none */
    N_IDENTITIES /* of struct crew */
};

/* ---- who is where ---- */

/* Hashes a text to the 53 bits that a double has. */
static double number_of(const char *text)
{
    return (double)(1 + (XXH64(text, strlen(text), 0) >> 12));
}

/* Counts those of the first n that are the same as that of 'rank'. */
static int n_alike(const double *id, int rank, int n)
{
    int alike = 0;

    for (int i = 0; i < n; i++)
        alike += id[i] == id[rank];
    return alike;
}

static int n_distinct(const double *id, int n)
{
    int distinct = 0;

    for (int i = 0; i < n; i++)
        distinct += n_alike(id, i, i) == 0;
    return distinct;
}

enum bench_status suite_scale_meet(const struct run *run)
{
    const struct bench_config *const config = run->task.config;
    const int rank = run->world->place.rank, size = run->world->place.size;
    struct crew *const crew = &run->world->crew;
    char boot[64], text[128];

    memset(crew, 0, sizeof *crew);
    if (config->plan.ranks > size)
        return BENCH_OK;
    /* of one start of the system: processes that have the same also have one CLOCK_MONOTONIC */
    sysfs_text(run->env->sysroot, boot, sizeof boot, "/proc/sys/kernel/random/boot_id");
    if (!boot[0])
        snprintf(boot, sizeof boot, "rank %d", rank);
    crew->id[HOST][rank] = number_of(boot);
    snprintf(text, sizeof text, "%s %d %d", boot, run->env->cores->first_pu,
             run->env->cores->n_pus);
    crew->id[CORES][rank] = number_of(text);
    if (run->env->device)
        crew->id[GPU][rank] = number_of(bench_device_describe(run->env->device)->uuid);
    for (int i = 0; i < N_IDENTITIES; i++)
        TRY(world_reduce(run->world, true, crew->id[i], size, config->plan.wait_s));
    crew->n = config->plan.ranks;
    crew->n_hosts = n_distinct(crew->id[HOST], crew->n);
    crew->n_gpus = n_distinct(crew->id[GPU], crew->n);
    return BENCH_OK;
}

void suite_scale_fields(const struct run *run, struct record_row *row)
{
    const struct bench_config *const config = run->task.config;
    const struct world *const world = run->world;

    record_text(row, "launcher", world->place.launcher);
    record_integer(row, "rank", world->place.rank);
    record_integer(row, "ranks", config->plan.ranks);
    record_text(row, "scaling", bench_scaling_name[config->plan.scaling]);
    record_known(row, "rank_hosts", world->crew.n_hosts);
    if (config->impl->target == BENCH_CUDA)
        record_known(row, "rank_gpus", world->crew.n_gpus);
}

/* Checks that there are as many GPUs as are asked for; all ranks come to the same answer. */
static enum bench_status check_gpus(const struct bench_config *config, const struct crew *crew)
{
    const int wanted = config->plan.share_device ? crew->n_hosts : crew->n;

    for (int i = 0; i < crew->n; i++)
        FAIL_IF(crew->id[GPU][i] == 0, BENCH_ESKIP, "rank %d of %d has no GPU", i, crew->n);
    FAIL_IF(crew->n_gpus != wanted, BENCH_ESKIP,
            "devices = %s: %d ranks on %d hosts have %d GPUs, expected %d",
            config->plan.share_device ? "one" : "each", crew->n, crew->n_hosts, crew->n_gpus,
            wanted);
    return BENCH_OK;
}

/* Ranks whose launcher lets them use the same cores divide these.  Their teams are side by
 * side, where they fit. */
static void take_cores(struct run *run, int rank)
{
    const struct crew *const crew = &run->world->crew;
    const int n_sharing = MAX(1, n_alike(crew->id[CORES], rank, crew->n)); /* itself, too */
    const int n_cores = run->host.machine.n_cores;
    int team;

    run->host.machine.n_cores = MAX(1, n_cores / n_sharing);
    team = suite_threads(run, run->task.config);
    run->host.machine.first_core = n_sharing * team <= n_cores
                                       ? n_alike(crew->id[CORES], rank, rank) * team
                                   : n_sharing == 1 ? 0
                                                    : -1;
}

/* The first rank of each GPU, or of each host where none is used, keeps others from it.  One
 * after the other: two starts at a time that take several locks then never wait for each
 * other. */
static enum bench_status lock(const struct run *run, const struct crew *crew, int *turn)
{
    const struct bench_config *const config = run->task.config;
    const bool on_gpu = config->impl->target == BENCH_CUDA;
    const double *const id = crew->id[on_gpu ? GPU : HOST];
    const int rank = run->world->place.rank;

    for (int i = 0; i < crew->n; i++) {
        if (n_alike(id, i, i) > 0)
            continue;
        if (i == rank)
            *turn = gpu_lock_acquire(
                on_gpu ? bench_device_describe(run->env->device)->uuid : "cpu", suite_stop_now);
        TRY(world_barrier(run->world, config->plan.wait_s));
    }
    return BENCH_OK;
}

/* ---- a configuration ---- */

static enum bench_status measure_part(struct run *run, enum bench_status outcome)
{
    const struct bench_config *const config = run->task.config;
    const struct crew *const crew = &run->world->crew;
    const int rank = run->world->place.rank, n_cores = run->host.machine.n_cores;
    struct bench_together together = {
        .rank = rank,
        .n = crew->n,
        .is_clock_shared = crew->n_hosts == 1,
        .agree = world_agree,
        .barrier = world_barrier,
        .reduce = world_reduce,
        .world = run->world,
    };

    if (rank >= crew->n) {
        outcome = bench_attend(config->impl, &config->plan, &together);
    } else {
        run->host.machine.together = &together;
        take_cores(run, rank);
        if (!outcome)
            outcome = suite_enter_group(run);
        if (!outcome && config->plan.scaling != BENCH_WEAK && run->group.n_all < crew->n)
            outcome = BENCH_FAIL(BENCH_ESKIP,
                                 "scaling = strong: %d inputs cannot be divided among %d ranks",
                                 run->group.n_all, crew->n);
        if (!outcome)
            outcome = suite_measure(run);
        run->host.machine.together = NULL;
        run->host.machine.first_core = 0;
        run->host.machine.n_cores = n_cores;
    }
    if (!together.has_agreed && !run->world->is_broken)
        outcome =
            world_agree(run->world, outcome, config->plan.interval_s + config->plan.wait_s);
    if (outcome == BENCH_EMISMATCH)
        run->task.result->verified = false; /* whichever rank is wrong */
    return outcome;
}

enum bench_status suite_scale(struct run *run, enum bench_status outcome)
{
    const struct bench_config *const config = run->task.config;
    const struct crew *const crew = &run->world->crew;
    enum bench_status status = suite_scale_meet(run);
    int turn = -1;

    if (!status && config->plan.ranks > run->world->place.size)
        return BENCH_FAIL(
            BENCH_ESKIP,
            "ranks = %d, of which %d are there; mpirun -n N starts N of a program "
            "that make MPI=yes has built",
            config->plan.ranks, run->world->place.size);
    if (!status && config->impl->target == BENCH_CUDA)
        status = check_gpus(config, crew);
    if (!status)
        status = lock(run, crew, &turn);
    if (!status)
        status = measure_part(run, outcome);
    gpu_lock_release(turn);
    return status;
}

/* launcher.c - which of several processes this one is, as whoever started them says */
#include "harness/suite/launcher.h"

#include "harness/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MOST_RANKS 1000000

/* The names of a launcher's variables; NULL: it has none for this. */
static const struct launcher {
    const char *name, *rank, *size, *local, *local_size, *n_hosts, *job, *step;
    const char *first, *last, *stride; /* ranks of an array begin, end and go on by */
} launchers[] = {
    /* an inner launcher comes before the one that may have started it */
    {.name = "openmpi",
     .rank = "OMPI_COMM_WORLD_RANK",
     .size = "OMPI_COMM_WORLD_SIZE",
     .local = "OMPI_COMM_WORLD_LOCAL_RANK",
     /* its PMIX_NAMESPACE is of the host's name and mpirun's process: it may come again */
     .local_size = "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {.name = "flux",
     .rank = "FLUX_TASK_RANK",
     .size = "FLUX_JOB_SIZE",
     .local = "FLUX_TASK_LOCAL_ID",
     .n_hosts = "FLUX_JOB_NNODES",
     .job = "FLUX_JOB_ID"},
    {.name = "slurm",
     .rank = "SLURM_PROCID",
     .size = "SLURM_STEP_NUM_TASKS",
     .local = "SLURM_LOCALID",
     .n_hosts = "SLURM_STEP_NUM_NODES",
     .job = "SLURM_JOB_ID",
     .step = "SLURM_STEP_ID"},
    {.name = "slurm-array",
     .rank = "SLURM_ARRAY_TASK_ID",
     .size = "SLURM_ARRAY_TASK_COUNT",
     .job = "SLURM_ARRAY_JOB_ID",
     .first = "SLURM_ARRAY_TASK_MIN",
     .last = "SLURM_ARRAY_TASK_MAX",
     .stride = "SLURM_ARRAY_TASK_STEP"},
    {.name = "mpich",
     .rank = "PMI_RANK",
     .size = "PMI_SIZE",
     .local = "MPI_LOCALRANKID",
     .local_size = "MPI_LOCALNRANKS"},
    {.name = "kubernetes", .rank = "JOB_COMPLETION_INDEX"},
};
#define N_LAUNCHERS (sizeof launchers / sizeof *launchers)

/* A variable that is not there leaves *value as it is. */
static enum bench_status read_count(char *(*get)(const char *), const char *name, int *value)
{
    const char *const text = name ? get(name) : NULL;
    double number;

    if (!text)
        return BENCH_OK;
    REFUSE_IF(!text_to_number(text, &number) || number != (int)number || number < 0 ||
                  number > MOST_RANKS,
              "%s=%.40s: expected a number from 0 to %d", name, text, MOST_RANKS);
    *value = (int)number;
    return BENCH_OK;
}

static enum bench_status read_launcher(char *(*get)(const char *), const struct launcher *l,
                                       struct launcher_rank *rank)
{
    const char *const job = l->job ? get(l->job) : NULL, *step = l->step ? get(l->step) : NULL;
    int first = 0, last = -1, stride = 1, n_hosts = 0;

    *rank = (struct launcher_rank){.local = -1};
    snprintf(rank->launcher, sizeof rank->launcher, "%s", l->name);
    TRY(read_count(get, l->rank, &rank->rank));
    TRY(read_count(get, l->size, &rank->size));
    TRY(read_count(get, l->local, &rank->local));
    TRY(read_count(get, l->local_size, &rank->local_size));
    TRY(read_count(get, l->n_hosts, &n_hosts));
    TRY(read_count(get, l->first, &first));
    TRY(read_count(get, l->last, &last));
    TRY(read_count(get, l->stride, &stride));
    stride = stride > 0 ? stride : 1;
    if (last >= first) /* of 3,5 none has the rank 1 */
        rank->size = (last - first) / stride + 1;
    if (n_hosts == 1)
        rank->local_size = rank->size;
    rank->rank = (rank->rank - first) / stride;
    if (job)
        snprintf(rank->job, sizeof rank->job, "%s-%.40s%s%.20s", l->name, job, step ? "." : "",
                 step ? step : "");
    for (char *at = rank->job; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
            *at = '-'; /* a job's number may have anything */
    REFUSE_IF(rank->rank < 0 || (rank->size > 0 && rank->rank >= rank->size),
              "%s=%s with %s=%s: expected a rank below the size", l->rank, get(l->rank),
              l->size, get(l->size));
    REFUSE_IF(!(rank->size > 0), "%s does not say how many ranks there are: give --rank $%s/N",
              l->name, l->rank);
    return BENCH_OK;
}

enum bench_status launcher_rank_seek(char *(*get)(const char *name), struct launcher_rank *rank,
                                     bool *found)
{
    *found = true;
    for (size_t i = 0; i < N_LAUNCHERS; i++)
        /* a batch script that srun has not started has a rank as well, but no size of a step */
        if (get(launchers[i].rank) && (!launchers[i].step || get(launchers[i].size)))
            return read_launcher(get, &launchers[i], rank);
    *found = false;
    return BENCH_OK;
}

enum bench_status launcher_rank_parse(const char *text, struct launcher_rank *rank)
{
    int n = 0;

    *rank = (struct launcher_rank){.launcher = "hand", .local = -1};
    REFUSE_IF(sscanf(text, "%d/%d%n", &rank->rank, &rank->size, &n) != 2 || text[n] ||
                  rank->rank < 0 || rank->size > MOST_RANKS || rank->rank >= rank->size,
              "--rank %s: expected auto, or RANK/SIZE with ranks from 0, as 3/16", text);
    return BENCH_OK;
}

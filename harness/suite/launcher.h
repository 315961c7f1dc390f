/*
 * launcher.h - which of several processes this one is, as whoever started them says
 *
 * mpirun, srun and their like tell each process its rank in its environment, so no library of
 * theirs is needed.  The variables are those of the manuals of Open MPI 4 and 5 (mpirun),
 * MPICH's Hydra, Slurm (srun, sbatch --array), Flux (flux-run) and Kubernetes (indexed jobs).
 */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include "harness/base/status.h"

#include <stdbool.h>

struct launcher_rank {
    char launcher[16];     /* "openmpi", "slurm", "slurm-array", "flux", "mpich", "kubernetes";
                              "hand" for launcher_rank_parse() */
    int rank, size;        /* 0 .. size - 1 */
    int local, local_size; /* the same among those of this host; -1 and 0: not said */
    char job[80]; /* "slurm-12.0": all processes of one start have this, also one that is
                              started again; "": the launcher has none */
};

/* From the environment, where *found says whether there is a launcher at all; 'get' is getenv()
 * but in tests.  BENCH_EINPUT where one says no size, or a rank or a size that cannot be. */
enum bench_status launcher_rank_seek(char *(*get)(const char *name), struct launcher_rank *rank,
                                     bool *found);

/* "3/16": the fourth of 16.  BENCH_EINPUT. */
enum bench_status launcher_rank_parse(const char *text, struct launcher_rank *rank);

#endif

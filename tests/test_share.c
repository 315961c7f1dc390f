/* test_share.c - which rank a process is, and which part of an experiment is a rank's */
#include "harness/suite/launcher.h"
#include "harness/suite/share.h"
#include "tests/files.h"
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- launchers ---- */

static const char *const *environment; /* name, value, ... NULL */

static char *get(const char *name)
{
    for (int i = 0; environment[i]; i += 2)
        if (!strcmp(environment[i], name))
            return (char *)environment[i + 1];
    return NULL;
}

#define MOST_VARIABLES 8

static const struct {
    const char *variable[2 * MOST_VARIABLES + 1];
    struct launcher_rank rank;
    const char *sentence; /* NULL: it is found; "": there is none */
} found[] = {
    {{"OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "8", "OMPI_COMM_WORLD_LOCAL_RANK",
      "1", "OMPI_COMM_WORLD_LOCAL_SIZE", "2", "PMIX_NAMESPACE", "77@1"},
     {"openmpi", 3, 8, 1, 2, ""},
     NULL},
    /* srun that starts mpirun: the inner one counts */
    {{"SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "1", "OMPI_COMM_WORLD_RANK", "1",
      "OMPI_COMM_WORLD_SIZE", "2"},
     {"openmpi", 1, 2, -1, 0, ""},
     NULL},
    {{"SLURM_PROCID", "5", "SLURM_STEP_NUM_TASKS", "6", "SLURM_LOCALID", "2",
      "SLURM_STEP_NUM_NODES", "2", "SLURM_JOB_ID", "12", "SLURM_STEP_ID", "0"},
     {"slurm", 5, 6, 2, 0, "slurm-12.0"},
     NULL},
    {{"SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "4", "SLURM_STEP_NUM_NODES", "1"},
     {"slurm", 0, 4, -1, 4, ""},
     NULL},
    /* a script of sbatch --array=10-16:2 */
    {{"SLURM_PROCID", "0", "SLURM_ARRAY_TASK_ID", "14", "SLURM_ARRAY_TASK_COUNT", "4",
      "SLURM_ARRAY_TASK_MIN", "10", "SLURM_ARRAY_TASK_STEP", "2", "SLURM_ARRAY_JOB_ID", "9"},
     {"slurm-array", 2, 4, -1, 0, "slurm-array-9"},
     NULL},
    /* of --array=3,5 */
    {{"SLURM_ARRAY_TASK_ID", "5", "SLURM_ARRAY_TASK_COUNT", "2", "SLURM_ARRAY_TASK_MIN", "3",
      "SLURM_ARRAY_TASK_MAX", "5", "SLURM_ARRAY_TASK_STEP", "1"},
     {"slurm-array", 2, 3, -1, 0, ""},
     NULL},
    {{"FLUX_TASK_RANK", "1", "FLUX_JOB_SIZE", "2", "FLUX_TASK_LOCAL_ID", "1", "FLUX_JOB_NNODES",
      "1", "FLUX_JOB_ID", "\xc6\x92/A1"},
     {"flux", 1, 2, 1, 2, "flux----A1"},
     NULL},
    {{"PMI_RANK", "1", "PMI_SIZE", "2", "MPI_LOCALRANKID", "0", "MPI_LOCALNRANKS", "1"},
     {"mpich", 1, 2, 0, 1, ""},
     NULL},
    {{"JOB_COMPLETION_INDEX", "7"},
     {.rank = 0},
     "kubernetes does not say how many ranks there are: give --rank $JOB_COMPLETION_INDEX/N"},
    /* a batch script that no srun has started is one process */
    {{"SLURM_PROCID", "0", "SLURM_NTASKS", "4"}, {.rank = 0}, ""},
    {{NULL}, {.rank = 0}, ""},
    {{"PMI_RANK", "two", "PMI_SIZE", "2"},
     {.rank = 0},
     "PMI_RANK=two: expected a number from 0 to 1000000"},
    {{"PMI_RANK", "2", "PMI_SIZE", "2"},
     {.rank = 0},
     "PMI_RANK=2 with PMI_SIZE=2: expected a rank below the size"},
    {{"PMI_RANK", "-1", "PMI_SIZE", "2"}, {.rank = 0}, "PMI_RANK=-1: expected a number"},
    {{"PMI_RANK", "0.5", "PMI_SIZE", "2"}, {.rank = 0}, "PMI_RANK=0.5: expected a number"},
};

TEST(launchers)
{
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        struct launcher_rank rank;
        enum bench_status status;
        bool is_there;

        environment = found[i].variable;
        status = launcher_rank_seek(get, &rank, &is_there);
        assert_true(is_there == !(found[i].sentence && !*found[i].sentence));
        if (found[i].sentence && is_there) {
            assert_int_equal(status, BENCH_EINPUT);
            assert_non_null(strstr(bench_failure(), found[i].sentence));
            continue;
        }
        assert_int_equal(status, BENCH_OK);
        if (!is_there)
            continue;
        assert_string_equal(rank.launcher, found[i].rank.launcher);
        assert_int_equal(rank.rank, found[i].rank.rank);
        assert_int_equal(rank.size, found[i].rank.size);
        assert_int_equal(rank.local, found[i].rank.local);
        assert_int_equal(rank.local_size, found[i].rank.local_size);
        assert_string_equal(rank.job, found[i].rank.job);
    }
}

TEST(ranks_by_hand)
{
    static const char *const wrong[] = {"", "3", "3/", "3/3", "-1/3", "1/3x", "a/3", "0/0"};
    struct launcher_rank rank;

    assert_int_equal(launcher_rank_parse("3/16", &rank), BENCH_OK);
    assert_int_equal(rank.rank, 3);
    assert_int_equal(rank.size, 16);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(launcher_rank_parse(wrong[i], &rank), BENCH_EINPUT);
}

/* ---- what is a rank's ---- */

static const char inputs_and_times[] =
    "[global]\nproblem = rdp\nimpl = rdp/gpu-opt, rdp/serial, rdp/omp-columns\n"
    "input = scene\nwidth = 40\nseries = hot\ntimeout = 9\n"
    "[long]\nheight = 24\nwidth = 40, 41\nmin_time = 3\n"
    "[many]\nheight = 64\nmin_time = 0.975\nthreads = 1-6+1\n"
    "[short]\nheight = 32, 40, 48\nmin_time = 1\n"
    "[untimed]\nheight = 56\ntimes = 0\n";

static void read_descriptor(const char *text, bool with_absent, struct bench_experiment *e)
{
    const struct bench_overrides overrides = {.with_absent = with_absent};
    char path[512];

    snprintf(path, sizeof path, "%s/share.ini", support_place());
    write_bytes(path, text, strlen(text));
    if (experiment_read(path, &overrides, e) != BENCH_OK)
        fail_msg("%s", bench_failure());
}

/* "24/40:1": of each group, by its height and width, which rank has it. */
static const char *owners(int size, uint64_t *hash)
{
    static char text[200];
    struct bench_experiment e;
    struct bench_share share;
    int n = 0;

    read_descriptor(inputs_and_times, true, &e);
    assert_int_equal(share_make(&e, 0, size, &share), BENCH_OK);
    assert_int_equal(share.n_groups, 7);
    text[0] = '\0';
    for (int i = 0; i < e.n_configs; i++) {
        const struct bench_params *const params = &e.configs[i].params;
        char item[40];

        assert_true(share.config[i].wants_gpu);
        snprintf(item, sizeof item, " %d/%d:%d", (int)bench_int(params, "height"),
                 (int)bench_int(params, "width"), share.config[i].owner);
        if (!strstr(text, item))
            n += snprintf(text + n, sizeof text - (size_t)n, "%s", item);
    }
    *hash = share.hash;
    share_free(&share);
    experiment_free(&e);
    return text;
}

/* The longest group first, of twice 9.6, of 9.4, three times 3.6, and 0.6 s, each to the rank
 * that has least; of two the lower one, and of groups as long the one that the descriptor has
 * first.  A change here makes ranks of two builds differ. */
TEST(shares_are_fixed)
{
    static const char *const expected[] = {
        " 24/40:0 24/41:0 64/40:0 32/40:0 40/40:0 48/40:0 56/40:0",
        " 24/40:0 24/41:1 64/40:0 32/40:1 40/40:1 48/40:1 56/40:0",
        " 24/40:0 24/41:1 64/40:2 32/40:2 40/40:0 48/40:1 56/40:2",
        " 24/40:0 24/41:1 64/40:2 32/40:3 40/40:3 48/40:3 56/40:2",
        " 24/40:0 24/41:1 64/40:2 32/40:3 40/40:4 48/40:3 56/40:4",
        " 24/40:0 24/41:1 64/40:2 32/40:3 40/40:4 48/40:5 56/40:3",
        " 24/40:0 24/41:1 64/40:2 32/40:3 40/40:4 48/40:5 56/40:6",
        " 24/40:0 24/41:1 64/40:2 32/40:3 40/40:4 48/40:5 56/40:6", /* one rank more than groups */
    };
    uint64_t hash, first = 0;

    for (int i = 0; i < (int)(sizeof expected / sizeof *expected); i++) {
        assert_string_equal(owners(i + 1, &hash), expected[i]);
        first = i ? first : hash;
        assert_true(hash == first); /* what is shared is the same, however many share it */
    }
}

TEST(inputs_are_divided)
{
    for (int size = 1; size < 10; size++)
        for (int n = 1; n < 40; n++) {
            int next = 0;

            for (int rank = 0; rank < size; rank++) {
                const struct bench_share share = {.rank = rank, .size = size};
                int from, to;

                share_inputs(&share, n, &from, &to);
                if (rank >= n) { /* none is left */
                    assert_int_equal(from, to);
                    continue;
                }
                assert_int_equal(from, next);
                assert_in_range(to - from, n / size, (n + size - 1) / size);
                next = to;
            }
            assert_int_equal(next, n);
        }
}

int main(void)
{
    mkdir(support_place(), 0777);
    return run_all_tests(NULL, NULL);
}

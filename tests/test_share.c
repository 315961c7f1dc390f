/* test_share.c - which rank a process is, and units of work that ranks take from each other */
#include "harness/suite/launcher.h"
#include "harness/suite/share.h"
#include "tests/files.h"
#include "tests/support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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
    const char *sentence; /* NULL: it is found */
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
     {"slurm", 5, 6, 2, 0, "12.0"},
     NULL},
    {{"SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "4", "SLURM_STEP_NUM_NODES", "1"},
     {"slurm", 0, 4, -1, 4, ""},
     NULL},
    /* a script of sbatch --array=10-16:2 */
    {{"SLURM_PROCID", "0", "SLURM_ARRAY_TASK_ID", "14", "SLURM_ARRAY_TASK_COUNT", "4",
      "SLURM_ARRAY_TASK_MIN", "10", "SLURM_ARRAY_TASK_STEP", "2", "SLURM_ARRAY_JOB_ID", "9"},
     {"slurm-array", 2, 4, -1, 0, "9"},
     NULL},
    /* of --array=3,5 */
    {{"SLURM_ARRAY_TASK_ID", "5", "SLURM_ARRAY_TASK_COUNT", "2", "SLURM_ARRAY_TASK_MIN", "3",
      "SLURM_ARRAY_TASK_MAX", "5", "SLURM_ARRAY_TASK_STEP", "1"},
     {"slurm-array", 2, 3, -1, 0, ""},
     NULL},
    {{"FLUX_TASK_RANK", "1", "FLUX_JOB_SIZE", "2", "FLUX_TASK_LOCAL_ID", "1", "FLUX_JOB_NNODES",
      "1", "FLUX_JOB_ID", "fA1"},
     {"flux", 1, 2, 1, 2, "fA1"},
     NULL},
    {{"PMI_RANK", "1", "PMI_SIZE", "2", "MPI_LOCALRANKID", "0", "MPI_LOCALNRANKS", "1"},
     {"mpich", 1, 2, 0, 1, ""},
     NULL},
    {{"JOB_COMPLETION_INDEX", "7"},
     {.rank = 0},
     "kubernetes does not say how many ranks there are: give --rank $JOB_COMPLETION_INDEX/N"},
    /* a batch script that no srun has started is one process */
    {{"SLURM_PROCID", "0", "SLURM_NTASKS", "4"}, {.rank = 0}, "no launcher has set a rank"},
    {{NULL}, {.rank = 0}, "no launcher has set a rank"},
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

        environment = found[i].variable;
        status = launcher_rank_find(get, &rank);
        if (found[i].sentence) {
            assert_int_equal(status, BENCH_EINPUT);
            assert_non_null(strstr(bench_failure(), found[i].sentence));
            continue;
        }
        assert_int_equal(status, BENCH_OK);
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

/* ---- units ---- */

static char folder[4096];

static struct bench_share *join(const char *host, int rank, int size, bool is_one_host)
{
    const struct share_place place = {"c", host, rank, size, is_one_host, false};
    struct bench_share *share = NULL;

    assert_int_equal(share_open(folder, &place, &share), BENCH_OK);
    return share;
}

static bool takes(struct bench_share *share, uint64_t unit)
{
    bool taken;
    int n_died;

    assert_int_equal(share_take(share, unit, unit, 0, NULL, &taken, &n_died), BENCH_OK);
    if (taken)
        share_give_back(share);
    return taken;
}

TEST(one_rank_has_a_unit)
{
    struct bench_share *a = join("here", 0, 2, true), *b = join("here", 1, 2, true);
    bool taken;
    int n_died;

    assert_int_equal(share_take(a, 7, 7, 0, NULL, &taken, &n_died), BENCH_OK);
    assert_true(taken);
    assert_false(takes(b, 7));
    assert_true(takes(b, 8));
    assert_false(takes(b, 7)); /* giving back the one lets go of no other */
    share_give_back(a);
    assert_true(takes(b, 7));
    share_close(a);
    share_close(b);
}

TEST(units_are_divided)
{
    struct bench_share *share[3];

    for (int i = 0; i < 3; i++)
        share[i] = join("here", i, 3, true);
    for (uint64_t unit = 0; unit < 100; unit++) {
        int n = 0;

        for (int i = 0; i < 3; i++)
            n += share_is_own(share[i], unit);
        assert_int_equal(n, 1);
    }
    for (int i = 0; i < 3; i++)
        share_close(share[i]);
}

/* A process that takes a unit as a rank and tells; it lives until it is killed. */
static pid_t take_of_group(uint64_t unit, uint64_t group, const char *host, int rank, int size)
{
    int pipe_of[2];
    char said = 0;
    pid_t child;

    assert_int_equal(pipe(pipe_of), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct bench_share *share = join(host, rank, size, true);
        bool taken = false;
        int n_died;

        prctl(PR_SET_PDEATHSIG, SIGKILL);
        share_take(share, unit, group, 0, NULL, &taken, &n_died);
        said = taken ? 'y' : 'n';
        if (write(pipe_of[1], &said, 1) == 1)
            for (;;)
                pause();
        _exit(1);
    }
    assert_int_equal(read(pipe_of[0], &said, 1), 1);
    assert_int_equal(said, 'y');
    close(pipe_of[0]);
    close(pipe_of[1]);
    return child;
}

static pid_t take_elsewhere(uint64_t unit, const char *host, int rank, int size)
{
    return take_of_group(unit, unit, host, rank, size);
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

TEST(a_dead_rank_lets_go)
{
    struct bench_share *share = join("here", 0, 2, true);
    const pid_t child = take_elsewhere(7, "here", 1, 2);
    bool taken;
    int n_died;

    assert_false(takes(share, 7));
    kill(child, SIGKILL); /* it may be dead only after this one has begun to wait */
    assert_int_equal(share_take(share, 7, 7, 0.001, NULL, &taken, &n_died), BENCH_OK);
    assert_true(taken);
    share_give_back(share);
    waitpid(child, NULL, 0);
    share_close(share);
}

/* A unit that ends its ranks is left to a rank that is alone, whom its user has asked for it. */
TEST(a_unit_that_kills_is_left)
{
    struct bench_share *share = join("here", 0, 2, true);
    bool taken;
    int n_died;

    end(take_elsewhere(7, "here", 1, 2));
    assert_true(takes(share, 7)); /* it comes to the unit's end: one death was chance */
    for (int i = 0; i < SHARE_MOST_DEATHS; i++)
        end(take_elsewhere(7, "here", 1, 2));
    assert_int_equal(share_take(share, 7, 7, 0.001, NULL, &taken, &n_died), BENCH_OK);
    assert_false(taken);
    assert_int_equal(n_died, SHARE_MOST_DEATHS);
    assert_true(takes(share, 8));
    share_close(share);
    share = join("here", 0, 1, true);
    assert_true(takes(share, 7));
    share_close(share);
}

/* What ends its ranks with any of its parts, ends no more of them than with one; parts that are in
 * work, or beside one that has come to its end, are no deaths. */
TEST(a_group_that_kills_is_left)
{
    const uint64_t group = 0xfedcba9876543210;
    struct bench_share *share = join("here", 0, 4, true);
    pid_t alive[SHARE_MOST_DEATHS];
    bool taken;
    int n_died;

    for (int i = 0; i < SHARE_MOST_DEATHS; i++)
        alive[i] = take_of_group(30 + (uint64_t)i, group, "here", 1 + i, 4);
    assert_int_equal(share_take(share, 40, group, 0, NULL, &taken, &n_died), BENCH_OK);
    assert_true(taken);
    for (int i = 0; i < SHARE_MOST_DEATHS; i++)
        end(alive[i]);
    share_give_back(share);
    assert_int_equal(share_take(share, 41, group, 0, NULL, &taken, &n_died), BENCH_OK);
    assert_true(taken); /* one part has come to its end */
    share_give_back(share);
    for (int i = 0; i < SHARE_MOST_DEATHS; i++)
        end(take_of_group(50 + (uint64_t)i, group + 1, "here", 1, 4));
    assert_int_equal(share_take(share, 60, group + 1, 0, NULL, &taken, &n_died), BENCH_OK);
    assert_false(taken);
    assert_int_equal(n_died, SHARE_MOST_DEATHS);
    assert_true(takes(share, 61)); /* of no group */
    share_close(share);
}

static int n_asked;

static bool stop(void)
{
    return n_asked++ > 0;
}

/* What asks for the end may come behind the first question, and be no signal that ends a wait. */
TEST(a_wait_can_be_stopped)
{
    struct bench_share *share = join("here", 0, 2, true);
    const pid_t child = take_elsewhere(7, "here", 1, 2);
    bool taken = true;
    int n_died;

    n_asked = 0;
    assert_int_equal(share_take(share, 7, 7, 0.001, stop, &taken, &n_died), BENCH_OK);
    assert_false(taken);
    assert_int_equal(n_asked, 2);
    end(child);
    share_close(share);
}

/* Only the sight of another host's lock proves that locks hold between hosts. */
TEST(help_needs_proof)
{
    struct bench_share *share = join("here", 0, 3, false);
    pid_t child;

    assert_false(share_may_help(share));
    child = take_elsewhere(20, "here", 1, 3);
    assert_false(share_may_help(share));
    end(child);
    child = take_elsewhere(21, "there", 2, 3);
    end(child);
    assert_false(share_may_help(share)); /* its file is there, and no lock */
    child = take_elsewhere(22, "there", 2, 3);
    assert_true(share_may_help(share));
    end(child);
    assert_true(share_may_help(share)); /* once seen is enough */
    share_close(share);
}

TEST(all_ranks_on_this_host_are_proof)
{
    struct bench_share *first = join("here", 0, 2, false), *second;

    assert_false(share_may_help(first));
    second = join("here", 1, 2, false);
    share_close(second);
    assert_true(share_may_help(first));
    share_close(first);
}

/* Its ranks may be elsewhere in this one.  One that runs twice leaves no trace. */
TEST(a_start_that_was_killed_is_no_proof)
{
    const struct share_place place = {"c", "here", 1, 2, false, false};
    const pid_t child = take_elsewhere(20, "here", 1, 2);
    struct bench_share *share = NULL;
    char path[4200];

    assert_int_equal(share_open(folder, &place, &share), BENCH_EINPUT);
    end(child);
    share = join("here", 0, 2, false);
    assert_false(share_may_help(share));
    share_close(share);
    share_close(join("here", 1, 2, false)); /* the first one has left by itself */
    snprintf(path, sizeof path, "%s/.share", folder);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* Its units would be others', too. */
TEST(a_late_rank_has_none)
{
    struct bench_share *share = join("here", 0, 2, false), *late = join("there", 0, 3, false);

    for (uint64_t unit = 0; unit < 10; unit++)
        assert_false(share_is_own(late, unit));
    assert_true(share_may_help(late));
    share_close(late);
    share_close(share);
}

/* Neither from those that were there before it, nor from those of their number that come behind. */
TEST(a_late_rank_takes_nothing_away)
{
    struct bench_share *first = join("here", 0, 2, false), *second;
    struct bench_share *late = join("there", 0, 3, false);

    (void)share_may_help(first);
    assert_true(share_is_own(first, 4));
    share_close(late);
    second = join("other", 1, 2, false);
    assert_true(share_is_own(second, 5));
    share_close(second);
    share_close(first);
}

/* A launcher knows its own ranks alone. */
TEST(one_host_is_no_proof_where_another_has_been)
{
    struct bench_share *share;
    char path[4200];

    end(take_elsewhere(24, "there", 0, 2));
    share = join("here", 0, 2, true);
    assert_false(share_may_help(share));
    share_close(share);
    share = join("here", 0, 1, false); /* whoever starts one alone wants the rest from it */
    assert_true(share_may_help(share));
    share_close(share);
    snprintf(path, sizeof path, "%s/.share", folder);
    support_remove(path);
}

TEST(a_dead_rank_makes_none_late)
{
    struct bench_share *share;
    char path[4200];

    snprintf(path, sizeof path, "%s/.share", folder);
    support_remove(path);
    end(take_elsewhere(23, "here", 3, 4));
    share = join("here", 0, 1, false);
    assert_true(share_is_own(share, 5));
    share_close(share);
    support_remove(path);
}

/* A rank of this start that has not come may have one; one that died may have left its work. */
TEST(who_may_have_a_gpu)
{
    const struct share_place with = {"c", "there", 2, 3, false, true};
    struct bench_share *share = join("here", 0, 3, false), *second, *third;

    assert_true(share_may_have_gpu(share));
    second = join("here", 1, 3, false);
    assert_true(share_may_have_gpu(share));
    share_close(second);
    end(take_elsewhere(25, "there", 2, 3));
    assert_false(share_may_have_gpu(share));
    assert_int_equal(share_open(folder, &with, &third), BENCH_OK);
    share_close(third);
    assert_true(share_may_have_gpu(share));
    share_close(share);
    share = join("here", 0, 1, false);
    assert_false(share_may_have_gpu(share)); /* it does what is left */
    share_close(share);
}

TEST(a_rank_is_there_once)
{
    struct bench_share *share = join("here", 1, 2, true), *again = NULL;
    const struct share_place place = {"c", "here", 1, 2, true, false};

    assert_int_equal(share_open(folder, &place, &again), BENCH_EINPUT);
    assert_null(again);
    assert_string_equal(bench_failure(), "rank 1 of 2 of c runs already on this host");
    share_close(share);
}

/* Whether a process waits for the lock that all ranks share. */
static bool is_waited_for(void)
{
    char line[200];
    bool is = false;
    FILE *const locks = fopen("/proc/locks", "r");

    assert_non_null(locks);
    while (fgets(line, sizeof line, locks))
        is |= strstr(line, "->") && strstr(line, " 1099511627776 ");
    fclose(locks);
    return is;
}

/* A rank comes while another one clears: what it has opened is gone when it may enter. */
TEST(cleared_while_it_came)
{
    struct flock lock = {.l_type = F_WRLCK, .l_start = (off_t)1 << 40, .l_len = 1};
    char path[4200], own[4200];
    int units, state = -1;
    pid_t child;

    snprintf(path, sizeof path, "%s/.share/c", folder);
    assert_int_equal(text_make_folder(path), BENCH_OK);
    snprintf(path, sizeof path, "%s/.share/c/units", folder);
    snprintf(own, sizeof own, "%s/.share/c/here.1.2", folder);
    units = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    assert_int_equal(fcntl(units, F_OFD_SETLK, &lock), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct share_place place = {"c", "here", 1, 2, false, false};
        struct bench_share *share;

        close(units); /* else the lock would outlive the parent's */
        _exit(share_open(folder, &place, &share) || access(own, F_OK) || access(path, F_OK));
    }
    while (!is_waited_for())
        ;
    assert_int_equal(unlink(own), 0);
    assert_int_equal(unlink(path), 0);
    close(units);
    waitpid(child, &state, 0);
    assert_int_equal(state, 0);
    snprintf(path, sizeof path, "%s/.share", folder);
    support_remove(path);
}

/* Ranks that come and go at once, as between two experiments of one call: a unit has one owner,
 * though its file is cleared and made anew all the time. */
TEST(ranks_that_come_while_others_clear)
{
    enum { N_RANKS = 4, N_ROUNDS = 300 };
    char path[4200];
    pid_t child[N_RANKS];

    snprintf(path, sizeof path, "%s/owner", folder);
    for (int rank = 0; rank < N_RANKS; rank++) {
        child[rank] = fork();
        assert_true(child[rank] >= 0);
        for (int i = 0; child[rank] == 0 && i < N_ROUNDS; i++) {
            const struct share_place place = {"clear", "here", rank, N_RANKS, true, false};
            struct bench_share *share;
            bool taken = false;
            int fd = -1, n_died;

            if (share_open(folder, &place, &share) ||
                share_take(share, 7, 7, 0.001, NULL, &taken, &n_died) || !taken)
                _exit(1);
            fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0666);
            if (fd < 0 || unlink(path) || close(fd))
                _exit(2); /* another one owns the unit, too */
            share_give_back(share);
            share_close(share);
        }
        if (child[rank] == 0)
            _exit(0);
    }
    for (int rank = 0; rank < N_RANKS; rank++) {
        int state = -1;

        waitpid(child[rank], &state, 0);
        assert_int_equal(state, 0);
    }
}

TEST(the_last_one_clears)
{
    char path[4200];
    struct bench_share *a = join("here", 0, 2, true), *b = join("here", 1, 2, true);

    snprintf(path, sizeof path, "%s/.share", folder);
    share_close(a);
    assert_int_equal(access(path, F_OK), 0);
    share_close(b);
    assert_int_not_equal(access(path, F_OK), 0);
}

TEST(a_folder_that_cannot_be)
{
    const struct share_place place = {"c", "here", 0, 2, true, false};
    char path[4200];
    struct bench_share *share;

    snprintf(path, sizeof path, "%s/file", folder);
    write_bytes(path, "x", 1);
    assert_int_equal(share_open(path, &place, &share), BENCH_EIO);
    assert_null(share);
}

int main(void)
{
    int failed;

    mkdir(support_place(), 0777);
    snprintf(folder, sizeof folder, "%s/share-XXXXXX", support_place());
    if (!mkdtemp(folder))
        return 1;
    failed = run_all_tests(NULL, NULL);
    support_remove(folder);
    return failed;
}

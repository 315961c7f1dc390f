/* test_share.c - which rank a process is, and which part of an experiment is a rank's */
#include "harness/suite/launcher.h"
#include "harness/suite/share.h"
#include "tests/session.h"
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- launchers ---- */

static char environment[400]; /* "NAME=VALUE", and a NUL behind each */

static char *get(const char *name)
{
    const size_t n = strlen(name);

    for (char *at = environment; *at; at += strlen(at) + 1)
        if (!strncmp(at, name, n) && at[n] == '=')
            return at + n + 1;
    return NULL;
}

/* "LAUNCHER RANK of SIZE, LOCAL of LOCAL_SIZE, 'JOB'", "none", or the words that refuse it. */
static void seek(const char *variables, const char *expected)
{
    struct launcher_rank rank;
    char found[200] = "none";
    bool is_there;

    memset(environment, 0, sizeof environment);
    snprintf(environment, sizeof environment - 1, "%s", variables);
    for (char *blank = environment; (blank = strchr(blank, ' ')) != NULL;)
        *blank++ = '\0';
    if (launcher_rank_seek(get, &rank, &is_there)) {
        assert_true(is_there);
        assert_non_null(strstr(bench_failure(), expected));
        return;
    }
    if (is_there)
        snprintf(found, sizeof found, "%s %d of %d, %d of %d, '%s'", rank.launcher, rank.rank,
                 rank.size, rank.local, rank.local_size, rank.job);
    assert_string_equal(found, expected);
}

TEST(launchers)
{
    each_case("tests/damaged.cases", "launchers", seek);
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

/* Longest group first (twice 9.6, 9.4, three times 3.6, 0.6 s), each to the rank with least,
 * the lower of two; equal groups in the descriptor's order.  A change makes builds differ. */
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
        " 24/40:0 24/41:1 64/40:2 32/40:3 40/40:4 48/40:5 56/40:6", /* more ranks than groups */
    };
    uint64_t hash, first = 0;

    for (int i = 0; i < (int)(sizeof expected / sizeof *expected); i++) {
        assert_string_equal(owners(i + 1, &hash), expected[i]);
        first = i ? first : hash;
        assert_true(hash == first); /* the work is the same, however many share it */
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

/*
 * test_emulator.c - the emulator itself: its operations, and the faults that it finds
 */

#include "tests/emulation/cuda_runtime.h"
#include "tests/emulation/kernels.h"
#include "tests/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_OF(array) (sizeof(array) / sizeof *(array))
#define MAX_WORDS   512
#define N_SEEDS     40

static uint32_t words[MAX_WORDS];
/* 3 * i */
static uint32_t threes[MAX_WORDS];
static const uint32_t zeros[MAX_WORDS];

static int run(uint64_t seed, const char *kernel, const uint32_t *begin, int n)
{
    memset(words, 0, sizeof words);
    emulated_seed(seed);
    emulated_forget_failure();
    return kernels_run(kernel, begin, words, n);
}

/* ---- what is right ---- */

static uint32_t warp_value(uint32_t i)
{
    const uint32_t lane = i / N_VALUES, next = (lane + 1) % 32, in_group = lane % 8;
    const uint32_t expected[N_VALUES] = {next * next,
                                         lane < 3 ? lane : lane - 3,
                                         lane > 26 ? lane : lane + 5,
                                         lane ^ 17,
                                         lane - in_group + 2,
                                         in_group < 2 ? lane : lane - 2,
                                         in_group > 5 ? lane : lane + 2,
                                         (lane ^ 9) < lane - in_group + 8 ? lane ^ 9 : lane,
                                         (lane ^ 1) / 2,
                                         0x49249249,
                                         496,
                                         31,
                                         (uint32_t)-26,
                                         lane < 16 ? 0xAAAA : 0};

    return expected[i % N_VALUES];
}

static uint32_t block_value(uint32_t i)
{
    (void)i;
    return 25000 + 2;
}

static uint32_t value_of_ends(uint32_t i)
{
    uint32_t sum = 0;

    for (uint32_t k = 0; k < 70; k++)
        sum += k % 32 < 20 && k / 32 != 1 ? k : 0;
    return i < 20 ? sum + 0xFFFFF : i >= 64 ? sum + 0x3F : 0;
}

static uint32_t value_of_atomics(uint32_t i)
{
    const uint32_t expected[] = {7 * 3 * 40, 2000 + 600 + 39, 0xFFFFFFFF, 77};

    return expected[i];
}

static uint32_t reversed(uint32_t i)
{
    return 3 * (63 - i);
}

/* Once round its half, and one more a step. */
static uint32_t value_of_parts(uint32_t i)
{
    return i + 16;
}

static uint32_t one(uint32_t i)
{
    (void)i;
    return 1;
}

TEST(right_kernels_give_their_values)
{
    static const struct {
        const char *kernel;
        const uint32_t *begin;
        uint32_t n, (*expected)(uint32_t i);
    } cases[] = {{"warp_values", NULL, 32 * N_VALUES, warp_value},
                 {"block_values", NULL, 100, block_value},
                 {"early_ends", zeros, 70, value_of_ends},
                 {"grid_atomics", zeros, 4, value_of_atomics},
                 {"right_reverse", threes, 64, reversed},
                 {"parts_of_warps", NULL, 32, value_of_parts},
                 {"clock_grows", NULL, 33, one}};

    for (size_t k = 0; k < N_OF(cases); k++)
        for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
            if (run(seed, cases[k].kernel, cases[k].begin, (int)cases[k].n))
                fail_msg("%s: %s", cases[k].kernel, emulated_failure());
            for (uint32_t i = 0; i < cases[k].n; i++)
                if (words[i] != cases[k].expected(i))
                    fail_msg("%s, seed %d: word %u is %u, expected %u", cases[k].kernel,
                             (int)seed, i, words[i], cases[k].expected(i));
        }
}

TEST(a_seed_is_an_order)
{
    uint32_t first[64];
    int n_others = 0;

    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        uint32_t seen[64] = {0};

        assert_int_equal(run(seed, "orders", NULL, 64), 0);
        for (int i = 0; i < 64; i++)
            assert_int_equal(seen[words[i] % 64]++, 0);
        memcpy(first, words, sizeof first);
        assert_int_equal(run(seed, "orders", NULL, 64), 0);
        assert_memory_equal(first, words, sizeof first);
        assert_int_equal(run(seed + 1, "orders", NULL, 64), 0);
        n_others += memcmp(first, words, sizeof first) != 0;
    }
    assert_true(n_others > N_SEEDS / 4);
}

/* ---- what is wrong ---- */

/* asan ends it. */
static bool ends_the_program(const char *kernel)
{
    const pid_t child = fork();
    int status = 0;

    assert_true(child >= 0);
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr))
            kernels_run(kernel, zeros, words, 64);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status != 0;
}

TEST(wrong_kernels_are_found)
{
    static const struct {
        const char *kernel, *said;
        bool in_memory; /* found where accesses are looked at */
    } cases[] = {
        {"divergent_barrier", "meets the barrier at tests/emulation/kernels.cu:", false},
        {"lost_barrier", "deadlock: thread 0 and 15 more wait at __any_sync of", false},
        {"lost_barrier", "thread 1 and 15 more wait at the block's barrier of", false},
        {"lost_lane", "block 0: deadlock: thread 0 and 30 more wait at __shfl_sync", false},
        {"lost_lane", "thread 5 and 32 more wait at the block's barrier of", false},
        {"reads_ended_lane", "lane 30 reads lane 31, which does not take part", false},
        {"not_in_mask", "__ballot_sync(0x0000ffff)", false},
        {"odd_width", "a width of 24", false},
        {"unmet", "the lanes of a warp do not meet", false},
        {"too_many_threads", "blocks of 1025 x 1 x 1 threads", false},
        {"too_much_shared", "49153 bytes of dynamic shared memory", false},
        {"race_of_blocks", "a race with a write by warp 0", true},
        {"beyond_shared", "128 bytes from the begin of dynamic shared memory of 128", true},
        {"beyond_global", "256 bytes from the begin of an allocation of 256", true},
        {"odd_word", "its address is no multiple of that", true},
        {"host_memory", "the host's memory, or none", true},
        {"unwritten_shared", "nobody has written it", true},
        {"unwritten_global", "nobody has written it", true},
    };

    for (size_t k = 0; k < N_OF(cases); k++)
        for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
            if (cases[k].in_memory && !emulated_sees_memory())
                continue;
            if (!run(seed, cases[k].kernel, NULL, 64))
                fail_msg("%s, seed %d: nothing found", cases[k].kernel, (int)seed);
            if (!strstr(emulated_failure(), cases[k].said))
                fail_msg("%s, seed %d: expected '%s' in '%s'", cases[k].kernel, (int)seed,
                         cases[k].said, emulated_failure());
        }
    if (!emulated_sees_memory()) {
        assert_true(ends_the_program("beyond_shared"));
        assert_true(ends_the_program("beyond_global"));
        assert_false(ends_the_program("right_reverse"));
    }
}

/* Such a run ends at an access that is not ordered, or that finds nothing written yet. */
TEST(races_are_found)
{
    static const struct {
        const char *kernel;
        int n, n_races; /* runs that do the former, at least */
    } cases[] = {{"no_barrier", 64, 0},
                 {"shuffle_is_no_barrier", 32, N_SEEDS}, /* all have written */
                 {"warp_is_no_block", 64, 1}};

    if (!emulated_sees_memory())
        skip();
    for (size_t k = 0; k < N_OF(cases); k++) {
        int n_races = 0;

        for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
            const int error = run(seed, cases[k].kernel, zeros, cases[k].n);
            const bool is_race = strstr(emulated_failure(), "a race with a ") != NULL;

            if (!error || !strstr(emulated_failure(), "kernels.cu:") ||
                (!is_race && !strstr(emulated_failure(), "nobody has written it")))
                fail_msg("%s, seed %d: '%s'", cases[k].kernel, (int)seed, emulated_failure());
            n_races += is_race;
        }
        assert_true(n_races >= cases[k].n_races);
    }
}

/* Some order gives another result, also if accesses are not looked at. */
TEST(a_missing_barrier_shows_in_some_order)
{
    int n_wrong = 0;

    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        bool wrong = run(seed, "no_barrier", threes, 64) != 0;

        for (uint32_t i = 0; i < 64 && !wrong; i++)
            wrong = words[i] != reversed(i);
        n_wrong += wrong;
    }
    assert_true(n_wrong > N_SEEDS / 2);
}

/* Blocks that wait for each other, on one device and on two. */
TEST(blocks_run_together)
{
    for (uint64_t seed = 0; seed < 2 * N_SEEDS; seed++) {
        const int n_devices = 1 + (int)seed % 2, n = 2 * n_devices;

        emulated_seed(seed);
        emulated_forget_failure();
        if (n_devices == 2 && seed < 2) { /* nobody has asked for access yet */
            if (emulated_sees_memory())
                assert_int_not_equal(kernels_meet(2, 2, 0, words), 0);
            assert_true(!emulated_sees_memory() ||
                        strstr(emulated_failure(), "a device that is no peer"));
            assert_int_equal(cudaDeviceEnablePeerAccess(1, 0), 0);
            assert_int_equal(cudaSetDevice(1), 0);
            assert_int_equal(cudaDeviceEnablePeerAccess(0, 0), 0);
            assert_int_equal(cudaSetDevice(0), 0);
        }
        if (kernels_meet(n_devices, 2, 0, words))
            fail_msg("seed %d: %s", (int)seed, emulated_failure());
        for (int i = 0; i < n; i++)
            assert_int_equal(words[i], 100 * (i + 1) + n * (n + 1) / 2);
    }
}

TEST(blocks_that_cannot_meet_are_found)
{
    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        emulated_seed(seed);
        assert_int_not_equal(kernels_meet(1, 2, 1, words), 0);
        assert_non_null(strstr(emulated_failure(), "more wait at a word of tests/emulation"));
        assert_non_null(strstr(emulated_failure(), "deadlock"));
    }
    assert_int_not_equal(kernels_meet(1, EMULATED_PROCESSORS + 1, 0, words), 0);
    assert_non_null(strstr(emulated_failure(), "blocks that wait for each other"));
    assert_int_not_equal(cudaSetDevice(EMULATED_DEVICES), 0);
    assert_int_not_equal(
        cudaMemcpyAsync(words, words, 4, cudaMemcpyHostToDevice, (cudaStream_t)(size_t)1), 0);
    emulated_forget_failure();
}

TEST(copies_beyond_an_allocation_fail)
{
    void *d = NULL;

    assert_int_equal(cudaMalloc(&d, 16), 0);
    assert_int_equal(cudaMemcpyAsync(d, zeros, 16, cudaMemcpyHostToDevice, NULL), 0);
    assert_int_not_equal(cudaMemcpyAsync(d, zeros, 17, cudaMemcpyHostToDevice, NULL), 0);
    assert_int_not_equal(
        cudaMemcpyAsync(words, (char *)d + 1, 16, cudaMemcpyDeviceToHost, NULL), 0);
    assert_int_not_equal(cudaMemsetAsync(words, 0, 4, NULL), 0);
    assert_int_not_equal(cudaFree((char *)d + 4), 0);
    assert_int_equal(cudaFree(d), 0);
    assert_int_not_equal(cudaFree(d), 0);
    assert_int_equal(cudaFree(NULL), 0);
    emulated_forget_failure();
}

int main(void)
{
    for (uint32_t i = 0; i < MAX_WORDS; i++)
        threes[i] = 3 * i;
    return run_all_tests(NULL, NULL);
}

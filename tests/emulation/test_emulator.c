/*
 * test_emulator.c - the emulator itself: what its operations give, and that it finds what is wrong (no GPU runs)
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/emulation/emulator.h"
#include "tests/emulation/kernels.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_WORDS 512
#define N_SEEDS   40

static uint32_t words[MAX_WORDS];

/* Run what must go well. */
static void run(enum kernel_case which, const uint32_t *begin, int n)
{
    memset(words, 0, sizeof words);
    emulated_forget_failure();
    if (kernels_run(which, begin, words, n))
        fail_msg("%s", emulated_failure());
}

/* Run what must not, with any seed, and say so. */
static void run_wrong(enum kernel_case which, const uint32_t *begin, int n, const char *part)
{
    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        emulated_seed(seed);
        emulated_forget_failure();
        if (kernels_run(which, begin, words, n) == 0)
            fail_msg("seed %d: expected '%s', found nothing", (int)seed, part);
        if (!strstr(emulated_failure(), part))
            fail_msg("seed %d: expected '%s' in '%s'", (int)seed, part, emulated_failure());
    }
}

static const uint32_t zeros[MAX_WORDS]; /* in memory that cannot be written, so the host's */

/* Run what races: it ends at an access that is not ordered, or that finds nothing written yet.  Returns how often the former. */
static int run_race(enum kernel_case which, int n)
{
    int n_races = 0;

    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        emulated_seed(seed);
        emulated_forget_failure();
        if (kernels_run(which, zeros, words, n) == 0)
            fail_msg("seed %d: found no race", (int)seed);
        if (!strstr(emulated_failure(), "kernels.cu:"))
            fail_msg("seed %d: no place in '%s'", (int)seed, emulated_failure());
        if (strstr(emulated_failure(), "a race with a "))
            n_races++;
        else if (!strstr(emulated_failure(), "nobody has written it"))
            fail_msg("seed %d: %s", (int)seed, emulated_failure());
    }
    return n_races;
}

/* ---- what is right ---- */

static void operations_of_a_warp(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        emulated_seed(seed);
        run(WARP_VALUES, NULL, 32 * N_VALUES);
        for (unsigned lane = 0; lane < 32; lane++) {
            const uint32_t *const v = words + N_VALUES * lane;
            const unsigned next = (lane + 1) % 32;

            assert_int_equal(v[0], next * next);
            assert_int_equal(v[1], lane < 3 ? lane : lane - 3);
            assert_int_equal(v[2], lane > 26 ? lane : lane + 5);
            assert_int_equal(v[3], lane ^ 17);
            assert_int_equal(v[4], 0x49249249);
            assert_int_equal(v[5], 1);
            assert_int_equal(v[6], 1);
            assert_int_equal(v[7], 0xFFu << (lane / 8 * 8));
            assert_int_equal(v[8], 496);
            assert_int_equal(v[9], 31);
            assert_int_equal((int32_t)v[10], -26);
            assert_int_equal(v[11], lane < 16 ? 0xAAAA : 0);
        }
    }
}

static void shuffles_of_a_width(void **state)
{
    (void)state;
    run(NARROW_SHUFFLES, NULL, 32 * 4);
    for (unsigned lane = 0; lane < 32; lane++) {
        const uint32_t *const v = words + 4 * lane;
        const unsigned begin = lane / 8 * 8;

        assert_int_equal(v[0], begin + 2);
        assert_int_equal(v[1], lane - begin < 2 ? lane : lane - 2);
        assert_int_equal(v[2], lane - begin > 5 ? lane : lane + 2);
        assert_int_equal(v[3], (lane ^ 9) < begin + 8 ? lane ^ 9 : lane);
    }
}

static void votes_of_a_block(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        emulated_seed(seed);
        run(BLOCK_VALUES, NULL, 100);
        for (int i = 0; i < 100; i++)
            assert_int_equal(words[i], 25000 + 8 + 2);
    }
}

static void threads_that_ended_are_not_waited_for(void **state)
{
    uint32_t sum = 0;

    (void)state;
    for (uint32_t i = 0; i < 70; i++)
        sum += i % 32 < 20 && i / 32 != 1 ? i : 0;
    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        emulated_seed(seed);
        run(EARLY_ENDS, zeros, 70);
        for (uint32_t i = 0; i < 70; i++)
            assert_int_equal(words[i], i < 20 ? sum + 0xFFFFF : i >= 64 ? sum + 0x3F : 0);
    }
}

static void atomics_of_a_grid(void **state)
{
    (void)state;
    run(GRID_ATOMICS, zeros, 4);
    assert_int_equal(words[0], 7 * 3 * 40);
    assert_int_equal(words[1], 2000 + 600 + 39);
    assert_int_equal(words[2], 0xFFFFFF00); /* 21 blocks: bits 0 to 7 twice in each */
    assert_int_equal(words[3], 77);
}

static void a_seed_is_an_order(void **state)
{
    uint32_t first[64];
    int n_others = 0;

    (void)state;
    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        uint32_t seen[64] = {0};

        emulated_seed(seed);
        run(ORDERS, NULL, 64);
        for (int i = 0; i < 64; i++)
            seen[words[i]]++;
        for (int i = 0; i < 64; i++)
            assert_int_equal(seen[i], 1);
        memcpy(first, words, sizeof first);
        emulated_seed(seed);
        run(ORDERS, NULL, 64);
        assert_memory_equal(first, words, sizeof first);
        emulated_seed(seed + 1);
        run(ORDERS, NULL, 64);
        n_others += memcmp(first, words, sizeof first) != 0;
    }
    assert_true(n_others > N_SEEDS / 4);
}

static void launches_by_address(void **state)
{
    (void)state;
    run(DOUBLES, NULL, 32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(words[i], 100 + (i ^ 1) / 2);
}

static void shared_memory_and_parts_of_warps(void **state)
{
    uint32_t begin[64];

    (void)state;
    for (uint32_t i = 0; i < 64; i++)
        begin[i] = 3 * i;
    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        emulated_seed(seed);
        run(RIGHT_REVERSE, begin, 64);
        for (uint32_t i = 0; i < 64; i++)
            assert_int_equal(words[i], 3 * (63 - i));
        run(PARTS_OF_WARPS, NULL, 32);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(words[i], i + 16); /* once round its half, and one more a step */
    }
    run(TIME, NULL, 33);
    for (uint32_t i = 0; i < 33; i++)
        assert_int_equal(words[i], 1);
}

/* ---- what is wrong ---- */

static void races_are_found(void **state)
{
    (void)state;
    if (!emulated_sees_memory())
        skip();
    run_race(NO_BARRIER, 64);
    assert_int_equal(run_race(SHUFFLE_IS_NO_BARRIER, 32), N_SEEDS); /* all have written */
    assert_true(run_race(WARP_IS_NO_BLOCK, 64) > 0);
    run_wrong(RACE_OF_BLOCKS, zeros, 1, "a race with a write by warp 0");
}

/* Where accesses are not looked at, some order gives another result. */
static void a_missing_barrier_shows_in_some_order(void **state)
{
    uint32_t begin[64];
    int n_wrong = 0;

    (void)state;
    for (uint32_t i = 0; i < 64; i++)
        begin[i] = 3 * i;
    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        int wrong;

        emulated_seed(seed);
        emulated_forget_failure();
        wrong = kernels_run(NO_BARRIER, begin, words, 64) != 0;
        for (uint32_t i = 0; i < 64 && !wrong; i++)
            wrong = words[i] != 3 * (63 - i);
        n_wrong += wrong;
    }
    assert_true(n_wrong > N_SEEDS / 2);
}

static void deadlocks_are_found(void **state)
{
    (void)state;
    run_wrong(DIVERGENT_BARRIER, zeros, 64, "meets the barrier at tests/emulation/kernels.cu:");
    run_wrong(LOST_BARRIER, zeros, 32, "deadlock: thread 0 and 15 more wait at __any_sync of");
    run_wrong(LOST_BARRIER, zeros, 32, "thread 1 and 15 more wait at the block's barrier of");
    run_wrong(LOST_LANE, zeros, 64,
              "block 0: deadlock: thread 0 and 30 more wait at __shfl_sync");
    run_wrong(LOST_LANE, zeros, 64, "thread 5 and 32 more wait at the block's barrier of");
}

static void wrong_shuffles_and_votes_are_found(void **state)
{
    (void)state;
    run_wrong(READS_ENDED_LANE, zeros, 32, "lane 30 reads lane 31, which does not take part");
    run_wrong(NOT_IN_MASK, zeros, 32, "__ballot_sync(0x0000ffff)");
    run_wrong(ODD_WIDTH, zeros, 32, "a width of 24");
    run_wrong(UNMET, zeros, 32, "the lanes of a warp do not meet");
}

/* asan ends the program. */
static int ends_the_program(enum kernel_case which, int n)
{
    const pid_t child = fork();
    int status = 0;

    assert_true(child >= 0);
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(0);
        kernels_run(which, zeros, words, n);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status != 0;
}

static void wrong_accesses_are_found(void **state)
{
    (void)state;
    if (!emulated_sees_memory()) {
        assert_true(ends_the_program(BEYOND_SHARED, 32));
        assert_true(ends_the_program(BEYOND_GLOBAL, 8));
        assert_false(ends_the_program(RIGHT_REVERSE, 32));
        return;
    }
    run_wrong(BEYOND_SHARED, zeros, 32, "128 bytes from the begin of 128 of dynamic shared");
    run_wrong(BEYOND_GLOBAL, zeros, 8, "32 bytes from the begin of an allocation of 32");
    run_wrong(HOST_MEMORY, zeros, 32, "the host's memory, or none");
    run_wrong(UNWRITTEN_SHARED, zeros, 32, "nobody has written it");
    run_wrong(UNWRITTEN_GLOBAL, NULL, 32, "nobody has written it");
}

static void impossible_launches_are_refused(void **state)
{
    (void)state;
    run_wrong(TOO_MANY_THREADS, zeros, 32, "blocks of 1025 x 1 x 1 threads");
    run_wrong(TOO_MUCH_SHARED, zeros, 32, "49153 bytes of dynamic shared memory");
}

static void copies_beyond_an_allocation_fail(void **state)
{
    void *d = NULL;

    (void)state;
    assert_int_equal(emulated_malloc(&d, 16), 0);
    assert_int_equal(emulated_to_device(d, zeros, 16), 0);
    assert_int_not_equal(emulated_to_device(d, zeros, 17), 0);
    assert_int_not_equal(emulated_to_host(words, (char *)d + 1, 16), 0);
    assert_int_not_equal(emulated_memset(words, 0, 4), 0);
    assert_int_not_equal(emulated_free((char *)d + 4), 0);
    assert_int_equal(emulated_free(d), 0);
    assert_int_not_equal(emulated_free(d), 0);
    assert_int_equal(emulated_free(NULL), 0);
    emulated_forget_failure();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_of_a_warp),
        cmocka_unit_test(shuffles_of_a_width),
        cmocka_unit_test(votes_of_a_block),
        cmocka_unit_test(threads_that_ended_are_not_waited_for),
        cmocka_unit_test(atomics_of_a_grid),
        cmocka_unit_test(a_seed_is_an_order),
        cmocka_unit_test(launches_by_address),
        cmocka_unit_test(shared_memory_and_parts_of_warps),
        cmocka_unit_test(races_are_found),
        cmocka_unit_test(a_missing_barrier_shows_in_some_order),
        cmocka_unit_test(deadlocks_are_found),
        cmocka_unit_test(wrong_shuffles_and_votes_are_found),
        cmocka_unit_test(wrong_accesses_are_found),
        cmocka_unit_test(impossible_launches_are_refused),
        cmocka_unit_test(copies_beyond_an_allocation_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test.h - the tests of a program, which name themselves: they run in the order of the file */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* These are filter.c's; its main() runs all tests of a program without one. */
void add_test(struct CMUnitTest test);
/* All of them, between a program's setup and teardown; returns how many failed. */
int run_all_tests(CMFixtureFunction setup, CMFixtureFunction teardown);

/* TEST_WITH(name, setup, teardown) { body }; constructors run in the file's order. */
#define TEST_WITH(name, setup, teardown)                                                     \
    static void name(void **unused);                                                         \
    __attribute__((constructor)) static void add_##name(void)                                \
    {                                                                                        \
        add_test((struct CMUnitTest)cmocka_unit_test_setup_teardown(name, setup, teardown)); \
    }                                                                                        \
    static void name(void **unused)

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* Skip what this machine has no part for; run_tests tells the reasons at its end. */
#define SKIP(...)                               \
    do {                                        \
        print_message("skipped: " __VA_ARGS__); \
        print_message("\n");                    \
        skip();                                 \
    } while (0)

#endif

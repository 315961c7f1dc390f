/* filter.c - main() of every test program; TEST_FILTER=NAME runs tests of that name (*, ?) */
#include "tests/test.h"

static struct CMUnitTest tests_of_program[64];
static size_t n_tests_of_program;

void add_test(struct CMUnitTest test)
{
    if (n_tests_of_program == sizeof tests_of_program / sizeof *tests_of_program)
        abort();
    tests_of_program[n_tests_of_program++] = test;
}

int run_all_tests(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    return _cmocka_run_group_tests("tests", tests_of_program, n_tests_of_program, setup,
                                   teardown);
}

__attribute__((weak)) int main(void)
{
    return run_all_tests(NULL, NULL);
}

static __attribute__((constructor)) void choose_tests(void)
{
    const char *const pattern = getenv("TEST_FILTER");

    if (pattern && *pattern)
        cmocka_set_test_filter(pattern);
}

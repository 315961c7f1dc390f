/*
 * filter.c - linked into every test program: TEST_FILTER=NAME runs the tests of that name alone, with * and ?
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static __attribute__((constructor)) void choose_tests(void)
{
    const char *const pattern = getenv("TEST_FILTER");

    if (pattern && *pattern)
        cmocka_set_test_filter(pattern);
}

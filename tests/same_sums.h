/* same_sums.h - sums are the same, bit for bit */
#ifndef TESTS_SAME_SUMS_H
#define TESTS_SAME_SUMS_H

#include "harness/base/sums.h"
#include "tests/test.h"

static inline void assert_same_sums(const struct bench_sums *a, const struct bench_sums *b)
{
    assert_int_equal(bench_sums_ok(a), BENCH_OK);
    assert_int_equal(bench_sums_ok(b), BENCH_OK);
    assert_int_equal(a->n, b->n);
    for (int i = 0; i < a->n; i++) {
        assert_string_equal(a->sum[i].name, b->sum[i].name);
        assert_int_equal(a->sum[i].index, b->sum[i].index);
        if (a->sum[i].value != b->sum[i].value) {
            char one[BENCH_WIDE_TEXT], other[BENCH_WIDE_TEXT];

            bench_wide_text(a->sum[i].value, one);
            bench_wide_text(b->sum[i].value, other);
            fail_msg("%s[%d]: %s and %s", a->sum[i].name, a->sum[i].index, one, other);
        }
    }
}

#endif

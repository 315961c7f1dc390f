/* sink.h - catches a problem's values, once each; sums must not depend on the order */
#ifndef TESTS_SINK_H
#define TESTS_SINK_H

#include "tests/same_sums.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct bench_sink {
    int n;
    struct {
        char name[40];
        int index;
        double value;
    } item[128];
};

static inline void collect_value(struct bench_sink *sink, const char *name, int index,
                                 double value, const char *unit)
{
    assert_non_null(unit);
    assert_true(strlen(unit) <= 15);
    assert_true(strlen(name) <= 39);
    assert_true(isfinite(value));
    assert_true(sink->n < (int)(sizeof sink->item / sizeof *sink->item));
    for (int i = 0; i < sink->n; i++)
        assert_false(sink->item[i].index == index && !strcmp(sink->item[i].name, name));
    snprintf(sink->item[sink->n].name, sizeof sink->item->name, "%s", name);
    sink->item[sink->n].index = index;
    sink->item[sink->n++].value = value;
}

static inline const double *find_value(const struct bench_sink *sink, const char *name,
                                       int index)
{
    for (int i = 0; i < sink->n; i++)
        if (!strcmp(sink->item[i].name, name) && sink->item[i].index == index)
            return &sink->item[i].value;
    return NULL;
}

/* bench_problem.sum and values. */
typedef enum bench_status sum_hook(const void *input, const void *reference, const void *output,
                                   int first_frame, struct bench_sums *sums);
typedef enum bench_status values_hook(const struct bench_sums *sums, struct bench_sink *sink);

/* Inputs begin with how many frames they have. */
static inline int frames_before(const void *const *inputs, int n)
{
    int n_frames = 0;

    for (int i = 0; i < n; i++)
        n_frames += *(const int32_t *)inputs[i];
    return n_frames;
}

/* The values of n inputs; their sums must be the same backwards, each by way of text. */
static inline enum bench_status values_of(sum_hook *sum, values_hook *values,
                                          const void *const *inputs,
                                          const void *const *references,
                                          const void *const *outputs, int n,
                                          struct bench_sink *sink)
{
    OWNED(bench_sums_free) struct bench_sums sums = {0};
    OWNED(bench_sums_free) struct bench_sums backwards = {0};

    for (int i = 0; i < n; i++)
        TRY(sum(inputs[i], references ? references[i] : NULL, outputs[i],
                frames_before(inputs, i), &sums));
    for (int i = n - 1; i >= 0; i--) {
        OWNED(bench_sums_free) struct bench_sums own = {0};

        TRY(sum(inputs[i], references ? references[i] : NULL, outputs[i],
                frames_before(inputs, i), &own));
        for (int k = 0; k < own.n; k++) {
            char text[BENCH_WIDE_TEXT];
            bench_wide value;

            bench_wide_text(own.sum[k].value, text);
            assert_true(bench_wide_read(text, &value));
            bench_sums_add(&backwards, own.sum[k].name, own.sum[k].index, value);
        }
    }
    assert_same_sums(&sums, &backwards);
    return values(&sums, sink);
}

#endif

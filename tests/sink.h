/* sink.h - values caught where a problem's measure hands them over, each name and index once */
#ifndef TESTS_SINK_H
#define TESTS_SINK_H

#include "tests/test.h"

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

#endif

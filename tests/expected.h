/* expected.h - what a problem hands over, against values by name */
#ifndef TESTS_EXPECTED_H
#define TESTS_EXPECTED_H

#include "tests/sink.h"

/* A value as "name" or, of a series, "name[index]". */
struct expected {
    const char *name;
    double value;
};

#define ABSENT ((double)NAN) /* of a series: all of it */

static inline void assert_values(const struct bench_sink *sink, const struct expected *expected)
{
    for (; expected->name; expected++) {
        const double *found = NULL;

        for (int i = 0; i < sink->n; i++) {
            char text[64];

            snprintf(text, sizeof text, sink->item[i].index == -1 ? "%s" : "%s[%d]",
                     sink->item[i].name, sink->item[i].index);
            if (!strcmp(text, expected->name) ||
                (isnan(expected->value) && !strcmp(sink->item[i].name, expected->name)))
                found = &sink->item[i].value;
        }
        if (!found != isnan(expected->value))
            fail_msg("%s is %s", expected->name, found ? "there" : "not there");
        if (found && fabs(*found - expected->value) > 1e-12 * fmax(1, fabs(expected->value)))
            fail_msg("%s is %.17g, expected %.17g", expected->name, *found, expected->value);
    }
}

#define VALUES(...) ((const struct expected[]){__VA_ARGS__, {NULL, 0}})

#endif

/* axis.c - lists and ranges */
#include "harness/suite/axis.h"

#include "harness/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VALUES 1000 /* of one key: keeps the search for equal ones short */

static enum bench_status axis_add(struct axis *axis, const char *text, const char *where)
{
    struct bench_params one = {.n = 0};
    const bool number = axis->key->kind != BENCH_CHOICE;

    TRY(bench_params_set(&one, axis->key, text, where));
    if (axis->n == 0 || !number ||
        one.item[0].number <= axis->greatest) /* may be there already */
        for (int i = 0; i < axis->n; i++)
            if (strcmp(axis->value[i].text, one.item[0].text) == 0)
                return BENCH_OK;
    if (axis->n == MAX_VALUES)
        return BENCH_FAIL(BENCH_EINPUT, "%s: %s: more than %d values", where, axis->key->name,
                          MAX_VALUES);
    if (axis->n == 0 || one.item[0].number > axis->greatest)
        axis->greatest = one.item[0].number;
    axis->value[axis->n++] = one.item[0];
    return BENCH_OK;
}

static enum bench_status axis_add_number(struct axis *axis, double value, const char *where)
{
    char text[BENCH_MAX_VALUE];

    if (axis->key->kind == BENCH_INT && value == floor(value) && fabs(value) < 1e15)
        snprintf(text, sizeof text, "%.0f", value); /* %.9g would round a large one */
    else
        bench_number_text(value, text);
    return axis_add(axis, text, where);
}

/* "first-last+step" or "first-last*factor"; 'after_first' points at the '-'. */
static enum bench_status axis_add_range(struct axis *axis, const char *range, double first,
                                        const char *after_first, const char *where)
{
    const char *name = axis->key->name;
    const double slack = 1e-9; /* so that 0.5-2+0.1 has its 2 */
    double last = 0, step = 0;
    const char *at = bench_number(after_first + 1, &last);
    const char operation = at != NULL ? *at : '\0';
    const char *wrong = NULL;

    if (at != NULL && operation == '\0')
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: %s: range '%.80s' has no step: write %s+STEP or *FACTOR", where,
                          name, range, range);
    if (operation != '+' && operation != '*')
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: %s: expected FIRST-LAST+STEP or FIRST-LAST*FACTOR, found '%.80s'", where, name,
            range);
    at = bench_number(at + 1, &step);
    if (at == NULL || *at != '\0')
        return BENCH_FAIL(BENCH_EINPUT, "%s: %s: expected a number after '%c', found '%.80s'",
                          where, name, operation, range);
    if (operation == '+' && !(step > 0))
        wrong = "does not end: its step must be greater than 0";
    else if (operation == '*' && !(step > 1 && first > 0))
        wrong = "does not end: it needs a factor greater than 1 and a first value greater than "
                "0";
    else if (first > last)
        wrong = "begins above its end";
    if (wrong != NULL)
        return BENCH_FAIL(BENCH_EINPUT, "%s: %s: range '%.80s' %s", where, name, range, wrong);
    if (!((operation == '+' ? (last - first) / step : log(last / first) / log(step)) <
          MAX_VALUES))
        return BENCH_FAIL(BENCH_EINPUT, "%s: %s: range '%.80s' has more than %d values", where,
                          name, range, MAX_VALUES);
    if (operation == '+') {
        const int n = (int)floor((last - first) / step * (1 + slack) + slack) + 1;

        for (int i = 0; i < n; i++)
            TRY(axis_add_number(axis, first + i * step, where));
        return BENCH_OK;
    }
    for (double value = first; value <= last * (1 + slack); value *= step)
        TRY(axis_add_number(axis, value, where));
    return BENCH_OK;
}

static enum bench_status axis_add_element(struct axis *axis, const char *element,
                                          const char *where)
{
    double first = 0;
    const char *after = axis->key->kind != BENCH_CHOICE ? bench_number(element, &first) : NULL;

    if (after != NULL && *after == '-')
        return axis_add_range(axis, element, first, after, where);
    return axis_add(axis, element, where);
}

enum bench_status axis_read(struct axis *axis, const struct bench_key *key, const char *text,
                            const char *where)
{
    char *const list = strdup(text), *rest = list, *element;
    enum bench_status status = BENCH_OK;

    *axis = (struct axis){.key = key, .value = malloc(MAX_VALUES * sizeof *axis->value)};
    if (list == NULL || axis->value == NULL)
        status = BENCH_FAIL(BENCH_ENOMEM, "no memory for a list");
    while (status == BENCH_OK && (element = text_next(&rest)) != NULL)
        status = element[0] != '\0'
                     ? axis_add_element(axis, element, where)
                     : BENCH_FAIL(BENCH_EINPUT, "%s: %s: expected a value, found an empty one",
                                  where, key->name);
    free(list);
    return status;
}

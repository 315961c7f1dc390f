/* axis.c - lists and ranges */
#include "harness/suite/descriptor.h"

#include "harness/base/memory.h"
#include "harness/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_VALUES 1000 /* of one key: keeps the search for equal ones short */

#define AXIS_REFUSE_IF(condition, axis, format, ...) \
    ENTRY_REFUSE_IF(condition, (axis)->entry, "%s: " format, (axis)->key->name, __VA_ARGS__)

static enum bench_status axis_add(struct axis *axis, const char *text)
{
    struct bench_params one = {.n = 0};

    TRY(bench_params_set(&one, axis->key, text, WHERE(axis->entry)));
    for (int i = 0; i < axis->n; i++)
        if (strcmp(axis->value[i].text, one.item[0].text) == 0)
            return BENCH_OK;
    AXIS_REFUSE_IF(axis->n == MAX_VALUES, axis, "more than %d values", MAX_VALUES);
    axis->value[axis->n++] = one.item[0];
    return BENCH_OK;
}

static enum bench_status axis_add_number(struct axis *axis, double value)
{
    char text[BENCH_MAX_VALUE];

    if (axis->key->kind == BENCH_INT && value == floor(value) && fabs(value) < 1e15)
        snprintf(text, sizeof text, "%.0f", value); /* %.9g would round a large one */
    else
        text_number(text, value);
    return axis_add(axis, text);
}

/* "first-last+step" or "first-last*factor"; 'after_first' points at the '-'. */
static enum bench_status axis_add_range(struct axis *axis, const char *range, double first,
                                        const char *after_first)
{
    const double slack = 1e-9; /* so that 0.5-2+0.1 has its 2 */
    double last = 0, step = 0;
    const char *at = bench_number(after_first + 1, &last);
    const char operation = at != NULL ? *at : ' ';
    const bool adds = operation == '+';
    const char *wrong = NULL;

    AXIS_REFUSE_IF(operation == '\0', axis,
                   "range '%.80s' has no step: write %s+STEP or *FACTOR", range, range);
    AXIS_REFUSE_IF(!adds && operation != '*', axis,
                   "expected FIRST-LAST+STEP or FIRST-LAST*FACTOR, found '%.80s'", range);
    at = bench_number(at + 1, &step);
    AXIS_REFUSE_IF(at == NULL || *at != '\0', axis,
                   "expected a number after '%c', found '%.80s'", operation, range);
    if (adds && !(step > 0))
        wrong = "does not end: its step must be greater than 0";
    else if (!adds && !(step > 1 && first > 0))
        wrong = "does not end: it needs a factor greater than 1 and a first value greater than "
                "0";
    else if (first > last)
        wrong = "begins above its end";
    AXIS_REFUSE_IF(wrong != NULL, axis, "range '%.80s' %s", range, wrong);
    AXIS_REFUSE_IF(
        !((adds ? (last - first) / step : log(last / first) / log(step)) < MAX_VALUES), axis,
        "range '%.80s' has more than %d values", range, MAX_VALUES);
    if (adds) {
        const int n = (int)floor((last - first) / step * (1 + slack) + slack) + 1;

        for (int i = 0; i < n; i++)
            TRY(axis_add_number(axis, first + i * step));
        return BENCH_OK;
    }
    for (double value = first; value <= last * (1 + slack); value *= step)
        TRY(axis_add_number(axis, value));
    return BENCH_OK;
}

/* "A | B" is one word. */
static void close_up(char *words)
{
    char *to = words;

    for (const char *at = words; *at; at++) {
        const char *const next = at + strspn(at, " \t");

        if (next > at && (*next == '|' || (to > words && to[-1] == '|')))
            at = next;
        *to++ = *at;
    }
    *to = '\0';
}

static enum bench_status axis_add_element(struct axis *axis, char *element)
{
    double first = 0;
    const char *after = axis->key->kind != BENCH_CHOICE ? bench_number(element, &first) : NULL;

    if (axis->key->kind == BENCH_CHOICE)
        close_up(element);

    if (element[0] == '\0')
        return entry_refuse_empty(axis->entry);
    if (after != NULL && *after == '-')
        return axis_add_range(axis, element, first, after);
    return axis_add(axis, element);
}

enum bench_status axis_read(struct axis *axis, const struct bench_key *key,
                            const struct entry *entry)
{
    const char *rest = entry->value;
    char element[TEXT_ELEMENT];

    *axis = (struct axis){key, entry, .n = 0};
    TRY(memory_allocate(&axis->value, sizeof *axis->value, MAX_VALUES, 1, 1, 1));
    for (char *one; (one = text_next(&rest, element)) != NULL;)
        TRY(axis_add_element(axis, one));
    return BENCH_OK;
}

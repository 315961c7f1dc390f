/* record_parts.c - rows of some inputs of a configuration: their values are the sums of these */
#include "harness/base/sums.h"
#include "harness/suite/record_private.h"

#include <stdlib.h>
#include <string.h>

enum bench_status record_sums(struct record_row *row, const struct bench_sums *sums)
{
    for (int i = 0; i < sums->n; i++) {
        char text[BENCH_WIDE_TEXT];

        bench_wide_text(sums->sum[i].value, text);
        TRY(record_value_text(row, sums->sum[i].name, sums->sum[i].index, text, RECORD_SUM));
    }
    record_integer(row, "n", sums->n); /* so many are the part */
    return BENCH_OK;
}

static bool is_sum_name(const char *name)
{
    const size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.");

    return n > 0 && !name[n] && n < sizeof((struct bench_sum *)0)->name;
}

/* A file may have been made by anybody. */
bool record_read_sum(const char *name, const char *index, const char *value_text,
                     struct bench_sums *sums)
{
    char *end = "";
    const long i = index ? strtol(index, &end, 10) : -1;
    bench_wide value;

    if (!name || !is_sum_name(name) || *end || i < -1 || i > INT32_MAX || !value_text ||
        !bench_wide_read(value_text, &value))
        return false;
    bench_sums_add(sums, name, (int)i, value);
    return true;
}

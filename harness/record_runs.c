/* record_runs.c - what several processes that measured one cell say together */
#include "harness/record_private.h"
#include "harness/stats.h"

#include <math.h>
#include <string.h>

static int numbers_of(const struct record_table *t, const int *member, int n,
                      const char *column, double *number)
{
    int found = 0;

    for (int i = 0; i < n; i++)
        found += record_get_number(t, member[i], column, &number[found]);
    return found;
}

bool record_over_processes(const struct record_table *t, const int *member, int n,
                           const char *column, double *number)
{
    const bool low = !strcmp(column, "ci_lo_ms"), high = !strcmp(column, "ci_hi_ms");
    const bool sd = !strcmp(column, "sd_ms"), fps = !strcmp(column, "fps");
    const bool mean = fps || !strcmp(column, "mean_ms");
    double of_each[RECORD_MAX_RUNS] = {0}, sorted[RECORD_MAX_RUNS];
    struct bench_stat stat;
    int found;

    if (n == 1)
        return record_get_number(t, member[0], column, number);
    if (!strcmp(column, "n")) {
        *number = n;
        return true;
    }
    found = numbers_of(t, member, n,
                       low || high ? "median_ms"
                       : sd || fps ? "mean_ms"
                                   : column,
                       of_each);
    if (found < n)
        return false;
    bench_summarise(of_each, n, 0, sorted, &stat);
    *number = low    ? stat.ci_lo
              : high ? stat.ci_hi
              : sd   ? stat.sd
              : fps  ? 1000 / stat.mean
              : mean ? stat.mean
                     : stat.median;
    return isfinite(*number);
}

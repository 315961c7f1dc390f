/* tally.c - counted passes of ranks, and the interval that they have in common */
#include "harness/measure/tally.h"

double tally_at(const struct bench_tally *tally, double time_s)
{
    int low = 0, high = tally->n - 1; /* time_s[low] <= time_s < time_s[high] */

    if (time_s <= tally->time_s[low])
        return 0;
    if (time_s >= tally->time_s[high])
        return tally->done[high];
    while (high - low > 1) {
        const int middle = (low + high) / 2;

        if (tally->time_s[middle] <= time_s)
            low = middle;
        else
            high = middle;
    }
    return tally->done[low] + (tally->done[high] - tally->done[low]) *
                                  (time_s - tally->time_s[low]) /
                                  (tally->time_s[high] - tally->time_s[low]);
}

void tally_cut(const struct bench_tally *tally, double begin, double end, int n, double *done)
{
    const double before = tally_at(tally, begin);

    for (int i = 0; i < n; i++)
        done[i] = tally_at(tally, begin + (end - begin) * (i + 1) / n) - before;
}

bool tally_ms(const double *done, int n_done, double interval_s, int n, double *ms)
{
    double passes[TALLY_MOST + 1] = {0}, time_s[TALLY_MOST + 1] = {0};
    /* read the other way round, it says when so much was done */
    const struct bench_tally when = {.n = n_done + 1, .time_s = passes, .done = time_s};
    const double share = done[n_done - 1] / n;

    for (int i = 0; i < n_done; i++) {
        passes[i + 1] = done[i];
        time_s[i + 1] = interval_s * (i + 1) / n_done;
    }
    for (int i = 0; i < n && share > 0; i++)
        ms[i] = 1e3 * (tally_at(&when, share * (i + 1)) - tally_at(&when, share * i)) / share;
    return share > 0;
}

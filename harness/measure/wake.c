/* wake.c - when a host that waits for a frame wakes up, and for which */
#include "harness/measure/wake.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void wake_begun(struct wake *w, long long now_ns)
{
    w->begun_ns = now_ns;
}

void wake_done(struct wake *w, long long now_ns)
{
    w->took_ns = now_ns - w->begun_ns;
}

struct wake_step wake_step(struct wake *w, long long now_ns, long long due_ns)
{
    const long long takes_ns = w->how == WAKE_RERUN ? w->took_ns : WAKE_TOUCH_NS;
    const long long least_ns = takes_ns + WAKE_LEAD_NS / 2;
    const long long from_ns = due_ns - (least_ns > WAKE_LEAD_NS ? least_ns : WAKE_LEAD_NS);
    bool wakes;

    if (w->how == WAKE_NO || due_ns < 0)
        return (struct wake_step){LLONG_MAX, false};
    if (now_ns < from_ns)
        return (struct wake_step){from_ns, false};
    wakes = takes_ns > 0 && w->woken_ns != due_ns && now_ns <= due_ns - takes_ns;
    if (wakes)
        w->woken_ns = due_ns;
    return (struct wake_step){now_ns, wakes};
}

void wake_hear(struct wake_rhythm *r, long long arrived_ns)
{
    if (r->n > 0)
        r->interval_ns[(r->n - 1) % WAKE_HEARD] = arrived_ns - r->last_ns;
    r->last_ns = arrived_ns;
    r->n++;
}

static int by_length(const void *a, const void *b)
{
    const long long x = *(const long long *)a, y = *(const long long *)b;

    return (x > y) - (x < y);
}

/* A late frame makes a long interval and a short one: the longest and the shortest are left
 * out. */
long long wake_expect(const struct wake_rhythm *r, long long now_ns)
{
    long long sorted[WAKE_HEARD], period_ns, n_periods;

    if (r->n <= WAKE_HEARD)
        return -1;
    memcpy(sorted, r->interval_ns, sizeof sorted);
    qsort(sorted, WAKE_HEARD, sizeof *sorted, by_length);
    period_ns = (sorted[WAKE_HEARD / 2 - 1] + sorted[WAKE_HEARD / 2]) / 2;
    if (period_ns <= 0 || sorted[WAKE_HEARD - 2] - sorted[1] > WAKE_LEAD_NS)
        return -1;
    n_periods = (now_ns - WAKE_LEAD_NS - r->last_ns + period_ns - 1) / period_ns;
    n_periods = n_periods > 1 ? n_periods : 1;
    return n_periods > WAKE_MISSES ? -1 : r->last_ns + n_periods * period_ns;
}

/* tell.h - what is said of the frames that were watched: a live line, and a summary */
#ifndef WATCH_TELL_H
#define WATCH_TELL_H

#include "harness/base/text.h"
#include "harness/measure/arrivals.h"

#include <stdbool.h>

#define TELL_LAST    20000 /* results of which percentiles are told */
#define TELL_COLUMNS 80

struct tell {
    long long n, n_missed, n_dropped; /* results, and what was not one */
    long long n_unsaid;               /* live lines that the terminal did not take */
    double longest_ms;
    long long first_done_ns, last_done_ns; /* of results */
    long long line_ns, line_n;             /* at the last live line: the time, and n */
    double last_ms[TELL_LAST];             /* latencies, at n modulo TELL_LAST */
};

/* One frame more. */
void tell_add(struct tell *tell, const struct arrivals_frame *frame);

/* True if a second has passed since the last live line: then 'line' has the next one, of fewer
 * than TELL_COLUMNS characters: where numbers are long the longest latency is left out, then
 * p50, then p99.  Its rate is that of the time between the two; its percentiles are those of
 * the last TELL_LAST results, "-" where fewer than ten lie beyond. */
bool tell_line(struct tell *tell, char line[TELL_COLUMNS]);

/* All of it.  period_ms: after which a result is a miss; 0: there is no deadline. */
void tell_summary(const struct tell *tell, double period_ms, struct text *text);

#endif

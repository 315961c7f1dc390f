/* tell.c - what is said of the frames that were watched */
#include "harness/watch/tell.h"

#include "harness/base/memory.h"
#include "harness/base/stats.h"

#include <math.h>
#include <stdio.h>

#define NS_PER_S  1e9
#define NS_PER_MS 1e6
#define DIGITS    3

void tell_add(struct tell *tell, const struct arrivals_frame *frame)
{
    const double ms = (double)(frame->done_ns - frame->arrived_ns) / NS_PER_MS;

    if (frame->is_dropped) {
        tell->n_dropped++;
        return;
    }
    if (tell->n == 0)
        tell->first_done_ns = tell->line_ns = frame->done_ns;
    tell->last_ms[tell->n++ % TELL_LAST] = ms;
    tell->last_done_ns = frame->done_ns;
    tell->n_missed += frame->is_missed;
    tell->longest_ms = ms > tell->longest_ms ? ms : tell->longest_ms;
}

/* "-": there is no telling. */
static void put(bool is_known, double value, int digits, char text[TEXT_NUMBER])
{
    if (is_known)
        text_short_number(text, value, digits);
    else
        snprintf(text, TEXT_NUMBER, "-");
}

/* Results a second of n between two times. */
static void rate_of(long long n, long long ns, char text[TEXT_NUMBER])
{
    put(n > 0 && ns > 0, (double)n * NS_PER_S / fmax((double)ns, 1), DIGITS + 1, text);
}

/* The last latencies in order, to be freed; *n of them. */
static double *sorted_of(const struct tell *tell, int *n)
{
    double *const sorted = malloc(sizeof tell->last_ms);

    *n = tell->n < TELL_LAST ? (int)tell->n : TELL_LAST;
    if (sorted) {
        memcpy(sorted, tell->last_ms, (size_t)*n * sizeof *sorted);
        qsort(sorted, (size_t)*n, sizeof *sorted, bench_compare_doubles);
    }
    return sorted;
}

/* The latency that one in 'one_in' is longer than; "-" where fewer than ten are. */
static void tail_of(const double *sorted, int n, int one_in, char text[TEXT_NUMBER])
{
    struct bench_bounded tail = {0};
    const bool is_known = sorted && bench_tail(sorted, n, one_in, &tail);

    put(is_known, tail.value, DIGITS, text);
}

static void median_of(const double *sorted, int n, char text[TEXT_NUMBER])
{
    const bool is_known = sorted && n > 0;

    put(is_known, is_known ? bench_quantile(sorted, n, 0.5) : 0, DIGITS, text);
}

bool tell_line(struct tell *tell, char line[TELL_COLUMNS])
{
    const long long passed_ns = tell->last_done_ns - tell->line_ns;
    char rate[TEXT_NUMBER], median[TEXT_NUMBER], p99[TEXT_NUMBER], longest[TEXT_NUMBER];
    char latency[4][4 * TEXT_NUMBER] = {""}; /* from the shortest on */
    OWNED(memory_free) double *sorted = NULL;
    int n, i = 3;

    if (tell->n == 0 || (double)passed_ns < NS_PER_S)
        return false;
    sorted = sorted_of(tell, &n);
    /* the first result began the time, and is not in it */
    rate_of(tell->n - tell->line_n - (tell->line_n == 0), passed_ns, rate);
    median_of(sorted, n, median);
    tail_of(sorted, n, 100, p99);
    text_short_number(longest, tell->longest_ms, DIGITS);
    snprintf(latency[1], sizeof latency[1], "p99 %s ms, ", p99);
    snprintf(latency[2], sizeof latency[2], "p50 %s p99 %s ms, ", median, p99);
    snprintf(latency[3], sizeof latency[3], "p50 %s p99 %s max %s ms, ", median, p99, longest);
    while (snprintf(line, TELL_COLUMNS, "%lld frames, %s fps, %smissed %lld, dropped %lld",
                    tell->n + tell->n_dropped, rate, latency[i], tell->n_missed,
                    tell->n_dropped) >= TELL_COLUMNS &&
           i > 0)
        i--;
    tell->line_ns = tell->last_done_ns;
    tell->line_n = tell->n;
    return true;
}

void tell_summary(const struct tell *tell, double period_ms, struct text *text)
{
    static const struct {
        const char *name;
        int one_in;
    } tails[] = {{"p90", 10}, {"p99", 100}, {"p99.9", 1000}};
    char number[TEXT_NUMBER];
    OWNED(memory_free) double *sorted = NULL;
    int n;

    rate_of(tell->n - 1, tell->last_done_ns - tell->first_done_ns, number);
    text_format(text, "%lld frames: %lld results, %lld dropped, %s fps\n",
                tell->n + tell->n_dropped, tell->n, tell->n_dropped, number);
    if (tell->n == 0)
        return;
    sorted = sorted_of(tell, &n);
    median_of(sorted, n, number);
    text_format(text, "latency in ms%s: median %s", tell->n > n ? " of the last 20000" : "",
                number);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        tail_of(sorted, n, tails[i].one_in, number);
        text_format(text, ", %s %s", tails[i].name, number);
    }
    text_short_number(number, tell->longest_ms, DIGITS);
    text_format(text, "; longest of all %s\n", number);
    if (n < 10 * 1000)
        text_add(text, "-: fewer than ten results are later\n");
    if (period_ms > 0) {
        text_short_number(number, period_ms, DIGITS);
        text_format(text, "%lld of %lld results are later than %s ms", tell->n_missed, tell->n,
                    number);
        if (tell->n_dropped > 0)
            text_format(text, ", and %lld of %lld frames were dropped", tell->n_dropped,
                        tell->n + tell->n_dropped);
        text_add(text, "\n");
    }
    if (tell->n_unsaid > 0)
        text_format(text, "%lld live lines are missing: the terminal did not take them\n",
                    tell->n_unsaid);
}

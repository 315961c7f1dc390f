/* together.h - several ranks that measure one configuration at the same time */
#ifndef BENCH_TOGETHER_H
#define BENCH_TOGETHER_H

#include "harness/measure/impl.h"
#include "harness/measure/plan.h"
#include "harness/base/status.h"

#include <stdbool.h>

struct world;

#define BENCH_MOST_SLICES 1000 /* of the interval: samples */

/* A rank's way to the others.  The hooks are collective: all ranks of the world call them in
 * the same order, also those without a part in the configuration. */
struct bench_together {
    int rank, n;          /* this one's, of so many that take part; rank >= n: it has no part */
    bool is_clock_shared; /* all ranks have one CLOCK_MONOTONIC */
    /* BENCH_OK if all ranks give that, else the failure of one of them, the same for all. */
    enum bench_status (*agree)(struct world *world, enum bench_status status, double limit_s);
    enum bench_status (*barrier)(struct world *world, double limit_s);
    /* The greatest of all ranks, or the sum over them, value by value. */
    enum bench_status (*reduce)(struct world *world, bool is_sum, double *values, int n,
                                double limit_s);
    struct world *world; /* of the hooks */
    bool has_agreed;     /* all ranks know of a failure: 'agree' has returned it */
};

/* The part of n inputs that a rank runs: some if scaling is strong, all if it is weak. */
void bench_part_of(const struct bench_plan *plan, const struct bench_together *together, int n,
                   int *first, int *count);

/* A rank without a part calls this while others are in bench_measure(). */
enum bench_status bench_attend(const struct bench_impl *impl, const struct bench_plan *plan,
                               struct bench_together *together);

#endif

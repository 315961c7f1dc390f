/* axis.h - the values of one key: "256, 512", "256-1024+256", "256-1024*2" */
#ifndef BENCH_AXIS_H
#define BENCH_AXIS_H

#include "harness/base/params.h"
#include "harness/base/status.h"

struct axis {
    const struct bench_key *key;
    struct bench_param *value; /* [n], distinct, in order; owned */
    int n;
    double greatest; /* of the numbers so far */
};

/* All values of a list; BENCH_EINPUT with a sentence that begins with 'where'.  Caller frees
 * axis->value, also after a failure. */
enum bench_status axis_read(struct axis *axis, const struct bench_key *key, const char *text,
                            const char *where);

#endif

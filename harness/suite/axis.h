/* axis.h - the values of one key: "256, 512", "256-1024+256", "256-1024*2" */
#ifndef BENCH_AXIS_H
#define BENCH_AXIS_H

#include "harness/suite/descriptor.h"

struct axis {
    const struct bench_key *key;
    const struct entry *entry;
    struct bench_param *value; /* [n], distinct, in order; owned */
    int n;
};

/* All values of the entry's list; BENCH_EINPUT with a sentence that says where it stands.
 * Caller frees axis->value, also after a failure. */
enum bench_status axis_read(struct axis *axis, const struct bench_key *key,
                            const struct entry *entry);

#endif

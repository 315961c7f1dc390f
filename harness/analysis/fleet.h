/*
 * fleet.h - machines and GPUs of one kind beside one another
 *
 * A board is a host, for rows of a GPU with that GPU.  Outputs of exact variants are equal on
 * all boards, or one of them computes wrongly.  Times of a board are compared with those of all
 * others of its kind: a process is one number, the test is Mann and Whitney's exact one, and
 * Benjamini and Hochberg's rule bounds the share of false ones among those found.
 */
#ifndef ANALYSIS_FLEET_H
#define ANALYSIS_FLEET_H

#include "harness/analysis/store.h"
#include "harness/analysis/table.h"

struct fleet_rule {
    double floor, fdr; /* a smaller change is none; the share of false ones among those found */
    int least_runs;    /* processes that a board must have of a configuration */
};

/* Make what the others ask for, of a store that has all folders.  'rule' NULL: for
 * fleet_differing() alone, which takes no time of boards against boards. */
enum bench_status fleet_read(struct store *store, const struct fleet_rule *rule);

/* Outputs that differ between boards though they are to be equal; inputs of one name that are
 * not the same.  table_free(). */
enum bench_status fleet_differing(struct store *store, struct table *outputs,
                                  struct table *inputs);

/* Boards with how many of their configurations are slower and faster than the others'; and
 * these configurations, at most 'most' of them.  table_free(). */
enum bench_status fleet_boards(struct store *store, int most, struct table *boards,
                               struct table *odd);

#endif

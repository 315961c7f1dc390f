/*
 * fleet.h - what is to be equal on all machines and GPUs, and is not
 *
 * A board is a host, for rows of a GPU with that GPU.  Outputs of exact variants are equal on
 * all boards, or one of them computes wrongly.
 */
#ifndef ANALYSIS_FLEET_H
#define ANALYSIS_FLEET_H

#include "harness/analysis/store.h"
#include "harness/analysis/table.h"

/* Make what fleet_differing() asks for, of a store that has all folders. */
enum bench_status fleet_read(struct store *store);

/* Outputs that differ between boards though they are to be equal; inputs of one name that are
 * not the same.  table_free(). */
enum bench_status fleet_differing(struct store *store, struct table *outputs,
                                  struct table *inputs);

#endif

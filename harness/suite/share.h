/*
 * share.h - which part of an experiment is one rank's
 *
 * That follows from the configurations and the number of ranks alone: no rank asks another one,
 * and a rank that is started again has the same part.  Nothing of this build, this machine and
 * its power modes, or of rows, goes in.
 *
 * Configurations that share an input are a group, which one rank measures side by side.  Groups
 * go to ranks by the seconds that their plans ask for: the longest first, each to the rank that
 * has least.  Of a configuration without times and with several inputs each rank has a range.
 */
#ifndef BENCH_SHARE_H
#define BENCH_SHARE_H

#include "harness/suite/experiment.h"

#include <stdint.h>

struct bench_share {
    int rank, size; /* of 0 .. size - 1; 0 and 1: there are no others */
    int n_groups;
    uint64_t hash; /* of all configurations: ranks of one hash share the same work */
    struct shared {
        int first, owner; /* of its group: the first configuration, and which rank has it */
        int n;            /* inputs of which each rank has a range; 1: the owner has all */
        bool wants_gpu;   /* a variant of its group does */
    } * config;           /* [n_configs]; owned */
};

/* BENCH_ENOMEM.  The caller frees it: share_free(). */
enum bench_status share_make(const struct bench_experiment *experiment, int rank, int size,
                             struct bench_share *share);
void share_free(struct bench_share *share);

/* A rank has the inputs from .. to - 1 of n; none if there are fewer inputs than ranks. */
void share_inputs(const struct bench_share *share, int n, int *from, int *to);

/* The group of a configuration: configurations of one key share inputs and references. */
void share_group_key(const struct bench_config *config, char *key, size_t size);

#endif

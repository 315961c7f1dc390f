/*
 * verify.h - what a variant is verified against, and one run with its verification
 */
#ifndef BENCH_VERIFY_H
#define BENCH_VERIFY_H

#include "harness/measure/app.h"
#include "harness/measure/device.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"

#include <stdbool.h>
#include <stdio.h>

/* The problem's keys alone: those of a variant change neither input nor reference output. */
void bench_problem_params(const struct bench_problem *problem,
                          const struct bench_params *params, struct bench_params *own);

/* The reference's parameters: the problem's, as references want them, and its own defaults. */
enum bench_status bench_reference_params(const struct bench_impl *reference,
                                         const struct bench_params *params,
                                         struct bench_params *wanted);

/* A verified run: the 'machine' of a bench_request whose 'once' is bench_once_verified(). */
struct bench_verification {
    struct bench_device *device; /* borrowed; NULL: no GPU */
    int n_threads;
    bool is_off;       /* --no-verify */
    FILE *progress;    /* a terminal, told while the reference runs; NULL: none */
    char outcome[320]; /* "verified: equal to NAME", "verified: by another rule, ...", or "not
                        * verified: " and why */
};

/* Fill 'output' by the variant, run its reference on the same input and compare.
 * BENCH_EMISMATCH if they differ.  'outcome' says what was found, or why nothing was compared:
 * --no-verify, no other reference, or an input that the reference cannot take. */
enum bench_status bench_once_verified(const struct bench_request *request, const void *input,
                                      void *output);

#endif

/*
 * forecast.h - what a run would do here: which configurations are skipped, and how long the
 * others may be sampled
 */
#ifndef BENCH_FORECAST_H
#define BENCH_FORECAST_H

#include "harness/suite/env.h"
#include "harness/suite/experiment.h"

/* Reasons, each with how many configurations have it. */
struct bench_reasons {
    struct {
        char why[512];
        int n;
    } item[16];
    int n;      /* items */
    int n_more; /* configurations of reasons that found no room */
};

void bench_reason_add(struct bench_reasons *reasons, const char *why);

struct bench_forecast {
    int n_run, n_skipped;         /* configurations */
    int n_same;                   /* like another but for a power mode, which is not here */
    int n_timed;                  /* of those that run */
    double least_s, most_s;       /* sampling by the plans' min_time and timeout; inputs,
                                   * references and warm-up come on top */
    struct bench_reasons skipped; /* what can be known before: build, GPU, files of inputs */
};

/* Nothing is loaded and nothing runs.  BENCH_EINPUT for an input that has no descriptor, or
 * files that are not as it says. */
enum bench_status bench_forecast(const struct bench_experiment *experiment,
                                 const struct bench_env *env, const char *data_folder,
                                 struct bench_forecast *forecast);

/* Sampling time of a configuration at least and at most, in all series and scopes, by its
 * plan. */
void bench_sampling_times(const struct bench_config *config, double *least_s, double *most_s);

/* Without power modes all of them are "any": is configuration order[i] one that came before it?
 * 'order' NULL: as they stand. */
bool bench_same_but_mode(const struct bench_experiment *experiment, const struct bench_env *env,
                         const int *order, int i);

/* "experiments/inputs/NAME.ini"; BENCH_EINPUT where there is none. */
enum bench_status bench_input_path(const char *input, char *path, size_t size);

#endif

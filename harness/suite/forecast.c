/* forecast.c - which configurations are skipped here, and how long others may be sampled */
#include "harness/suite/forecast.h"

#include "harness/base/listing.h"
#include "harness/inputs/dataset.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void bench_reason_add(struct bench_reasons *reasons, const char *why)
{
    int i = 0;

    while (i < reasons->n && strcmp(reasons->item[i].why, why) != 0)
        i++;
    if (i == (int)(sizeof reasons->item / sizeof *reasons->item)) {
        reasons->n_more++;
        return;
    }
    if (i == reasons->n)
        snprintf(reasons->item[reasons->n++].why, sizeof reasons->item->why, "%.511s", why);
    reasons->item[i].n++;
}

enum bench_status bench_input_path(const char *input, char *path, size_t size)
{
    struct nearest near = nearest_to(input);
    OWNED(listing_free) struct listing inputs = {0};
    char folder[4300];

    REFUSE_IF(strchr(input, '/') || !record_is_name(input),
              "input = %s: expected the name of a descriptor in experiments/inputs", input);
    snprintf(folder, sizeof folder, "%s/experiments/inputs", bench_home());
    snprintf(path, size, "%s/%s.ini", folder, input);
    if (access(path, R_OK) == 0)
        return BENCH_OK;
    if (listing_read(folder, ".ini", &inputs) == BENCH_OK)
        for (int i = 0; i < inputs.n; i++) {
            char name[64];
            const char *const file = listing_name(inputs.path[i]);

            snprintf(name, sizeof name, "%.*s", (int)strlen(file) - 4, file);
            nearest_offer(&near, name);
        }
    return BENCH_FAIL(BENCH_EINPUT, "no input '%s'%s (depthbench list inputs names them)",
                      input, nearest_text(&near));
}

bool bench_same_but_mode(const struct bench_experiment *experiment, const struct bench_env *env,
                         const int *order, int i)
{
    struct bench_config config = experiment->configs[order ? order[i] : i], other;
    char text[BENCH_CONFIG_TEXT], other_text[BENCH_CONFIG_TEXT];

    if (env->board.mode_id >= 0 || !strcmp(config.plan.mode, "any"))
        return false;
    snprintf(config.plan.mode, sizeof config.plan.mode, "any");
    bench_config_text(&config, text, sizeof text);
    for (int k = 0; k < i; k++) {
        other = experiment->configs[order ? order[k] : k];
        snprintf(other.plan.mode, sizeof other.plan.mode, "any");
        bench_config_text(&other, other_text, sizeof other_text);
        if (!strcmp(text, other_text))
            return true;
    }
    return false;
}

/* BENCH_ESKIP if the configuration cannot run here, as far as is known before. */
static enum bench_status can_run(const struct bench_config *config, const struct bench_env *env,
                                 const char *data_folder)
{
    char path[4400];
    struct dataset dataset;
    size_t n_files;

    TRY(bench_input_path(config->plan.input, path, sizeof path));
    TRY(dataset_read(path, &dataset));
    TRY(bench_env_check(env, config->impl));
    return dataset_find(&dataset, data_folder, &n_files);
}

void bench_sampling_times(const struct bench_config *config, double *least_s, double *most_s)
{
    const struct bench_plan *const plan = &config->plan;
    int n = 0;

    for (int series = 0; series < BENCH_N_SERIES && plan->times; series++)
        for (int scope = 0; scope < BENCH_N_SCOPES; scope++)
            n += plan_times(plan, config->impl, (enum bench_scope)scope,
                            (enum bench_series)series);
    if (plan_streams(plan) && plan->rate > 0) {
        *least_s = *most_s = n * (double)plan_arrivals(plan) / plan->rate;
        return;
    }
    *least_s = n * (plan->min_time_s < plan->timeout_s ? plan->min_time_s : plan->timeout_s);
    *most_s = n * plan->timeout_s;
}

enum bench_status bench_forecast(const struct bench_experiment *experiment,
                                 const struct bench_env *env, const char *data_folder,
                                 struct bench_forecast *forecast)
{
    /* configurations of one variant and input stand together: most need no second look */
    const struct bench_config *before = NULL;
    char why[512] = "";
    double least_s, most_s;
    enum bench_status status;

    *forecast = (struct bench_forecast){0};
    for (int i = 0; i < experiment->n_configs; i++) {
        const struct bench_config *const config = &experiment->configs[i];

        if (!before || before->impl != config->impl ||
            strcmp(before->plan.input, config->plan.input) != 0) {
            bench_failure_clear();
            status = can_run(config, env, data_folder);
            snprintf(why, sizeof why, "%s", bench_failure());
            if (status != BENCH_ESKIP)
                TRY(status);
            bench_failure_clear();
        }
        before = config;
        if (bench_same_but_mode(experiment, env, NULL, i)) {
            forecast->n_same++;
        } else if (*why) {
            forecast->n_skipped++;
            bench_reason_add(&forecast->skipped, why);
        } else {
            forecast->n_run++;
            forecast->n_timed += config->plan.times;
            bench_sampling_times(config, &least_s, &most_s);
            forecast->least_s += least_s;
            forecast->most_s += most_s;
        }
    }
    return BENCH_OK;
}

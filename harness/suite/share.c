/* share.c - which part of an experiment is one rank's */
#include "harness/suite/share.h"

#include "harness/base/memory.h"
#include "harness/measure/verify.h"
#include "harness/suite/config.h"
#include "harness/suite/forecast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Verification, and what else comes with a configuration whose sampling is short. */
#define CONFIG_MS 200

void share_group_key(const struct bench_config *config, char *key, size_t size)
{
    const struct bench_impl *reference = config->impl;
    struct bench_params params;
    char text[BENCH_CONFIG_TEXT - 256];

    (void)bench_reference_of(config->impl, &reference); /* who runs it has asked */
    bench_problem_params(config->impl->problem, &config->params, &params);
    bench_params_text(&params, text, sizeof text);
    snprintf(key, size, "%s|%s|%d|%d|%d|%s", config->plan.input, text, (int)config->plan.which,
             config->plan.batch, config->plan.max_frames, reference->name);
}

/* A configuration on its way into a group. */
struct member {
    char *key;    /* owned */
    int at;       /* in the experiment */
    int first;    /* of its group */
    long long ms; /* of its group, where it is the first; whole, so that all machines agree */
};

static int compare_keys(const void *left, const void *right)
{
    const struct member *const a = left, *const b = right;
    const int order = strcmp(a->key, b->key);

    return order ? order : (a->at > b->at) - (a->at < b->at);
}

/* First those that begin a group, the longest group first. */
static int compare_groups(const void *left, const void *right)
{
    const struct member *const a = left, *const b = right;

    if ((a->at == a->first) != (b->at == b->first))
        return a->at == a->first ? -1 : 1;
    if (a->at == a->first && a->ms != b->ms)
        return a->ms > b->ms ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* Its power modes are the board's: one of them counts. */
static void add_up(const struct bench_experiment *e, struct member *first,
                   const struct member *one, struct bench_share *share)
{
    const struct bench_config *const config = &e->configs[one->at];
    struct bench_config any = *config;
    char text[BENCH_CONFIG_TEXT];
    OWNED(text_free) struct text plan = {0};
    double least_s, most_s;

    if (strcmp(config->plan.mode, e->configs[first->at].plan.mode) != 0)
        return;
    bench_sampling_times(config, &least_s, &most_s);
    first->ms += CONFIG_MS + llround(1e3 * least_s);
    snprintf(any.plan.mode, sizeof any.plan.mode, "any");
    share->hash = XXH64(text, bench_config_text(&any, text, sizeof text), share->hash);
    config_plan_text(&config->plan, false, &plan);
    share->hash = XXH64(plan.data, plan.size, share->hash);
}

static void give_away(const struct bench_experiment *e, struct member *member, long long *load,
                      struct bench_share *share)
{
    for (int i = 0; i < e->n_configs; i++) {
        const struct member *const m = &member[i];
        int least = 0;

        if (m->at != m->first) {
            share->config[m->at] = share->config[m->first];
            continue;
        }
        for (int rank = 1; rank < share->size; rank++)
            least = load[rank] < load[least] ? rank : least;
        load[least] += m->ms;
        share->config[m->at].owner = least;
        share->n_groups++;
    }
}

static enum bench_status make_groups(const struct bench_experiment *e, struct member *member,
                                     struct bench_share *share)
{
    char key[BENCH_CONFIG_TEXT];

    for (int i = 0; i < e->n_configs; i++) {
        share_group_key(&e->configs[i], key, sizeof key);
        member[i].at = i;
        NEED((member[i].key = strdup(key)), "the key of a group");
    }
    qsort(member, (size_t)e->n_configs, sizeof *member, compare_keys);
    for (int i = 0, first = 0; i < e->n_configs; i++) {
        first = i > 0 && strcmp(member[i].key, member[first].key) != 0 ? i : first;
        share->config[member[i].at].n = 1;
        share->config[member[i].at].first = member[i].first = member[first].at;
        share->config[member[first].at].wants_gpu |=
            e->configs[member[i].at].impl->target == BENCH_CUDA;
        add_up(e, &member[first], &member[i], share);
    }
    qsort(member, (size_t)e->n_configs, sizeof *member, compare_groups);
    return BENCH_OK;
}

enum bench_status share_make(const struct bench_experiment *e, int rank, int size,
                             struct bench_share *share)
{
    const int n = e->n_configs + 1;
    OWNED(memory_free) struct member *member = NULL;
    OWNED(memory_free) long long *load = NULL;
    enum bench_status status;

    *share = (struct bench_share){
        .rank = rank, .size = size, .hash = XXH64(e->name, strlen(e->name), 0)};
    TRY(memory_allocate(&load, sizeof *load, size, 1, 1, 1));
    TRY(memory_allocate(&member, sizeof *member, n, 1, 1, 1));
    TRY(memory_allocate(&share->config, sizeof *share->config, n, 1, 1, 1));
    status = make_groups(e, member, share);
    if (!status)
        give_away(e, member, load, share);
    for (int i = 0; i < e->n_configs; i++)
        free(member[i].key);
    if (status)
        share_free(share);
    return status;
}

void share_free(struct bench_share *share)
{
    free(share->config);
    share->config = NULL;
}

void share_inputs(const struct bench_share *share, int n, int *from, int *to)
{
    const long long size = share->size < n ? share->size : n;

    *from = share->rank < size ? (int)(n * share->rank / size) : n;
    *to = share->rank < size ? (int)(n * (share->rank + 1) / size) : n;
}

/* suite_share.c - units of work that several processes of a call take, one at a time */
#include "harness/suite/suite_private.h"

#include "harness/base/text.h"
#include "harness/suite/gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The configurations order[from] .. order[to - 1] share an input, and a power mode where the
 * machine has some: one process measures them side by side. */
struct unit {
    int from, to;
    uint64_t hash; /* of what names it */
    bool is_over;  /* done, here or elsewhere */
};

/* ---- the plan ---- */

static enum bench_status add_row(struct run *run, const struct bench_config *config,
                                 const char *scope, const char *series, struct text *plan)
{
    struct record_row *const row = suite_planned_row(run, config, scope, series);
    struct record_row *const without = suite_planned_row(run, config, "", "");
    char name[BENCH_CONFIG_TEXT];

    bench_config_text(config, name, sizeof name);
    if (row && without) {
        text_format(plan, *scope ? "row\t%s (%s, %s)\t" : "row\t%s\t", name, scope, series);
        record_unit(row, plan);
        text_add(plan, "\t");
        record_unit(without, plan);
        text_add(plan, "\n");
    }
    record_row_free(row);
    record_row_free(without);
    return row && without ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a plan");
}

static enum bench_status add_config(struct run *run, const struct bench_config *config,
                                    struct text *plan)
{
    if (!config->plan.times)
        return add_row(run, config, "", "", plan);
    for (int series = 0; series < BENCH_N_SERIES; series++)
        for (int scope = 0; scope < BENCH_N_SCOPES; scope++)
            if (plan_times(&config->plan, config->impl, (enum bench_scope)scope,
                           (enum bench_series)series))
                TRY(add_row(run, config, bench_scope_name[scope], bench_series_name[series],
                            plan));
    return BENCH_OK;
}

/* Write a plan, unless it is there.  One that replaces another has the next revision: clocks of
 * machines differ. */
static enum bench_status put_plan(const char *path, const struct text *plan)
{
    struct text there = {0}, next = {0};
    int revision = 0, n_head = 0;
    enum bench_status status = BENCH_OK;

    if (text_read_file(path, &there) == BENCH_OK)
        (void)sscanf(there.data, "revision %d %n", &revision, &n_head);
    bench_failure_clear();
    if (n_head == 0 || strcmp(there.data + n_head, plan->data) != 0) {
        text_format(&next, "revision\t%d\n%s", revision + 1, plan->data);
        status = text_ok(&next);
        if (!status)
            status = text_replace_file(path, &next);
    }
    text_free(&there);
    text_free(&next);
    return status;
}

/* What the ranks are to measure, for `depthbench gather`: all ranks of a call write the same,
 * and the newest call's stands. */
static enum bench_status write_plan(struct run *run, const int *order)
{
    const struct bench_experiment *const e = run->experiment;
    const struct bench_ranks *const ranks = run->options->ranks;
    struct text plan = {0}, path = {0};
    enum bench_status status = BENCH_OK;

    text_format(&path, "%s/%s.", run->options->results, ranks->campaign);
    for (const char *at = e->name; *at; at++)
        text_bytes(&path, *at == '/' ? "-" : at, 1);
    text_format(&path, run->options->run > 0 ? ".%d" GATHER_PLAN : GATHER_PLAN,
                run->options->run);
    text_format(&plan, "command\t%s\nmachine\t%s\nbuild\t%s\ncampaign\t%s\nrun\t%d\n",
                ranks->command, run->env->machine, run->env->build->hash, ranks->campaign,
                run->options->run);
    for (int i = 0; i < e->n_configs && !status; i++)
        if (!bench_same_but_mode(e, run->env, order, i))
            status = add_config(run, &e->configs[order[i]], &plan);
    if (!status)
        status = text_ok(&path);
    if (!status)
        status = text_ok(&plan);
    if (!status)
        status = put_plan(path.data, &plan);
    text_free(&plan);
    text_free(&path);
    return status;
}

/* ---- units ---- */

enum bench_status suite_share_open(struct run *run)
{
    const struct bench_ranks *const ranks = run->options->ranks;
    const struct launcher_rank *const rank = ranks->rank;
    char campaign[128];
    const struct share_place place = {.campaign = campaign,
                                      .host = run->env->host[0] ? run->env->host : "nohost",
                                      .rank = rank->rank,
                                      .size = rank->size,
                                      .is_one_host =
                                          rank->size == 1 || rank->local_size == rank->size};

    /* a process of a run group shares with those of the same number */
    snprintf(campaign, sizeof campaign, "%s%s%.0d", ranks->campaign,
             run->options->run > 0 ? "." : "", run->options->run);
    return share_open(run->options->results, &place, &run->share);
}

static bool is_together(const struct run *run, int a, int b)
{
    const struct bench_config *const one = &run->experiment->configs[a];
    const struct bench_config *const other = &run->experiment->configs[b];
    char key[BENCH_CONFIG_TEXT], other_key[BENCH_CONFIG_TEXT];

    suite_group_key(one, key, sizeof key);
    suite_group_key(other, other_key, sizeof other_key);
    return !strcmp(key, other_key) &&
           (run->env->board.mode_id < 0 || !strcmp(one->plan.mode, other->plan.mode));
}

/* The units, in order. */
static enum bench_status make_units(const struct run *run, const int *order,
                                    struct unit **units, int *n_units)
{
    const struct bench_experiment *const e = run->experiment;
    struct unit *made = calloc((size_t)e->n_configs + 1, sizeof *made);
    int n = 0;

    *units = made;
    *n_units = 0;
    if (!made)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d configurations", e->n_configs);
    for (int i = 0; i < e->n_configs; i++) {
        const struct bench_config *const first = &e->configs[order[i]];
        char key[BENCH_CONFIG_TEXT];

        if (n > 0 && is_together(run, order[made[n - 1].from], order[i])) {
            made[n - 1].to = i + 1;
            continue;
        }
        suite_group_key(first, key, sizeof key);
        made[n].from = i;
        made[n].to = i + 1;
        made[n].hash = XXH64(e->name, strlen(e->name), 0);
        made[n].hash = XXH64(key, strlen(key), made[n].hash);
        made[n].hash = XXH64(first->plan.mode, strlen(first->plan.mode), made[n].hash);
        n++;
    }
    *n_units = n;
    return BENCH_OK;
}

static enum bench_status look_around(struct run *run)
{
    const struct record_shared shared = {.build_hash = run->env->build->hash,
                                         .campaign = run->options->ranks->campaign,
                                         .run = run->options->run,
                                         .resume = run->options->resume};

    return record_look_around(run->session, &shared);
}

/* Whether all of it has rows, by what was seen last. */
static bool is_over(struct run *run, const int *order, const struct unit *unit)
{
    for (int i = unit->from; i < unit->to; i++)
        if (!bench_same_but_mode(run->experiment, run->env, order, i) &&
            !suite_already_there(run, &run->experiment->configs[order[i]]))
            return false;
    return true;
}

/* No configuration is on while a rank waits for a unit. */
static bool stop_waiting(void)
{
    return bench_interrupts > 0;
}

/* Take the unit and run what of it has no rows. */
static enum bench_status run_unit(struct run *run, const int *order, struct unit *unit,
                                  bool waits)
{
    enum bench_status status = BENCH_OK;
    bool taken;

    (void)share_may_help(run->share); /* others may be gone when it has done its own */
    TRY(share_take(run->share, unit->hash, waits, stop_waiting, &taken));
    if (!taken)
        return stop_waiting() ? BENCH_FAIL(BENCH_EINTR, "interrupted while other ranks work")
                              : BENCH_OK;
    status = look_around(run);
    if (!status && !is_over(run, order, unit))
        status = suite_run_range(run, order, unit->from, unit->to);
    unit->is_over = !status;
    share_give_back(run->share);
    return status;
}

/* What is left behind, and what others did. */
static void count_others(struct run *run, const int *order, const struct unit *units,
                         int n_units)
{
    for (int u = 0; u < n_units; u++) {
        const bool is_left = !is_over(run, order, &units[u]);

        for (int i = units[u].from; i < units[u].to; i++) {
            if (run->is_done[order[i]] ||
                bench_same_but_mode(run->experiment, run->env, order, i))
                continue;
            run->summary->n_others++;
            run->summary->n_left += is_left;
        }
    }
}

enum bench_status suite_run_shared(struct run *run, const int *order)
{
    enum { OWN, FREE, ALL, N_PASSES } pass;
    struct unit *units;
    int n_units;
    enum bench_status status = make_units(run, order, &units, &n_units);

    if (!status)
        status = write_plan(run, order);
    if (!status)
        status = look_around(run);
    for (pass = OWN; pass < N_PASSES && !status; pass++) {
        if (pass == FREE && !share_may_help(run->share)) {
            status = look_around(run);
            break;
        }
        /* at last wait for what others have in work: they may die */
        for (int u = 0; u < n_units && !status; u++)
            if (!units[u].is_over && (pass != OWN || share_is_own(run->share, units[u].hash)))
                status = run_unit(run, order, &units[u], pass == ALL);
    }
    if (!status)
        count_others(run, order, units, n_units);
    free(units);
    return status;
}

/* suite_share.c - units of work that several processes of a call take, one at a time */
#include "harness/suite/suite_private.h"

#include "harness/base/text.h"
#include "harness/suite/gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/*
 * The configurations order[from] .. order[to - 1] share an input, and a power mode where the
 * machine has some: one process measures them side by side.  Where some of them have no times and
 * many frames, other units are parts of these: inputs begin .. end - 1.
 */
struct unit {
    int from, to;
    int begin, end;  /* 0, 0: no part */
    uint64_t hash;   /* of what names it */
    uint64_t group;  /* hash of the whole */
    uint64_t frames; /* of a part: which these are, and of which input */
    bool is_over;    /* done, here or elsewhere */
    bool is_left;    /* it has ended other ranks */
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
    const size_t n_word = strlen(GATHER_REVISION);
    int revision = 0;
    enum bench_status status = BENCH_OK;

    if (text_read_file(path, &there) == BENCH_OK &&
        !strncmp(there.data, GATHER_REVISION, n_word))
        revision = gather_revision(there.data + n_word);
    bench_failure_clear();
    if (!revision || strcmp(strchrnul(there.data, '\n'), plan->data) != 0) {
        text_format(&next, GATHER_REVISION "%d%s", revision + 1, plan->data);
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
    text_format(&plan, "\ncommand\t%s\nmachine\t%s\nbuild\t%s\ncampaign\t%s\nrun\t%d\n",
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
                                      .has_gpu = run->env->device != NULL,
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

struct units {
    struct unit *unit; /* [n]; owned */
    int n, capacity;
};

static enum bench_status add_unit(struct units *units, struct unit unit)
{
    if (units->n == units->capacity) {
        const int more = units->capacity ? 2 * units->capacity : 64;
        struct unit *const grown = realloc(units->unit, (size_t)more * sizeof *grown);

        if (!grown)
            return BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d units of work", more);
        units->unit = grown;
        units->capacity = more;
    }
    units->unit[units->n++] = unit;
    return BENCH_OK;
}

static uint64_t hash_of(const struct run *run, const struct bench_config *first)
{
    const char *const name = run->experiment->name;
    char key[BENCH_CONFIG_TEXT];
    uint64_t hash = XXH64(name, strlen(name), 0);

    suite_group_key(first, key, sizeof key);
    hash = XXH64(key, strlen(key), hash);
    return XXH64(first->plan.mode, strlen(first->plan.mode), hash);
}

/* Which frames begin with this one. */
static uint64_t hash_of_frames(const struct run *run, int begin)
{
    const char *const key = run->group.frames.key;

    return XXH64(&begin, sizeof begin, XXH64(key, strlen(key), 0));
}

/* The parts of a group, if any.  Frames that cannot be counted are none: whoever
 * measures them says why. */
static enum bench_status add_parts(struct run *run, const int *order, struct unit whole,
                                   struct units *units)
{
    const struct bench_config *untimed = NULL;
    int n_all = 0, step;

    for (int i = whole.from; i < whole.to && !untimed; i++)
        if (!run->experiment->configs[order[i]].plan.times)
            untimed = &run->experiment->configs[order[i]];
    if (!untimed)
        return BENCH_OK;
    if (suite_count_inputs(run, untimed, &n_all) != BENCH_OK) {
        bench_failure_clear();
        return BENCH_OK;
    }
    step = suite_part_size(run, untimed, n_all);
    for (int i = 0; i + step < n_all; i += step) { /* the last inputs are no part */
        struct unit part = whole;

        part.begin = i;
        part.end = i + step;
        part.hash = XXH64(&part.begin, sizeof part.begin, whole.hash);
        part.frames = hash_of_frames(run, i);
        TRY(add_unit(units, part));
    }
    return BENCH_OK;
}

static bool is_part(const struct unit *unit)
{
    return unit->end > 0;
}

/* Parts come first, those of the same frames together: whoever has these in memory goes on with
 * them. */
static int compare_units(const void *left, const void *right)
{
    const struct unit *const a = left, *const b = right;

    if (is_part(a) != is_part(b))
        return is_part(a) ? -1 : 1;
    if (a->frames != b->frames)
        return a->frames < b->frames ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

/* A rank's share: of the parts those of its frames. */
static bool is_own(const struct run *run, const struct unit *unit)
{
    return share_is_own(run->share, is_part(unit) ? unit->frames : unit->hash);
}

/* The units, in order; they are the caller's, also on failure. */
static enum bench_status make_units(struct run *run, const int *order, struct units *units)
{
    const struct bench_experiment *const e = run->experiment;

    for (int from = 0, to; from < e->n_configs; from = to) {
        const uint64_t hash = hash_of(run, &e->configs[order[from]]);
        struct unit whole = {.from = from, .hash = hash, .group = hash};

        for (to = from + 1; to < e->n_configs && is_together(run, order[from], order[to]);)
            to++;
        whole.to = to;
        TRY(add_parts(run, order, whole, units));
        TRY(add_unit(units, whole));
    }
    if (units->n > 0)
        qsort(units->unit, (size_t)units->n, sizeof *units->unit, compare_units);
    return BENCH_OK;
}

struct record_shared suite_shared(const struct run *run)
{
    return (struct record_shared){.build_hash = run->env->build->hash,
                                  .campaign = run->options->ranks->campaign,
                                  .run = run->options->run,
                                  .resume = run->options->resume};
}

static enum bench_status look_around(struct run *run)
{
    const struct record_shared shared = suite_shared(run);

    return record_look_around(run->session, &shared);
}

/* Whether a configuration of the unit has its row, or the part of it that the unit is. */
static bool config_is_over(struct run *run, const struct bench_config *config,
                           const struct unit *unit)
{
    return suite_already_there(run, config) ||
           (is_part(unit) &&
            (config->plan.times || suite_part_is_there(run, config, unit->begin, unit->end)));
}

/* Whether all of it has rows, by what was seen last. */
static bool is_over(struct run *run, const int *order, const struct unit *unit)
{
    for (int i = unit->from; i < unit->to; i++)
        if (!bench_same_but_mode(run->experiment, run->env, order, i) &&
            !config_is_over(run, &run->experiment->configs[order[i]], unit))
            return false;
    return true;
}

/* Whether all parts of a group are there, so that its rows can be made of them. */
static bool has_parts(struct run *run, const int *order, const struct units *units,
                      const struct unit *whole)
{
    for (int u = 0; u < units->n && is_part(&units->unit[u]); u++)
        if (units->unit[u].from == whole->from && !units->unit[u].is_over &&
            !is_over(run, order, &units->unit[u]))
            return false;
    return true;
}

/* Whether a part of a group has ended ranks: who makes its rows would run it, too. */
static bool has_left_part(const struct units *units, const struct unit *whole)
{
    for (int u = 0; u < units->n && is_part(&units->unit[u]); u++)
        if (units->unit[u].from == whole->from && units->unit[u].is_left)
            return true;
    return false;
}

/* A rank that has no GPU, or has lost it, would call all that others' GPUs could do skipped. */
static bool lacks_gpu(const struct run *run, const int *order, const struct unit *unit,
                      bool others_may)
{
    const bool lacks = others_may && (!run->env->device || run->device_lost);

    for (int i = unit->from; i < unit->to && lacks; i++)
        if (run->experiment->configs[order[i]].impl->target == BENCH_CUDA)
            return true;
    return false;
}

#define WAIT_S 0.1 /* between two looks at what other ranks do */
#define COME_S 5   /* in which those of one start come */

/* No configuration is on while a rank waits. */
static bool stop_waiting(void)
{
    return bench_interrupts > 0;
}

/* Whether what wants a GPU is to be left to others.  Where this rank has none, 'waits' until all
 * have come, and none of them has one. */
static bool others_may_have_gpu(const struct run *run, bool waits)
{
    const struct bench_time *const time =
        run->options->time ? run->options->time : &bench_real_time;
    bool may = share_may_have_gpu(run->share), is_wanted = false;

    for (int i = 0; i < run->experiment->n_configs; i++)
        is_wanted |= run->experiment->configs[i].impl->target == BENCH_CUDA;
    waits = waits && is_wanted && !run->env->device;
    for (double s = 0; waits && may && s < COME_S && !stop_waiting(); s += WAIT_S) {
        time->wait_s(time->self, WAIT_S);
        may = share_may_have_gpu(run->share);
    }
    return may;
}

static enum bench_status run_parts(struct run *run, const int *order, const struct unit *unit)
{
    enum bench_status status = BENCH_OK;

    for (int i = unit->from; i < unit->to && !status; i++) {
        const struct bench_config *const config = &run->experiment->configs[order[i]];

        if (bench_interrupts)
            status = BENCH_FAIL(BENCH_EINTR, "interrupted at frame %d of %s", unit->begin,
                                config->plan.input);
        else if (!bench_same_but_mode(run->experiment, run->env, order, i) &&
                 !config_is_over(run, config, unit))
            status = suite_run_part(run, config, unit->begin, unit->end);
    }
    return status;
}

/* Take the unit and run what of it has no rows. */
static enum bench_status run_unit(struct run *run, const int *order, struct unit *unit,
                                  double wait_s)
{
    enum bench_status status = BENCH_OK;
    bool taken;
    int n_died;

    (void)share_may_help(run->share); /* others may be gone when it has done its own */
    TRY(share_take(run->share, unit->hash, unit->group, wait_s, stop_waiting, &taken, &n_died));
    if (!taken && n_died > 0 && !unit->is_left) {
        fprintf(run->options->err,
                "note: %s of %s: %d ranks have died with it, so it is left\n",
                run->experiment->configs[order[unit->from]].impl->name, run->experiment->name,
                n_died);
        unit->is_left = true;
    }
    if (!taken)
        return stop_waiting() ? BENCH_FAIL(BENCH_EINTR, "interrupted while other ranks work")
                              : BENCH_OK;
    status = look_around(run);
    if (!status && !is_over(run, order, unit))
        status = is_part(unit) ? run_parts(run, order, unit)
                               : suite_run_range(run, order, unit->from, unit->to);
    unit->is_over = !status;
    share_give_back(run->share);
    return status;
}

/* What is left behind, and what others did. */
static void count_others(struct run *run, const int *order, const struct units *units,
                         bool others_may)
{
    int n_without = 0;

    for (int u = 0; u < units->n; u++) {
        const struct unit *const unit = &units->unit[u];
        const bool is_left = !is_part(unit) && !is_over(run, order, unit);

        for (int i = unit->from; i < unit->to && !is_part(unit); i++) {
            if (run->is_done[order[i]] ||
                bench_same_but_mode(run->experiment, run->env, order, i))
                continue;
            run->summary->n_others++;
            run->summary->n_left += is_left;
            n_without += is_left && lacks_gpu(run, order, unit, others_may);
        }
    }
    if (n_without > 0)
        fprintf(run->options->err,
                "note: %d configurations of %s are left to ranks that have a GPU: %s\n",
                n_without, run->experiment->name,
                run->device_lost ? "this one has lost it" : run->env->no_device);
}

enum bench_status suite_run_shared(struct run *run, const int *order)
{
    enum { OWN, FREE, ALL, N_PASSES } pass;
    struct units units = {0};
    enum bench_status status = make_units(run, order, &units);
    bool may_help = true, others_may = true;

    if (!status)
        status = write_plan(run, order);
    if (!status)
        status = look_around(run);
    for (pass = OWN; pass < N_PASSES && may_help && !status; pass++) {
        may_help = pass == OWN || share_may_help(run->share);
        if (!may_help) /* its own rows may want parts of others that are there by now */
            status = look_around(run);
        others_may = others_may_have_gpu(run, pass == FREE);
        /* at last wait for what others have in work: they may die */
        for (int u = 0; u < units.n && !status; u++) {
            struct unit *const unit = &units.unit[u];

            if (!unit->is_over && (is_own(run, unit) || (pass != OWN && may_help)) &&
                !has_left_part(&units, unit) && !lacks_gpu(run, order, unit, others_may) &&
                (pass == ALL || is_part(unit) || has_parts(run, order, &units, unit)))
                status = run_unit(run, order, unit, pass == ALL ? WAIT_S : 0);
        }
    }
    if (!status)
        count_others(run, order, &units, others_may);
    free(units.unit);
    return status;
}

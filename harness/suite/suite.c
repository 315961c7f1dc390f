/* suite.c - run the configurations of an experiment and record a row for each */
#include "harness/suite/suite_private.h"

#include "harness/base/memory.h"
#include "harness/measure/nvtx.h"

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    return bench_real_time.now_s(bench_real_time.self);
}

/* The state of the board around the configuration; its clocks where the device has counted
 * none. */
static void live_fields(const struct run *run, const struct bench_timing *t,
                        struct record_row *row)
{
    const struct platform_live *before = &run->task.before, *after = &run->task.after;

    record_known(row, "temp_c_before", before->temp_c);
    record_known(row, "temp_c_after", after->temp_c);
    record_known(row, "emc_mhz", after->emc_mhz);
    if (after->clocks_locked >= 0)
        record_integer(row, "clocks_locked", after->clocks_locked);
    if (!run->env->device)
        record_known(row, "sm_count", after->sm_count);
    if (!t)
        return;
    record_known(row, "gpu_mhz_before",
                 t->gpu_mhz_before > 0 ? t->gpu_mhz_before : before->gpu_mhz);
    record_known(row, "gpu_mhz_med", t->gpu_mhz_med);
    record_known(row, "gpu_mhz_after",
                 t->gpu_mhz_after > 0 ? t->gpu_mhz_after : after->gpu_mhz);
}

static const char *outcome_status(enum bench_status outcome)
{
    return outcome == BENCH_OK          ? "ok"
           : outcome == BENCH_ESKIP     ? "skipped"
           : outcome == BENCH_EMISMATCH ? "wrong"
                                        : "failed";
}

/* Fill the row of a timing, or of a configuration without; 't' may be NULL. */
static enum bench_status fill_row(struct run *run, struct bench_timing *t,
                                  struct record_row *row)
{
    const enum bench_status outcome = run->task.outcome;

    if (outcome == BENCH_OK || outcome == BENCH_EMISMATCH)
        suite_result_fields(run, row);
    live_fields(run, t, row);
    if (run->task
            .mode_refused) { /* else it would look as if it were about the mode that is on */
        record_text(row, "mode_name", run->task.config->plan.mode);
        record_text(row, "mode_id", "");
    }
    record_text(row, "status", outcome_status(outcome));
    if (outcome)
        suite_failure_fields(row, run->options->data);
    if (!t)
        return BENCH_OK;
    suite_timing_fields(t, run->group.n_frames, row);
    if (t->is_share)
        record_text(row, "reason",
                    "share of its kernel's time, by the clocks of the kernel's blocks");
    return record_samples(row, t->ns, t->sm_mhz, t->n);
}

#define ODD_SHARE 0.1 /* of our clock: a program whose own says less, by so many ms, is named */
#define ODD_MS    1.0

/* Adds a peer's remarks to its row: our own timing, and warnings. */
static void add_remarks(const struct run *run, const struct bench_timing *t, char remarks[400])
{
    struct bench_result *const result = run->task.result;
    const bool is_odd =
        t->wall_ms - t->stat.mean > ODD_MS && t->stat.mean < ODD_SHARE * t->wall_ms;
    char own[TEXT_NUMBER], wall[TEXT_NUMBER];
    int n = 0;

    remarks[0] = '\0';
    text_short_number(own, t->stat.mean, 4);
    text_short_number(wall, t->wall_ms, 4);
    if (t->wall_ms > 0)
        n = snprintf(remarks, 400, "by its own clock%s; by ours %s ms a run",
                     is_odd ? ", which says less than a tenth" : "", wall);
    if (*result->remark)
        snprintf(remarks + n, 400 - (size_t)n, "%s%s", n > 0 ? "; " : "", result->remark);
    if (is_odd)
        fprintf(run->options->err, "note: %s: %s ms a run by its own clock, %s ms by ours\n",
                run->task.config->impl->name, own, wall);
}

/* ---- what is this rank's ---- */

static bool is_repeated(const struct run *run, int at)
{
    return run->experiment->configs[at].plan.runs >= run->options->run;
}

/* True if this rank has the configuration, or a range of its inputs, which is then task.own. */
static bool is_own(struct run *run, int at)
{
    const int n = run->share.config[at].n;

    run->task.own.from = run->task.own.to = run->task.own.n = 0;
    if (n == 1)
        return is_repeated(run, at) && run->share.config[at].owner == run->share.rank;
    run->task.own.n = n;
    share_inputs(&run->share, n, &run->task.own.from, &run->task.own.to);
    return is_repeated(run, at) && run->task.own.from < run->task.own.to;
}

/* Counts this rank's configurations, for its last row, and the ranks that have any. */
static enum bench_status count_shares(struct run *run)
{
    const struct bench_experiment *const e = run->experiment;
    OWNED(memory_free) bool *has = NULL;

    TRY(memory_allocate(&has, sizeof *has, run->share.size, 1, 1, 1));
    for (int i = 0; i < e->n_configs; i++) {
        const int at = run->order[i];
        struct shared *const shared = &run->share.config[at];

        if (run->share.size > 1 && !e->configs[at].plan.times &&
            suite_count_inputs(run, &e->configs[at], &shared->n) != BENCH_OK) {
            bench_failure_clear(); /* who runs it says why */
            shared->n = 1;
        }
        if (!is_repeated(run, at) || bench_same_but_mode(e, run->env, run->order, i))
            continue;
        run->n_own += is_own(run, at);
        has[shared->owner] |= shared->n == 1;
        for (int rank = 0; shared->n > 1 && rank < MIN(shared->n, run->share.size); rank++)
            has[rank] = true;
    }
    for (int rank = 0; rank < run->share.size; rank++)
        run->n_ranks += has[rank];
    return BENCH_OK;
}

/* ---- rows ---- */

static void drop_row(struct record_row **row)
{
    record_row_free(*row);
}

/* A row of some of the inputs is a part, which readers add up. */
static enum bench_status make_part(struct run *run, struct record_row *row)
{
    TRY(suite_mark_sums(run));
    TRY(record_sums(row, &run->task.sums));
    record_text(row, "status", RECORD_PART);
    return BENCH_OK;
}

/*
 * 'is_last' of the configuration.  *is_new is false where a resumed session has it: a kill
 * may leave the first rows of one.
 */
static enum bench_status record_timing(struct run *run, struct bench_timing *t,
                                       bool with_values, bool is_last, bool *is_new)
{
    const struct task *const now = &run->task;
    /* its clocks and power limit are the board's then, and no fault of the moment */
    const bool is_board =
        run->env->board.mode_id >= 0 ||
        (run->env->device && bench_device_describe(run->env->device)->integrated);
    OWNED(drop_row) struct record_row *row = suite_new_row(run);
    const char *reason = NULL, *word = outcome_status(now->outcome);
    const bool is_part = !now->outcome && now->own.n > 0;
    char remarks[400] = "";

    NEED(row, "a row");
    TRY(fill_row(run, t, row));
    if (is_part)
        TRY(make_part(run, row));
    if (is_last && !now->is_left && (!now->outcome || now->outcome == BENCH_ESKIP))
        record_integer(row, "share_configs", run->n_own);
    *is_new = !(run->options->resume && record_has(run->session, row));
    if (t) {
        word = bench_timing_status(t, is_board, &reason);
        if (now->after.mode_id != now->before.mode_id ||
            now->after.tpc_mask != now->before.tpc_mask) {
            word = "unstable";
            reason = "somebody switched the board's power mode during the row";
        }
        if (now->was_throttled) {
            word = "throttled";
            reason = "the cgroup's CPU quota stopped this process during the row";
        }
        record_text(row, "status", word);
        add_remarks(run, t, remarks);
        if (reason || *remarks)
            record_text(row, "reason", reason ? reason : remarks);
    }
    for (int i = 0; i < run->group.values.n && with_values; i++) {
        const struct suite_value *v = &run->group.values.value[i];

        TRY(record_value(row, v->name, v->index, v->value, v->unit));
    }
    if (t && t->series == BENCH_STREAM)
        TRY(record_latencies(row, t->ns, t->n));
    if (!*is_new)
        return BENCH_OK;
    TRY(record_write(run->session, row));
    run->summary->n_parts += is_part;
    run->summary->n_rows += !is_part;
    if (!now->outcome && !is_part) {
        run->summary->n_ok += strcmp(word, "ok") == 0;
        run->summary->n_unstable += strcmp(word, "ok") != 0;
        run->summary->n_outside += now->result->difference.n_outside > 0;
    }
    return BENCH_OK;
}

/*
 * Record what became of a configuration: a row per timing, or one row where there is none.
 * Stages come before whole runs: already_there() asks for these alone, which are then the last
 * of a configuration.
 */
static enum bench_status record_config(struct run *run)
{
    struct bench_result *const result = run->task.result;
    const bool is_right = run->task.outcome == BENCH_OK;
    const int n = is_right ? result->n_timings : 0;
    const bool values = is_right && run->task.config->plan.values;
    bool is_new[BENCH_MAX_TIMINGS], any_new = false;
    int last = -1;

    platform_live_read(run->env->sysroot, &run->task.after);
    if (n == 0) {
        TRY(record_timing(run, NULL, values, true, &any_new));
        if (is_right && any_new && !run->task.own.n)
            suite_print_row(run, NULL);
    }
    for (int i = 0; i < n; i++) {
        struct bench_timing *t = &result->timing[i];

        for (int k = 0; k < t->n; k++) /* raw samples are per frame, as times are */
            t->ns[k] /= run->group.n_frames;
        if (last < 0 || !t->stage[0] || result->timing[last].stage[0])
            last = i;
    }
    for (int whole = 0; whole < 2; whole++)
        for (int i = 0; i < n; i++)
            if ((result->timing[i].stage[0] == '\0') == whole)
                TRY(record_timing(run, &result->timing[i], values && i == 0, i == last,
                                  &is_new[i]));
    for (int i = 0; i < n; i++) {
        any_new = any_new || is_new[i];
        if (is_new[i])
            suite_print_row(run, &result->timing[i]);
    }
    run->summary->n_kept += is_right && !any_new;
    return BENCH_OK;
}

/* True for the one that speaks and writes, of ranks that measure together. */
static bool is_first(const struct run *run)
{
    return !run->world || run->world->place.rank == 0;
}

/* Count what did not go well, and say it. */
static void note_outcome(struct run *run)
{
    const enum bench_status outcome = run->task.outcome;
    struct bench_summary *s = run->summary;
    char text[512];

    if (!outcome)
        return;
    bench_config_text(run->task.config, text, sizeof text);
    suite_clear_progress(run);
    if (outcome == BENCH_ESKIP) {
        s->n_skipped++;
        bench_reason_add(&s->skipped, bench_failure());
        if (run->options->verbosity > 1 && is_first(run))
            fprintf(run->options->err, "skipped: %s: %s\n", text, bench_failure());
        return;
    }
    if (outcome == BENCH_EMISMATCH)
        s->n_wrong++;
    else
        s->n_failed++;
    if (!s->worst)
        s->worst = outcome;
    if (is_first(run))
        fprintf(run->options->err, "%s: %s: %s\n",
                outcome == BENCH_EMISMATCH ? "WRONG" : "failed", text, bench_failure());
}

/* True if a good row of this configuration is there. */
static bool row_there(struct run *run, const char *scope, const char *series)
{
    OWNED(drop_row) struct record_row *row = suite_new_row(run);

    if (!row)
        return false;
    if (run->env->board.mode_id >= 0)
        record_text(row, "mode_name",
                    bench_modes_wanted(&run->host.modes, &run->task.config->plan));
    record_text(row, "scope", scope);
    record_text(row, "series", series);
    record_text(row, "status", run->task.own.n > 0 ? RECORD_PART : "ok");
    return record_has(run->session, row);
}

/* True if all rows of a configuration are there.  Their identity has the hash of the input:
 * what has changed is measured anew. */
static bool already_there(struct run *run)
{
    const struct bench_config *const config = run->task.config;

    if (suite_hash_inputs(run, false) != BENCH_OK) {
        bench_failure_clear();
        return false; /* running it tells why */
    }
    if (!config->plan.times)
        return row_there(run, "", "");
    for (int series = 0; series < BENCH_N_SERIES; series++)
        for (int scope = 0; scope < BENCH_N_SCOPES; scope++)
            if (plan_times(&config->plan, config->impl, (enum bench_scope)scope,
                           (enum bench_series)series) &&
                !row_there(run, bench_scope_name[scope], bench_series_name[series]))
                return false;
    return true;
}

/* A descriptor or file at fault, which the user wants to mend now: nothing is recorded. */
static bool is_users(enum bench_status outcome)
{
    return outcome == BENCH_EINTR || outcome == BENCH_EINPUT;
}

/* The row of one that fails has the hash of all inputs, too. */
enum bench_status suite_measure(struct run *run)
{
    struct group *g = &run->group;
    const int from = run->task.own.from, to = run->task.own.n > 0 ? run->task.own.to : g->n_all;
    enum bench_status status;

    bench_sums_free(&run->task.sums);
    status = run->task.own.n > 0 && run->task.own.n != g->n_all
                 ? BENCH_FAIL(BENCH_EINPUT, "input %s: expected %d frames as before, found %d",
                              run->task.config->plan.input, run->task.own.n, g->n_all)
                 : suite_sum(run, from, to, &run->task.sums);
    if (!status)
        status = suite_conclude(run, &run->task.sums, from, to);
    if (status && !is_users(status) && g->n_inputs > 0) {
        char why[512];

        snprintf(why, sizeof why, "%.511s", bench_failure());
        (void)suite_hash_inputs(run, true);
        return BENCH_FAIL(status, "%s", why);
    }
    return status;
}

static enum bench_status enter_mode(struct run *run)
{
    enum bench_status status;

    if (run->host.modes.control) /* it may have something to say */
        suite_clear_progress(run);
    status = bench_modes_enter(&run->host.modes, &run->task.config->plan);
    run->task.mode_refused = status != BENCH_OK;
    run->host.machine.n_cores =
        run->env->cores->n_cores; /* a mode turns processors on and off */
    return status;
}

/* Opens what measures the power of the processor at work, when it is first asked for. */
static void find_power(struct run *run)
{
    const struct bench_config *const config = run->task.config;
    const bool on_card = config->impl->target == BENCH_CUDA && run->env->device;
    struct power *power = &run->host.power[on_card];

    run->host.machine.power = NULL;
    run->host.machine.no_power = NULL;
    if (!config->plan.energy)
        return;
    if (!power->tried) {
        power->source = platform_power_open(
            run->env->sysroot, on_card ? bench_device_describe(run->env->device)->uuid : NULL,
            NULL, power->why);
        if (!power->source)
            fprintf(run->options->err, "note: no energy: %s\n", power->why);
    }
    power->tried = true;
    run->host.machine.power = power->source;
    run->host.machine.no_power = power->why;
}

/* If a variant of the group wants a GPU, which others may have, the whole group is left to
 * them: it is measured side by side. */
static enum bench_status has_device(const struct run *run)
{
    const struct bench_config *const config = run->task.config;
    const bool is_own = config->impl->target == BENCH_CUDA,
               is_wanted =
                   is_own || (run->share.size > 1 && config->plan.times &&
                              run->share.config[config - run->experiment->configs].wants_gpu);
    const char *const why = is_own ? "" : "its group wants a GPU: ";

    TRY(bench_env_check(run->env, config->impl));
    FAIL_IF(is_wanted && !run->env->device, BENCH_ESKIP, "%s%s", why, run->env->no_device);
    FAIL_IF(is_wanted && run->host.device_lost, BENCH_ESKIP,
            "%sthe device was lost in an earlier configuration", why);
    return BENCH_OK;
}

/* All that comes before an input of the configuration is run. */
static enum bench_status begin_config(struct run *run)
{
    char text[BENCH_CONFIG_TEXT];
    enum bench_status outcome;

    bench_failure_clear();
    bench_config_text(run->task.config, text, sizeof text);
    bench_nvtx_begin_config(text);
    run->task.mode_refused = run->task.was_throttled = false;
    outcome = has_device(run);
    if (!outcome)
        outcome = enter_mode(run);
    platform_live_read(run->env->sysroot, &run->task.before);
    if (!outcome)
        find_power(run);
    if (!outcome && !run->world)
        outcome = suite_enter_group(run);
    run->task.is_left = run->options->rank && outcome == BENCH_ESKIP;
    return outcome;
}

static void free_result(struct bench_result **result)
{
    if (*result)
        bench_result_free(*result);
    free(*result);
}

static enum bench_status run_config(struct run *run)
{
    OWNED(free_result) struct bench_result *result = NULL;
    enum bench_status outcome, status;

    TRY(memory_allocate(&result, sizeof *result, 1, 1, 1, 1));
    run->task.result = result;
    outcome = begin_config(run);
    if (run->world)
        outcome = suite_scale(run, outcome);
    else if (!outcome)
        outcome = suite_measure(run);
    bench_nvtx_end();
    if (outcome == BENCH_ECUDA && bench_device_sync(run->env->device) != BENCH_OK)
        run->host.device_lost = true; /* a sticky error: nothing more can run on it */
    if (is_users(outcome) || (run->world && run->world->is_broken)) {
        status = outcome;
    } else {
        run->task.outcome = outcome;
        note_outcome(run);
        status = is_first(run) ? record_config(run) : BENCH_OK;
        run->summary->n_others += !is_first(run) && !outcome;
        run->summary->n_left += run->task.is_left;
    }
    if (run->world && !run->world->is_broken)
        status = world_agree(run->world, status, run->task.config->plan.wait_s);
    return status;
}

/* Makes the references of a configuration's inputs, which stay in options->references, also of
 * one that cannot run here. */
static enum bench_status make_references_of(struct run *run)
{
    const struct group *const g = &run->group;
    int step;

    TRY(suite_enter_group(run));
    TRY(suite_range(run, 0, &step));
    for (int i = 0; i < g->n_all; i += step) {
        TRY(suite_enter_range(run, i, MIN(step, g->n_all - i)));
        TRY(suite_make_outputs(run, false));
    }
    return BENCH_OK;
}

static enum bench_status prepare_config(struct run *run)
{
    const bool is_needed = !run->world && !suite_is_own_reference(run->task.config);
    const enum bench_status status = is_needed ? make_references_of(run) : BENCH_OK;

    return status == BENCH_ESKIP ? BENCH_OK : status; /* an input that is not here */
}

static void show_progress(const struct run *run)
{
    const double elapsed = seconds() - run->t0;
    const double left = run->n_done > 0
                            ? elapsed / run->n_done * (run->experiment->n_configs - run->n_done)
                            : 0;

    if (!run->options->progress)
        return;
    fprintf(run->options->err, "\r\033[K[%d/%d] %s %s", run->n_done + 1,
            run->experiment->n_configs, run->experiment->name, run->task.config->impl->name);
    if (run->n_done > 0)
        fprintf(run->options->err, ", about %.0f s left", left);
    fprintf(run->options->err, "\r");
    fflush(run->options->err);
}

enum { BY_MODE, BY_GROUP, BY_PASS, AT, N_PLACES };

static int compare_places(const void *left, const void *right)
{
    const int *const a = left, *const b = right;
    int i = 0;

    while (i < AT && a[i] == b[i])
        i++;
    return a[i] - b[i];
}

/* Configurations in the order in which they run: by power mode, if any, and by group, each in
 * the order of their first configuration; in a group first those that make its references. */
static enum bench_status make_order(struct run *run, bool by_mode)
{
    const struct bench_experiment *const e = run->experiment;
    const struct shared *const of = run->share.config;
    OWNED(memory_free) int(*place)[N_PLACES] = NULL;

    TRY(memory_allocate(&run->order, sizeof *run->order, e->n_configs, 1, 1, 1));
    TRY(memory_allocate(&place, sizeof *place, e->n_configs, 1, 1, 1));
    for (int i = 0; i < e->n_configs; i++) {
        int mode = 0, group = 0;

        while (by_mode && strcmp(e->configs[mode].plan.mode, e->configs[i].plan.mode) != 0)
            mode++;
        while (of[group].first != of[i].first ||
               (by_mode && strcmp(e->configs[group].plan.mode, e->configs[i].plan.mode) != 0))
            group++;
        place[i][BY_MODE] = mode;
        place[i][BY_GROUP] = group;
        place[i][BY_PASS] = !suite_is_own_reference(&e->configs[i]);
        place[i][AT] = i;
    }
    qsort(place, (size_t)e->n_configs, sizeof *place, compare_places);
    for (int i = 0; i < e->n_configs; i++)
        run->order[i] = place[i][AT];
    return BENCH_OK;
}

static enum bench_status check_config(const struct bench_config *config)
{
    const struct bench_problem *const problem = config->impl->problem;
    const struct bench_impl *reference;
    char path[4400];

    if (problem->check)
        TRY(problem->check(&config->params));
    TRY(plan_check(&config->plan));
    TRY(bench_reference_of(config->impl, &reference));
    return bench_input_path(config->plan.input, path, sizeof path);
}

/* Before anything runs: parameters are possible, inputs known, and variants have references. */
static enum bench_status check_configs(const struct bench_experiment *e)
{
    for (int i = 0; i < e->n_configs; i++) {
        const enum bench_status status = check_config(&e->configs[i]);

        FAIL_IF(status, status, "%s:%d: [%s] %s", e->path, e->configs[i].line,
                e->configs[i].section, bench_failure());
    }
    return BENCH_OK;
}

/* Rank 0 decides for all whether the rows exist. */
static bool is_there(struct run *run, enum bench_status *status)
{
    double there;

    if (run->world)
        *status = suite_scale_meet(run); /* rows say on how many hosts and GPUs */
    there = !*status && is_first(run) && already_there(run);
    if (run->world && !*status)
        *status = world_reduce(run->world, false, &there, 1, run->task.config->plan.wait_s);
    return !*status && there > 0;
}

static enum bench_status run_in_order(struct run *run)
{
    const struct bench_experiment *e = run->experiment;
    const int *const order = run->order;
    enum bench_status status = BENCH_OK;

    for (int i = 0; i < e->n_configs && !status; i++) {
        run->task.config = &e->configs[order[i]];
        if (process_interrupts) {
            status = BENCH_FAIL(BENCH_EINTR, "interrupted after %d of %d configurations",
                                run->n_done, e->n_configs);
        } else if (bench_same_but_mode(e, run->env, order, i)) {
            run->summary->n_same++; /* it has run */
        } else if (!is_own(run, order[i])) {
            run->summary->n_others++;
        } else if (++run->at_own && run->options->resume && is_there(run, &status)) {
            run->summary->n_kept++;
        } else if (status) {
            break;
        } else {
            show_progress(run);
            status = run->options->prepare ? prepare_config(run) : run_config(run);
            suite_clear_progress(run);
        }
        run->n_done += !status;
    }
    return status;
}

static enum bench_status run_configs(struct run *run)
{
    const struct bench_experiment *e = run->experiment;
    bool any_mode = run->env->board.mode_id < 0;
    enum bench_status status;

    TRY(make_order(run, !any_mode));
    for (int i = 0; i < e->n_configs && any_mode && !run->options->prepare; i++)
        if (strcmp(e->configs[i].plan.mode, "any") != 0 || e->configs[i].plan.lock_clocks) {
            fprintf(run->options->err,
                    "note: no power modes here: mode = %s%s runs as it is (any)\n",
                    e->configs[i].plan.mode,
                    e->configs[i].plan.lock_clocks ? ", clocks = max" : "");
            any_mode = false; /* said once */
        }
    status = count_shares(run);
    if (!status)
        status = run_in_order(run);
    for (int i = run->n_done; i < e->n_configs; i++)
        run->summary->n_not_run +=
            !bench_same_but_mode(e, run->env, run->order, i) && is_own(run, run->order[i]);
    return status;
}

static void session_name(const struct bench_env *env, const struct launcher_rank *rank,
                         char *name, size_t size)
{
    char stamp[BENCH_UTC];

    bench_utc("%Y%m%dT%H%M%SZ", stamp);
    snprintf(name, size, "%s-%.7s%s-%s-%ld", stamp, env->build->commit,
             env->build->is_clean ? "" : "-dirty", env->host[0] ? env->host : "nohost",
             (long)getpid());
    if (rank) {
        const size_t n = strlen(name);

        snprintf(name + n, size - n, "-rank%d", rank->rank);
    }
}

enum bench_status suite_open(const struct bench_env *env, const struct bench_options *options,
                             struct record_session **session)
{
    const struct record_resume resume = {.build_hash = env->build->hash,
                                         .host = env->host,
                                         .experiments = options->experiments,
                                         .run = options->run,
                                         .run_group = options->run_group,
                                         .is_rank = options->rank != NULL};
    const bool resumes = options->resume && !(options->world && options->world->place.rank > 0);
    OWNED(text_free) struct text env_text = {0};
    char name[128];

    session_name(env, options->rank, name, sizeof name);
    TRY(record_open(options->results, name, resumes ? &resume : NULL, session));
    bench_env_text(env, &env_text);
    for (int i = 0; bench_impls[i]; i++)
        if (bench_impls[i]->run_told)
            text_format(&env_text, "peer=%s: %s\n", bench_impls[i]->name,
                        bench_impls[i]->source);
    TRY(text_ok(&env_text));
    return record_env(*session, env_text.data);
}

enum bench_status suite_close(const struct bench_env *env, struct record_session *session)
{
    const double load = platform_load(env->sysroot);
    char line[64];
    enum bench_status status = BENCH_OK, closed;

    snprintf(line, sizeof line, "load_1_end=%.2f\n", load);
    if (session && load >= 0)
        status = record_env_end(session, line);
    closed = record_close(session);
    return status ? status : closed;
}

enum bench_status suite_run(const struct bench_experiment *experiment, struct bench_env *env,
                            const struct bench_options *options, struct record_session *session,
                            struct bench_summary *summary)
{
    struct run run = {.experiment = experiment,
                      .env = env,
                      .options = options,
                      .summary = summary,
                      .session = session,
                      .world = options->world,
                      .t0 = seconds(),
                      .host.machine = {.device = env->device,
                                       .n_cores = env->cores->n_cores,
                                       .llc_bytes = env->cores->llc_bytes,
                                       .profile = options->profile,
                                       .realtime = options->realtime,
                                       .time = options->time},
                      .host.modes = {.env = env,
                                     .err = options->err,
                                     .time = options->time,
                                     .tool_timeout_s = options->tool_timeout_s}};
    enum bench_status status;

    memset(summary, 0, sizeof *summary);
    TRY(check_configs(experiment));
    TRY(share_make(experiment, options->rank ? options->rank->rank : 0,
                   options->rank ? options->rank->size : 1, &run.share));
    suite_print_head(&run);
    bench_modes_open(&run.host.modes);
    status = run_configs(&run);
    status = bench_modes_close(&run.host.modes, status);
    for (int i = 0; i < 2; i++)
        platform_power_close(run.host.power[i].source);
    suite_note_values(&run);
    suite_drop_group(&run.group);
    suite_frames_close(&run.group.frames);
    suite_frames_close(&run.counted);
    bench_sums_free(&run.task.sums);
    share_free(&run.share);
    free(run.order);
    snprintf(summary->session, sizeof summary->session, "%s", record_session_name(session));
    return status;
}

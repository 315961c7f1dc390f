/* suite_rows.c - the fields of a row, as far as the configuration, its result and its times say
 * them */
#include "harness/suite/suite_private.h"

#include "harness/suite/config.h"

#include <string.h>

static const char *device_word(enum bench_target target)
{
    return target == BENCH_CUDA ? "gpu" : target == BENCH_OPENMP ? "omp" : "serial";
}

/* Returns the protocol.  Tables show "paper" and "quick" only. */
static const char *protocol(const struct run *run)
{
    return run->options->profile                           ? "profiler"
           : strcmp(run->env->build->mode, "release") != 0 ? run->env->build->mode
           : run->options->quick                           ? "quick"
                                                           : "paper";
}

/* Without times hosts of any number of cores share the frames. */
int suite_threads(const struct run *run, const struct bench_config *config)
{
    return config->impl->target == BENCH_CUDA     ? 0
           : config->impl->target == BENCH_SERIAL ? 1
           : config->plan.threads > 0             ? config->plan.threads
           : config->plan.times                   ? run->host.machine.n_cores
                                                  : 0;
}

/* The keys by which configurations differ: what is not at its default, and what rows have
 * always had, which readers know them by. */
static void plan_fields(const struct bench_config *config, struct record_row *row)
{
    const char *const always = plan_streams(&config->plan)
                                   ? "input|frame_pick|batch|transfer|rate|in_flight|arrival"
                                   : "input|frame_pick|batch|transfer";
    char text[BENCH_PLAN_TEXT];

    for (const struct bench_key *key = bench_plan_keys; key->name; key++) {
        plan_value(&config->plan, key, text);
        if (plan_column(key) && !config_is_open(key) &&
            (strcmp(text, key->default_text) != 0 || bench_choice(always, key->name) >= 0) &&
            (config->impl->target == BENCH_CUDA || strcmp(key->name, "transfer") != 0))
            record_text(row, plan_column(key), text);
    }
}

struct record_row *suite_new_row(struct run *run)
{
    const struct bench_config *const config = run->task.config;
    struct record_row *row = record_row_new(run->session);
    OWNED(text_free) struct text plan = {0};
    char text[BENCH_CONFIG_TEXT];

    if (!row)
        return NULL;
    bench_env_row(run->env, row);
    plan_fields(config, row); /* of ranks that share a call the next lines say how many */
    if (run->options->run > 0) {
        record_integer(row, "run", run->options->run);
        record_text(row, "run_group", run->options->run_group);
    }
    if (run->options->rank) {
        record_text(row, "launcher", run->options->rank->launcher);
        record_integer(row, "rank", run->share.rank);
        record_integer(row, "ranks", run->share.size);
    }
    snprintf(text, sizeof text, "%016llx", (unsigned long long)run->share.hash);
    record_text(row, "share", text);
    record_integer(row, "share_ranks", run->n_ranks);
    record_integer(row, "share_config", run->at_own);
    if (run->world)
        suite_scale_fields(run, row);
    record_text(row, "protocol", protocol(run));
    record_text(row, "experiment", run->experiment->name);
    record_text(row, "problem", run->experiment->problem->name);
    record_text(row, "section", config->section);
    record_text(row, "impl", config->impl->name);
    record_text(row, "device", device_word(config->impl->target));
    bench_params_text(&config->params, text, sizeof text);
    record_text(row, "params", text);
    for (int i = 0; i < config->params.n; i++)
        record_text(row, config->params.item[i].key->name, config->params.item[i].text);
    config_plan_text(&config->plan, run->options->realtime, &plan);
    record_text(row, "plan", plan.data);
    if (run->task.own.n > 0) {
        snprintf(text, sizeof text, RECORD_RANGE, run->task.own.from + 1, run->task.own.to,
                 run->task.own.n);
        record_text(row, "stage", text);
    }
    if (run->group.hash_to > 0 && suite_is_in_group(&run->group, config)) {
        snprintf(text, sizeof text, "%016llx", (unsigned long long)run->group.input_hash);
        record_text(row, "input_hash", text);
    }
    if (config->impl->target == BENCH_CUDA) {
        if (config->plan.sms > 0)
            record_integer(row, "sms", config->plan.sms);
        else if (run->env->device && config->plan.times)
            record_integer(row, "sms", bench_device_describe(run->env->device)->sm_count);
    }
    record_integer(row, "threads", suite_threads(run, config));
    return row;
}

/* Writes what was drawn, or why that is not known, if the plan asks for it. */
static void energy_fields(const struct bench_energy *e, int n_frames, struct record_row *row)
{
    const double n = (double)e->n_runs * (n_frames > 0 ? n_frames : 1);

    record_text(row, "power_note", e->note);
    record_text(row, "power_source", e->source);
    if (!e->is_measured)
        return;
    record_text(row, "rails", e->rails);
    record_text(row, "power_scope", e->scope);
    record_integer(row, "power_n", e->n_readings);
    record_number(row, "watt", e->joules / e->seconds);
    record_number(row, "idle_watt", e->idle_watt);
    record_number(row, "mj_frame", 1e3 * e->joules / n);
    record_number(row, "mj_frame_net", 1e3 * (e->joules - e->idle_watt * e->seconds) / n);
}

void suite_result_fields(struct run *run, struct record_row *row)
{
    const struct bench_config *const config = run->task.config;
    struct bench_result *const result = run->task.result;
    const struct group *g = &run->group;
    const struct bench_problem *problem = config->impl->problem;
    char text[32];

    record_integer(row, "n_inputs",
                   run->task.own.n > 0 ? run->task.own.to - run->task.own.from : g->n_all);
    if (g->n_frames > 0)
        record_integer(row, "n_frames", g->n_frames);
    record_text(row, "binding", result->binding);
    record_text(row, "cpus_bound", result->cpus_bound);
    if (config->plan.times || config->plan.threads > 0)
        record_known(row, "threads", result->threads);
    if (config->impl->target == BENCH_CUDA) {
        record_integer(row, "pinned", result->pinned);
        if (result->note.threads_per_block > 0) {
            record_integer(row, "threads_per_block", result->note.threads_per_block);
            record_integer(row, "regs", result->note.registers);
            record_integer(row, "smem_bytes", (long long)result->note.shared_bytes);
            record_number(row, "occupancy_pct", result->note.occupancy_pct);
        }
        if (config->plan.times) /* else it depends on how many inputs were there together */
            record_integer(row, "device_bytes", (long long)result->device_bytes);
    } else if (config->plan.times && !config->impl->run_told && run->task.host_peak_bytes > 0) {
        record_integer(row, "host_peak_bytes", (long long)run->task.host_peak_bytes);
    }
    record_text(row, "reference", config->impl->reference);
    if (result->verified)
        record_text(row, "verdict",
                    result->is_reference                              ? "reference"
                    : config->impl->other                             ? "other"
                    : problem->match(&config->params) == BENCH_EXACT  ? "exact"
                    : problem->match(&config->params) == BENCH_WITHIN ? "within"
                    : result->difference.n_outside > 0                ? "outside"
                                                                      : "statistical");
    else if (result->difference.n_wrong > 0)
        record_text(row, "verdict", "wrong");
    record_integer(row, "n_wrong", (long long)result->difference.n_wrong);
    record_number(row, "max_err", result->difference.max_error);
    if (result->verified && result->repeatable) {
        snprintf(text, sizeof text, "%016llx", (unsigned long long)result->output_hash);
        record_text(row, "output_hash", text);
    }
    if (result->verified && problem->count_work) {
        record_number(row, "work_bytes", g->work.bytes);
        record_number(row, "work_ops", g->work.ops);
    }
}

void suite_failure_fields(struct record_row *row, const char *data)
{
    const char *from = bench_failure();
    const size_t n = data ? strlen(data) : 0;
    OWNED(text_free) struct text reason = {0};

    for (const char *at; n > 1 && (at = strstr(from, data)) != NULL; from = at + n) {
        text_bytes(&reason, from, (size_t)(at - from));
        text_add(&reason, "data");
    }
    text_add(&reason, from);
    record_text(row, "reason",
                text_ok(&reason) == BENCH_OK && reason.data ? reason.data : bench_failure());
}

/* Latencies are those of all other columns; of a tail that is not told there is nothing. */
static void latency_fields(const struct bench_timing *t, struct record_row *row)
{
    static const char *const column[BENCH_N_TAILS][3] = {
        {"p90_ms", "p90_lo_ms", "p90_hi_ms"},
        {"p99_ms", "p99_lo_ms", "p99_hi_ms"},
        {"p999_ms", "p999_lo_ms", "p999_hi_ms"}};
    const struct bench_stream *s = &t->stream;

    for (int i = 0; i < BENCH_N_TAILS; i++) {
        record_known(row, column[i][0], s->tail[i].value);
        record_known(row, column[i][1], s->tail[i].lo);
        record_known(row, column[i][2], s->tail[i].hi);
    }
    record_integer(row, "n_dropped", s->n_dropped);
    if (s->has_deadline)
        record_integer(row, "n_missed", s->n_missed);
    record_number(row, "jitter_ms", s->jitter_ms);
    record_number(row, "host_ms", s->host_ms);
    record_known(row, "gpu_ms", s->gpu_ms);
    record_number(row, "cpu_ms", s->cpu_ms);
    if (s->realtime)
        record_text(row, "realtime", s->realtime);
    record_known(row, "fps", s->fps);
}

void suite_timing_fields(const struct bench_timing *t, int n_frames, struct record_row *row)
{
    const double per = 1.0 / (n_frames > 0 ? n_frames : 1); /* times per frame of a batch */
    const struct bench_stat *s = &t->stat;
    const struct {
        const char *column;
        double ms;
    } times[10] = {{"min_ms", s->min},    {"q1_ms", s->q1},   {"median_ms", s->median},
                   {"q3_ms", s->q3},      {"p95_ms", s->p95}, {"max_ms", s->max},
                   {"mean_ms", s->mean},  {"sd_ms", s->sd},   {"ci_lo_ms", s->ci_lo},
                   {"ci_hi_ms", s->ci_hi}};

    record_text(row, "scope", bench_scope_name[t->scope]);
    record_text(row, "series", bench_series_name[t->series]);
    record_text(row, "stage", t->stage);
    record_number(row, "first_ms", t->first_ms * per);
    record_integer(row, "reps", t->reps);
    record_integer(row, "graph", t->graph);
    record_text(row, "proof", t->stage[0] ? NULL : t->is_changed ? "changed" : "same");
    record_integer(row, "warmups", t->warmups);
    record_integer(row, "n", t->n);
    record_integer(row, "n_outliers", s->n_outliers);
    record_integer(row, "n_discarded", 0); /* older rows left samples out */
    if (t->sm_mhz && t->series != BENCH_STREAM)
        record_integer(row, "n_throttled", t->n_throttled);
    record_text(row, "stop_reason", t->stop_reason);
    for (int i = 0; i < 10; i++)
        record_number(row, times[i].column, times[i].ms * per);
    if (t->series == BENCH_STREAM)
        latency_fields(t, row);
    else if (s->mean > 0 && !t->stage[0])
        record_number(row, "fps", 1000.0 / (s->mean * per));
    energy_fields(&t->energy, n_frames, row);
}

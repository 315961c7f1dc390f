/* suite_table.c - the table on the terminal, a line for each row, no wider than the screen */
#include "harness/suite/suite_private.h"

#include <string.h>

#define SCREEN    80 /* columns: no line of the table is wider */
#define MAX_NAMES 96 /* keys that the variants of one experiment may have in all */

void suite_clear_progress(const struct run *run)
{
    if (run->options->progress)
        fprintf(run->options->err, "\033[K");
}

/* The value of a key of the plan or a parameter; NULL: the configuration has no such. */
static const char *key_value(const struct run *run, const struct bench_config *config,
                             const char *name, char buffer[BENCH_PLAN_TEXT])
{
    for (const struct bench_key *key = bench_plan_keys; key->name; key++)
        if (plan_column(key) && !strcmp(key->name, name)) {
            plan_value(&config->plan, key, buffer);
            if (!strcmp(name, "threads"))
                snprintf(buffer, BENCH_PLAN_TEXT, "%d", suite_threads(run, config));
            return plan_is_axis(key, config->impl->target) ||
                           (!strcmp(name, "threads") && config->impl->target == BENCH_SERIAL)
                       ? buffer
                       : NULL;
        }
    for (int k = 0; k < config->params.n; k++)
        if (!strcmp(config->params.item[k].key->name, name))
            return config->params.item[k].text;
    return NULL;
}

/* A key and how it varies: its longest value, whether it has several, also in one variant. */
struct variation {
    const char *name;
    int width;
    bool varies, within;
};

static void widen(int *width, const char *text)
{
    if ((int)strlen(text) > *width)
        *width = (int)strlen(text);
}

static struct variation variation_of(const struct run *run, const char *name)
{
    const struct bench_experiment *e = run->experiment;
    const bool is_threads = !strcmp(name, "threads");
    struct variation v = {name,
                          .width = 1}; /* of the "-" where a configuration has no such key */
    char one[BENCH_PLAN_TEXT] = "", other[BENCH_PLAN_TEXT], buffer[BENCH_PLAN_TEXT];

    for (int i = 0; i < e->n_configs; i++) {
        const struct bench_config *const config = &e->configs[i], *first = e->configs;
        const char *const value = key_value(run, config, name, buffer);

        if (!value || (is_threads && config->impl->target != BENCH_OPENMP))
            continue;
        while (first->impl != config->impl) /* all of one variant have the key */
            first++;
        widen(&v.width, value);
        v.within |= strcmp(key_value(run, first, name, other), value) != 0;
        v.varies |= *one && strcmp(one, value) != 0;
        if (!*one)
            snprintf(one, sizeof one, "%s", value);
    }
    return v;
}

static void add_name(struct variation v[MAX_NAMES], int *n, const char *name)
{
    for (int i = 0; i < *n; i++)
        if (!strcmp(v[i].name, name))
            return;
    if (*n < MAX_NAMES)
        v[(*n)++].name = name;
}

/* The keys that vary, the plan's first.  Those that only differ from variant to variant come
 * last, where a narrow screen cuts. */
static void lay_out_keys(const struct run *run, struct table *t)
{
    const struct bench_experiment *e = run->experiment;
    struct variation v[MAX_NAMES];
    int n = 0, with_names = 0, values = 0;

    for (const struct bench_key *key = bench_plan_keys; key->name; key++)
        if (plan_column(key) && bench_choice("input|frame_pick|mode", key->name) < 0)
            add_name(v, &n, key->name);
    for (int i = 0; i < e->n_configs; i++)
        for (int k = 0; k < e->configs[i].params.n; k++)
            add_name(v, &n, e->configs[i].params.item[k].key->name);
    for (int i = 0; i < n; i++)
        v[i] = variation_of(run, v[i].name);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n && t->n_keys < MAX_KEYS; i++) {
            int widest = v[i].width;

            if (!v[i].varies || v[i].within != (pass == 0))
                continue;
            widen(&widest, v[i].name);
            with_names += widest + (t->n_keys > 0);
            values += v[i].width + (t->n_keys > 0);
            t->key[t->n_keys].name = v[i].name;
            t->key[t->n_keys++].width = v[i].width;
        }
    t->names_fit = with_names <= t->room;
    for (int k = 0; k < t->n_keys; k++) {
        if (t->names_fit)
            widen(&t->key[k].width, t->key[k].name);
        else if (values > t->room)
            t->key[k].width = 0; /* one blank between them */
    }
}

static void lay_out(struct run *run)
{
    const struct bench_experiment *e = run->experiment;
    struct table *t = &run->table;
    bool cases = false, stages = false;

    *t = (struct table){.impl = (int)strlen("variant"), .input = (int)strlen("input")};
    for (int i = 0; i < e->n_configs; i++) {
        const struct bench_plan *plan = &e->configs[i].plan;

        widen(&t->impl, e->configs[i].impl->name);
        widen(&t->input, plan->input);
        widen(&t->which, bench_frame_pick_name[plan->which]);
        cases |= plan->which != e->configs[0].plan.which;
        stages |= plan->stages && plan->times && run->options->verbosity > 1;
        for (int scope = 0; scope < BENCH_N_SCOPES; scope++)
            for (int series = 0; series < BENCH_N_SERIES; series++)
                if (plan_times(plan, e->configs[i].impl, (enum bench_scope)scope,
                               (enum bench_series)series)) {
                    const size_t n =
                        strlen(bench_scope_name[scope]) + 1 + strlen(bench_series_name[series]);

                    t->what = (int)n > t->what ? (int)n : t->what;
                }
    }
    if (!cases)
        t->which = 0;
    if (t->what > 0)
        widen(&t->what, "scope/series");
    if (stages && t->what < STAGE_WIDTH)
        t->what = STAGE_WIDTH;
    t->outcome = t->what > 0 ? t->what + 1 + TIME_WIDTH : (int)strlen("not verified, no times");
    t->room = SCREEN - t->impl - 1 - t->input - 1 - (t->which > 0 ? t->which + 1 : 0) -
              t->outcome - 1;
    if (t->room < 0) { /* a descriptor's own long name */
        t->input += t->room > 8 - t->input ? t->room : 8 - t->input;
        t->room = 0;
    }
    lay_out_keys(run, t);
}

/* 'text' in exactly so many columns, cut with ".." where it is longer. */
static void print_config(FILE *out, const char *text, int width)
{
    if ((int)strlen(text) <= width)
        fprintf(out, "%-*s", width, text);
    else
        fprintf(out, "%.*s%s", width > 2 ? width - 2 : 0, text, width > 2 ? ".." : "");
}

/* Prints a line; 'outcome' is the last column before the keys, 'keys' may be "". */
static void print_line(const struct run *run, const char *impl, const char *input,
                       const char *which, const char *outcome, const char *keys)
{
    const struct table *t = &run->table;
    FILE *out = run->options->out;
    int n = (int)strlen(keys);

    while (n > 0 && keys[n - 1] == ' ')
        n--;
    fprintf(out, "%-*s ", t->impl, impl);
    print_config(out, input, t->input);
    if (t->which > 0)
        fprintf(out, " %-*s", t->which, which);
    if (n == 0 || t->room < 3) {
        fprintf(out, " %s\n", outcome);
        return;
    }
    fprintf(out, " %-*s ", t->outcome, outcome);
    if (n > t->room)
        fprintf(out, "%.*s..\n", t->room - 2, keys);
    else
        fprintf(out, "%.*s\n", n, keys);
}

void suite_print_head(struct run *run)
{
    const struct table *t = &run->table;
    OWNED(text_free) struct text names = {0};
    OWNED(text_free) struct text legend = {0};
    char outcome[64];

    lay_out(run);
    if (run->options->verbosity < 1 || run->experiment->n_configs < 1)
        return;
    for (int k = 0; k < t->n_keys; k++) {
        text_format(&names, "%-*s ", t->key[k].width, t->key[k].name);
        text_format(&legend, "%s%s", k > 0 ? " " : "keys, the last columns: ", t->key[k].name);
    }
    if (!t->names_fit && t->room > 2 && legend.data && text_ok(&legend) == BENCH_OK) {
        print_config(run->options->out, legend.data,
                     legend.size < SCREEN ? (int)legend.size : SCREEN);
        fprintf(run->options->out, "\n");
    }
    if (t->what > 0)
        snprintf(outcome, sizeof outcome, "%-*s %9s %s", t->what, "scope/series", "mean",
                 "time +- sd");
    else
        snprintf(outcome, sizeof outcome, "outcome");
    print_line(run, "variant", "input", "pick", outcome,
               !t->names_fit                               ? "keys"
               : names.data && text_ok(&names) == BENCH_OK ? names.data
                                                           : "");
}

void suite_print_row(const struct run *run, const struct bench_timing *timing)
{
    const struct bench_config *const config = run->task.config;
    struct bench_result *const result = run->task.result;
    const struct table *t = &run->table;
    const int n_frames = run->group.n_frames > 0 ? run->group.n_frames : 1;
    char outcome[128], spread[32];
    OWNED(text_free) struct text keys = {0};

    if (run->options->verbosity < 1 ||
        (timing && timing->stage[0] && run->options->verbosity < 2))
        return;
    suite_clear_progress(run);
    fflush(run->options->err);
    for (int k = 0; k < t->n_keys; k++) {
        char buffer[BENCH_PLAN_TEXT];
        const char *value = key_value(run, config, t->key[k].name, buffer);

        if (value && result->threads > 0 && !strcmp(t->key[k].name, "threads")) {
            snprintf(buffer, sizeof buffer, "%d", result->threads);
            value = buffer;
        }
        text_format(&keys, "%-*s ", t->key[k].width, value ? value : "-");
    }
    if (timing) {
        const struct bench_stat *const stat = &timing->stat;
        const double percent = stat->mean > 0 ? 100.0 * stat->sd / stat->mean : 0.0;
        char what[64];

        if (timing->stage[0])
            snprintf(what, sizeof what, "/%s", timing->stage);
        else
            snprintf(what, sizeof what, "%s/%s", bench_scope_name[timing->scope],
                     bench_series_name[timing->series]);
        /* the standard deviation, as a share of the mean: figures and tables have these two */
        if (percent > 99.0)
            snprintf(spread, sizeof spread, "+- >99%%");
        else
            snprintf(spread, sizeof spread, "+-%.1f%%", percent);
        snprintf(outcome, sizeof outcome, "%-*.*s %9.4g ms %s", t->what, t->what, what,
                 stat->mean / n_frames, spread);
    } else {
        snprintf(outcome, sizeof outcome, "%s, no times",
                 !result->verified                  ? "not verified"
                 : config->impl->other              ? "other rule"
                 : result->difference.n_outside > 0 ? "outside"
                                                    : "verified");
    }
    print_line(run, config->impl->name, config->plan.input,
               bench_frame_pick_name[config->plan.which], outcome,
               text_ok(&keys) == BENCH_OK && keys.data ? keys.data : "");
}

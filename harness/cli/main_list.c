/* main_list.c - the subcommand list: what there is, at a glance or in full; what an experiment
 * would run here, by key */
#include "harness/cli/main_private.h"

#include "harness/inputs/dataset.h"
#include "harness/suite/forecast.h"
#include "harness/suite/modes.h"
#include "harness/suite/suite.h"

#include <stdio.h>

#define NAME_COLUMN 14 /* where lists of names begin */

/* ---- names, separated by commas ---- */

static void add_name(struct text *names, const char *name, const char *mark)
{
    text_format(names, "%s%s%s", names->size ? ", " : "", name, mark);
}

/* "  rdp           serial, omp-columns ...", and free them; nothing where there are none. */
static void add_names(struct text *page, const char *head, struct text *names, int width)
{
    if (names->data) {
        const int n = (int)strlen(head);

        text_format(page, "  %-*s", NAME_COLUMN - 2, head);
        if (n >= NAME_COLUMN - 2)
            text_format(page, "\n%*s", NAME_COLUMN, "");
        text_wrap_list(page, names->data, NAME_COLUMN, NAME_COLUMN, width);
        text_add(page, "\n");
    }
    page->failed |= names->failed;
    text_free(names);
}

/* ---- keys and variants ---- */

static void add_keys(struct text *page, const struct bench_key *keys, int width)
{
    for (; keys && keys->name; keys++) {
        const char *const unit = keys->unit ? keys->unit : "";
        char said[1024], range[96] = "";

        if (keys->kind != BENCH_CHOICE)
            snprintf(range, sizeof range, "; %g..%g", keys->min, keys->max);
        else if (keys->choices)
            snprintf(range, sizeof range, "; %s", keys->choices);
        snprintf(said, sizeof said, "%s%s%s%s%s%s", keys->help, range, *unit ? " " : "", unit,
                 keys->default_text ? "; default " : "; must be given",
                 keys->default_text ? keys->default_text : "");
        main_add_item(page, 4, 20, keys->name, said, width);
    }
}

static void add_problem(struct text *page, const struct bench_problem *problem, int width)
{
    text_format(page, "problem %s: ", problem->name);
    text_wrap(page, problem->title, 10 + (int)strlen(problem->name), 4, width);
    text_add(page, "\n");
    add_keys(page, problem->keys, width);
    for (int i = 0; bench_impls[i]; i++) {
        char said[512];
        const bool is_built = bench_is_built(bench_impls[i]);

        if (bench_impls[i]->problem != problem)
            continue;
        snprintf(said, sizeof said, "%s%s%s%s", bench_impls[i]->source,
                 is_built ? "" : "; not in this build (no ",
                 is_built ? "" : bench_lacks(bench_impls[i]), is_built ? "" : ")");
        main_add_item(page, 2, 24, bench_impls[i]->name, said, width);
        add_keys(page, bench_impls[i]->keys, width);
    }
}

static void add_variants(struct text *page, int width)
{
    bool is_whole = true;

    for (int i = 0; bench_impls[i]; i++)
        is_whole &= bench_is_built(bench_impls[i]);
    text_format(page, "problems and their variants%s\n",
                is_whole ? "" : " (*: not in this build)");
    for (int p = 0; bench_problems[p]; p++) {
        const size_t n = strlen(bench_problems[p]->name) + 1;
        struct text names = {0};

        for (int i = 0; bench_impls[i]; i++)
            if (bench_impls[i]->problem == bench_problems[p]) /* a peer has its whole name */
                add_name(&names, bench_impls[i]->name + (bench_impls[i]->run_told ? 0 : n),
                         bench_is_built(bench_impls[i]) ? "" : "*");
        add_names(page, bench_problems[p]->name, &names, width);
    }
}

/* ---- inputs ---- */

enum where { GENERATED, HERE, FETCHED, BY_HAND, BROKEN, N_WHERE };

/* Finds an input, and says where it is or how to get it. */
static enum where find_input(const struct dataset *dataset, const char *data, char said[1024])
{
    size_t n_files = 0;
    enum bench_status status;

    snprintf(said, 1024, "%s", dataset->source);
    if (dataset->kind != DATASET_FILES)
        return GENERATED;
    status = dataset_find(dataset, data, &n_files);
    if (!status)
        snprintf(said, 1024, "here, %zu files; %s", n_files, dataset->source);
    else if (status != BENCH_ESKIP)
        snprintf(said, 1024, "%s", bench_failure());
    else if (dataset->fetch[0])
        snprintf(said, 1024, "not here: %s/fetch_data %s; %s", bench_scripts(), dataset->fetch,
                 dataset->source);
    else
        snprintf(said, 1024, "not here: put %s into %s of the data folder; %s",
                 dataset->pattern[0], dataset->folder[0], dataset->source);
    bench_failure_clear();
    return !status                 ? HERE
           : status != BENCH_ESKIP ? BROKEN
           : dataset->fetch[0]     ? FETCHED
                                   : BY_HAND;
}

/* In full a line for each, else their names by how to get them. */
static enum bench_status add_inputs(const struct arguments *a, struct text *page, bool is_full,
                                    int width)
{
    char folder[4300], said[4300], fetched[4300];
    const char *const head[N_WHERE] = {
        "generated", "here", fetched,
        "not here; to be put there by hand (depthbench list inputs):", "not as expected"};
    const char *const data = main_data_folder(a);
    struct text names[N_WHERE] = {0};
    OWNED(listing_free) struct listing files = {0};

    snprintf(fetched, sizeof fetched, "not here; %s/fetch_data gets them:", bench_scripts());
    snprintf(folder, sizeof folder, "%s/experiments/inputs", bench_home());
    TRY(listing_read(folder, ".ini", &files));
    snprintf(said, sizeof said, "(data folder: %s; --data DIR or $DEPTHBENCH_DATA)", data);
    main_add_item(page, 0, 7, "inputs", said, width);
    for (int i = 0; i < files.n; i++) {
        struct dataset dataset;
        char how[1024];
        enum where where;

        if (dataset_read(files.path[i], &dataset)) {
            text_format(page, "  %s\n", bench_failure());
            bench_failure_clear();
            continue;
        }
        where = find_input(&dataset, data, how);
        if (is_full)
            main_add_item(page, 2, 16, dataset.name, how, width);
        else
            add_name(&names[where], dataset.name, "");
    }
    for (int i = 0; i < N_WHERE; i++)
        add_names(page, head[i], &names[i], width);
    return BENCH_OK;
}

/* Adds the meaning of an image's values, by the name of the coding. */
static void add_codings(struct text *page, int width)
{
    text_add(page, "codings: px of a value p\n");
    for (const struct value_coding *c = value_codings; c->name; c++) {
        OWNED(text_free) struct text said = {0};

        coding_describe(c, &said);
        main_add_item(page, 2, 14, c->name, said.data ? said.data : "", width);
        page->failed |= said.failed;
    }
}

/* ---- experiments ---- */

static void add_experiment(struct text *page, const char *name, int width)
{
    const struct bench_overrides overrides = {.with_absent = true};
    char path[4400], said[400];
    OWNED(experiment_free) struct bench_experiment e = {0};

    snprintf(path, sizeof path, "%s/experiments/%s.ini", bench_home(), name);
    if (experiment_read(path, &overrides, &e)) {
        main_add_item(page, 2, 24, name, bench_failure(), width);
        bench_failure_clear();
        return;
    }
    snprintf(said, sizeof said, "%s%s%d configurations", e.title, *e.title ? "; " : "",
             e.n_configs);
    main_add_item(page, 2, 24, name, said, width);
}

/* Those of one paper, or of all (NULL). */
static enum bench_status add_experiments(struct text *page, const char *only, bool is_full,
                                         int width)
{
    OWNED(listing_free) struct listing names = {0};
    struct text listed = {0};

    text_add(page, "experiments\n");
    TRY(main_experiments(&names));
    for (int i = 0; i < names.n; i++) {
        const char *const name = names.path[i];
        const int n = (int)strcspn(name, "/");
        char paper[64];

        snprintf(paper, sizeof paper, "%.*s", n, name);
        if (only && strcmp(paper, only) != 0)
            continue;
        if (is_full)
            add_experiment(page, name, width);
        else
            add_name(&listed, name + n + 1, "");
        if (i + 1 == names.n || strncmp(names.path[i + 1], name, (size_t)n + 1) != 0)
            add_names(page, paper, &listed, width);
    }
    return BENCH_OK;
}

/* ---- what an experiment would run ---- */

#define MAX_SHOWN 14 /* values of a key; the rest as a number */

/* All that a configuration has, each "KEY=VALUE". */
static enum bench_status add_pairs(struct listing *pairs, const struct bench_config *config)
{
    char text[BENCH_CONFIG_TEXT], *rest = text;
    int n;

    snprintf(text, sizeof text, "section=%s", config->section);
    TRY(listing_add(pairs, text));
    n = snprintf(text, sizeof text, "variant=");
    bench_config_text(config, text + n, sizeof text - (size_t)n);
    for (char *word; (word = strsep(&rest, " ;"));)
        if (strchr(word, '='))
            TRY(listing_add(pairs, word));
    return BENCH_OK;
}

/* Keys that vary, each value with its number; then those that do not, with a number where not
 * all have them.  The pairs are used up. */
static void add_counts(struct text *page, struct listing *pairs, int n_configs, int width)
{
    struct text same = {0};

    for (int i = 0; i < pairs->n; i++) {
        OWNED(text_free) struct text values = {0};
        char key[64], value[256];
        int n_values = 0, n_same = 0;

        snprintf(key, sizeof key, "%.*s", (int)strcspn(pairs->path[i], "="), pairs->path[i]);
        for (int k = i; k < pairs->n && *key; k++) {
            const char *const pair = pairs->path[k];

            if (strncmp(pair, key, strlen(key)) != 0 || pair[strlen(key)] != '=')
                continue;
            n_same = 1;
            for (int m = k + 1; m < pairs->n; m++)
                if (!strcmp(pairs->path[m], pair)) {
                    pairs->path[m][0] = '\0';
                    n_same++;
                }
            snprintf(value, sizeof value, "%s (%d)", pair + strlen(key) + 1, n_same);
            if (n_values++ < MAX_SHOWN)
                add_name(&values, value, "");
            if (k > i)
                pairs->path[k][0] = '\0';
        }
        if (n_values > MAX_SHOWN)
            text_format(&values, " and %d others", n_values - MAX_SHOWN);
        if (n_values == 1) {
            add_name(&same, pairs->path[i], "");
            if (n_same < n_configs)
                text_format(&same, " (%d)", n_same);
        } else {
            add_names(page, key, &values, width);
        }
    }
    add_names(page, "fixed", &same, width);
}

void main_add_reasons(struct text *page, const char *what, const struct bench_reasons *reasons,
                      int width)
{
    for (int i = 0; i < reasons->n; i++) {
        char head[64];
        const int n = snprintf(head, sizeof head, "  %d %s: ", reasons->item[i].n, what);

        text_add(page, head);
        text_wrap(page, reasons->item[i].why, n, 4, width);
        text_add(page, "\n");
    }
    if (reasons->n_more > 0)
        text_format(page, "  %d %s for other reasons\n", reasons->n_more, what);
}

/* "45 s", "18 min", "2.5 h" */
static void add_span(struct text *page, double seconds)
{
    if (seconds < 100)
        text_format(page, "%.*f s", seconds < 10 ? 1 : 0, seconds);
    else if (seconds < 100 * 60)
        text_format(page, "%.0f min", seconds / 60);
    else
        text_format(page, "%.1f h", seconds / 3600);
}

static void add_sampling(struct text *page, const struct bench_forecast *f)
{
    add_span(page, f->least_s);
    if (f->most_s > 1.05 * f->least_s) {
        text_add(page, " to ");
        add_span(page, f->most_s);
    }
}

void main_add_times(struct text *page, const struct arguments *a, const char *name,
                    struct bench_env *env, const struct bench_forecast *forecast)
{
    struct arguments quick = *a;
    struct bench_forecast shorter;
    OWNED(experiment_free) struct bench_experiment e = {0};

    if (forecast->n_run == 0)
        return;
    if (forecast->n_timed == 0) {
        text_add(page, "  outputs and values alone: no times are taken\n");
        return;
    }
    text_add(page, "  sampling takes ");
    add_sampling(page, forecast);
    text_add(page, " by its time limits");
    quick.quick = true;
    if (!a->quick && main_experiment(&quick, name, &e) == BENCH_OK &&
        bench_modes_find(env, &e, NULL) == BENCH_OK &&
        bench_forecast(&e, env, main_data_folder(a), &shorter) == BENCH_OK &&
        shorter.n_timed > 0) {
        text_add(page, ", ");
        add_sampling(page, &shorter);
        text_add(page, " with --quick");
    }
    text_add(page, ";\n  inputs, references and warm-up come on top\n");
}

void main_add_configs(struct text *page, const struct bench_experiment *e, const char *sections)
{
    for (int i = 0; i < e->n_configs; i++) {
        char text[BENCH_CONFIG_TEXT];

        bench_config_text(&e->configs[i], text, sizeof text);
        text_format(page, "%s%s%s\n", *sections ? e->configs[i].section : "", sections, text);
    }
}

/* All that is known of one experiment. */
static enum bench_status add_whole(struct text *page, const struct arguments *a,
                                   const char *name, struct bench_env *env)
{
    const int width = main_width(a);
    OWNED(experiment_free) struct bench_experiment e = {0};
    OWNED(listing_free) struct listing pairs = {0};
    struct bench_forecast forecast;

    TRY(main_experiment(a, name, &e));
    TRY(bench_modes_find(env, &e, stderr));
    TRY(main_check_empty(a, name, &e));
    TRY(bench_forecast(&e, env, main_data_folder(a), &forecast));
    for (int i = 0; i < e.n_configs; i++)
        TRY(add_pairs(&pairs, &e.configs[i]));
    text_format(page, "%s: ", e.name);
    text_wrap(page, e.title, (int)strlen(e.name) + 2, 4, width);
    text_format(page, "\n%d configurations, %s protocol; %d can run here", e.n_configs,
                a->quick ? "quick" : "paper", forecast.n_run);
    if (forecast.n_same > 0)
        text_format(page, ", %d are like these but for\na power mode", forecast.n_same);
    text_add(page, "\n");
    add_counts(page, &pairs, e.n_configs, width);
    main_add_reasons(page, "skipped", &forecast.skipped, width);
    main_add_times(page, a, name, env, &forecast);
    if (a->verbosity > 0 || a->all)
        main_add_configs(page, &e, " ");
    else
        text_format(page, "each of them: depthbench list %s --all\n", name);
    if (forecast.n_run > 0)
        text_format(page, "next: depthbench run %s --quick\n", name);
    return BENCH_OK;
}

/* ---- the subcommand ---- */

static enum bench_status add_topic(struct text *page, const struct arguments *a,
                                   const char *topic)
{
    const struct bench_problem *const problem = bench_find_problem(topic);
    const int width = main_width(a);
    OWNED(bench_env_close) struct bench_env env = {0};

    if (!strcmp(topic, "inputs"))
        return add_inputs(a, page, true, width);
    if (!strcmp(topic, "codings")) {
        add_codings(page, width);
        return BENCH_OK;
    }
    if (problem) {
        add_problem(page, problem, width);
        text_add(page, "\nkeys of the harness\n");
        add_keys(page, bench_plan_keys, width);
        text_add(page, "\n");
        return add_experiments(page, topic, true, width);
    }
    TRY(bench_env_open(-1, a->sysroot, &env));
    return add_whole(page, a, topic, &env);
}

static enum bench_status add_all(struct text *page, const struct arguments *a)
{
    const bool is_full = a->verbosity > 0 || a->all;
    const int width = main_width(a);

    for (int p = 0; is_full && bench_problems[p]; p++)
        add_problem(page, bench_problems[p], width);
    if (is_full) {
        text_add(page, "\nkeys of the harness\n");
        add_keys(page, bench_plan_keys, width);
    } else {
        add_variants(page, width);
    }
    text_add(page, is_full ? "\n" : "");
    TRY(add_inputs(a, page, is_full, width));
    text_add(page, is_full ? "\n" : "");
    TRY(add_experiments(page, NULL, is_full, width));
    if (!is_full)
        text_add(page,
                 "\nMore: depthbench list rdp (a problem's variants, keys and experiments),\n"
                 "list inputs, list rdp/fig5 (what it runs here), list --all\n");
    return BENCH_OK;
}

enum bench_status main_list(const struct arguments *a)
{
    OWNED(text_free) struct text page = {0};

    for (int i = 0; i < a->n_rest; i++)
        TRY(add_topic(&page, a, a->rest[i]));
    if (a->n_rest == 0)
        TRY(add_all(&page, a));
    return text_print(&page, stdout);
}

/*
 * main.c - the command line: list, run, show, env, help; main_*.c have the other subcommands
 *
 * The only file that exits, and the only one that turns a failure's sentence into output.
 */
#include "harness/cli/main_private.h"

#include "harness/measure/measure.h"
#include "harness/measure/nvtx.h"
#include "harness/suite/record.h"
#include "harness/analysis/show.h"
#include "harness/suite/suite.h"
#include "harness/inputs/dataset.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* docs/METHOD.md, "Exit statuses" */
enum exit_status {
    EXIT_DONE = 0,
    EXIT_WRONG = 1,
    EXIT_USAGE = 2,
    EXIT_UNCLEAR = 3,
    EXIT_ENV = 4,
    EXIT_MACHINE = 5,
    EXIT_NOTHING = 77,
    EXIT_INTERRUPTED = 130
};

static const int exit_of[] = {
    [BENCH_OK] = EXIT_DONE,        [BENCH_EMISMATCH] = EXIT_WRONG,
    [BENCH_EINPUT] = EXIT_USAGE,   [BENCH_EENV] = EXIT_ENV,
    [BENCH_ESKIP] = EXIT_NOTHING,  [BENCH_EINTR] = EXIT_INTERRUPTED,
    [BENCH_ENOMEM] = EXIT_MACHINE, [BENCH_EIO] = EXIT_MACHINE,
    [BENCH_ECUDA] = EXIT_MACHINE,
};

static int report(const struct arguments *a, enum bench_status status)
{
    if (status) {
        fprintf(stderr, "depthbench: %s\n", bench_failure());
        if (a->verbosity > 2)
            fprintf(stderr, "depthbench: (%s)\n", bench_failure_place());
    }
    return exit_of[status];
}

/* "rdp/fig9" or a path -> the descriptor's path. */
static enum bench_status descriptor_path(const char *name, char *path, size_t size)
{
    const size_t n = strlen(name);
    const bool is_older = !strncmp(name, "stx/", 4); /* of stixels */

    if (n > 4 && !strcmp(name + n - 4, ".ini")) {
        snprintf(path, size, "%s", name);
        return BENCH_OK;
    }
    snprintf(path, size, "%s/experiments/%s%s.ini", bench_home(), is_older ? "stixels" : "",
             name + (is_older ? strlen("stx") : 0));
    return access(path, F_OK) == 0
               ? BENCH_OK
               : BENCH_FAIL(BENCH_EINPUT,
                            "no experiment %s: there is no %s (depthbench list names them)",
                            name, path);
}

static enum bench_status read_experiment(const struct arguments *a, const char *name,
                                         struct bench_experiment *experiment)
{
    const struct bench_overrides overrides = {.assignments = a->assignment,
                                              .n = a->n_assignments,
                                              .impl_glob = a->glob,
                                              .group_glob = a->group,
                                              .with_absent = !strcmp(a->subcommand, "show"),
                                              .quick = a->quick};
    char path[4400];
    int n = 0;

    TRY(descriptor_path(name, path, sizeof path));
    TRY(experiment_read(path, &overrides, experiment));
    for (int i = 0; i < experiment->n_configs; i++) {
        struct bench_config *const config = &experiment->configs[i];

        config->plan.times &= !a->verify_only;
        if (config->plan.runs >= a->run) /* else it is not measured so often */
            experiment->configs[n++] = *config;
    }
    experiment->n_configs = n;
    return BENCH_OK;
}

/* How many processes the descriptors ask for; 1 where one cannot be read. */
static int n_runs(const struct arguments *a)
{
    int most = 1;

    if (a->run > 0 || a->dry_run || a->verify_only || a->profile)
        return 1;
    for (int i = 0; i < a->n_rest; i++) {
        struct bench_experiment e;

        if (read_experiment(a, a->rest[i], &e) != BENCH_OK) {
            bench_failure_clear();
            return 1;
        }
        for (int k = 0; k < e.n_configs; k++)
            most = e.configs[k].plan.runs > most ? e.configs[k].plan.runs : most;
        experiment_free(&e);
    }
    return most;
}

/* A path for a remark: from the home folder on, where it is below it. */
static const char *from_home(const char *path)
{
    const char *home = bench_home();
    const size_t n = strlen(home);

    return !strncmp(path, home, n) && path[n] == '/' ? path + n + 1 : path;
}

static void note_absent(const struct bench_experiment *e)
{
    for (int i = 0; i < e->n_absent; i++)
        fprintf(stderr, "note: %s:%d: this build has no %s\n", from_home(e->path),
                e->absent[i].line, e->absent[i].impl);
}

/* A line each; with its section before it where 'sections' is " ". */
static void print_configs(const struct bench_experiment *e, const char *sections)
{
    for (int i = 0; i < e->n_configs; i++) {
        char text[BENCH_CONFIG_TEXT];

        bench_config_text(&e->configs[i], text, sizeof text);
        printf("%s%s%s\n", *sections ? e->configs[i].section : "", sections, text);
    }
}

/* ---- list ---- */

static void list_keys(const struct bench_key *keys)
{
    for (; keys && keys->name; keys++) {
        const char *const fallback = keys->default_text, *const unit = keys->unit;
        char range[96] = "";

        if (keys->kind != BENCH_CHOICE)
            snprintf(range, sizeof range, "; %g..%g", keys->min, keys->max);
        else if (keys->choices)
            snprintf(range, sizeof range, "; %s", keys->choices);
        printf("    %-11s %s%s%s%s%s%s\n", keys->name, keys->help, range,
               unit && *unit ? " " : "", unit ? unit : "",
               fallback ? "; default " : "; must be given", fallback ? fallback : "");
    }
}

static enum bench_status list_inputs(const struct arguments *a)
{
    char folder[4300];
    struct listing files;

    snprintf(folder, sizeof folder, "%s/experiments/inputs", bench_home());
    TRY(listing_read(folder, ".ini", &files));
    printf("\ninputs (data folder: %s)\n", main_data_folder(a));
    for (int i = 0; i < files.n; i++) {
        struct dataset dataset;

        if (dataset_read(files.path[i], &dataset))
            printf("  %s\n", bench_failure());
        else
            printf("  %-20s %s\n", dataset.name, dataset.source);
    }
    listing_free(&files);
    return BENCH_OK;
}

static void list_experiment(const char *folder, const char *path)
{
    const char *const file = listing_name(path);
    char name[600];
    struct bench_experiment e;

    snprintf(name, sizeof name, "%s/%.*s", folder, (int)strlen(file) - 4, file);
    if (experiment_read(path, NULL, &e)) {
        printf("  %-16s %s\n", name, bench_failure());
        return;
    }
    printf("  %-16s %4d configurations  %s\n", name, e.n_configs, e.title);
    experiment_free(&e);
}

/* A folder per paper, and others. */
static enum bench_status list_experiments(void)
{
    char root[4300];
    struct listing folders, files;

    printf("\nexperiments\n");
    snprintf(root, sizeof root, "%s/experiments", bench_home());
    TRY(listing_read(root, "", &folders));
    for (int f = 0; f < folders.n; f++) {
        const char *const name = listing_name(folders.path[f]);

        if (!strcmp(name, "inputs") || !strcmp(name, "claims") ||
            !main_is_folder(folders.path[f]) || listing_read(folders.path[f], ".ini", &files))
            continue;
        for (int i = 0; i < files.n; i++)
            if (strcmp(listing_name(files.path[i]), "figures.ini") != 0)
                list_experiment(name, files.path[i]);
        listing_free(&files);
    }
    listing_free(&folders);
    return BENCH_OK;
}

static enum bench_status subcommand_list(const struct arguments *a)
{
    for (int i = 0; i < a->n_rest; i++) {
        struct bench_experiment e;

        TRY(read_experiment(a, a->rest[i], &e));
        print_configs(&e, " ");
        note_absent(&e);
        experiment_free(&e);
    }
    if (a->n_rest > 0)
        return BENCH_OK;
    for (int p = 0; bench_problems[p]; p++) {
        printf("problem %s: %s\n", bench_problems[p]->name, bench_problems[p]->title);
        list_keys(bench_problems[p]->keys);
        for (int i = 0; bench_impls[i]; i++) {
            if (bench_impls[i]->problem != bench_problems[p])
                continue;
            printf("  %-20s %s%s\n", bench_impls[i]->name, bench_impls[i]->source,
                   bench_is_built(bench_impls[i]) ? "" : "; not in this build (no CUDA)");
            list_keys(bench_impls[i]->keys);
        }
    }
    printf("\nkeys of the harness\n");
    list_keys(bench_plan_keys);
    TRY(list_inputs(a));
    return list_experiments();
}

/* ---- run ---- */

static void on_signal(int number)
{
    (void)number;
    if (bench_interrupts < 2)
        bench_interrupts++;
    if (bench_interrupts == 1) {
        static const char text[] =
            "\ndepthbench: finishing this configuration, then stopping\n";

        if (write(2, text, sizeof text - 1) < 0) {
            /* nothing to be done in a handler */
        }
    }
}

static void print_totals(const struct bench_summary *s, const char *results)
{
    printf("%d rows (%d ok", s->n_rows, s->n_ok);
    if (s->n_unstable)
        printf(", %d unstable", s->n_unstable);
    if (s->n_outside)
        printf(", %d outside the reference's scatter", s->n_outside);
    printf("), %d configurations skipped, %d failed, %d wrong", s->n_skipped, s->n_failed,
           s->n_wrong);
    if (s->n_kept)
        printf(", %d there already", s->n_kept);
    if (s->n_not_run)
        printf(", %d not run", s->n_not_run);
    printf("\n");
    if (s->n_rows > 0)
        printf("  in %s/%s.csv\n", results, s->session);
}

/* One experiment of a run; *n_ran counts rows that were measured or kept. */
static int run_experiment(const struct arguments *a, struct bench_env *env,
                          const struct bench_options *options, struct record_session *session,
                          const char *name, int *n_ran)
{
    struct bench_experiment e;
    struct bench_summary summary;
    enum bench_status status = read_experiment(a, name, &e);
    int code;

    if (status)
        return report(a, status);
    if (a->run > 1 && e.n_configs == 0) { /* nothing of it is repeated so often */
        experiment_free(&e);
        return EXIT_DONE;
    }
    if (options->verbosity > 0)
        printf("%s: %d configurations on %s\n", e.name, e.n_configs, env->machine);
    status = suite_run(&e, env, options, session, &summary);
    code = report(a, status);
    if (options->verbosity > 0 && (!status || summary.n_rows > 0 || summary.n_not_run > 0))
        print_totals(&summary, options->results);
    *n_ran += summary.n_ok + summary.n_unstable + summary.n_kept;
    experiment_free(&e);
    return code                   ? code
           : summary.n_wrong > 0  ? EXIT_WRONG
           : summary.n_failed > 0 ? exit_of[summary.worst]
                                  : EXIT_DONE;
}

/* Read all descriptors before anything is measured.  The caller frees *names in any case. */
static enum bench_status check_experiments(const struct arguments *a, struct listing *names)
{
    *names = (struct listing){.path = calloc((size_t)a->n_rest + 1, sizeof *names->path)};
    for (int i = 0; names->path && i < a->n_rest; i++) {
        struct bench_experiment e;

        TRY(read_experiment(a, a->rest[i], &e));
        note_absent(&e);
        if (a->dry_run) {
            print_configs(&e, "");
            printf("%d configurations\n", e.n_configs);
        }
        names->path[i] = strdup(e.name);
        experiment_free(&e);
        if (!names->path[names->n])
            break;
        names->n++;
    }
    return names->n == a->n_rest
               ? BENCH_OK
               : BENCH_FAIL(BENCH_ENOMEM, "out of memory for the names of experiments");
}

static int subcommand_run(const struct arguments *a, struct bench_env *env)
{
    char results[4400];
    struct bench_options options = {.results = results,
                                    .data = main_data_folder(a),
                                    .quick = a->quick,
                                    .profile = a->profile,
                                    .resume = a->resume && a->run == 0,
                                    .run = a->run,
                                    .run_group = a->run_group,
                                    .verbosity = 1 + a->verbosity,
                                    .out = stdout,
                                    .err = stderr,
                                    .progress = isatty(2)};
    struct text warnings = {0};
    const struct sigaction action = {.sa_handler = on_signal};
    sigset_t taken;
    struct record_session *session = NULL;
    struct listing names;
    enum bench_status status;
    int code, n_ran = 0;

    if (a->n_rest == 0) {
        fprintf(stderr,
                "depthbench: run: expected an experiment (depthbench list names them)\n");
        return EXIT_USAGE;
    }
    if (a->results)
        snprintf(results, sizeof results, "%s", a->results);
    else
        snprintf(results, sizeof results, "%s/results/%s", bench_home(), env->machine);
    main_take_signals(&action, &taken);
    code = report(a, check_experiments(a, &names));
    if (code || a->dry_run) {
        listing_free(&names);
        return code;
    }
    options.experiments = (const char *const *)names.path;
    bench_env_warnings(env, &warnings);
    if (warnings.data && !text_ok(&warnings))
        fprintf(stderr, "%s", warnings.data);
    text_free(&warnings);
    code = report(a, suite_open(env, &options, &session));
    for (int i = 0; i < a->n_rest; i++)
        if (!code)
            code = run_experiment(a, env, &options, session, a->rest[i], &n_ran);
        else if (session)
            fprintf(stderr, "note: %s was not run\n", a->rest[i]);
    status = record_close(session);
    if (status && !code)
        code = report(a, status);
    listing_free(&names);
    return code ? code : n_ran > 0 ? EXIT_DONE : EXIT_NOTHING;
}

/* ---- env, show ---- */

/* Print and free it. */
static enum bench_status print_text(enum bench_status status, struct text *text)
{
    if (!status)
        status = text_print(text, stdout);
    text_free(text);
    return status;
}

static enum bench_status subcommand_env(const struct arguments *a, struct bench_env *env)
{
    struct text text = {0};

    if (!a->machine)
        bench_env_text(env, &text);
    else
        text_format(&text, "%s\n", env->machine);
    return print_text(BENCH_OK, &text);
}

static enum bench_status show_to(const struct arguments *a, const struct bench_env *env,
                                 struct show_options options)
{
    struct bench_experiment e;
    struct store *store = NULL;
    enum bench_status status;

    TRY(table_format_of(a->format ? a->format : "md", &options.format));
    if (options.format == TABLE_HTML)
        return BENCH_FAIL(BENCH_EINPUT, "show -f html: expected text, csv or md");
    if (a->n_rest != 1)
        return BENCH_FAIL(BENCH_EINPUT, "show: expected one experiment, found %d", a->n_rest);
    TRY(read_experiment(a, a->rest[0], &e));
    options.width = main_width(a);
    options.notes = a->verbosity >= 0 ? stderr : NULL;
    status = main_read(a, env->machine, &store);
    if (!status)
        status = show_write(&e, store, &options);
    store_close(store);
    experiment_free(&e);
    return status;
}

static enum bench_status subcommand_show(const struct arguments *a, struct bench_env *env)
{
    struct show_options options = {.out = stdout};
    struct text table = {0};
    enum bench_status status;

    if (!a->output || !strcmp(a->output, "-"))
        return show_to(a, env, options);
    options.out = open_memstream(&table.data, &table.size);
    if (!options.out)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table");
    status = show_to(a, env, options);
    if (fclose(options.out) && !status)
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table");
    if (!status)
        status = text_replace_file(a->output, &table);
    free(table.data);
    return status;
}

/* `depthbench help TOPIC`, and `depthbench VERB --help` */
static enum bench_status subcommand_help(const struct arguments *a)
{
    struct text text = {0};

    return print_text(options_help(a->n_rest ? a->rest[0] : NULL, &text), &text);
}

static enum bench_status subcommand_version(const struct arguments *a)
{
    (void)a;
    printf("depthbench %.12s%s\n", bench_build()->commit, bench_build()->dirty ? "-dirty" : "");
    return BENCH_OK;
}

/* Those that are a status alone, of what they find by themselves or of the machine. */
static const struct subcommand {
    const char *name;
    enum bench_status (*without)(const struct arguments *a);
    enum bench_status (*on_machine)(const struct arguments *a, struct bench_env *env);
} subcommands[] = {
    {"help", subcommand_help, NULL},
    {"version", subcommand_version, NULL},
    {"regress", main_regress, NULL},
    {"list", subcommand_list, NULL},
    {"claims", main_claims, NULL},
    {"history", main_history, NULL},
    {"sql", main_sql, NULL},
    {"draw", main_draw, NULL},
    {"apply", NULL, main_apply},
    {"show", NULL, subcommand_show},
    {"report", NULL, main_report},
    {"env", NULL, subcommand_env},
    {NULL, NULL, NULL}, /* run, and compare, which have an exit status of their own */
};

static int run_subcommand(int argc, char **argv)
{
    struct arguments a;
    struct bench_env env = {0};
    enum bench_status status = options_parse(argc, argv, &a);
    const struct subcommand *s = subcommands;
    bool unclear;
    int code, n;

    if (!status)
        status = bench_check_references(bench_impls);
    if (status)
        return report(&a, status);
    if (!strcmp(a.subcommand, "compare")) {
        code = report(&a, main_compare(&a, &unclear));
        return code ? code : unclear ? EXIT_UNCLEAR : EXIT_DONE;
    }
    if (!strcmp(a.subcommand, "run") && (n = n_runs(&a)) > 1) {
        if (a.resume)
            fprintf(stderr,
                    "note: --resume is for what one process measures: all is measured\n");
        status = main_repeat(argc, argv, n, &code);
        return status ? report(&a, status) : code;
    }
    while (s->name && strcmp(s->name, a.subcommand) != 0)
        s++;
    if (s->name && s->without)
        return report(&a, s->without(&a));
    if (a.beside)
        return report(&a, main_beside(&a));
    bench_nvtx_start();
    status = bench_env_open(a.device, a.sysroot, &env);
    if (!status && a.host)
        status = bench_env_set_host(&env, a.host);
    if (status)
        code = report(&a, status);
    else
        code = s->name ? report(&a, s->on_machine(&a, &env)) : subcommand_run(&a, &env);
    bench_env_close(&env);
    return code;
}

int main(int argc, char **argv)
{
    int code;

    signal(SIGXFSZ, SIG_IGN); /* a file at its limit is an error of write(), with a sentence */
    code = run_subcommand(argc, argv);
    /* an earlier flush may have noticed that the disk is full, and dropped the buffer */
    if ((fflush(stdout) || ferror(stdout)) && !code) {
        fprintf(stderr, "depthbench: standard output could not be written\n");
        code = EXIT_MACHINE;
    }
    return code;
}

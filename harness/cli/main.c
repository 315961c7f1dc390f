/*
 * main.c - the command line: list, run, show, env, help; more subcommands in main_apply.c, main_analysis.c
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
#include <sys/stat.h>
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

static int exit_of(enum bench_status status)
{
    switch (status) {
    case BENCH_OK:
        return EXIT_DONE;
    case BENCH_EMISMATCH:
        return EXIT_WRONG;
    case BENCH_EINPUT:
        return EXIT_USAGE;
    case BENCH_EENV:
        return EXIT_ENV;
    case BENCH_ESKIP:
        return EXIT_NOTHING;
    case BENCH_EINTR:
        return EXIT_INTERRUPTED;
    case BENCH_ENOMEM:
    case BENCH_EIO:
    case BENCH_ECUDA:
        return EXIT_MACHINE;
    }
    return EXIT_MACHINE;
}

static int report(const struct arguments *a, enum bench_status status)
{
    if (status) {
        fprintf(stderr, "depthbench: %s\n", bench_failure());
        if (a->verbosity > 2)
            fprintf(stderr, "depthbench: (%s)\n", bench_failure_place());
    }
    return exit_of(status);
}

/* "rdp/fig9" or a path -> the descriptor's path. */
static enum bench_status descriptor_path(const char *name, char *path, size_t size)
{
    struct stat info;
    const size_t n = strlen(name);

    if (n > 4 && !strcmp(name + n - 4, ".ini")) {
        snprintf(path, size, "%s", name);
        return BENCH_OK;
    }
    if (!strncmp(name, "stx/", 4)) /* the older name of the paper */
        snprintf(path, size, "%s/experiments/stixels/%s.ini", bench_home(), name + 4);
    else
        snprintf(path, size, "%s/experiments/%s.ini", bench_home(), name);
    if (!stat(path, &info))
        return BENCH_OK;
    return BENCH_FAIL(BENCH_EINPUT,
                      "no experiment %s: there is no %s (depthbench list names them)", name,
                      path);
}

/* Leave over the cells that are measured a 'run'-th time. */
static void keep_repeated(struct bench_experiment *experiment, int run)
{
    int n = 0;

    for (int i = 0; i < experiment->n_cells; i++)
        if (experiment->cells[i].plan.runs >= run)
            experiment->cells[n++] = experiment->cells[i];
    experiment->n_cells = n;
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

    TRY(descriptor_path(name, path, sizeof path));
    TRY(experiment_read(path, &overrides, experiment));
    for (int i = 0; i < experiment->n_cells; i++)
        if (a->verify_only)
            experiment->cells[i].plan.times = false;
    if (a->run > 1)
        keep_repeated(experiment, a->run);
    return BENCH_OK;
}

/* How many processes the descriptors ask for; 1 also where one cannot be read, which running it will tell. */
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
        for (int k = 0; k < e.n_cells; k++)
            most = e.cells[k].plan.runs > most ? e.cells[k].plan.runs : most;
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

/* ---- list ---- */

static void list_keys(const struct bench_key *keys, const char *indent)
{
    for (; keys && keys->name; keys++) {
        char range[96] = "";

        if (keys->kind == BENCH_CHOICE && keys->choices)
            snprintf(range, sizeof range, "%s", keys->choices);
        else if (keys->kind != BENCH_CHOICE)
            snprintf(range, sizeof range, "%g..%g", keys->min, keys->max);
        printf("%s%-11s %s%s%s%s%s%s%s\n", indent, keys->name, keys->help, range[0] ? "; " : "",
               range, keys->unit && keys->unit[0] ? " " : "", keys->unit ? keys->unit : "",
               keys->default_text ? "; default " : "; must be given",
               keys->default_text ? keys->default_text : "");
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
    printf("  %-16s %4d cells  %s\n", name, e.n_cells, e.title);
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
    if (a->n_rest > 0) {
        for (int i = 0; i < a->n_rest; i++) {
            struct bench_experiment e;

            TRY(read_experiment(a, a->rest[i], &e));
            for (int k = 0; k < e.n_cells; k++) {
                char text[BENCH_CELL_TEXT];

                bench_cell_text(&e.cells[k], text, sizeof text);
                printf("%s %s\n", e.cells[k].section, text);
            }
            note_absent(&e);
            experiment_free(&e);
        }
        return BENCH_OK;
    }
    for (int p = 0; bench_problems[p]; p++) {
        printf("problem %s: %s\n", bench_problems[p]->name, bench_problems[p]->title);
        list_keys(bench_problems[p]->keys, "    ");
        for (int i = 0; bench_impls[i]; i++) {
            if (bench_impls[i]->problem != bench_problems[p])
                continue;
            printf("  %-20s %s%s\n", bench_impls[i]->name, bench_impls[i]->source,
                   bench_is_built(bench_impls[i]) ? "" : "; not in this build (no CUDA)");
            list_keys(bench_impls[i]->keys, "    ");
        }
    }
    printf("\nkeys of the harness\n");
    list_keys(bench_plan_keys, "    ");
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
        static const char text[] = "\ndepthbench: finishing this cell, then stopping\n";

        if (write(2, text, sizeof text - 1) < 0) {
            /* nothing to be done in a handler */
        }
    }
}

static void print_cells(const struct bench_experiment *e)
{
    for (int k = 0; k < e->n_cells; k++) {
        char text[BENCH_CELL_TEXT];

        bench_cell_text(&e->cells[k], text, sizeof text);
        printf("%s\n", text);
    }
    printf("%d cells\n", e->n_cells);
}

static void print_totals(const struct bench_summary *s, const char *results)
{
    printf("%d rows (%d ok", s->n_rows, s->n_ok);
    if (s->n_unstable)
        printf(", %d unstable", s->n_unstable);
    if (s->n_outside)
        printf(", %d outside the reference's scatter", s->n_outside);
    printf("), %d cells skipped, %d failed, %d wrong", s->n_skipped, s->n_failed, s->n_wrong);
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
    if (a->run > 1 && e.n_cells == 0) { /* nothing of it is repeated so often */
        experiment_free(&e);
        return EXIT_DONE;
    }
    if (options->verbosity > 0)
        printf("%s: %d cells on %s\n", e.name, e.n_cells, env->machine);
    status = suite_run(&e, env, options, session, &summary);
    code = report(a, status);
    if (options->verbosity > 0 && (!status || summary.n_rows > 0 || summary.n_not_run > 0))
        print_totals(&summary, options->results);
    *n_ran += summary.n_ok + summary.n_unstable + summary.n_kept;
    experiment_free(&e);
    return code                   ? code
           : summary.n_wrong > 0  ? EXIT_WRONG
           : summary.n_failed > 0 ? exit_of(summary.worst)
                                  : EXIT_DONE;
}

static void free_names(char **names)
{
    for (int i = 0; names && names[i]; i++)
        free(names[i]);
    free(names);
}

/* Read all descriptors before the first hour of measuring; their names, NULL-terminated, are the caller's in any case. */
static enum bench_status check_experiments(const struct arguments *a, char ***names)
{
    *names = calloc((size_t)a->n_rest + 1, sizeof **names);
    for (int i = 0; *names && i < a->n_rest; i++) {
        struct bench_experiment e;

        TRY(read_experiment(a, a->rest[i], &e));
        note_absent(&e);
        if (a->dry_run)
            print_cells(&e);
        (*names)[i] = strdup(e.name);
        experiment_free(&e);
        if (!(*names)[i])
            break;
    }
    if (!*names || !(*names)[a->n_rest - 1])
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the names of experiments");
    return BENCH_OK;
}

static int subcommand_run(const struct arguments *a, struct bench_env *env)
{
    char results[4400];
    struct bench_options options = {.results = results,
                                    .data = main_data_folder(a),
                                    .quick = a->quick,
                                    .verify_only = a->verify_only,
                                    .profile = a->profile,
                                    .resume = a->resume && a->run == 0,
                                    .run = a->run,
                                    .run_group = a->run_group,
                                    .verbosity = 1 + a->verbosity,
                                    .out = stdout,
                                    .err = stderr,
                                    .progress = isatty(2)};
    struct text warnings = {0};
    struct sigaction action = {.sa_handler = on_signal}, hangup;
    struct record_session *session = NULL;
    char **names;
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
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!sigaction(SIGHUP, NULL, &hangup) &&
        hangup.sa_handler != SIG_IGN) /* nohup ignores it */
        sigaction(SIGHUP, &action, NULL);
    code = report(a, check_experiments(a, &names));
    if (code || a->dry_run) {
        free_names(names);
        return code;
    }
    options.experiments = (const char *const *)names;
    if (bench_env_warnings(env, &warnings) > 0 && !text_ok(&warnings))
        fprintf(stderr, "%s", warnings.data);
    text_free(&warnings);
    code = report(a, suite_open(env, &options, &session));
    for (int i = 0; i < a->n_rest; i++)
        if (!code)
            code = run_experiment(a, env, &options, session, a->rest[i], &n_ran);
        else if (session)
            fprintf(stderr, "note: %s was not run\n", a->rest[i]);
    {
        const enum bench_status status = record_close(session);

        if (status && !code)
            code = report(a, status);
    }
    free_names(names);
    return code ? code : n_ran > 0 ? EXIT_DONE : EXIT_NOTHING;
}

/* ---- env, show ---- */

static enum bench_status subcommand_env(const struct arguments *a, const struct bench_env *env)
{
    struct text text = {0};
    enum bench_status status;

    if (a->machine) {
        printf("%s\n", env->machine);
        return BENCH_OK;
    }
    bench_env_text(env, &text);
    status = text_print(&text, stdout);
    text_free(&text);
    return status;
}

static enum bench_status show_format_of(const struct arguments *a, enum table_format *format)
{
    TRY(table_format_of(a->format ? a->format : "md", format));
    if (*format == TABLE_HTML)
        return BENCH_FAIL(BENCH_EINPUT, "show -f html: expected text, csv or md");
    return BENCH_OK;
}

static enum bench_status show_to(const struct arguments *a, const struct bench_env *env,
                                 struct show_options options)
{
    char own[4400], paper[4400], *const owns = own;
    struct listing folders = {.path = NULL};
    struct bench_experiment e;
    struct store *store = NULL;
    enum bench_status status = BENCH_OK;

    TRY(show_format_of(a, &options.format));
    if (a->n_rest != 1)
        return BENCH_FAIL(BENCH_EINPUT, "show: expected one experiment, found %d", a->n_rest);
    TRY(read_experiment(a, a->rest[0], &e));
    snprintf(paper, sizeof paper, "%s/results/paper", bench_home());
    options.width = main_width(a);
    options.notes = a->verbosity >= 0 ? stderr : NULL;
    snprintf(own, sizeof own, "%s/results/%s", bench_home(), env->machine);
    if (a->results)
        status = main_folders(a->results, &folders);
    if (!status)
        status = store_read_files(
            &(struct store_files){(const char *const *)(a->results ? folders.path : &owns),
                                  a->results ? folders.n : 1, true, paper, NULL},
            options.notes, &store);
    if (!status)
        status = show_write(&e, store, &options);
    store_close(store);
    listing_free(&folders);
    experiment_free(&e);
    return status;
}

static enum bench_status subcommand_show(const struct arguments *a, const struct bench_env *env)
{
    struct show_options options = {.out = stdout};
    struct text table = {0};
    size_t size = 0;
    enum bench_status status;

    if (!a->output || !strcmp(a->output, "-"))
        return show_to(a, env, options);
    options.out = open_memstream(&table.data, &size);
    if (!options.out)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table");
    status = show_to(a, env, options);
    if (fclose(options.out) && !status)
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table");
    table.size = size;
    if (!status)
        status = text_replace_file(a->output, &table);
    free(table.data);
    return status;
}

/* `depthbench help TOPIC`, and `depthbench VERB --help` */
static enum bench_status subcommand_help(const struct arguments *a)
{
    struct text text = {0};
    enum bench_status status = options_help(a->n_rest ? a->rest[0] : NULL, &text);

    if (!status)
        status = text_print(&text, stdout);
    text_free(&text);
    return status;
}

static int run_subcommand(int argc, char **argv)
{
    struct arguments a;
    struct bench_env env = {0};
    enum bench_status status = options_parse(argc, argv, &a);
    bool unclear;
    int code, n;

    if (!status)
        status = bench_check_references(bench_impls);
    if (status)
        return report(&a, status);
    if (!strcmp(a.subcommand, "help"))
        return report(&a, subcommand_help(&a));
    if (!strcmp(a.subcommand, "version")) {
        printf("depthbench %.12s%s\n", bench_build()->commit,
               bench_build()->dirty ? "-dirty" : "");
        return EXIT_DONE;
    }
    if (!strcmp(a.subcommand, "regress"))
        return report(&a, main_regress(&a, argv));
    if (!strcmp(a.subcommand, "list"))
        return report(&a, subcommand_list(&a));
    if (!strcmp(a.subcommand, "claims"))
        return report(&a, main_claims(&a));
    if (!strcmp(a.subcommand, "compare")) {
        code = report(&a, main_compare(&a, &unclear));
        return code ? code : unclear ? EXIT_UNCLEAR : EXIT_DONE;
    }
    if (!strcmp(a.subcommand, "history"))
        return report(&a, main_history(&a));
    if (!strcmp(a.subcommand, "sql"))
        return report(&a, main_sql(&a));
    if (!strcmp(a.subcommand, "draw"))
        return report(&a, main_draw(&a));
    if (a.beside)
        return report(&a, main_beside(&a));
    if (!strcmp(a.subcommand, "run") && (n = n_runs(&a)) > 1) {
        if (a.resume)
            fprintf(stderr,
                    "note: --resume is for what one process measures: all is measured\n");
        status = main_repeat(argc, argv, n, &code);
        return status ? report(&a, status) : code;
    }
    bench_nvtx_start();
    status = bench_env_open(a.device, a.sysroot, &env);
    if (!status && a.host)
        status = bench_env_set_host(&env, a.host);
    if (status)
        code = report(&a, status);
    else if (!strcmp(a.subcommand, "run"))
        code = subcommand_run(&a, &env);
    else if (!strcmp(a.subcommand, "apply"))
        code = report(&a, main_apply(&a, &env));
    else if (!strcmp(a.subcommand, "show"))
        code = report(&a, subcommand_show(&a, &env));
    else if (!strcmp(a.subcommand, "report"))
        code = report(&a, main_report(&a, &env));
    else
        code = report(&a, subcommand_env(&a, &env));
    bench_env_close(&env);
    return code;
}

int main(int argc, char **argv)
{
    int code;

    signal(SIGXFSZ, SIG_IGN); /* a file at its limit is an error of write(), with a sentence */
    code = run_subcommand(argc, argv);
    /* what a full disk did not take may have been noticed earlier, before the buffer was dropped */
    if ((fflush(stdout) || ferror(stdout)) && !code) {
        fprintf(stderr, "depthbench: standard output could not be written\n");
        code = EXIT_MACHINE;
    }
    return code;
}

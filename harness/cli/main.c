/*
 * main.c - the command line: run, show, env, help; main_*.c have the other subcommands
 *
 * The only file that exits, and the only one that turns a failure's sentence into output.
 */
#include "harness/cli/main_private.h"

#include "harness/base/memory.h"
#include "harness/inputs/image.h"
#include "harness/measure/nvtx.h"
#include "harness/platform/process.h"
#include "harness/suite/doctor.h"
#include "harness/suite/modes.h"
#include "harness/analysis/show.h"
#include "harness/suite/suite.h"
#include "harness/suite/world.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

/* docs/METHOD.md, "Exit statuses" */
#define EXIT_UNCLEAR 3
static const int exit_of[] = {
    [BENCH_OK] = EXIT_SUCCESS, [BENCH_EMISMATCH] = 1, [BENCH_EINPUT] = 2,
    [BENCH_EENV] = 4,          [BENCH_ENOMEM] = 5,    [BENCH_EIO] = 5,
    [BENCH_ECUDA] = 5,         [BENCH_ESKIP] = 77,    [BENCH_EINTR] = 130,
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

/* ---- run ---- */

/* The experiments of a run, and what has to be known of them before it opens a GPU. */
struct call {
    struct bench_experiment *e; /* [n], owned */
    int n;
    int n_runs;                /* processes that measure them, one after the other */
    int n_configs, n_together; /* all, and those that ranks measure together */
    bool shares_device;        /* one of these at least wants one GPU for all ranks of a host */
};

static enum bench_status read_call(const struct arguments *a, struct call *call)
{
    REFUSE_IF(a->n_rest == 0, "run: expected an experiment (depthbench list names them)");
    TRY(memory_allocate(&call->e, sizeof *call->e, a->n_rest, 1, 1, 1));
    for (; call->n < a->n_rest; call->n++) {
        struct bench_experiment *const e = &call->e[call->n];

        TRY(main_experiment(a, a->rest[call->n], e));
        for (int k = 0; k < e->n_configs; k++) {
            const struct bench_plan *const plan = &e->configs[k].plan;

            call->n_runs = MAX(call->n_runs, plan->runs);
            call->n_together += plan->scaling != BENCH_ALONE;
            call->shares_device |= plan->scaling != BENCH_ALONE && plan->share_device;
        }
        call->n_configs += e->n_configs;
    }
    if (a->run > 0 || a->dry_run || a->verify_only || a->profile || call->n_together > 0)
        call->n_runs = 1;
    return BENCH_OK;
}

static void free_call(struct call *call)
{
    while (call->n > 0)
        experiment_free(&call->e[--call->n]);
    free(call->e);
}

/* Meets the other ranks of experiments that scale. */
static enum bench_status open_world(const struct arguments *a, const struct call *call,
                                    struct world **world)
{
    if (call->n_together < call->n_configs)
        return BENCH_FAIL(
            BENCH_EINPUT,
            "run: %d of %d configurations have scaling = weak or strong: expected "
            "all or none in one call",
            call->n_together, call->n_configs);
    REFUSE_IF(a->rank || a->run > 0 || a->profile,
              "run: ranks measure together (scaling = ...): expected no --%s",
              a->rank  ? "rank"
              : a->run ? "run"
                       : "profile");
    return world_open(getenv, suite_stop_together, world);
}

/* Reads --rank, or asks the launcher.  *found is false if the call has no ranks. */
static enum bench_status find_rank(const struct arguments *a, struct launcher_rank *rank,
                                   bool *found)
{
    *found = a->rank != NULL;
    if (!*found)
        return BENCH_OK;
    if (strcmp(a->rank, "auto") != 0)
        return launcher_rank_parse(a->rank, rank);
    TRY(launcher_rank_seek(getenv, rank, found));
    REFUSE_IF(!*found, "--rank auto: no launcher has set a rank (Open MPI, MPICH, Slurm, "
                       "Flux and Kubernetes do); by hand: --rank 0/2 and --rank 1/2");
    return BENCH_OK;
}

static bool is_together; /* ranks that measure together stop at once */
static bool has_rows;    /* what is wanted is in files, and standard output only tells of it */

/* Variants that a descriptor names and this build lacks. */
static void add_absent(struct text *page, const struct bench_experiment *e, int width)
{
    static const char head[] = "  not in this build: ";
    OWNED(text_free) struct text list = {0};

    if (e->n_absent == 0)
        return;
    for (int i = 0; i < e->n_absent; i++)
        text_format(&list, "%s%s (no %s)", i > 0 ? ", " : "", e->absent[i]->name,
                    bench_lacks(e->absent[i]));
    text_add(page, head);
    if (!text_ok(&list))
        text_wrap_list(page, list.data, (int)strlen(head), 4, width);
    text_add(page, "\n");
}

static bool is_timed(const struct bench_experiment *e)
{
    for (int i = 0; i < e->n_configs; i++)
        if (e->configs[i].plan.times)
            return true;
    return false;
}

/* Returns the path as it is from the user's folder, if that is shorter. */
static const char *from_here(const char *path)
{
    char here[4096];
    const size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;

    return n > 0 && !strncmp(path, here, n) && path[n] == '/' ? path + n + 1 : path;
}

static void add_totals(struct text *page, const struct bench_experiment *e,
                       const struct bench_summary *s, const char *results, int width)
{
    text_format(page, "%d rows (%d ok", s->n_rows, s->n_ok);
    if (s->n_unstable)
        text_format(page, ", %d unstable", s->n_unstable);
    if (s->n_outside)
        text_format(page, ", %d outside the reference's scatter", s->n_outside);
    text_format(page, "), %d configurations skipped, %d failed, %d wrong", s->n_skipped,
                s->n_failed, s->n_wrong);
    if (s->n_kept)
        text_format(page, ", %d there already", s->n_kept);
    if (s->n_others)
        text_format(page, ", %d of other ranks", s->n_others);
    if (s->n_not_run)
        text_format(page, ", %d not run", s->n_not_run);
    text_add(page, "\n");
    if (s->n_parts)
        text_format(page,
                    "  %d ranges of frames: their rows are there when all ranks are done\n",
                    s->n_parts);
    if (s->n_left)
        text_format(page,
                    "  %d of these may run on another machine: start this rank there, with "
                    "--resume\n",
                    s->n_left);
    if (s->n_same)
        text_format(page, "  %d like others but for a power mode, which is not here\n",
                    s->n_same);
    main_add_reasons(page, "skipped", &s->skipped, width);
    add_absent(page, e, width);
    if (s->n_rows + s->n_parts > 0)
        text_format(page, "  in %s/%s.csv\n", from_here(results), s->session);
}

/* Prints the end of an experiment: rows, why others are missing, where to look. */
static void print_end(const struct arguments *a, const char *name,
                      const struct bench_experiment *e, const struct bench_env *env,
                      const struct bench_summary *summary, const char *results)
{
    const double load = platform_load(env->sysroot);
    OWNED(text_free) struct text page = {0};

    add_totals(&page, e, summary, results, main_width(a));
    if (bench_env_loaded(env) && is_timed(e))
        text_format(&page,
                    "  other work was running: the load was %.2f when this began, and is %.2f\n"
                    "  now, this one's own work included: times may be too long\n",
                    env->board.load_1, load);
    if (summary->n_ok + summary->n_unstable + summary->n_kept > 0)
        text_format(&page, "next: depthbench show %s%s%s\n", name,
                    a->results ? " --results " : "", a->results ? a->results : "");
    (void)text_print(&page, stdout); /* main() asks stdout */
}

static enum bench_status print_begin(const struct arguments *a, const char *name,
                                     const struct bench_experiment *e, struct bench_env *env)
{
    struct bench_forecast forecast;
    OWNED(text_free) struct text page = {0};

    TRY(bench_forecast(e, env, main_data_folder(a), &forecast));
    text_format(&page, "%s: %d configurations on %s, %s protocol", e->name, e->n_configs,
                env->machine, a->quick ? "quick" : "paper");
    if (forecast.n_run < e->n_configs)
        text_format(&page, "; %d can run here", forecast.n_run);
    text_add(&page, "\n");
    main_add_times(&page, a, name, env, &forecast);
    (void)text_print(&page, stdout); /* main() asks stdout */
    return BENCH_OK;
}

/* One experiment of a run; *n_ran counts rows that were measured or kept. */
static int run_experiment(const struct arguments *a, struct bench_env *env,
                          const struct bench_options *options, struct record_session *session,
                          const char *name, const struct bench_experiment *e, int *n_ran)
{
    struct bench_summary s = {0};
    enum bench_status status = BENCH_OK;

    if (e->n_configs == 0) { /* nothing of it is repeated so often, or is built */
        if (a->run <= 1 && e->n_absent > 0)
            fprintf(stderr, "note: %s needs %s, which this build lacks\n", e->name,
                    bench_lacks(e->absent[0]));
        return EXIT_SUCCESS;
    }
    if (options->verbosity > 0)
        status = print_begin(a, name, e, env);
    if (!status)
        status = suite_run(e, env, options, session, &s);
    report(a, status);
    if (options->verbosity > 0 && (!status || s.n_rows + s.n_parts > 0 || s.n_not_run > 0))
        print_end(a, name, e, env, &s, options->results);
    *n_ran += s.n_ok + s.n_unstable + s.n_kept + s.n_others + s.n_parts + a->prepare;
    return status           ? exit_of[status]
           : s.n_wrong > 0  ? exit_of[BENCH_EMISMATCH]
           : s.n_failed > 0 ? exit_of[s.worst]
                            : EXIT_SUCCESS;
}

/* Before anything is measured: an experiment that -i or --quick leave nothing of is remarked,
 * all of them are an error. */
static enum bench_status check_experiments(const struct arguments *a, struct bench_env *env,
                                           struct call *call, FILE *notes)
{
    OWNED(text_free) struct text page = {0};
    struct bench_forecast forecast;
    int n_empty = 0;

    for (int i = 0; i < call->n; i++) {
        struct bench_experiment *const e = &call->e[i];
        enum bench_status empty;

        TRY(bench_modes_find(env, e, notes));
        empty = main_check_empty(a, a->rest[i], e);
        n_empty += empty != BENCH_OK;
        if (empty && n_empty == call->n) /* nothing is left over */
            return empty;
        if (empty)
            fprintf(stderr, "note: %s\n", bench_failure());
        if (a->dry_run && !empty) {
            main_add_configs(&page, e, "");
            TRY(bench_forecast(e, env, main_data_folder(a), &forecast));
            text_format(&page, "%d configurations\n", e->n_configs);
            main_add_reasons(&page, "skipped", &forecast.skipped, main_width(a));
            add_absent(&page, e, main_width(a));
        }
    }
    return text_print(&page, stdout);
}

static int run_all(const struct arguments *a, struct bench_env *env, struct call *call,
                   struct world *world)
{
    const bool is_quiet = a->prepare || (world && world->place.rank > 0); /* one speaks */
    char results[4400];
    struct bench_options options = {.results = results,
                                    .data = main_data_folder(a),
                                    .references = a->references,
                                    .prepare = a->prepare,
                                    .quick = a->quick,
                                    .profile = a->profile,
                                    .realtime = a->realtime,
                                    .resume = a->resume,
                                    .run = a->run,
                                    .run_group = a->run_group,
                                    .verbosity = is_quiet ? 0 : 1 + a->verbosity,
                                    .out = stdout,
                                    .err = stderr,
                                    .progress = isatty(2) && !is_quiet,
                                    .world = world};
    struct launcher_rank rank;
    bool has_ranks;
    OWNED(text_free) struct text warnings = {0};
    struct record_session *session = NULL;
    OWNED(memory_free) const char **names = NULL;
    enum bench_status status;
    int code, n_ran = 0;

    if (a->references && text_make_folder(a->references))
        return report(a, BENCH_EIO);
    main_own_folder(env, results);
    if (a->results)
        snprintf(results, sizeof results, "%s", a->results);
    status = find_rank(a, &rank, &has_ranks);
    if (!status && has_ranks) {
        options.rank = &rank;
        if (rank.job[0]) /* of a rank that is started again, too */
            options.run_group = rank.job;
    }
    if (!status)
        status = memory_allocate(&names, sizeof *names, call->n + 1, 1, 1, 1);
    if (status)
        return report(a, status);
    for (int i = 0; i < call->n; i++)
        names[i] = call->e[i].name;
    options.experiments = names;
    /* a reference takes minutes, and is a file once it is whole: preparing stops at once */
    if (!a->prepare)
        process_take_signals(
            is_together ? NULL : "\ndepthbench: finishing this configuration, then stopping\n",
            0);
    code = report(a, check_experiments(a, env, call,
                                       options.verbosity > 0 && !a->dry_run ? stderr : NULL));
    if (code || a->dry_run)
        return code;
    has_rows = true;
    if (!a->results && strcmp(listing_name(results), env->machine) != 0 &&
        options.verbosity > 0)
        fprintf(stderr, "note: the name is taken: rows go to %s\n", from_here(results));
    bench_env_warnings(env, &warnings);
    if (warnings.data && !text_ok(&warnings) && !is_quiet)
        fprintf(stderr, "%s", warnings.data);
    code = report(a, suite_open(env, &options, &session));
    for (int i = 0; i < call->n; i++)
        if (!code)
            code = run_experiment(a, env, &options, session, a->rest[i], &call->e[i], &n_ran);
        else if (session)
            fprintf(stderr, "note: %s was not run\n", a->rest[i]);
    status = suite_close(env, session);
    if (status && !code)
        code = report(a, status);
    return code ? code : n_ran > 0 ? EXIT_SUCCESS : exit_of[BENCH_ESKIP];
}

static int subcommand_run(const struct arguments *a, struct bench_env *env, struct call *call)
{
    struct world *world = NULL;
    int code = EXIT_SUCCESS;

    is_together = call->n_together > 0 && !a->dry_run;
    if (is_together)
        code = report(a, open_world(a, call, &world));
    if (!code)
        code = run_all(a, env, call, world);
    fflush(stdout); /* it may end here */
    world_leave(world, code);
    return code;
}

/* ---- env, show ---- */

static enum bench_status subcommand_env(const struct arguments *a, struct bench_env *env)
{
    char folder[BENCH_MAX_FOLDER];
    OWNED(text_free) struct text text = {0};
    OWNED(text_free) struct text notes = {0};

    bench_env_folder(env, folder);
    if (!a->machine) {
        bench_env_text(env, &text);
        bench_env_warnings(env, &notes);
        if (notes.data && !text_ok(&notes))
            fprintf(stderr, "%s", notes.data);
    }
    text_format(&text, "%s%s\n", a->machine ? "" : "results=", folder);
    return text_print(&text, stdout);
}

/* Also where the machine cannot be opened: that is what it looks for. */
static enum bench_status subcommand_doctor(const struct arguments *a)
{
    OWNED(bench_env_close) struct bench_env env = {0};
    OWNED(text_free) struct text page = {0};
    char results[4400], refused[512];
    enum bench_status status = bench_env_open(a->device, a->sysroot, &env);
    const bool is_open = status == BENCH_OK;

    snprintf(refused, sizeof refused, "%.511s", is_open ? "" : bench_failure());
    snprintf(results, sizeof results, "%s/%s", bench_results(), env.machine);
    status = bench_doctor(&env, is_open ? NULL : refused, main_data_folder(a),
                          a->results ? a->results : from_here(results), main_width(a), &page);
    TRY(text_print(&page, stdout));
    return status;
}

static enum bench_status subcommand_show(const struct arguments *a, struct bench_env *env)
{
    struct show_options options = {
        .width = main_width(a), .is_all = a->all, .notes = a->verbosity >= 0 ? stderr : NULL};
    OWNED(experiment_free) struct bench_experiment e = {0};
    OWNED(store_close) struct store *store = NULL;
    OWNED(text_free) struct text text = {0};
    char folder[BENCH_MAX_FOLDER];

    bench_env_folder(env, folder);
    TRY(table_format_of(a->format ? a->format : "text", &options.format));
    REFUSE_IF(options.format == TABLE_HTML || options.format == TABLE_JSON,
              "show -f %s: expected text, csv or md", a->format);
    REFUSE_IF(a->n_rest != 1, "show: expected one experiment, found %d", a->n_rest);
    TRY(main_experiment(a, a->rest[0], &e));
    TRY(main_check_empty(a, a->rest[0], &e));
    TRY(main_read(a, folder, &store));
    TRY(show_write(&e, store, &options, &text));
    return main_put(a->output, &text);
}

/* `depthbench help TOPIC`, and `depthbench VERB --help` */
static enum bench_status subcommand_help(const struct arguments *a)
{
    OWNED(text_free) struct text text = {0};

    TRY(options_help(a->n_rest ? a->rest[0] : NULL, &text));
    return text_print(&text, stdout);
}

static enum bench_status subcommand_version(const struct arguments *a)
{
    (void)a;
    printf("depthbench %s (%.12s%s)\n", bench_build()->version, bench_build()->commit,
           bench_build()->is_clean ? "" : "-dirty");
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
    {"list", main_list, NULL},
    {"doctor", subcommand_doctor, NULL},
    {"claims", main_claims, NULL},
    {"check", main_check, NULL},
    {"history", main_history, NULL},
    {"edition", main_edition, NULL},
    {"sql", main_sql, NULL},
    {"draw", main_draw, NULL},
    {"apply", NULL, main_apply},
    {"watch", NULL, main_watch},
    {"show", NULL, subcommand_show},
    {"report", NULL, main_report},
    {"env", NULL, subcommand_env},
    {NULL, NULL, NULL}, /* run, and compare, which have an exit status of their own */
};

/* Ranks of one host take its GPUs in turn, unless the launcher has left each the sight of one
 * alone, or they are to share one. */
static int device_of(const struct arguments *a, const struct call *call)
{
    struct launcher_rank rank;
    bool found;
    int n;

    if (a->device >= 0 || call->shares_device ||
        (call->n_together > 0 ? launcher_rank_seek(getenv, &rank, &found)
                              : find_rank(a, &rank, &found)) ||
        !found || rank.local < 0)
        return a->device; /* what is wrong with a rank, running says */
    n = bench_device_count();
    return n > 1 ? rank.local % n : a->device;
}

static int run_subcommand(int argc, char **argv)
{
    struct arguments a;
    OWNED(bench_env_close) struct bench_env env = {0};
    OWNED(free_call) struct call call = {.n_runs = 1};
    enum bench_status status = options_parse(argc, argv, &a);
    const struct subcommand *s = subcommands;
    bool unclear;
    int code;

    if (!status)
        status = bench_check_references(bench_impls);
    if (!status && options_take(a.subcommand, "peer"))
        status = main_peers(&a);
    if (!status && !strcmp(a.subcommand, "run"))
        status = read_call(&a, &call);
    if (status)
        return report(&a, status);
    if (!strcmp(a.subcommand, "compare")) {
        code = report(&a, main_compare(&a, &unclear));
        return code ? code : unclear ? EXIT_UNCLEAR : EXIT_SUCCESS;
    }
    if (a.prepare && !a.references)
        return report(&a, BENCH_FAIL(BENCH_EINPUT, "--prepare: expected --references DIR"));
    if (a.prepare && !a.rank)
        return report(&a, main_prepare(argc, argv));
    if (call.n_runs > 1) {
        if (a.resume && !a.rank)
            fprintf(stderr,
                    "note: --resume is for what one process measures: all is measured\n");
        status = main_repeat(argc, argv, call.n_runs, &code);
        return status ? report(&a, status) : code;
    }
    while (s->name && strcmp(s->name, a.subcommand) != 0)
        s++;
    if (s->name && s->without)
        return report(&a, s->without(&a));
    if (a.max_pixels > 0)
        image_limit_pixels(a.max_pixels);
    bench_nvtx_start();
    status = bench_env_open(device_of(&a, &call), a.sysroot, &env);
    if (!status && a.host)
        status = bench_env_set_host(&env, a.host);
    if (status)
        return report(&a, status);
    return s->name ? report(&a, s->on_machine(&a, &env)) : subcommand_run(&a, &env, &call);
}

/* Those that the caller has closed: else a file that is opened takes their place, and gets what
 * is said.  What cannot be written fails as it would without. */
static bool open_standard(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 1 ? O_RDONLY : O_RDWR) != fd)
            return false;
    return true;
}

/* A reader that has gone is an error of write(); programs that are started do not inherit
 * it. */
static void on_pipe(int number)
{
    (void)number;
}

int main(int argc, char **argv)
{
    int code;

    if (!open_standard())
        return exit_of[BENCH_EIO];
    signal(SIGPIPE, on_pipe);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* rows come one by one, into a file too */
    signal(SIGXFSZ, SIG_IGN); /* a file at its limit is an error of write(), with a sentence */
    code = run_subcommand(argc, argv);
    /* an earlier flush may have noticed that the disk is full, and dropped the buffer */
    if ((fflush(stdout) || ferror(stdout)) && (has_rows || !code)) {
        fprintf(stderr, "%s standard output could not be written%s\n",
                has_rows ? "note:" : "depthbench:", has_rows ? "; rows are not affected" : "");
        code = has_rows ? code : exit_of[BENCH_EIO];
    }
    return code;
}

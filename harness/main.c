/*
 * main.c - the command line: list, run, show, env, help; more verbs in main_apply.c, main_judge.c
 *
 * The only file that exits, and the only one that turns a failure's sentence into output.
 */
#include "harness/main_private.h"

#include "harness/listing.h"
#include "harness/measure.h"
#include "harness/nvtx.h"
#include "harness/record.h"
#include "harness/analysis/show.h"
#include "harness/suite.h"
#include "inputs/dataset.h"

#include <errno.h>
#include <getopt.h>
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

/* Options that problems have for themselves; those of several problems once. */
static void usage_of_problems(FILE *out)
{
    for (int p = 0; bench_problems[p]; p++)
        for (const struct bench_option *o = bench_problems[p]->apply_options; o && o->name;
             o++) {
            char text[64];

            snprintf(text, sizeof text, "--%s %s", o->name, o->argument);
            fprintf(out, "  %-22s apply %s: %s\n", text, bench_problems[p]->name, o->help);
        }
}

static void usage(FILE *out)
{
    fputs("depthbench - benchmark and reproduction of stereo disparity compression on GPUs\n"
          "\n"
          "  depthbench list [EXP]        problems, variants, keys, inputs; cells of EXP\n"
          "  depthbench run EXP...        verify, measure, record in results/MACHINE/\n"
          "  depthbench show EXP          the newest rows of EXP as a table\n"
          "  depthbench claims [DIR...]   verdicts on what the papers say (DIR: results)\n"
          "  depthbench compare BASE HEAD which cells became slower, from result files\n"
          "  depthbench regress BASE [HEAD]  the same of two commits: builds and runs both\n"
          "  depthbench history [DIR]     times of a cell by commit (--cell)\n"
          "  depthbench report [DIR]      all of it as one page (-o FILE), DIR/report.html\n"
          "  depthbench sql [QUERY]       all results as a database: tables, or an answer\n"
          "  depthbench draw FILE...      what a figure draws, for gnuplot (--out-dir)\n"
          "  depthbench apply IMPL IMAGE  one variant on one image (-o, --picture)\n"
          "  depthbench env               this machine and this build\n"
          "  depthbench help\n"
          "\n"
          "EXP is a descriptor: rdp/fig9, or a path to an .ini file.\n"
          "IMAGE is a PNG, PGM or PFM file, scene[:SEED[:WxH]], or input:NAME[:CASE], where\n"
          "CASE is typical, best, worst or the number of a frame.\n"
          "\n"
          "  -S KEY=VALUE       set a key over the descriptor; may be repeated\n"
          "  -i GLOB            only variants that match: -i 'rdp/gpu-*'\n"
          "  -g GLOB            only sections that match: -g street\n"
          "  -f FORMAT          show (md), sql (text): text, csv or md; sql: html, too\n"
          "  -o FILE            where the output goes\n"
          "  --out-dir DIR      show: write DIR/EXP.csv, .values.csv; draw: DIR/NAME.tsv\n"
          "  --results DIR      the session's folder; show, sql, draw: several, with commas\n"
          "  --data DIR         data sets; default $DEPTHBENCH_DATA, else data\n"
          "  --quick            few samples, 3 frames, one seed, no heights above 2048\n"
          "  --resume           go on with the newest session of this very build\n"
          "  --runs N           N processes, one after the other (the same: -S runs=N)\n"
          "  --dry-run          print the cells, run nothing        (also --list-cells)\n"
          "  --verify-only      verify outputs, take no times\n"
          "  --profile          one warm-up and one sample, for nsys and ncu\n"
          "  --device N         which GPU\n"
          "  --host NAME        run, env: which machine this is, instead of a hash\n"
          "  --sysroot DIR      a made-up board: its files and tools are below DIR\n"
          "  --picture PNG      apply: draw the result\n"
          "  --no-verify        apply: do not run the reference, too\n"
          "  --disparity IMAGE  apply: the image, instead of the second word\n"
          "  --csv FILE         claims, compare, history: the table as CSV, too\n"
          "  --explain ID       claims: one claim, its rows and its arithmetic\n"
          "  --floor 2%         compare: a smaller change is none\n"
          "  --fdr 0.05         compare: the share of false ones among those found\n"
          "  --strict           compare: exit 3 when a cell is unclear\n"
          "  --suspects DIR     compare: descriptors of the cells that need more runs\n"
          "  --cell IMPL,K=V    history: of which cell, as rdp/serial,height=1024\n"
          "  --figures DIR      report: what scripts/plot drew\n"
          "  --expect FILE      claims: write the verdicts there, as those to expect\n"
          "  --export FILE      sql: write all of it as an SQLite file\n"
          "  --machine          env: only the machine's name\n"
          "  --beside PAPER-TABLE  env: printed facts beside those that folders have\n"
          "  -v, -q             more, less\n",
          out);
    usage_of_problems(out);
    fputs("\n"
          "Exit: 0 done, also with skipped rows; 1 a wrong result, a verdict on a claim\n"
          "other than it expects, a slower cell or another output; 2 usage, descriptor or\n"
          "input; 3 unclear, with --strict; 4 environment refused; 5 I/O, memory or device\n"
          "failure; 77 nothing could run; 130 interrupted, everything finished so far is\n"
          "kept.\n",
          out);
}

/* ---- arguments ---- */

/* Options that only some verbs have: nothing that is said on a command line goes unheard. */
static const struct belonging {
    const char *option, *verbs;
} belonging[] = {
    {"S", "list, run, show, draw and apply"},
    {"i", "list, run and show"},
    {"g", "list, run and show"},
    {"f", "show and sql"},
    {"o", "show, report, sql and apply"},
    {"results", "run, show, sql and draw"},
    {"out-dir", "show and draw"},
    {"quick", "list, run and show"},
    {"resume", "run"},
    {"runs", "run"},
    {"run", "run"},
    {"dry-run", "run"},
    {"list-cells", "run"},
    {"verify-only", "run"},
    {"profile", "run"},
    {"picture", "apply"},
    {"no-verify", "apply"},
    {"disparity", "apply"},
    {"machine", "env"},
    {"beside", "env"},
    {"host", "run and env"},
    {"csv", "claims, compare and history"},
    {"explain", "claims"},
    {"expect", "claims"},
    {"floor", "compare"},
    {"fdr", "compare"},
    {"strict", "compare"},
    {"suspects", "compare"},
    {"cell", "history"},
    {"figures", "report"},
    {"export", "sql"},
};

#define N_BELONGING ((int)(sizeof belonging / sizeof *belonging))

static void note_given(struct arguments *a, const char *option)
{
    for (int i = 0; i < N_BELONGING; i++)
        if (!strcmp(belonging[i].option, option))
            a->is_given[i] = true;
}

static enum bench_status check_given(const struct arguments *a)
{
    for (int i = 0; i < N_BELONGING; i++)
        if (a->is_given[i] && !strstr(belonging[i].verbs, a->verb))
            return BENCH_FAIL(BENCH_EINPUT, "%s%s is an option of %s",
                              belonging[i].option[1] ? "--" : "-", belonging[i].option,
                              belonging[i].verbs);
    if (a->n_given > 0 && strcmp(a->verb, "apply") != 0)
        return BENCH_FAIL(BENCH_EINPUT, "--%s is an option of apply", a->given[0].name);
    return BENCH_OK;
}

/* "2%" or "0.02": above 0, below 1. */
static bool parse_share(const char *text, double *share)
{
    char *end;

    *share = strtod(text, &end);
    if (end != text && *end == '%') {
        *share /= 100;
        end++;
    }
    return end != text && !*end && *share > 0 && *share < 1;
}

static enum bench_status parse(int argc, char **argv, struct arguments *a)
{
    enum {
        RESULTS = 256,
        DATA,
        OUT_DIR,
        QUICK,
        RESUME,
        RUNS,
        RUN,
        DRY,
        CELLS,
        VERIFY,
        PROFILE,
        DEVICE,
        SYSROOT,
        PICTURE,
        NO_VERIFY,
        DISPARITY,
        MACHINE,
        BESIDE,
        HOST,
        CSV,
        EXPLAIN,
        FLOOR,
        FDR,
        STRICT,
        SUSPECTS,
        CELL,
        FIGURES,
        EXPECT,
        EXPORT,
        COLOR,
        OWN
    };
    static const struct option own[] = {
        {"results", required_argument, NULL, RESULTS},
        {"data", required_argument, NULL, DATA},
        {"out-dir", required_argument, NULL, OUT_DIR},
        {"quick", no_argument, NULL, QUICK},
        {"resume", no_argument, NULL, RESUME},
        {"runs", required_argument, NULL, RUNS},
        {"run", required_argument, NULL, RUN}, /* by main_repeat */
        {"dry-run", no_argument, NULL, DRY},
        {"list-cells", no_argument, NULL, CELLS},
        {"verify-only", no_argument, NULL, VERIFY},
        {"profile", no_argument, NULL, PROFILE},
        {"device", required_argument, NULL, DEVICE},
        {"sysroot", required_argument, NULL, SYSROOT},
        {"picture", required_argument, NULL, PICTURE},
        {"no-verify", no_argument, NULL, NO_VERIFY},
        {"disparity", required_argument, NULL, DISPARITY},
        {"machine", no_argument, NULL, MACHINE},
        {"beside", required_argument, NULL, BESIDE},
        {"host", required_argument, NULL, HOST},
        {"csv", required_argument, NULL, CSV},
        {"explain", required_argument, NULL, EXPLAIN},
        {"floor", required_argument, NULL, FLOOR},
        {"fdr", required_argument, NULL, FDR},
        {"strict", no_argument, NULL, STRICT},
        {"suspects", required_argument, NULL, SUSPECTS},
        {"cell", required_argument, NULL, CELL},
        {"figures", required_argument, NULL, FIGURES},
        {"expect", required_argument, NULL, EXPECT},
        {"export", required_argument, NULL, EXPORT},
        {"color", required_argument, NULL, COLOR},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
    };
    struct option options[MAX_OPTIONS];
    int n_options = (int)(sizeof own / sizeof *own);

    double number;
    int c, index = 0;

    memcpy(options, own, sizeof own);
    for (int p = 0; bench_problems[p]; p++)
        for (const struct bench_option *o = bench_problems[p]->apply_options; o && o->name; o++)
            if (n_options < MAX_OPTIONS - 1)
                options[n_options++] = (struct option){o->name, required_argument, NULL, OWN};
    memset(&options[n_options], 0, sizeof *options);
    while ((c = getopt_long(argc, argv, "S:i:g:f:o:vqhV", options, &index)) != -1) {
        note_given(a, c < RESULTS ? (const char[]){(char)c, '\0'} : options[index].name);
        switch (c) {
        case OWN:
            if (a->n_given == MAX_GIVEN)
                return BENCH_FAIL(BENCH_EINPUT, "more than %d options of problems", MAX_GIVEN);
            a->given[a->n_given].name = options[index].name;
            a->given[a->n_given++].value = optarg;
            break;
        case 'S':
            if (a->n_assignments == MAX_ASSIGNMENTS)
                return BENCH_FAIL(BENCH_EINPUT, "more than %d -S options", MAX_ASSIGNMENTS);
            a->assignment[a->n_assignments++] = optarg;
            break;
        case 'i':
            a->glob = optarg;
            break;
        case 'g':
            a->group = optarg;
            break;
        case 'f':
            a->format = optarg;
            break;
        case 'o':
            a->output = optarg;
            break;
        case 'v':
            a->verbosity++;
            break;
        case 'q':
            a->verbosity--;
            break;
        case 'h':
            a->verb = "help";
            return BENCH_OK;
        case 'V':
            a->verb = "version";
            return BENCH_OK;
        case RESULTS:
            a->results = optarg;
            break;
        case DATA:
            a->data = optarg;
            break;
        case OUT_DIR:
            a->out_dir = optarg;
            break;
        case QUICK:
            a->quick = true;
            break;
        case RESUME:
            a->resume = true;
            break;
        case RUNS:
            if (a->n_assignments == MAX_ASSIGNMENTS)
                return BENCH_FAIL(BENCH_EINPUT, "more than %d -S options", MAX_ASSIGNMENTS);
            if (!main_number(optarg, 1, RECORD_MAX_RUNS, &number))
                return BENCH_FAIL(BENCH_EINPUT, "--runs %s: expected 1 to %d", optarg,
                                  RECORD_MAX_RUNS);
            snprintf(a->runs, sizeof a->runs, "runs=%d", (int)number);
            a->assignment[a->n_assignments++] = a->runs;
            break;
        case RUN:
            a->run = (int)strtol(optarg, NULL, 10);
            a->run_group = strchr(optarg, ',');
            if (a->run < 1 || !a->run_group || !*++a->run_group)
                return BENCH_FAIL(BENCH_EINPUT, "--run %s: expected I,GROUP", optarg);
            break;
        case DRY:
            a->dry_run = true;
            break;
        case CELLS:
            a->list_cells = true;
            break;
        case VERIFY:
            a->verify_only = true;
            break;
        case PROFILE:
            a->profile = true;
            break;
        case DEVICE:
            if (!main_number(optarg, 0, 1023, &number))
                return BENCH_FAIL(BENCH_EINPUT, "--device %s: expected a number", optarg);
            a->device = (int)number;
            break;
        case SYSROOT:
            a->sysroot = optarg;
            break;
        case PICTURE:
            a->picture = optarg;
            break;
        case NO_VERIFY:
            a->no_verify = true;
            break;
        case DISPARITY:
            a->disparity = optarg;
            break;
        case MACHINE:
            a->machine = true;
            break;
        case BESIDE:
            a->beside = optarg;
            break;
        case HOST:
            a->host = optarg;
            break;
        case CSV:
            a->csv = optarg;
            break;
        case EXPLAIN:
            a->explain = optarg;
            break;
        case FLOOR:
            if (!parse_share(optarg, &a->floor))
                return BENCH_FAIL(BENCH_EINPUT, "--floor %s: expected a share, as 2%% or 0.02",
                                  optarg);
            break;
        case FDR:
            if (!parse_share(optarg, &a->fdr))
                return BENCH_FAIL(BENCH_EINPUT, "--fdr %s: expected a share, as 0.05 or 5%%",
                                  optarg);
            break;
        case STRICT:
            a->strict = true;
            break;
        case SUSPECTS:
            a->suspects = optarg;
            break;
        case CELL:
            a->cell = optarg;
            break;
        case FIGURES:
            a->figures = optarg;
            break;
        case EXPECT:
            a->expect = optarg;
            break;
        case EXPORT:
            a->export = optarg;
            break;
        case COLOR:
            break; /* accepted: nothing is coloured */
        default:
            return BENCH_FAIL(BENCH_EINPUT,
                              "see depthbench help"); /* getopt has said what is wrong */
        }
    }
    if (optind >= argc)
        return BENCH_FAIL(
            BENCH_EINPUT,
            "expected a verb: list, run, show, claims, report, compare, regress, history, "
            "sql, draw, apply, env or help");
    a->verb = argv[optind];
    a->rest = argv + optind + 1;
    a->n_rest = argc - optind - 1;
    return BENCH_OK;
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
                                              .with_absent = !strcmp(a->verb, "show"),
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

    if (a->run > 0 || a->dry_run || a->list_cells || a->verify_only || a->profile)
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

        if (keys->kind == BENCH_WORD && keys->choices)
            snprintf(range, sizeof range, "%s", keys->choices);
        else if (keys->kind != BENCH_WORD)
            snprintf(range, sizeof range, "%g..%g", keys->min, keys->max);
        printf("%s%-11s %s%s%s%s%s%s%s\n", indent, keys->name, keys->help, range[0] ? "; " : "",
               range, keys->unit && keys->unit[0] ? " " : "", keys->unit ? keys->unit : "",
               keys->fallback ? "; default " : "; must be given",
               keys->fallback ? keys->fallback : "");
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

        if (!strcmp(name, "inputs") || !strcmp(name, "claims") || !strcmp(name, "report") ||
            !main_is_folder(folders.path[f]) || listing_read(folders.path[f], ".ini", &files))
            continue;
        for (int i = 0; i < files.n; i++)
            list_experiment(name, files.path[i]);
        listing_free(&files);
    }
    listing_free(&folders);
    return BENCH_OK;
}

static enum bench_status verb_list(const struct arguments *a)
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
            printf("  %-20s %s\n", bench_impls[i]->name, bench_impls[i]->source);
            list_keys(bench_impls[i]->keys, "    ");
        }
        for (int i = 0; bench_known_impls[i]; i++) {
            if (bench_known_impls[i]->problem != bench_problems[p] ||
                bench_find_impl(bench_known_impls[i]->name))
                continue;
            printf("  %-20s not in this build (no CUDA)\n", bench_known_impls[i]->name);
            list_keys(bench_known_impls[i]->keys, "    ");
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
        if (a->dry_run || a->list_cells)
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

static int verb_run(const struct arguments *a, struct bench_env *env)
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
    if (code || a->dry_run || a->list_cells) {
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

static enum bench_status verb_env(const struct arguments *a, const struct bench_env *env)
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
    TRY(table_format_of(a->format ? a->format : a->out_dir ? "csv" : "md", format));
    if (a->out_dir && *format != TABLE_CSV)
        return BENCH_FAIL(BENCH_EINPUT, "--out-dir is for -f csv; -o FILE takes the others");
    if (*format == TABLE_HTML)
        return BENCH_FAIL(BENCH_EINPUT, "show -f html: expected text, csv or md");
    return BENCH_OK;
}

/* The folders of --results, separated by commas, or this machine's, which may have a comma in its path. */
static enum bench_status result_folders(const struct arguments *a, const struct bench_env *env,
                                        char *text, size_t size,
                                        const char *folder[MAX_FOLDERS], int *n)
{
    const int n_bytes = a->results
                            ? snprintf(text, size, "%s", a->results)
                            : snprintf(text, size, "%s/results/%s", bench_home(), env->machine);

    *n = 0;
    if ((size_t)n_bytes >= size)
        return BENCH_FAIL(BENCH_EINPUT, "--results: expected less than %zu bytes, found %d",
                          size, n_bytes);
    if (!a->results) {
        folder[(*n)++] = text;
        return BENCH_OK;
    }
    for (char *save = NULL, *part = strtok_r(text, ",", &save); part;
         part = strtok_r(NULL, ",", &save)) {
        if (*n == MAX_FOLDERS)
            return BENCH_FAIL(BENCH_EINPUT, "--results: expected at most %d folders",
                              MAX_FOLDERS);
        folder[(*n)++] = part;
    }
    return BENCH_OK;
}

static enum bench_status show_to(const struct arguments *a, const struct bench_env *env,
                                 struct show_options options)
{
    char text[4400], paper[4400];
    const char *folder[MAX_FOLDERS];
    struct bench_experiment e;
    struct store *store = NULL;
    enum bench_status status;
    int n;

    TRY(show_format_of(a, &options.format));
    if (a->n_rest != 1)
        return BENCH_FAIL(BENCH_EINPUT, "show: expected one experiment, found %d", a->n_rest);
    TRY(read_experiment(a, a->rest[0], &e));
    snprintf(paper, sizeof paper, "%s/results/paper", bench_home());
    options.width = main_width(a);
    options.folder = a->out_dir;
    options.paper = paper;
    options.notes = a->verbosity >= 0 ? stderr : NULL;
    status = result_folders(a, env, text, sizeof text, folder, &n);
    if (!status)
        status = store_read(folder, n, true, options.notes, &store);
    if (!status)
        status = show_write(&e, store, &options);
    store_close(store);
    experiment_free(&e);
    return status;
}

static enum bench_status verb_show(const struct arguments *a, const struct bench_env *env)
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

static bool is_verb(const char *word)
{
    static const char *const verbs[] = {"list",   "run",     "show",    "claims",
                                        "report", "compare", "regress", "history",
                                        "sql",    "draw",    "apply",   "env"};

    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(verbs[i], word))
            return true;
    return false;
}

static int run_verb(int argc, char **argv)
{
    struct arguments a = {.device = -1, .floor = 0.02, .fdr = 0.05};
    struct bench_env env = {0};
    enum bench_status status;
    bool unclear;
    int code, n;

    status = bench_check_references(bench_impls);
    if (status)
        return report(&a, status);
    if (argc > 1 && !strcmp(argv[1], "regress"))
        return report(&a, main_regress(argv));
    status = parse(argc, argv, &a);
    if (status)
        return report(&a, status);
    if (!strcmp(a.verb, "help")) {
        usage(stdout);
        return EXIT_DONE;
    }
    if (!strcmp(a.verb, "version")) {
        printf("depthbench %.12s%s\n", bench_build()->commit,
               bench_build()->dirty ? "-dirty" : "");
        return EXIT_DONE;
    }
    if (!is_verb(a.verb))
        return report(&a, BENCH_FAIL(BENCH_EINPUT,
                                     "no verb '%s': expected list, run, show, claims, report, "
                                     "compare, regress, history, sql, draw, apply, env or help",
                                     a.verb));
    if (!strcmp(a.verb, "regress"))
        return report(&a, BENCH_FAIL(BENCH_EINPUT, "expected regress as the first word"));
    status = check_given(&a);
    if (status)
        return report(&a, status);
    if (!strcmp(a.verb, "list"))
        return report(&a, verb_list(&a));
    if (!strcmp(a.verb, "claims"))
        return report(&a, main_claims(&a));
    if (!strcmp(a.verb, "compare")) {
        code = report(&a, main_compare(&a, &unclear));
        return code ? code : unclear ? EXIT_UNCLEAR : EXIT_DONE;
    }
    if (!strcmp(a.verb, "history"))
        return report(&a, main_history(&a));
    if (!strcmp(a.verb, "sql"))
        return report(&a, main_sql(&a));
    if (!strcmp(a.verb, "draw"))
        return report(&a, main_draw(&a));
    if (a.beside)
        return report(&a, main_beside(&a));
    if (!strcmp(a.verb, "run") && (n = n_runs(&a)) > 1) {
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
    else if (!strcmp(a.verb, "run"))
        code = verb_run(&a, &env);
    else if (!strcmp(a.verb, "apply"))
        code = report(&a, main_apply(&a, &env));
    else if (!strcmp(a.verb, "show"))
        code = report(&a, verb_show(&a, &env));
    else if (!strcmp(a.verb, "report"))
        code = report(&a, main_report(&a, &env));
    else
        code = report(&a, verb_env(&a, &env));
    bench_env_close(&env);
    return code;
}

int main(int argc, char **argv)
{
    int code;

    signal(SIGXFSZ, SIG_IGN); /* a file at its limit is an error of write(), with a sentence */
    code = run_verb(argc, argv);
    /* what a full disk did not take may have been noticed earlier, before the buffer was dropped */
    if ((fflush(stdout) || ferror(stdout)) && !code) {
        fprintf(stderr, "depthbench: standard output could not be written\n");
        code = EXIT_MACHINE;
    }
    return code;
}

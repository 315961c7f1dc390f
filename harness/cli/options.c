/* options.c - the table of subcommands, the table of options, and what is made of them */
#include "harness/cli/options.h"

#include "harness/base/build.h"
#include "harness/measure/problem.h"
#include "harness/suite/record.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 96
#define HELP_WIDTH  80
#define HELP_COLUMN 24 /* where the text behind an option begins */

#define EXP_HELP                                                                            \
    "EXP is an experiment, as rdp/fig5 (depthbench list names them), or a path to an .ini " \
    "file."
#define DIR_HELP "DIR is a folder with results, or its name in results/."

static const struct subcommand {
    const char *name, *words, *help, *more, *example;
} subcommands[] = {
    {"list", "[WHAT...]", "variants, inputs, experiments, and what these run",
     "WHAT is an experiment, as rdp/fig5: how many configurations of what, which are skipped "
     "here and why; or a problem, as rdp: its variants, keys and experiments; or inputs: where "
     "each is, or how to get it; or codings: what values mean.  --all: all of it.",
     "list rdp/fig5"},
    {"run", "EXP...", "verify, measure, record in results/MACHINE/", EXP_HELP,
     "run rdp/fig5 --quick"},
    {"show", "EXP", "the newest rows of EXP as a table", EXP_HELP, "show rdp/fig5"},
    {"apply", "IMPL IMAGE...", "one variant on one image of disparities, or a pair",
     "IMPL is a variant, as rdp/cpu-simd.  IMAGE is a PNG, PGM or PFM file, "
     "scene[:SEED[:WxH]], or input:NAME[:CASE], where CASE is typical, best, worst or the "
     "number of a frame.  Two, LEFT RIGHT, are views of a pair, 8-bit PNG or PPM: sgm "
     "matches them first, for the other problems.",
     "apply stixels/openmp scene:1 --picture stixels.png"},
    {"watch", "IMPL", "one variant over frames that arrive (--frames)",
     "--frames DIR: DIR has PNG, PGM or PFM files of disparities, which arrive by their names, "
     "once; of pairs DIR/left and DIR/right have the views.  -: frames come by standard "
     "input.  docs/WATCH.md",
     "watch rdp/omp-columns --frames disparities --rate 30"},
    {"claims", "[DIR...]", "verdicts on what the papers say, by the rows of DIR", DIR_HELP,
     "claims xeon-2c"},
    {"report", "[DIR...]", "all of it as one page, DIR/report.html",
     DIR_HELP "  Several have one page, results/report.html.", "report xeon-2c"},
    {"compare", "BASE HEAD", "what became slower, from two result files or folders", NULL,
     "compare before.csv after.csv"},
    {"regress", "BASE [HEAD]", "the same of two commits: builds and runs both",
     "Two builds and several runs of each: minutes.  docs/REGRESSION.md", "regress HEAD~1"},
    {"history", "[DIR]", "what became slower, commit by commit", DIR_HELP,
     "history --of rdp/serial,height=1024"},
    {"check", "FOLDER...", "what is missing or odd in results of several machines",
     "FOLDER has sessions, as results/MACHINE.  docs/CLUSTER.md", "check results/xeon-2c"},
    {"edition", "WHAT [DIR]", "measure all that pages show, of one commit; check it",
     "WHAT is plan: what there is, and how long it took; run: the next parts, on this "
     "machine; or check: exit 1 where a figure has rows of another commit, build, host or "
     "GPU. " DIR_HELP "  results/EDITION says what belongs to it.",
     "edition check"},
    {"sql", "[QUERY]", "all results as a database: its tables, or an answer",
     "docs/DATABASE.md has the tables and ten questions.",
     "sql \"SELECT impl, mean_ms FROM current\""},
    {"draw", "FILE...", "what a figure draws, for gnuplot", "FILE is plots/NAME.sql.", NULL},
    {"env", "", "this machine and this build", NULL, NULL},
    {"doctor", "", "whether this machine can measure, and what stops it",
     "One screen of what was read now.  Exit status 1: something stops measuring, and the last "
     "line says "
     "what helps.",
     NULL},
    {"help", "[WHAT]", "a subcommand's own page; or exit, man, bash",
     "exit: the exit statuses.  man: a manual, for man -l -.  bash: completion, to be read "
     "with source.",
     "help run"},
};
#define N_SUBCOMMANDS (sizeof subcommands / sizeof *subcommands)

/* An argument's type, and its member of struct arguments. */
enum kind {
    IS_TEXT,
    IS_FLAG,
    IS_SHARE,
    MORE,
    LESS,
    DEVICE,
    ASSIGNMENT,
    RUNS,
    RUN,
    PIXELS,
    INSTEAD
};
#define TEXT(member)  IS_TEXT, offsetof(struct arguments, member)
#define FLAG(member)  IS_FLAG, offsetof(struct arguments, member)
#define SHARE(member) IS_SHARE, offsetof(struct arguments, member)

static const struct command_option {
    const char *subcommands; /* " run show "; NULL: all */
    char letter;             /* 0: none */
    const char *word;        /* "": none */
    const char *argument;    /* NULL: a flag */
    const char *help;        /* NULL: for this program alone */
    enum kind kind;
    size_t member;
} options[] = {
    {" list run show draw regress ", 'S', "", "KEY=VALUE",
     "set a key over the descriptor; may be repeated", ASSIGNMENT, 0},
    {" apply watch ", 'S', "", "KEY=VALUE", "set a key, as eps=4; may be repeated", ASSIGNMENT,
     0},
    {" list run show regress ", 'i', "", "GLOB,...", "only variants that match: -i 'rdp/gpu-*'",
     TEXT(glob)},
    {" list run show regress ", 'g', "", "GLOB,...",
     "only sections of the descriptor that match: -g street", TEXT(group)},
    {" regress ", 'e', "", "EXP,EXP", "what to run; default: each paper's regress",
     TEXT(config)},
    {" show ", 'f', "format", "FORMAT", "text (the default), csv or md", TEXT(format)},
    {" sql ", 'f', "format", "FORMAT", "text (the default), csv, md, html or json",
     TEXT(format)},
    {" compare regress ", 'f', "format", "FORMAT",
     "text (the default), csv, json, md, github, junit, bmf or openmetrics; several with "
     "commas, NAME=FILE to a file: docs/PIPELINES.md",
     TEXT(format)},
    {" history ", 'f', "format", "FORMAT", "text (the default), csv or json", TEXT(format)},
    {" show ", 0, "all", NULL, "all rows, not only the table that the paper prints", FLAG(all)},
    {" list ", 0, "all", NULL, "all of it, as -v", FLAG(all)},
    {" show report sql ", 'o', "", "FILE", "where the output goes; -: standard output",
     TEXT(output)},
    {" apply ", 'o', "", "CSV", "the result as a table; -: standard output", TEXT(output)},
    {" watch ", 'o', "", "DIR", "a table of each result, and DIR/frames.csv", TEXT(output)},
    {" watch ", 0, "frames", "DIR|-", "where they are; -: a pipe", TEXT(frames)},
    {" watch ", 0, "rate", "N|max", "frames a second; default 30, of a pipe as they come",
     TEXT(rate)},
    {" watch ", 0, "in-flight", "N", "frames that a GPU has in work at a time; default 1",
     TEXT(in_flight)},
    {" watch ", 0, "arrival", "queue|drop",
     "what a frame does that finds all of --in-flight in work: wait, or be lost",
     TEXT(arrival)},
    {" watch ", 0, "wake", "no|touch|rerun",
     "before a frame is due: use the GPU, or run the last frame again", TEXT(wake)},
    {" watch ", 0, "count", "N",
     "frames, the folder again and again; 0: until Ctrl-C, or 2147483647", TEXT(count)},
    {" draw ", 0, "out-dir", "DIR", "write DIR/NAME.tsv", TEXT(out_dir)},
    {" edition ", 0, "minutes", "N", "run: begin nothing after that; default 9", TEXT(minutes)},
    {" edition run doctor ", 0, "results", "DIR", "where rows go; default results/MACHINE",
     TEXT(results)},
    {" show sql draw ", 0, "results", "DIR", "folders, or names in results/, with commas",
     TEXT(results)},
    {" list run show apply ", 0, "peer", "FILE,...",
     "programs to measure beside the variants of their problem: docs/PEERS.md", TEXT(peers)},
    {" edition list run apply doctor regress ", 0, "data", "DIR",
     "data sets; default $DEPTHBENCH_DATA, else data", TEXT(data)},
    {" edition list run show regress ", 0, "quick", NULL,
     "few samples, 3 frames, one seed, no heights above 2048", FLAG(quick)},
    {" edition run ", 0, "references", "DIR",
     "keep references there, for further processes of this very build", TEXT(references)},
    {" run ", 0, "prepare", NULL, "make references in --references alone", FLAG(prepare)},
    {" run ", 0, "resume", NULL, "go on with the newest session of this very build",
     FLAG(resume)},
    {" run regress ", 0, "runs", "N", "N processes, one after the other (the same: -S runs=N)",
     RUNS, 0},
    {" run ", 0, "run", "I,GROUP", NULL, RUN, 0},
    {" run ", 0, "rank", "R/N|auto",
     "this process is rank R, from 0, of N that share the work; auto: as the launcher says: "
     "docs/CLUSTER.md",
     TEXT(rank)},
    {" run ", 0, "dry-run", NULL, "print the configurations, run nothing", FLAG(dry_run)},
    {" run ", 0, "verify-only", NULL, "verify outputs, take no times", FLAG(verify_only)},
    {" run ", 0, "realtime", NULL, "streams: SCHED_FIFO and locked memory, where you may",
     FLAG(realtime)},
    {" run ", 0, "profile", NULL, "one warm-up and one sample, for nsys and ncu",
     FLAG(profile)},
    {" edition run apply watch env doctor show report history regress ", 0, "device", "N",
     "which GPU", DEVICE, 0},
    {" edition run env ", 0, "host", "NAME", "which machine this is, instead of a hash",
     TEXT(host)},
    {" run apply list env doctor show report history ", 0, "sysroot", "DIR",
     "a made-up machine: its files and tools are below DIR", TEXT(sysroot)},
    {" run apply watch ", 0, "max-pixels", "N",
     "images of more pixels are refused; default 64000000", PIXELS, 0},
    {" apply ", 0, "picture", "PNG", "draw the result", TEXT(picture)},
    {" apply ", 0, "no-verify", NULL, "do not run the reference, too", FLAG(no_verify)},
    {" apply ", 0, "disparity", "IMAGE", "the image, instead of the second word",
     TEXT(disparity)},
    {" claims compare history regress ", 0, "csv", "FILE", "the table as CSV, too", TEXT(csv)},
    {" claims ", 0, "explain", "ID", "one claim, its rows and its arithmetic", TEXT(explain)},
    {" claims ", 0, "expect", "FILE", "write the verdicts there, as those to expect",
     TEXT(expect)},
    {" compare regress history ", 0, "floor", "2%", "a smaller change is none", SHARE(floor)},
    {" compare regress ", 0, "fdr", "0.05", "the share of false ones among those found",
     SHARE(fdr)},
    {" compare regress ", 0, "strict", NULL, "exit 3 when a configuration is unclear",
     FLAG(strict)},
    {" history ", 0, "strict", NULL, "exit 1 when a configuration became slower", FLAG(strict)},
    {" compare ", 0, "same", "HASH", NULL, TEXT(same)},
    {" compare ", 0, "suspects", "DIR", "descriptors of what needs more runs", TEXT(suspects)},
    {" regress ", 0, "keep", "DIR", "keep the processes' files in this folder, which is made",
     TEXT(suspects)},
    {" history ", 0, "of", "IMPL,K=V", "all points of one, as rdp/serial,height=1024",
     TEXT(config)},
    {" history ", 0, "past", "FILE", "write what is kept of these rows when they are deleted",
     TEXT(past)},
    {" report ", 0, "figures", "DIR", "DIR/MACHINE: what scripts/plot drew", TEXT(figures)},
    {" sql ", 0, "export", "FILE", "write all of it as an SQLite file", TEXT(export)},
    {" env ", 0, "machine", NULL, "only the machine's name", FLAG(machine)},
    {NULL, 'v', "", NULL, "say more", MORE, 0},
    {NULL, 'q', "", NULL, "say less", LESS, 0},
    {NULL, 'h', "help", NULL, "as depthbench help", INSTEAD, 0},
    {NULL, 'V', "version", NULL, "the version, and the commit that was built", INSTEAD, 0},
};
#define N_OPTIONS (sizeof options / sizeof *options)

static const char title[] =
    "benchmark and reproduction of stereo disparity compression on GPUs";
static const char exit_help[] =
    "0 done, also with skipped rows; 1 a wrong result, a verdict on a claim other\n"
    "than it expects, a slower configuration or another output, or doctor found what\n"
    "stops measuring, or check what is missing or odd; 2 usage, descriptor or input; 3 "
    "unclear, with --strict; 4 environment "
    "refused; 5 I/O, memory or\n"
    "device failure; 77 nothing could run; 130 interrupted, everything finished so\n"
    "far is kept.\n";

/* ---- the command line ---- */

static const struct subcommand *find_subcommand(const char *name)
{
    for (size_t i = 0; i < N_SUBCOMMANDS; i++)
        if (!strcmp(subcommands[i].name, name))
            return &subcommands[i];
    return NULL;
}

/* "-S", "--data"; of one that has both the word. */
static const char *spelt(const struct command_option *o, char spelling[32])
{
    const char letter[2] = {o->letter};

    snprintf(spelling, 32, "%s%s", *o->word ? "--" : "-", *o->word ? o->word : letter);
    return spelling;
}

static bool belongs(const struct command_option *option, const char *subcommand)
{
    char word[32];

    snprintf(word, sizeof word, " %s ", subcommand);
    return !option->subcommands || strstr(option->subcommands, word);
}

bool options_take(const char *subcommand, const char *option)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (!strcmp(options[i].word, option) && belongs(&options[i], subcommand))
            return true;
    return false;
}

/* "2%" or "0.02": above 0, below 1. */
static enum bench_status read_share(const char *name, const char *text, double *share)
{
    char *end;

    *share = strtod(text, &end);
    if (end != text && *end == '%') {
        *share /= 100;
        end++;
    }
    REFUSE_IF(!(end != text && !*end && *share > 0 && *share < 1),
              "--%s %s: expected a share, as 2%% or 0.02", name, text);
    return BENCH_OK;
}

enum bench_status options_number(const char *option, const char *text, int min, int max,
                                 const char * or, int *value)
{
    double number;

    if (!text)
        return BENCH_OK;
    REFUSE_IF(!text_to_number(text, &number) || number < min || number > max ||
                  number != (double)(int)number,
              "--%s %s: expected a whole number from %d to %d%s", option, text, min, max, or);
    *value = (int)number;
    return BENCH_OK;
}

static enum bench_status assign(struct arguments *a, const char *assignment)
{
    REFUSE_IF(a->n_assignments == MAX_ASSIGNMENTS, "more than %d -S options", MAX_ASSIGNMENTS);
    a->assignment[a->n_assignments++] = assignment;
    return BENCH_OK;
}

static enum bench_status take(const struct command_option *o, const char *text,
                              struct arguments *a)
{
    char *const member = (char *)a + o->member, spelling[32];
    int n = 0;

    switch (o->kind) {
    case IS_TEXT:
        REFUSE_IF(*(const char **)(void *)member, "%s is given twice", spelt(o, spelling));
        *(const char **)(void *)member = text;
        break;
    case IS_FLAG:
        *(bool *)member = true;
        break;
    case MORE:
        a->verbosity++;
        break;
    case LESS:
        a->verbosity--;
        break;
    case IS_SHARE:
        return read_share(o->word, text, (double *)(void *)member);
    case DEVICE:
        return options_number(o->word, text, 0, 1023, "", &a->device);
    case PIXELS:
        return options_number(o->word, text, 1, 1 << 30, "", &a->max_pixels);
    case ASSIGNMENT:
        return assign(a, text);
    case RUNS:
        TRY(options_number(o->word, text, 1, RECORD_MAX_RUNS, "", &n));
        snprintf(a->runs, sizeof a->runs, "runs=%d", n);
        return assign(a, a->runs);
    case RUN:
        a->run = (int)strtol(text, NULL, 10);
        a->run_group = strchr(text, ',');
        REFUSE_IF(a->run < 1 || !a->run_group || !*++a->run_group, "--run %s: expected I,GROUP",
                  text);
        break;
    case INSTEAD:
        a->subcommand = o->word;
        break;
    }
    return BENCH_OK;
}

/* " show report sql " as "show, report and sql" */
static void list_words(const char *words, char list[160])
{
    size_t n = 0;

    for (words++; *words; words += strcspn(words, " ") + 1) {
        const int n_word = (int)strcspn(words, " ");

        n += (size_t)snprintf(list + n, 160 - n, "%s%.*s",
                              n == 0              ? ""
                              : words[n_word + 1] ? ", "
                                                  : " and ",
                              n_word, words);
    }
}

/* An option may have several rows: what it says of itself differs. */
static bool is_same(const struct command_option *a, const struct command_option *b)
{
    return a->letter == b->letter && !strcmp(a->word, b->word);
}

/* True if a subcommand takes an option of problems: apply all, watch those of reading
 * frames. */
static bool takes_given(const char *subcommand, const char *name)
{
    return !strcmp(subcommand, "apply") ||
           (!strcmp(subcommand, "watch") &&
            (!strcmp(name, "camera") || !strcmp(name, "disparity-scale") ||
             !strcmp(name, "coding")));
}

/* Nothing that is said on a command line goes unheard. */
static enum bench_status check_belongs(const struct arguments *a, const bool *is_given)
{
    char list[160], spelling[32];

    for (size_t i = 0; i < N_OPTIONS; i++) {
        char words[160] = " ";
        bool has = !is_given[i];

        for (size_t k = 0; k < N_OPTIONS && is_given[i]; k++)
            if (is_same(&options[k], &options[i])) {
                has |= belongs(&options[k], a->subcommand);
                if (options[k].subcommands)
                    strncat(words, options[k].subcommands + 1,
                            sizeof words - strlen(words) - 1);
            }
        if (!has) {
            list_words(words, list);
            return BENCH_FAIL(BENCH_EINPUT, "%s is an option of %s",
                              spelt(&options[i], spelling), list);
        }
    }
    for (int i = 0; i < a->n_given; i++)
        REFUSE_IF(!takes_given(a->subcommand, a->given[i].name), "--%s is an option of apply%s",
                  a->given[i].name, takes_given("watch", a->given[i].name) ? " and watch" : "");
    return BENCH_OK;
}

/* 'wrong' says what was found. */
static enum bench_status expected_subcommand(const char *wrong)
{
    char words[160] = " ", list[160];
    struct nearest near = nearest_to(wrong);

    for (size_t i = 0, n = 1; i < N_SUBCOMMANDS; i++) {
        n += (size_t)snprintf(words + n, sizeof words - n, "%s ", subcommands[i].name);
        nearest_offer(&near, subcommands[i].name);
    }
    list_words(words, list);
    REFUSE_IF(near.best[0], "no subcommand '%s'%s", wrong, nearest_text(&near));
    REFUSE_IF(!*wrong, "expected a subcommand: one of %s", list);
    return BENCH_FAIL(BENCH_EINPUT, "no subcommand '%s': expected one of %s", wrong, list);
}

/* Refuses what getopt made '?' or ':' of: 'word' has it; 'all', without names at its end, are
 * the long options. */
static enum bench_status refuse_option(int c, const char *word, const struct option *all)
{
    const size_t n = strcspn(word, "=");
    char name[64];
    struct nearest near;
    int n_begun = 0;

    REFUSE_IF(strncmp(word, "--", 2) != 0,
              c == ':' ? "-%c: expected a value behind it"
                       : "no option -%c (depthbench help SUBCOMMAND lists them)",
              optopt);
    snprintf(name, sizeof name, "%.*s", (int)n - 2, word + 2);
    near = nearest_to(name);
    for (; all->name; all++) {
        nearest_offer(&near, all->name);
        n_begun += !strncmp(all->name, name, strlen(name));
        if (!strcmp(all->name, name) || (n_begun == 1 && !strncmp(all->name, name, n - 2)))
            c = c == ':' ? ':' : word[n] == '=' && all->has_arg == no_argument ? '=' : c;
    }
    return c == ':'   ? BENCH_FAIL(BENCH_EINPUT, "--%s: expected a value behind it", name)
           : c == '=' ? BENCH_FAIL(BENCH_EINPUT, "--%s takes no value, found %s", name, word)
                      : BENCH_FAIL(BENCH_EINPUT,
                                   "no option --%s%s (depthbench help SUBCOMMAND lists them)",
                                   name, nearest_text(&near));
}

enum bench_status options_parse(int argc, char **argv, struct arguments *a)
{
    struct option all[MAX_OPTIONS] = {0};
    char letters[2 * N_OPTIONS + 2] = ":"; /* and getopt says nothing itself */
    bool is_given[N_OPTIONS] = {false};
    int n = 0, c, at = 0;

    for (size_t i = 0; i < N_OPTIONS; i++) {
        const struct command_option *const o = &options[i];

        if (o->letter && !strchr(letters, o->letter))
            snprintf(letters + strlen(letters), 3, "%c%s", o->letter, o->argument ? ":" : "");
        if (*o->word && (i == 0 || !is_same(o, o - 1)))
            all[n++] = (struct option){o->word, o->argument ? required_argument : no_argument,
                                       NULL, 256 + (int)i};
    }
    for (int p = 0; bench_apps()[p]; p++)
        for (const struct bench_option *own = bench_apps()[p]->options; own && own->name; own++)
            if (n < MAX_OPTIONS - 1)
                all[n++] =
                    (struct option){own->name, required_argument, NULL, 256 + (int)N_OPTIONS};
    opterr = 0;
    *a = (struct arguments){.argv = argv, .device = -1, .floor = 0.02, .fdr = 0.05};
    while ((c = getopt_long(argc, argv, letters, all, &at)) != -1) {
        size_t i = c >= 256 ? (size_t)c - 256 : 0;

        if (c == '?' || c == ':')
            return refuse_option(c, argv[optind - 1], all);
        while (c < 256 && options[i].letter != c)
            i++;
        if (i < N_OPTIONS) {
            is_given[i] = true;
            TRY(take(&options[i], optarg, a));
        } else if (a->n_given < MAX_GIVEN) {
            a->given[a->n_given++] = (struct bench_given){all[at].name, optarg};
        } else {
            return BENCH_FAIL(BENCH_EINPUT, "more than %d options of problems", MAX_GIVEN);
        }
    }
    a->rest = argv + optind;
    a->n_rest = argc - optind;
    if (!a->subcommand && a->n_rest == 0)
        return expected_subcommand("");
    if (!a->subcommand) {
        a->subcommand = *a->rest++;
        a->n_rest--;
        if (!find_subcommand(a->subcommand))
            return expected_subcommand(a->subcommand);
    }
    return !strcmp(a->subcommand, "help") || !strcmp(a->subcommand, "version")
               ? BENCH_OK
               : check_belongs(a, is_given);
}

/* ---- help ---- */

void main_add_item(struct text *page, int indent, int column, const char *name,
                   const char *said, int width)
{
    const int n = indent + (int)strlen(name);

    text_format(page, "%*s%s", indent, "", name);
    if (n >= column)
        text_format(page, "\n%*s", column, "");
    else
        text_format(page, "%*s", column - n, "");
    text_wrap(page, said, column, column, width);
    text_add(page, "\n");
}

static void add_line(struct text *text, const char *what, const char *help)
{
    main_add_item(text, 2, HELP_COLUMN, what, help, HELP_WIDTH);
}

/* The options of problems, each once: "rdp, som: values per pixel". */
static void add_given(struct text *text, const char *subcommand,
                      void add(struct text *, const char *what, const char *help))
{
    for (int p = 0; bench_apps()[p]; p++)
        for (const struct bench_option *o = bench_apps()[p]->options; o && o->name; o++) {
            char what[64], help[160], of[64] = "";
            bool is_first = true;

            for (int k = 0; bench_apps()[k]; k++)
                for (const struct bench_option *s = bench_apps()[k]->options; s && s->name;
                     s++) {
                    if (strcmp(s->name, o->name) != 0 || strcmp(s->help, o->help) != 0)
                        continue;
                    is_first &= k >= p;
                    snprintf(of + strlen(of), sizeof of - strlen(of), "%s%s", *of ? ", " : "",
                             bench_apps()[k]->problem->name);
                }
            snprintf(what, sizeof what, "--%s %s", o->name, o->argument);
            snprintf(help, sizeof help, "%s: %s", of, o->help);
            if (is_first && takes_given(subcommand, o->name))
                add(text, what, help);
        }
}

/* Each option of a subcommand as 'add' has it, those of problems last; NULL: those that all
 * have.  'what' is "-S KEY=VALUE", "--data DIR" or "-h, --help". */
static void add_options(struct text *text, const char *subcommand,
                        void add(struct text *, const char *what, const char *help))
{
    char what[64], spelling[32];
    int n;

    for (const struct command_option *o = options; o < options + N_OPTIONS; o++) {
        if (!o->help ||
            (subcommand ? !o->subcommands || !belongs(o, subcommand) : o->subcommands != NULL))
            continue;
        n = o->letter && *o->word ? snprintf(what, sizeof what, "-%c, ", o->letter) : 0;
        snprintf(what + n, sizeof what - (size_t)n, "%s%s%s", spelt(o, spelling),
                 o->argument ? " " : "", o->argument ? o->argument : "");
        add(text, what, o->help);
    }
    if (subcommand)
        add_given(text, subcommand, add);
}

static void add_overview(struct text *text)
{
    text_format(text, "depthbench - %s\nFirst:\n", title);
    for (const struct subcommand *s = &subcommands[1]; s < &subcommands[4]; s++)
        text_format(text, "    depthbench %s\n", s->example);
    for (const struct subcommand *s = subcommands; s < subcommands + N_SUBCOMMANDS; s++) {
        char what[64];

        snprintf(what, sizeof what, "%s %s", s->name, s->words);
        add_line(text, what, s->help);
    }
    text_add(text, "Each has a page, as depthbench help run.  -v says more, -q less.\n");
}

static void add_paragraph(struct text *text, const char *words)
{
    text_wrap(text, words, 0, 0, HELP_WIDTH);
    text_add(text, "\n");
}

static void add_subcommand(struct text *text, const struct subcommand *s)
{
    text_format(text, "depthbench %s %s\n%s\n", s->name, s->words, s->help);
    if (s->more) {
        text_add(text, "\n");
        add_paragraph(text, s->more);
    }
    if (s->example)
        text_format(text, "\n    depthbench %s\n", s->example);
    text_add(text, "\n");
    add_options(text, s->name, add_line);
    add_options(text, NULL, add_line);
}

/* ---- man page, completion ---- */

/* Text for roff, where a line that begins with a dot or a quote is a request. */
static void add_roff(struct text *text, const char *plain)
{
    for (const char *at = plain; *at; at++) {
        if ((at == plain || at[-1] == '\n') && strchr(".'", *at))
            text_add(text, "\\&");
        text_add(text, strchr("-\\", *at) ? "\\" : "");
        text_bytes(text, at, 1);
    }
}

static void add_roff_item(struct text *text, const char *what, const char *help)
{
    text_add(text, ".TP\n.B \"");
    add_roff(text, what);
    text_add(text, "\"\n");
    add_roff(text, help);
    text_add(text, "\n");
}

static void add_man_page(struct text *text)
{
    text_format(
        text,
        ".TH DEPTHBENCH 1 %.10s \"depthbench %s\"\n.SH NAME\ndepthbench \\- %s\n.SH SYNOPSIS\n",
        bench_build()->commit_date, bench_build()->version, title);
    for (const struct subcommand *s = subcommands; s < subcommands + N_SUBCOMMANDS; s++)
        text_format(text, "%s.B depthbench %s\n%s%s", s > subcommands ? ".br\n" : "", s->name,
                    s->words, *s->words ? "\n" : "");
    for (const struct subcommand *s = subcommands; s < subcommands + N_SUBCOMMANDS; s++) {
        text_format(text, ".SH \"%s\"\n", s->name);
        add_roff(text, s->help);
        text_add(text, "\n");
        if (s->more) {
            text_add(text, ".PP\n");
            add_roff(text, s->more);
            text_add(text, "\n");
        }
        add_options(text, s->name, add_roff_item);
    }
    text_add(text, ".SH \"OPTIONS OF ALL\"\n");
    add_options(text, NULL, add_roff_item);
    text_add(text, ".SH \"EXIT STATUS\"\n");
    add_roff(text, exit_help);
}

static void add_word(struct text *text, const char *what, const char *help)
{
    (void)help;
    text_format(text, "%.*s ", (int)strcspn(what, " ,"), what);
}

/* Names of descriptors are read when they are asked for. */
static void add_completion(struct text *text)
{
    text_add(text, "_depthbench() {\n    local words\n    case ${COMP_WORDS[1]} in\n");
    for (const struct subcommand *s = subcommands; s < subcommands + N_SUBCOMMANDS; s++) {
        text_format(text, "    %s) words='", s->name);
        add_options(text, s->name, add_word);
        text_add(text, "'");
        if (!strncmp(s->words, "EXP", 3) || !strcmp(s->name, "list"))
            text_format(text,
                        "\n        words+=$(cd '%s/experiments' && printf '%%s\\n' */*.ini | "
                        "sed 's/\\.ini$//')",
                        bench_home());
        text_add(text, " ;;\n");
    }
    text_add(text, "    *) words='");
    for (const struct subcommand *s = subcommands; s < subcommands + N_SUBCOMMANDS; s++)
        text_format(text, "%s ", s->name);
    text_add(
        text,
        "' ;;\n    esac\n"
        "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n"
        "}\ncomplete -o default -F _depthbench depthbench\n");
}

enum bench_status options_help(const char *topic, struct text *text)
{
    const struct subcommand *const s = topic ? find_subcommand(topic) : NULL;

    if (!topic)
        add_overview(text);
    else if (s)
        add_subcommand(text, s);
    else if (!strcmp(topic, "exit"))
        text_add(text, exit_help);
    else if (!strcmp(topic, "man"))
        add_man_page(text);
    else if (!strcmp(topic, "bash"))
        add_completion(text);
    else
        return expected_subcommand(topic);
    return text_ok(text);
}

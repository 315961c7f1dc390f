/*
 * main_edition.c - `depthbench edition`: what is left of an edition, measuring it, and whether
 * all that figures show is of it
 *
 * This process measures nothing: each part of an edition is a `depthbench run` with --resume,
 * which a signal ends behind a configuration when time is up.  What it has come to stays.
 */
#include "harness/cli/main_private.h"

#include "harness/analysis/edition.h"
#include "harness/analysis/query.h"
#include "harness/base/build.h"
#include "harness/base/memory.h"
#include "harness/measure/device.h"
#include "harness/platform/process.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#define MOST_WORDS (24 + 2 * 2 * EDITION_MOST_SETTINGS)

/* ---- what there is ---- */

static enum bench_status read_edition(struct ini_file *edition)
{
    char path[4400];

    snprintf(path, sizeof path, "%s/EDITION", bench_results());
    return edition_read(path, edition);
}

static enum bench_status ask(const struct arguments *a, const struct ini_file *edition,
                             const char *machine, const char *folder, struct store **store)
{
    const struct store_files files = {
        .folder = &folder, .n_folders = 1, .may_be_missing = true};
    OWNED(listing_free) struct listing paths = {0};

    TRY(main_descriptors(&paths));
    TRY(store_read_files(&files, a->verbosity >= 0 ? stderr : NULL, store));
    return edition_ask(edition, machine, &paths, *store);
}

static enum bench_status add_plan(struct store *store, const struct arguments *a,
                                  struct text *page)
{
    OWNED(table_free) struct table plan = {0};
    double minutes = 0;

    TRY(query_table(store, "SELECT * FROM planned", &plan));
    for (int i = 0; i < plan.n_rows; i++)
        minutes += query_number(&plan, i, "minutes");
    table_render(&plan, TABLE_TERMINAL, main_width(a), page);
    text_format(page, "%d parts, %.0f minutes by the rows that are there\n", plan.n_rows,
                minutes);
    return BENCH_OK;
}

static enum bench_status add_findings(struct store *store, struct text *page, int *n)
{
    OWNED(table_free) struct table findings = {0};

    TRY(query_table(store, "SELECT name, what FROM finding", &findings));
    for (int i = 0; i < findings.n_rows; i++)
        text_format(page, "  %s: %s\n", query_text(&findings, i, "name"),
                    query_text(&findings, i, "what"));
    *n += findings.n_rows;
    return BENCH_OK;
}

/* Plans or checks the machines that the edition names, or that of the command line. */
static enum bench_status tell(const struct arguments *a, bool is_check)
{
    const char *const wanted = a->n_rest > 1 ? a->rest[1] : NULL;
    OWNED(ini_free) struct ini_file edition = {0};
    OWNED(text_free) struct text page = {0};
    const char *before = "";
    int n_findings = 0, n_machines = 0;

    TRY(read_edition(&edition));
    for (int i = 0; i < edition.n_facts; i++) {
        const char *const machine = edition.fact[i].section;
        OWNED(store_close) struct store *store = NULL;
        char folder[4400];

        if (!strcmp(machine, before) || !strcmp(machine, "edition") ||
            (wanted && strcmp(machine, listing_name(wanted)) != 0))
            continue;
        before = machine;
        n_machines++;
        snprintf(folder, sizeof folder, "%s/%.200s", bench_results(), machine);
        TRY(ask(a, &edition, machine, folder, &store));
        text_format(&page, "%s%s\n", n_machines > 1 ? "\n" : "", machine);
        TRY(is_check ? add_findings(store, &page, &n_findings) : add_plan(store, a, &page));
    }
    REFUSE_IF(n_machines == 0, "edition: expected a machine of %s, found '%s'", edition.path,
              wanted ? wanted : "none");
    REFUSE_IF(is_check && !ini_find(&edition, "edition", "commit"),
              "%s: expected commit = the one of all rows, found none: nothing is measured yet",
              edition.path);
    if (is_check && n_findings == 0)
        text_add(&page, "all that figures show is of the edition\n");
    TRY(text_print(&page, stdout));
    return n_findings ? BENCH_FAIL(BENCH_EMISMATCH, "edition: %d finding%s", n_findings,
                                   n_findings > 1 ? "s" : "")
                      : BENCH_OK;
}

/* ---- run ---- */

static double minutes_of_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec) / 60;
}

static void add_word(const char *word[MOST_WORDS], int *n, const char *option,
                     const char *argument)
{
    if (argument) {
        word[(*n)++] = option;
        word[(*n)++] = argument;
    }
}

/* The machine, which is opened for this alone: a GPU that is open here is not there for the
 * processes that measure. */
struct here {
    char machine[96], host[BENCH_MAX_HOST + 1], folder[4400];
    char group[100]; /* of all processes of this build on this GPU, over several calls */
};

static enum bench_status look(const struct arguments *a, struct here *here)
{
    OWNED(bench_env_close) struct bench_env env = {0};

    TRY(bench_env_open(a->device, a->sysroot, &env));
    TRY(a->host ? bench_env_set_host(&env, a->host) : BENCH_OK);
    snprintf(here->machine, sizeof here->machine, "%s", env.machine);
    snprintf(here->host, sizeof here->host, "%s", env.host);
    main_own_folder(&env, here->folder);
    if (a->results)
        snprintf(here->folder, sizeof here->folder, "%s", a->results);
    snprintf(here->group, sizeof here->group, "edition-%.8s-%.12s", env.build->hash,
             env.device ? bench_device_describe(env.device)->uuid : "cpu");
    return BENCH_OK;
}

/* The words that all processes of a part begin with.  'settings' has room for its keys. */
static int begin_words(const struct arguments *a, const struct table *part,
                       const struct here *here, char settings[TEXT_ELEMENT],
                       const char *word[MOST_WORDS])
{
    const char *const sections = query_text(part, 0, "sections");
    char *rest = settings;
    int n = 0;

    word[n++] = a->argv[0];
    word[n++] = "run";
    word[n++] = query_text(part, 0, "experiment");
    add_word(word, &n, "-g", *sections ? sections : NULL);
    add_word(word, &n, "--results", here->folder);
    add_word(word, &n, "--references", a->references);
    add_word(word, &n, "--data", a->data);
    add_word(word, &n, "--host", a->host);
    snprintf(settings, TEXT_ELEMENT, "%s", query_text(part, 0, "settings"));
    for (int i = 0; i < 2 * EDITION_MOST_SETTINGS; i++)
        add_word(word, &n, "-S", strtok_r(i ? NULL : settings, " ", &rest));
    if (a->quick)
        word[n++] = "--quick";
    return n;
}

/* All cores make the part's references at once, before anything is timed. */
static enum bench_status prepare(const struct arguments *a, const struct table *part,
                                 const struct here *here, double end)
{
    char settings[TEXT_ELEMENT];
    const char *word[MOST_WORDS];
    int n = begin_words(a, part, here, settings, word), code;

    word[n++] = "--prepare";
    word[n++] = "-q";
    word[n] = NULL;
    /* what is not made, the part makes */
    return main_start(word, 60 * fmax(0, end - minutes_of_clock()), &code);
}

/* One process of a part, until 'end'; *code is its exit status. */
static enum bench_status run_part(const struct arguments *a, const struct table *part,
                                  const struct here *here, double end, int *code)
{
    char settings[TEXT_ELEMENT];
    const char *word[MOST_WORDS];
    int n = begin_words(a, part, here, settings, word);
    char run[200], runs[40], device[20];

    snprintf(run, sizeof run, "--run=%.0f,%s", query_number(part, 0, "run"), here->group);
    snprintf(runs, sizeof runs, "runs=%.0f", query_number(part, 0, "processes"));
    word[n++] = run;
    word[n++] = "--resume";
    word[n++] = "-S";
    word[n++] = runs;
    snprintf(device, sizeof device, "%d", a->device);
    add_word(word, &n, "--device", a->device >= 0 ? device : NULL);
    for (int i = a->verbosity; i < 0; i++)
        word[n++] = "-q";
    word[n] = NULL;
    printf("%s, process %.0f\n", query_text(part, 0, "name"), query_number(part, 0, "run"));
    return main_start(word, 60 * fmax(0, end - minutes_of_clock()), code);
}

/* The build must be of a commit, and of that of the edition if it has one. */
static enum bench_status check_build(const struct arguments *a, const struct ini_file *edition)
{
    const struct ini_fact *const commit = ini_find(edition, "edition", "commit");
    const struct bench_build *const build = bench_build();

    REFUSE_IF(commit && strncmp(build->commit, commit->value, strlen(commit->value)) != 0,
              "%s:%d: the edition is of commit %s, this build of %.12s", edition->path,
              commit->line, commit->value, build->commit);
    REFUSE_IF(!build->is_clean && !a->quick,
              "edition run: expected a build of a commit, found one with changes beside it");
    return BENCH_OK;
}

/* The first process of a part behind 'after' that is left here; no row: there is none. */
static enum bench_status next_part(const struct arguments *a, const struct ini_file *edition,
                                   const struct here *here, const char *after,
                                   struct table *part)
{
    OWNED(store_close) struct store *store = NULL;
    struct text sql = {0};

    TRY(ask(a, edition, here->machine, here->folder, &store));
    query_add(&sql, "INSERT INTO here VALUES (%Q, %Q, %Q);", bench_build()->hash, here->host,
              here->group);
    TRY(query_run(store, &sql));
    query_add(&sql, "SELECT * FROM lacking WHERE printf('%%06d %%03d', part, run) > %Q LIMIT 1",
              after);
    return query_ask(store, &sql, part);
}

static bool has_time(double end)
{
    return minutes_of_clock() < end && !process_interrupts;
}

static enum bench_status run(const struct arguments *a)
{
    OWNED(ini_free) struct ini_file edition = {0};
    struct here here;
    char after[40] = "";
    double end = minutes_of_clock();
    int minutes = 9, code;

    TRY(options_number("minutes", a->minutes, 1, 10000, "", &minutes));
    end += minutes;
    TRY(read_edition(&edition));
    TRY(check_build(a, &edition));
    TRY(look(a, &here));
    process_take_signals(NULL, SA_RESTART);
    while (has_time(end)) {
        OWNED(table_free) struct table part = {0};

        TRY(next_part(a, &edition, &here, after, &part));
        if (part.n_rows == 0) {
            printf("nothing is left here\n");
            return BENCH_OK;
        }
        snprintf(after, sizeof after, "%06.0f %03.0f", query_number(&part, 0, "part"),
                 query_number(&part, 0, "run"));
        if (a->references && query_number(&part, 0, "run") == 1)
            TRY(prepare(a, &part, &here, end));
        if (!has_time(end))
            break;
        TRY(run_part(a, &part, &here, end, &code));
        FAIL_IF(code == 2 || code == 4, BENCH_EINPUT, "edition run: %s could not begin",
                query_text(&part, 0, "name"));
    }
    printf("time is up: the same again goes on\n");
    return BENCH_OK;
}

enum bench_status main_edition(const struct arguments *a)
{
    const int what = a->n_rest > 0 ? bench_choice("plan|run|check", a->rest[0]) : -1;

    REFUSE_IF(what<0, "edition: expected plan, run or check, found '%s'", a->n_rest> 0
                  ? a->rest[0]
                  : "nothing");
    REFUSE_IF(a->n_rest > 2, "edition %s: expected one machine, found %d", a->rest[0],
              a->n_rest - 1);
    return what == 1 ? run(a) : tell(a, what == 2);
}

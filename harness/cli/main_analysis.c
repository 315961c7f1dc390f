/*
 * main_analysis.c - the subcommands that judge records and measure nothing: claims, report,
 * compare, regress, history
 */
#include "harness/cli/main_private.h"

#include "harness/analysis/claims.h"
#include "harness/analysis/compare.h"
#include "harness/analysis/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Write --csv, unless what it says failed, and free it. */
static enum bench_status with_csv(const struct arguments *a, enum bench_status status,
                                  struct text *csv)
{
    if (a->csv && (!status || status == BENCH_EMISMATCH)) {
        const enum bench_status written = text_replace_file(a->csv, csv);

        status = written ? written : status;
    }
    text_free(csv);
    return status;
}

/* The folders that the command line has, each of another name.  listing_free(). */
static enum bench_status rest_folders(const struct arguments *a, struct listing *folders)
{
    enum bench_status status = BENCH_OK;

    *folders = (struct listing){0};
    for (int i = 0; i < a->n_rest && !status; i++) {
        char path[4400];
        char *name;

        status = main_results_there(a->rest[i], path);
        name = claim_machine_name(path);
        for (int k = 0; k < folders->n && !status; k++) {
            char *const other = claim_machine_name(folders->path[k]);

            if (name && other && !strcmp(name, other))
                status = BENCH_FAIL(BENCH_EINPUT, "%s: %s and %s are of one name",
                                    a->subcommand, folders->path[k], path);
            free(other);
        }
        free(name);
        if (!status)
            status = listing_add(folders, path);
    }
    return status;
}

/* ---- claims ---- */

static enum bench_status print_claims(const struct arguments *a, struct claims *claims,
                                      struct claim_machine *machines, int n_machines)
{
    const char *const no_color = getenv("NO_COLOR"); /* no-color.org */
    const struct claims_page page = {stdout, main_width(a),
                                     isatty(1) && !(no_color && *no_color)};
    struct text csv = {0};
    int n_changed;

    if (a->explain)
        return claims_explain(claims, a->explain, machines, n_machines, &page);
    if (!a->expect) {
        TRY(with_csv(
            a, claims_report(claims, machines, n_machines, &page, a->csv ? &csv : NULL), &csv));
        if (a->verbosity >= 0)
            printf("next: depthbench claims %s\n",
                   n_machines ? "--explain ID" : "MACHINE, by the rows of results/MACHINE");
        return BENCH_OK;
    }
    TRY(claims_write_expected(claims, machines, n_machines, a->expect, &n_changed));
    printf("%s: %d verdicts changed\n", a->expect, n_changed);
    return BENCH_OK;
}

/* Of the folders of the command line, or of all of results/, those that have rows; free_machines(). */
static enum bench_status read_machines(const struct arguments *a, bool is_all,
                                       struct claim_machine **machines, int *n)
{
    struct listing folders;
    enum bench_status status =
        is_all ? main_folders(a, NULL, &folders) : rest_folders(a, &folders);

    *n = 0;
    *machines = calloc((size_t)folders.n + 1, sizeof **machines);
    if (!status && !*machines)
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for machines");
    for (int i = 0; i < folders.n && !status; i++) {
        struct claim_machine *const one = &(*machines)[*n];

        if (main_is_read_anyway(folders.path[i]))
            continue;
        status = claim_machine_read(folders.path[i], stderr, one);
        if (status)
            break;
        if (store_n_measurements(one->store) > 0) {
            ++*n;
            continue;
        }
        claim_machine_free(one);
        if (!is_all)
            status = BENCH_FAIL(BENCH_EINPUT, "%s: expected a folder with results, found none",
                                folders.path[i]);
    }
    listing_free(&folders);
    return status;
}

static void free_machines(struct claim_machine *machines, int n)
{
    while (n > 0)
        claim_machine_free(&machines[--n]);
    free(machines);
}

/* What claims say, to the terminal; or into 'store': claims_tell(). */
static enum bench_status judge(const struct arguments *a, bool is_all, struct store *store)
{
    struct claim_machine *machines = NULL;
    struct claims claims;
    int n = 0;
    enum bench_status status = claims_read(bench_home(), store ? NULL : a->expect, &claims);

    if (!status)
        status = read_machines(a, is_all, &machines, &n);
    if (!status)
        status = store ? claims_tell(&claims, machines, n, store)
                       : print_claims(a, &claims, machines, n);
    free_machines(machines, n);
    claims_free(&claims);
    return status;
}

enum bench_status main_claims(const struct arguments *a)
{
    return judge(a, a->explain && a->n_rest == 0, NULL);
}

enum bench_status main_judge(const struct arguments *a, struct store *store)
{
    return judge(a, true, store);
}

/* ---- report ---- */

static bool is_told(char *folder)
{
    return !main_is_read_anyway(folder);
}

enum bench_status main_report(const struct arguments *a, struct bench_env *env)
{
    struct listing folders = {0};
    char path[4500];
    struct text page = {0};
    enum bench_status status;

    if (a->n_rest > 0) {
        status = rest_folders(a, &folders);
        if (!status && folders.n > 1)
            listing_keep(&folders, is_told);
        if (!status && folders.n == 0)
            status =
                BENCH_FAIL(BENCH_EINPUT, "report: expected a folder with results, found none");
    } else { /* without rows it has a page, too */
        main_own_folder(env, path);
        status = listing_add(&folders, path);
        if (!status)
            status = text_make_folder(path);
    }
    if (!status && a->figures && !main_is_folder(a->figures))
        status = BENCH_FAIL(BENCH_EINPUT, "%s: expected a folder with figures, found none",
                            a->figures);
    snprintf(path, sizeof path, "%.4400s/report.html",
             folders.n == 1 ? folders.path[0] : bench_results());
    if (!status)
        status = report_page((const char *const *)folders.path, folders.n, a->figures, &page);
    if (!status && a->output && !strcmp(a->output, "-")) {
        status = text_print(&page, stdout);
    } else if (!status) {
        status = text_replace_file(a->output ? a->output : path, &page);
        if (!status && a->verbosity >= 0)
            printf("%s\n", a->output ? a->output : path);
    }
    text_free(&page);
    listing_free(&folders);
    return status;
}

/* ---- compare, regress, history ---- */

/* To a file, or to standard output where 'path' is NULL; freed. */
static enum bench_status put(const char *path, enum bench_status status, struct text *text)
{
    if (!status)
        status = text_ok(text);
    if (!status && path) {
        text_clean(text->data, text->size, "\n\t");
        status = text_replace_file(path, text);
    } else if (!status) {
        status = text_print(text, stdout);
    }
    text_free(text);
    return status;
}

/* Where the runner of a workflow looks for Markdown: behind what others wrote there. */
static enum bench_status add_summary(struct store *store)
{
    const char *const path = getenv("GITHUB_STEP_SUMMARY");
    FILE *const file = path && *path ? fopen(path, "a") : NULL;
    struct text page = {0};
    enum bench_status status;

    if (!path || !*path)
        return BENCH_OK;
    if (!file)
        return BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", path, strerror(errno));
    status = compare_print(store, "md", &page);
    if (!status)
        status = text_print(&page, file);
    text_free(&page);
    if (fclose(file) && !status)
        status = BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", path, strerror(errno));
    return status;
}

/* Each "NAME" or "NAME=FILE" of --format; 'store' NULL: only whether there are such formats. */
static enum bench_status print_formats(const struct arguments *a, struct store *store)
{
    char *const list = strdup(a->format ? a->format : "text"), *rest = list;
    enum bench_status status =
        list ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "out of memory for formats");

    for (char *file; rest && !status;) {
        const char *const name = strsep(&rest, ",");
        struct text text = {0};

        if ((file = strchr(name, '=')))
            *file++ = '\0';
        status = compare_has_format(name);
        if (!status && file && !*file)
            status =
                BENCH_FAIL(BENCH_EINPUT, "--format %s=: expected the name of a file", name);
        if (!store || status)
            continue;
        status = put(file, compare_print(store, name, &text), &text);
        if (!status && !strcmp(name, "github"))
            status = add_summary(store);
    }
    free(list);
    return status;
}

static enum bench_status print_csv(const struct arguments *a, struct store *store)
{
    struct text csv = {0};

    return a->csv ? put(a->csv, compare_print(store, "csv", &csv), &csv) : BENCH_OK;
}

enum bench_status main_compare(const struct arguments *a, bool *unclear)
{
    const struct compare_request request = {.side = (const char *const *)a->rest,
                                            .n_sides = a->n_rest,
                                            .same_build = a->same,
                                            .floor = a->floor,
                                            .fdr = a->fdr,
                                            .all = a->verbosity > 0,
                                            .notes = stderr};
    struct store *store;
    struct text line = {0};
    enum bench_status status;

    *unclear = false;
    if (a->n_rest != 2 && a->n_rest != 4)
        return BENCH_FAIL(BENCH_EINPUT,
                          "compare: expected BASE HEAD (and BASE HEAD of a first stage), found "
                          "%d arguments",
                          a->n_rest);
    TRY(print_formats(a, NULL));
    TRY(compare_read(&request, &store));
    if (a->suspects)
        status = put(NULL, compare_suspects(store, a->suspects, &line), &line);
    else
        status = print_formats(a, store);
    if (!status && !a->suspects)
        status = print_csv(a, store);
    if (!status && !a->suspects)
        status = compare_outcome(store, unclear);
    *unclear &= a->strict;
    store_close(store);
    return status;
}

/* A program of scripts/ takes the place of this one: it starts others, a judge does not. */
enum bench_status main_regress(const struct arguments *a)
{
    char **const argv = a->argv;
    const size_t n_before = (size_t)(a->rest - 1 - argv); /* of the word "regress" */
    char path[4400], self[4096];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    TRY(print_formats(a, NULL)); /* before minutes of building */
    if (bench_is_installed())
        return BENCH_FAIL(BENCH_EINPUT,
                          "regress: expected a checkout, whose commits it builds, found %s; "
                          "DEPTHBENCH_HOME names one",
                          bench_home());
    snprintf(path, sizeof path, "%s/scripts/regress", bench_home());
    memmove(argv + 2, argv + 1, (n_before - 1) * sizeof *argv);
    argv[1] = path;
    if (n > 0) { /* this program judges */
        self[n] = '\0';
        setenv("DEPTHBENCH", self, 1);
    }
    execv(path, argv + 1);
    return BENCH_FAIL(BENCH_EIO, "%s: cannot be started: %s", path, strerror(errno));
}

/* A folder, or the name of a machine that has one in results/; else this machine's. */
static enum bench_status history_folder(const struct arguments *a, char folder[4400])
{
    struct bench_env env = {0};
    enum bench_status status;

    if (a->n_rest > 1)
        return BENCH_FAIL(BENCH_EINPUT, "history: expected one folder or machine, found %d",
                          a->n_rest);
    if (a->n_rest == 1)
        return main_results_there(a->rest[0], folder);
    status = bench_env_open(a->device, a->sysroot, &env);
    main_own_folder(&env, folder);
    bench_env_close(&env);
    return status;
}

enum bench_status main_history(const struct arguments *a)
{
    struct store *store;
    struct text page = {0};
    char folder[4400];
    enum bench_status status;

    if (!a->config)
        return BENCH_FAIL(BENCH_EINPUT, "history: expected --of IMPL,KEY=VALUE,...");
    TRY(history_folder(a, folder));
    TRY(history_read(folder, a->config, a->verbosity >= 0 ? stderr : NULL, &store));
    status = put(NULL, compare_print(store, "text", &page), &page);
    if (!status)
        status = print_csv(a, store);
    store_close(store);
    return status;
}

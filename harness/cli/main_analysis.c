/*
 * main_analysis.c - the subcommands that judge records and measure nothing: claims, report,
 * compare, regress, history, check
 */
#include "harness/cli/main_private.h"

#include "harness/analysis/check.h"
#include "harness/analysis/claims.h"
#include "harness/analysis/compare.h"
#include "harness/analysis/query.h"
#include "harness/analysis/report.h"
#include "harness/base/memory.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folders that the command line has, each of another name.  listing_free(). */
static enum bench_status rest_folders(const struct arguments *a, struct listing *folders)
{
    for (int i = 0; i < a->n_rest; i++) {
        char path[4400];
        OWNED(memory_free) char *name = NULL;

        TRY(main_results_there(a->rest[i], path));
        name = claim_machine_name(path);
        for (int k = 0; k < folders->n; k++) {
            OWNED(memory_free) char *other = claim_machine_name(folders->path[k]);

            REFUSE_IF(name && other && !strcmp(name, other), "%s: %s and %s are of one name",
                      a->subcommand, folders->path[k], path);
        }
        TRY(listing_add(folders, path));
    }
    return BENCH_OK;
}

/* ---- claims ---- */

static enum bench_status print_claims(const struct arguments *a, struct claims *claims)
{
    const char *const no_color = getenv("NO_COLOR"); /* no-color.org */
    const struct claims_page page = {stdout, main_width(a),
                                     isatty(1) && !(no_color && *no_color)};
    OWNED(text_free) struct text csv = {0};
    enum bench_status status;
    int n_changed;

    if (a->explain)
        return claims_explain(claims, a->explain, &page);
    if (!a->expect) {
        status = claims_report(claims, &page, a->csv ? &csv : NULL);
        if (a->csv && (!status || status == BENCH_EMISMATCH))
            TRY(text_replace_file(a->csv, &csv));
        TRY(status);
        if (a->verbosity >= 0)
            printf("next: depthbench claims %s\n",
                   claims->machine.n_rows ? "--explain ID"
                                          : "MACHINE, by the rows of results/MACHINE");
        return BENCH_OK;
    }
    TRY(claims_write_expected(claims, a->expect, &n_changed));
    printf("%s: %d verdicts changed\n", a->expect, n_changed);
    return BENCH_OK;
}

static bool is_told(char *folder)
{
    return !main_is_read_anyway(folder);
}

/* Judges claims by the folders of the command line, or by all of results/: to the terminal, or
 * into 'store' by claims_tell(). */
static enum bench_status judge(const struct arguments *a, bool is_all, struct store *store)
{
    OWNED(listing_free) struct listing folders = {0};
    OWNED(claims_free) struct claims claims = {0};
    OWNED(table_free) struct table empty = {0};

    TRY(is_all ? main_folders(a, NULL, &folders) : rest_folders(a, &folders));
    listing_keep(&folders, is_told);
    TRY(claims_open(&(struct claims_files){bench_home(), store ? NULL : a->expect,
                                           (const char *const *)folders.path, folders.n, stderr,
                                           false},
                    &claims));
    TRY(claims_add(&claims));
    TRY(query_table(
        claims.store,
        "SELECT path FROM folder WHERE results NOT IN (SELECT machine FROM machine)", &empty));
    REFUSE_IF(!is_all && empty.n_rows > 0, "%s: expected a folder with results, found none",
              empty.cell->text);
    return store ? claims_tell(&claims, store) : print_claims(a, &claims);
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

enum bench_status main_report(const struct arguments *a, struct bench_env *env)
{
    OWNED(listing_free) struct listing folders = {0};
    OWNED(text_free) struct text page = {0};
    const bool is_printed = a->output && !strcmp(a->output, "-");
    char path[4500];

    if (a->n_rest > 0) {
        TRY(rest_folders(a, &folders));
        if (folders.n > 1)
            listing_keep(&folders, is_told);
        REFUSE_IF(folders.n == 0, "report: expected a folder with results, found none");
    } else { /* without rows it has a page, too */
        main_own_folder(env, path);
        TRY(listing_add(&folders, path));
        TRY(text_make_folder(path));
    }
    REFUSE_IF(a->figures && !main_is_folder(a->figures),
              "%s: expected a folder with figures, found none", a->figures);
    snprintf(path, sizeof path, "%.4400s/report.html",
             folders.n == 1 ? folders.path[0] : bench_results());
    TRY(report_page((const char *const *)folders.path, folders.n, a->figures, &page));
    TRY(main_put(a->output ? a->output : path, &page));
    if (!is_printed && a->verbosity >= 0)
        printf("%s\n", a->output ? a->output : path);
    return BENCH_OK;
}

/* ---- compare, regress, history ---- */

static enum bench_status put_as(const char *path, struct store *store, const char *format)
{
    OWNED(text_free) struct text text = {0};

    TRY(compare_print(store, format, &text));
    return main_put(path, &text);
}

/* Appends Markdown to the file where the runner of a workflow looks for it. */
static enum bench_status add_summary(struct store *store)
{
    const char *const path = getenv("GITHUB_STEP_SUMMARY");
    FILE *const file = path && *path ? fopen(path, "a") : NULL;
    OWNED(text_free) struct text page = {0};
    enum bench_status status;

    if (!path || !*path)
        return BENCH_OK;
    FAIL_IF(!file, BENCH_EIO, "%s: cannot be written: %s", path, strerror(errno));
    status = compare_print(store, "md", &page);
    if (!status)
        status = text_print(&page, file);
    if (fclose(file) && !status)
        status = BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", path, strerror(errno));
    return status;
}

/* Each "NAME" or "NAME=FILE" of --format; 'store' NULL: only whether there are such formats. */
static enum bench_status print_formats(const struct arguments *a, struct store *store)
{
    const char *rest = a->format ? a->format : "text";
    char element[TEXT_ELEMENT];

    for (char *name, *file; (name = text_next(&rest, element));) {
        if ((file = strchr(name, '=')))
            *file++ = '\0';
        TRY(compare_has_format(name));
        REFUSE_IF(file && !*file, "--format %s=: expected the name of a file", name);
        if (store)
            TRY(put_as(file, store, name));
        if (store && !strcmp(name, "github"))
            TRY(add_summary(store));
    }
    return BENCH_OK;
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
    OWNED(store_close) struct store *store = NULL;
    OWNED(text_free) struct text line = {0};

    *unclear = false;
    REFUSE_IF(a->n_rest != 2 && a->n_rest != 4,
              "compare: expected BASE HEAD (and BASE HEAD of a first stage), found "
              "%d arguments",
              a->n_rest);
    TRY(print_formats(a, NULL));
    TRY(compare_read(&request, &store));
    if (a->suspects) {
        TRY(compare_suspects(store, a->suspects, &line));
        return main_put(NULL, &line);
    }
    TRY(print_formats(a, store));
    if (a->csv)
        TRY(put_as(a->csv, store, "csv"));
    TRY(compare_outcome(store, unclear));
    *unclear &= a->strict;
    return BENCH_OK;
}

/* A program of scripts/ takes the place of this one: it starts others, a judge does not. */
enum bench_status main_regress(const struct arguments *a)
{
    char **const argv = a->argv;
    const size_t n_before = (size_t)(a->rest - 1 - argv); /* of the word "regress" */
    char path[4400], self[4096];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    TRY(print_formats(a, NULL)); /* before minutes of building */
    REFUSE_IF(bench_is_installed(),
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
    OWNED(bench_env_close) struct bench_env env = {0};

    REFUSE_IF(a->n_rest > 1, "history: expected one folder or machine, found %d", a->n_rest);
    if (a->n_rest == 1)
        return main_results_there(a->rest[0], folder);
    TRY(bench_env_open(a->device, a->sysroot, &env));
    main_own_folder(&env, folder);
    return BENCH_OK;
}

enum bench_status main_history(const struct arguments *a)
{
    const char *const format = a->format ? a->format : "text";
    OWNED(store_close) struct store *store = NULL;
    char folder[4400];

    REFUSE_IF(strcmp(format, "text") != 0 && strcmp(format, "csv") != 0 &&
                  strcmp(format, "json") != 0,
              "history -f %s: expected text, csv or json", format);
    REFUSE_IF(a->past && a->config,
              "history --past: expected all configurations, without --of");
    TRY(history_folder(a, folder));
    TRY(history_read(folder, a->config, a->floor, a->verbosity >= 0 ? stderr : NULL, &store));
    if (a->past) {
        OWNED(table_free) struct table rows = {0};
        OWNED(text_free) struct text csv = {0};

        TRY(query_table(store, "SELECT * FROM kept", &rows));
        table_render(&rows, TABLE_CSV, 0, &csv);
        return main_put(a->past, &csv);
    }
    TRY(put_as(NULL, store, format));
    if (a->csv)
        TRY(put_as(a->csv, store, "csv"));
    return a->strict ? compare_outcome(store, NULL) : BENCH_OK;
}

/* ---- check ---- */

#define LINE   2000 /* of a finding, however long, if there is no terminal */
#define INDENT 2

enum bench_status main_check(const struct arguments *a)
{
    OWNED(table_free) struct table findings = {0};
    OWNED(text_free) struct text page = {0};
    OWNED(text_free) struct text told = {0};
    const int n = a->n_rest;

    REFUSE_IF(n == 0, "check: expected folders of sessions, as results/MACHINE");
    TRY(check_folders((const char *const *)a->rest, n, &findings, &told));
    for (int i = 0; i < findings.n_rows; i++) {
        const struct table_cell *const cell = findings.cell + (ptrdiff_t)i * findings.n_columns;
        OWNED(text_free) struct text line = {0};

        text_format(&line, "%s: %s", cell[0].text ? cell[0].text : "",
                    cell[1].text ? cell[1].text : "");
        if (line.data)
            text_wrap(&page, line.data, 0, INDENT, isatty(1) ? main_width(a) : LINE);
        text_add(&page, "\n");
    }
    if (!findings.n_rows)
        text_add(&page, told.data ? told.data : "");
    TRY(text_print(&page, stdout));
    return findings.n_rows ? BENCH_FAIL(BENCH_EMISMATCH, "check: %d findings", findings.n_rows)
                           : BENCH_OK;
}

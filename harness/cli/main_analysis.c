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

/* ---- claims ---- */

static enum bench_status judge_claims(const struct arguments *a, struct claims *claims,
                                      struct claim_machine *machines)
{
    struct text csv = {0};
    int n_changed;

    if (a->explain)
        return claims_explain(claims, a->explain, machines, a->n_rest, stdout);
    if (!a->expect)
        return with_csv(
            a, claims_report(claims, machines, a->n_rest, stdout, a->csv ? &csv : NULL), &csv);
    TRY(claims_write_expected(claims, machines, a->n_rest, a->expect, &n_changed));
    printf("%s: %d verdicts changed\n", a->expect, n_changed);
    return BENCH_OK;
}

/* Of what was asked for there is something. */
static enum bench_status read_machine(const char *folder, struct claim_machine *machine)
{
    TRY(claim_machine_read(folder, stderr, machine));
    if (store_n_measurements(machine->store) > 0)
        return BENCH_OK;
    claim_machine_free(machine);
    return BENCH_FAIL(BENCH_EINPUT, "%s: expected a folder with results, found none", folder);
}

enum bench_status main_claims(const struct arguments *a)
{
    struct claim_machine machines[MAX_FOLDERS];
    struct claims claims;
    int n_machines = 0;
    enum bench_status status;

    if (a->n_rest > MAX_FOLDERS)
        return BENCH_FAIL(BENCH_EINPUT, "claims: expected at most %d results folders, found %d",
                          MAX_FOLDERS, a->n_rest);
    status = claims_read(bench_home(), a->expect, &claims);
    for (int i = 0; i < a->n_rest && !status; i++) {
        for (int k = 0; k < i && !status; k++)
            if (text_same_file(a->rest[i], a->rest[k]))
                status = BENCH_FAIL(BENCH_EINPUT, "claims: %s and %s are one folder",
                                    a->rest[k], a->rest[i]);
        if (!status)
            status = read_machine(a->rest[i], &machines[i]);
        n_machines += !status;
        for (int k = 0; k < i && !status; k++)
            if (!strcmp(machines[i].name, machines[k].name))
                status = BENCH_FAIL(BENCH_EINPUT, "claims: %s and %s have one name", a->rest[k],
                                    a->rest[i]);
    }
    if (!status)
        status = judge_claims(a, &claims, machines);
    while (n_machines > 0)
        claim_machine_free(&machines[--n_machines]);
    claims_free(&claims);
    return status;
}

/* ---- report ---- */

enum bench_status main_report(const struct arguments *a, struct bench_env *env)
{
    char own[4300], path[4400];
    const char *const folder = a->n_rest ? a->rest[0] : own;
    struct text page = {0};
    enum bench_status status;

    if (a->n_rest > 1)
        return BENCH_FAIL(BENCH_EINPUT, "report: expected one results folder, found %d",
                          a->n_rest);
    if (a->figures && !main_is_folder(a->figures))
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected a folder with figures, found none",
                          a->figures);
    snprintf(own, sizeof own, "%s/results/%s", bench_home(), env->machine);
    if (a->n_rest == 0) /* without rows it has a page, too */
        TRY(text_make_folder(own));
    snprintf(path, sizeof path, "%s/report.html", folder);
    status = report_page(folder, a->figures, &page);
    if (!status && a->output && !strcmp(a->output, "-")) {
        status = text_print(&page, stdout);
    } else if (!status) {
        status = text_replace_file(a->output ? a->output : path, &page);
        if (!status && a->verbosity >= 0)
            printf("%s\n", a->output ? a->output : path);
    }
    text_free(&page);
    return status;
}

/* ---- compare, regress, history ---- */

/* A report that SQL wrote. */
static enum bench_status print_page(const struct arguments *a, struct store *store)
{
    struct text csv = {0};

    return with_csv(a, compare_print(store, stdout, a->csv ? &csv : NULL), &csv);
}

enum bench_status main_compare(const struct arguments *a, bool *unclear)
{
    const struct compare_request request = {.side = (const char *const *)a->rest,
                                            .n_sides = a->n_rest,
                                            .floor = a->floor,
                                            .fdr = a->fdr,
                                            .all = a->verbosity > 0,
                                            .notes = stderr};
    struct store *store;
    enum bench_status status;

    *unclear = false;
    if (a->n_rest != 2 && a->n_rest != 4)
        return BENCH_FAIL(BENCH_EINPUT,
                          "compare: expected BASE HEAD (and BASE HEAD of a first stage), found "
                          "%d arguments",
                          a->n_rest);
    TRY(compare_read(&request, &store));
    status = a->suspects ? compare_suspects(store, a->suspects, stdout) : print_page(a, store);
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
    if (a->n_rest == 1) {
        main_results(a->rest[0], folder);
        return BENCH_OK;
    }
    status = bench_env_open(a->device, a->sysroot, &env);
    snprintf(folder, 4400, "%s/results/%s", bench_home(), env.machine);
    bench_env_close(&env);
    return status;
}

enum bench_status main_history(const struct arguments *a)
{
    struct store *store;
    char folder[4400];
    enum bench_status status;

    if (!a->config)
        return BENCH_FAIL(BENCH_EINPUT, "history: expected --of IMPL,KEY=VALUE,...");
    TRY(history_folder(a, folder));
    TRY(history_read(folder, a->config, a->verbosity >= 0 ? stderr : NULL, &store));
    status = print_page(a, store);
    store_close(store);
    return status;
}

/* main_private.h - what the files of the command line share: the subcommands that main.c
 * calls */
#ifndef BENCH_MAIN_PRIVATE_H
#define BENCH_MAIN_PRIVATE_H

#include "harness/suite/env.h"
#include "harness/suite/experiment.h"
#include "harness/base/listing.h"
#include "harness/cli/options.h"
#include "harness/base/status.h"
#include "harness/base/text.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FOLDERS 16

struct store;

static inline bool main_is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static inline const char *main_data_folder(const struct arguments *a)
{
    const char *data = getenv("DEPTHBENCH_DATA");

    return a->data ? a->data : data && *data ? data : "data";
}

/* ---- main_apply.c ---- */

enum bench_status main_apply(const struct arguments *a, struct bench_env *env);

/* ---- main_runs.c ---- */

/* Have SIGINT, SIGTERM and SIGHUP as 'action' says; SIGHUP stays ignored below nohup.  *taken:
 * which of them that were. */
void main_take_signals(const struct sigaction *action, sigset_t *taken);

/* Start this very command line 'n_runs' times, one after the other, each as "--run=I,GROUP".
 * *code is the exit status of the first that is not 0.  A run that could not begin, or was
 * interrupted, is the last. */
enum bench_status main_repeat(int argc, char **argv, int n_runs, int *code);

/* ---- main_sql.c ---- */

enum bench_status main_sql(const struct arguments *a);
enum bench_status main_draw(const struct arguments *a);
/* BENCH_ESKIP where no printed fact of --beside is known of the machine. */
enum bench_status main_beside(const struct arguments *a);
/* A results folder, or one of that name in results/. */
void main_results(const char *name, char path[4400]);
/* What the folders of --results have; without it what results/MACHINE has, or all of results/
 * where 'machine' is NULL; of draw: nothing. */
enum bench_status main_read(const struct arguments *a, const char *machine,
                            struct store **store);
/* Columns of the terminal; 80 of what is none. */
int main_width(const struct arguments *a);

/* ---- main_analysis.c: BENCH_EMISMATCH where what was judged is not as it should be ---- */

enum bench_status main_claims(const struct arguments *a);
enum bench_status main_report(const struct arguments *a, struct bench_env *env);
/* *unclear: with --strict, some configuration could not be decided. */
enum bench_status main_compare(const struct arguments *a, bool *unclear);
enum bench_status main_history(const struct arguments *a);
/* Returns only where scripts/regress cannot be started. */
enum bench_status main_regress(const struct arguments *a);

#endif

/* main_private.h - what the files of the command line share: the subcommands that main.c
 * calls */
#ifndef BENCH_MAIN_PRIVATE_H
#define BENCH_MAIN_PRIVATE_H

#include "harness/analysis/store.h"
#include "harness/suite/env.h"
#include "harness/suite/experiment.h"
#include "harness/suite/forecast.h"
#include "harness/base/listing.h"
#include "harness/cli/options.h"
#include "harness/base/status.h"
#include "harness/base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
/* Read -S: keys of the variant, its problem and the app, with defaults for the rest.  *threads
 * changes if there is -S threads=N. */
enum bench_status main_apply_params(const struct arguments *a, const struct bench_app *app,
                                    const struct bench_impl *impl, struct bench_params *params,
                                    int *threads);

/* ---- main_watch.c ---- */

enum bench_status main_watch(const struct arguments *a, struct bench_env *env);

/* ---- main_runs.c ---- */

/* Start this program with these words, the first its name, and wait; after limit_s (below 0:
 * never) SIGINT ends it behind a configuration.  *code is its exit status. */
enum bench_status main_start(const char *const *words, double limit_s, int *code);

/* Start this very command line 'n_runs' times, one after the other, each as "--run=I,GROUP".
 * *code is the exit status of the first that is not 0.  A run that could not begin, or was
 * interrupted, is the last. */
enum bench_status main_repeat(int argc, char **argv, int n_runs, int *code);

/* The same for each core at once, as "--rank=I/N": references.  A run makes what is lacking. */
enum bench_status main_prepare(int argc, char **argv);

/* ---- main_names.c ---- */

/* The names of all experiments, "rdp/fig9", paper by paper; their descriptors.
 * listing_free(). */
enum bench_status main_experiments(struct listing *names);
enum bench_status main_descriptors(struct listing *paths);
/* Add the peers of --peer and those of experiments/peers that have another name. */
enum bench_status main_peers(const struct arguments *a);
/* The variant of a name: BENCH_EINPUT. */
enum bench_status main_variant(const char *name, const struct bench_impl **impl);
/* BENCH_ESKIP if this build lacks the variant, or there is no GPU for it. */
enum bench_status main_check_variant(const struct bench_impl *impl,
                                     const struct bench_env *env);
/* "rdp/fig9" or a path, with the options -S, -i, -g, --quick and what else a command line says
 * of it; the caller frees it.  BENCH_EINPUT. */
enum bench_status main_experiment(const struct arguments *a, const char *name,
                                  struct bench_experiment *experiment);
/* If the experiment is empty: BENCH_EINPUT by -i, BENCH_ESKIP by --quick, with a sentence. */
enum bench_status main_check_empty(const struct arguments *a, const char *name,
                                   const struct bench_experiment *experiment);
/* A results folder, or one of that name in results/, which must be there.  BENCH_EINPUT. */
enum bench_status main_results_there(const char *name, char path[4400]);
/* True for what results/ has beside folders of machines, which `results/` with a star names,
 * too: files, and the papers' numbers.  They are read whatever is asked for. */
bool main_is_read_anyway(const char *path);
/* Folders of results: of --results, else results/MACHINE, else all of results/.
 * listing_free(). */
enum bench_status main_folders(const struct arguments *a, const char *machine,
                               struct listing *folders);
/* The machines' folders in one as results/ is: each but that of the papers.  listing_free(). */
enum bench_status main_machines(const char *root, struct listing *folders);
/* This machine's folder for rows. */
void main_own_folder(const struct bench_env *env, char path[4400]);

/* ---- main_list.c ---- */

enum bench_status main_list(const struct arguments *a);
/* "  22 skipped: input kitti-sgm: ...", a line or more for each reason. */
void main_add_reasons(struct text *page, const char *what, const struct bench_reasons *reasons,
                      int width);
/* Add how long sampling takes by the plans' limits, now and with --quick. */
void main_add_times(struct text *page, const struct arguments *a, const char *name,
                    struct bench_env *env, const struct bench_forecast *forecast);

/* ---- main.c ---- */

/* A line each; with its section before it where 'sections' is " ". */
void main_add_configs(struct text *page, const struct bench_experiment *e,
                      const char *sections);

/* ---- main_sql.c ---- */

enum bench_status main_sql(const struct arguments *a);
enum bench_status main_draw(const struct arguments *a);
/* Read the folders of --results; without it results/MACHINE, or all of results/ if 'machine' is
 * NULL; for draw nothing. */
enum bench_status main_read(const struct arguments *a, const char *machine,
                            struct store **store);
/* Writes a page, cleaned by text_clean(), to a file, or to standard output where 'path' is NULL
 * or "-". */
enum bench_status main_put(const char *path, struct text *text);
/* Columns of the terminal; 80 of what is none. */
int main_width(const struct arguments *a);

/* ---- main_analysis.c: BENCH_EMISMATCH where what was judged is not as it should be ---- */

enum bench_status main_claims(const struct arguments *a);
/* Judge all claims by the folders that were asked for, into 'store': claims_tell(). */
enum bench_status main_judge(const struct arguments *a, struct store *store);
enum bench_status main_report(const struct arguments *a, struct bench_env *env);
/* *unclear: with --strict, some configuration could not be decided. */
enum bench_status main_compare(const struct arguments *a, bool *unclear);
enum bench_status main_history(const struct arguments *a);

enum bench_status main_check(const struct arguments *a);

/* ---- main_edition.c ---- */

enum bench_status main_edition(const struct arguments *a);

/* Returns only where scripts/regress cannot be started. */
enum bench_status main_regress(const struct arguments *a);

#endif

/* show_private.h - what selecting and printing share; for show*.c alone */
#ifndef ANALYSIS_SHOW_PRIVATE_H
#define ANALYSIS_SHOW_PRIVATE_H

#include "harness/analysis/store.h"
#include "harness/experiment.h"
#include "harness/record.h"
#include "harness/analysis/show.h"
#include "harness/text.h"

/* The rows that were chosen, in the order of the cells, with scalar values as columns from 'first_value' on. */
struct shown {
    struct record_table rows;
    int first_value;
    struct record_table values; /* EXP.values.csv */
    struct record_table powers,
        sums; /* EXP.fit.csv, EXP.linear.csv; no columns where [show] asks for none */
    struct text caption;
};

/* "" for a column of -1. */
static inline const char *show_at(const struct record_table *table, int row, int column)
{
    return column < 0 ? ""
                      : table->cell[(size_t)row * (size_t)table->n_columns + (size_t)column];
}

/* Names of the declared keys and of the other columns that tell cells apart, NULL-terminated, owned by 'columns'. */
struct show_keys {
    struct record_table columns; /* a header of ours */
    const char *name[128];
    int n, n_declared; /* the declared keys are the first n_declared */
};

/* The power laws and the sums of two terms that [show] fit and linear ask for, into shown->powers and ->sums.  BENCH_EINPUT for
 * a column or a value that the rows do not have. */
enum bench_status show_fit(const struct bench_experiment *experiment, struct shown *shown,
                           const struct show_keys *keys);

/* The rows with what [show] best, over, against, per and reach ask for, see show.h; no columns where nothing is asked.  BENCH_EINPUT
 * for a column or a value that the rows do not have. */
enum bench_status show_derive(const struct bench_experiment *experiment, struct store *store,
                              const struct shown *shown, const struct show_keys *keys,
                              struct record_table *derived);

/* Where [show] has counters = ncu: the rows with what a profiler counted for them, of the tables in each folder's ncu/. */
enum bench_status show_counters(const struct bench_experiment *experiment, struct store *store,
                                struct record_table *rows);

/* Make shown->caption of its rows.  'counted': the rows whose n is said; 'are_means': each is the mean of n others. */
enum bench_status show_caption(struct shown *shown, const struct record_table *counted,
                               bool are_means);

/* Whether a row is of several processes, whose number is its n; else n counts samples. */
bool show_is_of_processes(const struct record_table *rows, int row);
#define SHOW_OF_SAMPLES   " samples of one process"
#define SHOW_OF_PROCESSES " processes"

/* The columns of times. */
#define SHOW_N_TIMES 11
extern const char *const show_time_columns[SHOW_N_TIMES];

/* The i-th text of a list "a, b"; false: there are fewer, and 'text' is "". */
bool show_list(const char *list, int i, char *text, size_t size);

/* Whether a list "a, b" has the word. */
bool show_is_listed(const char *list, const char *word);

/* Title, tables and what they have in common, for people. */
enum bench_status show_tables(const struct bench_experiment *experiment,
                              const struct shown *shown, const struct show_keys *keys,
                              const char *paper_folder, struct show_page *page);

#endif

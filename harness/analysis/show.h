/*
 * show.h - what a figure or a table of an experiment reads: the newest good row of each
 * configuration
 *
 * One of the rows that match a configuration x series x scope, or a stage of it, and are ok,
 * verified and not withdrawn is chosen: of the mode asked for, of a clean build, of the
 * full protocol, of the larger team where all cores were asked for, and then the newest.  Each
 * results folder is asked by itself.  An experiment that was read 'with_absent' shows the same
 * rows in every build.
 *
 * The keys of a descriptor's [show] section:
 *
 *     first            a file beside the descriptor: the SELECT of the table as the paper
 *                      prints it, which stands first; the others fold behind it.  It asks the
 *                      view shown_row and the tables of docs/DATABASE.md.  A column whose name
 *                      ends in " printed" is the paper's, one without any text is left out, and
 *                      what a column "note" says stands below.  A cell that begins with "("
 *                      says why there is no number
 *     rows, columns    two columns of the rows: the left, by default impl, and the top
 *     value            what its cells are: a column or a value; a list: tables for each
 *     extra            a list, no longer than that of 'value': a value that all columns of its
 *                      table share (the input's own error), which stands before them
 *     best             keys (threads, chunk): of rows that differ in these alone the fastest by
 *                      its median_ms; of those whose 95 % interval reaches down to its own, the
 *                      one of fewest threads, and then the first.  Stages go with their whole
 *     mean_over        a column (seed): rows that differ in it alone become one, of means; n
 *                      says of how many, sd_ms, quantiles and interval are of these means, and
 *                      a column NAME_sd has the deviation of a value NAME
 *     more             a file beside the descriptor: a SELECT of the `id` of rows in 'field'
 *                      and of further columns; then names of columns and values that it reads
 *     counters         ncu: columns ncu_... of what Nsight Compute counted for a configuration
 *                      (scripts/profile_ncu, the newest file), per frame: sums of instructions
 *                      (of warps) and bytes over all kernels, ipc and shares weighted by their
 *                      cycles; name, registers and shared memory of the longest kernel.  For
 *                      rows of one frame or batch, scope kernel
 *     paper            what the printed numbers beside ours are of: stixels/table1
 *     title, unit      above the tables; one value NAME_ms is in ms
 */
#ifndef ANALYSIS_SHOW_H
#define ANALYSIS_SHOW_H

#include "harness/analysis/store.h"
#include "harness/analysis/table.h"
#include "harness/suite/experiment.h"
#include "harness/base/status.h"

#include <stdio.h>

/* An experiment as people read it. */
struct show_page {
    struct text title, fixed; /* "width 1242, eps 4": what all rows have in common */
    /* machine, device, commits, inputs, scopes, series, n, profile; a line */
    struct text caption;
    struct text mixed;      /* of how many machines the rows are, where not surely of one */
    struct text unmeasured; /* what is asked for and no row has: "d1_pct, speedup" */
    struct table *table;
    int n_tables; /* 0: there are no rows */
    int n_first;  /* the first of them that are as the paper prints them: the others fold */
};

/* The experiment must outlive *page, which the caller owns: show_page_free().  It leaves the
 * temporary tables of figure.sql, as does show_rows(). */
enum bench_status show_read(const struct bench_experiment *experiment, struct store *store,
                            struct show_page *page);
void show_page_free(struct show_page *page);

/* Makes what a figure reads of it: all columns of the rows, and one more per single value by
 * its name ("segments").  The caller owns *rows. */
enum bench_status show_rows(const struct bench_experiment *experiment, struct store *store,
                            struct table *rows);

/* Fills the tables 'place' and 'figure_row' of figure.sql for the descriptors of these paths,
 * and 'cell' where that is asked for. */
enum bench_status show_fill(struct store *store, const char *const *path, int n,
                            bool with_cells);

struct show_options {
    enum table_format format; /* TABLE_CSV has the rows, the others but TABLE_HTML the page */
    int width;                /* of TABLE_TERMINAL */
    bool is_all;              /* on it the tables that fold, too */
    FILE *notes; /* a line for each missing configuration, with the reason; NULL: silent */
};

/* Adds the page, or the rows, to 'text'.  Configurations without a row are no failure.
 * BENCH_EIO, BENCH_EINPUT where something cannot be read, or a note written. */
enum bench_status show_write(const struct bench_experiment *experiment, struct store *store,
                             const struct show_options *options, struct text *text);

#endif

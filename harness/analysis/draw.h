/*
 * draw.h - the data files of a figure: rows of experiments and files of SQL in, tables for
 * gnuplot out; docs/DATABASE.md has what the SQL finds and declares
 */
#ifndef ANALYSIS_DRAW_H
#define ANALYSIS_DRAW_H

#include "harness/analysis/store.h"
#include "harness/base/status.h"

#include <stdio.h>

/*
 * 'word', in order: FILE.sql, EXPERIMENT.ini or TABLE=FILE.csv; 'asked': NAME=VALUE; remarks go
 * to 'notes', unless that is NULL.
 *
 * BENCH_EINPUT for what the SQL refuses and for other words, BENCH_EIO where the SQL is wrong
 * or a file cannot be written.
 *
 * FOLDER/NAME.tsv is as gnuplot reads it: a header, tabs, no quotes (at which it ends a text)
 * or control characters, NULL as NaN.
 */
enum bench_status draw_data(struct store *store, char *const *word, int n_words,
                            const char *const *asked, int n_asked, const char *folder,
                            FILE *notes);

#endif

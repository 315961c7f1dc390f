/*
 * draw.h - the data files of a figure: rows of experiments in, files of SQL, tables for gnuplot out
 *
 * The SQL declares the tables that it reads, with the columns that it needs, and what is drawn as tables or views draw_NAME, each of which
 * becomes FOLDER/NAME.tsv.  A column that the rows lack is NULL, a table without rows is empty.  Where the view 'refusal' has a row,
 * nothing is written, and the row's text is the reason; what the view 'remark' has is told.
 *
 * Beside the functions of functions.c there are number_text(x), "344", "25.0" or "5.00", and time_text(ms), "40.00 ms" or "12.3 µs".
 */
#ifndef ANALYSIS_DRAW_H
#define ANALYSIS_DRAW_H

#include "harness/analysis/store.h"
#include "harness/status.h"

#include <stdio.h>

/*
 * 'word', in order: PATH.sql to be run; PATH.ini, an experiment, of which the tables 'shown', 'value', 'fit' and 'missing' get what show
 * has of it in 'store', and of the first one 'printed' the numbers of its paper and 'counter' its newest run under a profiler; TABLE=PATH.csv to be
 * read.  'asked': NAME=VALUE, rows of the table asked (name, value).  There are from the beginning that table and known (place, impl), all
 * variants.  Remarks go to 'notes', unless that is NULL.
 *
 * BENCH_EINPUT for what is refused and for other words, BENCH_EIO where the SQL is wrong or a file cannot be written.
 *
 * The files are as gnuplot reads them: a header, tabs, no quotes (at which it ends a text) or control characters, NULL as NaN.
 */
enum bench_status draw_data(struct store *store, char *const *word, int n_words,
                            const char *const *asked, int n_asked, const char *folder,
                            FILE *notes);

#endif

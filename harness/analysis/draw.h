/*
 * draw.h - the data files of a figure: CSV tables in, files of SQL, tables for gnuplot out
 *
 * The SQL declares the tables that it reads, with the columns that it needs, and what is drawn as tables or views draw_NAME, each of which
 * becomes FOLDER/NAME.tsv.  A column that a file lacks is NULL, a table without a file is empty.  Where the view 'refusal' has a row,
 * nothing is written, and the row's text is the reason.
 *
 * Beside the functions of functions.h there are number_text(x), "344", "25.0" or "5.00", and time_text(ms), "40.00 ms" or "12.3 µs".
 */
#ifndef ANALYSIS_DRAW_H
#define ANALYSIS_DRAW_H

#include "harness/status.h"

/*
 * 'word': PATH.sql to be run or TABLE=PATH.csv to be read, in order.  'asked': NAME=VALUE, rows of the table asked (name,
 * value), which is there from the beginning.  BENCH_EINPUT for what is refused and for other words, BENCH_EIO where the SQL is wrong or
 * a file cannot be written.
 *
 * The files are as gnuplot reads them: a header, tabs, no quotes (at which it ends a text) or control characters, NULL as NaN.
 */
enum bench_status draw_data(char *const *word, int n_words, const char *const *asked,
                            int n_asked, const char *folder);

#endif

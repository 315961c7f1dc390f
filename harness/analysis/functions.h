/*
 * functions.h - what SQLite has not and rows need
 *
 *     median(x)             of the numbers of a group; NULL is left out
 *     quantile(x, p)        0 <= p <= 1, linear between order statistics
 *     geomean(x)            the geometric mean, of ratios; NULL where one is not above 0
 *     power_exponent(x, y)  e of y = c x^e, least squares of the logarithms; NULL for fewer than two x
 *     power_fit(x, y, i), linear_fit(x1, x2, y, i), summary(x, i)
 *                           the i-th number, from 0, of bench_fit_power, bench_fit_linear, bench_summarise; docs/DATABASE.md lists them
 *     mann_whitney(x, side) two-sided p that the numbers of side 0 and side 1 are of one distribution, exact; NULL where a
 *                           side has none or more than 64
 */
#ifndef ANALYSIS_FUNCTIONS_H
#define ANALYSIS_FUNCTIONS_H

#include "harness/status.h"

#include <sqlite3.h>

/* BENCH_ENOMEM. */
enum bench_status functions_add(sqlite3 *db);

#endif

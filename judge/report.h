/*
 * report.h - one page for people who would rather look than read
 *
 * Everything on the page comes from the record: rows and values of one results folder (a machine), the numbers printed
 * in the papers, the claims and their verdicts, figures that scripts/plot drew of these rows.  What the page has of a paper
 * is said by experiments/report/PAPER.ini; docs/REPORT.md has its keys.  The page is one HTML file that needs no network, no
 * script and no other file.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "harness/status.h"
#include "harness/text.h"

/*
 * Append the page of the machine whose folder 'results' is; 'figures' is where scripts/plot put what it drew of these rows, or NULL.
 * A session that cannot be read is named on stderr.  A table without rows or a figure that is not there is said on the page, with
 * the reason and the command that makes it, and is no failure.  BENCH_EINPUT for a descriptor, claim or results file that cannot be
 * understood, BENCH_EIO for one that cannot be read; the page is not to be used then.
 */
enum bench_status report_page(const char *results, const char *figures, struct text *page);

#endif

/* report.h - one page for people who would rather look than read: one HTML file of what is
 * recorded; docs/REPORT.md describes it */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "harness/analysis/store.h"

/*
 * Append the page of machines, whose folders of results these are; figures/NAME is what
 * scripts/plot drew of the rows of one (NULL: nothing is drawn).  A session that cannot be read
 * is named on stderr.  What is missing is said on the page and is no failure.  BENCH_EINPUT for
 * a descriptor, claim or results file that cannot be understood, BENCH_EIO for one that cannot
 * be read.
 */
enum bench_status report_page(const char *const *folders, int n, const char *figures,
                              struct text *page);

/* Makes the functions of template.c's expressions known to all queries. */
void template_functions(struct store *store);

/* Append a page with the answers of 'store' in the places of its questions; template.c has its
 * tags.  BENCH_EINPUT where a tag is none, a query is wrong or a picture cannot be read. */
enum bench_status template_add(struct store *store, const unsigned char *template,
                               size_t n_bytes, struct text *page);

#endif

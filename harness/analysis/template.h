/*
 * template.h - a page with questions in it, and the answers in their places
 *
 *     {{EXPRESSION}}          its text, escaped; {{html EXPRESSION}}: as it is
 *     {{SELECT ...}}          the one value of the answer; {{each COLUMN}}: its distinct texts in 'recorded'; or "not recorded"
 *     {{for ROW: SELECT ...}} ... {{end}}    once for each row of the answer, whose columns are ROW.COLUMN there
 *     {{if EXPRESSION}} ... {{end}}          once or never
 *     {{table ROW: SELECT ...}} ... {{end}}  nothing, but from then on a table ROW has these rows, each with its text as "html"
 *
 * The end of the line behind for, if, table and end is not on the page.  Expressions have three functions more: prose(text)
 * is HTML, `words` are code; image(path) is a picture's file as a data: URL, NAME.svg or another's as PNG; html(text) is escaped.
 */
#ifndef ANALYSIS_TEMPLATE_H
#define ANALYSIS_TEMPLATE_H

#include "harness/analysis/store.h"
#include "harness/text.h"

/* BENCH_EINPUT where a tag is none, a query is wrong or a picture cannot be read. */
enum bench_status template_add(struct store *store, const unsigned char *template,
                               size_t n_bytes, struct text *page);

#endif

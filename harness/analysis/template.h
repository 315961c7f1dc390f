/*
 * template.h - a page with questions in it, and the answers in their places
 *
 *     {{COLUMN}}              a text of the row that is at hand, or of one around it; {{prose COLUMN}}: `words` are code;
 *                             {{html COLUMN}}: HTML as it is; {{image COLUMN}}: a picture's file, its words in 'alt'
 *     {{for SELECT ...}} ... {{end}}   once for each row of the answer; :COLUMN is a value of a row around it
 *     {{if EXPRESSION}} ... {{end}}    the same, once or never
 *     {{part NAME}} ... {{end}}        what {{use NAME}} stands for
 *     {{SELECT ...}}          the first column of the answer, as a list; {{each COLUMN}}: its distinct texts in 'recorded'
 *     {{table TITLE: SELECT ...}}      the answer as a table
 *
 * The end of the line behind for, if, part, end and use is not on the page.
 */
#ifndef ANALYSIS_TEMPLATE_H
#define ANALYSIS_TEMPLATE_H

#include "harness/analysis/store.h"
#include "harness/analysis/table.h"
#include "harness/text.h"

/* BENCH_EINPUT where a tag is none or a query is wrong, or a file is no picture. */
enum bench_status template_add(struct store *store, const unsigned char *template,
                               size_t n_bytes, struct text *page);

/* A table in a scroll box, which 'name' says in a few words. */
void template_table(struct text *page, const struct table *table, const char *name);

#endif

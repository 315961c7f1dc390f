/*
 * template.h - a page with questions in it, and the answers in their places
 *
 *     {{COLUMN}}              a text of the row that is at hand, or of one around it; {{prose COLUMN}}: `words` are code;
 *                             {{html COLUMN}}: HTML as it is; {{image COLUMN}}: the bytes of a picture's file as a data: URL
 *     {{for SELECT ...}} ... {{end}}   once for each row of the answer; :COLUMN is a value of a row around it
 *     {{if EXPRESSION}} ... {{end}}    the same, once or never
 *     {{part NAME}} ... {{end}}        what {{use NAME}} stands for
 *     {{SELECT ...}}          the one value of the answer; {{each COLUMN}}: its distinct texts in 'recorded'; or "not recorded"
 *
 * The end of the line behind for, if, part, end and use is not on the page.
 */
#ifndef ANALYSIS_TEMPLATE_H
#define ANALYSIS_TEMPLATE_H

#include "harness/analysis/store.h"
#include "harness/text.h"

/* BENCH_EINPUT where a tag is none or a query is wrong, or a file is no picture. */
enum bench_status template_add(struct store *store, const unsigned char *template,
                               size_t n_bytes, struct text *page);

#endif

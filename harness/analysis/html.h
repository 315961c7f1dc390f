/* html.h - texts and pictures as parts of an HTML page */
#ifndef ANALYSIS_HTML_H
#define ANALYSIS_HTML_H

#include "harness/status.h"
#include "harness/text.h"

/* Append text with all that HTML would take for its own replaced: safe between tags and within quoted attributes.  What is no
 * UTF-8 stays: text_clean() the page.  In prose `words` between backquotes become <code>. */
void html_text(struct text *page, const char *text);
void html_prose(struct text *page, const char *sentence);

/* Append the bytes of an SVG or PNG file as a data: URL.  BENCH_EINPUT for a file that is neither. */
enum bench_status html_image(struct text *page, const char *path);

#endif

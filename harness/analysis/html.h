/* html.h - texts and pictures as parts of an HTML page */
#ifndef ANALYSIS_HTML_H
#define ANALYSIS_HTML_H

#include "harness/status.h"
#include "harness/text.h"

/* Append text with all that HTML would take for its own replaced: safe between tags and within quoted attributes.  Control
 * characters and bytes that are no UTF-8 become U+FFFD. */
void html_text(struct text *page, const char *text);
/* HTML with texts in it, as printf of %s, %.9s, %.*s, %d, %%: each text like html_text. */
void html_format(struct text *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Append a sentence in which `words` between backquotes become <code>. */
void html_prose(struct text *page, const char *sentence);

/* Append the bytes as base64. */
void html_base64(struct text *page, const void *bytes, size_t n_bytes);

/* Append <img> of an SVG or PNG file, the bytes in it.  BENCH_EINPUT for a file that is neither. */
enum bench_status html_image(struct text *page, const char *path, const char *alt);

#endif

/* page.h - lines of a report on the terminal */
#ifndef BENCH_PAGE_H
#define BENCH_PAGE_H

#include "harness/base/text.h"

#include <string.h>

#define PAGE_COLUMNS 80 /* where there is no terminal that says how wide it is */

/* Append lines of a text.  What is longer than 'width' bytes goes on in lines that are
 * indented by 'more' beyond its own blanks; a word that is longer has its own line. */
static inline void page_fold(struct text *page, const char *lines, const char *more, int width)
{
    for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
        const size_t lead = strspn(lines, " ");
        size_t at = 0;

        n = strcspn(lines, "\n");
        for (size_t i = 0, blanks, word; i < n; i += blanks + word, at += blanks + word) {
            blanks = strspn(lines + i, " ");
            word = strcspn(lines + i + blanks, " \n");
            if (i > 0 && at + blanks + word > (size_t)width) {
                text_format(page, "\n%*s%s", (int)lead, "", more);
                i += blanks;
                blanks = 0;
                at = lead + strlen(more);
            }
            text_bytes(page, lines + i, blanks + word);
        }
        text_add(page, "\n");
    }
}

#endif

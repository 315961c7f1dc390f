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
    OWNED(text_free) struct text copy = {0};
    char *rest;

    text_add(&copy, lines);
    for (rest = copy.data; rest && *rest; text_add(page, "\n")) {
        const char *const line = strsep(&rest, "\n");
        const int lead = (int)strspn(line, " ");

        text_format(page, "%*s", lead, "");
        text_wrap(page, line + lead, lead, lead + (int)strlen(more), width);
    }
    page->failed |= copy.failed;
}

#endif

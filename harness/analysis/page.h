/* page.h - lines of a report on the terminal, at most 80 columns wide */
#ifndef BENCH_PAGE_H
#define BENCH_PAGE_H

#include "harness/base/text.h"

#include <string.h>

#define PAGE_COLUMNS 80
#define PAGE_INDENT  "    "

/* Lines of a text, 'indent' before each.  What is longer than PAGE_COLUMNS bytes goes on in
 * lines that are indented by 'more' beyond its own blanks; a word that is longer has its own
 * line. */
static inline void page_fold(struct text *page, const char *lines, const char *indent,
                             const char *more)
{
    for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
        const size_t lead = strspn(lines, " ");
        size_t at = strlen(indent);

        n = strcspn(lines, "\n");
        text_add(page, indent);
        for (size_t i = 0, blanks, word; i < n; i += blanks + word, at += blanks + word) {
            blanks = strspn(lines + i, " ");
            word = strcspn(lines + i + blanks, " \n");
            if (i > 0 && at + blanks + word > PAGE_COLUMNS) {
                text_format(page, "\n%s%*s%s", indent, (int)lead, "", more);
                i += blanks;
                blanks = 0;
                at = strlen(indent) + lead + strlen(more);
            }
            text_bytes(page, lines + i, blanks + word);
        }
        text_add(page, "\n");
    }
}

#define page_filled(page, sentence, indent) page_fold(page, sentence, indent, "")
#define page_wrapped(page, sentence)        page_fold(page, sentence, PAGE_INDENT, "")
#define page_folded(page, lines)            page_fold(page, lines, "", PAGE_INDENT)

#endif

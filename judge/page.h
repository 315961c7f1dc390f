/* page.h - lines of a report on the terminal, at most 80 columns wide */
#ifndef BENCH_PAGE_H
#define BENCH_PAGE_H

#include "harness/analysis/store.h"
#include "harness/text.h"

#include <string.h>

#define PAGE_COLUMNS 80
#define PAGE_INDENT  "    "

/* A sentence in lines of at most PAGE_COLUMNS bytes, 'indent' before each; a word that is longer has its own line. */
static inline void page_filled(struct text *page, const char *sentence, const char *indent)
{
    size_t at = 0;

    while (*sentence) {
        const size_t n = strcspn(sentence, " ");

        if (at > 0 && at + 1 + n > PAGE_COLUMNS) {
            text_add(page, "\n");
            at = 0;
        }
        text_add(page, at == 0 ? indent : " ");
        at += at == 0 ? strlen(indent) : 1;
        text_bytes(page, sentence, n);
        at += n;
        sentence += n + strspn(sentence + n, " ");
    }
    text_add(page, "\n");
}

static inline void page_wrapped(struct text *page, const char *sentence)
{
    page_filled(page, sentence, PAGE_INDENT);
}

/* The lines of a text; what is longer than PAGE_COLUMNS goes on in lines that are indented by PAGE_INDENT more. */
static inline void page_folded(struct text *page, const char *lines)
{
    while (*lines) {
        const size_t n = strcspn(lines, "\n"), lead = strspn(lines, " ");
        size_t at = lead < n ? lead : n;

        text_bytes(page, lines, at);
        for (size_t i = at; i < n;) {
            const size_t word = strcspn(lines + i, " \n");
            const size_t blanks = strspn(lines + i + word, " ");
            const size_t next =
                i + word + blanks < n ? strcspn(lines + i + word + blanks, " \n") : 0;

            text_bytes(page, lines + i, word);
            at += word;
            i += word + blanks;
            if (next > 0 && at + blanks + next > PAGE_COLUMNS) {
                text_format(page, "\n%*s" PAGE_INDENT, (int)lead, "");
                at = lead + strlen(PAGE_INDENT);
            } else if (next > 0) {
                text_bytes(page, lines + i - blanks, blanks);
                at += blanks;
            }
        }
        text_add(page, "\n");
        lines += n + (lines[n] == '\n');
    }
}

/* Print the table 'page': a 'text', and what is wrapped 'below' it, and 'more'; NULL is nothing.  The view 'listed' as CSV into *csv
 * where that is not NULL. */
enum bench_status page_report(struct store *store, FILE *out, struct text *csv);

#endif

/* show_private.h - what choosing and printing share; for show*.c alone */
#ifndef ANALYSIS_SHOW_PRIVATE_H
#define ANALYSIS_SHOW_PRIVATE_H

#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "harness/record.h"
#include "harness/text.h"

#define SHOW_NAME 64 /* bytes of a name in [show] at most, with its NUL */

/* An experiment whose rows are the temporary table 'shown_row' of its store, in the words of files and the order of 'id'. */
struct showing {
    const struct bench_experiment *experiment;
    struct store *store;
    struct record_table header; /* of ours, for the declared keys */
    const char *key[128];   /* the declared keys and the other columns that tell cells apart */
    int n_keys, n_declared; /* the declared keys are the first n_declared */
    struct table rows;      /* all of 'shown_row' */
    struct table values;    /* EXP.values.csv */
    struct table powers,
        sums; /* EXP.fit.csv, EXP.linear.csv; no columns where [show] asks for none */
    struct text caption;
};

/* Make 'raw_row' and 'shown_row' of the rows that select_rows() has chosen, with what [show] best, over, against, per, reach and
 * counters ask for, and read rows, values and caption.  BENCH_EINPUT for a column or a value that the rows do not have. */
enum bench_status show_rows(struct showing *s);

/* The power laws and the sums of two terms that [show] fit and linear ask for, also as the tables 'power' and 'sum'. */
enum bench_status show_fits(struct showing *s);

/* Title, tables and what they have in common, for people. */
enum bench_status show_tables(struct showing *s, const char *paper_folder,
                              struct show_page *page);

/* The i-th text of a list "a, b"; false: there are fewer, and 'text' is "". */
bool show_list(const char *list, int i, char text[SHOW_NAME]);

/* Whether a list "a, b" has the word. */
bool show_is_listed(const char *list, const char *word);

/* A text of an answer, "" where there is none. */
const char *show_text(const struct table *answer, int row, int column);

/* Whether 'shown_row' has the column. */
bool show_has_column(const struct showing *s, const char *name);

#endif

/*
 * table.h - a result as a table of typed cells, and its five renderings: terminal, CSV,
 * Markdown, HTML, JSON
 */
#ifndef ANALYSIS_TABLE_H
#define ANALYSIS_TABLE_H

#include "harness/base/status.h"
#include "harness/base/text.h"

enum table_kind {
    TABLE_NONE, /* no value; a text says why: (no rows) */
    TABLE_NUMBER,
    TABLE_TEXT,
    TABLE_AS_IS, /* a text that may be a number: a paper's, a parameter's */
    TABLE_TOLD   /* a number as people read it: 1.5, 9..10, 10 ± 2 */
};

#define TABLE_PRINTED " printed" /* how the name of a column with the paper's numbers ends */

struct table_cell {
    enum table_kind kind;
    /* owned; as CSV has it: numbers by %.9g, whole ones in full; NULL for the others */
    char *text;
    double number; /* of TABLE_NUMBER */
};

struct table {
    int n_columns, n_rows;
    char **column;           /* names, owned */
    struct table_cell *cell; /* [n_rows][n_columns] */
    bool *printed;           /* [n_columns] the paper's numbers; NULL: none are */
    char *title;        /* what tells it from other tables; these texts are owned or NULL */
    char *about, *note; /* sentences above and below it */
    bool failed;        /* memory ran out while it was made */
};

/* A table of empty cells, to be filled by the calls below; BENCH_ENOMEM.  These remember a
 * failure for table_ok(). */
enum bench_status table_make(struct table *table, int n_columns, int n_rows);
void table_name(struct table *table, int column, const char *name);
/* The text is copied; "" leaves the cell empty. */
void table_text(struct table *table, int row, int column, enum table_kind kind,
                const char *text);
/* One of the table's texts, copied; NULL: none. */
void table_say(struct table *table, char **text, const char *sentence);
enum bench_status table_ok(const struct table *table);
void table_free(struct table *table);

struct table_cell *table_cell(const struct table *table, int row, int column);

enum table_format { TABLE_TERMINAL, TABLE_CSV, TABLE_MARKDOWN, TABLE_HTML, TABLE_JSON };

/* The format that is called so: text, csv, md, html, json.  BENCH_EINPUT. */
enum bench_status table_format_of(const char *name, enum table_format *format);

/* "a 1, b 2" in lines of at most 'width' characters, the first behind 'used' others; words in
 * such lines, all of them behind as many blanks. */
void table_wrap(struct text *text, const char *list, int used, int width);
void table_fold(struct text *text, const char *sentence, int used, int width);

/*
 * Append 'table' to 'text'.  TABLE_TERMINAL: numbers to the right, columns as wide as they
 * need; those that 'width' (of the terminal) has no room for stand below, beside the first
 * again.  Where one has no room at all, or a single row has more, each row is a block of lines
 * "column value".  TABLE_CSV: RFC 4180 with a header, and nothing else.  TABLE_MARKDOWN:
 * columns aligned.  TABLE_HTML: the table alone, its title as the caption.  TABLE_JSON: a
 * list with an object for each row, whose numbers are numbers and whose empty cells are null.
 */
void table_render(const struct table *table, enum table_format format, int width,
                  struct text *text);

#endif

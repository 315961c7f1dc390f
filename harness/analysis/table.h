/*
 * table.h - a result as a table of typed cells, and its four renderings: terminal, CSV, Markdown, HTML
 */
#ifndef ANALYSIS_TABLE_H
#define ANALYSIS_TABLE_H

#include "harness/status.h"
#include "harness/text.h"

enum table_kind { TABLE_NONE, TABLE_NUMBER, TABLE_TEXT };

struct table_cell {
    enum table_kind kind;
    char *
        text; /* owned; as CSV has it: numbers by %.9g, whole ones in full; NULL for TABLE_NONE */
    double number; /* TABLE_NUMBER */
};

struct table {
    int n_columns, n_rows;
    char **column;           /* names, owned */
    struct table_cell *cell; /* [n_rows][n_columns] */
};

void table_free(struct table *table);

enum table_format { TABLE_TERMINAL, TABLE_CSV, TABLE_MARKDOWN, TABLE_HTML };

/*
 * Append 'table' to 'text'.  TABLE_TERMINAL: numbers to the right with 6 digits, columns as wide as they need; where the table is
 * wider than 'width' (columns of the terminal) each row is a block of lines "column  value".  TABLE_CSV: RFC 4180 with a
 * header.  TABLE_MARKDOWN, TABLE_HTML: special characters escaped.
 */
void table_render(const struct table *table, enum table_format format, int width,
                  struct text *text);

#endif

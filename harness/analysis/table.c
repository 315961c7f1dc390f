/* table.c - a table for the terminal, a spreadsheet, a page of text, a browser */
#include "harness/analysis/table.h"

#include <stdlib.h>
#include <string.h>

#define DIGITS 6 /* of a number that people read */

void table_free(struct table *table)
{
    for (int i = 0; i < table->n_columns; i++)
        free(table->column[i]);
    for (int i = 0; i < table->n_rows * table->n_columns; i++)
        free(table->cell[i].text);
    free(table->column);
    free(table->cell);
    *table = (struct table){0};
}

static const struct table_cell *cell_of(const struct table *table, int row, int column)
{
    return &table->cell[(size_t)row * (size_t)table->n_columns + (size_t)column];
}

/* What people read of a cell. */
static void short_text(const struct table_cell *cell, char number[TEXT_NUMBER],
                       const char **shown)
{
    *shown = cell->text ? cell->text : "";
    if (cell->kind == TABLE_NUMBER && strpbrk(*shown, ".e")) {
        text_short_number(number, cell->number, DIGITS);
        *shown = number;
    }
}

/* Code points of UTF-8. */
static int width_of(const char *text)
{
    int n = 0;

    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

static void pad(struct text *text, int n)
{
    for (int i = 0; i < n; i++)
        text_add(text, " ");
}

/* A line is a line, whatever a cell holds, and commands the terminal nothing. */
static void add_line(struct text *text, const char *shown)
{
    for (; *shown; shown++)
        text_bytes(text, (unsigned char)*shown < ' ' || *shown == 0x7f ? " " : shown, 1);
}

/* ---- terminal ---- */

static bool is_numeric(const struct table *table, int column)
{
    bool any = false;

    for (int row = 0; row < table->n_rows; row++) {
        const enum table_kind kind = cell_of(table, row, column)->kind;

        if (kind == TABLE_TEXT)
            return false;
        any |= kind == TABLE_NUMBER;
    }
    return any;
}

static void add_field(struct text *text, const char *shown, int width, bool right, bool last)
{
    if (right)
        pad(text, width - width_of(shown));
    add_line(text, shown);
    if (!right && !last)
        pad(text, width - width_of(shown));
    text_add(text, last ? "\n" : "  ");
}

static void render_lines(const struct table *table, const int *width, const bool *numeric,
                         struct text *text)
{
    for (int row = -1; row < table->n_rows; row++)
        for (int i = 0; i < table->n_columns; i++) {
            char number[TEXT_NUMBER];
            const char *shown = table->column[i];

            if (row >= 0)
                short_text(cell_of(table, row, i), number, &shown);
            add_field(text, shown, width[i], numeric[i], i + 1 == table->n_columns);
        }
}

/* Each row a block: what has no value is left out. */
static void render_blocks(const struct table *table, struct text *text)
{
    int widest = 0;

    for (int i = 0; i < table->n_columns; i++)
        widest = width_of(table->column[i]) > widest ? width_of(table->column[i]) : widest;
    for (int row = 0; row < table->n_rows; row++) {
        text_add(text, row ? "\n" : "");
        for (int i = 0; i < table->n_columns; i++) {
            const struct table_cell *cell = cell_of(table, row, i);
            char number[TEXT_NUMBER];
            const char *shown;

            if (cell->kind == TABLE_NONE)
                continue;
            short_text(cell, number, &shown);
            add_field(text, table->column[i], widest, false, false);
            add_line(text, shown);
            text_add(text, "\n");
        }
    }
}

static void render_terminal(const struct table *table, const bool *numeric, int limit,
                            struct text *text)
{
    int *width = calloc((size_t)table->n_columns + 1, sizeof *width);
    int whole = 0;

    if (!width) {
        text->failed = true;
        return;
    }
    for (int i = 0; i < table->n_columns; i++) {
        width[i] = width_of(table->column[i]);
        for (int row = 0; row < table->n_rows; row++) {
            char number[TEXT_NUMBER];
            const char *shown;

            short_text(cell_of(table, row, i), number, &shown);
            width[i] = width_of(shown) > width[i] ? width_of(shown) : width[i];
        }
        whole += width[i] + (i ? 2 : 0);
    }
    if (whole <= limit || table->n_rows == 0)
        render_lines(table, width, numeric, text);
    else
        render_blocks(table, text);
    free(width);
}

/* ---- files ---- */

static void render_csv(const struct table *table, struct text *text)
{
    for (int row = -1; row < table->n_rows; row++)
        for (int i = 0; i < table->n_columns; i++) {
            const char *field = row < 0 ? table->column[i] : cell_of(table, row, i)->text;

            text_csv(text, field ? field : "");
            text_add(text, i + 1 < table->n_columns ? "," : "\n");
        }
}

static void add_escaped(struct text *text, const char *shown, const char *special,
                        const char *const *with)
{
    for (; *shown; shown++) {
        const char *at = strchr(special, *shown);

        if (at)
            text_add(text, with[at - special]);
        else
            text_bytes(text, shown, 1);
    }
}

static void render_markdown(const struct table *table, const bool *numeric, struct text *text)
{
    static const char *const with[] = {"\\|", "\\\\", " ", " ", "&lt;", "&amp;"};

    for (int row = -2; row < table->n_rows; row++) {
        for (int i = 0; i < table->n_columns; i++) {
            char number[TEXT_NUMBER];
            const char *shown = row == -2 ? table->column[i] : numeric[i] ? "--:" : "---";

            if (row >= 0)
                short_text(cell_of(table, row, i), number, &shown);
            text_add(text, "| ");
            add_escaped(text, shown, "|\\\n\r<&", with);
            text_add(text, " ");
        }
        text_add(text, "|\n");
    }
}

static void render_html(const struct table *table, const bool *numeric, struct text *text)
{
    static const char *const with[] = {"&lt;", "&gt;", "&amp;", "&quot;"};

    text_add(text, "<table>\n<thead>\n");
    for (int row = -1; row < table->n_rows; row++) {
        text_add(text, "<tr>");
        for (int i = 0; i < table->n_columns; i++) {
            char number[TEXT_NUMBER];
            const char *shown = table->column[i];

            if (row >= 0)
                short_text(cell_of(table, row, i), number, &shown);
            text_add(text, row < 0      ? "<th scope=\"col\">"
                           : numeric[i] ? "<td class=\"number\">"
                                        : "<td>");
            add_escaped(text, shown, "<>&\"", with);
            text_add(text, row < 0 ? "</th>" : "</td>");
        }
        text_add(text, row < 0 ? "</tr>\n</thead>\n<tbody>\n" : "</tr>\n");
    }
    text_add(text, "</tbody>\n</table>\n");
}

void table_render(const struct table *table, enum table_format format, int width,
                  struct text *text)
{
    bool *numeric = calloc((size_t)table->n_columns + 1, sizeof *numeric);

    if (!numeric) {
        text->failed = true;
        return;
    }
    for (int i = 0; i < table->n_columns; i++)
        numeric[i] = is_numeric(table, i);
    switch (format) {
    case TABLE_TERMINAL:
        render_terminal(table, numeric, width, text);
        break;
    case TABLE_CSV:
        render_csv(table, text);
        break;
    case TABLE_MARKDOWN:
        render_markdown(table, numeric, text);
        break;
    case TABLE_HTML:
        render_html(table, numeric, text);
        break;
    }
    free(numeric);
}

/* table.c - a table for the terminal, a spreadsheet, a page of text, a browser */
#include "harness/analysis/table.h"

#include "harness/analysis/html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS           6  /* of a number that people read */
#define DEVIATION_DIGITS 2  /* of a deviation */
#define LEAST_WIDTH      3  /* of a column in Markdown: the rule below its name */
#define PAGE_WIDTH       80 /* of Markdown's sentences */

/* ---- making ---- */

enum bench_status table_make(struct table *table, int n_columns, int n_rows)
{
    *table = (struct table){.n_columns = n_columns, .n_rows = n_rows};
    table->column = calloc((size_t)n_columns + 1, sizeof *table->column);
    table->printed = calloc((size_t)n_columns + 1, sizeof *table->printed);
    table->cell = calloc((size_t)n_columns * (size_t)n_rows + 1, sizeof *table->cell);
    table->failed = !table->column || !table->printed || !table->cell;
    return table_ok(table);
}

enum bench_status table_ok(const struct table *table)
{
    return table->failed ? BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table") : BENCH_OK;
}

void table_free(struct table *table)
{
    for (int i = 0; table->column && i < table->n_columns; i++)
        free(table->column[i]);
    for (int i = 0; table->cell && i < table->n_rows * table->n_columns; i++)
        free(table->cell[i].text);
    free(table->column);
    free(table->printed);
    free(table->cell);
    free(table->title);
    free(table->about);
    free(table->note);
    *table = (struct table){0};
}

struct table_cell *table_cell(const struct table *table, int row, int column)
{
    return &table->cell[(size_t)row * (size_t)table->n_columns + (size_t)column];
}

void table_say(struct table *table, char **text, const char *sentence)
{
    free(*text);
    *text = strdup(sentence);
    table->failed |= !*text;
}

void table_name(struct table *table, int column, const char *name)
{
    table_say(table, &table->column[column], name);
}

void table_text(struct table *table, int row, int column, enum table_kind kind,
                const char *text)
{
    if (text[0] == '\0')
        return;
    table_say(table, &table_cell(table, row, column)->text, text);
    table_cell(table, row, column)->kind = kind;
}

void table_pair(struct table *table, int row, int column, enum table_kind kind,
                const char *number, const char *other)
{
    struct table_cell *cell = table_cell(table, row, column);
    const bool is_number = text_to_number(number, &cell->number);
    const bool is_pair = is_number && text_to_number(other, &cell->other);

    table_text(table, row, column,
               is_pair     ? kind
               : is_number ? TABLE_NUMBER
                           : TABLE_TEXT,
               number);
}

/* Take n columns out from 'first' on. */
static void take_out(struct table *table, int first, int n)
{
    struct table_cell *to = table->cell;

    for (int i = 0; i < table->n_rows * table->n_columns; i++) {
        const int column = i % table->n_columns;

        if (column >= first && column < first + n)
            free(table->cell[i].text);
        else
            *to++ = table->cell[i];
    }
    for (int i = first; i < first + n; i++)
        free(table->column[i]);
    table->n_columns -= n;
    for (int i = first; i < table->n_columns; i++) {
        table->column[i] = table->column[i + n];
        table->printed[i] = table->printed[i + n];
    }
}

void table_cut(struct table *table, int n_columns)
{
    take_out(table, n_columns, table->n_columns - n_columns);
}

void table_drop(struct table *table, int column)
{
    take_out(table, column, 1);
}

enum bench_status table_format_of(const char *name, enum table_format *format)
{
    static const char *const names[] = {"text", "csv", "md", "html"};

    for (int i = 0; i < 4; i++)
        if (!strcmp(name, names[i])) {
            *format = (enum table_format)i;
            return BENCH_OK;
        }
    return BENCH_FAIL(BENCH_EINPUT, "-f %s: expected text, csv, md or html", name);
}

/* ---- what people read ---- */

/* "1.5..2", or one of them where they read alike. */
static void add_interval(struct text *shown, const char *low, const char *high)
{
    text_add(shown, low);
    if (strcmp(low, high) != 0)
        text_format(shown, "..%s", high);
}

static void add_shown(const struct table *table, const struct table_cell *cell,
                      struct text *shown)
{
    const int digits = table->digits ? table->digits : DIGITS;
    const char *const text = cell->text ? cell->text : "";
    char number[TEXT_NUMBER], other[TEXT_NUMBER];

    text_short_number(number, cell->number, digits);
    text_short_number(other, cell->other, cell->kind == TABLE_MEAN ? DEVIATION_DIGITS : digits);
    switch (cell->kind) {
    case TABLE_NONE:
        break;
    case TABLE_NUMBER:
        text_add(shown, strpbrk(text, ".e") ? number : text);
        break;
    case TABLE_TEXT:
    case TABLE_AS_IS:
        text_add(shown, text);
        break;
    case TABLE_INTERVAL:
        add_interval(shown, number, other);
        break;
    case TABLE_MEAN:
        text_add(shown, number);
        if (cell->other > 0)
            text_format(shown, " \u00b1 %s", other);
        if (cell->n > 0)
            text_format(shown, ", n %d", cell->n);
        break;
    }
}

/* What stands in a row, or as the name of a column in row -1: a text that is good until the next call. */
static const char *shown_at(const struct table *table, int row, int column, struct text *shown)
{
    if (row < 0)
        return table->column[column] ? table->column[column] : "";
    shown->size = 0;
    text_add(shown, "");
    add_shown(table, table_cell(table, row, column), shown);
    return shown->failed ? "" : shown->data;
}

/* Characters of UTF-8. */
static int table_width(const char *text)
{
    int n = 0;

    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

static bool reads_as_number(const struct table_cell *cell)
{
    double number;

    return cell->kind == TABLE_AS_IS
               ? text_to_number(cell->text, &number) || strstr(cell->text, "..")
               : cell->kind != TABLE_TEXT;
}

static bool is_numeric(const struct table *table, int column)
{
    bool any = false;

    for (int row = 0; row < table->n_rows; row++) {
        const struct table_cell *cell = table_cell(table, row, column);

        if (cell->kind == TABLE_NONE)
            continue;
        if (!reads_as_number(cell))
            return false;
        any = true;
    }
    return any;
}

/* ---- lines ---- */

static void pad(struct text *text, int n)
{
    for (int i = 0; i < n; i++)
        text_add(text, " ");
}

/* A line is a line, whatever a cell holds, and commands the terminal nothing. */
static void add_plain(struct text *text, const char *shown)
{
    for (; *shown; shown++)
        text_bytes(text, (unsigned char)*shown < ' ' || *shown == 0x7f ? " " : shown, 1);
}

/* The same without what Markdown takes for its own. */
static void add_markdown(struct text *text, const char *shown)
{
    for (; *shown; shown++) {
        if (*shown == '<' || *shown == '&')
            text_add(text, *shown == '<' ? "&lt;" : "&amp;");
        else if (*shown == '|' || *shown == '\\')
            text_format(text, "\\%c", *shown);
        else
            text_bytes(text, (unsigned char)*shown < ' ' || *shown == 0x7f ? " " : shown, 1);
    }
}

typedef void add_function(struct text *text, const char *shown);

/* How wide the columns are; NULL: out of memory. */
static int *widths_of(const struct table *table, add_function *add, int least)
{
    int *width = calloc((size_t)table->n_columns + 1, sizeof *width);
    struct text shown = {0}, written = {0};

    for (int i = 0; width && i < table->n_columns; i++) {
        width[i] = least;
        for (int row = -1; row < table->n_rows; row++) {
            int n;

            written.size = 0;
            text_add(&written, "");
            add(&written, shown_at(table, row, i, &shown));
            n = written.failed ? 0 : table_width(written.data);
            width[i] = n > width[i] ? n : width[i];
        }
    }
    text_free(&shown);
    text_free(&written);
    return width;
}

static void add_field(struct text *text, const char *shown, add_function *add, int width,
                      bool right, bool padded)
{
    struct text written = {0};
    int n;

    text_add(&written, "");
    add(&written, shown);
    n = written.failed ? 0 : width - table_width(written.data);
    pad(text, right ? n : 0);
    text_bytes(text, written.data, written.size);
    pad(text, right || !padded ? 0 : n);
    text->failed |= written.failed;
    text_free(&written);
}

void table_wrap(struct text *text, const char *list, int used, int width)
{
    while (*list) {
        const char *end = strstr(list, ", ");
        const size_t n = end ? (size_t)(end - list) : strlen(list);
        char *item = strndup(list, n);
        const int item_width = item ? table_width(item) : 0;

        if (used > 0 && text->size > 0 && text->data[text->size - 1] == ',') {
            const bool full = used + item_width + 2 > width;

            text_add(text, full ? "\n" : " ");
            used = full ? 0 : used + 1;
        }
        text->failed |= !item;
        text_add(text, item ? item : "");
        text_add(text, end ? "," : "");
        used += item_width + 1;
        list += end ? n + 2 : n;
        free(item);
    }
}

/* ---- terminal ---- */

static void render_lines(const struct table *table, const int *width, const bool *numeric,
                         struct text *text)
{
    struct text shown = {0};

    for (int row = -1; row < table->n_rows; row++)
        for (int i = 0; i < table->n_columns; i++) {
            const bool last = i + 1 == table->n_columns;

            add_field(text, shown_at(table, row, i, &shown), add_plain, width[i], numeric[i],
                      !last);
            text_add(text, last ? "\n" : "  ");
        }
    text_free(&shown);
}

/* Each row a block: what has no value is left out. */
static void render_blocks(const struct table *table, struct text *text)
{
    struct text shown = {0};
    int widest = 0;

    for (int i = 0; i < table->n_columns; i++)
        widest =
            table_width(table->column[i]) > widest ? table_width(table->column[i]) : widest;
    for (int row = 0; row < table->n_rows; row++) {
        text_add(text, row ? "\n" : "");
        for (int i = 0; i < table->n_columns; i++) {
            if (table_cell(table, row, i)->kind == TABLE_NONE)
                continue;
            add_field(text, table->column[i], add_plain, widest, false, true);
            text_add(text, "  ");
            add_plain(text, shown_at(table, row, i, &shown));
            text_add(text, "\n");
        }
    }
    text_free(&shown);
}

static void render_terminal(const struct table *table, const bool *numeric, int limit,
                            struct text *text)
{
    int *width = widths_of(table, add_plain, 0);
    int whole = -2;

    text->failed |= !width;
    for (int i = 0; width && i < table->n_columns; i++)
        whole += width[i] + 2;
    if (table->title)
        text_format(text, "%s\n", table->title);
    if (table->about)
        text_format(text, "%s\n", table->about);
    if (width && (whole <= limit || table->n_rows == 0))
        render_lines(table, width, numeric, text);
    else
        render_blocks(table, text);
    if (table->note)
        text_format(text, "%s\n", table->note);
    free(width);
}

/* ---- files ---- */

static void render_csv(const struct table *table, struct text *text)
{
    struct text shown = {0};

    for (int row = -1; row < table->n_rows; row++)
        for (int i = 0; i < table->n_columns; i++) {
            const bool in_full = row >= 0 && table_cell(table, row, i)->kind == TABLE_NUMBER;

            text_csv(text, in_full ? table_cell(table, row, i)->text
                                   : shown_at(table, row, i, &shown));
            text_add(text, i + 1 < table->n_columns ? "," : "\n");
        }
    text_free(&shown);
}

static void render_markdown(const struct table *table, const bool *numeric, struct text *text)
{
    int *width = widths_of(table, add_markdown, LEAST_WIDTH);
    struct text shown = {0};

    text_add(text, text->size ? "\n" : "");
    if (table->title) {
        text_add(text, "**");
        table_wrap(text, table->title, 2, PAGE_WIDTH);
        text_add(text, "**\n\n");
    }
    if (table->about)
        text_format(text, "%s\n\n", table->about);
    for (int row = -2; width && row < table->n_rows; row++) {
        for (int i = 0; i < table->n_columns; i++) {
            text_add(text, "| ");
            if (row == -1) {
                for (int k = 1; k < width[i]; k++)
                    text_add(text, "-");
                text_add(text, numeric[i] ? ": " : "- ");
                continue;
            }
            add_field(text, shown_at(table, row == -2 ? -1 : row, i, &shown), add_markdown,
                      width[i], numeric[i], true);
            text_add(text, " ");
        }
        text_add(text, "|\n");
    }
    if (table->note)
        text_format(text, "\n%s\n", table->note);
    text->failed |= !width;
    text_free(&shown);
    free(width);
}

int table_page_width(const struct table *table)
{
    int *width = widths_of(table, add_markdown, LEAST_WIDTH);
    int whole = 1;

    for (int i = 0; width && i < table->n_columns; i++)
        whole += width[i] + 3;
    free(width);
    return whole;
}

static void render_html(const struct table *table, const bool *numeric, struct text *text)
{
    static const char *const class[] = {"", " class=\"number\"", " class=\"printed\"",
                                        " class=\"printed number\""};
    struct text shown = {0};

    text_add(text, "<table>\n");
    if (table->title) {
        text_add(text, "<caption>");
        html_text(text, table->title);
        text_add(text, "</caption>\n");
    }
    text_add(text, "<thead>\n");
    for (int row = -1; row < table->n_rows; row++) {
        text_add(text, "<tr>");
        for (int i = 0; i < table->n_columns; i++) {
            const bool printed = table->printed && table->printed[i];
            const bool head = row < 0 || i == 0;

            text_format(text, "<%s%s>",
                        row < 0  ? "th scope=\"col\""
                        : i == 0 ? "th scope=\"row\""
                                 : "td",
                        class[2 * printed + (numeric[i] && !(row < 0 && printed))]);
            html_text(text, shown_at(table, row, i, &shown));
            text_add(text, head ? "</th>" : "</td>");
        }
        text_add(text, row < 0 ? "</tr>\n</thead>\n<tbody>\n" : "</tr>\n");
    }
    text_add(text, "</tbody>\n</table>\n");
    text_free(&shown);
}

void table_render(const struct table *table, enum table_format format, int width,
                  struct text *text)
{
    bool *numeric = calloc((size_t)table->n_columns + 1, sizeof *numeric);

    text->failed |= !numeric;
    for (int i = 0; numeric && i < table->n_columns; i++)
        numeric[i] = is_numeric(table, i);
    if (!numeric)
        return;
    if (format == TABLE_TERMINAL)
        render_terminal(table, numeric, width, text);
    else if (format == TABLE_CSV)
        render_csv(table, text);
    else if (format == TABLE_MARKDOWN)
        render_markdown(table, numeric, text);
    else
        render_html(table, numeric, text);
    free(numeric);
}

/* table.c - a table for the terminal, a spreadsheet, a page of text, a browser, a program */
#include "harness/analysis/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS       6  /* of a number that people read */
#define LEAST_WIDTH  3  /* of a column in Markdown: the rule below its name */
#define LEAST_FOLDED 30 /* room for a text that goes on in the next line */

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
    *text = sentence ? strdup(sentence) : NULL;
    table->failed |= sentence && !*text;
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

enum bench_status table_format_of(const char *name, enum table_format *format)
{
    static const char *const names[] = {"text", "csv", "md", "html", "json"};

    for (int i = 0; i < 5; i++)
        if (!strcmp(name, names[i])) {
            *format = (enum table_format)i;
            return BENCH_OK;
        }
    return BENCH_FAIL(BENCH_EINPUT, "-f %s: expected text, csv, md, html or json", name);
}

/* ---- what people read ---- */

/* Characters of UTF-8. */
static int width_in(const char *text, size_t n_bytes)
{
    int n = 0;

    for (size_t i = 0; i < n_bytes; i++)
        n += (text[i] & 0xc0) != 0x80;
    return n;
}

static int width_of(const char *text)
{
    return width_in(text, strlen(text));
}

static bool is_numeric(const struct table *table, int column)
{
    double number;
    int n = 0;

    for (int row = 0; row < table->n_rows; row++) {
        const struct table_cell *const cell = table_cell(table, row, column);

        if (cell->kind == TABLE_TEXT ||
            (cell->kind == TABLE_AS_IS && !text_to_number(cell->text, &number) &&
             !strstr(cell->text, "..")))
            return false;
        n += cell->kind != TABLE_NONE;
    }
    return n > 0;
}

void table_fold(struct text *text, const char *sentence, int used, int width)
{
    for (int at = used; *sentence;) {
        const size_t n_blanks = strspn(sentence, " "), n = strcspn(sentence + n_blanks, " ");
        const int n_word = width_in(sentence + n_blanks, n);
        const bool is_full = at > used && at + (int)n_blanks + n_word > width;

        text_format(text, is_full ? "\n%*s" : "%*s", is_full ? used : (int)n_blanks, "");
        text_bytes(text, sentence + n_blanks, n);
        at = (is_full ? used : at + (int)n_blanks) + n_word;
        sentence += n_blanks + n;
    }
}

void table_wrap(struct text *text, const char *list, int used, int width)
{
    for (bool is_first = true; *list; is_first = false) {
        const char *const end = strstr(list, ", ");
        const size_t n = end ? (size_t)(end - list) : strlen(list);
        const int n_item = width_in(list, n);

        if (!is_first) {
            const bool is_full = used + n_item + 2 > width;

            text_add(text, is_full ? "\n" : " ");
            used = is_full ? 0 : used + 1;
        }
        text_bytes(text, list, end ? n + 1 : n);
        used += n_item + 1;
        list += end ? n + 2 : n;
    }
}

/* ---- formats ---- */

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
        const char byte[] = {*shown, '\0'};

        text_add(text, *shown == '|' || *shown == '\\' ? "\\" : "");
        add_plain(text, *shown == '<' ? "&lt;" : *shown == '&' ? "&amp;" : byte);
    }
}

/* By format: how a text becomes one of it, what stands around cells and sentences. */
static void (*const add[])(struct text *text, const char *shown) = {add_plain, text_csv,
                                                                    add_markdown, text_html};
static const char *const row_marks[][3] = {
    {"", "  ", "\n"}, {"", ",", "\n"}, {"| ", " | ", " |\n"}, {"<tr>", "", "</tr>\n"}};
static const char *const title_marks[][2] = {
    {"", "\n"}, {NULL}, {"**", "**\n\n"}, {"<caption>", "</caption>\n"}};
static const char *const about_marks[][2] = {{"", "\n"}, {NULL}, {"", "\n\n"}, {NULL}};
static const char *const note_marks[][2] = {{"", "\n"}, {NULL}, {"\n", "\n"}, {NULL}};

struct column {
    int width;
    bool is_numeric;
};

/* A table on its way into a text. */
struct page {
    const struct table *table;
    enum table_format format;
    struct text *text;
    struct text cell; /* the last, as the format has it */
    struct column *column;
    int width; /* of all of them, with two blanks behind each */
    int room;  /* in a line of the terminal */
};

/* Returns the text in a row, or the name of a column in row -1. */
static const char *cell_of(struct page *page, int row, int column)
{
    const struct table *const table = page->table;
    const struct table_cell *const cell = row < 0 ? NULL : table_cell(table, row, column);
    const char *shown = cell ? cell->text : table->column[column];
    char number[TEXT_NUMBER];

    if (cell && cell->kind == TABLE_NUMBER && page->format != TABLE_CSV &&
        strpbrk(shown, ".e")) {
        text_short_number(number, cell->number, DIGITS);
        shown = number;
    }
    page->cell.size = 0;
    text_add(&page->cell, "");
    add[page->format](&page->cell, shown ? shown : "");
    page->text->failed |= page->cell.failed;
    return page->cell.data ? page->cell.data : "";
}

static bool page_begin(struct page *page)
{
    const bool is_padded = page->format == TABLE_TERMINAL || page->format == TABLE_MARKDOWN;
    const int n = page->table->n_columns;

    page->column = calloc((size_t)n + 1, sizeof *page->column);
    page->text->failed |= !page->column;
    for (int i = 0; i < n && page->column; i++) {
        struct column *const column = &page->column[i];

        column->is_numeric = is_numeric(page->table, i);
        column->width = page->format == TABLE_MARKDOWN ? LEAST_WIDTH : 0;
        for (int row = -1; row < page->table->n_rows && is_padded; row++) {
            const int width = width_of(cell_of(page, row, i));

            column->width = width > column->width ? width : column->width;
        }
        page->width += column->width + 2;
    }
    return page->column;
}

/* A cell as wide as its column. */
static void add_field(struct page *page, int row, int column, bool is_right)
{
    const char *const cell = cell_of(page, row, column);
    const int n = page->column[column].width - width_of(cell), n_blanks = n > 0 ? n : 0;

    text_format(page->text, "%*s%s%*s", is_right ? n_blanks : 0, "", cell,
                is_right ? 0 : n_blanks, "");
}

static void add_html(struct page *page, int row, int column)
{
    static const char *const class[] = {"", " class=\"number\"", " class=\"printed\"",
                                        " class=\"printed number\""};
    const bool is_printed = page->table->printed && page->table->printed[column];
    const bool is_number = page->column[column].is_numeric && !(row < 0 && is_printed);
    const char *const head = row < 0 ? "th scope=\"col\"" : "th scope=\"row\"";
    const bool is_head = row < 0 || column == 0;

    text_format(page->text, "<%s%s", is_head ? head : "td", class[2 * is_printed + is_number]);
    if (!is_head) { /* for a narrow page, where each row is a list */
        text_add(page->text, " data-head=\"");
        text_html(page->text, page->table->column[column]);
        text_add(page->text, "\"");
    }
    text_format(page->text, ">%s</%s>", cell_of(page, row, column), is_head ? "th" : "td");
}

/* A row: the first column, and those from 'from' to before 'to'. */
static void add_row(struct page *page, int row, int from, int to)
{
    const char *const *const around = row_marks[page->format];
    int used = 0;

    for (int i = 0; i<to; i = i> 0 ? i + 1 : from) {
        text_add(page->text, around[i > 0]);
        if (page->format == TABLE_HTML)
            add_html(page, row, i);
        else if (page->format == TABLE_TERMINAL && i + 1 == to && !page->column[i].is_numeric)
            table_fold(page->text, cell_of(page, row, i), used, page->room);
        else
            add_field(page, row, i, page->column[i].is_numeric);
        used += page->column[i].width + 2;
    }
    text_add(page->text, around[2]);
}

/* True if a column and the one before it are of one group: their names begin with the same
 * word, as "GPU printed" and "GPU here". */
static bool is_of_group(const struct table *table, int column)
{
    const char *const name = table->column[column], *const before = table->column[column - 1];
    const size_t n = strcspn(name, " ");

    return n == strcspn(before, " ") && !strncmp(name, before, n);
}

/* True if a row has any text there; the names of columns are row -1. */
static bool has_text(const struct table *table, int row, int from, int to)
{
    bool has = row < 0;

    for (int i = from; i < to && !has; i++)
        has = table_cell(table, row, i)->text != NULL;
    return has;
}

/* All rows, in as many parts as lines have no room for, each with the first column; but for the
 * first without the rows that are empty there.  A group stays together where it has room. */
static void add_parts(struct page *page)
{
    const struct table *const table = page->table;
    const int n = table->n_columns;

    int from = 1, to;

    do {
        int used = page->column[0].width;

        for (to = from; to < n && (used += 2 + page->column[to].width) <= page->room;)
            to++;
        for (int i = to; to < n && i > from; i--)
            if (!is_of_group(table, i)) {
                to = i;
                break;
            }
        to = to > from ? to : from + 1 < n ? from + 1 : n;
        text_add(page->text, from > 1 ? "\n" : "");
        for (int row = -1; row < table->n_rows; row++)
            if (from == 1 || has_text(table, row, from, to))
                add_row(page, row, from, to);
        from = to;
    } while (to < n);
}

/* Each row a block: what has no value is left out. */
static void add_blocks(struct page *page)
{
    const struct table *const table = page->table;
    int most = 0;

    for (int i = 0; i < table->n_columns; i++) {
        const int n = width_of(table->column[i]);

        most = n > most ? n : most;
    }
    for (int row = 0; row < table->n_rows; row++) {
        text_add(page->text, row ? "\n" : "");
        for (int i = 0; i < table->n_columns; i++) {
            page->column[i].width = most;
            if (!table_cell(table, row, i)->text)
                continue;
            add_field(page, -1, i, false);
            text_add(page->text, "  ");
            table_fold(page->text, cell_of(page, row, i), most + 2, page->room);
            text_add(page->text, "\n");
        }
    }
}

/* A sentence, where there is one, as the format has it. */
static void say(struct page *page, const char *sentence, const char *const around[2])
{
    if (sentence && around[0]) {
        page->cell.size = 0;
        add[page->format](&page->cell, sentence);
        text_add(page->text, around[0]);
        if (page->format == TABLE_TERMINAL)
            table_fold(page->text, page->cell.data, 0, page->room);
        else
            text_add(page->text, page->cell.data);
        text_add(page->text, around[1]);
    }
}

static void add_rule(const struct page *page)
{
    for (int i = 0; i < page->table->n_columns; i++) {
        text_add(page->text, "| ");
        for (int k = 1; k < page->column[i].width; k++)
            text_add(page->text, "-");
        text_add(page->text, page->column[i].is_numeric ? ": " : "- ");
    }
    text_add(page->text, "|\n");
}

/* True if rows must become blocks: a column has no room beside the first, also where the words
 * of the last may be folded; or a single row has many. */
static bool is_wide(const struct page *page)
{
    const int n = page->table->n_columns, n_rows = page->table->n_rows;
    bool is_one = n_rows == 1 && page->width - 2 > page->room;

    for (int i = 0; i < n && n_rows > 0; i++) {
        const struct column *const column = &page->column[i];
        const bool is_folded =
            i + 1 == n && !column->is_numeric && column->width > LEAST_FOLDED;
        const int before = i ? page->column[0].width + 2 : 0;

        is_one |= before + (is_folded ? LEAST_FOLDED : column->width) > page->room;
    }
    return is_one;
}

/* A string of JSON. */
static void add_string(struct text *text, const char *shown)
{
    text_add(text, "\"");
    for (; *shown; shown++)
        if ((unsigned char)*shown < ' ')
            text_format(text, "\\u%04x", *shown);
        else
            text_format(text, strchr("\"\\", *shown) ? "\\%c" : "%c", *shown);
    text_add(text, "\"");
}

/* All rows, an object each. */
static void add_json(const struct table *table, struct text *text)
{
    text_add(text, "[");
    for (int row = 0; row < table->n_rows; row++)
        for (int i = 0; i < table->n_columns; i++) {
            const struct table_cell *const cell = table_cell(table, row, i);

            text_add(text, i ? ", " : row ? "},\n{" : "\n{");
            add_string(text, table->column[i]);
            text_add(text, ": ");
            if (cell->kind == TABLE_NUMBER || cell->kind == TABLE_NONE)
                text_add(text, cell->kind == TABLE_NUMBER ? cell->text : "null");
            else
                add_string(text, cell->text);
        }
    text_add(text, table->n_rows ? "}\n]\n" : "]\n");
}

void table_render(const struct table *table, enum table_format format, int width,
                  struct text *text)
{
    const bool is_html = format == TABLE_HTML, is_markdown = format == TABLE_MARKDOWN;
    const bool is_text = format == TABLE_TERMINAL;
    struct page page = {.table = table, .format = format, .text = text, .room = width};
    bool is_begun;

    if (format == TABLE_JSON) {
        add_json(table, text);
        return;
    }
    is_begun = page_begin(&page);
    text_add(text, is_html ? "<table>\n" : is_markdown && text->size ? "\n" : "");
    say(&page, table->title, title_marks[format]);
    say(&page, table->about, about_marks[format]);
    text_add(text, is_html ? "<thead>\n" : "");
    if (is_begun && is_text)
        (is_wide(&page) ? add_blocks : add_parts)(&page);
    for (int row = -1; row < table->n_rows && is_begun && !is_text; row++) {
        add_row(&page, row, 1, table->n_columns);
        if (row < 0 && is_markdown)
            add_rule(&page);
        text_add(text, row < 0 && is_html ? "</thead>\n<tbody>\n" : "");
    }
    say(&page, table->note, note_marks[format]);
    text_add(text, is_html ? "</tbody>\n</table>\n" : "");
    free(page.column);
    text_free(&page.cell);
}

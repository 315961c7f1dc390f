/*
 * html.c - texts, tables and pictures as parts of an HTML page
 */
#include "harness/analysis/html.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRINTED \
    " printed" /* with this `depthbench show` ends the head of a column of the paper's numbers */

/* ---- text ---- */

/* The length of the UTF-8 character at 'at', 0 where there is none. */
static int character(const unsigned char *at)
{
    const int n = at[0] < 0x80                    ? 1
                  : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                  : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                  : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                  : 0;

    for (int i = 1; i < n; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return n;
}

static void add_text(struct text *page, const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        const unsigned char *at = (const unsigned char *)text + i;
        const int n = character(at);

        if (n == 0 || (n == 1 && (*at < ' ' || *at == 0x7f) && *at != '\n' && *at != '\t'))
            text_add(page, "\xef\xbf\xbd");
        else if (*at == '&')
            text_add(page, "&amp;");
        else if (*at == '<')
            text_add(page, "&lt;");
        else if (*at == '>')
            text_add(page, "&gt;");
        else if (*at == '"')
            text_add(page, "&quot;");
        else if (*at == '\'')
            text_add(page, "&#39;");
        else
            text_bytes(page, at, (size_t)n);
        i += n > 0 ? (size_t)n : 1;
    }
}

void html_text(struct text *page, const char *text)
{
    add_text(page, text, strlen(text));
}

void html_format(struct text *page, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    int n;

    va_start(arguments, format);
    n = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (n < 0) {
        page->failed = true;
        return;
    }
    html_text(page, text);
    free(text);
}

void html_prose(struct text *page, const char *sentence)
{
    bool code = false;

    while (*sentence) {
        const size_t n = strcspn(sentence, "`");
        const bool closes = sentence[n] && (code || strchr(sentence + n + 1, '`'));

        add_text(page, sentence, n);
        if (!sentence[n])
            break;
        text_add(page, !closes ? "`" : code ? "</code>" : "<code>");
        code = closes && !code;
        sentence += n + 1;
    }
}

/* ---- tables ---- */

struct cells {
    const char *start;
    size_t size;
};

#define MAX_CELLS 128

/* The cells of a line "| a | b |". */
static int split(const char *line, size_t size, struct cells cell[MAX_CELLS])
{
    int n = 0;

    for (size_t i = 1; i < size && n < MAX_CELLS;) {
        const char *start = line + i;
        const char *bar = memchr(start, '|', size - i);
        size_t length = bar ? (size_t)(bar - start) : size - i;

        i += length + 1;
        if (!bar)
            break;
        while (length > 0 && *start == ' ')
            start++, length--;
        while (length > 0 && start[length - 1] == ' ')
            length--;
        cell[n++] = (struct cells){start, length};
    }
    return n;
}

static bool ends_with(const struct cells *cell, const char *end)
{
    const size_t n = strlen(end);

    return cell->size > n && !memcmp(cell->start + cell->size - n, end, n);
}

struct writer {
    struct text *page;
    const char *name;
    struct html_tables *found;
    int n_open;
    bool in_details, in_table; /* <details>, <table> is open */
    bool after_title;          /* the next paragraph is what all tables have in common */
    bool right[MAX_CELLS], printed[MAX_CELLS];
    struct text caption;   /* of the table to come */
    struct text paragraph; /* the lines of the one that is being read */
};

static const char *line_end(const char *line)
{
    return line + strcspn(line, "\n");
}

static void open_details(struct writer *w)
{
    if (w->in_details)
        return;
    text_add(w->page, "<details class=\"more\"><summary>More of it: other inputs, scopes and "
                      "values</summary>\n");
    w->in_details = true;
}

static void open_table(struct writer *w, const char *header)
{
    const char *rule = *line_end(header) ? line_end(header) + 1 : "";
    struct cells title[MAX_CELLS], dash[MAX_CELLS];
    const int n = split(header, strcspn(header, "\n"), title);
    const int n_dashes = split(rule, strcspn(rule, "\n"), dash);
    const bool is_plain = w->caption.size == 0;

    if (w->found->n_tables >= w->n_open)
        open_details(w);
    w->found->n_tables++;
    text_add(w->page, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
    html_format(w->page, "Table %d of %s", w->found->n_tables, w->name);
    text_add(w->page, "\"><table>\n<caption>");
    html_text(w->page, is_plain ? w->name : w->caption.data);
    text_add(w->page, "</caption>\n<thead><tr>");
    w->after_title = false;
    for (int i = 0; i < n; i++) {
        w->right[i] = i < n_dashes && ends_with(&dash[i], ":");
        w->printed[i] = ends_with(&title[i], PRINTED) ||
                        (title[i].size == strlen(PRINTED) - 1 &&
                         !memcmp(title[i].start, &PRINTED[1], title[i].size));
        text_format(w->page, "<th scope=\"col\"%s>",
                    w->printed[i] ? " class=\"printed\""
                    : w->right[i] ? " class=\"number\""
                                  : "");
        add_text(w->page, title[i].start, title[i].size);
        text_add(w->page, "</th>");
    }
    text_add(w->page, "</tr></thead>\n<tbody>\n");
    text_free(&w->caption);
    w->in_table = true;
}

static void add_row(struct writer *w, const char *line)
{
    struct cells cell[MAX_CELLS];
    const int n = split(line, strcspn(line, "\n"), cell);

    w->found->n_rows++;
    text_add(w->page, "<tr>");
    for (int i = 0; i < n; i++) {
        text_format(w->page, i == 0 ? "<th scope=\"row\"%s>" : "<td%s>",
                    w->printed[i] && w->right[i] ? " class=\"printed number\""
                    : w->printed[i]              ? " class=\"printed\""
                    : w->right[i]                ? " class=\"number\""
                                                 : "");
        add_text(w->page, cell[i].start, cell[i].size);
        text_add(w->page, i == 0 ? "</th>" : "</td>");
    }
    text_add(w->page, "</tr>\n");
}

static void close_table(struct writer *w)
{
    if (w->in_table)
        text_add(w->page, "</tbody></table></div>\n");
    w->in_table = false;
}

/* What stands between tables: the last of it is the caption. */
static void close_paragraph(struct writer *w, bool last)
{
    if (w->paragraph.size == 0)
        return;
    if (last) {
        text_free(&w->found->caption);
        w->found->caption = w->paragraph;
        w->paragraph = (struct text){0};
        return;
    }
    text_add(w->page, w->after_title ? "<details class=\"more fixed\"><summary>Held "
                                       "fixed</summary>\n<p class=\"note\">"
                                     : "<p class=\"note\">");
    html_prose(w->page, w->paragraph.data);
    text_add(w->page, w->after_title ? "</p>\n</details>\n" : "</p>\n");
    w->after_title = false;
    text_free(&w->paragraph);
}

/* "### rdp/fig9: Run time against column height"; tables after a second title (another scope) are folded. */
static void add_title(struct writer *w, const char *line, size_t size)
{
    const char *colon = memchr(line, ':', size);
    const char *title = colon && colon[1] == ' ' ? colon + 2 : line + strspn(line, "# ");

    close_paragraph(w, false);
    if (w->found->n_tables > 0)
        open_details(w);
    text_add(w->page, "<p class=\"shown\">");
    add_text(w->page, title, size - (size_t)(title - line));
    text_add(w->page, "</p>\n");
    w->after_title = true;
}

static void add_plain(struct writer *w, const char *line, size_t size)
{
    const bool bold = size > 4 && !memcmp(line, "**", 2) && !memcmp(line + size - 2, "**", 2);

    if (bold) {
        close_paragraph(w, false);
        text_free(&w->caption);
        text_bytes(&w->caption, line + 2, size - 4);
        w->after_title = false;
    } else {
        text_add(&w->paragraph, w->paragraph.size ? " " : "");
        text_bytes(&w->paragraph, line, size);
    }
}

void html_tables(struct text *page, const char *markdown, const char *name, int n_open,
                 struct html_tables *found)
{
    struct writer w = {.page = page, .name = name, .found = found, .n_open = n_open};

    for (const char *line = markdown, *next; *line; line = next) {
        const char *end = line_end(line);
        const size_t size = (size_t)(end - line);

        next = *end ? end + 1 : end;
        if (line[0] == '|' && !w.in_table) {
            close_paragraph(&w, false);
            open_table(&w, line);
            end = line_end(next); /* the rule below the head */
            next = *end ? end + 1 : end;
        } else if (line[0] == '|') {
            add_row(&w, line);
        } else {
            close_table(&w);
            if (size == 0)
                close_paragraph(&w, *next == '\0');
            else if (line[0] == '#')
                add_title(&w, line, size);
            else
                add_plain(&w, line, size);
        }
    }
    close_table(&w);
    close_paragraph(&w, true);
    if (w.in_details)
        text_add(page, "</details>\n");
    page->failed |= w.caption.failed || w.paragraph.failed;
    text_free(&w.caption);
    text_free(&w.paragraph);
}

/* ---- pictures ---- */

void html_base64(struct text *page, const void *bytes, size_t n_bytes)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *in = bytes;

    for (size_t i = 0; i < n_bytes; i += 3) {
        const size_t n = n_bytes - i < 3 ? n_bytes - i : 3;
        const uint32_t three = (uint32_t)in[i] << 16 | (n > 1 ? (uint32_t)in[i + 1] << 8 : 0) |
                               (n > 2 ? in[i + 2] : 0);
        const char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                              n > 1 ? digits[three >> 6 & 63] : '=',
                              n > 2 ? digits[three & 63] : '='};

        text_bytes(page, four, sizeof four);
    }
}

/* Width and height in pixels from a PNG's header, or an SVG's viewBox; false: none there. */
static bool size_of(const struct text *file, bool png, int *width, int *height)
{
    const unsigned char *at = (const unsigned char *)file->data;
    const char *box;
    double w, h;

    if (png) {
        if (file->size < 24)
            return false;
        *width = at[18] << 8 | at[19];
        *height = at[22] << 8 | at[23];
        return *width > 0 && *height > 0;
    }
    box = strstr(file->data, "viewBox=\"");
    if (!box || sscanf(box, "viewBox=\"%*f %*f %lf %lf", &w, &h) != 2 || !(w >= 1 && w < 1e5) ||
        !(h >= 1 && h < 1e5))
        return false;
    *width = (int)w;
    *height = (int)h;
    return true;
}

enum bench_status html_image(struct text *page, const char *path, const char *alt)
{
    struct text file = {0};
    int width, height;
    bool png;

    TRY(text_read_file(path, &file));
    png = file.size > 8 && !memcmp(file.data, "\x89PNG\r\n\x1a\n", 8);
    if ((!png && !(file.size > 5 && strstr(file.data, "<svg"))) ||
        !size_of(&file, png, &width, &height)) {
        text_free(&file);
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected a PNG or an SVG with a viewBox", path);
    }
    text_format(page, "<img width=\"%d\" height=\"%d\" alt=\"", width, height);
    html_text(page, alt);
    text_format(page, "\" src=\"data:image/%s;base64,", png ? "png" : "svg+xml");
    html_base64(page, file.data, file.size);
    text_add(page, "\">");
    text_free(&file);
    return BENCH_OK;
}

/*
 * html.c - texts and pictures as parts of an HTML page
 */
#include "harness/analysis/html.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

    va_start(arguments, format);
    while (*format) {
        const size_t n = strcspn(format, "%");
        int most = -1;

        text_bytes(page, format, n);
        format += n;
        if (!*format++)
            break;
        if (*format == '.') {
            most = format[1] == '*' ? va_arg(arguments, int) : format[1] - '0';
            format += 2;
        }
        if (*format == 's') {
            const char *text = va_arg(arguments, const char *);

            add_text(page, text, most < 0 ? strlen(text) : strnlen(text, (size_t)most));
        } else if (*format == 'd') {
            text_format(page, "%d", va_arg(arguments, int));
        } else {
            text_add(page, "%");
        }
        format += *format != '\0';
    }
    va_end(arguments);
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

/* html.c - texts and pictures as parts of an HTML page */
#include "harness/analysis/html.h"

#include <string.h>

static void add_text(struct text *page, const char *text, const char *special)
{
    static const char *const instead[] = {['&'] = "&amp;",  ['<'] = "&lt;",   ['>'] = "&gt;",
                                          ['"'] = "&quot;", ['\''] = "&#39;", ['`'] = "`"};
    bool code = false;
    size_t n;

    for (; text_bytes(page, text, n = strcspn(text, special)), text[n]; text += n + 1)
        if (text[n] == '`' && (code || strchr(text + n + 1, '`'))) {
            text_add(page, code ? "</code>" : "<code>");
            code = !code;
        } else {
            text_add(page, instead[(unsigned char)text[n]]);
        }
}

void html_text(struct text *page, const char *text)
{
    add_text(page, text, "&<>\"'");
}

void html_prose(struct text *page, const char *sentence)
{
    add_text(page, sentence, "&<>\"'`");
}

static void add_base64(struct text *page, const unsigned char *in, size_t n_bytes)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < n_bytes; i += 3) {
        const size_t n = n_bytes - i;
        const unsigned three =
            in[i] * 65536U + (n > 1 ? in[i + 1] * 256U : 0) + (n > 2 ? in[i + 2] : 0U);

        text_format(page, "%c%c%c%c", digits[three >> 18], digits[three >> 12 & 63],
                    n > 1 ? digits[three >> 6 & 63] : '=', n > 2 ? digits[three & 63] : '=');
    }
}

enum bench_status html_image(struct text *page, const char *path)
{
    struct text file = {0};
    enum bench_status status;
    bool is_png;

    TRY(text_read_file(path, &file));
    is_png = !strncmp(file.data, "\x89PNG\r\n\x1a\n", 8);
    status = is_png || strstr(file.data, "<svg")
                 ? BENCH_OK
                 : BENCH_FAIL(BENCH_EINPUT, "%s: expected a PNG or an SVG", path);
    if (!status) {
        text_format(page, "data:image/%s;base64,", is_png ? "png" : "svg+xml");
        add_base64(page, (const unsigned char *)file.data, file.size);
    }
    text_free(&file);
    return status;
}

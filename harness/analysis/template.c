/*
 * template.c - from a page with questions in it to questions that answer with the page
 *
 *     {{EXPRESSION}}          its text, escaped; {{html EXPRESSION}}: as it is
 *     {{SELECT ...}}          the one value of the answer, or "not recorded"
 *     {{for ROW: SELECT ...}} ... {{end}}   once a row of the answer, with columns ROW.COLUMN
 *     {{if EXPRESSION}} ... {{end}}          once or never
 *     {{table ROW: SELECT ...}} ... {{end}} nothing, but from then on a table ROW has these
 *     rows, each with its text as "html"
 *
 * The end of the line behind for, if, table and end is not on the page.  Expressions have three
 * functions more: prose(text) is HTML, `words` are code; image(path) is a PNG as a data: URL,
 * size(path) its size, as "WIDTH HEIGHT"; drawing(path) is the text of an SVG; html(text) is
 * escaped.
 */
#include "harness/analysis/query.h"
#include "harness/analysis/report.h"

#include <string.h>

/* ---- functions ---- */

static enum bench_status add_html(struct text *page, const char *text)
{
    text_html(page, text);
    return text_ok(page);
}

static enum bench_status add_prose(struct text *page, const char *sentence)
{
    OWNED(text_free) struct text html = {0};
    const char *at, *code, *end;

    TRY(add_html(&html, sentence));
    for (at = html.data; (code = strchr(at, '`')) && (end = strchr(code + 1, '`'));
         at = end + 1)
        text_format(page, "%.*s<code>%.*s</code>", (int)(code - at), at, (int)(end - code - 1),
                    code + 1);
    text_add(page, at);
    return text_ok(page);
}

static enum bench_status add_drawing(struct text *page, const char *path)
{
    OWNED(text_free) struct text file = {0};

    TRY(text_read_file(path, &file));
    text_add(page, file.data);
    return text_ok(page);
}

/* Adds a PNG as a data: URL. */
static enum bench_status add_image(struct text *page, const char *path)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    OWNED(text_free) struct text file = {0};
    const unsigned char *bytes;

    TRY(text_read_file(path, &file));
    bytes = (const unsigned char *)file.data;
    text_add(page, "data:image/png;base64,");
    for (size_t i = 0; i < file.size; i += 3) {
        const size_t n = file.size - i;
        const unsigned three = bytes[i] * 65536U + (n > 1 ? bytes[i + 1] * 256U : 0U) +
                               (n > 2 ? bytes[i + 2] : 0U);
        const char four[] = {digits[three >> 18], digits[three >> 12 & 63],
                             n > 1 ? digits[three >> 6 & 63] : '=',
                             n > 2 ? digits[three & 63] : '='};

        text_bytes(page, four, sizeof four);
    }
    return text_ok(page);
}

/* Adds the size of a PNG, which its head has. */
static enum bench_status add_size(struct text *page, const char *path)
{
    OWNED(text_free) struct text file = {0};
    const unsigned char *head;

    TRY(text_read_file(path, &file));
    head = (const unsigned char *)file.data;
    if (file.size >= 24)
        text_format(page, "%d %d", head[18] * 256 + head[19], head[22] * 256 + head[23]);
    return text_ok(page);
}

static const struct function {
    const char *name;
    enum bench_status (*add)(struct text *page, const char *text);
} functions[] = {{"html", add_html},
                 {"prose", add_prose},
                 {"image", add_image},
                 {"drawing", add_drawing},
                 {"size", add_size}};

static void call(sqlite3_context *context, int n, sqlite3_value **value)
{
    const struct function *const function = sqlite3_user_data(context);
    const char *const text = (const char *)sqlite3_value_text(value[0]);
    OWNED(text_free) struct text page = {0};

    (void)n;
    text_add(&page, "");
    if (function->add(&page, text ? text : "") != BENCH_OK)
        sqlite3_result_error(context, bench_failure(), -1);
    else
        sqlite3_result_text(context, page.data, (int)page.size, SQLITE_TRANSIENT);
}

/* ---- from tags to SQL ---- */

/* A tag begins with this word and becomes SQL: before its body, if it has one, and behind that
 * with the rest of the tag, twice, or with the question and the name before its colon. */
static const struct {
    const char *word, *before, *behind;
} tags[] = {{"for ", "(SELECT coalesce(group_concat(", ", ''), '') FROM (%.*s) AS %.*s)"},
            {"if ", "coalesce((SELECT ", " WHERE %.*s), '')"},
            {"table ", "CREATE TEMP TABLE %.*s AS SELECT *, ", " AS html FROM (%.*s) AS %.*s"},
            {"html ", NULL, "coalesce(%.*s, '')"},
            {"SELECT ", NULL, "html(coalesce((SELECT %.*s), 'not recorded'))"},
            {"", NULL, "html(%.*s)"}};

static bool begins(const char *at, const char *word)
{
    return !strncmp(at, word, strlen(word));
}

static const char *add_body(const char *at, struct text *sql);

/* Adds a tag of n characters with its body; returns the place behind it. */
static const char *add_tag(const char *tag, size_t n, struct text *sql)
{
    const bool is_named = begins(tag, "for ") || begins(tag, "table ");
    const char *const end = tag + n, *behind = end + 2, *name, *words;
    int i = 0, n_name;

    while (!begins(tag, tags[i].word))
        i++;
    name = tag + strlen(tags[i].word);
    n_name = is_named ? (int)strcspn(name, ":") : (int)(end - name);
    words = is_named ? name + n_name + 1 : name;
    if (tags[i].before) {
        query_add(sql, tags[i].before, n_name, name);
        behind = add_body(behind + (*behind == '\n'), sql);
    }
    query_add(sql, tags[i].behind, (int)(end - words), words, n_name, name);
    return behind;
}

/* Adds the text or the tag at 'at'; returns the place behind it. */
static const char *add_piece(const char *at, struct text *sql)
{
    const char *const tag = strstr(at, "{{"), *const end = tag ? strstr(tag, "}}") : NULL;
    const size_t n = end ? (size_t)(tag - at) : strlen(at);

    if (n == 0)
        return add_tag(at + 2, (size_t)(end - at - 2), sql);
    query_add(sql, "%.*Q", (int)n, at);
    return at + n;
}

/* Adds all that stands before the next {{end}}; returns the place behind it. */
static const char *add_body(const char *at, struct text *sql)
{
    text_add(sql, "''");
    while (*at && !begins(at, "{{end}}")) {
        text_add(sql, " || ");
        at = add_piece(at, sql);
    }
    at += *at ? strlen("{{end}}") : 0;
    return at + (*at == '\n');
}

/* ---- the page ---- */

void template_functions(struct store *store)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        sqlite3_create_function(store_database(store), functions[i].name, 1, SQLITE_UTF8,
                                (void *)&functions[i], call, NULL, NULL);
}

enum bench_status template_add(struct store *store, const unsigned char *template,
                               size_t n_bytes, struct text *page)
{
    OWNED(text_free) struct text all = {0};

    template_functions(store);
    text_bytes(&all, template, n_bytes);
    TRY(text_ok(&all));
    for (const char *at = all.data; at && *at;) {
        const bool is_table = begins(at, "{{table ");
        OWNED(table_free) struct table answer = {0};
        OWNED(text_free) struct text sql = {0};

        text_add(&sql, is_table ? "" : "SELECT ");
        at = add_piece(at, &sql);
        TRY(is_table ? query_run(store, &sql) : query_ask(store, &sql, &answer));
        text_add(page, answer.n_rows && answer.cell->text ? answer.cell->text : "");
    }
    return text_ok(page);
}

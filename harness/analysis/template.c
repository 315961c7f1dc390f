/* template.c - from a page with questions in it to a page */
#include "harness/analysis/template.h"

#include "harness/analysis/html.h"

#include <stdlib.h>
#include <string.h>

/* A row that is at hand, and the one around it. */
struct frame {
    sqlite3_stmt *row;
    const struct frame *outer;
};

struct template
{
    struct store *store;
    const char *all;
    struct text *page;
};

static enum bench_status add(const struct template *t, const char *at, const char *end,
                             const struct frame *frame);

/* ---- questions ---- */

static enum bench_status find_column(const char *name, const struct frame **frame, int *column)
{
    for (; *frame; *frame = (*frame)->outer)
        for (*column = 0; *column < sqlite3_column_count((*frame)->row); ++*column)
            if (!strcmp(sqlite3_column_name((*frame)->row, *column), name))
                return BENCH_OK;
    return BENCH_FAIL(BENCH_EINPUT, "a page's template: no column is called '%.60s'", name);
}

static enum bench_status bind(const struct frame *frame, sqlite3_stmt *answer)
{
    for (int i = 1; i <= sqlite3_bind_parameter_count(answer); i++) {
        const struct frame *of = frame;
        int column = 0;

        TRY(find_column(sqlite3_bind_parameter_name(answer, i) + 1, &of, &column));
        sqlite3_bind_value(answer, i, sqlite3_column_value(of->row, column));
    }
    return BENCH_OK;
}

/* The body once for each row of the answer. */
static enum bench_status add_rows(const struct template *t, const char *sql, const char *body,
                                  const char *end, const struct frame *frame)
{
    struct frame inner = {.outer = frame};
    enum bench_status status = store_prepare(t->store, sql, &inner.row);
    bool more = true;

    if (!status)
        status = bind(frame, inner.row);
    while (!status && !(status = store_row(t->store, inner.row, &more)) && more)
        status = add(t, body, end, &inner);
    sqlite3_finalize(inner.row);
    return status;
}

/* ---- tags ---- */

static const struct {
    const char *word, *sql, *body; /* NULL: what stands before its {{end}} */
} questions[] = {
    {"for ", "%s", NULL},
    {"if ", "SELECT 1 WHERE %s", NULL},
    {"SELECT ", "SELECT coalesce((SELECT %s), 'not recorded') AS text", "{{text}}"},
    {"each ",
     "SELECT coalesce(group_concat(text, ', '), 'not recorded') || CASE WHEN (SELECT "
     "count(DISTINCT \"%w\") FROM recorded) > 24 THEN ', ...' ELSE '' END AS text "
     "FROM (SELECT \"%w\" AS text FROM recorded WHERE text IS NOT NULL GROUP BY 1 "
     "ORDER BY min(id) LIMIT 24)",
     "{{text}}"}};

static const char *find(const char *at, const char *end, const char *what)
{
    const char *found = memmem(at, (size_t)(end - at), what, strlen(what));

    return found ? found : end;
}

/* What stands behind a word, or NULL. */
static const char *behind(const char *tag, const char *word)
{
    const size_t n = strlen(word);

    return !strncmp(tag, word, n) ? tag + n : NULL;
}

static bool is_block(const char *tag)
{
    return behind(tag, "for ") || behind(tag, "if ") || behind(tag, "part ");
}

/* The {{end}} of a block whose body begins at 'at'. */
static const char *end_of(const char *at, const char *end)
{
    for (int depth = 1; (at = find(at, end, "{{")) < end; at += 2) {
        depth += is_block(at + 2) - (behind(at + 2, "end}}") != NULL);
        if (depth == 0)
            break;
    }
    return at;
}

static enum bench_status add_part(const struct template *t, const char *name,
                                  const struct frame *frame)
{
    const char *const end = t->all + strlen(t->all);
    char tag[80];
    const char *at;

    snprintf(tag, sizeof tag, "{{part %s}}\n", name);
    at = find(t->all, end, tag);
    if (at == end)
        return BENCH_FAIL(BENCH_EINPUT, "a page's template: no part is called '%s'", name);
    at += strlen(tag);
    return add(t, at, end_of(at, end), frame);
}

static enum bench_status add_column(const struct template *t, const char *tag,
                                    const struct frame *frame)
{
    const char *const html = behind(tag, "html "), *const prose = behind(tag, "prose "),
                      *const image = behind(tag, "image ");
    const char *text;
    int column = 0;

    TRY(find_column(html ? html : prose ? prose : image ? image : tag, &frame, &column));
    text = (const char *)sqlite3_column_text(frame->row, column);
    text = text ? text : "";
    if (image)
        return html_image(t->page, text);
    (html ? text_add : prose ? html_prose : html_text)(t->page, text);
    return BENCH_OK;
}

/* A tag with its body. */
static enum bench_status add_tag(const struct template *t, const char *tag, const char *body,
                                 const char *end, const struct frame *frame)
{
    const char *words;

    if (behind(tag, "part "))
        return BENCH_OK; /* where it is used */
    if ((words = behind(tag, "use ")) != NULL)
        return add_part(t, words, frame);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        if ((words = behind(tag, questions[i].word)) != NULL) {
            const char *const own = questions[i].body;
            char *sql = sqlite3_mprintf(questions[i].sql, words, words);
            const enum bench_status status =
                sql ? add_rows(t, sql, own ? own : body, own ? own + strlen(own) : end, frame)
                    : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a page");

            sqlite3_free(sql);
            return status;
        }
    return add_column(t, tag, frame);
}

static enum bench_status add(const struct template *t, const char *at, const char *end,
                             const struct frame *frame)
{
    for (const char *open; (open = find(at, end, "{{")) < end;) {
        const char *close = find(open, end, "}}"), *body = close + 2, *body_end = body;
        char *tag = strndup(open + 2, (size_t)(close - open - 2));
        enum bench_status status;

        if (!tag)
            return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a page");
        text_bytes(t->page, at, (size_t)(open - at));
        if (is_block(tag) || behind(tag, "use "))
            body += *body == '\n';
        at = body;
        if (is_block(tag)) {
            body_end = end_of(body, end);
            at = body_end + strlen("{{end}}");
            at += *at == '\n';
        }
        status = add_tag(t, tag, body, body_end, frame);
        free(tag);
        TRY(status);
    }
    text_bytes(t->page, at, (size_t)(end - at));
    return BENCH_OK;
}

enum bench_status template_add(struct store *store, const unsigned char *template,
                               size_t n_bytes, struct text *page)
{
    char *all = strndup((const char *)template, n_bytes);
    const struct template t = {store, all, page};
    enum bench_status status = all ? add(&t, all, all + strlen(all), NULL)
                                   : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a page");

    free(all);
    return status ? status : text_ok(page);
}

/* template.c - from a page with questions in it to a page */
#include "harness/analysis/template.h"

#include "harness/analysis/html.h"
#include "harness/analysis/query.h"

#include <stdlib.h>
#include <string.h>

#define MANY 24 /* texts in one list */

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

static enum bench_status text_of(const char *name, const struct frame *frame, const char **text)
{
    int column = 0;

    TRY(find_column(name, &frame, &column));
    *text = (const char *)sqlite3_column_text(frame->row, column);
    *text = *text ? *text : "";
    return BENCH_OK;
}

/* The caller finalizes, also after a failure. */
static enum bench_status ask(const struct template *t, const char *sql,
                             const struct frame *frame, sqlite3_stmt **answer)
{
    TRY(store_prepare(t->store, sql, answer));
    for (int i = 1; i <= sqlite3_bind_parameter_count(*answer); i++) {
        const struct frame *of = frame;
        int column = 0;

        TRY(find_column(sqlite3_bind_parameter_name(*answer, i) + 1, &of, &column));
        sqlite3_bind_value(*answer, i, sqlite3_column_value(of->row, column));
    }
    return BENCH_OK;
}

static enum bench_status add_rows(const struct template *t, const char *sql, const char *body,
                                  const char *end, const struct frame *frame)
{
    struct frame inner = {.outer = frame};
    enum bench_status status = ask(t, sql, frame, &inner.row);
    bool more = true;

    while (!status && !(status = store_row(t->store, inner.row, &more)) && more)
        status = add(t, body, end, &inner);
    sqlite3_finalize(inner.row);
    return status;
}

static enum bench_status add_list(const struct template *t, const char *sql,
                                  const struct frame *frame)
{
    sqlite3_stmt *answer = NULL;
    enum bench_status status = ask(t, sql, frame, &answer);
    bool more = true;
    int n = 0;

    while (!status && !(status = store_row(t->store, answer, &more)) && more && n <= MANY) {
        const char *text = (const char *)sqlite3_column_text(answer, 0);

        html_format(t->page, "%s%s", n ? ", " : "", n == MANY ? "..." : text ? text : "");
        n++;
    }
    sqlite3_finalize(answer);
    text_add(t->page, n == 0 ? "not recorded" : "");
    return status;
}

void template_table(struct text *page, const struct table *table, const char *name)
{
    html_format(page, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">",
                name);
    table_render(table, TABLE_HTML, 0, page);
    text_add(page, "</div>\n");
}

/* "TITLE: SELECT ..." */
static enum bench_status add_table(const struct template *t, const char *title)
{
    const int n = (int)strcspn(title, ":");
    struct table answer;
    enum bench_status status;

    TRY(query_table(t->store, title + n + 1, &answer));
    answer.title = strndup(title, (size_t)n);
    answer.failed = !answer.title;
    status = table_ok(&answer);
    if (!status)
        template_table(t->page, &answer, answer.title);
    table_free(&answer);
    return status;
}

/* ---- tags ---- */

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
    const char *text, *alt;

    TRY(text_of(html ? html : prose ? prose : image ? image : tag, frame, &text));
    if (image) {
        TRY(text_of("alt", frame, &alt));
        return html_image(t->page, text, alt);
    }
    (html ? text_add : prose ? html_prose : html_text)(t->page, text);
    return BENCH_OK;
}

/* A tag with its body. */
static enum bench_status add_tag(const struct template *t, const char *tag, const char *body,
                                 const char *end, const struct frame *frame)
{
    const char *const condition = behind(tag, "if "), *const column = behind(tag, "each ");
    const char *what;
    char *sql;
    enum bench_status status;

    if (behind(tag, "part "))
        return BENCH_OK; /* where it is used */
    if ((what = behind(tag, "use ")) != NULL)
        return add_part(t, what, frame);
    if ((what = behind(tag, "table ")) != NULL)
        return add_table(t, what);
    if ((what = behind(tag, "for ")) != NULL)
        return add_rows(t, what, body, end, frame);
    if (behind(tag, "SELECT "))
        return add_list(t, tag, frame);
    if (!condition && !column)
        return add_column(t, tag, frame);
    sql = condition ? sqlite3_mprintf("SELECT 1 WHERE %s", condition)
                    : sqlite3_mprintf("SELECT \"%w\" FROM recorded WHERE \"%w\" IS NOT NULL "
                                      "GROUP BY 1 ORDER BY min(id)",
                                      column, column);
    if (!sql)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a page");
    status = condition ? add_rows(t, sql, body, end, frame) : add_list(t, sql, frame);
    sqlite3_free(sql);
    return status;
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

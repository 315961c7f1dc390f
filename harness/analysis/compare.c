/* compare.c - asks compare.sql, verdict.sql, told.sql, history.sql and those behind it; writes
 * their answers */
#include "harness/analysis/compare.h"

#include "harness/analysis/query.h"
#include "harness/analysis/page.h"
#include "harness/analysis/report.h"
#include "harness/base/listing.h"

#include "compare_sql.h"
#include "floor_sql.h"
#include "format_bmf_txt.h"
#include "format_github_txt.h"
#include "format_junit_txt.h"
#include "format_md_txt.h"
#include "format_openmetrics_txt.h"
#include "history_sql.h"
#include "points_sql.h"
#include "slower_html.h"
#include "slower_sql.h"
#include "told_sql.h"
#include "verdict_sql.h"

#include <string.h>

static enum bench_status answer(const struct listing *paths, FILE *notes, struct text *sql,
                                struct store **store)
{
    const struct store_files files = {.folder = (const char *const *)paths->path,
                                      .n_folders = paths->n};

    TRY(store_read_files(&files, notes, store));
    TRY(query_run(*store, sql));
    return query_refusal(*store);
}

/* The paths of a side, to 'all' and to asked_path. */
static enum bench_status add_paths(const char *names, int pass, int side, struct text *sql,
                                   struct listing *all)
{
    OWNED(text_free) struct text list = {0};
    char *rest;

    text_add(&list, names);
    TRY(text_ok(&list));
    rest = list.data;
    for (char *path; (path = listing_next(&rest, NULL));) {
        TRY(listing_add(all, path));
        query_add(sql, "INSERT INTO asked_path VALUES (%d, %d, %Q);", pass, side, path);
    }
    return BENCH_OK;
}

enum bench_status compare_read(const struct compare_request *request, struct store **store)
{
    OWNED(text_free) struct text sql = {0};
    OWNED(listing_free) struct listing paths = {0};

    *store = NULL;
    query_add(&sql,
              "CREATE TEMP TABLE rule AS SELECT %!.17g AS floor, %!.17g AS fdr, %d AS is_all;"
              "CREATE TEMP TABLE asked (name, pass INTEGER, side INTEGER);"
              "CREATE TEMP TABLE asked_path (pass INTEGER, side INTEGER, path);"
              "CREATE TEMP TABLE unrun (side INTEGER, name, build_hash);",
              request->floor, request->fdr, request->all);
    for (int s = 0; s < request->n_sides; s++) {
        const int pass = request->n_sides > 2 && s < 2 ? 2 : 1;

        if (request->same_build) {
            query_add(&sql, "INSERT INTO unrun VALUES (%d, %Q, %Q);", s, request->side[s],
                      request->same_build);
            continue;
        }
        query_add(&sql, "INSERT INTO asked VALUES (%Q, %d, %d);", request->side[s], pass,
                  s % 2);
        TRY(add_paths(request->side[s], pass, s % 2, &sql, &paths));
    }
    text_bytes(&sql, floor_sql, sizeof floor_sql);
    text_bytes(&sql, compare_sql, sizeof compare_sql);
    text_bytes(&sql, verdict_sql, sizeof verdict_sql);
    text_bytes(&sql, told_sql, sizeof told_sql);
    return answer(&paths, request->notes, &sql, store);
}

/* Appends the questions of a history; 'wanted' NULL: of all configurations. */
static void add_history(const char *wanted, double floor, struct text *sql)
{
    query_add(sql,
              "CREATE TEMP TABLE rule AS SELECT %!.17g AS floor;"
              "CREATE TEMP TABLE asked AS SELECT %Q AS wanted;",
              floor, wanted);
    text_bytes(sql, floor_sql, sizeof floor_sql);
    text_bytes(sql, history_sql, sizeof history_sql);
    if (wanted)
        text_bytes(sql, points_sql, sizeof points_sql);
    else
        text_bytes(sql, slower_sql, sizeof slower_sql);
}

enum bench_status history_read(const char *folder, const char *wanted, double floor,
                               FILE *notes, struct store **store)
{
    OWNED(text_free) struct text sql = {0};
    OWNED(listing_free) struct listing paths = {0};

    *store = NULL;
    TRY(listing_add(&paths, folder));
    add_history(wanted, floor, &sql);
    return answer(&paths, notes, &sql, store);
}

enum bench_status history_page(struct store *store, double floor, struct text *html)
{
    OWNED(text_free) struct text sql = {0};

    text_add(&sql, "SAVEPOINT history;"); /* a store that is a file is in a transaction */
    add_history(NULL, floor, &sql);
    TRY(query_run(store, &sql));
    TRY(template_add(store, slower_html, sizeof slower_html, html));
    text_add(&sql, "ROLLBACK TO history; RELEASE history");
    return query_run(store, &sql);
}

/* ---- what is told ---- */

/* The one text of an answer. */
static enum bench_status add_text(struct store *store, const char *sql, struct text *text)
{
    OWNED(table_free) struct table answer = {0};

    TRY(query_table(store, sql, &answer));
    page_fold(text, answer.cell->text, "", PAGE_COLUMNS);
    return text_ok(text);
}

/* The forms of what is found: a template, or the rows of a question. */
static const struct form {
    const char *name;
    const unsigned char *template; /* [n_bytes]; NULL: rows */
    size_t n_bytes;
    enum table_format format;
} forms[] = {
    {"text", NULL, 0, TABLE_TERMINAL},
    {"csv", NULL, 0, TABLE_CSV},
    {"json", NULL, 0, TABLE_JSON},
    {"md", format_md_txt, sizeof format_md_txt, 0},
    {"github", format_github_txt, sizeof format_github_txt, 0},
    {"junit", format_junit_txt, sizeof format_junit_txt, 0},
    {"bmf", format_bmf_txt, sizeof format_bmf_txt, 0},
    {"openmetrics", format_openmetrics_txt, sizeof format_openmetrics_txt, 0},
};

static const struct form *form_of(const char *name)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(name, forms[i].name))
            return &forms[i];
    return NULL;
}

enum bench_status compare_has_format(const char *name)
{
    return form_of(name) ? BENCH_OK
                         : BENCH_FAIL(BENCH_EINPUT,
                                      "--format %s: expected text, csv, json, md, github, "
                                      "junit, bmf or openmetrics",
                                      name);
}

enum bench_status compare_print(struct store *store, const char *format, struct text *text)
{
    const struct form *const form = form_of(format);
    OWNED(table_free) struct table rows = {0};

    if (form->template)
        return template_add(store, form->template, form->n_bytes, text);
    if (form->format == TABLE_TERMINAL)
        return add_text(store, "SELECT group_concat(text || char(10), '') FROM page", text);
    TRY(query_table(store, "SELECT * FROM listed", &rows));
    table_render(&rows, form->format, 0, text);
    return text_ok(text);
}

enum bench_status compare_outcome(struct store *store, bool *unclear)
{
    OWNED(table_free) struct table n = {0};

    TRY(query_table(store, "SELECT * FROM outcome", &n));
    if (unclear)
        *unclear = query_number(&n, 0, "n_unclear") > 0;
    return query_number(&n, 0, "n_bad") > 0
               ? BENCH_FAIL(BENCH_EMISMATCH, "%s", query_text(&n, 0, "sentence"))
               : BENCH_OK;
}

enum bench_status compare_suspects(struct store *store, const char *folder, struct text *line)
{
    OWNED(table_free) struct table files = {0};

    TRY(query_table(store, "SELECT problem, text FROM descriptor", &files));
    for (int i = 0; i < files.n_rows; i++) {
        const char *const name = query_text(&files, i, "problem");
        OWNED(text_free) struct text path = {0};
        OWNED(text_free) struct text ini = {0};

        REFUSE_IF(!*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_")],
                  "expected the name of a problem, found '%.60s'", name);
        text_format(&path, "%s/%s.ini", folder, name);
        text_add(&ini, query_text(&files, i, "text"));
        TRY(text_ok(&path));
        TRY(text_make_folder(folder));
        TRY(text_replace_file(path.data, &ini));
    }
    return add_text(store, "SELECT first_stage FROM outcome", line);
}

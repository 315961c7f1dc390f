/* compare.c - what compare.sql, verdict.sql, told.sql and history.sql are asked, and wrote */
#include "harness/analysis/compare.h"

#include "harness/analysis/query.h"
#include "harness/analysis/page.h"
#include "harness/analysis/report.h"
#include "harness/base/listing.h"

#include "compare_sql.h"
#include "format_bmf_txt.h"
#include "format_github_txt.h"
#include "format_junit_txt.h"
#include "format_md_txt.h"
#include "format_openmetrics_txt.h"
#include "history_sql.h"
#include "told_sql.h"
#include "verdict_sql.h"

#include <stdlib.h>
#include <string.h>

static enum bench_status answer(const char *const *paths, int n, FILE *notes, struct text *sql,
                                struct store **store)
{
    const struct store_files files = {.folder = paths, .n_folders = n};
    enum bench_status status = store_read_files(&files, notes, store);

    if (!status)
        status = query_run(*store, sql);
    if (!status)
        status = query_refusal(*store);
    if (status) {
        store_close(*store);
        *store = NULL;
    }
    text_free(sql);
    return status;
}

/* The paths of a side, to 'all' and to asked_path. */
static enum bench_status add_paths(const char *names, int pass, int side, struct text *sql,
                                   struct listing *all)
{
    char *const list = strdup(names), *rest = list;
    bool failed = !list;

    for (char *path; !failed && (path = listing_next(&rest, NULL));) {
        char **const more = realloc(all->path, (size_t)(all->n + 1) * sizeof *more);

        failed = !more;
        if (more)
            all->path = more;
        if (!failed)
            failed = !(all->path[all->n] = strdup(path));
        all->n += !failed;
        query_add(sql, "INSERT INTO asked_path VALUES (%d, %d, %Q);", pass, side, path);
    }
    free(list);
    return failed ? BENCH_FAIL(BENCH_ENOMEM, "out of memory for a comparison") : BENCH_OK;
}

enum bench_status compare_read(const struct compare_request *request, struct store **store)
{
    struct text sql = {0};
    struct listing paths = {0};
    enum bench_status status = BENCH_OK;

    query_add(&sql,
              "CREATE TEMP TABLE rule AS SELECT %!.17g AS floor, %!.17g AS fdr, %d AS is_all;"
              "CREATE TEMP TABLE asked (name, pass INTEGER, side INTEGER);"
              "CREATE TEMP TABLE asked_path (pass INTEGER, side INTEGER, path);"
              "CREATE TEMP TABLE unrun (side INTEGER, name, build_hash);",
              request->floor, request->fdr, request->all);
    for (int s = 0; s < request->n_sides && request->same_build; s++)
        query_add(&sql, "INSERT INTO unrun VALUES (%d, %Q, %Q);", s, request->side[s],
                  request->same_build);
    for (int s = 0; s < request->n_sides && !request->same_build && !status; s++) {
        const int pass = request->n_sides > 2 && s < 2 ? 2 : 1;

        query_add(&sql, "INSERT INTO asked VALUES (%Q, %d, %d);", request->side[s], pass,
                  s % 2);
        status = add_paths(request->side[s], pass, s % 2, &sql, &paths);
    }
    text_bytes(&sql, compare_sql, sizeof compare_sql);
    text_bytes(&sql, verdict_sql, sizeof verdict_sql);
    text_bytes(&sql, told_sql, sizeof told_sql);
    *store = NULL;
    if (!status)
        status = answer((const char *const *)paths.path, paths.n, request->notes, &sql, store);
    text_free(&sql);
    listing_free(&paths);
    return status;
}

enum bench_status history_read(const char *folder, const char *wanted, FILE *notes,
                               struct store **store)
{
    struct text sql = {0};

    query_add(&sql, "CREATE TEMP TABLE asked AS SELECT %Q AS wanted;", wanted);
    text_bytes(&sql, history_sql, sizeof history_sql);
    return answer(&folder, 1, notes, &sql, store);
}

/* ---- what is told ---- */

/* The one text of an answer. */
static enum bench_status add_text(struct store *store, const char *sql, struct text *text)
{
    struct table answer;

    TRY(query_table(store, sql, &answer));
    page_fold(text, answer.cell->text, "", PAGE_COLUMNS);
    table_free(&answer);
    return text_ok(text);
}

static enum bench_status add_listed(struct store *store, enum table_format format,
                                    struct text *text)
{
    struct table rows;

    TRY(query_table(store, "SELECT * FROM listed", &rows));
    table_render(&rows, format, 0, text);
    table_free(&rows);
    return text_ok(text);
}

/* What lays out the rows of told.sql for other programs. */
static const struct layout {
    const char *name;
    const unsigned char *template;
    size_t n_bytes;
} layouts[] = {
    {"md", format_md_txt, sizeof format_md_txt},
    {"github", format_github_txt, sizeof format_github_txt},
    {"junit", format_junit_txt, sizeof format_junit_txt},
    {"bmf", format_bmf_txt, sizeof format_bmf_txt},
    {"openmetrics", format_openmetrics_txt, sizeof format_openmetrics_txt},
};
#define N_LAYOUTS (sizeof layouts / sizeof *layouts)

enum bench_status compare_has_format(const char *name)
{
    bool is_known = !strcmp(name, "text") || !strcmp(name, "csv") || !strcmp(name, "json");

    for (size_t i = 0; i < N_LAYOUTS; i++)
        is_known |= !strcmp(name, layouts[i].name);
    return is_known
               ? BENCH_OK
               : BENCH_FAIL(BENCH_EINPUT,
                            "--format %s: expected text, csv, json, md, github, junit, bmf "
                            "or openmetrics",
                            name);
}

enum bench_status compare_print(struct store *store, const char *format, struct text *text)
{
    for (size_t i = 0; i < N_LAYOUTS; i++)
        if (!strcmp(format, layouts[i].name))
            return template_add(store, layouts[i].template, layouts[i].n_bytes, text);
    return !strcmp(format, "text")
               ? add_text(store,
                          "SELECT group_concat(text || char(10), '') "
                          "FROM (SELECT text FROM page ORDER BY rowid)",
                          text)
               : add_listed(store, !strcmp(format, "csv") ? TABLE_CSV : TABLE_JSON, text);
}

enum bench_status compare_outcome(struct store *store, bool *unclear)
{
    struct table n;
    enum bench_status status = BENCH_OK;

    TRY(query_table(store, "SELECT * FROM outcome", &n));
    *unclear = query_number(&n, 0, "n_unclear") > 0;
    if (query_number(&n, 0, "n_bad") > 0)
        status = BENCH_FAIL(BENCH_EMISMATCH, "%s", query_text(&n, 0, "sentence"));
    table_free(&n);
    return status;
}

/* ---- the second stage ---- */

enum bench_status compare_suspects(struct store *store, const char *folder, struct text *line)
{
    struct table files;
    enum bench_status status = BENCH_OK;

    TRY(query_table(store, "SELECT problem, text FROM descriptor", &files));
    for (int i = 0; i < files.n_rows && !status; i++) {
        const char *const name = query_text(&files, i, "problem");
        struct text path = {0}, ini = {0};

        text_format(&path, "%s/%s.ini", folder, name);
        text_add(&ini, query_text(&files, i, "text"));
        status = text_ok(&path);
        if (!*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_")])
            status =
                BENCH_FAIL(BENCH_EINPUT, "expected the name of a problem, found '%.60s'", name);
        if (!status)
            status = text_make_folder(folder);
        if (!status)
            status = text_replace_file(path.data, &ini);
        text_free(&path);
        text_free(&ini);
    }
    table_free(&files);
    if (!status)
        status = add_text(store, "SELECT first_stage FROM outcome", line);
    return status;
}

/*
 * compare.c - what compare.sql, verdict.sql and told.sql are asked of, and the descriptors of a second stage
 */
#include "judge/compare.h"

#include "harness/analysis/query.h"

#include "compare_sql.h"
#include "told_sql.h"
#include "verdict_sql.h"

#include <stdlib.h>
#include <string.h>

/* The sides, 'cut' one behind the other, as paths, [their number], and as rows of the table 'asked'. */
static int split_sides(const struct compare_request *r, char *cut, const char **path,
                       struct text *sql)
{
    int n = 0;

    query_add(sql,
              "CREATE TEMP TABLE rule AS SELECT %!.17g AS floor, %!.17g AS fdr, %d AS is_all;"
              "CREATE TEMP TABLE asked (path, pass INTEGER, side INTEGER, name);",
              r->floor, r->fdr, r->all);
    for (int s = 0; s < r->n_sides; s++) {
        char *rest = cut;

        cut += strlen(cut) + 1;
        while (rest) {
            path[n] = strsep(&rest, ",");
            query_add(sql, "INSERT INTO asked VALUES (%Q, %d, %d, %Q);", path[n++],
                      r->n_sides > 2 && s < 2 ? 2 : 1, s % 2, r->side[s]);
        }
    }
    return n;
}

enum bench_status compare_judge(struct store *store)
{
    return store_execute(store, verdict_sql, sizeof verdict_sql);
}

static enum bench_status compare_sides(struct store *store, struct text *sql)
{
    TRY(query_run(store, sql));
    TRY(store_execute(store, compare_sql, sizeof compare_sql));
    TRY(query_refusal(store));
    TRY(compare_judge(store));
    return store_execute(store, told_sql, sizeof told_sql);
}

enum bench_status compare_read(const struct compare_request *request, struct store **store)
{
    struct text cut = {0}, sql = {0};
    const char **path;
    enum bench_status status;

    *store = NULL;
    for (int s = 0; s < request->n_sides; s++)
        text_bytes(&cut, request->side[s], strlen(request->side[s]) + 1);
    path = calloc(cut.size + 1, sizeof *path);
    status = path ? text_ok(&cut) : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a comparison");
    if (!status)
        status = store_read(path, split_sides(request, cut.data, path, &sql), false,
                            request->notes, store);
    if (!status)
        status = compare_sides(*store, &sql);
    if (status) {
        store_close(*store);
        *store = NULL;
    }
    text_free(&sql);
    text_free(&cut);
    free(path);
    return status;
}

/* ---- the second stage ---- */

static enum bench_status write_descriptor(const char *folder, const char *problem,
                                          const char *content)
{
    struct text path = {0}, ini = {0};
    enum bench_status status;

    if (!*problem || problem[strspn(problem, "abcdefghijklmnopqrstuvwxyz0123456789-_")])
        return BENCH_FAIL(BENCH_EINPUT, "expected the name of a problem, found '%.60s'",
                          problem);
    text_format(&path, "%s/%s.ini", folder, problem);
    text_add(&ini, content);
    status = text_ok(&path) ? text_ok(&path) : text_ok(&ini);
    if (!status)
        status = text_make_folder(folder);
    if (!status)
        status = text_replace_file(path.data, &ini);
    text_free(&path);
    text_free(&ini);
    return status;
}

enum bench_status compare_suspects(struct store *store, const char *folder, FILE *out)
{
    struct table files, count;
    enum bench_status status = BENCH_OK;

    TRY(query_table(store, "SELECT problem, text FROM descriptor", &files));
    for (int i = 0; i < files.n_rows && !status; i++)
        status = write_descriptor(folder, query_text(&files, i, "problem"),
                                  query_text(&files, i, "text"));
    table_free(&files);
    TRY(status);
    TRY(query_table(
        store,
        "SELECT n_cells || ' cells, ' || sum(coalesce(goes_on, 0)) || ' go on, ' || "
        "least_runs || ' runs a side' AS line FROM verdict",
        &count));
    fprintf(out, "%s\n", query_text(&count, 0, "line"));
    table_free(&count);
    return BENCH_OK;
}

enum bench_status compare_outcome(struct store *store, bool *unclear)
{
    struct table n;
    enum bench_status status = BENCH_OK;

    TRY(query_table(store,
                    "SELECT total(verdict = 'unclear') AS unclear, "
                    "total(verdict IN ('changed-output', 'slower')) AS bad, "
                    "printf('%d with another output, %d slower', "
                    "sum(verdict = 'changed-output'), sum(verdict = 'slower')) AS sentence "
                    "FROM verdict",
                    &n));
    *unclear = query_number(&n, 0, "unclear") > 0;
    if (query_number(&n, 0, "bad") > 0)
        status = BENCH_FAIL(BENCH_EMISMATCH, "%s", query_text(&n, 0, "sentence"));
    table_free(&n);
    return status;
}

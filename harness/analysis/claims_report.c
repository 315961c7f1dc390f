/*
 * claims_report.c - verdicts as a table for people, as CSV, as the file of those to expect, and some of them explained
 *
 * verdicts.sql has what is said of them.
 */
#include "harness/analysis/query.h"
#include "harness/analysis/claims_private.h"
#include "harness/analysis/page.h"

#include "verdict_total_sql.h"

#include <string.h>

/* All claims, or with what led to the verdicts those of a section or that a pattern fits. */
static enum bench_status judge_all(struct claims *claims, const char *id)
{
    for (int m = -1; m < claims->machine.n_rows; m++)
        for (int i = 0; i < claims->n; i++) {
            const struct claim *const c = &claims->claim[i];
            OWNED(text_free) struct text log = {0};

            if ((m < 0 ? c->paper : c->measured) &&
                (!id || !strcmp(id, c->id) || (c->table && !strcmp(id, c->table)) ||
                 !sqlite3_strglob(id, c->id)))
                TRY(claims_judge(claims, c, m < 0 ? NULL : claims->machine.cell[m].text,
                                 id ? &log : NULL));
        }
    return BENCH_OK;
}

static enum bench_status print_line(const struct claims_page *page, const char *line,
                                    const char *more, const char *colour)
{
    const bool is_plain = !page->colour || !*colour;
    struct text text = {0};
    enum bench_status status;

    page_fold(&text, line, more, page->width);
    if (!is_plain)
        fprintf(page->out, "\033[%sm", colour);
    status = text_print(&text, page->out);
    if (!is_plain)
        fputs("\033[0m", page->out);
    text_free(&text);
    return status;
}

/* Those of a question, (text, more, colour): 'more' indents what goes on in another line. */
static enum bench_status print_lines(struct claims *claims, struct text *sql,
                                     const struct claims_page *page)
{
    struct table t;
    enum bench_status status = BENCH_OK;

    TRY(query_ask(claims->store, sql, &t));
    for (int row = 0; row < t.n_rows && !status; row++)
        status = print_line(page, query_text(&t, row, "text"), query_text(&t, row, "more"),
                            query_text(&t, row, "colour"));
    table_free(&t);
    return status;
}

static enum bench_status add_csv(struct claims *claims, struct text *csv)
{
    struct table t;

    TRY(query_table(claims->store, "SELECT * FROM csv", &t));
    table_render(&t, TABLE_CSV, 0, csv);
    table_free(&t);
    return text_ok(csv);
}

/* BENCH_EMISMATCH where a verdict is not the one that is expected. */
static enum bench_status check_expected(struct claims *claims)
{
    struct table t;
    enum bench_status status = BENCH_OK;

    TRY(query_table(claims->store, "SELECT sum(is_unexpected) AS n FROM judged", &t));
    if (query_number(&t, 0, "n") > 0)
        status = BENCH_FAIL(BENCH_EMISMATCH,
                            "%s verdicts are not those that are expected (claims --expect "
                            "writes them down, for review)",
                            query_text(&t, 0, "n"));
    table_free(&t);
    return status;
}

enum bench_status claims_report(struct claims *claims, const struct claims_page *page,
                                struct text *csv)
{
    struct text sql = {0};

    TRY(judge_all(claims, NULL));
    TRY(query_refusal(claims->store));
    text_add(&sql, "SELECT * FROM report");
    TRY(print_lines(claims, &sql, page));
    if (csv)
        TRY(add_csv(claims, csv));
    return check_expected(claims);
}

enum bench_status claims_explain(struct claims *claims, const char *id,
                                 const struct claims_page *page)
{
    struct text sql = {0};
    struct table asked;
    bool any;

    query_add(&sql, "SELECT at FROM claim WHERE id = %Q OR \"table\" = %Q OR id GLOB %Q", id,
              id, id);
    TRY(query_ask(claims->store, &sql, &asked));
    any = asked.n_rows > 0;
    table_free(&asked);
    if (!any)
        return BENCH_FAIL(BENCH_EINPUT, "no claim '%s' (depthbench claims lists them)", id);
    TRY(judge_all(claims, id));
    query_add(
        &sql,
        "WITH asked AS (SELECT at FROM claim WHERE id = %Q OR \"table\" = %Q OR id GLOB %Q) "
        "SELECT CASE WHEN part = 0 AND claim > (SELECT min(at) FROM asked) THEN x'0a' "
        "ELSE '' END || text AS text, more, colour FROM explanation WHERE claim IN asked "
        "ORDER BY claim, part",
        id, id, id);
    return print_lines(claims, &sql, page);
}

enum bench_status claims_tell(struct claims *claims, struct store *store)
{
    struct table t;
    struct text sql = {0};

    TRY(judge_all(claims, NULL));
    TRY(query_table(claims->store, "SELECT * FROM claim_verdict", &t));
    for (int i = 0; i < t.n_columns; i++)
        query_add(&sql, "%s \"%w\"", i ? "," : "CREATE TEMP TABLE claim_verdict (",
                  t.column[i]);
    text_add(&sql, "); INSERT INTO claim_verdict VALUES ");
    for (int at = 0; at < t.n_rows * t.n_columns; at++) {
        const struct table_cell *const cell = &t.cell[at];

        text_add(&sql, at % t.n_columns ? ", " : at ? "), (" : "(");
        if (cell->kind == TABLE_NUMBER)
            query_add(&sql, "%!.17g", cell->number);
        else
            query_add(&sql, "%Q", cell->text);
    }
    text_add(&sql, ")");
    table_free(&t);
    TRY(query_run(store, &sql));
    return store_execute(store, verdict_total_sql, sizeof verdict_total_sql);
}

enum bench_status claims_write_expected(struct claims *claims, const char *path, int *n_changed)
{
    struct table t = {0};
    struct text csv = {0};
    enum bench_status status;

    TRY(judge_all(claims, NULL));
    TRY(query_table(
        claims->store,
        "SELECT line, (SELECT count(*) FROM expectation WHERE now IS NOT before) AS "
        "n FROM expectation_line",
        &t));
    *n_changed = (int)query_number(&t, 0, "n");
    for (int row = 0; row < t.n_rows; row++)
        text_format(&csv, "%s\n", query_text(&t, row, "line"));
    status = text_replace_file(path, &csv);
    table_free(&t);
    text_free(&csv);
    return status;
}

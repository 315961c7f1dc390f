/*
 * claims_report.c - verdicts for people, as CSV, as those to expect, and some of them explained
 *
 * verdicts.sql has what is said of them.
 */
#include "harness/analysis/query.h"
#include "harness/analysis/claims_private.h"
#include "harness/analysis/page.h"

#include "verdict_total_sql.h"

/* All claims, or with what led to the verdicts those of a section or that a pattern fits. */
static enum bench_status judge_all(struct claims *claims, const char *id)
{
    OWNED(table_free) struct table asked = {0};
    struct text sql = {0};

    query_add(&sql,
              "DELETE FROM asked; INSERT INTO asked SELECT at FROM claim "
              "WHERE %Q IN (id, \"table\") OR id GLOB %Q",
              id, id ? id : "*");
    TRY(query_run(claims->store, &sql));
    TRY(query_table(claims->store, "SELECT at FROM asked ORDER BY at", &asked));
    REFUSE_IF(asked.n_rows == 0, "no claim '%s' (depthbench claims lists them)", id);
    for (int m = -1; m < claims->machine.n_rows; m++)
        for (int i = 0; i < asked.n_rows; i++) {
            const struct claim *const c = &claims->claim[(int)asked.cell[i].number];
            OWNED(text_free) struct text log = {0};

            if (m < 0 ? c->paper : c->measured)
                TRY(claims_judge(claims, c, m < 0 ? NULL : claims->machine.cell[m].text,
                                 id ? &log : NULL));
        }
    return BENCH_OK;
}

/* Prints the rows (text, more, colour) of a question: 'more' indents what goes on in another
 * line. */
static enum bench_status print_lines(struct claims *claims, const char *sql,
                                     const struct claims_page *page)
{
    OWNED(table_free) struct table t = {0};

    TRY(query_table(claims->store, sql, &t));
    for (int row = 0; row < t.n_rows; row++) {
        const char *const colour = query_text(&t, row, "colour");
        const bool is_plain = !page->colour || !*colour;
        OWNED(text_free) struct text text = {0};

        page_fold(&text, query_text(&t, row, "text"), query_text(&t, row, "more"), page->width);
        if (!is_plain)
            fprintf(page->out, "\033[%sm", colour);
        TRY(text_print(&text, page->out));
        if (!is_plain)
            fputs("\033[0m", page->out);
    }
    return BENCH_OK;
}

enum bench_status claims_report(struct claims *claims, const struct claims_page *page,
                                struct text *csv)
{
    OWNED(table_free) struct table t = {0};
    OWNED(table_free) struct table unexpected = {0};

    TRY(judge_all(claims, NULL));
    TRY(query_refusal(claims->store));
    TRY(print_lines(claims, "SELECT * FROM report", page));
    TRY(query_table(claims->store, "SELECT * FROM csv", &t));
    if (csv)
        table_render(&t, TABLE_CSV, 0, csv);
    TRY(query_table(claims->store, "SELECT sum(is_unexpected) FROM judged", &unexpected));
    FAIL_IF(unexpected.cell->number > 0, BENCH_EMISMATCH,
            "%s verdicts are not those that are expected (claims --expect "
            "writes them down, for review)",
            unexpected.cell->text);
    return BENCH_OK;
}

enum bench_status claims_explain(struct claims *claims, const char *id,
                                 const struct claims_page *page)
{
    TRY(judge_all(claims, id));
    return print_lines(claims, "SELECT * FROM explanation", page);
}

enum bench_status claims_tell(struct claims *claims, struct store *store)
{
    OWNED(table_free) struct table t = {0};
    struct text sql = {0};

    TRY(judge_all(claims, NULL));
    TRY(query_table(claims->store, "SELECT * FROM claim_verdict", &t));
    for (int i = 0; i < t.n_columns; i++)
        query_add(&sql, "%s \"%w\"", i ? "," : "CREATE TEMP TABLE claim_verdict (",
                  t.column[i]);
    for (int at = 0; at < t.n_rows * t.n_columns; at++) {
        text_add(&sql, at % t.n_columns ? ", "
                       : at             ? "), ("
                                        : "); INSERT INTO claim_verdict VALUES (");
        if (t.cell[at].kind == TABLE_NUMBER)
            query_add(&sql, "%!.17g", t.cell[at].number);
        else
            query_add(&sql, "%Q", t.cell[at].text);
    }
    text_add(&sql, ")");
    TRY(query_run(store, &sql));
    return store_execute(store, verdict_total_sql, sizeof verdict_total_sql);
}

enum bench_status claims_write_expected(struct claims *claims, const char *path, int *n_changed)
{
    OWNED(table_free) struct table t = {0};
    OWNED(text_free) struct text csv = {0};

    TRY(judge_all(claims, NULL));
    TRY(query_table(
        claims->store,
        "SELECT line, (SELECT count(*) FROM expectation WHERE now IS NOT before) AS "
        "n FROM expectation_line",
        &t));
    *n_changed = (int)query_number(&t, 0, "n");
    for (int row = 0; row < t.n_rows; row++)
        text_format(&csv, "%s\n", query_text(&t, row, "line"));
    return text_replace_file(path, &csv);
}

/*
 * claims_report.c - verdicts as a table for people, as CSV, as the file of those to expect, and one of them explained
 *
 * verdicts.sql has what is said of them.
 */
#include "harness/analysis/query.h"
#include "judge/claims_private.h"
#include "judge/page.h"

#include "verdicts_sql.h"

#include <fnmatch.h>
#include <string.h>

#define PAPER          "paper" /* stands for a machine: the papers' own numbers */
#define TITLE(machine) ((machine) ? (machine)->name : "The papers' own arithmetic")

/* ---- verdicts as rows ---- */

static enum bench_status add_claim_row(struct store *store, int at, const struct claim *c)
{
    const char *const slash = strrchr(c->file->path, '/');
    const char *const paper = slash ? slash + 1 : c->file->path;
    struct text sql = {0};

    query_add(&sql, "INSERT INTO claim VALUES (%d, %Q, %Q, %Q, %Q, %Q, %Q, '%.*q', %Q, %Q, %Q)",
              at, c->id, c->where, c->words, claim_kind_names[c->kind], c->printed, c->unit,
              (int)strcspn(paper, "."), paper, c->table, c->because, c->hardware);
    return query_run(store, &sql);
}

static enum bench_status add_verdict_row(struct claims *claims, int at,
                                         struct claim_machine *machine)
{
    const struct claim *const c = &claims->claim[at];
    char found[TEXT_NUMBER] = "-", value[3][TEXT_NUMBER] = {""}, tol[TEXT_NUMBER] = "";
    struct claim_judgement j;
    struct text sql = {0};
    double share;

    TRY(claims_judge(claims, c, machine, NULL, &j));
    share = j.scaled  ? (c->kind <= CLAIM_RATIO) * CLAIM_SCALED_TOL
            : machine ? c->tol
                      : c->about;
    if (share > 0)
        text_number(tol, 100 * share);
    if (j.has_value) {
        text_number(value[0], j.value);
        text_number(value[1], j.low);
        text_number(value[2], j.high);
        text_short_number(found, j.value, 4);
    }
    query_add(&sql,
              "INSERT INTO verdict VALUES (%d, %Q, %d, %Q, %Q, %Q, %Q, %Q, %Q, %Q, %Q, %Q, %d)",
              at, machine ? machine->name : PAPER, j.verdict, claim_verdict_names[j.verdict],
              j.has_value && j.truth ? j.value > 0 ? "yes" : "no" : found, value[0], value[1],
              value[2], j.reason, j.scope, j.device, tol,
              j.verdict == CLAIM_CONTRADICTED && j.elsewhere);
    return query_run(claims->store, &sql);
}

/* All claims, and all verdicts on them. */
static enum bench_status judge_all(struct claims *claims, struct claim_machine *machines,
                                   int n_machines)
{
    TRY(claim_store(claims));
    TRY(store_execute(claims->store, verdicts_sql, sizeof verdicts_sql));
    for (int i = 0; i < claims->n; i++)
        TRY(add_claim_row(claims->store, i, &claims->claim[i]));
    for (int m = -1; m < n_machines; m++)
        for (int i = 0; i < claims->n; i++)
            if (m < 0 ? claims->claim[i].paper : claims->claim[i].measured)
                TRY(add_verdict_row(claims, i, m < 0 ? NULL : &machines[m]));
    return BENCH_OK;
}

/* ---- for people ---- */

/* One verdict, or n that share a line. */
static void add_line(struct text *page, const struct table *t, int row, int n)
{
    const char *const reason = query_text(t, row, "reason");
    const char *const deviation = query_text(t, row, "deviation");
    char id[CLAIM_MAX_ID + 24];

    snprintf(id, sizeof id, n > 1 ? "%s: %d cells" : "%s",
             query_text(t, row, n > 1 ? "table" : "id"), n);
    text_format(page, "%-*s %8s %9s  %s\n", CLAIM_MAX_ID, id,
                n > 1 ? "" : query_text(t, row, "printed"), query_text(t, row, "found"),
                query_text(t, row, "verdict"));
    if (*reason)
        page_wrapped(page, reason);
    if (*deviation)
        text_format(page, PAGE_INDENT "%s\n", deviation);
}

static enum bench_status add_part(struct claims *claims, const struct claim_machine *machine,
                                  struct text *page)
{
    const char *const name = machine ? machine->name : PAPER;
    struct text sql = {0}, line = {0};
    struct table t;

    text_format(page, "%s\n%-*s %8s %9s  verdict\n", TITLE(machine), CLAIM_MAX_ID, "claim",
                "printed", "found");
    query_add(&sql, "SELECT * FROM line WHERE machine = %Q", name);
    TRY(query_ask(claims->store, &sql, &t));
    for (int row = 0, n; row < t.n_rows; row += n) {
        const char *const shares = query_text(&t, row, "shares");

        n = 1;
        while (*shares && row + n < t.n_rows &&
               !strcmp(query_text(&t, row + n, "shares"), shares))
            n++;
        add_line(page, &t, row, n);
    }
    table_free(&t);
    query_add(&sql, "SELECT '-> ' || coalesce(max(counts), '') FROM total WHERE machine = %Q",
              name);
    TRY(query_ask(claims->store, &sql, &t));
    text_add(&line, t.cell[0].text);
    table_free(&t);
    TRY(text_ok(&line));
    page_filled(page, line.data, "");
    text_free(&line);
    return BENCH_OK;
}

static enum bench_status add_csv(struct claims *claims, struct text *csv)
{
    struct table t;

    TRY(query_table(claims->store, "SELECT * FROM csv", &t));
    table_render(&t, TABLE_CSV, 0, csv);
    table_free(&t);
    return text_ok(csv);
}

enum bench_status claims_report(struct claims *claims, struct claim_machine *machines,
                                int n_machines, FILE *out, struct text *csv)
{
    struct table t = {0};
    struct text page = {0};
    enum bench_status status = judge_all(claims, machines, n_machines);

    if (!status)
        status = query_refusal(claims->store);
    for (int m = -1; m < n_machines && !status; m++) {
        text_add(&page, m < 0 ? "" : "\n");
        status = add_part(claims, m < 0 ? NULL : &machines[m], &page);
    }
    if (!status)
        status = query_table(claims->store, "SELECT * FROM summary_line", &t);
    if (!status) {
        text_format(&page, "\n%s\n", query_text(&t, 0, "cells"));
        page_filled(&page, query_text(&t, 0, "verdicts"), "");
        status = text_print(&page, out);
    }
    if (!status && csv)
        status = add_csv(claims, csv);
    if (!status && query_number(&t, 0, "n_unexpected") > 0)
        status = BENCH_FAIL(BENCH_EMISMATCH,
                            "%s verdicts are not those that are expected (claims --expect "
                            "writes them down, for review)",
                            query_text(&t, 0, "n_unexpected"));
    table_free(&t);
    text_free(&page);
    return status;
}

enum bench_status claims_write_expected(struct claims *claims, struct claim_machine *machines,
                                        int n_machines, const char *path, int *n_changed)
{
    struct table t = {0};
    struct text csv = {0};
    enum bench_status status;

    TRY(judge_all(claims, machines, n_machines));
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

/* ---- explanations ---- */

static enum bench_status explain_one(struct claims *claims, const struct claim *c,
                                     struct claim_machine *machine, struct text *page)
{
    struct text log = {0}, sql = {0};
    struct claim_judgement j;
    struct table t = {0};
    enum bench_status status = claims_judge(claims, c, machine, &log, &j);

    query_add(&sql, "SELECT verdict FROM expected WHERE claim = %Q AND source = %Q", c->id,
              machine ? machine->name : PAPER);
    if (!status)
        status = claim_store(claims);
    if (!status)
        status = query_ask(claims->store, &sql, &t);
    if (!status) {
        text_format(page, "\n%s\n%s%s\n", TITLE(machine), log.data ? log.data : "",
                    claim_verdict_names[j.verdict]);
        page_wrapped(page, j.reason);
        if (t.n_rows)
            text_format(page, PAGE_INDENT "expected: %s\n", t.cell[0].text);
    }
    page->failed |= log.failed;
    table_free(&t);
    text_free(&log);
    text_free(&sql);
    return status;
}

static void add_claim(struct text *page, const struct claim *c)
{
    text_format(page, "%s: %s\n", c->id, c->where);
    if (c->words)
        text_format(page, "  \"%s\"\n", c->words);
    text_format(page, "  kind %s", claim_kind_names[c->kind]);
    if (c->printed)
        text_format(page, ", printed %s%s%s", c->printed, c->unit ? " " : "",
                    c->unit ? c->unit : "");
    if (c->hardware)
        text_format(page, ", hardware %s", c->hardware);
    if (c->board.n_sms > 0)
        text_format(page, ", scaled to %s", c->board.text);
    if (c->about > 0)
        text_format(page, ", about %g%%", 100 * c->about);
    if (c->tol > 0)
        text_format(page, ", tolerance %g%%", 100 * c->tol);
    text_format(page, "%s\n", c->exact ? ", printed cells as they stand" : "");
    if (c->because)
        text_format(page, "  because %s\n", c->because);
    if (c->differs)
        text_format(page, "  ours differs: %s\n", c->differs);
}

static enum bench_status explain(struct claims *claims, const char *id,
                                 struct claim_machine *machines, int n_machines,
                                 struct text *page)
{
    for (int i = 0; i < claims->n; i++) {
        const struct claim *c = &claims->claim[i];

        if (strcmp(c->id, id) != 0 && (!c->table || strcmp(c->table, id) != 0) &&
            fnmatch(id, c->id, 0) != 0)
            continue;
        text_add(page, page->size ? "\n" : "");
        add_claim(page, c);
        if (c->paper)
            TRY(explain_one(claims, c, NULL, page));
        for (int m = 0; m < n_machines && c->measured; m++)
            TRY(explain_one(claims, c, &machines[m], page));
    }
    return page->size
               ? text_ok(page)
               : BENCH_FAIL(BENCH_EINPUT, "no claim '%s' (depthbench claims lists them)", id);
}

enum bench_status claims_explain(struct claims *claims, const char *id,
                                 struct claim_machine *machines, int n_machines, FILE *out)
{
    struct text page = {0}, folded = {0};
    enum bench_status status = explain(claims, id, machines, n_machines, &page);

    if (!status) {
        page_folded(&folded, page.data);
        status = text_print(&folded, out);
    }
    text_free(&page);
    text_free(&folded);
    return status;
}

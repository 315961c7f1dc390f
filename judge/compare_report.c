/*
 * compare_report.c - verdicts on two builds as a table for people and as CSV, and the descriptor of a second stage
 */
#include "judge/compare.h"

#include "harness/analysis/query.h"
#include "harness/analysis/traits.h"
#include "judge/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static void percent(char *text, size_t size, double share)
{
    snprintf(text, size, fabs(share) < 9.995 ? "%+.1f" : "%+.0f", 100 * share);
}

/* "-" where there is no number. */
static const char *short_number(const struct table *cells, int i, const char *column,
                                int digits, char text[TEXT_NUMBER])
{
    text_short_number(text, query_number(cells, i, column), digits);
    return *query_text(cells, i, column) ? text : "-";
}

static void interval_text(const struct table *cells, int i, char *text, size_t size)
{
    const double kept = query_number(cells, i, "confidence");
    char lo[24], hi[24];

    percent(lo, sizeof lo, query_number(cells, i, "ci_lo"));
    percent(hi, sizeof hi, query_number(cells, i, "ci_hi"));
    snprintf(text, size, "%s..%s%s", lo, hi, kept < 0.95 ? "*" : "");
    if (kept < 0.5)
        snprintf(text, size, "-");
}

static void add_row(struct text *page, const struct comparison *c, const char *const *traits,
                    int i)
{
    const struct table *const cells = &c->cells;
    char base[TEXT_NUMBER], head[TEXT_NUMBER], q[TEXT_NUMBER], change[24] = "-", interval[64],
                                                               runs[24];
    struct text label = {0}, more = {0};
    const char *rest;

    if (*query_text(cells, i, "change"))
        percent(change, sizeof change, query_number(cells, i, "change"));
    interval_text(cells, i, interval, sizeof interval);
    snprintf(runs, sizeof runs, "%s+%s", query_text(cells, i, "n_base"),
             query_text(cells, i, "n_head"));
    text_short_number(q, c->judged[i].q, 2);
    text_format(page, "%-14s %9s %9s %8s  %-17s %5s %7s\n", query_text(cells, i, "verdict"),
                short_number(cells, i, "base_ms", 4, base),
                short_number(cells, i, "head_ms", 4, head), change, interval, runs,
                c->judged[i].same_binary ? "-" : q);
    traits_add(traits[i], traits, c->n, false, &more);
    rest = more.data ? more.data : "";
    rest += strncmp(rest, "impl=", 5) ? 0 : strcspn(rest, " ");
    text_format(&label, "%s %s", query_text(cells, i, "impl"), rest);
    page_wrapped(page, label.data ? label.data : "");
    if (*query_text(cells, i, "reason"))
        page_wrapped(page, query_text(cells, i, "reason"));
    page->failed |= label.failed || more.failed;
    text_free(&label);
    text_free(&more);
}

static void add_head(struct text *page, const struct comparison *c, const char *const *traits)
{
    const struct table *const b = &c->build;
    const int n_hosts = (int)query_number(b, 0, "n_hosts"),
              n_gpus = (int)query_number(b, 0, "n_gpus");
    const char *const alone[] = {query_text(b, 0, "n_alone"), query_text(b, 1, "n_alone")};
    struct text shared = {0};

    for (int s = 0; s < 2; s++) {
        const char *const commit = query_text(b, s, "commit");
        const char *const hash = query_text(b, s, "build_hash");
        const char *const n_runs = query_text(b, s, "n_runs");

        text_format(page, "%s: commit %.7s, build %s, %s run%s\n", s ? "head" : "base",
                    *commit ? commit : "unknown", *hash ? hash : "unknown", n_runs,
                    !strcmp(n_runs, "1") ? "" : "s");
    }
    traits_add(traits[0], traits, c->n, true, &shared);
    if (shared.size > 0) {
        text_add(page, "all cells:\n");
        page_wrapped(page, shared.data);
    }
    text_free(&shared);
    if (strcmp(alone[0], "0") != 0 || strcmp(alone[1], "0") != 0)
        text_format(page, "left out: %s cells of base alone, %s of head alone\n", alone[0],
                    alone[1]);
    if (n_hosts > 1 || n_gpus > 1)
        text_format(page,
                    "These are rows of %d host%s and %d GPU%s: a difference may be theirs.\n",
                    n_hosts, n_hosts == 1 ? "" : "s", n_gpus, n_gpus == 1 ? "" : "s");
    if (query_number(b, 0, "is_same") > 0)
        text_add(page, "Both are the same program: there is no difference to look for.\n");
}

/* What is worst stands first, then the largest changes. */
static enum bench_status add_rows(struct text *page, const struct comparison *c,
                                  const char *const *traits, bool all)
{
    bool partial = false;
    int n_rows = 0;
    struct table order;

    TRY(query_table(c->store,
                    "SELECT number - 1 AS cell, confidence >= 0.5 AND confidence < 0.95 AS "
                    "is_partial FROM judged ORDER BY place, abs(change) DESC, number",
                    &order));
    for (int i = 0; i < order.n_rows; i++) {
        const int cell = (int)query_number(&order, i, "cell");

        partial |= query_number(&order, i, "is_partial") > 0;
        if (c->judged[cell].verdict == REGRESSION_SAME && !all)
            continue;
        if (n_rows++ == 0)
            text_format(page, "\n%-14s %9s %9s %8s  %-17s %5s %7s\n", "verdict", "base ms",
                        "head ms", "change %", "95 % interval", "runs", "q");
        add_row(page, c, traits, cell);
    }
    if (partial && n_rows > 0)
        text_add(page, "* so few runs allow no interval of 95 %: 3 + 3 one of 90 %\n");
    table_free(&order);
    return BENCH_OK;
}

static enum bench_status add_csv(struct text *csv, const struct comparison *c)
{
    struct table rows;

    TRY(query_table(c->store, "SELECT * FROM listed", &rows));
    table_render(&rows, TABLE_CSV, 0, csv);
    table_free(&rows);
    return text_ok(csv);
}

enum bench_status compare_report(const struct comparison *c,
                                 const struct compare_options *options, FILE *out,
                                 struct text *csv)
{
    const char **traits = calloc((size_t)c->n, sizeof *traits);
    struct text page = {0};
    enum bench_status status;

    if (!traits)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a comparison");
    for (int i = 0; i < c->n; i++)
        traits[i] = query_text(&c->cells, i, "cell");
    add_head(&page, c, traits);
    status = add_rows(&page, c, traits, options->all);
    text_format(&page, "\n%d cells:", c->n);
    for (int v = 0; v < REGRESSION_N_VERDICTS; v++)
        text_format(&page, "%s %d %s", v ? "," : "",
                    compare_count(c, (enum regression_verdict)v), regression_verdict_names[v]);
    text_add(&page, "\n");
    if (!status && csv)
        status = add_csv(csv, c);
    if (!status)
        status = text_print(&page, out);
    text_free(&page);
    free(traits);
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

enum bench_status compare_suspects(const struct comparison *c, const char *folder, FILE *out)
{
    struct table files;
    enum bench_status status;
    int n = 0;

    TRY(query_table(c->store, "SELECT problem, text FROM descriptor", &files));
    status = BENCH_OK;
    for (int i = 0; i < files.n_rows && !status; i++)
        status = write_descriptor(folder, query_text(&files, i, "problem"),
                                  query_text(&files, i, "text"));
    table_free(&files);
    for (int i = 0; i < c->n; i++)
        n += query_number(&c->cells, i, "goes_on") > 0;
    if (!status)
        fprintf(out, "%d cells, %d go on, %d runs a side\n", c->n, n,
                regression_runs(c->n, c->fdr));
    return status;
}

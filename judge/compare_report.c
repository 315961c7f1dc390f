/*
 * compare_report.c - verdicts on two builds as a table for people and as CSV, and the descriptor of a second stage
 */
#include "judge/compare.h"

#include "harness/analysis/query.h"
#include "harness/analysis/traits.h"
#include "judge/page.h"

#include <math.h>
#include <string.h>

/* ---- the table ---- */

static void percent(char *text, size_t size, double share)
{
    snprintf(text, size, fabs(share) < 9.995 ? "%+.1f" : "%+.0f", 100 * share);
}

static void interval_text(const struct regression_cell *j, char *text, size_t size)
{
    char lo[24], hi[24];

    percent(lo, sizeof lo, j->interval.lo);
    percent(hi, sizeof hi, j->interval.hi);
    if (j->same_binary || j->interval.kept < 0.5)
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%s..%s%s", lo, hi, j->interval.kept < 0.95 ? "*" : "");
}

static void add_row(struct text *page, const struct comparison *c, int i)
{
    const struct regression_cell *j = &c->judged[i];
    char base[TEXT_NUMBER] = "-", head[TEXT_NUMBER] = "-", change[24] = "-", interval[64],
         runs[24], q[TEXT_NUMBER] = "-";
    struct text label = {0}, more = {0};
    const char *rest;

    if (j->base > 0)
        text_short_number(base, j->base, 4);
    if (j->head > 0)
        text_short_number(head, j->head, 4);
    if (j->base > 0 && j->head > 0)
        percent(change, sizeof change, j->change);
    interval_text(j, interval, sizeof interval);
    snprintf(runs, sizeof runs, "%d+%d", j->n_a, j->n_b);
    if (!j->same_binary)
        text_short_number(q, j->q, 2);
    text_format(page, "%-14s %9s %9s %8s  %-17s %5s %7s\n",
                regression_verdict_names[j->verdict], base, head, change, interval, runs, q);
    traits_add(c->traits[i], c->traits, c->n, false, &more);
    rest = more.data ? more.data : "";
    rest += strncmp(rest, "impl=", 5) ? 0 : strcspn(rest, " ");
    text_format(&label, "%s %s", compare_text(&c->cells, i, "impl"), rest);
    page_wrapped(page, label.data ? label.data : "");
    if (c->reason[i][0])
        page_wrapped(page, c->reason[i]);
    page->failed |= label.failed || more.failed;
    text_free(&label);
    text_free(&more);
}

static void add_head(struct text *page, const struct comparison *c)
{
    const int n_hosts = (int)compare_number(&c->build, 0, "n_hosts"),
              n_gpus = (int)compare_number(&c->build, 0, "n_gpus");
    struct text shared = {0};

    for (int s = 0; s < 2; s++) {
        const char *const commit = compare_text(&c->build, s, "commit");
        const char *const hash = compare_text(&c->build, s, "build_hash");
        const int n_runs = (int)compare_number(&c->build, s, "n_runs");

        text_format(page, "%s: commit %.7s, build %s, %d run%s\n", s ? "head" : "base",
                    *commit ? commit : "unknown", *hash ? hash : "unknown", n_runs,
                    n_runs == 1 ? "" : "s");
    }
    traits_add(c->traits[0], c->traits, c->n, true, &shared);
    if (shared.size > 0) {
        text_format(page, "all cells:\n");
        page_wrapped(page, shared.data);
    }
    text_free(&shared);
    if (c->n_alone[0] + c->n_alone[1] > 0)
        text_format(page, "left out: %d cells of base alone, %d of head alone\n", c->n_alone[0],
                    c->n_alone[1]);
    if (n_hosts > 1 || n_gpus > 1)
        text_format(page,
                    "These are rows of %d host%s and %d GPU%s: a difference may be theirs.\n",
                    n_hosts, n_hosts == 1 ? "" : "s", n_gpus, n_gpus == 1 ? "" : "s");
    if (c->same_binary)
        text_add(page, "Both are the same program: there is no difference to look for.\n");
}

/* What is worst stands first, then the largest changes. */
static enum bench_status add_rows(struct text *page, const struct comparison *c, bool all,
                                  int *n_rows)
{
    struct table order;

    TRY(query_table(
        c->store, "SELECT rowid - 1 AS cell FROM judged ORDER BY place, abs(change) DESC, cell",
        &order));
    for (int i = 0; i < order.n_rows; i++) {
        const int cell = (int)compare_number(&order, i, "cell");

        if (c->judged[cell].verdict == REGRESSION_SAME && !all)
            continue;
        if ((*n_rows)++ == 0)
            text_format(page, "\n%-14s %9s %9s %8s  %-17s %5s %7s\n", "verdict", "base ms",
                        "head ms", "change %", "95 % interval", "runs", "q");
        add_row(page, c, cell);
    }
    table_free(&order);
    return BENCH_OK;
}

static void add_totals(struct text *page, const struct comparison *c, int n_rows)
{
    bool partial = false;

    for (int i = 0; i < c->n; i++)
        partial |= !c->judged[i].same_binary && c->judged[i].interval.kept >= 0.5 &&
                   c->judged[i].interval.kept < 0.95;
    if (partial && n_rows > 0)
        text_add(page, "* so few runs allow no interval of 95 %: 3 + 3 one of 90 %\n");
    text_format(page, "\n%d cells:", c->n);
    for (int v = 0; v < REGRESSION_N_VERDICTS; v++)
        text_format(page, "%s %d %s", v ? "," : "",
                    compare_count(c, (enum regression_verdict)v), regression_verdict_names[v]);
    text_add(page, "\n");
}

static enum bench_status add_csv(struct text *csv, const struct comparison *c)
{
    static const char sql[] =
        "SELECT j.verdict, m.impl, "
        "CASE m.scope WHEN 'end_to_end' THEN 'frame' ELSE m.scope END AS scope, m.series, "
        "m.input, m.frame_pick AS \"case\", m.params, j.n_base, j.n_head, j.base_ms, "
        "j.head_ms, "
        "j.change, j.ci_lo, j.ci_hi, j.confidence, j.p, j.q, j.floor, j.runs_needed, "
        "b.\"commit\" AS base_commit, h.\"commit\" AS head_commit, j.reason "
        "FROM judged AS j JOIN pair USING (cell) JOIN measurement AS m ON m.id = pair.last "
        "JOIN build AS b ON b.side = 0 AND b.pass = 1 JOIN build AS h ON h.side = 1 AND h.pass "
        "= 1 "
        "WHERE pair.pass = 1 ORDER BY j.place, j.rowid";
    struct table rows;

    TRY(query_table(c->store, sql, &rows));
    table_render(&rows, TABLE_CSV, 0, csv);
    table_free(&rows);
    return text_ok(csv);
}

enum bench_status compare_report(const struct comparison *c,
                                 const struct compare_options *options, FILE *out,
                                 struct text *csv)
{
    struct text page = {0};
    enum bench_status status;
    int n_rows = 0;

    add_head(&page, c);
    status = add_rows(&page, c, options->all, &n_rows);
    add_totals(&page, c, n_rows);
    if (!status && csv)
        status = add_csv(csv, c);
    if (!status)
        status = text_print(&page, out);
    text_free(&page);
    return status;
}

/* ---- the second stage ---- */

static bool goes_on(const struct comparison *c, int i)
{
    const struct regression_cell *j = &c->judged[i];

    return !j->same_binary && regression_apart(j->a, j->n_a, j->b, j->n_b);
}

/* What a descriptor says of the cell.  Its keys are those that both builds know. */
static void add_keys(const struct comparison *c, int i, struct text *ini)
{
    static const char *const settings[] = {"impl",     "input", "case", "batch", "threads",
                                           "transfer", "sms",   "mode", "scope", "series"};
    const char *const base = compare_text(&c->cells, i, "base_params");

    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        if (*compare_text(&c->cells, i, settings[k]))
            text_format(ini, "%s=%s\n", settings[k], compare_text(&c->cells, i, settings[k]));
    for (const char *at = compare_text(&c->cells, i, "params"); *at;) {
        const size_t n = strcspn(at, ";"), n_key = strcspn(at, "=;");

        if (traits_have(base, at, n_key))
            text_format(ini, "%.*s\n", (int)n, at);
        at += n + (at[n] == ';');
    }
}

/* Rows have a share, descriptors a percentage. */
static void add_precision(const char *share, size_t n, struct text *ini)
{
    char text[TEXT_NUMBER] = "";
    double value;

    snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), share);
    if (!text_to_number(text, &value))
        return;
    text_number(text, 100 * value);
    text_format(ini, "precision=%s%%\n", text);
}

static void add_section(const struct comparison *c, int i, struct text *ini)
{
    text_format(ini, "\n[cell-%d]\n", i + 1);
    add_keys(c, i, ini);
    for (const char *at = compare_text(&c->cells, i, "plan"); *at;) {
        const size_t n = strcspn(at, ";");

        if (!strncmp(at, "precision=", 10))
            add_precision(at + 10, n - 10, ini);
        else if (strncmp(at, "laps=", 5) != 0 && strncmp(at, "values=", 7) != 0 &&
                 strncmp(at, "energy=", 7) != 0) /* times alone are asked for */
            text_format(ini, "%.*s\n", (int)n, at);
        at += n + (at[n] == ';');
    }
    text_add(ini, "values=0\n");
}

enum bench_status compare_suspects(const struct comparison *c, const char *folder, FILE *out)
{
    enum bench_status status = BENCH_OK;
    int n = 0;

    for (int i = 0; i < c->n && !status; i++) {
        const char *problem = compare_text(&c->cells, i, "problem");
        struct text ini = {0}, path = {0};
        bool done = false;

        if (!goes_on(c, i))
            continue;
        n++;
        if (!*problem || problem[strspn(problem, "abcdefghijklmnopqrstuvwxyz0123456789-_")])
            return BENCH_FAIL(BENCH_EINPUT, "expected the name of a problem, found '%.60s'",
                              problem);
        for (int k = 0; k < i; k++) /* its problem's file is there */
            done |= goes_on(c, k) && !strcmp(problem, compare_text(&c->cells, k, "problem"));
        if (done)
            continue;
        text_format(&ini, "; cells whose first runs were apart\n[global]\nproblem=%s\n",
                    problem);
        for (int k = i; k < c->n; k++)
            if (goes_on(c, k) && !strcmp(problem, compare_text(&c->cells, k, "problem")))
                add_section(c, k, &ini);
        text_format(&path, "%s/%s.ini", folder, problem);
        status = text_ok(&path);
        if (!status)
            status = text_make_folder(folder);
        if (!status)
            status = text_replace_file(path.data, &ini);
        text_free(&path);
        text_free(&ini);
    }
    if (!status)
        fprintf(out, "%d cells, %d go on, %d runs a side\n", c->n, n,
                regression_runs(c->n, c->fdr));
    return status;
}

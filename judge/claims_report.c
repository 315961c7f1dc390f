/*
 * claims_report.c - verdicts as a table for people, as CSV, and one of them explained
 */
#include "judge/claims_private.h"
#include "judge/page.h"

#include <string.h>

#define INDENT PAGE_INDENT

struct totals {
    int n[CLAIM_N_VERDICTS], all, unexpected;
};

static void found_text(const struct claim_judgement *j, char text[TEXT_NUMBER])
{
    if (!j->has_value)
        snprintf(text, TEXT_NUMBER, "-");
    else if (j->truth)
        snprintf(text, TEXT_NUMBER, "%s", j->value > 0 ? "yes" : "no");
    else
        text_short_number(text, j->value, 4);
}

static void add_line(struct text *page, const struct claim *c, const struct claim_judgement *j)
{
    char found[TEXT_NUMBER];

    found_text(j, found);
    text_format(page, "%-*s %8s %9s  %s\n", CLAIM_MAX_ID, c->id, c->printed ? c->printed : "",
                found, claim_verdict_names[j->verdict]);
    if (j->verdict != CLAIM_REPRODUCED || (j->truth && !(j->value > 0)))
        page_wrapped(page, j->reason);
    if (j->expected != CLAIM_N_VERDICTS && j->expected != j->verdict)
        text_format(page, INDENT "expected was %s\n", claim_verdict_names[j->expected]);
}

static void add_csv(struct text *csv, const struct claim *c, const char *machine,
                    const struct claim_judgement *j)
{
    char value[TEXT_NUMBER] = "";
    const char *const field[] = {
        c->id,
        c->where,
        c->words,
        claim_kind_names[c->kind],
        c->printed,
        c->unit,
        machine,
        value,
        claim_verdict_names[j->verdict],
        j->expected < CLAIM_N_VERDICTS ? claim_verdict_names[j->expected] : "",
        j->reason,
    };

    if (j->has_value)
        text_number(value, j->value);
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        text_add(csv, i ? "," : "");
        text_csv(csv, field[i] ? field[i] : "");
    }
    text_add(csv, "\n");
}

static enum bench_status add_part(struct claims *claims, const struct claim_machine *machine,
                                  struct text *page, struct text *csv, struct totals *totals)
{
    for (int i = 0; i < claims->n; i++) {
        const struct claim *c = &claims->claim[i];
        struct claim_judgement j;

        if (!(machine ? c->measured : c->paper))
            continue;
        TRY(claims_judge(claims, c, machine, NULL, &j));
        add_line(page, c, &j);
        if (csv)
            add_csv(csv, c, machine ? machine->name : "paper", &j);
        totals->n[j.verdict]++;
        totals->all++;
        totals->unexpected += j.expected != CLAIM_N_VERDICTS && j.expected != j.verdict;
    }
    return BENCH_OK;
}

static void add_heading(struct text *page, const char *title)
{
    text_format(page, "%s\n%-*s %8s %9s  verdict\n", title, CLAIM_MAX_ID, "claim", "printed",
                "found");
}

static void add_totals(struct text *page, const struct claims *claims,
                       const struct totals *totals)
{
    text_format(page, "\n%d claims, %d verdicts:", claims->n, totals->all);
    for (int v = 0; v < CLAIM_N_VERDICTS; v++)
        text_format(page, "%s %d %s",
                    v == 3 ? ",\n" INDENT
                    : v    ? ","
                           : "",
                    totals->n[v], claim_verdict_names[v]);
    text_format(page, "; %d unexpected\n", totals->unexpected);
}

static enum bench_status write_page(const struct text *page, FILE *out)
{
    TRY(text_ok(page));
    if ((page->size > 0 && fwrite(page->data, 1, page->size, out) != page->size) ||
        fflush(out) != 0)
        return BENCH_FAIL(BENCH_EIO, "the verdicts could not be written");
    return BENCH_OK;
}

static enum bench_status report(struct claims *claims, const struct claim_machine *machines,
                                int n_machines, struct text *page, struct text *csv,
                                struct totals *totals)
{
    add_heading(page, "The papers' own arithmetic");
    TRY(add_part(claims, NULL, page, csv, totals));
    for (int m = 0; m < n_machines; m++) {
        text_add(page, "\n");
        add_heading(page, machines[m].name);
        TRY(add_part(claims, &machines[m], page, csv, totals));
    }
    add_totals(page, claims, totals);
    return BENCH_OK;
}

enum bench_status claims_report(struct claims *claims, const struct claim_machine *machines,
                                int n_machines, FILE *out, struct text *csv)
{
    struct totals totals = {0};
    struct text page = {0};
    enum bench_status status;

    if (csv)
        text_add(csv, "\"claim\",\"where\",\"words\",\"kind\",\"printed\",\"unit\",\"machine\","
                      "\"value\",\"verdict\",\"expected\",\"reason\"\n");
    status = report(claims, machines, n_machines, &page, csv, &totals);
    if (!status)
        status = write_page(&page, out);
    text_free(&page);
    TRY(status);
    if (csv)
        TRY(text_ok(csv));
    if (totals.unexpected > 0)
        return BENCH_FAIL(BENCH_EMISMATCH, "%d verdicts are not those that the claims expect",
                          totals.unexpected);
    return BENCH_OK;
}

static enum bench_status explain_one(struct claims *claims, const struct claim *c,
                                     const struct claim_machine *machine, struct text *page)
{
    struct text log = {0};
    struct claim_judgement j;
    enum bench_status status = claims_judge(claims, c, machine, &log, &j);

    if (!status) {
        text_format(page, "\n%s\n", machine ? machine->name : "The papers' own arithmetic");
        if (log.data)
            text_add(page, log.data);
        page->failed |= log.failed;
        text_format(page, "%s\n", claim_verdict_names[j.verdict]);
        page_wrapped(page, j.reason);
        if (j.expected != CLAIM_N_VERDICTS)
            text_format(page, INDENT "expected: %s\n", claim_verdict_names[j.expected]);
    }
    text_free(&log);
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
    if (c->about > 0)
        text_format(page, ", about %g%%", 100 * c->about);
    if (c->tol > 0)
        text_format(page, ", tolerance %g%%", 100 * c->tol);
    text_format(page, "%s\n", c->exact ? ", printed cells as they stand" : "");
    if (c->because)
        text_format(page, "  because %s\n", c->because);
}

enum bench_status claims_explain(struct claims *claims, const char *id,
                                 const struct claim_machine *machines, int n_machines,
                                 FILE *out)
{
    const struct claim *c = NULL;
    struct text page = {0};
    enum bench_status status = BENCH_OK;

    for (int i = 0; i < claims->n; i++)
        if (!strcmp(claims->claim[i].id, id))
            c = &claims->claim[i];
    if (!c)
        return BENCH_FAIL(BENCH_EINPUT, "no claim '%s' (depthbench claims lists them)", id);
    add_claim(&page, c);
    if (c->paper)
        status = explain_one(claims, c, NULL, &page);
    for (int m = 0; m < n_machines && c->measured && !status; m++)
        status = explain_one(claims, c, &machines[m], &page);
    if (!status)
        status = write_page(&page, out);
    text_free(&page);
    return status;
}

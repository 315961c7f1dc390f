/*
 * claims_report.c - verdicts as a table for people, as CSV, and one of them explained
 */
#include "judge/claims_private.h"
#include "judge/page.h"

#include <fnmatch.h>
#include <string.h>

#define INDENT PAGE_INDENT

static bool is_unexpected(const struct claim_judgement *j)
{
    return j->uncommitted || (j->expected != CLAIM_N_VERDICTS && j->expected != j->verdict);
}

struct totals {
    int n[CLAIM_N_VERDICTS], all, unexpected;
    int far; /* CONTRADICTED by other hardware or inputs than the paper's */
};

static void count(struct totals *totals, const struct claim_judgement *j)
{
    totals->n[j->verdict]++;
    totals->all++;
    totals->unexpected += is_unexpected(j);
    totals->far += j->verdict == CLAIM_CONTRADICTED && j->elsewhere;
}

/* What is told in one line: a verdict, or cells of one table that are NOT-RUN for one reason. */
struct group {
    const struct claim *first; /* NULL: none */
    struct claim_judgement judgement;
    int n;
};

static void add_line(struct text *page, const struct group *g)
{
    const struct claim *c = g->first;
    const struct claim_judgement *j = &g->judgement;
    char found[TEXT_NUMBER], id[CLAIM_MAX_ID + 24];

    text_short_number(found, j->value, 4);
    snprintf(id, sizeof id, g->n > 1 ? "%s: %d cells" : "%s", g->n > 1 ? c->table : c->id,
             g->n);
    text_format(page, "%-*s %8s %9s  %s\n", CLAIM_MAX_ID, id,
                c->printed && g->n == 1 ? c->printed : "",
                !j->has_value  ? "-"
                : !j->truth    ? found
                : j->value > 0 ? "yes"
                               : "no",
                claim_verdict_names[j->verdict]);
    if (j->verdict != CLAIM_REPRODUCED || (j->truth && !(j->value > 0)))
        page_wrapped(page, j->reason);
    if (j->uncommitted)
        text_add(page, INDENT "no verdict is committed for it\n");
    else if (is_unexpected(j))
        text_format(page, INDENT "expected was %s\n", claim_verdict_names[j->expected]);
}

static bool may_share(const struct claim *c, const struct claim_judgement *j)
{
    return c->table && j->verdict == CLAIM_NOT_RUN && !is_unexpected(j);
}

/* One more verdict, or NULL behind the last. */
static void add_grouped(struct text *page, const struct claim *c,
                        const struct claim_judgement *j, struct group *g)
{
    if (g->first &&
        !(c && may_share(c, j) && may_share(g->first, &g->judgement) &&
          !strcmp(g->first->table, c->table) && !strcmp(j->reason, g->judgement.reason))) {
        add_line(page, g);
        g->first = NULL;
    }
    if (c && !g->first)
        *g = (struct group){c, *j, 0};
    g->n++;
}

/* "rdp" of "experiments/claims/rdp.ini": of which paper a claim is. */
static void paper_of(const struct claim *c, char name[32])
{
    const char *slash = strrchr(c->file->path, '/');
    const char *base = slash ? slash + 1 : c->file->path;

    snprintf(name, 32, "%.*s", (int)strcspn(base, "."), base);
}

static void add_csv(struct text *csv, const struct claim *c, const char *machine,
                    const struct claim_judgement *j)
{
    char value[TEXT_NUMBER] = "", low[TEXT_NUMBER] = "", high[TEXT_NUMBER] = "",
         tol[TEXT_NUMBER] = "", paper[32];
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
        paper,
        c->table,
        low,
        high,
        tol,
        c->because,
        j->scope,
        c->hardware,
        j->device};
    const double share = j->scaled ? (c->kind <= CLAIM_RATIO) * CLAIM_SCALED_TOL
                         : strcmp(machine, CLAIM_ARITHMETIC) ? c->tol
                                                             : c->about;

    paper_of(c, paper);
    if (j->has_value) {
        text_number(value, j->value);
        text_number(low, j->low);
        text_number(high, j->high);
    }
    if (share > 0)
        text_number(tol, 100 * share);
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        text_add(csv, i ? "," : "");
        text_csv(csv, field[i] ? field[i] : "");
    }
    text_add(csv, "\n");
}

static void add_counts(struct text *page, const struct totals *totals)
{
    const char *before = "";

    for (int v = 0; v < CLAIM_N_VERDICTS; v++)
        if (totals->n[v] > 0) {
            text_format(page, "%s%d %s", before, totals->n[v], claim_verdict_names[v]);
            if (v == CLAIM_CONTRADICTED && totals->far > 0)
                text_format(page, " (%d by other hardware or inputs)", totals->far);
            before = ", ";
        }
}

static void add_sentence(struct text *page, struct text *sentence)
{
    if (sentence->data)
        page_filled(page, sentence->data, "");
    page->failed |= sentence->failed;
    text_free(sentence);
}

static enum bench_status add_part(struct claims *claims, struct claim_machine *machine,
                                  struct text *page, struct text *csv, struct totals *all)
{
    struct totals totals = {0};
    struct group group = {0};
    struct text line = {0};

    text_format(page, "%s\n%-*s %8s %9s  verdict\n",
                machine ? machine->name : "The papers' own arithmetic", CLAIM_MAX_ID, "claim",
                "printed", "found");
    for (int i = 0; i < claims->n; i++) {
        const struct claim *c = &claims->claim[i];
        struct claim_judgement j;

        if (!(machine ? c->measured : c->paper))
            continue;
        TRY(claims_judge(claims, c, machine, NULL, &j));
        add_grouped(page, c, &j, &group);
        if (csv)
            add_csv(csv, c, machine ? machine->name : CLAIM_ARITHMETIC, &j);
        count(&totals, &j);
        count(all, &j);
    }
    add_grouped(page, NULL, NULL, &group);
    text_add(&line, "-> ");
    add_counts(&line, &totals);
    add_sentence(page, &line);
    return BENCH_OK;
}

static bool is_quoted_before(const struct claims *claims, int at)
{
    for (int i = 0; i < at; i++)
        if (!claims->claim[i].table && claims->claim[i].words &&
            claims->claim[i].file == claims->claim[at].file &&
            !strcmp(claims->claim[i].words, claims->claim[at].words))
            return true;
    return false;
}

static void add_totals(struct text *page, const struct claims *claims,
                       const struct totals *totals)
{
    struct text line = {0};
    int n_cells = 0, n_quoted = 0;

    for (int i = 0; i < claims->n; i++) {
        const struct claim *c = &claims->claim[i];

        n_cells += c->table != NULL;
        n_quoted += !c->table && c->words && !is_quoted_before(claims, i);
    }
    text_format(page, "\n%d cells of tables, %d claims of %d quoted sentences and of figures\n",
                n_cells, claims->n - n_cells, n_quoted);
    text_format(&line, "%d claims, %d verdicts: ", claims->n, totals->all);
    add_counts(&line, totals);
    text_format(&line, "; %d unexpected.", totals->unexpected);
    add_sentence(page, &line);
}

enum bench_status claims_report(struct claims *claims, struct claim_machine *machines,
                                int n_machines, FILE *out, struct text *csv)
{
    struct totals totals = {0};
    struct text page = {0};
    enum bench_status status = BENCH_OK;

    if (csv)
        text_add(csv,
                 "\"claim\",\"where\",\"words\",\"kind\",\"printed\",\"unit\",\"machine\","
                 "\"value\",\"verdict\",\"expected\",\"reason\",\"paper\",\"table\",\"low\","
                 "\"high\",\"tolerance_pct\",\"because\",\"scope\",\"hardware\",\"device\"\n");
    for (int m = -1; m < n_machines && !status; m++) {
        text_add(&page, m < 0 ? "" : "\n");
        status = add_part(claims, m < 0 ? NULL : &machines[m], &page, csv, &totals);
    }
    add_totals(&page, claims, &totals);
    if (!status)
        status = text_print(&page, out);
    if (!status && csv)
        status = text_ok(csv);
    text_free(&page);
    if (!status && totals.unexpected > 0)
        status = BENCH_FAIL(BENCH_EMISMATCH,
                            "%d verdicts are not those that are expected (claims --expect "
                            "writes them down, for review)",
                            totals.unexpected);
    return status;
}

static enum bench_status explain_one(struct claims *claims, const struct claim *c,
                                     struct claim_machine *machine, struct text *page)
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

static enum bench_status explain(struct claims *claims, const struct claim *c,
                                 struct claim_machine *machines, int n_machines,
                                 struct text *page)
{
    if (page->size > 0)
        text_add(page, "\n");
    add_claim(page, c);
    if (c->paper)
        TRY(explain_one(claims, c, NULL, page));
    for (int m = 0; m < n_machines && c->measured; m++)
        TRY(explain_one(claims, c, &machines[m], page));
    return BENCH_OK;
}

enum bench_status claims_explain(struct claims *claims, const char *id,
                                 struct claim_machine *machines, int n_machines, FILE *out)
{
    struct text page = {0}, folded = {0};
    enum bench_status status = BENCH_OK;

    for (int i = 0; i < claims->n && !status; i++) {
        const struct claim *c = &claims->claim[i];

        if (!strcmp(c->id, id) || (c->table && !strcmp(c->table, id)) || !fnmatch(id, c->id, 0))
            status = explain(claims, c, machines, n_machines, &page);
    }
    if (!status && page.size == 0)
        status = BENCH_FAIL(BENCH_EINPUT, "no claim '%s' (depthbench claims lists them)", id);
    if (!status)
        status = text_ok(&page);
    if (!status) {
        page_folded(&folded, page.data);
        status = text_print(&folded, out);
    }
    text_free(&page);
    text_free(&folded);
    return status;
}

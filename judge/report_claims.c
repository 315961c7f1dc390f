/*
 * report_claims.c - the verdicts on the report: bars, badges and tables
 */
#include "judge/report_private.h"

#include <stdlib.h>
#include <string.h>

/* Sign and word beside the colour: nobody has to tell colours apart.  Findings come first. */
static const struct {
    enum claim_verdict verdict;
    const char *class, *sign, *word, *means;
} looks[CLAIM_N_VERDICTS] = {
    {CLAIM_CONTRADICTED, "contradicted", "\u2717", "contradicted",
     "what was measured says otherwise"},
    {CLAIM_PAPER_INCONSISTENT, "inconsistent", "\u2260", "paper inconsistent",
     "the paper's own printed numbers do not agree with it, however they were rounded"},
    {CLAIM_SCALED_DIFFERS, "apart", "\u2247", "scaled, differs",
     "a GPU cut to the size of the paper's, its times brought to that clock, is more than a "
     "quarter off; memory, caches, lanes and CPU do not scale"},
    {CLAIM_REPRODUCED, "reproduced", "\u2713", "reproduced",
     "it holds; a number is within the tolerance that its claim names"},
    {CLAIM_SHAPE_ONLY, "shape", "\u2248", "shape only",
     "it holds, on other hardware or inputs than the paper's; or a ratio is out of tolerance "
     "and "
     "within a factor of 2"},
    {CLAIM_SCALED_AGREES, "scaled", "\u2245", "scaled, agrees",
     "a GPU cut to the size of the paper's, its times brought to that clock, is within a "
     "quarter; memory, caches, lanes and CPU do not scale"},
    {CLAIM_NOT_RUN, "notrun", "\u25cb", "not run",
     "it cannot be judged here: no verified row, an absolute number of other hardware or "
     "inputs, or "
     "undecided within the noise"},
};

static int look_of(enum claim_verdict verdict)
{
    int i = 0;

    while (looks[i].verdict != verdict)
        i++;
    return i;
}

const char *report_word(enum claim_verdict verdict)
{
    return looks[look_of(verdict)].word;
}

/* ---- judging and counting ---- */

static enum bench_status judge_all(struct report *r, bool measured)
{
    for (int i = 0; i < r->claims.n; i++) {
        const struct claim *c = &r->claims.claim[i];
        struct report_verdict *v = &r->verdict[r->n_verdicts];

        if (!(measured ? c->measured : c->paper))
            continue;
        TRY(claims_judge(&r->claims, c, measured ? &r->rows : NULL, NULL, &v->judgement));
        v->claim = c;
        v->measured = measured;
        r->n_verdicts++;
    }
    return BENCH_OK;
}

enum bench_status report_judge(struct report *r)
{
    r->verdict = calloc(2 * (size_t)r->claims.n + 1, sizeof *r->verdict);
    if (!r->verdict)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d claims", r->claims.n);
    TRY(judge_all(r, false));
    return r->has_rows ? judge_all(r, true) : BENCH_OK;
}

/* "…/rdp.ini" is of the paper whose claims are "rdp". */
bool report_belongs(const struct report_verdict *v, const struct report_paper *paper)
{
    const char *path = v->claim->file->path;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const size_t n = strlen(paper->claims);

    return n > 0 && !strncmp(name, paper->claims, n) && !strcmp(name + n, ".ini");
}

struct report_counts report_count(const struct report *r, const struct report_paper *paper,
                                  bool measured)
{
    struct report_counts counts = {.all = 0};

    for (int i = 0; i < r->n_verdicts; i++) {
        const struct report_verdict *v = &r->verdict[i];

        if (v->measured != measured || (paper && !report_belongs(v, paper)))
            continue;
        counts.n[v->judgement.verdict]++;
        counts.all++;
        counts.far += v->judgement.verdict == CLAIM_CONTRADICTED && v->judgement.elsewhere;
    }
    return counts;
}

/* ---- bars and badges ---- */

void report_badge(struct text *page, enum claim_verdict verdict)
{
    const int i = look_of(verdict);

    text_format(page, "<span class=\"badge %s\"><span aria-hidden=\"true\">%s</span> %s</span>",
                looks[i].class, looks[i].sign, looks[i].word);
}

void report_bar(struct text *page, const struct report_counts *counts, const char *what)
{
    html_format(page, "<div class=\"bar\" role=\"img\" aria-label=\"%s: %d verdicts", what,
                counts->all);
    for (int i = 0; i < CLAIM_N_VERDICTS; i++)
        if (counts->n[looks[i].verdict] > 0)
            html_format(page, ", %d %s", counts->n[looks[i].verdict], looks[i].word);
    text_add(page, "\">");
    for (int i = 0; i < CLAIM_N_VERDICTS; i++)
        if (counts->n[looks[i].verdict] > 0)
            text_format(page, "<span class=\"%s\" style=\"flex-grow:%d\">%s&#8239;%d</span>",
                        looks[i].class, counts->n[looks[i].verdict], looks[i].sign,
                        counts->n[looks[i].verdict]);
    text_add(page, "</div>\n");
}

void report_total_badges(struct text *page, const struct report_counts *rows,
                         const struct report_counts *printed)
{
    for (int i = 0; i < CLAIM_N_VERDICTS; i++)
        text_format(page,
                    " <span class=\"badge %s\"><span aria-hidden=\"true\">%s</span> <b "
                    "data-total=\"%s\">%d</b> %s</span>",
                    looks[i].class, looks[i].sign, claim_verdict_names[looks[i].verdict],
                    rows->n[looks[i].verdict] + printed->n[looks[i].verdict], looks[i].word);
}

/* ---- tables ---- */

static const char *unit_of(const struct claim *c)
{
    return !c->unit ? "" : !strcmp(c->unit, "x") ? "\u00d7" : c->unit;
}

static void add_found(struct text *page, const struct report_verdict *v)
{
    const struct claim *c = v->claim;
    char number[TEXT_NUMBER];

    if (!v->judgement.has_value) {
        text_add(page, "<span class=\"none\">none</span>");
    } else if (v->judgement.truth) {
        text_add(page, v->judgement.value > 0 ? "yes" : "no");
    } else {
        text_short_number(number, v->judgement.value, 4);
        html_text(page, number);
        text_add(page, c->unit ? " " : "");
        html_text(page, unit_of(c));
    }
}

static const char *plain_words(const struct report *r, const struct report_verdict *v)
{
    for (int i = 0; i < r->n_papers; i++)
        if (report_belongs(v, &r->paper[i]))
            return report_says(&r->paper[i], REPORT_WORDS, v->claim->id);
    return "";
}

static void add_verdict(struct text *page, const struct report *r,
                        const struct report_verdict *v)
{
    const struct claim *c = v->claim;
    const char *words = plain_words(r, v);
    const struct claim_judgement *j = &v->judgement;

    text_format(page, "<tr role=\"row\" data-verdict=\"%s\" data-by=\"%s\">",
                claim_verdict_names[j->verdict], v->measured ? "rows" : "paper");
    text_add(page, "<th role=\"rowheader\" scope=\"row\">");
    if (words[0])
        html_format(page, "<span class=\"plain\">%s</span> ", words);
    html_format(page, "<span class=\"place\">%s</span>", c->where ? c->where : c->id);
    if (c->words)
        html_format(page, " <q>%s</q>", c->words);
    html_format(page,
                "<code class=\"id\">%s</code></th><td role=\"cell\" class=\"number\" "
                "data-head=\"printed\">%s",
                c->id, c->printed ? c->printed : "");
    text_add(page, c->printed && c->unit ? " " : "");
    html_text(page, c->printed ? unit_of(c) : "");
    text_format(page, "</td><td role=\"cell\" class=\"number\" data-head=\"%s\">",
                v->measured ? "here" : "by its numbers");
    add_found(page, v);
    text_add(page, "</td><td role=\"cell\" class=\"verdict\">");
    report_badge(page, j->verdict);
    html_format(page, " <span class=\"reason\">%s", j->reason);
    if (j->expected != CLAIM_N_VERDICTS && j->expected != j->verdict)
        html_format(page, "; expected was %s", report_word(j->expected));
    text_add(page, "</span></td></tr>\n");
}

void report_verdict_table(struct text *page, const struct report *r, const char *name,
                          bool (*take)(const struct report_verdict *v, const void *user),
                          const void *user)
{
    bool measured = false, some = false;

    for (int i = 0; i < r->n_verdicts; i++)
        if (take(&r->verdict[i], user)) {
            measured = measured || r->verdict[i].measured;
            some = true;
        }
    if (!some)
        return;
    html_format(page,
                "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table "
                "role=\"table\" class=\"claims\">\n<caption>%s",
                name, name);
    text_format(page,
                "</caption>\n<thead role=\"rowgroup\"><tr role=\"row\"><th "
                "role=\"columnheader\" scope=\"col\">what the paper says</th><th "
                "role=\"columnheader\" scope=\"col\" class=\"number\">printed</th><th "
                "role=\"columnheader\" scope=\"col\" class=\"number\">%s</th><th "
                "role=\"columnheader\" scope=\"col\">verdict</th></tr></thead>\n<tbody "
                "role=\"rowgroup\">\n",
                measured ? "here" : "by its numbers");
    for (int i = 0; i < r->n_verdicts; i++)
        if (take(&r->verdict[i], user))
            add_verdict(page, r, &r->verdict[i]);
    text_add(page, "</tbody></table></div>\n");
}

/* ---- the section ---- */

struct group {
    const struct report_paper *paper;
    bool measured;
    enum claim_verdict verdict;
};

static bool in_group(const struct report_verdict *v, const void *user)
{
    const struct group *g = user;

    return v->measured == g->measured && v->judgement.verdict == g->verdict &&
           report_belongs(v, g->paper);
}

static void add_half(struct text *page, const struct report *r,
                     const struct report_paper *paper, bool measured)
{
    const struct report_counts counts = report_count(r, paper, measured);
    const char *short_name = report_says(paper, REPORT_PAPER, "short");
    const char *what =
        measured ? "Measured on this machine" : "The paper\u2019s own arithmetic";

    if (counts.all == 0)
        return;
    text_format(page, "<h4>%s</h4>\n", what);
    report_bar(page, &counts, what);
    for (int i = 0; i < CLAIM_N_VERDICTS; i++) {
        const struct group group = {paper, measured, looks[i].verdict};
        const int n = counts.n[looks[i].verdict];
        struct text name = {0};

        if (n == 0)
            continue;
        /* what was found wrong is open; of the rest one looks at what one asks for */
        text_format(page, "<details%s><summary>", i < 2 ? " open" : "");
        report_badge(page, looks[i].verdict);
        text_format(page, " %d %s</summary>\n", n, n == 1 ? "claim" : "claims");
        text_format(&name, "[%s] %s, %s", short_name,
                    measured ? "measured" : "by the paper's own numbers", looks[i].word);
        report_verdict_table(page, r, name.data ? name.data : "", in_group, &group);
        page->failed |= name.failed;
        text_free(&name);
        text_add(page, "</details>\n");
    }
}

static void add_legend(struct text *page)
{
    text_add(page, "<dl class=\"legend\">\n");
    for (int i = 0; i < CLAIM_N_VERDICTS; i++) {
        text_add(page, "<div><dt>");
        report_badge(page, looks[i].verdict);
        text_format(page, "</dt><dd>%s</dd></div>\n", looks[i].means);
    }
    text_add(page, "</dl>\n");
}

void report_claims(struct text *page, const struct report *r)
{
    text_add(page,
             "<section class=\"all-verdicts\" aria-labelledby=\"claims\">\n<h2 "
             "id=\"claims\">What the papers say, and "
             "the verdicts</h2>\n<p>Each cell of a printed table and each sentence with a "
             "number in it that was taken as a claim has a verdict by the paper\u2019s own "
             "numbers, where these can be held against each other, and one by the rows of this "
             "machine. A contradicted claim is a finding, not a failure.</p>\n");
    add_legend(page);
    for (int i = 0; i < r->n_papers; i++) {
        const struct report_paper *paper = &r->paper[i];

        text_format(page, "<h3 id=\"claims-%d\">[", i + 1);
        html_format(page, "%s] %s</h3>\n", report_says(paper, REPORT_PAPER, "short"),
                    report_says(paper, REPORT_PAPER, "title"));
        add_half(page, r, paper, true);
        add_half(page, r, paper, false);
    }
    html_format(page,
                "<p><code>depthbench claims --explain ID %s</code> shows the rows and the "
                "arithmetic behind a verdict.</p>\n</section>\n",
                r->has_rows ? r->folder.data : "");
}

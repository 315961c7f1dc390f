/*
 * report_paper.c - a paper on the report: what it claims, what came out, its tables and figures
 */
#include "judge/report_private.h"

#include "harness/build.h"
#include "harness/experiment.h"
#include "harness/analysis/show.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPEN_TABLES 2 /* that nobody has to unfold, unless a table says another number */

const char *report_says(const struct report_paper *paper, const char *section, const char *key)
{
    const struct ini_fact *fact = ini_find(&paper->file, section, key);

    return fact ? fact->value : "";
}

/* ---- reading ---- */

static const char *const paper_keys[] = {"order",     "short", "title",  "by",
                                         "published", "doi",   "claims", "algorithm",
                                         "says",      "claim", NULL};
static const char *const item_keys[] = {"title",   "place", "what",       "why",
                                        "differs", "alt",   "experiment", "chart",
                                        "picture", "facts", "open",       NULL};

static bool is_known(const char *key, const char *const *known)
{
    while (*known && strcmp(*known, key) != 0)
        known++;
    return *known != NULL;
}

static enum bench_status check_keys(const struct ini_file *file)
{
    for (int i = 0; i < file->n_facts; i++) {
        const struct ini_fact *f = &file->fact[i];
        const bool is_paper = !strcmp(f->section, REPORT_PAPER);

        if (!strcmp(f->section, REPORT_WORDS))
            continue; /* its keys are claims: looked at when these are there */
        if (!is_known(f->key, is_paper ? paper_keys : item_keys))
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: unknown key '%s' in [%s] of a report",
                              file->path, f->line, f->key, f->section);
        if (!is_paper && !ini_find(file, f->section, "title"))
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected a title in [%s], found none",
                              file->path, f->line, f->section);
        if (!is_paper &&
            (ini_find(file, f->section, "chart") || ini_find(file, f->section, "picture")) &&
            !ini_find(file, f->section, "alt"))
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s:%d: expected 'alt' in [%s], for those who cannot see its "
                              "figure; found none",
                              file->path, f->line, f->section);
    }
    for (const char *const *key = paper_keys; *key; key++)
        if (strcmp(*key, "doi") != 0 && !ini_find(file, REPORT_PAPER, *key))
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s: expected '%s' in [" REPORT_PAPER "], found none", file->path,
                              *key);
    return BENCH_OK;
}

/* "experiments/report/rdp.ini" -> "rdp", into 'name'. */
static void base_name(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');

    snprintf(name, size, "%s", slash ? slash + 1 : path);
    name[strcspn(name, ".")] = '\0';
}

static enum bench_status find_items(struct report_paper *paper)
{
    const struct ini_file *file = &paper->file;
    char name[64];

    base_name(file->path, name, sizeof name);
    if (strchr(name, '-'))
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected a name without '-'", file->path);
    paper->item = calloc((size_t)file->n_facts + 1, sizeof *paper->item);
    if (!paper->item)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    for (int i = 0; i < file->n_facts; i++) {
        const char *section = file->fact[i].section;
        struct report_item *item = &paper->item[paper->n_items];

        if (!strcmp(section, REPORT_PAPER) || !strcmp(section, REPORT_WORDS) ||
            (i > 0 && !strcmp(section, file->fact[i - 1].section)))
            continue;
        item->title = report_says(paper, section, "title");
        if (asprintf(&item->id, "%s-%s", name, section) < 0) {
            item->id = NULL;
            return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
        }
        paper->n_items++;
    }
    if (paper->n_items == 0)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: expected a section for a table or figure, found none",
                          file->path);
    return BENCH_OK;
}

static enum bench_status read_paper(const char *path, struct report_paper *paper)
{
    const struct ini_fact *order;

    TRY(ini_read(path, &paper->file));
    TRY(check_keys(&paper->file));
    order = ini_find(&paper->file, REPORT_PAPER, "order");
    if (!text_to_number(order->value, &paper->order))
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected a number as 'order', found '%s'", path,
                          order->line, order->value);
    paper->claims = report_says(paper, REPORT_PAPER, "claims");
    return find_items(paper);
}

static int by_order(const void *a, const void *b)
{
    const struct report_paper *first = a, *second = b;

    return (first->order > second->order) - (first->order < second->order);
}

enum bench_status report_read_papers(struct report *r)
{
    struct report_files files = {.n = 0};
    struct text folder = {0};
    enum bench_status status;

    text_format(&folder, "%s/experiments/report", r->request->home);
    status = text_ok(&folder);
    if (!status)
        status = report_list(folder.data, ".ini", &files);
    if (!status && (files.n == 0 || files.n > CLAIM_MAX_PAPERS))
        status = BENCH_FAIL(BENCH_EINPUT, "%s: expected 1 to %d .ini files, found %d",
                            folder.data, CLAIM_MAX_PAPERS, files.n);
    for (int i = 0; i < files.n && !status; i++)
        status = read_paper(files.path[i], &r->paper[r->n_papers++]);
    if (!status)
        qsort(r->paper, (size_t)r->n_papers, sizeof *r->paper, by_order);
    report_files_free(&files);
    text_free(&folder);
    return status;
}

void report_paper_free(struct report_paper *paper)
{
    for (int i = 0; paper->item && i < paper->n_items; i++) {
        free(paper->item[i].id);
        text_free(&paper->item[i].why);
    }
    free(paper->item);
    ini_free(&paper->file);
}

/* ---- rows of an experiment ---- */

/* An experiment, or one scope (NULL: all) of it. */
static enum bench_status read_scope(const char *path, const char *scope,
                                    struct bench_experiment *experiment)
{
    char assignment[32];
    const char *assignments[] = {assignment};
    const struct bench_overrides overrides = {
        .assignments = assignments, .n = scope ? 1 : 0, .with_absent = true};

    snprintf(assignment, sizeof assignment, "scope=%s", scope ? scope : "");
    return experiment_read(path, &overrides, experiment);
}

/* What stands on the page of an experiment. */
struct item_text {
    const char *name; /* of the item */
    int n_open;       /* tables that are not folded */
    struct text html; /* the tables */
    int n_tables, n_rows;
    bool in_details;
};

static void add_note(struct text *html, const char *sentence)
{
    text_add(html, "<p class=\"note\">");
    html_text(html, sentence);
    text_add(html, "</p>\n");
}

static void open_details(struct item_text *t)
{
    if (!t->in_details)
        text_add(&t->html, "<details class=\"more\"><summary>More of it: other inputs, scopes "
                           "and values</summary>\n");
    t->in_details = true;
}

static void add_table(struct item_text *t, struct table *table)
{
    char label[256];

    if (t->n_tables >= t->n_open)
        open_details(t);
    t->n_tables++;
    t->n_rows += table->n_rows;
    if (table->about)
        add_note(&t->html, table->about);
    if (!table->title)
        table_say(table, &table->title, t->name);
    snprintf(label, sizeof label, "Table %d of %s", t->n_tables, t->name);
    report_table(&t->html, table, label);
    t->html.failed |= table->failed;
    if (table->note)
        add_note(&t->html, table->note);
}

/* The tables of a page; those of a second scope are folded. */
static void add_page(struct item_text *t, const struct show_page *page)
{
    if (t->n_tables > 0)
        open_details(t);
    text_add(&t->html, "<p class=\"shown\">");
    html_text(&t->html, page->title.data ? page->title.data : "");
    text_add(&t->html, "</p>\n");
    if (page->fixed.size > 0) {
        text_add(&t->html, "<details class=\"more fixed\"><summary>Held fixed</summary>\n");
        add_note(&t->html, page->fixed.data);
        text_add(&t->html, "</details>\n");
    }
    for (int i = 0; i < page->n_tables; i++)
        add_table(t, &page->table[i]);
}

static enum bench_status add_scope(const struct report *r, const char *path, const char *scope,
                                   struct item_text *t)
{
    struct bench_experiment experiment;
    struct show_page page;
    enum bench_status status;

    TRY(read_scope(path, scope, &experiment));
    status = show_read(&experiment, r->rows.store, r->paper_folder.data, &page);
    if (!status && page.n_rows > 0) {
        add_page(t, &page);
        add_note(&t->html, page.caption.data);
    }
    if (!status)
        show_page_free(&page);
    experiment_free(&experiment);
    return status;
}

/* The tables of an experiment, a scope after the other. */
static enum bench_status add_scopes(const struct report *r,
                                    const struct bench_experiment *experiment,
                                    const struct show_page *page, struct item_text *t)
{
    unsigned scopes = 0;

    for (int i = 0; i < experiment->n_cells; i++)
        scopes |= experiment->cells[i].plan.scopes;
    for (int scope = 0; scope < BENCH_N_SCOPES && page->n_rows > 0; scope++)
        if (scopes == 1U << scope)
            add_page(t, page);
        else if (scopes & 1U << scope)
            TRY(add_scope(r, experiment->path, bench_scope_name[scope], t));
    if (t->in_details)
        text_add(&t->html, "</details>\n");
    return text_ok(&t->html);
}

/* The cells without a row, together by their reason: "12 cells of impl, impl: not measured". */
static void sum_up(const struct show_page *page, struct text *why)
{
    for (int i = 0; i < page->n_missing; i++) {
        const struct show_missing *first = &page->missing[i];
        struct text impls = {0};
        bool known = false;
        int n = 0;

        for (int k = 0; k < i && !known; k++)
            known = !strcmp(page->missing[k].why, first->why);
        for (int k = i; k < page->n_missing && !known; k++) {
            const char *impl = page->missing[k].impl;

            if (strcmp(page->missing[k].why, first->why) != 0)
                continue;
            n++;
            if (!impls.data || !strstr(impls.data, impl))
                text_format(&impls, "%s%s", impls.size ? ", " : "", impl);
        }
        if (!known)
            text_format(why, "%s%d %s of %s: %s", why->size ? "; " : "", n,
                        n == 1 ? "cell" : "cells", impls.data ? impls.data : "", first->why);
        why->failed |= impls.failed;
        text_free(&impls);
    }
}

/* Other folders of results/ that have rows of the experiment. */
static enum bench_status find_elsewhere(const struct report *r,
                                        const struct bench_experiment *experiment,
                                        struct text *why)
{
    int n = 0;

    for (int i = 0; i < r->n_others; i++) {
        bool has_rows;

        TRY(show_has_rows(experiment, r->other[i].store, &has_rows));
        if (!has_rows)
            continue;
        text_add(why, n++ > 0 ? ", " : why->size > 0 ? "; " : "");
        text_format(why, "%s`results/%s`", n == 1 ? "other machines have rows: " : "",
                    r->other[i].name);
    }
    return BENCH_OK;
}

/* ---- one table or figure ---- */

/* The drawn file NAME.svg or NAME.png into 'path'; false: there is none. */
static bool drawn(const struct report *r, const char *name, struct text *path)
{
    static const char *const ends[] = {"svg", "png"};

    for (size_t i = 0; r->request->figures && i < sizeof ends / sizeof *ends; i++) {
        text_free(path);
        text_format(path, "%s/%s.%s", r->request->figures, name, ends[i]);
        if (path->data && access(path->data, R_OK) == 0)
            return true;
    }
    return false;
}

static enum bench_status add_figure(struct text *page, const char *path, const char *name,
                                    const char *alt, const char *caption)
{
    html_format(page,
                "<figure>\n<div class=\"scroll paper\" role=\"region\" tabindex=\"0\" "
                "aria-label=\"Figure %s\">",
                name);
    TRY(html_image(page, path, alt));
    html_format(page, "</div>\n<figcaption>%s</figcaption>\n</figure>\n", caption);
    return BENCH_OK;
}

/* Figures of a list "rdp-fig9, rdp-fig9-scene": the first open, the others that are there in a <details>. */
static enum bench_status add_figures(struct text *page, const struct report *r,
                                     const char *list, const char *alt, const char *caption,
                                     int *n_drawn)
{
    char names[256];
    char *save = NULL;
    bool details = false;
    struct text path = {0};
    enum bench_status status = BENCH_OK;

    *n_drawn = 0;
    snprintf(names, sizeof names, "%s", list);
    for (char *name = strtok_r(names, ", ", &save); name && !status;
         name = strtok_r(NULL, ", ", &save)) {
        if (!drawn(r, name, &path))
            continue;
        if (*n_drawn == 1) {
            text_add(page, "<details class=\"more\"><summary>The same of other inputs and "
                           "tolerances</summary>\n");
            details = true;
        }
        status = add_figure(page, path.data, name, alt, caption);
        ++*n_drawn;
    }
    text_add(page, details ? "</details>\n" : "");
    text_free(&path);
    return status;
}

struct place {
    const struct report *r;
    const struct report_paper *paper;
    const char *place;
};

/* Whether a claim is of a place: "Fig. 1" is in "sect. 5, Fig. 1a", not in "Fig. 10". */
static bool at_place(const struct report_verdict *v, const void *user)
{
    const struct place *p = user;
    const size_t n = strlen(p->place);

    if (!v->measured || n == 0 || !v->claim->where || !report_belongs(v, p->paper))
        return false;
    for (const char *at = v->claim->where; (at = strstr(at, p->place)) != NULL; at += n)
        if (!isdigit((unsigned char)at[n]))
            return true;
    return false;
}

static void add_claims(struct text *page, const struct report *r, const struct place *place,
                       const char *title)
{
    struct report_counts counts = {.all = 0};
    struct text name = {0};

    for (int i = 0; i < r->n_verdicts; i++)
        if (at_place(&r->verdict[i], place)) {
            counts.n[r->verdict[i].judgement.verdict]++;
            counts.all++;
        }
    if (counts.all == 0)
        return;
    text_format(&name, "Printed and here: %s", title);
    text_format(page, "<details class=\"verdicts\"%s><summary>Printed and here: %d %s \u2014 ",
                counts.all <= 4 ? " open" : "", counts.all,
                counts.all == 1 ? "verdict" : "verdicts");
    for (int v = 0, n = 0; v < CLAIM_N_VERDICTS; v++)
        if (counts.n[v] > 0)
            text_format(page, "%s%d %s", n++ ? ", " : "", counts.n[v],
                        report_word((enum claim_verdict)v));
    text_add(page, "</summary>\n");
    report_verdict_table(page, r, name.data ? name.data : "", at_place, place);
    text_add(page, "</details>\n");
    page->failed |= name.failed;
    text_free(&name);
}

static void add_missing(struct text *page, const struct report_item *item, bool has_command)
{
    text_add(page, "<p class=\"missing\"><strong>Nothing here yet.</strong> ");
    html_prose(page, item->why.data ? item->why.data : "");
    if (has_command)
        html_format(page, ". ");
    if (has_command)
        html_format(page, "<code>make %s</code> measures and draws it.", item->id);
    text_add(page, "</p>\n");
}

static void add_caption(struct text *page, const char *caption)
{
    html_format(page, "<p class=\"caption\">%s</p>\n", caption);
}

/* Tables and charts of rows that are there; what is missing into item->why. */
static enum bench_status add_rows(struct text *page, const struct report *r,
                                  const struct report_paper *paper, const char *section,
                                  const struct bench_experiment *experiment,
                                  const struct show_page *shown, struct report_item *item)
{
    const struct bench_layout *layout = &experiment->layout;
    const bool is_table = layout->rows[0] && layout->columns[0] && layout->value[0];
    const char *chart = report_says(paper, section, "chart");
    const char *open = report_says(paper, section, "open");
    struct item_text t = {.name = item->title, .n_open = open[0] ? atoi(open) : OPEN_TABLES};
    enum bench_status status = BENCH_OK;
    int n_drawn = 0;

    if (chart[0]) {
        TRY(add_figures(page, r, chart, report_says(paper, section, "alt"), shown->caption.data,
                        &n_drawn));
        if (n_drawn == 0)
            text_format(&item->why,
                        "%sthe chart is not drawn: these rows are not enough for it, gnuplot "
                        "is missing, or it failed",
                        item->why.size ? "; " : "");
    }
    status = add_scopes(r, experiment, shown, &t);
    if (is_table) {
        html_format(page,
                    "<p class=\"note\">A row for each <code>%s</code>, a column for each "
                    "<code>%s</code>.</p>\n",
                    layout->rows, layout->columns);
    } else {
        text_format(page, "<details class=\"more\"><summary>Its %d rows as a table</summary>\n",
                    t.n_rows);
    }
    text_bytes(page, t.html.data ? t.html.data : "", t.html.size);
    text_free(&t.html);
    text_add(page, is_table ? "" : "</details>\n");
    if (is_table && n_drawn == 0)
        add_caption(page, shown->caption.data);
    if (item->why.size > 0) {
        text_add(page, "<p class=\"lacks\">Still missing: ");
        html_prose(page, item->why.data);
        text_add(page, ".</p>\n");
    }
    return status;
}

static enum bench_status add_experiment(struct text *page, const struct report *r,
                                        const struct report_paper *paper, const char *section,
                                        struct report_item *item, const char *path)
{
    struct bench_experiment experiment;
    struct show_page shown;
    enum bench_status status;

    TRY(read_scope(path, NULL, &experiment));
    status = show_read(&experiment, r->rows.store, r->paper_folder.data, &shown);
    if (status) {
        experiment_free(&experiment);
        return status;
    }
    sum_up(&shown, &item->why);
    if (shown.n_rows > 0) {
        status = add_rows(page, r, paper, section, &experiment, &shown, item);
    } else {
        item->state = REPORT_MISSING;
        status = find_elsewhere(r, &experiment, &item->why);
        add_missing(page, item, true);
    }
    show_page_free(&shown);
    experiment_free(&experiment);
    return status;
}

static enum bench_status add_picture(struct text *page, const struct report *r,
                                     const struct report_paper *paper, const char *section,
                                     struct report_item *item)
{
    char caption[200];
    int n_drawn = 0;

    snprintf(caption, sizeof caption,
             "A picture, no measurement: drawn of a generated scene by depthbench, commit "
             "%.7s%s, when this page was made.",
             bench_build()->commit, bench_build()->dirty ? " (dirty)" : "");
    TRY(add_figures(page, r, report_says(paper, section, "picture"),
                    report_says(paper, section, "alt"), caption, &n_drawn));
    if (n_drawn > 0)
        return BENCH_OK;
    item->state = REPORT_MISSING;
    text_add(&item->why,
             "The picture was not drawn: gnuplot is missing, or the command failed");
    add_missing(page, item, true);
    return BENCH_OK;
}

/* Facts of the machine beside those that are printed. */
static enum bench_status add_facts(struct text *page, const struct report *r,
                                   const struct report_paper *paper, const char *section,
                                   struct report_item *item)
{
    struct item_text t = {.name = item->title, .n_open = 1};
    struct text caption = {0};
    struct table table;
    bool known = false;
    enum bench_status status =
        report_facts(r, report_says(paper, section, "facts"), &table, &caption, &known);

    if (!status && known) {
        add_table(&t, &table);
        text_bytes(page, t.html.data, t.html.size);
        add_caption(page, caption.data);
    } else if (!status) {
        item->state = REPORT_MISSING;
        text_add(&item->why, "None of its facts is known of this machine: no GPU, or none that "
                             "was asked");
        add_missing(page, item, true);
    }
    text_free(&t.html);
    text_free(&caption);
    table_free(&table);
    return status;
}

static enum bench_status add_body(struct text *page, const struct report *r,
                                  const struct report_paper *paper, const char *section,
                                  struct report_item *item)
{
    const char *name = report_says(paper, section, "experiment");
    struct text path = {0};
    enum bench_status status;

    if (report_says(paper, section, "picture")[0])
        return add_picture(page, r, paper, section, item);
    if (report_says(paper, section, "facts")[0])
        return add_facts(page, r, paper, section, item);
    if (!name[0]) {
        item->state = REPORT_LEFT_OUT;
        text_add(&item->why, report_says(paper, section, "why"));
        text_add(page, "<p class=\"missing\">");
        html_prose(page, item->why.data ? item->why.data : "");
        text_add(page, ".</p>\n");
        return BENCH_OK;
    }
    text_format(&path, "%s/experiments/%s.ini", r->request->home, name);
    status = text_ok(&path);
    if (!status)
        status = add_experiment(page, r, paper, section, item, path.data);
    text_free(&path);
    return status;
}

static enum bench_status add_item(struct text *page, const struct report *r,
                                  const struct report_paper *paper, struct report_item *item)
{
    static const char *const state[] = {
        "<span class=\"state there\"><span "
        "aria-hidden=\"true\">\u25cf</span> here</span>",
        "<span class=\"state gone\"><span "
        "aria-hidden=\"true\">\u25cb</span> missing</span>",
        "<span class=\"state out\"><span "
        "aria-hidden=\"true\">\u2013</span> not attempted</span>"};
    const char *section = strchr(item->id, '-') + 1;
    const char *differs = report_says(paper, section, "differs");
    const struct place place = {r, paper, report_says(paper, section, "place")};
    struct text body = {0};
    enum bench_status status = add_body(&body, r, paper, section, item);

    if (!status)
        status = text_ok(&body);
    if (!status) {
        text_format(page, "<article class=\"item\" aria-labelledby=\"%s\">\n<h3 id=\"%s\">",
                    item->id, item->id);
        html_text(page, item->title);
        text_format(page, " %s</h3>\n<p class=\"what\">", state[item->state]);
        html_prose(page, report_says(paper, section, "what"));
        text_add(page, "</p>\n");
        if (body.size > 0)
            text_bytes(page, body.data, body.size);
        add_claims(page, r, &place, item->title);
        if (differs[0]) {
            text_add(page, "<p class=\"note\">");
            html_prose(page, differs);
            text_add(page, "</p>\n");
        }
        if (item->state == REPORT_THERE)
            html_format(page, "<p class=\"how\">Again: <code>make %s</code></p>\n", item->id);
        text_add(page, "</article>\n");
    }
    text_free(&body);
    return status;
}

/* ---- the paper ---- */

static void add_outcome(struct text *page, const struct report *r,
                        const struct report_paper *paper)
{
    const struct report_counts rows = report_count(r, paper, true);
    const struct report_counts printed = report_count(r, paper, false);
    const int holds = rows.n[CLAIM_REPRODUCED] + rows.n[CLAIM_SHAPE_ONLY];
    const int scaled = rows.n[CLAIM_SCALED_AGREES] + rows.n[CLAIM_SCALED_DIFFERS];
    const int judged = holds + scaled + rows.n[CLAIM_CONTRADICTED];

    text_add(page, "<p class=\"outcome\"><strong>What came out.</strong> ");
    if (rows.all > 0 && judged == 0)
        text_format(
            page,
            "None of its %d claims on measurements can be judged by rows of this machine "
            "yet. ",
            rows.all);
    else if (rows.all > 0)
        text_format(
            page,
            "Of %d claims on measurements, %d %s on this machine (%d of them in shape only, "
            "since hardware or inputs are other ones), %d %s contradicted (%d of them on other "
            "hardware or inputs), and %d cannot be judged here. ",
            rows.all, holds, holds == 1 ? "holds" : "hold", rows.n[CLAIM_SHAPE_ONLY],
            rows.n[CLAIM_CONTRADICTED], rows.n[CLAIM_CONTRADICTED] == 1 ? "is" : "are",
            rows.far, rows.all - judged);
    else
        text_add(page, "Nothing has been measured on this machine yet. ");
    if (scaled > 0)
        text_format(
            page,
            "Of the others, %d %s judged on a part of its GPU as large as the paper\u2019s: "
            "%d agree within a quarter and %d differ. ",
            scaled, scaled == 1 ? "is" : "are", rows.n[CLAIM_SCALED_AGREES],
            rows.n[CLAIM_SCALED_DIFFERS]);
    if (printed.all > 0)
        text_format(
            page,
            "Held against each other, the paper\u2019s printed numbers bear out %d of %d "
            "claims; %d do not agree with them.",
            printed.n[CLAIM_REPRODUCED], printed.all, printed.n[CLAIM_PAPER_INCONSISTENT]);
    text_add(page, "</p>\n");
}

/* Whether a claim has plain words: its verdict by rows where it was judged by them, else by the paper's numbers. */
static bool is_chosen(const struct report_verdict *v, const void *user)
{
    const struct place *p = user;

    if (!report_belongs(v, p->paper) || !report_says(p->paper, REPORT_WORDS, v->claim->id)[0])
        return false;
    for (int i = 0; i < p->r->n_verdicts && !v->measured; i++)
        if (p->r->verdict[i].measured && p->r->verdict[i].claim == v->claim)
            return false;
    return true;
}

/* Every claim that is put in plain words must be there. */
static enum bench_status check_words(const struct report *r, const struct report_paper *paper)
{
    for (int i = 0; i < paper->file.n_facts; i++) {
        const struct ini_fact *f = &paper->file.fact[i];
        bool found = strcmp(f->section, REPORT_WORDS) != 0;

        for (int k = 0; k < r->claims.n && !found; k++)
            found = !strcmp(r->claims.claim[k].id, f->key);
        if (!found)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected the id of a claim, found '%s'",
                              paper->file.path, f->line, f->key);
    }
    return BENCH_OK;
}

enum bench_status report_paper(struct text *page, const struct report *r,
                               struct report_paper *paper)
{
    const char *doi = report_says(paper, REPORT_PAPER, "doi");
    const struct report_counts rows = report_count(r, paper, true);
    const struct place place = {r, paper, ""};
    char name[64];

    TRY(check_words(r, paper));
    base_name(paper->file.path, name, sizeof name);
    text_format(page,
                "<section class=\"the-paper\" aria-labelledby=\"%s\">\n<h2 id=\"%s\">"
                "<span class=\"short\">",
                name, name);
    html_format(
        page, "%s</span> %s</h2>\n<p class=\"by\">%s. <cite>%s</cite>",
        report_says(paper, REPORT_PAPER, "short"), report_says(paper, REPORT_PAPER, "title"),
        report_says(paper, REPORT_PAPER, "by"), report_says(paper, REPORT_PAPER, "published"));
    if (doi[0])
        html_format(page, ", <a href=\"https://doi.org/%s\">doi:%s</a>", doi, doi);
    text_add(page, "</p>\n<p class=\"claim\"><strong>What it says.</strong> ");
    html_prose(page, report_says(paper, REPORT_PAPER, "says"));
    text_add(page, " ");
    html_prose(page, report_says(paper, REPORT_PAPER, "claim"));
    text_add(page, "</p>\n");
    add_outcome(page, r, paper);
    if (rows.all > 0)
        report_bar(page, &rows, "By rows of this machine");
    report_verdict_table(page, r, "In short: some of its claims", is_chosen, &place);
    for (int i = 0; i < paper->n_items; i++)
        TRY(add_item(page, r, paper, &paper->item[i]));
    text_add(page, "</section>\n");
    return text_ok(page);
}

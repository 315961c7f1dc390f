/*
 * report_paper.c - a paper on the report: what it claims, what came out, its tables and figures
 */
#include "judge/report_private.h"

#include "harness/build.h"
#include "harness/experiment.h"
#include "harness/show.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPEN_TABLES  2  /* that nobody has to unfold, unless a table says another number */
#define MAX_REASONS  16 /* why cells are missing */
#define MAX_CAPTIONS 8  /* figures of one item */

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

/* What `depthbench show` says of one scope (NULL: all) of an experiment. */
static enum bench_status show(const char *path, const char *scope, struct store *store,
                              const char *paper_folder, enum show_format format,
                              struct text *shown, struct text *notes)
{
    char assignment[32];
    const char *assignments[] = {assignment};
    const struct bench_overrides overrides = {
        .assignments = assignments, .n = scope ? 1 : 0, .with_absent = true};
    struct show_options options = {.format = format, .paper = paper_folder};
    struct bench_experiment experiment;
    char *out = NULL, *remarks = NULL;
    size_t n_out = 0, n_remarks = 0;
    enum bench_status status;

    snprintf(assignment, sizeof assignment, "scope=%s", scope ? scope : "");
    TRY(experiment_read(path, &overrides, &experiment));
    options.out = open_memstream(&out, &n_out);
    options.notes = open_memstream(&remarks, &n_remarks);
    status = options.out && options.notes
                 ? show_write(&experiment, store, &options)
                 : BENCH_FAIL(BENCH_ENOMEM, "out of memory to show %s", path);
    if (options.out)
        fclose(options.out);
    if (options.notes)
        fclose(options.notes);
    if (!status && out)
        text_bytes(shown, out, n_out);
    if (!status && remarks && notes)
        text_bytes(notes, remarks, n_remarks);
    free(out);
    free(remarks);
    experiment_free(&experiment);
    return status;
}

struct item_text {
    struct text tables, notes;
    struct html_tables found;
    bool is_table;
    char rows[64], columns[64]; /* of its tables */
};

/* The scopes that the cells have, as a set, and whether [show] lays out a table. */
static enum bench_status look_at(const char *path, unsigned *scopes, struct item_text *t)
{
    const struct bench_overrides overrides = {.with_absent = true};
    struct bench_experiment experiment;

    TRY(experiment_read(path, &overrides, &experiment));
    *scopes = 0;
    for (int i = 0; i < experiment.n_cells; i++)
        *scopes |= experiment.cells[i].plan.scopes;
    snprintf(t->rows, sizeof t->rows, "%s", experiment.layout.rows);
    snprintf(t->columns, sizeof t->columns, "%s", experiment.layout.columns);
    t->is_table = t->rows[0] && t->columns[0] && experiment.layout.value[0];
    experiment_free(&experiment);
    return BENCH_OK;
}

struct reason {
    char why[400], impls[400];
    int n;
};

/* "impl: 12 cells, the first …: not measured" or "impl …: not measured". */
static void add_reason(const char *line, size_t size, struct reason reason[MAX_REASONS], int *n)
{
    static const char *const words[] = {": skipped",  ": failed",    ": wrong",
                                        ": unstable", ": throttled", ": not measured"};
    char text[2048];
    const char *why = NULL, *count;
    size_t n_impl;
    int i = 0;

    snprintf(text, sizeof text, "%.*s", (int)size, line);
    for (size_t w = 0; w < sizeof words / sizeof *words && !why; w++)
        why = strstr(text, words[w]);
    if (!why)
        return;
    n_impl = strcspn(text, ": ");
    count = text[n_impl] == ':' ? text + n_impl + 2 : "1";
    while (i < *n && strcmp(reason[i].why, why + 2) != 0)
        i++;
    if (i == MAX_REASONS)
        return;
    if (i == *n)
        snprintf(reason[(*n)++].why, sizeof reason->why, "%s", why + 2);
    reason[i].n += atoi(count);
    text[n_impl] = '\0';
    if (!strstr(reason[i].impls, text)) {
        const size_t at = strlen(reason[i].impls);

        snprintf(reason[i].impls + at, sizeof reason->impls - at, "%s%s", at ? ", " : "", text);
    }
}

/* The cells without a row, together by their reason. */
static void sum_up(const struct text *notes, struct text *why)
{
    static const char missing[] = "missing: ";
    struct reason reason[MAX_REASONS] = {{.n = 0}};
    int n = 0;

    for (const char *line = notes->data; line && *line;) {
        const size_t size = strcspn(line, "\n");

        if (!strncmp(line, missing, strlen(missing)))
            add_reason(line + strlen(missing), size - strlen(missing), reason, &n);
        line += size + (line[size] == '\n');
    }
    for (int i = 0; i < n; i++)
        text_format(why, "%s%d %s of %s: %s", i ? "; " : "", reason[i].n,
                    reason[i].n == 1 ? "cell" : "cells", reason[i].impls, reason[i].why);
}

/* Other folders of results/ that have rows of the experiment. */
static enum bench_status find_elsewhere(const struct report *r, const char *path,
                                        struct text *where)
{
    enum bench_status status = BENCH_OK;

    for (int i = 0; i < r->n_others && !status; i++) {
        struct text shown = {0};
        const char *line;

        status = show(path, NULL, r->other[i].store, NULL, SHOW_CSV, &shown, NULL);
        line = shown.data ? strchr(shown.data, '\n') : NULL;
        if (!status && line && line[1])
            text_format(where, "%s`results/%s`", where->size ? ", " : "", r->other[i].name);
        text_free(&shown);
    }
    return status;
}

/* ---- one table or figure ---- */

static void item_text_free(struct item_text *t)
{
    text_free(&t->tables);
    text_free(&t->notes);
    text_free(&t->found.caption);
}

/* The caption of all rows of an experiment, which is that of its figures, too. */
static enum bench_status read_caption(const struct report *r, const char *path,
                                      struct text *caption)
{
    struct text markdown = {0};
    enum bench_status status =
        show(path, NULL, r->rows.store, NULL, SHOW_MARKDOWN, &markdown, NULL);

    text_free(caption);
    while (markdown.size > 0 && markdown.data[markdown.size - 1] == '\n')
        markdown.data[--markdown.size] = '\0';
    if (!status && markdown.size > 0) {
        const char *newline = strrchr(markdown.data, '\n');

        text_add(caption, newline ? newline + 1 : markdown.data);
    }
    text_free(&markdown);
    return status;
}

static enum bench_status experiment_tables(const struct report *r, const char *path,
                                           const char *title, int n_open, struct item_text *t)
{
    struct text markdown = {0};
    enum bench_status status = BENCH_OK;
    unsigned scopes;

    TRY(look_at(path, &scopes, t));
    for (int scope = 0; scope < BENCH_N_SCOPES && !status; scope++)
        if (scopes & 1U << scope)
            status =
                show(path, scopes == 1U << scope ? NULL : bench_scope_name[scope],
                     r->rows.store, r->paper_folder.data, SHOW_MARKDOWN, &markdown, &t->notes);
    if (!status)
        html_tables(&t->tables, markdown.data ? markdown.data : "", title, n_open, &t->found);
    text_free(&markdown);
    return status ? status : read_caption(r, path, &t->found.caption);
}

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
    text_add(page, "<figure>\n<div class=\"scroll paper\" role=\"region\" tabindex=\"0\" "
                   "aria-label=\"");
    html_format(page, "Figure %s", name);
    text_add(page, "\">");
    TRY(html_image(page, path, alt));
    text_add(page, "</div>\n<figcaption>");
    html_text(page, caption);
    text_add(page, "</figcaption>\n</figure>\n");
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
    if (has_command) {
        text_add(page, "<code>make ");
        html_text(page, item->id);
        text_add(page, "</code> measures and draws it.");
    }
    text_add(page, "</p>\n");
}

/* An experiment's tables and charts; what is missing into item->why. */
static enum bench_status add_experiment(struct text *page, const struct report *r,
                                        const struct report_paper *paper, const char *section,
                                        struct report_item *item, const char *path,
                                        struct item_text *t)
{
    const char *chart = report_says(paper, section, "chart");
    const char *open = report_says(paper, section, "open");
    int n_drawn = 0;

    TRY(experiment_tables(r, path, item->title, open[0] ? atoi(open) : OPEN_TABLES, t));
    sum_up(&t->notes, &item->why);
    if (t->found.n_tables == 0) {
        struct text elsewhere = {0};
        enum bench_status status = find_elsewhere(r, path, &elsewhere);

        item->state = REPORT_MISSING;
        if (!status && elsewhere.size > 0)
            text_format(&item->why, "%sother machines have rows: %s",
                        item->why.size ? "; " : "", elsewhere.data);
        text_free(&elsewhere);
        TRY(status);
        add_missing(page, item, true);
        return BENCH_OK;
    }
    if (chart[0]) {
        TRY(add_figures(page, r, chart, report_says(paper, section, "alt"),
                        t->found.caption.data ? t->found.caption.data : "", &n_drawn));
        if (n_drawn == 0)
            text_format(&item->why,
                        "%sthe chart is not drawn: these rows are not enough for it, gnuplot "
                        "is missing, or it failed",
                        item->why.size ? "; " : "");
    }
    if (!t->is_table)
        text_format(page, "<details class=\"more\"><summary>Its %d rows as a table</summary>\n",
                    t->found.n_rows);
    if (t->is_table) {
        text_add(page, "<p class=\"note\">A row for each <code>");
        html_text(page, t->rows);
        text_add(page, "</code>, a column for each <code>");
        html_text(page, t->columns);
        text_add(page, "</code>.</p>\n");
    }
    if (t->tables.size > 0)
        text_bytes(page, t->tables.data, t->tables.size);
    page->failed |= t->tables.failed;
    if (!t->is_table)
        text_add(page, "</details>\n");
    if (t->is_table && n_drawn == 0 && t->found.caption.size > 0) {
        text_add(page, "<p class=\"caption\">");
        html_text(page, t->found.caption.data);
        text_add(page, "</p>\n");
    }
    if (item->why.size > 0) {
        text_add(page, "<p class=\"lacks\">Still missing: ");
        html_prose(page, item->why.data);
        text_add(page, ".</p>\n");
    }
    return BENCH_OK;
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

/* Facts of the machine, as scripts/plot wrote them in Markdown. */
static enum bench_status add_facts(struct text *page, const struct report *r,
                                   const struct report_paper *paper, const char *section,
                                   struct report_item *item)
{
    struct html_tables found = {.n_tables = 0};
    struct text path = {0}, file = {0};
    enum bench_status status = BENCH_OK;

    if (r->request->figures)
        text_format(&path, "%s/%s.md", r->request->figures,
                    report_says(paper, section, "facts"));
    if (path.data && access(path.data, R_OK) == 0)
        status = text_read_file(path.data, &file);
    if (!status && file.data)
        html_tables(page, file.data, item->title, OPEN_TABLES, &found);
    if (!status && found.n_tables == 0) {
        item->state = REPORT_MISSING;
        text_add(&item->why, "None of its facts is known of this machine: no GPU, or none that "
                             "was asked");
        add_missing(page, item, true);
    }
    if (found.caption.size > 0) {
        text_add(page, "<p class=\"caption\">");
        html_text(page, found.caption.data);
        text_add(page, "</p>\n");
    }
    text_free(&found.caption);
    text_free(&path);
    text_free(&file);
    return status;
}

static enum bench_status add_body(struct text *page, const struct report *r,
                                  const struct report_paper *paper, const char *section,
                                  struct report_item *item)
{
    const char *name = report_says(paper, section, "experiment");
    struct item_text t = {.is_table = false};
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
        status = add_experiment(page, r, paper, section, item, path.data, &t);
    item_text_free(&t);
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
        if (item->state == REPORT_THERE) {
            text_add(page, "<p class=\"how\">Again: <code>make ");
            html_text(page, item->id);
            text_add(page, "</code></p>\n");
        }
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
    html_text(page, report_says(paper, REPORT_PAPER, "short"));
    text_add(page, "</span> ");
    html_text(page, report_says(paper, REPORT_PAPER, "title"));
    text_add(page, "</h2>\n<p class=\"by\">");
    html_text(page, report_says(paper, REPORT_PAPER, "by"));
    text_add(page, ". <cite>");
    html_text(page, report_says(paper, REPORT_PAPER, "published"));
    text_add(page, "</cite>");
    if (doi[0]) {
        text_add(page, ", <a href=\"https://doi.org/");
        html_text(page, doi);
        text_add(page, "\">doi:");
        html_text(page, doi);
        text_add(page, "</a>");
    }
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

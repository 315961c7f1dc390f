/*
 * report.c - the page: head, contents, what came out, papers, verdicts, environment, what is missing, how to run it
 */
#include "judge/report.h"

#include "harness/build.h"
#include "judge/report_private.h"

#include "report_css.h" /* judge/report.css as bytes, made by the Makefile */

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const numbers[] = {"No",   "One", "Two",   "Three", "Four",
                                      "Five", "Six", "Seven", "Eight"};

/* ---- reading ---- */

static enum bench_status read_claims(struct report *r)
{
    struct text folder = {0};
    enum bench_status status;

    text_format(&folder, "%s/experiments/claims", r->request->home);
    status = text_ok(&folder);
    if (!status)
        status = report_list(folder.data, ".ini", &r->claim_files);
    text_free(&folder);
    TRY(status);
    return claims_read((const char *const *)r->claim_files.path, r->claim_files.n,
                       r->paper_folder.data, &r->claims);
}

/* The rows; a folder that has none is no failure here, one with tables of another kind is. */
static enum bench_status read_rows(struct report *r)
{
    struct report_files tables = {0};
    char *said = NULL;
    size_t n_said = 0;
    sqlite3_stmt *all;
    FILE *notes;
    enum bench_status status;
    int n;

    if (access(r->folder.data, F_OK) != 0)
        return store_read((const char *const *)&r->folder.data, 1, true, NULL, &r->rows.store);
    notes = open_memstream(&said, &n_said);
    status = notes ? claim_machine_read(r->folder.data, notes, &r->rows)
                   : BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    if (notes)
        fclose(notes);
    r->has_rows = !status && store_n_measurements(r->rows.store) > 0;
    if (r->has_rows && said &&
        r->request->notes) /* where nothing can be read, one sentence says so */
        fputs(said, r->request->notes);
    free(said);
    if (!status)
        status =
            store_kept(r->rows.store,
                       "SELECT * FROM measurement WHERE withdrawn IS NULL ORDER BY id", &all);
    TRY(status);
    TRY(select_more(r->rows.store, all, "measurement", &r->all));
    if (r->has_rows || r->env.n > 0)
        return BENCH_OK;
    TRY(report_list(r->folder.data, ".csv", &tables));
    n = tables.n;
    report_files_free(&tables);
    return n == 0 ? BENCH_OK /* else as results/paper */
                  : BENCH_FAIL(BENCH_EINPUT,
                               "%s: expected sessions of a machine, found %d tables that are "
                               "none",
                               r->folder.data, n);
}

/* The folders of results/ beside the machine's; one that cannot be read is not this machine's fault. */
static enum bench_status read_others(struct report *r)
{
    struct dirent **entry = NULL;
    struct text root = {0};
    enum bench_status status;
    int n;

    text_format(&root, "%s/results", r->request->home);
    TRY(text_ok(&root));
    n = scandir(root.data, &entry, NULL, alphasort);
    r->other = calloc((size_t)(n > 0 ? n : 0) + 1, sizeof *r->other);
    status = r->other ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    for (int i = 0; i < n; i++) {
        const char *name = entry[i]->d_name;
        struct text path = {0};

        text_format(&path, "%s/%s", root.data, name);
        if (!status && name[0] != '.' && strcmp(name, "paper") != 0 &&
            strcmp(name, r->machine) != 0 && !text_ok(&path)) {
            struct report_other *const other = &r->other[r->n_others];

            status = store_read((const char *const *)&path.data, 1, false, NULL, &other->store);
            if (!status) {
                r->n_others++;
                other->name = strdup(name);
                if (!other->name)
                    status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
            } else if (status != BENCH_ENOMEM) {
                bench_failure_clear();
                status = BENCH_OK;
            }
        }
        text_free(&path);
        free(entry[i]);
    }
    free(entry);
    text_free(&root);
    return status;
}

static enum bench_status read_all(struct report *r)
{
    text_add(&r->folder, r->request->results);
    text_format(&r->paper_folder, "%s/results/paper", r->request->home);
    TRY(text_ok(&r->folder));
    TRY(text_ok(&r->paper_folder));
    while (r->folder.size > 1 && r->folder.data[r->folder.size - 1] == '/')
        r->folder.data[--r->folder.size] = '\0';
    r->machine = claim_machine_name(r->folder.data);
    if (!r->machine)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    TRY(read_claims(r));
    TRY(report_list(r->folder.data, ".env.txt", &r->env));
    TRY(read_rows(r));
    TRY(read_others(r));
    TRY(report_read_papers(r));
    return report_judge(r);
}

static void release(struct report *r)
{
    for (int i = 0; i < r->n_papers; i++)
        report_paper_free(&r->paper[i]);
    free(r->verdict);
    record_table_free(&r->all);
    claim_machine_free(&r->rows);
    for (int i = 0; i < r->n_others; i++) {
        store_close(r->other[i].store);
        free(r->other[i].name);
    }
    free(r->other);
    claims_free(&r->claims);
    report_files_free(&r->claim_files);
    report_files_free(&r->env);
    text_free(&r->folder);
    text_free(&r->paper_folder);
    free(r->machine);
}

/* ---- head ---- */

static void add_title(struct text *page, const struct report *r)
{
    struct text device = {0}, host = {0};

    report_machine(r, &device, &host);
    html_format(page, "%s %s, measured again on %s", numbers[r->n_papers < 9 ? r->n_papers : 0],
                r->n_papers == 1 ? "paper" : "papers", device.data ? device.data : r->machine);
    page->failed |= device.failed || host.failed;
    text_free(&device);
    text_free(&host);
}

static void add_head(struct text *page, const struct report *r)
{
    text_add(page,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
             "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
             "name=\"color-scheme\" content=\"light dark\">\n<title>");
    add_title(page, r);
    text_add(page, "</title>\n<style>\n");
    text_bytes(page, report_css, sizeof report_css);
    text_add(page,
             "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to what came "
             "out</a>\n");
}

/* "20261121T060040Z-..." -> "2026-11-21". */
static void add_day(struct text *page, const char *session)
{
    if (strlen(session) >= 8)
        html_format(page, "%.4s-%.2s-%.2s", session, session + 4, session + 6);
}

static void add_banner(struct text *page, const struct report *r)
{
    const struct record_table *rows = &r->all;
    struct text device = {0}, host = {0};

    report_machine(r, &device, &host);
    text_add(page,
             "<header class=\"banner\">\n<p class=\"kicker\">depthbench report</p>\n<h1>");
    add_title(page, r);
    text_add(page, "</h1>\n<p class=\"facts-line\"><span><code>");
    html_text(page, r->machine);
    text_add(page, "</code></span>");
    if (host.size > 0) {
        text_add(page, " <span>");
        html_text(page, host.data);
        text_add(page, "</span>");
    }
    if (r->has_rows) {
        text_format(page, " <span>%d rows in %d sessions</span> <span>newest of ", rows->n_rows,
                    report_count_distinct(rows, "session"));
        add_day(page, record_get(rows, rows->n_rows - 1, "session"));
        text_add(page, "</span>");
    } else {
        text_add(page, " <span>nothing measured on it yet</span>");
    }
    text_add(page, "</p>\n</header>\n");
    page->failed |= device.failed || host.failed;
    text_free(&device);
    text_free(&host);
}

/* ---- contents ---- */

static void add_contents(struct text *page, const struct report *r)
{
    text_add(page, "<nav class=\"contents\" aria-labelledby=\"contents\">\n<h2 "
                   "id=\"contents\">Contents</h2>\n<ol>\n<li><a href=\"#glance\">At a "
                   "glance</a></li>\n");
    for (int i = 0; i < r->n_papers; i++) {
        const struct report_paper *paper = &r->paper[i];

        text_format(page, "<li><a href=\"#%.*s\">", (int)strcspn(paper->item[0].id, "-"),
                    paper->item[0].id);
        html_text(page, report_says(paper, REPORT_PAPER, "short"));
        text_add(page, "</a>\n<ul>");
        for (int k = 0; k < paper->n_items; k++) {
            const struct report_item *item = &paper->item[k];

            text_format(page, "<li%s><a href=\"#%s\">",
                        item->state == REPORT_THERE ? "" : " class=\"gone\"", item->id);
            html_format(page, "%.*s", (int)strcspn(item->title, ":"), item->title);
            text_add(page, "</a></li>");
        }
        text_add(page, "</ul></li>\n");
    }
    text_add(page,
             "<li><a href=\"#claims\">Verdicts</a></li>\n<li><a "
             "href=\"#environment\">Environment</a></li>\n<li><a "
             "href=\"#missing\">What is missing</a></li>\n<li><a href=\"#how\">How to run "
             "it</a></li>\n<li><a href=\"#artifact\">Artifact "
             "appendix</a></li>\n</ol>\n</nav>\n");
}

/* ---- at a glance ---- */

static int count_items(const struct report_paper *paper, enum report_state state)
{
    int n = 0;

    for (int i = 0; i < paper->n_items; i++)
        n += paper->item[i].state == state;
    return n;
}

static void add_totals(struct text *page, const struct report *r)
{
    const struct report_counts rows = report_count(r, NULL, true);
    const struct report_counts printed = report_count(r, NULL, false);

    text_format(page, "<p class=\"totals\">%d claims, %d verdicts:<span class=\"badges\">",
                r->claims.n, rows.all + printed.all);
    report_total_badges(page, &rows, &printed);
    text_add(page, "</span></p>\n");
    if (rows.all > 0) {
        text_add(page, "<p class=\"bar-title\">By rows of this machine</p>\n");
        report_bar(page, &rows, "By rows of this machine");
        if (rows.far > 0)
            text_format(page,
                        "<p class=\"bar-note\">%d of the %d contradicted: on other hardware or "
                        "inputs than the paper\u2019s, so it is not the method alone that "
                        "differs.</p>\n",
                        rows.far, rows.n[CLAIM_CONTRADICTED]);
    }
    text_add(page, "<p class=\"bar-title\">By the papers\u2019 own printed numbers</p>\n");
    report_bar(page, &printed, "By the papers' own printed numbers");
}

static void add_card(struct text *page, const struct report *r,
                     const struct report_paper *paper)
{
    const struct report_counts rows = report_count(r, paper, true);
    const int there = count_items(paper, REPORT_THERE);
    const int missing = count_items(paper, REPORT_MISSING);

    text_format(page, "<article class=\"card\">\n<h3><a href=\"#%.*s\">",
                (int)strcspn(paper->item[0].id, "-"), paper->item[0].id);
    html_text(page, report_says(paper, REPORT_PAPER, "title"));
    text_add(page, "</a></h3>\n<p>");
    html_prose(page, report_says(paper, REPORT_PAPER, "says"));
    text_add(page, " ");
    html_prose(page, report_says(paper, REPORT_PAPER, "claim"));
    text_add(page, "</p>\n");
    if (rows.all > 0)
        report_bar(page, &rows, "By rows of this machine");
    text_format(page,
                "<p class=\"cover\">%d of %d tables and figures are here</p>\n</article>\n",
                there, there + missing);
}

static void add_glance(struct text *page, const struct report *r)
{
    text_add(page,
             "<section aria-labelledby=\"glance\">\n<h2 id=\"glance\">At a glance</h2>\n");
    add_totals(page, r);
    text_add(page, "<div class=\"cards\">\n");
    for (int i = 0; i < r->n_papers; i++)
        add_card(page, r, &r->paper[i]);
    text_add(page,
             "</div>\n<p class=\"note\">Nothing counts here that this program did not measure: "
             "each output was compared with a serial reference before it was timed. Filled "
             "marks and plain columns are ours; hollow marks and columns headed "
             "<em>printed</em> are the paper\u2019s, of its own hardware and data.</p>\n"
             "</section>\n");
}

/* ---- what is missing, how to run it ---- */

static void add_missing_rows(struct text *page, const struct report_paper *paper)
{
    for (int i = 0; i < paper->n_items; i++) {
        const struct report_item *item = &paper->item[i];

        if (item->why.size == 0)
            continue;
        text_format(page, "<tr><th scope=\"row\"><a href=\"#%s\">", item->id);
        html_format(page, "[%s] %.*s", report_says(paper, REPORT_PAPER, "short"),
                    (int)strcspn(item->title, ":"), item->title);
        text_format(page, "</a></th><td>%s</td><td>",
                    item->state == REPORT_THERE     ? "in part"
                    : item->state == REPORT_MISSING ? "all of it"
                                                    : "all of it, on purpose");
        html_prose(page, item->why.data);
        text_add(page, "</td><td>");
        if (item->state != REPORT_LEFT_OUT) {
            text_add(page, "<code>make ");
            html_text(page, item->id);
            text_add(page, "</code>");
        }
        text_add(page, "</td></tr>\n");
    }
}

static void add_missing(struct text *page, const struct report *r)
{
    text_add(
        page,
        "<section aria-labelledby=\"missing\">\n<h2 id=\"missing\">What is missing, and "
        "why</h2>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"What is "
        "missing\"><table class=\"missing-table\">\n<caption>Tables and figures that lack "
        "something on this machine</caption>\n<thead><tr><th scope=\"col\">what</th><th "
        "scope=\"col\">lacks</th><th scope=\"col\">why</th><th "
        "scope=\"col\">command</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < r->n_papers; i++)
        add_missing_rows(page, &r->paper[i]);
    text_add(page, "</tbody></table></div>\n</section>\n");
}

static void add_how(struct text *page, const struct report *r)
{
    text_add(
        page,
        "<section aria-labelledby=\"how\">\n<h2 id=\"how\">How to run it</h2>\n"
        "<pre>scripts/bootstrap &amp;&amp; make reproduce     # every table and figure, few "
        "samples\nmake bench EXP=rdp/fig9                 # one experiment with the full "
        "protocol\nmake report MACHINE=");
    html_text(page, r->machine);
    text_add(
        page,
        "\n                                        # this page again, from the same "
        "rows</pre>\n<p>Without a CUDA toolkit these give a CPU program, which still shows "
        "and judges the rows of GPU variants. <code>make help</code> lists all "
        "targets.</p>\n</section>\n");
}

static void add_foot(struct text *page)
{
    text_format(
        page,
        "</main>\n</div>\n<footer>\n<p>Made by depthbench, commit %.7s%s. This page needs no "
        "network, no script and no other file.</p>\n</footer>\n</body>\n</html>\n",
        bench_build()->commit, bench_build()->dirty ? " (dirty)" : "");
}

/* Papers first: they find out what is missing. */
static enum bench_status add_all(struct text *page, struct report *r, struct text *papers)
{
    for (int i = 0; i < r->n_papers; i++)
        TRY(report_paper(papers, r, &r->paper[i]));
    add_head(page, r);
    add_banner(page, r);
    text_add(page, "<div class=\"columns\">\n");
    add_contents(page, r);
    text_add(page, "<main id=\"main\" tabindex=\"-1\">\n");
    add_glance(page, r);
    text_bytes(page, papers->data, papers->size);
    report_claims(page, r);
    TRY(report_environment(page, r));
    add_missing(page, r);
    add_how(page, r);
    TRY(report_artifact(page, r));
    add_foot(page);
    return text_ok(page);
}

enum bench_status report_page(const struct report_request *request, struct text *page)
{
    struct report *r = calloc(1, sizeof *r);
    struct text papers = {0};
    enum bench_status status;

    if (!r)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    r->request = request;
    status = read_all(r);
    if (!status)
        status = add_all(page, r, &papers);
    text_free(&papers);
    release(r);
    free(r);
    return status;
}

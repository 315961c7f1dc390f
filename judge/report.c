/*
 * report.c - the page: report.html with what is known of a machine and of the papers
 */
#include "judge/report.h"

#include "harness/analysis/query.h"
#include "harness/build.h"
#include "judge/report_private.h"

#include "report_css.h" /* judge/report.css, report.html and report.sql as bytes, made by the Makefile */
#include "report_html.h"
#include "report_sql.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MANY 24 /* texts in one list */

static const char *const numbers[] = {"No",   "One", "Two",   "Three", "Four",
                                      "Five", "Six", "Seven", "Eight"};

/* ---- files ---- */

static enum bench_status add_file(const char *folder, const char *name, const char *end,
                                  struct report_files *files)
{
    const size_t n = strlen(name), n_end = strlen(end);

    if (name[0] == '.' || n <= n_end || strcmp(name + n - n_end, end) != 0)
        return BENCH_OK;
    if (asprintf(&files->path[files->n], "%s/%s", folder, name) < 0)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    files->n++;
    return BENCH_OK;
}

enum bench_status report_list(const char *folder, const char *end, struct report_files *files)
{
    struct dirent **entry = NULL;
    enum bench_status status = BENCH_OK;
    const int n = scandir(folder, &entry, NULL, alphasort);

    *files = (struct report_files){.n = 0};
    if (n < 0 && errno == ENOENT)
        return BENCH_OK;
    if (n < 0)
        return BENCH_FAIL(BENCH_EIO, "%s: cannot list the folder: %s", folder, strerror(errno));
    files->path = calloc((size_t)n + 1, sizeof *files->path);
    if (!files->path)
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    for (int i = 0; i < n; i++) {
        if (!status)
            status = add_file(folder, entry[i]->d_name, end, files);
        free(entry[i]);
    }
    free(entry);
    if (status)
        report_files_free(files);
    return status;
}

void report_files_free(struct report_files *files)
{
    for (int i = 0; files->path && i < files->n; i++)
        free(files->path[i]);
    free(files->path);
    *files = (struct report_files){.n = 0};
}

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

/* A folder without rows is no failure, one with tables of another kind, as results/paper, is. */
static enum bench_status check_folder(const struct report *r)
{
    struct report_files tables = {0}, environments = {0};
    enum bench_status status = report_list(r->folder.data, ".csv", &tables);

    if (!status)
        status = report_list(r->folder.data, ".env.txt", &environments);
    if (!status && tables.n > 0 && environments.n == 0)
        status = BENCH_FAIL(BENCH_EINPUT,
                            "%s: expected sessions of a machine, found %d tables that are none",
                            r->folder.data, tables.n);
    report_files_free(&tables);
    report_files_free(&environments);
    return status;
}

static enum bench_status read_rows(struct report *r)
{
    char *said = NULL;
    size_t n_said = 0;
    FILE *notes;
    enum bench_status status;

    if (access(r->folder.data, F_OK) != 0)
        return store_read((const char *const *)&r->folder.data, 1, true, NULL, &r->rows.store);
    notes = open_memstream(&said, &n_said);
    status = notes ? claim_machine_read(r->folder.data, notes, &r->rows)
                   : BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    if (notes)
        fclose(notes);
    r->has_rows = !status && store_n_measurements(r->rows.store) > 0;
    if (!status && !r->has_rows)
        status = check_folder(r);
    if (!status && said && r->request->notes) /* after a failure its sentence is enough */
        fputs(said, r->request->notes);
    free(said);
    return status;
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
    TRY(read_rows(r));
    TRY(store_execute(r->rows.store, report_sql, sizeof report_sql));
    TRY(query_table(r->rows.store, "SELECT key, text FROM fact", &r->facts));
    TRY(read_others(r));
    TRY(report_read_papers(r));
    return report_judge(r);
}

static void release(struct report *r)
{
    for (int i = 0; i < r->n_papers; i++)
        report_paper_free(&r->paper[i]);
    free(r->verdict);
    claim_machine_free(&r->rows);
    for (int i = 0; i < r->n_others; i++) {
        store_close(r->other[i].store);
        free(r->other[i].name);
    }
    free(r->other);
    claims_free(&r->claims);
    report_files_free(&r->claim_files);
    table_free(&r->facts);
    text_free(&r->papers);
    text_free(&r->folder);
    text_free(&r->paper_folder);
    free(r->machine);
}

/* ---- parts ---- */

static void add_title(struct text *page, const struct report *r)
{
    const char *gpu = report_fact(r, "gpu"), *cpu = report_fact(r, "cpu");

    html_format(page, "%s %s, measured again on %s", numbers[r->n_papers < 9 ? r->n_papers : 0],
                r->n_papers == 1 ? "paper" : "papers",
                gpu[0]   ? gpu
                : cpu[0] ? cpu
                         : r->machine);
}

/* "16 cores of Intel ...". */
static void add_host(struct text *page, const struct report *r)
{
    const char *gpu = report_fact(r, "gpu"), *cpu = report_fact(r, "cpu");
    const char *cores = report_fact(r, "cores");

    if (cores[0])
        html_format(page, "%s%s core%s", gpu[0] ? "" : "no GPU, ", cores,
                    strcmp(cores, "1") != 0 ? "s" : "");
    if (gpu[0] && cpu[0])
        html_format(page, "%s%s", cores[0] ? " of " : "", cpu);
}

static void add_contents(struct text *page, const struct report *r)
{
    for (int i = 0; i < r->n_papers; i++) {
        const struct report_paper *paper = &r->paper[i];

        text_format(page, "<li><a href=\"#%.*s\">", (int)strcspn(paper->item[0].id, "-"),
                    paper->item[0].id);
        html_format(page, "%s</a>\n<ul>", report_says(paper, REPORT_PAPER, "short"));
        for (int k = 0; k < paper->n_items; k++) {
            const struct report_item *item = &paper->item[k];

            text_format(page, "<li%s><a href=\"#%s\">",
                        item->state == REPORT_THERE ? "" : " class=\"gone\"", item->id);
            html_format(page, "%.*s</a></li>", (int)strcspn(item->title, ":"), item->title);
        }
        text_add(page, "</ul></li>\n");
    }
}

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
    html_format(page, "%s</a></h3>\n<p>", report_says(paper, REPORT_PAPER, "title"));
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

static void add_cards(struct text *page, const struct report *r)
{
    for (int i = 0; i < r->n_papers; i++)
        add_card(page, r, &r->paper[i]);
}

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
        if (item->state != REPORT_LEFT_OUT)
            html_format(page, "<code>make %s</code>", item->id);
        text_add(page, "</td></tr>\n");
    }
}

static void add_missing(struct text *page, const struct report *r)
{
    text_add(page,
             "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"What is "
             "missing\"><table class=\"missing-table\">\n<caption>Tables and figures that lack "
             "something on this machine</caption>\n<thead><tr><th scope=\"col\">what</th><th "
             "scope=\"col\">lacks</th><th scope=\"col\">why</th><th "
             "scope=\"col\">command</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < r->n_papers; i++)
        add_missing_rows(page, &r->paper[i]);
    text_add(page, "</tbody></table></div>\n");
}

static void add_algorithms(struct text *page, const struct report *r)
{
    for (int i = 0; i < r->n_papers; i++)
        html_format(page, "%s[%s] %s", i ? "; " : "",
                    report_says(&r->paper[i], REPORT_PAPER, "short"),
                    report_says(&r->paper[i], REPORT_PAPER, "algorithm"));
}

static void add_papers(struct text *page, const struct report *r)
{
    text_bytes(page, r->papers.data, r->papers.size);
}

static void add_style(struct text *page, const struct report *r)
{
    (void)r;
    text_bytes(page, report_css, sizeof report_css);
}

static void add_machine(struct text *page, const struct report *r)
{
    html_text(page, r->machine);
}

static void add_commit(struct text *page, const struct report *r)
{
    (void)r;
    html_format(page, "%.7s%s", bench_build()->commit, bench_build()->dirty ? " (dirty)" : "");
}

/* ---- answers ---- */

/* The first column of an answer, ", " between. */
static enum bench_status add_texts(struct text *page, const struct report *r, const char *sql)
{
    struct table answer;

    TRY(query_table(r->rows.store, sql, &answer));
    for (int row = 0; row < answer.n_rows && row <= MANY; row++) {
        const char *text = table_cell(&answer, row, 0)->text;

        text_add(page, row ? ", " : "");
        html_text(page, row == MANY ? "..." : text ? text : "");
    }
    text_add(page, answer.n_rows == 0 ? "not recorded" : "");
    table_free(&answer);
    return BENCH_OK;
}

/* The distinct texts of a column, in the order of the rows. */
static enum bench_status add_each(struct text *page, const struct report *r, const char *column)
{
    struct text sql = {0};
    enum bench_status status;

    text_format(&sql,
                "SELECT %s FROM recorded WHERE %s IS NOT NULL GROUP BY %s ORDER BY min(id)",
                column, column, column);
    status = text_ok(&sql);
    if (!status)
        status = add_texts(page, r, sql.data);
    text_free(&sql);
    return status;
}

void report_table(struct text *page, const struct table *table, const char *name)
{
    html_format(page, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">",
                name);
    table_render(table, TABLE_HTML, 0, page);
    text_add(page, "</div>\n");
}

/* "TITLE: SELECT ...". */
static enum bench_status add_answer(struct text *page, const struct report *r, const char *what)
{
    const char *colon = strchr(what, ':');
    struct table answer;
    enum bench_status status;

    TRY(query_table(r->rows.store, colon + 1, &answer));
    answer.title = strndup(what, (size_t)(colon - what));
    answer.failed = !answer.title;
    status = table_ok(&answer);
    if (!status)
        report_table(page, &answer, answer.title);
    table_free(&answer);
    return status;
}

/* ---- the page ---- */

static enum bench_status add_part(struct text *page, const struct report *r, const char *name)
{
    static const struct {
        const char *name;
        void (*add)(struct text *page, const struct report *r);
    } parts[] = {
        {"title", add_title},       {"style", add_style},   {"machine", add_machine},
        {"host", add_host},         {"totals", add_totals}, {"cards", add_cards},
        {"contents", add_contents}, {"papers", add_papers}, {"claims", report_claims},
        {"missing", add_missing},   {"commit", add_commit}, {"algorithms", add_algorithms}};

    if (!strncmp(name, "SELECT ", 7))
        return add_texts(page, r, name);
    if (!strncmp(name, "each ", 5))
        return add_each(page, r, name + 5);
    if (!strncmp(name, "table ", 6))
        return add_answer(page, r, name + 6);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strcmp(parts[i].name, name)) {
            parts[i].add(page, r);
            return BENCH_OK;
        }
    return BENCH_FAIL(BENCH_EINPUT, "report.html: no part is called '%s'", name);
}

/* The template with each {{part}} replaced. */
static enum bench_status add_all(struct text *page, const struct report *r)
{
    char *template = strndup((const char *)report_html, sizeof report_html), *at = template;
    enum bench_status status = BENCH_OK;

    if (!template)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    for (char *open; !status && (open = strstr(at, "{{"));) {
        char *close = strstr(open, "}}");

        text_bytes(page, at, (size_t)(open - at));
        *close = '\0';
        status = add_part(page, r, open + 2);
        at = close + 2;
    }
    text_add(page, at);
    free(template);
    return status ? status : text_ok(page);
}

enum bench_status report_page(const struct report_request *request, struct text *page)
{
    struct report *r = calloc(1, sizeof *r);
    enum bench_status status;

    if (!r)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    r->request = request;
    status = read_all(r);
    for (int i = 0; i < r->n_papers && !status; i++) /* first: they find out what is missing */
        status = report_paper(&r->papers, r, &r->paper[i]);
    if (!status)
        status = add_all(page, r);
    release(r);
    free(r);
    return status;
}

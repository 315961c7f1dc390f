/*
 * report_items.c - what there is of the tables and figures on the report: rows of experiments, drawings, facts
 */
#include "judge/report_private.h"

#include "harness/analysis/facts.h"
#include "harness/analysis/html.h"
#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "harness/analysis/template.h"
#include "harness/experiment.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPEN_TABLES 2 /* that nobody has to unfold, unless a table says another number */

/* A table or figure, as the view 'item' has it. */
struct item {
    const struct report *r;
    const struct table *items;
    int row;
};

/* "" where its section has no such key. */
static const char *says(const struct item *item, const char *key)
{
    return query_text(item->items, item->row, key);
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

/* Its tables on the page. */
struct tables {
    const char *name; /* of the item */
    int n_open;       /* that are not folded */
    int n, n_rows;
    struct text html;
    bool in_details;
};

static void add_note(struct text *html, const char *sentence)
{
    html_format(html, "<p class=\"note\">%s</p>\n", sentence);
}

static void open_details(struct tables *t)
{
    if (!t->in_details)
        text_add(&t->html, "<details class=\"more\"><summary>More of it: other inputs, scopes "
                           "and values</summary>\n");
    t->in_details = true;
}

static void add_table(struct tables *t, struct table *table)
{
    char label[256];

    if (t->n >= t->n_open)
        open_details(t);
    t->n++;
    t->n_rows += table->n_rows;
    if (table->about)
        add_note(&t->html, table->about);
    if (!table->title)
        table_say(table, &table->title, t->name);
    snprintf(label, sizeof label, "Table %d of %s", t->n, t->name);
    template_table(&t->html, table, label);
    t->html.failed |= table->failed;
    if (table->note)
        add_note(&t->html, table->note);
}

/* The tables of a page; those of a second scope are folded. */
static void add_page(struct tables *t, const struct show_page *page)
{
    if (t->n > 0)
        open_details(t);
    html_format(&t->html, "<p class=\"shown\">%s</p>\n",
                page->title.data ? page->title.data : "");
    if (page->fixed.size > 0) {
        text_add(&t->html, "<details class=\"more fixed\"><summary>Held fixed</summary>\n");
        add_note(&t->html, page->fixed.data);
        text_add(&t->html, "</details>\n");
    }
    for (int i = 0; i < page->n_tables; i++)
        add_table(t, &page->table[i]);
}

static enum bench_status add_scope(const struct report *r, const char *path, const char *scope,
                                   struct tables *t)
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
                                    const struct show_page *page, struct tables *t)
{
    unsigned scopes = 0;

    for (int i = 0; i < experiment->n_cells; i++)
        scopes |= experiment->cells[i].plan.scopes;
    for (int scope = 0; scope < BENCH_N_SCOPES; scope++)
        if (scopes == 1U << scope)
            add_page(t, page);
        else if (scopes & 1U << scope)
            TRY(add_scope(r, experiment->path, bench_scope_name[scope], t));
    if (t->in_details)
        text_add(&t->html, "</details>\n");
    return text_ok(&t->html);
}

/* ---- what is drawn ---- */

/* Of a list "rdp-fig9, rdp-fig9-scene" those that are there, as NAME.svg or NAME.png. */
static enum bench_status add_drawn(const struct item *item, const char *list)
{
    static const char *const ends[] = {"svg", "png"};
    const char *const folder = item->r->request->figures;
    char names[256], path[4500];

    snprintf(names, sizeof names, "%s", list);
    for (char *save = NULL, *name = strtok_r(names, ", ", &save); name && folder;
         name = strtok_r(NULL, ", ", &save))
        for (int i = 0; i < 2; i++) {
            snprintf(path, sizeof path, "%s/%s.%s", folder, name, ends[i]);
            if (access(path, R_OK) != 0)
                continue;
            TRY(REPORT_ADD(item->r, "drawn", says(item, "id"), name, path));
            break;
        }
    return BENCH_OK;
}

/* ---- one table or figure ---- */

static enum bench_status add_shown(const struct item *item, const struct tables *t,
                                   const struct bench_layout *layout, const char *caption)
{
    const bool is_table = layout && layout->rows[0] && layout->columns[0] && layout->value[0];
    char n_rows[20];

    snprintf(n_rows, sizeof n_rows, "%d", t->n_rows);
    return REPORT_ADD(item->r, "shown", says(item, "id"), n_rows,
                      is_table ? layout->rows : NULL, is_table ? layout->columns : NULL,
                      t->html.data ? t->html.data : "", caption);
}

/* Other folders of results/ that have rows of the experiment. */
static enum bench_status find_elsewhere(const struct item *item,
                                        const struct bench_experiment *experiment)
{
    for (int i = 0; i < item->r->other.n; i++) {
        bool has_rows = false;

        if (item->r->store[i])
            TRY(show_has_rows(experiment, item->r->store[i], &has_rows));
        if (has_rows)
            TRY(REPORT_ADD(item->r, "elsewhere", says(item, "id"),
                           listing_name(item->r->other.path[i])));
    }
    return BENCH_OK;
}

static enum bench_status add_rows(const struct item *item,
                                  const struct bench_experiment *experiment,
                                  const struct show_page *page)
{
    const char *const open = says(item, "open");
    struct tables t = {.name = says(item, "title"),
                       .n_open = open[0] ? atoi(open) : OPEN_TABLES};
    enum bench_status status = BENCH_OK;

    for (int i = 0; i < page->n_missing && !status; i++)
        status = REPORT_ADD(item->r, "lack", says(item, "id"), page->missing[i].impl,
                            page->missing[i].why);
    if (status || page->n_rows == 0)
        return status ? status : find_elsewhere(item, experiment);
    status = add_drawn(item, says(item, "chart"));
    if (!status)
        status = add_scopes(item->r, experiment, page, &t);
    if (!status)
        status = add_shown(item, &t, &experiment->layout, page->caption.data);
    text_free(&t.html);
    return status;
}

static enum bench_status add_experiment(const struct item *item)
{
    struct bench_experiment experiment;
    struct show_page page;
    char path[4500];
    enum bench_status status;

    snprintf(path, sizeof path, "%s/experiments/%s.ini", item->r->request->home,
             says(item, "experiment"));
    TRY(read_scope(path, NULL, &experiment));
    status = show_read(&experiment, item->r->rows.store, item->r->paper_folder.data, &page);
    if (!status) {
        status = add_rows(item, &experiment, &page);
        show_page_free(&page);
    }
    experiment_free(&experiment);
    return status;
}

/* Facts of the machine beside those that are printed. */
static enum bench_status add_facts(const struct item *item)
{
    const char *const folder = item->r->folder.data;
    struct tables t = {.name = says(item, "title"), .n_open = 1};
    struct facts facts;
    enum bench_status status;

    TRY(facts_read(&folder, 1, item->r->paper_folder.data, says(item, "facts"), &facts));
    if (facts.n_known > 0)
        add_table(&t, &facts.table);
    status = text_ok(&t.html);
    if (!status && facts.n_known > 0)
        status = add_shown(item, &t, NULL, facts.caption);
    text_free(&t.html);
    facts_free(&facts);
    return status;
}

enum bench_status report_items(const struct report *r)
{
    struct table items;
    enum bench_status status;

    TRY(query_table(r->rows.store, "SELECT * FROM item ORDER BY rowid", &items));
    status = BENCH_OK;
    for (int row = 0; row < items.n_rows && !status; row++) {
        const struct item item = {r, &items, row};

        if (*says(&item, "picture"))
            status = add_drawn(&item, says(&item, "picture"));
        else if (*says(&item, "facts"))
            status = add_facts(&item);
        else if (*says(&item, "experiment"))
            status = add_experiment(&item);
    }
    table_free(&items);
    return status;
}

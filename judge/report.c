/*
 * report.c - the page: what report.html asks for, as rows of report.sql's tables
 */
#include "judge/report.h"

#include "harness/analysis/facts.h"
#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "harness/analysis/template.h"
#include "harness/build.h"
#include "harness/experiment.h"
#include "harness/listing.h"
#include "judge/claims.h"

#include "report_css.h" /* judge/report.css, report.html and report.sql as bytes, made by the Makefile */
#include "report_html.h"
#include "report_sql.h"

#include <string.h>

struct report {
    const char *results;
    char printed[4400]; /* results/paper */
    struct claims claims;
    struct claim_machine rows;
    struct text sql; /* what is to be added to its store */
};

/* The descriptors of a folder in experiments/. */
static enum bench_status list(const char *name, struct listing *files)
{
    char folder[4400];

    snprintf(folder, sizeof folder, "%s/experiments/%s", bench_home(), name);
    TRY(listing_read(folder, ".ini", files));
    return files->n > 0
               ? BENCH_OK
               : BENCH_FAIL(BENCH_EINPUT, "%s: expected .ini files, found none", folder);
}

/* How much of a file's name stands before its end. */
static int stem(const char *path)
{
    return (int)strcspn(listing_name(path), ".");
}

/* ---- descriptors ---- */

/* A key of [paper], or of the section of a table or figure, in a column of that name; 'line': "PATH:LINE". */
static enum bench_status add_key(struct report *r, const char *paper, const char *line,
                                 const struct ini_fact *f)
{
    const char *const table = !strcmp(f->section, "paper") ? "paper" : "item";

    if (!strcmp(f->section, "words"))
        query_add(&r->sql, "INSERT INTO plain VALUES (%Q, %Q, %Q, %Q);", paper, line, f->key,
                  f->value);
    else if (store_has_column(r->rows.store, table, f->key))
        query_add(&r->sql,
                  "INSERT OR IGNORE INTO %s (id, paper, line) VALUES ('%q-%q', %Q, %Q);"
                  "UPDATE %s SET \"%w\" = %Q WHERE id = '%q-%q';",
                  table, paper, f->section, paper, line, table, f->key, f->value, paper,
                  f->section);
    else
        return BENCH_FAIL(BENCH_EINPUT, "%s: unknown key '%s' in [%s] of a report", line,
                          f->key, f->section);
    return BENCH_OK;
}

static enum bench_status add_paper(struct report *r, const char *path)
{
    char paper[64], line[4500];
    struct ini_file ini;
    enum bench_status status = ini_read(path, &ini);

    snprintf(paper, sizeof paper, "%.*s", stem(path), listing_name(path));
    for (int i = 0; !status && i < ini.n_facts; i++) {
        snprintf(line, sizeof line, "%s:%d", path, ini.fact[i].line);
        status = add_key(r, paper, line, &ini.fact[i]);
    }
    ini_free(&ini);
    return status;
}

static enum bench_status add_papers(struct report *r)
{
    struct listing files;
    enum bench_status status = list("report", &files);

    for (int i = 0; !status && i < files.n; i++)
        status = add_paper(r, files.path[i]);
    listing_free(&files);
    return status;
}

/* ---- claims ---- */

/* By the papers' arithmetic, or by rows. */
static enum bench_status add_verdicts(struct report *r, bool measured)
{
    for (int i = 0; i < r->claims.n; i++) {
        const struct claim *c = &r->claims.claim[i];
        struct claim_judgement j;

        if (!(measured ? c->measured : c->paper))
            continue;
        TRY(claims_judge(&r->claims, c, measured ? &r->rows : NULL, NULL, &j));
        query_add(&r->sql,
                  "INSERT INTO verdict VALUES (%Q, %d, %Q, CASE %d WHEN 1 THEN %!.17g END, %d, "
                  "%Q, %d);",
                  c->id, measured, claim_verdict_names[j.verdict], j.has_value, j.value,
                  j.truth, j.reason, j.verdict == CLAIM_CONTRADICTED && j.elsewhere);
    }
    return BENCH_OK;
}

static enum bench_status add_claims(struct report *r)
{
    for (int i = 0; i < r->claims.n; i++) {
        const struct claim *c = &r->claims.claim[i];

        query_add(&r->sql, "INSERT INTO claim VALUES (%Q, %.*Q, %Q, %Q, %Q, %Q);", c->id,
                  stem(c->file->path), listing_name(c->file->path), c->where, c->words,
                  c->printed, c->unit);
    }
    TRY(add_verdicts(r, false));
    return store_n_measurements(r->rows.store) > 0 ? add_verdicts(r, true) : BENCH_OK;
}

/* ---- tables and figures ---- */

/* NAME.svg and NAME.png; the former where there are both. */
static enum bench_status add_figures(struct report *r, const char *folder)
{
    struct listing files;

    TRY(listing_read(folder, "g", &files));
    for (int i = 0; i < files.n; i++)
        query_add(&r->sql,
                  "INSERT OR REPLACE INTO figure SELECT %.*Q, %Q WHERE %Q GLOB '*.[ps][nv]g';",
                  stem(files.path[i]), listing_name(files.path[i]), files.path[i],
                  files.path[i]);
    listing_free(&files);
    return BENCH_OK;
}

static void add_table(struct report *r, const char *item, int number, const struct table *table)
{
    struct text html = {0};

    table_render(table, TABLE_HTML, 0, &html);
    query_add(&r->sql, "INSERT INTO tabled VALUES (%Q, %d, %d, %Q, %Q, %Q);", item, number,
              table->n_rows, table->about, html.data, table->note);
    r->sql.failed |= html.failed;
    text_free(&html);
}

static void add_page(struct report *r, const char *item, const struct bench_layout *layout,
                     const struct show_page *page)
{
    const bool is_table = layout->rows[0] && layout->columns[0] && layout->value[0];

    query_add(&r->sql, "INSERT INTO lack SELECT %Q, impl, why FROM missing ORDER BY id;", item);
    if (page->n_tables == 0)
        return;
    query_add(&r->sql, "INSERT INTO shown VALUES (%Q, %Q, %Q, %Q, %Q, %Q);", item,
              page->title.data, page->fixed.data, is_table ? layout->rows : NULL,
              is_table ? layout->columns : NULL, page->caption.data);
    for (int i = 0; i < page->n_tables; i++)
        add_table(r, item, i + 1, &page->table[i]);
}

static enum bench_status add_experiment(struct report *r, const char *item, const char *name)
{
    const struct bench_overrides overrides = {.with_absent = true};
    struct bench_experiment experiment;
    struct show_page page;
    char path[4500];
    enum bench_status status;

    snprintf(path, sizeof path, "%s/experiments/%s.ini", bench_home(), name);
    TRY(experiment_read(path, &overrides, &experiment));
    status = show_read(&experiment, r->rows.store, r->printed, &page);
    if (!status) {
        add_page(r, item, &experiment.layout, &page);
        show_page_free(&page);
        status = query_run(r->rows.store, &r->sql);
    }
    experiment_free(&experiment);
    return status;
}

/* Facts of the machine beside those that are printed. */
static enum bench_status add_facts(struct report *r, const char *item, const char *printed)
{
    struct facts facts;

    TRY(facts_read(&r->results, 1, r->printed, printed, &facts));
    if (facts.n_known > 0) {
        query_add(&r->sql, "INSERT INTO shown (item, caption) VALUES (%Q, %Q);", item,
                  facts.caption);
        add_table(r, item, 1, &facts.table);
    }
    facts_free(&facts);
    return query_run(r->rows.store, &r->sql);
}

static enum bench_status add_items(struct report *r)
{
    struct table items;
    enum bench_status status;

    TRY(query_table(r->rows.store, "SELECT id, facts, experiment FROM item ORDER BY rowid",
                    &items));
    status = BENCH_OK;
    for (int row = 0; row < items.n_rows && !status; row++) {
        const char *const item = query_text(&items, row, "id");
        const char *const facts = query_text(&items, row, "facts");
        const char *const name = query_text(&items, row, "experiment");

        if (*facts)
            status = add_facts(r, item, facts);
        else if (*name)
            status = add_experiment(r, item, name);
    }
    table_free(&items);
    return status;
}

/* ---- the page ---- */

static enum bench_status read_all(struct report *r, const char *figures)
{
    struct store *store;

    TRY(claims_read(bench_home(), NULL, &r->claims));
    TRY(claim_machine_read(r->results, stderr, &r->rows));
    store = r->rows.store;
    TRY(facts_views(store));
    TRY(store_execute(store, report_sql, sizeof report_sql));
    TRY(add_claims(r));
    TRY(add_papers(r));
    TRY(figures ? add_figures(r, figures) : BENCH_OK);
    query_add(&r->sql, "INSERT INTO page VALUES (%Q, %Q, '%.7q%s', '%.*q');", r->rows.name,
              r->results, bench_build()->commit, bench_build()->dirty ? " (dirty)" : "",
              (int)sizeof report_css, (const char *)report_css);
    TRY(query_run(store, &r->sql));
    TRY(query_refusal(store));
    return add_items(r);
}

enum bench_status report_page(const char *results, const char *figures, struct text *page)
{
    struct report r = {.results = results};
    enum bench_status status;

    snprintf(r.printed, sizeof r.printed, "%s/results/paper", bench_home());
    status = read_all(&r, figures);
    if (!status)
        status = template_add(r.rows.store, report_html, sizeof report_html, page);
    if (!status) /* what others wrote may be no text */
        text_clean(page->data, page->size, "\n\t");
    claim_machine_free(&r.rows);
    claims_free(&r.claims);
    text_free(&r.sql);
    return status;
}

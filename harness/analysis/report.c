/*
 * report.c - the page: what report.html asks for, as rows of report.sql's tables
 */
#include "harness/analysis/report.h"

#include "harness/analysis/facts.h"
#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "harness/base/build.h"
#include "harness/suite/experiment.h"
#include "harness/base/listing.h"
#include "harness/analysis/claims.h"

#include "report_css.h" /* files beside this one as bytes, made by the Makefile */
#include "report_html.h"
#include "report_sql.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

struct report {
    const char *results;
    char printed[4400]; /* results/paper */
    struct claims claims;
    struct claim_machine rows;
    struct text sql; /* what is to be added to its store */
};

/* How much of a file's name stands before its end. */
static int stem(const char *path)
{
    return (int)strcspn(listing_name(path), ".");
}

/* ---- descriptors ---- */

/* A key of [paper], or of the section of a table or figure, in a column of that name; 'line':
 * "PATH:LINE". */
static enum bench_status add_key(struct report *r, const char *paper, const char *path,
                                 const struct ini_fact *f)
{
    const char *const table = !strcmp(f->section, "paper") ? "paper" : "item";

    if (!strcmp(f->section, "words"))
        query_add(&r->sql, "INSERT INTO plain VALUES (%Q, '%q:%d', %Q, %Q);", paper, path,
                  f->line, f->key, f->value);
    else if (store_has_column(r->rows.store, table, f->key))
        query_add(&r->sql,
                  "INSERT OR IGNORE INTO %s (id, paper, line) VALUES ('%q-%q', %Q, '%q:%d'); "
                  "UPDATE %s SET \"%w\" = %Q WHERE id = '%q-%q';",
                  table, paper, f->section, paper, path, f->line, table, f->key, f->value,
                  paper, f->section);
    else
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: unknown key '%s' in [%s] of a paper's figures",
                          path, f->line, f->key, f->section);
    return BENCH_OK;
}

static enum bench_status add_paper(struct report *r, const char *path)
{
    const char *const paper = path + strlen(bench_home()) + strlen("/experiments/");
    struct ini_file ini;
    char name[256];
    enum bench_status status = BENCH_OK;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(paper, "/"), paper);
    TRY(ini_read(path, &ini));
    for (int i = 0; !status && i < ini.n_facts; i++)
        status = add_key(r, name, path, &ini.fact[i]);
    ini_free(&ini);
    return status;
}

static enum bench_status add_papers(struct report *r)
{
    char pattern[4400];
    glob_t found;
    enum bench_status status = BENCH_OK;

    snprintf(pattern, sizeof pattern, "%s/experiments/*/figures.ini", bench_home());
    if (glob(pattern, 0, NULL, &found) != 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected files, found none", pattern);
    for (size_t i = 0; i < found.gl_pathc && !status; i++)
        status = add_paper(r, found.gl_pathv[i]);
    globfree(&found);
    return status;
}

/* ---- claims ---- */

/* All claims with verdicts by the papers' arithmetic, or those by the rows of a machine. */
static enum bench_status add_claims(struct report *r, struct claim_machine *machine)
{
    for (int i = 0; i < r->claims.n; i++) {
        const struct claim *const c = &r->claims.claim[i];
        struct claim_judgement j;

        if (!machine)
            query_add(&r->sql, "INSERT INTO claim VALUES (%Q, '%.*q', %Q, %Q, %Q, %Q);", c->id,
                      stem(c->file->path), listing_name(c->file->path), c->where, c->words,
                      c->printed, c->unit);
        if (!(machine ? c->measured : c->paper))
            continue;
        TRY(claims_judge(&r->claims, c, machine, NULL, &j));
        query_add(&r->sql,
                  "INSERT INTO verdict VALUES (%Q, %d, %Q, CASE %d WHEN 1 THEN %!.17g END, %d, "
                  "%Q, %d);",
                  c->id, machine != NULL, claim_verdict_names[j.verdict], j.has_value, j.value,
                  j.truth, j.reason, j.verdict == CLAIM_CONTRADICTED && j.elsewhere);
    }
    return BENCH_OK;
}

/* ---- tables and figures ---- */

/* NAME.svg and NAME.png; the former where there are both. */
static enum bench_status add_figures(struct report *r, const char *folder)
{
    struct listing files;

    TRY(listing_read(folder, "g", &files));
    for (int i = 0; i < files.n; i++)
        query_add(
            &r->sql,
            "INSERT OR REPLACE INTO figure SELECT '%.*q', %Q WHERE %Q GLOB '*.[ps][nv]g';",
            stem(files.path[i]), listing_name(files.path[i]), files.path[i], files.path[i]);
    listing_free(&files);
    return BENCH_OK;
}

static void add_tables(struct report *r, const char *item, const struct table *table, int n)
{
    for (int i = 0; i < n; i++) {
        struct text html = {0};

        table_render(&table[i], TABLE_HTML, 0, &html);
        query_add(&r->sql, "INSERT INTO tabled VALUES (%Q, %d, %d, %Q, %Q, %Q);", item, i + 1,
                  table[i].n_rows, table[i].about, html.data, table[i].note);
        r->sql.failed |= html.failed;
        text_free(&html);
    }
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
    status = show_read(&experiment, r->rows.store, &page);
    if (!status) {
        const char *const rows = bench_layout_text(&experiment.layout, "rows");
        const char *const columns = bench_layout_text(&experiment.layout, "columns");
        const bool is_table =
            *rows && *columns && *bench_layout_text(&experiment.layout, "value");

        query_add(&r->sql, "INSERT INTO lack SELECT %Q, impl, why FROM missing ORDER BY id;",
                  item);
        if (page.n_tables > 0)
            query_add(&r->sql, "INSERT INTO shown VALUES (%Q, %Q, %Q, %Q, %Q, %Q);", item,
                      page.title.data, page.fixed.data, is_table ? rows : NULL,
                      is_table ? columns : NULL, page.caption.data);
        add_tables(r, item, page.table, page.n_tables);
        show_page_free(&page);
        status = query_run(r->rows.store, &r->sql);
    }
    experiment_free(&experiment);
    return status;
}

/* Facts of the machine beside those that are printed. */
static enum bench_status add_facts(struct report *r, const char *item, const char *printed)
{
    struct table facts;

    TRY(facts_read(&r->results, 1, r->printed, printed, &facts));
    if (facts.n_rows > 0) {
        query_add(&r->sql, "INSERT INTO shown (item) VALUES (%Q);", item);
        add_tables(r, item, &facts, 1);
    }
    table_free(&facts);
    return query_run(r->rows.store, &r->sql);
}

static enum bench_status add_items(struct report *r)
{
    struct table items;
    enum bench_status status;

    TRY(query_table(r->rows.store,
                    "SELECT id, coalesce(facts, experiment) AS name, facts IS NULL AS of_rows "
                    "FROM item WHERE name IS NOT NULL ORDER BY rowid",
                    &items));
    status = BENCH_OK;
    for (int row = 0; row < items.n_rows && !status; row++)
        status = (query_number(&items, row, "of_rows") > 0 ? add_experiment : add_facts)(
            r, query_text(&items, row, "id"), query_text(&items, row, "name"));
    table_free(&items);
    return status;
}

/* ---- the page ---- */

static enum bench_status add_page(struct report *r, const char *figures, struct text *page)
{
    struct store *store;

    TRY(claims_read(bench_home(), NULL, &r->claims));
    TRY(claim_machine_read(r->results, stderr, &r->rows));
    store = r->rows.store;
    TRY(facts_views(store));
    TRY(store_execute(store, report_sql, sizeof report_sql));
    TRY(add_claims(r, NULL));
    if (store_n_measurements(store) > 0)
        TRY(add_claims(r, &r->rows));
    TRY(add_papers(r));
    if (figures)
        TRY(add_figures(r, figures));
    query_add(&r->sql, "INSERT INTO page VALUES (%Q, %Q, '%.7q%s', '%.*q');", r->rows.name,
              r->results, bench_build()->commit, bench_build()->dirty ? " (dirty)" : "",
              (int)sizeof report_css, (const char *)report_css);
    TRY(query_run(store, &r->sql));
    TRY(query_refusal(store));
    TRY(add_items(r));
    TRY(template_add(store, report_html, sizeof report_html, page));
    text_clean(page->data, page->size, "\n\t"); /* what others wrote may be no text */
    return BENCH_OK;
}

enum bench_status report_page(const char *results, const char *figures, struct text *page)
{
    struct report r = {.results = results};
    enum bench_status status;

    snprintf(r.printed, sizeof r.printed, "%s/results/paper", bench_home());
    status = add_page(&r, figures, page);
    claim_machine_free(&r.rows);
    claims_free(&r.claims);
    text_free(&r.sql);
    return status;
}

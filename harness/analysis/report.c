/*
 * report.c - the page: what report.html asks for, as rows of report.sql's tables
 */
#include "harness/analysis/report.h"

#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "harness/base/build.h"
#include "harness/suite/experiment.h"
#include "harness/base/listing.h"
#include "harness/analysis/claims.h"

#include "report_css.h" /* files beside this one as bytes, made by the Makefile */
#include "page_sql.h"
#include "report_html.h"
#include "report_sql.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* The rows of one folder. */
struct machine {
    char *name; /* the folder's own */
    struct store *store;
};

struct report {
    const char *const *folder; /* of results, [n] */
    int n;
    const char *figures;
    char printed[4400];      /* results/paper */
    struct machine *machine; /* [n] */
    struct store *store;     /* of all of them: the page's */
    struct text sql;         /* what is to be added to it */
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

    if (store_has_column(r->store, table, f->key))
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

/* ---- tables and figures ---- */

/* NAME.svg and NAME.png of a machine; the former where there are both. */
static enum bench_status add_figures(struct report *r, const char *machine)
{
    char folder[4400];
    struct listing files;

    snprintf(folder, sizeof folder, "%s/%s", r->figures, machine);
    TRY(listing_read(folder, "g", &files));
    for (int i = 0; i < files.n; i++)
        query_add(&r->sql,
                  "INSERT OR REPLACE INTO figure SELECT %Q, '%.*q', %Q WHERE %Q GLOB "
                  "'*.[ps][nv]g';",
                  machine, stem(files.path[i]), listing_name(files.path[i]), files.path[i],
                  files.path[i]);
    listing_free(&files);
    return BENCH_OK;
}

static void add_tables(struct report *r, const char *item, const char *machine,
                       const struct table *table, int n)
{
    for (int i = 0; i < n; i++) {
        struct text html = {0};

        table_render(&table[i], TABLE_HTML, 0, &html);
        query_add(&r->sql, "INSERT INTO tabled VALUES (%Q, %Q, %d, %d, %Q, %Q, %Q);", item,
                  machine, i + 1, table[i].n_rows, table[i].about, html.data, table[i].note);
        r->sql.failed |= html.failed;
        text_free(&html);
    }
}

/* Configurations without a row, and how many have one, as show left them in the machine's own
 * store. */
static enum bench_status add_missing(struct report *r, const char *item,
                                     const struct machine *machine, int *n_here)
{
    struct table missing;

    TRY(query_table(machine->store,
                    "SELECT count(DISTINCT m.configuration) AS n FROM selected AS s "
                    "JOIN measurement AS m ON m.id = s.measurement WHERE m.stage IS NULL",
                    &missing));
    *n_here = (int)query_number(&missing, 0, "n");
    table_free(&missing);
    TRY(query_table(machine->store, "SELECT impl, why FROM missing ORDER BY id", &missing));
    for (int row = 0; row < missing.n_rows; row++)
        query_add(&r->sql, "INSERT INTO lack VALUES (%Q, %Q, %Q, %Q);", item, machine->name,
                  query_text(&missing, row, "impl"), query_text(&missing, row, "why"));
    table_free(&missing);
    return BENCH_OK;
}

static enum bench_status add_experiment(struct report *r, int at, const char *item,
                                        const char *name)
{
    const struct machine *const machine = &r->machine[at];
    const struct bench_overrides overrides = {.with_absent = true};
    struct bench_experiment experiment;
    struct show_page page;
    char path[4500];
    int n_here = 0;
    enum bench_status status;

    snprintf(path, sizeof path, "%s/experiments/%s.ini", bench_home(), name);
    TRY(experiment_read(path, &overrides, &experiment));
    status = show_read(&experiment, machine->store, &page);
    if (!status) {
        const char *const rows = bench_layout_text(&experiment.layout, "rows");
        const char *const columns = bench_layout_text(&experiment.layout, "columns");
        const bool is_table =
            *rows && *columns && *bench_layout_text(&experiment.layout, "value");

        status = add_missing(r, item, machine, &n_here);
        if (page.n_tables > 0)
            query_add(&r->sql,
                      "INSERT INTO shown VALUES (%Q, %Q, %Q, %Q, %Q, %Q, %Q, %d, %d, %Q);",
                      item, machine->name, page.title.data, page.fixed.data,
                      is_table ? rows : NULL, is_table ? columns : NULL, page.caption.data,
                      n_here, page.n_first, page.mixed.size ? page.mixed.data : NULL);
        if (page.unmeasured.size > 0)
            query_add(&r->sql, "INSERT INTO lack VALUES (%Q, %Q, NULL, 'not measured: %q');",
                      item, machine->name, page.unmeasured.data);
        add_tables(r, item, machine->name, page.table, page.n_tables);
        show_page_free(&page);
    }
    experiment_free(&experiment);
    return status;
}

static enum bench_status add_items(struct report *r)
{
    struct table items;
    enum bench_status status;

    TRY(query_table(
        r->store, "SELECT id, experiment FROM item WHERE experiment IS NOT NULL ORDER BY rowid",
        &items));
    status = BENCH_OK;
    for (int row = 0; row < items.n_rows; row++)
        for (int at = 0; at < r->n && !status; at++)
            status = add_experiment(r, at, query_text(&items, row, "id"),
                                    query_text(&items, row, "experiment"));
    table_free(&items);
    return status ? status : query_run(r->store, &r->sql);
}

/* ---- the page ---- */

static enum bench_status add_machines(struct report *r)
{
    OWNED(claims_free) struct claims claims = {0};

    for (int i = 0; i < r->n; i++) {
        r->machine[i].name = claim_machine_name(r->folder[i]);
        if (!r->machine[i].name)
            return BENCH_FAIL(BENCH_ENOMEM, "out of memory for machines");
        TRY(store_read_files(&(struct store_files){&r->folder[i], 1, false, r->printed, NULL},
                             stderr, &r->machine[i].store));
    }
    TRY(store_read_files(&(struct store_files){r->folder, r->n, false, r->printed, NULL}, NULL,
                         &r->store));
    TRY(claims_open(&(struct claims_files){bench_home(), NULL, r->folder, r->n, NULL},
                    &claims));
    TRY(claims_add(&claims));
    TRY(claims_tell(&claims, r->store));
    TRY(store_execute(r->store, report_sql, sizeof report_sql));
    for (int i = 0; i < r->n; i++) {
        query_add(&r->sql, "INSERT INTO machine VALUES (%d, %Q);", i + 1, r->machine[i].name);
        if (r->figures)
            TRY(add_figures(r, r->machine[i].name));
    }
    return BENCH_OK;
}

static enum bench_status add_page(struct report *r, struct text *page)
{
    TRY(add_machines(r));
    TRY(add_papers(r));
    query_add(&r->sql, "INSERT INTO page VALUES ('%.7q%s', '%.*q');", bench_build()->commit,
              bench_build()->is_clean ? "" : " (dirty)", (int)sizeof report_css,
              (const char *)report_css);
    TRY(query_run(r->store, &r->sql));
    TRY(query_refusal(r->store));
    TRY(add_items(r));
    TRY(store_execute(r->store, page_sql, sizeof page_sql));
    TRY(template_add(r->store, report_html, sizeof report_html, page));
    text_clean(page->data, page->size, "\n\t"); /* what others wrote may be no text */
    return BENCH_OK;
}

enum bench_status report_page(const char *const *folders, int n, const char *figures,
                              struct text *page)
{
    struct report r = {.folder = folders, .n = n, .figures = figures};
    enum bench_status status;

    r.machine = calloc((size_t)n, sizeof *r.machine);
    if (!r.machine)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for machines");
    snprintf(r.printed, sizeof r.printed, "%s/results/paper", bench_home());
    status = add_page(&r, page);
    for (int i = 0; i < n; i++) {
        store_close(r.machine[i].store);
        free(r.machine[i].name);
    }
    store_close(r.store);
    free(r.machine);
    text_free(&r.sql);
    return status;
}

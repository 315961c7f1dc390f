/*
 * report.c - makes the page: fills report.sql's tables, of which report.html asks
 */
#include "harness/analysis/report.h"

#include "harness/analysis/compare.h"
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

/* The length of a file's name before its end. */
static int stem(const char *path)
{
    return (int)strcspn(listing_name(path), ".");
}

/* ---- descriptors ---- */

/* A key of [paper], or of the section of a table or figure, in a column of that name. */
static enum bench_status add_key(struct report *r, const char *paper, const char *path,
                                 const struct ini_fact *f)
{
    const char *const table = !strcmp(f->section, "paper") ? "paper" : "item";

    REFUSE_IF(!store_has_column(r->store, table, f->key),
              "%s:%d: unknown key '%s' in [%s] of a paper's figures", path, f->line, f->key,
              f->section);
    query_add(&r->sql,
              "INSERT OR IGNORE INTO %s (id, paper, line) VALUES ('%q-%q', %Q, '%q:%d'); "
              "UPDATE %s SET \"%w\" = %Q WHERE id = '%q-%q';",
              table, paper, f->section, paper, path, f->line, table, f->key, f->value, paper,
              f->section);
    return BENCH_OK;
}

static enum bench_status add_paper(struct report *r, const char *path)
{
    const char *const paper = path + strlen(bench_home()) + strlen("/experiments/");
    OWNED(ini_free) struct ini_file ini = {0};
    char name[256];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(paper, "/"), paper);
    TRY(ini_read(path, &ini));
    for (int i = 0; i < ini.n_facts; i++)
        TRY(add_key(r, name, path, &ini.fact[i]));
    return BENCH_OK;
}

static enum bench_status add_papers(struct report *r)
{
    char pattern[4400];
    OWNED(globfree) glob_t found = {0};

    snprintf(pattern, sizeof pattern, "%s/experiments/*/figures.ini", bench_home());
    REFUSE_IF(glob(pattern, 0, NULL, &found) != 0, "%s: expected files, found none", pattern);
    for (size_t i = 0; i < found.gl_pathc; i++)
        TRY(add_paper(r, found.gl_pathv[i]));
    return BENCH_OK;
}

/* ---- tables and figures ---- */

/* NAME.svg and NAME.png of a machine; the former where there are both. */
static enum bench_status add_figures(struct report *r, const char *machine)
{
    char folder[4400];
    OWNED(listing_free) struct listing files = {0};

    snprintf(folder, sizeof folder, "%s/%s", r->figures, machine);
    TRY(listing_read(folder, "g", &files));
    for (int i = 0; i < files.n; i++)
        query_add(&r->sql,
                  "INSERT OR REPLACE INTO figure SELECT %Q, '%.*q', %Q WHERE %Q GLOB "
                  "'*.[ps][nv]g';",
                  machine, stem(files.path[i]), listing_name(files.path[i]), files.path[i],
                  files.path[i]);
    return BENCH_OK;
}

static void add_tables(struct report *r, const char *item, const char *machine,
                       const struct table *table, int n)
{
    for (int i = 0; i < n; i++) {
        OWNED(text_free) struct text html = {0};

        table_render(&table[i], TABLE_HTML, 0, &html);
        query_add(&r->sql, "INSERT INTO tabled VALUES (%Q, %Q, %d, %d, %Q, %Q, %Q);", item,
                  machine, i + 1, table[i].n_rows, table[i].about, html.data, table[i].note);
        r->sql.failed |= html.failed;
    }
}

/* Configurations without a row, and how many have one, as show left them in the machine's own
 * store: a row of the answer has no 'why' where none lacks. */
static enum bench_status add_missing(struct report *r, const char *item,
                                     const struct machine *machine, int *n_here)
{
    OWNED(table_free) struct table missing = {0};

    TRY(query_table(machine->store,
                    "SELECT n, impl, why FROM (SELECT count(DISTINCT m.configuration) AS n "
                    "FROM selected AS s JOIN measurement AS m ON m.id = s.measurement "
                    "WHERE m.stage IS NULL) LEFT JOIN missing ORDER BY missing.id",
                    &missing));
    *n_here = (int)query_number(&missing, 0, "n");
    for (int row = 0; row < missing.n_rows && *query_text(&missing, row, "why"); row++)
        query_add(&r->sql, "INSERT INTO lack VALUES (%Q, %Q, %Q, %Q);", item, machine->name,
                  query_text(&missing, row, "impl"), query_text(&missing, row, "why"));
    return BENCH_OK;
}

static enum bench_status add_experiment(struct report *r, const struct machine *machine,
                                        const char *item, const char *name)
{
    const struct bench_overrides overrides = {.with_absent = true};
    OWNED(experiment_free) struct bench_experiment experiment = {0};
    OWNED(show_page_free) struct show_page page = {0};
    const struct bench_layout *const layout = &experiment.layout;
    const char *rows, *columns;
    char path[4500];
    int n_here = 0;

    snprintf(path, sizeof path, "%s/experiments/%s.ini", bench_home(), name);
    TRY(experiment_read(path, &overrides, &experiment));
    TRY(show_read(&experiment, machine->store, &page));
    TRY(add_missing(r, item, machine, &n_here));
    rows = bench_layout_text(layout, "rows");
    columns = bench_layout_text(layout, "columns");
    if (!*rows || !*columns || !*bench_layout_text(layout, "value"))
        rows = columns = NULL;
    if (page.n_tables > 0)
        query_add(&r->sql, "INSERT INTO shown VALUES (%Q, %Q, %Q, %Q, %Q, %Q, %Q, %d, %d, %Q);",
                  item, machine->name, page.title.data, page.fixed.data, rows, columns,
                  page.caption.data, n_here, page.n_first,
                  page.mixed.size ? page.mixed.data : NULL);
    if (page.unmeasured.size > 0)
        query_add(&r->sql, "INSERT INTO lack VALUES (%Q, %Q, NULL, 'not measured: %q');", item,
                  machine->name, page.unmeasured.data);
    add_tables(r, item, machine->name, page.table, page.n_tables);
    return BENCH_OK;
}

static enum bench_status add_items(struct report *r)
{
    OWNED(table_free) struct table items = {0};

    TRY(query_table(
        r->store, "SELECT id, experiment FROM item WHERE experiment IS NOT NULL ORDER BY rowid",
        &items));
    for (int row = 0; row < items.n_rows; row++)
        for (int at = 0; at < r->n; at++)
            TRY(add_experiment(r, &r->machine[at], query_text(&items, row, "id"),
                               query_text(&items, row, "experiment")));
    return query_run(r->store, &r->sql);
}

/* ---- the page ---- */

#define FLOOR 0.02 /* of what became slower */

static enum bench_status add_slower(struct report *r, const struct machine *machine)
{
    OWNED(text_free) struct text html = {0};

    TRY(history_page(machine->store, FLOOR, &html));
    query_add(&r->sql, "INSERT INTO slower VALUES (%Q, %Q);", machine->name, html.data);
    return BENCH_OK;
}

static enum bench_status add_machines(struct report *r)
{
    OWNED(claims_free) struct claims claims = {0};

    for (int i = 0; i < r->n; i++) {
        r->machine[i].name = claim_machine_name(r->folder[i]);
        NEED(r->machine[i].name, "machines");
        TRY(store_read_files(&(struct store_files){&r->folder[i], 1, false, r->printed, NULL},
                             stderr, &r->machine[i].store));
    }
    TRY(store_read_files(&(struct store_files){r->folder, r->n, false, r->printed, NULL}, NULL,
                         &r->store));
    TRY(claims_open(
        &(struct claims_files){bench_home(), NULL, r->folder, r->n, .with_empty = true},
        &claims));
    TRY(claims_add(&claims));
    TRY(claims_tell(&claims, r->store));
    TRY(store_execute(r->store, report_sql, sizeof report_sql));
    for (int i = 0; i < r->n; i++) {
        query_add(&r->sql, "INSERT INTO machine VALUES (%d, %Q);", i + 1, r->machine[i].name);
        TRY(add_slower(r, &r->machine[i]));
        if (r->figures)
            TRY(add_figures(r, r->machine[i].name));
    }
    return BENCH_OK;
}

static void report_free(struct report *r)
{
    for (int i = 0; r->machine && i < r->n; i++) {
        store_close(&r->machine[i].store);
        free(r->machine[i].name);
    }
    store_close(&r->store);
    free(r->machine);
    text_free(&r->sql);
}

enum bench_status report_page(const char *const *folders, int n, const char *figures,
                              struct text *page)
{
    OWNED(report_free) struct report r = {.folder = folders, .n = n, .figures = figures};

    r.machine = calloc((size_t)n, sizeof *r.machine);
    NEED(r.machine, "machines");
    snprintf(r.printed, sizeof r.printed, "%s/results/paper", bench_home());
    TRY(add_machines(&r));
    TRY(add_papers(&r));
    query_add(&r.sql, "INSERT INTO page VALUES ('%.7q%s', '%.*q', %g);", bench_build()->commit,
              bench_build()->is_clean ? "" : " (dirty)", (int)sizeof report_css,
              (const char *)report_css, 100 * FLOOR);
    TRY(query_run(r.store, &r.sql));
    TRY(query_refusal(r.store));
    TRY(add_items(&r));
    template_functions(r.store);
    TRY(store_execute(r.store, page_sql, sizeof page_sql));
    TRY(template_add(r.store, report_html, sizeof report_html, page));
    text_clean(page->data, page->size, "\n\t"); /* what others wrote may be no text */
    return BENCH_OK;
}

/*
 * report.c - the page: what report.html asks for, as rows of report.sql's tables
 */
#include "judge/report.h"

#include "harness/analysis/facts.h"
#include "harness/analysis/query.h"
#include "harness/analysis/template.h"
#include "harness/build.h"
#include "judge/report_private.h"

#include "report_css.h" /* judge/report.css, report.html and report.sql as bytes, made by the Makefile */
#include "report_html.h"
#include "report_sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum bench_status report_add(const struct report *r, const char *table,
                             const char *const *field, int n)
{
    char sql[200];
    sqlite3_stmt *insert;

    snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (%.*s)", table, 3 * n - 2,
             "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?");
    TRY(store_kept(r->rows.store, sql, &insert));
    for (int i = 0; i < n; i++)
        sqlite3_bind_text(insert, i + 1, field[i], -1, SQLITE_STATIC);
    return store_step(r->rows.store, insert);
}

/* ---- reading ---- */

/* Files of the folder 'name' in the project's home. */
static enum bench_status list_home(const struct report *r, const char *name, const char *end,
                                   struct listing *files)
{
    struct text folder = {0};
    enum bench_status status;

    text_format(&folder, "%s/%s", r->request->home, name);
    status = text_ok(&folder);
    if (!status)
        status = listing_read(folder.data, end, files);
    text_free(&folder);
    return status;
}

static enum bench_status read_claims(struct report *r)
{
    TRY(list_home(r, "experiments/claims", ".ini", &r->claim_files));
    return claims_read((const char *const *)r->claim_files.path, r->claim_files.n,
                       r->paper_folder.data, &r->claims);
}

/* A folder without rows is no failure, one with tables of another kind, as results/paper, is. */
static enum bench_status check_folder(const struct report *r)
{
    struct listing tables = {0}, environments = {0};
    enum bench_status status = listing_read(r->folder.data, ".csv", &tables);

    if (!status)
        status = listing_read(r->folder.data, ".env.txt", &environments);
    if (!status && tables.n > 0 && environments.n == 0)
        status = BENCH_FAIL(BENCH_EINPUT,
                            "%s: expected sessions of a machine, found %d tables that are none",
                            r->folder.data, tables.n);
    listing_free(&tables);
    listing_free(&environments);
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
    TRY(list_home(r, "results", "", &r->other));
    r->store = calloc((size_t)r->other.n + 1, sizeof *r->store);
    if (!r->store)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    for (int i = 0; i < r->other.n; i++) {
        const char *name = listing_name(r->other.path[i]);

        if (!strcmp(name, "paper") || !strcmp(name, r->machine))
            continue;
        if (store_read((const char *const *)&r->other.path[i], 1, false, NULL, &r->store[i]))
            bench_failure_clear();
    }
    return BENCH_OK;
}

/* ---- descriptors ---- */

/* A key of [paper], or of the section of a table or figure, in a column of that name. */
static enum bench_status add_key(const struct report *r, const char *paper,
                                 const struct ini_fact *f, const char *line)
{
    const char *const table = !strcmp(f->section, "paper") ? "paper" : "item";
    sqlite3 *const db = store_database(r->rows.store);
    char *sql;
    enum bench_status status = BENCH_OK;

    if (!strcmp(f->section, "words"))
        return REPORT_ADD(r, "plain", paper, line, f->key, f->value);
    if (!store_has_column(r->rows.store, table, f->key))
        return BENCH_FAIL(BENCH_EINPUT, "%s: unknown key '%s' in [%s] of a report", line,
                          f->key, f->section);
    sql = sqlite3_mprintf("INSERT OR IGNORE INTO %s (id, paper, line) VALUES ('%q-%q', %Q, %Q);"
                          "UPDATE %s SET \"%w\" = %Q WHERE id = '%q-%q'",
                          table, paper, f->section, paper, line, table, f->key, f->value, paper,
                          f->section);
    if (!sql || sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        status = BENCH_FAIL(BENCH_ENOMEM, "%s: %s", line, sqlite3_errmsg(db));
    sqlite3_free(sql);
    return status;
}

static enum bench_status read_paper(const struct report *r, const char *path)
{
    const char *file = listing_name(path);
    char name[64], line[4500];
    struct ini_file ini;
    enum bench_status status;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
    if (strchr(name, '-'))
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected a name without '-'", path);
    TRY(ini_read(path, &ini));
    status = BENCH_OK;
    for (int i = 0; i < ini.n_facts && !status; i++) {
        snprintf(line, sizeof line, "%s:%d", path, ini.fact[i].line);
        status = add_key(r, name, &ini.fact[i], line);
    }
    ini_free(&ini);
    return status;
}

static enum bench_status read_papers(const struct report *r)
{
    struct listing files;
    enum bench_status status;

    TRY(list_home(r, "experiments/report", ".ini", &files));
    status = files.n > 0 ? BENCH_OK
                         : BENCH_FAIL(BENCH_EINPUT,
                                      "%s/experiments/report: expected .ini files, found none",
                                      r->request->home);
    for (int i = 0; i < files.n && !status; i++)
        status = read_paper(r, files.path[i]);
    listing_free(&files);
    return status ? status : query_refusal(r->rows.store);
}

/* ---- claims ---- */

static const char *unit_of(const struct claim *c)
{
    return c->unit && !strcmp(c->unit, "x") ? "\u00d7" : c->unit;
}

static enum bench_status add_claim(const struct report *r, const struct claim *c)
{
    const char *const path = listing_name(c->file->path);
    char file[80];

    snprintf(file, sizeof file, "%.*s", (int)strlen(path) - 4, path); /* without .ini */
    return REPORT_ADD(r, "claim", c->id, file, c->where, c->words, c->printed, unit_of(c));
}

/* "0.96 ms", "yes"; NULL: nothing was found. */
static const char *found_text(const struct claim *c, const struct claim_judgement *j,
                              char text[200])
{
    char number[TEXT_NUMBER];

    if (!j->has_value)
        return NULL;
    if (j->truth)
        return j->value > 0 ? "yes" : "no";
    text_short_number(number, j->value, 4);
    snprintf(text, 200, "%s%s%s", number, c->unit ? " " : "", c->unit ? unit_of(c) : "");
    return text;
}

static enum bench_status judge(struct report *r, const struct claim *c, bool measured)
{
    struct claim_judgement j;
    char found[200];

    TRY(claims_judge(&r->claims, c, measured ? &r->rows : NULL, NULL, &j));
    return REPORT_ADD(r, "verdict", c->id, measured ? "1" : "0", claim_verdict_names[j.verdict],
                      j.expected == CLAIM_N_VERDICTS || j.expected == j.verdict
                          ? NULL
                          : claim_verdict_names[j.expected],
                      found_text(c, &j, found), j.reason,
                      j.verdict == CLAIM_CONTRADICTED && j.elsewhere ? "1" : "0");
}

/* All by the papers' arithmetic, then all by rows. */
static enum bench_status add_claims(struct report *r)
{
    for (int i = 0; i < r->claims.n; i++)
        TRY(add_claim(r, &r->claims.claim[i]));
    for (int measured = 0; measured <= r->has_rows; measured++)
        for (int i = 0; i < r->claims.n; i++) {
            const struct claim *c = &r->claims.claim[i];

            if (measured ? c->measured : c->paper)
                TRY(judge(r, c, measured));
        }
    return BENCH_OK;
}

/* ---- the page ---- */

static enum bench_status add_page(const struct report *r)
{
    struct text style = {0}, build = {0};
    enum bench_status status;

    text_bytes(&style, report_css, sizeof report_css);
    text_format(&build, "%.7s%s", bench_build()->commit,
                bench_build()->dirty ? " (dirty)" : "");
    status = text_ok(&style) ? text_ok(&style) : text_ok(&build);
    if (!status)
        status = REPORT_ADD(r, "page", r->machine, r->has_rows ? r->folder.data : "",
                            build.data, style.data);
    text_free(&style);
    text_free(&build);
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
    TRY(facts_views(r->rows.store));
    TRY(store_execute(r->rows.store, report_sql, sizeof report_sql));
    TRY(read_others(r));
    TRY(add_page(r));
    TRY(add_claims(r));
    TRY(read_papers(r));
    return report_items(r);
}

static void release(struct report *r)
{
    claim_machine_free(&r->rows);
    for (int i = 0; r->store && i < r->other.n; i++)
        store_close(r->store[i]);
    free(r->store);
    listing_free(&r->other);
    claims_free(&r->claims);
    listing_free(&r->claim_files);
    text_free(&r->folder);
    text_free(&r->paper_folder);
    free(r->machine);
}

enum bench_status report_page(const struct report_request *request, struct text *page)
{
    struct report r = {.request = request};
    enum bench_status status = read_all(&r);

    if (!status)
        status = template_add(r.rows.store, report_html, sizeof report_html, page);
    release(&r);
    return status;
}

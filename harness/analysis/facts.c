/* facts.c - from .env.txt files and printed facts to a table with a column for each machine */
#include "harness/analysis/facts.h"

#include "harness/analysis/query.h"
#include "harness/listing.h"

#include "facts_sql.h"

#include <stdlib.h>
#include <string.h>

enum bench_status facts_views(struct store *store)
{
    return store_execute(store, facts_sql, sizeof facts_sql);
}

/* The .env.txt files of a folder, or one file; the order of 'results' is that of the paths. */
static enum bench_status add_path(struct store *store, const char *path, int number)
{
    struct listing files;
    char results[20];
    bool is_known = false;
    sqlite3_stmt *any;
    enum bench_status status;

    snprintf(results, sizeof results, "%06d", number);
    status = listing_read(path, ".env.txt", &files);
    for (int i = 0; i < files.n && !status; i++)
        status =
            store_add_environment(store, results, listing_name(files.path[i]), files.path[i]);
    listing_free(&files);
    if (status != BENCH_EIO)
        return status;
    bench_failure_clear(); /* no folder */
    TRY(store_kept(store, "SELECT 1 FROM environment LIMIT 1", &any));
    TRY(store_row(store, any, &is_known));
    sqlite3_reset(any);
    return is_known ? BENCH_OK : store_add_environment(store, results, path, path);
}

static enum bench_status open_store(const char *const *paths, int n, const char *paper_folder,
                                    struct store **store)
{
    TRY(store_open(store));
    for (int i = 0; i < n; i++)
        TRY(add_path(*store, paths[i], i));
    TRY(store_add_printed(*store, paper_folder));
    TRY(store_complete(*store));
    return facts_views(*store);
}

/* The number of a column that is called "MACHINE printed"; a new one where none is. */
static int column_of(struct table *table, const char *machine, int *n_columns)
{
    char name[300];
    int column = 2;

    snprintf(name, sizeof name, "%s printed", machine);
    while (column < *n_columns && strcmp(table->column[column], name) != 0)
        column++;
    if (column == *n_columns) {
        table_name(table, (*n_columns)++, name);
        table->printed[column] = true;
        table_text(table, 0, column, TABLE_TEXT, machine);
    }
    return column;
}

static enum bench_status fill(const struct table *rows, const char *gpu, struct facts *facts)
{
    struct table *const table = &facts->table;
    int n_columns = 2, row = 0;

    TRY(table_make(table, 2 + rows->n_rows, 1 + rows->n_rows));
    table_name(table, 0, "fact");
    table_name(table, 1, "here");
    table_text(table, 0, 0, TABLE_TEXT, "gpu");
    table_text(table, 0, 1, TABLE_TEXT, gpu);
    for (int i = 0; i < rows->n_rows && !table->failed; i++) {
        const char *const name = query_text(rows, i, "name");

        if (i == 0 || strcmp(name, query_text(rows, i - 1, "name")) != 0) {
            row++;
            table_text(table, row, 0, TABLE_TEXT, name);
            table_text(table, row, 1, TABLE_AS_IS, query_text(rows, i, "here"));
            facts->n_known += *query_text(rows, i, "here") != '\0';
        }
        table_text(table, row, column_of(table, query_text(rows, i, "hardware"), &n_columns),
                   TABLE_AS_IS, query_text(rows, i, "printed"));
    }
    table_cut(table, n_columns);
    table->n_rows = 1 + row;
    return table_ok(table);
}

static enum bench_status read_facts(struct store *store, const char *name, struct facts *facts)
{
    char *const sql = sqlite3_mprintf(
        "SELECT name, here, hardware, printed FROM beside AS b "
        "JOIN (SELECT name, min(id) AS first FROM beside WHERE in_table = %Q GROUP BY name) "
        "USING (name) WHERE in_table = %Q ORDER BY first, id",
        name, name);
    struct table rows = {0}, machine = {0};
    enum bench_status status =
        sql ? query_table(store, sql, &rows) : BENCH_FAIL(BENCH_ENOMEM, "out of memory");

    if (!status)
        status = query_table(
            store,
            "SELECT *, machine || '; commit ' || \"commit\" || dirty AS caption FROM (SELECT "
            "coalesce(max(CASE key WHEN 'gpu' THEN text END), 'none') AS gpu, "
            "coalesce(max(CASE key WHEN 'machine' THEN text END), '') AS machine, "
            "coalesce(max(CASE key WHEN 'commit' THEN substr(text, 1, 7) END), '') AS "
            "\"commit\", coalesce(max(CASE WHEN key = 'dirty' AND text NOT IN ('', '0') "
            "THEN '-dirty' END), '') AS dirty FROM fact)",
            &machine);
    if (!status && rows.n_rows == 0)
        status = BENCH_FAIL(BENCH_EINPUT,
                            "%s: expected printed facts in results/paper, found "
                            "none",
                            name);
    if (!status)
        status = fill(&rows, query_text(&machine, 0, "gpu"), facts);
    if (!status) {
        facts->machine = strdup(query_text(&machine, 0, "machine"));
        facts->caption = strdup(query_text(&machine, 0, "caption"));
        if (!facts->machine || !facts->caption)
            status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for a machine's facts");
    }
    table_free(&rows);
    table_free(&machine);
    sqlite3_free(sql);
    return status;
}

enum bench_status facts_read(const char *const *paths, int n, const char *paper_folder,
                             const char *name, struct facts *facts)
{
    struct store *store = NULL;
    enum bench_status status = open_store(paths, n, paper_folder, &store);

    *facts = (struct facts){0};
    if (!status)
        status = read_facts(store, name, facts);
    store_close(store);
    if (status)
        facts_free(facts);
    return status;
}

void facts_free(struct facts *facts)
{
    table_free(&facts->table);
    free(facts->machine);
    free(facts->caption);
    *facts = (struct facts){0};
}

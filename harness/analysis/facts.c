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

static enum bench_status read_table(struct store *store, const char *name, struct table *table)
{
    char *sql = sqlite3_mprintf("SELECT sql FROM pivot WHERE in_table = %Q", name);
    struct table pivot;
    enum bench_status status = sql ? query_table(store, sql, &pivot)
                                   : BENCH_FAIL(BENCH_ENOMEM, "out of memory for facts");

    sqlite3_free(sql);
    TRY(status);
    status = pivot.n_rows > 0
                 ? query_table(store, query_text(&pivot, 0, "sql"), table)
                 : BENCH_FAIL(BENCH_EINPUT,
                              "%s: expected printed facts in results/paper, found none", name);
    table_free(&pivot);
    TRY(status);
    table->printed = calloc((size_t)table->n_columns, sizeof *table->printed);
    table->failed = !table->printed;
    for (int i = 2; i < table->n_columns && table->printed; i++)
        table->printed[i] = true;
    return table_ok(table);
}

static enum bench_status read_facts(struct store *store, const char *name, struct facts *facts)
{
    struct table machine;
    enum bench_status status;

    TRY(read_table(store, name, &facts->table));
    for (int row = 1; row < facts->table.n_rows; row++)
        facts->n_known += *query_text(&facts->table, row, "here") != '\0';
    TRY(query_table(store, "SELECT * FROM known", &machine));
    facts->machine = strdup(query_text(&machine, 0, "machine"));
    facts->caption = strdup(query_text(&machine, 0, "caption"));
    status = facts->machine && facts->caption
                 ? BENCH_OK
                 : BENCH_FAIL(BENCH_ENOMEM, "out of memory for facts");
    table_free(&machine);
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

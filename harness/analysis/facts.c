/* facts.c - from .env.txt files and printed facts to a table with a column for each machine */
#include "harness/analysis/facts.h"

#include "harness/analysis/query.h"
#include "harness/listing.h"

#include "facts_sql.h"

#include <stdio.h>

enum bench_status facts_views(struct store *store)
{
    return store_execute(store, facts_sql, sizeof facts_sql);
}

/* The .env.txt files of a folder, or one file; the order of 'results' is that of the paths, and a file's the last. */
static enum bench_status add_path(struct store *store, const char *path, int number)
{
    struct listing files;
    char results[20];
    enum bench_status status = listing_read(path, ".env.txt", &files);

    snprintf(results, sizeof results, "%06d", number);
    for (int i = 0; i < files.n && !status; i++)
        status =
            store_add_environment(store, results, listing_name(files.path[i]), files.path[i]);
    listing_free(&files);
    if (status != BENCH_EIO)
        return status;
    bench_failure_clear(); /* no folder */
    return store_add_environment(store, "file:", path, path);
}

static enum bench_status read_facts(struct store *store, const char *const *paths, int n,
                                    const char *paper_folder, const char *name,
                                    struct facts *facts)
{
    struct text sql = {0};
    struct table pivot, known;
    enum bench_status status;

    for (int i = 0; i < n; i++)
        TRY(add_path(store, paths[i], i));
    TRY(store_add_printed(store, paper_folder));
    TRY(store_complete(store));
    TRY(facts_views(store));
    query_add(&sql, "SELECT sql FROM pivot WHERE in_table = %Q", name);
    TRY(query_ask(store, &sql, &pivot));
    status = pivot.n_rows > 0
                 ? query_table(store, pivot.cell->text, &facts->table)
                 : BENCH_FAIL(BENCH_EINPUT,
                              "%s: expected printed facts in results/paper, found none", name);
    table_free(&pivot);
    TRY(status);
    for (int i = 2; i < facts->table.n_columns; i++)
        facts->table.printed[i] = true;
    for (int row = 1; row < facts->table.n_rows; row++)
        facts->n_known += *query_text(&facts->table, row, "here") != '\0';
    TRY(query_table(store, "SELECT caption FROM known", &known));
    snprintf(facts->caption, sizeof facts->caption, "%s", known.cell->text);
    table_free(&known);
    return BENCH_OK;
}

enum bench_status facts_read(const char *const *paths, int n, const char *paper_folder,
                             const char *name, struct facts *facts)
{
    struct store *store;
    enum bench_status status;

    *facts = (struct facts){0};
    TRY(store_open(&store));
    status = read_facts(store, paths, n, paper_folder, name, facts);
    store_close(store);
    if (status)
        facts_free(facts);
    return status;
}

void facts_free(struct facts *facts)
{
    table_free(&facts->table);
    *facts = (struct facts){0};
}

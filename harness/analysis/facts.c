/* facts.c - from .env.txt files and printed facts to a table with a column for each machine */
#include "harness/analysis/facts.h"

#include "harness/analysis/query.h"
#include "harness/base/listing.h"

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

/* An answer "sql, caption" is the question for the table and its note. */
static enum bench_status read_facts(struct store *store, const char *name, struct table *table)
{
    struct text sql = {0};
    struct table pivot;
    enum bench_status status;

    query_add(&sql, "SELECT sql, caption FROM pivot WHERE in_table = %Q", name);
    TRY(query_ask(store, &sql, &pivot));
    status = pivot.n_rows > 0
                 ? query_table(store, pivot.cell[0].text, table)
                 : BENCH_FAIL(BENCH_EINPUT,
                              "%s: expected printed facts in results/paper, found none", name);
    if (!status)
        table_say(table, &table->note, pivot.cell[1].text);
    for (int i = 2; i < table->n_columns; i++)
        table->printed[i] = true;
    table_free(&pivot);
    return status ? status : table_ok(table);
}

enum bench_status facts_read(const char *const *paths, int n, const char *paper_folder,
                             const char *name, struct table *table)
{
    struct store *store;
    enum bench_status status;

    *table = (struct table){0};
    TRY(store_open(&store));
    status = store_add_printed(store, paper_folder);
    for (int i = 0; i < n && !status; i++)
        status = add_path(store, paths[i], i);
    if (!status)
        status = store_complete(store);
    if (!status)
        status = facts_views(store);
    if (!status)
        status = read_facts(store, name, table);
    store_close(store);
    return status;
}

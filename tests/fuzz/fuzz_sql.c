/* fuzz_sql.c - any text as a question of the subcommand sql: an answer or a sentence */
#include "tests/fuzz/fuzz.h"

#include "harness/base/listing.h"

static int stop(void *unused)
{
    (void)unused;
    return 1;
}

/* A store of two rows, whose files are gone. */
static struct store *a_store(void)
{
    static const char rows[] =
        "session,row_id,impl,device,scope,series,status,verdict,median_ms,commit\n"
        "1,r1,rdp/serial,serial,kernel,hot,ok,exact,1.5,12345678\n"
        "1,r2,rdp/cpu-simd,serial,kernel,hot,ok,exact,0.5,12345678\n";
    static const char values[] =
        "row_id,name,index,value,unit\nr1,segments,,12.5,\nr2,a,3,7,px\n";
    static struct store *store;

    if (store)
        return store;
    enter("fuzz_sql");
    put("m/1.csv", rows, strlen(rows));
    put("m/1.values.csv", values, strlen(values));
    must(!store_read_files(
        &(struct store_files){.folder = (const char *[]){"m"}, .n_folders = 1}, stderr,
        &store));
    support_remove("m");
    sqlite3_limit(store_database(store), SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_progress_handler(store_database(store), 200000, stop, NULL);
    return store;
}

/* Everything that no question may change, as one text. */
static void state(struct store *store, char text[400])
{
    sqlite3_stmt *statement;
    bool row;

    must(!store_prepare(
        store,
        "SELECT (SELECT group_concat(name || coalesce(file, '')) FROM "
        "pragma_database_list WHERE name <> 'temp') || (SELECT count(*) || '|' || "
        "sum(length(sql)) FROM sqlite_master) || (SELECT count(*) || '|' || "
        "sum(median_ms) FROM current) || (SELECT sum(value) FROM value) || '|' || "
        "(SELECT count(*) FROM sqlite_temp_master)",
        &statement));
    must(!store_row(store, statement, &row) && row);
    snprintf(text, 400, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct store *const store = a_store();
    const int n_changes = sqlite3_total_changes(store_database(store));
    char before[400], after[400];
    struct text sql = {0}, page = {0};
    struct listing files;
    struct table table;

    state(store, before);
    text_bytes(&sql, data, size);
    text_bytes(&sql, "", 1);
    must(!text_ok(&sql));
    bench_failure_clear();
    if (query_table(store, sql.data, &table) == BENCH_OK) {
        table_render(&table, (enum table_format)(size % 4), 80, &page);
        must(!text_ok(&page) && table.n_rows <= QUERY_MAX_ROWS);
        table_free(&table);
    } else
        must(*bench_failure() && table.n_rows == 0);
    must(sqlite3_total_changes(store_database(store)) == n_changes);
    must(sqlite3_get_autocommit(store_database(store)));
    state(store, after);
    must(!strcmp(before, after));
    must(!listing_read(".", "", &files) && files.n == 0);
    listing_free(&files);
    text_free(&sql);
    text_free(&page);
    return 0;
}

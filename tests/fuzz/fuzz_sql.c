/* fuzz_sql.c - any text as a question of the verb sql: an answer or a sentence, and nothing has changed afterwards */
#include "harness/analysis/query.h"
#include "harness/text.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static int stop(void *unused)
{
    (void)unused;
    return 1;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    must(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static char folder[64];

static void leave(void)
{
    if (!chdir("/"))
        rmdir(folder);
}

/* A store of two rows; the process stays in an empty folder. */
static struct store *a_store(void)
{
    static struct store *store;

    if (store)
        return store;
    snprintf(folder, sizeof folder, "/tmp/fuzz_sql.%ld", (long)getpid());
    must(!mkdir(folder, 0700) && !chdir(folder) && !mkdir("m", 0700) && !atexit(leave));
    put("m/1.csv", "session,row_id,impl,device,scope,series,status,verdict,median_ms,commit\n"
                   "1,r1,rdp/serial,serial,kernel,hot,ok,exact,1.5,12345678\n"
                   "1,r2,rdp/cpu-simd,serial,kernel,hot,ok,exact,0.5,12345678\n");
    put("m/1.values.csv", "row_id,name,index,value,unit\nr1,segments,,12.5,\nr2,a,3,7,px\n");
    must(!store_open(&store) && !store_add_results(store, "m", stderr) &&
         !store_complete(store));
    must(!unlink("m/1.csv") && !unlink("m/1.values.csv") && !rmdir("m"));
    sqlite3_limit(store_database(store), SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_progress_handler(store_database(store), 200000, stop, NULL);
    return store;
}

static void check_folder(void)
{
    DIR *listing = opendir(".");
    const struct dirent *entry;

    must(listing != NULL);
    while ((entry = readdir(listing)))
        must(entry->d_name[0] == '.');
    closedir(listing);
}

/* What no question may change, as one text. */
static void state(struct store *store, char text[400])
{
    sqlite3_stmt *statement;
    bool row;

    must(!store_prepare(store,
                        "SELECT (SELECT group_concat(name || coalesce(file, '')) FROM "
                        "pragma_database_list WHERE name <> 'temp'), (SELECT count(*) || "
                        "sum(length(sql)) FROM sqlite_master), (SELECT count(*) || "
                        "sum(median_ms) FROM current), (SELECT sum(value) FROM value), "
                        "(SELECT count(*) FROM sqlite_temp_master)",
                        &statement));
    must(!store_row(store, statement, &row) && row);
    text[0] = '\0';
    for (int i = 0; i < 5; i++)
        snprintf(text + strlen(text), 400 - strlen(text), "%s|",
                 (const char *)sqlite3_column_text(statement, i));
    sqlite3_finalize(statement);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct store *const store = a_store();
    const int n_changes = sqlite3_total_changes(store_database(store));
    char before[400], after[400];
    struct text sql = {0}, page = {0};
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
    check_folder();
    text_free(&sql);
    text_free(&page);
    return 0;
}

/*
 * fuzz_store.c - any bytes as the files of a results folder: rows of a database that fit together, and sentences
 *
 * A byte 1 begins the next file: session, values, environment, WITHDRAWN, another session, counters, printed numbers.
 */
#include "harness/analysis/query.h"
#include "harness/analysis/store.h"
#include "harness/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"m/1.csv", "m/1.values.csv", "m/1.env.txt", "m/WITHDRAWN",
                                    "m/2.csv", "m/ncu/1.csv",    "paper/p.csv"};
#define N_NAMES (sizeof names / sizeof *names)

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void put_files(const uint8_t *data, size_t size)
{
    size_t at = 0;

    for (size_t i = 0; i < N_NAMES; i++) {
        const uint8_t *end = at < size ? memchr(data + at, 1, size - at) : NULL;
        const size_t n = (end ? (size_t)(end - data) : size) - at;
        FILE *file;

        unlink(names[i]);
        if (n > 0) {
            file = fopen(names[i], "wb");
            must(file && fwrite(data + at, 1, n, file) == n && fclose(file) == 0);
        }
        at = end ? at + n + 1 : size;
    }
}

static char folder[64];

static void leave(void)
{
    put_files(NULL, 0);
    if (!rmdir("m/ncu") && !rmdir("m") && !rmdir("paper") && !chdir("/"))
        rmdir(folder);
}

static void enter(void)
{
    snprintf(folder, sizeof folder, "/tmp/fuzz_store.%ld", (long)getpid());
    must(!mkdir(folder, 0700) && !chdir(folder) && !atexit(leave));
    must(!mkdir("m", 0700) && !mkdir("m/ncu", 0700) && !mkdir("paper", 0700));
}

static long long number(struct store *store, const char *sql)
{
    sqlite3_stmt *statement;
    long long found;
    bool row;

    must(!store_prepare(store, sql, &statement) && !store_row(store, statement, &row) && row);
    found = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return found;
}

static void check(struct store *store)
{
    struct table rows;

    must(number(store, "SELECT count(*) FROM measurement") == store_n_measurements(store));
    must(number(store, "SELECT count(*) FROM measurement WHERE configuration IS NULL") == 0);
    must(number(store, "SELECT count(*) FROM measurement WHERE results IS NOT 'm'") == 0);
    must(number(store, "SELECT count(*) FROM current") <=
         number(store, "SELECT count(*) FROM good"));
    must(number(store, "SELECT count(*) FROM configuration") <= store_n_measurements(store));
    must(number(store, "SELECT count(*) FROM value WHERE measurement NOT IN "
                       "(SELECT id FROM measurement)") == 0);
    must(number(store, "SELECT sum(n_rows) FROM session") == store_n_measurements(store));
    must(!query_table(store, "SELECT * FROM counter", &rows));
    table_free(&rows);
    must(!query_table(store, "SELECT * FROM measurement", &rows) &&
         rows.n_rows == store_n_measurements(store));
    table_free(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char said[4096];
    FILE *notes;
    struct store *store = NULL;

    if (!folder[0])
        enter();
    put_files(data, size);
    bench_failure_clear();
    notes = fmemopen(said, sizeof said, "w");
    must(notes && !store_open(&store));
    must(!store_add_results(store, "m", notes));
    if (store_add_printed(store, "paper"))
        must(*bench_failure());
    must(!store_complete(store));
    check(store);
    store_close(store);
    fclose(notes);
    return 0;
}

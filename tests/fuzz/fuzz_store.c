/*
 * fuzz_store.c - any bytes as the files of a results folder: rows that fit together, sentences
 *
 * A byte 1 begins the next file: session, values, environment, WITHDRAWN, another session,
 * counters, printed numbers.
 */
#include "tests/fuzz/fuzz.h"

static const char *const names[] = {"m/1.csv", "m/1.values.csv", "m/1.env.txt", "m/WITHDRAWN",
                                    "m/2.csv", "m/ncu/1.csv",    "paper/p.csv"};
#define N_NAMES (sizeof names / sizeof *names)

static void put_files(const uint8_t *data, size_t size)
{
    size_t at = 0;

    for (size_t i = 0; i < N_NAMES; i++) {
        const uint8_t *end = at < size ? memchr(data + at, 1, size - at) : NULL;
        const size_t n = (end ? (size_t)(end - data) : size) - at;

        unlink(names[i]);
        if (n > 0)
            put(names[i], data + at, n);
        at = end ? at + n + 1 : size;
    }
}

/* Rows that fit nowhere. */
static const char *const wrong =
    "SELECT count(*) + (SELECT count(*) FROM value "
    "                   WHERE measurement NOT IN (SELECT id FROM measurement)) "
    "     + ((SELECT count(*) FROM current) > (SELECT count(*) FROM good)) "
    "     + ((SELECT max(id) FROM configuration) > (SELECT max(id) FROM measurement)) "
    "     + ((SELECT sum(n_rows) FROM session) <> (SELECT count(*) FROM measurement)) AS n "
    "FROM measurement WHERE configuration IS NULL OR results IS NOT 'm'";

static void check(struct store *store)
{
    struct table rows;

    must(!query_table(store, wrong, &rows) && query_number(&rows, 0, "n") == 0);
    table_free(&rows);
    must(!query_table(store, "SELECT * FROM counter", &rows));
    table_free(&rows);
    must(!query_table(store, "SELECT * FROM measurement", &rows) &&
         rows.n_rows == store_n_measurements(store));
    table_free(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char said[4096];
    const char *const folders[] = {"m"};
    struct store_files files = {.folder = folders, .n_folders = 1, .printed = "paper"};
    FILE *notes;
    struct store *store;

    if (!folder[0]) {
        enter("fuzz_store");
        must(!mkdir("m/ncu", 0700) && !mkdir("paper", 0700));
    }
    put_files(data, size);
    bench_failure_clear();
    notes = fmemopen(said, sizeof said, "w");
    must(notes);
    if (store_read_files(&files, notes,
                         &store)) { /* for what is printed: all of it must be fine */
        must(*bench_failure());
        files.printed = NULL;
        must(!store_read_files(&files, notes, &store));
    }
    check(store);
    store_close(store);
    fclose(notes);
    return 0;
}

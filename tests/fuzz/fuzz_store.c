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

/* All fields of all rows; how many rows. */
static long long read_all(struct store *store, const char *sql, int *n_columns)
{
    sqlite3_stmt *all;
    long long n;
    bool is_row;

    must(!store_kept(store, sql, &all));
    for (n = 0; !store_row(store, all, &is_row) && is_row; n++)
        for (int i = 0; i < sqlite3_column_count(all); i++)
            (void)sqlite3_column_text(all, i);
    must(!is_row);
    *n_columns = sqlite3_column_count(all);
    sqlite3_reset(all);
    return n;
}

static void check(struct store *store, int *n_columns)
{
    sqlite3_stmt *asked;
    long long n;
    bool is_row;

    must(!store_kept(store, wrong, &asked) && !store_row(store, asked, &is_row) && is_row &&
         sqlite3_column_int(asked, 0) == 0);
    sqlite3_reset(asked);
    must(!store_n_measurements(store, &n) &&
         read_all(store, "SELECT * FROM measurement", n_columns) == n);
    read_all(store, "SELECT * FROM counter", &(int){0});
}

/* An empty store: that of before, unless its rows have left it many columns. */
static struct store *a_store(int n_columns)
{
    static struct store *store;

    if (!store) {
        enter("fuzz_store");
        must(!mkdir("m/ncu", 0700) && !mkdir("paper", 0700));
    }
    if (store)
        must(!store_run(store,
                        "DELETE FROM value; DELETE FROM environment; DELETE FROM folder; "
                        "DELETE FROM counter; DELETE FROM printed; DELETE FROM part_value; "
                        "DROP VIEW IF EXISTS missing_part; DROP TABLE IF EXISTS piece; "
                        "DROP TABLE IF EXISTS part; DROP INDEX IF EXISTS part_value_part; "
                        "DELETE FROM measurement; DELETE FROM configuration"));
    if (store && n_columns < STORE_MOST_COLUMNS - 50)
        return store;
    store_close(&store);
    must(!store_open(&store) && !store_run(store, "COMMIT"));
    return store;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int n_columns;
    char said[4096];
    const char *const folders[] = {"m"};
    struct store_files files = {.folder = folders, .n_folders = 1, .printed = "paper"};
    struct store *store = a_store(n_columns);
    FILE *const notes = fmemopen(said, sizeof said, "w");

    put_files(data, size);
    bench_failure_clear();
    must(notes);
    if (store_fill(store, &files, notes)) { /* for what is printed: all of it must be fine */
        must(*bench_failure());
        files.printed = NULL;
        store = a_store(n_columns);
        must(!store_fill(store, &files, notes));
    }
    check(store, &n_columns);
    fclose(notes);
    return 0;
}

/* rows.h - the rows of a results folder, as the store has them */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include "harness/analysis/select.h"

/* Those that are not withdrawn, oldest session first; a folder that is not there has none. */
static inline enum bench_status read_folder(const char *folder, struct record_table *rows)
{
    struct store *store;
    sqlite3_stmt *all;
    enum bench_status status;

    *rows = (struct record_table){0};
    TRY(store_read(&folder, 1, true, NULL, &store));
    status = store_kept(store, "SELECT * FROM measurement WHERE withdrawn IS NULL ORDER BY id",
                        &all);
    if (!status)
        status = select_more(store, all, "measurement", rows);
    store_close(store);
    return status;
}

#endif

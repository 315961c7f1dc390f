/* rows.h - the rows of a results folder, as the store has them */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include "harness/analysis/query.h"
#include "harness/suite/record_private.h"

/* Those that are not withdrawn, oldest session first; a folder that is not there has none. */
static inline enum bench_status read_folder(const char *folder, struct record_table *rows)
{
    const struct store_files files = {&folder, 1, true, NULL, NULL};
    OWNED(store_close) struct store *store = NULL;
    OWNED(table_free) struct table all = {0};
    OWNED(text_free) struct text text = {0};

    TRY(store_read_files(&files, NULL, &store));
    TRY(query_table(store, "SELECT * FROM measurement WHERE withdrawn IS NULL ORDER BY id",
                    &all));
    for (int row = -1; row < all.n_rows; row++)
        for (int i = 0; i < all.n_columns; i++) {
            const char *const field = row < 0 ? all.column[i] : table_cell(&all, row, i)->text;

            text_add(&text, i ? "," : "");
            text_csv(&text, field ? field : "");
            text_add(&text, i + 1 < all.n_columns ? "" : "\n");
        }
    TRY(text_ok(&text));
    return record_parse(folder, false, &text, rows);
}

#endif

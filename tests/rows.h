/* rows.h - the rows of a results folder, as the store has them */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include "harness/analysis/query.h"
#include "harness/record_private.h"

#include <stdlib.h>

/* Those that are not withdrawn, oldest session first; a folder that is not there has none. */
static inline enum bench_status read_folder(const char *folder, struct record_table *rows)
{
    struct store *store;
    struct table all;

    *rows = (struct record_table){0};
    TRY(store_read(&folder, 1, true, NULL, &store));
    TRY(query_table(store, "SELECT * FROM measurement WHERE withdrawn IS NULL ORDER BY id",
                    &all));
    for (int i = 0; i < all.n_columns; i++)
        TRY(record_add_column(rows, store_name_in_file("measurement", all.column[i])));
    for (int row = 0; row < all.n_rows; row++) {
        const char **const field = calloc((size_t)all.n_columns, sizeof *field);

        for (int i = 0; field && i < all.n_columns; i++) {
            const char *const text = table_cell(&all, row, i)->text;

            field[i] = store_field_in_file(rows->column[i], text ? text : "");
        }
        TRY(field ? record_add_row(rows, field) : BENCH_ENOMEM);
        free(field);
    }
    table_free(&all);
    store_close(store);
    return BENCH_OK;
}

#endif

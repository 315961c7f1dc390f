/* page.c - reports that SQL wrote */
#include "judge/page.h"

#include "harness/analysis/query.h"

enum bench_status page_report(struct store *store, FILE *out, struct text *csv)
{
    struct text page = {0};
    struct table lines, rows = {0};
    enum bench_status status;

    TRY(query_table(store, "SELECT text, below, more FROM page ORDER BY rowid", &lines));
    for (int i = 0; i < lines.n_rows; i++)
        for (int k = 0; k < lines.n_columns; k++) {
            const char *const text = table_cell(&lines, i, k)->text;

            if (text && k == 0)
                text_format(&page, "%s\n", text);
            else if (text)
                page_wrapped(&page, text);
        }
    table_free(&lines);
    status = csv ? query_table(store, "SELECT * FROM listed", &rows) : BENCH_OK;
    if (!status && csv)
        table_render(&rows, TABLE_CSV, 0, csv);
    if (!status)
        status = text_print(&page, out);
    table_free(&rows);
    text_free(&page);
    return status;
}

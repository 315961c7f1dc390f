/* page.c - reports that SQL wrote */
#include "judge/page.h"

#include "harness/analysis/query.h"

enum bench_status page_report(struct store *store, FILE *out, struct text *csv)
{
    struct text page = {0};
    struct table lines, rows = {0};
    enum bench_status status;

    TRY(query_table(store, "SELECT text, below, more FROM page ORDER BY rowid", &lines));
    for (int i = 0; i < lines.n_rows; i++) {
        const char *const text = table_cell(&lines, i, 0)->text;
        const char *const below = table_cell(&lines, i, 1)->text;
        const char *const more = table_cell(&lines, i, 2)->text;

        if (text || (!below && !more))
            text_format(&page, "%s\n", text ? text : "");
        page_wrapped(&page, below ? below : "");
        page_wrapped(&page, more ? more : "");
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

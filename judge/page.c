/* page.c - reports that SQL wrote */
#include "judge/page.h"

#include "harness/analysis/query.h"

enum bench_status page_report(struct store *store, FILE *out, struct text *csv)
{
    struct text page = {0};
    struct table lines, rows = {0};
    enum bench_status status;

    TRY(query_table(store, "SELECT text, indent FROM page", &lines));
    for (int i = 0; i < lines.n_rows; i++)
        if (table_cell(&lines, i, 1)->kind == TABLE_NONE)
            text_format(&page, "%s\n", query_text(&lines, i, "text"));
        else
            page_filled(&page, query_text(&lines, i, "text"), query_text(&lines, i, "indent"));
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

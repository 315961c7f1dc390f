/*
 * history.c - rows of many sessions as one line of points for each cell; history.sql has the steps and the report
 */
#include "judge/history.h"

#include "harness/analysis/fitting.h"
#include "harness/analysis/query.h"

#include "history_sql.h"

static enum bench_status find_points(struct store *store, const char *wanted)
{
    struct text sql = {0};

    TRY(fitting_rows(store, wanted));
    query_add(&sql, "CREATE TEMP TABLE asked AS SELECT %Q AS wanted;", wanted);
    TRY(query_run(store, &sql));
    TRY(store_execute(store, history_sql, sizeof history_sql));
    return query_refusal(store);
}

enum bench_status history_read(const char *folder, const char *wanted, FILE *notes,
                               struct store **store)
{
    enum bench_status status = store_read(&folder, 1, false, notes, store);

    if (!status)
        status = find_points(*store, wanted);
    if (status) {
        store_close(*store);
        *store = NULL;
    }
    return status;
}

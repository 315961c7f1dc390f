/* fleet.c - what fleet.sql is asked */
#include "harness/analysis/fleet.h"

#include "harness/analysis/query.h"

#include "fleet_sql.h"

enum bench_status fleet_read(struct store *store)
{
    struct text sql = {0};

    text_bytes(&sql, fleet_sql, sizeof fleet_sql);
    return query_run(store, &sql);
}

enum bench_status fleet_differing(struct store *store, struct table *outputs,
                                  struct table *inputs)
{
    enum bench_status status = query_table(store, "SELECT * FROM differing", outputs);

    if (!status) {
        status = query_table(store, "SELECT * FROM differing_input", inputs);
        if (status)
            table_free(outputs);
    }
    return status;
}

/* fitting.c - from IMPL,KEY=VALUE,... to conditions in SQL */
#include "harness/analysis/fitting.h"

#include "harness/analysis/query.h"

#include <stdlib.h>
#include <string.h>

/* A row has a value in its own column or by a default: of its configuration, or of a key, whose numbers 'keys' has all alike. */
static void add_condition(struct store *store, const char *column, const char *value,
                          struct text *sql)
{
    const char *const defaults = store_has_column(store, "configuration", column) ? "c" : "m";
    char number[TEXT_NUMBER] = "";
    double as_number;

    if (text_to_number(value, &as_number))
        text_number(number, as_number);
    query_add(sql,
              " AND (%Q IN (m.\"%w\" || '', coalesce(%s.\"%w\", '') || '')"
              " OR instr(';' || m.keys || ';', ';%q=%q;'))",
              value, column, defaults, column, column, *number ? number : value);
}

/* 'wanted' is cut. */
static enum bench_status add_conditions(struct store *store, const char *cell, char *wanted,
                                        struct text *sql)
{
    const char *impl = strsep(&wanted, ","), *sms = NULL;

    if (!*impl || strchr(impl, '='))
        return BENCH_FAIL(
            BENCH_EINPUT,
            "--cell %.200s: expected IMPL,KEY=VALUE,... as in rdp/serial,height=1024", cell);
    query_add(sql,
              "CREATE TEMP VIEW fitting AS SELECT m.id FROM measurement AS m "
              "JOIN configuration AS c ON c.id = m.configuration WHERE m.impl = %Q",
              impl);
    while (wanted) {
        char *key = strsep(&wanted, ","), *value = strchr(key, '=');
        const char *column;

        if (!value || value == key)
            return BENCH_FAIL(BENCH_EINPUT, "--cell %.200s: expected KEY=VALUE, found '%.100s'",
                              cell, key);
        *value++ = '\0';
        column = store_column(key);
        if (!store_has_column(store, "measurement", column))
            return BENCH_FAIL(BENCH_EINPUT,
                              "--cell %.200s: expected a column of the results, found '%s'",
                              cell, key);
        if (!strcmp(column, "sms"))
            sms = strcmp(value, "all") != 0 ? value : NULL;
        else
            add_condition(store, column, store_field(column, value), sql);
    }
    if (!sms)
        text_add(sql, " AND c.sms IS NULL");
    else /* rows from before the column were of the whole GPU */
        query_add(
            sql,
            " AND %Q = coalesce(m.sms, CASE m.device WHEN 'gpu' THEN m.sm_count END) || ''",
            sms);
    return BENCH_OK;
}

enum bench_status fitting_rows(struct store *store, const char *cell)
{
    char *wanted = strdup(cell);
    struct text sql = {0};
    enum bench_status status =
        wanted ? add_conditions(store, cell, wanted, &sql)
               : BENCH_FAIL(BENCH_ENOMEM, "out of memory for the rows of a cell");

    if (!status)
        status = query_run(store, &sql);
    text_free(&sql);
    free(wanted);
    return status;
}

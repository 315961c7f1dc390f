/*
 * history.c - which rows fit IMPL,KEY=VALUE,...; history.sql makes a line of points of each cell of theirs, and the report
 */
#include "judge/history.h"

#include "harness/analysis/query.h"

#include "history_sql.h"

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

/* The view 'fitting (id)': measurements that fit 'wanted', whatever became of them; 'rest' is a copy of it that is cut.  Only
 * rows of a whole GPU fit, unless sms=N is asked for. */
static enum bench_status add_fitting(struct store *store, const char *wanted, char *rest,
                                     struct text *sql)
{
    const char *impl = strsep(&rest, ","), *sms = NULL;

    if (!*impl || strchr(impl, '='))
        return BENCH_FAIL(
            BENCH_EINPUT,
            "--cell %.200s: expected IMPL,KEY=VALUE,... as in rdp/serial,height=1024", wanted);
    query_add(sql,
              "CREATE TEMP TABLE asked AS SELECT %Q AS wanted;"
              "CREATE TEMP VIEW fitting AS SELECT m.id FROM measurement AS m "
              "JOIN configuration AS c ON c.id = m.configuration WHERE m.impl = %Q",
              wanted, impl);
    while (rest) {
        char *key = strsep(&rest, ","), *value = strchr(key, '=');
        const char *column;

        if (!value || value == key)
            return BENCH_FAIL(BENCH_EINPUT, "--cell %.200s: expected KEY=VALUE, found '%.100s'",
                              wanted, key);
        *value++ = '\0';
        column = store_column(key);
        if (!store_has_column(store, "measurement", column))
            return BENCH_FAIL(BENCH_EINPUT,
                              "--cell %.200s: expected a column of the results, found '%s'",
                              wanted, key);
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

enum bench_status history_read(const char *folder, const char *wanted, FILE *notes,
                               struct store **store)
{
    char *rest = strdup(wanted);
    struct text sql = {0};
    enum bench_status status = store_read(&folder, 1, false, notes, store);

    if (!status)
        status = rest ? add_fitting(*store, wanted, rest, &sql)
                      : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a history");
    if (!status)
        status = query_run(*store, &sql);
    if (!status)
        status = store_execute(*store, history_sql, sizeof history_sql);
    if (!status)
        status = query_refusal(*store);
    if (status) {
        store_close(*store);
        *store = NULL;
    }
    text_free(&sql);
    free(rest);
    return status;
}

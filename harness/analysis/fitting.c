/* fitting.c - from IMPL,KEY=VALUE,... to conditions in SQL */
#include "harness/analysis/fitting.h"

#include "harness/text.h"

#include <stdlib.h>
#include <string.h>

static enum bench_status out_of_memory(void)
{
    return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the rows of a cell");
}

/* 'sql', which is freed, and a condition.  A row has a value in its own column or by a default: of its configuration, or of a
 * key, whose numbers 'keys' has all alike.  NULL: out of memory. */
static char *add_condition(struct store *store, char *sql, const char *column,
                           const char *value)
{
    const char *const defaults = store_has_column(store, "configuration", column) ? "c" : "m";
    char number[TEXT_NUMBER] = "";
    double as_number;

    if (text_to_number(value, &as_number))
        text_number(number, as_number);
    return sqlite3_mprintf("%z AND (%Q IN (m.\"%w\" || '', coalesce(%s.\"%w\", '') || '')"
                           " OR instr(';' || m.keys || ';', ';%q=%q;'))",
                           sql, value, column, defaults, column, column,
                           *number ? number : value);
}

/* 'wanted' is cut. */
static enum bench_status add_conditions(struct store *store, const char *cell, char *wanted,
                                        char **sql)
{
    const char *impl = strsep(&wanted, ","), *sms = "all";

    if (!*impl || strchr(impl, '='))
        return BENCH_FAIL(
            BENCH_EINPUT,
            "--cell %.200s: expected IMPL,KEY=VALUE,... as in rdp/serial,height=1024", cell);
    *sql = sqlite3_mprintf("CREATE TEMP VIEW fitting AS SELECT m.id FROM measurement AS m "
                           "JOIN configuration AS c ON c.id = m.configuration "
                           "WHERE m.impl = %Q",
                           impl);
    while (wanted && *sql) {
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
            sms = value;
        else
            *sql = add_condition(store, *sql, column, store_field(column, value));
    }
    if (*sql && !strcmp(sms, "all"))
        *sql = sqlite3_mprintf("%z AND c.sms IS NULL", *sql);
    else if (*sql) /* rows from before the column were of the whole GPU */
        *sql = sqlite3_mprintf(
            "%z AND %Q = coalesce(m.sms, CASE m.device WHEN 'gpu' THEN m.sm_count END) || ''",
            *sql, sms);
    return *sql ? BENCH_OK : out_of_memory();
}

enum bench_status fitting_rows(struct store *store, const char *cell)
{
    sqlite3 *const db = store_database(store);
    char *wanted = strdup(cell), *sql = NULL;
    enum bench_status status =
        wanted ? add_conditions(store, cell, wanted, &sql) : out_of_memory();

    if (!status && sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        status = BENCH_FAIL(BENCH_EIO, "--cell %.200s: %s", cell, sqlite3_errmsg(db));
    sqlite3_free(sql);
    free(wanted);
    return status;
}

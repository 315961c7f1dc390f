/*
 * show_counters.c - what a profiler counted, joined to the rows that were measured without it
 */
#include "harness/analysis/show.h"

#include "harness/analysis/select.h"
#include "harness/record_private.h"
#include "harness/analysis/show_private.h"

#include <stdlib.h>
#include <string.h>

/* Of the rows that were chosen.  Counted is one frame, or one batch: a row that is a mean over several inputs has none.  Sums are per
 * frame, as times are. */
static const char counted_sql[] =
    "SELECT m.session, m.row_id, k.utc AS ncu_session, k.kernels AS ncu_kernels, "
    "1.0 * k.launches AS ncu_launches, k.kernel AS ncu_kernel, "
    "k.instructions / f.frames AS ncu_instructions, k.dram_bytes / f.frames AS ncu_dram_bytes, "
    "k.l2_bytes / f.frames AS ncu_l2_bytes, k.ipc AS ncu_ipc, "
    "k.achieved_occupancy_pct AS ncu_achieved_occupancy_pct, "
    "k.issue_active_pct AS ncu_issue_active_pct, k.l1_hit_pct AS ncu_l1_hit_pct, "
    "k.registers AS ncu_registers, k.shared_bytes AS ncu_shared_bytes "
    "FROM chosen JOIN measurement AS m ON m.id = chosen.measurement "
    "JOIN (SELECT id, 1.0 * max(1, coalesce(n_frames, 1)) AS frames FROM measurement) AS f "
    "USING "
    "(id) "
    "JOIN counted AS k ON k.configuration = m.configuration AND k.results = m.results "
    "AND k.machine IS m.machine WHERE m.n_inputs = 1";
#define FIRST 2 /* of the columns that rows get */

static int find(const struct record_table *counted, const char *session, const char *row_id)
{
    for (int i = 0; i < counted->n_rows; i++)
        if (!strcmp(record_get(counted, i, "session"), session) &&
            !strcmp(record_get(counted, i, "row_id"), row_id))
            return i;
    return -1;
}

static enum bench_status join(const struct record_table *rows,
                              const struct record_table *counted, struct record_table *joined)
{
    const int n_more = counted->n_columns - FIRST;
    const char **field =
        calloc((size_t)rows->n_columns + (size_t)counted->n_columns, sizeof *field);
    enum bench_status status = BENCH_OK;

    if (!field)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a row");
    for (int i = 0; i < rows->n_columns && !status; i++)
        status = record_add_column(joined, rows->column[i]);
    for (int i = 0; i < n_more && !status; i++)
        status = record_add_column(joined, counted->column[FIRST + i]);
    for (int row = 0; row < rows->n_rows && !status; row++) {
        const int at =
            find(counted, record_get(rows, row, "session"), record_get(rows, row, "row_id"));

        for (int i = 0; i < rows->n_columns; i++)
            field[i] = rows->cell[(size_t)row * (size_t)rows->n_columns + (size_t)i];
        for (int i = 0; i < n_more; i++)
            field[rows->n_columns + i] =
                at < 0 ? "" : record_get(counted, at, counted->column[FIRST + i]);
        status = record_add_row(joined, field);
    }
    free(field);
    return status;
}

enum bench_status show_counters(const struct bench_experiment *experiment, struct store *store,
                                struct record_table *rows)
{
    struct record_table counted = {0}, joined = {0};
    sqlite3_stmt *statement;
    enum bench_status status;

    if (!experiment->layout.counters[0])
        return BENCH_OK;
    if (strcmp(experiment->layout.counters, "ncu") != 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: [show] counters: expected ncu, found '%s'",
                          experiment->path, experiment->layout.counters);
    TRY(store_kept(store, counted_sql, &statement));
    status = select_more(store, statement, "counter", &counted);
    if (!status)
        status = join(rows, &counted, &joined);
    if (!status) {
        record_table_free(rows);
        *rows = joined;
    } else {
        record_table_free(&joined);
    }
    record_table_free(&counted);
    return status;
}

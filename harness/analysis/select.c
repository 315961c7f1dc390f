/* select.c - asks the store for what an experiment wants */
#include "harness/analysis/query.h"

#include "harness/suite/experiment.h"
#include "harness/measure/impl.h"

#include "choose_sql.h"
#include "select_sql.h"

/* A cell; scope and series NULL where it has no times. */
static void want(const struct bench_cell *cell, const char *scope, const char *series,
                 struct text *sql)
{
    const struct bench_plan *plan = &cell->plan;
    const enum bench_target target = cell->impl->target;
    char params[BENCH_MAX_PARAMS * 64];
    struct text keys = {0};

    bench_params_text(&cell->params, params, sizeof params);
    sql->failed |= store_keys(cell->impl->name, params, &keys) != BENCH_OK;
    query_add(sql,
              "INSERT INTO wanted (impl, params, keys, input, frame_pick, batch, threads, "
              "transfer, sms, mode_name, scope, series, with_stages, with_energy) VALUES (%Q, "
              "%Q, %Q, %Q, %Q, %d, nullif(%d, 0), %Q, nullif(%d, 0), %Q, %Q, %Q, %d, %d);",
              cell->impl->name, params, keys.data, plan->input, bench_case_name[plan->which],
              plan->batch, target == BENCH_OPENMP && plan->threads > 0 ? plan->threads : 0,
              target == BENCH_CUDA ? bench_transfer_name[plan->transfer] : NULL, plan->sms,
              plan->mode, store_field("scope", scope), series, plan->laps, plan->energy);
    text_free(&keys);
}

static void want_cell(const struct bench_cell *cell, struct text *sql)
{
    if (!cell->plan.times)
        want(cell, NULL, NULL, sql);
    for (int scope = 0; scope < BENCH_N_SCOPES && cell->plan.times; scope++)
        for (int series = 0; series < BENCH_N_SERIES; series++)
            if ((cell->plan.scopes & 1u << scope) && (cell->plan.series & 1u << series) &&
                (scope != BENCH_DEVICE || cell->impl->target == BENCH_CUDA))
                want(cell, bench_scope_name[scope], bench_series_name[series], sql);
}

enum bench_status select_rows(struct store *store, const struct bench_experiment *experiment)
{
    struct text sql = {0};

    text_bytes(&sql, select_sql, sizeof select_sql);
    for (int i = 0; i < experiment->n_cells; i++)
        want_cell(&experiment->cells[i], &sql);
    text_bytes(&sql, choose_sql, sizeof choose_sql);
    return query_run(store, &sql);
}

/* suite_parts.c - what ranks leave to each other of a configuration whose frames they share */
#include "harness/suite/suite_private.h"

#include <stdlib.h>
#include <sys/param.h>

#define N_PARTS_WANTED 64 /* more would only cost rows; fewer would leave ranks without work */

int suite_part_size(const struct run *run, const struct bench_config *config, int n_all)
{
    const int given = run->options->range;
    const int n =
        given > 0 ? given : MAX(SUITE_RANGE, (n_all + N_PARTS_WANTED - 1) / N_PARTS_WANTED);

    return config->plan.times || !run->share ? n_all : MIN(n, n_all);
}

/* The row of a part, as far as it is known beforehand. */
static struct record_row *new_part(struct run *run, const struct bench_config *config, int from,
                                   int to)
{
    struct record_row *const row = suite_planned_row(run, config, "", "");
    char stage[48];

    if (!row)
        return NULL;
    snprintf(stage, sizeof stage, "inputs %d to %d", from + 1, to);
    record_text(row, "stage", stage);
    record_text(row, "status", RECORD_PART);
    record_integer(row, "n_inputs", to - from);
    return row;
}

bool suite_part_is_there(struct run *run, const struct bench_config *config, int from, int to)
{
    struct record_row *const row = new_part(run, config, from, to);
    const bool is = row && record_is_done(run->session, row);

    record_row_free(row);
    return is;
}

enum bench_status suite_write_part(struct run *run, const struct bench_config *config, int from,
                                   int to, const struct bench_sums *sums)
{
    struct record_row *const row = new_part(run, config, from, to);
    enum bench_status status;

    if (!row)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a row");
    status = record_sums(row, sums);
    if (!status)
        status = record_write(run->session, row);
    run->summary->n_parts += !status;
    record_row_free(row);
    return status;
}

enum bench_status suite_read_parts(struct run *run, const struct bench_config *config,
                                   struct bench_sums *sums, bool *is_there)
{
    const int n_all = run->group.n_all, step = suite_part_size(run, config, n_all);
    const int n = (n_all - 1) / step; /* the last one is never there */
    const struct record_shared shared = suite_shared(run);
    struct record_row **const rows = calloc((size_t)n + 1, sizeof *rows);
    enum bench_status status = BENCH_OK;

    if (!rows)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d parts", n);
    for (int i = 0; i < n && !status; i++) {
        rows[i] = new_part(run, config, i * step, (i + 1) * step);
        if (!rows[i])
            status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d parts", n);
    }
    if (!status)
        status =
            record_read_parts(run->session, &shared, (const struct record_row *const *)rows, n,
                              step, sums, is_there);
    for (int i = 0; i < n; i++)
        record_row_free(rows[i]);
    free(rows);
    return status;
}

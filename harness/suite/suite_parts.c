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

/* What tells the data set that a part is of from others: the same in all parts. */
static const char *const data_hash = "run.data_hash_max";

enum bench_status suite_write_part(struct run *run, const struct bench_config *config, int from,
                                   int to, struct bench_sums *sums)
{
    struct record_row *row;
    enum bench_status status;
    uint64_t hash;

    TRY(suite_frames_hash(&run->group.frames, &hash));
    bench_sums_add(sums, data_hash, -1, (bench_wide)hash);
    TRY(bench_sums_ok(sums));
    row = new_part(run, config, from, to);
    if (!row)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a row");
    status = record_sums(row, sums);
    if (!status)
        status = record_write(run->session, row);
    run->summary->n_parts += !status;
    record_row_free(row);
    return status;
}

struct adding {
    int step;
    uint64_t data_hash;
    struct bench_sums *sums;
    char other[BENCH_MAX_HOST + 1]; /* a host with another data set; "": there is none */
};

static bool add_part(void *self, int i, const char *host, const struct bench_sums *sums)
{
    struct adding *const a = self;

    if (!suite_are_of(sums, i * a->step, (i + 1) * a->step))
        return false;
    if (bench_sums_get(sums, data_hash, -1) == a->data_hash)
        bench_sums_merge(a->sums, sums);
    else
        snprintf(a->other, sizeof a->other, "%s", record_is_name(host) ? host : "?");
    return true;
}

enum bench_status suite_read_parts(struct run *run, const struct bench_config *config,
                                   struct bench_sums *sums, bool *is_there)
{
    const int n_all = run->group.n_all, step = suite_part_size(run, config, n_all);
    const int n = (n_all - 1) / step; /* the last one is never there */
    const struct record_shared shared = suite_shared(run);
    struct record_row **const rows = calloc((size_t)n + 1, sizeof *rows);
    struct adding a = {.step = step, .sums = sums};
    enum bench_status status = rows ? suite_frames_hash(&run->group.frames, &a.data_hash)
                                    : BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d parts", n);

    for (int i = 0; i < n && !status; i++) {
        rows[i] = new_part(run, config, i * step, (i + 1) * step);
        if (!rows[i])
            status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d parts", n);
    }
    if (!status)
        status =
            record_read_parts(run->session, &shared, (const struct record_row *const *)rows, n,
                              is_there, add_part, &a);
    for (int i = 0; i < n && rows; i++)
        record_row_free(rows[i]);
    free(rows);
    TRY(status);
    if (a.other[0])
        return BENCH_FAIL(
            BENCH_EINPUT,
            "input %s: expected the data set of this host, of %d frames, in all parts, "
            "found another one of host %s: names, sizes or the number of its files "
            "differ; give all hosts the same, and --campaign a new name",
            config->plan.input, n_all, a.other);
    return bench_sums_ok(sums);
}

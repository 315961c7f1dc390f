/*
 * compare.c - rows of two builds by cell, and the verdict on each cell
 */
#include "judge/compare.h"

#include "harness/analysis/query.h"

#include "compare_sql.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum bench_status out_of_memory(void)
{
    return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a comparison");
}

/* ---- sides ---- */

/* The folder or file that was just added is of this side. */
static enum bench_status note_side(struct store *store, const char *name, int pass, int side)
{
    sqlite3_stmt *insert;

    TRY(store_kept(store,
                   "INSERT INTO side SELECT results, ?, ?, ? FROM folder ORDER BY id DESC "
                   "LIMIT 1",
                   &insert));
    sqlite3_bind_int(insert, 1, pass);
    sqlite3_bind_int(insert, 2, side);
    sqlite3_bind_text(insert, 3, name, -1, SQLITE_TRANSIENT);
    return store_step(store, insert);
}

static enum bench_status read_side(struct store *store, const char *paths, int pass, int side,
                                   FILE *notes)
{
    enum bench_status status = BENCH_OK;
    char *copy = strdup(paths);

    if (!copy)
        return out_of_memory();
    for (char *save = NULL, *path = strtok_r(copy, ",", &save); path && !status;
         path = strtok_r(NULL, ",", &save)) {
        status = store_add_results(store, path, notes);
        if (!status)
            status = note_side(store, paths, pass, side);
    }
    free(copy);
    return status;
}

static enum bench_status read_sides(const char *const side[2], const char *const *first,
                                    FILE *notes, struct store **store)
{
    static const unsigned char sides[] =
        "CREATE TEMP TABLE side (results TEXT PRIMARY KEY, pass INTEGER, side INTEGER, name)";

    TRY(store_open(store));
    TRY(store_execute(*store, sides, sizeof sides - 1));
    for (int i = 0; i < 2; i++)
        TRY(read_side(*store, first ? first[i] : side[i], 1, i, notes));
    for (int i = 0; first && i < 2; i++)
        TRY(read_side(*store, side[i], 2, i, notes));
    TRY(store_complete(*store));
    TRY(store_execute(*store, compare_sql, sizeof compare_sql));
    return query_refusal(*store);
}

/* ---- cells ---- */

static enum bench_status read_numbers(struct comparison *c)
{
    struct table numbers;

    TRY(query_table(c->store,
                    "SELECT s.rowid AS number, side, ms FROM number JOIN shared AS s "
                    "USING (cell) ORDER BY number.rowid",
                    &numbers));
    for (int row = 0; row < numbers.n_rows; row++) {
        struct regression_cell *j = &c->judged[(int)query_number(&numbers, row, "number") - 1];
        const bool is_head = query_number(&numbers, row, "side") > 0;
        int *const n = is_head ? &j->n_b : &j->n_a;

        if (*n < REGRESSION_MAX_RUNS)
            (is_head ? j->b : j->a)[(*n)++] = query_number(&numbers, row, "ms");
    }
    table_free(&numbers);
    return BENCH_OK;
}

static enum bench_status read_cells(struct comparison *c)
{
    const bool same = query_number(&c->build, 0, "is_same") > 0;
    struct table cells;

    TRY(query_table(c->store,
                    "SELECT changed IS NOT NULL AS is_changed, is_stopped, at_least_ms, "
                    "is_ambiguous OR n_unsteady > 0 AS is_open FROM shared ORDER BY rowid",
                    &cells));
    c->n = cells.n_rows;
    c->judged = calloc((size_t)c->n, sizeof *c->judged);
    for (int i = 0; c->judged && i < c->n; i++)
        c->judged[i] =
            (struct regression_cell){.changed = query_number(&cells, i, "is_changed") > 0,
                                     .stopped = query_number(&cells, i, "is_stopped") > 0,
                                     .at_least_ms = query_number(&cells, i, "at_least_ms")};
    if (c->judged && !read_numbers(c))
        for (int i = 0; i < c->n; i++) /* what was verified and not timed is the same */
            c->judged[i].same_binary = same || (!c->judged[i].n_a && !c->judged[i].n_b &&
                                                !(query_number(&cells, i, "is_open") > 0));
    table_free(&cells);
    return c->judged ? BENCH_OK : out_of_memory();
}

/* ---- verdicts ---- */

/* What is no number is NULL. */
static enum bench_status keep_verdict(struct comparison *c, int i)
{
    const struct regression_cell *j = &c->judged[i];
    const bool timed = j->base > 0 && j->head > 0;
    const bool bounded = timed && !j->same_binary && j->interval.kept > 0;
    const double none = nan("");
    const double field[] = {i + 1,
                            j->verdict,
                            j->n_a,
                            j->n_b,
                            j->base > 0 ? j->base : none,
                            j->head > 0 ? j->head : none,
                            timed ? j->change : none,
                            bounded ? j->interval.lo : none,
                            bounded ? j->interval.hi : none,
                            bounded ? j->interval.kept : none,
                            timed ? j->p : none,
                            timed ? j->q : none,
                            j->floor,
                            j->runs > 0 && j->runs < REGRESSION_MANY ? j->runs : none,
                            !j->same_binary && regression_apart(j->a, j->n_a, j->b, j->n_b),
                            REGRESSION_MAX_RUNS};
    const int n = sizeof field / sizeof *field;
    sqlite3_stmt *insert;

    TRY(store_kept(
        c->store,
        "INSERT INTO judged VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        &insert));
    for (int k = 0; k < n; k++)
        sqlite3_bind_double(insert, k + 1, field[k]);
    sqlite3_bind_text(insert, n + 1, regression_verdict_names[j->verdict], -1, SQLITE_STATIC);
    return store_step(c->store, insert);
}

static enum bench_status judge(struct comparison *c, double floor)
{
    if (!regression_judge(c->judged, c->n, floor, c->fdr))
        return out_of_memory();
    for (int i = 0; i < c->n; i++)
        TRY(keep_verdict(c, i));
    return query_table(c->store, "SELECT * FROM found ORDER BY number", &c->cells);
}

enum bench_status compare_read(const char *const side[2], const char *const *first,
                               const struct compare_options *options, struct comparison *c)
{
    enum bench_status status;

    *c = (struct comparison){.fdr = options->fdr};
    status = read_sides(side, first, options->notes, &c->store);
    if (!status)
        status = query_table(c->store, "SELECT * FROM build ORDER BY rowid", &c->build);
    if (!status)
        status = read_cells(c);
    if (!status)
        status = judge(c, options->floor);
    if (status)
        compare_free(c);
    return status;
}

void compare_free(struct comparison *c)
{
    table_free(&c->build);
    table_free(&c->cells);
    free(c->judged);
    store_close(c->store);
    *c = (struct comparison){0};
}

int compare_count(const struct comparison *c, enum regression_verdict verdict)
{
    int n = 0;

    for (int i = 0; i < c->n; i++)
        n += c->judged[i].verdict == verdict;
    return n;
}

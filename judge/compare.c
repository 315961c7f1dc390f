/*
 * compare.c - rows of two builds by cell, and the verdict on each cell
 */
#include "judge/compare.h"

#include "harness/analysis/query.h"

#include "compare_sql.h"

#include <stdlib.h>
#include <string.h>

static enum bench_status out_of_memory(void)
{
    return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a comparison");
}

static const struct table_cell *field_of(const struct table *table, int row, const char *column)
{
    static const struct table_cell none;

    for (int i = 0; i < table->n_columns; i++)
        if (!strcmp(table->column[i], column))
            return &table->cell[(size_t)row * (size_t)table->n_columns + (size_t)i];
    return &none;
}

const char *compare_text(const struct table *table, int row, const char *column)
{
    const char *text = field_of(table, row, column)->text;

    return text ? text : "";
}

double compare_number(const struct table *table, int row, const char *column)
{
    return field_of(table, row, column)->number;
}

/* ---- sides ---- */

/* The folder or file that was just added is of this side. */
static enum bench_status note_side(struct store *store, int pass, int side)
{
    sqlite3_stmt *insert;

    TRY(store_kept(store,
                   "INSERT INTO side SELECT results, ?, ? FROM folder ORDER BY id DESC LIMIT 1",
                   &insert));
    sqlite3_bind_int(insert, 1, pass);
    sqlite3_bind_int(insert, 2, side);
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
            status = note_side(store, pass, side);
    }
    free(copy);
    return status;
}

static enum bench_status read_sides(const char *const side[2], const char *const *first,
                                    FILE *notes, struct store **store)
{
    static const unsigned char sides[] =
        "CREATE TEMP TABLE side (results TEXT PRIMARY KEY, pass INTEGER, side INTEGER)";

    TRY(store_open(store));
    TRY(store_execute(*store, sides, sizeof sides - 1));
    for (int i = 0; i < 2; i++)
        TRY(read_side(*store, first ? first[i] : side[i], 1, i, notes));
    for (int i = 0; first && i < 2; i++)
        TRY(read_side(*store, side[i], 2, i, notes));
    TRY(store_complete(*store));
    return store_execute(*store, compare_sql, sizeof compare_sql);
}

static bool differ(const char *a, const char *b)
{
    return *a && *b && strcmp(a, b) != 0;
}

/* One build and one machine a side, and something to compare. */
static enum bench_status check_sides(struct comparison *c, const char *const name[4])
{
    const struct table *t = &c->build;

#define OF(row, column) compare_text(t, row, column)
    for (int i = 0; i < t->n_rows; i++) {
        if (compare_number(t, i, "n_rows") < 1)
            return BENCH_FAIL(BENCH_EINPUT,
                              "%.200s: expected rows of whole runs of a release build, found "
                              "none",
                              name[i]);
        if (strcmp(OF(i, "machine"), OF(i, "other_machine")) != 0)
            return BENCH_FAIL(BENCH_EINPUT,
                              "%.200s: expected rows of one machine, found %s and %s", name[i],
                              OF(i, "machine"), OF(i, "other_machine"));
        if (strcmp(OF(i, "build_hash"), OF(i, "other_hash")) != 0)
            return BENCH_FAIL(BENCH_EINPUT,
                              "%.200s: expected rows of one build, found commits %.7s and %.7s "
                              "(build_hash %s and %s)",
                              name[i], OF(i, "commit"), OF(i, "other_commit"),
                              OF(i, "build_hash"), OF(i, "other_hash"));
        if (differ(OF(0, "machine"), OF(i, "machine")))
            return BENCH_FAIL(
                BENCH_EINPUT,
                "expected two builds on one machine, found results of %s and of %s",
                OF(0, "machine"), OF(i, "machine"));
        if (i >= 2 && differ(OF(i - 2, "build_hash"), OF(i, "build_hash")))
            return BENCH_FAIL(BENCH_EINPUT,
                              "expected both stages of one build, found %s in %.150s and %s in "
                              "%.150s",
                              OF(i - 2, "build_hash"), name[i - 2], OF(i, "build_hash"),
                              name[i]);
    }
    c->same_binary = *OF(0, "build_hash") && !strcmp(OF(0, "build_hash"), OF(1, "build_hash"));
#undef OF
    return BENCH_OK;
}

/* ---- cells ---- */

/* The cells of the first stage, or the only one, as the second has them. */
static const char cells_sql[] =
    "SELECT p.cell, p.is_ambiguous, p.n_unsteady, p.at_least_ms, "
    "CASE WHEN NOT p.is_ambiguous THEN coalesce(p.changed, q.changed) END AS changed, "
    "q.cell IS NULL AND (SELECT max(pass) FROM side) = 2 AS is_stopped, "
    "m.problem, m.plan, m.impl, m.input, m.frame_pick AS \"case\", c.batch, c.threads, "
    "nullif(c.transfer, 'copy') AS transfer, c.sms, c.mode_name AS mode, "
    "CASE m.scope WHEN 'end_to_end' THEN 'frame' ELSE m.scope END AS scope, m.series, "
    "m.params, "
    "b.params AS base_params "
    "FROM pair AS p LEFT JOIN pair AS q ON q.cell = p.cell AND q.pass = 2 "
    "JOIN measurement AS m ON m.id = p.last JOIN configuration AS c ON c.id = m.configuration "
    "JOIN measurement AS b ON b.id = p.last_of_base "
    "WHERE p.pass = 1 ORDER BY p.cell";

static enum bench_status read_numbers(struct comparison *c)
{
    struct table numbers;
    int i = 0;

    TRY(query_table(c->store, "SELECT * FROM number", &numbers));
    for (int row = 0; row < numbers.n_rows; row++) {
        const char *const cell = compare_text(&numbers, row, "cell");
        const double ms = compare_number(&numbers, row, "ms");
        struct regression_cell *judged;

        while (i < c->n && strcmp(compare_text(&c->cells, i, "cell"), cell) < 0)
            i++;
        if (i == c->n || strcmp(compare_text(&c->cells, i, "cell"), cell) != 0)
            continue; /* of one side alone */
        judged = &c->judged[i];
        if (compare_number(&numbers, row, "side") < 1) {
            if (judged->n_a < REGRESSION_MAX_RUNS)
                judged->a[judged->n_a++] = ms;
        } else if (judged->n_b < REGRESSION_MAX_RUNS) {
            judged->b[judged->n_b++] = ms;
        }
    }
    table_free(&numbers);
    return BENCH_OK;
}

static enum bench_status read_cells(struct comparison *c)
{
    struct table alone;

    TRY(query_table(c->store, cells_sql, &c->cells));
    TRY(query_table(c->store,
                    "SELECT sum(side = 0) AS base, sum(side = 1) AS head FROM "
                    "(SELECT side FROM said WHERE pass = 1 GROUP BY cell HAVING count(*) = 1)",
                    &alone));
    c->n_alone[0] = (int)compare_number(&alone, 0, "base");
    c->n_alone[1] = (int)compare_number(&alone, 0, "head");
    table_free(&alone);
    c->n = c->cells.n_rows;
    if (c->n == 0)
        return BENCH_FAIL(BENCH_EINPUT,
                          "expected cells that both sides have, found none: %d in base alone, "
                          "%d in head alone",
                          c->n_alone[0], c->n_alone[1]);
    c->judged = calloc((size_t)c->n, sizeof *c->judged);
    c->reason = calloc((size_t)c->n, sizeof *c->reason);
    c->traits = calloc((size_t)c->n, sizeof *c->traits);
    if (!c->judged || !c->reason || !c->traits)
        return out_of_memory();
    for (int i = 0; i < c->n; i++) {
        const char *const changed = compare_text(&c->cells, i, "changed");
        const bool is_stopped = compare_number(&c->cells, i, "is_stopped") > 0;

        c->traits[i] = compare_text(&c->cells, i, "cell");
        c->judged[i] = (struct regression_cell){
            .changed = *changed != '\0',
            .same_binary = c->same_binary,
            .stopped = is_stopped,
            .at_least_ms = compare_number(&c->cells, i, "at_least_ms")};
        c->n_stopped += is_stopped;
        snprintf(c->reason[i], sizeof c->reason[i], "%s", changed);
    }
    TRY(read_numbers(c));
    for (int i = 0; i < c->n; i++) /* what was verified and not timed is the same */
        c->judged[i].same_binary |= !c->judged[i].n_a && !c->judged[i].n_b &&
                                    !(compare_number(&c->cells, i, "is_ambiguous") > 0) &&
                                    !(compare_number(&c->cells, i, "n_unsteady") > 0);
    return BENCH_OK;
}

/* What people are told of a cell that could not be decided. */
static void explain(struct comparison *c, int i)
{
    const struct regression_cell *j = &c->judged[i];
    const int n_unsteady = (int)compare_number(&c->cells, i, "n_unsteady");
    char *const reason = c->reason[i];
    char more[80] = "";

    if (j->verdict != REGRESSION_UNCLEAR)
        return;
    if (j->runs >= REGRESSION_MANY)
        snprintf(more, sizeof more, "more than %d runs a side would decide",
                 REGRESSION_MAX_RUNS);
    else
        snprintf(more, sizeof more, "about %d runs a side would decide", j->runs);
    if (compare_number(&c->cells, i, "is_ambiguous") > 0)
        snprintf(reason, sizeof *c->reason,
                 "several cells of one side look the same to the other, which lacks a key");
    else if (n_unsteady > 0)
        snprintf(reason, sizeof *c->reason,
                 "%d runs were unstable or throttled and do not count; %s", n_unsteady, more);
    else if (j->n_a < 2 && j->n_b < 2)
        snprintf(reason, sizeof *c->reason, "one run a side decides nothing; %s", more);
    else
        snprintf(reason, sizeof *c->reason, "%s", more);
}

/* ---- verdicts ---- */

static void bind_number(sqlite3_stmt *insert, int at, bool is_there, double value)
{
    if (is_there)
        sqlite3_bind_double(insert, at, value);
    else
        sqlite3_bind_null(insert, at);
}

static enum bench_status keep_verdict(struct comparison *c, int i)
{
    const struct regression_cell *j = &c->judged[i];
    const bool timed = j->base > 0 && j->head > 0;
    const bool bounded = timed && !j->same_binary && j->interval.kept > 0;
    sqlite3_stmt *insert;

    TRY(store_kept(c->store,
                   "INSERT INTO judged VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                   &insert));
    sqlite3_bind_text(insert, 1, c->traits[i], -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(insert, 2, (int)j->verdict);
    sqlite3_bind_text(insert, 3, regression_verdict_names[j->verdict], -1, SQLITE_STATIC);
    sqlite3_bind_int(insert, 4, j->n_a);
    sqlite3_bind_int(insert, 5, j->n_b);
    bind_number(insert, 6, j->base > 0, j->base);
    bind_number(insert, 7, j->head > 0, j->head);
    bind_number(insert, 8, timed, j->change);
    bind_number(insert, 9, bounded, j->interval.lo);
    bind_number(insert, 10, bounded, j->interval.hi);
    bind_number(insert, 11, bounded, j->interval.kept);
    bind_number(insert, 12, timed, j->p);
    bind_number(insert, 13, timed, j->q);
    bind_number(insert, 14, true, j->floor);
    bind_number(insert, 15, j->runs > 0 && j->runs < REGRESSION_MANY, j->runs);
    sqlite3_bind_text(insert, 16, c->reason[i], -1, SQLITE_TRANSIENT);
    return store_step(c->store, insert);
}

static enum bench_status judge(struct comparison *c)
{
    if (!regression_judge(c->judged, c->n, c->floor, c->fdr))
        return out_of_memory();
    for (int i = 0; i < c->n; i++) {
        explain(c, i);
        TRY(keep_verdict(c, i));
    }
    return BENCH_OK;
}

enum bench_status compare_read(const char *const side[2], const char *const *first,
                               const struct compare_options *options, struct comparison *c)
{
    const char *const name[4] = {first ? first[0] : side[0], first ? first[1] : side[1],
                                 side[0], side[1]};
    enum bench_status status;

    *c = (struct comparison){.floor = options->floor, .fdr = options->fdr};
    status = read_sides(side, first, options->notes, &c->store);
    if (!status)
        status = query_table(c->store, "SELECT * FROM build ORDER BY pass, side", &c->build);
    if (!status)
        status = check_sides(c, name);
    if (!status)
        status = read_cells(c);
    if (!status)
        status = judge(c);
    if (status)
        compare_free(c);
    return status;
}

void compare_free(struct comparison *c)
{
    table_free(&c->build);
    table_free(&c->cells);
    free(c->judged);
    free(c->reason);
    free(c->traits);
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

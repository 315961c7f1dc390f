/*
 * store_parts.c - the rows that ranks have left of some inputs each, added up
 *
 * Sums are whole numbers.  So the row is the one that a single process writes, bit for bit.
 */
#include "harness/analysis/query.h"
#include "harness/analysis/store.h"

#include "harness/base/sums.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"
#include "harness/suite/suite.h"

#include "parts_sql.h"

#include <stdio.h>
#include <string.h>

/* A row on its way. */
struct adding {
    struct store *store;
    struct text whole; /* what names it; empty: there is none */
    char impl[80];
    struct bench_sums sums;
    uint64_t data;   /* their data set */
    int n;           /* inputs */
    long long id;    /* of the part that becomes the row: the last, or the first that failed */
    bool has_failed; /* one says why there is no sum */
    char why[300];   /* what there is cannot be added up; "": it can */
    sqlite3_stmt *put; /* a value */
};

/* ---- a part ---- */

static enum bench_status read_sums(struct store *store, long long id, struct bench_sums *sums,
                                   bool *are_sums)
{
    OWNED(store_reset) sqlite3_stmt *ask = NULL;
    bool is_row;

    TRY(store_kept(store, "SELECT name, idx, value FROM part_value WHERE part = ?1", &ask));
    sqlite3_bind_int64(ask, 1, id);
    do {
        TRY(store_row(store, ask, &is_row));
        if (is_row)
            *are_sums &= record_read_sum((const char *)sqlite3_column_text(ask, 0),
                                         (const char *)sqlite3_column_text(ask, 1),
                                         (const char *)sqlite3_column_text(ask, 2), sums);
    } while (is_row);
    return bench_sums_ok(sums);
}

/* 'part' has the columns of ask_pieces. */
static enum bench_status add_part(struct adding *a, sqlite3_stmt *part)
{
    const int first = sqlite3_column_int(part, 1), last = sqlite3_column_int(part, 2);
    const long n_sums = (long)sqlite3_column_int64(part, 4);
    OWNED(bench_sums_free) struct bench_sums sums = {0};
    bool are_sums = true;

    a->n = sqlite3_column_int(part, 3);
    if (!a->has_failed)
        a->id = sqlite3_column_int64(part, 0);
    a->has_failed |= n_sums < 0;
    if (a->has_failed || *a->why)
        return BENCH_OK;
    TRY(read_sums(a->store, a->id, &sums, &are_sums));
    if (!are_sums || sums.n == 0 || sums.n != n_sums)
        snprintf(a->why, sizeof a->why, "the sums of its inputs %d to %d are not whole", first,
                 last);
    else if (a->sums.n > 0 && suite_data_of(&sums) != a->data)
        snprintf(
            a->why, sizeof a->why,
            "its inputs %d to %d are of another data set than those before: names, sizes or "
            "the number of the files differ",
            first, last);
    a->data = suite_data_of(&sums);
    bench_sums_merge(&a->sums, &sums);
    return bench_sums_ok(&a->sums);
}

/* ---- the row ---- */

/* Puts a value as it stands in a file. */
static enum bench_status put_value(const struct adding *a, const struct suite_value *value)
{
    char number[TEXT_NUMBER];

    text_number(number, value->value);
    store_bind_text(a->put, 2, value->name);
    if (value->index >= 0)
        sqlite3_bind_int(a->put, 3, value->index);
    else
        sqlite3_bind_null(a->put, 3);
    store_bind_text(a->put, 4, number);
    store_bind_text(a->put, 5, value->unit);
    return store_step(a->store, a->put);
}

/* Puts what the sums say of a row that is there. */
static enum bench_status put_sums(struct adding *a, const struct bench_problem *problem,
                                  bool is_other)
{
    struct suite_total total;
    OWNED(suite_drop_values) struct bench_sink values = {0};
    char text[5][TEXT_NUMBER];
    sqlite3_stmt *put;

    TRY(suite_total(problem, &a->sums, 0, a->n, a->n, &total));
    TRY(store_kept(a->store,
                   "UPDATE measurement SET status = 'ok', input_hash = ?2, output_hash = CASE "
                   "WHEN output_hash IS NOT NULL THEN ?3 END, max_err = ?4, work_bytes = CASE "
                   "WHEN work_bytes IS NOT NULL THEN ?5 END, work_ops = CASE WHEN work_ops IS "
                   "NOT NULL THEN ?6 END, verdict = CASE WHEN ?7 THEN 'outside' ELSE verdict "
                   "END WHERE id = ?1",
                   &put));
    sqlite3_bind_int64(put, 1, a->id);
    snprintf(text[0], TEXT_NUMBER, "%016llx", (unsigned long long)total.input_hash);
    snprintf(text[1], TEXT_NUMBER, "%016llx", (unsigned long long)total.output_hash);
    text_number(text[2], total.difference.max_error);
    text_number(text[3], total.work.bytes);
    text_number(text[4], total.work.ops);
    for (int i = 0; i < 5; i++)
        if (i < 2)
            store_bind_text(put, 2 + i, text[i]);
        else
            (void)store_bind_field(put, 2 + i, text[i]);
    sqlite3_bind_int(put, 7, total.difference.n_outside > 0);
    TRY(store_step(a->store, put));
    TRY(store_kept(a->store, "INSERT OR IGNORE INTO value VALUES (?1, ?2, ?3, ?4, ?5)",
                   &a->put));
    sqlite3_bind_int64(a->put, 1, a->id);
    TRY(suite_values(problem, is_other, &a->sums, &values));
    for (int i = 0; i < values.n; i++)
        TRY(put_value(a, &values.value[i]));
    return BENCH_OK;
}

/* A part becomes the row: the first that failed, else the last with what all of them say. */
static enum bench_status put_row(struct adding *a)
{
    static const char *const steps[] = {
        "INSERT INTO measurement SELECT * FROM part WHERE id = ?1",
        "UPDATE measurement SET stage = NULL, n = NULL, share = NULL, share_config = NULL, "
        "share_configs = NULL, row_hash = NULL, n_inputs = CASE WHEN n_inputs IS NOT NULL THEN "
        "?2 END WHERE id = ?1"};
    const struct bench_problem *problem;
    OWNED(store_reset) sqlite3_stmt *step = NULL;
    bool is_row;

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        TRY(store_kept(a->store, steps[i], &step));
        sqlite3_bind_int64(step, 1, a->id);
        if (i > 0)
            sqlite3_bind_int(step, 2, a->n);
        TRY(store_step(a->store, step));
    }
    if (a->has_failed)
        return BENCH_OK;
    TRY(store_kept(a->store, "SELECT problem, verdict = 'other' FROM part WHERE id = ?1",
                   &step));
    sqlite3_bind_int64(step, 1, a->id);
    TRY(store_row(a->store, step, &is_row));
    problem = bench_find_problem((const char *)sqlite3_column_text(step, 0));
    REFUSE_IF(!problem, "this build has no such problem");
    return put_sums(a, problem, sqlite3_column_int(step, 1));
}

/* Frees what a row on its way has; the next one may begin. */
static void free_row(struct adding *a)
{
    bench_sums_free(&a->sums);
    text_free(&a->whole);
    *a = (struct adding){.store = a->store};
}

/* All parts are added: the row, or a note why there is none. */
static enum bench_status end_row(struct adding *a)
{
    enum bench_status status = a->n > 0 && !*a->why ? put_row(a) : BENCH_OK;
    OWNED(text_free) struct text text = {0};

    if (status == BENCH_EINPUT) {
        snprintf(a->why, sizeof a->why, "%.299s", bench_failure());
        bench_failure_clear();
        text_format(&text,
                    "DELETE FROM measurement WHERE id = %lld; DELETE FROM value WHERE "
                    "measurement = %lld",
                    a->id, a->id);
        status = query_run(a->store, &text);
    }
    TRY(status);
    if (*a->why) {
        text_format(&text, "ranks' parts of %s: %s", a->impl, a->why);
        store_note(a->store, text.data, STORE_LEFT_OUT);
    }
    free_row(a);
    return BENCH_OK;
}

/* ---- all of them ---- */

static const char ask_pieces[] =
    "SELECT id, first, last, n, n_sums, impl, whole FROM piece "
    "WHERE whole NOT IN (SELECT whole FROM missing_part) ORDER BY whole, first";

static enum bench_status add_all(struct store *store)
{
    OWNED(free_row) struct adding a = {.store = store};
    OWNED(store_finalize) sqlite3_stmt *part = NULL;
    bool is_row;

    TRY(store_prepare(store, ask_pieces, &part));
    for (;;) {
        const char *whole;

        TRY(store_row(store, part, &is_row));
        whole = is_row ? (const char *)sqlite3_column_text(part, 6) : NULL;
        if (a.whole.data && (!whole || strcmp(a.whole.data, whole) != 0))
            TRY(end_row(&a));
        if (!is_row)
            return BENCH_OK;
        NEED(whole, "rows of ranks");
        if (!a.whole.data)
            text_add(&a.whole, whole);
        snprintf(a.impl, sizeof a.impl, "%s", (const char *)sqlite3_column_text(part, 5));
        TRY(text_ok(&a.whole));
        TRY(add_part(&a, part));
    }
}

/* Notes what is not there another way: of one process, or of another number of ranks. */
static enum bench_status note_missing(struct store *store)
{
    OWNED(store_reset) sqlite3_stmt *ask = NULL;
    bool is_row;

    TRY(store_kept(
        store,
        "SELECT count(*), printf('%d configurations wait for inputs of other ranks (%s: inputs "
        "%d to %d of "
        "%d): check says which', count(DISTINCT m.whole), m.impl, min(m.first), m.last, m.n) "
        "FROM missing_part AS m JOIN part AS p ON p.id = m.id WHERE NOT EXISTS (SELECT 1 FROM "
        "measurement AS o WHERE o.impl = p.impl AND o.params = p.params AND o.input = p.input "
        "AND o.plan IS p.plan AND o.build_hash IS p.build_hash AND o.stage IS NULL)",
        &ask));
    TRY(store_row(store, ask, &is_row));
    if (sqlite3_column_int(ask, 0) > 0)
        store_note(store, (const char *)sqlite3_column_text(ask, 1), "");
    return BENCH_OK;
}

enum bench_status store_add_parts(struct store *store)
{
    TRY(store_execute(store, parts_sql, sizeof parts_sql));
    TRY(add_all(store));
    TRY(note_missing(store));
    return store_run(store, "DELETE FROM part_value");
}

/*
 * store_parts.c - the rows that ranks have left of some inputs each, added up
 *
 * Sums are whole numbers, so the row is the one that a single process writes, bit for bit.  Parts
 * are of one row where all that names a configuration is the same, and the build.
 */
#include "harness/analysis/store.h"

#include "harness/base/sums.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"
#include "harness/suite/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a rank left of a configuration. */
struct piece {
    long long id;
    int from, to, n; /* from 1, of n */
    long n_sums;     /* -1: there are none, as its status says */
};

/* All of one configuration; of a range that is there twice the newest. */
struct pieces {
    struct piece *piece;
    int n, capacity;
};

static enum bench_status add_piece(struct pieces *pieces, const struct piece *piece)
{
    for (int i = 0; i < pieces->n; i++)
        if (pieces->piece[i].from == piece->from && pieces->piece[i].to == piece->to) {
            pieces->piece[i] = *piece;
            return BENCH_OK;
        }
    if (pieces->n == pieces->capacity) {
        const int more = pieces->capacity ? 2 * pieces->capacity : 16;
        struct piece *const grown = realloc(pieces->piece, (size_t)more * sizeof *grown);

        if (!grown)
            return BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d parts", more);
        pieces->piece = grown;
        pieces->capacity = more;
    }
    pieces->piece[pieces->n++] = *piece;
    return BENCH_OK;
}

static int compare_pieces(const void *left, const void *right)
{
    const struct piece *const a = left, *const b = right;

    return (a->from > b->from) - (a->from < b->from);
}

/* The first inputs that are missing: from .. to; 0: they are all there, each once. */
static int find_gap(struct pieces *pieces, int *to)
{
    int next = 1;

    qsort(pieces->piece, (size_t)pieces->n, sizeof *pieces->piece, compare_pieces);
    for (int i = 0; i < pieces->n; i++) {
        *to = pieces->piece[i].from - 1;
        if (*to + 1 != next)
            return next;
        next = pieces->piece[i].to + 1;
    }
    *to = pieces->piece[0].n;
    return next == *to + 1 ? 0 : next;
}

/* ---- sums ---- */

/* *is_whole: each sum is there, and is one. */
static enum bench_status read_sums(struct store *store, const struct piece *piece,
                                   struct bench_sums *sums, bool *is_whole)
{
    sqlite3_stmt *ask;
    enum bench_status status;
    bool is_row = true;

    *is_whole = true;
    TRY(store_kept(store, "SELECT name, idx, value FROM part_value WHERE part = ?1", &ask));
    sqlite3_bind_int64(ask, 1, piece->id);
    while (!(status = store_row(store, ask, &is_row)) && is_row)
        *is_whole &= record_read_sum((const char *)sqlite3_column_text(ask, 0),
                                     (const char *)sqlite3_column_text(ask, 1),
                                     (const char *)sqlite3_column_text(ask, 2), sums);
    sqlite3_reset(ask);
    *is_whole &= sums->n > 0 && sums->n == piece->n_sums;
    return status ? status : bench_sums_ok(sums);
}

/* Why a row cannot be made; BENCH_OK where 'all' are the sums of all inputs. */
static enum bench_status add_up(struct store *store, const struct pieces *pieces,
                                struct bench_sums *all)
{
    uint64_t data = 0;

    for (int i = 0; i < pieces->n; i++) {
        const struct piece *const piece = &pieces->piece[i];
        struct bench_sums sums = {0};
        bool is_whole;
        enum bench_status status = read_sums(store, piece, &sums, &is_whole);

        if (!status && !is_whole)
            status = BENCH_FAIL(BENCH_EINPUT, "the sums of its inputs %d to %d are not whole",
                                piece->from, piece->to);
        else if (!status && i > 0 && suite_data_of(&sums) != data)
            status =
                BENCH_FAIL(BENCH_EINPUT,
                           "its inputs %d to %d are of another data set than those before: "
                           "names, sizes or the number of the files differ",
                           piece->from, piece->to);
        data = suite_data_of(&sums);
        bench_sums_merge(all, &sums);
        bench_sums_free(&sums);
        TRY(status);
    }
    return bench_sums_ok(all);
}

/* ---- a row ---- */

struct putting {
    struct store *store;
    sqlite3_stmt *put;
};

/* As it stands in a file. */
static enum bench_status put_value(void *self, const char *name, int index, double value,
                                   const char *unit)
{
    const struct putting *const p = self;
    char number[TEXT_NUMBER];

    text_number(number, value);
    store_bind_text(p->put, 2, name);
    if (index >= 0)
        sqlite3_bind_int(p->put, 3, index);
    else
        sqlite3_bind_null(p->put, 3);
    store_bind_text(p->put, 4, number);
    store_bind_text(p->put, 5, unit);
    return store_step(p->store, p->put);
}

/* The last part becomes the row, with what its sums say. */
static enum bench_status put_total(struct store *store, const struct pieces *pieces,
                                   const struct bench_problem *problem, bool is_other,
                                   const struct bench_sums *sums)
{
    const struct piece *const last = &pieces->piece[pieces->n - 1];
    struct putting p = {store, NULL};
    struct suite_total total;
    char text[5][TEXT_NUMBER];
    sqlite3_stmt *put;

    TRY(suite_total(problem, sums, 0, last->n, last->n, &total));
    TRY(store_kept(
        store,
        "UPDATE measurement SET status = 'ok', stage = NULL, n = NULL, share = NULL, "
        "share_config = NULL, share_configs = NULL, row_hash = NULL, n_inputs = ?2, "
        "input_hash = ?3, output_hash = CASE WHEN output_hash IS NOT NULL THEN ?4 "
        "END, max_err = ?5, work_bytes = CASE WHEN work_bytes IS NOT NULL THEN ?6 "
        "END, work_ops = CASE WHEN work_ops IS NOT NULL THEN ?7 END, verdict = CASE "
        "WHEN ?8 THEN 'outside' ELSE verdict END WHERE id = ?1",
        &put));
    sqlite3_bind_int64(put, 1, last->id);
    sqlite3_bind_int(put, 2, last->n);
    snprintf(text[0], TEXT_NUMBER, "%016llx", (unsigned long long)total.input_hash);
    snprintf(text[1], TEXT_NUMBER, "%016llx", (unsigned long long)total.output_hash);
    text_number(text[2], total.difference.max_error);
    text_number(text[3], total.work.bytes);
    text_number(text[4], total.work.ops);
    for (int i = 0; i < 5; i++)
        if (i < 2)
            store_bind_text(put, 3 + i, text[i]);
        else
            (void)store_bind_field(put, 3 + i, text[i]);
    sqlite3_bind_int(put, 8, total.difference.n_outside > 0);
    TRY(store_step(store, put));
    TRY(store_kept(store, "INSERT OR IGNORE INTO value VALUES (?1, ?2, ?3, ?4, ?5)", &p.put));
    sqlite3_bind_int64(p.put, 1, last->id);
    return suite_values(problem, is_other, sums, put_value, &p);
}

/* Where a range says why it gives nothing, so does the row: the first one. */
static enum bench_status put_failure(struct store *store, const struct pieces *pieces,
                                     bool *is_put)
{
    sqlite3_stmt *put;

    *is_put = false;
    for (int i = 0; i < pieces->n && !*is_put; i++) {
        if (pieces->piece[i].n_sums >= 0)
            continue;
        TRY(store_kept(store, "INSERT INTO measurement SELECT * FROM part WHERE id = ?1",
                       &put));
        sqlite3_bind_int64(put, 1, pieces->piece[i].id);
        TRY(store_step(store, put));
        TRY(store_kept(
            store,
            "UPDATE measurement SET stage = NULL, share = NULL, share_config = NULL, "
            "share_configs = NULL, row_hash = NULL, n_inputs = CASE WHEN n_inputs IS "
            "NOT NULL THEN ?2 END WHERE id = ?1",
            &put));
        sqlite3_bind_int64(put, 1, pieces->piece[i].id);
        sqlite3_bind_int(put, 2, pieces->piece[i].n);
        TRY(store_step(store, put));
        *is_put = true;
    }
    return BENCH_OK;
}

/* The row of a configuration whose inputs are all there. */
static enum bench_status put_row(struct store *store, struct pieces *pieces, const char *impl,
                                 const char *problem, bool is_other)
{
    const struct bench_problem *const solved = bench_find_problem(problem);
    struct bench_sums sums = {0};
    sqlite3_stmt *put;
    enum bench_status status;
    bool is_put;

    TRY(put_failure(store, pieces, &is_put));
    if (is_put)
        return BENCH_OK;
    status = solved ? add_up(store, pieces, &sums)
                    : BENCH_FAIL(BENCH_EINPUT, "this build has no problem '%.40s'", problem);
    if (!status)
        status = store_run(store, "SAVEPOINT total");
    if (!status && !(status = store_kept(store,
                                         "INSERT INTO measurement SELECT * FROM part "
                                         "WHERE id = ?1",
                                         &put))) {
        sqlite3_bind_int64(put, 1, pieces->piece[pieces->n - 1].id);
        status = store_step(store, put);
        if (!status)
            status = put_total(store, pieces, solved, is_other, &sums);
        if (status)
            (void)store_run(store, "ROLLBACK TO total");
        (void)store_run(store, "RELEASE total");
    }
    bench_sums_free(&sums);
    if (status == BENCH_EINPUT) {
        char why[600];

        snprintf(why, sizeof why, "%.80s, ranks' parts: %.500s", impl, bench_failure());
        store_note(store, why, STORE_LEFT_OUT);
        bench_failure_clear();
        status = BENCH_OK;
    }
    return status;
}

/* ---- what is missing ---- */

struct lacking {
    int n; /* configurations */
    char first[200];
};

/* Unless all of it is there another way: of one process, or of another number of ranks. */
static enum bench_status note_gap(struct store *store, const struct piece *piece,
                                  const char *impl, int from, int to, struct lacking *lacking)
{
    sqlite3_stmt *ask;
    bool is_there = true;
    enum bench_status status;

    TRY(store_kept(store,
                   "SELECT 1 FROM part AS p JOIN measurement AS m ON m.impl = p.impl AND "
                   "m.params = p.params AND m.input = p.input AND m.plan IS p.plan AND "
                   "m.build_hash IS p.build_hash AND m.stage IS NULL WHERE p.id = ?1 LIMIT 1",
                   &ask));
    sqlite3_bind_int64(ask, 1, piece->id);
    status = store_row(store, ask, &is_there);
    sqlite3_reset(ask);
    if (!is_there && lacking->n++ == 0)
        snprintf(lacking->first, sizeof lacking->first, "%.80s: " RECORD_RANGE, impl, from, to,
                 piece->n);
    return status;
}

/* ---- all of them ---- */

/* By what names a row that is whole, the oldest first. */
static const char ask_parts[] =
    "SELECT id, stage, CASE status WHEN 'part' THEN n ELSE -1 END, impl, problem, verdict = "
    "'other', results || '|' || coalesce(build_hash, '') || '|' || coalesce(protocol, '') || "
    "'|' "
    "|| coalesce(params, '') || '|' || coalesce(plan, '') || '|' || coalesce(input, '') || '|' "
    "|| coalesce(frame_pick, '') || '|' || coalesce(batch, '') || '|' || coalesce(transfer, "
    "'') "
    "|| '|' || coalesce(mode_name, '') || '|' || coalesce(run, '') || '|' || coalesce(ranks, "
    "'') "
    "|| '|' || substr(stage, instr(stage, ' of ')) || '|' || impl AS whole FROM part "
    "WHERE withdrawn IS NULL ORDER BY whole, utc, id";

static enum bench_status add_all(struct store *store, sqlite3_stmt *ask)
{
    struct pieces pieces = {0};
    struct lacking lacking = {0};
    char impl[128] = "", problem[64] = "";
    struct text whole = {0};
    bool is_row = true, is_other = false;
    enum bench_status status;

    while (!(status = store_row(store, ask, &is_row))) {
        const char *const key = is_row ? (const char *)sqlite3_column_text(ask, 6) : NULL;
        struct piece piece = {0};

        if (pieces.n > 0 && (!key || strcmp(whole.data, key) != 0)) {
            int to, from = find_gap(&pieces, &to);

            status = from ? note_gap(store, pieces.piece, impl, from, to, &lacking)
                          : put_row(store, &pieces, impl, problem, is_other);
            pieces.n = 0;
        }
        if (status || !is_row)
            break;
        piece.id = sqlite3_column_int64(ask, 0);
        piece.n_sums = (long)sqlite3_column_int64(ask, 2);
        whole.size = 0;
        text_add(&whole, key ? key : "");
        if (!key || (status = text_ok(&whole)) ||
            sscanf((const char *)sqlite3_column_text(ask, 1), RECORD_RANGE, &piece.from,
                   &piece.to, &piece.n) != 3)
            continue;
        snprintf(impl, sizeof impl, "%s", (const char *)sqlite3_column_text(ask, 3));
        snprintf(problem, sizeof problem, "%s", (const char *)sqlite3_column_text(ask, 4));
        is_other = sqlite3_column_int(ask, 5);
        if ((status = add_piece(&pieces, &piece)))
            break;
    }
    if (lacking.n > 0 && !status) {
        char sentence[300];

        snprintf(sentence, sizeof sentence,
                 "%d configurations wait for inputs of other ranks (%s): check says which",
                 lacking.n, lacking.first);
        store_note(store, sentence, "");
    }
    free(pieces.piece);
    text_free(&whole);
    return status;
}

enum bench_status store_add_parts(struct store *store)
{
    sqlite3_stmt *ask;
    enum bench_status status;

    TRY(store_run(store, "CREATE TABLE part AS SELECT * FROM measurement WHERE status = 'part' "
                         "OR stage GLOB 'inputs [0-9]* to [0-9]*'; "
                         "DELETE FROM measurement WHERE id IN (SELECT id FROM part); "
                         "CREATE INDEX part_value_part ON part_value (part)"));
    TRY(store_prepare(store, ask_parts, &ask));
    status = add_all(store, ask);
    sqlite3_finalize(ask);
    return status ? status : store_run(store, "DELETE FROM part_value");
}

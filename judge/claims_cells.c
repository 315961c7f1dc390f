/*
 * claims_cells.c - the cells of a claim: numbers that a paper prints, and the rows of a machine
 *
 * A printed number must be there, once: a slip in a claim file is an error.  A measured row may be missing, and which
 * of several counts is decided as for figures, by its preference.  Its range is its noise: the interval that the row
 * states, or, of a mean over seeds, what their scatter gives.
 */
#include "judge/claims_private.h"
#include "harness/analysis/query.h"
#include "harness/analysis/traits.h"
#include "harness/record_private.h"

#include "claims_sql.h"

#include <fnmatch.h>
#include <libgen.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SHOWN 3 /* rows in an explanation */

void claim_log(struct text *log, const char *what, const struct claim_value *value,
               const char *remark, ...)
{
    struct text line = {0};
    char number[3][TEXT_NUMBER], said[400];
    va_list arguments;

    if (!log)
        return;
    va_start(arguments, remark);
    vsnprintf(said, sizeof said, remark, arguments);
    va_end(arguments);
    text_short_number(number[0], value->value, 6);
    text_short_number(number[1], value->low, 6);
    text_short_number(number[2], value->high, 6);
    text_format(&line, "  %s\n      ", what);
    if (value->missing)
        text_format(&line, "missing: %s\n", value->why);
    else if (value->truth)
        text_format(
            &line, "%s%s%s\n", value->value > 0 ? "holds" : "does not hold",
            value->low < value->high ? " as the numbers stand; their ranges leave it open" : "",
            said);
    else if (value->low < value->high)
        text_format(&line, "= %s (%s to %s)%s\n", number[0], number[1][0] ? number[1] : "-inf",
                    number[2][0] ? number[2] : "inf", said);
    else
        text_format(&line, "= %s%s\n", number[0], said);
    if (line.data && (!log->data || !strstr(log->data, line.data))) /* each once */
        text_add(log, line.data);
    log->failed |= line.failed;
    text_free(&line);
}

/* ---- queries ---- */

void claim_ask(struct claim_query *q, const char *words, const char *wanted)
{
    text_add(&q->sql, words);
    q->bound[q->n++] = wanted;
}

enum bench_status claim_prepare(struct store *store, struct claim_query *q,
                                sqlite3_stmt **statement)
{
    enum bench_status status = text_ok(&q->sql);

    if (!status)
        status = store_kept(store, q->sql.data, statement);
    text_free(&q->sql);
    TRY(status);
    for (int i = 0; i < q->n; i++)
        store_bind_field(*statement, i + 1, q->bound[i]);
    return BENCH_OK;
}

/* Its only row, all NULL where there is none. */
static enum bench_status ask_one(struct store *store, struct claim_query *q, sqlite3_stmt **row,
                                 bool *any)
{
    TRY(claim_prepare(store, q, row));
    return store_row(store, *row, any);
}

static enum bench_status check_keys(struct store *store, const char *table, const char *what,
                                    const struct claim_cell *cell, const char *path, int line)
{
    for (int i = 0; i < cell->n_filters; i++)
        if (!store_has_column(store, table, store_column(cell->key[i])))
            return claim_refuse(path, line, "%s: %s have no column '%s'", cell->text, what,
                                cell->key[i]);
    return BENCH_OK;
}

static const char *wanted_of(const struct claim_cell *cell, const char *column)
{
    for (int i = 0; i < cell->n_filters; i++)
        if (!strcmp(cell->key[i], column))
            return cell->wanted[i];
    return NULL;
}

/* seed=*: the mean over all; threads=best: the least of all teams.  (case=best is a case.) */
static bool is_over(const char *key, const char *wanted)
{
    return !strcmp(wanted, "*") || (!strcmp(key, "threads") && !strcmp(wanted, "best"));
}

/* The same text or the same number, unless all are asked for.  What tells configurations apart is in 'taken', too. */
static void add_filter(struct claim_query *q, struct store *store,
                       const struct claim_cell *cell, int i)
{
    const char *const column = store_column(cell->key[i]);
    const bool is_taken = !cell->counters && store_has_column(store, "taken", column);

    text_format(&q->sql, "%c.\"%s\" ", is_taken ? 'c' : 'm', column);
    if (*cell->wanted[i])
        claim_ask(q, "= ?", store_field(column, cell->wanted[i]));
    else
        text_add(&q->sql, "IS NULL");
}

/* Whether a filter leaves rows out here: add_whole() says which part of a GPU is meant. */
static bool is_filter(const struct claim_cell *cell, int i)
{
    return !is_over(cell->key[i], cell->wanted[i]) && strcmp(cell->key[i], "sms") != 0;
}

static bool is_best(const struct claim_cell *cell)
{
    const char *threads = wanted_of(cell, "threads");

    return threads && !strcmp(threads, "best");
}

static void add_filters(struct claim_query *q, struct store *store,
                        const struct claim_cell *cell)
{
    for (int i = 0; i < cell->n_filters; i++)
        if (is_filter(cell, i)) {
            text_add(&q->sql, " AND ");
            add_filter(q, store, cell, i);
        }
}

static bool is_of_part(const struct claim_cell *cell)
{
    const char *sms = wanted_of(cell, "sms");

    return sms && strcmp(sms, "all") != 0;
}

/* Whether rows are of the hardware that the claim names, as a column. */
static void ask_home(struct claim_query *q, const struct claim_lookup *l)
{
    const char *hardware = l->claim ? l->claim->hardware : NULL;

    if (!hardware || !fnmatch(hardware, l->machine->name, FNM_CASEFOLD)) {
        text_add(&q->sql, "1 AS is_home");
        return;
    }
    claim_ask(q, "lower(coalesce(m.gpu, '')) GLOB lower(?)", hardware);
    claim_ask(q, " OR lower(coalesce(m.cpu, '')) GLOB lower(?) AS is_home", hardware);
}

static const char *text_at(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);

    return text ? (const char *)text : "";
}

static void add_scope(struct claim_lookup *l, const char *scope)
{
    const size_t n = strlen(l->scope);

    if (*scope && !strstr(l->scope, scope))
        snprintf(l->scope + n, sizeof l->scope - n, "%s%s", n ? " and " : "", scope);
}

/* ---- printed numbers ---- */

/* A count has no rounding; "0.32 s" is 320 ms: the unit of the last digit goes with it; "< 5" and "5 or 6" are no rounded
 * numbers. */
static struct claim_value with_rounding(double number, const char *printed, const char *unit)
{
    struct claim_value value = claim_number(number);
    double shown, half_unit;
    const char *end;

    if ((*unit || strchr(printed, '.')) && claim_digits(printed, &shown, &half_unit, &end) &&
        fabs(shown) > 0 && strncmp(end, " or", 3) != 0) {
        value.low = number - half_unit * fabs(number / shown);
        value.high = number + half_unit * fabs(number / shown);
    }
    return value;
}

static enum bench_status read_printed(struct claim_lookup *l, const struct claim_cell *cell,
                                      sqlite3_stmt *row, struct claim_value *value)
{
    enum { N, VALUE, PRINTED, UNIT, READ, SCOPE, PLACE };
    const double number = sqlite3_column_double(row, VALUE);

    if (sqlite3_column_int(row, N) != 1)
        return CLAIM_REFUSE(l, "expected one printed number for %s, found %d", cell->text,
                            sqlite3_column_int(row, N));
    if (sqlite3_column_type(row, VALUE) != SQLITE_FLOAT ||
        !strcmp(text_at(row, READ), "derived"))
        return CLAIM_REFUSE(l,
                            "%s is not printed as a number but '%s': take the numbers it "
                            "comes from",
                            cell->text, text_at(row, PRINTED));
    *value = l->claim && l->claim->exact
                 ? claim_number(number)
                 : with_rounding(number, text_at(row, PRINTED), text_at(row, UNIT));
    add_scope(l, store_field_in_file("scope", text_at(row, SCOPE)));
    claim_log(l->log, cell->text, value, " %s [%s]", text_at(row, UNIT), text_at(row, PLACE));
    return BENCH_OK;
}

enum bench_status claim_ask_printed(struct claims *claims, const char *select,
                                    const struct claim_cell *cell, const char *path, int line,
                                    struct claim_query *q)
{
    if (!claims->printed)
        TRY(store_read_files(&(struct store_files){.printed = claims->paper_folder}, NULL,
                             &claims->printed));
    TRY(check_keys(claims->printed, "printed", "printed numbers", cell, path, line));
    text_add(&q->sql, select);
    claim_ask(q, " FROM printed AS m WHERE paper || '/' || figure = ?", cell->source);
    return BENCH_OK;
}

static enum bench_status find_printed(struct claim_lookup *l, const struct claim_cell *cell,
                                      struct claim_value *value)
{
    struct claim_query q = {0};
    sqlite3_stmt *row;
    enum bench_status status;
    bool any;

    TRY(claim_ask_printed(l->claims,
                          "SELECT count(*), value, printed, unit, read, scope, place", cell,
                          l->file->path, l->fact->line, &q));
    claim_ask(&q, " AND name = ?", cell->column);
    add_filters(&q, l->claims->printed, cell);
    TRY(ask_one(l->claims->printed, &q, &row, &any));
    status = read_printed(l, cell, row, value);
    sqlite3_reset(row);
    return status;
}

/* ---- rows that fit ---- */

/*
 * Rows of the configurations that the source's experiments have, whichever experiment a row was taken for.  A part of a run, a part
 * of the GPU and another way to it than the papers' are meant only where the cell says so.
 */
static void add_rows_of(struct claim_query *q, const struct claim_cell *cell)
{
    claim_ask(
        q,
        " FROM taken AS c CROSS JOIN measurement AS m ON m.id = c.id "
        "CROSS JOIN described AS d ON d.id = m.configuration WHERE "
        "c.experiment IN (SELECT experiment FROM experiment WHERE experiment GLOB '' || ?)",
        cell->source);
    if (is_of_part(cell))
        claim_ask(q, " AND coalesce(m.sms, CASE m.device WHEN 'gpu' THEN m.sm_count END) = ?",
                  wanted_of(cell, "sms"));
    else
        text_add(&q->sql, " AND c.sms IS NULL");
    text_add(&q->sql, wanted_of(cell, "lap") ? "" : " AND c.stage IS NULL");
    text_add(&q->sql,
             wanted_of(cell, "transfer") ? "" : " AND coalesce(c.transfer, 'copy') = 'copy'");
}

/* Why there is no number: what became of the rows that pass the most filters, or the first filter that leaves none. */
static enum bench_status nothing_for(const struct claim_lookup *l,
                                     const struct claim_cell *cell, struct claim_value *value)
{
    struct store *const store = l->machine->store;
    struct claim_query q = {0};
    sqlite3_stmt *row;
    bool any;

    text_add(&q.sql, "SELECT passed, sum(preference IS NOT NULL), status || "
                     "coalesce(', ' || reason, ''), max(id) FROM (SELECT CASE");
    for (int i = 0; i < cell->n_filters; i++)
        if (is_filter(cell, i)) {
            text_add(&q.sql, " WHEN (");
            add_filter(&q, store, cell, i);
            text_format(&q.sql, ") IS NOT 1 THEN %d", i);
        }
    text_format(&q.sql, " WHEN 1 THEN %d END AS passed, c.id, c.preference, m.status, m.reason",
                cell->n_filters);
    add_rows_of(&q, cell);
    text_add(&q.sql, ") GROUP BY passed ORDER BY passed DESC LIMIT 1");
    TRY(ask_one(store, &q, &row, &any));
    if (any) {
        const int n = sqlite3_column_int(row, 0);
        const char *became = text_at(row, 2);

        *value = !sqlite3_column_int(row, 1)
                     ? claim_missing("no verified row of %s: %.*s", cell->source,
                                     (int)strcspn(became, ";"), became)
                 : n == cell->n_filters
                     ? claim_missing("no %s in the rows of %s", cell->column, cell->source)
                     : claim_missing("no row of %s with %s=%s%s", cell->source, cell->key[n],
                                     cell->wanted[n], n ? " and the keys before it" : "");
    } else {
        *value = claim_missing("no row of %s here", cell->source);
    }
    sqlite3_reset(row);
    return BENCH_OK;
}

/* ---- which of them count ---- */

/* What is asked of a row; of a profiler's down to NUMBER. */
enum { RAN_ON, COMMIT, SESSION, ROW_ID, IS_HOME, NUMBER, ID, OTHERS, CUT_TO, IS_POOR };
enum { IS_OUTSIDE = IS_POOR + 1, SCOPE, N_SAMPLES, LOW, HIGH, MHZ, RUN_GROUP };

/* A value may have an index: "segments", "useful_pct[3]". */
static void ask_number(struct claim_query *q, const char *column, bool is_value)
{
    char *index;

    if (!is_value) {
        text_format(&q->sql, "m.\"%s\"", store_column(column));
        return;
    }
    snprintf(q->name, sizeof q->name, "%s", column);
    index = strchr(q->name, '[');
    if (index) {
        *index++ = '\0';
        index[strcspn(index, "]")] = '\0';
    }
    claim_ask(q, "(SELECT value FROM value WHERE measurement = m.id AND name = ?", q->name);
    claim_ask(q, " AND idx IS ? ORDER BY value.rowid LIMIT 1)", index);
}

/*
 * Of a cell's rows that may count and have the number, those that do: of each seed of a mean and each team one, by its preference.
 * 'others' is what must be the same in all of them.
 */
static void ask_rows(struct claim_query *q, const struct claim_lookup *l,
                     const struct claim_cell *cell, bool is_value)
{
    const bool has_range =
        !strcmp(cell->column, "mean_ms") || !strcmp(cell->column, "median_ms");

    for (int i = 0; i < cell->n_filters; i++)
        if (is_over(cell->key[i], cell->wanted[i]))
            snprintf(q->over + strlen(q->over), sizeof q->over - strlen(q->over), "%s;",
                     cell->key[i]);
    text_add(&q->sql, "SELECT *, max(preference) FROM (SELECT CASE m.device WHEN 'gpu' THEN "
                      "m.gpu ELSE m.cpu END, m.commit_hash, m.session, m.row_id, ");
    ask_home(q, l);
    text_add(&q->sql, ", ");
    ask_number(q, cell->column, is_value);
    claim_ask(q, " AS number, m.id, picked(d.traits, coalesce(?, '')", q->over);
    text_format(&q->sql,
                "%s, 0) AS others, coalesce(m.sms, m.sm_count) || ' of ' || m.sm_count, "
                "coalesce(m.dirty, 0) NOT IN (0, 'no', 'false') OR m.protocol IS 'quick', "
                "m.verdict = 'outside', m.scope, m.n, %s, m.gpu_mhz_med AS mhz, %s, "
                "c.preference, ",
                is_value ? " || 'scope;series;lap;transfer;threads;sms'" : " || 'threads;sms'",
                has_range ? "m.ci_lo_ms, m.ci_hi_ms" : "NULL, NULL",
                is_value ? "NULL" : "m.run_group");
    if (*q->over)
        claim_ask(q, "picked(d.traits, ?, 1) AS team", q->over);
    else
        text_add(&q->sql, "1 AS team");
    add_rows_of(q, cell);
    add_filters(q, l->machine->store, cell);
    text_add(&q->sql, " AND c.preference IS NOT NULL");
    if (l->session)
        claim_ask(q, " AND c.session = ?", l->session);
    text_format(&q->sql,
                ") WHERE (number + 0 <> 0 OR number IN (0, '0'))%s%s GROUP BY team, others "
                "ORDER BY %s",
                l->board ? " AND NOT is_home" : "", l->as_clock ? " AND mhz > 0" : "",
                is_best(cell) ? "session DESC, number" : "quantile(id, 0)"); /* the first row */
}

/* Whether a column is a time, and no value or setting. */
static bool is_time(const char *column)
{
    const size_t n = strlen(column);

    return (n > 3 && !strcmp(column + n - 3, "_ms")) || !strcmp(column, "fps");
}

/* What the processes say together of which one measured a row; nothing changes where it was alone. */
static enum bench_status ask_processes(struct store *store, long long id, const char *column,
                                       int *n, double *number, double *low, double *high,
                                       double *mhz)
{
    struct record_table rows = {0};
    long long member[RECORD_MAX_RUNS];
    int place[RECORD_MAX_RUNS];
    enum bench_status status;

    TRY(select_processes(store, id, member, n));
    status = select_header(store, &rows);
    for (int i = 0; i < *n && !status; i++) {
        place[i] = i;
        status = select_row(store, member[i], &rows);
    }
    if (!status && *n > 1) {
        record_over_processes(&rows, place, *n, column, number);
        record_over_processes(&rows, place, *n, "ci_lo_ms", low);
        record_over_processes(&rows, place, *n, "ci_hi_ms", high);
        record_over_processes(&rows, place, *n, "gpu_mhz_med", mhz);
    }
    record_table_free(&rows);
    return status;
}

/* What the rows of a cell come to. */
struct found {
    int n, n_outside;
    double *value;          /* [n], owned, at the board's clock where that is asked for */
    struct claim_value one; /* the last of them, with its noise */
    bool is_single;         /* it is a time of one run */
    struct text others;     /* of the first row */
    char trait[TRAIT_NAME]; /* in which another one differs */
    struct text remark;
};

/* The number of a row, and of a time the range in which it lies: where one of several processes measured it, theirs. */
static enum bench_status read_row(struct claim_lookup *l, const struct claim_cell *cell,
                                  sqlite3_stmt *row, struct found *f)
{
    double number = sqlite3_column_double(row, NUMBER), low = sqlite3_column_double(row, LOW),
           high = sqlite3_column_double(row, HIGH), mhz = sqlite3_column_double(row, MHZ);
    bool has_range = sqlite3_column_type(row, LOW) != SQLITE_NULL &&
                     sqlite3_column_type(row, HIGH) != SQLITE_NULL;
    int n_processes = 1;
    double factor = 1;

    if (sqlite3_column_type(row, RUN_GROUP) != SQLITE_NULL)
        TRY(ask_processes(l->machine->store, sqlite3_column_int64(row, ID), cell->column,
                          &n_processes, &number, &low, &high, &mhz));
    if (l->board && l->as_clock)
        factor = !strcmp(cell->column, "fps") ? l->board->mhz / mhz : mhz / l->board->mhz;
    f->one = claim_number(number * factor);
    if (has_range) {
        f->one.low = factor * fmin(number, low);
        f->one.high = factor * fmax(number, high);
    }
    f->is_single = is_time(cell->column) && n_processes == 1 &&
                   sqlite3_column_type(row, N_SAMPLES) != SQLITE_NULL &&
                   sqlite3_column_double(row, N_SAMPLES) < 2;
    if (f->n < MAX_SHOWN && l->log) {
        char at[2][TEXT_NUMBER];

        text_short_number(at[0], number, 6);
        text_number(at[1], mhz);
        text_format(&f->remark, "%s%s %s", f->n ? ", " : " [rows ", text_at(row, SESSION),
                    text_at(row, ROW_ID));
        if (n_processes > 1)
            text_format(&f->remark, ", median of %d processes", n_processes);
        if (l->as_clock)
            text_format(&f->remark, ": %s at %s MHz", at[0], at[1]);
    }
    return BENCH_OK;
}

/* What a claim says of the rows that it used. */
static void note_row(struct claim_lookup *l, sqlite3_stmt *row)
{
    const char *commit = text_at(row, COMMIT), *session = text_at(row, SESSION);

    snprintf(l->device, sizeof l->device, "%s", text_at(row, RAN_ON));
    if (!*l->commit)
        snprintf(l->commit, sizeof l->commit, "%s", commit);
    if (!*l->first)
        snprintf(l->first, sizeof l->first, "%s", session);
    l->mixed |= strcmp(l->commit, commit) != 0;
    l->several |= strcmp(l->first, session) != 0;
    l->elsewhere |= !l->board && !sqlite3_column_int(row, IS_HOME);
}

static enum bench_status add_row(struct claim_lookup *l, const struct claim_cell *cell,
                                 bool is_value, sqlite3_stmt *row, struct found *f)
{
    double *more;

    if (f->n == 0)
        text_add(&f->others, text_at(row, OTHERS));
    else if (traits_differ(f->others.data, text_at(row, OTHERS), f->trait) || is_best(cell))
        return BENCH_OK;
    TRY(text_ok(&f->others));
    TRY(read_row(l, cell, row, f));
    more = realloc(f->value, ((size_t)f->n + 1) * sizeof *more);
    if (!more)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a claim's rows");
    f->value = more;
    more[f->n++] = f->one.value;
    note_row(l, row);
    if (l->board)
        snprintf(l->device, sizeof l->device,
                 l->as_clock ? "%s SMs of %.100s as at %d MHz" : "%s SMs of %.100s",
                 text_at(row, CUT_TO), text_at(row, RAN_ON), l->board->mhz);
    l->poor |= sqlite3_column_int(row, IS_POOR);
    f->n_outside += sqlite3_column_int(row, IS_OUTSIDE);
    if (!is_value)
        add_scope(l, store_field_in_file("scope", text_at(row, SCOPE)));
    return BENCH_OK;
}

/* The mean of the rows.  The range of one is its own; of several what their scatter gives, at 95 % by Student. */
static struct claim_value mean_of(const struct found *f)
{
    static const double student[] = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26};
    const int n_student = (int)(sizeof student / sizeof *student);
    struct claim_value v = claim_number(0);
    double squares = 0, half;

    if (f->n == 1)
        return f->one;
    for (int i = 0; i < f->n; i++)
        v.value += f->value[i] / f->n;
    for (int i = 0; i < f->n; i++)
        squares += (f->value[i] - v.value) * (f->value[i] - v.value);
    half = student[f->n - 2 < n_student ? f->n - 2 : n_student - 1] *
           sqrt(squares / (f->n - 1) / f->n);
    v.low = v.value - half;
    v.high = v.value + half;
    return v;
}

/* The number of a cell whose rows are all there. */
static enum bench_status conclude(struct claim_lookup *l, const struct claim_cell *cell,
                                  const struct claim_query *q, struct found *f,
                                  struct claim_value *value)
{
    l->absent = f->n == 0 && l->session;
    if (l->absent)
        *value = claim_missing("not in %s", l->session);
    else if (f->n == 0)
        TRY(nothing_for(l, cell, value));
    else
        *value = mean_of(f);
    if (f->n == 1) /* what ran once has no noise that anybody knows */
        l->single |= f->is_single || (*q->over && !is_best(cell));
    l->n_rows += f->n;
    l->n_outside += f->n_outside;
    if (f->n > MAX_SHOWN)
        text_format(&f->remark, ", ... %d in all", f->n);
    if (f->n_outside > 0)
        text_format(&f->remark, ", %d of them outside the reference's scatter", f->n_outside);
    TRY(text_ok(&f->remark));
    claim_log(l->log, cell->text, value, "%s; %s]", f->remark.data ? f->remark.data : "",
              l->device);
    return BENCH_OK;
}

static enum bench_status find_measured(struct claim_lookup *l, const struct claim_cell *cell,
                                       struct claim_value *value)
{
    const struct claim_machine *m = l->machine;
    const struct claim_lookup before = *l;
    struct claim_query q = {0};
    struct found f = {0};
    sqlite3_stmt *row;
    bool is_value, any = true;
    enum bench_status status = BENCH_OK;

    if (wanted_of(cell, "scope"))
        add_scope(l, wanted_of(cell, "scope"));
    if (!m || l->absent) {
        *value = claim_missing(m ? "not in that session" : "no results were given");
        return BENCH_OK;
    }
    TRY(check_keys(m->store, "measurement", "rows", cell, l->file->path, l->fact->line));
    is_value = !store_has_column(m->store, "measurement", store_column(cell->column));
    ask_rows(&q, l, cell, is_value);
    TRY(claim_prepare(m->store, &q, &row));
    while (!status && !(status = store_row(m->store, row, &any)) && any)
        status = add_row(l, cell, is_value, row, &f);
    sqlite3_reset(row);
    if (*f.trait && !status) {
        *l = before;
        *value = claim_missing("rows that differ in %s: %.150s", f.trait, cell->text);
    } else if (!status) {
        status = conclude(l, cell, &q, &f, value);
    }
    text_free(&f.remark);
    text_free(&f.others);
    free(f.value);
    return status;
}

/* A cell of PAPER/any, of a card cut to the size of the board: PAPER/cut, on so many SMs.  No other card has the board's power
 * modes: its clock stands for them. */
static enum bench_status find_cut(struct claim_lookup *l, const struct claim_cell *cell,
                                  struct claim_value *value)
{
    struct claim_cell cut = *cell;
    char source[64], sms[16];

    snprintf(source, sizeof source, "%.*s/cut", (int)strcspn(cell->source, "/"), cell->source);
    snprintf(sms, sizeof sms, "%d", l->board->n_cut);
    cut.source = source;
    cut.n_filters = 0;
    for (int i = 0; i <= cell->n_filters; i++) {
        const char *key = i < cell->n_filters ? cell->key[i] : "";

        if (!strcmp(key, "mode_name") || !strcmp(key, "sms"))
            continue;
        cut.key[cut.n_filters] = *key ? key : "sms";
        cut.wanted[cut.n_filters++] = *key ? cell->wanted[i] : sms;
    }
    return find_measured(l, &cut, value);
}

/* ---- counters ---- */

static enum bench_status counted_number(struct claim_lookup *l, const struct claim_cell *cell,
                                        sqlite3_stmt *row, struct claim_value *value)
{
    enum { UTC = NUMBER + 1, KERNEL, N };
    const int n = sqlite3_column_int(row, N);

    if (n != 1) {
        *value = n ? claim_missing("%d kernels fit %.150s", n, cell->text)
                   : claim_missing("no counters of %s here", cell->source);
        return BENCH_OK;
    }
    if (sqlite3_column_type(row, NUMBER) != SQLITE_INTEGER &&
        sqlite3_column_type(row, NUMBER) != SQLITE_FLOAT) {
        *value = claim_missing("no %s in the counters of %s", cell->column, cell->source);
        return BENCH_OK;
    }
    *value = claim_number(sqlite3_column_double(row, NUMBER));
    note_row(l, row);
    claim_log(l->log, cell->text, value, " [counters %s, %.60s; %s]", text_at(row, UTC),
              text_at(row, KERNEL), l->device);
    return BENCH_OK;
}

/* The newest kernel that fits; two of one run are a cell that names too little. */
static enum bench_status find_counter(struct claim_lookup *l, const struct claim_cell *cell,
                                      struct claim_value *value)
{
    struct store *const store = l->machine->store;
    struct claim_query q = {0};
    sqlite3_stmt *row;
    enum bench_status status;
    bool any;

    if (!store_has_column(store, "counter", "stage")) { /* no file of a profiler was read */
        *value = claim_missing("no counters of %s here", cell->source);
        return BENCH_OK;
    }
    TRY(check_keys(store, "counter", "counters", cell, l->file->path, l->fact->line));
    text_add(&q.sql, "SELECT gpu, commit_hash, '', '', ");
    ask_home(&q, l);
    text_format(&q.sql, ", m.\"%s\", utc, kernel, count(*)", cell->column);
    claim_ask(&q,
              " FROM (SELECT *, NULL AS cpu FROM counter) AS m WHERE experiment GLOB '' || ?",
              cell->source);
    add_filters(&q, store, cell);
    text_add(&q.sql, " AND m.sms IS NULL GROUP BY utc ORDER BY utc DESC LIMIT 1");
    TRY(ask_one(store, &q, &row, &any));
    status = counted_number(l, cell, row, value);
    sqlite3_reset(row);
    return status;
}

/* The mean over the alternatives of filter 'at', "a|b|c", each of which must be there. */
static enum bench_status find_mean(struct claim_lookup *l, const struct claim_cell *cell,
                                   int at, struct claim_value *value)
{
    struct claim_cell one = *cell;
    struct claim_value more = claim_number(0);
    char list[200], name[500], *rest = list;
    int n = 0;

    *value = more;
    snprintf(list, sizeof list, "%s", cell->wanted[at]);
    one.text = name;
    for (; (one.wanted[at] = strsep(&rest, "|")) != NULL; n++) {
        if (++l->steps > CLAIM_MAX_STEPS)
            return CLAIM_REFUSE(l, "a claim of more than %d steps", CLAIM_MAX_STEPS);
        snprintf(name, sizeof name, "%s: %s=%s", cell->text, cell->key[at], one.wanted[at]);
        TRY(claim_find_cell(l, &one, &more));
        if (more.missing && !value->missing)
            *value = more;
        value->value += more.value;
        value->low += more.low;
        value->high += more.high;
    }
    value->value /= n;
    value->low /= n;
    value->high /= n;
    return BENCH_OK;
}

enum bench_status claim_find_cell(struct claim_lookup *l, const struct claim_cell *cell,
                                  struct claim_value *value)
{
    for (int i = 0; i < cell->n_filters; i++)
        if (strchr(cell->wanted[i], '|'))
            return find_mean(l, cell, i, value);
    if (!cell->ours)
        return find_printed(l, cell, value);
    if (l->only_paper)
        return CLAIM_REFUSE(l, "expected printed numbers alone in 'paper', found %s",
                            cell->text);
    if (l->claim && l->claim->board.n_sms && (cell->counters || !is_time(cell->column)))
        return CLAIM_REFUSE(l, "expected times alone in a scaled claim, found %s", cell->text);
    if (cell->counters && l->machine)
        return find_counter(l, cell, value);
    return l->board ? find_cut(l, cell, value) : find_measured(l, cell, value);
}

/* ---- a machine ---- */

char *claim_machine_name(const char *folder)
{
    char *given = strdup(folder), *name = given ? basename(given) : NULL;
    char *whole =
        name && (!strcmp(name, ".") || !strcmp(name, "..")) ? realpath(folder, NULL) : NULL;

    if (whole && strrchr(whole, '/')[1])
        name = strrchr(whole, '/') + 1;
    name = name ? strdup(name) : NULL;
    free(given);
    free(whole);
    return name;
}

/* picked(traits, names, which): of a list of traits those that are named, or the others. */
static void pick(sqlite3_context *context, int n, sqlite3_value **argument)
{
    const char *list = (const char *)sqlite3_value_text(argument[0]);
    const char *names = (const char *)sqlite3_value_text(argument[1]);
    struct text picked = {0};

    (void)n;
    traits_pick(list ? list : "", names ? names : "", sqlite3_value_int(argument[2]), &picked);
    if (picked.failed)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_text(context, picked.data ? picked.data : "", -1, SQLITE_TRANSIENT);
    text_free(&picked);
}

enum bench_status claim_machine_read(const char *folder, FILE *notes,
                                     struct claim_machine *machine)
{
    enum bench_status status;

    *machine = (struct claim_machine){.name = claim_machine_name(folder)};
    if (!machine->name)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for results");
    status = store_read(&folder, 1, false, notes, &machine->store);
    if (!status && sqlite3_create_function(store_database(machine->store), "picked", 3,
                                           SQLITE_UTF8, NULL, pick, NULL, NULL) != SQLITE_OK)
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for results");
    if (!status)
        status = store_execute(machine->store, claims_sql, sizeof claims_sql);
    if (!status)
        status = query_table(machine->store, "SELECT session FROM session ORDER BY session",
                             &machine->sessions);
    if (status)
        claim_machine_free(machine);
    return status;
}

void claim_machine_free(struct claim_machine *machine)
{
    table_free(&machine->sessions);
    store_close(machine->store);
    free(machine->name);
    *machine = (struct claim_machine){0};
}

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
#include "harness/build.h"

#include "claims_sql.h"

#include <fnmatch.h>
#include <libgen.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

enum bench_status claim_ask(struct store *store, struct text *sql, sqlite3_stmt **answer)
{
    enum bench_status status = text_ok(sql);

    if (!status)
        status = store_kept(store, sql->data, answer);
    text_free(sql);
    if (!status)
        sqlite3_clear_bindings(*answer);
    return status;
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
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

static const char *text_at(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);

    return text ? (const char *)text : "";
}

static bool is_number(sqlite3_stmt *row, int column)
{
    const int type = sqlite3_column_type(row, column);

    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void see_scope(struct claim_seen *all, const char *scope)
{
    const size_t n = strlen(all->scope);

    if (scope && *scope && !strstr(all->scope, scope))
        snprintf(all->scope + n, sizeof all->scope - n, "%s%s", n ? " and " : "", scope);
}

static void see(struct claim_seen *all, const struct claim_seen *more)
{
    if (more->n > 0 && all->n == 0) {
        memcpy(all->commit, more->commit, sizeof all->commit);
        memcpy(all->session, more->session, sizeof all->session);
    }
    if (more->n > 0) {
        memcpy(all->device, more->device, sizeof all->device);
        all->mixed |= more->mixed || strcmp(all->commit, more->commit) != 0;
        all->several |= more->several || strcmp(all->session, more->session) != 0;
    }
    all->n += more->n;
    all->n_outside += more->n_outside;
    all->single |= more->single;
    all->poor |= more->poor;
    all->elsewhere |= more->elsewhere;
    see_scope(all, more->scope);
}

/* What a cell comes to: the same for all claims that ask for it. */
struct claim_answer {
    char *asked; /* the key of it; owned */
    struct claim_value value;
    struct claim_seen seen;
    struct text numbers;    /* of its rows, doubles */
    char trait[TRAIT_NAME]; /* in which rows differ that must not */
    struct text others;     /* of the first row */
    struct text remark;     /* of an explanation */
};

/* ---- printed numbers ---- */

/* A count has no rounding; "0.32 s" is 320 ms: the unit of the last digit goes with it; "< 5" and "5 or 6" are no rounded
 * numbers. */
static void add_rounding(struct claim_value *value, const char *printed, const char *unit)
{
    double shown, half_unit;
    const char *end;

    if ((*unit || strchr(printed, '.')) && claim_digits(printed, &shown, &half_unit, &end) &&
        fabs(shown) > 0 && strncmp(end, " or", 3) != 0) {
        value->low -= half_unit * fabs(value->value / shown);
        value->high += half_unit * fabs(value->value / shown);
    }
}

enum bench_status claim_store(struct claims *claims)
{
    const struct store_files files = {
        .printed = claims->paper_folder,
        .expected = access(claims->expected, F_OK) ? NULL : claims->expected};

    return claims->store ? BENCH_OK : store_read_files(&files, NULL, &claims->store);
}

enum bench_status claim_ask_printed(struct claims *claims, const struct claim_cell *cell,
                                    const char *path, int line, struct table *rows)
{
    struct text sql = {0};

    TRY(claim_store(claims));
    TRY(check_keys(claims->store, "printed", "printed numbers", cell, path, line));
    query_add(&sql, "SELECT * FROM printed WHERE paper || '/' || figure = %Q", cell->source);
    if (cell->column)
        query_add(&sql, " AND name = %Q", cell->column);
    for (int i = 0; i < cell->n_filters; i++) {
        const char *const column = store_column(cell->key[i]);

        query_add(&sql, " AND instr('|' || %Q || '|', '|' || coalesce(\"%w\", '') || '|')",
                  store_field(column, cell->wanted[i]), column);
    }
    text_add(&sql, " ORDER BY rowid");
    return query_ask(claims->store, &sql, rows);
}

static enum bench_status read_printed(const struct claim_lookup *l,
                                      const struct claim_cell *cell, const struct table *rows,
                                      struct claim_answer *a)
{
    const char *printed, *unit;

    if (rows->n_rows != 1)
        return CLAIM_REFUSE(l, "expected one printed number for %s, found %d", cell->text,
                            rows->n_rows);
    printed = query_text(rows, 0, "printed");
    unit = query_text(rows, 0, "unit");
    if (!*query_text(rows, 0, "value") || !strcmp(query_text(rows, 0, "read"), "derived"))
        return CLAIM_REFUSE(l,
                            "%s is not printed as a number but '%s': take the numbers it "
                            "comes from",
                            cell->text, printed);
    a->value = claim_number(query_number(rows, 0, "value"));
    if (!l->claim || !l->claim->exact)
        add_rounding(&a->value, printed, unit);
    see_scope(&a->seen, store_field_in_file("scope", query_text(rows, 0, "scope")));
    text_format(&a->remark, " %s [%s]", unit, query_text(rows, 0, "place"));
    return BENCH_OK;
}

static enum bench_status find_printed(const struct claim_lookup *l,
                                      const struct claim_cell *cell, struct claim_answer *a)
{
    struct table rows;
    enum bench_status status;

    TRY(claim_ask_printed(l->claims, cell, l->file->path, l->fact->line, &rows));
    status = read_printed(l, cell, &rows, a);
    table_free(&rows);
    return status;
}

/* ---- rows that fit ---- */

/* fits(traits, wanted): how many of the first ones of a list ";impl=a;lap=;seed=*;" there are among the traits, which are such a list.
 * None may be there of a name that is "", and any of one that is "*". */
static void fits(sqlite3_context *context, int n, sqlite3_value **argument)
{
    const char *traits = (const char *)sqlite3_value_text(argument[0]);
    const char *at = (const char *)sqlite3_value_text(argument[1]), *end;
    int passed = 0;

    (void)n;
    for (; traits && at && (end = strchr(at + 1, ';')) != NULL; at = end, passed++) {
        const size_t n_bytes = (size_t)(end - at) + (end[-1] != '=');
        char item[CLAIM_MAX_CELL];

        memcpy(item, at, n_bytes);
        item[n_bytes] = '\0';
        if (end[-1] != '*' && !strstr(traits, item) == (end[-1] != '='))
            break;
    }
    sqlite3_result_int(context, passed);
}

/* picked(traits, names, which): of a list of traits those that are named, or the others. */
static void picked(sqlite3_context *context, int n, sqlite3_value **argument)
{
    const char *list = (const char *)sqlite3_value_text(argument[0]);
    const char *names = (const char *)sqlite3_value_text(argument[1]);
    struct text text = {0};

    (void)n;
    traits_pick(list ? list : "", names ? names : "", sqlite3_value_int(argument[2]), &text);
    if (text.failed)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_text(context, text.data ? text.data : "", -1, SQLITE_TRANSIENT);
    text_free(&text);
}

static bool is_best(const struct claim_cell *cell)
{
    const char *threads = wanted_of(cell, "threads");

    return threads && !strcmp(threads, "best");
}

/* seed=*: the mean over all; threads=best: the least of all teams.  (case=best is a case.) */
static bool is_over(const struct claim_cell *cell, int i)
{
    return !strcmp(cell->wanted[i], "*") || (!strcmp(cell->key[i], "threads") && is_best(cell));
}

/* Where a cell's rows are, which traits they have and over which of them they are the mean, in the words of claims.sql. */
struct question {
    char source[64], wanted[CLAIM_MAX_CELL], over[CLAIM_MAX_CELL];
    const char *sms; /* NULL: the whole of a GPU */
};

/* A card that is cut has its rows in PAPER/cut, and its clock stands for the power mode. */
static struct question question_of(const struct claim_lookup *l, const struct claim_cell *cell)
{
    struct question q = {.wanted = ";",
                         .sms = l->board ? l->board->cut : wanted_of(cell, "sms")};

    snprintf(q.source, sizeof q.source, l->board ? "%.*s/cut" : "%.*s",
             (int)(l->board ? strcspn(cell->source, "/") : strlen(cell->source)), cell->source);
    for (int i = 0; i < cell->n_filters; i++) {
        const char *const key = cell->key[i];
        const bool is_any =
            is_over(cell, i) || !strcmp(key, "sms") || (l->board && !strcmp(key, "mode_name"));

        snprintf(q.wanted + strlen(q.wanted), sizeof q.wanted - strlen(q.wanted), "%s=%s;", key,
                 is_any ? "*" : cell->wanted[i]);
        if (is_over(cell, i))
            snprintf(q.over + strlen(q.over), sizeof q.over - strlen(q.over), "%s;", key);
    }
    if (q.sms && !strcmp(q.sms, "all"))
        q.sms = NULL;
    return q;
}

/* A part of a run and of the GPU are meant only where the cell says so. */
#define OF_EXPERIMENTS \
    "experiment IN (SELECT experiment FROM experiment WHERE experiment GLOB '' || ?1)"
#define OF_PART                                                             \
    " AND (?2 OR stage IS NULL) AND CASE WHEN ?3 IS NULL THEN sms IS NULL " \
    "ELSE coalesce(sms, sm_count) = ?3 END"

static void bind_question(sqlite3_stmt *statement, const struct claim_lookup *l,
                          const struct claim_cell *cell, const struct question *q)
{
    const char *const column = store_column(cell->column), *const index = strchr(column, '[');
    const char *const hardware = l->claim->hardware;

    bind_text(statement, 1, q->source);
    sqlite3_bind_int(statement, 2, wanted_of(cell, "lap") != NULL);
    store_bind_field(statement, 3, q->sms);
    bind_text(statement, 4, q->wanted);
    sqlite3_bind_text(statement, 5, column, (int)strcspn(column, "["), SQLITE_STATIC);
    if (index)
        sqlite3_bind_int(statement, 6, atoi(index + 1));
    bind_text(statement, 7, q->over);
    bind_text(statement, 8,
              hardware && fnmatch(hardware, l->machine->name, FNM_CASEFOLD) ? hardware : "*");
    sqlite3_bind_int(statement, 9, cell->n_filters);
    bind_text(statement, 10, l->session);
    bind_text(statement, 11, wanted_of(cell, "impl"));
}

/* Why there is no number: what became of the rows that pass the most filters, or the first filter that leaves none. */
static enum bench_status nothing_for(const struct claim_lookup *l,
                                     const struct claim_cell *cell, const struct question *q,
                                     struct claim_value *value)
{
    enum { PASSED, N_GOOD, BECAME };
    sqlite3_stmt *row;
    enum bench_status status;
    bool any;

    TRY(store_kept(l->machine->store,
                   "SELECT fits(traits, ?4) AS passed, sum(n_good), became, max(newest) "
                   "FROM taken WHERE " OF_EXPERIMENTS OF_PART
                   " GROUP BY passed ORDER BY passed DESC LIMIT 1",
                   &row));
    bind_question(row, l, cell, q);
    status = store_row(l->machine->store, row, &any);
    if (any) {
        const int n = sqlite3_column_int(row, PASSED);
        const char *became = text_at(row, BECAME);

        *value = !sqlite3_column_int(row, N_GOOD)
                     ? claim_missing("no verified row of %s: %.*s", q->source,
                                     (int)strcspn(became, ";"), became)
                 : n == cell->n_filters
                     ? claim_missing("no %s in the rows of %s", cell->column, q->source)
                     : claim_missing("no row of %s with %s=%s%s", q->source, cell->key[n],
                                     cell->wanted[n], n ? " and the keys before it" : "");
    } else {
        *value = claim_missing("no row of %s here", q->source);
    }
    sqlite3_reset(row);
    return status;
}

/* ---- which of them count ---- */

/* Whether a column is a time, and no value or setting. */
static bool is_time(const char *column)
{
    const size_t n = strlen(column);

    return (n > 3 && !strcmp(column + n - 3, "_ms")) || !strcmp(column, "fps");
}

/*
 * Of a cell's rows that may count and have the number, those that do: of each seed of a mean and each team one, by its preference.
 * 'others' is what must be the same in all of them.  A value may have an index: "segments", "useful_pct[3]".
 */
static enum bench_status ask_rows(const struct claim_lookup *l, const struct claim_cell *cell,
                                  const struct question *q, bool is_value, sqlite3_stmt **rows)
{
    const char *const column = store_column(cell->column), *const impl =
                                                               wanted_of(cell, "impl");
    struct text sql = {0}, number = {0};

    if (is_value)
        text_add(&number, "SELECT value FROM value WHERE measurement = c.id AND name = ?5 "
                          "AND idx IS ?6 ORDER BY value.rowid LIMIT 1");
    else if (store_has_column(l->machine->store, "repeated", column))
        query_add(&number,
                  "SELECT coalesce(o.\"%w\", m.\"%w\") FROM measurement AS m "
                  "LEFT JOIN repeated AS o USING (id) WHERE m.id = c.id",
                  column, column);
    else
        query_add(&number, "SELECT \"%w\" FROM measurement AS m WHERE m.id = c.id", column);
    text_format(&sql,
                "SELECT *, max(preference) FROM (SELECT *, (%s) AS number, "
                "picked(traits, ?7, 1) AS team, "
                "picked(traits, ?7 || '%sthreads;sms', 0) AS others, "
                "gpu GLOB lower(?8) OR cpu GLOB lower(?8) AS is_home "
                "FROM countable AS c WHERE %s" OF_PART
                " AND fits(traits, ?4) = ?9 AND session = coalesce(?10, session)%s) "
                "WHERE (number + 0 <> 0 OR number IN (0, '0'))%s%s GROUP BY team, others "
                "ORDER BY %s",
                number.data ? number.data : "", is_value ? "scope;series;lap;transfer;" : "",
                strpbrk(q->source, "*?[") ? OF_EXPERIMENTS : "experiment = ?1",
                impl && strcmp(impl, "*") != 0 ? " AND impl = ?11" : "",
                l->board ? " AND NOT is_home" : "", l->as_clock ? " AND mhz > 0" : "",
                is_best(cell) ? "session DESC, number LIMIT 1"
                              : "quantile(id, 0)"); /* the first row */
    sql.failed |= number.failed;
    text_free(&number);
    TRY(claim_ask(l->machine->store, &sql, rows));
    bind_question(*rows, l, cell, q);
    return BENCH_OK;
}

/* The columns of 'countable', and what ask_rows() adds. */
enum { EXPERIMENT, CONFIGURATION, IMPL, STAGE, SMS, SM_COUNT, TRAITS, N_GOOD, NEWEST, BECAME };
enum { ID = BECAME + 1, PREFERENCE, SESSION, ROW_ID, COMMIT, SCOPE, RAN_ON, GPU, CPU, CUT_TO };
enum { IS_POOR = CUT_TO + 1, IS_OUTSIDE, IS_ONCE, N_PROCESSES, MHZ, LOW, HIGH };
enum { NUMBER = HIGH + 1, TEAM, OTHERS, IS_HOME };

/* The mean of the rows so far.  The range of one is its noise; of several what their scatter gives, at 95 % by Student. */
static void add_to_mean(struct claim_answer *a, int n, const struct claim_value *one)
{
    static const double student[] = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26};
    const int n_student = (int)(sizeof student / sizeof *student);
    const double *number;
    double mean = 0, squares = 0, half;

    text_bytes(&a->numbers, &one->value, sizeof one->value);
    number = (const double *)(void *)a->numbers.data;
    a->value = *one;
    if (n == 1 || a->numbers.failed)
        return;
    for (int i = 0; i < n; i++)
        mean += number[i] / n;
    for (int i = 0; i < n; i++)
        squares += (number[i] - mean) * (number[i] - mean);
    half = student[n - 2 < n_student ? n - 2 : n_student - 1] * sqrt(squares / (n - 1) / n);
    a->value = (struct claim_value){.value = mean, .low = mean - half, .high = mean + half};
}

/* The number of a row, and of a time the range in which it lies, at the board's clock where that is asked for. */
static struct claim_value number_of(const struct claim_lookup *l, const char *column,
                                    sqlite3_stmt *row)
{
    const double number = sqlite3_column_double(row, NUMBER),
                 mhz = sqlite3_column_double(row, MHZ);
    double factor = 1;
    struct claim_value one;

    if (l->as_clock)
        factor = !strcmp(column, "fps") ? l->board->mhz / mhz : mhz / l->board->mhz;
    one = claim_number(number * factor);
    if ((!strcmp(column, "mean_ms") || !strcmp(column, "median_ms")) && is_number(row, LOW) &&
        is_number(row, HIGH)) {
        one.low = fmin(one.value, factor * sqlite3_column_double(row, LOW));
        one.high = fmax(one.value, factor * sqlite3_column_double(row, HIGH));
    }
    return one;
}

static void remark_row(const struct claim_lookup *l, sqlite3_stmt *row, struct claim_answer *a)
{
    char number[TEXT_NUMBER], mhz[TEXT_NUMBER];

    if (a->seen.n >= MAX_SHOWN)
        return;
    text_format(&a->remark, "%s%s %s", a->seen.n ? ", " : " [rows ", text_at(row, SESSION),
                text_at(row, ROW_ID));
    if (sqlite3_column_int(row, N_PROCESSES) > 1)
        text_format(&a->remark, ", median of %d processes",
                    sqlite3_column_int(row, N_PROCESSES));
    if (!l->as_clock)
        return;
    text_short_number(number, sqlite3_column_double(row, NUMBER), 6);
    text_number(mhz, sqlite3_column_double(row, MHZ));
    text_format(&a->remark, ": %s at %s MHz", number, mhz);
}

/* One more row, as the first one is in all that 'others' names. */
static void add_row(const struct claim_lookup *l, const char *column, sqlite3_stmt *row,
                    struct claim_answer *a)
{
    const struct claim_value number = number_of(l, column, row);
    struct claim_seen one = {.n = 1,
                             .n_outside = sqlite3_column_int(row, IS_OUTSIDE),
                             .single = is_time(column) && sqlite3_column_int(row, IS_ONCE),
                             .poor = sqlite3_column_int(row, IS_POOR),
                             .elsewhere = !l->board && !sqlite3_column_int(row, IS_HOME)};

    if (a->seen.n == 0)
        text_add(&a->others, text_at(row, OTHERS));
    else if (traits_differ(a->others.data, text_at(row, OTHERS), a->trait))
        return;
    snprintf(one.commit, sizeof one.commit, "%s", text_at(row, COMMIT));
    snprintf(one.session, sizeof one.session, "%s", text_at(row, SESSION));
    snprintf(one.scope, sizeof one.scope, "%s",
             store_field_in_file("scope", text_at(row, SCOPE)));
    if (!l->board)
        snprintf(one.device, sizeof one.device, "%s", text_at(row, RAN_ON));
    else
        snprintf(one.device, sizeof one.device,
                 l->as_clock ? "%s SMs of %.100s as at %d MHz" : "%s SMs of %.100s",
                 text_at(row, CUT_TO), text_at(row, RAN_ON), l->board->mhz);
    remark_row(l, row, a);
    see(&a->seen, &one);
    add_to_mean(a, a->seen.n, &number);
}

static enum bench_status find_measured(const struct claim_lookup *l,
                                       const struct claim_cell *cell, struct claim_answer *a)
{
    struct store *const store = l->machine->store;
    const struct question q = question_of(l, cell);
    const bool is_value = !store_has_column(store, "measurement", store_column(cell->column));
    sqlite3_stmt *row;
    bool any = true;
    enum bench_status status;

    TRY(check_keys(store, "measurement", "rows", cell, l->file->path, l->fact->line));
    TRY(ask_rows(l, cell, &q, is_value, &row));
    while (!(status = store_row(store, row, &any)) && any)
        add_row(l, cell->column, row, a);
    sqlite3_reset(row);
    TRY(status);
    if (is_value)
        a->seen.scope[0] = '\0';
    if (*q.over && !is_best(cell)) /* what ran once has no noise that anybody knows */
        a->seen.single = true;
    a->seen.single &= a->seen.n == 1;
    if (a->seen.n > MAX_SHOWN)
        text_format(&a->remark, ", ... %d in all", a->seen.n);
    if (a->seen.n_outside > 0)
        text_format(&a->remark, ", %d of them outside the reference's scatter",
                    a->seen.n_outside);
    text_format(&a->remark, "; %s]", a->seen.device);
    if (*a->trait)
        a->value = claim_missing("rows that differ in %s: %.150s", a->trait, cell->text);
    else if (a->seen.n == 0 && l->session)
        a->value = claim_missing("not in %s", l->session);
    else if (a->seen.n == 0)
        TRY(nothing_for(l, cell, &q, &a->value));
    return BENCH_OK;
}

/* ---- counters ---- */

/* The newest kernel that fits; two of one run are a cell that names too little. */
static enum bench_status find_counter(const struct claim_lookup *l,
                                      const struct claim_cell *cell, struct claim_answer *a)
{
    enum { GPU_NAME, COMMIT_HASH, HOME, COUNT, UTC, KERNEL, N };
    struct store *const store = l->machine->store;
    const struct question q = question_of(l, cell);
    struct text sql = {0};
    sqlite3_stmt *row;
    enum bench_status status;
    bool any;

    a->value = claim_missing("no counters of %s here", cell->source);
    if (!store_has_column(store, "counter", "stage")) /* no file of a profiler was read */
        return BENCH_OK;
    TRY(check_keys(store, "counter", "counters", cell, l->file->path, l->fact->line));
    query_add(
        &sql,
        "SELECT gpu, commit_hash, lower(coalesce(gpu, '')) GLOB lower(?8), \"%w\", utc, "
        "kernel, count(*) FROM counter WHERE experiment GLOB '' || ?1 AND sms IS NULL AND "
        "fits(';impl=' || impl || ';input=' || coalesce(input, '') || ';stage=' || stage "
        "|| ';kernel=' || kernel || ';' || coalesce(keys, '') || ';', ?4) = ?9 "
        "GROUP BY utc ORDER BY utc DESC LIMIT 1",
        cell->column);
    TRY(claim_ask(store, &sql, &row));
    bind_question(row, l, cell, &q);
    status = store_row(store, row, &any);
    if (sqlite3_column_int(row, N) > 1) {
        a->value =
            claim_missing("%d kernels fit %.150s", sqlite3_column_int(row, N), cell->text);
    } else if (any && !is_number(row, COUNT)) {
        a->value = claim_missing("no %s in the counters of %s", cell->column, cell->source);
    } else if (any) {
        a->seen.n = 1;
        a->seen.elsewhere = !sqlite3_column_int(row, HOME);
        snprintf(a->seen.device, sizeof a->seen.device, "%s", text_at(row, GPU_NAME));
        snprintf(a->seen.commit, sizeof a->seen.commit, "%s", text_at(row, COMMIT_HASH));
        a->value = claim_number(sqlite3_column_double(row, COUNT));
        text_format(&a->remark, " [counters %s, %.60s; %s]", text_at(row, UTC),
                    text_at(row, KERNEL), a->seen.device);
    }
    sqlite3_reset(row);
    return status;
}

/* ---- one cell ---- */

static int by_question(const void *a, const void *b)
{
    return strcmp(((const struct claim_answer *)a)->asked,
                  ((const struct claim_answer *)b)->asked);
}

void claim_free_answer(void *answer)
{
    struct claim_answer *a = answer;

    text_free(&a->numbers);
    text_free(&a->others);
    text_free(&a->remark);
    free(a->asked);
    free(a);
}

/* What was found when the same was asked before, else what is found now. */
static enum bench_status answer(const struct claim_lookup *l, const struct claim_cell *cell,
                                const struct claim_answer **found)
{
    static enum bench_status (*const find[])(
        const struct claim_lookup *, const struct claim_cell *,
        struct claim_answer *) = {[CELL_PAPER] = find_printed,
                                  [CELL_OURS] = find_measured,
                                  [CELL_COUNTERS] = find_counter};
    void **const answers =
        cell->kind == CELL_PAPER ? &l->claims->answers : &l->machine->answers;
    const struct claim *const c = l->claim;
    struct claim_answer *a = calloc(1, sizeof *a), **same;
    enum bench_status status = BENCH_OK;

    if (a && asprintf(&a->asked, "%s|%s|%s|%d|%d|%s", cell->text, l->session ? l->session : "",
                      l->board ? l->board->text : "", l->as_clock, c && c->exact,
                      c && c->hardware ? c->hardware : "") < 0)
        a->asked = NULL;
    same = a && a->asked ? tsearch(a, answers, by_question) : NULL;
    if (!same) {
        free(a);
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the cell of a claim");
    }
    *found = *same;
    if (*same == a) {
        status = find[cell->kind](l, cell, a);
        a->remark.failed |= a->others.failed || a->numbers.failed;
        status = status ? status : text_ok(&a->remark);
        if (status)
            tdelete(a, answers, by_question);
    }
    if (status || *found != a)
        claim_free_answer(a);
    return status;
}

/* The mean over the alternatives of filter 'at', "a|b|c", each of which must be there. */
static enum bench_status find_mean(struct claim_lookup *l, const struct claim_cell *cell,
                                   int at, struct claim_value *value)
{
    struct claim_cell one = *cell;
    struct claim_value more, sum = claim_number(0);
    char list[200], name[500], *rest = list;
    int n = 0;

    snprintf(list, sizeof list, "%s", cell->wanted[at]);
    one.text = name;
    for (; (one.wanted[at] = strsep(&rest, "|")) != NULL; n++) {
        if (++l->steps > CLAIM_MAX_STEPS)
            return CLAIM_REFUSE(l, "a claim of more than %d steps", CLAIM_MAX_STEPS);
        snprintf(name, sizeof name, "%s: %s=%s", cell->text, cell->key[at], one.wanted[at]);
        TRY(claim_find_cell(l, &one, &more));
        sum = claim_combine('+', &sum, &more);
    }
    more = claim_number(n);
    *value = claim_combine('/', &sum, &more);
    return BENCH_OK;
}

enum bench_status claim_find_cell(struct claim_lookup *l, const struct claim_cell *cell,
                                  struct claim_value *value)
{
    const struct claim_answer *a = NULL;

    for (int i = 0; i < cell->n_filters; i++)
        if (strchr(cell->wanted[i], '|'))
            return find_mean(l, cell, i, value);
    if (l->only_paper && cell->kind != CELL_PAPER)
        return CLAIM_REFUSE(l, "expected printed numbers alone in 'paper', found %s",
                            cell->text);
    if (l->claim && l->claim->board.n_sms && cell->kind != CELL_PAPER &&
        (cell->kind == CELL_COUNTERS || !is_time(cell->column)))
        return CLAIM_REFUSE(l, "expected times alone in a scaled claim, found %s", cell->text);
    if (cell->kind != CELL_PAPER && (!l->machine || l->absent)) {
        *value = claim_missing(l->machine ? "not in that session" : "no results were given");
        return BENCH_OK;
    }
    TRY(answer(l, cell, &a));
    *value = a->value;
    if (*a->trait)
        return BENCH_OK;
    l->absent = l->session && cell->kind == CELL_OURS && a->seen.n == 0;
    if (cell->kind == CELL_OURS)
        see_scope(&l->seen, wanted_of(cell, "scope"));
    see(&l->seen, &a->seen);
    claim_log(l->log, cell->text, value, "%s", a->remark.data);
    return BENCH_OK;
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

enum bench_status claim_machine_read(const char *folder, FILE *notes,
                                     struct claim_machine *machine)
{
    char printed[4400];
    enum bench_status status;

    snprintf(printed, sizeof printed, "%s/results/paper", bench_home());
    *machine = (struct claim_machine){.name = claim_machine_name(folder)};
    if (!machine->name)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for results");
    status = store_read_files(&(struct store_files){&folder, 1, false, printed, NULL}, notes,
                              &machine->store);
    if (!status && (sqlite3_create_function(store_database(machine->store), "picked", 3,
                                            SQLITE_UTF8, NULL, picked, NULL, NULL) ||
                    sqlite3_create_function(store_database(machine->store), "fits", 2,
                                            SQLITE_UTF8, NULL, fits, NULL, NULL)))
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
    tdestroy(machine->answers, claim_free_answer);
    table_free(&machine->sessions);
    store_close(machine->store);
    free(machine->name);
    *machine = (struct claim_machine){0};
}

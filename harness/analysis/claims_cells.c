/*
 * claims_cells.c - the cells of a claim: numbers that a paper prints, and the rows of a machine
 *
 * A printed number must be there, once: a slip in a claim file is an error.  A measured row may
 * be missing.  Which of several counts is decided by its preference, as for figures.  Its range
 * is its noise: the interval that the row states, or what the scatter of seeds gives.
 */
#include "harness/analysis/claims_private.h"
#include "harness/analysis/query.h"
#include "harness/base/stats.h"
#include "harness/base/build.h"
#include "harness/measure/impl.h"

#include "cell_sql.h"
#include "claims_sql.h"

#include <fnmatch.h>
#include <libgen.h>
#include <math.h>
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

/* ---- what cells ask ---- */

/* What a cell comes to. */
struct claim_answer {
    struct claim_value value;
    struct claim_seen seen;
    char remark[500]; /* of an explanation */
};

static const char *wanted_of(const struct claim_cell *cell, const char *column)
{
    for (int i = 0; i < cell->n_filters; i++)
        if (!strcmp(cell->key[i], column))
            return cell->wanted[i];
    return NULL;
}

static bool is_best(const struct claim_cell *cell)
{
    const char *threads = wanted_of(cell, "threads");

    return threads && !strcmp(threads, "best");
}

/* seed=*: the mean over all; threads=best: the least of all teams.  (frame_pick=best is a case.) */
static bool is_over(const struct claim_cell *cell, int i)
{
    return !strcmp(cell->wanted[i], "*") || (!strcmp(cell->key[i], "threads") && is_best(cell));
}

/* Whether a column is a time, and no value or setting. */
static bool is_time(const char *column)
{
    const size_t n = strlen(column);

    return (n > 3 && !strcmp(column + n - 3, "_ms")) || !strcmp(column, "fps");
}

/* Whether it is no column of rows. */
static bool is_value(const struct claim_lookup *l, const struct claim_cell *cell)
{
    return cell->kind == CELL_OURS && l->machine &&
           !store_has_column(l->machine->store, "measurement", cell->column);
}

/* A part of a run and of the GPU are meant only where the cell says so. */
static const char fitting[] =
    "INSERT OR IGNORE INTO fitting SELECT :text || :board, configuration, "
    "picked(traits, :mean_of, 1), picked(traits, :mean_of || :but, 0) FROM taken "
    "WHERE experiment IN (SELECT experiment FROM experiment "
    "WHERE experiment GLOB '' || :source) "
    "AND impl BETWEEN coalesce(:impl, '') AND coalesce(:impl, x'') " /* behind all texts */
    "AND (:stage OR stage IS NULL) AND CASE WHEN :sms IS NULL THEN sms IS NULL "
    "ELSE coalesce(sms, sm_count) = :sms END AND misses(traits, :wanted) = ''";

/* The question of a kind of cell: one row, with the columns of read_answer(). */
static void add_question(const struct claim_lookup *l, const struct claim_cell *cell,
                         struct text *sql)
{
    const char *const column = cell->column;
    struct text number = {0};

    if (cell->kind == CELL_COUNTERS)
        query_add(sql,
                  "SELECT 1, number, 0, number, number, 0, 0, 0, "
                  "NOT lower(coalesce(gpu, '')) GLOB lower(:hardware), 0, 0, commit_hash, '', "
                  "gpu, '', printf(' [counters %%s, %%.60s', utc, kernel), "
                  "CASE WHEN count(*) > 1 "
                  "THEN printf('undecided: %%d kernels fit %%.150s', count(*), :text) "
                  "WHEN typeof(number) NOT IN ('integer', 'real') "
                  "THEN printf('cannot be run: no %%s in the counters of %%s', :name, :source) "
                  "END "
                  "FROM (SELECT *, \"%w\" AS number FROM counter "
                  "WHERE experiment GLOB '' || :source AND sms IS NULL AND "
                  "misses(';impl=' || impl || ';input=' || coalesce(input, '') || ';stage=' || "
                  "coalesce(stage, '') || ';kernel=' || kernel || ';' || coalesce(keys, '') || "
                  "';', :wanted) "
                  /* of a GPU that a kernel was but compiled for, there are registers alone */
                  "= '') GROUP BY utc HAVING number <> '' OR gpu NOT GLOB 'sm_*' "
                  "ORDER BY utc DESC LIMIT 1",
                  cell->column);
    else if (is_value(l, cell))
        text_add(&number, "(SELECT value FROM value WHERE measurement = r.id AND "
                          "name = :column AND idx IS :index)");
    else if (store_has_column(l->machine->store, "countable", column))
        query_add(&number, "r.\"%w\"", column);
    else /* that few cells name */
        query_add(&number, "(SELECT \"%w\" FROM measurement WHERE id = r.id)", column);
    if (cell->kind == CELL_OURS)
        text_format(
            sql,
            "WITH candidate AS (SELECT r.*, f.team, f.others, %s AS number "
            "FROM fitting AS f "
            "CROSS JOIN countable AS r ON r.configuration = f.configuration "
            "WHERE f.cell = :text || :board AND r.preference IS NOT NULL "
            "AND r.session BETWEEN coalesce(:session, '') AND coalesce(:session, x'')),\n",
            number.data);
    if (cell->kind == CELL_OURS)
        text_bytes(sql, cell_sql, sizeof cell_sql);
    sql->failed |= number.failed;
    text_free(&number);
}

void claim_bind(sqlite3_stmt *statement, const char *name, const char *text)
{
    sqlite3_bind_text(statement, sqlite3_bind_parameter_index(statement, name), text, -1,
                      SQLITE_TRANSIENT);
}

/* Which traits rows must have, and over which they are the mean.  The clock of a cut GPU stands
 * for the power mode. */
static void bind_traits(sqlite3_stmt *statement, const struct claim_lookup *l,
                        const struct claim_cell *cell)
{
    const bool is_ours = cell->kind == CELL_OURS;
    struct text wanted = {0}, over = {0};

    text_add(&wanted, ";");
    text_add(&over, "");
    for (int i = 0; i < cell->n_filters; i++) {
        const char *const key = cell->key[i];
        const bool is_any =
            is_over(cell, i) || !strcmp(key, "sms") || (l->board && !strcmp(key, "mode_name"));

        text_format(&wanted, "%s=%s;", key, is_ours && is_any ? "*" : cell->wanted[i]);
        if (is_over(cell, i))
            text_format(&over, "%s;", key);
    }
    claim_bind(statement, ":wanted", wanted.data);
    claim_bind(statement, ":mean_of", over.data);
    text_free(&wanted);
    text_free(&over);
}

/* A GPU that is cut has its rows in PAPER/cut. */
static void bind_question(sqlite3_stmt *statement, const struct claim_lookup *l,
                          const struct claim_cell *cell)
{
    const char *const sms = l->board ? l->board->cut : wanted_of(cell, "sms");
    const char *const hardware = l->claim ? l->claim->hardware : NULL;
    const char *const index = strchr(cell->column, '['), *const impl = wanted_of(cell, "impl");
    const struct bench_impl *const variant = impl ? bench_find_impl(impl) : NULL;
    const bool is_home =
        !hardware || !l->machine || !fnmatch(hardware, l->machine->name, FNM_CASEFOLD);
    const struct {
        const char *name;
        double number;
        bool is_null;
    } numbers[] = {
        {":stage", wanted_of(cell, "stage") != NULL, false},
        {":best", is_best(cell), false},
        {":is_time", is_time(cell->column), false},
        {":is_value", is_value(l, cell), false},
        {":cut", l->board != NULL, false},
        {":lacks_gpu",
         variant && variant->target == BENCH_CUDA && l->machine && !l->machine->has_gpu, false},
        {":index", index ? atoi(index + 1) : 0, !index},
        {":mhz", l->board ? l->board->mhz : 0, !l->as_clock}};
    char source[64], column[CLAIM_MAX_CELL];

    sqlite3_clear_bindings(statement);
    snprintf(source, sizeof source, l->board ? "%.*s/cut" : "%.*s",
             (int)(l->board ? strcspn(cell->source, "/") : strlen(cell->source)), cell->source);
    snprintf(column, sizeof column, "%.*s", (int)strcspn(cell->column, "["), cell->column);
    claim_bind(statement, ":source", source);
    claim_bind(statement, ":text", cell->text);
    claim_bind(statement, ":board", l->board ? l->board->cut : "");
    claim_bind(statement, ":name", cell->column);
    claim_bind(statement, ":column", column);
    claim_bind(statement, ":session", l->session);
    claim_bind(statement, ":impl", impl && strcmp(impl, "*") != 0 ? impl : NULL);
    claim_bind(statement, ":hardware", is_home ? "*" : hardware);
    claim_bind(statement, ":but",
               is_value(l, cell) ? "scope;series;stage;transfer;threads;sms" : "threads;sms");
    store_bind_field(statement, sqlite3_bind_parameter_index(statement, ":sms"),
                     sms && strcmp(sms, "all") != 0 ? sms : NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!numbers[i].is_null)
            sqlite3_bind_double(statement,
                                sqlite3_bind_parameter_index(statement, numbers[i].name),
                                numbers[i].number);
    bind_traits(statement, l, cell);
}

/* ---- what they come to ---- */

static const char *text_at(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);

    return text ? (const char *)text : "";
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

/* The columns of a question's row. */
enum { N_ROWS, VALUE, DEVIATION, LOW, HIGH, N_OUTSIDE, SINGLE, POOR, ELSEWHERE, MIXED };
enum { SEVERAL = MIXED + 1, COMMIT, SESSION, DEVICE, SCOPE, REMARK, WHY };

/* The first lines of what the explanation says of rows. */
static void add_remark(const char *rows, struct claim_answer *a)
{
    struct text remark = {0};
    size_t n;

    for (int i = 0; *rows && i < MAX_SHOWN; i++, rows += n + (rows[n] == '\n')) {
        n = strcspn(rows, "\n");
        text_add(&remark, i ? ", " : "");
        text_bytes(&remark, rows, n);
    }
    if (a->seen.n > MAX_SHOWN)
        text_format(&remark, ", ... %d in all", a->seen.n);
    if (a->seen.n_outside > 0)
        text_format(&remark, ", %d of them outside the reference's scatter", a->seen.n_outside);
    if (*a->seen.device)
        text_format(&remark, "; %s]", a->seen.device);
    snprintf(a->remark, sizeof a->remark, "%s", remark.data ? remark.data : "");
    text_free(&remark);
}

/* The range of a mean over several rows is what their scatter gives, at 95 % by Student. */
static void read_answer(sqlite3_stmt *row, struct claim_answer *a)
{
    const int n = sqlite3_column_int(row, N_ROWS);
    const double value = sqlite3_column_double(row, VALUE);

    a->seen = (struct claim_seen){.n = n,
                                  .n_outside = sqlite3_column_int(row, N_OUTSIDE),
                                  .single = sqlite3_column_int(row, SINGLE),
                                  .poor = sqlite3_column_int(row, POOR),
                                  .elsewhere = sqlite3_column_int(row, ELSEWHERE),
                                  .mixed = sqlite3_column_int(row, MIXED),
                                  .several = sqlite3_column_int(row, SEVERAL)};
    snprintf(a->seen.commit, sizeof a->seen.commit, "%s", text_at(row, COMMIT));
    snprintf(a->seen.session, sizeof a->seen.session, "%s", text_at(row, SESSION));
    snprintf(a->seen.device, sizeof a->seen.device, "%s", text_at(row, DEVICE));
    snprintf(a->seen.scope, sizeof a->seen.scope, "%s", text_at(row, SCOPE));
    add_remark(text_at(row, REMARK), a);
    a->value = (struct claim_value){.value = value,
                                    .low = sqlite3_column_double(row, LOW),
                                    .high = sqlite3_column_double(row, HIGH)};
    if (n > 1) {
        const double half =
            bench_student_95(n - 1) * sqlite3_column_double(row, DEVIATION) / sqrt(n);

        a->value.low = value - half;
        a->value.high = value + half;
    }
    if (*text_at(row, WHY))
        a->value = claim_missing("%s", text_at(row, WHY));
}

/* A count has no rounding; "0.32 s" is 320 ms: the unit of the last digit goes with it; "< 5"
 * and "5 or 6" are no rounded numbers. */
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

enum bench_status claim_ask_printed(struct claims *claims, const struct claim_cell *cell,
                                    const char *columns, const char *path, int line,
                                    sqlite3_stmt **statement)
{
    struct text sql = {0};
    enum bench_status status = BENCH_OK;

    text_format(&sql,
                "SELECT %s FROM printed WHERE paper || '/' || figure = ?1 AND name = "
                "coalesce(?2, name)",
                columns);
    for (int i = 0; i < cell->n_filters && !status; i++) {
        query_add(&sql, " AND instr('|' || ?%d || '|', '|' || coalesce(\"%w\", '') || '|')",
                  i + 3, cell->key[i]);
        if (!store_has_column(claims->store, "printed", cell->key[i]))
            status = claim_refuse(path, line, "%s: printed numbers have no column '%s'",
                                  cell->text, cell->key[i]);
    }
    text_add(&sql, " ORDER BY rowid");
    if (!status)
        status = text_ok(&sql);
    if (!status)
        status = store_kept(claims->store, sql.data, statement);
    text_free(&sql);
    TRY(status);
    sqlite3_reset(*statement);
    sqlite3_bind_text(*statement, 1, cell->source, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(*statement, 2, cell->column, -1, SQLITE_TRANSIENT);
    for (int i = 0; i < cell->n_filters; i++)
        sqlite3_bind_text(*statement, i + 3, cell->wanted[i], -1, SQLITE_TRANSIENT);
    return BENCH_OK;
}

/* A printed number is there, once, and is no row that was seen. */
static enum bench_status find_printed(const struct claim_lookup *l,
                                      const struct claim_cell *cell, struct claim_answer *a)
{
    enum { DIGITS = VALUE + 1, UNIT, PLACE, OF };
    sqlite3_stmt *row;
    bool any;
    enum bench_status status = BENCH_OK;

    TRY(claim_ask_printed(
        l->claims, cell,
        "count(*), CASE read WHEN 'derived' THEN NULL ELSE value END, printed, unit, "
        "place, scope",
        l->file->path, l->fact->line, &row));
    TRY(store_row(l->claims->store, row, &any));
    if (sqlite3_column_int(row, N_ROWS) != 1) {
        status = CLAIM_REFUSE(l, "expected one printed number for %s, found %d", cell->text,
                              sqlite3_column_int(row, N_ROWS));
    } else if (sqlite3_column_type(row, VALUE) == SQLITE_NULL) {
        status = CLAIM_REFUSE(
            l, "%s is not printed as a number but '%s': take the numbers it comes from",
            cell->text, text_at(row, DIGITS));
    } else {
        a->value = claim_number(sqlite3_column_double(row, VALUE));
        if (!l->claim || !l->claim->exact)
            add_rounding(&a->value, text_at(row, DIGITS), text_at(row, UNIT));
        snprintf(a->seen.scope, sizeof a->seen.scope, "%s", text_at(row, OF));
        snprintf(a->remark, sizeof a->remark, " %s [%s]", text_at(row, UNIT),
                 text_at(row, PLACE));
    }
    sqlite3_reset(row);
    return status;
}

/* The statement with what the cell says. */
static enum bench_status prepare(struct store *store, const char *sql,
                                 const struct claim_lookup *l, const struct claim_cell *cell,
                                 sqlite3_stmt **statement)
{
    TRY(store_kept(store, sql, statement));
    bind_question(*statement, l, cell);
    return BENCH_OK;
}

/* A number of measured rows, or of a profiler's. */
static enum bench_status find(const struct claim_lookup *l, const struct claim_cell *cell,
                              struct claim_answer *a)
{
    const bool is_counter = cell->kind == CELL_COUNTERS;
    struct store *const store = l->machine->store;
    struct text sql = {0};
    sqlite3_stmt *row;
    enum bench_status status;
    bool any;

    a->value = l->machine->has_gpu
                   ? claim_missing(CLAIM_NO_ROW "no counters of %s here", cell->source)
                   : claim_missing("other hardware: no row of a GPU is here");
    if (is_counter && !store_has_column(store, "counter", "stage"))
        return BENCH_OK; /* no file of a profiler was read */
    for (int i = 0; i < cell->n_filters; i++)
        if (!store_has_column(store, "measurement", cell->key[i]) &&
            !(is_counter && store_has_column(store, "counter", cell->key[i])))
            return CLAIM_REFUSE(l, "%s: %s have no column '%s'", cell->text,
                                is_counter ? "counters" : "rows", cell->key[i]);
    if (!is_counter && !l->session) { /* those of a session are among those of all */
        TRY(prepare(store, fitting, l, cell, &row));
        TRY(store_step(store, row));
    }
    add_question(l, cell, &sql);
    status = text_ok(&sql);
    if (!status)
        status = prepare(store, sql.data, l, cell, &row);
    text_free(&sql);
    TRY(status);
    status = store_row(store, row, &any);
    if (!status && any)
        read_answer(row, a);
    sqlite3_reset(row);
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
    struct claim_answer a = {.seen = {0}};

    for (int i = 0; i < cell->n_filters; i++)
        if (strchr(cell->wanted[i], '|'))
            return find_mean(l, cell, i, value);
    if (l->only_paper && cell->kind != CELL_PAPER)
        return CLAIM_REFUSE(l, "expected printed numbers alone in 'paper', found %s",
                            cell->text);
    if (l->claim && l->claim->board.n_sms && cell->kind != CELL_PAPER &&
        (cell->kind == CELL_COUNTERS || !is_time(cell->column)))
        return CLAIM_REFUSE(l, "expected times alone in a scaled claim, found %s", cell->text);
    l->seen.of_run |= cell->kind == CELL_COUNTERS ||
                      (cell->kind == CELL_OURS &&
                       store_has_column(l->claims->store, "measurement", cell->column));
    if (cell->kind != CELL_PAPER && (!l->machine || l->absent)) {
        *value = claim_missing(l->machine ? CLAIM_NO_ROW "not in that session"
                                          : CLAIM_NO_ROW "no results were given");
        return BENCH_OK;
    }
    TRY((cell->kind == CELL_PAPER ? find_printed : find)(l, cell, &a));
    *value = a.value;
    l->absent = l->session && cell->kind == CELL_OURS && a.seen.n == 0;
    if (cell->kind == CELL_OURS)
        see_scope(&l->seen, wanted_of(cell, "scope"));
    see(&l->seen, &a.seen);
    claim_log(l->log, cell->text, value, "%s", a.remark);
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
    struct table gpu = {0};
    enum bench_status status;

    snprintf(printed, sizeof printed, "%s/results/paper", bench_home());
    *machine = (struct claim_machine){.name = claim_machine_name(folder)};
    if (!machine->name)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for results");
    status = store_read_files(&(struct store_files){&folder, 1, false, printed, NULL}, notes,
                              &machine->store);
    if (!status)
        status = store_execute(machine->store, claims_sql, sizeof claims_sql);
    if (!status)
        status =
            query_table(machine->store, "SELECT DISTINCT session FROM countable ORDER BY 1",
                        &machine->sessions);
    if (!status)
        status = query_table(machine->store,
                             "SELECT count(*) AS n FROM countable WHERE device = 'gpu'", &gpu);
    if (!status)
        machine->has_gpu = query_number(&gpu, 0, "n") > 0;
    table_free(&gpu);
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

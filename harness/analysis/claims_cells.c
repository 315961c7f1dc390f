/*
 * claims_cells.c - the cells of a claim: numbers that a paper prints, and the rows of a machine
 *
 * A printed number must be there, once: a slip in a claim file is an error.  A measured row may
 * be missing.  Which of several counts is decided by its preference, as for figures.  Its range
 * is its noise: the interval that the row states, or what the scatter of seeds gives.
 */
#include "harness/analysis/claims_private.h"
#include "harness/analysis/query.h"
#include "harness/measure/impl.h"

#include "cell_sql.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

/* ---- printed numbers ---- */

enum bench_status claim_ask_printed(struct claims *claims, const struct claim_cell *cell,
                                    const char *columns, const char *path, int line,
                                    sqlite3_stmt **statement)
{
    OWNED(text_free) struct text sql = {0};

    text_format(&sql, "SELECT %s FROM printed WHERE paper || '/' || figure = ?1 AND name = %s",
                columns, cell->column ? "?2" : "name");
    for (int i = 0; i < cell->n_filters; i++) {
        query_add(&sql, " AND instr('|' || ?%d || '|', '|' || coalesce(\"%w\", '') || '|')",
                  i + 3, cell->key[i]);
        if (!store_has_column(claims->store, "printed", cell->key[i]))
            return claim_refuse(path, line, "%s: printed numbers have no column '%s'",
                                cell->text, cell->key[i]);
    }
    text_add(&sql, cell->column ? "" : " AND read IS NOT 'derived' ORDER BY rowid");
    TRY(text_ok(&sql));
    TRY(store_kept(claims->store, sql.data, statement));
    sqlite3_reset(*statement);
    sqlite3_bind_text(*statement, 1, cell->source, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(*statement, 2, cell->column, -1, SQLITE_TRANSIENT);
    for (int i = 0; i < cell->n_filters; i++)
        sqlite3_bind_text(*statement, i + 3, cell->wanted[i], -1, SQLITE_TRANSIENT);
    return BENCH_OK;
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

static const char *text_at(sqlite3_stmt *row, int column)
{
    const unsigned char *const text = sqlite3_column_text(row, column);

    return text ? (const char *)text : "";
}

/* A printed number is there, once, and is no row that was seen. */
static enum bench_status find_printed(const struct claim_lookup *l,
                                      const struct claim_cell *cell, struct claim_value *value)
{
    enum { N_ROWS, VALUE, DIGITS, UNIT, SCOPE, REMARK };
    sqlite3_stmt *row = NULL, *scope = NULL;
    bool any = false;

    TRY(claim_ask_printed(
        l->claims, cell,
        "count(*), CASE read WHEN 'derived' THEN NULL ELSE value END, printed, unit, "
        "scope, ' ' || coalesce(unit, '') || ' [' || coalesce(place, '') || ']'",
        l->file->path, l->fact->line, &row));
    TRY(store_row(l->claims->store, row, &any));
    if (sqlite3_column_int(row, N_ROWS) != 1)
        return CLAIM_REFUSE(l, "expected one printed number for %s, found %d", cell->text,
                            sqlite3_column_int(row, N_ROWS));
    if (sqlite3_column_type(row, VALUE) == SQLITE_NULL)
        return CLAIM_REFUSE(
            l, "%s is not printed as a number but '%s': take the numbers it comes from",
            cell->text, text_at(row, DIGITS));
    *value = claim_number(sqlite3_column_double(row, VALUE));
    if (!l->claim || !l->claim->exact)
        add_rounding(value, text_at(row, DIGITS), text_at(row, UNIT));
    claim_log(l->log, cell->text, value, text_at(row, REMARK));
    const char *const given[][2] = {{":scope", text_at(row, SCOPE)}, {NULL, NULL}};
    TRY(claim_prepare(l->claims, "INSERT INTO seen (n, scope) VALUES (0, :scope)", given,
                      &scope));
    TRY(store_step(l->claims->store, scope));
    sqlite3_reset(row);
    return BENCH_OK;
}

/* ---- measured ones ---- */

static const char *wanted_of(const struct claim_cell *cell, const char *column)
{
    for (int i = 0; i < cell->n_filters; i++)
        if (!strcmp(cell->key[i], column))
            return cell->wanted[i];
    return NULL;
}

/* True if a column is a time, and no value or setting. */
static bool is_time(const char *column)
{
    return fnmatch("@(?*_ms|fps)", column, FNM_EXTMATCH) == 0;
}

/* Configurations by their traits.  A part of a run and of the GPU are meant only where the cell
 * says so. */
static const char fitting[] =
    "INSERT OR IGNORE INTO fitting SELECT :machine || :board || :text, configuration, "
    "picked(traits, :mean_of, 1), picked(traits, :mean_of || :but, 0) FROM taken "
    "WHERE NOT EXISTS (SELECT 1 FROM fitting WHERE cell = :machine || :board || :text) "
    "AND results = :machine AND experiment IN (SELECT experiment FROM experiment "
    "WHERE results = :machine AND experiment GLOB '' || :source) "
    "AND impl BETWEEN coalesce(:impl, '') AND coalesce(:impl, x'') " /* behind all texts */
    "AND (:stage OR stage IS NULL) AND CASE WHEN :sms IS NULL THEN sms IS NULL "
    "ELSE coalesce(sms, sm_count) = :sms + 0 END AND misses(traits, :wanted) = ''";

/* The newest counters of a profiler; of a GPU that a kernel was but compiled for, there are
 * registers alone. */
static const char counted[] =
    "INSERT INTO seen (n, why, value, low, high, is_away, commit_hash, session, device, rows) "
    "SELECT 0, CASE WHEN EXISTS (SELECT 1 FROM countable WHERE results = :machine AND "
    "device = 'gpu') THEN 'not run yet: no counters of ' || :source || ' here' "
    "ELSE 'other hardware: no row of a GPU is here' END, 0, 0, 0, 0, '', '', '', '' "
    "UNION ALL SELECT * FROM (SELECT 1, "
    "CASE WHEN count(*) > 1 THEN printf('undecided: %%d kernels fit %%.150s', count(*), :text) "
    "WHEN typeof(number) NOT IN ('integer', 'real') "
    "THEN printf('cannot be run: no %%s in the counters of %%s', :name, :source) END, "
    "number, number, number, NOT lower(coalesce(gpu, '')) GLOB lower(:hardware), "
    "commit_hash, '', gpu, printf(' [counters %%s, %%.60s', utc, kernel) || "
    "coalesce('; ' || gpu || ']', '') "
    "FROM (SELECT *, \"%w\" AS number FROM counter "
    "WHERE results = :machine AND experiment GLOB '' || :source AND "
    "coalesce(sms, '') || '' = coalesce(:sms, '') AND "
    "misses(';impl=' || impl || ';gpu=' || coalesce(gpu, '') || ';sms=' || coalesce(sms, '') "
    "|| ';input=' || coalesce(input, '') || ';stage=' || "
    "coalesce(stage, '') || ';kernel=' || kernel || ';' || coalesce(keys, '') || ';', :wanted) "
    "= '') GROUP BY utc HAVING number <> '' OR gpu NOT GLOB 'sm_*' ORDER BY utc DESC LIMIT 1)";

/* The question of a kind of cell. */
static void add_question(const struct claim_lookup *l, const struct claim_cell *cell,
                         bool is_value, struct text *sql)
{
    static const char number[] = "{number}";
    const unsigned char *const at =
                                   memmem(cell_sql, sizeof cell_sql, number, sizeof number - 1),
                               *const behind = at + sizeof number - 1;

    if (cell->kind == CELL_COUNTERS) {
        query_add(sql, counted, cell->column);
        return;
    }
    text_bytes(sql, cell_sql, (size_t)(at - cell_sql));
    if (is_value)
        text_add(sql, "(SELECT value FROM value WHERE measurement = r.id AND name = :column "
                      "AND idx IS CAST(:index AS INTEGER))");
    else if (store_has_column(l->claims->store, "countable", cell->column))
        query_add(sql, "r.\"%w\"", cell->column);
    else /* that few cells name */
        query_add(sql, "(SELECT \"%w\" FROM measurement WHERE id = r.id)", cell->column);
    text_bytes(sql, behind, sizeof cell_sql - (size_t)(behind - cell_sql));
}

/* Adds the traits that rows must have, ";impl=a;seed=*;", and those over which a cell is the
 * mean: seed=*, or threads=best.  (frame_pick=best is a case.)  The clock of a cut GPU stands
 * for the power mode. */
static void add_traits(const struct claim_lookup *l, const struct claim_cell *cell,
                       struct text *wanted, struct text *over)
{
    text_add(wanted, ";");
    text_add(over, "");
    for (int i = 0; i < cell->n_filters; i++) {
        const char *const key = cell->key[i], *const value = cell->wanted[i];
        const bool is_over =
            !strcmp(value, "*") || (!strcmp(key, "threads") && !strcmp(value, "best"));
        const bool is_any =
            is_over || !strcmp(key, "sms") || (l->board && !strcmp(key, "mode_name"));

        text_format(wanted, "%s=%s;", key, cell->kind == CELL_OURS && is_any ? "*" : value);
        if (is_over)
            text_format(over, "%s;", key);
    }
    wanted->failed |= over->failed;
}

/* Runs a question about a cell: its row becomes one of 'seen'.  A GPU that is cut has its rows
 * in PAPER/cut. */
static enum bench_status ask(const struct claim_lookup *l, const struct claim_cell *cell,
                             bool is_value, const char *sql)
{
    static const char *const flag[] = {"0", "1"};
    const char *const sms = l->board ? l->board->cut : wanted_of(cell, "sms");
    const char *const hardware = l->claim ? l->claim->hardware : NULL;
    const char *const index = strchr(cell->column, '['), *const impl = wanted_of(cell, "impl");
    const struct bench_impl *const variant = impl ? bench_find_impl(impl) : NULL;
    const bool is_home = !hardware || !fnmatch(hardware, l->machine, FNM_CASEFOLD);
    OWNED(text_free) struct text wanted = {0};
    OWNED(text_free) struct text over = {0};
    char source[64], column[CLAIM_MAX_CELL];
    sqlite3_stmt *statement;

    add_traits(l, cell, &wanted, &over);
    TRY(text_ok(&wanted));
    snprintf(source, sizeof source, l->board ? "%.*s/cut" : "%.*s",
             (int)(l->board ? strcspn(cell->source, "/") : strlen(cell->source)), cell->source);
    snprintf(column, sizeof column, "%.*s", (int)strcspn(cell->column, "["), cell->column);
    const char *const given[][2] = {
        {":machine", l->machine},
        {":source", source},
        {":text", cell->text},
        {":board", l->board ? l->board->cut : ""},
        {":name", cell->column},
        {":column", column},
        {":index", index ? index + 1 : NULL},
        {":session", l->session},
        {":rule", l->claim ? l->claim->rule : NULL},
        {":scope", wanted_of(cell, "scope")},
        {":impl", claim_is(impl, "*") ? NULL : impl},
        {":hardware", is_home ? "*" : hardware},
        {":but", is_value ? "scope;series;stage;transfer;threads;sms" : "threads;sms"},
        {":sms", claim_is(sms, "all") ? NULL : sms},
        {":mhz", l->as_clock ? l->board->mhz : NULL},
        {":stage", flag[wanted_of(cell, "stage") != NULL]},
        {":best", flag[claim_is(wanted_of(cell, "threads"), "best")]},
        {":is_time", flag[is_time(cell->column)]},
        {":is_value", flag[is_value]},
        {":is_of_gpu", flag[variant && variant->target == BENCH_CUDA]},
        {":cut", flag[l->board != NULL]},
        {":log", flag[l->log != NULL]},
        {":wanted", wanted.data},
        {":mean_of", over.data},
        {NULL, NULL}};
    TRY(claim_prepare(l->claims, sql, given, &statement));
    return store_step(l->claims->store, statement);
}

/* A number of measured rows, or of a profiler's. */
static enum bench_status find(struct claim_lookup *l, const struct claim_cell *cell,
                              struct claim_value *value)
{
    struct store *const store = l->claims->store;
    const bool is_counter = cell->kind == CELL_COUNTERS;
    const bool is_value = !is_counter && !store_has_column(store, "measurement", cell->column);
    OWNED(text_free) struct text sql = {0};
    sqlite3_stmt *row;
    bool any;

    for (int i = 0; i < cell->n_filters; i++)
        if (!store_has_column(store, "measurement", cell->key[i]) &&
            !(is_counter && store_has_column(store, "counter", cell->key[i])))
            return CLAIM_REFUSE(l, "%s: %s have no column '%s'", cell->text,
                                is_counter ? "counters" : "rows", cell->key[i]);
    if (!is_counter)
        TRY(ask(l, cell, is_value, fitting));
    add_question(l, cell, is_value, &sql);
    TRY(text_ok(&sql));
    TRY(ask(l, cell, is_value, sql.data));
    TRY(store_kept(store,
                   "SELECT value, low, high, rows, why FROM seen "
                   "ORDER BY at DESC LIMIT 1",
                   &row));
    TRY(store_row(store, row, &any));
    *value = (struct claim_value){.value = sqlite3_column_double(row, 0),
                                  .low = sqlite3_column_double(row, 1),
                                  .high = sqlite3_column_double(row, 2)};
    if (*text_at(row, 4))
        *value = claim_missing("%s", text_at(row, 4));
    claim_log(l->log, cell->text, value, text_at(row, 3));
    sqlite3_reset(row);
    return BENCH_OK;
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
    for (int i = 0; i < cell->n_filters; i++)
        if (strchr(cell->wanted[i], '|'))
            return find_mean(l, cell, i, value);
    if (cell->kind == CELL_PAPER)
        return find_printed(l, cell, value);
    if (l->only_paper)
        return CLAIM_REFUSE(l, "expected printed numbers alone in 'paper', found %s",
                            cell->text);
    if (l->claim && *l->claim->board.cut &&
        (cell->kind == CELL_COUNTERS || !is_time(cell->column)))
        return CLAIM_REFUSE(l, "expected times alone in a scaled claim, found %s", cell->text);
    l->of_run |= cell->kind == CELL_COUNTERS ||
                 store_has_column(l->claims->store, "measurement", cell->column);
    if (l->machine)
        return find(l, cell, value);
    *value = claim_missing(CLAIM_NO_ROW "no results were given");
    return BENCH_OK;
}

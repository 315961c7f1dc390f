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

#include <assert.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void claim_log(struct text *log, const char *what, const struct claim_value *value,
               const char *remark)
{
    struct text line = {0};
    char number[3][TEXT_NUMBER];

    if (!log)
        return;
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
            remark);
    else if (value->low < value->high)
        text_format(&line, "= %s (%s to %s)%s\n", number[0], number[1][0] ? number[1] : "-inf",
                    number[2][0] ? number[2] : "inf", remark);
    else
        text_format(&line, "= %s%s\n", number[0], remark);
    if (line.data && (!log->data || !strstr(log->data, line.data))) /* each once */
        text_add(log, line.data);
    if (line.failed)
        log->failed = true;
    text_free(&line);
}

static bool fits(const char *found, const char *wanted)
{
    double a, b;

    if (!strcmp(found, wanted))
        return true;
    return text_to_number(found, &a) && text_to_number(wanted, &b) && !(a < b) && !(a > b);
}

/* ---- printed numbers ---- */

enum bench_status claim_read_paper(struct claims *claims, const char *source, const char *path,
                                   int line, const struct record_table **table)
{
    const size_t n = strcspn(source, "/");
    struct text file = {0};
    struct claim_paper *paper;
    enum bench_status status;

    for (int i = 0; i < claims->n_papers; i++)
        if (!strncmp(claims->paper[i].name, source, n) && !claims->paper[i].name[n]) {
            *table = &claims->paper[i].table;
            return BENCH_OK;
        }
    if (n != strspn(source, "abcdefghijklmnopqrstuvwxyz0123456789-") || n == 0 ||
        claims->n_papers == CLAIM_MAX_PAPERS)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected a paper before '/', found '%s'", path,
                          line, source);
    paper = &claims->paper[claims->n_papers];
    text_format(&file, "%s/%.*s.csv", claims->paper_folder, (int)n, source);
    TRY(text_ok(&file));
    status = record_read(file.data, false, &paper->table);
    if (status == BENCH_EIO)
        status = BENCH_FAIL(BENCH_EINPUT, "%s:%d: '%.*s' has no printed numbers: no %s", path,
                            line, (int)n, source, file.data);
    text_free(&file);
    TRY(status);
    paper->name = strndup(source, n);
    if (!paper->name) {
        record_table_free(&paper->table);
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for printed numbers");
    }
    claims->n_papers++;
    *table = &paper->table;
    return BENCH_OK;
}

bool claim_is_derived(const struct record_table *t, int row)
{
    return !strcmp(record_get(t, row, "read"), "derived");
}

bool claim_text_fits(const char *found, const char *wanted)
{
    char one[200];

    for (size_t n;; wanted += n + 1) {
        n = strcspn(wanted, "|");
        snprintf(one, sizeof one, "%.*s", (int)n, wanted);
        if (fits(found, one))
            return true;
        if (!wanted[n])
            return false;
    }
}

static bool printed_row_fits(const struct record_table *t, int row,
                             const struct claim_cell *cell)
{
    if (strcmp(record_get(t, row, "figure"), strchr(cell->source, '/') + 1) != 0 ||
        strcmp(record_get(t, row, "name"), cell->column) != 0)
        return false;
    for (int i = 0; i < cell->n_filters; i++)
        if (!fits(record_get(t, row, cell->key[i]), cell->wanted[i]))
            return false;
    return true;
}

static enum bench_status check_keys(const struct claim_lookup *l, const struct claim_cell *cell,
                                    const struct record_table *t)
{
    for (int i = 0; i < cell->n_filters; i++)
        if (record_column(t, cell->key[i]) < 0)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s: printed numbers have no column '%s'",
                              l->source->path, l->source->line, cell->text, cell->key[i]);
    return BENCH_OK;
}

static enum bench_status printed_number(const struct claim_lookup *l,
                                        const struct claim_cell *cell,
                                        const struct record_table *t, int row,
                                        struct claim_value *value)
{
    double number, shown, half_unit;
    bool is_count;
    const char *end;

    if (claim_is_derived(t, row) || !record_get_number(t, row, "value", &number))
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s:%d: %s is not printed as a number but '%s': take the numbers it "
                          "comes from",
                          l->source->path, l->source->line, cell->text,
                          record_get(t, row, "printed"));
    *value = claim_number(number);
    is_count = !*record_get(t, row, "unit") && !strchr(record_get(t, row, "printed"), '.');
    /* a count has no rounding; "0.32 s" is 320 ms: the unit of the last digit goes with it; "< 5" and "5 or 6" are no rounded numbers */
    if (!l->source->exact && !is_count &&
        claim_digits(record_get(t, row, "printed"), &shown, &half_unit, &end) &&
        fabs(shown) > 0 && strncmp(end, " or", 3) != 0) {
        half_unit *= fabs(number / shown);
        value->low = number - half_unit;
        value->high = number + half_unit;
    }
    return BENCH_OK;
}

static enum bench_status find_printed(struct claim_lookup *l, const struct claim_cell *cell,
                                      struct claim_value *value)
{
    const struct record_table *t = NULL;
    struct text remark = {0};
    int n = 0, row = 0;

    TRY(claim_read_paper(l->claims, cell->source, l->source->path, l->source->line, &t));
    TRY(check_keys(l, cell, t));
    for (int i = 0; i < t->n_rows; i++)
        if (printed_row_fits(t, i, cell) && ++n)
            row = i;
    if (n != 1)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected one printed number for %s, found %d",
                          l->source->path, l->source->line, cell->text, n);
    TRY(printed_number(l, cell, t, row, value));
    claim_add_scope(l, record_get(t, row, "scope"));
    text_format(&remark, " %s [%s]", record_get(t, row, "unit"), record_get(t, row, "where"));
    TRY(text_ok(&remark));
    claim_log(l->log, cell->text, value, remark.data);
    text_free(&remark);
    return BENCH_OK;
}

/* ---- measured rows ---- */

static const char *wanted_of(const struct claim_cell *cell, const char *column)
{
    for (int i = 0; i < cell->n_filters; i++)
        if (!strcmp(cell->key[i], column))
            return cell->wanted[i];
    return NULL;
}

/* seed=*: the mean over all. */
static bool is_mean_over(const struct claim_cell *cell, const char *column)
{
    const char *wanted = wanted_of(cell, column);

    return wanted && !strcmp(wanted, "*");
}

/* threads=best: the least of all teams.  (case=best is a case.) */
static bool is_best(const char *key, const char *wanted)
{
    return !strcmp(key, "threads") && wanted && !strcmp(wanted, "best");
}

/* ---- rows that fit ---- */

/* Whether a filter leaves rows out: not a mean over all, nor the best of all. */
static bool is_condition(const struct claim_cell *cell, int i)
{
    return strcmp(cell->wanted[i], "*") != 0 && strcmp(cell->key[i], "sms") != 0 &&
           !is_best(cell->key[i], cell->wanted[i]);
}

static bool is_of_part(const struct claim_cell *cell)
{
    const char *sms = wanted_of(cell, "sms");

    return sms && strcmp(sms, "all") != 0;
}

/* The same text or the same number: of the configuration, by which rows are found, or of the row. */
static void add_conditions(struct text *sql, const struct claim_cell *cell, int n)
{
    static const char *const found_by[] = {"impl", "input", "case", "scope", "series", "lap"};

    for (int i = 0; i < n; i++) {
        bool is_found = false;

        for (size_t k = 0; k < sizeof found_by / sizeof *found_by && !cell->counters; k++)
            is_found |= !strcmp(found_by[k], cell->key[i]) && *cell->wanted[i];
        if (is_condition(cell, i))
            text_format(
                sql, is_found ? " AND c.%s IN (?, ?)" : " AND coalesce(m.\"%s\", '') IN (?, ?)",
                store_column(cell->key[i]));
    }
}

static void bind_wanted(sqlite3_stmt *statement, int *at, const char *wanted)
{
    double number;

    sqlite3_bind_text(statement, ++*at, wanted, -1, SQLITE_TRANSIENT);
    ++*at;
    if (text_to_number(wanted, &number))
        sqlite3_bind_double(statement, *at, number);
    else
        sqlite3_bind_null(statement, *at);
}

/* What follows SELECT and its columns, with the cell's source, the first 'n' filters and the part of the GPU as parameters. */
static enum bench_status prepare(const struct claim_machine *m, struct text *sql,
                                 const struct claim_cell *cell, int n, int at,
                                 sqlite3_stmt **statement)
{
    enum bench_status status = text_ok(sql);

    if (!status)
        status = store_kept(m->store, sql->data, statement);
    text_free(sql);
    TRY(status);
    sqlite3_bind_text(*statement, ++at, cell->source, -1, SQLITE_TRANSIENT);
    for (int i = 0; i < n; i++)
        if (is_condition(cell, i))
            bind_wanted(*statement, &at,
                        store_field(store_column(cell->key[i]), cell->wanted[i]));
    if (is_of_part(cell))
        bind_wanted(*statement, &at, wanted_of(cell, "sms"));
    return BENCH_OK;
}

/*
 * Rows of the configurations that the source's experiments have, whichever experiment a row was taken for.  A part of a run, a part
 * of the GPU and another way to it than the papers' are meant only where the cell says so.
 */
static void add_rows_of(struct text *sql, const struct claim_cell *cell, int n)
{
    text_add(
        sql,
        " FROM taken AS c CROSS JOIN measurement AS m ON m.id = c.id WHERE "
        "c.experiment IN (SELECT experiment FROM experiment WHERE experiment GLOB '' || ?)");
    add_conditions(sql, cell, n);
    text_add(
        sql,
        is_of_part(cell)
            ? " AND coalesce(m.sms, CASE m.device WHEN 'gpu' THEN m.sm_count END) IN (?, ?)"
            : " AND c.sms IS NULL");
    text_add(sql, wanted_of(cell, "lap") ? "" : " AND c.stage IS NULL");
    text_add(sql,
             wanted_of(cell, "transfer") ? "" : " AND coalesce(c.transfer, 'copy') = 'copy'");
}

/* What became of the last row of the first 'n' filters; NULL: there is none.  *good: one of them may count. */
static enum bench_status became(const struct claim_machine *m, const struct claim_cell *cell,
                                int n, bool *any, bool *good, char text[200])
{
    struct text sql = {0};
    sqlite3_stmt *statement;
    enum bench_status status;

    text_add(&sql, "SELECT max(c.id), sum(c.preference IS NOT NULL), m.status || "
                   "coalesce(', ' || m.reason, '')");
    add_rows_of(&sql, cell, n);
    TRY(prepare(m, &sql, cell, n, 0, &statement));
    status = store_row(m->store, statement, any);
    *any = *any && sqlite3_column_type(statement, 0) != SQLITE_NULL;
    *good = *any && sqlite3_column_int(statement, 1);
    if (*any)
        snprintf(text, 200, "%.*s",
                 (int)strcspn((const char *)sqlite3_column_text(statement, 2), ";"),
                 (const char *)sqlite3_column_text(statement, 2));
    sqlite3_reset(statement);
    return status;
}

/* Why there is no number: what became of the rows, or the first filter that leaves none. */
static enum bench_status nothing_for(const struct claim_machine *m,
                                     const struct claim_cell *cell, struct claim_value *value)
{
    char text[200], last[200] = "";
    bool any, good = false, is_good;
    int n;

    for (n = 0; n <= cell->n_filters; n++) {
        TRY(became(m, cell, n, &any, &is_good, text));
        if (!any)
            break;
        good = is_good;
        memcpy(last, text, sizeof last);
    }
    if (n == 0)
        *value = claim_missing("no row of %s here", cell->source);
    else if (!good)
        *value = claim_missing("no verified row of %s: %s", cell->source, last);
    else if (n > cell->n_filters)
        *value = claim_missing("no %s in the rows of %s", cell->column, cell->source);
    else
        *value = claim_missing("no row of %s with %s=%s%s", cell->source, cell->key[n - 1],
                               cell->wanted[n - 1], n > 1 ? " and the keys before it" : "");
    return BENCH_OK;
}

/* What is asked of a row, and last the number. */
#define ROW                                                                                 \
    "SELECT m.id, m.configuration, m.preference, (SELECT traits FROM described WHERE id = " \
    "m.configuration) AS traits, m.session, m.row_id, m.device, "                           \
    "m.cpu, m.gpu, m.commit_hash, m.dirty, m.protocol, m.verdict, m.scope, m.sms, "         \
    "m.sm_count, m.run_group, m.n, m.gpu_mhz_med, m.mean_ms, m.median_ms, m.ci_lo_ms, "     \
    "m.ci_hi_ms, "

/* All rows of a cell that may count and have a value, "segments", which has no index, or "useful_pct[3]". */
static enum bench_status find_rows(const struct claim_lookup *l, const struct claim_cell *cell,
                                   bool is_value, struct record_table *rows)
{
    const char *const bracket = strchr(cell->column, '[');
    struct text sql = {0};
    sqlite3_stmt *statement;

    if (is_value)
        text_add(&sql,
                 ROW "(SELECT value FROM value WHERE value.measurement = m.id AND name = ? "
                     "AND idx IS ? ORDER BY value.rowid LIMIT 1) AS number");
    else
        text_format(&sql, ROW "m.\"%s\"", store_column(cell->column));
    add_rows_of(&sql, cell, cell->n_filters);
    text_format(&sql, " AND c.preference IS NOT NULL%s ORDER BY c.id",
                l->session ? " AND c.session = ?" : "");
    TRY(prepare(l->machine, &sql, cell, cell->n_filters, is_value ? 2 : 0, &statement));
    if (is_value) {
        sqlite3_bind_text(statement, 1, cell->column, (int)strcspn(cell->column, "["),
                          SQLITE_TRANSIENT);
        if (bracket)
            sqlite3_bind_int(statement, 2, atoi(bracket + 1));
        else
            sqlite3_bind_null(statement, 2);
    }
    if (l->session)
        sqlite3_bind_text(statement, sqlite3_bind_parameter_count(statement), l->session, -1,
                          SQLITE_TRANSIENT);
    return select_more(l->machine->store, statement, "measurement", rows);
}

/* The rows of the processes that measured a row's configuration, it among them, behind those of 'rows' unless it is alone. */
static enum bench_status processes_of(const struct claim_machine *m, const char *column,
                                      struct record_table *rows, int row,
                                      int process[RECORD_MAX_RUNS], int *n)
{
    long long member[RECORD_MAX_RUNS];

    process[0] = row;
    *n = 1;
    if (!*record_get(rows, row, "run_group"))
        return BENCH_OK;
    TRY(select_processes(m->store, atoll(record_get(rows, row, "id")), member, n));
    for (int i = 0; i<*n && * n> 1; i++) {
        struct text sql = {0};
        sqlite3_stmt *statement;
        enum bench_status status;

        text_format(&sql, ROW "m.\"%s\" FROM measurement AS m WHERE m.id = ?",
                    store_column(column));
        status = text_ok(&sql);
        if (!status)
            status = store_kept(m->store, sql.data, &statement);
        text_free(&sql);
        TRY(status);
        sqlite3_bind_int64(statement, 1, member[i]);
        process[i] = rows->n_rows;
        TRY(select_more(m->store, statement, "measurement", rows));
    }
    return BENCH_OK;
}

/* ---- which of them count ---- */

/* Whether rows that differ in a trait may be one cell; 'over': of those that are asked for with all that there are of them. */
struct apart {
    const struct claim_cell *cell;
    bool is_value, over;
};

static bool tells_apart(const void *user, const char *trait)
{
    static const char *const of_times[] = {"scope", "series", "lap", "transfer"};
    const struct apart *apart = user;
    const bool over =
        is_mean_over(apart->cell, trait) || is_best(trait, wanted_of(apart->cell, trait));

    for (size_t i = 0; i < sizeof of_times / sizeof *of_times; i++)
        if (apart->is_value && !strcmp(of_times[i], trait))
            return false;
    return over == apart->over &&
           (over || (strcmp(trait, "threads") != 0 && strcmp(trait, "sms") != 0));
}

struct chosen {
    int row;
    int n_processes; /* that one call started for its cell, this row's among them */
    double value, low,
        high; /* with the noise of the row itself, at the board's clock where that is asked for */
    double measured; /* at the row's own */
};

/* The number of a row, or of the processes that measured its cell, and, of a time, the range in which it lies. */
static enum bench_status read_row(struct claim_lookup *l, const struct claim_cell *cell,
                                  bool is_value, struct record_table *t, int row,
                                  struct chosen *c, bool *found)
{
    const bool has_range =
        !strcmp(cell->column, "mean_ms") || !strcmp(cell->column, "median_ms");
    int process[RECORD_MAX_RUNS] = {row};
    double low, high;

    *c = (struct chosen){.row = row, .n_processes = 1};
    if (!is_value)
        TRY(processes_of(l->machine, cell->column, t, row, process, &c->n_processes));
    *found = is_value
                 ? record_get_number(t, row, "number", &c->value)
                 : record_over_processes(t, process, c->n_processes, cell->column, &c->value);
    if (!*found)
        return BENCH_OK;
    c->low = c->high = c->value;
    if (has_range && record_over_processes(t, process, c->n_processes, "ci_lo_ms", &low) &&
        record_over_processes(t, process, c->n_processes, "ci_hi_ms", &high)) {
        c->low = fmin(c->value, low);
        c->high = fmax(c->value, high);
    }
    c->measured = c->value;
    if (l->as_clock) {
        double mhz, factor;

        assert(l->board);
        *found =
            record_over_processes(t, process, c->n_processes, "gpu_mhz_med", &mhz) && mhz > 0;
        if (!*found)
            return BENCH_OK;
        factor = !strcmp(cell->column, "fps") ? l->board->mhz / mhz : mhz / l->board->mhz;
        c->value *= factor;
        c->low *= factor;
        c->high *= factor;
    }
    return BENCH_OK;
}

static void add_row(const struct record_table *t, const struct claim_cell *cell, bool is_value,
                    const struct chosen *more, struct chosen *chosen, int *n)
{
    const struct apart over = {cell, is_value, true};
    char trait[TRAIT_NAME];

    for (int i = 0; i < *n; i++)
        if (!traits_differ(record_get(t, chosen[i].row, "traits"),
                           record_get(t, more->row, "traits"), tells_apart, &over, trait)) {
            if (strcmp(record_get(t, more->row, "preference"),
                       record_get(t, chosen[i].row, "preference")) > 0)
                chosen[i] = *more;
            return;
        }
    chosen[(*n)++] = *more;
}

/* The mean of the rows.  The range of one is its own; of several what their scatter gives, at 95 % by Student. */
static struct claim_value mean_of(const struct chosen *chosen, int n)
{
    static const double student[] = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26};
    const int n_student = (int)(sizeof student / sizeof *student);
    struct claim_value v = claim_number(0);
    double squares = 0, half;

    for (int i = 0; i < n; i++)
        v.value += chosen[i].value / n;
    for (int i = 0; i < n; i++)
        squares += (chosen[i].value - v.value) * (chosen[i].value - v.value);
    if (n == 1) {
        v.low = chosen[0].low;
        v.high = chosen[0].high;
        return v;
    }
    half = student[n - 2 < n_student ? n - 2 : n_student - 1] * sqrt(squares / (n - 1) / n);
    v.low = v.value - half;
    v.high = v.value + half;
    return v;
}

/* With threads=best the least of the newest session stays.  Returns how many rows there are. */
static int keep_best(const struct record_table *t, const struct claim_cell *cell,
                     struct chosen *chosen, int n)
{
    const char *newest = "";
    int best = -1;

    if (!is_best("threads", wanted_of(cell, "threads")) || n == 0)
        return n;
    for (int i = 0; i < n; i++) {
        const char *session = record_get(t, chosen[i].row, "session");

        newest = strcmp(session, newest) > 0 ? session : newest;
    }
    for (int i = 0; i < n; i++)
        if (!strcmp(record_get(t, chosen[i].row, "session"), newest) &&
            (best < 0 || chosen[i].value < chosen[best].value))
            best = i;
    chosen[0] = chosen[best];
    return 1;
}

void claim_add_scope(struct claim_lookup *l, const char *scope)
{
    const size_t n = strlen(l->scope);

    if (*scope && !strstr(l->scope, scope))
        snprintf(l->scope + n, sizeof l->scope - n, "%s%s", n ? " and " : "", scope);
}

/* Whether a column is a time, and no value or setting. */
static bool is_time(const char *column)
{
    const size_t n = strlen(column);

    return (n > 3 && !strcmp(column + n - 3, "_ms")) || !strcmp(column, "fps");
}

/* What ran once has no noise that anybody knows: a time of one sample, a mean over seeds of which one is there. */
static void note_rows(struct claim_lookup *l, const struct claim_cell *cell,
                      const struct record_table *t, const struct chosen *chosen, int n,
                      bool is_value)
{
    double samples;

    for (int i = 0; i < n && !is_value; i++)
        claim_add_scope(l, record_get(t, chosen[i].row, "scope"));
    if (n > 1)
        return;
    if (is_time(cell->column) && chosen[0].n_processes == 1 &&
        record_get_number(t, chosen[0].row, "n", &samples) && samples < 2)
        l->single = true;
    for (int i = 0; i < cell->n_filters; i++)
        if (is_mean_over(cell, cell->key[i]))
            l->single = true;
}

/* Whether a row is of the hardware that the claim names. */
static bool is_of_hardware(const struct claim_lookup *l, const struct record_table *t, int row)
{
    const char *hardware = l->claim ? l->claim->hardware : NULL;

    return !hardware || !fnmatch(hardware, record_get(t, row, "gpu"), FNM_CASEFOLD) ||
           !fnmatch(hardware, record_get(t, row, "cpu"), FNM_CASEFOLD) ||
           !fnmatch(hardware, l->machine->name, FNM_CASEFOLD);
}

static void note_device(struct claim_lookup *l, const struct record_table *t, int row,
                        const char *device)
{
    char clock[32] = "";

    if (l->as_clock)
        snprintf(clock, sizeof clock, " as at %d MHz", l->board->mhz);
    if (l->board)
        snprintf(l->device, sizeof l->device, "%s of %s SMs of %.100s%s", record_sms(t, row),
                 record_get(t, row, "sm_count"), device, clock);
    else
        snprintf(l->device, sizeof l->device, "%s", device);
    if (!*l->commit)
        snprintf(l->commit, sizeof l->commit, "%s", record_get(t, row, "commit"));
    if (!*l->first)
        snprintf(l->first, sizeof l->first, "%s", record_get(t, row, "session"));
    l->mixed |= strcmp(l->commit, record_get(t, row, "commit")) != 0;
    l->several |= strcmp(l->first, record_get(t, row, "session")) != 0;
    l->poor |= !record_is_clean(record_get(t, row, "dirty")) ||
               !strcmp(record_get(t, row, "profile"), "quick");
    l->elsewhere |= !l->board && !is_of_hardware(l, t, row);
}

static void log_rows(struct claim_lookup *l, const struct claim_cell *cell,
                     const struct record_table *t, const struct chosen *chosen, int n,
                     const struct claim_value *value)
{
    struct text remark = {0};
    int n_outside = 0;

    for (int i = 0; i < n; i++) {
        const int row = chosen[i].row;
        const bool on_gpu = !strcmp(record_get(t, row, "device"), "gpu");
        const char *device = record_get(t, row, on_gpu ? "gpu" : "cpu");

        note_device(l, t, row, device);
        n_outside += !strcmp(record_get(t, row, "verdict"), "outside");
        if (i < 3)
            text_format(&remark, "%s%s %s", i ? ", " : " [rows ", record_get(t, row, "session"),
                        record_get(t, row, "row_id"));
        if (i < 3 && chosen[i].n_processes > 1)
            text_format(&remark, ", median of %d processes", chosen[i].n_processes);
        if (i < 3 && l->as_clock) {
            char measured[TEXT_NUMBER];

            text_short_number(measured, chosen[i].measured, 6);
            text_format(&remark, ": %s at %s MHz", measured, record_get(t, row, "gpu_mhz_med"));
        }
    }
    if (n > 3)
        text_format(&remark, ", ... %d in all", n);
    if (n_outside > 0)
        text_format(&remark, ", %d of them outside the reference's scatter", n_outside);
    l->n_rows += n;
    l->n_outside += n_outside;
    text_format(&remark, "; %s]", l->device);
    claim_log(l->log, cell->text, value, remark.data ? remark.data : "");
    if (remark.failed && l->log)
        l->log->failed = true;
    text_free(&remark);
}

/* A key that neither the rows nor this program has is a slip. */
static enum bench_status check_keys_of(const struct claim_lookup *l,
                                       const struct claim_cell *cell, const char *table,
                                       const char *what)
{
    for (int i = 0; i < cell->n_filters; i++)
        if (!store_has_column(l->machine->store, table, store_column(cell->key[i])))
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s: %s have no column '%s'",
                              l->source->path, l->source->line, cell->text, what, cell->key[i]);
    return BENCH_OK;
}

/* Only times have a clock to be brought to. */
static enum bench_status check_scaled(const struct claim_lookup *l,
                                      const struct claim_cell *cell)
{
    if (!l->claim || !l->claim->board.n_sms)
        return BENCH_OK;
    if (cell->counters || !is_time(cell->column))
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s:%d: expected times alone in a scaled claim, found %s",
                          l->source->path, l->source->line, cell->text);
    return BENCH_OK;
}

/* A cell of PAPER/any, of a card cut to the size of the board: PAPER/cut, on so many SMs.  No other card has the board's power
 * modes: its clock stands for them. */
static struct claim_cell cut_cell(const struct claim_lookup *l, const struct claim_cell *cell,
                                  char source[64], char sms[16])
{
    struct claim_cell cut = *cell;

    snprintf(source, 64, "%.*s/cut", (int)strcspn(cell->source, "/"), cell->source);
    snprintf(sms, 16, "%d", l->board->n_cut);
    cut.source = source;
    cut.n_filters = 0;
    for (int i = 0; i < cell->n_filters; i++)
        if (strcmp(cell->key[i], "mode_name") != 0 && strcmp(cell->key[i], "sms") != 0) {
            cut.key[cut.n_filters] = cell->key[i];
            cut.wanted[cut.n_filters++] = cell->wanted[i];
        }
    cut.key[cut.n_filters] = "sms";
    cut.wanted[cut.n_filters++] = sms;
    return cut;
}

/* The number of the rows of a cell, which are all there. */
static enum bench_status choose_rows(struct claim_lookup *l, const struct claim_cell *cell,
                                     bool is_value, struct record_table *t,
                                     struct chosen *chosen, struct claim_value *value)
{
    const struct apart same = {cell, is_value, false};
    const int n_found = t->n_rows;
    char trait[TRAIT_NAME];
    struct chosen more;
    int n = 0, first = -1;

    for (int i = 0; i < n_found; i++) {
        bool found;

        if (l->board && is_of_hardware(l, t, i))
            continue;
        TRY(read_row(l, cell, is_value, t, i, &more, &found));
        if (!found)
            continue;
        if (first < 0)
            first = i;
        if (traits_differ(record_get(t, first, "traits"), record_get(t, i, "traits"),
                          tells_apart, &same, trait)) {
            *value = claim_missing("rows that differ in %s: %.150s", trait, cell->text);
            return BENCH_OK;
        }
        add_row(t, cell, is_value, &more, chosen, &n);
    }
    n = keep_best(t, cell, chosen, n);
    if (n == 0 && l->session) /* that is only tried: the reason is never read */
        *value = claim_missing("not in %s", l->session);
    else if (n == 0)
        TRY(nothing_for(l->machine, cell, value));
    else {
        *value = mean_of(chosen, n);
        note_rows(l, cell, t, chosen, n, is_value);
    }
    log_rows(l, cell, t, chosen, n, value);
    return BENCH_OK;
}

static enum bench_status find_measured(struct claim_lookup *l, const struct claim_cell *cell,
                                       struct claim_value *value)
{
    const struct claim_machine *m = l->machine;
    struct record_table rows = {0};
    struct chosen *chosen = NULL;
    enum bench_status status;
    bool is_value;

    if (wanted_of(cell, "scope"))
        claim_add_scope(l, wanted_of(cell, "scope"));
    if (!m) {
        *value = claim_missing("no results were given");
        return BENCH_OK;
    }
    TRY(check_keys_of(l, cell, "measurement", "rows"));
    is_value = !store_has_column(m->store, "measurement", store_column(cell->column));
    status = find_rows(l, cell, is_value, &rows);
    if (!status) {
        chosen = calloc((size_t)rows.n_rows + 1, sizeof *chosen);
        status = chosen ? choose_rows(l, cell, is_value, &rows, chosen, value)
                        : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a claim's rows");
    }
    free(chosen);
    record_table_free(&rows);
    return status;
}

/* ---- counters ---- */

static enum bench_status counted_number(struct claim_lookup *l, const struct claim_cell *cell,
                                        const struct record_table *t, struct claim_value *value)
{
    const int n = t->n_rows ? atoi(record_get(t, 0, "n_fitting")) : 0;
    struct text remark = {0};
    double number;

    if (n != 1) {
        *value = n ? claim_missing("%d kernels fit %.150s", n, cell->text)
                   : claim_missing("no counters of %s here", cell->source);
        return BENCH_OK;
    }
    if (!record_get_number(t, 0, cell->column, &number)) {
        *value = claim_missing("no %s in the counters of %s", cell->column, cell->source);
        return BENCH_OK;
    }
    *value = claim_number(number);
    note_device(l, t, 0, record_get(t, 0, "gpu"));
    text_format(&remark, " [counters %s, %.60s; %s]", record_get(t, 0, "utc"),
                record_get(t, 0, "kernel"), l->device);
    TRY(text_ok(&remark));
    claim_log(l->log, cell->text, value, remark.data);
    text_free(&remark);
    return BENCH_OK;
}

/* The newest kernel that fits; two of one run are a cell that names too little. */
static enum bench_status find_counter(struct claim_lookup *l, const struct claim_cell *cell,
                                      struct claim_value *value)
{
    struct record_table newest = {0};
    struct text sql = {0};
    sqlite3_stmt *statement;
    enum bench_status status;
    bool any;

    TRY(store_kept(l->machine->store, "SELECT 1 FROM counter LIMIT 1", &statement));
    status = store_row(l->machine->store, statement, &any);
    sqlite3_reset(statement);
    if (status || !any) {
        *value = claim_missing("no counters of %s here", cell->source);
        return status;
    }
    TRY(check_keys_of(l, cell, "counter", "counters"));
    text_add(&sql,
             "SELECT *, count(*) AS n_fitting FROM counter AS m WHERE experiment GLOB '' || ?");
    add_conditions(&sql, cell, cell->n_filters);
    text_add(&sql, is_of_part(cell) ? " AND m.sms IN (?, ?)" : " AND m.sms IS NULL");
    text_add(&sql, " GROUP BY utc ORDER BY utc DESC LIMIT 1");
    TRY(prepare(l->machine, &sql, cell, cell->n_filters, 0, &statement));
    status = select_more(l->machine->store, statement, "counter", &newest);
    if (!status)
        status = counted_number(l, cell, &newest, value);
    record_table_free(&newest);
    return status;
}

static enum bench_status find_one(struct claim_lookup *l, const struct claim_cell *cell,
                                  struct claim_value *value)
{
    if (!cell->ours)
        return find_printed(l, cell, value);
    if (l->only_paper)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s:%d: expected printed numbers alone in 'paper', found %s",
                          l->source->path, l->source->line, cell->text);
    TRY(check_scaled(l, cell));
    if (cell->counters && l->machine)
        return find_counter(l, cell, value);
    if (l->board) {
        char source[64], sms[16];
        const struct claim_cell cut = cut_cell(l, cell, source, sms);

        return find_measured(l, &cut, value);
    }
    return find_measured(l, cell, value);
}

/* The mean over the alternatives of filter 'at', "a|b|c", each of which must be there. */
static enum bench_status find_mean(struct claim_lookup *l, const struct claim_cell *cell,
                                   int at, struct claim_value *value)
{
    struct claim_cell one = *cell;
    struct claim_value sum = claim_number(0), more = claim_number(0);
    const char *rest = cell->wanted[at];
    char text[200], name[500];
    int n = 0;

    for (;; rest++) {
        const size_t length = strcspn(rest, "|");

        if (++l->source->steps > CLAIM_MAX_STEPS)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: a claim of more than %d steps",
                              l->source->path, l->source->line, CLAIM_MAX_STEPS);
        snprintf(text, sizeof text, "%.*s", (int)length, rest);
        snprintf(name, sizeof name, "%s: %s=%s", cell->text, cell->key[at], text);
        one.wanted[at] = text;
        one.text = name;
        TRY(claim_find_cell(l, &one, &more));
        if (more.missing && !sum.missing)
            sum = more;
        sum.value += more.value;
        sum.low += more.low;
        sum.high += more.high;
        n++;
        rest += length;
        if (!*rest)
            break;
    }
    *value = sum;
    if (!sum.missing) {
        *value = claim_number(sum.value / n);
        value->low = sum.low / n;
        value->high = sum.high / n;
    }
    return BENCH_OK;
}

enum bench_status claim_find_cell(void *user, const struct claim_cell *cell,
                                  struct claim_value *value)
{
    struct claim_lookup *l = user;

    for (int i = 0; i < cell->n_filters; i++)
        if (strchr(cell->wanted[i], '|'))
            return find_mean(l, cell, i, value);
    return find_one(l, cell, value);
}

/* ---- a machine ---- */

char *claim_machine_name(const char *folder)
{
    char *whole = NULL, *found;
    const char *name;
    size_t n = strlen(folder);

    while (n > 1 && folder[n - 1] == '/')
        n--;
    name = memrchr(folder, '/', n);
    name = name && n > 1 ? name + 1 : folder;
    n -= (size_t)(name - folder);
    if ((n == 1 && name[0] == '.') || (n == 2 && name[0] == '.' && name[1] == '.')) {
        whole = realpath(folder, NULL);
        if (whole && strrchr(whole, '/')[1]) {
            name = strrchr(whole, '/') + 1;
            n = strlen(name);
        }
    }
    found = strndup(name, n);
    free(whole);
    return found;
}

enum bench_status claim_machine_read(const char *folder, FILE *notes,
                                     struct claim_machine *machine)
{
    enum bench_status status;

    *machine = (struct claim_machine){0};
    machine->name = claim_machine_name(folder);
    if (!machine->name)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for results");
    status = store_read(&folder, 1, false, notes, &machine->store);
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

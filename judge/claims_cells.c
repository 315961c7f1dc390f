/*
 * claims_cells.c - the cells of a claim: numbers that a paper prints, and the rows of a machine
 *
 * A printed number must be there, once: a slip in a claim file is an error.  A measured row may be missing, and which
 * of several counts is decided as for figures, by its preference.  Its range is its noise: the interval that the row
 * states, or, of a mean over seeds, what their scatter gives.
 */
#include "judge/claims_private.h"
#include "harness/experiment.h"
#include "harness/record_private.h"

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

/* The columns that make rows different cells: what was asked for, and the keys of problems and variants. */
static bool tells_cells_apart(const char *column, bool is_value)
{
    static const char *const always[] = {"impl", "input", "case", "batch", "mode_name"};
    static const char *const of_times[] = {"scope", "series", "lap", "transfer"};

    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!strcmp(always[i], column))
            return true;
    for (size_t i = 0; i < sizeof of_times / sizeof *of_times; i++)
        if (!strcmp(of_times[i], column))
            return !is_value;
    return !record_is_fixed(column);
}

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

/* A value of a row: "segments", which has no index, or "useful_pct[3]".  False: there is none. */
static bool value_of_row(const struct claim_machine *m, int row, const char *name,
                         double *number)
{
    const char *bracket = strchr(name, '[');
    char alone[64];
    bool found;

    snprintf(alone, sizeof alone, "%.*s", (int)strcspn(name, "["), name);
    return select_value(m->store, m->identity[row].id, alone, bracket ? atoi(bracket + 1) : -1,
                        &found, number) == BENCH_OK &&
           found;
}

/* Whether a row may count. */
static bool is_good(const struct claim_machine *m, int row)
{
    return m->identity[row].preference[0] != '\0';
}

/* Whether an experiment of that name has the row's configuration: which of its rows counts does not depend on why it was taken. */
static bool is_of_experiment(const struct claim_machine *m, int row, const char *source)
{
    const bool *has =
        m->has + (size_t)m->identity[row].configuration * (size_t)m->n_experiments;

    for (int i = 0; i < m->n_experiments; i++)
        if (has[i] && !fnmatch(source, m->experiment[i], FNM_PATHNAME))
            return true;
    return false;
}

/* Whether a row is of the cell, by its experiment and the first 'n' filters. */
static bool row_fits(const struct claim_machine *m, int row, const struct claim_cell *cell,
                     int n)
{
    const struct record_table *t = &m->rows;

    if (!is_of_experiment(m, row, cell->source))
        return false;
    for (int i = 0; i < n; i++)
        if (strcmp(cell->wanted[i], "*") != 0 && strcmp(cell->key[i], "sms") != 0 &&
            !is_best(cell->key[i], cell->wanted[i]) &&
            !fits(record_get(t, row, cell->key[i]), cell->wanted[i]))
            return false;
    if (!wanted_of(cell, "lap") && *record_get(t, row, "lap"))
        return false;
    if (!record_fits_sms(t, row, wanted_of(cell, "sms")))
        return false;
    /* as the papers do, unless the claim says otherwise */
    return wanted_of(cell, "transfer") || !*record_get(t, row, "transfer") ||
           !strcmp(record_get(t, row, "transfer"), "copy");
}

static int count_rows(const struct claim_machine *m, const struct claim_cell *cell, int n,
                      int *last)
{
    int n_rows = 0;

    for (int i = 0; i < m->rows.n_rows; i++)
        if (row_fits(m, i, cell, n)) {
            *last = i;
            n_rows++;
        }
    return n_rows;
}

/* Why there is no number: what became of the rows, or the first filter that leaves none. */
static struct claim_value nothing_for(const struct claim_machine *m,
                                      const struct claim_cell *cell)
{
    const struct record_table *t = &m->rows;
    const char *reason;
    int last = 0, n = 0;

    if (count_rows(m, cell, 0, &last) == 0)
        return claim_missing("no row of %s here", cell->source);
    while (n < cell->n_filters && count_rows(m, cell, n + 1, &last) > 0)
        n++;
    for (int i = 0; i < t->n_rows; i++)
        if (row_fits(m, i, cell, n) && is_good(m, i)) {
            if (n == cell->n_filters)
                return claim_missing("no %s in the rows of %s", cell->column, cell->source);
            return claim_missing("no row of %s with %s=%s%s", cell->source, cell->key[n],
                                 cell->wanted[n], n > 0 ? " and the keys before it" : "");
        }
    count_rows(m, cell, n, &last);
    reason = record_get(t, last, "reason");
    return claim_missing("no verified row of %s: %s%s%.*s", cell->source,
                         record_get(t, last, "status"), *reason ? ", " : "",
                         (int)strcspn(reason, ";"), reason);
}

/* A key as a row has it; what was measured before a key was there has the key's fallback. */
static const char *key_of_row(const struct record_table *t, int row, const char *column)
{
    const char *text = record_get(t, row, column), *name = record_get(t, row, "impl");

    for (int i = 0; !*text && bench_known_impls[i]; i++) {
        const struct bench_impl *const impl = bench_known_impls[i];
        const struct bench_key *const lists[] = {impl->keys, impl->problem->keys};

        for (int k = 0; k < 2 && !strcmp(impl->name, name); k++)
            for (const struct bench_key *key = lists[k]; key && key->name; key++)
                if (!strcmp(key->name, column) && key->fallback)
                    return key->fallback;
    }
    return text;
}

/* The column in which two rows are different cells; 'over': of which there may be several; NULL: none. */
static const char *difference(const struct claim_machine *m, int a, int b,
                              const struct claim_cell *cell, bool is_value, bool over)
{
    const struct record_table *t = &m->rows;

    if (m->identity[a].configuration == m->identity[b].configuration)
        return NULL;
    for (int i = 0; i < t->n_columns; i++) {
        const char *column = t->column[i];

        if ((is_mean_over(cell, column) || is_best(column, wanted_of(cell, column))) == over &&
            (over || tells_cells_apart(column, is_value)) &&
            strcmp(record_get(t, a, column), record_get(t, b, column)) != 0 &&
            strcmp(key_of_row(t, a, column), key_of_row(t, b, column)) != 0)
            return column;
    }
    return NULL;
}

struct chosen {
    int row;
    int n_processes; /* that one call started for its cell, this row's among them */
    double value, low,
        high; /* with the noise of the row itself, at the board's clock where that is asked for */
    double measured; /* at the row's own */
};

static int by_id(const void *left, const void *right)
{
    const long long a = ((const struct row_identity *)left)->id;
    const long long b = ((const struct row_identity *)right)->id;

    return (a > b) - (a < b);
}

/* The rows of the processes that measured a row's configuration, it among them.  Returns how many; 0: they cannot be read. */
static int processes_of(const struct claim_machine *m, int row, int process[RECORD_MAX_RUNS])
{
    long long member[RECORD_MAX_RUNS];
    int n;

    if (!*record_get(&m->rows, row, "run_group")) {
        process[0] = row;
        return 1;
    }
    if (select_processes(m->store, m->identity[row].id, member, &n) != BENCH_OK)
        return 0;
    for (int i = 0; i < n; i++) {
        const struct row_identity key = {.id = member[i]};
        const struct row_identity *found =
            bsearch(&key, m->identity, (size_t)m->rows.n_rows, sizeof key, by_id);

        assert(found);
        process[i] = (int)(found - m->identity);
    }
    return n;
}

/* The number of a row, or of the processes that measured its cell, and, of a time, the range in which it lies; false: there is
 * none. */
static bool read_row(struct claim_lookup *l, const struct claim_cell *cell, bool is_value,
                     int row, struct chosen *c)
{
    const struct record_table *t = &l->machine->rows;
    const bool has_range =
        !strcmp(cell->column, "mean_ms") || !strcmp(cell->column, "median_ms");
    int process[RECORD_MAX_RUNS];
    double low, high;

    c->row = row;
    c->n_processes = is_value ? 1 : processes_of(l->machine, row, process);
    if (!(is_value
              ? value_of_row(l->machine, row, cell->column, &c->value)
              : record_over_processes(t, process, c->n_processes, cell->column, &c->value)))
        return false;
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
        if (!record_over_processes(t, process, c->n_processes, "gpu_mhz_med", &mhz) ||
            !(mhz > 0))
            return false;
        factor = !strcmp(cell->column, "fps") ? l->board->mhz / mhz : mhz / l->board->mhz;
        c->value *= factor;
        c->low *= factor;
        c->high *= factor;
    }
    return true;
}

static void add_row(const struct claim_machine *m, const struct claim_cell *cell, bool is_value,
                    const struct chosen *more, struct chosen *chosen, int *n)
{
    for (int i = 0; i < *n; i++)
        if (!difference(m, chosen[i].row, more->row, cell, is_value, true)) {
            if (strcmp(m->identity[more->row].preference,
                       m->identity[chosen[i].row].preference) > 0)
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
                      const struct chosen *chosen, int n, bool is_value)
{
    const struct record_table *t = &l->machine->rows;
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
                     const struct chosen *chosen, int n, const struct claim_value *value)
{
    const struct record_table *t = &l->machine->rows;
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
static enum bench_status check_row_keys(const struct claim_lookup *l,
                                        const struct claim_cell *cell)
{
    for (int i = 0; i < cell->n_filters; i++)
        if (record_column(&l->machine->rows, cell->key[i]) < 0) {
            struct record_table ours = {0};
            enum bench_status status = record_declare(&ours);
            const bool known = record_column(&ours, cell->key[i]) >= 0;

            record_table_free(&ours);
            TRY(status);
            if (!known)
                return BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s: rows have no column '%s'",
                                  l->source->path, l->source->line, cell->text, cell->key[i]);
        }
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

static enum bench_status find_measured(struct claim_lookup *l, const struct claim_cell *cell,
                                       struct claim_value *value)
{
    const struct claim_machine *m = l->machine;
    bool is_value;
    struct chosen *chosen, more;
    const char *apart = NULL;
    int n = 0, first = -1;

    if (wanted_of(cell, "scope"))
        claim_add_scope(l, wanted_of(cell, "scope"));
    if (!m) {
        *value = claim_missing("no results were given");
        return BENCH_OK;
    }
    TRY(check_row_keys(l, cell));
    is_value = record_column(&m->rows, cell->column) < 0;
    chosen = calloc((size_t)m->rows.n_rows + 1, sizeof *chosen);
    if (!chosen)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a claim's rows");
    for (int i = 0; i < m->rows.n_rows && !apart; i++) {
        if ((l->session && strcmp(record_get(&m->rows, i, "session"), l->session) != 0) ||
            !row_fits(m, i, cell, cell->n_filters) ||
            (l->board && is_of_hardware(l, &m->rows, i)) || !is_good(m, i) ||
            !read_row(l, cell, is_value, i, &more))
            continue;
        if (first < 0)
            first = i;
        apart = difference(m, first, i, cell, is_value, false);
        add_row(m, cell, is_value, &more, chosen, &n);
    }
    n = keep_best(&m->rows, cell, chosen, n);
    if (apart)
        *value = claim_missing("rows that differ in %s: %.150s", apart, cell->text);
    else if (n == 0) /* of a session that is only tried the reason is never read */
        *value = l->session ? claim_missing("not in %s", l->session) : nothing_for(m, cell);
    else {
        *value = mean_of(chosen, n);
        note_rows(l, cell, chosen, n, is_value);
    }
    if (!apart)
        log_rows(l, cell, chosen, n, value);
    free(chosen);
    return BENCH_OK;
}

/* ---- counters ---- */

static bool kernel_fits(const struct record_table *t, int row, const struct claim_cell *cell)
{
    if (fnmatch(cell->source, record_get(t, row, "experiment"), FNM_PATHNAME) != 0)
        return false;
    for (int i = 0; i < cell->n_filters; i++)
        if (strcmp(cell->key[i], "sms") != 0 &&
            !fits(record_get(t, row, cell->key[i]), cell->wanted[i]))
            return false;
    return record_fits_sms(t, row, wanted_of(cell, "sms"));
}

/* The newest kernel that fits; two of one run are a cell that names too little. */
static enum bench_status find_counter(struct claim_lookup *l, const struct claim_cell *cell,
                                      struct claim_value *value)
{
    const struct record_table *t = &l->machine->counters;
    struct text remark = {0};
    double number = 0;
    int best = -1, n = 0;

    for (int i = 0; i < cell->n_filters && t->n_rows > 0; i++)
        if (record_column(t, cell->key[i]) < 0)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s: counters have no column '%s'",
                              l->source->path, l->source->line, cell->text, cell->key[i]);
    for (int i = 0; i < t->n_rows; i++)
        if (kernel_fits(t, i, cell)) {
            const int order =
                best < 0 ? 1 : strcmp(record_get(t, i, "utc"), record_get(t, best, "utc"));

            n = order > 0 ? 1 : n + (order == 0);
            best = order > 0 ? i : best;
        }
    if (n != 1) {
        *value = n ? claim_missing("%d kernels fit %.150s", n, cell->text)
                   : claim_missing("no counters of %s here", cell->source);
        return BENCH_OK;
    }
    if (!record_get_number(t, best, cell->column, &number)) {
        *value = claim_missing("no %s in the counters of %s", cell->column, cell->source);
        return BENCH_OK;
    }
    *value = claim_number(number);
    note_device(l, t, best, record_get(t, best, "gpu"));
    text_format(&remark, " [counters %s, %.60s; %s]", record_get(t, best, "utc"),
                record_get(t, best, "kernel"), l->device);
    TRY(text_ok(&remark));
    claim_log(l->log, cell->text, value, remark.data);
    text_free(&remark);
    return BENCH_OK;
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

/* The texts of the first column of an answer. */
static enum bench_status list_names(struct store *store, const char *sql, char ***names, int *n)
{
    sqlite3_stmt *statement;
    enum bench_status status;
    bool row;

    TRY(store_prepare(store, sql, &statement));
    while (!(status = store_row(store, statement, &row)) && row) {
        char **more = realloc(*names, ((size_t)*n + 1) * sizeof *more);

        if (more) {
            *names = more;
            more[*n] = strdup((const char *)sqlite3_column_text(statement, 0));
        }
        if (!more || !more[*n]) {
            status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for names");
            break;
        }
        ++*n;
    }
    sqlite3_finalize(statement);
    return status;
}

static enum bench_status note_experiments(struct claim_machine *m)
{
    long long most = 0;

    for (int i = 0; i < m->rows.n_rows; i++)
        most = m->identity[i].configuration > most ? m->identity[i].configuration : most;
    m->has = calloc(((size_t)most + 1) * ((size_t)m->n_experiments + 1), sizeof *m->has);
    if (!m->has)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for experiments");
    for (int i = 0; i < m->rows.n_rows; i++)
        for (int e = 0; e < m->n_experiments; e++)
            if (!strcmp(m->experiment[e], record_get(&m->rows, i, "experiment")))
                m->has[m->identity[i].configuration * m->n_experiments + e] = true;
    return BENCH_OK;
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
        status = select_all(machine->store, &machine->rows, &machine->identity);
    if (!status)
        status = list_names(machine->store, "SELECT session FROM session ORDER BY session",
                            &machine->session, &machine->n_sessions);
    if (!status)
        status = list_names(
            machine->store,
            "SELECT DISTINCT experiment FROM measurement WHERE experiment IS NOT NULL",
            &machine->experiment, &machine->n_experiments);
    if (!status)
        status = note_experiments(machine);
    if (!status)
        status = select_counters(machine->store, &machine->counters);
    if (status)
        claim_machine_free(machine);
    return status;
}

void claim_machine_free(struct claim_machine *machine)
{
    record_free_names(machine->session, machine->n_sessions);
    record_free_names(machine->experiment, machine->n_experiments);
    free(machine->has);
    free(machine->identity);
    record_table_free(&machine->rows);
    record_table_free(&machine->counters);
    store_close(machine->store);
    free(machine->name);
    *machine = (struct claim_machine){0};
}

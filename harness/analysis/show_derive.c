/*
 * show_derive.c - the best of some settings, means over repeated runs, and what one row is worth beside another
 */
#include "harness/analysis/show.h"

#include "harness/record_private.h"
#include "harness/analysis/show_private.h"
#include "harness/stats.h"
#include "harness/text.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NAME     64
#define SHORT_COMMIT 7 /* as in the names of sessions */

/* What [show] asks for; empty texts for what it does not. */
struct wish {
    char over[MAX_NAME];
    char against[MAX_NAME]; /* a variant */
    const char *but;        /* and the keys in which it may differ, as a list */
    char per[MAX_NAME], per_column[MAX_NAME];
    char reach[MAX_NAME], along[MAX_NAME];
};

/* Rows, and the columns that tell them apart. */
struct deriving {
    const struct bench_experiment *experiment;
    const struct record_table *rows;
    struct wish wish;
    int impl, key[128], n_keys;
    int n_columns, first_value; /* of the rows */
    int session;                /* the column */
    int *mean; /* [rows]: which row of the compared table each row is in; owned */
};

static const char *cell_at(const struct record_table *table, int row, int column)
{
    return column < 0 ? ""
                      : table->cell[(size_t)row * (size_t)table->n_columns + (size_t)column];
}

static bool number_at(const struct record_table *table, int row, int column, double *number)
{
    return text_to_number(cell_at(table, row, column), number);
}

/* A row under construction: texts that are borrowed, or numbers of its own. */
struct draft {
    const char **field;
    char (*number)[TEXT_NUMBER];
    char commits[256];
};

static void draft_free(struct draft *draft)
{
    free(draft->field);
    free(draft->number);
}

static enum bench_status draft_make(struct draft *draft, int n_columns)
{
    draft->field = calloc((size_t)n_columns + 1, sizeof *draft->field);
    draft->number = calloc((size_t)n_columns + 1, sizeof *draft->number);
    if (!draft->field || !draft->number)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a row");
    return BENCH_OK;
}

static void draft_clear(struct draft *draft, int n_columns)
{
    for (int i = 0; i < n_columns; i++)
        draft->field[i] = "";
}

/* column -1: nobody has it. */
static void draft_number(struct draft *draft, int column, double number)
{
    if (column < 0)
        return;
    text_number(draft->number[column], number);
    draft->field[column] = draft->number[column];
}

/* ---- what is asked for ---- */

static enum bench_status refuse(const struct bench_experiment *experiment, const char *key,
                                const char *expected)
{
    return BENCH_FAIL(BENCH_EINPUT, "%s: [show] %s: expected %s", experiment->path, key,
                      expected);
}

static enum bench_status read_wish(const struct bench_experiment *experiment, struct wish *wish)
{
    const struct bench_layout *layout = &experiment->layout;
    const char *comma = strchr(layout->against, ',');

    *wish = (struct wish){.but = comma ? comma + 1 : ""};
    show_list(layout->over, 0, wish->over, sizeof wish->over);
    show_list(layout->against, 0, wish->against, sizeof wish->against);
    if (show_list(layout->per, 0, wish->per, sizeof wish->per) &&
        !show_list(layout->per, 1, wish->per_column, sizeof wish->per_column))
        return refuse(experiment, "per", "a value and the name of a column");
    if (!show_list(layout->reach, 0, wish->reach, sizeof wish->reach))
        return BENCH_OK;
    if (!show_list(layout->reach, 1, wish->along, sizeof wish->along) || !wish->against[0])
        return refuse(experiment, "reach", "a value and a key, and 'against'");
    return BENCH_OK;
}

/* Columns that the rows lack: a slip in the descriptor, unless no row has a value at all. */
static enum bench_status check_columns(const struct deriving *d)
{
    const struct {
        const char *key, *column;
    } asked[] = {{"over", d->wish.over},
                 {"per", d->wish.per},
                 {"reach", d->wish.reach},
                 {"reach", d->wish.along}};

    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (asked[i].column[0] && record_column(d->rows, asked[i].column) < 0)
            return BENCH_FAIL(
                BENCH_EINPUT,
                "%s: [show] %s '%s' is neither a column nor a value of these rows",
                d->experiment->path, asked[i].key, asked[i].column);
    return BENCH_OK;
}

/* Whether two rows agree in all keys but those of a list. */
static bool agree(const struct deriving *d, const struct record_table *table, int a, int b,
                  const char *but)
{
    for (int i = 0; i < d->n_keys; i++) {
        const char *left = cell_at(table, a, d->key[i]);
        const char *right = cell_at(table, b, d->key[i]);

        if (strcmp(left, right) != 0 && !show_is_listed(but, table->column[d->key[i]]))
            return false;
    }
    return true;
}

/* ---- the best setting ---- */

static bool reaches_down(const struct record_table *table, int row, double bound)
{
    double low;

    return number_at(table, row, record_column(table, "ci_lo_ms"), &low) && low <= bound;
}

/* Whether a whole row is the one to show of those that differ in the listed keys alone. */
static bool is_best(const struct deriving *d, const struct record_table *table, int row)
{
    const int median = record_column(table, "median_ms");
    const int high = record_column(table, "ci_hi_ms"),
              threads = record_column(table, "threads");
    const char *list = d->experiment->layout.best;
    double ms, bound = 0, mine = 0;
    int fastest = row, chosen = -1;

    if (!number_at(table, row, median, &ms))
        return true; /* no time to judge by */
    for (int i = 0; i < table->n_rows; i++) {
        double other;

        if (agree(d, table, i, row, list) && number_at(table, i, median, &other) &&
            other < ms) {
            ms = other;
            fastest = i;
        }
    }
    if (!number_at(table, fastest, high, &bound))
        bound = ms;
    for (int i = 0; i < table->n_rows; i++) {
        double team = 0;

        if (!agree(d, table, i, row, list) || (i != fastest && !reaches_down(table, i, bound)))
            continue;
        number_at(table, i, threads, &team);
        if (chosen < 0 || team < mine) {
            chosen = i;
            mine = team;
        }
    }
    return chosen == row;
}

/* A lap's whole: the row that agrees in all keys but the lap.  -1: there is none. */
static int whole_of(const struct deriving *d, const struct record_table *table, int row)
{
    for (int i = 0; i < table->n_rows; i++)
        if (record_get(table, i, "lap")[0] == '\0' && agree(d, table, i, row, "lap"))
            return i;
    return -1;
}

static enum bench_status add_best(const struct deriving *d, const struct record_table *table,
                                  struct record_table *out)
{
    for (int row = 0; row < table->n_rows; row++) {
        const int whole = whole_of(d, table, row);

        if (whole < 0 || is_best(d, table, whole))
            TRY(record_add_row(
                out,
                (const char *const *)(table->cell + (size_t)row * (size_t)table->n_columns)));
    }
    return BENCH_OK;
}

/* ---- means ---- */

/* In the order of times_of. */
const char *const show_time_columns[SHOW_N_TIMES] = {
    "min_ms",  "q1_ms", "median_ms", "q3_ms",    "p95_ms", "max_ms",
    "mean_ms", "sd_ms", "ci_lo_ms",  "ci_hi_ms", "fps"};

static void times_of(const struct bench_stat *stat, double times[SHOW_N_TIMES])
{
    const double all[SHOW_N_TIMES] = {stat->min,   stat->q1,    stat->median,       stat->q3,
                                      stat->p95,   stat->max,   stat->mean,         stat->sd,
                                      stat->ci_lo, stat->ci_hi, 1000.0 / stat->mean};

    memcpy(times, all, sizeof all);
}

/* A column of the rows as numbers; how many of them there are. */
static int numbers_of(const struct record_table *rows, const int *member, int n, int column,
                      double *number)
{
    int found = 0;

    for (int i = 0; i < n; i++)
        found += number_at(rows, member[i], column, &number[found]);
    return found;
}

/* The one text of a column in all rows, else "". */
static const char *common(const struct record_table *rows, const int *member, int n, int column)
{
    const char *text = cell_at(rows, member[0], column);

    for (int i = 1; i < n; i++)
        if (strcmp(cell_at(rows, member[i], column), text) != 0)
            return "";
    return text;
}

/* The commits of rows that have several, "5ec30f7, 20567f6", as many as there is room for. */
static void list_commits(const struct record_table *rows, const int *member, int n,
                         struct draft *draft, int column)
{
    char *list = draft->commits;

    *list = '\0';
    for (int i = 0; i < n; i++) {
        const char *commit = cell_at(rows, member[i], column);
        const size_t used = strlen(list);
        char word[SHORT_COMMIT + 1];

        snprintf(word, sizeof word, "%s", commit);
        if (*word && !strstr(list, word) && used + sizeof word + 2 < sizeof draft->commits)
            snprintf(list + used, sizeof draft->commits - used, "%s%s", used ? ", " : "", word);
    }
    draft->field[column] = list;
}

/* The row that stands for some: 'scratch' has room for twice their number. */
static void mean_of(const struct deriving *d, const int *member, int n, double *scratch,
                    const struct record_table *out, struct draft *draft)
{
    const struct record_table *rows = d->rows;
    struct bench_stat stat;
    double times[SHOW_N_TIMES];
    int found = numbers_of(rows, member, n, record_column(rows, "mean_ms"), scratch);
    int n_outside = 0;

    draft_clear(draft, out->n_columns);
    for (int i = 0; i < d->n_columns; i++)
        draft->field[i] = common(rows, member, n, i);
    if (!*draft->field[record_column(rows, "commit")])
        list_commits(rows, member, n, draft, record_column(rows, "commit"));
    draft->field[record_column(rows, d->wish.over)] = ""; /* also where there was only one */
    draft_number(draft, record_column(out, "n"), n);
    for (int i = 0; i < n; i++)
        n_outside += !strcmp(record_get(rows, member[i], "verdict"), "outside");
    draft_number(draft, record_column(out, "n_outside"), n_outside);
    if (found > 0) {
        bench_summarise(scratch, found, 0.0, scratch + n, &stat);
        times_of(&stat, times);
        for (int i = 0; i < SHOW_N_TIMES; i++)
            draft_number(draft, record_column(out, show_time_columns[i]), times[i]);
    }
    found = numbers_of(rows, member, n, record_column(rows, "gpu_mhz_med"), scratch);
    if (found > 0) { /* the clock of the times: no two runs have quite the same */
        bench_summarise(scratch, found, 0.0, scratch + n, &stat);
        draft_number(draft, record_column(out, "gpu_mhz_med"), stat.mean);
    }
    for (int i = d->first_value; i < d->n_columns; i++) {
        char name[2 * MAX_NAME];

        found = numbers_of(rows, member, n, i, scratch);
        if (found == 0)
            continue;
        bench_summarise(scratch, found, 0.0, scratch + n, &stat);
        snprintf(name, sizeof name, "%s_sd", rows->column[i]);
        draft_number(draft, i, stat.mean);
        if (found > 1)
            draft_number(draft, record_column(out, name), stat.sd);
    }
}

/* Rows that agree in all but 'over' are one of the means. */
static enum bench_status add_means(const struct deriving *d, struct record_table *out)
{
    const size_t room = (size_t)d->rows->n_rows + 1;
    int *member = calloc(room, sizeof *member);
    bool *taken = calloc(room, sizeof *taken);
    double *scratch = calloc(2 * room, sizeof *scratch);
    struct draft draft = {0};
    enum bench_status status = member && taken && scratch
                                   ? draft_make(&draft, out->n_columns)
                                   : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table");

    for (int row = 0; row < d->rows->n_rows && status == BENCH_OK; row++) {
        int n = 0;

        for (int other = row; other < d->rows->n_rows && !taken[row]; other++)
            if (!taken[other] && agree(d, d->rows, row, other, d->wish.over))
                member[n++] = other;
        for (int i = 0; i < n; i++)
            taken[member[i]] = true;
        if (n == 0)
            continue;
        for (int i = 0; i < n; i++)
            d->mean[member[i]] = out->n_rows;
        mean_of(d, member, n, scratch, out, &draft);
        status = record_add_row(out, draft.field);
    }
    draft_free(&draft);
    free(member);
    free(taken);
    free(scratch);
    return status;
}

/* ---- one row beside another ---- */

/* Whether two rows agree in all keys that both have, but the listed ones and the number of threads. */
static bool are_comparable(const struct deriving *d, const struct record_table *table, int row,
                           int yard)
{
    for (int i = 0; i < d->n_keys; i++) {
        const int at = d->key[i];
        const char *left = cell_at(table, row, at), *right = cell_at(table, yard, at);

        if (at == d->impl || !strcmp(table->column[at], "threads") || left[0] == '\0' ||
            right[0] == '\0' || !strcmp(left, right))
            continue;
        if (!show_is_listed(d->wish.but, table->column[at]))
            return false;
    }
    return true;
}

/* The row of the variant that all are compared with; -1: none. */
static int yardstick(const struct deriving *d, const struct record_table *table, int row)
{
    for (int other = 0; other < table->n_rows; other++)
        if (!strcmp(cell_at(table, other, d->impl), d->wish.against) &&
            are_comparable(d, table, row, other))
            return other;
    return -1;
}

/* The mean time of a row of the compared table in one session; false: it has none there. */
static bool time_in_session(const struct deriving *d, int row, const char *session, double *ms)
{
    const int mean_ms = record_column(d->rows, "mean_ms");
    double sum = 0, one;
    int n = 0;

    for (int i = 0; i < d->rows->n_rows; i++)
        if (d->mean[i] == row && !strcmp(cell_at(d->rows, i, d->session), session) &&
            number_at(d->rows, i, mean_ms, &one)) {
            sum += one;
            n++;
        }
    *ms = n > 0 ? sum / n : 0;
    return *ms > 0;
}

/* How many times as fast a row is as its yardstick: by the newest session that has both, since two sessions may be of two
 * machines; false: none has. */
static bool acceleration_of(const struct deriving *d, int row, int yard, double *times)
{
    const char *newest = NULL;
    double mine, other;

    for (int i = 0; i < d->rows->n_rows; i++) {
        const char *session = cell_at(d->rows, i, d->session);

        if (d->mean[i] != row || (newest && strcmp(session, newest) <= 0) ||
            !time_in_session(d, row, session, &mine) ||
            !time_in_session(d, yard, session, &other))
            continue;
        newest = session;
        *times = other / mine;
    }
    return newest != NULL;
}

/* Among the rows that differ from 'row' in the key alone: whether it is the fastest that is as good as 'bound'. */
static bool reaches_first(const struct deriving *d, const struct record_table *table, int row,
                          double bound)
{
    const int value = record_column(table, d->wish.reach);
    const int mean_ms = record_column(table, "mean_ms");
    double mine, other, ms, other_ms;

    if (!number_at(table, row, value, &mine) || mine > bound ||
        !number_at(table, row, mean_ms, &ms))
        return false;
    for (int i = 0; i < table->n_rows; i++)
        if (i != row && number_at(table, i, value, &other) && other <= bound &&
            number_at(table, i, mean_ms, &other_ms) &&
            (other_ms < ms || (other_ms == ms && i < row)) &&
            agree(d, table, i, row, d->wish.along))
            return false;
    return true;
}

/* What the row is worth, in the columns of 'out' that 'table' lacks. */
static void compare_row(const struct deriving *d, const struct record_table *table, int row,
                        const struct record_table *out, struct draft *draft)
{
    const struct wish *wish = &d->wish;
    const int mean_ms = record_column(table, "mean_ms");
    const int yard = wish->against[0] ? yardstick(d, table, row) : -1;
    char along[MAX_NAME + 8];
    double ms, number;

    if (!number_at(table, row, mean_ms, &ms))
        return;
    if (wish->per[0] && number_at(table, row, record_column(table, wish->per), &number) &&
        number > 0)
        draft_number(draft, record_column(out, wish->per_column), 1e6 * ms / number);
    if (yard < 0)
        return;
    if (acceleration_of(d, row, yard, &number))
        draft_number(draft, record_column(out, "acceleration"), number);
    if (!wish->reach[0] ||
        !number_at(table, yard, record_column(table, wish->reach), &number) ||
        !reaches_first(d, table, row, number))
        return;
    draft_number(draft, record_column(out, "reach_ms"), ms);
    snprintf(along, sizeof along, "reach_%s", wish->along);
    if (number_at(table, row, record_column(table, wish->along), &number))
        draft_number(draft, record_column(out, along), number);
}

static enum bench_status add_compared(const struct deriving *d,
                                      const struct record_table *table,
                                      struct record_table *out)
{
    struct draft draft = {0};
    enum bench_status status = draft_make(&draft, out->n_columns);

    for (int row = 0; row < table->n_rows && status == BENCH_OK; row++) {
        draft_clear(&draft, out->n_columns);
        for (int i = 0; i < table->n_columns; i++)
            draft.field[i] = cell_at(table, row, i);
        compare_row(d, table, row, out, &draft);
        status = record_add_row(out, draft.field);
    }
    draft_free(&draft);
    return status;
}

/* ---- all of it ---- */

static enum bench_status copy_columns(const struct record_table *from, struct record_table *to)
{
    for (int i = 0; i < from->n_columns; i++)
        TRY(record_add_column(to, from->column[i]));
    return BENCH_OK;
}

static enum bench_status make_means(const struct deriving *d, struct record_table *means)
{
    char name[2 * MAX_NAME];

    TRY(copy_columns(d->rows, means));
    TRY(record_add_column(means, "n_outside"));
    for (int i = d->first_value; i < d->n_columns; i++) {
        snprintf(name, sizeof name, "%s_sd", d->rows->column[i]);
        if (record_column(means, name) < 0)
            TRY(record_add_column(means, name));
    }
    return add_means(d, means);
}

static enum bench_status make_compared(const struct deriving *d,
                                       const struct record_table *table,
                                       struct record_table *out)
{
    char along[MAX_NAME + 8];

    TRY(copy_columns(table, out));
    if (d->wish.per[0])
        TRY(record_add_column(out, d->wish.per_column));
    if (d->wish.against[0])
        TRY(record_add_column(out, "acceleration"));
    if (d->wish.reach[0]) {
        TRY(record_add_column(out, "reach_ms"));
        snprintf(along, sizeof along, "reach_%s", d->wish.along);
        TRY(record_add_column(out, along));
    }
    return add_compared(d, table, out);
}

enum bench_status show_derive(const struct bench_experiment *experiment,
                              const struct shown *shown, const struct show_keys *keys,
                              struct record_table *derived)
{
    struct deriving d = {.experiment = experiment,
                         .rows = &shown->rows,
                         .impl = record_column(&shown->rows, "impl"),
                         .session = record_column(&shown->rows, "session"),
                         .n_columns = shown->rows.n_columns,
                         .first_value = shown->first_value};
    struct record_table best = {0}, means = {0};
    enum bench_status status = BENCH_OK;

    *derived = (struct record_table){0};
    TRY(read_wish(experiment, &d.wish));
    if (shown->rows.n_rows == 0 || !(experiment->layout.best[0] || d.wish.over[0] ||
                                     d.wish.against[0] || d.wish.per[0] || d.wish.reach[0]))
        return BENCH_OK;
    TRY(check_columns(&d));
    d.key[d.n_keys++] = d.impl;
    for (int i = 0; i < keys->n && d.n_keys < 128; i++) {
        const int at = record_column(&shown->rows, keys->name[i]);

        if (at >= 0)
            d.key[d.n_keys++] = at;
    }
    d.mean = malloc((size_t)shown->rows.n_rows * sizeof *d.mean);
    if (!d.mean)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table");
    if (experiment->layout.best[0]) {
        status = copy_columns(d.rows, &best);
        if (status == BENCH_OK)
            status = add_best(&d, d.rows, &best);
        d.rows = &best;
    }
    for (int i = 0; i < d.rows->n_rows; i++)
        d.mean[i] = i; /* without means a row is its own */
    if (status == BENCH_OK && d.wish.over[0])
        status = make_means(&d, &means);
    if (status == BENCH_OK)
        status = make_compared(&d, d.wish.over[0] ? &means : d.rows, derived);
    record_table_free(&means);
    record_table_free(&best);
    free(d.mean);
    if (status != BENCH_OK)
        record_table_free(derived);
    return status;
}

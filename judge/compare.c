/*
 * compare.c - rows of two builds, matched by cell, and the verdict on each cell
 */
#include "judge/compare.h"

#include "harness/record_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FLOOR_US 2.0 /* no timed stretch is trusted to less, nor to less than two ticks */

/* ---- a side ---- */

static enum bench_status remember_process(struct compare_side *side, int n_new)
{
    const int n = side->rows.n_rows;
    int *process = realloc(side->process, ((size_t)n + 1) * sizeof *process);

    if (!process)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for rows");
    side->process = process;
    for (int i = n - n_new; i < n; i++)
        process[i] = side->n_processes;
    side->n_processes++;
    return BENCH_OK;
}

static enum bench_status add_file(struct compare_side *side, const char *path, bool optional)
{
    struct record_table more;
    char tick[64];
    double tick_us;
    int n_new;

    TRY(record_read_session(path, &more));
    if (record_column(&more, "impl") < 0 || record_column(&more, "median_ms") < 0 ||
        record_column(&more, "status") < 0) {
        const bool empty = more.n_columns == 0;

        record_table_free(&more);
        if (optional || empty) /* some other table; a run that was killed at its first row */
            return BENCH_OK;
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s:1: expected a file of results, with columns impl, median_ms and "
                          "status",
                          path);
    }
    n_new = more.n_rows;
    TRY(record_append(&side->rows, &more));
    TRY(record_env_value(path, "device_timer_resolution_us", tick, sizeof tick));
    if (text_to_number(tick, &tick_us) && tick_us > side->tick_us)
        side->tick_us = tick_us;
    return n_new > 0 ? remember_process(side, n_new) : BENCH_OK;
}

static enum bench_status add_folder(struct compare_side *side, const char *folder)
{
    enum bench_status status;
    char **names;
    int n;

    TRY(record_list_sessions(folder, &names, &n));
    status = BENCH_OK;
    for (int i = 0; i < n && !status; i++) {
        struct text path = {0};

        text_format(&path, "%s/%s.csv", folder, names[i]);
        status = text_ok(&path);
        if (!status)
            status = add_file(side, path.data, true);
        text_free(&path);
    }
    record_free_names(names, n);
    return status;
}

/* One build, one machine, and something to compare. */
static enum bench_status check_side(struct compare_side *side)
{
    const struct record_table *t = &side->rows;
    bool any = false;

    for (int i = 0; i < t->n_rows; i++) {
        const char *hash = record_get(t, i, "build_hash");

        if (!record_is_whole(t, i))
            continue;
        if (any && strcmp(side->machine, record_get(t, i, "machine")) != 0)
            return BENCH_FAIL(BENCH_EINPUT,
                              "%.200s: expected rows of one machine, found %s and %s",
                              side->name, side->machine, record_get(t, i, "machine"));
        if (any && strcmp(side->build_hash, hash) != 0)
            return BENCH_FAIL(BENCH_EINPUT,
                              "%.200s: expected rows of one build, found commits %.7s and %.7s "
                              "(build_hash %s and %s)",
                              side->name, side->commit, record_get(t, i, "commit"),
                              side->build_hash, hash);
        any = true;
        snprintf(side->machine, sizeof side->machine, "%s", record_get(t, i, "machine"));
        snprintf(side->build_hash, sizeof side->build_hash, "%s", hash);
        snprintf(side->commit, sizeof side->commit, "%s", record_get(t, i, "commit"));
    }
    return any ? BENCH_OK
               : BENCH_FAIL(BENCH_EINPUT,
                            "%.200s: expected rows of whole runs of a release build, found "
                            "none",
                            side->name);
}

static enum bench_status read_side(const char *paths, struct compare_side *side)
{
    enum bench_status status = BENCH_OK;
    char *copy = strdup(paths);

    side->name = paths;
    if (!copy)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for paths");
    for (char *save = NULL, *path = strtok_r(copy, ",", &save); path && !status;
         path = strtok_r(NULL, ",", &save)) {
        struct stat info;

        status = stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? add_folder(side, path)
                                                                 : add_file(side, path, false);
    }
    free(copy);
    return status ? status : check_side(side);
}

static void free_side(struct compare_side *side)
{
    record_table_free(&side->rows);
    free(side->process);
    *side = (struct compare_side){0};
}

/* ---- cells ---- */

/* What tells cells apart, beside the parameters. */
static const char *const identity_columns[] = {"impl",    "input",    "case",      "batch",
                                               "threads", "transfer", "mode_name", "profile",
                                               "scope",   "series"};

/*
 * A line for each column that both sides have and each parameter that both builds knew.  A build knows a parameter when its
 * rows have a column for it: older ones lack some, and their cells are what the newer build's are without.
 */
static void add_identity(const struct record_table *t, int row,
                         const struct record_table *other, struct text *identity)
{
    const char *at = record_get(t, row, "params");

    for (size_t i = 0; i < sizeof identity_columns / sizeof *identity_columns; i++) {
        const char *column = identity_columns[i];

        if (record_column(other, column) >= 0 && record_column(t, column) >= 0)
            text_format(identity, "%s=%s\n", column, record_get(t, row, column));
    }
    if (*record_cut(t, row)) /* the whole card is what older builds had, too */
        text_format(identity, "sms=%s\n", record_cut(t, row));
    while (*at) {
        const size_t n = strcspn(at, ";"), n_key = strcspn(at, "=;");
        char key[64];

        snprintf(key, sizeof key, "%.*s", (int)(n_key < sizeof key ? n_key : sizeof key - 1),
                 at);
        if (record_column(other, key) >= 0)
            text_format(identity, "%.*s\n", (int)n, at);
        at += n + (at[n] == ';');
    }
}

/* Rows of both sides, sorted by cell. */
struct placed_row {
    char *identity; /* owned */
    int side, row;
};

static int compare_placed_rows(const void *left, const void *right)
{
    const struct placed_row *a = left, *b = right;
    const int order = strcmp(a->identity, b->identity);

    return order ? order : a->side != b->side ? a->side - b->side : a->row - b->row;
}

static const char *outcome_of(const struct record_table *t, int row)
{
    const char *status = record_get(t, row, "status");

    return !strcmp(status, "ok") || !strcmp(status, "unstable") || !strcmp(status, "throttled")
               ? record_get(t, row, "verdict")
               : status;
}

static bool is_good(const char *outcome)
{
    return strcmp(outcome, "wrong") != 0 && strcmp(outcome, "failed") != 0 &&
           strcmp(outcome, "skipped") != 0;
}

/* A row among the runs of its side: the last one of a process counts.  *last: the process of the last number, -1: none. */
static void add_number(const struct compare_side *side, int which, int row, int *last,
                       struct compare_cell *cell, double *numbers, int *n)
{
    const struct record_table *t = &side->rows;
    const char *status = record_get(t, row, "status");
    double ms;

    if (strcmp(status, "ok") != 0) {
        cell->n_unsteady[which] += !strcmp(status, "unstable") || !strcmp(status, "throttled");
        return;
    }
    if (!record_get_number(t, row, "median_ms", &ms) || !(ms > 0))
        return;
    if (*last == side->process[row])
        numbers[*n - 1] = ms;
    else if (*n < REGRESSION_MAX_RUNS)
        numbers[(*n)++] = ms;
    else
        return;
    *last = side->process[row];
}

static void add_hash(char known[20], const char *hash)
{
    if (!*known)
        snprintf(known, 20, "%s", *hash ? hash : "-");
    else if (strcmp(known, hash) != 0)
        snprintf(known, 20, "-");
}

static bool differ(const char *a, const char *b)
{
    return *a && *b && strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && strcmp(a, b) != 0;
}

/* The rows [first, last) are one cell; those of base come first. */
static void fill_cell(const struct comparison *c, const struct placed_row *placed, int first,
                      int last, struct compare_cell *cell, struct regression_cell *judged)
{
    char input[2][20] = {"", ""};
    const char *outcome[2] = {NULL, NULL};
    const char *params[2] = {NULL, NULL}, *why[2] = {"", ""};
    int process[2] = {-1, -1};

    cell->row[0] = cell->row[1] = -1;
    for (int i = first; i < last; i++) {
        const int s = placed[i].side, row = placed[i].row;
        const struct record_table *t = &c->side[s].rows;
        const char *found = outcome_of(t, row);

        if (params[s] && strcmp(params[s], record_get(t, row, "params")) != 0)
            cell->ambiguous = true;
        params[s] = record_get(t, row, "params");
        if (!outcome[s] || is_good(outcome[s])) { /* one bad run is a bad cell */
            outcome[s] = found;
            why[s] = record_get(t, row, "reason");
        }
        if (is_good(found)) {
            add_hash(cell->hash[s], record_get(t, row, "output_hash"));
            add_hash(input[s], record_get(t, row, "input_hash"));
        }
        if (s == 0)
            add_number(&c->side[0], 0, row, &process[0], cell, judged->a, &judged->n_a);
        else
            add_number(&c->side[1], 1, row, &process[1], cell, judged->b, &judged->n_b);
        cell->row[s] = row;
    }
    if (!outcome[0] || !outcome[1]) /* of one side alone */
        return;
    judged->changed = true;
    if (*outcome[0] && *outcome[1] && strcmp(outcome[0], outcome[1]) != 0)
        snprintf(cell->reason, sizeof cell->reason, "was %.40s, is %.40s%s%.180s", outcome[0],
                 outcome[1], *why[1] ? ": " : "", why[1]);
    else if (differ(input[0], input[1]))
        snprintf(cell->reason, sizeof cell->reason, "its input is another one: %s, was %s",
                 input[1], input[0]);
    else if (differ(cell->hash[0], cell->hash[1]))
        snprintf(cell->reason, sizeof cell->reason, "its output is another one: %s, was %s",
                 cell->hash[1], cell->hash[0]);
    else
        judged->changed = false;
}

/* The least difference in ms per frame: FLOOR_US, or two ticks, of what is timed in one stretch. */
static double least_difference(const struct compare_side *side, int row)
{
    const struct record_table *t = &side->rows;
    const bool on_gpu = !strcmp(record_get(t, row, "device"), "gpu");
    double frames = 1, reps = 1, inputs = 1;
    double us = FLOOR_US;

    if (on_gpu && 2 * side->tick_us > us)
        us = 2 * side->tick_us;
    record_get_number(t, row, "n_frames", &frames);
    if (!strcmp(record_get(t, row, "scope"), "kernel")) {
        record_get_number(t, row, "reps", &reps);
        if (reps > 1 ||
            strcmp(record_get(t, row, "series"), "cold") != 0) /* cold ones by themselves */
            record_get_number(t, row, "n_inputs", &inputs);
    }
    return 1e-3 * us / fmax(1, frames * reps * inputs);
}

static enum bench_status place_rows(const struct comparison *c, struct placed_row **placed,
                                    int *n)
{
    const int most = c->side[0].rows.n_rows + c->side[1].rows.n_rows;

    *n = 0;
    *placed = calloc((size_t)most + 1, sizeof **placed);
    if (!*placed)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for rows");
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < c->side[s].rows.n_rows; i++) {
            struct text identity = {0};

            if (!record_is_whole(&c->side[s].rows, i))
                continue;
            add_identity(&c->side[s].rows, i, &c->side[1 - s].rows, &identity);
            if (text_ok(&identity) != BENCH_OK) {
                text_free(&identity);
                return BENCH_ENOMEM;
            }
            (*placed)[(*n)++] = (struct placed_row){identity.data, s, i};
        }
    qsort(*placed, (size_t)*n, sizeof **placed, compare_placed_rows);
    return BENCH_OK;
}

static enum bench_status grow(struct comparison *c, int n)
{
    struct compare_cell *cell = realloc(c->cell, ((size_t)n + 1) * sizeof *cell);
    struct regression_cell *judged;

    if (cell)
        c->cell = cell;
    judged = realloc(c->judged, ((size_t)n + 1) * sizeof *judged);
    if (judged)
        c->judged = judged;
    return cell && judged ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "out of memory for cells");
}

/* A cell that neither side could do says nothing. */
static bool is_nothing(const struct comparison *c, const struct compare_cell *cell)
{
    return !is_good(outcome_of(&c->side[0].rows, cell->row[0])) &&
           !is_good(outcome_of(&c->side[1].rows, cell->row[1]));
}

static enum bench_status make_cells(struct comparison *c, struct placed_row *placed, int n)
{
    for (int first = 0, last; first < n; first = last) {
        struct compare_cell cell = {0};
        struct regression_cell judged = {.same_binary = c->same_binary};

        for (last = first + 1;
             last < n && !strcmp(placed[last].identity, placed[first].identity);)
            last++;
        fill_cell(c, placed, first, last, &cell, &judged);
        if (cell.row[0] < 0 || cell.row[1] < 0) {
            c->n_alone[cell.row[0] < 0]++;
            continue;
        }
        if (is_nothing(c, &cell))
            continue;
        if (!judged.changed && !judged.n_a && !judged.n_b) {
            /* verified, not timed */
            judged.same_binary = true;
        }
        if (cell.ambiguous) {
            judged.changed = false;
            judged.n_a = judged.n_b = 0;
        }
        judged.at_least_ms = fmax(least_difference(&c->side[0], cell.row[0]),
                                  least_difference(&c->side[1], cell.row[1]));
        TRY(grow(c, c->n));
        cell.identity = placed[first].identity;
        placed[first].identity = NULL;
        c->cell[c->n] = cell;
        c->judged[c->n++] = judged;
    }
    return BENCH_OK;
}

static enum bench_status match(const char *const side[2], struct comparison *c)
{
    struct placed_row *placed = NULL;
    enum bench_status status;
    int n = 0;

    TRY(read_side(side[0], &c->side[0]));
    TRY(read_side(side[1], &c->side[1]));
    if (differ(c->side[0].machine, c->side[1].machine))
        return BENCH_FAIL(BENCH_EINPUT,
                          "expected two builds on one machine, found results of %s and of %s",
                          c->side[0].machine, c->side[1].machine);
    c->same_binary = c->side[0].build_hash[0] != '\0' &&
                     !strcmp(c->side[0].build_hash, c->side[1].build_hash);
    status = place_rows(c, &placed, &n);
    if (!status)
        status = make_cells(c, placed, n);
    for (int i = 0; i < n; i++)
        free(placed[i].identity);
    free(placed);
    return status;
}

/* ---- two stages ---- */

static int find_cell(const struct comparison *c, const char *identity)
{
    for (int i = 0; i < c->n; i++)
        if (!strcmp(c->cell[i].identity, identity))
            return i;
    return -1;
}

/*
 * Put the cells of a second stage in the place of the first's.  What the second lacks keeps the first stage's numbers and
 * p = 1; a cell that went on and has no numbers now is unclear.
 */
static enum bench_status join_stages(struct comparison *first, struct comparison *second)
{
    for (int s = 0; s < 2; s++)
        if (differ(first->side[s].build_hash, second->side[s].build_hash))
            return BENCH_FAIL(BENCH_EINPUT,
                              "expected both stages of one build, found %s in %.150s and %s in "
                              "%.150s",
                              first->side[s].build_hash, first->side[s].name,
                              second->side[s].build_hash, second->side[s].name);
    for (int i = 0; i < first->n; i++) {
        struct regression_cell *judged = &first->judged[i];
        const int at = find_cell(second, first->cell[i].identity);

        if (at < 0) {
            judged->stopped = true;
            first->n_stopped++;
            continue;
        }
        judged->changed |= second->judged[at].changed;
        memcpy(judged->a, second->judged[at].a, sizeof judged->a);
        memcpy(judged->b, second->judged[at].b, sizeof judged->b);
        judged->n_a = second->judged[at].n_a;
        judged->n_b = second->judged[at].n_b;
        if (second->judged[at].changed && !first->cell[i].reason[0])
            memcpy(first->cell[i].reason, second->cell[at].reason,
                   sizeof first->cell[i].reason);
    }
    return BENCH_OK;
}

/* What people are told of a cell that could not be decided. */
static void explain(struct comparison *c, int i)
{
    struct compare_cell *cell = &c->cell[i];
    const struct regression_cell *j = &c->judged[i];
    char more[80] = "";

    if (j->verdict != REGRESSION_UNCLEAR)
        return;
    if (j->runs >= REGRESSION_MANY)
        snprintf(more, sizeof more, "more than %d runs a side would decide",
                 REGRESSION_MAX_RUNS);
    else
        snprintf(more, sizeof more, "about %d runs a side would decide", j->runs);
    if (cell->ambiguous)
        snprintf(cell->reason, sizeof cell->reason,
                 "several cells of one side look the same to the other, which lacks a key");
    else if (cell->n_unsteady[0] + cell->n_unsteady[1] > 0)
        snprintf(cell->reason, sizeof cell->reason,
                 "%d runs were unstable or throttled and do not count; %s",
                 cell->n_unsteady[0] + cell->n_unsteady[1], more);
    else if (j->n_a < 2 && j->n_b < 2)
        snprintf(cell->reason, sizeof cell->reason, "one run a side decides nothing; %s", more);
    else
        snprintf(cell->reason, sizeof cell->reason, "%s", more);
}

enum bench_status compare_read(const char *const side[2], const char *const *first,
                               const struct compare_options *options, struct comparison *c)
{
    struct comparison second = {0};
    enum bench_status status;

    *c = (struct comparison){.floor = options->floor, .fdr = options->fdr};
    status = match(first ? first : side, c);
    if (!status && first)
        status = match(side, &second);
    if (!status && first)
        status = join_stages(c, &second);
    compare_free(&second);
    if (!status && c->n == 0)
        status =
            BENCH_FAIL(BENCH_EINPUT,
                       "expected cells that both sides have, found none: %d in base alone, "
                       "%d in head alone",
                       c->n_alone[0], c->n_alone[1]);
    if (!status && !regression_judge(c->judged, c->n, options->floor, options->fdr))
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for verdicts");
    for (int i = 0; i < c->n && !status; i++)
        explain(c, i);
    if (status)
        compare_free(c);
    return status;
}

void compare_free(struct comparison *c)
{
    for (int i = 0; i < c->n; i++)
        free(c->cell[i].identity);
    free(c->cell);
    free(c->judged);
    free_side(&c->side[0]);
    free_side(&c->side[1]);
    *c = (struct comparison){0};
}

int compare_count(const struct comparison *c, enum regression_verdict verdict)
{
    int n = 0;

    for (int i = 0; i < c->n; i++)
        n += c->judged[i].verdict == verdict;
    return n;
}

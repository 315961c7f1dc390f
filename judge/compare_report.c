/*
 * compare_report.c - verdicts on two builds as a table for people and as CSV, and the descriptor of a second stage
 */
#include "judge/compare.h"

#include "judge/page.h"

#include <math.h>
#include <string.h>

/* ---- what a cell is called ---- */

/* Whether each cell has this line of an identity. */
static bool in_all(const struct comparison *c, const char *line, size_t n)
{
    for (int i = 0; i < c->n; i++) {
        const char *at = c->cell[i].identity;

        while (*at && (strcspn(at, "\n") != n || memcmp(at, line, n) != 0))
            at += strcspn(at, "\n") + 1;
        if (!*at)
            return false;
    }
    return true;
}

/* Whether some cell has another value of a line's key. */
static bool tells_apart(const struct comparison *c, const char *line, size_t n)
{
    const size_t n_key = strcspn(line, "=") + 1;

    for (int i = 0; i < c->n; i++)
        for (const char *at = c->cell[i].identity; *at;) {
            const size_t n_other = strcspn(at, "\n");

            if (!strncmp(at, line, n_key) && (n_other != n || memcmp(at, line, n) != 0))
                return true;
            at += n_other + 1;
        }
    return false;
}

/* An identity's lines in one: what all cells share, or the variant and what tells this one apart. */
static void add_label(const struct comparison *c, const char *identity, bool shared,
                      struct text *label)
{
    const char *between = "";

    for (const char *at = identity; *at;) {
        const size_t n = strcspn(at, "\n");
        const bool is_impl = !strncmp(at, "impl=", 5);
        const size_t skip = is_impl ? 5 : 0;

        if (at[n - 1] != '=' &&
            (shared ? in_all(c, at, n) : is_impl || tells_apart(c, at, n))) {
            text_add(label, between);
            text_bytes(label, at + skip, n - skip);
            between = " ";
        }
        at += n + 1;
    }
}

/* ---- the table ---- */

static void percent(char *text, size_t size, double share)
{
    snprintf(text, size, fabs(share) < 9.995 ? "%+.1f" : "%+.0f", 100 * share);
}

static void interval_text(const struct regression_cell *j, char *text, size_t size)
{
    char lo[24], hi[24];

    percent(lo, sizeof lo, j->interval.lo);
    percent(hi, sizeof hi, j->interval.hi);
    if (j->same_binary || j->interval.kept < 0.5)
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%s..%s%s", lo, hi, j->interval.kept < 0.95 ? "*" : "");
}

static void add_row(struct text *page, const struct comparison *c, int i)
{
    const struct regression_cell *j = &c->judged[i];
    char base[TEXT_NUMBER] = "-", head[TEXT_NUMBER] = "-", change[24] = "-", interval[64],
         runs[24], q[TEXT_NUMBER] = "-";
    struct text label = {0};

    if (j->base > 0)
        text_short_number(base, j->base, 4);
    if (j->head > 0)
        text_short_number(head, j->head, 4);
    if (j->base > 0 && j->head > 0)
        percent(change, sizeof change, j->change);
    interval_text(j, interval, sizeof interval);
    snprintf(runs, sizeof runs, "%d+%d", j->n_a, j->n_b);
    if (!j->same_binary)
        text_short_number(q, j->q, 2);
    text_format(page, "%-14s %9s %9s %8s  %-17s %5s %7s\n",
                regression_verdict_names[j->verdict], base, head, change, interval, runs, q);
    add_label(c, c->cell[i].identity, false, &label);
    page_wrapped(page, label.data ? label.data : "");
    if (c->cell[i].reason[0])
        page_wrapped(page, c->cell[i].reason);
    if (label.failed)
        page->failed = true;
    text_free(&label);
}

static void add_head(struct text *page, const struct comparison *c)
{
    struct text shared = {0};

    for (int s = 0; s < 2; s++)
        text_format(page, "%s: commit %.7s, build %s, %d run%s\n", s ? "head" : "base",
                    c->side[s].commit[0] ? c->side[s].commit : "unknown",
                    c->side[s].build_hash[0] ? c->side[s].build_hash : "unknown",
                    c->side[s].n_processes, c->side[s].n_processes == 1 ? "" : "s");
    add_label(c, c->cell[0].identity, true, &shared);
    if (shared.size > 0) {
        text_format(page, "all cells:\n");
        page_wrapped(page, shared.data);
    }
    text_free(&shared);
    if (c->n_alone[0] + c->n_alone[1] > 0)
        text_format(page, "left out: %d cells of base alone, %d of head alone\n", c->n_alone[0],
                    c->n_alone[1]);
    if (c->same_binary)
        text_add(page, "Both are the same program: there is no difference to look for.\n");
}

/* Cells with one verdict, the largest changes first. */
static void add_verdict(struct text *page, const struct comparison *c,
                        enum regression_verdict verdict, int *n_rows)
{
    double below = HUGE_VAL;

    for (;;) { /* a table is short: each pass takes those with the next largest change */
        double next = -1;

        for (int i = 0; i < c->n; i++) {
            const double size = fabs(c->judged[i].change);

            if (c->judged[i].verdict == verdict && size < below && size > next)
                next = size;
        }
        if (next < 0)
            return;
        for (int i = 0; i < c->n; i++)
            if (c->judged[i].verdict == verdict && !(fabs(c->judged[i].change) < next) &&
                !(fabs(c->judged[i].change) > next)) {
                if ((*n_rows)++ == 0)
                    text_format(page, "\n%-14s %9s %9s %8s  %-17s %5s %7s\n", "verdict",
                                "base ms", "head ms", "change %", "95 % interval", "runs", "q");
                add_row(page, c, i);
            }
        below = next;
    }
}

static void add_totals(struct text *page, const struct comparison *c, int n_rows)
{
    bool partial = false;

    for (int i = 0; i < c->n; i++)
        partial |= !c->judged[i].same_binary && c->judged[i].interval.kept >= 0.5 &&
                   c->judged[i].interval.kept < 0.95;
    if (partial && n_rows > 0)
        text_add(page, "* so few runs allow no interval of 95 %: 3 + 3 one of 90 %\n");
    text_format(page, "\n%d cells:", c->n);
    for (int v = 0; v < REGRESSION_N_VERDICTS; v++)
        text_format(page, "%s %d %s", v ? "," : "",
                    compare_count(c, (enum regression_verdict)v), regression_verdict_names[v]);
    text_add(page, "\n");
}

/* ---- CSV ---- */

static const char *const csv_columns[] = {
    "verdict",     "impl",        "scope",       "series",  "input",   "case",
    "params",      "n_base",      "n_head",      "base_ms", "head_ms", "change",
    "ci_lo",       "ci_hi",       "confidence",  "p",       "q",       "floor",
    "runs_needed", "base_commit", "head_commit", "reason"};
#define N_CSV_COLUMNS (sizeof csv_columns / sizeof *csv_columns)

static void add_csv(struct text *csv, const struct comparison *c, int i)
{
    const struct regression_cell *j = &c->judged[i];
    const struct record_table *t = &c->side[1].rows;
    const int row = c->cell[i].row[1];
    const bool timed = j->base > 0 && j->head > 0;
    const bool bounded = timed && !j->same_binary && j->interval.kept > 0;
    char number[12][TEXT_NUMBER] = {{0}};
    const double value[12] = {j->n_a,    j->n_b,         j->base,        j->head,
                              j->change, j->interval.lo, j->interval.hi, j->interval.kept,
                              j->p,      j->q,           j->floor,       j->runs};
    const bool there[12] = {true,        true,    j->base > 0,
                            j->head > 0, timed,   bounded,
                            bounded,     bounded, timed,
                            timed,       true,    j->runs > 0 && j->runs < REGRESSION_MANY};
    const char *const field[N_CSV_COLUMNS] = {
        regression_verdict_names[j->verdict],
        record_get(t, row, "impl"),
        record_get(t, row, "scope"),
        record_get(t, row, "series"),
        record_get(t, row, "input"),
        record_get(t, row, "case"),
        record_get(t, row, "params"),
        number[0],
        number[1],
        number[2],
        number[3],
        number[4],
        number[5],
        number[6],
        number[7],
        number[8],
        number[9],
        number[10],
        number[11],
        c->side[0].commit,
        c->side[1].commit,
        c->cell[i].reason,
    };

    for (int k = 0; k < 12; k++)
        if (there[k])
            text_number(number[k], value[k]);
    page_csv_line(csv, field, N_CSV_COLUMNS);
}

enum bench_status compare_report(const struct comparison *c,
                                 const struct compare_options *options, FILE *out,
                                 struct text *csv)
{
    struct text page = {0};
    enum bench_status status;
    int n_rows = 0;

    add_head(&page, c);
    for (int v = 0; v < REGRESSION_N_VERDICTS; v++)
        if (v != REGRESSION_SAME || options->all)
            add_verdict(&page, c, (enum regression_verdict)v, &n_rows);
    add_totals(&page, c, n_rows);
    if (csv) {
        page_csv_line(csv, csv_columns, N_CSV_COLUMNS);
        for (int v = 0; v < REGRESSION_N_VERDICTS; v++)
            for (int i = 0; i < c->n; i++)
                if (c->judged[i].verdict == (enum regression_verdict)v)
                    add_csv(csv, c, i);
    }
    status = text_print(&page, out);
    text_free(&page);
    return status;
}

/* ---- the second stage ---- */

static bool goes_on(const struct comparison *c, int i)
{
    const struct regression_cell *j = &c->judged[i];

    return !j->same_binary && !c->cell[i].ambiguous &&
           regression_apart(j->a, j->n_a, j->b, j->n_b);
}

static bool is_line(const char *line, size_t n, const char *text)
{
    return strlen(text) == n && !memcmp(line, text, n);
}

/* What an identity calls otherwise than a descriptor, or what a section has elsewhere. */
static void add_key(const struct record_table *t, int row, const char *line, size_t n,
                    struct text *ini)
{
    const bool has_team = !strcmp(record_get(t, row, "device"), "omp");

    if (!strncmp(line, "profile=", 8) || (!strncmp(line, "threads=", 8) && !has_team) ||
        is_line(line, n, "mode_name=any") || is_line(line, n, "transfer=") ||
        is_line(line, n, "transfer=copy")) /* which an older build does without being asked */
        return;
    if (!strncmp(line, "mode_name=", 10))
        text_format(ini, "mode=%.*s\n", (int)(n - 10), line + 10);
    else
        text_format(ini, "%.*s\n", (int)n, line);
}

/* Rows have a share, descriptors a percentage. */
static void add_precision(const char *share, size_t n, struct text *ini)
{
    char text[TEXT_NUMBER] = "";
    double value;

    snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), share);
    if (!text_to_number(text, &value))
        return;
    text_number(text, 100 * value);
    text_format(ini, "precision=%s%%\n", text);
}

static void add_section(const struct comparison *c, int i, struct text *ini)
{
    const struct record_table *t = &c->side[1].rows;
    const int row = c->cell[i].row[1];

    text_format(ini, "\n[cell-%d]\n", i + 1);
    for (const char *at = c->cell[i].identity; *at;) {
        const size_t n = strcspn(at, "\n");

        add_key(t, row, at, n, ini);
        at += n + 1;
    }
    for (const char *at = record_get(t, row, "plan"); *at;) {
        const size_t n = strcspn(at, ";");

        if (!strncmp(at, "precision=", 10))
            add_precision(at + 10, n - 10, ini);
        else if (strncmp(at, "laps=", 5) != 0 && strncmp(at, "values=", 7) != 0 &&
                 strncmp(at, "energy=", 7) != 0) /* times alone are asked for */
            text_format(ini, "%.*s\n", (int)n, at);
        at += n + (at[n] == ';');
    }
    text_add(ini, "values=0\n");
}

enum bench_status compare_suspects(const struct comparison *c, const char *folder, FILE *out)
{
    enum bench_status status = BENCH_OK;
    int n = 0;

    for (int i = 0; i < c->n && !status; i++) {
        const char *problem = record_get(&c->side[1].rows, c->cell[i].row[1], "problem");
        struct text ini = {0}, path = {0};
        bool done = false;

        if (!goes_on(c, i))
            continue;
        n++;
        if (!*problem || problem[strspn(problem, "abcdefghijklmnopqrstuvwxyz0123456789-_")])
            return BENCH_FAIL(BENCH_EINPUT,
                              "%.200s: expected the name of a problem, found '%.60s'",
                              c->side[1].name, problem);
        for (int k = 0; k < i; k++) /* its problem's file is there */
            done |= goes_on(c, k) && !strcmp(problem, record_get(&c->side[1].rows,
                                                                 c->cell[k].row[1], "problem"));
        if (done)
            continue;
        text_format(&ini, "; cells whose first runs were apart\n[global]\nproblem=%s\n",
                    problem);
        for (int k = i; k < c->n; k++)
            if (goes_on(c, k) &&
                !strcmp(problem, record_get(&c->side[1].rows, c->cell[k].row[1], "problem")))
                add_section(c, k, &ini);
        text_format(&path, "%s/%s.ini", folder, problem);
        status = text_ok(&path);
        if (!status)
            status = text_make_folder(folder);
        if (!status)
            status = text_replace_file(path.data, &ini);
        text_free(&path);
        text_free(&ini);
    }
    if (!status)
        fprintf(out, "%d cells, %d go on, %d runs a side\n", c->n, n,
                regression_runs(c->n, c->fdr));
    return status;
}

/*
 * claims_expected.c - the file of expected verdicts: what was committed, so that a change is seen
 *
 * A CSV that people read in a diff: a line a claim, in the order of the claims, a column for the papers' arithmetic and
 * one a machine; an empty field where nothing is judged.
 */
#include "harness/record_private.h"
#include "judge/claims_private.h"

#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#define ARITHMETIC "paper"

static const struct claim *find_claim(const struct claims *claims, const char *id)
{
    for (int i = 0; i < claims->n; i++)
        if (!strcmp(claims->claim[i].id, id))
            return &claims->claim[i];
    return NULL;
}

static bool verdict_of(const char *word, enum claim_verdict *verdict)
{
    for (int v = 0; v < CLAIM_N_VERDICTS; v++)
        if (!strcmp(claim_verdict_names[v], word)) {
            *verdict = (enum claim_verdict)v;
            return true;
        }
    return false;
}

static enum bench_status check_row(const struct claims *claims, const char *path, int row)
{
    const struct record_table *t = &claims->expected;
    const char *id = record_get(t, row, "claim");
    enum claim_verdict unused;

    if (!find_claim(claims, id))
        return claim_refuse(path, row + 2,
                            "expected one of the claims, found '%s' (claims --expect "
                            "writes the file anew)",
                            id);
    for (int i = 0; i < row; i++)
        if (!strcmp(record_get(t, i, "claim"), id))
            return claim_refuse(path, row + 2, "'%s' stands in line %d already", id, i + 2);
    for (int k = 0; k < t->n_columns; k++) {
        const char *word = record_get(t, row, t->column[k]);

        if (strcmp(t->column[k], "claim") != 0 && *word && !verdict_of(word, &unused))
            return claim_refuse(path, row + 2, "expected a verdict or nothing, found '%s'",
                                word);
    }
    return BENCH_OK;
}

enum bench_status claims_read_expected(const char *path, struct claims *claims)
{
    enum bench_status status = record_read(path, false, &claims->expected);

    if (!status && record_column(&claims->expected, "claim") < 0)
        status = BENCH_FAIL(BENCH_EINPUT, "%s:1: expected a column 'claim', found none", path);
    for (int row = 0; row < claims->expected.n_rows && !status; row++)
        status = check_row(claims, path, row);
    if (status)
        record_table_free(&claims->expected);
    return status;
}

/* The column of a machine: of its name, or a pattern that it fits.  -1: none. */
static int column_of(const struct record_table *t, const char *machine)
{
    for (int k = 0; k < t->n_columns; k++)
        if (strcmp(t->column[k], "claim") != 0 && !fnmatch(t->column[k], machine, 0))
            return k;
    return -1;
}

static const char *committed(const struct record_table *t, const char *id, const char *column)
{
    for (int row = 0; row < t->n_rows; row++)
        if (!strcmp(record_get(t, row, "claim"), id))
            return record_get(t, row, column);
    return "";
}

enum bench_status claim_expected(const struct claims *claims, const char *id,
                                 const char *machine, enum claim_verdict *expected,
                                 bool *covered)
{
    const struct record_table *t = &claims->expected;
    const int column = column_of(t, machine);

    *covered = column >= 0;
    *expected = CLAIM_N_VERDICTS;
    if (*covered)
        verdict_of(committed(t, id, t->column[column]), expected); /* read with the file */
    return BENCH_OK;
}

/* ---- writing ---- */

/* The machine of a column among those judged now; -1: none, -2: the papers' arithmetic. */
static int judged_by(const char *column, const struct claim_machine *machines, int n_machines)
{
    if (!strcmp(column, ARITHMETIC))
        return -2;
    for (int m = 0; m < n_machines; m++)
        if (!fnmatch(column, machines[m].name, 0))
            return m;
    return -1;
}

static enum bench_status add_field(struct claims *claims, const struct record_table *before,
                                   const struct claim *c, const char *column,
                                   const struct claim_machine *machines, int n_machines,
                                   int *n_changed, struct text *csv)
{
    const int by = judged_by(column, machines, n_machines);
    const char *old = committed(before, c->id, column);
    const char *now = old;
    struct claim_judgement j;

    if (by != -1 && !c->expect) {
        now = "";
        if (by == -2 ? c->paper != NULL : c->measured != NULL) {
            TRY(claims_judge(claims, c, by < 0 ? NULL : &machines[by], NULL, &j));
            now = claim_verdict_names[j.verdict];
        }
        *n_changed += strcmp(now, old) != 0;
    }
    text_add(csv, ",");
    text_csv(csv, now);
    return BENCH_OK;
}

/* The columns that were there, then new ones. */
static enum bench_status add_columns(struct record_table *columns,
                                     const struct record_table *before,
                                     const struct claim_machine *machines, int n_machines)
{
    for (int k = 0; k < before->n_columns; k++)
        if (strcmp(before->column[k], "claim") != 0)
            TRY(record_add_column(columns, before->column[k]));
    if (record_column(columns, ARITHMETIC) < 0)
        TRY(record_add_column(columns, ARITHMETIC));
    for (int m = 0; m < n_machines; m++)
        if (column_of(columns, machines[m].name) < 0)
            TRY(record_add_column(columns, machines[m].name));
    return BENCH_OK;
}

static enum bench_status write_all(struct claims *claims, const struct record_table *before,
                                   const struct claim_machine *machines, int n_machines,
                                   struct record_table *columns, int *n_changed,
                                   struct text *csv)
{
    TRY(add_columns(columns, before, machines, n_machines));
    text_csv(csv, "claim");
    for (int k = 0; k < columns->n_columns; k++) {
        text_add(csv, ",");
        text_csv(csv, columns->column[k]);
    }
    text_add(csv, "\n");
    for (int i = 0; i < claims->n; i++) {
        text_csv(csv, claims->claim[i].id);
        for (int k = 0; k < columns->n_columns; k++)
            TRY(add_field(claims, before, &claims->claim[i], columns->column[k], machines,
                          n_machines, n_changed, csv));
        text_add(csv, "\n");
    }
    return text_ok(csv);
}

enum bench_status claims_write_expected(struct claims *claims,
                                        const struct claim_machine *machines, int n_machines,
                                        const char *path, int *n_changed)
{
    struct record_table before = {0}, columns = {0};
    struct text csv = {0};
    enum bench_status status = BENCH_OK;

    *n_changed = 0;
    if (access(path, F_OK) == 0)
        status = record_read(path, false, &before);
    if (!status)
        status = write_all(claims, &before, machines, n_machines, &columns, n_changed, &csv);
    if (!status)
        status = text_replace_file(path, &csv);
    text_free(&csv);
    record_table_free(&columns);
    record_table_free(&before);
    return status;
}

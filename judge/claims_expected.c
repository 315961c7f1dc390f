/*
 * claims_expected.c - the file of expected verdicts: what was committed, so that a change is seen
 *
 * A CSV that people read in a diff: a line a claim, in the order of the claims, a column for the papers' arithmetic and
 * one a machine; an empty field where nothing is judged.
 */
#include "harness/record_private.h"
#include "judge/claims_private.h"

#include <string.h>
#include <unistd.h>

static bool is_claim(const struct claims *claims, const char *id)
{
    for (int i = 0; i < claims->n; i++)
        if (!strcmp(claims->claim[i].id, id))
            return true;
    return false;
}

static enum claim_verdict verdict_of(const char *word)
{
    int v = 0;

    while (v < CLAIM_N_VERDICTS && strcmp(claim_verdict_names[v], word) != 0)
        v++;
    return (enum claim_verdict)v;
}

/* The line of a claim; -1: none. */
static int row_of(const struct record_table *t, const char *id)
{
    int row = t->n_rows - 1;

    while (row >= 0 && strcmp(record_get(t, row, "claim"), id) != 0)
        row--;
    return row;
}

static enum bench_status check_row(const struct claims *claims, const char *path, int row)
{
    const struct record_table *t = &claims->expected;
    const char *id = record_get(t, row, "claim");

    if (!is_claim(claims, id))
        return claim_refuse(path, row + 2,
                            "expected one of the claims, found '%s' (claims --expect writes "
                            "the file anew)",
                            id);
    if (row_of(t, id) != row)
        return claim_refuse(path, row + 2, "'%s' stands in line %d, too", id,
                            row_of(t, id) + 2);
    for (int k = 0; k < t->n_columns; k++) {
        const char *word = record_get(t, row, t->column[k]);

        if (strcmp(t->column[k], "claim") != 0 && *word && verdict_of(word) == CLAIM_N_VERDICTS)
            return claim_refuse(path, row + 2, "expected a verdict or nothing, found '%s'",
                                word);
    }
    return BENCH_OK;
}

enum bench_status claims_read_expected(const char *path, struct claims *claims)
{
    enum bench_status status = record_read(path, false, &claims->expected);

    if (!status && record_column(&claims->expected, "claim") < 0)
        status = claim_refuse(path, 1, "expected a column 'claim', found none");
    for (int row = 0; row < claims->expected.n_rows && !status; row++)
        status = check_row(claims, path, row);
    if (status)
        record_table_free(&claims->expected);
    return status;
}

void claim_expect(const struct claims *claims, const char *id, const char *machine,
                  struct claim_judgement *j)
{
    const int row = row_of(&claims->expected, id);

    j->expected = verdict_of(row < 0 ? "" : record_get(&claims->expected, row, machine));
    j->uncommitted =
        j->expected == CLAIM_N_VERDICTS && record_column(&claims->expected, machine) >= 0;
}

/* ---- writing ---- */

/* A field of the new file: what is judged now, else what stood there. */
static enum bench_status add_field(struct claims *claims, const struct record_table *before,
                                   const struct claim *c, const char *column,
                                   struct claim_machine *machines, int n_machines,
                                   int *n_changed, struct text *csv)
{
    const bool by_paper = !strcmp(column, CLAIM_ARITHMETIC);
    const int row = row_of(before, c->id);
    const char *old = row < 0 ? "" : record_get(before, row, column), *now = old;
    struct claim_judgement j;
    int m = 0;

    while (m < n_machines && strcmp(machines[m].name, column) != 0)
        m++;
    if (by_paper || m < n_machines)
        now = "";
    if (by_paper ? c->paper != NULL : m < n_machines && c->measured) {
        TRY(claims_judge(claims, c, by_paper ? NULL : &machines[m], NULL, &j));
        now = claim_verdict_names[j.verdict];
    }
    *n_changed += strcmp(now, old) != 0;
    text_csv(csv, now);
    return BENCH_OK;
}

/* The columns that were there, then new ones; NULL: this one is there already. */
static const char *column_at(const struct record_table *before, struct claim_machine *machines,
                             int k)
{
    const int n = before->n_columns;
    const char *name = k < n    ? before->column[k]
                       : k == n ? CLAIM_ARITHMETIC
                                : machines[k - n - 1].name;

    return !strcmp(name, "claim") || (k >= n && record_column(before, name) >= 0) ? NULL : name;
}

enum bench_status claims_write_expected(struct claims *claims, struct claim_machine *machines,
                                        int n_machines, const char *path, int *n_changed)
{
    struct record_table before = {0};
    struct text csv = {0};
    enum bench_status status = BENCH_OK;

    *n_changed = 0;
    if (access(path, F_OK) == 0)
        status = record_read(path, false, &before);
    for (int i = -1; i < claims->n && !status; i++) {
        text_csv(&csv, i < 0 ? "claim" : claims->claim[i].id);
        for (int k = 0; k <= before.n_columns + n_machines && !status; k++) {
            const char *column = column_at(&before, machines, k);

            if (!column)
                continue;
            text_add(&csv, ",");
            if (i < 0)
                text_csv(&csv, column);
            else
                status = add_field(claims, &before, &claims->claim[i], column, machines,
                                   n_machines, n_changed, &csv);
        }
        text_add(&csv, "\n");
    }
    if (!status)
        status = text_replace_file(path, &csv);
    text_free(&csv);
    record_table_free(&before);
    return status;
}

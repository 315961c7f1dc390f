/* main_check.c - the subcommand check */
#include "harness/cli/main_private.h"

#include "harness/analysis/check.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#define LINE   2000 /* a finding is one, however long; a terminal's lines are as wide as it is */
#define INDENT 2

enum bench_status main_check(const struct arguments *a)
{
    OWNED(table_free) struct table findings = {0};
    OWNED(text_free) struct text page = {0};
    OWNED(text_free) struct text told = {0};
    const int n = a->n_rest;

    if (n == 0)
        return BENCH_FAIL(BENCH_EINPUT,
                          "check: expected folders of sessions, as results/MACHINE");
    TRY(check_folders((const char *const *)a->rest, n, &findings, &told));
    for (int i = 0; i < findings.n_rows; i++) {
        const struct table_cell *const cell = findings.cell + (ptrdiff_t)i * findings.n_columns;
        OWNED(text_free) struct text line = {0};

        text_format(&line, "%s: %s", cell[0].text ? cell[0].text : "",
                    cell[1].text ? cell[1].text : "");
        if (line.data)
            text_wrap(&page, line.data, 0, INDENT, isatty(1) ? main_width(a) : LINE);
        text_add(&page, "\n");
    }
    if (!findings.n_rows)
        text_add(&page, told.data ? told.data : "");
    TRY(text_print(&page, stdout));
    return findings.n_rows ? BENCH_FAIL(BENCH_EMISMATCH, "check: %d findings", findings.n_rows)
                           : BENCH_OK;
}

/* names.c - rows are taken or left out by what they are called */
#include "harness/analysis/names.h"

#include <stdlib.h>
#include <string.h>

static const char *const named[] = {"machine", "commit", "host", "impl", "input"};
enum { N_NAMED = sizeof named / sizeof *named };

/* The column of the first field that should be a name and is none; -1: all are. */
static int wrong_name(const struct record_table *rows, int row, const int column[N_NAMED])
{
    for (int i = 0; i < N_NAMED; i++) {
        const char *text =
            column[i] < 0
                ? ""
                : rows->cell[(size_t)row * (size_t)rows->n_columns + (size_t)column[i]];

        if (*text && !record_is_name(text))
            return column[i];
    }
    return -1;
}

/* Where a row begins in its file: fields may have lines of their own. */
static int line_of(const struct record_table *rows, int row)
{
    int line = 2 + row;

    for (size_t i = 0; i < (size_t)row * (size_t)rows->n_columns; i++)
        for (const char *at = rows->cell[i]; (at = strchr(at, '\n')); at++)
            line++;
    return line;
}

/* The sentence of the first row that is left out. */
static void say_which(const char *path, const struct record_table *rows, int row, int column,
                      int n_wrong, FILE *notes)
{
    BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s: expected a name, found '%.40s'", path,
               line_of(rows, row), rows->column[column],
               rows->cell[(size_t)row * (size_t)rows->n_columns + (size_t)column]);
    fprintf(notes, "note: %s; ", bench_failure());
    if (n_wrong > 1)
        fprintf(notes, "this row and %d more are left out\n", n_wrong - 1);
    else
        fprintf(notes, "this row is left out\n");
    bench_failure_clear();
}

void names_check(const char *path, struct record_table *rows, FILE *notes)
{
    const size_t n_columns = (size_t)rows->n_columns;
    int column[N_NAMED], first = -1, n = 0;

    for (int i = 0; i < N_NAMED; i++)
        column[i] = record_column(rows, named[i]);
    for (int row = 0; row < rows->n_rows; row++)
        if (wrong_name(rows, row, column) < 0)
            n++;
        else if (first < 0)
            first = row;
    if (first < 0)
        return;
    if (notes)
        say_which(path, rows, first, wrong_name(rows, first, column), rows->n_rows - n, notes);
    n = 0;
    for (int row = 0; row < rows->n_rows; row++) {
        char **cells = rows->cell + (size_t)row * n_columns;

        if (wrong_name(rows, row, column) < 0)
            memmove(rows->cell + (size_t)n++ * n_columns, cells, n_columns * sizeof *cells);
        else
            free(cells[0]); /* holds the row's texts */
    }
    rows->n_rows = n;
}

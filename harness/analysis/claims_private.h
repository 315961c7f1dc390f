/*
 * claims_private.h - what the files of claims share: the language in which a claim says its
 * arithmetic, its cells, queries
 *
 * docs/CLAIMS.md has the grammar.  A value is a number and the range in which it lies: as far
 * as printed digits tell (4.97 is anything from 4.965 to 4.975), or as the noise of a measured
 * one goes.  Ranges are computed by interval arithmetic, which takes the cells for independent,
 * so that they may be too wide and are never too narrow.  What lacks a cell lacks a value, with
 * the reason.
 */
#ifndef BENCH_CLAIMS_PRIVATE_H
#define BENCH_CLAIMS_PRIVATE_H

#include "harness/analysis/claims.h"

#include <string.h>

#define CLAIM_NAMES "names"

#define CLAIM_PAPER         "paper" /* stands for a machine: the papers' own numbers */
#define CLAIM_MAX_DEPTH     24      /* parentheses, functions and names within each other */
#define CLAIM_MAX_ARGUMENTS 32      /* of a function */
#define CLAIM_MAX_FILTERS   16      /* of a cell */
#define CLAIM_MAX_CELL      400     /* bytes of it */
#define CLAIM_MAX_STEPS     20000   /* factors of one claim, those of its names each time */

/* A missing value says first why there is no verdict: "no data: rocks1L is not here" */
#define CLAIM_NO_ROW "not run yet: "
#define CLAIM_NEVER  "cannot be run: "

/* A truth is 1 or 0: as the digits say, whether it must hold, whether it may. */
struct claim_value {
    double value, low, high;
    bool truth, missing;
    char why[240];   /* when missing: "WHY: ..." */
    char shown[100]; /* of a truth: the numbers compared, and how they stand: "4.94 < 6" */
};

enum claim_cell_kind { CELL_PAPER, CELL_OURS, CELL_COUNTERS };

struct claim_cell {
    enum claim_cell_kind kind;
    const char *text;   /* as written, for messages */
    const char *source; /* "rdp/table1": an experiment, or a paper and its table */
    const char *column; /* NULL: any */
    int n_filters;
    const char *key[CLAIM_MAX_FILTERS], *wanted[CLAIM_MAX_FILTERS];
};

/* One evaluation: where it takes its cells from and what was seen on the way. */
struct claim_lookup {
    struct claims *claims;
    const struct claim *claim;       /* NULL: while a name is checked by itself */
    const struct ini_file *file;     /* of messages */
    const struct ini_fact *fact;     /* whose expression is evaluated */
    int depth, steps;                /* kept across names */
    const char *machine;             /* NULL: measured cells are missing */
    const struct ini_fact *measured; /* which of the claim's: 'measured' or 'other' */
    /* measured cells are of a GPU cut to its size; NULL: of whole GPUs */
    const struct claim_board *board;
    bool as_clock;       /* and times are brought to its clock */
    const char *session; /* measured rows are of this one; NULL: of any */
    struct text *log;    /* NULL: none */
    bool only_paper;     /* measured cells are refused */
    bool of_run;         /* there is a time or a counter, no value of the output alone */
    /* The questions of an expression.  They fill *value or say that it is missing; a name or a
     * printed number that is not there is BENCH_EINPUT. */
    enum bench_status (*find_name)(struct claim_lookup *l, const char *name,
                                   struct claim_value *value);
    enum bench_status (*find_cell)(struct claim_lookup *l, const struct claim_cell *cell,
                                   struct claim_value *value);
};

static inline bool claim_is(const char *text, const char *same)
{
    return text && !strcmp(text, same);
}

/* BENCH_EINPUT: what is wrong in a line of a file, or in the one that is evaluated. */
enum bench_status claim_refuse(const char *path, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define CLAIM_REFUSE(l, ...) claim_refuse((l)->file->path, (l)->fact->line, __VA_ARGS__)

/* ---- the language: claims_expression.c ---- */

struct claim_value claim_number(double value);
struct claim_value claim_missing(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* BENCH_EINPUT also for a division by a written 0.  A division by a cell that is 0, and a
 * result too large, are missing values. */
enum bench_status claim_evaluate(const char *text, struct claim_lookup *l,
                                 struct claim_value *value);

/* By the operator that begins so, 'm' for min and all, 'M' for max; "<=" and ">=" are 'l' and
 * 'g'. */
struct claim_value claim_combine(char sign, const struct claim_value *a,
                                 const struct claim_value *b);

/* Cut up "paper/table, key=text, ..., column", where the column may be missing, into 'cell',
 * which is empty; false: it is not so. */
bool claim_split(char *text, struct claim_cell *cell);

/* Half a unit of the last digit of a printed number that begins 'digits': "4.97" -> 0.005, "62"
 * -> 0.5; *number is the number, *end what follows.  false: no number there. */
bool claim_digits(const char *digits, double *number, double *half_unit, const char **end);

/* ---- cells: claims_cells.c; claims.c ---- */

enum bench_status claim_find_cell(struct claim_lookup *l, const struct claim_cell *cell,
                                  struct claim_value *value);

/* A line of an explanation, where one is asked for. */
void claim_log(struct text *log, const char *what, const struct claim_value *value,
               const char *remark);

/* A statement that the store keeps, with the texts of its parameters, up to a NULL: {":name",
 * "text"}; NULL is NULL. */
enum bench_status claim_prepare(struct claims *claims, const char *sql,
                                const char *const (*given)[2], sqlite3_stmt **statement);

/* The question for 'columns' of the printed numbers that a cell is for, of any name where it
 * has no column; path:line is of messages.  The store keeps the statement. */
enum bench_status claim_ask_printed(struct claims *claims, const struct claim_cell *cell,
                                    const char *columns, const char *path, int line,
                                    sqlite3_stmt **statement);

/* ---- tables: claims_table.c ---- */

/* *whole: the facts of 'file' with each section that has 'each' written out, once for each
 * printed number it is for.  Caller owns: ini_free, also after a failure. */
enum bench_status claim_write_out(struct claims *claims, const struct ini_file *file,
                                  struct ini_file *whole);

#endif

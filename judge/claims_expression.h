/*
 * claims_expression.h - the small language in which a claim says its arithmetic: docs/CLAIMS.md has its grammar
 *
 * A value is a number and the range in which it lies: as far as printed digits tell (4.97 is anything from 4.965 to
 * 4.975), or as the noise of a measured one goes.  Ranges are computed by interval arithmetic, which takes the cells for
 * independent, so that they may be too wide and are never too narrow.  What lacks a cell lacks a value, with the reason.
 */
#ifndef BENCH_CLAIMS_EXPRESSION_H
#define BENCH_CLAIMS_EXPRESSION_H

#include "harness/status.h"

#include <stdbool.h>
#include <stddef.h>

#define CLAIM_MAX_DEPTH     24    /* parentheses, functions and names within each other */
#define CLAIM_MAX_ARGUMENTS 32    /* of a function */
#define CLAIM_MAX_FILTERS   16    /* of a cell */
#define CLAIM_MAX_STEPS     20000 /* factors of one claim, those of its names each time */

struct claim_value {
    double value, low,
        high; /* of a truth 1 or 0: as the digits say, whether it must hold, whether it may */
    bool truth;
    bool missing;
    char why[240]; /* when missing */
};

struct claim_cell {
    bool ours;          /* a measured row, else a printed number */
    bool counters;      /* ours: a kernel's row of a profiler */
    const char *text;   /* as written, for messages */
    const char *source; /* "rdp/table1": an experiment, or a paper and its table */
    const char *key[CLAIM_MAX_FILTERS +
                    1], /* one more for what is not written, the number of multiprocessors */
        *wanted[CLAIM_MAX_FILTERS +
                1]; /* "*": the mean over them; of printed numbers any pattern with a star */
    int n_filters;
    const char *column;
};

/* Where cells and names come from.  Both fill *value or say that it is missing; a name that is not there is BENCH_EINPUT. */
struct claim_source {
    enum bench_status (*cell)(void *user, const struct claim_cell *cell,
                              struct claim_value *value);
    enum bench_status (*name)(void *user, const char *name, struct claim_value *value);
    void *user;
    const char *path; /* of messages */
    int line;
    bool exact;       /* printed digits have no range */
    int depth, steps; /* 0 at first; kept across names */
};

/* BENCH_EINPUT: what is wrong in a line of a file. */
enum bench_status claim_refuse(const char *path, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct claim_value claim_number(double value);
struct claim_value claim_missing(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* BENCH_EINPUT with "path:line: what was expected and what was found"; also for a division by a written 0.  A division by
 * a cell that is 0, and a result too large, are missing values. */
enum bench_status claim_evaluate(const char *text, struct claim_source *source,
                                 struct claim_value *value);

/* Cut up "paper/table, key=text, ..., column", where the column may be missing, into 'cell', which is empty; false: it is not so. */
bool claim_split(char *text, struct claim_cell *cell);

/* Half a unit of the last digit of a printed number that begins 'digits': "4.97" -> 0.005, "62" -> 0.5; *number is
 * the number, *end what follows.  false: no number there. */
bool claim_digits(const char *digits, double *number, double *half_unit, const char **end);

#endif

/*
 * claims.h - what the papers say, sentence by sentence, and the verdict on each
 *
 * A claim file is an INI file (harness/base/ini.h); a section is a claim and its name the id,
 * docs/CLAIMS.md says which keys it has.  A claim is judged twice, where it says how: its
 * 'paper' by the numbers that the papers print, without any hardware, and its 'measured' by the
 * rows of a results folder, each of which is a machine.
 */
#ifndef BENCH_CLAIMS_H
#define BENCH_CLAIMS_H

#include "harness/base/ini.h"
#include "harness/analysis/store.h"
#include "harness/analysis/table.h"
#include "harness/base/status.h"
#include "harness/base/text.h"

#include <stdbool.h>
#include <stdio.h>

/* All text is borrowed from the file; NULL where the claim has no such key. */
struct claim {
    const struct ini_file *file;
    const char *id;
    union { /* in the order of claim_keys */
        const char *key[21];
        struct {
            const char *where, *words, *printed, *unit, *kind, *of_paper, *of_measured;
            /* "WHY: ...", why the program has no counterpart */
            const char *missing;
            const char *about, *tol, *hardware, *scaled;
            const char *session; /* "one": all measured rows must be of one session */
            const char *digits;
            /* measured: a time, a rate, a counter; values: of the output; settings: checked,
             * and not counted */
            const char *class;
            const char *better;  /* less, more: the side that the paper itself calls better */
            const char *unlike;  /* why both sides do other things, which nothing compares */
            const char *reading; /* "NAME: expression": another way to read the paper */
            const char *same_as; /* the claim with which it is counted, as one finding */
            const char *rule;    /* what rows of another rule do, which back it, too */
            const char *table;   /* the section of whose table this is a cell */
        };
    };
    /* expressions; 'measured' of a missing counterpart is its reason */
    const struct ini_fact *paper, *measured, *other; /* other: of 'reading' */
    const char *inputs; /* "|tsukuba|venus|": those that are the paper's own; NULL: none */
    double number, half_unit; /* of 'printed'; half a unit of its last digit */
    bool exact;          /* the printed cells count as they stand, without their rounding */
    struct claim_board { /* the paper's GPU; all "": the claim is not scaled */
        char cut[12], mhz[12]; /* multiprocessors that stand for its own; its clock */
    } board;
};

struct claims {
    struct ini_file *file; /* owned */
    int n_files;
    struct claim *claim; /* owned */
    int n;
    char folder[4400];    /* of claim files */
    struct store *store;  /* of printed numbers, expected verdicts and machines; and verdicts */
    struct table machine; /* those with rows, a column of names */
};

/* The files by which claims are judged. */
struct claims_files {
    const char *home;          /* its experiments/claims, all .ini files; results/paper */
    const char *expected;      /* the file of expected verdicts; NULL: the one of 'home' */
    const char *const *folder; /* of results, each a machine, [n] */
    int n;
    FILE *notes;     /* what cannot be read; NULL: silent */
    bool with_empty; /* folders without rows are machines, too */
};

/*
 * Open the store of numbers; read claims and check all there is to check without results: keys,
 * words, numbers, expressions, that each printed cell is there once.  BENCH_EINPUT with
 * "file:line: what was expected and found", BENCH_EIO.  What claims_add() read before goes.
 * Caller owns, whatever comes: claims_free.
 */
enum bench_status claims_open(const struct claims_files *files, struct claims *claims);
enum bench_status claims_add(struct claims *claims);
void claims_free(struct claims *claims);

/* Write the verdicts of now into the file of expected ones, a CSV with a column 'claim', one
 * 'paper' for the arithmetic and one per machine, named after its folder: beside the columns
 * that it has of other machines.  *n_changed: how many are not those that stood there. */
enum bench_status claims_write_expected(struct claims *claims, const char *path,
                                        int *n_changed);

/* The machine that a results folder is of: its own name, whichever way leads there
 * ("results/m", "."); the caller frees it. */
char *claim_machine_name(const char *folder);

/* Judge one claim by the papers' arithmetic ('machine' NULL; it has 'paper') or by a machine's
 * rows (it has 'measured'), after that arithmetic: the verdict becomes a row of verdicts.sql.
 * 'log', if not NULL, gets a line for each cell that was used. */
enum bench_status claims_judge(struct claims *claims, const struct claim *claim,
                               const char *machine, struct text *log);

/* The page on which verdicts are written for people. */
struct claims_page {
    FILE *out;
    int width;   /* columns */
    bool colour; /* as terminals have it */
};

/*
 * All verdicts: those that say otherwise first, in words, and totals, and as CSV into *csv
 * where that is not NULL.  BENCH_EMISMATCH when a verdict is not the one that is expected, or
 * none is committed where the file of expected verdicts has the machine.
 */
enum bench_status claims_report(struct claims *claims, const struct claims_page *page,
                                struct text *csv);
/* Claims with their rows, arithmetic and reasons: one, by the name of a table's section each of
 * its cells, or all that a pattern fits, as "rdp-*". */
enum bench_status claims_explain(struct claims *claims, const char *id,
                                 const struct claims_page *page);

/* Put all verdicts into a store: the temporary table claim_verdict and the views of
 * verdict_total.sql. */
enum bench_status claims_tell(struct claims *claims, struct store *store);

#endif

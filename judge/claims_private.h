/* claims_private.h - what the files of claims share */
#ifndef BENCH_CLAIMS_PRIVATE_H
#define BENCH_CLAIMS_PRIVATE_H

#include "judge/claims.h"
#include "judge/claims_expression.h"

#define CLAIM_MAX_SESSIONS 16

/* One evaluation: where it takes its cells from and what was seen on the way. */
struct claim_lookup {
    struct claims *claims;
    const struct claim *claim;   /* NULL: while a name is checked by itself */
    const struct ini_fact *fact; /* whose expression is evaluated */
    const struct ini_file *file;
    const struct claim_machine *machine; /* NULL: measured cells are missing */
    bool only_paper;                     /* measured cells are refused */
    struct claim_source *source;
    struct text *log;                        /* NULL: none */
    bool elsewhere;                          /* a row is not of the claim's hardware */
    bool single;                             /* a time of one run: its noise is not known */
    bool mixed;                              /* rows of several commits */
    const char *session[CLAIM_MAX_SESSIONS]; /* borrowed: of the rows that count, each once */
    int n_sessions;                          /* CLAIM_MAX_SESSIONS: perhaps more */
    int n_rows,
        n_outside;    /* rows of means over seeds; of these, those with the verdict "outside" */
    char device[160]; /* of the last row */
    char commit[48];  /* of the first row */
    char scope[48];   /* of the times */
};

/* struct claim_source's hook; 'user' is a struct claim_lookup. */
enum bench_status claim_find_cell(void *user, const struct claim_cell *cell,
                                  struct claim_value *value);
void claim_add_scope(struct claim_lookup *l, const char *scope);
void claim_log(struct text *log, const char *what, const struct claim_value *value,
               const char *remark);

/* The printed numbers of the paper before the '/' of 'source', read once; 'path' and 'line' of messages. */
enum bench_status claim_read_paper(struct claims *claims, const char *source, const char *path,
                                   int line, const struct record_table **table);
/* A number of ours, made of several printed ones. */
bool claim_is_derived(const struct record_table *t, int row);
/* The same text or the same number as one of "a|b|c". */
bool claim_text_fits(const char *found, const char *wanted);

/* ---- tables: claims_table.c ---- */

/* *whole: the facts of 'file' with each section that has 'each' written out, once for each printed number it is for.
 * Caller owns: ini_free, also after a failure. */
enum bench_status claim_write_out(struct claims *claims, const struct ini_file *file,
                                  struct ini_file *whole);

/* ---- expected verdicts: claims_expected.c ---- */

/* By the file of expected verdicts; CLAIM_N_VERDICTS: none.  *covered: the file speaks of this machine ("paper"). */
enum bench_status claim_expected(const struct claims *claims, const char *id,
                                 const char *machine, enum claim_verdict *expected,
                                 bool *covered);

#endif

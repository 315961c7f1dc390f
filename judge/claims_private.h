/* claims_private.h - what the files of claims share */
#ifndef BENCH_CLAIMS_PRIVATE_H
#define BENCH_CLAIMS_PRIVATE_H

#include "judge/claims.h"
#include "judge/claims_expression.h"

/* One evaluation: where it takes its cells from and what was seen on the way. */
struct claim_lookup {
    struct claims *claims;
    const struct claim *claim;   /* NULL: while a name is checked by itself */
    const struct ini_fact *fact; /* whose expression is evaluated */
    const struct ini_file *file;
    const struct claim_machine *machine; /* NULL: measured cells are missing */
    bool only_paper;                     /* measured cells are refused */
    const struct claim_board
        *board; /* measured cells are those of a card cut to its size; NULL: of whole cards */
    bool as_clock;       /* and times are brought to its clock */
    const char *session; /* measured rows are of this one; NULL: of any */
    struct claim_source *source;
    struct text *log; /* NULL: none */
    bool elsewhere;   /* a row is not of the claim's hardware */
    bool single;      /* a time of one run: its noise is not known */
    bool mixed;       /* rows of several commits */
    bool several;     /* rows of several sessions */
    bool poor;        /* a row of a dirty build or of --quick */
    int n_rows,
        n_outside;    /* rows of means over seeds; of these, those with the verdict "outside" */
    char device[160]; /* of the last row */
    char commit[48];  /* of the first row */
    char first[64];   /* its session */
    char scope[48];   /* of the times */
};

/* struct claim_source's hook; 'user' is a struct claim_lookup. */
enum bench_status claim_find_cell(void *user, const struct claim_cell *cell,
                                  struct claim_value *value);
void claim_add_scope(struct claim_lookup *l, const char *scope);
/* A line of an explanation, where one is asked for. */
void claim_log(struct text *log, const char *what, const struct claim_value *value,
               const char *remark, ...) __attribute__((format(printf, 4, 5)));

/* A query under construction: its words, and what stands for each '?' of it. */
struct claim_query {
    struct text sql;
    const char
        *bound[3 * CLAIM_MAX_FILTERS]; /* borrowed until the statement was stepped through */
    int n;
    char name[80], over[CLAIM_MAX_FILTERS * 48]; /* of a value; keys of a mean */
};
/* Words that have a '?', and what it stands for. */
void claim_ask(struct claim_query *q, const char *words, const char *wanted);
/* "FROM printed AS m WHERE" the cell's source; BENCH_EINPUT for a key that printed numbers do not have. */
enum bench_status claim_ask_printed(struct claims *claims, const struct claim_cell *cell,
                                    const char *path, int line, struct claim_query *q);
/* The statement, which the caller resets; the words are freed. */
enum bench_status claim_prepare(struct store *store, struct claim_query *q,
                                sqlite3_stmt **statement);

/* ---- tables: claims_table.c ---- */

/* *whole: the facts of 'file' with each section that has 'each' written out, once for each printed number it is for.
 * Caller owns: ini_free, also after a failure. */
enum bench_status claim_write_out(struct claims *claims, const struct ini_file *file,
                                  struct ini_file *whole);

/* ---- expected verdicts: claims_expected.c ---- */

#define CLAIM_ARITHMETIC "paper" /* the column of the papers' own numbers */

/* What the file of expected verdicts has of a claim on a machine: j->expected and j->uncommitted. */
void claim_expect(const struct claims *claims, const char *id, const char *machine,
                  struct claim_judgement *j);

#endif

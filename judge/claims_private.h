/* claims_private.h - what claims.c, claims_cells.c and claims_report.c share */
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
    struct claim_source *source;
    struct text *log; /* NULL: none */
    bool elsewhere;   /* a row is not of the claim's hardware */
    char device[160]; /* of the last row */
};

/* struct claim_source's hook; 'user' is a struct claim_lookup. */
enum bench_status claim_find_cell(void *user, const struct claim_cell *cell,
                                  struct claim_value *value);
void claim_log(struct text *log, const char *what, const struct claim_value *value,
               const char *remark);

#endif

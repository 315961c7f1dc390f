/* report_private.h - what the files of the report share */
#ifndef BENCH_REPORT_PRIVATE_H
#define BENCH_REPORT_PRIVATE_H

#include "harness/analysis/table.h"
#include "harness/listing.h"
#include "judge/claims.h"
#include "judge/report.h"

struct report {
    const struct report_request *request;
    char *machine;                    /* the results folder's own name */
    struct text folder, paper_folder; /* without a slash at the end; results/paper */
    struct listing claim_files;
    struct claims claims;
    struct claim_machine rows; /* its store is there also without rows */
    bool has_rows;
    struct listing other; /* the folders of results/ */
    struct store **store; /* [other.n] of them; NULL: one that is not looked at */
};

/* A row of one of report.sql's tables; a NULL is one. */
enum bench_status report_add(const struct report *r, const char *table,
                             const char *const *field, int n);
#define REPORT_ADD(r, table, ...)                            \
    report_add(r, table, (const char *const[]){__VA_ARGS__}, \
               (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

/* What there is of each table and figure, into 'shown', 'drawn', 'lack' and 'elsewhere'. */
enum bench_status report_items(const struct report *r);

#endif

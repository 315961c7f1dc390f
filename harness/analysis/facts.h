/*
 * facts.h - what is known of a machine, beside what a paper prints of its own
 */
#ifndef ANALYSIS_FACTS_H
#define ANALYSIS_FACTS_H

#include "harness/analysis/store.h"
#include "harness/analysis/table.h"

struct facts {
    struct table table; /* fact, here, and a column for each printed machine */
    char caption[400];  /* "MACHINE; commit 1234567" */
    int n_known;        /* facts of the table that are known of it */
};

/*
 * The printed facts of a table, "stx-table4", beside those that .env.txt files of folders have: of the newest session that knows a
 * GPU, in the first folder that has one, else of any.  A path that is a file counts where the folders before it have none.
 * BENCH_EINPUT where nothing is printed under that name.  On failure *facts is empty.  Caller owns: facts_free.
 */
enum bench_status facts_read(const char *const *paths, int n, const char *paper_folder,
                             const char *name, struct facts *facts);
void facts_free(struct facts *facts);

/* Add the view 'fact (key, text)': what that session says. */
enum bench_status facts_views(struct store *store);

#endif
